"""Texts that a program did not mean to send."""

from tests.failures import every

from streamshark.findings.mistaken_text import (
    LONGEST,
    mistaken_content,
    mistaken_name,
    text_of_bytes,
    wide_text,
)


@every(
    ("name", "found"),
    [
        ("orders", ""),
        ("orders-${region}", "placeholder"),
        ("orders.{id}", "placeholder"),
        ("orders.{{id}}", "placeholder"),
        ("orders-%(id)s", "placeholder"),
        ("orders-%d", "placeholder"),
        ("50%discount", ""),
        ("100%25", ""),
        ("<no value>", "placeholder"),
        ("null", "unset variable"),
        ("nullable", ""),
        ("none", ""),
        (" orders", "white space"),
        ("orders\n", "white space"),
        ("our orders", ""),
        ("'orders'", "quotation"),
        ("'", ""),
        ("[object Promise]", "JavaScript"),
        ("", ""),
        (None, ""),
    ],
)
def test_names(name: str | None, found: str) -> None:
    """Of streams, groups, routes and hosts."""
    assert found in mistaken_name(name)
    assert bool(mistaken_name(name)) is bool(found)


@every(
    ("content", "found"),
    [
        ("[object Object]", "JavaScript"),
        ("com.shop.Order@1b6d3586", "Java object"),
        ("[B@1b6d3586", "Java array"),
        ("[Lcom.shop.Order;@1b6d3586", "Java array"),
        ("someone@example.org", ""),
        ("a.b.Someone@example.org", ""),
        ("<shop.Order object at 0x7f0a1c2d3e40>", "Python object"),
        ("<memory at 0x7f0a1c2d3e40>", "Python object"),
        ("b'{}'", "Python's bytes"),
        ("b'a' and b'b'", ""),
        ("{'id': 7, 'name': None}", "Python dictionary"),
        ('{"id": 7}', ""),
        ("#<Order:0x000055d5 @id=7>", "Ruby"),
        ("System.Byte[]", ".NET"),
        ("System.Collections.Generic.List`1[System.String]", ".NET"),
        ("System is down", ""),
        ("order %!d(string=7)", "Go"),
        ("null", ""),
        ("undefined", "unset variable"),
        ('"{\\"id\\": 7}"', "JSON twice"),
        ('"[not JSON]"', ""),
        ("gr\u00fc\u00dfe", ""),
        ("gr\u00c3\u00bc\u00c3\u0178e", "UTF-8 twice"),
        ("\u00c3\u00bc", ""),
        ("\u00e2\u20ac\u0153quoted\u00e2\u20ac\u009d", "UTF-8 twice"),
        ("\u00e0 la carte, \u00c3 \u00c2", ""),
        ('{"price": NaN, "id": 7}', "NaN"),
        ("[1, -Infinity]", "-Infinity"),
        ('{"text": "a, NaN, b"}', ""),
        ("[NaN in words]", ""),
        ('\ufeff{"id": 7}', "byte order mark"),
        ("\ufefftext", ""),
        ("", ""),
    ],
)
def test_contents(content: str, found: str) -> None:
    """Of messages and payloads."""
    assert found in mistaken_content(content.encode())
    assert bool(mistaken_content(content.encode())) is bool(found)


def test_what_is_not_judged() -> None:
    """Long content, and bytes that are no text."""
    assert mistaken_content(b" " * LONGEST + b"[object Object]") == ""
    assert mistaken_content(b"\xff[object Object]") == ""
    assert mistaken_content(b'"[' * 20_000) == ""


@every(
    ("content", "found"),
    [
        ('{"order": 7}'.encode("utf-16-le"), True),
        ('{"order": 7}'.encode("utf-16-be"), True),
        ('{"name": "gr\u00fc\u00dfe"}'.encode("utf-16"), True),
        ("order".encode("utf-16-le"), True),
        ("ord".encode("utf-16-le"), False),
        (b'{"order": 7}', False),
        (bytes(range(32)), False),
        (b"\0\1" * 16, False),
        (b"", False),
    ],
)
def test_wide_texts(content: bytes, found: bool) -> None:  # noqa: FBT001 - what is expected
    """UTF-16, with or without a byte order mark; not numbers."""
    assert bool(wide_text(content)) is found


@every(
    ("content", "found"),
    [
        (b"eyJvcmRlciI6IDd9", "JSON in Base64"),
        (b"W3sib3JkZXIiOiA3fV0=", "JSON in Base64"),
        (b"H4sIAAAAAAAA/8tIzcnJBwCGphA2BQAAAA==", "gzip in Base64"),
        (b"7b226f72646572223a377d", "JSON in hexadecimal digits"),
        (b"1f8b0800000000000003", "gzip in hexadecimal digits"),
        (b"7b226f72646572223a377", ""),
        (b"4f2c9a1e77d04b6c8f1a", ""),
        (b"customer-identifier=", ""),
        (b"e30=", ""),
        (b"ordersordersorders==", ""),
        (b"", ""),
    ],
)
def test_texts_of_bytes(content: bytes, found: str) -> None:
    """JSON and formats that begin with a mark; not ids."""
    assert text_of_bytes(content) == found
