"""JSON arrays, item by item."""

import json

from streamshark.views.json_array import JsonArray


def test_items_are_lines_of_a_valid_array() -> None:
    """None at all, one, several, and some that another writer has written."""
    for count in range(3):
        array = JsonArray()
        text = array.START + "".join(array.item(str(each)) for each in range(count)) + array.end
        assert json.loads(text) == list(range(count))
        assert len(text.splitlines()) == (count + 2 if count else 1)
    array = JsonArray()
    array.skip()
    assert json.loads("[1" + array.item("2") + array.end) == [1, 2]
