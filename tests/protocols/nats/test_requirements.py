"""The documents of JetStream are in the table of requirements."""

from streamshark.protocols.nats.requirements import REQUIREMENTS


def test_documents() -> None:
    """The client protocol first, then decisions on headers and JetStream, each once."""
    titles = [each.title for each in REQUIREMENTS]

    assert titles[0] == "NATS Client Protocol"
    assert [title.split(",")[0] for title in titles[1:]] == ["ADR-4", "ADR-1", "ADR-13", "ADR-15"]
    assert all(each.requirements for each in REQUIREMENTS)
