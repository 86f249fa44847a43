"""Compares what tshark says with a generated plugin to what our own decoders say.

Both sides become the same plain form: for each frame of the protocol the packet that completed it,
its name, the values of its fields in wire order by full name, and the codes of its problems.
Numbers are numbers; text and bytes are compared by their bytes.
"""

import asyncio
import json
import os
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyshark
from pyshark.capture.capture import TSharkCrashException

from streamshark.analysis import Analysis
from streamshark.capture import PacketBatch
from streamshark.capture.tshark import alone
from streamshark.conversations.resolve import ResolvedTable
from streamshark.decoding.codecs import CODECS
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.numbering import firsts, named
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, cells, codec_problem
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.fields.access import occurrences
from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable, sources
from streamshark.fields.reassembled import REASSEMBLED, facts
from streamshark.fields.times import scale_of, time_ns
from streamshark.findings.finding import Finding
from streamshark.findings.judge import Judge
from streamshark.flows import Segment
from streamshark.lua.conversations import LuaTables
from streamshark.lua.plugin import renamed
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.schema import Head, LineHead, nodes
from streamshark.session import Session
from streamshark.views.reassembly import sizes

ERRORS = ("Lua Error", "Lua:", "Dissector bug")
"""What tshark's output has in it where a script has failed."""
ENDS = (0, 2, 14)
"""How tshark ends: well, or at the damage of a capture, which is 14 in Wireshark 4.6."""
BUILT_IN = frozenset({5672})
"""Ports that Wireshark gives to a dissector of its own, so that ours is not asked."""
OUTER = ("nats",)
"""Protocols in whose frames those of others stand."""
PROGRAM = os.environ.get("STREAMSHARK_TSHARK", "tshark")
"""The tshark that judges; `make test-wireshark` sets one after the other."""
HALF_OPEN = (4, 2)
"""The first release that counts two connections where a SYN is sent again after a RST."""
PREFERENCES = ("tcp.reassemble_out_of_order:TRUE", "tcp.try_heuristic_first:FALSE")


@cache
def release() -> tuple[int, int]:
    """Return the release of the judging Wireshark."""
    shown = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"(\d+)\.(\d+)\.\d+", shown.stdout)
    assert found is not None
    return int(found[1]), int(found[2])


def codecs() -> tuple[str, ...]:
    """Codecs that the Lua of this Wireshark unpacks."""
    return ("none", "gzip", "zstd") if release() >= (4, 4) else ("none", "gzip")


Values = dict[str, list[Any]]


@dataclass
class Seen:
    """One frame, as somebody reads it."""

    packet: int
    name: str
    way: tuple[int, int] = (0, 0)
    """Number of the connection and port of the sender."""
    values: Values = field(default_factory=lambda: defaultdict(list))
    problems: list[str] = field(default_factory=list)
    header: Values = field(default_factory=lambda: defaultdict(list))
    raw: dict[str, list[str]] = field(default_factory=dict)
    """Name to the bytes of its values that are not empty, in hex; of tshark alone."""
    request: int | None = None
    """Packet of the frame that this one answers."""
    response: int | None = None
    """Packet of the first frame that answers this one."""
    response_time_ns: int | None = None
    conversation: str | None = None
    """Id of its innermost conversation."""
    findings: set[str] = field(default_factory=set)
    """Rules that the frame breaks."""
    known: set[str] = field(default_factory=set)
    """Names of values that its conversation knows, and its bytes do not have."""
    late: bool = False
    """Whether only the end of the capture decides what its connection speaks."""


# tshark


def tshark(capture: Path, plugins: Iterable[Path], *arguments: str) -> str:
    """What tshark prints of a capture with some plugins; a Lua error is an AssertionError."""
    return printed(capture, plugins, *arguments).decode(errors="replace")


