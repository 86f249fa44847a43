"""An output file appears when it is complete, or not at all."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from streamshark.capture.output_file import OutputFile, is_source
from streamshark.errors import StreamsharkError


def test_it_appears_when_it_is_complete(tmp_path: Path) -> None:
    """It has the permissions of any new file; an older file stays until then."""
    path = tmp_path / "out"
    path.write_bytes(b"older")
    with OutputFile(str(path)) as file:
        file.write(b"new")
        assert path.read_bytes() == b"older"
        file.commit()

    assert path.read_bytes() == b"new"
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    """Neither the file nor the temporary one."""
    with suppress(KeyError), OutputFile(str(tmp_path / "out")) as file:
        file.write(b"half")
        raise KeyError

    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that it names is written."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"older")
    link.symlink_to(target)
    with OutputFile(str(link)) as file:
        file.write(b"new")
        file.commit()

    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_growing_file_can_be_read_meanwhile(tmp_path: Path) -> None:
    """Each write is there at once, under the file's own name."""
    path = tmp_path / "out"
    with OutputFile(str(path), growing=True) as file:
        file.write(b"one")
        assert path.read_bytes() == b"one"
        file.commit()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """One line that names the file: a full device, no folder, a folder."""
    with (
        pytest.raises(StreamsharkError, match=r"^/dev/full: cannot be written: No space left"),
        OutputFile("/dev/full") as file,
    ):
        file.write(b"x")
    with pytest.raises(StreamsharkError, match="No such file or directory"):
        OutputFile(str(tmp_path / "none" / "out"))
    with pytest.raises(StreamsharkError, match="Is a directory"):
        OutputFile(str(tmp_path))


def test_sources_are_recognised_through_links(tmp_path: Path) -> None:
    """Symbolic and hard ones; a device is no source."""
    path, soft, hard = (tmp_path / each for each in ("in", "soft", "hard"))
    path.write_bytes(b"")
    soft.symlink_to(path)
    hard.hardlink_to(path)

    for each in (path, soft, hard):
        assert is_source(str(each), ["none", str(path)])
    assert not is_source(str(tmp_path / "other"), [str(path)])
    assert not is_source("/dev/null", ["/dev/null"])
