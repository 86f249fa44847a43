"""What is odd about descriptions of services, metadata of objects, and traces."""

from tests.failures import every

from streamshark.protocols.nats.store_predicates import (
    is_odd_description,
    is_odd_object,
    is_odd_trace,
)

ANSWER = '{"name":"tax","id":"A","version":"1.0.0","type":"io.nats.micro.v1.%s_response"}'
TRACE = f"{'a1' * 16}-{'b2' * 8}-01"


@every(
    ("payload", "asked", "found"),
    [
        (ANSWER % "ping", "$SRV.PING", ""),
        (ANSWER % "stats", "$SRV.STATS.tax.A", ""),
        (ANSWER % "ping", "$SRV.INFO",
         'its type is "io.nats.micro.v1.ping_response", not io.nats.micro.v1.info_response'),
        ("pong", "$SRV.PING", "it is not a JSON object"),
        ("", "$SRV.PING", "it is not a JSON object"),
        ('{"name":"tax","id":1,"version":"1"}', "$SRV.PING", "it has no id"),
        (ANSWER.replace("tax", "t x") % "ping", "$SRV.PING",
         'the name "t x" has other characters than A-Z, a-z, 0-9, - and _'),
        (ANSWER.replace("1.0.0", "v1") % "ping", "$SRV.PING",
         'the version "v1" is no semantic version'),
    ],
)  # fmt: skip
def test_a_description_of_a_service(payload: str, asked: str, found: str) -> None:
    """What tools need of it."""
    assert is_odd_description({"payload": payload.encode(), "served.asked": asked}) == found


@every(
    ("subject", "payload", "odd"),
    [
        ("$O.b.M.YQ==", '{"name":"a","bucket":"b"}', False),
        ("$O.b.M.YQ", '{"name":"a"}', True),
        ("$O.b.M.a", '{"name":"a"}', True),
        ("$O.b.M.fn9-", '{"name":"~\\u007f~"}', False),
        ("$O.b.M.fn9+", '{"name":"~\\u007f~"}', True),
        ("$O.b.M.YQ==", '{"name":"b"}', True),
        ("$O.b.M.YQ==", '{"name":"a","bucket":"c"}', True),
        ("$O.b.M.YQ==", '{"name":"a","digest":"SHA-256=%s"}' % ("A" * 43), False),
        ("$O.b.M.YQ==", '{"name":"a","digest":"%s"}' % ("A" * 43), True),
        ("$O.b.M.YQ==", '{"name":"a","digest":"SHA-256=%s+"}' % ("A" * 42), True),
        ("$O.b.M.YQ==", "[]", False),
        ("$O.b.M", "{}", False),
    ],
)
def test_metadata_of_an_object(subject: str, payload: str, odd: bool) -> None:  # noqa: FBT001 - of a table
    """Name, bucket and digest."""
    found = is_odd_object({"subject": subject, "payload": payload.encode()})
    assert bool(found) is odd, found


@every(
    ("value", "odd"),
    [
        (f"00-{TRACE}", False), (f"01-{TRACE}-more", False), (f"00-{TRACE}-more", True),
        (f"ff-{TRACE}", True), (TRACE, True), ("", True), (f"00-{TRACE}".upper(), True),
    ],
)  # fmt: skip
def test_a_trace(value: str, odd: bool) -> None:  # noqa: FBT001 - of a table
    """Its parts, in lower case."""
    row = {"headers": [{"key": "traceparent", "value": value}]}
    assert bool(is_odd_trace(row)) is odd
    assert is_odd_trace({"headers": None}) == ""
