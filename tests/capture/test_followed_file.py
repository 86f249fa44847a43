"""A file that is followed while it is written."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest
from tests.failures import every
from tests.packets import packets, recorded

from streamshark.capture import CaptureError, open_capture
from streamshark.capture.followed_file import FollowedFile

(CAPTURE,) = recorded("rabbitmq_stream/bug_credit_never_renewed")


def shortened(path: Path) -> None:
    """Make a file shorter."""
    path.write_bytes(b"")


def replaced(path: Path) -> None:
    """Put another file in its place, at one moment."""
    other = path.with_suffix(".other")
    other.write_bytes(b"other")
    other.replace(path)


@every(
    "end, damage",
    [
        (Path.unlink, "the file was removed"),
        (replaced, "the file was replaced by another one"),
        (shortened, "the file became shorter"),
    ],
    lambda case: case[1],
)
def test_end(
    end: Callable[[Path], None], damage: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Packets come as they are appended; the end says why it is one."""
    path, data = tmp_path_factory.mktemp("capture") / "growing", Path(CAPTURE).read_bytes()
    wanted = len(packets(CAPTURE))
    path.write_bytes(data[:1500])
    capture = open_capture(FollowedFile(str(path)))
    assert capture.is_file
    batches = capture.batches(idle=0.01)
    first = next(batches)
    assert 0 < len(first) < wanted
    while next(batches).times:
        pass
    with path.open("ab") as file:
        file.write(data[1500:])
    timer = Timer(0.1, end, [path])
    timer.start()
    assert len(first) + sum(map(len, batches)) == wanted
    assert damage in str(capture.damage)
    timer.join()


def test_wait(tmp_path: Path) -> None:
    """It takes no longer than it may."""
    path = tmp_path / "growing"
    path.write_bytes(b"ab")
    source = FollowedFile(str(path))
    assert source.wait(10)
    assert source.read(1) == b"a"
    assert source.read(9) == b"b"
    before = time.monotonic()
    assert not source.wait(0.05)
    assert time.monotonic() - before < 5
    source.seek(1)
    assert source.read(9) == b"b"
    source.close()
    with pytest.raises(CaptureError, match="no such file"):
        FollowedFile(str(tmp_path / "none"))
