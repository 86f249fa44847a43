"""The menu of a packet, in a window that only records calls; releases before 4.4 lack it."""

from pathlib import Path

from tests.judge.judging import tshark
from tests.judge.traffic import CAPTURES, PLUGINS

WINDOW = """
_G.entries = {}
function _G.gui_enabled() return true end
function _G.register_menu() end
function _G.register_packet_menu(...) table.insert(_G.entries, { ... }) end
function _G.set_filter(text) print("filter: " .. text) end
function _G.apply_filter() print("applied") end
_G.TextWindow = { new = function(title)
  return { set = function(_, text) print("window: " .. title .. "\\n" .. text) end }
end }
"""
"""Stands in for the functions that only Wireshark's window has."""
CLICKS = """
local listener = Listener.new("frame", "PROTOCOL")
function listener.packet(info)
  for _, each in ipairs(info.number == PACKET and _G.entries or {}) do
    print("entry: " .. each[1] .. ", " .. each[3])
    each[2](all_field_infos())
  end
end
"""
"""Chooses every entry for one packet."""
EXPECTED = """
entry: RabbitMQ Streams/Follow this conversation, rmqstream
filter: rmqstream.conversation == "0-25-call"
applied
entry: RabbitMQ Streams/Explain, rmqstream
window: RabbitMQ Streams: explanation
Packet 25: unsubscribe
No packet answers it, and it answers none.
It belongs to the conversation 0-25-call.
Findings of its connection:
  packet 10, RMQ-P2: PLAIN sent the password to 127.0.0.1:5553 without TLS
    Usual cause: The connection does not use TLS.
  packet 22, RMQ-D6: chunk 5 was delivered after chunk 5
    Usual cause: The chunk is delivered twice.
With the capture saved as a file, this prints the whole story of the connection:
  streamshark explain --flow 0 FILE
entry: RabbitMQ Streams/Go to the cause, rmqstream
filter: frame.number in {22, 25}
applied
"""

OF_A_CALL = """
entry: Liftbridge/Follow this conversation, liftbridge
filter: tcp.stream == 6 && http2.streamid in {17}
applied
entry: Liftbridge/Explain, liftbridge
window: Liftbridge: explanation
Packet 254: subscribe_request
No packet answers it, and it answers none.
Here: LFB-B1: doors was subscribed to 4 times in a row from the same position, \
and no message arrived in between
Findings of its connection:
  packet 248, LFB-B2: doors was subscribed to 3 times in a row, \
each time from the message after the one that it was read up to
"""
"""Of a message of a call, up to its first finding."""


def chosen(protocol: str, plugin: str, name: str, packet: int, folder: Path) -> list[str]:
    """Return what choosing every entry for a packet prints, without empty lines."""
    window, clicks = folder / "a_window.lua", folder / "z_clicks.lua"
    window.write_text(WINDOW)
    clicks.write_text(CLICKS.replace("PROTOCOL", protocol).replace("PACKET", str(packet)))
    (capture,) = (CAPTURES / name).glob("traffic.*")
    lines = tshark(capture, [window, PLUGINS / f"{plugin}.lua", clicks], "-V").splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("entry: "))
    return [line for line in lines[begin:] if line]


def test_entries_of_a_packet(tmp_path: Path) -> None:
    """They filter by its conversation, explain it, and show the finding that explains it."""
    name = "rabbitmq_stream/bug_deliver_twice"
    told = chosen("rmqstream", "rabbitmq_stream", name, 25, tmp_path)

    assert told[: EXPECTED.count("\n") - 1] == EXPECTED.strip().splitlines()


def test_entries_of_a_call(tmp_path: Path) -> None:
    """They filter by its stream, explain it, and show the finding that explains it."""
    told = chosen("liftbridge", "liftbridge", "liftbridge/bug_paused_while_read", 254, tmp_path)
    last = told.index("entry: Liftbridge/Go to the cause, liftbridge")

    assert told[: OF_A_CALL.count("\n") - 1] == OF_A_CALL.strip("\n").splitlines()
    assert told[last + 1 : last + 3] == ["filter: frame.number == 254", "applied"]
