"""Rules for how peers go on: faults, and near misses."""

from tests.failures import every
from tests.protocols.rsocket.script import (
    CHANNEL,
    CLIENT,
    DONE,
    ERROR,
    FAILED,
    METADATA,
    MS,
    NEXT,
    PAYLOAD,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    Scripts,
    number,
)
from tests.protocols.rsocket.traffic import entry, framed, payload, resume, setup

from streamshark.protocols.rsocket.findings.continuity import CONTINUITY
from streamshark.protocols.rsocket.types import COMPOSITE

COMPLETE = 0x40


def begun(*, answered: bool = True, data: str = "text/plain") -> Script:
    """SETUP, and a frame of the server perhaps."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, setup(data=data))
    if answered:
        talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    return talk


def stream(talk: Script, number_of: int = 1, kind: int = STREAM, flags: int = 0) -> None:
    """A request for eight payloads."""
    talk.say(CLIENT, framed(number_of, kind, flags, number(8) + b"prices of all rooms"))


def again(data: str, *, items: int = 1, wait: int = SECOND, metadata: str = COMPOSITE) -> Script:
    """A connection that is lost with an open stream, and the next SETUP."""
    talk = begun()
    stream(talk)
    for _ in range(items):
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    talk.event(SERVER, "close")
    talk.event(CLIENT, "close")
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.connect()
    talk.say(CLIENT, setup(metadata, data), wait)
    return talk


def brief(count: int, *, requests: int = 1, frames: int = 8) -> Script:
    """Connections with so many requests and frames each."""
    talk = Script()
    for at in range(count):
        if at:
            talk.another()
        talk.say(CLIENT, setup())
        for each in range(requests):
            stream(talk, 2 * each + 1)
        for _ in range(frames):
            talk.say(CLIENT, framed(1, 8, 0, number(1)))
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.say(SERVER, framed(1, PAYLOAD, COMPLETE))
    talk.close()
    return talk


def silent(
    kind: int = STREAM, wait: int = 2 * SECOND, *, answer: bytes = b"", beats: bool = True
) -> Script:
    """A stream that brings nothing, or an answer; the server sends other frames, or none."""
    talk = begun(answered=beats)
    stream(talk, kind=kind, flags=COMPLETE if kind == CHANNEL else 0)
    if answer:
        talk.say(SERVER, answer)
    talk.now += wait
    if beats:
        talk.say(SERVER, framed(0, 3, 0, bytes(8)))
    talk.close()
    return talk


def items(letters: str, kind: int = STREAM, length: int = 20) -> Script:
    """Items of a stream, one for each letter."""
    talk = begun()
    stream(talk, kind=kind)
    for each in letters:
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, each.encode() * length))
    talk.close()
    return talk


def counted(*numbers: object, form: str = "price %s", kind: int = STREAM) -> Script:
    """Items of a stream that have these numbers."""
    talk = begun()
    stream(talk, kind=kind)
    for each in numbers:
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, (form % each).encode()))
    talk.close()
    return talk


def one_by_one(*names: str, data: bytes = b"", wait: int = MS) -> Script:
    """Requests with a route each, one after the answer to the other."""
    talk = begun()
    for at, name in enumerate(names):
        route = entry(0x7E, bytes([len(name)]) + name.encode())
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, METADATA, payload(route, data)), wait)
        talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def pushed(pushes: int, requests: int) -> Script:
    """METADATA_PUSH frames that differ, and requests."""
    talk = begun()
    for at in range(max(pushes, requests)):
        if at < pushes:
            talk.say(CLIENT, framed(0, 12, METADATA, b"trace %d" % at))
        if at < requests:
            talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, b"q%d" % at))
            talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def unread(zeros: int) -> Script:
    """Requests to a server whose window was 0 so often."""
    talk = begun()
    for packet in range(zeros):
        talk.connection.flow.trouble[SERVER].see_zero_window((0, 0, packet))
    stream(talk)
    return talk


def on_two(*, open_: bool = True, data: bytes = b"prices of all rooms") -> Script:
    """A stream, and one on another connection while the first one is open, or is not."""
    talk = begun()
    stream(talk)
    talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    if not open_:
        talk.say(SERVER, framed(1, PAYLOAD, COMPLETE))
    talk.connect()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, setup())
    talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    talk.say(CLIENT, framed(1, STREAM, 0, number(8) + data))
    talk.close()
    return talk


def on_sessions(*, ends: str = "", refused: bool = False) -> Script:
    """A stream of a resumable session whose connection may be lost, and the same one of another."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, setup(token=b"a"))
    stream(talk)
    talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    if ends:
        talk.event(SERVER, ends)
        if ends == "close":
            talk.event(CLIENT, "close")
    for opening in (resume(b"a"), setup(token=b"b")) if refused else (setup(token=b"b"),):
        talk.connect()
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, opening)
        if opening != setup(token=b"b"):
            talk.say(SERVER, framed(0, ERROR, 0, number(4) + b"unknown token"))
            talk.event(SERVER, "close")
            talk.event(CLIENT, "close")
    talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    stream(talk)
    talk.close()
    return talk


