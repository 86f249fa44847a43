"""The closed vocabulary that frames are written in, on top of construct, and what reads it.

Frame files import their words from here and nothing else. `walk` turns a schema into plain nodes;
every reader but the reference reads those.
"""

from streamshark.schema.bytes_and_text import REST, UUID, Blob, Limit, Literal, Slot, raw, text
from streamshark.schema.composites import (
    Either,
    Fits,
    Many,
    Record,
    Region,
    Switch,
    Tail,
    When,
    crc32,
    crc32c,
)
from streamshark.schema.expressions import Expression, any_of, len_, sum_, this
from streamshark.schema.frame import FrameKind, FrameSchema, Head, LineHead, Numbering, Sender
from streamshark.schema.json_lines import JsonLine, member
from streamshark.schema.numbers import (
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U24,
    U32,
    U64,
    Bits,
    Int,
    part,
    reserved,
)
from streamshark.schema.problems import Problem, ProblemCode
from streamshark.schema.protobuf import ProtoField, ProtoMessage, proto
from streamshark.schema.text_lines import (
    Headers,
    TextLine,
    decimal,
    quoted,
    remainder,
    token,
    tokens,
)
from streamshark.schema.words import Member, Word, field

__all__ = [
    "I8",
    "I16",
    "I32",
    "I64",
    "REST",
    "U8",
    "U16",
    "U24",
    "U32",
    "U64",
    "UUID",
    "Bits",
    "Blob",
    "Either",
    "Expression",
    "Fits",
    "FrameKind",
    "FrameSchema",
    "Head",
    "Headers",
    "Int",
    "JsonLine",
    "Limit",
    "LineHead",
    "Literal",
    "Many",
    "Member",
    "Numbering",
    "Problem",
    "ProblemCode",
    "ProtoField",
    "ProtoMessage",
    "Record",
    "Region",
    "Sender",
    "Slot",
    "Switch",
    "Tail",
    "TextLine",
    "When",
    "Word",
    "any_of",
    "crc32",
    "crc32c",
    "decimal",
    "field",
    "len_",
    "member",
    "part",
    "proto",
    "quoted",
    "raw",
    "remainder",
    "reserved",
    "sum_",
    "text",
    "this",
    "token",
    "tokens",
]  # fmt: skip
