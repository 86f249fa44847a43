"""The sentences of the protocol: they load, and each is told of some recorded capture."""

from pathlib import Path

import pytest
from tests.protocols.explanations import explanations, untold

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.protocols.rsocket.explain import SENTENCES

CAPTURES = Path("captures/rsocket")
TELLING = (
    "resume_java",
    "setup_refused_java",
    "client_side_only_py",
    "bug_lease_before_setup_js_0_0",
    "server_side_only_py",
)
"""Captures of which all sentences together are told."""


def test_they_load() -> None:
    """Every name in them is known."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, SENTENCES)
    assert len(model.watches) == len(SENTENCES)


def test_each_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of real traffic."""
    assert untold(SENTENCES, (CAPTURES / each for each in TELLING), monkeypatch) == set()


def test_streams_add_up() -> None:
    """By model and by who opened them."""
    (sentences,) = explanations(CAPTURES / "interactions_js")
    texts = [each.text for each in sentences.parts["did"]]

    assert "The client sent 1 request with REQUEST_FNF (no response)." in texts
    assert any(
        each.startswith(
            "The client opened 2 streams with request_stream: 1 done, 1 cancelled; 10 items "
            "received of 106 requested"
        )
        for each in texts
    )
    assert [each.text for each in sentences.parts["agreed"]] == [
        'The data MIME type is "text/plain", the metadata MIME type "text/plain".',
        "A KEEPALIVE is sent every 400 ms; a peer that is silent for 10 s is considered dead.",
    ]


def test_a_refused_setup() -> None:
    """With what to do next."""
    sentences = explanations(CAPTURES / "setup_refused_java")[0]
    said, refused = sentences.parts["ended"][:2]

    assert said.text.startswith("The server closed it with ERROR 3 (rejected_setup)")
    assert "acceptor" in refused.advice
