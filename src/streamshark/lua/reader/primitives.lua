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
    part.size, part.shift, part.weight, part.range = size, shift, math.floor(2 ^ shift), math.floor(2 ^ part.width)
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

function word.fits(arms, facts) return step("fits", nil, nil, { arms = arms }, facts) end

-- With `of`, the path of what chooses the arm, a value without a case is a problem.
function word.switch(on, cases, default, of)
  return step("switch", nil, nil, { on = on, cases = cases, default = default, of = of })
end

function word.region(measure, members, facts)
  return step("region", nil, nil, { measure = measure, members = members }, facts)
end

function word.claim(of, expected) return step("claim", nil, nil, { of = of, expected = expected }) end

function word.literal(data, doc)
  return step("literal", nil, doc, { data = data, title = data == "\r\n" and "Line end: \\r\\n" or (doc or "Fixed bytes"):gsub("%.$", "") })
end

-- Fields and expert items -----------------------------------------------------------------------------------

local registered, header, common = {}, {}, {}
local undecoded -- bytes that no field could read
local field, fields_of_declaring

do

local by_name = {}
local asked_for, known, so_far -- while steps are declared: the fields they ask for; these of the first time

-- A ProtoField of a name, shared by all steps that would make the same.
function field(name, key, make)
  if known then
    so_far = so_far + 1
    return known[so_far]
  end
  key = name .. " " .. key
  if not by_name[key] then
    by_name[key] = make()
    registered[#registered + 1] = by_name[key]
  end
  asked_for[#asked_for + 1] = by_name[key]
  return by_name[key]
end

-- The fields that a function asks for while it declares steps, in order; when it declares the same ones `again`, it is
-- given those of the first time: names of fields are forgotten then.
function fields_of_declaring(act, again, ...)
  asked_for, known, so_far = again or {}, again, 0
  if again then by_name = nil end
  act(...)
  return asked_for
end

end

local function label(name)
  name = name:match("[^.]*$")
  return ((name:sub(1, 1):upper() .. name:sub(2)):gsub("_", " "))
end

-- The name of one item of a list.
local function singular(name)
  if name:find("ies$") then return (name:gsub("ies$", "y")) end
  if name:find("sses$") then return name:sub(1, -3) end
  return name:find("[^su]s$") and name:sub(1, -2) or name
end

local function number_field(name, made)
  local kind = (made.signed and "int" or "uint") .. made.size * 8
  local shown = made.base == "hex" and not made.signed and base.HEX or base.DEC
  local mask -- of groups up to 32 bits; Lua's numbers lack some bits of a larger mask
  if made.width and made.size <= 4 then mask = math.floor((2 ^ made.width - 1) * 2 ^ made.shift) end
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
    local bits = math.floor(mask * 2 ^ (made.shift or 0))
    own[at] = field(path, "flag" .. made.size .. bits, function()
      return ProtoField.bool(path, label(flag), made.size * 8, nil, bits)
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

-- The time that a number counts, as a field below it.
local function time_field(name, made)
  name = name .. ".time"
  return field(name, "absolute_time", function() return ProtoField.absolute_time(name, "Time", base.UTC, made.name .. " as a time.") end)
end

-- Gives steps their path in the frame and their fields; `prefix` is the frame's name.
local declare
local declares = {}

-- Gives a step whose value belongs to fields that span commands these fields, too: in `also` a step for each.
local function declare_also(made)
  for index, name in ipairs(made.spans or {}) do
    local known = COMMON[name]
    local twin = { name = name, doc = known.doc, flag_fields = false, flags = known.by_flag and made.flags or false }
    declares[made.kind](setmetatable(twin, { __index = made }), NAME .. "." .. name)
    made.also = made.also or {}
    made.also[index] = twin
  end
end

function declares.number(made, name)
  made.field = number_field(name, made)
  if made.time then made.time_field = time_field(name, made) end
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.part(made, name)
  made.field = number_field(name, made)
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.blob(made, name)
  local kind = made.encoding == "uuid" and "guid" or made.encoding and "string" or "bytes"
  made.field = plain_field(kind, name, made)
end

-- What the tables read of the items of a list: values in a list for each path, members of each item together. Of bytes
-- it is the content.
local function declare_items(made)
  if made.gathers then
    made.gathered = {}
    for index, path in ipairs(made.gathers) do made.gathered[index] = path .. "[]" end
  end
  if made.records then
    made.recorded = {}
    for index, member in ipairs(made.records) do
      local counted = member:match("^#(.*)$") -- of a list in the item the number of its items
      local path = made.path .. "." .. (counted or member)
      made.recorded[index] = { name = member:gsub("%[%]$", ""):gsub(" raw$", ""), path = counted and "#" .. path or path }
    end
  end
end

function declares.list(made, name)
  declare_items(made)
  made.item.name, made.item.doc = made.item.name or singular(made.name), made.item.doc or made.doc
  local number = made.number
  if number then
    local own = name .. "." .. number.name
    number.field = field(own, "uint64", function() return ProtoField.uint64(own, label(number.name), base.DEC, nil, nil, number.doc) end)
  end
  if not made.item.kind then error("a list without an item: " .. name) end
end

function declares.record(made, name) if made.name then made.field = plain_field("none", name, made) end end


local function declare_all(members, prefix, path)
  for _, member in ipairs(members) do declare(member, prefix, path) end
end

function declare(made, prefix, path)
  if made.name then path = path == "" and made.name or path .. "." .. made.name end
  made.path, made.prefix, made.count_path = path, prefix, "#" .. path
  made.at_path = made.pieced and path .. " at" or nil
  if declares[made.kind] then declares[made.kind](made, made.abbreviation or prefix .. "." .. path) end
  declare_also(made)
  if made.kind == "list" then
    local item = made.item
    local own = item.name
    item.name = nil
    if item.kind == "record" then
      item.path, item.prefix, item.label, item.name, item.count_path = path, prefix, label(own), own, made.count_path
      declares.record(item, prefix .. "." .. path)
      declare_all(item.members, prefix, path)
    else
      item.name = own
      item.path, item.prefix, item.count_path = path, prefix, made.count_path
      declares[item.kind](item, prefix .. "." .. path)
      declare_also(item)
    end
  end
  if made.parts then
    for _, part in ipairs(made.parts) do
      if part.name then
        part.path = path == "" and part.name or path .. "." .. part.name
        part.prefix = prefix
        declares.part(part, part.abbreviation or prefix .. "." .. part.path)
        declare_also(part)
      end
    end
  end
  if made.members then declare_all(made.members, prefix, path) end
  if made.clear then
    declare_all(made.clear, prefix, path)
    declare_all(made.set, prefix, path)
  end
  if made.kind == "fits" then
    for _, arm in ipairs(made.arms) do declare_all(arm[2], prefix, path) end
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

-- Methods of Wireshark's, looked up once: to find one by its name costs as much as to call it.
local add, add_packet, generated, range_of = TreeItem.add, TreeItem.add_packet_field, TreeItem.set_generated, Tvb.range
local append_text, set_length = TreeItem.append_text, TreeItem.set_len

local tvb, data -- its bytes, also as a string: reading these costs a fraction
local at, stop -- the next one, the end of the frame or region
local item -- where fields are added; nil while nothing is shown
local chosen -- fields that somebody asked for, while others need not be added
local judged_item -- where problems are added meanwhile, if anywhere; or what makes it
local v -- values that others refer to, by path; absent ones are 0
local info_texts, left = {} -- texts for the Info column by path, and how many are still wanted
local problems, first = {} -- what is wrong, and where the frame begins in these bytes
local trial -- true while bytes are only tried: names must be known
local wants_info = true -- false while the Info column is not asked for
local brief = false -- true while only what the Info column shows is read
local inside = false -- true while the bytes of a slot are read
local large = false -- whether a number was read that Lua cannot hold
local following = false -- true while conversations wait for what is read
local hidden_from = math.huge -- where a secret may begin whose end is not known: nothing behind it is shown
local name_here = "" -- the name in a pair of name and value

local facts_held = {} -- names of the facts that were proved of the frame

local NOTHING = { __index = function() return 0 end }
local HALT = true -- what a read function returns when the decoding cannot go on

-- Numbers at a place of the bytes.
local bytes_at = string.byte -- to find a method of text costs as much as to call it

local function u8(place) return (bytes_at(data, place + 1)) end

local function u16(place)
  local a, b = bytes_at(data, place + 1, place + 2)
  return a * 256 + b
end

local function u24(place)
  local a, b, c = bytes_at(data, place + 1, place + 3)
  return (a * 256 + b) * 256 + c
end

local function u32(place)
  local a, b, c, d = bytes_at(data, place + 1, place + 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

local UNSIGNED = { u8, u16, u24, u32 }
local WRAPS = { 0x100, 0x10000, 0x1000000, 0x100000000 } -- one above the largest number of so many bytes

local function number_at(place, size, signed)
  if size <= 4 then
    local value = UNSIGNED[size](place)
    return signed and 2 * value >= WRAPS[size] and value - WRAPS[size] or value
  end
  local high, low = u32(place), u32(place + 4)
  if high < 0x200000 then return high * 0x100000000 + low end
  if signed and high >= 0xFFE00000 then return (high - 0x100000000) * 0x100000000 + low end
  local range = tvb(place, size)
  large = true
  return signed and range:int64() or range:uint64()
end

local function band(a, b)
  if a < 0x80000000 and b < 0x80000000 then return math.floor(bit.band(a, b)) end -- which is a float in Lua 5.4
  local sum, weight = 0, 1
  while a > 0 and b > 0 do
    if a % 2 >= 1 and b % 2 >= 1 then sum = sum + weight end
    a, b, weight = math.floor(a / 2), math.floor(b / 2), weight * 2
  end
  return sum
end


local unpack = table.unpack

local digits
local MINUS_ONE = 18446744073709551616.0 -- what the largest number of 64 bits is held as

do

local SMALL = {} -- digits of small numbers, which come again and again
for number = 0, 1023 do SMALL[number] = string.format("%.0f", number) end

function digits(value)
  if type(value) ~= "number" then return tostring(value) end
  if SMALL[value] then return SMALL[value] end
  return value == MINUS_ONE and "18446744073709551615" or string.format("%.0f", value)
end

end

local function hex(value, width)
  if type(value) ~= "number" then return "0x" .. (value:tohex():gsub("^0+(.)", "%1")) end
  return string.format("0x%0" .. (width or 1) .. "x", math.floor(value))
end

local is_utf8, as_utf8
local REPLACEMENT = "\239\191\189" -- U+FFFD

do

local function is_more(byte) return byte and byte >= 0x80 and byte < 0xC0 end

-- Bytes of the character at a place and true; else false, and the bytes that one U+FFFD stands for. `wide` is modified
-- UTF-8, which writes a pair of surrogates instead of four bytes, and NUL as two.
local function character(raw, place, wide)
  local a, b, c, d = raw:byte(place, place + 3)
  local size = a >= 0xF0 and 4 or a >= 0xE0 and 3 or 2
  if wide and a == 0xC0 and b == 0x80 then return 2, true end
  if a < 0xC2 or a > 0xF4 or wide and size == 4 then return 1, false end
  local least = a == 0xE0 and 0xA0 or a == 0xF0 and 0x90 or 0x80
  local most = a == 0xED and not wide and 0x9F or a == 0xF4 and 0x8F or 0xBF
  if not b or b < least or b > most then return 1, false end
  if size > 2 and not is_more(c) then return 2, false end
  if size > 3 and not is_more(d) then return 3, false end
  if a ~= 0xED or b < 0xA0 then return size, true end
  local is_pair = b < 0xB0 and raw:find("^\237[\176-\191][\128-\191]", place + 3) ~= nil
  return is_pair and 6 or 1, is_pair
end

function is_utf8(raw, wide)
  local place = raw:find("[\128-\255]")
  while place do
    local size, is_whole = character(raw, place, wide)
    if not is_whole then return false end
    place = raw:find("[\128-\255]", place + size)
  end
  return true
end

-- A pair of surrogates, three bytes each, as four bytes.
local function joined_pair(raw)
  local _, b, c, _, e, f = raw:byte(1, 6)
  local code = 0x10000 + (b % 16 * 64 + c % 64) * 1024 + e % 16 * 64 + f % 64
  return string.char(0xF0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64, 0x80 + math.floor(code / 64) % 64,
    0x80 + code % 64)
end

-- Text as UTF-8, with U+FFFD where it is not valid: what Wireshark is given is written as it is, to PDML as well.
function as_utf8(raw, wide)
  if is_utf8(raw) then return raw end
  wide = wide and is_utf8(raw, true)
  local out, from = {}, 1
  local place = raw:find("[\128-\255]")
  while place do
    local size, is_whole = character(raw, place, wide)
    local own = raw:sub(place, place + size - 1)
    out[#out + 1] = raw:sub(from, place - 1)
    out[#out + 1] = not is_whole and REPLACEMENT or size == 6 and joined_pair(own) or own == "\192\128" and "\0" or own
    from = place + size
    place = raw:find("[\128-\255]", from)
  end
  out[#out + 1] = raw:sub(from)
  return table.concat(out)
end

end

-- Notes a problem as an expert item; `made` is the step that it is about, nil for the frame as a whole.
local function note_problem(code, made, offset, length, message)
  local path = made and made.path ~= "" and made.path or nil
  problems[#problems + 1] = { code = code, path = path, message = message, offset = offset - first, length = length, inside = inside }
  if not preferences.secrets then message = secrets.scrubbed(message, "***") end
  local marked = item or not trial and judged_item
  if type(marked) == "function" then marked = marked() end
  if marked then marked:add_proto_expert_info(experts[code], as_utf8(path and path .. ": " .. message or message)) end
end

-- The same with the values of its sentence.
local function problem(code, made, offset, length, ...)
  local values = { ... }
  for index, value in ipairs(values) do
    if type(value) == "number" then values[index] = digits(value) end
  end
  note_problem(code, made, offset, length, string.format(CODES[code].message, unpack(values)))
end

local function short(made, wanted)
  problem("short", made, at, stop - at, wanted, stop - at)
  return HALT
end

local function is_text(raw, encoding)
  if not raw:find("[\128-\255]") then return true end
  if encoding == "ascii" then return false end
  return is_utf8(raw, encoding == "mutf-8")
end

-- Texts for the Info column: as `streamshark read` writes them.
local quoted, readable

do

local LONGEST, SHORTEST = 60, 16 -- characters of a payload, and how many a cut text keeps at least
local LONGEST_NAME = 256 -- characters of a field that is text
local NAMED = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\", ['"'] = '\\"' }
local UNSEEN = { -- first and last character of what is not printable: blanks, marks that turn the writing direction
  { 0x80, 0xA0 }, { 0xAD, 0xAD }, { 0x61C, 0x61C }, { 0x1680, 0x1680 }, { 0x180E, 0x180E }, { 0x2000, 0x200F },
  { 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x3000, 0x3000 }, { 0xE000, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB },
}

local function seen(character)
  local a, b, c, d = character:byte(1, 4)
  local code = d and ((a % 8 * 64 + b % 64) * 64 + c % 64) * 64 + d % 64 or c and (a % 16 * 64 + b % 64) * 64 + c % 64
    or a % 32 * 64 + b % 64
  for _, range in ipairs(UNSEEN) do
    if code >= range[1] and code <= range[2] then return (code < 0x100 and "\\x%02x" or "\\u%04x"):format(code) end
  end
end

-- Text as it stands in quotes, so that it stays one line that is read from left to right.
local function escaped(raw, quote)
  raw = raw:gsub('[%c\\' .. quote .. "]", function(c) return NAMED[c] or ("\\x%02x"):format(c:byte()) end)
  return raw:find("[\128-\255]") and raw:gsub("[\194-\244][\128-\191]+", seen) or raw
end

-- So many characters from the start of a text.
local function cut_to(raw, most)
  local place = 1
  while most > 0 and place <= #raw do
    place = place + 1
    while (raw:byte(place) or 0) >= 0x80 and raw:byte(place) < 0xC0 do place = place + 1 end
    most = most - 1
  end
  return raw:sub(1, place - 1)
end

local function characters_of(raw) return select(2, raw:gsub("[^\128-\191]", "")) end

-- In quotes where that is needed; in a sentence, `bare`, never. Cut where it is long, unless `whole`.
function quoted(raw, bare, whole)
  if #raw > 4 and not preferences.secrets then raw = secrets.scrubbed(raw) end
  local cut, longest = "", bare and LONGEST or LONGEST_NAME
  if not whole and #raw > longest and characters_of(raw) > longest then
    if bare then return escaped(cut_to(raw, longest - 3), "") .. "..." end
    cut = "[" .. characters_of(raw) .. " characters]"
    raw = cut_to(raw, math.max(longest - #cut, SHORTEST))
  end
  if bare then return escaped(raw, "") end
  local safe = escaped(raw, '"')
  if raw ~= "" and safe == raw and not raw:find("[%s%c\"'\\=,%[%]]") then return raw .. cut end
  return '"' .. safe .. '"' .. cut
end

-- The start of bytes that people can read, in quotes; nil for other bytes.
function readable(from, count)
  local raw, cut = data:sub(from + 1, from + math.min(count, 4 * LONGEST)), ""
  if not is_utf8(raw) then
    if #raw == count then return nil end
    raw = raw:match("^(.-)[\192-\255][\128-\191]?[\128-\191]?$") -- a character that is cut
    if not raw or not is_utf8(raw) then return nil end
  end
  if raw == "" or raw:find("[%z\1-\8\11\12\14-\31\127]") or raw:find("\194[\128-\159]") then return nil end
  if not preferences.secrets then raw = secrets.scrubbed(raw) end
  if #raw < count or characters_of(raw) > LONGEST then
    cut = "[" .. digits(count) .. " bytes]"
    raw = cut_to(raw, math.max(LONGEST - #cut, SHORTEST))
  end
  local quote = raw:find('"', 1, true) and not raw:find("'", 1, true) and "'" or '"'
  return quote .. escaped(raw, quote) .. quote .. cut
end

end

local function number_text(made, value)
  if made.flags then
    local names, order = {}, {}
    for mask in pairs(made.flags) do order[#order + 1] = mask end
    table.sort(order, made.ascending and function(a, b) return a < b end or function(a, b) return a > b end)
    local left_over = value
    for _, mask in ipairs(made.flag_order or order) do
      if band(value, mask) ~= 0 then names[#names + 1] = made.flags[mask] end
      left_over = left_over - band(left_over, mask)
    end
    for bit = 0, left_over ~= 0 and 31 or -1 do
      if band(left_over, math.floor(2 ^ bit)) ~= 0 then names[#names + 1] = "bit_" .. bit end
    end
    return #names > 0 and table.concat(names, "|") or "0"
  end
  local name = made.names and made.names[value]
  local figures = made.base == "hex" and hex(value) or digits(value)
  for _, range in ipairs(not name and made.ranges or {}) do
    if value >= range[1] and value <= range[2] then return range[3] .. "(" .. figures .. ")" end
  end
  return name or figures
end

-- Keeps a value that others refer to.
local function keep(made, value)
  v[made.path] = value
  if made.awaited and following then left = left - 1 end
end

local info_line = {} -- the words of the Info column; see info.lua
local MOST_LISTED = 64 -- items of a list of which the Info column may show something

-- Keeps the text of one value for the Info column; a path through a list keeps those of its first items.
local function add_info(made, text)
  if made.in_info == "ranges" then info_line.add_range(made.path, text)
  elseif made.in_info == "many" then
    local so_far = info_texts[made.path]
    if not so_far then
      so_far = { total = 0 }
      info_texts[made.path] = so_far
    end
    so_far.total = so_far.total + 1
    if #so_far < MOST_LISTED then so_far[#so_far + 1] = text end
  elseif not info_texts[made.path] then
    info_texts[made.path] = text
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

local part_value -- the number that some bits of a group are

-- Adds a value under the names that span commands: in hidden items, which filters and columns find. `value` is that of text,
-- or of a number that its bytes alone do not say.
local function add_also(made, from, count, value)
  for _, twin in ipairs(made.also or {}) do
    local range, own = range_of(tvb, from, count), item
    if not chosen or chosen[twin.field] then
      if value == nil then own = add(item, twin.field, range) else own = add(item, twin.field, range, value) end
      own:set_hidden()
    end
    for _, flag in ipairs(twin.flag_fields or {}) do
      if not chosen or chosen[flag] then add(own, flag, range):set_hidden() end
    end
  end
end

-- Adds the facts that a value proves of its frame, each once.
local function add_held(made, value)
  for name, unless in pairs(made.holds or {}) do
    if not unless[value] and not facts_held[name] then
      facts_held[name] = true
      if not chosen or chosen[common[name]] then generated(add(item, common[name], true)):set_hidden() end
    end
  end
end

local MOST_FLAG_TEXTS = 1024

-- Writes the names of the flags that a number has after it.
local function append_flags(own, made, value)
  local texts = made.flag_texts
  if not texts or texts.count > MOST_FLAG_TEXTS then
    texts = { count = 0 }
    made.flag_texts = texts
  end
  if not texts[value] then
    texts[value], texts.count = value ~= 0 and " (" .. number_text(made, value) .. ")" or "", texts.count + 1
  end
  append_text(own, texts[value])
end

local LAST_SECOND = 253402300800 -- the end of the year 9999

-- Shows the time that a number of these bytes counts below it; 0 and less are what programs write that know none.
local function add_time(made, place, size, value, below)
  if chosen and not chosen[made.time_field] then return end
  local text = type(value) == "number" and ("%.0f"):format(value) or tostring(value)
  local seconds = tonumber(text:sub(1, -made.time - 1)) or 0
  if text:find("^[-0]") or seconds >= LAST_SECOND then return end
  local rest = made.time > 0 and tonumber(text:sub(-made.time)) or 0
  local time = NSTime.new(math.floor(seconds), math.floor(rest * 10 ^ (9 - made.time)))
  generated(add(below, made.time_field, range_of(tvb, place, size), time))
end

-- Shows a number of these bytes, and its flags below it.
local function add_number(made, size)
  local own = item
  if not chosen or chosen[made.field] then own = add(item, made.field, range_of(tvb, at, size)) end
  if made.time_field then add_time(made, at, size, number_at(at, size, made.signed), own) end
  if made.flag_fields and not chosen then append_flags(own, made, made.width and part_value(made, at) or number_at(at, size, made.signed)) end
  local flags = made.flag_fields
  for index = 1, flags and #flags or 0 do
    if not chosen or chosen[flags[index]] then add(own, flags[index], range_of(tvb, at, size)) end
  end
  if made.also then add_also(made, at, size) end
  if made.holds then add_held(made, made.width and part_value(made, at) or number_at(at, size, made.signed)) end
end

function read.number(made)
  local size = made.size
  if stop - at < size then return short(made, size) end
  if made.keep then
    local value = number_at(at, size, made.signed)
    keep(made, value)
    if made.in_info and wants_info then add_info(made, number_text(made, value)) end
    if trial and made.names and not made.names[value] then return HALT end
  end
  if item then add_number(made, size) end
  at = at + size
end

function read.passed(made)
  if stop - at < made.size then return short(made, made.size) end
  at = at + made.size
end

function part_value(made, from)
  local shift, width = made.shift, made.width
  if made.size <= 4 then return math.floor(UNSIGNED[made.size](from) / made.weight) % made.range end
  local high, low = u32(from), u32(from + 4)
  if shift >= 32 then return math.floor(high / 2 ^ (shift - 32)) % math.floor(2 ^ width) end
  if shift + width <= 32 then return math.floor(low / 2 ^ shift) % math.floor(2 ^ width) end
  local upper = high % math.floor(2 ^ (shift + width - 32))
  if width > 53 and shift == 0 and upper >= 0x200000 then
    large = true
    return UInt64(low, math.floor(upper))
  end
  return upper * math.floor(2 ^ (32 - shift)) + math.floor(low / 2 ^ shift)
end

-- A number as Wireshark takes it for a field of 64 bits.
local function wide(value)
  if type(value) ~= "number" then return value end
  return UInt64(math.floor(value % 2 ^ 32), math.floor(value / 2 ^ 32))
end

function read.bits(made)
  local size, parts = made.size, made.parts
  if stop - at < size then return short(made, size) end
  for index = 1, #parts do
    local part = parts[index]
    if part.name then
      if part.keep then
        local value = part_value(part, at)
        keep(part, value)
        if part.in_info and wants_info then add_info(part, number_text(part, value)) end
        if trial and part.names and not part.names[value] then return HALT end
      end
      if item then
        if size <= 4 then add_number(part, size)
        elseif not chosen or chosen[part.field] then
          add(item, part.field, range_of(tvb, at, size), wide(part_value(part, at)))
        end
      end
    end
  end
  at = at + size
end

-- Numbers and groups of bits that follow each other, read in one go. See `joined`.
function read.run(made)
  local size, from = made.size, at
  if trial or stop - from < size then return read_all(made.members) end
  local kept = made.kept
  for index = 1, #kept do
    local one = kept[index]
    local offset, of = from + one.offset, one.made
    local value = one.get and one.get(offset) or one.is_part and part_value(of, offset) or number_at(offset, of.size, of.signed)
    v[one.path] = value
    if one.awaited and following then left = left - 1 end
    if one.in_info and wants_info then add_info(of, number_text(of, value)) end
  end
  if item then
    local fields, offsets, sizes = made.fields, made.offsets, made.sizes
    for index = 1, #fields do
      local shown = fields[index]
      if not chosen or chosen[shown] then add(item, shown, range_of(tvb, from + offsets[index], sizes[index])) end
    end
  end
  at = from + size
end

local joined

do -- a scope of its own: Lua takes 200 names in one

-- Whether a step is a number, or a group of them, of which one item is all that is shown.
local function is_plain_number(made)
  if made.kind == "number" then return not (made.flag_fields or made.also or made.holds or made.time_field) end
  if made.kind ~= "bits" or made.size > 4 then return false end
  for _, part in ipairs(made.parts) do if part.flag_fields or part.also then return false end end
  return true
end

local function join(run, made, offset, size, is_part)
  local count = #run.fields + 1
  run.fields[count], run.offsets[count], run.sizes[count] = made.field, offset, size
  if not made.keep then return end
  local get = not is_part and not made.signed and UNSIGNED[size] or nil
  run.kept[#run.kept + 1] = {
    made = made, offset = offset, get = get, is_part = is_part, path = made.path, awaited = made.awaited, in_info = made.in_info,
  }
end

-- These steps with numbers that follow each other put together, those before `from` left as they are.
function joined(members, from)
  local out, run = {}, nil
  for index, made in ipairs(members) do
    if index >= (from or 1) and is_plain_number(made) then
      if not run then
        run = { kind = "run", size = 0, members = {}, fields = {}, offsets = {}, sizes = {}, kept = {} }
        out[#out + 1] = run
      end
      run.members[#run.members + 1] = made
      if made.kind == "number" then join(run, made, run.size, made.size, false) end
      for _, part in ipairs(made.parts or {}) do
        if part.name then join(run, part, run.size, made.size, true) end
      end
      run.size = run.size + made.size
    else
      run = nil
      out[#out + 1] = made
      for _, inner in ipairs(made.kind ~= "run" and { "members", "clear", "set", "default" } or {}) do
        if made[inner] then made[inner] = joined(made[inner]) end
      end
      if made.item and made.item.members then made.item.members = joined(made.item.members) end
      for key, arm in pairs(made.cases or {}) do made.cases[key] = joined(arm) end
      for _, arm in ipairs(made.arms or {}) do arm[2] = joined(arm[2]) end
    end
  end
  return out
end

end

-- Shows lengths, counts and fixed bytes as text: no field has them, but a click on them selects something.
local function add_layout(place, count, text)
  if item and not chosen and count > 0 then add(item, range_of(tvb, place, count), text) end
end

-- The first values of an item of a list, for its line in the tree: `key: value`, or one after the other.
local MOST_SUMMED = 3
local summary -- those of the item that is being read; nil where none is shown

local function begin_summary()
  local outer = summary
  summary = {}
  return outer
end

local function sum_up(made, text)
  if not summary or #summary >= MOST_SUMMED then return end
  if #summary == 0 then summary.key = made.name:find("key$") ~= nil end
  summary[#summary + 1] = (made.encoding or made.measure) and text or label(made.name):lower() .. " " .. text
end

local function end_summary(outer)
  local own = summary
  summary = outer
  if #own == 0 then return "" end
  return ": " .. (own.key and #own == 2 and own[1] .. ": " .. own[2] or table.concat(own, ", "))
end

local stream_inside -- name of the stream that the message of protobuf names whose bodies are read
local numbering = {} -- of the item that is read, `value` by `number`; of the records in its slot the `first`

-- Shows the number of an item that is not in its bytes.
local function add_item_number(number, value, place, below)
  numbering.number, numbering.value = number, value
  if summary then sum_up(number, digits(value)) end
  if chosen and not chosen[number.field] then return end
  generated(add(below, number.field, range_of(tvb, place, 0), type(value) == "number" and UInt64(math.floor(value % 2 ^ 32), math.floor(value / 2 ^ 32)) or value))
end

local function bytes_of(count) return digits(count) .. (count == 1 and " byte" or " bytes") end

local measured

do

local MEASURES = {} -- kinds of measures

-- Length or count as `measure` says, behind its own number where it has one; nil with HALT when cut.
function measured(made, measure)
  local kind = MEASURES[measure]
  if not kind then
    kind = type(measure)
    MEASURES[measure] = kind
  end
  if kind == "number" then return measure end
  if kind == "function" then return measure(v) end
  if measure.size then
    if stop - at < measure.size then
      short(made, measure.size)
      return nil
    end
    local count = number_at(at, measure.size, measure.signed)
    if count ~= -1 then add_layout(at, measure.size, (made.kind == "list" and "Count: " or "Length: ") .. digits(count)) end
    at = at + measure.size
    return type(count) == "number" and count or tonumber(tostring(count)) + 0.0 -- a float, which does not overflow
  end
  return stop - at
end

end

local TEXT = ENC_UTF_8 + ENC_BIG_ENDIAN

-- Adds bytes that may be a secret: without a value, since Wireshark fails if fields of one name have different types.
local function add_masked(parent, shown, name, place)
  return add(parent, shown, range_of(tvb, place, 0), ""):set_text(label(name) .. ": ***")
end

-- Adds what may be shown of a secret. No byte is of the item, for Wireshark writes these to PDML and JSON.
local function add_hidden(parent, made, place, text)
  if chosen and not chosen[made.field] then return nil end
  if made.encoding then return add(parent, made.field, range_of(tvb, place, 0), text or "***") end
  return add_masked(parent, made.field, made.name, place)
end

local veiling = false -- whether a secret may stand in what no field can read

-- Adds bytes that no field could read.
local function add_undecoded(parent, from, count, unknown)
  local raw = not preferences.secrets and data:sub(from + 1, from + count)
  if raw and (veiling or from + count > hidden_from or secrets.may_hold(raw) or secrets.is_likely(data)) then
    add_masked(parent, unknown or undecoded, unknown and "unknown_fields" or "undecoded", from)
  else add(parent, unknown or undecoded, range_of(tvb, from, count)) end
end

-- What may be shown of a text; nil where that is all of it. `name` says of which name it is the value.
local function hidden_text(made, place, raw, name)
  if preferences.secrets then return nil end
  if made.secret or place >= hidden_from or name and raw ~= "" and secrets.is_name(name) then return "***" end
  local user = name and SECRETS.hosts[(name:lower():gsub("^:", ""))] and raw:match("^.*@()")
  local spans = user and { { 1, user - 1 } } or secrets.held and secrets.may_hold(raw) and secrets.credentials(raw)
  if not spans or #spans == 0 then return nil end
  local filled = secrets.filled(raw, spans)
  return filled:find("[^*]") and filled or "***"
end

local function add_text(made, place, count, name)
  local raw = data:sub(place + 1, place + count)
  local hidden = hidden_text(made, place, raw, name or made.of_name and name_here)
  if made.names_next then name_here = raw end
  if made.names_stream and not stream_inside and item then stream_inside = raw end
  if not is_text(raw, made.encoding) then problem("text", made, place, count, made.encoding) end
  if made.keep then
    keep(made, raw)
    v[made.count_path] = count
  end
  if trial == true and raw:find("%c") then return HALT end
  if made.in_info and wants_info then
    local plain = made.encoding == "ascii" and raw:gsub("[\128-\255]", REPLACEMENT) or as_utf8(raw, made.encoding == "mutf-8")
    add_info(made, (made.secret or hidden == "***") and "***" or quoted(plain))
  end
  if not item then return end
  if summary then sum_up(made, hidden == "***" and hidden or quoted(as_utf8(hidden or raw, made.encoding == "mutf-8"), true)) end
  if made.also then add_also(made, place, hidden and 0 or count, as_utf8(hidden or raw, made.encoding == "mutf-8")) end
  if made.holds then add_held(made, raw) end
  if chosen and not chosen[made.field] then return end
  local range = range_of(tvb, place, count)
  if hidden then add_hidden(item, made, place, as_utf8(hidden, made.encoding == "mutf-8"))
  elseif count == 0 then add(item, made.field, range, "")
  elseif made.encoding == "mutf-8" then add(item, made.field, range, as_utf8(raw, true))
  elseif made.encoding == "ascii" and raw:find("[\128-\255]") then add(item, made.field, range, (raw:gsub("[\128-\255]", REPLACEMENT)))
  else add_packet(item, made.field, range, TEXT) end
end

local function bytes_text(made, place, count)
  if made.secret or place >= hidden_from then return "***" end
  if made.slot and made.slot.veiled and count > 0 then return "[" .. digits(count) .. (count == 1 and " byte]" or " bytes]") end
  if count > 8 then return "[" .. digits(count) .. " bytes]" end
  return count == 0 and "empty" or tvb(place, count):bytes():tohex(true)
end

local open_slot
local hides, is_hidden -- whether the bytes of a slot may hold a secret; whether they hold one
local veils = { met = false } -- whether bytes were met that may be a secret
local body_text -- of a slot: text where it is text, and what its embedded records show
local bodies -- what embedded records show, while the line of a frame is written
local inner_texts = {} -- path of a slot to what its embedded records show; "" to the lines of another protocol's frames in it

-- Bytes, which Wireshark itself would call missing where there are none.
local function add_bytes(made, place, count, shown)
  local own = add(shown, made.field, range_of(tvb, place, count))
  if count == 0 then own:set_text(label(made.name) .. ": [empty]") end
  return own
end

function read.blob(made)
  local from = at
  local count = measured(made, made.measure)
  if not count then return HALT end
  if (made.null or made.refuses_null) and count == -1 then
    if made.refuses_null then problem("null", made, from, at - from) end
    if made.in_info and wants_info then add_info(made, "null") end
    if item and not chosen then add(item, range_of(tvb, from, at - from), label(made.name) .. ": null") end
    return
  end
  if count < 0 then
    problem("negative", made, from, at - from, count)
    return HALT
  end
  if made.limit and count > made.limit then
    problem("limit", made, from, math.min(at + count, stop) - from, count, made.limit)
  end
  if count > stop - at then
    if made.slot and hides(made.slot) then veils.met = true end
    return short(made, count)
  end
  local place = at
  at = at + count
  if made.encoding == "uuid" then
    if made.keep then keep(made, data:sub(place + 1, place + 16)) end
    if item and (not chosen or chosen[made.field]) then add(item, made.field, range_of(tvb, place, count)) end
    if item and made.also then add_also(made, place, count) end
    if made.in_info and wants_info then add_info(made, (tvb(place, 16):bytes():tohex(true):gsub("^(%x%x%x%x%x%x%x%x)(%x%x%x%x)(%x%x%x%x)(%x%x%x%x)", "%1-%2-%3-%4-"))) end
    return
  end
  if made.encoding then return add_text(made, place, count) end
  if made.at_path then
    v[made.at_path], v[made.count_path] = place, count
    left = left - 1
  end
  if made.keep then
    keep(made, count)
    v[made.count_path] = count
    if made.raw then v[made.path .. " raw"] = data:sub(place + 1, place + count) end
  end
  if made.in_info and wants_info then add_info(made, body_text(made, place, count))
  elseif bodies and made.slot then body_text(made, place, count) end
  if made.slot and count > 0 and hides(made.slot) then veils.met = true end
  if not item then return end
  if summary then sum_up(made, bytes_of(count)) end
  if not preferences.secrets and (made.secret or place >= hidden_from) then
    add_hidden(item, made, place)
    return
  end
  local own = item
  if made.slot and count > 0 and is_hidden(made.slot, place, count) then own = add_hidden(item, made, place) or item
  elseif not chosen or chosen[made.field] then own = add_bytes(made, place, count, item) end
  if (made.slot or made.body) and (not chosen or chosen.slots) then open_slot(made, place, count, own) end
end

-- Forgets what was kept of the item before.
local function forget(made)
  local keys = made.forgotten
  if not keys then
    keys = {}
    for _, path in ipairs(made.forget or {}) do keys[#keys + 1], keys[#keys + 2] = path, "#" .. path end
    made.forgotten = keys
  end
  for index = 1, #keys do v[keys[index]] = nil end
end

local gather, gather_value, gather_repeated, held_of

do

-- What Lua holds of numbers of 64 bits with more than 53: those that stand for "none". The least one is exact. -1, without its
-- sign the largest one, is held as 2^64, which no other number is.
local HELD = { ["-9223372036854775808"] = -9223372036854775808, ["18446744073709551615"] = MINUS_ONE }

function held_of(value) return HELD[tostring(value)] end

-- Keeps a value that conversations want of an item among those of the items before it. Of a number that Lua cannot hold they
-- want nothing, nor of the others then.
function gather_value(path, all, value)
  if type(value) == "userdata" then value = held_of(value) or value end
  all[#all + 1] = value
  if type(value) == "userdata" then v[path] = nil end
end

-- Keeps what conversations want of an item that has been read.
function gather(made, is_wanted)
  local paths = (following or is_wanted) and made.gathers
  for index = 1, paths and #paths or 0 do
    local path = paths[index]
    local all, value = v[made.gathered[index]], rawget(v, path)
    if type(all) == "table" and value ~= nil then gather_value(made.gathered[index], all, value) end
  end
  if made.records then
    local own = {}
    for _, each in ipairs(made.recorded) do own[each.name] = rawget(v, each.path) end
    table.insert(v[made.path .. "[]"], own)
  end
end

-- Keeps what conversations want of an item of which nothing says that it is the first.
function gather_repeated(made)
  for _, path in ipairs(made.gathered or {}) do v[path] = rawget(v, path) or {} end
  if made.records then v[made.path .. "[]"] = rawget(v, made.path .. "[]") or {} end
  if made.keep then v[made.count_path] = (rawget(v, made.count_path) or 0) + 1 end
  gather(made, true)
end

-- One record of a list.
local function read_item(made, index, number, inner_number)
  local one, outer, start = made.item, item, at
  if made.forget then forget(made) end
  local own = outer and (not chosen or chosen[one.field]) and add(outer, one.field, range_of(tvb, at, 0))
  if own then
    item = own
  end
  local is_summed, outer_summary = own and not chosen, nil
  if is_summed then outer_summary = begin_summary() end
  if number and item then add_item_number(made.number, number, start, item) end
  if inner_number and is_summed then sum_up(numbering.number, digits(inner_number)) end
  local halted = read_all(one.members)
  if is_summed then append_text(own, " " .. index .. end_summary(outer_summary)) end
  if own then set_length(own, at - start) end
  item = outer
  local sums = made.sums
  for nth = 1, sums and #sums or 0 do
    local sum = sums[nth]
    v[sum.path] = v[sum.path] + (rawget(v, sum.member) or sum.absent)
  end
  return halted
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
  if brief and made.in_info == true and count then
    add_info(made, digits(count))
    if left <= 0 then return HALT end
  end
  local one = made.item
  local is_record, gathers = one.kind == "record", made.records or following and made.gathers
  local most, counted, room = made.count and count or math.huge, made.count, made.limit or math.huge
  local n = 0
  for _, sum in ipairs(made.sums or {}) do v[sum.path] = 0 end
  if made.gathers and following then
    for _, path in ipairs(made.gathered) do v[path] = rawget(v, path) or {} end
  end
  if made.records then v[made.path .. "[]"] = {} end
  local halted
  local number, inner_number = made.number and rawget(v, made.number.start), numbering.first
  numbering.first = nil
  while n < most and (counted or (at < stop and n <= room)) do
    local start = at
    if is_record then
      n = n + 1
      halted = read_item(made, n, number, inner_number and inner_number + n - 1)
      if number then number = number + (rawget(v, made.number.weight) or 1) end
    else
      halted = read[one.kind](one)
      if not halted then n = n + 1 end
    end
    if gathers then gather(made) end
    if halted or at == start then break end
  end
  if made.keep then
    v[made.count_path] = n
    if made.awaited and following then left = left - 1 end
    if made.in_info and wants_info then add_info(made, digits(n)) end
  end
  if halted then return HALT end
  local width = measure and measure.size or 0
  if made.claim and n ~= count then problem("count", made, from, width, digits(count), digits(n)) end
  if made.limit and n > made.limit then problem("limit", made, from, width, digits(n), digits(made.limit)) end
end

end

function read.record(made)
  local outer, start = item, at
  if made.in_info and wants_info then add_info(made, "[record]") end
  local own = outer and made.field and (not chosen or chosen[made.field]) and add(outer, made.field, range_of(tvb, at, 0))
  if own then item = own end
  local halted = read_all(made.members)
  if own then set_length(own, at - start) end
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
  return read_all(u8(at) < 128 and made.clear or made.set)
end

function read.switch(made)
  local on = made.on(v)
  local arm = made.cases[on]
  if not arm and made.of then problem("value", { path = made.of }, at, 0, ("no %s %d"):format(made.of:match("[^.]*$"), on)) end
  return read_all(arm or made.default)
end

-- Tries the arms without showing them; the first that uses up the region without a problem is shown.
function read.fits(made)
  local from, until_here, shown, known, kept, so_far = at, stop, item, problems, info_texts, left
  for _, arm in ipairs(made.arms) do
    item, problems, info_texts, left = nil, {}, {}, 1000
    local fitted = not read_all(arm[2]) and at == stop and #problems == 0
    at, stop, item, problems, info_texts, left = from, until_here, shown, known, kept, so_far
    if fitted then
      return read_all(arm[2])
    end
    forget(made)
  end
  problem("nofit", made, at, stop - at, stop - at)
  return HALT
end

local sums = { wanted = true } -- checksum functions by name; whether a frame is looked at so closely

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
  if made.sum_of and preferences.checksums and sums.wanted and not cut and not brief and (not made.summed or made.summed(v)) then
    local expected, found = made.expected(v), sums[made.sum_of](data:sub(at + 1, stop))
    if expected ~= found then problem("checksum", made, at, stop - at, hex(expected, 8), hex(found, 8)) end
  end
  local halted = read_all(made.members)
  if brief and left <= 0 then return HALT end
  if not halted and at ~= stop then problem("trailing", made, at, stop - at, stop - at) end
  if at < stop and item then add_undecoded(item, at, stop - at) end
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
  if data:sub(at + 1, at + size) ~= made.data then
    problem("literal", made, at, size)
    return HALT
  end
  add_layout(at, size, made.title)
  at = at + size
end
