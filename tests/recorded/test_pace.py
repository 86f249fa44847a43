"""Healthy captures at another pace, and side by side, accuse nobody.

What a busy, a slow or a far peer does at other times is not a fault. Captures are read ten times as
fast and ten times as slow, and with a long way between the peers; and those of a protocol laid over
each other, as a gateway sees all programs at once. No rule is broken at warning or error that the
capture alone does not break so.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from tests.failures import Failures
from tests.recorded import damage
from tests.recorded.damage import Packet, Packets
from tests.recorded.index import Line
from tests.recorded.test_damage import HEALTHY, PROTOCOLS, broken

Pace = Callable[[Packets], Packets]
TOGETHER: Final = 8
"""Captures that are laid over each other."""
START: Final = 1_800_000_000 * damage.SECOND
"""When they begin: after all times that they name."""


def fast(packets: Packets) -> Packets:
    """Return packets in a tenth of the time."""
    return _scaled(packets, 1, 10)


def slow(packets: Packets) -> Packets:
    """Return packets in ten times the time."""
    return _scaled(packets, 10, 1)


def far(packets: Packets) -> Packets:
    """Return packets as on a way of 300 ms, captured at the client."""
    return damage.far(packets, _Longest())


class _Longest(Random):
    """Chooses the last of all, which is the longest way; of pairs of times the first."""

    def choice(self, seq: Any) -> Any:  # noqa: ANN401 - as Random's
        return seq[-1] if isinstance(seq[0], int) else seq[0]


def _scaled(packets: Packets, factor: int, divisor: int) -> Packets:
    start = packets[0].time_ns
    return [p._replace(time_ns=start + (p.time_ns - start) * factor // divisor) for p in packets]


AGREED: Final[dict[Pace, dict[str, str]]] = {
    fast: {
        "NATS-B4": "pulls that say when they expire expire too early",
        "RMQ-H5": "heartbeats come more often than Tune agrees",
        "RMQ-X8": "a poll each second becomes one each 100 ms, which is a hot loop",
        "RSK-B4": "KEEPALIVE comes more often than SETUP says",
    },
    slow: {
        "LFB-B10": "acks come later than servers take for them",
        "LFB-L7": "so says the rule for messages in envelopes",
        "LFB-L14": "so says the rule for replication",
        "LFB-L21": "members fetch less often than the group's timeout",
        "NATS-B14": "acks come after the ack_wait of the consumer",
        "NATS-B33": "a program that ends soon after it is back seems to stay",
        "NATS-B115": "pulls that say when they expire expire too late",
        "PRV-P41": "servers close idle connections after a fixed time",
        "RMQ-H1": "heartbeats come less often than Tune agrees",
        "RMQ-H2": "heartbeats come less often than Tune agrees",
        "RSK-B80": "KEEPALIVE comes less often than SETUP says",
        "RSK-C24": "KEEPALIVE comes less often than SETUP says",
        "RSK-K1": "KEEPALIVE comes less often than SETUP says",
        "RSK-K2": "KEEPALIVE is answered after half the lifetime of SETUP",
        "RSK-L2": "requests come after the time to live of their lease",
        "RSK-S22": "frames that cross are seconds apart",
    },
    far: {
        "LFB-B10": "acks come later than servers take for them",
        "LFB-L7": "so says the rule for messages in envelopes",
        "LFB-L21": "members fetch less often than the group's timeout",
        "NATS-B14": "acks come after the ack_wait of the consumer",
        "NATS-B33": "a program that ends soon after it is back seems to stay",
        "RMQ-I5": "frames that cross wait for those of other connections too",
        "RMQ-H1": "heartbeats come less often than Tune agrees",
        "RMQ-H2": "heartbeats come less often than Tune agrees",
        "RSK-K1": "KEEPALIVE comes less often than SETUP says",
        "RSK-L2": "requests come after the time to live of their lease",
    },
}
"""Rules about times that peers agree on, which another pace breaks, with what is then wrong. A long
way delays all that follows, so that what is sent at intervals comes later as well."""


def packets_of(line: Line) -> Packets:
    """Read the packets of a capture."""
    provenance = tomllib.loads((line.path.parent / "provenance.toml").read_text())
    return damage.read(line.path, provenance["server_ports"])


def accusing(packets: Packets, path: Path) -> set[str]:
    """Return the rules that are broken at warning or error."""
    return {rule for rule, is_severe in broken(packets, path) if is_severe}


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_pace_accuses_anybody(protocol: str, tmp_path: Path) -> None:
    """Only rules about agreed times; whichever capture breaks one alone may do so at any pace."""
    with Failures() as failures:
        for line in (each for each in HEALTHY if each.protocol == protocol):
            packets, alone = packets_of(line), None
            for pace, agreed in AGREED.items():
                found = accusing(pace(packets), tmp_path / "paced.pcap") - set(agreed)
                if found and alone is None:
                    alone = accusing(packets, tmp_path / "alone.pcap")
                with failures.of(f"{line.capture}, {pace.__name__}"):
                    assert found - (alone or set()) == set()


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_programs_beside_each_other_accuse_nobody(protocol: str, tmp_path: Path) -> None:
    """Captures that start at once, each between hosts of its own."""
    with Failures() as failures:
        for lines, packets in together([each for each in HEALTHY if each.protocol == protocol]):
            found = accusing(packets, tmp_path / "together.pcap")
            alone = set[str]()
            for line in lines if found else ():
                alone |= accusing(packets_of(line), tmp_path / "alone.pcap")
            with failures.of(" ".join(each.capture for each in lines)):
                assert found - alone == set()


def elsewhere(packet: Packet, number: int) -> Packet:
    """Return a packet between hosts of another network; checksums stay those of the recording."""
    data = bytearray(packet.data)
    for place in {b"\x08\0": (27, 31), b"\x86\xdd": (29, 45)}.get(bytes(data[12:14]), ()):
        data[place] ^= number
    return packet._replace(data=bytes(data))


def together(lines: list[Line]) -> list[tuple[list[Line], Packets]]:
    """Return groups of captures, each with their packets in the order of time since the start."""
    groups: list[tuple[list[Line], Packets]] = []
    for line in lines:
        packets = packets_of(line)
        start = packets[0].time_ns - START
        moved = [each._replace(time_ns=each.time_ns - start) for each in packets]
        if not groups or len(groups[-1][0]) == TOGETHER:
            groups.append(([], []))
        group, others = groups[-1]
        others += [elsewhere(each, len(group)) for each in moved]
        group.append(line)
    return [(group, sorted(all_, key=lambda each: each.time_ns)) for group, all_ in groups]
