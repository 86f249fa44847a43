"""Rules for answers of servers: each names its fault, and nothing else."""

from tests.failures import every
from tests.protocols.liftbridge.clients import OFFSET, Script, Talks, names_the_fault_alone
from tests.protocols.liftbridge.traffic import Talk, envelope, member, members, publish

from streamshark.protocols.liftbridge.answer_rules import ANSWER_RULES


def acknowledged(
    subject: str = "s",
    inbox: str = "in",
    policy: int = 0,
    times: tuple[int, int] = (5, 5),
    *,
    wanted: int = 0,
    id: str = "1",  # noqa: A002
) -> Talk:
    """A message on NATS, and its ack."""
    body = members(_1="s", _2="s", _3=subject, _5=inbox) + (member(6, id) if id else b"")
    body += member(7, policy) if policy else b""
    body += b"".join(member(at + 8, each) for at, each in enumerate(times) if each)
    talk = Talk().pub(0, "s", publish(id=id, policy=wanted))
    return talk.pub(1, "in", envelope(1, body))


def answered(
    *answers: bytes, asked: tuple[str, ...] = ("1",), method: str = "PublishAsync"
) -> Script:
    """Messages of a call, and what is answered."""
    talk = Script()
    for number, each in enumerate(asked):
        talk.publish(method=method, correlation=each, value=b"%d" % number)
    for each in answers:
        talk.answer(method, each)
    return talk


def kept(outer: str, inner: str = "", times: tuple[int, int] = (5, 5)) -> bytes:
    """An answer with an ack."""
    own = member(1, "s") + (member(6, inner) if inner else b"")
    own += member(8, times[0]) + member(9, times[1])
    return member(1, own) + (member(3, outer) if outer else b"")


def fetched(*sets: int, answer: int, cursor: str = "c", also: bool = False) -> Script:
    """A cursor that is set and fetched."""
    talk = Script()
    for number, each in enumerate(sets):
        talk.cursor(each, flow=number if also else 0)
    talk.ask("FetchCursor", members(_1="s", _3=cursor))
    talk.answer("FetchCursor", member(1, answer))
    return talk


def read(
    *messages: tuple[int, int, str, int], start: int | None = None, stop: int | None = None
) -> Script:
    """A subscription to partition 0 of s: offset, time, stream and partition of its messages."""
    more = members(_3=OFFSET, _4=start) if start is not None else b""
    more += members(_8=1, _9=stop) if stop is not None else b""
    talk = Script()
    talk.ask("Subscribe", member(1, "s") + more)
    talk.answer("Subscribe")
    for offset, time, stream, partition in messages:
        body = member(1, offset) if offset else b""
        body += member(3, b"v") + member(4, time) + member(5, stream)
        talk.answer("Subscribe", body + (member(6, partition) if partition else b""))
    return talk


def metadata(
    asked: tuple[str, ...], told: tuple[str, ...], host: str = "h", port: int = 9292
) -> Script:
    """Metadata about streams, and one server."""
    talk = Script()
    talk.ask("FetchMetadata", b"".join(member(1, each) for each in asked))
    broker = member(1, members(_1="a", _2=host, _3=port))
    talk.answer("FetchMetadata", broker + b"".join(member(2, member(1, each)) for each in told))
    return talk


def assigned(stream: str, *epochs: int, joined: str = "s") -> Script:
    """A member of a group, and what it is assigned."""
    talk = Script()
    talk.ask("JoinConsumerGroup", members(_1="g", _2="a") + (member(3, joined) if joined else b""))
    talk.answer("JoinConsumerGroup", members(_1="x", _2=epochs[0]))
    for each in epochs:
        talk.fetch()
        talk.answer("FetchConsumerGroupAssignments",
            (member(1, each) if each else b"") + member(2, member(1, stream)))  # fmt: skip
    return talk


