"""RabbitMQ's rules: their words. What they find is held by `tests/recorded/test_findings.py`."""

import re

import pytest

from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings import RULES


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our families, words for all parts, a source that is no sheet of ours."""
    assert re.fullmatch(r"RMQ-[ACDFHIKMNPSTUVX]\d+", rule.id)
    assert rule.title
    assert rule.message
    assert re.search(r"[Pp]rotocol|PROTOCOL|rabbit|RFC|AMQP", rule.source)


def test_errors_and_warnings_of_one_id_are_rows_of_their_own() -> None:
    """A row has one severity; rows of one id have the same family of words."""
    rows: dict[str, set[str]] = {}
    for rule in RULES:
        rows.setdefault(rule.id, set()).add(rule.on + rule.when)

    assert all(len(rows[rule.id]) >= 1 for rule in RULES)
    assert sum(len(each) for each in rows.values()) == len(RULES)
