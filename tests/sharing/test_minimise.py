"""Minimised captures show the same finding at the same frame, and nothing in them is idle.

So they do once they are redacted, too.
"""

import gzip
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pytest
from tests.draw import some
from tests.failures import Failures
from tests.recorded.index import ROOT, lines
from tests.sharing.leaks import leaks

from streamshark.capture import open_capture
from streamshark.dissection.row import FrameRow, Row
from streamshark.session import Session
from streamshark.sharing.judged_parts import Judgement, PlacedFinding, judged
from streamshark.sharing.minimise import MinimisedCapture, RecordedCapture, minimised
from streamshark.sharing.policy import Policy
from streamshark.sharing.recorded_streams import Part
from streamshark.sharing.redaction import redact
from streamshark.sharing.rewritten_capture import rewritten

COVER = {
    "nats/bug_sid_twice": "NATS-N12",
    "pravega/bug_event_number_goes_back": "PRV-P10",
    "rabbitmq_stream/bug_chunk_data_length": "RMQ-D4",
    "rsocket/bug_websocket_text": "RSK-W2",
    "rsocket/bug_keepalive_unanswered": "RSK-K2",
    "liftbridge/bug_created_every_time": "GRPC-B1c",
}
"""A finding on each protocol and carrier, and of a body."""
FEW = 3
"""Findings for which a capture is minimised: that reads it dozens of times."""
KEY = b"a key of the tests, of 32 bytes."
LARGEST_SHARE = 0.2
"""Of its capture, the median of minimised captures."""


class Found(NamedTuple):
    """A finding in a capture, by its guilty frame."""

    judgement: Judgement
    finding: PlacedFinding
    row: FrameRow | None
    trouble: int
    """Packets that TCP calls repeated, out of order or lost."""


def opened() -> Session:
    """Return a session without captures."""
    return Session((), puts_together=True)


@cache
def recorded(path: Path) -> RecordedCapture:
    """Return a capture in memory."""
    with Session([str(path)], puts_together=True) as session:
        return RecordedCapture(session)


def found(data: bytes, rule: str, frame: tuple[int, ...]) -> Found:
    """Read a capture, and return the finding of a rule at a frame."""
    rows: dict[int, FrameRow] = {}

    def take(row: Row) -> None:
        if isinstance(row, FrameRow):
            rows[row.number] = row

    with opened() as session:
        session.captures.append(open_capture(BytesIO(data)))
        judgement = judged(session, lambda row: row.order, lambda number: number, take)
        flows = [session.flow(number) for number in session.dissector.recognised]
        assert not session.dissector.damage
    finding = next(
        each
        for each in judgement.findings
        if each.finding.rule == rule and each.finding.frames[:1] == frame
    )
    trouble = sum(
        each.repeated + each.ignored + side.retransmissions + side.out_of_order
        for each in flows
        for side in each.trouble
    )
    return Found(judgement, finding, rows.get(frame[0]) if frame else None, trouble)


