"""Discovery of domains: independent clusters, found in the captures.

A *scout* reads the first packets of every connection in a file: which hosts talk in a known
protocol, and which hosts servers name as those of their cluster (fields with the role `host`, such
as the brokers of a metadata response). Hosts that are connected in this way are a cluster; the
clusters of all files, and the results of earlier runs, are the domains.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.capture import CaptureError
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.advertised_endpoints import paths, values
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow, Row
from streamshark.flows.ip import key_between
from streamshark.flows.link_layer import UnsupportedLinkType
from streamshark.flows.segment import Flow
from streamshark.framing.wire_format import FrameTable
from streamshark.retirement import RetiredConnection
from streamshark.spark.domains import OTHERS, DomainHosts
from streamshark.spark.read_task import ReadOptions, spare
from streamshark.splits.inputs import opened
from streamshark.splits.partition import dissector_of, passed
from streamshark.splits.split_reader import expected

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder

FIRST: Final = 64
"""Packets of each direction that are read, in each file."""
MOST_CLUSTERS: Final = 16
"""Most clusters that are domains of their own, since each one's tasks skip the packets of all
others. Smaller ones belong to `others`."""
_NOWHERE: Final = frozenset({"", "localhost"})


class SeenHosts(NamedTuple):
    """Relations of hosts in a file."""

    talks: Counter[tuple[str, str]]
    """Hosts of a client and of a server to the number of packets between them."""
    named: set[tuple[str, str]]
    """A server's host, and the address or name of a host that it names as one of its cluster."""


class DomainScout:
    """Reader of the beginnings of connections; `seen` is the result."""

    def __init__(self, known: ReadOptions) -> None:
        options = {**known.options(), "keylog": None}
        self.dissector = dissector_of(options, expects=self._expected)
        self.dissector.on_retired(self._note_retired)
        self.seen = SeenHosts(Counter(), set())
        self._packets: Counter[bytes] = Counter()
        """Packets by addresses and ports of a direction."""
        self._paths: dict[Decoder, tuple[tuple[str, ...], ...]] = {}
        """Paths of the fields with hosts, by decoder."""
        tables = self.dissector.known.tables
        self._usual = {port for each in tables for port in each.wire.ports}
        self._usual |= {*self.dissector.known.decode_as}

    def look(self, batch: PacketBatch) -> None:
        """Process a batch of packets."""
        dissector = self.dissector
        rows = dissector.dissect(dissector.tracker.feed(passed(batch, self._is_wanted)))
        self._learn_endpoints(rows + dissector.retire_due())

    def end(self) -> None:
        """Process the end of the packets."""
        for number, each in self.dissector.undecided.items():
            if self._usual & set(each.flow.ports):
                self._note(number)  # too short to be recognised
        try:
            self._learn_endpoints(self.dissector.finish((0, 0, 0)))
        except UnsupportedLinkType:
            return
        for number in self.dissector.tracker.flows.followed:
            self._note_spoken(number, self.dissector.connections.get(number))

    def _is_wanted(self, key: bytes) -> bool:
        self._packets[key] += 1
        return self._packets[key] <= FIRST

    def _expected(self, flow: Flow) -> FrameTable | None:
        """Return the protocol of the port for a connection without a SYN: detection costs much."""
        return expected(self.dissector.known, flow) if flow.client is None else None

    def _note_retired(self, retired: RetiredConnection) -> None:
        self._note_spoken(retired.flow.number, retired.connection)

    def _note_spoken(self, number: int, connection: Connection | None) -> None:
        """Count a connection that has frames."""
        splitters = connection.splitters if connection is not None else ()
        if any(each is not None and each.framed for each in splitters):
            self._note(number)

    def _note(self, number: int) -> None:
        """Count the packets between the hosts of a connection."""
        flow = self.dissector.tracker.flows[number]
        client = self._client(number)
        keys = key_between(*flow.addresses), key_between(*reversed(flow.addresses))
        ends = flow.addresses[client], flow.addresses[1 - client]
        self.seen.talks[_host(ends[0]), _host(ends[1])] += sum(map(self._packets.__getitem__, keys))

    def _client(self, number: int) -> int:
        """Return the client's side; the one with the higher port if it is not proved."""
        client, ports = self.dissector.client(number), self.dissector.tracker.flows[number].ports
        return int(ports[1] > ports[0]) if client is None else client

    def _learn_endpoints(self, rows: Iterable[Row]) -> None:
        """Remember the hosts that rows name."""
        for row in rows:
            if row.__class__ is FrameRow and row.decoder is not None:
                found = self._paths.get(row.decoder)
                if found is None:
                    found = self._paths[row.decoder] = paths(row.decoder.tree)
                for path in found:
                    for each in filter(None, map(_named, values(row.values, path))):
                        number = row.connection.flow.number
                        server = row.connection.flow.addresses[1 - self._client(number)]
                        self.seen.named.add((_host(server), each))


