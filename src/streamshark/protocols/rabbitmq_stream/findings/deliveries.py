"""Rules for chunks: their layout, order and content."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import predicates
from streamshark.protocols.rabbitmq_stream.findings.sources import OSIRIS, READER

_REST: Final = "(size - 57 if version == 1 else size - 65)"
"""Bytes of a Deliver after the chunk's header."""
_FITS: Final = (
    f"{_REST} in (chunk.data_length, chunk.data_length + chunk.trailer_length) and "
    "chunk.magic == 5 and chunk.chunk_type == 0"
)

DELIVERIES: Final = (
    Rule(
        id="RMQ-D1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="Deliver without a valid chunk",
        on="deliver",
        when="chunk.magic != 5 or chunk.version != 0 or chunk.chunk_type > 2 or chunk.reserved "
        "!= 0",
        needs="",
        of="conn",
        message="Deliver does not contain a valid chunk: magic {chunk.magic}, version "
        "{chunk.version}, type {chunk.chunk_type}",
        cause="",
        source=f"{OSIRIS}, parse_header",
        guilty="server",
    ),
    Rule(
        id="RMQ-D2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="chunk entries that do not match the chunk header",
        on="problem:short problem:claim problem:negative problem:trailing",
        when=f"name == 'deliver' and {_FITS} and coalesce(problem_field, '') != "
        f"'chunk.num_records'",
        needs="",
        message="the entries of chunk {chunk.chunk_id} differ from its header in number or length",
        cause="",
        source=f"{OSIRIS}, chunk_iterator; rabbitmq-stream-dotnet-client issue 421",
        guilty="server",
    ),
    Rule(
        id="RMQ-D3",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="message count mismatch in a chunk",
        on="problem:claim",
        when=f"name == 'deliver' and {_FITS} and problem_field == 'chunk.num_records'",
        needs="",
        message="chunk {chunk.chunk_id} announces {chunk.num_records:count message}, but its "
        "entries contain another number",
        cause="",
        by="'batches' if chunk.num_records != chunk.num_entries else 'plain'",
        causes={"batches": "A sub-batch may miscount its messages."},
        source=f"{OSIRIS}, chunk writer",
    ),
    Rule(
        id="RMQ-D4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="chunk length that does not match the frame",
        on="deliver",
        when=f"{_REST} != chunk.data_length and "
        f"{_REST} != chunk.data_length + chunk.trailer_length and chunk.magic == 5",
        needs="",
        of="conn",
        message="chunk {chunk.chunk_id} announces {chunk.data_length} bytes of data, which does "
        "not match the frame of {size} bytes",
        cause="",
        source=f"{OSIRIS}, send_file; rabbitmq-server, pull request 11329",
        guilty="server",
    ),
    Rule(
        id="RMQ-D5",
        severity=Severity.ERROR,
        group=Group.CHECKSUM,
        title="chunk checksum mismatch",
        on="problem:checksum",
        when=f"name == 'deliver' and {_FITS}",
        needs="",
        message="checksum mismatch: the CRC of chunk {chunk.chunk_id} is not that of its data",
        cause="Bytes were changed in transit or on disk.",
        source=f"{OSIRIS}, validate_crc; rabbitmq-stream-go-client issue 368",
    ),
    Rule(
        id="RMQ-D6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing or repeated chunk ids",
        on="deliver",
        when="chunk.chunk_id <= sub.chunk_id and coalesce(sub.placed_n, 0) <= sub.deliver_n",
        needs="since both",
        evidence="n, sub.deliver_n",
        message="chunk {chunk.chunk_id} was delivered after chunk {sub.chunk_id}",
        cause="Chunks arrive out of order, or come from a log that was truncated.",
        by="'again' if chunk.chunk_id == sub.chunk_id else 'back'",
        causes={"again": "The chunk is delivered twice."},
        source=f"{OSIRIS}, chunk ids",
    ),
    Rule(
        id="RMQ-D17",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages missing between two chunks",
        on="deliver",
        when="sub.selects is None and coalesce(sub.selector, '') != 'all' and "
        "chunk.chunk_id > sub.next + ABSENT",
        needs="since both",
        evidence="n, sub.deliver_n",
        message="subscription {subscription_id} of {sub.stream} received the chunk at "
        "{chunk.chunk_id} right after messages up to {sub.next - 1}: the "
        "{chunk.chunk_id - sub.next} in between were not delivered",
        cause="The stream has deleted them, by max-length-bytes or max-age, before the consumer "
        "had credit for them; or the leader has changed and its log differs.",
        source="rabbitmq.com, Streams, Data Retention; rabbitmq-server issue 9457",
        healthy="Offsets of a stream that are taken by stored offsets.",
    ),
    Rule(
        id="RMQ-D7",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing committed chunk id",
        on="deliver",
        when="conn.both and committed_chunk_id < sub.committed or "
        "committed_chunk_id < chunk.chunk_id",
        needs="since",
        evidence="n, sub.deliver_n",
        message="committed chunk {committed_chunk_id} was announced with chunk {chunk.chunk_id}, "
        "after {sub.committed}",
        cause="",
        source=f"{READER}, send_chunks",
        guilty="server",
    ),
    Rule(
        id="RMQ-D8",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="Deliver version that was not negotiated",
        on="deliver",
        when="version == 2 and coalesce(C.deliver_max, 1) != 2",
        needs="start whole both",
        of="conn",
        message="Deliver has version 2, which the client has not requested",
        cause="The client's maximum version of Deliver must be exactly 2.",
        source=f"{READER}, process_client_command_api",
    ),
    Rule(
        id="RMQ-D9",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="delivered sub-batch that does not match its header",
        on="deliver",
        when="chunk.num_records != chunk.num_entries and chunk.chunk_type == 0",
        predicate=predicates.has_bad_sub_batch,
        reads="chunk.entries",
        needs="",
        message="a sub-batch in chunk {chunk.chunk_id} does not match its header: {found}",
        cause="The publisher wrote the wrong codec, size or count.",
        source="rabbitmq-stream-java-client 1.11.0, CompressionUtils",
    ),
    Rule(
        id="RMQ-D10",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="chunk timestamp in the future",
        on="deliver",
        when="chunk.timestamp * 1000000 > t + FUTURE",
        needs="",
        of="conn",
        message="chunk {chunk.chunk_id} has a timestamp later than its delivery",
        cause="The clocks of broker and capture differ.",
        healthy="The clocks differ by a minute.",
        source=f"{OSIRIS}, chunk timestamps",
    ),
    Rule(
        id="RMQ-D11",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="chunk without user messages",
        on="deliver",
        when="chunk.chunk_type in (1, 2) and coalesce(sub.selector, '') != 'all'",
        needs="object",
        evidence="n, sub.n",
        message="the broker sent a chunk of type {chunk.chunk_type}, which has no messages, to a "
        "subscription that did not ask for all chunks",
        cause="",
        source=f"{OSIRIS}, chunk selector; {READER}, chunk_selector",
        guilty="server",
    ),
)
