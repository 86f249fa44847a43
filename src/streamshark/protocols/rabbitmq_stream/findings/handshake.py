"""Rules for the handshake: authentication, tuning, negotiated versions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.conversations import (
    AFTER_OPEN,
    HANDSHAKE,
    TUNE_SIZE,
    UNHEARD,
)
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC, READER, UTILS

_UNANSWERED: Final = " ".join(
    f"unanswered:{name}"
    for name in ("peer_properties", "sasl_handshake", "sasl_authenticate", "open")
)
_GIVEN_UP: Final = (
    "why in ('closed', 'reset') and conn.close_n is None and "
    "(conn.first_fin == S.side or t - req.t > SLOW_ANSWER) or "
    "why != 'end' and t - req.t > UNANSWERED or "
    "conn.replied_n > req.n or C.close_n > req.n"
)
"""The answer will not come."""
_WAITS: Final = "why == 'end' and SLOW_ANSWER < t - req.t <= UNANSWERED"
"""The answer may come after the captures; brokers end a handshake after 10 s, so that one without
packets for longer is lost from the captures."""

SETTING_UP: Final = (
    Rule(
        id="RMQ-P2",
        severity=Severity.NOTE,
        group=Group.SECURITY,
        title="SASL password without TLS",
        on="sasl_authenticate",
        when="fields.mechanism in ('PLAIN', 'AMQPLAIN') and not conn.encrypted",
        needs="",
        per="server",
        message="{fields.mechanism} sent the password to {server} without TLS",
        cause="The connection does not use TLS.",
        healthy="Acceptable on a network that only these hosts can read.",
        source=f"{DOC}, SaslAuthenticate; RFC 4616, section 3",
    ),
    Rule(
        id="RMQ-N1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="handshake command too early",
        on="peer_properties sasl_handshake sasl_authenticate open",
        when="name == 'peer_properties' and conn.state not in ('absent', 'unknown', 'open') or "
        "name == 'sasl_handshake' and conn.state not in ('greeted', 'unknown') or "
        "name == 'sasl_authenticate' and conn.state not in ('offered', 'unknown', 'open') or "
        "name == 'open' and conn.state not in ('tuning', 'tuned', 'unknown')",
        needs="start whole both",
        message="{name} was sent too early: the handshake is in state '{conn.state}'",
        cause="The client skips a step, or does not wait for the answer to the previous one.",
        source=f"{DOC}, Authentication; {READER}, invalid_transition",
    ),
    Rule(
        id="RMQ-N2",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="SASL mechanism that the broker does not offer",
        on="sasl_authenticate",
        when="fields.mechanism not in conn.mechanisms",
        needs="",
        per="client, server, fields.mechanism",
        message="the client authenticates with {fields.mechanism}; the broker offers "
        "{conn.mechanisms}",
        cause="The mechanism is fixed in the client, or not enabled in the broker.",
        source=f"{DOC}, SaslHandshake; {READER}, handle_frame_pre_auth: code 7",
    ),
    Rule(
        id="RMQ-N3",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="command instead of the answer to a SASL challenge",
        on="client:any",
        when="conn.challenged_n is not None and name not in ('sasl_authenticate', 'heartbeat') or "
        "name == 'sasl_authenticate' and conn.challenged_n is not None and "
        "fields.mechanism != conn.mechanism",
        needs="since",
        evidence="n, conn.challenged_n",
        message="{name} was sent while the broker's challenge in frame {conn.challenged_n} waits "
        "for an answer",
        cause="Code 10 asks for another SaslAuthenticate with the same mechanism.",
        source=f"{DOC}, Authentication; {READER}, authenticating",
    ),
    Rule(
        id="RMQ-N3b",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="connection closed during a SASL challenge",
        on="client:tcp.close client:tcp.reset server:tcp.close",
        when="conn.challenged_n is not None",
        needs="since both",
        of="conn",
        evidence="conn.challenged_n",
        message="the connection was closed while the broker's challenge waited for an answer",
        cause="Code 10 asks for another SaslAuthenticate with the same mechanism.",
        source=f"{DOC}, Authentication; {READER}, authenticating",
    ),
    Rule(
        id="RMQ-N4",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="command before the Open response",
        on=AFTER_OPEN,
        when=f"conn.state in {HANDSHAKE}",
        needs="start whole both",
        message="{name} was sent before Open was answered",
        cause="The client does not wait for the end of the handshake.",
        source=f"{READER}, handle_frame_pre_auth",
    ),
    Rule(
        id="RMQ-N1b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="handshake steps skipped",
        on=AFTER_OPEN,
        when="conn.state in ('absent', 'properties', 'greeted', 'handshake', 'offered', "
        "'authenticating', 'known')",
        needs="start whole both",
        message="{name} was sent although the handshake is only in state '{conn.state}'",
        cause="The client does not follow the order of the handshake.",
        source=f"{DOC}, Authentication; {READER}, invalid_transition",
        echo_of="RMQ-N4",
    ),
    Rule(
        id="RMQ-B141",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="Close during the handshake",
        on="client:close",
        when=f"conn.state in {HANDSHAKE[1:-1]}",
        needs="start whole both",
        of="conn",
        evidence="n, S.last_n",
        message="the client sent Close during the handshake (state '{conn.state}')",
        cause="The client gives the connection up. Brokers do not know Close before Open: they end "
        "the connection without CloseResponse, and who waits for that keeps the socket.",
        by=f"'silent' if {UNHEARD} else ''",
        causes={
            "silent": "The broker hangs or is not ready: the client waited for its answer and "
            "gave up. Close before Open is unknown to brokers; the client has to end TCP alone."
        },
        source=f"{READER}, handle_frame_pre_auth; rabbitmq-stream-go-client issue 210",
    ),
    Rule(
        id="RMQ-N5",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="slow handshake step",
        on="timer:step",
        when="conn.state in ('absent', 'greeted', 'offered', 'tuning') and conn.fin_t is None",
        needs="start whole both",
        evidence="coalesce(S.last_n, C.last_n)",
        message="the client has not continued the handshake for {HANDSHAKE_STEP:time}; brokers "
        "close the connection after 10 s",
        cause="",
        by="conn.state",
        causes={"offered": "The client's source of credentials is slow, or prompts a person."},
        healthy="A person types the password, or a token is being fetched.",
        source=f"{READER}, state_timeout",
    ),
    Rule(
        id="RMQ-N5b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="handshake that the client does not continue",
        on="end:conn",
        when="conn.state in ('greeted', 'offered', 'tuning') and t - S.last_t > SLOW_ANSWER and "
        "(why == 'end' or conn.first_fin == C.side)",
        needs="start whole both",
        evidence="S.last_n",
        message="the client has not continued the handshake for {t - S.last_t:time}, in state "
        "'{conn.state}'",
        cause="The client has not understood the last answer, or is blocked.",
        source=f"{READER}, state_timeout",
        healthy="A person types the password, or a token is being fetched.",
        echo_of="RMQ-N5",
    ),
    *(
        Rule(
            id=f"RMQ-N16{letter}",
            severity=severity,
            group=Group.RESPONSE,
            title=title,
            on=_UNANSWERED,
            when=condition,
            needs="start whole both",
            evidence="req.n",
            message="{req.asked} was not answered for {t - req.t:time}; "
            "{'the client then went on' if conn.replied_n > req.n or C.close_n > req.n else "
            "'the captures end then' if why == 'end' else 'the broker then closed the connection' "
            "if conn.first_fin == S.side else 'the client then gave up'}",
            cause="The broker is overloaded or waits for its authentication backend, or a proxy "
            "before it has no broker to connect to.",
            source=f"{DOC}, Authentication; rabbitmq-stream-go-client issue 210",
            healthy=healthy,
            echo_of="error RMQ-T4",
        )
        for letter, severity, title, condition, healthy in (
            (
                "",
                Severity.WARNING,
                "unanswered request of the handshake",
                _GIVEN_UP,
                "",
            ),
            (
                "b",
                Severity.NOTE,
                "request of the handshake not answered yet when the captures end",
                f"{_WAITS} and coalesce(conn.replied_n, 0) < req.n and C.close_n is None",
                "The answer comes after the end of the captures.",
            ),
        )
    ),
    Rule(
        id="RMQ-B223",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request of the handshake answered after its client had given up",
        on="peer_properties_response sasl_handshake_response sasl_authenticate_response "
        "open_response",
        when="t - req.t > SLOW_ANSWER and conn.first_fin == C.side",
        needs="start whole both",
        of="conn",
        evidence="req.n, n",
        message="{req.asked} had no answer for {conn.fin_t - req.t:time}, when the client gave up; "
        "the broker answered {t - req.t:time} after it",
        cause="The broker accepts connections before it is ready, or hangs: the client has to "
        "limit the time that it waits, and to try again.",
        source=f"{DOC}, Authentication; rabbitmq-stream-go-client issue 210",
        echo_of="error RMQ-T4",
    ),
    Rule(
        id="RMQ-B220",
        severity=Severity.WARNING,
        group=Group.SECURITY,
        title="reconnect with a secret that the client has replaced",
        on="sasl_authenticate_response",
        when="response_code == 8 and has(renewal.replaced, digest(req.sasl_opaque_data))",
        needs="",
        per="client, server, conn.asked_user",
        evidence="req.n, n, renewal.new_n",
        message="the client connects with the secret that it replaced in frame {renewal.new_n} on "
        "an open connection, and the broker refuses it with {response_code:name}",
        cause="The client renews the secret of its connections and not the one that it connects "
        "with: it cannot recover any more.",
        healthy="Another program of the host has kept the earlier secret.",
        source=f"{READER}, handle_frame_post_auth; rabbitmq-stream-dotnet-client issue 363",
    ),
    Rule(
        id="RMQ-N6",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="authentication or Open refused",
        on="repetition:shut_out",
        needs="",
        evidence="req.n, n",
        message="the broker refused with {response_code:name} in {name}",
        cause="It is a note if the broker accepts a later Open of the client.",
        by="response_code",
        causes={
            7: "The mechanism is not enabled in the broker.",
            8: "The user does not exist, or the password or token is wrong; brokers of 4.x answer "
            "only after 3 s.",
            9: "The client's message is not what the mechanism requires.",
            11: "The user (such as guest) may only log in from the broker's own host.",
            12: "The virtual host does not exist, or the user has no access to it.",
        },
        source=f"{READER}, silent_close",
        echo_of="RMQ-N2 RMQ-N9 RMQ-N10 RMQ-B220",
    ),
    Rule(
        id="RMQ-N7",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="authentication renewal refused",
        on="sasl_authenticate_response",
        when="response_code in (20, 21)",
        needs="",
        evidence="req.n, n",
        message="the broker refused to renew the authentication: {response_code:name}",
        cause="",
        by="response_code",
        causes={
            20: "The client authenticates again with another mechanism than before.",
            21: "The client authenticates again as another user.",
        },
        source=f"{READER}, handle_frame_post_auth",
    ),
    Rule(
        id="RMQ-N8",
        severity=Severity.CHAT,
        group=Group.ASSUMPTION,
        title="connection without a name",
        on="open",
        when="conn.client_product is not None and conn.client_name is None",
        needs="",
        per="client, server, conn.client_product",
        message="{conn.client_product} does not name the connection",
        cause="The peer properties lack `connection_name`.",
        source=f"{DOC}, PeerProperties",
    ),
    Rule(
        id="RMQ-T1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="missing Tune response",
        on="open",
        when="conn.state == 'tuning' and C.tune_n is None",
        needs="start whole both",
        evidence="n, S.tune_n",
        message="Open was sent, but Tune in frame {S.tune_n} was not answered",
        cause="Tune is a request of the broker, which the client must answer before it sends Open.",
        source=f"{DOC}, Tune; {READER}, tuning",
    ),
    Rule(
        id="RMQ-T1b",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="second Tune response",
        on="client:tune_response",
        when="C.tune_n is not None",
        needs="",
        of="conn",
        evidence="n, C.tune_n",
        message="the client answered Tune again; its first answer is frame {C.tune_n}",
        cause="",
        source=f"{DOC}, Tune; {READER}, tuning",
    ),
    Rule(
        id="RMQ-T2",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="frame_max above the broker's offer",
        on="tune_response",
        when=f"0 < S.frame_max < frame_max and size == {TUNE_SIZE}",
        needs="",
        of="conn",
        evidence="n, S.tune_n",
        message="the client's frame_max is {frame_max} bytes, the broker offered {S.frame_max}",
        cause="The client answers with its own setting instead of the smaller of the two.",
        source=f"{DOC}, Tune; {READER}, negotiate_frame_max",
    ),
    Rule(
        id="RMQ-T3",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="frame larger than the negotiated frame_max",
        on="client:any",
        when="0 < conn.frame_max < size - 4",
        needs="",
        per="client, server, name",
        message="{name} has {size} bytes; the negotiated frame_max is {conn.frame_max}",
        cause="A batch or message is larger than a frame may be, and is not split.",
        source=f"{CORE}, frame_size_ok; rabbitmq-stream-java-client issue 207",
    ),
    Rule(
        id="RMQ-T4",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="large frame before Open",
        on="client:any",
        when=f"size - 4 > 8192 and conn.state in {HANDSHAKE}",
        needs="start whole both",
        message="{name} has {size} bytes; brokers from 4.3.5 on accept 8192 before Open",
        cause="",
        by="name",
        causes={
            "peer_properties": "The client sends many peer properties.",
            "sasl_authenticate": "The token is large.",
        },
        source="rabbitmq-server v4.3.5, rabbit_stream.hrl, initial frame max",
    ),
    Rule(
        id="RMQ-T5",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="unusual heartbeat interval",
        on="tune_response",
        when=f"(heartbeat == 1 or heartbeat > 3600) and size == {TUNE_SIZE}",
        needs="",
        message="the client requests a heartbeat interval of {heartbeat} s",
        cause="",
        by="'long' if heartbeat > 3600 else 'short'",
        causes={"long": "The value may be meant in milliseconds; its unit is seconds."},
        healthy="The interval was chosen on purpose, for a quiet or an unreliable network.",
        source=f"{DOC}, Tune",
    ),
    Rule(
        id="RMQ-T6",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="chunk larger than the negotiated frame_max",
        on="deliver",
        when="0 < conn.frame_max < size - 4",
        needs="",
        message="Deliver has {size} bytes; the negotiated frame_max is {conn.frame_max}, but "
        "chunks are not split",
        cause="Only a client that rejects such frames is at fault.",
        healthy="Brokers send a chunk as large as it was stored, and clients read it.",
        source=f"{READER}, send_chunks",
    ),
    Rule(
        id="RMQ-T7",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="Tune with the header of a request or response",
        on="problem:short problem:trailing",
        when="name in ('tune', 'tune_response')",
        needs="",
        message=f"{{name}} has {{size}} bytes, but two numbers and nothing else make {TUNE_SIZE}",
        cause="",
        by=f"size - {TUNE_SIZE}",
        causes={
            4: "The sender writes a correlation id, as in requests.",
            6: "The sender writes a correlation id and a response code, as in other responses.",
        },
        source=f"{DOC}, Tune; {CORE}, parse_response",
    ),
    Rule(
        id="RMQ-V1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="ExchangeCommandVersions before the Open response",
        on="exchange_command_versions",
        when=f"conn.state in {HANDSHAKE}",
        needs="start whole both",
        message="ExchangeCommandVersions was sent before Open was answered",
        cause="The client treats it as a handshake step; brokers accept it only after Open.",
        source=f"{READER}, handle_frame_post_auth",
    ),
    Rule(
        id="RMQ-V2",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="unknown command listed in ExchangeCommandVersions",
        on="exchange_command_versions",
        when="any_above(commands.key, lookup(release(conn.broker_version), LAST_KEY)) and "
        "release(conn.broker_version) >= 3011000",
        needs="",
        per="client, server",
        message="the client lists keys up to {greatest(commands.key)}; RabbitMQ "
        "{conn.broker_version} does not know keys above {lookup(release(conn.broker_version), "
        "LAST_KEY)}",
        cause="The client is newer than the broker, which then closes the connection.",
        source=f"{CORE}, parse_command_id",
    ),
    Rule(
        id="RMQ-V3",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="ExchangeCommandVersions to a broker before 3.11",
        on="exchange_command_versions",
        when="release(conn.broker_version) < 3011000",
        needs="",
        per="client, server",
        message="RabbitMQ {conn.broker_version} does not know ExchangeCommandVersions (3.11)",
        cause="The client does not check the broker's version first.",
        source="rabbitmq-server 3.11.0; rabbitmq-stream-go-client issue 344",
    ),
    Rule(
        id="RMQ-V4",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="maximum version of Deliver above 2",
        on="exchange_command_versions_response",
        when="C.deliver_max > 2",
        needs="",
        of="conn",
        evidence="conn.exchanged_n, n",
        message="the client lists Deliver up to version {C.deliver_max}; it receives version 2 "
        "only if the maximum is exactly 2",
        cause="",
        source=f"{READER}, process_client_command_api",
    ),
    Rule(
        id="RMQ-V5",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="command unknown to the broker's release",
        on="publish stream_stats create_super_stream delete_super_stream resolve_offset_spec",
        when="name == 'publish' and version == 2 and release(conn.broker_version) < 3013000 or "
        "name == 'stream_stats' and release(conn.broker_version) < 3011000 or "
        "name in ('create_super_stream', 'delete_super_stream') and "
        "release(conn.broker_version) < 3013000 or "
        "name == 'resolve_offset_spec' and release(conn.broker_version) < 4003000",
        needs="",
        of="conn",
        message="RabbitMQ {conn.broker_version} does not know {name} version {version}",
        cause="The client does not ask with ExchangeCommandVersions what the broker supports.",
        by="'listed' if conn.exchanged_n is not None else 'never'",
        causes={"listed": "The client ignores what the broker listed."},
        source=f"{UTILS}, command_versions",
    ),
    Rule(
        id="RMQ-V5b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="newer command without ExchangeCommandVersions",
        on="publish stream_stats create_super_stream delete_super_stream resolve_offset_spec",
        when="(name != 'publish' or version == 2) and conn.exchanged_n is None and "
        "not (release(conn.broker_version) < 3011000)",
        needs="start whole",
        of="conn",
        message="{name} version {version} was used without ExchangeCommandVersions",
        cause="This works here, but not on an older broker.",
        healthy="Programs that only ever connect to new brokers.",
        source=f"{UTILS}, command_versions",
    ),
    Rule(
        id="RMQ-V6",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="subscription property unknown to the broker's release",
        on="subscribe",
        when="item(properties, 'filter.0') is not None and release(conn.broker_version) < 3013000 "
        "or item(properties, 'single-active-consumer') is not None and "
        "release(conn.broker_version) < 3011000",
        needs="",
        of="conn",
        message="RabbitMQ {conn.broker_version} does not know the {'single active consumer' if "
        "release(conn.broker_version) < 3011000 and item(properties, 'single-active-consumer') is "
        "not None else 'filter'} that Subscribe requests",
        cause="The client does not check the broker's version, the only indication.",
        source="rabbitmq-server 3.11.0, 3.13.0, release notes",
    ),
    Rule(
        id="RMQ-V6b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stream argument unknown to the broker's release",
        on="create create_super_stream",
        when="item(arguments, 'stream-initial-offset') is not None and "
        "release(conn.broker_version) < 4004000 or "
        "item(arguments, 'stream-filter-size-bytes') is not None and "
        "release(conn.broker_version) < 3013000",
        needs="",
        message="RabbitMQ {conn.broker_version} does not know the argument "
        "{'stream-filter-size-bytes' if release(conn.broker_version) < 3013000 and "
        "item(arguments, 'stream-filter-size-bytes') is not None else 'stream-initial-offset'} of "
        "{name}: it creates the stream without it",
        cause="The client does not check the broker's version, the only indication.",
        source="rabbitmq-server 3.13.0, release notes; rabbitmq-server pull request 17300",
    ),
)
