"""Faults and near misses of the ninth round of the blind test: see docs/checking.md."""

from captures.recorders.nats.scenarios_clients import PLAIN
from captures.recorders.nats.threads import Mark, fault, library, near_miss

DRIVER = "ninth_round"
SMALL = f'{PLAIN}jetstream {{ store_dir: "js", max_mem: 64KB, max_file: 64MB }}\n'

SHOWS = "Two importers share a lock in a bucket, twelve times."
fault(
    "deleted_lock_taken_by_a_put",
    library("go", "deleted_lock_taken_by_a_put", DRIVER),
    "A lock whose last value is a marker of deletion is taken by a put",
    peer="go",
    kind="revisions of a key",
    thread="nats-io/nats.rs#1301",
    shows=SHOWS,
    says="When the last revision of import is a delete, the importers put the key without the "
    "revision of the marker, and both succeed: both hold the lock at the same time. The second "
    "try has to expect the revision that was read.",
    marks=(Mark(None, "client", rb"^PUB \$KV\.locks\.import "),),
)
near_miss(
    "deleted_lock_taken_by_its_revision",
    library("go", "deleted_lock_taken_by_its_end", DRIVER),
    "A lock whose last value is a marker of deletion is taken with the revision of the marker",
    peer="go",
    thread="nats-io/nats.rs#1301",
    shows=SHOWS,
)

fault(
    "delays_fill_what_may_be_open",
    library("go", "delays_fill_what_may_be_open", DRIVER),
    "Messages with a long delay use up what a consumer may have open",
    peer="go",
    kind="configuration of a consumer against its use",
    thread="nats-io/nats-server#6093",
    shows="70 charges, of which each fourth is put aside for two minutes.",
    says="The consumer terminal may have eight messages open (max_ack_pending), and a message "
    "that is refused with a delay stays open: after eight of them the consumer delivers nothing "
    "for two minutes, while dozens of charges that could be made wait.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.charges\.\S+ .*-NAK \{"),),
)
near_miss(
    "delays_with_room",
    library("go", "delays_with_room", DRIVER),
    "Messages with a long delay, and room for others",
    peer="go",
    thread="nats-io/nats-server#6093",
    shows="70 charges, of which each fourth is put aside for two minutes.",
)

fault(
    "backoff_below_the_work",
    library("go", "backoff_below_the_work", DRIVER),
    "The first pause of the backoff is shorter than the work",
    peer="go",
    kind="configuration of a consumer against its use",
    thread="risingwavelabs/risingwave#21683",
    shows="16 photos and two workers that take 0.9 s for each.",
    says="The consumer thumbs has ack_wait 10 s and a backoff that begins with 300 ms, and the "
    "backoff replaces ack_wait: each photo takes 0.9 s and is delivered again meanwhile, so a "
    "dozen thumbnails are made again.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.\S*CREATE\.photos"),),
)
near_miss(
    "backoff_above_the_work",
    library("go", "backoff_above_the_work", DRIVER),
    "The first pause of the backoff is longer than the work",
    peer="go",
    thread="risingwavelabs/risingwave#21683",
    shows="16 photos and two workers that take 0.9 s for each.",
)

fault(
    "memory_full",
    library("go", "memory_full", DRIVER, SMALL),
    "A stream without a limit fills the storage of the server",
    peer="go",
    kind="limits of storage",
    thread="kyma-project/kyma#14475",
    shows="150 messages of 900 bytes into a stream in memory; the server has 64 KB.",
    says="The stream telemetry has no max_bytes, so it does not discard its old messages when the "
    "server has no memory left: from then on each publish is refused (10023), and gateway goes on "
    "as if nothing were.",
    marks=(Mark(None, "server", rb"^H?MSG _INBOX\S+ .*err_code\":10023"),),
)
near_miss(
    "memory_within_the_limit",
    library("go", "memory_within_the_limit", DRIVER, SMALL),
    "A stream with a limit stays within the storage of the server",
    peer="go",
    thread="kyma-project/kyma#14475",
    shows="150 messages of 900 bytes into a stream in memory; the server has 64 KB.",
)

fault(
    "schedules_of_no_interest",
    library("go", "schedules_of_no_interest", DRIVER),
    "Messages are scheduled in a stream that keeps what consumers want",
    peer="go",
    kind="retention",
    thread="nats-io/nats-server#7408",
    shows="24 reminders, each 1.5 s ahead.",
    says="The stream reminders has retention interest, and no consumer wants the subjects "
    "reminders.later.* under which the schedules are stored: each is acknowledged and dropped at "
    "once, so no reminder ever comes due. A work queue or limits would keep them.",
    marks=(Mark(None, "client", rb"^HPUB reminders\.later\."),),
)
near_miss(
    "schedules_of_a_work_queue",
    library("go", "schedules_of_a_work_queue", DRIVER),
    "Messages are scheduled in a work queue",
    peer="go",
    thread="nats-io/nats-server#7408",
    shows="24 reminders, each 1.5 s ahead.",
)

