"""Comments on packets: those that captures have, and those that the user adds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from streamshark.capture.commenting import commented
from streamshark.capture.output_file import OutputFile, is_source
from streamshark.conversations.units import counted
from streamshark.errors import StreamsharkError
from streamshark.index.reader import Index

LONGEST: Final = 0xFFFF
"""Most bytes of a comment in a pcapng."""

Place = tuple[int, int]
"""Number of a file, and of a packet in it."""


class PacketComments:
    """The comments on the packets of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._count = 0
        """Number of the comments of captures that were taken."""
        self._captured: dict[Place, list[str]] = {}
        self.own: dict[Place, str] = {}
        """What the user has added."""
        self.is_saved = True
        """Whether all that the user has added was saved."""
        self._edits = 0

    @property
    def changes(self) -> tuple[int, int]:
        """What changes when a packet has other comments."""
        return self._index.comment_count, self._edits

    def of(self, place: Place) -> Sequence[str]:
        """Return the comments on a packet, the user's last."""
        self._take()
        own = self.own.get(place)
        return [*self._captured.get(place, ()), *([] if own is None else [own])]

    def places(self) -> set[Place]:
        """Return the packets with comments."""
        self._take()
        return self._captured.keys() | self.own.keys()

    def _take(self) -> None:
        """Take the comments of captures that have come."""
        if self._count == self._index.comment_count:
            return
        self._captured.clear()
        for each in self._index.comments():
            if each.kind == "packet":
                self._captured.setdefault((each.file, each.number), []).append(each.text)
        self._count = self._index.comment_count

    def put(self, place: Place, text: str) -> None:
        """Set the user's comment on a packet.

        Raises:
            StreamsharkError: It is too long.
        """
        if len(text.encode(errors="replace")) > LONGEST:
            raise StreamsharkError(f"a comment has at most {LONGEST:,} bytes")
        self.own[place] = text
        self._edits += 1
        self.is_saved = False

    def remove(self, place: Place) -> None:
        """Remove the user's comment on a packet.

        Raises:
            StreamsharkError: There is none.
        """
        if place not in self.own:
            raise StreamsharkError("this packet has no comment of yours")
        del self.own[place]
        self._edits += 1
        self.is_saved = not self.own

    def save(self, name: str) -> str:
        """Write a copy of the captures with the user's comments; return a sentence about it.

        Raises:
            StreamsharkError: It cannot be written, or the captures cannot be read again.
        """
        names = self._index.names
        lost = [each for each in names if not Path(each).is_file()]
        if lost:
            raise StreamsharkError(f"{lost[0]} cannot be read again, so there is no copy of it")
        if is_source(name, names):
            raise StreamsharkError(f"{name} is one of the captures: choose another name")
        own = dict(self.own)
        with OutputFile(name) as file:
            for each in commented(names, {place: [text] for place, text in own.items()}):
                file.write(each)
            file.commit()
        self.is_saved = self.own == own
        return f"saved with {counted(len(own), 'new comment')}, secrets included: {name}"
