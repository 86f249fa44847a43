-- RabbitMQ Streams: the binary protocol of RabbitMQ's append-only logs.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 348ccf924beab226) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate rabbitmq_stream`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local SHORT = "rmqstream"
local TITLE = "RabbitMQ Streams"
local PORTS = "5552"
local TLS_PORTS = "5552,5551"
local DIALECTS = { "", "2020" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "uint32"
local AGREES_VERSION = false
local RIDES = {} -- slots of carriers in which its frames stand
local ENOUGH = 2 -- frames in a row that prove the protocol on any port
local CODES = {
  short = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A field runs past the end of its frame or region.",
    message = "%s bytes are needed, %s are left",
  },
  trailing = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "Bytes are left when every field has been read.",
    message = "%s bytes are left when every field has been read",
  },
  count = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A list's written count differs from the items that are there.",
    message = "%s items are announced, %s are there",
  },
  claim = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A written number differs from what the bytes say.",
    message = "%s is written, the bytes say %s",
  },
  limit = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A length or count is over the limit that its source gives.",
    message = "%s is over the limit of %s",
  },
  negative = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A length or count is negative where null is not allowed.",
    message = "a length or count of %s",
  },
  text = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "Text is not valid in its encoding.",
    message = "not valid %s",
  },
  literal = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "Fixed bytes differ from what must stand here.",
    message = "the fixed bytes differ",
  },
  verb = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text line starts with another verb.",
    message = "the line does not start with %s",
  },
  args = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text line has too few or too many arguments.",
    message = "%s arguments do not fit this line",
  },
  number = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text argument should be a decimal number and is not.",
    message = "%s is not a decimal number of at most nine digits",
  },
  nofit = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "No layout known for this place uses up its bytes.",
    message = "no known layout uses up these %s bytes",
  },
  varint = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A variable-length integer has no end or too many bytes.",
    message = "a variable-length integer has no end",
  },
  wiretype = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A protobuf tag has a wire type that does not exist.",
    message = "a protobuf tag of number %s and wire type %s",
  },
  checksum = {
    group = "CHECKSUM",
    severity = "WARN",
    sentence = "A checksum differs from the one computed over the bytes.",
    message = "%s is written, the bytes give %s",
  },
  codec = {
    group = "UNDECODED",
    severity = "WARN",
    sentence = "Compressed bytes cannot be unpacked, or exceed the cap.",
    message = "%s",
  },
  value = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A self-describing value breaks the rules of its format.",
    message = "%s",
  },
  unknown_key = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "No command has this key.",
    message = "%s",
  },
  unknown_version = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "The command is known, this version of it is not.",
    message = "%s",
  },
  length = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "The frame's length is outside the limits of the protocol.",
    message = "%s",
  },
  carrier = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "What carries the frame is used against its rules.",
    message = "%s",
  },
  foreign = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "The bytes belong to another protocol.",
    message = "%s",
  },
}

local loaded = "streamshark." .. SHORT
if package.loaded[loaded] then return end -- a second copy of this file, in another folder
package.loaded[loaded] = true

-- A name that Wireshark already has is a hard error, so ours gives way.
local NAME = SHORT
local free, protocol = pcall(Proto, NAME, TITLE)
if not free then
  NAME = SHORT .. "_x"
  protocol = Proto(NAME, TITLE .. " (Streamshark)")
  print(TITLE .. ": this Wireshark has a protocol called " .. SHORT .. ", so this one is " .. NAME)
end

-- The words of the tables below: each makes a step, a table that says how a piece of a frame is read and shown ------------------

local U8, U16, U24, U32, U64 = { size = 1 }, { size = 2 }, { size = 3 }, { size = 4 }, { size = 8 }
local I8, I16, I24 = { size = 1, signed = true }, { size = 2, signed = true }, { size = 3, signed = true }
local I32, I64 = { size = 4, signed = true }, { size = 8, signed = true }
local REST = {}

local read = {} -- kind of step to what reads it
local preferences = { dialect = "", servers = {} }

local function step(kind, name, doc, own, facts)
  local made = own or {}
  made.kind, made.name, made.doc = kind, name, doc
  for key, value in pairs(facts or {}) do made[key] = value end
  return made
end

local word = {} -- what the tables below are written in

for name, measure in pairs({
  u8 = U8, u16 = U16, u24 = U24, u32 = U32, u64 = U64, i8 = I8, i16 = I16, i24 = I24, i32 = I32, i64 = I64,
}) do
  word[name] = function(...)
    local given, doc, facts = ...
    return step("number", given, doc, { size = measure.size, signed = measure.signed }, facts)
  end
end

function word.part(name, width, doc, facts) return step("part", name, doc, { width = width }, facts) end

function word.reserved(width) return step("part", nil, nil, { width = width }) end

function word.bits(size, parts)
  local shift = size * 8
  for _, part in ipairs(parts) do
    shift = shift - part.width
    part.size, part.shift = size, shift
  end
  return step("bits", nil, nil, { size = size, parts = parts })
end

function word.text(measure, name, doc, facts)
  return step("blob", name, doc, { measure = measure, encoding = "utf-8" }, facts)
end

function word.bytes(measure, name, doc, facts) return step("blob", name, doc, { measure = measure }, facts) end

function word.uuid(name, doc, facts) return step("blob", name, doc, { measure = 16, encoding = "uuid" }, facts) end

function word.list(item, name, doc, facts) return step("list", name, doc, { item = item }, facts) end

function word.record(name, doc, members, facts) return step("record", name, doc, { members = members }, facts) end

function word.each(members) return step("record", nil, nil, { members = members }) end

function word.when(condition, members) return step("when", nil, nil, { condition = condition, members = members }) end

function word.tail(need, ...) return step("tail", nil, nil, { need = need, members = { ... } }) end

function word.either(clear, set) return step("either", nil, nil, { clear = clear, set = set }) end

function word.fits(name, doc, arms, facts) return step("fits", name, doc, { arms = arms }, facts) end

function word.switch(on, cases, default)
  return step("switch", nil, nil, { on = on, cases = cases, default = default })
end

function word.region(measure, members, facts)
  return step("region", nil, nil, { measure = measure, members = members }, facts)
end

function word.claim(of, expected) return step("claim", nil, nil, { of = of, expected = expected }) end

function word.literal(data, doc) return step("literal", nil, doc, { data = data }) end

-- Fields and expert items -----------------------------------------------------------------------------------

local registered, by_name, header = {}, {}, {}
local undecoded -- bytes that no field could read

