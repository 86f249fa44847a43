"""Packets to ordered segments, gaps and connection events."""
