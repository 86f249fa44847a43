"""What the frames mean to each other: requests, connection, publishers, subscriptions.

Written after PROTOCOL.adoc and the broker (`rabbit_stream_reader.erl`), as real peers behave.
"""

from typing import Final

from streamshark.conversations.tables import (
    Constant,
    Context,
    Life,
    Link,
    Move,
    Pair,
    Repeat,
    Step,
    Table,
    Timer,
)

_KEPT: Final = {
    "sasl_authenticate": "mechanism sasl_opaque_data",
    "open": "virtual_host",
    "declare_publisher": "publisher_id publisher_reference stream",
    "query_publisher_sequence": "publisher_reference stream",
    "delete_publisher": "publisher_id",
    "subscribe": "subscription_id stream",
    "unsubscribe": "subscription_id",
    "query_offset": "reference stream",
    "create": "stream",
    "delete": "stream",
    "metadata": "",
    "peer_properties": "",
    "sasl_handshake": "",
    "close": "",
    "route": "",
    "partitions": "",
    "consumer_update": "subscription_id active",
    "exchange_command_versions": "",
    "stream_stats": "stream",
    "create_super_stream": "",
    "delete_super_stream": "",
    "resolve_offset_spec": "",
}
"""Commands with a correlation id, and what their responses need to know of the request."""
_CODELESS: Final = frozenset({"metadata"})

PAIRS: Final = tuple(
    Pair(
        name=name,
        request=name,
        answers=f"{name}_response",
        keep=kept,
        failed="" if name in _CODELESS else "response_code not in (1, 10)",
    )
    for name, kept in _KEPT.items()
)
TUNE: Final = Pair(name="tune", request="tune", answers="tune_response", key="")

CONNECTION: Final[tuple[Table, ...]] = (
    Life(
        name="conn",
        scope="connection:one",
        type="connection",
        steps=(
            Step("absent", "peer_properties", "properties"),
            Step("absent unknown properties", "sasl_handshake", "handshake"),
            Step("absent unknown properties handshake", "sasl_authenticate", "authenticating"),
            Step("authenticating", "sasl_authenticate_response", "known", "response_code == 1"),
            Step("authenticating", "sasl_authenticate_response", "refused", "response_code != 10"),
            Step("known unknown authenticating", "tune_response", "tuned"),
            Step("known tuned unknown", "open", "opening"),
            Step("opening unknown", "open_response", "open", "response_code == 1"),
            Step("opening unknown", "open_response", "refused"),
            Step("*", "close", "closing"),
            Step("closing", "close_response", "closed"),
            Step(
                "unknown",
                "publish publish_confirm deliver credit declare_publisher subscribe metadata",
                "open",
            ),
        ),
        final="closed",
        failed="refused",
    ),
    Move(on="sasl_authenticate", do="conn.asked_user = plain_user(sasl_opaque_data)",
         when="mechanism == 'PLAIN'"),
    Move(on="sasl_authenticate_response", when="response_code == 1",
         do="conn.user = coalesce(conn.asked_user, conn.user)"),
    Move(on="open_response", when="response_code == 1", do="conn.vhost = req.virtual_host"),
    Move(on="peer_properties", do="conn.client_product = item(peer_properties, 'product'); "
         "conn.client_version = item(peer_properties, 'version')"),
    Move(on="peer_properties_response",
         do="conn.broker_product = item(peer_properties, 'product'); "
         "conn.broker_version = item(peer_properties, 'version')"),
    Move(on="tune", do="S.heartbeat = heartbeat; S.frame_max = frame_max"),
    Move(on="tune_response", do="conn.heartbeat = heartbeat; "
         "conn.frame_max = min_nonzero(S.frame_max, frame_max)"),
    Context(name="user", value="conn.user"),
    Context(name="vhost", value="conn.vhost"),
    Context(name="client_product", value="conn.client_product"),
    Context(name="client_version", value="conn.client_version"),
    Context(name="broker_product", value="conn.broker_product"),
    Context(name="broker_version", value="conn.broker_version"),
    Context(name="stream", value="pub.stream sub.stream req.stream"),
    Context(name="reference", value="pub.reference req.publisher_reference req.reference"),
)  # fmt: skip

HEARTBEAT: Final[tuple[Table, ...]] = (
    Constant(name="SILENT_INTERVALS", value=2,
             doc="Heartbeat intervals of silence after which a side is missed."),
    Timer(name="silence", of="me", on="any", mode="again", when="conn.heartbeat > 0",
          limit="conn.heartbeat * SILENT_INTERVALS * 1000000000", clear="close tcp.close"),
)  # fmt: skip

