"""Rules for single active consumers."""

from pathlib import Path

import pytest
from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import (
    active,
    behaviours,
    group,
    groups,
    newest,
    store,
)
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    accused,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.single_active_consumers import (
    MEMBERS,
    MEMBERS_FILTERS,
    TAKEOVERS,
)


@pytest.mark.parametrize(
    ("value", "expected"), [("True", [("RMQ-A2b", "warning")]), ("true", []), ("false", [])]
)
def test_a_truth_value_as_its_language_prints_it(
    tmp_path: Path, value: str, expected: list[tuple[str, str]]
) -> None:
    """A2: what is not true is none; rstream issue 228."""
    talk = Talk()
    pairs = (("single-active-consumer", value), ("name", "group"))
    properties = number(2) + b"".join(text(name) + text(said) for name, said in pairs)
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2) + properties)
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(("value", "found"), [("True", True), ("true", False)])
def test_match_unfiltered_as_a_language_prints_it(
    tmp_path: Path, value: str, *, found: bool
) -> None:
    """A2c: messages without a filter value are not delivered."""
    talk = Talk()
    properties = number(2) + text("filter.0") + text("a") + text("match-unfiltered") + text(value)
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2) + properties)

    assert (("RMQ-A2c", "warning") in accused(tmp_path, talk.leave())) is found


@pytest.mark.parametrize("code", [1, 3])
def test_consumer_updates_that_are_answered_with_an_error(tmp_path: Path, code: int) -> None:
    """A10: the client's own listener fails."""
    talk = Talk()
    talk.subscribe("s", 1)
    talk.say(SERVER, 0x1A, number(99) + b"\1\1")
    talk.say(CLIENT, 0x801A, number(99) + number(code, 2) + number(1, 2))

    assert (("RMQ-A10", "warning") in accused(tmp_path, talk.leave())) is (code != 1)


def member(port: int, start: int) -> Talk:
    """A consumer of the group `app`."""
    talk = Talk(port, start * SECOND)
    pairs = {"name": "app", "single-active-consumer": "true"}
    given = number(2) + b"".join(text(key) + text(value) for key, value in pairs.items())
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + given)
    return talk


def updated(talk: Talk, active: int) -> None:
    """ConsumerUpdate and its answer."""
    talk.say(SERVER, 0x1A, number(9) + b"\1" + number(active, 1))
    talk.say(CLIENT, 0x801A, number(9) + number(1, 2) + number(1, 2))


@every(
    ("left", "elected", "published", "created", "rule"),
    [
        ("unsubscribes", "", True, False, "RMQ-A13"),
        ("steps down", "", True, False, "RMQ-A13"),
        ("drops", "", True, False, "RMQ-A13"),
        ("unsubscribes", "", False, False, "RMQ-A13b"),
        ("never", "", True, True, "RMQ-A13"),
        ("never", "", True, False, "RMQ-A13b"),
        ("unsubscribes", "before", True, False, ""),
        ("unsubscribes", "after", True, False, ""),
        ("stays", "", True, False, ""),
    ],
)
def test_groups_without_an_active_consumer(
    left: str, elected: str, rule: str, tmp_path: Path, *, published: bool, created: bool
) -> None:
    """A13: while another member waits; a warning if messages are published meanwhile."""
    other = Talk(40_002, -SECOND)
    if created:
        other.ask(0x0D, text("s") + number(0))
    other.declare("s")
    one, two = member(40_000, 0), member(40_001, 1)
    if left != "never":
        updated(one, 1)
        one.deliver(0)
    one.wait(2)
    two.wait(1)
    if elected == "before":
        updated(two, 1)
    if left == "unsubscribes":
        one.ask(0x0C, b"\1")
    elif left == "steps down":
        updated(one, 0)
    elif left == "drops":
        one.made.reset(CLIENT)
    if elected == "after":
        two.wait(1)
        updated(two, 1)
    other.wait(8)
    if published:
        other.publish(0, 1)
    talks = [two.wait(12).leave(), other.leave()]
    talks += [one] if left == "drops" else [one.wait(12).leave()]

    found = [each for each, _ in accused(tmp_path, *talks) if each.startswith("RMQ-A13")]
    assert found == [rule] * bool(rule)


@every(
    ("between", "after", "published", "seconds", "found"),
    [
        ((0, 1), 0, True, 9, True),
        ((0, 1, 0, 1), 0, True, 9, True),
        ((0, 1), 1, True, 9, False),
        ((0, 1), 0, False, 9, False),
        ((0, 1), 0, True, 2, False),
        ((0,), 0, True, 9, False),
        ((), 0, True, 9, False),
    ],
)
def test_a_consumer_that_receives_nothing_once_it_is_active_again(
    between: tuple[int, ...],
    after: int,
    seconds: int,
    tmp_path: Path,
    *,
    published: bool,
    found: bool,
) -> None:
    """B150: while messages are published; not one that is inactive, or served once."""
    other, one = Talk(40_002, -SECOND), member(40_000, 0)
    other.declare("s")
    updated(one, 1)
    one.deliver(0)
    for active_ in between:
        updated(one.wait(1), active_)
    for each in range(after):
        one.wait(1).deliver(each + 1)
    other.wait(3 + len(between))
    if published:
        other.publish(0, 1)
    talks = [one.wait(3 + seconds).leave(), other.wait(20).leave()]

    assert (("RMQ-B150", "warning") in accused(tmp_path, *talks)) is found


