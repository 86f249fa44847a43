"""Scenarios played by the real clients against real servers."""

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import (
    APART,
    GO,
    OLD,
    OLD_GO,
    PYTHON,
    THREE,
    Facts,
    scenario,
)


@scenario(
    "Streams are made, asked for and deleted",
    peer=GO,
    healthy=True,
    shows="Every option of a stream, metadata of all and of one that is not there, refusals of "
    "names and subjects; the server begins before it: NATS inside, activity and cursor streams.",
)
def streams_go() -> Facts:
    return plays(GO, "streams")


@scenario(
    "Publishes with every ack policy",
    peer=GO,
    healthy=True,
    server=APART,
    shows="PublishAsync, unary Publish and PublishToSubject, acks of the leader, of all and none, "
    "keys, headers (one empty), two partitions.",
)
def publishes_go() -> Facts:
    return plays(GO, "publishes")


@scenario(
    "Subscriptions from every start",
    peer=GO,
    healthy=True,
    shows="Earliest, latest, new only, by offset, by time; up to an offset and to the latest; "
    "refusals of a stream that is not there and of a stop before the start.",
)
def subscribes_go() -> Facts:
    return plays(GO, "subscribes")


@scenario(
    "Cursors",
    peer=GO,
    healthy=True,
    shows="A cursor is set, fetched, and asked for where there is none; the stream of cursors.",
)
def cursors_go() -> Facts:
    return plays(GO, "cursors")


@scenario(
    "Pause, resume and read-only",
    peer=GO,
    healthy=True,
    shows="A partition is paused and woken by a publish, all are made read-only, a publish is "
    "refused, one is made writable again.",
)
def switches_go() -> Facts:
    return plays(GO, "switches")


@scenario(
    "Optimistic concurrency",
    peer=GO,
    healthy=True,
    shows="Publishes with the offset that they expect, and one with -1.",
)
def optimistic_go() -> Facts:
    return plays(GO, "optimistic")


@scenario(
    "A consumer group",
    peer=GO,
    healthy=True,
    shows="Joining, assignments, subscriptions as a member, checkpoints by cursors, leaving.",
)
def groups_go() -> Facts:
    return plays(GO, "groups")


@scenario(
    "Publishes from NATS itself",
    peer=GO,
    healthy=True,
    server=APART,
    shows="Plain messages, one with headers, one with a reply subject, an empty one; envelopes by "
    "NewMessage with an ack inbox of the client's own; a message of no stream.",
)
def plain_go() -> Facts:
    return plays(GO, "plain")


@scenario(
    "Three servers replicate a stream",
    peer=GO,
    healthy=True,
    server=THREE,
    shows="Raft over NATS from the start, joining, propagation, replication to two followers, "
    "acks of all, pause and read-only of a replicated stream.",
)
def replicated_go() -> Facts:
    return plays(GO, "replicated")


@scenario(
    "The leader of a stream ends",
    peer=GO,
    healthy=True,
    server=THREE,
    shows="A server is killed; its followers report it, another becomes the leader, epochs and "
    "offsets are asked for; the client tries to go on.",
)
def failover_go() -> Facts:
    return plays(GO, "failover")


@scenario(
    "Streams by python-liftbridge",
    peer=PYTHON,
    healthy=True,
    server=APART,
    shows="The API of 2020: a stream is made twice, messages by stream and by subject, read again. "
    "The client asks for no acks.",
)
def basics_py() -> Facts:
    return plays(PYTHON, "basics")


@scenario(
    "The layout of 2019",
    peer=OLD_GO,
    healthy=True,
    server=OLD,
    shows="The first release: LIFT before the message, acks and server messages without envelope, "
    "another numbering of fields.",
)
def old_layout_go() -> Facts:
    return plays(OLD_GO, "old")
