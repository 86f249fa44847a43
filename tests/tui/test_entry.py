"""The filter bar and the command line: completion, history, and what is thought of a text."""

from tests.tui.screens import run, shows
from textual import events


def test_the_filter_bar_is_coloured_at_each_key() -> None:
    """Red, yellow or green: wrong, satisfied by no row, valid; a wrong one cannot be entered."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        bar = app.frames.bar
        await pilot.press("/")
        bar.put("rmqstream.delive")
        await pilot.press("r")
        assert bar.has_class("valid")
        await pilot.press(*" &&")
        assert bar.has_class("invalid")
        await pilot.press("enter")
        assert bar.is_active
        assert app.frames.state.filter.text == ""
        bar.put("rmqstream.deliver && rmqstream.ope")
        await pilot.press("n")
        assert bar.has_class("odd")
        assert await shows(app, pilot, "no row can satisfy this filter")
        await pilot.press("escape")
        assert app.focused.id == "list"
        assert bar.input.value == ""

    run(script)


def test_tab_completes_fields_and_goes_through_them() -> None:
    """Tab inserts the next completion, and one more replaces it."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        bar = app.frames.bar
        await pilot.press("/")
        bar.put("rmqstream.deliver.sub")
        await pilot.press("s")
        assert await shows(app, pilot, "rmqstream.deliver.subscription_id")
        await pilot.press("tab")
        assert bar.input.value == "rmqstream.deliver.subscription_id"
        await pilot.press("space", *"== 0", "enter")
        await pilot.pause()
        assert [app.frames.state.row_at(each) for each in (0, 1)] == [15, 16]
        app.frames.bar.begin("tcp.")
        await pilot.pause()
        await pilot.press("tab")
        first = bar.input.value
        await pilot.press("tab")
        assert bar.input.value != first
        assert bar.input.value.startswith("tcp.")
        await pilot.press("shift+tab")
        assert bar.input.value == first

    run(script)


def test_the_history_is_at_hand() -> None:
    """Up and Down go through what was entered."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        app.frames.apply("rmqstream.open")
        app.frames.apply("rmqstream.close")
        bar = app.frames.bar
        bar.begin("")
        await pilot.press("up")
        assert bar.input.value == "rmqstream.close"
        await pilot.press("up", "up")
        assert bar.input.value == "rmqstream.open"
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.frames.state.filter.text == "rmqstream.close"

    run(script)


def test_the_command_line_completes_commands_and_filters() -> None:
    """A command's name is completed, and a filter after `filter`; what is wrong is said."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        await pilot.press(":", *"stat", "tab", "enter")
        await pilot.pause()
        assert app.page.id == "statistics"
        await pilot.press(":")
        app.entry.put("filter rmqstream.deliver.sub")
        await pilot.press("s", "tab", "enter")
        await pilot.pause()
        assert app.frames.state.filter.text == "rmqstream.deliver.subscription_id"
        await pilot.press(":", *"1", "enter")
        assert app.said == "frame 1 is hidden by the display filter"
        await pilot.press(":", *"nonsense", "enter")
        assert app.entry.has_class("invalid")
        assert app.entry.is_active

    run(script)


def test_quick_keys_are_taken_in_order() -> None:
    """Keys that come before the screen has changed are those of the screen they were meant for."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        for key in (*":16", "enter", "j", "j", "k", "tab", "down", "F"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        assert await shows(app, pilot, "0-20-subscription: ")
        assert app.frames.state.row == 17
        app.show("frames")
        for key in (*":nonsense", "enter", "escape", "q"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause(0.1)
        assert app._exit

    run(script)
