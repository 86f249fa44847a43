"""The text of a protocol's plugin: its tables, and around them the reader, the same in all plugins.

A plugin is one file, for users copy single files, and Wireshark's Lua cannot load another file in a
portable way. Parts of the reader that a protocol does not need are omitted.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache, cached_property
from importlib import import_module, resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from streamshark import __version__
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import ANY, EmbeddedRecord, Format
from streamshark.decoding.runtime import MESSAGES
from streamshark.fields.common_fields import CommonField, CommonFlag, sources
from streamshark.fields.reassembled import parts_of
from streamshark.findings.general_rules import group_of
from streamshark.framing.wire_format import Evidence, FrameTable, Level, WireFormat
from streamshark.lua.conversations import (
    LuaTables,
    is_bytes,
    predicate_tables,
    predicates_of,
)
from streamshark.lua.heads import head_text, line_head_text
from streamshark.lua.steps import FrameColumns, StepPrinter, ValueNames, needed
from streamshark.lua.text import indented, key, place, quoted, table, value
from streamshark.protocols.protocol import Protocol
from streamshark.schema import (
    FrameKind,
    FrameSchema,
    Head,
    LineHead,
    Literal,
    Sender,
    nodes,
    secrets,
)
from streamshark.schema.info_template import Hole, is_listed, template_of, words_of
from streamshark.schema.problems import ProblemCode
from streamshark.schema.random_frames import samples
from streamshark.schema.reference import build
from streamshark.schema.walk import walk

MOST_IN_A_ROW: Final = 8
"""Most consecutive frames for which detection is tried."""
SWITCH_DIALECT: Final = "switch_dialect.lua"
"""File in a protocol's folder with `WireFormat.switch_dialect` in Lua."""
WITHIN: Final = "within.lua"
"""File in a protocol's folder with `WireFormat.within` in Lua."""
JOINED: Final = "joined.lua"
"""File in a protocol's folder with `Fragments.joins` in Lua."""
PROBES: Final = (b"", b"\0", b"\0Sp", b"{}", b"text/plain", bytes(range(64)))
"""Bytes that show whether an embedded record's confidence depends on them."""
EVER: Final = 1000
"""Number of arguments if some are collected up to the end of the frame."""


class EmbeddedProtocol(NamedTuple):
    """A protocol whose frames are embedded in a slot of another one."""

    slot: str
    short: str
    magic: bytes
    """Bytes at the start of its frames."""
    columns: frozenset[str]
    """Columns of the outer frame that its tables, or its recognition, read."""
    around: Mapping[str, frozenset[str]]
    """Columns read of frames without the slot, by their names."""


def beside(function: Callable[..., Any] | None, name: str) -> Path | None:
    """Return the path of a file in the folder of a function's module; None if it does not exist."""
    if function is None:
        return None
    path = Path(import_module(function.__module__).__file__ or "").parent / name
    return path if path.is_file() else None


def hand_written(name: str, function: Callable[..., Any] | None, file: str) -> str:
    """Return a local of the plugin, from a Lua file next to a function; empty if there is none."""
    path = beside(function, file)
    if path is None:
        return ""
    body = indented(path.read_text(encoding="utf-8").rstrip())
    return f"local {name} = (function()\n{body}\nend)()\n"


def opening(wire: WireFormat) -> bytes | None:
    """Return the fixed bytes at the start of embedded frames; None for other protocols."""
    head = wire.heads[""]
    first = head.members[0] if isinstance(head, Head) and head.members else None
    return first.data if wire.within and isinstance(first, Literal) else None


def has_plugin(protocol: Protocol) -> bool:
    """Return whether a protocol has a plugin; none if Wireshark dissects what carries it."""
    return bool(protocol.wire.table().cuts or protocol.wire.within)


