"""Rules for what messages and names of Liftbridge contain."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    JSON,
    PACKED,
    Script,
    Talks,
    names_the_fault_alone,
    sent,
)
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.content_rules import CONTENTS, FORMATS


def encoded(*values: tuple[int, bytes], stream: str = "s") -> Script:
    """Messages of a stream, each from a connection."""
    talk = Script()
    for flow, value in values:
        talk.ask("Publish", member(2, value) + member(3, stream), flow)
    return talk


def announced(name: str, kind: bytes, value: bytes) -> Script:
    """A message with a header."""
    talk = Script()
    header = member(5, member(1, name) + member(2, kind))
    talk.ask("Publish", member(2, value) + member(3, "s") + header)
    return talk


def request(method: str, message: bytes) -> Script:
    """A call."""
    talk = Script()
    talk.ask(method, message)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B47", lambda: (encoded((0, JSON), (1, PACKED), (1, PACKED)),
        encoded((0, JSON), (1, PACKED)), encoded((0, JSON), (1, b"[1]"), (1, b"[2]")),
        encoded((0, JSON), (0, PACKED), (1, PACKED), (1, PACKED)))),
    ("B47", lambda: (encoded((0, b"<a/>"), (1, b"text"), (1, b"text")),)),
    ("B47b", lambda: (encoded((0, JSON), (0, PACKED), (0, PACKED)),
        encoded((0, JSON), (0, PACKED), (0, JSON)), encoded((0, JSON), (0, b"[1]"), (0, b"[]")))),
    ("B48", lambda: (announced("Content-Type", b"application/json", PACKED),
        announced("Content-Type", b"application/json", JSON),
        announced("content-type", b"application/msgpack", PACKED))),
    ("B48", lambda: (announced("content-encoding", b"gzip", JSON),)),
    ("B66", lambda: (request("CreateStream", members(_1="orders", _2="undefined")),
        request("CreateStream", members(_1="orders", _2="orders")))),
    ("B66", lambda: (request("SetCursor", members(_1="s", _3="{consumer}", _4=7)),
        request("SetCursor", members(_1="s", _3="consumer", _4=7)))),
    ("B67", lambda: (sent(b"[object Object]"), sent(b'{"a":1}'))),
    ("B68", lambda: (sent(b"eyJvcmRlciI6IDd9"), sent(b"0123456789abcdef"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*CONTENTS, *FORMATS)} == {f"LFB-{rule}" for rule, *_ in CASES}
