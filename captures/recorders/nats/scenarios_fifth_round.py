"""Faults and near misses of the fifth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import Mark, fault, library, near_miss, restart

DRIVER = "fifth_round"
DROPS = rb'^PUB \$JS\.API\.STREAM\.UPDATE\.pages \S+ \d+\r\n(?!.*"allow_direct")'
"""An update without a setting that the stream has, or has lost."""


def restarted(peer: str, *pauses: float) -> Play:
    """A long play of a library, whose server is restarted after each of these pauses."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        thread = threading.Thread(
            target=lambda: facts.update(peers.drive(peer, "long_day", driver=DRIVER))
        )
        with peers.servers(STORED) as running:
            thread.start()
            for pause in pauses:
                time.sleep(pause)
                restart(running, 0.9)
            thread.join()
        return facts

    return play


fault(
    "discovery_in_a_queue_group",
    library("py", "discovery_in_a_queue_group", DRIVER),
    "Instances of a service answer discovery in a queue group",
    peer="py",
    kind="mismatch between sides",
    thread="nats-io/nats.net#307",
    shows="Three instances of a service, made without the library's services.",
    says="The three instances of calc subscribe $SRV.PING, $SRV.INFO and $SRV.STATS in the queue "
    "group q, as their endpoint: each question of the monitor reaches one of them only, so it sees "
    "one instance where there are three.",
    marks=(Mark(None, "client", rb"^SUB \$SRV\.(PING|INFO|STATS)(\.calc)? q "),),
)

near_miss(
    "services_found",
    library("py", "services_found", DRIVER),
    "Three instances of a service answer discovery, and share the requests",
    peer="py",
    thread="nats-io/nats.net#307",
    shows="Three instances of a service, by nats.micro.",
)

fault(
    "subjects_overwritten",
    library("java", "subjects_overwritten", DRIVER),
    "Each of two services declares the stream they share with its own subjects alone",
    peer="java",
    kind="mismatch between sides",
    thread="micronaut-projects/micronaut-nats#422, nats-io/nats.java#571",
    shows="Three starts of each of two services.",
    says="STREAM.UPDATE of billing at each start of a service has the subjects of this service "
    "alone and takes away those of the other, whose publishes are then answered by 503 until it "
    "starts again itself.",
    marks=(
        Mark(None, "client", rb"^H?PUB \$JS\.API\.STREAM\.UPDATE\.billing "),
        Mark(None, "server", rb"^HMSG _INBOX\S+ .*NATS/1.0 503"),
    ),
)

near_miss(
    "subjects_merged",
    library("java", "subjects_merged", DRIVER),
    "Two services share a stream, and each adds its subjects to those that are there",
    peer="java",
    thread="micronaut-projects/micronaut-nats#422",
    shows="Three starts of each of two services.",
)

fault(
    "stale_pin",
    library("js", "stale_pin", DRIVER),
    "A client goes on pulling with a pin id that was taken from it",
    peer="js",
    kind="storms and loops",
    thread="nats-io/nats.net#1098, #1099, #1011",
    shows="Two clients of a pinned consumer, with pulls by hand.",
    says="runner-a slept and lost its pin to runner-b; each of its later pulls has the old id and "
    "is answered by 423, after which the id has to be cleared: it never gets a job again, even "
    "when runner-b is gone and jobs pile up.",
    marks=(
        Mark(None, "server", rb"^HMSG _INBOX\.runner-a .*NATS/1.0 423"),
        Mark(None, "client", rb'^PUB .*MSG\.NEXT\.jobs\.runner _INBOX\.runner-a.*"id"', skip=22),
    ),
)

near_miss(
    "pin_cleared",
    library("js", "pin_cleared", DRIVER),
    "A client that lost its pin clears the id, pulls without it, and is pinned again later",
    peer="js",
    thread="nats-io/nats.net#1011 (ADR-42)",
    shows="Two clients of a pinned consumer, with pulls by hand.",
)

