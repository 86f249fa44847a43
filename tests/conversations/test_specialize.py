"""What is settled: the short way says what the long one says, and ends where something changes."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import WIRE, parcel, send, signed

from streamshark.conversations import program
from streamshark.conversations.expressions import IsNone, Parser, SlotRef
from streamshark.conversations.resolve import HandlerKey, ResolvedTables
from streamshark.conversations.specialize import conditions, is_message, lively
from streamshark.conversations.tables import Action, Lifecycle, Pair, Transition

BOX = Lifecycle(name="box", scope="connection", key={"hello": "side"}, type="box",
           steps=(Transition("unknown absent", "hello", "small"),
                  Transition("small", "hello", "big", "limit > 5")))  # fmt: skip


def hello(limit: int) -> bytes:
    """A message of either side."""
    return parcel(2, limit.to_bytes(4, "big"))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way is looked for from the first row on."""
    monkeypatch.setattr(program, "WARM", 0)
    monkeypatch.setattr(program, "TURNS", 1)


def cases(talk: Talk) -> list[Any]:
    """The functions for what has been settled on rows of the first kind."""
    steady = talk.engine.programs[WIRE.id].steadies[0]
    return [each for each in steady.cases.values() if each is not None]


def frames(talk: Talk) -> list[tuple[int, ...]]:
    """The frames of all findings."""
    return [each.frames for each in talk.findings()]


def test_a_change_of_the_connection_ends_the_short_way() -> None:
    """Of a slot that a request assigns."""
    loud = Action(on="send", do="conn.loud = 1")
    talk = Talk((BOX, loud), rule("hello", "conn.loud == 1"))
    for _ in range(4):
        talk.say(CLIENT, hello(1))
    assert cases(talk)
    talk.say(CLIENT, send(1))
    talk.say(CLIENT, hello(1))
    talk.say(CLIENT, hello(1))

    assert frames(talk) == [(6, 7)]


def test_what_the_row_decides_is_asked_first() -> None:
    """Where it would change what is settled."""
    talk = Talk((BOX,), rule("hello", "box.state == 'big'"))
    for limit in (1, 1, 1, 9, 1, 9):
        talk.say(CLIENT, hello(limit))

    assert len(cases(talk)) == 2
    assert frames(talk) == [(5, 6)]


def test_what_messages_change_is_not_settled() -> None:
    """Found out by printing it: the condition of the move is not of the row alone."""
    top = Action(on="hello", when="limit > coalesce(box.top, 0)", do="box.top = limit")
    talk = Talk((BOX, top), rule("hello", "box.top > 3 and limit < box.top"))
    for limit in (1, 1, 1, 7, 2, 7, 9, 8):
        talk.say(CLIENT, hello(limit))

    assert ("box", "top") in talk.engine.programs[WIRE.id].lively
    assert frames(talk) == [(5, 8)]


def test_lost_bytes_end_the_short_way() -> None:
    """What needs all of them is silent then."""
    talk = Talk((BOX,), rule("hello", "limit > 5", needs="whole"))
    for _ in range(4):
        talk.say(CLIENT, hello(1))
    talk.say(SERVER, hello(1))
    talk.lose(CLIENT)
    talk.say(CLIENT, hello(9) * 3)

    assert frames(talk) == []


def test_objects_that_connections_share_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they have been let go, a new one takes their place on the short way too."""
    monkeypatch.setattr(program, "MOST_SHARED", 1)
    yard = Lifecycle(
        name="yard", scope="capture", key={"hello": "server, box.town", "tick": "size"}
    )
    town = Action(on="send", each="box", do="box.town = address")
    count = Action(on="hello", do="yard.count = coalesce(yard.count, 0) + 1")
    talk = Talk((BOX, yard, town, count), rule("hello", "yard.count >= 3"))
    talk.say(CLIENT, hello(1))
    talk.say(SERVER, hello(1))
    talk.say(CLIENT, send(1))
    for _ in range(5):
        talk.say(CLIENT, hello(1))
    assert talk.engine.programs[WIRE.id].steadies[0].shared == ("yard",)
    talk.say(CLIENT, parcel(3))
    for _ in range(4):
        talk.say(CLIENT, hello(1))

    assert frames(talk) == [(7, 8), (13,)]


def test_calls_are_told_as_on_the_long_way() -> None:
    """What a row is told does not depend on the way."""
    pair = Pair(name="send", request="send", answers="send_response")
    talk = Talk((BOX, pair))
    told = [talk.say(CLIENT, hello(1)).told.conversation for _ in range(4)]
    talk.say(CLIENT, send(7))

    assert told == ["0-1-box"] * 4
    assert talk.say(SERVER, signed(7)).told.request_frame == 5


def test_settled_values_are_worked_out_where_they_change() -> None:
    """And not at each row."""
    most = Action(on="send", do="conn.most = correlation_id")
    talk = Talk((BOX, most), rule("hello", "limit > conn.most * 2 + 1"))
    talk.say(CLIENT, send(3))
    for limit in (1, 1, 1, 7, 8):
        talk.say(CLIENT, hello(limit))
    talk.say(CLIENT, send(10))
    for limit in (8, 8, 8, 22):
        talk.say(CLIENT, hello(limit))

    steady = talk.engine.programs[WIRE.id].steadies[0]
    assert any(each and each[1](*[SimpleNamespace(most=5)] * 4) for each in steady.cases.values())
    assert frames(talk) == [(6, 11)]


def test_frames_with_problems_take_the_long_way() -> None:
    """They may lack what others always have."""
    talk = Talk((BOX,), rule("hello", "limit > 5"), rule("problem:short"))
    for _ in range(4):
        talk.say(CLIENT, hello(1))
    assert cases(talk)
    talk.say(CLIENT, parcel(2, b"\0"))
    talk.say(CLIENT, hello(9))

    assert sorted(frames(talk)) == [(5,), (6,)]


def test_settled_conditions() -> None:
    """As large as they can be; of what is left, whether slots are known."""
    read = Parser(frozenset(("conn", "box"))).condition
    found = conditions(
        read("conn.a > 1 and limit > conn.b and box.c is not None"), lambda s: s.object == "conn"
    )

    assert list(found) == [read("conn.a > 1"), IsNone(SlotRef("conn", "b"), negated=False)]


def test_messages_and_what_they_change() -> None:
    """Commands of a known side; slots that they assign without a condition."""
    moves = (
        Action(on="hello", do="conn.a = limit; conn.b = coalesce(conn.b, limit)"),
        Action(on="hello", when="limit > 1", do="conn.c = limit"),
        Action(on="send", do="conn.d = n"),
    )
    model = ResolvedTables(WIRE, moves)
    trees = {name: model.trees[name][0] for name in ("hello", "send")}

    assert lively(model, model.moves) == {("conn", "a")}
    assert is_message(HandlerKey("row", "hello", trees["hello"], "client"))
    assert not is_message(HandlerKey("row", "hello", trees["hello"], None))
    assert not is_message(HandlerKey("row", "send", trees["send"], "client"))
