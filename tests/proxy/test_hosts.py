"""Nodes in frames of every protocol that advertises them are replaced, by the roles of fields."""

import pytest

from streamshark.api import encode
from streamshark.errors import StreamsharkError
from streamshark.framing.frame_names import FrameName, decoders_of
from streamshark.protocols.catalog import catalog, find
from streamshark.proxy.hosts import with_replaced_hosts

BROKERS = [
    {"reference": 0, "host": "rabbit-1", "port": 5552},
    {"reference": 7, "host": "rabbit-2", "port": 5552},
]
STREAM = {"stream_name": "s", "response_code": 1, "leader": 7, "replicas": [0]}


def replaced(host: str, port: int) -> tuple[str, int]:
    """The address of a proxy for a node."""
    return f"{host}.a-long-name-of-a-proxy", port + 1


def change(protocol: str, command: str, data: bytes, kind: str | None = None) -> dict[str, object]:
    """The values of a frame after its nodes were replaced."""
    wire = find(protocol, catalog()).wire
    decoder = decoders_of(wire, FrameName(command, kind))[0]
    values, problems = decoder.read(with_replaced_hosts(decoder, data, replaced))
    assert not problems
    return values


def test_brokers_of_rabbitmq_streams() -> None:
    """Each broker of Metadata; streams and references stay."""
    fields = {"correlation_id": 3, "brokers": BROKERS, "streams": [STREAM]}
    data = encode("rabbitmq_stream", "metadata", fields, kind="response")

    values = change("rabbitmq_stream", "metadata", data, "response")
    assert values["brokers"] == [
        {**each, "host": f"{each['host']}.a-long-name-of-a-proxy", "port": 5553} for each in BROKERS
    ]
    assert values["streams"] == [STREAM]
    none = encode("rabbitmq_stream", "metadata", {**fields, "brokers": []}, kind="response")
    assert change("rabbitmq_stream", "metadata", none, "response")["brokers"] == []


def test_what_open_says_of_the_node() -> None:
    """Host and port, which are texts of a map; a map without them, or with odd ones, stays."""
    long = "a.a-long-name-of-a-proxy"
    for pairs, expected in (
        (
            [("advertised_host", "a"), ("x", "y"), ("advertised_port", "5552")],
            [("advertised_host", long), ("x", "y"), ("advertised_port", "5553")],
        ),
        ([("advertised_host", "a")], None),
        ([("advertised_host", "a"), ("advertised_port", "x")], None),
        ([("advertised_host", ""), ("advertised_port", "5552")], None),
        ([], None),
    ):  # fmt: skip
        properties = [{"key": key, "value": value} for key, value in pairs]
        fields = {"correlation_id": 3, "response_code": 1, "connection_properties": properties}
        data = encode("rabbitmq_stream", "open", fields, kind="response")
        found = change("rabbitmq_stream", "open", data, "response")["connection_properties"]
        assert found == [
            {"key": key, "value": value} for key, value in (pairs if expected is None else expected)
        ]


def test_the_right_host_of_a_segment() -> None:
    """Pravega's WrongHost names it as `host:port`; the store leaves it empty."""
    for host, expected in (("10.0.0.1:6000", "10.0.0.1.a-long-name-of-a-proxy:6001"), ("", "")):
        fields = {"request_id": 1, "segment": "s", "correct_host": host, "server_stack_trace": ""}
        data = encode("pravega", "wrong_host", fields)
        assert change("pravega", "wrong_host", data)["correct_host"] == expected


def test_other_bytes_stay_as_they_were() -> None:
    """JSON of NATS in an unusual spelling."""
    wire = find("nats", catalog()).wire
    decoder = decoders_of(wire, FrameName("info"))[0]
    data = (
        b'info \t{"a":1.50 , "port" : 4222,"x":"\\u00e9","host":"::","o":{"port":1,"host":"q"},'
        b'"connect_urls":["1.2.3.4:5","[::1]:6","x"]}  \r\n'
    )

    assert with_replaced_hosts(decoder, data, lambda _host, port: ("::2", port + 1)) == (
        b'info \t{"a":1.50 , "port" : 4223,"x":"\\u00e9","host":"::2","o":{"port":1,"host":"q"},'
        b'"connect_urls":["[::2]:6","[::2]:7","x"]}  \r\n'
    )
    assert with_replaced_hosts(decoder, b"INFO {}\r\n", replaced) == b"INFO {}\r\n"


def test_a_malformed_frame() -> None:
    """It cannot be changed."""
    with pytest.raises(StreamsharkError, match="malformed"):
        change("nats", "info", b"INFO {\r\n")