PUBLISHERS: Final[tuple[Table, ...]] = (
    Life(
        name="pub",
        scope="connection",
        type="publisher",
        key={
            "declare_publisher publish publish_confirm publish_error": "publisher_id",
            "declare_publisher_response delete_publisher_response": "req.publisher_id",
        },
        steps=(
            Step("absent", "declare_publisher", "asked"),
            Step("asked unknown", "declare_publisher_response", "live", "response_code == 1"),
            Step("asked", "declare_publisher_response", "refused"),
            Step("unknown", "publish", "live"),
            Step("live unknown", "delete_publisher_response", "removed", "response_code == 1"),
        ),
        each=(Step("live unknown", "metadata_update", "lost", "pub.stream == stream"),),
        final="refused removed lost",
        failed="refused",
        live="live asked",
        measures={
            "in_flight": "count(pub.waiting)",
            "confirmed": "pub.confirmed",
            "refused": "pub.refused",
            "confirm_max_ns": "pub.confirm_max",
        },
    ),
    Move(on="declare_publisher", when="pub.state != 'live'",
         do="pub.stream = stream; pub.reference = publisher_reference"),
    Move(on="publish", do="add(pub.waiting, published_messages.publishing_id)"),
    Move(on="publish_confirm",
         do="pub.confirmed = coalesce(pub.confirmed, 0) + len(publishing_ids); "
         "pub.confirm_max = max(coalesce(pub.confirm_max, 0), t - oldest_t(pub.waiting)); "
         "take(pub.waiting, publishing_ids)"),
    Move(on="publish_error",
         do="pub.refused = coalesce(pub.refused, 0) + len(publishing_errors); "
         "take(pub.waiting, publishing_errors.publishing_id)"),
    Link(kind="rabbitmq stream", role="leads", on="publish", of="pub",
         key="conn.vhost, pub.stream"),
)  # fmt: skip

SUBSCRIPTIONS: Final[tuple[Table, ...]] = (
    Constant(name="STARVING", value="3 s",
             doc="Time without credit after which a subscription starves while data waits."),
    Life(
        name="sub",
        scope="connection",
        type="subscription",
        key={
            "subscribe credit credit_response deliver consumer_update": "subscription_id",
            "subscribe_response unsubscribe_response": "req.subscription_id",
            "consumer_update_response": "req.subscription_id",
        },
        steps=(
            Step("absent", "subscribe", "asked"),
            Step("asked unknown", "subscribe_response", "live", "response_code == 1"),
            Step("asked", "subscribe_response", "refused"),
            Step("unknown", "deliver", "live"),
            Step("live unknown", "unsubscribe_response", "removed", "response_code == 1"),
        ),
        each=(Step("live unknown", "metadata_update", "lost", "sub.stream == stream"),),
        final="refused removed lost",
        failed="refused",
        live="live asked",
        starts={"chunks": 0, "messages": 0, "granted": 0},
        measures={
            "credit": "sub.balance",
            "granted": "sub.granted",
            "chunks": "sub.chunks",
            "messages": "sub.messages",
            "first_delivery_ns": "sub.first_t - sub.t",
        },
    ),
    Move(on="subscribe", when="sub.state != 'live'",
         do="sub.stream = stream; sub.balance = credit; sub.granted = credit"),
    Move(on="credit", do="sub.balance = sub.balance + credit; sub.granted = sub.granted + credit; "
         "sub.credit_n = n"),
    Move(on="deliver", do="sub.balance = sub.balance - 1; sub.chunks = sub.chunks + 1; "
         "sub.messages = sub.messages + chunk.num_records; "
         "sub.next = chunk.chunk_id + chunk.num_records; sub.committed = committed_chunk_id; "
         "sub.first_t = coalesce(sub.first_t, t)"),
    Timer(name="starve", of="sub", on="deliver", when="sub.balance <= 0", limit="STARVING",
          clear="credit unsubscribe", mode="first"),
    Repeat(name="refused", on="any:coded", when="response_code not in (1, 10, 19)",
           key="flow, name, req.stream", window="10 s", limit=5),
    Link(kind="rabbitmq stream", role="follows", on="deliver", of="sub",
         key="conn.vhost, sub.stream"),
)  # fmt: skip

NODES: Final[tuple[Table, ...]] = (
    Link(kind="rabbitmq node", role="leads", on="open_response", when="response_code == 1",
         key="client, conn.client_product"),
    Link(kind="rabbitmq node", role="follows", on="open", key="client, conn.client_product"),
)  # fmt: skip

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *PAIRS, TUNE, *CONNECTION, *HEARTBEAT, *PUBLISHERS, *SUBSCRIPTIONS, *NODES,
)  # fmt: skip
"""Read by the engine, `streamshark.conversations`."""
