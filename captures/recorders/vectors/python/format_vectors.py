"""Vectors of the self-describing formats CBOR and MessagePack, and of protobuf's field shapes.

A value is expected as {type, value}; a map is a list of {key, value}; floats that JSON lacks are
written as text. RFC 8949's own examples fill in what cbor2 does not write.
"""

import importlib.metadata
import json
import math
import platform
import struct
import uuid
from datetime import UTC, datetime
from fractions import Fraction

import cbor2
import msgpack
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from vectors import NULL, emit

CBOR = f"cbor2 {importlib.metadata.version('cbor2')}, dumps"
MSGPACK = f"msgpack {importlib.metadata.version('msgpack')}, packb"
PROTOBUF = f"protobuf {importlib.metadata.version('protobuf')} (Python), SerializeToString"


def typed(kind: str, value: object) -> dict:
    """A value with its type's name in the format's document."""
    return {"type": kind, "value": value}


def text_of_float(number: float) -> float | str:
    """A float as JSON can carry it."""
    return number if math.isfinite(number) else str(number)


def plain(value: object) -> dict:  # noqa: PLR0911 - one line per type
    """What a Python value must decode to, in words that CBOR and MessagePack share."""
    if value is None:
        return typed("null", NULL)
    if isinstance(value, bool):
        return typed("boolean", value)
    if isinstance(value, int):
        return typed("int", value)
    if isinstance(value, float):
        return typed("float", text_of_float(value))
    if isinstance(value, bytes):
        return typed("bytes", value.hex())
    if isinstance(value, str):
        return typed("text", value)
    if isinstance(value, list | tuple):
        return typed("array", [plain(item) for item in value])
    if isinstance(value, dict):
        return typed(
            "map", [{"key": plain(key), "value": plain(item)} for key, item in value.items()]
        )
    raise TypeError(value)


SCALARS = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "int_23": 23,
    "int_24": 24,
    "int_127": 127,
    "int_128": 128,
    "int_255": 255,
    "int_256": 256,
    "int_65535": 65535,
    "int_65536": 65536,
    "int_2_32_minus_1": 2**32 - 1,
    "int_2_32": 2**32,
    "int_2_64_minus_1": 2**64 - 1,
    "minus_1": -1,
    "minus_24": -24,
    "minus_25": -25,
    "minus_32": -32,
    "minus_33": -33,
    "minus_128": -128,
    "minus_129": -129,
    "minus_256": -256,
    "minus_257": -257,
    "minus_32769": -32769,
    "minus_2_31_minus_1": -(2**31) - 1,
    "minus_2_63": -(2**63),
    "float": 1.1,
    "float_minus_zero": -0.0,
    "float_infinity": math.inf,
    "float_nan": math.nan,
    "text_empty": "",
    "text": "a",
    "text_23": "t" * 23,
    "text_24": "t" * 24,
    "text_31": "t" * 31,
    "text_32": "t" * 32,
    "text_256": "t" * 256,
    "text_not_ascii": "größe 🦈",
    "bytes_empty": b"",
    "bytes": b"\x00\xff",
    "bytes_256": bytes(256),
    "array_empty": [],
    "array": [1, "two", [3, None]],
    "array_15": list(range(15)),
    "array_16": list(range(16)),
    "array_24": list(range(24)),
    "map_empty": {},
    "map": {"a": 1, "b": [2, 3]},
    "map_mixed_keys": {1: "int", -1: "negative", "t": {"inner": True}, b"k": 0.5},
    "map_16": {i: i for i in range(16)},
}


