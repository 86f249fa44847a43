"""Whether bytes are a JSON object or array, and which.

Being sure means having read them, so what was read last is kept for whoever asks next.
"""

import json
from functools import lru_cache
from typing import Any, Final, NoReturn

from streamshark.decoding.payloads import MAX_DEPTH, DecodedPayload
from streamshark.schema import Problem, ProblemCode
from streamshark.schema.json_lines import deeper_than

LONGEST: Final = 1024 * 1024
"""Bytes of the longest JSON that is read; its values take some fifty times as much memory."""
SURE: Final = 40
"""How sure it is of bytes that are JSON: surer than text is, less than a format with a mark."""
_OPENINGS: Final = {"{": "}", "[": "]"}


class _LossyError(ValueError):
    """Something that could not be shown again as it was."""


def decode(data: bytes) -> DecodedPayload:
    """Decode a value; never raise, whatever the bytes are."""
    found = _read(data)
    if found is None:
        return DecodedPayload(
            None, [Problem(ProblemCode.VALUE, -1, 0, len(data), "not a JSON object or array")]
        )
    return DecodedPayload(found[0], [])


def encode(value: object) -> bytes | None:
    """Return an object or array as JSON without blanks."""
    if not isinstance(value, dict | list):
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def sure(data: bytes) -> int:
    """How sure it is that the bytes are JSON; cheap for bytes that do not look so."""
    if data[:1] in b"{[ \t\r\n" and _read(data) is not None:
        return SURE
    return 0


@lru_cache(maxsize=1)
def _read(data: bytes) -> tuple[Any] | None:
    """Return the value in a tuple; None where there is none."""
    if len(data) > LONGEST:
        return None
    try:
        text = data.decode()
        start = text.lstrip(" \t\r\n")
        if _OPENINGS.get(start[:1]) != text.rstrip(" \t\r\n")[-1:]:
            return None
        value = json.loads(
            text, object_pairs_hook=_object, parse_float=_float, parse_constant=_constant
        )
    except (ValueError, RecursionError):
        return None
    return None if deeper_than(value, MAX_DEPTH) else (value,)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise _LossyError
    return out


def _float(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise _LossyError
    return value


def _constant(_name: str) -> NoReturn:
    raise _LossyError