-- A ProtoField of a name, shared by all steps that would make the same.
local function field(name, key, make)
  key = name .. " " .. key
  if not by_name[key] then
    by_name[key] = make()
    registered[#registered + 1] = by_name[key]
  end
  return by_name[key]
end

local function label(name) return ((name:sub(1, 1):upper() .. name:sub(2)):gsub("_", " ")) end

local function number_field(name, made)
  local kind = (made.signed and "int" or "uint") .. made.size * 8
  local shown = made.base == "hex" and not made.signed and base.HEX or base.DEC
  local mask -- of groups up to 32 bits; Lua's numbers lack some bits of a larger mask
  if made.width and made.size <= 4 then mask = (2 ^ made.width - 1) * 2 ^ made.shift end
  mask = mask and math.floor(mask)
  local names = made.names and next(made.names) and made.names or nil
  local key = kind .. shown .. tostring(mask or "") .. tostring(names)
  return field(name, key, function()
    return ProtoField[kind](name, label(made.name), shown, names, mask, made.doc)
  end)
end

local function flag_fields(name, made)
  local order = {}
  for mask in pairs(made.flags) do order[#order + 1] = mask end
  table.sort(order, function(a, b) return a > b end)
  local own = {}
  for at, mask in ipairs(order) do
    local flag, path = made.flags[mask], name .. "." .. made.flags[mask]
    local bits = mask * 2 ^ (made.shift or 0)
    own[at] = field(path, "flag" .. made.size .. bits, function()
      return ProtoField.bool(path, label(flag), made.size * 8, nil, math.floor(bits))
    end)
  end
  return own
end

local function plain_field(kind, name, made)
  return field(name, kind, function()
    if kind == "none" or kind == "guid" then return ProtoField[kind](name, label(made.name), made.doc) end
    if kind == "double" or kind == "float" then
      return ProtoField[kind](name, label(made.name), base.NONE, nil, made.doc)
    end
    return ProtoField[kind](name, label(made.name), kind == "string" and base.UNICODE or base.NONE, made.doc)
  end)
end

-- Gives steps their path in the frame and their fields; `prefix` is the frame's name.
local declare
local declares = {}

function declares.number(made, name)
  made.field = number_field(name, made)
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.part(made, name)
  made.field = number_field(name, made)
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.blob(made, name)
  local kind = made.encoding == "uuid" and "guid" or made.encoding and "string" or "bytes"
  if made.secret then made.masked = plain_field("string", name, made) end
  made.field = plain_field(kind, name, made)
end

function declares.list(made, name)
  made.item.name, made.item.doc = made.item.name or made.name, made.item.doc or made.doc
  if not made.item.kind then error("a list without an item: " .. name) end
end

function declares.record(made, name) if made.name then made.field = plain_field("none", name, made) end end

function declares.fits(made, name) made.field = plain_field("string", name, made) end

local function declare_all(members, prefix, path)
  for _, member in ipairs(members) do declare(member, prefix, path) end
end

function declare(made, prefix, path)
  if made.name then path = path == "" and made.name or path .. "." .. made.name end
  made.path, made.prefix = path, prefix
  if declares[made.kind] then declares[made.kind](made, made.abbreviation or prefix .. "." .. path) end
  if made.kind == "list" then
    local item = made.item
    local own = item.name
    item.name = nil
    if item.kind == "record" then
      item.path, item.prefix, item.label, item.name = path, prefix, label(own), own
      declares.record(item, prefix .. "." .. path)
      declare_all(item.members, prefix, path)
    else
      item.name = own
      item.path, item.prefix = path, prefix
      declares[item.kind](item, prefix .. "." .. path)
    end
  end
  if made.parts then
    for _, part in ipairs(made.parts) do
      if part.name then
        part.path = path == "" and part.name or path .. "." .. part.name
        part.prefix = prefix
        declares.part(part, part.abbreviation or prefix .. "." .. part.path)
      end
    end
  end
  if made.members then declare_all(made.members, prefix, path) end
  if made.clear then
    declare_all(made.clear, prefix, path)
    declare_all(made.set, prefix, path)
  end
  if made.kind == "fits" then
    local around = path:match("^(.*)%.[^.]*$") or ""
    for _, arm in ipairs(made.arms) do declare_all(arm[2], prefix, around) end
  end
  if made.kind == "switch" then
    for _, arm in pairs(made.cases) do declare_all(arm, prefix, path) end
    declare_all(made.default, prefix, path)
  end
  if made.declare then made:declare(prefix, path) end
end

-- What is wrong with a frame: the codes of Streamshark, those that stop the decoding as errors.
local experts = {}

for code, known in pairs(CODES) do
  experts[code] = ProtoExpert.new(
    NAME .. ".expert." .. code, known.sentence, expert.group[known.group], expert.severity[known.severity]
  )
end

-- The reader: what is being read, one frame at a time -------------------------------------------------------

local tvb, at, stop -- its bytes, the next one, the end of the frame or region
local item -- where fields are added; nil while nothing is shown
local v -- values that others refer to, by path; absent ones are 0
local told, left -- texts for the Info column by path, and how many are still wanted
local problems, first -- what is wrong, and where the frame begins in these bytes
local trial -- true while bytes are only tried: names must be known
local telling = true -- false while nobody asks for the Info column
local brief = false -- true while only what is told is read

local running -- while it is found out whether items are cut at the borders of a frame: its side
local see_run -- finds it out

local NOTHING = { __index = function() return 0 end }
local HALT = true -- what a read function returns when the decoding cannot go on

local function number_at(place, size, signed)
  local range = tvb(place, size)
  if size <= 4 then
    if not signed then return range:uint() end
    local value = range:uint() -- tvb:int() lacks 24 bits on some versions
    return value >= 2 ^ (size * 8 - 1) and value - 2 ^ (size * 8) or value
  end
  local high, low = tvb(place, 4):uint(), tvb(place + 4, 4):uint()
  if high < 2 ^ 21 then return high * 2 ^ 32 + low end
  if signed and high >= 2 ^ 32 - 2 ^ 21 then return (high - 2 ^ 32) * 2 ^ 32 + low end
  return signed and range:int64() or range:uint64()
end

local function band(a, b)
  if a < 2 ^ 31 and b < 2 ^ 31 then return bit.band(a, b) end
  local sum, weight = 0, 1
  while a > 0 and b > 0 do
    if a % 2 >= 1 and b % 2 >= 1 then sum = sum + weight end
    a, b, weight = math.floor(a / 2), math.floor(b / 2), weight * 2
  end
  return sum
end

local function bor(a, b) return a + b - band(a, b) end

local unpack = table.unpack

local function digits(value)
  if type(value) ~= "number" then return tostring(value) end
  return string.format("%.0f", value)
end

local function hex(value, width)
  if type(value) ~= "number" then return "0x" .. (value:tohex():gsub("^0+(.)", "%1")) end
  return string.format("0x%0" .. (width or 1) .. "x", math.floor(value))
end

-- Notes a problem as an expert item; `made` is the step that it is about, nil for the frame as a whole.
local function problem(code, made, offset, length, ...)
  local values = { ... }
  for index, value in ipairs(values) do
    if type(value) == "number" then values[index] = digits(value) end
  end
  local message = string.format(CODES[code].message, unpack(values))
  local path = made and made.path ~= "" and made.path or nil
  problems[#problems + 1] = { code = code, path = path, message = message, offset = offset - first, length = length }
  if item then item:add_proto_expert_info(experts[code], path and path .. ": " .. message or message) end
end

local function short(made, wanted)
  problem("short", made, at, stop - at, wanted, stop - at)
  return HALT
end

-- Valid UTF-8; `wide` is modified UTF-8, which writes pairs of surrogates instead of four bytes.
local function is_utf8(raw, wide)
  local place = raw:find("[\128-\255]")
  while place do
    local a, b, c, d = raw:byte(place, place + 3)
    local function more(x) return x and x >= 0x80 and x < 0xC0 end
    if a >= 0xC2 and a < 0xE0 and more(b) then place = place + 2
    elseif wide and a == 0xC0 and b == 0x80 then place = place + 2
    elseif a >= 0xE0 and a < 0xF0 and more(b) and more(c) and not (a == 0xE0 and b < 0xA0)
      and (wide or not (a == 0xED and b >= 0xA0)) then place = place + 3
    elseif not wide and a >= 0xF0 and a < 0xF5 and more(b) and more(c) and more(d)
      and not (a == 0xF0 and b < 0x90) and not (a == 0xF4 and b >= 0x90) then place = place + 4
    else return false end
    place = raw:find("[\128-\255]", place)
  end
  return true
end

local function is_text(raw, encoding)
  if not raw:find("[\128-\255]") then return true end
  if encoding == "ascii" then return false end
  return is_utf8(raw, encoding == "mutf-8")
end

-- Texts for the Info column: as `streamshark read` writes them.
local LONGEST = 60

local function quoted(raw)
  local cut = ""
  local _, characters = raw:gsub("[^\128-\191]", "")
  if characters > LONGEST then
    cut = "[" .. characters .. " characters]"
    local keep, place = math.max(LONGEST - #cut, 16), 1
    while keep > 0 and place <= #raw do
      place = place + 1
      while (raw:byte(place) or 0) >= 0x80 and raw:byte(place) < 0xC0 do place = place + 1 end
      keep = keep - 1
    end
    raw = raw:sub(1, place - 1)
  end
  if raw ~= "" and not raw:find("[%s%c\"'\\=,%[%]]") then return raw .. cut end
  local named = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\", ['"'] = '\\"' }
  local inside = raw:gsub('[%c"\\]', function(c) return named[c] or string.format("\\x%02x", c:byte()) end)
  return '"' .. inside .. '"' .. cut
end

local function number_text(made, value)
  if made.flags then
    local names, order = {}, {}
    for mask in pairs(made.flags) do order[#order + 1] = mask end
    table.sort(order, made.ascending and function(a, b) return a < b end or function(a, b) return a > b end)
    for _, mask in ipairs(made.flag_order or order) do
      if band(value, mask) ~= 0 then names[#names + 1] = made.flags[mask] end
    end
    return #names > 0 and table.concat(names, "|") or "0"
  end
  local name = made.names and made.names[value]
  return name or (made.base == "hex" and hex(value) or digits(value))
end

-- Keeps the text of one argument; a path through a list keeps the first few.
local function tell(made, text)
  if made.tells == "many" then
    local so_far = told[made.path]
    if not so_far then told[made.path] = { text }
    elseif #so_far < 4 then so_far[#so_far + 1] = text end
  elseif not told[made.path] then
    told[made.path] = text
    left = left - 1
  end
end

local function read_all(members)
  for index = 1, #members do
    local member = members[index]
    if read[member.kind](member) then return HALT end
    if brief and left <= 0 then return HALT end
  end
end

function read.number(made)
  local size = made.size
  if stop - at < size then return short(made, size) end
  if made.keep then
    local value = number_at(at, size, made.signed)
    v[made.path] = value
    if made.tells and telling then tell(made, number_text(made, value)) end
    if trial and made.names and not made.names[value] then return HALT end
  end
  if item then
    local own = item:add(made.field, tvb(at, size))
    if made.flag_fields then
      for _, flag in ipairs(made.flag_fields) do own:add(flag, tvb(at, size)) end
    end
  end
  at = at + size
end

local function part_value(made)
  local shift, width = made.shift, made.width
  if made.size <= 4 then return math.floor(tvb(at, made.size):uint() / 2 ^ shift) % 2 ^ width end
  local high, low = tvb(at, 4):uint(), tvb(at + 4, 4):uint()
  if shift >= 32 then return math.floor(high / 2 ^ (shift - 32)) % 2 ^ width end
  if shift + width <= 32 then return math.floor(low / 2 ^ shift) % 2 ^ width end
  local upper = high % 2 ^ (shift + width - 32)
  if width > 53 and shift == 0 and upper >= 2 ^ 21 then return UInt64(low, math.floor(upper)) end
  return upper * 2 ^ (32 - shift) + math.floor(low / 2 ^ shift)
end

-- A number as Wireshark takes it for a field of 64 bits.
local function wide(value)
  if type(value) ~= "number" then return value end
  return UInt64(math.floor(value % 2 ^ 32), math.floor(value / 2 ^ 32))
end

function read.bits(made)
  local size = made.size
  if stop - at < size then return short(made, size) end
  for _, part in ipairs(made.parts) do
    if part.name then
      if part.keep then
        local value = part_value(part)
        v[part.path] = value
        if part.tells and telling then tell(part, number_text(part, value)) end
        if trial and part.names and not part.names[value] then return HALT end
      end
      if item then
        local own
        if size <= 4 then own = item:add(part.field, tvb(at, size))
        else own = item:add(part.field, tvb(at, size), wide(part_value(part))) end
        if part.flag_fields then
          for _, flag in ipairs(part.flag_fields) do own:add(flag, tvb(at, size)) end
        end
      end
    end
  end
  at = at + size
end

-- Length or count as `measure` says, behind its own number where it has one; nil with HALT when cut.
local function measured(made, measure)
  if type(measure) == "number" then return measure end
  if type(measure) == "function" then return measure(v) end
  if measure.size then
    if stop - at < measure.size then
      short(made, measure.size)
      return nil
    end
    local count = number_at(at, measure.size, measure.signed)
    at = at + measure.size
    return type(count) == "number" and count or tonumber(tostring(count))
  end
  return stop - at
end

local function add_text(made, place, count)
  local raw = count > 0 and tvb:raw(place, count) or ""
  if not is_text(raw, made.encoding) then problem("text", made, place, count, made.encoding) end
  if made.keep then
    v[made.path] = raw
    v["#" .. made.path] = count
  end
  if trial and raw:find("%c") then return HALT end
  if made.tells and telling then tell(made, made.secret and "***" or quoted(raw)) end
  if item then
    if made.secret and not preferences.secrets then item:add(made.masked, tvb(place, count), "***")
    elseif count == 0 then item:add(made.field, tvb(place, 0), "")
    elseif made.encoding == "mutf-8" then item:add(made.field, tvb(place, count), (raw:gsub("\192\128", "\0")))
    else item:add_packet_field(made.field, tvb(place, count), ENC_UTF_8 + ENC_BIG_ENDIAN) end
  end
end

local function bytes_text(made, place, count)
  if made.secret then return "***" end
  if made.slot and made.slot.veiled and count > 0 then return "[" .. count .. " bytes]" end
  if count > 8 then return "[" .. count .. " bytes]" end
  return count == 0 and "empty" or tvb(place, count):bytes():tohex(true)
end

local open_slot

function read.blob(made)
  local from = at
  local count = measured(made, made.measure)
  if not count then return HALT end
  if made.null and count == -1 then
    if made.tells and telling then tell(made, "null") end
    if item then item:add(tvb(from, at - from), label(made.name) .. ": null") end
    return
  end
  if count < 0 then
    problem("negative", made, from, at - from, count)
    return HALT
  end
  if made.limit and count > made.limit then
    problem("limit", made, from, math.min(at + count, stop) - from, count, made.limit)
  end
  if count > stop - at then return short(made, count) end
  local place = at
  at = at + count
  if made.encoding == "uuid" then
    if made.keep then v[made.path] = tvb:raw(place, count) end
    if item then item:add(made.field, tvb(place, count)) end
    if made.tells and telling then tell(made, (tvb(place, 16):bytes():tohex(true):gsub("^(%x%x%x%x%x%x%x%x)(%x%x%x%x)(%x%x%x%x)(%x%x%x%x)", "%1-%2-%3-%4-"))) end
    return
  end
  if made.encoding then return add_text(made, place, count) end
  if running and made.path == running.part then running.piece = see_run(place, count) end
  if made.keep then
    v[made.path] = count
    v["#" .. made.path] = count
  end
  if made.tells and telling then tell(made, bytes_text(made, place, count)) end
  if not item then return end
  if made.secret and not preferences.secrets then item:add(made.masked, tvb(place, count), "***")
  else
    local own = item:add(made.field, tvb(place, count))
    if made.slot then open_slot(made, place, count, own) end
  end
end

-- Forgets what was kept of the item before.
local function forget(made)
  for _, path in ipairs(made.forget or {}) do
    v[path] = nil
    v["#" .. path] = nil
  end
end

function read.list(made)
  local from = at
  local measure = made.count or made.claim
  local count
  if measure then
    count = measured(made, measure)
    if not count then return HALT end
    if count < 0 then
      problem("negative", made, from, at - from, count)
      return HALT
    end
  end
  if brief and made.tells == true and count then
    tell(made, digits(count))
    if left <= 0 then return HALT end
  end
  local one, outer = made.item, item
  local most = made.count and count or math.huge
  local room = made.limit or math.huge
  local n = 0
  for _, sum in ipairs(made.sums or {}) do v[sum.path] = 0 end
  local halted
  while n < most and (made.count or (at < stop and n <= room)) do
    local start = at
    if one.kind == "record" then
      forget(made)
      if outer then item = outer:add(one.field, tvb(at, 0)):append_text(" " .. n + 1) end
      n = n + 1
      halted = read_all(one.members)
      if outer then item:set_len(at - start) end
      item = outer
      for _, sum in ipairs(made.sums or {}) do
        v[sum.path] = v[sum.path] + (rawget(v, sum.member) or sum.absent)
      end
    else
      halted = read[one.kind](one)
      if not halted then n = n + 1 end
    end
    if halted or at == start then break end
  end
  if made.keep then
    v["#" .. made.path] = n
    if made.tells and telling and not halted then tell(made, digits(n)) end
  end
  if halted then return HALT end
  local width = measure and measure.size or 0
  if made.claim and n ~= count then problem("count", made, from, width, digits(count), digits(n)) end
  if made.limit and n > made.limit then problem("limit", made, from, width, digits(n), digits(made.limit)) end
end

function read.record(made)
  local outer, start = item, at
  if made.tells and telling then tell(made, "[record]") end
  if outer and made.field then item = outer:add(made.field, tvb(at, 0)) end
  local halted = read_all(made.members)
  if outer and made.field then item:set_len(at - start) end
  item = outer
  return halted
end

function read.when(made)
  local held = made.condition(v)
  if held and held ~= 0 then return read_all(made.members) end
end

function read.tail(made) if stop - at >= made.need then return read_all(made.members) end end

function read.either(made)
  if at >= stop then return short(made, 1) end
  return read_all(tvb(at, 1):uint() < 128 and made.clear or made.set)
end

function read.switch(made) return read_all(made.cases[made.on(v)] or made.default) end

-- Tries the arms without showing them; the first that uses up the region without a problem is shown.
function read.fits(made)
  local from, until_here, shown, known, kept, so_far = at, stop, item, problems, told, left
  for _, arm in ipairs(made.arms) do
    item, problems, told, left = nil, {}, {}, 1000
    local fitted = not read_all(arm[2]) and at == stop and #problems == 0
    at, stop, item, problems, told, left = from, until_here, shown, known, kept, so_far
    if fitted then
      if made.keep then v[made.path] = arm[1] end
      if made.tells and telling then tell(made, arm[1]) end
      if item then item:add(made.field, tvb(at, 0), arm[1]):set_generated() end
      return read_all(arm[2])
    end
    forget(made)
  end
  problem("nofit", made, at, stop - at, stop - at)
  return HALT
end

local sums = {} -- checksum functions by name

function read.region(made)
  local count = measured(made, made.measure)
  if not count then return HALT end
  if count < 0 then
    problem("negative", made, at, 0, count)
    return HALT
  end
  local outer, cut = stop, count > stop - at
  if cut then problem("short", made, at, stop - at, count, stop - at)
  else stop = at + count end
  if made.sum_of and preferences.checksums and not cut and not brief and (not made.summed or made.summed(v)) then
    local expected, found = made.expected(v), sums[made.sum_of](tvb:raw(at, stop - at))
    if expected ~= found then problem("checksum", made, at, stop - at, hex(expected, 8), hex(found, 8)) end
  end
  local halted = read_all(made.members)
  if brief and left <= 0 then return HALT end
  if not halted and at ~= stop then problem("trailing", made, at, stop - at, stop - at) end
  if at < stop and item then item:add(undecoded, tvb(at, stop - at)) end
  at, stop = stop, outer
  if cut then return HALT end
end

function read.claim(made)
  local expected, written = made.expected(v), v[made.of]
  if written ~= expected then problem("claim", { path = made.of }, at, 0, written, expected) end
end

function read.literal(made)
  local size = #made.data
  if stop - at < size then return short(made, size) end
  if tvb:raw(at, size) ~= made.data then
    problem("literal", made, at, size)
    return HALT
  end
  at = at + size
end

-- Checksums -------------------------------------------------------------------------------------------------

local bxor, rshift, bit_and = bit.bxor, bit.rshift, bit.band

-- A reflected CRC of 32 bits, by a table of 256 entries made on first use.
local function crc(polynomial)
  local entries
  return function(data)
    if not entries then
      entries = {}
      for index = 0, 255 do
        local value = index
        for _ = 1, 8 do
          value = value % 2 ~= 0 and bxor(rshift(value, 1), polynomial) or rshift(value, 1)
        end
        entries[index] = value
      end
    end
    local value = -1
    for from = 1, #data, 64 do -- byte() of many at once costs less than many calls
      local bytes = { data:byte(from, math.min(from + 63, #data)) }
      for index = 1, #bytes do
        value = bxor(entries[bit_and(bxor(value, bytes[index]), 255)], rshift(value, 8))
      end
    end
    return bit.bnot(value) % 4294967296
  end
end

sums.crc32 = crc(0xEDB88320)
sums.crc32c = crc(0x82F63B78)


-- The tables of RabbitMQ Streams -----------------------------------------------------------------------------

local names = {
  response_code = {
    [1] = "ok",
    [2] = "stream_does_not_exist",
    [3] = "subscription_id_already_exists",
    [4] = "subscription_id_does_not_exist",
    [5] = "stream_already_exists",
    [6] = "stream_not_available",
    [7] = "sasl_mechanism_not_supported",
    [8] = "authentication_failure",
    [9] = "sasl_error",
    [10] = "sasl_challenge",
    [11] = "sasl_authentication_failure_loopback",
    [12] = "virtual_host_access_failure",
    [13] = "unknown_frame",
    [14] = "frame_too_large",
    [15] = "internal_error",
    [16] = "access_refused",
    [17] = "precondition_failed",
    [18] = "publisher_does_not_exist",
    [19] = "no_offset",
    [20] = "sasl_cannot_change_mechanism",
    [21] = "sasl_cannot_change_username",
  },
  entry_type = { [0] = "simple", [1] = "sub_batch" },
  compression = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
  offset_type = { [0] = "none", [1] = "first", [2] = "last", [3] = "next", [4] = "offset", [5] = "timestamp" },
  chunk_type = { [0] = "user", [1] = "tracking_delta", [2] = "tracking_snapshot" },
  type = { [0] = "sequence", [1] = "offset", [2] = "timestamp" },
  active = { [0] = "inactive", [1] = "active" },
  key = {
    [1] = "declare_publisher",
    [2] = "publish",
    [3] = "publish_confirm",
    [4] = "publish_error",
    [5] = "query_publisher_sequence",
    [6] = "delete_publisher",
    [7] = "subscribe",
    [8] = "deliver",
    [9] = "credit",
    [10] = "store_offset",
    [11] = "query_offset",
    [12] = "unsubscribe",
    [13] = "create",
    [14] = "delete",
    [15] = "metadata",
    [16] = "metadata_update",
    [17] = "peer_properties",
    [18] = "sasl_handshake",
    [19] = "sasl_authenticate",
    [20] = "tune",
    [21] = "open",
    [22] = "close",
    [23] = "heartbeat",
    [24] = "route",
    [25] = "partitions",
    [26] = "consumer_update",
    [27] = "exchange_command_versions",
    [28] = "stream_stats",
    [29] = "create_super_stream",
    [30] = "delete_super_stream",
    [31] = "resolve_offset_spec",
  },
}

local FOREIGN = {
  ["AMQP\000\000\009\001"] = "AMQP 0-9-1",
  ["AMQP\000\001\000\000"] = "AMQP 1.0",
  ["AMQP\003\001\000\000"] = "AMQP 1.0 (SASL)",
  ["AMQP\002\001\000\000"] = "AMQP 1.0 (TLS)",
  ["AMQP"] = "AMQP",
  ["\022\003"] = "TLS",
  ["GET "] = "HTTP",
  ["POST "] = "HTTP",
  ["PUT "] = "HTTP",
  ["HEAD "] = "HTTP",
  ["OPTIONS "] = "HTTP",
  ["DELETE "] = "HTTP",
  ["CONNECT {"] = "NATS",
  ["CONNECT "] = "HTTP",
  ["INFO {"] = "NATS",
  ["HTTP/"] = "HTTP",
}

local FRAGMENTS = nil

local UPGRADES = {}
local turned, TURNING, BETWEEN_SERVERS = false, {}, {}

local RUN = nil

local function head_1()
  return {
    word.u32(
      "size",
      "Bytes of the frame behind this number.",
      { abbreviation = NAME .. ".head.size", unit = "bytes" }
    ),
    word.bits(2, {
      word.part("response", 1, "Set on responses.", { abbreviation = NAME .. ".head.response" }),
      word.part(
        "key",
        15,
        "Which command this is.",
        { abbreviation = NAME .. ".key", names = names.key, base = "hex" }
      ),
    }),
    word.u16(
      "version",
      "Version of the command: 1, for Publish and Deliver also 2.",
      { abbreviation = NAME .. ".version" }
    ),
  }
end

local function head_2()
  return {
    word.u32(
      "size",
      "Bytes of the frame behind this number.",
      { abbreviation = NAME .. ".head.size", unit = "bytes" }
    ),
    word.bits(2, {
      word.part("response", 1, "Set on responses.", { abbreviation = NAME .. ".head.response" }),
      word.part(
        "key",
        15,
        "Which command this is.",
        { abbreviation = NAME .. ".key", names = names.key, base = "hex" }
      ),
    }),
    word.u16(
      "version",
      "Version of the command: 1, for Publish and Deliver also 2.",
      { abbreviation = NAME .. ".version" }
    ),
  }
end

local heads = {
  [""] = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 4,
    select = function(bytes, from)
      return bytes(from + 4, 2):uint() % 32768, bytes(from + 6, 2):uint(), math.floor(bytes(from + 4, 2):uint() / 32768) == 1
    end,
    measure = function(bytes, from)
      return bytes(from, 4):uint() + 4
    end,
  },
  ["2020"] = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 4,
    select = function(bytes, from)
      return bytes(from + 4, 2):uint() % 32768, bytes(from + 6, 2):uint(), math.floor(bytes(from + 4, 2):uint() / 32768) == 1
    end,
    measure = function(bytes, from)
      return bytes(from, 4):uint() + 4
    end,
  },
}

local riders = {
  ["rmqstream.sub_batch"] = {
    whole = "records",
    types = {},
    body = {
      word.list(
        word.each({
          word.bytes(
            I32,
            "message",
            "Message as the client encoded it.",
            { slot = { name = "message", readers = { { format = "amqp1" } } } }
          ),
        }),
        "records",
        "Messages, in the order of publishing.",
        { keep = true, limit = 65535 }
      ),
    },
  },
}

local frames = {}

-- Announces a publisher for a stream. PROTOCOL.adoc, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher",
  command = "declare_publisher",
  kind = "request",
  sender = "client",
  key = 1,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { "publisher", "publisher_id" },
    { "reference", "publisher_reference" },
    { "stream", "stream" },
  },
  brief = 4,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.text(
    I16,
    "publisher_reference",
    "Name under which the broker remembers publishing ids; empty for no deduplication.",
    { keep = true, tells = true, limit = 255 }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Says whether the publisher may publish. PROTOCOL.adoc, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher_response",
  command = "declare_publisher",
  kind = "response",
  sender = "server",
  key = 1,
  version = 1,
  responses = { true },
  dialects = { "" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Says whether the publisher may publish, and names it again. PROTOCOL.adoc of 2021, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher_response",
  command = "declare_publisher",
  kind = "response",
  sender = "server",
  key = 1,
  version = 1,
  responses = { true },
  dialects = { "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_2(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.tail(1, word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only."
  )),
}

-- Sends messages to a stream. PROTOCOL.adoc, Publish.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "client",
  key = 2,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "publisher", "publisher_id" }, { "messages", "published_messages" } },
  brief = 2,
  proves = "client",
  head = head_1(),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.list(word.each({
    word.u64(
      "publishing_id",
      "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one."
    ),
    word.either({
      word.bytes(
        I32,
        "message",
        "Message as the client encoded it, usually AMQP 1.0.",
        { slot = { name = "message", readers = { { format = "amqp1" } } } }
      ),
    }, {
      word.bits(1, {
        word.part(
          "entry_type",
          1,
          "1: this entry is a sub-batch; absent on a simple one.",
          { names = names.entry_type }
        ),
        word.part(
          "compression",
          3,
          "How the records are packed.",
          { names = names.compression, keep = true }
        ),
        word.reserved(4),
      }),
      word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
      word.u32(
        "uncompressed_size",
        "Bytes of the records before packing.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
        slot = {
          name = "sub_batch",
          codec = function(v) return v["published_messages.compression"] end,
          codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
          cap = 67108864,
          size = function(v) return v["published_messages.uncompressed_size"] end,
          holds = function(v) return v["published_messages.record_count"] end,
          readers = { { rider = "rmqstream.sub_batch" } },
        },
      }),
    }),
  }), "published_messages", "Messages and sub-batches, in the order of publishing.", {
    keep = true,
    tells = true,
    claim = U32,
    forget = {
      "published_messages.compression",
      "published_messages.record_count",
      "published_messages.uncompressed_size",
    },
  }),
}

-- Sends messages with filter values to a stream. PROTOCOL.adoc, Publish.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "client",
  key = 2,
  version = 2,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "publisher", "publisher_id" }, { "messages", "published_messages" } },
  brief = 2,
  proves = "client",
  head = head_1(),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.u64(
        "publishing_id",
        "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one."
      ),
      word.text(
        I16,
        "filter_value",
        "What subscriptions may filter on; null for a message without one.",
        { null = true }
      ),
      word.bytes(
        I32,
        "message",
        "Message as the client encoded it, usually AMQP 1.0.",
        { slot = { name = "message", readers = { { format = "amqp1" } } } }
      ),
    }),
    "published_messages",
    "Messages, in the order of publishing.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Confirms messages. PROTOCOL.adoc, PublishConfirm.
