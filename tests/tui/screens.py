"""The program on an index of a recorded capture, for tests."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from textual.pilot import Pilot

from streamshark.index.build import IndexBuilder, IndexOptions
from streamshark.index.reader import Index
from streamshark.protocols.catalog import formats
from streamshark.tui.app import StreamsharkApp
from streamshark.tui.document import Document
from streamshark.tui.keys import KeyMap

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


def document(capture: str = CREDIT, *, show_secrets: bool = False) -> Document:
    """Return the document of a recorded capture."""
    index = Index(indexed(capture), IndexOptions().known())
    return Document(Indexed(index), formats(), show_secrets=show_secrets)


Script = Callable[[StreamsharkApp, "Pilot[int]"], Awaitable[None]]


def run(script: Script, capture: str = CREDIT, size: tuple[int, int] = (80, 24)) -> None:
    """Run the program on a capture, and a script that presses keys."""

    async def whole() -> None:
        app = StreamsharkApp(document(capture), KeyMap())
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(whole())


def text(app: StreamsharkApp) -> str:
    """Return what is on the screen, as text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in lines)
