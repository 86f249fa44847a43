"""The tables that follow the state of streams, cursors and groups of Liftbridge.

`states.py` lists what contradicts it, and `object_state_rules.py` has the rules.
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

OFFSET_TAKEN: Final = (
    "conn.compares is not None and starts(async_error.message, 'incorrect expected offset')"
)
"""The row refuses a message, because another one has the offset that it expects."""

OBJECT_STATES: Final[tuple[Table, ...]] = (
    Constant(name="RECEIVING", value="2 s", doc="Time since the last message of a stream."),
    Lifecycle(
        name="watched",
        scope="capture",
        doc="A stream, and who received a message of it last.",
        key={
            "message": "(server, stream) if stream is not None else None",
            "delete_stream_request": "server, fields.name",
        },
    ),
    Action(
        on="message",
        when="stream is not None",
        do="watched.flow = flow; watched.read_t = t; watched.read_n = n",
    ),
    Action(
        on="fetch_metadata_response",
        when="len(brokers) > 0",
        do="conn.brokers = len(brokers); conn.brokers_n = n",
    ),
    Lifecycle(
        name="node",
        scope="capture",
        doc="A server by its id, as its cluster has listed it to a client.",
        key={
            "fetch_metadata_response": "client, brokers.id",
            "fetch_consumer_group_assignments_request": "client, member.coordinator",
        },
        most=1024,
    ),
    Action(
        on="fetch_metadata_response",
        items="brokers",
        do="node.host = brokers.host; node.port = brokers.port; node.listed_n = n",
    ),
    Action(
        on="join_consumer_group_response",
        do="member.coordinator = coordinator; member.joined_n = n",
    ),
    Constant(name="RACE_LIMIT", value=12, doc="Refused messages that make a stream contested."),
    Action(
        on="publish_request",
        when="expected_offset > 0 and carrier.method == 'PublishAsync'",
        do="conn.compares = stream; conn.compares_n = n",
    ),
    Lifecycle(
        name="race",
        scope="capture",
        doc="A stream to which clients publish under the condition of its end.",
        key={"publish_response": "(server, conn.compares) if conn.compares is not None else None"},
        most=1024,
    ),
    Action(
        on="publish_response",
        when=OFFSET_TAKEN,
        do="race.refused = coalesce(race.refused, 0) + 1; put(race.writers, flow); "
        "race.refused_n = coalesce(race.refused_n, n)",
    ),
    Action(
        on="publish_response",
        when="conn.compares is not None and ack.stream == conn.compares and "
        "coalesce(ack.ack_error, 0) == 0",
        do="race.agreed = coalesce(race.agreed, 0) + 1",
    ),
)
"""Part of the tables of the protocol."""
