"""Rules for offsets and timestamps at which consumers start, and which they store."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.framing import NON_ASCII
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, OSIRIS
from streamshark.protocols.rabbitmq_stream.findings.subscriptions import WAITING

OFFSETS: Final = (
    Rule(
        id="RMQ-D12",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages before the requested offset",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and "
        "chunk.chunk_id < sub.wanted < chunk.chunk_id + chunk.num_records",
        needs="object",
        evidence="n, sub.n",
        message="the first chunk starts at offset {chunk.chunk_id}, but {sub.wanted} was "
        "requested: the client must drop the messages before it",
        cause="A client that does not drop them passes on messages that were not requested.",
        healthy="Brokers deliver whole chunks, and clients drop the messages before the offset.",
        source=f"{OSIRIS}, init_offset_reader; rabbitmq-stream-rust-client issue 222",
    ),
    Rule(
        id="RMQ-D12b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="requested offset beyond the end of the stream",
        on="deliver",
        when="sub.chunks == 0 and sub.offset_type == 4 and "
        "chunk.chunk_id + chunk.num_records <= sub.wanted",
        needs="object both",
        evidence="sub.n, n",
        message="offset {sub.wanted} of {sub.stream} was requested, but the first chunk has the "
        "messages from {chunk.chunk_id} to {chunk.chunk_id + chunk.num_records - 1}: the client "
        "drops all messages until the stream has reached {sub.wanted}",
        cause="The offset was kept from a stream that has been deleted and created again, or "
        "belongs to another stream.",
        source=f"{OSIRIS}, init_offset_reader; rabbitmq.com, Streams, Offset Tracking",
    ),
    Rule(
        id="RMQ-D13",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="subscription offset far beyond the end",
        on="timer:nothing",
        when=f"sub.chunks == 0 and (sub.wanted > FIRST_OFFSETS or sub.wanted > {WAITING} + AHEAD "
        f"and {WAITING} > 0)",
        needs="object both",
        evidence="sub.n",
        message="subscription {sub.id} starts at offset {sub.wanted} of {sub.stream} and has "
        "received nothing for {STARVING:time}",
        cause="The offset is far beyond what the stream is known to hold.",
        by="'negative' if sub.wanted > LAST_OFFSET else "
        "'time' if sub.wanted > FIRST_OFFSETS else 'offset'",
        causes={
            "negative": "The number is negative, such as that of an offset that is not known yet.",
            "time": "The number looks like a timestamp that was stored as an offset.",
        },
        source=f"{OSIRIS}, attach; rabbitmq-stream-go-client issue 392",
    ),
    Rule(
        id="RMQ-D13b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stored value that is no offset",
        on="store_offset",
        when="fields.offset > FIRST_OFFSETS",
        needs="",
        message="StoreOffset stores {fields.offset} for {reference}: a consumer that starts there "
        "receives nothing",
        cause="",
        by="'negative' if fields.offset > LAST_OFFSET else 'time'",
        causes={
            "time": "The number looks like a timestamp, such as the one that the consumer started "
            "at.",
            "negative": "The client stores a negative number, such as the placeholder of an offset "
            "specification without a value, or of an offset that is not known yet.",
        },
        source="rabbitmq-stream-go-client issue 392; rabbitmq-stream-java-client issue 77",
    ),
    Rule(
        id="RMQ-D13c",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription offset beyond the end",
        on="timer:nothing",
        when=f"sub.chunks == 0 and tail.made_t is not None and "
        f"{WAITING} + 1 < sub.wanted <= {WAITING} + AHEAD",
        needs="object both",
        evidence="sub.n",
        message="subscription {sub.id} starts at offset {sub.wanted} of {sub.stream}, which ends "
        f"at {{{WAITING}}} in these captures, and has received nothing for "
        "{STARVING:time}",
        cause="The offset was kept from a stream that has been deleted and created again, or "
        "belongs to another stream.",
        source=f"{OSIRIS}, init_offset_reader; rabbitmq.com, Streams, Offset Tracking",
        healthy="Messages were published by programs that were not captured.",
    ),
    Rule(
        id="RMQ-D14",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="timestamp not in milliseconds",
        on="subscribe resolve_offset_spec",
        when="offset_type == 5 and "
        "fields.timestamp != 0 and "
        "(fields.timestamp < 1000000000000 or fields.timestamp > LAST_TIME)",
        needs="",
        of="conn",
        message="{name} starts at timestamp {fields.timestamp}, which is read as milliseconds "
        "since 1970",
        cause="",
        by="'unset' if fields.timestamp < 0 else 'late' if fields.timestamp > LAST_TIME else "
        "'seconds' if 1000000000 <= fields.timestamp < 10000000000 else 'early'",
        causes={
            "seconds": "The client sends seconds: read as milliseconds they are in January 1970, "
            "so the consumer starts at the beginning of the stream.",
            "unset": "The time is before 1970, such as a date that was never set: the consumer "
            "starts at the beginning of the stream.",
            "late": "The client sends microseconds or nanoseconds: read as milliseconds they are "
            "in the future.",
        },
        source=f"{DOC}, Subscribe; rabbitmq-stream-dotnet-client issue 254",
    ),
    Rule(
        id="RMQ-D14b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="timestamp in the future",
        on="subscribe resolve_offset_spec",
        when="offset_type == 5 and t + FUTURE < fields.timestamp * 1000000 and "
        "fields.timestamp <= LAST_TIME",
        needs="",
        of="conn",
        message="{name} starts at timestamp {fields.timestamp}, which is in the future",
        cause="The clocks of client and capture differ, or the client wants future messages.",
        healthy="The consumer is meant to wait until then.",
        source=f"{DOC}, Subscribe",
    ),
    Rule(
        id="RMQ-D15",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="offset value that does not fit the offset type",
        on="problem:short problem:trailing problem:count problem:negative",
        when=f"name == 'subscribe' and not {NON_ASCII}",
        needs="",
        message="Subscribe with offset type {offset_type} has fields that do not fit: "
        "{problem_text}; only types 4 and 5 have a value",
        cause="",
        by="'value' if offset_type in (4, 5) else 'none'",
        causes={
            "value": "The eight bytes of the value may be missing.",
            "none": "The eight bytes of a value may be written all the same.",
        },
        source=f"{CORE}, parse_request",
    ),
    Rule(
        id="RMQ-D15b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="unknown offset type",
        on="subscribe",
        when="offset_type < 1 or offset_type > 5",
        needs="",
        of="conn",
        message="Subscribe has offset type {offset_type}; valid types are 1 to 5",
        cause="",
        by="offset_type",
        causes={0: "Types start at 1."},
        source=f"{CORE}, parse_request",
    ),
)
