"""Sentences of `streamshark explain` about a connection.

Conditions see the state before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

REFUSED: Final = "response_code not in (1, 10)"
"""Not ok, and no step of a login that continues."""
HELD_BACK: Final = "t - req.t > 2500000000"
"""Brokers of 4.x wait 3 s before they refuse (rabbit_stream_reader.erl, `silent_close`)."""
STEPS: Final = (
    "properties", "greeted", "handshake", "offered", "authenticating", "known", "tuning", "tuned",
    "opening",
)  # fmt: skip
"""States before a connection is open."""

WHO: Final = (
    Sentence(
        part="who",
        on="peer_properties",
        message="The client identifies itself as {item(peer_properties, 'product')}"
        "[ {item(peer_properties, 'version')}][ on {item(peer_properties, 'platform')}]"
        "[, connection name \"{item(peer_properties, 'connection_name')}\"].",
    ),
    Sentence(
        part="who",
        on="peer_properties_response",
        when="response_code == 1",
        message="The broker identifies itself as {item(peer_properties, 'product')}"
        "[ {item(peer_properties, 'version')}][ on {item(peer_properties, 'platform')}]"
        "[, cluster {item(peer_properties, 'cluster_name')}].",
    ),
    Sentence(
        part="who",
        on="sasl_authenticate_response",
        when="response_code == 1 and conn.asked_user is not None",
        message='The client authenticated as user "{conn.asked_user}".',
    ),
)

LOGIN: Final = (
    Sentence(
        part="began",
        on="peer_properties_response",
        message="Client and broker exchanged their properties[ within {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_handshake_response",
        when="response_code == 1",
        message="The broker offered the SASL mechanisms {mechanisms}[ after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 1",
        message="Authenticated[ with {req.mechanism}][ after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 10",
        message="The broker requested another step[ of {req.mechanism}][ after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 8",
        message='Authentication[ of user "{conn.asked_user}"] with {req.mechanism} failed: '
        "{response_code:name}[, {t - req.t:time} after the request in frame {req.n}].",
        advice="Check the user name and password in the client's configuration: `rabbitmqctl "
        "authenticate_user USER PASSWORD` shows whether the broker accepts them.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 11",
        message='The broker refused user "{conn.asked_user}", who may only log in from the '
        "broker's own host: {response_code:name}[, {t - req.t:time} after the request in frame "
        "{req.n}].",
        advice="Create a user for the client (rabbitmqctl add_user, set_permissions): guest may "
        "not log in from other hosts.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 7",
        message="The broker does not accept the mechanism[ {req.mechanism}]: {response_code:name}"
        "[, {t - req.t:time} after the request in frame {req.n}].",
        advice="Choose a mechanism that the broker offers, or enable it in the broker "
        "(auth_mechanisms).",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code not in (1, 7, 8, 10, 11)",
        message='Authentication[ of user "{conn.asked_user}"][ with {req.mechanism}] failed: '
        "{response_code:name}[, {t - req.t:time} after the request in frame {req.n}].",
        advice="The broker's log states why it refused the authentication.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response open_response",
        when=f"{REFUSED} and {HELD_BACK}",
        message="The broker delayed this answer by {t - req.t:time}: brokers of 4.x do so before "
        "they refuse, and a client with a shorter timeout sees no answer at all.",
    ),
    Sentence(
        part="began",
        on="tune_response",
        message="The client accepted the limits of the broker[ after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="open_response",
        when="response_code == 1",
        message='The virtual host[ "{req.virtual_host}"] was opened[ in {t - req.t:time}]'
        "[; the node advertises {item(connection_properties, 'advertised_host')}"
        ":{item(connection_properties, 'advertised_port')}].",
    ),
    Sentence(
        part="began",
        on="open_response",
        when=REFUSED,
        message='The broker refused the virtual host[ "{req.virtual_host}"]: {response_code:name}'
        "[, {t - req.t:time} after the request in frame {req.n}].",
        advice="Check that the virtual host exists and that the user has access to it: rabbitmqctl "
        "list_vhosts, rabbitmqctl list_user_permissions USER.",
    ),
)

AGREED: Final = (
    Sentence(
        part="agreed",
        on="tune_response",
        when="heartbeat > 0 and S.frame_max is not None",
        message="Frames of at most {min_nonzero(S.frame_max, frame_max):size}, and a heartbeat "
        "after {heartbeat} s of silence.",
    ),
    Sentence(
        part="agreed",
        on="tune_response",
        when="heartbeat == 0 and S.frame_max is not None",
        message="Frames of at most {min_nonzero(S.frame_max, frame_max):size}, and no heartbeats.",
    ),
    Sentence(
        part="agreed",
        on="tune_response",
        when="S.frame_max is None",
        message="The client asked for frames of at most {frame_max:size} and a heartbeat of "
        "{heartbeat} s.",
    ),
    Sentence(
        part="agreed",
        on="exchange_command_versions_response",
        when="response_code == 1",
        message="Client and broker exchanged the versions of {len(commands):count command}.",
    ),
)

STREAMS: Final = (
    Sentence(
        part="did",
        on="create_response create_super_stream_response",
        when="response_code == 1 and req.stream is not None",
        message='The client created stream "{req.stream}"[ in {t - req.t:time}].',
    ),
    Sentence(
        part="did",
        on="delete_response delete_super_stream_response",
        when="response_code == 1 and req.stream is not None",
        message='The client deleted stream "{req.stream}"[ in {t - req.t:time}].',
    ),
    Sentence(
        part="did",
        on="metadata_response",
        per="name",
        message="The client queried Metadata {1:sum count time}, for {len(streams):sum count "
        "stream}[, the first {first(streams.stream_name)}].",
    ),
    Sentence(
        part="did",
        on="metadata_update",
        message='The broker announced that stream "{stream}" is no longer available here: '
        "{code:name}; its publishers and subscriptions are removed.",
        advice="After MetadataUpdate, query the leader of the stream again (Metadata), then "
        "declare publishers and subscribe again.",
    ),
    Sentence(
        part="did",
        on="any:coded",
        when="response_code not in (1, 10, 19) and "
        "name not in ('sasl_handshake_response', 'sasl_authenticate_response', 'open_response')",
        per="name, response_code",
        message="{1:sum count request} refused in {name} with {response_code:name}"
        '[, the first for stream "{req.stream}"].',
    ),
)

PUBLISHERS: Final = (
    Sentence(
        part="did",
        on="end:pub",
        when="pub.state != 'refused' and conn.both and pub.confirmed is not None",
        evidence="pub.n",
        message='Publisher {pub.id}[ "{pub.reference}"][ of stream "{pub.stream}"]: '
        "{pub.confirmed:count message} confirmed[, the slowest after {pub.confirm_max:time}]"
        "[, {pub.refused} refused][, {count(pub.waiting)} never confirmed].",
    ),
    Sentence(
        part="did",
        on="end:pub",
        when="pub.state != 'refused' and (not conn.both or pub.confirmed is None)",
        evidence="pub.n",
        message='Publisher {pub.id}[ "{pub.reference}"][ of the '
        'stream "{pub.stream}"]: how many messages were confirmed is not known.',
    ),
)

SUBSCRIPTIONS: Final = (
    Sentence(
        part="did",
        on="end:sub",
        when="sub.chunks > 0",
        evidence="sub.n",
        message='Subscription {sub.id}[ to stream "{sub.stream}"]: '
        "{sub.messages:count message} in {sub.chunks:count chunk}"
        "[, the first after {sub.first_t - sub.t:time}]"
        "[; {sub.granted:count credit} granted][, {sub.balance} left].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.state != 'refused' and sub.chunks == 0 and conn.both",
        evidence="sub.n",
        message='Subscription {sub.id}[ to stream "{sub.stream}"]: nothing was delivered'
        "[ for {sub.granted:count credit}].",
    ),
    Sentence(
        part="did",
        on="consumer_update",
        message="The broker made subscription {subscription_id} {active:name}: only one consumer "
        "of a group is active at a time.",
    ),
    Sentence(
        part="did",
        on="store_offset",
        per="reference, stream",
        message='The client stored the offset of "{reference}" on stream "{stream}" {1:sum count '
        "time}, at most {offset:most}.",
    ),
    Sentence(
        part="did",
        on="query_offset_response",
        when="response_code in (1, 19) and req.stream is not None",
        message='The stored offset of "{req.reference}" on stream "{req.stream}" is '
        "{offset if response_code == 1 else 'not set yet'}.",
    ),
)

ENDED: Final = (
    Sentence(
        part="ended",
        on="end:conn",
        when=f"conn.state in {STEPS}",
        needs="both",
        message="The handshake was never completed: its last state was {conn.state}.",
    ),
    Sentence(
        part="ended",
        on="close",
        message='The {sender} sent Close: {closing_code:name}[, "{closing_reason}"].',
    ),
    Sentence(
        part="ended",
        on="close_response",
        message="The {sender} answered Close[ {t - req.t:time} later].",
    ),
)

SENTENCES: Final = (*WHO, *LOGIN, *AGREED, *STREAMS, *PUBLISHERS, *SUBSCRIPTIONS, *ENDED)
"""Rendered by the engine, `streamshark.conversations.explain`."""