class Plugin:
    """The plugin of one protocol.

    `readers` are all known embedded records and formats; `embedded_protocols` those with frames in
    its slots; `calls` the ports of the protocol whose slots contain messages of its calls;
    `statuses` the names of its status codes, by number.
    """

    def __init__(
        self,
        protocol: Protocol,
        readers: Iterable[Format | EmbeddedRecord] = (),
        embedded_protocols: Iterable[EmbeddedProtocol] = (),
        calls: Iterable[int] = (),
        statuses: Mapping[int, str] | None = None,
    ) -> None:
        self.embedded_protocols = tuple(embedded_protocols)
        self.call_ports = tuple(calls)
        self.statuses = statuses or {}
        self.protocol = protocol
        self.wire: WireFormat = protocol.wire
        self.foreign_readers = tuple(readers)
        self.names = ValueNames()
        self.tables = {dialect: self.wire.table(dialect) for dialect in self.wire.dialects}
        self.used: set[type[nodes.Node]] = set()
        self.meaning = LuaTables(protocol, self.names)
        """The tables of conversations and rules."""
        self._columns: dict[int, FrameColumns] = {}
        self._judged: dict[int, FrameColumns] = {}

    # The file

    def text(self) -> str:
        """Return the plugin's Lua source."""
        tables = self.declarations()
        digest = hashlib.sha256(tables.encode()).hexdigest()[:16]
        parts = [
            self.head_comment(digest),
            self.constants(),
            part("secrets"),
            part("primitives"),
            part("info"),
            *(part(name) for name in self.needed_parts()),
            *(part(name) for name in self.conversation_parts()[:-3]),
            f"{rule(f'The tables of {self.protocol.title}')}\n\n{tables}",
            *self.predicates(),
            ";(function() -- a scope of its own: Lua takes 200 names in one\n",
            part("payloads"),
            part("connections"),
            part("bodies"),
            *([part("embeds")] if self.embedded_protocols else []),
            *([part("reassembly")] if self.wire.fragments or self.wire.run else []),
            part("compile"),
            *(part(name) for name in self.conversation_parts()[-3:]),
            part("statistics"),
            part("plugin"),
            part("packet_menu"),
            *([part("websocket")] if "websocket.bytes" in self.wire.carried_in else []),
            *([part("grpc_messages")] if self.calls else []),
            *self.embedded_in_part(),
            "end)()\n",
        ]
        return "\n".join(parts)

    def head_comment(self, digest: str) -> str:
        """Return the comment at the top of the file."""
        first = self.protocol.card.strip().split("\n")[0]
        return (
            f"-- {first}\n"
            "-- A dissector for Wireshark 4.0 and later, made from the protocol's\n"
            f"-- schema (digest {digest}) by Streamshark {__version__}. Do not edit it,\n"
            f"-- but run `streamshark lua generate {self.wire.id}`.\n"
            "--\n"
            "-- To install it, copy this file to the folder that Wireshark names in\n"
            '-- Help > About > Folders as "Personal Lua Plugins", or run\n'
            "-- `streamshark lua install`.\n"
            "--\n"
            "-- SPDX-License-Identifier: MIT\n"
        )

    def constants(self) -> str:
        """Return the constants of the reader."""
        wire, magic = self.wire, opening(self.wire)
        tls = wire.tls_ports
        plain = [each for each in wire.ports if each not in tls]
        lines = [
            "local ARGUMENTS = { ... } -- those of `-X lua_script1:`",
            f"local SHORT = {quoted(wire.short)}",
            f"local TITLE = {quoted(self.protocol.title)}",
            f"local PORTS = {quoted(','.join(map(str, plain)))}",
            f"local SHARED_PORTS = {quoted(','.join(map(str, wire.shared_ports)))}",
            f"local TLS_PORTS = {quoted(','.join(map(str, sorted(wire.ports))))}",
            f"local DIALECTS = {value(list(wire.dialects))}",
            "-- Kind of the number that joins requests and responses.",
            f"local CORRELATES = {value(self.correlates())}",
            f"local AGREES_VERSION = {value('version' in {a.name for a in wire.agreements})}",
            f"local CARRIED_IN = {value(wire.carried_in)} -- slots in which its frames are",
            f"local BINARY = {value(wire.binary)} -- whether WebSocket may not bring text",
            f"local OPENING = {value(magic and magic.hex())} -- bytes that they begin with there",
            f"local ENOUGH = {self.enough} -- frames in a row that prove the protocol on any port",
            f"local CODES = {codes()}",
            f"local COMMON = {value(self.common_fields())} -- fields that span commands",
            f"local HAS_TYPES = {value(self.has_types)} -- whether bodies have a type",
            f"local STREAM = {value(self.stream_field or None)} -- field that names a stream",
            f"local SECRETS = {secret_names()} -- names, and what text has",
        ]
        if self.calls:
            ports = quoted(",".join(map(str, self.call_ports)))
            lines.append(f"local CALL_PORTS = {ports} -- ports read as HTTP/2")
            lines.append(f"local STATUSES = {value(dict(self.statuses))} -- how calls end")
        return "\n".join(lines) + "\n\n" + part("once")

    @property
    def embedded_records(self) -> list[EmbeddedRecord]:
        """Records embedded in the protocol's own slots, not in another protocol's."""
        found = self.protocol.embedded_records
        trees = [each.tree for table in self.tables.values() for each in table.all]
        trees += [each.decoder.tree for each in found]
        named = (getattr(node, "slot", None) for tree in trees for node in tree.nodes)
        slots = {slot.name for slot in named if slot is not None}
        return [each for each in found if each.slots & slots]

    @property
    def calls(self) -> list[EmbeddedRecord]:
        """Records embedded in another protocol's slots: messages of calls."""
        own = {each.id for each in self.embedded_records}
        return [
            each for each in self.protocol.embedded_records if each.id not in own and each.types
        ]

    def embedded_in_part(self) -> list[str]:
        """Return the part that recognises its frames in another protocol, if written by hand."""
        own = hand_written("within", self.wire.within, WITHIN)
        return [own, part("embedded_in")] if own else []

    def needed_parts(self) -> list[str]:
        """Return the names of the parts of the reader that only some protocols need."""
        found = []
        if {nodes.MessageNode} & self.used:
            found.append("protobuf")
        if {nodes.LineNode, nodes.HeadersNode, nodes.JsonLineNode} & self.used or any(
            isinstance(each, LineHead) for each in self.wire.heads.values()
        ):
            found.append("lines")
        if any(each.checksum for each in self.regions):
            found.append("checksums")
        return found

    def conversation_parts(self) -> list[str]:
        """Return the names of the parts that follow conversations, if there are tables of them."""
        if not self.meaning.model.pairs and not self.meaning.rules:
            return []
        outstanding = ["outstanding"] if self.meaning.has_outstanding else []
        return ["functions", *outstanding, "tcp_watcher", "compile_tables", "conversations"]

    def predicates(self) -> list[str]:
        """Return the predicates of rules in Lua; nothing if there are none."""
        if not self.conversation_parts():
            return []
        text = predicates_of(self.protocol.rules).rstrip()
        if not text:
            return []
        tables = predicate_tables(self.protocol.rules)
        given = f"f.near, f.contents, {value(tables)}"
        made = f"(function(near, contents, tables)\n{indented(text)}\nend)({given})"
        parts = ["names", "contents", *(["patterns"] if "f.patterns" in text else [])]
        return [*map(part, parts), f"f.predicates = {made}\n"]

    def declarations(self) -> str:
        """Return the protocol's own tables."""
        self.regions: list[nodes.RegionNode] = []
        heads = table([f"{key(d)} = {self.head(self.wire.heads[d])}" for d in self.wire.dialects])
        records = table(
            [f"{key(each.id)} = {self.embedded_record(each)}" for each in self.embedded_records]
        )
        calls = table([f"{key(each.id)} = {self.call(each)}" for each in self.calls])
        frames = "\n".join(self.frames())
        meaning = f"\n{self.meaning.text()}" if self.conversation_parts() else ""
        tables = (
            f"local FOREIGN = {value(dict(self.wire.foreign))}\n\n"
            f"local FRAGMENTS = {self.fragments()}\n\n"
            f"local RESUMPTION = {self.resumption()}\n\n"
            f"local STREAM_TYPES = {self.stream_types()}\n\n"
            f"local PARITY = {self.parity()}\n\n"
            f"{self.dialect_switch()}"
            f"local RUN = {self.run()}\n\n"
            f"{self.joins()}"
            f"{self.head_functions}"
            f"local heads = {heads}\n\n"
            f"local embedded_records = {records}\n\n"
            f"local calls = {calls} -- messages inside calls\n\n"
            f"local frames = {{}}\n\n{frames}{meaning}"
        )
        names = table([f"{key(name)} = {value(given)}" for name, given in self.names.taken.items()])
        return f"local names = {names}\n\n{tables}"

    def dialect_switch(self) -> str:
        """Return what determines the dialect of a connection, and its possible upgrades."""
        lines = [f"local UPGRADES = {value(dict(self.wire.upgrades))}"]
        own = hand_written("switch_dialect", self.wire.switch_dialect, SWITCH_DIALECT)
        if own:
            switching = dict.fromkeys(sorted(map(str, self.tables[""].switching_keys)), True)
            lines += [
                f"local BETWEEN_SERVERS = {value(self.wire.between_servers)}",
                f"local SWITCHING = {value(switching)}",
                own,
            ]
        else:
            lines.append("local switch_dialect, SWITCHING, BETWEEN_SERVERS = false, {}, {}\n")
        return "\n".join(lines) + "\n"

    # Tables

    def head(self, head: Head | LineHead) -> str:
        """Return how a stream of one dialect is split into frames."""
        return line_head_text(head) if isinstance(head, LineHead) else head_text(head)

    @cached_property
    def head_functions(self) -> str:
        """For each dialect, the steps of the head, as functions of the flags of each frame."""
        out = []
        for index, dialect in enumerate(self.wire.dialects, 1):
            head = self.wire.heads[dialect]
            if not isinstance(head, Head) or not head.members:
                continue
            schema = FrameSchema("head", 0, FrameKind.COMMAND, Sender.BOTH, "", "")
            tree = walk(schema, head, self.wire.short)
            kept = set().union(*(each.path for each in tree.nodes)) & self.head_kept(dialect)
            steps = self.steps(tree, kept, self.head_info_paths(dialect))
            steps.awaited = self.head_awaited(dialect)
            steps.renamed = renamed(head)
            steps.flags = head.flags
            members = [
                steps.step(node)
                for node in tree.root.members
                if not isinstance(node, nodes.ClaimNode)
            ]
            given = "flags" if head.flags else ""
            out.append(
                f"local function head_{index}({given})\n"
                f"  return {indented(table(members)).strip()}\nend\n\n"
            )
        return "".join(out)

    def head_info_paths(self, dialect: str) -> dict[str, str]:
        """Return the members of the head that the Info column or fragments need."""
        wanted = set[str]()
        for decoder in self.tables[dialect].all:
            wanted |= value_modes(decoder.tree, template_of(decoder.tree)).keys()
        if self.wire.fragments:
            wanted |= {self.wire.fragments.by, self.wire.fragments.flags}
        return {name: "" for name in members_of(self.wire.heads[dialect]) if name in wanted}

    def head_awaited(self, dialect: str) -> set[str]:
        """Return the members of the head that conversations read of any frame."""
        found: set[str] = set()
        for decoder in self.tables[dialect].all:
            columns = self.columns(decoder.tree)
            found |= columns.once | ({columns.flags} if columns.flags else set())
        return found & set(members_of(self.wire.heads[dialect]))

    def head_kept(self, dialect: str) -> set[str]:
        """Return the members of the head that the body of any frame, or a table, refers to."""
        found: set[str] = set()
        for decoder in self.tables[dialect].all:
            found |= needed(decoder.tree)
            found |= {each["path"] for each in self.agrees(decoder.tree.schema)}
            found |= self.columns(decoder.tree).kept | self.judged(decoder.tree).kept
            if decoder.correlates:
                found.add(decoder.correlates)
        return found

    def columns(self, tree: nodes.Tree) -> FrameColumns:
        """Return the columns of a frame that conversations read."""
        if id(tree) not in self._columns:
            self._columns[id(tree)] = self.meaning.columns(tree)
        return self._columns[id(tree)]

    def judged(self, tree: nodes.Tree) -> FrameColumns:
        """Return the columns of a frame that rules about problems read."""
        if id(tree) not in self._judged:
            self._judged[id(tree)] = self.meaning.judged(tree)
        return self._judged[id(tree)]

    def embedded_record(self, record: EmbeddedRecord) -> str:
        """Return a record that is embedded in a slot."""
        steps = self.steps(record.decoder.tree, {record.whole} if record.whole else set(), {})
        steps.shown = set(value_modes(steps.tree, record.shows))
        steps.is_content = record.whole is not None and not record.types
        steps.naming = {
            place(node)
            for each in self.protocol.fields
            if each.name == self.stream_field
            for node in sources(each, steps.tree)
        }
        types = frozenset(map(str.lower, record.types))
        own = [f"types = {value(types)}", f"body = {steps.members(steps.tree.root.members)}"]
        if record.whole:
            own.insert(0, f"whole = {quoted(record.whole)}")
        if record.shows:
            own.insert(0, f"shows = {value(words(steps.tree, record.shows))}")
        return table(own)

    def call(self, record: EmbeddedRecord) -> str:
        """Return a message that is embedded in calls: its slots, paths and members."""
        tree = record.decoder.tree
        steps = self.steps(tree, set(), {})
        own: dict[str, object] = {"slots": record.slots, "paths": record.types}
        if record.slots & self.protocol.embedded_slots and self.conversation_parts():
            steps.columns = self.columns(tree) | self.judged(tree)
            own |= {"kind": tree.schema.kind.value, "coded": is_coded(tree) or None}
        body = steps.members(tree.root.members)
        facts = [f"{key(name)} = {value(each)}" for name, each in own.items() if each is not None]
        return table([*facts, f"body = {body}"])

    def frames(self) -> Iterator[str]:
        """Yield every frame, as a statement."""
        seen: dict[int, list[str]] = {}
        for dialect, chosen in self.tables.items():
            for decoder in chosen.all:
                seen.setdefault(id(decoder.tree.schema), []).append(dialect)
        for schema in self.wire.frames:
            dialects = seen.get(id(schema), [])
            if not dialects:
                continue
            heads: dict[int, list[str]] = {}
            for dialect in dialects:
                heads.setdefault(id(self.wire.heads[dialect]), []).append(dialect)
            for group in heads.values():
                yield self.frame(schema, group)

    def frame(self, schema: FrameSchema, dialects: list[str]) -> str:
        """Return one frame in the dialects that share its head."""
        chosen = self.tables[dialects[0]]
        decoder = next(each for each in chosen.all if each.tree.schema is schema)
        tree, head = decoder.tree, chosen.head
        info_paths = self.info_paths(decoder, dialects[0])
        columns = self.columns(tree)
        every = columns | self.judged(tree)
        every.raw |= self.agreed_bytes(schema, tree)
        kept = self.joining(tree) | {each["path"] for each in self.agrees(schema)}
        kept |= self.embedded_paths(tree)
        steps = self.steps(tree, kept | {decoder.correlates or ""} - {""}, info_paths)
        steps.columns, steps.awaited = every, columns.awaited or set()
        steps.pieced = self.pieced(tree)
        own = self.frame_facts(decoder, dialects, info_paths)
        facts = [f"{key(name)} = {value(each)}" for name, each in own.items()]
        body = [node for node in tree.root.members if not in_head(node, head)]
        if isinstance(head, Head) and head.members:
            index = list(self.wire.dialects).index(dialects[0]) + 1
            given = value(dict(schema.flags)) if head.flags else ""
            facts.append(f"head = function() return head_{index}({given}) end")
        printed = indented(table([steps.step(node) for node in body])).strip()
        facts.append(f"steps = function()\n  return {printed}\nend")
        doc = f"-- {schema.doc} {schema.spec}."
        return f"{doc}\nframes[#frames + 1] = {table(facts)}\n"

    def frame_facts(
        self, decoder: Decoder, dialects: list[str], info_paths: Mapping[str, str]
    ) -> dict[str, object]:
        """Return what the reader must know of a frame before reading it."""
        tree, schema = decoder.tree, decoder.tree.schema
        chosen = self.tables[dialects[0]]
        selects = isinstance(chosen.head, Head) and chosen.head.response is not None
        more = [
            mask
            for mask, name in schema.flags.items()
            if self.wire.fragments and name == self.wire.fragments.more
        ]
        own_name = tree.prefix.partition(".")[2]
        own: dict[str, object] = {
            "name": own_name,
            "command": schema.name,
            "kind": schema.kind.value,
            "sender": schema.sender.value,
            "key": schema.key if isinstance(schema.key, str) else int(schema.key),
            "version": schema.version,
            "responses": list(schema.response_bits) if selects else [False],
            "dialects": dialects,
            "shows": words(tree, template_of(tree)),
            "brief": EVER if any(info_paths.values()) else len(info_paths) + len(self.pieced(tree)),
            "correlates": decoder.correlates,
            "proves": proves(chosen, schema),
            "agrees": self.agrees(schema) or None,
            "opens": opens(self.wire, schema, chosen.head) or None,
            "more": more[0] if more else None,
            "watched": self.watched(schema) or None,
            "in_pieces": (bool(more) or self.is_piece(schema)) or None,
            "holds": [
                each.name
                for each in self.protocol.fields
                if isinstance(each, CommonFlag) and own_name in each.commands
            ]
            or None,
            "known": [
                each.name
                for each in self.protocol.fields
                if each.name in self.meaning.contexts and not sources(each, tree)
            ]
            or None,
            "stream": self.stream_path(tree) or None,
            "bodies": has_bodies(tree) or None,
            "parts": [name for name in parts_of(self.wire, tree) if has(tree, name)] or None,
        }
        if self.conversation_parts():
            own |= self.followed(tree, dialects[0])
        return {name: each for name, each in own.items() if each is not None}

    def followed(self, tree: nodes.Tree, dialect: str) -> dict[str, object]:
        """Return what conversations must know of a frame."""
        columns = self.columns(tree)
        waits = columns.awaited
        return {
            "awaited": EVER if waits is None else len(waits | self.head_awaited(dialect)),
            "flags_of": columns.flags or None,
            "flags": dict(tree.schema.flags) if columns.flags else None,
            "coded": is_coded(tree) or None,
        }

    def steps(self, tree: nodes.Tree, kept: set[str], info_paths: Mapping[str, str]) -> StepPrinter:
        """Return a printer of steps that shares this plugin's names."""
        made = StepPrinter(tree, self.names, kept, info_paths, self.readers)
        made.spans, made.holds = self.common(tree)
        made.stream = self.stream_path(tree)
        made.kept |= {made.stream} - {""}
        self.used |= made.used
        self.regions += [node for node in tree.nodes if isinstance(node, nodes.RegionNode)]
        return made

    @property
    def has_types(self) -> bool:
        """Whether the MIME type of bodies is said."""
        trees = [each.tree for table in self.tables.values() for each in table.all]
        slots = (getattr(node, "slot", None) for tree in trees for node in tree.nodes)
        return any(slot is not None and (slot.agreed or slot.types) for slot in slots)

    @cached_property
    def stream_field(self) -> str:
        """Name of the field that names the stream, subject or segment of messages; or empty."""
        fields = (each for each in self.protocol.fields if isinstance(each, CommonField))
        return next((each.name for each in fields if each.is_stream), "")

    def stream_path(self, tree: nodes.Tree) -> str:
        """Return the path of the stream's name in a frame with bodies; empty if it has none."""
        if not has_bodies(tree):
            return ""
        for each in self.protocol.fields:
            for node in sources(each, tree) if each.name == self.stream_field else ():
                if not is_listed(tree, place(node)):
                    return place(node)
        return ""

    def common(
        self, tree: nodes.Tree
    ) -> tuple[dict[str, list[str]], dict[str, dict[str, dict[int | str, bool]]]]:
        """Return the paths of a tree whose values belong to fields that span commands.

        With the names of these fields, and with the facts that the values prove.
        """
        spans: dict[str, list[str]] = {}
        holds: dict[str, dict[str, dict[int | str, bool]]] = {}
        for each in self.protocol.fields:
            for node in sources(each, tree):
                if isinstance(each, CommonField):
                    spans.setdefault(place(node), []).append(each.name)
                else:
                    holds.setdefault(place(node), {})[each.name] = dict.fromkeys(each.unless, True)
        return spans, holds

    def common_fields(self) -> dict[str, dict[str, object]]:
        """Return what the reader must know of the fields that span commands, by name."""
        out: dict[str, dict[str, object]] = {}
        for each in self.protocol.fields:
            own: dict[str, object] = {"doc": each.doc}
            if isinstance(each, CommonFlag):
                own["is_fact"] = True
            else:
                own |= {"by_flag": True} if each.by_flag else {}
                own |= {"is_known": True} if each.name in self.meaning.contexts else {}
            out[each.name] = own
        return out

    def info_paths(self, decoder: Decoder, dialect: str) -> dict[str, str]:
        """Return the paths of values that are needed even if a frame is not displayed.

        These are the values in the Info column and what fragments need, each as `value_modes`.
        """
        tree = decoder.tree
        paths = value_modes(tree, template_of(tree))
        return paths | dict.fromkeys(self.joining(tree), "") | self.head_info_paths(dialect)

    def joining(self, tree: nodes.Tree) -> set[str]:
        """Return the members of a body that relate fragments of a frame."""
        found = self.wire.fragments
        concerned = found.begun | found.continued | found.ended if found else frozenset()
        wanted = {found.by, found.place} if found and tree.schema.name in concerned else set()
        if found is not None and tree.schema.name in found.continued:
            wanted |= found.reads
        run = self.wire.run
        if run is not None and tree.schema.name == run.command:
            wanted |= {run.by, run.position}
        return wanted & {node.path[0] for node in tree.nodes if node.name}

    def pieced(self, tree: nodes.Tree) -> set[str]:
        """Return the members of a frame that are fragments."""
        found, run, schema = self.wire.fragments, self.wire.run, tree.schema
        wanted = {run.part} if run is not None and schema.name == run.command else set()
        if found is not None and (self.is_piece(schema) or found.more in schema.flags.values()):
            wanted |= set(found.parts)
        return {name for name in wanted if has(tree, name)}

    def is_piece(self, schema: FrameSchema) -> bool:
        """Return whether a frame may be, or end, a fragment, regardless of its flags."""
        found, run = self.wire.fragments, self.wire.run
        if run is not None and schema.name == run.command:
            return True
        return found is not None and schema.name in found.begun | found.continued | found.ended

    def embedded_paths(self, tree: nodes.Tree) -> set[str]:
        """Return the paths of a frame that embedded protocols read, with or without a slot."""
        slots = {slot.name for n in tree.nodes if (slot := getattr(n, "slot", None)) is not None}
        wanted = {
            name for each in self.embedded_protocols if each.slot in slots for name in each.columns
        }
        for each in self.embedded_protocols:
            wanted |= each.around.get(tree.schema.name, frozenset())
        return wanted & {place(node) for node in tree.nodes if node.name}

    def watched(self, schema: FrameSchema) -> list[str]:
        """Return the embedded protocols that read a frame without a slot of theirs."""
        return [each.short for each in self.embedded_protocols if schema.name in each.around]

    def agrees(self, schema: FrameSchema) -> list[dict[str, Any]]:
        """Return the single values that a frame negotiates for later ones."""
        out = []
        for each in self.wire.agreements:
            if (
                each.command != schema.name
                or (schema.kind is FrameKind.RESPONSE) not in each.responses
            ):
                continue
            path, _, flag = each.path.partition(".")
            masks = [mask for mask, name in schema.flags.items() if name == flag]
            if flag and not masks:
                continue
            given: dict[str, Any] = {"name": each.name, "path": path}
            given |= {"least": True} if each.least else {}
            out.append(given | ({"mask": masks[0]} if flag else {}))
        return out

    def agreed_bytes(self, schema: FrameSchema, tree: nodes.Tree) -> set[str]:
        """Return the paths of bytes that a frame negotiates, such as names of sessions."""
        paths = {each["path"] for each in self.agrees(schema)}
        return {place(node) for node in tree.named() if place(node) in paths and is_bytes(node)}

    def resumption(self) -> str:
        """Return how a connection resumes what another one has negotiated."""
        found = self.wire.resumption
        return "nil" if found is None else value(asdict(found))

    def stream_types(self) -> str:
        """Return where metadata states the type of the data on one stream."""
        found = self.wire.stream_types
        if found is None:
            return "nil"
        names = ("by", "metadata", "agreement", "opens")
        return value({name: getattr(found, name) for name in names})

    def parity(self) -> str:
        """Return how the number of a stream shows which side opens it."""
        found = self.wire.parity
        if found is None:
            return "nil"
        odd = {dialect: sender.value for dialect, sender in found.odd.items()}
        return value({"opens": found.opens, "odd": odd})

    def fragments(self) -> str:
        """Return how frames are marked as fragments."""
        found = self.wire.fragments
        if found is None:
            return "nil"
        own: dict[str, object] = {"by": found.by}
        if found.flags:
            own["flags"] = found.flags
        if found.place:
            own["place"] = found.place
        own |= {"begun": found.begun, "continued": found.continued, "ended": found.ended}
        return value(own | {"parts": list(found.parts)})

    def joins(self) -> str:
        """Return how the last fragment is appended, if written by hand."""
        found = self.wire.fragments
        if found is None:
            return ""
        return (hand_written("joins", found.joins, JOINED) or "local joins = false\n") + "\n"

    def run(self) -> str:
        """Return how items span frames."""
        found = self.wire.run
        if found is None:
            return "nil"
        own = {"command": found.command, "by": found.by, "position": found.position}
        return value(
            own
            | {"part": found.part, "begins": found.begins, "least": found.least, "most": found.most}
        )

    def readers(self, slot: str) -> list[dict[str, Any]]:
        """Return the readers of a slot, the most confident first."""
        own = [
            (record, sureness(record)) for record in self.embedded_records if slot in record.slots
        ]
        records = [
            {"embedded_record": record.id}
            | ({"never": True} if sure == 0 else {"try": True} if sure is None else {})
            for record, sure in sorted(own, key=lambda each: -(60 if each[1] is None else each[1]))
        ]
        formats = [
            {"format": each.id}
            for each in self.foreign_readers
            if isinstance(each, Format) and slot in each.slots and ANY not in each.slots
        ]
        inside = [
            {"format": each.short, "magic": each.magic.hex()}
            for each in self.embedded_protocols
            if each.slot == slot
        ]
        return inside + formats + records

    def correlates(self) -> str | None:
        """Return the kind of ProtoField that holds every correlation id; None without ids."""
        found = set()
        for chosen in self.tables.values():
            for decoder in chosen.all:
                if decoder.correlates:
                    node = decoder.tree.find(decoder.correlates)
                    if not isinstance(node, (nodes.IntNode, nodes.PartNode)):
                        return "string"
                    signed = isinstance(node, nodes.IntNode) and node.signed
                    found.add(("int" if signed else "uint") + ("64" if wide(node) else "32"))
        for kind in ("int64", "uint64", "int32", "uint32"):
            if kind in found:
                return kind
        return None

    @cached_property
    def enough(self) -> int:
        """Number of consecutive frames that prove the protocol without an opening one."""
        schema = next(
            (
                each
                for each in self.wire.frames
                if not opens(self.wire, each, self.wire.heads[each.dialect])
            ),
            self.wire.frames[0],
        )
        for count in range(1, MOST_IN_A_ROW):
            names = (schema.name,) * count
            evidence = Evidence(b"", start=False, commands=names, lined_up=True,
                                open_head=False, port=False)  # fmt: skip
            if self.wire.detect(evidence).level >= Level.LIKELY:
                return count
        return MOST_IN_A_ROW


