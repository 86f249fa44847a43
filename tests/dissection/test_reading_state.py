"""What connections share: sessions that are resumed."""

import pytest

from streamshark.dissection import reading_state as module
from streamshark.dissection.reading_state import UNKNOWN, ReadingState, ResumableSession


def test_a_session_is_found_by_protocol_and_token() -> None:
    """What was said of it last holds."""
    shared = ReadingState()
    shared.remember(("a", b"1"), ResumableSession({"type": "x"}, None))
    shared.remember(("b", b"1"), ResumableSession({"type": "y"}, None))
    shared.remember(("a", b"1"), ResumableSession({"type": "z"}, None))

    assert shared.recall(("a", b"1")).agreed == {"type": "z"}
    assert shared.recall(("b", b"1")).agreed == {"type": "y"}
    assert shared.recall(("a", b"2")) is UNKNOWN


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session that was named longest ago is forgotten first."""
    monkeypatch.setattr(module, "MOST_SESSIONS", 2)
    shared = ReadingState()
    for token in (b"1", b"2", b"1", b"3"):
        shared.remember(("a", token), ResumableSession({"type": token}, None))

    assert shared.recall(("a", b"1")).agreed
    assert shared.recall(("a", b"2")) is UNKNOWN
