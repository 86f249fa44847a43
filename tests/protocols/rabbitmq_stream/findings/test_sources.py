"""Where RabbitMQ's rules come from."""

import re

from tests.failures import every

from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings import sources
from streamshark.protocols.rabbitmq_stream.findings.all_rules import RULES


@every("rule", RULES, ids=lambda rule: rule.id)
def test_sources_are_public(rule: Rule) -> None:
    """Each rule names a document, a file of the broker, or an issue of a client."""
    assert re.search(r"[Pp]rotocol|PROTOCOL|rabbit|RFC|AMQP", rule.source)


def test_every_source_is_used() -> None:
    """No constant is left over."""
    for name in ("CORE", "DOC", "OSIRIS", "READER", "UTILS"):
        assert any(getattr(sources, name) in rule.source for rule in RULES), name
