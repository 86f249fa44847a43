"""Clients and servers that misbehave: old bugs, made again by small clients."""

import struct
import time

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import APART, BUS, GO, OLD_GO, RAW, Facts, scenario
from captures.recorders.liftbridge.wire import Peer, envelope, member, publish, replication

TOPIC = "liftbridge-default.trades.0"
REQUEST = member(1, "lift-2") + member(2, -1) + member(3, 2)


@scenario(
    "Publishes without a deadline (issue 347)",
    peer=GO,
    healthy=False,
    shows="The API's own stub calls Publish with the policy all and no deadline: three answers "
    "without an ack, whatever became of the messages.",
    faults={"LFB-L20": "acks are wanted and do not come"},
)
def bug_no_deadline_go() -> Facts:
    return plays(GO, "forgets")


@scenario(
    "A stale offset, and one that was left out",
    peer=GO,
    healthy=False,
    server=APART,
    shows="Two publishes to a stream with optimistic concurrency: one expects an offset that is "
    "taken, one leaves it at 0. Both are refused.",
    faults={
        "LFB-L8": "acks with incorrect_offset",
        "LFB-L10": "an offset that was left out",
    },
)
def bug_stale_offset_go() -> Facts:
    return plays(GO, "stale")


@scenario(
    "A message that replication cannot carry (issue 305)",
    peer=GO,
    healthy=False,
    server=APART,
    large=65536,
    shows="70,000 bytes where clustering.replication.max.bytes is 65,536: an ack with too_large.",
    faults={"LFB-L8": "an ack with too_large"},
)
def bug_too_large_go() -> Facts:
    return plays(GO, "large")


@scenario(
    "A client of 2019 and a server of 2022",
    peer=OLD_GO,
    healthy=False,
    server=APART,
    shows="LIFT before messages for a stream: the server stores them as they are, no ack comes.",
    faults={"LFB-L5": "the layout of 2019"},
)
def bug_old_client_go() -> Facts:
    made = plays(GO, "publishes")
    return {"made": made["published"]} | plays(OLD_GO, "late")


@scenario(
    "Envelopes that no server takes, by hand",
    peer=RAW,
    healthy=False,
    server=APART,
    shows="On the subject of a stream: a wrong sum, a version that does not exist, a header that "
    "is too long for its flags, another type, a body that is cut off. The server stores all of "
    "them as they are.",
    faults={
        "LFB-L1": "a version that does not exist, a header that is too long for its flags",
        "LFB-L2": "a wrong sum",
        "LFB-L3": "an ack where publishes are read",
        "LFB-L4": "a body that is cut off",
    },
)
def bug_envelopes_by_hand() -> Facts:
    plays(GO, "publishes")
    body = publish(b"value", "my.acks", "1")
    with Peer("by hand") as peer:
        peer.subscribe("my.acks")
        for data in (
            envelope(0, body, flags=1, length=12, more=b"\1\2\3\4"),
            envelope(0, body, version=1),
            envelope(0, body, length=12),
            envelope(1, body),
            envelope(0, body[:-2]),
        ):
            peer.send("news", data)
        peer.send("news", envelope(0, body))
        peer.message()
    return {}


@scenario(
    "An ack that cannot come, by hand",
    peer=RAW,
    healthy=False,
    server=APART,
    shows="Publishes that want an ack and name no inbox.",
    faults={"LFB-L6": "no inbox"},
)
def bug_no_inbox_by_hand() -> Facts:
    plays(GO, "publishes")
    with Peer("by hand") as peer:
        peer.send("news", envelope(0, publish(b"value", identity="1", policy=1)))
        guilty = [peer.blame("LFB-L6")]
        peer.send("news", envelope(0, publish(b"value", identity="2", policy=2)))
    return {"guilty": guilty}


@scenario(
    "Two leaders of one partition, by hand",
    peer=RAW,
    healthy=False,
    server=BUS,
    shows="Two servers answer the requests of a follower in one epoch; the second has a lower high "
    "watermark, and answers another one in an epoch that is not the follower's.",
    faults={
        "LFB-L12": "a second leader in one epoch; an answer of another epoch (pull request 183)",
    },
)
def bug_two_leaders_by_hand() -> Facts:
    with Peer("first") as first, Peer("second") as second, Peer("follower") as follower:
        first.subscribe(f"{TOPIC}.replicate")
        second.subscribe(f"{TOPIC}.replicate")
        guilty = []
        for number, (leader, epoch) in enumerate(((first, 2), (second, 2), (first, 3))):
            follower.subscribe(f"_INBOX.{number}")
            follower.send(f"{TOPIC}.replicate", envelope(2, REQUEST), f"_INBOX.{number}")
            for each in (first, second):
                each.message()
            leader.send(f"_INBOX.{number}", envelope(3, replication(epoch, 7)))
            follower.message()
            if number:
                guilty.append(leader.blame("LFB-L12"))
    return {"guilty": guilty}


