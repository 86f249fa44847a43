"""Generated files: written, compared, and removed when no longer made."""

from pathlib import Path

import pytest

from streamshark.views.generated_files import GeneratedFiles

FILES = GeneratedFiles({"a.txt": "1", "inner/b.txt": "2"}, ("*.txt", "inner/*.txt"))


def test_what_is_stale_missing_or_left_over(tmp_path: Path) -> None:
    """It is named, and mended by writing; files of others stay."""
    FILES.write(tmp_path)
    assert FILES.stale(tmp_path) == []

    (tmp_path / "a.txt").write_text("other")
    (tmp_path / "inner/b.txt").unlink()
    (tmp_path / "inner/c.txt").touch()
    (tmp_path / "readme.md").touch()
    assert FILES.stale(tmp_path) == ["a.txt", "inner/b.txt", "inner/c.txt"]

    FILES.write(tmp_path)
    assert FILES.stale(tmp_path) == []
    assert (tmp_path / "readme.md").exists()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Checking writes nothing, and names what to run."""
    folder = tmp_path / "made"

    assert FILES.main(["--check", str(folder)], Path("docs"), "some.module") == 1
    assert not folder.exists()
    assert "a.txt is stale; run: python -m some.module" in capsys.readouterr().err
    assert FILES.main([], folder, "some.module") == 0
    assert FILES.main(["--check"], folder, "some.module") == 0
