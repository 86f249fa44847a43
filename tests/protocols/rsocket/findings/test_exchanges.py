"""Rules for how requests, answers and demand are used: faults, and near misses."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.rsocket.script import (
    CANCEL,
    CHANNEL,
    CLIENT,
    DONE,
    ERROR,
    FAILED,
    FNF,
    METADATA,
    MS,
    NEXT,
    PAYLOAD,
    REJECTED_SETUP,
    REQUEST_N,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    number,
)
from tests.protocols.rsocket.traffic import entry, framed, payload, resume, resume_ok, setup

from streamshark.dissection.row import EventRow
from streamshark.framing.splitter import PacketRef
from streamshark.protocols.rsocket.findings.exchanges import EXCHANGES

COMPLETE = 0x40
ROUTE, AUTHENTICATION = 0x7E, 0x7C
UNBOUNDED = 0x7FFF_FFFF


def route(name: str, more: bytes = b"") -> bytes:
    """Metadata with a route."""
    return entry(ROUTE, bytes([len(name)]) + name.encode()) + more


def begun(metadata: bytes = b"", lifetime: int = 90_000) -> Script:
    """SETUP, perhaps with metadata."""
    talk = Script()
    made = setup().replace(number(90_000), number(lifetime))[3:]
    if metadata:
        flags = (int.from_bytes(made[4:6], "big") | METADATA).to_bytes(2, "big")
        made = made[:4] + flags + made[6:] + payload(metadata, b"")
    talk.say(CLIENT, len(made).to_bytes(3, "big") + made)
    talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    return talk


def request(talk: Script, stream: int, kind: int, metadata: bytes, data: bytes = b"q") -> None:
    """A request with metadata."""
    demand = number(8) if kind in (STREAM, CHANNEL) else b""
    talk.say(CLIENT, framed(stream, kind, METADATA, demand + payload(metadata, data)))


def modelled(served: int, asked: int, name: str = "orders", *, said: bytes = b"no") -> Script:
    """A route that is served as one model and refused as another one."""
    talk = begun()
    request(talk, 1, served, route("orders"))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    request(talk, 3, asked, route(name))
    talk.say(SERVER, framed(3, ERROR, 0, number(FAILED) + said))
    return talk


def channels(count: int, *, items: int = 3, ends: int = COMPLETE) -> Script:
    """Channels with several payloads of the responder."""
    talk = begun()
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, CHANNEL, ends, number(9) + b"q"))
        if not ends:
            talk.say(SERVER, framed(stream, REQUEST_N, 0, number(9)))
            talk.say(CLIENT, framed(stream, PAYLOAD, DONE, b"r"))
        for at in range(items):
            talk.say(SERVER, framed(stream, PAYLOAD, DONE if at == items - 1 else NEXT, b"a"))
    talk.close()
    return talk


def empty(count: int, *, names: int = 1, answer: int = COMPLETE) -> Script:
    """Requests that are completed, each with data of its own."""
    talk = begun()
    for each in range(count):
        request(talk, 2 * each + 1, RESPONSE, route(f"orders-{each % names}"), number(each))
        body = b"" if answer == COMPLETE else b"a"
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, answer, body))
    talk.close()
    return talk


def given_up(
    count: int, wait: int, *, answered: int = 0, alike: bool = False, again: bool = False
) -> Script:
    """Requests that are cancelled after different times, or alike; others are answered.

    With `again`, each is sent again then, and answered.
    """
    talk = begun()
    for each in range(count):
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
        if answered and each % answered == 0:
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        else:
            talk.say(
                CLIENT,
                framed(2 * each + 1, CANCEL, 0),
                wait if alike else wait * (4 + each % 3) // 4,
            )
            if again:
                stream = 2 * (count + each) + 1
                talk.say(CLIENT, framed(stream, RESPONSE, 0, number(each)))
                talk.say(SERVER, framed(stream, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def resumed(
    count: int,
    *,
    kind: int = RESPONSE,
    before: bool = True,
    served: bool = False,
    beats: bool = True,
    wait: int = SECOND,
) -> Script:
    """A session that is resumed, with requests that are cancelled after that."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"t"))
    talk.say(CLIENT, framed(1, RESPONSE, 0, b"q"))
    if before:
        talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.another()
    talk.say(CLIENT, resume(b"t", 7))
    talk.say(SERVER, resume_ok(7))
    for each in range(count):
        stream = 2 * each + 3
        demand = number(8) if kind == STREAM else b""
        talk.say(CLIENT, framed(stream, kind, 0, demand + b"q%d" % each))
        if served and each == 1:
            talk.say(SERVER, framed(stream, PAYLOAD, DONE, b"a"))
        else:
            talk.say(CLIENT, framed(stream, CANCEL, 0), wait)
        if beats:
            talk.say(SERVER, framed(0, 3, 0, bytes(8)))
    talk.close()
    return talk


