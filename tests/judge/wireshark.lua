-- As much of Wireshark's Lua as the plugins need to run in any Lua: `lua wireshark.lua SHORT SEGMENTS PLUGIN...` reads the
-- segments of TCP in a file twice, as Wireshark does, and prints what is shown of them. Each line of the file is a segment:
-- stream, ports, sequence number, next one, acknowledged one, time in nanoseconds, bytes in hexadecimal digits.

local SHORT, SEGMENTS = arg[1], arg[2]

-- Whole numbers, as Wireshark asks for them: of a place in the frame it refuses a float, even a whole one.
local function whole(value, what)
  if type(value) ~= "number" or value ~= math.floor(value) then error(what .. " is no whole number: " .. tostring(value), 3) end
  return value
end

local function integer(value, what)
  whole(value, what)
  if math.type and math.type(value) ~= "integer" then error(what .. " must be an integer: " .. value, 3) end
  return value
end

-- Operators of bits: they give floats in Lua 5.3 and later, and numbers with a sign, as in Wireshark.
local function signed(value) return (value + 0x80000000) % 0x100000000 - 0x80000000 + 0.0 end

bit = {}
for name, text in pairs({ band = "a & b", bor = "a | b", bxor = "a ~ b", rshift = "a >> b", bnot = "~a" }) do
  local act = bit32 and bit32[name] or load("local a, b = ... return (" .. text .. ") & 0xffffffff")
  bit[name] = function(first, ...)
    local value = whole(first, "operand") % 0x100000000
    if not ... then return signed(act(math.floor(value))) end
    for _, each in ipairs({ ... }) do value = act(math.floor(value), math.floor(whole(each, "operand") % 0x100000000)) end
    return signed(value)
  end
end

-- Numbers of 64 bits, as two halves ------------------------------------------------------------------------------

local WORD = 0x100000000
local wide = {}
wide.__index = wide

local plain_type = type
function type(value) return getmetatable(value) == wide and "userdata" or plain_type(value) end

local function made(low, high, has_sign) return setmetatable({ low = low % WORD, high = high % WORD, has_sign = has_sign }, wide) end

local function of(value, has_sign)
  if getmetatable(value) == wide then return value end
  return made(value % WORD, math.floor(value / WORD), has_sign)
end

local function order(value) return value.has_sign and (value.high + 0x80000000) % WORD or value.high end

local function both(a, b)
  local has_sign = getmetatable(a) == wide and a.has_sign or getmetatable(b) == wide and b.has_sign
  return of(a, has_sign), of(b, has_sign)
end

function wide.__lt(a, b)
  a, b = both(a, b)
  if order(a) ~= order(b) then return order(a) < order(b) end
  return a.low < b.low
end

function wide.__eq(a, b) return a.low == b.low and a.high == b.high end

function wide.__le(a, b) return not (b < a) end

function wide.__unm(a) return made(WORD - a.low, WORD - 1 - a.high + (a.low == 0 and 1 or 0), a.has_sign) end

function wide.__add(a, b)
  a, b = both(a, b)
  local low = a.low + b.low
  return made(low, a.high + b.high + math.floor(low / WORD), a.has_sign)
end

function wide.__mul(a, b)
  a, b = both(a, b)
  if b.high > 0 or b.low >= 0x100000 then error("more is multiplied than this can", 2) end
  local low = a.low * b.low
  return made(low, a.high * b.low + math.floor(low / WORD), a.has_sign)
end

function wide.__tostring(a)
  if a.has_sign and a.high >= 0x80000000 then return "-" .. wide.__tostring(made(WORD - a.low, WORD - 1 - a.high + (a.low == 0 and 1 or 0))) end
  local high, low, digits = a.high, a.low, ""
  repeat
    local rest = high % 10
    high = math.floor(high / 10)
    low = rest * WORD + low
    digits, low = ("%d"):format(low % 10) .. digits, math.floor(low / 10)
  until high == 0 and low == 0
  return digits
end

function wide:tohex() return ("%08x%08x"):format(self.high, self.low) end

local function class(has_sign)
  local function new(low, high)
    if not high then return of(whole(low, "number"), has_sign) end
    return made(whole(low, "half"), whole(high, "half"), has_sign)
  end
  return setmetatable({ new = new }, { __call = function(_, ...) return new(...) end })
end
UInt64, Int64 = class(false), class(true)

-- Bytes ------------------------------------------------------------------------------------------------------------

Tvb, TreeItem, Column, ByteArray = {}, {}, {}, {}
local Range = {}
Tvb.__index, Range.__index, TreeItem.__index, Column.__index, ByteArray.__index = Tvb, Range, TreeItem, Column, ByteArray

local function tvb_of(data, offset) return setmetatable({ data = data, from = offset or 0 }, Tvb) end

