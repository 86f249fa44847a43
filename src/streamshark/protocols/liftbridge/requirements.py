"""What the document of the envelopes requires of peers, with the rules that hold it."""

from typing import Final

from streamshark.findings.requirement import Document, held, unseen

_ENVELOPE: Final = "Liftbridge Envelope Header"

REQUIREMENTS: Final = (
    Document(
        "Liftbridge API",
        "README of liftbridge-io/liftbridge-api v1.9.0",
        (
            held(
                "Direct NATS API",
                "these messages will not have some features such as acks.",
                "LFB-L5b",
                "LFB-L6",
            ),
            held(
                "Direct NATS API",
                "the message must be prefixed with the following header and be "
                "encoded as a Message",
                "LFB-L1",
                "LFB-L4",
                "LFB-L5",
            ),
            held(
                _ENVELOPE,
                "All Liftbridge messages and RPCs sent over NATS are prefixed with an "
                "envelope header.",
                "LFB-L1",
                "LFB-L5",
                "LFB-L5b",
            ),
            held(_ENVELOPE, "The Liftbridge magic number is B9 0E 43 B4.", "LFB-L5"),
            held(
                _ENVELOPE,
                "the only supported protocol version is v0, i.e. 0x00.",
                "LFB-L1",
                "LFB-L5c",
            ),
            unseen(
                _ENVELOPE,
                "This should only be bumped if the envelope format changes",
                "A release decides it, not a peer on the wire.",
            ),
            held(
                _ENVELOPE,
                "Adding fields to the messages should not require a version bump.",
                "LFB-L4b",
            ),
            held(
                _ENVELOPE,
                "The header length is the offset of the payload.",
                "LFB-L1",
                "LFB-L1b",
                "LFB-L4",
            ),
            held(_ENVELOPE, "The flag bits are defined as follows:", "LFB-L1b"),
            held(
                _ENVELOPE,
                "the Liftbridge-specific message type the envelope contains",
                "LFB-L3",
                "LFB-L3b",
            ),
            held(_ENVELOPE, "Server-published ack", "LFB-L7", "LFB-L7b", "LFB-L7c", "LFB-L3b"),
            held(_ENVELOPE, "Response to ReplicationRequest", "LFB-L13", "LFB-L14"),
            held(_ENVELOPE, "Request forwarded to metadata leader", "LFB-L17"),
            held(
                _ENVELOPE,
                "The CRC-32C (Castagnoli) is the checksum of the payload (i.e. from "
                "HeaderLen to the end).",
                "LFB-L2",
            ),
        ),
    ),
)
"""Printed to docs/findings/liftbridge_requirements.md."""