def unread_answers(zeros: int, streams: int, *, wait: int = SECOND) -> Script:
    """Requests without answers of a client whose window was 0 so often."""
    talk = begun()
    for packet in range(zeros):
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, packet))
    for at in range(streams):
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, b"q%d" % at), wait)
    return talk


def outlives(wait: int, *, hears: bool = False) -> Script:
    """KEEPALIVE of a client that has heard nothing for some time."""
    talk = begun()
    talk.connection.flow.handshake_ns = (1, 1)
    if hears:
        talk.say(SERVER, framed(0, 3, 0, bytes(8)), wait)
    talk.say(CLIENT, framed(0, 3, 0x80, bytes(8)), SECOND if hears else wait)
    return talk


def unnoticed(wait: int, *, closes: bool = False) -> Script:
    """A connection that the server ends, while another one goes on."""
    talk = begun()
    talk.event(SERVER, "close")
    if closes:
        talk.event(CLIENT, "close")
    talk.connect()
    talk.say(CLIENT, setup(), wait)
    return talk


def refuses(said: bytes) -> Script:
    """A request that is refused with a text."""
    talk = begun()
    talk.say(CLIENT, framed(1, RESPONSE, 0, b"q"))
    talk.say(SERVER, framed(1, ERROR, 0, number(FAILED) + said))
    return talk


def piled_up(count: int, *, requests: int = 2, wait: int = 2 * SECOND) -> Script:
    """Connections that are not closed, each with some requests."""
    talk = Script()
    for at in range(count):
        if at:
            talk.connect()
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup())
        for each in range(requests):
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, b"q%d" % each))
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.say(CLIENT, framed(0, 3, 0x80, bytes(8)), wait)
        talk.say(SERVER, framed(0, 3, 0, bytes(8)))
    return talk


def logs_in(data: bytes, count: int = 1) -> Script:
    """Requests with data."""
    talk = begun()
    for at in range(count):
        said = data if at == count - 1 else b"nothing of interest"
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, said))
    return talk


def twice(count: int, *, cancels: bool = False) -> Script:
    """One stream requested several times, each brings something."""
    talk = begun()
    for at in range(count):
        stream(talk, 2 * at + 1)
        talk.say(SERVER, framed(2 * at + 1, PAYLOAD, NEXT, b"a"))
        talk.now += SECOND
        if cancels:
            talk.say(CLIENT, framed(2 * at + 1, 9, 0))
    talk.close()
    return talk


