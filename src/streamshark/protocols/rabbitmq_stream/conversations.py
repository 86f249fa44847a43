"""What the frames mean to each other: requests, connection, publishers, subscriptions, streams.

Written after PROTOCOL.adoc and the broker (`rabbit_stream_reader.erl`), as real peers behave. What
a stream holds at least is known from confirms (where its creation was seen) and from deliveries.
"""

from typing import Final

from streamshark.conversations.tables import (
    Action,
    Burst,
    Constant,
    Context,
    CrossLink,
    Derived,
    Lifecycle,
    Pair,
    Table,
    Timer,
    Transition,
)
from streamshark.protocols.rabbitmq_stream.behaviours import BEHAVIOURS
from streamshark.protocols.rabbitmq_stream.continuity import CONTINUITY
from streamshark.protocols.rabbitmq_stream.handling import HANDLING, PLACES
from streamshark.protocols.rabbitmq_stream.object_states import OBJECT_STATES
from streamshark.protocols.rabbitmq_stream.placement import PLACEMENT
from streamshark.protocols.rabbitmq_stream.programs import PROGRAMS
from streamshark.protocols.rabbitmq_stream.recovery import RECOVERY

# Requests

_KEPT: Final = {
    "sasl_authenticate": "mechanism sasl_opaque_data",
    "open": "virtual_host",
    "declare_publisher": "publisher_id publisher_reference stream",
    "query_publisher_sequence": "publisher_reference stream",
    "delete_publisher": "publisher_id pub.stream as stream",
    "subscribe": "subscription_id stream offset_type offset",
    "unsubscribe": "subscription_id sub.stream as stream",
    "query_offset": "reference stream",
    "create": "stream arguments",
    "delete": "stream",
    "metadata": "streams as names",
    "peer_properties": "",
    "sasl_handshake": "",
    "close": "",
    "route": "routing_key super_stream",
    "partitions": "super_stream",
    "consumer_update": "subscription_id active sub.stream as stream",
    "exchange_command_versions": "",
    "stream_stats": "stream",
    "create_super_stream": "fields.name as stream",
    "delete_super_stream": "fields.name as stream",
    "resolve_offset_spec": "stream",
}
"""Commands with a correlation id, and what their responses need to know of the request."""
_CODELESS: Final = frozenset({"metadata"})

PAIRS: Final = tuple(
    Pair(
        name=name,
        request=name,
        answers=f"{name}_response",
        keep=f"name as asked {kept}",
        failed="" if name in _CODELESS else "response_code not in (1, 10)",
    )
    for name, kept in _KEPT.items()
)
TUNE_SIZE: Final = 16
"""Bytes of Tune; of another size it has another layout, and its numbers are not what they seem."""
TUNE: Final = Pair(name="tune", request="tune", answers="tune_response", key="flow")

CONSTANTS: Final = (
    Constant(name="RACE", value="100 ms",
             doc="How long after an end frames of the other side may still be on their way, "
             "besides the time of a round trip."),
    Constant(name="UNANSWERED", value="10 s", doc="Age at which a request counts as unanswered."),
    Constant(name="SLOW_ANSWER", value="3 s",
             doc="Age at which a request without an answer is noted when the captures end."),
    Constant(name="LATE", value="10 s", doc="Response time from which a client has given up."),
    Constant(name="HANDSHAKE_STEP", value="9.5 s",
             doc="Time for the client's next step; brokers end the connection after 10 s."),
    Constant(name="SILENT_INTERVALS", value=2,
             doc="Heartbeat intervals of silence after which a side is missed."),
    Constant(name="STARVING", value="3 s",
             doc="Time without credit after which a subscription starves while data waits."),
    Constant(name="HELD_BACK", value="2 s",
             doc="Time that a broker waits for more credit before it is reported."),
    Constant(name="FIRST_OFFSETS", value=100_000_000_000,
             doc="Offsets above it are considered timestamps."),
    Constant(name="LAST_OFFSET", value=9_223_372_036_854_775_807,
             doc="Offsets above it are negative numbers of 64 bits."),
    Constant(name="AHEAD", value=1000, doc="Offsets this far after a stream's end are mistakes."),
    Constant(name="LAST_TIME", value=100_000_000_000_000,
             doc="Times above it, of the year 5138, are in microseconds or less."),
    Constant(name="FUTURE", value="60 s", doc="How far clocks of brokers may be ahead."),
    Constant(name="SKEW", value="1 s",
             doc="How far the clocks of a broker and of the capture may differ."),
    Constant(name="USED_EVERY", value="400 ms",
             doc="How often it is noted how a publisher or subscription uses its stream."),
    Constant(name="NOTED_CHUNKS", value=64,
             doc="First chunks of a subscription that are noted in its stream at once."),
    Constant(name="METADATA_LIMIT", value=4, doc="Metadata of missing streams in 2 s."),
    Constant(name="CREDIT_RAISES", value=2,
             doc="Raises of the credit window beyond which it grows without end."),
    Constant(name="IDLE_CONNECTIONS", value=8, doc="Connections that do nothing, in 10 s."),
    Constant(name="LARGE_CREDIT", value=500, doc="Credit that is no limit any more, in chunks."),
    Constant(name="FEW_IDLE", value=6, doc="Connections that do nothing, in 10 s, for a note."),
    Constant(name="SENT_AT_ONCE", value=65_536,
             doc="Bytes of a frame up to which its time is not that of a slow line."),
    Constant(name="FEW_MISSING", value=20,
             doc="Offsets after a subscription's last message that may be none of messages."),
    Constant(name="SINGLE_CHUNKS", value=64, doc="Chunks of about one message each."),
    Constant(name="BLOCKED", value="2 s", doc="Time to confirm from which a broker is blocked."),
    Constant(name="FLOOD", value=1000,
             doc="Unconfirmed messages from which each waits for those before it."),
    Constant(name="UNCONFIRMED_SIZE", value=33_554_432,
             doc="Bytes of unconfirmed messages that a client keeps."),
    Constant(name="REACHING", value="500 ms",
             doc="Time that a client takes to find that it cannot reach an advertised host."),
    Constant(name="ENDED_BY_UPDATE", value="59 s",
             doc="Age of a ConsumerUpdate without answer from which it ends the connection: "
             "brokers wait 60 s."),
    Constant(name="DROPPED", value="50 ms",
             doc="Time after a client's frame within which an end of connection is its effect."),
    Constant(name="LAST_KEY", value={0: 23, 3_009_000: 25, 3_011_000: 28, 3_013_000: 30,
                                     4_003_000: 31},
             doc="Highest key that a broker of this version knows, or higher."),
)  # fmt: skip

