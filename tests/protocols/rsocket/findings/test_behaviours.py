"""Rules for what peers do over time: each names its fault and leaves near misses alone."""

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
    FOLLOWS,
    KEEPALIVE,
    METADATA,
    MS,
    NEXT,
    PAYLOAD,
    PUSH,
    REJECTED,
    REJECTED_SETUP,
    REQUEST_N,
    RESPOND,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    number,
)
from tests.protocols.rsocket.traffic import framed, resume, resume_ok, setup

from streamshark.dissection.row import EventRow
from streamshark.framing.splitter import PacketRef
from streamshark.protocols.rsocket.findings.behaviours import BEHAVIOURS


def refused(count: int, wait: int = MS, *, alike: bool = True, code: int = REJECTED) -> Script:
    """Requests that are answered with an ERROR."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, RESPONSE, 0, b"q" if alike else number(each)), wait)
        talk.say(SERVER, framed(stream, ERROR, 0, number(code) + b"not now"))
    return talk


def refused_setup(count: int, wait: int = MS) -> Script:
    """Connections that are refused."""
    talk = Script()
    for _ in range(count):
        talk.say(CLIENT, setup(), wait)
        talk.say(SERVER, framed(0, ERROR, 0, number(REJECTED_SETUP) + b"no room"))
        talk.another()
    return talk


def connections(count: int, requests: int) -> Script:
    """Connections one after the other."""
    talk = Script()
    for _ in range(count):
        talk.say(CLIENT, setup())
        for each in range(requests):
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.another()
    return talk


def beats(count: int, wait: int) -> Script:
    """KEEPALIVEs that want an answer, where SETUP promised one every 20 s."""
    talk = Script()
    talk.say(CLIENT, setup())
    for _ in range(count):
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), wait)
    return talk


def held_up(pause: int, count: int) -> Script:
    """KEEPALIVEs in time, and after a pause of some intervals of 20 s several at once."""
    talk = beats(3, 20 * SECOND)
    talk.now += pause * 20 * SECOND
    for _ in range(count):
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), MS)
    return talk


def replaced(
    count: int, *, alike: bool = False, wait: int = MS, lasts: int = SECOND, demand: int = 999,
    route: bytes = b"",
) -> Script:  # fmt: skip
    """Streams that are cancelled, each by the request of the next one."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count + 1):
        stream, data = 2 * each + 1, b"list" if alike else b"list %d" % each
        flags = METADATA if route else 0
        body = number(demand) + (len(route).to_bytes(3, "big") + route if route else b"") + data
        talk.say(CLIENT, framed(stream, STREAM, flags, body), wait)
        talk.say(SERVER, framed(stream, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(stream, CANCEL, 0), lasts)
    return talk


def two_timers(count: int, *gaps: int) -> Script:
    """KEEPALIVEs of a client that announces one every 20 s, with gaps in seconds in turn."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        wait = gaps[each % len(gaps)] * SECOND
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), wait)
    return talk


def called(count: int, *, left: int = 2 * SECOND, model: int = RESPONSE, more: int = 0) -> Script:
    """Connections of one request each, which are left open for a while, and others of three."""
    talk = Script()
    for at in range(count + more):
        talk.say(CLIENT, setup())
        for each in range(1 if at < count else 3):
            talk.say(CLIENT, framed(2 * each + 1, model, 0, number(each)))
            if model == RESPONSE:
                talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.now += left
        talk.another()
    return talk


def announced(interval: int) -> Script:
    """SETUP with an interval of KEEPALIVE in milliseconds."""
    talk = Script()
    talk.say(CLIENT, setup().replace(number(20_000), number(interval)))
    return talk


def idle(count: int, *, wait: int = 2 * SECOND, requests: int = 1) -> Script:
    """Connections that are open at the end of the captures, each after a few requests."""
    talk = Script()
    for _ in range(count):
        talk.say(CLIENT, setup())
        for each in range(requests):
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), wait)
        talk.say(SERVER, framed(0, KEEPALIVE, 0, bytes(8)))
        for row in talk.connection.finish():
            talk.engine.see(row)
        talk.connect()
    return talk


def cancelled(count: int, wait: int = MS) -> Script:
    """Requests that are cancelled."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    for each in range(count):
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each)))
        talk.say(CLIENT, framed(2 * each + 1, CANCEL, 0), wait)
    talk.close()
    return talk


