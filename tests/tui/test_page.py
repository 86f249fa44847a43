"""What all screens have: movement in the pane with the focus, and Tab between panes."""

from tests.tui.screens import run


def test_keys_move_in_the_pane_with_the_focus() -> None:
    """The list and the text beside it scroll each for itself; numbers count lines."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        await pilot.press("f5")
        page = app.page
        assert page.pane is page.list
        await pilot.press("down")
        assert (page.list.cursor, page.text.cursor) == (1, 0)
        await pilot.press("tab", "3", "j")
        assert page.pane is page.text
        assert (page.list.cursor, page.text.cursor) == (1, 3)
        await pilot.press("2", "g", "g")
        assert page.text.cursor == 1
        await pilot.press("G")
        assert page.text.cursor == page.text.count - 1
        await pilot.press("tab")
        assert page.pane is page.list

    run(script)
