"""Rules about KEEPALIVE: intervals, answers, positions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import HASTY

_ANSWER: Final = "coalesce(min(KEEPALIVE_ANSWER, conn.max_lifetime * 500000), KEEPALIVE_ANSWER)"
"""Time within which KEEPALIVE is answered."""
_ANSWERED: Final = "(S.answered_t if req.side == C.side else C.answered_t)"
"""When the side that does not answer has answered last."""
_SKIPPED: Final = "(S.answered_of_t if req.side == C.side else C.answered_of_t) > req.t"
"""Whether it has answered a later KEEPALIVE than this one."""
_SAID: Final = (
    "coalesce((S.last_t if req.side == C.side else C.last_t), coalesce(conn.setup_t, conn.t))"
)
"""When the side that does not answer has sent its last frame."""
_IS_PAUSE: Final = (
    f"{_SAID} <= req.t and (t - {_SAID}) * 10 < conn.max_lifetime * 9000000 or "
    "conn.hasty_n is not None"
)
"""It sends nothing at all, for less than the max lifetime: it may have paused."""
_NAMES_IT: Final = " or ".join(
    f"between(error_data, '{word}', '') is not None"
    for word in ("keep-alive", "keepalive", "KEEPALIVE", "Keep-alive", "KeepAlive")
)
"""Words of an ERROR that names a missing KEEPALIVE as its reason."""

KEEPALIVES: Final = (
    Rule(
        id="RSK-K1",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="late KEEPALIVE",
        on="repetition:late_beat",
        needs="since",
        per="client, server, conn.keepalive",
        evidence="coalesce(C.keepalive_n, conn.setup_n)",
        message="the client has sent no KEEPALIVE for {LATE_KEEPALIVES} times the interval of "
        "{conn.keepalive} ms in SETUP",
        cause="The client, or its keepalive timer, has stopped. It is a note if KEEPALIVE comes "
        "later.",
        by="'busy' if C.last_n > coalesce(C.keepalive_n, conn.setup_n) else "
        "'never' if C.keepalive_n is None else 'stopped'",
        causes={
            "busy": "The client sends other frames: it may send KEEPALIVE only when idle.",
            "never": "The client never sent KEEPALIVE.",
        },
        source="Protocol.md, KEEPALIVE Frame (0x03)",
    ),
    Rule(
        id="RSK-K8",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="KEEPALIVE less often than announced",
        on="repetition:slow_beats",
        when="conn.keepalive > 0",
        needs="since",
        evidence="n, C.slow_beats_first_n, conn.setup_n",
        message="{SLOW_LIMIT} KEEPALIVEs in a row came more than one and a half of the interval of "
        "{conn.keepalive} ms in SETUP after the one before; the last one "
        "{t - coalesce(C.beat_t, conn.setup_t):time} after it",
        cause="The client has another interval than it announces, such as a default, or its timer "
        "is held up.",
        source="Protocol.md, KEEPALIVE Frame (0x03); SETUP Frame (0x01)",
        healthy="Peers that look at the max lifetime only.",
        echo_of="RSK-K1",
    ),
    Rule(
        id="RSK-K2",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="unanswered KEEPALIVE",
        on="unanswered:keepalive",
        when=f"(t - max(req.t, coalesce({_ANSWERED}, 0)) > {_ANSWER} or "
        f"t - req.t > {_ANSWER} and {_SKIPPED}) and not ({_IS_PAUSE})",
        needs="since both",
        evidence="req.n",
        message="a KEEPALIVE from the {'client' if req.side == C.side else 'server'} was not "
        "answered within {t - req.t:time}",
        cause="The peer that does not answer will be considered dead.",
        by="'other' if conn.orphans > 0 else 'none'",
        causes={
            "other": "A KEEPALIVE without the respond flag arrived with other data: an answer "
            "repeats the data of the request.",
        },
        source="Protocol.md, KEEPALIVE Frame (0x03)",
        echo_of="RSK-B246",
    ),
    Rule(
        id="RSK-K10",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connection ended long before the max lifetime for want of a KEEPALIVE",
        on="error",
        when=f"{HASTY} and t - me.awaited_t > KEEPALIVE_ANSWER and ({_NAMES_IT})",
        needs="start whole both",
        evidence="n, conn.setup_n, me.awaited_n",
        message="the {sender} ended the connection {t - me.awaited_t:time} after a KEEPALIVE that "
        "was not answered ({error_data}), although SETUP has a max lifetime of "
        "{conn.max_lifetime} ms",
        cause="A timeout of its own, which SETUP does not announce, is too short: each short "
        "pause of the peer ends a connection.",
        source="Protocol.md, KEEPALIVE Frame (0x03); SETUP Frame (0x01), Max Lifetime; "
        "rsocket-java issue 617",
        echo_of="RSK-K9",
    ),
    Rule(
        id="RSK-K9",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="late answer to KEEPALIVE",
        on="keepalive",
        when="not flags.respond and t - req.t > KEEPALIVE_ANSWER",
        needs="since both",
        of="conn",
        evidence="req.n, n",
        message="a KEEPALIVE of the {'client' if req.side == C.side else 'server'} was answered "
        "after {t - req.t:time}",
        cause="The peer was busy, such as with a handler that blocks its only thread; after the "
        "max lifetime the connection would have been ended.",
        source="Protocol.md, KEEPALIVE Frame (0x03)",
        healthy="A slow network.",
        echo_of="RSK-B246",
    ),
    Rule(
        id="RSK-K3",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="KEEPALIVE answer without a request",
        on="keepalive",
        when="not flags.respond and orphan",
        needs="start whole both",
        message="KEEPALIVE without the respond flag answers no open KEEPALIVE with this data",
        cause="The respond flag is missing, or the data of the request is not repeated.",
        source="Protocol.md, KEEPALIVE Frame (0x03)",
    ),
    Rule(
        id="RSK-B164",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="KEEPALIVE without an answer when its connection ended",
        on="unanswered:keepalive",
        when="why in ('closed', 'reset') and "
        f"req.n < (S.last_n if req.side == C.side else C.last_n) and t - req.t <= {_ANSWER}",
        needs="since both whole",
        of="conn",
        evidence="req.n",
        message="a KEEPALIVE of the {'client' if req.side == C.side else 'server'} had no answer "
        "when the connection ended, {t - req.t:time} after it, although its peer sent other frames",
        cause="The peer answers KEEPALIVE late, not each time, or in the order of its other work.",
        source="Protocol.md, KEEPALIVE Frame (0x03)",
        healthy="A connection that ends at this moment.",
        echo_of="RSK-K2",
    ),
    Rule(
        id="RSK-B164b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="KEEPALIVE again before the answer to the one with the same data",
        on="keepalive",
        when="flags.respond and duplicate",
        needs="since both whole",
        of="conn",
        evidence="n, duplicate_of",
        message="the {sender} sent KEEPALIVE before the answer to the one in frame "
        "{duplicate_of}, with the same data",
        cause="The answer is late or lost, or two timers send KEEPALIVE: nothing shows which "
        "one an answer with these data is for.",
        source="Protocol.md, KEEPALIVE Frame (0x03)",
        healthy="An interval that is shorter than the round trip.",
        echo_of="RSK-K2 RSK-B4 RSK-B4b",
    ),
    Rule(
        id="RSK-K4",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="position in KEEPALIVE without resumption",
        on="keepalive",
        when="last_received_position > 0 and not conn.resumable",
        needs="",
        message="KEEPALIVE has position {last_received_position}, but SETUP does not ask for "
        "resumption",
        cause="",
        healthy="Peers use the position only for resumption.",
        source="Protocol.md, KEEPALIVE Frame (0x03), which says both that it is above 0 and 0",
    ),
    Rule(
        id="RSK-K7",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="large KEEPALIVE data",
        on="keepalive",
        when="flags.respond and len(data) > LARGE_BEAT",
        needs="",
        message="KEEPALIVE has {len(data):count byte} of data, which the peer must return",
        cause="The data only matches an answer with its request: a few bytes are enough.",
        source="Protocol.md, KEEPALIVE Frame (0x03)",
        healthy="A peer that measures the transport with large frames.",
    ),
    Rule(
        id="RSK-K5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing position in KEEPALIVE",
        on="keepalive",
        when="last_received_position < me.position and conn.resumable",
        needs="",
        message="position {last_received_position} was sent after {me.position}",
        cause="",
        by="'echoed' if last_received_position == peer.position else 'other'",
        causes={
            "echoed": "The sender returns the position that it received instead of its own.",
        },
        source="Protocol.md, KEEPALIVE Frame (0x03) and Resume Operation",
    ),
)
