"""Rules for publisher references and consumer names: shared, or new each time."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import request_predicates
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS, READER

REFERENCES: Final = (
    Rule(
        id="RMQ-I10",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher reference shared by two publishers",
        on="identity:shared_reference",
        needs="",
        message="two publishers use reference '{pub.reference}' on {pub.stream} at once; the one "
        "of frame {pub.n} published after the other was declared",
        cause="Brokers keep one publishing id for each reference: a message of one publisher "
        "with a lower id than the other's last one is confirmed and dropped.",
        source=f"{OSIRIS}, writer sequences; rabbitmq-stream-java-client issue 986",
    ),
)

CLIENT_NAMES: Final = (
    Rule(
        id="RMQ-B25",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="different consumer names in StoreOffset and QueryOffset",
        on="query_offset_response",
        when="response_code == 19 and sought.flow != flow and sought.stored_n is None and "
        "tracked.stored_n > sought.asked_n and tracked.reference != req.reference and "
        "not has(tracked.asked, tracked.reference)",
        needs="",
        of="sought",
        evidence="req.n, tracked.stored_n, sought.asked_n",
        message="the client asks again for the offset of {req.reference} in {req.stream}, of which "
        "nothing is stored; it stored its offset under {tracked.reference}",
        cause="Two settings name the consumer: one is used to store its offset, the other one to "
        "ask for it, so that each start begins anew.",
        healthy="Two consumers of the program, one of which does not store its offset.",
        source=f"{DOC}, StoreOffset, QueryOffset",
    ),
    Rule(
        id="RMQ-B21",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new consumer name for each connection",
        on="query_offset_response",
        when="response_code == 19 and flow != coalesce(asking.flow, -1) and "
        "count(asking.names) + 1 >= NAMES_LIMIT and not has(asking.names, req.reference)",
        needs="",
        of="asking",
        evidence="req.n, asking.latest_n, asking.former_n",
        message="the client has queried the offset of {count(asking.names) + 1} names in "
        "{req.stream} for which nothing is stored, each on a new connection; the last is "
        "{req.reference}",
        cause="The name changes with each start, so that the stored offset is never found.",
        healthy="As many different consumers of one stream begin for the first time.",
        source=f"{DOC}, QueryOffset",
    ),
    Rule(
        id="RMQ-B33",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new publisher reference for each connection",
        on="declare_publisher",
        when="len(publisher_reference) > 0 and flow != coalesce(referring.flow, -1) and "
        "count(referring.names) + 1 >= NAMES_LIMIT and "
        "not has(referring.names, publisher_reference)",
        predicate=request_predicates.has_generated_reference,
        reads="publisher_reference referring.latest",
        needs="",
        of="referring",
        evidence="n, referring.latest_n, referring.former_n",
        message="this client has published to {stream} under {count(referring.names) + 1} "
        "references, each on a new connection; the last ones are {found}",
        cause="The reference changes with each start, so that the broker cannot recognise messages "
        "that are published again.",
        source=f"{DOC}, DeclarePublisher; {OSIRIS}, writer sequences",
        healthy="As many different producers.",
        worse_from=14,
    ),
    Rule(
        id="RMQ-B14",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer name shared by two consumers that store offsets",
        on="alternation:shared_tracking",
        needs="",
        message="two connections take turns storing the offset of {fields.reference} on {stream}; "
        "this one stored {fields.offset}",
        cause="Two consumers have the same name and are not single active consumers: each "
        "overwrites the offset of the other.",
        source=f"{DOC}, StoreOffset; {READER}, store_offset",
    ),
)
