"""Rules for names, properties of subscriptions and arguments of streams."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.framing import NON_ASCII
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_KNOWN_PROPERTIES: Final = (
    "single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier",
    "chunk_selector",
)  # fmt: skip
_PROPERTY: Final = f"strange(properties.key, {_KNOWN_PROPERTIES}, ('filter.', 'x-'))"
"""The first property of Subscribe that brokers do not know."""
_NUMBERS: Final = (
    "max-length-bytes", "stream-max-segment-size-bytes", "initial-cluster-size",
    "stream-initial-offset",
)  # fmt: skip
_LOCATORS: Final = ("client-local", "balanced", "least-leaders", "random")
_KNOWN_ARGUMENTS: Final = (*_NUMBERS, "max-age", "queue-leader-locator", "stream-filter-size-bytes")
_ARGUMENT: Final = f"strange(arguments.key, {_KNOWN_ARGUMENTS}, ('x-',))"
"""The first argument of Create that brokers do not know."""
_SENSELESS: Final = {
    **{
        each: f"item(arguments, '{each}') is not None and number(item(arguments, '{each}')) is None"
        for each in _NUMBERS
    },
    "queue-leader-locator": f"item(arguments, 'queue-leader-locator') not in {_LOCATORS}",
    "max-age": "item(arguments, 'max-age') is not None and "
    "number(first(item(arguments, 'max-age'))) is None",
}
"""Argument of Create to the condition that its value makes no sense."""
_NAMED: Final = " else ".join(f"'{name}' if {test}" for name, test in _SENSELESS.items()) + (
    " else ''"
)
"""The first of them."""
_VALUED: Final = (
    " else ".join(f"item(arguments, '{name}') if {test}" for name, test in _SENSELESS.items())
    + " else ''"
)

ARGUMENTS: Final = (
    Rule(
        id="RMQ-S1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="text not in UTF-8, with misaligned fields after it",
        on="problem:text",
        when="name != 'deliver' and not problem_alone",
        needs="",
        message="{problem_field} of {name} is not valid UTF-8",
        cause="The length counts characters instead of bytes: the text ends inside a character.",
        source=f"{DOC}, Types; rabbitmq-stream-java-client issue 1004",
    ),
    Rule(
        id="RMQ-S1b",
        severity=Severity.WARNING,
        group=Group.MALFORMED,
        title="text not in UTF-8",
        on="problem:text",
        when="name != 'deliver' and problem_alone",
        needs="",
        message="{problem_field} of {name} is not valid UTF-8, although its length fits",
        cause="The text has another encoding, such as Latin-1; peers may reject it or display it "
        "wrongly.",
        source=f"{DOC}, Types",
    ),
    Rule(
        id="RMQ-S1c",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="non-ASCII text with misaligned fields after it",
        on="problem:short problem:trailing problem:count problem:nofit",
        when=f"{NON_ASCII} and sender == 'client'",
        needs="",
        message="{name} has non-ASCII text, and its fields do not fit: {problem_text}",
        cause="A length that counts characters instead of bytes misaligns everything after the "
        "text.",
        source=f"{DOC}, Types; rabbitmq-stream-java-client issue 1004",
    ),
    Rule(
        id="RMQ-S2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="null string where none is allowed",
        on="problem:null",
        needs="",
        message="{problem_field} of {name} is null",
        cause="Only filter values may be null; an empty string has length 0.",
        source=f"{CORE}, parse_request",
    ),
    Rule(
        id="RMQ-S3",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="name longer than 255 bytes",
        on="problem:limit",
        when="name not in ('publish', 'deliver')",
        needs="",
        message="{problem_field} of {name} has more than 255 bytes",
        cause="",
        by="'characters' if non_ascii(problem_value) and len(problem_value) <= 255 else 'bytes'",
        causes={"characters": "The client applies the limit to characters."},
        source=f"{READER}, IS_INVALID_REF; rabbitmq-server issue 12499",
    ),
    Rule(
        id="RMQ-S3b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="invalid stream name",
        on="create",
        when="len(stream) == 0 or len(stream) > 255 or starts(stream, 'amq.')",
        needs="",
        message="Create of '{stream}': a name must {'not be empty' if len(stream) == 0 else 'not "
        "begin with amq.' if starts(stream, 'amq.') else 'have at most 255 bytes'}",
        cause="",
        source="rabbitmq-server v4.3.5, rabbit_stream_manager.erl",
    ),
    Rule(
        id="RMQ-S4",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown subscription property",
        on="subscribe",
        when=f"{_PROPERTY} is not None",
        needs="",
        message=f"Subscribe has the property {{{_PROPERTY}}}, which brokers do not know",
        cause="Brokers ignore it silently; it may be misspelt.",
        source=f"{READER}, single_active_consumer, consumer_name",
        echo_of="RMQ-D15 RMQ-S1",
    ),
    Rule(
        id="RMQ-S4b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unknown stream argument",
        on="create create_super_stream",
        when=f"{_ARGUMENT} is not None",
        needs="",
        message=f"{{name}} has the argument {{{_ARGUMENT}}}, which brokers do not know",
        cause="Some brokers ignore it, others close the connection; it may be misspelt.",
        source="rabbitmq-server v4.3.5, rabbit_stream_manager.erl, stream arguments",
        echo_of="RMQ-S1",
    ),
    Rule(
        id="RMQ-S4c",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid value of a stream argument",
        on="create create_super_stream",
        when=" or ".join(f"({each})" for each in _SENSELESS.values()),
        needs="",
        message=f"{{name}} has the argument {{{_NAMED}}} with the invalid value {{{_VALUED}}}",
        cause="Some brokers ignore it, others close the connection.",
        by=_NAMED,
        causes={
            **dict.fromkeys(_NUMBERS, "The value must be an integer without a unit."),
            "queue-leader-locator": f"The value must be one of {', '.join(_LOCATORS)}.",
            "max-age": "The value must be a number with a unit, such as 7D.",
        },
        source="rabbitmq-server v4.3.5, rabbit_stream_manager.erl, stream arguments",
        echo_of="RMQ-S1",
    ),
    Rule(
        id="RMQ-S5",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stored offset without a consumer name",
        on="store_offset",
        when="len(reference) == 0",
        needs="",
        message="StoreOffset has an empty reference",
        cause="The consumer has no name; all consumers without a name share this offset.",
        source=f"{DOC}, StoreOffset",
    ),
)
