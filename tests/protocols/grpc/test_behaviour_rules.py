"""Rules for what gRPC clients do over time: each names its fault and leaves near misses alone."""

import base64
import io
import json
import struct
from collections.abc import Callable

from tests.builders import ACK, PSH, Conversation, pcap
from tests.failures import every
from tests.protocols.http2.traffic import (
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    PING,
    REQUEST,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    TRAILERS,
    WINDOW_UPDATE,
    Side,
    frame,
    message,
)

from streamshark.protocols.grpc.behaviour_rules import BEHAVIOURS
from streamshark.protocols.http2.codes import PREFACE
from streamshark.session import Session

MS, SECOND = 1_000_000, 1_000_000_000
CLIENT, SERVER = 0, 1
CANCEL = 8
ENDED = END_HEADERS | END_STREAM
ACKED = 1


class Calls:
    """Connections one after the other, with calls that begin `wait` after what came before."""

    def __init__(self, wait: int = MS) -> None:
        self.wait = wait
        self.packets: list[object] = []
        self.port = 40_000
        self.time_ns: int | None = None
        self.connect()

    def connect(self) -> None:
        """Open a connection."""
        self.stream = -1
        self.sides = (Side(), Side())
        self.tcp = Conversation(client=("10.0.0.1", self.port))
        self.tcp.time_ns = self.time_ns or self.tcp.time_ns
        self.port += 1
        self.tcp.handshake()
        self.tcp.send(CLIENT, PREFACE + frame(SETTINGS, b"", 0))
        self.tcp.send(SERVER, frame(SETTINGS, b"", 0))

    def close(self) -> "Calls":
        """Close it."""
        for side in (CLIENT, SERVER):
            self.tcp.finish(side)
        self.packets += self.tcp.packets
        self.time_ns = self.tcp.time_ns
        return self

    def call(self, content: bytes = b"hi", metadata: dict[str, str] | None = None) -> int:
        """Begin a call."""
        self.tcp.time_ns += self.wait
        self.stream += 2
        head = self.sides[CLIENT].headers(REQUEST | (metadata or {}), self.stream)
        data = frame(DATA, message(content), self.stream, END_STREAM)
        self.tcp.send(CLIENT, head + data)
        return self.stream

    def answer(self, stream: int, status: int = 0, later: int = 0) -> None:
        """End a call by its status."""
        self.tcp.time_ns += later
        headers = TRAILERS | RESPONSE | {"grpc-status": str(status)}
        self.tcp.send(SERVER, self.sides[SERVER].headers(headers, stream, ENDED))

    def begin(self, stream: int, metadata: dict[str, str] | None = None) -> None:
        """Begin to answer a call."""
        self.tcp.send(SERVER, self.sides[SERVER].headers(RESPONSE | (metadata or {}), stream))

    def cancel(self, stream: int) -> None:
        """End a call by the client."""
        self.tcp.send(CLIENT, frame(RST_STREAM, struct.pack(">I", CANCEL), stream))

    def ping(self, side: int = CLIENT, *, ack: bool = False) -> None:
        """Send a PING, or the answer to one."""
        self.tcp.time_ns += self.wait
        self.tcp.send(side, frame(PING, b"12345678", 0, ack * ACKED))

    def goaway(self, code: int, text: bytes = b"", side: int = SERVER) -> None:
        """Send GOAWAY."""
        data = struct.pack(">II", self.stream, code) + text
        self.tcp.send(side, frame(GOAWAY, data, 0))

    def rules(self) -> set[str]:
        """Ids of the rules that found something."""
        analysis = Session([io.BytesIO(pcap(self.packets))]).analysis(rules=True)  # type: ignore[arg-type]
        list(analysis.rows())
        found = analysis.findings()
        return {each.rule for each in (*found, *(echo for one in found for echo in one.echoes))}

    def findings(self, rule: str, *, echoes: bool = False) -> list[str]:
        """Severities of the findings of a rule, perhaps with those that are consequences."""
        analysis = Session([io.BytesIO(pcap(self.packets))]).analysis(rules=True)  # type: ignore[arg-type]
        list(analysis.rows())
        found = analysis.findings()
        found += [echo for each in found for echo in each.echoes] if echoes else []
        return [str(each.severity) for each in found if each.rule == rule]


