"""The addresses of network interfaces, on Linux; empty elsewhere."""

import ipaddress
import socket
import struct
from pathlib import Path
from typing import Final

_SIOCGIFADDR: Final = 0x8915
_REQUEST: Final = struct.Struct("256s")
_IPV4: Final = slice(20, 24)
"""The address in the answer."""
_IPV6: Final = Path("/proc/net/if_inet6")


def interface_addresses() -> dict[str, list[str]]:
    """Return the first IPv4 address and the IPv6 addresses of each interface."""
    found = {name: _ipv4(name) for _, name in socket.if_nameindex()}
    try:
        lines = _IPV6.read_text("ascii").splitlines()
    except OSError:
        return found
    for line in lines:
        digits, *_, name = line.split()
        found.setdefault(name, []).append(str(ipaddress.IPv6Address(bytes.fromhex(digits))))
    return found


def _ipv4(name: str) -> list[str]:
    """Return the first IPv4 address of an interface; empty without one."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            answer = fcntl.ioctl(any_socket, _SIOCGIFADDR, _REQUEST.pack(name.encode()))
    except (ImportError, OSError):
        return []
    return [socket.inet_ntoa(answer[_IPV4])]
