"""Decrypted TLS as plain TCP."""

from pathlib import Path

import pytest
from tests.recorded import index

import streamshark
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction import redact


@pytest.mark.process
def test_decrypted_frames_are_there_and_redacted(tmp_path: Path) -> None:
    """Without the option records of TLS are there, blanked; keys are in neither."""
    line = index.lines()["rabbitmq_stream/tls_with_secrets"]
    with streamshark.open(str(line.path)) as session:
        original = [each.command for each in session if not each.is_event]
    found = []
    for decrypted in (True, False):
        out = tmp_path / f"{decrypted}.pcapng"
        redact([str(line.path)], str(out), Policy(decrypted=decrypted), b"a key")
        with streamshark.open(str(out)) as session:
            found.append([each.command for each in session if not each.is_event])
            assert not any(each.secrets for each in session.captures)
        assert b"CLIENT_" not in out.read_bytes()
    assert found == [original, []]