fault(
    "batch_without_commit",
    library("go", "batch_without_commit", DRIVER),
    "Atomic batches are published and never committed",
    peer="go",
    kind="unanswered and abandoned",
    thread="nats-io/nats-architecture-and-design#430, synadia-io/orbit.go#78 (ADR-50)",
    shows="Eight batches of four messages, by hand.",
    says="The last message of each of eight batches lacks Nats-Batch-Commit; the empty answer is "
    "taken for an ack: nothing is stored.",
    marks=(Mark(None, "client", rb"^HPUB transfers\.receipt .*Nats-Batch-Sequence: *4"),),
)

near_miss(
    "batch_committed",
    library("go", "batch_committed", DRIVER),
    "Eight atomic batches are published and committed",
    peer="go",
    thread="nats-io/nats-architecture-and-design#430 (ADR-50)",
    shows="Eight batches of four messages, by hand.",
)

fault(
    "rollup_of_all",
    library("go", "rollup_of_all", DRIVER),
    "A rollup that is meant for one subject replaces the whole stream",
    peer="go",
    kind="second layer",
    thread="nats-io/nats-server#2585 (rollup of a subject or of the complete stream); the "
    "confusion is a variant of this repository",
    shows="72 changes of six devices, three of which are snapshots.",
    says="The snapshot of one device is published with Nats-Rollup: all instead of sub, so the "
    "server deletes the changes of the five other devices too.",
    marks=(Mark(None, "client", rb"^HPUB devices\.\S+ .*Nats-Rollup: *all"),),
)

near_miss(
    "rollup_of_subject",
    library("go", "rollup_of_subject", DRIVER),
    "The changes of a device are replaced by a snapshot of it",
    peer="go",
    thread="nats-io/nats-server#2585",
    shows="72 changes of six devices, three of which are snapshots.",
)

fault(
    "resumes_at_the_last_sequence",
    library("go", "resumes_at_the_last_sequence", DRIVER),
    "A source resumes at the message that it handled last",
    peer="go",
    kind="sequences",
    thread="risingwavelabs/risingwave#12073 (a source that keeps sequences itself)",
    shows="Six runs of a source of nine messages each.",
    says="Each run makes a consumer whose opt_start_seq is the sequence of the message that was "
    "acknowledged last, not the one after it: that message is delivered, handled and acknowledged "
    "again, once for each run.",
    marks=(
        Mark(None, "client", rb'^PUB \$JS\.API\.CONSUMER\.CREATE\.clicks\S* .*"opt_start_seq"'),
    ),
)

near_miss(
    "resumes_after_the_last_sequence",
    library("go", "resumes_after_the_last_sequence", DRIVER),
    "A source resumes after the message that it handled last",
    peer="go",
    thread="risingwavelabs/risingwave#12073",
    shows="Six runs of a source of nine messages each.",
)

fault(
    "lock_never_taken_again",
    library("py", "lock_never_taken_again", DRIVER),
    "A key that was deleted is created with revision 0 again and again",
    peer="py",
    kind="storms and loops",
    thread="nats-io/nats-server#3895, nats-io/nats.deno#482",
    shows="Two programs that take a lock, with creates by hand.",
    says="After the lock was deleted its last message is the delete marker, so a create that "
    "expects revision 0 is refused (10071); the programs repeat it for ever instead of creating "
    "after the marker's revision: the lock is taken once and never again.",
    marks=(
        Mark(
            None,
            "client",
            rb"^HPUB \$KV\.locks\.nightly .*Nats-Expected-Last-Subject-Sequence: *0",
            skip=1,
            across=True,
        ),
    ),
)

near_miss(
    "lock_taken_again",
    library("py", "lock_taken_again", DRIVER),
    "A key that was deleted is created after its delete marker",
    peer="py",
    thread="nats-io/nats.deno#482",
    shows="Two programs that take a lock, with creates by hand.",
)

fault(
    "update_drops_settings",
    library("py", "update_drops_settings", DRIVER),
    "An update of a stream drops the settings that the client does not know",
    peer="py",
    kind="mismatch between sides",
    thread="nats-io/nats.ex#162",
    shows="Six updates of a stream, by hand.",
    says="The job reads the configuration, changes max_age and sends STREAM.UPDATE with the "
    "members it knows: allow_direct and allow_rollup_hdrs are missing and become false, and the "
    "readers' DIRECT.GET requests are answered by 503.",
    marks=(
        Mark(None, "client", DROPS, most=1),
        Mark(None, "client", DROPS, skip=3, most=1),
    ),
)

