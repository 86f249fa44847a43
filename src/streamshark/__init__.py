"""Streamshark: Wireshark for streaming protocols."""

__version__ = "0.1.0"