def pending(count: int, *, side: int = CLIENT, wait: int = 2 * SECOND) -> Script:
    """Requests without an answer, and others with one."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        talk.say(side, framed(2 * each + 1 + side, RESPONSE, 0, number(each)))
    talk.say(CLIENT, framed(99, RESPONSE, 0, b"x"), wait)
    talk.say(SERVER, framed(99, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def tokens(first: bytes, second: bytes, *, ended: bool = False) -> Script:
    """Two sessions, the first of which goes on."""
    talk = Script()
    talk.say(CLIENT, setup(token=first))
    talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    one, offsets = talk.connection, talk.offsets
    if ended:
        talk.close()
    talk.connect()
    talk.say(CLIENT, setup(token=second))
    if not ended:
        two, own = talk.connection, talk.offsets
        talk.connection, talk.offsets, talk.flow = one, offsets, 0
        talk.say(CLIENT, framed(1, RESPONSE, 0, b"x"))
        talk.close()
        talk.connection, talk.offsets, talk.flow = two, own, 1
    talk.close()
    return talk


def requested(count: int, each: int = 1) -> Script:
    """A stream whose payloads are requested by some at a time."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, number(each) + b"q"))
    for _ in range(count):
        for _ in range(each):
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(each)))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def demanded_late(count: int, wait: int = 100 * MS) -> Script:
    """REQUEST_N after a stream has completed."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, number(4) + b"q"))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    for _ in range(count):
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(4)), wait)
    return talk


def route(number_: int) -> bytes:
    """Metadata, before data."""
    return (1).to_bytes(3, "big") + bytes([number_])


def routed(count: int, wait: int = MS, *, routes: int = 1, code: int = REJECTED) -> Script:
    """Requests of some routes, each with data of its own, that are refused."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream, body = 2 * each + 1, route(each % routes) + number(each)
        talk.say(CLIENT, framed(stream, RESPONSE, METADATA, body), wait)
        talk.say(SERVER, framed(stream, ERROR, 0, number(code) + b"no handler"))
    return talk


def bare(
    count: int, *, asks: int = CLIENT, served: int = -1, said: bytes = b"no", wait: int = MS
) -> Script:
    """Requests without metadata of one side, which are refused, all or all but one."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1 + asks
        talk.say(asks, framed(stream, RESPONSE, 0, b"q%d" % each), wait)
        if each == served:
            talk.say(1 - asks, framed(stream, PAYLOAD, DONE, b"a"))
        else:
            said_now = said % each if b"%d" in said else said
            talk.say(1 - asks, framed(stream, ERROR, 0, number(FAILED) + said_now))
    return talk


def given_up(count: int, *, alike: bool = True, answered: bool = False, wait: int = 0) -> Script:
    """Requests that are cancelled after a while."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    for each in range(count):
        data = b"q" if alike else number(each)
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, data), MS + wait)
        if answered:
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.say(CLIENT, framed(2 * each + 1, CANCEL, 0), 250 * MS)
    return talk


def answered(
    count: int, *, questions: int = 1, answers: int = 1, wait: int = MS, batch: int = 1
) -> Script:
    """Requests that are answered, so many at a time."""
    talk = Script()
    talk.say(CLIENT, setup())
    for first in range(0, count, batch):
        for each in range(first, first + batch):
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, number(each % questions)), wait)
        for each in range(first, first + batch):
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, number(each % answers)))
    return talk


