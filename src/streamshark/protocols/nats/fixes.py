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
    "NATS-N16": "Acknowledge within ack_wait, or send +WPI while working.",
    "NATS-N21": "Read from the socket in a thread of its own, and bound the work for each message.",
    "NATS-N19": "Unsubscribe with the sid of SUB.",
    "NATS-N31": "Treat the end of reading as the end of the connection, and connect again.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
