"""The documents: what they name exists, and the collections among them are complete."""

import re
from pathlib import Path

from tests.contracts.repository import ROOT, files, texts

LINK = re.compile(r"\[[^]]*\]\(([^)#\s]+)[^)]*\)")
DECISION = re.compile(r"\d{4}-[a-z0-9-]+\.md")
LISTED = re.compile(r"^- \[(.+)\]\((\d{4}-[^)]+)\)$", re.MULTILINE)
FRAGMENT = re.compile(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md")
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


def test_changelog_fragments_say_what_they_change() -> None:
    """A fragment's name says what kind of change it tells, and it tells it in a sentence."""
    fragments = {
        path: text
        for path, text in texts().items()
        if path.parent == Path("docs/changelog.d") and path.name != "README.md"
    }

    assert [str(path) for path in fragments if not FRAGMENT.fullmatch(path.name)] == []
    assert [str(path) for path, text in fragments.items() if not text.strip().endswith(".")] == []
