"""What the document requires of peers, in its order, with the rules that hold it."""

from typing import Final

from streamshark.findings.requirement import Document, held, unseen

_IGNORES: Final = "What a receiver ignores is inside it; the frame itself is named: "
_APPLICATION: Final = "Inside an implementation."

_FRAMING: Final = (
    unseen(
        "Terminology",
        "The transport MUST provide capabilities mentioned in the transport protocol section.",
        "A capture has TCP or WebSocket, which provide them.",
    ),
    unseen(
        "Transport Protocol",
        "A transport protocol MUST provide the following:",
        "TCP and WebSocket do.",
    ),
    unseen(
        "Transport Protocol",
        "Frame A sent before Frame B MUST arrive in source order.",
        "TCP keeps the order.",
    ),
    held(
        "Framing Protocol Usage",
        "a framing protocol MUST be used with the RSocket frame that "
        "prepends the RSocket Frame Length.",
        "RSK-D2",
        "RSK-D1",
    ),
    held(
        "Framing Protocol Usage",
        "The frame length field MUST be omitted if the transport "
        "protocol preserves message boundaries",
        "RSK-W1",
    ),
    held(
        "Framing Protocol Usage",
        "multiple transport protocols may be used, then the frame header MUST be used.",
        "RSK-D2",
        "RSK-D1",
    ),
    held(
        "Framing Format",
        "the Frame Length MUST be prepended to the RSocket Frame.",
        "RSK-D2",
        "RSK-D1",
    ),
    held(
        "Frame Header Format",
        "Any Flag bit not specifically indicated in the frame type should be set to 0 when sent",
        "RSK-C17",
        "RSK-C17b",
    ),
    unseen(
        "Frame Header Format",
        "all frame types MUST provide space for the following flags",
        "The header has ten bits of flags in every frame.",
    ),
    held("Frame Header Format", "|0| Stream ID", "RSK-C17c"),
    held(
        "Handling Ignore Flag",
        "MAY send an ERROR[CONNECTION_ERROR] frame and close ... on "
        "reception of a frame that it does not understand",
        "RSK-C18",
    ),
    held("Metadata Optional Header", "the optional Metadata header MUST be included.", "RSK-M1"),
    held(
        "Metadata Optional Header",
        "Metadata Length MUST be equal to the Frame Length minus the sum of",
        "RSK-M1",
    ),
    unseen(
        "Metadata Optional Header",
        "the receiver MUST send an ERROR[CONNECTION_ERROR] frame and "
        "close the underlying transport connection",
        "The broken frame is named (RSK-M1), and so is an ERROR that follows (RSK-C23b).",
    ),
)

_STREAM_IDS: Final = (
    held(
        "Generation",
        "Stream ID value of 0 is reserved for any operation involving the connection.",
        "RSK-C6",
    ),
    held(
        "Generation",
        "A Stream ID MUST be locally unique for a Requester in a connection.",
        "RSK-S3",
        "RSK-S2",
    ),
    held(
        "Generation",
        "a client MUST generate odd Stream IDs and a server MUST generate even Stream IDs.",
        "RSK-S1",
    ),
    held(
        "Generation",
        "Stream IDs on the client MUST start at 1 and increment by 2 sequentially",
        "RSK-S23",
        "RSK-S2b",
        "RSK-S2",
    ),
    held(
        "Generation",
        "Stream IDs on the server MUST start at 2 and increment by 2 sequentially",
        "RSK-S23",
        "RSK-S2b",
        "RSK-S2",
    ),
    unseen("Lifetime", "A Responder MUST assume Stream IDs will be re-used.", _APPLICATION),
    held(
        "Lifetime",
        "a new connection MUST be established to create new streams once the max has been met.",
        "RSK-S2",
    ),
    held(
        "Lifetime",
        "The Requester MUST re-use IDs by wrapping and restarting at ID 1 for client, "
        "and ID 2 for server",
        "RSK-S1",
        "RSK-S2",
    ),
    held("Lifetime", "The Requester MUST skip IDs still in use.", "RSK-S3"),
    held(
        "Lifetime",
        "If all Stream IDs are concurrently in use, no new streams can be created",
        "RSK-S3",
    ),
)

