"""The reference decoder and encoder: construct's own interpreter over the words themselves.

Slow and obvious. It is what every other reader is compared with, and the encoder for whatever has
to be written: tests, mocks, the proxy's rewrites. Strict: the first problem raises `DecodingError`.
"""

import io
from typing import Any

from streamshark.schema.construct_import import construct
from streamshark.schema.frame import FrameSchema, Head
from streamshark.schema.problems import ProblemCode
from streamshark.schema.words import (
    DecodingError,
    Member,
    ParsedValue,
    Values,
    Window,
    fill,
    read_all,
    write_all,
)


def parse(
    schema: FrameSchema, head: object, data: bytes, *, keeps: bool = False
) -> tuple[Values, list[ParsedValue]]:
    """Read one whole frame, head members included.

    Returns the values and every named leaf with its byte range, in the order of reading. With
    `keeps`, `build` writes the values as they were spelt.
    Raises `DecodingError` at the first problem; bytes left at the end are
    `DecodingError(TRAILING)`.
    """
    return parse_members(_all(schema, head), data, keeps=keeps)


def parse_members(
    members: tuple[Member, ...], data: bytes, *, keeps: bool = False
) -> tuple[Values, list[ParsedValue]]:
    """Read members that take up all of `data`; with `keeps` values have their `SPELLING`."""
    stream = Window(data, keeps=keeps)
    out: Values = {}
    read_all(members, stream, construct.Container(), "", out)
    if stream.left:
        raise DecodingError(ProblemCode.TRAILING, stream.at, "")
    return out, stream.found


def build(schema: FrameSchema, head: object, values: Values, trailing: bytes = b"") -> bytes:
    """Write one whole frame; the head's length and selectors are filled in when left out.

    `trailing` are bytes after the last member, which the head's length counts.

    Raises construct's errors for a value that is missing or does not fit.
    """
    values = dict(values)
    if isinstance(head, Head):
        _select(schema, head, values)
        if head.total is not None:
            body = build_members(_all(schema, head), {**_sizes(head), **values})
            fill(values, construct.Container(values), head.total, len(body) + len(trailing))
    return build_members(_all(schema, head), values) + trailing


def build_members(members: tuple[Member, ...], values: Values) -> bytes:
    """Write members one after the other."""
    stream = io.BytesIO()
    values = dict(values)
    write_all(members, values, stream, construct.Container(values), "")
    return stream.getvalue()


def _all(schema: FrameSchema, head: object) -> tuple[Member, ...]:
    return (*(head.members if isinstance(head, Head) else ()), *schema.body)


def _select(schema: FrameSchema, head: Head, values: Values) -> None:
    if head.key:
        values.setdefault(head.key, schema.key)
    if head.version is not None and schema.version is not None:
        values.setdefault(head.version, schema.version)
    if head.response is not None:
        values.setdefault(head.response, int(schema.response_bits[0]))


def _sizes(head: Head) -> dict[str, Any]:
    return dict.fromkeys(head.hidden, 0)
