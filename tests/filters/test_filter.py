"""A filter: what it names, what it needs, and the public function."""

from tests.filters.reading import PUBLISH, read

import streamshark
from streamshark.filters import compile  # noqa: A004 - as of `re`
from streamshark.filters.filter import Filter, both
from streamshark.filters.row_fields import RowFields


def test_the_public_api() -> None:
    """As the docstring of the package shows it."""
    is_publish = compile('rmqstream.command == "publish"')
    rows = [row for row in streamshark.open(str(PUBLISH)).rows() if is_publish(row)]

    assert [row.packet for row in rows] == [20, 22, 24, 25, 25, 25]


def test_needs() -> None:
    """Only what its fields need."""
    assert compile("rmqstream.publish.publisher_id == 1").needs == frozenset()
    assert compile("rmqstream.response_time > 1").needs_analysis
    assert compile("answer.missing").needs_first_reading
    assert not compile("request.rmqstream.open").needs_first_reading


def test_an_empty_filter_selects_everything() -> None:
    """As an empty line in Wireshark."""
    assert all(map(compile(" "), read(PUBLISH).rows))


def test_two_filters_in_one() -> None:
    """Both must hold."""
    fields = RowFields(read(PUBLISH).fields)
    chosen = both(Filter("frame > 3 or frame < 2", fields), Filter("frame < 5", fields))

    assert [row.number for row in read(PUBLISH).rows if row.number and chosen(row)] == [1, 4]
