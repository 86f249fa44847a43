"""The fields of a row, their bytes, and the way between them."""

from tests.tui.screens import browser

from streamshark.tui.details import CONVERSATION, FRAME, Details
from streamshark.views.tree_items import TreeItem


def details(row: int, capture: str = "") -> Details:
    """Return the details of a row."""
    found = (browser(capture) if capture else browser()).details(row)
    assert found is not None
    return found


def every_item(items: list[TreeItem]) -> list[TreeItem]:
    """Return items and all below them."""
    return [one for each in items for one in (each, *every_item(each.children))]


def test_each_byte_leads_to_the_field_that_has_it() -> None:
    """The innermost field of each byte of a frame has that byte in its range."""
    found = details(16)
    lines = {line.path: line.item for line in found.lines({})}
    opened = found.lines(dict.fromkeys(lines, True))
    while len(opened) > len(lines):
        lines = {line.path: line.item for line in opened}
        opened = found.lines(dict.fromkeys(lines, True))
    for byte in range(len(found.frame.data)):
        path = found.at(found.frame, byte)
        assert path is not None
        item = lines[path]
        assert item.start <= byte < item.end
        assert item.name != FRAME


def test_what_the_conversation_adds_is_there() -> None:
    """Derived values, which the index does not have, are computed."""
    items = details(16).items
    assert [each.name for each in items] == [FRAME, "rmqstream deliver", CONVERSATION]
    notes = [each.note for each in items[2].children]
    assert "Conversation: 0-20-subscription" in notes
    assert "Credit balance: 0" in notes


def test_an_event_has_facts_and_no_bytes() -> None:
    """An event of TCP is shown without a frame."""
    found = details(0)
    assert found.frame.data == b""
    assert found.items[1].name == "tcp open"


def test_items_are_expanded_as_asked() -> None:
    """Few fields are expanded at first; a change is kept by its path."""
    found = details(16)
    closed = found.lines({(each,): False for each in (FRAME, "rmqstream deliver", CONVERSATION)})
    assert [each.depth for each in closed] == [0, 0, 0]
    assert {each.is_expanded for each in closed} == {False}
    assert next(each.path for each in found.lines({}) if each.is_expanded is False) == (FRAME,)
