"""The parts of programs that use RabbitMQ Streams: each failure is named, near misses are not."""

from collections.abc import Iterable
from functools import partial

from tests.failures import every
from tests.protocols.program_probes import Probe, unprobed, wrong
from tests.protocols.rabbitmq_stream.findings import (
    test_continuity,
    test_delays,
    test_handshake,
    test_restoring,
)
from tests.protocols.rabbitmq_stream.play import found, play
from tests.protocols.rabbitmq_stream.talk import Talk

from streamshark.protocols.rabbitmq_stream import PROTOCOL

ENDS = "l -s -c"
"""The client leaves."""
READS, WRITES = "Thread that reads the connection", "Thread that writes"
MESSAGES, CONFIRMS = "Handler of messages", "Handler of confirms"
ACTIVE, BEATS = "Handler of single active consumers", "Heartbeat timer"
CALLER, POOL = "Caller that waits for an answer", "Pool of connections"
LOOP, SHUTS, STORE = "Loop that connects again", "Thread that shuts down", "Store of offsets"


def together(words: str, count: int, first: int = 0) -> str:
    """Connections that are alike."""
    return " ".join(f"@{number} {words}" for number in range(first, first + count))


FED = "M1 c1 M1 c1 M1 c1 "
HUNGRY = "M1 " * 10
LIVES = "+60000 h H "
STORES = " ".join(f"M1*5 c1 w:s*{5 * number + 4}" for number in range(10))

