"""What the repository's texts may not say: where they were written, or that work is left."""

import re

import pytest
from tests.contracts.repository import ROOT, texts

SHARED_FOLDERS = {"/", "/etc", "/home", "/mnt", "/opt", "/root", "/srv", "/tmp", "/usr", "/var"}  # noqa: S108
"""Folders that exist everywhere, so naming them tells nothing."""


def places(pattern: str, *, under: str = "", ending: str = "") -> list[str]:
    """Lines of the repository's texts that the pattern is found in, as `file:line: text`."""
    known = re.compile(pattern)
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts().items()
        if str(path).startswith(under) and str(path).endswith(ending) and known.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if known.search(line)
    ]


def test_no_text_names_a_folder_of_a_machine() -> None:
    """Neither the folder that this clone lies in nor anyone's home."""
    here = [str(folder) for folder in (ROOT, ROOT.parent) if str(folder) not in SHARED_FOLDERS]
    # A pattern is searched quickly if it begins with the character before which something is not.
    pattern = "|".join(rf"/(?<![\w.-]/){re.escape(folder[1:])}\b" for folder in here)

    assert places(pattern) == []
    assert places(r"/(?<![\w.]/)(?:(?:home|Users)/[a-z]\w*/|root/\w)") == []
    assert places(r":(?<=[A-Z]:)\\Users\\") == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"--(extra-)?index[-]url",
        r"--registry[ =]\S",
        r'"resolved":\s*"http',
        r"\bPIP_INDEX_UR[L]\b",
    ],
)
def test_no_text_chooses_a_package_registry(pattern: str) -> None:
    """Packages come from the registry that each machine is set up to use."""
    assert places(pattern) == []


def test_nothing_is_left_unfinished() -> None:
    """Open work lives in the tracker, and a branch that is not tested is not hidden."""
    assert places(r"\b(TODO|FIXME|XXX|pragma: no cover)\b", under="src/") == []


def test_no_test_is_skipped() -> None:
    """A missing program is installed or fails loudly; what fails is mended."""
    assert places(r"pytest\.(mark\.)?(skip|skipif|xfail|importorskip)\b", under="tests/") == []


def test_every_ignored_warning_is_named() -> None:
    """An exception from a check names the check."""
    assert places(r"#\s*(noqa(?!: [A-Z]+[0-9])|type: ignore(?!\[))", ending=".py") == []