def printed(capture: Path, plugins: Iterable[Path], *arguments: str) -> bytes:
    """The same as its bytes."""
    command = [PROGRAM, "-r", str(capture), *given(plugins), *arguments]
    environment = alone("/nonexistent") | {"LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    told = done.stderr.decode(errors="replace")
    assert not any(each in told for each in ERRORS), told
    output = done.stdout
    for each in (b"Lua Error", b"Dissector bug"):
        at = output.find(each)
        assert at < 0, output[at : at + 300]
    assert done.returncode in ENDS, told
    return output


def given(plugins: Iterable[Path]) -> list[str]:
    """Arguments of tshark for some plugins."""
    scripts = [f"-Xlua_script:{each}" for each in plugins]
    # AMS has port 48898 there, which the client of a recorded connection got.
    without = () if release() >= (4, 4) else ("--disable-protocol", "ams")
    return ["-n", *without, *scripts, *(part for each in PREFERENCES for part in ("-o", each))]


@dataclass(frozen=True)
class Told:
    """Text that no byte says."""

    text: str


Tree = dict[str, Any]
"""A layer or node of tshark's JSON; names that repeat have lists."""


@dataclass(frozen=True)
class Moment:
    """A point in time, in ns since 1970."""

    ns: int

    def is_shown(self, text: str) -> bool:
        """Whether tshark's text says it: `Nov 21, 2026 ...` in 4.0, ISO 8601 in later releases."""
        second, ns = divmod(self.ns, 10**9)
        time = datetime.fromtimestamp(second, UTC)
        old = f"{time:%b} {time.day:2}, {time:%Y %H:%M:%S}.{ns:09} UTC"
        return text in (old, f"{time:%Y-%m-%dT%H:%M:%S}.{ns:09}Z")


Packets = Iterator[tuple[int, Tree]]
"""Numbers of packets with their layers."""
Ways = dict[int, tuple[int, int]]
"""Packet to the number of its connection, which is Wireshark's, and its source port."""


def directly(capture: Path, plugins: Iterable[Path], *arguments: str) -> Packets:
    """The packets of a capture, from one reading of all that tshark prints."""
    output = tshark(capture, plugins, "-T", "json", "-x", "--no-duplicate-keys", *arguments)
    for packet in json.loads(output) if output.strip() else []:
        layers = packet["_source"]["layers"]
        yield int(layers["frame"]["frame.number"]), layers


def driven(capture: Path, plugins: Iterable[Path], *arguments: str) -> Packets:
    """The same as pyshark reads them, as people do who use the plugins from Python.

    pyshark starts tshark with the plugins, for JSON with the bytes of every field (`-T json -x
    --no-duplicate-keys`), cuts what comes into packets and makes its objects of them, in a third
    more time. It runs a `tshark` of ours, which has no settings and keeps what tshark says and how
    it ends: pyshark tells neither for sure, and tshark ends well even where Lua fails.
    """
    with TemporaryDirectory() as folder:
        program, said, ended = (Path(folder) / name for name in ("tshark", "said", "ended"))
        program.write_text(
            "#!/bin/sh\nexport HOME=/nonexistent WIRESHARK_CONFIG_DIR=/nonexistent LC_ALL=C.UTF-8\n"
            f"""'{which(PROGRAM)}' "$@" 2>>'{said}'\necho $? >'{ended}'\n"""
        )
        program.chmod(0o755)
        loop = asyncio.new_event_loop()
        reader = pyshark.FileCapture(
            str(capture), keep_packets=False, use_json=True, include_raw=True, eventloop=loop,
            tshark_path=str(program), custom_parameters=[*given(plugins), *arguments],
        )  # fmt: skip
        with suppress(TSharkCrashException):  # `ended` tells
            for packet in reader:
                every = (each for own in packet.layers for each in (own, *own.duplicate_layers))
                layers: Tree = {}
                for layer in every:
                    layers.setdefault(layer.layer_name, []).append(layer._all_fields)
                yield int(packet.number), layers
        with suppress(TSharkCrashException):
            reader.close()
        reader._running_processes.clear()  # else it closes them again when it is collected
        loop.close()
        told = said.read_text(errors="replace")
        assert not any(each in told for each in ERRORS), told
        assert int(ended.read_text()) in ENDS, told


def theirs(
    packets: Iterable[tuple[int, Tree]], short: str, records: frozenset[str] = frozenset()
) -> list[Seen]:
    """The frames of packets; messages of calls have no name there."""
    return [
        seen(number, layer, short, records)
        for number, layers in packets
        for layer in layers_of(layers, short)
    ]


def layers_of(tree: Tree, short: str) -> Iterator[Tree]:
    """The trees of a protocol, also those inside of another one's."""
    for name, value in tree.items():
        for layer in value if isinstance(value, list) else [value]:
            if isinstance(layer, dict):
                if name == short:
                    yield layer
                else:
                    yield from layers_of(layer, short)


def seen(number: int, layer: Tree, short: str, records: frozenset[str] = frozenset()) -> Seen:
    """One protocol tree; `records` are the names that have no value."""
    headers = {
        f"{short}.{name}"
        for name in ("command", "kind", "sender", "length", "problem", "correlation_id",
                     "version", "request_frame", "response_frame", "response_time", "undecoded",
                     "text", "finding", "finding.message", "finding.cause", "conversation")
    }  # fmt: skip
    out = Seen(number, "")
    raw: dict[str, list[str]] = defaultdict(list)

    def look(tree: Tree) -> None:
        for name, value in tree.items():
            if name.endswith("_raw"):
                of = name.removesuffix("_raw")
                every = value if value and isinstance(value[0], list) else [value]
                raw[of] += [each[0] for each in every if of not in records or each[0]]
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict):
                    look(each)
                elif name in headers:
                    out.header[name.removeprefix(f"{short}.")].append(each)
                elif name.startswith(f"{short}.expert.") or (each == "" and name in records):
                    continue
                elif name.startswith(f"{short}."):
                    out.values[name].append(each)

    look(layer)
    out.raw = {name: [each for each in values if each] for name, values in raw.items()}
    out.problems = out.header["problem"]
    out.name = next(iter(out.header["command"]), "")
    out.request, out.response = (
        int(out.header[name][0]) if out.header[name] else None
        for name in ("request_frame", "response_frame")
    )
    for each in out.header["response_time"]:
        out.response_time_ns = round(float(each) * 1e9)
    out.conversation = next(iter(out.header.pop("conversation", [])), None)
    out.findings = set(out.header["finding"])
    return out


