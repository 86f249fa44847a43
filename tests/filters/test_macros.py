"""Macros: text with arguments, put in before parsing."""

import pytest
from tests.failures import every

from streamshark.filters.error import FilterError
from streamshark.filters.filter import compile as compiled
from streamshark.filters.macros import BUILT_IN, expanded

MACROS = {
    "both": "tcp.port == $1 and ip.src == $2",
    "port": "tcp.port == 5552",
    "tenth": "$10 == 1",
    "outer": "$both($1;127.0.0.1)",
    "loop": "$loop()",
    "twice": "$1 or $twice($1)",
    "grow": "$grow() and $grow()",
}


@every(
    ("text", "expected"),
    [
        ("$both(1,2)", "tcp.port == 1 and ip.src == 2"),
        ("$both{1;2}", "tcp.port == 1 and ip.src == 2"),
        ("${both:1;2}", "tcp.port == 1 and ip.src == 2"),
        ("${both;1,2}", "tcp.port == 1 and ip.src == 2"),
        ("not $both(1,2) or x", "not tcp.port == 1 and ip.src == 2 or x"),
        (
            "${port} or $port() or ${port:}",
            "tcp.port == 5552 or tcp.port == 5552 or tcp.port == 5552",
        ),
        ('x == "$port()"', 'x == "tcp.port == 5552"'),
        ("$outer(7)", "tcp.port == 7 and ip.src == 127.0.0.1"),
        ("$tenth(1,2,3,4,5,6,7,8,9,x)", "x == 1"),
        ("x == ${tcp.port} or y == $z", "x == ${tcp.port} or y == $z"),
        ("${unknown}", "${unknown}"),
        ('x matches "a$(b)|^c$"', 'x matches "a$(b)|^c$"'),
    ],
)
def test_expansion(text: str, expected: str) -> None:
    """As Wireshark 4.4 and 4.6 put in text, without grouping it."""
    assert expanded(text, MACROS) == expected


@every(
    ("text", "message"),
    [
        ("$prot(1)", 'there is no macro "prot"; did you mean "$port"?'),
        ("tcp and ${nope:1}", 'there is no macro "nope"'),
        ("$both(1)", 'macro "both" takes 2 arguments, not 1'),
        ("$port(1)", 'macro "port" takes 0 arguments, not 1'),
        ("$both(,1)", 'an argument of macro "both" is empty'),
        ("tcp or $both(1", "this macro is not ended"),
        ("$loop()", "macros are nested more than 32 deep"),
        ("$twice(tcp)", "macros are nested more than 32 deep"),
        ("$grow()", "macros make it longer than 65536 characters"),
    ],
)
def test_errors(text: str, message: str) -> None:
    """One sentence; macros that use themselves end."""
    with pytest.raises(FilterError) as caught:
        expanded(text, MACROS)
    assert str(caught.value) == message


def test_those_of_wireshark_are_known() -> None:
    """Without a file."""
    assert compiled("$private_ipv4(ip.src)").text == BUILT_IN["private_ipv4"].replace(
        "$1", "ip.src"
    )
