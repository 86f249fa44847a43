"""Bodies: types and forms stay, values do not."""

import json

from tests.failures import every

from streamshark.protocols.catalog import formats
from streamshark.sharing.redaction_bodies import BodyRedaction, respelled
from streamshark.sharing.redaction_text import Replacements

FORMATS = {each.id: each for each in formats()}
MEMBERS = frozenset({"stream", "error"})
MADE = BodyRedaction(Replacements(b"key"), MEMBERS)
BODIES = {
    "json": b'{"name": "Jo \\u00e9\\n", "age": 42, "list": [1.5, true, null, "x\\"y"]}',
    "text": b"Hello, world: a secret.",
    "cbor": bytes.fromhex("a2646e616d65644a616e65636e756d1a000f4240"),
    "messagepack": bytes.fromhex("82a46e616d65a44a616e65a36e756dce000f4240"),
    "amqp1": bytes.fromhex("005377a1084a616e6520446f65"),
}


@every("name", BODIES)
def test_a_body_is_read_alike(name: str) -> None:
    """Its values are others of the same types."""
    old, reader = BODIES[name], FORMATS[name]
    new = MADE.of_format(reader, old, is_control=False)
    assert len(new) == len(old)
    assert new != old
    before, after = reader.decode(old), reader.decode(new)
    assert before.problems == after.problems
    assert shape(before.value) == shape(after.value)
    assert b"Jane" not in new


def shape(value: object) -> object:
    """Return the types in a value."""
    if isinstance(value, dict):
        return [shape(each) for each in value.values()]
    if isinstance(value, list):
        return [shape(each) for each in value]
    return type(value)


def test_a_protocols_own_json_keeps_words_and_numbers() -> None:
    """Names are replaced as they are elsewhere."""
    data = b'{"stream": "ORDERS", "max": 1000, "error": {"stream": "error"}}'
    made = json.loads(MADE.of_format(FORMATS["json"], data, is_control=True))
    assert made["stream"] == Replacements(b"key").names("ORDERS")
    assert made["error"] == {"stream": "error"}
    assert 1000 in made.values()


def test_strings_of_json_keep_their_spelling() -> None:
    """Every character takes as many bytes as before."""
    shift = str.maketrans("a\u00e9\U0001f600", "b\u00e8\U0001f601")
    for old, new in (
        (rb"a\u00e9\n", rb"b\u00e8\n"),
        (rb"\ud83d\ude00", rb"\ud83d\ude01"),
        ("a\u00e9".encode(), "b\u00e8".encode()),
        (rb"a\/", rb"b\/"),
    ):
        assert respelled(old, lambda text: text.translate(shift)) == new
