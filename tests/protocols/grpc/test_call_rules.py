"""Rules for the frames of one call: faults in two forms, and near misses."""

import re

from tests.failures import every
from tests.protocols.grpc.test_behaviour_rules import CLIENT, ENDED, MS, SECOND, SERVER, Calls
from tests.protocols.http2.traffic import (
    DATA,
    END_STREAM,
    REQUEST,
    RESPONSE,
    TRAILERS,
    frame,
    message,
)

from streamshark.protocols.grpc.call_rules import CALL_RULES

UNARY = "c1 M1 h1 r1 s1"
"""A call with one message each way."""
PATHS = {
    "/": "/proto.API/Other",
    "!": "/grpc.health.v1.Health/Check",
    "*": "/grpc.health.v1.Health/Watch",
}


def play(words: str) -> Calls:
    """Return a connection with some frames, each a millisecond after the one before.

    Of the client `c` is a call, `m` a message, `M` its last one and `x` the end of a call; of the
    server `h` are headers, `r` a message, `s` a status and `g` GOAWAY. The number is that of the
    stream, and after `=` the status. `/` is another method, `!` one that is known to
    have one message each way, and `*` one with any number of replies. `-c` and `-s` are the end of
    a side.
    """
    calls = Calls()
    for word in words.split():
        calls.tcp.time_ns += MS
        match = re.fullmatch(r"([a-zA-Z])(\d*)([/!*]?)(?:=(\d+))?", word)
        if match is None:
            if word.startswith("+"):
                calls.tcp.time_ns += int(word[1:]) * MS
            else:
                calls.tcp.finish({"-c": CLIENT, "-s": SERVER}[word])
            continue
        letter, stream, other, status = match[1], int(match[2] or 0), match[3], match[4] or "0"
        client, server = calls.sides
        if letter == "c":
            path = {":path": PATHS[other]} if other else {}
            calls.tcp.send(CLIENT, client.headers(REQUEST | path, stream))
        elif letter in "mM":
            flags = END_STREAM if letter == "M" else 0
            calls.tcp.send(CLIENT, frame(DATA, message(b"hi"), stream, flags))
        elif letter == "x":
            calls.cancel(stream)
        elif letter == "h":
            calls.tcp.send(SERVER, server.headers(RESPONSE, stream))
        elif letter == "r":
            calls.tcp.send(SERVER, frame(DATA, message(b"hi"), stream))
        elif letter == "s":
            headers = TRAILERS | RESPONSE | {"grpc-status": status}
            calls.tcp.send(SERVER, server.headers(headers, stream, ENDED))
        else:
            calls.stream = 1
            calls.goaway(0)
    calls.packets += calls.tcp.packets
    return calls