near_miss(
    "update_keeps_settings",
    library("py", "update_keeps_settings", DRIVER),
    "An update of a stream sends back all settings that it read",
    peer="py",
    thread="nats-io/nats.ex#162",
    shows="Six updates of a stream, by hand.",
)

fault(
    "naks_at_once",
    library("js", "naks_at_once", DRIVER),
    "Messages are refused without a delay until no delivery is left",
    peer="js",
    kind="limits about to be met",
    thread="hmchangw/newchat#346, kyma-project/kyma#13625",
    shows="A worker whose database is away for a second twice.",
    says="The database is away for a second twice; the worker refuses each message by -NAK without "
    "a delay, so all five deliveries (max_deliver 5) are used up within milliseconds, and these "
    "messages are never delivered again, though the database is back soon.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.inbox\.worker\.5\.\S+ +4\r\n-NAK"),),
)

near_miss(
    "naks_with_pause",
    library("js", "naks_with_pause", DRIVER),
    "Messages are refused with a delay while the database is away",
    peer="js",
    thread="hmchangw/newchat#346",
    shows="A worker whose database is away for a second twice.",
)

fault(
    "object_name_without_padding",
    library("js", "object_name_without_padding", DRIVER),
    "A reader of an object store asks for names in base64 without padding",
    peer="js",
    kind="mismatch between sides",
    thread="nats-io/nats.deno#489",
    shows="14 objects that one program puts and another looks for by hand.",
    says="The object store keeps the metadata of photo-3.jpg under $O.photos.M. with the name in "
    "base64url with its padding (cGhvdG8tMy5qcGc=); gallery asks for the name without it, is "
    "answered 404 each time and gives up after three: only names whose length is a multiple of "
    "three are found.",
    marks=(
        Mark(
            None,
            "client",
            rb'"last_by_subj":"\$O\.photos\.M\.([^"]{4})*[^"]{2,3}"',
        ),
    ),
)

near_miss(
    "object_name_padded",
    library("js", "object_name_padded", DRIVER),
    "A reader of an object store asks for names in padded base64",
    peer="js",
    thread="nats-io/nats.deno#489",
    shows="14 objects that one program puts and another looks for by hand.",
)

fault(
    "star_inside_a_token",
    library("js", "star_inside_a_token", DRIVER),
    "A subscription has a star inside a token",
    peer="js",
    kind="mismatch between sides",
    thread="docs of NATS (wildcards of subjects are whole tokens); a variant of this repository",
    shows="40 orders of three regions, and two subscribers.",
    says="The statistics program subscribes orders.eu-*, where the star is a letter and no "
    "wildcard: of the orders published to orders.eu-west and orders.eu-north it never gets one.",
    marks=(Mark(None, "client", rb"^SUB orders\.eu-\* "),),
)

fault(
    "connection_per_message",
    library("js", "connection_per_message", DRIVER),
    "A connection for each message",
    peer="js",
    kind="waste",
    thread="nats-io/nats.js (one connection for a program); the loop is a variant of this "
    "repository",
    shows="40 messages on 40 connections.",
    says="For each of 40 messages web-handler connects, publishes it, waits for the PONG and "
    "closes.",
    marks=(Mark(None, "client", rb'^CONNECT .*"web-handler"', skip=1, across=True),),
)

near_miss(
    "long_day_go",
    restarted("go", 10, 9),
    "A program of many parts, whose workers come and go and whose server is restarted twice",
    peer="go",
    thread="nats-io/nats.go (examples)",
    shows="Half a minute of publishes, consumers, a service, a key-value watch and an ordered "
    "consumer, by the packages jetstream and micro.",
)

near_miss(
    "long_day_rust",
    restarted("rust", 12),
    "A program whose server is restarted once, and its worker four times",
    peer="rust",
    thread="nats-io/nats.rs (examples)",
    shows="Half a minute of publishes, a pull consumer, requests and a key-value watch.",
)