# Ours


class Reading:
    """Puts the rows of one protocol into the form that is compared.

    `codecs` are those that this Wireshark's Lua has; what others have packed is compared as it is.
    """

    def __init__(
        self, protocol: Protocol, layers: PayloadReaders, codecs: Iterable[str] = ("none", "gzip")
    ) -> None:
        self.protocol = protocol
        self.layers = layers
        self.codecs = codecs
        self.packets: dict[int, int] = {}
        """Number of each frame to the packet that completed it."""
        self.spanning: dict[int, list[tuple[CommonTable, set[tuple[str, ...]]]]] = {}
        """By the id of a tree, the fields that span commands with the paths of their values."""
        self.of_context = [each for each in protocol.fields if isinstance(each, CommonField)]

    def row(self, row: FrameRow) -> Seen | None:
        """A frame; None where no schema is known."""
        self.packets[row.number] = row.packet
        if row.decoder is None:
            return None
        flow = row.connection.flow
        out = Seen(row.packet, row.command or "", (flow.number, flow.ports[row.side]))
        head = row.decoder.tree.head
        names = renamed(head) if isinstance(head, Head) else {}
        hidden = {
            name: each.removeprefix('NAME .. "').removesuffix('"') for name, each in names.items()
        }
        self.add(row.decoder, row.data, out.values, hidden)
        if isinstance(head, LineHead):  # names of members have no bytes of their own
            for each in row.values.get("other") or ():
                out.values[f"{row.decoder.tree.prefix}.other.key"].append(Told(each["key"]))
        out.problems = [each.code.word for each in row.problems]
        if not row.piece:
            self.slots(row.decoder, row.values, row.agreed, out)
        self.whole(row, row.decoder, out)
        for name, numbering in named(row.decoder.tree).items():
            records = occurrences(row.values, numbering.items.split(".")[:-1])
            out.values[name] += [each for one in records for each in firsts(numbering, one)]
        for table in self.protocol.fields:
            if isinstance(table, CommonFlag) and row.name in table.commands:
                out.values[f"{self.protocol.wire.short}.{table.name}"] = [1]
        out.header["kind"] = [row.kind]
        out.header["length"] = [str(len(row.data))]
        for name in ("sender", "version", "correlation_id"):
            told_of_it = getattr(row, name)
            if told_of_it is not None:
                out.header[name] = [str(told_of_it)]
        return out

    def known(self, row: FrameRow, out: Seen) -> None:
        """Fields that span commands, as far as the conversation shown has their values."""
        context = row.annotation.context if row.annotation and out.conversation else {}
        for table in self.of_context if context else ():
            there = context.get(table.context)
            if there is None or row.decoder is None:
                continue
            if not sources(table, row.decoder.tree):
                name = f"{self.protocol.wire.short}.{table.name}"
                out.values[name].append(Told(there))
                out.known.add(name)

    def whole(self, row: FrameRow, decoder: Decoder, out: Seen) -> None:
        """What a frame is together with those before it, of which it is the last piece."""
        prefix = f"{decoder.tree.prefix}.{REASSEMBLED}"
        for name, told_of_it in facts(row).items():
            match told_of_it:
                case str():
                    out.values[f"{prefix}.{name}"].append(Told(told_of_it))
                case list():
                    out.values[f"{prefix}.{name}"] += [self.packets[each] for each in told_of_it]
                case int():
                    out.values[f"{prefix}.{name}"].append(told_of_it)
                case _:
                    assert told_of_it is None
        parts = {name: row.whole.parts[name] for name in sizes(row)} if row.whole else {}
        for name, part in parts.items():
            out.values[f"{prefix}.{name}"].append(bytes(part).hex())
        if parts:
            self.slots(decoder, parts, row.agreed, out)

    def messages(self, row: FrameRow) -> Iterator[Seen]:
        """What embedded records of the protocol read in slots of another one's frame.

        Empty ones are left out: Wireshark asks nobody about those.
        """
        if row.decoder is None:
            return
        for cell in cells(row.decoder.tree, row.values, row.agreed):
            body = self.layers.body(cell.slot, cell.data, declared=cell.declared)
            if body is not None and body.reader in self.protocol.embedded_records and cell.data:
                decoder = body.reader.decoder
                out = Seen(row.packet, decoder.tree.prefix)
                self.add(decoder, cell.data, out.values, {})
                values, problems = decoder.read(cell.data)
                out.problems = [each.code.word for each in problems]
                self.slots(decoder, values, row.agreed, out)
                yield out

    def add(self, decoder: Decoder, data: bytes, out: Values, hidden: dict[str, str]) -> None:
        """The values of all named nodes of some bytes."""
        tree = decoder.tree
        items = {each.item.id: each for each in tree.nodes if isinstance(each, nodes.ListNode)}
        short = self.protocol.wire.short
        examined = decoder.examine(data)
        for node in tree.nodes:
            if isinstance(node, nodes.FitsNode) and node.name in examined.values:
                out[tree.name(node)].append(Told(examined.values[node.name]))
        for index, start, end, value in examined.ranges:
            if index < 0:
                continue
            node = tree.nodes[index]
            if not node.path or not (node.name or node.id in items):
                continue
            name = tree.name(node)
            if len(node.path) == 1 and node.path[0] in hidden:
                name = f"{short}{hidden[node.path[0]]}"
            if name == f"{short}.version":  # of the row, which may have agreed one
                continue
            shown = plain(node, data[start:end], value)
            if shown is not None:
                out[name].append(shown)
            below(node, name, value, out)
            self.span(tree, node, shown, value, out)

    def span(self, tree: nodes.Tree, node: nodes.Node, shown: Any, value: Any, out: Values) -> None:  # noqa: ANN401
        """The fields that span commands: of members that they name, and facts, each once."""
        if id(tree) not in self.spanning:
            self.spanning[id(tree)] = [
                (table, {each.path for each in sources(table, tree)})
                for table in self.protocol.fields
            ]
        for table, paths in self.spanning[id(tree)]:
            name = f"{self.protocol.wire.short}.{table.name}"
            if node.path not in paths or shown is None:
                continue
            if isinstance(table, CommonFlag):
                if value not in table.unless:
                    out[name] = [1]
                continue
            out[name].append(shown)
            for mask, flag in (node.facts.flags or {}).items() if table.by_flag else ():
                out[f"{name}.{flag}"].append(int(bool(value & mask)))

    def slots(self, decoder: Decoder, values: dict[str, Any], agreed: Any, out: Seen) -> None:  # noqa: ANN401
        """What embedded records of the protocol read inside slots."""
        for cell in cells(decoder.tree, values, agreed):
            if cell.packed in CODECS and cell.packed not in self.codecs:  # Wireshark lacks it
                continue
            out.problems += [each.code.word for each in [codec_problem(cell)] if each]
            if cell.problem and cell.unpacked is None:
                continue
            body = self.layers.body(cell.slot, cell.data, declared=cell.declared)
            if body is None or not isinstance(body.reader, EmbeddedRecord):
                continue
            embedded = body.reader
            inner, problems = embedded.decoder.read(cell.data)
            self.add(embedded.decoder, cell.data, out.values, {})
            out.problems += [each.code.word for each in problems]
            if (
                cell.holds is not None
                and embedded.whole
                and len(inner.get(embedded.whole, [])) != cell.holds
            ):
                out.problems.append("count")
            self.slots(embedded.decoder, inner, agreed, out)


