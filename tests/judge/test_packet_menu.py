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
local listener = Listener.new("frame", "rmqstream")
function listener.packet(info)
  for _, each in ipairs(info.number == 25 and _G.entries or {}) do
    print("entry: " .. each[1] .. ", " .. each[3])
    each[2](all_field_infos())
  end
end
"""
"""Chooses every entry for one packet."""
EXPECTED = """
entry: RabbitMQ Streams/Follow this conversation, rmqstream.conversation
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


def test_entries_of_a_packet(tmp_path: Path) -> None:
    """They filter by its conversation, explain it, and show the finding that explains it."""
    window, clicks = tmp_path / "a_window.lua", tmp_path / "z_clicks.lua"
    window.write_text(WINDOW)
    clicks.write_text(CLICKS)
    capture = next((CAPTURES / "rabbitmq_stream/bug_deliver_twice").glob("traffic.*"))
    scripts = [window, PLUGINS / "rabbitmq_stream.lua", clicks]
    lines = tshark(capture, scripts, "-V").splitlines()
    begin = lines.index("entry: RabbitMQ Streams/Follow this conversation, rmqstream.conversation")
    told = [line for line in lines[begin:] if line]

    assert told[: EXPECTED.count("\n") - 1] == EXPECTED.strip().splitlines()
