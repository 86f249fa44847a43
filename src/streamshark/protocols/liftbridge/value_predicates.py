"""Conditions about the values of messages that no expression can say."""

from collections.abc import Mapping
from typing import Any

from streamshark.findings.announced_content import differs

Values = Mapping[str, Any]


def is_not_announced(row: Values) -> str:
    """Return what a value is not, although its headers announce it."""
    names = {
        str(each.get("key")).lower(): bytes(each.get("value") or b"").decode("utf-8", "replace")
        for each in row.get("fields.headers") or ()
    }
    return differs(
        names.get("content-type"), names.get("content-encoding"), row.get("value") or b""
    )
