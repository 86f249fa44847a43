"""Bytes to packets: capture files and, later, live sources."""

from streamshark.capture.capture import (
    Block,
    Capture,
    Comment,
    Interface,
    Secrets,
    Statistics,
)
from streamshark.capture.opening import open_capture
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import CaptureError

__all__ = [
    "Block",
    "Capture",
    "CaptureError",
    "Comment",
    "Interface",
    "PacketBatch",
    "Secrets",
    "Statistics",
    "open_capture",
]
