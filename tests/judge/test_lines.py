"""The Info column of every recorded packet says what the lines of `read` say of its frames."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.judge import traffic
from tests.judge.judging import BUILT_IN, OUTER, codecs, tshark
from tests.judge.test_captures import LEAST, PROTOCOLS, UNKNOWN_FIRST, plugin

from streamshark.decoding.codecs import CODECS
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, cells
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.protocols.protocol import Protocol
from streamshark.schema.problems import ProblemCode
from streamshark.session import Session
from streamshark.views.colour import Palette
from streamshark.views.payload_json import problems_inside
from streamshark.views.reassembly import sentence
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

BETWEEN = " | "
"""What stands between the lines of frames that one packet completes."""
COLUMNS = 'gui.column.format:"No.","%m","Info","%i"'
LISTED = re.compile(r" *(\d+) (.*)")
OTHERS = re.compile(r"\[TCP [^]]*\] ?|WebSocket Connection Close [^|]*")
"""What Wireshark itself writes beside it."""
SKIPPED = re.compile(r"\[\d+ bytes: [^]]*\]")
"""Bytes that are no frame: events of ours, with rows of their own."""
NUMBER = re.compile(r"#(\d+)")
"""A frame, in what is told of pieces."""
MARK = re.compile(r" \[[EW]\] ")
"""Begins a problem."""


NO_FRAMES = {ProblemCode.LENGTH, ProblemCode.FOREIGN}
"""Problems of what is no frame: skipped there, or left to Wireshark's own dissectors."""

LONGEST = 4095
"""Bytes of a column that Wireshark keeps."""
CUT = "..."
"""Stands for the part of a column in which it was cut."""


class Line(NamedTuple):
    """What we say of one frame."""

    text: str
    problems: bool
    """Whether something is wrong with it."""
    packed: bool
    """Whether something in it is packed by a codec that this Wireshark lacks."""


def lines(capture: Path, protocol: Protocol) -> dict[int, list[Line]]:
    """Packet to the lines of the frames that it completes, up to the first gap of its direction."""
    session = Session([str(capture)])
    # What formats find is said by plugins of their own, which are not here.
    layers = PayloadReaders(
        each for each in session.layers.readers if isinstance(each, EmbeddedRecord)
    )
    shown = TextRows(Clock("r"), Palette(enabled=False), layers=layers, strict=True)
    own = {protocol.wire.id, *(OUTER if protocol.wire.within else ())}
    gaps: dict[tuple[int, int], int] = {}
    out: dict[int, list[Line]] = defaultdict(list)
    packets: dict[int, int] = {}
    lacking = CODECS - set(codecs())
    for row in session.rows():
        way = row.connection.flow.number, row.side
        if isinstance(row, FrameRow):
            packets[row.number] = row.packet
        if isinstance(row, EventRow) and row.name == "gap":
            gaps.setdefault(way, row.packet)
        is_ours = isinstance(row, FrameRow) and row.connection.wire.id in own
        if not is_ours or way in gaps or BUILT_IN & set(row.connection.flow.ports):
            continue
        assert isinstance(row, FrameRow)
        if row.decoder is None and NO_FRAMES & {each.code for each in row.problems}:
            continue
        told = shown.frame(row)
        if row.whole is not None:  # frames have the numbers of their packets there
            whole = sentence(row) or ""
            told = told.replace(whole, NUMBER.sub(lambda each: f"#{packets[int(each[1])]}", whole))
        odd = bool(row.problems or problems_inside(layers, row))
        out[row.packet].append(Line(told, odd, is_packed(row, lacking)))
    return out


def is_packed(row: FrameRow, lacking: frozenset[str]) -> bool:
    """Whether a frame has bytes that some codecs have packed."""
    inside = cells(row.decoder.tree, row.values, row.agreed) if row.decoder else ()
    return any(each.packed in lacking for each in inside)


def columns(capture: Path, plugins: list[Path], *arguments: str) -> dict[int, list[str]]:
    """Packet to the parts of its Info column, those left out that Wireshark itself writes."""
    output = tshark(capture, plugins, *arguments)
    if "json" in arguments:
        rows = (list(each["_source"]["layers"].values()) for each in json.loads(output or "[]"))
        found = [(row[0][0], row[1][0]) for row in rows]
    else:
        lines_of = (LISTED.match(line) for line in output.splitlines())
        found = [(each[1], each[2]) for each in lines_of if each]
    return {int(number): list(parts_of(text)) for number, text in found}


def parts_of(text: str) -> Iterator[str]:
    """The parts of a column, `CUT` for what Wireshark has cut off at its end."""
    *whole, last = OTHERS.sub("", text).split(BETWEEN)
    for part in (*whole, CUT if len(text.encode()) >= LONGEST else last):
        if part and not SKIPPED.fullmatch(part):
            yield part


def differences(
    ours: dict[int, list[Line]], theirs: dict[int, list[str]], *, closely: bool
) -> Iterator[str]:
    """Sentences about packets whose columns say something else."""
    for packet, own in ours.items():
        expected = BETWEEN.join(each.text for each in own).split(BETWEEN)
        found = theirs.get(packet, [])
        if len(expected) == len(own):  # no text has the separator in it
            expected = [compared(each, each.text, closely=closely) for each in own]
            parts = [compared(*each, closely=closely) for each in zip(own, found, strict=False)]
            found = parts + found[len(own) :]
        if found[-1:] == [CUT]:
            expected = [*expected[: len(found) - 1], CUT]
        if expected != found:
            yield f"packet {packet}: {expected}, theirs {found}"


def compared(line: Line, text: str, *, closely: bool) -> str:
    """What is compared of a line: who reads frames only so far as it needs finds no problem."""
    if line.problems and not closely:
        return ""
    return MARK.split(text)[0] if line.packed else text


def differences_of(file: Path, name: str, ways: int = 3) -> tuple[int, list[str]]:
    """Return how many lines of a file were compared, and what differs.

    The first way asks for fields beside the column; the others draw the list once, and twice.
    """
    shorts = [PROTOCOLS[each.stem].wire.short for each in plugin(name)]
    problems = (part for short in shorts for part in ("-e", f"{short}.problem"))
    fields = ("-T", "json", "-e", "frame.number", "-e", "_ws.col.Info", *problems)
    filters = ("-Y", " or ".join(shorts))
    every = (
        ((*fields, *filters, "-2"), True),
        (("-o", COLUMNS), False),
        (("-o", COLUMNS, "-2"), False),
    )
    ours, found = lines(file, PROTOCOLS[name]), []
    for arguments, closely in every[:ways]:
        theirs = columns(file, plugin(name), *arguments)
        found += [f"{arguments}: {each}" for each in differences(ours, theirs, closely=closely)]
    return sum(map(len, ours.values())), found


def listed(captures: Iterable[Path]) -> list[Path]:
    """Return the captures whose columns are all ours: Wireshark writes those of unknown frames."""
    return [each for each in captures if each.parent.name not in UNKNOWN_FIRST]


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "lines"))
def test_the_column_says_what_read_says(name: str, tmp_path: Path) -> None:
    """Where fields are asked for beside it; some also drawn once as a list, and in two passes."""
    compared_lines = 0
    files = traffic.joined(listed(traffic.captures(name)), tmp_path)
    for file in files:
        drawn = traffic.THOROUGH or files.index(file) > 0
        count, told = differences_of(file, name, 3 if drawn else 1)
        assert told == [], (file, told[:5])
        compared_lines += count
    assert compared_lines > LEAST.get(name, 0) // (1 if traffic.THOROUGH else 8)
