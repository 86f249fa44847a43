"""Faults and near misses of the tenth round of the blind test: see docs/checking.md."""

from captures.recorders.nats.threads import Mark, fault, library, near_miss

DRIVER = "tenth_round"

SHOWS = "44 parcels and two workers that take 0.14 s for each, beside requests to a service."
fault(
    "batch_above_the_ack_wait",
    library("py", "batch_above_the_ack_wait", DRIVER),
    "A batch takes longer than the server waits for an acknowledgement",
    peer="py",
    kind="configuration of a consumer against its use",
    thread="quarkiverse/quarkus-reactive-messaging-nats-jetstream#487",
    shows=SHOWS,
    says="packer-a pulls 40 messages at a time and handles them one after the other, 0.14 s each, "
    "with ack_wait 2 s: those after the fourteenth are delivered to packer-b before they are "
    "handled, and are packed twice. A batch has to be small enough for ack_wait.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.parcels\..*\b40\b"),),
)
near_miss(
    "batch_within_the_ack_wait",
    library("py", "batch_within_the_ack_wait", DRIVER),
    "A batch is handled in less than the server waits for an acknowledgement",
    peer="py",
    thread="quarkiverse/quarkus-reactive-messaging-nats-jetstream#487",
    shows=SHOWS,
)

SHOWS = "75 letters, of which a third is damaged, beside requests to a service."
fault(
    "failures_left_open",
    library("py", "failures_left_open", DRIVER),
    "Messages whose handling fails stay open, until no others are delivered",
    peer="py",
    kind="unanswered and abandoned",
    thread="nats-io/nats-server#4112",
    shows=SHOWS,
    says="The handler returns without an answer when it fails. With ack_wait 300 s and "
    "max_ack_pending 9, nine damaged letters use up what may be open, and the consumer printer "
    "delivers nothing more for five minutes. A message that fails has to be refused or terminated.",
    marks=(Mark(None, "server", rb"^H?MSG letters\.damaged ", most=9),),
)
near_miss(
    "failures_refused",
    library("py", "failures_refused", DRIVER),
    "Messages whose handling fails are refused, and terminated at the third time",
    peer="py",
    thread="nats-io/nats-server#4112",
    shows=SHOWS,
)

SHOWS = "A bucket of sessions whose time to live changes three times while it is read."
fault(
    "bucket_made_again",
    library("py", "bucket_made_again", DRIVER),
    "A bucket is deleted and made again to change its settings",
    peer="py",
    kind="life of a stream",
    thread="nats-io/nats.java#623",
    shows=SHOWS,
    says="To change the time to live the deployment deletes the bucket sessions and makes it "
    "again: all sessions are lost each time, and web finds no key any more. The stream of the "
    "bucket can be updated.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.DELETE\.KV_sessions"),),
)
near_miss(
    "bucket_updated",
    library("py", "bucket_updated", DRIVER),
    "The stream of a bucket is updated to change its settings",
    peer="py",
    thread="nats-io/nats.java#623",
    shows=SHOWS,
)

SHOWS = "36 entities, of which a third ends again, and an index that reads each 0.7 s."
fault(
    "purged_with_its_end",
    library("js", "purged_with_its_end", DRIVER),
    "A subject is purged together with the message that says that it ends",
    peer="js",
    kind="retention",
    thread="nats-io/nats-server#3106",
    shows=SHOWS,
    says="backend publishes an empty message when an entity ends, and purges its subject right "
    "after that, with the message: the consumer index has not read it yet and never learns that "
    "the entity is gone. The purge has to keep the last message (keep 1).",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.PURGE\.entities"),),
)
near_miss(
    "purged_but_its_end",
    library("js", "purged_but_its_end", DRIVER),
    "A subject is purged but for the message that says that it ends",
    peer="js",
    thread="nats-io/nats-server#3106",
    shows=SHOWS,
)

SHOWS = "95 readings, a biller that takes 0.17 s for each, and a job that purges each 2 s."
fault(
    "purged_under_its_consumer",
    library("js", "purged_under_its_consumer", DRIVER),
    "A stream is purged while its consumer has messages to read",
    peer="js",
    kind="retention",
    thread="nats-io/nats.go#909",
    shows=SHOWS,
    says="cleaner purges the whole stream each two seconds, while the consumer biller is some "
    "twenty readings late: what it has not read yet is removed and never billed. The purge has to "
    "end at the acknowledgement floor, or the retention has to be a work queue.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.PURGE\.readings"),),
)
near_miss(
    "purged_up_to_the_floor",
    library("js", "purged_up_to_the_floor", DRIVER),
    "A stream is purged up to what its consumer has acknowledged",
    peer="js",
    thread="nats-io/nats.go#909",
    shows=SHOWS,
)

SHOWS = "Five workers that count 14 hits each in a bucket, beside requests to a service."
fault(
    "one_key_of_all",
    library("py", "one_key_of_all", DRIVER),
    "Five workers update one key, and most updates are refused",
    peer="py",
    kind="revisions of a key",
    thread="nats-io/nats-server#3693",
    shows=SHOWS,
    says="All five workers read and update the key page, so that at each time four of five are "
    "refused (wrong last sequence) and read again at once: several requests for each hit. Each "
    "worker needs a key of its own, or the stream has to count.",
    marks=(Mark(None, "server", rb"^H?MSG _INBOX\S+ .*err_code\":10071"),),
)
near_miss(
    "key_of_each",
    library("py", "key_of_each", DRIVER),
    "Each of five workers updates a key of its own",
    peer="py",
    thread="nats-io/nats-server#3693",
    shows=SHOWS,
)