def nested(depth: int) -> list:
    """Arrays in arrays."""
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def cbor() -> None:
    """CBOR: what cbor2 writes, and from RFC 8949 what it does not: indefinite lengths, halves."""

    def one(name: str, value: object, expect: dict, **options: object) -> None:
        emit("cbor/value", name, CBOR, cbor2.dumps(value, **options), expect, bare=True)

    for name, value in {**SCALARS, "array_20_deep": nested(20)}.items():
        one(name, value, plain(value))
    one("float_half", 1.5, typed("float", 1.5), canonical=True)
    one("float_single", 100000.0, typed("float", 100000.0), canonical=True)
    one("undefined", cbor2.undefined, typed("undefined", NULL))
    one("simple_16", cbor2.CBORSimpleValue(16), typed("simple", 16))
    one("simple_255", cbor2.CBORSimpleValue(255), typed("simple", 255))

    def tag(number: int, content: object) -> dict:
        return {"type": "tag", "tag": number, "value": plain(content)}

    one("tag_own", cbor2.CBORTag(6000, "Hello"), tag(6000, "Hello"))
    one(
        "tag_text_time", datetime(2013, 3, 21, 20, 4, 0, tzinfo=UTC), tag(0, "2013-03-21T20:04:00Z")
    )
    one(
        "tag_epoch_time",
        datetime(2013, 3, 21, 20, 4, 0, tzinfo=UTC),
        tag(1, 1363896240),
        datetime_as_timestamp=True,
    )
    one("tag_big_positive", 2**64, tag(2, bytes.fromhex("010000000000000000")))
    one("tag_big_negative", -(2**64) - 1, tag(3, bytes.fromhex("010000000000000000")))
    one("tag_uuid", uuid.UUID("01020304-0506-0708-090a-0b0c0d0e0f10"), tag(37, bytes(range(1, 17))))
    one("tag_rational", Fraction(2, 5), tag(30, [2, 5]))
    examples = [
        ("half_zero", "f90000", typed("float", 0.0)),
        ("half_smallest", "f90001", typed("float", 5.960464477539063e-8)),
        ("half_max", "f97bff", typed("float", 65504.0)),
        ("half_infinity", "f97c00", typed("float", "inf")),
        ("half_nan", "f97e00", typed("float", "nan")),
        ("half_minus_infinity", "f9fc00", typed("float", "-inf")),
        ("single_infinity", "fa7f800000", typed("float", "inf")),
        ("minus_2_64", "3bffffffffffffffff", typed("int", -(2**64))),
        ("indefinite_bytes", "5f42010243030405ff", typed("bytes", "0102030405")),
        ("indefinite_text", "7f657374726561646d696e67ff", typed("text", "streaming")),
        ("indefinite_array_empty", "9fff", plain([])),
        ("indefinite_array_nested", "9f018202039f0405ffff", plain([1, [2, 3], [4, 5]])),
        ("indefinite_array_inside", "83018202039f0405ff", plain([1, [2, 3], [4, 5]])),
        ("indefinite_map", "bf61610161629f0203ffff", plain({"a": 1, "b": [2, 3]})),
        ("indefinite_map_inside", "826161bf61626163ff", plain(["a", {"b": "c"}])),
        (
            "tag_32_uri",
            "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
            tag(32, "http://www.example.com"),
        ),
        ("tag_24_embedded", "d818456449455446", tag(24, bytes.fromhex("6449455446"))),
    ]
    for name, data, expect in examples:
        emit(
            "cbor/value",
            "rfc_" + name,
            "RFC 8949, Appendix A",
            bytes.fromhex(data),
            expect,
            bare=True,
        )


def messagepack() -> None:
    """MessagePack: every family of the specification but the 32-bit lengths."""

    def one(name: str, value: object, expect: dict, **options: object) -> None:
        emit("messagepack/value", name, MSGPACK, msgpack.packb(value, **options), expect, bare=True)

    for name, value in {**SCALARS, "array_20_deep": nested(20)}.items():
        one(name, value, plain(value))
    one("float_single", 1.5, typed("float", 1.5), use_single_float=True)
    one("text_old_raw", "t" * 40, typed("text", "t" * 40), use_bin_type=False)
    for size in (1, 2, 4, 8, 16, 3, 0, 255, 256):
        one(
            f"ext_{size}",
            msgpack.ExtType(42, bytes(size)),
            {"type": "ext", "code": 42, "value": bytes(size).hex()},
        )
    for name, seconds, nanoseconds in (
        ("32", 1_700_000_000, 0),
        ("64", 1_700_000_000, 999_999_999),
        ("96", -1, 1),
    ):
        expect = {"type": "timestamp", "seconds": seconds, "nanoseconds": nanoseconds}
        one(f"timestamp_{name}", msgpack.Timestamp(seconds, nanoseconds), expect)


