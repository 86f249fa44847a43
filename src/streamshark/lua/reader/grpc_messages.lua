
-- Messages of calls, inside Wireshark's own gRPC -----------------------------------------------------------------
-- Wireshark asks for readers of messages, but not of empty ones, and says nothing of their streams. So the frames of
-- HTTP/2 are walked here as well, for the messages that end in them, and for the ends of calls.

;(function()

local DIRECTIONS = { ["grpc.message"] = "request", ["grpc.reply"] = "response" } -- slot to what Wireshark calls it
local CONTENT_TYPES = { "application/grpc", "application/grpc+proto" }
local PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" -- what a client of HTTP/2 sends first
local RECORD = "\22\3" -- what TLS begins with, which Wireshark recognises where no other dissector takes it
local DATA, HEADERS, RESET, CONTINUATION = 0, 1, 3, 9 -- types of frames
local END_STREAM, END_HEADERS, PADDED = 1, 4, 8
local HEAD, PREFIX = 9, 5 -- bytes before what a frame brings, and before a message
local MOST_CALLS = 4096 -- of a connection that are remembered

local stream_ids = Field.new("http2.streamid")
local SAID = {} -- what Wireshark's HTTP/2 has of header blocks: how many headers each has, names, values
for index, name in ipairs({ "count", "name", "value" }) do SAID[index] = Field.new("http2.header." .. name) end

local message = Proto(NAME .. "_call", TITLE .. " call")
local by_key = {} -- what Wireshark looks messages up by: content type, path, direction
local ours = {} -- paths of the calls that are of this protocol

local segment -- what HTTP/2 is reading, and how far its frames were walked; nil while it reads none
local brought = {} -- segment to what came with it: calls that begin, that end; messages, and the empty ones

function message.init() segment, brought = nil, {} end

local function bring(what, of)
  local own = segment.brings or {}
  brought[segment.id], segment.brings = own, own
  own[what] = own[what] or {}
  table.insert(own[what], of)
end

-- Frames in a segment that are of calls, but for one that its end cuts.
local function frames_of()
  local all, from = {}, data:sub(1, #PREFACE) == PREFACE and #PREFACE or 0
  while #data - from >= HEAD do
    local kind, flags = bytes_at(data, from + 4, from + 5)
    local first_byte, after = from + HEAD, from + HEAD + u24(from)
    if after > #data then break end
    local frame = { kind = kind, flags = flags, stream = u32(from + 5) % 0x80000000, at = first_byte, stop = after }
    if kind == DATA and band(flags, PADDED) ~= 0 and first_byte < after then
      frame.at, frame.stop = first_byte + 1, after - u8(first_byte)
    end
    if kind == DATA or kind == HEADERS or kind == RESET or kind == CONTINUATION then all[#all + 1] = frame end
    from = after
  end
  return all
end

-- The next message that ends in a frame of data: its bytes, and whether they are packed; nil where no more do.
local function next_message(half, frame)
  while frame.at < frame.stop do
    if half.missing then
      local most = math.min(half.missing, frame.stop - frame.at)
      half.missing, frame.at = half.missing - most, frame.at + most
    else
      local most = math.min(PREFIX - #half.prefix, frame.stop - frame.at)
      half.prefix = half.prefix .. segment.data:sub(frame.at + 1, frame.at + most)
      frame.at = frame.at + most
      if #half.prefix == PREFIX then
        local packed, a, b, c, d = half.prefix:byte(1, PREFIX)
        half.size, half.packed = ((a * 256 + b) * 256 + c) * 256 + d, packed ~= 0
        half.missing = half.size
      end
    end
    if half.missing == 0 then
      half.missing, half.prefix = nil, ""
      return half.size, half.packed
    end
  end
end

-- The messages of a call are no longer known one by one: those that follow are no rows, and what was counted is in doubt.
local function lose(call)
  call.lost, conversation.lost = true, true
  talks.lose()
  conversation.epoch = conversation.talk.conn.epoch
end

-- The same of all calls, where bytes are missing.
local function lose_all()
  for _, stream in pairs(conversation.calls.order) do
    local call = conversation.calls[stream]
    if call then call.lost, conversation.lost = true, true end
  end
end

-- What the headers say that end in the next block.
local function headers_here()
  segment.blocks = segment.blocks + 1
  local said = segment.said
  if not said or not said[1][segment.blocks] then
    said = {}
    for index, each in ipairs(SAID) do said[index] = { select(segment.before[index] + 1, each()) } end
    segment.said = said
  end
  local found, from = {}, segment.header
  local count = said[1][segment.blocks]
  segment.header = from + (count and count.value or 0)
  for nth = from + 1, segment.header do
    if said[2][nth] and said[3][nth] then found[said[2][nth].value] = said[3][nth].value end
  end
  return found
end

-- Remembers a call; the oldest makes room.
local function open_call(call)
  local open = conversation.calls
  open[call.stream] = call
  open.last = open.last + 1
  open.order[open.last] = call.stream
  if open.last - open.first >= MOST_CALLS then
    local oldest = open.order[open.first]
    open[oldest], open.order[open.first], open.first = nil, nil, open.first + 1
  end
end

local function end_call(stream, status)
  local call = conversation.calls[stream]
  if not call or call.side == side_of() then return end
  conversation.calls[stream] = nil
  call.last, call.time, call.status = here.number, here.rel_ts - call.mark, status
  bring("ended", call)
end

-- A client's headers begin a call, those that end a server's half of the stream end it.
local function see_headers(frame)
  local said = headers_here()
  local path, kind = said[":path"], (said["content-type"] or ""):match("^[^;%s]*"):lower()
  if path and ours[path] then
    local side = side_of()
    conversation.client = conversation.client or side
    local call = { path = path, method = path:match("[^/]*$"), stream = frame.stream, side = side }
    call.first, call.mark = here.number, here.rel_ts
    call.request, call.response = by_key[kind .. "," .. path .. ",request"], by_key[kind .. "," .. path .. ",response"]
    open_call(call)
    bring("begun", call)
  elseif not path and frame.kind == HEADERS and band(frame.flags, END_STREAM) ~= 0 then
    local status = (said["grpc-status"] or ""):match("^%d%d?%d?%d?$")
    end_call(frame.stream, STATUSES[tonumber(status or -1)] or status)
  end
end

-- What messages of one side of a call are; nil where Wireshark hands them over to no dissector.
local function kind_of(call) return call.side == side_of() and call.request or call.response end

-- What is around a message of a call.
local function carrier_of(call, bytes)
  return call and { columns = { stream_id = call.stream, path = call.path, method = call.method, message = bytes } }
end

-- Follows a message of these bytes as a row of the conversation, with the values `columns`.
local function follow(call, columns, bytes)
  v, around = columns, carrier_of(call, bytes)
  talks.follow(kind_of(call), side_of(), #bytes)
  around = nil
  return { id = id_here, call = call }
end

-- Walks on to the end of the next message with bytes: its call and number of bytes, and whether they are packed; nil at
-- the end of the segment. Empty messages are rows at once.
local function walk_on()
  local open = conversation.calls
  local frame = segment.frames[segment.nth]
  while frame do
    local call, size, packed = open[frame.stream], nil, nil
    if frame.kind == DATA and call and segment.follows and not call.lost and kind_of(call) then
      local side = side_of()
      call[side] = call[side] or { prefix = "" }
      size, packed = next_message(call[side], frame)
    elseif frame.kind == RESET then end_call(frame.stream, "reset")
    elseif frame.kind ~= DATA and band(frame.flags, END_HEADERS) ~= 0 then see_headers(frame) end
    if size == 0 then
      large = false
      next_place()
      bring("empty", follow(call, {}, ""))
    elseif size then return call, size, packed
    else
      segment.nth = segment.nth + 1
      frame = segment.frames[segment.nth]
    end
  end
end

-- The call whose message Wireshark hands over, when it is seen first; nil where that is unknown.
local function call_of(kind, length)
  if conversation.lost then
    local last = select(-1, false, stream_ids())
    local call = last and conversation.calls[last.value]
    if not call or call.lost then return nil end
  end
  local call, size, packed = walk_on()
  if not call then return nil end
  if kind_of(call) == kind and (packed or size == length) then return call end
  lose(call)
end

-- What conversations said of a message, in its tree.
local function show_row(tree, row)
  local own = row and notes[row.id]
  if not own or not preferences.findings then return end
  id_here = row.id
  talks.show_findings(tree, own.findings)
end

function message.dissector(bytes, info, root)
  local kind, length = by_key[info.match_string], bytes:len()
  if not kind then return 0 end
  if segment and segment.number == info.number then pinfo, data = info, length > 0 and bytes:raw() or ""
  else begin(bytes, info, root, true) end
  if view.columns then info.cols.info:append(" " .. kind.name) end
  local shown, judged = what_is_wanted(kind, root)
  local call, row
  if segment and segment.follows then call = call_of(kind, length)
  elseif segment and segment.brings and segment.brings.messages then
    segment.turn = segment.turn + 1
    row = segment.brings.messages[segment.turn]
  end
  if not shown and not judged and not call then
    if segment and segment.follows then bring("messages", false) end
    return length
  end
  if call then next_place() else id_here = row and row.id or here.number end
  start(bytes, 0, length, 1000)
  local tree
  if shown or judged then
    tree = root:add(protocol, bytes(0, length))
    tree:append_text(", " .. kind.title .. ", " .. length .. " bytes")
  end
  root_tree, judged_item = root, tree
  begin_hiding(kind, 0, length)
  v = read_apart(bytes(0, length), kind.body, shown and tree or nil)
  judged_item, veiling = nil, false
  for _, each in ipairs(tree and problems or {}) do tree:add(header.problem, each.code):set_generated() end
  if tree and kind.kind and preferences.findings and conversation.talk and #problems > 0 then
    around = carrier_of(call or row and row.call, data)
    talks.show_findings(tree, talks.judge_problems(kind, side_of(), length))
    around = nil
  end
  if call then row = follow(call, v, data) end
  if segment and segment.follows then bring("messages", row or false) end
  if tree then show_row(tree, row) end
  return length
end

local messages, is_followed = DissectorTable.get("grpc_message_type"), false
for _, kind in pairs(calls) do
  kind.title, is_followed = kind.name:gsub("_", " "), is_followed or kind.kind ~= nil
  for slot in pairs(kind.slots) do
    for path in pairs(kind.paths) do
      ours[path] = true
      for _, content_type in ipairs(CONTENT_TYPES) do
        local key = content_type .. "," .. path .. "," .. DIRECTIONS[slot]
        by_key[key] = kind
        messages:add(key, message)
      end
    end
  end
end

-- Segments that Wireshark's HTTP/2 reads -------------------------------------------------------------------------

local WATCHERS = "streamshark.calls" -- where the plugins that follow calls find each other: one of them has a connection

-- Before HTTP/2 reads a segment.
local function open_segment(bytes, info, root)
  segment = nil
  begin(bytes, info, root)
  local id = here.number + select("#", stream_ids()) / FINE
  segment = { id = id, number = here.number, brings = brought[id], turn = 0, blocks = 0, header = 0, nth = 1, before = {} }
  if not view.tree or id <= (conversation.walked or 0) then return end
  conversation.walked = id
  conversation.calls = conversation.calls or { order = {}, first = 1, last = 0 }
  segment.data, segment.frames = data, frames_of()
  segment.follows = view.follows and is_followed
  for index, each in ipairs(SAID) do segment.before[index] = select("#", each()) end
  if not segment.follows then return end
  if bytes:len() < bytes:reported_len() then talks.lose() end
  local epoch = conversation.talk.conn.epoch
  if conversation.epoch and conversation.epoch ~= epoch then lose_all() end
  conversation.epoch = epoch
end

local function show_call(root, call)
  local tree = root:add(protocol)
  tree:append_text(", call of " .. call.method .. ", stream " .. call.stream)
  return tree
end

local function show_end(info, root, call)
  if view.columns then info.cols.info:append(" " .. call.method .. " status=" .. call.status) end
  if statistics.listening > 0 then statistics.see_call(call) end
  if not view.rooted then return end
  local tree = show_call(root, call)
  tree:append_text(": " .. call.status)
  tree:add(header.request, call.first):set_generated()
  tree:add(header.time, time_span(call.time)):set_generated()
end

-- An empty message, which Wireshark shows to no dissector.
local function show_empty(info, root, row)
  local kind = kind_of(row.call)
  if view.columns then info.cols.info:append(" " .. kind.name) end
  if not view.rooted and not view.judged then return end
  local tree = root:add(protocol)
  tree:append_text(", " .. kind.title .. ", 0 bytes")
  show_row(tree, row)
end

-- Behind what HTTP/2 has read: the rest of the frames, and what they bring.
local function close_segment(info, root)
  if segment.frames then
    local call = walk_on()
    while call do -- whose message Wireshark has handed over to no dissector
      lose(call)
      call = walk_on()
    end
  end
  local brings = segment.brings
  segment = nil
  if not brings then return end
  for _, row in ipairs(brings.empty or {}) do show_empty(info, root, row) end
  if not preferences.links then return end
  for _, call in ipairs(view.rooted and brings.begun or {}) do
    local tree = show_call(root, call)
    if call.last then tree:add(header.response, call.last):set_generated() end
  end
  for _, call in ipairs(brings.ended or {}) do show_end(info, root, call) end
end

local watchers = package.loaded[WATCHERS] or {}
package.loaded[WATCHERS] = watchers
watchers[#watchers + 1] = { open = open_segment, close = close_segment }

-- Wireshark takes no connection for HTTP/2 by itself: those of these ports, and those that begin as it does.
local http2 = Dissector.get("http2")

local found = Proto(NAME .. "_http2", "HTTP/2 (" .. TITLE .. ")")
function found.dissector(bytes, info, root)
  if bytes:len() >= #RECORD and bytes:raw(0, #RECORD) == RECORD then return 0 end
  info.can_desegment = 2 -- a dissector that is called has one less
  for _, watcher in ipairs(watchers) do watcher.open(bytes, info, root) end
  local used = http2:call(bytes, info, root)
  for _, watcher in ipairs(watchers) do watcher.close(info, root) end
  return used
end
if CALL_PORTS ~= "" then DissectorTable.get("tcp.port"):add(CALL_PORTS, found) end
DissectorTable.get("tls.alpn"):add("h2", found) -- in TLS both sides agree on it
found:register_heuristic("tcp", function(bytes, info, root)
  if bytes:len() < #PREFACE or bytes:raw(0, #PREFACE) ~= PREFACE then return false end
  info.conversation = found
  found.dissector(bytes, info, root)
  return true
end)

end)()
