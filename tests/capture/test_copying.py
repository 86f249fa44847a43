"""A copy has the packets, times, comments and blocks of its sources, whatever they are."""

import io
import itertools
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from tests.builders import (
    NANOSECOND,
    START_NS,
    Packet,
    block,
    enhanced,
    ethernet,
    interface,
    ipv4,
    obsolete,
    option,
    pcap,
    pcapng,
    section,
    simple,
    tcp,
)
from tests.capture.test_records import mixed, opened, packets
from tests.reading import tshark

from streamshark.capture import CaptureError, open_capture
from streamshark.capture.copying import Copier, PcapCopier, PcapngCopier, SecretsCopied
from streamshark.capture.records import merged_records

RANDOM = b"ab" * 32
LOG = b"CLIENT_RANDOM " + RANDOM + b" 00\nCLIENT_RANDOM " + b"cd" * 32 + b" 11\n"


def copied(files: list[bytes], copier: Copier | None = None, limit: int | None = None) -> bytes:
    """Copy captures."""
    copier = copier or PcapngCopier(SecretsCopied(), is_whole=True)
    captures = [opened(each, at) for at, each in enumerate(files)]
    return b"".join(map(copier.copy, merged_records(captures, limit))) + copier.end()


def contents(data: bytes) -> list[tuple[Any, ...]]:
    """Return time, bytes, length on the wire, link type, resolution and comments of packets."""
    capture = open_capture(io.BytesIO(data))
    found = [
        (batch.times[at], batch.data[batch.starts[at] :][: batch.captured[at]],
         batch.original[at], batch.links[at])
        for batch in capture.batches()
        for at in range(len(batch))
    ]  # fmt: skip
    assert capture.damage is None
    comments = {number: [] for number in range(1, len(found) + 1)}
    for each in capture.comments:
        if each.kind == "packet":
            comments[each.number].append(each.text)
    return [(*each, comments[at]) for at, each in enumerate(found, 1)]


@pytest.mark.parametrize("order", "<>")
def test_one_capture_is_copied_byte_for_byte(order: str) -> None:
    """Sections, orders, options, and blocks of any type."""
    assert copied([mixed(order)]) == mixed(order)


def test_the_length_of_a_section_is_not_stated() -> None:
    """No length is stated, since it may change while the section is written."""
    body = struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, 4_000)
    data = block(0x0A0D0D0A, body) + interface() + enhanced(packets(0, 1)[0])

    assert copied([data]) == section() + interface() + enhanced(packets(0, 1)[0])


def many(seed: int) -> list[bytes]:
    """Captures of all forms, interleaved in time: both orders, several interfaces, old blocks."""
    source = random.Random(seed)  # noqa: S311 - must be the same each time
    files = [pcap(packets(0, 3, 8), magic=NANOSECOND), pcap(packets(1, 2, 8), link=101)]
    for order, make in itertools.product("<>", (enhanced, obsolete, simple)):
        parts = [section(order, option(1, b"of a file", order))]
        count = source.randint(1, 3)
        for at in range(count):
            resolution = option(9, bytes([6 + 3 * (at % 2)]), order)
            link = source.choice((1, 101, 113))
            parts.append(interface(link, options=resolution, order=order))
        for one in packets(source.randint(0, 9), 2, 8):
            if make is simple:
                parts.append(simple(one, order))
                continue
            at = source.randrange(count)
            comment = option(1, b"of a packet", order)
            time = one.time_ns // (1 if at % 2 else 1_000)
            moved = one._replace(time_ns=time * 1_000)  # so that the block has these units
            parts.append(make(moved, at, options=comment, order=order))  # type: ignore[operator]
        parts.append(block(5, struct.pack(f"{order}III", count - 1, 0, 0), order))
        files.append(b"".join(parts))
    return files


@pytest.mark.parametrize("seed", range(6))
def test_several_captures_become_one(seed: int) -> None:
    """All packets are there as they were, in order of time, at their resolution."""
    files = many(seed)
    wanted = [contents(each) for each in files]
    captures = [opened(each, at) for at, each in enumerate(files)]
    order = [(each.file, each.packet) for each in merged_records(captures, None) if each.packet]

    found = contents(copied(files))
    times = [START_NS]
    for place, (file, packet) in zip(found, order, strict=True):
        original = wanted[file][packet - 1]
        assert place[1:] == original[1:]
        # A Simple Packet Block has no time: it has that of the packet before.
        assert place[0] in (original[0], times[-1])
        times.append(place[0])


