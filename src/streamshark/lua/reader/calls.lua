
-- Messages of calls, inside Wireshark's own gRPC -----------------------------------------------------------------

;(function()

local DIRECTIONS = { ["grpc.message"] = "request", ["grpc.reply"] = "response" } -- slot to what Wireshark calls it
local CONTENT_TYPES = { "application/grpc", "application/grpc+proto" }
local PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" -- what a client of HTTP/2 sends first

local message = Proto(NAME .. "_call", TITLE .. " call")
local by_key = {} -- what Wireshark looks messages up by: content type, path, direction
local ours = {} -- paths of the calls that are of this protocol

function message.dissector(bytes, info, root)
  local call, length = by_key[info.match_string], bytes:len()
  if not call then return 0 end
  begin(bytes, info, root, true)
  if view.columns then info.cols.info:append(" " .. call.name) end
  local shown, judged = what_is_wanted(call, root)
  if not shown and not judged then return length end
  start(bytes, 0, length, 1000)
  local tree = root:add(protocol, bytes(0, length))
  tree:append_text(", " .. call.name:gsub("_", " ") .. ", " .. length .. " bytes")
  root_tree, judged_item = root, tree
  read_apart(bytes(0, length), call.body, shown and tree or nil)
  for _, each in ipairs(problems) do tree:add(header.problem, each.code):set_generated() end
  judged_item = nil
  return length
end

local messages = DissectorTable.get("grpc_message_type")
for _, call in pairs(calls) do
  for slot in pairs(call.slots) do
    for path in pairs(call.paths) do
      ours[path] = true
      for _, content_type in ipairs(CONTENT_TYPES) do
        local key = content_type .. "," .. path .. "," .. DIRECTIONS[slot]
        by_key[key] = call
        messages:add(key, message)
      end
    end
  end
end

-- Calls themselves: a client's headers begin one, those that end a server's half of the stream, or its reset, end it.

local HEADERS, RESET, CONTINUATION = 1, 3, 9 -- types of frames
local END_STREAM, END_HEADERS = 1, 4
local SAID = {} -- what Wireshark's HTTP/2 tells of the frames of a segment, and of the headers in them
for index, name in ipairs({ "type", "streamid", "flags", "header.count", "header.name", "header.value" }) do
  SAID[index] = Field.new("http2." .. name)
end
local WATCHERS = "streamshark.calls" -- where the plugins that follow calls find each other: one of them has a connection

local begun, ended = {}, {} -- segment to the calls that it begins, and ends

function message.init() begun, ended = {}, {} end

local function how_many()
  local counts_of = {}
  for index, each in ipairs(SAID) do counts_of[index] = select("#", each()) end
  return counts_of
end

-- The values that were not there before.
local function news(before)
  local found = {}
  for index, each in ipairs(SAID) do
    found[index] = { select(before[index] + 1, each()) }
    for nth, info in ipairs(found[index]) do found[index][nth] = info.value end
  end
  return unpack(found)
end

local function note_call(all, id, call)
  all[id] = all[id] or {}
  table.insert(all[id], call)
end

local function end_call(open, stream, id, status)
  local call = open[stream]
  if not call or call.side == side_of() then return end
  open[stream], call.last, call.time, call.status = nil, here.number, here.rel_ts - call.mark, status
  note_call(ended, id, call)
end

-- What the frames of a segment say of calls, when they are seen first.
local function follow_calls(id, before)
  local types, ids, flags, counts_of, keys, values = news(before)
  local block, header_at = 0, 0
  conversation.calls = conversation.calls or {}
  local open = conversation.calls
  for index, kind in ipairs(types) do
    local stream = ids[index]
    if (kind == HEADERS or kind == CONTINUATION) and band(flags[index], END_HEADERS) ~= 0 then
      block = block + 1
      local said = {}
      for nth = header_at + 1, header_at + (counts_of[block] or 0) do said[keys[nth] or ""] = values[nth] end
      header_at = header_at + (counts_of[block] or 0)
      local path = said[":path"]
      if path and ours[path] then
        open[stream] = { method = path:match("[^/]*$"), stream = stream, side = side_of(), first = here.number, mark = here.rel_ts }
        note_call(begun, id, open[stream])
      elseif not path and kind == HEADERS and band(flags[index], END_STREAM) ~= 0 then
        local status = tonumber(said["grpc-status"])
        end_call(open, stream, id, STATUSES[status] or tostring(status or STATUSES[-1]))
      end
    elseif kind == RESET then end_call(open, stream, id, "reset") end
  end
end

local function show_call(root, call)
  local tree = root:add(protocol)
  tree:append_text(", call of " .. call.method .. ", stream " .. call.stream)
  return tree
end

-- Shows the calls that a segment begins and ends.
local function show_calls(bytes, info, root, before)
  begin(bytes, info, root, true)
  if not preferences.links then return end
  local id = here.number + before[1] / FINE
  if not begun[id] and not ended[id] then follow_calls(id, before) end
  for _, call in ipairs(view.rooted and begun[id] or {}) do
    local tree = show_call(root, call)
    if call.last then tree:add(header.response, call.last):set_generated() end
  end
  for _, call in ipairs(ended[id] or {}) do
    if view.columns then info.cols.info:append(" " .. call.method .. " status=" .. call.status) end
    if view.rooted then
      local tree = show_call(root, call)
      tree:append_text(": " .. call.status)
      tree:add(header.request, call.first):set_generated()
      tree:add(header.time, time_span(call.time)):set_generated()
    end
  end
end

local watchers = package.loaded[WATCHERS] or {}
package.loaded[WATCHERS] = watchers
watchers[#watchers + 1] = show_calls

-- Wireshark takes no connection for HTTP/2 by itself: those of these ports, and those that begin as it does.
local http2 = Dissector.get("http2")

local found = Proto(NAME .. "_http2", "HTTP/2 (" .. TITLE .. ")")
function found.dissector(bytes, info, root)
  info.can_desegment = 2 -- a dissector that is called has one less
  local before = how_many()
  local used = http2:call(bytes, info, root)
  for _, watch in ipairs(watchers) do watch(bytes, info, root, before) end
  return used
end
if CALL_PORTS ~= "" then DissectorTable.get("tcp.port"):add(CALL_PORTS, found) end
found:register_heuristic("tcp", function(bytes, info, root)
  if bytes:len() < #PREFACE or bytes:raw(0, #PREFACE) ~= PREFACE then return false end
  info.conversation = found
  found.dissector(bytes, info, root)
  return true
end)

end)()
