"""Which messages the consumers of a stream want, and configurations that contradict themselves.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from streamshark.light_dataclass import record
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
_UNACKED: Final = "max_deliver is %d, but ack_policy is none: no message is delivered again"
FOR_PLUGINS: Final[Mapping[str, object]] = {
    "default_ack_wait": DEFAULT_ACK_WAIT, "discards": _DISCARDS, "idle": _IDLE,
    "unacked": _UNACKED,
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
    every: tuple[Contradiction, ...] = (
        STREAM_CONTRADICTIONS if ".STREAM." in str(row["subject"]) else ()
    )
    members = body
    if isinstance(config, dict):
        every, members = CONSUMER_CONTRADICTIONS, config
    return next((each.text(members) for each in every if each.holds(members)), "")


@record
class Contradiction:
    """Members of a configuration of which one has no effect, or ends what the other allows."""

    holds: Callable[[Values], bool]
    text: Callable[[Values], str]


def _number(config: Values, name: str) -> int:
    value = config.get(name)
    return value if isinstance(value, int) else 0


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e9:g} s"


def _time(config: Values, name: str) -> str:
    return _seconds(_number(config, name))


def _pause(config: Values) -> int | None:
    """Return the first pause of `backoff`."""
    pauses = config.get("backoff")
    first = pauses[0] if isinstance(pauses, list) and pauses else None
    return first if isinstance(first, int) else None


def _limits_subjects_alone(config: Values) -> bool:
    limits = ("max_msgs", "max_bytes")
    return (
        config.get("discard") == "new"
        and _number(config, "max_msgs_per_subject") > 0
        and config.get("discard_new_per_subject") is not True
        and not any(_number(config, each) > 0 for each in limits)
        and not str(config.get("name")).startswith("KV_")
    )


def _replaces_ack_wait(config: Values) -> bool:
    first, wait = _pause(config), _number(config, "ack_wait")
    return first is not None and first < wait != DEFAULT_ACK_WAIT


def _ends_before_ack_wait(config: Values) -> bool:
    idle = _number(config, "inactive_threshold")
    return 0 < idle < _number(config, "ack_wait") and config.get("ack_policy") == "explicit"


STREAM_CONTRADICTIONS: Final = (Contradiction(_limits_subjects_alone, lambda _: _DISCARDS),)
CONSUMER_CONTRADICTIONS: Final = (
    Contradiction(
        _replaces_ack_wait,
        lambda config: (
            f"backoff replaces ack_wait: {_seconds(_pause(config) or 0)} instead of "
            f"{_time(config, 'ack_wait')}"
        ),
    ),
    Contradiction(
        _ends_before_ack_wait,
        lambda config: _IDLE % (_time(config, "inactive_threshold"), _time(config, "ack_wait")),
    ),
    Contradiction(
        lambda config: config.get("ack_policy") == "none" and _number(config, "max_deliver") > 1,
        lambda config: _UNACKED % config["max_deliver"],
    ),
)
