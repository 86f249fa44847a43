"""Rules for publishers."""

from pathlib import Path

import pytest
from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours, said
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    accused,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.publishing import RESENDING


@pytest.mark.parametrize("again", [True, False])
def test_publishing_ids_begin_anew_with_a_stream(tmp_path: Path, *, again: bool) -> None:
    """I6: once, and not where the stream was made again."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s", "shop")
    talk.publish(1, 40)
    talk.ask(6, b"\1")
    if again:
        talk.ask(0x0E, text("s"))
        talk.ask(0x0D, text("s") + number(0))
    talk.declare("s", "shop")
    talk.publish(1, 20)
    talk.ask(6, b"\1")
    talk.leave()

    found = [each for each in accused(tmp_path, talk) if each[1] != "note"]
    assert found == ([] if again else [("RMQ-I6b", "warning")])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("005375a0026869 005373c00100", [("RMQ-U6", "note")]),
        ("005373c00100 005375a0026869", []),
        ("005375a003", [("RMQ-Q3", "warning")]),
        ("6869", []),
    ],
)
def test_sections_out_of_order(tmp_path: Path, body: str, expected: list[tuple[str, str]]) -> None:
    """U6: properties after the body; not before it, not what is raw. What is cut short is Q3."""
    talk = Talk()
    talk.declare("s")
    talk.message(bytes.fromhex(body))

    assert accused(tmp_path, talk.leave()) == expected


def typed(kind: str, body: bytes, encoding: str = "") -> bytes:
    """A message with a content type, or an encoding."""
    values = [f"\xa3{chr(len(each))}{each}".encode("latin-1") for each in (kind, encoding) if each]
    items = b"\x40" * (6 if kind else 7) + b"".join(values)
    count = (6 if kind else 7) + len(values)
    head = b"\0\x53\x73\xc0" + number(len(items) + 1, 1) + number(count, 1) + items
    return head + b"\0\x53\x75\xa0" + number(len(body), 1) + body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (typed("application/json", b"\x81\xa1a\1"), [("RMQ-U9", "warning")]),
        (typed("", b'{"a":1}', "gzip"), [("RMQ-U9", "warning")]),
        (typed("application/json", b'{"a":1}'), []),
        (typed("application/json", b"\x1f\x8b\x08", "gzip"), []),
        (typed("application/octet-stream", b"\0"), []),
    ],
)
def test_a_body_is_what_is_announced(
    tmp_path: Path, body: bytes, expected: list[tuple[str, str]]
) -> None:
    """U9: its type and its encoding."""
    talk = Talk()
    talk.declare("s")
    talk.message(body)

    assert accused(tmp_path, talk.leave()) == expected


def test_what_lay_after_a_hole_has_a_past_that_nobody_saw(tmp_path: Path) -> None:
    """A lost Tune answer holds back what the client sends until all of it comes at once."""
    talk = Talk()
    lost = next(p for p in talk.made.packets if b"\x80\x14" in p.data[54:])
    for turn in range(2):
        talk.declare("s")
        talk.publish(1 + 10 * turn, 10)
        talk.ask(6, b"\1")
        talk.subscribe("s", 10)
        talk.deliver(0)
        talk.ask(0x0C, b"\1")
    talk.leave()
    assert accused(tmp_path, talk) == []

    talk.made.packets.remove(lost)
    assert accused(tmp_path, talk) == []


@pytest.mark.parametrize(
    ("ids", "confirmed", "expected"),
    [
        ((7, 7), False, ["RMQ-I12"]),
        ((7, 6, 7), False, ["RMQ-I12"]),
        ((7, 7), True, []),
        ((7, 8), False, []),
        ((8, 7), False, []),
    ],
)
def test_ids_of_an_unnamed_publisher(
    tmp_path: Path,
    ids: tuple[int, ...],
    expected: list[str],
    *,
    confirmed: bool,
) -> None:
    """I12: not one of a message that waits for its confirm."""
    talk = Talk()
    talk.declare("s")
    for each in ids:
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(1) + b"m")
        if confirmed:
            talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))

    found = [rule for rule, _ in accused(tmp_path, talk.leave())]
    assert [each for each in found if each == "RMQ-I12"] == expected


@pytest.mark.parametrize(("first", "is_wrong"), [(6, False), (0, True)])
def test_ids_of_a_named_publisher_after_a_loss(
    tmp_path: Path, first: int, *, is_wrong: bool
) -> None:
    """I6b: all that is sent again was stored; the counter must not start again."""
    one, other = Talk(), Talk(40_001, 2_000_000_000)
    for talk, low in ((one, 0), (other, first)):
        talk.declare("s", "app")
        if talk is other:
            talk.ask(5, text("app") + text("s"), number(1, 2) + number(9, 8))
        talk.publish(low, 10 - low)
    one.made.finish(SERVER).finish(CLIENT)

    found = {rule for rule, _ in accused(tmp_path, one, other.leave())}
    assert ("RMQ-I6b" in found) is is_wrong


@pytest.mark.parametrize(
    ("body", "reads", "told"),
    [(b"hello", False, True), (b"hello", True, False), (b"\0\x53\x75\xa0\5hello", False, False)],
)
def test_messages_for_readers_elsewhere(
    tmp_path: Path, body: bytes, *, reads: bool, told: bool
) -> None:
    """B221: of bytes that are no messages of AMQP 1.0, where no subscription is captured."""
    talk, other = Talk(), Talk(40_001)
    talk.declare("s")
    talk.message(body)
    talk.wait(2)
    if reads:
        other.subscribe("s", 10)
        other.deliver(0, bodies=(body,))

    rules = {each.rule for each in findings(tmp_path, talk.leave(), other.leave())}
    assert ("RMQ-B221" in rules) is told


@pytest.mark.parametrize(("code", "part"), [(6, "was refused"), (1, "must continue")])
def test_why_ids_begin_again(tmp_path: Path, code: int, part: str) -> None:
    """I6b: the question for the last id was refused, or its answer is not used."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    for talk in (one, other):
        talk.declare("s", "app")
        if talk is other:
            talk.ask(5, text("app") + text("s"), number(code, 2) + number(9, 8))
        talk.publish(0, 10)
    one.made.finish(SERVER).finish(CLIENT)

    causes = [e.cause for e in findings(tmp_path, one, other.leave()) if e.rule == "RMQ-I6b"]
    assert [part in each for each in causes] == [True]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.01, [("RMQ-I7b", "note")]), (3, [("RMQ-I7", "warning")])]
)
def test_a_publisher_deleted_before_its_confirms(
    tmp_path: Path, seconds: float, expected: list[tuple[str, str]]
) -> None:
    """I7: the confirms were due; I7b: they were on their way."""
    talk = Talk()
    talk.declare("s")
    talk.say(CLIENT, 2, b"\1" + number(1) + number(0, 8) + number(1) + b"m")
    talk.wait(seconds).ask(6, b"\1")

    found = accused(tmp_path, talk.leave())
    assert [each for each in found if each[0].startswith("RMQ-I7")] == expected


