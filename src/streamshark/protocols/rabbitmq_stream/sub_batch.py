"""What a sub-batch holds, unpacked: its messages, one after the other.

An embedded record of the slot `sub_batch`: the layer below unpacks the bytes with the codec that
the entry names, within its cap. How many messages there are is in the entry alone, so they are
read to the end of the bytes and compared. Records are never sub-batches themselves: the top bit of
the length is 0 (`osiris_log.erl`, SimpleEntry; the Java client's `SubEntryMessage`).
"""

from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.protocols.rabbitmq_stream.types import MESSAGE
from streamshark.schema import Limit, Many, Record, field

MOST_RECORDS: Final = Limit(0xFFFF, "osiris_log.erl, SubBatchEntry: 16 bits")
"""Most messages of a sub-batch: their number has 16 bits."""

SUB_BATCH_RECORDS: Final = EmbeddedRecord(
    id="rmqstream.sub_batch",
    slots=frozenset({"sub_batch"}),
    record=Record(
        field(
            "records",
            Many(
                Record(field("message", MESSAGE, "Message as the client encoded it.", role="body")),
                limit=MOST_RECORDS,
            ),
            "Messages, in the order of publishing.",
        )
    ),
    sure=lambda _: 100,
    whole="records",
)

EMBEDDED_RECORDS: Final = (SUB_BATCH_RECORDS,)
"""Every record of the protocol."""
