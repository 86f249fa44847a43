"""Detect the format of a source by its first bytes, never by its name."""

import os
from typing import BinaryIO

from streamshark.capture import gunzip, pcap, pcapng
from streamshark.capture.capture import Capture
from streamshark.capture.gunzip import Gunzip
from streamshark.capture.pcap import PcapCapture
from streamshark.capture.pcapng import PcapngCapture
from streamshark.capture.source import (
    CaptureError,
    Prefixed,
    Source,
    SourceOfFiles,
    open_source,
)
from streamshark.capture.unsupported_formats import describe
from streamshark.capture.zstd_lz4 import Unblocked, format_of

_FIRST_READ = 1 << 16
"""Bytes of the first read: all of most small captures."""
_MAGIC = 4
_ENOUGH = 1024
"""Bytes in which an unsupported format is recognised."""


def open_capture(source: str | os.PathLike[str] | BinaryIO | Source, file: int = 0) -> Capture:
    """Open a pcap or pcapng capture, compressed (gzip, zstd, lz4) or not.

    Args:
        source: A path, `-` for standard input, a binary stream open for reading (which stays the
            caller's to close), or a source.
        file: Index of the file in the session; it is part of every batch.

    Raises:
        CaptureError: There is no such file, it cannot be read, it is empty, or it is not a capture.
            Damage after the header does not raise: it sets `Capture.damage`.
    """
    opened, name = open_source(source)
    try:
        return _recognise(opened, "standard input" if name == "-" else name, file)
    except CaptureError:
        opened.close()
        raise


def _recognise(source: Source, name: str, file: int) -> Capture:
    head = _first_bytes(source, _MAGIC)
    if not head:
        raise CaptureError(f"{name}: {source.damage or 'is empty'}")
    compression = "gzip" if head.startswith(gunzip.MAGIC) else format_of(head)
    if compression:
        packed = Prefixed(head, source)
        source = Gunzip(packed) if compression == "gzip" else Unblocked(packed, compression)
        head = _first_bytes(source, _MAGIC)
        if not head:
            raise CaptureError(f"{name}: {compression}, but {source.damage or 'empty inside'}")
    if head.startswith(pcapng.MAGIC):
        return PcapngCapture(source, name, file, compression, head)
    if len(head) >= _MAGIC and pcap.byte_order(head):
        return PcapCapture(source, name, file, compression, head)
    if len(head) < _ENOUGH and not isinstance(source, SourceOfFiles):  # which would be waited for
        head += _first_bytes(source, _ENOUGH)
    kind = describe(head)
    inside = f"{compression}, but not a capture inside" if compression else "not a capture"
    looks = f"looks like {kind}" if kind else f"its first bytes are {head[:8].hex(' ')}"
    raise CaptureError(f"{name}: {inside} (pcap or pcapng): {looks}")


def _first_bytes(source: Source, least: int) -> bytes:
    """Return at least `least` bytes if there are as many; at most one read more."""
    head = b""
    while len(head) < least:
        part = source.read(_FIRST_READ)
        if not part:
            break
        head += part
    return head
