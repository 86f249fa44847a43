"""The sheets of `stats`."""

from pathlib import Path
from typing import Any

from tests.builders import ACK, Conversation
from tests.madeup import parrot_traffic

from streamshark.conversations.conversation import Annotation, Name
from streamshark.conversations.statistics import Batch, Statistics
from streamshark.session import Session
from streamshark.views.statistics import NAMES, sheets
from streamshark.views.statistics_tables import as_json

CONTEXT = {"stream": "nest", "client_product": "Feather", "client_version": "1.2"}


def found(path: str, session: Session | None = None) -> dict[str, list[dict[str, Any]]]:
    """The sheets about a capture."""
    session = session or parrot_traffic.session(path)
    statistics = Statistics()
    for row in session.rows():
        number = getattr(row, "number", 0)
        time = 2_000_000 if number == 3 else None
        row.annotation = Annotation(Name(0, "2", "call"), CONTEXT, 2 if time else None, time)
        statistics.take(row)
    return {each.name: as_json(each) for each in sheets(statistics, session)}


def test_commands_streams_and_connections(tmp_path: Path) -> None:
    """Short names of protocols, response times, what each side sent."""
    tables = found(parrot_traffic.write(tmp_path, parrot_traffic.talk()))

    assert set(tables) <= set(NAMES)
    (say,) = [each for each in tables["commands"] if each["command"] == "say"]
    assert (say["protocol"], say["count"], say["errors"]) == ("parrot", 1, 0)
    assert say["least_ns"] == say["greatest_ns"] == 2_000_000
    (nest,) = tables["streams"]
    (connection,) = tables["connections"]
    assert nest["stream"] == "nest"
    assert connection["product"] == "Feather 1.2"
    assert connection["client"] == "10.0.0.1:40000"
    assert nest["client_bytes"] == connection["client_bytes"] > 0


def test_trouble_of_tcp_by_who_has_it(tmp_path: Path) -> None:
    """The client is the client also where the server spoke first."""
    talk = Conversation(server=("10.0.0.2", 7777)).handshake().send(0, parrot_traffic.login())
    talk.raw(0, talk.next[0] - 5, parrot_traffic.login()[-5:], ACK)  # sent again
    talk.raw(1, talk.next[1], window=0)
    (tcp,) = found(parrot_traffic.write(tmp_path, talk))["tcp"]

    assert (tcp["client_retransmissions"], tcp["server_retransmissions"]) == (1, 0)
    assert (tcp["client_zero_windows"], tcp["server_zero_windows"]) == (0, 1)
    assert tcp["round_trip_ns"] == tcp["to_server_ns"] + tcp["to_client_ns"] > 0

    late = Conversation(server=("10.0.0.2", 7777)).handshake()
    late.packets.clear()
    late.send(1, parrot_traffic.said() * 4).send(0, parrot_traffic.login() * 4)
    late.raw(0, late.next[0], window=0)
    path = parrot_traffic.write(tmp_path, late)
    (tcp,) = found(path, parrot_traffic.session(path, decode_as={7777: "parrot"}))["tcp"]
    assert (tcp["client_zero_windows"], tcp["server_zero_windows"]) == (1, 0)
    assert tcp["round_trip_ns"] is None


def test_percentiles_of_batches(tmp_path: Path) -> None:
    """Of a frame for each size from 1 to 40: half and 95 % of them are not above these."""
    session = parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk()))
    statistics = Statistics()
    for row in session.rows():
        statistics.take(row)
    batch = statistics.batches["parrot_talk", "say"] = Batch()
    for size in range(1, 41):
        batch.messages.add(size)
        batch.size += 100
    (sheet,) = [each for each in sheets(statistics, session) if each.name == "batches"]

    assert as_json(sheet) == [{
        "protocol": "parrot", "command": "say", "frames": 40, "messages": 820, "mean": 20.5,
        "p50": 20, "p95": 38, "greatest": 40, "bytes_per_message": 4000 / 820,
        "compression_ratio": None,
    }]  # fmt: skip


def test_nothing(tmp_path: Path) -> None:
    """Without frames there are no sheets."""
    assert found(parrot_traffic.write(tmp_path, Conversation().handshake())) == {}


def test_a_recorded_capture() -> None:
    """Batches with their compression."""
    (path,) = (Path(__file__).parents[2] / "captures/rabbitmq_stream/sub_batches_java").glob(
        "traffic.*"
    )
    tables = found("", Session([str(path)]))

    (publish, _) = tables["batches"]
    assert (publish["protocol"], publish["messages"], publish["greatest"]) == ("rmqstream", 205, 40)
    assert publish["compression_ratio"] > 2
