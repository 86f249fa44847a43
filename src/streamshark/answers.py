"""Responses of requests, found by one reading and added to the annotations of a second one."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from streamshark.dissection.row import FrameRow, Row


class KnownAnswers(NamedTuple):
    """The responses to requests, as a first reading of the captures found them."""

    frames: dict[int, int]
    """Number of a request's frame to that of the first frame that answers it."""
    unanswered: Mapping[int, str]
    """Number of a frame that expects a response but has none, to the state of its conversation."""

    @classmethod
    def of(cls, rows: Iterable[Row], unanswered: Mapping[int, str]) -> Self:
        """Return the answers in annotated rows; `unanswered` is filled as they are read."""
        frames: dict[int, int] = {}
        for row in rows:
            annotation = row.annotation
            if (
                annotation is not None
                and annotation.request_frame is not None
                and isinstance(row, FrameRow)
            ):
                for each in annotation.answers or (annotation.request_frame,):
                    frames.setdefault(each, row.number)
        return cls(frames, unanswered)

    def note(self, row: FrameRow) -> None:
        """Add to the annotation of a row its response, or that there is none."""
        annotation = row.annotation
        answer = self.frames.get(row.number)
        unanswered = "" if answer is not None else self.unanswered.get(row.number, "")
        if annotation is not None and (answer is not None or unanswered):
            row.annotate(annotation.but(response_frame=answer, unanswered=unanswered))