def json_values() -> None:
    """JSON as Python writes it, and what RFC 8259 allows beside."""
    source = f"Python {platform.python_version()}, json.dumps"
    texts = {"escapes": '"\\/\b\f\n\r\t\u0001', "object_with_list": {"a": [1, 2.5, None]}}
    for name, value in {**SCALARS, **texts, "array_20_deep": nested(20)}.items():
        keys = isinstance(value, dict) and not all(isinstance(key, str) for key in value)
        number = isinstance(value, float) and not math.isfinite(value)
        if keys or number or isinstance(value, bytes):
            continue
        emit("json/value", name, source, json.dumps(value).encode(), plain(value), bare=True)
    one = json.dumps("größe 🦈", ensure_ascii=False).encode()
    emit(
        "json/value",
        "text_not_ascii_unescaped",
        source + "(ensure_ascii=False)",
        one,
        plain("größe 🦈"),
        bare=True,
    )
    examples = {
        "blanks": (' {\n\t"a" : [ 1 ,\r\n 2 ] } ', {"a": [1, 2]}),
        "exponents": ("[1e2, 1E+2, -0.5e-1]", [100.0, 100.0, -0.05]),
        "surrogates": ('"\\ud834\\udd1e"', "\U0001d11e"),
    }
    for name, (text, value) in examples.items():
        emit(
            "json/value",
            "rfc_" + name,
            "written by hand after RFC 8259, 2 to 7",
            text.encode(),
            plain(value),
            bare=True,
        )
    emit(
        "json/value",
        "duplicate_names",
        "written by hand after RFC 8259, 4",
        b'{"a":1,"a":2}',
        typed(
            "map", [{"key": plain("a"), "value": plain(1)}, {"key": plain("a"), "value": plain(2)}]
        ),
        bare=True,
    )


