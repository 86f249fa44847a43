"""What lines mean to each other: connections, subscriptions, requests with their answers, PING.

Source: docs.nats.io, Client Protocol; nats-server v2.12.2, `server/client.go` (`processSub`,
`processUnsub`, `deliverMsg`, `processPing`), ADR-4 (no responders).
"""

from typing import Final

from streamshark.conversations.tables import (
    Action,
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
from streamshark.protocols.nats.behaviours import BEHAVIOURS
from streamshark.protocols.nats.consumer_behaviours import CONSUMER_BEHAVIOURS, PULL_OVER
from streamshark.protocols.nats.echo_behaviours import ECHOES
from streamshark.protocols.nats.exchange_behaviours import EXCHANGES
from streamshark.protocols.nats.harm_behaviours import HARMS
from streamshark.protocols.nats.jetstream import ACKS, SUBJECTS
from streamshark.protocols.nats.jetstream_behaviours import JETSTREAM_BEHAVIOURS
from streamshark.protocols.nats.liveness_behaviours import LIVENESS
from streamshark.protocols.nats.order_behaviours import ORDER
from streamshark.protocols.nats.programs import PROGRAMS
from streamshark.protocols.nats.renewal_behaviours import RENEWALS
from streamshark.protocols.nats.row_names import (
    BATCH,
    DELIVERED,
    IS_ACK,
    IS_PULL,
    PUBLISHED,
    is_true,
    member,
)
from streamshark.protocols.nats.silence_behaviours import SILENCES
from streamshark.protocols.nats.store_behaviours import STORES
from streamshark.protocols.nats.stream_states import STREAM_STATES
from streamshark.protocols.nats.subscription_behaviours import SUBSCRIPTION_BEHAVIOURS

REFUSALS: Final = (
    "Authorization Violation", "Authentication Timeout", "User Authentication Expired",
    "Account Authentication Expired", "maximum connections exceeded",
    "maximum account active connections exceeded", "Secure Connection - TLS Required",
    "Authentication Revoked", "attempted to connect to route port",
    "attempted to connect to leaf node port", "attempted to connect to gateway port",
)  # fmt: skip
"""What -ERR says of a connection that is not let in."""
INSTEAD: Final = (
    "Authorization Violation", "Maximum Payload Violation", "Invalid Subject",
    "Invalid Publish Subject", "maximum subscriptions exceeded",
)  # fmt: skip
"""What -ERR says of a line that gets no +OK then, beside violations of permissions; after an
invalid subject of a publish +OK comes as well."""

CONNECTION: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="conn",
        scope="connection:one",
        type="connection",
        steps=(
            Transition("absent unknown", "info", "greeted"),
            Transition("absent unknown greeted", "connect", "open"),
            Transition("greeted open", "err", "refused", f"message in {REFUSALS!r}"),
            Transition("absent unknown greeted", "client:any", "open"),
            Transition("absent unknown", "any", "open"),
        ),
        failed="refused",
        starts={"published": 0, "delivered": 0, "errors": 0, "no_responders": 0},
        closing={"greeted": "'failed' if conn.peers is None else 'done'"},
        measures={
            "published": "conn.published",
            "delivered": "conn.delivered",
            "errors": "conn.errors",
            "no_responders": "conn.no_responders",
        },
        counted="published delivered errors no_responders",
    ),
    Action(on="info", when="max_payload > 0", do="conn.max_payload = max_payload"),
    Action(on="info", when="fields.version != ''",
         do="conn.server_version = fields.version; conn.headers_known = headers"),
    Action(on="info", when="tls_required", do="conn.tls_required = 1"),
    Action(on="info", when="nonce != ''", do="conn.nonce = nonce"),
    Action(on="info", when="ldm", do="conn.ldm_n = n"),
    Action(on="server:tcp.close server:tcp.reset", when="conn.left is None", do="conn.cut = 1"),
    Action(on="client:tcp.close client:tcp.reset", do="conn.left = 1; conn.left_t = t"),
    Action(on="server:tcp.close", do="conn.dropped = 1"),
    Action(on="client:tcp.zero_window", do="conn.shut_t = t"),
    Constant(name="SLOW_DROP", value="10 s",
             doc="Time after which a server drops a client that does not read."),
    Constant(name="HALF_OPEN", value="1 s",
             doc="Time in which a client notices that the server has closed the connection."),
    Action(on="server:tcp.close", do="S.closed_t = t"),
    Action(on="connect",
         do="conn.connect_n = n; conn.user = user; conn.client_name = fields.name; "
         "conn.client_product = lang; conn.client_version = fields.version; "
         "conn.verbose = coalesce(verbose, True); conn.pedantic = coalesce(pedantic, True); "
         "conn.headers = coalesce(headers, False); conn.cluster = cluster; conn.echo = echo; "
         "conn.wants_no_responders = coalesce(no_responders, False)"),
    Action(on="any", when="sender == 'peer'", do="conn.peers = 1"),
    Action(on=PUBLISHED, do="conn.published = conn.published + 1"),
    Action(on=DELIVERED, do="conn.delivered = conn.delivered + 1"),
    Action(on="err", do="conn.errors = conn.errors + 1; conn.err_n = n"),
    Action(on="hmsg", when="status == 503", do="conn.no_responders = conn.no_responders + 1"),
    Action(on="client:connect client:pub client:hpub client:sub client:unsub",
         do="C.command_n = n; C.command_t = t"),
    Context(name="user", value="conn.user"),
    Context(name="client_name", value="conn.client_name"),
    Context(name="client_product", value="conn.client_product"),
    Context(name="client_version", value="conn.client_version"),
    Context(name="broker_version", value="conn.server_version"),
)  # fmt: skip

SUBSCRIPTIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="sub",
        scope="connection",
        type="subscription",
        key={f"sub unsub {DELIVERED}": "sid"},
        steps=(
            Transition("absent", "sub", "live"),
            Transition("live unknown", "unsub", "removed", "max_msgs is None"),
            Transition("live", "unsub", "removed", "max_msgs > 0 and sub.delivered >= max_msgs"),
            Transition("live", DELIVERED, "removed", "sub.delivered >= sub.limit"),
            Transition("unknown", DELIVERED, "live"),
        ),
        final="removed",
        live="live",
        starts={"delivered": 0, "bytes": 0, "breaks": 0},
        measures={
            "delivered": "sub.delivered",
            "bytes": "sub.bytes",
            "limit": "sub.limit",
            "first_delivery_ns": "sub.first_t - sub.t",
        },
        counted="delivered bytes first_delivery_ns",
        most=16384,
    ),
    Action(on="sub", when="sub.state != 'live'",
        do="sub.subject = subject; sub.queue = queue_group"),
    Action(on="unsub", do="sub.limit = max_msgs; sub.unsub_n = n"),
    Action(on=DELIVERED,
         do="sub.delivered = sub.delivered + 1; sub.bytes = sub.bytes + len(payload); "
         "sub.first_t = coalesce(sub.first_t, t)"),
    Action(on=PUBLISHED, each="sub",
         when="sub.state == 'live' and starts(subject, '$JS.') and "
         "called(subject, JETSTREAM) == 'consumer msg next' and matching(reply_to, sub.subject)",
         do=f"sub.pull_n = n; sub.pull_t = t; sub.until = t + coalesce({member('expires')}, 0); "
         "sub.pull_of = subject; "
         f"sub.at_once = 1 if {is_true('no_wait')} else None; "
         f"sub.wanted = sub.delivered + coalesce({BATCH}, 1); "
         "sub.pulls = coalesce(sub.pulls, 0) + 1"),
)  # fmt: skip