@pytest.mark.process
def test_tshark_reads_what_several_captures_became(tmp_path: Path) -> None:
    """With the numbers of interfaces, comments and times as they were."""
    segment = ethernet(ipv4(tcp((1, 2), 7, data=b"abc")))
    own = [each._replace(data=segment, original=len(segment)) for each in packets(0, 3, 4)]
    other = [each._replace(data=segment, original=len(segment)) for each in packets(1, 3, 4)]
    big = section(">") + interface(order=">") + interface(order=">")
    big += b"".join(enhanced(each, 1, options=option(1, b"big", ">"), order=">") for each in other)
    copy = copied([pcapng(own), big])

    told = tshark(copy, tmp_path, "frame.time_epoch", "frame.comment", "tcp.payload")
    assert [float(time) * 1e9 for time, _, _ in told] == pytest.approx(
        sorted(each.time_ns for each in own + other), abs=1_000
    )
    assert [comment for _, comment, _ in told] == ["", "big"] * 4
    assert {payload for _, _, payload in told} == {"616263"}


def test_wanted_secrets() -> None:
    """Of some connections: their lines alone; of none, no block; other kinds only in whole."""
    data = mixed("<") + b"".join(
        block(10, struct.pack("<II", kind, len(LOG)) + LOG) for kind in (0x544C534B, 0x57474B4C)
    )
    for wanted, lines in (
        (None, [b"a b\n", LOG, LOG]),
        ({bytes.fromhex(RANDOM.decode())}, [LOG[: LOG.index(b"\n") + 1]]),
        (set(), []),
    ):
        secrets = SecretsCopied(None if wanted is None else frozenset(wanted))
        copy = open_capture(io.BytesIO(copied([data], PcapngCopier(secrets, is_whole=False))))
        list(copy.batches())
        assert [each.data for each in copy.secrets] == lines
        assert len(secrets.connections) == (2 if wanted is None else len(wanted))
        assert secrets.others == (wanted is None)


def test_pcap() -> None:
    """Packets in order of time, at the format's resolution; of one link type."""
    files = [pcap(packets(0, 3), magic=NANOSECOND), pcapng(packets(1, 2))]
    wanted = sorted((each.time_ns, each.data) for each in packets(0, 3) + packets(1, 2))
    for nanoseconds, unit in ((True, 1), (False, 1_000)):
        copy = copied(files, PcapCopier(nanoseconds=nanoseconds))
        assert [each[:2] for each in contents(copy)] == [
            (time // unit * unit, data) for time, data in wanted
        ]

    with pytest.raises(CaptureError, match="there are 1 and 101"):
        copied([pcap(packets(0, 3)), pcap(packets(0, 3), link=101)], PcapCopier(nanoseconds=True))
    late = interface(options=option(9, b"\x06") + option(14, struct.pack("<q", 1 << 33)))
    with pytest.raises(CaptureError, match="the time of packet 1"):
        copied([section() + late + enhanced(Packet(0, b"x", 1))], PcapCopier(nanoseconds=True))


def test_a_pcap_without_packets() -> None:
    """It has a header, with the link type of the source."""
    capture = opened(copied([pcap([], link=113)], PcapCopier(nanoseconds=False)))

    assert list(capture.batches()) == []
    assert (capture.format, capture.interfaces[0].link) == ("pcap", 113)


def test_many_interfaces_are_described_again_in_few_bytes() -> None:
    """Their long texts are written once."""
    text = option(2, b"name") + option(3, b"d" * 60_000) + option(1, b"c" * 60_000)
    first = section() + interface(options=text) + enhanced(packets(0, 2)[0])
    second = section() + interface() + enhanced(packets(1, 2)[0])
    third = enhanced(packets(2, 2)[0])
    copy = copied([first + third, second])

    assert len(copy) < len(first) + len(second) + len(third) + 100
    assert [each[1] for each in contents(copy)] == [b"  0", b"  0", b"  0"]
