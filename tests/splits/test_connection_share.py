"""Shares of the connections make together the rows of a session."""

from collections import deque
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from tests.builders import ETHERNET, START_NS, STEP_NS, Conversation, ethernet, pcap, raw_ip
from tests.failures import every
from tests.madeup import parrot_traffic
from tests.recorded.index import ROOT

from streamshark.capture import merge, open_capture
from streamshark.capture.merge import merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.row import Row
from streamshark.dissector import KnownProtocols
from streamshark.session import Session
from streamshark.splits.connection_share import (
    ALL,
    MOST,
    DependentError,
    Load,
    PacketShares,
    ShareReader,
)

CAPTURES = {
    name: str(next((ROOT / "captures" / name).glob("traffic.*")))
    for name in ("rabbitmq_stream/load_four_streams", "nats/basics_go", "pravega/events_java",
                 "rsocket/bug_keepalive_unanswered_by_server")
    if (ROOT / "captures" / name).exists()
}  # fmt: skip
KNOWN = KnownProtocols.of()
BLOCK = 3
"""Batches that are read before other shares skip connections."""
RAW_IP = 101
"""LINKTYPE_RAW."""


def told(row: Row) -> tuple[object, ...]:
    """What is compared of a row."""
    return (*row.order, row.sender, row.addresses, tuple(row.packets), type(row).__name__)


def batches(path: str) -> list[PacketBatch]:
    """Return the packets of a capture."""
    return [batch for batch, _ in steady(merged([open_capture(path)], None))]


def shared(
    path: str, shares: int, *, known: KnownProtocols = KNOWN, late: int = 0
) -> list[list[Row]]:
    """Return the rows of each share; it skips the packets of others `late` blocks late."""
    readers = [ShareReader(known, share, shares) for share in range(shares)]
    packets = PacketShares()
    found: list[list[Row]] = [[] for _ in readers]
    settled: deque[list[list[bytes]]] = deque()
    given = batches(path)
    for block in range(0, len(given), BLOCK):
        for batch in given[block : block + BLOCK]:
            of = packets.of(batch, block)
            for each in readers:
                found[each.share] += each.feed(batch, of)
        settled.append([each.take_settled() for each in readers])
        if len(settled) > late:
            for share, keys in enumerate(settled.popleft()):
                packets.settle(keys, share, block - late * BLOCK)
    end = max(row.order[:3] for rows in found for row in rows)
    return [rows + each.finish(end) for rows, each in zip(found, readers, strict=True)]


@every("name", CAPTURES)
def test_shares_are_a_session(name: str) -> None:
    """Each row is of the share of its flow's number."""
    parts = shared(CAPTURES[name], 3)
    wanted = [told(row) for row in Session([CAPTURES[name]]).rows()]

    assert sorted(told(row) for rows in parts for row in rows) == sorted(wanted)
    for share, rows in enumerate(parts):
        assert {row.connection.flow.number % 3 for row in rows} <= {share}


def test_a_share_knows_what_one_process_must_read() -> None:
    """Sessions that are resumed depend on other connections."""
    path = next((ROOT / "captures" / "rsocket/resume_go").glob("traffic.*"))
    with pytest.raises(DependentError, match="depend on other"):
        shared(str(path), 2)


def test_loads_are_compared_by_part() -> None:
    """Each limit has its sum."""
    reader = ShareReader(KNOWN, 0, 2)
    assert reader.load() == Load()
    for each in batches(next(iter(CAPTURES.values()))):
        reader.feed(each, [ALL] * len(each))
    assert all(part <= most for part, most in zip(reader.load(), MOST, strict=True))
    assert reader.report().is_spoken


def reused(link: Callable[[bytes, int], bytes], hosts: tuple[str, str]) -> list[Conversation]:
    """Return connections at the same time, and others later between the same ports."""
    found = []
    for at, port in product(range(3), (40_000, 40_001)):
        talk = Conversation(
            (hosts[0], port),
            (hosts[1], 7777),
            sequences=(1000 + 70_000 * at, 9000),
            start_ns=START_NS + STEP_NS * (at * 12 + port % 7),
            link=link,
        ).handshake()
        for count in range(at + 1):
            talk.send(0, parrot_traffic.login()).send(1, parrot_traffic.said(count))
        found.append(talk.finish(0).finish(1) if port % 2 else talk)
    return found


@every(
    ("link", "hosts", "late", "size"),
    [
        (link, hosts, late, size)
        for link, hosts in (
            (ethernet, ("10.0.0.1", "10.0.0.2")),
            (ethernet, ("fd00::1", "fd00::2")),
            (raw_ip, ("10.0.0.1", "10.0.0.2")),
        )
        for late, size in product((0, 1, 2), (1, 4, 7))
    ],
)
def test_a_connection_on_the_ports_of_another_has_its_own_share(
    link: Callable[[bytes, int], bytes],
    hosts: tuple[str, str],
    late: int,
    size: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However late it is known which share the other one was of, and however long a block is."""
    monkeypatch.setattr(merge, "MOST_PACKETS", size)
    packets = sorted(each for one in reused(link, hosts) for each in one.packets)
    path = tmp_path / "reused.pcap"
    path.write_bytes(pcap(packets, link=RAW_IP if link is raw_ip else ETHERNET))
    known = KnownProtocols.of((parrot_traffic.PROTOCOL,))
    parts = shared(str(path), 3, known=known, late=late)
    wanted = [told(row) for row in parrot_traffic.session(str(path)).rows()]

    assert sorted(told(row) for rows in parts for row in rows) == sorted(wanted)
    assert len({row.connection.flow.number for rows in parts for row in rows}) == 6
    assert all(parts)
