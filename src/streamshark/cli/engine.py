"""Captures that tshark reads, if `--engine tshark` asks for it."""

from collections.abc import Mapping
from typing import Any

import click

from streamshark.capture.source import Source

_OWN_READERS = {"write": "-w", "jobs": "-j", "numbers": "--frame"}
"""Parameters of what reads captures by itself, and their options."""


def by_engine(source: str | Source, given: Mapping[str, Any]) -> str | Source:
    """Return a capture as the chosen engine reads it.

    Raises:
        CaptureError: tshark or pyshark is not installed, or cannot read it.
    """
    if given.get("engine") is None:
        return source
    from streamshark.capture.tshark_engine import TsharkEngine  # noqa: PLC0415 - few need it

    return TsharkEngine(source, given["preferences"])


def check_engine(given: Mapping[str, Any]) -> None:
    """Raise a usage error for options that do not go with `--engine`."""
    if given.get("engine") is None:
        return
    for parameter, option in _OWN_READERS.items():
        if given.get(parameter) and given[parameter] != 1:
            raise click.UsageError(f"--engine tshark does not go with {option}")
