"""ExchangeCommandVersions (0x1b): both sides list the command versions that they support (3.11.0).

Allowed only after Open. What the lists mean, on which the document is silent: the server lists
only commands that a client begins (`rabbit_stream_utils.erl`, `command_versions`); of the
client's list it reads Deliver alone, and sends Deliver 2 for the rest of the connection if that
entry's greatest version is exactly 2 (`rabbit_stream_reader.erl`, `process_client_command_api`).
A key that the broker does not know ends the connection without Close. Publish 2 needs no
agreement.

Spec: PROTOCOL.adoc, "ExchangeCommandVersions".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME,
    RESPONSE,
    last_array,
)
from streamshark.schema import U16, FrameKind, FrameSchema, Record, Sender, field

_COMMANDS = last_array(
    Record(
        field("key", U16, "Command, without the response bit.", names=Key, base="hex"),
        field("min_version", U16, "Lowest version spoken."),
        field("max_version", U16, "Highest version spoken."),
    )
)

FRAMES = (
    FrameSchema(
        name="exchange_command_versions",
        key=Key.EXCHANGE_COMMAND_VERSIONS,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Lists the command versions of the client.",
        spec="PROTOCOL.adoc, ExchangeCommandVersions",
        since="3.11.0",
        negotiates=True,
        body=(
            CORRELATION_ID,
            field("commands", _COMMANDS, "What the client speaks."),
        ),
        shows="{commands.key}:{commands.min_version}-{commands.max_version}",
    ),
    FrameSchema(
        name="exchange_command_versions",
        key=Key.EXCHANGE_COMMAND_VERSIONS,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Lists the command versions of the server.",
        spec="PROTOCOL.adoc, ExchangeCommandVersions",
        since="3.11.0",
        negotiates=True,
        body=(
            *RESPONSE,
            field(
                "commands",
                _COMMANDS,
                "Commands that a client may begin, as the server speaks them.",
            ),
        ),
        shows=f"{{commands.key}}:{{commands.min_version}}-{{commands.max_version}} {OUTCOME}",
    ),
)