def below(node: nodes.Node, name: str, value: Any, out: Values) -> None:  # noqa: ANN401
    """What is shown below a number: its flags, and the time that it counts."""
    for mask, flag in (node.facts.flags or {}).items():
        out[f"{name}.{flag}"].append(int(bool(value & mask)))
    if (factor := scale_of(node)) and (ns := time_ns(value, factor)) is not None:
        out[f"{name}.time"].append(Moment(ns))


def plain(node: nodes.Node, data: bytes, value: Any) -> Any:  # noqa: ANN401, PLR0911 - a line a kind
    """A value as it is compared: a number, or bytes in hex; None for what has no bytes to show."""
    match node:
        case nodes.BlobNode():
            if value is None:
                return None
            return data[node.prefix.size if node.prefix else 0 :].hex()
        case _ if type(node) is nodes.Node:  # a protobuf field that no schema knows
            return value.hex() if isinstance(value, bytes) else data.hex()
        case nodes.ProtoNode() | nodes.ArgumentNode() if isinstance(value, (str, bytes)):
            if isinstance(node, nodes.ArgumentNode):
                return data.hex()  # in JSON perhaps with escapes
            return value.encode().hex() if isinstance(value, str) else value.hex()
        case nodes.RecordNode() | nodes.ListNode() | nodes.FitsNode():
            return None
        case _:
            return value


