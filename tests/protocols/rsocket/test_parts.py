"""The parts of programs that use RSocket: each failure is named, near misses are not."""

from collections.abc import Iterable
from functools import partial

from tests.failures import every
from tests.protocols.program_probes import Probe, unprobed, wrong
from tests.protocols.rsocket.findings import (
    test_behaviours,
    test_contents,
    test_continuity,
    test_endings,
    test_exchanges,
    test_object_states,
)
from tests.protocols.rsocket.play import found, play
from tests.protocols.rsocket.script import Script

from streamshark.protocols.rsocket import PROTOCOL

ITEM = "an-item-of-some-length"


def each(words: str, streams: Iterable[int]) -> str:
    """The words for each of the streams, which are `{0}`."""
    return " ".join(words.format(stream) for stream in streams)


def odd(count: int, first: int = 1) -> range:
    """Streams of a client."""
    return range(first, first + 2 * count, 2)


def again(words: str, count: int) -> str:
    """Connections that are alike."""
    return " | ".join([words] * count)


def together(words: str, count: int) -> str:
    """Connections that are alike, all at once."""
    return " ".join(f"@{number} {words}" for number in range(count))


def _played(words: Iterable[str]) -> tuple[Script, ...]:
    """The traffic of a failure and of its near misses."""
    return tuple(map(play, words))


ITEMS = f"P1={ITEM} "
"""An item of stream 1."""
FULL = "w " * 8
"""A client without room for more bytes."""
SERVED = f"o {each('q{0} +20 A{0}', odd(6))}"
LEFT = each("q{0} +1000", odd(6, 13))
QUEUE = each("q{0}", odd(8))
CLIMB = " ".join(f"q{s} +{10 * 2**n} A{s} +100" for n, s in enumerate(odd(9)))
EVEN = " ".join(f"q{s} +{10 * 2 ** (n % 4)} A{s} +100" for n, s in enumerate(odd(9)))
RENEWED = "s1*4 " + "P1 P1 P1 P1 n1*4 " * 6 + "P1 P1 P1 P1"

