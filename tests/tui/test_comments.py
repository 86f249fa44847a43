"""Comments on packets: shown, added, saved into a copy."""

from pathlib import Path

import pytest
from tests.tui.screens import browser, run, shows, text

from streamshark.errors import StreamsharkError


def test_comments_are_shown_and_saved_into_a_copy(tmp_path: Path) -> None:
    """`;` comments on the packet of a row; a copy has it, and shows it when it is opened."""
    copy = tmp_path / "copy.pcapng"

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        app.frames.go_to(16, "row")
        await pilot.press(";", *"no credit left", "enter")
        assert await shows(app, pilot, "comment: no credit left")
        lines = text(app).splitlines()
        assert [each[:3] for each in lines if each.startswith(";")] == [";  ", ";W "]
        await pilot.press(";")
        assert app.entry.input.value == "comment no credit left"
        await pilot.press("escape", "Q")
        assert app.said == "1 comment not saved: :save FILE saves a copy, Q again quits"
        app.run_command(f"save {copy}")
        assert await shows(app, pilot, "saved with 1 new comment")
        app.run_command('filter frame.comment contains "no credit"')
        await pilot.press("g", "g")
        assert await shows(app, pilot, "of 2, 23 in all")
        app.run_command("uncomment")
        assert await shows(app, pilot, "0 of 0, 23 in all")
        app.frames.apply("")
        app.frames.go_to(16, "row")
        assert ";" not in text(app).splitlines()[4][:1]
        app.run_command("uncomment")
        assert app.said == "this packet has no comment of yours"

    run(script, size=(112, 36))

    async def reopened(app, pilot) -> None:  # noqa: ANN001
        await pilot.press("]", "c")
        assert app.frames.state.row == 15
        assert await shows(app, pilot, "comment: no credit left")
        app.frames.fields.focus()
        await pilot.press("G")
        assert "Comment: no credit left" in text(app)

    run(reopened, str(copy), size=(112, 36))


def test_what_cannot_be_saved_is_said(tmp_path: Path) -> None:
    """The capture itself is not overwritten, and what cannot be read again is not copied."""
    found = browser()
    found.comments.put(found.place(3), "why")
    with pytest.raises(StreamsharkError, match="is one of the captures"):
        found.comments.save(found.index.names[0])
    with pytest.raises(StreamsharkError, match="at most 65,535 bytes"):
        found.comments.put(found.place(3), "x" * 70_000)
    found.index.names[0] = "standard input"
    with pytest.raises(StreamsharkError, match="standard input cannot be read again"):
        found.comments.save(str(tmp_path / "copy.pcapng"))
    assert not found.comments.is_saved
