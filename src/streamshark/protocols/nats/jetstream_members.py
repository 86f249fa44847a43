"""Members and values of the requests of JetStream, and which of a request does not belong there.

Source: nats-server v2.12.2, `server/stream.go` (StreamConfig), `server/consumer.go`
(ConsumerConfig), `server/jetstream_api.go` (requests of the API); the Go server reads names of
members without regard to upper and lower case.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from streamshark.findings.near_names import nearest

Values = Mapping[str, Any]

LONGEST_READ: Final = 64 * 1024
"""Bytes of a request that are read."""

_TEXT, _NUMBER, _FLAG, _ANY = "text", "number", "true or false", ""
_STREAM: Final = {
    "name": _TEXT, "description": _TEXT, "subjects": _ANY, "retention": _ANY,
    "max_consumers": _NUMBER, "max_msgs": _NUMBER, "max_bytes": _NUMBER, "max_age": _ANY,
    "max_msgs_per_subject": _NUMBER, "max_msg_size": _NUMBER, "discard": _ANY, "storage": _ANY,
    "num_replicas": _NUMBER, "no_ack": _FLAG, "duplicate_window": _ANY, "placement": _ANY,
    "mirror": _ANY, "sources": _ANY, "compression": _ANY, "first_seq": _NUMBER,
    "subject_transform": _ANY, "republish": _ANY, "allow_direct": _FLAG, "mirror_direct": _FLAG,
    "discard_new_per_subject": _FLAG, "sealed": _FLAG, "deny_delete": _FLAG, "deny_purge": _FLAG,
    "allow_rollup_hdrs": _FLAG, "consumer_limits": _ANY, "allow_msg_ttl": _FLAG,
    "subject_delete_marker_ttl": _ANY, "allow_msg_counter": _FLAG, "allow_atomic": _FLAG,
    "allow_msg_schedules": _FLAG, "persist_mode": _ANY, "metadata": _ANY, "pedantic": _FLAG,
    "template_owner": _TEXT,
}  # fmt: skip
_CONSUMER: Final = {
    "name": _TEXT, "durable_name": _TEXT, "description": _TEXT, "deliver_policy": _ANY,
    "opt_start_seq": _NUMBER, "opt_start_time": _TEXT, "ack_policy": _ANY, "ack_wait": _ANY,
    "max_deliver": _NUMBER, "backoff": _ANY, "filter_subject": _TEXT, "filter_subjects": _ANY,
    "replay_policy": _ANY, "rate_limit_bps": _NUMBER, "sample_freq": _TEXT,
    "max_waiting": _NUMBER, "max_ack_pending": _NUMBER, "headers_only": _FLAG,
    "max_batch": _NUMBER, "max_expires": _ANY, "max_bytes": _NUMBER, "deliver_subject": _TEXT,
    "deliver_group": _TEXT, "flow_control": _FLAG, "idle_heartbeat": _ANY,
    "inactive_threshold": _ANY, "num_replicas": _NUMBER, "mem_storage": _FLAG,
    "metadata": _ANY, "pause_until": _TEXT, "priority_groups": _ANY, "priority_policy": _ANY,
    "priority_timeout": _ANY, "direct": _FLAG,
}  # fmt: skip
_CREATES: Final = {"stream_name": _TEXT, "config": _ANY, "action": _TEXT, "pedantic": _FLAG}
_PAGE: Final = {"offset": _NUMBER, "limit": _NUMBER}
_GET: Final = {
    "seq": _NUMBER, "last_by_subj": _TEXT, "next_by_subj": _TEXT, "batch": _NUMBER,
    "max_bytes": _NUMBER, "start_time": _TEXT, "multi_last": _ANY, "up_to_seq": _NUMBER,
    "up_to_time": _TEXT, "no_hdr": _FLAG,
}  # fmt: skip
MEMBERS: Final[Mapping[str, Mapping[str, str]]] = {
    "STREAM.CREATE": _STREAM,
    "STREAM.UPDATE": _STREAM,
    "STREAM.NAMES": {**_PAGE, "subject": _TEXT},
    "STREAM.LIST": {**_PAGE, "subject": _TEXT},
    "STREAM.INFO": {**_PAGE, "deleted_details": _FLAG, "subjects_filter": _TEXT},
    "STREAM.PURGE": {"filter": _TEXT, "seq": _NUMBER, "keep": _NUMBER},
    "STREAM.MSG.GET": _GET,
    "STREAM.MSG.DELETE": {"seq": _NUMBER, "no_erase": _FLAG},
    "DIRECT.GET": _GET,
    "CONSUMER.CREATE": _CREATES,
    "CONSUMER.DURABLE.CREATE": _CREATES,
    "CONSUMER.NAMES": {**_PAGE, "subject": _TEXT},
    "CONSUMER.LIST": _PAGE,
    "CONSUMER.MSG.NEXT": {
        "batch": _NUMBER, "expires": _ANY, "max_bytes": _NUMBER, "no_wait": _FLAG,
        "idle_heartbeat": _ANY, "group": _TEXT, "min_pending": _NUMBER,
        "min_ack_pending": _NUMBER, "id": _TEXT, "priority": _NUMBER,
    },
}  # fmt: skip
"""Request, without what it is about, to its members and what their values are."""
_ALL: Final = {name for members in (*MEMBERS.values(), _CONSUMER) for name in members}
_WORDS: Final = {
    "retention": ("limits", "interest", "workqueue"),
    "storage": ("file", "memory"),
    "discard": ("old", "new"),
    "compression": ("none", "s2"),
    "persist_mode": ("default", "async"),
    "deliver_policy": (
        "all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject",
    ),
    "ack_policy": ("none", "all", "explicit", "flow_control"),
    "replay_policy": ("instant", "original"),
    "priority_policy": ("none", "overflow", "pinned_client", "prioritized"),
    "action": ("", "create", "update"),
}  # fmt: skip
"""Member to the words that it may be."""
_SHOWN: Final = 40
"""Characters of a value in a sentence."""
_KINDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    _TEXT: str, _NUMBER: (int, float), _FLAG: bool,
}  # fmt: skip


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "members": {request: tuple(each.items()) for request, each in MEMBERS.items()},
    "consumer": tuple(_CONSUMER.items()),
    "words": _WORDS,
    "shown": _SHOWN,
}
"""What the predicates in Lua share with these."""


def object_of(payload: bytes | None) -> dict[str, Any] | None:
    """Return the JSON object in a payload; None if there is another value, or too much to read."""
    if not payload or len(payload) > LONGEST_READ:
        return None
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def has_odd_member(row: Values) -> str:
    """Return the first member of a request of JetStream that is misspelt or has an odd value.

    Unknown members that resemble none are left alone: newer servers have more.
    """
    request, body = _request(row["subject"]), object_of(row["payload"])
    known = MEMBERS.get(request)
    if known is None or body is None:
        return ""
    found = _odd(body, known)
    if not found and known is _CREATES and isinstance(body.get("config"), dict):
        found = _odd(body["config"], _CONSUMER)
    return found


def lacks_what_stores_need(row: Values) -> str:
    """Return what the stream of a key-value or object store lacks, in its configuration."""
    body = object_of(row["payload"]) or {}
    name = body.get("name")
    if not isinstance(name, str) or body.get("mirror") is not None:
        return ""
    lacks = "" if body.get("allow_rollup_hdrs") is True else "allow_rollup_hdrs is not true"
    if name.startswith("KV_") and not lacks:
        history = body.get("max_msgs_per_subject")
        is_bounded = isinstance(history, int) and 1 <= history <= 64  # noqa: PLR2004 - of ADR-8
        lacks = "" if is_bounded else "max_msgs_per_subject is not from 1 to 64"
    return lacks


def _request(subject: str | None) -> str:
    """Return the name of a request, without what it is about."""
    tokens = (subject or "").partition(".API.")[2].split(".")
    names = (".".join(tokens[:count]) for count in (3, 2))
    return next((each for each in names if each in MEMBERS), "")


def _odd(body: Mapping[str, Any], known: Mapping[str, str]) -> str:
    """Return what is odd about the first such member."""
    return next(filter(None, (_oddity(*each, known) for each in body.items())), "")


def _oddity(name: str, value: Any, known: Mapping[str, str]) -> str:  # noqa: ANN401 - any value
    """Return what is odd about a member."""
    lower = name.lower()
    if lower not in known:
        near = nearest(lower, known)
        if near:
            return f"{name} is not a member of it; {near} is"
        return f"{name} is a member of another request" if lower in _ALL else ""
    words = _WORDS.get(lower)
    if words is not None and value is not None and value not in words:
        return f"{name} is {_shown(value)}, which is none of {', '.join(filter(None, words))}"
    kind = _KINDS.get(known[lower])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    is_kind = is_number if known[lower] == _NUMBER else kind is None or isinstance(value, kind)
    return "" if value is None or is_kind else f"{name} is {_shown(value)}, not {known[lower]}"


def _shown(value: Any) -> str:  # noqa: ANN401 - any value
    """Return a value as JSON, cut to what a sentence can hold."""
    return json.dumps(value)[:_SHOWN]
