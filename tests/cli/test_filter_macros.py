"""Macros of filters from the files that Wireshark keeps them in."""

from pathlib import Path

import pytest
from tests.failures import every

from streamshark.cli.filter_macros import folders, user_macros, with_macros


@every(
    ("name", "content", "expected", "complaints"),
    [
        ("dmacros", '# mine\n\n"a" tcp.port == $1 \n"a" udp\nb tcp\n', {"a": "tcp.port == $1"}, 1),
        ("dfilter_macros", '"a","tcp.port == $1"\n"b","x == \\x22y\\x22"\n',
         {"a": "tcp.port == $1", "b": 'x == "y"'}, 0),
        ("dmacros", b"\xff\xfe\x00", {}, 1),
        ("other", '"a" tcp', {}, 0),
    ],
)  # fmt: skip
def test_files(
    name: str,
    content: str | bytes,
    expected: dict[str, str],
    complaints: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first definition of a name holds; a malformed line is reported."""
    for each in tmp_path.iterdir():
        each.unlink()
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    assert user_macros([str(tmp_path / "missing"), str(tmp_path)]) == expected
    assert len(capsys.readouterr().err.splitlines()) == complaints


def test_folders() -> None:
    """Wireshark's own, by the environment."""
    assert folders({"WIRESHARK_CONFIG_DIR": "/a", "HOME": "/h"}) == ["/a"]
    assert folders({"XDG_CONFIG_HOME": "/x", "HOME": "/h"})[0] == "/x/wireshark"
    assert folders({"HOME": "/h"}) == ["/h/.config/wireshark", "/h/.wireshark"]


def test_filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's macro in a filter."""
    (tmp_path / "dmacros").write_text('"port" tcp.port == $1\n')
    monkeypatch.setenv("WIRESHARK_CONFIG_DIR", str(tmp_path))

    assert with_macros("not $port(80)") == "not tcp.port == 80"