# The connection

UNDER_WAY: Final = "RACE + coalesce(conn.trip, 0)"
"""How long after an end frames of the other side may still be on their way."""
HANDSHAKE: Final = ("absent", "properties", "greeted", "handshake", "offered", "authenticating",
                    "known", "tuning", "tuned", "opening")  # fmt: skip
"""States before the connection is open."""
AFTER_OPEN: Final = (
    "declare_publisher publish query_publisher_sequence delete_publisher subscribe credit "
    "store_offset query_offset unsubscribe create delete metadata route partitions stream_stats "
    "create_super_stream delete_super_stream resolve_offset_spec"
)
"""Commands that a client sends when the connection is open."""
USES: Final = (
    "declare_publisher publish subscribe store_offset query_offset create delete route partitions "
    "stream_stats create_super_stream delete_super_stream resolve_offset_spec "
    "query_publisher_sequence"
)
"""Commands that a connection is made for; asking for metadata alone is not."""

CONNECTION: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="conn",
        scope="connection:one",
        type="connection",
        steps=(
            Transition("absent", "peer_properties", "properties"),
            Transition("properties", "peer_properties_response", "greeted"),
            Transition("unknown greeted absent properties", "sasl_handshake", "handshake"),
            Transition("handshake unknown", "sasl_handshake_response", "offered"),
            Transition("unknown offered handshake absent greeted", "sasl_authenticate",
                "authenticating"),
            Transition("authenticating", "sasl_authenticate_response", "known",
                "response_code == 1"),
            Transition("authenticating", "sasl_authenticate_response", "offered",
                "response_code == 10"),
            Transition("authenticating", "sasl_authenticate_response", "refused"),
            Transition("known unknown", "tune", "tuning"),
            Transition("tuning unknown", "tune_response", "tuned"),
            Transition("unknown known tuning tuned", "open", "opening"),
            Transition("opening unknown", "open_response", "open", "response_code == 1"),
            Transition("opening unknown", "open_response", "refused"),
            Transition("*", "close", "closing"),
            Transition("closing", "close_response", "closed"),
            Transition("unknown",
                f"{AFTER_OPEN} publish_confirm publish_error deliver consumer_update",
                 "open"),
        ),
        final="closed",
        failed="refused",
        starts={"unanswered": 0, "late": 0, "orphans": 0, "duplicates": 0, "updates": 0},
        measures={
            "frame_max": "conn.frame_max",
            "heartbeat_s": "conn.heartbeat",
            "unanswered": "conn.unanswered",
            "late": "conn.late",
            "orphans": "conn.orphans",
            "duplicates": "conn.duplicates",
        },
        counted="unanswered late orphans duplicates",
        closing=dict.fromkeys(HANDSHAKE[1:], "'failed'"),
    ),
    Action(on=" ".join(f"unanswered:{name}" for name in _KEPT),
         when="why != 'end' or t - req.t > UNANSWERED",
         do="conn.unanswered = conn.unanswered + 1"),
    Action(on="any:response", when="t - req.t > LATE",
         do="conn.late = conn.late + 1; conn.late_n = n; conn.late_of = name; "
         "conn.late_by = t - req.t"),
    Action(on="any:response", when="t - req.t > LATE and conn.state == 'open'",
         do="me.sign = name; me.sign_n = n"),
    Action(on="server:any:response", when="req.n is not None",
         do="conn.replied_n = max(coalesce(conn.replied_n, 0), req.n)"),
    Action(on="any:response", when="orphan", do="conn.orphans = conn.orphans + 1"),
    Action(on="any:request", when="duplicate", do="conn.duplicates = conn.duplicates + 1"),
    Action(on="peer_properties", when="conn.state != 'open'",
         do="conn.client_product = item(peer_properties, 'product'); "
         "conn.client_version = item(peer_properties, 'version'); "
         "conn.client_name = item(peer_properties, 'connection_name')"),
    Action(on="peer_properties_response",
         do="conn.broker_product = item(peer_properties, 'product'); "
         "conn.broker_version = item(peer_properties, 'version')"),
    Action(on="sasl_handshake_response", do="conn.mechanisms = mechanisms"),
    Action(on="sasl_authenticate", do="conn.mechanism = mechanism; conn.asked_n = n"),
    Action(on="sasl_authenticate", do="conn.asked_user = plain_user(sasl_opaque_data)",
         when="mechanism == 'PLAIN'"),
    Action(on="sasl_authenticate_response", when="response_code == 1",
         do="conn.user = coalesce(conn.asked_user, conn.user); conn.challenged_n = None"),
    Action(on="sasl_authenticate_response",
         when="response_code == 1 and len(req.sasl_opaque_data) > 32",
         do="conn.token = req.sasl_opaque_data; conn.token_t = t; conn.token_n = req.n"),
    Action(on="sasl_authenticate_response", when="response_code == 10", do="conn.challenged_n = n"),
    Action(on="sasl_authenticate", do="conn.challenged_n = None"),
    Action(on="sasl_authenticate_response open_response", when="response_code not in (1, 10)",
         do="conn.refused_n = n; conn.refused_t = t"),
    Action(on="tune", do="S.tune_n = n; S.heartbeat = heartbeat"),
    Action(on="tune", when=f"size == {TUNE_SIZE}", do="S.frame_max = frame_max"),
    Action(on="tune_response", do="C.tune_n = n; conn.trip = coalesce(t - req.t, 0)"),
    Action(on="open_response", do="conn.trip = max(coalesce(conn.trip, 0), t - req.t)"),
    Action(on="tune_response", when=f"size == {TUNE_SIZE}", do="conn.heartbeat = heartbeat; "
         "conn.frame_max = min_nonzero(S.frame_max, frame_max)"),
    Action(on="open", do="conn.opening_vhost = virtual_host; conn.open_n = n"),
    Action(on="open_response", when="response_code == 1",
         do="conn.vhost = req.virtual_host; conn.opened_n = n; "
         "conn.advertised_host = item(connection_properties, 'advertised_host'); "
         "conn.advertised_port = number(item(connection_properties, 'advertised_port'))"),
    Action(on=USES, do="conn.used_n = coalesce(conn.used_n, n)"),
    Action(on="close", do="conn.close_n = n"),
    Action(on="close_response", do="me.over_n = coalesce(me.over_n, n)"),
    Action(on="close", when="conn.fin_t is None or conn.first_fin == side",
         do="me.close_n = coalesce(me.close_n, n); me.close_t = coalesce(me.close_t, t)"),
    Action(on="metadata_response", do="conn.metadata_t = t"),
    Action(on="metadata_response", when="any_eq(streams.response_code, 1)",
         do="conn.found_n = n; conn.leads_to = first(brokers.host)"),
    Action(on="tcp.close tcp.reset", do="conn.first_fin = coalesce(conn.first_fin, side); "
         "conn.fin_t = coalesce(conn.fin_t, t)"),
    Action(on="exchange_command_versions", items="commands", when="commands.key == 8",
         do="C.deliver_max = commands.max_version"),
    Action(on="exchange_command_versions_response", items="commands", when="commands.key == 8",
         do="S.deliver_max = commands.max_version"),
    Action(on="exchange_command_versions_response", items="commands", when="commands.key == 2",
         do="S.publish_max = commands.max_version"),
    Action(on="exchange_command_versions", do="conn.exchanged_n = n"),
    Context(name="user", value="conn.user"),
    Context(name="vhost", value="conn.vhost"),
    Context(name="client_product", value="conn.client_product"),
    Context(name="client_version", value="conn.client_version"),
    Context(name="broker_product", value="conn.broker_product"),
    Context(name="broker_version", value="conn.broker_version"),
    Context(name="stream", value="pub.stream sub.stream req.stream"),
    Context(name="reference", value="pub.reference req.publisher_reference req.reference"),
    Timer(name="step", of="conn", mode="again", limit="HANDSHAKE_STEP",
          on="tcp.open peer_properties_response sasl_handshake_response tune",
          clear="client:any tcp.close tcp.reset"),
    Burst(name="missing", on="metadata_response", when="any_ne(streams.response_code, 1)",
           key="client, server, first(streams.stream_name)", window="2 s", limit="METADATA_LIMIT"),
    *(
        Burst(name=name, on="tcp.close tcp.reset",
              when="conn.gone == 1 and sender == 'client' and conn.used_n is None and "
              "conn.state in ('open', "
              "'closing', 'closed', 'opening') and conn.start and conn.whole and conn.both",
              key="client, server", window="10 s", limit=limit)
        for name, limit in (("idle", "IDLE_CONNECTIONS"), ("few_idle", "FEW_IDLE"))
    ),
)  # fmt: skip

