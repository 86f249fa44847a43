"""Rules for consumers that begin again, and for the offsets that they store for it."""

from collections.abc import Callable
from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import (
    asked,
    behaviours,
    newest,
    query,
    store,
    subscribe,
)
from tests.protocols.rabbitmq_stream.talk import SECOND, SERVER, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.resumption import (
    CHUNK_OFFSETS,
    NEW_MESSAGES,
    RESUMPTION,
)


def only_asking(
    count: int, *, stored: bool = False, before: bool = False, seconds: int = 1
) -> list[Talk]:
    """Consumers that ask for the stored offset and unsubscribe, each on a connection."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * seconds * SECOND)
        if before:
            query(talk, offset=9)
        subscribe(talk, 4, each)
        talk.deliver(each)
        if not before:
            query(talk, offset=9)
        if stored:
            store(talk, each)
        talk.deliver(each + 1)
        talk.ask(0x0C, b"\1")
        made.append(talk.leave())
    return made


def away(kind: int, *, published: bool) -> list[Talk]:
    """Messages while a consumer is away, and where it goes on."""

    def then(talk: Talk) -> None:
        talk.ask(0x1C, text("s"), number(1, 2) + number(1) + text("last_chunk_id")
                 + number(50 if published else 20, 8))  # fmt: skip
        subscribe(talk, kind)

    return resumed(nothing, then, lost=True)


def retained(kind: int, begins: int, *, offset: int = 0, more: bytes = b"") -> list[Talk]:
    """A consumer of thirty messages whose stored offset is gone, and where it begins again."""

    def then(talk: Talk) -> None:
        query(talk)
        subscribe(talk, kind, offset, more=more)
        talk.deliver(begins, 10)

    return resumed(lambda talk: store(talk, 29), then, lost=False)


def resumed(
    first: Callable[[Talk], object], then: Callable[[Talk], object], *, lost: bool
) -> list[Talk]:
    """A consumer of thirty messages, and what it does after its connection has ended."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one)
    for chunk in range(3):
        one.deliver(chunk * 10, 10)
    first(one)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    then(other)
    return [one, other.leave()]


def reports(count: int, *, ahead: bool) -> list[Talk]:
    """Runs of a program that each read from the first message on, or from where the last ended."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * 60 * SECOND)
        subscribe(talk, 4, each * 10 if ahead else 0)
        for chunk in range(3):
            talk.deliver((each * 10 if ahead else 0) + chunk * 10, 10)
        made.append(talk.leave())
    return made


def skipped(chunk: int) -> list[Talk]:
    """Thirty messages, then a subscription at 31, whose first chunk begins somewhere."""

    def then(talk: Talk) -> None:
        subscribe(talk, 4, 31)
        talk.deliver(chunk, 10)

    return resumed(nothing, then, lost=False)


def renewed(kind: int) -> list[Talk]:
    """A consumer of new messages, of which none came, and its next subscription."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one, 3)
    one.made.reset(SERVER)
    subscribe(other, kind, 0)
    return [one, other.leave()]


def busy(offset: int, *, elsewhere: bool = False, seconds: float = 0) -> list[Talk]:
    """A consumer of a hundred messages in 0.1 s that stores an offset, perhaps elsewhere."""
    one, other = Talk(), Talk(40_001)
    subscribe(one)
    for chunk in range(100):
        one.deliver(chunk)
    other.made.time_ns = one.made.time_ns
    store((other if elsewhere else one).wait(seconds), offset)
    return [one.wait(seconds + 1).leave(), other.wait(seconds + 1).leave()]


def again_from(kind: int, offset: int = 0, *, stores: bool = False) -> Callable[[Talk], object]:
    """A subscription without a question, and perhaps its own offset stored at once."""

    def then(talk: Talk) -> None:
        subscribe(talk, kind, offset)
        if stores:
            store(talk, offset)

    return then


def nothing(talk: Talk) -> None:
    """Store nothing, ask for nothing."""


def new_only(*, stores: bool, lag: int = 20, lost: bool = True) -> list[Talk]:
    """A consumer of new messages, and the next one after so many were published."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    if stores:
        query(one)
    subscribe(one, 3)
    one.deliver(0, 10)
    if stores:
        store(one, 9)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    newest(other, 9 + lag)
    if stores:
        query(other, offset=9)
    subscribe(other, 3)
    return [one, other.leave()]


def stored_and_new(
    kind: int = 3,
    *,
    named: bool = True,
    asks: bool = False,
    stores: bool = True,
    begins: int = 20,
    loses: bool = False,
) -> list[Talk]:
    """A consumer that stores its offset, and the next one, whose first chunk begins somewhere."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    name = number(1) + text("name") + text("app") if named else b""
    query(one)
    subscribe(one, 3, more=name)
    one.deliver(0, 10)
    if loses:
        one.made.next[SERVER] += 50
        one.deliver(12, 10)
    if stores:
        store(one, 9)
    if asks:
        query(other, offset=9)
    subscribe(other, kind, more=name)
    other.deliver(begins, 10)
    return [one.leave(), store(other, begins + 9).leave()]