def contents(path: Path) -> bytes:
    """Return the bytes of a capture, unpacked."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def holds_what_it_promises(path: Path, target: PlacedFinding, folder: Path) -> float:
    """Minimise a capture and check the result; return its share of the bytes."""
    whole = recorded(path)
    made = minimised(whole, target, opened, ["a comment"])
    data = contents(path)
    before = found(data, target.finding.rule, target.finding.frames[:1])
    after = found(made.data, target.finding.rule, made.finding.frames[:1])
    names_the_same_frame(before, after)
    assert made.finding.severity == target.finding.severity
    assert after.trouble == 0
    assert made.frames == after.judgement.frames
    assert made.is_minimal
    shows_nothing_else(before, after)
    is_one_minimal(made)
    shows_the_same_without_values(made.data, after, folder)
    return len(made.data) / len(data)


def names_the_same_frame(before: Found, after: Found) -> None:
    """The guilty frame is there, with its time, sender, command and place in its connection."""
    if before.row is None or after.row is None:
        assert before.row is after.row
        assert before.finding.finding.message == after.finding.finding.message
        return
    assert after.row.time_ns == before.row.time_ns
    assert after.row.name == before.row.name
    assert after.row.addresses == before.row.addresses


def shows_nothing_else(before: Found, after: Found) -> None:
    """Every rule found in the result is found in the capture."""
    rules = {each.finding.rule for each in before.judgement.findings}
    assert {each.finding.rule for each in after.judgement.findings} <= rules


def shows_the_same_without_values(data: bytes, before: Found, folder: Path) -> None:
    """Once it is redacted, all rules name the same frames, and no value is left."""
    path, out = folder / "minimised.pcapng", folder / "redacted.pcapng"
    path.write_bytes(data)
    redact([str(path)], str(out), Policy(), KEY)
    finding = before.finding.finding
    after = found(out.read_bytes(), finding.rule, finding.frames[:1])
    named = [
        sorted((each.finding.rule, each.finding.frames) for each in one.judgement.findings)
        for one in (before, after)
    ]
    assert named[0] == named[1]
    if before.row is not None and after.row is not None:
        assert (after.row.name, after.row.time_ns) == (before.row.name, before.row.time_ns)
    assert after.trouble == 0
    assert not leaks(path, out)


def is_one_minimal(made: MinimisedCapture) -> None:
    """Without any single frame the finding is gone, or something new is wrong."""
    with opened() as session:
        session.captures.append(open_capture(BytesIO(made.data)))
        whole = RecordedCapture(session)
    parts = sorted((part for each in whole.flows for part in each.parts), key=_order)
    allowed = rejudged(whole, parts)
    name = made.finding.rule
    (own,) = {_seen(each) for each in allowed.findings if each.finding == made.finding}
    for part in parts:
        left = rejudged(whole, [each for each in parts if each is not part])
        still = any(_seen(each) == own for each in left.findings)
        assert not still or not left.faults <= allowed.faults, f"{name} needs no {part.data[:40]!r}"


def rejudged(whole: RecordedCapture, parts: list[Part]) -> Judgement:
    """Write and judge parts of a capture."""
    made = rewritten(whole.flows, parts)

    def place(row: Row) -> Any:  # noqa: ANN401 - of any hashable
        part = made.origins.part(row.connection.flow.number, row.addresses[0], row.offset)
        return part and (part.flow, part.side, part.offset)

    with opened() as session:
        session.captures.append(open_capture(BytesIO(made.data)))
        return judged(session, place, lambda number: made.origins.flows[number].flow.number)


def _seen(placed: PlacedFinding) -> tuple[Any, str]:
    """Return what must stay of a finding."""
    return placed.fault, placed.finding.severity


def _order(part: Part) -> Any:  # noqa: ANN401 - as above
    return part.order


def test_cover(tmp_path: Path) -> None:
    """Some findings, drawn, of one on each protocol and carrier."""
    with Failures() as failures:
        for capture in some(COVER, FEW):
            rule = COVER[capture]
            with failures.of(f"{capture} {rule}"):
                path = lines()[capture].path
                target = next(each for each in recorded(path).findings if each.finding.rule == rule)
                assert holds_what_it_promises(path, target, tmp_path) < 1
    recorded.cache_clear()


def known_faults() -> Iterator[tuple[Path, PlacedFinding]]:
    """Yield the findings that provenance names, of every recorded bug."""
    for path in sorted(ROOT.glob("captures/*/bug_*")):
        provenance = tomllib.loads((path / "provenance.toml").read_text("utf-8"))
        rules = {each.get("rule", "") for each in provenance.get("guilty", ())}
        file = path / provenance["file"]
        for rule in sorted(rules | set(provenance.get("faults", ()))):
            for each in recorded(file).findings:
                if each.finding.rule == rule and not each.is_echo:
                    yield file, each
                    break
        recorded.cache_clear()


@pytest.mark.sweep
def test_every_recorded_bug(tmp_path: Path) -> None:
    """What provenance names is found in the minimised capture of every recorded bug."""
    shares = []
    with Failures() as failures:
        for path, target in known_faults():
            with failures.of(f"{path.parent.name} {target.finding.rule}"):
                shares.append(holds_what_it_promises(path, target, tmp_path))
    assert median(shares) <= LARGEST_SHARE
