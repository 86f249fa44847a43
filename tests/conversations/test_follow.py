"""Rows of one conversation, or of some connections."""

import doctest

from tests.conversations.dialogue import CLIENT, SERVER, Talk
from tests.framing.parcel_protocol import TICKS, send, signed

from streamshark.conversations import follow
from streamshark.conversations.conversation import Conversation, Name
from streamshark.conversations.follow import (
    ConversationRows,
    FlowRows,
    parsed,
    types_of_connections,
)
from streamshark.conversations.tables import Lifecycle, Pair, Transition
from streamshark.dissection.row import FrameRow, Row

PAIR = Pair(name="send", request="send", answers="send_response")
BOX = Lifecycle(
    name="box",
    scope="connection",
    type="box",
    key={"send send_response": "correlation_id"},
    steps=(Transition("absent", "send", "sent"), Transition("sent", "hello", "gone")),
    each=(Transition("sent", "tick", "gone"),),
    final="gone",
)
TYPES = types_of_connections([(PAIR, BOX)])


def talk() -> Talk:
    """Two boxes, each sent by a call, both gone with a tick; another connection beside them."""
    talk = Talk((PAIR, BOX))
    talk.say(CLIENT, send(1))
    talk.say(CLIENT, send(2))
    talk.say(SERVER, signed(1))
    talk.say(CLIENT, send(1), number=1)
    talk.say(SERVER, signed(2))
    talk.say(CLIENT, TICKS)
    talk.say(CLIENT, TICKS)
    talk.close()
    talk.end()
    return talk


def taken(chosen: ConversationRows | FlowRows, talk: Talk) -> list[int | str]:
    """Frame numbers, and names of events, of the rows that were taken."""
    ended: dict[int, list[Conversation]] = {}
    for each in talk.engine.ended:
        ended.setdefault(each.last_frame, []).append(each)
    return [_what(row) for row in talk.rows if chosen.takes(row, ended.get(_number(row), []))]


def _number(row: Row) -> int:
    return row.number if isinstance(row, FrameRow) else 0


def _what(row: Row) -> int | str:
    return row.number if isinstance(row, FrameRow) else str(getattr(row, "name", ""))


def test_ids() -> None:
    """An id is read back; any other text is refused."""
    assert doctest.testmod(follow).failed == 0
    assert parsed(str(Name(3, "17", "call"))) == (3, "17", "call")
    assert [parsed(each) for each in ("", "3-17", "call", "a-1-call", "1-1-\x1b", "9" * 30)] == [
        None
    ] * 6


def test_a_call() -> None:
    """Request and answer."""
    chosen = ConversationRows(Name(0, "2", "call"), TYPES)

    assert taken(chosen, talk()) == [2, 5]
    assert chosen.seen
    assert chosen.frames == {2, 5}


def test_an_object() -> None:
    """With the calls that are a part of it, and the row that ended it."""
    chosen = ConversationRows(Name(0, "1", "box"), TYPES)

    assert taken(chosen, talk()) == [1, 3, 6]
    assert chosen.conversation is not None
    assert chosen.conversation.frame_count == 3


def test_a_connection() -> None:
    """All its rows, events too."""
    chosen = ConversationRows(Name(0, "1", "connection"), TYPES)
    assert taken(chosen, talk()) == ["open", 1, 2, 3, 5, 6, 7, "close", "close"]


def test_what_is_not_there() -> None:
    """What begins at the same frame is near it."""
    chosen = ConversationRows(Name(0, "1", "parrot"), TYPES)
    late = ConversationRows(Name(0, "2", "connection"), TYPES)

    assert taken(chosen, talk()) == []
    assert (chosen.seen, list(chosen.near)) == (False, ["0-1-call", "0-1-box"])
    assert taken(late, talk()) != []
    assert (late.seen, list(late.near)) == (False, ["0-1-connection"])


def test_connections() -> None:
    """Some or all."""
    some, none, everything = FlowRows([1]), FlowRows([7]), FlowRows()

    assert taken(some, talk()) == ["open", 4]
    assert (taken(none, talk()), none.seen) == ([], False)
    assert len(taken(everything, talk())) == len(talk().rows)


def test_what_concerns_it() -> None:
    """Its own findings, and those of its frames; of a connection all."""
    box, connection = (
        ConversationRows(Name(0, "1", "box"), TYPES),
        ConversationRows(Name(0, "1", "connection"), TYPES),
    )
    taken(box, talk())

    assert box.concerns(0, "0-1-box", None)
    assert box.concerns(0, None, 3)
    assert not box.concerns(0, "0-2-box", 2)
    assert connection.concerns(0, None, None)
    assert not connection.concerns(1, None, 4)
    assert FlowRows().concerns(5, None, None)
    assert not FlowRows([1]).concerns(5, None, None)


def test_types() -> None:
    """What a protocol calls its connections."""
    own = Lifecycle(name="conn", scope="connection:one", type="session")
    assert types_of_connections([(BOX,), (own,)]) == {"connection", "session"}
