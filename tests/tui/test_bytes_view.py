"""Bytes are shown as `read -x` shows them; a byte leads to its field, a field to its bytes."""

from tests.tui.screens import browser, run, shows

from streamshark.tui.pieces import text_of
from streamshark.views.hexdump import dump


def test_bytes_are_those_of_read() -> None:
    """Each line is as `read -x` writes it, secrets included."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        for row in (5, 16):
            app.frames.go_to(row, "row")
            await pilot.pause()
            details = app.browser.details(row)
            lines = [text_of(app.frames.bytes.line(n)) for n in range(app.frames.bytes.count)]
            assert [each.split() for each in lines] == [
                each.split() for each in dump(details.frame.data, details.hidden).splitlines()
            ]

    run(script)


def test_bytes_and_fields_are_linked_both_ways() -> None:
    """A byte that is selected, by key or mouse, selects its field; a field marks its bytes."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        frames = app.frames
        frames.go_to(14, "row")
        await pilot.press("tab", "tab", "down")
        await pilot.pause()
        assert frames.bytes.byte == 13
        assert frames.fields.item.name == "response_code"
        assert (frames.bytes.start, frames.bytes.end) == (12, 14)
        await pilot.press("shift+tab", "up")
        assert frames.fields.item.name == "correlation_id"
        assert (frames.bytes.start, frames.bytes.end) == (8, 12)
        assert await shows(app, pilot, "correlation_id 8-11")
        await pilot.click("#bytes", offset=(6 + 3 * 5, 1))
        await pilot.pause()
        assert frames.bytes.byte == 5
        assert frames.fields.item.name == "response"

    run(script, size=(100, 40))


def test_unpacked_bytes_are_a_tab() -> None:
    """Fields in unpacked bytes are shown in a tab of their own, which `t` reaches too."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        found = browser("rabbitmq_stream/bug_sub_batches_of_one_go")
        row = next(
            each
            for each in range(found.total)
            if (details := found.details(each)) is not None and len(details.sources) > 1
        )
        app.frames.go_to(row, "row")
        app.frames.bytes.focus()
        await pilot.press("t")
        assert "unpacked by" in app.frames.bytes.source.name
        assert await shows(app, pilot, "unpacked by")
        path = app.frames.fields.details.at(app.frames.bytes.source, 0)
        assert path is not None
        app.frames.fields.select(path)
        app.frames.bytes.next_tab()
        app.frames.fields.choose(app.frames.fields.cursor)
        await pilot.pause()
        assert "unpacked by" in app.frames.bytes.source.name
        heading = "".join(each.text for each in app.frames.bytes.heading())
        for name in ("frame", "unpacked"):
            await pilot.click("#bytes", offset=(heading.lower().index(name) + 1, 0))
            assert name in app.frames.bytes.source.name.lower()

    run(script, "rabbitmq_stream/bug_sub_batches_of_one_go", size=(100, 40))


def test_a_click_beside_the_bytes_selects_nothing() -> None:
    """Offsets and gaps are no bytes."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        app.frames.go_to(14, "row")
        await pilot.pause()
        app.frames.bytes.byte = 3
        for offset in ((1, 1), (50, 1), (55, 1), (2, 0)):
            await pilot.click("#bytes", offset=offset)
        assert app.frames.bytes.byte == 3

    run(script, size=(100, 40))