def words(tree: nodes.Tree, template: str) -> list[dict[str, object]]:
    """Return the words of the Info column: texts, and the holes between them."""
    return [
        {"texts": list(word.texts), "holes": [hole_facts(each) for each in word.holes]}
        for word in words_of(template, tree)
    ]


def hole_facts(hole: Hole) -> dict[str, object]:
    """Return what the reader must know of a place where a value stands."""
    own: dict[str, object] = {"path": hole.path}
    if hole.form:
        own["form"] = hole.form
    if hole.form == "ok":
        own["others"] = hole.fine
    elif hole.others:
        own["others"] = frozenset(hole.others) if hole.form == "not" else list(hole.others)
    if hole.words is not None:
        own["yes"], own["no"] = hole.words
    return own


def value_modes(tree: nodes.Tree, template: str) -> dict[str, str]:
    """Return the paths of the values that the Info column shows.

    Each with how many are kept of it: "" for one, "many" for those of a list, "ranges" for numbers.
    """
    found: dict[str, str] = {}
    for word in words_of(template, tree):
        for hole in word.holes:
            for path in hole.paths:
                is_one = hole.form == "count" or not is_listed(tree, path)
                found[path] = "" if is_one else "ranges" if hole.form == "ranges" else "many"
    return found


def members_of(head: Head | LineHead) -> list[str]:
    """Return the names of a head's members."""
    if not isinstance(head, Head):
        return []
    schema = FrameSchema("head", 0, FrameKind.COMMAND, Sender.BOTH, "", "")
    tree = walk(schema, head, "any")
    return [each.path[0] for each in tree.nodes if each.name and len(each.path) == 1]