HEARTBEAT: Final[tuple[Table, ...]] = (
    Timer(name="silence", of="me", on="any", mode="again", when="conn.heartbeat > 0",
          limit="conn.heartbeat * SILENT_INTERVALS * 1000000000",
          clear="close tcp.close tcp.reset tcp.partial"),
    Timer(name="deaf", of="me", on="any", mode="again", when="conn.heartbeat > 0",
          limit="conn.heartbeat * 3500000000",
          clear="close tcp.close tcp.reset tcp.partial"),
    # A silent side is judged where the connection goes on: it may be lost from the capture.
    Action(on="timer:silence", do="me.silent_t = t; me.silent_n = me.last_n; conn.quiet_t = t"),
    Action(on="timer:deaf", do="me.deaf_t = t; conn.quiet_t = t"),
    Action(on="any tcp.close tcp.reset", when="conn.quiet_t is not None",
         do="C.silent_t = None; S.silent_t = None; S.deaf_t = None; conn.quiet_t = None"),
    Action(on="heartbeat", do="me.beat_t = t; me.beat_n = n"),
)  # fmt: skip

UNHEARD: Final = "C.last_n > coalesce(S.last_n, 0) and t - C.last_t > SLOW_ANSWER"
"""The broker has not answered the last frame of the client for long."""

