"""Shell completion: the scripts of bash, zsh and fish, and where each shell looks for them.

A script asks the program for click's script when the shell loads it, so that it fits the version
that is installed.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from streamshark.errors import StreamsharkError

NAME = "streamshark"
SCRIPTS = {
    "bash": 'eval "$(_STREAMSHARK_COMPLETE=bash_source streamshark)"\n',
    "zsh": (
        "#compdef streamshark\n"
        'eval "$(_STREAMSHARK_COMPLETE=zsh_source streamshark)"\n'
        '_streamshark_completion "$@"  # the shell loads this file when it first completes\n'
    ),
    "fish": "_STREAMSHARK_COMPLETE=fish_source streamshark | source\n",
}
"""The completion script of each shell."""
LATER = "Start a new shell to use it."
ZSH = "Add this to ~/.zshrc before compinit, then start a new shell: fpath=({folder} $fpath)"


def location(shell: str, environment: Mapping[str, str], home: Path) -> Path:
    """Return the file in which the shell looks for the user's completion script."""
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local/share")
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion/completions" / NAME,
        "zsh": data / "zsh/site-functions" / f"_{NAME}",
        "fish": config / "fish/completions" / f"{NAME}.fish",
    }[shell]


def shell_of(environment: Mapping[str, str]) -> str:
    """Return the user's shell; StreamsharkError if it is none of the three."""
    shell = Path(environment.get("SHELL", "")).name
    if shell not in SCRIPTS:
        known = ", ".join(SCRIPTS)
        raise StreamsharkError(f"--install-completion needs the name of a shell: {known}")
    return shell


def install(shell: str | None = None) -> str:
    """Write the completion script for a shell, by default the user's; return what was done."""
    shell = shell or shell_of(os.environ)
    path = location(shell, os.environ, Path.home())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPTS[shell], "utf-8")
    next_step = ZSH.format(folder=path.parent) if shell == "zsh" else LATER
    return f"{shell} completion written to {path}\n{next_step}"
