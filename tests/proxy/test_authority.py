"""The authority: made once, its key for its owner alone, certificates that clients accept."""

import ssl
import stat
from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.proxy.authority import CERTIFICATE, KEY, Authority, trust


def accepted(authority: Authority, folder: Path, name: str, *names: str) -> bool:
    """Whether a client that trusts the authority accepts its certificate for names."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.load(server, names, folder)
    client = ssl.create_default_context(cafile=str(authority.path))
    pipes = [ssl.MemoryBIO() for _ in range(2)]
    ends = [
        client.wrap_bio(*pipes, server_hostname=name),
        server.wrap_bio(*reversed(pipes), server_side=True),
    ]
    try:
        for _ in range(3):
            for end in ends:
                try:
                    end.do_handshake()
                except ssl.SSLWantReadError:
                    continue
    except ssl.SSLCertVerificationError:
        return False
    return True


def test_certificates_are_accepted(tmp_path: Path) -> None:
    """For names and addresses that they are for; after a restart by the same authority."""
    first = Authority(tmp_path / "data")
    again = Authority(tmp_path / "data")
    assert first.path == again.path
    for name in ("broker.example", "localhost", "127.0.0.1", "::1"):
        assert accepted(again, tmp_path, name, "a" * 63 + ".example", name)
    assert not accepted(again, tmp_path, "other.example", "broker.example", "127.0.0.1")
    assert list(tmp_path.iterdir()) == [tmp_path / "data"]
    for file in (CERTIFICATE, KEY):
        assert stat.S_IMODE((tmp_path / "data" / file).stat().st_mode) == 0o600


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    """Malformed ones, and a folder that cannot be made."""
    (tmp_path / CERTIFICATE).write_text("x")
    (tmp_path / KEY).write_text("x")
    for folder in (tmp_path, Path("/dev/null/x")):
        with pytest.raises(StreamsharkError, match="the authority cannot be read"):
            Authority(folder)


def test_how_clients_trust_it(tmp_path: Path) -> None:
    """The path is in the line of each language."""
    text = trust(tmp_path / CERTIFICATE)
    for language in ("Java", "Go", "Python", "Node"):
        assert language in text
    assert text.count(str(tmp_path / CERTIFICATE)) >= 5
    assert "-file" in text
