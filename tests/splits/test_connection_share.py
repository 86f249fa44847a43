"""Shares of the connections make together the rows of a session."""

import pytest
from tests.failures import every
from tests.recorded.index import ROOT

from streamshark.dissection.row import Row
from streamshark.dissector import KnownProtocols
from streamshark.session import Session
from streamshark.splits.connection_share import MOST, DependentError, Load, ShareReader

CAPTURES = {
    name: str(next((ROOT / "captures" / name).glob("traffic.*")))
    for name in ("rabbitmq_stream/load_four_streams", "nats/basics_go", "pravega/events_java",
                 "rsocket/bug_keepalive_unanswered_by_server")
    if (ROOT / "captures" / name).exists()
}  # fmt: skip
KNOWN = KnownProtocols.of()


def told(row: Row) -> tuple[object, ...]:
    """What is compared of a row."""
    return (*row.order, row.sender, row.addresses, tuple(row.packets), type(row).__name__)


def shared(path: str, shares: int) -> list[list[Row]]:
    """Return the rows of each share."""
    readers = [ShareReader(KNOWN, [path], share, shares) for share in range(shares)]
    try:
        found = [[row for rows, _ in each.windows() for row in rows] for each in readers]
    finally:
        for each in readers:
            each.close()
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
    """Sessions that are resumed, TLS with keys, servers that only others name."""
    wanted = {"rsocket/resume_go": "depend on other", "rabbitmq_stream/tls_with_secrets": "TLS"}
    for name, why in wanted.items():
        found = list((ROOT / "captures" / name).glob("traffic.*"))
        if not found:
            continue
        with pytest.raises(DependentError, match=why):
            shared(str(found[0]), 2)


def test_loads_are_compared_by_part() -> None:
    """Each limit has its sum."""
    reader = ShareReader(KNOWN, [next(iter(CAPTURES.values()))], 0, 2)
    assert reader.load() == Load()
    for _ in reader.windows():
        pass
    assert all(part <= most for part, most in zip(reader.load(), MOST, strict=True))
    assert reader.report().is_spoken
