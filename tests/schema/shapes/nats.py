"""NATS: lines with optional arguments in the middle, payloads by count, header blocks, JSON.

What links the two ends decides the arguments (clients, routes, leaf nodes), so each is a dialect.
"""

import re

from streamshark.protocols.nats.frames import connect, info
from streamshark.schema import (
    FrameKind,
    FrameSchema,
    Headers,
    LineHead,
    Literal,
    Member,
    Region,
    Sender,
    TextLine,
    decimal,
    field,
    quoted,
    raw,
    remainder,
    this,
    token,
    tokens,
)

_SPEC = "nats-server 2.12.2, server/parser.go"
_CRLF = Literal(b"\r\n", "End of the payload.")
_SIZE = decimal("size", "Bytes of the payload.")
_SIZES = (
    decimal("header_size", "Bytes of the header block."),
    decimal("total_size", "Bytes of headers and payload."),
)
_SUBJECT, _SID = token("subject", "Subject."), token("sid", "Id of the subscription.")
_ACCOUNT, _ORIGIN = token("account", "Account."), token("origin", "Cluster of the origin.")
_REPLY = token("reply_to", "Where answers go.", optional=True)
_QUEUE = token("queue_group", "Queue group.", optional=True)
_WEIGHT = decimal("weight", "Members of the queue group.", optional=True)
_REPLIES = (
    token("reply_to", "Where answers go.", mark="+"),
    tokens("queue_groups", "Queue groups that get it.", mark="+"),
    tokens("queue_groups", "Queue groups that get it.", mark="|"),
    _REPLY,
)

Arguments = tuple[object, ...]


def _plain(verb: str, *arguments: object) -> tuple[Member, ...]:
    return (TextLine(verb, *arguments),)  # type: ignore[arg-type]


def _sized(verb: str, *arguments: object) -> tuple[Member, ...]:
    payload = field("payload", raw(this.size, slot="nats.payload"), "Payload.")
    return TextLine(verb, *arguments, _SIZE), payload, _CRLF  # type: ignore[arg-type]


def _headed(verb: str, *arguments: object) -> tuple[Member, ...]:
    rest = raw(this.total_size - this.header_size, slot="nats.payload")
    return (
        TextLine(verb, *arguments, *_SIZES),  # type: ignore[arg-type]
        Region(this.header_size, Headers("NATS/1.0", "Headers, in their order.")),
        field("payload", rest, "Payload."),
        _CRLF,
    )


_COMMON = {
    "info": info.FRAMES[0].body,
    "connect": connect.FRAMES[0].body,
    "ping": _plain("PING", remainder("ignored", "Read over by servers.", optional=True)),
    "pong": _plain("PONG", remainder("ignored", "Read over by servers.", optional=True)),
    "ok": _plain("+OK"),
    "err": _plain("-ERR", quoted("message", "What is wrong.")),
}
_BODIES: dict[str, dict[str, tuple[Member, ...]]] = {
    "": _COMMON | {
        "pub": _sized("PUB", _SUBJECT, _REPLY),
        "hpub": _headed("HPUB", _SUBJECT, _REPLY),
        "sub": _plain("SUB", _SUBJECT, _QUEUE, _SID),
        "unsub": _plain("UNSUB", _SID, decimal("max_msgs", "Ends after so many.", optional=True)),
        "msg": _sized("MSG", _SUBJECT, _SID, _REPLY),
        "hmsg": _headed("HMSG", _SUBJECT, _SID, _REPLY),
    },
    "route": _COMMON | {
        "rs_plus": _plain("RS+", _ACCOUNT, _SUBJECT, _QUEUE, _WEIGHT),
        "rs_minus": _plain("RS-", _ACCOUNT, _SUBJECT, _QUEUE),
        "rmsg": _sized("RMSG", _ACCOUNT, _SUBJECT, *_REPLIES),
        "hmsg": _headed("HMSG", _ACCOUNT, _SUBJECT, *_REPLIES),
        "lmsg": _headed("LMSG", _ORIGIN, _ACCOUNT, _SUBJECT, *_REPLIES),
    },
    "leaf": _COMMON | {
        "ls_plus": _plain("LS+", _SUBJECT, _QUEUE, _WEIGHT),
        "ls_minus": _plain("LS-", _SUBJECT, _QUEUE),
        "lmsg": _sized("LMSG", _SUBJECT, *_REPLIES),
        "hmsg": _headed("HMSG", _SUBJECT, *_REPLIES),
    },
}  # fmt: skip

_VERBS = {"rs_plus": "RS+", "rs_minus": "RS-", "ls_plus": "LS+", "ls_minus": "LS-", "ok": "+OK",
          "err": "-ERR"}  # fmt: skip
HEADS = {
    dialect: LineHead(
        verbs={_VERBS.get(key, key.upper()): key for key in bodies},
        sized=frozenset(
            _VERBS.get(key, key.upper()) for key, body in bodies.items() if len(body) > 1
        ),
        most_line=4096,
        hidden=("size", "header_size", "total_size"),
        source=_SPEC,
    )
    for dialect, bodies in _BODIES.items()
}
FRAMES = tuple(
    FrameSchema(
        name, name, FrameKind.COMMAND, Sender.BOTH, f"{name}.", _SPEC, body, dialect=dialect
    )
    for dialect, bodies in _BODIES.items()
    for name, body in bodies.items()
)  # fmt: skip
EMBEDDED_RECORDS: dict[str, object] = {}


def canonical(data: bytes) -> bool:
    """Return whether a line is written as we write it: capitals, single blanks, CRLF, `a: b`."""
    line = data[: data.index(b"\n") + 1]
    head = line.split(b" ", 1)[0]
    if head.upper() in (b"INFO", b"CONNECT"):
        return False  # JSON may be written in many ways
    return (
        line.endswith(b"\r\n")
        and head == head.upper()
        and not any(odd in line for odd in (b"  ", b"\t", b" 00", b" \r"))
        and not re.search(rb"\r\n[A-Za-z-]+:[^ ]", data)
    )


def adapted(expect: dict[str, object]) -> object:
    """Return what a vector says with the members of INFO and CONNECT beside each other."""
    return expect.get("json", expect)
