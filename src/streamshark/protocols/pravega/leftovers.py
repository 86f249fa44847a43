"""What clients leave: events that were lost with a connection, and idle connections."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_OWES: Final = (
    "writer.ready_n is not None and conn.start and conn.whole and why in ('closed', 'reset') and "
    "(writer.sent > writer.acked or C.block_n is not None and C.block_writer == writer.id)"
)
"""The connection of a writer ended with events that the store may not have."""
_ASKED_ONCE: Final = (
    "conn.finished == 1 and C.frames - coalesce(conn.alives, 0) == 2 and conn.start and conn.whole"
)
"""The client has ended a connection that had HELLO and one request."""

LEFTOVERS: Final[tuple[Table, ...]] = (
    Constant(name="SENT_AGAIN", value="5 s", doc="Time in which a writer sends lost events again."),
    Constant(
        name="CROWD_LIMIT",
        value=12,
        doc="Connections for one request each, more than a pool has for one store.",
    ),
    Constant(name="CROWD_TIME", value="1 s", doc="Time in which a program closes all of them."),
    Lifecycle(
        name="debt",
        scope="capture",
        doc="The events of a writer that were not acknowledged when its connection ended.",
        key={
            "end:writer": f"(server, writer.segment, writer.id) if {_OWES} else None",
            "append_setup": "(server, segment, writer_id)",
        },
        most=4096,
    ),
    Action(
        on="append_setup",
        when="debt.sent > last_event_number",
        do="writer.owed = debt.sent; writer.owed_n = debt.sent_n; writer.owed_after = "
        "last_event_number; writer.owed_t = t; debt.sent = None",
    ),
    Action(
        on="end:writer",
        when=_OWES,
        do="debt.sent = writer.sent if C.block_n is None or C.block_writer != writer.id else "
        "max(writer.sent, writer.acked) + 1; debt.sent_n = coalesce(C.block_n, writer.sent_n)",
    ),
    Lifecycle(
        name="crowd",
        scope="capture",
        doc="The connections of a client for one request each, as it closes them.",
        key={"end:conn": f"(client, server) if {_ASKED_ONCE} else None"},
        most=1024,
    ),
    Action(
        on="end:conn",
        when=f"{_ASKED_ONCE} and t - crowd.begun_t > CROWD_TIME",
        do="crowd.begun_t = None",
    ),
    Action(
        on="end:conn",
        when=_ASKED_ONCE,
        do="crowd.count = 1 if crowd.begun_t is None else crowd.count + 1; "
        "crowd.first_n = C.last_n if crowd.begun_t is None else crowd.first_n; "
        "crowd.oldest_t = C.last_t if crowd.begun_t is None else min(crowd.oldest_t, C.last_t); "
        "crowd.begun_t = coalesce(crowd.begun_t, t)",
    ),
)
"""Part of the tables of the protocol."""