frames[#frames + 1] = {
  name = "publish_confirm",
  command = "publish_confirm",
  kind = "command",
  sender = "server",
  key = 3,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "publisher", "publisher_id" }, { "confirmed", "publishing_ids" } },
  brief = 2,
  proves = "server",
  head = head_1(),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.list(
    word.u64(nil, nil, { keep = true }),
    "publishing_ids",
    "Messages and sub-batches that are stored.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Refuses messages. PROTOCOL.adoc, PublishError.
frames[#frames + 1] = {
  name = "publish_error",
  command = "publish_error",
  kind = "command",
  sender = "server",
  key = 4,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { "publisher", "publisher_id" },
    { "refused", "publishing_errors" },
    { "code", "publishing_errors.code" },
  },
  brief = 1000,
  proves = "server",
  head = head_1(),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.u64(
        "publishing_id",
        "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one."
      ),
      word.u16(
        "code",
        "Why the message was not stored.",
        { names = names.response_code, keep = true, tells = "many" }
      ),
    }),
    "publishing_errors",
    "Messages and sub-batches that are not stored.",
    { keep = true, tells = true, claim = U32, forget = { "publishing_errors.code" } }
  ),
}

-- Asks for the last publishing id stored for a publisher reference. PROTOCOL.adoc, QueryPublisherSequence.
frames[#frames + 1] = {
  name = "query_publisher_sequence",
  command = "query_publisher_sequence",
  kind = "request",
  sender = "client",
  key = 5,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "reference", "publisher_reference" }, { "stream", "stream" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(
    I16,
    "publisher_reference",
    "Name that the publisher declared.",
    { keep = true, tells = true, limit = 255 }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Gives the last publishing id stored. PROTOCOL.adoc, QueryPublisherSequence.
frames[#frames + 1] = {
  name = "query_publisher_sequence_response",
  command = "query_publisher_sequence",
  kind = "response",
  sender = "server",
  key = 5,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "sequence", "sequence" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.u64(
    "sequence",
    "Highest publishing id stored; 0 when there is none or on an error.",
    { keep = true, tells = true }
  ),
}

-- Gives up a publisher. PROTOCOL.adoc, DeletePublisher.
frames[#frames + 1] = {
  name = "delete_publisher",
  command = "delete_publisher",
  kind = "request",
  sender = "client",
  key = 6,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "publisher", "publisher_id" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u8(
    "publisher_id",
    "Publisher, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
}

-- Says whether the publisher was known. PROTOCOL.adoc, DeletePublisher.
frames[#frames + 1] = {
  name = "delete_publisher_response",
  command = "delete_publisher",
  kind = "response",
  sender = "server",
  key = 6,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Asks for a stream's messages. PROTOCOL.adoc, Subscribe.
frames[#frames + 1] = {
  name = "subscribe",
  command = "subscribe",
  kind = "request",
  sender = "client",
  key = 7,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { "subscription", "subscription_id" },
    { "stream", "stream" },
    { "from", "offset_type" },
    { "offset", "offset" },
    { "credit", "credit" },
  },
  brief = 6,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
  word.u16(
    "offset_type",
    "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
    { names = names.offset_type, keep = true, tells = true }
  ),
  word.switch(function(v) return v.offset_type end, {
    [4] = {
      word.u64(
        "offset",
        "Offset of a message; below the first means first, beyond the end next.",
        { keep = true, tells = true }
      ),
    },
    [5] = {
      word.i64(
        "timestamp",
        "Time since 1970: the first chunk that is not older is meant.",
        { unit = "ms" }
      ),
    },
  }, {}),
  word.u16(
    "credit",
    "Chunks that the server may send before it needs Credit; 0 for none yet.",
    { unit = "chunks", keep = true, tells = true }
  ),
  word.tail(4, word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "properties",
    "Options: `name`, `single-active-consumer`, `super-stream`, `filter.<n>`, `match-unfiltered`, `chunk_selector`; absent when there are none.",
    { claim = U32 }
  )),
}

-- Says whether messages will come. PROTOCOL.adoc, Subscribe.
frames[#frames + 1] = {
  name = "subscribe_response",
  command = "subscribe",
  kind = "response",
  sender = "server",
  key = 7,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Sends a chunk of messages. PROTOCOL.adoc, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { "subscription", "subscription_id" },
    { "chunk", "chunk.chunk_id" },
    { "messages", "chunk.num_records" },
  },
  brief = 3,
  proves = "server",
  head = head_1(),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.record("chunk", "The chunk, as osiris wrote it.", {
    word.bits(1, {
      word.part("magic", 4, "5 in every chunk."),
      word.part("version", 4, "Version of the chunk's layout; 0 in every broker so far."),
    }),
    word.u8("chunk_type", "What the entries hold.", { names = names.chunk_type, keep = true }),
    word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
    word.u32(
      "num_records",
      "Messages in the chunk, those inside sub-batches counted.",
      { keep = true, tells = true }
    ),
    word.i64("timestamp", "When the leader wrote the chunk, by its clock, since 1970.", { unit = "ms" }),
    word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
    word.u64(
      "chunk_id",
      "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
      { keep = true, tells = true }
    ),
    word.u32(
      "chunk_crc",
      "CRC-32 (IEEE 802.3) of the data bytes, nothing else.",
      { base = "hex", keep = true }
    ),
    word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
    word.u32(
      "trailer_length",
      "Bytes of the trailer as it is stored; it follows only with `chunk_selector=all`.",
      { unit = "bytes", keep = true }
    ),
    word.u8(
      "bloom_size",
      "Bytes of the stored bloom filter, 0 or (from 3.13.0) 16 to 255; it never follows.",
      { unit = "bytes" }
    ),
    word.u24("reserved", "Kept for later; 0."),
    word.region(
      function(v) return v["chunk.data_length"] end,
      {
        word.list(word.each({
          word.switch(function(v) return v["chunk.chunk_type"] end, {
            [1] = {
              word.region(U32, {
                word.list(
                  word.each({
                    word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                    word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                    word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                      [0] = {
                        word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                      },
                      [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                      [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
                    }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
                  }),
                  "tracking",
                  "What changed in the tracking.",
                  { forget = { "chunk.entries.tracking.type" } }
                ),
              }),
            },
            [2] = {
              word.region(U32, {
                word.list(
                  word.each({
                    word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                    word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                    word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                      [0] = {
                        word.u64("chunk_id", "Chunk in which the sequence was stored."),
                        word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                      },
                      [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                      [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
                    }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
                  }),
                  "tracking",
                  "All that is tracked.",
                  { forget = { "chunk.entries.tracking.type" } }
                ),
              }),
            },
          }, {
            word.either({
              word.bytes(
                I32,
                "data",
                "Message of a simple entry, as its publisher encoded it.",
                { slot = { name = "message", readers = { { format = "amqp1" } } } }
              ),
            }, {
              word.bits(1, {
                word.part(
                  "entry_type",
                  1,
                  "1: this entry is a sub-batch; absent on a simple one.",
                  { names = names.entry_type }
                ),
                word.part(
                  "compression",
                  3,
                  "How the records are packed.",
                  { names = names.compression, keep = true }
                ),
                word.reserved(4),
              }),
              word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
              word.u32(
                "uncompressed_size",
                "Bytes of the records before packing.",
                { unit = "bytes", keep = true }
              ),
              word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
                slot = {
                  name = "sub_batch",
                  codec = function(v) return v["chunk.entries.compression"] end,
                  codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
                  cap = 67108864,
                  size = function(v) return v["chunk.entries.uncompressed_size"] end,
                  holds = function(v) return v["chunk.entries.record_count"] end,
                  readers = { { rider = "rmqstream.sub_batch" } },
                },
              }),
            }),
          }),
        }), "entries", "Entries in the order of their offsets: messages, sub-batches, or tracking.", {
          keep = true,
          sums = {
            {
              path = "sum of chunk.entries.record_count",
              member = "chunk.entries.record_count",
              absent = 1,
            },
          },
          forget = {
            "chunk.entries.tracking.type",
            "chunk.entries.compression",
            "chunk.entries.record_count",
            "chunk.entries.uncompressed_size",
          },
        }),
      },
      { sum_of = "crc32", expected = function(v) return v["chunk.chunk_crc"] end }
    ),
    word.tail(1, word.record("trailer", "Tracking stored with the chunk; absent unless the subscription asked for it.", {
      word.region(function(v) return v["chunk.trailer_length"] end, {
        word.list(
          word.each({
            word.u8("type", "What is remembered.", { names = names.type, keep = true }),
            word.text(U8, "reference", "Publisher reference, or name of the consumer."),
            word.switch(function(v) return v["chunk.trailer.tracking.type"] end, {
              [0] = {
                word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
              },
              [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
              [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
            }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
          }),
          "tracking",
          "What changed with the messages of this chunk.",
          { forget = { "chunk.trailer.tracking.type" } }
        ),
      }),
    })),
    word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
    word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
  }),
}

-- Sends a chunk of messages, and how far the stream is committed. PROTOCOL.adoc, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 2,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { "subscription", "subscription_id" },
    { "chunk", "chunk.chunk_id" },
    { "messages", "chunk.num_records" },
  },
  brief = 3,
  proves = "server",
  head = head_1(),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.u64("committed_chunk_id", "Id of the newest chunk that is committed."),
  word.record("chunk", "The chunk, as osiris wrote it.", {
    word.bits(1, {
      word.part("magic", 4, "5 in every chunk."),
      word.part("version", 4, "Version of the chunk's layout; 0 in every broker so far."),
    }),
    word.u8("chunk_type", "What the entries hold.", { names = names.chunk_type, keep = true }),
    word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
    word.u32(
      "num_records",
      "Messages in the chunk, those inside sub-batches counted.",
      { keep = true, tells = true }
    ),
    word.i64("timestamp", "When the leader wrote the chunk, by its clock, since 1970.", { unit = "ms" }),
    word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
    word.u64(
      "chunk_id",
      "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
      { keep = true, tells = true }
    ),
    word.u32(
      "chunk_crc",
      "CRC-32 (IEEE 802.3) of the data bytes, nothing else.",
      { base = "hex", keep = true }
    ),
    word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
    word.u32(
      "trailer_length",
      "Bytes of the trailer as it is stored; it follows only with `chunk_selector=all`.",
      { unit = "bytes", keep = true }
    ),
    word.u8(
      "bloom_size",
      "Bytes of the stored bloom filter, 0 or (from 3.13.0) 16 to 255; it never follows.",
      { unit = "bytes" }
    ),
    word.u24("reserved", "Kept for later; 0."),
    word.region(
      function(v) return v["chunk.data_length"] end,
      {
        word.list(word.each({
          word.switch(function(v) return v["chunk.chunk_type"] end, {
            [1] = {
              word.region(U32, {
                word.list(
                  word.each({
                    word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                    word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                    word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                      [0] = {
                        word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                      },
                      [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                      [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
                    }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
                  }),
                  "tracking",
                  "What changed in the tracking.",
                  { forget = { "chunk.entries.tracking.type" } }
                ),
              }),
            },
            [2] = {
              word.region(U32, {
                word.list(
                  word.each({
                    word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                    word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                    word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                      [0] = {
                        word.u64("chunk_id", "Chunk in which the sequence was stored."),
                        word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                      },
                      [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                      [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
                    }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
                  }),
                  "tracking",
                  "All that is tracked.",
                  { forget = { "chunk.entries.tracking.type" } }
                ),
              }),
            },
          }, {
            word.either({
              word.bytes(
                I32,
                "data",
                "Message of a simple entry, as its publisher encoded it.",
                { slot = { name = "message", readers = { { format = "amqp1" } } } }
              ),
            }, {
              word.bits(1, {
                word.part(
                  "entry_type",
                  1,
                  "1: this entry is a sub-batch; absent on a simple one.",
                  { names = names.entry_type }
                ),
                word.part(
                  "compression",
                  3,
                  "How the records are packed.",
                  { names = names.compression, keep = true }
                ),
                word.reserved(4),
              }),
              word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
              word.u32(
                "uncompressed_size",
                "Bytes of the records before packing.",
                { unit = "bytes", keep = true }
              ),
              word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
                slot = {
                  name = "sub_batch",
                  codec = function(v) return v["chunk.entries.compression"] end,
                  codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
                  cap = 67108864,
                  size = function(v) return v["chunk.entries.uncompressed_size"] end,
                  holds = function(v) return v["chunk.entries.record_count"] end,
                  readers = { { rider = "rmqstream.sub_batch" } },
                },
              }),
            }),
          }),
        }), "entries", "Entries in the order of their offsets: messages, sub-batches, or tracking.", {
          keep = true,
          sums = {
            {
              path = "sum of chunk.entries.record_count",
              member = "chunk.entries.record_count",
              absent = 1,
            },
          },
          forget = {
            "chunk.entries.tracking.type",
            "chunk.entries.compression",
            "chunk.entries.record_count",
            "chunk.entries.uncompressed_size",
          },
        }),
      },
      { sum_of = "crc32", expected = function(v) return v["chunk.chunk_crc"] end }
    ),
    word.tail(1, word.record("trailer", "Tracking stored with the chunk; absent unless the subscription asked for it.", {
      word.region(function(v) return v["chunk.trailer_length"] end, {
        word.list(
          word.each({
            word.u8("type", "What is remembered.", { names = names.type, keep = true }),
            word.text(U8, "reference", "Publisher reference, or name of the consumer."),
            word.switch(function(v) return v["chunk.trailer.tracking.type"] end, {
              [0] = {
                word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
              },
              [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
              [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms" }) },
            }, { word.bytes(REST, "unknown", "Bytes behind a type that is not known.") }),
          }),
          "tracking",
          "What changed with the messages of this chunk.",
          { forget = { "chunk.trailer.tracking.type" } }
        ),
      }),
    })),
    word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
    word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
  }),
}

-- Sends a chunk of messages. PROTOCOL.adoc of 2021, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 0,
  responses = { false },
  dialects = { "2020" },
  shows = {
    { "subscription", "subscription_id" },
    { "chunk", "chunk.chunk_id" },
    { "messages", "chunk.num_records" },
  },
  brief = 3,
  proves = "server",
  head = head_2(),
  word.u16("version_low", "Lower half of the version; its upper half stands in the head."),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.record("chunk", "The chunk.", {
    word.bits(1, {
      word.part("magic", 4, "5 in every chunk."),
      word.part("version", 4, "Version of the chunk's layout; 0 in every broker so far."),
    }),
    word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
    word.u32(
      "num_records",
      "Messages in the chunk, those inside sub-batches counted.",
      { keep = true, tells = true }
    ),
    word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
    word.u64(
      "chunk_id",
      "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
      { keep = true, tells = true }
    ),
    word.u32("chunk_crc", "CRC-32 (IEEE 802.3) of the data bytes, nothing else.", { base = "hex" }),
    word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
    word.region(function(v) return v["chunk.data_length"] end, {
      word.list(word.each({
        word.either({
          word.bytes(
            I32,
            "data",
            "Message of a simple entry, as its publisher encoded it.",
            { slot = { name = "message", readers = { { format = "amqp1" } } } }
          ),
        }, {
          word.bits(1, {
            word.part(
              "entry_type",
              1,
              "1: this entry is a sub-batch; absent on a simple one.",
              { names = names.entry_type }
            ),
            word.part(
              "compression",
              3,
              "How the records are packed.",
              { names = names.compression, keep = true }
            ),
            word.reserved(4),
          }),
          word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
          word.u32(
            "uncompressed_size",
            "Bytes of the records before packing.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
            slot = {
              name = "sub_batch",
              codec = function(v) return v["chunk.entries.compression"] end,
              codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
              cap = 67108864,
              size = function(v) return v["chunk.entries.uncompressed_size"] end,
              holds = function(v) return v["chunk.entries.record_count"] end,
              readers = { { rider = "rmqstream.sub_batch" } },
            },
          }),
        }),
      }), "entries", "Entries in the order of their offsets.", {
        keep = true,
        sums = {
          {
            path = "sum of chunk.entries.record_count",
            member = "chunk.entries.record_count",
            absent = 1,
          },
        },
        forget = { "chunk.entries.compression", "chunk.entries.record_count", "chunk.entries.uncompressed_size" },
      }),
    }),
    word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
    word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
  }),
}

-- Lets the server send more chunks. PROTOCOL.adoc, Credit.
frames[#frames + 1] = {
  name = "credit",
  command = "credit",
  kind = "command",
  sender = "client",
  key = 9,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "subscription", "subscription_id" }, { "credit", "credit" } },
  brief = 2,
  proves = "client",
  head = head_1(),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.i16(
    "credit",
    "Chunks more; a negative number takes credit away.",
    { unit = "chunks", keep = true, tells = true }
  ),
}

