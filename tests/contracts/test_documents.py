"""The documents: what they name exists, and the collections among them are complete."""

import re
import tomllib
from pathlib import Path

from tests.contracts.repository import ROOT, files, texts

LINK = re.compile(r"\[[^]]*\]\(([^)#\s]+)[^)]*\)")
DECISION = re.compile(r"\d{4}-[a-z0-9-]+\.md")
LISTED = re.compile(r"^- \[(.+)\]\((\d{4}-[^)]+)\)$", re.MULTILINE)
LONGEST_DECISION = 60
"""Lines of a page that is read at once."""


def documents() -> dict[Path, str]:
    """The documents that people write or read."""
    return {path: text for path, text in texts().items() if path.suffix == ".md"}


def test_links_lead_somewhere() -> None:
    """A link to a file of the repository finds it."""
    astray = [
        f"{path}: {target}"
        for path, text in documents().items()
        for target in LINK.findall(text)
        if not re.match(r"[a-z]+:", target) and not (ROOT / path.parent / target).exists()
    ]

    assert astray == []


def test_decisions_are_numbered_listed_and_short() -> None:
    """Pages follow each other and fit on a screen; the list names each by its title."""
    folder = Path("docs/decisions")
    pages = [path for path in files() if path.parent == folder and DECISION.fullmatch(path.name)]
    listed = LISTED.findall(texts()[folder / "README.md"])
    titles = [texts()[page].partition("\n")[0].removeprefix("# ") for page in pages]

    assert [name for _, name in listed] == [page.name for page in pages]
    assert [title for title, _ in listed] == titles
    assert [page.name[:4] for page in pages] == [
        f"{number:04}" for number in range(1, len(pages) + 1)
    ]
    assert [str(page) for page in pages if len(texts()[page].splitlines()) > LONGEST_DECISION] == []


def test_changelog_is_one_page_of_sentences() -> None:
    """Unreleased changes come first, then the current version; each entry is a sentence."""
    text = texts()[Path("docs/changelog.md")]
    entries = [line for line in text.splitlines() if line.startswith("- ")]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert re.findall(r"^## (.+)$", text, re.MULTILINE)[0] == "Unreleased"
    assert re.findall(r"^## ([0-9.]+)", text, re.MULTILINE)[0] == version
    assert entries
    assert [line for line in entries if not line.endswith(".")] == []
    assert [str(path) for path in files() if path.is_relative_to("docs/changelog.d")] == []