# Comparing


def agrees(ours: list[Any], theirs: list[str], raw: list[str]) -> bool:
    """Whether the values of one field are the same; text and bytes by their bytes."""
    if len(ours) != len(theirs):
        return False
    if any(isinstance(each, str) for each in ours):
        shown = [each for each in theirs if each]
        own = [each for each in ours if each]
        if shown and not raw:  # tshark leaves the bytes of all out where the first has none
            texts = [each.encode().hex() for each in shown]
            return own in (texts, [each.replace(":", "") for each in shown])
        return own == raw
    return all(
        one.is_shown(shown)
        if isinstance(one, Moment)
        else shown == one.text
        if isinstance(one, Told)
        else number(shown) == one
        for one, shown in zip(ours, theirs, strict=True)
        if isinstance(one, (Told, Moment, int))
    )


def number(shown: str) -> int | None:
    """A number as Wireshark prints it."""
    if shown in ("True", "False"):
        return int(shown == "True")
    try:
        return int(shown, 0)
    except ValueError:
        return None


def differences(  # noqa: C901 - one comparison after the other
    ours: Sequence[Seen],
    theirs: Sequence[Seen],
    *,
    meaning: bool = False,
    in_order: bool = True,
    lossy: Container[int] = (),
) -> Iterator[str]:
    """Sentences about what is not the same; with `meaning` also links and findings.

    If packets are not `in_order`, and on connections that are `lossy`, the plugin may lack what
    only a conversation knows.
    """
    if len(ours) != len(theirs):
        yield f"{len(ours)} frames are ours, {len(theirs)} theirs"
    unsound = False
    for one, other in zip(ours, theirs, strict=False):
        here = f"packet {one.packet} {one.name}"
        if one.name != other.name or one.packet < other.packet:
            yield f"{here}: theirs is packet {other.packet} {other.name}"
            return
        if one.packet != other.packet and not unsound:
            yield f"{here}: theirs is packet {other.packet}"
        unsound = unsound or bool(one.problems)  # what follows may wait until it is proved
        if (
            "carrier" in one.problems
        ):  # a length where none should stand: part of the frame only there
            other.values.pop(next((name for name in other.values if ".head." in name), ""), None)
            other.header.pop("length")
        if sorted(one.problems) != sorted(other.problems):
            yield f"{here}: problems {one.problems}, theirs {other.problems}"
        for name in one.values.keys() | other.values.keys():
            mine, their = one.values.get(name, []), other.values.get(name, [])
            if name in one.known and not their and (not in_order or one.way[0] in lossy):
                continue
            if not agrees(mine, their, other.raw.get(name, [])):
                yield f"{here}: {name} {str(mine)[:120]}, theirs {str(their)[:120]}"
        if meaning:
            yield from (f"{here}: {each}" for each in meant_otherwise(one, other))
        for name, values in one.header.items():
            if other.header.get(name) != values and name in other.header:
                yield f"{here}: .{name} {values}, theirs {other.header.get(name)}"


def meant_otherwise(one: Seen, other: Seen) -> Iterator[str]:
    """How links and findings of a frame differ."""
    for name in ("request", "response", "response_time_ns", "conversation"):
        if getattr(one, name) != getattr(other, name):
            yield f"{name} {getattr(one, name)}, theirs {getattr(other, name)}"
    if one.findings != other.findings:
        yield f"breaks {sorted(one.findings)}, theirs {sorted(other.findings)}"


# What frames mean to each other


TABLES: dict[str, LuaTables] = {}
"""Protocol to the tables of its plugin, which take long to make."""


def tables_of(protocol: Protocol) -> LuaTables:
    """Return the tables of the plugin of a protocol."""
    if protocol.wire.id not in TABLES:
        TABLES[protocol.wire.id] = LuaTables(protocol, ValueNames())
    return TABLES[protocol.wire.id]


