"""A protocol's page of the manual: what it is, its commands, every frame down to the byte, names.

Everything is read from the `Protocol` and from the trees of its frames, so that a new protocol has
its page without further work.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from streamshark.decoding.numbering import named
from streamshark.fields.protocol_fields import COMPUTED, ProtocolFields, fields_of
from streamshark.fields.types import type_words
from streamshark.protocols.protocol import Protocol
from streamshark.schema import FrameKind, Head, LineHead, ProblemCode, Sender, nodes
from streamshark.schema.nodes import Tree
from streamshark.views.field_conditions import joined, presences
from streamshark.views.frame_drawing import layout
from streamshark.views.possible_problems import codes
from streamshark.views.schema_text import notes, table

SENDERS = {
    Sender.CLIENT: "client",
    Sender.SERVER: "server",
    Sender.BOTH: "client and server",
    Sender.PEER: "server to server",
}
KINDS = {
    FrameKind.REQUEST: "Answered by a response.",
    FrameKind.RESPONSE: "Answers a request.",
    FrameKind.COMMAND: "Has no response of its own.",
}
OF_HEADS = (
    ProblemCode.UNKNOWN_KEY,
    ProblemCode.UNKNOWN_VERSION,
    ProblemCode.LENGTH,
    ProblemCode.FOREIGN,
)
"""Problems that are found before the schema of a frame is chosen."""
Names = Mapping[int, str]


def page(protocol: Protocol) -> str:
    """Return the page as Markdown."""
    lines = [f"# {protocol.title}", ""]
    lines += ["Generated from the schemas by `python -m streamshark.views.manual.write`.", ""]
    lines += [*_card(protocol), *_facts(protocol)]
    trees = trees_of(protocol)
    coded = _coded(trees)
    lines += ["## Commands", "", *_commands(protocol, trees), ""]
    lines += ["## Frames", "", *_introduction(protocol)]
    for group in _grouped(trees, lambda tree: tree.schema.name).values():
        lines += _command(group, inspect.cleandoc(protocol.card), coded)
    lines += [*_embedded_records(protocol), *_agreements(protocol), *_values(coded)]
    lines += _names(protocol, trees)
    return "\n".join(lines).rstrip() + "\n"


def trees_of(protocol: Protocol) -> list[Tree]:
    """Return the trees of all frames: those without a dialect, then those of each dialect."""
    wire = protocol.wire
    return [
        decoder.tree
        for dialect in wire.dialects
        for decoder in wire.table(dialect).all
        if decoder.tree.schema.dialect == dialect
    ]


def heading(tree: Tree) -> str:
    """Return the title of a frame's section: name, key, version, dialect."""
    schema = tree.schema
    parts = [f"{tree.prefix.partition('.')[2]} ({key_of(schema.key)})"]
    parts += [f"version {schema.version}"] if schema.version is not None else []
    parts += [f"dialect {schema.dialect}"] if schema.dialect else []
    return ", ".join(parts)


def anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def link(title: str, text: str | None = None) -> str:
    """Return a link to a heading of the same page."""
    return f"[{text or title}](#{anchor(title)})"


def key_of(key: int | str) -> str:
    """Return a key as text, numbers in hex."""
    return f"{key:#04x}" if isinstance(key, int) and key >= 0 else str(key)


# What it is


def _card(protocol: Protocol) -> list[str]:
    return [*protocol.card.strip().splitlines(), ""]


def _facts(protocol: Protocol) -> list[str]:
    """Return ids, ports, dialects and limits."""
    wire = protocol.wire
    ports = ", ".join(map(str, wire.ports)) or "none of its own"
    facts = [f"id: `{wire.id}`; names start with `{wire.short}.`", f"ports: {ports}"]
    facts += [f"dialect: `-o {wire.id}.dialect:{dialect}`" for dialect in wire.dialects if dialect]
    limits = dict.fromkeys(map(_limits, wire.heads.values()))
    return [*(f"- {each}" for each in (*facts, *limits)), ""]


def _limits(head: Head | LineHead) -> str:
    """Return the size limits of a frame, with their source."""
    source = f" ({head.source.rstrip('.')})" if head.source else ""
    if isinstance(head, LineHead):
        return f"lines of at most {head.most_line} bytes, frames of at most {head.most}{source}"
    return f"frames of {head.least} to {head.most} bytes{source}"


def _commands(protocol: Protocol, trees: list[Tree]) -> list[str]:
    """Return a table with one row per command and kind, in the order of the keys."""
    rows = []
    for group in _grouped(trees, lambda tree: tree.prefix).values():
        schema = group[0].schema
        versions = [
            link(heading(each), _version(each)) for each in sorted(group, key=_version_order)
        ]
        name = link(heading(group[0]), group[0].prefix.removeprefix(f"{protocol.wire.short}."))
        sender = SENDERS[schema.sender]
        row = [name, key_of(schema.key), ", ".join(versions), schema.kind.value, sender]
        rows.append([*row, schema.since, schema.doc])
    heads = ["Command", "Key", "Versions", "Kind", "Sender", "Since", ""]
    return table(heads, rows)


