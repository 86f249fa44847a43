"""The names of the screens can be clicked."""

from tests.tui.screens import run


def test_a_click_on_a_name_shows_its_screen() -> None:
    """Each name leads to its screen; nothing else in the line does anything."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        for column, name in (
            (22, "conversations"),
            (66, "statistics"),
            (2, "frames"),
            (79, "frames"),
        ):
            await pilot.click("#tabs", offset=(column, 0))
            await pilot.pause()
            assert app.page.id == name, column

    run(script)
