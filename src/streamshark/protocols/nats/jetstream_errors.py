"""Errors of JetStream, and what of the request earns each of them.

Source: nats-server, `server/errors.json`.
"""

from collections.abc import Mapping
from typing import Final

BY_STATE: Final = (
    "10002", "10005", "10008", "10009", "10013", "10023", "10026", "10027", "10028", "10039",
    "10043", "10047", "10058", "10065", "10074", "10076", "10077", "10099", "10100", "10105",
    "10109", "10148", "10149", "10158", "10160", "10167", "10185",
)  # fmt: skip
"""Codes of refusals for what exists, is full or is away, which a correct request meets as well."""
CODE: Final = "between(payload, '\"err_code\":', ',')"
"""The code of an error in an answer, as text."""

REQUESTS: Final[Mapping[str, str]] = {
    "10058": "A stream of this name exists with another configuration: update it, or use it as it "
    "is.",
    "10065": "Another stream has one of these subjects, or a wildcard that covers it.",
    "10052": "The description names the setting of the stream that is not valid.",
    "10056": "The name in the subject of the request is not the one in its body.",
    "10025": "The request is not JSON, or a member has another type than the server reads.",
    "10003": "The server cannot read the request: a member is missing, or has an impossible value.",
    "10038": "This request takes no payload.",
    "10074": "More than one replica needs a cluster.",
    "10005": "The cluster has fewer servers that fit than there are to be replicas.",
    "10026": "The stream, or the account, has as many consumers as it may have: others are left "
    "behind.",
    "10027": "The account has as many streams as it may have.",
    "10002": "The account has no room left for what the stream reserves.",
    "10023": "The server has no room left for what the stream reserves.",
    "10028": "The server has no memory left for what the stream reserves.",
    "10047": "The server has no disk space left for what the stream reserves (max_bytes).",
    "10113": "The account demands max_bytes of each stream.",
    "10013": "A consumer of this name exists, with another configuration.",
    "10148": "A consumer of this name exists with another configuration, and the action is create.",
    "10149": "No such consumer exists, and the action is update.",
    "10105": "The push consumer has a subscriber already: only one may be bound.",
    "10106": "The consumer exists under another durable name.",
    "10012": "The description names what of the consumer cannot be changed, or is not valid.",
    "10094": "deliver_policy does not fit opt_start_seq or opt_start_time: each policy has a start "
    "of its own.",
    "10093": "The filter of the consumer does not match the subjects of the stream.",
    "10131": "The filter in the subject of the request is not the one in its body.",
    "10136": "The consumer has both filter_subject and filter_subjects.",
    "10138": "The filters of the consumer overlap.",
    "10016": "The durable name has to be in the subject of the request.",
    "10017": "The name in the subject of the request is not durable_name.",
    "10019": "The subject of the request has a name, and its body none.",
    "10132": "name and durable_name of the consumer differ.",
    "10103": "Names of consumers have no dots, wildcards or blanks.",
    "10079": "The deliver subject of a push consumer has no wildcard.",
    "10081": "The deliver subject is one that the stream itself stores.",
    "10082": "max_ack_pending needs an ack_policy.",
    "10083": "idle_heartbeat is below 100 ms: it is in nanoseconds.",
    "10088": "idle_heartbeat of a consumer is for push consumers; pull requests have their own.",
    "10089": "flow_control is for push consumers.",
    "10108": "flow_control needs idle_heartbeat.",
    "10098": "A stream with retention workqueue needs ack_policy explicit.",
    "10084": "A stream with retention workqueue needs ack_policy explicit.",
    "10099": "A stream with retention workqueue has one consumer without a filter, and this would "
    "be a second one.",
    "10100": "Another consumer of the stream with retention workqueue has a filter that overlaps.",
    "10101": "Consumers of a stream with retention workqueue begin with all messages.",
    "10116": "max_deliver has to be above the number of values in backoff.",
    "10121": "max_ack_pending is above the limit of the account.",
    "10126": "The consumer has more replicas than its stream.",
    "10153": "inactive_threshold is above the limit of the server.",
    "10109": "The stream is sealed: it takes no changes.",
    "10043": "The stream has no message of this sequence any more.",
    "10008": "No leader is elected: servers of the cluster are away.",
    "10009": "This server does not lead what the request is about.",
    "10039": "The account of this user has no JetStream.",
    "10076": "The server runs without JetStream.",
    "10160": "The consumer has no such priority group.",
    "10167": "More requests are waiting than the server takes.",
    "10185": "The server is older than the request demands.",
}
"""Codes of requests to the API that are refused."""

PUBLISHES: Final[Mapping[str, str]] = {
    "10054": "The message is larger than max_msg_size of the stream.",
    "10097": "The headers of the message are larger than 64 KiB.",
    "10060": "Nats-Expected-Stream names another stream than the one that stores the subject.",
    "10077": "The description says which limit of the stream is reached: with discard new a full "
    "stream takes nothing until messages are removed.",
    "10109": "The stream is sealed: it takes no messages.",
    "10111": "The stream does not permit roll-ups (allow_rollup_hdrs), or the header has another "
    "value than sub and all.",
    "10002": "The account has no room left.",
    "10023": "The server has no room left.",
    "10028": "The server has no memory left.",
    "10047": "The server has no disk space left.",
    "10165": "Nats-TTL is a number of seconds, or a duration such as 1h, of a second at least.",
    "10166": "Nats-TTL needs a stream with allow_msg_ttl.",
    "10158": "A message with this Nats-Msg-Id is being stored: the publisher repeats too early.",
    "10168": "Nats-Incr needs a stream with allow_msg_counter.",
    "10169": "The stream has counters: each message needs Nats-Incr.",
    "10170": "A message with Nats-Incr has no payload.",
    "10174": "Batches need a stream with allow_atomic.",
    "10175": "Nats-Batch-Sequence is missing.",
    "10176": "Messages of the batch are missing, or came too late.",
    "10177": "The header that is named cannot be used in a batch.",
    "10188": "Nats-Schedule needs a stream with allow_msg_schedules.",
    "10193": "Nats-Expected-Last-Subject-Sequence-Subject needs the sequence too.",
    "10167": "More messages are waiting than the server takes.",
}
"""Codes of messages that are not stored."""