CASES: list[tuple[str, str, tuple[str, ...]]] = [
    (READS, "blocked by a handler", (f"s1:s {FED} z M1", f"d1:s p1 {FED and 'C1'} z")),
    (READS, "waits for what it has to read", (
        f"s1:s s2:t {FED} M2 c2 u1! +100 R {'M2 ' * 9} +60000 h",
        f"s1:s s2:t {FED} M2 c2 u1 {'M2 c2 ' * 9} +60000 h",
        f"s1:s s2:t {FED} M2 c2 u1 +60000 h", f"s1:s {FED} {HUNGRY} +60000 h")),
    (READS, "dead", (f"s1:s {FED} {'+60000 H ' * 4}", f"s1:s {FED} {'+60000 h H ' * 4}")),
    (READS, "dead without closing", (f"s1:s {FED} -s +30000 -c", f"s1:s {FED} -s +100 -c")),
    (READS, "dead at a frame", (
        together("d1:s p1 C1 p1 E1 -r +500", 5), together("d1:s p1 C1 p1 E1 +5000 -r", 5))),
    (READS, "dead at Heartbeat or CreditResponse", (
        together("d1:s p1 C1 +2000 H -r +500", 5), together("d1:s p1 C1 +2000 H +5000 -r", 5))),
    (READS, "does not notice a silent broker", (
        f"s1:s {FED} {'+60000 h ' * 5}", f"s1:s {FED} {'+60000 h H ' * 5}")),
    (READS, "does not answer Close", (f"d1:s p1 C1 L {'+60000 h ' * 2}", f"d1:s p1 C1 {ENDS}")),
    (READS, "holds back answers", (
        "s1:s M1 c1 g:s! +6000 g:s! +6000 g:s! R", "s1:s M1 c1 g:s +6000 g:s +6000 g:s")),
    (WRITES, "one message a frame", (f"d1:s {'p1 ' * 60} C1 l", "d1:s p1*60 C1 l")),
    (WRITES, "one at a time", (f"d1:s {'p1 C1 ' * 60} l", f"d1:s {'p1*9 ' * 20} C1 l")),
    (WRITES, "never stopped", ("d1:s p1 C1 L +1000 p1 +1000 p1 +1000 p1", "d1:s p1 C1 L p1")),
    (WRITES, "goes on at a dead publisher", ("d1:s p1 C1 x1 +1000 p1", "d1:s p1 C1 d2:s p2")),
    (WRITES, "goes on after MetadataUpdate", (
        "d1:s p1 C1 U:s +3000 p1 +1000 p1", "d1:s p1 C1 U:t +3000 p1 +1000 p1")),
    (MESSAGES, "dead", (
        f"s1:s s2:t {'M1 c1 M2 c2 ' * 5} {HUNGRY} {'M2 c2 +1000 ' * 20} l",
        f"s1:s s2:t {'M1 c1 M2 c2 ' * 5} {HUNGRY} l",
        f"s1:s s2:t {'M1 c1 M2 c2 ' * 5} {HUNGRY} {'M2 c2 +1000 ' * 5} c1 l",
        f"s1:s s2:t {HUNGRY} {'M2 c2 +1000 ' * 20} l")),
    (MESSAGES, "waits", (f"s1:s {FED} {HUNGRY} +60000 h H l", f"s1:s {FED} +60000 h H l")),
    (MESSAGES, "serial", (
        "s1:s*2 s2:t*2 M1 M2 " + "+2000 c1 M1 +2000 c2 M2 " * 8,
        "s1:s*2 s2:t*2 M1 M2 " + "+2000 c1 c2 M1 M2 " * 8,
        "s1:s*2 s2:t*2 M1 M2 " + "+2000 c1 M1 +90 c2 M2 " * 8)),
    (MESSAGES, "slower and slower", (
        "s1:s*2 " + " ".join(f"M1 +{50 * 2**number} c1" for number in range(9)),
        "s1:s*2 " + " ".join(f"M1 +{50 * 2 ** (number % 4)} c1" for number in range(12)))),
    (MESSAGES, "dead at one message", (
        together("g:s=app*40 s1:s^41 M1*5 -r +1000", 6), "g:s=app*40 s1:s^41 M1*5 -r +1000")),
    (MESSAGES, "ends at one message", (
        together(f"g:s=app*40 s1:s^41 M1*5 {ENDS} +1000", 6),
        f"g:s=app*40 s1:s^41 M1*5 {ENDS}")),
    (MESSAGES, "starts again", (together("s1:s M1*5 -r +1000", 6), f"s1:s M1*5 {ENDS}")),
    (MESSAGES, "never stopped", ("s1:s M1 u1 +3000 c1 +1000 c1", "s1:s M1 c1 u1")),
    (MESSAGES, "works on", (
        "s1:s M1*5 c1 u1 +3500 w:s*2 +1000 w:s*3 +1000 w:s*4", "s1:s M1*5 c1 u1 w:s*4",
        "s1:s M1*5 c1 u1 s1:s +3500 w:s*2 +1000 w:s*3 +1000 w:s*4")),
    (MESSAGES, "started twice", (
        f"s1:s s2:s M1 M2 c1 c2 u1 u2 {ENDS}", f"s1:s s2:t M1 M2 c1 c2 u1 u2 {ENDS}")),
    (MESSAGES, "credits twice", (f"s1:s*2 {'M1 c1 c1 ' * 40}", f"s1:s*2 {'M1 c1 ' * 40}")),
    (MESSAGES, "one chunk at a time", (f"s1:s*1 {'M1 c1 ' * 60}", f"s1:s*10 {'M1 c1 ' * 60}")),
    (MESSAGES, "brief", ("s1:s M1 u1 " * 12, "s1:s M1 M1 c1 M1 c1 M1 c1 M1 u1 " * 2)),
    (CONFIRMS, "treats errors as confirms", ("d1:s p1 C1 p1 E1 p1 E1 p1 E1", "d1:s p1 C1 p1 C1")),
    (CONFIRMS, "does not wait", (f"d1:s p1*50 {ENDS}", f"d1:s p1*50 C1 {ENDS}")),
    (ACTIVE, "dead", ("s1:s=app% A1 +60000 h H +60000 h H", "s1:s=app% A1 a1 +60000 h H")),
    (ACTIVE, "slow", ("s1:s=app% A1 +8000 a1 M1 c1", "s1:s=app% A1 a1 M1 c1")),
    (ACTIVE, "fails", ("s1:s=app% A1 a1?5 M1 c1", "s1:s=app% A1 a1 M1 c1")),
    (ACTIVE, "ends the client", (
        together("s1:s=app% A1 -r +500", 5), together("s1:s=app% A1 a1 +900 -r", 5))),
    (BEATS, "dead", (f"d1:s p1 C1 {'+60000 H ' * 4}", f"d1:s p1 C1 {'+60000 h H ' * 4}")),
    (BEATS, "starved", (f"d1:s p1 C1 {'+90000 h H ' * 4}", f"d1:s p1 C1 {'+60000 h H ' * 4}")),
    (BEATS, "started twice", (
        f"d1:s p1 C1 {'+59000 h +1000 h H ' * 5}", f"d1:s p1 C1 {'+60000 h H ' * 5}")),
    (BEATS, "busy", (f"d1:s p1 C1 {'+500 h ' * 40}", f"d1:s p1 C1 {'+50000 h H ' * 10}")),
    (BEATS, "never stopped", (
        f"s1:s {FED} -s {'+3000 h ' * 3}", f"s1:s {FED} +3000 h -s -c")),
    (CALLER, "gives up and asks again", (
        "s1:s M1 c1 q:s! +6000 q:s! +6000 q:s! R", "s1:s M1 c1 q:s +6000 q:s +6000 q:s")),
    (CALLER, "retries without a pause", ("s1:s?2 " * 10, "s1:s?2 s2:t")),
    (CALLER, "retries slowly, without end", ("s1:s?2 +5000 " * 10, "s1:s?2 +5000 s1:t")),
    (CALLER, "retries on a new connection", (
        together(f"s1:s?2 {ENDS} +100", 8), together(f"s1:s {ENDS} +100", 8))),
    (CALLER, "goes on after a refusal", ("d1:s?2 p1 p1 p1", "d1:s?2 d1:t p1")),
    (CALLER, "goes on after a refused subscription", ("s1:s?2 c1 +100 c1", "s1:s?2 s1:t M1 c1")),
    (CALLER, "polls", ("m:s +100 " * 20, "m:s m:t")),
    (CALLER, "ends at a harmless answer", (
        together(f"g:s?19 {ENDS} +1000", 5), together(f"g:s?19 s1:s M1 {ENDS} +1000", 5))),
    (CALLER, "waits at a broker that dies", (
        together("y:s! -t +500", 5), together(f"y:s {ENDS} +500", 5))),
    (POOL, "one for each use", (together(f"d1:s p1 C1 {ENDS}", 8), f"d1:s p1*9 C1 {ENDS}")),
    (POOL, "left behind at each start", (
        f"{together('s1:s M1 c1 +1000', 8)} @0 {LIVES}", f"s1:s M1 c1 {LIVES}")),
    (POOL, "publishers left behind", (
        f"{together('d1:s p1 C1 +1000', 8)} @0 {LIVES}", f"d1:s p1 C1 {LIVES}")),
    (POOL, "publishers for one message", ("d1:s p1 C1 x1 " * 12, "d1:s p1*9 C1 x1")),
    (POOL, "look-ups left behind", (
        f"d1:s p1 C1 {together('m:s +1000', 8, 1)} @0 {LIVES} p1 C1 {ENDS} @1 {ENDS}",
        f"d1:s p1 C1 {together(f'm:s {ENDS} +1000', 4, 1)} @0 {LIVES} p1 C1 {ENDS}")),
    (POOL, "opened for nothing", (together(ENDS, 12), together(f"d1:s p1 C1 {ENDS}", 3))),
    (LOOP, "forgets a subscription", (
        f"s1:s M1 c1 s2:t M2 c2 -s -c @1 s1:s M1 c1 {LIVES * 2} l",
        f"s1:s M1 c1 s2:t M2 c2 -s -c @1 s1:s M1 c1 s2:t M2 c2 {LIVES * 2} l")),
    (LOOP, "forgets a publisher", (
        f"d1:s p1 C1 d2:t p2 C2 -s -c @1 d1:s p1 C1 {LIVES * 2} {ENDS}",
        f"d1:s p1 C1 d2:t p2 C2 -s -c @1 d1:s p1 C1 d2:t p2 C2 {LIVES * 2} {ENDS}")),
    (LOOP, "without a pause", (together(f"d1:s p1 C1 {ENDS}", 8), f"d1:s p1 C1 {ENDS}")),
    (LOOP, "loses its place", (
        together("s1:s M1*5 -r +1000", 6), "s1:s M1*5 -r +1000 @1 s1:s^5 M1*5 l")),
    (LOOP, "skips", (
        "y:s d1:s p1*20 C1 @1 s1:s^n M1*9 -r @0 p1*50 C1 @2 s1:s^n +1000 @0 p1*20 C1 @2 l",
        "y:s d1:s p1*9 C1 @1 s1:s M1*9 -r @2 s1:s^9 +1000 @0 p1*20 C1 @2 l")),
    (SHUTS, "does not wait for confirms", (f"d1:s p1*50 {ENDS}", f"d1:s p1*50 C1 {ENDS}")),
    (SHUTS, "does not say so", ("s1:s M1 c1 -c -s", f"s1:s M1 c1 {ENDS}")),
    (SHUTS, "does not stop others", ("d1:s p1 C1 l! p1 +1000 p1", f"d1:s p1 C1 {ENDS}")),
    (SHUTS, "does not store the offset", (
        (f"g:s*10 s1:s^10 M1*5 c1 M1*5 c1 w:s*19 M1*50 c1 {ENDS} "
        f"@1 g:s*19 s1:s^20 M1*30 c1 {ENDS}"),
        f"g:s*10 s1:s^10 M1*5 c1 M1*5 c1 w:s*19 {ENDS} @1 g:s*19 s1:s^20 M1*30 c1 {ENDS}")),
    (STORE, "dead", (
        f"s1:s {STORES} {'M1*5 c1 ' * 60} {ENDS}", f"s1:s {STORES} {'M1*5 c1 ' * 5} {ENDS}",
        f"s1:s {STORES} {'M1*5 ' * 9} {ENDS}", f"s1:s {'M1*5 c1 ' * 60} {ENDS}")),
    (STORE, "never started", (
        f"g:s?19 s1:s M1*50 c1 {ENDS}", f"g:s?19 s1:s M1*50 c1 w:s*49 {ENDS}")),
    (STORE, "for each message", (
        "s1:s " + " ".join(f"M1 w:s*{number} c1" for number in range(30)), f"s1:s {STORES}")),
    (STORE, "started twice", (
        ("s1:s=app M1*5 c1 w:s*2 @1 s1:s=app M1*5 c1 w:s*3 @0 M1*5 w:s*7 @1 M1*5 w:s*8 "
        "@0 w:s*9 @1 w:s*9"),
        "s1:s=a M1*5 c1 w:s=a*2 @1 s1:s=b M1*5 c1 w:s=b*3 @0 M1*5 w:s=a*7 @1 M1*5 w:s=b*8")),
    (STORE, "stuck", (f"s1:s M1*5 c1 {'w:s*4 +1000 ' * 20}", f"s1:s {STORES}")),
    (STORE, "goes back", ("s1:s M1*50 c1 w:s*40 +1000 w:s*20 w:s*45", f"s1:s {STORES}")),
    (STORE, "is ahead", ("s1:s M1*5 c1 w:s*400 l", "s1:s M1*5 c1 w:s*4 l")),
    (STORE, "never read", (
        together(f"s1:s M1*50 c1 w:s*40 {ENDS} +1000", 3),
        f"s1:s M1*50 c1 w:s*40 {ENDS} @1 g:s*40 s1:s^41 M1*9 {ENDS}")),
    (STORE, "asks for each message", (f"d1:s=r {'q:s=r p1 C1 ' * 20}", "q:s=r d1:s=r p1 C1")),
    (STORE, "shared by two publishers", (
        "d1:s=r p1 C1 @1 d1:s=r p1 C1 @0 p1 C1 @1 p1 C1 @0 p1 C1 l @1 l",
        "d1:s=r p1 C1 @1 d1:s=t p1 C1 @0 p1 C1 @1 p1 C1 l @0 l")),
]  # fmt: skip
"""Part, failure, words of the failure, and words of near misses."""


