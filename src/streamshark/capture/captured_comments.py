"""The comments on packets of captures that are being read, by packet."""

from collections.abc import Sequence

from streamshark.capture.capture import Capture


class CapturedComments:
    """The comments of captures, in the order in which they are numbered."""

    def __init__(self, captures: Sequence[Capture]) -> None:
        self._captures = captures
        self._taken: dict[int, int] = {}
        """Number of the comments of each capture that were taken."""
        self._texts: dict[tuple[int, int], list[str]] = {}

    def of(self, place: tuple[int, int]) -> Sequence[str]:
        """Return the comments on a packet, by its file and number, that have been read so far."""
        file = place[0]
        comments = self._captures[file].comments
        if len(comments) != (taken := self._taken.get(file, 0)):
            for each in comments[taken:]:
                if each.kind == "packet":
                    self._texts.setdefault((file, each.number), []).append(each.text)
            self._taken[file] = len(comments)
        return self._texts.get(place, ())
