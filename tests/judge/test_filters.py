"""A filter on any field finds the frames that have it, though they are only read when asked."""

import subprocess
from pathlib import Path

import pytest
from tests.judge import traffic
from tests.judge.judging import BUILT_IN, Ear, Reading, records_of, tshark
from tests.judge.test_captures import PROTOCOLS, plugin

from streamshark.analysis import Analysis
from streamshark.dissection.row import FrameRow
from streamshark.session import Session

EACH = 5 if traffic.THOROUGH else 400
"""One in so many fields is a filter by itself; the others are asked for together."""
MOST = 48 * 1024
"""Bytes of the captures that are filtered: one run of tshark for each field."""

LENGTH = {"rsocket": "rsocket.head.length"}
"""By protocol, the length that plugins also show where a carrier allows none before a frame."""


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "filters"))
def test_one_filter_per_field_finds_the_same_packets(name: str, tmp_path: Path) -> None:
    """One filter per field finds the same packets."""
    protocol = PROTOCOLS[name]
    chosen: dict[str, Path] = {}  # a capture for each field: the first that has it
    for path in traffic.captures(name):
        if not traffic.is_whole(path) or traffic.is_tls(path) or path.stat().st_size > MOST:
            continue
        for field in fields_in(path, name, alone=True):
            chosen.setdefault(field, path)
    records = records_of(protocol)
    wanted = {field: path for field, path in chosen.items() if field not in records}
    file = tmp_path / "some.pcapng"
    some = sorted(set(wanted.values()))
    subprocess.run(["mergecap", "-a", "-w", str(file), *map(str, some)], check=True)
    expected = fields_in(file, name)
    # All in one run: each filter is a column that says whether the packet has the field.
    columns = [part for field in sorted(wanted) for part in ("-e", field)]
    output = tshark(file, plugin(name), "-T", "fields", "-e", "frame.number", *columns)
    shown: dict[str, set[int]] = {field: set() for field in wanted}
    for line in output.splitlines():
        number, *values = line.split("\t")
        for field, text in zip(sorted(wanted), values, strict=True):
            if text:
                shown[field].add(int(number))
    for index, field in enumerate(sorted(wanted)):
        assert shown[field] <= expected[field], field
        if index % EACH == 0:  # every filter would take minutes
            told = tshark(file, plugin(name), "-Y", field, "-T", "tabs").splitlines()
            assert {int(line.split("\t")[0]) for line in told if line.strip()} == expected[field], (
                field
            )


@pytest.mark.parametrize(
    ("scenario", "text", "packets"),
    [
        ("starts_mid_connection_py", "rsocket.metadata_push.metadata contains 70", []),
        ("starts_mid_connection_py", "rsocket.metadata_push.metadata", [30]),
        ("bug_type_unknown", "rsocket.correlation_id == 3", [10]),
    ],
)
def test_masked_fields_and_unknown_frames_are_found(
    scenario: str, text: str, packets: list[int]
) -> None:
    """Masked bytes have no value; a head has the id of a frame whose type does not exist."""
    capture = traffic.CAPTURES / "rsocket" / scenario / "traffic.pcapng"
    shown = tshark(capture, plugin("rsocket"), "-Y", text, "-T", "fields", "-e", "frame.number")
    assert list(map(int, shown.split())) == packets


def fields_in(path: Path, name: str, *, alone: bool = False) -> dict[str, set[int]]:
    """Field to the packets that complete a frame with it.

    What only a conversation knows is left out if each frame is taken `alone`.
    """
    session = Session([str(path)])
    reading, ear = Reading(PROTOCOLS[name], session.layers), Ear(PROTOCOLS[name])
    found: dict[str, set[int]] = {}
    for row in session.rows() if alone else Analysis(session, ear).rows():
        if isinstance(row, FrameRow) and row.connection.wire.id == name:
            if BUILT_IN & set(row.connection.flow.ports):
                continue
            seen = reading.row(row)
            if seen:  # a conversation may know the value of a field that spans commands
                seen.conversation = None if alone else ear.conversation(row)
                reading.known(row, seen)
            for field in (*(seen.values if seen else ()), *out_of_place(row, name)):
                found.setdefault(field, set()).add(row.packet)
        if isinstance(row, FrameRow):  # messages of calls may have fields that span commands
            for message in reading.messages(row):
                for field in message.values:
                    if field.count(".") == 1:
                        found.setdefault(field, set()).add(row.packet)
    return found


def out_of_place(row: FrameRow, name: str) -> list[str]:
    """Return the length before a frame whose carrier allows none."""
    return [LENGTH[name] for each in row.problems if "precedes the frame" in each.message]
