"""RabbitMQ's rules as a whole: ids and words.

What they find in recorded captures is held by `tests/recorded/findings.py`.
"""

import re

from tests.failures import every

from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.all_rules import RULES


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_have_ids_and_words(rule: Rule) -> None:
    """An id of the protocol's families, a title and a message."""
    assert re.fullmatch(r"RMQ-[ABCDFHIKMNPQSTUVX]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message


def test_rows_of_one_id_say_different_things() -> None:
    """No row of an id stands twice."""
    rows: dict[str, set[str]] = {}
    for rule in RULES:
        rows.setdefault(rule.id, set()).add(rule.on + rule.when)

    assert sum(len(each) for each in rows.values()) == len(RULES)
