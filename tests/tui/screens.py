"""The program on an index of a recorded capture, for tests."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from streamshark.index.build import IndexBuilder, IndexOptions
from streamshark.index.reader import Index
from streamshark.protocols.catalog import formats
from streamshark.tui.app import StreamsharkApp
from streamshark.tui.browser import Browser

if TYPE_CHECKING:
    from textual.pilot import Pilot

CAPTURES = Path(__file__).parents[2] / "captures"
CREDIT = "rabbitmq_stream/bug_credit_never_renewed"


class Indexed:
    """A complete index."""

    reason = ""

    def __init__(self, index: Index) -> None:
        self.index = index


@cache
def indexed(capture: str) -> Path:
    """Return the folder with the index of a recorded capture, or of another file."""
    found = next(iter((CAPTURES / capture).glob("traffic.*")), Path(capture))
    folder = Path(mkdtemp(prefix="streamshark-test-"))
    IndexBuilder([str(found)], folder, IndexOptions()).run()
    return folder


def browser(capture: str = CREDIT, *, show_secrets: bool = False) -> Browser:
    """Return the browser of a recorded capture."""
    index = Index(indexed(capture), IndexOptions().known())
    return Browser(Indexed(index), formats(), show_secrets=show_secrets)


Script = Callable[[StreamsharkApp, "Pilot[int]"], Awaitable[None]]


def run(
    script: Script,
    capture: str = CREDIT,
    size: tuple[int, int] = (80, 24),
    **options: Any,  # noqa: ANN401 - of the program
) -> None:
    """Run the program on a capture, and a script that presses keys."""

    async def whole() -> None:
        app = StreamsharkApp(browser(capture), **options)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(whole())


def text(app: StreamsharkApp) -> str:
    """Return what is on the screen, as text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in lines)


async def shows(app: StreamsharkApp, pilot: "Pilot[int]", words: str) -> bool:
    """Return whether words are on the screen, now or after some more events."""
    for _ in range(100):
        if words in text(app):
            return True
        await pilot.pause(0.02)
    return False