def unheard(
    count: int, *, keepalive: int = 900_000, wait: int = SECOND, heard: bool = False
) -> Script:
    """Requests that are given up on a connection whose server has fallen silent, or has not."""
    talk = Script()
    made = setup().replace(number(20_000), number(keepalive))
    talk.say(CLIENT, made)
    talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    for each in range(count):
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
        talk.say(CLIENT, framed(2 * each + 1, CANCEL, 0), wait)
        if heard:
            talk.say(SERVER, framed(0, 3, 0x80, bytes(8)))
    talk.close()
    return talk


def in_series(
    answers: int, *, apart: int = 400 * MS, last: int = 0, together: bool = True
) -> Script:
    """Requests that are answered one after the other, of which the last one is given up."""
    talk = begun()
    for each in range(answers + 1):
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
        if not together:
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"), apart)
    for each in range(answers if together else 0):
        late = last if each == answers - 1 and last else apart
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"), late)
    talk.say(CLIENT, framed(2 * answers + 1, CANCEL, 0), 200 * MS)
    talk.close()
    return talk


def ended(*, by: int = SERVER, streams: int = 1, error: bool = False) -> Script:
    """A connection that ends while streams are open."""
    talk = begun()
    for each in range(streams):
        talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, number(9) + b"q"))
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, NEXT, b"a"))
    if error:
        talk.say(SERVER, framed(0, ERROR, 0, number(0x102) + b"bye"))
    talk.event(by, "close")
    talk.event(1 - by, "close")
    return talk


def drained(batches: int, size: int = 4, *, early: int = 0) -> Script:
    """A stream whose demand is renewed when so many payloads are left of it."""
    talk = begun()
    talk.say(CLIENT, framed(1, STREAM, 0, number(size + early) + b"q"))
    for _ in range(batches):
        for _ in range(size):
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(size)))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def unread(demand: int, *, zeros: int = 5) -> Script:
    """A requester that has no room for more bytes."""
    talk = begun()
    talk.say(CLIENT, framed(1, STREAM, 0, number(demand) + b"q"))
    for packet in range(zeros):
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, packet))
    talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    return talk


def sized(size: int, side: int = CLIENT) -> Script:
    """A request, or its answer, of so many bytes."""
    talk = begun()
    talk.say(CLIENT, framed(1, RESPONSE, 0, bytes(size if side == CLIENT else 1)))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, bytes(size if side == SERVER else 1)))
    return talk


def closed(code: int) -> Script:
    """A WebSocket that the server closes after a large request."""
    talk = begun()
    talk.say(CLIENT, framed(1, RESPONSE, 0, bytes(70_000)))
    place = PacketRef([talk.packet], (talk.now, 0, talk.packet))
    row = EventRow(talk.connection, SERVER, talk.offsets[SERVER], place, "close", {"code": code})
    row.protocol = "websocket"
    talk.engine.see(row)
    return talk


def carrying(metadata: bytes, data: bytes = b"q", *, in_setup: bool = False) -> Script:
    """A request, or SETUP, with metadata."""
    if in_setup:
        return begun(metadata)
    talk = begun()
    request(talk, 1, RESPONSE, metadata, data)
    return talk


def refused(user: bytes, password: bytes, *, in_setup: bool = True, token: bytes = b"") -> Script:
    """Credentials that are refused."""
    content = b"\x80" + len(user).to_bytes(2, "big") + user + password
    credentials = entry(AUTHENTICATION, b"\x81" + token if token else content)
    if in_setup:
        talk = begun(credentials)
        talk.say(SERVER, framed(0, ERROR, 0, number(REJECTED_SETUP) + b"denied"))
        return talk
    talk = begun()
    request(talk, 1, RESPONSE, route("orders", credentials))
    talk.say(SERVER, framed(1, ERROR, 0, number(FAILED) + b"denied"))
    return talk


