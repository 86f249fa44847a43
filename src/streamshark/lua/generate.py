"""Writes the plugins in the repository: one file per protocol, and per format with a dissector.

    python -m streamshark.lua.generate [--check] [FOLDER]

With `--check` nothing is written: files that are stale, missing or left over are listed, and the
exit code is 1. FOLDER is `dissectors` by default.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from streamshark.decoding.payloads import Format
from streamshark.errors import StreamsharkError
from streamshark.framing.wire_format import WireFormat
from streamshark.lua.conversations import LuaTables
from streamshark.lua.plugin import EmbeddedProtocol, Plugin, beside, has_plugin, opening
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.schema import FrameKind, Head
from streamshark.views.generated_files import GeneratedFiles

MODULE: Final = "streamshark.lua.generate"
OWN: Final = "dissector.lua"
"""File in a format's folder with its dissector, written by hand: formats have no schema."""


def plugins(
    protocols: Iterable[Protocol], known: Iterable[Format], names: Iterable[str] = ()
) -> dict[str, str]:
    """Return the text of each plugin by file name, for all protocols and formats or those named.

    A format without a dissector has no file, nor has a protocol that only occurs in a carrier's
    messages.

    Raises:
        StreamsharkError: A name is not that of a protocol or format.
    """
    known, wanted = tuple(known), [name.replace("-", "_") for name in names]
    with_own = {each.id: own for each in known if (own := beside(each.decode, OWN)) is not None}
    readers = [each for each in known if each.id in with_own]
    every = tuple(protocols)
    made: dict[str, str] = {}
    found: set[str] = set()
    for protocol in every:
        if not has_plugin(protocol):
            continue
        aliases = {protocol.wire.id, protocol.wire.short}
        if not wanted or aliases & set(wanted):
            found |= aliases
            outer = list(outer_protocols(protocol, every))
            ports = [port for each in outer for port in each.ports]
            made[f"{protocol.wire.id}.lua"] = Plugin(
                protocol, readers, embedded_protocols(protocol, every), ports, statuses(outer)
            ).text()
    for name, own in with_own.items():
        if not wanted or name in wanted:
            found.add(name)
            made[f"{name}.lua"] = own.read_text(encoding="utf-8")
    for name in wanted:
        if name not in found:
            listed = ", ".join([*(each.wire.id for each in every), *with_own])
            raise StreamsharkError(f"unknown protocol or format {name!r} (known: {listed})")
    return made


def embedded_protocols(protocol: Protocol, others: Iterable[Protocol]) -> list[EmbeddedProtocol]:
    """Return the protocols with frames in slots of a protocol, which begin with fixed bytes."""
    slots = protocol.wire.table().slots
    found = []
    for other in others:
        magic, wire = opening(other.wire), other.wire
        if magic is not None and wire.carried_in & slots:
            columns = LuaTables(other, ValueNames()).of_carrier() | wire.around.get("", frozenset())
            around = {name: own for name, own in wire.around.items() if name}
            found += [
                EmbeddedProtocol(each, wire.short, magic, columns, around)
                for each in sorted(wire.carried_in & slots)
            ]
    return found


def outer_protocols(protocol: Protocol, others: Iterable[Protocol]) -> Iterator[WireFormat]:
    """Return the protocols whose slots contain records of a protocol, as messages of calls."""
    slots = frozenset[str]().union(*(each.slots for each in protocol.embedded_records))
    outer = (each.wire for each in others if each is not protocol)
    return (each for each in outer if each.table().slots & slots)


def statuses(outer: Iterable[WireFormat]) -> dict[int, str]:
    """Return the names of the status codes in responses to calls, by number."""
    return {
        number: name
        for each in (decoder for wire in outer for decoder in wire.table().all)
        if each.tree.schema.kind is FrameKind.RESPONSE
        for node in each.tree.named()
        if not (isinstance(each.tree.head, Head) and node.name in each.tree.head.hidden)
        for number, name in (node.facts.names or {}).items()
    }


def main(arguments: list[str]) -> int:
    """Write the plugins, or with `--check` compare them; return the exit code."""
    texts = plugins(catalog(), formats())
    return GeneratedFiles(texts, ("*.lua",)).main(arguments, Path("dissectors"), MODULE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
