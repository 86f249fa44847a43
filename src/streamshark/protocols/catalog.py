"""Finds protocols, carriers and formats: sibling folders, installed ones, and those below a path.

A protocol is a package with a `PROTOCOL`, a carrier one with a `CARRIER`, a format one with a
`FORMAT`. There is no list to edit
and no registration call: siblings are taken in sorted order, third parties come in by the entry
point group `streamshark.protocols` or by `--protocol-path DIR`.
"""

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING

import streamshark.protocols
from streamshark.decoding.payloads import Format, PayloadReaders
from streamshark.errors import StreamsharkError
from streamshark.framing.carrier import Carrier
from streamshark.protocols.protocol import Protocol

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "streamshark.protocols"
"""Entry point group of protocols, carriers and formats that live elsewhere."""


def catalog(paths: Iterable[str] = ()) -> tuple[Protocol, ...]:
    """All protocols, by id; StreamsharkError when two have one id."""
    found: dict[str, Protocol] = {}
    for name, module in _modules(paths):
        protocol = getattr(module, "PROTOCOL", None)
        if not isinstance(protocol, Protocol):
            continue
        if protocol.wire.id in found:
            raise StreamsharkError(f"protocol id {protocol.wire.id} is used twice ({name})")
        found[protocol.wire.id] = protocol
    return tuple(found[key] for key in sorted(found))


def is_built_in(protocol: Protocol) -> bool:
    """Return whether a protocol is one of this package, without changes by the user."""
    return any(getattr(module, "PROTOCOL", None) is protocol for _, module in _siblings())


def formats(paths: Iterable[str] = ()) -> tuple[Format, ...]:
    """All formats, by id; StreamsharkError when two have one id."""
    found: dict[str, Format] = {}
    for name, module in _modules(paths):
        given = getattr(module, "FORMAT", None)
        if not isinstance(given, Format):
            continue
        if given.id in found:
            raise StreamsharkError(f"format id {given.id} is used twice ({name})")
        found[given.id] = given
    return tuple(found[key] for key in sorted(found))


def carriers(paths: Iterable[str] = ()) -> tuple[Carrier, ...]:
    """All carriers, by id; StreamsharkError when two have one id."""
    found: dict[str, Carrier] = {}
    for name, module in _modules(paths):
        given = getattr(module, "CARRIER", None)
        if not isinstance(given, Carrier):
            continue
        if given.id in found:
            raise StreamsharkError(f"carrier id {given.id} is used twice ({name})")
        found[given.id] = given
    return tuple(found[key] for key in sorted(found))


def layers(protocols: Iterable[Protocol], known: Iterable[Format]) -> PayloadReaders:
    """Return the readers of slots: the embedded records of protocols, and formats."""
    embedded_records = (embedded for each in protocols for embedded in each.embedded_records)
    return PayloadReaders(chain(embedded_records, known))


def find(name: str, protocols: Iterable[Protocol]) -> Protocol:
    """Return the protocol with this id (hyphens allowed) or short name."""
    protocol = named(name, protocols, ())
    if not isinstance(protocol, Protocol):
        raise TypeError(protocol)
    return protocol


def named(
    name: str, protocols: Iterable[Protocol], carriers: Iterable[Carrier]
) -> Protocol | Carrier:
    """Return the protocol (by id or short name) or carrier (by id) with this name."""
    known: dict[str, Protocol | Carrier] = {each.wire.id: each for each in protocols}
    known |= {each.id: each for each in carriers}
    for id_, each in known.items():
        short = each.wire.short if isinstance(each, Protocol) else id_
        if name.replace("-", "_") in (id_, short):
            return each
    raise StreamsharkError(f"unknown protocol {name!r} (known: {', '.join(known) or 'none'})")


def _modules(paths: Iterable[str]) -> Iterator[tuple[str, ModuleType]]:
    """Name and package of all that may be a protocol or a format."""
    yield from _siblings()
    yield from _installed(tuple(sys.path))
    yield from _below(paths)


@cache
def _siblings() -> list[tuple[str, ModuleType]]:
    path = streamshark.protocols.__path__
    names = sorted(each.name for each in pkgutil.iter_modules(path) if each.ispkg)
    return [(name, importlib.import_module(f"streamshark.protocols.{name}")) for name in names]


@cache
def _installed(path: tuple[str, ...]) -> list[tuple[str, ModuleType]]:
    if not any(_offers(folder) for folder in path):
        return []
    import importlib.metadata  # noqa: PLC0415 - costs a tenth of a start, and is rarely needed

    entries = importlib.metadata.entry_points(group=GROUP)
    return [(entry.name, entry.load()) for entry in sorted(entries, key=lambda each: each.name)]


def _offers(folder: str) -> bool:
    """Whether a package installed in a folder of the path mentions the entry point group."""
    try:
        with os.scandir(folder or ".") as found:
            packages = [each.path for each in found if each.name.endswith("-info")]
    except OSError:
        return False
    return any(_mentions(f"{each}/entry_points.txt") for each in packages)


def _mentions(path: str) -> bool:
    """Whether a file of entry points, if there is one, mentions the group."""
    try:
        with open(path, "rb") as entries:  # noqa: PTH123 - pathlib is slow to import
            return GROUP.encode() in entries.read()
    except OSError:
        return False


def _below(paths: Iterable[str]) -> list[tuple[str, ModuleType]]:
    return [(package.name, _loaded(package)) for path in paths for package in _packages(path)]


def _packages(folder: str) -> list["Path"]:
    """Return the packages of a folder, or the folder itself if it is one."""
    from pathlib import Path  # noqa: PLC0415 - most have no folder of their own

    path = Path(folder)
    if not path.is_dir():
        raise StreamsharkError(f"{path}: no such folder")
    packages = sorted(each.parent for each in path.glob("*/__init__.py"))
    return [path, *packages] if (path / "__init__.py").exists() else packages


def _loaded(package: "Path") -> ModuleType:
    """Import a package from its folder, under its own name."""
    if package.name in sys.modules:
        return sys.modules[package.name]
    spec = importlib.util.spec_from_file_location(
        package.name, package / "__init__.py", submodule_search_locations=[str(package)]
    )
    if spec is None or spec.loader is None:
        raise StreamsharkError(f"{package}: cannot import this package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[package.name]
        raise StreamsharkError(f"{package}: {error}") from error
    return module
