"""Writes rows to a file: text, JSON, hex, the packets that carried them, a diagram."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from streamshark.capture.output_file import OutputFile
from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.errors import StreamsharkError
from streamshark.tui.browser import Browser
from streamshark.tui.texts import RowTexts, form_of, lines_of
from streamshark.views.sequence_diagram import LANGUAGES, Diagram

MOST_ROWS: Final = 1_000_000
"""Most rows that are written at once."""


def export(browser: Browser, rows: Sequence[int], name: str) -> str:
    """Write rows to a file whose name says the form; return a sentence about it.

    Raises:
        StreamsharkError: It cannot be written, or there is nothing to write.
    """
    form = form_of(name)
    if not rows:
        raise StreamsharkError("no row to write")
    if len(rows) > MOST_ROWS:
        raise StreamsharkError(f"more than {MOST_ROWS:,} rows; read -w writes them")
    written = 0
    with OutputFile(name) as file:
        parts = _packets(browser, rows) if form == "pcapng" else _texts(browser, rows, form)
        for each in parts:
            file.write(each)
            written += 1
        file.commit()
    what = (
        f"{written - 2:,} packets, secrets included" if form == "pcapng" else f"{len(rows):,} rows"
    )
    return f"{name}: {what}"


def _texts(browser: Browser, rows: Iterable[int], form: str) -> Iterator[bytes]:
    """Yield rows as text."""
    if form not in LANGUAGES:
        for line in lines_of(RowTexts(browser), rows, form):
            yield line.encode()
        return
    diagram, wanted = Diagram(), set(rows)
    for each in rows:
        diagram.row(browser.row(each))
    findings = [
        each.finding for each in browser.index.findings() if not wanted.isdisjoint(each.rows)
    ]
    yield diagram.text(LANGUAGES[form], findings).encode()


def _packets(browser: Browser, rows: Iterable[int]) -> Iterator[bytes]:
    """Yield a pcapng with the packets that carried rows, each once, in the order of their times.

    Raises:
        StreamsharkError: They cannot be read again: the captures are compressed.
    """
    index = browser.index
    places = {(index.file(row), number) for row in rows for number in index.packet_numbers(row)}
    packets = [index.packet(*each) for each in sorted(places)]
    found = sorted((each for each in packets if each is not None), key=lambda each: each.time_ns)
    if len(found) < len(packets):
        raise StreamsharkError("packets of a compressed capture cannot be read again; use read -w")
    writer, links = PcapngWriter(), sorted({each.link for each in found})
    yield writer.section(program="streamshark")
    yield b"".join(writer.interface(link) for link in links)
    for each in found:
        yield writer.packet(
            each.time_ns,
            each.data,
            interface=links.index(each.link),
            original=each.length,
            comments=browser.comments.of((each.file, each.number)),
        )
