"""Rules for what peers do over time: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, framed, setup

from streamshark.protocols.rsocket.findings.behaviours import BEHAVIOURS

CLIENT, SERVER = 0, 1
MS, SECOND = 1_000_000, 1_000_000_000
RESPONSE, STREAM, REQUEST_N, CANCEL, PAYLOAD, ERROR, KEEPALIVE = 4, 6, 8, 9, 10, 11, 3
FAILED, REJECTED, REJECTED_SETUP = 0x201, 0x202, 3
NEXT, DONE, RESPOND = 0x20, 0x60, 0x80


def number(value: int) -> bytes:
    """Four bytes of a number."""
    return value.to_bytes(4, "big")


class Script(Talk):
    """Connections whose frames come one millisecond after another, unless they wait."""

    def say(self, side: int, data: bytes, wait: int = MS) -> None:
        """Bytes of one side."""
        self.now += wait - SECOND
        super().say(side, data)

    def ends(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule at the end, also as consequences."""
        for row in self.connection.finish():
            self.engine.see(row)
        self.engine.finish()
        self.judge.finish()
        own = self.judge.findings()
        return [
            each.frames
            for finding in own
            for each in (finding, *finding.echoes)
            if each.rule == rule
        ]

    def another(self) -> None:
        """The connection ends, and another one begins."""
        self.close()
        for row in self.connection.finish():
            self.engine.see(row)
        self.connect()


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


CASES: list[tuple[str, Script, list[Script]]] = [
    ("B1", refused(5), [refused(4), refused(5, 3 * SECOND), refused(8, alike=False)]),
    ("B1b", refused(5, code=FAILED), [refused(4, code=FAILED), refused(5)]),
    ("B2", refused_setup(4), [refused_setup(3), refused_setup(4, 6 * SECOND)]),
    ("B3", connections(10, 1), [connections(9, 1), connections(10, 8)]),
    ("B4", beats(8, 100 * MS), [beats(7, 100 * MS), beats(8, 10 * SECOND)]),
    ("B5", announced(60), [announced(500), announced(0)]),
    ("B6", idle(4), [idle(3), idle(4, wait=MS), idle(4, requests=3)]),
    ("B7", cancelled(5), [cancelled(4), cancelled(5, SECOND)]),
    ("B8", pending(3), [pending(2), pending(3, wait=MS)]),
    ("B9", pending(1, side=SERVER), [pending(1), pending(1, side=SERVER, wait=MS)]),
    ("B10", tokens(b"t", b"t"), [tokens(b"t", b"u"), tokens(b"t", b"t", ended=True)]),
    ("B11", requested(25), [requested(15), requested(25, 8)]),
    ("B12", demanded_late(3), [demanded_late(2), demanded_late(3, MS)]),
]
"""Rule, the fault, and what looks like it."""


@every(("rule", "fault", "kept"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, fault: Script, kept: list[Script]) -> None:
    """The fault is found, and nothing that looks like it."""
    assert fault.ends(f"RSK-{rule}"), rule
    for place, each in enumerate(kept):
        assert not each.ends(f"RSK-{rule}"), (rule, place)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"RSK-{rule}" for rule, *_ in CASES}
