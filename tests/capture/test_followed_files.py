"""Files, rings and folders are followed while they are written, without losing or doubling rows."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.failures import Failures

from streamshark.capture import Capture, CaptureError, open_capture
from streamshark.capture.followed_files import FollowedFiles
from streamshark.capture.pcap import FILE_HEADER, RECORD_HEADER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def pcap(records: range, link: int = 1) -> bytes:
    """A pcap file of records whose packets are their numbers."""
    head = bytes.fromhex("d4c3b2a1020004000000000000000000ffff0000") + link.to_bytes(4, "little")
    return head + b"".join(record(each) for each in records)


def record(number: int) -> bytes:
    """A record whose packet is its number."""
    return number.to_bytes(4, "little") + bytes(4) + b"\4\0\0\0\4\0\0\0" + number.to_bytes(4)


class Reading:
    """The packets that come from files that are followed."""

    def __init__(self, path: Path) -> None:
        self.notices: list[str] = []
        self.source = FollowedFiles(str(path), self.notices.append)
        self.capture: Capture | None = None
        self._batches: Iterator[object] = iter(())

    def packets(self) -> list[int]:
        """The numbers of packets that come until nothing more does."""
        if self.capture is None:
            self.capture = open_capture(self.source)
            self._batches = self.capture.batches(idle=0.001)
        found: list[int] = []
        for batch in self._batches:
            if not batch.times:
                break
            found += (int.from_bytes(batch.data[at : at + 4]) for at in batch.starts)
        return found

    def end(self) -> list[int]:
        """The numbers of packets that come after a stop."""
        self.source.stop()
        return self.packets()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return at once instead of waiting for changes in the folder."""
    monkeypatch.setattr("streamshark.capture.followed_files._SHARE", 0)


def set_times(*paths: Path) -> None:
    """Make files old, each a second younger than the one before."""
    for age, path in enumerate(paths):
        os.utime(path, (1_000_000 + age,) * 2)


def test_a_ring_is_followed_without_a_lost_packet(tmp_path: Path) -> None:
    """Ten files, of which four are kept, also while a record is half written."""
    path = [tmp_path / f"r_{each:05}_20261126{each:06}.pcap" for each in range(1, 11)]
    path[0].write_bytes(pcap(range(0)))
    reading, found = Reading(path[0]), []
    for number, each in enumerate(path):
        whole = pcap(range(number * 10, number * 10 + 10))
        if number:
            each.write_bytes(whole[:7])
            found += reading.packets()
        each.write_bytes(whole[: FILE_HEADER + 4 * RECORD_HEADER + 9])
        found += reading.packets()
        each.write_bytes(whole)
        (tmp_path / "r.txt").write_bytes(b"another file")
        if number >= 4:
            path[number - 4].unlink()
    found += reading.end()
    assert found == list(range(100))
    assert (reading.notices, reading.source.damage, reading.source.lost) == ([], None, 0)


def renamed(path: Path) -> None:
    """Rotate as logrotate does, twice, so that one file is never the newest when it is seen."""
    path.rename(path.with_name("a.pcap.2"))
    path.with_name("a.pcap.1").write_bytes(pcap(range(10, 20)))
    path.write_bytes(pcap(range(20, 30)))
    set_times(*(path.with_name(f"a.pcap{each}") for each in (".2", ".1", "")))


def copied(path: Path) -> None:
    """Rotate as logrotate does with `copytruncate`."""
    path.with_name("a.pcap.1").write_bytes(path.read_bytes())
    path.write_bytes(pcap(range(10, 13)))
    os.truncate(path, FILE_HEADER + 2 * (RECORD_HEADER + 4))


def deleted(path: Path) -> None:
    """Let three files begin, and delete the first two of them."""
    path.with_name("a.pcap3").write_bytes(pcap(range(10, 12)))


def continued(path: Path) -> None:
    """Continue in another file, as `tcpdump -C` does."""
    path.with_name("a.pcap1").write_bytes(pcap(range(10, 15)))
    set_times(path, path.with_name("a.pcap1"))