def renamed(head: Head) -> dict[str, str]:
    """Return the field names of a head's hidden members, which are the same in all frames."""
    out = {}
    for name in head.hidden:
        own = {head.key: "key", head.version: "version"}.get(name, f"head.{name}")
        out[name] = f'NAME .. ".{own}"'
    return out


def in_head(node: nodes.Node, head: Head | LineHead) -> bool:
    """Return whether a member of a frame's record is from its head; claims are not."""
    if not isinstance(head, Head) or isinstance(node, nodes.ClaimNode):
        return False
    return node.id < head_end(head)


@cache
def head_end(head: Head) -> int:
    """Return the first node id after those of a head's members."""
    schema = FrameSchema("head", 0, FrameKind.COMMAND, Sender.BOTH, "", "")
    tree = walk(schema, head, "any")
    return min(
        (each.id for each in tree.nodes if isinstance(each, nodes.ClaimNode)),
        default=len(tree.nodes),
    )


def has_bodies(tree: nodes.Tree) -> bool:
    """Return whether a frame has bytes of applications."""
    return any(node.facts.has_role("body") for node in tree.nodes)


def is_coded(tree: nodes.Tree) -> bool:
    """Return whether a frame has a response code."""
    return any(node.facts.has_role("response_code") for node in tree.nodes)


