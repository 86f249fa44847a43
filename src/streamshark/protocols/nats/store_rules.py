"""Rules about services, key-value buckets and object stores: how their messages are written.

Source: ADR-32 (services), ADR-8 (key-value buckets), ADR-20 (object stores).
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.behaviours import CHUNKS, DELETED, META, SIZE
from streamshark.protocols.nats.row_names import DELIVERED, SENT
from streamshark.protocols.nats.sources import ADR_8
from streamshark.protocols.nats.store_behaviours import FORCED, OTHER_MESSAGE, ROLLS_UP_OTHERS
from streamshark.protocols.nats.store_predicates import (
    is_odd_description,
    is_odd_object,
    is_odd_object_name,
    is_odd_trace,
)

_SERVICES: Final = "ADR-32, Service API"
_OBJECTS: Final = "ADR-20, Object Store"
_META: Final = "starts(subject, '$O.') and token(subject, 2) == 'M'"
_ASKS_OBJECT: Final = (
    "(starts(subject, '$JS.API.STREAM.MSG.GET.OBJ_') or starts(subject, '$JS.API.DIRECT.GET.OBJ_') "
    "or starts(subject, '$JS.API.STREAM.PURGE.OBJ_') or "
    "starts(subject, '$JS.API.CONSUMER.CREATE.OBJ_'))"
)
_REMOVES: Final = (
    "starts(subject, '$KV.') and item(fields.headers, 'KV-Operation') in ('DEL', 'PURGE')"
)
_ERROR: Final = "item(fields.headers, 'Nats-Service-Error')"
_CODE: Final = "item(fields.headers, 'Nats-Service-Error-Code')"
_INCOMPLETE: Final = (
    f"({_ERROR} is not None and {_CODE} is None or {_CODE} is not None and {_ERROR} is None or "
    f"{_CODE} is not None and (number({_CODE}) is None or number({_CODE}) <= 0))"
)

SERVICES: Final = (
    Rule(
        id="NATS-N49",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="discovery subject of services ($SRV) subscribed to in a queue group",
        on="client:sub",
        when="queue_group is not None and starts(subject, '$SRV.')",
        needs="",
        of="conn",
        message="the client subscribed to {subject} in queue group {queue_group}: a request for "
        "all services reaches only one of them",
        cause="The queue group of the endpoints is also used for PING, INFO and STATS; those "
        "subscriptions have none.",
        source=f"{_SERVICES}, Discovery and Status; nats.net issue 307",
    ),
    Rule(
        id="NATS-N50",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="service error without its code or its text, or with an impossible code",
        on="client:hpub",
        when=f"served.asked is not None and {_INCOMPLETE}",
        needs="",
        of="conn",
        evidence="n, served.n",
        message="the answer to {served.asked} has Nats-Service-Error "
        "'{coalesce(item(fields.headers, 'Nats-Service-Error'), '')}' and "
        "Nats-Service-Error-Code '{coalesce(item(fields.headers, 'Nats-Service-Error-Code'), '')}'",
        cause="An error of a service has both headers, and its code is a number above 0: "
        "requesters that look at one of them take the error for a result.",
        source=f"{_SERVICES}, Error Handling",
    ),
    Rule(
        id="NATS-N50b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="service error received without its code or its text, or with an impossible code",
        on="server:hmsg",
        when="asked.state == 'asked' and asked.meaning is None and fields.status is None and "
        f"{_INCOMPLETE}",
        needs="",
        per="server, asked.subject",
        evidence="n, asked.n",
        message="the answer to {asked.subject} has Nats-Service-Error "
        "'{coalesce(item(fields.headers, 'Nats-Service-Error'), '')}' and "
        "Nats-Service-Error-Code '{coalesce(item(fields.headers, 'Nats-Service-Error-Code'), '')}'",
        cause="An error of a service has both headers, and its code is a number above 0: "
        "requesters that look at one of them take the error for a result.",
        source=f"{_SERVICES}, Error Handling",
        echo_of="NATS-N50",
    ),
    Rule(
        id="NATS-N51",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="description of a service that tools cannot read",
        on=SENT,
        when="served.asked is not None and starts(served.asked, '$SRV.')",
        predicate=is_odd_description,
        reads="payload served.asked",
        needs="",
        of="conn",
        evidence="n, served.n",
        message="the answer to {served.asked} is no description of a service: {found}",
        cause="The service writes its answers itself, or has an invalid name or version: tools "
        "leave it out.",
        source=f"{_SERVICES}, Discovery and Status; natscli issue 756",
    ),
    Rule(
        id="NATS-N52",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="request to all services that takes one answer",
        on="server:msg server:hmsg",
        when="sub.limit == 1 and asked.state == 'asked' and starts(asked.subject, '$SRV.') and "
        "token(asked.subject, 2) is None",
        needs="",
        of="conn",
        evidence="asked.n, n",
        message="{asked.subject} is for all services, but the subscription for the answers ends "
        "with the first one",
        cause="The client uses a request with one reply: gather answers for some time instead.",
        source=f"{_SERVICES}, Discovery and Status",
        healthy="The client only wants to know whether any service is there.",
    ),
)

BUCKETS: Final = (
    Rule(
        id="NATS-N53",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="purge of a key without Nats-Rollup",
        on="client:hpub",
        when="starts(subject, '$KV.') and item(fields.headers, 'KV-Operation') == 'PURGE' and "
        "coalesce(item(fields.headers, 'Nats-Rollup'), '') == ''",
        needs="",
        per="client, server, subject",
        message="KV-Operation PURGE of {subject} has no header Nats-Rollup: the values before it "
        "stay in the bucket",
        cause="A purge replaces all other messages of its subject, by `Nats-Rollup: sub`.",
        source=f"{ADR_8}, Purge",
    ),
    Rule(
        id="NATS-N53b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="Nats-Rollup of the whole bucket in a message about one key",
        on="client:hpub",
        when="starts(subject, '$KV.') and item(fields.headers, 'Nats-Rollup') == 'all'",
        needs="",
        per="client, server, subject",
        message="the message to {subject} has `Nats-Rollup: all`: all other keys of the bucket are "
        "removed",
        cause="`all` is for the whole stream, `sub` for the subject of the message.",
        source=f"{ADR_8}, Purge; nats-server v2.12.2, server/stream.go, JSMsgRollupAll",
        healthy="A bucket that is emptied on purpose.",
    ),
    Rule(
        id="NATS-N54",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="deletion of a key with a value",
        on="client:hpub",
        when=f"len(payload) > 0 and {_REMOVES}",
        needs="",
        per="client, server, subject",
        message="the message to {subject} has KV-Operation "
        "{item(fields.headers, 'KV-Operation')} and a value of {len(payload):count byte}, which "
        "readers do not get",
        cause="The header of an earlier message is used again, or the marker is meant for a value: "
        "readers take the key as deleted.",
        source=f"{ADR_8}, Delete",
    ),
    Rule(
        id="NATS-B89",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="keys overwritten without a revision after their update was refused",
        on=DELIVERED,
        when=f"{FORCED} and coalesce(conn.forced, 0) + 1 >= FORCED_LIMIT",
        needs="",
        of="conn",
        evidence="asked.n, asked.refused_n, conn.forced_n",
        message="{asked.subject} is written without an expected revision, although the write that "
        "expected one was refused in frame {asked.refused_n}, as happened before on this "
        "connection",
        cause="The client answers a conflict by writing anyway: the value of the other client is "
        "lost, and a lock has two holders. Read the key, and update it with its new revision.",
        source=f"{ADR_8}, Update; nats.rs pull request 1301",
    ),
    Rule(
        id="NATS-B89b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="key overwritten without a revision after its update was refused",
        on=DELIVERED,
        when=FORCED,
        needs="",
        of="conn",
        evidence="asked.n, asked.refused_n",
        message="{asked.subject} is written without an expected revision, although the write that "
        "expected one was refused in frame {asked.refused_n}",
        cause="The client answers a conflict by writing anyway: the value of the other client is "
        "lost, and a lock has two holders.",
        source=f"{ADR_8}, Update; nats.rs pull request 1301",
        healthy="A value that is to be replaced in any case.",
        echo_of="NATS-B89",
    ),
)

ROLL_UPS: Final = (
    Rule(
        id="NATS-B109",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Nats-Rollup of the whole stream in a message about one of its subjects",
        on=DELIVERED,
        when=ROLLS_UP_OTHERS,
        needs="",
        of="conn",
        evidence=f"asked.n, n, {OTHER_MESSAGE}",
        message="the message to {asked.subject} has `Nats-Rollup: all`, and the stream also stores "
        "other subjects: their messages are removed too",
        cause="`all` replaces the whole stream, `sub` the messages of the subject alone.",
        source="nats-server v2.12.2, server/stream.go, JSMsgRollupAll; nats-server issue 2585",
        healthy="A stream that is emptied on purpose.",
    ),
)

OBJECTS: Final = (
    Rule(
        id="NATS-B133",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many deleted objects whose markers stay in their bucket",
        on=SENT,
        when=f"{_META} and {DELETED} and count(bucket.markers) == MARKERS_LIMIT - 1 and "
        "not has(bucket.markers, subject)",
        needs="whole all",
        of="bucket",
        evidence="n, bucket.marker_n",
        message="{MARKERS_LIMIT} objects of bucket {token(subject, 1)} were deleted, and none of "
        "them put again: the metadata of each stay in the bucket, marked as deleted",
        cause="Each object has a name of its own: the markers fill a bucket with max_bytes, and a "
        "full one refuses new objects. Use names again, or set a ttl, or purge the metadata.",
        source=f"{_OBJECTS}, Delete",
        healthy="A bucket with a time to live, which removes the markers.",
    ),
    Rule(
        id="NATS-N55",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="metadata of an object that contradict their subject, or with a malformed digest",
        on=SENT,
        when=_META,
        predicate=is_odd_object,
        reads="subject payload",
        needs="",
        of="conn",
        message="the metadata of an object in frame {n} are odd: {found}",
        cause="The client writes them itself: others do not find the object by its name, or refuse "
        "its digest.",
        source=f"{_OBJECTS}, Naming, ObjectInfo; nats.go issue 1042",
    ),
    Rule(
        id="NATS-N55b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="name of an object that is not in base64url with its padding",
        on=SENT,
        when=f"reply_to is not None and {_ASKS_OBJECT}",
        predicate=is_odd_object_name,
        reads="subject payload",
        needs="",
        of="conn",
        message="the request to {subject} asks for the object {found}: names of objects are in "
        "base64url, with their padding",
        cause="The client encodes the name otherwise than the one that stores it: the object is "
        "not found, except where both are the same.",
        source=f"{_OBJECTS}, Naming; nats.deno issue 489",
    ),
    *(
        Rule(
            id="NATS-N56",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="metadata of an object without Nats-Rollup",
            on=on,
            when=f"{_META}{lacks}",
            needs="",
            of="conn",
            message="the metadata of an object are published to {subject} without `Nats-Rollup: "
            "sub`: those before them stay in the stream",
            cause="Metadata replace the former ones of their object by a roll-up.",
            source=f"{_OBJECTS}, ObjectInfo",
            healthy="An object that is never put again.",
        )
        for on, lacks in (
            ("client:pub", ""),
            ("client:hpub", " and item(fields.headers, 'Nats-Rollup') is None"),
        )
    ),
)

TRACES: Final = (
    Rule(
        id="NATS-N60",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="malformed traceparent",
        on="client:hpub",
        when="conn.published < FORMAT_SAMPLE",
        predicate=is_odd_trace,
        reads="headers",
        needs="",
        of="conn",
        message="the message to {subject} has the traceparent {found}: it is not a version, a "
        "trace id of 32 and a span id of 16 hexadecimal digits, and flags",
        cause="Tracing tools ignore the context and begin a new trace.",
        source="W3C Trace Context, traceparent header",
    ),
    Rule(
        id="NATS-B105",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="same traceparent in several messages in a row",
        on="repetition:traced",
        needs="",
        message="{TRACED_LIMIT} messages in a row have one traceparent, "
        "{item(fields.headers, 'traceparent')}",
        cause="The context is made once and never renewed: all messages are one span of a trace.",
        source="W3C Trace Context, traceparent header",
        healthy="Messages that one task publishes.",
    ),
)

STORES: Final = (*SERVICES, *BUCKETS, *ROLL_UPS, *OBJECTS, *TRACES)
"""Part of the rules of the protocol."""

_OLD_CHUNKS: Final = (
    "The client leaves the old chunks in the stream of the store, which grows with each upload."
)

OBJECT_CHUNKS: Final = (
    Rule(
        id="NATS-B56",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="object metadata that does not fit its chunks",
        on=SENT,
        when=f"{META} and object.sure == 1 and ({CHUNKS} != object.chunks or "
        f"{SIZE} != object.bytes) and not {DELETED}",
        needs="since",
        of="object",
        evidence="n, object.chunk_n, object.first_n",
        message="the metadata in {subject} announces other numbers of chunks and bytes than the "
        "{object.chunks:count chunk} with {object.bytes:count byte} that were published",
        cause="Chunks are missing, were sent twice, or another upload uses the same nuid: readers "
        "find that the digest is wrong.",
        source="ADR-20, Object Store",
    ),
    Rule(
        id="NATS-B57",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="chunks of a replaced object not purged",
        on="end:former",
        when="former.replaced_n is not None and former.purged_n is None and "
        "t - former.replaced_t > REPLY_TIME",
        needs="",
        per="former.bucket",
        evidence="former.replaced_n, former.meta_n",
        message="the object was put again with other chunks, and those that it had before (frame "
        "{former.meta_n}) were not purged",
        cause=_OLD_CHUNKS,
        source="ADR-20, Object Store",
    ),
    Rule(
        id="NATS-B57b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="no chunks of replaced objects purged on a connection",
        on="end:conn",
        when="conn.replaced >= TWICE_LIMIT and conn.purged_n is None and "
        "why in ('closed', 'reset')",
        needs="whole",
        evidence="conn.replaced_n, conn.replaced_meta_n",
        message="objects were put again with other chunks {conn.replaced:count time}, and the "
        "client purged none of the chunks before it closed the connection",
        cause=_OLD_CHUNKS,
        source="ADR-20, Object Store",
        echo_of="NATS-B57",
    ),
    Rule(
        id="NATS-B45",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="object chunks without the metadata that completes the object",
        on="end:conn",
        when="conn.chunk_n is not None and why in ('closed', 'reset')",
        needs="whole",
        evidence="conn.chunk_n",
        message="chunks of an object were published to {conn.chunk_subject}, but its metadata was "
        "not: no reader finds the object",
        cause="The upload was given up, or failed, and its chunks were not purged.",
        source="ADR-20, Object Store",
    ),
)

KEYS: Final = (
    Rule(
        id="NATS-N36",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown operation of a key-value store",
        on="client:hpub",
        when="starts(subject, '$KV.') and item(headers, 'KV-Operation') is not None and "
        "item(headers, 'KV-Operation') not in ('DEL', 'PURGE')",
        needs="",
        of="conn",
        message="KV-Operation is '{item(headers, 'KV-Operation')}' for {subject}; it is DEL or "
        "PURGE",
        cause="Other clients read the message as a value.",
        source="ADR-8, Key Value Store",
    ),
    Rule(
        id="NATS-B68",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="empty value written to a key",
        on="client:pub",
        when="starts(subject, '$KV.') and len(payload) == 0",
        needs="",
        per="client, server, subject",
        message="an empty value is written to {subject}: without the header KV-Operation this "
        "deletes nothing",
        cause="The client deletes keys by publishing nothing: readers get an empty value.",
        source="ADR-8, Key Value Store",
        healthy="Keys whose value is empty.",
    ),
)
