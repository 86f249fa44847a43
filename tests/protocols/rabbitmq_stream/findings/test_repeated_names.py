"""Rules for what changes from one run or connection to the next: faults, and near misses."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.repeated_names import REPEATED_NAMES

NAMES = {each.id for each in REPEATED_NAMES}
PODS = ("report-7d4f9c5b8-9kfwm", "report-7d4f9c5b8-tt7bd", "report-7d4f9c5b8-x2x4k")
GROUP = {"single-active-consumer": "true", "name": "app"}


def subscribe(talk: Talk, given: dict[str, str], *, offset: int | None = None) -> None:
    """Subscribe with properties."""
    place = number(1, 2) if offset is None else number(4, 2) + number(offset, 8)
    more = number(len(given)) + b"".join(text(key) + text(value) for key, value in given.items())
    talk.ask(7, b"\1" + text("s") + place + number(10, 2) + more)


def again(
    first: dict[str, str], then: dict[str, str], *, lost: bool = True, seconds: float = 5
) -> list[Talk]:
    """A subscription, and the one after its connection has ended."""
    one, other = Talk(), Talk(40_001, int(seconds * SECOND))
    subscribe(one, first)
    one.deliver(0)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    subscribe(other, then, offset=1)
    return [one, other.leave()]


def both(*, lost: dict[str, str], also: dict[str, str]) -> list[Talk]:
    """Two subscriptions of one connection, the second of which comes back without a filter."""
    one, other = Talk(), Talk(40_001, 5 * SECOND)
    for sid, given in enumerate((lost, also)):
        more = number(len(given)) + b"".join(
            text(key) + text(value) for key, value in given.items()
        )
        one.ask(7, number(sid, 1) + text("s") + number(1, 2) + number(10, 2) + more)
    one.made.reset(SERVER)
    subscribe(other, {})
    return [one, other.leave()]


def named(*names: str, stores: bool = True, offset: int | None = None) -> list[Talk]:
    """Runs that ask for the offset of a name, read, and store it."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * 20 * SECOND)
        talk.ask(0x0B, text(name) + text("s"), number(19, 2) + number(0, 8))
        subscribe(talk, {}, offset=offset)
        talk.deliver(0, 10)
        if stores:
            talk.say(CLIENT, 0x0A, text(name) + text("s") + number(9, 8))
        made.append(talk.leave())
    return made


