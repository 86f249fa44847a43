
-- Messages of calls, inside Wireshark's own gRPC -----------------------------------------------------------------

;(function()

local DIRECTIONS = { ["grpc.message"] = "request", ["grpc.reply"] = "response" } -- slot to what Wireshark calls it
local CONTENT_TYPES = { "application/grpc", "application/grpc+proto" }
local PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" -- what a client of HTTP/2 sends first

local message = Proto(NAME .. "_call", TITLE .. " call")
local by_key = {} -- what Wireshark looks messages up by: content type, path, direction

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
      for _, content_type in ipairs(CONTENT_TYPES) do
        local key = content_type .. "," .. path .. "," .. DIRECTIONS[slot]
        by_key[key] = call
        messages:add(key, message)
      end
    end
  end
end

-- Wireshark takes no connection for HTTP/2 by itself: those of these ports, and those that begin as it does.
local http2 = Dissector.get("http2")
if CALL_PORTS ~= "" then DissectorTable.get("tcp.port"):add(CALL_PORTS, http2) end

local found = Proto(NAME .. "_http2", "HTTP/2 (" .. TITLE .. ")")
function found.dissector(bytes, info, root)
  info.can_desegment = 2 -- a dissector that is called has one less
  return http2:call(bytes, info, root)
end
found:register_heuristic("tcp", function(bytes, info, root)
  if bytes:len() < #PREFACE or bytes:raw(0, #PREFACE) ~= PREFACE then return false end
  info.conversation = found
  found.dissector(bytes, info, root)
  return true
end)

end)()
