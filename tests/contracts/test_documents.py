"""The documents: what they name exists, and the collections among them are complete."""

import re
from pathlib import Path

from tests.contracts.repository import ROOT, files, texts

LINK = re.compile(r"\[[^]]*\]\(([^)#\s]+)[^)]*\)")
DECISION = re.compile(r"\d{4}-[a-z0-9-]+\.md")
FRAGMENT = re.compile(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md")


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


def test_decisions_are_numbered_and_listed() -> None:
    """Pages follow each other, and the list names each."""
    folder = Path("docs/decisions")
    pages = [path for path in files() if path.parent == folder and DECISION.fullmatch(path.name)]
    listed = re.findall(r"\]\((\d{4}-[^)]+)\)", texts()[folder / "README.md"])

    assert listed == [page.name for page in pages]
    assert [page.name[:4] for page in pages] == [
        f"{number:04}" for number in range(1, len(pages) + 1)
    ]


def test_changelog_fragments_say_what_they_change() -> None:
    """A fragment's name says what kind of change it tells, and it tells it in a sentence."""
    fragments = {
        path: text
        for path, text in texts().items()
        if path.parent == Path("docs/changelog.d") and path.name != "README.md"
    }

    assert [str(path) for path in fragments if not FRAGMENT.fullmatch(path.name)] == []
    assert [str(path) for path, text in fragments.items() if not text.strip().endswith(".")] == []