-- Says that credit could not be given. PROTOCOL.adoc, Credit.
frames[#frames + 1] = {
  name = "credit_response",
  command = "credit",
  kind = "response",
  sender = "server",
  key = 9,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "subscription", "subscription_id" } },
  brief = 2,
  proves = "server",
  head = head_1(),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
}

-- Stores how far a consumer has read. PROTOCOL.adoc, StoreOffset.
frames[#frames + 1] = {
  name = "store_offset",
  command = "store_offset",
  kind = "command",
  sender = "client",
  key = 10,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "reference", "reference" }, { "stream", "stream" }, { "offset", "offset" } },
  brief = 3,
  proves = "client",
  head = head_1(),
  word.text(I16, "reference", "Name of the consumer.", { keep = true, tells = true, limit = 255 }),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
  word.u64("offset", "Offset of the last message that was processed.", { keep = true, tells = true }),
}

-- Asks for the offset stored under a consumer's name. PROTOCOL.adoc, QueryOffset.
frames[#frames + 1] = {
  name = "query_offset",
  command = "query_offset",
  kind = "request",
  sender = "client",
  key = 11,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "reference", "reference" }, { "stream", "stream" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "reference", "Name of the consumer.", { keep = true, tells = true, limit = 255 }),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Gives the stored offset. PROTOCOL.adoc, QueryOffset.
