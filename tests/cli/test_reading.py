"""Opening captures, going through them, and how that ends."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.madeup import aviary

from streamshark.cli.output import DAMAGED, INTERRUPTED
from streamshark.cli.reading import Ending, ended, reading, through
from streamshark.errors import StreamsharkError
from streamshark.frames.frame import Row

GIVEN = {"more": (), "files": (), "paths": (), "decode_as": {}, "dialects": {}, "limit": None,
         "keylog": None}  # fmt: skip


def test_sources_are_named() -> None:
    """Some, and standard input at most once."""
    with pytest.raises(click.UsageError, match="nothing to read"), reading(GIVEN):
        pass
    with pytest.raises(click.UsageError, match="once"), reading({**GIVEN, "files": ("-", "-")}):
        pass


def test_a_session_is_opened_and_closed(tmp_path: Path) -> None:
    """Options become a session; `-r` stands before what follows."""
    path = aviary.write(tmp_path, aviary.talk())
    other = aviary.write(tmp_path, aviary.talk(), name="other.pcap")
    given = {**GIVEN, "more": (other,), "files": (path,), "limit": 3}

    with reading(given) as session:
        assert [each.name for each in session.captures] == [other, path]
        assert (session.limit, session.live) == (3, False)
    with reading(given, live=True) as session:
        assert session.live


def test_every_row_is_handed_over(tmp_path: Path) -> None:
    """In order; nothing is said where nothing is wrong."""
    session = aviary.session(aviary.write(tmp_path, aviary.talk()))
    rows: list[Row] = []

    ending = through(session.rows(), rows.append)

    assert ending == Ending()
    assert len(rows) == 8
    assert ended(session, ending, strict=True, problems=0) == 0


@pytest.mark.parametrize("error", [StreamsharkError("no"), KeyboardInterrupt()], ids=repr)
def test_an_early_end_keeps_what_was_read(error: BaseException, tmp_path: Path) -> None:
    """What comes of it is said once the output is written."""
    session = aviary.session(aviary.write(tmp_path, aviary.talk()))
    taken: list[Row] = []

    def rows() -> Iterator[Row]:
        yield next(session.rows())
        raise error

    ending = through(rows(), taken.append)

    assert len(taken) == 1
    if isinstance(error, StreamsharkError):
        with pytest.raises(StreamsharkError):
            ended(session, ending, strict=False, problems=0)
    else:
        assert ended(session, ending, strict=False, problems=0) == INTERRUPTED


def test_damage_counts_when_strict(tmp_path: Path) -> None:
    """Of rows, and of the file."""
    path = aviary.write(tmp_path, aviary.talk())
    session = aviary.session(path)
    ending = through(session.rows(), len_of)
    assert ended(session, ending, strict=True, problems=1) == DAMAGED
    assert ended(session, ending, strict=False, problems=1) == 0

    Path(path).write_bytes(Path(path).read_bytes()[:-5])
    session = aviary.session(path)
    ending = through(session.rows(), len_of)
    assert ended(session, ending, strict=True, problems=0) == DAMAGED


def len_of(_row: Row) -> None:
    """Nothing is done with it."""
