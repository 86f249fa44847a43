"""Names of file formats that are not supported captures, for error messages.

Nothing here reads a format.
"""

import struct

_MAGICS = (
    (b"snoop\0\0\0", "a Solaris snoop capture; `editcap -F pcapng` converts it"),
    (b"GMBU", "a Microsoft Network Monitor 2 capture; `editcap -F pcapng` converts it"),
    (b"RTSS", "a Microsoft Network Monitor 1 capture; `editcap -F pcapng` converts it"),
    (b"XCP\0", "a NetXray or Sniffer capture; `editcap -F pcapng` converts it"),
    (b"TRSNIFF data", "a Sniffer capture; `editcap -F pcapng` converts it"),
    (b"btsnoop\0", "a Bluetooth snoop log"),
    (b"iptrace ", "an AIX iptrace capture; `editcap -F pcapng` converts it"),
    (b"\x02\x21\x4c\x18", "lz4-compressed in the legacy format; decompress it first (lz4 -d)"),
    (b"\xfd7zXZ\0", "xz-compressed; decompress it first (xz -d)"),
    (b"BZh", "bzip2-compressed; decompress it first (bzip2 -d)"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"),
    (b"\x7fELF", "a program (ELF)"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89PNG", "a PNG image"),
    (b"\x0d\x0a\x0d\x0a", "a pcapng capture damaged by a transfer in text mode"),
)

_ERF = struct.Struct("<Q").unpack_from
_ERF_SIZES = struct.Struct(">HxxH").unpack_from
_ERF_HEAD = 16
_ERF_TYPES = 48
_DAY = 86_400


def describe(head: bytes) -> str | None:
    """Return what bytes look like, to follow "looks like"; None if unknown.

    Args:
        head: The first bytes of the file, at least a few hundred if there are as many.
    """
    for magic, name in _MAGICS:
        if head.startswith(magic):
            return name
    if head[257:262] == b"ustar":
        return "a tar archive; unpack it first"
    if _is_text(head[:512]):
        return "text"
    if _is_erf(head):
        return "an Endace ERF capture; `editcap -F pcapng` converts it"
    return None


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode()
    return bool(text) and all(c.isprintable() or c in "\t\r\n\f\ufeff\x1b" for c in text)


def _is_erf(head: bytes) -> bool:
    """Return whether two ERF record headers follow each other, since ERF has no magic.

    Source: Endace, "ERF types reference": 8 bytes of time (little-endian, seconds in the upper
    half), type, flags, record length, loss counter, wire length.
    """
    if len(head) < _ERF_HEAD:
        return False
    (first,) = _ERF(head, 0)
    size, _ = _ERF_SIZES(head, 10)
    if not 0 < head[8] & 0x7F <= _ERF_TYPES or size <= _ERF_HEAD:
        return False
    if len(head) < size + _ERF_HEAD:
        return False
    (second,) = _ERF(head, size)
    next_size, _ = _ERF_SIZES(head, size + 10)
    if not 0 < head[size + 8] & 0x7F <= _ERF_TYPES or next_size <= _ERF_HEAD:
        return False
    seconds = int(second >> 32) - int(first >> 32)
    return abs(seconds) < _DAY