# Publishers and subscriptions

_NOTE_CONFIRMED: Final = (
    "series.stored = max(coalesce(pub.stored, 0), pub.confirmed_to); "
    "series.stored_t = pub.confirmed_t; "
    "tail.count = tail.count + (pub.confirmed - coalesce(pub.noted_count, 0)); "
    "tail.fed_t = pub.confirmed_t; pub.noted_count = pub.confirmed; pub.noted_t = t"
)
"""What the confirms of a publisher show of its stream."""

_NOTE_DELIVERED: Final = (
    "tail.next_t = sub.deliver_t if sub.next > coalesce(tail.next, 0) else tail.next_t; "
    "tail.next_n = sub.deliver_n if sub.next > coalesce(tail.next, 0) else tail.next_n; "
    "tail.next = max(coalesce(tail.next, 0), sub.next); tail.first_of = sub.chunk_id; "
    "tail.count_of = sub.next - sub.chunk_id; "
    "sub.noted_next = sub.next"
)
"""What the chunks of a subscription show of its stream."""
_NOTE_LATE: Final = (
    "tail.mixed_t = t if sub.chunks >= NOTED_CHUNKS and tail.late_flow != flow else tail.mixed_t; "
    "tail.late_t = t if sub.chunks >= NOTED_CHUNKS else tail.late_t; "
    "tail.late_flow = flow if sub.chunks >= NOTED_CHUNKS else tail.late_flow"
)
"""That further chunks are noted later, and whether those of other connections are as well."""
SETTLED: Final = "(tail.late_t is None or t - tail.late_t > USED_EVERY)"
"""Whether all chunks of a stream are noted."""

PUBLISHERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="pub",
        scope="connection",
        type="publisher",
        key={
            "declare_publisher publish publish_confirm publish_error delete_publisher":
                "publisher_id",
            "declare_publisher_response delete_publisher_response": "req.publisher_id",
        },
        steps=(
            Transition("absent", "declare_publisher", "asked"),
            Transition("asked unknown", "declare_publisher_response", "live", "response_code == 1"),
            Transition("asked", "declare_publisher_response", "refused"),
            Transition("unknown", "publish", "live"),
            Transition("live unknown", "delete_publisher_response", "removed",
                "response_code == 1"),
        ),
        each=(Transition("live unknown", "metadata_update", "lost", "pub.stream == stream"),),
        final="refused removed lost",
        failed="refused",
        live="live asked",
        starts={"confirmed": 0, "refused": 0},
        measures={
            "in_flight": "count(pub.waiting)",
            "confirmed": "pub.confirmed",
            "refused": "pub.refused",
            "confirm_max_ns": "pub.confirm_max",
        },
        counted="in_flight confirmed refused confirm_max_ns",
        closing={"asked": "'unanswered'", "unknown": "'unknown'"},
    ),
    Lifecycle(
        name="series",
        scope="capture",
        doc="The publishing ids of a reference on a stream.",
        key={
            "query_publisher_sequence_response":
                "server, conn.vhost, req.stream, req.publisher_reference",
            "declare_publisher_response":
                "server, conn.vhost, req.stream, req.publisher_reference",
            "publish publish_confirm timer:confirmed end:pub":
                "server, conn.vhost, pub.stream, pub.reference",
        },
    ),
    Lifecycle(
        name="tail",
        scope="capture",
        doc="A stream of a broker, as far as the captures show what is in it.",
        key={
            "create_response": "server, conn.vhost, req.stream",
            "publish_confirm timer:confirmed end:pub": "server, conn.vhost, pub.stream",
            "subscribe": "server, conn.vhost, stream",
            "deliver consumer_update_response timer:delivered timer:starve timer:hold timer:held "
            "timer:nothing end:sub":
                "server, conn.vhost, sub.stream",
            "stream_stats_response delete_response declare_publisher_response "
            "query_offset_response":
                "server, conn.vhost, req.stream",
            "metadata_update store_offset": "server, conn.vhost, stream",
        },
    ),
    Action(on="create_response", when="response_code == 1",
         do="tail.begun = coalesce(number(item(req.arguments, 'stream-initial-offset')), 0); "
         "tail.count = tail.begun; tail.next = None; tail.made_t = t"),
    Action(on="delete_response", when="response_code == 1",
         do="tail.dropped = tail.count - tail.begun if tail.next is None else 0; "
         "tail.dropped_n = req.n; tail.count = None; tail.next = None; tail.made_t = t"),
    Action(on="metadata_update", do="tail.count = None; tail.next = None; tail.moved_t = t"),
    Action(on="store_offset", do="tail.stored_n = n"),
    Action(on="declare_publisher", when="pub.state != 'live'",
         do="pub.stream = stream; pub.reference = publisher_reference"),
    Action(on="query_publisher_sequence_response", when="response_code != 1",
         do="conn.unsequenced_n = req.n"),
    Action(on="query_publisher_sequence_response", when="response_code == 1",
         do="series.stored = sequence; series.stored_t = t"),
    Action(on="declare_publisher_response", when="response_code == 1",
         do="pub.stored = None if series.stored_t < tail.made_t else series.stored"),
    Action(on="publish", when="pub.publish_n is None",
         do="topic.since = coalesce(topic.since, t)"),
    Action(on="publish", when="pub.used_t is None or t - pub.used_t > USED_EVERY",
         do="pub.used_t = t; topic.used_t = t; topic.fed_t = t; "
         "topic.fed_on_t = coalesce(topic.fed_on_t, t)"),
    Action(on="publish", when="pub.top is None and pub.state == 'unknown'",
         do="pub.stored = coalesce(pub.stored, series.stored)"),
    Action(on="publish",
         when="len(pub.reference) > 0 and greatest(published_messages.publishing_id) == pub.top",
         do="pub.repeats = coalesce(pub.repeats, 0) + 1"),
    Action(on="publish", when="first(published_messages.publishing_id) <= pub.top",
         do="pub.low = min(pub.low, first(published_messages.publishing_id))"),
    Action(on="publish",
         when="len(pub.reference) > 0 and first(published_messages.publishing_id) > pub.top + 1",
         do="pub.gap_from = pub.top + 1; "
         "pub.gap_to = first(published_messages.publishing_id) - 1; pub.gap_n = n"),
    Action(on="publish",
         do="pub.top = max(coalesce(pub.top, 0), greatest(published_messages.publishing_id))"),
    Action(on="publish",
        do="add(pub.waiting, published_messages.publishing_id); pub.publish_n = n; "
        "C.routine_n = n if pub.confirmed > 0 else C.routine_n"),
    Action(on="publish_confirm",
         do="pub.confirmed = pub.confirmed + len(publishing_ids); pub.confirmed_t = t; "
         "pub.confirm_max = max(coalesce(pub.confirm_max, 0), t - oldest_t(pub.waiting)); "
         "pub.confirmed_to = greatest(publishing_ids); take(pub.waiting, publishing_ids)"),
    Action(on="publish_confirm", when="pub.noted_t is None or t - pub.noted_t > USED_EVERY",
         do=_NOTE_CONFIRMED),
    Timer(name="confirmed", of="pub", on="publish_confirm", limit="USED_EVERY"),
    Action(on="timer:confirmed end:pub", when="pub.confirmed > pub.noted_count",
         do=_NOTE_CONFIRMED),
    Action(on="publish_error", do="pub.refused = pub.refused + len(publishing_errors); "
         "pub.error_n = n; take(pub.waiting, publishing_errors.publishing_id)"),
    Lifecycle(
        name="topic",
        scope="capture",
        doc="A stream of a virtual host, on whichever broker: when it was published to first.",
        key={
            "publish": "conn.vhost, pub.stream",
            "deliver": "conn.vhost, sub.stream",
            "consumer_update_response": "conn.vhost, sub.stream",
            "end:early": "early.host, early.stream",
            "end:fallen": "conn.vhost, fallen.stream",
            "end:lapsed": "lapsed.host, lapsed.stream",
            "end:newcomer": "newcomer.host, newcomer.stream",
            "end:sub timer:held timer:starve": "conn.vhost, sub.stream",
        },
    ),
    CrossLink(kind="rabbitmq stream", role="leads", on="publish", of="pub",
         key="conn.vhost, pub.stream"),
)  # fmt: skip

SUBSCRIPTIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="sub",
        scope="connection",
        type="subscription",
        key={
            "subscribe credit credit_response deliver consumer_update unsubscribe":
                "subscription_id",
            "subscribe_response unsubscribe_response consumer_update_response":
                "req.subscription_id",
        },
        steps=(
            Transition("absent", "subscribe", "asked"),
            Transition("asked unknown", "subscribe_response", "live", "response_code == 1"),
            Transition("asked", "subscribe_response", "refused"),
            # Subscribe came before the answer to Unsubscribe, which has ended the former one.
            Transition("absent", "subscribe_response", "live", "response_code == 1"),
            Transition("unknown", "deliver", "live"),
            Transition("live unknown", "unsubscribe_response", "removed", "response_code == 1"),
        ),
        each=(Transition("live unknown", "metadata_update", "lost", "sub.stream == stream"),),
        final="refused removed lost",
        failed="refused",
        live="live asked",
        starts={"chunks": 0, "messages": 0, "granted": 0, "starved": 0, "raises": 0},
        measures={
            "credit": "sub.balance",
            "granted": "sub.granted",
            "chunks": "sub.chunks",
            "messages": "sub.messages",
            "first_delivery_ns": "sub.first_t - sub.t",
            "starved_ns": "sub.starved",
        },
        counted="credit granted chunks messages first_delivery_ns starved_ns",
        closing={"asked": "'unanswered'", "unknown": "'unknown'"},
    ),
    Action(on="subscribe", when="sub.state != 'live'",
         do="sub.stream = stream; sub.balance = credit; sub.initial = credit; "
         "sub.granted = credit; sub.most = credit; "
         "sub.single = item(properties, 'single-active-consumer'); "
         "sub.reference = item(properties, 'name'); "
         "sub.super_stream = item(properties, 'super-stream'); "
         "sub.selector = item(properties, 'chunk_selector'); sub.offset_type = offset_type; "
         "sub.wanted = offset; sub.waiting = max(coalesce(tail.count, 0), coalesce(tail.next, 0))"),
    Action(on="subscribe", do="tail.begins = offset if offset_type == 4 else None; "
         "tail.begins_n = n"),
    Action(on="credit",
        do="sub.balance = sub.balance + credit; sub.granted = sub.granted + credit; "
         "sub.credit_n = n; sub.credit_t = t; "
         "C.routine_n = n if sub.chunks > 1 and credit > 0 else C.routine_n"),
    Action(on="credit", when="credit > 0 and sub.balance > sub.most",
         do="sub.raises = sub.raises + 1; sub.most = sub.balance"),
    Lifecycle(
        name="received",
        scope="connection",
        doc="What a connection has received of a stream, and its last chunk.",
        key={"deliver": "sub.stream", "store_offset": "stream"},
    ),
    Action(on="deliver", do="received.next = max(coalesce(received.next, 0), "
         "chunk.chunk_id + chunk.num_records); "
         "received.first_of = chunk.chunk_id; received.count_of = chunk.num_records"),
    Action(on="deliver", do="sub.balance = sub.balance - 1; sub.chunks = sub.chunks + 1; "
         "sub.messages = sub.messages + chunk.num_records; sub.chunk_id = chunk.chunk_id; "
         "sub.next = chunk.chunk_id + chunk.num_records; sub.deliver_n = n; "
         "sub.deliver_t = t; sub.written_ms = chunk.timestamp; sub.chunk_epoch = chunk.epoch; "
         "sub.first_t = coalesce(sub.first_t, t)"),
    Action(on="deliver", when="sub.chunks <= NOTED_CHUNKS or t - sub.noted_t > USED_EVERY",
         do=f"{_NOTE_LATE}; {_NOTE_DELIVERED}; sub.noted_t = t"),
    Timer(name="delivered", of="sub", on="deliver", when="sub.chunks >= NOTED_CHUNKS",
          limit="USED_EVERY"),
    Action(on="timer:delivered consumer_update_response", when="sub.next > sub.noted_next",
         do=_NOTE_DELIVERED),
    Action(on="end:sub", when="sub.next > sub.noted_next and why != 'lost'", do=_NOTE_DELIVERED),
    Action(on="deliver", when="sub.used_t is None or t - sub.used_t > USED_EVERY",
         do="sub.used_t = t; topic.used_t = t"),
    Action(on="deliver", when="committed_chunk_id is not None",
         do="sub.committed = committed_chunk_id"),
    Action(on="subscribe_response", when="response_code == 1 and sub.balance <= 0",
         do="sub.empty_t = coalesce(sub.empty_t, t)"),
    Action(on="deliver", when="sub.balance <= 0", do="sub.empty_t = coalesce(sub.empty_t, t)"),
    Action(on="credit", when="sub.balance > 0 and sub.empty_t is not None",
         do="sub.starved = sub.starved + t - sub.empty_t; sub.empty_t = None"),
    Action(on="end:sub", when="sub.empty_t is not None",
         do="sub.starved = sub.starved + t - sub.empty_t"),
    Action(on="unsubscribe", do="sub.leaving_n = n"),
    Action(on="unsubscribe_response", do="sub.leaving_n = None"),
    Action(on="subscribe_response", when="sub.stream is None", do="sub.stream = req.stream"),
    Action(on="credit", when="0 < sub.balance <= sub.initial // 2",
         do="sub.low_t = coalesce(sub.low_t, t); sub.low_n = coalesce(sub.low_n, n)"),
    Action(on="credit", when="sub.low_t is not None and sub.balance > sub.initial // 2",
         do="sub.raised_t = coalesce(sub.raised_t, t); sub.raised_n = coalesce(sub.raised_n, n)"),
    Action(on="deliver", do="sub.low_t = None; sub.low_n = None; sub.raised_t = None; "
         "sub.raised_n = None"),
    Action(on="stream_stats_response",
         do="tail.next = max(coalesce(tail.next, 0), max(coalesce(item(stats, "
         "'last_chunk_id'), 0), coalesce(item(stats, 'committed_chunk_id'), 0)))"),
    Action(on="consumer_update", do="sub.update_n = n; conn.updates = conn.updates + 1; "
         "conn.update_t = coalesce(conn.update_t, t)"),
    Action(on="consumer_update_response", do="conn.updates = conn.updates - 1; "
         "conn.update_t = None if conn.updates == 0 else conn.update_t"),
    Action(on="consumer_update_response", do="sub.active = req.active"),
    Action(on="consumer_update_response", when="req.active == 1", do="sub.placed_n = n"),
    Action(on="consumer_update_response", when="req.active == 1 and sub.idle_n is not None",
         do="sub.back_n = n; sub.back_t = t; topic.fed_on_t = None"),
    Action(on="consumer_update_response",
         do="sub.idle_n = n if req.active == 0 and sub.messages > 0 else None"),
    Action(on="deliver", when="sub.back_n is not None", do="sub.back_n = None"),
    Timer(name="starve", of="sub", on="deliver", when="sub.balance <= 0", limit="STARVING",
          clear="credit unsubscribe unsubscribe_response metadata_update close", mode="first"),
    Timer(name="hold", of="sub", on="credit", when="0 < sub.balance <= sub.initial // 2",
          limit="HELD_BACK", clear="deliver unsubscribe metadata_update close", mode="first"),
    Timer(name="held", of="sub", on="deliver", when="0 < sub.balance <= sub.initial // 2",
          limit="STARVING", clear="credit unsubscribe metadata_update close", mode="again"),
    Timer(name="never", of="sub", on="subscribe_response", when="sub.balance == 0",
          limit="STARVING", clear="credit unsubscribe metadata_update close", mode="first"),
    Timer(name="nothing", of="sub", on="subscribe_response",
          when="response_code == 1 and sub.balance > 0 and sub.offset_type == 4",
          limit="STARVING", clear="deliver unsubscribe metadata_update close", mode="first"),
    # Chunks that are older than all that was published are of no publisher that was captured.
    CrossLink(kind="rabbitmq stream", role="follows", on="deliver", of="sub",
         when="chunk.timestamp * 1000000 > topic.since - SKEW", key="conn.vhost, sub.stream"),
)  # fmt: skip