ORDERS = [f"orders.{each}" for each in range(10, 16)]
CASES: list[tuple[str, Scripts]] = [
    ("B70", lambda: (again("application/json"),
        again("text/plain"),
        again("application/json", items=0),
        again("application/json", wait=40 * SECOND),
    )),
    ("B70", lambda: (again("text/plain", metadata="text/plain"),)),
    ("B3c", lambda: (brief(4),
        brief(3), brief(4, requests=2), brief(4, frames=1), brief(4, frames=40))),
    ("B71", lambda: (silent(),
        silent(wait=SECOND // 2),
        silent(answer=framed(1, PAYLOAD, COMPLETE)),
        silent(answer=framed(1, ERROR, 0, number(FAILED) + b"no")),
        silent(answer=framed(1, PAYLOAD, NEXT, b"a")),
        silent(RESPONSE),
    )),
    ("B71", lambda: (silent(CHANNEL),)),
    ("B25b", lambda: (silent(beats=False), silent(wait=SECOND // 2, beats=False), silent())),
    ("B72", lambda: (items("aabbcc"),
        items("aabb"), items("aabbcd"), items("aaabbb"), items("abcabc"), items("aabbcc", length=2),
    )),
    ("B72", lambda: (items("xaabbcc", CHANNEL),)),
    ("B73", lambda: (items("a" * 8),
        items("a" * 7), items("a" * 7 + "b"), items("a" * 9, length=2))),
    ("B88", lambda: (counted(1, 2, 3, 4, 9),
        counted(1, 2, 3, 9),
        counted(*range(1, 9)),
        counted(1, 2, 3, 4, 1),
        counted(1, 5, 9, 4, 9),
        counted(1, 2, 3, 4, 5, "none", 6),
        counted(*[(9, each) for each in (56, 57, 58, 59)], (10, 0), form="%d:%d"),
        counted(*[(each // 3, each) for each in range(9)], form='{"page": %d, "id": %d}'),
        counted(*[1_700_000_000 + each for each in (0, 1, 2, 3, 5)]),
        counted(1, 2, 3, 4, 9, kind=RESPONSE),
    )),
    ("B88", lambda: (counted(7, 8, 9, 10, 10, form='{"id": %d, "of": 99}', kind=CHANNEL),)),
    ("B88", lambda: (counted(2, 1, 4, 3, 6, 5), counted(2, 1, 4, 3, 6, 9))),
    ("B74", lambda: (one_by_one(*ORDERS),
        one_by_one(*ORDERS[:4]),
        one_by_one(*["orders.10"] * 6),
        one_by_one(*"abcdef"),
        one_by_one(*ORDERS, data=b"q"),
        one_by_one(*ORDERS, wait=SECOND),
    )),
    ("M18", lambda: (logs_in(b'{"user": "a", "password": "b"}'),
        logs_in(b'{"user": "a", "password": ""}'),
        logs_in(b'{"user": "a", "passwords": "b"}'),
        logs_in(b'{"user": "a", "password": "b"}', 20),
    )),
    ("B77", lambda: (on_two(), on_two(open_=False), on_two(data=b"prices of one room"))),
    ("B77", lambda: (on_sessions(), on_sessions(ends="close"), on_sessions(ends="reset"),
        on_sessions(ends="close", refused=True), on_sessions(ends="reset", refused=True))),
    ("B78", lambda: (items("aaa", length=0),
        items("aa", length=0), items("aaa", RESPONSE, length=0))),
    ("B79", lambda: (unread_answers(3, 20),
        unread_answers(2, 20), unread_answers(3, 10), unread_answers(3, 20, wait=MS),
    )),
    ("B80", lambda: (outlives(111 * SECOND),
        outlives(109 * SECOND), outlives(109 * SECOND, hears=True),
    )),
    ("B82", lambda: (unnoticed(6 * SECOND),
        unnoticed(4 * SECOND), unnoticed(6 * SECOND, closes=True),
    )),
    ("S26", lambda: (refuses(b"TODO: say why"),
        refuses(b"no such order"), refuses(b"todolist is full"))),
    ("B81", lambda: (piled_up(4),
        piled_up(3), piled_up(4, requests=1), piled_up(4, wait=SECOND // 2),
    )),
    ("B75", lambda: (pushed(5, 5), pushed(4, 5), pushed(5, 9), pushed(5, 2))),
    ("B76", lambda: (unread(3), unread(2))),
    ("B18c", lambda: (twice(2), twice(1), twice(3), twice(2, cancels=True))),
]  # fmt: skip
"""Rule, a fault that it names, and near misses."""


@every(("at", "rule", "talks"), [(at, *each) for at, each in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: Scripts) -> None:
    """A rule names its fault once; near misses stay silent."""
    del at
    fault, *near = talks()
    assert len(fault.ends(f"RSK-{rule}")) == 1
    assert [each.ends(f"RSK-{rule}") for each in near] == [[]] * len(near)


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RSK-{rule}" for rule, *_ in CASES} == {each.id for each in CONTINUITY}
