"""Every word of the vocabulary in Lua: all vectors, of protocols to come too, through tshark.

Each layout becomes a protocol of its own on a port of its own, and each vector a connection to it.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from tests.builders import ETHERNET, Conversation, Packet, pcap
from tests.draw import is_drawn
from tests.judge import traffic
from tests.judge.judging import (
    Reading,
    Seen,
    compare,
    differences,
    directly,
    records_of,
    theirs,
)
from tests.madeup import parrot_traffic
from tests.schema.reader_agreement import Layout
from tests.schema.shapes.catalog import SHAPES, Case, cases

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import PayloadReaders
from streamshark.framing.wire_format import Evidence, Guess, Level, WireFormat
from streamshark.lua.plugin import Plugin, renamed
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.schema import U8, Head, field

FIRST_PORT = 20_000
LEAD = field("lead", U8, "Stands for a key.")
UNCUT = {"http2": "the head is the carrier's", "websocket": "a conditional head: Wireshark's own"}
"""Shapes whose frames Wireshark's own dissectors cut, with the reason."""


@dataclass
class Spoken:
    """A layout as a protocol, and what is said in it."""

    protocol: Protocol
    layout: Layout
    vectors: list[Case]
    lead: bytes
    """What stands before each vector: the key of layouts that have none."""


def is_among(each: Spoken) -> bool:
    """Whether a layout is drawn, or all are read."""
    return traffic.THOROUGH or is_drawn(f"{each.protocol.wire.id} {each.layout.tree.prefix}", 2)


def no_guess(_evidence: Evidence) -> Guess:
    """Nothing is recognised on other ports."""
    return Guess(Level.NONE, "")


def spoken() -> list[Spoken]:
    """All layouts that have vectors."""
    found: dict[int, Spoken] = {}
    for name in SHAPES:
        for case in cases(name) if name not in UNCUT else ():
            layout = case.layout
            if id(layout) not in found:
                index = len(found)
                tree = layout.tree
                head, schema, lead = tree.head, tree.schema, b""
                if not isinstance(head, Head) or not head.key:
                    members = head.members if isinstance(head, Head) else ()
                    head = Head((LEAD, *members), None, "lead", hidden=("lead",))
                    schema, lead = replace(schema, key=1), b"\x01"
                head = replace(head, total=None, least=0)
                own = f"w{index}"
                wire = WireFormat(
                    id=own, short=own, heads={"": head}, detect=no_guess,
                    frames=(replace(schema, dialect=""),), ports=(FIRST_PORT + index,),
                )  # fmt: skip
                found[id(layout)] = Spoken(
                    Protocol(own, "Made of vectors.", wire), layout, [], lead
                )
            found[id(layout)].vectors.append(case)
    return list(found.values())


def test_every_vector_of_every_word(tmp_path: Path) -> None:
    """Every vector of every word; `make test` draws half of the layouts."""
    packets: list[Packet] = []
    plugins = []
    expected: list[tuple[str, Seen]] = []
    everything = [each for each in spoken() if is_among(each)]
    for index, each in enumerate(everything):
        wire = each.protocol.wire
        path = tmp_path / f"{wire.id}.lua"
        path.write_text(Plugin(each.protocol).text())
        plugins.append(path)
        decoder = Decoder(wire.table().all[0].tree)
        for number, case in enumerate(each.vectors):
            data = each.lead + case.vector.data
            if not data or len(data) > 60_000:
                continue
            client = f"10.{index}.{number >> 8}.{number & 255}", 40_000
            talk = Conversation(client, ("10.255.0.1", wire.ports[0])).handshake()
            talk.send(0, data, size=len(data))
            packets += talk.packets
            seen = Seen(len(packets), wire.frames[0].name)
            Reading(each.protocol, PayloadReaders(())).add(decoder, data, seen.values, hidden(wire))
            seen.problems = [problem.code.word for problem in decoder.careful(data)[2]]
            expected.append((wire.short, seen))
    file = tmp_path / "vectors.pcap"
    file.write_bytes(pcap(packets, link=ETHERNET))
    shorts = [each.protocol.wire.short for each in everything]
    open_secrets = [part for short in shorts for part in ("-o", f"{short}.secrets:TRUE")]
    shown = ("-J", " ".join(["frame", *shorts]), *open_secrets)
    packets = list(directly(file, plugins, *shown))
    told = []
    for each in everything:
        short = each.protocol.wire.short
        ours = [seen for name, seen in expected if name == short]
        found = theirs(packets, short, records_of(each.protocol))
        told += [f"{each.layout.tree.prefix}: {line}" for line in differences(ours, found)]
    assert len(expected) > (300 if traffic.THOROUGH else 150)
    assert told == [], "\n".join(told)


def hidden(wire: WireFormat) -> dict[str, str]:
    """Hidden members of the head to their names."""
    head = wire.heads[""]
    names = renamed(head) if isinstance(head, Head) else {}
    return {name: text.removeprefix('NAME .. "').removesuffix('"') for name, text in names.items()}


def test_a_protocol_from_elsewhere_gets_its_plugin(tmp_path: Path) -> None:
    """A protocol from elsewhere gets its plugin."""
    protocol = next(
        each for each in catalog([str(parrot_traffic.FOLDER)]) if each.wire.id == "parrot_talk"
    )
    plugin = tmp_path / "parrot_talk.lua"
    plugin.write_text(Plugin(protocol).text())
    count, told = compare(
        Path(parrot_traffic.write(tmp_path, parrot_traffic.talk())), protocol, [plugin]
    )
    assert (count, told) == (5, [])
