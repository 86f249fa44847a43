-- A dissector for RabbitMQ Streams as one writes it by hand after Wireshark's own examples: every field of the
-- commands that `bench/generator.py` sends in numbers (Publish, PublishConfirm, Deliver, Credit), the fields that
-- the generated plugin shows too. What the generated one is measured against.
-- With the argument "full" it also does what authors add later: links of requests and responses, checksums of chunks.

local full = ... == "full"
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

f.request = ProtoField.framenum("rmqh.request", "Request in", base.NONE, frametype.REQUEST)
f.answer = ProtoField.framenum("rmqh.answer", "Response in", base.NONE, frametype.RESPONSE)
f.time = ProtoField.relative_time("rmqh.time", "Response time")

local wrong = ProtoExpert.new("rmqh.checksum", "Wrong checksum", expert.group.CHECKSUM, expert.severity.ERROR)
rmqh.experts = { wrong }

local stream = Field.new("tcp.stream")
local waiting, links = {}, {} -- requests by connection and id; by packet what the tree shows

function rmqh.init() waiting, links = {}, {} end

local function ask(connection, id, pinfo) waiting[connection .. id] = { number = pinfo.number, time = pinfo.rel_ts } end

local function answer(connection, id, pinfo)
  local request = waiting[connection .. id]
  if not request then return end
  waiting[connection .. id] = nil
  links[pinfo.number] = { request = request.number, time = pinfo.rel_ts - request.time }
  links[request.number] = links[request.number] or { answer = pinfo.number }
end

-- Links what a frame asks or answers, on the first visit; and shows the links.
local function link(tvb, pinfo, tree, key)
  if not pinfo.visited then
    local found = stream()
    local connection = (found and found.value or pinfo.src_port + pinfo.dst_port) .. ":"
    if key == 2 then
      local publisher, at = "p" .. tvb(8, 1):uint() .. ":", 13
      while at + 12 <= tvb:len() do
        ask(connection, publisher .. tostring(tvb(at, 8):uint64()), pinfo)
        at = at + 12 + tvb(at + 8, 4):uint()
      end
    elseif key == 3 then
      local publisher = "p" .. tvb(8, 1):uint() .. ":"
      for at = 13, tvb:len() - 8, 8 do answer(connection, publisher .. tostring(tvb(at, 8):uint64()), pinfo) end
    elseif key ~= 8 and key ~= 9 and tvb:len() >= 12 then
      local id = key .. ":" .. tvb(8, 4):uint()
      if tvb(4, 1):uint() >= 128 then answer(connection, id, pinfo) else ask(connection, id, pinfo) end
    end
  end
  local found = links[pinfo.number]
  if found and found.request then
    tree:add(f.request, found.request):set_generated()
    tree:add(f.time, NSTime.new(0, math.floor(found.time * 1e9))):set_generated()
  elseif found then tree:add(f.answer, found.answer):set_generated() end
end

local crc_of_byte = {}
for index = 0, 255 do
  local crc = index
  for _ = 1, 8 do
    crc = crc % 2 == 1 and bit.bxor(bit.rshift(crc, 1), 0xEDB88320) or bit.rshift(crc, 1)
  end
  crc_of_byte[index] = crc
end

local function verify(tvb, at, chunk)
  local raw, crc = tvb:raw(at + 48, tvb(at + 36, 4):uint()), -1
  for index = 1, #raw do
    crc = bit.bxor(crc_of_byte[bit.band(bit.bxor(crc, raw:byte(index)), 255)], bit.rshift(crc, 8))
  end
  if bit.bnot(crc) % 2 ^ 32 ~= tvb(at + 32, 4):uint() then chunk:add_proto_expert_info(wrong) end
end

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
  if full and tree.visible then verify(tvb, at, chunk) end
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
  if full then link(tvb, pinfo, tree, key) end
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
