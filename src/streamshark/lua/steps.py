"""Prints the nodes of a frame as steps: calls of the words that `reader/primitives.lua` defines."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from streamshark.errors import SchemaError
from streamshark.fields.times import scale_of
from streamshark.lua.text import (
    LuaCode,
    condition,
    function,
    indented,
    number,
    place,
    quoted,
    sum_path,
    table,
    value,
)
from streamshark.schema import nodes
from streamshark.schema.bytes_and_text import Slot
from streamshark.schema.info_template import is_listed

INTEGERS: Final = {(size, signed): f"{'i' if signed else 'u'}{size * 8}"
                   for size in (1, 2, 3, 4, 8) for signed in (False, True)}  # fmt: skip


@dataclass
class FrameColumns:
    """The columns of one frame that tables read."""

    once: set[str] = field(default_factory=set)
    """Paths of single values, or of lists whose length is read."""
    raw: set[str] = field(default_factory=set)
    """Paths of bytes whose content is read."""
    gathers: dict[str, set[str]] = field(default_factory=dict)
    """Paths read of the items of each list, each by itself."""
    records: dict[str, set[str]] = field(default_factory=dict)
    """Members read of the items of each list, together."""
    wide: set[str] = field(default_factory=set)
    """Paths of 64-bit numbers."""
    flags: str = ""
    """Path of the head's member whose flags are read."""

    def __or__(self, other: "FrameColumns") -> "FrameColumns":
        """Return the columns that either reads."""
        records = {
            path: self.records.get(path, set()) | other.records.get(path, set())
            for path in (*self.records, *other.records)
        }
        return FrameColumns(
            self.once | other.once, self.raw | other.raw, {**self.gathers, **other.gathers},
            records, self.wide | other.wide, self.flags or other.flags,
        )  # fmt: skip

    @property
    def kept(self) -> set[str]:
        """All paths whose values the reader keeps."""
        inside = {path for paths in self.gathers.values() for path in paths}
        inside |= {f"{at}.{name}" for at, names in self.records.items() for name in names}
        flags = {self.flags} if self.flags else set()
        return self.once | self.raw | inside | self.gathers.keys() | self.records.keys() | flags

    @property
    def awaited(self) -> set[str] | None:
        """Paths of the values after which nothing more is read; None if a list is among them."""
        if self.gathers or self.records:
            return None
        return self.once | self.raw | ({self.flags} if self.flags else set())


