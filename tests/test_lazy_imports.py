"""Modules that are imported at the first use of one of their names."""

import importlib
import sys

import pytest

from streamshark.lazy_imports import postponed


@pytest.fixture
def _unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a module that is not imported yet."""
    monkeypatch.delitem(sys.modules, "this", raising=False)


@pytest.mark.usefixtures("_unloaded")
def test_a_module_is_imported_when_something_of_it_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The module prints `this` when it is imported, which is at the first use."""
    with postponed("this"):
        stand_in = importlib.import_module("this")

    assert "this" not in sys.modules
    assert not capsys.readouterr().out
    assert stand_in.d["A"] == "N"
    assert "Beautiful" in capsys.readouterr().out
    assert sys.modules["this"] is not stand_in


@pytest.mark.usefixtures("_unloaded")
def test_it_may_be_asked_for_at_once() -> None:
    """Modules that are imported meanwhile may use it."""
    with postponed("this"):
        assert importlib.import_module("this").d["A"] == "N"
        real = sys.modules["this"]

    assert sys.modules["this"] is real


def test_what_is_imported_already_stays() -> None:
    """A module that is already imported is returned as it is."""
    with postponed("sys"):
        assert importlib.import_module("sys") is sys
