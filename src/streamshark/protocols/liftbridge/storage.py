"""Messages that are stored for each try, sent to many subscriptions, or deleted before reading."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_ASYNC: Final = (
    "carrier.method == 'PublishAsync' and coalesce(ack_policy, 0) != 2 and "
    "correlation_id is not None and stream is not None"
)
ANSWERED: Final = "ack.stream is not None and coalesce(ack.ack_error, 0) == 0"
"""The answer says that the message was stored."""
STORED_AGAIN: Final = (
    f"{ANSWERED} and attempt.resent >= 1 and attempt.settled is None and attempt.stored_at is not "
    "None and coalesce(ack.offset, 0) != attempt.stored_at"
)
"""The row acknowledges a message that was sent again before the first try had its ack."""
DELETED_UNREAD: Final = (
    "stream is not None and sub.first is None and sub.start > 0 and "
    "coalesce(offset, 0) > sub.start and coalesce(len(fields.key), 0) == 0 and "
    "(log.made_n is None or not coalesce(log.compacted, False))"
)
"""The row is the first message of a subscription, and has a later offset than was asked for."""
COMES_OFTEN: Final = (
    "stream is not None and sub.n != reader.copy_sub and reader.copy_flow == flow and "
    "coalesce(offset, 0) == reader.copy_of and reader.copies + 1 >= COPIES_LIMIT"
)
"""The row brings a message that several subscriptions of the connection have had."""

STORAGE: Final[tuple[Table, ...]] = (
    Constant(name="RETRY_GAP", value="200 ms", doc="Time after which a message is sent again."),
    Constant(name="COPIES_LIMIT", value=5, doc="Subscriptions that have one message each."),
    Lifecycle(
        name="tried",
        scope="connection",
        doc="A message of PublishAsync, by its correlation id.",
        key={
            "publish_request": f"correlation_id if {_ASYNC} else None",
            "publish_response": "coalesce(correlation_id, ack.correlation_id)",
        },
        most=1024,
    ),
    Action(
        on="publish_request",
        when=_ASYNC,
        do="tried.content = digest(value); tried.stream = stream; "
        "tried.partition = coalesce(partition, 0)",
    ),
    Lifecycle(
        name="attempt",
        scope="connection",
        doc="The tries to publish one value to a partition.",
        key={
            "publish_request": f"(stream, coalesce(partition, 0), digest(value)) if {_ASYNC} else "
            "None",
            "publish_response": "(tried.stream, tried.partition, tried.content) "
            "if tried.content is not None else None",
        },
        most=1024,
    ),
    Action(
        on="publish_request",
        when=f"{_ASYNC} and attempt.open > 0 and t - attempt.latest_t > RETRY_GAP",
        do="attempt.resent = coalesce(attempt.resent, 0) + 1; attempt.again_n = n",
    ),
    Action(
        on="publish_request",
        when=_ASYNC,
        do="attempt.open = coalesce(attempt.open, 0) + 1; attempt.latest_t = t; "
        "attempt.first_n = coalesce(attempt.first_n, n)",
    ),
    Action(
        on="publish_response",
        when=ANSWERED,
        do="attempt.open = attempt.open - 1; attempt.settled = coalesce(attempt.settled, 1) "
        "if attempt.resent is None else attempt.settled; "
        "attempt.stored_at = coalesce(attempt.stored_at, coalesce(ack.offset, 0))",
    ),
    Action(
        on="message",
        when="stream is not None",
        do="reader.copies = coalesce(reader.copies, 0) + 1 "
        "if coalesce(offset, 0) == reader.copy_of and reader.copy_flow == flow else 1; "
        "reader.copy_of = coalesce(offset, 0); reader.copy_flow = flow; reader.copy_sub = sub.n; "
        "reader.copy_first = coalesce(reader.copy_first, sub.n)",
    ),
)
"""Part of the tables of the protocol."""
