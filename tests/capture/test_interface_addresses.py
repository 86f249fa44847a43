"""Addresses of interfaces as the kernel knows them."""

from pathlib import Path

import pytest

from streamshark.capture import interface_addresses as module
from streamshark.capture.interface_addresses import interface_addresses


def test_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loopback has its IPv4 address; those of IPv6 are read from a table, if there is one."""
    table = tmp_path / "if_inet6"
    table.write_text("20010db8000000000000000000000001 01 40 00 80       lo\n")
    monkeypatch.setattr(module, "_IPV6", table)
    assert interface_addresses()["lo"] == ["127.0.0.1", "2001:db8::1"]
    table.unlink()
    assert interface_addresses()["lo"] == ["127.0.0.1"]
