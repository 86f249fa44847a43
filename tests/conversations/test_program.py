"""The tables of one protocol, ready to run: what is made of them, what is kept, what rows tell."""

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk
from tests.conversations.test_engine import SEND
from tests.framing.parcel_protocol import TICKS, send, signed

from streamshark.conversations import program
from streamshark.conversations.tables import Action, Derived, Lifecycle, Transition
from streamshark.dissection.row import Row


def test_what_is_open_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes, and that is said."""
    monkeypatch.setattr(program, "MOST_REQUESTS", 2)
    talk = Talk((SEND,))
    talk.say(CLIENT, send(1) + send(2) + send(3))

    assert talk.say(SERVER, signed(1)).annotation.request_frame is None
    assert talk.say(SERVER, signed(3)).annotation.request_frame == 3
    assert talk.engine.capped == {"open requests": 1}


def derived(row: Row) -> dict[str, object]:
    """What was worked out of a row; why not, where it cannot be known."""
    found = getattr(row, "derived", ())
    return {each.table.name: each.doubt or each.value for each in found}


HELD = (
    SEND,
    Lifecycle(name="box", scope="connection", key={"send send_response": "correlation_id"},
         steps=(Transition("absent", "send", "sent"), Transition("sent", "send_response", "held")),
         starts={"times": 0}),
    Action(on="send send_response", do="box.times = box.times + 1"),
    Derived(name="times", on="send send_response", value="box.times", needs="object both",
            text="Times: {}", doc=""),
    Derived(name="twice", on="any:request", value="duplicate_of", text="As {}", doc=""),
    Derived(name="nobody", on="any:response", value="1", when="orphan", needs="start whole both",
            text="Nobody asked", doc=""),
    Derived(name="time", on="send_response", value="took", text="Took {:time}", doc=""),
)  # fmt: skip


def test_values_are_as_after_the_row() -> None:
    """Values are those after the row, while rules see those before it."""
    talk = Talk(HELD)
    talk.say(SERVER, TICKS)

    assert derived(talk.say(CLIENT, send(7))) == {"times": 1}
    assert derived(talk.say(CLIENT, send(7))) == {"times": 2, "twice": 2}
    assert derived(talk.say(SERVER, signed(7))) == {"times": 3, "time": 2_000_000_000}
    assert derived(talk.say(SERVER, signed(8))) == {"nobody": 1}


def test_what_cannot_be_known_says_why() -> None:
    """Late captures and lost bytes; None of an object that is known is no value."""
    late = Talk(HELD, start=False)
    late.say(CLIENT, TICKS * 4)
    assert derived(late.say(CLIENT, send(7))) == {"times": "the capture begins later"}
    assert derived(late.say(SERVER, signed(8) * 4)) == {
        "times": "the capture begins later", "nobody": "the capture begins later",
    }  # fmt: skip
    talk = Talk(HELD)
    talk.say(SERVER, TICKS)
    talk.say(CLIENT, send(7))
    talk.lose(CLIENT)

    assert derived(talk.say(SERVER, signed(7)))["times"] == "bytes were lost"
    one_side = Talk(HELD)
    assert derived(one_side.say(CLIENT, send(7))) == {"times": "only one side was captured"}
