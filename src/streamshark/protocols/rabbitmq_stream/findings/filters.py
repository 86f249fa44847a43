"""Rules for filters of messages."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC

FILTERS: Final = (
    Rule(
        id="RMQ-B36",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="filter value of its own for each message",
        on="end:pub",
        when="count(pub.filters) >= FILTER_LIMIT and count(pub.filters) * 10 >= pub.filtered * 9",
        needs="",
        evidence="pub.filter_n, pub.first_filter_n",
        message="the first {pub.filtered} messages of publisher {pub.id} to {pub.stream} have "
        "{count(pub.filters)} different filter values",
        cause="The value is an id of the message: filters work on chunks, so that a value has to "
        "be shared by many messages, such as a region or a customer.",
        source="rabbitmq.com, Stream Filtering; rabbitmq/osiris, osiris_bloom.erl",
        healthy="Values that come back later.",
    ),
    Rule(
        id="RMQ-B15",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="filter that no published message matches",
        on="mismatch:filtered",
        needs="",
        message="subscription {sub.id} of {sub.stream} filters for '{sub.filter}' and received "
        "nothing; no message published in these captures has this filter value",
        cause="The publisher sets no filter value or a different one; messages without a filter "
        "value are delivered only with match-unfiltered.",
        healthy="Messages with this value are published by programs that were not captured.",
        source=f"{DOC}, Subscribe; rabbitmq-stream-js-client issue 235",
    ),
)