def sent(kind: int, count: int, *, alike: bool = True, wait: int = MS) -> Script:
    """REQUEST_FNF or METADATA_PUSH one after the other."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream, flags = (0, METADATA) if kind == PUSH else (2 * each + 1, 0)
        data = b"news" if alike else number(each)
        talk.say(CLIENT, framed(stream, kind, flags, data), wait)
    return talk


def first_taken(count: int, payloads: int = 1) -> Script:
    """Streams that are cancelled after some payloads."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, STREAM, 0, number(9) + number(each)))
        for _ in range(payloads):
            talk.say(SERVER, framed(stream, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(stream, CANCEL, 0))
    return talk


def running(count: int, *, alike: bool = True, cancels: bool = False, wait: int = SECOND) -> Script:
    """Streams that are requested one after the other."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        if cancels and each:
            talk.say(CLIENT, framed(2 * each - 1, CANCEL, 0))
        data = b"q" if alike else number(each)
        talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, number(99) + data), wait)
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, NEXT, b"a"))
    talk.close()
    return talk


def resumed(*, alike: bool = True, token: bytes = b"t") -> Script:
    """A stream, and another one on the next connection."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"t"))
    talk.say(CLIENT, framed(1, STREAM, 0, number(99) + b"q"))
    talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    talk.another()
    if token == b"t":
        talk.say(CLIENT, resume(token, 7))
        talk.say(SERVER, resume_ok(11))
    else:
        talk.say(CLIENT, setup(token=token))
        talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    talk.say(CLIENT, framed(3, STREAM, 0, number(99) + (b"q" if alike else b"r")))
    return talk


def fresh(count: int, *, resumes: bool = False, leaves: bool = True, wait: int = SECOND) -> Script:
    """Sessions begun anew, each of which is lost with a stream."""
    talk = Script()
    for each in range(count):
        if resumes and each:
            talk.say(CLIENT, resume(bytes([each])))
            talk.say(SERVER, framed(0, ERROR, 0, number(4) + b"gone"))
            talk.another()
        talk.say(CLIENT, setup(token=bytes([each + 1])), wait)
        talk.say(CLIENT, framed(1, STREAM, 0, number(99) + b"q"))
        if not leaves:
            talk.say(CLIENT, framed(1, CANCEL, 0))
        talk.another()
    return talk


def channel(*frames: tuple[int, int, bytes], wait: int = 2 * SECOND, granted: int = 9) -> Script:
    """A channel with a payload of the requester, other frames, and silence."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, CHANNEL, 0, number(9) + b"q"))
    talk.say(SERVER, framed(1, REQUEST_N, 0, number(granted)))
    talk.say(CLIENT, framed(1, PAYLOAD, NEXT, b"a"))
    for side, flags, data in frames:
        talk.say(side, framed(1, PAYLOAD, flags, data))
    talk.now += wait
    talk.close()
    return talk


def granted_singly(count: int, each: int = 1) -> Script:
    """A channel whose requester may send some payloads at a time."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, CHANNEL, 0, number(9) + b"q"))
    for _ in range(count):
        talk.say(SERVER, framed(1, REQUEST_N, 0, number(each)))
        for _ in range(each):
            talk.say(CLIENT, framed(1, PAYLOAD, NEXT, b"a"))
    talk.say(CLIENT, framed(1, PAYLOAD, DONE, b"a"))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def fragmented(count: int, size: int) -> Script:
    """A request in fragments."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, RESPONSE, FOLLOWS, bytes(size)))
    for each in range(count - 1):
        last = each == count - 2
        talk.say(CLIENT, framed(1, PAYLOAD, NEXT if last else NEXT | FOLLOWS, bytes(size)))
    return talk


def cancelled_late(count: int, wait: int = 10 * MS) -> Script:
    """Streams that are cancelled after they have completed."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, number(9) + number(each)))
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
        talk.say(CLIENT, framed(2 * each + 1, CANCEL, 0), wait)
    return talk


def demanded(*numbers: int) -> Script:
    """A stream with these requests for payloads."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, number(numbers[0]) + b"q"))
    for each in numbers[1:]:
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(each)))
    return talk


def unheard(*, wait: int = 2 * SECOND, hears: bool = False, model: int = RESPONSE) -> Script:
    """A server that accepts the connection and says nothing."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, setup())
    talk.now += 2 * SECOND
    if model:
        talk.say(CLIENT, framed(1, model, 0, b"q" if model != STREAM else number(9) + b"q"))
    if hears:
        talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    talk.now += wait
    talk.close()
    return talk


def resume_unheard(*, wait: int = 2 * SECOND, hears: bool = False) -> Script:
    """RESUME without an answer."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, resume(b"t"))
    if hears:
        talk.say(SERVER, resume_ok(0))
    talk.now += wait
    talk.close()
    return talk


def acknowledged(*positions: int, payloads: bool = True) -> Script:
    """KEEPALIVEs of a session that can be resumed, with payloads of the server between."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"t"))
    talk.say(CLIENT, framed(1, STREAM, 0, number(99) + b"q"))
    for each in positions:
        if payloads:
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        else:
            talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, each.to_bytes(8, "big")))
    return talk


