"""Connections that have ended are retired: rows do not change, and memory does not grow."""

import gc
import weakref
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import Conversation, Packet
from tests.test_session import session, talk, told

from streamshark.dissection.row import FrameRow
from streamshark.session import Session


def visitors(count: int, end: str = "finish") -> list[Packet]:
    """Return connections one after the other that use a few ports repeatedly."""
    packets: list[Packet] = []
    for number in range(count):
        start_ns = 1_700_000_000_000_000_000 + number * 1_000_000_000
        made = talk(40_000 + number % 7, start_ns, number << 16)
        again = made.packets[-1]
        if end == "finish":
            made.finish(0).finish(1).acknowledge(0)
        elif end == "reset":
            made.reset(1)
        packets += [*made.packets, again._replace(time_ns=made.time_ns)]
    return packets


@pytest.mark.parametrize("end", ["finish", "reset", "silence"])
def test_connections_that_were_let_go_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Rows, numbers and sums stay the same, also with late duplicates and reused ports."""
    packets = visitors(30, end)
    whole = session(tmp_path, packets)
    rows = told(list(whole.rows()))
    monkeypatch.setattr("streamshark.retirement.MOST_OVER", 2)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)
    frugal = session(tmp_path, packets)

    assert told(list(frugal.rows())) == rows
    assert frugal.dissector.totals() == whole.dissector.totals()
    assert frugal.dissector.spoken == whole.dissector.spoken == {("parcels", None): 30}
    assert frugal.dissector.recognised == whole.dissector.recognised == list(range(30))
    assert list(frugal.dissector.tracker.flows) == list(whole.dissector.tracker.flows)
    assert [frugal.dissector.client(number) for number in range(30)] == [0] * 30
    assert len(frugal.dissector.connections) < 10 < len(whole.dissector.connections)


def kept_of(packets: list[Packet], folder: Path, read: Callable[[Session], object]) -> Counter[str]:
    """Return the number of objects of each of our classes after packets were read."""
    reading = session(folder, packets)
    seen = read(reading)
    gc.collect()
    kinds = [type(each) for each in gc.get_objects()]
    assert seen is not None
    ours = (each for each in kinds if str(each.__module__).startswith("streamshark"))
    return Counter(each.__qualname__ for each in ours)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["finish", "reset", "silence"])
@pytest.mark.parametrize("judged", [False, True])
def test_what_is_kept_does_not_grow_with_the_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, *, judged: bool
) -> None:
    """There are as many objects after fifty connections as after twenty."""
    monkeypatch.setattr("streamshark.retirement.MOST_OVER", 2)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)

    def read(reading: Session) -> object:
        if not judged:
            deque(reading.rows(), maxlen=0)
            return reading
        analysis = reading.analysis(rules=True, conversations=True)
        for _ in analysis.batches(lambda _row: None):
            analysis.ended(), analysis.findings()
        return analysis

    few = kept_of(visitors(20, end), tmp_path, read)
    many = kept_of(visitors(50, end), tmp_path, read)

    assert few["Flow"] > 0
    assert {kind: count for kind, count in many.items() if count > few[kind] + 9} == {}


def test_ended_connections_are_given_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No object of an ended connection is in a cycle, so nothing waits for the collector."""
    monkeypatch.setattr("streamshark.retirement.MOST_OVER", 0)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 4096)
    reading = session(tmp_path, visitors(60))
    analysis = reading.analysis(rules=True)
    gc.collect()
    gc.disable()
    try:
        known = [
            weakref.ref(rows[0].connection) for rows in analysis.batches(lambda _row: None) if rows
        ]
    finally:
        gc.enable()

    assert len(known) > 5
    assert len({id(each()) for each in known if each() is not None}) < 3


def test_foreign_connections_that_were_let_go_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are listed up to a limit; the others are counted."""
    monkeypatch.setattr("streamshark.retirement.MOST_OVER", 1)
    monkeypatch.setattr("streamshark.retirement.MOST_FOREIGN", 3)
    monkeypatch.setattr("streamshark.capture.merge.WINDOW", 1024)
    packets = []
    for number in range(9):
        made = Conversation(
            ("10.0.0.1", 2000 + number), ("10.0.0.2", 80), start_ns=(1 + number) * 10**9
        )
        packets += made.handshake().send(0, b"GET / HTTP/1.1\r\n" * 9).reset(1).packets
    reading = session(tmp_path, packets)

    assert [row for row in reading.rows() if isinstance(row, FrameRow)] == []
    assert [each.flow for each in reading.dissector.unrecognised][:3] == [0, 1, 2]
    assert all(each.payload == 144 for each in reading.dissector.unrecognised)
    told = 9 - len(reading.dissector.unrecognised)
    assert told > 0
    assert reading.dissector.notes == [f"{told} more unrecognised connections are not listed"]
    assert reading.dissector.spoken == {}
