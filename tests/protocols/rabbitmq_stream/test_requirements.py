"""The document's commands are in the table of requirements."""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.requirements import REQUIREMENTS

OTHERS = {
    "Types", "Frame Structure", "Response Codes", "Commands", "Authentication",
}  # fmt: skip
PLAIN = {"Partitions", "StreamStats", "DeleteSuperStream", "PeerProperties"}
"""Commands of which the document says nothing but their layout."""


def test_every_command_with_a_condition_has_a_row() -> None:
    """By the section of the document, which is the command's name."""
    (document,) = REQUIREMENTS
    sections = {each.section.lower() for each in document.requirements}
    commands = {each.name.replace("_", "").lower() for each in Key}
    named = {each.lower() for each in OTHERS} & sections

    assert len(named) == len(OTHERS)
    assert sections - named <= commands
    assert not {each.lower() for each in PLAIN} & sections
