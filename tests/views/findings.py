"""Rules and findings made up for the tests of what shows them."""

from dataclasses import replace
from typing import Any

from streamshark.findings.finding import Finding, Group, Severity
from streamshark.findings.rule import Rule

SQUAWK = Rule(
    id="PARROT-1", severity=Severity.ERROR, group=Group.SEQUENCE, title="Squawk before login",
    on="say", needs="start", when="conn.user is None and volume > LOUD", evidence="n, conn.n",
    message="said {phrase}", cause="The client does not wait.", source="Parrot Talk, section 2",
    healthy="", guilty="client",
)  # fmt: skip
MUMBLE = Rule(
    id="PARROT-2", severity=Severity.NOTE, group=Group.PROTOCOL, title="Mumbling", on="say",
    needs="", message="hardly heard", cause="", source="Parrot Talk, section 3",
)  # fmt: skip
RULES = [("parrot_talk", SQUAWK), ("parrot_talk", MUMBLE)]

FINDING = Finding(
    rule="PARROT-1", severity="error", group="sequence", protocol="parrot_talk", file=0, flow=3,
    frames=(12, 9, 10), packets=(40, 41), conversation="3-9-connection",
    message="said \x1b[31mhello <&>", cause="The client does not wait.",
    source="Parrot Talk, section 2", count=2,
)  # fmt: skip
NOTE = replace(
    FINDING, rule="PARROT-2", severity="note", group="protocol", frames=(13,), packets=(42,),
    message="hardly heard", cause="", source="Parrot Talk, section 3", count=1,
)  # fmt: skip
FAULT = replace(FINDING, echoes=(NOTE,))
EVENT = replace(NOTE, frames=(), packets=(50,))


def finding(**changes: Any) -> Finding:  # noqa: ANN401 - members of a finding
    """A warning of the rule T-1 about flow 0."""
    given: dict[str, Any] = {
        "rule": "T-1", "severity": "warning", "flow": 0, "frames": (1,), "packets": (1,),
        "conversation": None, "message": "odd", "cause": "", "count": 1,
    }  # fmt: skip
    return replace(FINDING, **(given | changes))