def _grouped(trees: Iterable[Tree], by: Callable[[Tree], str]) -> dict[str, list[Tree]]:
    """Group trees by command, in the order of the keys."""
    groups: dict[str, list[Tree]] = {}
    for tree in sorted(trees, key=lambda tree: _order(tree.schema.key)):
        groups.setdefault(by(tree), []).append(tree)
    return groups


def _order(key: int | str) -> tuple[int, str]:
    return (key, "") if isinstance(key, int) else (0, key)


def _version_order(tree: Tree) -> tuple[str, int]:
    return tree.schema.dialect, tree.schema.version or 0


def _version(tree: Tree) -> str:
    """Return version and dialect in a word or two."""
    schema = tree.schema
    plain = "all" if schema.version is None else str(schema.version)
    return f"{plain} ({schema.dialect})" if schema.dialect else plain


# Frames


def _introduction(protocol: Protocol) -> list[str]:
    binary = any(isinstance(head, Head) for head in protocol.wire.heads.values())
    order = "Numbers are big-endian. " if binary else ""
    drawings = (
        f"{order}In the drawings, offsets count from the first byte of the frame, `+n` from the "
        "first byte of a list's item; there is none after members of variable size. A "
        "size of `...` depends on the values. Names in parentheses are not fields: lengths, "
        "counts, reserved bits."
    )
    general = ", ".join(f"`{code.word}`" for code in OF_HEADS)
    problems = (
        f"Bytes that no frame can be made of have one of the problems {general}; see "
        "[the vocabulary](../vocabulary.md#problems) for what each one means."
    )
    return [drawings, "", problems, ""]


def _command(trees: list[Tree], card: str, coded: Mapping[str, list[nodes.Node]]) -> list[str]:
    """Return the section of one command: its module's text, then each of its frames."""
    schema = trees[0].schema
    module_text = next((each for each in map(_module, trees) if each and each != card), "")
    lines = [f"### {schema.name}", ""]
    lines += [*module_text.splitlines(), ""] if module_text else []
    return [*lines, *(line for tree in trees for line in _frame(tree, coded))]


def _module(tree: Tree) -> str:
    """Return the docstring of the module that declares a frame, the innermost if several do."""
    names = sorted(sys.modules, key=lambda name: (-name.count("."), name))
    for name in names:
        for given in list(vars(sys.modules[name]).values()):
            if isinstance(given, (tuple, list)) and any(each is tree.schema for each in given):
                return inspect.cleandoc(sys.modules[name].__doc__ or "")
    return ""


def _frame(tree: Tree, coded: Mapping[str, list[nodes.Node]]) -> list[str]:
    """Return the section of one frame."""
    schema = tree.schema
    facts = [f"Sent by: {SENDERS[schema.sender]}.", KINDS[schema.kind]]
    facts += [f"Since {schema.since}."] if schema.since else []
    facts += ["Changes how later frames are read, or what was agreed."] if schema.negotiates else []
    lines = [f"#### {heading(tree)}", "", schema.doc, "", " ".join(facts)]
    lines += [f"Source: {schema.spec}."] if schema.spec else []
    lines += ["", "```text", *layout(tree, _selected(tree)), "```", ""]
    fields = list(_fields(tree, coded))
    if fields:
        lines += [*table(["Field", "Type", "Unit", "Meaning"], fields), ""]
    problems = ", ".join(f"`{code.word}`" for code in codes(tree))
    return [*lines, f"Problems: {problems}.", ""]


def _selected(tree: Tree) -> dict[str, str]:
    """Return the values of the head's members that select this frame."""
    head, schema = tree.head, tree.schema
    if not isinstance(head, Head):
        return {}
    out = {head.key: key_of(schema.key)}
    if head.version is not None and schema.version is not None:
        out[head.version] = str(schema.version)
    if head.response is not None:
        out[head.response] = " or ".join(str(int(bit)) for bit in schema.response_bits)
    return out


def _fields(tree: Tree, coded: Mapping[str, list[nodes.Node]]) -> Iterator[list[str]]:
    """Yield one row per name: nodes that share a name are one field."""
    present = presences(tree)
    groups: dict[tuple[str, ...], list[nodes.Node]] = {}
    for node in tree.named():
        groups.setdefault(node.path, []).append(node)
    for group in groups.values():
        node = group[0]
        types = " or ".join(dict.fromkeys(type_words(each) for each in group))
        sentences = [*dict.fromkeys(each.doc for each in group)]
        sentences += dict.fromkeys(note for each in group for note in notes(each, tree))
        when = joined([present.get(each.id, "") for each in group])
        sentences += [f"Only {when}."] if when else []
        sentences += [f"See {link(title)}." for title in _titles(node, coded)]
        unit = node.facts.unit or ("flag" if node.facts.boolean else "")
        yield [f"`{tree.name(node)}`", types, unit, " ".join(sentences)]
    for name, each in named(tree).items():
        yield [f"`{name}`", "number", "", f"{each.doc} {COMPUTED}"]


