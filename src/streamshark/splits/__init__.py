"""Captures read in parts: ranges of files, and shares of the connections, joined exactly."""
