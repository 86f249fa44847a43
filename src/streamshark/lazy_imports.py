"""Modules whose import is deferred until one of their names is used.

Libraries import at module level what they may need once: a debugger, OpenSSL, Python's own
compiler. That is half of the time of importing them, and every short command would pay for it at
startup.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """A placeholder for a module, imported on first use of one of its names."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any member of a module
        if sys.modules.get(self.__name__) is self:  # used while the context is still open
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@contextmanager
def postponed(*names: str) -> Iterator[None]:
    """Defer the import of top-level modules, for code that is imported within the context.

    Modules that are already imported are left alone.
    """
    placeholders = {name: LazyModule(name) for name in names if name not in sys.modules}
    sys.modules.update(placeholders)
    try:
        yield
    finally:
        for name, module in placeholders.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