def with_another_link_type(path: Path) -> None:
    """Start a file with packets of another link type, and then one with the former."""
    path.with_name("a.pcap1").write_bytes(pcap(range(9), link=113))
    path.with_name("a.pcap2").write_bytes(pcap(range(10, 12)))


def cut_off(path: Path) -> None:
    """Begin another file while a record is half written, as a killed program leaves it."""
    with path.open("ab") as file:
        file.write(record(9)[:11])
    path.with_name("a.pcap1").write_bytes(pcap(range(10, 12)))


def spoilt(path: Path) -> None:
    """Write an impossible record, and start another file."""
    with path.open("ab") as file:
        file.write(b"\xff" * 40)
    path.with_name("a.pcap1").write_bytes(pcap(range(10, 12)))


def test_what_happens_to_files(tmp_path: Path) -> None:
    """Files are read once; missing ones are reported at once and at the end."""
    cases: list[tuple[Callable[[Path], None], list[int], str, str]] = [
        (renamed, list(range(10, 30)), "", ""),
        (copied, [10, 11], "", ""),
        (continued, list(range(10, 15)), "", ""),
        (deleted, [10, 11], "2 files were deleted or overwritten", "2 files were deleted"),
        (with_another_link_type, [10, 11], "a.pcap1: left out", "files left out: 1"),
        (cut_off, [10, 11], "", "a file ends inside the record of packet 6"),
        (spoilt, [10, 11], "", "claims 4294967295 captured bytes"),
    ]
    with Failures() as failures:
        for change, wanted, notice, damage in cases:
            with failures.of(change.__name__):
                path = tmp_path / change.__name__ / "a.pcap"
                path.parent.mkdir()
                path.write_bytes(pcap(range(5)))
                reading = Reading(path)
                assert reading.packets() == [0, 1, 2, 3, 4]
                change(path)
                assert reading.packets() == wanted
                assert reading.end() == []
                assert reading.capture is not None
                assert notice in "".join(reading.notices)
                assert bool(notice) == bool(reading.notices)
                assert damage in str(reading.capture.damage)
                assert bool(damage) == bool(reading.capture.damage)


def test_a_ring_that_began_again(tmp_path: Path) -> None:
    """The oldest file of `tcpdump -W` is not the one with number 0, and 10 comes after 9."""
    files = [tmp_path / f"a.pcap{each}" for each in (2, 9, 10, 0, 1)]
    for number, each in enumerate(files):
        each.write_bytes(pcap(range(number, number + 1)))
    set_times(*files)
    for given, wanted in ((tmp_path, [0, 1, 2, 3, 4]), (files[3], [3, 4])):
        reading = Reading(given)
        assert reading.packets() == wanted
        for notice in reading.notices:
            assert "6 files" in notice  # 3 to 8
    files[0].write_bytes(pcap(range(50, 52)))
    assert reading.packets() == [50, 51]
    (tmp_path / "a.pcap5").write_bytes(pcap(range(60, 62)))
    assert reading.packets() == [60, 61]
    assert len(reading.notices) == 1


def test_a_folder_is_followed(tmp_path: Path) -> None:
    """Captures are known by their contents; one that grows after another began is named."""
    reading = Reading(tmp_path)
    (tmp_path / "notes").write_bytes(b"no capture at all")
    (tmp_path / ".hidden").write_bytes(pcap(range(90, 92)))
    (tmp_path / "z").write_bytes(pcap(range(2)))
    assert reading.packets() == [0, 1]
    (tmp_path / "b").write_bytes(pcap(range(2, 4)))
    assert reading.packets() == [2, 3]
    (tmp_path / "z").write_bytes(pcap(range(3)))
    (tmp_path / "b").write_bytes(pcap(range(2, 5)))
    assert reading.packets() == [4]
    assert reading.notices == [f"{tmp_path / 'z'}: left out: it grew after a later file had begun"]
    assert reading.end() == []


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    """It says why."""
    with pytest.raises(CaptureError, match="no such file"):
        FollowedFiles(str(tmp_path / "none"), print)
    with pytest.raises(CaptureError, match="neither a file nor a folder"):
        FollowedFiles(os.devnull, print)
