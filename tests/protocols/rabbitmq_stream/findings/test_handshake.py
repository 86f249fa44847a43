"""Rules for the handshake."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    accused,
    findings,
    number,
    text,
)


def test_a_frame_before_open_is_not_large(tmp_path: Path) -> None:
    """T4: from the first byte that is too many, the length before the frame not counted."""
    around = 4 + 4 + 4 + 2 + len("platform") + 2
    for size, is_wrong in ((8192, False), (8193, True), (8196, True)):
        talk = Talk(said=size - around)
        rules = {each for each, _ in accused(tmp_path, talk.leave())}
        assert ("RMQ-T4" in rules) is is_wrong, size


def test_a_tune_of_another_layout_teaches_nothing(tmp_path: Path) -> None:
    """T7 alone: the code and id in front are no frame size and heartbeat."""
    talk = Talk()
    talk.say(CLIENT, 0x8014, number(4) + number(1, 2) + number(1 << 20) + number(60))
    talk.ask(0x0D, text("s") + number(0))
    talk.leave()

    assert [each for each in accused(tmp_path, talk) if each[0] != "RMQ-T1b"] == [
        ("RMQ-T7", "error")
    ]


TUNED = 0x8014


class GivenUp(Talk):
    """A client that sends Close in place of a step of the handshake, and nothing after it."""

    def __init__(self, step: int) -> None:
        self.step, self.over = step, False
        super().__init__()

    def say(self, side: int, key: int, body: bytes) -> None:
        """A frame; from the step on there is Close alone."""
        if not self.over and (side, key) == (CLIENT, self.step):
            self.over = True
            super().say(CLIENT, 0x16, number(9) + number(1, 2) + text("OK"))
            self.made.finish(SERVER).finish(CLIENT)
        elif not self.over:
            super().say(side, key, body)


def test_close_is_for_open_connections(tmp_path: Path) -> None:
    """B141: in place of each step; not after the answer to Open."""
    for step in (0x12, 0x13, 0x8014, 0x15):
        assert "RMQ-B141" in {rule for rule, _ in accused(tmp_path, GivenUp(step))}, step
    for seconds, part in ((5, "hangs"), (1, "gives the connection up")):
        talk = Stopped(0x11).wait(seconds)
        talk.stopped = False
        talk.say(CLIENT, 0x16, number(9) + number(1, 2) + text("OK"))
        causes = [e.cause for e in findings(tmp_path, talk) if e.rule == "RMQ-B141"]
        assert [part in each for each in causes] == [True], seconds
    assert "RMQ-B141" not in {rule for rule, _ in accused(tmp_path, Talk().leave())}


class Stopped(Talk):
    """A handshake that stops at a frame of the client, which has no answer, or is not sent."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.stopped = False
        super().__init__()

    def say(self, side: int, key: int, body: bytes) -> None:
        """A frame, if it is not after the last one."""
        if not self.stopped:
            self.stopped = (side, key) == (CLIENT, self.last)
            if not self.stopped or key != TUNED:
                super().say(side, key, body)


@every(
    ("asked", "end", "seconds", "rules"),
    [
        *((key, "client", 5, {"RMQ-N16"}) for key in (0x11, 0x12, 0x13, 0x15)),
        *((key, "broker", 1, {"RMQ-N16"}) for key in (0x11, 0x12, 0x13, 0x15)),
        (0x13, "", 12, set()),
        (0x13, "", 5, {"RMQ-N16b"}),
        (0x13, "", 2, set()),
        (0x13, "client", 1, set()),
        (TUNED, "", 5, {"RMQ-N5b"}),
        (TUNED, "client", 5, {"RMQ-N5b"}),
        (TUNED, "", 2, set()),
    ],
)
def test_handshakes_that_stop(
    asked: int, end: str, seconds: float, rules: set[str], tmp_path: Path
) -> None:
    """N16: a request without an answer; N5b: no answer to Tune."""
    talk, other = Stopped(asked), Talk(40_001)
    if end:
        talk.wait(seconds).made.finish(CLIENT if end == "client" else SERVER)

    found = {each for each, _ in accused(tmp_path, talk, other.wait(seconds + 0.1).leave())}
    assert {each for each in found if each.startswith("RMQ-N")} == rules