def acknowledged_by_server(*positions: int, requests: bool = True) -> Script:
    """KEEPALIVEs of the server in a session that can be resumed, with requests between."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"t"))
    for at, each in enumerate(positions):
        if requests:
            talk.say(CLIENT, framed(2 * at + 1, FNF, 0, b"a"))
        else:
            talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)))
        talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, each.to_bytes(8, "big")))
    return talk


def heard(talk: Script) -> None:
    """Show that bytes of both sides are captured."""
    talk.say(SERVER, framed(0, KEEPALIVE, RESPOND, bytes(8)))
    talk.say(CLIENT, framed(0, KEEPALIVE, 0, bytes(8)))


def broken(count: int, *, wait: int = MS, alike: bool = True) -> Script:
    """Connections that the server ends with an ERROR."""
    talk = Script()
    for each in range(count):
        talk.say(CLIENT, setup(), wait)
        talk.say(CLIENT, framed(1, RESPONSE, 0, b"q"))
        talk.say(SERVER, framed(0, ERROR, 0, number(257) + (b"no" if alike else number(each))))
        talk.another()
    return talk


def again_after_loss(
    streams: int, requested_: int, *, wait: int = 3 * SECOND, token: bytes = b"", first: int = 1
) -> Script:
    """A connection that the server ends during its streams, and the next one."""
    talk = Script()
    talk.say(CLIENT, setup(token=token))
    heard(talk)
    for each in range(streams):
        talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, number(99) + number(each)))
        talk.say(SERVER, framed(2 * each + 1, PAYLOAD, NEXT, b"a"))
    for side in (SERVER, CLIENT) if first else (CLIENT, SERVER):
        talk.event(side, "close")
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.connect()
    talk.say(CLIENT, setup(token=token and b"u"))
    heard(talk)
    for each in range(requested_):
        talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, number(99) + bytes([each])))
    talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), wait)
    talk.close()
    return talk


def set_up_again(*, before: bytes = b"user", after: bytes = b"", lost: bool = True) -> Script:
    """SETUP with some data, a stream, and the SETUP of the next connection."""
    talk = Script()
    talk.say(CLIENT, _with_data(before))
    talk.say(CLIENT, framed(1, STREAM, 0, number(99) + b"q"))
    if lost:
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
    for side in (SERVER, CLIENT):
        talk.event(side, "close")
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.connect()
    talk.say(CLIENT, _with_data(after))
    return talk


def _with_data(data: bytes) -> bytes:
    """SETUP with data."""
    bare = setup()[3:] + data
    return len(bare).to_bytes(3, "big") + bare


def closed_early(*, wait: int = MS, answered_: bool = False) -> Script:
    """A request, and the end of the connection."""
    talk = Script()
    talk.say(CLIENT, setup())
    heard(talk)
    talk.say(CLIENT, framed(1, RESPONSE, 0, b"q"))
    if answered_:
        talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.say(CLIENT, framed(0, KEEPALIVE, 0, bytes(8)), wait)
    talk.close()
    return talk


def responded(wait: int, model: int = RESPONSE, *, error: bool = False) -> Script:
    """A request whose response comes later."""
    talk = Script()
    talk.say(CLIENT, setup())
    more = b"" if model == RESPONSE else number(9)
    talk.say(CLIENT, framed(1, model, 0, more + b"q"))
    if error:
        talk.say(SERVER, framed(1, ERROR, 0, number(0x201) + b"slow"), wait)
    else:
        talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"), wait)
    return talk


def brief_channels(count: int, payloads: int = 1) -> Script:
    """Channels that carry some payloads back."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, CHANNEL, 0x40, number(9) + number(each)))
        for left in range(payloads, 0, -1):
            talk.say(SERVER, framed(stream, PAYLOAD, DONE if left == 1 else NEXT, b"a"))
    talk.close()
    return talk


def written(count: int, *, parts: int, whole: int = 0) -> Script:
    """Requests, some of which come in several packets."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count + whole):
        data = framed(2 * each + 1, FNF, 0, number(each))
        pieces = parts if each < count else 1
        for at in range(pieces):
            talk.say(CLIENT, data[at * 3 : at * 3 + 3] if at < pieces - 1 else data[at * 3 :])
    talk.close()
    return talk


def wanted(count: int, each: int, *, payloads: int = 1, first: int = 5) -> Script:
    """A stream for whose payloads more is requested."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, number(first) + b"q"))
    for _ in range(count):
        for _ in range(payloads):
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(each)))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    talk.close()
    return talk


def echoed(channels: int, *items: bytes, fragments: bool = False) -> Script:
    """Channels: the first item in the request, the others as payloads, each with its number."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(channels):
        stream, first = 2 * each + 1, items[0] % each if b"%" in items[0] else items[0]
        begin = FOLLOWS if fragments else 0
        talk.say(CLIENT, framed(stream, CHANNEL, begin, number(9) + first))
        talk.say(SERVER, framed(stream, REQUEST_N, 0, number(9)))
        for item in items[1:]:
            data = item % each if b"%" in item else item
            talk.say(CLIENT, framed(stream, PAYLOAD, NEXT, data))
        talk.say(CLIENT, framed(stream, PAYLOAD, 0x40, b""))
        talk.say(SERVER, framed(stream, PAYLOAD, DONE, b"a"))
    return talk


def resent(received: int, again: tuple[int, ...], kind: int = FNF) -> Script:
    """Requests, of which the server has received some; then RESUME, and some sent again."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"token"))
    requests = [framed(2 * each + 1, kind, 0, b"do %d" % each) for each in range(4)]
    for each in requests:
        talk.say(CLIENT, each)
    talk.another()
    talk.say(CLIENT, resume(b"token"))
    talk.say(SERVER, resume_ok(received * (len(requests[0]) - 3)))
    for each in again:
        talk.say(CLIENT, requests[each])
    talk.say(CLIENT, framed(11, kind, 0, b"new"))
    return talk


