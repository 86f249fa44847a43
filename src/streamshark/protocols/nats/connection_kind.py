"""What a connection links, as it shows itself: a client, a route, a gateway or a leaf node.

INFO and CONNECT show it by their members, other verbs by themselves: each occurs on few kinds of
link.
Source: nats-server v2.12.2, `server/client.go`, `server/route.go`, `server/gateway.go`,
`server/leafnode.go`; seen with 2.9.10 and 2.12.2.
"""

import json
from typing import Any, Final

from streamshark.protocols.nats.types import GATEWAY, LEAF, PINNED, ROUTE, ROUTE_2_9

ROUTES: Final = (ROUTE, ROUTE_2_9, PINNED)
_GOSSIP: Final = 1
"""The one `gateway_cmd` that is sent on routes."""
_PINNED: Final = {b"RS+": 1, b"RS-": 1, b"RMSG": 2}
"""Arguments without an account: fewer than any other link has."""
_LEAF_LS_MINUS: Final = 2
"""Most arguments of an LS- that does not name where it comes from."""


def switch_dialect(dialect: str, frame: bytes) -> str:
    """Return the dialect of a connection from this frame on; it was `dialect` until now."""
    line = frame[: frame.find(b"\n") + 1 or None]
    verb, _, rest = line.replace(b"\t", b" ").strip(b" \r\n").partition(b" ")
    match verb.upper():
        case b"INFO":
            return _by_info(dialect, _object(rest))
        case b"CONNECT":
            return _by_connect(dialect, _object(rest))
        case b"RS+" | b"RS-" | b"RMSG" as verb if dialect in ("", LEAF, ROUTE):
            return PINNED if len(rest.split()) == _PINNED[verb] else ROUTE
        case b"LS+" | b"LS-" | b"LMSG" as verb if not dialect:
            return ROUTE if verb == b"LS-" and len(rest.split()) > _LEAF_LS_MINUS else LEAF
        case b"A+" | b"A-" if not dialect:
            return GATEWAY
        case _:
            return dialect


def _by_info(dialect: str, options: dict[str, Any]) -> str:
    command = options.get("gateway_cmd")
    if options.get("gateway") and command != _GOSSIP:
        return GATEWAY
    if options.get("route_account") and not options.get("route_acc_add_reqid"):
        return PINNED
    if options.get("lnoc") and dialect not in (PINNED, ROUTE_2_9):
        return ROUTE if options.get("lnocu") else ROUTE_2_9
    if not dialect and command == _GOSSIP:
        return ROUTE
    leaf = options.get("leafnode_urls") and not (options.get("client_ip") or options.get("lnoc"))
    return LEAF if leaf and not dialect else dialect


def _by_connect(dialect: str, options: dict[str, Any]) -> str:
    if options.get("gateway"):
        return GATEWAY
    if dialect or options.get("lang"):
        return dialect
    if "lnoc" in options:
        return ROUTE
    if "echo" in options and "cluster" in options:
        return ROUTE_2_9
    if options.keys() & {"cluster", "compress_mode", "is_hub", "server_id", "remote_account"}:
        return LEAF
    return dialect


def _object(text: bytes) -> dict[str, Any]:
    """Return the members of an object, names in lower case; empty for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {name.lower(): each for name, each in found.items()} if isinstance(found, dict) else {}