_FRAMES: Final = (
    held("SETUP Frame (0x01)", "Setup frames MUST always use Stream ID 0", "RSK-C5"),
    held("SETUP Frame (0x01)", "The SETUP frame is sent by the client", "RSK-C3"),
    unseen(
        "SETUP Frame (0x01)",
        "The protocol implementation MUST NOT interpret the MIME type itself.",
        _APPLICATION,
    ),
    held("SETUP Frame (0x01)", "Time Between KEEPALIVE Frames ... Value MUST be > 0.", "RSK-C7"),
    held(
        "SETUP Frame (0x01)", "Max Lifetime ... Value MUST be > 0.", "RSK-C7", "RSK-C7b", "RSK-C7d"
    ),
    held("SETUP Frame (0x01)", "This SHOULD be a US-ASCII string", "RSK-C13"),
    held("SETUP Frame (0x01)", "The string MUST NOT be null terminated.", "RSK-C29"),
    held(
        "SETUP Frame (0x01)",
        "has (R)esume Enabled set, but does not support resuming operation, "
        "MUST reject the SETUP with an ERROR[REJECTED_SETUP].",
        "RSK-C8",
    ),
    held("ERROR Frame (0x0B)", "Error Data SHOULD be a UTF-8 encoded string.", "RSK-D1"),
    held("ERROR Frame (0x0B)", "The string MUST NOT be null terminated.", "RSK-C29"),
    held("Error Codes", "RESERVED ... Reserved", "RSK-C28"),
    held("Error Codes", "INVALID_SETUP ... Stream ID MUST be 0.", "RSK-C19"),
    held("Error Codes", "UNSUPPORTED_SETUP ... Stream ID MUST be 0.", "RSK-C19"),
    held("Error Codes", "REJECTED_SETUP ... Stream ID MUST be 0.", "RSK-C19"),
    held("Error Codes", "REJECTED_RESUME ... Stream ID MUST be 0.", "RSK-C19"),
    held("Error Codes", "CONNECTION_ERROR ... Stream ID MUST be 0.", "RSK-C19"),
    held("Error Codes", "CONNECTION_CLOSE ... Stream ID MUST be 0.", "RSK-C19"),
    held(
        "Error Codes",
        "Sender or Receiver of this frame MUST wait for outstanding streams to "
        "terminate before closing the connection.",
        "RSK-C30",
    ),
    held("Error Codes", "New requests MAY not be accepted.", "RSK-C21"),
    held("Error Codes", "APPLICATION_ERROR ... Stream ID MUST be > 0.", "RSK-C19"),
    held("Error Codes", "REJECTED ... Stream ID MUST be > 0.", "RSK-C19"),
    held("Error Codes", "CANCELED ... Stream ID MUST be > 0.", "RSK-C19"),
    held("Error Codes", "INVALID ... Stream ID MUST be > 0.", "RSK-C19"),
    held("Error Codes", "Reserved for Extension Use", "RSK-C28"),
    held(
        "Error Codes",
        "values in the range of 0x0001 to 0x00300 are reserved for future protocol use.",
        "RSK-C28",
    ),
    held("LEASE Frame (0x02)", "Lease frames MUST always use Stream ID 0", "RSK-C5"),
    unseen(
        "LEASE Frame (0x02)",
        "Time-To-Live (TTL) ... Value MUST be > 0.",
        "The next sentences allow 0: a LEASE with 0 stops all further requests.",
    ),
    unseen(
        "LEASE Frame (0x02)",
        "Number of Requests ... Value MUST be > 0.",
        "The next sentences allow 0: a LEASE with 0 stops all further requests.",
    ),
    held(
        "LEASE Frame (0x02)",
        "the Metadata Length header MUST NOT be included, even if the (M)etadata flag is set true.",
        "RSK-M5",
    ),
    held("KEEPALIVE Frame (0x03)", "KEEPALIVE frames MUST always use Stream ID 0", "RSK-C5"),
    held(
        "KEEPALIVE Frame (0x03)",
        "KEEPALIVE frames MUST be initiated by the client and sent periodically",
        "RSK-K1",
        "RSK-K3",
    ),
    held(
        "KEEPALIVE Frame (0x03)", "MUST cause a client or server to send back a KEEPALIVE", "RSK-K2"
    ),
    held(
        "KEEPALIVE Frame (0x03)",
        "The data in the received KEEPALIVE MUST be echoed back",
        "RSK-K2",
        "RSK-K3",
    ),
    held(
        "KEEPALIVE Frame (0x03)",
        "Last Received Position ... Value MUST be > 0. (optional. Set to "
        "all 0s when not supported.)",
        "RSK-K4",
        "RSK-K5",
        "RSK-R12",
    ),
    held("REQUEST_STREAM Frame (0x06)", "Initial Request N ... Value MUST be > 0.", "RSK-S7"),
    held("REQUEST_CHANNEL Frame (0x07)", "Initial Request N ... Value MUST be > 0.", "RSK-S7"),
    held(
        "REQUEST_CHANNEL Frame (0x07)",
        "A requester MUST send only one REQUEST_CHANNEL frame.",
        "RSK-S3",
    ),
    held(
        "REQUEST_CHANNEL Frame (0x07)",
        "Subsequent messages from requester to responder MUST be sent as PAYLOAD frames.",
        "RSK-S3",
    ),
    held(
        "REQUEST_CHANNEL Frame (0x07)",
        "A requester MUST not send PAYLOAD frames ... until the responder sends a REQUEST_N frame",
        "RSK-S9",
    ),
    held("REQUEST_N Frame (0x08)", "Request N ... Value MUST be > 0.", "RSK-S7b"),
    held(
        "PAYLOAD Frame (0x0A)",
        "Just (C)omplete set meaning PAYLOAD contains no data and only signals stream completion.",
        "RSK-S13",
    ),
    held(
        "PAYLOAD Frame (0x0A)",
        "A PAYLOAD MUST NOT have both (C)complete and (N)ext empty (false).",
        "RSK-S12",
        "RSK-F3",
    ),
    held(
        "METADATA_PUSH Frame (0x0C)", "METADATA_PUSH frames MUST always use Stream ID 0", "RSK-S17"
    ),
    held(
        "METADATA_PUSH Frame (0x0C)", "the Metadata Length header MUST NOT be included.", "RSK-M5"
    ),
    held("METADATA_PUSH Frame (0x0C)", "|Frame Type |0|1| Flags |", "RSK-M6"),
    held("EXT (Extension) Frame (0x3F)", "Extended Type ... Value MUST be > 0.", "RSK-C27"),
)

_RESUMING: Final = (
    held(
        "Assumptions",
        "is not allowed to change the metadata MIME type or the data MIME type or "
        "version, etc. when resuming",
        "RSK-R7",
    ),
    unseen(
        "Client Lifetime Management",
        "Client lifetime management for servers MUST be extended",
        _APPLICATION,
    ),
    held(
        "Resume Operation",
        "All ERROR frames sent MUST be CONNECTION_ERROR or REJECTED_RESUME error code.",
        "RSK-R3",
    ),
    held(
        "Resume Operation",
        "The client MUST NOT send any other frame types until resumption succeeds.",
        "RSK-R2",
    ),
    held(
        "Resume Operation",
        "The RESUME Identification Token MUST be the token used in the original SETUP frame.",
        "RSK-R1",
        "RSK-C15",
    ),
    held(
        "Resume Operation",
        "The RESUME Last Received Position field MUST be the last successfully "
        "received implied position from the server.",
        "RSK-R8",
        "RSK-R9",
    ),
    held(
        "Resume Operation",
        "On receiving an ERROR[REJECTED_RESUME] frame, the client MUST NOT "
        "attempt resumption again.",
        "RSK-R4",
    ),
    held(
        "Resume Operation",
        "MUST assume that the next REQUEST, CANCEL, ERROR, and PAYLOAD frames "
        "have an implied position",
        "RSK-R8",
        "RSK-R9",
    ),
    held(
        "Resume Operation",
        "indicating the end of the connection and MUST NOT attempt resumption again",
        "RSK-R4",
    ),
    held(
        "Resume Operation",
        "MUST send an ERROR[REJECTED_RESUME] frame if the server does not "
        "support resuming operation.",
        "RSK-R3",
    ),
    held(
        "Resume Operation",
        "If not identified, then the server MUST send an ERROR[REJECTED_RESUME] frame.",
        "RSK-R3",
    ),
    held(
        "Resume Operation",
        "A Server that receives a RESUME frame after a SETUP frame, SHOULD "
        "send an ERROR[CONNECTION_ERROR].",
        "RSK-R6",
    ),
    held(
        "Resume Operation",
        "A Server that receives a RESUME frame after a previous RESUME frame, "
        "SHOULD send an ERROR[CONNECTION_ERROR].",
        "RSK-R6",
    ),
    held(
        "Resume Operation",
        "LEASE semantics MUST be restarted upon a new connection by sending a "
        "LEASE frame from the server.",
        "RSK-R10",
    ),
    held("RESUME Frame (0x0D)", "RESUME frames MUST always use Stream ID 0", "RSK-C5"),
    held("RESUME_OK Frame (0x0E)", "RESUME OK frames MUST always use Stream ID 0", "RSK-C5"),
    unseen(
        "Identification Token Handling",
        "The server should not assume a generation method of the token",
        _APPLICATION,
    ),
    held(
        "Identification Token Handling",
        "Tokens MUST be valid for the lifetime of an individual "
        "RSocket including possible resumption.",
        "RSK-R5",
    ),
    held(
        "Identification Token Handling",
        "A server should not accept a SETUP with a Token that is currently already being used",
        "RSK-R11b",
        "RSK-R11",
    ),
    unseen(
        "Identification Token Handling",
        "Tokens should not be predictable by an attacking 3rd party",
        "A few tokens do not show how they are made.",
    ),
)

