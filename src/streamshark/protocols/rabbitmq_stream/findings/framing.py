"""Rules for frames that do not parse, and for bytes of other protocols."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import AFTER_OPEN
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER

_OWN: Final = (
    "name not in ('heartbeat', 'tune', 'tune_response', 'consumer_update_response', 'subscribe', "
    "'publish', 'deliver')"
)
"""The command has rules of its own for bytes that do not fit."""
NON_ASCII: Final = (
    "(non_ascii(stream) or non_ascii(publisher_reference) or non_ascii(reference) or "
    "non_ascii(properties) or non_ascii(arguments) or non_ascii(virtual_host) or "
    "non_ascii(peer_properties))"
)
_BY_CLIENTS: Final = (
    "declare_publisher_response query_publisher_sequence_response delete_publisher_response "
    "subscribe_response query_offset_response unsubscribe_response create_response "
    "delete_response metadata_response peer_properties_response sasl_handshake_response "
    "sasl_authenticate_response open_response route_response partitions_response "
    "exchange_command_versions_response stream_stats_response create_super_stream_response "
    "delete_super_stream_response resolve_offset_spec_response credit_response"
)
"""Responses that only servers send."""
_SENT_BY_SERVERS: Final = "publish_confirm publish_error deliver metadata_update consumer_update"
WRONG: Final = (
    f"sender == 'client' and name in {tuple((_BY_CLIENTS + ' ' + _SENT_BY_SERVERS).split())}"
)

FRAMING: Final = (
    Rule(
        id="RMQ-F1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="frame with 4 bytes too many: size field counts itself",
        on="problem:trailing",
        when=f"problem_length == 4 and {_OWN} and not ({WRONG})",
        needs="",
        message="{name} has 4 bytes after its last field, the length of the size field",
        cause="The sender counts the size field itself, so that the frame includes the size of the "
        "next one; or it writes a 4-byte field that the command does not have.",
        source=f"{DOC}, Frame Structure",
    ),
    Rule(
        id="RMQ-F1b",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="bytes outside any frame of the stream protocol",
        on="tcp.resync",
        when="conn.state not in ('absent', 'unknown') and me.last_n is not None and conn.whole"
        " and reason not in ('a gap interrupts this frame', "
        "'the connection or capture ended first')",
        needs="start",
        evidence="me.last_n",
        message="no frame starts after frame {me.last_n}: {skipped:count byte} skipped",
        cause="The size of that frame is wrong, or the bytes after it are no frame.",
        source=f"{DOC}, Frame Structure; {CORE}, incoming_data",
        echo_of="error",
    ),
    Rule(
        id="RMQ-F2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="frame too short for a key and a version",
        on="problem:length",
        needs="",
        message="the frame size of {size - 4} leaves no room for a key and a version",
        cause="",
        by="size",
        causes={4: "The sender writes an empty frame; old brokers crash on it."},
        source=f"{CORE}, incoming_data; rabbitmq-server issue 15703",
    ),
    Rule(
        id="RMQ-F3",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="trailing bytes after the last field",
        on="problem:trailing",
        when=f"problem_length != 4 and {_OWN} and not {NON_ASCII} and not ({WRONG})",
        needs="",
        message="{name} has {problem_length:count byte} after its last field",
        cause="The sender writes a field that the command does not have, or miscounts.",
        source=f"{CORE}, parse_request",
    ),
    Rule(
        id="RMQ-F4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="field longer than the rest of the frame",
        on="problem:short problem:nofit",
        when=f"{_OWN} and not {NON_ASCII} and not ({WRONG})",
        needs="",
        message="{problem_field} of {name} is longer than the rest of the frame",
        cause="The length of a string, of bytes or of a list is wrong, or fields are missing.",
        source=f"{CORE}, parse_request",
    ),
    Rule(
        id="RMQ-F5",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="unknown command key",
        on="problem:unknown_key",
        when="key != 23",
        needs="",
        message="no command up to RabbitMQ 4.3 has the key {key}",
        cause="The command belongs to a newer release, or to another protocol.",
        by="'swapped' if key // 256 * 256 == key else 'other'",
        causes={"swapped": "The key is written in little-endian byte order."},
        source=f"{DOC}, Commands; {CORE}, parse_request",
    ),
    Rule(
        id="RMQ-F6",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="unknown command version",
        on="problem:unknown_version",
        needs="",
        message="key {key} has no version {version} up to RabbitMQ 4.3",
        cause="Each command has its own versions: the sender writes the version of another "
        "command, or runs a newer release.",
        source=f"{DOC}, Publish, Deliver; {CORE}, parse_request",
    ),
    Rule(
        id="RMQ-F7",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="Heartbeat with a body or the response bit",
        on="problem:unknown_key problem:trailing",
        when="problem == 'unknown_key' and key == 23 or name == 'heartbeat'",
        needs="",
        message="Heartbeat has {'the response bit set' if problem == 'unknown_key' else 'a body'}",
        cause="A Heartbeat is not answered: each peer sends its own.",
        source=f"{DOC}, Heartbeat; {CORE}, parse_request",
    ),
    Rule(
        id="RMQ-F8",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="command sent in the wrong direction of the stream protocol",
        on=" ".join(f"client:{each}" for each in _SENT_BY_SERVERS.split())
        + " "
        + " ".join(f"server:{each}" for each in (AFTER_OPEN + " open sasl_handshake").split()),
        needs="start",
        message="the {sender} sent {name}, which only the other peer sends",
        cause="The sender uses the key of a command for the other direction.",
        source=f"{DOC}, Commands; {READER}, handle_frame_post_auth",
    ),
    Rule(
        id="RMQ-F9",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="response bit set in a client's request",
        on=" ".join(f"client:{each}" for each in _BY_CLIENTS.split()),
        needs="start",
        message="the client sent {name}, which only servers send",
        cause="The client sets the response bit in a request.",
        source=f"{DOC}, Response; {CORE}, parse_command",
    ),
    Rule(
        id="RMQ-F10",
        severity=Severity.WARNING,
        group=Group.MALFORMED,
        title="list count mismatch",
        on="problem:count",
        when=f"not {NON_ASCII} and name != 'deliver'",
        needs="",
        message="the count of {problem_field} in {name} is not the number of its items",
        cause="Brokers ignore the count and read to the end of the frame.",
        source=f"{DOC}, Types; {CORE}, parse_map",
    ),
    Rule(
        id="RMQ-F13",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="bytes missing in the capture",
        on="tcp.gap",
        needs="",
        evidence="me.last_n",
        message="{length:count byte} missing in the capture",
        cause="Packets were lost when they were captured: the buffer was full, or packets were "
        "truncated or filtered.",
        healthy="This concerns the capture, not the two peers.",
        source="RFC 9293, section 3.10.7.4",
    ),
    Rule(
        id="RMQ-P1",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="bytes of another protocol instead of the stream protocol",
        on="problem:foreign",
        needs="both",
        per="client, server, sender, problem_text",
        message="the {sender} does not speak the stream protocol: {problem_text}",
        cause="",
        by="'tls' if starts(problem_text, 'these bytes are TLS') else 'amqp' if "
        "starts(problem_text, 'these bytes are AMQP') and sender == 'server' else 'other'",
        causes={
            "tls": "TLS is sent to a port without TLS.",
            "amqp": "The client connected to the AMQP port.",
        },
        source="AMQP 0-9-1, section 4.2.2; rabbitmq-stream-go-client issue 143",
    ),
)
