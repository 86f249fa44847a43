-- AMQP 1.0 messages: the format in which nearly all clients write message bodies.
-- A dissector for Wireshark 4.0 and later, of Streamshark. Other plugins find it by its name, amqp1, and hand
-- it message bodies; where it is not installed they show bytes.
--
-- To install it, copy this file to the folder that Wireshark names in Help > About > Folders as
-- "Personal Lua Plugins", or run `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT
-- Source: OASIS AMQP 1.0, part 1 (types) and part 3, section 3.2 (message format).

local SHORT = "amqp1"
local loaded = "streamshark." .. SHORT
if package.loaded[loaded] then return end -- a second copy of this file, in another folder

local free, protocol = pcall(Proto, SHORT, "AMQP 1.0 message")
if not free then
  print("AMQP 1.0 messages: this Wireshark has a protocol called " .. SHORT .. ", so this one is not loaded")
  return
end

local MOST_DEPTH = 64 -- values inside values
local MOST_VALUES = 100000 -- values of one message

-- Fields ----------------------------------------------------------------------------------------------------

local fields = {}

local function add_field(kind, name, title, ...)
  local made = ProtoField[kind](SHORT .. "." .. name, title, ...)
  fields[name] = made
  return made
end

local SECTIONS = { -- code of the descriptor: name, what it holds, names of the places of a list
  [0x70] = {
    "header", "fields",
    { { "durable", "bool" }, { "priority", "uint8" }, { "ttl", "uint32" }, { "first_acquirer", "bool" },
      { "delivery_count", "uint32" } },
  },
  [0x71] = { "delivery_annotations", "map" },
  [0x72] = { "message_annotations", "map" },
  [0x73] = {
    "properties", "fields",
    { { "message_id", "string" }, { "user_id", "bytes" }, { "to", "string" }, { "subject", "string" },
      { "reply_to", "string" }, { "correlation_id", "string" }, { "content_type", "string" },
      { "content_encoding", "string" }, { "absolute_expiry_time", "int64" }, { "creation_time", "int64" },
      { "group_id", "string" }, { "group_sequence", "uint32" }, { "reply_to_group_id", "string" } },
  },
  [0x74] = { "application_properties", "map" },
  [0x75] = { "data", "bytes" },
  [0x76] = { "amqp_sequence", "list" },
  [0x77] = { "amqp_value", "any" },
  [0x78] = { "footer", "map" },
}
local BY_SYMBOL = {
  ["amqp:header:list"] = 0x70, ["amqp:delivery-annotations:map"] = 0x71, ["amqp:message-annotations:map"] = 0x72,
  ["amqp:properties:list"] = 0x73, ["amqp:application-properties:map"] = 0x74, ["amqp:data:binary"] = 0x75,
  ["amqp:amqp-sequence:list"] = 0x76, ["amqp:amqp-value:*"] = 0x77, ["amqp:footer:map"] = 0x78,
}

local function title_of(name) return ((name:sub(1, 1):upper() .. name:sub(2)):gsub("_", " ")) end

add_field("string", "section", "Section")
for _, section in pairs(SECTIONS) do
  local name, holds = section[1], section[2]
  if holds == "fields" then
    for _, place in ipairs(section[3]) do
      local path = name .. "." .. place[1]
      if place[2] == "string" then add_field("string", path, title_of(place[1]), base.UNICODE)
      elseif place[2] == "bool" or place[2] == "bytes" then add_field(place[2], path, title_of(place[1]))
      else add_field(place[2], path, title_of(place[1]), base.DEC) end
    end
  elseif holds == "map" then
    add_field("string", name .. ".key", "Key", base.UNICODE)
    add_field("string", name .. ".value", "Value", base.UNICODE)
  elseif holds == "bytes" then add_field("bytes", name, title_of(name))
  else add_field("string", name, title_of(name), base.UNICODE) end
end
add_field("string", "data.text", "Text", base.UNICODE, "Data that is text.")
add_field("string", "item", "Item", base.UNICODE, "Of a list, a map or an array inside.")
add_field("bytes", "undecoded", "Undecoded", base.NONE, "Bytes that no section could read.")

local list = {}
for _, each in pairs(fields) do list[#list + 1] = each end
protocol.fields = list

local wrong = ProtoExpert.new(
  SHORT .. ".expert.value", "A value breaks the rules of its format.", expert.group.PROTOCOL, expert.severity.WARN
)
protocol.experts = { wrong }

-- Values ----------------------------------------------------------------------------------------------------

local tvb, at, cut, room, message -- the bytes, the next one, whether a value did not fit, values left, its tree

local function problem(text) message:add_proto_expert_info(wrong, text) end

local function short(stop, wanted)
  problem(wanted .. " bytes needed, " .. stop - at .. " left")
  cut, at = true, stop
  return nil
end

local function digits(value) return type(value) == "number" and string.format("%.0f", value) or tostring(value) end

local function uuid(range)
  return (range:bytes():tohex(true):gsub("^(%x%x%x%x%x%x%x%x)(%x%x%x%x)(%x%x%x%x)(%x%x%x%x)", "%1-%2-%3-%4-"))
end

-- Constructor to bytes behind it, kind, and what makes the value of a range.
local FIXED = {
  [0x40] = { 0, "null", function() return nil end },
  [0x41] = { 0, "boolean", function() return true end }, [0x42] = { 0, "boolean", function() return false end },
  [0x43] = { 0, "uint", function() return 0 end }, [0x44] = { 0, "ulong", function() return 0 end },
  [0x50] = { 1, "ubyte", function(r) return r:uint() end }, [0x51] = { 1, "byte", function(r) return r:int() end },
  [0x52] = { 1, "uint", function(r) return r:uint() end }, [0x53] = { 1, "ulong", function(r) return r:uint() end },
  [0x54] = { 1, "int", function(r) return r:int() end }, [0x55] = { 1, "long", function(r) return r:int() end },
  [0x56] = { 1, "boolean", function(r) return r:uint() ~= 0 end },
  [0x60] = { 2, "ushort", function(r) return r:uint() end }, [0x61] = { 2, "short", function(r) return r:int() end },
  [0x70] = { 4, "uint", function(r) return r:uint() end }, [0x71] = { 4, "int", function(r) return r:int() end },
  [0x72] = { 4, "float", function(r) return r:float() end },
  [0x73] = { 4, "char", function(r) return r:ustring(ENC_UCS_4 + ENC_BIG_ENDIAN) end },
  [0x74] = { 4, "decimal32", function(r) return "0x" .. r:bytes():tohex(true) end },
  [0x80] = { 8, "ulong", function(r) return r:uint64() end }, [0x81] = { 8, "long", function(r) return r:int64() end },
  [0x82] = { 8, "double", function(r) return r:float() end },
  [0x83] = { 8, "timestamp", function(r) return r:int64() end },
  [0x84] = { 8, "decimal64", function(r) return "0x" .. r:bytes():tohex(true) end },
  [0x94] = { 16, "decimal128", function(r) return "0x" .. r:bytes():tohex(true) end },
  [0x98] = { 16, "uuid", uuid },
}
local BLOBS = { -- constructor to bytes of the length, kind
  [0xA0] = { 1, "binary" }, [0xB0] = { 4, "binary" }, [0xA1] = { 1, "string" }, [0xB1] = { 4, "string" },
  [0xA3] = { 1, "symbol" }, [0xB3] = { 4, "symbol" },
}
local COMPOUNDS = { -- constructor to bytes of size and count, kind
  [0x45] = { 0, "list" }, [0xC0] = { 1, "list" }, [0xD0] = { 4, "list" }, [0xC1] = { 1, "map" },
  [0xD1] = { 4, "map" }, [0xE0] = { 1, "array" }, [0xF0] = { 4, "array" },
}

local read_value

-- Text of Wireshark, which has U+FFFD where bytes are no UTF-8 and may end inside of a letter: without the rest of one.
local function whole_letters(text)
  local lead, rest = text:match("([\194-\244])([\128-\191]*)$")
  local missing = lead and (lead >= "\240" and 3 or lead >= "\224" and 2 or 1) > #rest
  return missing and text:sub(1, -2 - #rest) or text
end

-- Each item of a compound is given to `take`; returns how many were read.
local function read_items(code, stop, depth, take)
  local width, kind = COMPOUNDS[code][1], COMPOUNDS[code][2]
  if width == 0 then return 0 end
  if stop - at < 2 * width then return short(stop, 2 * width) end
  local size, count = tvb(at, width):uint(), tvb(at + width, width):uint()
  local behind = at + width + size
  at = at + 2 * width
  local inner = behind
  if behind > stop then
    problem(size .. " bytes announced, " .. stop - at + width .. " left")
    inner = stop
  end
  local n, constructor = 0, nil
  if kind == "array" then
    if at >= inner then
      short(inner, 1)
      return 0
    end
    constructor = tvb(at, 1):uint()
    at = at + 1
  end
  while n < count and room > 0 and not cut and (at < inner or constructor and FIXED[constructor] and FIXED[constructor][1] == 0) do
    local from = at
    local value = read_value(inner, depth + 1, constructor)
    if cut then break end
    n = n + 1
    take(n, value, from)
  end
  if not cut and n < count then problem(count .. " items announced, " .. n .. " present") end
  if not cut and at < inner then problem(inner - at .. " bytes are left in a " .. kind) end
  if behind <= stop then cut = false end -- the size says where to go on
  at = inner
  return n
end

-- The next value: kind, text and range; what is inside compounds in `items`.
function read_value(stop, depth, constructor)
  if cut or at >= stop and not constructor then return short(stop, 1) end
  room = room - 1
  local from = at
  local code = constructor
  if not code then
    code = tvb(at, 1):uint()
    at = at + 1
  end
  local fixed, blob, compound = FIXED[code], BLOBS[code], COMPOUNDS[code]
  if depth > MOST_DEPTH then
    problem("over " .. MOST_DEPTH .. " values inside values")
    cut, at = true, stop
    return nil
  end
  if code == 0 then
    local descriptor = read_value(stop, depth + 1)
    if cut then return nil end
    local value = read_value(stop, depth + 1)
    if cut then return nil end
    value.descriptor, value.from, value.length = descriptor.text, from, at - from
    return value
  elseif fixed then
    local size = fixed[1]
    if stop - at < size then return short(stop, size) end
    local value
    if size > 0 then value = fixed[3](tvb(at, size)) else value = fixed[3]() end
    at = at + size
    local kind = fixed[2]
    local text = type(value) == "boolean" and tostring(value) or kind == "null" and "null"
      or (kind == "float" or kind == "double") and string.format("%.9g", value) or digits(value)
    if type(value) == "string" then text = value end
    return { kind = kind, value = value, text = text, from = from, length = at - from, size = size }
  elseif blob then
    if stop - at < blob[1] then return short(stop, blob[1]) end
    local size = tvb(at, blob[1]):uint()
    at = at + blob[1]
    if stop - at < size then return short(stop, size) end
    local place = at
    at = at + size
    local text = ""
    if blob[2] ~= "binary" and size > 0 then text = whole_letters(tvb(place, size):string(ENC_UTF_8)) end
    if blob[2] == "binary" then text = size > 0 and tvb(place, size):bytes():tohex(true) or "" end
    return { kind = blob[2], text = text, from = from, length = at - from, place = place, size = size }
  elseif compound then
    local items = {}
    read_items(code, stop, depth, function(n, value) items[n] = value end)
    local count = compound[2] == "map" and math.floor(#items / 2) or #items
    local text = count > 0 and compound[2] .. " of " .. count or compound[2] == "map" and "{}" or "[]"
    return { kind = compound[2], text = text, items = items, from = from, length = at - from }
  end
  problem(string.format("no type has the constructor 0x%02x", code))
  cut, at = true, stop
  return nil
end

-- Showing ---------------------------------------------------------------------------------------------------

-- Whether bytes are text that Wireshark, which puts U+FFFD where they are not, leaves as it is.
local function is_plain(raw, range)
  return raw ~= "" and not raw:find("[%z\1-\8\11\12\14-\31\127]") and range:string(ENC_UTF_8) == raw
end

-- A text for the line of an item: what is not printable, or turns the writing direction, is a dot.
local function printable(text)
  text = text:gsub("%c", "."):gsub("\194[\128-\160\173]", "."):gsub("\226\128[\128-\175]", ".")
  return (text:gsub("\226\129[\160-\175]", "."):gsub("\239\187\191", "."))
end

-- The time that a timestamp counts, after it in its line; 0 and less are what programs write that know none.
local function append_time(item, value)
  local seconds = value.kind == "timestamp" and tonumber(digits(value.value)) / 1000
  if seconds and seconds > 0 and seconds < 253402300800 then
    item:append_text(os.date("! (%Y-%m-%d %H:%M:%S", math.floor(seconds)) .. (".%03.0f UTC)"):format(math.floor(seconds * 1000 % 1000)))
  end
end

local function show(tree, name, value)
  local made = fields[name]
  local range = tvb(value.from, value.length)
  local item
  if value.place and value.size > 0 and value.kind ~= "binary" then
    item = tree:add_packet_field(made, tvb(value.place, value.size), ENC_UTF_8 + ENC_BIG_ENDIAN)
  else item = tree:add(made, range, value.text) end
  append_time(item, value)
  if value.descriptor then item:append_text(" (described by " .. value.descriptor .. ")") end
  local items, at_item = value.items or {}, 1
  while items[at_item] do
    show(item, "item", items[at_item])
    at_item = at_item + 1
  end
  return item
end

local first_text -- the text of the first data section that is text

local hand -- gives data to a dissector of others, where a plugin whose message it is knows one

local function show_data(tree, value, pinfo)
  local item = tree:add(fields.data, tvb(value.place, value.size))
  if hand and value.size > 0 then
    local own = tvb
    local taken = hand(tvb(value.place, value.size), item)
    tvb = own
    if taken then return end
  end
  local raw = value.size > 0 and tvb:raw(value.place, value.size) or ""
  if is_plain(raw, tvb(value.place, value.size)) then
    first_text = first_text or raw
    item:add_packet_field(fields["data.text"], tvb(value.place, value.size), ENC_UTF_8 + ENC_BIG_ENDIAN):set_generated()
    local opening, closing = raw:match("^[ \t\r\n]*([%[{])"), raw:match("([%]}])[ \t\r\n]*$")
    if opening == "{" and closing == "}" or opening == "[" and closing == "]" then
      local protocol_column = tostring(pinfo.cols.protocol)
      pcall(function() Dissector.get("json"):call(tvb(value.place, value.size):tvb(), pinfo, item) end)
      pinfo.cols.protocol = protocol_column
    end
  end
end

local function show_place(tree, section, place, value)
  local name, kind = section[1] .. "." .. place[1], place[2]
  local made, range = fields[name], tvb(value.from, value.length)
  if kind == "bool" and value.kind == "boolean" then tree:add(made, range, value.value)
  elseif kind == "bytes" and value.kind == "binary" then tree:add(made, tvb(value.place, value.size))
  elseif kind == "int64" and value.kind == "timestamp" or (kind == "uint32" or kind == "uint8") and type(value.value) == "number" then
    append_time(tree:add(made, range, value.value), value)
  elseif kind == "string" then show(tree, name, value)
  else
    problem(place[1] .. " is a " .. kind .. ", not a " .. value.kind)
    show(tree, "item", value)
  end
end

local WANTED = { fields = "list", map = "map", bytes = "binary", list = "list" }

local function show_section(tree, code, stop, pinfo)
  local section = SECTIONS[code]
  local name, holds = section[1], section[2]
  local from = at
  local value = read_value(stop, 0)
  if not value then
    if from < stop then tree:add(fields.undecoded, tvb(from, stop - from)) end
    return
  end
  if WANTED[holds] and value.kind ~= WANTED[holds] then
    problem("the " .. name .. " section holds a " .. WANTED[holds])
    show(tree, "item", value)
  elseif (holds == "fields" or holds == "map") and #value.items == 0 then
    tree:add(tvb(value.from, value.length), title_of(name) .. ": {}")
  elseif holds == "fields" then
    for index, each in ipairs(value.items) do
      local place = section[3][index]
      if not place then
        problem("the " .. name .. " section has " .. #section[3] .. " fields, not " .. #value.items)
        break
      end
      if each.kind ~= "null" then show_place(tree, section, place, each) end
    end
  elseif holds == "map" then
    for index = 1, #value.items, 2 do
      local name_of, one = value.items[index], value.items[index + 1]
      local own = tree:add(tvb(name_of.from, (one or name_of).from + (one or name_of).length - name_of.from), printable(name_of.text .. ": " .. (one and one.text or "")))
      show(own, name .. ".key", name_of)
      if one then show(own, name .. ".value", one) end
    end
  elseif holds == "bytes" then show_data(tree, value, pinfo)
  else show(tree, name, value) end
end

-- The code of the section whose descriptor stands at a place, nil for none.
local function section_at(place, length)
  if length - place < 3 or tvb(place, 1):uint() ~= 0 then return nil end
  local code = tvb(place + 1, 1):uint()
  local section
  if code == 0x53 then section = tvb(place + 2, 1):uint()
  elseif code == 0x80 and length - place >= 10 and tvb(place + 2, 4):uint() == 0 then section = tvb(place + 6, 4):uint()
  elseif code == 0xA3 then
    local size = tvb(place + 2, 1):uint()
    if length - place >= 3 + size and size > 0 then section = BY_SYMBOL[tvb:raw(place + 3, size)] end
  end
  return SECTIONS[section] and section or nil
end

local function dissect(bytes, pinfo, root, inner)
  tvb, hand = bytes, inner
  local length = bytes:len()
  if not section_at(0, length) then return 0 end
  at, cut, room, first_text = 0, false, MOST_VALUES, nil
  message = root:add(protocol, bytes())
  message:append_text(", " .. length .. " bytes")
  local last
  while at < length and not cut and room > 0 do
    local from, code = at, section_at(at, length)
    if not code then
      problem("no section starts here")
      message:add(fields.undecoded, bytes(from, length - from))
      break
    end
    local section = SECTIONS[code]
    local tree = message:add(fields.section, bytes(from, 1), section[1])
    tree:set_text(title_of(section[1]))
    if last and (code < last or code == last and code ~= 0x75 and code ~= 0x76 or code ~= last and last >= 0x75 and code <= 0x77) then
      problem("a " .. section[1] .. " section after a " .. SECTIONS[last][1] .. " section")
    end
    at = at + 1
    read_value(length, 0)
    show_section(tree, code, length, pinfo)
    tree:set_len(at - from)
    last = code
  end
  return length, first_text
end

function protocol.dissector(bytes, pinfo, root) return (dissect(bytes, pinfo, root)) end
package.loaded[loaded] = dissect -- how other plugins find it, without a layer of Wireshark for each message; gives its text, too
