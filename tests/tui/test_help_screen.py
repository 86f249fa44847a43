"""The help has all actions, and is left as it was entered."""

from tests.tui.screens import run, text

from streamshark.tui.help_screen import HelpScreen, help_text
from streamshark.tui.keys import ACTIONS, KeyMap, shown


def test_the_help_has_every_action() -> None:
    """Each action is there once, with its keys, its command and its sentence."""
    lines = help_text(KeyMap()).plain.splitlines()
    for each in ACTIONS:
        found = [line for line in lines if line.endswith(each.doc)]
        assert len(found) == 1, each.id
        assert f":{each.command}" in found[0]
        assert all(shown(key) in found[0] for key in each.keys)


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
