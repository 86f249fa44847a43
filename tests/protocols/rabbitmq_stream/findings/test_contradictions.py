"""Rules for frames that contradict what came before: faults in two forms, and near misses."""

import zlib
from pathlib import Path

from tests.builders import Conversation
from tests.failures import every
from tests.protocols.rabbitmq_stream.play import found, play
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, findings, number, text

CASES: list[tuple[str, tuple[str, ...]]] = [
    ("B160", ("m:s! l! -c -s", "m:s! R l! -c -s", "m:s! l -c -s", "m:s! -c -s")),
    ("B160", ("d1:s p1 C1 +5000 x1! +2000 l! -s", "d1:s p1 C1 l! -s")),
    ("B161", ("s1:s M1 l M1", "s1:s M1 l! M1 R", "s1:s M1 l H")),
    ("B161", ("d1:s p1 l C1", "d1:s p1 l! C1 R")),
    ("B164", ("d1:s x2", "d1:s x1", "d1:s U:s x1")),
    ("B164", ("d1:s x1 +5000 x1", "d1:s x1 x1", "d1:s=ref?17 d1:s x1")),
    ("B164", ("d1:s=ref?17 x1",)),
    ("B165", ("s1:s=app% A3 a3", "s1:s=app% A1 a1", "s1:s M1 u1 M1")),
    ("B166", ("s1:s! M1 R", "s1:s! R M1", "s1:s M1 u1! s1:t! R M1")),
    ("B166", ("s1:s=app%! A1 R a1", "s1:s=app% A1 a1")),
    ("B166b", ("d1:s! p1 C1 R", "d1:s! p1 R C1", "d1:s p1 C1")),
    ("B166b", ("d1:s=ref! p1*5 +500 C1 +500 R p1 C1",)),
    ("B175", ("s1:s s2:s M1*5 M2*5 M2*5 +9000 u1", "s1:s s2:s M1*5 M2*5 +9000 u1",
        "s1:s*2 s2:s M1*5 M1*5 M2*5 M2*5 M2*5 +9000 u1")),
    ("B178", ("d1:s p1 +900 U:s", "d1:s p1 C1 +900 U:s", "d1:s p1 U:s", "d1:s p1 +900 l")),
    ("B178", ("d1:s p1*5 C1 p1*3 +5000 U:s C1", "d1:s p1*5 +5000 U:t C1")),
    ("B175b", ("y:s d1:s p1 C1 s1:s +4000 u1", "y:s d1:s p1 C1 s1:s +400 u1",
        "d1:s p1 C1 s1:s +4000 u1", "y:s d1:s p1 s1:s +4000 u1", "y:s d1:s p1 C1 s1:s^n +4000 u1",
        "y:s d1:s p1 C1 s1:s M1 +4000 u1")),
    ("B175b", ("y:s @1 s1:s @0 d1:s p1 C1 +4000 @1 -r", "y:s s1:s=app% d1:s p1 C1 +4000 u1")),
    ("B175", ("s1:s @1 s1:s M1*5 M1*5 @0 M1*5 +4000 l", "s1:s @1 s1:s M1*5 M1*5 @0 M1*5 +900 l")),
]  # fmt: skip
"""Rule, words of a fault, and words of near misses."""


