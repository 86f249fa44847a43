"""Which messages of NATS are Liftbridge's, and what each of them is.

An envelope identifies itself. Other messages are identified by their subject (Raft, the layout of
2019), or by who sends it: each server opens five connections and calls them
`LIFT.<namespace>.<id>.<role>`. A leader subscribes to the subjects of its streams on the one for
streams, so every message on those subjects is a publish, whatever its bytes are.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from streamshark.framing.wire_format import EmbeddedBytes, OuterFrame, WireFormat
from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.framing import MAGIC, OLD_MAGIC
from streamshark.protocols.liftbridge.types import BARE, LIFT
from streamshark.schema import Problem, ProblemCode

MOST: Final = 4096
"""Most subjects of each kind that are remembered."""
MOST_PATTERNS: Final = 256
"""Most subjects with wildcards, each of which is tried for each message."""
NAME: Final = re.compile(
    rb'"name"\s*:\s*"LIFT\.(?P<namespace>[^".]+)\.[^".]+\.'
    rb'(?P<role>streams|raft|replication|acks|publishes)"'
)
"""What a server calls its connections, in CONNECT."""
INTERNAL: Final = re.compile(
    r"[^.]+\.(?:raft\.metadata\.(?:(?P<bootstrap>bootstrap(?P<again>\.reply)?)|(?P<join>join)"
    r"|(?P<info>info)|(?P<fetch>fetch)\.[^.]+|(?P<propagate>propagate)|(?P<status>status)\.[^.]+"
    r"|[^.]+\.(?P<accept>accept)|[^.]+\.(?P<stream>request)\..+)"
    r"|(?P<notify>notify)\.[^.]+"
    r"|.+\.\d+\.(?P<partition>replicate|offset))"
)
"""Subjects between servers; the first token is the namespace."""
BY_SUBJECT: Final = {
    "join": "raft_join_request", "info": "server_info_request", "fetch": "server_info_response",
    "propagate": "propagated_request", "status": "partition_status_request",
    "accept": "raft_accept", "notify": "partition_notification",
    "replicate": "replication_request", "offset": "leader_epoch_offset_request",
}  # fmt: skip
"""Word of a subject to what is there without an envelope."""
ANSWERED: Final = {
    "raft_accept": "raft_accept_response",
    **{
        f"{name}_request": f"{name}_response"
        for name in ("raft_join", "propagated", "partition_status", "replication",
                     "leader_epoch_offset")
    },
}  # fmt: skip
"""What has a reply subject to what comes there."""
NO_RESPONDERS: Final = "503"
"""Status of NATS's answer if a subject has no subscriber."""
MAPS: Final = frozenset({*range(0x80, 0x90), 0xDE, 0xDF})
"""First bytes of a map in MessagePack."""
CALLS: Final = (
    "append_entries", "request_vote", "install_snapshot", "timeout_now", "request_pre_vote",
)  # fmt: skip
"""Calls of Raft by their first byte."""
SHORT_TEXT: Final = range(0xA0, 0xC0)
"""First bytes of a text of up to 31 bytes in MessagePack."""
REFUSED: Final = frozenset(
    {
        ProblemCode.SHORT,
        ProblemCode.TEXT,
        ProblemCode.VARINT,
        ProblemCode.WIRE_TYPE,
        ProblemCode.CHECKSUM,
        ProblemCode.LITERAL,
        ProblemCode.CLAIM,
    }
)
"""Problems with which a server does not take an envelope for one."""


def within(around: OuterFrame) -> EmbeddedBytes | None:
    """Return the Liftbridge message in a frame of NATS; None without one."""
    if around.data is None:
        watch(around)
        return None
    return message(around, around.data)