REQUESTS: Final[tuple[Table, ...]] = (
    Constant(name="LATE_REPLY", value="10 s", doc="Time from which on a reply is late."),
    Lifecycle(
        name="asked",
        scope="connection",
        doc="A request of the client, by the subject that it wants the answer on.",
        type="request",
        key={
            f"client:{' client:'.join(PUBLISHED.split())}":
                "reply_to if not starts(subject, '$JS.ACK.') and "
                "not starts(subject, '$JS.API.CONSUMER.MSG.NEXT.') and not (starts(subject, "
                "'$JS.') and matching(subject, '$JS.*.API.CONSUMER.MSG.NEXT.*.*')) else None",
            DELIVERED: "subject",
            "client:sub": "subject",
        },
        steps=(
            Transition("absent", PUBLISHED, "asked", "reply_to is not None"),
            Transition("asked", "hmsg", "no_responders", "status == 503"),
            Transition("asked", DELIVERED, "answered"),
        ),
        final="answered no_responders",
        failed="no_responders",
        closing={"asked": "'unanswered'"},
        measures={"answer_ns": "asked.answer_t - asked.t"},
        most=16384,
    ),
    Action(on=PUBLISHED, when="reply_to is not None and asked.state != 'asked'",
         do="asked.subject = subject; asked.meaning = called(subject, JETSTREAM)"),
    Action(on=DELIVERED, when="asked.state == 'asked'",
        do="asked.answer_t = t; asked.answer_n = n"),
    Lifecycle(
        name="served",
        scope="connection",
        doc="A message that wants an answer, or an ack, on its reply subject.",
        type="service",
        key={DELIVERED: "reply_to", PUBLISHED: "subject"},
        steps=(
            Transition("absent", DELIVERED, "waiting", "reply_to is not None"),
            Transition("waiting in_progress", PUBLISHED, "in_progress",
                 "starts(subject, '$JS.ACK.') and begins(payload, ACKS) == 'in progress'"),
            Transition("waiting in_progress", PUBLISHED, "answered"),
        ),
        final="answered",
        measures={"answer_ns": "served.answer_t - served.t"},
        most=16384,
    ),
    Action(on=DELIVERED, do="served.meaning = None"),
    Action(on=PUBLISHED, when="served.state in ('waiting', 'in_progress')",
         do="served.answer_t = t; served.answer_n = n"),
    Action(on=PUBLISHED, when="starts(subject, '$JS.ACK.')",
         do="served.meaning = begins(payload, ACKS)"),
    Lifecycle(
        name="pull",
        scope="connection",
        doc="A pull request of JetStream, by the subject that statuses come on.",
        key={
            f"client:{' client:'.join(PUBLISHED.split())}":
                "reply_to if matching(subject, '$JS.API.CONSUMER.MSG.NEXT.*.*') or "
                "matching(subject, '$JS.*.API.CONSUMER.MSG.NEXT.*.*') else None",
            "server:hmsg": "subject",
        },
        type="pull",
        steps=(
            Transition("absent", PUBLISHED, "asked", "reply_to is not None"),
            Transition("asked", "server:hmsg", "over", PULL_OVER),
        ),
        final="over",
        most=1024,
    ),
    Action(on=PUBLISHED, when="starts(subject, '$JS.')",
         do="pull.meaning = called(subject, JETSTREAM)"),
    Constant(name="FLOW_CONTROL", value="5 s",
             doc="Time within which flow control of JetStream is answered."),
    Constant(name="DESCRIPTION", value='"description":"',
             doc="Text before the description of a JetStream error."),
    Constant(name="QUOTE", value='"', doc="Text after it."),
    Action(on="server:hmsg", when="status == 100 and starts(reply_to, '$JS.FC.')",
         do="served.sid = sid"),
    Action(on="client:unsub", when="max_msgs is None", do="put(conn.unsubscribed, sid)"),
    Timer(name="flow_control", of="served", on="server:hmsg", limit="FLOW_CONTROL",
          when="status == 100 and starts(reply_to, '$JS.FC.')", clear="tcp.close tcp.reset"),
    Context(name="jetstream", value="asked.meaning served.meaning pull.meaning"),
    Pair(name="request", request="client:pub client:hpub", when="reply_to is not None",
         answers=DELIVERED, key="reply_to", answer_key="subject",
         keep="subject", failed="fields.status == 503", type=""),
    Pair(name="service", request=DELIVERED, when="reply_to is not None",
         answers="client:pub client:hpub", key="reply_to", answer_key="subject",
         keep="subject as asked_subject", type=""),
    CrossLink(kind="nats.request", role="leads", on="client:pub client:hpub", of="asked",
         key="reply_to", when="reply_to is not None and not starts(subject, '$JS.')"),
    CrossLink(kind="nats.request", role="follows", on=DELIVERED, of="served", key="reply_to",
         when=f"reply_to is not None and not {IS_ACK}"),
)  # fmt: skip