_ESTABLISHMENT: Final = (
    held(
        "Connection Establishment",
        "the client MUST send either a SETUP or RESUME frame with Stream ID of 0.",
        "RSK-C1",
        "RSK-C5",
    ),
    held(
        "Connection Establishment",
        "Any other frame ... MUST cause the server to send an "
        "ERROR[INVALID_SETUP] and close the connection.",
        "RSK-C2",
        "RSK-C9",
        "RSK-C31",
    ),
    held(
        "Connection Establishment",
        "that has set the L flag in the SETUP frame MUST wait for the "
        "server-side Responder to send a LEASE frame",
        "RSK-C10",
    ),
    held(
        "Connection Establishment",
        "it MUST send a LEASE frame if the SETUP frame set the L flag.",
        "RSK-C26",
    ),
    held(
        "Connection Establishment",
        "the server MUST send back an "
        "ERROR[INVALID_SETUP|UNSUPPORTED_SETUP] and then close the connection.",
        "RSK-C22",
        "RSK-C9",
        "RSK-C31",
    ),
    held(
        "Connection Establishment",
        "the server-side Requester MUST wait for a LEASE frame from the client-side Responder",
        "RSK-C11",
    ),
    held(
        "Connection Establishment",
        "The client-side Responder MUST send a LEASE frame after a "
        "SETUP frame with the L flag set.",
        "RSK-C26b",
    ),
    held(
        "Connection Establishment",
        "Until connection establishment is complete, a Requester MUST NOT send any Request frames.",
        "RSK-C1",
        "RSK-C10",
        "RSK-C11",
        "RSK-R2",
    ),
    held(
        "Connection Establishment",
        "Until connection establishment is complete, a Responder MUST NOT emit any PAYLOAD frames.",
        "RSK-C2",
    ),
    held(
        "LEASE Frame (0x02)",
        "can inform the server-side Responder as to whether it will honor "
        "LEASEs or not based on the presence of the L flag",
        "RSK-C12",
    ),
)

_STREAMS: Final = (
    held(
        "Fragmentation And Reassembly",
        "a fragmented PAYLOAD frame counts as a single request(n) "
        "credit, and a request counts against a single lease count",
        "RSK-S8",
        "RSK-L1",
    ),
    held(
        "Fragmentation And Reassembly",
        "the Metadata MUST be transmitted completely before the Data.",
        "RSK-F2",
    ),
    held(
        "Fragmentation And Reassembly",
        "If the sender ... wants to cancel sending a fragmented "
        "sequence, it MAY send a CANCEL frame",
        "RSK-F1",
    ),
    held("Stream Sequences and Lifetimes", "the Stream ID MUST NOT be re-used.", "RSK-S2"),
    held(
        "Request Response",
        "RS -> RQ: PAYLOAD with COMPLETE",
        "RSK-S5",
        "RSK-S5b",
        "RSK-S14",
        "RSK-S21",
        "RSK-S21b",
    ),
    held(
        "Request Response",
        "the stream is terminated on the Responder and the response SHOULD not be sent.",
        "RSK-S22b",
    ),
    held(
        "Request Fire-n-Forget",
        "Upon reception, the stream is terminated by the Responder.",
        "RSK-S6",
        "RSK-S21",
        "RSK-S21b",
    ),
    held(
        "Request Stream",
        "RS -> RQ: PAYLOAD*",
        "RSK-S11",
        "RSK-S11c",
        "RSK-S14",
        "RSK-S21",
        "RSK-S21b",
    ),
    held(
        "Request Stream",
        "Upon sending a CANCEL, the stream is terminated on the Requester.",
        "RSK-S11b",
        "RSK-S22",
    ),
    held(
        "Request Channel",
        "An implementation MUST only send a single initial REQUEST_CHANNEL "
        "frame from the Requester to the Responder.",
        "RSK-S3",
    ),
    held(
        "Request Channel",
        "a Responder MUST respond to an initial REQUEST_CHANNEL frame with a REQUEST_N frame.",
        "RSK-S10",
    ),
    held(
        "Request Channel",
        "Upon receiving an ERROR ... the stream is terminated on both Requester and Responder.",
        "RSK-S11b",
        "RSK-S22",
        "RSK-S22b",
    ),
    held(
        "Request Channel",
        "A Requester MUST NOT send any additional PAYLOAD frames after sending "
        "a frame with the C bit set.",
        "RSK-S11",
    ),
    held(
        "Reactive Streams Semantics",
        "The Requester and the Responder MUST respect the Reactive Streams semantics.",
        "RSK-S8",
        "RSK-S9",
        "RSK-S7b",
    ),
    held("Lease Semantics", "Requester MUST respect the LEASE contract.", "RSK-L1", "RSK-L2"),
    held(
        "Lease Semantics",
        "The Requester MUST NOT send more than Number of Requests ... within "
        "the Time-To-Live value",
        "RSK-L1",
        "RSK-L2",
    ),
    held(
        "Lease Semantics",
        "A Responder that receives a REQUEST that it can not honor due to LEASE "
        "restrictions MUST respond with an ERROR[REJECTED].",
        "RSK-L3",
    ),
)

