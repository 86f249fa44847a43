-- Protobuf messages: fields by number, in any order, unknown ones kept ----------------------------------------

do -- a scope of its own: Lua takes 200 names in one

local VARINT = { int32 = 32, int64 = 64, uint32 = 32, uint64 = 64, sint32 = 32, sint64 = 64, bool = 1, enum = 32 }
local FIXED = { fixed32 = 4, sfixed32 = 4, float = 4, fixed64 = 8, sfixed64 = 8, double = 8 }
local PROTO_FIELDS = { -- kind to kind of ProtoField; the others are text, bytes or records
  int32 = "int32", int64 = "int64", uint32 = "uint32", uint64 = "uint64", sint32 = "int32", sint64 = "int64",
  bool = "bool", enum = "int32", fixed32 = "uint32", sfixed32 = "int32", fixed64 = "uint64", sfixed64 = "int64",
  float = "float", double = "double", string = "string", bytes = "bytes", message = "none", map = "none",
}

function word.proto(kind, name, doc, facts) return step("proto", name, doc, { type = kind }, facts) end

-- With `stream` in `facts`, the number of the field that names the stream of the bodies in it.
function word.message(fields, facts) return step("message", nil, nil, { fields = fields }, facts) end

local add_le = TreeItem.add_le

local function wire_type(made)
  if VARINT[made.type] then return 0 end
  if FIXED[made.type] then return FIXED[made.type] == 4 and 5 or 1 end
  return 2
end

function declares.proto(made, name)
  local kind = PROTO_FIELDS[made.type]
  if kind:find("int") then
    made.size, made.signed = kind:find("64") and 8 or 4, not kind:find("^u")
    made.field = number_field(name, made)
    if made.time then made.time_field = time_field(name, made) end
  elseif kind == "bool" then
    made.field = field(name, kind, function() return ProtoField.bool(name, label(made.name), nil, nil, nil, made.doc) end)
  else
    made.field = plain_field(kind, name, made)
  end
  if made.flags then made.flag_fields = flag_fields(name, made) end
  declare_items(made)
end

function declares.message(made)
  local around = made.path == "" and "" or made.path .. "."
  for _, each in pairs(made.fields) do
    each.path, each.prefix = around .. each.name, made.prefix
    each.count_path = "#" .. each.path
    declares.proto(each, made.prefix .. "." .. each.path)
    declare_also(each)
    if each.message then
      each.message.path, each.message.prefix = each.path, made.prefix
      declares.message(each.message)
    end
  end
  local unknown = made.prefix .. "." .. around .. "unknown_fields"
  local facts = { name = "unknown_fields", doc = "Fields that the schema does not know." }
  made.unknown = plain_field("bytes", unknown, facts)
end

local WEIGHTS = { -- of each seven bits of a number, in their half of it
  [0] = 0x1, 0x80, 0x4000, 0x200000, 0x10000000, 0x8, 0x400, 0x20000, 0x1000000, 0x80000000,
}

-- The halves of a base-128 number, 32 bits each; nil where it does not end.
local function varint(made)
  local low, high, from = 0, 0, at
  for index = 0, 9 do
    if at >= stop then
      problem("short", made, from, stop - from, stop - from + 1, stop - from)
      return nil
    end
    local byte = u8(at)
    at = at + 1
    local seven = byte % 128
    if index < 4 then low = low + seven * WEIGHTS[index]
    elseif index == 4 then
      low = low + seven % 16 * WEIGHTS[index]
      high = math.floor(seven / 16)
    else high = high + seven * WEIGHTS[index] end
    if byte < 128 then return low, high % 0x100000000 end
  end
  problem("varint", made, from, at - from)
  return nil
end

-- A base-128 number as a length: UInt64 where it has more than 53 bits, for whole numbers of Lua 5.4 overflow.
local function length_of(low, high)
  if high < 0x200000 then return high * 0x100000000 + low end
  return UInt64(math.floor(low), math.floor(high))
end

-- A varint as its type means it: a number, or Int64 or UInt64 where it has more than 53 bits.
local function meant(kind, low, high)
  if kind == "bool" then return (low ~= 0 or high ~= 0) and 1 or 0 end
  if VARINT[kind] == 32 then
    if kind == "uint32" then return low end
    if kind == "sint32" then return low % 2 == 0 and math.floor(low / 2) or -math.floor((low + 1) / 2) end
    return low >= 0x80000000 and low - 0x100000000 or low
  end
  if kind == "sint64" then
    local negative = low % 2 == 1
    low = math.floor(low / 2) + (high % 2) * 0x80000000
    high = math.floor(high / 2)
    if negative then low, high = 0xFFFFFFFF - low, 0xFFFFFFFF - high end
  end
  if high < 0x200000 then return high * 0x100000000 + low end
  large = true
  if kind == "uint64" then return length_of(low, high) end
  if high >= 0xFFE00000 then return (high - 0x100000000) * 0x100000000 + low end
  return Int64(math.floor(low), math.floor(high))
end

local function whole_number(value) return type(value) == "number" and math.floor(value) or value end

