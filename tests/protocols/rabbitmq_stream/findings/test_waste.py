"""Rules for clients that waste: what is left open or unused, small frames, round trips."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import (
    behaviours,
    connections,
    lookups,
    single,
    store,
    stored,
    subscribe,
)
from tests.protocols.rabbitmq_stream.talk import CLIENT, SECOND, SERVER, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.waste import LEFT_OPEN, WASTE


def publishers(count: int, messages: int) -> list[Talk]:
    """Publishers that are declared, used and deleted."""
    talk = Talk()
    for each in range(count):
        talk.declare("s")
        talk.publish(each * messages, messages)
        talk.ask(6, b"\1")
    return [talk.leave()]


def numbered(count: int, *, first: int = 0, reused: bool = False) -> list[Talk]:
    """Publishers with ids that rise, each deleted before the next one is declared."""
    talk = Talk()
    for each in range(first, count):
        talk.ask(1, number(each, 1) + text("") + text("s"))
        ids = [number(publishing, 8) for publishing in range(12)]
        messages = b"".join(one + number(1) + b"m" for one in ids)
        talk.say(CLIENT, 2, number(each, 1) + number(12) + messages)
        talk.say(SERVER, 3, number(each, 1) + number(12) + b"".join(ids))
        talk.ask(6, number(each, 1))
        if reused and each == 40:
            talk.ask(1, number(3, 1) + text("") + text("s"))
    return [talk.leave()]


def readers(count: int, chunks: int) -> list[Talk]:
    """Subscriptions that end after some chunks."""
    talk = Talk()
    for each in range(count):
        subscribe(talk, 4, each * chunks)
        for chunk in range(chunks):
            talk.deliver(each * chunks + chunk)
        talk.ask(0x0C, b"\1")
    return [talk.leave()]


def unused(count: int, used: int) -> list[Talk]:
    """Publishers of which the first ones publish."""
    talk = Talk()
    for each in range(count):
        talk.ask(1, number(each, 1) + text("") + text("s"))
    for each in range(used):
        talk.say(CLIENT, 2, number(each, 1) + number(1) + number(1, 8) + number(1) + b"m")
        talk.say(SERVER, 3, number(each, 1) + number(1) + number(1, 8))
    return [talk.leave()]


def left(count: int, messages: int, *, seconds: float = 9) -> list[Talk]:
    """Connections with a publisher each, open until the captures end."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * SECOND // 10)
        talk.declare("s")
        talk.publish(1, messages)
        made.append(talk.wait(seconds))
        talk.say(CLIENT, 23, b"")
    return made


def kept(count: int, *, closes: bool = False, used: bool = False, apart: float = 0) -> list[Talk]:
    """Connections that only send Heartbeat, and end together, without Close."""
    made = []
    for each in range(count):
        talk = Talk(50_000 + each, each * SECOND // 10)
        if used:
            talk.declare("s")
            talk.publish(1, 9)
        talk.wait(5).say(CLIENT, 23, b"")
        talk.wait(2 - each * (0.1 - apart))
        if closes:
            talk.leave()
        else:
            talk.made.finish(CLIENT).finish(SERVER)
        made.append(talk)
    return made


def one_by_one(count: int, *, step: int = 1) -> list[Talk]:
    """Offsets stored on a connection that reads nothing."""
    talk = Talk()
    talk.ask(0x0F, number(1) + text("s"))
    for each in range(count):
        store(talk, each * step)
    return [talk.leave()]


def readers_left(count: int, *, ended: bool) -> list[Talk]:
    """Subscriptions to one stream on connections that stay open."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * SECOND // 10)
        subscribe(talk)
        talk.deliver(0)
        if ended:
            talk.ask(0x0C, b"\1")
        made.append(talk.wait(2))
    return made


def replaced(offset: int, *, ended: bool) -> list[Talk]:
    """A consumer that is started again where it has got to."""
    talk = Talk()
    subscribe(talk)
    talk.deliver(0, 10)
    if ended:
        talk.ask(0x0C, b"\1")
    subscribe(talk, 4, offset, sid=2)
    if not ended:
        talk.deliver(10, 10)
    return [talk.leave()]


def alone(count: int, records: int) -> list[Talk]:
    """Sub-batches of some messages."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        data = (number(1) + b"m") * records
        entry = b"\x80" + number(records, 2) + number(len(data)) * 2 + data
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + entry)
        talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))
    return [talk.leave()]