frames[#frames + 1] = {
  name = "query_offset_response",
  command = "query_offset",
  kind = "response",
  sender = "server",
  key = 11,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "offset", "offset" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.u64(
    "offset",
    "Offset that was stored; 0 when there is none or on an error.",
    { keep = true, tells = true }
  ),
}

-- Ends a subscription. PROTOCOL.adoc, Unsubscribe.
frames[#frames + 1] = {
  name = "unsubscribe",
  command = "unsubscribe",
  kind = "request",
  sender = "client",
  key = 12,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "subscription", "subscription_id" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
}

-- Says whether the subscription was known. PROTOCOL.adoc, Unsubscribe.
frames[#frames + 1] = {
  name = "unsubscribe_response",
  command = "unsubscribe",
  kind = "response",
  sender = "server",
  key = 12,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Creates a stream. PROTOCOL.adoc, Create.
frames[#frames + 1] = {
  name = "create",
  command = "create",
  kind = "request",
  sender = "client",
  key = 13,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "stream", "stream" }, { "arguments", "arguments" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
  word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "arguments",
    "Settings, numbers as text too: `max-length-bytes`, `max-age`, `stream-max-segment-size-bytes`, `initial-cluster-size`, `queue-leader-locator`, `stream-filter-size-bytes`.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Says whether the stream was created. PROTOCOL.adoc, Create.
frames[#frames + 1] = {
  name = "create_response",
  command = "create",
  kind = "response",
  sender = "server",
  key = 13,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Deletes a stream. PROTOCOL.adoc, Delete.
frames[#frames + 1] = {
  name = "delete",
  command = "delete",
  kind = "request",
  sender = "client",
  key = 14,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "stream", "stream" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Says whether the stream was deleted. PROTOCOL.adoc, Delete.
frames[#frames + 1] = {
  name = "delete_response",
  command = "delete",
  kind = "response",
  sender = "server",
  key = 14,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Asks where streams are. PROTOCOL.adoc, Metadata.
frames[#frames + 1] = {
  name = "metadata",
  command = "metadata",
  kind = "request",
  sender = "client",
  key = 15,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "streams", "streams" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.list(
    word.text(I16, nil, "One item.", { keep = true }),
    "streams",
    "Names of the streams asked about.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Tells where streams are. PROTOCOL.adoc, Metadata.
frames[#frames + 1] = {
  name = "metadata_response",
  command = "metadata",
  kind = "response",
  sender = "server",
  key = 15,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "brokers", "brokers" }, { "streams", "streams" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.u16("reference", "Number that stands for this node in this response."),
      word.text(I16, "host", "Host name that the node advertises."),
      word.u32("port", "Port that the node advertises."),
    }),
    "brokers",
    "Nodes that hold one of the streams.",
    { keep = true, tells = true, count = U32 }
  ),
  word.list(
    word.each({
      word.text(I16, "stream_name", "Name of the stream."),
      word.u16("response_code", "Whether the stream is there; 1 if so.", { names = names.response_code }),
      word.u16("leader", "Reference of the leader's node; 65535 when none is known."),
      word.list(
        word.u16(),
        "replicas",
        "References of the other nodes that hold the stream.",
        { count = U32 }
      ),
    }),
    "streams",
    "The streams asked about.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Tells that what was known of a stream no longer holds. PROTOCOL.adoc, MetadataUpdate.
frames[#frames + 1] = {
  name = "metadata_update",
  command = "metadata_update",
  kind = "command",
  sender = "server",
  key = 16,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "code", "code" }, { "stream", "stream" } },
  brief = 2,
  proves = "server",
  head = head_1(),
  word.u16(
    "code",
    "What has happened; always 6.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Tells what the client is. PROTOCOL.adoc, PeerProperties.
frames[#frames + 1] = {
  name = "peer_properties",
  command = "peer_properties",
  kind = "request",
  sender = "client",
  key = 17,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "properties", "peer_properties" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "client_properties", path = "peer_properties" } },
  opens = true,
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "peer_properties",
    "What the client says of itself.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Tells what the server is. PROTOCOL.adoc, PeerProperties.
frames[#frames + 1] = {
  name = "peer_properties_response",
  command = "peer_properties",
  kind = "response",
  sender = "server",
  key = 17,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "properties", "peer_properties" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "server_properties", path = "peer_properties" } },
  opens = true,
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "peer_properties",
    "What the server says of itself.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Asks which SASL mechanisms the server has. PROTOCOL.adoc, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake",
  command = "sasl_handshake",
  kind = "request",
  sender = "client",
  key = 18,
  version = 1,
  responses = { false },
  dialects = { "" },
  shows = {},
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
}

-- Lists the server's SASL mechanisms. PROTOCOL.adoc, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake_response",
  command = "sasl_handshake",
  kind = "response",
  sender = "server",
  key = 18,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "mechanisms", "mechanisms" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.list(
    word.text(I16, nil, "One item.", { keep = true }),
    "mechanisms",
    "Names of the mechanisms, in any order.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Asks which SASL mechanisms the server has, and names one. PROTOCOL.adoc of 2021, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake",
  command = "sasl_handshake",
  kind = "request",
  sender = "client",
  key = 18,
  version = 1,
  responses = { false },
  dialects = { "2020" },
  shows = { { "mechanism", "mechanism" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_2(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.tail(2, word.text(
    I16,
    "mechanism",
    "Name of the mechanism that the client will use.",
    { keep = true, tells = true }
  )),
}

-- Sends what the SASL mechanism asks for. PROTOCOL.adoc, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate",
  command = "sasl_authenticate",
  kind = "request",
  sender = "client",
  key = 19,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "mechanism", "mechanism" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "mechanism", path = "mechanism" } },
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(
    I16,
    "mechanism",
    "Name of the mechanism; `PLAIN`, `AMQPLAIN`, `EXTERNAL`, ...",
    { keep = true, tells = true }
  ),
  word.bytes(
    I32,
    "sasl_opaque_data",
    "What the mechanism asks for, null for nothing; PLAIN: 0, user, 0, password.",
    { secret = true, null = true }
  ),
}

-- Says whether the client is known, or asks for more. PROTOCOL.adoc, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate_response",
  command = "sasl_authenticate",
  kind = "response",
  sender = "server",
  key = 19,
  version = 1,
  responses = { true },
  dialects = { "" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.when(function(v) return v.response_code == 10 end, {
    word.fits("form", "Which layout fits: absent, int32, int16.", {
      { "absent", {} },
      { "int32", {
        word.bytes(I32, "sasl_opaque_data", "What the server's mechanism asks next.", { secret = true }),
      } },
      { "int16", {
        word.bytes(U16, "sasl_opaque_data", "What the server's mechanism asks next.", { secret = true }),
      } },
    }),
  }),
}

-- Says whether the client is known, or asks for more. PROTOCOL.adoc of 2021, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate_response",
  command = "sasl_authenticate",
  kind = "response",
  sender = "server",
  key = 19,
  version = 1,
  responses = { true },
  dialects = { "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_2(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.bytes(
    I32,
    "sasl_opaque_data",
    "What the server's mechanism asks next.",
    { secret = true, null = true }
  ),
}

-- Proposes limits. PROTOCOL.adoc, Tune.
frames[#frames + 1] = {
  name = "tune",
  command = "tune",
  kind = "request",
  sender = "server",
  key = 20,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "frame_max", "frame_max" }, { "heartbeat", "heartbeat" } },
  brief = 2,
  agrees = { { name = "frame_max", path = "frame_max" }, { name = "heartbeat", path = "heartbeat" } },
  head = head_1(),
  word.u32(
    "frame_max",
    "Largest frame, without the 4 bytes of its size; 0 means no limit. The broker proposes 1048576, and does not hold Deliver to it.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.u32(
    "heartbeat",
    "Longest silence of a side; 0 means no heartbeats. The broker proposes 60.",
    { unit = "s", keep = true, tells = true }
  ),
}