function Tvb:len() return #self.data end
Tvb.reported_len = Tvb.len
function Tvb:offset() return self.from end
function Tvb:range(from, count)
  from = whole(from or 0, "offset")
  count = whole(count or -1, "length")
  if count == -1 then count = #self.data - from end
  if from < 0 or count < 0 or from + count > #self.data then error(("range %s, %s of %s bytes"):format(from, count, #self.data), 2) end
  return setmetatable({ bytes_of_range = self.data:sub(from + 1, from + count), from = self.from + from }, Range)
end
Tvb.__call = Tvb.range
function Tvb:raw(from, count) return self:range(from, count).bytes_of_range end

function Range:len() return #self.bytes_of_range end
function Range:raw(from, count) return tvb_of(self.bytes_of_range):raw(from, count) end
function Range:tvb() return tvb_of(self.bytes_of_range, self.from) end
Range.bytes = Range.tvb
function Range:uint()
  local value = 0
  for at = 1, #self.bytes_of_range do value = value * 256 + self.bytes_of_range:byte(at) end
  return value
end
function Range:le_uint() return Range.uint({ bytes_of_range = self.bytes_of_range:reverse() }) end
function Range:int()
  local value, most = self:uint(), math.floor(2 ^ (8 * self:len()))
  return value * 2 >= most and value - most or value
end
local function halves(range) return range:range(4, 4):uint(), range:range(0, 4):uint() end
function Range:uint64() return UInt64(halves(self:tvb())) end
function Range:int64() return Int64(halves(self:tvb())) end
function Range:float() return "float " .. self:tvb():tohex() end
function Range:string() return self.bytes_of_range end
function Range:ustring() return self.bytes_of_range end
function Tvb:tohex(is_lower) return (self.data:gsub(".", function(c) return (is_lower and "%02x" or "%02X"):format(c:byte()) end)) end

function ByteArray.new(data) return setmetatable({ data = data }, ByteArray) end
function ByteArray:tvb() return tvb_of(self.data) end

-- What plugins declare ---------------------------------------------------------------------------------------------

local function names_of(kind) return setmetatable({}, { __index = function(_, name) return kind .. name end }) end

base, ftypes, frametype, expert = names_of("base."), names_of("type "), names_of("frame type "), { group = names_of("group "), severity = names_of("") }
ENC_UTF_8, ENC_UCS_4, ENC_BIG_ENDIAN, DESEGMENT_ONE_MORE_SEGMENT = 2, 6, 0, 0x0fffffff

local declared = {} -- names of fields and expert items

