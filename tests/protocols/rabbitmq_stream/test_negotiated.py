"""Negotiated values: each is in a frame that negotiates, in a field that it has."""

import pytest
from tests.protocols.rabbitmq_stream.traffic import WIRE

from streamshark.framing.wire_format import NegotiatedValue
from streamshark.protocols.rabbitmq_stream.negotiated import AGREEMENTS
from streamshark.schema import FrameKind


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=lambda each: each.name)
def test_agreements_stand_in_frames_that_turn(agreement: NegotiatedValue) -> None:
    """The path is that of a field of each such frame, and the frame is one that negotiates."""
    found = [
        each.tree
        for each in WIRE.table().all
        if each.tree.schema.name == agreement.command
        and (each.tree.schema.kind is FrameKind.RESPONSE) in agreement.responses
    ]

    assert len(agreement.responses) == len(found)
    for tree in found:
        assert tree.find(agreement.path).doc
        assert tree.schema.negotiates


def test_secrets_are_not_agreed() -> None:
    """No agreement remembers what outputs must mask."""
    for agreement in AGREEMENTS:
        for each in WIRE.table().all:
            if each.tree.schema.name == agreement.command:
                for node in each.tree.named():
                    assert not (node.facts.secret and ".".join(node.path) == agreement.path)
