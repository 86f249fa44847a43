"""Conditions about subjects of NATS that no expression can say."""

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any, Final

from streamshark.conversations.expression_functions import f_matching, f_program
from streamshark.findings.mistaken_text import mistaken_name
from streamshark.findings.near_names import distance, plain
from streamshark.protocols.nats.consumer_predicates import texts
from streamshark.protocols.nats.jetstream_members import object_of

Values = Mapping[str, Any]

_LEAST: Final = 2
"""Tokens that two subjects of different lengths have in common at least."""
_LONG: Final = 5
"""Characters of a token from which on a letter more or less is a typing error."""
_COMMON: Final = 3
"""Characters that two names have in common at least, at their beginning."""


def matches_published(row: Values) -> str:
    """Return a subject with messages that the wildcards of a subscription match."""
    published = row["network.subjects"] or ()
    return next((each for each in published if f_matching(each, row["subject"])), "")


def is_heard_by_none(row: Values) -> str:
    """Return the subject of a subscription, if no wildcard of another one matches it."""
    wide = row["listeners.wide"] or ()
    subject: str = row["subject"] or ""
    return "" if any(f_matching(subject, each) for each in wide) else subject


def stores_published(row: Values) -> str:
    """Return a subject with messages that a stream stores, according to the server's answer."""
    config = (object_of(row["payload"]) or {}).get("config")
    patterns = texts(config.get("subjects")) if isinstance(config, dict) else []
    published = row["network.subjects"] or ()
    return next((e for e in published if any(f_matching(e, each) for each in patterns)), "")


def is_nearly_published(row: Values) -> str:
    """Return a published subject that a subscription does not match, though only just.

    They differ in upper and lower case, in separators or in a letter, or a pattern has a token more
    or less than the subject.
    Empty if one of the published subjects matches.
    """
    return _near(row, _is_near)


def is_related_to_published(row: Values) -> str:
    """Return a published subject with one token more or less than a subscription without wildcards.

    Empty if one of the published subjects matches, or is nearer.
    """
    return "" if is_nearly_published(row) else _near(row, _is_related)


def is_filter_nearly_published(row: Values) -> str:
    """Return a published subject that the filter of a consumer does not match, though only just."""
    return _near({**row, "sub.subject": row["conn.filter"]}, _is_near)


def has_wildcard_in_token(row: Values) -> str:
    """Return the token of a subject that has a wildcard beside other characters, or `>` too early.

    `*` and `>` are wildcards only as whole tokens, `>` only as the last one.
    """
    tokens = (row["subject"] or "").split(".")
    for each in tokens:
        if len(each) > 1 and ("*" in each or ">" in each):
            return f"the token {each}"
    return "'>' before its end" if ">" in tokens[:-1] else ""


def has_wildcard_in_pattern(row: Values) -> str:
    """Return the first pattern of a request to JetStream that has a wildcard inside a token.

    The patterns are the filters of a consumer, the subjects of a stream, and the filters of its
    sources and of its mirror.
    """
    for each in _patterns(object_of(row["payload"]) or {}):
        if found := has_wildcard_in_token({"subject": each}):
            return f"{each}, in which {found} is no wildcard"
    return ""


def is_mistaken_subject(row: Values) -> str:
    """Return what a subject has, or its queue group, that no program would choose."""
    subject: str = row["subject"] or ""
    for each in (row.get("queue_group"), subject, *subject.split(".")):
        if found := mistaken_name(each):
            return f"{each}, {found}"
    return ""


def are_alike(row: Values) -> str:
    """Return the second of two names, if they differ in case, a typing error or a number only."""
    one, other = row["queue_group"] or "", row["queue.latest"] or ""
    if one.lower() == other.lower() or f_program(one) == f_program(other):
        return other
    is_long = one[:_COMMON] == other[:_COMMON] and min(len(one), len(other)) > _COMMON
    return other if is_long and distance(one, other) <= 1 else ""


def _patterns(body: Mapping[str, Any]) -> Iterable[str]:
    """Yield the patterns of subjects in the body of a request for a stream or a consumer."""
    config = body.get("config")
    config = config if isinstance(config, dict) else body
    sources = config.get("sources")
    parts = [config, config.get("mirror"), *(sources if isinstance(sources, list) else [])]
    for part in parts:
        if isinstance(part, dict):
            yield from _texts(part.get("filter_subject"))
            for name in ("filter_subjects", "subjects"):
                several = part.get(name)
                yield from _texts(*(several if isinstance(several, list) else []))


def _texts(*values: object) -> Iterable[str]:
    return (each for each in values if isinstance(each, str))


def _near(row: Values, is_near: Callable[[str, str], bool]) -> str:
    """Return a published subject that is near to a subscription; empty if one matches."""
    pattern: str = row["sub.subject"] or ""
    subjects: Iterable[str] = row["network.subjects"] or ()
    near = ""
    for subject in subjects:
        if _matches(pattern, subject):
            return ""
        if not near and is_near(pattern, subject):
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
    """Return whether they differ in case only, or a pattern by one token at the end."""
    if _matches(pattern.lower(), subject.lower()) or _is_typo(_filled(pattern, subject), subject):
        return True
    wanted = pattern.split(".")
    if wanted[-1] == ">":
        return ".".join(wanted[:-1]) == subject
    return "*" in wanted and _is_longer_or_shorter(wanted, subject.split("."), 1)


def _filled(pattern: str, subject: str) -> str:
    """Return a pattern with the tokens of a subject in place of its wildcards."""
    wanted, had = pattern.split("."), subject.split(".")
    if wanted[-1] == ">" and len(had) >= len(wanted):
        wanted = [*wanted[:-1], *had[len(wanted) - 1 :]]
    pairs = zip_longest(wanted, had[: len(wanted)], fillvalue="")
    return ".".join(mine if each == "*" else each for each, mine in pairs)


def _is_typo(one: str, other: str) -> bool:
    """Return whether subjects differ in separators, or in a letter of one long token.

    The letter is left out, added, or swapped with its neighbour: other letters make other words.
    """
    if plain(one) == plain(other):
        return True
    mine, its = one.split("."), other.split(".")
    pairs = [(a, b) for a, b in zip(mine, its, strict=False) if a != b]
    if len(mine) != len(its) or len(pairs) != 1 or min(map(len, pairs[0])) < _LONG:
        return False
    left, right = pairs[0]
    if any(map(str.isdigit, left + right)):
        return False
    if len(left) == len(right):
        return sorted(left) == sorted(right) and distance(left, right, swaps=True) == 1
    return distance(left, right) == 1


def _is_related(pattern: str, subject: str) -> bool:
    """Return whether a subject without wildcards differs by one token at the end."""
    wanted = pattern.split(".")
    is_literal = "*" not in wanted and wanted[-1] != ">"
    return is_literal and _is_longer_or_shorter(wanted, subject.split("."), _LEAST)


def _is_longer_or_shorter(wanted: list[str], tokens: list[str], least: int) -> bool:
    """Return whether one has a token more at the end; `least` others are equal in both."""
    literal = sum(one == other for one, other in zip(wanted, tokens, strict=False))
    return (
        abs(len(wanted) - len(tokens)) == 1
        and literal >= least
        and all(one in ("*", other) for one, other in zip(wanted, tokens, strict=False))
    )
