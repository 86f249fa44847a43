"""The tables that follow what servers of Liftbridge answer: acks, messages, metadata, groups."""

from typing import Final

from streamshark.conversations.tables import Action, Lifecycle, Pair, Table, Transition

_ID: Final = "{} if carrier.method == 'PublishAsync' else None"
STARTED: Final = "sub.count > 1"
"""The subscription has delivered a message, besides the empty one that it begins with."""

ANSWERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="posted",
        scope="connection",
        doc="A correlation id of PublishAsync.",
        key={
            "publish_request": _ID.format("correlation_id"),
            "publish_response": _ID.format("coalesce(correlation_id, ack.correlation_id)"),
        },
        steps=(
            Transition("absent", "publish_request", "open"),
            Transition("open", "publish_response", "answered"),
        ),
        final="answered",
        starts={"asked": 0, "answers": 0},
    ),
    Action(on="publish_request", do="posted.asked = posted.asked + 1"),
    Action(
        on="publish_response",
        do="posted.answers = posted.answers + 1; posted.answer_n = n; "
        "posted.stored_in = ack.stream",
    ),
    Action(on="client:publish", do="pub.policy = coalesce(ack_policy, 0)"),
    Action(
        on="subscribe_request",
        do="sub.stops_at = stop_offset if stop_position == 1 else None",
    ),
    Action(on="message", when="stream is not None", do="sub.stamp = timestamp"),
    # Messages of 2019 have their subject in this field.
    Action(on="message", when="stream == sub.stream", do="conn.named_n = n"),
    Pair(
        name="metadata",
        request="fetch_metadata_request",
        answers="fetch_metadata_response",
        key="carrier.stream_id",
        keep="streams as names",
        type="",
    ),
    Action(on="join_consumer_group_request", do="member.names = streams"),
)
"""Part of the tables of the protocol."""
