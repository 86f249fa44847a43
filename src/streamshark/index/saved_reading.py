"""The state of a reading, saved beside its index, to continue it."""

import pickle
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from streamshark.analysis import Analysis
from streamshark.capture.followed_file import FollowedFile
from streamshark.capture.source import StreamSource
from streamshark.checkpoint import restored, saved
from streamshark.index.columns import IndexDamageError, replace
from streamshark.index.layout import (
    DETAILS,
    EVENTS,
    MARK,
    ROWS,
    IndexProgress,
    read_json,
    write_json,
)
from streamshark.session import Session
from streamshark.splits.inputs import part_of

if TYPE_CHECKING:
    from streamshark.capture import Capture

MOST_BYTES: Final = 256 << 20
"""Most bytes of a saved state."""


class SavedReading:
    """The last saved state of the reading of one capture."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._about = folder / "saved.json"
        self._state = folder / "saved.state"
        self._marks = folder / "saved.mark"

    def save(self, session: Session, analysis: Analysis, progress: IndexProgress) -> None:
        """Save a reading, everything of which is committed."""
        reader = pickle.dumps(session.captures[-1].bookmark())
        state = pickle.dumps((reader, saved(session, analysis)))
        if len(state) > MOST_BYTES:
            return
        marks = (self.folder / f"rows.{MARK}").read_bytes()[: progress.rows]
        self._about.unlink(missing_ok=True)
        replace(self._state, len(state), state)
        replace(self._marks, len(marks), marks)
        about = {"progress": progress._asdict(), "digest": _digest(state, marks)}
        write_json(self._about, about)

    def progress(self) -> IndexProgress | None:
        """Return how far the index was; None without a sound state."""
        try:
            about = read_json(self._about)
            state, marks = self._state.read_bytes(), self._marks.read_bytes()
            progress = IndexProgress(**about["progress"])
            columns = [self.folder / f"rows.{name}" for name in (*ROWS, EVENTS, DETAILS)]
            is_whole = about["digest"] == _digest(state, marks) and all(map(Path.exists, columns))
        except (IndexDamageError, OSError, KeyError, TypeError):
            return None
        return progress if is_whole else None

    def put_marks_back(self) -> None:
        """Give the rows the marks that they had."""
        marks = self._marks.read_bytes()
        replace(self.folder / f"rows.{MARK}", len(marks), marks)

    def state(self) -> tuple[bytes, bytes]:
        """Return the saved reader of the capture, and the state of the session."""
        reader, state = pickle.loads(self._state.read_bytes())  # noqa: S301 - a file of the user's own
        return reader, state


def restore(reading: SavedReading, session: Session, analysis: Analysis) -> None:
    """Put a session and its analysis, which have read nothing, where the saved ones were."""
    mark, state = reading.state()
    capture: Capture = pickle.loads(mark)  # noqa: S301 - a file of the user's own
    name = session.captures[0].name
    session.close()
    restored(state, session, analysis)
    source = FollowedFile(name) if session.live else part_of(name, 0)
    if isinstance(source, StreamSource):
        source.seek(capture.reached)
    session.captures.append(capture.resumed(source, file=0))


def _digest(*parts: bytes) -> str:
    """Return a digest of bytes."""
    made = blake2b(digest_size=16)
    for each in parts:
        made.update(each)
    return made.hexdigest()