local function proto_value(made)
  local from, kind = at, made.type
  if VARINT[kind] then
    local low, high = varint(made)
    if not low then return HALT end
    local value = meant(kind, low, high)
    if made.keep then v[made.path] = value end
    if made.in_info and wants_info then add_info(made, number_text(made, value)) end
    if item then
      local eight = made.size == 8 and type(value) == "number"
      if eight and made.signed then
        value = Int64(math.floor(value % 0x100000000), math.floor(math.floor(value / 0x100000000) % 0x100000000))
      elseif eight then value = UInt64(math.floor(value % 0x100000000), math.floor(value / 0x100000000)) end
      if kind == "bool" then value = value == 1 end
      local own = add(item, made.field, range_of(tvb, from, at - from), whole_number(value))
      if made.also then add_also(made, from, at - from, whole_number(value)) end
      if made.holds then add_held(made, value) end
      if made.time_field then add_time(made, from, at - from, value, own) end
      for _, flag in ipairs(made.flag_fields or {}) do add(own, flag, range_of(tvb, from, at - from), whole_number(value)) end
    end
    return
  end
  if FIXED[kind] then
    local size = FIXED[kind]
    if stop - at < size then return short(made, size) end
    if made.keep and kind == "fixed32" then v[made.path] = range_of(tvb, at, 4):le_uint()
    elseif made.keep and (kind == "float" or kind == "double") then v[made.path] = range_of(tvb, at, size):le_float() end
    if item then add_le(item, made.field, range_of(tvb, at, size)) end
    at = at + size
    return
  end
  local low, high = varint(made)
  if not low then return HALT end
  local count = length_of(low, high)
  add_layout(from, at - from, "Length: " .. digits(count))
  if count > stop - at then return short(made, count) end
  local begin = at
  at = at + count
  if kind == "string" then
    made.encoding = "utf-8"
    add_text(made, begin, count)
  elseif kind == "bytes" then
    if made.keep and not made.repeated then v[made.path], v[made.count_path] = count, count end
    if made.raw then v[made.path .. " raw"] = data:sub(begin + 1, begin + count) end
    if made.in_info and wants_info then add_info(made, bytes_text(made, begin, count)) end
    if item and made.secret and not preferences.secrets then
      add_hidden(item, made, begin)
    elseif item then
      local own = add(item, made.field, range_of(tvb, begin, count))
      if made.slot then open_slot(made, begin, count, own) end
    end
  else -- a message: a stop inside ends only it
    local outer, outer_stop = item, stop
    if outer then item = add(outer, made.field, range_of(tvb, begin, count)) end
    at, stop = begin, begin + count
    if made.repeated then forget(made) end
    if read.message(made.message) and item and at < stop then add_undecoded(item, at, stop - at) end
    at, stop, item = begin + count, outer_stop, outer
  end
end

-- One value of a field; of a repeated one the tables may want all.
local function proto_item(made)
  local halted = proto_value(made)
  if not halted and made.repeated then gather_repeated(made) end
  return halted
end

local function proto_unknown(made, shape)
  local from = at
  if shape == 0 then
    if not varint(made) then return HALT end
  elseif shape == 2 then
    local low, high = varint(made)
    if not low then return HALT end
    local count = length_of(low, high)
    add_layout(from, at - from, "Length: " .. digits(count))
    if count > stop - at then return short(made, count) end
    from = at
    at = at + count
  else
    local size = shape == 1 and 8 or 4
    if stop - at < size then return short(made, size) end
    at = at + size
  end
  if made.path == "" then v.unknown_fields = true end
  if item then add_undecoded(item, from, at - from, made.unknown) end
end

-- The text of a field, wherever it is in a message.
local function text_of(number)
  local from, found = at, nil
  local outer = { problems, item }
  problems, item = {}, nil
  while at < stop and not found do
    local low = varint({})
    local shape = low and low % 8
    local count = (shape == 0 or shape == 2) and varint({}) or shape == 1 and 8 or shape == 5 and 4
    if not low or not count or shape ~= 0 and count > stop - at then break end
    if shape == 2 and math.floor(low / 8) == number then found = data:sub(at + 1, at + count) end
    if shape ~= 0 then at = at + count end
  end
  at = from
  problems, item = unpack(outer, 1, 2)
  return found
end

function read.message(made)
  if made.stream and item and not chosen then stream_inside = text_of(made.stream) end
  while at < stop do
    local from = at
    local low, high = varint(made)
    if not low then return HALT end
    local number, shape = high * 0x20000000 + math.floor(low / 8), low % 8
    if number == 0 or not (shape == 0 or shape == 1 or shape == 2 or shape == 5) then
      problem("wiretype", made, from, at - from, number, shape)
      return HALT
    end
    add_layout(from, at - from, "Field number: " .. digits(number))
    local each = made.fields[number]
    local halted
    if each and shape == wire_type(each) then
      halted = proto_item(each)
    elseif each and shape == 2 and each.repeated and wire_type(each) ~= 2 then -- packed
      local begin = at
      local count_low, count_high = varint(each)
      if not count_low then return HALT end
      local count = length_of(count_low, count_high)
      add_layout(begin, at - begin, "Length: " .. digits(count))
      if count > stop - at then return short(each, count) end
      local outer = stop
      stop = at + count
      while at < stop do
        if proto_item(each) then
          if item and at < stop then add_undecoded(item, at, stop - at) end
          break
        end
      end
      at, stop = stop, outer
    else
      halted = proto_unknown(made, shape)
    end
    if halted then return HALT end
  end
end

end

