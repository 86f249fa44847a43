"""Domains: parts of an archive with independent connections.

Each domain is numbered, dissected and judged independently, by tasks of its own: its tables equal
the output of the command line for its packets alone. A domain is a folder of captures, or networks
in all of them, or a cluster found in them (`domain_discovery`).
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path, PurePath
from typing import NamedTuple, Self

from streamshark.capture import Capture
from streamshark.capture.capture import WINDOW
from streamshark.capture.packet import PacketBatch
from streamshark.errors import StreamsharkError
from streamshark.flows.ip import endpoints
from streamshark.splits.partition import passed

FOLDER = "folder"
AUTO = "auto"
"""Each discovered cluster is a domain."""
OTHERS = "others"
"""The domain of connections with no endpoint in a named network."""
_FORM = "folder, auto, or NAME=NETWORK[,NETWORK...][;NAME=...]"


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


class DomainHosts(NamedTuple):
    """Hosts of the domains."""

    names: tuple[str, ...]
    """Names of the domains, in the order in which they were found; `others` is one of them."""
    places: Mapping[str, int]
    """Addresses of hosts (and names that servers use for them) to the numbers of their domains."""

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Return what an earlier run has written; None if it has not."""
        if not path.exists():
            return None
        members = json.loads(path.read_text("utf-8"))
        return cls(tuple(members["names"]), members["places"])

    def write(self, path: Path) -> None:
        """Write it for later runs."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self._asdict()), "utf-8")


class DomainPackets:
    """The connections of one domain among several with known hosts.

    A connection belongs to the first domain of its two endpoints; to `others` if neither is known.
    """

    def __init__(self, name: str, hosts: DomainHosts) -> None:
        self._here, self._others = hosts.names.index(name), hosts.names.index(OTHERS)
        self._places: dict[bytes, int] = {}
        for host, place in hosts.places.items():
            with contextlib.suppress(ValueError):  # not an address
                self._places[ip_address(host).packed] = place

    def takes(self, key: bytes) -> bool:
        """Return whether a direction with this key belongs to the domain."""
        half = (len(key) - 4) // 2
        one, other = self._places.get(key[:half]), self._places.get(key[half:-4])
        if one is None or other is None:
            found = one if other is None else other
            return (self._others if found is None else found) == self._here
        return min(one, other) == self._here


class Domain(NamedTuple):
    """One domain."""

    name: str | None
    """None if there is only one."""
    files: tuple[str, ...]
    within: DomainFilter | DomainPackets | None = None
    """None if all connections in its files belong to it."""


def domains_of(files: Iterable[str], how: str, hosts: DomainHosts | None = None) -> list[Domain]:
    """Return the domains of an archive.

    If `how` is empty there is one, with `folder` one for each folder, with `auto` those of `hosts`;
    else those that it names, as `east=10.1.0.0/16,10.2.0.0/16;west=10.3.0.0/16`, and `others`: a
    connection belongs to the first one with an endpoint of it.

    Raises:
        StreamsharkError: `how` is invalid, or `auto` while no hosts are known.
    """
    files = tuple(files)
    if not how:
        return [Domain(None, files)]
    if how == FOLDER:
        folders: dict[str, list[str]] = {}
        for each in files:
            folders.setdefault(PurePath(each).parent.name, []).append(each)
        return [Domain(name, tuple(found)) for name, found in folders.items()]
    if how == AUTO:
        if hosts is None:
            raise StreamsharkError("site auto is only supported by `spark run`")
        return [Domain(name, files, DomainPackets(name, hosts)) for name in hosts.names]
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


def narrowed(capture: Capture, within: DomainFilter | DomainPackets | None) -> Capture:
    """Return a capture with the packets of a domain; all others are marked as no packets."""
    return capture if within is None else _Narrowed(capture, within)


class _Narrowed(Capture):
    """A capture restricted to a domain."""

    def __init__(self, capture: Capture, within: DomainFilter | DomainPackets) -> None:
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
