-- The menu of a packet, from Wireshark 4.4 on: follow its conversation, explain it, go to the cause ------------------

local packet_menu = {} -- functions of what the fields of a packet say; see `packet_menu.read`

do

local MOST_FINDINGS = 20
local is_message = {} -- names of messages of calls, which have no command
for _, call in pairs(calls) do is_message[call.name] = true end

-- What the fields of a packet say of this protocol: conversations, findings with their sentences, links.
function packet_menu.read(...)
  local seen, known = { conversations = {}, calls = {}, findings = {}, commands = {} }, {}
  for _, each in ipairs({ ... }) do
    local name = each.name
    if name == "frame.number" then seen.packet = tonumber(tostring(each.value))
    elseif name == "tcp.stream" then seen.flow = tonumber(tostring(each.value))
    elseif name == "http2.streamid" then
      local stream = tostring(each.value)
      if stream ~= "0" and not known["call " .. stream] then seen.calls[#seen.calls + 1], known["call " .. stream] = stream, true end
    elseif name == NAME .. ".command" then table.insert(seen.commands, tostring(each.value))
    elseif name == NAME .. ".conversation" then
      local id = tostring(each.value)
      if not known[id] then seen.conversations[#seen.conversations + 1], known[id] = id, true end
    elseif name == NAME .. ".request_frame" then seen.request = tostring(each.value)
    elseif name == NAME .. ".response_frame" then seen.response = tostring(each.value)
    elseif name == NAME .. ".response_time" then seen.time = tostring(each.value)
    elseif name == NAME .. ".finding.message" then table.insert(seen.findings, tostring(each.value))
    elseif name:sub(1, #NAME + 1) == NAME .. "." then
      local kind = name:match("^[^.]*", #NAME + 2)
      if is_message[kind] and not known[kind] then seen.commands[#seen.commands + 1], known[kind] = kind, true end
    end
  end
  return seen
end

-- The display filter of the conversations of a packet, and of its calls of gRPC, whose messages have no conversation.
function packet_menu.follow(seen)
  local texts = {}
  if seen.calls[1] then
    texts[1] = ("tcp.stream == %d && http2.streamid in {%s}"):format(seen.flow, table.concat(seen.calls, ", "))
  end
  for _, id in ipairs(seen.conversations) do texts[#texts + 1] = NAME .. '.conversation == "' .. id .. '"' end
  return table.concat(texts, " || ")
end

-- All findings of some connections, the earliest first: packet, conversation, rule, sentence.
local function all_findings(flow)
  local found = {}
  for id, own in pairs(notes) do
    local begun_as = own.findings and links.conversation[id]
    if begun_as and (not flow or begun_as[1] and (begun_as[1].stream or begun_as[1].flow) == flow) then
      for _, each in ipairs(own.findings) do
        found[#found + 1] = { id = id, packet = math.floor(id), conversation = talks.id_at(id), rule = each.rule, severity = each.severity, text = each.text, cause = each.cause }
      end
    end
  end
  table.sort(found, function(one, other) return one.id < other.id or one.id == other.id and one.rule.id < other.rule.id end)
  return found
end

-- The finding that most likely explains a packet: the earliest of the worst in its conversation, else in its connection.
function packet_menu.cause(seen)
  local is_own, best, best_rank = {}, nil, 0
  for _, id in ipairs(seen.conversations) do is_own[id] = true end
  for _, each in ipairs(all_findings(seen.flow)) do
    local rank = talks.ranks[each.severity] + (is_own[each.conversation] and 10 or 0)
    if rank > best_rank then best, best_rank = each, rank end
  end
  return best
end

-- Sentences about a packet: what it is, what it answers, what is wrong with it and with its connection.
function packet_menu.explain(seen)
  local commands = #seen.commands > 0 and ": " .. table.concat(seen.commands, ", ") or ""
  local lines = { ("Packet %d%s"):format(seen.packet, commands), "" }
  if seen.request then lines[#lines + 1] = ("It answers packet %s%s."):format(seen.request, seen.time and " after " .. seen.time .. " s" or "") end
  if seen.response then lines[#lines + 1] = ("Packet %s answers it."):format(seen.response) end
  if not seen.request and not seen.response then lines[#lines + 1] = "No packet answers it, and it answers none." end
  for _, id in ipairs(seen.conversations) do lines[#lines + 1] = "It belongs to the conversation " .. id .. "." end
  for _, text in ipairs(seen.findings) do lines[#lines + 1] = "Here: " .. text end
  local found, known = all_findings(seen.flow), {}
  lines[#lines + 1] = ""
  lines[#lines + 1] = #found == 0 and "Its connection has no findings." or "Findings of its connection:"
  for index, each in ipairs(found) do
    if index > MOST_FINDINGS then
      lines[#lines + 1] = ("... and %d more"):format(#found - MOST_FINDINGS)
      break
    end
    lines[#lines + 1] = ("  packet %d, %s: %s"):format(each.packet, each.rule.id, as_utf8(each.text))
    if each.cause and each.cause ~= "" and not known[each.cause] then
      lines[#lines + 1], known[each.cause] = "    Usual cause: " .. each.cause, true
    end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "With the capture saved as a file, this prints the whole story of the connection:"
  lines[#lines + 1] = ("  streamshark explain --flow %d FILE"):format(seen.flow or 0)
  return table.concat(lines, "\n") .. "\n"
end

local function filter_by(text)
  set_filter(text)
  apply_filter()
end

-- Registers the entries; releases before 4.4 have no such menu.
if gui_enabled() and type(register_packet_menu) == "function" and talks.follow then
  local title = TITLE:gsub("/", " ")
  register_packet_menu(title .. "/Follow this conversation", function(...)
    local text = packet_menu.follow(packet_menu.read(...))
    if text ~= "" then filter_by(text) else TextWindow.new(TITLE .. ": conversation"):set("No conversation of this packet is known.\n") end
  end, NAME)
  register_packet_menu(title .. "/Explain", function(...)
    TextWindow.new(TITLE .. ": explanation"):set(packet_menu.explain(packet_menu.read(...)))
  end, NAME)
  register_packet_menu(title .. "/Go to the cause", function(...)
    local seen = packet_menu.read(...)
    local cause = packet_menu.cause(seen)
    if cause and cause.packet == seen.packet then filter_by(("frame.number == %d"):format(seen.packet))
    elseif cause then filter_by(("frame.number in {%d, %d}"):format(cause.packet, seen.packet))
    else TextWindow.new(TITLE .. ": cause"):set("No finding of this connection explains packet " .. (seen.packet or "") .. ".\n") end
  end, NAME)
end

end
