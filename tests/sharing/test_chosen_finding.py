"""Findings by name."""

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.sharing.chosen_finding import chosen, listed, worst
from streamshark.sharing.judged_parts import PlacedFinding


def placed(
    rule: str, frames: tuple[int, ...] = (), severity: str = "note", packet: int = 9
) -> PlacedFinding:
    """A finding."""
    made = Finding(
        rule=rule, severity=severity, group="sequence", protocol="p", file=0, flow=0,
        frames=frames, packets=(packet,), conversation=None, message="", cause="", source="",
    )  # fmt: skip
    return PlacedFinding(made, (rule, frames), is_echo=False)


FINDINGS = [
    placed("AB-1", (3, 4)),
    placed("AB-1", (7,)),
    placed("AB-2", (4,), "error"),
    placed("TCP-C1", packet=5),
    placed("TCP-C1", packet=6),
]


def test_names() -> None:
    """A rule names its only finding; its frame, or its packet, tells several apart."""
    for name, at in {"AB-1@3": 0, "ab-1@7": 1, "AB-2": 2, "TCP-C1@p6": 4}.items():
        assert chosen(FINDINGS, name) is FINDINGS[at], name
    for each in FINDINGS:
        assert chosen(FINDINGS, each.finding.name) is each


ERRORS = {
    "AB-1": "AB-1 names 2 findings; one of: AB-1@3 (note), AB-1@7 (note)",
    "AB-1@4": "no finding AB-1@4; there are: AB-1@3 (note), AB-1@7 (note)",
    "AB-9": "no finding of AB-9; there are: AB-2@4 (error), AB-1@3 (note), AB-1@7 (note), "
    "TCP-C1@p5 (note), TCP-C1@p6 (note)",
    "AB-1@": "'AB-1@' names no finding: expected RULE or RULE@FRAME",
}


@every("name", ERRORS)
def test_errors(name: str) -> None:
    """A sentence that lists what there is, the worst first."""
    with pytest.raises(StreamsharkError) as raised:
        chosen(FINDINGS, name)
    assert str(raised.value) == ERRORS[name]


def test_lists_are_short() -> None:
    """An error does not list hundreds."""
    many = [placed("AB-1", (number,)) for number in range(1, 200)]
    assert listed(many).endswith(" and 187 more")
    assert listed([]) == "none"


def test_worst() -> None:
    """The finding that explains most is the one of `check --top`."""
    assert worst(FINDINGS) is FINDINGS[2]
    assert worst([]) is None
