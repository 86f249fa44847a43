"""Draws what a command prints as an SVG picture, for the README.

    python -m docs.images.terminal [--check] [FOLDER]

With `--check` nothing is written: pictures that are stale are listed, and the exit code is 1.
"""

import io
import re
import sys
from contextlib import redirect_stdout
from html import escape
from pathlib import Path

from streamshark.cli.main import run
from streamshark.views.generated_files import GeneratedFiles

PICTURES = {
    "finding.svg": (
        "check",
        "--level",
        "warning",
        "captures/rabbitmq_stream/login_fails/traffic.pcapng",
    ),
}
"""File name of each picture, and the arguments of the command that it shows."""

COLOURS = {
    "31": "#ff7b72",
    "33": "#e3b341",
    "34": "#79c0ff",
    "35": "#d2a8ff",
    "36": "#56d4dd",
    "2": "#8b949e",
    "1": "#f0f6fc",
}
"""Colour of each parameter of an SGR sequence."""
PLAIN, BACKGROUND, PROMPT = "#c9d1d9", "#0d1117", "#7ee787"
WIDTH, HEIGHT, MARGIN = 8.4, 20, 16
"""Size of a character, and the margin around the text, in pixels."""

_SGR = re.compile(r"\x1b\[([\d;]*)m")


def printed(arguments: tuple[str, ...]) -> str:
    """Return what a command prints in colour."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out):
        run([*arguments[:1], "--color", "always", *arguments[1:]])
        out.flush()
    return out.buffer.getvalue().decode()  # type: ignore[attr-defined]


def picture(arguments: tuple[str, ...]) -> str:
    """Return the picture of a command and what it prints."""
    command = f"$ streamshark {' '.join(arguments)}"
    lines = [_span(command, PROMPT, bold=False), ""]
    lines += [_line(each) for each in printed(arguments).rstrip().splitlines()]
    columns = max(len(_SGR.sub("", each)) for each in [command, *printed(arguments).splitlines()])
    width, height = columns * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * (number + 0.75):.0f}">{each}</text>'
        for number, each in enumerate(lines)
        if each
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" '
        f'style="white-space: pre">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n{rows}\n</svg>\n'
    )


def _line(text: str) -> str:
    """Return one line of a terminal as spans."""
    spans, colour, bold = "", PLAIN, False
    parts = _SGR.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            codes = [each for each in part.split(";") if each not in ("", "0")]
            bold = "1" in codes
            colour = next((COLOURS[each] for each in reversed(codes) if each in COLOURS), PLAIN)
        elif part:
            spans += _span(part, colour, bold=bold)
    return spans


def _span(text: str, colour: str, *, bold: bool) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<tspan fill="{colour}"{weight}>{escape(text)}</tspan>'


def main(arguments: list[str]) -> int:
    """Draw the pictures, or with `--check` compare them; return the exit code."""
    texts = {name: picture(shown) for name, shown in PICTURES.items()}
    files = GeneratedFiles(texts, ("*.svg",))
    return files.main(arguments, Path("docs/images"), "docs.images.terminal")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
