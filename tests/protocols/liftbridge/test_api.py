"""The API: messages as the generated classes write them, chosen by the path of the call."""

from tests.failures import every
from tests.schema.reader_agreement import Layout, Vector, broken, vectors, whole

from streamshark.decoding.payloads import PayloadReaders
from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.api import API, REPLIES, REQUESTS, SERVICE

METHODS = {
    method
    for table in (REQUESTS, REPLIES)
    for _, methods in table.values()
    for method in methods.split()
}
EMBEDDED_RECORDS = {each.id.removeprefix("liftbridge."): each for each in API}
VECTORS = [each for each in vectors("liftbridge") if each.file in EMBEDDED_RECORDS]


@every("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_with_the_generated_classes(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    embedded = EMBEDDED_RECORDS[vector.file]
    layout = Layout.of_record(embedded.record, embedded.id)

    whole(layout, vector.data, vector.expect, canonical=False)
    broken(layout, vector.data, most=40)


def test_every_message_has_a_vector_with_all_of_its_members() -> None:
    """Empty ones too."""
    assert {
        each.file for each in VECTORS if each.name.endswith("/filled")
    } == EMBEDDED_RECORDS.keys()


def test_every_method_has_a_request_and_a_reply() -> None:
    """Sixteen of them, each once on either side."""
    assert len(METHODS) == 16
    for slot in ("grpc.message", "grpc.reply"):
        types = [each for embedded in API if slot in embedded.slots for each in embedded.types]

        assert sorted(types) == sorted(f"{SERVICE}{each}" for each in METHODS)


def test_the_path_chooses() -> None:
    """By method and direction."""
    known = PayloadReaders(API)
    asked = known.body("grpc.message", b"\x0a\x01s", declared="/proto.api/subscribe")
    answered = known.body("grpc.reply", b"", declared="/proto.api/subscribe")

    assert asked is not None
    assert answered is not None
    assert (asked.reader.id, asked.decoded.value) == (
        "liftbridge.subscribe_request", {"stream": "s"},
    )  # fmt: skip
    assert (answered.reader.id, answered.decoded.value) == ("liftbridge.message", {})


def test_all_of_them_are_heard() -> None:
    """Tables name them by the last part of the id."""
    assert PROTOCOL.embedded_slots == frozenset[str]().union(*(each.slots for each in API))