@scenario(
    "A new leader truncates what was committed (issue 38), by hand",
    peer=RAW,
    healthy=False,
    server=BUS,
    shows="A follower with a high watermark of 9 asks the new leader for the end of its epoch and "
    "is told 4; then a response whose records are out of order, and one that is too short.",
    faults={
        "LFB-L16": "an end below the high watermark",
        "LFB-L13": "records out of order; a response of 9 bytes",
    },
)
def bug_truncation_by_hand() -> Facts:
    record = struct.pack(">qqQI", 5, 1, 2, 16) + bytes.fromhex("aee6ed8c0100ffffffffffffffff0000")
    earlier = struct.pack(">qqQI", 4, 1, 2, 16) + record[28:]
    with Peer("leader") as leader, Peer("follower") as follower:
        for topic in ("replicate", "offset"):
            leader.subscribe(f"{TOPIC}.{topic}")
        plan = (
            ("replicate", 2, REQUEST, 3, replication(2, 9)),
            ("offset", 6, member(1, 2), 7, member(1, 4)),
            ("replicate", 2, REQUEST, 3, replication(2, 9, record, earlier)),
            ("replicate", 2, REQUEST, 3, bytes(9)),
        )
        guilty = []
        for number, (topic, asked, question, key, answer) in enumerate(plan):
            follower.subscribe(f"_INBOX.{number}")
            follower.send(f"{TOPIC}.{topic}", envelope(asked, question), f"_INBOX.{number}")
            leader.message()
            leader.send(f"_INBOX.{number}", envelope(key, answer))
            follower.message()
            if number > 1:
                guilty.append(leader.blame("LFB-L13"))
    return {"guilty": guilty}


@scenario(
    "A leader that does not answer, and a cluster of two seeds, by hand",
    peer=RAW,
    healthy=False,
    server=BUS,
    shows="A request for messages that is dropped; two servers that both call themselves the first "
    "one; the same report of a leader three times (issues 322, 354, 414).",
    faults={
        "LFB-L14": "no answer within three seconds",
        "LFB-L18": "two seeds",
        "LFB-L17": "the same report again; the metadata leader refuses",
    },
)
def bug_silent_leader_by_hand() -> Facts:
    report = member(1, 2) + member(4, member(1, "trades") + member(3, "lift-2"))
    refusal = member(1, 2) + member(2, member(1, 9) + member(2, "leader generation mismatch"))
    with Peer("leader") as leader, Peer("follower") as follower:
        leader.subscribe(f"{TOPIC}.replicate")
        leader.subscribe("liftbridge-default.raft.metadata.>")
        follower.send(f"{TOPIC}.replicate", envelope(2, REQUEST), "_INBOX.0")
        guilty = [follower.blame("LFB-L14")]
        leader.message()
        for number in range(3):
            subject = "liftbridge-default.raft.metadata.propagate"
            follower.send(subject, envelope(8, report), f"_INBOX.r{number}")
            while leader.message()[0] != subject:
                pass
            leader.send(f"_INBOX.r{number}", envelope(9, refusal))
            guilty += [leader.blame("LFB-L17")] if not number else []
            guilty += [follower.blame("LFB-L17")] if number == 1 else []
        leader.send("liftbridge-default.raft.metadata.bootstrap", b"lift-1")
        follower.send("liftbridge-default.raft.metadata.bootstrap", b"lift-2")
        time.sleep(3.5)
        follower.send("elsewhere", b"later")
    return {"guilty": guilty}


@scenario(
    "A reader that comes back one offset too late (issue 51)",
    peer=GO,
    healthy=False,
    server=APART,
    shows="A subscription ends at offset 2; the next one of the same client begins at 4.",
    faults={"LFB-L22": "offset 3 is passed over"},
)
def bug_reads_on_too_late_go() -> Facts:
    return plays(GO, "late")
