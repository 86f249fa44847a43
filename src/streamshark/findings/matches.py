"""The frames at which rules matched: where plugins for Wireshark show findings.

A finding names the frames that prove it; a match is at the frame that shows it. Matches whose
finding was withdrawn are left out.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from streamshark.conversations.summary import rendered
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding, Severity

MOST_MATCHES: Final = 1 << 18
"""Most matches that are remembered; further ones are ignored."""
ANY: Final = -1
"""Stands for all connections."""


class RuleMatch(NamedTuple):
    """A match of a rule at a frame."""

    rule: str
    """Its id."""
    severity: str
    group: str
    number: int
    """Its position among the rules of its protocol."""
    protocol: str
    """Id of the protocol whose rule it is."""
    flow: int | None
    """Number of the connection; None for a rule about all connections."""
    message: str


class RuleMatches:
    """The matches of a reading, by frame; all findings are added with `settle`."""

    def __init__(self) -> None:
        self._of_frame: dict[int, list[RuleMatch]] = {}
        self._count = 0
        self._settled: set[tuple[str, int | None]] = set()
        """Rule id and connection of each finding; None for rules about all connections."""

    def note(  # noqa: PLR0913, PLR0917 - as of `Judge.notice`
        self,
        program: Any,  # noqa: ANN401 - the engine's
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or a value with its mark
        conn: Any,  # noqa: ANN401 - the engine's
        row: Row | None,
        frames: Sequence[int | None],
        values: tuple[Any, ...],
        severity: Severity,
    ) -> None:
        """Add a match of some severity; the other arguments are those of a judge."""
        at = row.number if isinstance(row, FrameRow) else next(iter(frames), None)
        if at is None or self._count >= MOST_MATCHES:
            return
        self._count += 1
        read = program.watches[index]
        lifecycle = program.model.lifecycles.get(read.values["of"])
        is_shared = isinstance(subject, tuple) or (lifecycle and lifecycle.scope == "capture")
        message = read.values["message"]
        text = rendered(message, values[: len(message.holes)], row)
        rule = read.table
        match = RuleMatch(
            rule.id, severity.value, rule.group.value, index, conn.protocol,
            None if is_shared else conn.flow, text,
        )  # fmt: skip
        self.add(at, match)

    def add(self, frame: int, match: RuleMatch) -> None:
        """Add a match at a frame."""
        self._of_frame.setdefault(frame, []).append(match)

    def taken(self) -> list[tuple[int, RuleMatch]]:
        """Return the matches since the last call, each with its frame, and forget them."""
        found = [(frame, each) for frame, listed in self._of_frame.items() for each in listed]
        self._of_frame.clear()
        return found

    def settle(self, finding: Finding) -> None:
        """Note that a finding was reported, and what it also caused."""
        self._settled |= {(finding.rule, finding.flow), (finding.rule, None)}
        for each in finding.echoes:  # one for all connections with the same cause
            self._settled |= {(each.rule, ANY), (each.rule, None)}

    def at(self, frame: int) -> list[RuleMatch]:
        """Return the matches at a frame, in order, each rule once."""
        settled = self._settled
        known: dict[tuple[str, int], RuleMatch] = {}
        for each in self._of_frame.get(frame, ()):
            if (each.rule, each.flow) in settled or (each.rule, ANY) in settled:
                known.setdefault((each.rule, each.number), each)
        return list(known.values())