local function declare(kind, name, title, ...)
  if not name:find("^[%w_.-]+$") then error("no name of a field: " .. name, 3) end
  local field = { kind = kind, name = name, title = title, rest = { ... } }
  if kind:find("int%d") then field.mask = field.rest[3] elseif kind == "bool" then field.mask = field.rest[3] end
  if field.mask then integer(field.mask, "mask of " .. name) end
  declared[#declared + 1] = kind .. " " .. name .. ": " .. title
  return field
end

ProtoField = setmetatable({}, { __index = function(_, kind) return function(...) return declare(kind, ...) end end })
ProtoExpert = { new = function(name, title) return declare("expert", name, title) end }
Pref = setmetatable({}, { __index = function() return function(_, default) return default end end })

local protocols = {}
function Proto(name, title)
  local proto = { name = name:upper(), title = title, description = title, prefs = {} }
  function proto.register_heuristic() end
  protocols[name] = proto
  return proto
end

NSTime = { new = function(seconds, ns) return ("%d.%09d s"):format(integer(seconds, "seconds"), integer(ns, "nanoseconds")) end }
Dissector = { get = function(name) return { name = name, call = function(_, bytes) return bytes:len() end } end }
local table_of_others = { add = function() end, remove = function() end, add_for_decode_as = function() end, get_dissector = function() end }
DissectorTable = {
  new = function() return table_of_others end,
  get = function(name) return name ~= "nats.subject" and table_of_others or error("no such table") end,
}
function gui_enabled() return false end
function register_postdissector() end

-- The tree, printed ------------------------------------------------------------------------------------------------

local lines = {}

local function print_line(depth, text)
  local line = { depth = depth, text = text }
  lines[#lines + 1] = line
  return line
end

local function number_text(value) return type(value) == "number" and ("%.0f"):format(value) or tostring(value) end

-- The value of a field as its bytes have it.
local function value_of(field, range, reverse)
  local data = reverse and range.bytes_of_range:reverse() or range.bytes_of_range
  local number = #data <= 4 and Range.uint({ bytes_of_range = data }) or nil
  if field.mask and number then
    local shift = 0
    while field.mask > 0 and math.floor(field.mask / 2 ^ shift) % 2 == 0 do shift = shift + 1 end
    number = math.floor(bit.band(number, field.mask) % WORD / 2 ^ shift)
  end
  if field.kind == "bool" then return tostring(number ~= 0) end
  if field.kind:find("int") and number then
    local most = 2 ^ (8 * #data)
    return number_text(field.kind:find("^int") and number * 2 >= most and number - most or number)
  end
  if field.kind:find("int64") then return tostring(tvb_of(data):range()[field.kind](tvb_of(data):range())) end
  return tvb_of(data):tohex(true)
end

local function add(tree, reverse, field, ...)
  local given, line = { ... }, nil
  if getmetatable(field) == Range then line = print_line(tree.line.depth + 1, tostring(given[1] or ""))
  elseif field.title and field.prefs then line = print_line(tree.line.depth + 1, field.title .. " " .. tostring(given[2] or ""))
  else
    local range = getmetatable(given[1]) == Range and table.remove(given, 1) or nil
    local value = given[1]
    if type(value) == "number" and field.kind ~= "float" and field.kind ~= "double" then whole(value, field.name) end
    if field.kind:find("int64") and value ~= nil and type(value) == "number" then integer(value, field.name) end
    local text = value == nil and range and value_of(field, range, reverse) or number_text(value)
    local place = range and (" @%d+%d"):format(range.from, #range.bytes_of_range) or ""
    line = print_line(tree.line.depth + 1, field.name .. " = " .. text .. place)
  end
  return setmetatable({ line = line }, TreeItem)
end

function TreeItem:add(...) return add(self, false, ...) end
function TreeItem:add_le(...) return add(self, true, ...) end
function TreeItem:add_packet_field(field, range) return add(self, false, field, range), range.bytes_of_range end
function TreeItem:set_generated() return self end
function TreeItem:set_hidden() return self end
function TreeItem:append_text(text) self.line.text = self.line.text .. text return self end
function TreeItem:set_text(text) self.line.text = text return self end
function TreeItem:set_len(count) self.line.text = self.line.text .. ("+%d"):format(whole(count, "length")) return self end
function TreeItem:add_proto_expert_info(item, text) print_line(self.line.depth + 1, item.name .. "! " .. text) return self end
function TreeItem.referenced() return true end
TreeItem.visible = true

function Column:clear() self.text = "" end
function Column:append(text) self.text = self.text .. text end
function Column:set(text) self.text = text end
function Column.fence() end
Column.__tostring = function(column) return column.text end

-- A packet ---------------------------------------------------------------------------------------------------------

local packet -- what the fields of TCP are taken from
local TCP = { ["tcp.stream"] = "stream", ["tcp.seq"] = "seq", ["tcp.nxtseq"] = "next", ["tcp.ack"] = "ack", ["tcp.completeness"] = "all" }
Field = { new = function(name)
  return function()
    local value = TCP[name] and packet[TCP[name]]
    return value and function() return value end or nil
  end
end }

local WHOLE = { desegment_len = true, desegment_offset = true }
local function packet_info(visited)
  local columns = setmetatable({}, {
    __index = function(all, name) rawset(all, name, setmetatable({ text = "" }, Column)) return all[name] end,
    __newindex = function(all, name, value) rawset(all, name, value) end,
  })
  local ends = { "10.0.0.1", "10.255.0.1" }
  local values = {
    number = packet.number, visited = visited, src_port = packet.from, dst_port = packet.to, cols = columns,
    src = packet.from < packet.to and ends[1] or ends[2], dst = packet.from < packet.to and ends[2] or ends[1],
    lo = ends[1], hi = ends[2], abs_ts = packet.time / 1e9, rel_ts = (packet.time - packet.began) / 1e9, can_desegment = 2,
    desegment_len = 0, desegment_offset = 0,
  }
  return setmetatable({}, { __index = values, __newindex = function(_, name, value)
    values[name] = WHOLE[name] and integer(value, name) or value
  end })
end

local function read_segments()
  local all = {}
  for line in io.lines(SEGMENTS) do
    local stream, from, to, seq, next_seq, ack, time, bytes = line:match("^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%x*)$")
    local one = { number = #all + 1, all = 31 }
    for name, text in pairs({ stream = stream, from = from, to = to, seq = seq, next = next_seq, ack = ack, time = time }) do
      one[name] = math.floor(tonumber(text))
    end
    one.began = all[1] and all[1].time or one.time
    one.data = bytes:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)
    all[#all + 1] = one
  end
  return all
end

for index = 3, #arg do dofile(arg[index]) end
table.sort(declared)
print(table.concat(declared, "\n"))
local protocol, segments = protocols[SHORT], read_segments()
for _, each in pairs(protocols) do if each.init then each.init() end end
for visit = 1, 2 do
  local kept = {} -- bytes of each direction that are not whole yet
  for _, each in ipairs(segments) do
    packet, lines = each, {}
    local info, way = packet_info(visit == 2), each.stream .. " " .. each.from
    local data = (kept[way] or "") .. each.data
    local root = setmetatable({ line = print_line(0, "packet " .. ("%d"):format(each.number)) }, TreeItem)
    if data ~= "" then protocol.dissector(tvb_of(data), info, root) end
    kept[way] = info.desegment_len ~= 0 and data:sub(info.desegment_offset + 1) or nil
    print_line(1, "info: " .. tostring(info.cols.info))
    for _, line in ipairs(lines) do print(("  "):rep(line.depth) .. line.text) end
  end
end