@every(
    ("lost", "restored", "seconds", "found"),
    [
        (("member",), ("plain",), 1, True),
        (("member", "other"), ("other", "plain"), 1, True),
        (("member",), ("member",), 1, False),
        (("member", "plain"), ("plain", "member"), 1, False),
        (("member",), ("plain",), 60, False),
        (("plain",), ("plain",), 1, False),
        (("member",), ("elsewhere",), 1, False),
    ],
)
def test_a_group_that_is_left_on_reconnect(
    lost: tuple[str, ...], restored: tuple[str, ...], seconds: int, *, found: bool, tmp_path: Path
) -> None:
    """A14: a member comes back without its properties; not beside a consumer that had none."""
    first, second = Talk(40_001, 0), Talk(40_002, seconds * SECOND)
    for talk, kinds in ((first, lost), (second, restored)):
        for at, kind in enumerate(kinds):
            pairs = {"name": "app", "single-active-consumer": "true"}
            given = number(2) + b"".join(text(key) + text(value) for key, value in pairs.items())
            stream = {"other": "o", "elsewhere": "e"}.get(kind, "s")
            place = number(at, 1) + text(stream) + number(1, 2) + number(10, 2)
            talk.ask(7, place + (given if kind in {"member", "other"} else b""))
        if talk is first:
            talk.made.finish(SERVER)
    second.wait(3).leave()
    first.made.finish(CLIENT)

    assert (("RMQ-A14", "warning") in accused(tmp_path, first, second)) is found


def belonging(port: int, start: int, whole: str, code: int) -> Talk:
    """A member of the group `app` of a partition, which names a super stream or none."""
    talk = Talk(port, start * SECOND)
    pairs = {"name": "app", "single-active-consumer": "true"}
    pairs |= {"super-stream": whole} if whole else {}
    given = number(len(pairs)) + b"".join(text(key) + text(value) for key, value in pairs.items())
    talk.ask(7, b"\1" + text("s-0") + number(1, 2) + number(10, 2) + given, number(code, 2))
    return talk


@every(
    ("first", "second", "code", "found"),
    [
        ("s", "", 17, True),
        ("", "s", 17, True),
        ("s", "other", 17, True),
        ("s", "s", 17, False),
        ("s", "", 1, False),
        ("s", "", 16, False),
    ],
)
def test_a_group_is_of_a_super_stream_or_of_a_stream(
    tmp_path: Path, *, first: str, second: str, code: int, found: bool
) -> None:
    """A15: where the broker refuses a member that differs from one that it took."""
    talks = belonging(40_000, 0, first, 1), belonging(40_001, 2, second, code)

    assert (("RMQ-A15", "warning") in accused(tmp_path, *talks)) is found


SUPER = text("super-stream") + text("all")
"""A property of a consumer of a partition."""


def standby(seconds: float) -> list[Talk]:
    """A consumer that is no longer active stores an offset."""
    talk = active(Talk(), 1)
    talk.deliver(0, 10)
    talk.say(SERVER, 0x1A, number(98) + b"\1\0")
    talk.say(CLIENT, 0x801A, number(98) + number(1, 2) + number(0, 2))
    return [store(talk.wait(seconds), 9).leave()]


def taken_over_new(*, stores: bool, lag: int = 20) -> list[Talk]:
    """A standby that becomes active for new messages, after so many were published."""
    one, other = active(Talk(), 1), Talk(40_001, 10 * SECOND)
    one.deliver(0, 10)
    if stores:
        store(one, 9)
    newest(other, 9 + lag)
    return [one.leave(), active(other, 3).leave()]


def in_partitions(*streams: str, more: bytes = b"") -> list[Talk]:
    """Single active consumers of the partitions p and q."""
    talk = Talk()
    talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for sid, stream in enumerate(streams):
        said = text("single-active-consumer") + text("true") + text("name") + text("app")
        place = number(1, 2) + number(10, 2) + number(3 if more else 2)
        talk.ask(7, number(sid, 1) + text(stream) + place + said + more)
    return [talk.leave()]


def grouped(*filters: str, single: bool = True) -> list[Talk]:
    """Members of a group with a filter each."""
    made = []
    for at, each in enumerate(filters):
        talk = Talk(40_000 + at, at * SECOND)
        given = [("name", "app"), ("filter.0", each)]
        given += [("single-active-consumer", "true")] if single else []
        more = number(len(given)) + b"".join(text(key) + text(value) for key, value in given)
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + more)
        made.append(talk.leave())
    return made


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-A11", grouped("eu", "us")),
    ("", grouped("eu", "eu")),
    ("", grouped("eu", "us", single=False)),
    ("RMQ-A6", group(1, 0, stores=True)),
    ("", group(4, 30, stores=True)),
    ("RMQ-A6c", group(4, 35, stores=True)),
    ("RMQ-A7", groups("app-1f2e", "app-2a3b", more=SUPER)),
    ("", groups("app", "app", more=SUPER)),
    ("", groups("billing", "audit", more=SUPER)),
    ("RMQ-A6c", taken_over_new(stores=True)),
    ("", taken_over_new(stores=True, lag=1)),
    ("RMQ-A6d", taken_over_new(stores=False)),
    ("", taken_over_new(stores=False, lag=1)),
    ("RMQ-A8", in_partitions("p", "q")),
    ("", in_partitions("p")),
    ("", in_partitions("p", "q", more=SUPER)),
    ("", in_partitions("p", "other")),
    ("RMQ-A9", standby(1)),
    ("", standby(0)),
    ("RMQ-A6b", group(1, 0, stores=False)),
]  # fmt: skip
"""The rules that find a fault, or none, and the connections."""


@every(
    ("number_of_case", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_behaviours_and_near_misses(
    number_of_case: int, rule: str, talks: list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules of behaviours."""
    del number_of_case
    assert behaviours(tmp_path, *talks) == set(rule.split())


def test_every_behaviour_has_a_fault() -> None:
    """No rule is untested."""
    assert {each.id for each in (*TAKEOVERS, *MEMBERS, *MEMBERS_FILTERS)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
