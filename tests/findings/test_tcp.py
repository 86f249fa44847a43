"""Findings of TCP alone."""

from streamshark.findings.tcp import Unread, unread


def connection(flow: int, server: str, *, ours: bool) -> Unread:
    """One that was not read."""
    return Unread(flow, server, 100 + flow, 10 * flow, 0, "TLS" if ours else None, ours)


def test_many_connections_are_few_findings() -> None:
    """One for each endpoint of ours and one for the rest; one for all where nothing was read."""
    given = [connection(each, f"10.0.0.2:{each % 50}", ours=each % 50 < 2) for each in range(5000)]
    beside = unread(given, alone=False)
    alone = unread(given, alone=True)

    assert [(each.severity, each.count) for each in beside] == [
        ("warning", 100),
        ("warning", 100),
        ("chat", 4800),
    ]
    assert [(each.severity, each.count, each.flow) for each in alone] == [("warning", 5000, 4999)]
    assert len(alone[0].packets) == 64
    assert alone[0].packets[0] == 49990
    assert unread([], alone=True) == []
