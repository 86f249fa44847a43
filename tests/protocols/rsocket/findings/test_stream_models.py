"""The table of frames by model, side and state: what it forbids is named, what it allows is not."""

from itertools import product

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, framed, setup

from streamshark.protocols.rsocket.findings.stream_models import FRAMES, HELD, MODELS_OF_STREAMS

N = (9).to_bytes(4, "big")
OPENING = {
    "request_response": (0x04, b"ask"), "request_fnf": (0x05, b"ask"),
    "request_stream": (0x06, N + b"ask"), "request_channel": (0x07, N + b"ask"),
}  # fmt: skip
FRAME = {
    "payload": framed(1, 0x0A, 0x20, b"item"), "request_n": framed(1, 0x08, 0, N),
    "cancel": framed(1, 0x09, 0), "error": framed(1, 0x0B, 0, b"\0\0\2\1no"),
}  # fmt: skip
NAMES = ("RSK-S6", "RSK-S14", "RSK-S21")
"""Rules of the table."""
LATE, SOON = 2, 0
"""Seconds after an end."""


def opened(model: str) -> Talk:
    """Return a stream that is open."""
    talk = Talk()
    kind, body = OPENING[model]
    talk.say(0, setup())
    talk.say(0, framed(1, kind, 0, body))
    return talk


@every(
    ("model", "side", "frame"),
    [*product(OPENING, ("requester", "responder"), FRAMES)],
)
def test_each_cell_of_the_table(model: str, side: str, frame: str) -> None:
    """A frame that is not allowed is named by one rule; one that is allowed by none."""
    talk = opened(model)
    talk.say(0 if side == "requester" else 1, FRAME[frame])
    allowed = frame in getattr(MODELS_OF_STREAMS[model], side).split()
    named = [name for name in NAMES if talk.found(name)]

    if allowed:
        assert named == []
    elif (held := HELD.get((model, side)) or HELD.get((model, side, frame))) is not None:
        assert named == [held]
    else:
        assert named == ["RSK-S21"]


def test_fragments_of_a_request_are_no_payloads() -> None:
    """S21: not what continues the request; what follows its last fragment."""
    for model, (kind, body) in OPENING.items():
        talk = Talk()
        talk.say(0, setup())
        talk.say(0, framed(1, kind, 0x80, body + bytes(64)))
        talk.say(0, framed(1, 0x0A, 0xA0, bytes(64)))
        talk.say(0, framed(1, 0x0A, 0x20, b"last"))
        assert talk.found("RSK-S21") == [], model
        talk.say(0, FRAME["payload"])
        assert talk.found("RSK-S21") == ([] if model == "request_channel" else [(5, 2)]), model


def ended(by: int, frame: bytes, later: int) -> Talk:
    """Return a stream that one side has ended, so many seconds and one ago."""
    talk = opened("request_stream")
    talk.say(by, frame)
    talk.now += later * 1_000_000_000 - (0 if later else 900_000_000)
    return talk


def test_what_crosses_with_the_end_is_silent() -> None:
    """S22 and S22b: some time after the end, not at once."""
    complete = framed(1, 0x0A, 0x60, b"last")
    for later, n in ((LATE, 1), (SOON, 0)):
        for by, end, side, frame, rule in (
            (1, complete, 0, "request_n", "RSK-S22"),
            (1, complete, 0, "cancel", "RSK-S22"),
            (1, FRAME["error"], 0, "request_n", "RSK-S22"),
            (0, FRAME["cancel"], 1, "payload", "RSK-S22b"),
            (0, FRAME["cancel"], 1, "error", "RSK-S22b"),
        ):
            talk = ended(by, end, later)
            talk.say(side, FRAME[frame])
            assert len(talk.found(rule)) == n, (later, by, frame)


def test_one_answer_may_come_late() -> None:
    """S22b: a slow server answers a request that was cancelled; items of a stream go on."""
    for model, found in (("request_response", 0), ("request_stream", 1)):
        talk = opened(model)
        talk.say(0, FRAME["cancel"])
        talk.now += LATE * 1_000_000_000
        talk.say(1, FRAME["payload"])
        assert len(talk.found("RSK-S22b")) == found, model


def test_a_timer_that_never_stops() -> None:
    """S22: a warning where it is repeated ten times."""
    talk = ended(1, framed(1, 0x0A, 0x60, b"last"), LATE)
    for _ in range(12):
        talk.now -= 900_000_000
        talk.say(0, FRAME["request_n"])
    (found,) = [each.finding() for each in talk.judge.open() if each.rule.id == "RSK-S22"]

    assert (found.severity, found.count) == ("warning", 12)