@every(("at", "rule", "talks"), [(at, *case) for at, case in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: tuple[str, ...]) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    fault, *near = talks
    assert f"RMQ-{rule}" in found(play(fault))
    assert [words for words in near if f"RMQ-{rule}" in found(play(words))] == []


def begins(steps: int, *, polite: bool = False) -> Talk:
    """Return a connection that its client closes after some requests of the handshake."""
    talk = Talk.__new__(Talk)
    talk.made, talk.ids = Conversation(("10.0.0.1", 40_000)), 0
    talk.made.handshake()
    for key, body, answer in (
        (0x11, number(0), number(0)),
        (0x12, b"", number(1) + text("PLAIN")),
        (0x13, text("PLAIN") + number(4) + b"\0a\0b", b""),
    )[:steps]:
        talk.ask(key, body, number(1, 2) + answer)
    if polite:
        talk.ask(0x16, number(1, 2) + text("OK"))
    talk.made.finish(CLIENT).finish(SERVER)
    return talk


def tunes(times: int, heartbeat: int = 60) -> Talk:
    """Return a connection whose broker has sent Tune more than once."""
    talk = Talk()
    for _ in range(times - 1):
        talk.say(SERVER, 0x14, number(1 << 20) + number(heartbeat))
    return talk.leave()


def metadata(asked: tuple[str, ...], told: tuple[str, ...], host: str, port: int) -> Talk:
    """Return a connection with an answer to Metadata: about streams, with one broker."""
    names = number(len(asked)) + b"".join(map(text, asked))
    streams = b"".join(text(each) + number(1, 2) + number(0, 2) + number(0) for each in told)
    talk = Talk()
    broker = number(1) + number(0, 2) + text(host) + number(port)
    talk.ask(0x0F, names, broker + number(len(told)) + streams)
    return talk.leave()


def opens(port: str | None) -> Talk:
    """Return a connection whose broker advertises a port."""
    talk = Talk.__new__(Talk)
    talk.made, talk.ids = Conversation(("10.0.0.1", 40_000)), 0
    talk.made.handshake()
    pairs = {} if port is None else {"advertised_host": "h", "advertised_port": port}
    shown = b"".join(text(key) + text(value) for key, value in pairs.items())
    talk.ask(0x15, text("/"), number(1, 2) + number(len(pairs)) + shown)
    return talk.leave()


def chunks(*given: tuple[int, int, int], stores: bool = False, made: bool = True) -> Talk:
    """Return a subscription to a new stream: chunk id, time and epoch of what is delivered."""
    talk = Talk()
    if made:
        talk.ask(0x0D, text("s") + number(0))
    talk.subscribe("s", 10)
    if stores:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(0, 8))
    data = number(1) + b"m"
    for chunk, time, epoch in given:
        head = b"\x50\0" + number(1, 2) + number(1) + number(time, 8) + number(epoch, 8)
        head += number(chunk, 8) + number(zlib.crc32(data)) + number(len(data)) + number(0) * 2
        talk.say(SERVER, 8, b"\1" + head + data)
    return talk.leave()


def stored(*stores: int, answered: int, made: bool = True, name: str = "app") -> Talk:
    """Return a new stream, offsets that are stored in it, and the one that is answered."""
    talk = Talk()
    if made:
        talk.ask(0x0D, text("s") + number(0))
    for each in stores:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(each, 8))
    talk.ask(0x0B, text(name) + text("s"), number(1, 2) + number(answered, 8))
    return talk.leave()


def resolved(kind: int, code: int = 1) -> Talk:
    """Return a connection with an answer to ResolveOffsetSpec."""
    talk = Talk(broker="4.3.0")
    talk.ask(
        0x1F, text("s") + number(1, 2) + number(0), number(code, 2) + number(kind, 2) + number(0, 8)
    )
    return talk.leave()


def routed(to: str, *lists: str, deleted: bool = False) -> Talk:
    """Return a connection that asks for the partitions of a super stream, and for a route."""
    talk = Talk()
    if lists:
        names = number(len(lists)) + b"".join(map(text, lists))
        talk.ask(0x19, text("w"), number(1, 2) + names)
    if deleted:
        talk.ask(0x1E, text("w"))
    talk.ask(0x18, text("k") + text("w"), number(1, 2) + number(1) + text(to))
    return talk.leave()


def skips(missing: int, *, closes: bool = True) -> Talk:
    """Return a connection with five requests, of which the broker leaves one out."""
    talk = Talk()
    for at, key in enumerate((0x0D, 0x0F, 0x01, 0x06, 0x0E)):
        talk.ids += 1
        body = {0x0F: number(1), 0x01: b"\1" + text("r"), 0x06: b"\1"}.get(key, b"")
        body += b"" if key == 0x06 else text("s")
        body += number(0) if key == 0x0D else b""
        talk.say(CLIENT, key, number(talk.ids) + body)
        if at != missing:
            answer = number(0) * 2 if key == 0x0F else number(1, 2)
            talk.say(SERVER, key | 0x8000, number(talk.ids) + answer)
    return talk.leave() if closes else talk


def swaps(at: int) -> Talk:
    """Return a connection with four requests, of which two are answered in the other order."""
    talk = Talk()
    order = [0, 1, 2, 3]
    order[at : at + 2] = order[at : at + 2][::-1]
    for each in range(4):
        talk.say(CLIENT, 0x0D, number(50 + each) + text(f"s{each}") + number(0))
    for each in order:
        talk.say(SERVER, 0x800D, number(50 + each) + number(1, 2))
    return talk.leave()


