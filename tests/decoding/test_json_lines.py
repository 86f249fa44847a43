"""JSON lines of the record decoder: each byte has a range, malformed text stays undecoded."""

from random import Random

from tests.schema.reader_agreement import agree
from tests.schema.test_json_lines import INFO

from streamshark.decoding.code_printer import UNDECODED

LINE = (
    b'INFO {"name":"a\\u00e4","proto":-1, "urls":["a","b"],"more":{"a":[1]},"new":[1,2.5e3]} \r\n'
)


def test_ranges_are_those_of_values() -> None:
    """Text without quotes, lists item by item."""
    _, ranges, problems = INFO.decoder.careful(LINE)
    found = [LINE[start:end] for node, start, end, value in ranges if value is not None]

    assert not problems
    assert found == [b"a\\u00e4", b"-1", b"a", b"b", b'{"a":[1]}', b"[1,2.5e3]"]


def test_what_is_no_object_is_not_decoded() -> None:
    """Its bytes are undecoded, so that a password among them is masked."""
    _, ranges, problems = INFO.decoder.careful(b'INFO {"pass":"x\r\n')

    assert (UNDECODED, 4, 15, None) in ranges
    assert [each.message for each in problems] == ["no JSON object"]


def test_a_member_of_another_kind_is_kept() -> None:
    """It is listed beside the unknown members."""
    values, _, problems = INFO.decoder.careful(b'INFO {"proto":"1","name":"a"}\r\n')

    assert values == {"other": [{"key": "proto", "value": '"1"'}], "name": "a"}
    assert [each.message for each in problems] == ["proto should be a whole number"]


def test_spoilt_lines_are_read_alike() -> None:
    """All readers agree on lines with inserted bytes."""
    random = Random(7)  # noqa: S311 - not for secrets
    for _ in range(2000):
        data = bytearray(LINE)
        for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.choice(b'{}[],:"\\ \t\xff\x00au1e.-\n')
        agree(INFO, bytes(data))
