"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest
from tests.protocols.explanations import explanations, untold

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.pravega import PROTOCOL
from streamshark.protocols.pravega.conversations import RELEASES, STORES
from streamshark.protocols.pravega.explain import SENTENCES

CAPTURES = Path("captures/pravega")
TELLING = (
    "events_java",
    "scale_java",
    "large_event_java",
    "segments_by_hand",
    "tables_by_hand",
    "wrong_token_by_hand",
    "bug_two_connections_of_a_writer",
    "bug_requests",
    "events_py",
    "byte_stream_java",
)
"""Captures of which all sentences together are told."""


def texts(scenario: str, part: str) -> list[str]:
    """What is told of all connections in one part."""
    return [
        each.text
        for sentences in explanations(CAPTURES / scenario)
        for each in sentences.parts.get(part, ())
    ]


def test_they_load() -> None:
    """Every name in them is known."""
    model = ResolvedTables(
        PROTOCOL.wire, PROTOCOL.conversations, SENTENCES, PROTOCOL.embedded_records
    )
    assert len(model.watches) == len(SENTENCES)


@pytest.mark.slow
def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    assert untold(SENTENCES, (CAPTURES / each for each in TELLING), monkeypatch) == set()


def test_who_they_are() -> None:
    """By the newest version that they speak."""
    told = texts("events_py", "who")

    assert any("5 to 15, as clients of 0.11, 0.12 and Rust" in each for each in told)
    assert any("5 to 16, as stores of 0.13 do" in each for each in told)
    assert RELEASES.keys() == STORES.keys()


def test_writers_add_up() -> None:
    """Events and appends of a segment, and how long the slowest was waited for."""
    told = texts("scale_java", "did")

    assert any(
        each.startswith("1 writer appended 5 events in 2 appends to scope/stream/2.#epoch.1; the")
        for each in told
    )
    assert "scope/stream/0.#epoch.0 is sealed: nothing can be appended to it any more." in told
