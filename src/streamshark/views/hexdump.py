"""Bytes as tshark's `-x` shows them, except for those of secrets."""

from collections.abc import Iterable

from streamshark.schema.secrets import SecretSpan

WIDTH = 16
"""Bytes per line."""
PRINTABLE = range(0x20, 0x7F)


def dump(data: bytes, hidden: Iterable[SecretSpan] = ()) -> str:
    """Return offset, hex and ASCII, 16 bytes a line; bytes of hidden spans are `**` and `*`."""
    pairs = [f"{byte:02x}" for byte in data]
    letters = [chr(byte) if byte in PRINTABLE else "." for byte in data]
    for start, end, _ in hidden:
        pairs[start:end] = ["**"] * (end - start)
        letters[start:end] = ["*"] * (end - start)
    return "".join(
        f"{at:04x}  {' '.join(pairs[at : at + WIDTH]):<47}   {''.join(letters[at : at + WIDTH])}\n"
        for at in range(0, len(data), WIDTH)
    )
