"""Conditions about payloads of NATS that no expression can say."""

from collections.abc import Mapping
from typing import Any

from streamshark.findings.announced_content import differs

Values = Mapping[str, Any]


def is_not_announced(row: Values) -> str:
    """Return what a payload is not, although its headers announce it."""
    names = {each["key"].lower(): each["value"] for each in row["headers"] or ()}
    return differs(names.get("content-type"), names.get("content-encoding"), row["payload"] or b"")
