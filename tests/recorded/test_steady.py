"""What is found and told does not depend on the way that rows take, the short or the long one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streamshark.capture import merge
from streamshark.conversations import program
from streamshark.conversations.conversation import Annotation
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
BUGS, ALL = (sorted(CAPTURES.glob(f"*/{name}/traffic.*")) for name in ("bug_*", "*"))
BUSY = ("load_four_streams", "lossy_line", "bug_credit_per_message", "sub_batches_java_3_10",
        "zero_window_consumer")  # fmt: skip
"""Captures of RabbitMQ with many messages."""
SOME = BUGS[::40] + ALL[::160]
"""Recorded faults first, since they make the most of rules."""


def judged(path: Path) -> Iterator[Any]:
    """What rows are told, findings and conversations."""
    analysis = Session([str(path)]).analysis(
        rules=True, conversations=True, derives=lambda _table: True
    )
    for row in analysis.rows():
        told: Annotation | None = row.told
        yield told and [getattr(told, name) for name in Annotation.__slots__]
        yield getattr(row, "derived", None)
    yield from analysis.findings()
    yield from analysis.ended()


def at_once(path: Path) -> list[Any]:
    """Findings of rows that are taken many at a time."""
    analysis = Session([str(path)]).analysis(rules=True, tells=False)
    found: list[Any] = []
    for _ in analysis.batches(lambda _row: found.extend(analysis.findings())):
        pass
    return found + analysis.findings()


@pytest.mark.parametrize("path", SOME, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_the_short_way_says_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked for at every row, or never."""
    monkeypatch.setattr(program, "WARM", 1 << 60)
    long, alone = list(judged(path)), at_once(path)
    monkeypatch.setattr(program, "WARM", 0)
    monkeypatch.setattr(program, "TURNS", 1)
    monkeypatch.setattr(merge, "MOST_PACKETS", 4)  # or all were read before anything is settled

    assert list(judged(path)) == long
    assert at_once(path) == alone
