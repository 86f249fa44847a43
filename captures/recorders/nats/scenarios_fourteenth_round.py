"""Faults and healthy programs of the fourteenth blind round: see docs/checking.md."""

from captures.recorders.nats.threads import Mark, library, near_miss, pair, restarting

DRIVER = "fourteenth_round"

pair(
    "renewed_without_its_ttl",
    "renewed_with_its_ttl",
    title="A lock that expires is renewed without its time to live",
    title_of_twin="A lock that expires is renewed with its time to live",
    played=lambda name: library("go", name, DRIVER),
    peer="go",
    kind="lost settings",
    thread="nats-io/nats.go#1994",
    shows="Two schedulers, one of which holds a lock of 2 s, renews it, and is gone after 4 s.",
    says="scheduler-0 creates the key scheduler with a Nats-TTL of 2 s and renews it by updates "
    "without that header: the value that it leaves never expires, and scheduler-1 is refused "
    "(10071) for ever. Each update has to have the Nats-TTL again.",
    marks=(
        Mark(
            None, "client", rb"^HPUB \$KV\.locks\.scheduler .*Expected-Last-Subject-Sequence: [1-9]"
        ),
    ),
)
pair(
    "sent_again_under_a_stored_id",
    "sent_again_under_its_own_id",
    title="An outbox publishes stored messages again under their id",
    title_of_twin="An outbox publishes messages again under an id for each attempt",
    played=lambda name: library("java", name, DRIVER),
    peer="java",
    kind="deduplication",
    thread="alexfrmn/murmur#141",
    shows="15 orders, a till that forgets to settle every third one when it first sees it.",
    says="The shop publishes an order up to three times more under the Nats-Msg-Id that the server "
    "has already acknowledged: each is a duplicate, is not stored and reaches nobody, and the "
    "order is given up. Another attempt at delivery needs another id.",
    marks=(
        Mark(
            None, "client", rb"^HPUB orders\.shop .*order-\d+", again=rb"Nats-Msg-Id: ?order-\d+\r"
        ),
    ),
)
pair(
    "entry_of_refused_parts",
    "refused_parts_taken_back",
    title="An object is entered though its parts were refused",
    title_of_twin="An object whose parts were refused is not entered",
    played=lambda name: library("transport_node", name, DRIVER),
    peer="transport_node",
    kind="unchecked answers",
    thread="nats-io/nats.ex#231",
    shows="Drawings of four parts, a bucket that has room for four of them, and a viewer.",
    says="The bucket is full: from the fifth drawing on the server refuses its parts (10077), and "
    "scanner writes the entry all the same, with a size of 12,000 bytes in 4 parts: what the entry "
    "names is not there, and each reader gets a damaged object. The acknowledgements of the "
    "parts have to be looked at first.",
    marks=(Mark(None, "client", rb"^HPUB \$O\.drawings\.M\.", skip=4),),
)
pair(
    "reads_what_it_publishes",
    "reads_other_subjects",
    title="A program reads from a stream what it publishes there",
    title_of_twin="A program publishes to a subject of the stream that it does not read",
    played=lambda name: library("c", name, DRIVER),
    peer="c",
    kind="loops",
    thread="nats-io/nats.c#589",
    shows="Readings of a weather station, a program that adds the place, and a screen.",
    says="placer takes weather.raw.> and publishes its result to weather.raw.north, which it then "
    "takes again: four readings go round without end, and grow. It has to publish to a subject "
    "outside its filter.",
    marks=(Mark(None, "client", rb"^H?PUB weather\.raw\.north .*place="),),
)
pair(
    "consumer_goes_between_reports",
    "consumer_stays_between_reports",
    title="A consumer is gone at each report and made again from what is new",
    title_of_twin="A consumer stays between reports",
    played=lambda name: library("rust_next", name, DRIVER),
    peer="rust_next",
    kind="state lost",
    thread="nats-io/nats.go#1621",
    shows="60 sales, a report each three seconds, and prices that are watched.",
    says="The consumer of report has an inactive_threshold of 2 s and report reads each 3 s: the "
    "server deletes the consumer in between, report creates it again with deliver_policy new, and "
    "what was sold in between is never reported. The threshold has to be longer, or the new "
    "consumer has to start behind the last sequence.",
    marks=(Mark(None, "client", rb"^H?PUB \$JS\.API\.CONSUMER\.CREATE\.sales\.report", skip=1),),
)
near_miss(
    "shop_day_node",
    restarting("transport_node", "shop_day", DRIVER, after=5, down=0.8),
    "A shop with keys, objects, a service and a work queue, over a restart",
    peer="transport_node",
    thread="a healthy program of many parts",
    shows="56 orders with an id each, a menu, pictures, prices, a restart, an idle phase, and "
    "connections that are drained.",
)
near_miss(
    "photographs_java",
    restarting("java", "photographs", DRIVER, after=6, down=0.8),
    "Photographs of up to 200 kB over a restart",
    peer="java",
    thread="a healthy program with large messages",
    shows="Large and small messages with an id each, a slow consumer, a restart, an idle phase.",
)
near_miss(
    "backup_and_restore_cli",
    library("cli", "backup_and_restore", DRIVER),
    "An operator backs a stream up and restores it",
    peer="cli",
    thread="a healthy day of an operator",
    shows="A backup, a restore, a consumer that is paused for two seconds, edits, copies, purges, "
    "reports.",
)
near_miss(
    "jobs_put_off_py",
    restarting("py", "jobs_put_off", DRIVER, after=5, down=0.7),
    "Jobs that are put off, reported as spoilt or in progress, over a restart",
    peer="py",
    thread="a healthy program of two workers",
    shows="64 jobs with an id each, two workers, naks with a delay, +WPI, +TERM after a copy to "
    "another stream, and a restart.",
)
