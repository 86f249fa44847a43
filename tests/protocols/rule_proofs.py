"""Whether tests prove rules: in one test each fires, and nothing of its id is said beside it."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from streamshark.findings.draft import Draft
from streamshark.findings.rule import Rule, family

Test = Callable[[], None]


def proved(monkeypatch: pytest.MonkeyPatch, talk: Any, tests: Iterable[Test]) -> set[str]:  # noqa: ANN401 - a class
    """Ids of the rules that fire in a test in which another talk gives no finding of their family.

    `talk` is the class whose `found(id)` gives the findings of a rule.
    """
    fired: list[Rule] = []
    silent: set[str] = set()
    make, ask = Draft.finding, talk.found
    told: dict[int, list[Rule]] = {}

    def finding(draft: Draft) -> Any:  # noqa: ANN401 - a finding
        fired.append(draft.rule)
        return make(draft)

    def found(self: Any, rule: str) -> Any:  # noqa: ANN401 - a talk
        del fired[:]
        out = ask(self, rule)
        told.setdefault(id(self), []).extend(fired)
        if not out:
            silent.add(rule)
        return out

    monkeypatch.setattr(Draft, "finding", finding)
    monkeypatch.setattr(talk, "found", found)
    out: set[str] = set()
    for test in tests:
        silent.clear()
        told.clear()
        test()
        out |= {
            rule.id
            for rules in told.values()
            for rule in rules
            if {rule.id, family(rule.id)} & silent
        }
    return out