def message(around: OuterFrame, data: bytes) -> EmbeddedBytes | None:
    """Return the Liftbridge message that a message of NATS is; None for another one."""
    values = around.values
    subject, reply = str(values.get("subject", "")), values.get("reply_to")
    if not data and str(values.get("status")) == NO_RESPONDERS:
        known = subject in around.everywhere.get("asked", ())
        return EmbeddedBytes(BARE, "no_responders") if known else None
    stream = is_stream(around, subject)
    if data.startswith(MAGIC):
        if isinstance(reply, str):
            remember(around.everywhere, "asked", reply, "")
        return envelope(around, data, plain=stream)
    if data.startswith(OLD_MAGIC) and len(data) > len(OLD_MAGIC):
        return EmbeddedBytes(LIFT) if stream or reads(LIFT, data, around.wire) else None
    key = bare(around, subject, data)
    if key is not None:
        if key in ANSWERED and isinstance(reply, str):
            remember(around.everywhere, "answers", reply, ANSWERED[key])
            remember(around.everywhere, "asked", reply, "")
        return EmbeddedBytes(BARE, key)
    return EmbeddedBytes(BARE, "plain_publish") if stream else None


def envelope(around: OuterFrame, data: bytes, *, plain: bool) -> EmbeddedBytes:
    """Return the message in an envelope; a malformed publish is read as the server does."""
    is_publish = len(data) > 7 and data[7] == MessageType.PUBLISH  # noqa: PLR2004 - its offset
    if not (plain or is_publish):
        return EmbeddedBytes()
    values, problem = published(data, around.wire)
    if problem is not None:
        return EmbeddedBytes(BARE, "plain_publish", (problem,))
    inbox = values.get("ack_inbox")
    return EmbeddedBytes(agreed={
        "max_payload": around.here.get("max_payload"),
        "inbox_heard": isinstance(inbox, str) and listens(around.here, inbox),
    })  # fmt: skip


def published(data: bytes, wire: WireFormat) -> tuple[Mapping[str, Any], Problem | None]:
    """Return the values that a server reads in a publish, and why it would refuse the bytes."""
    table = wire.table(bare=True)
    measured = table.measure(data, 0, len(data))
    if measured is None:
        return {}, refused(ProblemCode.LENGTH, 0, len(data),
                           f"an envelope of {len(data)} bytes; 8 are its header")  # fmt: skip
    _, key, version, _ = measured
    if version != 0:
        return {}, refused(ProblemCode.UNKNOWN_VERSION, 4, 1, f"an envelope of version {version}")
    if key != MessageType.PUBLISH:
        message = f"an envelope of type {key} where publishes are read"
        return {}, refused(ProblemCode.UNKNOWN_KEY, 7, 1, message)
    decoder = table.decoders[table.selectors[measured[1:]]][0]
    values, problems = decoder.read(data)
    for each in problems:
        if each.code in REFUSED:
            return values, refused(each.code, each.offset, each.length, each.message)
    return values, None


def refused(code: ProblemCode, offset: int, length: int, message: str) -> Problem:
    """Why bytes are no publish to a server."""
    return Problem(code, -1, offset, length, message + AS_PLAIN)


def reads(dialect: str, data: bytes, wire: WireFormat) -> bool:
    """Whether bytes are well-formed in a dialect of one frame, and all of them are known."""
    values, problems = wire.table(dialect, bare=True).all[0].read(data)
    return not problems and UNKNOWN not in values


def is_stream(around: OuterFrame, subject: str) -> bool:
    """Whether a leader listens to a subject as that of a stream."""
    if around.command in ("msg", "hmsg") and around.here.get("role") == "streams":
        return not (INTERNAL.fullmatch(subject) or subject.startswith("_INBOX."))
    return listens(around.everywhere, subject)


def bare(around: OuterFrame, subject: str, data: bytes) -> str | None:
    """Return the key of a message without an envelope: by subject, request, or sender."""
    if around.here.get("role") == "acks" and around.sender == "client":
        remember(around.everywhere, "answers", subject, "ack")
    key: str | None = around.everywhere.get("answers", {}).get(subject)
    if key is not None:
        return key if data else None
    found = INTERNAL.fullmatch(subject)
    if found is None:
        return None
    if found["stream"]:
        return raft(data)
    if found["bootstrap"]:
        return "raft_bootstrap_response" if found["again"] else "raft_bootstrap"
    word = next(found[name] for name in BY_GROUP if found[name])
    return BY_SUBJECT[word] if data or word in EMPTY else None


