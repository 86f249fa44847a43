"""What is asked for is shown: by a filter on any slot or field, in two passes, as XML and as JSON.

Wireshark tells plugins what is asked for, and they read no more than that. So the same packets must
have what the whole tree of each shows, however it is asked for.

Captures of all protocols are in one file: a start of tshark costs more than what it reads, and what
is asked of one protocol tells the others nothing.
"""

import json
import os
import random
import re
import subprocess
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from tests.builders import pcap
from tests.judge import traffic
from tests.judge.judging import PROGRAM, printed, tshark
from tests.judge.test_captures import PLUGINS, PROTOCOLS
from tests.judge.test_made import packets_of

from streamshark.decoding.payloads import cells
from streamshark.dissection.row import FrameRow
from streamshark.lua import install as installing
from streamshark.session import Session

pytestmark = pytest.mark.xdist_group("asked")

MOST = 8 * 1024
"""Bytes of the captures that are asked about."""
FORMATS = ("amqp1", "json")
"""Protocols that plugins call for what stands in their fields."""
HOSTS = ("rabbitmq_stream", "rsocket")
"""Protocols in whose fields these stand."""
MEANT = ("request_frame", "response_frame", "response_time", "finding", "cause")
"""What conversations say of frames."""
CAPTURES = 16
"""Captures of a protocol that `make test` looks at for commands and slots of their own."""
ROUNDS = 1
"""How many fields of a protocol are asked for alone."""
EACH = 4
"""Values of each kind of field of a protocol that are filters."""
LEAST_FILTERS = 100
"""How many values are filters, at least."""
MOST_ARGUMENT = 100_000
"""Characters of an argument: Linux takes 128 KiB."""
KINDS = {
    "FT_NONE", "FT_STRING", "FT_BYTES", "FT_BOOLEAN", "FT_UINT8", "FT_UINT16", "FT_UINT32",
    "FT_UINT64", "FT_INT8", "FT_INT32", "FT_INT64", "FT_FRAMENUM", "FT_RELATIVE_TIME",
    "FT_ABSOLUTE_TIME",
}  # fmt: skip
"""Kinds of fields that the captures have."""
ODD = [
    b"\xed\xa0\x80", b'"\\\x07', b"\\x\x22", b"\xe2\x82\xac", b"\xff\xfe\x80", b"\r\n\t", b"\x00&<",
    b"\xc3\xa9'", b"\x7f\x01>",
]  # fmt: skip
"""Text of three bytes: half a pair of surrogates, quotes, other scripts, control characters."""
SHORTS = {name: each.wire.short for name, each in PROTOCOLS.items()}
EVERY = [PLUGINS / "amqp1.lua", *(PLUGINS / f"{each}.lua" for each in sorted(PROTOCOLS))]
OPEN = [word for each in SHORTS.values() for word in ("-o", f"{each}.secrets:TRUE")]
LAYERS = " ".join(["frame", *SHORTS.values()])
ODDLY = ("-2", "--disable-protocol", "grpc")
"""How odd text is read: Wireshark's own gRPC fails at headers that are spoilt."""
LEAST = "-9223372036854775808"
"""The number that Wireshark's filters cannot have."""


BLURRED = re.compile(r"\\x[0-9a-f]|\s\s|\s$")
"""Control characters as PDML has them: such are not told from text, and tabs are blanks in XML."""


class Shown(NamedTuple):
    """One value in the tree of a packet."""

    packet: int
    name: str
    value: str
    title: str
    """The line of the tree."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files of this module are put."""
    return tmp_path_factory.mktemp("asked")


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    """Captures that have all commands and all kinds of slots, with each that is read in them."""
    chosen = {}
    for name in PROTOCOLS:
        fit = [
            each for each in traffic.usual(name)
            if each.stat().st_size <= MOST and traffic.is_whole(each) and not traffic.is_tls(each)
        ]  # fmt: skip
        for path in looked_at(fit):
            for slot in slots_of(path, name):
                chosen.setdefault((name, *slot), path)
    target = folder / "all.pcapng"
    some = sorted({str(each) for each in chosen.values()})
    subprocess.run(["mergecap", "-a", "-w", str(target), *some], check=True)
    return target


