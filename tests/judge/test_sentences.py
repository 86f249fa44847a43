"""A plugin finds what `check` finds, at the same packets, and says the same of it.

Of frames only findings are compared, which takes half the time of all fields. No other test
compares all rules of the plugins with those of `check`.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from tests.judge import traffic
from tests.judge.judging import Own, first_gaps, own, tshark
from tests.judge.test_captures import (
    PROTOCOLS,
    UNKNOWN_FIRST,
    files_of,
    has_calls,
    has_frames,
    plugin,
)

from streamshark.findings.finding import Severity

SOME = 4
"""One in so many captures with calls: `test_captures` compares the findings of these."""
BETWEEN = "\x1f"
WORSE_NOT_YET = {"NATS-B14b"}
"""Rules whose severity rises two matches too early in a plugin, as in bug_batch_above_the_ack_wait.
This list only shrinks."""
NUMBERS = re.compile(r"(?<=\bframe )\d+|(?<=\bframes )\d+(, \d+)*")
"""Frames are numbered there, packets here."""
TIME = re.compile(r"\d[\d.]* (?:us|ms|s|min)\b")
"""Until the end of a connection, for an answer: plugins do not see the FIN that ends it."""
BACKSLASHES = re.compile(r"\\+")
"""Wireshark 4.0 shows each twice, later releases four times."""
LATE = ("unanswered:", "end:conn")
"""What rules of such times are about."""

Said = dict[tuple[int, str], set[str]]
"""Packet and rule to sentences."""
Causes = dict[int, set[str]]
"""Packet to the usual causes of its findings."""
Worst = dict[tuple[int, str], int]
"""Packet and rule to the rank of the worst severity there."""
RANKS = {0x200000: 0, 0x400000: 1, 0x600000: 2, 0x800000: 3}
"""Wireshark's numbers of severities, with the ranks of ours."""
Broken = set[tuple[int, str]]
"""Packets and the rules that their frames break."""


def ours(read: Own, name: str) -> tuple[Said, dict[tuple[int, str], str]]:
    """The first sentence of each finding, of rules that have but one sentence; and its cause."""
    packets = read.packets
    rules = Counter(each.id for each in PROTOCOLS[name].rules)
    said: Said = defaultdict(set)
    causes: dict[tuple[int, str], str] = {}
    late = {each.id for each in PROTOCOLS[name].rules if each.on.startswith(LATE)}
    for top in read.ear.tops:
        for each in (top, *top.echoes):
            if each.frames and each.rule in rules:
                causes.setdefault((packets.get(each.frames[0], 0), each.rule), each.cause)
            if each.frames and rules[each.rule] == 1:
                message = TIME.sub("", each.message) if each.rule in late else each.message
                message = BACKSLASHES.sub("", NUMBERS.sub("", message))
                said[packets.get(each.frames[0], 0), each.rule].add(message)
    return said, causes


def theirs(capture: Path, name: str) -> tuple[Broken, Said, Causes, Worst]:
    """Every finding, sentence and severity of expert items, and usual cause; calls left out."""
    short = PROTOCOLS[name].wire.short
    shown = ["frame.number", *(f"{short}.finding{each}" for each in ("", ".message", ".cause"))]
    shown += ["_ws.expert.severity", "_ws.expert.message"]
    fields = ("-T", "fields", *(part for each in shown for part in ("-e", each)))
    only = ("-2", "-Y", f"{short}.finding and not http2", "-E", f"aggregator={BETWEEN}")
    broken: Broken = set()
    late = {each.id for each in PROTOCOLS[name].rules if each.on.startswith(LATE)}
    said: Said = defaultdict(set)
    causes: Causes = defaultdict(set)
    worst: Worst = {}
    for line in tshark(capture, plugin(name), *only, *fields).splitlines():
        number, found, messages, usual, severities, items = line.split("\t")
        broken |= {(int(number), each) for each in found.split(BETWEEN)}
        causes[int(number)] |= set(usual.split(BETWEEN))
        for each in messages.split(BETWEEN):
            rule, _, sentence = each.partition(": ")
            sentence = TIME.sub("", sentence) if rule in late else sentence
            said[int(number), rule].add(BACKSLASHES.sub("", NUMBERS.sub("", sentence)))
        for severity, each in zip(severities.split(BETWEEN), items.split(BETWEEN), strict=True):
            rule = each.partition(": ")[0]
            rank = max(RANKS[int(severity)], worst.get((int(number), rule), 0))
            worst[int(number), rule] = rank
    return broken, said, causes, worst


def worst_of(read: Own) -> Worst:
    """The worst severity that a rule has at a packet before the first gap of its connection."""
    lost, worst = first_gaps(read.gaps), dict[tuple[int, str], int]()
    assert read.ear.matches is not None
    for frame, match in read.ear.matches.taken():
        packet = read.packets.get(frame)
        if packet is not None and packet < lost.get(read.ways[packet][0], packet + 1):
            rank = max(Severity(match.severity).rank, worst.get((packet, match.rule), 0))
            worst[packet, match.rule] = rank
    return worst


def different(read: Own, broken: Broken) -> list[str]:
    """What only one of both finds; of each connection up to its first gap."""
    mine = {
        (read.packets[frame], rule)
        for frame, rules in read.ear.kept.items() if frame in read.packets for rule in rules
    }  # fmt: skip
    lost = first_gaps(read.gaps)
    return [
        f"packet {packet}: {'ours' if (packet, rule) in mine else 'theirs'} alone breaks {rule}"
        for packet, rule in sorted(mine ^ broken)
        if packet < lost.get(read.ways[packet][0], packet + 1)
    ]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_findings_are_the_same_in_the_same_words(name: str, tmp_path: Path) -> None:
    """Sentences, causes and severities where both find a rule at a packet.

    `make test` compares few captures that show together all findings.
    """
    compared = 0
    every = [path for path in traffic.captures(name, findings=True) if has_frames(path)]
    every = [each for each in every if each.parent.name not in UNKNOWN_FIRST]
    if PROTOCOLS[name].wire.within and not traffic.THOROUGH:  # each is a file of its own
        some = set([each for each in every if has_calls(each)][::SOME])
        every = [each for each in every if each in some or not has_calls(each)]
    for file in files_of(name, every, tmp_path):
        read = own(file, PROTOCOLS[name], values=False)
        (here, causes), (broken, there, others, ranks) = ours(read, name), theirs(file, name)
        assert different(read, broken) == [], file
        both = here.keys() & there.keys()
        differ = {each: (here[each], there[each]) for each in both if here[each] - there[each]}
        assert differ == {}, file
        named = {each: causes[each] for each in causes.keys() & there.keys() if causes[each]}
        lacking = {at: each for at, each in named.items() if each not in others[at[0]]}
        assert lacking == {}, file
        mine = worst_of(read)
        severities = {at: (mine[at], ranks[at]) for at in mine.keys() & ranks.keys()}
        differ = {at: each for at, each in severities.items() if each[0] != each[1]}
        assert {at: each for at, each in differ.items() if at[1] not in WORSE_NOT_YET} == {}, file
        compared += len(both)
    assert compared > 0
