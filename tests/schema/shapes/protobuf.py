"""Protobuf: every scalar, packed and not, maps, nested messages to a depth, unknown fields."""

from streamshark.schema import ProtoMessage, Record, proto

_KINDS = {
    1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 6: "fixed64", 7: "fixed32",
    8: "bool", 9: "string", 10: "bytes", 11: "uint32", 12: "sfixed32", 13: "sfixed64",
    14: "sint32", 15: "sint64",
}  # fmt: skip
_MANY = {
    21: "int32", 22: "sint64", 23: "fixed32", 24: "double", 25: "bool", 26: "string", 27: "bytes",
}  # fmt: skip


def _scalars() -> dict[int, object]:
    one = {number: proto(f"a_{kind}", kind, "One.") for number, kind in _KINDS.items()}
    many = {
        number: proto(f"many_{kind}", kind, "Several.", repeated=True)
        for number, kind in _MANY.items()
    }
    return one | many


def _map(key: str, value: str) -> ProtoMessage:
    return ProtoMessage({1: proto("key", key, "Key."), 2: proto("value", value, "Value.")})


_LEAF = ProtoMessage(_scalars())  # type: ignore[arg-type]
_CHILD = ProtoMessage(
    {
        **_scalars(),  # type: ignore[dict-item]
        31: proto("child", "message", "Inside.", message=_LEAF),
        32: proto("children", "message", "Several inside.", message=_LEAF, repeated=True),
    }
)
MESSAGE = Record(
    ProtoMessage(
        {
            **_scalars(),  # type: ignore[dict-item]
            28: proto("unpacked_int32", "int32", "One tag per item.", repeated=True),
            30: proto("color", "enum", "A color.", names={0: "red", 1: "green"}),
            31: proto("child", "message", "Inside.", message=_CHILD),
            32: proto("children", "message", "Several.", message=_CHILD, repeated=True),
            40: proto("text", "map", "Texts.", message=_map("string", "string")),
            41: proto("numbers", "map", "Numbers.", message=_map("sint32", "sint64")),
            50: proto("one_text", "string", "Either this."),
            51: proto("one_number", "int32", "Or this."),
            536870911: proto("last_number", "bool", "The last number there is."),
        }
    )
)
UNKNOWN = Record(ProtoMessage({}))
EMBEDDED_RECORDS = {"message": MESSAGE, "unknown": UNKNOWN}
FRAMES = ()
HEADS: dict[str, object] = {}


def adapted(expect: object) -> object:
    """Give unknown fields our name."""
    if isinstance(expect, dict) and "unknown" in expect:
        return {"unknown_fields": expect["unknown"]}
    return expect


def canonical(_data: bytes) -> bool:
    """Return whether the order of fields and the packing are ours: not always."""
    return False
