"""A display filter as a tree."""

import json

from tests.filters.reading import PUBLISH, read

from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields
from streamshark.views.filter_tree import as_json, as_text

TEXT = "not tcp.port in {1..5} and (rmqstream.response_time > 1 or len(rmqstream[0:4]) == -frame)"


def test_text() -> None:
    """Junctions are indented; fields have types; needs are in words."""
    chosen = Filter(TEXT, RowFields(read(PUBLISH).fields))
    lines = as_text(chosen).splitlines()

    assert lines[:6] == [
        "and",
        "  not",
        "    tcp.port in {1 .. 5}",
        "  or",
        "    rmqstream.response_time > 1",
        "    len(rmqstream[0:4]) == -frame",
    ]
    assert lines[8].split() == ["tcp.port", "number", "Both", "ports."]
    assert lines[-1] == "Needs: frames, conversations of the rows"
    assert as_text(Filter("", RowFields(read(PUBLISH).fields))) == "every row\n"


def test_json() -> None:
    """Every node, with its position."""
    tree = json.loads(as_json(Filter(TEXT, RowFields(read(PUBLISH).fields))))

    assert tree["tree"]["node"] == "and"
    assert tree["tree"]["children"][0]["children"][0]["node"] == "in"
    assert TEXT[tree["tree"]["start"] : tree["tree"]["end"]] == TEXT
    assert [each["name"] for each in tree["fields"]] == [
        "tcp.port", "rmqstream.response_time", "rmqstream", "frame",
    ]  # fmt: skip