class Ear(Judge):
    """Hears what rules notice of frames, as far as the plugin has these rules."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(matches=True)
        tables = tables_of(protocol)
        self.protocol = protocol.wire.id
        self.printed = {each.index for each in tables.rules if not tables.silenced(each)}
        """Numbers of the rules that the plugin applies, among those of the protocol."""
        self.lifecycles = tables.model.lifecycles
        shared = {n for n, each in self.lifecycles.items() if each.type and each.scope == "capture"}
        keys = (targets for name in shared for targets, _ in tables.model.keys[name])
        self.unshown = {target.name for targets in keys for target in targets}
        """Names of rows about objects that connections share, whose conversation is not shown."""
        self.unshown_types = {"connection", *(self.lifecycles[name].type for name in shared)}
        """Its type, and that of what is shown where the object is not known."""
        self.once = {r.table.id for r in tables.rules if r.table.per or self.is_shared(r)}
        """Rules that are told once for many connections."""
        self.found: dict[tuple[int, str], set[int]] = defaultdict(set)
        """Connection and rule to the frames that break it."""
        self.lossy: set[int] = set()
        """Connections of which bytes were lost."""
        self.latest_of: dict[int, int] = {}
        """Connection to its last frame, which stands for what no frame proves."""

    def is_shared(self, rule: ResolvedTable[Any]) -> bool:
        """Whether a rule is about objects that connections share."""
        lifecycle = self.lifecycles.get(rule.values["of"])
        return lifecycle is not None and lifecycle.scope == "capture"

    def notice(self, *given: Any) -> None:  # noqa: ANN401 - see `Judge`
        """See `Judge`; of a shared object it is told once, and once it is worse."""
        program, index, subject, conn, _, row, frames, _ = given
        watch = program.watches[index]
        rule, known = watch.table, self._drafts.get(subject, {}).get(index)
        before = None if known is None else known.severity
        super().notice(*given)
        told = known is not None and known.severity is before
        is_own = conn.protocol == self.protocol
        if is_own and index in self.printed and not (told and self.is_shared(watch)):
            proof = (each for each in frames if each is not None)
            frame = (
                row.number
                if isinstance(row, FrameRow)
                else next(proof, self.latest_of.get(conn.flow))
            )
            if frame is not None:
                self.found[conn.flow, rule.id].add(frame)

    def conversation(self, row: FrameRow) -> str | None:
        """Return the id that the plugin shows of the conversation of a row."""
        name = row.annotation.name if row.annotation else None
        if name is None or (row.name in self.unshown and name.type in self.unshown_types):
            return None
        return str(name)

    @cached_property
    def tops(self) -> list[Finding]:
        """What is found, each with what follows from it, once all rows are read."""
        return self.findings()

    @cached_property
    def kept(self) -> dict[int, set[str]]:
        """Frame to the rules that it breaks, those left out that lost bytes have put in doubt."""
        tops = self.tops
        echoes = [each for top in tops for each in top.echoes]
        found = {(each.flow, each.rule) for each in (*tops, *echoes)}
        once = {each.rule for each in (*tops, *echoes) if each.rule in self.once}
        once |= {each.rule for each in echoes}  # one for all connections with the same cause
        shown = {(each.rule, frame) for each in (*tops, *echoes) for frame in each.frames}
        out: dict[int, set[str]] = defaultdict(set)
        for (flow, rule), frames in self.found.items():
            for frame in frames:
                told = rule in once and (flow not in self.lossy or (rule, frame) in shown)
                if (flow, rule) in found or told:
                    out[frame].add(rule)
        return out


class Links:
    """What frames answer which, as packets."""

    def __init__(self) -> None:
        self.packets: dict[int, int] = {}
        self.frames: dict[int, Seen] = {}

    def see(self, row: FrameRow, seen_row: Seen) -> None:
        """Note one frame, and that it answers another one."""
        self.packets[row.number], self.frames[row.number] = row.packet, seen_row
        request = row.annotation.request_frame if row.annotation else None
        if request is not None and request in self.packets:
            seen_row.request = self.packets[request]
            seen_row.response_time_ns = row.annotation.response_time_ns if row.annotation else None
            asked = self.frames[request]
            asked.response = asked.response or row.packet

    def judge(self, ear: Ear) -> None:
        """Note what rules say."""
        for frame, rules in ear.kept.items():
            if frame in self.frames:
                self.frames[frame].findings = rules


# A whole capture


def compare(  # noqa: PLR0913 - what is compared, and four ways to do so
    capture: Path,
    protocol: Protocol,
    plugins: Iterable[Path],
    *,
    sound: bool = False,
    meaning: bool = False,
    in_order: bool = True,
    pyshark_drives: bool = False,
) -> tuple[int, list[str]]:
    """How many frames were compared, and what differs; each direction up to its first gap.

    With `sound` also only up to its first frame that stops the decoding: how step is found again
    after a length that lies may depend on how the bytes are cut. With `meaning` links and findings
    are compared too, in two passes; each connection up to its first gap. Where packets are not
    `in_order`, or a connection has a gap, the plugin may lack what only a conversation knows:
    Wireshark says at once that a segment is missing, and the plugin then no longer pairs requests
    with answers, while `read` waits for the segment.
    """
    short = protocol.wire.short
    read = own(capture, protocol, sound=sound)
    ours, gaps, ways = read.frames, read.gaps, read.ways
    shown = ("-J", layers_with(protocol), "-Y", short, "-o", f"{short}.secrets:TRUE")
    passes = ("-2",) if meaning else ()
    packets = (driven if pyshark_drives else directly)(capture, plugins, *passes, *shown)
    found = [each for each in theirs(packets, short, records_of(protocol)) if each.name]
    for each in found:
        each.way = ways.get(each.packet, (0, 0))
        if release() >= HALF_OPEN and each.conversation:
            each.conversation = renumbered(each.conversation, ways)
    there = {each.way[0] for each in found}  # plugins wait for no end or other connection
    ours = [each for each in ours if not each.late or each.way[0] in there]
    if meaning:  # a link has two directions
        lost = first_gaps(gaps)
        gaps = {each.way: lost[each.way[0]] for each in (*ours, *found) if each.way[0] in lost}
    kept = until(ours, gaps)
    lossy = {number for number, _ in gaps}
    told = differences(kept, until(found, gaps), meaning=meaning, in_order=in_order, lossy=lossy)
    return len(kept), list(told)


def layers_with(protocol: Protocol) -> str:
    """Return the layers that have frames of a protocol; tshark takes no layer that it lacks."""
    outer = OUTER if protocol.wire.within else ()
    return " ".join(("frame", *outer, protocol.wire.short))


def first_gaps(gaps: dict[tuple[int, int], int]) -> dict[int, int]:
    """Return the packet of the first gap of each connection that has one."""
    return {number: min(gaps[way] for way in gaps if way[0] == number) for number, _ in gaps}


def renumbered(conversation: str, ways: Ways) -> str:
    """Return the id of a conversation with our number of the connection of its packet."""
    _, packet, rest = conversation.split("-", 2)
    return f"{ways[int(float(packet))][0]}-{packet}-{rest}"


def compare_calls(
    capture: Path, protocol: Protocol, plugins: Iterable[Path]
) -> tuple[int, list[str]]:
    """The same of messages that stand in calls, where Wireshark reads what is around them.

    Of empty ones, and of frames beside the calls, only findings are compared.
    """
    short = protocol.wire.short
    session = Session([str(capture)])
    reading, ear = Reading(protocol, session.layers), Ear(protocol)
    analysis = Analysis(session, ear)
    rows = [each for each in analysis.rows() if isinstance(each, FrameRow)]
    others = [each for each in rows if each.connection.wire.id != protocol.wire.id]
    ours = [seen for row in others for seen in reading.messages(row)]
    shown = ("-J", layers_with(protocol), "-Y", f"{short} and http2 or {short}.finding")
    packets = directly(capture, plugins, "-2", *shown, "-o", f"{short}.secrets:TRUE")
    every = theirs(packets, short, records_of(protocol))
    bare = [each for each in every if not each.name and not each.header["length"]]
    found = [each for each in bare if each.values or each.problems]  # not what was skipped
    for each in found:
        name = next((each for each in each.values if each.count(".") > 1), "")
        each.name = ".".join(name.split(".")[:2])
    told = list(differences(ours, found))
    mine, their = ends_of_calls(rows, protocol), [each for each in bare if each not in found]
    ended = [(each.request, each.packet, each.response_time_ns) for each in their if each.request]
    asked = [(each.packet, each.response) for each in their if each.response]
    if mine != ended or sorted(each[:2] for each in mine) != sorted(asked):
        told.append(f"calls end {mine}, theirs {ended}, asked {asked}")
    packets_of = {each.number: each.packet for each in rows}
    broken = sorted(
        (packets_of[frame], rule)
        for frame, rules in ear.kept.items() if frame in packets_of for rule in rules
    )  # fmt: skip
    theirs_broken = sorted((each.packet, rule) for each in every for rule in each.findings)
    if broken != theirs_broken:
        alone, their_own = Counter(broken), Counter(theirs_broken)
        told.append(f"messages break {alone - their_own}, theirs {their_own - alone}")
    return len(ours), told


def ends_of_calls(
    rows: Iterable[FrameRow], protocol: Protocol
) -> list[tuple[int, int, int | None]]:
    """Packets of both ends of each call to a protocol's methods, and the time between."""
    paths = {path for embedded in protocol.embedded_records for path in embedded.types}
    packets: dict[int, int] = {}
    out = []
    for row in rows:
        packets[row.number] = row.packet
        request = row.annotation.request_frame if row.annotation else None
        if request is not None and row.values.get("path") in paths:
            out.append(
                (packets[request], row.packet, row.annotation and row.annotation.response_time_ns)
            )
    return out