fault(
    "worker_of_its_own_name",
    library("js", "worker_of_its_own_name", DRIVER),
    "The second worker of a work queue makes a consumer of its own",
    peer="js",
    kind="work queues",
    thread="nats-io/nats.node#461, #566",
    shows="60 scenes and two workers.",
    says="renders is a work queue, which has one consumer for each subject: the consumer render-b "
    "is refused (10099) each time, and the second worker gets nothing as long as it runs. Workers "
    "have to share one consumer.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.\S+\.renders\.render-b\S* "),),
)
near_miss(
    "workers_of_one_name",
    library("js", "workers_of_one_name", DRIVER),
    "Two workers of a work queue share a consumer",
    peer="js",
    thread="nats-io/nats.node#461",
    shows="60 scenes and two workers.",
)

fault(
    "dead_mails_kept",
    library("js", "dead_mails_kept", DRIVER),
    "Messages that were delivered for the last time fill a stream",
    peer="js",
    kind="retention",
    thread="nats-io/nats-server#4998",
    shows="75 mails, of which each fourth can never be sent.",
    says="The consumer mailer refuses an invalid mail three times (max_deliver 3), and after that "
    "it stays in the stream: retention interest removes what is acknowledged or terminated. After "
    "twelve of them (max_msgs, discard new) all further mails are refused.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.mails\.mailer\.3\..*-NAK"),),
)
near_miss(
    "dead_mails_ended",
    library("js", "dead_mails_ended", DRIVER),
    "Messages that were delivered for the last time are terminated",
    peer="js",
    thread="nats-io/nats-server#4998",
    shows="75 mails, of which each fourth can never be sent.",
)

fault(
    "consumer_of_each_deployment",
    library("js", "consumer_of_each_deployment", DRIVER),
    "Each deployment leaves a consumer",
    peer="js",
    kind="life of a consumer",
    thread="hephaestus-build/Hephaestus#1456",
    shows="Four deployments of an indexer, one after the other.",
    says="Each deployment makes a durable consumer with its build in the name, without an "
    "inactive_threshold, and leaves it: the stream pages, whose retention is interest, keeps all "
    "pages for consumers that no program will ever use again.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.\S+\.pages\.indexer-\S* .*durable"),),
)
near_miss(
    "consumer_ends_with_deployment",
    library("js", "consumer_ends_with_deployment", DRIVER),
    "Each deployment deletes its consumer",
    peer="js",
    thread="hephaestus-build/Hephaestus#1456",
    shows="Four deployments of an indexer, one after the other.",
)

fault(
    "lead_taken_by_the_error",
    library("py", "lead_taken_by_the_error", DRIVER),
    "The lead is taken with the revision that a refusal names",
    peer="py",
    kind="locks and leases",
    thread="nats-io/nats.rs#1221",
    shows="Two nodes, and a key that says which of them leads.",
    says="When its update of leader is refused (wrong last sequence: N), a node updates again at "
    "once with N from the error text, without reading who leads: each update takes the lead from "
    "the other node, and both take themselves for the leader.",
    marks=(Mark(None, "client", rb"^HPUB \$KV\.election\.leader .*Sequence: [1-9]"),),
)
near_miss(
    "lead_waited_for",
    library("py", "lead_waited_for", DRIVER),
    "A node that does not lead reads who leads",
    peer="py",
    thread="nats-io/nats.rs#1221",
    shows="Two nodes, and a key that says which of them leads.",
)

fault(
    "limit_of_a_subject_replaces",
    library("py", "limit_of_a_subject_replaces", DRIVER),
    "A limit for each subject replaces what it was to refuse",
    peer="py",
    kind="limits of storage",
    thread="nats-io/nats.py#599, nats-io/nats-server#2314",
    shows="48 jobs of five customers; one open job for each is wanted.",
    says="The stream jobs has max_msgs_per_subject 1 and discard new, but not "
    "discard_new_per_subject: the limit of a subject then removes the older message, so each new "
    "job of a customer silently replaces the one that waits, and none is refused.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.CREATE\.jobs"),),
)
near_miss(
    "limit_of_a_subject_refuses",
    library("py", "limit_of_a_subject_refuses", DRIVER),
    "A limit for each subject refuses",
    peer="py",
    thread="nats-io/nats.py#599",
    shows="48 jobs of five customers; one open job for each is wanted.",
)

fault(
    "published_to_no_interest",
    library("py", "published_to_no_interest", DRIVER),
    "Messages are published to a stream of interest before it has a consumer",
    peer="py",
    kind="retention",
    thread="nats-io/jetstream#314, nats-io/nats-server#4878",
    shows="36 orders, 22 of them before the warehouse makes its consumer.",
    says="orders has retention interest and no consumer yet, so the first 22 orders are "
    "acknowledged and dropped; the consumer warehouse, which asks for all, begins after them. The "
    "consumer has to be there before the first message.",
    marks=(Mark(0, "client", rb"^PUB orders\.placed ", most=22),),
)
near_miss(
    "published_to_a_consumer",
    library("py", "published_to_a_consumer", DRIVER),
    "Messages are published to a stream of interest that has a consumer",
    peer="py",
    thread="nats-io/jetstream#314",
    shows="36 orders, 22 of them before the warehouse reads.",
)

