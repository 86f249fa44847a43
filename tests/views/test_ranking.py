"""The order of findings."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tests.views.findings import FINDING

from streamshark.views.ranking import order
from streamshark.views.rule_examples import RuleExample, parsed

PLAIN = replace(FINDING, severity="warning", group="sequence", rule="PARROT-1", echoes=())


def recorded() -> Mapping[str, RuleExample]:
    """Captures that show rules: none of other faults, one, and nine."""
    row = {"capture": "a/b", "frame": 3, "title": "Hello", "clients": [], "healthy": 0}
    others = {"PARROT-1": 0, "PARROT-2": 1, "PARROT-9": 9}
    return parsed({r: {**row, "captures": n + 5, "faults": 5} for r, n in others.items()})


def test_order() -> None:
    """Severity, rules that few other captures show, consequences, time."""
    note = replace(PLAIN, severity="note")
    in_order = [
        replace(PLAIN, severity="error", echoes=(note,)),
        replace(PLAIN, echoes=(replace(PLAIN, severity="error"),), time_ns=9),
        replace(PLAIN, echoes=(note, note), time_ns=9),
        replace(PLAIN, echoes=(note,), time_ns=9),
        replace(PLAIN, time_ns=1),
        replace(PLAIN, rule="PARROT-NEW", time_ns=2),
        replace(PLAIN, rule="PARROT-2", echoes=(note, note, note)),
        replace(PLAIN, rule="PARROT-9", echoes=(note, note, note)),
        note,
        replace(PLAIN, severity="note", rule="PARROT-9", echoes=(note,)),
        replace(PLAIN, severity="chat"),
    ]

    shuffled = in_order[5:] + in_order[:5]

    assert sorted(shuffled, key=partial(order, recorded=recorded())) == in_order
