"""All rules of RabbitMQ Streams, for clients and brokers that misbehave.

Ids are `RMQ-` and: F framing, P wrong peer, N handshake, T tuning and sizes, H heartbeat, X
requests, S text, I ids, U published content, C credit, D deliveries, A single active consumer, M
metadata, V versions, K closing, B what clients do over time. Severities and conditions allow for
what healthy clients of all kinds do. Not rules, since they are inside a client: F11 (the answer to
Credit has no correlation id), F12 (members that an answer with an error leaves out), X5 (commands
without a response); D16 is a measure, `first_delivery_ns`.
"""

from typing import Final

from streamshark.findings.general_rules import general
from streamshark.findings.harm import with_harm
from streamshark.protocols.rabbitmq_stream.findings.arguments import ARGUMENTS
from streamshark.protocols.rabbitmq_stream.findings.client_names import CLIENT_NAMES, REFERENCES
from streamshark.protocols.rabbitmq_stream.findings.connection import CONNECTION, FORBIDDEN
from streamshark.protocols.rabbitmq_stream.findings.continuity import CONTINUITY
from streamshark.protocols.rabbitmq_stream.findings.contradictions import CONTRADICTIONS
from streamshark.protocols.rabbitmq_stream.findings.delays import HELD_BACK
from streamshark.protocols.rabbitmq_stream.findings.deliveries import DELIVERIES
from streamshark.protocols.rabbitmq_stream.findings.filters import FILTERS
from streamshark.protocols.rabbitmq_stream.findings.framing import FRAMING
from streamshark.protocols.rabbitmq_stream.findings.handling import HANDLING
from streamshark.protocols.rabbitmq_stream.findings.handshake import SETTING_UP
from streamshark.protocols.rabbitmq_stream.findings.harm import HARM
from streamshark.protocols.rabbitmq_stream.findings.loops import LOOPS
from streamshark.protocols.rabbitmq_stream.findings.message_contents import (
    FORMATS,
    MESSAGE_CONTENTS,
)
from streamshark.protocols.rabbitmq_stream.findings.names import NAMES
from streamshark.protocols.rabbitmq_stream.findings.object_states import OBJECT_STATES
from streamshark.protocols.rabbitmq_stream.findings.offsets import OFFSETS
from streamshark.protocols.rabbitmq_stream.findings.placement import PLACEMENT
from streamshark.protocols.rabbitmq_stream.findings.programs import PROGRAMS
from streamshark.protocols.rabbitmq_stream.findings.publishing import PUBLISHING, RESENDING
from streamshark.protocols.rabbitmq_stream.findings.recovery import RECOVERY
from streamshark.protocols.rabbitmq_stream.findings.repeated_names import REPEATED_NAMES
from streamshark.protocols.rabbitmq_stream.findings.request_values import REQUEST_VALUES
from streamshark.protocols.rabbitmq_stream.findings.requests import REQUESTS
from streamshark.protocols.rabbitmq_stream.findings.restoring import RECONNECTS, UPDATES
from streamshark.protocols.rabbitmq_stream.findings.resumption import (
    CHUNK_OFFSETS,
    NEW_MESSAGES,
    RESUMPTION,
)
from streamshark.protocols.rabbitmq_stream.findings.single_active_consumers import (
    MEMBERS,
    MEMBERS_FILTERS,
    SINGLE_ACTIVE_CONSUMERS,
    TAKEOVERS,
)
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE
from streamshark.protocols.rabbitmq_stream.findings.streams import IN_USE, STREAMS
from streamshark.protocols.rabbitmq_stream.findings.subscriptions import SUBSCRIPTIONS
from streamshark.protocols.rabbitmq_stream.findings.super_streams import ROUTING, SUPER_STREAMS
from streamshark.protocols.rabbitmq_stream.findings.waste import LEFT_OPEN, WASTE

BEHAVIOURS: Final = (
    *LOOPS, *LEFT_OPEN, *WASTE, *RESUMPTION, *RECONNECTS, *NEW_MESSAGES, *TAKEOVERS, *REFERENCES,
    *MEMBERS, *CLIENT_NAMES, *SUPER_STREAMS, *FORMATS, *FILTERS, *UPDATES, *ROUTING, *FORBIDDEN,
    *RESENDING, *IN_USE, *CHUNK_OFFSETS, *MEMBERS_FILTERS,
)  # fmt: skip
"""Rules for what clients do over time."""

RULES: Final = tuple(with_harm((
    *FRAMING, *SETTING_UP, *CONNECTION, *SINGLE_ACTIVE_CONSUMERS, *STREAMS, *REQUESTS,
    *ARGUMENTS, *REQUEST_VALUES, *NAMES, *PUBLISHING, *MESSAGE_CONTENTS,
    *HELD_BACK, *SUBSCRIPTIONS, *DELIVERIES, *OFFSETS, *BEHAVIOURS, *PLACEMENT, *REPEATED_NAMES,
    *CONTINUITY, *OBJECT_STATES, *PROGRAMS, *CONTRADICTIONS, *HANDLING, *RECOVERY,
    *general("RMQ", CORE, "RabbitMQ stream"),
), HARM))  # fmt: skip
"""Read by the judge, `streamshark.findings`."""
