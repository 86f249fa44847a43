"""Parts of connections as a capture with TCP of its own."""

from io import BytesIO

from tests.builders import Conversation, pcap
from tests.cli.console import PARROT
from tests.madeup import parrot_traffic

from streamshark.capture import open_capture
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.protocols.catalog import catalog
from streamshark.session import Session
from streamshark.sharing.recorded_streams import RecordedFlow, StreamRecorder
from streamshark.sharing.rewritten_capture import RewrittenCapture, endpoint, rewritten

SECOND = 1_000_000_000
PORT = (11).to_bytes(2)
"""The client's port of a connection of which one side was captured."""


def opened(data: bytes) -> Session:
    """Return a session of a capture with Parrot Talk."""
    session = Session((), protocols=catalog([PARROT[1]]))
    session.captures.append(open_capture(BytesIO(data)))
    return session


def recorded(data: bytes) -> tuple[list[Row], list[RecordedFlow]]:
    """Return rows and connections of a capture."""
    with opened(data) as session:
        recorder = StreamRecorder(session.dissector)
        rows = []
        for row in session.rows():
            recorder.row(row)
            rows.append(row)
        return rows, recorder.flows()


def again(data: bytes) -> RewrittenCapture:
    """Write all of a capture anew."""
    _, flows = recorded(data)
    parts = sorted((part for each in flows for part in each.parts), key=lambda part: part.order)
    return rewritten(flows, parts)


def shown(rows: list[Row]) -> list[object]:
    """Return rows without the numbers of packets; those of one time in order of their names."""
    ordered = sorted(rows, key=lambda row: (row.time_ns, row.name or ""))
    return [
        (row.time_ns, row.connection.flow.number, row.addresses, row.name,
         row.data if isinstance(row, FrameRow) else row.fields if isinstance(row, EventRow) else 0)
        for row in ordered
    ]  # fmt: skip


def talk(port: int, address: str = "10.0.0.1") -> Conversation:
    """A connection that logs in, talks, and ends."""
    server = "fd00::2" if ":" in address else "10.0.0.2"
    made = Conversation((address, port), (server, 7777)).handshake()
    made.send(0, parrot_traffic.login()).send(0, parrot_traffic.say(number=1))
    made.send(1, parrot_traffic.said(1))
    return made.finish(0).finish(1)


def captures() -> dict[str, bytes]:
    """Return connections that begin and end in all ways."""
    lost, late, reset = talk(1), talk(2), talk(4)
    del lost.packets[4]
    del late.packets[:3]
    reset.packets = reset.packets[:6]
    reset.reset(1)
    again = Conversation(("10.0.0.1", 7), ("10.0.0.2", 7777), sequences=(5, 6))
    again.time_ns = talk(7).time_ns + SECOND
    again.handshake().send(0, parrot_traffic.login()).finish(0)
    stalled = talk(8)
    stalled.packets = stalled.packets[:6]
    stalled.raw(0, stalled.next[0], window=0)
    answer, one_side = talk(10), talk(11)
    del answer.packets[0]
    one_side.packets = [each for each in one_side.packets if each.data[34:36] == PORT]
    failed = Conversation(("10.0.0.1", 6), ("10.0.0.2", 7777))
    silent = Conversation(("10.0.0.1", 5), ("10.0.0.2", 7777))
    return {
        "whole": pcap(talk(3).packets),
        "IPv6": pcap(talk(3, "fd00::1").packets),
        "lost bytes": pcap(lost.packets),
        "a late start": pcap(late.packets),
        "a reset": pcap(reset.packets),
        "a port used again": pcap([*talk(7).packets, *again.packets]),
        "a closed window": pcap(stalled.packets),
        "an answer without a SYN": pcap(answer.packets),
        "one side": pcap(one_side.packets),
        "refused": pcap([*talk(9).packets, *failed.refused().packets]),
        "unanswered": pcap([*talk(9).packets, *silent.unanswered(SECOND, SECOND).packets]),
    }


def test_rows_are_the_same() -> None:
    """What a capture shows is shown by the one that is written, at the same times."""
    for name, data in captures().items():
        rows, _ = recorded(data)
        assert rows, name
        made = again(data)
        found, flows = recorded(made.data)
        assert shown(found) == shown(rows), name
        before = recorded(data)[1]
        assert _known(flows) == _known(before), name
        stalls = sum(side.zero_windows for each in flows for side in each.flow.trouble)
        assert stalls == (name == "a closed window")


def _known(flows: list[RecordedFlow]) -> list[object]:
    """Return what TCP shows of connections."""
    return [(each.flow.client, each.client, each.opened and each.opened.side) for each in flows]


def test_origins() -> None:
    """Every byte of the written capture is known by the part that it comes from."""
    data = captures()["whole"]
    made = again(data)
    rows, _ = recorded(made.data)
    frames = [row for row in rows if isinstance(row, FrameRow)]
    assert len(frames) == 3
    for row in frames:
        part = made.origins.part(0, row.addresses[0], row.offset)
        assert part is not None
        assert part.data == row.data
    assert made.origins.part(9, frames[0].addresses[0], 0) is None
    assert made.origins.part(0, "10.0.0.9:1", 0) is None


def test_endpoints() -> None:
    """Addresses of both versions of IP."""
    assert endpoint("10.0.0.1:80") == ("10.0.0.1", 80)
    assert endpoint("[fd00::1]:80") == ("fd00::1", 80)
