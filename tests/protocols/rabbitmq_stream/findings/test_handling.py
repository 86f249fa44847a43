"""Rules for what programs do with messages that they read: faults, and near misses."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.play import found, play
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.handling import HANDLING

NAMES = {each.id for each in HANDLING}


def described(
    name: str = "", answers: str = "", group: str = "", step: int = 0, *, body: bytes = b"m"
) -> bytes:
    """A message of AMQP 1.0 with an id, a correlation id, or a group and a place in it."""
    items = [b"\x40"] * 12
    for place, value in ((0, name), (5, answers), (10, group)):
        if value:
            items[place] = b"\xa1" + number(len(value), 1) + value.encode()
    if group:
        items[11] = b"\x52" + number(step, 1)
    data = b"".join(items)
    properties = b"\xc0" + number(len(data) + 1, 1) + number(len(items), 1) + data
    return b"\0\x53\x73" + properties + b"\0\x53\x75\xa0" + number(len(body), 1) + body


def send(talk: Talk, at: int, *bodies: bytes) -> None:
    """Messages of publisher 1 in one frame, and their confirm."""
    made = b"".join(number(at + n, 8) + number(len(body)) + body for n, body in enumerate(bodies))
    talk.say(CLIENT, 2, b"\1" + number(len(bodies)) + made)
    ids = b"".join(number(at + n, 8) for n in range(len(bodies)))
    talk.say(SERVER, 3, b"\1" + number(len(bodies)) + ids)


def steps(*order: str, apart: float = 0.02, streams: str = "ss", groups: bool = True) -> list[Talk]:
    """Steps of groups by two connections in turn: `a0 b1`, a group and a place in it."""
    talks = [Talk(), Talk(40_001)]
    for talk, stream in zip(talks, streams, strict=True):
        talk.declare(stream)
    for talk in talks:
        talk.made.time_ns = 1_700_000_005 * SECOND
    for at, frame in enumerate(order):
        talk = talks[at % 2]
        talk.made.time_ns = 1_700_000_005 * SECOND + int(at * apart * SECOND)
        made = [
            described(group=each[0] if groups else "", step=int(each[1:])) for each in frame.split()
        ]
        send(talk, at * 10, *made)
    return [talk.wait(1).leave() for talk in talks]


def stored(*places: int, chunks: tuple[int, ...] = (0, 11, 22, 33), size: int = 10) -> list[Talk]:
    """Chunks of ten messages with an offset between them that no message has."""
    talk = Talk()
    talk.subscribe("s", 10)
    for each in chunks:
        talk.deliver(each, size)
    for each in places:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(each, 8))
    return [talk.leave()]


def copied(
    count: int, *, back: bool = True, own: bool = False, length: int = 20, ring: bool = False
) -> list[Talk]:
    """Messages that are published to a stream, copied to another one, and copied back."""
    first, there, here = Talk(), Talk(40_001), Talk(40_002)
    first.declare("a")
    for at in range(count):
        send(first, at, b"%02d" % at + b"x" * length)
    for talk, source, target in ((there, "a", "b"), (here, "c" if ring else "b", "a")):
        talk.wait(5 if talk is there else 9).subscribe(source, 10)
        talk.declare(target)
        if own and talk is here:
            send(talk, 900, b"a message of its own to begin with")
        for at in range(count):
            body = b"%02d" % at + b"x" * length
            talk.deliver(at, bodies=(body,))
            if talk is there or back:
                send(talk, at, body)
    return [first.leave(), there.leave(), here.leave()]


def tried_again(count: int) -> list[Talk]:
    """Messages that are read and published to their own stream again."""
    first, again = Talk(), Talk(40_001)
    first.declare("a")
    again.wait(5).subscribe("a", 10)
    again.declare("a")
    for at in range(count):
        body = b"%02d of the messages that fail" % at
        send(first, at, body)
        again.deliver(at, bodies=(body,))
        send(again, at, body)
    return [first.leave(), again.leave()]


def worked(
    answered: int, store: int, *, messages: int = 8, resumes: int | None = None, late: bool = False
) -> list[Talk]:
    """Messages with an id, of which the first have a result; the rest, after the restart."""
    one, other, out = Talk(), Talk(40_001, 9 * SECOND), Talk(40_002)
    out.declare("results")
    send(out, 900, described("ready"))
    one.wait(1).subscribe("s", 10)
    for at in range(messages):
        one.deliver(at, bodies=(described(f"job-{at}"),))
    out.wait(2)
    for at in range(answered):
        send(out, at, described(answers=f"job-{at}"))
    one.say(CLIENT, 0x0A, text("app") + text("s") + number(store, 8))
    one.wait(3).made.reset(CLIENT)
    begins = store + 1 if resumes is None else resumes
    other.ask(7, b"\1" + text("s") + number(4, 2) + number(begins, 8) + number(10, 2) + number(0))
    out.wait(9)
    for at in range(answered if late else store + 1, messages):
        other.deliver(at, bodies=(described(f"job-{at}"),))
        send(out, 100 + at, described(answers=f"job-{at}"))
    return [one, other.wait(9).leave(), out.leave()]


def dropped(
    count: int, *, step: int = 0, wait: float = 0, credit: bool = False, closes: bool = False
) -> list[Talk]:
    """Connections that the client drops after a chunk."""
    made = [Talk(40_000 + at, at * 5 * SECOND) for at in range(count)]
    for at, talk in enumerate(made):
        talk.subscribe("s", 2)
        talk.deliver(0, 10 + at * step)
        if credit:
            talk.say(CLIENT, 9, b"\1" + number(1, 2))
        talk.wait(wait)
        if closes:
            talk.leave()
        else:
            talk.made.finish(CLIENT).finish(SERVER)
    return made


def chunks(early: int, late: int, *, credited: int = 0, stays: float = 2) -> list[Talk]:
    """A consumer whose first chunks come with the answer to Subscribe; later ones get Credit."""
    talk = Talk()
    talk.subscribe("s", 10)
    for each in range(early + late):
        if each == early:
            talk.wait(0.5)
        talk.deliver(each)
        if each >= early or each < credited:
            talk.say(CLIENT, 9, b"\1" + number(1, 2))
    return [talk.wait(stays).leave()]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B190", steps("a0 b0", "a2", "a1 b2", "b1")),
    ("RMQ-B190", steps("b0 a0", "a3", "b2", "a1", "a2", "b1 b3")),
    ("", steps("a0 b0", "a1", "b1", "a2 b2")),
    ("", steps("a0 b0", "a2", "a1 b1", "b2")),  # one group alone
    ("", steps("a0 b0", "a2", "a1 b2", "b1", apart=0.001)),
    ("", steps("a0 b0", "a2", "a1 b2", "b1", streams="st")),
    ("", steps("a0 b0", "a1", "b1", "a0", "b0")),  # again
    ("", steps("a8 b8", "a9", "b9", "a0", "b0", "a1")),  # begins anew
    ("", steps("a0 b0", "a2", "a1 b2", "b1", groups=False)),
    ("RMQ-B256", chunks(2, 6)),
    ("RMQ-B256", chunks(1, 9, stays=30)),
    ("", chunks(2, 6, credited=2)),
    ("", chunks(3, 6, credited=1)),
    ("", chunks(2, 1)),
    ("", chunks(2, 6, stays=0.1)),
    ("RMQ-B192", stored(10, 21)),
    ("RMQ-B192", stored(20, 41, chunks=(0, 21, 42), size=20)),
    ("", stored(10)),
    ("", stored(9, 20, 31, 42)),
    ("", stored(5, 15, 25)),
    ("", stored(10, 15, chunks=(0, 40), size=10)),  # removed by retention, or filtered
    ("RMQ-B191", copied(4)),
    ("RMQ-B191", copied(6, ring=True)),
    ("", copied(3)),
    ("", copied(6, back=False)),
    ("", copied(6, own=True)),
    ("", copied(6, length=4)),
    ("", tried_again(9)),
    ("RMQ-B222", dropped(3)),
    ("RMQ-B222", dropped(5)),
    ("", dropped(2)),
    ("", dropped(3, step=1)),
    ("", dropped(3, wait=0.1)),
    ("", dropped(3, credit=True)),
    ("", dropped(3, closes=True)),
    ("RMQ-B193", worked(4, 6)),
    ("RMQ-B193", worked(3, 4)),
    ("", worked(7, 6)),
    ("", worked(4, 3)),
    ("", worked(4, 4)),  # one that may need none
    ("", worked(2, 6)),
    ("", worked(4, 6, resumes=4)),
    ("", worked(4, 6, late=True)),
]
"""What is told of some connections, if it is one of these rules."""


@every(("at", "rule", "talks"), [(at, *case) for at, case in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: list[Talk], tmp_path: Path) -> None:
    """A rule names its fault; near misses stay silent."""
    folder = tmp_path / str(at)
    folder.mkdir()
    told = {each.rule for each in findings(folder, *talks)}
    assert told & NAMES == set(rule.split())


HANGS = "d9:s @1 s1:s=g%*4 A1 a1 @2 s1:s=g%*4 @1 " + "@0 p9 C9 @1 M1 +20 c1 " * 5
FED = "@0 p9 C9 @1 M1 M1 M1 " + "@0 +900 p9 C9 " * 9
HUNG: tuple[tuple[str, bool], ...] = (
    (f"{HANGS} {FED} @1 +500 -c -s", True),
    (f"{HANGS} {FED} @2 +500 -c -s @1 -r", True),
    (f"{HANGS} @0 p9 C9 @1 M1 M1 M1 c1 c1 c1 {'@0 +900 p9 C9 @1 M1 c1 ' * 9} -c -s", False),
    (f"{HANGS} @0 p9 C9 @1 M1 M1 M1 +9000 -c -s", False),  # nothing is published
    (f"{HANGS} @2 u1 @1 {FED} @1 -c -s", False),  # alone
    (f"{HANGS.replace('%', '')} {FED} @1 -c -s", False),
)
"""Words of a group, and whether its active consumer hangs."""


@every(("talk", "hangs"), HUNG, ids=str)
def test_active_consumers_that_hang(talk: str, *, hangs: bool) -> None:
    """While another member waits and messages are published."""
    assert ("RMQ-B194" in found(play(talk))) == hangs


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {rule for rule, _ in CASES if rule} | {"RMQ-B194"} == NAMES
