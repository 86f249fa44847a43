"""Which frame answers which: found by one reading, written to the rows of a second one."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from streamshark.dissection.row import FrameRow, Row


class KnownAnswers(NamedTuple):
    """The responses to requests, as a first reading of the captures found them."""

    frames: dict[int, int]
    """The number of a frame to that of the first frame that answers it."""
    unanswered: Mapping[int, str]
    """The number of a frame that has no response but expects one, to the state of its
    conversation."""

    @classmethod
    def of(cls, rows: Iterable[Row], unanswered: Mapping[int, str]) -> Self:
        """Return the answers that annotated rows show; `unanswered` is filled as they are read."""
        frames: dict[int, int] = {}
        for row in rows:
            told = row.annotation
            if told is not None and told.request_frame is not None and isinstance(row, FrameRow):
                for each in told.answers or (told.request_frame,):
                    frames.setdefault(each, row.number)
        return cls(frames, unanswered)

    def note(self, row: FrameRow) -> None:
        """Add to the annotation of a row what answers it, or that nothing does."""
        told = row.annotation
        answer = self.frames.get(row.number)
        unanswered = "" if answer is not None else self.unanswered.get(row.number, "")
        if told is not None and (answer is not None or unanswered):
            row.annotation = told.but(response_frame=answer, unanswered=unanswered)
