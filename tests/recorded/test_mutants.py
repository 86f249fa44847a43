"""Mutants of healthy captures: `check` is silent only about those that are listed with a reason.

Each file of `silent_mutants` is about one protocol: first the reasons, by sender, message and kind,
then for each capture the frames of the mutants of which nothing is said. `make test` judges one in
eight of the mutants of the captures without the word `sweep`, drawn; `make test-sweep` judges all
mutants of all captures.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.draw import is_drawn
from tests.recorded.index import ROOT
from tests.recorded.mutants import Original, said

ONE_OF_MUTANTS = 8
"""One mutant of this many is judged by `make test`: each is a reading of its capture."""
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


Named = tuple[str, int]
"""Sender, message and kind of a mutant, and the number of its frame."""


def found(capture: str, one_of: int = 1) -> tuple[set[Named], set[Named], set[Named]]:
    """Return the mutants of a capture, those that are judged, and those that are silent.

    One of so many is judged, drawn.
    """
    original = Original(capture)
    healthy = said(original.flows, original.parts)
    every, judged, silent = set[Named](), set[Named](), set[Named]()
    for mutant in original.mutants(KINDS):
        message = mutant.message
        named = f"{message.sender} {message.name} {mutant.kind}", message.row.number
        every.add(named)
        if is_drawn(f"{capture} {named}", one_of):
            judged.add(named)
            if not said(mutant.flows, mutant.parts) - healthy:
                silent.add(named)
    return every, judged, silent


@pytest.mark.parametrize(
    ("protocol", "capture"),
    [
        (protocol, capture)
        for protocol, own in LISTS.items()
        for capture in own.silent
        if capture not in own.sweep
    ],
)
def test_drawn_mutants_are_silent_if_they_are_listed(protocol: str, capture: str) -> None:
    """Of some captures all mutants are made, and some of them judged."""
    every, judged, silent = found(f"{protocol}/{capture}", ONE_OF_MUTANTS)
    listed = listed_of(protocol, capture)

    assert sorted(listed - every) == []
    assert sorted(silent) == sorted(listed & judged)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("protocol", "capture"),
    [(protocol, capture) for protocol, own in LISTS.items() for capture in own.silent],
)
def test_silent_mutants_are_listed(protocol: str, capture: str) -> None:
    """Neither more nor fewer."""
    _, _, silent = found(f"{protocol}/{capture}")
    assert sorted(silent) == sorted(listed_of(protocol, capture))


def listed_of(protocol: str, capture: str) -> set[Named]:
    """Return the silent mutants of a capture that are listed."""
    silent = LISTS[protocol].silent[capture]
    return {(name, number) for name, numbers in silent.items() for number in numbers}


@pytest.mark.parametrize("protocol", LISTS)
def test_silence_has_a_reason(protocol: str) -> None:
    """Each kind of silent mutant has one, and no reason is left over."""
    reasons, silent, _ = LISTS[protocol]
    assert {name for names in silent.values() for name in names} == set(reasons)
    assert [name for name, reason in reasons.items() if not reason.endswith(".")] == []
