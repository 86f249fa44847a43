"""Rules for names and arguments."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import Talk, accused, findings, number, text

from streamshark.findings.rule import family


def test_text_of_another_encoding_is_not_taken_for_counted_characters(tmp_path: Path) -> None:
    """Its length fits; one that counts characters shifts what follows."""
    told = {}
    for name, data in (
        ("latin", "h\xf4tel".encode("latin-1")),
        ("counted", "gr\xf6\xdfe".encode()),
    ):
        talk = Talk()
        talk.ask(0xD, number(5, 2) + data + number(0))
        found = findings(tmp_path, talk.leave())
        told[name] = [(e.severity, e.cause) for e in found if family(e.rule) == "RMQ-S1"][:1]

    assert [(severity, "Latin-1" in cause) for severity, cause in told["latin"]] == [
        ("warning", True)
    ]
    assert [(severity, "characters" in cause) for severity, cause in told["counted"]] == [
        ("error", True)
    ]


@pytest.mark.parametrize(
    ("name", "is_wrong"), [("s" * 255, False), ("s" * 256, True), ("", True), ("amq.s", True)]
)
def test_names_of_streams_have_1_to_255_bytes(tmp_path: Path, name: str, *, is_wrong: bool) -> None:
    """S3: from the first byte that is too many; not where just all are used."""
    talk = Talk()
    talk.ask(0x0D, text(name) + number(0))
    talk.leave()

    assert ("RMQ-S3b" in {rule for rule, _ in accused(tmp_path, talk)}) is is_wrong
