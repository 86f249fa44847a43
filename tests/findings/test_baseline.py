"""Baselines: which findings of another run are known."""

from dataclasses import replace

import pytest
from tests.views.findings import FAULT, FINDING, NOTE

from streamshark.errors import StreamsharkError
from streamshark.findings.baseline import Baseline, Fingerprints, parsed

FILES = ["runs/2026-11-24/login-7.pcap", "b.pcap"]


def test_another_recording_has_the_same_fingerprints() -> None:
    """Numbers, frames and folders differ; rule, severity, capture and words do not."""
    first = replace(FINDING, message="broker-1:5552 refused publisher 7 of 'orders'")
    again = replace(
        first, frames=(90,), packets=(99,), flow=8, conversation="8-90-call", count=5,
        message="broker-3:5559 refused publisher 12 of 'orders'",
    )  # fmt: skip
    others = {
        "message": replace(first, message=first.message.replace("orders", "invoices")),
        "rule": replace(first, rule="PARROT-9"),
        "severity": replace(first, severity="warning"),
        "file": replace(first, file=1),
    }
    known = Fingerprints(FILES).of(first)

    assert Fingerprints(["runs/2026-11-25/login-8.pcap"]).of(again) == known
    assert [name for name, each in others.items() if Fingerprints(FILES).of(each) == known] == []


def test_one_more_of_a_known_finding_is_new() -> None:
    """A baseline knows as many of one kind as there were."""
    before = Baseline((), FILES)
    assert [before.add(NOTE), before.add(NOTE)] == [False, False]

    after = Baseline(parsed(before.text().encode()), FILES)

    assert [after.add(NOTE), after.add(NOTE), after.add(NOTE)] == [True, True, False]


def test_a_new_consequence_is_new() -> None:
    """A known finding is reported again when it causes something that is not known."""
    before = Baseline((), FILES)
    before.add(FINDING)

    assert not Baseline(parsed(before.text().encode()), FILES).add(FAULT)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b'{"baseline": 1, "findings": [1]}',
        b"[" * 9999,
        b'{"findings": []}',
        b"\x1f\x8b",
    ],
)
def test_what_is_not_a_baseline(content: bytes) -> None:
    """Is one error, whatever it is."""
    with pytest.raises(StreamsharkError, match="not a baseline"):
        parsed(content)


def test_other_versions_are_refused() -> None:
    """Their fingerprints would match nothing."""
    with pytest.raises(StreamsharkError, match="version 2 is not supported"):
        parsed(b'{"baseline": 2, "findings": []}')
