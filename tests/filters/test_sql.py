"""Filters as SQL; Spark runs it in tests/spark/test_row_filter.py."""

import re

import pytest
from tests.failures import every
from tests.filters.reading import PUBLISH, read

from streamshark.filters.error import FilterError
from streamshark.filters.sql import condition, statement
from streamshark.filters.sql_columns import KeptColumns, SqlColumns

MASKED = "rmqstream.sasl_authenticate.sasl_opaque_data"
MESSAGE = "rmqstream.publish.published_messages.message"


def sql(text: str) -> str:
    """The condition of a filter, with the names of items numbered from 0."""
    return condition(text, SqlColumns(read(PUBLISH).fields))


@every(
    ("text", "expected"),
    [
        ("", "TRUE"),
        ("frame.number == 5", "coalesce(f.packet = 5, FALSE)"),
        ("not frame.number != 5", "NOT (coalesce(f.packet <> 5, FALSE))"),
        ("5 < frame.number", "coalesce(f.packet > 5, FALSE)"),
        (
            'src contains "a\'b" xor tcp.stream',
            (
                "((coalesce(contains(f.src, decode(X'612762', 'UTF-8')), FALSE)) "
                "<> ((f.flow IS NOT NULL)))"
            ),
        ),
        (
            "packets > 5 and dst",
            (
                "(coalesce(exists(coalesce(filter(f.packets, x1 -> x1 IS NOT NULL), array()), "
                "x0 -> x0 > 5), FALSE) AND (f.dst IS NOT NULL))"
            ),
        ),
        (
            "length not in {1, 3..5}",
            (
                "((f.length IS NOT NULL) AND NOT coalesce((coalesce(f.length = 1, FALSE) OR "
                "(coalesce(f.length >= 3, FALSE) AND coalesce(f.length <= 5, FALSE))), FALSE))"
            ),
        ),
        (
            'kind matches "^re"',
            (
                "coalesce(decode(substring(encode(f.kind, 'UTF-8'), 1, 65536), 'ISO-8859-1') RLIKE "
                "decode(X'283f69295e7265', 'UTF-8'), FALSE)"
            ),
        ),
    ],
)
def test_conditions(text: str, expected: str) -> None:
    """Every relation is TRUE or FALSE, so that NOT turns it around where a field is absent."""
    assert sql(text) == expected


@every(
    ("text", "message"),
    [
        ("amqp1.properties.subject", "`spark run --where` decodes them"),
        ("answer.missing", "`read -Y` finds them"),
        ("answer.rmqstream.open_response", "`read -Y` finds them"),
        ("rmqstream.finding", "(finding.rule)"),
        ("_ws.expert.message", "(finding.rule)"),
        (MASKED, "written with --show-secrets alone"),
        (MESSAGE, "written with --bodies full alone"),
        ("_ws.col.info", "no table has a column of it"),
        ("rmqstream contains 00:01", "no table has the bytes of rmqstream"),
        ("@frame.number == 05", "SQL has no bytes of fields"),
        ('string(ip.src) == "1.2.3.4"', "SQL has no string() of an IPv4 address"),
        ("response_time_ns & 1", 'SQL has no "&" of a signed 64-bit number'),
    ],
)
def test_what_sql_lacks(text: str, message: str) -> None:
    """Is an error, and not a wrong answer."""
    with pytest.raises(FilterError, match=re.escape(message)):
        sql(text)


def test_statements() -> None:
    """Tables of commands are joined to `frames` by the identity of rows."""
    text = statement("rmqstream.publish.publisher_id == 1", read(PUBLISH).fields)

    assert text.startswith("SELECT f.*\nFROM frames f\nLEFT JOIN rmqstream_publish f_1 ON")
    assert text.endswith("WHERE coalesce(f_1.`rmqstream.publish.publisher_id` = 1, FALSE)")


def test_what_an_archive_keeps_has_columns() -> None:
    """Bodies and secrets are kept by their options; frames are numbered in sites."""
    fields = read(PUBLISH).fields
    kept = KeptColumns(bodies=True, secrets=True)
    assert "`message`" in statement(f"len({MESSAGE}) > 5", fields, kept)
    assert f"`{MASKED}`" in statement(MASKED, fields, kept)
    sites = statement("finding && conv.id", fields, KeptColumns(site=True))
    assert "n.frame = f.frame AND n.site = f.site" in sites
    answered = statement("request.rmqstream.open", fields, KeptColumns(site=True))
    assert "r.frame = f.request_frame AND r.site = f.site" in answered


def test_layers() -> None:
    """A row is the first layer, and no other."""
    assert sql("rsocket#1") == sql("rsocket")
    assert sql("frame.number#2 == 5") == "coalesce(NULL = 5, FALSE)"
