"""Rules for requests and answers."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused, number, text


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
