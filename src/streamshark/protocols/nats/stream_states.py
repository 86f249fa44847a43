"""The state of streams, and of what depends on it: sources, interest, starts, limits, delays.

| object | state | what contradicts it |
|---|---|---|
| stream | made again | another stream still has it as a source, at its former sequence |
| work queue | has a consumer | another stream has it as a source, and takes its messages |
| stream with interest | has consumers with filters | a message that no filter matches |
| consumer | starts at a sequence | the stream stores messages below it |
| consumer | all that may be open is put off | pull requests that expire |
| consumer | paused | pull requests |
| key | an update was refused | an update with the revision of the refusal, without a read |
| subject | most conditional writes of several clients are refused | the next one is refused too |
| subject | its last message was not received | a purge of the subject by its publisher |
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.jetstream_behaviours import SEQUENCE, WRONG_LAST
from streamshark.protocols.nats.row_names import (
    ACKING,
    CREATES,
    DELIVERED,
    IS_ACK,
    IS_PULL,
    OF_STREAM,
    SENT,
    START,
    STORED,
    member,
)


def text_of(name: str, data: str = "payload") -> str:
    """Return the text that a member of JSON has, with and without a blank, as an expression."""
    first, second = (f"between({data}, '\"{name}\":{blank}\"', '\"')" for blank in ("", " "))
    return f"coalesce({first}, {second})"


def _list_of(name: str) -> str:
    """Return the items that a member of JSON has, with and without a blank, as an expression."""
    first, second = (f"between(payload, '\"{name}\":{blank}[', ']')" for blank in ("", " "))
    return f"coalesce({first}, {second})"


_IS_STREAM: Final = "starts(subject, '$JS.API.STREAM.')"
MAKES: Final = (
    f"{_IS_STREAM} and token(subject, 3) in ('CREATE', 'UPDATE') and reply_to is not None"
)
"""The row creates or updates a stream."""
_CREATES_STREAM: Final = f"{MAKES} and token(subject, 3) == 'CREATE'"
_MIRROR: Final = (
    "coalesce(between(payload, '\"mirror\":{', '}'), between(payload, '\"mirror\": {', '}'))"
)
_SOURCES: Final = f"coalesce(coalesce({_list_of('sources')}, {_MIRROR}), '')"
SOURCE: Final = text_of("name", _SOURCES)
"""The first source, or the mirror, of the stream that the row creates or updates."""
_WHOLE_SOURCE: Final = f"{SOURCE} is not None and between({_SOURCES}, 'filter_subject', '') is None"
_OK: Final = "between(payload, 'error\":{\"code\":', ',') is None"
_DELETED: Final = "asked.state == 'asked' and asked.meaning == 'stream delete'"
_FILTERS: Final = (
    f"coalesce(coalesce({_list_of('filter_subjects')}, {text_of('filter_subject')}), '>')"
)

MADE_AGAIN: Final = (
    f"{_CREATES_STREAM} and {SOURCE} is None and origin.copy is not None and "
    "origin.deleted_n > origin.copy_n and not has(removed.streams, origin.copy)"
)
"""The row creates a stream again that was deleted, and that another one has as its source."""
TAKES_FROM_QUEUE: Final = (
    f"origin.queue_n is not None and ({MAKES} and {_WHOLE_SOURCE} and "
    f"origin.consumer_n is not None or {CREATES} and origin.copy is not None and "
    "not has(removed.streams, origin.copy) and origin.is_whole == 1)"
)
"""The row gives a work queue both a consumer and a stream that has it as its source."""
BELOW_START: Final = f"{STORED} and asked.n > origin.start_n and {SEQUENCE} < origin.start"
"""The row stores a message below the start of a consumer that was there before."""
OF_INTEREST: Final = f"{STORED} and origin.interest_n is not None and origin.filters is not None"
"""The row confirms a message to a stream whose consumers have filters, which decide over it."""
_DELAY: Final = member("delay")
_PUTS_OFF: Final = f"{ACKING} and starts(payload, NAK) and {_DELAY} > 0"
ALL_PUT_OFF: Final = (
    "fields.status == 408 and pull.state == 'asked' and conn.max_pending > 0 and "
    "conn.put_off >= conn.max_pending and t < conn.put_off_until and conn.stalls >= 1 and "
    "count(conn.consumers) == 1 and (number(token(conn.ack_to, 8)) > 0 or "
    "origin.stored > number(token(conn.ack_to, 5)))"
)
"""A pull request expires while as many messages are put off as may be open."""
_EXPECTED: Final = "number(item(headers, 'Nats-Expected-Last-Subject-Sequence'))"
_LAST: Final = "number(item(headers, 'Nats-Expected-Last-Sequence'))"
_GUESSES: Final = (
    "reply_to is not None and subject == conn.guess_key and not has(conn.seen_keys, subject) and "
    f"coalesce(conn.read_n, -1) < conn.guess_n and {_EXPECTED} == conn.guess"
)
GUESSED: Final = (
    "asked.guess_n is not None and asked.state == 'asked' and starts(payload, OPEN) and "
    "between(payload, '\"error\":', '{') is None"
)
"""The row confirms an update whose revision the client knows from a refusal alone."""

_PURGE_OF: Final = text_of("filter")
PURGES_SUBJECT: Final = (
    "starts(subject, '$JS.API.STREAM.PURGE.') and reply_to is not None and "
    f"{_PURGE_OF} is not None and between(payload, '\"keep\":', '') is None and "
    "between(payload, '\"seq\":', '') is None"
)
"""The row removes all messages of a subject."""
_CONFIRMED: Final = (
    "asked.state == 'asked' and starts(payload, OPEN) and "
    "between(payload, '\"stream\":\"', '\"') is not None and "
    "between(payload, '\"error\":', '{') is None"
)
"""The row confirms a message or a key."""
PURGES_UNREAD: Final = (
    f"{PURGES_SUBJECT} and not starts({_PURGE_OF}, '$O.') and "
    "newest.stored > coalesce(newest.taken, 0) and "
    "t - newest.stored_t <= JUST_STORED and newest.stored_flow == flow and "
    "origin.consumer_n is not None"
)
"""The client removes what it has just published, before a consumer has received it."""
CONTESTS: Final = (
    f"asked.compares is not None and asked.state == 'asked' and {WRONG_LAST} is not None and "
    "contest.refused + 1 >= CONTEST_LIMIT and "
    "contest.refused >= 2 * coalesce(contest.agreed, 0) and count(contest.writers) > 2"
)
"""Most conditional writes to a subject are refused, and several clients send them."""

UNSTORED: Final = "asked.state == 'asked' and fields.status == 503"
"""The row says that neither a subscriber nor a stream receives the subject of a request."""

_SAYS_PAUSED: Final = (
    "asked.meaning in ('consumer pause', 'consumer info', 'consumer create', "
    "'consumer durable create')"
)
"""The row answers a request whose answer says whether a consumer is paused."""

STREAM_STATES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="rest",
        scope="capture",
        doc="A consumer that may be paused, and until when.",
        key={
            SENT: f"(server, token(subject, 5), token(subject, 6)) if {IS_PULL} else None",
            DELIVERED: "(server, token(asked.subject, 5 if token(asked.subject, 3) == 'DURABLE' "
            "else 4), token(asked.subject, 6 if token(asked.subject, 3) == 'DURABLE' else 5)) "
            f"if asked.state == 'asked' and {_SAYS_PAUSED} else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and {_SAYS_PAUSED}",
        do=f"rest.until_t = t + {member('pause_remaining')} "
        "if between(payload, '\"paused\":true', '') is not None else None; rest.paused_n = asked.n",
    ),
    Constant(name="CONTEST_LIMIT", value=12, doc="Refused writes that make a subject contested."),
    Constant(name="JUST_STORED", value="2 s", doc="Time from a publish to the purge of it."),
    Lifecycle(
        name="newest",
        scope="capture",
        doc="A subject of a stream: its last message, and the last one that a consumer received.",
        key={
            SENT: f"(server, {_PURGE_OF}) if {PURGES_SUBJECT} else None",
            "msg": f"(server, asked.subject) if {_CONFIRMED} else "
            f"(server, subject) if {IS_ACK} else None",
            "hmsg": f"(server, asked.subject) if {_CONFIRMED} or {UNSTORED} else "
            f"(server, subject) if {IS_ACK} else None",
        },
        most=1024,
    ),
    Constant(name="UNSTORED_LIMIT", value=3, doc="Messages that a stream which is gone misses."),
    Action(on="hmsg", when=UNSTORED, do="newest.missed = coalesce(newest.missed, 0) + 1"),
    Action(on=DELIVERED, when=_CONFIRMED,
           do=f"newest.stored = {SEQUENCE}; newest.stored_n = asked.n; newest.stored_t = t; "
           "newest.stored_flow = flow; newest.missed = 0"),
    Action(on=DELIVERED, when=IS_ACK,
           do="newest.taken = max(coalesce(newest.taken, 0), number(token(reply_to, 5)))"),
    Action(on="client:hpub", when=f"reply_to is not None and ({_EXPECTED} > 0 or {_LAST} > 0)",
           do="asked.compares = subject"),
    Lifecycle(
        name="contest",
        scope="capture",
        doc="A subject to which clients write under a condition.",
        key={
            DELIVERED: "(server, asked.compares) if asked.compares is not None and "
            "asked.state == 'asked' else None"
        },
        most=1024,
    ),
    Action(on=DELIVERED, when=f"asked.compares is not None and {WRONG_LAST} is not None",
           do="contest.refused = coalesce(contest.refused, 0) + 1; put(contest.writers, flow); "
           "contest.refused_n = coalesce(contest.refused_n, n)"),
    Action(on=DELIVERED, when=f"asked.compares is not None and {_CONFIRMED}",
           do="contest.agreed = coalesce(contest.agreed, 0) + 1; contest.agreed_n = asked.n"),
    Constant(name="BELOW_LIMIT", value=3, doc="Messages below the start of a consumer."),
    Constant(name="GUESSED_LIMIT", value=2, doc="Revisions that are taken from refusals."),
    Lifecycle(
        name="origin",
        scope="capture",
        doc="A stream: what was made of it, and which stream has it as its source.",
        key={
            SENT: "None if reply_to is None or not starts(subject, '$JS.API.') else "
            f"(server, coalesce({SOURCE}, token(subject, 4))) if {MAKES} else "
            f"(server, {OF_STREAM}) if {CREATES} else (server, token(subject, 4)) if "
            "starts(subject, '$JS.API.CONSUMER.DELETE.') or "
            "starts(subject, '$JS.API.STREAM.PURGE.') else None",
            DELIVERED: f"(server, token(asked.subject, 4)) if {_DELETED} else "
            f"(server, between(payload, '\"stream\":\"', '\"')) if {STORED} else "
            "(server, token(conn.ack_to, 2)) if conn.put_off > 0 else None",
            "timer:stalled": "(server, token(conn.ack_to, 2))",
        },
        most=1024,
    ),
    Lifecycle(
        name="removed",
        scope="capture",
        doc="The streams of a server that were deleted.",
        key={
            SENT: f"server if {MAKES} or {CREATES} else None",
            DELIVERED: f"server if {_DELETED} else None",
        },
    ),
    Action(on=SENT, when=MAKES, do="drop(removed.streams, token(subject, 4))"),
    Action(
        on=DELIVERED,
        when=f"{_DELETED} and {_OK}",
        do="put(removed.streams, token(asked.subject, 4)); origin.deleted_n = asked.n; "
        "origin.queue_n = None; origin.consumer_n = None; origin.interest_n = None; "
        "origin.filters = None; origin.start = None; origin.stored = None; "
        "origin.wanted = None",
    ),
    Action(
        on=SENT,
        when=f"{MAKES} and {SOURCE} is not None",
        do="origin.copy = token(subject, 4); origin.copy_n = n; "
        f"origin.is_whole = 1 if {_WHOLE_SOURCE} else 0",
    ),
    Action(
        on=SENT,
        when=f"{_CREATES_STREAM} and {SOURCE} is None",
        do=f"origin.queue_n = n if {text_of('retention')} == 'workqueue' else None; "
        f"origin.interest_n = n if conn.start and {text_of('retention')} == 'interest' else None",
    ),
    Action(
        on=SENT,
        when=CREATES,
        do=f"origin.consumer_n = n; put(origin.filters, {_FILTERS}); "
        f"origin.start = {START}; origin.start_n = n; origin.below = 0",
    ),
    Action(on=SENT, when="starts(subject, '$JS.API.CONSUMER.DELETE.')",
           do="origin.consumer_n = None; origin.start = None"),
    Action(on=DELIVERED, when=BELOW_START, do="origin.below = origin.below + 1"),
    Action(on=DELIVERED, when=STORED, do=f"origin.stored = {SEQUENCE}"),
    Action(
        on=DELIVERED,
        when=f"{STORED} and count(origin.filters) == 1 and "
        "matching(asked.subject, first(origin.filters))",
        do=f"origin.wanted = {SEQUENCE}",
    ),
    Action(
        on="client:hpub",
        when="reply_to is not None and item(headers, 'Nats-Schedule') is not None",
        do="asked.schedule = item(headers, 'Nats-Schedule')",
    ),
    Action(on=SENT, when=f"{_PUTS_OFF} and t > coalesce(conn.put_off_until, 0)",
           do="conn.put_off = 0"),
    Action(
        on=SENT,
        when=_PUTS_OFF,
        do=f"conn.put_off = coalesce(conn.put_off, 0) + 1; conn.put_off_n = n; "
        f"conn.put_off_until = max(coalesce(conn.put_off_until, 0), t + {_DELAY})",
    ),
    Action(on=DELIVERED, when=f"conn.put_off > 0 and {IS_ACK} and number(token(reply_to, 4)) > 1",
           do="conn.put_off = conn.put_off - 1"),
    Action(on=DELIVERED, when="starts(subject, '$KV.') and reply_to is not None",
           do="put(conn.seen_keys, subject)"),
    Action(on="client:hpub", when=_GUESSES, do="asked.guess_n = conn.guess_n"),
    Action(
        on=DELIVERED,
        when=f"asked.key is not None and asked.state == 'asked' and {WRONG_LAST} is not None",
        do=f"conn.guess_key = asked.key; conn.guess = {WRONG_LAST}; conn.guess_n = n",
    ),
    Action(on=DELIVERED, when=GUESSED, do="conn.guessed = coalesce(conn.guessed, 0) + 1; "
           "conn.guessed_n = asked.n"),
)  # fmt: skip
"""Part of the tables of the protocol."""
