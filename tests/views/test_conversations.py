"""Conversations as lines, as JSON, and one in full."""

import json
import re
from typing import Any

from tests.conversations.dialogue import CLIENT, SERVER, Talk
from tests.framing.parcel_protocol import TICKS, send, signed
from tests.views.findings import finding

from streamshark.conversations.conversation import Conversation, ConversationTurn
from streamshark.conversations.tables import Pair
from streamshark.views.colour import Palette
from streamshark.views.conversations import (
    ConversationJson,
    ConversationText,
    FollowedConversation,
    conversation_dict,
)
from streamshark.views.times import Clock, Rfc3339

MEMBERS = [
    "id", "protocols", "flows", "type", "correlation_id", "state", "first_frame", "last_frame",
    "frame_count", "start", "duration_ns", "request", "outcome", "measures",
]  # fmt: skip
"""The design's section 4."""
PLAIN = Palette(enabled=False)


def ends(number: int) -> str:
    """Addresses."""
    return f"a:{number} -> b:1"


def conversation(**changes: Any) -> Conversation:  # noqa: ANN401 - members
    """A call."""
    given: dict[str, Any] = {
        "id": "0-3-call", "protocols": ("parcels",), "flows": (0,), "type": "call",
        "correlation_id": 7, "state": "done", "first_frame": 3, "last_frame": 5, "frame_count": 2,
        "start": 1_000_000_000, "duration_ns": 3_100_000,
        "request": ConversationTurn(3, "send", "to=home"),
        "outcome": ConversationTurn(5, "send_response", "code=0"),
        "measures": {"response_time_ns": 3_100_000},
    }  # fmt: skip
    return Conversation(**(given | changes))


def line(told: Conversation, width: int = 0) -> str:
    """A line of the list."""
    return ConversationText(Clock("r", lambda: 0), PLAIN, ends=ends, width=width).conversation(told)


def test_a_line_says_what_was_asked_and_what_came() -> None:
    """The response's name only where it says more than the request's."""
    assert line(conversation()) == (
        "0-3-call         done         1.000000     3.1 ms      2 send to=home -> code=0\n"
    )
    error = conversation(state="failed", outcome=ConversationTurn(5, "error", "code=9"))
    assert line(error).endswith(" send to=home -> error code=9\n")
    unanswered = conversation(state="unanswered", outcome=None, measures={})
    assert line(unanswered).endswith(" send to=home -> no answer\n")
    going_on = conversation(type="box", state="open", outcome=None, measures={})
    assert line(going_on).endswith(" send to=home -> open\n")


def test_measures_and_links() -> None:
    """Times with their unit; of a connection its ends."""
    told = conversation(
        type="box", measures={"credit": 3, "first_ns": 1500, "sure": True}, links=("1-2-box",)
    )
    assert line(told).endswith(" -> code=0 credit=3 first=1.5 us sure=true <-> 1-2-box\n")
    connection = conversation(type="connection", request=None, outcome=None, measures={})
    assert line(connection).endswith(" parcels a:0 -> b:1\n")


def test_lines_fit_a_terminal() -> None:
    """Folded at blanks, what was asked below the id if it does not fit; nothing is cut."""
    told = conversation(
        request=ConversationTurn(3, "send", "word " * 9), measures={"credit": 3, "granted": 12345}
    )
    whole = line(told).rstrip("\n")
    for width in range(70, 200):
        folded = line(told, width).rstrip("\n").split("\n")
        assert max(map(len, folded)) <= width
        assert " ".join(folded).split()[-6:] == whole.split()[-6:]
        assert (folded == [whole]) is (width >= len(whole))
    assert line(told, 80).split("\n")[1].startswith("    send word word ")
    assert "start" not in ConversationText(Clock(), PLAIN, ends=ends, width=80).head()
    assert line(told).endswith("-> code=0 credit=3 granted=12345\n")


def test_text_from_the_wire_is_escaped() -> None:
    """In lines and JSON."""
    told = conversation(request=ConversationTurn(3, "send", "to=\x1b[31m\u202e"))

    assert "to=\\x1b[31m\\u202e" in line(told)
    assert "\x1b" not in json.dumps(conversation_dict(told, Rfc3339()), ensure_ascii=False)


def test_json_has_the_members_of_the_design() -> None:
    """In that order, no others."""
    told = conversation_dict(conversation(parent="0-1-connection", links=("1-2-box",)), Rfc3339())

    assert list(told) == MEMBERS
    assert told["start"] == "1970-01-01T00:00:01.000000000Z"
    assert told["request"] == {"frame": 3, "command": "send", "text": "to=home"}
    assert conversation_dict(conversation(outcome=None), Rfc3339())["outcome"] is None


def test_arrays() -> None:
    """Empty, of one, of two; lines have no brackets."""
    for count in range(3):
        view = ConversationJson(array=True)
        parts = [view.head(), *(view.conversation(conversation()) for _ in range(count))]
        assert len(json.loads("".join([*parts, view.tail()]))) == count
    lines = ConversationJson()
    assert (lines.head(), lines.tail()) == ("", "")
    assert json.loads(lines.conversation(conversation()))["id"] == "0-3-call"


def followed(most: int = 10, *, colour: bool = False, tree: bool = False) -> str:
    """The page of a connection of four frames, with findings."""
    talk = Talk((Pair(name="send", request="send", answers="send_response"),))
    talk.say(CLIENT, send(1, b"ho\x1bme"))
    talk.say(SERVER, signed(1))
    talk.say(CLIENT, TICKS)
    talk.say(CLIENT, TICKS)
    told = talk.end()[-1]
    show = (lambda _row: "tree\n") if tree else None
    page = FollowedConversation(Palette(enabled=colour), most=most, width=80, tree=show)
    for each in talk.rows:
        page.row(each)
    findings = [
        finding(frames=(2, 1), message="bad \x1b", count=3, echoes=(finding(rule="R-2"),)),
        finding(frames=(), conversation=told.id, message="late"),
    ]
    return page.text(told, ends, findings)


def test_one_in_full() -> None:
    """Both sides, times since its start, findings beside what they are about."""
    lines = followed().splitlines()

    assert lines[0] == "0-1-connection  open  parcels  a:0 -> b:1"
    assert lines[1].startswith("  4 frames in 3 s (client ")
    assert [re.sub(r" +", " ", each).strip() for each in lines[3:6]] == [
        "0.000000 p1 client --> open",
        '0.000000 1 p1 client --> send address="ho\\x1bme" goods=0',
        "1.000000 2 p2 <-- server send_response code=0 -> 1, 1 s",
    ]
    assert lines[6].strip() == "[W] T-1 bad \\x1b (3 times)"
    assert lines[7].strip().startswith("consequence: [W] R-2")
    assert lines[-2:] == ["Findings", "                [W] T-1 late"]


def test_one_in_full_is_bounded() -> None:
    """The rest is counted."""
    assert "... and 2 more rows; --most N shows more\n" in followed(3)


def test_sides_have_colours_and_trees() -> None:
    """The client's red, the server's blue; the tree stands below each line."""
    page = followed(colour=True, tree=True)

    assert "\x1b[31mclient --> send" in page
    assert "\x1b[34m<-- server send_response" in page
    assert page.count("\n    tree") == 5
