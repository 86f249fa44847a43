"""Agreements: each is said by a frame that turns, in a field or flag that it has."""

import pytest
from tests.protocols.rsocket.traffic import WIRE

from streamshark.frames.wire import Agreement
from streamshark.protocols.rsocket.agreements import AGREEMENTS


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=lambda each: f"{each.name}-{each.command}")
@pytest.mark.parametrize("dialect", WIRE.dialects)
def test_agreements_stand_in_frames_that_turn(agreement: Agreement, dialect: str) -> None:
    """But for the version of RESUME, which 0.1 has not."""
    decoder = WIRE.table(dialect).named(agreement.command)
    path, _, flag = agreement.path.partition(".")

    assert decoder.tree.schema.turns
    if (agreement.name, agreement.command, bool(dialect)) == ("version", "resume", True):
        assert path not in {each.name for each in decoder.tree.named()}
        return
    assert decoder.tree.find(path).doc
    assert not flag or flag in decoder.tree.schema.flags.values()


def test_what_metadata_is_in_is_agreed() -> None:
    """The slots of metadata and data name agreements."""
    slots = {
        node.slot.agreed
        for each in WIRE.table().all
        for node in each.tree.nodes
        if getattr(node, "slot", None) is not None and node.slot.agreed
    }

    assert slots == {"metadata_mime_type", "data_mime_type"}
    assert slots < {each.name for each in AGREEMENTS}
