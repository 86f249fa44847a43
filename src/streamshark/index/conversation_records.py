"""Conversations as an index stores them: what their first and last frames say is left out."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from streamshark.conversations.conversation import (
    Conversation,
    ConversationTurn,
    TurnWithoutText,
    split_start,
)
from streamshark.index.plain_values import plain

TimeOf = Callable[[int], int]
"""Gets the time in ns of a frame by its number; 0 of a frame that there is not."""
NumberOf = Callable[[Mapping[str, Any]], int]
"""Gets the number of the record of what was known of a frame."""
TextOf = Callable[[int, int], str]
"""Gets the summary of a frame by its number, and the number of that record."""
PackedTurn = tuple[int, str, int | str]
"""Frame, command, and text; or instead of it the record of what was known of the frame."""
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
    request: PackedTurn | None
    """Its frame is counted from the first one."""
    outcome: PackedTurn | None
    """Its frame counted from the last."""
    measures: Mapping[str, Any]
    parent: str | None
    links: tuple[str, ...]


def packed_conversation(
    conversation: Conversation, time_of: TimeOf, known: NumberOf
) -> tuple[Any, ...]:
    """Return a conversation as plain values; `known` gives numbers of the contexts of turns."""
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
            request=_packed_turn(each.request, first, known),
            outcome=_packed_turn(each.outcome, last, known),
            measures={
                name: _AS_LONG if type(value) is int and value == duration else plain(value)
                for name, value in each.measures.items()
            },
            parent=each.parent,
            links=each.links,
        )
    )


class IndexedTurn(ConversationTurn):
    """A turn whose text is made of its frame each time it is asked for."""

    read: Callable[[], str]

    @property
    def text(self) -> str:
        """Summary of the request or its outcome, in a few words."""
        return self.read()


def unpacked_conversation(record: Sequence[Any], time_of: TimeOf, text_of: TextOf) -> Conversation:
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
        request=_turn(each.request, first, text_of),
        outcome=_turn(each.outcome, last, text_of),
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


def _packed_turn(turn: ConversationTurn | None, frame: int, known: NumberOf) -> PackedTurn | None:
    """Return a turn with its frame counted from another one."""
    if turn is None:
        return None
    what = known(turn.context) if isinstance(turn, TurnWithoutText) else turn.text
    return turn.frame - frame, turn.command, what


def _turn(packed: PackedTurn | None, frame: int, text_of: TextOf) -> ConversationTurn | None:
    """Return the turn that `_packed_turn` has packed."""
    if packed is None:
        return None
    number, what = packed[0] + frame, packed[2]
    if isinstance(what, str):
        return ConversationTurn(number, packed[1], what)
    turn = IndexedTurn(number, packed[1], "")
    turn.read = partial(text_of, number, what)
    return turn