def resent_by_server(received: int, *again: bytes) -> Script:
    """Items of a stream, of which the client has received some; then RESUME, and other items."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"token"))
    request = framed(1, STREAM, 0, number(99) + b"q")
    talk.say(CLIENT, request)
    items = [framed(1, PAYLOAD, NEXT, b"item %d" % each) for each in range(4)]
    for each in items:
        talk.say(SERVER, each)
    talk.another()
    talk.say(CLIENT, resume(b"token", received * (len(items[0]) - 3)))
    talk.say(SERVER, resume_ok(len(request) - 3))
    for each in again or items[received:]:
        talk.say(SERVER, each)
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"last"))
    return talk


def abandoned(
    count: int, *, alike: bool = True, wait: int = SECOND, reason: bytes = b"No keep-alive acks"
) -> Script:
    """Connections that the client ends with an ERROR."""
    talk = Script()
    for each in range(count):
        talk.say(CLIENT, setup(), wait)
        talk.say(CLIENT, framed(1, STREAM, 0, number(9) + number(each)))
        text = reason if alike else number(each)
        talk.say(CLIENT, framed(0, ERROR, 0, number(257) + text))
        talk.another()
    return talk


def resumed_again(count: int, *, requests: int = 0) -> Script:
    """Connections that continue one session, and end."""
    talk = Script()
    talk.say(CLIENT, setup(token=b"t"))
    for _ in range(count):
        talk.another()
        talk.say(CLIENT, resume(b"t"))
        talk.say(SERVER, resume_ok(0))
        for each in range(requests):
            talk.say(CLIENT, framed(2 * each + 1, FNF, 0, b"x"))
    talk.another()
    return talk


def cut_short(
    count: int, *, demand: int = 2**31 - 1, wait: int = MS, completes: bool = False, later: int = MS
) -> Script:
    """Streams that are cancelled after five payloads, or when they have just completed."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, STREAM, 0, number(demand) + number(each)), wait)
        for at in range(5):
            flags = DONE if completes and at == 4 else NEXT
            talk.say(SERVER, framed(stream, PAYLOAD, flags, b"a"))
        talk.say(CLIENT, framed(stream, CANCEL, 0), later)
    return talk


def shredded(count: int, *, pieces: int = 4, size: int = 70) -> Script:
    """Requests in several fragments each."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, RESPONSE, FOLLOWS, bytes(size)))
        for left in range(pieces - 1, 0, -1):
            more = FOLLOWS if left > 1 else 0
            talk.say(CLIENT, framed(stream, PAYLOAD, NEXT | more, bytes(size)))
    return talk


def single_streams(count: int, payloads: int = 1) -> Script:
    """Streams that complete after some payloads."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        stream = 2 * each + 1
        talk.say(CLIENT, framed(stream, STREAM, 0, number(9) + number(each)))
        for left in range(payloads, 0, -1):
            talk.say(SERVER, framed(stream, PAYLOAD, NEXT if left > 1 else DONE, b"a"))
    return talk


def unread(count: int, *, zeros: int = 5, each: int = 10) -> Script:
    """More and more that is requested by a side without room, for a payload each."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, number(10) + b"q"))
    for packet in range(zeros):
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, packet))
    for _ in range(count):
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.say(CLIENT, framed(1, REQUEST_N, 0, number(each)))
    return talk


def started_over(count: int, *, alike: bool = True, token: bool = False) -> Script:
    """A stream that is requested on each connection, and cut off with it."""
    talk = Script()
    for each in range(count):
        talk.say(CLIENT, setup(token=b"%d" % each if token else b""))
        heard(talk)
        talk.say(CLIENT, framed(1, STREAM, 0, number(99) + (b"q" if alike else number(each))))
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        talk.another()
    return talk


def pinged(count: int, *, answered_: bool = False) -> Script:
    """Pings of WebSocket by the client."""
    talk = Script()
    talk.say(CLIENT, setup())
    heard(talk)
    for _ in range(count):
        for side, name in ((CLIENT, "ping"), (SERVER, "pong")):
            if name == "ping" or answered_:
                place = PacketRef([talk.packet], (talk.now, 0, talk.packet))
                row = EventRow(talk.connection, side, talk.offsets[side], place, name, {})
                row.protocol = "websocket"
                talk.engine.see(row)
    return talk


def asked_at_once(count: int, *, alike: bool = True, answered_: bool = False) -> Script:
    """Requests that wait for their responses together."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.say(CLIENT, setup())
    heard(talk)
    for each in range(count):
        talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, b"q" if alike else number(each)))
        if answered_:
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, b"a"))
    return talk


