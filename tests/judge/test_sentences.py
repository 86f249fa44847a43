"""What a plugin says of a frame that breaks a rule, and of the usual cause, `check` says too."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from tests.judge import traffic
from tests.judge.judging import Ear, tshark
from tests.judge.test_captures import PROTOCOLS, plugin

from streamshark.analysis import Analysis
from streamshark.dissection.row import FrameRow
from streamshark.session import Session

SOME = 1 if traffic.THOROUGH else 4
"""One in so many captures is compared."""
BETWEEN = "\x1f"
NUMBERS = re.compile(r"(?<=\bframe )\d+|(?<=\bframes )\d+(, \d+)*")
"""Frames are numbered there, packets here."""
TIME = re.compile(r"\d[\d.]* (?:us|ms|s|min)\b")
"""Until the end of a connection, for an answer: plugins do not see the FIN that ends it."""
LATE = ("unanswered:", "end:conn")
"""What rules of such times are about."""

Said = dict[tuple[int, str], set[str]]
"""Packet and rule to sentences."""
Causes = dict[int, set[str]]
"""Packet to the usual causes of its findings."""


def ours(capture: Path, name: str) -> tuple[Said, dict[tuple[int, str], str]]:
    """The first sentence of each finding, of rules that have but one sentence; and its cause."""
    ear, packets = Ear(PROTOCOLS[name]), {}
    for row in Analysis(Session([str(capture)]), ear).rows():
        if isinstance(row, FrameRow):
            packets[row.number] = row.packet
    rules = Counter(each.id for each in PROTOCOLS[name].rules)
    said: Said = defaultdict(set)
    causes: dict[tuple[int, str], str] = {}
    late = {each.id for each in PROTOCOLS[name].rules if each.on.startswith(LATE)}
    for top in ear.findings():
        for each in (top, *top.echoes):
            if each.frames and each.rule in rules:
                causes.setdefault((packets.get(each.frames[0], 0), each.rule), each.cause)
            if each.frames and rules[each.rule] == 1:
                message = TIME.sub("", each.message) if each.rule in late else each.message
                said[packets.get(each.frames[0], 0), each.rule].add(NUMBERS.sub("", message))
    return said, causes


def theirs(capture: Path, name: str) -> tuple[Said, Causes]:
    """Every sentence of expert items, and every usual cause."""
    short = PROTOCOLS[name].wire.short
    cause = f"{short}.finding.cause"
    fields = ("-T", "fields", "-e", "frame.number", "-e", f"{short}.finding.message", "-e", cause)
    only = ("-2", "-Y", f"{short}.finding", "-E", f"aggregator={BETWEEN}")
    late = {each.id for each in PROTOCOLS[name].rules if each.on.startswith(LATE)}
    said: Said = defaultdict(set)
    causes: Causes = defaultdict(set)
    for line in tshark(capture, plugin(name), *only, *fields).splitlines():
        number, messages, own = line.split("\t")
        causes[int(number)] |= set(own.split(BETWEEN))
        for each in messages.split(BETWEEN):
            rule, _, sentence = each.partition(": ")
            sentence = TIME.sub("", sentence) if rule in late else sentence
            said[int(number), rule].add(NUMBERS.sub("", sentence))
    return said, causes


@pytest.mark.parametrize("name", PROTOCOLS)
def test_findings_are_told_in_the_same_words(name: str, tmp_path: Path) -> None:
    """Where both tell a rule of a frame."""
    compared = 0
    for file in traffic.joined(traffic.captures(name, findings=True)[::SOME], tmp_path):
        (here, causes), (there, others) = ours(file, name), theirs(file, name)
        both = here.keys() & there.keys()
        differ = {each: (here[each], there[each]) for each in both if here[each] - there[each]}
        assert differ == {}, file
        named = {each: causes[each] for each in causes.keys() & there.keys() if causes[each]}
        lacking = {at: each for at, each in named.items() if each not in others[at[0]]}
        assert lacking == {}, file
        compared += len(both)
    assert compared > 0