def begun(kind: int, chunk: int) -> list[Talk]:
    """Thirty messages, then a subscription without an offset, and its first chunk."""

    def then(talk: Talk) -> None:
        place = number(1_600_000_000_000, 8) if kind == 5 else b""
        talk.ask(7, b"\1" + text("s") + number(kind, 2) + place + number(10, 2))
        talk.deliver(chunk, 10)

    return resumed(nothing, then, lost=True)


def stored_of_chunks(step: int, messages: int = 10) -> list[Talk]:
    """Offsets stored after each chunk."""
    talk = Talk()
    subscribe(talk)
    for each in range(4):
        talk.deliver(each * messages, messages)
        store(talk, each * messages + step)
    return [talk.leave()]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B41", stored_of_chunks(0, 2)),
    ("RMQ-B41", stored_of_chunks(0)),
    ("", stored_of_chunks(9)),
    ("", stored_of_chunks(0, 1)),
    ("RMQ-B35", begun(5, 0)),
    ("RMQ-B35", begun(2, 20)),
    ("", begun(2, 30)),
    ("RMQ-B35b", begun(2, 40)),
    ("RMQ-B35b", begun(5, 33)),
    ("", begun(5, 31)),
    ("RMQ-B97", only_asking(3)),
    ("RMQ-B97", only_asking(3, seconds=9)),
    ("", only_asking(3, seconds=20)),
    ("", only_asking(2)),
    ("", only_asking(3, stored=True)),
    ("", only_asking(3, before=True)),
    ("RMQ-B11", [store(Talk(), 39, 12).leave()]),
    ("", [store(Talk(), 12, 39).leave()]),
    ("RMQ-B12", [store(Talk(), *[39] * 10).leave()]),
    ("", [store(Talk(), *range(10)).leave()]),
    ("RMQ-B13", resumed(nothing, again_from(1), lost=True)),
    ("", resumed(nothing, again_from(4, 30), lost=True)),
    ("", resumed(nothing, again_from(1), lost=False)),
    ("RMQ-B13b", resumed(lambda talk: store(talk, 29), asked(4, 29, 29), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), asked(4, 30, 29), lost=False)),
    ("RMQ-B13c", resumed(lambda talk: store(talk, 29), asked(1, 0, 29), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), asked(1, 0, None), lost=False)),
    ("RMQ-B42", retained(1, 40)),
    ("", retained(1, 31)),
    ("", retained(1, 0)),
    ("", retained(1, 40, more=number(1) + text("filter.0") + text("a"))),
    ("RMQ-B42b", retained(4, 140, offset=30)),
    ("", retained(4, 40, offset=30)),
    ("RMQ-B13d", resumed(query, asked(1, 0, None), lost=False)),
    ("RMQ-B13e", reports(3, ahead=False)),
    ("", reports(2, ahead=False)),
    ("", reports(3, ahead=True)),
    ("RMQ-B13f", resumed(nothing, again_from(4, 11), lost=True)),
    ("RMQ-B13g", skipped(30)),
    ("", skipped(31)),
    ("RMQ-B13h", renewed(4)),
    ("", renewed(3)),
    ("", renewed(1)),
    ("RMQ-B17", resumed(lambda talk: store(talk, 30), again_from(4, 30), lost=False)),
    ("RMQ-B17", busy(100)),
    ("", busy(99)),
    ("RMQ-B17", busy(100, elsewhere=True, seconds=0.5)),
    ("", busy(99, elsewhere=True, seconds=0.5)),
    ("", busy(99, elsewhere=True)),
    ("RMQ-B17b", resumed(nothing, again_from(4, 30, stores=True), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), again_from(4, 30), lost=False)),
    ("RMQ-B26", away(3, published=True)),
    ("", away(3, published=False)),
    ("RMQ-B26", new_only(stores=True)),
    ("RMQ-B26b", new_only(stores=False)),
    ("", new_only(stores=False, lag=1)),
    ("", new_only(stores=False, lost=False)),
    ("RMQ-B37", stored_and_new()),
    ("", stored_and_new(2)),
    ("RMQ-B37b", stored_and_new(named=False)),
    ("", stored_and_new(asks=True)),
    ("", stored_and_new(asks=True, named=False)),
    ("", stored_and_new(stores=False)),
    ("", stored_and_new(stores=False, named=False)),
    ("", stored_and_new(begins=12)),
    ("", stored_and_new(loses=True)),
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
    assert {each.id for each in (*RESUMPTION, *NEW_MESSAGES, *CHUNK_OFFSETS)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
