"""Rules for what clients do not restore after a reconnect or MetadataUpdate."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours, subscribe
from tests.protocols.rabbitmq_stream.talk import CLIENT, SECOND, SERVER, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.restoring import RECONNECTS, UPDATES


def publishers_back(*streams: str, seconds: float = 2) -> list[Talk]:
    """A client with two publishers, and those that it has after its connection was lost."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    for stream in ("a", "b"):
        one.declare(stream)
        one.publish(1, 1)
        if stream == "a":
            one.ask(6, b"\1")
            one.ask(1, b"\2" + text("") + text("a"))
            one.say(CLIENT, 2, b"\2" + number(1) + number(1, 8) + number(1) + b"m")
            one.say(SERVER, 3, b"\2" + number(1) + number(1, 8))
    one.made.reset(SERVER)
    for at, stream in enumerate(streams):
        other.ask(1, number(at, 1) + text("") + text(stream))
    return [one, other.wait(seconds).leave()]


def reconnected(seconds: float, *, subscribed: bool) -> list[Talk]:
    """A consumer whose connection is lost, and its next connection."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one)
    one.deliver(0)
    one.made.reset(SERVER)
    if subscribed:
        subscribe(other, 4, 1)
    return [one, other.wait(seconds).leave()]


def updated(
    seconds: float, *, life: str, again: str = "", other: str = "declare", sent: float = 3
) -> list[Talk]:
    """MetadataUpdate ends what a client has; it stays, while another one uses the stream again."""
    one, two = Talk(), Talk(40_001, SECOND)
    if life == "sub":
        subscribe(one)
        one.deliver(0)
    else:
        one.declare("s")
        one.publish(1, 1)
    one.wait(2).say(SERVER, 0x10, number(6, 2) + text("s"))
    two.wait(sent)
    if other == "declare":
        two.declare("s")
        two.publish(1, 1)
    elif other == "subscribe":
        subscribe(two)
    one.wait(seconds / 2)
    begin = {
        "metadata": lambda: one.ask(0x0F, number(1) + text("s"), number(0) + number(0)),
        "subscribe": lambda: subscribe(one, 4, 1),
        "declare": lambda: one.declare("s"),
    }
    if again in begin:
        begin[again]()
    for _ in range(2):
        one.wait(seconds / 4).say(CLIENT, 23, b"")
    return [one.leave() if again == "close" else one, two]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B30", updated(12, life="sub")),
    ("RMQ-B30", updated(12, life="pub", other="subscribe")),
    ("RMQ-B30b", updated(4, life="sub", sent=1.5)),
    ("", updated(12, life="sub", again="subscribe")),
    ("", updated(12, life="sub", again="metadata")),
    ("", updated(12, life="pub", again="declare", other="subscribe")),
    ("", updated(12, life="sub", other="")),
    ("", updated(12, life="sub", again="close")),
    ("RMQ-B18", reconnected(9, subscribed=False)),
    ("", reconnected(9, subscribed=True)),
    ("", reconnected(1, subscribed=False)),
    ("RMQ-B18b", publishers_back("a")),
    ("RMQ-B18b", publishers_back(seconds=6)),
    ("", publishers_back("a", "b")),
    ("", publishers_back(seconds=2)),
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
    assert {each.id for each in (*RECONNECTS, *UPDATES)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
