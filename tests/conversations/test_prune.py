"""What has an outcome that somebody sees; and what readings that want the same share."""

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.conversations.test_engine import PARCELS, SEND, TRIES
from tests.framing.parcel_protocol import WIRE, parcel, send, signed

from streamshark.conversations import program
from streamshark.conversations.engine import Engine, ProtocolTables
from streamshark.conversations.handler_code import HandlerCode
from streamshark.conversations.program import Program
from streamshark.conversations.tables import Action, Lifecycle, Transition

BOX = Lifecycle(name="box", scope="connection", key={"send send_response": "correlation_id"},
           steps=(Transition("absent", "send", "sent"),
               Transition("sent", "send_response", "held")),
           starts={"times": 0})  # fmt: skip
TIMES = Action(on="send send_response", do="box.times = box.times + 1")
TABLES = (SEND, BOX, TIMES)
HELD = rule("send_response", "box.times == 1")


def test_without_watchers_nothing_is_made_for_them() -> None:
    """`read` pays for what rows are told, and for nothing else."""
    made = Engine([ProtocolTables(WIRE, (SEND, PARCELS, TRIES))])
    ready = Program(made.tables[WIRE.id], made)

    assert ready.chosen.moves == []
    assert ready.watches == []


def exchange(talk: Talk) -> list[tuple[int, ...]]:
    """The findings of a request and its answer."""
    talk.say(CLIENT, send(7))
    talk.say(SERVER, signed(7))
    return [each.frames for each in talk.findings()]


def test_handlers_are_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all readings with the same tables that want the same; each has its own objects."""
    assert exchange(Talk(TABLES, HELD)) == [(2,)]
    printed = []
    row = HandlerCode.row
    monkeypatch.setattr(
        HandlerCode, "row", lambda self: printed.append(self.place.name) or row(self)
    )

    assert exchange(Talk(TABLES, HELD)) == [(2,)]
    assert printed == []
    assert exchange(Talk(TABLES, HELD, in_full=True)) == [(2,)]
    assert printed == ["open", "send", "send_response"]
    assert exchange(Talk((SEND, BOX, Action(on="send", do="box.times = 5")), HELD)) == []


def test_what_is_settled_is_the_own_of_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the handlers that look it up are shared."""
    monkeypatch.setattr(program, "WARM", 0)
    monkeypatch.setattr(program, "TURNS", 1)
    box = Lifecycle(name="box", scope="connection", key={"hello": "side"}, type="box",
               steps=(Transition("unknown absent", "hello", "small"),
                      Transition("small", "hello", "big", "limit > 5")))  # fmt: skip
    loud = rule("hello", "box.state == 'big'")
    one, other = (Talk((box,), loud) for _ in range(2))
    for talk in (one, other):
        for limit in (1, 1, 9, 1):
            talk.say(CLIENT, parcel(2, limit.to_bytes(4, "big")))

    (mine,), (theirs,) = (each.engine.programs[WIRE.id].steadies for each in (one, other))
    assert mine is not theirs
    assert mine.cases.keys() == theirs.cases.keys()
    found = [each.frames for each in one.findings()]
    assert found
    assert found == [each.frames for each in other.findings()]
