"""Rules that need all connections whole, where something of another one is missing.

The plugin and `check` have to know of the same losses at the same time, or one of the two reports
what the other does not.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import Packet, pcap
from tests.failures import Failures
from tests.judge import traffic
from tests.judge.judging import tshark
from tests.judge.test_captures import PROTOCOLS, plugin
from tests.judge.test_made import packets_of
from tests.judge.traffic import Piece, Talk

import streamshark

SHOWING = {
    "nats": ("bug_source_made_again", "NATS-B137", 4222),
    "rsocket": ("bug_resume_after_restart", "RSK-B77", 7000),
}
"""A capture of each protocol that shows such a rule, and the port of servers."""
HTTP = [Piece(0, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), Piece(1, b"HTTP/1.1 204 OK\r\n\r\n")] * 3
GARBAGE = bytes(range(128, 256)) * 2

Damaged = Callable[[Talk, int], list[Packet]]


def whole(talk: Talk, port: int) -> list[Packet]:
    """All of a connection."""
    return list(traffic.packets_of(talk, 9, port))


def gap(talk: Talk, port: int) -> list[Packet]:
    """One segment in the middle is missing."""
    made = whole(talk, port)
    del made[len(made) // 2]
    return made


def late(talk: Talk, port: int) -> list[Packet]:
    """The beginning is missing."""
    return whole(talk, port)[3:]


def foreign(_talk: Talk, _port: int) -> list[Packet]:
    """A segment of a connection of another protocol is missing."""
    return gap(HTTP, 80)


def foreign_late(_talk: Talk, _port: int) -> list[Packet]:
    """The beginning of a connection of another protocol is missing."""
    return late(HTTP, 80)


def proxied(talk: Talk, port: int) -> list[Packet]:
    """A header of the PROXY protocol comes first; nothing is missing."""
    return whole([Piece(0, b"PROXY TCP4 192.0.2.7 192.0.2.1 5 7\r\n"), *talk], port)


def sealed(talk: Talk, port: int) -> list[Packet]:
    """Both sides go on in a format that is not read."""
    rest = [Piece(side, b"\xff\x06\x00\x00S2sTwO" + GARBAGE) for side in (0, 1, 0)]
    return whole([*talk[:2], *rest], port)


KINDS: tuple[Damaged, ...] = (foreign, foreign_late, proxied, whole, sealed)
"""What the other connection is; the last one is NATS's."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", SHOWING)
def test_plugin_and_check_know_of_the_same_losses(name: str, tmp_path: Path) -> None:
    """Before or after what the rule is about, on a connection of this or another protocol."""
    scenario, rule, port = SHOWING[name]
    (capture,) = (traffic.CAPTURES / name / scenario).glob("traffic.*")
    field = f"{PROTOCOLS[name].wire.short}.finding"
    recorded = packets_of(capture, tmp_path)
    talk = next(own for path in traffic.usual(name) for _, own in traffic.talks(path))
    kinds = KINDS if name == "nats" else KINDS[:-1]

    with Failures() as failures:
        for damaged in kinds:
            for before in (True, False):
                with failures.of(f"{damaged.__name__}, before: {before}"):
                    start = recorded[0].time_ns - 10**9 if before else recorded[-1].time_ns + 10**6
                    added = [
                        each._replace(time_ns=start + at * traffic.STEP_NS)
                        for at, each in enumerate(damaged(talk[:40], port))
                    ]
                    made = tmp_path / "made.pcap"
                    made.write_bytes(pcap(added + recorded if before else recorded + added))
                    says = {rule in {each.rule for each in streamshark.check(str(made))}}
                    for passes in ((), ("-2",)):
                        told = tshark(
                            made, plugin(name), *passes, "-Y", field, "-Tfields", f"-e{field}"
                        )
                        says.add(rule in re.split(r"[,\n]", told))
                    is_silent = before and damaged is sealed
                    assert says == {not is_silent}
