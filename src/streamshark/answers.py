"""What only a whole reading knows of a frame, added to the annotations of a second one.

These are the responses to requests, and the findings whose evidence a frame is.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from streamshark.conversations.conversation import Annotation
from streamshark.dissection.row import FrameRow, Row

if TYPE_CHECKING:
    from streamshark.findings.finding import Finding


class KnownAnswers(NamedTuple):
    """The responses to requests, as a first reading of the captures found them."""

    frames: dict[int, int]
    """Number of a request's frame to that of the first frame that answers it."""
    unanswered: Mapping[int, str]
    """Number of a frame that expects a response but has none, to the state of its conversation."""
    findings: dict[int, tuple[str, ...]]
    """Number of a frame to the rules of the findings whose evidence it is."""

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
        return cls(frames, unanswered, {})

    def add(self, findings: "Iterable[Finding]") -> None:
        """Add the frames that are evidence of findings."""
        for each in findings:
            for frame in each.frames:
                known = self.findings.get(frame, ())
                if each.rule not in known:
                    self.findings[frame] = (*known, each.rule)

    def note(self, row: FrameRow) -> None:
        """Add to the annotation of a row its response, or that there is none, and its findings."""
        if found := self.findings.get(row.number, ()):
            row.annotate((row.annotation or Annotation(None)).but(findings=found))
        annotation = row.annotation
        answer = self.frames.get(row.number)
        unanswered = "" if answer is not None else self.unanswered.get(row.number, "")
        if annotation is not None and (answer is not None or unanswered):
            row.annotate(annotation.but(response_frame=answer, unanswered=unanswered))
