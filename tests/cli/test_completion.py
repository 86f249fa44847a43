"""Shell completion: what is written, and where."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.console import call

from streamshark.cli.completion import NAME, SCRIPTS, location, shell_of
from streamshark.errors import StreamsharkError

FOLDER = Path(__file__).parents[2] / "docs/completion"
PLACES = {
    "bash": ".local/share/bash-completion/completions/streamshark",
    "zsh": ".local/share/zsh/site-functions/_streamshark",
    "fish": ".config/fish/completions/streamshark.fish",
}


def test_where_each_shell_looks() -> None:
    """Below the home folder, or where the user has moved such files."""
    home, moved = Path("/home/ada"), {"XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config"}

    assert {each: location(each, {}, home) for each in SCRIPTS} == {
        each: home / place for each, place in PLACES.items()
    }
    assert location("bash", moved, home) == Path("/data/bash-completion/completions/streamshark")
    assert location("fish", moved, home) == Path("/config/fish/completions/streamshark.fish")


def test_which_shell() -> None:
    """The user's; another one is an error that names those that are supported."""
    assert shell_of({"SHELL": "/usr/bin/zsh"}) == "zsh"
    for environment in ({}, {"SHELL": "/bin/tcsh"}):
        with pytest.raises(StreamsharkError, match="bash, zsh, fish"):
            shell_of(environment)


def test_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The script is written, and the user reads where, and what to do next."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/fish")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    own = call(monkeypatch, "--install-completion")
    zsh = call(monkeypatch, "--install-completion", "zsh")
    odd = call(monkeypatch, "--install-completion", "tcsh")

    assert (own.code, str(tmp_path / PLACES["fish"]) in own.out) == (0, True)
    assert (tmp_path / PLACES["fish"]).read_text() == SCRIPTS["fish"]
    assert f"fpath=({(tmp_path / PLACES['zsh']).parent} $fpath)" in zsh.out
    assert odd.code == 2


@pytest.mark.process
def test_bash_completes(tmp_path: Path) -> None:
    """The script that the wheel installs gives commands, options and values."""
    (tmp_path / NAME).symlink_to(Path(sys.executable).with_name(NAME))
    lines = [
        f'PATH="{tmp_path}:$PATH"',
        f"source {FOLDER / NAME}",
        *(asked(*words) for words in (("re",), ("check", "--fail-"), ("check", "--level", ""))),
    ]
    done = subprocess.run(["bash"], input="\n".join(lines), text=True, capture_output=True)  # noqa: PLW1510

    assert done.stderr == ""
    assert done.stdout == "read report redact\n--fail-on\nchat note warning error\n"


def asked(*words: str) -> str:
    """What bash runs to complete the last word, and to print what it may be."""
    quoted = " ".join(f"'{each}'" for each in (NAME, *words))
    return (
        f"COMP_WORDS=({quoted}) COMP_CWORD={len(words)} COMPREPLY=();"
        f' _{NAME}_completion {NAME}; echo "${{COMPREPLY[*]}}"'
    )


def test_the_wheel_has_the_scripts() -> None:
    """Those that the option writes."""
    names = {"bash": NAME, "zsh": f"_{NAME}", "fish": f"{NAME}.fish"}

    assert {each: (FOLDER / name).read_text() for each, name in names.items()} == SCRIPTS
