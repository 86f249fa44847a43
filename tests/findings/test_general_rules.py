"""A problem that no rule of the protocol names is a finding of the general rules."""

from pathlib import Path

import pytest
from tests.builders import pcap
from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.framing.parcel_protocol import TICKS, parcel
from tests.fuzz import mutants
from tests.protocols.http2.traffic import PING, call, frame, talk

import streamshark
from streamshark.cli.writers import DAMAGE
from streamshark.dissection.row import EventRow
from streamshark.findings.general_rules import general
from streamshark.protocols.catalog import catalog

FEW = 36
"""Spoilt recordings that are read."""


def test_every_problem_is_named_once() -> None:
    """By the rule that knows it, else by a general one, wherever these stand among the rules."""
    wrong = parcel(3, b"abc")
    specific = rule("problem:trailing", id="T-1", message="specific")
    later = rule("tick", "size > 8", id="T-2", message="of the row")
    for rules, named in (
        ((), ["T-Q2"]),
        ((specific,), ["T-1"]),
        ((later,), ["T-2"]),
        ((specific, later), ["T-1", "T-2"]),
    ):
        every = (*rules, *general("T", "a document", "made-up"))
        turned = ((*every[at:], *every[:at]) for at in range(len(every)))
        for order in (each[::step] for each in turned for step in (1, -1)):
            made = Talk((), *order)
            made.say(CLIENT, TICKS)
            row = made.say(CLIENT, wrong)
            made.say(CLIENT, TICKS)

            found = made.findings()

            assert sorted({each.rule for each in found if row.number in each.frames}) == named


def unnamed(path: Path) -> tuple[int, list[str]]:
    """How many rows have problems, and those that no finding names, on connections without loss.

    What stops decoding is named on connections with skipped bytes too, if their start is there.
    """
    analysis = streamshark.open(path).analysis(rules=True)
    marked, frames, packets = [], set[int](), set[int]()
    opened, damaged, lost = set[int](), set[int](), set[int]()
    for row in analysis.rows():
        flow = row.connection.flow.number
        if row.problems:
            marked.append((row.number, flow, frozenset(row.packets), row.problems))
        if isinstance(row, EventRow) and row.name == "open":
            opened.add(flow)
        if isinstance(row, EventRow) and row.name in DAMAGE:
            damaged.add(flow)
            if row.name != "resync" or flow not in opened:
                lost.add(flow)
    found = analysis.findings()
    while found:
        each = found.pop()
        found += each.echoes
        frames.update(each.frames)
        packets.update(each.packets)
    return len(marked), [
        f"{path.parent.name}: frame {number}, packets {sorted(brought)}, {problems}"
        for number, flow, brought, problems in marked
        if flow not in (lost if any(one.code.stops for one in problems) else damaged)
        and number not in frames
        and not brought & packets
    ]


@pytest.mark.slow
def test_what_reading_marks_is_named(tmp_path: Path) -> None:
    """In recordings that are spoilt at random; whole ones are held where they are read."""
    marked, wrong = 0, []
    for number in range(FEW):
        path = tmp_path / str(number) / "spoilt.pcap"
        path.parent.mkdir()
        path.write_bytes(mutants.mutant(number).data)
        count, found = unnamed(path)
        marked += count
        wrong += found

    assert wrong == []
    assert marked > 10


def test_every_protocol_has_them() -> None:
    """All three, under a prefix of its own."""
    for each in catalog():
        prefix = each.rules[0].id.partition("-")[0]
        general = dict.fromkeys(one.id for one in each.rules if one.is_general)
        ids = [one for one in general if one.startswith(f"{prefix}-Q")]

        assert ids == [f"{prefix}-Q{number}" for number in (1, 2, 3)], each.wire.id


@pytest.mark.parametrize("fault", [frame(8, bytes(4), 0), frame(PING, bytes(7), 0)])
def test_problems_of_a_carrier_are_named_too(fault: bytes, tmp_path: Path) -> None:
    """An event of HTTP/2, and a frame of it that cannot be read."""
    asked, answered = call()
    (tmp_path / "a.pcap").write_bytes(pcap(talk((0, asked), (1, answered), (0, fault)).packets))
    analysis = streamshark.open(tmp_path / "a.pcap").analysis(rules=True, annotates=False)
    for _ in analysis.batches(lambda _: None):
        pass
    analysis.finish()

    (found,) = analysis.findings()

    assert (found.rule, found.packets) == ("GRPC-Q2", (6,))
