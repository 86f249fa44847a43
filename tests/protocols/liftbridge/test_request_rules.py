"""Rules for requests without a name and answers without a content: two forms, and near misses."""

from tests.failures import every
from tests.protocols.liftbridge.clients import Script, Talks, names_the_fault_alone
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.request_rules import REQUEST_RULES


def asked(method: str, **fields: int | str | bytes) -> Script:
    """A request."""
    talk = Script()
    talk.ask(method, members(**fields))
    return talk


def answered(method: str, **fields: int | str | bytes) -> Script:
    """A request without members, and its answer."""
    talk = Script()
    talk.ask(method, members(_1="s", _2="c", _3="c"))
    talk.answer(method, members(**fields))
    return talk


def group(*steps: tuple[str, str]) -> Script:
    """Requests of consumers of the group g on one connection: J joins, F fetches, L leaves."""
    talk = Script()
    for what, consumer in steps:
        {"J": talk.join, "F": talk.fetch, "L": talk.leave}[what](consumer)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B229", lambda: (asked("CreateStream", _1="s"), asked("CreateStream", _1="s", _2="s"))),
    ("B229", lambda: (asked("DeleteStream"), asked("DeleteStream", _1="s"))),
    ("B229", lambda: (asked("Subscribe", _2=1), asked("Subscribe", _1="s"))),
    ("B229", lambda: (asked("PublishToSubject", _2=b"v"), asked("PublishToSubject", _3="s"))),
    ("B229", lambda: (asked("SetCursor", _1="s", _4=1), asked("SetCursor", _1="s", _3="c"))),
    ("B229", lambda: (asked("JoinConsumerGroup", _2="c", _3="s"),
        asked("JoinConsumerGroup", _1="g", _2="c"), asked("FetchMetadata"))),
    ("B230", lambda: (group(("J", "a"), ("F", "b")), group(("J", "a"), ("F", "a")),
        group(("F", "b")), group(("J", "a"), ("J", "b"), ("F", "b"), ("F", "a")))),
    ("B230", lambda: (group(("J", "a"), ("L", "b")), group(("J", "a"), ("L", "a")))),
    ("B234", lambda: (answered("FetchMetadata"),
        answered("FetchMetadata", _1=members(_1="a", _2="h", _3=1)))),
    ("B234", lambda: (answered("FetchMetadata", _2=member(1, "s")),)),
    ("B234b", lambda: (answered("JoinConsumerGroup", _2=1, _3=5, _4=5),
        answered("JoinConsumerGroup", _1="a", _2=1, _3=5, _4=5))),
    ("B234b", lambda: (answered("JoinConsumerGroup", _1="a", _3=5),)),
    ("B234c", lambda: (answered("FetchCursor", _1=-2), answered("FetchCursor", _1=-1),
        answered("FetchCursor"))),
    ("B234c", lambda: (answered("FetchCursor", _1=-(1 << 40)),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above, and each has two faults."""
    named = [rule for rule, _ in CASES]
    assert {each.id for each in REQUEST_RULES} == {f"LFB-{rule}" for rule in named}
    assert all(named.count(rule) > 1 for rule in named)
