"""Hosts and ports that servers name in their frames: found by the roles of fields, and replaced.

A host with the port beside it, or `host:port`, names a node. The node is replaced by the address
where the proxy listens for it; all other bytes of the frame stay.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.dissection.advertised_endpoints import (
    HOST,
    PORT,
    SERVER_HOST,
    endpoint,
    paths,
)
from streamshark.errors import StreamsharkError
from streamshark.proxy.targets import LAST_PORT, joined

Node = tuple[str, int]
"""Host and port of a server."""
Replace = Callable[[str, int], Node]
"""Returns the address of the proxy for a node.

It raises `StreamsharkError` if there can be none.
"""
Path = tuple[str | int, ...]
Change = tuple[Path, Any]
PORT_ENTRY = "port"
"""What the key of a map's entry ends in if its value is the port of the host in another entry."""


def with_replaced_hosts(decoder: Decoder, data: bytes, replace: Replace) -> bytes:
    """Return a frame in which all nodes are replaced.

    Raises:
        StreamsharkError: It cannot be changed.
    """
    values, problems = decoder.read(data)
    if problems:
        raise StreamsharkError(f"{decoder.tree.prefix}: the frame is malformed")
    tree = decoder.tree
    changes: dict[Path, Any] = {}
    for path in paths(tree, HOST):
        for record, at in _records(values, path[:-1]):
            changes.update(_of_host(record, at, path[-1], replace))
    for path in paths(tree, SERVER_HOST):
        for record, at in _records(values, path):
            changes.update(_of_map(record, at, replace))
    return amended(decoder, data, changes)


def _records(value: Any, path: tuple[str, ...], at: Path = ()) -> Iterator[tuple[Any, Path]]:  # noqa: ANN401 - of any field
    """Yield the values at a path, each with its path with indices; all items of lists."""
    if isinstance(value, list | tuple) and path:
        for index, each in enumerate(value):
            yield from _records(each, path, (*at, index))
    elif not path:
        if isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            if "key" in value[0]:  # a map
                yield value, at
                return
            for index, each in enumerate(value):
                yield each, (*at, index)
        else:
            yield value, at
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _records(value[path[0]], path[1:], (*at, path[0]))


def _of_host(record: Any, at: Path, name: str, replace: Replace) -> Iterator[Change]:  # noqa: ANN401
    """Yield the changes of a host in a record, or of a list of them."""
    if not isinstance(record, Mapping):
        return
    value, port = record.get(name), record.get(PORT)
    if isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _of_text(each, (*at, name, index), replace)
    elif isinstance(value, str) and endpoint(value) is not None:
        yield from _of_text(value, (*at, name), replace)
    elif isinstance(value, str) and value and isinstance(port, int) and _is_port(port):
        host, changed = replace(value, port)
        yield (*at, name), host
        yield (*at, PORT), changed


def _of_text(value: Any, at: Path, replace: Replace) -> Iterator[Change]:  # noqa: ANN401
    """Yield the change of `host:port`."""
    found = endpoint(value) if isinstance(value, str) else None
    if found is not None:
        yield at, joined(*replace(found.host, found.port))


def _of_map(pairs: Any, at: Path, replace: Replace) -> Iterator[Change]:  # noqa: ANN401
    """Yield the changes of the entries of a map that name the host and the port of the server."""
    if not isinstance(pairs, list | tuple):
        return
    named = {str(each.get("key")): index for index, each in enumerate(pairs)}
    hosts = [name for name in named if name.endswith(HOST)]
    for name in hosts:
        other = f"{name.removesuffix(HOST)}{PORT_ENTRY}"
        if other not in named:
            continue
        host, port = (pairs[named[each]].get("value") for each in (name, other))
        number = int(port) if isinstance(port, str) and port.isdecimal() else 0
        if isinstance(host, str) and host and _is_port(number):
            host, changed = replace(host, number)
            yield (*at, named[name], "value"), host
            yield (*at, named[other], "value"), str(changed)


def _is_port(value: int) -> bool:
    return 0 < value <= LAST_PORT
