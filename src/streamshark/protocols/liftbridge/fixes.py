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
    "LFB-B1": "Read the status of the refusal, take the empty first message as success, and wait "
    "longer before each attempt.",
    "LFB-B2": "Keep the subscription open, and read further messages from it.",
    "LFB-B3": "Set startOffset to the offset of the last message plus 1.",
    "LFB-B4": "Call LeaveConsumerGroup before closing the connection.",
    "LFB-B5": "Subscribe with startPosition OFFSET and the offset of the last message plus 1.",
    "LFB-B6": "Give each consumer its own cursorId, and call SetCursor only when all earlier "
    "messages are processed.",
    "LFB-B7": "Give each consumer its own cursorId.",
    "LFB-B8": "Call FetchCursor before Subscribe, and begin at its offset plus 1.",
    "LFB-B9": "Call SetCursor after a batch of messages or every few seconds.",
    "LFB-B10": "Wait for the outstanding acks before closing the connection.",
    "LFB-B11": "Write a new correlationId into each message.",
    "LFB-B12": "Publish with PublishAsync, and match the acks by correlationId.",
    "LFB-B13": "Split the message, or raise clustering.replication.max.bytes on all servers.",
    "LFB-B14": "Use the keys or partitions of one stream instead of a stream for each purpose.",
    "LFB-B15": "Stop the publishers and subscribers of the stream before DeleteStream.",
    "LFB-B16": "Write retentionMaxAge in milliseconds.",
    "LFB-B17": "Give each member of the group its own consumerId.",
    "LFB-B18": "Call FetchConsumerGroupAssignments about three times in each consumer timeout.",
    "LFB-B19": "End all work of the consumer before LeaveConsumerGroup, or join the group again.",
    "LFB-B20": "Begin at the offset of the last message plus 1, or store the position with "
    "SetCursor.",
    "LFB-B37": "Keep the partition of each subscription, and restore all of them.",
    "LFB-B38": "Subscribe again after each reconnect, at the offset after the last message.",
    "LFB-B39": "Keep the start position until a message has been received.",
    "LFB-B40": "Use the same cursorId in SetCursor and FetchCursor, also after a restart.",
    "LFB-B41": "Choose a partition below the number of partitions, and fetch metadata again after "
    "a change.",
    "LFB-B45": "Keep the position of each partition by its number.",
    "LFB-B47": "Encode all messages of a stream in one format, or use a stream for each.",
    "LFB-B48": "Set the header from the encoder that wrote the value, or leave it out.",
    "LFB-B49": "Resume at the last offset plus 1, and set no deadline for Subscribe.",
    "LFB-B50": "Publish to the subject of the stream, or use Publish with its name.",
    "LFB-B20b": "Resume at the last offset plus 1, or at a cursor.",
    "LFB-B46": "Choose the partition by the key, with one hash function in all producers.",
    "LFB-B42": "Subscribe to each partition, or use a consumer group.",
    "LFB-B43": "Keep the metadata, and fetch it again after an error that says so.",
    "LFB-B44": "Use one consumerId for each instance, and call LeaveConsumerGroup at the end.",
    "LFB-B21": "Write startTimestamp and stopTimestamp in nanoseconds since 1970.",
    "LFB-B22": "Set stopOffset or stopTimestamp to a position after the start.",
    "LFB-B23": "Subscribe with startPosition OFFSET, and set startOffset to the fetched offset or "
    "the next one.",
    "LFB-B24": "Pass the offset of the last processed message to SetCursor, instead of a count of "
    "one's own.",
    "LFB-B25": "Send all messages in one call of PublishAsync.",
    "LFB-B26": "Read asyncError in each response of PublishAsync, remove its cause, and publish "
    "the message again.",
    "LFB-B27": "Stop the publishers before SetStreamReadonly, and check the error of each publish.",
    "LFB-B28": "Set the key of each message, or create the stream without compactEnabled.",
    "LFB-B29": "Set the partition of each message, such as from a hash of its key.",
    "LFB-B30": "Create the stream with optimisticConcurrencyControl set to true.",
    "LFB-B31": "Set minIsr to replicationFactor or less.",
    "LFB-B32": "Set segmentMaxBytes and segmentMaxAge below the limits of the retention.",
    "LFB-B51": "Set resume in Subscribe, and publish no message for it.",
    "LFB-B33": "Pause a stream only after its publishers have stopped.",
    "LFB-B34": "Subscribe as a member of the group, to the assigned partitions only.",
    "LFB-B35": "Subscribe to each assigned partition as soon as the assignments arrive.",
    "LFB-B36": "Keep the membership with FetchConsumerGroupAssignments instead of joining again.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
