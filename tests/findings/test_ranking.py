"""The order of findings."""

from dataclasses import replace

from tests.views.findings import FINDING

from streamshark.findings.ranking import order

PLAIN = replace(FINDING, severity="warning", group="sequence", rule="PARROT-1", echoes=())


def test_order() -> None:
    """Severity, security, specific rules, faults before reactions, consequences, time."""
    note = replace(PLAIN, severity="note")
    in_order = [
        replace(PLAIN, severity="error", echoes=(note,)),
        replace(PLAIN, echoes=(replace(PLAIN, severity="error"),), time_ns=9),
        replace(PLAIN, echoes=(note, note), time_ns=9),
        replace(PLAIN, echoes=(note,), time_ns=9),
        replace(PLAIN, time_ns=1),
        replace(PLAIN, time_ns=2),
        replace(PLAIN, group="response", echoes=(note, note, note)),
        replace(PLAIN, rule="PARROT-Q1", echoes=(note, note, note)),
        note,
        replace(PLAIN, severity="note", group="response"),
        replace(PLAIN, severity="note", group="security", echoes=(note,)),
        replace(PLAIN, severity="chat"),
    ]

    shuffled = in_order[5:] + in_order[:5]

    assert sorted(shuffled, key=order) == in_order