-- Agrees to limits. PROTOCOL.adoc, Tune.
frames[#frames + 1] = {
  name = "tune_response",
  command = "tune",
  kind = "response",
  sender = "client",
  key = 20,
  version = 1,
  responses = { true, false },
  dialects = { "", "2020" },
  shows = { { "frame_max", "frame_max" }, { "heartbeat", "heartbeat" } },
  brief = 2,
  agrees = { { name = "frame_max", path = "frame_max" }, { name = "heartbeat", path = "heartbeat" } },
  head = head_1(),
  word.u32(
    "frame_max",
    "Largest frame, without the 4 bytes of its size; 0 means no limit. The broker proposes 1048576, and does not hold Deliver to it.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.u32(
    "heartbeat",
    "Longest silence of a side; 0 means no heartbeats. The broker proposes 60.",
    { unit = "s", keep = true, tells = true }
  ),
}

-- Chooses a virtual host. PROTOCOL.adoc, Open.
frames[#frames + 1] = {
  name = "open",
  command = "open",
  kind = "request",
  sender = "client",
  key = 21,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "virtual_host", "virtual_host" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "virtual_host", path = "virtual_host" } },
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(
    I16,
    "virtual_host",
    "Name of the virtual host; `/` is the default one.",
    { keep = true, tells = true }
  ),
}

