"""What the engine of conversations knows of a row: the end of its line, lines of its tree, JSON."""

import json
from collections.abc import Mapping
from typing import Any, Final

from streamshark.conversations.conversation import Told
from streamshark.conversations.describing import duration
from streamshark.views.arguments import plain
from streamshark.views.escaping import json_safe, printable

MOST_CONTEXTS: Final = 1024
"""Contexts that are kept as JSON; they are shared by many rows."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode


def ending(told: Told | None) -> str:
    """What a line ends with: ` -> 88, 3.1 ms` for an answer; empty for other rows.

    Where captures are read twice also ` <- 91`, the frame that answers.
    """
    if told is None:
        return ""
    out = ""
    if told.request_frame is not None:
        out = f" -> {told.request_frame}"
        if told.response_time_ns is not None:
            out += f", {duration(told.response_time_ns)}"
    return out if told.response_frame is None else f"{out} <- {told.response_frame}"


def sentences(told: Told | None) -> list[str]:
    """Lines of a tree, which no byte of the frame says."""
    if told is None:
        return []
    out = []
    if told.conversation is not None:
        out.append(f"conversation {told.conversation}")
    if told.request_frame is not None:
        took = told.response_time_ns
        after = "" if took is None else f", {duration(took)} after it"
        out.append(f"answers frame {told.request_frame}{after}")
    if told.response_frame is not None:
        out.append(f"answered by frame {told.response_frame}")
    known = (f"{name} {plain(value)}" for name, value in told.context.items())
    return [*out, *([text] if (text := ", ".join(known)) else [])]


class ToldMembers:
    """The members of the JSON from `conversation` on, `response_frame` only where `twice`."""

    def __init__(self, *, twice: bool = False) -> None:
        self.twice = twice
        self._contexts: dict[int, tuple[Mapping[str, Any], str]] = {}

    def __call__(self, told: Told | None) -> str:
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

    def _context(self, context: Mapping[str, Any]) -> str:
        found = self._contexts.get(id(context))
        if found is None:
            if len(self._contexts) >= MOST_CONTEXTS:
                self._contexts.clear()
            found = self._contexts[id(context)] = (context, context_json(context))
        return found[1]


def context_json(context: Mapping[str, Any]) -> str:
    """A context as a JSON object."""
    members = {
        name: printable(value) if isinstance(value, str) else value
        for name, value in context.items()
    }
    return json_safe(_encode(members))
