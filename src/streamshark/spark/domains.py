"""Domains: parts of an archive with independent connections.

Each domain is numbered, dissected and judged independently, by tasks of its own: its tables equal
the output of the command line for its packets alone. A domain is a folder of captures, or networks
in all of them.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import PurePath
from typing import NamedTuple

from streamshark.capture import Capture
from streamshark.capture.capture import WINDOW
from streamshark.capture.packet import PacketBatch
from streamshark.errors import StreamsharkError
from streamshark.flows.ip import endpoints
from streamshark.splits.partition import passed

FOLDER = "folder"
OTHERS = "others"
"""The domain of connections with no endpoint in a named network."""
_FORM = "folder, or NAME=NETWORK[,NETWORK...][;NAME=...]"


class DomainFilter:
    """The connections of some networks, without those of others.

    `mine` and `others` are networks as text; if `mine` is empty, all networks but `others` are
    meant.
    """

    def __init__(self, mine: tuple[str, ...], others: tuple[str, ...]) -> None:
        self.mine, self.others = mine, others

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DomainFilter) and (self.mine, self.others) == (
            other.mine,
            other.others,
        )

    def __hash__(self) -> int:
        return hash((self.mine, self.others))

    def __getstate__(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.mine, self.others

    def __setstate__(self, state: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        self.mine, self.others = state
        self._known = {}

    @cached_property
    def _networks(self) -> tuple[list[IPv4Network | IPv6Network], ...]:
        return tuple([ip_network(each) for each in part] for part in (self.mine, self.others))

    @cached_property
    def _known(self) -> dict[bytes, bool]:
        """Addresses and ports of a direction to whether it belongs to the domain."""
        return {}

    def takes(self, key: bytes) -> bool:
        """Return whether a direction with this key belongs to the domain."""
        found = self._known.get(key)
        if found is None:
            hosts = [ip_address(each.rpartition(":")[0].strip("[]")) for each in endpoints(key)[0]]
            mine, others = (
                any(host in network for host in hosts for network in part)
                for part in self._networks
            )
            found = self._known[key] = (mine or not self.mine) and not others
        return found


class Domain(NamedTuple):
    """One domain."""

    name: str | None
    """None if there is only one."""
    files: tuple[str, ...]
    within: DomainFilter | None = None
    """None if all connections in its files belong to it."""


def domains_of(files: Iterable[str], how: str) -> list[Domain]:
    """Return the domains of an archive.

    If `how` is empty there is one, with `folder` one for each folder; else those that it names, as
    `east=10.1.0.0/16,10.2.0.0/16;west=10.3.0.0/16`, and `others`: a connection belongs to the first
    one with an endpoint of it.

    Raises:
        StreamsharkError: `how` is invalid.
    """
    files = tuple(files)
    if not how:
        return [Domain(None, files)]
    if how == FOLDER:
        folders: dict[str, list[str]] = {}
        for each in files:
            folders.setdefault(PurePath(each).parent.name, []).append(each)
        return [Domain(name, tuple(found)) for name, found in folders.items()]
    named = dict(_named(how))
    if len(named) != len(how.split(";")) or OTHERS in named:
        raise StreamsharkError(f"site {how!r}: each name must be unique and not {OTHERS}")
    out = []
    before: tuple[str, ...] = ()
    for name, networks in (*named.items(), (OTHERS, ())):
        out.append(Domain(name, files, DomainFilter(networks, before)))
        before += networks
    return out


def _named(how: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for each in how.split(";"):
        name, equals, networks = each.partition("=")
        found = tuple(filter(None, networks.split(",")))
        if not (equals and found and name.replace("-", "").replace("_", "").isalnum()):
            raise StreamsharkError(f"site {how!r}: expected {_FORM}")
        for network in found:
            try:
                ip_network(network)
            except ValueError as error:
                raise StreamsharkError(f"site {name}: {error}") from None
        yield name, found


def narrowed(capture: Capture, within: DomainFilter | None) -> Capture:
    """Return a capture with the packets of a domain; all others are marked as no packets."""
    return capture if within is None else _Narrowed(capture, within)


class _Narrowed(Capture):
    """A capture restricted to a domain."""

    def __init__(self, capture: Capture, within: DomainFilter) -> None:
        self.__dict__ = capture.__dict__  # both share their state
        self._batches, self._within = capture.batches, within

    def batches(
        self, window: int = WINDOW, limit: int | None = None, idle: float | None = None
    ) -> Iterator[PacketBatch]:
        """Yield batches as `Capture` does, restricted to the domain."""
        for batch in self._batches(window, limit, idle):
            yield passed(batch, self._within.takes, hosts=True)

    def _walk(self, batch: PacketBatch, left: int) -> None:
        raise NotImplementedError
