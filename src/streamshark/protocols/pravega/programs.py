"""What the parts of programs that use Pravega do over time: timers, acknowledgements, writers.

`parts.py` lists how they fail, and `program_rules.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import CAPTURED, Action, Constant, Lifecycle, Table
from streamshark.protocols.pravega.row_names import IS_SIGNED, READS_REFUSED, SHOWING

PAIRED: Final = (
    "(t - C.ticked_t) * 10 < C.tick_gap and C.tick_gap >= TICK and "
    "coalesce(count(conn.set_up_ids), 0) <= 1"
)
"""KEEP_ALIVE comes in a tenth of the time between the two before it, on a connection of one writer.

Clients may have a timer for each writer."""
ACKNOWLEDGED: Final = "t - oldest_t(writer.waiting)"
"""How long the oldest event that DATA_APPENDED acknowledges has waited."""

PROGRAMS: Final[tuple[Table, ...]] = (
    Constant(name="TICK", value="1 s", doc="Shortest interval of a timer for KEEP_ALIVE."),
    Constant(name="PAIRS_LIMIT", value=4, doc="Pairs of KEEP_ALIVE in a row."),
    Constant(name="ACK_CLIMB", value=7, doc="Acknowledgements in a row that take longer each."),
    Constant(name="ACK_SLOW", value="200 ms", doc="Time to acknowledge that is noticed."),
    Constant(name="SET_UP_AGAIN", value="10 s",
             doc="Time in which a writer is set up again on another connection."),
    Repetition(
        name="paired_alive",
        on="client:keep_alive",
        when=PAIRED,
        per="C",
        limit="PAIRS_LIMIT",
        pause="120 s",
        breaks="client:keep_alive",
        breaks_when=f"not ({PAIRED}) and C.tick_paired == 0",
        may_back_off=False,
    ),
    Action(
        on="setup_append",
        do="put(conn.set_up_ids, coalesce(writer_id, connection_id))",
    ),
    Action(
        on="client:keep_alive",
        do=f"C.tick_paired = 1 if {PAIRED} else 0; C.tick_gap = t - C.ticked_t; C.ticked_t = t",
    ),
    Action(
        on="data_appended",
        when=f"{ACKNOWLEDGED} is not None",
        do=f"writer.climb = coalesce(writer.climb, 0) + 1 if {ACKNOWLEDGED} > writer.ack_took "
        f"else 0; writer.climb_from = writer.climb_from if writer.climb > 0 else {ACKNOWLEDGED}; "
        f"writer.climb_n = writer.climb_n if writer.climb > 0 else n; "
        f"writer.ack_took = {ACKNOWLEDGED}",
    ),
    Lifecycle(
        name="holder",
        scope="capture",
        doc="A writer that a connection has ended with events open.",
        key={
            "end:writer": "writer.id if writer.sent > writer.acked else None",
            "setup_append": "coalesce(writer_id, connection_id)",
        },
        most=4096,
    ),
    Lifecycle(
        name="dweller",
        scope="capture",
        doc="A client: when it was seen to write.",
        key={
            "setup_append": "client",
            "append_block_end conditional_append": "client",
            "end:holder": "holder.client",
        },
        most=1024,
    ),
    Action(
        on="end:writer",
        when="writer.sent > writer.acked and why in ('closed', 'reset') and "
        f"writer.state == 'set_up' and writer.sealed_n is None and {CAPTURED}",
        do="holder.left_t = t; holder.left_n = writer.sent_n; holder.client = client; "
        "holder.segment = writer.segment",
    ),
    Action(on="setup_append", do="holder.left_t = None"),
    Action(on="setup_append append_block_end conditional_append",
           do="dweller.wrote_t = t; dweller.wrote_n = n"),
    Constant(name="TOKEN_TIME", value="100 ms",
             doc="Time in which requests still cross with the refusal of their token."),
    Constant(name="ASTRAY_LIMIT", value=6, doc="Requests for a segment that its store refuses."),
    Constant(name="ASTRAY_TIME", value="30 s", doc="Time in which a store gets its containers."),
    Constant(name="SEAL_AWAY", value="10 s", doc="Time in which a client writes to successors."),
    Lifecycle(
        name="purse",
        scope="capture",
        doc="A client, and the token of it that a segment store has refused.",
        key={
            SHOWING: f"client if {IS_SIGNED} else None",
            "auth_token_check_failed": "client if C.shown is not None else None",
        },
        most=1024,
    ),
    Action(on=SHOWING, when=IS_SIGNED, do="C.shown = delegation_token"),
    Action(
        on="auth_token_check_failed",
        do="purse.refused = C.shown; purse.refused_t = t; purse.refused_n = n",
    ),
    Repetition(
        name="astray",
        on="wrong_host",
        when="len(correct_host) == 0 and not starts(segment, '_system/')",
        per="client, server, segment",
        question="coalesce(req.n, n)",
        limit="ASTRAY_LIMIT",
        pause="60 s",
        success="append_setup",
        may_back_off=False,
    ),
    Action(
        on="read_segment",
        do="input.asked = fields.offset; input.asked_t = t; input.asked_n = n",
    ),
    Action(
        on="segment_read",
        do="input.asked_t = None if fields.offset == input.asked else input.asked_t; "
        "input.more = 1 if at_tail == 0 and end_of_segment == 0 and len(data) > 0 else 0",
    ),
    Action(on=READS_REFUSED, do="S.refused_read_t = t"),
)  # fmt: skip
"""Part of the tables of the protocol."""