# Tables at the end


def _embedded_records(protocol: Protocol) -> list[str]:
    """Return the section about records embedded in fields."""
    if not protocol.embedded_records:
        return []
    lines = [
        "## Inside fields",
        "",
        "Records in slots, by the announced type.",
        "",
    ]
    for record in protocol.embedded_records:
        place = f"In {', '.join(f'`{each}`' for each in sorted(record.slots))}"
        if record.types:
            place += f"; type {', '.join(f'`{each}`' for each in sorted(record.types))}"
        rows = []
        for name, node in record.names.items():
            meaning = " ".join([node.doc, *notes(node, record.decoder.tree)])
            rows.append([f"`{name}`", type_words(node), node.facts.unit or "", meaning])
        head = table(["Name", "Type", "Unit", "Meaning"], rows)
        lines += [f"### `{record.id}`", "", f"{place}.", "", *head, ""]
    return lines


def _agreements(protocol: Protocol) -> list[str]:
    """Return the section about negotiated values."""
    given = protocol.wire.agreements
    if not given:
        return []
    short = protocol.wire.short
    rows = []
    for each in given:
        ends = ["_response" if bit else "" for bit in each.responses]
        places = [f"`{short}.{each.command}{end}.{each.path}`" for end in ends]
        rows.append([f"`{each.name}`", ", ".join(places), each.sentence])
    introduction = "Values that a connection negotiates and remembers; the latest value applies."
    return ["## Agreements", "", introduction, "", *table(["Name", "Said by", "Meaning"], rows), ""]


def _coded(trees: Iterable[Tree]) -> dict[str, list[nodes.Node]]:
    """Return the nodes that share each table of values, by its title."""
    groups: dict[tuple[tuple[object, str], ...], list[nodes.Node]] = {}
    for tree in trees:
        for node in tree.nodes:
            facts = node.facts
            coded = tuple(sorted((facts.names or {}).items()))
            ranged = tuple(sorted((facts.ranges or {}).items()))
            for given in (coded + ranged, tuple(sorted((facts.flags or {}).items()))):
                if given and node.name:
                    groups.setdefault(given, []).append(node)
    out: dict[str, list[nodes.Node]] = {}
    for group in groups.values():
        title = f"Values of {' and '.join(dict.fromkeys(str(each.name) for each in group))}"
        while title in out:
            title += " (others)"
        out[title] = group
    return out


def _titles(node: nodes.Node, coded: Mapping[str, list[nodes.Node]]) -> list[str]:
    """Return the titles of the tables of a node's values."""
    return [title for title, group in coded.items() if node in group]


def _values(coded: Mapping[str, list[nodes.Node]]) -> list[str]:
    """Return the tables of enumerated values and of flags."""
    lines = ["## Values", ""] if coded else []
    for title, group in coded.items():
        facts = group[0].facts
        lines += [f"### {title}", ""]
        if facts.is_coded:
            rows = [
                [str(value), f"`{name}`"] for value, name in sorted((facts.names or {}).items())
            ]
            for (first, last), name in sorted((facts.ranges or {}).items()):
                rows.append([f"{first} to {last}, others", f"`{name}`"])
            lines += [*table(["Value", "Name"], rows), ""]
        if facts.flags:
            rows = [[f"{mask:#x}", f"`{name}`"] for mask, name in sorted(facts.flags.items())]
            lines += [*table(["Mask", "Name"], rows), ""]
    return lines


def _names(protocol: Protocol, trees: Iterable[Tree]) -> list[str]:
    """Return the table of full names: the same in filters, `-e`, Arrow and Lua."""
    fields = ProtocolFields(protocol)
    versions: dict[str, dict[str, None]] = {}
    for tree in trees:
        for each in fields_of(protocol.wire, tree):
            versions.setdefault(each.name, {})[_version(tree)] = None
    spanning = [*fields.headers.values(), *(each for each, *_ in fields.common.values())]
    rows = [[f"`{each.name}`", each.type.words, "", each.doc] for each in spanning]
    for name in sorted(versions):
        found = fields.find(name)
        types = "" if found is None else found.type.words
        rows.append([f"`{name}`", types, ", ".join(versions[name]), ""])
    intro = (
        "One name per field, over all versions: in filters, `-e`, tables, Wireshark and here. "
        "The first ones span commands."
    )
    return [
        "## Names",
        "",
        intro,
        "",
        *table(["Name", "Type", "Versions", ""], rows),
        "",
    ]
