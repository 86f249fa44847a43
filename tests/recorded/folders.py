"""The folders of recorded captures, as parameters of tests."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

CAPTURES = Path(__file__).parents[2] / "captures"


def parameters(pattern: str = "*/*") -> "list[ParameterSet]":
    """A parameter for each capture; what is asked of one capture runs in one process.

    So a fixture that reads it is made once, however many processes there are.
    """
    folders = sorted(path.parent for path in CAPTURES.glob(f"{pattern}/provenance.toml"))
    return [
        pytest.param(each, id=each.name, marks=pytest.mark.xdist_group("/".join(each.parts[-2:])))
        for each in folders
    ]