def protobuf() -> None:  # noqa: C901, PLR0915 - one message and its cases
    """Field shapes of protobuf that the protocols' own messages do not all have."""
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name="vectors.proto", package="vectors", syntax="proto3"
    )
    message = file.message_type.add(name="All")
    scalars = (
        "double",
        "float",
        "int64",
        "uint64",
        "int32",
        "fixed64",
        "fixed32",
        "bool",
        "string",
        "bytes",
        "uint32",
        "sfixed32",
        "sfixed64",
        "sint32",
        "sint64",
    )
    for number, name in enumerate(scalars, 1):
        message.field.add(
            name=f"a_{name}",
            number=number,
            type=getattr(kinds, "TYPE_" + name.upper()),
            label=kinds.LABEL_OPTIONAL,
        )
    repeated = {
        "int32": 21,
        "sint64": 22,
        "fixed32": 23,
        "double": 24,
        "bool": 25,
        "string": 26,
        "bytes": 27,
    }
    for name, number in repeated.items():
        message.field.add(
            name=f"many_{name}",
            number=number,
            type=getattr(kinds, "TYPE_" + name.upper()),
            label=kinds.LABEL_REPEATED,
        )
    unpacked = message.field.add(
        name="unpacked_int32", number=28, type=kinds.TYPE_INT32, label=kinds.LABEL_REPEATED
    )
    unpacked.options.packed = False
    enum = message.enum_type.add(name="Color")
    for number, name in enumerate(("NONE", "RED")):
        enum.value.add(name=name, number=number)
    message.field.add(
        name="color",
        number=30,
        type=kinds.TYPE_ENUM,
        type_name=".vectors.All.Color",
        label=kinds.LABEL_OPTIONAL,
    )
    message.field.add(
        name="child",
        number=31,
        type=kinds.TYPE_MESSAGE,
        type_name=".vectors.All",
        label=kinds.LABEL_OPTIONAL,
    )
    message.field.add(
        name="children",
        number=32,
        type=kinds.TYPE_MESSAGE,
        type_name=".vectors.All",
        label=kinds.LABEL_REPEATED,
    )
    for number, name in ((40, "Text"), (41, "Numbers")):
        entry = message.nested_type.add(name=f"{name}Entry")
        entry.options.map_entry = True
        kind = kinds.TYPE_STRING if name == "Text" else kinds.TYPE_SINT32
        entry.field.add(name="key", number=1, type=kind, label=kinds.LABEL_OPTIONAL)
        entry.field.add(name="value", number=2, type=kind, label=kinds.LABEL_OPTIONAL)
        message.field.add(
            name=name.lower(),
            number=number,
            type=kinds.TYPE_MESSAGE,
            type_name=f".vectors.All.{name}Entry",
            label=kinds.LABEL_REPEATED,
        )
    message.oneof_decl.add(name="choice")
    message.field.add(
        name="one_text",
        number=50,
        type=kinds.TYPE_STRING,
        label=kinds.LABEL_OPTIONAL,
        oneof_index=0,
    )
    message.field.add(
        name="one_number",
        number=51,
        type=kinds.TYPE_INT32,
        label=kinds.LABEL_OPTIONAL,
        oneof_index=0,
    )
    message.field.add(
        name="last_number", number=2**29 - 1, type=kinds.TYPE_BOOL, label=kinds.LABEL_OPTIONAL
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    every = message_factory.GetMessageClass(pool.FindMessageTypeByName("vectors.All"))

    schema = {
        field.name: {
            "number": field.number,
            "type": kinds.Type.Name(field.type)[5:].lower(),
            "repeated": field.label == kinds.LABEL_REPEATED,
        }
        for field in message.field
    }

    def one(name: str, note: str = "", **members: object) -> None:
        value = every(**members)
        used = {key: schema[key] for key in members}
        emit(
            "protobuf/message",
            name,
            PROTOBUF,
            value.SerializeToString(deterministic=True),
            expected(members),
            bare=True,
            note=note,
            fields=used,
        )

    def expected(members: dict) -> dict:
        shown = {}
        for key, value in members.items():
            if isinstance(value, dict) and key in ("text", "numbers"):
                shown[key] = [{"key": each, "value": item} for each, item in value.items()]
            elif isinstance(value, dict):
                shown[key] = expected(value)
            elif isinstance(value, list):
                shown[key] = [
                    expected(item)
                    if isinstance(item, dict)
                    else item.hex()
                    if isinstance(item, bytes)
                    else item
                    for item in value
                ]
            elif isinstance(value, bytes):
                shown[key] = value.hex()
            else:
                shown[key] = text_of_float(value) if isinstance(value, float) else value
        return shown

    limits = {
        "int64": (1, 127, 128, 2**63 - 1, -1, -(2**63)),
        "uint64": (2**64 - 1,),
        "int32": (2**31 - 1, -1, -(2**31)),
        "uint32": (2**32 - 1,),
        "sint32": (1, -1, 2**31 - 1, -(2**31)),
        "sint64": (-1, 2**63 - 1, -(2**63)),
        "fixed32": (2**32 - 1,),
        "fixed64": (2**64 - 1,),
        "sfixed32": (-1,),
        "sfixed64": (-(2**63),),
        "double": (1.5, -0.0, math.inf, math.nan),
        "float": (1.5, -math.inf),
    }
    for kind, values in limits.items():
        for value in values:
            one(
                f"{kind}_{str(value).replace('-', 'minus_').replace('.', '_')}",
                **{f"a_{kind}": value},
            )
    one("bool", a_bool=True)
    one("text", a_string="größe 🦈")
    one("bytes", a_bytes=b"\x00\xff")
    one("empty", "no member, no byte")
    one("packed_int32", many_int32=[0, 1, 127, 128, -1])
    one("packed_sint64", many_sint64=[0, -1, 1, -(2**63)])
    one("packed_fixed32", many_fixed32=[0, 1, 2**32 - 1])
    one("packed_double", many_double=[0.0, 1.5])
    one("packed_bool", many_bool=[True, False])
    one("unpacked_int32", "one tag per item", unpacked_int32=[1, 300, -1])
    one("repeated_text", many_string=["a", "", "b"])
    one("repeated_bytes", many_bytes=[b"", b"\x01"])
    one("enum", color=1)
    one("enum_unknown", "open enums keep a number without a name", color=77)
    one("child", child={"a_int32": 5, "child": {"a_string": "deep"}})
    one("child_empty", "length 0, but present", child={})
    one("children", children=[{"a_int32": 1}, {}, {"a_int32": 3}])
    one("map_text", text={"a": "1", "b": "2"})
    one("map_default_key_and_value", text={"": ""})
    one("map_zigzag", "the order is the encoder's own", numbers={-1: -2, 3: 4, 0: 0})
    one("oneof_text", one_text="x")
    one("oneof_number_zero", "a set member of a oneof is written even when zero", one_number=0)
    one("last_field_number", last_number=True)
    everything = every(
        a_int32=1,
        a_string="x",
        many_int32=[1, 2],
        child={"a_bool": True},
        a_fixed32=7,
        a_double=1.5,
        text={"k": "v"},
    ).SerializeToString(deterministic=True)
    emit(
        "protobuf/unknown",
        "kept",
        PROTOBUF,
        everything,
        {
            "unknown": [
                {"number": 1, "wire_type": 1, "value": struct.pack("<d", 1.5).hex()},
                {"number": 5, "wire_type": 0, "value": 1},
                {"number": 7, "wire_type": 5, "value": struct.pack("<I", 7).hex()},
                {"number": 9, "wire_type": 2, "value": b"x".hex()},
                {"number": 21, "wire_type": 2, "value": "0102"},
                {"number": 31, "wire_type": 2, "value": "4001"},
                {"number": 40, "wire_type": 2, "value": "0a016b120176"},
            ]
        },
        bare=True,
        note="read with a message that declares none of these fields",
    )


if __name__ == "__main__":
    cbor()
    messagepack()
    json_values()
    protobuf()