def sent(*questions: bytes, kind: int = RESPONSE, other: int = 0, fails: bool = False) -> Script:
    """Requests in a row, each second one perhaps of another model."""
    talk = begun()
    for at, question in enumerate(questions):
        model = other if other and at % 2 else kind
        demand = number(8) if model == STREAM else b""
        talk.say(CLIENT, framed(2 * at + 1, model, 0, demand + question))
        if fails:
            talk.say(SERVER, framed(2 * at + 1, ERROR, 0, number(FAILED) + b"later"))
    return talk


def replicas(*jobs: bytes, wait: int = MS, kind: int = RESPONSE, alike: bool = True) -> Script:
    """Two connections, on both of which each job is requested."""
    talk = begun()
    one, offsets = talk.connection, talk.offsets
    talk.connect()
    talk.say(CLIENT, setup())
    for at, job in enumerate(jobs):
        for flow in (1, 0):
            body = job if alike or flow else job + b"!"
            talk.say(CLIENT, framed(2 * at + 1, kind, 0, body), wait)
            one, talk.connection = talk.connection, one
            offsets, talk.offsets = talk.offsets, offsets
            talk.flow = 1 - talk.flow
    return talk


def emptied(
    count: int, *, filled: bool = True, metadata: bytes = b"", refused_: bool = True
) -> Script:
    """Streams with data, each followed by one without it."""
    talk = begun()
    for at in range(count):
        first, second = 4 * at + 1, 4 * at + 3
        if filled:
            talk.say(CLIENT, framed(first, STREAM, 0, number(8) + number(at)))
            talk.say(SERVER, framed(first, PAYLOAD, DONE, b"a"))
        flags = METADATA if metadata else 0
        body = payload(metadata, b"") if metadata else b""
        talk.say(CLIENT, framed(second, STREAM, flags, number(8) + body))
        answer = framed(second, ERROR, 0, number(FAILED) + b"no symbol")
        talk.say(SERVER, answer if refused_ else framed(second, PAYLOAD, DONE, b"a"))
    return talk


def overflowed(count: int, *, demand: int = 2, items: int = 2) -> Script:
    """Streams that end with ERROR after some payloads."""
    talk = begun()
    for at in range(count):
        stream = 2 * at + 1
        talk.say(CLIENT, framed(stream, STREAM, 0, number(demand) + b"ticks"))
        for _ in range(items):
            talk.say(SERVER, framed(stream, PAYLOAD, NEXT, b"a"))
        talk.say(SERVER, framed(stream, ERROR, 0, number(FAILED) + b"lack of requests"))
    return talk


def demanded(first: int, more: int = 8) -> Script:
    """A stream with a demand, and more of it."""
    talk = begun()
    talk.say(CLIENT, framed(1, STREAM, 0, number(first) + b"q"))
    talk.say(CLIENT, framed(1, REQUEST_N, 0, number(more)))
    return talk


def kept_alive(interval: int) -> Script:
    """SETUP with an interval of KEEPALIVE."""
    talk = Script()
    talk.say(CLIENT, setup().replace(number(20_000), number(interval)))
    return talk


