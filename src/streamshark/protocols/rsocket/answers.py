"""What answers of RSocket belong to, how often items come, and what the next connection asks for.

`findings/answers.py` has the rules.
"""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="QUESTIONS", value=96, doc="Requests of a side that are compared with answers."),
    Constant(name="QUESTION", value=256, doc="Bytes of a request that is compared."),
    Constant(name="OTHERS", value=3, doc="Answers that belong to other requests."),
    Constant(name="FOLDS", value=3, doc="Items in a row that come equally often."),
    Constant(name="FOLD_ITEMS", value=40, doc="First items of a stream that are counted so."),
    Constant(name="DENIED_LIMIT", value=6, doc="Requests in a row that are refused alike."),
    Constant(name="DENIED_PAUSE", value="10 s", doc="Longest time between two of them."),
    Constant(name="LOST_AT_ONCE", value="1 s", doc="Time in which a server ends its connections."),
    Constant(name="ASKED_AGAIN", value="2 s",
             doc="Time of a connection in which a client asks again for what it has lost."),
    Constant(name="LOST_STREAMS", value=32, doc="Streams of a lost connection that are compared."),
)  # fmt: skip

FIRST_ANSWER: Final = (
    "complete and side != stream.owner and stream.model == 'request_response' and "
    "stream.question is not None and 8 <= len(data) <= QUESTION"
)
"""The row is the whole answer to a request that is compared."""

CORRELATION: Final[tuple[Table, ...]] = (
    Action(
        on="request_response",
        when="complete and 8 <= len(data) <= QUESTION and starts(data, OPEN_OBJECT) and "
        "coalesce(count(me.asked_for), 0) < QUESTIONS",
        do="stream.question = data; put(me.asked_for, (n, t, data))",
    ),
    Action(
        on="payload",
        when=FIRST_ANSWER,
        do="put(me.replied, (stream.n, stream.t, stream.question, data))",
    ),
)
"""Requests in JSON, and their answers."""

FOLDED: Final = (
    "stream.items <= FOLD_ITEMS and stream.model in ('request_stream', 'request_channel') and "
    "side != stream.owner and complete and flags.next and TELLING <= len(data) <= 4096"
)
"""The row is an item that may come several times."""
_REQUEST: Final = "(client, server, stream.model, stream.route, stream.asked)"
FOLDING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="feed",
        scope="capture",
        doc="A stream that a client asks for on one connection after the other.",
        key={
            "payload": f"{_REQUEST} if stream.asked is not None and stream.items <= FOLD_ITEMS "
            "and stream.model != 'request_response' else None",
            "end:stream": f"{_REQUEST} if stream.asked is not None else None",
        },
        most=4096,
    ),
    Action(
        on="payload",
        when=FOLDED,
        do="stream.alike = 1 if data == stream.former else 0; "
        "stream.folds = stream.folds if stream.alike == 1 else "
        "(stream.folds + 1 if stream.times == stream.fold else 1); "
        "stream.fold = stream.fold if stream.alike == 1 else stream.times; "
        "stream.times = stream.times + 1 if stream.alike == 1 else 1; stream.former = data; "
        "stream.former_n = n",
    ),
    Action(
        on="end:stream",
        when="stream.folds >= FOLDS",
        do="feed.fold = stream.fold; feed.of_n = stream.n",
    ),
)
"""How often each item of a stream comes."""

DENIED: Final[tuple[Table, ...]] = (
    Repetition(
        name="denied",
        on="error",
        when="fields.stream_id > 0 and side != stream.owner and stream.items == 0 and "
        "peer.accepted_n is not None",
        per="flow",
        same="error_data",
        question="stream.n",
        limit="DENIED_LIMIT",
        pause="DENIED_PAUSE",
        may_back_off=False,
        breaks="end:stream",
        breaks_when="why == 'done'",
    ),
    Action(
        on="payload",
        when="side != stream.owner and peer.accepted_n is None",
        do="peer.accepted_n = n",
    ),
)
"""Requests that are refused alike, after others were accepted on the connection."""

LOST: Final = (
    "why in ('closed', 'reset') and conn.left is None and stream.owner == C.side and "
    "stream.model in ('request_stream', 'request_channel') and stream.items > 0 and "
    "stream.state in ('open', 'requester_done', 'responder_done') and not conn.resumable and "
    "stream.request is not None"
)
"""A stream was open when the server ended the connection."""
GOES_ON: Final = (
    "client:request_response client:request_stream client:request_channel client:keepalive"
)
"""Frames of a client that uses its connection."""
CONTINUED: Final = (
    "wanted.judged_n is None and conn.setup_t > wanted.lost_t and t - conn.setup_t > ASKED_AGAIN"
)
"""The next connection is old enough to show what its client asks for again."""
AGAIN: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="wanted",
        scope="capture",
        doc="What the clients of an address had open when they lost a server, and ask for again.",
        key={
            f"end:stream {GOES_ON}": "(client, server)",
        },
        most=1024,
    ),
    Action(
        on="client:request_stream client:request_channel",
        when="complete and len(data) <= QUESTION",
        do="stream.request = data; put(wanted.again, (name, stream.route, data)); "
        "wanted.again_n = n",
    ),
    Action(on=GOES_ON, when=CONTINUED, do="wanted.judged_n = n"),
    Action(
        on="end:stream",
        when=f"{LOST} and (wanted.lost_t is None or t - wanted.lost_t > LOST_AT_ONCE)",
        do="wanted.lost = None; wanted.again = None; wanted.judged_n = None",
    ),
    Action(
        on="end:stream",
        when=f"{LOST} and coalesce(count(wanted.lost), 0) < LOST_STREAMS",
        do="put(wanted.lost, (stream.model, stream.route, stream.request)); "
        "wanted.lost_t = conn.last_t; wanted.lost_n = stream.item_n",
    ),
)
"""Streams of a lost connection, and of the next one."""

ANSWERS: Final[tuple[Table, ...]] = (*CONSTANTS, *CORRELATION, *FOLDING, *DENIED, *AGAIN)
"""Part of the tables of the protocol."""
