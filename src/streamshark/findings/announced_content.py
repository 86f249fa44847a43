"""Whether bytes are what the content type and encoding beside them announce.

For formats whose first bytes or syntax are certain: JSON, XML, gzip, Zstandard.
"""

import json
from typing import Final

from streamshark.findings.mistaken_text import wide_text

LONGEST_PARSED: Final = 64 * 1024
"""Most bytes that are parsed as JSON; of longer ones only the first byte is compared."""
_ENCODINGS: Final = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
"""Content encoding to the first bytes of the data."""
_BLANK: Final = b" \t\r\n\xef\xbb\xbf"
_JSON_STARTS: Final = b'{["-0123456789tfn'


def differs(content_type: str | None, encoding: str | None, data: bytes) -> str:
    """Return what bytes are not, although it is announced; empty if they are, or may be."""
    if not data:
        return ""
    coding = (encoding or "").strip().lower()
    if coding in _ENCODINGS:
        return "" if data.startswith(_ENCODINGS[coding]) else f"not compressed with {coding}"
    if coding not in ("", "identity", "utf-8", "utf8"):
        return ""
    kind = (content_type or "").partition(";")[0].strip().lower()
    is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    return (wide_text(data) if is_text else "") or _of_kind(kind, data)


def _of_kind(kind: str, data: bytes) -> str:
    """Return what bytes are not, by their content type."""
    if kind in ("application/json", "text/json") or kind.endswith("+json"):
        return "" if _is_json(data) else "not JSON"
    if kind in ("application/xml", "text/xml"):
        return "" if data.lstrip(_BLANK).startswith(b"<") else "not XML"
    return ""


def _is_json(data: bytes) -> bool:
    """Return whether bytes are JSON, as far as they are parsed."""
    text = data.lstrip(_BLANK)
    if text[:1] not in (_JSON_STARTS[at : at + 1] for at in range(len(_JSON_STARTS))):
        return False
    if len(data) > LONGEST_PARSED:
        return True
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
