"""What a connection agrees: all of it is said by the client's SETUP, or by its RESUME.

A resumed connection keeps what the SETUP of its session said, which is in another connection,
found by the token; but for leases, which begin anew. The data of a stream may be of another type,
which its metadata says.

Source: Protocol.md, "SETUP Frame" and "Resume Operation"; Extensions/PerStreamDataMimeTypes
Definition.md.
"""

import re
from typing import Final

from streamshark.framing.wire_format import NegotiatedValue, Parity, Resumption, StreamTypes
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA
from streamshark.protocols.rsocket.mime_types import ACCEPT_MIME_TYPES, DATA_MIME_TYPE
from streamshark.protocols.rsocket.types import OLD
from streamshark.schema import Sender

NOT_RESPONSES: Final = (False,)
"""No frame has a response bit."""

AGREEMENTS: Final = (
    NegotiatedValue(
        "version",
        "setup",
        "major_version",
        "Major version; the minor version is in SETUP.",
        NOT_RESPONSES,
    ),
    NegotiatedValue(
        "version", "resume", "major_version", "Major version, said again.", NOT_RESPONSES
    ),
    NegotiatedValue(
        "metadata_mime_type",
        "setup",
        "metadata_mime_type",
        "MIME type of metadata; it chooses what reads it.",
        NOT_RESPONSES,
    ),
    NegotiatedValue(
        "data_mime_type",
        "setup",
        "data_mime_type",
        "MIME type of data; it chooses what reads it.",
        NOT_RESPONSES,
    ),
    NegotiatedValue(
        "keepalive",
        "setup",
        "time_between_keepalive_frames",
        "Time in milliseconds between the client's KEEPALIVE frames.",
        NOT_RESPONSES,
    ),
    NegotiatedValue(
        "max_lifetime",
        "setup",
        "max_lifetime",
        "Time in milliseconds without an answer to KEEPALIVE after which a peer is given up.",
        NOT_RESPONSES,
    ),
    NegotiatedValue("lease", "setup", "flags.lease", "Requests need a LEASE first.", NOT_RESPONSES),
    NegotiatedValue(
        "resume", "setup", "flags.resume_enable", "The session may be resumed.", NOT_RESPONSES
    ),
    NegotiatedValue(
        "resume_identification_token",
        "setup",
        "resume_identification_token",
        "Token by which the session is resumed.",
        NOT_RESPONSES,
    ),
    NegotiatedValue(
        "resume_identification_token",
        "resume",
        "resume_identification_token",
        "Token of the session that is resumed.",
        NOT_RESPONSES,
    ),
)

RESUMPTION: Final = Resumption(
    name="resume_identification_token",
    begins="setup",
    resumes="resume",
    keeps=frozenset(
        {"metadata_mime_type", "data_mime_type", "keepalive", "max_lifetime", "lease", "resume"}
    ),
)

OPENS: Final = frozenset(
    {"request_response", "request_fnf", "request_stream", "request_sub", "request_channel"}
)
"""Frames that open a stream."""

PARITY: Final = Parity(by="stream_id", opens=OPENS, odd={"": Sender.CLIENT, OLD: Sender.SERVER})
"""Stream ids of a client are odd, those of a server even (Protocol.md, "Stream Identifiers"); in
version 0.1 it is the other way round."""

STREAM_TYPES: Final = StreamTypes(
    by="stream_id",
    agreement="data_mime_type",
    metadata="metadata",
    hint=re.compile(rb"[\xfa\xfb]|mime-type"),
    own=DATA_MIME_TYPE,
    accepted=ACCEPT_MIME_TYPES,
    around=(COMPOSITE_METADATA,),
    opens=OPENS,
)