def answered(
    count: int, *statuses: int, wait: int = MS, later: int = 0, different: bool = False
) -> Calls:
    """Calls with one content each after the answer to the one before; the last statuses repeat."""
    calls = Calls(wait)
    for number in range(count):
        stream = calls.call(b"%d" % number if different else b"hi")
        calls.answer(stream, statuses[min(number, len(statuses) - 1)], later)
    return calls.close()


def cancelled(count: int, wait: int = MS) -> Calls:
    """Calls that are cancelled."""
    calls = Calls(wait)
    for _ in range(count):
        calls.cancel(calls.call())
    return calls.close()


def connections(count: int, calls_each: int) -> Calls:
    """Brief connections."""
    calls = Calls()
    for number in range(count):
        for _ in range(calls_each):
            calls.answer(calls.call())
        calls.close()
        if number < count - 1:
            calls.connect()
    return calls


def open_at_once(count: int, *, different: bool, ended: bool = False) -> Calls:
    """Calls that are left open."""
    calls = Calls()
    for number in range(count):
        stream = calls.call(b"%d" % number if different else b"hi")
        if ended:
            calls.answer(stream)
    return calls.close()


def left_open(count: int, wait: int = 3 * SECOND, *, begun: bool = False) -> Calls:
    """Calls that are never answered, and a last one that is."""
    calls = Calls()
    for number in range(count):
        stream = calls.call(b"%d" % number)
        if begun:
            calls.begin(stream)
    calls.wait = wait
    calls.answer(calls.call())
    return calls.close()


def sent_in_vain(times: int = 6, apart: int = 4 * SECOND, *, answered: bool = False) -> Calls:
    """A call that is answered, and another one whose bytes are sent again and again."""
    calls = Calls()
    calls.answer(calls.call())
    at = calls.tcp.next[CLIENT]
    stream = calls.call(b"lost")
    data = calls.tcp.packets[-1].data[-(calls.tcp.next[CLIENT] - at) :]
    for _ in range(times):
        calls.tcp.time_ns += apart
        calls.tcp.raw(CLIENT, at, data, ACK | PSH)
    if answered:
        calls.answer(stream)
    return calls.close()


def in_vain(wait: int = 11 * SECOND, *, answered: int = 3, replies: int = 1) -> Calls:
    """Calls of a method that have answers, and one that has none while its connection lasts."""
    calls = Calls()
    for number in range(answered):
        if number == answered - 1:
            calls.call(b"unanswered")
            calls.tcp.time_ns += wait
        stream = calls.call(b"%d" % number)
        calls.begin(stream)
        for _ in range(replies):
            calls.tcp.send(SERVER, frame(DATA, message(b"done"), stream))
        calls.answer(stream)
    return calls.close()


def begun_late(later: int, *, at_once: bool = False) -> Calls:
    """A call whose answer begins late, or at once and goes on late."""
    calls = Calls()
    stream = calls.call()
    if at_once:
        calls.begin(stream)
    calls.tcp.time_ns += later
    if not at_once:
        calls.begin(stream)
    calls.tcp.send(SERVER, frame(DATA, message(b"done"), stream))
    calls.answer(stream)
    return calls.close()


def ends_after(*statuses: int, first: int = CLIENT, more: bool = False) -> Calls:
    """Connections that one side ends just after the status of their call."""
    calls = Calls()
    for number, status in enumerate(statuses):
        if number:
            calls.connect()
        calls.answer(calls.call(b"%d" % number), status)
        if more:
            calls.call(b"more")
        for side in (first, 1 - first):
            calls.tcp.finish(side)
        calls.packets += calls.tcp.packets
        calls.time_ns = calls.tcp.time_ns
    return calls


