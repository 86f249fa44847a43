"""The documents: what they name exists, and the collections among them are complete."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.contracts.repository import PROGRAMS, ROOT, SOURCE, files, texts

LINK = re.compile(r"\[[^]]*\]\(([^)#\s]+)[^)]*\)")
DECISION = re.compile(r"\d{4}-[a-z0-9-]+\.md")
LISTED = re.compile(r"^- \[(.+)\]\((\d{4}-[^)]+)\)$", re.MULTILINE)
NAMED = re.compile(r"`([\w./-]+(?:\.(?:py|lua|md|toml)|/))`")
"""A file or folder that a document names."""
PAGES = Path("docs/protocols")
MADE_UP = ("chess", "a/", "dist/")
"""Parts of the names of files that are examples, or that tools write."""
QUESTION = re.compile(r"^\| (.+\?) \| `(.+)` \|$", re.MULTILINE)
COMPLEX = re.compile(r"^\| `(\w+)` in `(.+)` \| (\d+) \|", re.MULTILINE)
LONGEST_DECISION = 60
"""Lines of a page that is read at once."""


def documents() -> dict[Path, str]:
    """The documents that people write or read."""
    return {path: text for path, text in texts().items() if path.suffix == ".md"}


def test_links_lead_somewhere() -> None:
    """A link to a file of the repository has an existing target."""
    astray = [
        f"{path}: {target}"
        for path, text in documents().items()
        for target in LINK.findall(text)
        if not re.match(r"[a-z]+:", target) and not (ROOT / path.parent / target).exists()
    ]

    assert astray == []


def test_files_that_are_named_exist() -> None:
    """By their whole path, or by its end: a page about `flows` says `tcp.py`."""
    known = {f"/{path}" for path in files()}
    known |= {f"/{folder}/" for path in files() for folder in path.parents}

    assert [
        f"{path}: {name}"
        for path, text in documents().items()
        for name in NAMED.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        if not path.is_relative_to(PAGES)  # name files of other projects
        and not any(part in name for part in MADE_UP)
        and not any(each.endswith(f"/{name}") for each in known)
    ] == []


def test_the_architecture_names_every_package() -> None:
    """And the modules beside them."""
    page = texts()[Path("docs/architecture.md")]
    parts = {path.relative_to("src/streamshark").parts for path in files() if "src" in path.parts}
    names = {part[0] + "/" * (len(part) > 1) for part in parts if not part[0].startswith("__")}

    assert {name for name in names if f"`{name}`" not in page} == {"py.typed"}


def test_questions_are_answered_by_names_of_files() -> None:
    """The files are where the page says that they are."""
    asked = QUESTION.findall(texts()[Path("docs/contributing.md")])

    assert len(asked) == len({file for _, file in asked}) == 20
    assert [file for _, file in asked if not (SOURCE / file).is_file()] == []


@pytest.mark.process
def test_complex_functions_are_listed() -> None:
    """Those above 15 on the page, with their reasons; those above 10 give theirs in place."""
    page = texts()[Path("docs/contributing.md")]
    listed = {(name, f"src/streamshark/{file}", size) for name, file, size in COMPLEX.findall(page)}
    done = subprocess.run(
        [PROGRAMS / "ruff", "check", "--no-cache", "--ignore-noqa", "--select=C901",
         "--config=lint.mccabe.max-complexity=15", "--output-format=concise", "src"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.findall(r"^(\S+?):.*`(\w+)` is too complex \((\d+)", done.stdout, re.MULTILINE)
    excused = re.compile(r"noqa: [^-\n]*C901.*")

    assert {(name, file, size) for file, name, size in found} == listed
    assert [
        f"{path}: {found}"
        for path, text in texts().items()
        if path.suffix == ".py" and "src" in path.parts
        for found in excused.findall(text)
        if " - " not in found
    ] == []


def test_decisions_are_numbered_listed_and_short() -> None:
    """Pages have numbers of their own and fit on a screen; the list names each by its title."""
    folder = Path("docs/decisions")
    pages = [path for path in files() if path.parent == folder and DECISION.fullmatch(path.name)]
    listed = LISTED.findall(texts()[folder / "README.md"])
    titles = [texts()[page].partition("\n")[0].removeprefix("# ") for page in pages]

    assert [name for _, name in listed] == [page.name for page in pages]
    assert [title for title, _ in listed] == titles
    assert len({page.name[:4] for page in pages}) == len(pages)
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
