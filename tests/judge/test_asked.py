"""What is asked for is shown: by a filter on any slot or field, in two passes, and as XML.

Wireshark tells plugins what is asked for, and they read no more than that. So the same packets must
have what the whole tree of each shows, however it is asked for.
"""

import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from tests.builders import pcap
from tests.judge import traffic
from tests.judge.judging import printed, tshark
from tests.judge.test_captures import PLUGINS, PROTOCOLS, plugin
from tests.judge.test_made import packets_of

from streamshark.frames.frame import FrameRow
from streamshark.frames.layers import cells
from streamshark.session import Session

MOST = 8 * 1024
"""Bytes of the captures that are asked about."""
FORMATS = ("amqp1", "json")
"""Protocols that plugins call for what stands in their fields."""
MEANT = ("request_frame", "response_frame", "response_time", "finding")
"""What conversations say of frames."""
NO_TEXT = b"\xed\xa0\x80"
"""Half a pair of surrogates."""


class Shown(NamedTuple):
    """One value in the tree of a packet."""

    packet: int
    name: str
    value: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files of this module are put."""
    return tmp_path_factory.mktemp("asked")


def file_of(name: str, folder: Path) -> Path:
    """Captures of a protocol that have all its kinds of slots, with each that is read in them."""
    target = folder / f"{name}.pcapng"
    if not target.exists():
        chosen = {}
        for path in traffic.usual(name)[:: 2 * traffic.STEP - 1]:
            if traffic.is_whole(path) and not traffic.is_tls(path) and path.stat().st_size <= MOST:
                for slot in slots_of(path, name):
                    chosen.setdefault(slot, path)
        some = sorted({str(each) for each in chosen.values()})
        subprocess.run(["mergecap", "-a", "-w", str(target), *some], check=True)
    return target


def slots_of(path: Path, name: str) -> set[tuple[str, str, str]]:
    """Command, slot and its reader, of what stands in the slots of a capture; one without any."""
    session = Session([str(path)])
    found = {("", "", "")}
    for row in session.rows():
        if not isinstance(row, FrameRow) or row.decoder is None:
            continue
        if row.connection.wire.id == name:
            for cell in cells(row.decoder.tree, row.values, row.agreed):
                body = session.layers.body(cell.slot, cell.data, said=cell.said)
                reader = getattr(body.reader, "id", "") if body else ""
                found.add((row.command or "", cell.slot, reader))
    return found


def plugins_of(name: str) -> list[Path]:
    """The plugin of a protocol, with those that read what stands in its frames."""
    return [PLUGINS / "amqp1.lua", *plugin(name)]


def shown_in(file: Path, name: str, *arguments: str) -> list[Shown]:
    """What the trees of a protocol show, as an XML parser reads Wireshark's PDML."""
    secrets = ("-o", f"{PROTOCOLS[name].wire.short}.secrets:TRUE")
    output = printed(file, plugins_of(name), *secrets, *arguments, "-T", "pdml")
    return list(of_trees(output, (PROTOCOLS[name].wire.short, *FORMATS)))


def of_trees(output: bytes, prefixes: tuple[str, ...]) -> Iterator[Shown]:
    """Protocols and fields with some prefixes."""
    for packet in ET.fromstring(output):  # noqa: S314 - tshark wrote it
        number = next(
            int(each.get("show", ""))
            for each in packet.iter("field")
            if each.get("name") == "frame.number"
        )
        for each in packet.iter():
            name = each.get("name") or ""
            if name.split(".")[0] in prefixes and ".expert" not in name:
                yield Shown(number, name, each.get("show") or "")


def drawn(found: dict[str, set[int]], short: str) -> list[str]:
    """What is asked for: formats and their fields, and of ours one of each record's at least."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(found):
        own = name.split(".")[0] == short
        if name != short and not (own and name.split(".")[-1] in MEANT):
            groups[name.rpartition(".")[0] if own else name].append(name)
    chance = random.Random(short)  # noqa: S311
    chosen = [chance.choice(each) for each in groups.values()]
    inner = [each for each in chosen if each.split(".")[0] != short]
    inner.sort(key=lambda each: (each not in FORMATS, each))
    ours = [each for each in chosen if each.split(".")[0] == short]
    if traffic.THOROUGH:
        return [*inner, *ours]
    return [*inner[:3], *chance.sample(ours, min(2, len(ours)))]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_filter_on_any_slot_or_field_finds_it(name: str, folder: Path) -> None:
    """With one line a packet, where no more is read than the filter asks for."""
    file, short = file_of(name, folder), PROTOCOLS[name].wire.short
    found: dict[str, set[int]] = defaultdict(set)
    for each in shown_in(file, name):
        found[each.name].add(each.packet)
    missed = {}
    for wanted in drawn(found, short):
        told = tshark(file, plugins_of(name), "-Y", wanted, "-T", "tabs").splitlines()
        packets = {int(line.split("\t")[0]) for line in told if line.strip()}
        if packets != found[wanted]:
            missed[wanted] = sorted(packets ^ found[wanted])
    assert not missed
    if name in ("rabbitmq_stream", "rsocket"):
        assert set(FORMATS) & found.keys()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_links_times_and_findings_are_there_with_any_filter_in_two_passes(
    name: str, folder: Path
) -> None:
    """A filter on a field, which the first pass asks for alone, shows as much of its packets."""
    file, short = file_of(name, folder), PROTOCOLS[name].wire.short
    every = shown_in(file, name, "-2", "-Y", short)
    meant = {each for each in every if each.name.removeprefix(f"{short}.") in MEANT}
    with_any = {each.packet for each in meant}
    fields = {e.name for e in every if e.packet in with_any and e.name.count(".") > 1}
    chance = random.Random(short)  # noqa: S311
    for wanted in chance.sample(sorted(fields), 9 if traffic.THOROUGH else 1):
        some = shown_in(file, name, "-2", "-Y", wanted)
        packets = {each.packet for each in some}
        assert packets, wanted
        own = {each for each in some if each.name.removeprefix(f"{short}.") in MEANT}
        assert own == {each for each in meant if each.packet in packets}, wanted


@pytest.mark.parametrize("name", PROTOCOLS)
def test_bytes_that_are_no_text_leave_the_xml_whole(name: str, folder: Path) -> None:
    """Letters of all packets are replaced by halves of surrogate pairs, here and there."""
    chance = random.Random(name)  # noqa: S311
    spoilt = [
        each._replace(data=each.data[:54] + re.sub(rb"[a-z]{3}", lambda found: (
            NO_TEXT if chance.random() < 0.1 else found[0]
        ), each.data[54:]))
        for each in packets_of(file_of(name, folder), folder)
    ]  # fmt: skip
    file = folder / f"spoilt-{name}.pcap"
    file.write_bytes(pcap(spoilt))
    shown = shown_in(file, name, "-2", "--disable-protocol", "grpc")  # which fails at some
    assert any("\ufffd" in each.value for each in shown)
