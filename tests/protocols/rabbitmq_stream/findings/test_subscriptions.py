"""Rules for credit."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SERVER,
    Talk,
    accused,
    findings,
    number,
    text,
)

from streamshark.findings.rule import family


def granted(folder: Path, first: float, then: float) -> list[str]:
    """Rules that speak of a subscription whose credit is raised by little, then by more.

    Args:
        folder: Where the capture is written.
        first: Seconds from the first raise, which is too small, to the second one.
        then: Seconds from that to the next delivery.
    """
    talk = Talk()
    talk.subscribe("orders", 10)
    for chunk in range(6):
        talk.deliver(chunk)
    talk.say(CLIENT, 9, b"\1" + number(1, 2))
    talk.wait(first).say(CLIENT, 9, b"\1" + number(5, 2))
    talk.wait(then).deliver(6)
    return [each.rule for each in findings(folder, talk.leave()) if family(each.rule) == "RMQ-C3"]


def test_the_broker_holds_back_only_while_credit_is_low(tmp_path: Path) -> None:
    """A chunk that comes long after the credit was full did not wait for it."""
    assert granted(tmp_path, 3, 0.001) == ["RMQ-C3c"]
    assert granted(tmp_path, 0.1, 5) == []
    assert granted(tmp_path, 3, 5) == []


@pytest.mark.parametrize(
    ("again", "expected"), [(True, ("RMQ-C2b", "note")), (False, ("RMQ-C2", "warning"))]
)
def test_a_stream_made_again_holds_nothing_of_the_first(
    tmp_path: Path, *, again: bool, expected: tuple[str, str]
) -> None:
    """C2: credit is gone while data waits, which it does not where the stream was deleted."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s")
    talk.publish(1, 50)
    if again:
        talk.ask(6, b"\1")
        talk.ask(0x0E, text("s"))
        talk.ask(0x0D, text("s") + number(0))
        talk.declare("s")
        talk.publish(1, 2)
    talk.subscribe("s", 1)
    talk.deliver(0, 2)
    talk.wait(5).leave()

    assert accused(tmp_path, talk) == [expected]


@pytest.mark.parametrize(
    ("last", "expected"),
    [(8, []), (50, [("RMQ-C2", "warning")])],
)
def test_a_slow_handler_is_no_fault(
    tmp_path: Path, last: float, expected: list[tuple[str, str]]
) -> None:
    """C2: a pause at the end says something if it is much longer than those before."""
    talk = Talk()
    versions = number(1) + number(8, 2) + number(1, 2) + number(2, 2)
    talk.ask(0x1B, versions, number(1, 2) + versions)
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s")
    talk.publish(1, 9)
    talk.subscribe("s", 1)
    for chunk in range(3):
        talk.deliver(chunk, committed=8)
        talk.wait(4).say(CLIENT, 9, b"\1" + number(1, 2))
    talk.deliver(3, committed=8)
    talk.wait(last).leave()

    slow = [("RMQ-C2c", "note"), ("RMQ-C9", "note")]
    assert sorted(accused(tmp_path, talk)) == sorted(slow + expected)