MESSAGE_IDS: Final[tuple[Table, ...]] = (
    Constant(name="OPEN", value=b"{", doc="First byte of a JSON object."),
    Constant(name="NAK", value=b"-NAK", doc="Beginning of a JetStream ack that rejects a message."),
    Constant(name="DUPLICATE", value='"duplicate":', doc="Text before the mark of a duplicate."),
    Constant(name="DUPLICATE_WINDOW", value="2 min",
             doc="Time in which JetStream recognises a Nats-Msg-Id by default."),
    Lifecycle(
        name="msg_id",
        scope="capture",
        doc="A Nats-Msg-Id on a subject: the stream stores one message of it within some time.",
        key={
            "client:hpub": "server, subject, item(headers, 'Nats-Msg-Id')",
            DELIVERED: "(server, asked.subject, asked.msg_id) if asked.msg_id is not None else "
            "None",
        },
        steps=(Transition("absent unknown", "client:hpub", "used"),),
    ),
    Action(on="client:hpub", when="t - msg_id.first_t > DUPLICATE_WINDOW",
         do="msg_id.old = msg_id.digest; msg_id.old_n = msg_id.first_n; "
         "msg_id.old_t = msg_id.first_t; msg_id.digest = None"),
    Action(on="client:hpub", when="msg_id.digest is None",
         do="msg_id.digest = digest(payload); msg_id.first_n = n; msg_id.first_t = t"),
)  # fmt: skip
"""Ids by which JetStream recognises messages that are published again."""

PINGS: Final[tuple[Table, ...]] = (
    Constant(name="PONG_TIME", value="5 s", doc="Time within which PING is answered."),
    Constant(name="MOST_PINGS", value=2,
             doc="PINGs that may go unanswered (`ping_max` of nats-server)."),
    Pair(name="ping", request="ping", answers="pong", key="", keep="n as ping_n", type=""),
    Action(on="ping", when="coalesce(me.pings, 0) == 0", do="me.ping_t = t; me.ping_n = n"),
    Action(on="ping", do="me.pings = coalesce(me.pings, 0) + 1"),
    Action(on="pong", do="peer.pings = 0; me.answered_n = req.ping_n"),
    Timer(name="pong", of="me", on="ping", limit="PONG_TIME", clear="tcp.close tcp.reset"),
)  # fmt: skip

ACKNOWLEDGED: Final[tuple[Table, ...]] = (
    Pair(name="ok", request="client:connect client:pub client:hpub client:sub client:unsub",
         when="conn.verbose", answers="ok err", key="", keep="name as line", type="",
         answer_when=f"name == 'ok' or message in {INSTEAD!r} or "
         "starts(message, 'Permissions Violation')",
         done="name == 'ok' or message != 'Invalid Publish Subject'"),
)  # fmt: skip

DERIVED: Final[tuple[Table, ...]] = (
    Constant(name="LONGEST_LINE", value=4096,
             doc="Bytes of a client's line (`max_control_line` of nats-server)."),
    Constant(name="JETSTREAM", value=dict(SUBJECTS),
             doc="Pattern of a subject to what JetStream calls it."),
    Constant(name="ACKS", value=dict(ACKS), doc="Beginning of an ack's payload to its name."),
    Derived(name="jetstream", on=f"{PUBLISHED} {DELIVERED} rmsg lmsg",
            value="begins(payload, ACKS) if starts(subject, '$JS.ACK.') else "
            "called(subject, JETSTREAM)",
            when="starts(subject, '$')", text="JetStream: {}", is_text=True,
            mark="{}", doc="What the subject means to JetStream: a request, an ack."),
    Derived(name="pull_batch", on=PUBLISHED, value=BATCH, when=IS_PULL,
            text="Pull request for {} messages", mark=" batch={}",
            doc="How many messages a pull request asks for."),
    Derived(name="jetstream_delivery", on=DELIVERED, value="number(token(reply_to, 4))",
            when=IS_ACK, text="Delivery number {} of a message of JetStream",
            doc="How often JetStream has delivered this message."),
    Derived(name="pull_request", on=DELIVERED, value="sub.pull_n", when="sub.pull_n is not None",
            text="Pulled in frame {}", needs="object",
            doc="The latest pull request on the subscription that the message came on."),
    Derived(name="delivered", on=DELIVERED, value="sub.delivered", needs="object both",
            text="Message {} of the subscription",
            doc="Messages of the subscription up to this one."),
)  # fmt: skip

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *CONNECTION, *SUBSCRIPTIONS, *REQUESTS, *MESSAGE_IDS, *PINGS, *ACKNOWLEDGED, *DERIVED,
    *BEHAVIOURS, *JETSTREAM_BEHAVIOURS, *CONSUMER_BEHAVIOURS, *STORES, *SUBSCRIPTION_BEHAVIOURS,
    *EXCHANGES, *STREAM_STATES, *PROGRAMS, *ORDER, *ECHOES, *RENEWALS, *SILENCES, *LIVENESS,
    *HARMS,
)  # fmt: skip
"""Read by the engine, `streamshark.conversations`."""
