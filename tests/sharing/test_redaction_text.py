"""Names and texts: lengths, classes of characters, what is alike and what stays."""

import re

from tests.failures import every

from streamshark.protocols.catalog import catalog
from streamshark.sharing.redaction_text import Replacements

SYNTAX = tuple(each.syntax for each in catalog() if each.syntax is not None)
MADE = Replacements(b"key", SYNTAX)


@every(
    "name",
    [
        "orders",
        "Orders-EU.1",
        "a",
        "straße",
        "日本",
        "😀",
        "urn:x_y/z",
        "x" * 100,
    ],
)
def test_a_name_keeps_its_form(name: str) -> None:
    """Bytes, separators, case and kinds of characters."""
    made = MADE.names(name)
    assert made != name
    assert len(made.encode()) == len(name.encode())
    for old, new in zip(name, made, strict=True):
        assert old.isascii() == new.isascii()
        if old.isascii():
            assert (old.isdigit(), old.isupper(), old.islower()) == (
                new.isdigit(), new.isupper(), new.islower(),
            )  # fmt: skip


def test_a_word_is_replaced_alike_wherever_it_is() -> None:
    """In a name, a URL, a sentence, a subject, in upper case."""
    word = MADE.names("orders")
    for text in (
        "nats://orders:4222/orders?x=orders",
        "no stream 'orders'",
        "orders.>",
        "$JS.orders",
    ):
        assert MADE.names(text).count(word) == text.count("orders"), text
    assert MADE.names("ORDERS") == word.upper()
    assert word in MADE.sentence("stream orders not found")


def test_different_words_stay_different() -> None:
    """Short ones and numbers in hexadecimal too."""
    words = [f"{letter}{digit}" for letter in "abcdefghij" for digit in range(10)]
    words += [f"{number:08x}" for number in range(0x0A000000, 0x0A000400)]
    assert len({MADE.names(each) for each in words}) == len(words)


@every(
    ("name", "kept"),
    [
        ("$JS.API.STREAM.CREATE.ORDERS", r"\$JS\.API\.STREAM\.CREATE\.(?!ORDERS)[A-Z]{6}"),
        ("$JS.API.CONSUMER.INFO.s1.pull", r"\$JS\.API\.CONSUMER\.INFO\.\w\d\.(?!pull)\w{4}"),
        (
            "$JS.ACK.st.co.1.22222.33333.1690000000000000000.0",
            r"\$JS\.ACK\.(?!st)\w\w\.\w\w\.1\.22222\.33333\.1690000000000000000\.0",
        ),
        ("_INBOX.abcDEF.1", r"_INBOX\.(?!abcDEF)[a-z]{3}[A-Z]{3}\.1"),
        ("a.*.b.>", r"\w\.\*\.\w\.>"),
        ("invoices-0", r"(?!invoices)\w{8}-0"),
        ("scope/stream/0.#epoch.3", r"(?!scope)\w{5}/(?!stream)\w{6}/0\.#epoch\.3"),
        ("a%2Fb", r"\w%2F\w"),
        ("amq.gen", r"amq\.(?!gen)\w{3}"),
        ("message/x.rsocket.routing.v0", r"message/x\.rsocket\.routing\.v0"),
        ("host9:5552", r"(?!host)\w{4}\d:5552"),
    ],
)  # fmt: skip
def test_syntax_stays(name: str, kept: str) -> None:
    """What protocols define is no name."""
    assert re.fullmatch(kept, MADE.names(name)), MADE.names(name)


def test_known_words_of_sentences_stay() -> None:
    """But not in quotes."""
    made = MADE.sentence("Permissions Violation for Publish to 'publish'")
    assert re.fullmatch(r"Permissions Violation for Publish to '(?!publish)[a-z]{7}'", made)


def test_bodies_are_replaced_as_a_whole() -> None:
    """A letter more changes all; numbers keep their size."""
    one, other = MADE.opaque(b"the same words here, 123"), MADE.opaque(b"the same words here, 124")
    assert sum(a == b for a, b in zip(one, other, strict=True)) < 12
    assert MADE.opaque(b"\xff\0binary") != b"\xff\0binary"
    for number in (b"\0\0\0\5", b"\0\0\1\0", b"\xff\xff\xff\xf0"):
        made = MADE.numbers(number)
        assert len(made.lstrip(number[:1])) == len(number.lstrip(number[:1])), number
    for text in ("0", "-1", "10", "3.25", "1e5"):
        made = MADE.digits(text)
        assert len(made) == len(text)
        assert float(made) == float(made)
