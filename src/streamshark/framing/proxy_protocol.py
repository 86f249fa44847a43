"""PROXY protocol header, version 1 or 2, which a load balancer sends before the first frame.

It names the endpoints of the original connection. Any listener may expect one, whatever its
protocol. Spec: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, sections 2.1 and 2.2.
"""

import re
from typing import NamedTuple

LONGEST = 16 + 4096
"""Most bytes of a header: version 2 could announce 64 KiB, but the header has to fit a first
packet."""
REASON = "PROXY protocol preamble"
"""Reason under which its bytes are counted as skipped."""
TUNNEL = "HTTP CONNECT, which opens a tunnel"
"""Reason for skipping the bytes with which a client and a proxy open a tunnel."""
HARMLESS = ("PROXY protocol", TUNNEL)
"""Beginnings of the reasons of skipped bytes among which no frame can be."""

_LINE_START = b"PROXY "
_LONGEST_LINE = 107
_LINE = re.compile(
    rb"PROXY (?:UNKNOWN[ -~]*|TCP[46] ([0-9a-fA-F.:]+) ([0-9a-fA-F.:]+) ([0-9]+) ([0-9]+))\r\n"
)
_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_HEAD = 16
_WIDTHS = {1: 4, 2: 16}
"""Address family (AF_INET, AF_INET6) to bytes of an address."""


class ProxyHeader(NamedTuple):
    """A PROXY protocol header."""

    length: int
    """Bytes; 0 if there is no header."""
    text: str
    """As text: `PROXY protocol v2 preamble: 10.0.0.1:5 -> 10.0.0.2:5552`."""


NONE = ProxyHeader(0, "")


def read(data: bytes, *, final: bool) -> ProxyHeader | None:
    """Read the header at the start of one direction of a connection.

    Args:
        data: The bytes, from the first of the connection.
        final: True if no more bytes follow.

    Returns:
        The header, `NONE` if there is none, None if more bytes are needed to decide.
    """
    for start, parse in ((_LINE_START, _line), (_SIGNATURE, _binary)):
        if data.startswith(start):
            found = parse(data)
        elif start.startswith(data):
            found = None
        else:
            continue
        return NONE if found is None and final else found
    return NONE


def _line(data: bytes) -> ProxyHeader | None:
    end = data.find(b"\n", 0, _LONGEST_LINE) + 1
    if not end:
        return None if len(data) < _LONGEST_LINE else NONE
    found = _LINE.fullmatch(data, 0, end)
    if not found:
        return NONE
    endpoints = "of an unknown connection"
    if found[1]:
        source, destination, from_port, to_port = (part.decode() for part in found.groups())
        endpoints = _text(source, from_port, destination, to_port)
    return ProxyHeader(end, f"PROXY protocol v1 preamble: {endpoints}")


def _binary(data: bytes) -> ProxyHeader | None:
    if len(data) < _HEAD:
        return None
    length = _HEAD + int.from_bytes(data[14:16], "big")
    command, family = data[12], data[13] >> 4
    if command >> 4 != 2 or length > LONGEST:  # noqa: PLR2004 - the version
        return NONE
    if len(data) < length:
        return None
    width = _WIDTHS.get(family, 0)
    endpoints = "of the proxy itself" if not command & 1 else "of an unknown connection"
    if command & 1 and width and length >= _HEAD + 2 * width + 4:
        from ipaddress import ip_address  # noqa: PLC0415 - a proxy is rare

        source, destination = data[16 : 16 + width], data[16 + width : 16 + 2 * width]
        ports = data[16 + 2 * width : 20 + 2 * width]
        endpoints = _text(
            str(ip_address(source)),
            str(int.from_bytes(ports[:2], "big")),
            str(ip_address(destination)),
            str(int.from_bytes(ports[2:], "big")),
        )
    return ProxyHeader(length, f"PROXY protocol v2 preamble: {endpoints}")


def _text(source: str, from_port: str, destination: str, to_port: str) -> str:
    ends = [f"[{each}]" if ":" in each else each for each in (source, destination)]
    return f"{ends[0]}:{from_port} -> {ends[1]}:{to_port}"
