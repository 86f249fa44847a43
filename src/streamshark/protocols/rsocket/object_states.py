"""The tables that follow the state of routes, streams and sessions of RSocket.

`states.py` lists what contradicts it, and `findings/object_states.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Churn, Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_REFUSED: Final = "fields.stream_id > 0 and side != stream.owner"

OBJECT_STATES: Final[tuple[Table, ...]] = (
    Constant(name="NEVER_LIMIT", value=5, doc="Refusals of one route, of which none is served."),
    Constant(name="REJECTED_LIMIT", value=6, doc="Rejected requests in a row."),
    Constant(name="PAGES_LIMIT", value=4, doc="Streams of one route, each cancelled when full."),
    Repetition(
        name="never_served",
        on="error",
        when=f"{_REFUSED} and len(stream.route) > 0",
        per="client, server, stream.model, stream.route",
        same="error_code",
        question="stream.n",
        limit="NEVER_LIMIT",
        pause="60 s",
        may_back_off=False,
        breaks="end:stream",
        breaks_when="why in ('done', 'sent') and len(stream.route) > 0",
    ),
    Repetition(
        name="rejected_on",
        on="error",
        when=f"{_REFUSED} and error_code == 514 and not coalesce(conn.leases, 0)",
        per="flow",
        question="stream.n",
        limit="REJECTED_LIMIT",
        pause="1 s",
        breaks="end:stream",
        breaks_when="why == 'done'",
    ),
    Lifecycle(
        name="replies",
        scope="capture",
        doc="A route of a server whose requests are answered.",
        key={
            "end:stream": "(server, stream.route) if stream.model == 'request_response' and "
            "stream.items > 0 and len(stream.route) > 0 else None",
            "client:request_fnf": "(server, digest(metadata)) if complete and "
            "len(metadata) > 0 else None",
        },
        most=4096,
    ),
    Action(
        on="end:stream",
        when="stream.model == 'request_response' and stream.items > 0",
        do="replies.done_n = stream.n",
    ),
    Churn(
        name="pages",
        life="stream",
        per="flow, stream.route",
        when="stream.model == 'request_stream' and stream.state == 'cancelled' and "
        "stream.items > 1 and stream.items == stream.requested",
        limit="PAGES_LIMIT",
    ),
    Action(
        on="request_channel",
        when="complete",
        do="stream.bare = 1 if coalesce(len(metadata), 0) == 0 else 0",
    ),
    Action(
        on="cancel",
        when="stream.model == 'request_channel' and side != stream.owner",
        do="stream.unwanted_t = coalesce(stream.unwanted_t, t)",
    ),
    Action(on="setup", do="session.over_n = None"),
    Action(
        on="error",
        when="fields.stream_id == 0 and error_code in (257, 258) and session.flow == flow",
        do="session.over_n = n; session.over_code = error_code",
    ),
)  # fmt: skip
"""Part of the tables of the protocol."""