def supplied(
    answers: int, status: int, *, wait: int = 9 * SECOND, again: bool = False, ends: bool = True
) -> Calls:
    """A call with answers that ends by a status, and the time after it."""
    calls = Calls()
    stream = calls.call()
    calls.begin(stream)
    for each in range(answers):
        calls.tcp.send(SERVER, frame(DATA, message(b"%d" % each), stream))
    if ends:
        calls.answer(stream, status)
    if again:
        calls.wait = SECOND
        calls.begin(calls.call())
    calls.tcp.time_ns += wait
    calls.ping()
    return calls.close()


def alike(count: int, *, replies: int = 1, wait: int = 500 * MS) -> Calls:
    """The same call, with some answers in turn."""
    calls = Calls(wait)
    for number in range(count):
        stream = calls.call()
        calls.begin(stream)
        reply = frame(DATA, message(b"%d" % (number % replies)), stream)
        calls.tcp.send(SERVER, reply)
        calls.answer(stream)
    return calls.close()


def with_metadata(*values: dict[str, str]) -> Calls:
    """Calls with metadata."""
    calls = Calls()
    for each in values:
        calls.answer(calls.call(metadata=each))
    return calls.close()


def encoded(accepts: str, encoding: str, *, answers: str = "", asks: str = "") -> Calls:
    """A call that accepts encodings and an answer in one, then a call in another one."""
    calls = Calls()
    accepted = {"grpc-accept-encoding": accepts} if accepts else {}
    given = {"grpc-encoding": encoding} if encoding else {}
    stream = calls.call(metadata=accepted)
    calls.begin(stream, given | ({"grpc-accept-encoding": answers} if answers else {}))
    calls.answer(stream)
    calls.answer(calls.call(metadata={"grpc-encoding": asks} if asks else None))
    return calls.close()


def goes_on(wait: int, *, cancels: bool = True, others: int = 0, end: bool = True) -> Calls:
    """An answer some time after the client cancelled its call, or another one."""
    calls = Calls()
    stream = calls.call()
    calls.begin(stream)
    if cancels:
        calls.cancel(stream)
    for _ in range(others):
        stream = calls.call()
        calls.begin(stream)
    calls.tcp.time_ns += wait
    calls.tcp.send(SERVER, frame(DATA, message(b"late"), stream))
    if end:
        calls.answer(stream)
    return calls.close()


def given_up(count: int, *, later: int = 5 * SECOND, begun: bool = False, **metadata: str) -> Calls:
    """Calls that the client cancels after a while."""
    calls = Calls()
    for number in range(count):
        stream = calls.call(
            b"%d" % number, {name.replace("_", "-"): value for name, value in metadata.items()}
        )
        if begun:
            calls.begin(stream)
        calls.tcp.time_ns += later
        calls.cancel(stream)
    return calls.close()


def pinged(count: int, *, wait: int = MS, answered: bool = True, calls_each: int = 0) -> Calls:
    """PINGs of the client, perhaps with calls between them."""
    calls = Calls(wait)
    for _ in range(count):
        calls.ping()
        if answered:
            calls.ping(SERVER, ack=True)
        for _ in range(calls_each):
            calls.answer(calls.call())
    calls.answer(calls.call())
    return calls.close()


def after_goaway(wait: int, *, connect: bool = False) -> Calls:
    """A call after the server has sent GOAWAY."""
    calls = Calls()
    calls.answer(calls.call())
    calls.goaway(0)
    if connect:
        calls.close().connect()
    calls.wait = wait
    calls.call()
    return calls.close()


def signed(value: str) -> Calls:
    """A call with credentials."""
    return with_metadata({"authorization": value})


def unread(
    later: int = 4 * SECOND,
    *,
    size: int = 1 << 16,
    updates: str = "0",
    connection: bool = False,
    reset: bool = False,
) -> Calls:
    """A server stream that fills its window, and what the client lets the server send then."""
    calls = Calls()
    stream = calls.call()
    if connection:
        calls.tcp.send(CLIENT, allowed(stream))
    calls.begin(stream)
    for at in range(0, min(size, (1 << 16) - 1), 1 << 14):
        length = min(1 << 14, (1 << 16) - 1 - at)
        part = bytes(length) if at else message(bytes(1 << 16))[:length]
        calls.tcp.send(SERVER, frame(DATA, part, stream))
    for each in updates.split():
        calls.tcp.send(CLIENT, allowed(int(each)))
    if reset:
        calls.cancel(stream)
    calls.tcp.time_ns += later
    calls.ping()
    calls.ping(SERVER, ack=True)
    return calls.close()