@pytest.mark.parametrize(
    ("waiting", "credit", "expected"),
    [
        (9, False, [("RMQ-C3", "note")]),
        (2, False, [("RMQ-C3b", "note")]),
        (9, True, []),
    ],
)
def test_a_broker_holds_back_before_credit_is_gone(
    tmp_path: Path, *, waiting: int, credit: bool, expected: list[tuple[str, str]]
) -> None:
    """C3: from half of the first credit down; not where it is renewed."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s")
    talk.publish(1, waiting)
    talk.subscribe("s", 3)
    talk.deliver(0)
    talk.deliver(1)
    if credit:
        talk.say(CLIENT, 9, b"\1" + number(2, 2))
    talk.wait(5).leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(
    ("asks", "beats", "credit", "expected"),
    [
        (0x0C, 2, False, True),
        (0x0C, 1, False, True),
        (0x0C, 0, False, False),
        (0x0C, 2, True, False),
        (0x0F, 2, False, False),
    ],
)
def test_a_handler_that_waits_for_its_own_thread(
    tmp_path: Path, *, asks: int, beats: int, credit: bool, expected: bool
) -> None:
    """C3d: nothing but Heartbeat after Unsubscribe; not where Credit is renewed."""
    talk = Talk()
    talk.ask(7, b"\2" + text("other") + number(1, 2) + number(4, 2))
    talk.subscribe("s", 4)
    for chunk in range(3):
        talk.deliver(chunk)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
    talk.ask(asks, b"\2" if asks == 0x0C else number(1) + text("s"))
    talk.wait(0.5)
    for chunk in range(3, 5):
        talk.deliver(chunk)
        if credit:
            talk.say(CLIENT, 9, b"\1" + number(1, 2))
    for _ in range(beats):
        talk.wait(1).say(CLIENT, 23, b"")
    talk.wait(5)
    if beats == 1:
        talk.made.finish(CLIENT)
    else:
        talk.leave()

    assert (("RMQ-C3d", "note") in accused(tmp_path, talk)) == expected


@pytest.mark.parametrize(("raises", "expected"), [(1, []), (6, [("RMQ-C5", "warning")])])
def test_a_window_raised_once_is_no_growth(
    tmp_path: Path, raises: int, expected: list[tuple[str, str]]
) -> None:
    """C5: credit that grows with each chunk; not a larger window that is kept from then on."""
    talk = Talk()
    talk.subscribe("s", 2)
    for chunk in range(12):
        talk.deliver(chunk)
        talk.say(CLIENT, 9, b"\1" + number(20 if chunk < raises * 2 else 1, 2))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(("credit", "expected"), [(499, []), (500, [("RMQ-C8", "note")])])
def test_a_credit_that_is_no_limit(
    tmp_path: Path, credit: int, expected: list[tuple[str, str]]
) -> None:
    """C8: once for a subscription, also where it is raised."""
    talk = Talk()
    talk.subscribe("s", credit)
    talk.say(CLIENT, 9, b"\1" + number(credit, 2))
    talk.deliver(0)

    assert accused(tmp_path, talk.leave()) == expected


@pytest.mark.parametrize(
    ("written", "handled", "is_slow"),
    [(0.1, 1, True), (1, 2, True), (1, 1, False), (1, 1.3, False)],
)
def test_consumers_that_fall_behind(
    tmp_path: Path, written: float, handled: float, *, is_slow: bool
) -> None:
    """C9: chunks that were written faster than they are handled."""
    talk = Talk()
    talk.subscribe("s", 1)
    for at in range(6):
        talk.deliver(at, time_ms=1_700_000_000_000 + int(at * written * 1000))
        talk.wait(handled).say(CLIENT, 9, b"\1" + number(1, 2))

    assert (("RMQ-C9", "note") in accused(tmp_path, talk.leave())) is is_slow


def subscribed_again(*, unsubscribes: bool, answered: int = 1, credit: bool = False) -> Talk:
    """Subscribe with an id in use: Unsubscribe came before it, whose answer is still on its way."""
    talk = Talk()
    talk.subscribe("s", 10)
    talk.deliver(0)
    last = talk.ids
    if unsubscribes:
        talk.say(CLIENT, 0x0C, number(last + 1) + b"\1")
    talk.say(CLIENT, 7, number(last + 2) + b"\1" + text("other") + number(1, 2) + number(10, 2))
    if unsubscribes:
        talk.say(SERVER, 0x800C, number(last + 1) + number(answered, 2))
    talk.say(SERVER, 0x8007, number(last + 2) + number(answered, 2))
    talk.ids += 2
    if credit:
        talk.deliver(0)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
        talk.wait(1).ask(0x0C, b"\1")
    return talk.leave()


def test_a_subscription_id_is_free_once_its_unsubscribe_was_sent(tmp_path: Path) -> None:
    """I4: brokers handle requests in order; the next subscription is followed as any other."""
    assert ("RMQ-I4", "error") in accused(tmp_path, subscribed_again(unsubscribes=False))
    assert accused(tmp_path, subscribed_again(unsubscribes=True)) == []
    assert accused(tmp_path, subscribed_again(unsubscribes=True, credit=True)) == []
