"""What clients do after a failure: new consumers that end, publishers that stay away or send less.

And connections that pile up. `findings/recovery.py` has the rules.
"""

from typing import Final

from streamshark.conversations.tables import CAPTURED, Action, Constant, Lifecycle, Table
from streamshark.protocols.rabbitmq_stream.behaviours import CLIENT_LEAVES, PROGRAM, SENT

CONSTANTS: Final = (
    Constant(name="GAVE_UP", value="10 s",
             doc="Silence of a broker at which its client gives it up."),
    Constant(name="STAYS_AWAY", value="10 s", doc="Time in which a client connects again."),
    Constant(name="PILED", value=6, doc="Connections without use while others are opened."),
    Constant(name="PILED_FOR", value="1 s", doc="Time in which a client closes a connection."),
    Constant(name="PILED_AGAIN", value=2, doc="Connections that are opened beside them."),
    Constant(name="TRIED_AGAIN", value="10 s",
             doc="Time in which a client tries again what was refused for now."),
    Constant(name="PACED", value=50, doc="Messages of a publisher from which its pace is known."),
    Constant(name="PACED_FOR", value="3 s", doc="Time in which its pace is known."),
    Constant(name="PACED_AGAIN", value="10 s", doc="Time in which its next pace is known."),
    Constant(name="SLOWER", value=2, doc="Times by which a publisher is slower than before."),
)  # fmt: skip

NEW_CONSUMERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="newcomer",
        scope="capture",
        doc="A client that has no stored offset in a stream, and has not subscribed to it.",
        key={
            "query_offset_response": "(client, conn.vhost, req.stream) "
            "if response_code == 19 else None",
            "subscribe": "client, conn.vhost, stream",
            "client:tcp.close client:tcp.reset": "(client, conn.vhost, conn.new_in) "
            "if conn.new_n is not None else None",
        },
        most=4096,
    ),
    Action(
        on="query_offset_response",
        when="response_code == 19",
        do="conn.new_in = req.stream; conn.new_n = n",
    ),
    Action(
        on="client:tcp.close client:tcp.reset",
        when="conn.new_n == S.last_n and t - S.last_t < GONE and conn.close_n is None and "
        f"coalesce(conn.first_fin, C.side) == C.side and {CAPTURED}",
        do="newcomer.times = coalesce(newcomer.times, 0) + 1; "
        "newcomer.since_t = coalesce(newcomer.since_t, t); "
        "newcomer.first_n = coalesce(newcomer.first_n, conn.new_n); "
        "newcomer.latest_n = conn.new_n; newcomer.stream = conn.new_in; "
        "newcomer.host = conn.vhost; newcomer.flow = flow; conn.new_n = None",
    ),
    Action(on="subscribe", do="newcomer.times = 0; newcomer.since_t = None"),
)
"""Clients that end when the broker has no stored offset."""

_NOTE_SILENCE: Final = "conn.silent = t - S.last_t; conn.heard_n = S.last_n"
"""How long the broker has been silent when its client leaves."""
_OF_PUBLISHER: Final = "(client, conn.vhost, pub.stream)"
STAYS_AWAY: Final[tuple[Table, ...]] = (
    Action(on="client:close", do=_NOTE_SILENCE),
    Action(
        on="client:tcp.close client:tcp.reset",
        when="conn.silent is None",
        do=_NOTE_SILENCE,
    ),
    Lifecycle(
        name="leaver",
        scope="capture",
        doc="A publisher of a client that has given up a silent broker.",
        key={
            "end:pub": f"{_OF_PUBLISHER} if count(pub.waiting) > 0 and conn.silent > GAVE_UP "
            "else None",
            "declare_publisher": "client, conn.vhost, stream",
        },
        most=4096,
    ),
    Lifecycle(
        name="house",
        scope="capture",
        doc="A broker: when it accepted a connection last.",
        key={"open_response": "server", "end:leaver": "leaver.server"},
        most=1024,
    ),
    Action(on="open_response", do="house.open_t = t; house.open_n = n"),
    Action(
        on="end:pub",
        when="count(pub.waiting) > 0 and conn.silent > GAVE_UP and "
        f"why in ('closed', 'reset') and ({CLIENT_LEAVES}) and {CAPTURED}",
        do="leaver.since_t = t; leaver.silent = conn.silent; leaver.heard_n = conn.heard_n; "
        "leaver.sent_n = pub.publish_n; leaver.close_n = C.close_n; "
        "leaver.open = count(pub.waiting); "
        "leaver.stream = pub.stream; leaver.server = server; leaver.flow = flow",
    ),
    Action(on="declare_publisher", do="leaver.since_t = None"),
)
"""Publishers that give up a silent broker, and do not come back."""

_OF_PROGRAM: Final = (
    f"client, server, conn.vhost, pub.stream, coalesce(pub.reference, ''), {PROGRAM}"
)
PACE: Final = f"(pub.used_t - pub.t) // ({SENT})"
"""Mean time between the messages of a publisher."""
IS_PACED: Final = f"{SENT} >= PACED and pub.used_t - pub.t > PACED_FOR"
"""The pace of a publisher is known."""
_LOST: Final = (
    "(why == 'reset' or why == 'closed' and C.close_n is None and "
    "(conn.first_fin == S.side or S.close_n is not None))"
)
SLOWER: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="pace",
        scope="capture",
        doc="How fast a publisher sent before its connection was lost.",
        key={"end:pub": f"({_OF_PROGRAM}) if pub.used_t - pub.t > PACED_FOR else None"},
        most=4096,
    ),
    Action(on="end:pub", do="pace.mean = None"),
    Action(
        on="end:pub",
        when=f"{IS_PACED} and {_LOST}",
        do=f"pace.mean = {PACE}; pace.latest_n = pub.publish_n; pace.flow = flow",
    ),
)
"""Publishers that send less since they have come back."""

