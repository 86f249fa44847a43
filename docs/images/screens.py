"""Draws the screens of the terminal interface as SVG pictures, for docs/tui.md and the README.

    python -m docs.images.screens [--check] [FOLDER]

With `--check` nothing is written: pictures that are stale are listed, and the exit code is 1.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterable
from html import escape
from pathlib import Path

from docs.images.terminal import BACKGROUND, HEIGHT, MARGIN, PLAIN, PROMPT, WIDTH
from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from streamshark.index.build import IndexBuilder
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.protocols.catalog import formats
from streamshark.tui.app import StreamsharkApp
from streamshark.tui.browser import Browser
from streamshark.views.generated_files import GeneratedFiles

CAPTURE = "captures/rabbitmq_stream/bug_credit_never_renewed/traffic.pcapng"
SIZE = (104, 30)
"""Columns and lines of a picture."""
PATIENCE = 50
"""How often a screen is looked at, until it stays as it is."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Stands for a blank: browsers draw several blanks as one."""
PICTURES = {
    "findings.svg": ("f5",),
    "frames.svg": ("f5", "enter", "tab", "down", "down", "down", "down", "down"),
    "ladder.svg": ("f5", "enter", "F"),
}
"""File name of each picture, and the keys that lead to it."""


RECORDING = "recording.svg"
STEPS = (
    ("streamshark tui capture.pcapng", (), 2.0),
    ("F5: the findings, the worst first", ("f5",), 3.5),
    ("Enter: the frame to blame", ("enter",), 3.0),
    ("Tab, Down: a field and its bytes", ("tab", *["down"] * 5), 3.0),
    ("F: its conversation", ("F",), 4.0),
    ("F6: response times", ("f6",), 3.0),
    ("/: a display filter", ("f2", "/", *"rmqstream.stream == ", "quotation_mark", *"bug"), 2.5),
)
"""Of the recording: captions, the keys that lead to each screen, and for how many seconds it is
shown."""


class Complete:
    """An index that is complete."""

    reason = ""

    def __init__(self, index: Index) -> None:
        self.index = index


async def shown(index: Index, steps: Iterable[Iterable[str]]) -> list[list[Strip]]:
    """Return the lines of the screen after each step, which are some keys."""
    app, screens = StreamsharkApp(Browser(Complete(index), formats())), []
    async with app.run_test(size=SIZE) as pilot:
        for keys in steps:
            for each in keys:
                await pilot.press(each)
                await pilot.pause(0.05 if len(each) == 1 else 0.2)
            lines = list[Strip]()
            for _ in range(PATIENCE):
                before = lines
                await pilot.pause(0.1)
                lines = app.screen._compositor.render_strips()  # noqa: SLF001 - as a test sees it
                if [each.text for each in lines] == [each.text for each in before]:
                    break
            screens.append(lines)
    return screens


def picture(strips: list[Strip]) -> str:
    """Return the picture of a screen."""
    rows = (row for number, strip in enumerate(strips) for row in _line(number, strip))
    return _drawn("\n".join(rows), SIZE[1])


def recording(screens: list[list[Strip]]) -> str:
    """Return a picture that shows screens one after another, with what was pressed below them.

    Lines that several screens have are drawn once.
    """
    total = sum(seconds for _, _, seconds in STEPS)
    known: dict[str, str] = {}
    parts, start = [], 0.0
    for (caption, _, seconds), strips in zip(STEPS, screens, strict=True):
        end = start + seconds
        parts.append(
            f'<g visibility="{"hidden" if start else "visible"}">{_animated(start, end, total)}'
        )
        for number, strip in enumerate(strips):
            name = known.setdefault("".join(_line(0, strip)), f"l{len(known)}")
            parts.append(f'<use href="#{name}" y="{HEIGHT * number}"/>')
        top = MARGIN + HEIGHT * (SIZE[1] + 0.75)
        parts.append(
            f'<text x="{MARGIN}" y="{top:.0f}" fill="{PROMPT}">{escape(caption)}</text></g>'
        )
        start = end
    lines = (f'<g id="{name}">{line}</g>' for line, name in known.items())
    return _drawn("\n".join(["<defs>", *lines, "</defs>", *parts]), SIZE[1] + 1)


def _animated(start: float, end: float, total: float) -> str:
    """Return what makes a part visible from a second on, until another one, again and again."""
    times = [0.0, *([start] if start else []), *([end] if end < total else [])]
    values = [*(["hidden"] if start else []), "visible", *(["hidden"] if end < total else [])]
    return (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{total:g}s" '
        f'repeatCount="indefinite" values="{";".join(values)}" '
        f'keyTimes="{";".join(f"{each / total:.4f}" for each in times)}"/>'
    )


def _drawn(inner: str, lines: int) -> str:
    """Return a picture of so many lines."""
    width, height = SIZE[0] * WIDTH + 2 * MARGIN, lines * HEIGHT + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" '
        f'role="img">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n{inner}\n</svg>\n'
    )


def _line(number: int, strip: Strip) -> Iterable[str]:
    """Yield the backgrounds of a line, then its texts."""
    top, column = MARGIN + HEIGHT * number, 0
    texts = []
    for segment in strip.simplify():
        left, size = MARGIN + WIDTH * column, segment.cell_length * WIDTH
        colour, background, weight = _colours(segment)
        if background != BACKGROUND:
            yield (
                f'<rect x="{left:.1f}" y="{top}" width="{size:.1f}" height="{HEIGHT}" '
                f'fill="{background}"/>'
            )
        if text := segment.text.strip():
            left += WIDTH * (len(segment.text) - len(segment.text.lstrip()))
            size = cell_len(text) * WIDTH
            texts.append(
                f'<text x="{left:.1f}" y="{top + HEIGHT * 0.75:.0f}" fill="{colour}"{weight} '
                f'textLength="{size:.1f}">{escape(text).replace(" ", NO_BREAK)}</text>'
            )
        column += segment.cell_length
    yield from texts


def _colours(segment: Segment) -> tuple[str, str, str]:
    """Return text colour, background and weight of a segment."""
    style = segment.style
    if style is None:
        return PLAIN, BACKGROUND, ""
    colour = style.color.get_truecolor().hex if style.color else PLAIN
    background = style.bgcolor.get_truecolor().hex if style.bgcolor else BACKGROUND
    if style.reverse:
        colour, background = background, colour
    return colour, background, ' font-weight="bold"' if style.bold else ""


def pictures() -> dict[str, str]:
    """Return all pictures by the names of their files."""
    with tempfile.TemporaryDirectory() as folder:
        IndexBuilder([CAPTURE], Path(folder), IndexOptions()).run()
        with Index(Path(folder), IndexOptions().known()) as index:
            steps = [keys for _, keys, _ in STEPS]
            return {
                RECORDING: recording(asyncio.run(shown(index, steps))),
                **{
                    name: picture(asyncio.run(shown(index, [keys]))[0])
                    for name, keys in PICTURES.items()
                },
            }


def main(arguments: list[str]) -> int:
    """Draw the pictures, or with `--check` compare them; return the exit code."""
    files = GeneratedFiles(pictures(), ("*.svg",))
    return files.main(arguments, Path("docs/images/screens"), "docs.images.screens")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
