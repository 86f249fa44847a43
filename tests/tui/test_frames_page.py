"""The Frames screen: filters that run, jumps, marks of what is wrong."""

import pytest
from tests.tui.screens import run, shows

from streamshark.errors import StreamsharkError
from streamshark.tui.keys import Press


def test_a_filter_shows_its_rows_and_keeps_the_selection() -> None:
    """The list has the rows that `read -Y` selects; without the filter the row stays selected."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        frames = app.frames
        frames.go_to(16, "row")
        frames.apply("rmqstream.deliver || rmqstream.open")
        await pilot.pause(0.1)
        assert list(frames.state.selected) == [9, 15, 16]
        assert (frames.state.row, frames.state.filter.runs) == (16, False)
        assert await shows(app, pilot, "3 of 3, 23 in all")
        frames.apply("")
        assert (frames.state.row, frames.state.count) == (16, 23)

    run(script)


def test_numbers_packets_and_times_lead_to_rows() -> None:
    """`:goto`, `:packet` and `:time`; what is not there, or is no number, is said."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        for command, row in (("12", 12), ("packet 22", 15), ("time 1", 17), ("goto 3", 3)):
            app.run_command(command)
            assert app.frames.state.row == row, command
        for command, message in (
            ("99", "no frame 99"),
            ("packet 99999", "no row of packet 99999"),
            ("goto x", "'x' is not the number of a frame"),
            ("time x", "'x' is not a time in seconds"),
            ("time 99", "no row at 99 s or later"),
        ):
            with pytest.raises(StreamsharkError, match=message):
                app.run_command(command)
        await pilot.press(*"16", "G")
        assert app.frames.state.row == 16

    run(script)


def test_enter_follows_a_link_to_the_request() -> None:
    """In the fields, Enter on the request of a response selects it."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        frames = app.frames
        frames.go_to(14, "row")
        frames.fields.focus()
        at = next(
            number
            for number, line in enumerate(frames.fields.lines)
            if line.item.note.startswith("Request in")
        )
        frames.fields.choose(at)
        await pilot.press("enter")
        assert frames.state.row == 13

    run(script)


def test_the_end_of_a_conversation_and_of_problems_is_said() -> None:
    """Nothing happens at the end but a message."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        frames = app.frames
        frames.go_to(22, "row")
        await pilot.press("]", "p")
        assert app.said == "no row with a problem or finding after this one"
        frames.go_to(20, "row")
        app.act(Press("next-in-conversation"))
        assert app.said == "this is the last frame shown of it"

    run(script)
