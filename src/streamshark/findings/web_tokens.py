"""JSON Web Tokens in credentials: whether they are valid at the time of a packet."""

import base64
import binascii
import json
import re
from datetime import UTC, datetime
from typing import Any, Final

TOKEN: Final = re.compile(rb"(eyJ[\w-]{6,8192})\.(eyJ[\w-]{2,16384})\.([\w-]*)")
_SECOND: Final = 1_000_000_000
_SKEW: Final = 60
"""Seconds by which clocks may differ."""
_LATEST: Final = 100_000_000_000
"""Greatest time in seconds; what is above it counts milliseconds or less."""


def token_fault(data: bytes, now: int) -> str:
    """Return why the first token in data is not valid at a time in ns; nothing of its content.

    The text follows "the token".
    """
    found = TOKEN.search(data) if b"eyJ" in data else None
    if found is None:
        return ""
    header, claims = _part(found[1]), _part(found[2])
    if header is None or claims is None:
        return ""
    if str(header.get("alg", "")).lower() == "none":
        return "is not signed (alg none)"
    seconds = now // _SECOND
    expires, begins = claims.get("exp"), claims.get("nbf")
    if _is_number(expires) and expires > _LATEST:
        return "expires at a time that is not in seconds (exp)"
    if _is_number(expires) and expires + _SKEW < seconds:
        return f"expired at {_when(expires)}"
    if _is_number(begins) and seconds + _SKEW < begins < _LATEST:
        return f"is not valid before {_when(begins)}"
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(max(0, seconds), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _part(text: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a part of a token."""
    try:
        value = json.loads(base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return value if isinstance(value, dict) else None