NODES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="machine",
        scope="capture",
        doc="A client's address: which ports its brokers advertise.",
        key={
            "peer_properties open metadata_response open_response partitions_response subscribe "
            "declare_publisher tcp.close tcp.reset": "client"
        },
    ),
    Action(on="peer_properties open open_response", when="conn.client_seen is None",
         do="conn.client_seen = 1; machine.opened = coalesce(machine.opened, 0) + 1"),
    Action(on="open_response", when="count(machine.ports) > 0 and conn.advertised_port is not None "
         "and not has(machine.ports, conn.advertised_port)",
         do="conn.strange_n = req.n"),
    Action(on="client:tcp.close client:tcp.reset", do="conn.gone = coalesce(conn.gone, 0) + 1"),
    Action(on="tcp.close tcp.reset", when="conn.used_n is not None and conn.worked is None",
         do="conn.worked = 1; machine.worked = coalesce(machine.worked, 0) + 1"),
    Action(on="subscribe declare_publisher", do="machine.at_work = 1"),
    Action(on="metadata_response", items="brokers", do="put(machine.ports, brokers.port)"),
    Action(on="partitions_response", items="streams", do="put(machine.partitions, streams)"),
    # Metadata says where the nodes are; a connection to one of them receives the same name.
    CrossLink(kind="rabbitmq node", role="leads", on="metadata_response", items="brokers",
         key="client, conn.client_product, conn.vhost, brokers.host, brokers.port"),
    CrossLink(kind="rabbitmq node", role="follows", on="open_response", when="response_code == 1",
         key="client, conn.client_product, conn.vhost, conn.advertised_host, "
         "conn.advertised_port"),
)  # fmt: skip

