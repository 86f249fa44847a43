"""Bytes to packets: capture files and live streams."""

from streamshark.capture.capture import (
    Capture,
    Comment,
    Interface,
    InterfaceStatistics,
    OtherBlock,
    Secrets,
)
from streamshark.capture.detect_format import open_capture
from streamshark.capture.packet import PacketBatch
from streamshark.capture.source import CaptureError

__all__ = [
    "Capture",
    "CaptureError",
    "Comment",
    "Interface",
    "InterfaceStatistics",
    "OtherBlock",
    "PacketBatch",
    "Secrets",
    "open_capture",
]
