"""Rules for publishers of Liftbridge: acks, keys, offsets, subjects, loops."""

from tests.failures import every
from tests.protocols.liftbridge.clients import (
    COMPACTED,
    CONTROLLED,
    Script,
    Talks,
    made,
    names_the_fault_alone,
    published,
    sent,
)
from tests.protocols.liftbridge.traffic import member, members

from streamshark.protocols.liftbridge.publishing_rules import (
    LOOPS,
    PUBLISHING,
    STREAM_NAMES_AS_SUBJECTS,
    UNCORRELATED,
    WILDCARDS,
)

TWICE = [each * 9 for each in (b"a", b"a", b"b", b"b", b"c", b"c")]


LARGEST = 1 << 20


def keys(*values: int, settings: bytes) -> Script:
    """Messages with keys."""
    talk = made(0, settings)
    for each in values:
        talk.ask("Publish", member(1, b"k%d" % each) + member(2, b"v") + member(3, "s"))
    return talk


def pending(*, answered: bool, method: str = "PublishAsync") -> Script:
    """A publish before the connection is closed."""
    talk = Script()
    talk.publish(method=method)
    talk.answer(method, member(3, "1"))
    talk.publish(method=method)
    if answered:
        talk.answer(method, member(3, "1"))
    talk.close(0)
    return talk


def correlated(*ids: str, same_value: bool = False) -> Script:
    """Publishes with correlation ids."""
    talk = Script()
    for number, each in enumerate(ids):
        talk.publish(correlation=each, value=b"v" if same_value else b"%d" % number)
    return talk


def boxed(
    count: int, *ids: str, method: str = "Publish", answers: bool = False, wait: float = 0.01,
    own: bool = False,
) -> Script:  # fmt: skip
    """A call that is answered, then some with an ack inbox, open at once unless answered."""
    talk = Script(wait)
    talk.publish()
    talk.answer("Publish", member(1, member(1, "s")))
    for each in range(count):
        inbox = f"acks.{each}" if own else "acks"
        more = member(7, ids[each]) if ids else b""
        talk.ask(method, member(2, b"%d" % each) + member(3, "s") + member(6, inbox) + more)
        if answers:
            talk.answer(method, member(1, member(1, "s")))
    return talk


def sized(size: int) -> Script:
    """A publish of about so many bytes."""
    talk = Script()
    talk.publish(value=bytes(size))
    return talk


def called(count: int, *, method: str = "PublishAsync", joined: bool = False) -> Script:
    """Messages published, each in a call of its own or all in one."""
    talk = Script()
    for _ in range(count):
        if joined:
            talk.stream = -1
        talk.publish(method=method)
    return talk


def refused(count: int, *, stored: bool = False) -> Script:
    """Messages of PublishAsync that are refused, perhaps with others between that are stored."""
    talk = Script()
    for each in range(count):
        talk.publish(method="PublishAsync", correlation=str(each))
        error = member(2, member(1, 2) + member(2, "readonly partition")) + member(3, str(each))
        talk.answer("PublishAsync", error)
        if stored:
            talk.answer("PublishAsync", member(1, member(1, "s")))
    return talk


def closed(
    count: int = 4,
    *,
    readonly: int = 1,
    again: bool = False,
    created: bool = False,
    partitions: bytes = b"",
) -> Script:
    """A publish to a stream after SetStreamReadonly."""
    talk = Script()
    more = member(2, partitions) if partitions else b""
    talk.ask("SetStreamReadonly", member(1, "s") + more + member(3, readonly))
    if again:
        talk.ask("SetStreamReadonly", member(1, "s"))
    if created:
        talk.create()
    for _ in range(count):
        talk.publish()
    return talk


KEY = member(1, b"k")


def to_subject(subject: str, *, creates: str = "orders") -> Script:
    """A stream of a subject, and a message that is published to a subject."""
    talk = Script()
    if creates:
        talk.ask("CreateStream", members(_1=creates, _2="orders-stream"))
    talk.ask("PublishToSubject", member(2, b"v") + member(3, subject))
    return talk


