"""Captures read in parts: ranges of files, and partitions of connections, joined exactly."""
