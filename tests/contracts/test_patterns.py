"""Regular expressions that meet traffic take linear time, whatever the traffic is."""

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

from tests.timing import NOISE, is_within

import streamshark

READERS = ("capture", "flows", "decoding", "framing", "dissection", "protocols")
"""Packages whose patterns meet bytes of others."""
SMALL, TIMES = 2_000, 4
ATOMS = (" ", "\t", "a", "0", "/", "=", "\r\n", "\\", '"', "\xff", "\0", "a ", "a/", ";", "a.")
"""What is repeated."""
STARTS = ("", "a:", 'a="', "GET ", "MSG ", "PROXY TCP4 ", '"', "a/a")
ENDS = ("", "\0")
ALL = {"search", "fullmatch", "finditer"}
"""How a pattern may be used that is handed to another module."""


def patterns() -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
    """Every compiled pattern of these packages: its name, and the methods that are called."""
    for reader in READERS:
        package = importlib.import_module(f"{streamshark.__name__}.{reader}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    called = re.findall(rf"\b{name}\.(\w+)\(", inspect.getsource(module))
                    yield f"{found.name}.{name}", value, set(called) or ALL


def test_patterns_take_linear_time() -> None:
    """Of inputs that repeat something, four times as long takes about four times as long."""
    known = list(patterns())
    slow = [
        f"{name}: {text(8)!r}"
        for name, pattern, called in known
        for text in inputs(pattern)
        for method in called
        if not is_linear(partial(used, pattern, method), text)
    ]

    assert len(known) > 10
    assert slow == []


def used(pattern: re.Pattern[Any], method: str, text: Any) -> None:  # noqa: ANN401 - text or bytes
    """Use a pattern as a module does."""
    if method == "sub":
        pattern.sub("", text) if isinstance(pattern.pattern, str) else pattern.sub(b"", text)
    elif method == "finditer":
        list(pattern.finditer(text))
    else:
        getattr(pattern, method)(text)


def is_linear(use: Callable[[Any], object], text: Callable[[int], Any]) -> bool:
    """Whether a use takes time as its text is long; most take too little to be compared."""
    small, large = text(SMALL), text(SMALL * TIMES)
    start = time.process_time()
    use(large)
    if time.process_time() - start < NOISE:
        return True
    return is_within(2 * TIMES, lambda: use(large), lambda: use(small))


def inputs(pattern: re.Pattern[Any]) -> Iterator[Callable[[int], Any]]:
    """Texts that grow, as the pattern takes them."""
    for start, atom, end in product(STARTS, ATOMS, ENDS):

        def text(size: int, parts: tuple[str, str, str] = (start, atom, end)) -> Any:  # noqa: ANN401 - text or bytes
            made = parts[0] + parts[1] * (size // len(parts[1])) + parts[2]
            return made.encode("latin-1") if isinstance(pattern.pattern, bytes) else made

        yield text
