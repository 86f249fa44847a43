"""Opening captures, going through them, and how that ends."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakSet

import click
import pytest
from tests.cli.console import PARROT, call
from tests.failures import Failures
from tests.madeup import parrot_traffic
from tests.recorded.index import ROOT

from streamshark.cli.output import DAMAGED, INTERRUPTED
from streamshark.cli.run import Ending, ended, reading, through
from streamshark.conversations.engine import Engine
from streamshark.conversations.program import Program
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import Row
from streamshark.errors import StreamsharkError
from streamshark.session import Session

GIVEN = {"more": (), "files": (), "paths": (), "decode_as": {}, "dialects": {}, "limit": None,
         "keylog": None, "preferences": ()}  # fmt: skip


def test_sources_are_named() -> None:
    """Some, and standard input at most once."""
    with pytest.raises(click.UsageError, match="no input: name a capture"), reading(GIVEN):
        pass
    with pytest.raises(click.UsageError, match="once"), reading({**GIVEN, "files": ("-", "-")}):
        pass


def test_a_session_is_opened_and_closed(tmp_path: Path) -> None:
    """Options become a session; `-r` stands before what follows."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    other = parrot_traffic.write(tmp_path, parrot_traffic.talk(), name="other.pcap")
    given = {**GIVEN, "more": (other,), "files": (path,), "limit": 3}

    with reading(given) as session:
        assert [each.name for each in session.captures] == [other, path]
        assert (session.limit, session.live) == (3, False)
    with reading(given, live=True) as session:
        assert session.live


def test_every_row_is_handed_over(tmp_path: Path) -> None:
    """In order; nothing is said where nothing is wrong."""
    session = parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk()))
    rows: list[Row] = []

    ending = through(session.rows(), rows.append)

    assert ending == Ending()
    assert len(rows) == 8
    assert ended(session, ending, strict=True, problems=0) == 0


@pytest.mark.parametrize("error", [StreamsharkError("no"), KeyboardInterrupt()], ids=repr)
def test_an_early_end_keeps_what_was_read(error: BaseException, tmp_path: Path) -> None:
    """What comes of it is said once the output is written."""
    session = parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk()))
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
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    session = parrot_traffic.session(path)
    ending = through(session.rows(), len_of)
    assert ended(session, ending, strict=True, problems=1) == DAMAGED
    assert ended(session, ending, strict=False, problems=1) == 0

    Path(path).write_bytes(Path(path).read_bytes()[:-5])
    session = parrot_traffic.session(path)
    ending = through(session.rows(), len_of)
    assert ended(session, ending, strict=True, problems=0) == DAMAGED


def len_of(_row: Row) -> None:
    """Nothing is done with it."""


def test_readings_leave_nothing_in_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many commands have run: what they made can be collected, and is now and then."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    made: WeakSet[Any] = WeakSet()
    for kind in (Connection, Engine, Program, Session):
        noted(monkeypatch, kind, made)
    left = []
    for _ in range(50):
        call(monkeypatch, "check", *PARROT, path)
        left.append(len(made))

    assert max(left[2:]) <= max(left[:2])


def noted(monkeypatch: pytest.MonkeyPatch, kind: type, made: WeakSet[Any]) -> None:
    """Note every object of a kind that is made."""
    begin = kind.__init__  # type: ignore[misc]

    def init(self: object, *given: object, **more: object) -> None:
        begin(self, *given, **more)
        made.add(self)

    monkeypatch.setattr(kind, "__init__", init)


TYPED = str(ROOT / "captures/rsocket/composite_metadata_java/traffic.pcapng")
"""A capture whose streams announce types of their own in composite metadata."""
JUDGING = (
    ("diagram",), ("explain",), ("stats", "-z", "expert"), ("read", "-2"),
    ("conversations", "--follow", "0-4-connection"),
)  # fmt: skip
"""Commands that show all findings."""


def test_every_command_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where rules need bodies, or what metadata announces; the overview shows the first."""
    expected = rules_in(call(monkeypatch, "check", TYPED).out)
    shown = rules_in(call(monkeypatch, "overview", TYPED).out)

    assert set() < shown <= expected
    with Failures() as failures:
        for command in JUDGING:
            with failures.of(" ".join(command)):
                assert rules_in(call(monkeypatch, *command, TYPED).out) == expected
    filtered = call(monkeypatch, "read", "-Y", 'finding.rule == "RSK-M7"', TYPED)
    assert (filtered.code, filtered.out) == (0, "")


def rules_in(text: str) -> set[str]:
    """Return the ids of rules that a text names."""
    return set(re.findall(r"RSK-\w+", text))