def watch(around: OuterFrame) -> None:
    """Learn servers and the subjects of subscriptions from other frames of NATS."""
    match around.command:
        case "info":
            most = around.values.get("max_payload")
            if isinstance(most, int) and most > 0:
                around.here["max_payload"] = most
        case "connect":
            found = NAME.search(around.frame)
            if found:
                around.here["role"] = found["role"].decode()
        case "sub":
            if around.here.get("role") == "streams":
                learn(around.everywhere, around.values.get("subject"))
            else:
                subscribe(around.here, around.values.get("subject"))
                remember(
                    around.here, "sids", str(around.values.get("sid")), around.values.get("subject")
                )
        case "unsub" if around.values.get("max_msgs") is None:
            subject = around.here.get("sids", {}).pop(str(around.values.get("sid")), None)
            for kept in ("subjects", "patterns"):
                around.here.get(kept, {}).pop(subject, None)


UNKNOWN: Final = "unknown_fields"
"""Member in which values keep unknown protobuf fields."""
AS_PLAIN: Final = ": the server stores these bytes as they are"
BY_GROUP: Final = ("join", "info", "fetch", "propagate", "status", "accept", "notify", "partition")
EMPTY: Final = frozenset({"offset", "propagate"})
"""Messages that may be empty: all members have their default."""


def raft(data: bytes) -> str:
    """Return the key of a message of Raft's byte stream."""
    first, second = data[:1], data[1:2]
    if first and first[0] < len(CALLS) and second and second[0] in MAPS:
        return CALLS[first[0]]
    if first and first[0] in SHORT_TEXT:
        at = 1 + (first[0] & 0x1F)
        if data[at : at + 1] and data[at] in MAPS:
            return f"{answered(data)}_response"
    return "raft_bytes"


def answered(data: bytes) -> str:
    """Which call a map of results answers: by its keys."""
    if b"\xa7LastLog" in data:
        return "append_entries"
    if b"\xa7Granted" in data:
        return "request_vote" if b"\xa5Peers" in data else "request_pre_vote"
    return "install_snapshot" if b"\xa7Success" in data else "timeout_now"


def learn(everywhere: dict[str, Any], subject: object) -> None:
    """Remember that a leader listens to a subject."""
    text = subject if isinstance(subject, str) else ""
    if not (INTERNAL.fullmatch(text) or text.startswith("_INBOX.")):
        subscribe(everywhere, subject)


def subscribe(known: dict[str, Any], subject: object) -> None:
    """Remember the subject of a subscription."""
    if not isinstance(subject, str):
        return
    if "*" in subject.split(".") or subject.endswith(">"):
        remember(known, "patterns", subject, pattern_of(subject), MOST_PATTERNS)
    else:
        remember(known, "subjects", subject, "")


def listens(known: dict[str, Any], subject: str) -> bool:
    """Whether somebody listens to a subject, as far as is remembered."""
    return subject in known.get("subjects", ()) or any(
        pattern.fullmatch(subject) for pattern in known.get("patterns", {}).values()
    )


def pattern_of(subject: str) -> re.Pattern[str]:
    """Return a subject with wildcards as a pattern.

    >>> bool(pattern_of("a.*.>").fullmatch("a.b.c.d"))
    True
    """
    words = [{"*": "[^.]+", ">": ".+"}.get(each, re.escape(each)) for each in subject.split(".")]
    return re.compile(r"\.".join(words))


def remember(
    everywhere: dict[str, Any], what: str, name: str, value: object, most: int = MOST
) -> None:
    """Keep something by its name; the oldest makes room."""
    kept: dict[str, object] = everywhere.setdefault(what, {})
    if name not in kept and len(kept) >= most:
        del kept[next(iter(kept))]
    kept[name] = value
