"""The tables that follow a message from its request to its delivery, and the order of acks."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.liftbridge.storage import ANSWERED

_LONG: Final = "{0} if len({0}) >= GENERATED else None"
"""Programs may share short correlation ids: others are generated for one message."""
_INBOX: Final = "{0} if matching({0}, '*.ack.*') else None"
"""Servers generate an inbox for each message to a stream of their own."""
_WANTED: Final = "ack_inbox is not None and coalesce(ack_policy, 0) != 2 and agreed.inbox_heard"
_POLICY: Final = "coalesce(ack_policy, 0)"
STORED: Final = "coalesce(ack_error, 0) == 0"
"""The ack says that the message was stored."""
_ORDERED: Final = (
    f"carrier.method == 'PublishAsync' and {_POLICY} != 2 and stream is not None and "
    "correlation_id is not None"
)

MESSAGE_PATHS: Final[tuple[Table, ...]] = (
    Constant(name="GENERATED", value=16, doc="Characters of an id that is generated."),
    Constant(name="ACK_SOON", value="100 ms", doc="Time for which a program waits for an ack."),
    Lifecycle(
        name="lane",
        scope="connection",
        doc="Messages to one subject with one ack policy: their acks come in their order.",
        key={
            "client:publish": f"(carrier.subject, {_POLICY}) if {_WANTED} else None",
            "server:ack": f"(msg_subject, {_POLICY}) if msg_subject is not None else None",
        },
        most=1024,
    ),
    Action(
        on="client:publish",
        when=_WANTED,
        do="lane.sent = coalesce(lane.sent, 0) + 1; wait.turn = lane.sent; "
        "lane.mixed = n if wait.asked > 1 else lane.mixed; wait.content = digest(value)",
    ),
    Action(
        on="server:ack",
        do="lane.acked = max(coalesce(lane.acked, 0), coalesce(wait.turn, 0)); "
        f"lane.mixed = lane.mixed if {STORED} else n",
    ),
    Lifecycle(
        name="queue",
        scope="connection",
        doc="Messages of one call of PublishAsync to one partition with one ack policy.",
        key={
            "publish_request": "(carrier.stream_id, stream, coalesce(partition, 0), "
            f"{_POLICY}) if {_ORDERED} else None",
            "publish_response": "(carrier.stream_id, posted.to, posted.to_partition, "
            "posted.policy) if posted.turn is not None else None",
        },
        most=1024,
    ),
    Action(
        on="publish_request",
        when=_ORDERED,
        do="queue.sent = coalesce(queue.sent, 0) + 1; posted.turn = queue.sent; "
        "posted.to = stream; "
        f"posted.to_partition = coalesce(partition, 0); posted.policy = {_POLICY}; "
        "queue.mixed = n if posted.asked > 1 else queue.mixed",
    ),
    Action(
        on="publish_response",
        do="queue.acked = max(coalesce(queue.acked, 0), coalesce(posted.turn, 0)); "
        f"queue.mixed = queue.mixed if {ANSWERED} else n",
    ),
    Lifecycle(
        name="sole",
        scope="capture",
        doc="A generated correlation id, or the ack inbox of a server, and what has it.",
        key={
            "publish_request": _LONG.format("correlation_id"),
            "client:publish ack": f"({_LONG.format('correlation_id')}) if correlation_id is not "
            f"None else {_INBOX.format('ack_inbox')}",
            "publish_response publish_to_subject_response": _LONG.format("ack.correlation_id"),
        },
        most=4096,
    ),
    Action(
        on="publish_request",
        do="sole.requests = coalesce(sole.requests, 0) + 1; sole.asked_value = digest(value); "
        f"sole.asked_policy = {_POLICY}; sole.asked_stream = stream; sole.asked_n = n",
    ),
    Action(
        on="client:publish",
        do="sole.times = coalesce(sole.times, 0) + 1 if correlation_id is not None or "
        "starts(stream, '__') else 2; sole.value = digest(value); "
        f"sole.policy = {_POLICY}; sole.stream = stream; sole.subject = carrier.subject; "
        "sole.sent_n = n",
    ),
    Action(
        on="ack",
        when=STORED,
        do="sole.offset = coalesce(offset, 0); sole.acked_stream = stream; "
        "sole.acked_subject = partition_subject; sole.acked_n = n",
    ),
    Lifecycle(
        name="kept",
        scope="capture",
        doc="A message that was stored at a time, by its ack.",
        key={
            "client:ack": "(stream, msg_subject, reception_timestamp) "
            f"if {STORED} and sole.times == 1 and reception_timestamp > 0 else None",
            "publish_response": "(ack.stream, ack.msg_subject, ack.reception_timestamp) "
            f"if {ANSWERED} and sole.requests == 1 and ack.reception_timestamp > 0 else None",
            "message": "(stream, subject, timestamp) if timestamp > 0 else None",
        },
        most=4096,
    ),
    *(
        Action(
            on=on,
            do=f"kept.mixed = n if kept.value != sole.{value} or kept.offset != "
            f"coalesce({offset}, 0) else kept.mixed; kept.value = sole.{value}; "
            f"kept.offset = coalesce({offset}, 0); kept.acked_t = coalesce(kept.acked_t, t); "
            "kept.acked_n = n",
        )
        for on, value, offset in (
            ("client:ack", "value", "offset"),
            ("publish_response", "asked_value", "ack.offset"),
        )
    ),
    Action(
        on="subscribe_request",
        when="consumer.group_id is None and not coalesce(read_isr_replica, False)",
        do="sub.kind = coalesce(start_position, 0)",
    ),
    Action(
        on="subscribe_request",
        do="sub.since = start_timestamp if start_position == 4 else None; "
        "sub.until = stop_timestamp if stop_position == 3 else None",
    ),
)
"""Part of the tables of the protocol."""
