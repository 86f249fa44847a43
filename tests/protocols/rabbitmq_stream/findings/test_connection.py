"""Rules for the end of a connection."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.findings.rule import family
from streamshark.protocols.rabbitmq_stream.findings.connection import FORBIDDEN


def test_a_challenge_is_no_refusal(tmp_path: Path) -> None:
    """K2: of a renewed login; a broker that ends the connection later has other reasons."""
    causes = {}
    for code in (1, 10, 13):
        talk = Talk()
        for each in dict.fromkeys((code, 1)):
            challenge = number(4) + b"more" if each == 10 else b""
            talk.ask(0x13, text("PLAIN") + number(4) + b"\0a\0b", number(each, 2) + challenge)
        talk.wait(5).made.finish(SERVER).finish(CLIENT)
        found = [each for one in findings(tmp_path, talk) for each in (one, *one.echoes)]
        causes[code] = [each.cause for each in found if family(each.rule) == "RMQ-K2"]

    assert causes[1] == causes[10] != causes[13]
    assert causes[13] == ["The broker had refused the authentication."]


def test_a_silent_side_is_judged_where_its_connection_goes_on(tmp_path: Path) -> None:
    """H1, H2: of a broker to which the client sends heartbeats; one without packets may be lost."""
    for beats, rules in ((0, set()), (5, {"RMQ-H1", "RMQ-H2"})):
        talk = Talk()
        for _ in range(beats):
            talk.wait(50).say(CLIENT, 23, b"")
        found = findings(tmp_path, talk, Talk(40_001, 400 * SECOND).leave())
        assert {each.rule for each in found} & {"RMQ-H1", "RMQ-H2"} == rules, beats


def after_end(count: int, wait: float, *, silent: float = 0) -> list[Talk]:
    """Heartbeats after the broker's FIN, of a client that had been silent before."""
    talk = Talk().wait(silent)
    talk.made.finish(SERVER)
    for _ in range(count):
        talk.wait(wait).say(CLIENT, 23, b"")
    return [talk]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-H6", [Talk(beats=True).leave()]),
    ("RMQ-K7", after_end(3, 1.1)),
    ("RMQ-K7", after_end(1, 1.1)),
    ("RMQ-K7b", after_end(3, 0.1)),
    ("RMQ-K7b", after_end(1, 1.1, silent=61)),
    ("", after_end(1, 0.1)),
]  # fmt: skip
"""The rules that find a fault, or none, and the connections."""


@every(
    ("number_of_case", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_behaviours_and_near_misses(
    number_of_case: int, rule: str, talks: list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules of behaviours."""
    del number_of_case
    assert behaviours(tmp_path, *talks) == set(rule.split())


def test_every_behaviour_has_a_fault() -> None:
    """No rule is untested."""
    assert {each.id for each in FORBIDDEN} <= {each for rules, _ in CASES for each in rules.split()}