def seen(name: str, known: ReadOptions) -> SeenHosts:
    """Return the relations of hosts in one capture; none if it cannot be read."""
    spare()
    scout = DomainScout(known)
    try:
        with opened(name, 0) as capture:
            for batch in capture.batches():
                scout.look(batch)
    except CaptureError:
        pass  # the judging task reports it
    scout.end()
    return scout.seen


def clusters(found: Iterable[SeenHosts], before: DomainHosts | None) -> DomainHosts:
    """Return the domains of an archive: those of earlier runs, then new ones.

    New hosts that are related to a known host belong to its domain, to the first one if there are
    several. Hosts without such a relation are a new domain, named by the smallest address of its
    servers; only the largest clusters are domains, all others belong to `others`.
    """
    hosts = before or DomainHosts((), {})
    weights: Counter[str] = Counter()
    servers: set[str] = set()
    joined = _Joined(hosts.places)
    for one in found:
        for (client, server), packets in one.talks.items():
            weights[client] += packets
            servers.add(server)
        for pair in (*one.talks, *one.named):
            joined.join(*pair)
    places = dict(hosts.places)
    fresh: list[tuple[int, str, list[str]]] = []
    for group, place in joined.groups():
        first = min((each for each in group if each in servers), key=_order, default=None)
        if place is not None:
            places |= dict.fromkeys(group, place)
        elif first is not None:  # else no one talks to the host
            fresh.append((sum(weights[each] for each in group), first, group))
    return _named_domains(hosts.names, places, fresh)


def _named_domains(
    names: tuple[str, ...], places: dict[str, int], fresh: list[tuple[int, str, list[str]]]
) -> DomainHosts:
    """Return the domains with new clusters, each given by packets, smallest server and hosts."""
    fresh.sort(key=lambda each: (-each[0], _order(each[1])))
    room = max(0, MOST_CLUSTERS - len(names))
    chosen = sorted(fresh[:room], key=lambda each: _order(each[1]))
    found = [*names, *(first for _, first, _ in chosen)]
    for at, (_, _, group) in enumerate(chosen, len(names)):
        places |= dict.fromkeys(group, at)
    if OTHERS not in found:
        found.append(OTHERS)
    for _, _, group in fresh[room:]:
        places |= dict.fromkeys(group, found.index(OTHERS))
    return DomainHosts(tuple(found), places)


class _Joined:
    """New hosts that are related, directly or not; `places` has the known ones."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self._places = places
        self._drawn: dict[str, int] = {}
        """New host that is related to a known one, to the domain of that one."""
        self._leads: dict[str, str] = {}

    def join(self, one: str, other: str) -> None:
        """Note that two hosts are related; they may be the same."""
        for here, there in ((one, other), (other, one)):
            if here not in self._places and there in self._places:
                place = self._places[there]
                self._drawn[here] = min(place, self._drawn.get(here, place))
        new = [self._lead(each) for each in (one, other) if each not in self._places]
        if new:
            self._leads[max(new)] = min(new)

    def groups(self) -> Iterator[tuple[list[str], int | None]]:
        """Yield groups of related hosts, each with the first domain related to it, or None."""
        out: dict[str, list[str]] = {}
        for each in sorted(self._leads):
            out.setdefault(self._lead(each), []).append(each)
        for group in out.values():
            drawn = [self._drawn[each] for each in group if each in self._drawn]
            yield group, min(drawn, default=None)

    def _lead(self, one: str) -> str:
        leads = self._leads
        lead = leads.setdefault(one, one)
        while leads[lead] != lead:
            leads[lead] = lead = leads[leads[lead]]
        return lead


def _host(end: str) -> str:
    """Return the address in `1.2.3.4:5552` or `[::1]:5552`."""
    return end.rpartition(":")[0].strip("[]")


def _order(host: str) -> tuple[int, int]:
    """Return a key that sorts addresses by number."""
    address = ip_address(host)
    return address.version, int(address)


def _named(value: Any) -> str | None:  # noqa: ANN401 - of a field
    """Return the address or name of a host, given with or without a port; None if unspecific."""
    if not isinstance(value, str):
        return None
    host, _, port = value.rpartition(":")
    if not port.isdigit() or (":" in host and not host.startswith("[")):
        host = value
    host = host.strip("[]").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return None if host in _NOWHERE else host
    return None if address.is_unspecified or address.is_loopback else str(address)
