"""The fields of AMQP 1.0 messages."""

from typing import Any

from tests.failures import every

from streamshark.protocols.amqp1.fields import fields, text_of

MESSAGE: list[dict[str, Any]] = [
    {"section": "header", "value": {"durable": True, "priority": 4, "ttl": "odd"}},
    {"section": "message_annotations", "value": {}},
    {"section": "properties", "value": {"message_id": 7, "user_id": b"u", "creation_time": -1}},
    {
        "section": "application_properties",
        "value": [{"key": "a", "value": [1, [True]]}, {"key": "b", "value": None}],
    },
    {"section": "data", "value": b"text"},
    {"section": "data", "value": b"\0"},
    {"section": "data", "value": b"\xff"},
    {"section": None, "descriptor": 1, "value": 2},
    {"section": None, "value": b"rest"},
]
VALUES = {
    "header.durable": [True],
    "header.priority": [4],
    "header.ttl": [],
    "header.first_acquirer": [],
    "message_annotations.key": [],
    "properties.message_id": ["7"],
    "properties.user_id": [b"u"],
    "properties.creation_time": [-1],
    "application_properties.key": ["a", "b"],
    "application_properties.value": ["list of 2", "null"],
    "item": ["1", "list of 1", "true"],
    "data": [b"text", b"\0", b"\xff"],
    "data.text": ["text"],
    "undecoded": [b"rest"],
    "amqp_value": [],
}


@every("name", VALUES)
def test_values(name: str) -> None:
    """Those of the right type, of all sections."""
    (field,) = (each for each in fields() if each.name == name)
    assert list(field.values(MESSAGE)) == VALUES[name]


def test_text_of_values() -> None:
    """As the plugin shows them."""
    pair = {"key": "k", "value": 1}
    for value, text in (
        (None, "null"),
        (False, "false"),
        (1.5, "1.5"),
        (b"\x01", "01"),
        ({"descriptor": "d", "value": 3}, "3"),
        ([pair, pair], "map of 2"),
        ({}, "{}"),
        ([], "[]"),
    ):
        assert text_of(value) == text