class Own(NamedTuple):
    """What we read of a capture."""

    frames: list[Seen]
    gaps: dict[tuple[int, int], int]
    """The packet at which each direction is compared no more."""
    ways: Ways
    ear: "Ear"
    packets: dict[int, int]
    """Number of each frame to its packet."""


def own(capture: Path, protocol: Protocol, *, sound: bool = False, values: bool = True) -> Own:
    """Read a capture, perhaps without the values and problems of frames.

    With `sound` each direction is compared up to its first frame that stops the decoding.
    """
    others = tuple(each for each in catalog() if each.wire.id != protocol.wire.id)
    session = Session([str(capture)], protocols=(*others, protocol))
    reading, links, ear = Reading(protocol, session.layers, codecs()), Links(), Ear(protocol)
    gaps: dict[tuple[int, int], int] = {}
    packets: dict[int, int] = {}
    own_packets: list[tuple[Seen, int]] = []
    ways = ways_of(session)
    for row in Analysis(session, ear).rows():
        flow = row.connection.flow
        way = flow.number, flow.ports[row.side]
        if isinstance(row, EventRow) and row.name == "gap":
            gaps.setdefault(way, row.packet)
            ear.lossy.add(flow.number)
        elif BUILT_IN & set(flow.ports):
            continue
        elif isinstance(row, FrameRow) and row.connection.wire.id == protocol.wire.id:
            packets[row.number] = row.packet
            ear.latest_of[flow.number] = row.number
            seen_row = reading.row(row) if values else bare(row)
            if seen_row is not None:
                links.see(row, seen_row)
                seen_row.conversation = ear.conversation(row)
                if values:
                    reading.known(row, seen_row)
                seen_row.late = row.packet not in row.packets
                packets[row.number] = packet = brought(row, ways)
                own_packets.append((seen_row, packet))
            if sound and any(each.code.stops for each in row.problems):
                gaps.setdefault(way, row.packet)
    for seen_row, packet in own_packets:
        if seen_row.way not in gaps:
            seen_row.packet = packet
    links.judge(ear)
    return Own(list(links.frames.values()), gaps, ways, ear, packets)