def allowed(stream: int) -> bytes:
    """WINDOW_UPDATE."""
    return frame(WINDOW_UPDATE, (1 << 16).to_bytes(4, "big"), stream)


def one_by_one(count: int, *, wait: int = MS, at_once: bool = False, methods: int = 1) -> Calls:
    """Calls, each after the answer to the one before, or all at once."""
    calls = Calls(wait)
    streams = []
    for number in range(count):
        path = f"/service/method{number % methods}"
        streams.append(calls.call(b"%d" % number, {":path": path}))
        if not at_once:
            calls.answer(streams[-1], later=2 * MS)
    for each in streams if at_once else ():
        calls.answer(each)
    return calls.close()


def cut_short(count: int, *, reply: bool = True, wait: int = MS, later: int = 0) -> Calls:
    """Calls that are cancelled after their first message."""
    calls = Calls(wait)
    for number in range(count):
        stream = calls.call(b"%d" % number)
        calls.begin(stream)
        if reply:
            calls.tcp.send(SERVER, frame(DATA, message(b"%d" % number), stream))
        calls.tcp.time_ns += later
        calls.cancel(stream)
    return calls.close()


def channels(count: int, *, calls_each: int = 1, closed: bool = False) -> Calls:
    """Connections that are left open."""
    calls = Calls()
    for number in range(count):
        for _ in range(calls_each):
            calls.answer(calls.call(b"%d" % number))
        if closed:
            calls.close()
        else:
            calls.packets += calls.tcp.packets
            calls.time_ns = calls.tcp.time_ns
        if number < count - 1:
            calls.connect()
    return calls


def set_to(identifier: int, value: int, *, side: int = CLIENT, calls_open: int = 1) -> Calls:
    """A side with a setting, then calls that are open at once."""
    calls = Calls()
    calls.tcp.send(side, frame(SETTINGS, struct.pack(">HI", identifier, value), 0))
    for number in range(calls_open):
        calls.call(b"%d" % number)
    return calls.close()


def halves(count: int, *, ends: str = "") -> Calls:
    """Calls that the server ends; the client ends its half by a flag, later, by a reset, or not."""
    calls = Calls()
    for _ in range(count):
        calls.tcp.time_ns += MS
        calls.stream += 2
        stream, last = calls.stream, END_STREAM if ends == "flag" else 0
        head = calls.sides[CLIENT].headers(REQUEST, stream)
        calls.tcp.send(CLIENT, head + frame(DATA, message(b"hi"), stream, last))
        if ends == "first":
            calls.tcp.send(CLIENT, frame(DATA, b"", stream, END_STREAM))
        calls.answer(stream)
        if ends == "later":
            calls.tcp.send(CLIENT, frame(DATA, b"", stream, END_STREAM))
        elif ends == "reset":
            calls.cancel(stream)
    return calls.close()


def server_pings(count: int, *, wait: int = MS, calls_each: int = 0) -> Calls:
    """PINGs of the server."""
    calls = Calls(wait)
    calls.answer(calls.call())
    for _ in range(count):
        calls.ping(SERVER)
        calls.ping(CLIENT, ack=True)
        for _ in range(calls_each):
            calls.answer(calls.call())
    return calls.close()


STREAMS_AT_ONCE, WINDOW = 3, 4
"""SETTINGS_MAX_CONCURRENT_STREAMS, SETTINGS_INITIAL_WINDOW_SIZE."""
SIGNED = {"authorization": "Bearer throwaway"}


def contents(letters: bytes, *, answers: bool = True) -> Calls:
    """Calls with these messages."""
    calls = Calls()
    for each in letters:
        stream = calls.call(bytes([each]) * 9)
        if answers:
            calls.answer(stream)
    return calls.close()


