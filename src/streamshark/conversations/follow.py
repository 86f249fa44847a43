"""Rows of one conversation, or of some connections (Follow Stream)."""

import re
from collections.abc import Iterable
from typing import Final

from streamshark.conversations.conversation import Conversation, Name
from streamshark.conversations.tables import Lifecycle
from streamshark.dissection.row import FrameRow, Row

_NAME = re.compile(r"(\d{1,9})-((?:\d{1,9}:)?\d{1,18}(?:\.\d{1,9})?)-(\w[\w -]{0,80})")
MOST_FRAMES: Final = 65_536
"""Most frames of one conversation that are remembered."""
MOST_NEAR: Final = 4
"""Most similar conversations that are named if the requested one does not exist."""


def parsed(text: str) -> Name | None:
    """Return the name that an id shows; None if the text is not an id.

    >>> parsed("0-18-publisher")
    Name(flow=0, start='18', type='publisher')
    """
    found = _NAME.fullmatch(text.strip())
    return Name(int(found[1]), found[2], found[3]) if found else None


def types_of_connections(tables: Iterable[Iterable[object]]) -> frozenset[str]:
    """Return the types of conversations that are connections; `tables` are those of protocols."""
    lifecycles = (each for table in tables for each in table if isinstance(each, Lifecycle))
    return frozenset({"connection", *(each.type for each in lifecycles if each.name == "conn")})


class ConversationRows:
    """Filter for the rows of one conversation, both sides; it must be given every row.

    Events of its connection while it lasts belong to it. `connections` are the types of
    conversations that are connections.
    """

    def __init__(self, name: Name, connections: frozenset[str]) -> None:
        self.name = name
        self.conversation: Conversation | None = None
        """The conversation, once it has ended."""
        self.near: dict[str, None] = {}
        """Ids of other conversations with frames of its first packet, or with the frame of that
        number."""
        self.seen = False
        """Whether the conversation exists."""
        self.frames: set[int] = set()
        """Numbers of its frames, at most `MOST_FRAMES`."""
        self._number = name.packet
        self._is_connection = name.type in connections
        self.flows = {name.flow}
        """Connections with frames of it."""
        self._met = False

    def takes(self, row: Row, ended: Iterable[Conversation]) -> bool:
        """Return whether a row belongs to it; `ended` are the conversations that it has ended."""
        taken = self._takes(row, ended)
        if taken and isinstance(row, FrameRow) and len(self.frames) < MOST_FRAMES:
            self.frames.add(row.number)
        return taken

    def find(self, ended: Iterable[Conversation]) -> None:
        """Set the conversation if it is among those that have ended."""
        id_ = str(self.name)
        self.conversation = next((each for each in ended if each.id == id_), self.conversation)

    def concerns(self, flow: int, conversation: str | None, guilty: int | None) -> bool:
        """Return whether a finding with this guilty frame concerns it."""
        is_own = conversation == str(self.name) or guilty in self.frames
        return is_own or (self._is_connection and flow == self.name.flow)

    def _takes(self, row: Row, ended: Iterable[Conversation]) -> bool:
        id_ = str(self.name)
        found = next((each for each in ended if each.id == id_), None)
        if found is not None:
            self.conversation = found
        if self._is_connection:
            return self._of_connection(row)
        annotation = row.annotation
        if not isinstance(row, FrameRow):
            lasts = self.seen and (self.conversation is None or found is not None)
            return lasts and row.connection.flow.number in self.flows
        if annotation is not None and self._number in (row.packet, row.number):
            names = (each for each in (annotation.name, annotation.part_of) if each is not None)
            self.near.update(dict.fromkeys(map(str, names)))
        if annotation is not None and self.name in (annotation.name, annotation.part_of):
            self.seen = True
            self.flows.add(row.connection.flow.number)  # a session may change connections
            return True
        return found is not None and row.number == found.last_frame

    def _of_connection(self, row: Row) -> bool:
        if row.connection.flow.number != self.name.flow:
            return False
        if isinstance(row, FrameRow) and not self._met:
            self._met = True
            name = self.name._replace(start=str(row.packet))
            self.seen = name == self.name
            if not self.seen:
                self.near[str(name)] = None
        return True


class FlowRows:
    """Filter for the rows of some connections, by number; of all if none is given."""

    def __init__(self, flows: Iterable[int] = ()) -> None:
        self.flows = frozenset(flows)
        self.seen = False
        """Whether there was a row."""

    def takes(self, row: Row, ended: Iterable[Conversation]) -> bool:  # noqa: ARG002 - the interface
        """Return whether a row belongs to one of the connections."""
        taken = not self.flows or row.connection.flow.number in self.flows
        self.seen |= taken
        return taken

    def concerns(self, flow: int, conversation: str | None, guilty: int | None) -> bool:  # noqa: ARG002
        """Return whether a finding concerns one of the connections."""
        return not self.flows or flow in self.flows
