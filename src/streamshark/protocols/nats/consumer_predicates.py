"""Which subjects of a stream the filter of a consumer can meet."""

import json
from collections.abc import Mapping
from typing import Any, Final

Values = Mapping[str, Any]

LONGEST_READ: Final = 64 * 1024
"""Bytes of a request that are read."""


def is_outside(row: Values) -> str:
    """Return the first filter of a consumer that no subject of its stream can match."""
    subjects = _list(f"[{row['catalogue.subjects'] or ''}]")
    payload = row["payload"] or b""
    body = _parsed(payload) if len(payload) <= LONGEST_READ else None
    config = body.get("config") if isinstance(body, dict) else None
    if not subjects or not isinstance(config, dict):
        return ""
    filters = [config.get("filter_subject"), *(_texts(config.get("filter_subjects")))]
    wanted = [each for each in filters if isinstance(each, str) and each]
    return next((e for e in wanted if not any(overlap(e, other) for other in subjects)), "")


def overlap(one: str, other: str) -> bool:
    """Return whether some subject matches both patterns.

    >>> overlap("orders.*", "*.new"), overlap("orders.>", "order.>"), overlap("a.>", "a")
    (True, False, False)
    """
    left, right = one.split("."), other.split(".")
    for at, (mine, its) in enumerate(zip(left, right, strict=False)):
        if mine == ">" or its == ">":
            return at < len(left) and at < len(right)
        if mine != its and "*" not in (mine, its):
            return False
    return len(left) == len(right)


def _list(text: str) -> list[str]:
    return _texts(_parsed(text))


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - any value
    return [e for e in value if isinstance(e, str)] if isinstance(value, list) else []


def _parsed(text: str | bytes) -> Any:  # noqa: ANN401 - any value
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
