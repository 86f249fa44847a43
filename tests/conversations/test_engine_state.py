"""State that the engine shares with its programs: the heap of timers is bounded."""

import pytest
from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.conversations.test_engine import hello
from tests.framing.parcel_protocol import TICKS

from streamshark.conversations import engine_state
from streamshark.conversations.tables import Timer


def test_timers_that_were_cleared_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor what they were set on; the others ring."""
    monkeypatch.setattr(engine_state, "LEAST_HEAP", 4)
    late = Timer(name="late", of="conn", on="hello", limit="100 s", clear="tick")
    talk = Talk((late,), rule("timer:late", evidence="conn.last_n"))
    talk.engine.heap_most = engine_state.LEAST_HEAP
    for number in range(20):
        talk.say(CLIENT, hello(1), number=number, wait=0)
        if number % 10:
            talk.say(CLIENT, TICKS, number=number, wait=0)
    assert len(talk.engine.heap) <= 2 * engine_state.LEAST_HEAP

    talk.say(CLIENT, TICKS, wait=200, number=30)
    assert [each.flow for each in talk.findings()] == [0, 10]
