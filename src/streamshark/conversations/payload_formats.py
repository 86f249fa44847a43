"""Formats of payloads, by their first bytes: for tables that compare messages."""

from typing import Final

FORMATS: Final = {
    "{": "JSON", "[": "JSON", "<": "XML", "\x1f\x8b": "gzip", "(\xb5/\xfd": "Zstandard",
    "\x08": "protobuf", "\n": "protobuf",
    **{chr(each): "MessagePack" for each in range(0x81, 0x90)},
    **{chr(each): "CBOR" for each in range(0xA1, 0xB0)},
}  # fmt: skip
"""First bytes, as characters, to the name of a format; a hint, not a proof."""
OTHER: Final = "another format"


def format_of(payload: str) -> str:
    """Return the expression of a payload's format; the tables need the constant `FORMATS`."""
    return f"coalesce(begins({payload}, FORMATS), '{OTHER}')"
