"""Subjects of the JetStream API that nearly are those of its requests, or of what exists."""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.findings.near_names import is_misspelt, nearest, similar
from streamshark.protocols.nats.jetstream import SUBJECTS

Values = Mapping[str, Any]

_WORDS: Final = tuple(
    tuple(each for each in pattern.split(".")[2:] if each not in ("*", ">"))
    for pattern in SUBJECTS
    if pattern.startswith("$JS.API.") and pattern.count(".") > 2  # noqa: PLR2004 - not of one word
)
"""The words of each request of the API."""
FOR_PLUGINS: Final[Mapping[str, object]] = {"requests": tuple(map(".".join, _WORDS))}
"""What the predicates in Lua share with these."""


def is_nearly_a_request(row: Values) -> str:
    """Return the request of the API that a subject nearly is, without what it is about."""
    api = (row["asked.subject"] or "").partition(".API.")[2]
    tokens = api.split(".")
    for words in _WORDS:
        if tokens[: len(words)] == list(words):
            return f"{'.'.join(words)} with another number of tokens"
    for words in _WORDS:
        if nearest(".".join(tokens[: len(words)]).upper(), (".".join(words),)):
            return ".".join(words)
    return ""


def is_nearly_known(row: Values) -> str:
    """Return an existing stream or consumer whose name is nearly the one that was not found."""
    wanted, kind = _named(row["asked.subject"])
    for each in row["names.subjects"] or ():
        name, other = _named(each)
        if kind != other or name == wanted:
            continue
        if is_misspelt(wanted, name) or similar(wanted, (name,)):
            return name
    return ""


def _named(subject: str | None) -> tuple[str, str]:
    """Return what a request is about, `stream` or `stream.consumer`, and which of the two."""
    kind, _, rest = (subject or "").partition(".API.")[2].partition(".")
    tokens = rest.split(".")
    if kind == "CONSUMER" and tokens[:1] == ["DURABLE"]:
        tokens = tokens[1:]
    return ".".join(tokens[1:3] if kind == "CONSUMER" else tokens[1:2]), kind
