"""Finds the protocols: sibling folders, installed ones, and those below a path the user names.

A protocol is a package with a `PROTOCOL`. There is no list to edit and no registration call:
siblings are taken in sorted order, third parties come in by the entry point group
`streamshark.protocols` or by `--protocol-path DIR`.
"""

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import streamshark.protocols
from streamshark.errors import StreamsharkError
from streamshark.protocols.protocol import Protocol

GROUP = "streamshark.protocols"
"""Entry point group of protocols that live elsewhere."""


def catalog(paths: Iterable[str] = ()) -> tuple[Protocol, ...]:
    """All protocols, by id; StreamsharkError when two have one id or a folder has no `PROTOCOL`."""
    found: dict[str, Protocol] = {}
    for name, module in [*_siblings(), *_installed(), *_below(paths)]:
        protocol = getattr(module, "PROTOCOL", None)
        if not isinstance(protocol, Protocol):
            continue
        if protocol.wire.id in found:
            raise StreamsharkError(f"two protocols are called {protocol.wire.id} ({name})")
        found[protocol.wire.id] = protocol
    return tuple(found[key] for key in sorted(found))


def find(name: str, protocols: Iterable[Protocol]) -> Protocol:
    """The protocol with this id (hyphens allowed) or short name; StreamsharkError lists the known."""
    protocols = tuple(protocols)
    for protocol in protocols:
        if name.replace("-", "_") in (protocol.wire.id, protocol.wire.short):
            return protocol
    known = ", ".join(protocol.wire.id for protocol in protocols)
    raise StreamsharkError(f"unknown protocol {name!r} (known: {known})")


def _siblings() -> list[tuple[str, ModuleType]]:
    path = streamshark.protocols.__path__
    names = sorted(each.name for each in pkgutil.iter_modules(path) if each.ispkg)
    return [(name, importlib.import_module(f"streamshark.protocols.{name}")) for name in names]


def _installed() -> list[tuple[str, ModuleType]]:
    if not any(_offers(Path(folder)) for folder in sys.path):
        return []
    import importlib.metadata  # noqa: PLC0415 - costs a tenth of a start, and is rarely needed

    entries = importlib.metadata.entry_points(group=GROUP)
    return [(entry.name, entry.load()) for entry in sorted(entries, key=lambda each: each.name)]


def _offers(folder: Path) -> bool:
    """Whether a package installed in a folder of the path mentions the entry point group."""
    return any(
        GROUP in entries.read_text(errors="replace")
        for entries in folder.glob("*-info/entry_points.txt")
    )


def _below(paths: Iterable[str]) -> list[tuple[str, ModuleType]]:
    out = []
    for path in map(Path, paths):
        if not path.is_dir():
            raise StreamsharkError(f"{path}: no such folder of protocols")
        packages = sorted(each.parent for each in path.glob("*/__init__.py"))
        if (path / "__init__.py").exists():
            packages.insert(0, path)
        out += [(package.name, _loaded(package)) for package in packages]
    return out


def _loaded(package: Path) -> ModuleType:
    """Import a package from its folder, under its own name."""
    if package.name in sys.modules:
        return sys.modules[package.name]
    spec = importlib.util.spec_from_file_location(
        package.name, package / "__init__.py", submodule_search_locations=[str(package)]
    )
    if spec is None or spec.loader is None:
        raise StreamsharkError(f"{package}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[package.name]
        raise StreamsharkError(f"{package}: {error}") from error
    return module
