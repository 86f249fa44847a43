"""What is planted where a secret may stand, and how outputs might show it."""

import re
from base64 import b64encode
from typing import Final

MARKER: Final = "Zq7Wx9Kp3Vt5Yj"
PIECE: Final = 5
"""Characters of the marker that give it away."""


def forms() -> list[str]:
    """The marker's pieces as outputs might show them: as text, in hex, in base64."""
    out = []
    for at in range(len(MARKER) - PIECE + 1):
        piece = MARKER[at : at + PIECE].encode()
        out += [piece.decode(), piece.hex(), piece.hex(" ")]
        out.append(b64encode(piece).decode()[:6])
    return out


FORMS: Final = re.compile("|".join(map(re.escape, forms())))
