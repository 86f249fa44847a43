"""Bytes to packets: capture files and, later, live sources."""
