"""Rules about blocks, events and partial messages that the proposal of the wire protocol states.

Most are about dialect `draft`. Events outside of a block are wrong in every release.

Source: the page Streaming Service Wire Protocol, "General" and "Appending".
"""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

PAGE: Final = "pravega.io, Streaming Service Wire Protocol"
_IN_BLOCK: Final = "('event', 'partial_message', 'keep_alive', 'end_append_block')"
"""Messages that may follow while a block is open."""

DRAFT_RULES: Final = (
    Rule(
        id="PRV-P52",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="append block before the answer to SETUP_APPEND",
        on="begin_append_block",
        when="writer.state == 'asked'",
        needs="object both",
        of="writer",
        evidence="n, writer.setup_n",
        message="{name} was sent before SETUP_APPEND in frame {writer.setup_n} was answered",
        cause="The client does not wait for APPEND_SETUP.",
        source=f"{PAGE}, BeginAppendBlock",
    ),
    Rule(
        id="PRV-P53",
        severity=Severity.ERROR,
        group=Group.REASSEMBLE,
        title="PartialMessage begun before the end of the previous one",
        on="partial_message",
        when="position == 0 and me.partial_n is not None",
        needs="since",
        evidence="n, me.partial_n",
        message="a partial message begins before the one in frame {me.partial_n} has ended",
        cause="The sender mixes the parts of two messages.",
        source=f"{PAGE}, Partial Message",
    ),
    Rule(
        id="PRV-P53b",
        severity=Severity.ERROR,
        group=Group.REASSEMBLE,
        title="PartialMessage part without its beginning",
        on="partial_message",
        when="position in (1, 2) and me.partial_n is None",
        needs="start whole",
        message="part {position:name} of a partial message has no begin",
        cause="The sender leaves out the first part, or ends a message twice.",
        source=f"{PAGE}, Partial Message",
    ),
    Rule(
        id="PRV-P53c",
        severity=Severity.WARNING,
        group=Group.REASSEMBLE,
        title="PartialMessage without its end",
        on="tcp.close",
        when="me.partial_n is not None",
        needs="since",
        of="me",
        evidence="me.partial_n",
        message="the partial message has no end when its sender closes the connection",
        cause="The sender stopped in the middle of a message.",
        source=f"{PAGE}, Partial Message",
    ),
    Rule(
        id="PRV-P53d",
        severity=Severity.ERROR,
        group=Group.PROTOCOL,
        title="unknown position in PartialMessage",
        on="partial_message",
        when="position > 2",
        needs="",
        message="the position {position} of a partial message is not a begin, middle or end",
        cause="",
        source=f"{PAGE}, Partial Message",
    ),
    Rule(
        id="PRV-P54",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="event outside an append block",
        on="event partial_event padding",
        when="C.draft_n is None",
        needs="start whole",
        message="{name} was sent outside of an append block",
        cause="The client sends events without beginning a block, or after its end.",
        source=f"{PAGE}, Event",
    ),
    Rule(
        id="PRV-P55",
        severity=Severity.ERROR,
        group=Group.REASSEMBLE,
        title="EndAppendBlock length mismatch",
        on="end_append_block",
        when="C.draft_n is not None and C.draft_writer == connection_id and me.partial_n is None "
        "and block_length not in (C.block_bytes, C.block_bare, C.block_all)",
        needs="since whole",
        of="writer",
        evidence="n, C.draft_n",
        message="EndAppendBlock declares {block_length:count byte}, but its block has "
        "{C.block_bytes}, or {C.block_bare} without the heads of events",
        cause="The client miscounts the block.",
        source=f"{PAGE}, EndAppendBlock",
    ),
    Rule(
        id="PRV-P55b",
        severity=Severity.ERROR,
        group=Group.REASSEMBLE,
        title="BeginAppendBlock length mismatch",
        on="end_append_block",
        when="C.draft_n is not None and C.draft_writer == connection_id and "
        "C.announced not in (C.block_bytes, C.block_bare, C.block_all)",
        needs="since whole",
        of="writer",
        evidence="n, C.draft_n",
        message="BeginAppendBlock announces {C.announced:count byte} before EndAppendBlock, but "
        "{C.block_bytes} were sent, or {C.block_bare} without the heads of events",
        cause="The client announces another size than it writes.",
        source=f"{PAGE}, BeginAppendBlock",
    ),
    Rule(
        id="PRV-P56",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="EndAppendBlock without BeginAppendBlock",
        on="end_append_block",
        when="C.draft_n is None",
        needs="start whole",
        of="writer",
        message="EndAppendBlock ends no block",
        cause="The client ends a block twice, or does not begin it.",
        source=f"{PAGE}, EndAppendBlock",
    ),
    Rule(
        id="PRV-P57",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="append block interrupted by another message (draft)",
        on="client:any",
        when=f"C.draft_n is not None and (name not in {_IN_BLOCK} or "
        "name == 'end_append_block' and connection_id != C.draft_writer)",
        needs="whole",
        evidence="n, C.draft_n",
        message="{name} was sent before the end of the append block in frame {C.draft_n}",
        cause="The client sends other messages, or a block of another appender, while it fills a "
        "block.",
        source=f"{PAGE}, Appending",
        echo_of="PRV-P6",
    ),
    Rule(
        id="PRV-P58",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="decreasing connection offset",
        on="end_append_block",
        when="connection_offset < writer.offset",
        needs="object",
        of="writer",
        evidence="n, writer.offset_n",
        message="the connection offset is {connection_offset} after {writer.offset}",
        cause="The client counts its bytes anew; the offset counts all bytes of the connection.",
        source=f"{PAGE}, EndAppendBlock",
    ),
    Rule(
        id="PRV-P59",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="acknowledged connection offset beyond the bytes sent",
        on="data_appended",
        when="connection_offset_ack_level > writer.reach",
        needs="object both",
        of="writer",
        evidence="n, writer.offset_n",
        message="offset {connection_offset_ack_level} was acknowledged, but the blocks that were "
        "sent end at {writer.reach}",
        cause="",
        source=f"{PAGE}, Data Appended",
        guilty="server",
    ),
)
"""Rules about what the page states."""