NATS: list[tuple[str, Talk, tuple[Talk, ...]]] = [
    ("B150", acknowledged("t"), (acknowledged(), acknowledged("t", id=""))),
    ("B150", acknowledged("s.1"), ()),
    ("B151", acknowledged(inbox="out"), (acknowledged(),)),
    ("B151", acknowledged(inbox="in.x", id=""), ()),
    ("B152", acknowledged(policy=1), (acknowledged(), acknowledged(policy=1, wanted=1))),
    ("B152", acknowledged(wanted=1), (acknowledged(policy=1, id=""),)),
    ("B153", acknowledged(times=(7, 6)), (acknowledged(), acknowledged(times=(7, 0)))),
    ("B153", acknowledged(times=(1 << 60, 1), id=""), (acknowledged(times=(6, 7)),)),
]
CALLS: list[tuple[str, Talks]] = [
    ("B153b", lambda: (answered(kept("1", "1", (7, 6))), answered(kept("1", "1")))),
    ("B153b", lambda: (answered(kept("", "1", (9, 1)), method="Publish"),)),
    ("B154", lambda: (answered(kept("1", "2"), asked=("1", "2")),
        answered(kept("1", "1")), answered(kept("", "1")), answered(kept("1")))),
    ("B154", lambda: (answered(kept("1x", "1")),)),
    ("B155", lambda: (answered(kept("2", "2")), answered(kept("1", "1")),
        answered(kept("2", "2"), method="Publish"))),
    ("B155", lambda: (answered(kept("1"), kept("3"), asked=("1", "2")),)),
    ("B156", lambda: (answered(kept("1"), kept("1")),
        answered(kept("1"), kept("2"), asked=("1", "2")),
        answered(kept("1"), kept("1"), asked=("1", "1")),
        answered(kept("1"), member(1, member(1, "t")) + member(3, "1")))),
    ("B156", lambda: (answered(kept("1"), kept("2"), kept("1"), asked=("1", "2")),)),
    ("B157", lambda: (answered(member(3, "1")), answered(kept("1")),
        answered(member(2, members(_1=1, _2="no")) + member(3, "1")),
        answered(member(3, "1"), method="Publish"))),
    ("B157", lambda: (answered(member(1, b"") + member(3, "1")),)),
    ("B159", lambda: (fetched(5, answer=6), fetched(5, answer=5), fetched(5, answer=4),
        fetched(5, answer=6, cursor="d"), fetched(5, 5, answer=6, also=True))),
    ("B159", lambda: (fetched(1, 2, answer=900), fetched(7, 2, answer=2))),
    ("B160", lambda: (read((0, 1, "s", 0), (1, 1, "t", 0)), read((0, 1, "s", 0), (1, 1, "s", 0)),
        read((0, 1, "t", 0), (1, 1, "t", 0)))),
    ("B160", lambda: (read((0, 1, "s", 0), (1, 1, "s", 2)),)),
    ("B161", lambda: (read((0, 1, "s", 0), (2, 1, "s", 0)), read((0, 1, "s", 0), (1, 1, "s", 0)),
        read((7, 1, "s", 0), (8, 1, "s", 0)))),
    ("B161", lambda: (read((0, 1, "s", 0), (1, 1, "s", 0), (99, 1, "s", 0)),)),
    ("B162", lambda: (read((3, 1, "s", 0), start=4), read((4, 1, "s", 0), start=4),
        read((9, 1, "s", 0), start=4), read((3, 1, "s", 0)))),
    ("B162", lambda: (read((0, 1, "s", 0), start=1),)),
    ("B163", lambda: (read((0, 9, "s", 0), (1, 8, "s", 0)), read((0, 9, "s", 0), (1, 9, "s", 0)))),
    ("B163", lambda: (read((5, 9, "s", 0), (6, 9, "s", 0), (7, 1, "s", 0)),
        read((5, 9, "s", 0), (5, 8, "s", 0)))),
    ("B164", lambda: (read((4, 1, "s", 0), stop=3), read((3, 1, "s", 0), stop=3),
        read((4, 1, "s", 0)))),
    ("B164", lambda: (read((1, 1, "s", 0), (2, 1, "s", 0), (3, 1, "s", 0), stop=2),)),
    ("B165", lambda: (metadata(("s",), ("t",)), metadata(("s",), ("s",)), metadata((), ("t",)))),
    ("B165", lambda: (metadata(("s", "t"), ("s",)), metadata(("s", "t"), ("t", "s")))),
    ("B166", lambda: (metadata((), (), port=65536), metadata((), (), port=65535))),
    ("B166", lambda: (metadata((), (), host=""),)),
    ("B169", lambda: (assigned("t", 1), assigned("s", 1), assigned("t", 1, joined=""))),
    ("B169", lambda: (assigned("s2", 1, 1),)),
    ("B170", lambda: (assigned("s", 3, 2), assigned("s", 3, 3), assigned("s", 3, 4))),
    ("B170", lambda: (assigned("s", 3, 0),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "fault", "near"), NATS)
def test_acks_and_their_near_misses(rule: str, fault: Talk, near: tuple[Talk, ...]) -> None:
    """The fault is found, and nothing that looks like it."""
    assert fault.found(f"LFB-{rule}")
    assert [each for each in near if each.found(f"LFB-{rule}")] == []


@every(("rule", "talks"), CALLS)
def test_answers_and_their_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    named = {*(rule for rule, *_ in NATS), *(rule for rule, *_ in CALLS)}
    assert {each.id for each in ANSWER_RULES} == {f"LFB-{rule}" for rule in named}