def _played(words: Iterable[str]) -> tuple[list[Talk], ...]:
    """The traffic of a failure and of its near misses."""
    return tuple(map(play, words))


PROBES = [
    *(Probe(part, failure, partial(_played, words)) for part, failure, words in CASES),
    Probe(WRITES, "several threads write", lambda: (
        test_continuity.sent((0,), (2,), (1,)), test_continuity.sent((0,), (1,), (2,)))),
    Probe(CONFIRMS, "forgets what was open", lambda: (
        test_continuity.lost((2, 3, 4), (5, 6)), test_continuity.lost((2, 3, 4), (2, 3, 4)))),
    Probe(BEATS, "started too early", lambda: ([Talk(beats=True)], [Talk()])),
    Probe("Timer of the token", "renews with the same token", lambda: (
        test_continuity.renewed(b"t" * 64), test_continuity.renewed(b"u" * 64))),
    Probe("Timer of the token", "renews open connections alone", lambda: (
        test_handshake.renewed(b"one", b"two", b"one", 8),
        test_handshake.renewed(b"one", b"two", b"two", 8))),
    Probe("Caller that waits for an answer", "waits at a broker that hangs", lambda: (
        test_handshake.late_answer(0x11, 4, 2), test_handshake.late_answer(0x11, 0.5, 1))),
    Probe(CALLER, "dies of a late answer", lambda: (
        [test_delays.answered(12)], [test_delays.answered(2)])),
    Probe(POOL, "cannot reach the node", lambda: (
        [test_delays.look(each) for each in range(3)],
        [test_delays.look(each, works=True) for each in range(3)])),
    Probe(LOOP, "forgets it after MetadataUpdate", lambda: (
        test_restoring.updated(12, life="sub"),
        test_restoring.updated(12, life="sub", again="subscribe"))),
]  # fmt: skip
"""Those of words, and those of traffic that other tests make."""


@every("probe", PROBES, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure; near misses stay silent."""
    assert wrong(PROTOCOL, probe, found) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, PROBES) == []
