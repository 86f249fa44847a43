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
    header, claims = part_of(found[1].decode()), part_of(found[2].decode())
    if header is None or claims is None:
        return ""
    if str(header.get("alg", "")).lower() == "none":
        return "is not signed (alg none)"
    return _not_valid(claims.get("exp"), claims.get("nbf"), now // _SECOND)


def expiry(data: bytes, now: int) -> str:
    """Return when the first token in data expired, if it has expired at a time in ns."""
    found = TOKEN.search(data) if b"eyJ" in data else None
    claims = None if found is None else part_of(found[2].decode())
    expires = None if claims is None else claims.get("exp")
    if not isinstance(expires, (int, float)) or isinstance(expires, bool):
        return ""
    return _when(expires) if 0 < expires * _SECOND <= now else ""


def _not_valid(expires: object, begins: object, now: int) -> str:
    """Return why a time in seconds is not between two others."""
    if isinstance(expires, (int, float)) and not isinstance(expires, bool):
        if expires > _LATEST:
            return "expires at a time that is not in seconds (exp)"
        if expires + _SKEW < now:
            return f"expired at {_when(expires)}"
    if isinstance(begins, (int, float)) and now + _SKEW < begins < _LATEST:
        return f"is not valid before {_when(begins)}"
    return ""


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(max(0, seconds), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def part_of(text: str) -> dict[str, Any] | None:
    """Return the JSON object of a part of a token; None if it is no such part."""
    try:
        value = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return value if isinstance(value, dict) else None
