"""What an answer repeats of the configuration in its request.

The predicate takes the columns that its rule names; the text that it returns is what it found, and
is empty if the condition does not hold.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.protocols.nats.jetstream_members import object_of

Values = Mapping[str, Any]

_REPEATED: Final = (
    "name", "retention", "max_consumers", "max_msgs", "max_bytes", "max_age",
    "max_msgs_per_subject", "max_msg_size", "discard", "storage", "num_replicas", "no_ack",
    "compression", "first_seq", "allow_direct", "mirror_direct", "discard_new_per_subject",
    "deny_delete", "deny_purge", "allow_rollup_hdrs", "allow_msg_ttl", "allow_msg_counter",
    "allow_atomic", "allow_msg_schedules", "durable_name", "deliver_policy", "opt_start_seq",
    "ack_policy", "max_deliver", "filter_subject", "replay_policy", "headers_only", "max_batch",
    "deliver_subject", "deliver_group", "flow_control", "idle_heartbeat", "inactive_threshold",
    "mem_storage",
)  # fmt: skip
"""Members that a server repeats as they are, if they are neither empty nor a number below one."""
FOR_PLUGINS: Final[Mapping[str, object]] = {"repeated": list(_REPEATED)}
"""What the predicate in Lua shares with this one."""


def is_configured_otherwise(row: Values) -> str:
    """Return the first member of a configuration that is another one in the answer."""
    asked, answer = _config(row["asked.configuration"]), _config(row["payload"])
    if asked is None or answer is None:
        return ""
    return next((name for name in _REPEATED if _differs(asked.get(name), answer.get(name))), "")


def _config(payload: bytes | None) -> dict[str, Any] | None:
    """Return the configuration in a request or an answer: of a stream also the body itself."""
    body = object_of(payload)
    config = body.get("config", body) if body else None
    return config if isinstance(config, dict) else None


def _differs(asked: object, answer: object) -> bool:
    """Return whether a value was asked for that the answer does not have."""
    if isinstance(asked, bool):
        return asked and answer is not True
    if isinstance(asked, int):
        return asked > 0 and (isinstance(answer, bool) or answer != asked)
    return isinstance(asked, str) and asked not in ("", answer)
