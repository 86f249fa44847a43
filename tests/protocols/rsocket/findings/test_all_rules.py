"""RSocket's rules as a whole: ids and words."""

import re

from tests.failures import every

from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.findings.all_rules import RULES


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our families, words for all parts, a public source."""
    assert re.fullmatch(r"RSK-[BCDFKLMQRSW]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith(("Protocol.md", "Extensions/"))
