"""Damaged captures accuse nobody of what the whole ones do not.

Captures are damaged in the ways of `tests/recorded/damage.py`. Of a healthy capture no rule is
broken at warning or error that the whole capture does not break so, and none at all but those that
tell of the damage itself; of a capture of a fault no other rule is broken at warning or error.

`make test` does one kind of damage, the same one each time, to few captures of usual size, which
show together all that these show, and to some that are drawn. `make test-sweep` does every kind to
every capture, with `STREAMSHARK_DAMAGE=n` several times.
"""

import itertools
import os
import tomllib
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from tests.draw import some_of
from tests.failures import Failures
from tests.recorded import damage
from tests.recorded.damage import DAMAGES, Damage, Packets, several
from tests.recorded.index import Line, lines
from tests.recorded.reading import flat
from tests.recorded.share import few_of_usual_size, parameters

from streamshark.findings.finding import Severity
from streamshark.findings.rule import family
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
HEALTHY = [each for each in lines().values() if each.healthy]
KINDS = (*DAMAGES, several)
PROTOCOLS = sorted({each.protocol for each in lines().values()})
PAIRS = 4
"""Pairs of captures of a protocol that are read one after the other."""
DRAWS = int(os.environ.get("STREAMSHARK_DAMAGE", "1"))
"""How often the sweep does each kind of damage to a capture."""
TELLING = {
    "PRV-B14": "counts connections whose later requests were lost as left open, as a note",
    "RMQ-F13": "says that bytes are missing",
    "RMQ-D10": "says that the clocks of broker and capture differ",
    "RMQ-D14": "says so too, of a time that is to come, as a note",
    "RSK-B34": "counts a ratio, which some frames of a connection have and all do not, as a note",
}
"""Notes on the damage itself, or that are right about the part of a capture that is left."""
SLOWER = {
    "far": {
        *(
            "RMQ-H1",
            "RMQ-H2",
            "RMQ-B5",
            "RMQ-B82",
            "RMQ-B240",
            "RSK-K1",
            "RSK-K2",
            "RSK-K8",
            "RSK-B20",
            "RSK-S2",
            "NATS-N7",
            "NATS-B14",
            "NATS-B24",
            "NATS-B48",
            "NATS-B25",
        ),
        *("RMQ-C9", "RMQ-N5", "RMQ-B70", "RSK-C24"),
        *("LFB-L7", "LFB-L14", "LFB-B10", "PRV-P41", "PRV-B11", "PRV-B26", "PRV-B40"),
        *("GRPC-B9", "GRPC-B50"),
    },
    "out_of_order": {
        *("RMQ-H1", "RMQ-H2", "RMQ-H4", "RSK-B20", "RSK-B84", "RSK-K1", "RSK-K9", "RSK-S2"),
        *("RMQ-K7",),
        *("NATS-N7", "NATS-B24"),
        *("NATS-B28", "PRV-B11", "PRV-B24", "RSK-B23"),
    },
    "other_clock": {"PRV-P39", "RMQ-B248"},
}
"""Rules about what is sent at fixed intervals, at once or within a time, which is broken by more
time between packets, and by packets that wait for one that comes seconds later; and two about
dates, which depend on whose clock is right, as they say."""

NOT_YET = {
    ("nats/callback_takes_its_time_rust", "burst"): {"NATS-N1"},
    ("pravega/long_day_py", "early"): {"PRV-B64"},
    ("rabbitmq_stream/broker_restarts_java", "burst"): {"RMQ-B17"},
    ("rabbitmq_stream/broker_restarts_java", "one_lost"): {"RMQ-B17"},
    ("rabbitmq_stream/bug_host_never_reached_rstream", "several"): {
        *("RMQ-N1", "RMQ-N16", "RMQ-X1"),
    },
    ("rabbitmq_stream/deploy_rstream", "burst"): {"RMQ-A5", "RMQ-B17"},
    ("rabbitmq_stream/first_chunk_handled_rstream", "burst"): {"RMQ-N5"},
    ("rabbitmq_stream/first_chunk_handled_rstream", "out_of_order"): {"RMQ-B92"},
    ("rabbitmq_stream/no_offset_yet_begins_first_rstream", "one_side_from"): {"RMQ-B17"},
    ("rabbitmq_stream/offset_tracking", "burst"): {"RMQ-B46"},
    ("rabbitmq_stream/subscribes_again_after_metadata_update", "lost"): {"RMQ-M11"},
    ("rabbitmq_stream/unconfirmed_sent_again_java", "far"): {"RMQ-B102"},
}
"""Rules that a damaged capture breaks wrongly, until they are mended; this list only shrinks."""

WHOLE_ONLY = {"TCP-C1", "TCP-C2", "GRPC-G1"}
"""Rules that are notes where the capture shows that it worked, before or after."""

JOINED = {
    "RMQ-M4": "counts connections of one host in ten seconds, whichever program opens them",
    "RMQ-X2": "a request waits until the captures end, which is later where another one follows",
    "RSK-B89": "counts connections of one host, whichever program opens them",
    "PRV-B77": "counts connections of one host, whichever program opens them",
    "PRV-B26": "a transaction is open until the captures end, which is later where another follows",
    "PRV-B33": "counts reader groups that one host creates, whichever program asks",
    "PRV-B42": "counts streams that one host creates in a scope, whichever program asks",
    "RSK-R11": "compares resume tokens, which programs of two captures may have in common",
    "RSK-M11": "compares a token with the time of its frame, which a capture that is joined moves",
}
"""Rules that are right, as notes, about two captures as one."""
MOVED = {
    "RMQ-A13": "a consumer waits until the captures end, which is later where another one follows",
    "RMQ-M5": "Metadata of one capture lists the ports of its broker, and the broker of the other "
    "one has the same address and another port",
}
"""Rules that are right, whatever their severity, about two captures as one."""

