"""Rules for where clients publish and read: faults, and near misses that stay silent."""

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

from streamshark.protocols.rabbitmq_stream.findings.placement import PLACEMENT

NAMES = {each.id for each in PLACEMENT}
GROUP = {"single-active-consumer": "true", "name": "app"}


def cluster(own: str, *, publish: bool, nodes: str = "abc", listed: bool = True) -> list[Talk]:
    """Metadata of a stream whose leader is on node a, and a client on one of the nodes."""
    talk = Talk(node=own)
    brokers = number(len(nodes)) + b"".join(
        number(at, 2) + text(f"node-{node}") + number(5552) for at, node in enumerate(nodes)
    )
    replicas = number(len(nodes) - 1) + b"".join(number(e, 2) for e in range(1, len(nodes)))
    stream = text("s") + number(1, 2) + number(0, 2) + replicas
    if listed:
        talk.ask(0x0F, number(1) + text("s"), brokers + number(1) + stream)
    if publish:
        talk.declare("s")
    else:
        talk.subscribe("s", 10)
    return [talk.leave()]


def singles(count: int, *, each: int = 1, publish: bool = True) -> list[Talk]:
    """Connections at once, with so many publishers or subscriptions each."""
    made = [Talk(40_000 + at, at * SECOND // 10) for at in range(count)]
    for talk in made:
        for own in range(each):
            if publish:
                talk.ask(1, number(own, 1) + text("") + text("s"))
            else:
                subscribe(talk, sid=own)
    return [talk.wait(5).leave() for talk in made]


def subscribe(
    talk: Talk,
    offset: int | None = None,
    stream: str = "s",
    sid: int = 1,
    given: dict[str, str] | None = None,
) -> None:
    """Subscribe, from the first message or from an offset on."""
    place = number(1, 2) if offset is None else number(4, 2) + number(offset, 8)
    pairs = given or {}
    more = number(len(pairs)) + b"".join(text(key) + text(value) for key, value in pairs.items())
    talk.ask(7, number(sid, 1) + text(stream) + place + number(10, 2) + more)


def query(talk: Talk, offset: int | None, stream: str = "s") -> None:
    """QueryOffset, with what is stored."""
    code = 19 if offset is None else 1
    talk.ask(0x0B, text("app") + text(stream), number(code, 2) + number(offset or 0, 8))


def store(talk: Talk, offset: int, stream: str = "s") -> None:
    """StoreOffset."""
    talk.say(CLIENT, 0x0A, text("app") + text(stream) + number(offset, 8))


def in_super_stream(stream: str, named: str) -> list[Talk]:
    """A member of a group of a partition, or of another stream."""
    talk = Talk()
    talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("all-0") + text("all-1"))
    subscribe(talk, stream=stream, given=GROUP | ({"super-stream": named} if named else {}))
    return [talk.leave()]


def runs(
    *,
    stored: int | None,
    asked: int | None,
    begins: int | None,
    lost: bool = False,
    named: bool = False,
) -> list[Talk]:
    """Thirty messages of which an offset was stored, and where the next run begins."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    given = {"name": "app"} if named else {}
    subscribe(one, given=given)
    for chunk in range(3):
        one.deliver(chunk * 10, 10)
    if stored is not None:
        store(one, stored)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    if asked is not None:
        query(other, asked)
    subscribe(other, begins, given=given)
    if stored is not None:
        other.deliver(begins or 0, 5)
        store(other, (begins or 0) + 4)
    return [one, other.leave()]


def manual(
    *, stores: bool, asks: bool = True, messages: int = 10, closes: bool = True
) -> list[Talk]:
    """A consumer that asks for its offset, and may store it."""
    talk = Talk()
    if asks:
        query(talk, None)
    subscribe(talk)
    talk.deliver(0, messages)
    if stores:
        store(talk, messages - 1)
    if closes:
        talk.leave()
    return [talk]


def foreign(found: int, begins: int, *, stream: str = "p", asks: bool = False) -> list[Talk]:
    """The offset of p, and a subscription to a stream."""
    talk = Talk()
    query(talk, found, "p")
    if asks:
        query(talk, found, stream)
    subscribe(talk, begins, stream)
    return [talk.leave()]


def foreign_group(found: int, begins: int, *, stream: str = "q") -> list[Talk]:
    """The offset of p, and a member of a group that becomes active for a stream."""
    talk = Talk()
    subscribe(talk, None, stream, given=GROUP)
    query(talk, found, "p")
    talk.say(SERVER, 0x1A, number(99) + b"\1\1")
    answer = number(99) + number(1, 2) + number(4, 2) + number(begins, 8)
    talk.say(CLIENT, 0x801A, answer)
    return [talk.leave()]


def stores_for(stream: str) -> list[Talk]:
    """A consumer of s that stores its offset under a name."""
    talk = Talk()
    subscribe(talk)
    talk.deliver(0, 10)
    store(talk, 9, stream)
    return [talk.leave()]


def group(begins: int, stored: int = 9) -> list[Talk]:
    """Two members of a group, of which the second one becomes active."""
    made = []
    for at, place in enumerate((None, begins)):
        talk = Talk(40_000 + at, at * 10 * SECOND)
        subscribe(talk, given=GROUP)
        talk.say(SERVER, 0x1A, number(99) + b"\1\1")
        kind = number(1, 2) if place is None else number(4, 2) + number(place, 8)
        talk.say(CLIENT, 0x801A, number(99) + number(1, 2) + kind)
        if place is None:
            for chunk in range(3):
                talk.deliver(chunk * 10, 10)
            store(talk, stored)
        made.append(talk.leave())
    return made


def again(times: int, offset: int, *, crashes: bool, read: int = 10, step: int = 0) -> list[Talk]:
    """Runs that begin at an offset, each of which is given messages."""
    made = []
    for at in range(times):
        talk = Talk(40_000 + at, at * 60 * SECOND)
        subscribe(talk, offset + at * step)
        if read:
            talk.deliver(offset + at * step - offset % 10, read)
        if crashes:
            talk.made.finish(CLIENT).finish(SERVER)
        else:
            talk.leave()
        made.append(talk)
    return made


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B49", cluster("node-a", publish=False)),
    ("", cluster("node-b", publish=False)),
    ("", cluster("node-a", publish=False, nodes="a")),
    ("", cluster("node-a", publish=False, listed=False)),
    ("RMQ-B49b", cluster("node-b", publish=True)),
    ("", cluster("node-a", publish=True)),
    ("", cluster("proxy", publish=True)),
    ("RMQ-B50", singles(8)),
    ("RMQ-B50", singles(8, publish=False)),
    ("", singles(7)),
    ("", singles(8, each=2)),
    ("RMQ-A12", in_super_stream("all-0", "all-0")),
    ("RMQ-A12", in_super_stream("all-0", "others")),
    ("", in_super_stream("all-0", "all")),
    ("", in_super_stream("s", "others")),
    ("", in_super_stream("all-0", "")),
    ("RMQ-B44", runs(stored=29, asked=None, begins=None)),
    ("RMQ-B44", runs(stored=29, asked=None, begins=0, lost=True)),
    ("RMQ-B44", runs(stored=29, asked=None, begins=None, named=True)),
    ("RMQ-B44", runs(stored=29, asked=None, begins=0, named=True)),
    ("RMQ-B44b", runs(stored=29, asked=None, begins=None, named=True, lost=True)),
    ("", runs(stored=None, asked=None, begins=None)),
    ("", runs(stored=1, asked=None, begins=None)),
    ("", runs(stored=29, asked=29, begins=30)),
    ("RMQ-B45", runs(stored=19, asked=19, begins=20)),
    ("RMQ-B45", runs(stored=19, asked=19, begins=19)),
    ("", runs(stored=28, asked=28, begins=29)),
    ("", runs(stored=19, asked=19, begins=20, lost=True)),
    ("RMQ-B46", manual(stores=False)),
    ("", manual(stores=True)),
    ("", manual(stores=False, asks=False)),
    ("", manual(stores=False, messages=2)),
    ("", manual(stores=False, closes=False)),
    ("RMQ-B47", foreign(40, 41, stream="q")),
    ("RMQ-B47", foreign(40, 40, stream="q")),
    ("RMQ-B47", foreign_group(40, 41)),
    ("", foreign_group(40, 41, stream="p")),
    ("", foreign(40, 41)),
    ("", foreign(40, 41, stream="q", asks=True)),
    ("", foreign(40, 70, stream="q")),
    ("RMQ-B48", stores_for("orders")),
    ("", stores_for("s")),
    ("RMQ-A6e", group(10)),
    ("RMQ-A6e", group(9)),
    ("", group(30, stored=29)),
    ("RMQ-B51", again(3, 45, crashes=True)),
    ("RMQ-B51b", again(3, 45, crashes=False)),
    ("", again(2, 45, crashes=True)),
    ("", again(3, 45, crashes=True, read=0)),
    ("", again(3, 45, crashes=True, step=10)),
]
"""The rules that find a fault, or none, and the connections."""


@every(
    ("at", "rules", "talks"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2]
)
def test_faults_and_near_misses(at: int, rules: str, talks: list[Talk], tmp_path: Path) -> None:
    """Each rule names its fault, alone among the rules about places."""
    del at
    found = {each.rule for each in findings(tmp_path, *talks)} & NAMES

    assert found == set(rules.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES
