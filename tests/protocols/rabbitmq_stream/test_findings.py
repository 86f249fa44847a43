"""RabbitMQ's rules: their words, and that healthy captures yield nothing above a note."""

import re
import tomllib
from pathlib import Path

import pytest

from streamshark.findings.finding import Severity
from streamshark.protocols.rabbitmq_stream.findings import RULES
from streamshark.session import Session

CAPTURES = Path("captures/rabbitmq_stream")
HEALTHY = [
    path.parent
    for path in sorted(CAPTURES.glob("*/provenance.toml"))
    if tomllib.loads(path.read_text()).get("healthy")
]


def test_rules_have_ids_and_sources() -> None:
    """Each once."""
    ids = [each.id for each in RULES]

    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"RMQ-[A-Z]+\d+", each) for each in ids)
    assert all(each.source and each.title and each.message for each in RULES)


@pytest.mark.parametrize("folder", HEALTHY, ids=lambda folder: folder.name)
def test_healthy_captures_are_clean(folder: Path) -> None:
    """Nothing above a note."""
    (path,) = folder.glob("traffic.*")
    made = Session([str(path)]).analysis(rules=True)
    for _ in made.rows():
        pass

    loud = [each for each in made.findings() if Severity(each.severity).rank > Severity.NOTE.rank]
    assert loud == []