CASES: list[tuple[str, str, tuple[str, ...]]] = [
    ("Thread that reads the connection", "blocked by a handler", (
        "o k Y q1 A1 q3 +10 k +4000 A3 Y", "o k Y q1 A1 q3 +10 k Y +4000 A3",
        "o k +2000 Y q3 +10 k +4000 A3 Y", "o k Y q1 q3 +10 k +2000 A1 +2000 A3 Y")),
    ("Thread that reads the connection", "slow", ("o k +2000 Y q1 A1", "o k +200 Y q1 A1")),
    ("Thread that reads the connection", "waits for what it has to read", (
        "o q1 A1 q3 Q2 a2 +10000 X2 E3", "o q1 A1 q3 Q2 a2 A3", "o Q2 a2 +10000 X2",
        "o q1 A1 q3 Q2 a2 +10 K y +10000 X2 E3")),
    ("Thread that reads the connection", "waits, and its request fails", (
        "o q1 A1 q3 Q2 a2 +10000 E3 q5 A5", "o q1 A1 q3 Q2 a2 +10 E3", "o q1 +10000 E1",
        "o q1 A1 q3 Q2 a2 K y +10000 E3")),
    ("Thread that reads the connection", "blocked by its subscribers", (
        f"o k Y s1*7fffffff P1 {FULL} P1 P1", f"o k Y s1*8 P1 {FULL} P1 P1",
        "o k Y s1*7fffffff P1 w P1 P1")),
    ("Thread that reads the connection", "blocked while it requests", (
        f"o k Y {QUEUE} {each('q{0}', odd(20, 31))} {FULL} +3000 q91 q93",
        f"o k Y {QUEUE} {each('q{0}', odd(20, 31))} +3000 q91 q93")),
    ("Thread that reads the connection", "dead, KEEPALIVE unanswered", (
        "o k Y q1 A1 +20000 k +20000 k +20000 k q3 A3", "o k Y q1 A1 +20000 k Y q3 A3")),
    ("Thread that reads the connection", "dead at a frame", (
        again("o q1 A1 F2 -c -s +500", 5), again("o q1 A1 F2 +5000 -c -s +500", 5))),
    ("Thread that reads the connection", "dead without closing", (
        "o s1 P1 -s +30000 -c", "o s1 P1 -s +100 -c")),
    ("Thread that writes", "starved by data", (
        f"o k Y {each('+3000 q{0} A{0}', odd(40))}", f"o k Y {each('+500 q{0} A{0}', odd(40))}")),
    ("Thread that writes", "blocked by a large message", (
        f"o q1={'x' * 1_100_000} A1", f"o q1={'x' * 100_000} A1")),
    ("Thread that writes", "several threads write", (
        "o q3 A3 +1000 q1 A1", "o q1 A1 +1000 q3 A3")),
    ("Thread that writes", "one at a time", (
        f"o {each('q{0}:a A{0}', odd(12))}", f"o {each('q{0}:a A{0} +500', odd(12))}")),
    ("Thread that writes", "blocked by the peer", (
        f"o k Y q1 A1 {FULL.upper()} q3 q5", "o k Y q1 A1 W q3 q5")),
    ("Handler of requests", "dead", (
        f"{SERVED} {LEFT} k Y +5000 k Y -c -s", f"{SERVED} {LEFT} +5000 k -c -s",
        f"{SERVED} {LEFT} k Y +5000 A23 -c -s", f"o {LEFT} k Y +5000 k Y -c -s")),
    ("Handler of requests", "never answers some", (
        f"{SERVED} {each('q{0} +1000 x{0}', odd(6, 13))}", f"{SERVED} q13 +1000 x13")),
    ("Handler of requests", "does not release", (
        f"{SERVED} {LEFT} +3000 -c -s", f"{SERVED} q13 +3000 -c -s")),
    ("Handler of requests", "serial", (
        f"o {QUEUE} {each('+300 A{0}', odd(8))}", f"o {QUEUE} +300 {each('A{0}', odd(8))}",
        f"o {each('q{0} +300 A{0}', odd(8))}")),
    ("Handler of requests", "serial, and given up", (
        f"o {QUEUE} {each('+300 A{0}', odd(6))} +200 x15", f"o {QUEUE} +300 A1 +200 x15")),
    ("Handler of requests", "slower and slower", (f"o {CLIMB}", f"o {EVEN}")),
    ("Handler of requests", "dead at one request", (
        again("o q1 A1 q3=bad -t +500", 6), again("o q1 A1 q3=bad A3 -c -s +500", 6))),
    ("Handler of requests", "fails at one request", (
        f"o {each('q{0}:a=x E{0}*201', odd(12))}", f"o {each('q{0}:a=x A{0}', odd(12))}")),
    ("Handler of requests", "ends the connection instead of the stream", (
        again("o q1 A1 q3 E3 E0*101 -s -c", 5), again("o q1 A1 q3 E3 -c -s", 5))),
    ("Handler of requests", "ends the connection at the peer's ERROR", (
        again("o s1 P1 s3 P3 x1 -s -c", 5), again("o s1 P1 s3 P3 x1 +5000 -s -c", 5))),
    ("Handler of requests", "answers twice", ("o q1 A1 +10 A1", "o q1 A1 q3 A3")),
    ("Handler of requests", "swallows its failure", (
        f"o {each('q{0}:a Z{0}', odd(8))}", f"o {each('q{0}:a A{0}', odd(8))}")),
    ("Handler of requests", "overloaded", (
        f"o {each('q{0}:a E{0}*202', odd(10))}", f"o {each('q{0}:a E{0}*202 +5000', odd(10))}")),
    ("Publisher of a stream", "never stopped", (
        "o s1*64 P1 P1 x1 +1000 P1 P1 P1 P1", "o s1*64 P1 P1 x1 P1 P1")),
    ("Publisher of a stream", "started twice", (
        "o s1*64 " + "".join(f"P1={ITEM}{n} P1={ITEM}{n} " for n in range(8)),
        "o s1*64 " + "".join(f"P1={ITEM}{n} " for n in range(8)))),
    ("Publisher of a stream", "stuck at one item", (f"o s1*64 {ITEMS * 12}", f"o s1*64 {ITEMS}")),
    ("Publisher of a stream", "swallows its failure", (f"o s1*64 {'P1= ' * 8}", "o s1*64 P1=")),
    ("Publisher of a stream", "serial", (
        f"o s1 s3 s5 s7 {each('+100 P{0} +500 P{0} +500 A{0}', odd(4))}",
        f"o s1 s3 s5 s7 {each('+100 P{0}', odd(4))} {each('+500 P{0} A{0}', odd(4))}")),
    ("Publisher of a stream", "dies silently", (
        f"o s1*64 {'P1 +100 ' * 12} +20000 k Y +20000 k Y -c -s",
        f"o s1*64 {'P1 +100 ' * 12} A1 +20000 k Y +20000 k Y -c -s")),
    ("Publisher of a stream", "never begins", (
        "o s1*64 +5000 k Y -c -s", "o s1*64 P1 +5000 k Y -c -s")),
    ("Publisher of a stream", "never completes", (
        f"o {each('s{0}:a P{0} A{0}', odd(3))} s7:a P7 +9000 k Y -c -s",
        f"o {each('s{0}:a P{0} A{0}', odd(4))} +9000 k Y -c -s")),
    ("Publisher of a stream", "fails for want of demand", (
        "o s1*2 P1 P1 E1", "o s1*4 P1 P1 E1")),
    ("Publisher of a stream", "ignores demand", ("o s1*2 P1 P1 P1", "o s1*4 P1 P1 P1")),
    ("Publisher of a stream", "restarted", (
        again("o s1 P1 s3 P3 -s -c", 5), again("o s1 P1 A1 s3 P3 A3 -c -s", 5))),
    ("Subscriber of a stream", "dead", (
        f"o {RENEWED} +9000 k Y -c -s", f"o {RENEWED} n1*4 +9000 k Y -c -s")),
    ("Subscriber of a stream", "serial", ("o s1*1 " + "P1 n1*1 " * 20, f"o s1*64 {'P1 ' * 20}")),
    ("Subscriber of a stream", "grows behind", (
        "o s1*8 " + "".join(f"P1 n1*{8 * 4**n:x} " for n in range(8)),
        f"o s1*8 {'P1 ' * 8} n1*8 {'P1 ' * 8} n1*8")),
    ("Subscriber of a stream", "never stopped", (
        "o s1*8 P1 A1 +1000 n1 +1000 n1 +1000 n1", "o s1*8 P1 n1 A1")),
    ("Subscriber of a stream", "leaves streams", (
        f"o {each('s{0}:a=x P{0} +500', odd(6))}", f"o {each('s{0}:a=x P{0} x{0} +5', odd(2))}")),
    ("Subscriber of a stream", "runs on several connections", (
        together("o k Y s1:a=x P1", 2), "o k Y s1:a=x P1 @1 o k Y s1:b=y P1")),
    ("Subscriber of a stream", "pages", (
        f"o {each('s{0}:a*2 P{0} P{0} x{0}', odd(6))}",
        f"o {each('s{0}:a*2 P{0} A{0}', odd(6))}")),
    ("Subscriber of a stream", "brief", (
        f"o {each('s{0} P{0} x{0}', odd(8))}", f"o {each('s{0} P{0} A{0}', odd(8))}")),
    ("Both halves of a channel", "responder never begins", (
        "o c1*8 P1 +5000 k Y -c -s", "o c1*8 N1 P1 +5000 k Y -c -s")),
    ("Both halves of a channel", "responder stops", (
        "o c1*8 N1*4 p1 p1 p1 p1 +9000 k Y -c -s", "o c1*8 N1*4 p1 p1 p1 +9000 k Y -c -s")),
    ("Both halves of a channel", "both wait", (
        "o c1*8 N1*8 p1 +9000 k Y +9000 k Y -c -s", "o c1*8 N1*8 p1 a1 A1 +9000 k Y -c -s")),
    ("Both halves of a channel", "requester never completes", (
        "o c1*8 N1*8 p1 A1 +9000 k Y +9000 k Y -c -s", "o c1*8 N1*8 a1 A1 +9000 k Y -c -s")),
    ("Both halves of a channel", "requester never stopped", (
        "o c1 N1*20 p1 X1 +1000 p1 p1 p1", "o c1 N1*20 p1 X1 p1")),
    ("Both halves of a channel", "requester sends its first item twice", (
        "o " + each("c{0}=item N{0}*8 p{0}=item A{0} a{0}=last", odd(4)),
        "o " + each("c{0}=item N{0}*8 p{0}=other A{0} a{0}=last", odd(4)))),
    ("Caller that waits for an answer", "gives up too early", (
        f"o k Y {each('q{0}:a=x +300 x{0} +500', odd(8))}",
        f"o k Y {each('q{0}:a=x +300 A{0} +500', odd(8))}")),
    ("Caller that waits for an answer", "gives up in a row", (
        f"o k Y {each('q{0} +1000 x{0}', odd(8))}", "o k Y q1 +1000 x1 q3 A3")),
    ("Caller that waits for an answer", "gives up at once", (
        f"o k Y {each('q{0} x{0}', odd(12))}", "o k Y q1 x1 q3 A3")),
    ("Caller that waits for an answer", "polls", (
        f"o {each('q{0}:a=x A{0}=same +200', odd(15))}",
        f"o {each('q{0}:a=x A{0} +200', odd(15))}")),
    ("Caller that waits for an answer", "retries without a pause", (
        f"o {each('q{0}:a=x E{0}*204', odd(10))}",
        f"o {each('q{0}:a=x E{0}*204 +20000', odd(4))}")),
    ("Caller that waits for an answer", "asks twice", (
        "o " + " ".join(f"q{n}=d{n} A{n} q{n + 2}=d{n} A{n + 2} +1000" for n in range(1, 40, 4)),
        "o " + " ".join(f"q{n}=d{n} A{n} q{n + 2}=e{n} A{n + 2} +1000" for n in range(1, 40, 4)))),
    ("Caller that waits for an answer", "two callers", (
        "o k Y @1 o k Y " + " ".join(f"@0 q{n} A{n} @1 q{n} A{n} +1000" for n in odd(6)),
        "o k Y @1 o k Y " + " ".join(f"@0 q{n} A{n} @1 q{n}=x{n} A{n} +1000" for n in odd(6)))),
    ("Caller that waits for an answer", "treats an ERROR as fatal", (
        "o s1 P1 q3 E3 -c -s", "o s1 P1 q3 E3 +5000 -c -s")),
    ("Caller that waits for an answer", "repeats on the next connection", (
        "o k Y q1=order -t | o k Y q1=order A1", "o k Y q1=order A1 -t | o k Y q1=order A1")),
    ("KEEPALIVE timer", "dead", (
        "o k Y +20000 k Y +20000 k Y q1 +90000 A1 q3 A3", "o k Y +20000 k Y +20000 k Y q1 A1")),
    ("KEEPALIVE timer", "slow", ("o " + "k Y +35000 " * 6, "o " + "k Y +20000 " * 6)),
    ("KEEPALIVE timer", "started twice", (
        "o " + "k +3 k Y Y +20000 " * 6, "o " + "k Y +20000 " * 6)),
    ("KEEPALIVE timer", "busy", ("o " + "k Y +200 " * 40, "o " + "k Y +15000 " * 40)),
    ("KEEPALIVE timer", "never stopped", (
        "o q1 A1 E0*101 +1000 k +1000 k", "o q1 A1 E0*101 k")),
    ("KEEPALIVE timer", "never ends the connection", (
        "o q1 A1 " + "+20000 k " * 8 + "q3", "o q1 A1 " + "+20000 k Y " * 8 + "q3")),
    ("KEEPALIVE timer", "with a stuck position", (
        "t " + each("q{0} A{0} k*6 Y*9", odd(5)), "t " + "k*0 Y*0 " * 5)),
    ("Lease timer", "dead", (
        f"v L {each('q{0} A{0}', odd(10))} +20000 k Y -c -s",
        f"v L {each('q{0} A{0}', odd(9))} +20000 k Y -c -s")),
    ("Lease timer", "never started", ("v q1 A1 +5000 k Y -c -s", "v L l q1 A1 +5000 k Y -c -s")),
    ("Lease timer", "busy", ("v " + "L +100 " * 8 + "q1 A1", "v " + "L +9900 " * 8 + "q1 A1")),
    ("Lease timer", "serial", ("v " + each("L*1 q{0} A{0}", odd(8)), "v L q1 A1")),
    ("Lease timer", "ignored by the requester", (
        f"v L {each('q{0} A{0}', odd(12))}", f"v L {each('q{0} A{0}', odd(10))}")),
    ("Pool of connections", "one for each request", (
        again("o q1 A1", 8), f"o {each('q{0} A{0}', odd(8))}")),
    ("Pool of connections", "left behind", (
        together("o k Y q1 A1 +1000", 8) + " +30000 k Y", "o k Y q1 A1 +30000 k Y")),
    ("Pool of connections", "never used", (
        "o k Y q1 A1 @1 o k Y +20000 k Y +20000 k Y -c -s @0 -c -s",
        "o k Y q1 A1 @1 o k Y q1 A1 +20000 k Y -c -s @0 -c -s")),
    ("Pool of connections", "one is never served", (
        f"o @1 o q1 q3 q5 k Y @0 {each('q{0} A{0}', odd(6))} +5000 q51 A51 @1 k Y -c -s",
        f"o @1 o q1 q3 q5 k Y @0 {each('q{0} A{0}', odd(6))} +5000 q51 A51 @1 A5 k Y -c -s",
        f"o @1 o q1 q3 q5 k Y @0 {each('q{0}', odd(6))} +5000 q51 @1 k Y -c -s")),
    ("Loop that connects again", "without a pause", (
        again("o E0*3 -s -c", 8), again("o E0*3 -s -c +60000", 3))),
    ("Loop that connects again", "at a server that fails at SETUP", (
        again("o -s -c +500", 6), again("o -c -s +500", 6), again("o K -s -c +500", 6))),
    ("Loop that connects again", "forgets streams", (
        "o s1 P1 s3 P3 -s -c | o s1 P1 +9000 P1 -c -s",
        "o s1 P1 s3 P3 -s -c | o s1 P1 s3 P3 +9000 P1 -c -s")),
    ("Loop that connects again", "after a refusal", (
        "t q1 A1 -s -c | u E0*4 -s -c | u E0*4 -s -c", "t q1 A1 -s -c | u E0*4 -s -c | t q1 A1")),
    ("KEEPALIVE timer", "hasty", (
        "o K k +9000 E0=keepalive-timeout*101", "o K k Y +9000 E0=disposed*101")),
    ("KEEPALIVE timer", "too slow for what is between", (
        again("o q1 A1 +6000 -s -c", 3), again("o q1 A1 +6000 -s -c", 2))),
    ("Store of a session", "goes back", ("t q1 A1 k*6 k*2", "t q1 A1 k*6 k*6")),
    ("Store of a session", "is ahead", ("t q1 A1 k*999 Y", "t q1 A1 k*6 Y")),
    ("Thread that shuts down", "does not wait for answers", ("o q1 A1 q3 -c -s", "o q1 A1 -c -s")),
    ("Thread that shuts down", "does not wait for streams", (
        "o s1*64 P1 E0*102 -s -c", "o s1*64 P1 A1 E0*102 -s -c")),
    ("Thread that shuts down", "says nothing", ("o s1 P1 -s -c", "o s1 A1 -s -c")),
    ("Thread that shuts down", "does not stop others", (
        "o q1 A1 E0*102 q3 A3 -c -s", "o q1 A1 E0*102 -c -s")),
    ("Thread that shuts down", "never closes after ERROR", (
        "o q1 A1 E0*101 +5000 -c -s", "o q1 A1 E0*101 -s -c")),
    ("Thread that shuts down", "never closes after CONNECTION_CLOSE", (
        "o q1 A1 E0*102 +9000 k Y -c -s", "o s1*64 P1 E0*102 +9000 k Y P1 -c -s",
        "o q1 A1 E0*102 +1000 k Y -c -s")),
    ("Thread that shuts down", "goes on after its own ERROR", (
        "o s1*64 P1 E0*101 +1000 P1 P1", "o s1*64 P1 E0*101 -s -c")),
]  # fmt: skip
"""Part, failure, words of the failure, and words of near misses."""