def idle(count: int, working: int) -> list[Talk]:
    """Connections that do nothing for a while, and others that publish."""
    made = [Talk(50_000 + each).wait(5).leave() for each in range(count)]
    return [*made, *connections(working, messages=9)]


def doubled(*, ended: bool) -> list[Talk]:
    """A consumer that is started again."""
    talk = Talk()
    subscribe(talk)
    if ended:
        talk.ask(0x0C, b"\1")
    subscribe(talk, sid=2)
    if not ended:
        talk.deliver(0)
    return [talk.leave()]


def credited(window: int) -> list[Talk]:
    """Chunks, each followed by one credit."""
    talk = Talk()
    talk.subscribe("s", window)
    for each in range(25):
        talk.deliver(each)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
    return [talk.leave()]


def split(count: int, *, at: int) -> list[Talk]:
    """Frames that are written in two parts."""
    talk = Talk()
    for each in range(count):
        frame = number(15) + number(0x0C, 2) + number(1, 2) + number(each) + b"\1" + b"x" * 6
        for part in (frame[:at], frame[at:]):
            if part:
                talk.made.send(CLIENT, part)
    return [talk.leave()]


def waited(count: int, *, seconds: float = 0) -> list[Talk]:
    """Messages, each after the confirm of the one before."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        talk.publish(each, 1)
        talk.wait(seconds)
    return [talk.leave()]


def same_name(*names: str, ended: bool = False, more: bytes = b"", used: bool = True) -> list[Talk]:
    """Consumers of names, each on its own connection; the first one receives more at the end."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        said = text("name") + text(name) if name else b""
        subscribe(talk, more=number(bool(name) + bool(more)) + said + more)
        talk.deliver(0)
        if ended:
            talk.ask(0x0C, b"\1")
        made.append(talk.wait(5))
    if used and not ended:
        made[0].deliver(1)
    return [each.leave() for each in made]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B2", publishers(3, 1)),
    ("", publishers(5, 2)),
    ("", publishers(2, 1)),
    ("RMQ-B98", numbered(256)),
    ("RMQ-B98", numbered(256, first=64)),
    ("", numbered(255)),
    ("", numbered(256, reused=True)),
    ("", numbered(256, first=200)),
    ("RMQ-B3", readers(3, 1)),
    ("", readers(5, 2)),
    ("RMQ-B4", unused(12, 1)),
    ("", unused(12, 8)),
    ("RMQ-B5", idle(3, 3)),
    ("RMQ-B5", idle(3, 5)),
    ("", idle(2, 2)),
    ("", idle(3, 20)),
    ("RMQ-B5b", kept(4)),
    ("RMQ-B5 RMQ-B5b", [*kept(7), *connections(2, messages=9)]),
    ("", kept(3)),
    ("", kept(4, closes=True)),
    ("", kept(4, used=True)),
    ("", kept(4, apart=3)),
    ("RMQ-B6", doubled(ended=False)),
    ("", doubled(ended=True)),
    ("RMQ-B22", split(10, at=4)),
    ("", split(10, at=0)),
    ("", waited(25, seconds=0.1)),
    ("RMQ-B6b", replaced(10, ended=False)),
    ("", replaced(10, ended=True)),
    ("RMQ-B19", left(3, 1)),
    ("", left(2, 1)),
    ("", left(4, 2)),
    ("RMQ-B20", readers_left(4, ended=False)),
    ("", readers_left(3, ended=False)),
    ("", readers_left(4, ended=True)),
    ("RMQ-B7b", alone(10, 1)),
    ("", alone(10, 2)),
    ("RMQ-B7", single(60, at_once=True)),
    ("RMQ-B23", single(60, at_once=False)),
    ("", single(10, at_once=True)),
    ("RMQ-B8 RMQ-B8b", stored(1)),
    ("RMQ-B8b", one_by_one(21)),
    ("RMQ-B8b", one_by_one(30, step=2)),
    ("", one_by_one(19)),
    ("", one_by_one(60, step=50)),
    ("", stored(10)),
    ("RMQ-B9", credited(1)),
    ("", credited(10)),
    ("RMQ-B10", lookups(10)),
    ("", lookups(10, wait=1)),
    ("RMQ-B38", same_name("jobs", "jobs")),
    ("", same_name("jobs", "bills")),
    ("", same_name("", "")),
    ("", same_name("jobs", "jobs", used=False)),
    ("", same_name("jobs", "jobs", ended=True)),
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
    assert {each.id for each in (*LEFT_OPEN, *WASTE)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
