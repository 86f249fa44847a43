"""Every option of tshark's is ours, or an error that names what does the same."""

import re
import subprocess

import pytest
from tests.cli.console import call

from streamshark.cli.read import command
from streamshark.cli.unsupported_options import FORMATS, UNSUPPORTED


def ours() -> set[str]:
    """The options of read, hidden ones too."""
    return {name for each in command.params for name in each.opts}


@pytest.mark.process
def test_every_option_of_tshark_is_known() -> None:
    """As its help lists them."""
    told = subprocess.run(["tshark", "--help"], capture_output=True, check=True, text=True).stdout
    theirs = set(re.findall(r"^  (-\w)\b", told, re.MULTILINE))
    theirs |= set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", told))
    elsewhere = {"--version", "--color", "--help"}

    assert theirs - ours() - elsewhere - {"-h"} == set()


@pytest.mark.parametrize("name", [name for each in UNSUPPORTED for name in each.names])
def test_what_we_lack_names_an_equivalent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, whatever else stands there, and with exit code 2."""
    value = next(["x"] if each.takes_value else [] for each in UNSUPPORTED if name in each.names)

    known = {each for one in command.params if not getattr(one, "hidden", False)
             for each in one.opts}  # fmt: skip
    lacking = "info" if name in ("-Y", "--display-filter", "-j") else "check"
    other = lacking if name in known else "read"  # which lacks it
    done = call(monkeypatch, other, name, *value, "missing.pcap")

    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert re.match(rf"streamshark: .*{re.escape(name)}\b.* is not supported: \S", done.err)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_formats(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value of tshark's -T."""
    done = call(monkeypatch, "read", "-T", form, "missing.pcap")

    assert done.code == 2
    assert f"-T {form} is not supported: " in done.err


def test_help_does_not_list_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help is about what is there."""
    assert "--ring-buffer" not in call(monkeypatch, "read", "--help").out
