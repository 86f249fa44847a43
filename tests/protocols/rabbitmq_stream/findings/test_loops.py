"""Rules for clients that repeat: refused requests, queries, streams, connections, heartbeats."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours, connections, lookups, query, streams
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.loops import LOOPS


def refused(*codes: int, wait: float = 0.1) -> list[Talk]:
    """Subscriptions that are refused with codes, 1 for none."""
    talk = Talk()
    for code in codes:
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2), number(code, 2))
        talk.wait(wait)
    return [talk.leave()]


def polled(count: int, *, streams: int = 1, wait: float = 0) -> list[Talk]:
    """The stored offset asked for."""
    talk = Talk()
    for each in range(count):
        query(talk, f"s{each % streams}")
        talk.wait(wait)
    return [talk.leave()]


def unstored(count: int, *, code: int = 19, reads: int = -1) -> list[Talk]:
    """The stored offset asked for on one connection after the other; one of them may subscribe."""
    talks = [Talk(40_000 + at, at * 5 * SECOND) for at in range(count)]
    for at, talk in enumerate(talks):
        talk.ask(0x0B, text("app") + text("s"), number(code, 2) + number(0, 8))
        if at == reads:
            talk.ask(7, b"\1" + text("s") + number(1, 2) + number(9, 2))
        talk.leave()
    return talks


def impatient(
    wait: float, *, key: int = 0x0B, answered: bool = False, other: bool = False
) -> list[Talk]:
    """A query that is sent again before its answer comes."""
    talk = Talk()
    body = text("app") + text("s")
    talk.ids += 1
    talk.say(CLIENT, key, number(talk.ids) + body)
    if answered:
        talk.say(SERVER, key | 0x8000, number(talk.ids) + number(1, 2) + number(9, 8))
    talk.wait(wait)
    talk.ids += 1
    talk.say(CLIENT, key, number(talk.ids) + (text("other") + text("s") if other else body))
    for each in range(2 if answered else 1, 3):
        reply = number(talk.ids + each - 2) + number(1, 2) + number(9, 8)
        talk.say(SERVER, key | 0x8000, reply)
    return [talk.leave()]


def beats(count: int, wait: float) -> list[Talk]:
    """Heartbeats of both sides."""
    talk = Talk()
    for _ in range(count):
        talk.say(CLIENT, 23, b"")
        talk.wait(wait)
    return [talk.leave()]


def sequences(count: int) -> list[Talk]:
    """The last publishing id asked for before each message."""
    talk = Talk()
    talk.declare("s", "billing")
    for each in range(count):
        talk.ask(5, text("billing") + text("s"), number(1, 2) + number(each, 8))
        talk.publish(each + 1, 1)
        talk.wait(2)
    return [talk.leave()]


def remade(
    *, times: int = 2, messages: int = 3, read: bool = False, apart: bool = True, names: str = "sss"
) -> list[Talk]:
    """A stream that is deleted and made again with its messages, on one or several connections."""
    talks = [Talk()]
    for each in range(times + 1):
        if apart and each:
            talks.append(Talk(40_000 + each, each * 20 * SECOND))
        talk, name = talks[-1], names[each]
        if each:
            talk.ask(0x0E, text(names[each - 1]))
        talk.wait(1).ask(0x0D, text(name) + number(0))
        talk.declare(name)
        if messages:
            talk.publish(each * 10, messages)
        if read:
            talk.subscribe(name, 10)
            talk.deliver(0, messages)
            talk.ask(0x0C, b"\1")
        talk.ask(6, b"\1")
        talk.wait(11)
    return [each.leave() for each in talks]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-X7 RMQ-X7b", refused(2, 2, 2, 2, 2)),
    ("RMQ-X7b", refused(2, 2, 2)),
    ("", refused(2, 2)),
    ("", refused(2, 2, 6, 2, 2, 6, 2)),
    ("RMQ-X8b", sequences(3)),
    ("", sequences(2)),
    ("RMQ-X8c", lookups(8, streams=1, wait=2)),
    ("", lookups(7, streams=1, wait=2)),
    ("RMQ-X7b", refused(*[2] * 8, wait=5)),
    ("", refused(*[2] * 8, wait=61)),
    ("RMQ-X8 RMQ-X8d", polled(10)),
    ("RMQ-X8d", polled(5)),
    ("RMQ-X8d", polled(20, wait=0.2)),
    ("", polled(20, wait=3)),
    ("", polled(8, streams=2)),
    ("RMQ-X7c RMQ-B1", unstored(5)),
    ("RMQ-X7c RMQ-B1", unstored(7, reads=0)),
    ("RMQ-B1", unstored(4)),
    ("RMQ-B1", unstored(9, code=1)),
    ("RMQ-B1", unstored(7, reads=3)),
    ("RMQ-X8e", impatient(1)),
    ("RMQ-X8e", impatient(0.5, key=5)),
    ("", impatient(0.3)),
    ("", impatient(1, answered=True)),
    ("", impatient(1, other=True)),
    ("RMQ-B1", connections(4)),
    ("", connections(3)),
    ("RMQ-B1", connections(4, apart=8)),
    ("", connections(10, apart=12)),
    ("", connections(10, messages=10)),
    ("RMQ-H5", beats(8, 1)),
    ("", beats(8, 20)),
    ("RMQ-B24", streams(5)),
    ("", streams(5, seconds=11)),
    ("RMQ-B43", remade()),
    ("RMQ-B43", remade(apart=False)),
    ("", remade(times=1)),
    ("", remade(messages=0)),
    ("", remade(read=True, messages=1)),
    ("", remade(names="abc")),
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
    assert {each.id for each in LOOPS} <= {each for rules, _ in CASES for each in rules.split()}


def test_a_refusal_names_what_was_asked_for(tmp_path: Path) -> None:
    """X7b: the stream, or the command alone where it names nothing."""
    for key, body, end in (
        (0x13, text("PLAIN") + number(4) + b"\0a\0b", "in sasl_authenticate_response"),
        (0x0D, text("orders") + number(0), "in create_response orders"),
    ):
        talk = Talk()
        for _ in range(3):
            talk.ask(key, body, number(8, 2))
            talk.wait(5)
        found = findings(tmp_path, talk.leave())
        all_ = [each for finding in found for each in (finding, *finding.echoes)]
        said = [each.message for each in all_ if each.rule == "RMQ-X7b"]
        assert [each.endswith(end) for each in said] == [True], said
