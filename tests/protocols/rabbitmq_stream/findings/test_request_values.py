"""Rules for values in requests: each is broken once, and once nearly."""

import base64
from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, findings, number, text


def create(**given: str) -> bytes:
    """Return the body of Create; underscores are hyphens."""
    pairs = [text(key.replace("_", "-")) + text(value) for key, value in given.items()]
    return text("orders") + number(len(pairs)) + b"".join(pairs)


def super_stream(partitions: int, keys: int) -> bytes:
    """Return the body of CreateSuperStream."""
    names = [text(f"orders-{each}") for each in range(max(partitions, keys))]
    listed = number(partitions) + b"".join(names[:partitions])
    return text("orders") + listed + number(keys) + b"".join(names[:keys]) + number(0)


def login(password: bytes) -> bytes:
    """Return the body of SaslAuthenticate."""
    return text("PLAIN") + number(len(password)) + password


PLAIN = b"\0user\0secret"
CASES = (
    ("RMQ-S6", 0x0D, create(max_age="3600"), create(max_age="3600s")),
    ("RMQ-S7", 0x0D, create(max_length_bytes="1000"), create(max_length_bytes="5000000000")),
    (
        "RMQ-S7b",
        0x0D,
        create(max_age="5m"),
        create(max_age="5m", stream_max_segment_size_bytes="1000000"),
    ),
    ("RMQ-S7b", 0x0D, create(max_age="1h"), create(max_age="7D")),
    ("RMQ-S8", 0x1D, super_stream(3, 2), super_stream(3, 3)),
    ("RMQ-N9", 0x13, login(b"user\0secret"), login(PLAIN)),
    ("RMQ-N9", 0x13, login(base64.b64encode(PLAIN)), text("EXTERNAL") + number(0)),
    ("RMQ-N10", 0x15, text("%2F"), text("/")),
)
"""Rule, command, a body that breaks the rule, and one that nearly does."""


def named(path: Path, key: int, body: bytes) -> list[tuple[str, int]]:
    """Return the rules that a request breaks, with their guilty frames."""
    talk = Talk()
    talk.ask(key, body)
    return [(each.rule, each.frames[0]) for each in findings(path, talk.leave())]


@every(("rule", "key", "wrong", "right"), CASES)
def test_a_value_and_its_near_miss(
    rule: str, key: int, wrong: bytes, right: bytes, tmp_path: Path
) -> None:
    """The request is named; one that is nearly the same is not."""
    assert (rule, 11) in named(tmp_path, key, wrong)
    assert rule not in {each for each, _ in named(tmp_path, key, right)}


def test_a_refusal_is_a_consequence(tmp_path: Path) -> None:
    """N6 is listed below what the broker refuses it for."""
    talk = Talk()
    talk.say(CLIENT, 0x15, number(99) + text("%2F"))
    talk.say(SERVER, 0x8015, number(99) + number(12, 2))
    found = findings(tmp_path, talk.leave())

    assert [each.rule for one in found if one.rule == "RMQ-N10" for each in one.echoes] == [
        "RMQ-N6"
    ]
