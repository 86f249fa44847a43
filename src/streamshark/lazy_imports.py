"""Modules that are imported when something of them is asked for, although others import them now.

A library imports at its head what it may need once: a debugger, OpenSSL, Python's own compiler.
That is half of what importing it costs, and a short command line pays it at each start.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """Stands for a module in those that import it meanwhile."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever stands in a module
        if sys.modules.get(self.__name__) is self:  # asked while others are still imported
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@contextmanager
def postponed(*names: str) -> Iterator[None]:
    """Postpone modules without dots that are not imported yet, for what is imported meanwhile."""
    stands_in = {name: LazyModule(name) for name in names if name not in sys.modules}
    sys.modules.update(stands_in)
    try:
        yield
    finally:
        for name, module in stands_in.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
