"""Copies captures, as pcapng, with comments added to packets."""

import struct
from collections.abc import Iterator, Mapping, Sequence

from streamshark.capture.copying import PcapngCopier, SecretsCopied
from streamshark.capture.detect_format import open_capture
from streamshark.capture.pcapng import ENHANCED_PACKET, PACKET, Options, options_of
from streamshark.capture.pcapng_writer import option
from streamshark.capture.records import CaptureRecord, merged_records
from streamshark.capture.source import CaptureError

HEAD = 20
"""Bytes of a packet's block before the packet, without type and length."""
_SIZE_AT = 12
"""Offset of the captured size among them."""


def commented(
    captures: Sequence[str], comments: Mapping[tuple[int, int], Sequence[str]]
) -> Iterator[bytes]:
    """Yield the bytes of a pcapng with all packets of captures, and comments added to some.

    Args:
        captures: Paths; several are merged by time.
        comments: Number of a capture, 0-based, and of a packet in it, to its further comments.

    Raises:
        CaptureError: A capture cannot be read, or a packet cannot have a comment.
    """
    copier = PcapngCopier(SecretsCopied(), is_whole=True)
    opened = [open_capture(name, number) for number, name in enumerate(captures)]
    try:
        for record in merged_records(opened, None):
            added = comments.get((record.file, record.packet)) if record.packet else None
            yield copier.copy(_with(record, added) if added else record)
    finally:
        for each in opened:
            each.close()


def _with(record: CaptureRecord, comments: Sequence[str]) -> CaptureRecord:
    """Return the record of a packet with further comments, after its options.

    Raises:
        CaptureError: Its block has no options.
    """
    if record.kind not in {ENHANCED_PACKET, PACKET}:
        raise CaptureError(f"packet {record.packet} cannot have comments: its block has no options")
    order, body = record.order, record.body
    (size,) = struct.unpack_from(f"{order}I", body, _SIZE_AT)
    at = HEAD + size + (-size & 3)
    found = list(options_of(body, at, len(body), order))
    found += [(Options.COMMENT, each.encode()) for each in comments]
    options = b"".join(option(code, value, order) for code, value in found)
    return record._replace(body=body[:at] + options)
