"""What the proposal of the wire protocol requires of peers, with the rules that hold it."""

from typing import Final

from streamshark.findings.requirement import Document, held, unseen

REQUIREMENTS: Final = (
    Document(
        "Streaming Service Wire Protocol",
        "pravega.io, the proposal, older than every release",
        (
            unseen(
                "Protocol",
                "All data is written in BigEndian format",
                "Other byte orders show as impossible lengths and types (PRV-P3, PRV-P4).",
            ),
            held("Protocol", "An integer (4 bytes) identifies the message type", "PRV-P4"),
            held(
                "Protocol",
                "Messages should be < 2^24, but the upper bits remain zero",
                "PRV-P3",
                "PRV-P3b",
            ),
            held(
                "Protocol",
                "How many bytes of data from this point forward are part of this message.",
                "PRV-P5",
                "PRV-Q1",
            ),
            held(
                "Protocol",
                '"requests" (messages from the client to the server) or "replies"',
                "PRV-P36",
            ),
            held(
                "Partial Message",
                "The whole message is reconstructed by reading the partial messages in sequence",
                "PRV-P53b",
                "PRV-P53c",
                "PRV-P53d",
            ),
            held(
                "Partial Message",
                "It is not valid to attempt to start a new partial message "
                "before completing the previous one.",
                "PRV-P53",
            ),
            unseen(
                "KeepAlive",
                "uninterpreted data of the length of the message",
                "Any data is allowed.",
            ),
            held(
                "Read Segment",
                "String (2 byte length, followed by that many bytes of Java's Modified UTF-8)",
                "PRV-P24",
            ),
            unseen(
                "Read Segment",
                "They won't necessarily get that much.",
                "Any length of a reply is allowed.",
            ),
            held(
                "Segment Read",
                "it then receives one or more replies in the form of SegmentRead messages.",
                "PRV-P16",
                "PRV-P17",
            ),
            held("Append Setup", "Segment that can be appended to.", "PRV-P15", "PRV-P14"),
            unseen(
                "Append Setup",
                "What was the last offset received and stored on this segment "
                "for this connectionId (0 if new)",
                "What a server has stored from earlier connections is inside it.",
            ),
            held(
                "BeginAppendBlock",
                "Only valid after SetupAppend has already been done successfully.",
                "PRV-P6",
                "PRV-P6b",
                "PRV-P52",
            ),
            held("BeginAppendBlock", "Length of data before EndAppendBlock message", "PRV-P55b"),
            held("EndAppendBlock", "Data written so far over this connection", "PRV-P58"),
            held("EndAppendBlock", "Total size of the block that was written.", "PRV-P55"),
            held("Event", "Only valid inside of a block", "PRV-P54"),
            held(
                "Data Appended",
                "The highest offset before which all data is successfully stored",
                "PRV-P59",
            ),
            held("Appending", "Waits for the Append Setup reply.", "PRV-P52"),
            held(
                "Appending", "Send as many messages as can fit in the block", "PRV-P57", "PRV-P55b"
            ),
            held("Appending", "Send an EndEventBlock request", "PRV-P56", "PRV-P57"),
            unseen(
                "Appending",
                "the server will be periodically sending it DataAppended replies",
                "No time is given; what stays unacknowledged is named (PRV-P13).",
            ),
        ),
    ),
)
"""Printed to docs/findings/pravega_requirements.md."""
