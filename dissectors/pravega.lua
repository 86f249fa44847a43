-- Pravega: the wire protocol between clients, controllers and segment stores.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 91c5808770927660) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate pravega`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local SHORT = "pravega"
local TITLE = "Pravega"
local PORTS = "12345,6000,9999"
local TLS_PORTS = "12345,6000,9999"
local DIALECTS = { "", "0.0", "draft" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "int64"
local AGREES_VERSION = true
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

-- The tables of Pravega --------------------------------------------------------------------------------------

local names = {
  type_code = { [-2] = "partial_event", [-1] = "padding", [0] = "event" },
  type_code_2 = {
    [-127] = "hello",
    [-6] = "storage_chunks_listed",
    [-5] = "list_storage_chunks",
    [-4] = "flushed_to_storage",
    [-3] = "flush_to_storage",
    [-2] = "partial_event",
    [-1] = "padding",
    [0] = "event",
    [1] = "setup_append",
    [2] = "append_setup",
    [3] = "append_block",
    [4] = "append_block_end",
    [5] = "conditional_append",
    [7] = "data_appended",
    [8] = "conditional_check_failed",
    [9] = "read_segment",
    [10] = "segment_read",
    [11] = "get_stream_segment_info",
    [12] = "stream_segment_info",
    [13] = "get_transaction_info",
    [14] = "transaction_info",
    [20] = "create_segment",
    [21] = "segment_created",
    [22] = "create_transaction",
    [23] = "transaction_created",
    [24] = "commit_transaction",
    [25] = "transaction_committed",
    [26] = "abort_transaction",
    [27] = "transaction_aborted",
    [28] = "seal_segment",
    [29] = "segment_sealed",
    [30] = "delete_segment",
    [31] = "segment_deleted",
    [32] = "update_segment_policy",
    [33] = "segment_policy_updated",
    [34] = "get_segment_attribute",
    [35] = "segment_attribute",
    [36] = "update_segment_attribute",
    [37] = "segment_attribute_updated",
    [38] = "truncate_segment",
    [39] = "segment_truncated",
    [40] = "create_transient_segment",
    [41] = "locate_offset",
    [42] = "offset_located",
    [50] = "wrong_host",
    [51] = "segment_is_sealed",
    [52] = "segment_already_exists",
    [53] = "no_such_segment",
    [54] = "no_such_transaction",
    [55] = "invalid_event_number",
    [56] = "segment_is_truncated",
    [57] = "operation_unsupported",
    [58] = "merge_segments",
    [59] = "segments_merged",
    [60] = "auth_token_check_failed",
    [61] = "error_message",
    [68] = "get_table_segment_info",
    [69] = "table_segment_info",
    [70] = "create_table_segment",
    [71] = "delete_table_segment",
    [72] = "merge_table_segments",
    [73] = "seal_table_segment",
    [74] = "update_table_entries",
    [75] = "table_entries_updated",
    [76] = "remove_table_keys",
    [77] = "table_keys_removed",
    [78] = "read_table",
    [79] = "table_read",
    [80] = "table_segment_not_empty",
    [81] = "table_key_does_not_exist",
    [82] = "table_key_bad_version",
    [83] = "read_table_keys",
    [84] = "table_keys_read",
    [85] = "read_table_entries",
    [86] = "table_entries_read",
    [87] = "table_entries_delta_read",
    [88] = "read_table_entries_delta",
    [89] = "conditional_block_end",
    [90] = "merge_segments_batch",
    [91] = "segments_batch_merged",
    [100] = "keep_alive",
  },
  scale_type = { [0] = "no_scale", [1] = "in_kbytes_per_sec", [2] = "in_events_per_sec" },
  attribute_update_type = {
    [0] = "none",
    [1] = "replace",
    [2] = "replace_if_greater",
    [3] = "accumulate",
    [4] = "replace_if_equals",
  },
  error_code = { [-1] = "unspecified", [0] = "token_check_failed", [1] = "token_expired" },
  error_code_2 = { [-1] = "unspecified", [0] = "illegal_argument_exception" },
  position = { [0] = "begin", [1] = "middle", [2] = "end" },
}

local FOREIGN = {
  ["\022\003"] = "TLS",
  ["PRI * HTTP/2"] = "HTTP/2",
  ["GET "] = "HTTP",
  ["POST "] = "HTTP",
  ["PUT "] = "HTTP",
  ["HTTP/"] = "HTTP",
}

local FRAGMENTS = {
  by = "writer_id",
  place = "position",
  begun = { append_block = true },
  continued = { append_block_end = true, partial_message = true },
  ended = {},
}

local UPGRADES = {}
local turned, TURNING, BETWEEN_SERVERS = false, {}, {}

local RUN = {
  command = "segment_read",
  by = "segment",
  position = "offset",
  part = "data",
  begins = "\000\000\000\000",
  least = 8,
  most = 16777216,
}

local function head_1()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes behind this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local function head_2()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes behind this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local function head_3()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes behind this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local heads = {
  [""] = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(bytes, from)
      return bytes(from, 4):int(), nil, false
    end,
    measure = function(bytes, from)
      return bytes(from + 4, 4):int() + 8
    end,
  },
  ["0.0"] = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(bytes, from)
      return bytes(from, 4):int(), nil, false
    end,
    measure = function(bytes, from)
      return bytes(from + 4, 4):int() + 8
    end,
  },
  draft = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(bytes, from)
      return bytes(from, 4):int(), nil, false
    end,
    measure = function(bytes, from)
      return bytes(from + 4, 4):int() + 8
    end,
  },
}

local riders = {
  ["pravega.block"] = {
    whole = "records",
    types = {},
    body = {
      word.list(
        word.each({
          word.i32("type_code", "What it is.", { names = names.type_code }),
          word.bytes(I32, "data", "The event, zeros, or the start of an event."),
        }),
        "records",
        "Events, then what fills the block up.",
        { keep = true }
      ),
    },
  },
  ["pravega.message"] = {
    types = {},
    body = {
      word.i32("type_code", "Which message it is.", { names = names.type_code_2 }),
      word.bytes(I32, "payload", "What stands in it."),
    },
  },
}

local frames = {}

-- Says which versions of the protocol the sender speaks. WireCommands.Hello.
frames[#frames + 1] = {
  name = "hello",
  command = "hello",
  kind = "command",
  sender = "both",
  key = -127,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "high", "high_version" }, { "low", "low_version" } },
  brief = 2,
  agrees = { { name = "version", path = "high_version" } },
  opens = true,
  head = head_1(),
  word.i32("high_version", "Newest version that the sender speaks.", { keep = true, tells = true }),
  word.i32("low_version", "Oldest version that the sender speaks.", { keep = true, tells = true }),
}

-- Lists the chunks. WireCommands.StorageChunksListed.
frames[#frames + 1] = {
  name = "storage_chunks_listed",
  command = "storage_chunks_listed",
  kind = "response",
  sender = "server",
  key = -6,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "chunks", "chunks" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.list(
    word.each({
      word.i64("length_in_metadata", "Length as it is noted.", { unit = "bytes" }),
      word.i64("length_in_storage", "Length as it is stored.", { unit = "bytes" }),
      word.i64("start_offset", "Where it begins in the segment.", { unit = "bytes" }),
      word.text(U16, "chunk_name", "Name in storage.", { encoding = "mutf-8" }),
      word.u8("exists_in_storage", "True when it is there."),
    }),
    "chunks",
    "Chunks, in order.",
    { keep = true, tells = true, count = I32 }
  ),
}

-- Asks in which chunks a segment is stored. WireCommands.ListStorageChunks.
frames[#frames + 1] = {
  name = "list_storage_chunks",
  command = "list_storage_chunks",
  kind = "request",
  sender = "client",
  key = -5,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
}

-- Says that all is written. WireCommands.FlushedToStorage.
frames[#frames + 1] = {
  name = "flushed_to_storage",
  command = "flushed_to_storage",
  kind = "response",
  sender = "server",
  key = -4,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "id", "request_id" } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
}

-- Asks a container to write all to storage. WireCommands.FlushToStorage.
frames[#frames + 1] = {
  name = "flush_to_storage",
  command = "flush_to_storage",
  kind = "request",
  sender = "client",
  key = -3,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "container", "container_id" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i32("container_id", "Number of the container.", { keep = true, tells = true }),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
}

-- The start of an event outside of a block, which no peer sends. WireCommands.PartialEvent.
frames[#frames + 1] = {
  name = "partial_event",
  command = "partial_event",
  kind = "command",
  sender = "client",
  key = -2,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "data", "data" } },
  brief = 1,
  proves = "client",
  head = head_1(),
  word.bytes(REST, "data", "Start of the event.", { keep = true, tells = true }),
}

-- Fills up; nothing follows from it. WireCommands.Padding.
frames[#frames + 1] = {
  name = "padding",
  command = "padding",
  kind = "command",
  sender = "client",
  key = -1,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "data", "data" } },
  brief = 1,
  proves = "client",
  head = head_1(),
  word.bytes(REST, "data", "Zeros.", { keep = true, tells = true }),
}

-- An event outside of a block, which no peer sends. WireCommands.Event.
frames[#frames + 1] = {
  name = "event",
  command = "event",
  kind = "command",
  sender = "client",
  key = 0,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "data", "data" } },
  brief = 1,
  proves = "client",
  head = head_1(),
  word.bytes(REST, "data", "Bytes of the event.", { keep = true, tells = true }),
}

-- Asks to append events of a writer to a segment. WireCommands.SetupAppend.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" }, { "writer", "writer_id" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says that the writer may append, and what is stored of it. WireCommands.AppendSetup.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" }, { "last", "last_event_number" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("writer_id", "Writer, chosen by the client."),
  word.i64(
    "last_event_number",
    "Newest event of the writer that is stored; the lowest number for none.",
    { keep = true, tells = true }
  ),
}

-- Bytes of events that a writer appends. WireCommands.AppendBlock.
frames[#frames + 1] = {
  name = "append_block",
  command = "append_block",
  kind = "command",
  sender = "client",
  key = 3,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "writer", "writer_id" } },
  brief = 1,
  proves = "client",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.bytes(
    REST,
    "data",
    "Events, and what fills the block up.",
    { slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } } }
  ),
}

-- Ends an append block. WireCommands.AppendBlockEnd.
frames[#frames + 1] = {
  name = "append_block_end",
  command = "append_block_end",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "" },
  shows = { { "writer", "writer_id" }, { "events", "num_events" }, { "last", "last_event_number" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i32(
    "size_of_whole_events",
    "Bytes of the block in front of what fills it up.",
    { unit = "bytes" }
  ),
  word.bytes(
    I32,
    "data",
    "The rest of the last event, or whole events where no block came before.",
    { slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } } }
  ),
  word.i32("num_events", "Events in the block and here.", { keep = true, tells = true }),
  word.i64(
    "last_event_number",
    "Number of the last one; it is what is acknowledged.",
    { keep = true, tells = true }
  ),
  word.tail(8, word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends."
  )),
}

-- Appends an event if the segment has the expected length. WireCommands.ConditionalAppend.
frames[#frames + 1] = {
  name = "conditional_append",
  command = "conditional_append",
  kind = "command",
  sender = "client",
  key = 5,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "writer", "writer_id" }, { "event", "event_number" }, { "expected", "expected_offset" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i64(
    "event_number",
    "Number of the event, growing for each writer.",
    { keep = true, tells = true }
  ),
  word.i64(
    "expected_offset",
    "Length that the segment must have.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.fits("form", "Which layout fits: event, bare.", {
    { "event", {
      word.literal("\000\000\000\000", "Type code of EVENT."),
      word.bytes(I32, "event", "The event."),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends."
      )),
    } },
    { "bare", { word.bytes(I32, "data", "The event, without a head of its own.") } },
  }),
}

-- Acknowledges events of a writer. WireCommands.DataAppended.
frames[#frames + 1] = {
  name = "data_appended",
  command = "data_appended",
  kind = "command",
  sender = "server",
  key = 7,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { "writer", "writer_id" },
    { "event", "event_number" },
    { "previous", "previous_event_number" },
  },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i64(
    "event_number",
    "Number of the event, growing for each writer.",
    { keep = true, tells = true }
  ),
  word.tail(8, word.i64(
    "previous_event_number",
    "Newest event that was acknowledged before.",
    { keep = true, tells = true }
  )),
  word.tail(8, word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends."
  )),
  word.tail(8, word.i64(
    "current_segment_write_offset",
    "Length of the segment with these events.",
    { unit = "bytes" }
  )),
}

-- Says that nothing was appended, since the length differs. WireCommands.ConditionalCheckFailed.
frames[#frames + 1] = {
  name = "conditional_check_failed",
  command = "conditional_check_failed",
  kind = "response",
  sender = "server",
  key = 8,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "writer", "writer_id" }, { "event", "event_number" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i64(
    "event_number",
    "Number of the event, growing for each writer.",
    { keep = true, tells = true }
  ),
  word.tail(8, word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  )),
}

-- Asks for bytes of a segment. WireCommands.ReadSegment.
frames[#frames + 1] = {
  name = "read_segment",
  command = "read_segment",
  kind = "request",
  sender = "client",
  key = 9,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "offset", "offset" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("offset", "Where to begin.", { unit = "bytes", keep = true, tells = true }),
  word.i32("suggested_length", "Bytes that the client would like.", { unit = "bytes" }),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.tail(8, word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  )),
}

-- Brings bytes of a segment. WireCommands.SegmentRead.
frames[#frames + 1] = {
  name = "segment_read",
  command = "segment_read",
  kind = "response",
  sender = "server",
  key = 10,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "offset", "offset" }, { "at_tail", "at_tail" } },
  brief = 1000,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("offset", "Where they begin.", { unit = "bytes", keep = true, tells = true }),
  word.u8("at_tail", "True when nothing is stored behind them.", { keep = true, tells = true }),
  word.u8("end_of_segment", "True when the segment is sealed and nothing follows."),
  word.bytes(I32, "data", "The bytes: event records, the first and last perhaps in part.", {
    keep = true,
    tells = true,
    slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } },
  }),
  word.tail(8, word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  )),
}

-- Asks what a segment is. WireCommands.GetStreamSegmentInfo.
frames[#frames + 1] = {
  name = "get_stream_segment_info",
  command = "get_stream_segment_info",
  kind = "request",
  sender = "client",
  key = 11,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says what a segment is. WireCommands.StreamSegmentInfo.
frames[#frames + 1] = {
  name = "stream_segment_info",
  command = "stream_segment_info",
  kind = "response",
  sender = "server",
  key = 12,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" }, { "length", "write_offset" }, { "sealed", "is_sealed" } },
  brief = 4,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.u8("exists", "True when it is there."),
  word.u8("is_sealed", "True when nothing can be appended.", { keep = true, tells = true }),
  word.u8("is_deleted", "True when it was deleted."),
  word.i64("last_modified", "Time of the last change.", { unit = "ms" }),
  word.i64("write_offset", "Its length.", { unit = "bytes", keep = true, tells = true }),
  word.tail(8, word.i64("start_offset", "Where it begins since it was truncated.", { unit = "bytes" })),
}

-- Asks what a transaction is. WireCommands.GetTransactionInfo.
frames[#frames + 1] = {
  name = "get_transaction_info",
  command = "get_transaction_info",
  kind = "request",
  sender = "client",
  key = 13,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says what a transaction is. WireCommands.TransactionInfo.
frames[#frames + 1] = {
  name = "transaction_info",
  command = "transaction_info",
  kind = "response",
  sender = "server",
  key = 14,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
  word.text(U16, "transaction_name", "Its own segment.", { encoding = "mutf-8" }),
  word.u8("exists", "True when it is there."),
  word.u8("is_sealed", "True when nothing can be appended."),
  word.i64("last_modified", "Time of the last change.", { unit = "ms" }),
  word.i64("data_length", "Its length.", { unit = "bytes" }),
}

-- Asks for a new segment. WireCommands.CreateSegment.
frames[#frames + 1] = {
  name = "create_segment",
  command = "create_segment",
  kind = "request",
  sender = "client",
  key = 20,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i32("target_rate", "Rate above which the segment is split."),
  word.i8("scale_type", "What is counted.", { names = names.scale_type }),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.tail(8, word.i64(
    "rollover_size_bytes",
    "Size at which storage begins a new chunk; 0 for the server's own.",
    { unit = "bytes" }
  )),
}

-- Says that a segment is there now. WireCommands.SegmentCreated.
frames[#frames + 1] = {
  name = "segment_created",
  command = "segment_created",
  kind = "response",
  sender = "server",
  key = 21,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks to create a transaction. WireCommands.CreateTransaction.
frames[#frames + 1] = {
  name = "create_transaction",
  command = "create_transaction",
  kind = "request",
  sender = "client",
  key = 22,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is created. WireCommands.TransactionCreated.
frames[#frames + 1] = {
  name = "transaction_created",
  command = "transaction_created",
  kind = "response",
  sender = "server",
  key = 23,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to commit a transaction. WireCommands.CommitTransaction.
frames[#frames + 1] = {
  name = "commit_transaction",
  command = "commit_transaction",
  kind = "request",
  sender = "client",
  key = 24,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is committed. WireCommands.TransactionCommitted.
frames[#frames + 1] = {
  name = "transaction_committed",
  command = "transaction_committed",
  kind = "response",
  sender = "server",
  key = 25,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to abort a transaction. WireCommands.AbortTransaction.
frames[#frames + 1] = {
  name = "abort_transaction",
  command = "abort_transaction",
  kind = "request",
  sender = "client",
  key = 26,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is aborted. WireCommands.TransactionAborted.
frames[#frames + 1] = {
  name = "transaction_aborted",
  command = "transaction_aborted",
  kind = "response",
  sender = "server",
  key = 27,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to seal a segment. WireCommands.SealSegment.
frames[#frames + 1] = {
  name = "seal_segment",
  command = "seal_segment",
  kind = "request",
  sender = "client",
  key = 28,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says that the segment is sealed. WireCommands.SegmentSealed.
frames[#frames + 1] = {
  name = "segment_sealed",
  command = "segment_sealed",
  kind = "response",
  sender = "server",
  key = 29,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks to delete a segment. WireCommands.DeleteSegment.
frames[#frames + 1] = {
  name = "delete_segment",
  command = "delete_segment",
  kind = "request",
  sender = "client",
  key = 30,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says that the segment is deleted. WireCommands.SegmentDeleted.
frames[#frames + 1] = {
  name = "segment_deleted",
  command = "segment_deleted",
  kind = "response",
  sender = "server",
  key = 31,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks to change when a segment is split. WireCommands.UpdateSegmentPolicy.
frames[#frames + 1] = {
  name = "update_segment_policy",
  command = "update_segment_policy",
  kind = "request",
  sender = "client",
  key = 32,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i32("target_rate", "Rate above which the segment is split."),
  word.i8("scale_type", "What is counted.", { names = names.scale_type }),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says that the policy is changed. WireCommands.SegmentPolicyUpdated.
frames[#frames + 1] = {
  name = "segment_policy_updated",
  command = "segment_policy_updated",
  kind = "response",
  sender = "server",
  key = 33,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks for an attribute of a segment. WireCommands.GetSegmentAttribute.
frames[#frames + 1] = {
  name = "get_segment_attribute",
  command = "get_segment_attribute",
  kind = "request",
  sender = "client",
  key = 34,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("attribute_id", "Which attribute of the segment."),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says what the attribute is. WireCommands.SegmentAttribute.
frames[#frames + 1] = {
  name = "segment_attribute",
  command = "segment_attribute",
  kind = "response",
  sender = "server",
  key = 35,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "value", "value" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.i64("value", "Its value; the lowest number for none.", { keep = true, tells = true }),
}

-- Asks to change an attribute if it is as expected. WireCommands.UpdateSegmentAttribute.
frames[#frames + 1] = {
  name = "update_segment_attribute",
  command = "update_segment_attribute",
  kind = "request",
  sender = "client",
  key = 36,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("attribute_id", "Which attribute of the segment."),
  word.i64("new_value", "Value to be set."),
  word.i64("expected_value", "Value that it must have."),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says whether it was changed. WireCommands.SegmentAttributeUpdated.
frames[#frames + 1] = {
  name = "segment_attribute_updated",
  command = "segment_attribute_updated",
  kind = "response",
  sender = "server",
  key = 37,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "success", "success" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.u8("success", "True when it was changed.", { keep = true, tells = true }),
}

-- Asks to forget what is before an offset. WireCommands.TruncateSegment.
frames[#frames + 1] = {
  name = "truncate_segment",
  command = "truncate_segment",
  kind = "request",
  sender = "client",
  key = 38,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "offset", "truncation_offset" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64(
    "truncation_offset",
    "First byte that stays.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says that the segment is truncated. WireCommands.SegmentTruncated.
frames[#frames + 1] = {
  name = "segment_truncated",
  command = "segment_truncated",
  kind = "response",
  sender = "server",
  key = 39,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks for a transient segment. WireCommands.CreateTransientSegment.
frames[#frames + 1] = {
  name = "create_transient_segment",
  command = "create_transient_segment",
  kind = "request",
  sender = "client",
  key = 40,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "parent", "parent_segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.uuid("writer_id", "Writer, chosen by the client."),
  word.text(
    U16,
    "parent_segment",
    "Segment into which it will be merged.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Asks where an event begins. WireCommands.LocateOffset.
frames[#frames + 1] = {
  name = "locate_offset",
  command = "locate_offset",
  kind = "request",
  sender = "client",
  key = 41,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("target_offset", "Where to look from.", { unit = "bytes" }),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says where the event begins. WireCommands.OffsetLocated.
frames[#frames + 1] = {
  name = "offset_located",
  command = "offset_located",
  kind = "response",
  sender = "server",
  key = 42,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("offset", "Where the event begins.", { unit = "bytes" }),
}

-- Says that another host has the segment. WireCommands.WrongHost.
frames[#frames + 1] = {
  name = "wrong_host",
  command = "wrong_host",
  kind = "response",
  sender = "server",
  key = 50,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "correct_host",
    "Host that has it; the store leaves it empty.",
    { encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
}

-- Says that the segment is sealed. WireCommands.SegmentIsSealed.
frames[#frames + 1] = {
  name = "segment_is_sealed",
  command = "segment_is_sealed",
  kind = "response",
  sender = "server",
  key = 51,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
  word.tail(8, word.i64("offset", "Offset of the read, or number of the event, that failed; -1 for none.")),
}

-- Says that the segment is there already. WireCommands.SegmentAlreadyExists.
frames[#frames + 1] = {
  name = "segment_already_exists",
  command = "segment_already_exists",
  kind = "response",
  sender = "server",
  key = 52,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
}

-- Says that there is no such segment. WireCommands.NoSuchSegment.
frames[#frames + 1] = {
  name = "no_such_segment",
  command = "no_such_segment",
  kind = "response",
  sender = "server",
  key = 53,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
  word.tail(8, word.i64("offset", "Offset of the read, or number of the event, that failed; -1 for none.")),
}

-- Says that there is no such transaction. WireCommands.NoSuchTransaction.
frames[#frames + 1] = {
  name = "no_such_transaction",
  command = "no_such_transaction",
  kind = "response",
  sender = "server",
  key = 54,
  responses = { false },
  dialects = { "" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that an event number is not above the stored one. WireCommands.InvalidEventNumber.
frames[#frames + 1] = {
  name = "invalid_event_number",
  command = "invalid_event_number",
  kind = "response",
  sender = "server",
  key = 55,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "writer", "writer_id" }, { "event", "event_number" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.fits(
    "form",
    "Which layout fits: since_0_13, before.",
    {
      { "since_0_13", {
        word.i64(
          "request_id",
          "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
          { keep = true, tells = true }
        ),
        word.text(
          U16,
          "server_stack_trace",
          "Where the server failed; mostly empty.",
          { encoding = "mutf-8" }
        ),
        word.i64(
          "event_number",
          "Number of the event, growing for each writer.",
          { keep = true, tells = true }
        ),
      } },
      { "before", {
        word.i64(
          "event_number",
          "Number of the event, growing for each writer.",
          { keep = true, tells = true }
        ),
        word.tail(1, word.text(
          U16,
          "server_stack_trace",
          "Where the server failed; mostly empty.",
          { encoding = "mutf-8" }
        )),
      } },
    },
    { forget = { "request_id", "event_number" } }
  ),
}

-- Says that the segment begins later. WireCommands.SegmentIsTruncated.
frames[#frames + 1] = {
  name = "segment_is_truncated",
  command = "segment_is_truncated",
  kind = "response",
  sender = "server",
  key = 56,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "start", "start_offset" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("start_offset", "Where it begins now.", { unit = "bytes", keep = true, tells = true }),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
  word.tail(8, word.i64("offset", "Offset of the read, or number of the event, that failed; -1 for none.")),
}

-- Says that the operation is not supported. WireCommands.OperationUnsupported.
frames[#frames + 1] = {
  name = "operation_unsupported",
  command = "operation_unsupported",
  kind = "response",
  sender = "server",
  key = 57,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "operation", "operation_name" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(U16, "operation_name", "Which one.", { keep = true, tells = true, encoding = "mutf-8" }),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
}

-- Asks to merge a segment into another one. WireCommands.MergeSegments.
frames[#frames + 1] = {
  name = "merge_segments",
  command = "merge_segments",
  kind = "request",
  sender = "client",
  key = 58,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "target", "target" }, { "source", "source" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "target",
    "Segment that is merged into.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "source",
    "Segment that is merged.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.tail(4, word.list(
    word.each({
      word.uuid("attribute_id", "Which attribute of the segment."),
      word.u8("attribute_update_type", "How it changes.", { names = names.attribute_update_type }),
      word.i64("new_value", "Value to be set."),
      word.i64("old_value", "Value that it must have."),
    }),
    "attribute_updates",
    "What must hold of the target's attributes, and changes with the merge.",
    { count = I32 }
  )),
}

-- Says that the segment is merged. WireCommands.SegmentsMerged.
frames[#frames + 1] = {
  name = "segments_merged",
  command = "segments_merged",
  kind = "response",
  sender = "server",
  key = 59,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "target", "target" }, { "source", "source" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "target",
    "Segment that is merged into.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "source",
    "Segment that is merged.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(8, word.i64("new_target_write_offset", "Length of the target now.", { unit = "bytes" })),
}

-- Says that the token was refused. WireCommands.AuthTokenCheckFailed.
frames[#frames + 1] = {
  name = "auth_token_check_failed",
  command = "auth_token_check_failed",
  kind = "response",
  sender = "server",
  key = 60,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "code", "error_code" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.tail(1, word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  )),
  word.tail(4, word.i32("error_code", "Why.", { names = names.error_code, keep = true, tells = true })),
}

-- Says what went wrong. WireCommands.ErrorMessage.
frames[#frames + 1] = {
  name = "error_message",
  command = "error_message",
  kind = "response",
  sender = "server",
  key = 61,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "message", "message" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(U16, "message", "What went wrong.", { keep = true, tells = true, encoding = "mutf-8" }),
  word.i32("error_code", "Which error.", { names = names.error_code_2 }),
}

-- Asks what a table segment is. WireCommands.GetTableSegmentInfo.
frames[#frames + 1] = {
  name = "get_table_segment_info",
  command = "get_table_segment_info",
  kind = "request",
  sender = "client",
  key = 68,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says what a table segment is. WireCommands.TableSegmentInfo.
frames[#frames + 1] = {
  name = "table_segment_info",
  command = "table_segment_info",
  kind = "response",
  sender = "server",
  key = 69,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "entries", "entry_count" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("start_offset", "Where it begins.", { unit = "bytes" }),
  word.i64("length", "Its length.", { unit = "bytes" }),
  word.i64("entry_count", "Entries in it; -1 when not known.", { keep = true, tells = true }),
  word.i32("key_length", "Bytes of each key; 0 when they differ.", { unit = "bytes" }),
}

-- Asks for a new table segment. WireCommands.CreateTableSegment.
frames[#frames + 1] = {
  name = "create_table_segment",
  command = "create_table_segment",
  kind = "request",
  sender = "client",
  key = 70,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.tail(1, word.u8("sorted", "True when keys are kept in order.")),
  word.tail(4, word.i32("key_length", "Bytes of each key; 0 when they differ.", { unit = "bytes" })),
  word.tail(8, word.i64(
    "rollover_size_bytes",
    "Size at which storage begins a new chunk; 0 for the server's own.",
    { unit = "bytes" }
  )),
}

-- Asks to delete a table segment. WireCommands.DeleteTableSegment.
frames[#frames + 1] = {
  name = "delete_table_segment",
  command = "delete_table_segment",
  kind = "request",
  sender = "client",
  key = 71,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.u8("must_be_empty", "True when only an empty one may go."),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Asks to merge a table segment into another one. WireCommands.MergeTableSegments.
frames[#frames + 1] = {
  name = "merge_table_segments",
  command = "merge_table_segments",
  kind = "request",
  sender = "client",
  key = 72,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "target", "target" }, { "source", "source" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "target",
    "Segment that is merged into.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "source",
    "Segment that is merged.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Asks to seal a table segment. WireCommands.SealTableSegment.
frames[#frames + 1] = {
  name = "seal_table_segment",
  command = "seal_table_segment",
  kind = "request",
  sender = "client",
  key = 73,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Asks to put entries into a table. WireCommands.UpdateTableEntries.
frames[#frames + 1] = {
  name = "update_table_entries",
  command = "update_table_entries",
  kind = "request",
  sender = "client",
  key = 74,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "entries", "entries" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.list(word.each({
    word.record("key", "Its key.", {
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#entries.key.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
    }),
    word.record("value", "Its value.", {
      word.i32("total", "Bytes of the value behind this number.", { unit = "bytes", keep = true }),
      word.bytes(I32, "data", "The value itself.", { keep = true }),
      word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
    }),
  }), "entries", "Keys with their values.", {
    keep = true,
    tells = true,
    count = I32,
    forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
  }),
  word.tail(8, word.i64(
    "table_segment_offset",
    "Length that the table segment must have for the update; -1 for any.",
    { unit = "bytes" }
  )),
}

-- Says which versions the entries have now. WireCommands.TableEntriesUpdated.
frames[#frames + 1] = {
  name = "table_entries_updated",
  command = "table_entries_updated",
  kind = "response",
  sender = "server",
  key = 75,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "versions", "updated_versions" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.list(
    word.i64(nil, nil, { keep = true }),
    "updated_versions",
    "Versions, in the order of the entries.",
    { keep = true, tells = true, count = I32 }
  ),
}

-- Asks to remove entries of a table. WireCommands.RemoveTableKeys.
frames[#frames + 1] = {
  name = "remove_table_keys",
  command = "remove_table_keys",
  kind = "request",
  sender = "client",
  key = 76,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "keys", "keys" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.list(
    word.each({
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#keys.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
    }),
    "keys",
    "Keys.",
    { keep = true, tells = true, count = I32, forget = { "keys.total", "keys.data" } }
  ),
  word.tail(8, word.i64(
    "table_segment_offset",
    "Length that the table segment must have for the update; -1 for any.",
    { unit = "bytes" }
  )),
}

-- Says that they are removed. WireCommands.TableKeysRemoved.
frames[#frames + 1] = {
  name = "table_keys_removed",
  command = "table_keys_removed",
  kind = "response",
  sender = "server",
  key = 77,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks for the entries of some keys. WireCommands.ReadTable.
frames[#frames + 1] = {
  name = "read_table",
  command = "read_table",
  kind = "request",
  sender = "client",
  key = 78,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "keys", "keys" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.list(
    word.each({
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#keys.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
    }),
    "keys",
    "Keys.",
    { keep = true, tells = true, count = I32, forget = { "keys.total", "keys.data" } }
  ),
}

-- Brings the entries. WireCommands.TableRead.
frames[#frames + 1] = {
  name = "table_read",
  command = "table_read",
  kind = "response",
  sender = "server",
  key = 79,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "entries", "entries" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(word.each({
    word.record("key", "Its key.", {
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#entries.key.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
    }),
    word.record("value", "Its value.", {
      word.i32("total", "Bytes of the value behind this number.", { unit = "bytes", keep = true }),
      word.bytes(I32, "data", "The value itself.", { keep = true }),
      word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
    }),
  }), "entries", "Keys with their values.", {
    keep = true,
    tells = true,
    count = I32,
    forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
  }),
}

-- Says that the table is not empty. WireCommands.TableSegmentNotEmpty.
frames[#frames + 1] = {
  name = "table_segment_not_empty",
  command = "table_segment_not_empty",
  kind = "response",
  sender = "server",
  key = 80,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  ),
}

-- Says that a key is not there. WireCommands.TableKeyDoesNotExist.
frames[#frames + 1] = {
  name = "table_key_does_not_exist",
  command = "table_key_does_not_exist",
  kind = "response",
  sender = "server",
  key = 81,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  ),
}

-- Says that a key has another version. WireCommands.TableKeyBadVersion.
frames[#frames + 1] = {
  name = "table_key_bad_version",
  command = "table_key_bad_version",
  kind = "response",
  sender = "server",
  key = 82,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "server_stack_trace",
    "Where the server failed; mostly empty.",
    { encoding = "mutf-8" }
  ),
}

-- Asks for the next keys of a table. WireCommands.ReadTableKeys.
frames[#frames + 1] = {
  name = "read_table_keys",
  command = "read_table_keys",
  kind = "request",
  sender = "client",
  key = 83,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.i32("suggested_key_count", "Keys that the client would like."),
  word.bytes(
    I32,
    "continuation_token",
    "Where the next call goes on; empty for the start or the end."
  ),
  word.tail(4, word.bytes(I32, "prefix_filter", "Keys must begin with it; releases from 0.11 on leave it empty.")),
  word.tail(4, word.bytes(I32, "from_key", "First key; empty for the lowest.")),
  word.tail(4, word.bytes(I32, "to_key", "Last key; empty for the highest.")),
}

-- Brings keys. WireCommands.TableKeysRead.
frames[#frames + 1] = {
  name = "table_keys_read",
  command = "table_keys_read",
  kind = "response",
  sender = "server",
  key = 84,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "keys", "keys" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(
    word.each({
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#keys.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
    }),
    "keys",
    "Keys.",
    { keep = true, tells = true, count = I32, forget = { "keys.total", "keys.data" } }
  ),
  word.bytes(
    I32,
    "continuation_token",
    "Where the next call goes on; empty for the start or the end."
  ),
}

-- Asks for the next entries of a table. WireCommands.ReadTableEntries.
frames[#frames + 1] = {
  name = "read_table_entries",
  command = "read_table_entries",
  kind = "request",
  sender = "client",
  key = 85,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" } },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.i32("suggested_entry_count", "Entries that the client would like."),
  word.bytes(
    I32,
    "continuation_token",
    "Where the next call goes on; empty for the start or the end."
  ),
  word.tail(4, word.bytes(I32, "prefix_filter", "Keys must begin with it; releases from 0.11 on leave it empty.")),
  word.tail(4, word.bytes(I32, "from_key", "First key; empty for the lowest.")),
  word.tail(4, word.bytes(I32, "to_key", "Last key; empty for the highest.")),
}

-- Brings entries. WireCommands.TableEntriesRead.
frames[#frames + 1] = {
  name = "table_entries_read",
  command = "table_entries_read",
  kind = "response",
  sender = "server",
  key = 86,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "entries", "entries" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(word.each({
    word.record("key", "Its key.", {
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#entries.key.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
    }),
    word.record("value", "Its value.", {
      word.i32("total", "Bytes of the value behind this number.", { unit = "bytes", keep = true }),
      word.bytes(I32, "data", "The value itself.", { keep = true }),
      word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
    }),
  }), "entries", "Keys with their values.", {
    keep = true,
    tells = true,
    count = I32,
    forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
  }),
  word.bytes(
    I32,
    "continuation_token",
    "Where the next call goes on; empty for the start or the end."
  ),
}

-- Brings what changed. WireCommands.TableEntriesDeltaRead.
frames[#frames + 1] = {
  name = "table_entries_delta_read",
  command = "table_entries_delta_read",
  kind = "response",
  sender = "server",
  key = 87,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "entries", "entries" }, { "last", "last_position" } },
  brief = 4,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(word.each({
    word.record("key", "Its key.", {
      word.i32(
        "total",
        "Bytes of the key behind this number; 12 for an empty one, of which 4 are there.",
        { unit = "bytes", keep = true }
      ),
      word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
      word.when(function(v) return v["#entries.key.data"] > 0 end, {
        word.i64(
          "key_version",
          "Version that the entry must have: -1 for none at all, the lowest number for any."
        ),
      }),
      word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
    }),
    word.record("value", "Its value.", {
      word.i32("total", "Bytes of the value behind this number.", { unit = "bytes", keep = true }),
      word.bytes(I32, "data", "The value itself.", { keep = true }),
      word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
    }),
  }), "entries", "Keys with their values.", {
    keep = true,
    tells = true,
    count = I32,
    forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
  }),
  word.u8("should_clear", "True when the client must forget what it has."),
  word.u8("reached_end", "True when nothing is left."),
  word.i64(
    "last_position",
    "Where the next call begins.",
    { unit = "bytes", keep = true, tells = true }
  ),
}

-- Asks what changed since a position. WireCommands.ReadTableEntriesDelta.
frames[#frames + 1] = {
  name = "read_table_entries_delta",
  command = "read_table_entries_delta",
  kind = "request",
  sender = "client",
  key = 88,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "segment", "segment" }, { "from", "from_position" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
  word.i64(
    "from_position",
    "Where to begin; the last position of the reply before.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.i32("suggested_entry_count", "Entries that the client would like."),
}

-- Appends bytes if the segment has the expected length. WireCommands.ConditionalBlockEnd.
frames[#frames + 1] = {
  name = "conditional_block_end",
  command = "conditional_block_end",
  kind = "command",
  sender = "client",
  key = 89,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "writer", "writer_id" }, { "event", "event_number" }, { "expected", "expected_offset" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i64(
    "event_number",
    "Number of the event, growing for each writer.",
    { keep = true, tells = true }
  ),
  word.i64(
    "expected_offset",
    "Length that the segment must have.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.bytes(
    I32,
    "data",
    "Bytes to append, without a head of their own.",
    { slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } } }
  ),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends."
  ),
}

-- Asks to merge segments into another one. WireCommands.MergeSegmentsBatch.
frames[#frames + 1] = {
  name = "merge_segments_batch",
  command = "merge_segments_batch",
  kind = "request",
  sender = "client",
  key = 90,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "target", "target" }, { "sources", "sources" } },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "target",
    "Segment that is merged into.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(
    word.text(U16, nil, "One item.", { keep = true, encoding = "mutf-8" }),
    "sources",
    "Segments that are merged, in this order.",
    { keep = true, tells = true, count = I32 }
  ),
  word.tail(1, word.text(
    U16,
    "delegation_token",
    "Token (JWT) that allows the operation; empty where security is off.",
    { secret = true, encoding = "mutf-8" }
  )),
}

-- Says where the target ends with each of them. WireCommands.SegmentsBatchMerged.
frames[#frames + 1] = {
  name = "segments_batch_merged",
  command = "segments_batch_merged",
  kind = "response",
  sender = "server",
  key = 91,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { "target", "target" }, { "sources", "sources" } },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  head = head_1(),
  word.i64(
    "request_id",
    "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
    { keep = true, tells = true }
  ),
  word.text(
    U16,
    "target",
    "Segment that is merged into.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.list(
    word.each({
      word.text(U16, "source", "Segment that is merged.", { encoding = "mutf-8" }),
      word.i64("new_target_write_offset", "Length of the target with it.", { unit = "bytes" }),
    }),
    "sources",
    "Segments that were merged.",
    { keep = true, tells = true, count = I32 }
  ),
}

-- A sign of life. WireCommands.KeepAlive.
frames[#frames + 1] = {
  name = "keep_alive",
  command = "keep_alive",
  kind = "command",
  sender = "both",
  key = 100,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {},
  brief = 0,
  head = head_1(),
}

-- Asks to append events of a writer to a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" }, { "writer", "writer_id" } },
  brief = 2,
  proves = "client",
  head = head_2(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that the writer may append, and what is stored of it. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" }, { "last", "last_event_number" } },
  brief = 2,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("writer_id", "Writer, chosen by the client."),
  word.i64(
    "last_event_number",
    "Newest event of the writer that is stored; the lowest number for none.",
    { keep = true, tells = true }
  ),
}

-- Ends an append block. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "append_block_end",
  command = "append_block_end",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "writer", "writer_id" }, { "last", "last_event_number" } },
  brief = 2,
  proves = "client",
  head = head_2(),
  word.uuid("writer_id", "Writer, chosen by the client.", { keep = true, tells = true }),
  word.i64("last_event_number", "Number of the last event.", { keep = true, tells = true }),
  word.i32("size_of_whole_events", "Bytes of whole events.", { unit = "bytes" }),
  word.bytes(
    I32,
    "data",
    "The rest of the last event.",
    { slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } } }
  ),
}

-- Asks what a segment is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "get_stream_segment_info",
  command = "get_stream_segment_info",
  kind = "request",
  sender = "client",
  key = 11,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says what a segment is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "stream_segment_info",
  command = "stream_segment_info",
  kind = "response",
  sender = "server",
  key = 12,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" }, { "length", "write_offset" }, { "sealed", "is_sealed" } },
  brief = 3,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.u8("exists", "True when it is there."),
  word.u8("is_sealed", "True when nothing can be appended.", { keep = true, tells = true }),
  word.u8("is_deleted", "True when it was deleted."),
  word.i64("last_modified", "Time of the last change.", { unit = "ms" }),
  word.i64("write_offset", "Its length.", { unit = "bytes", keep = true, tells = true }),
}

-- Asks what a transaction is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "get_transaction_info",
  command = "get_transaction_info",
  kind = "request",
  sender = "client",
  key = 13,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says what a transaction is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_info",
  command = "transaction_info",
  kind = "response",
  sender = "server",
  key = 14,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
  word.text(U16, "transaction_name", "Its own segment.", { encoding = "mutf-8" }),
  word.u8("exists", "True when it is there."),
  word.u8("is_sealed", "True when nothing can be appended."),
  word.i64("last_modified", "Time of the last change.", { unit = "ms" }),
  word.i64("data_length", "Its length.", { unit = "bytes" }),
}

-- Asks for a new segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "create_segment",
  command = "create_segment",
  kind = "request",
  sender = "client",
  key = 20,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that a segment is there now. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_created",
  command = "segment_created",
  kind = "response",
  sender = "server",
  key = 21,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks to create a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "create_transaction",
  command = "create_transaction",
  kind = "request",
  sender = "client",
  key = 22,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is created. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_created",
  command = "transaction_created",
  kind = "response",
  sender = "server",
  key = 23,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to commit a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "commit_transaction",
  command = "commit_transaction",
  kind = "request",
  sender = "client",
  key = 24,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is committed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_committed",
  command = "transaction_committed",
  kind = "response",
  sender = "server",
  key = 25,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to abort a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "abort_transaction",
  command = "abort_transaction",
  kind = "request",
  sender = "client",
  key = 26,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Says that the transaction is aborted. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_aborted",
  command = "transaction_aborted",
  kind = "response",
  sender = "server",
  key = 27,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("transaction_id", "Which transaction."),
}

-- Asks to seal a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "seal_segment",
  command = "seal_segment",
  kind = "request",
  sender = "client",
  key = 28,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that the segment is sealed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_sealed",
  command = "segment_sealed",
  kind = "response",
  sender = "server",
  key = 29,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Asks to delete a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "delete_segment",
  command = "delete_segment",
  kind = "request",
  sender = "client",
  key = 30,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "client",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that the segment is deleted. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_deleted",
  command = "segment_deleted",
  kind = "response",
  sender = "server",
  key = 31,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that another host has the segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "wrong_host",
  command = "wrong_host",
  kind = "response",
  sender = "server",
  key = 50,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.text(
    U16,
    "correct_host",
    "Host that has it; the store leaves it empty.",
    { encoding = "mutf-8" }
  ),
}

-- Says that the segment is sealed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_is_sealed",
  command = "segment_is_sealed",
  kind = "response",
  sender = "server",
  key = 51,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that the segment is there already. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_already_exists",
  command = "segment_already_exists",
  kind = "response",
  sender = "server",
  key = 52,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that there is no such segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "no_such_segment",
  command = "no_such_segment",
  kind = "response",
  sender = "server",
  key = 53,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that there is no such transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "no_such_transaction",
  command = "no_such_transaction",
  kind = "response",
  sender = "server",
  key = 54,
  responses = { false },
  dialects = { "0.0" },
  shows = { { "segment", "segment" } },
  brief = 1,
  proves = "server",
  head = head_2(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- A part of a message that was cut. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "partial_message",
  command = "partial_message",
  kind = "command",
  sender = "both",
  key = -2,
  responses = { false },
  dialects = { "draft" },
  shows = { { "position", "position" } },
  brief = 1,
  head = head_3(),
  word.u8(
    "position",
    "Which part; the numbers are not in the page.",
    { names = names.position, keep = true, tells = true }
  ),
  word.bytes(
    REST,
    "data",
    "Its bytes.",
    { slot = { name = "pravega.message", readers = { { rider = "pravega.message", try = true } } } }
  ),
}

-- An event, inside of a block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "event",
  command = "event",
  kind = "command",
  sender = "client",
  key = 0,
  responses = { false },
  dialects = { "draft" },
  shows = { { "data", "data" } },
  brief = 1,
  proves = "client",
  head = head_3(),
  word.bytes(REST, "data", "Its bytes.", { keep = true, tells = true }),
}

-- Asks to append to a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "draft" },
  shows = { { "segment", "segment" }, { "connection", "connection_id" } },
  brief = 2,
  proves = "client",
  head = head_3(),
  word.uuid("connection_id", "Identifies the appender.", { keep = true, tells = true }),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
}

-- Says that the client may append, and what is stored. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "draft" },
  shows = { { "segment", "segment" }, { "stored", "connection_offset_ack_level" } },
  brief = 2,
  proves = "server",
  head = head_3(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.uuid("connection_id", "Identifies the appender."),
  word.i64(
    "connection_offset_ack_level",
    "Offset before which all bytes of this connection are stored; 0 for a new one.",
    { unit = "bytes", keep = true, tells = true }
  ),
}

-- Begins an append block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "begin_append_block",
  command = "begin_append_block",
  kind = "command",
  sender = "client",
  key = 3,
  responses = { false },
  dialects = { "draft" },
  shows = { { "connection", "connection_id" }, { "offset", "connection_offset" }, { "bytes", "length" } },
  brief = 3,
  proves = "client",
  head = head_3(),
  word.uuid("connection_id", "Identifies the appender.", { keep = true, tells = true }),
  word.i64(
    "connection_offset",
    "Bytes written over this connection so far.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.i32(
    "length",
    "Bytes before EndAppendBlock; the block may get another size.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.bytes(
    REST,
    "data",
    "Events of the block, where they count among its bytes: the page does not say.",
    { slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } } }
  ),
}

-- Ends an append block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "end_append_block",
  command = "end_append_block",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { "connection", "connection_id" },
    { "offset", "connection_offset" },
    { "bytes", "block_length" },
  },
  brief = 3,
  proves = "client",
  head = head_3(),
  word.uuid("connection_id", "Identifies the appender.", { keep = true, tells = true }),
  word.i64(
    "connection_offset",
    "Bytes written over this connection so far.",
    { unit = "bytes", keep = true, tells = true }
  ),
  word.i32(
    "block_length",
    "Bytes of the block that was written.",
    { unit = "bytes", keep = true, tells = true }
  ),
}

-- Acknowledges what is stored. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "data_appended",
  command = "data_appended",
  kind = "command",
  sender = "server",
  key = 7,
  responses = { false },
  dialects = { "draft" },
  shows = { { "connection", "connection_id" }, { "stored", "connection_offset_ack_level" } },
  brief = 2,
  proves = "server",
  head = head_3(),
  word.uuid("connection_id", "Identifies the appender.", { keep = true, tells = true }),
  word.i64(
    "connection_offset_ack_level",
    "Offset before which all bytes of this connection are stored; 0 for a new one.",
    { unit = "bytes", keep = true, tells = true }
  ),
}

-- Asks for bytes of a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "read_segment",
  command = "read_segment",
  kind = "request",
  sender = "client",
  key = 9,
  responses = { false },
  dialects = { "draft" },
  shows = { { "segment", "segment" }, { "offset", "offset" } },
  brief = 2,
  proves = "client",
  head = head_3(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("offset", "Where to begin.", { unit = "bytes", keep = true, tells = true }),
  word.i32("suggested_length", "Bytes that the client would like.", { unit = "bytes" }),
}

-- Brings bytes of a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "segment_read",
  command = "segment_read",
  kind = "response",
  sender = "server",
  key = 10,
  responses = { false },
  dialects = { "draft" },
  shows = { { "segment", "segment" }, { "offset", "offset" }, { "at_tail", "at_tail" } },
  brief = 1000,
  proves = "server",
  head = head_3(),
  word.text(
    U16,
    "segment",
    "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
    { keep = true, tells = true, encoding = "mutf-8" }
  ),
  word.i64("offset", "Where they begin.", { unit = "bytes", keep = true, tells = true }),
  word.bits(1, {
    word.part(
      "at_tail",
      1,
      "1 when nothing is stored behind them; its place is not in the page.",
      { keep = true, tells = true }
    ),
    word.part("end_of_segment", 1, "1 when nothing follows; its place is not in the page."),
    word.reserved(6),
  }),
  word.bytes(REST, "data", "The bytes.", {
    keep = true,
    tells = true,
    slot = { name = "pravega.block", readers = { { rider = "pravega.block", try = true } } },
  }),
}

-- A sign of life. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "keep_alive",
  command = "keep_alive",
  kind = "command",
  sender = "both",
  key = 100,
  responses = { false },
  dialects = { "draft" },
  shows = { { "data", "data" } },
  brief = 1,
  head = head_3(),
  word.bytes(REST, "data", "Means nothing; mostly empty.", { keep = true, tells = true }),
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