_OF_PROGRAM_AT: Final = f"(client, conn.vhost, {{}}, {PROGRAM})"
_SENDER: Final = _OF_PROGRAM_AT.format("pub.stream")
UNSENT: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="unsent",
        scope="capture",
        doc="The messages of a program that had no confirm when their connection was lost.",
        key={
            "declare_publisher_response": f"{_SENDER} if response_code == 1 else None",
            "publish": f"{_SENDER} if pub.follows == 1 and pub.publish_n is None else None",
            "end:pub": f"{_SENDER} if count(pub.waiting) > 0 and len(pub.reference) == 0 else None",
        },
        most=4096,
    ),
    Action(
        on="end:pub",
        when="count(pub.waiting) > 0 and why in ('closed', 'reset') and C.close_n is None and "
        f"{CAPTURED}",
        do="unsent.open = count(pub.waiting); unsent.top = pub.top; unsent.flow = flow; "
        "unsent.latest_n = pub.publish_n; unsent.oldest_n = oldest_n(pub.waiting)",
    ),
    Action(
        on="declare_publisher_response",
        when="unsent.open > 0 and len(pub.reference) == 0",
        do="pub.follows = 1",
    ),
)
"""Messages that may be lost with their connection."""

_ENDS: Final = "client:close client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset"
_OF_CLIENT: Final = f"client, server, {PROGRAM}"
PILES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="pile",
        scope="capture",
        doc="The connections of a program whose last publisher or subscription has ended.",
        key={
            "subscribe_response declare_publisher_response unsubscribe_response "
            "delete_publisher_response": f"({_OF_CLIENT}) if response_code == 1 else None",
            _ENDS: f"({_OF_CLIENT}) if conn.piled == 1 else None",
        },
        most=4096,
    ),
    Action(
        on="subscribe_response declare_publisher_response",
        when="response_code == 1 and conn.holds == 1 and conn.piled is None and "
        "pile.idle >= PILED and t - pile.since_t > PILED_FOR",
        do="pile.beside = coalesce(pile.beside, 0) + 1; pile.most = pile.idle; "
        "pile.beside_n = req.n; pile.flow = flow",
    ),
    Action(
        on="subscribe_response declare_publisher_response",
        when="response_code == 1 and conn.piled == 1",
        do="pile.idle = pile.idle - 1; conn.piled = 0",
    ),
    Action(
        on="unsubscribe_response delete_publisher_response",
        when="response_code == 1 and conn.holds == 0 and coalesce(conn.piled, 0) == 0 and "
        f"{CAPTURED}",
        do="pile.idle = coalesce(pile.idle, 0) + 1; conn.piled = 1; pile.latest_n = req.n; "
        "pile.since_t = t if pile.idle == PILED else pile.since_t",
    ),
    Action(
        on=_ENDS,
        when="conn.piled == 1",
        do="pile.idle = pile.idle - 1; conn.piled = 0",
    ),
)
"""Connections that pile up, as each use opens another one; after `holds` is counted."""

TOO_EARLY: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="early",
        scope="capture",
        doc="A stream that a program was refused, since it was not there or not available.",
        key={
            "declare_publisher_response subscribe_response": _OF_PROGRAM_AT.format("req.stream")
            + " if response_code in (2, 6) else None",
            "declare_publisher subscribe create": _OF_PROGRAM_AT.format("stream"),
            "client:close client:tcp.close client:tcp.reset": _OF_PROGRAM_AT.format("conn.early")
            + " if conn.early is not None else None",
        },
        most=4096,
    ),
    Action(
        on="declare_publisher_response subscribe_response",
        when=f"response_code in (2, 6) and {CAPTURED}",
        do="early.since_t = t; early.left_t = None; early.refused_n = req.n; early.answer_n = n; "
        "early.code = response_code; early.host = conn.vhost; early.stream = req.stream; "
        "early.flow = flow; early.client = client; early.what = req.asked; "
        "conn.early = req.stream",
    ),
    Action(on="declare_publisher subscribe create", do="early.since_t = None"),
    Action(
        on="client:close client:tcp.close client:tcp.reset",
        when="early.flow == flow",
        do="early.left_t = coalesce(early.left_t, t)",
    ),
    Lifecycle(
        name="inquirer",
        scope="capture",
        doc="A client: when it asked for streams last.",
        key={"metadata": "client", "end:early": "early.client"},
        most=1024,
    ),
    Action(on="metadata", do="inquirer.asked_t = t"),
)
"""Clients that are refused a stream, and do not try again when it is there."""

SUPER_STREAMS: Final[tuple[Table, ...]] = (
    Action(
        on="partitions_response",
        when="response_code == 2",
        do="conn.partless_n = n; conn.partless_of_n = req.n; conn.partless = req.super_stream; "
        "conn.partless_is = 1 if has(there.streams, req.super_stream) else 0",
    ),
    Action(on="create_super_stream", do="conn.partless_n = None"),
)
"""Questions for the partitions of what is no super stream."""

RECOVERY: Final[tuple[Table, ...]] = (
    *CONSTANTS, *NEW_CONSUMERS, *STAYS_AWAY, *SLOWER, *PILES, *UNSENT, *TOO_EARLY, *SUPER_STREAMS,
)  # fmt: skip
"""Part of the tables of the protocol."""
