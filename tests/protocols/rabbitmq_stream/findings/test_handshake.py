"""Rules for the handshake."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused, number, text


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
        (0x13, "", 12, {"RMQ-N16"}),
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