class ValueNames:
    """The tables of value names that fields share, each named after the first such field."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, str], ...], str] = {}
        self.taken: dict[str, Mapping[int, str]] = {}

    def of(self, name: str, names: Mapping[int, str]) -> LuaCode:
        """Return the expression for a table of names."""
        identity = tuple(sorted(names.items()))
        if identity not in self.known:
            free, index = name, 2
            while free in self.taken:
                free, index = f"{name}_{index}", index + 1
            self.known[identity] = free
            self.taken[free] = dict(identity)
        return LuaCode(f"names.{self.known[identity]}")


class StepPrinter:
    """A printer of the steps of one tree.

    `kept` are the paths whose values are needed; `info_paths` are those that the Info column shows,
    each with how many are kept: "" for one, else those of a list. `readers` returns the readers of
    a slot.
    """

    def __init__(
        self,
        tree: nodes.Tree,
        names: ValueNames,
        kept: Iterable[str] = (),
        info_paths: Mapping[str, str] | None = None,
        readers: Callable[[str], list[dict[str, Any]]] = lambda _: [],
    ) -> None:
        self.tree = tree
        self.names = names
        self.info_paths = dict(info_paths or {})
        self.readers = readers
        self.kept = set(kept) | needed(tree) | set(self.info_paths)
        self.sums = [each for each in _expressions(tree) if isinstance(each, nodes.Sum)]
        self.renamed: Mapping[str, str] = {}
        """Lua expression of the field name that a head's member has in all frames."""
        self.flags: str | None = None
        """Member of the head whose flags are in the variable `flags`."""
        self.items = {each.item.id for each in tree.nodes if isinstance(each, nodes.ListNode)}
        """Nodes that are items of lists."""
        self.shown: set[str] = set()
        """Paths of an embedded record, whose values the Info column of the frame shows."""
        self.spans: Mapping[str, list[str]] = {}
        """Paths to the names of the fields that span commands and have their values."""
        self.holds: Mapping[str, Mapping[str, Mapping[int | str, bool]]] = {}
        """Paths to the facts that their values prove: name to the values that do not."""
        self.stream = ""
        """Path of the text that names the stream of a frame's bodies; empty if there is none."""
        self.is_content = False
        """Whether the tree is that of an embedded record whose bytes are bodies."""
        self.naming: set[str] = set()
        """Paths of an embedded record that name the stream of the bodies of its frame."""
        self.columns = FrameColumns()
        """Columns that conversations read."""
        self.awaited: set[str] = set()
        """Paths that end their reading, if no list is among them."""
        self.methods: dict[type[nodes.Node], Callable[[Any], str]] = {
            nodes.IntNode: self.integer, nodes.BitsNode: self.bits, nodes.BlobNode: self.blob,
            nodes.ListNode: self.many, nodes.RecordNode: self.record, nodes.WhenNode: self.when,
            nodes.TailNode: self.tail, nodes.EitherNode: self.either, nodes.FitsNode: self.fits,
            nodes.SwitchNode: self.switch, nodes.RegionNode: self.region,
            nodes.ClaimNode: self.claim, nodes.LiteralNode: self.literal,
            nodes.MessageNode: self.message, nodes.LineNode: self.line,
            nodes.HeadersNode: self.headers, nodes.JsonLineNode: self.json_line,
        }  # fmt: skip
        self.secrets = nodes.secrets(tree)
        self.paired = {
            node.id: {fact: True}
            for pair in nodes.pairs(tree)
            for node, fact in zip(pair, ("names_next", "of_name"), strict=True)
            if all(getattr(each, "encoding", None) for each in pair)
        }
        """Facts of the names and values of text pairs, by node id."""
        self.pieced: set[str] = set()
        """Paths of bytes that are fragments."""
        self.used: set[type[nodes.Node]] = {type(node) for node in tree.nodes}

    def step(self, node: nodes.Node) -> str:
        """Print one step."""
        return self.methods[type(node)](node)

    def members(self, members: Iterable[nodes.Node]) -> str:
        """Print steps as a table."""
        return table([self.step(node) for node in members])

    # Parts of steps

    def facts(self, node: nodes.Node, **own: object) -> dict[str, object]:
        """Return the facts of a step, besides its shape."""
        facts, path = node.facts, place(node)
        out: dict[str, object] = {}
        if path in self.renamed:
            out["abbreviation"] = LuaCode(self.renamed[path])
        if facts.names is not None and not isinstance(node, nodes.ListNode):
            out["names"] = self.names.of(node.name or node.path[-1], facts.names)
        if facts.ranges and not isinstance(node, nodes.ListNode):
            out["ranges"] = [[first, last, name] for (first, last), name in facts.ranges.items()]
        if facts.flags is not None and not isinstance(node, nodes.ListNode):
            out["flags"] = LuaCode("flags") if path == self.flags else dict(facts.flags)
        if facts.base != "dec":
            out["base"] = facts.base
        if facts.unit:
            out["unit"] = facts.unit
        if scale := scale_of(node):
            out["time"] = len(str(10**9 // scale)) - 1
        if node.id in self.secrets:
            out["secret"] = True
        out |= self.paired.get(node.id, {})
        out |= self.common(node, path)
        out |= self.wanted(node, path)
        out.update({name: each for name, each in own.items() if each is not None})
        return out

    def common(self, node: nodes.Node, path: str) -> dict[str, object]:
        """Return the facts of a step about fields that span commands; those of items of a list."""
        if isinstance(node, nodes.ListNode) or not node.path:
            return {}
        own = {"spans": self.spans.get(path), "holds": self.holds.get(path)}
        return {name: each for name, each in own.items() if each}

    def wanted(self, node: nodes.Node, path: str) -> dict[str, object]:
        """Return the facts of a step about the uses of its value."""
        out: dict[str, object] = {}
        if path in self.kept and node.path:
            out["keep"] = True
        elif path in self.columns.kept and node.path:
            out["keep"] = "followed"
        if path in self.awaited and node.name:
            out["awaited"] = True
        if path in self.columns.raw and node.name:
            out["raw"] = True
        if path in self.pieced and isinstance(node, nodes.BlobNode):
            out["pieced"] = True
        if path in self.info_paths and (node.name or node.id in self.items):
            mode = self.info_paths[path]
            if isinstance(node, nodes.ListNode) == (not mode) or not is_listed(self.tree, path):
                out["in_info"] = mode or True
        if path in self.shown and not isinstance(node, nodes.ListNode):
            out["in_info"] = "many"
        return out

    def call(self, word: str, *arguments: object) -> str:
        """Print a call of a word, without trailing nils and empty tables."""
        given = list(arguments)
        while given and (given[-1] is None or given[-1] == {}):
            given.pop()
        printed = [value(each) for each in given]
        flat = f"word.{word}({', '.join(printed)})"
        if len(flat) <= 100 or "\n" in printed[-1]:  # noqa: PLR2004 - columns
            return flat
        lines = "".join(f"\n{indented(each)}," for each in printed)
        return f"word.{word}({lines[:-1]}\n)"

    def measure(self, prefix: nodes.IntNode | None, length: nodes.Expr | None) -> LuaCode:
        """Print a length or count: an integer before it, an expression, or the rest."""
        if prefix is not None:
            return LuaCode(INTEGERS[prefix.size, prefix.signed].upper())
        if isinstance(length, nodes.Const):
            return LuaCode(str(length.value))
        return function(number(length)) if length is not None else LuaCode("REST")

    # Words

    def integer(self, node: nodes.IntNode) -> str:
        """Print an integer."""
        word = INTEGERS[node.size, node.signed]
        return self.call(word, node.name, node.doc if node.name else None, self.facts(node))

    def bits(self, node: nodes.BitsNode) -> str:
        """Print a group of bits."""
        parts = [
            self.call("part", each.name, each.width, each.doc, self.facts(each))
            if each.name
            else f"word.reserved({each.width})"
            for each in node.parts
        ]
        return f"word.bits({node.size}, {table(parts)})"

    def blob(self, node: nodes.BlobNode) -> str:
        """Print text, bytes or a UUID."""
        own = self.facts(
            node,
            body=self.is_body(node) or None,
            names_stream=place(node) in self.naming or None,
            encoding=node.encoding if node.encoding in ("ascii", "mutf-8") else None,
            null=node.null or None,
            refuses_null=node.refuses_null or None,
            limit=node.limit,
            slot=LuaCode(self.slot(node, node.slot)) if node.slot else None,
        )
        if node.encoding == "uuid":
            return self.call("uuid", node.name, node.doc, own)
        word = "text" if node.encoding else "bytes"
        return self.call(word, self.measure(node.prefix, node.length), node.name, node.doc, own)

    def is_body(self, node: nodes.BlobNode) -> bool:
        """Return whether bytes are those of an application."""
        return (node.facts.has_role("body") or self.is_content) and not node.encoding

    def slot(self, node: nodes.BlobNode, slot: Slot) -> str:
        """Print a slot, which contains the payload of another layer."""
        own: dict[str, object] = {"name": slot.name}
        if node.codec is not None:
            names: Mapping[int, str] = {0: "none"}
            if isinstance(node.codec, nodes.Ref) and node.codec.node.facts.names:
                names = node.codec.node.facts.names
            own |= {"codec": function(number(node.codec)), "codecs": dict(names), "cap": slot.cap}
        if node.unpacked is not None:
            own["size"] = function(number(node.unpacked))
        if node.holds is not None:
            own["holds"] = function(number(node.holds))
        if node.types:
            own["types"] = [
                {"path": place(each)}
                | (
                    {"names": self.names.of(each.name or "", each.facts.names)}
                    if each.facts.names
                    else {}
                )
                for each in node.types
            ]
        if slot.agreed:
            own["agreed"] = slot.agreed
        if slot.veiled:
            own["veiled"] = slot.veiled
        own["readers"] = self.readers(slot.name)
        return value(own)

    def many(self, node: nodes.ListNode) -> str:
        """Print a list."""
        own = self.facts(node, limit=node.limit)
        if node.prefix is not None or node.count is not None:
            own["claim" if node.claimed else "count"] = self.measure(node.prefix, node.count)
        sums = [each for each in self.sums if each.node.value == node.value]
        if sums:
            own["sums"] = [
                {"path": sum_path(each), "member": place(each.member), "absent": each.absent}
                for each in sums
            ]
        own |= self.number(place(node)) | self.of_items(node)
        if isinstance(node.item, nodes.RecordNode):
            item = f"word.each({self.members(node.item.members)})"
        else:
            item = self.step(node.item)
        return self.call("list", LuaCode(item), node.name, node.doc, own)

    def number(self, path: str) -> dict[str, object]:
        """Return the fact about the computed numbers of a list's items, if they have some."""
        for each in self.tree.schema.numbers:
            if each.items == path and each.start is not None:
                start = ".".join([*path.split(".")[:-1], each.start])
                own = {"name": each.name, "doc": each.doc, "start": start}
                return {"number": own | {"weight": f"{path}.{each.weight}"}}
        return {}

    def of_items(self, node: nodes.Node) -> dict[str, object]:
        """Return the facts about what tables read of the items of a list."""
        path = place(node)
        own: dict[str, object] = {}
        if path in self.columns.gathers:
            own["gathers"] = sorted(self.columns.gathers[path])
        if path in self.columns.records:
            own["records"] = sorted(self.columns.records[path])
        members = self.columns.records.get(path, set())
        forget = self.below(node)
        forget += [f"{path}.{name}" for name in sorted(members) if name.endswith("[]")]
        return own | ({"forget": forget} if forget else {})

    def below(self, node: nodes.Node) -> list[str]:
        """Return the kept paths of the nodes below one."""
        found: dict[str, None] = {}

        def look(inner: nodes.Node) -> None:
            for each in nodes.children(inner):
                if each.path != node.path and place(each) in self.kept | self.columns.kept:
                    found[place(each)] = None
                    if place(each) in self.columns.raw:
                        found[f"{place(each)} raw"] = None
                look(each)

        look(node)
        return list(found)

    def record(self, node: nodes.RecordNode) -> str:
        """Print a nested record."""
        members = LuaCode(self.members(node.members))
        return self.call("record", node.name, node.doc, members, self.facts(node))

    def when(self, node: nodes.WhenNode) -> str:
        """Print conditional members."""
        test = function(condition(node.condition)).text
        return f"word.when({test}, {self.members(node.members)})"

    def tail(self, node: nodes.TailNode) -> str:
        """Print a member that is present while bytes remain."""
        member, *claims = node.members
        more = "".join(f", {self.step(each)}" for each in claims)
        return f"word.tail({node.need}, {self.step(member)}{more})"

    def either(self, node: nodes.EitherNode) -> str:
        """Print two arms, chosen by the top bit of the next byte."""
        return f"word.either({self.members(node.clear)}, {self.members(node.set)})"

    def fits(self, node: nodes.FitsNode) -> str:
        """Print arms, the first of which fits."""
        arms = [f"{{ {quoted(name)}, {self.members(arm)} }}" for name, arm in node.arms]
        forget = self.below(node)
        own = {"forget": forget} if forget else {}
        return self.call("fits", LuaCode(table(arms)), own)

    def switch(self, node: nodes.SwitchNode) -> str:
        """Print arms, chosen by a value."""
        on = function(number(node.on)).text
        cases = [f"[{case}] = {self.members(arm)}" for case, arm in node.cases.items()]
        arms = f"{on}, {table(cases)}, {self.members(node.default)}"
        if node.closed and isinstance(node.on, nodes.Ref):
            arms = f"{arms}, {quoted(place(node.on.node))}"
        return f"word.switch({arms})"

    def region(self, node: nodes.RegionNode) -> str:
        """Print a region of members."""
        own: dict[str, object] = {}
        if node.checksum and node.expected is not None:
            own = {"sum_of": node.checksum, "expected": function(number(node.expected))}
            if node.summed is not None:
                own["summed"] = function(condition(node.summed))
        members = LuaCode(self.members(node.members))
        return self.call("region", self.measure(node.prefix, node.length), members, own)

    def claim(self, node: nodes.ClaimNode) -> str:
        """Print the comparison of a number with its expected value."""
        return f"word.claim({quoted(place(node.of))}, {function(number(node.expression)).text})"

    def literal(self, node: nodes.LiteralNode) -> str:
        """Print fixed bytes."""
        return self.call("literal", node.data, node.doc)

    def message(self, node: nodes.MessageNode) -> str:
        """Print protobuf fields by number."""
        fields = []
        for index, each in node.fields.items():
            own = self.facts(
                each, repeated=each.repeated or None, body=each.facts.has_role("body") or None
            )
            if each.slot:
                own["slot"] = {"name": each.slot.name, "readers": self.readers(each.slot.name)}
            if each.repeated:
                own |= self.of_items(each)
            if each.message:
                own["message"] = LuaCode(self.message(each.message))
            printed = self.call("proto", each.kind, each.name, each.doc, own)
            fields.append(f"[{index}] = {printed}")
        return self.call("message", LuaCode(table(fields)), self.stream_of(node) or None)

    def stream_of(self, node: nodes.MessageNode) -> dict[str, object]:
        """Return the number of the field that names the stream of the bodies beside it."""
        for index, each in node.fields.items():
            if each.path == (self.stream,) and each.kind == "string":
                return {"stream": index}
        return {}

    def line(self, node: nodes.LineNode) -> str:
        """Print a text line."""
        return (
            f"word.line({quoted(node.verb)}, {table([self.argument(a) for a in node.arguments])})"
        )

    def argument(self, node: nodes.ArgumentNode) -> str:
        """Print one argument of a line, or a part of a header block."""
        own = self.facts(node, optional=node.optional or None, mark=node.mark)
        if node.slot:
            own["slot"] = {"name": node.slot.name, "readers": self.readers(node.slot.name)}
        own |= self.of_items(node)
        return self.call("argument", node.kind, node.name, node.doc, own)

    def json_line(self, node: nodes.JsonLineNode) -> str:
        """Print a text line with a JSON object."""
        fields = table([self.argument(each) for each in node.fields.values()])
        pair = nodes.children(node.other.item)
        secret = {"secret": True} if node.other.facts.secret else {}
        pieces = [
            self.call("argument", each.kind, each.name, each.doc, {"optional": True, **secret})
            for each in pair
            if isinstance(each, nodes.ArgumentNode)
        ]
        return f"word.json_line({quoted(node.verb)}, {fields}, {table(pieces)})"

    def headers(self, node: nodes.HeadersNode) -> str:
        """Print a header block."""
        pair = node.headers.item
        if not isinstance(pair, nodes.RecordNode):
            raise SchemaError("headers are pairs")
        pieces = [node.status, node.description, *pair.members]
        printed = [self.argument(each) for each in pieces if isinstance(each, nodes.ArgumentNode)]
        return self.call("headers", node.version, node.doc, LuaCode(table(printed)))


def needed(tree: nodes.Tree) -> set[str]:
    """Return the paths of the nodes that expressions, claims and slots of a tree refer to."""
    found: set[str] = set()
    for expr in _expressions(tree):
        match expr:
            case nodes.Ref() | nodes.Len():
                found.add(place(expr.node))
            case nodes.Sum():
                found |= {place(expr.node), place(expr.member)}
            case _:
                pass
    for each in tree.schema.numbers:
        if each.start is not None:
            found.add(".".join([*each.items.split(".")[:-1], each.start]))
            found.add(f"{each.items}.{each.weight}")
    for node in tree.nodes:
        if isinstance(node, nodes.ClaimNode):
            found.add(place(node.of))
        if isinstance(node, nodes.BlobNode):
            found |= {place(each) for each in node.types}
    return found


_ATTRIBUTES: Final = (
    "length", "count", "condition", "on", "expression", "expected", "summed",
    "codec", "unpacked", "holds",
)  # fmt: skip


def _expressions(tree: nodes.Tree) -> list[nodes.Expr]:
    """Return all expressions of a tree, nested ones included."""
    found: list[nodes.Expr] = []

    def look(expr: nodes.Expr | None) -> None:
        if expr is None:
            return
        found.append(expr)
        match expr:
            case nodes.Operation():
                look(expr.left)
                look(expr.right)
            case nodes.In():
                look(expr.of)
            case _:
                pass

    for node in tree.nodes:
        for attribute in _ATTRIBUTES:
            look(getattr(node, attribute, None))
    return found
