"""Numbers that are points in time have a field with the time."""

from tests.failures import Failures
from tests.fields.known import all_fields, seen

from streamshark.fields.times import LAST, SCALES, time_ns

MS = SCALES["ms"]


def test_numbers_that_state_no_time() -> None:
    """Zero, negative numbers and times after the year 9999 are no times."""
    assert time_ns(1, MS) == MS
    assert time_ns(LAST // MS - 1, MS) == LAST - MS
    assert [time_ns(each, MS) for each in (0, -1, LAST // MS, None)] == [None] * 4


def test_the_time_beside_the_number() -> None:
    """Of a member of a frame, and of one of an embedded record inside another protocol's frame."""
    expected = {
        ("rabbitmq_stream/offset_tracking", "rmqstream.deliver.chunk.timestamp", MS),
        ("liftbridge/plain_go", "liftbridge.ack.commit_timestamp", 1),
        ("liftbridge/plain_go", "liftbridge.message.timestamp", 1),
    }
    with Failures() as failures:
        for capture, name, factor in expected:
            with failures.of(name):
                numbers, times = seen(capture, name), seen(capture, f"{name}.time")
                assert numbers
                assert times == {
                    command: {each * factor for each in values if isinstance(each, int)}
                    for command, values in numbers.items()
                }


def test_every_time_has_its_number() -> None:
    """The registry has them in pairs, with the type of a time."""
    for protocol in all_fields().protocols.values():
        own = {each.name: each for each in protocol.all()}
        timed = {f"{name}.time" for name, each in own.items() if each.facts.has_role("time")}
        assert timed == {name for name, each in own.items() if each.type.kind == "time"}
