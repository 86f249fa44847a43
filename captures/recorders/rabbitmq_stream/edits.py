"""Captures cut from others."""

ALL: dict = {}


def make(name: str) -> None:
    """Not yet."""
