"""Composite metadata: read as rsocket-core writes it, found by its type or by its form."""

import pytest
from tests.protocols.rsocket import traffic
from tests.protocols.rsocket.traffic import (
    encoders_vectors,
    layout_of_record,
    metadata_vectors,
    unnamed,
)
from tests.schema.reader_agreement import Vector, broken, whole

from streamshark.decoding.payloads import Payload, PayloadReaders, cells
from streamshark.dissection.masking import SecretMask
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA, LIKELY, sure
from streamshark.protocols.rsocket.types import COMPOSITE

LAYERS = PayloadReaders(PROTOCOL.embedded_records)
LAYOUT = layout_of_record(COMPOSITE_METADATA)
VECTORS = metadata_vectors("composite_metadata")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_with_rsocket_core(vector: Vector) -> None:
    """Values are those that the encoder was given; a text of 1 byte has the length 0."""
    whole(LAYOUT, vector.data, unnamed(vector.expect))
    broken(LAYOUT, vector.data, most=40)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_its_form_is_known_where_nobody_says_its_type(vector: Vector) -> None:
    """But for no entries at all, and for made-up types, which look like no MIME type."""
    unlike = [f"custom_mime_{size}_bytes" for size in (1, 127, 128)]

    assert sure(vector.data) == (0 if vector.facts["name"] in ("empty", *unlike) else LIKELY)


@pytest.mark.parametrize(
    "data", ["", "b0000000", "fe", "fe0000", "fe000005aa", "0278", "02782f79", "0568656c6c6f"]
)
def test_other_bytes_are_not_taken_for_it(data: str) -> None:
    """Nothing, unknown numbers, what ends too early, text."""
    assert sure(bytes.fromhex(data)) == 0


def test_entries_are_read_by_their_types() -> None:
    """Each by the record that its number or text names; others stay bytes."""
    data = bytes.fromhex("fe000003026869fc0000048161626302782f7900000131")
    body = LAYERS.body("rsocket.metadata", data)
    assert body is not None
    found = [
        LAYERS.body(each.slot, each.data, declared=each.declared)
        for each in cells(COMPOSITE_METADATA.decoder.tree, {"entries": body.decoded.value})
    ]

    assert body.reader is COMPOSITE_METADATA
    assert [each and (each.reader.id, each.decoded.value) for each in found] == [
        ("rsocket.routing", ["hi"]),
        ("rsocket.authentication", {"auth_id": 1, "token": "abc"}),
        None,
    ]


def test_every_bare_vector_has_its_record() -> None:
    """By the name of its file, which is the last part of a record's id."""
    names = {each.id.partition(".")[2] for each in PROTOCOL.embedded_records}

    assert {each.file for each in encoders_vectors(bare=True)} <= names
    assert all(
        isinstance(Payload(b"", each).decoded.problems, list) for each in PROTOCOL.embedded_records
    )


def test_tokens_are_masked_where_its_type_is_misspelt() -> None:
    """SETUP names no type that is known, but the bytes divide into entries."""
    token = b"a token that nobody may read"
    metadata = traffic.entry(0x7C, b"\x81" + token) + traffic.entry(0x7E, b"\x05route")
    asked = traffic.framed(1, 0x04, 0x100, traffic.payload(metadata, b"data"))
    mask = SecretMask(LAYERS)
    for mime in (COMPOSITE, COMPOSITE.replace("composite", "cOmp@site"), "application/x.own"):
        row = traffic.rows((0, traffic.setup(mime)), (0, asked))[-1]
        made = mask.frame(row)
        assert token in row.data
        assert token not in made.data, mime
        assert b"route" in made.data, "what is no secret"
