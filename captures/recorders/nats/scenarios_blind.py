"""Faults and near misses of the blind test: see docs/checking.md."""

from captures.recorders.nats.scenarios_clients import PLAIN
from captures.recorders.nats.threads import Mark, fault, library, near_miss, restarting

fault(
    "pulls_too_seldom",
    library("py", "pulls_too_seldom", "blind"),
    "An ephemeral consumer is gone before the next pull",
    peer="py",
    kind="limits about to be met",
    thread="nats-io/nats.net#791, nats-io/nats.node#570",
    shows="inactive_threshold is 1 s and the program pulls every 2.5 s: the server deletes the "
    "consumer in between, each pull gets 503 No Responders, and the program asks the same again, "
    "four times.",
    says="The consumer was removed after inactive_threshold (1 s) because the pulls are 2.5 s "
    "apart; "
    "the client goes on pulling from a consumer that no longer exists (503) and gets nothing.",
    marks=(
        Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.", skip=1),
        Mark(0, "server", rb"NATS/1\.0 503"),
        Mark(0, "client", rb"inactive_threshold"),
    ),
)

fault(
    "stale_revision",
    library("py", "stale_revision", "blind"),
    "An update is repeated with the revision that was refused",
    peer="py",
    kind="storms and loops",
    thread="nats-io/nats.deno#385, nats-io/nats.java#1033",
    shows="Another writer has changed the key; update with revision 1 is refused (wrong last "
    "sequence: 2) and repeated unchanged fifteen times.",
    says="The same update with the same expected revision 1 is refused 15 times (wrong last "
    "sequence: 2): read the key again and use its revision.",
    marks=(
        Mark(0, "client", rb"Nats-Expected-Last-Subject-Sequence: ?1\b", skip=1),
        Mark(0, "server", rb"wrong last sequence", skip=1),
    ),
)

fault(
    "fetch_one_by_one",
    library("js", "fetch_one_by_one", "blind"),
    "Each message is pulled by a request of its own",
    peer="js",
    kind="waste",
    thread="nats-io/nats.go#763, nats-io/nats.js#218",
    shows="80 messages wait in the stream and are read by next(), which pulls one message at a "
    "time: 80 pulls, one after the other, each with a subscription of its own.",
    says="80 messages cost 80 pulls of one message each: pull batches (fetch, consume) and the "
    "round trips go.",
    marks=(Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.", skip=1),),
)

fault(
    "consumer_gone_unnoticed",
    library("py", "consumer_gone_unnoticed", "blind"),
    "A consumer is deleted and its reader does not notice that heartbeats stop",
    peer="py",
    kind="abandoned",
    thread="nats-io/nats.py#510",
    shows="A push consumer with an idle_heartbeat of 0.5 s; the consumer is deleted by another "
    "program, the heartbeats "
    "stop, and the client waits on for five seconds, while messages arrive in the stream.",
    says="No heartbeat came for five seconds where one is due every 0.5 s: the consumer is gone "
    "and "
    "the client does not make a new one; messages no longer reach it.",
    marks=(
        Mark(0, "server", rb"Idle Heartbeat"),
        Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.\w*CREATE"),
    ),
)

fault(
    "message_id_constant",
    library("py", "message_id_constant", "blind"),
    "Different messages with one Nats-Msg-Id",
    peer="py",
    kind="sequences",
    thread="nats-io/nats-server#5142",
    shows="The program takes the product's number for the message id: twelve updates of two "
    "products within the duplicate window, ten of which are dropped as duplicates.",
    says="Twelve different messages carry two Nats-Msg-Ids: ten are acknowledged as duplicate and "
    "not stored; the id has to be unique to the message, not to the product.",
    marks=(
        Mark(0, "client", rb"^HPUB .*Nats-Msg-Id: ?product-", skip=2),
        Mark(0, "server", rb'"duplicate": ?true'),
    ),
)

near_miss(
    "flow_control_answered",
    library("py", "flow_control_answered", "blind"),
    "Flow control that the client answers",
    peer="py",
    thread="nats-io/nats-architecture-and-design ADR-9",
    shows="A push consumer with flow control and heartbeats: the library publishes an empty "
    "message "
    "to the reply subject of each FlowControl Request, and all messages come.",
)

near_miss(
    "sent_again_after_reconnect",
    restarting("py", "sent_again_after_reconnect", "blind", after=1.5, down=0.3),
    "A publisher sends again what may be lost, with the same ids",
    peer="py",
    thread="docs: message deduplication",
    shows="The server restarts while messages are published; the publisher does not know which of "
    "the last ones were stored and sends three again with their Nats-Msg-Id: PubAck says duplicate "
    "for two, and the third is new.",
)

near_miss(
    "reconnects_with_backoff",
    restarting("go", "reconnects_with_backoff", "blind", PLAIN, after=1.2, down=2.5),
    "A client waits longer before each attempt to reconnect",
    peer="go",
    thread="nats-io/nats.go CustomReconnectDelay",
    shows="The server is away for two and a half seconds: attempts after 0.2, 0.4, 0.8 and 1.6 s, "
    "then the subscriptions are restored, what was buffered is published and answered.",
)
