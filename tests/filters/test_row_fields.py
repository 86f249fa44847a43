"""The fields that filters of rows may name."""

from tests.filters.reading import CAPTURES, PUBLISH, read

from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields, endpoints, is_in
from streamshark.filters.syntax import parse


def test_endpoints() -> None:
    """Of both versions of IP."""
    one, other = endpoints(("1.2.3.4:5", "[fe80::1]:6"))

    assert one == (4, 0x01020304, 5)
    assert (other.version, other.port, other.address & 0xFFFF) == (6, 6, 1)
    assert endpoints(("", ""))[0].version == 0


def test_names_are_found_by_their_beginning() -> None:
    """Protocols, commands, members, headers, and the other side's."""
    fields = RowFields(read(PUBLISH).fields)

    def starting(prefix: str) -> list[str]:
        return [each.name for each in fields.starting(prefix)]

    assert starting("rmqstream.heart") == ["rmqstream.heartbeat"]
    assert starting("tcp.s") == ["tcp.srcport", "tcp.stream"]
    assert starting("conv.t") == ["conv.type"]
    assert "request.rmqstream.open" in starting("request.rmqstream.op")
    assert fields.near("rmqstream.openn", 1) == ["rmqstream.open"]


def test_the_selected_row_is_referred_to() -> None:
    """`${field}` has its values, whatever the row."""
    found = read(PUBLISH)
    fields = RowFields(found.fields)
    same = Filter("rmqstream.command == ${rmqstream.command}", fields)
    before = [row.number for row in found.rows if same(row)]
    fields.selected = next(row for row in found.rows if row.number == 21)

    assert before == []
    assert [row.number for row in found.rows if same(row)] == [14, 16, 21, 22]


def test_layers() -> None:
    """Ranges as those of slices, from 1."""
    node = parse("a#[1,3-4,7:]")
    layers = node.operand.layers  # type: ignore[union-attr]

    assert [each for each in range(10) if is_in(each, layers)] == [1, 3, 4, 7, 8, 9]


def test_protocols_are_there_in_calls_that_carry_their_messages() -> None:
    """The path of the call decides, also in frames without messages."""
    found = read(CAPTURES / "liftbridge" / "basics_py" / "traffic.pcapng.gz")

    assert found.numbers("liftbridge && grpc.call")[:2] == [119, 139]
    assert found.numbers("liftbridge && grpc.status")[:2] == [136, 142]
    assert not found.numbers("pravega")


def test_what_packets_have_is_said() -> None:
    """The error names the option that reads packet fields."""
    fields = RowFields(read(PUBLISH).fields)

    assert "--packets" in fields.missing("tcp.len")
    assert fields.missing("rmqstream.x") == ""
    assert "--packets" in fields.without_bytes("tcp")
    assert fields.without_bytes("rmqstream") == ""


def test_keys_have_the_names_of_commands() -> None:
    """Where the number is coded on the wire."""
    found = read(CAPTURES / "rsocket" / "interactions_go" / "traffic.pcapng")

    assert found.numbers('rsocket.key == "request_stream"') == [14, 17]
    assert found.numbers('rsocket.key matches "^setup$"') == [4]
