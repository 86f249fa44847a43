"""What is told of a connection in plain sentences: `streamshark explain`.

Conditions see what was so before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

REFUSED: Final = "response_code not in (1, 10)"
"""Not ok, and no step of a login that goes on."""
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
        message="The client says it is {item(peer_properties, 'product')}"
        "[ {item(peer_properties, 'version')}][ on {item(peer_properties, 'platform')}]"
        "[, and calls the connection \"{item(peer_properties, 'connection_name')}\"].",
    ),
    Sentence(
        part="who",
        on="peer_properties_response",
        when="response_code == 1",
        message="The broker says it is {item(peer_properties, 'product')}"
        "[ {item(peer_properties, 'version')}][ on {item(peer_properties, 'platform')}]"
        "[, of the cluster {item(peer_properties, 'cluster_name')}].",
    ),
    Sentence(
        part="who",
        on="sasl_authenticate_response",
        when="response_code == 1 and conn.asked_user is not None",
        message='The client is the user "{conn.asked_user}".',
    ),
)

LOGIN: Final = (
    Sentence(
        part="began",
        on="peer_properties_response",
        message="They told each other what they are[ in {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_handshake_response",
        when="response_code == 1",
        message="The broker offered the login mechanisms {mechanisms}[, after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 1",
        message="The broker let the client in[ by {req.mechanism}][, after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 10",
        message="The broker asked for another step[ of {req.mechanism}][, after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 8",
        message='The broker refused to let the client in[ as the user "{conn.asked_user}"] by '
        "{req.mechanism}: {response_code:name}[, {t - req.t:time} after frame {req.n} asked].",
        advice="Check the user name and the password that the client is configured with: "
        "rabbitmqctl authenticate_user USER PASSWORD tells whether the broker takes them.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 11",
        message='The broker refused the user "{conn.asked_user}", who may log in from its own '
        "machine alone: {response_code:name}[, {t - req.t:time} after frame {req.n} asked].",
        advice="Make a user for the client (rabbitmqctl add_user, set_permissions): guest may not "
        "log in from elsewhere.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code == 7",
        message="The broker does not take the mechanism[ {req.mechanism}]: {response_code:name}[, "
        "{t - req.t:time} after frame {req.n} asked].",
        advice="Choose a mechanism that the broker offers, or enable it there (auth_mechanisms).",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response",
        when="response_code not in (1, 7, 8, 10, 11)",
        message='The login[ of "{conn.asked_user}"][ by {req.mechanism}] failed: '
        "{response_code:name}[, {t - req.t:time} after frame {req.n} asked].",
        advice="The broker's log says why it refused the login.",
    ),
    Sentence(
        part="began",
        on="sasl_authenticate_response open_response",
        when=f"{REFUSED} and {HELD_BACK}",
        message="It held that answer back for {t - req.t:time}: brokers of 4.x do so before they "
        "refuse, and clients with a shorter timeout see no answer at all.",
    ),
    Sentence(
        part="began",
        on="tune_response",
        message="The client agreed to the broker's limits[ after {t - req.t:time}].",
    ),
    Sentence(
        part="began",
        on="open_response",
        when="response_code == 1",
        message='The virtual host[ "{req.virtual_host}"] was opened[ in {t - req.t:time}]'
        "[; the node is reached at {item(connection_properties, 'advertised_host')}"
        ":{item(connection_properties, 'advertised_port')}].",
    ),
    Sentence(
        part="began",
        on="open_response",
        when=REFUSED,
        message='The broker refused the virtual host[ "{req.virtual_host}"]: {response_code:name}'
        "[, {t - req.t:time} after frame {req.n} asked].",
        advice="Check that the virtual host is there and that the user may use it: "
        "rabbitmqctl list_vhosts, rabbitmqctl list_user_permissions USER.",
    ),
)

AGREED: Final = (
    Sentence(
        part="agreed",
        on="tune_response",
        when="heartbeat > 0 and S.frame_max is not None",
        message="Frames of at most {min_nonzero(S.frame_max, frame_max):size}, and a heartbeat "
        "where a side is silent for {heartbeat} s.",
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
        message="They compared the versions of {len(commands):count command}.",
    ),
)

STREAMS: Final = (
    Sentence(
        part="did",
        on="create_response create_super_stream_response",
        when="response_code == 1 and req.stream is not None",
        message='The client created the stream "{req.stream}"[, in {t - req.t:time}].',
    ),
    Sentence(
        part="did",
        on="delete_response delete_super_stream_response",
        when="response_code == 1 and req.stream is not None",
        message='The client deleted the stream "{req.stream}"[, in {t - req.t:time}].',
    ),
    Sentence(
        part="did",
        on="metadata_response",
        per="name",
        message="The client asked {1:sum count time} where streams are, about "
        "{len(streams):sum count stream}[, first {first(streams.stream_name)}].",
    ),
    Sentence(
        part="did",
        on="metadata_update",
        message='The broker said that the stream "{stream}" is not there any more as it was: '
        "{code:name}; its publishers and subscriptions are gone.",
        advice="After MetadataUpdate ask for the stream's leader again (Metadata), then declare "
        "and subscribe anew.",
    ),
    Sentence(
        part="did",
        on="any:coded",
        when="response_code not in (1, 10, 19) and "
        "name not in ('sasl_handshake_response', 'sasl_authenticate_response', 'open_response')",
        per="name, response_code",
        message="{1:sum count answer} in {name} refused: {response_code:name}"
        '[, the first about the stream "{req.stream}"].',
    ),
)

PUBLISHERS: Final = (
    Sentence(
        part="did",
        on="end:pub",
        when="pub.state != 'refused' and conn.both and pub.confirmed is not None",
        evidence="pub.n",
        message='Publisher {pub.id}[ "{pub.reference}"][ of the '
        'stream "{pub.stream}"]: {pub.confirmed:count message} confirmed'
        "[, the slowest after {pub.confirm_max:time}]"
        "[, {pub.refused} refused]"
        "[, {count(pub.waiting)} never answered].",
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
        message='Subscription {sub.id}[ to the stream "{sub.stream}"]: '
        "{sub.messages:count message} in {sub.chunks:count chunk}"
        "[, the first {sub.first_t - sub.t:time} after it asked]"
        "[; {sub.granted:count credit} granted][, {sub.balance} left].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.state != 'refused' and sub.chunks == 0 and conn.both",
        evidence="sub.n",
        message='Subscription {sub.id}[ to the stream "{sub.stream}"]: nothing was delivered'
        "[, for {sub.granted:count credit}].",
    ),
    Sentence(
        part="did",
        on="consumer_update",
        message="The broker made subscription {subscription_id} {active:name}: one consumer of "
        "its group is active at a time.",
    ),
    Sentence(
        part="did",
        on="store_offset",
        per="reference, stream",
        message='The client stored the offset of "{reference}" on the stream "{stream}" '
        "{1:sum count time}, {offset:most} at most.",
    ),
    Sentence(
        part="did",
        on="query_offset_response",
        when="response_code in (1, 19) and req.stream is not None",
        message='The offset stored for "{req.reference}" on the stream "{req.stream}" is '
        "{offset if response_code == 1 else 'not there yet'}.",
    ),
)

ENDED: Final = (
    Sentence(
        part="ended",
        on="end:conn",
        when=f"conn.state in {STEPS}",
        needs="both",
        message="It never got past the handshake: the last step was {conn.state}.",
    ),
    Sentence(
        part="ended",
        on="close",
        message='The {sender} asked for the end: {closing_code:name}[, "{closing_reason}"].',
    ),
    Sentence(
        part="ended",
        on="close_response",
        message="The {sender} agreed[, {t - req.t:time} later].",
    ),
)

SENTENCES: Final = (*WHO, *LOGIN, *AGREED, *STREAMS, *PUBLISHERS, *SUBSCRIPTIONS, *ENDED)
"""Told by the engine, `streamshark.conversations.explain`."""