-- Says whether the virtual host may be used. PROTOCOL.adoc, Open.
frames[#frames + 1] = {
  name = "open_response",
  command = "open",
  kind = "response",
  sender = "server",
  key = 21,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "properties", "connection_properties" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "connection_properties", path = "connection_properties" } },
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.tail(4, word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "connection_properties",
    "Where this node is reached: `advertised_host`, and `advertised_port` as text.",
    { keep = true, tells = true, claim = U32 }
  )),
}

-- Ends the connection. PROTOCOL.adoc, Close.
frames[#frames + 1] = {
  name = "close",
  command = "close",
  kind = "request",
  sender = "both",
  key = 22,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "code", "closing_code" }, { "reason", "closing_reason" } },
  brief = 3,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "closing_code",
    "Why; 1 in good order.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.text(I16, "closing_reason", "Why, in words; may be empty.", { keep = true, tells = true }),
}

-- Agrees to the end. PROTOCOL.adoc, Close.
frames[#frames + 1] = {
  name = "close_response",
  command = "close",
  kind = "response",
  sender = "both",
  key = 22,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Shows that a silent side is there. PROTOCOL.adoc, Heartbeat.
frames[#frames + 1] = {
  name = "heartbeat",
  command = "heartbeat",
  kind = "command",
  sender = "both",
  key = 23,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {},
  brief = 0,
  head = head_1(),
}

-- Asks which partitions of a super stream a routing key leads to. PROTOCOL.adoc, Route.
frames[#frames + 1] = {
  name = "route",
  command = "route",
  kind = "request",
  sender = "client",
  key = 24,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "key", "routing_key" }, { "super_stream", "super_stream" } },
  brief = 3,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "routing_key", "Key of the message to be published.", { keep = true, tells = true }),
  word.text(I16, "super_stream", "Name of the super stream.", { keep = true, tells = true }),
}