def outbox(*names: str, bodies: str = "invoice", apart: int = 20, ids: int = 0) -> list[Talk]:
    """Runs that publish the same messages, under a name each."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * apart * SECOND)
        talk.declare("s", name)
        for message in range(6):
            body = f"{bodies}{'' if bodies else at} {message}".encode()
            number_of = message + at * ids
            talk.say(CLIENT, 2, b"\1" + number(1) + number(number_of, 8) + number(len(body)) + body)
            talk.say(SERVER, 3, b"\1" + number(1) + number(number_of, 8))
            talk.wait(1)
        made.append(talk.leave())
    return made


def divided(*batches: tuple[int, int], lost: bool = True) -> list[Talk]:
    """Sub-batches of ten messages, of which the last two are sent again in others."""
    one, other = Talk(), Talk(40_001, 20 * SECOND)
    for talk, sizes in ((one, ((0, 10), (10, 10), (20, 10))), (other, batches)):
        talk.declare("s", "gateway")
        for first, count in sizes:
            data = (number(1) + b"m") * count
            head = number(first, 8) + b"\x80" + number(count, 2) + number(len(data)) * 2
            talk.say(CLIENT, 2, b"\1" + number(1) + head + data)
            if talk is other or first == 0:
                talk.say(SERVER, 3, b"\1" + number(1) + number(first, 8))
    if lost:
        one.made.finish(SERVER).finish(CLIENT)
    else:
        one.leave()
    return [one, other.leave()]


def streams(*names: str, uses: bool = True, deletes: bool = False) -> list[Talk]:
    """Streams that are created, used and perhaps deleted, one after the other."""
    talk = Talk()
    for name in names:
        talk.ask(0x0D, text(name) + number(0))
        if uses:
            talk.declare(name)
            talk.publish(1, 1)
            talk.ask(6, b"\1")
        if deletes:
            talk.ask(0x0E, text(name))
    return [talk.leave()]


def published(*bodies: str, at_once: bool = False) -> list[Talk]:
    """Messages, a frame each, or messages of a letter in one frame."""
    talk = Talk()
    talk.declare("s")
    messages = list(bodies[0]) if at_once else list(bodies)
    step = len(messages) if at_once else 1
    for at in range(0, len(messages), step):
        made = [
            number(at + own, 8) + number(len(body)) + body.encode()
            for own, body in enumerate(messages[at : at + step])
        ]
        ids = b"".join(each[:8] for each in made)
        talk.say(CLIENT, 2, b"\1" + number(len(made)) + b"".join(made))
        talk.say(SERVER, 3, b"\1" + number(len(made)) + ids)
    return [talk.leave()]


PAID = {"filter.0": "paid"}
ANSWERS = ("answer-1f5da", "answer-2b7c1", "answer-3c9e4", "answer-4d0a7")
CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B53", again(PAID, {})),
    ("RMQ-B53", again(PAID | GROUP, GROUP)),
    ("", again(PAID, PAID)),
    ("", again(PAID, {}, lost=False)),
    ("", again(PAID, {}, seconds=90)),
    ("", again({}, {})),
    ("", both(lost=PAID, also={})),
    ("RMQ-B53", both(lost=PAID, also={"filter.0": "open"})),
    ("RMQ-B53b", again(PAID, {"filter.0": "open"})),
    ("RMQ-B53b", again({}, PAID)),
    ("RMQ-B53c", again(GROUP, {"name": "app"})),
    ("", again(GROUP, GROUP)),
    ("", again({"name": "app"}, {"name": "app"})),
    ("RMQ-B21b", named(*PODS)),
    ("RMQ-B21b", named(*PODS, offset=0)),
    ("", named(*PODS[:2])),
    ("", named(*PODS, stores=False)),
    ("", named(*PODS, offset=7)),
    ("", named("audit", "billing", "stock")),
    ("RMQ-B33b", outbox("billing-1f2e", "billing-2a3b")),
    ("RMQ-B33b", outbox(*(f"billing-{e}b84c2a-0f11-4d1f-9d57-5b0a9c0d1e2f" for e in (11, 22)))),
    ("", outbox("billing-1f2e", "billing-2a3b", bodies="")),
    ("", outbox("billing-1f2e", "billing-2a3b", ids=6)),
    ("", outbox("billing-1f2e", "billing-2a3b", apart=0)),
    ("", outbox("billing", "stock")),
    ("", outbox("billing", "billing")),
    ("RMQ-B54", divided((10, 16), (26, 4))),
    ("RMQ-B54", divided((15, 5), (20, 10))),
    ("", divided((10, 10), (20, 10), (30, 10))),
    ("", divided((30, 4), (34, 16))),
    ("", divided((10, 16), (26, 4), lost=False)),
    ("RMQ-B55", streams(*ANSWERS)),
    ("", streams(*ANSWERS[:3])),
    ("", streams(*ANSWERS, uses=False)),
    ("", streams(*ANSWERS, deletes=True)),
    ("", streams("audit", "billing", "stock", "orders")),
    ("RMQ-B56", published(*"aabbcc")),
    ("RMQ-B56", published(*"aabbccddee")),
    ("RMQ-B56", published("aabbcc", at_once=True)),
    ("", published("aabb", at_once=True)),
    ("", published("abcabc", at_once=True)),
    ("", published(*"aabb")),
    ("", published(*"aaaaaa")),
    ("", published(*"aabbcd")),
    ("", published(*"abcabc")),
]
"""The rules that find a fault, or none, and the connections."""


@every(
    ("at", "rules", "talks"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2]
)
def test_faults_and_near_misses(at: int, rules: str, talks: list[Talk], tmp_path: Path) -> None:
    """Each rule names its fault, alone among these rules."""
    del at
    found = {each.rule for each in findings(tmp_path, *talks)} & NAMES

    assert found == set(rules.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES
