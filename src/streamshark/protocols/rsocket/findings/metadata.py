"""Rules about metadata, MIME types, routes and authentication."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import metadata_predicates, predicates
from streamshark.protocols.rsocket.conversations import OPENING, PAYLOAD
from streamshark.protocols.rsocket.types import COMPOSITE

_WITH_METADATA: Final = f"{OPENING} {PAYLOAD} metadata_push"

WHOLE: Final = (
    "complete and coalesce(stream.asking, 0) == 0 and coalesce(stream.answer_cut, 0) == 0 and "
    "coalesce(stream.own_cut, 0) == 0"
)
"""The row is no fragment."""

IS_COMPOSITE: Final = f"{WHOLE} and conn.metadata_mime_type == '{COMPOSITE}'"

_OBJECT: Final = (
    "(agreed.data_mime_type == 'application/json' and starts(data, OPEN_OBJECT) and "
    "not starts(data, OPEN_WIDE))"
)
"""Data begins like the type that is announced: no more is asked of JSON objects."""

SETUP_IS_COMPOSITE: Final = f"metadata_mime_type == '{COMPOSITE}'"

METADATA: Final = (
    Rule(
        id="RSK-M1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="metadata length beyond the end of the frame",
        on="problem:short",
        when="problem_field == 'metadata'",
        needs="",
        message="the metadata length of {name} is larger than the rest of the frame",
        cause="The metadata length is wrong, or the frame length is.",
        source="Protocol.md, Metadata Optional Header",
    ),
    Rule(
        id="RSK-M5",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="metadata length in LEASE or METADATA_PUSH",
        on="lease metadata_push",
        when="len(metadata) > 3",
        predicate=predicates.repeats_length,
        reads="metadata",
        needs="",
        message="the metadata of {name} begins with its own length; this frame has only metadata "
        "and no length",
        cause="The sender writes metadata as in a request: the receiver reads the length as "
        "metadata.",
        source="Protocol.md, LEASE Frame (0x02) and METADATA_PUSH Frame (0x0C)",
    ),
    Rule(
        id="RSK-M7",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="request data not matching its MIME type",
        on=OPENING,
        when=f"agreed.data_mime_type in {predicates.JUDGED!r} and len(data) > 0 and "
        f"not {_OBJECT} and {WHOLE}",
        predicate=predicates.contradicts_its_type,
        reads="agreed.data_mime_type data",
        needs="",
        per="client, server, agreed.data_mime_type",
        evidence="n, conn.setup_n",
        message="the data of {name} on stream {fields.stream_id} is announced as "
        "{agreed.data_mime_type}, but {found}",
        cause="SETUP, or the metadata of the stream, announces a type that the application does "
        "not send.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/PerStreamDataMimeTypesDefinition.md",
    ),
    Rule(
        id="RSK-M7b",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="payload not matching its MIME type",
        on=PAYLOAD,
        when=f"agreed.data_mime_type == 'application/json' and len(data) > 0 and "
        f"not {_OBJECT} and {WHOLE}",
        predicate=predicates.is_another_type,
        reads="agreed.data_mime_type data",
        needs="",
        per="client, server, agreed.data_mime_type",
        evidence="n, conn.setup_n",
        message="payloads of stream {fields.stream_id} are announced as {agreed.data_mime_type}, "
        "but {found}",
        cause="SETUP, or the metadata of the stream, announces a type that the responder does not "
        "send.",
        echo_of="RSK-M7 RSK-M7c",
        healthy="Responders often answer with plain text, which their clients expect.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/PerStreamDataMimeTypesDefinition.md",
    ),
    Rule(
        id="RSK-M7c",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="plain text announced as JSON",
        on=OPENING,
        when=f"agreed.data_mime_type == 'application/json' and len(data) > 0 and "
        f"not {_OBJECT} and {WHOLE}",
        predicate=predicates.is_text_for_json,
        reads="agreed.data_mime_type data",
        needs="",
        per="client, server, agreed.data_mime_type",
        evidence="n, conn.setup_n",
        message="the data of {name} on stream {fields.stream_id} is announced as "
        "{agreed.data_mime_type}, but {found}",
        cause="The client announces the default type of its library and sends text; a server that "
        "decodes JSON refuses it.",
        healthy="rsocket-py announces application/json unless the program names another type.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/PerStreamDataMimeTypesDefinition.md",
    ),
    *(
        Rule(
            id="RSK-M8",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="unusable authentication metadata",
            on=on,
            when=when,
            predicate=metadata_predicates.has_bad_authentication,
            reads="metadata",
            needs="",
            of="conn",
            message="the authentication metadata of {name} cannot be used: {found}",
            cause="Simple authentication is the id 0x80, a length of 16 bits, the user and the "
            "password; bearer authentication is the id 0x81 and the token.",
            source="Extensions/Security/Authentication.md, Simple.md and Bearer.md",
        )
        for on, when in (
            (f"{OPENING} metadata_push", f"len(metadata) >= 4 and {IS_COMPOSITE}"),
            ("setup", f"len(metadata) >= 4 and {SETUP_IS_COMPOSITE}"),
        )
    ),
    Rule(
        id="RSK-M9",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="metadata not matching its MIME type",
        on=OPENING,
        when=f"conn.metadata_mime_type in {predicates.JUDGED_METADATA!r} and len(metadata) > 0 and "
        f"{WHOLE}",
        predicate=metadata_predicates.is_other_metadata,
        reads="conn.metadata_mime_type metadata",
        needs="",
        of="conn",
        evidence="n, conn.setup_n",
        message="the metadata of {name} on stream {fields.stream_id} is announced as "
        "{conn.metadata_mime_type}, but {found}",
        cause="SETUP announces another type of metadata than the client sends: the server finds "
        "no route in it.",
        source="Protocol.md, SETUP Frame (0x01); Extensions/CompositeMetadata.md",
    ),
    Rule(
        id="RSK-M10",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="invalid entry content in composite metadata",
        on=OPENING,
        when=f"len(metadata) >= 4 and {IS_COMPOSITE}",
        predicate=metadata_predicates.has_bad_entry,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} on stream {fields.stream_id} has an entry that cannot be "
        "used: {found}",
        cause="",
        source="Extensions/Routing.md, PerStreamDataMimeTypesDefinition.md, Tracing-Zipkin.md",
    ),
    Rule(
        id="RSK-M6",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="METADATA_PUSH without the metadata flag",
        on="metadata_push",
        when="not flags.metadata",
        needs="",
        message="METADATA_PUSH has no metadata flag, which is always set in this frame",
        cause="",
        source="Protocol.md, METADATA_PUSH Frame (0x0C)",
        healthy="rsocket_rust 0.7.5 and rsocket-js 0.0.27 leave it out; receivers read it all the "
        "same.",
    ),
    Rule(
        id="RSK-M2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="malformed composite metadata",
        on=_WITH_METADATA,
        when=IS_COMPOSITE,
        predicate=metadata_predicates.is_broken,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} does not divide into entries: {found}",
        cause="The length of an entry is wrong: for a custom MIME type the length field is one "
        "less than the number of bytes.",
        source="Extensions/CompositeMetadata.md, Metadata Payload; rsocket-java issue 810, "
        "rsocket-kotlin issue 234",
    ),
    Rule(
        id="RSK-M2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="malformed composite metadata",
        on="setup",
        when=SETUP_IS_COMPOSITE,
        predicate=metadata_predicates.is_broken,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} does not divide into entries: {found}",
        cause="The length of an entry is wrong: for a custom MIME type the length field is one "
        "less than the number of bytes.",
        source="Extensions/CompositeMetadata.md, Metadata Payload; rsocket-java issue 810, "
        "rsocket-kotlin issue 234",
    ),
    Rule(
        id="RSK-M3",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="unassigned well-known MIME type id",
        on=_WITH_METADATA,
        when=IS_COMPOSITE,
        predicate=metadata_predicates.has_unknown_type,
        reads="metadata",
        needs="",
        of="conn",
        message="the metadata of {name} has an entry with MIME type id {found}, which is not "
        "assigned",
        cause="The sender uses a newer list of well-known types, or sets the top bit of a length.",
        source="Extensions/WellKnownMimeTypes.md",
    ),
    Rule(
        id="RSK-M4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="routing metadata without tag lengths",
        on=_WITH_METADATA,
        when=IS_COMPOSITE,
        predicate=metadata_predicates.has_broken_route,
        reads="metadata",
        needs="",
        of="conn",
        message="the routing metadata of {name} has a tag that exceeds its end: {found}",
        cause="The route is written as plain text: its first character is read as a length.",
        source="Extensions/Routing.md; rsocket-js issue 72",
    ),
    Rule(
        id="RSK-M4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="routing metadata without tag lengths",
        on="setup",
        when=SETUP_IS_COMPOSITE,
        predicate=metadata_predicates.has_broken_route,
        reads="metadata",
        needs="",
        of="conn",
        message="the routing metadata of {name} has a tag that exceeds its end: {found}",
        cause="The route is written as plain text: its first character is read as a length.",
        source="Extensions/Routing.md; rsocket-js issue 72",
    ),
    Rule(
        id="RSK-M4",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="routing metadata without tag lengths",
        on=_WITH_METADATA,
        when=f"{WHOLE} and conn.metadata_mime_type == 'message/x.rsocket.routing.v0'",
        predicate=metadata_predicates.is_broken_route,
        reads="metadata",
        needs="",
        of="conn",
        message="the routing metadata of {name} has a tag that exceeds its end: {found}",
        cause="The route is written as plain text: its first character is read as a length.",
        source="Extensions/Routing.md; rsocket-js issue 72",
    ),
)
