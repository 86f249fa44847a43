"""Rules about values in requests: stream arguments, SASL PLAIN, virtual hosts, partitions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import request_predicates as predicates

_ARGUMENTS: Final = "rabbitmq-server v4.3.5, rabbit_amqqueue.erl, check_max_age_arg"
_MANAGER: Final = "rabbitmq-server v4.3.5, rabbit_stream_manager.erl"

REQUEST_VALUES: Final = (
    Rule(
        id="RMQ-S7",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="max-length-bytes below the segment size",
        on="create create_super_stream",
        when="len(arguments) > 0",
        predicate=predicates.is_below_a_segment,
        reads="arguments",
        needs="",
        per="client, server",
        message="{found}: the stream grows to at least two segments",
        cause="Retention removes whole segments, and never the one that is being written: set "
        "stream-max-segment-size-bytes too.",
        source="rabbitmq/osiris 1.10.3, osiris_log.erl, evaluate_retention",
        healthy="The limit is meant to be a rough one.",
    ),
    Rule(
        id="RMQ-S7b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="max-age of at most an hour with large segments",
        on="create create_super_stream",
        when="item(arguments, 'max-age') is not None",
        predicate=predicates.is_within_a_segment,
        reads="arguments",
        needs="",
        per="client, server",
        message="{found}: messages stay until a whole segment is older",
        cause="Retention removes whole segments, and never the one that is being written: a "
        "stream with little traffic keeps its messages far longer. Set "
        "stream-max-segment-size-bytes too.",
        source="rabbitmq/osiris 1.10.3, osiris_log.erl, evaluate_retention",
        healthy="A stream that fills a segment within this time.",
    ),
    Rule(
        id="RMQ-S8",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="different numbers of partitions and binding keys",
        on="create_super_stream",
        when="len(partitions) != len(binding_keys)",
        needs="",
        message="CreateSuperStream has {len(partitions):count partition}, and binding keys "
        "for {len(binding_keys)}",
        cause="Each partition has one binding key.",
        source=f"{_MANAGER}, create_super_stream",
    ),
    Rule(
        id="RMQ-S6",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stream argument without a unit, or out of range",
        on="create create_super_stream",
        when="len(arguments) > 0",
        predicate=predicates.has_bad_argument,
        reads="arguments",
        needs="",
        message="{found} in {name}",
        cause="A broker stores some of these values as they are, and retention then does not work "
        "as meant; it refuses others.",
        source=f"{_ARGUMENTS}; {_MANAGER}, stream arguments",
        echo_of="RMQ-S1",
    ),
    Rule(
        id="RMQ-N9",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="malformed SASL PLAIN message",
        on="sasl_authenticate",
        when="mechanism == 'PLAIN'",
        predicate=predicates.is_not_plain,
        reads="sasl_opaque_data",
        needs="",
        message="the message of SASL PLAIN {found}; it is a zero byte, the user, a zero byte and "
        "the password",
        cause="The client writes the message in another layout, or encodes it.",
        source="RFC 4616, section 2",
    ),
    Rule(
        id="RMQ-N10",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="percent-encoded virtual host",
        on="open",
        when="len(virtual_host) > 2",
        predicate=predicates.is_percent_encoded,
        reads="virtual_host",
        needs="",
        message="Open names the virtual host {virtual_host}, which may be meant as {found}",
        cause="The client takes the virtual host from a URI and does not decode it.",
        source="RFC 3986, section 2.1; rabbitmq.com, RabbitMQ URI Specification",
    ),
)
"""Rules about values in requests."""
