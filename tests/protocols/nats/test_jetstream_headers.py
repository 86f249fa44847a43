"""Headers of JetStream."""

from tests.failures import every

from streamshark.protocols.nats.jetstream_headers import has_odd_header


@every(
    ("key", "value", "odd"),
    [
        ("Nats-Msg-Id", "7", ""),
        ("nats-msg-id", "7", "nats-msg-id, which is read only as Nats-Msg-Id"),
        ("Nats-Msg-ID", "7", "Nats-Msg-ID, which is read only as Nats-Msg-Id"),
        ("NatsMsgId", "7", "NatsMsgId, which is read only as Nats-Msg-Id"),
        ("Kv-Operation", "DEL", "Kv-Operation, which is read only as KV-Operation"),
        ("Msg-Id", "7", ""),
        ("Nats-Trace-Dest", "a", ""),
        ("Nats-Expected-Last-Sequence", "7", ""),
        ("Nats-Expected-Last-Sequence", "x",
         'Nats-Expected-Last-Sequence with "x", which is no sequence'),
        ("Nats-Rollup", "all", ""),
        ("Nats-Rollup", "true", 'Nats-Rollup with "true", which is neither sub nor all'),
        ("Nats-TTL", "60", ""),
        ("Nats-TTL", "5m", ""),
        ("Nats-TTL", "60000000000", "Nats-TTL with 60000000000, which are seconds"),
    ],
)  # fmt: skip
def test_an_odd_header(key: str, value: str, odd: str) -> None:
    """Misspelt, or with a value that it cannot have."""
    row = {"headers": [{"key": "Trace", "value": ""}, {"key": key, "value": value}]}
    assert has_odd_header(row) == odd


def test_no_headers() -> None:
    """Without headers nothing is odd."""
    assert has_odd_header({"headers": None}) == ""
