"""How parts of programs work over time: what stores the place, what reads, what publishes."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

REFUSED: Final = "len(async_error.message) > 0 or coalesce(ack.ack_error, 0) > 0"
"""The row refuses a message."""
GOES_ON: Final = (
    "reader.sets >= SETS_LIMIT and sub.last - reader.set_to > 2 * reader.set_step and "
    "sub.last - reader.set_to >= SETS_LIMIT and t - reader.set_t > SETS_STOP and "
    "t - reader.set_t > 10 * reader.set_gap and reader.setter == flow"
)
"""A subscription has ended long after the last of several cursors, and messages came after it."""
COMES_AGAIN: Final = (
    "sub.n != reader.by_sub and reader.by_flow == flow and coalesce(offset, 0) <= reader.newest"
)
"""Another subscription of the connection has received the message before."""
NOT_ASSIGNED: Final = (
    "claim.got_n > sub.granted_n and not any_eq(claim.partitions, coalesce(partition, 0))"
)
"""The row brings a partition that the latest assignments of the consumer lack."""

PROGRAMS: Final[tuple[Table, ...]] = (
    Constant(name="SETS_LIMIT", value=3, doc="Cursors that a consumer sets as it goes on."),
    Constant(name="SETS_STOP", value="2 s", doc="Time without a cursor after which it stopped."),
    Constant(name="STARTS_LIMIT", value=3, doc="Connections in a row that begin at one offset."),
    Constant(name="TURNS_LIMIT", value=3, doc="Times that two subscriptions take turns."),
    Constant(name="REVOKED", value="1 s", doc="Time in which a member gives a partition up."),
    Action(
        on="set_cursor_request",
        do="reader.set_gap = max(coalesce(reader.set_gap, 0), t - coalesce(reader.set_t, t)); "
        "reader.set_step = max(coalesce(reader.set_step, 0), "
        "coalesce(offset, 0) - coalesce(reader.set_to, coalesce(offset, 0))); "
        "reader.set_to = coalesce(offset, 0); reader.set_t = t; reader.set_at = n; "
        "reader.setter = flow; reader.sets = coalesce(reader.sets, 0) + 1",
    ),
    Lifecycle(
        name="begun",
        scope="capture",
        doc="An offset of a partition at which connections of a client begin, and end soon.",
        key={
            "end:sub": "(client, sub.stream, sub.partition, sub.start) if sub.start is not None "
            "and why in ('closed', 'reset') and conn.left == 1 and conn.cut is None and "
            "sub.count > 1 and sub.stops is None else None"
        },
        most=1024,
    ),
    Action(
        on="end:sub",
        do="begun.times = coalesce(begun.times, 0) + 1; "
        "begun.first_n = coalesce(begun.first_n, sub.asked_n)",
    ),
    Action(
        on="subscribe_request",
        do="reader.opened = coalesce(reader.opened, 0) + 1 if reader.opened_by == flow else 1; "
        "reader.opened_by = flow",
    ),
    Action(
        on="message",
        when="reader.opened > 1",
        do=f"reader.turns = coalesce(reader.turns, 0) + 1 if {COMES_AGAIN} else "
        "reader.turns if coalesce(offset, 0) > coalesce(reader.newest, -1) else 0; "
        "reader.by_sub = sub.n; reader.by_flow = flow; "
        "reader.newest = max(coalesce(reader.newest, -1), coalesce(offset, 0))",
    ),
    Action(
        on="publish_response",
        when=REFUSED,
        do="conn.failed_n = n",
    ),
    Action(on="publish_request set_cursor_request", do="conn.failed_n = None"),
    Action(
        on="message",
        when=f"sub.granted_n is not None and {NOT_ASSIGNED}",
        do="sub.revoked_t = coalesce(sub.revoked_t, claim.got_t)",
    ),
    Action(on="fetch_consumer_group_assignments_response", do="conn.assigned = 1"),
    Action(
        on="message",
        when="conn.assigned == 1 and any_eq(claim.partitions, coalesce(partition, 0))",
        do="sub.granted_n = n; sub.revoked_t = None",
    ),
)
"""Part of the tables of the protocol."""
