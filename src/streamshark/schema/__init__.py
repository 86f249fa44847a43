"""The closed vocabulary that frames are written in, on top of construct, and what reads it.

Frame files import their words from here and nothing else. `walk` turns a schema into plain nodes;
every reader but the reference reads those.
"""

from streamshark.schema.blobs import REST, UUID, Blob, Literal, Slot, raw, text
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
from streamshark.schema.frame import FrameSchema, Head, Kind, LineHead, Numbering, Side
from streamshark.schema.jsonlines import JsonLine, member
from streamshark.schema.lines import Headers, Line, decimal, quoted, remainder, token, tokens
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
from streamshark.schema.problems import Code, Problem
from streamshark.schema.protobuf import Message, ProtoField, proto
from streamshark.schema.words import Member, Word, field

__all__ = [
    "I8", "I16", "I32", "I64", "REST", "U8", "U16", "U24", "U32", "U64", "UUID",
    "Bits", "Blob", "Code", "Either", "Expression", "Fits", "FrameSchema", "Head", "Headers", "Int",
    "JsonLine", "Kind", "Line", "LineHead", "Literal", "Many", "Member", "Message", "Numbering",
    "Problem", "ProtoField", "Record", "Region", "Side", "Slot", "Switch", "Tail", "When", "Word",
    "any_of", "crc32", "crc32c", "decimal", "field", "len_", "member", "part", "proto", "quoted",
    "raw", "remainder", "reserved", "sum_", "text", "this", "token", "tokens",
]  # fmt: skip