def has(tree: nodes.Tree, name: str) -> bool:
    """Return whether a frame has a member of bytes of this name."""
    return any(isinstance(each, nodes.BlobNode) and each.path == (name,) for each in tree.nodes)


def wide(node: nodes.Node) -> bool:
    """Return whether a number has more than 32 bits."""
    if isinstance(node, nodes.PartNode):
        return node.width > 32  # noqa: PLR2004 - bits
    return isinstance(node, nodes.IntNode) and node.size > 4  # noqa: PLR2004 - bytes


def proves(chosen: FrameTable, schema: FrameSchema) -> str | None:
    """Return the only side that sends frames with this one's selector; None if both may."""
    for selector, decoders in chosen.decoders.items():
        schemas = [each.tree.schema for each in decoders]
        if schema in schemas and selector.key == schema.key:
            senders = {each.sender for each in schemas}
            if len(senders) == 1 and not senders & {Sender.BOTH, Sender.PEER}:
                return senders.pop().value
            return None
    return None


def opens(wire: WireFormat, schema: FrameSchema, head: Head | LineHead) -> bool:
    """Return whether this frame alone, as the first of a connection, proves the protocol."""
    if isinstance(head, Head) and head.total is None:
        return False  # recognised by its carrier
    data = build(schema, head, next(samples(walk(schema, head, wire.short), 1)))
    evidence = Evidence(data, start=True, commands=(schema.name,), lined_up=True,
                        open_head=False, port=False)  # fmt: skip
    return wire.detect(evidence).level >= Level.LIKELY


