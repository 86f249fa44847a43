"""A marker in place of secrets, and the forms in which outputs might show it."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote_from_bytes

MARKER: Final = "Zq7Wx9Kp3Vt5Yj"
TOKEN: Final = MARKER.encode()
PIECE: Final = 6
"""Characters of the marker that identify it."""


def forms(secret: bytes, piece: int = PIECE) -> Iterator[str]:
    """Yield pieces of a secret as text, in hex, base64, percent-encoded, in UTF-16."""
    for at in range(len(secret) - piece + 1):
        part = secret[at : at + piece]
        wide = part.decode("latin-1").encode("utf-16-le")
        yield part.decode("latin-1")
        for each in (part, wide, wide[1:]):
            yield from (each.hex(), each.hex(" "), each.hex(":"), each.hex().upper())
        yield from ("\\x00".join(part.decode("latin-1")), ".".join(part.decode("latin-1")))
        yield "".join(f"%{byte:02x}" for byte in part)
        yield "".join(f"\\x{byte:02x}" for byte in part)
        yield quote_from_bytes(part, safe="")
        for pad in range(3):  # the characters that the bytes around have no part in
            first, last = -(-pad * 8 // 6), (pad + piece) * 8 // 6
            yield b64encode(bytes(pad) + part + bytes(3)).decode()[first:last]


FORMS: Final = frozenset(forms(TOKEN))


def found(text: str, wanted: Iterable[str] = FORMS) -> str | None:
    """Return the first of some pieces that is in a text."""
    return next((each for each in wanted if each in text), None)