TURNED = 10 << 24
NAME = b"message/x.rsocket.routing.v0"
CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("M19", lambda: (modelled(STREAM, RESPONSE), modelled(RESPONSE, RESPONSE))),
    ("M19", lambda: (modelled(RESPONSE, STREAM), modelled(RESPONSE, STREAM, "bills"))),
    (
        "M19",
        lambda: (modelled(RESPONSE, STREAM, "bills",
                          said=b"Destination 'x' does not support STREAM"),
        modelled(STREAM, STREAM)),
    ),
    ("B33c", lambda: (channels(4), channels(3), channels(4, items=1), channels(4, ends=0))),
    ("B53", lambda: (empty(3), empty(2), empty(4, names=2), empty(3, answer=DONE))),
    ("B54", lambda: (given_up(4, 300 * MS), given_up(3, 300 * MS), given_up(4, 100 * MS))),
    ("B54", lambda: (given_up(9, SECOND, answered=5), given_up(9, SECOND, answered=3))),
    ("B54b", lambda: (given_up(12, SECOND, answered=2),
        given_up(7, SECOND, answered=2), given_up(9, SECOND), given_up(12, 100 * MS, answered=2))),
    ("B54b", lambda: (given_up(12, 2 * SECOND, answered=3),)),
    ("B140", lambda: (resumed(4),
        resumed(3), resumed(6, before=False), resumed(6, served=True), resumed(6, beats=False),
        resumed(6, wait=100 * MS))),
    ("B140", lambda: (resumed(9, kind=STREAM), given_up(9, SECOND))),
    ("B54c", lambda: (unheard(4),
        unheard(3), unheard(4, keepalive=20_000), unheard(4, heard=True),
        unheard(4, wait=100 * MS))),
    ("B54c", lambda: (unheard(9, keepalive=86_400_000, wait=3 * SECOND),)),
    ("B54d", lambda: (in_series(3),
        in_series(2), in_series(3, apart=50 * MS), in_series(3, last=2 * SECOND),
        in_series(3, together=False))),
    ("B54d", lambda: (in_series(6, apart=150 * MS),)),
    ("B55", lambda: (ended(), ended(by=CLIENT), ended(streams=0), ended(error=True))),
    ("C7e", lambda: (begun(lifetime=25_000), begun(lifetime=40_000), begun(lifetime=20_000))),
    ("B11c", lambda: (drained(4), drained(3), drained(6, early=2), drained(6, 1), drained(6, 40))),
    ("B35c", lambda: (unread(UNBOUNDED), unread(UNBOUNDED, zeros=0), unread(99))),
    ("B56", lambda: (sized(1_000_000), sized(900_000))),
    ("B56", lambda: (sized(1_000_000, SERVER), sized(70_000, SERVER))),
    ("W4", lambda: (closed(1009), closed(1000))),
    ("M20", lambda: (carrying(NAME), carrying(route("orders")))),
    ("M20", lambda: (carrying(bytes([len(NAME)]) + NAME), carrying(b"message.x.rsocket"))),
    ("M20", lambda: (carrying(b"application/json", in_setup=True), carrying(b"{}", in_setup=True))),
    ("M21", lambda: (carrying(route("orders"), b"eyJvcmRlciI6IDd9"),
        carrying(route("orders"), b"eyJ"))),
    ("M22", lambda: (refused(b"app", b"secret\n"), refused(b"app", b"secret"))),
    (
        "M22",
        lambda: (refused(b"${USER}", b"secret", in_setup=False),
        refused(b"app", b"x", in_setup=False)),
    ),
    ("M22", lambda: (refused(b"", b"", token=b"undefined"), refused(b"", b"", token=b"opaque"))),
    ("B59", lambda: (sent(*(b"%d" % (e // 2) for e in range(6))),
        sent(*(b"%d" % (e // 2) for e in range(4))),
        sent(*(b"%d" % (e // 2) for e in range(6)), other=STREAM),
        sent(*(b"%d" % (e // 2) for e in range(6)), fails=True))),
    ("B59", lambda: (sent(*(b"%d" % (e // 2) for e in range(6)), kind=STREAM),
        sent(*[b"ping"] * 9), sent(*(b"%d" % (e % 3) for e in range(9))),
        sent(b"a", b"a", b"b", b"b", b"c", b"d", b"d"))),
    ("B60", lambda: (replicas(b"a", b"b", b"c"),
        replicas(b"a", b"b"), replicas(b"a", b"b", b"c", alike=False))),
    ("B60", lambda: (replicas(b"a", b"b", b"c", kind=FNF),
        replicas(b"a", b"b", b"c", wait=2 * SECOND))),
    ("M23", lambda: (emptied(1), emptied(1, filled=False), emptied(1, refused_=False))),
    ("M23b", lambda: (emptied(3), emptied(2), emptied(3, metadata=route("ping")))),
    ("B57", lambda: (overflowed(1), overflowed(1, demand=9), overflowed(1, items=0))),
    ("B57b", lambda: (overflowed(3), overflowed(2), overflowed(3, demand=9))),
    ("B58", lambda: (demanded(TURNED), demanded(UNBOUNDED), demanded(1_000_000), demanded(256))),
    ("B58", lambda: (demanded(8, TURNED), demanded(8, 1 << 16))),
    ("B58", lambda: (kept_alive(0x204E0000), kept_alive(20_000), kept_alive(86_400_000))),
]  # fmt: skip
"""A rule, a talk that it names, and near misses."""


@every(
    ("at", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_faults_and_near_misses(
    at: int, rule: str, talks: Callable[[], tuple[Script, ...]]
) -> None:
    """Each rule names its fault, and not what looks like it."""
    del at

    wrong, *right = talks()
    assert wrong.ends(f"RSK-{rule}")
    assert [each.ends(f"RSK-{rule}") for each in right] == [[] for _ in right]


def test_every_rule_has_a_fault_and_a_near_miss() -> None:
    """No rule is untested."""
    assert {f"RSK-{each}" for each, *_ in CASES} == {each.id for each in EXCHANGES}
