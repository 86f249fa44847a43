"""The state of streams, cursors and groups of Liftbridge, and what contradicts it.

| object | state | what contradicts it |
|---|---|---|
| cursor | does not exist, which is answered with -1 | a subscription at a negative offset |
| cursor | nothing has been read | it is set to a negative offset |
| stream | another client receives messages of it | it is deleted |
| cluster | has so many servers | a stream with more replicas |
| group | has an epoch that was answered | assignments are fetched with an older one |
| message | its offset is to be compared | no ack is wanted |
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

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
)
"""Part of the tables of the protocol."""
