"""What connections share: sessions that are resumed."""

import pytest

from streamshark.frames import shared as module
from streamshark.frames.shared import UNKNOWN, Session, Shared


def test_a_session_is_found_by_protocol_and_token() -> None:
    """What was said of it last holds."""
    shared = Shared()
    shared.remember(("a", b"1"), Session({"type": "x"}, None))
    shared.remember(("b", b"1"), Session({"type": "y"}, None))
    shared.remember(("a", b"1"), Session({"type": "z"}, None))

    assert shared.recall(("a", b"1")).agreed == {"type": "z"}
    assert shared.recall(("b", b"1")).agreed == {"type": "y"}
    assert shared.recall(("a", b"2")) is UNKNOWN


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session that was named longest ago is forgotten first."""
    monkeypatch.setattr(module, "MOST_SESSIONS", 2)
    shared = Shared()
    for token in (b"1", b"2", b"1", b"3"):
        shared.remember(("a", token), Session({"type": token}, None))

    assert shared.recall(("a", b"1")).agreed
    assert shared.recall(("a", b"2")) is UNKNOWN
