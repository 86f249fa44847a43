"""Rules for when items and KEEPALIVEs come, and for connections that failed and stay open."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

PACING: Final = (
    Rule(
        id="RSK-B246",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="KEEPALIVE that waits since a requester without a limit does not read",
        on="payload",
        when="peer.zero_windows >= FULL and side != stream.owner and "
        "stream.credit >= ALL_DEMAND and t - peer.awaited_t > IN_QUEUE",
        needs="start whole both",
        of="conn",
        evidence="stream.n, peer.awaited_n, n",
        message="the requester of stream {stream.id} has requested {stream.requested} payloads and "
        "has no room for more bytes (its receive window is 0): its KEEPALIVE has waited "
        "{t - peer.awaited_t:time} for an answer",
        cause="The requester asks for more than it can take: all that the responder has to send "
        "waits in its queue, and so do other streams and KEEPALIVE. Request as many payloads as "
        "are processed.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics; rsocket-kotlin issue 51, "
        "rsocket-java issue 514",
        healthy="A requester that is stopped for a moment.",
    ),
    Rule(
        id="RSK-B247",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that pile up, as each failed request leaves one open",
        on="end:attempts",
        when="attempts.beside >= FAILED_AGAIN",
        needs="",
        evidence="attempts.latest_n, attempts.beside_n",
        message="{attempts.most} connections whose only request had been refused were still open "
        "when the client opened the next one, {attempts.beside} times",
        cause="The client opens a connection for each try, and closes none when its request has "
        "failed: it has to close it, or to use it for the next try.",
        source="Protocol.md, Connection Establishment; powersync-js pull request 238",
        healthy="Many programs at one address, each of which was refused.",
        guilty="client",
    ),
    Rule(
        id="RSK-B250",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that pile up, one for each request",
        on="end:spent",
        when="spent.beside >= SPENT_AGAIN and spent.reused is None",
        needs="",
        evidence="spent.latest_n, spent.beside_n",
        message="{spent.most} connections whose only request had been answered were still open "
        "when the client opened the next one, {spent.beside} times",
        cause="The client opens a connection for each request and closes none: each request leaves "
        "one more, which lives on KEEPALIVE. One connection carries all requests.",
        source="Protocol.md, Connection Establishment; spring-framework issue 25330",
        healthy="Many programs at one address, each of which has sent its first request, and each "
        "another one.",
        guilty="client",
    ),
    Rule(
        id="RSK-B248",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="items that come late and all at once, as many as were requested",
        on="end:stream",
        when="stream.held >= BATCHES and stream.prompt is None",
        needs="start whole both",
        evidence="stream.held_n, stream.n",
        message="{stream.held} times nothing came on stream {stream.id} for a second or more, and "
        "then all payloads that were requested at once; the last time after "
        "{stream.held_for:time}",
        cause="The responder collects items until the demand is met, so that each comes late: it "
        "has to send an item as soon as it is there.",
        source="Protocol.md, Flow Control: Reactive Streams Semantics; rsocket-java issue 1037",
        healthy="The responder reads its items in pages.",
        guilty="server",
    ),
    Rule(
        id="RSK-B249",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="KEEPALIVEs of a server next to those of its client",
        on="ratio:near_beats",
        needs="start whole both",
        message="{conn.near_beats_count} of {conn.near_beats_among} KEEPALIVEs that the server "
        "sent with the respond flag came within a quarter of the interval after one of the client",
        cause="The server has a timer with the client's interval: the client's KEEPALIVE has just "
        "shown that the connection lives, and the frames of the server double the traffic.",
        source="Protocol.md, KEEPALIVE Frame (0x03); rsocket-java issue 1128",
        healthy="A server that probes its client as well.",
        guilty="server",
    ),
)
"""Part of `all_rules`."""
