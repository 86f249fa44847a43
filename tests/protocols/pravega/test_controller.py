"""Calls to the controller: messages as the generated classes write them, chosen by path."""

from tests.failures import every
from tests.schema.reader_agreement import Layout, Vector, broken, vectors, whole

from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.protocols.pravega.controller import CONTROLLER, REPLIES, REQUESTS, SERVICE

METHODS = {
    method
    for table in (REQUESTS, REPLIES)
    for _, methods in table.values()
    for method in methods.split()
}
EMBEDDED_RECORDS = {each.id.removeprefix("pravega.controller_"): each for each in CONTROLLER}
VECTORS = list(vectors("pravega_controller"))


@every("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_with_the_generated_classes(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    embedded = EMBEDDED_RECORDS[vector.file]
    layout = Layout.of_record(embedded.record, embedded.id)

    whole(layout, vector.data, vector.expect, canonical=False)
    broken(layout, vector.data, most=40)


def test_every_method_has_a_request_and_a_reply() -> None:
    """Forty-six of them, each once on either side."""
    for slot in ("grpc.message", "grpc.reply"):
        types = [
            each for embedded in CONTROLLER if slot in embedded.slots for each in embedded.types
        ]

        assert sorted(types) == sorted(f"{SERVICE}{each}" for each in METHODS)


def test_the_path_chooses() -> None:
    """By method and direction; another service has other messages."""
    known = layers(catalog(), formats())
    path = f"{SERVICE}createScope".lower()
    data = bytes.fromhex("0a0573636f7065")

    asked = known.body("grpc.message", data, declared=path)
    answered = known.body("grpc.reply", b"\x08\x02", declared=path)
    assert asked is not None
    assert answered is not None
    assert asked.reader.id == "pravega.controller_scope_info"
    assert answered.reader.id == "pravega.controller_create_scope_status"
    assert asked.decoded.value == {"scope": "scope"}
    assert known.body("grpc.message", data, declared="/other.service/createscope") is None or (
        "pravega"
        not in known.body("grpc.message", data, declared="/other.service/createscope").reader.id  # type: ignore[union-attr]
    )


def test_tokens_are_secret() -> None:
    """Wherever a reply has one."""
    for name in ("segment_ranges", "delegation_token", "create_txn_response"):
        tree = EMBEDDED_RECORDS[name].decoder.tree
        assert [each.facts.secret for each in tree.named() if each.name == "delegation_token"] == [
            True
        ]
