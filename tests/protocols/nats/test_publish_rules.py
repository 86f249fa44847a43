"""Rules for messages of NATS that are lost or stored twice."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, names_the_fault_alone
from tests.protocols.nats.traffic import CLIENT, MS, SECOND, Script

from streamshark.protocols.nats.publish_rules import LOST_AND_TWICE


def heard_late(count: int, pattern: str, *, early: str = "") -> Script:
    """Messages, then a subscription; perhaps one before them."""
    talk = Script()
    if early:
        talk.line(CLIENT, f"SUB {early} 1")
    for _ in range(count):
        talk.pub("orders.new", "order")
    talk.line(CLIENT, f"SUB {pattern} 2")
    return talk


def with_ids(*messages: tuple[str, str], wait: int = SECOND) -> Script:
    """Messages with their ids."""
    talk = Script()
    for number, payload in messages:
        block = f"NATS/1.0\r\nNats-Msg-Id: {number}\r\n\r\n"
        sizes = f"{len(block)} {len(block) + len(payload)}"
        talk.say(CLIENT, f"HPUB orders {sizes}\r\n{block}{payload}".encode(), after=wait)
    return talk


def stored_late(
    count: int, *, created: bool = True, subjects: str = "orders.*", reply: str = ""
) -> Script:
    """Messages, then the stream for them."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for _ in range(count):
        talk.pub("orders.new", "order", reply)
    talk.pub("$JS.API.STREAM.CREATE.S", "{}", "_INBOX.a.0")
    more = ',"did_create":true' if created else ""
    config = f'{{"name":"S","subjects":["{subjects}"]}}'
    talk.msg("_INBOX.a.0", f'{{"type":"x","config":{config}{more}}}')
    return talk


def subscribed_after(  # noqa: PLR0913
    count: int, *, wait: int = MS, apart: bool = True, messages: int = 1, wide: str = "",
    known: bool = False, name: str = "measured",
) -> Script:  # fmt: skip
    """Subjects of one message each, which another connection subscribes to just after it."""
    talk = Script()
    ends = [(talk.flow, talk.connection, talk.offsets)]
    talk.connect()
    ends.append((talk.flow, talk.connection, talk.offsets))

    def at(end: int) -> None:
        talk.flow, talk.connection, talk.offsets = ends[end if apart else 0]

    at(1)
    if wide:
        talk.line(CLIENT, f"SUB {wide} 99")
    for each in range(count):
        subject = f"{name}.{each}"
        if known:
            talk.line(CLIENT, f"SUB {subject} {50 + each}")
        at(0)
        for _ in range(messages):
            talk.pub(subject, "20 degrees")
        at(1)
        talk.line(CLIENT, f"SUB {subject} {each + 1}", wait=wait)
    return talk


def heard_between(away: int, *, left: bool = True, wide: str = "", reply: str = "") -> Script:
    """A subscription that ends, messages, and the same subscription again."""
    talk = Script()
    if wide:
        talk.line(CLIENT, f"SUB {wide} 9")
    talk.line(CLIENT, "SUB orders.new 1")
    if left:
        talk.line(CLIENT, "UNSUB 1")
    for _ in range(away):
        talk.pub("orders.new", "order", reply)
    talk.line(CLIENT, "SUB orders.new 2")
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B127", lambda: (stored_late(3),
        stored_late(2), stored_late(9, created=False), stored_late(9, subjects="bills"),
        stored_late(9, reply="_INBOX.a.1"))),
    ("B127", lambda: (stored_late(9, subjects=">"),)),
    ("B64b", lambda: (heard_late(3, "orders.*"),
        heard_late(2, "orders.*"), heard_late(9, "bills.*"), heard_late(9, "orders.new"),
        heard_late(9, "orders.*", early="bills"))),
    ("B64b", lambda: (heard_late(4, ">"),)),
    ("B64c", lambda: (heard_between(3),
        heard_between(2), heard_between(9, left=False), heard_between(9, wide="orders.>"),
        heard_between(9, reply="_INBOX.a"))),
    ("B64c", lambda: (heard_between(30),)),
    ("B64", lambda: (heard_late(3, "orders.new"),
        heard_late(2, "orders.new"), heard_late(5, "orders.new", early="orders.new"),
        heard_late(5, "orders.new", early="orders.*"), heard_late(5, "bills.new"))),
    ("B153", lambda: (subscribed_after(3),
        subscribed_after(2), subscribed_after(9, wait=200 * MS), subscribed_after(9, apart=False),
        subscribed_after(9, messages=2), subscribed_after(9, wide="measured.*"),
        subscribed_after(9, known=True), subscribed_after(9, name="_INBOX"))),
    ("B153", lambda: (subscribed_after(30, wait=90 * MS, wide="bills.>", name="job.of"),)),
    ("B65", lambda: (with_ids(("1", "an order"), ("2", "an order")),
        with_ids(("1", "an order"), ("1", "an order")),
        with_ids(("1", "an order"), ("2", "a bill..")),
        with_ids(("1", "an order"), ("2", "an order"), wait=200 * SECOND))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in LOST_AND_TWICE} == {f"NATS-{rule}" for rule, *_ in CASES}
