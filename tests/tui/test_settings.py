"""Settings are read from a user's file, and what he chooses is kept."""

from pathlib import Path

import pytest
from tests.tui.screens import run

from streamshark.errors import StreamsharkError
from streamshark.tui.settings import FOLDER, Settings, folder, keep, load

WRONG = (
    ("tui = 1", "tui must be a table"),
    ("[tui]\nthema = 'x'", r"\[tui\] has no setting 'thema'"),
    ("[tui]\ntheme = 1", "theme must be a name"),
    ("[tui]\ncolumns = 'x'", "columns must be a list"),
    ("[tui.keys]\nquit = 1", "must have texts"),
    ("[tui", "config.toml"),
)


def test_settings_are_those_of_the_file_and_of_the_screens(tmp_path: Path) -> None:
    """Without files all is as usual; what was chosen on the screens comes first."""
    assert load(tmp_path) == Settings()
    (tmp_path / "config.toml").write_text(
        "[other]\nx = 1\n[tui]\ntheme = 'nord'\ncolumns = ['flow']\n[tui.keys]\nquit = 'X'\n"
    )
    found = load(tmp_path)
    assert found == Settings(keys={"quit": "X"}, theme="nord", columns=("flow",))
    keep(tmp_path / "new", Settings(theme="gruvbox"))
    keep(tmp_path, Settings(theme="gruvbox", columns=("tcp.stream", "length")))
    assert load(tmp_path) == Settings(
        keys={"quit": "X"}, theme="gruvbox", columns=("tcp.stream", "length")
    )
    (tmp_path / "tui.json").write_text("{nonsense")
    assert load(tmp_path) == found


def test_wrong_settings_name_the_file_and_what_is_wrong(tmp_path: Path) -> None:
    """No setting is ignored silently."""
    for text, message in WRONG:
        (tmp_path / "config.toml").write_text(text)
        with pytest.raises(StreamsharkError, match=message):
            load(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StreamsharkError, match=r"tui\.json"):
        keep(tmp_path / "file", Settings())
    assert folder({FOLDER: "/some/where"}) == Path("/some/where")


def test_what_is_chosen_is_kept() -> None:
    """Columns and theme are handed on when they change; those that are no fields are left out."""
    kept: list[Settings] = []
    settings = Settings(columns=("rmqstream.stream", "no.such"), theme="nord", keys={"down": "J"})

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        assert app.frames.list.fields == ("rmqstream.stream",)
        assert app.theme == "nord"
        await pilot.press("J", "j")
        assert app.frames.state.row == 1
        app.run_command("theme gruvbox")
        app.run_command("column length")
        await pilot.pause()
        assert kept[-1].theme == "gruvbox"
        assert kept[-1].columns == ("rmqstream.stream", "length")
        with pytest.raises(StreamsharkError, match="no theme 'x'"):
            app.run_command("theme x")

    run(script, settings=settings, keep=kept.append)
