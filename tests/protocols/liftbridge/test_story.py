"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest

from streamshark.conversations import story as telling
from streamshark.conversations.model import Model
from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.story import STORY
from streamshark.session import Session

CAPTURES = Path("captures/liftbridge")
TELLING = (
    "publishes_go", "replicated_go", "bug_stale_offset_go", "groups_go", "cursors_go", "plain_go",
    "streams_go", "optimistic_go", "failover_go", "bug_silent_leader_by_hand",
)  # fmt: skip
"""Captures of which all sentences together are told."""
UNSEEN = {"The subscription to {sub.stream} never became ready: no empty message came."}
"""What no capture tells."""


def test_they_load() -> None:
    """Every name in them is known."""
    model = Model(PROTOCOL.wire, PROTOCOL.conversations, STORY, PROTOCOL.riders)
    assert len(model.watches) == len(STORY)


def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    told = []
    line = telling._Draft.line
    monkeypatch.setattr(
        telling._Draft, "line", lambda self: (told.append(self.table), line(self))[1]
    )
    for scenario in TELLING:
        (path,) = (CAPTURES / scenario).glob("traffic.*")
        analysis = Session([str(path)]).analysis(rules=True, stories=True)
        for _ in analysis.rows():
            pass
        analysis.finish()
        analysis.told()

    assert {each.message for each in STORY if each not in told} == UNSEEN