def with_metadata(count: int, *, alike: bool = True, size: int = 600) -> Script:
    """Requests with metadata of some bytes."""
    talk = Script()
    talk.say(CLIENT, setup())
    for each in range(count):
        metadata = bytes([0 if alike else each]) * size
        body = size.to_bytes(3, "big") + metadata + number(each)
        talk.say(CLIENT, framed(2 * each + 1, FNF, METADATA, body))
    return talk


def goes_on(
    count: int, wait: int = 50 * MS, *, kind: int = CANCEL, model: int = CHANNEL, early: int = 0
) -> Script:
    """Payloads after the peer's CANCEL or ERROR, some of which cross with it."""
    talk = Script()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, model, 0, number(99) + b"q"))
    talk.say(SERVER, framed(1, REQUEST_N, 0, number(99)))
    sender = CLIENT if model == CHANNEL else SERVER
    talk.say(sender, framed(1, PAYLOAD, NEXT, b"a"))
    talk.say(1 - sender, framed(1, kind, 0, number(FAILED) if kind == ERROR else b""))
    for _ in range(early):
        talk.say(sender, framed(1, PAYLOAD, NEXT, b"a"), 10 * MS)
    for each in range(count):
        talk.say(sender, framed(1, PAYLOAD, NEXT, b"a"), 101 * MS if each == 0 else wait)
    talk.say(sender, framed(1, PAYLOAD, 0x40))
    return talk


