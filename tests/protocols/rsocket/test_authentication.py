"""Authentication: both lengths of usernames, types by name and number, secrets marked."""

import pytest
from tests.protocols.rsocket.traffic import layout_of_record, metadata_vectors, unnamed
from tests.schema.reader_agreement import Vector, agree, broken, whole

from streamshark.protocols.rsocket.authentication import AUTHENTICATION

LAYOUT = layout_of_record(AUTHENTICATION)


@pytest.mark.parametrize("vector", metadata_vectors("authentication"), ids=lambda each: each.name)
def test_readers_agree_with_rsocket_core(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    whole(LAYOUT, vector.data, unnamed(vector.expect))
    broken(LAYOUT, vector.data, most=40)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("8000047573657270617373",
         {"auth_id": 0, "username": "user", "password": "pass"}),
        ("80047573657270617373",
         {"auth_id": 0, "username": "user", "password": "pass"}),
        ("81746f6b", {"auth_id": 1, "token": "tok"}),
        ("85746f6b", {"auth_id": 5, "payload": b"tok"}),
        ("026a7774746f6b", {"type_length": 2, "auth_type": "jwt", "payload": b"tok"}),
        ("80ff", None),
    ],
    ids=["simple", "simple_of_2019", "bearer", "unknown", "custom", "broken"],
)  # fmt: skip
def test_forms(data: str, expected: object) -> None:
    """What each type asks for, and which length fits."""
    assert agree(LAYOUT, bytes.fromhex(data)) == expected


def test_whatever_shows_who_one_is_is_secret() -> None:
    """Passwords, tokens, and what unknown types hold."""
    secret = {node.name for node in LAYOUT.tree.named() if node.facts.secret}

    assert secret == {"password", "token", "payload"}
