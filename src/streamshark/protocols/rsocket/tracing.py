"""Zipkin tracing metadata: which trace and span a request belongs to.

An embedded record of metadata in the MIME type `message/x.rsocket.tracing-zipkin.v0`, as it is
since May 2020; two drafts of 2018 with other flags under the same type are not distinguished. Of
the flags on sampling, debug is stronger than sample, and sample than not_sampled.

Spec: Extensions/Tracing-Zipkin.md.
"""

from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord, never
from streamshark.schema import U8, Record, When, field, raw, this

IDS: Final = 0x80
LONG: Final = 0x08
PARENT: Final = 0x04
FLAGS: Final = {
    IDS: "ids",
    0x40: "debug",
    0x20: "sample",
    0x10: "not_sampled",
    LONG: "trace_id_128",
    PARENT: "parent",
}

TRACING: Final = EmbeddedRecord(
    id="rsocket.tracing",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({"message/x.rsocket.tracing-zipkin.v0"}),
    record=Record(
        field("flags", U8, "What follows, and whether the trace is sampled.", flags=FLAGS),
        When(
            this.flags & IDS,
            When(
                this.flags & LONG,
                field("trace_id_high", raw(8), "Upper half of the id.", role="chance"),
            ),
            field(
                "trace_id_low",
                raw(8),
                "Lower half of the id of the trace, or all of it.",
                role="chance",
            ),
            field("span_id", raw(8), "Id of the span.", role="chance"),
            When(
                this.flags & PARENT,
                field("parent_id", raw(8), "Id of the span around it.", role="chance"),
            ),
        ),
    ),
    sure=never,
)
