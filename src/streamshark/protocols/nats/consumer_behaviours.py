"""What clients do with streams and consumers over time: what they ask for against what exists."""

from typing import Final

from streamshark.conversations.behaviours import Alternation, Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.behaviours import SELF
from streamshark.protocols.nats.row_names import (
    ACKING,
    CREATES,
    DELIVERED,
    OF_NAME,
    OF_STREAM,
    PROCESSED,
    SENT,
    is_true,
    member,
)

_STREAM: Final = "starts(subject, '$JS.API.STREAM.')"
_CREATES_STREAM: Final = "starts(subject, '$JS.API.STREAM.CREATE.')"
_DELETES_STREAM: Final = "starts(subject, '$JS.API.STREAM.DELETE.')"
_DELETES: Final = "starts(subject, '$JS.API.CONSUMER.DELETE.')"
_TOLD: Final = (
    "asked.state == 'asked' and asked.meaning in ('stream info', 'stream create', 'stream update')"
)
"""The row answers with the configuration of a stream."""
_NO_ACK: Final = f"{_STREAM} and {is_true('no_ack')}"
_BACKOFF: Final = "between(payload, '\"backoff\":[', ']')"
IN_BATCH: Final = "item(fields.headers, 'Nats-Batch-Id') if len(fields.headers) > 1 else None"
BATCH_PLACE: Final = "number(item(fields.headers, 'Nats-Batch-Sequence'))"

PULLS: Final = "starts(subject, '$JS.API.CONSUMER.MSG.NEXT.')"
PULL_OVER: Final = "fields.status in (404, 408, 409, 423, 503)"
"""The status ends a pull request."""

BEGUN_EARLY: Final = (
    f"{PULLS} and fetch.open > 0 and (fetch.until - t) * 2 > fetch.until - fetch.asked_t and "
    "fetch.asked_n > coalesce(conn.pulled_n, 0) and between(payload, 'no_wait', '') is not None"
)
"""The row begins a fetch though its inbox has a pull request that stays open for long."""

_PIN: Final = "coalesce(between(payload, '\"id\":\"', '\"'), between(payload, '\"id\": \"', '\"'))"
"""The id that the server has given the pinned client of a consumer, in a pull request."""
_GROUP: Final = "between(payload, '\"group\":', '\"')"
_STALE: Final = f"has(conn.stale_pins, {_PIN})"
PULLS_STALE: Final = f"{PULLS} and {_STALE} and coalesce(conn.stale_pulls, 0) + 1 >= STALE_PULLS"
"""The row pulls with an id that status 423 has refused, as rows before it did."""

CONSTANTS: Final = (
    Constant(name="REMADE_LIMIT", value=2, doc="Times that one stream is deleted and created."),
    Constant(name="SINGLY_LIMIT", value=5, doc="Messages acknowledged one by one in a row."),
    Constant(name="GAVE_UP_LIMIT", value=3, doc="Pull requests that a client gives up."),
    Constant(name="GIVE_UP", value="100 ms", doc="Time by which a pull request is given up early."),
    Constant(name="ABANDONED", value="10 s", doc="Time after which a stream drops a batch."),
    Constant(name="STALE_PULLS", value=2, doc="Pull requests in a row with a refused pin id."),
    Constant(name="NAK_LIMIT", value=3, doc="Messages rejected without a delay."),
    Constant(name="VAIN_PULLS", value=2, doc="Pull requests after a consumer was deleted."),
    Constant(name="GONE_FOR", value="3 s", doc="Time without a consumer in which nothing is done."),
    Constant(name="BRIEF_PULL", value="1 s", doc="Time in which a brief pull request expires."),
    Constant(name="BRIEF_PULLS", value=8, doc="Brief pull requests in a row without a message."),
    Constant(name="OVERLAP_LIMIT", value=3, doc="Fetches begun while a pull request is open."),
    Constant(name="DONE_LIMIT", value=3, doc="Messages that are handled for two consumers."),
)

