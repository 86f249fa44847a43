"""The help has all actions, and is left as it was entered."""

from tests.tui.screens import run, text

from streamshark.tui.help_screen import HelpScreen, help_text
from streamshark.tui.keys import ACTIONS, KeyMap, shown


def test_the_help_has_every_action() -> None:
    """Each action is there once, with its keys, its command and its sentence."""
    cells = (map(str, column.cells) for column in help_text(KeyMap()).columns)
    rows = {command: (keys, doc) for keys, command, doc in zip(*cells, strict=True)}
    for each in ACTIONS:
        argument = f" {each.argument}" if each.argument else ""
        names = " ".join(map(shown, each.keys))
        assert rows[f":{each.command}{argument}"] == (names, each.doc)


def test_the_help_scrolls_and_closes() -> None:
    """Keys scroll it; Esc goes back to what was there."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        await pilot.press("?")
        assert isinstance(app.screen, HelpScreen)
        first = text(app)
        await pilot.press("space")
        await pilot.pause()
        assert text(app) != first
        await pilot.press("escape")
        assert app.focused.id == "list"

    run(script)