def gone(
    count: int,
    kind: int = CANCEL,
    *,
    wait: int = MS,
    then: tuple[int, bytes] | None = None,
    left: int = 3,
) -> Script:
    """Connections that the client closes after a frame of the server, a stream being open."""
    talk = Script()
    for each in range(count):
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(1, CHANNEL, 0, number(99) + b"q"))
        if left > 1:
            talk.say(CLIENT, framed(3, STREAM, 0, number(99) + b"q"))
        talk.say(SERVER, framed(1, REQUEST_N, 0, number(99)))
        talk.say(SERVER, framed(1, kind, 0, number(FAILED) if kind == ERROR else b""))
        if then is not None:
            talk.say(*then)
        talk.now += wait
        talk.event(CLIENT, "close")
        talk.event(SERVER, "close")
        for row in talk.connection.finish():
            talk.engine.see(row)
        if each < count - 1:
            talk.connect()
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B1", lambda: (refused(4), refused(3), refused(5, 3 * SECOND), refused(5, alike=False))),
    ("B1b", lambda: (refused(4, code=FAILED), refused(3, code=FAILED), refused(5))),
    ("B1c", lambda: (routed(4), routed(3), routed(6, routes=2), routed(8, 3 * SECOND),
                        routed(8, code=FAILED))),
    ("B1d", lambda: (routed(4, code=FAILED),
        routed(3, code=FAILED), routed(6, routes=2, code=FAILED),
                                     routed(8, 3 * SECOND, code=FAILED), routed(8))),
    ("B141", lambda: (bare(6, asks=SERVER),
        bare(5, asks=SERVER), bare(9, asks=SERVER, served=5), bare(9, said=b"row %d"),
        bare(9, wait=3 * SECOND), routed(9, code=FAILED))),
    ("B141", lambda: (bare(12, said=b"No handler for destination ''"), bare(9, served=4))),
    ("B2b", lambda: (broken(3), broken(2), broken(4, wait=6 * SECOND), broken(4, alike=False))),
    ("B28", lambda: (again_after_loss(3, 1),
        again_after_loss(3, 3), again_after_loss(3, 1, wait=SECOND), again_after_loss(0, 0),
        again_after_loss(3, 1, token=b"t"), again_after_loss(3, 1, first=0))),
    ("B29", lambda: (set_up_again(), set_up_again(after=b"user"), set_up_again(before=b""),
                             set_up_again(lost=False))),
    ("B190", lambda: (responded(11 * SECOND),
        responded(9 * SECOND), responded(60 * SECOND, STREAM))),
    ("B190", lambda: (responded(60 * SECOND, error=True), responded(9 * SECOND, error=True))),
    ("B30", lambda: (closed_early(), closed_early(wait=2 * SECOND), closed_early(answered_=True))),
    ("B31", lambda: (running(4), running(3), running(6, alike=False), running(6, wait=4 * SECOND))),
    ("B32", lambda: (running(5, alike=False),
        running(4, alike=False), running(8, alike=False, cancels=True),
        running(8, alike=False, wait=MS), running(8))),
    ("B33", lambda: (brief_channels(4), brief_channels(3), brief_channels(6, 2))),
    ("B34", lambda: (written(7, parts=2), written(4, parts=2), written(20, parts=1),
                                   written(12, parts=2, whole=20))),
    ("B35", lambda: (wanted(9, 3), wanted(3, 9), wanted(20, 1), wanted(20, 8, payloads=8))),
    ("B2", lambda: (refused_setup(3), refused_setup(2), refused_setup(4, 6 * SECOND))),
    ("B3", lambda: (connections(4, 1), connections(3, 1), connections(6, 8))),
    ("B4", lambda: (beats(5, 100 * MS), beats(4, 100 * MS), beats(8, 10 * SECOND))),
    ("B4", lambda: (held_up(2, 9), held_up(9, 9))),
    ("B97", lambda: (replaced(5),
        replaced(4), replaced(7, alike=True), replaced(7, wait=SECOND), replaced(7, lasts=MS),
        replaced(7, demand=1))),
    ("B97", lambda: (replaced(6, route=b"watch"),)),
    ("B4b", lambda: (two_timers(10, 1, 19), two_timers(9, 1, 19), two_timers(30, 20),
                                    two_timers(30, 1, 19, 20, 20), two_timers(30, 5, 30))),
    ("B4b", lambda: (two_timers(10, 10), two_timers(9, 10), two_timers(30, 15))),
    ("B5", lambda: (announced(60), announced(500), announced(0))),
    ("B6", lambda: (idle(3), idle(2), idle(3, wait=MS), idle(3, requests=3))),
    ("B6b", lambda: (called(8), called(7), called(9, left=MS), called(8, more=3),
                        called(9, model=FNF))),
    ("B7", lambda: (cancelled(4), cancelled(3), cancelled(5, SECOND))),
    ("B8", lambda: (pending(3), pending(2), pending(3, wait=MS))),
    ("B8b", lambda: (pending(1), pending(1, wait=MS))),
    ("B9", lambda: (pending(1, side=SERVER), pending(1), pending(1, side=SERVER, wait=MS))),
    ("B10", lambda: (tokens(b"t", b"t"), tokens(b"t", b"u"), tokens(b"t", b"t", ended=True))),
    ("B11", lambda: (requested(8), requested(4), requested(25, 8))),
    ("B11b", lambda: (granted_singly(8), granted_singly(4), granted_singly(15, 4))),
    ("B12", lambda: (demanded_late(3), demanded_late(2), demanded_late(3, MS))),
    ("B13", lambda: (given_up(3), given_up(2), given_up(6, alike=False), given_up(6, answered=True),
                          given_up(6, wait=3 * SECOND))),
    ("B14", lambda: (answered(5), answered(4), answered(12, answers=4), answered(12, questions=4),
                           answered(12, wait=5 * SECOND))),
    ("B15", lambda: (sent(FNF, 5), sent(FNF, 4), sent(FNF, 12, alike=False),
                            sent(FNF, 12, wait=2 * SECOND))),
    ("B16", lambda: (sent(PUSH, 3), sent(PUSH, 2), sent(PUSH, 6, alike=False),
                            sent(PUSH, 6, wait=2 * SECOND))),
    ("B17", lambda: (first_taken(4), first_taken(3), first_taken(6, 2))),
    ("B18", lambda: (running(3), running(2), running(5, alike=False), running(5, cancels=True),
                         running(5, wait=MS))),
    ("B18b", lambda: (resumed(), resumed(alike=False), resumed(token=b"u"))),
    ("B19", lambda: (fresh(3), fresh(2), fresh(4, resumes=True), fresh(4, leaves=False),
                       fresh(4, wait=60 * SECOND))),
    ("B20", lambda: (answered(6, questions=99),
        answered(4, questions=99), answered(20, questions=99, wait=SECOND),
        answered(20, questions=99, batch=4), answered(20))),
    ("B21", lambda: (fragmented(40, 70), fragmented(20, 70), fragmented(40, 1000))),
    ("B22", lambda: (cancelled_late(4), cancelled_late(3), cancelled_late(6, MS))),
    ("B23", lambda: (channel((SERVER, NEXT, b"a")),
        channel((SERVER, NEXT, b"a"), wait=MS), channel((CLIENT, DONE, b"a")),
        channel(granted=1))),
    ("B23b", lambda: (channel(), channel((SERVER, NEXT, b"a")), channel((CLIENT, DONE, b"a")),
                         channel(wait=MS))),
    ("B23c", lambda: (channel((SERVER, DONE, b"a")),
        channel((SERVER, DONE, b"a"), wait=MS),
        channel((SERVER, DONE, b"a"), (CLIENT, DONE, b"a")))),
    ("B24", lambda: (demanded(0x7FFF_FFFF, 255), demanded(5, 0x7FFF_FFF0), demanded(5, 5, 5))),
    ("B25", lambda: (unheard(),
        unheard(wait=MS), unheard(hears=True), unheard(model=0), unheard(model=FNF),
        unheard(model=STREAM))),
    ("B26", lambda: (resume_unheard(), resume_unheard(wait=MS), resume_unheard(hears=True))),
    ("B27", lambda: (acknowledged(0, 0, 0),
        acknowledged(0, 0), acknowledged(0, 7, 14, 21), acknowledged(7, 7, 7, payloads=False))),
    ("B27b", lambda: (acknowledged_by_server(0, 0, 0),
        acknowledged_by_server(0, 0), acknowledged_by_server(0, 7, 14, 21),
        acknowledged_by_server(7, 7, 7, requests=False))),
    ("B2c", lambda: (abandoned(3), abandoned(2), abandoned(4, alike=False),
                           abandoned(4, reason=b"Disposed"), abandoned(4, wait=200 * SECOND))),
    ("B3b", lambda: (resumed_again(4), resumed_again(3), resumed_again(5, requests=5),
                               connections(5, 1))),
    ("B17b", lambda: (cut_short(4),
        cut_short(3), cut_short(6, demand=5), cut_short(6, wait=3 * SECOND))),
    ("B17b", lambda: (cut_short(4, completes=True), cut_short(6, completes=True, later=SECOND))),
    ("B21b", lambda: (shredded(4), shredded(3), shredded(6, pieces=2), shredded(6, size=1000))),
    ("B33b", lambda: (single_streams(4), single_streams(3), single_streams(6, 2))),
    ("B35b", lambda: (unread(9), unread(9, zeros=0), unread(3), unread(9, each=1))),
    ("B43", lambda: (started_over(3), started_over(2), started_over(4, alike=False),
                              started_over(4, token=True))),
    ("B45", lambda: (asked_at_once(4), asked_at_once(3), asked_at_once(8, alike=False),
                               asked_at_once(8, answered_=True))),
    ("B46", lambda: (with_metadata(5), with_metadata(4), with_metadata(8, alike=False),
                               with_metadata(8, size=100))),
    ("B44", lambda: (pinged(3), pinged(2), pinged(6, answered_=True))),
    ("B40", lambda: (resent(2, (0, 1, 2, 3)),
        resent(2, (2, 3)), resent(4, ()), resent(0, (0, 1, 2, 3)))),
    ("B40", lambda: (resent(4, (2, 3), RESPONSE), resent(3, (3,), RESPONSE))),
    ("B41", lambda: (resent(2, (3,)), resent(2, (2, 3)), resent(4, ()))),
    ("B41", lambda: (resent(2, ()), resent(1, (1, 2, 3)))),
    ("B41b", lambda: (resent_by_server(2, framed(1, PAYLOAD, DONE, b"the end")),
        resent_by_server(2), resent_by_server(0), resent_by_server(4))),
    ("B41b", lambda: (resent_by_server(1, framed(1, ERROR, 0, number(FAILED) + b"gone")),)),
    ("B47", lambda: (goes_on(6), goes_on(5), goes_on(20, MS), goes_on(0, early=9))),
    ("B47", lambda: (goes_on(6, model=STREAM),
        goes_on(5, model=STREAM), goes_on(20, MS, model=STREAM))),
    ("B47", lambda: (goes_on(900, MS), goes_on(300, MS))),
    ("B47", lambda: (goes_on(6, kind=ERROR, model=STREAM), goes_on(5, kind=ERROR, model=STREAM))),
    ("B48", lambda: (gone(3),
        gone(2), gone(5, wait=SECOND), gone(5, ERROR),
        gone(5, then=(CLIENT, framed(0, ERROR, 0, number(0x102)))),
        gone(5, then=(SERVER, framed(3, PAYLOAD, NEXT, b"a"))))),
    ("B48b", lambda: (gone(3, ERROR),
        gone(2, ERROR), gone(5, ERROR, left=1), gone(5), gone(5, ERROR, wait=SECOND))),
    ("B48b", lambda: (gone(3, RESPONSE), gone(2, RESPONSE), gone(5, RESPONSE, wait=SECOND))),
    ("B48b", lambda: (gone(3, PUSH), gone(2, PUSH))),
    ("B42", lambda: (echoed(3, b"a%d", b"a%d", b"b%d"),
        echoed(1, b"a%d", b"a%d", b"b%d"), echoed(3, b"a%d", b"b%d"), echoed(3, b"ping", b"ping"),
        echoed(3, b"a%d", b"b%d", b"b%d"))),
    ("B42b", lambda: (echoed(1, b"a", b"a", b"b"),
        echoed(1, b"a", b"a", b"a"), echoed(1, b"a", b"b"),
        echoed(1, b"a", b"a", b"b", fragments=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(
    rule: str, talks: Callable[[], tuple[Script, ...]]
) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.ends(f"RSK-{rule}"), rule
    for place, each in enumerate(kept):
        assert not each.ends(f"RSK-{rule}"), (rule, place)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"RSK-{rule}" for rule, *_ in CASES}
