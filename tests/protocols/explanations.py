"""What is told of recorded captures, and which sentences of a story are."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from streamshark.conversations import explain
from streamshark.conversations.explain import Explanation, Sentence
from streamshark.session import Session


def explanations(folder: Path) -> list[Explanation]:
    """The stories of the connections of a capture."""
    (path,) = folder.glob("traffic.*")
    analysis = Session([str(path)]).analysis(rules=True, explanations=True)
    for _ in analysis.rows():
        pass
    return analysis.explanations()


def untold(
    sentences: Iterable[Sentence], captures: Iterable[Path], monkeypatch: pytest.MonkeyPatch
) -> set[str]:
    """The messages of those that none of these captures tells."""
    told: list[Sentence] = []
    line = explain._Draft.line
    monkeypatch.setattr(
        explain._Draft, "line", lambda self: (told.append(self.table), line(self))[1]
    )
    for folder in captures:
        explanations(folder)
    return {each.message for each in sentences if each not in told}
