"""Endpoints that servers advertise to clients: the nodes of a cluster, by the roles of fields.

A field with the role `host` and the `port` beside it, or a host followed by a port, is an endpoint:
the brokers of a metadata response, the stores that a controller names. An unspecified address
(0.0.0.0) is that of the server that advertises it. A host name counts as an address only if the
capture shows it: a field with the role `server_host` gives the name of the connection's server, and
the only endpoint with the server's own port is that server. No name is looked up.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, cells
from streamshark.dissection.row import FrameRow, Row
from streamshark.schema.nodes import BlobNode

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder
    from streamshark.framing.wire_format import FrameTable
    from streamshark.schema.nodes import Tree

HOST: Final = "host"
"""Role of fields with the address or name of a server of the same cluster."""
SERVER_HOST: Final = "server_host"
"""Role of fields with the name of the connection's server; in a map, the value of a key that ends
in `HOST`."""
PORT: Final = "port"
"""Name of the field beside one of role `HOST`."""
MOST: Final = 10_000
"""Most endpoints, and most names, that are remembered."""
LOCAL: Final = {"127.0.0.1": "localhost", "::1": "localhost"}
"""Addresses whose names are fixed (RFC 6761, section 6.3)."""
LAST_PORT: Final = 65_535
Path = tuple[str, ...]


class Endpoint(NamedTuple):
    """A host, by its address or its name, and a port."""

    host: str
    port: int


def endpoint(text: str) -> Endpoint | None:
    """Return the endpoint in text such as `1.2.3.4:5552`; None for a host alone.

    >>> endpoint("[::1]:5552")
    Endpoint(host='::1', port=5552)
    """
    host, _, port = text.rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) <= LAST_PORT
    if not host or not is_port or (":" in host and not host.startswith("[")):
        return None
    return Endpoint(host_of(host), int(port))


def host_of(text: str) -> str:
    """Return a host in the form in which it is compared: without brackets, in lower case."""
    host = text.strip("[]").lower()
    return host if (address := _address(host)) is None else str(address)


def paths(tree: "Tree", role: str = HOST) -> tuple[Path, ...]:
    """Return the paths of the fields of a role in a frame or record."""
    return tuple(each.path for each in tree.nodes if each.facts.has_role(role))


def values(value: Any, path: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - of any field
    """Yield all values at a path, through lists."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from values(each, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping):
        yield from values(value.get(path[0]), path[1:])


class _Sources(NamedTuple):
    """Members of frames of one kind that may name servers."""

    hosts: tuple[Path, ...]
    own: tuple[Path, ...]
    inside: bool
    """Whether a record in one of the slots may name servers."""


