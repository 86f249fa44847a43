"""Messages of AMQP 1.0: sections in their order, named places, and what breaks the rules."""

import random
import tracemalloc
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pytest
from rstream._pyamqp._decode import decode_payload
from tests.failures import every
from tests.protocols.amqp1.test_types import shown
from tests.recorded.bodies import bodies
from tests.recorded.index import Line, of
from tests.recorded.share import with_all_frames_of
from tests.schema.reader_agreement import Vector, vectors

from streamshark.protocols.amqp1 import FORMAT
from streamshark.protocols.amqp1.sections import BY_DESCRIPTOR, SECTIONS, decode, sure

WRITTEN = [each for each in vectors("amqp1") if each.file == "message"]
MESSAGES = 500
"""Messages that are compared at least."""
HELLO = bytes.fromhex("005375a00568656c6c6f")
BYTES_OF_FIELDS = {"user_id"}
"""Fields of vectors that are bytes, told from text."""


def read(data: bytes) -> tuple[Any, list[str]]:
    """Return the sections and the sentences of their problems."""
    value, problems = decode(data)
    for each in problems:
        assert 0 <= each.offset <= each.offset + each.length <= len(data)
    return value, [each.message for each in problems]


def expected(expect: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a vector expects, in the shape of our sections."""
    out = [
        {"section": section.name, "value": _content(expect[section.name])}
        for section in SECTIONS[:5]
        if section.name in expect
    ]
    body = expect["body"]
    out += [{"section": "data", "value": bytes.fromhex(each)} for each in body.get("data", ())]
    for each in body.get("sequence", ()):
        out.append({"section": "amqp_sequence", "value": shown(each)})
    if "value" in body:
        out.append({"section": "amqp_value", "value": shown(body["value"])})
    if "footer" in expect:
        out.append({"section": "footer", "value": _content(expect["footer"])})
    return out


def _content(given: Any) -> Any:  # noqa: ANN401 - as the vectors have it
    if isinstance(given, list):
        return [{name: _value(name, each) for name, each in pair.items()} for pair in given]
    return {name: _value(name, each) for name, each in given.items()}


def _value(name: str, given: Any) -> Any:  # noqa: ANN401 - as the vectors have it
    if isinstance(given, dict):
        return shown(given)
    return bytes.fromhex(given) if name in BYTES_OF_FIELDS else given


@pytest.mark.parametrize("vector", WRITTEN, ids=lambda each: each.name)
def test_what_a_reference_encoder_wrote(vector: Vector) -> None:
    """Every section that proton-j was given, in order, without a problem."""
    assert sure(vector.data) == 100
    assert read(vector.data) == (expected(vector.expect), [])


def test_descriptors_are_numbers_or_symbols() -> None:
    """All forms of both."""
    for section in SECTIONS:
        assert BY_DESCRIPTOR[section.code] is BY_DESCRIPTOR[section.symbol] is section
    forms = (
        b"\x00\x53\x75",
        b"\x00\x80" + (0x75).to_bytes(8),
        b"\x00\xa3\x10amqp:data:binary",
    )
    for form in forms:
        assert sure(form + HELLO[3:]) == 100
        assert read(form + HELLO[3:]) == ([{"section": "data", "value": b"hello"}], [])
    wide = b"\x00\xb3\x00\x00\x00\x10amqp:data:binary" + HELLO[3:]
    assert read(wide) == ([{"section": "data", "value": b"hello"}], [])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\0\x53",
        b"\0\x53\x6f",
        b"\0\x53\x79",
        b"hello",
        b"{}",
        b"\0\x80",
        b"\0\xa3\x05a:b:c",
    ],
)
def test_other_bytes_are_not_taken(data: bytes) -> None:
    """What does not begin with a section."""
    assert sure(data) == 0
    assert FORMAT.sure(data) == 0


@every(
    ("data", "value", "told"),
    [
        ("0053754000", [{"section": "data", "value": None},
                        {"section": None, "value": b"\0"}],
         ["the data section holds binary", "1 bytes needed, 0 left"]),
        ("68656c6c6f", [{"section": None, "value": b"hello"}], ["no section starts with 0x68"]),
        ("005379 40", [{"section": None, "descriptor": 0x79, "value": None}],
         ["no section has this descriptor"]),
        ("0045 40", [{"section": None, "descriptor": [], "value": None}],
         ["no section has this descriptor"]),
        ("005375", [{"section": "data", "value": None}], ["1 bytes needed, 0 left"]),
        ("005370 a100", [{"section": "header", "value": ""}],
         ["the header section holds a list whose places have names"]),
        ("005370 45", [{"section": "header", "value": {}}], []),
        ("005370 c00202 50", [{"section": "header", "value": {}}],
         ["1 bytes needed, 0 left"]),
        ("005370 c00302 5005", [{"section": "header", "value": {"durable": 5}}],
         ["2 items announced, 1 present", "durable is a boolean, not of constructor 0x50"]),
        ("005370 c00706 4040404040 41", [{"section": "header", "value": {"more": [True]}}],
         ["the header section has 5 fields, not 6"]),
        ("005370 c0", [{"section": "header", "value": {}}], ["2 bytes needed, 0 left"]),
        ("005372 c10502 a10161 41", [{"section": "message_annotations",
                                      "value": [{"key": "a", "value": True}]}],
         ["keys of the message_annotations section are symbols"]),
        ("005374 c10502 a30161 41", [{"section": "application_properties",
                                      "value": [{"key": "a", "value": True}]}],
         ["keys of the application_properties section are strings"]),
        ("005374 c10502 a10161 45", [{"section": "application_properties",
                                      "value": [{"key": "a", "value": []}]}],
         ["values of the application_properties section are simple"]),
        ("005374 c10401 a10161", [{"section": "application_properties",
                                   "value": [{"key": "a", "value": None}]}],
         ["a map of 1 values: one key has no value"]),
        ("005374 c10100", [{"section": "application_properties", "value": {}}], []),
        ("005377 40 005370 45", [{"section": "amqp_value", "value": None},
                                 {"section": "header", "value": {}}],
         ["a header section after a amqp_value section"]),
        ("005377 40 005377 40", [{"section": "amqp_value", "value": None}] * 2,
         ["a amqp_value section after a amqp_value section"]),
        ("005375 a000 005377 40", [{"section": "data", "value": b""},
                                   {"section": "amqp_value", "value": None}],
         ["a amqp_value section after a data section"]),
        ("005375 a000 005375 a000", [{"section": "data", "value": b""}] * 2, []),
        ("005376 45 005376 45", [{"section": "amqp_sequence", "value": []}] * 2, []),
        ("005375 a000 005378 c10100", [{"section": "data", "value": b""},
                                       {"section": "footer", "value": {}}], []),
    ],
)  # fmt: skip
def test_what_breaks_the_rules(data: str, value: object, told: list[str]) -> None:
    """Wrong, misplaced and unknown sections are problems; earlier values stay."""
    assert read(bytes.fromhex(data)) == (value, told)


@pytest.mark.parametrize("vector", WRITTEN, ids=lambda each: each.name)
def test_cut_and_mutated_messages(vector: Vector) -> None:
    """At every length, and with bytes changed: sections and problems, never an exception."""
    data = vector.data
    for end in range(len(data)):
        read(data[:end])
    source = random.Random(vector.name)  # noqa: S311 - a seed
    for _ in range(500):
        spoilt = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            spoilt[source.randrange(len(spoilt))] = source.randrange(256)
        read(bytes(spoilt))


@pytest.mark.slow
def test_many_sections_are_bounded() -> None:
    """Four bytes a section, and there may be more than are kept."""
    tracemalloc.start()
    try:
        value, problems = decode(b"\x00\x53\x75\x40" * 300_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(value) <= 100_000
    assert problems
    assert peak < 60_000_000


@pytest.mark.slow
def test_an_independent_decoder_agrees() -> None:
    """rstream's, on every whole message of captures that show all kinds of frames."""
    assert _compared(with_all_frames_of("rabbitmq_stream")) > MESSAGES


@pytest.mark.sweep
def test_an_independent_decoder_agrees_on_every_capture() -> None:
    """The same of all captures."""
    assert _compared(of("rabbitmq_stream")) > MESSAGES


def _compared(captures: Iterable[Line]) -> int:
    """Compare every whole message of some captures; return how many there are."""
    return sum(_agrees(body) for body in bodies(captures) if sure(body) and not read(body)[1])


def _agrees(body: bytes) -> bool:
    """Compare section by section; rstream keeps text as bytes, maps as dicts.

    False where rstream lacks a type: characters and decimals.
    """
    try:
        theirs = decode_payload(memoryview(body))
    except TypeError:
        return False
    ours: dict[str, Any] = {}
    for each in decode(body).value:
        name, value = each["section"], each["value"]
        if name in ("data", "amqp_sequence"):
            ours.setdefault(name, []).append(value)
        else:
            ours[name] = value
    names = {"amqp_value": "value", "amqp_sequence": "sequence", "data": "body"}
    for name in {section.name for section in SECTIONS}:
        found = getattr(theirs, names.get(name, name))
        if name not in ours:
            assert not found
        elif name == "data":
            assert _raw(found) == _raw(ours[name][-1])
        elif name in ("header", "properties"):
            fields = [value for value in found if value is not None]
            assert [_raw(each) for each in fields] == [_raw(v) for v in ours[name].values()]
        else:
            assert _raw(found) == _raw(ours[name])
    return True


def _raw(value: Any) -> Any:  # noqa: ANN401 - any value
    """Return a value of either decoder as bytes, numbers, lists."""
    match value:
        case {"descriptor": _, "value": inner}:
            return _raw(inner)  # rstream leaves descriptors out
        case {"key": key, "value": inner}:
            return [_raw(key), _raw(inner)]
        case dict():
            return [[_raw(key), _raw(each)] for key, each in value.items()]
        case list() | tuple():
            return [_raw(each) for each in value]
        case str() | UUID() | float():
            return str(value).lower().replace("infinity", "inf").encode()
    return bytes(value).lower() if isinstance(value, bytes | bytearray | memoryview) else value
