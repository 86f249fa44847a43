"""Rules for clients that come back: each names its fault, and leaves alone what looks like it."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    EARLIEST,
    Script,
    Talks,
    names_the_fault_alone,
)
from tests.protocols.liftbridge.traffic import CLIENT, SERVER

from streamshark.protocols.liftbridge.return_rules import RETURN_RULES


def returns(  # noqa: PLR0913
    *, subscribed: int = 0, renewed: int = 0, published: bool = False, again: bool = False,
    asks: int = 3, pause: float = 1.5, side: int = SERVER, away: float = 1
) -> Script:  # fmt: skip
    """A connection that ends, one that takes up work, and one that asks for metadata."""
    talk = Script()
    for each in range(subscribed):
        talk.subscribe(EARLIEST, partition=each)
        talk.message(0)
    if published:
        talk.publish(method="PublishAsync")
    talk.lose(0, side)
    talk.wait(away)
    for each in range(renewed):
        talk.subscribe(EARLIEST, flow=1, partition=each)
        talk.message(0, 1)
    if again:
        talk.publish(method="PublishAsync", flow=1)
    for _ in range(asks):
        talk.ask("FetchMetadata", b"", 2)
        talk.answer("FetchMetadata", b"", 2)
        talk.wait(pause)
    talk.wait(3)
    talk.lose(2, CLIENT)
    return talk


def begins(published: int, position: int = 0) -> Script:
    """A subscription after messages."""
    talk = Script()
    for _ in range(published):
        talk.publish()
    talk.subscribe(position, flow=1)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B210", lambda: (begins(3), begins(2), begins(9, EARLIEST))),
    ("B211", lambda: (returns(published=True),
        returns(published=True, again=True), returns(published=True, asks=2),
        returns(published=True, pause=0.5), returns(published=True, side=CLIENT),
        returns(published=True, away=90), returns())),
    ("B212", lambda: (returns(subscribed=2, renewed=1),
        returns(subscribed=2, renewed=2), returns(subscribed=2, renewed=1, asks=2),
        returns(subscribed=2, side=CLIENT), returns(subscribed=2, away=90))),
    ("B213", lambda: (returns(subscribed=2, renewed=1),
        returns(subscribed=2, renewed=2), returns(subscribed=2), returns(renewed=1),
        returns(subscribed=2, renewed=1, side=CLIENT),
        returns(subscribed=2, renewed=1, pause=0.1))),
    ("B212", lambda: (returns(subscribed=1, published=True, again=True), returns(published=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in RETURN_RULES} == {f"LFB-{rule}" for rule, _ in CASES}
