"""Negotiated values: each is in a frame that negotiates, in a field or flag that it has."""

import pytest
from tests.failures import every
from tests.protocols.rsocket.traffic import WIRE, entry, framed, payload, resume, rows, setup

from streamshark.dissection.reading_state import ReadingState
from streamshark.framing.wire_format import NegotiatedValue
from streamshark.protocols.rsocket.negotiated import AGREEMENTS
from streamshark.protocols.rsocket.types import COMPOSITE


@every("agreement", AGREEMENTS, ids=lambda each: f"{each.name}-{each.command}")
@every("dialect", WIRE.dialects)
def test_agreements_stand_in_frames_that_turn(agreement: NegotiatedValue, dialect: str) -> None:
    """But for the version of RESUME, which 0.1 has not."""
    decoder = WIRE.table(dialect).named(agreement.command)
    path, _, flag = agreement.path.partition(".")

    assert decoder.tree.schema.negotiates
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


def test_a_resumed_connection_has_the_types_of_its_session() -> None:
    """Of streams too; under another token nothing is known."""
    shared = ReadingState()
    said = framed(1, 0x06, 0x100, b"\0\0\0\1" + payload(entry(0x7B, b"\x81"), b"x"))
    rows((0, setup(data="application/json", token=b"t")), (0, said), shared=shared)
    answers = (1, framed(1, 0x0A, 0x20, b"y")), (1, framed(3, 0x0A, 0x20, b"y"))

    first, *others = rows((0, resume(b"t")), *answers, shared=shared)
    assert first.agreed["metadata_mime_type"] == COMPOSITE
    assert [each.agreed["data_mime_type"] for each in others] == [
        "application/cbor", "application/json",
    ]  # fmt: skip
    first, *others = rows((0, resume(b"u")), *answers, shared=shared)
    assert not {"metadata_mime_type", "data_mime_type"} & set(first.agreed)


def test_fragments_go_on_in_another_connection() -> None:
    """Sent again or not, their beginning is not in this one."""
    found = rows(
        (0, resume(b"t")), (1, framed(1, 0x0A, 0xA0, b"y")), (1, framed(1, 0x0A, 0x20, b"z"))
    )

    assert [each.whole.reason for each in found[1:] if each.whole] == [
        "its first fragment is not in the capture"
    ] * 2


@every(("stream", "sender"), [(1, "client"), (2, "server"), (0, None)])
@every("kind", [0x04, 0x05, 0x06, 0x07])
def test_a_stream_id_proves_who_opens_it(kind: int, stream: int, sender: str | None) -> None:
    """Where no SYN was seen; stream 0, and frames on streams that are open, prove nothing."""
    request = framed(stream, kind, 0, b"\0\0\0\1data")
    payloads = framed(1, 0x0A, 0x20, b"x") * 3
    found = rows((1, payloads), (0, request * 3), (1, payloads), client=None)

    assert [row.sender for row in found[:3]] == [None] * 3
    if sender is None:  # no search for step stops at a request on stream 0
        assert [row.sender for row in found[3:]] == [None] * 3
        return
    assert {row.sender for row in found[3:6]} == {sender}
    other = {"client": "server", "server": "client"}
    assert {row.sender for row in found[6:]} == {other[sender]}


@pytest.mark.parametrize(("stream", "sender"), [(2, "client"), (1, "server")])
def test_stream_ids_of_version_01_are_the_other_way_round(stream: int, sender: str) -> None:
    """Its clients' are even."""
    request = bytes.fromhex("0000001000050000") + stream.to_bytes(4, "big") + b"data"
    found = rows((0, request * 3), client=None, dialect="0.1")

    assert {row.sender for row in found} == {sender}
