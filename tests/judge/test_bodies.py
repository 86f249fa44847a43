"""Bodies of messages go to dissectors of others: by tables, by the preference `formats`."""

import subprocess
from pathlib import Path

from tests.builders import Conversation, pcap
from tests.judge.judging import tshark
from tests.judge.traffic import CAPTURES, PLUGINS

OTHERS = """
for index, each in ipairs({
  { "rmqstream.stream", "orders" }, { "nats.subject", "orders.new" },
  { "rsocket.route", "users.find" }, { "rsocket.mime_type", "text/plain" },
  { "pravega.segment", "hand/stream/0.#epoch.0" }, { "liftbridge.stream", "weather" },
}) do
  local other = Proto("other" .. index, "Bodies of " .. each[1])
  local body = ProtoField.string(each[1] .. "_body", "Body")
  other.fields = { body }
  function other.dissector(bytes, info, root)
    root:add(other, bytes()):add(body, bytes())
    return bytes:len()
  end
  DissectorTable.get(each[1]):add(each[2], other)
end
"""
"""A third party's dissectors, one in each table."""
SCENARIOS = (
    "rabbitmq_stream/publish_confirm", "rsocket/composite_metadata_py", "rsocket/resume_go",
    "nats/interactions_py", "pravega/segments_by_hand", "liftbridge/plain_go",
)  # fmt: skip
EXPECTED = {
    "rmqstream.stream": ["first", "message 0", "message 1"],
    "rsocket.route": ['{"id": 0}', '{"id": 1}'],
    "rsocket.mime_type": ["slow 20", "item 0", "item 1"],
    "nats.subject": ["order 0\\r\\nPING\\r\\n", "order 1\\r\\nPING\\r\\n"],
    "pravega.segment": ["first", "first", "second"],
    "liftbridge.stream": ["12 degrees"],
}
"""Table to the first bodies that its dissector is given."""
ORDER = b"\x0a\x02o1\x10\x07"
"""A message of protobuf: text `o1` in field 1, number 7 in field 2."""
SCHEMA = """
syntax = "proto3";
package shop;
message Order { string id = 1; int32 count = 2; }
"""


def shown(capture: Path, fields: list[str], *arguments: str) -> list[list[str]]:
    """Return the values of some fields in all packets, as tshark shows them with all plugins."""
    columns = [part for each in fields for part in ("-e", each)]
    separators = ("-E", "aggregator=|")
    plugins = sorted(PLUGINS.glob("*.lua"))
    lines = tshark(capture, plugins, "-T", "fields", *separators, *columns, *arguments)
    rows = [line.split("\t") for line in lines.splitlines()]
    return [
        [value for row in rows for value in row[at].split("|") if value]
        for at in range(len(fields))
    ]


def test_others_register_in_tables(tmp_path: Path) -> None:
    """One dissector for each protocol's table of streams, and for that of types."""
    script, capture = tmp_path / "z_others.lua", tmp_path / "all.pcapng"
    script.write_text(OTHERS)
    files = [str(next((CAPTURES / each).glob("traffic.*"))) for each in SCENARIOS]
    subprocess.run(["mergecap", "-a", "-w", str(capture), *files], check=True)
    fields = [f"{each}_body" for each in EXPECTED]
    asked = [f"{each.partition('.')[0]}.text" for each in EXPECTED]  # which has bodies read
    bodies = shown(capture, [*fields, *asked], f"-Xlua_script:{script}")[: len(fields)]
    found = {
        name: each[: len(expected)]
        for (name, expected), each in zip(EXPECTED.items(), bodies, strict=True)
    }
    assert found == EXPECTED


def test_a_preference_names_dissectors(tmp_path: Path) -> None:
    """By a pattern of names; protobuf of a type that Wireshark's own preferences find.

    In an envelope of AMQP 1.0 what that holds is meant. Streams of other names stay as they are.
    """
    (tmp_path / "shop.proto").write_text(SCHEMA)
    made = Conversation(server=("10.0.0.2", 5552)).handshake()
    declare = bytes.fromhex("0001 0001 00000001 01 0000 0009") + b"orders-eu"
    entries = [ORDER, b"\x00\x53\x75\xa0" + bytes([len(ORDER)]) + ORDER]
    publish = bytes.fromhex("0002 0001 01 00000002") + b"".join(
        index.to_bytes(8) + len(each).to_bytes(4) + each for index, each in enumerate(entries)
    )
    for frame in (declare, publish):
        made.send(0, len(frame).to_bytes(4) + frame)
    nats = Conversation(server=("10.0.0.2", 4222)).handshake().send(1, b"INFO {}\r\n")
    nats.send(0, b"CONNECT {}\r\n")
    for subject in (b"orders.new", b"other"):
        nats.send(0, b"PUB %b %d\r\n%b\r\n" % (subject, len(ORDER), ORDER))
    capture = tmp_path / "made.pcap"
    capture.write_bytes(pcap([*made.packets, *nats.packets]))
    given = [
        "rmqstream.formats:a=json,orders-*=protobuf:shop.Order",
        "nats.formats:*.new=protobuf:shop.Order",
        f'uat:protobuf_search_paths:"{tmp_path}","TRUE"',
    ]  # fmt: skip
    fields = ["protobuf.message.name", "protobuf.field.value.string", "protobuf.field.value.int32"]
    preferences = [part for each in given for part in ("-o", each)]

    assert shown(capture, fields, *preferences) == [["shop.Order"] * 3, ["o1"] * 3, ["7"] * 3]
    assert shown(capture, fields) == [[], [], []]
