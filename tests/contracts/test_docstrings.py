"""Examples in docstrings are true."""

import doctest
import importlib

from tests.contracts.repository import texts

MODULES = [
    ".".join(path.relative_to("src").with_suffix("").parts)
    for path, text in texts().items()
    if path.is_relative_to("src") and path.suffix == ".py" and ">>> " in text
]


def test_examples_in_docstrings() -> None:
    """Each example gives what its docstring says."""
    for module in MODULES:
        failed, tried = doctest.testmod(importlib.import_module(module.removesuffix(".__init__")))

        assert tried, module
        assert not failed, module
