"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest
from tests.protocols.explanations import explanations, untold

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.explain import SENTENCES

CAPTURES = Path("captures/rabbitmq_stream")
TELLING = (
    "super_stream_groups_java",
    "delete_stream_under_consumer",
    "reauthenticate_refused",
    "bug_challenge_ignored",
    "bug_consumer_update_wrong_id",
    "loopback_user_from_outside",
    "mechanism_not_offered",
    "vhost_missing",
    "bug_wrong_password",
    "client_side_only",
)
"""Captures of which all sentences together are told."""


def test_they_load() -> None:
    """Every name in them is known."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, SENTENCES)
    assert len(model.watches) == len(SENTENCES)


@pytest.mark.slow
def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    assert untold(SENTENCES, (CAPTURES / each for each in TELLING), monkeypatch) == set()


def test_a_wrong_password() -> None:
    """Who was refused, by what, with which code, after how long, and what to do next."""
    (sentences,) = explanations(CAPTURES / "bug_wrong_password")
    refused, held_back = sentences.parts["began"][-2:]

    assert refused.text == (
        'Authentication of user "billing" with PLAIN failed: '
        "8 (authentication_failure), 3 s after the request in frame 5."
    )
    assert (refused.frame, held_back.frame) == (6, 6)
    assert "rabbitmqctl authenticate_user" in refused.advice
    assert held_back.text.startswith("The broker delayed this answer by 3 s: ")


def test_publishers_and_subscriptions() -> None:
    """What they did, as they end."""
    texts = {
        line.text
        for sentences in explanations(CAPTURES / "credit_starves_java")
        for line in sentences.parts["did"]
    }

    assert (
        'Publisher 0 of stream "credit_starves_java": 100 messages confirmed, the slowest '
        "after 3.52 ms."
    ) in texts
    assert any(
        each.startswith('Subscription 0 to stream "credit_starves_java": 6 messages in 2 chunks')
        for each in texts
    )
