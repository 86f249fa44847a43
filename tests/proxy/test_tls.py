"""Contexts of TLS: options that cannot be used are refused, the key log is read line by line."""

from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.proxy.tls import TlsContexts, TlsOptions


def test_options_that_cannot_be_used(tmp_path: Path) -> None:
    """A missing file, and one that is no certificate."""
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("x")
    for options in (
        TlsOptions(str(tmp_path / "none.pem")),
        TlsOptions(str(wrong)),
        TlsOptions(certificate=str(tmp_path / "none.pem")),
        TlsOptions(certificate=str(wrong)),
    ):
        with pytest.raises(StreamsharkError, match="pem: cannot be used for TLS"):
            TlsContexts(tmp_path / "data", options, ["a"])


def test_the_key_log(tmp_path: Path) -> None:
    """Only whole lines, each once, and only after something has happened."""
    contexts = TlsContexts(tmp_path / "data", TlsOptions(), ["a"])
    assert contexts.new_keys() == b""
    for written, expected in ((b"A 1 2\nB", b"A 1 2\n"), (b" 3 4\n", b"B 3 4\n"), (b"", b"")):
        with contexts._log.open("ab") as log:
            log.write(written)
        contexts.stir()
        assert contexts.new_keys() == expected
        assert contexts.new_keys() == b""
    assert contexts.server_context("x", None) is contexts.server_context("x", None)
    assert contexts.server_context("x", "h2") is not contexts.server_context("x", None)
    contexts.close()
    assert not contexts._log.exists()
