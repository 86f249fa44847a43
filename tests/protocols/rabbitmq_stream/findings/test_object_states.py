"""Rules for the state of offsets, ids, names and super streams: faults, and near misses."""

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

from streamshark.protocols.rabbitmq_stream.findings.object_states import OBJECT_STATES

NAMES = {each.id for each in OBJECT_STATES}


def subscribe(
    talk: Talk, kind: int, offset: int | None = None, given: dict[str, str] | None = None
) -> Talk:
    """Subscribe with an offset specification, and properties."""
    place = number(kind, 2) + (b"" if offset is None else number(offset, 8))
    pairs = given or {}
    more = number(len(pairs)) + b"".join(text(key) + text(value) for key, value in pairs.items())
    talk.ask(7, b"\1" + text("s") + place + number(10, 2) + more)
    return talk


def query(talk: Talk, found: int | None, name: str = "app") -> Talk:
    """QueryOffset, and what is stored."""
    code = 19 if found is None else 1
    talk.ask(0x0B, text(name) + text("s"), number(code, 2) + number(found or 0, 8))
    return talk


def resumes(  # noqa: PLR0913 - what may come between the question and the start
    found: int | None,
    kind: int,
    offset: int | None = None,
    *,
    wait: float = 0,
    former: bool = False,
    others: tuple[str, ...] = (),
    stores: bool = False,
    apart: bool = False,
) -> list[Talk]:
    """A client that asks for its offset, and begins somewhere."""
    talk = Talk()
    if former:
        subscribe(talk, 1)
        talk.deliver(0, 10)
        talk.ask(0x0C, b"\1")
    query(talk, found)
    for name in others:
        query(talk, found, name)
    if stores:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(3, 8))
    reader = Talk(40_001, SECOND) if apart else talk
    subscribe(reader.wait(wait), kind, offset)
    reader.deliver(offset or 0, 5)
    return [each.leave() for each in ((talk, reader) if apart else (talk,))]


def becomes_active(
    found: int, kind: int, offset: int | None = None, *, active: int = 1, early: bool = False
) -> list[Talk]:
    """A single active consumer that asks for its offset, and answers ConsumerUpdate."""
    talk = Talk()
    if early:
        query(talk, found)
    subscribe(talk, 1, given={"single-active-consumer": "true", "name": "app"})
    talk.say(SERVER, 0x1A, number(7) + b"\1" + number(active, 1))
    if not early:
        query(talk, found)
    place = number(kind, 2) + (b"" if offset is None else number(offset, 8))
    talk.say(CLIENT, 0x801A, number(7) + number(1, 2) + place)
    return [talk.leave()]


def continues(last: int, first: int, reference: str, *, asks: str = "ref") -> list[Talk]:
    """A client that asks for a reference's last id, and publishes."""
    talk = Talk()
    talk.declare("s", reference)
    talk.ask(5, text(asks) + text("s"), number(1, 2) + number(last, 8))
    talk.publish(first, 3)
    return [talk.leave()]


def early(key: int, body: bytes, *, waits: bool) -> list[Talk]:
    """A publisher and a subscription that are used before or after they are confirmed."""
    talk = Talk()
    asked = {2: (1, b"\1" + text("") + text("s")), 9: (7, b"\1" + text("s") + b"\0\1\0\5")}[key]
    talk.say(CLIENT, asked[0], number(77) + asked[1])
    if not waits:
        talk.say(CLIENT, key, body)
    talk.say(SERVER, 0x8000 | asked[0], number(77) + number(1, 2))
    if waits:
        talk.say(CLIENT, key, body)
    talk.say(SERVER, 3, b"\1" + number(1) + number(0, 8)) if key == 2 else talk.deliver(0, 3)
    return [talk.leave()]


def members(*singles: str, names: str = "aa", leaves: bool = False) -> list[Talk]:
    """Subscriptions of consumer names, single active ones or not."""
    talks = []
    for at, (single, name) in enumerate(zip(singles, names, strict=True)):
        talk = Talk(40_000 + at, at * SECOND)
        shown = {"single-active-consumer": single} if single else {}
        subscribe(talk, 1, given=shown | {"name": name})
        talks.append(talk.wait(0 if leaves else 5).leave())
    return talks


def stores_as(*names: str, own: str = "app") -> list[Talk]:
    """A consumer with a name that stores its offset."""
    talk = subscribe(Talk(), 1, given={"name": own} if own else {})
    talk.deliver(0, 10)
    for at, name in enumerate(names):
        talk.say(CLIENT, 0x0A, text(name) + text("s") + number(8 + at, 8))
    return [talk.leave()]


