"""How to mend what each rule finds: for `check --explain-rule` and the page of rules.

An id without its letter is for all meanings of a rule that have no line of their own.
"""

from typing import Final

_FIXES: Final = {
    "NATS-N1b": "Read INFO, send CONNECT, then other commands.",
    "NATS-N23": "Point the other program to its own port, such as the monitoring port for HTTP.",
    "NATS-N17": "Open a new connection for other options.",
    "NATS-N18": "Start TLS after INFO says tls_required, before CONNECT.",
    "NATS-N2": "Write the number of bytes of the payload, without its CRLF.",
    "NATS-N2b": "Check the size of the message before these bytes.",
    "NATS-N2c": "Write the arguments in their order, with one blank between them and none inside.",
    "NATS-N3": "Begin the block with NATS/1.0, end each line with CRLF and the block with an empty "
    "line, and count all of it as the header size.",
    "NATS-N4": "Set headers to true in CONNECT, and use PUB if INFO does not offer headers.",
    "NATS-N5": "Compare the size with max_payload of INFO before publishing; split larger ones.",
    "NATS-N10": "Shorten the subject, or raise max_control_line of the server.",
    "NATS-N11": "Publish to a subject without wildcards and empty tokens.",
    "NATS-N15": "Write the options of CONNECT as a JSON object with the types of the document.",
    "NATS-N12": "Take sids from a counter that never goes back.",
    "NATS-N7": "Answer PING with PONG from the reading loop, which no handler may block.",
    "NATS-N9": "Read the text of -ERR; the command before it is usually the one that it is about.",
    "NATS-N9b": "Give the user the permission for the subject, or correct the subject.",
    "NATS-N24b": "Read the description, and change the request that it names.",
    "NATS-N24d": "Check the stream's limits; publish again only after the cause is gone.",
    "NATS-N26": "Publish an empty message to the reply subject of each flow control status.",
    "NATS-N27": "Multiply seconds by 1,000,000,000 before writing a duration.",
    "NATS-N28": "Acknowledge with +ACK or an empty payload; reject with -NAK or +TERM.",
    "NATS-N29": "Use a new Nats-Msg-Id for each message.",
    "NATS-N30": "Derive the Nats-Msg-Id from the message, so that different ones differ.",
    "NATS-N6": "Keep the subscription until its last message has come.",
    "NATS-N14": "Start the responder before its requesters, and check for status 503.",
    "NATS-N25": "Read the status of the pull request, and create the consumer again if it is gone.",
    "NATS-N25c": "Keep batch, expires and max_bytes within the limits of the consumer.",
    "NATS-N16": "Acknowledge within ack_wait, or send +WPI while working.",
    "NATS-N21": "Read from the socket in a thread of its own, and bound the work for each message.",
    "NATS-N19": "Unsubscribe with the sid of SUB.",
    "NATS-N31": "Treat the end of reading as the end of the connection, and connect again.",
    "NATS-N13": "Use TLS, and nkeys or JWTs instead of passwords.",
    "NATS-N20": "Connect to another server of the cluster, such as one of connect_urls.",
    "NATS-N24": "Create the stream or consumer first, or correct its name.",
    "NATS-N24c": "Read the last sequence again, and publish with it as expected sequence.",
    "NATS-N32": "Sign the nonce of INFO with the seed, and write the signature as sig in CONNECT.",
    "NATS-B1": "Read the error's description, correct the request, and wait longer before each "
    "attempt.",
    "NATS-B2": "Treat status 503 as a failure: start the responder or create the stream, and wait "
    "before the next attempt.",
    "NATS-B3": "Read -ERR, and correct the command or the options of CONNECT before the next "
    "attempt.",
    "NATS-B4": "Set expires in the pull request, and leave no_wait out.",
    "NATS-B5": "Keep the answer instead of requesting it before each step.",
    "NATS-B6": "Set max_deliver and backoff of the consumer, and end a message that cannot be "
    "processed with +TERM.",
    "NATS-B7": "Use one consumer for all reads; delete others, or set their inactive_threshold.",
    "NATS-B8": "Set echo to false in CONNECT, or publish to another subject.",
    "NATS-B9": "Keep one connection open for all tasks.",
    "NATS-B10": "Subscribe once to the inbox prefix with a wildcard, and match replies by their "
    "last token.",
    "NATS-B11": "Send UNSUB with max_msgs 1 right after SUB, or UNSUB once the reply has arrived.",
    "NATS-B12": "Unsubscribe the earlier sid before subscribing again.",
    "NATS-B13": "Use the same durable_name at each start, and delete the consumers that are left.",
    "NATS-B14": "Fetch fewer messages at once, raise ack_wait, or send +WPI while working.",
    "NATS-B15": "Acknowledge or reject every message, or raise max_ack_pending of the consumer.",
    "NATS-B16": "Create an ordered consumer again with opt_start_seq at the missing message; with "
    "other consumers wait for its redelivery.",
    "NATS-B17": "Publish an empty message to the subject in Nats-Consumer-Stalled, and to the "
    "reply subject of each flow control request.",
    "NATS-B18": "Use the same configuration in all programs, or a durable_name for each.",
    "NATS-B19": "Set deliver_group of the consumer, and subscribe with it as queue group.",
    "NATS-B20": "Make the requester's timeout longer than the service needs.",
    "NATS-B21": "Send SUB for the reply subject before the request.",
    "NATS-B22": "Set a larger batch in the pull request.",
    "NATS-B23": "Publish many messages before each flush.",
    "NATS-B24": "Read the messages through a consumer, or set batch in a direct get.",
    "NATS-B25": "Publish without waiting, limit the outstanding acks, and check each of them.",
    "NATS-B26": "Acknowledge in one place: in the program, or in the library (automatic "
    "acknowledgement).",
    "NATS-B27": "Subscribe to the inbox prefix of the client before its first request.",
    "NATS-B28": "Create the consumer again when two idle heartbeats are missing.",
    "NATS-B29": "Subscribe to $JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.> to learn of such "
    "messages; raise max_deliver if later attempts can succeed.",
    "NATS-B30": "Acknowledge each message, or create the consumer with ack_policy none.",
    "NATS-B31": "Send no acks, or create the consumer with ack_policy explicit.",
    "NATS-B32": "Acknowledge each message once it is processed, fetch fewer at once, or raise "
    "max_ack_pending.",
    "NATS-B33": "Send SUB for every subscription again after each reconnect.",
    "NATS-B34": "Set max_msgs of UNSUB after a reconnect to the number of messages that are left.",
    "NATS-B35": "Set opt_start_seq to the stream sequence of the last message plus 1.",
    "NATS-B36": "Subscribe to deliver_subject before creating the consumer, and compare the "
    "spelling of both.",
    "NATS-B37": "Publish a reply to the reply subject of each request, or publish without a reply "
    "subject if none is needed.",
    "NATS-B38": "Subscribe with the same queue group in all instances.",
    "NATS-B40b": "Check the tokens of both subjects.",
    "NATS-B42": "React to ldm in INFO: drain the connection, and connect to another server.",
    "NATS-B43": "Use one name of the queue group in all instances.",
    "NATS-B44": "Subscribe with the queue group in each instance.",
    "NATS-B55": "Subscribe with one queue group in all instances, if one of them is to process a "
    "message.",
    "NATS-B56": "Give each upload a new nuid, and publish the metadata after its last chunk, with "
    "what was really sent.",
    "NATS-B57": "Purge the subject of the old chunks after the new metadata is stored.",
    "NATS-B57b": "Purge the subject of the old chunks after each new metadata is stored.",
    "NATS-B45": "Publish the metadata after the last chunk, or purge the chunks of an upload that "
    "failed.",
    "NATS-B46": "Watch the key, or keep its value.",
    "NATS-B47": "Write a value only when it changes.",
    "NATS-B48": "Create the consumer again after each reconnect, from the message after the last.",
    "NATS-B49": "Request at most max_ack_pending messages, or raise it.",
    "NATS-B39": "Set verbose to false in CONNECT.",
    "NATS-B40": "Correct the subject; write * for one token, or > at the end for one or more.",
    "NATS-B12b": "Keep the sid of each subscription, and send UNSUB before subscribing again.",
    "NATS-B35c": "Create the consumer with opt_start_seq at the message after the last one "
    "received, or keep a durable consumer.",
    "NATS-B58": "Encode all messages of a subject in one format, or use a subject for each.",
    "NATS-B59": "Correct the filter; write * for one token, or > at the end for one or more.",
    "NATS-B60": "Subscribe with the consumer's deliver_group as queue group.",
    "NATS-B62": "Use one stream with a subject for each task or user.",
    "NATS-B62b": "Create the stream once, when it is deployed or when the program starts.",
    "NATS-B63": "Raise the ping interval of the client; check its unit.",
    "NATS-B64": "Subscribe before the publisher starts, or store the messages in a stream.",
    "NATS-B65": "Make the Nats-Msg-Id once for each message, and keep it for retries.",
    "NATS-B48b": "Send a new pull request after each reconnect, and when heartbeats are missing.",
    "NATS-B67": "Give each subject one stream, and republish without the reply subject.",
    "NATS-B68": "Delete a key with an empty message that has KV-Operation: DEL.",
    "NATS-B69": "Ask again with the next offset until offset + limit reaches total.",
    "NATS-B70": "Create the consumer with ack_policy explicit, or give each worker its own.",
    "NATS-N37": "Write the word as the payload: its length in the line, the word in the next one.",
    "NATS-N36": "Write DEL or PURGE, in capitals.",
    "NATS-N35": "Replace blanks in names before they become a part of a subject.",
    "NATS-B66": "Make a new reply subject for each request.",
    "NATS-N11b": "Name a subject below the subscribed pattern, a new one for each request.",
    "NATS-N33": "Set the header from the encoder that wrote the payload, or leave it out.",
    "NATS-N34": "Write * and > as whole tokens, and > only at the end.",
    "NATS-B41": "Write the line and the payload of a message with one call, or through a buffer.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
