"""What the engine of conversations knows of a row: the end of its line, lines of its tree, JSON."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.units import duration
from streamshark.dissection.row import Row
from streamshark.schema.secrets import scrubbed_members
from streamshark.views.escaping import json_safe, printable
from streamshark.views.info_column import plain

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Annotation, DerivedValue

MOST_CONTEXTS: Final = 1024
"""Contexts that are kept as JSON; they are shared by many rows."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


UNANSWERED: Final = {
    "unanswered": "No response seen",
    "open": "No response seen before the captures end",
    "unknown": "No response seen; it may be in bytes that are missing",
}
"""State of a call to what is said of a request that nobody answers."""
MOST_ANSWERED: Final = 16
"""Frames that one row answers, as far as they are listed."""


def ending(told: "Annotation | None") -> str:
    """What a line ends with: ` -> 88, 3.1 ms` for an answer; empty for other rows.

    Where captures are read twice also ` <- 91`, the frame that answers.
    """
    if told is None:
        return ""
    out = ""
    if told.request_frame is not None:
        out = f" -> {_frames(told)}"
        if told.response_time_ns is not None:
            out += f", {duration(told.response_time_ns)}"
    if told.unanswered:
        out += f" [{UNANSWERED[told.unanswered].lower()}]"
    return out if told.response_frame is None else f"{out} <- {told.response_frame}"


def marks(row: Row) -> str:
    """What was worked out of a row and helps in its line: ` [duplicate of 12]`."""
    found: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    known = (each for each in found if each.table.mark and not each.doubt)
    return "".join(
        f" [{_filled(each.table.mark, each.value, is_time=each.table.is_time)}]" for each in known
    )


def all_derived(row: Row) -> str:
    """All that was worked out of a row, for the end of its line: ` [Credit balance: 3]`."""
    found: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    return "".join(f" [{sentence(each)}]" for each in found if not each.doubt)


def sentences(row: Row) -> list[str]:
    """Lines of a tree, which no byte of the frame says."""
    told: Annotation | None = row.annotation
    derived: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    out = [sentence(each) for each in derived]
    if told is None:
        return out
    if told.unanswered:
        out.insert(0, UNANSWERED[told.unanswered])
    if told.response_frame is not None:
        out.insert(0, f"Response in: {told.response_frame}")
    if told.request_frame is not None:
        took = told.response_time_ns
        if took is not None and all(each.value != took for each in derived):
            out.insert(0, f"Response time: {duration(took)}")
        out.insert(0, f"Request in: {_frames(told)}")
    if told.conversation is not None:
        out.insert(0, f"Conversation: {told.conversation}")
    known = (f"{name} {plain(value)}" for name, value in scrubbed_members(told.context).items())
    return [*out, *([text] if (text := ", ".join(known)) else [])]


def sentence(found: "DerivedValue") -> str:
    """A value worked out of a row: `Credit balance: 3`."""
    text = found.table.text
    if not found.doubt:
        return _filled(text, found.value, is_time=found.table.is_time)
    if "{" in text:
        return f"{_HOLE.sub('cannot be known', text)}, {found.doubt}"
    return f"{text}, but {found.doubt}"


_HOLE: Final = re.compile(r"\{(?::time)?\}")


def _filled(text: str, value: Any, *, is_time: bool) -> str:  # noqa: ANN401 - any value
    shown = duration(value) if is_time else str(value)
    return _HOLE.sub(lambda _: shown, text)


def _frames(told: "Annotation") -> str:
    """The frames that a row answers."""
    if not told.answers:
        return str(told.request_frame)
    more = len(told.answers) - MOST_ANSWERED
    listed = ", ".join(map(str, told.answers[:MOST_ANSWERED]))
    return f"{listed} and {more} more" if more > 0 else listed


class AnnotationMembers:
    """The members of the JSON from `conversation` on, `response_frame` only where `twice`."""

    def __init__(self, *, twice: bool = False) -> None:
        self.twice = twice
        self._context = Contexts()

    def __call__(self, told: "Annotation | None") -> str:
        """The members, each with a comma before it."""
        answer = ""
        if told is None:
            if self.twice:
                answer = ',"response_frame":null'
            return (
                f',"conversation":null,"request_frame":null,"response_time_ns":null{answer}'
                ',"context":{}'
            )
        name = told.name
        conversation = "null" if name is None else f'"{name.flow}-{name.frame}-{name.type}"'
        request = "null" if told.request_frame is None else told.request_frame
        took = "null" if told.response_time_ns is None else told.response_time_ns
        if self.twice:
            frame = told.response_frame
            answer = f',"response_frame":{"null" if frame is None else frame}'
        return (
            f',"conversation":{conversation},"request_frame":{request},"response_time_ns":{took}'
            f'{answer},"context":{self._context(told.context)}'
        )


class Contexts:
    """Contexts as JSON, remembered: many rows share one."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Mapping[str, Any], str]] = {}
        """By the id of what is also kept here, so that the id stays its own."""

    def __call__(self, context: Mapping[str, Any]) -> str:
        """One of them."""
        found = self._known.get(id(context))
        if found is None:
            if len(self._known) >= MOST_CONTEXTS:
                self._known.clear()
            found = self._known[id(context)] = (context, context_json(context))
        return found[1]


def context_json(context: Mapping[str, Any]) -> str:
    """A context as a JSON object."""
    members = {
        name: printable(value) if isinstance(value, str) else value
        for name, value in scrubbed_members(context).items()
    }
    return json_safe(_encode(members))
