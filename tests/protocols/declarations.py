"""What the modules of a protocol's folder declare."""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

from streamshark.conversations.tables import Behaviour, Constant, Table, Watch
from streamshark.decoding.payloads import EmbeddedRecord


def declared_records(package: ModuleType) -> list[str]:
    """The ids of all records that stand in slots, each once, in the order of their names."""
    names = [each.name for each in pkgutil.iter_modules(package.__path__)]
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    found = {
        each.id
        for module in modules
        for value in vars(module).values()
        for each in (value if isinstance(value, tuple) else (value,))
        if isinstance(each, EmbeddedRecord)
    }
    return sorted(found)


def thresholds(tables: Iterable[Table]) -> tuple[set[str], set[str]]:
    """The names of the constants that have a description, and those that behaviours use."""
    described, used = set(), set()
    for each in tables:
        if isinstance(each, Constant) and each.doc:
            described.add(each.name)
        elif isinstance(each, Behaviour):
            values = (getattr(each, name, None) for name in ("limit", "pause", "least"))
            used |= {value for value in values if isinstance(value, str) and value.isupper()}
    return described, used


def limits(tables: Iterable[Table], rules: Iterable[Watch]) -> tuple[set[str], set[str]]:
    """The names of the constants that have a description, and of those that nothing here uses."""
    every = [*tables, *rules]
    described = {each.name for each in every if isinstance(each, Constant) and each.doc}
    used = repr([each for each in every if not isinstance(each, Constant)])
    return described, {each for each in described if each not in used}
