"""Findings as they change."""

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, send, signed

from streamshark.conversations.tables import Lifecycle, Pair
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import MOST_FRAMES
from streamshark.findings.judge import Judge

PAIR = Pair(name="send", request="send", answers="send_response", keep="address")
BOX = Lifecycle(name="box", scope="connection", type="box", key={"send": "correlation_id"})


def test_a_finding_is_new_grows_and_is_settled() -> None:
    """Each change once; what nothing has happened to is not named again."""
    talk = Talk((BOX,), rule("send", "box.id > 0"), follow=True)
    changes = []
    for number in (1, 1, 2):
        talk.say(CLIENT, send(number))
        changes.append(talk.changes())
    talk.say(CLIENT, TICKS)
    changes.append(talk.changes())
    talk.close()
    changes += [talk.changes(), talk.changes()]

    assert changes == [
        [("new", 1, 1)],
        [("grown", 1, 2)],
        [("new", 2, 1)],
        [],
        [("settled", 1, 2), ("settled", 2, 1)],
        [],
    ]


def test_a_finding_of_the_last_row_is_new_before_it_is_settled() -> None:
    """Readers need no other way for what they hear of late."""
    talk = Talk((), rule("tick"), follow=True)
    talk.say(CLIENT, TICKS)
    talk.close()

    assert talk.changes() == [("new", 1, 1), ("settled", 1, 1)]


def test_lost_bytes_withdraw_a_finding() -> None:
    """It was news, and it is never settled; one that was not yet news is only dropped."""
    for is_news in (True, False):
        talk = Talk((PAIR,), rule("send_response", "req.n is None", needs="whole"), follow=True)
        talk.say(CLIENT, TICKS)
        talk.say(SERVER, signed(1))
        before = talk.changes() if is_news else []
        talk.lose(CLIENT)
        after = talk.changes()
        talk.end()

        assert before == ([("new", 1, 1)] if is_news else [])
        assert after == ([("withdrawn", 1, 1)] if is_news else [])
        assert talk.changes() == []


def test_a_finding_waits_while_bytes_do() -> None:
    """It becomes news when TCP has put its bytes in order, or when it is settled."""
    talk = Talk((), rule("send", needs="whole"), follow=True)
    talk.say(SERVER, TICKS)
    talk.say(CLIENT, send(1))
    flow = talk.connections[0].flow
    flow.is_holding = True
    held = talk.changes()
    flow.is_holding = False

    assert (held, talk.changes()) == ([], [("new", 1, 1)])


def test_a_consequence_makes_its_cause_grow() -> None:
    """It is no news of its own."""
    cause = rule("send", id="T-1")
    talk = Talk((), cause, rule("tick", id="T-2", echo_of="T-1"), follow=True)
    talk.say(CLIENT, send(1))
    first = talk.changes()
    talk.say(CLIENT, TICKS)

    assert (first, talk.changes()) == ([("new", 1, 1)], [("grown", 1, 1)])


def test_findings_over_many_connections() -> None:
    """What counts by value is settled at the end, and shrinks by what lost bytes explain."""
    talk = Talk((), rule("send", per="address", needs="whole"), follow=True)
    for number in (0, 1):
        talk.say(SERVER, TICKS, number=number)
        talk.say(CLIENT, send(1), number=number)
    found = talk.changes()
    talk.lose(CLIENT, number=1)
    shrunk = talk.changes()
    talk.end()

    assert (found, shrunk) == ([("new", 1, 2)], [("grown", 1, 1)])
    assert talk.changes() == [("settled", 1, 1)]


def test_lost_bytes_withdraw_all_matches_of_a_value() -> None:
    """However many there are since the last frame before them."""
    talk = Talk((), rule("send", per="address", needs="whole"))
    talk.say(SERVER, TICKS)
    for _ in range(2 * MOST_FRAMES):
        talk.say(CLIENT, send(1))
    talk.lose(SERVER)
    talk.end()

    assert talk.findings() == []


def test_a_judge_that_does_not_follow_has_no_news() -> None:
    """Nothing is kept for readers that do not ask."""
    with pytest.raises(StreamsharkError, match="follow"):
        Judge().news()
