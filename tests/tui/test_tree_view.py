"""The tree of fields: what is expanded, and what stays when another row is selected."""

from tests.tui.screens import run, shows


def test_the_selected_field_stays_when_the_row_changes() -> None:
    """The same field of the next frame of a command is selected, its bytes marked."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        frames = app.frames
        frames.go_to(15, "row")
        at = next(
            number
            for number, line in enumerate(frames.fields.lines)
            if line.item.name == "committed_chunk_id"
        )
        frames.fields.choose(at)
        await pilot.pause()
        await pilot.press("f8")
        await pilot.pause()
        assert frames.fields.item.name == "committed_chunk_id"
        assert (frames.bytes.start, frames.bytes.end) == (9, 17)
        frames.go_to(13, "row")
        assert frames.fields.item.name == "rmqstream subscribe"
        frames.go_to(15, "row")

    run(script, size=(100, 40))


def test_keys_expand_and_collapse() -> None:
    """Right goes in, Left goes out, as in Wireshark."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        frames = app.frames
        frames.go_to(15, "row")
        frames.fields.focus()
        chunk = next(n for n, line in enumerate(frames.fields.lines) if line.item.name == "chunk")
        frames.fields.choose(chunk)
        before = frames.fields.count
        await pilot.press("right")
        assert frames.fields.count > before
        await pilot.press("right")
        assert frames.fields.cursor == chunk + 1
        assert await shows(app, pilot, "magic")
        await pilot.press("left")
        assert frames.fields.cursor == chunk
        await pilot.press("left")
        assert frames.fields.count == before
        await pilot.press("left")
        assert frames.fields.item.name == "rmqstream deliver"
        await pilot.press("ctrl+right")
        everything = frames.fields.count
        await pilot.press("ctrl+left")
        assert frames.fields.count == 3
        await pilot.press("shift+right")
        assert 3 < frames.fields.count < everything

    run(script, size=(100, 40))