fault(
    "start_in_the_old_stream",
    library("py", "start_in_the_old_stream", DRIVER),
    "A reader goes on at a sequence that the new stream does not have yet",
    peer="py",
    kind="sequences across restarts",
    thread="nats-io/nats-server#4174",
    shows="A stream that is deleted and made again, and a reader that keeps its sequence.",
    says="projection kept sequence 60 of the stream audit, which was deleted and made again and "
    "has some three messages: its consumer starts at 61, so the first 60 events of the new stream "
    "are never projected. It has to notice that last_seq is smaller.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.\S+\.audit\.projection-[1-9].*start"),
    ),
)
near_miss(
    "start_in_the_new_stream",
    library("py", "start_in_the_new_stream", DRIVER),
    "A reader notices that its stream was made again",
    peer="py",
    thread="nats-io/nats-server#4174",
    shows="A stream that is deleted and made again, and a reader that keeps its sequence.",
)

fault(
    "work_queue_as_source",
    library("py", "work_queue_as_source", DRIVER),
    "A stream that was to copy a work queue takes its messages",
    peer="py",
    kind="mirrors and sources",
    thread="nats-io/nats.docs#715, nats-io/nats-architecture-and-design#423",
    shows="A work queue, its worker, and a second stream with the first as its source.",
    says="audit has the work queue jobs as its source, and sourcing counts as consuming: jobs go "
    "to audit and are removed from the queue, and the worker goes on to pull and gets few of them "
    "or none. A stream of limits or interest may be copied.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.CREATE\.audit"),),
)
near_miss(
    "kept_stream_as_source",
    library("py", "kept_stream_as_source", DRIVER),
    "A stream copies one that keeps its messages",
    peer="py",
    thread="nats-io/nats.docs#715",
    shows="A stream, its worker, and a second stream with the first as its source.",
)

fault(
    "source_made_again",
    library("py", "source_made_again", DRIVER),
    "The source of a stream is deleted and made again",
    peer="py",
    kind="mirrors and sources",
    thread="nats-io/nats-server#8346, #4174",
    shows="45 readings, a source that is made again, and 30 further readings.",
    says="site7 is deleted and made again, so its sequences begin at 1 again, while all-sites "
    "goes on to ask for what comes after 45: nothing more arrives in all-sites, and its lag is 0.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.DELETE\.site7"),),
)
near_miss(
    "source_purged",
    library("py", "source_purged", DRIVER),
    "The source of a stream is purged",
    peer="py",
    thread="nats-io/nats-server#8346",
    shows="45 readings, a source that is purged, and 30 further readings.",
)

fault(
    "inactive_while_it_works",
    library("java", "inactive_while_it_works", DRIVER),
    "A consumer is gone while its client works",
    peer="java",
    kind="life of a consumer",
    thread="nats-io/nats.java#777, nats-io/nats-server#5327",
    shows="50 bookings, and a report that takes 2.6 s for some of them.",
    says="The consumer of reports has an inactive_threshold of 1 s, and the client does not pull "
    "for 2.6 s: the server deletes the consumer. The client pulls on for a consumer that is gone "
    "(503 each time), gets nothing more, and never makes a new one.",
    marks=(Mark(None, "server", rb"^HMSG _INBOX\S+ .*NATS/1.0 503"),),
)
near_miss(
    "active_while_it_works",
    library("java", "active_while_it_works", DRIVER),
    "A consumer outlives the work of its client",
    peer="java",
    thread="nats-io/nats.java#777",
    shows="50 bookings, and a report that takes 2.6 s for some of them.",
)

fault(
    "rewound_by_an_update",
    library("java", "rewound_by_an_update", DRIVER),
    "A consumer is to go back by an update of its start",
    peer="java",
    kind="configuration of a consumer that cannot change",
    thread="nats-io/nats-server#3735, nats-nui/nui#12",
    shows="55 sales, and an accounting that wants to begin again.",
    says="accounting asks for its durable consumer with another deliver_policy and start, which "
    "cannot be updated: the server refuses it (10012) after each batch, and the client tries on "
    "and books on where it was. The consumer has to be deleted and made again.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.\S+accounting .*by_start_seq"),),
)
near_miss(
    "rewound_by_a_new_one",
    library("java", "rewound_by_a_new_one", DRIVER),
    "A consumer is deleted and made again with another start",
    peer="java",
    thread="nats-io/nats-server#3735",
    shows="55 sales, and an accounting that wants to begin again.",
)