def bare(row: FrameRow) -> Seen | None:
    """Return a frame without what is in it; None where no schema is known."""
    flow = row.connection.flow
    way = flow.number, flow.ports[row.side]
    return Seen(row.packet, row.command or "", way) if row.decoder else None


def brought(row: FrameRow | EventRow, ways: Ways) -> int:
    """Return the packet that completed a row; of one that waited for something else, its own.

    Where the first bytes of a connection are lost, what it speaks may be certain at the end alone,
    or by a later connection of its server.
    """
    stream, _ = ways.get(row.packet, (-1, 0))
    is_late = row.packet == next(reversed(ways), 0) or stream != row.connection.flow.number
    return max(row.packets) if is_late and row.packets else row.packet


def records_of(protocol: Protocol) -> frozenset[str]:
    """Names of records and of lists of records: Wireshark has them as nodes without a value.

    It also has one for a finding without a cause, if others of the packet have one.
    """
    trees = [each.tree for d in protocol.wire.dialects for each in protocol.wire.table(d).all]
    trees += [embedded.decoder.tree for embedded in protocol.embedded_records]
    return frozenset({f"{protocol.wire.short}.finding_tree"}).union(
        tree.name(node)
        for tree in trees
        for node in tree.nodes
        if node.path
        and (
            isinstance(node, (nodes.RecordNode, nodes.ListNode))
            or (isinstance(node, nodes.ProtoNode) and node.message)
        )
    )


def until(frames: Iterable[Seen], gaps: dict[tuple[int, int], int]) -> list[Seen]:
    """The frames before the first gap of their direction, by direction."""
    kept = [each for each in frames if each.packet < gaps.get(each.way, each.packet + 1)]
    return sorted(kept, key=lambda each: each.way)


def ways_of(session: Session) -> Ways:
    """Return where the ways of packets are when a session has read them, those without data too.

    These have no port.
    """
    ways: Ways = {}
    tracker = session.dissector.tracker

    def note(batch: PacketBatch, delivered: Iterable[object]) -> None:
        flows, _ = tracker.packet_flows()
        pairs = zip(batch.packets, flows, strict=True)
        ways.update((number, (flow, 0)) for number, flow in pairs if flow >= 0)
        for each in delivered:
            if isinstance(each, Segment):
                way = each.flow, tracker.flows[each.flow].ports[each.side]
                ways[each.origin] = way

    session.dissector.on_packets(note)
    return ways
