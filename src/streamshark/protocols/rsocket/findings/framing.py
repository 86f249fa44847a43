"""Rules about bytes that are no frames, and about carriers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import predicates
from streamshark.protocols.rsocket.conversations import OPENING

BYTES: Final = (
    Rule(
        id="RSK-W1",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="TCP length prefix over WebSocket",
        on="problem:carrier",
        when="starts(problem_text, 'a length of')",
        needs="",
        message="{name} has a length prefix, although the WebSocket message is the frame",
        cause="The sender uses the TCP framing over WebSocket.",
        source="Protocol.md, Framing Protocol Usage",
    ),
    Rule(
        id="RSK-W1b",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="WebSocket frame that breaks a rule of WebSocket",
        on="problem:carrier",
        when="not starts(problem_text, 'a length of') and "
        "not starts(problem_text, 'a text message')",
        needs="",
        message="the WebSocket frame around {name}: {problem_text}",
        cause="Servers close the connection: clients mask their frames, servers do not.",
        source="Protocol.md, Framing Protocol Usage; RFC 6455, section 5",
    ),
    Rule(
        id="RSK-W2",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="RSocket frame in a WebSocket text message",
        on="problem:carrier",
        when="starts(problem_text, 'a text message')",
        needs="",
        message="{name} is in a text message of WebSocket (opcode 1); frames need binary messages "
        "(opcode 2)",
        cause="The sender hands the frame to its WebSocket as text: each byte above 0x7f becomes "
        "two, which changes lengths and data.",
        source="Protocol.md, Framing Protocol Usage; RFC 6455, 5.6",
    ),
    *(
        Rule(
            id="RSK-W3",
            severity=Severity.ERROR,
            group=Group.PROTOCOL,
            title="several RSocket frames in one WebSocket message",
            on=on,
            when=f"conn.carried and len({member}) > 5",
            predicate=predicates.holds_another_frame,
            reads=f"fields.stream_id {member}",
            needs="",
            message="the WebSocket message of {name} on stream {fields.stream_id} holds another "
            "frame: {found}",
            cause="The client writes several frames into one message. A message is one frame, "
            "so the rest is read as data and never answered.",
            source="Protocol.md, Framing Protocol Usage",
        )
        for on, member in ((OPENING, "data"), ("setup", "data"))
    ),
    Rule(
        id="RSK-D1",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="malformed RSocket frame",
        on="problem:any",
        when="problem not in ('carrier', 'unknown_key', 'unknown_version', 'foreign') and "
        "not (problem == 'short' and coalesce(problem_field, '') == 'metadata') and "
        "not (problem == 'text' and name == 'setup')",
        needs="",
        message="{name} is malformed: {problem_text}, at byte {problem_offset}",
        cause="The frame does not follow its layout.",
        source="Protocol.md, Frame Types",
    ),
    Rule(
        id="RSK-D2",
        severity=Severity.ERROR,
        group=Group.MALFORMED,
        title="bytes outside any frame",
        on="tcp.resync",
        when="skipped > 0 and conn.whole and me.last_n is not None"
        " and reason not in ('a gap interrupts this frame', "
        "'the connection or capture ended first', "
        "'the connection or capture ended before the rest of this message')",
        needs="start",
        evidence="me.last_n",
        message="{skipped:count byte} not part of any frame: {reason}",
        cause="A length is wrong, so the next frame does not start where it should; the length of "
        "a frame above 16,777,215 bytes, which must be fragmented, wraps.",
        source="Protocol.md, Framing Protocol; rsocket-py issue 165",
    ),
)
