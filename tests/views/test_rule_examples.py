"""Recorded examples of rules; that they hold is a claim of `tests/recorded/findings.py`."""

from streamshark.findings import tcp
from streamshark.protocols.catalog import catalog
from streamshark.views.rule_examples import RuleExample, examples, parsed


def test_an_example_as_text() -> None:
    """Frame, capture and title; captures that show the rule, and clients if there are any."""
    row = {"capture": "a/b", "frame": 3, "title": "Hello", "clients": ["p 1", "q 2"]}
    (found,) = parsed({"PARROT-1": {**row, "captures": 7, "faults": 4, "healthy": 2}}).values()
    silent = RuleExample("a/b", None, "Hello", (), captures=1, faults=0, healthy=0)

    assert found.text == "frame 3 of captures/a/b: Hello"
    assert found.recorded == "in 7 captures, as the fault in 4, 2 healthy; with p 1, q 2"
    assert (silent.text, silent.recorded) == ("captures/a/b: Hello", "in 1 capture")


def test_examples_are_of_rules() -> None:
    """And most rules have one."""
    ids = {rule.id for each in catalog() for rule in each.rules} | {each.id for each in tcp.RULES}

    assert examples().keys() - ids == set()
    assert len(examples()) > len(ids) // 2