def sureness(record: EmbeddedRecord) -> int | None:
    """Return the confidence of an embedded record in any bytes; None if it depends on them.

    A record without types has some confidence in some bytes, though perhaps not in those of
    `PROBES`.
    """
    found = {record.sure(probe) for probe in PROBES}
    if found == {0} and not record.types:
        return None
    return found.pop() if len(found) == 1 else None


def codes() -> str:
    """Return the problem codes: group, severity, sentence, message."""
    rows = []
    for code in ProblemCode:
        message = re.sub(r"{[^}]*}", "%s", MESSAGES.get(code.name, "{0}"))
        own = {
            "group": group_of(code).name,
            "severity": "ERROR" if code.stops else "WARN",
            "sentence": code.sentence.rstrip("."),
            "message": message,
        }
        rows.append(f"{code.word} = {value(own)}")
    return table(rows)


def secret_names() -> str:
    """Return the table of names and patterns of secrets."""
    return value(
        {
            "names": secrets.NAMES,
            "endings": secrets.ENDINGS,
            "parameters": secrets.PARAMETERS,
            "hosts": secrets.HOSTS,
            "words": secrets.WORDS,
            "likely": secrets.LIKELY,
            "keys": secrets.KEYS,
            "signs": secrets.SIGNS,
        }
    )


def part(name: str) -> str:
    """Return a part of the reader."""
    folder = resources.files("streamshark.lua") / "reader"
    return (folder / f"{name}.lua").read_text(encoding="utf-8")


def rule(title: str) -> str:
    """Return a heading in a comment."""
    return f"-- {title} {'-' * max(3, 107 - len(title))}"
