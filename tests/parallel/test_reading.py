"""What several processes show of captures is what one process shows, byte for byte."""

from collections.abc import Iterable
from itertools import cycle, product
from pathlib import Path

import pytest
from tests.cli.console import Done, call
from tests.failures import Failures
from tests.packets import packets, recorded, write
from tests.recorded.index import ROOT, lines

from streamshark.capture import merge
from streamshark.cli import parallel
from streamshark.parallel import reading

FORMS = (
    ("read",),
    ("read", "-t", "d", "-x"),
    ("read", "-2", "-V", "--show-secrets"),
    ("read", "-q", "--strict"),
    ("read", "-T", "json", "--strict"),
    ("read", "-T", "ndjson", "-c", "70", "--bodies", "raw"),
    ("read", "-T", "fields", "-e", "frame", "-e", "flow", "-e", "time", "-E", "header=y"),
    ("read", "-T", "fields", "-e", "frame", "-e", "conversation", "-e", "request_frame"),
    ("stats",),
    ("stats", "-T", "json", "--strict"),
)
EVERY = 97
"""Each so many captures, one is read by `make test`."""


def paths() -> list[str]:
    """Return all recorded captures."""
    return [str(ROOT / "captures" / each.capture / each.file) for each in lines().values()]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Small windows; and of each reading left to one process, how much was written before."""
    monkeypatch.setattr(merge, "MOST_PACKETS", 16)
    monkeypatch.setattr(reading, "BLOCK", 1)
    left: list[int] = []
    show = parallel.ParallelOutput.show

    def shown(self: parallel.ParallelOutput, *given: object) -> object:
        ending = show(self, *given)  # type: ignore[arg-type]
        if ending is None:
            left.append(self.written)
        return ending

    monkeypatch.setattr(parallel.ParallelOutput, "show", shown)
    return left


def compare(
    monkeypatch: pytest.MonkeyPatch, cases: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    """Compare readings by one process and by three."""
    with Failures() as failures:
        for form, given in cases:
            with failures.of((form, given)):
                one: Done = call(monkeypatch, *form, *given)
                three = call(monkeypatch, *form, "-j", "3", *given)
                assert three.out == one.out
                assert three == one


@pytest.mark.process
def test_output_is_that_of_one_process(monkeypatch: pytest.MonkeyPatch, alone: list[int]) -> None:
    """In every form; several files too, whose packets are merged."""
    found = paths()
    some = [(each,) for each in found[::EVERY]] + [tuple(found[:: EVERY * 3])]
    cases = list(zip(FORMS, cycle(some), strict=False))
    compare(monkeypatch, cases)
    assert len(alone) <= len(cases) / 2


@pytest.mark.sweep
@pytest.mark.process
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_output_of_all_captures_is_that_of_one_process(
    monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...]
) -> None:
    """Of every recorded capture."""
    compare(monkeypatch, [(form, (path,)) for path in paths()])


@pytest.mark.process
def test_dependent_connections_are_left_to_one_process(
    monkeypatch: pytest.MonkeyPatch, alone: list[int]
) -> None:
    """Also after a part of the output was written, which is not written again."""
    by_name = {Path(path).parent.name: path for path in paths()}
    found = by_name["load_four_streams"], by_name["resume_go"]
    compare(monkeypatch, [(("read", "-T", "json"), found)])
    assert len(alone) == 1
    assert alone[0] > 0


@pytest.mark.process
@pytest.mark.parametrize(("late_ns", "is_left"), [(5_000_000, 0), (2_000_000_000, 1)])
def test_late_packets_are_sorted_first(
    monkeypatch: pytest.MonkeyPatch, alone: list[int], tmp_path: Path, late_ns: int, is_left: int
) -> None:
    """A clock that was set back leaves the capture to one process."""
    found = packets(recorded("rabbitmq_stream/load_four_streams")[0])
    late = [
        each._replace(time_ns=each.time_ns - late_ns * (at % 32 == 16))
        for at, each in enumerate(found)
    ]
    compare(monkeypatch, [(("read", "-T", "json"), (write(tmp_path / "late.pcap", late),))])
    assert len(alone) == is_left


@pytest.mark.process
def test_cut_files_are_reported_alike(
    monkeypatch: pytest.MonkeyPatch, alone: list[int], tmp_path: Path
) -> None:
    """A line on stderr, and the same exit code."""
    path = next(Path(each) for each in paths() if each.endswith((".pcap", ".pcapng")))
    data = path.read_bytes()
    cut, empty = tmp_path / "cut.pcap", tmp_path / "empty.pcap"
    cut.write_bytes(data[: len(data) * 2 // 3])
    empty.write_bytes(data[:40])
    compare(monkeypatch, product((("read",), ("read", "--strict")), ((str(cut),), (str(empty),))))
    assert len(alone) <= 2