OF_THE_REST = {
    "RMQ-N16": "RMQ-B223", "RMQ-Q1": "RMQ-P1", "RMQ-U7": "RMQ-M6", "RSK-B28": "RSK-B202",
}  # fmt: skip
"""Rules that are right about a fault of which some frames were lost, and that of the whole."""

Broken = set[tuple[str, bool]]
"""Rules, and whether as a warning or worse."""


def broken(packets: Packets, path: Path) -> Broken:
    """What is found in these packets."""
    path.write_bytes(damage.written(packets))
    analysis = Session([str(path)]).analysis(rules=True, annotates=False, summaries=False)
    for _ in analysis.rows():
        pass
    return {
        (family(each.rule), Severity(each.severity).rank >= Severity.WARNING.rank)
        for each in flat(analysis.findings())
    }


def new(found: Broken, whole: Broken) -> Broken:
    """What is not found in the whole capture; a note where that has a warning is nothing new."""
    worse = {rule for rule, accused in whole if accused}
    known = {rule for rule, _ in whole}
    milder = known & WHOLE_ONLY | {rule for rule, other in OF_THE_REST.items() if other in known}
    fresh = {each for each in found - whole if each[0] not in milder}
    return {each for each in fresh if each[1] or each[0] not in worse | set(TELLING)}


def accused(
    line: Line, kinds: Iterable[Damage], draws: int, folder: Path
) -> Iterator[tuple[str, Broken]]:
    """Damage a capture; yield how, and the rules that are not broken in the whole capture."""
    name = line.path.parent.name
    provenance = tomllib.loads((line.path.parent / "provenance.toml").read_text())
    packets = damage.read(line.path, provenance["server_ports"])
    whole: Broken | None = None
    for kind, number in itertools.product(kinds, range(draws)):
        spoilt = kind(packets, Random(f"{name} {kind.__name__} {number}"))  # noqa: S311 - a seed
        found = broken(spoilt, folder / "spoilt.pcap") if spoilt else set()
        if found and whole is None:
            whole = broken(packets, folder / "whole.pcap")
        allowed = SLOWER.get(kind.__name__, set())
        allowed = allowed | NOT_YET.get((line.capture, kind.__name__), set())
        fresh = {each for each in new(found, whole or set()) if each[0] not in allowed}
        yield f"{line.capture}, {kind.__name__} {number}", fresh


@pytest.mark.parametrize("line", parameters(HEALTHY, few_of_usual_size(HEALTHY)))
def test_damage_accuses_nobody(line: Line, tmp_path: Path) -> None:
    """Whatever is lost, late, twice or cut."""
    kind = KINDS[zlib.crc32(line.path.parent.name.encode()) % len(KINDS)]
    for how, fresh in accused(line, [kind], 1, tmp_path):
        assert fresh == set(), how


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_kind_of_damage_accuses_anybody(protocol: str, tmp_path: Path) -> None:
    """Every kind is done to every healthy capture."""
    with Failures() as failures:
        for line in (each for each in HEALTHY if each.protocol == protocol):
            for how, fresh in accused(line, KINDS, DRAWS, tmp_path):
                with failures.of(how):
                    assert fresh == set()


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_damage_to_faults_accuses_of_nothing_else(protocol: str, tmp_path: Path) -> None:
    """Every kind is done to every capture of a fault; notes may be others."""
    with Failures() as failures:
        for line in lines().values():
            if line.healthy or line.protocol != protocol:
                continue
            for how, fresh in accused(line, KINDS, DRAWS, tmp_path):
                with failures.of(how):
                    assert {rule for rule, is_severe in fresh if is_severe} == set()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_damage_changes_packets(kind: Damage) -> None:
    """Of a capture, at some seed."""
    folder = CAPTURES / "rabbitmq_stream" / "publish_and_consume_js"
    provenance = tomllib.loads((folder / "provenance.toml").read_text())
    packets = damage.read(folder / provenance["file"], provenance["server_ports"])

    assert any(kind(packets, Random(seed)) != packets for seed in range(8))  # noqa: S311 - a seed


@pytest.mark.parametrize("protocol", ["rabbitmq_stream", "rsocket", "pravega"])
def test_captures_of_one_server_after_each_other_accuse_nobody(
    protocol: str, tmp_path: Path
) -> None:
    """State that connections share is kept apart for independent captures, some of them drawn."""
    folders = [each.path.parent for each in HEALTHY if each.protocol == protocol]
    pairs = {f"{one.name} {two.name}": (one, two) for one, two in itertools.pairwise(folders[::15])}
    for one, other in some_of(pairs, PAIRS):
        read = []
        for folder in (one, other):
            provenance = tomllib.loads((folder / "provenance.toml").read_text())
            read.append(damage.read(folder / provenance["file"], provenance["server_ports"]))
        if {each.way for each in read[0] if each.way[0]} & {each.way for each in read[1]}:
            continue  # one port for two connections: TCP alone may tell them apart
        apart = [broken(packets, tmp_path / "one.pcap") for packets in read]
        together = broken(damage.joined(*read, damage.SECOND), tmp_path / "both.pcap")

        allowed = {(rule, False) for rule in (*JOINED, *MOVED)} | {(rule, True) for rule in MOVED}
        fresh = new(together, apart[0] | apart[1]) - allowed
        assert fresh == set(), (one.name, other.name)
