"""Which messages the consumers of a stream want, and configurations that contradict themselves.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.protocols.nats.consumer_predicates import overlap
from streamshark.protocols.nats.jetstream_members import object_of

Values = Mapping[str, Any]

DEFAULT_ACK_WAIT: Final = 30_000_000_000
"""What libraries write into a configuration that does not state ack_wait."""

_DISCARDS: Final = (
    "discard is new, but the only limit is max_msgs_per_subject, which replaces the oldest "
    "message of a subject unless discard_new_per_subject is true"
)
_IDLE: Final = (
    "inactive_threshold is %s, and ack_wait %s: a client that "
    "works for longer than the first without a pull request has no consumer any more"
)
FOR_PLUGINS: Final[Mapping[str, object]] = {
    "default_ack_wait": DEFAULT_ACK_WAIT, "discards": _DISCARDS, "idle": _IDLE,
}  # fmt: skip
"""What the predicates in Lua share with these."""


def is_unwanted(row: Values) -> str:
    """Return the filters of the consumers of a stream, if none of them matches a message."""
    filters = [
        part
        for each in row["origin.filters"] or ()
        for part in str(each).split('"')
        if part.strip(", ")
    ]
    subject = str(row["asked.subject"] or "")
    return "" if any(overlap(subject, each) for each in filters) else ", ".join(filters)


def contradicts_itself(row: Values) -> str:
    """Return what of the configuration of a stream or consumer has no effect beside the rest."""
    body = object_of(row["payload"]) or {}
    config = body.get("config")
    if isinstance(config, dict):
        return _of_consumer(config)
    return _of_stream(body) if ".STREAM." in str(row["subject"]) else ""


def _of_stream(config: Mapping[str, Any]) -> str:
    is_limited = _number(config, "max_msgs") > 0 or _number(config, "max_bytes") > 0
    if (
        config.get("discard") == "new"
        and _number(config, "max_msgs_per_subject") > 0
        and config.get("discard_new_per_subject") is not True
        and not is_limited
        and not str(config.get("name")).startswith("KV_")
    ):
        return _DISCARDS
    return ""


def _of_consumer(config: Mapping[str, Any]) -> str:
    wait, pauses = _number(config, "ack_wait"), config.get("backoff")
    first = pauses[0] if isinstance(pauses, list) and pauses else None
    if isinstance(first, int) and first < wait != DEFAULT_ACK_WAIT:
        return f"backoff replaces ack_wait: {_seconds(first)} instead of {_seconds(wait)}"
    idle = _number(config, "inactive_threshold")
    if 0 < idle < wait and config.get("ack_policy") == "explicit":
        return _IDLE % (_seconds(idle), _seconds(wait))
    return ""


def _number(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    return value if isinstance(value, int) else 0


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e9:g} s"
