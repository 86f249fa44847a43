r"""Hex in any spelling that people paste."""

import random
import subprocess
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.failures import every

from streamshark.cli.hex_text import bytes_of
from streamshark.errors import StreamsharkError
from streamshark.views.hexdump import dump


def output(*command: str) -> Callable[[bytes], str]:
    """What a program prints of some bytes."""

    def printed(data: bytes) -> str:
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode()

    return printed


def tcpdump(data: bytes, *, letters: bool) -> str:
    """As tcpdump -x and -X print a packet."""
    lines = ["12:00:01.000001 IP 10.0.0.1.40000 > 10.0.0.2.5552: Flags [P.], length 3"]
    for at in range(0, len(data), 16):
        part = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        line = f"\t0x{at:04x}:  {part.hex(' ', -2)}"
        lines.append(f"{line:<49}  {shown}" if letters else line)
    return "\n".join(lines)


SPELLINGS: dict[str, Callable[[bytes], str]] = {
    "hex": bytes.hex,
    "upper": lambda data: data.hex().upper(),
    "blanks": lambda data: data.hex(" "),
    "colons": lambda data: data.hex(":"),
    "commas": lambda data: ", ".join(f"{byte:02x}" for byte in data),
    "0x each": lambda data: " ".join(f"0x{byte:02X}" for byte in data),
    "0x once": lambda data: "0x" + data.hex(),
    "C array": lambda data: "{" + ", ".join(f"0x{byte:x}" for byte in data) + "};",
    "escapes": lambda data: "".join(f"\\x{byte:02x}" for byte in data),
    "quoted escapes": lambda data: '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"',
    "literal": repr,
    "bytearray": lambda data: repr(bytearray(data)),
    "lines": lambda data: "\n".join(data[at : at + 7].hex(" ") for at in range(0, len(data), 7)),
    "words": lambda data: data.hex(" ", 4),
    "comments": lambda data: f"# a frame\n{data.hex()}\n// its end\n",
    "xxd": output("xxd"),
    "xxd -g1 -c8": output("xxd", "-g1", "-c8"),
    "xxd -p": output("xxd", "-p"),
    "xxd -u": output("xxd", "-u"),
    "hexdump -C": output("hexdump", "-C"),
    "od": output("od", "-A", "x", "-t", "x1"),
    "od with letters": output("od", "-v", "-A", "x", "-t", "x1z"),
    "tshark -x": dump,
    "tcpdump -x": lambda data: tcpdump(data, letters=False),
    "tcpdump -X": lambda data: tcpdump(data, letters=True),
}


@pytest.mark.process
@every("name", sorted(SPELLINGS))
@every("letters", [b"abcdef 0123456789|<>", b"a B", bytes(range(256))])
def test_spellings(name: str, letters: bytes) -> None:
    """Every length around a line of a dump, and letters that look like hex."""
    source = random.Random(0)  # noqa: S311 - not for secrets
    for size in (1, 2, 3, 8, 15, 16, 17, 31, 32, 33, 47, 100):
        data = bytes(source.choice(letters) for _ in range(size))

        assert bytes_of(SPELLINGS[name](data), "") == data, size


OURS = sorted(name for name in SPELLINGS if not name.startswith(("hexdump", "od", "words", "xxd")))
"""Spellings that no program is run for; words of zeros alone look like a dump of them."""


@given(st.binary(min_size=1, max_size=70), st.sampled_from(OURS))
def test_any_bytes(data: bytes, name: str) -> None:
    """In any spelling."""
    assert bytes_of(SPELLINGS[name](data), "") == data


@pytest.mark.process
def test_repeated_lines() -> None:
    """What hexdump and od leave out with a star."""
    data = bytes(160) + b"end"

    assert "*" in SPELLINGS["hexdump -C"](data)
    assert bytes_of(SPELLINGS["hexdump -C"](data), "") == data
    assert bytes_of(SPELLINGS["od"](data), "") == data


def test_several_dumps() -> None:
    """Frames one after the other, each counted from 0."""
    assert bytes_of(dump(bytes(40)) + "\n" + dump(b"next"), "") == bytes(40) + b"next"
    assert bytes_of(dump(b"one") + dump(b"two"), "") == b"onetwo"


def test_c_text_with_letters() -> None:
    """Letters between escapes stand for themselves."""
    assert bytes_of('"\\x00\\x05hello\\n"', "") == b"\x00\x05hello\n"
    assert bytes_of('\\x01say "x"', "") == b'\x01say "x"'


def test_several_literals() -> None:
    """As Python joins them."""
    assert bytes_of("(b'\\x00a'\n b\"b\")", "") == b"\x00ab"


def test_nothing() -> None:
    """No bytes."""
    assert bytes_of(" \n", "") == b""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("00 0g", "'g' is not a hex digit (line 1, column 5)"),
        ("00\n 11 xy", "'x' is not a hex digit (line 2, column 5)"),
        ("000", "3 hex digits: an even number is needed"),
        ("b'\\xzz'", "invalid bytes literal"),
        ("\\x00 \\xz", "invalid \\x escapes"),
        ("0000  00 01 02 03\n0004  05 06\n0008\n", "the line at offset 0x4 has 2 bytes, not 4"),
        ("0000000 1100 0000\n0000004 0100\n", "swaps bytes; use hexdump -C"),
    ],
)
def test_what_is_no_hex(text: str, message: str) -> None:
    """The error says what and where."""
    with pytest.raises(StreamsharkError) as raised:
        bytes_of(text, "dump.txt")

    assert str(raised.value).startswith("dump.txt: ")
    assert message in str(raised.value)


@given(st.text())
def test_any_text_gives_bytes_or_an_error(text: str) -> None:
    """Nothing else is raised."""
    try:
        bytes_of(text, "")
    except StreamsharkError as error:
        assert str(error)  # noqa: PT017 - either outcome is right
