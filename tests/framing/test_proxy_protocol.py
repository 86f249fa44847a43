"""The PROXY protocol: both versions, described and measured; other bytes are refused."""

import struct
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamshark.framing.proxy_protocol import LONGEST, NONE, ProxyHeader, read

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


def binary(source: str, destination: str, *, more: bytes = b"", command: int = 0x21) -> bytes:
    """Make a preamble of version 2 between ports 5 and 5552."""
    ends = ip_address(source).packed + ip_address(destination).packed
    body = ends + struct.pack(">HH", 5, 5552) + more
    family = 0x11 if len(ends) == 8 else 0x21
    return SIGNATURE + struct.pack(">BBH", command, family, len(body)) + body


KNOWN = {
    "v1": (
        b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 5552\r\n",
        "PROXY protocol v1 preamble: 192.0.2.7:40000 -> 192.0.2.1:5552",
    ),
    "v1 of IPv6": (
        b"PROXY TCP6 2001:db8::7 2001:db8::1 5 5552\r\n",
        "PROXY protocol v1 preamble: [2001:db8::7]:5 -> [2001:db8::1]:5552",
    ),
    "v1 unknown": (
        b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n",
        "PROXY protocol v1 preamble: of an unknown connection",
    ),
    "v2": (
        binary("10.0.0.1", "10.0.0.2"),
        "PROXY protocol v2 preamble: 10.0.0.1:5 -> 10.0.0.2:5552",
    ),
    "v2 of IPv6": (
        binary("fd00::1", "fd00::2", more=b"\x20\0\5abcde"),
        "PROXY protocol v2 preamble: [fd00::1]:5 -> [fd00::2]:5552",
    ),
    "v2 local": (
        binary("10.0.0.1", "10.0.0.2", command=0x20),
        "PROXY protocol v2 preamble: of the proxy itself",
    ),
    "v2 unspecified": (
        SIGNATURE + b"\x21\0\0\0",
        "PROXY protocol v2 preamble: of an unknown connection",
    ),
    "v2 too short for its addresses": (
        SIGNATURE + b"\x21\x11\0\4abcd",
        "PROXY protocol v2 preamble: of an unknown connection",
    ),
}


@pytest.mark.parametrize(("data", "told"), KNOWN.values(), ids=KNOWN.keys())
def test_a_preamble_is_measured_and_told(data: bytes, told: str) -> None:
    """A whole header has its size, also with frames after it; a cut one needs more bytes."""
    assert read(data, final=False) == ProxyHeader(len(data), told)
    assert read(data + b"\0\0\0\4", final=False) == ProxyHeader(len(data), told)
    for end in range(len(data)):
        assert read(data[:end], final=False) is None
        assert read(data[:end], final=True) == NONE


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0\0\4",
        b"PROXYING",
        b"PROXY TCP5 1.1.1.1 2.2.2.2 1 2\r\n",
        b"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\n",
        b"PROXY " + b"x" * 101,
        SIGNATURE + b"\x11\x11\0\0",
        SIGNATURE + struct.pack(">BBH", 0x21, 0x11, LONGEST),
    ],
)
def test_what_only_looks_like_one_is_none(data: bytes) -> None:
    """Another version, another line, too long."""
    assert read(data, final=False) == NONE


@given(st.sampled_from([b"", b"PROXY ", b"PROXY TCP4 ", SIGNATURE]), st.binary(max_size=300))
def test_any_bytes_give_an_answer(start: bytes, rest: bytes) -> None:
    """Nothing raises, and at the end there is one."""
    found = read(start + rest, final=True)

    assert found is not None
    assert found.length <= len(start + rest)
