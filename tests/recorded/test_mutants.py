"""Mutants of healthy captures: `check` is silent only about those that are listed with a reason.

Each file of `silent_mutants` is about one protocol: first the reasons, by sender, message and kind,
then for each capture the frames of the mutants of which nothing is said. `make test` takes the
captures without the word `sweep`.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.recorded.index import ROOT
from tests.recorded.mutants import Original, said

KINDS = ("lost", "twice", "early", "late", "silent", "closes")
"""Alterations of a message as a whole; which values may be others is not listed."""


class Listed(NamedTuple):
    """What a file lists of a protocol."""

    reasons: dict[str, str]
    """Sender, message and kind of mutants, and why nothing is said."""
    silent: dict[str, dict[str, tuple[int, ...]]]
    """Capture to the same, with the numbers of the frames."""
    sweep: frozenset[str]
    """Captures that only `make test-sweep` reads."""


def listed(path: Path) -> Listed:
    """Read a file of `silent_mutants`."""
    reasons: dict[str, str] = {}
    silent: dict[str, dict[str, tuple[int, ...]]] = {}
    sweep = set()
    capture = ""
    for line in filter(None, path.read_text().splitlines()):
        if line.startswith("["):
            capture, _, mark = line.strip("[]").partition(" ")
            silent[capture] = {}
            sweep |= {capture} if mark == "sweep" else set()
        elif capture:
            words = line.split()
            silent[capture][" ".join(words[:3])] = tuple(map(int, words[3:]))
        else:
            name, _, reason = line.partition(": ")
            reasons[name] = reason
    return Listed(reasons, silent, frozenset(sweep))


LISTS = {
    path.stem: listed(path)
    for path in sorted((ROOT / "tests" / "recorded" / "silent_mutants").glob("*.txt"))
}


def found(capture: str) -> dict[str, tuple[int, ...]]:
    """Return the silent mutants of a capture: sender, message and kind, and their frames."""
    original = Original(capture)
    healthy = said(original.flows, original.parts)
    silent: dict[str, tuple[int, ...]] = {}
    for mutant in original.mutants(KINDS):
        if not said(mutant.flows, mutant.parts) - healthy:
            message = mutant.message
            name = f"{message.sender} {message.name} {mutant.kind}"
            silent[name] = (*silent.get(name, ()), message.row.number)
    return silent


@pytest.mark.parametrize(
    ("protocol", "capture"),
    [
        pytest.param(protocol, capture, marks=[pytest.mark.sweep] if capture in own.sweep else [])
        for protocol, own in LISTS.items()
        for capture in own.silent
    ],
)
def test_silent_mutants_are_listed(protocol: str, capture: str) -> None:
    """Neither more nor fewer."""
    silent = found(f"{protocol}/{capture}")
    assert sorted(silent.items()) == sorted(LISTS[protocol].silent[capture].items())


@pytest.mark.parametrize("protocol", LISTS)
def test_silence_has_a_reason(protocol: str) -> None:
    """Each kind of silent mutant has one, and no reason is left over."""
    reasons, silent, _ = LISTS[protocol]
    assert {name for names in silent.values() for name in names} == set(reasons)
    assert [name for name, reason in reasons.items() if not reason.endswith(".")] == []
