"""Lines are drawn when they are seen, however many there are."""

import asyncio
from collections.abc import Sequence

from textual.app import App, ComposeResult

from streamshark.tui.line_view import LineView
from streamshark.tui.pieces import TextPiece

COUNT = 10_000_000


class Numbers(LineView):
    """Ten million lines."""

    context = "list"
    drawn = 0

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return a number, and count that it was asked for."""
        self.drawn += 1
        return [TextPiece(f"line {number} " + "x" * 200)]

    def heading(self) -> Sequence[TextPiece]:
        """Return a title."""
        return [TextPiece("Numbers")]


class NumbersApp(App[None]):
    """One pane."""

    def compose(self) -> ComposeResult:
        """Return the pane."""
        yield Numbers()


async def _moves() -> None:
    app = NumbersApp()
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(Numbers)
        view.show(COUNT, 0)
        for line, top in ((0, 0), (11, 1), (COUNT - 1, COUNT - 11), (5_000_000, 4_999_995)):
            view.place(line)
            await pilot.pause()
            assert view.scroll_offset.y == top
            strip = view.render_line(line - top + 1)
            assert strip.text.startswith(f"line {line} ")
            assert strip.cell_length == view.size.width
        assert view.render_line(0).text.startswith("Numbers")
        assert view.drawn < 200
        view.pan(1)
        await pilot.pause()
        assert view.render_line(6).text.startswith("0000 xxx")
        view.pan(-9)
        view.pan(999)
        assert view.shift == view.widest - view.size.width
        view.move(COUNT)
        assert view.cursor == COUNT - 1


def test_ten_million_lines_are_moved_through_at_once() -> None:
    """The selected line is seen after each move, and only what is seen is drawn."""
    asyncio.run(_moves())