def deletes(name: str, *, reads: bool = False, ends: bool = False) -> list[Talk]:
    """A super stream whose partition is used, and that is deleted."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    one.ask(0x19, text("all"), number(1, 2) + number(1) + text("s"))
    if reads:
        subscribe(one, 1)
    else:
        one.declare("s")
    other.ask(0x1E, text(name))
    return [one.wait(0 if ends else 5).leave(), other.leave()]


def sifted(*values: str, filters: str = "x", unfiltered: str = "") -> list[Talk]:
    """Publishers of three messages each, with a filter value or none, and a filter."""
    talks = []
    for at, value in enumerate(values):
        talk = Talk(40_000 + at)
        talk.declare("s")
        for own in range(3):
            message = number(own, 8) + (text(value) if value else b"") + number(1) + b"m"
            frame = number(2, 2) + number(2 if value else 1, 2) + b"\1" + number(1) + message
            talk.made.send(CLIENT, number(len(frame)) + frame)
            talk.say(SERVER, 3, b"\1" + number(1) + number(own, 8))
        talks.append(talk.leave())
    given = {"filter.0": filters} if filters else {}
    given |= {"match-unfiltered": unfiltered} if unfiltered else {}
    reader = subscribe(Talk(40_010), 1, given=given)
    reader.deliver(0, 3)
    return [*talks, reader.leave()]


def uses(key: int, body: bytes, *listed: int, version: int = 1, publishes: int = 2) -> list[Talk]:
    """A broker that lists some commands, and a client that uses one."""
    talk = Talk()
    commands = b"".join(
        number(each, 2) + number(1, 2) + number(publishes if each == 2 else 1, 2) for each in listed
    )
    if listed:
        talk.ask(0x1B, number(0), number(1, 2) + number(len(listed)) + commands)
    talk.declare("s")
    if key == 2:
        frame = number(2, 2) + number(version, 2) + body
        talk.made.send(CLIENT, number(len(frame)) + frame)
        talk.say(SERVER, 3, b"\1" + number(1) + number(0, 8))
    else:
        talk.ask(key, body, number(1, 2) + number(0))
    return [talk.leave()]


PLAIN = b"\1" + number(1) + number(0, 8) + number(1) + b"m"
FILTERED = b"\1" + number(1) + number(0, 8) + text("x") + number(1) + b"m"
CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B57", resumes(50, 1)),
    ("RMQ-B57", resumes(50, 4, 20, apart=True)),
    ("RMQ-B57", becomes_active(50, 1)),
    ("", resumes(50, 4, 50)),
    ("", resumes(50, 4, 51)),
    ("", resumes(50, 5, 1_700_000_000_000)),
    ("", resumes(50, 1, former=True)),
    ("", resumes(50, 1, wait=20)),
    ("", resumes(50, 1, others=("other",))),
    ("", resumes(50, 1, stores=True)),
    ("", becomes_active(50, 4, 51)),
    ("", becomes_active(50, 1, active=0)),
    ("RMQ-B57b", resumes(50, 4, 52)),
    ("RMQ-B57b", resumes(0, 4, 60)),
    ("RMQ-B57b", becomes_active(50, 4, 52)),
    ("", becomes_active(50, 4, 52, early=True)),
    ("", resumes(50, 4, 52, former=True)),
    ("", resumes(None, 4, 52)),
    ("RMQ-B57c", resumes(50, 3)),
    ("RMQ-B57c", resumes(50, 2)),
    ("RMQ-B57c", becomes_active(50, 3)),
    ("", resumes(None, 3)),
    ("RMQ-B59", resumes(None, 4, 1)),
    ("RMQ-B59", resumes(None, 4, 1, apart=True)),
    ("", resumes(None, 4, 0)),
    ("", resumes(None, 1)),
    ("", resumes(0, 4, 1)),
    ("RMQ-I13", continues(50, 51, "")),
    ("RMQ-I13", continues(50, 51, "other")),
    ("", continues(50, 51, "ref")),
    ("", continues(50, 0, "other")),
    ("", continues(0, 1, "other")),
    ("RMQ-I6c", continues(50, 50, "ref")),
    ("RMQ-I6c", continues(1, 1, "ref")),
    ("", continues(50, 40, "ref")),
    ("", continues(0, 0, "ref")),
    ("RMQ-I1c", early(2, PLAIN, waits=False)),
    ("", early(2, PLAIN, waits=True)),
    ("RMQ-I5c", early(9, b"\1\0\1", waits=False)),
    ("", early(9, b"\1\0\1", waits=True)),
    ("RMQ-A16", members("true", "")),
    ("RMQ-A16", members("", "true")),
    ("RMQ-A16", members("true", "false")),
    ("", members("true", "true")),
    ("", members("", "")),
    ("", members("true", "", names="ab")),
    ("", members("true", "", leaves=True)),
    ("RMQ-B60", stores_as("other")),
    ("RMQ-B60", stores_as("x", "x")),
    ("", stores_as("app")),
    ("", stores_as("other", "app")),
    ("", stores_as("other", own="")),
    ("RMQ-B40b", deletes("all")),
    ("RMQ-B40b", deletes("all", reads=True)),
    ("", deletes("others")),
    ("", deletes("all", ends=True)),
    ("RMQ-B58", sifted("x", "")),
    ("RMQ-B58", sifted("", "x", filters="y")),
    ("", sifted("x", "y")),
    ("", sifted("", "")),
    ("", sifted("x", "", filters="")),
    ("", sifted("x", "", unfiltered="true")),
    ("RMQ-V8", uses(0x1C, text("s"), 1, 2, 7)),
    ("RMQ-V8", uses(2, FILTERED, 1, 2, 7, version=2, publishes=1)),
    ("", uses(0x1C, text("s"), 1, 2, 28)),
    ("", uses(0x1C, text("s"))),
    ("", uses(2, FILTERED, 1, 2, 7, version=2)),
    ("", uses(2, PLAIN, 1, 2, 7, publishes=1)),
]
"""The rules that find a fault, or none, and the connections."""


@every(
    ("at", "rules", "talks"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2]
)
def test_faults_and_near_misses(at: int, rules: str, talks: list[Talk], tmp_path: Path) -> None:
    """Each rule names its fault, alone among the rules about states."""
    del at
    found = {each.rule for each in findings(tmp_path, *talks)} & NAMES

    assert found == set(rules.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES
