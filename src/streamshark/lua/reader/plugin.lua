-- What stands inside a field: riders of this protocol, formats of other plugins, JSON and text ---------------

local pinfo, conversation, place -- of the frame that is being read
local piece = false -- true for a fragment, whose slots hold parts of something
local undecoded_riders = 0 -- how deep riders stand in each other

local MOST_DEPTH = 16

-- Reads the whole of `range` with some steps; gives their values, and true when nothing is wrong.
local function read_apart(range, members, shown, tried)
  local saved = { tvb, at, stop, item, v, told, left, problems, first, trial, brief }
  local outer = problems
  tvb, at, stop, item, v, first = range:tvb(), 0, range:len(), shown, setmetatable({}, NOTHING), 0
  told, left, brief = {}, 1000, false
  if tried then problems, trial = {}, true end
  local before = #problems
  local halted = read_all(members)
  if not halted and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  if item and at < stop then item:add(undecoded, tvb(at, stop - at)) end
  local values, sound = v, not halted and #problems == before
  tvb, at, stop, item, v, told, left, problems, first, trial, brief = unpack(saved, 1, 11)
  if not tried then problems = outer end
  return values, sound
end

local function plain_type(text) return (text:match("^[^;]*"):match("^%s*(.-)%s*$")):lower() end

-- The type that the bytes of a slot are said to be of; nil where nothing says it.
local function said_type(slot)
  for _, each in ipairs(slot.types or {}) do
    local value = rawget(v, each.path)
    if value ~= nil then
      if type(value) == "number" then value = each.names[value] or "" end
      return plain_type(value)
    end
  end
  local agreed = slot.agreed and conversation.agreed[slot.agreed]
  return type(agreed) == "string" and plain_type(agreed) or nil
end

local UNPACK = { -- codec to methods of a range that unpack it, as far as this Wireshark has them
  gzip = { "uncompress_zlib", "uncompress" },
  zlib = { "uncompress_zlib", "uncompress" },
  zstd = { "uncompress_zstd" },
}

local function unpacked(range, codec)
  for _, method in ipairs(UNPACK[codec] or {}) do
    local found, call = pcall(function() return range[method] end)
    if found and call then
      local fine, made = pcall(call, range, codec .. " data")
      if fine and made then return made end
      return nil, "not valid " .. codec
    end
  end
end

local MOST_CALLS = 100 -- of dissectors of others for one segment: Wireshark fails at 500 layers in a packet
local calls = 0

-- Hands bytes to a plugin of ours, by its function, or to a dissector of Wireshark; true when it took them.
local function call_dissector(name, range, shown)
  local own = package.loaded["streamshark." .. name]
  if type(own) == "function" then
    local fine, length = pcall(own, range:tvb(), pinfo, shown)
    return fine and length > 0
  end
  local found, dissector = pcall(Dissector.get, name)
  if not found or not dissector or calls >= MOST_CALLS then return false end
  calls = calls + 1
  local column = tostring(pinfo.cols.protocol)
  local fine, length = pcall(function() return dissector:call(range:tvb(), pinfo, shown) end)
  pinfo.cols.protocol = column
  return fine and (length or 0) > 0
end

local function is_plain(raw)
  return raw ~= "" and not raw:find("[%z\1-\8\11\12\14-\31\127]") and is_utf8(raw)
    and not raw:find("\194[\128-\159]")
end

local root_tree -- where plugins add what stands inside of this one's frames

local function bare_hex(raw) return (raw:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

-- Reads a slot with the rider or format that fits; false where none does and the bytes stay bytes.
local function read_with(reader, range, shown, slot, made)
  if reader.magic then
    local opening = range:raw(0, math.min(range:len(), #reader.magic / 2))
    return bare_hex(opening) == reader.magic and call_dissector(reader.format, range, root_tree)
  end
  if reader.format then return call_dissector(reader.format, range, shown) end
  local rider = riders[reader.rider]
  if reader.try and not select(2, read_apart(range, rider.body, nil, true)) then return false end
  local values = read_apart(range, rider.body, shown)
  if slot.holds and rider.whole then
    local n, announced = values["#" .. rider.whole], slot.holds(v)
    if n ~= announced then problem("count", made, at, 0, announced, n) end
  end
  return true
end

function open_slot(made, from, count, shown)
  local slot, range = made.slot, tvb(from, count)
  if piece or undecoded_riders >= MOST_DEPTH then return end
  if slot.codec then
    local number, size = slot.codec(v), slot.size and slot.size(v)
    local codec = slot.codecs[number] or digits(number)
    if codec ~= "none" then
      local data, wrong
      if size and size > math.min(slot.cap, preferences.unpacked) then wrong = "too large to unpack: " .. digits(size) .. " bytes"
      elseif count > 0 then data, wrong = unpacked(range, codec) end
      if wrong then problem("codec", made, from, count, wrong) end
      if not data then
        shown:append_text(" [packed with " .. codec .. "]")
        return
      end
      range = data
    end
    if size and range:len() ~= size then
      problem("claim", made, from, count, size, range:len())
    end
  end
  if range:len() == 0 then return end
  undecoded_riders = undecoded_riders + 1
  local said, done = said_type(slot), false
  if said then
    for _, reader in ipairs(slot.readers) do
      if not done and reader.rider and riders[reader.rider].types[said] then
        done = read_with({ rider = reader.rider }, range, shown, slot, made)
      end
    end
  end
  for _, reader in ipairs(slot.readers) do
    local untyped = not (reader.rider and said and next(riders[reader.rider].types))
    if not done and untyped and not reader.never then done = read_with(reader, range, shown, slot, made) end
  end
  undecoded_riders = undecoded_riders - 1
  if done then return end
  local raw = range:len() <= preferences.text and range:raw() or ""
  local opening = raw:match("^[ \t\r\n]*([%[{])")
  local closing = raw:match("([%]}])[ \t\r\n]*$")
  if said ~= "text/plain" and (opening == "{" and closing == "}" or opening == "[" and closing == "]") then
    call_dissector("json", range, shown)
  end
  if is_plain(raw) then shown:add_packet_field(header.text, range, ENC_UTF_8 + ENC_BIG_ENDIAN):set_generated() end
end

-- The frame as a whole --------------------------------------------------------------------------------------

local function header_field(kind, name, title, ...)
  local made = ProtoField[kind](NAME .. "." .. name, title, ...)
  registered[#registered + 1] = made
  return made
end

header.command = header_field("string", "command", "Command", base.UNICODE, "Name of the command, the same for request and response.")
header.kind = header_field("string", "kind", "Kind", base.UNICODE, "request, response or command.")
header.sender = header_field("string", "sender", "Sender", base.UNICODE, "client, server or peer, where that can be proved.")
header.length = header_field("uint32", "length", "Length", base.DEC, nil, nil, "Bytes on the wire, the length prefix included.")
header.problem = header_field("string", "problem", "Problem", base.UNICODE, "Code of a problem of the frame.")
header.text = header_field("string", "text", "Text", base.UNICODE, "The bytes of a body that are text.")
header.request = header_field("framenum", "request_frame", "Request in", base.NONE, frametype.REQUEST, 0, "The frame that this one answers.")
header.response = header_field("framenum", "response_frame", "Response in", base.NONE, frametype.RESPONSE, 0, "The frame that answers this one.")
header.time = header_field("relative_time", "response_time", "Response time", "Time between request and response.")
undecoded = header_field("bytes", "undecoded", "Undecoded", base.NONE, "Bytes that no field could read.")
if CORRELATES == "string" then
  header.correlation = header_field("string", "correlation_id", "Correlation id", base.UNICODE, "What joins a request and its response.")
elseif CORRELATES then
  header.correlation = header_field(CORRELATES, "correlation_id", "Correlation id", base.DEC, nil, nil, "What joins a request and its response.")
end
if AGREES_VERSION then
  header.version = header_field("uint32", "version", "Version", base.DEC, nil, nil, "Version that the connection agreed.")
end
local own_headers = {}
for _, each in pairs(header) do own_headers[#own_headers + 1] = each end

-- Frames by dialect and by what their head says.
local selected = {}

local function selector_of(key, version, response)
  if type(key) == "string" then return key end
  return (key * 2 + (response and 1 or 0)) * 65536 + (version or 0)
end

for _, each in ipairs(frames) do
  each.steps = {}
  for _, made in ipairs(each.head or {}) do each.steps[#each.steps + 1] = made end
  for _, made in ipairs(each) do each.steps[#each.steps + 1] = made end
  declare_all(each.steps, NAME .. "." .. each.name, "")
  each.fields = {}
  each.title = each.name:gsub("_", " ")
  for _, dialect in ipairs(each.dialects) do
    for _, response in ipairs(each.responses) do
      local own = selected[dialect] or { keys = {} }
      selected[dialect] = own
      local selector = selector_of(each.key, each.version, response)
      own[selector] = own[selector] or {}
      table.insert(own[selector], each)
      own.keys[selector_of(each.key, nil, response)] = true
    end
  end
end
for name, rider in pairs(riders) do declare_all(rider.body, (name:gsub("^" .. SHORT .. "%.", NAME .. ".")), "") end

-- Every field that a frame may add: a filter on one that is not asked for here would find nothing.
local function fields_of(members, into)
  for _, made in ipairs(members) do
    if made.field then into[made.field] = true end
    if made.masked then into[made.masked] = true end
    for _, flag in ipairs(made.flag_fields or {}) do into[flag] = true end
    if made.slot then
      into.slots = true
      for _, reader in ipairs(made.slot.readers or {}) do
        if reader.magic then into.guest = reader.format end
      end
    end
    fields_of(made.members or {}, into)
    fields_of(made.parts or {}, into)
    fields_of(made.arguments or {}, into)
    fields_of(made.pieces or {}, into)
    fields_of(made.clear or {}, into)
    fields_of(made.set or {}, into)
    fields_of(made.default or {}, into)
    fields_of(made.item and { made.item } or {}, into)
    for _, each in pairs(made.fields or {}) do fields_of({ each }, into) end -- of a protobuf message
    fields_of(made.message and { made.message } or {}, into)
    if made.unknown then into[made.unknown] = true end
    for _, arm in pairs(made.cases or {}) do fields_of(arm, into) end
    for _, arm in ipairs(made.arms or {}) do fields_of(arm[2], into) end
    if made.inner then fields_of(made.inner(), into) end
  end
  return into
end

local rider_fields = {}
for _, rider in pairs(riders) do fields_of(rider.body, rider_fields) end
rider_fields.guest = nil
for _, each in ipairs(frames) do
  local own = fields_of(each.steps, {})
  if own.slots then
    for each_field in pairs(rider_fields) do own[each_field] = true end
  end
  each.guest = own.guest -- a plugin whose frames stand inside of this one
  own.slots, own.guest = nil, nil
  for each_field in pairs(own) do each.fields[#each.fields + 1] = each_field end
end

protocol.fields = registered
local all_experts = {}
for _, each in pairs(experts) do all_experts[#all_experts + 1] = each end
protocol.experts = all_experts

-- What is remembered of connections -------------------------------------------------------------------------

local stream_number = Field.new("tcp.stream")
local conversations = {} -- by number of the TCP stream
local lone -- of what came without TCP

local function new_conversation()
  return { dialects = {}, upgraded = {}, agreed = {}, changes = {}, notes = {}, open = { {}, {} }, pieces = { {}, {} }, runs = { {}, {} }, sound = 0 }
end

function protocol.init()
  conversations = {}
  lone = new_conversation()
end

local function conversation_of()
  local number = stream_number()
  if not number then return lone end
  number = number.value
  local found = conversations[number]
  if not found then
    found = new_conversation()
    conversations[number] = found
  end
  return found
end

-- 1 or 2: which side of the connection sends.
local function side_of()
  local source, destination = pinfo.src_port, pinfo.dst_port
  if source ~= destination then return source < destination and 1 or 2 end
  return tostring(pinfo.src) < tostring(pinfo.dst) and 1 or 2
end

-- What is remembered of the frame at this place of the packet; made on the first visit only.
local function note(make)
  local notes = conversation.notes
  local here = notes[pinfo.number]
  if not here then
    if not make then return nil end
    here = {}
    notes[pinfo.number] = here
  end
  if make and not here[place] then here[place] = {} end
  return here[place]
end

-- What the connection had agreed up to this frame.
local function agreed_here()
  local changes = conversation.changes
  for index = #changes, 1, -1 do
    local change = changes[index]
    if change.number < pinfo.number or change.number == pinfo.number and change.place <= place then
      return change.agreed
    end
  end
  return {}
end

local function agree(frame)
  local said, any = {}, false
  for _, each in ipairs(frame.agrees) do
    local value = rawget(v, each.path)
    if value ~= nil and each.mask then value = band(value, each.mask) ~= 0 end
    if value ~= nil then said[each.name], any = value, true end
  end
  if not any then return end
  local agreed = {}
  for name, value in pairs(conversation.agreed) do agreed[name] = value end
  for name, value in pairs(said) do agreed[name] = value end
  conversation.agreed = agreed
  table.insert(conversation.changes, { number = pinfo.number, place = place, agreed = agreed })
end

-- Joins a response to the request of the other side that has its id.
local function link(frame, side)
  local id = rawget(v, frame.correlates)
  if id == nil then return end
  id = frame.command .. " " .. tostring(id)
  if frame.kind == "request" then
    conversation.open[side][id] = { number = pinfo.number, place = place, time = pinfo.rel_ts }
  elseif frame.kind == "response" then
    local request = conversation.open[3 - side][id]
    local own = note(true)
    if not request then
      own.orphan = true
      return
    end
    conversation.open[3 - side][id] = nil
    own.request, own.time = request.number, pinfo.rel_ts - request.time
    local there = conversation.notes[request.number] or {}
    conversation.notes[request.number] = there
    there[request.place] = there[request.place] or {}
    there[request.place].response = pinfo.number
  end
end

-- Whether the next frame of a side is a piece of one that was cut.
local function see_piece(frame, side)
  local id = v[FRAGMENTS.by]
  if FRAGMENTS.ended[frame.name] then
    conversation.pieces[1][id], conversation.pieces[2][id] = nil, nil
    return false
  end
  local open, where = conversation.pieces[side], FRAGMENTS.place and rawget(v, FRAGMENTS.place)
  if FRAGMENTS.begun[frame.name] then -- read by itself too
    open[id] = true
    return false
  end
  local later = FRAGMENTS.continued[frame.name] and open[id]
  if where == 0 or where == 1 or frame.more and band(v[FRAGMENTS.flags], frame.more) ~= 0 then
    open[id] = true
    return true
  end
  if later then open[id] = nil end
  return later or false
end

-- Whether items that run on over frames are cut at the borders of these bytes.
function see_run(from, count)
  if count == 0 then return false end
  local raw, name, here = tvb:raw(from, count), v[RUN.by], tonumber(tostring(v[RUN.position]))
  local runs = conversation.runs[running.side]
  local open = runs[name]
  runs[name] = nil
  if open and open.position ~= here then open = nil end
  local cut, next_one, size = open ~= nil, 0, #RUN.begins
  if open and open.missing then
    if open.missing > count then
      runs[name] = { position = here + count, missing = open.missing - count }
      return true
    end
    next_one = open.missing
  elseif open then
    raw = open.head .. raw
  end
  while next_one + RUN.least <= #raw do
    local a, b, c, d = raw:byte(next_one + size + 1, next_one + size + 4)
    local length = ((a * 256 + b) * 256 + c) * 256 + d
    if raw:sub(next_one + 1, next_one + size) ~= RUN.begins or length > RUN.most then return cut end
    next_one = next_one + RUN.least + length
    if next_one > #raw then
      runs[name] = { position = here + count, missing = next_one - #raw }
      return true
    end
  end
  local rest = raw:sub(next_one + 1)
  if rest == "" or rest:sub(1, size) ~= RUN.begins:sub(1, math.min(size, #rest)) then return cut end
  runs[name] = { position = here + count, head = rest }
  return true
end

-- One frame -------------------------------------------------------------------------------------------------

local between_servers = false -- whether the frame joins two servers
local asked, asked_number, asked_place = {}, 0, 0
local of_carrier -- what is wrong with how a carrier brought the frame

-- Whether somebody wants to see the fields of this kind of frame.
local function is_asked(frame, root)
  local known = asked[frame]
  if known == nil then
    known = frame.guest ~= nil and package.loaded["streamshark." .. frame.guest] ~= nil
    for _, each in ipairs(own_headers) do known = known or root:referenced(each) end
    for _, each in ipairs(frame.fields) do
      if known then break end
      known = root:referenced(each)
    end
    asked[frame] = known
  end
  return known
end

local function arguments(frame)
  local text = ""
  for _, shown in ipairs(frame.shows) do
    local value = told[shown[2]]
    if type(value) == "table" then
      value = table.concat(value, ",", 1, math.min(#value, 3)) .. (#value > 3 and ",..." or "")
    end
    if value then text = text .. " " .. shown[1] .. "=" .. value end
  end
  return text
end

local function start(bytes, from, total, wanted)
  tvb, at, stop, first = bytes, from, from + total, from
  v, told, left, problems = setmetatable({}, NOTHING), {}, wanted, {}
end

local function add_links(tree, own)
  if own.request then
    tree:add(header.request, own.request):set_generated()
    local whole = math.floor(own.time)
    tree:add(header.time, NSTime.new(whole, math.floor((own.time - whole) * 1e9 + 0.5))):set_generated()
  end
  if own.response then tree:add(header.response, own.response):set_generated() end
end

-- Shows a frame; gives its text for the Info column.
local function dissect_frame(bytes, from, total, frame, root, columns, bare)
  local side, first_visit = side_of(), not pinfo.visited
  place = bytes:offset() + from
  local full = root.visible or not columns or is_asked(frame, root)
  local steps = frame.steps
  if frame.proves and not conversation.client then conversation.client = frame.proves == "client" and side or 3 - side end
  piece = false
  if not full or first_visit and (frame.agrees or frame.correlates and frame.kind ~= "command" or FRAGMENTS) then
    start(bytes, from, total, frame.brief + (frame.agrees and 1000 or 0))
    item, brief = nil, true
    running = first_visit and RUN and RUN.command == frame.name and { side = side, part = RUN.part } or nil
    for index = bare and 2 or 1, #steps do
      if left <= 0 or read[steps[index].kind](steps[index]) then break end
    end
    brief = false
    if running and running.piece then note(true).piece = true end
    running = nil
    if first_visit then
      if frame.agrees then agree(frame) end
      if frame.correlates and frame.kind ~= "command" then link(frame, side) end
      if FRAGMENTS and see_piece(frame, side) then note(true).piece = true end
    end
  end
  local own = note() or {}
  piece = own.piece
  if not full then
    root:add(protocol, bytes(from, total))
    return frame.name .. arguments(frame), own
  end
  local agreed = conversation.agreed
  conversation.agreed = agreed_here()
  start(bytes, from, total, 1000)
  telling, root_tree = columns, root
  local tree = root:add(protocol, bytes(from, total))
  tree:append_text(", " .. frame.title .. " (" .. frame.kind .. "), " .. total .. " bytes")
  item = tree
  tree:add(header.command, frame.command):set_generated()
  tree:add(header.kind, frame.kind):set_generated()
  if between_servers then tree:add(header.sender, "peer"):set_generated()
  elseif conversation.client then
    tree:add(header.sender, conversation.client == side and "client" or "server"):set_generated()
  end
  tree:add(header.length, total):set_generated()
  if header.version and not frame.version and conversation.agreed.version then
    tree:add(header.version, conversation.agreed.version):set_generated()
  end
  if of_carrier then problem("carrier", nil, from, 0, of_carrier) end
  local halted
  for index = bare and 2 or 1, #steps do
    halted = read[steps[index].kind](steps[index])
    if halted then break end
  end
  if not halted and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  if at < stop then tree:add(undecoded, bytes(at, stop - at)) end
  local id = frame.correlates and rawget(v, frame.correlates)
  if id ~= nil and header.correlation then
    if type(id) == "number" then
      if CORRELATES == "int64" then id = Int64.new(id) elseif CORRELATES == "uint64" then id = wide(id) end
    end
    tree:add(header.correlation, id):set_generated()
  end
  local text = frame.name .. arguments(frame)
  for index, each in ipairs(problems) do
    tree:add(header.problem, each.code):set_generated()
    if index <= 3 then
      local mark = CODES[each.code].severity == "ERROR" and " [E] " or " [W] "
      text = text .. mark .. each.code .. (each.path and " " .. each.path or "") .. ": " .. each.message
    end
  end
  if #problems > 3 then text = text .. " [" .. #problems - 3 .. " more problems]" end
  add_links(tree, own)
  conversation.agreed = agreed
  telling = true
  return text, own
end

-- Bytes of a frame that no schema is known for.
local function dissect_unknown(bytes, from, total, code, message, root)
  local tree = root:add(protocol, bytes(from, total))
  tree:append_text(", unknown, " .. total .. " bytes")
  item, problems, first, tvb = tree, {}, from, bytes
  tree:add(header.length, total):set_generated()
  tree:add(undecoded, bytes(from, total))
  problem(code, nil, from, total, message)
  tree:add(header.problem, code):set_generated()
  return "unknown length=" .. total .. " [E] " .. code .. ": " .. message
end

-- The dialect of the connection from a line on, which may tell another one than before.
local function dialect_here(bytes, from, length, key)
  if not turned or preferences.dialect ~= "" then return preferences.dialect end
  local changes, here = conversation.dialects, bytes:offset() + from
  local dialect = ""
  if pinfo.visited then
    for _, change in ipairs(changes) do
      if change.number < pinfo.number or change.number == pinfo.number and change.place <= here then
        dialect = change.dialect
      end
    end
    return dialect
  end
  dialect = #changes > 0 and changes[#changes].dialect or ""
  if TURNING[key] then
    local line = bytes:raw(from, math.min(length, 65536)):match("^([^\n]*)") or ""
    local after = turned(dialect, line)
    if after ~= dialect then
      changes[#changes + 1] = { number = pinfo.number, place = here, dialect = after }
      dialect = after
    end
  end
  return dialect
end

-- What the bytes begin that is not this protocol any more; nil for nothing known.
local function upgrade_name(bytes, from)
  for prefix, name in pairs(UPGRADES) do
    if bytes:len() - from >= #prefix and bytes:raw(from, #prefix) == prefix then return name end
  end
end

-- Frames out of a stream ------------------------------------------------------------------------------------

local function frame_of(key, version, response, dialect)
  local found = selected[dialect or preferences.dialect][selector_of(key, version, response)]
  if not found then return nil end
  if #found == 1 then return found[1] end
  local sender
  if conversation.client then sender = conversation.client == side_of() and "client" or "server"
  elseif preferences.servers[pinfo.dst_port] then sender = "client"
  elseif preferences.servers[pinfo.src_port] then sender = "server" end
  for _, each in ipairs(found) do
    if each.sender == sender or each.sender == "both" then return each end
  end
  return found[1]
end

-- Length and schema of the frame that begins here; no schema where its head is not a known one.
local function frame_at(bytes, from, most)
  local head = heads[preferences.dialect]
  local total, key, version, response
  if head.lines then
    total, key = head.measure(bytes, from, most)
    if not total then return nil end
  else
    if most < head.size then return nil end
    total = head.measure(bytes, from)
    key, version, response = head.select(bytes, from)
  end
  if total < head.least or total > head.most then return total, nil, key, version, response end
  return total, frame_of(key, version, response), key, version, response
end

local function foreign_name(bytes, from)
  local best, length = nil, 0
  for prefix, name in pairs(FOREIGN) do
    if #prefix > length and bytes:len() - from >= #prefix and bytes:raw(from, #prefix) == prefix then
      best, length = name, #prefix
    end
  end
  return best
end

-- The first place behind `from` where the head of a known frame stands that fits, or is cut by the end.
local function search(bytes, from, length)
  local head = heads[preferences.dialect]
  for place_of_head = from + 1, length - head.size do
    local total, frame = frame_at(bytes, place_of_head, length - place_of_head)
    if total and frame then
      local after = place_of_head + total
      if after == length then return place_of_head end
      if after + head.size <= length then
        local _, following = frame_at(bytes, after, length - after)
        if following then return place_of_head end
      end
    end
  end
  return length
end

local PROXY_1, PROXY_2 = "PROXY ", "\r\n\r\n\0\r\nQUIT\n"

-- Whether the bytes begin as a preamble does, but for its end.
local function may_be_proxy(bytes, length)
  local raw = bytes:raw(0, math.min(length, 108))
  if #raw < #PROXY_1 then return PROXY_1:sub(1, #raw) == raw or PROXY_2:sub(1, #raw) == raw end
  if raw:sub(1, #PROXY_1) == PROXY_1 then return length < 108 and not raw:find("\n", 1, true) end
  if #raw < #PROXY_2 then return PROXY_2:sub(1, #raw) == raw end
  return raw:sub(1, #PROXY_2) == PROXY_2 and (length < 16 or length < 16 + bytes(14, 2):uint())
end

local function proxy_length(bytes, length)
  if length >= 16 and bytes:raw(0, 12) == PROXY_2 then
    local total = 16 + bytes(14, 2):uint()
    return total <= length and total or 0
  end
  if length >= 8 and bytes:raw(0, 6) == PROXY_1 then
    local line = bytes:raw(0, math.min(length, 107)):match("^[^\n]*\n")
    return line and #line or 0
  end
  return 0
end

local function show_skipped(bytes, from, length, root, why)
  local tree = root:add(protocol, bytes(from, length))
  tree:append_text(", " .. length .. " bytes: " .. why)
  tree:add(undecoded, bytes(from, length))
  return "[" .. length .. " bytes: " .. why .. "]"
end

-- What is left to Wireshark's own dissectors, which recognise it: what we may ride on.
local LEFT_ALONE = { TLS = true, HTTP = next(RIDES) ~= nil }

local MOST_BELIEVED = 65536 -- bytes of a frame with an unknown key that are waited for

local inside_tls = false -- whether the bytes are what TLS has opened

-- What a side goes on as behind an upgrade; TLS is Wireshark's own.
local function dissect_upgraded(bytes, from, root, name)
  local side = side_of()
  conversation.upgraded[side] = conversation.upgraded[side] or { number = pinfo.number, name = name }
  if not name:find("^TLS") then return show_skipped(bytes, from, bytes:len() - from, root, name) end
  local before = pinfo.can_desegment
  inside_tls, pinfo.can_desegment = true, 2 -- a dissector that is called has one less
  Dissector.get("tls"):call(bytes(from):tvb(), pinfo, root)
  inside_tls, pinfo.can_desegment = false, before
  return ""
end

local function dissect_stream(bytes, root, columns)
  local length, reported = bytes:len(), bytes:reported_len()
  local upgraded = conversation.upgraded[side_of()]
  if upgraded and upgraded.number < pinfo.number and not inside_tls then
    return dissect_upgraded(bytes, 0, root, upgraded.name)
  end
  local head = heads[preferences.dialect]
  local from, texts = proxy_length(bytes, length), {}
  if from > 0 then texts[1] = show_skipped(bytes, 0, from, root, "PROXY protocol")
  elseif may_be_proxy(bytes, length) and pinfo.can_desegment > 0 and reported == length then
    pinfo.desegment_offset, pinfo.desegment_len = 0, DESEGMENT_ONE_MORE_SEGMENT
    return ""
  end
  while from < length do
    local rest = length - from
    local total, frame, key, version, response = frame_at(bytes, from, rest)
    if not total then -- the head is not whole
      if pinfo.can_desegment > 0 and reported == length then
        pinfo.desegment_offset, pinfo.desegment_len = from, DESEGMENT_ONE_MORE_SEGMENT
      else
        texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of a frame")
      end
      break
    end
    local sane = total >= head.least and total <= math.min(head.most, preferences.largest)
    if frame and sane then
      if total > rest then
        if pinfo.can_desegment > 0 and reported == length then
          pinfo.desegment_offset, pinfo.desegment_len = from, total - rest
        else
          texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of " .. frame.title)
        end
        break
      end
      between_servers = false
      if turned then
        local dialect = dialect_here(bytes, from, total, key)
        frame = frame_of(key, version, response, dialect)
        between_servers = BETWEEN_SERVERS[dialect] or frame.sender == "peer"
      end
      texts[#texts + 1] = dissect_frame(bytes, from, total, frame, root, columns)
      from = from + total
    else
      local upgrade = not inside_tls and upgrade_name(bytes, from)
      if upgrade then
        texts[#texts + 1] = dissect_upgraded(bytes, from, root, upgrade)
        break
      end
      local foreign = foreign_name(bytes, from)
      local told_unknown = "key " .. tostring(key) .. (version and ", version " .. tostring(version) or "")
      if from == 0 and LEFT_ALONE[foreign] then return nil end
      if foreign then
        texts[#texts + 1] = dissect_unknown(bytes, from, rest, "foreign", "these bytes are " .. foreign, root)
        break
      end
      if sane and total <= MOST_BELIEVED and total > rest and pinfo.can_desegment > 0 and reported == length then
        pinfo.desegment_offset, pinfo.desegment_len = from, total - rest
        break
      end
      local after = sane and total <= MOST_BELIEVED and total <= rest and from + total
      local believed = after == length
      if after and not believed then
        local following, next_frame = frame_at(bytes, after, length - after)
        believed = following == nil or next_frame ~= nil
      end
      if believed then
        local code = "unknown_key"
        if selected[preferences.dialect].keys[selector_of(key, nil, response)] then
          code = "unknown_version"
          told_unknown = "version " .. tostring(version) .. " of key " .. tostring(key)
        elseif response then told_unknown = "response " .. told_unknown end
        texts[#texts + 1] = dissect_unknown(bytes, from, total, code, told_unknown, root)
        from = after
      else
        local found = search(bytes, from, length)
        texts[#texts + 1] = show_skipped(bytes, from, found - from, root, "no frame begins here")
        from = found
      end
    end
  end
  return table.concat(texts, " | ")
end

-- Entry points ----------------------------------------------------------------------------------------------

local function begin(bytes, info)
  pinfo = info
  local number, offset = info.number, bytes:offset()
  if number < asked_number or number == asked_number and offset <= asked_place then asked = {} end
  asked_number, asked_place = number, offset
  conversation = conversation_of()
  calls = 0
end

local function finish(text)
  pinfo.cols.protocol = protocol.name
  local info = pinfo.cols.info
  if text == "" then return end -- only the start of a frame, which comes with a later packet
  info:clear()
  local before = tostring(info)
  info:append((before:find("[^%] ] *$") and before ~= "(info)" and " | " or "") .. text)
  info:fence()
end

local function has_columns() return tostring(pinfo.cols.info) ~= "(info)" end

-- One frame without the length before it, as a WebSocket message or another carrier brings it.
local function dissect_bare(bytes, info, root)
  begin(bytes, info)
  local head = heads[preferences.dialect]
  local length = bytes:len()
  if length + head.prefix < head.least then return 0 end
  local key, version, response = head.select(bytes, -head.prefix)
  local frame = frame_of(key, version, response)
  local bare = head.prefix > 0
  if bare then -- some peers write the length all the same
    local total, framed = frame_at(bytes, 0, length)
    if framed and total == length then
      frame, bare = framed, false
      of_carrier = "a length of " .. head.prefix .. " bytes stands before the frame"
    end
  end
  if not frame then return 0 end
  finish((dissect_frame(bytes, 0, length, frame, root, has_columns(), bare)))
  of_carrier = nil
  return length
end

function protocol.dissector(bytes, info, root)
  if not heads[preferences.dialect].measure then return dissect_bare(bytes, info, root) end
  begin(bytes, info)
  local text = not conversation.left_alone and dissect_stream(bytes, root, has_columns())
  if not text then
    conversation.left_alone = true
    return 0
  end
  finish(text)
  return bytes:len()
end

-- How many frames line up from the first byte, without problems; 0 when one does not.
local function sound_frames(bytes)
  local from, count, length, opening = 0, 0, bytes:len(), false
  while from < length do
    local total, frame = frame_at(bytes, from, length - from)
    if not total or not frame or total > length - from then
      return total and frame and count or (total and 0 or count), opening
    end
    start(bytes, from, total, 1000)
    item = nil
    if read_all(frame.steps) or at ~= stop or #problems > 0 then return 0, false end
    opening = opening or count == 0 and frame.opens
    from, count = from + total, count + 1
  end
  return count, opening
end

-- Recognises a connection by frames that line up. TLS remembers by itself what it found; on TCP the
-- connection is claimed.
local function recognise(bytes, info, root, claims)
  if not preferences.heuristics then return false end
  local servers = preferences.servers
  if servers[info.src_port] or servers[info.dst_port] then return false end -- the port's table brings it
  begin(bytes, info)
  place, piece = 0, true
  if not conversation.claimed then
    local count, opening = sound_frames(bytes)
    conversation.sound = count > 0 and conversation.sound + count or 0
    if not opening and conversation.sound < ENOUGH then return false end
    conversation.claimed = true
  end
  if claims then info.conversation = protocol end
  protocol.dissector(bytes, info, root)
  return true
end

local prefs = protocol.prefs
prefs.ports = Pref.range("TCP ports", PORTS, "Ports that are taken for " .. TITLE .. ".", 65535)
prefs.tls_ports = Pref.range("TLS ports", TLS_PORTS, "Ports on which decrypted TLS is taken for " .. TITLE .. ".", 65535)
prefs.heuristics = Pref.bool("Any port", true, "Recognise connections by their first frames, on any port.")
prefs.largest = Pref.uint("Largest frame", heads[""].most, "Bytes of the largest frame that is waited for.")
prefs.unpacked = Pref.uint("Largest unpacked body", 64 * 1024 * 1024, "Bytes up to which compressed bodies are unpacked.")
prefs.text = Pref.uint("Largest text", 65536, "Bytes of the largest body that is tried as text or JSON.")
prefs.checksums = Pref.bool("Verify checksums", true, "Compute checksums and compare them with those in the frames.")
prefs.secrets = Pref.bool("Show secrets", false, "Show passwords and tokens in the tree.")
if #DIALECTS > 1 then
  local choices = {}
  for index, name in ipairs(DIALECTS) do
    choices[index] = { index, name == "" and "default" or name, index }
  end
  prefs.dialect = Pref.enum("Dialect", 1, "Which layout of the protocol is read.", choices, false)
end

local tcp_ports, secure_ports = "", ""
local tcp, tls = DissectorTable.get("tcp.port"), DissectorTable.get("tls.port")

local function register()
  if tcp_ports ~= prefs.ports then
    if tcp_ports ~= "" then tcp:remove(tcp_ports, protocol) end
    tcp_ports = prefs.ports
    if tcp_ports ~= "" then tcp:add(tcp_ports, protocol) end
  end
  if secure_ports ~= prefs.tls_ports then
    if secure_ports ~= "" then tls:remove(secure_ports, protocol) end
    secure_ports = prefs.tls_ports
    if secure_ports ~= "" then tls:add(secure_ports, protocol) end
  end
  preferences.servers = {}
  for low, high in (tcp_ports .. "," .. secure_ports):gmatch("(%d+)%-?(%d*)") do
    for port = tonumber(low), tonumber(high) or tonumber(low) do preferences.servers[port] = true end
  end
  for _, name in ipairs({ "heuristics", "largest", "unpacked", "text", "checksums", "secrets" }) do
    preferences[name] = prefs[name]
  end
  if #DIALECTS > 1 then preferences.dialect = DIALECTS[prefs.dialect] end
end

protocol.prefs_changed = register
register()
if heads[""].measure then
  tcp:add_for_decode_as(protocol)
  tls:add_for_decode_as(protocol)
  protocol:register_heuristic("tcp", function(bytes, info, root) return recognise(bytes, info, root, true) end)
  protocol:register_heuristic("tls", function(bytes, info, root) return recognise(bytes, info, root, false) end)
end
-- WebSocket: by the name of the protocol, on our ports, or recognised by its frames.
if RIDES["websocket.message"] then
  local bare = Proto(NAME .. "_message", TITLE .. " message")
  function bare.dissector(bytes, info, root) return dissect_bare(bytes, info, root) end
  DissectorTable.get("ws.protocol"):add(SHORT, bare)
  if PORTS ~= "" then DissectorTable.get("ws.port"):add(PORTS, bare) end
  bare:register_heuristic("ws", function(bytes, info, root)
    if not preferences.heuristics then return false end
    begin(bytes, info)
    if not conversation.rides then
      local head = heads[preferences.dialect]
      if bytes:len() + head.prefix < head.least then return false end
      local frame = frame_of(head.select(bytes, -head.prefix))
      local _, framed = frame_at(bytes, 0, bytes:len())
      if not (frame and frame.opens or framed and framed.opens) then return false end
    end
    conversation.rides = dissect_bare(bytes, info, root) > 0
    return conversation.rides
  end)
end
-- WebSocket whose messages are a stream: frames over the border of two messages are not put together.
if RIDES["websocket.bytes"] then
  local carried = Proto(NAME .. "_message", TITLE .. " message")
  function carried.dissector(bytes, info, root)
    begin(bytes, info)
    local before = info.can_desegment
    info.can_desegment = 0
    finish(dissect_stream(bytes, root, has_columns()) or "")
    info.can_desegment = before
    return bytes:len()
  end
  DissectorTable.get("ws.protocol"):add(SHORT, carried)
  carried:register_heuristic("ws", function(bytes, info, root)
    if not preferences.heuristics then return false end
    begin(bytes, info)
    place, piece = 0, true
    if not conversation.rides then
      local count, opening = sound_frames(bytes)
      if not opening and count < ENOUGH then return false end
      conversation.rides = true
    end
    carried.dissector(bytes, info, root)
    return true
  end)
end
