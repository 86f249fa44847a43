"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest
from tests.protocols.explanations import untold

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.nats import PROTOCOL
from streamshark.protocols.nats.explain import SENTENCES

CAPTURES = Path("captures/nats")
TELLING = (
    "interactions_py", "wrong_password_py", "permissions_py", "routes_py_2_9", "tls_py",
    "bug_pedantic_wildcard",
)  # fmt: skip
"""Captures of which all sentences together are told."""
UNSEEN = {"The server was in lame duck mode: it was about to stop."}
"""What no capture tells."""


def test_they_load() -> None:
    """Every name in them is known."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, SENTENCES)
    assert len(model.watches) == len(SENTENCES)


@pytest.mark.process
def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    assert untold(SENTENCES, (CAPTURES / each for each in TELLING), monkeypatch) == UNSEEN