def at_both(*rounds: bytes, wait: int = MS) -> Calls:
    """Calls on two connections, which end together."""
    calls, other = Calls(), Calls()
    other.port = calls.port
    other.connect()
    for each in rounds:
        for letter, one, two in zip(each, (calls, other), (other, calls), strict=False):
            one.tcp.time_ns = max(one.tcp.time_ns, two.tcp.time_ns) + wait
            one.answer(one.call(bytes([letter]) * 9))
        calls.tcp.time_ns = other.tcp.time_ns = max(calls.tcp.time_ns, other.tcp.time_ns) + SECOND
    calls.packets += other.close().packets
    calls.close()
    calls.packets.sort(key=lambda packet: packet[0])  # type: ignore[index]
    return calls


def token(**claims: int) -> dict[str, str]:
    """Credentials with these claims."""
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "a"} | claims)
    texts = (base64.urlsafe_b64encode(json.dumps(each).encode()).decode() for each in parts)
    return {"authorization": f"Bearer {'.'.join(each.rstrip('=') for each in texts)}.c2ln"}


def explained(text: str, status: int = 2) -> Calls:
    """A call that fails with a text."""
    calls = Calls()
    headers = TRAILERS | RESPONSE | {"grpc-status": str(status), "grpc-message": text}
    calls.tcp.send(SERVER, calls.sides[SERVER].headers(headers, calls.call(), ENDED))
    return calls.close()


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
JAVA = "java.lang.IllegalStateException: no\n\tat com.shop.Orders.get(Orders.java:17)" * 2
CASES: list[tuple[str, Callable[[], tuple[Calls, ...]]]] = [
    ("B8b", lambda: (answered(4, 14, different=True),
        answered(3, 14, different=True), answered(8, 14, 0, 14, 0, 14, 0, different=True),
        answered(8, 5, different=True), answered(8, 14, wait=11 * SECOND, different=True))),
    ("B25", lambda: (contents(b"aabbcc"),
        contents(b"aabb"), contents(b"abcabc"), contents(b"aaaaaaa"), contents(b"aabcc"),
        contents(b"aabbcc", answers=False))),
    ("B26", lambda: (at_both(b"aa", b"bb", b"cc"),
        at_both(b"aa", b"bb"), at_both(b"ab", b"cd", b"ef"),
        at_both(b"aa", b"bb", b"cc", wait=2 * SECOND))),
    ("B27", lambda: (with_metadata(*[{"traceparent": TRACE}] * 5),
        with_metadata(*[{"traceparent": TRACE}] * 4),
        with_metadata(*({"traceparent": TRACE[:-4] + f"{each}-01"} for each in range(9))))),
    ("B28", lambda: (with_metadata(token(exp=1)),
        with_metadata(token(exp=1 << 33)), with_metadata({"authorization": "Bearer abc.def.ghi"}))),
    ("B29", lambda: (explained(JAVA), explained("at the moment there is no such order " * 4))),
    ("B1", lambda: (answered(4, 5),
        answered(3, 5), answered(8, 5, wait=3 * SECOND), answered(8, 5, different=True),
        answered(8, 0), answered(8, 11))),
    ("B1b", lambda: (answered(4, 13), answered(3, 13), answered(5, 5))),
    ("B1c", lambda: (answered(4, 6), answered(3, 6), answered(5, 5))),
    ("B2", lambda: (answered(3, 4),
        answered(2, 4), answered(5, 4, later=20 * MS), answered(5, 5))),
    ("B3", lambda: (answered(5, 0),
        answered(4, 0), answered(10, 0, wait=SECOND), answered(10, 0, different=True))),
    ("B3b", lambda: (alike(5, wait=SECOND),
        alike(4, wait=SECOND), alike(16, replies=2), alike(8, wait=6 * SECOND))),
    ("B4", lambda: (cancelled(3), cancelled(2), cancelled(4, 3 * SECOND))),
    ("B5", lambda: (connections(5, 2), connections(4, 2), connections(5, 8))),
    ("B6", lambda: (open_at_once(3, different=False),
        open_at_once(2, different=False), open_at_once(6, different=True),
        open_at_once(9, different=False, ended=True))),
    ("B7", lambda: (open_at_once(90, different=True),
        open_at_once(89, different=True), open_at_once(90, different=True, ended=True))),
    ("B9", lambda: (left_open(2), left_open(1), left_open(3, MS), left_open(3, begun=True))),
    ("B9b", lambda: (left_open(1), left_open(1, MS), left_open(1, begun=True))),
    ("B91", lambda: (in_vain(),
        in_vain(9 * SECOND), in_vain(answered=2), in_vain(replies=2))),
    ("B91", lambda: (in_vain(60 * SECOND, answered=9),)),
    ("B92", lambda: (sent_in_vain(),
        sent_in_vain(3), sent_in_vain(apart=SECOND), sent_in_vain(answered=True))),
    ("B92", lambda: (sent_in_vain(20),)),
    ("B10", lambda: (with_metadata(SIGNED, {}),
        with_metadata({}, SIGNED), with_metadata(SIGNED, SIGNED))),
    ("B11", lambda: (with_metadata({"grpc-timeout": "5u"}),
        with_metadata({"grpc-timeout": "5S"}, {"grpc-timeout": "500m"}), with_metadata({}))),
    ("B11b", lambda: (with_metadata({"grpc-timeout": "86401S"}),
        with_metadata({"grpc-timeout": "24H"}, {"grpc-timeout": "86400000m"}), with_metadata({}))),
    ("B11b", lambda: (with_metadata({"grpc-timeout": "720H"}),
        with_metadata({"grpc-timeout": "720X"}))),
    *(
        ("B17", lambda value=value: (signed(value),))
        for value in ("Bearer", "Bearer null", "bearer Bearer abc", 'Bearer "abc"', "Basic !",
                      "Basic YWRtaW4=")
    ),
    ("B17", lambda: (signed("Bearer undefined"),
        signed("Bearer eyJh.eyJz.c2ln"), signed("Basic YWRtaW46cGFzcw=="), signed("Custom a b"),
        signed(""))),
    ("B50", lambda: (begun_late(11 * SECOND),
        begun_late(9 * SECOND), begun_late(60 * SECOND, at_once=True))),
    ("B50", lambda: (answered(1, 0, later=11 * SECOND), answered(1, 0, later=9 * SECOND))),
    ("B12", lambda: (given_up(3, grpc_timeout="1S"),
        given_up(2, grpc_timeout="1S"), given_up(3, grpc_timeout="1S", begun=True), given_up(3))),
    ("B12b", lambda: (given_up(3),
        given_up(2), given_up(3, later=11 * SECOND), given_up(3, begun=True))),
    ("B13", lambda: (pinged(5), pinged(4), pinged(9, calls_each=1), pinged(9, wait=11 * SECOND))),
    ("B14", lambda: (pinged(3, answered=False), pinged(2, answered=False), pinged(9))),
    ("B15", lambda: (after_goaway(SECOND), after_goaway(MS), after_goaway(SECOND, connect=True))),
    ("B16", lambda: (unread(),
        unread(2 * SECOND), unread(updates="0 1"), unread(size=1 << 15), unread(reset=True),
        unread(connection=True))),
    ("B16b", lambda: (unread(updates="", connection=True),
        unread(2 * SECOND, updates=""), unread(updates="0", connection=True),
        unread(updates="", size=1 << 15))),
    ("B30", lambda: (encoded("identity,deflate", "gzip"),
        encoded("identity,deflate,gzip", "gzip"), encoded("gzip", "identity"), encoded("gzip", ""),
        encoded("", "gzip"))),
    ("B30", lambda: (encoded("gzip", "snappy"),)),
    ("B30b", lambda: (encoded("gzip", "", answers="identity,gzip", asks="zstd"),
        encoded("gzip", "", answers="identity,gzip", asks="gzip"),
        encoded("gzip", "", answers="gzip", asks="identity"), encoded("gzip", "", asks="zstd"))),
    ("B30b", lambda: (encoded("", "", answers="identity", asks="gzip"),)),
    ("B31", lambda: (goes_on(2 * SECOND),
        goes_on(SECOND // 2), goes_on(2 * SECOND, cancels=False), goes_on(2 * SECOND, others=1))),
    ("B31", lambda: (goes_on(60 * SECOND, end=False),)),
    ("B32", lambda: (ends_after(5, 5, 5),
        ends_after(5, 5), ends_after(5, 5, 5, first=SERVER), ends_after(0, 0, 0),
        ends_after(5, 9, 5), ends_after(5, 5, 5, more=True))),
    ("B32", lambda: (ends_after(14, 14, 14, 14),)),
    ("B33", lambda: (supplied(3, 14),
        supplied(1, 14), supplied(3, 0), supplied(3, 1), supplied(3, 14, again=True),
        supplied(3, 14, wait=SECOND), supplied(3, 14, ends=False))),
    ("B33", lambda: (supplied(9, 8, wait=60 * SECOND),)),
    ("B18", lambda: (with_metadata({"baggage": "".join(map(str, range(3000)))}),
        with_metadata({"baggage": "".join(map(str, range(1000)))}))),
    ("B18", lambda: (signed("Bearer " + "".join(map(str, range(3000)))), signed("Bearer abc"))),
    ("B19", lambda: (one_by_one(11),
        one_by_one(9), one_by_one(20, wait=50 * MS), one_by_one(20, at_once=True),
        one_by_one(18, methods=2))),
    ("B20", lambda: (cut_short(3),
        cut_short(2), cut_short(4, reply=False), cut_short(4, wait=2 * SECOND),
        cut_short(4, later=300 * MS))),
    ("B21", lambda: (channels(5),
        channels(4), channels(6, calls_each=3), channels(6, closed=True))),
    ("B22", lambda: (set_to(STREAMS_AT_ONCE, 4, side=SERVER, calls_open=4),
        set_to(STREAMS_AT_ONCE, 4, side=SERVER, calls_open=3),
        set_to(STREAMS_AT_ONCE, 4, calls_open=9))),
    ("B23", lambda: (set_to(WINDOW, 1024),
        set_to(WINDOW, 65_535), set_to(WINDOW, 1024, side=SERVER))),
    ("B24", lambda: (halves(3),
        halves(2), halves(4, ends="flag"), halves(4, ends="first"), halves(4, ends="later"),
        halves(4, ends="reset"))),
    ("B13b", lambda: (server_pings(5),
        server_pings(4), server_pings(9, calls_each=1), server_pings(9, wait=11 * SECOND))),
    ("B8", lambda: (answered(4, 9, different=True),
        answered(3, 9, different=True), answered(8, 5, different=True),
        answered(8, 6, different=True),
        answered(7, 9, 9, 9, 0, 9, different=True), answered(8, 9, wait=3 * SECOND))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Callable[[], tuple[Calls, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.findings(f"GRPC-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.findings(f"GRPC-{rule}"), (rule, number)


def test_a_refusal_that_succeeds_in_the_end_is_a_note() -> None:
    """Of the same call only."""
    assert answered(6, 5, 5, 5, 5, 5, 0).findings("GRPC-B1") == ["note"]
    assert answered(6, 5, 5, 5, 5, 5, 5).findings("GRPC-B1") == ["warning"]


def test_a_denied_call_that_succeeds_with_credentials_is_a_note() -> None:
    """G1b is an error unless the same call succeeds later; G1c names the second denial."""
    for statuses, severities, again in (
        ((16,), ["error"], []), ((16, 0), ["note"], []), ((7, 0), ["note"], []),
        ((16, 16), ["error"], ["warning"]), ((16, 7, 0), ["note"], ["warning"]),
        ((0, 0), [], []), ((16, 5), ["error"], []),
    ):  # fmt: skip
        calls = answered(len(statuses), *statuses)
        assert calls.findings("GRPC-G1b") == severities, statuses
        assert calls.findings("GRPC-G1c", echoes=True) == again, statuses


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"GRPC-{rule}" for rule, *_ in CASES}
