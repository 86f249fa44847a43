"""Conditions about subjects of NATS that no expression can say."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

Values = Mapping[str, Any]

_LEAST: Final = 2
"""Tokens that two subjects of different lengths have in common at least."""


def is_nearly_published(row: Values) -> str:
    """Return a published subject that a subscription does not match, though only just.

    They differ in upper and lower case, or the pattern has a token more or less than the subject.
    Empty if one of the published subjects matches.
    """
    pattern: str = row["sub.subject"] or ""
    subjects: Iterable[str] = row["network.subjects"] or ()
    near = ""
    for subject in subjects:
        if _matches(pattern, subject):
            return ""
        if not near and _is_near(pattern, subject):
            near = subject
    return near


def _matches(pattern: str, subject: str) -> bool:
    """Return whether a subject matches a pattern with `*` and `>`."""
    wanted, tokens = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        wanted, tokens = wanted[:-1], tokens[: len(wanted) - 1]
        if len(subject.split(".")) <= len(wanted):
            return False
    return len(wanted) == len(tokens) and all(
        one in ("*", other) for one, other in zip(wanted, tokens, strict=True)
    )


def _is_near(pattern: str, subject: str) -> bool:
    """Return whether they differ in case only, or by one token at the end."""
    if _matches(pattern.lower(), subject.lower()):
        return True
    wanted, tokens = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        return ".".join(wanted[:-1]) == subject
    shorter = min(len(wanted), len(tokens))
    literal = sum(one == other for one, other in zip(wanted, tokens, strict=False))
    return (
        abs(len(wanted) - len(tokens)) == 1
        and (literal >= _LEAST or ("*" in wanted and literal >= 1))
        and all(one in ("*", other) for one, other in zip(wanted[:shorter], tokens, strict=False))
    )
