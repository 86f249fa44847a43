"""The program on an index of a recorded capture, for tests."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from queue import Queue
from tempfile import mkdtemp
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

from textual._compositor import Compositor

from streamshark.index.build import IndexBuilder
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.protocols.catalog import formats
from streamshark.tui.app import StreamsharkApp
from streamshark.tui.browser import Browser

if TYPE_CHECKING:
    from textual.pilot import Pilot

CAPTURES = Path(__file__).parents[2] / "captures"
END: Final = 1200
"""Bytes of a growing capture in which its connection ends."""
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


def live(growing: "GrowingIndex") -> Browser:
    """Return the browser of a capture that grows."""
    return Browser(growing, formats())


def browser(capture: str = CREDIT, *, show_secrets: bool = False) -> Browser:
    """Return the browser of a recorded capture."""
    index = Index(indexed(capture), IndexOptions().known())
    return Browser(Indexed(index), formats(), show_secrets=show_secrets)


class GrowingIndex:
    """The live index of a capture that comes in parts, built by a thread."""

    reason = ""

    def __init__(self, capture: str = CREDIT) -> None:
        self.data = next((CAPTURES / capture).glob("traffic.*")).read_bytes()
        self._at = 0
        self._parts: Queue[bytes] = Queue()
        self.folder = Path(mkdtemp(prefix="streamshark-test-"))
        options = _Given(self)
        builder = IndexBuilder([capture], self.folder, options, follows=True)
        self._thread = Thread(target=builder.run, daemon=True)
        self._thread.start()
        self.grow(400)
        while not (self.folder / "progress.json").exists():
            time.sleep(0.01)
        self.index = Index(self.folder, options.known())

    def grow(self, size: int) -> None:
        """Let so many more bytes come."""
        self._parts.put(self.data[self._at : self._at + size])
        self._at += size

    async def until(
        self, app: StreamsharkApp, pilot: "Pilot[int]", holds: Callable[[], object]
    ) -> None:
        """Let more bytes come, but those of the end, until something holds."""
        for _ in range(400):
            if holds():
                return
            if self._at < len(self.data) - END and self._parts.empty():
                self.grow(200)
            await pilot.pause(0.05)
            app.look()
        raise AssertionError(text(app))

    def end(self) -> None:
        """Let all that is left come, and the end."""
        if self._at < len(self.data):
            self.grow(len(self.data))
        self._parts.put(b"")
        self._thread.join()

    # As a source

    damage = None
    name = "growing"

    def wait(self, seconds: float) -> bool:
        """Return whether a part came in time."""
        until = time.monotonic() + seconds
        while self._parts.empty() and time.monotonic() < until:
            time.sleep(0.005)
        return not self._parts.empty()

    def read(self, _most: int) -> bytes:
        """Return the next part."""
        return self._parts.get()

    def close(self) -> None:
        """Do nothing."""


class _Given(IndexOptions):
    """Options of a reading whose source is given."""

    def __init__(self, source: GrowingIndex) -> None:
        super().__init__()
        object.__setattr__(self, "_source", source)

    def _followed(self, _name: str, _notice: object) -> GrowingIndex:
        return self._source


Script = Callable[[StreamsharkApp, "Pilot[int]"], Awaitable[None]]


def run(
    script: Script,
    capture: str | GrowingIndex = CREDIT,
    size: tuple[int, int] = (80, 24),
    **options: Any,  # noqa: ANN401 - of the program
) -> None:
    """Run the program on a capture, and a script that presses keys.

    Nothing is painted until a script asks for the `text` on the screen.
    """

    async def whole() -> None:
        shown = browser(capture) if isinstance(capture, str) else live(capture)
        app = StreamsharkApp(shown, **options)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    with mock.patch.object(Compositor, "render_update", _unpainted):
        asyncio.run(whole())


def _unpainted(compositor: Compositor, **_options: object) -> None:
    compositor._dirty_regions.clear()


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
