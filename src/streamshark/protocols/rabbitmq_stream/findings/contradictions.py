"""Rules for frames that contradict what came before: answers, ids, and values of brokers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import HANDSHAKE, UNDER_WAY, UNHEARD
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, OSIRIS, READER

_ALL_CHUNKS: Final = "sub.selects is None and coalesce(sub.selector, '') != 'all'"
"""The subscription receives each chunk with messages, and no other."""
_TAKEN: Final = "(ABSENT if tail.stored_n is not None else 0)"
"""Offsets that stored offsets may take."""

CONNECTIONS: Final = (
    Rule(
        id="RMQ-B161",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="frame of the broker after its CloseResponse",
        on="server:any",
        when="me.over_n is not None and name not in ('heartbeat', 'close', 'close_response')",
        needs="since",
        of="conn",
        evidence="n, me.over_n",
        message="the broker sent {name} after CloseResponse in frame {me.over_n}, which ends the "
        "connection",
        cause="The answer comes too late: the client reads nothing any more.",
        source=f"{DOC}, Close; {READER}, handle_frame_post_close",
        guilty="server",
    ),
    Rule(
        id="RMQ-B162",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="second Tune of the broker",
        on="server:tune",
        when="S.tune_n is not None",
        needs="since",
        of="conn",
        evidence="n, S.tune_n",
        message="the broker sent Tune again; the first one is frame {S.tune_n}",
        cause="Tune is sent once, after authentication: the client has answered the first one.",
        source=f"{DOC}, Tune; {READER}, tuning",
        guilty="server",
    ),
    Rule(
        id="RMQ-B163",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="Metadata about other streams than were asked for",
        on="metadata_response",
        when="len(req.names) > 0 and len(streams) > 0 and ("
        "strange(streams.stream_name, req.names, ()) is not None or "
        "strange(req.names, streams.stream_name, ()) is not None)",
        needs="",
        evidence="n, req.n",
        message="the client asked for {req.names}, and the broker answered about "
        "{streams.stream_name}",
        cause="The answer belongs to another request, or the broker has mixed up the names.",
        source=f"{DOC}, Metadata; {READER}, metadata",
        guilty="server",
    ),
    Rule(
        id="RMQ-B177",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="answer after that of a later request",
        on="server:any:response",
        when="conn.replied_n > req.n",
        needs="start whole both",
        of="conn",
        evidence="n, req.n",
        message="{name} answers frame {req.n} after a later request, in frame {conn.replied_n}, "
        "was answered",
        cause="Brokers answer the requests of a connection in order: this answer was held back. "
        "Clients that take the next answer for their own confuse the two.",
        source=f"{READER}, handle_frame_post_auth",
        healthy="Another server of the protocol, which answers as soon as it can.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B174",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="handshake that the client gives up",
        on="client:tcp.close client:tcp.reset",
        when=f"conn.state in {HANDSHAKE[1:]} and conn.fin_t is None and conn.close_n is None and "
        f"not ({UNHEARD})",
        needs="start whole both",
        per="client, server, conn.state",
        evidence="C.last_n, S.last_n",
        message="the client closed the TCP connection during the handshake (state '{conn.state}')",
        cause="The client fails at an answer of the broker, or does not wait for it.",
        source=f"{DOC}, Authentication",
        healthy="A program that is stopped, or only tries whether a broker is there.",
        echo_of="error RMQ-N16 RMQ-N5",
    ),
)

OBJECTS: Final = (
    Rule(
        id="RMQ-B164",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="DeletePublisher for an unknown publisher",
        on="delete_publisher",
        when="pub.state in ('absent', 'refused') or "
        f"pub.state == 'removed' and t - pub.ended_t > {UNDER_WAY}",
        needs="since",
        message="{name} for publisher {publisher_id}, which is {pub.state}",
        cause="",
        by="pub.state",
        causes={
            "absent": "The client never declared a publisher with this id: it deletes another one "
            "than it means, or counts its ids wrongly.",
            "refused": "The broker refused the publisher.",
            "removed": "The client deletes the publisher twice.",
        },
        source=f"{READER}, delete_publisher: code 18",
    ),
    Rule(
        id="RMQ-B165",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="delivery or ConsumerUpdate for an unknown subscription",
        on="server:deliver server:consumer_update",
        when="sub.state == 'absent'",
        needs="start whole both",
        message="{name} for subscription {subscription_id}, which the client never requested",
        cause="The subscription id is that of another connection, or not the client's: clients "
        "drop such frames, or end the connection.",
        source=f"{DOC}, Deliver, ConsumerUpdate; {READER}, send_chunks",
        guilty="server",
    ),
    Rule(
        id="RMQ-B166",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="delivery or ConsumerUpdate before the answer to Subscribe",
        on="server:deliver server:consumer_update",
        when="sub.state == 'asked'",
        needs="object both",
        evidence="n, sub.n",
        message="{name} for subscription {subscription_id} came before the broker had answered "
        "Subscribe",
        cause="The broker answers too late: clients that make the subscription with the answer do "
        "not know it yet.",
        source=f"{DOC}, Subscribe, Deliver; {READER}, handle_subscription",
        guilty="server",
    ),
    Rule(
        id="RMQ-B166b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="confirm before the answer to DeclarePublisher",
        on="server:publish_confirm",
        when="pub.state == 'asked' and pub.publish_n is not None",
        needs="object both",
        evidence="n, pub.n",
        message="messages of publisher {publisher_id} were confirmed before the broker had "
        "answered DeclarePublisher",
        cause="The broker answers too late, or has dropped the answer.",
        source=f"{DOC}, DeclarePublisher, PublishConfirm",
        guilty="server",
    ),
)

UNCONFIRMED: Final = (
    Rule(
        id="RMQ-B178",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="messages without a confirm when the stream became unavailable",
        on="end:pub",
        when="why == 'lost' and count(pub.waiting) > 0 and pub.error_n is None and "
        f"t - oldest_t(pub.waiting) > {UNDER_WAY}",
        needs="object both",
        evidence="oldest_n(pub.waiting), pub.publish_n",
        message="{count(pub.waiting):count message} of publisher {pub.id} to {pub.stream} had no "
        "confirm for {t - oldest_t(pub.waiting):time}, when MetadataUpdate ended the publisher",
        cause="The broker has not stored them: a replica is missing, or the stream has no leader.",
        source=f"{DOC}, PublishConfirm, MetadataUpdate",
        healthy="The stream was deleted with its messages, or the client publishes them again.",
    ),
)

CHUNKS: Final = (
    Rule(
        id="RMQ-B169",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="chunk with an earlier time than the one before",
        on="deliver",
        when="chunk.timestamp < sub.written_ms and chunk.chunk_id > sub.chunk_id",
        needs="since both",
        evidence="n, sub.deliver_n",
        message="chunk {chunk.chunk_id} of {sub.stream} has time {chunk.timestamp}, and chunk "
        "{sub.chunk_id} before it {sub.written_ms}: consumers that begin at a time skip or repeat "
        "messages here",
        cause="The clock of the broker was set back, or differs from that of the node that led "
        "the stream before.",
        source=f"{OSIRIS}, chunk timestamps",
        healthy="A new leader, whose clock is a little behind.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B170",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="chunk of an earlier epoch than the one before",
        on="deliver",
        when="chunk.epoch < sub.chunk_epoch and chunk.chunk_id > sub.chunk_id",
        needs="since both",
        evidence="n, sub.deliver_n",
        message="chunk {chunk.chunk_id} of {sub.stream} is of epoch {chunk.epoch}, and chunk "
        "{sub.chunk_id} before it of {sub.chunk_epoch}",
        cause="Epochs grow with each new leader: a former leader has gone on writing, or the log "
        "of this node has chunks that the leader's lacks.",
        source=f"{OSIRIS}, epochs",
        guilty="server",
    ),
    Rule(
        id="RMQ-B171",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="first messages of a new stream that are not delivered",
        on="deliver",
        when=f"sub.chunks == 0 and sub.offset_type == 1 and sub.single is None and "
        f"{_ALL_CHUNKS} and "
        f"chunk.chunk_id > tail.begun + {_TAKEN}",
        needs="object both",
        evidence="n, sub.n",
        message="subscription {subscription_id} asks for the first message of {sub.stream}, which "
        "was created in these captures, and begins at {chunk.chunk_id}, not at {tail.begun}",
        cause="The stream has deleted the messages before, or the broker skips them.",
        source=f"{OSIRIS}, init_offset_reader; rabbitmq.com, Streams, Data Retention",
        healthy="The retention of the stream (max-length-bytes, max-age) has removed them.",
        echo_of="RMQ-B42",
    ),
    Rule(
        id="RMQ-B171b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="few messages missing between two chunks",
        on="deliver",
        when=f"{_ALL_CHUNKS} and tail.begun is not None and tail.stored_n is None and "
        "sub.next < chunk.chunk_id <= sub.next + ABSENT",
        needs="object both all",
        evidence="n, sub.deliver_n",
        message="subscription {subscription_id} of {sub.stream} received the chunk at "
        "{chunk.chunk_id} right after messages up to {sub.next - 1}: the "
        "{chunk.chunk_id - sub.next} in between were not delivered",
        cause="The broker has left a chunk out, or the stream has deleted it.",
        source=f"{OSIRIS}, chunk ids",
        healthy="A program that was not captured stores offsets in this stream, which takes "
        "offsets; or its leader has changed.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B175",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription with credit that does not receive what another one does",
        on="end:sub",
        when="sub.selects is None and sub.single is None and sub.balance > sub.initial // 2 and "
        "sub.chunks > 0 and tail.next > sub.next and t - tail.next_t > STARVING",
        needs="object both all",
        evidence="sub.deliver_n, tail.next_n",
        message="subscription {sub.id} of {sub.stream} ended with credit {sub.balance} and "
        "messages up to {sub.next - 1}, {t - tail.next_t:time} after another subscription had "
        "received those up to {tail.next - 1} from the same broker",
        cause="The broker has stopped to deliver to this subscription.",
        source=f"{READER}, send_chunks",
        healthy="The client does not read, so that TCP has no room for more.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B175b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription from the first message that receives nothing",
        on="end:sub",
        when="sub.chunks == 0 and sub.offset_type == 1 and sub.granted > 0 and "
        "sub.single is None and sub.selects is None and tail.count > tail.begun and "
        "t - max(sub.t, tail.fed_t) > STARVING",
        needs="object both all",
        evidence="sub.n",
        message="subscription {sub.id} of {sub.stream} ended without a chunk, "
        "{t - max(sub.t, tail.fed_t):time} after the broker had confirmed messages in the stream",
        cause="The broker delivers nothing to this subscription.",
        source=f"{READER}, send_chunks",
        healthy="The client does not read, so that TCP has no room for more.",
        guilty="server",
    ),
)

VALUES: Final = (
    Rule(
        id="RMQ-B167",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid value in ConsumerUpdate",
        on="consumer_update",
        when="active > 1",
        needs="",
        message="ConsumerUpdate for subscription {subscription_id} has {active}; 1 is active, and "
        "0 is not",
        cause="",
        source=f"{DOC}, ConsumerUpdate; {CORE}, consumer_update",
        guilty="server",
    ),
    Rule(
        id="RMQ-B168",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="advertised node that cannot be connected to",
        on="metadata_response",
        when="any_eq(brokers.host, '') or any_eq(brokers.port, 0) or any_above(brokers.port, "
        "65535)",
        needs="",
        per="server",
        message="Metadata lists brokers at {brokers.host}, port {brokers.port}: one of them has no "
        "host, or no port that exists",
        cause="advertised_host or advertised_port of the broker is not set as it should be.",
        source=f"{DOC}, Metadata; rabbitmq.com, Stream Plugin, advertised_host",
        guilty="server",
    ),
    Rule(
        id="RMQ-B168b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid advertised host or port in the Open response",
        on="open_response",
        when="item(connection_properties, 'advertised_host') == '' or "
        "item(connection_properties, 'advertised_port') is not None and ("
        "number(item(connection_properties, 'advertised_port')) is None or "
        "number(item(connection_properties, 'advertised_port')) == 0 or "
        "number(item(connection_properties, 'advertised_port')) > 65535)",
        needs="",
        per="server",
        message="Open was answered with the host '{item(connection_properties, "
        "'advertised_host')}' and the port '{item(connection_properties, 'advertised_port')}'",
        cause="advertised_host or advertised_port of the broker is not set as it should be.",
        source=f"{DOC}, Open; rabbitmq.com, Stream Plugin, advertised_host",
        guilty="server",
    ),
    Rule(
        id="RMQ-B172",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stored offset that these captures do not show being stored",
        on="query_offset_response",
        when="response_code == 1 and tail.begun is not None and (progress.most is None or "
        "not progress.least <= fields.offset <= progress.most)",
        needs="start whole both all",
        of="progress",
        evidence="n, req.n",
        message="the broker answered that {fields.offset} is stored for {req.reference} in "
        "{req.stream}; since the stream was created, "
        "{'nothing was stored for it' if progress.most is None else 'other offsets were stored'} "
        "in these captures",
        cause="The answer is for another name or stream, or the broker has kept an offset of a "
        "former stream.",
        source=f"{DOC}, QueryOffset, StoreOffset",
        healthy="A program that was not captured has stored it.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B173",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="resolved offset of the wrong type",
        on="resolve_offset_spec_response",
        when="response_code == 1 and offset_type != 4",
        needs="",
        evidence="n, req.n",
        message="ResolveOffsetSpec was answered with type {offset_type} instead of 4 (offset)",
        cause="",
        source=f"{DOC}, ResolveOffsetSpec",
        guilty="server",
    ),
    Rule(
        id="RMQ-B176",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="route to a stream that Partitions does not list",
        on="route_response",
        when="response_code == 1 and count(super.listed) > 0 and len(streams) > 0 and "
        "not has(super.listed, first(streams))",
        needs="since both",
        of="super",
        evidence="n, super.listed_n",
        message="routing key '{req.routing_key}' leads to {first(streams)}, which is no partition "
        "of {req.super_stream} in frame {super.listed_n}",
        cause="The super stream was made anew, or its bindings are those of other streams: a "
        "client that declares publishers for its partitions has none for this one.",
        source=f"{DOC}, Route, Partitions",
        guilty="server",
    ),
)

STORED: Final = (
    Rule(
        id="RMQ-B245",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offset that the broker has not kept",
        on="deliver",
        when="sub.chunks == 0 and sub.unkept is not None and chunk.chunk_id <= sub.unkept",
        needs="start whole both all",
        of="sub",
        evidence="sub.unkept_n, sub.kept_n, n",
        message="the broker answered that no offset, or an earlier one, is stored for "
        "{sub.unkept_by} in {sub.stream}, although offsets up to {sub.unkept} were stored in the "
        "{t - sub.kept_since:time} before; messages are read again from {chunk.chunk_id} on",
        cause="StoreOffset has no answer, and the broker ignores it if the user may not: before "
        "3.13 the user needs the permission to write to the stream.",
        source=f"{READER}, store_offset; rabbitmq-server issue 14330, pull request 10383",
        healthy="An operator has reset the offset.",
    ),
)

CONTRADICTIONS: Final = (*CONNECTIONS, *OBJECTS, *UNCONFIRMED, *CHUNKS, *VALUES, *STORED)
"""Part of `all_rules`."""
