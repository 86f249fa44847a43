"""A second reading of a capture shows the answers that the first one has found."""

from pathlib import Path

from tests.madeup import parrot_traffic

from streamshark.dissection.row import FrameRow
from streamshark.session import answers_of


def test_a_second_reading_knows_the_answers(tmp_path: Path) -> None:
    """A request shows the number of the frame that answers it."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    known = answers_of(parrot_traffic.session(path))
    rows = parrot_traffic.session(path).analysis(answers=known).rows()
    told = {row.number: row.annotation.response_frame for row in rows if isinstance(row, FrameRow)}

    assert known.frames
    assert {number: answer for number, answer in told.items() if answer} == known.frames
