"""New consumers that end, publishers that stay away or slow down, connections that pile up."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    accused,
    number,
    text,
)


def has(folder: Path, rule: str, talks: list[Talk]) -> bool:
    """Whether a rule names something in these connections."""
    return rule in {each for each, _ in accused(folder, *talks)}


def asks(at: int, code: int = 19, *, orderly: bool = False, later: float = 0) -> Talk:
    """A worker that asks for its offset, and ends."""
    talk = Talk(40_010 + at, at * 2 * SECOND)
    talk.ask(11, text("worker") + text("s"), number(code, 2) + number(0, 8))
    talk.wait(later)
    if orderly:
        return talk.leave()
    talk.made.finish(CLIENT).finish(SERVER)
    return talk


def publishes(start: int = 0, rounds: int = 10) -> Talk:
    """A publisher of the stream, a message a second."""
    talk = Talk(40_001, start)
    talk.declare("s")
    for each in range(rounds):
        talk.publish(each, 1)
        talk.wait(1)
    return talk.leave()


@every(
    ("runs", "found"),
    [
        ([asks(0), asks(1), asks(2)], True),
        ([asks(0), asks(1)], False),
        ([asks(0), asks(1), asks(2, 1)], False),
        ([asks(0), asks(1), asks(2, orderly=True)], False),
        ([asks(0), asks(1), asks(2, later=1)], False),
    ],
)
def test_new_consumers_that_end(runs: list[Talk], tmp_path: Path, *, found: bool) -> None:
    """B249: not an orderly end, a later one, or that of a consumer with an offset."""
    assert has(tmp_path, "RMQ-B249", [*runs, publishes()]) is found


def test_new_consumers_that_subscribe_or_miss_nothing(tmp_path: Path) -> None:
    """B249: one that subscribes after all, and a stream without messages."""
    begins = Talk(40_020, 7 * SECOND)
    begins.subscribe("s", 10)
    runs = [asks(0), asks(1), asks(2)]

    assert not has(tmp_path, "RMQ-B249", [*runs, begins.leave(), publishes()])
    assert not has(tmp_path, "RMQ-B249", [asks(0), asks(1), asks(2)])


def gives_up(
    silent: float, after: float, *, open_messages: int = 3, again: bool = False, served: bool = True
) -> list[Talk]:
    """A publisher whose broker is silent, and that leaves; then another client comes."""
    talk = Talk()
    talk.declare("s")
    for each in range(open_messages):
        body = b"\1" + number(1) + number(each, 8) + number(1) + b"m"
        talk.say(CLIENT, 2, body)
    talk.wait(silent)
    talk.say(CLIENT, 0x16, number(99) + number(1, 2) + text("OK"))
    talk.made.finish(CLIENT).finish(SERVER)
    talks = [talk]
    if again:
        back = Talk(40_002, int((silent + 1) * SECOND))
        back.declare("s")
        talks.append(back.leave())
    other = Talk(40_003, int((silent + 1) * SECOND) if served else 0)
    other.wait(after if served else silent + after)
    return [*talks, other.leave()]


@every(
    ("talks", "found"),
    [
        (gives_up(12, 12), True),
        (gives_up(5, 12), False),
        (gives_up(12, 5), False),
        (gives_up(12, 12, open_messages=0), False),
        (gives_up(12, 12, again=True), False),
        (gives_up(12, 12, served=False), False),
    ],
)
def test_publishers_that_never_return(talks: list[Talk], tmp_path: Path, *, found: bool) -> None:
    """B250: not one that returns, or has nothing unconfirmed, or whose broker stays silent."""
    assert has(tmp_path, "RMQ-B250", talks) is found


def partitions(*, known: bool, uses: bool = False, creates: bool = False, code: int = 2) -> Talk:
    """A question for partitions."""
    talk = Talk()
    if known:
        talk.ask(13, text("s") + number(0))
    talk.ask(25, text("s"), number(code, 2) + number(0))
    if creates:
        talk.ask(29, text("s") + number(0) * 3)
    if uses:
        talk.subscribe("s", 10)
    return talk.leave()


@every(
    ("talk", "rules"),
    [
        (partitions(known=True), {"RMQ-B252"}),
        (partitions(known=False), {"RMQ-B252b"}),
        (partitions(known=True, uses=True), set()),
        (partitions(known=False, creates=True), set()),
        (partitions(known=True, code=1), set()),
    ],
)
def test_partitions_of_no_super_stream(talk: Talk, rules: set[str], tmp_path: Path) -> None:
    """B252: not where the stream is used then, or the super stream is made."""
    named = {each for each, _ in accused(tmp_path, talk)}

    assert named & {"RMQ-B252", "RMQ-B252b"} == rules


def paced(before: float, after: float, seconds: float = 12, by: int = SERVER) -> list[Talk]:
    """A publisher whose connection is lost, and the next one; messages come so often."""
    first, start = Talk(), 0
    first.declare("s")
    for each in range(80):
        first.publish(each, 1)
        first.wait(before)
        start += int(before * SECOND)
    first.made.finish(by).finish(1 - by)
    second = Talk(40_002, start + SECOND)
    second.declare("s")
    for each in range(int(seconds / after)):
        second.publish(100 + each, 1)
        second.wait(after)
    return [first, second.leave()]


@every(
    ("talks", "found"),
    [
        (paced(0.05, 0.2), True),
        (paced(0.05, 0.06), False),
        (paced(0.05, 0.1, 8), False),
        (paced(0.02, 0.2), False),
        (paced(0.05, 0.2, by=CLIENT), False),
    ],
)
def test_publishers_that_slow_down(talks: list[Talk], tmp_path: Path, *, found: bool) -> None:
    """B253: not where the pace is about the same, is not known, or the client left by itself."""
    assert has(tmp_path, "RMQ-B253", talks) is found


def used(at: int, *, closes: bool = False, again: bool = False) -> Talk:
    """A connection with a publisher, which is deleted; the connection stays open for long."""
    talk = Talk(40_100 + at, at * 2 * SECOND)
    talk.declare("s")
    talk.publish(0, 1)
    talk.ask(6, b"\1")
    if again:
        talk.declare("s")
    if closes:
        return talk.leave()
    talk.wait(60)
    talk.say(CLIENT, 23, b"")
    return talk


@every(
    ("talks", "found"),
    [
        ([used(at) for at in range(8)], True),
        ([used(at) for at in range(7)], False),
        ([used(at, closes=True) for at in range(9)], False),
        ([used(at, again=True) for at in range(9)], False),
        ([used(at, closes=at % 2 == 0) for at in range(9)], False),
    ],
)
def test_connections_that_pile_up(talks: list[Talk], tmp_path: Path, *, found: bool) -> None:
    """B254: not connections that are closed, or used again."""
    assert has(tmp_path, "RMQ-B254", talks) is found


def early(
    code: int = 6, *, again: int | None = None, used: bool = True, leaves: bool = False
) -> list[Talk]:
    """A consumer that is refused its stream, and stays; then another client uses the stream."""
    talk, other = Talk(), Talk(40_002, SECOND, host="10.0.0.2")
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2), number(code, 2))
    if used:
        other.declare("s")
        other.publish(0, 1)
    talk.wait(3)
    if again is not None:
        talk.ask(again, number(1) + text("s") if again == 15 else b"\1" + text("") + text("s"))
    if leaves:
        talk.leave()
    return [talk, other.wait(30).leave()]


@every(
    ("talks", "found"),
    [
        (early(), True),
        (early(2), True),
        (early(17), False),
        (early(again=1), False),
        (early(again=15), False),
        (early(used=False), False),
        (early(leaves=True), False),
    ],
)
def test_streams_that_are_not_tried_again(
    talks: list[Talk], tmp_path: Path, *, found: bool
) -> None:
    """B255: not where the client asks again, or leaves, or the stream does not come."""
    assert has(tmp_path, "RMQ-B255", talks) is found


def goes_on(
    first: int, *, stream: str = "s", reference: str = "", closes: bool = False, sent: int = 3
) -> list[Talk]:
    """A publisher whose connection is lost with messages 2 to 4 unconfirmed, and the next one."""
    one, two = Talk(), Talk(40_002, 5 * SECOND)
    one.declare("s", reference)
    one.publish(1, 1)
    for each in range(2, 2 + sent):
        one.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(1) + b"m")
    if closes:
        one.leave()
    else:
        one.made.finish(SERVER).finish(CLIENT)
    two.declare(stream, reference)
    two.publish(first, 3)
    return [one, two.leave()]


@every(
    ("talks", "found"),
    [
        (goes_on(5), True),
        (goes_on(2), False),
        (goes_on(1), False),
        (goes_on(9), False),
        (goes_on(2, sent=0), False),
        (goes_on(5, stream="t"), False),
        (goes_on(5, reference="app"), False),
        (goes_on(5, closes=True), False),
    ],
)
def test_unconfirmed_messages_that_are_not_sent_again(
    talks: list[Talk], tmp_path: Path, *, found: bool
) -> None:
    """B257: not where the ids begin with those that wait, or anew, or the client closed."""
    assert has(tmp_path, "RMQ-B257", talks) is found
