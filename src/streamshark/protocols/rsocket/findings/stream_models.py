"""Which frames each side of a stream may send, for each interaction model, and rules about others.

The requester is the side that opened the stream. While its request is in fragments, it sends them
as PAYLOAD; a channel has payloads of both sides. A frame of the peer that ends a stream may cross
with others: only what follows some time later is named.

Source: Protocol.md, "Stream Sequences and Lifetimes"; CANCEL by the responder of a channel, which
the document leaves out, is sent by every implementation.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

SOURCE: Final = "Protocol.md, Stream Sequences and Lifetimes"
FRAMES: Final = ("payload", "request_n", "cancel", "error")
"""Frames on a stream that is open."""


class Model(NamedTuple):
    """The frames that the two sides of one kind of stream may send while it is open."""

    requester: str
    responder: str


MODELS_OF_STREAMS: Final = {
    "request_response": Model("cancel", "payload error"),
    "request_fnf": Model("cancel", ""),
    "request_stream": Model("request_n cancel", "payload error"),
    "request_sub": Model("request_n cancel", "payload error"),
    "request_channel": Model("payload request_n cancel error", "payload request_n cancel error"),
}
"""The first frame of a stream to what may follow; fragments of the request are not listed."""
HELD: Final = {
    ("request_fnf", "responder"): "RSK-S6",
    ("request_response", "responder", "cancel"): "RSK-S14",
    ("request_stream", "responder", "cancel"): "RSK-S14",
    ("request_sub", "responder", "cancel"): "RSK-S14",
}
"""Combinations that other rules hold, to the rule."""
_CAUSES: Final = {
    "payload": "After its request, only the requester of a channel sends payloads; the responder "
    "ignores others, and their data is lost.",
    "error": "The requester of this model ends a stream with CANCEL.",
    "request_n": "This side receives no further payloads that it could request.",
}


def not_allowed() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield frame, side and models of the combinations that are not allowed and no rule holds."""
    for frame, (at, side) in product(FRAMES, enumerate(Model._fields)):
        models = tuple(
            model
            for model, sides in MODELS_OF_STREAMS.items()
            if frame not in sides[at].split()
            and not HELD.keys() & {(model, side), (model, side, frame)}
        )
        if models:
            yield frame, side, models


def _rule(frame: str, side: str, models: tuple[str, ...]) -> Rule:
    """Return the rule for a frame that one side of some models does not send."""
    is_requester = side == "requester"
    fragment = " and stream.asking == 0" if frame == "payload" else ""
    return Rule(
        id="RSK-S21" if frame == "payload" else "RSK-S21b",
        severity=Severity.ERROR if frame == "payload" else Severity.WARNING,
        group=Group.SEQUENCE,
        title="PAYLOAD from the requester outside REQUEST_CHANNEL"
        if frame == "payload"
        else "stream frame from the wrong side of a stream",
        on=frame,
        when=f"stream.model in {models!r} and side {'==' if is_requester else '!='} stream.owner "
        f"and stream.closer_n is None{fragment}",
        needs="object",
        evidence="n, stream.n",
        message=f"the {side} sent {{name}} on stream {{stream.id}}, which began with "
        "{stream.model}",
        cause=_CAUSES[frame],
        source=SOURCE,
    )


MODELS: Final = (
    *(_rule(*each) for each in not_allowed()),
    Rule(
        id="RSK-S22",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="REQUEST_N or CANCEL after the end of a stream",
        on="request_n cancel",
        when="t > stream.ended_t + CROSSING and stream.model != 'request_fnf' and "
        "(stream.state == 'done' or stream.state in ('cancelled', 'failed') and "
        "stream.closer != side)",
        needs="object both",
        evidence="n, stream.ended_n, stream.n",
        worsens=True,
        message="{name} was sent on stream {stream.id} {t - stream.ended_t:time} after its end",
        cause="The sender does not forget the stream when it ends.",
        source="Protocol.md, Handling the Unexpected",
        healthy="The receiver ignores the frame.",
    ),
    Rule(
        id="RSK-S22b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="PAYLOAD long after the peer's CANCEL or ERROR",
        on="payload error",
        when="t > stream.ended_t + CROSSING and stream.state in ('cancelled', 'failed') and "
        "stream.closer != side and stream.model != 'request_response'",
        needs="object both",
        evidence="n, stream.closer_n, stream.n",
        message="{name} was sent on stream {stream.id} {t - stream.ended_t:time} after its peer "
        "ended it in frame {stream.closer_n}",
        cause="The sender ignores CANCEL or ERROR, and continues to work for a stream that is "
        "over.",
        source=SOURCE,
        echo_of="RSK-B47",
    ),
)
"""Rules about frames that a stream's model, or its end, does not allow."""
