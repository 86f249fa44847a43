"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest
from tests.protocols.explanations import untold

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.explain import SENTENCES

CAPTURES = Path("captures/liftbridge")
TELLING = (
    "publishes_go", "replicated_go", "bug_stale_offset_go", "groups_go", "cursors_go", "plain_go",
    "streams_go", "optimistic_go", "failover_go", "bug_silent_leader_by_hand",
)  # fmt: skip
"""Captures of which all sentences together are told."""
UNSEEN = {
    "The subscription to {sub.stream} never became ready: the initial empty message is missing."
}
"""What no capture tells."""


def test_they_load() -> None:
    """Every name in them is known."""
    model = ResolvedTables(
        PROTOCOL.wire, PROTOCOL.conversations, SENTENCES, PROTOCOL.embedded_records
    )
    assert len(model.watches) == len(SENTENCES)


@pytest.mark.slow
def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    assert untold(SENTENCES, (CAPTURES / each for each in TELLING), monkeypatch) == UNSEEN