_UNEXPECTED: Final = (
    unseen(
        "Handling the Unexpected",
        "SHOULD ignore conditions that do not make sense given the current context.",
        f"{_IGNORES}RSK-S15.",
    ),
    held(
        "Handling the Unexpected",
        "dead transports are detectable by lack of KEEPALIVE frames",
        "RSK-C24",
        "RSK-K1",
        "RSK-K2",
    ),
    held(
        "Handling the Unexpected",
        "Lack of REQUEST_N frames that stops a stream is an application "
        "concern and SHALL NOT be handled by the protocol.",
        "RSK-S19",
        "RSK-S19b",
    ),
    unseen(
        "Handling the Unexpected",
        "Lack of LEASE frames that stops new Requests is an "
        "application concern and SHALL NOT be handled by the protocol.",
        _APPLICATION,
    ),
    held(
        "Handling the Unexpected",
        "that does not have a COMPLETE flag set, the implementation MUST assume it is set",
        "RSK-S5",
    ),
    unseen(
        "Handling the Unexpected",
        "MUST assume the possibility of an infinite stream.",
        _APPLICATION,
    ),
    unseen(
        "Handling the Unexpected",
        "A PAYLOAD with both F and C flags set, implicitly ignores the F flag.",
        "rsocket_rust sets both on a first fragment; F is read.",
    ),
    held(
        "Handling the Unexpected",
        "Flag bits not specified for a particular frame MUST be ignored.",
        "RSK-C17",
        "RSK-C17b",
    ),
    unseen(
        "Handling the Unexpected",
        "All other received frames that are not accounted for in "
        "previous sections MUST be ignored.",
        f"{_IGNORES}RSK-S15, RSK-S21, RSK-S22.",
    ),
    held(
        "Handling the Unexpected",
        "Receiving a Request frame on a Stream ID that is already in use MUST be ignored.",
        "RSK-S3",
    ),
    held(
        "Handling the Unexpected",
        "Receiving a CANCEL on an unknown Stream ID (including 0) MUST be ignored.",
        "RSK-S15",
        "RSK-C6",
    ),
    held(
        "Handling the Unexpected",
        "Receiving an ERROR on an unknown Stream ID MUST be ignored.",
        "RSK-S15",
    ),
    held(
        "Handling the Unexpected",
        "Receiving a PAYLOAD on an unknown Stream ID (including 0) MUST be ignored.",
        "RSK-S15",
        "RSK-C6",
    ),
    held(
        "Handling the Unexpected",
        "Receiving a METADATA_PUSH with a non-0 Stream ID MUST be ignored.",
        "RSK-S17",
    ),
    held(
        "Handling the Unexpected",
        "A server MUST ignore a SETUP frame after it has accepted a previous SETUP.",
        "RSK-C4",
    ),
    held(
        "Handling the Unexpected",
        "A server MUST ignore an ERROR[INVALID_SETUP|UNSUPPORTED_SETUP"
        "|REJECTED_SETUP|REJECTED_RESUME] frame.",
        "RSK-C20b",
    ),
    held(
        "Handling the Unexpected",
        "A client MUST ignore an ERROR ... after it has completed connection establishment.",
        "RSK-C20",
    ),
    held("Handling the Unexpected", "A client MUST ignore a SETUP frame.", "RSK-C3"),
)

REQUIREMENTS: Final = (
    Document(
        "RSocket Protocol",
        "rsocket.io, version 0.2 (1.0 release candidate)",
        (*_FRAMING, *_STREAM_IDS, *_FRAMES, *_RESUMING, *_ESTABLISHMENT, *_STREAMS, *_UNEXPECTED),
    ),
)
"""Printed to docs/findings/rsocket_requirements.md."""
