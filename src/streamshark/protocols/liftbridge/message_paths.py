"""The tables that follow a message from its request to its delivery, and the order of acks."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

_ID: Final = (
    "({id} if len({id}) >= GENERATED else None) if {id} is not None else "
    "{inbox} if matching({inbox}, '*.ack.*') else None"
)
"""Programs may share short ids and inboxes of their own: others are generated for one message."""
_WANTED: Final = "ack_inbox is not None and coalesce(ack_policy, 0) != 2 and agreed.inbox_heard"
_POLICY: Final = "coalesce(ack_policy, 0)"
_STORED: Final = "coalesce(ack_error, 0) == 0"
_ANSWERED: Final = "ack.stream is not None and coalesce(ack.ack_error, 0) == 0"
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
        f"lane.mixed = lane.mixed if {_STORED} else n",
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
        f"queue.mixed = queue.mixed if {_ANSWERED} else n",
    ),
    Lifecycle(
        name="sole",
        scope="capture",
        doc="A generated correlation id, or a generated ack inbox, and what has it.",
        key={
            "publish_request client:publish ack": _ID.format(
                id="correlation_id", inbox="ack_inbox"
            ),
            "publish_response publish_to_subject_response": _ID.format(
                id="ack.correlation_id", inbox="ack.ack_inbox"
            ),
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
        do="sole.times = coalesce(sole.times, 0) + 1; sole.value = digest(value); "
        f"sole.policy = {_POLICY}; sole.stream = stream; sole.subject = carrier.subject; "
        "sole.sent_n = n",
    ),
    Action(
        on="ack",
        when=_STORED,
        do="sole.offset = coalesce(offset, 0); sole.acked_stream = stream; "
        "sole.acked_subject = partition_subject; sole.acked_n = n",
    ),
    Lifecycle(
        name="kept",
        scope="capture",
        doc="An offset at which a message was stored, by the ack of it.",
        key={
            "client:ack": "(stream, msg_subject, coalesce(log.born_n, 0), coalesce(offset, 0)) "
            f"if {_STORED} and sole.times == 1 else None",
            "publish_response": "(ack.stream, ack.msg_subject, coalesce(log.born_n, 0), "
            f"coalesce(ack.offset, 0)) if {_ANSWERED} and sole.requests == 1 else None",
            "message": "(stream, subject, coalesce(log.born_n, 0), coalesce(offset, 0)) "
            "if subject is not None else None",
        },
        most=4096,
    ),
    *(
        Action(
            on=on,
            do=f"kept.mixed = n if kept.value != sole.{value} else kept.mixed; "
            f"kept.value = sole.{value}; kept.acked_t = coalesce(kept.acked_t, t); "
            "kept.acked_n = n",
        )
        for on, value in (("client:ack", "value"), ("publish_response", "asked_value"))
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
