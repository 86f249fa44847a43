"""The table of faults that were described: each has rules, and each rule exists."""

import re
from pathlib import Path

from streamshark.findings.rule import selected
from streamshark.protocols.catalog import catalog

PAGE = Path(__file__).parents[2] / "docs/client-faults.md"


def test_every_described_fault_is_named_by_rules_that_exist() -> None:
    """In the last column; a row without a rule has a reason there."""
    known = [rule.id for protocol in catalog() for rule in protocol.rules]
    rows = [
        line for line in PAGE.read_text("utf-8").splitlines() if re.match(r"\| (?!fault)", line)
    ]
    wrong = []
    for row in rows:
        cells = [each.strip() for each in row.strip("|").split("|")]
        ids = [
            each for each in cells[-1].split(", ") if re.fullmatch(r"[A-Z]+-[A-Z]\d+[a-z]?", each)
        ]
        is_reason = not ids and len(cells[-1].split()) > 3
        if len(cells) != 3 or not (ids or is_reason) or not all(selected(e, known) for e in ids):
            wrong.append(row)

    assert wrong == []
    assert len(rows) > 50
