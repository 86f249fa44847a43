"""What one side repeats of what the other has said: names, types and identities."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.order_behaviours import IS_STORED, SEQUENCE, STORED_AT, STORES
from streamshark.protocols.nats.row_names import CREATING, DELIVERED, IS_ACK, SENT

_TYPES: Final = {
    "INFO": "account_info",
    "STREAM.CREATE.*": "stream_create", "STREAM.UPDATE.*": "stream_update",
    "STREAM.NAMES": "stream_names", "STREAM.LIST": "stream_list",
    "STREAM.INFO.*": "stream_info", "STREAM.DELETE.*": "stream_delete",
    "STREAM.PURGE.*": "stream_purge", "STREAM.MSG.DELETE.*": "stream_msg_delete",
    "STREAM.MSG.GET.*": "stream_msg_get",
    "CONSUMER.CREATE.>": "consumer_create", "CONSUMER.DURABLE.CREATE.*.*": "consumer_create",
    "CONSUMER.NAMES.*": "consumer_names", "CONSUMER.LIST.*": "consumer_list",
    "CONSUMER.INFO.*.*": "consumer_info", "CONSUMER.DELETE.*.*": "consumer_delete",
    "CONSUMER.PAUSE.*.*": "consumer_pause",
}  # fmt: skip
"""Request of the API to the type of its answer."""
STREAM_ASKED: Final = (
    "called(asked.subject, JETSTREAM) in ('stream create', 'stream update', 'stream info')"
)
CONSUMER_ASKED: Final = (
    "called(asked.subject, JETSTREAM) in ('consumer create', 'consumer durable create', "
    "'consumer info')"
)
CONFIGURING: Final = (
    "('stream create', 'stream update', 'consumer create', 'consumer durable create')"
)
"""What JetStream calls requests with a configuration."""
_FILTER: Final = """between(payload, '"filter_subject":"', '"')"""
SOURCE: Final = "(token(reply_to, 2), token(reply_to, 3))"
"""Stream and consumer of a delivery."""

ECHOES: Final[tuple[Table, ...]] = (
    Constant(
        name="ANSWER_TYPES",
        value={f"$JS.API.{request}": answer for request, answer in _TYPES.items()},
        doc="Pattern of a request of JetStream to the type of its answer.",
    ),
    Constant(name="ESCAPE", value="\\", doc="Beginning of a character that JSON escapes."),
    Constant(name="NAME_FIRST", value=b'{"name":"', doc="Beginning of a configuration."),
    Constant(name="NAME_AND_BLANK", value=b'{"name": "', doc="The same with a blank."),
    Action(
        on="server:info",
        when="server_id != '' and conn.server_id is None",
        do="conn.server_id = server_id; conn.client_number = client_id; conn.identity_n = n",
    ),
    Action(
        on=SENT,
        when=f"reply_to is not None and called(subject, JETSTREAM) in {CONFIGURING}",
        do="asked.configuration = payload",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.state == 'asked' and asked.meaning in {CREATING}",
        do=f"team.filter = {_FILTER} if between({_FILTER}, ESCAPE, '') is None else None; "
        "team.filter_n = n",
    ),
    Lifecycle(
        name="kept",
        scope="capture",
        doc="A message of a stream, by its sequence, as it was published.",
        key={
            DELIVERED: f"""(server, between(payload, '"stream":"', '"'), {SEQUENCE}) """
            f"if {STORES} and asked.request is not None else "
            f"(server, token(reply_to, 2), {STORED_AT}) if {IS_ACK} else None"
        },
        most=4096,
    ),
    Action(
        on=DELIVERED,
        when=f"{STORES} and asked.request is not None",
        do="kept.content = asked.request; kept.subject = asked.subject; kept.sent_n = asked.n; "
        "kept.stored_n = n",
    ),
    Lifecycle(
        name="sink",
        scope="connection",
        doc="A subject that a stream stores, by the acks of what the client publishes to it.",
        key={DELIVERED: f"asked.subject if {IS_STORED} else None"},
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when=IS_STORED,
        do="""sink.stream = between(payload, '"stream":"', '"'); sink.stored_n = n""",
    ),
    Action(
        on="client:hpub",
        when="item(headers, 'Nats-Incr') is not None",
        do="asked.request = None",
    ),
    Action(
        on=DELIVERED,
        when=f"{IS_ACK} and token(reply_to, 8) is not None",
        do=f"sub.source = {SOURCE}; sub.source_n = n",
    ),
)  # fmt: skip
"""Part of the tables of the protocol."""
