"""Faults and near misses of the second round of the blind test: see docs/checking.md."""

from captures.recorders.nats.scenarios_clients import PLAIN
from captures.recorders.nats.threads import Mark, fault, library, near_miss

fault(
    "queue_group_per_pod",
    library("go", "queue_group_per_pod", "second_round", PLAIN),
    "Each replica of a service has a queue group of its own",
    peer="go",
    kind="mismatch between sides",
    thread="keptn/keptn#7718",
    shows="Three replicas of approval subscribe events.approval with the names of their pods as "
    "queue groups; 15 events are published and 45 are handled.",
    says="Three replicas of approval subscribe events.approval, each in a queue group with its own "
    "name instead of one they share: each of the 15 events is handled three times.",
    marks=(Mark(None, "client", rb"^SUB events\.approval "),),
)

fault(
    "flush_per_message",
    library("go", "flush_per_message", "second_round", PLAIN),
    "A flush after each message",
    peer="go",
    kind="waste",
    thread="nats-io/nats.net.v1#73",
    shows="250 messages of a few bytes, each followed by PING; the next one waits for PONG.",
    says="The publisher flushes after each of 250 small messages: every PUB costs a PING, a PONG "
    "and a round trip before the next one.",
    marks=(Mark(0, "client", rb"^PING", skip=1),),
)

fault(
    "old_chunks_left",
    library("py", "old_chunks_left", "second_round"),
    "The chunks of a replaced object are left in the store",
    peer="py",
    kind="churn and leak",
    thread="nats-io/nats.java#1491",
    shows="An object is put five times by a layer written by hand on nats-py, as in nats.java "
    "before its correction: new chunks, new metadata, no purge.",
    says="The object daily-report is put five times; each time the metadata points to new chunks "
    "and those of the version before are never purged: 16 of the 20 chunks stay in the stream with "
    "nothing that refers to them.",
    marks=(Mark(0, "client", rb"^HPUB \$O\.files\.M\.", skip=1),),
)

fault(
    "answered_twice",
    library("js", "answered_twice", "second_round", PLAIN),
    "Two replicas without a queue group answer each request",
    peer="js",
    kind="identity",
    thread="hashgraph/guardian#1037, lerenn/asyncapi-codegen#47",
    shows="Two connections subscribe price.get without a queue group; each of 15 requests has two "
    "answers.",
    says="Both replicas subscribe price.get without a queue group: each of the 15 requests is "
    "handled and answered twice, and the second answer is discarded.",
    marks=(
        Mark(None, "client", rb"^SUB price\.get "),
        Mark(1, "client", rb"^PUB _INBOX\."),
    ),
)

fault(
    "foreign_chunks",
    library("py", "foreign_chunks", "second_round"),
    "Chunks of another upload are stored under the id of this object",
    peer="py",
    kind="second layer",
    thread="nats-io/nats.net#917",
    shows="Five chunks are published under one id and metadata for three of them, by a layer "
    "written by hand on nats-py; the library cannot get the object.",
    says="The metadata of device-17.log says three chunks and 1620 bytes, but five chunks were "
    "published under its id, two of them from another upload: size and SHA-256 do not fit, and no "
    "reader can get it.",
    marks=(
        Mark(0, "client", rb"^HPUB \$O\.logs\.M\."),
        Mark(0, "client", rb"^PUB \$O\.logs\.C\..*row of [45]"),
    ),
)

near_miss(
    "groups_of_two_services",
    library("py", "groups_of_two_services", "second_round", PLAIN),
    "Two services with a queue group each",
    peer="py",
    thread="docs: queue groups (each group gets a copy)",
    shows="Two replicas of billing and two of audit subscribe orders.*, each service in its queue "
    "group: each message is handled once by each service.",
)

near_miss(
    "services_pinged",
    library("js", "services_pinged", "second_round", PLAIN),
    "One request that three instances answer",
    peer="js",
    thread="ADR-32: discovery of services",
    shows="A dashboard sends $SRV.PING, INFO and STATS to a service of three instances; each "
    "answers, as it should.",
)

near_miss(
    "object_replaced",
    library("js", "object_replaced", "second_round"),
    "An object is replaced and its old chunks are purged",
    peer="js",
    thread="nats-io/nats.java#1491",
    shows="An object is put four times; the library purges the chunks of the version before.",
)
