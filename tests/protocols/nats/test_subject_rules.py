"""Rules for subjects of NATS: typos, wildcards and spaces."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, names_the_fault_alone, pulled_to
from tests.protocols.nats.traffic import CLIENT, Script

from streamshark.protocols.nats.subject_rules import SUBJECTS, TYPOS


def unheard_of(pattern: str, *subjects: str) -> Script:
    """A subscription, and messages on subjects."""
    talk = Script()
    talk.line(CLIENT, f"SUB {pattern} 1")
    for each in subjects:
        talk.pub(each, "x")
    talk.close()
    return talk


def asks_for(call: str, member: str) -> Script:
    """A request to JetStream with a member of its body."""
    talk = Script()
    talk.pub(f"$JS.API.{call}", '{"' + member + "}", "_INBOX.a.1")
    return talk


def subscribed_to(pattern: str) -> Script:
    """One subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB {pattern} 1")
    return talk


def spaced(*names: str, subscribes: str = "") -> Script:
    """Messages to subjects with these names."""
    talk = Script()
    if subscribes:
        talk.line(CLIENT, f"SUB {subscribes} 1")
    for each in names:
        talk.line(CLIENT, f"PUB weather.{each}", "sunny")
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B40", lambda: (unheard_of("orders.*", "orders.new.eu"),
        unheard_of("orders.*", "orders.new"), unheard_of("orders.*", "invoices.new"))),
    ("B40", lambda: (unheard_of("orders.create", "orders.created"),
        unheard_of("orders.created", "orders.creates"), unheard_of("orders.a1bcde", "orders.abcde"),
        unheard_of("orders.new", "orders.news"))),
    ("B40", lambda: (unheard_of("orders.created", "orders/created"),)),
    ("B40b", lambda: (unheard_of("orders.new", "orders.new.eu"),
        unheard_of("orders.new", "orders.new.eu", "orders.new"), unheard_of("orders.*", "a.b"))),
    ("N34", lambda: (subscribed_to("orders.eu*"),
        subscribed_to("orders.*"), subscribed_to("orders.eu.>"))),
    ("N34", lambda: (subscribed_to("orders.>.eu"), subscribed_to("_INBOX.a*"))),
    ("N34b", lambda: (asks_for("CONSUMER.CREATE.KV_p", 'config":{"filter_subject":"a.\\"1.>\\""}'),
        asks_for("CONSUMER.CREATE.KV_p", 'config":{"filter_subject":"a.1.>"}'),
        asks_for("CONSUMER.CREATE.S", 'config":{"filter_subjects":["a.*.b",">"]}'),
        asks_for("CONSUMER.INFO.S.C", 'config":{"filter_subject":"a*"}'),
        asks_for("STREAM.CREATE.S", 'name":"S*","subjects":["a","b.*"]'))),
    ("N34b", lambda: (asks_for("STREAM.UPDATE.S", 'name":"S","subjects":["a.b","a.>.b"]'),)),
    ("N34b", lambda: (asks_for("STREAM.CREATE.S",
        'name":"S","sources":[{"name":"T"},{"name":"U","filter_subject":"eu*"}]'),)),
    ("N34b", lambda: (asks_for("CONSUMER.DURABLE.CREATE.S.C",
        'config":{"filter_subject":"a.>b"}'),)),
    ("N35", lambda: (spaced("new york", "san jose"),
        spaced("new york", "old york"), spaced("new york", "san jose", subscribes="*"),
        spaced("new _INBOX.1", "san _INBOX.2"), spaced("york", "jose"))),
    ("N11b", lambda: (pulled_to("_INBOX.*"), pulled_to("_INBOX.b"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*TYPOS, *SUBJECTS)} == {f"NATS-{rule}" for rule, *_ in CASES}
