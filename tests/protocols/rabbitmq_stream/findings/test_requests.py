"""Rules for requests and answers."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SERVER,
    Talk,
    accused,
    findings,
    number,
    text,
)


@pytest.mark.parametrize("lost", [False, True])
def test_a_correlation_id_whose_answer_is_lost_is_not_in_use(tmp_path: Path, *, lost: bool) -> None:
    """X3: among five requests in flight; not where the first one's answer is missing."""
    talk = Talk()
    if lost:
        talk.ask(0x0F, number(1) + text("s"), number(0) * 2)
        del talk.made.packets[-1]
        talk.ids -= 1
        talk.ask(0x0F, number(1) + text("s"), number(0) * 2)
    else:
        for each in (7, 8, 9, 8, 10):
            talk.say(CLIENT, 0x0F, number(each) + number(1) + text("s"))
        for each in (7, 8, 9, 8, 10):
            talk.say(SERVER, 0x800F, number(each) + number(0) * 2)
    talk.leave()

    assert accused(tmp_path, talk) == ([] if lost else [("RMQ-X3", "warning")])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [((5, 15), [("RMQ-X3b", "warning")]), ((15, 5), [("RMQ-X3b", "warning")]), ((5,), [])],
)
def test_an_id_of_two_requests(
    tmp_path: Path, keys: tuple[int, ...], expected: list[tuple[str, str]]
) -> None:
    """X3b: of two commands, while the first one has no answer."""
    bodies = {5: text("r") + text("s"), 15: number(1) + text("s")}
    answers = {5: number(1, 2) + number(7, 8), 15: number(0) * 2}
    talk = Talk()
    for turn in range(2):
        for key in keys:
            talk.say(CLIENT, key, number(90 + turn) + bodies[key])
        for key in keys:
            talk.say(SERVER, key | 0x8000, number(90 + turn) + answers[key])

    found = [each for each in accused(tmp_path, talk.leave()) if each[0].startswith("RMQ-X3")]
    assert found == expected


@pytest.mark.parametrize(("deleted", "frames"), [(True, [6, 3]), (False, [2])])
def test_a_refusal_names_the_frame_that_made_it(
    tmp_path: Path, *, deleted: bool, frames: list[int]
) -> None:
    """X6, M8: the request that deleted the stream, or created it before."""
    talk = Talk()
    if deleted:
        talk.ask(0x0D, text("s") + number(0))
        talk.ask(0x0E, text("s"))
    talk.ask(1, b"\1" + text("") + text("s"), number(2, 2))
    if deleted:
        talk.ask(0x0D, text("s") + number(0))
        talk.ask(0x0D, text("s") + number(0), number(5, 2))

    found = findings(tmp_path, talk.leave())
    told = [e for each in found for e in (each, *each.echoes) if e.rule in {"RMQ-X6", "RMQ-M8"}]
    assert [len(each.frames) for each in told] == frames
    assert all("before" in each.cause or "created" in each.cause for each in told) is deleted


@pytest.mark.parametrize(
    ("seconds", "rules"), [(2, set()), (5, {"RMQ-X2c"}), (12, {"RMQ-X2", "RMQ-A1"})]
)
def test_requests_without_an_answer_at_the_end(
    tmp_path: Path, seconds: float, rules: set[str]
) -> None:
    """X2c: of the client and of the broker; X2 and A1 when ten seconds have passed."""
    found = set()
    for asks in (True, False):
        talk, other = Talk(), Talk(40_001)
        if asks:
            talk.say(CLIENT, 0x0D, number(9) + text("s") + number(0))
        else:
            talk.subscribe("s", 10)
            talk.say(SERVER, 0x1A, number(9) + b"\1\1")
        found |= {each for each, _ in accused(tmp_path, talk, other.wait(seconds).leave())}

    assert found == rules