STREAMS: Final[tuple[Table, ...]] = (
    Alternation(
        name="stream_configured",
        on=SENT,
        when=f"{_STREAM} and called(subject, JETSTREAM) == 'stream update'",
        per="server, token(subject, 4)",
        by="digest(payload)",
        limit=2,
    ),
    Lifecycle(
        name="catalogue",
        scope="capture",
        doc="The subjects of a stream, as the server states them.",
        key={
            SENT: f"(server, {OF_STREAM}) if {CREATES} else (server, token(subject, 4)) if "
            "starts(subject, '$JS.API.STREAM.UPDATE.') else None",
            DELIVERED: f"(server, token(asked.subject, 4)) if {_TOLD} else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=f"{_TOLD} and between(payload, '\"config\":', '{{') is not None",
        do="catalogue.subjects = between(payload, '\"subjects\":[', ']') if "
        "between(payload, '\"sources\":', '[') is None and "
        "between(payload, '\"mirror\":', '{') is None and "
        "between(payload, 'transform', '{') is None else None; catalogue.told_n = n; "
        "catalogue.config = between(payload, '\"config\":{', '\"created\":')",
    ),
    Lifecycle(
        name="described",
        scope="capture",
        doc="A consumer, as the server describes it.",
        key={
            SENT: f"(server, {OF_STREAM}, {OF_NAME}) if {CREATES} else "
            f"(server, token(subject, 4), token(subject, 5)) if {_DELETES} else None",
            DELIVERED: "(server, token(asked.subject, 4), token(asked.subject, 5)) if "
            "asked.state == 'asked' and asked.meaning == 'consumer info' else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning == 'consumer info'",
        do="described.config = between(payload, '\"config\":{', '\"delivered\":'); "
        "described.told_n = n",
    ),
    Action(
        on=SENT,
        when=_DELETES,
        do="described.former = coalesce(described.config, described.former); "
        "described.config = None",
    ),
    Action(
        on=SENT, when=f"described.former is not None and {CREATES}", do="described.former = None"
    ),
    Lifecycle(
        name="mute",
        scope="capture",
        doc="The streams of a server that send no acks.",
        key={
            SENT: f"server if {_NO_ACK} else None",
            "end:asked": "server if asked.state == 'asked' and asked.meaning is None else None",
        },
    ),
    Action(
        on=SENT,
        when=_NO_ACK,
        do="mute.subject = coalesce(between(payload, '\"subjects\":[\"', '\"'), "
        "between(payload, '\"subjects\": [\"', '\"')); mute.made_n = n",
    ),
    Lifecycle(
        name="remade",
        scope="capture",
        doc="A stream or consumer that a client deletes and creates.",
        key={
            SENT: "None if reply_to is None else (client, server, token(subject, 4), '') if "
            f"{_STREAM} and token(subject, 3) in ('CREATE', 'DELETE') else "
            f"(client, server, token(subject, 4), token(subject, 5)) if {_DELETES} else "
            f"(client, server, {OF_STREAM}, {OF_NAME}) if {CREATES} else None"
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when=f"remade.deleted_n is not None and ({_CREATES_STREAM} or {CREATES})",
        do="remade.times = coalesce(remade.times, 0) + 1; remade.first_n = "
        "coalesce(remade.first_n, remade.deleted_n); remade.deleted_n = None",
    ),
    Action(
        on=SENT,
        when=f"remade.made_n is not None and ({_DELETES_STREAM} or {_DELETES})",
        do="remade.deleted_n = n",
    ),
    Action(
        on=SENT,
        when=f"reply_to is not None and ({_CREATES_STREAM} or {CREATES})",
        do="remade.made_n = n",
    ),
)
"""Streams, and what their configuration means for publishers and consumers."""

CONSUMERS: Final[tuple[Table, ...]] = (
    Alternation(
        name="shared_durable",
        on=SENT,
        when=f"{PULLS} and conn.client_name is not None and {_GROUP} is None",
        per="server, subject",
        by="program(conn.client_name)",
    ),
    Action(
        on=SENT,
        when=f"{PULLS} and {_PIN} is not None",
        do=f"conn.stale_pulls = coalesce(conn.stale_pulls, 0) + 1 if {_STALE} else None",
    ),
    Action(
        on=SENT,
        when=f"{PULLS} and {_PIN} is not None",
        do=f"pull.pin = {_PIN}; conn.pin = {_PIN}",
    ),
    Action(
        on="server:hmsg",
        when="fields.status == 423",
        do="put(conn.stale_pins, coalesce(pull.pin, conn.pin)); conn.unpinned_n = n",
    ),
    Lifecycle(
        name="fetch",
        scope="connection",
        doc="The pull requests of an inbox, and how many of them are open.",
        key={
            SENT: f"reply_to if {PULLS} else None",
            "server:hmsg": f"subject if {PULL_OVER} else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when=BEGUN_EARLY,
        do="conn.early = coalesce(conn.early, 0) + 1; "
        "conn.early_n = coalesce(conn.early_n, fetch.asked_n)",
    ),
    Action(
        on=SENT,
        when=PULLS,
        do="fetch.open = 1 if coalesce(fetch.asked_n, 0) < coalesce(conn.pulled_n, 0) else "
        f"coalesce(fetch.open, 0) + 1; fetch.until = t + coalesce({member('expires')}, 0); "
        "fetch.asked_n = n; fetch.asked_t = t",
    ),
    Action(
        on="server:hmsg",
        when=f"fetch.open > 0 and {PULL_OVER}",
        do="fetch.open = fetch.open - 1",
    ),
    Action(on=SENT, when=CREATES, do=f"conn.backoff = {_BACKOFF}; conn.backoff_n = n"),
    Action(
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning == 'consumer info'",
        do=f"conn.backoff = {_BACKOFF}; conn.backoff_n = n",
    ),
    Action(
        on=SENT,
        when=f"conn.backoff is not None and len(payload) == 4 and {ACKING} and "
        "starts(payload, NAK)",
        do="conn.naks = coalesce(conn.naks, 0) + 1",
    ),
    Repetition(
        name="acked_singly",
        on=SENT,
        when=f"conn.policy == 'all' and {ACKING} and {PROCESSED}",
        per="conn",
        same="number(token(subject, 6)) - coalesce(conn.acked_place, 0)",
        limit="SINGLY_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Action(
        on=SENT,
        when=f"conn.policy == 'all' and {ACKING}",
        do="conn.acked_place = number(token(subject, 6))",
    ),
    Action(
        on=SENT,
        when=f"conn.policy == 'explicit' and {ACKING}",
        do="conn.acks = coalesce(conn.acks, 0) + 1; conn.acked_subject = subject; "
        "conn.acked_subject_n = n",
    ),
    Action(
        on="client:unsub",
        when="max_msgs is None and sub.until > t + GIVE_UP and sub.delivered < sub.wanted",
        do="put(conn.left_pulls, sub.pull_of); conn.left_pull_n = sub.pull_n",
    ),
    Action(
        on=SENT,
        when=f"{PULLS} and has(conn.left_pulls, subject)",
        do="conn.gave_up = coalesce(conn.gave_up, 0) + 1; drop(conn.left_pulls, subject); "
        "conn.gave_up_n = coalesce(conn.gave_up_n, n)",
    ),
    Action(
        on="server:hmsg",
        when=f"sub.until is not None and {PULL_OVER}",
        do="sub.until = None",
    ),
)
"""How consumers acknowledge, pull and are shared."""

BATCHES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="bundle",
        scope="connection",
        doc="Messages that a stream is to store together.",
        key={"client:hpub": IN_BATCH},
        most=1024,
    ),
    Action(
        on="client:hpub",
        when="len(fields.headers) > 1 and item(fields.headers, 'Nats-Batch-Id') is not None",
        do=f"bundle.next = {BATCH_PLACE} + 1; "
        "bundle.batch = item(fields.headers, 'Nats-Batch-Id'); "
        "bundle.count = 1 + (coalesce(bundle.count, 0) if bundle.committed is None else 0); "
        "bundle.committed = item(fields.headers, 'Nats-Batch-Commit'); bundle.latest_n = n; "
        "bundle.latest_t = t; bundle.of = subject",
    ),
)
"""Atomic batches."""

GONE: Final[tuple[Table, ...]] = (
    Action(
        on="server:hmsg",
        when="pull.state == 'asked' and (fields.status == 503 or description == "
        "'Consumer Deleted')",
        do="conn.gone_n = n; conn.gone_t = t; conn.gone_pull_n = pull.n; "
        "conn.deleted = pull.subject if fields.status == 409 else None; conn.vain_pulls = 0",
    ),
    Action(
        on=SENT,
        when="conn.deleted is not None and subject == conn.deleted",
        do="conn.vain_pulls = conn.vain_pulls + 1; "
        "conn.vain_n = n if conn.vain_pulls == VAIN_PULLS else conn.vain_n",
    ),
    Action(
        on=SENT,
        when="conn.gone_n is not None and starts(subject, '$JS.API.') and "
        "subject != coalesce(conn.deleted, '')",
        do="conn.gone_n = None; conn.deleted = None",
    ),
    Action(
        on=DELIVERED,
        when="conn.deleted is not None and starts(reply_to, '$JS.ACK.')",
        do="conn.gone_n = None; conn.deleted = None",
    ),
    Action(
        on=SENT,
        when=f"reply_to is not None and ({_DELETES} or {_DELETES_STREAM})",
        do="conn.deletes_n = n",
    ),
    Repetition(
        name="brief_pulls",
        on="server:hmsg",
        when="fields.status == 408 and pull.state == 'asked' and t - pull.t < BRIEF_PULL and "
        "pull.n > coalesce(conn.pulled_n, 0)",
        per="flow, pull.subject",
        question="pull.n",
        limit="BRIEF_PULLS",
        pause="BRIEF_PULL",
        may_back_off=False,
    ),
)
"""Consumers that exist no more, or have nothing, and what clients make of it."""

_JOB: Final = (
    f"{ACKING} and conn.published < FORMAT_SAMPLE and {PROCESSED} and "
    "not starts(token(subject, 2), 'KV_') and "
    "not starts(token(subject, 2), 'OBJ_')"
)
DONE_TWICE: Final = f"{_JOB} and job.consumer != token(subject, 3)"
"""The row acks a message that the program has acked as one of another consumer."""
JOBS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="job",
        scope="capture",
        doc="A message of a stream, by which consumer a program has it.",
        key={SENT: f"(server, token(subject, 2), token(subject, 5), {SELF}) if {_JOB} else None"},
        most=4096,
    ),
    Action(on=SENT, when=DONE_TWICE, do="conn.twice_done = coalesce(conn.twice_done, 0) + 1"),
    Action(on=SENT, when=_JOB, do="job.consumer = token(subject, 3); job.acked_n = n"),
)
"""Messages that a program handles once for each of its consumers."""

FED: Final[tuple[Table, ...]] = (
    Action(
        on="server:tcp.close server:tcp.reset",
        when="conn.left is None and conn.peers is None and conn.cluster is None and "
        "len(conn.push_to) > 0 and coalesce(len(conn.group), 0) == 0 and "
        "conn.ack_to is not None",
        do="before.fed = conn.push_to; before.fed_n = conn.create_n; before.fed_t = t; "
        "before.fed_stream = conn.create_stream; before.fed_filter = conn.filter; "
        "before.fed_beat = conn.push_beat",
    ),
    Action(
        on="client:sub",
        when="subject == before.fed and conn.t - before.fed_t < LOST_LATELY",
        do="conn.fed_stream = before.fed_stream; conn.fed_filter = before.fed_filter; "
        "conn.fed_n = n; conn.fed_t = t; conn.fed_before_n = before.fed_n; "
        "conn.fed_beat = before.fed_beat; before.fed = None",
    ),
)
"""Push consumers whose deliver subject is subscribed to again after a lost connection."""

CONSUMER_BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *STREAMS, *CONSUMERS, *BATCHES, *GONE, *JOBS, *FED,
)  # fmt: skip
"""Part of the tables of the protocol."""
