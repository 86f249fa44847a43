-- What is inside a field: embedded records of this protocol, formats of other plugins, JSON and text ---------------

local pinfo, conversation, place -- of the frame that is being read
local piece = false -- true for a fragment, whose slots hold parts of something
local others_called = 0 -- dissectors of others, for this segment
local root_tree -- where plugins add what stands inside of this one's frames
local AROUND = "streamshark.around" -- where an inner protocol finds what is known of the frame around its own
local hosts = {} -- what hands bytes of slots to inner protocols, and the frame that is being read
local call_dissector
local body_line -- the text of the body that was read last, for the line of the item that it is in

local function bare_hex(raw) return (raw:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

local bodies_of = {} -- dissectors of others for bodies; see bodies.lua

-- Reads the whole of `range` with some steps; gives their values, true when nothing is wrong, and arguments for a line.
-- `tried` is true where it is only found out whether they fit, "line" where only arguments are wanted.
local function read_apart(range, members, shown, tried)
  local saved = { tvb, data, at, stop, item, v, info_texts, left, problems, first, trial, brief, hidden_from }
  local outer = problems
  tvb, at, stop, item, v, first = range:tvb(), 0, range:len(), shown, setmetatable({}, NOTHING), 0
  data = stop > 0 and range:raw() or ""
  info_texts, left, brief, hidden_from = {}, 1000, false, math.huge
  if tried then problems, trial = {}, tried end
  local before = #problems
  local halted = read_all(members)
  if not halted and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  if item and at < stop then add_undecoded(item, at, stop - at) end
  local values, sound, arguments = v, not halted and #problems == before, info_texts
  tvb, data, at, stop, item, v, info_texts, left, problems, first, trial, brief, hidden_from = unpack(saved, 1, 13)
  if not tried then problems = outer end
  return values, sound, arguments
end

local unpacked

do

local PACKED = { gzip = true, snappy = true, lz4 = true, zstd = true, zlib = true, deflate = true }
local RATIO = 40000 -- an announced size of more times the packed bytes is not believed
local UNPACK = { -- codec to methods of a range that unpack it, as far as this Wireshark has them
  gzip = { "uncompress_zlib", "uncompress" },
  zlib = { "uncompress_zlib", "uncompress" },
  zstd = { "uncompress_zstd" },
}

-- What packed bytes hold, nil with what is wrong where anything is; nil alone where this Wireshark cannot tell.
function unpacked(range, codec, count, size, cap)
  if not PACKED[codec] then return nil, "no codec " .. codec .. " is known" end
  if size and (size < 0 or size > math.min(cap, preferences.unpacked, math.max(1, count) * RATIO)) then
    return nil, digits(size) .. " unpacked bytes announced for " .. digits(count) .. " compressed bytes, too many"
  end
  if count == 0 and codec ~= "snappy" then return nil, "not valid " .. codec end
  for _, method in ipairs(UNPACK[codec] or {}) do
    local found, call = pcall(function() return range[method] end)
    if found and call then
      local fine, made = pcall(call, range, codec .. " data")
      if fine and made and size and made:len() > size then return nil, "over " .. digits(size) .. " bytes are packed here" end
      if fine and made then return made end
      return nil, "not valid " .. codec
    end
  end
end

end

local is_read

do -- a scope of its own: Lua takes 200 names in one

local undecoded_records = 0 -- how deep embedded records are in each other
local MOST_DEPTH = 16

local function plain_type(text) return (text:match("^[^;]*"):match("^%s*(.-)%s*$")):lower() end

-- The type that the bytes of a slot are said to be of; nil where nothing says it.
local function said_type(slot)
  local types = slot.types
  for index = 1, types and #types or 0 do
    local each = types[index]
    local value = rawget(v, each.path)
    if value ~= nil then
      if type(value) == "number" then value = each.names[value] or "" end
      return plain_type(value)
    end
  end
  local agreed = slot.agreed and conversation.agreed[slot.agreed]
  return type(agreed) == "string" and plain_type(agreed) or nil
end

-- Whether bytes of this type may hold a secret.
local function is_veiled(slot, said)
  said = said or said_type(slot)
  if not slot.veiled then return said ~= nil and said ~= "" and secrets.is_type(said) end
  return said == nil or slot.veiled[said] or secrets.is_type(said)
end

function hides(slot, said) return not preferences.secrets and is_veiled(slot, said) end

function is_hidden(slot, from, count)
  if preferences.secrets or count == 0 then return false end
  if from >= hidden_from or is_veiled(slot) then return true end
  local raw = secrets.held and data:sub(from + 1, from + count)
  return raw and secrets.may_hold(raw) and #secrets.credentials(raw) > 0 or false
end

-- Reads what may hold a secret without showing it: where a length in it lies, all from there on may be of the secret.
local function is_broken(range, embedded_record)
  local outer = veils.met
  veils.met = false
  local _, sound = read_apart(range, embedded_record.body, nil, "line")
  local found = not sound and veils.met
  veils.met = outer or veils.met
  return found
end

local MOST_CALLS = 100 -- of dissectors of others for one segment: Wireshark fails at 500 layers in a packet
local dissector_called, call_theirs, hand_over

do

local dissectors = {} -- functions of plugins of ours, and dissectors of Wireshark, by name; false where there is none

function dissector_called(name)
  if dissectors[name] == nil then
    local own = package.loaded["streamshark." .. name]
    local found, known = pcall(Dissector.get, name)
    dissectors[name] = type(own) == "function" and own or found and known or false
  end
  return dissectors[name]
end

-- Hands bytes to a plugin of ours, by its function, or to a dissector of Wireshark; true when it took them. `instead`
-- reads them where too many dissectors have been called.
function call_dissector(name, range, shown, instead)
  local dissector = dissector_called(name)
  if type(dissector) == "function" then
    local fine, length, text = pcall(dissector, range:tvb(), pinfo, shown)
    body_line = fine and text or body_line
    return fine and length > 0
  end
  if instead and dissector and others_called >= MOST_CALLS then return instead(range:tvb(), pinfo, shown) > 0 end
  return dissector ~= false and call_theirs(dissector, range, shown)
end

end

-- Hands bytes to a dissector of others; true when it took them.
function call_theirs(dissector, range, shown)
  if others_called >= MOST_CALLS then return false end
  others_called = others_called + 1
  local column = tostring(pinfo.cols.protocol)
  local fine, length = pcall(function() return dissector:call(range:tvb(), pinfo, shown) end)
  pinfo.cols.protocol = column
  return fine and (length or 0) > 0
end

local function is_plain(raw)
  return raw ~= "" and not raw:find("[%z\1-\8\11\12\14-\31\127]") and is_utf8(raw)
    and not raw:find("\194[\128-\159]")
end

-- Whether bytes are all zeros, more than any head has: nothing says what they are.
local function is_blank(range) return range:len() > 8 and not range:raw():find("[^%z]") end

-- Reads a slot with the embedded record or format that fits; false where none does and the bytes stay bytes.
local function read_with(reader, range, shown, slot, made, from)
  if reader.format then return call_dissector(reader.format, range, shown) end
  local embedded_record = embedded_records[reader.embedded_record]
  if reader.try and (is_blank(range) or not select(2, read_apart(range, embedded_record.body, nil, true))) then return false end
  local outer, may_hold = veiling, hides(slot)
  local broken = may_hold and is_broken(range, embedded_record)
  if broken then hidden_from = math.min(hidden_from, from) end
  veiling = may_hold
  if slot.holds and embedded_record.whole then numbering.first = numbering.value end
  local values = read_apart(range, embedded_record.body, not broken and shown or nil)
  veiling, numbering.first = outer, nil
  if slot.holds and embedded_record.whole then
    local n, announced = values["#" .. embedded_record.whole], slot.holds(v)
    if n ~= announced then problem("count", made, at, 0, announced, n) end
  end
  return true
end

-- Whether somebody reads what stands in a slot, but for text: asked once, all plugins are loaded by then.
function is_read(slot)
  if slot.is_read == nil then
    slot.is_read = slot.codec ~= nil
    for _, reader in ipairs(slot.readers) do
      slot.is_read = slot.is_read or not reader.format or dissector_called(reader.format) ~= false
    end
  end
  return slot.is_read
end

local NO_SLOT = { readers = {} } -- stands for the slot of bodies that this protocol does not read

-- Whether an embedded record of this protocol reads all that stands in a slot.
local function is_own(slot)
  for _, each in ipairs(slot.readers) do
    local own = embedded_records[each.embedded_record]
    if own and not each.never and not next(own.types) then return true end
  end
  return false
end

-- Hands a body to the dissector that the preference or a table names for its stream, or a table for its type.
function hand_over(slot, said, range, from, shown)
  if is_own(slot) or hides(slot, said) or is_hidden(slot, from, range:len()) then return false end
  local stream = bodies_of.stream()
  local name, message_type = bodies_of.format(stream)
  local dissector = not name and bodies_of.dissector(stream, said)
  if not name and not dissector then return false end
  local function hand(body, tree)
    if dissector then return call_theirs(dissector, body, tree) end
    if message_type then pinfo.private["pb_msg_type"] = "message," .. message_type end
    return call_dissector(name, body, tree)
  end
  for _, reader in ipairs(slot.readers) do -- what an envelope holds is meant, not the envelope
    local envelope = reader.format and reader.format ~= name and dissector_called(reader.format)
    local fine, length, text
    if type(envelope) == "function" then fine, length, text = pcall(envelope, range:tvb(), pinfo, shown, hand) end
    if fine and length > 0 then
      body_line = text
      return true
    end
  end
  return hand(range, shown)
end

local function read_slot(made, from, count, shown)
  if piece or undecoded_records >= MOST_DEPTH or from >= hidden_from then return end
  local slot, size_here = made.slot or NO_SLOT, count
  if not made.body and not is_read(slot) and (count == 0 or count > preferences.text or data:find("^[%z\1-\8\14-\31]", from + 1)) then return end
  local range = range_of(tvb, from, count)
  if slot.codec then
    local number, size = slot.codec(v), slot.size and slot.size(v)
    local codec = slot.codecs[number] or digits(number)
    if codec ~= "none" then
      local made_of, wrong = unpacked(range, codec, count, size, slot.cap)
      if wrong then note_problem("codec", made, from, count, wrong) end
      if not made_of then
        shown:append_text(" [packed with " .. codec .. "]")
        return
      end
      range = made_of
    end
    size_here = range:len()
    if size and size_here ~= size then
      note_problem("claim", made, from, count, digits(size) .. " unpacked bytes announced, " .. digits(size_here) .. " present")
    end
  end
  for _, reader in ipairs(slot.readers) do
    if reader.magic and hosts.read(reader, range) then return end
  end
  if size_here == 0 then return end
  undecoded_records = undecoded_records + 1
  local said, done, readers = said_type(slot), false, slot.readers
  if said then
    for _, reader in ipairs(readers) do
      if not done and reader.embedded_record and embedded_records[reader.embedded_record].types[said] then
        done = read_with({ embedded_record = reader.embedded_record }, range, shown, slot, made, from)
      end
    end
  end
  if not done and made.body and not is_blank(range) and hand_over(slot, said, range, from, shown) then done = true end
  for index = 1, #readers do
    local reader = readers[index]
    local untyped = not (reader.magic or reader.embedded_record and said and next(embedded_records[reader.embedded_record].types))
    if not done and untyped and not reader.never then done = read_with(reader, range, shown, slot, made, from) end
  end
  undecoded_records = undecoded_records - 1
  if done or hides(slot, said) then return end
  local raw = ""
  if size_here <= preferences.text then raw = slot.codec and range:raw() or data:sub(from + 1, from + count) end
  local opening = raw:match("^[ \t\r\n]*([%[{])")
  local closing = opening and raw:match("([%]}])[ \t\r\n]*$")
  local is_json = said ~= "text/plain" and (opening == "{" and closing == "}" or opening == "[" and closing == "]")
  if is_json and is_utf8(raw) then -- which Wireshark's own would show as it is
    call_dissector("json", range, shown)
  end
  if is_plain(raw) then
    local hidden = hidden_text(made, from, raw)
    body_line = hidden or raw
    local own = hidden and add_hidden(shown, header.text, from, hidden) or not hidden and add_packet(shown, header.text, range, TEXT)
    if own then generated(own) end -- a packet's field gives the value as well
  end
end

-- What a line shows of a slot.

local any_in_info = false -- whether some embedded record shows something
for _, embedded_record in pairs(embedded_records) do any_in_info = any_in_info or embedded_record.shows ~= nil end

-- The embedded record that reads a slot; nil where none does, or something else.
local function record_of(slot, said, range)
  for pass = 1, 2 do
    for _, reader in ipairs(slot.readers) do
      local embedded_record = reader.embedded_record and embedded_records[reader.embedded_record]
      if pass == 1 and embedded_record and said and embedded_record.types[said] then return embedded_record end
      if pass == 2 and not reader.never and not (embedded_record and said and next(embedded_record.types)) then
        if not embedded_record then return nil end
        if not reader.try or not is_blank(range) and select(2, read_apart(range, embedded_record.body, nil, true)) then return embedded_record end
      end
    end
  end
end

local function collect(made, from, count, said)
  if count == 0 or undecoded_records >= MOST_DEPTH then return end
  local range = range_of(tvb, from, count)
  undecoded_records = undecoded_records + 1
  local embedded_record = record_of(made.slot, said, range)
  if embedded_record then
    local outer = veils.met
    veils.met = false
    local _, sound, arguments = read_apart(range, embedded_record.body, nil, "line")
    if not sound and veils.met and hides(made.slot, said) then hidden_from, arguments = math.min(hidden_from, from), {} end
    veils.met = outer or veils.met
    bodies = bodies .. info_line.words(embedded_record.shows or {}, arguments)
  end
  undecoded_records = undecoded_records - 1
end

function body_text(made, from, count)
  local slot = made.slot
  if not slot or made.secret or slot.codec or made.in_info == "many" or count == 0 or from >= hidden_from then
    return bytes_text(made, from, count)
  end
  local said = (slot.veiled or any_in_info) and said_type(slot) or nil
  if bodies then return collect(made, from, count, said) end -- inside of another one
  local text = is_veiled(slot, said) and bytes_text(made, from, count) or readable(from, count)
  if not text then text = count > 8 and "[" .. digits(count) .. " bytes]" or tvb(from, count):bytes():tohex(true) end
  if any_in_info and not piece then
    bodies = ""
    collect(made, from, count, said)
    inner_texts[made.path], bodies = bodies, nil
  end
  return text
end

local MOST_OF_BODY = 256 -- bytes of a body that its line may show, before it is cut

function open_slot(made, from, count, shown)
  local outer = inside
  inside, body_line = outer or made.path, nil
  read_slot(made, from, count, shown)
  inside = outer
  if summary and body_line and body_line ~= "" then
    summary[#summary + 1] = body_line == "***" and body_line or '"' .. quoted(body_line:sub(1, MOST_OF_BODY), true) .. '"'
  end
  body_line = nil
end

end