def uncorrelated(
    count: int, correlation: str = "", *, policy: int = 0, method: str = "PublishAsync"
) -> Script:
    """Messages with or without a correlation id."""
    talk = Script()
    for _ in range(count):
        more = (member(7, correlation) if correlation else b"") + (
            member(8, policy) if policy else b""
        )
        talk.ask(method, member(2, b"v") + member(3, "s") + more)
    return talk


def passed_on(
    times: int, *, changes: bool = False, wait: float = 0.01, reads: bool = True
) -> Script:
    """Messages that a client reads and publishes again."""
    talk = Script(wait)
    talk.subscribe()
    talk.publish(value=b"first")
    for each in range(times):
        if reads:
            talk.message(each)
        talk.publish(value=b"%d" % each if changes else b"v", flow=1)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B10", lambda: (pending(answered=False),
        pending(answered=True), pending(answered=False, method="Publish"))),
    ("B11", lambda: (correlated(*"111"),
        correlated(*"11"), correlated(*"12345"), correlated(*"11111111", same_value=True))),
    ("B11b", lambda: (boxed(3),
        boxed(2), boxed(9, *"123456789"), boxed(9, answers=True), boxed(9, own=True),
        boxed(9, method="PublishAsync"), boxed(9, wait=6))),
    ("B11b", lambda: (boxed(6, wait=1),)),
    ("B12", lambda: (published(9),
        published(7), published(25, 1), published(25, method="PublishAsync"))),
    ("B13", lambda: (sized(LARGEST - 1000), sized(LARGEST + 1), sized(LARGEST // 2))),
    ("B28b", lambda: (keys(*range(50), settings=COMPACTED),
        keys(*range(49), settings=COMPACTED), keys(*range(60), settings=b""),
        keys(1, 1, *range(60), settings=COMPACTED))),
    ("B28b", lambda: (keys(*range(90, 20, -1), settings=COMPACTED),)),
    ("B25", lambda: (called(8),
        called(7), called(12, joined=True), called(12, method="Publish"))),
    ("B26", lambda: (refused(1), called(3))),
    ("B26b", lambda: (refused(3), refused(2), refused(6, stored=True))),
    ("B27", lambda: (closed(3),
        closed(2), closed(readonly=0), closed(again=True), closed(created=True),
        closed(partitions=b"\1\2"))),
    ("B28", lambda: (made(3, COMPACTED),
        made(2, COMPACTED), made(8, COMPACTED, KEY), made(8))),
    ("B29", lambda: (made(10, member(5, 3)),
        made(9, member(5, 3)), made(30), made(30, member(5, 3), member(4, 1)))),
    ("B30", lambda: (made(1, message=member(9, 7)),
        made(1, CONTROLLED, member(9, 7)), made(1), made(1, message=member(9, (1 << 64) - 1)))),
    ("B50", lambda: (to_subject("orders-stream"),
        to_subject("orders"), to_subject("orders-stream", creates=""), to_subject("other"))),
    ("B55", lambda: (uncorrelated(2),
        uncorrelated(1), uncorrelated(3, "a"), uncorrelated(3, policy=2),
        uncorrelated(3, method="Publish"))),
    ("B57", lambda: (to_subject("orders.*"), to_subject("orders.new"))),
    ("B57", lambda: (to_subject("orders..new"),)),
    ("B61", lambda: (passed_on(7),
        passed_on(4), passed_on(9, changes=True), passed_on(9, wait=3), passed_on(9, reads=False))),
    ("B69", lambda: (sent(*TWICE), sent(*TWICE[:4]), sent(*TWICE[::2]), sent(*[b"value"] * 9))),
    ("B10b", lambda: (sent(b"v", b"w", method="PublishAsync", acks=False),
        sent(b"v", b"w", method="PublishAsync"), sent(b"v", b"w", acks=False))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {
        each.id
        for each in (*PUBLISHING, *STREAM_NAMES_AS_SUBJECTS, *LOOPS, *UNCORRELATED, *WILDCARDS)
    } == {f"LFB-{rule}" for rule, *_ in CASES}