@every(
    ("asked", "seconds", "later", "found"),
    [
        *((key, 4, 2, True) for key in (0x11, 0x12, 0x13, 0x15)),
        (0x11, 0.5, 1, False),
        (0x11, 0, 0, False),
    ],
)
def test_answers_after_the_client_has_left(
    asked: int, seconds: float, later: float, tmp_path: Path, *, found: bool
) -> None:
    """B223: the client has waited for seconds; not if it gives up at once, or is still there."""
    talks = late_answer(asked, seconds, later)

    assert ("RMQ-B223" in {rule for rule, _ in accused(tmp_path, *talks)}) is found


def late_answer(asked: int, seconds: float, later: float) -> list[Talk]:
    """A request whose client gives up after some seconds, if any, and its answer after that."""
    talk = Stopped(asked)
    talk.wait(seconds)
    if seconds:
        talk.made.finish(CLIENT)
    talk.wait(later).stopped = False
    rest = {0x11: number(0), 0x12: number(1) + text("PLAIN"), 0x13: b"", 0x15: number(0)}
    own = number(list(rest).index(asked) + 1)
    talk.say(SERVER, asked | 0x8000, own + number(1, 2) + rest[asked])
    talk.made.finish(SERVER)
    return [talk]


def renewed(old: bytes, new: bytes, then: bytes, code: int) -> list[Talk]:
    """A secret that is renewed on an open connection, and the one of the next connection."""
    first = Talk(password=old)
    first.ask(0x13, text("PLAIN") + number(3 + len(new)) + b"\0a\0" + new, number(1, 2))
    first.made.finish(SERVER).finish(CLIENT)
    return [first, Login(then, code)]


class Login(Talk):
    """A later connection whose authentication has an answer of a code, and which ends then."""

    def __init__(self, secret: bytes, code: int) -> None:
        self.code, self.over = code, False
        super().__init__(40_001, 5 * SECOND, password=secret)

    def say(self, side: int, key: int, body: bytes) -> None:
        """A frame, until authentication has its answer."""
        if key == 0x8013:
            super().say(side, key, body[:4] + number(self.code, 2))
            self.made.finish(SERVER).finish(CLIENT)
            self.over = True
        elif not self.over:
            super().say(side, key, body)


@every(
    ("secrets", "code", "found"),
    [
        ((b"one", b"two", b"one"), 8, True),
        ((b"one", b"two", b"two"), 8, False),
        ((b"one", b"two", b"three"), 8, False),
        ((b"one", b"one", b"one"), 8, False),
        ((b"one", b"two", b"one"), 1, False),
    ],
)
def test_secrets_that_were_replaced(
    secrets: tuple[bytes, bytes, bytes], code: int, tmp_path: Path, *, found: bool
) -> None:
    """B220: the secret of an earlier connection, which has been renewed there, and is refused."""
    rules = {rule for rule, _ in accused(tmp_path, *renewed(*secrets, code))}

    assert ("RMQ-B220" in rules) is found


@every(
    ("broker", "key", "value", "rules"),
    [
        ("4.4.0", "stream-initial-offset", "1000", []),
        ("4.3.6", "stream-initial-offset", "1000", ["RMQ-V6b"]),
        ("4.4.0", "stream-initial-offset", "x", ["RMQ-S4c"]),
        ("3.13.0", "stream-filter-size-bytes", "32", []),
        ("3.12.0", "stream-filter-size-bytes", "32", ["RMQ-V6b"]),
    ],
)
def test_arguments_of_newer_brokers(
    broker: str, key: str, value: str, rules: list[str], tmp_path: Path
) -> None:
    """V6b: an older one ignores them."""
    talk = Talk(broker=broker)
    talk.ask(0x0D, text("s") + number(1) + text(key) + text(value))

    assert [each for each, _ in accused(tmp_path, talk.leave())] == rules