_CUT: Final = "why in ('closed', 'reset')"
"""An object has ended with its connection, not on request."""
RECONNECTS: Final[tuple[Table, ...]] = (
    CrossLink(kind="rabbitmq client", role="leads", on="end:conn", when=_CUT,
         key="client, conn.client_product, conn.client_name, conn.vhost"),
    CrossLink(kind="rabbitmq client", role="follows", on="open_response", when="response_code == 1",
         key="client, conn.client_product, conn.client_name, conn.vhost"),
    CrossLink(kind="rabbitmq publisher", role="leads", on="end:pub", of="pub", when=_CUT,
         key="client, conn.client_product, conn.vhost, pub.stream, pub.reference"),
    CrossLink(kind="rabbitmq publisher", role="follows", on="declare_publisher_response", of="pub",
         when="response_code == 1",
         key="client, conn.client_product, conn.vhost, pub.stream, pub.reference"),
    CrossLink(kind="rabbitmq subscription", role="leads", on="end:sub", of="sub", when=_CUT,
         key="client, conn.client_product, conn.vhost, sub.stream, coalesce(sub.reference, '')"),
    CrossLink(kind="rabbitmq subscription", role="follows", on="subscribe_response", of="sub",
         when="response_code == 1",
         key="client, conn.client_product, conn.vhost, sub.stream, coalesce(sub.reference, '')"),
)  # fmt: skip

# What is worked out of frames

DERIVED: Final[tuple[Table, ...]] = (
    Derived(name="credit_balance", on="subscribe credit deliver", value="sub.balance",
            needs="object both", text="Credit balance: {}",
            doc="Chunks that the broker may still send to the subscription, this frame counted."),
    Derived(name="in_flight", on="publish publish_confirm publish_error",
            value="count(pub.waiting)", needs="object both", text="In flight: {}",
            doc="Messages of the publisher that are neither confirmed nor refused, this frame "
            "counted."),
    Derived(name="time_to_confirm", on="publish_confirm publish_error", value="took",
            text="Time to confirm: {:time}", doc="Time since the first message it is about."),
    Derived(name="time_to_first_delivery", on="deliver", value="t - sub.t",
            when="sub.chunks == 1", needs="object both", text="Time to first delivery: {:time}",
            doc="Time from Subscribe to the first chunk, on the frame that brings it."),
    Derived(name="duplicate_of", on="any:request", value="duplicate_of",
            text="Duplicate of frame {}", mark="duplicate of {}",
            doc="The open request of this side that has the same correlation id."),
    Derived(name="orphan", on="any:response", value="1", when="orphan", needs="start whole both",
            text="No request seen for this response", mark="no request seen",
            doc="1 for a response whose correlation id no open request has."),
    Derived(name="late", on="any:response", value="t - req.t", when="t - req.t > LATE",
            text="Late: {:time} after its request", mark="late",
            doc="Time since the request of a response that clients have given up, see LATE."),
)  # fmt: skip

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *PLACES, *CONSTANTS, *PAIRS, TUNE, *CONNECTION, *HEARTBEAT, *SUBSCRIPTIONS, *PUBLISHERS, *NODES,
    *RECONNECTS, *DERIVED, *BEHAVIOURS, *PLACEMENT, *CONTINUITY,
    *OBJECT_STATES, *PROGRAMS, *HANDLING, *RECOVERY,
)  # fmt: skip
"""Read by the engine, `streamshark.conversations`."""
