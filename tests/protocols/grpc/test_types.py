"""Types: what the path of a call chooses."""

from streamshark.protocols.grpc.types import HEADERS, STRING, message
from streamshark.schema import Record, field
from streamshark.schema.walk import walk_word


def test_the_path_says_what_a_message_is() -> None:
    """The slot takes its type from it."""
    record = Record(field("path", STRING, "Path."), message("grpc.message"))
    [node] = [each for each in walk_word(record, "test").nodes if getattr(each, "slot", None)]

    assert node.slot.name == "grpc.message"  # type: ignore[attr-defined]
    assert [str(each.target[0]) for each in node.slot.types] == ["path"]  # type: ignore[attr-defined]


def test_headers_keep_order_and_duplicates() -> None:
    """A list of names and values."""
    tree = walk_word(Record(HEADERS), "test")

    assert [tree.name(each) for each in tree.named()] == [
        "test.metadata", "test.metadata.key", "test.metadata.value",
    ]  # fmt: skip
