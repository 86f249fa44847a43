"""How peers of RSocket go on: what a new SETUP keeps, items that repeat, connections of one use."""

from typing import Final

from streamshark.conversations.behaviours import Churn, Count, Leak, Ratio, RoundTrips
from streamshark.conversations.tables import Action, Constant, Table

CONSTANTS: Final = (
    Constant(name="COMPARED", value=16, doc="First items of a stream that are compared."),
    Constant(name="ITEM_PAIRS", value=3, doc="Items of a stream that each come twice."),
    Constant(name="SAME_ITEMS", value=8, doc="The same item in a row."),
    Constant(name="TELLING", value=16, doc="Bytes of items that are not equal by chance."),
    Constant(name="EMPTY_ITEMS", value=3, doc="Items of a stream without data and metadata."),
    Constant(name="LONG_LEASE", value=86_400_000, doc="Milliseconds of a lease of a day."),
    Constant(name="STUCK", value="200 ms", doc="Time in which a peer that reads gets something."),
    Constant(name="UNREAD", value=16, doc="Streams that wait for answers which are not read."),
    Constant(name="FREED_LIMIT", value=4, doc="Connections that are left open after their use."),
    Constant(name="UNNOTICED", value="5 s", doc="Time in which a client notices a FIN."),
    Constant(name="PUSHES", value=5, doc="METADATA_PUSH frames, one for each request."),
    Constant(name="ROUTES_LIMIT", value=5, doc="Requests one by one whose routes differ."),
    Constant(name="NUMBERED", value=96, doc="Items of a side whose numbers are compared."),
    Constant(name="FIRST_ITEMS", value=32, doc="Items of a stream whose numbers are compared."),
    Constant(name="IN_ORDER", value=4, doc="Numbers one after another that promise the next."),
    Constant(name="BRIEF_FRAMES", value=24, doc="Frames of a client that asks for one thing."),
)  # fmt: skip

SETTINGS: Final[tuple[Table, ...]] = (
    Churn(
        name="one_use",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and conn.refused_n is None and C.asked == 1 and "
        "4 < C.frames <= BRIEF_FRAMES",
        limit="RECONNECT_LIMIT",
        pause="5 s",
    ),
    Leak(
        name="freed",
        life="conn",
        per="client, server",
        when="conn.setup_n is not None and C.asked > 1 and coalesce(S.asked, 0) == 0 and "
        "conn.left is None and conn.last_t - C.opened_t > IDLE and live(stream) == 0",
        limit="FREED_LIMIT",
        percent_left=50,
    ),
    Action(
        on="request_stream request_channel",
        when="peer.frames == 0",
        do="me.hoped = coalesce(me.hoped, 0) + 1; me.hoped_t = coalesce(me.hoped_t, t)",
    ),
)
"""What a client keeps of its settings, and connections of one use."""

NUMBERED_ITEM: Final = (
    "side != stream.owner and complete and flags.next and coalesce(me.numbered, 0) < NUMBERED and "
    "0 < len(data) <= 256 and stream.model != 'request_response' and "
    "coalesce(count(stream.firsts), 0) < FIRST_ITEMS"
)
"""One of the first items of a side, whose numbers are compared with those before it."""

ITEMS: Final[tuple[Table, ...]] = (
    Action(
        on="payload",
        when="stream.items <= COMPARED and stream.model != 'request_response' and "
        "side != stream.owner and complete and flags.next and TELLING <= len(data) <= 4096",
        do="stream.equal = 1 if data == stream.item else 0; "
        "stream.pairs = (coalesce(stream.pairs, 0) + 1 if stream.run == 1 else 0) "
        "if stream.equal == 1 else stream.pairs if stream.run == 2 else 0; "
        "stream.run = stream.run + 1 if stream.equal == 1 else 1; stream.item = data; "
        "stream.same_n = n",
    ),
    Action(
        on="payload",
        when="stream.items <= COMPARED and flags.next and coalesce(len(data), 0) == 0 and "
        "coalesce(len(metadata), 0) == 0 and stream.model != 'request_response'",
        do="stream.empties = coalesce(stream.empties, 0) + 1; stream.empty_n = n",
    ),
    Action(
        on="payload",
        when=f"{NUMBERED_ITEM} and stream.items == coalesce(count(stream.firsts), 0) + 1",
        do="me.numbered = coalesce(me.numbered, 0) + 1; put(stream.firsts, (n, data))",
    ),
)
"""The first items of streams."""

ROUTES: Final[tuple[Table, ...]] = (
    RoundTrips(
        name="routed_singly",
        ask="request_response",
        when="complete and coalesce(len(data), 0) == 0 and 4 <= len(metadata) <= 1024",
        answer="payload",
        answer_when="stream.model == 'request_response' and side != stream.owner and complete",
        per="conn",
        distinct="metadata",
        limit="ROUTES_LIMIT",
    ),
)
"""Requests one by one whose routes differ."""

PUSHES: Final[tuple[Table, ...]] = (
    Ratio(
        name="pushed_singly",
        per="conn",
        of=Count("client:metadata_push"),
        to="C.asked",
        least="PUSHES",
        percent=80,
    ),
)
"""METADATA_PUSH beside requests."""

CONTINUITY: Final[tuple[Table, ...]] = (*CONSTANTS, *SETTINGS, *ITEMS, *ROUTES, *PUSHES)
"""Part of the tables of the protocol."""
