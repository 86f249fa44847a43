"""What the command line and the Wireshark plugins do differently on purpose."""

import pytest

from streamshark.conversations import shared_tables

FOREVER_NS = 1 << 63
"""A time in ns that no capture spans."""


@pytest.fixture(autouse=True)
def remember_shared_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plugins do not forget what connections share, and the captures in one file are days apart."""
    monkeypatch.setattr(shared_tables, "HOUR_NS", FOREVER_NS)
