"""Console examples in documents print what the documents show."""

from pathlib import Path

import pytest
from tests.contracts.console import Example, differences, examples, furnish, matches, run
from tests.contracts.repository import texts

DOCUMENTS = {str(path): examples(text) for path, text in texts().items() if path.suffix == ".md"}


STARTS_SPARK = "streamshark spark run "
"""Begins a command that waits for Spark to start; `make test-spark` has the pages with one."""
SHOWN = [
    pytest.param(
        name,
        marks=pytest.mark.spark if any(STARTS_SPARK in each.command for each in shown) else (),
    )
    for name, shown in DOCUMENTS.items()
    if shown
]


@pytest.mark.parametrize("document", SHOWN)
def test_console_examples(document: str, tmp_path: Path) -> None:
    """Each command prints what the document says, and exits as it says."""
    assert differences(document, DOCUMENTS[document], tmp_path) == []


def test_examples_are_read_from_console_blocks() -> None:
    """Commands with their continuation lines, what they print, and how they exit."""
    text = (
        "```console\n$ a \\\n  b\none\ntwo\n$ c # exits 2\n```\n"
        "```sh\nmake\n```\n"
        "```console\n$ d\n```\n"
    )

    assert examples(text) == [
        Example("a \\\n  b", "one\ntwo\n", 0),
        Example("c # exits 2", "", 2),
        Example("d", "", 0),
    ]


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one  \n", "one\n\n", True),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\n", "one\n", True),
        ("in ... seconds\n", "in 0.1 seconds\n", True),
        ("in ... seconds\n", "in\nseconds\n", False),
        ("one\n", "one\ntwo\n", False),
        ("", "one\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_elision(expected: str, printed: str, same: bool) -> None:  # noqa: FBT001
    """Three dots stand for any text; nothing else does."""
    assert matches(expected, printed) is same


def test_examples_run_beside_the_repository(tmp_path: Path) -> None:
    """The repository's paths are there, and what an example writes stays out of it."""
    furnish(tmp_path)

    assert run(Example("head -n 1 LICENSE > copy && cat copy", "", 0), tmp_path) == (
        0,
        "MIT License\n",
    )
    assert run(Example("echo failed >&2; exit 3", "", 3), tmp_path) == (3, "failed\n")
