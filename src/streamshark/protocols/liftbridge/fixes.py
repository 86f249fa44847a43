"""How to mend what each rule finds: for `check --explain-rule` and the page of rules.

An id without its letter is for all meanings of a rule that have no line of their own.
"""

from typing import Final

_FIXES: Final = {
    "LFB-L1": "Write version 0 and a header length of 8, or of 12 with a checksum.",
    "LFB-L1b": "Set flag 1 only with a checksum, and a header length of 12 then.",
    "LFB-L2": "Compute CRC-32C over the bytes after the header, and write it big-endian.",
    "LFB-L3": "Use a message type of the peer's release.",
    "LFB-L3b": "Send each message type to its own subject.",
    "LFB-L4": "Encode the message with api.proto of the peer's release.",
    "LFB-L5": "Begin the envelope with b9 0e 43 b4.",
    "LFB-L5c": "Upgrade the client to one for v1.0.0 or later.",
    "LFB-L6": "Set ackInbox of the message, and subscribe to it before publishing.",
    "LFB-L7b": "Use an ack inbox for each publisher, and keep the ids until the acks come.",
    "LFB-L8": "Read the ack's error; do not repeat a message that is too large.",
    "LFB-L10": "Set expectedOffset to -1 for none, or to the next offset.",
    "LFB-L11": "Keep messages below replication.max.bytes and max_payload.",
    "LFB-L20": "Give the call a deadline (grpc-timeout), up to which the server waits for the ack.",
    "LFB-L17": "Ask again after the leader is known: the partition has a new one.",
    "LFB-L18": "Set raft.bootstrap.seed on one server of a cluster only.",
    "LFB-L19": "Wait for the empty message before publishing what the subscriber must see.",
    "LFB-L22": "Resume at the offset after the last message that was processed.",
    "LFB-L21": "Fetch the assignments more often than the consumer timeout.",
    "LFB-L21b": "Use the epoch of the last assignments in a subscription.",
    "LFB-L14": "Check whether the leader is alive, and which epoch each server has.",
    "LFB-L12": "Check the network between the servers; restart the one that is behind.",
    "LFB-L7": "Wait for the ack with a timeout, and publish again; check that a server leads.",
    "LFB-L9": "Check which server leads, and whether a log was truncated.",
    "LFB-L13": "Use servers of one release in a cluster.",
    "LFB-L15": "Give the follower more bandwidth, or raise replica.max.lag.time.",
    "LFB-L16": "Set minISR to more than 1, so that committed messages survive a leader.",
    "LFB-L23": "Raise the idle wait of followers (replica.max.idle.wait).",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