@pytest.mark.parametrize(
    ("ends_first", "expected"), [(SERVER, "RMQ-I7d"), (None, "RMQ-I7"), (CLIENT, "RMQ-I7")]
)
def test_a_connection_that_ends_before_the_confirms(
    tmp_path: Path, ends_first: int | None, expected: str
) -> None:
    """I7: the client ends it; I7d: the broker does, and the client's Close comes too late."""
    talk = Talk()
    talk.declare("s")
    talk.say(CLIENT, 2, b"\1" + number(1) + number(0, 8) + number(1) + b"m")
    talk.wait(0.2)
    if ends_first is not None:
        talk.made.finish(ends_first)
    if ends_first != CLIENT:
        talk.say(CLIENT, 0x16, number(9) + number(1, 2) + text("OK"))
    talk.made.finish(SERVER).finish(CLIENT)

    found = [rule for rule, _ in accused(tmp_path, talk)]
    assert [each for each in found if each.startswith("RMQ-I7")] == [expected]


@pytest.mark.parametrize(("waiting", "expected"), [(1000, []), (999, ["RMQ-I9b"])])
def test_confirms_that_keep_coming_are_not_late(
    tmp_path: Path, waiting: int, expected: list[str]
) -> None:
    """I9b: not while a thousand messages wait for those before them."""
    talk = Talk()
    talk.declare("s")
    for each in range(waiting + 1):
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(1) + b"m")
    for each in range(2):
        talk.wait(1.5).say(SERVER, 3, b"\1" + number(1) + number(each, 8))

    found = [rule for rule, _ in accused(tmp_path, talk)]
    assert [each for each in found if each == "RMQ-I9b"] == expected


