"""Conditions about payloads of NATS that no expression can say."""

from collections.abc import Mapping
from typing import Any

from streamshark.findings.announced_content import differs
from streamshark.findings.mistaken_text import mistaken_content, text_of_bytes
from streamshark.findings.web_tokens import token_fault

Values = Mapping[str, Any]


def is_not_announced(row: Values) -> str:
    """Return what a payload is not, although its headers announce it."""
    names = {each["key"].lower(): each["value"] for each in row["headers"] or ()}
    return differs(names.get("content-type"), names.get("content-encoding"), row["payload"] or b"")


def is_mistaken(row: Values) -> str:
    """Return what a payload is that was converted wrongly."""
    return mistaken_content(bytes(row["payload"] or b""))


def is_text_of_bytes(row: Values) -> str:
    """Return what a payload is that was written as text, though it need not be."""
    return text_of_bytes(bytes(row["payload"] or b""))


def has_invalid_token(row: Values) -> str:
    """Return why a token in CONNECT is not valid at its time."""
    tokens = (row["jwt"], row["auth_token"])
    faults = (token_fault(str(each).encode(), row["t"]) for each in tokens if each)
    return next(filter(None, faults), "")
