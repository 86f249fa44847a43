"""Rules for segments that several writers or readers use at a time."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.shared_use import EXPELS, GIVES_UP, TAKES_TURNS
from streamshark.protocols.pravega.sources import CLIENT

SHARED_USE_RULES: Final = (
    Rule(
        id="PRV-B200",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="several writers that append bytes to one segment in turns",
        on="append_block_end",
        when=TAKES_TURNS,
        needs="",
        per="server, writer.segment",
        evidence="n, tape.latest_n, tape.other_n",
        message="{count(tape.writers)} writers append to {writer.segment} in turns, bytes without "
        "the heads of events: what one of them writes in parts has the bytes of another in between",
        cause="A byte stream has one writer at a time. A second one was opened, as a standby for "
        "example, before the first was closed.",
        source=f"{CLIENT}, ByteStreamWriter.java; pravega issue 6331",
        healthy="Writers that each write whole records at once.",
    ),
    Rule(
        id="PRV-B202",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="writer of bytes that gives up when another one has appended",
        on="end:writer",
        when=GIVES_UP,
        needs="object both",
        per="client, server, writer.segment",
        evidence="writer.block_n, writer.turned_n",
        message="the bytes for {writer.segment} were refused since another writer has appended "
        "there, and this writer appends nothing more: they are lost",
        cause="Two writers of one byte stream: the client in Rust and Python appends at the offset "
        "that it knows, 0 for a new writer, and fails for good when there is more. Begin at the "
        "tail, or let each program have a stream of its own.",
        source="pravega-client-rust pull requests 176 and 296; pravega issue 6331",
        healthy="A standby that only tries whether the first writer is gone.",
    ),
    Rule(
        id="PRV-B201",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connected reader taken offline by another one, without a position",
        on="conditional_append",
        when=EXPELS,
        needs="all",
        per="server, writer.segment",
        worse_from=2,
        evidence="n, council.back_n",
        message="a reader of group {writer.group} is taken offline without a position, by another "
        "part of the program and while its connection is open: what it has read since the last "
        "checkpoint is read again",
        cause="readerOffline without a position sets the segments of the reader back to the last "
        "checkpoint, or the start: the next reader handles all events since then a second time. "
        "Let the reader close, or pass its last position.",
        source=f"{CLIENT}, ReaderGroupStateManager.java, readerShutdown; pravega-client-rust issue "
        "370",
        healthy="A reader that hangs, and whose events have to be handled again.",
    ),
)
"""Part of the rules of the protocol."""