@pytest.mark.parametrize(("seconds", "found"), [(2, []), (5, [("RMQ-I7c", "note")])])
def test_messages_without_a_confirm_at_the_end(
    tmp_path: Path, seconds: float, found: list[tuple[str, str]]
) -> None:
    """I7c: while the connection goes on."""
    talk, other = Talk(), Talk(40_001)
    talk.declare("s")
    talk.say(CLIENT, 2, b"\1" + number(1) + number(0, 8) + number(1) + b"m")

    assert accused(tmp_path, talk, other.wait(seconds).leave()) == found


def sent_again(*ids: int, told: bool = True, closed: bool = False, body: str = "p") -> list[Talk]:
    """Messages 0 to 9 of a named publisher, then a lost connection and these ids for 6 to 9."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    for talk in (one, other):
        talk.declare("s", "app")
    for each in range(10):
        said(one, each, f"p{each}", confirmed=told)
    if told:
        other.ask(5, text("app") + text("s"), number(1, 2) + number(9, 8))
    for each, number_of_message in zip(range(6, 10), ids, strict=False):
        said(other, number_of_message, f"{body}{each}")
    if closed:
        return [one.leave(), other.leave()]
    one.made.finish(SERVER).finish(CLIENT)
    return [one, other.leave()]


def declared_again(
    key: int, *, publishes: bool = False, late: bool = True, code: int = 17
) -> list[Talk]:
    """A publisher id that is used again; confirms or errors of the former publisher come then."""
    talk = Talk()
    talk.declare("s")
    talk.say(CLIENT, 2, b"\1" + number(1) + number(7, 8) + number(1) + b"m")
    answer = b"\1" + number(1) + number(7, 8) + (number(code, 2) if key == 4 else b"")
    if not late:
        talk.say(SERVER, key, answer)
    talk.ask(6, b"\1")
    talk.declare("t")
    if publishes:
        talk.say(CLIENT, 2, b"\1" + number(1) + number(7, 8) + number(1) + b"m")
    if late:
        talk.say(SERVER, key, answer)
    return [talk.leave()]


def test_what_belongs_to_a_deleted_publisher_is_not_for_the_next_of_its_id(tmp_path: Path) -> None:
    """B142: confirms and errors alike; once the next one has published they may be its own."""
    for key in (3, 4):
        for more, expected in (({}, True), ({"publishes": True}, False), ({"late": False}, False)):
            found = {rule for rule, _ in accused(tmp_path, *declared_again(key, **more))}
            rule = "RMQ-B142" if key == 3 else "RMQ-B142b"
            assert (rule in found) is expected, (key, more)
    missing = {rule for rule, _ in accused(tmp_path, *declared_again(4, code=18))}
    assert not {"RMQ-B142", "RMQ-B142b"} & missing


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B39", sent_again(10, 11, 12, 13)),
    ("RMQ-B39b", sent_again(10, 11, 12, 13, told=False)),
    ("", sent_again(6, 7, 8, 9)),
    ("", sent_again(10, 11, 12, 13, body="q")),
    ("", sent_again(10, 11, 12, 13, closed=True)),
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
    assert {each.id for each in RESENDING} <= {each for rules, _ in CASES for each in rules.split()}
