"""Annotations of rows, which the engine computes: ends of lines, lines of trees, JSON."""

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
"""Most contexts that are cached as JSON; many rows share one."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


UNANSWERED: Final = {
    "unanswered": "No response seen",
    "open": "No response seen before the end of the captures",
    "unknown": "No response seen; it may be in missing bytes",
}
"""Sentence about an unanswered request, by the state of its call."""
MOST_ANSWERED: Final = 16
"""Most frames listed that one row answers."""


def ending(annotation: "Annotation | None") -> str:
    """Return the end of a line: ` -> 88, 3.1 ms` for a response; empty for other rows.

    If the captures are read twice, also ` <- 91`, the frame that responds.
    """
    if annotation is None:
        return ""
    out = ""
    if annotation.request_frame is not None:
        out = f" -> {_frames(annotation)}"
        if annotation.response_time_ns is not None:
            out += f", {duration(annotation.response_time_ns)}"
    if annotation.unanswered:
        out += f" [{UNANSWERED[annotation.unanswered].lower()}]"
    return out if annotation.response_frame is None else f"{out} <- {annotation.response_frame}"


def marks(row: Row) -> str:
    """Return the derived values that are shown in a line: ` [duplicate of 12]`."""
    found: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    texts: list[str] = []
    for each in found:
        mark = each.table.mark
        if mark and not each.doubt:
            text = _filled(mark, each.value, is_time=each.table.is_time)
            if mark[0] == " " and texts:
                texts[-1] += text
            else:
                texts.append(text.lstrip(" "))
    return "".join(f" [{each}]" for each in texts)


def all_derived(row: Row) -> str:
    """Return all derived values, for the end of a line: ` [Credit balance: 3]`."""
    found: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    return "".join(f" [{sentence(each)}]" for each in found if not each.doubt)


def sentences(row: Row) -> list[str]:
    """Return the generated lines of a tree."""
    annotation: Annotation | None = row.annotation
    derived: tuple[DerivedValue, ...] = getattr(row, "derived", ())
    out = [sentence(each) for each in derived]
    if annotation is None:
        return out
    if annotation.unanswered:
        out.insert(0, UNANSWERED[annotation.unanswered])
    if annotation.response_frame is not None:
        out.insert(0, f"Response in: {annotation.response_frame}")
    if annotation.request_frame is not None:
        took = annotation.response_time_ns
        if took is not None and all(each.value != took for each in derived):
            out.insert(0, f"Response time: {duration(took)}")
        out.insert(0, f"Request in: {_frames(annotation)}")
    if annotation.conversation is not None:
        out.insert(0, f"Conversation: {annotation.conversation}")
    known = (
        f"{name} {plain(value)}" for name, value in scrubbed_members(annotation.context).items()
    )
    return [*out, *([text] if (text := ", ".join(known)) else [])]


def sentence(found: "DerivedValue") -> str:
    """Return a derived value as text: `Credit balance: 3`."""
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


def _frames(annotation: "Annotation") -> str:
    """Return the numbers of the frames that a row answers."""
    if not annotation.answers:
        return str(annotation.request_frame)
    more = len(annotation.answers) - MOST_ANSWERED
    listed = ", ".join(map(str, annotation.answers[:MOST_ANSWERED]))
    return f"{listed} and {more} more" if more > 0 else listed


class AnnotationMembers:
    """A writer of the JSON members from `conversation` on; `twice` adds `response_frame`."""

    def __init__(self, *, twice: bool = False) -> None:
        self.twice = twice
        self._context = Contexts()

    def __call__(self, annotation: "Annotation | None") -> str:
        """Return the members, each preceded by a comma."""
        answer = ""
        if annotation is None:
            if self.twice:
                answer = ',"response_frame":null'
            return (
                f',"conversation":null,"request_frame":null,"response_time_ns":null{answer}'
                ',"context":{}'
            )
        name = annotation.name
        conversation = "null" if name is None else f'"{name.flow}-{name.start}-{name.type}"'
        request = "null" if annotation.request_frame is None else annotation.request_frame
        took = "null" if annotation.response_time_ns is None else annotation.response_time_ns
        if self.twice:
            frame = annotation.response_frame
            answer = f',"response_frame":{"null" if frame is None else frame}'
        return (
            f',"conversation":{conversation},"request_frame":{request},"response_time_ns":{took}'
            f'{answer},"context":{self._context(annotation.context)}'
        )


class Contexts:
    """Contexts as JSON, cached: many rows share one."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Mapping[str, Any], str]] = {}
        """By id of the context, which is kept as well, so that its id is not reused."""

    def __call__(self, context: Mapping[str, Any]) -> str:
        """Return one context as JSON."""
        found = self._known.get(id(context))
        if found is None:
            if len(self._known) >= MOST_CONTEXTS:
                self._known.clear()
            found = self._known[id(context)] = (context, context_json(context))
        return found[1]


def context_json(context: Mapping[str, Any]) -> str:
    """Return a context as a JSON object."""
    members = {
        name: printable(value) if isinstance(value, str) else value
        for name, value in scrubbed_members(context).items()
    }
    return json_safe(_encode(members))
