-- The menu of a packet, from Wireshark 4.4 on: follow its conversation, explain it, go to the cause ------------------

local packet_menu = {} -- functions of what the fields of a packet say; see `packet_menu.read`

do

local MOST_FINDINGS = 20
local is_message = {} -- names of messages of calls, which have no command
for _, call in pairs(calls) do is_message[call.name] = true end

-- What the fields of a packet say of this protocol: conversations, findings with their sentences, links.
function packet_menu.read(...)
  local told, known = { conversations = {}, calls = {}, findings = {}, commands = {} }, {}
  for _, each in ipairs({ ... }) do
    local name = each.name
    if name == "frame.number" then told.packet = tonumber(tostring(each.value))
    elseif name == "tcp.stream" then told.flow = tonumber(tostring(each.value))
    elseif name == "http2.streamid" then
      local stream = tostring(each.value)
      if stream ~= "0" and not known["call " .. stream] then told.calls[#told.calls + 1], known["call " .. stream] = stream, true end
    elseif name == NAME .. ".command" then table.insert(told.commands, tostring(each.value))
    elseif name == NAME .. ".conversation" then
      local id = tostring(each.value)
      if not known[id] then told.conversations[#told.conversations + 1], known[id] = id, true end
    elseif name == NAME .. ".request_frame" then told.request = tostring(each.value)
    elseif name == NAME .. ".response_frame" then told.response = tostring(each.value)
    elseif name == NAME .. ".response_time" then told.time = tostring(each.value)
    elseif name == NAME .. ".finding.message" then table.insert(told.findings, tostring(each.value))
    elseif name:sub(1, #NAME + 1) == NAME .. "." then
      local kind = name:match("^[^.]*", #NAME + 2)
      if is_message[kind] and not known[kind] then told.commands[#told.commands + 1], known[kind] = kind, true end
    end
  end
  return told
end

-- The display filter of the conversations of a packet, and of its calls of gRPC, whose messages have no conversation.
function packet_menu.follow(told)
  local texts = {}
  if told.calls[1] then
    texts[1] = ("tcp.stream == %d && http2.streamid in {%s}"):format(told.flow, table.concat(told.calls, ", "))
  end
  for _, id in ipairs(told.conversations) do texts[#texts + 1] = NAME .. '.conversation == "' .. id .. '"' end
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
function packet_menu.cause(told)
  local is_own, best, best_rank = {}, nil, 0
  for _, id in ipairs(told.conversations) do is_own[id] = true end
  for _, each in ipairs(all_findings(told.flow)) do
    local rank = talks.ranks[each.severity] + (is_own[each.conversation] and 10 or 0)
    if rank > best_rank then best, best_rank = each, rank end
  end
  return best
end

-- Sentences about a packet: what it is, what it answers, what is wrong with it and with its connection.
function packet_menu.explain(told)
  local commands = #told.commands > 0 and ": " .. table.concat(told.commands, ", ") or ""
  local lines = { ("Packet %d%s"):format(told.packet, commands), "" }
  if told.request then lines[#lines + 1] = ("It answers packet %s%s."):format(told.request, told.time and " after " .. told.time .. " s" or "") end
  if told.response then lines[#lines + 1] = ("Packet %s answers it."):format(told.response) end
  if not told.request and not told.response then lines[#lines + 1] = "No packet answers it, and it answers none." end
  for _, id in ipairs(told.conversations) do lines[#lines + 1] = "It belongs to the conversation " .. id .. "." end
  for _, text in ipairs(told.findings) do lines[#lines + 1] = "Here: " .. text end
  local found, known = all_findings(told.flow), {}
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
  lines[#lines + 1] = ("  streamshark explain --flow %d FILE"):format(told.flow or 0)
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
    local told = packet_menu.read(...)
    local cause = packet_menu.cause(told)
    if cause and cause.packet == told.packet then filter_by(("frame.number == %d"):format(told.packet))
    elseif cause then filter_by(("frame.number in {%d, %d}"):format(cause.packet, told.packet))
    else TextWindow.new(TITLE .. ": cause"):set("No finding of this connection explains packet " .. (told.packet or "") .. ".\n") end
  end, NAME)
end

end
