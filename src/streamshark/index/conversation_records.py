"""Conversations as an index stores them: what their first and last frames say is left out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from streamshark.conversations.conversation import Conversation, ConversationTurn, split_start
from streamshark.index.plain_values import plain

TimeOf = Callable[[int], int]
"""Gets the time in ns of a frame by its number; 0 of a frame that there is not."""
_AS_LONG: Final = ...
"""Stands for a measure that is the duration."""


class PackedConversation(NamedTuple):
    """A conversation as it is stored: small numbers, which compress well."""

    place: int | str
    """Packet in the id, less the first frame; the id itself if it has another form."""
    form: str
    """The rest of the start in the id, as `split_start` gives it."""
    protocols: tuple[str, ...]
    flows: tuple[int, ...]
    type: str
    correlation_id: int | str | None
    state: str
    first_frame: int
    frames: int
    """From the first frame to the last."""
    frame_count: int
    start: int
    """From the time of the first frame to the start."""
    duration_ns: int
    """Duration, less the time from the start to the last frame."""
    request: tuple[int, str, str] | None
    """Its frame counted from the first."""
    outcome: tuple[int, str, str] | None
    """Its frame counted from the last."""
    measures: Mapping[str, Any]
    parent: str | None
    links: tuple[str, ...]


def packed_conversation(conversation: Conversation, time_of: TimeOf) -> tuple[Any, ...]:
    """Return a conversation as plain values."""
    each, duration = conversation, conversation.duration_ns
    first, last = each.first_frame, each.last_frame
    place, form = _packed_id(each)
    return tuple(
        PackedConversation(
            place=place,
            form=form,
            protocols=each.protocols,
            flows=each.flows,
            type=each.type,
            correlation_id=plain(each.correlation_id),
            state=each.state,
            first_frame=first,
            frames=last - first,
            frame_count=each.frame_count,
            start=each.start - time_of(first),
            duration_ns=duration - (time_of(last) - each.start),
            request=_packed_turn(each.request, first),
            outcome=_packed_turn(each.outcome, last),
            measures={
                name: _AS_LONG if type(value) is int and value == duration else plain(value)
                for name, value in each.measures.items()
            },
            parent=each.parent,
            links=each.links,
        )
    )


def unpacked_conversation(record: Sequence[Any], time_of: TimeOf) -> Conversation:
    """Return the conversation that `packed_conversation` has packed."""
    each = PackedConversation(*record)
    first, last = each.first_frame, each.first_frame + each.frames
    start = time_of(first) + each.start
    duration = time_of(last) - start + each.duration_ns
    id_ = each.place
    if isinstance(id_, int):
        id_ = f"{each.flows[0]}-{each.form.format(id_ + first)}-{each.type}"
    return Conversation(
        id=id_,
        protocols=each.protocols,
        flows=each.flows,
        type=each.type,
        correlation_id=each.correlation_id,
        state=each.state,
        first_frame=first,
        last_frame=last,
        frame_count=each.frame_count,
        start=start,
        duration_ns=duration,
        request=_turn(each.request, first),
        outcome=_turn(each.outcome, last),
        measures={
            name: duration if value is _AS_LONG else value for name, value in each.measures.items()
        },
        parent=each.parent,
        links=each.links,
    )


def _packed_id(conversation: Conversation) -> tuple[int | str, str]:
    """Return the place and the form of an id; the id and no form if it is another one."""
    id_, end = conversation.id, f"-{conversation.type}"
    flow, _, rest = id_.partition("-")
    start = rest.removesuffix(end)
    if start == rest or [flow] != [str(each) for each in conversation.flows[:1]]:
        return id_, ""
    try:
        packet, form = split_start(start)
    except ValueError:
        return id_, ""
    return (packet - conversation.first_frame, form) if form.format(packet) == start else (id_, "")


def _packed_turn(turn: ConversationTurn | None, frame: int) -> tuple[int, str, str] | None:
    """Return a turn with its frame counted from another one."""
    return None if turn is None else (turn.frame - frame, turn.command, turn.text)


def _turn(packed: tuple[int, str, str] | None, frame: int) -> ConversationTurn | None:
    """Return the turn that `_packed_turn` has packed."""
    return None if packed is None else ConversationTurn(packed[0] + frame, *packed[1:])
