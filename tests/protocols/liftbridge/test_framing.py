"""Framing: keys, heads and limits; `tests/protocols/test_vectors.py` holds the frames' bytes."""

from tests.protocols.liftbridge.traffic import WIRE
from tests.schema.reader_agreement import vectors

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.framing import ALONE, HEADS, SMALLEST, all_frames

FRAMES = all_frames()


def test_every_message_has_a_vector_with_all_of_its_members() -> None:
    """Written by the servers' own functions; responses of replication have none to fill."""
    named = {each.name for each in FRAMES if not each.dialect}
    filled = {each.command for each in vectors("liftbridge") if each.name.endswith("/filled")}

    assert filled & named == named - {"replication_response"}


def test_every_type_has_its_frame() -> None:
    """Each type names its message."""
    assert {each.name: int(each.key) for each in FRAMES if not each.dialect} == {
        each.name.lower(): int(each) for each in MessageType
    }


def test_dialects_that_stand_apart_have_their_own_frames_alone() -> None:
    """The alpha release shares all but what it numbers otherwise."""
    assert {each.tree.schema.dialect for each in WIRE.table("bare", bare=True).all} == {"bare"}
    assert {each.tree.schema.dialect for each in WIRE.table("alpha", bare=True).all} == {
        "", "alpha",
    }  # fmt: skip
    assert set(HEADS) >= ALONE
    assert SMALLEST == 8
