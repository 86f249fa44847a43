"""A reading that is saved and restored between files gives the same rows as one without a break."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.packets import packets, recorded, rotated
from tests.splits.test_partition import told

from streamshark import checkpoint, table_cache
from streamshark.analysis import Analysis
from streamshark.capture import open_capture
from streamshark.checkpoint import SharedObjects, restored, saved
from streamshark.conversations.state import NO_TROUBLE
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.session import Session

CAPTURES = recorded(
    "rabbitmq_stream/bug_credit_never_renewed",
    "rabbitmq_stream/cluster_leader_stops",
    "rabbitmq_stream/deduplication_java",
    "rabbitmq_stream/starts_mid_frame",
    "rsocket/asks_websocket_deflate_js",
    "rsocket/bug_fragment_not_continued",
    "rsocket/bug_lease_expired",
    "nats/routes_py",
    "liftbridge/plain_go",
    "pravega/keep_alive_java",
)


def known(row: Row) -> tuple[object, ...]:
    """Return a row and its annotations without packet numbers, which begin anew in each file."""
    word = row.annotation
    about = word and (word.conversation, word.request_frame, word.response_time_ns,
                      dict(word.context))  # fmt: skip
    number = row.number if isinstance(row, FrameRow) else None
    return (row.time_ns, row.offset, row.side, repr(told(row)[8:]), number, repr(about))


def analysed() -> tuple[Session, Analysis]:
    """Return the analysis of a session that has read nothing."""
    session = Session(())
    return session, session.analysis(rules=True, conversations=True)


def outcome(analysis: Analysis) -> tuple[list[str], list[str]]:
    """Return the conversations that have ended, and the findings."""
    findings = [
        (each.rule, each.message, each.flow, each.frames, each.count)
        for each in analysis.findings()
    ]
    return list(map(repr, analysis.ended())), list(map(repr, findings))


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: Path(path).parent.name)
def test_a_reading_goes_on(tmp_path: Path, path: str) -> None:
    """Rows, numbers, conversations and findings are the same with a state after each file."""
    goes_on(rotated(tmp_path, packets(path), 5))


def test_names_do_not_depend_on_what_was_read() -> None:
    """Names in a state do not depend on what a process has read before."""
    for path in CAPTURES:
        session = Session([path])
        for _ in session.analysis(rules=True, conversations=True).rows():
            pass
    code = "from tests.test_checkpoint import names; print(*names(), sep='\\n')"
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[1],
    )  # fmt: skip
    checkpoint._known_objects.clear()
    assert names() == fresh.stdout.splitlines()


def names() -> list[str]:
    """Return the names that this process gives to objects in a state."""
    return sorted(SharedObjects(Session(()).dissector, judged=True).objects)


def goes_on(paths: list[str]) -> None:
    """Compare a reading that is saved and restored between files with one without a break."""
    session = Session(paths)
    analysis = session.analysis(rules=True, conversations=True)
    wanted = [known(row) for row in analysis.rows()]
    wanted_ends = outcome(analysis)

    rows, ends, left = [], ([], []), None
    for at, each in enumerate(paths):
        session, analysis = analysed()
        if left is not None:
            restored(left, session, analysis)
        session.captures.append(open_capture(each, at))
        rows += [known(row) for row in analysis.seen(session.read())]
        for ended, more in zip(ends, outcome(analysis), strict=True):
            ended.extend(more)
        left = saved(session, analysis)
    rows += [known(row) for row in analysis.seen(session.finish())]
    analysis.finish()
    for ended, more in zip(ends, outcome(analysis), strict=True):
        ended.extend(more)

    assert sorted(rows) == sorted(wanted)
    assert [sorted(each) for each in ends] == [sorted(each) for each in wanted_ends]


def test_restored_connections_count_apart(tmp_path: Path) -> None:
    """No two sides have one record of trouble, to which the next zero window is added."""
    (path,) = recorded("rabbitmq_stream/cluster_leader_stops")
    session, analysis = analysed()
    session.captures.append(open_capture(rotated(tmp_path, packets(path), 2)[0]))
    for _ in analysis.seen(session.read()):
        pass
    state = saved(session, analysis)
    session, analysis = analysed()
    restored(state, session, analysis)
    sides = [side for conn in analysis.engine.open.values() for side in conn.sides]
    records = [side.trouble for side in sides if side.trouble is not NO_TROUBLE]
    assert len(sides) > 2
    assert len({id(each) for each in records}) == len(records)


def test_a_state_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state of another version, or with other protocols, is refused."""
    session, analysis = analysed()
    session.captures.append(open_capture(CAPTURES[0]))
    for _ in analysis.seen(session.read()):
        pass
    left = saved(session, analysis)
    other = Session((), protocols=())
    with pytest.raises(StreamsharkError, match="other protocols"):
        restored(left, other, other.analysis(rules=True))
    monkeypatch.setattr(checkpoint, "__version__", "0.0.0")
    with pytest.raises(StreamsharkError, match="written by Streamshark"):
        restored(left, *analysed())


def test_a_state_has_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state has no tables; each process compiles its own, also those of embedded records.

    Otherwise a state would be larger for each protocol whose tables its process has compiled.
    """
    monkeypatch.setattr(table_cache, "_stores", {})
    with Failures() as failures:
        for path in CAPTURES:
            with failures.of(path):
                session = Session([path])
                analysis = session.analysis(rules=True, conversations=True)
                rows = analysis.rows()
                assert next(rows).connection
                assert b"conversations.resolve" not in saved(session, analysis)