CASES = [
    ("B40", "c1 M1 -c -s", UNARY + " -c -s", "c1 m1 -c -s", "c1 M1 x1 -c -s", "c1 M1 h1 -c -s",
     "c1 M1 +3000 c3/ M3 h3 r3 s3 -c -s"),
    ("B40", UNARY + " c3 -c -s", UNARY + " c3/ -c -s"),
    ("B40", "c1 M1 c3/ M3 h3 r3 s3 -s -c"),
    ("B40", "c1! -c -s", "c1! x1 -c -s", "c1* -c -s"),
    ("B40b", UNARY + " c3 M3 h3 r3 -c -s", UNARY + " c3 M3 h3 r3 s3 -c -s",
     UNARY + " c3/ M3 h3 r3 -c -s", UNARY + " c3 M3 h3 r3 r3 -c -s", "c1 M1 h1 r1 -c -s"),
    ("B40b", UNARY + " c3 M3 h3 -s -c"),
    ("B41", UNARY + " s1", UNARY, UNARY + " c3 M3 h3 r3 s3", "c1 M1 x1 h1"),
    ("B41", UNARY + " r1"),
    ("B41b", "c1 M1 m1 h1 r1 s1", "c1 m1 m1 M1 h1 r1 s1"),
    ("B41b", UNARY + " c3 M3 M3"),
    ("B42", "c1 M1 r1 s1", UNARY, "c1 M1 s1=5"),
    ("B42", UNARY + " c3 M3 r3 h3 s3"),
    ("B42b", "c1 M1 h1 h1 r1 s1", UNARY, UNARY + " c3 M3 h3 r3 s3"),
    ("B42b", "c1 M1 h1 r1 h1 s1"),
    ("B43", "c1 M1 h1 r1 s1 M3", UNARY, UNARY + " c3 M3"),
    ("B43", "c1 M1 h3 r3 s3"),
    ("B44", "c1 M1 h1 s1", UNARY, "c1 M1 h1 s1=5", "c1 M1 s1=5"),
    ("B44", "c1 M1 s1"),
    ("B44b", "c1 h1 r1 s1", UNARY, "c1 h1 s1=3"),
    ("B44b", UNARY + " c3 h3 r3 r3 s3"),
    ("B45", UNARY + " c1 M1", UNARY + " c3 M3", "c1 c3 M3 M1"),
    ("B45", "c5 M5 c3 M3"),
    ("B45b", UNARY + " c6 M6 h6 r6 s6", UNARY + " c7 M7"),
    ("B45b", UNARY + " c4 M4"),
    ("B46", UNARY + " -s -c", UNARY + " -c -s", UNARY + " g -s -c", "-s -c"),
    ("B46", "c1 M1 -s -c"),
    ("B47", UNARY + " c3 M3 h3 r3 r3 s3", UNARY + " c3 M3 h3 r3 s3", "c1 M1 h1 r1 r1 s1",
     UNARY + " c3/ M3 h3 r3 r3 s3", UNARY + " c3 M3 h3 r3 r3 s3=8"),
    ("B47", UNARY + " c3 M3 h3 r3 r3 r3 s3 -c -s"),
    ("B47b", UNARY + " c3 m3 M3 h3 r3 s3", UNARY + " c3 M3 h3 r3 s3", "c1 m1 M1 h1 r1 s1"),
    ("B47b", "c1 M1 h1 r1 s1 c3 m3 m3 m3 M3 h3 r3 s3"),
    ("B70", "c1! M1 h1 r1 r1 s1", "c1! M1 h1 r1 s1 c3! M3 h3 r3 s3", "c1* M1 h1 r1 r1 s1",
     "c1 M1 h1 r1 r1 s1"),
    ("B70", "c1! M1 h1 r1 +3000 r1"),
    ("B70b", "c1! m1 M1 h1 r1 s1", "c1! m1 h1 r1 s1 c3! M3", "c1 m1 M1 h1 r1 s1", "c1! M1 M1"),
    ("B70b", "c1* m1 h1 r1 m1"),
    ("B71", "c1! h1 r1 M1 s1", "c1! M1 h1 r1 s1", "c1 h1 r1 M1 s1", "c1! s1=7"),
    ("B71", "c1* h1 r1 r1 m1"),
    ("B72", "c1! M1 h1 r1 -c -s", "c1! M1 h1 r1 s1 -c -s", "c1* M1 h1 r1 -c -s",
     "c1 M1 h1 r1 -c -s", "c1! M1 -c -s", "c1! M1 h1 r1 x1 -c -s"),
    ("B72", "c1! m1 h1 r1 c3 M3 h3 r3 s3 -s -c"),
    ("B73", "c1! M1 h1 r1 c3 M3 h3 r3 s3 s1", "c1! M1 c3 h1 M3 h3 r3 r1 s3 s1", "c1! M1 h1 r1 s1",
     "c1* M1 h1 r1 c3 M3 h3 r3 s3 s1", "c1! M1 +3000 h1 r1 s1"),
    ("B73", "c1! M1 h1 r1 +3000 s1", "c1 M1 h1 r1 +3000 s1", UNARY + " c3 M3 h3 r3 +3000 s3"),
    ("B74", "c1* M1 h1 x1 x1", "c1* M1 h1 x1", "c1 M1 x1 c3 M3 x3"),
    ("B74", "c1 m1 x1 +50 x1 x1", "c1 m1 x1 m1"),
]  # fmt: skip
"""Rule, a fault that it names, and near misses."""


@every(("rule", "words"), [(rule, words) for rule, *words in CASES])
def test_a_fault_and_its_near_misses(rule: str, words: list[str]) -> None:
    """The fault is found, and nothing that looks like it."""
    found = [f"GRPC-{rule}" in play(each).rules() for each in words]
    assert found == [True] + [False] * (len(words) - 1)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above, and each has two faults."""
    named = {f"GRPC-{rule}" for rule, *_ in CASES}
    assert {each.id for each in CALL_RULES} == named | {"GRPC-B90"}
    assert all(sum(rule == each for each, *_ in CASES) > 1 for rule, *_ in CASES)


def deaf(
    wait: int = 20, *, content: bytes = b"hi", took: int = 10, before: bool = False,
    more: bool = False, begun: bool = True
) -> Calls:  # fmt: skip
    """A call that is not answered, and one on another connection, before or after it."""
    calls = Calls()
    first, sides = calls.tcp, calls.sides
    calls.call()
    sent, begins = len(first.packets), first.time_ns
    calls.time_ns = begins - SECOND * (5 if before else -3)
    calls.connect()
    second, stream = calls.tcp, calls.call(content)
    second.time_ns += took * MS
    if begun:
        calls.begin(stream)
    if more:
        first.time_ns = begins + 4 * SECOND
        first.send(SERVER, sides[SERVER].headers(RESPONSE, 1))
    whole = len(second.packets)
    for each in (first, second):
        each.time_ns = begins + wait * SECOND
        each.finish(CLIENT)
        each.finish(SERVER)
    openings = [first.packets[:sent], second.packets[:whole]]
    calls.packets = [
        *(packet for each in (reversed(openings) if before else openings) for packet in each),
        *first.packets[sent:],
        *second.packets[whole:],
    ]
    return calls


def test_a_call_on_a_dead_connection() -> None:
    """A later call with its content is answered on another one; nothing else comes on its own."""
    for fault in (deaf(), deaf(12, took=900)):
        assert "GRPC-B90" in fault.rules()
    for kept in (
        *(deaf(8), deaf(content=b"other"), deaf(took=1500), deaf(before=True), deaf(more=True)),
        deaf(begun=False),
    ):
        assert "GRPC-B90" not in kept.rules()