-- Names the partitions. PROTOCOL.adoc, Route.
frames[#frames + 1] = {
  name = "route_response",
  command = "route",
  kind = "response",
  sender = "server",
  key = 24,
  version = 1,
  responses = { true, false },
  dialects = { "" },
  shows = { { "code", "response_code" }, { "streams", "streams" } },
  brief = 3,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.fits(
    "form",
    "Which layout fits: list, single.",
    {
      { "list", {
        word.list(
          word.text(I16, nil, "One item.", { keep = true }),
          "streams",
          "Names of the partitions.",
          { keep = true, tells = true, claim = U32 }
        ),
      } },
      { "single", { word.text(I16, "stream", "Name of the partition.") } },
    },
    { forget = { "streams" } }
  ),
}

-- Names the partition. PROTOCOL.adoc of 2021, Route.
frames[#frames + 1] = {
  name = "route_response",
  command = "route",
  kind = "response",
  sender = "server",
  key = 24,
  version = 1,
  responses = { true, false },
  dialects = { "2020" },
  shows = { { "stream", "stream" } },
  brief = 2,
  correlates = "correlation_id",
  head = head_2(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the partition.", { keep = true, tells = true }),
}

-- Asks for the partitions of a super stream. PROTOCOL.adoc, Partitions.
frames[#frames + 1] = {
  name = "partitions",
  command = "partitions",
  kind = "request",
  sender = "client",
  key = 25,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "super_stream", "super_stream" } },
  brief = 2,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "super_stream", "Name of the super stream.", { keep = true, tells = true }),
}

-- Names the partitions. PROTOCOL.adoc, Partitions.
frames[#frames + 1] = {
  name = "partitions_response",
  command = "partitions",
  kind = "response",
  sender = "server",
  key = 25,
  version = 1,
  responses = { true, false },
  dialects = { "" },
  shows = { { "code", "response_code" }, { "streams", "streams" } },
  brief = 3,
  correlates = "correlation_id",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.list(
    word.text(I16, nil, "One item.", { keep = true }),
    "streams",
    "Names of the partitions, in their order.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Names the partitions. PROTOCOL.adoc of 2021, Partitions.
frames[#frames + 1] = {
  name = "partitions_response",
  command = "partitions",
  kind = "response",
  sender = "server",
  key = 25,
  version = 1,
  responses = { true, false },
  dialects = { "2020" },
  shows = { { "streams", "streams" } },
  brief = 2,
  correlates = "correlation_id",
  head = head_2(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.list(
    word.text(I16, nil, "One item.", { keep = true }),
    "streams",
    "Names of the partitions, in their order.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Makes a consumer active or not. PROTOCOL.adoc, ConsumerUpdate.
frames[#frames + 1] = {
  name = "consumer_update",
  command = "consumer_update",
  kind = "request",
  sender = "server",
  key = 26,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "subscription", "subscription_id" }, { "active", "active" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u8(
    "subscription_id",
    "Subscription, a number that the client chose; it is known on this connection only.",
    { keep = true, tells = true }
  ),
  word.u8(
    "active",
    "Whether the consumer is to be active.",
    { names = names.active, keep = true, tells = true }
  ),
}

-- Tells where an active consumer goes on. PROTOCOL.adoc, ConsumerUpdate.
frames[#frames + 1] = {
  name = "consumer_update_response",
  command = "consumer_update",
  kind = "response",
  sender = "client",
  key = 26,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "from", "offset_type" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.u16(
    "offset_type",
    "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
    { names = names.offset_type, keep = true, tells = true }
  ),
  word.switch(function(v) return v.offset_type end, {
    [4] = { word.u64("offset", "Offset of a message; below the first means first, beyond the end next.") },
    [5] = {
      word.i64(
        "timestamp",
        "Time since 1970: the first chunk that is not older is meant.",
        { unit = "ms" }
      ),
    },
  }, {}),
}

-- Tells which command versions the client speaks. PROTOCOL.adoc, ExchangeCommandVersions.
frames[#frames + 1] = {
  name = "exchange_command_versions",
  command = "exchange_command_versions",
  kind = "request",
  sender = "client",
  key = 27,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "commands", "commands" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "client_command_versions", path = "commands" } },
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.u16("key", "Command, without the response bit.", { names = names.key, base = "hex" }),
      word.u16("min_version", "Lowest version spoken."),
      word.u16("max_version", "Highest version spoken."),
    }),
    "commands",
    "What the client speaks.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Tells which command versions the server speaks. PROTOCOL.adoc, ExchangeCommandVersions.
frames[#frames + 1] = {
  name = "exchange_command_versions_response",
  command = "exchange_command_versions",
  kind = "response",
  sender = "server",
  key = 27,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "commands", "commands" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "server_command_versions", path = "commands" } },
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.u16("key", "Command, without the response bit.", { names = names.key, base = "hex" }),
      word.u16("min_version", "Lowest version spoken."),
      word.u16("max_version", "Highest version spoken."),
    }),
    "commands",
    "Commands that a client may begin, as the server speaks them.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Asks for numbers about a stream. PROTOCOL.adoc, StreamStats.
frames[#frames + 1] = {
  name = "stream_stats",
  command = "stream_stats",
  kind = "request",
  sender = "client",
  key = 28,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "stream", "stream" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
}

-- Gives numbers about a stream. PROTOCOL.adoc, StreamStats.
frames[#frames + 1] = {
  name = "stream_stats_response",
  command = "stream_stats",
  kind = "response",
  sender = "server",
  key = 28,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "stats", "stats" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.text(I16, "key", "Name of the number."),
      word.i64("value", "The number; -1 when the stream is empty."),
    }),
    "stats",
    "Numbers about the stream.",
    { keep = true, tells = true, claim = U32 }
  ),
}

-- Creates a super stream and its partitions. PROTOCOL.adoc, CreateSuperStream.
frames[#frames + 1] = {
  name = "create_super_stream",
  command = "create_super_stream",
  kind = "request",
  sender = "client",
  key = 29,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "name", "name" }, { "partitions", "partitions" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "name", "Name of the super stream.", { keep = true, tells = true }),
  word.list(
    word.text(I16, nil, "One item.", { keep = true }),
    "partitions",
    "Names of the streams to create.",
    { keep = true, tells = true, count = U32 }
  ),
  word.list(
    word.text(I16, nil, "One item."),
    "binding_keys",
    "Routing key of each partition, as many as those.",
    { count = U32 }
  ),
  word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "arguments",
    "Settings of each partition, as in Create.",
    { claim = U32 }
  ),
}

-- Says whether the super stream was created. PROTOCOL.adoc, CreateSuperStream.
frames[#frames + 1] = {
  name = "create_super_stream_response",
  command = "create_super_stream",
  kind = "response",
  sender = "server",
  key = 29,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Deletes a super stream and its partitions. PROTOCOL.adoc, DeleteSuperStream.
frames[#frames + 1] = {
  name = "delete_super_stream",
  command = "delete_super_stream",
  kind = "request",
  sender = "client",
  key = 30,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "name", "name" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "name", "Name of the super stream.", { keep = true, tells = true }),
}

-- Says whether the super stream was deleted. PROTOCOL.adoc, DeleteSuperStream.
frames[#frames + 1] = {
  name = "delete_super_stream_response",
  command = "delete_super_stream",
  kind = "response",
  sender = "server",
  key = 30,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" } },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
}

-- Asks which offset an offset specification means. PROTOCOL.adoc, ResolveOffsetSpec.
frames[#frames + 1] = {
  name = "resolve_offset_spec",
  command = "resolve_offset_spec",
  kind = "request",
  sender = "client",
  key = 31,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { "stream", "stream" }, { "from", "offset_type" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.text(I16, "stream", "Name of the stream.", { keep = true, tells = true }),
  word.u16(
    "offset_type",
    "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
    { names = names.offset_type, keep = true, tells = true }
  ),
  word.switch(function(v) return v.offset_type end, {
    [4] = { word.u64("offset", "Offset of a message; below the first means first, beyond the end next.") },
    [5] = {
      word.i64(
        "timestamp",
        "Time since 1970: the first chunk that is not older is meant.",
        { unit = "ms" }
      ),
    },
  }, {}),
  word.tail(4, word.list(
    word.each({ word.text(I16, "key", "Name."), word.text(I16, "value", "Value, always text.") }),
    "properties",
    "Options: `name`, `single-active-consumer`, `super-stream`, `filter.<n>`, `match-unfiltered`, `chunk_selector`; absent when there are none.",
    { claim = U32 }
  )),
}

-- Gives the offset that is meant. PROTOCOL.adoc, ResolveOffsetSpec.
frames[#frames + 1] = {
  name = "resolve_offset_spec_response",
  command = "resolve_offset_spec",
  kind = "response",
  sender = "server",
  key = 31,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = { { "code", "response_code" }, { "offset", "offset" } },
  brief = 3,
  correlates = "correlation_id",
  proves = "server",
  head = head_1(),
  word.u32(
    "correlation_id",
    "Number that a request chooses and its response repeats; each direction has its own.",
    { keep = true, tells = true }
  ),
  word.u16(
    "response_code",
    "How the request ended; 1 is success.",
    { names = names.response_code, keep = true, tells = true }
  ),
  word.u16("offset_type", "Always 4 (offset).", { names = names.offset_type }),
  word.u64(
    "offset",
    "First offset of the chunk that is meant; 0 on an error.",
    { keep = true, tells = true }
  ),
}

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
