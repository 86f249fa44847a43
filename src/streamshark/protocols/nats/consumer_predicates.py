"""Which subjects the filter of a consumer can meet, and what an update of a stream leaves out."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from streamshark.protocols.nats.jetstream_members import object_of

Values = Mapping[str, Any]

SETTINGS: Final = (
    "allow_direct", "mirror_direct", "allow_rollup_hdrs", "deny_delete", "deny_purge",
    "discard_new_per_subject", "allow_msg_ttl", "allow_atomic", "allow_msg_counter",
    "allow_msg_schedules", "no_ack",
)  # fmt: skip
"""Settings of a stream that are off where an update does not have them."""


LIMITS: Final[Mapping[str, Any]] = {
    "max_deliver": -1, "ack_wait": 30_000_000_000, "max_ack_pending": 1000, "backoff": None,
    "inactive_threshold": 5_000_000_000, "filter_subject": "", "filter_subjects": None,
    "rate_limit_bps": 0, "max_batch": 0, "max_expires": 0,
}  # fmt: skip
"""Members of a consumer to what they are where an update does not have them."""


INSTEAD: Final[Mapping[str, str]] = {
    "filter_subject": "filter_subjects", "filter_subjects": "filter_subject", "ack_wait": "backoff",
}  # fmt: skip
"""Members of a consumer to those which say the same in another way."""


SETTINGS_LOST: Final = 2
"""Settings of a consumer that show that its maker wants more than the defaults."""


SKEW: Final = 60
"""Seconds by which clocks may differ."""
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""The only form that the server reads (RFC 3339)."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def is_outside(row: Values) -> str:
    """Return the first filter of a consumer that no subject of its stream can match."""
    subjects = _list(f"[{row['catalogue.subjects'] or ''}]")
    config = (object_of(row["payload"]) or {}).get("config")
    if not subjects or not isinstance(config, dict):
        return ""
    filters = [config.get("filter_subject"), *(texts(config.get("filter_subjects")))]
    wanted = [each for each in filters if isinstance(each, str) and each]
    return next((e for e in wanted if not any(overlap(e, other) for other in subjects)), "")


def starts_later(row: Values) -> str:
    """Return the time at which a consumer is to start, if it is later than its request."""
    config = (object_of(row["payload"]) or {}).get("config")
    text = config.get("opt_start_time") if isinstance(config, dict) else None
    try:
        if not isinstance(text, str) or not _TIME.fullmatch(text):
            return ""
        start = datetime.fromisoformat(text)
    except ValueError:
        return ""
    later = (start - _EPOCH).total_seconds() - row["t"] / 1e9
    return text if later > SKEW else ""


def drops_setting(row: Values) -> str:
    """Return a setting that is on in a stream and that an update of it leaves out."""
    body, config = object_of(row["payload"]), row["catalogue.config"] or ""
    if body is None:
        return ""
    names = {str(each).lower() for each in body}
    return next((e for e in SETTINGS if f'"{e}":true' in config and e not in names), "")


def _configs(row: Values, described: str) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return the configuration in a request, and one that an earlier answer described."""
    wanted = (object_of(row["payload"]) or {}).get("config")
    known = _parsed("{" + (row[described] or "").rstrip().rstrip(",").rstrip())
    return wanted if isinstance(wanted, dict) else None, known if isinstance(known, dict) else None


def drops_limit(row: Values) -> str:
    """Return a member of a consumer that an update of it leaves out, and its value."""
    wanted, known = _configs(row, "described.config")
    if wanted is None or known is None:
        return ""
    names = {str(each).lower() for each in wanted}
    names |= {each for each, other in INSTEAD.items() if wanted.get(other)}
    kept = {each: known[each] for each in LIMITS if each in known and each not in names}
    lost = (name for name, value in kept.items() if value not in (LIMITS[name], None, "", []))
    return next((f"{name}, which is {json.dumps(known[name])[:60]}" for name in lost), "")


def forgets_settings(row: Values) -> str:
    """Return the settings of a former consumer, if a request to create it has none of them."""
    wanted, known = _configs(row, "described.former")
    if wanted is None or known is None:
        return ""
    defaults = {**LIMITS, "ack_policy": "none"}
    had = [e for e, usual in defaults.items() if known.get(e) not in (usual, None, "", [])]
    names = {str(each).lower() for each in wanted} & {*defaults}
    if names or len(had) < SETTINGS_LOST:
        return ""
    return ", ".join(f"{each} {json.dumps(known[each])[:40]}" for each in had[:4])


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
    return texts(_parsed(text))


def texts(value: Any) -> list[str]:  # noqa: ANN401 - any value
    """Return the texts in a list of JSON; none of another value."""
    return [e for e in value if isinstance(e, str)] if isinstance(value, list) else []


def _parsed(text: str) -> Any:  # noqa: ANN401 - any value
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
