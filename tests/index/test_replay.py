"""Derived values and answers of a row of an index are those of a reading."""

from pathlib import Path

from tests.packets import recorded

from streamshark.dissection.row import FrameRow
from streamshark.index.build import IndexBuilder
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.replay import with_derived
from streamshark.views.annotations import all_derived, sentences


def test_derived(tmp_path: Path) -> None:
    """Those of each frame, in any order."""
    paths = recorded("rabbitmq_stream/bug_credit_never_renewed", "rsocket/bug_lease_expired")
    for at, path in enumerate(paths):
        session = IndexOptions().session([path])
        analysis = session.analysis(derives=lambda _: True, in_full=True)
        with session:
            wanted = {
                row.number: (all_derived(row), sentences(row))
                for row in analysis.rows()
                if isinstance(row, FrameRow)
            }
        assert any(derived for derived, _ in wanted.values())
        IndexBuilder([path], tmp_path / str(at), IndexOptions()).run()
        with Index(tmp_path / str(at), IndexOptions().known()) as index:
            for number in reversed(wanted):
                row = index.row_of_frame(number)
                assert row is not None
                found = with_derived(index, row, lambda _: True, in_full=True)
                assert (all_derived(found), sentences(found)) == wanted[number]
