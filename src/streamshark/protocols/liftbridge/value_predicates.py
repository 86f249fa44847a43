"""Conditions about the values of messages, and names of streams, that no expression can say."""

from collections.abc import Iterable, Mapping
from typing import Any

from streamshark.conversations.expression_functions import f_matching
from streamshark.findings.announced_content import differs
from streamshark.findings.mistaken_text import (
    first_mistaken_name,
    mistaken_content,
    text_of_bytes,
)
from streamshark.findings.near_names import is_misspelt, similar

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


def is_nearly_subscribed(row: Values) -> str:
    """Return an existing stream whose name is nearly that of a subscription."""
    return _near(row["sub.stream"], row["catalogue.names"])


def is_nearly_published(row: Values) -> str:
    """Return an existing stream whose name is nearly the one that a message names."""
    return _near(row["stream"], row["catalogue.names"])


def misses_first_partition(row: Values) -> str:
    """Return the subject of a stream that matches all partitions of another one but the first.

    The first partition has the subject of its stream, the others have a token more. Empty if some
    other stream is attached to the subject of the first.
    """
    own: str = row["log.subject"] or ""
    others = [each for each in row["catalogue.subjects"] or () if each != own]
    if any(f_matching(own, each) for each in others):
        return ""
    return next((each for each in others if f_matching(f"{own}.1", each)), "")


def is_mistaken(row: Values) -> str:
    """Return what a value is that was converted wrongly."""
    return mistaken_content(bytes(row["value"] or b""))


def is_text_of_bytes(row: Values) -> str:
    """Return what a value is that was written as text, though it need not be."""
    return text_of_bytes(bytes(row["value"] or b""))


def is_mistaken_name(row: Values) -> str:
    """Return a name of a request that no program would choose, and what it is."""
    return first_mistaken_name(row.values())


def _near(name: str | None, names: Iterable[str] | None) -> str:
    known = list(names or ())
    near = next((each for each in known if is_misspelt(name or "", each)), "")
    return near or similar(name or "", known)