LOOP, STORE = "Loop that connects again", "Store of a session"
PROBES = [
    *(
        Probe(part, failure, partial(_played, words))
        for part, failure, words in CASES
    ),
    Probe("Thread that writes", "small writes", lambda: (
        test_behaviours.written(7, parts=2), test_behaviours.written(20, parts=1))),
    Probe("Handler of requests", "missing for one kind of request", lambda: (
        play("o s1 E1=not-implemented*201"), play("o s1 E1=no-room*201"))),
    Probe(LOOP, "missing", lambda: (
        test_endings.given_up(90, 12), test_endings.given_up(90, 12, again=True))),
    Probe(LOOP, "not started when the server leaves", lambda: (
        test_endings.left(12), test_endings.left(12, again=True))),
    Probe("Thread that shuts down", "does not wait for its request", lambda: (
        test_endings.ends(by=0, times=3), test_endings.ends(test_endings.ASK, by=0, times=3))),
    Probe("Caller that waits for an answer", "never gives up", lambda: (
        test_exchanges.unheard(4), test_exchanges.unheard(4, heard=True))),
    Probe(LOOP, "multiplies streams", lambda: (
        test_contents.subscribed(1, 2, 4), test_contents.subscribed(2, 2, 2, 2))),
    Probe(LOOP, "forgets SETUP's payload", lambda: (
        test_behaviours.set_up_again(), test_behaviours.set_up_again(after=b"user"))),
    Probe(LOOP, "with other settings", lambda: (
        test_continuity.again("application/json"), test_continuity.again("text/plain"))),
    Probe(LOOP, "forgets its session", lambda: (
        test_behaviours.fresh(3), test_behaviours.fresh(4, resumes=True))),
    Probe(LOOP, "resumes in a loop", lambda: (
        test_behaviours.resumed_again(4), test_behaviours.resumed_again(5, requests=5))),
    Probe(STORE, "loses frames", lambda: (
        test_behaviours.resent(2, (3,)), test_behaviours.resent(2, (2, 3)))),
    Probe(STORE, "loses its place", lambda: (
        test_behaviours.resent(2, (0, 1, 2, 3)), test_behaviours.resent(2, (2, 3)))),
    Probe(STORE, "is shared", lambda: (
        test_behaviours.tokens(b"t", b"t"), test_behaviours.tokens(b"t", b"u"))),
    Probe(STORE, "outlives its session", lambda: (
        test_object_states.resumes(), test_object_states.resumes(None))),
]  # fmt: skip
"""Those of words, and those of traffic that other tests make."""


@every("probe", PROBES, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure; near misses stay silent."""
    assert wrong(PROTOCOL, probe, found) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, PROBES) == []