def foreign(subscription: int, *, ended: bool = False) -> Talk:
    """Return a connection with subscription 1, and what is delivered to another one."""
    talk = Talk()
    talk.subscribe("s", 10)
    if ended:
        talk.ask(0x0C, b"\1")
    talk.deliver(0, subscription=subscription)
    return talk.leave()


def active(value: int) -> Talk:
    """Return a connection with ConsumerUpdate."""
    talk = Talk()
    talk.subscribe("s", 10)
    talk.say(SERVER, 0x1A, number(7) + b"\1" + number(value, 1))
    talk.say(CLIENT, 0x801A, number(7) + number(1, 2) + number(0, 2))
    return talk.leave()


@every(
    ("at", "rule", "made"),
    [
        (at, *case)
        for at, case in enumerate((
            ("X2", (skips(0), skips(9), skips(4, closes=False))),
            ("X2", (skips(1), skips(9, closes=False))),
            ("X2", (skips(4),)),
            ("B165", (foreign(2), foreign(1), foreign(1, ended=True))),
            ("B177", (swaps(0), swaps(9))),
            ("B177", (swaps(2),)),
            ("B162", (tunes(2), tunes(1))),
            ("B162", (tunes(3, 0),)),
            ("B163", (metadata(("s",), ("t",), "h", 1), metadata(("s",), ("s",), "h", 1))),
            ("B163", (metadata(("s", "t"), ("t",), "h", 1),
                metadata(("s", "t"), ("t", "s"), "h", 1), metadata(("s", "s"), ("s",), "h", 1))),
            ("B167", (active(2), active(1))),
            ("B167", (active(255), active(0))),
            ("B168", (metadata(("s",), ("s",), "", 1), metadata(("s",), ("s",), "h", 65535))),
            ("B168", (metadata(("s",), ("s",), "h", 65536),)),
            ("B168b", (opens("5552x"), opens("5552"), opens(None))),
            ("B168b", (opens("0"), opens("1"))),
            ("B169", (chunks((0, 9, 1), (1, 8, 1)), chunks((0, 9, 1), (1, 9, 1)))),
            ("B169", (chunks((0, 9, 1), (1, 0, 2)), chunks((5, 9, 1), (5, 8, 1)))),
            ("B170", (chunks((0, 9, 3), (1, 9, 2)), chunks((0, 9, 1), (1, 9, 4)))),
            ("B170", (chunks((0, 9, 3), (1, 9, 3), (2, 9, 1)), chunks((0, 9, 3), (0, 9, 1)))),
            ("B171", (chunks((7, 9, 1)), chunks((0, 9, 1)), chunks((7, 9, 1), stores=True),
                chunks((7, 9, 1), made=False))),
            ("B171", (chunks((500, 9, 1), stores=True),)),
            ("B171b", (chunks((0, 9, 1), (3, 9, 1)), chunks((0, 9, 1), (1, 9, 1)),
                chunks((0, 9, 1), (3, 9, 1), stores=True),
                chunks((0, 9, 1), (3, 9, 1), made=False))),
            ("B171b", (chunks((0, 9, 1), (1, 9, 1), (101, 9, 1)), chunks((0, 9, 1), (500, 9, 1)))),
            ("B172", (stored(5, answered=6), stored(5, 9, answered=7),
                stored(answered=6, made=False))),
            ("B172", (stored(5, answered=5, name="other"), stored(5, answered=5))),
            ("B173", (resolved(0), resolved(4), resolved(0, 2))),
            ("B173", (resolved(5),)),
            ("B174", (begins(1), begins(0), begins(3, polite=True))),
            ("B174", (begins(3),)),
            ("B176", (routed("z", "a", "b"), routed("b", "a", "b"), routed("z"))),
            ("B176", (routed("a", "aa"), routed("z", "a", deleted=True))),
        ))
    ],
    ids=lambda e: e[:2],
)  # fmt: skip
def test_values_that_contradict(at: int, rule: str, made: tuple[Talk, ...], tmp_path: Path) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    shown = [
        f"RMQ-{rule}" in {e.rule for f in findings(tmp_path, each) for e in (f, *f.echoes)}
        for each in made
    ]
    assert shown == [True] + [False] * (len(made) - 1)
