-- A dissector for RabbitMQ Streams as one writes it by hand after Wireshark's own examples: every field of the
-- commands that `bench/generator.py` sends in numbers (Publish, PublishConfirm, Deliver, Credit), the fields that
-- the generated plugin shows too. What the generated one is measured against.

local rmqh = Proto("rmqh", "RabbitMQ Streams (by hand)")

local COMMANDS = { [2] = "publish", [3] = "publish_confirm", [8] = "deliver", [9] = "credit" }
local CHUNKS = { [0] = "user", [1] = "tracking_delta", [2] = "tracking_snapshot" }

local f = rmqh.fields
f.command = ProtoField.string("rmqh.command", "Command")
f.kind = ProtoField.string("rmqh.kind", "Kind")
f.sender = ProtoField.string("rmqh.sender", "Sender")
f.length = ProtoField.uint32("rmqh.length", "Length")
f.size = ProtoField.uint32("rmqh.size", "Size")
f.response = ProtoField.uint16("rmqh.response", "Response", base.DEC, nil, 0x8000)
f.key = ProtoField.uint16("rmqh.key", "Key", base.HEX, COMMANDS, 0x7fff)
f.version = ProtoField.uint16("rmqh.version", "Version")
f.publisher = ProtoField.uint8("rmqh.publisher_id", "Publisher id")
f.subscription = ProtoField.uint8("rmqh.subscription_id", "Subscription id")
f.credit = ProtoField.uint16("rmqh.credit", "Credit")
f.code = ProtoField.uint16("rmqh.response_code", "Response code")
f.correlation = ProtoField.uint32("rmqh.correlation_id", "Correlation id")
f.entry = ProtoField.none("rmqh.published_messages", "Published messages")
f.id = ProtoField.uint64("rmqh.publishing_id", "Publishing id")
f.message = ProtoField.bytes("rmqh.message", "Message")
f.committed = ProtoField.uint64("rmqh.committed_chunk_id", "Committed chunk id")
f.chunk = ProtoField.none("rmqh.chunk", "Chunk")
f.magic = ProtoField.uint8("rmqh.chunk.magic", "Magic", base.DEC, nil, 0xf0)
f.layout = ProtoField.uint8("rmqh.chunk.version", "Version", base.DEC, nil, 0x0f)
f.type = ProtoField.uint8("rmqh.chunk.chunk_type", "Chunk type", base.DEC, CHUNKS)
f.entries = ProtoField.uint16("rmqh.chunk.num_entries", "Num entries")
f.records = ProtoField.uint32("rmqh.chunk.num_records", "Num records")
f.timestamp = ProtoField.int64("rmqh.chunk.timestamp", "Timestamp")
f.epoch = ProtoField.uint64("rmqh.chunk.epoch", "Epoch")
f.chunk_id = ProtoField.uint64("rmqh.chunk.chunk_id", "Chunk id")
f.crc = ProtoField.uint32("rmqh.chunk.chunk_crc", "Chunk crc", base.HEX)
f.data_length = ProtoField.uint32("rmqh.chunk.data_length", "Data length")
f.trailer = ProtoField.uint32("rmqh.chunk.trailer_length", "Trailer length")
f.bloom = ProtoField.uint8("rmqh.chunk.bloom_size", "Bloom size")
f.reserved = ProtoField.uint24("rmqh.chunk.reserved", "Reserved")
f.record = ProtoField.none("rmqh.chunk.entries", "Entries")
f.data = ProtoField.bytes("rmqh.chunk.entries.data", "Data")

local function length_of(tvb, _, offset) return tvb(offset, 4):uint() + 4 end

local function publish(tvb, tree)
  tree:add(f.publisher, tvb(8, 1))
  local at = 13
  while at + 12 <= tvb:len() do
    local size = tvb(at + 8, 4):uint()
    local item = tree:add(f.entry, tvb(at, 12 + size))
    item:add(f.id, tvb(at, 8))
    item:add(f.message, tvb(at + 12, size))
    at = at + 12 + size
  end
end

local function confirm(tvb, tree)
  tree:add(f.publisher, tvb(8, 1))
  for at = 13, tvb:len() - 8, 8 do tree:add(f.id, tvb(at, 8)) end
end

local function deliver(tvb, tree)
  tree:add(f.subscription, tvb(8, 1))
  local at = 9
  if tvb(6, 2):uint() == 2 then
    tree:add(f.committed, tvb(at, 8))
    at = at + 8
  end
  local chunk = tree:add(f.chunk, tvb(at))
  chunk:add(f.magic, tvb(at, 1))
  chunk:add(f.layout, tvb(at, 1))
  chunk:add(f.type, tvb(at + 1, 1))
  chunk:add(f.entries, tvb(at + 2, 2))
  chunk:add(f.records, tvb(at + 4, 4))
  chunk:add(f.timestamp, tvb(at + 8, 8))
  chunk:add(f.epoch, tvb(at + 16, 8))
  chunk:add(f.chunk_id, tvb(at + 24, 8))
  chunk:add(f.crc, tvb(at + 32, 4))
  chunk:add(f.data_length, tvb(at + 36, 4))
  chunk:add(f.trailer, tvb(at + 40, 4))
  chunk:add(f.bloom, tvb(at + 44, 1))
  chunk:add(f.reserved, tvb(at + 45, 3))
  at = at + 48
  while at + 4 <= tvb:len() do
    local size = tvb(at, 4):uint()
    local item = chunk:add(f.record, tvb(at, 4 + size))
    item:add(f.data, tvb(at + 4, size))
    at = at + 4 + size
  end
end

local function dissect(tvb, pinfo, root)
  local key = bit.band(tvb(4, 2):uint(), 0x7fff)
  local name = COMMANDS[key] or "other"
  local tree = root:add(rmqh, tvb(), "RabbitMQ Streams, " .. name)
  tree:add(f.command, name):set_generated()
  tree:add(f.kind, "command"):set_generated()
  tree:add(f.sender, pinfo.dst_port == 5552 and "client" or "server"):set_generated()
  tree:add(f.length, tvb:len()):set_generated()
  tree:add(f.size, tvb(0, 4))
  tree:add(f.response, tvb(4, 2))
  tree:add(f.key, tvb(4, 2))
  tree:add(f.version, tvb(6, 2))
  local told = ""
  if key == 2 then
    publish(tvb, tree)
    told = " publisher=" .. tvb(8, 1):uint() .. " messages=" .. tvb(9, 4):uint()
  elseif key == 3 then
    confirm(tvb, tree)
    told = " publisher=" .. tvb(8, 1):uint() .. " confirmed=" .. tvb(9, 4):uint()
  elseif key == 8 then
    deliver(tvb, tree)
    told = " subscription=" .. tvb(8, 1):uint()
  elseif key == 9 and tvb:len() >= 11 then
    tree:add(f.subscription, tvb(8, 1))
    tree:add(f.credit, tvb(9, 2))
    told = " subscription=" .. tvb(8, 1):uint() .. " credit=" .. tvb(9, 2):uint()
  elseif tvb:len() >= 12 then
    tree:add(f.correlation, tvb(8, 4))
  end
  pinfo.cols.protocol = "RMQH"
  pinfo.cols.info:append(name .. told .. " ")
  return tvb:len()
end

function rmqh.dissector(tvb, pinfo, root)
  pinfo.cols.info:clear()
  dissect_tcp_pdus(tvb, root, 8, length_of, dissect)
  return tvb:len()
end

DissectorTable.get("tcp.port"):add(5552, rmqh)
