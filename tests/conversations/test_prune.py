"""Actions with a visible result are kept; readings with the same columns share them."""

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.conversations.test_engine import PARCELS, SEND, TRIES
from tests.framing.parcel_protocol import WIRE, send, signed

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
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