@pytest.fixture(scope="module")
def odd_file(file: Path, folder: Path) -> Path:
    """The same with letters of all packets replaced here and there."""
    chance = random.Random("odd 3")  # noqa: S311

    def replaced(found: re.Match[bytes]) -> bytes:
        return chance.choice(ODD) if chance.random() < 0.15 else found[0]

    target = folder / "odd.pcap"
    target.write_bytes(
        pcap(
            each._replace(data=each.data[:54] + re.sub(rb"[a-z]{3}", replaced, each.data[54:]))
            for each in packets_of(file, folder)
        )
    )
    return target


@pytest.fixture(scope="module")
def shown(file: Path) -> list[Shown]:
    """All that the trees of one pass have."""
    return trees(file)


@pytest.fixture(scope="module")
def odd_shown(odd_file: Path) -> list[Shown]:
    """All that the trees of two passes have, of text that is odd."""
    return trees(odd_file, *ODDLY)


@pytest.fixture(scope="module")
def kinds(folder: Path) -> dict[str, str]:
    """The kind of each field of ours, as Wireshark lists them where the plugins are installed."""
    environment = os.environ | {"HOME": str(folder), "LC_ALL": "C.UTF-8"}
    environment.pop("XDG_CONFIG_HOME", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        where = installing.folder(PROGRAM)
    installing.install({each.name: each.read_text() for each in EVERY}, where)
    told = subprocess.run(
        [PROGRAM, "-G", "fields"], capture_output=True, text=True, check=True, env=environment
    ).stdout
    rows = (line.split("\t") for line in told.splitlines() if line.startswith("F\t"))
    return {row[2]: row[3] for row in rows if short_of(row[2]) in (*SHORTS.values(), *FORMATS)}


def looked_at(paths: list[Path]) -> list[Path]:
    """Return some of these captures, or all; another capture hardly changes which."""
    if traffic.THOROUGH:
        return paths
    return sorted(paths, key=lambda each: zlib.crc32(each.parent.name.encode()))[:CAPTURES]


def slots_of(path: Path, name: str) -> set[tuple[str, str, str]]:
    """Commands, and of what stands in slots command, slot and its reader."""
    session = Session([str(path)])
    found = set()
    for row in session.rows():
        if not isinstance(row, FrameRow) or row.decoder is None:
            continue
        if row.connection.wire.id == name:
            found.add((row.command or "", "", ""))
            for cell in cells(row.decoder.tree, row.values, row.agreed):
                body = session.layers.body(cell.slot, cell.data, declared=cell.declared)
                reader = getattr(body.reader, "id", "") if body else ""
                found.add((row.command or "", cell.slot, reader))
    return found


def trees(file: Path, *arguments: str) -> list[Shown]:
    """What the trees of all protocols show, as an XML parser reads Wireshark's PDML."""
    output = printed(file, EVERY, *OPEN, *arguments, "-T", "pdml", "-J", LAYERS)
    prefixes = {*SHORTS.values(), *FORMATS}
    found = []
    for packet in ET.fromstring(output):  # noqa: S314 - tshark wrote it
        fields = [(each.get("name") or "", each) for each in packet.iter()]
        number = next(int(each.get("show", "")) for name, each in fields if name == "frame.number")
        found += [
            Shown(number, name, each.get("show") or "", each.get("showname") or "")
            for name, each in fields
            if name.split(".")[0] in prefixes and ".expert" not in name
        ]
    return found


def short_of(name: str) -> str:
    """The protocol of a field."""
    return name.split(".", maxsplit=1)[0]


def packets_with(shown: Sequence[Shown]) -> dict[str, set[int]]:
    """Name of a field to the packets that have it."""
    found: dict[str, set[int]] = defaultdict(set)
    for each in shown:
        found[each.name].add(each.packet)
    return found


def drawn(found: dict[str, set[int]]) -> Iterator[list[str]]:
    """What is asked for at once: one field of each protocol, or a format and of those without it.

    Of ours one of each record at most comes, what conversations say apart.
    """
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name in sorted(found):
        short = short_of(name)
        if name != short and name.split(".")[-1] in MEANT:
            continue
        group = name if short in FORMATS else name.rpartition(".")[0]
        groups[short][group or name].append(name)
    queues = {}
    for short, own in groups.items():
        chance = random.Random(short)  # noqa: S311
        queues[short] = [chance.choice(each) for each in own.values()]
        if short not in FORMATS:
            chance.shuffle(queues[short])
    inner = sorted(
        (each for short in FORMATS for each in queues.pop(short, [])),
        key=lambda each: (each not in FORMATS, each),
    )
    hosts = {SHORTS[each] for each in HOSTS}
    first = {"formats": inner, "liftbridge": queues.pop("liftbridge")}
    second = {short: own for short, own in queues.items() if short in hosts or short == "nats"}
    first |= {short: own for short, own in queues.items() if short not in second}
    for part in (first, second):
        most = max(map(len, part.values())) if traffic.THOROUGH else ROUNDS
        yield from ([own[at] for own in part.values() if at < len(own)] for at in range(most))


def test_a_filter_on_any_slot_or_field_finds_it(file: Path, shown: list[Shown]) -> None:
    """With one line a packet, where no more is read than the filter asks for."""
    found, missed = packets_with(shown), {}
    for wanted in drawn(found):
        asked = " || ".join(wanted)
        told = tshark(file, EVERY, *OPEN, "-Y", asked, "-T", "tabs").splitlines()
        packets = {int(line.split("\t")[0]) for line in told if line.strip()}
        expected = set[int]().union(*(found[each] for each in wanted))
        if packets != expected:
            missed[asked] = sorted(packets ^ expected)
    assert not missed
    assert set(FORMATS) <= found.keys()


# Filters as Wireshark makes them of a field that is shown


def quoted(value: str) -> str:
    """A text as it stands in a filter; lists of filters are cut at commas."""
    return '"' + "".join(
        each if each.isalnum() or each in " .-_:/" else
        "".join(f"\\x{byte:02x}" for byte in each.encode()) for each in value
    ) + '"'  # fmt: skip


def as_filter(one: Shown, kind: str) -> str:
    """What "Apply as Filter" makes of a value."""
    match kind:
        case "FT_NONE" | "FT_PROTOCOL":
            return one.name
        case "FT_STRING" | "FT_ABSOLUTE_TIME":
            return f"{one.name} == {quoted(one.value)}"
        case "FT_BYTES" if not one.value:
            return f'{one.name} == ""'
        case _ if one.value == LEAST:
            return f"{one.name} < {int(LEAST) + 1}"
        case _:
            return f"{one.name} == {one.value}"


def by_name(one: Shown, kind: str) -> str | None:
    """The filter on the name of a coded value; None where it has no name.

    Names of negative numbers find nothing in Wireshark, whatever the dissector.
    """
    found = re.fullmatch(r".*?: ([A-Za-z][\w ]*) \((?:0x)?[\da-f]+\)", one.title)
    return f'{one.name} == "{found[1]}"' if found and "INT" in kind else None


def kind_of(one: Shown, kinds: dict[str, str]) -> str:
    """Return the kind of field that has a value; "" where the value does not show it.

    What may be secret is bytes, or text in its place: Wireshark takes a single byte for either, and
    from 4.4 on two digits for a decimal number. No filter finds empty bytes.
    """
    kind = kinds.get(one.name, "")
    if kind in ("FT_STRING", "FT_BYTES") and re.fullmatch(r"[0-9a-f]{2}", one.value):
        return ""
    if kind == "FT_STRING" and one.title.endswith("[empty]"):
        return ""
    is_hex = re.fullmatch(r"(?:[0-9a-f]{2}:)+[0-9a-f]{2}", one.value)
    return "FT_BYTES" if kind == "FT_STRING" and is_hex else kind


def filters_of(shown: Sequence[Shown], kinds: dict[str, str]) -> dict[str, set[int]]:
    """Filters to the packets that they find: of every protocol values of each kind of field."""
    having: dict[tuple[str, str], set[int]] = defaultdict(set)
    groups: dict[tuple[str, str, str], list[Shown]] = defaultdict(list)
    for one in shown:
        having[one.name, one.value].add(one.packet)
        kind = kind_of(one, kinds)
        sort = "odd" if re.search(r"[^ -~]|[\"\\]", one.value) else one.value[:1] == "-"
        if kind and not BLURRED.search(one.value):
            groups[short_of(one.name), kind, str(sort)].append(one)
    chance = random.Random("values")  # noqa: S311
    out = {}
    for (_, kind, _), own in sorted(groups.items()):
        different = sorted({(each.name, each.value): each for each in own}.values())
        most = len(different) if traffic.THOROUGH else EACH
        for one in chance.sample(different, min(most, len(different))):
            packets = having[one.name, one.value]
            if kind in ("FT_NONE", "FT_PROTOCOL"):
                packets = {each.packet for each in shown if each.name == one.name}
            for made in (as_filter(one, kind), by_name(one, kind)):
                if made:
                    out[made] = packets
    return out


def counted(file: Path, filters: Sequence[str], *arguments: str) -> list[int]:
    """Return how many packets each filter finds; one reading takes what an argument holds."""
    numbers: list[int] = []
    for some in batched(filters):
        statistics = ",".join(["io,stat,0", *some])
        output = tshark(file, EVERY, *OPEN, *arguments, "-q", "-z", statistics)
        (row,) = (line for line in output.splitlines() if "<>" in line and "Interval" not in line)
        numbers += [int(each) for each in row.split("|")[2:] if each.strip()][::2]
    return numbers


def batched(filters: Sequence[str]) -> Iterator[list[str]]:
    """Cut filters into lists that fit an argument."""
    some: list[str] = []
    size = 0
    for each in filters:
        if size + len(each) > MOST_ARGUMENT:
            yield some
            some, size = [], 0
        some.append(each)
        size += len(each) + 1
    yield some


def missed_by(
    file: Path, shown: Sequence[Shown], kinds: dict[str, str], *arguments: str
) -> dict[str, tuple[int, int]]:
    """Filters that do not find as many packets as have their values."""
    filters = filters_of(shown, kinds)
    found = counted(file, list(filters), *arguments)
    assert len(found) == len(filters) > LEAST_FILTERS
    return {
        each: (count, len(packets))
        for (each, packets), count in zip(filters.items(), found, strict=True)
        if count != len(packets)
    }


def test_a_value_as_a_filter_finds_its_packets(
    file: Path, shown: list[Shown], kinds: dict[str, str]
) -> None:
    """Numbers, negative ones and such of 64 bits, names of them, text, bytes, times, truths."""
    assert {kinds.get(each.name) for each in shown} >= KINDS
    assert missed_by(file, shown, kinds) == {}


def test_odd_text_as_a_filter_finds_its_packets(
    odd_file: Path, odd_shown: list[Shown], kinds: dict[str, str]
) -> None:
    """In two passes."""
    assert missed_by(odd_file, odd_shown, kinds, *ODDLY) == {}


def test_links_times_and_findings_are_there_with_any_filter_in_two_passes(file: Path) -> None:
    """A filter on a field, which the first pass asks for alone, shows as much of its packets."""
    every = trees(file, "-2", "-Y", " || ".join(SHORTS.values()))
    meant = {each for each in every if each.name.split(".")[-1] in MEANT}
    with_any = {(short_of(each.name), each.packet) for each in meant}
    groups: dict[str, set[str]] = defaultdict(set)
    for each in every:
        if (short_of(each.name), each.packet) in with_any and each.name.count(".") > 1:
            groups[short_of(each.name)].add(each.name)
    assert groups.keys() == set(SHORTS.values())
    chance = random.Random("passes")  # noqa: S311
    for _ in range(9 if traffic.THOROUGH else 1):
        wanted = [chance.choice(sorted(own)) for own in groups.values()]
        some = trees(file, "-2", "-Y", " || ".join(wanted))
        packets = {each.packet for each in some}
        assert packets == set[int]().union(*(packets_with(every)[each] for each in wanted)), wanted
        own = {each for each in some if each.name.split(".")[-1] in MEANT}
        assert own == {each for each in meant if each.packet in packets}, wanted


def test_bytes_that_are_no_text_leave_xml_and_json_whole(
    odd_file: Path, odd_shown: list[Shown]
) -> None:
    """Halves of pairs of surrogates, control characters and bytes that are no UTF-8."""
    output = printed(odd_file, EVERY, *OPEN, *ODDLY, "-T", "json", "-J", LAYERS)
    told = json.loads(output.decode())  # which is strict
    for name, short in SHORTS.items():
        assert any("\ufffd" in each.value for each in odd_shown if short_of(each.name) == short), (
            name
        )
    packets = {each.packet for each in odd_shown if each.name in SHORTS.values()}
    having = {
        int(each["_source"]["layers"]["frame"]["frame.number"])
        for each in told if set(SHORTS.values()) & each["_source"]["layers"].keys()
    }  # fmt: skip
    assert having == packets