class Advertised:
    """The endpoints that rows advertise, each with the protocol that is spoken there.

    `tables` are those of all protocols; `layers` are the readers of records in slots of frames;
    `slots` are those in which some records name servers.
    """

    def __init__(
        self,
        tables: Iterable["FrameTable"],
        layers: PayloadReaders,
        slots: frozenset[str] = frozenset(),
    ) -> None:
        self._tables = {each.wire.short: each for each in tables}
        self._layers = layers
        self._slots = slots
        self._sources: dict[Decoder, _Sources | None] = {}
        self._advertised: dict[Endpoint, FrameTable] = {}
        self._names: dict[str, dict[str, None]] = {}
        """Address to its names."""

    def learn(self, rows: Iterable[Row]) -> None:
        """Remember the endpoints that rows advertise."""
        known = self._sources
        for row in rows:
            if row.__class__ is FrameRow and (decoder := row.decoder) is not None:
                sources = known[decoder] if decoder in known else self._kind(decoder)
                if sources is not None:
                    self._take(row, decoder, sources)

    def table(self, server: str) -> "FrameTable | None":
        """Return the protocol at an endpoint that a server has advertised; None for others."""
        at = endpoint(server) if self._advertised else None
        if at is None:
            return None
        names = (at.host, *self._names.get(at.host, ()), LOCAL.get(at.host, ""))
        found = (self._advertised.get(Endpoint(each, at.port)) for each in names)
        return next(filter(None, found), None)

    def _kind(self, decoder: "Decoder") -> _Sources | None:
        """Return the members of frames of a kind that may name servers; None without any."""
        tree = decoder.tree
        slots = (each.slot for each in tree.nodes if isinstance(each, BlobNode) and each.slot)
        inside = any(each.name in self._slots for each in slots)
        sources = _Sources(paths(tree), paths(tree, SERVER_HOST), inside)
        self._sources[decoder] = found = sources if any(sources) else None
        return found

    def _take(self, row: FrameRow, decoder: "Decoder", sources: _Sources) -> None:
        connection = row.connection
        client = connection.client
        here = None if client is None else endpoint(connection.flow.addresses[1 - client])
        if here is None:
            return
        for path in sources.own:
            for each in values(row.values, path[:-1]):
                for name in _names(each, path[-1]):
                    self._call(here.host, name)
        if row.sender == "client":
            return
        self._learn(here, connection.table, sources.hosts, row.values)
        for cell in cells(decoder.tree, row.values, row.agreed) if sources.inside else ():
            body = self._layers.body(cell.slot, cell.data, declared=cell.declared)
            if (
                body is not None
                and isinstance(body.reader, EmbeddedRecord)
                and _has_hosts(body.reader)
            ):
                embedded = body.reader
                table = self._tables.get(embedded.id.partition(".")[0], connection.table)
                record = embedded.record_of(body.decoded.value)
                self._learn(here, table, paths(embedded.decoder.tree), record)

    def _learn(
        self,
        here: Endpoint,
        table: "FrameTable",
        sources: Iterable[Path],
        record: Any,  # noqa: ANN401 - of any frame
    ) -> None:
        """Remember the endpoints in a record that the server `here` sent."""
        found = [each for path in sources for each in _endpoints(record, path, here.host)]
        for each in found:
            if len(self._advertised) < MOST and each not in self._advertised:
                self._add(each, table)
        same = {each.host for each in found if each.port == here.port}
        if len(same) == 1:
            self._call(here.host, same.pop())

    def _call(self, address: str, name: str) -> None:
        """Remember a name of an address."""
        is_known = name in self._names.get(address, ())
        if not is_known and _address(name) is None and len(self._names) < MOST:
            self._name(address, name)

    def _add(self, at: Endpoint, table: "FrameTable") -> None:
        """Remember an endpoint that is new."""
        self._advertised.setdefault(at, table)

    def _name(self, address: str, name: str) -> None:
        """Remember a name that is new."""
        self._names.setdefault(address, {})[name] = None


def _has_hosts(embedded: EmbeddedRecord) -> bool:
    return bool(paths(embedded.decoder.tree))


def _address(host: str) -> Any:  # noqa: ANN401 - of either family
    """Return a host as an address; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _names(around: Any, field: str) -> Iterator[str]:  # noqa: ANN401 - a record
    """Yield the names in a field of role `SERVER_HOST`, without ports."""
    value = around.get(field) if isinstance(around, Mapping) else None
    pairs = value if isinstance(value, list) else [{"key": HOST, "value": value}]
    for pair in pairs:
        if isinstance(pair, Mapping) and str(pair.get("key")).endswith(HOST):
            text = pair.get("value")
            if isinstance(text, str) and text:
                at = endpoint(text)
                yield host_of(text) if at is None else at.host


def _endpoints(record: Any, path: Path, here: str) -> Iterator[Endpoint]:  # noqa: ANN401 - of any frame
    """Yield the endpoints at a path; a host without a port is left out."""
    for around in values(record, path[:-1]):
        port = around.get(PORT) if isinstance(around, Mapping) else None
        for text in values(around, path[-1:]):
            if not isinstance(text, str) or not text:
                continue
            at = endpoint(text)
            if at is None and isinstance(port, int) and 0 < port <= LAST_PORT:
                at = Endpoint(host_of(text), port)
            if at is not None:
                address = _address(at.host)
                any_host = address is not None and address.is_unspecified
                yield Endpoint(here, at.port) if any_host else at
