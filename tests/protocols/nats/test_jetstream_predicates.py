"""What bodies of JetStream hold: durations in another unit, acks that are not known."""

import re

from streamshark.protocols.nats.jetstream_predicates import (
    DURATIONS,
    has_odd_duration,
    is_unknown_ack,
)


def test_every_duration_is_searched() -> None:
    """Below a millisecond, or as text; not one in nanoseconds, nor 0."""
    for name in DURATIONS:
        assert has_odd_duration({"payload": b'{"%s":5}' % name.encode()}) == f"{name} is 5 ns"
        assert has_odd_duration({"payload": b'{"%s": 5000000000}' % name.encode()}) == ""
        assert has_odd_duration({"payload": b'{"%s":0,"a":5}' % name.encode()}) == ""
        text = has_odd_duration({"payload": b'{"%s":"5s"}' % name.encode()})
        assert text == f"{name} is the text '5s'"


def test_the_delay_of_a_rejection() -> None:
    """JSON or a duration with its unit, as servers read them."""
    for right in (b"-NAK", b"-NAK 5s", b"-NAK 1m30s", b"-NAK 1.5h", b'-NAK {"delay": 5000000000}'):
        assert has_odd_duration({"payload": right}) == ""
    assert has_odd_duration({"payload": b"-NAK 5000"}) == "the delay 5000 without a unit"
    assert has_odd_duration({"payload": b"-NAK " + b"1" * 10_000_000})


def test_no_time_is_wasted_on_hostile_bodies() -> None:
    """A body without an end is searched once, up to a limit."""
    body = b'{"backoff":[' + b"1" * 10_000_000
    assert has_odd_duration({"payload": body}) == ""


def test_acks() -> None:
    """As the server compares them: some as a whole, some by their beginning."""
    for known in (b"", b"+ACK", b"+OK", b"+WPI", b"+NXT", b"-NAK {}", b"+TERM why", b"{}"):
        assert is_unknown_ack({"payload": known}) == ""
    for unknown in (b"ACK", b"+ACK ", b"+WPI 5", b"+ack", b"\xff" * 100):
        assert re.fullmatch(r"['\"].{1,20}['\"]", is_unknown_ack({"payload": unknown}))
