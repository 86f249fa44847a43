-- Straight-line code ----------------------------------------------------------------------------------------
-- To walk tables costs more than to add fields. So the steps of a frame are written out as a function of Lua when it is
-- read for the first time: the plain case of each step, and a call of `step` for all that is odd or rare.

local straight
local line -- adds a line of code
local everything = setmetatable({}, { __index = function() return true end }) -- stands for the set of all fields

;(function() -- a scope of its own: Lua takes 200 names in one

local NUMBERS = { "b", "b * 256 + c", "(b * 256 + c) * 256 + d", "((b * 256 + c) * 256 + d) * 256 + e" }
local BYTES = { "b", "b, c", "b, c, d", "b, c, d, e" }
local NUMBER = { run = true, number = true, bits = true } -- kinds of steps

-- One step as it is read from tables; gives where the next one begins, and whether nothing more can be read.
local function one_step(made, from, until_here, shown)
  local outer = stop
  at, stop, item = from, until_here, shown
  local halted = read[made.kind](made)
  stop = outer
  return at, halted
end

-- Something wrong with what has been read.
local function odd(shown, code, made, from, length, ...)
  item = shown
  problem(code, made, from, length, ...)
end

local function verify(made, from, until_here, shown)
  if not preferences.checksums or not sums.wanted or made.summed and not made.summed(v) then return end
  local expected, found = made.expected(v), sums[made.sum_of](data:sub(from + 1, until_here))
  if expected ~= found then
    odd(shown, "checksum", made, from, until_here - from, hex(expected, 8), hex(found, 8))
  end
end

-- The facts that a number or text proves of its frame.
local function prove(made, from, count, shown, raw)
  item = shown
  if item then add_held(made, raw or made.width and part_value(made, from) or number_at(from, count, made.signed)) end
end

local function slot(made, from, count, own, behind, shown)
  at, item = behind, shown
  open_slot(made, from, count, own)
end

-- The time that a number counts, and the names of its flags.
local function clock(made, from, below) add_time(made, from, made.size, number_at(from, made.size, made.signed), below) end
local function flag_names(made, from, own)
  append_flags(own, made, made.width and part_value(made, from) or number_at(from, made.size, made.signed))
end

local HELP = {
  clock = clock, flag_names = flag_names, add_item_number = add_item_number,
  begin_summary = begin_summary, sum_up = sum_up, end_summary = end_summary, bytes_of = bytes_of, add = add, add_packet = add_packet, range_of = range_of, append_text = append_text, set_length = set_length,
  add_bytes = add_bytes,
  generated = generated, byte = string.byte, sub = string.sub, find = string.find, floor = math.floor, rawget = rawget,
  number_at = number_at, part_value = part_value, wide = wide, digits = digits, number_text = number_text,
  quoted = quoted, body_text = body_text, add_info = add_info, gather = gather, gather_value = gather_value, TEXT = TEXT, add_undecoded = add_undecoded, secrets = secrets,
  step = one_step, odd = odd, verify = verify, slot = slot, prove = prove, hide = TreeItem.set_hidden, type = type, preferences = preferences,
  numbered = {}, -- what stands behind the names of the first items of lists
}
for number = 1, 256 do HELP.numbered[number] = " " .. number end

local write -- kind of step to what writes it

do

local formats = {} -- text of a line to its format, and which values stand in it one after the other

-- Adds a line of code; `%1` to `%9` in it stand for what follows.
function line(code, text, ...)
  local own = formats[text]
  if not own then
    own = { is_in_order = true }
    own.format = text:gsub("%%(%d?)", function(index)
      if index == "" then return "%%" end
      own[#own + 1] = tonumber(index)
      own.is_in_order = own.is_in_order and own[#own] == #own
      return "%s"
    end)
    formats[text] = own
  end
  if own.is_in_order then code[#code + 1] = string.format(own.format, ...)
  else
    local given, values = { ... }, {}
    for place, index in ipairs(own) do values[place] = given[index] end
    code[#code + 1] = string.format(own.format, unpack(values, 1, #own))
  end
end

end

-- What stands for a step, or a field, in the code.
local function named(code, kind, what)
  local all = code[kind]
  if not all[what] then
    all[#all + 1] = what
    all[what] = kind .. "[" .. #all .. "]"
  end
  return all[what]
end

local function kept_at(path) return ("v[%q]"):format(path) end

-- Says that a value was kept, of any path where none is given, which items of the lists around it must forget.
local function soil(code, path)
  for depth, each in ipairs(code.lists) do
    if not path or each[path] then line(code, "soiled_%1 = true", depth) end
  end
end

local function fall_back(code, made)
  soil(code)
  line(code, "at, halted = step(%1, at, stop, item) if halted then break end", named(code, "S", made))
end

-- A number at `at + offset`, as the local `x`.
local function read_number(code, made, offset, part)
  if made.size > 4 then
    if part then line(code, "local x = part_value(%1, at + %2)", named(code, "S", part), offset)
    else
      line(code, "local a, b, c, d, e, f, g, h = byte(data, at + %1, at + %2)", offset + 1, offset + 8)
      line(code, "local x")
      line(code, "if a == 0 and b < 32 then")
      line(code, "x = (((((b * 256 + c) * 256 + d) * 256 + e) * 256 + f) * 256 + g) * 256 + h")
      line(code, "else x = number_at(at + %1, 8, %2) end", offset, made.signed or false)
    end
    return
  end
  line(code, "local %1 = byte(data, at + %2, at + %3)", BYTES[made.size], offset + 1, offset + made.size)
  line(code, "local x = %1", NUMBERS[made.size])
  if part then line(code, "x = floor(x / %1) % %2", ("%.0f"):format(part.weight), ("%.0f"):format(part.range))
  elseif made.signed then
    line(code, "if x >= %1 then x = x - %2 end", math.floor(WRAPS[made.size] / 2), WRAPS[made.size])
  end
end

-- A number in the line of the item that is being read.
local function sum_up_number(code, made, offset, part)
  if code.summed == 0 then return end
  code.summed = code.summed - 1
  line(code, "do")
  read_number(code, made, offset, part)
  line(code, "sum_up(%1, number_text(%1, x))", named(code, "S", part or made))
  line(code, "end")
end

local function keep_number(code, made, offset, part)
  local own = part or made
  if not own.keep then return end
  line(code, own.keep == "followed" and "if followed then" or "do")
  read_number(code, made, offset, part)
  line(code, "%1 = x", kept_at(own.path))
  soil(code, own.path)
  if own.in_info then line(code, "if wants_info then add_info(%1, number_text(%1, x)) end", named(code, "S", own)) end
  line(code, "end")
end

-- Whether a number, one of its flags, or a field that spans commands and has its value is shown.
local function is_shown(code, own)
  local shown = own.field and code.shows[own.field] or own.time_field and code.shows[own.time_field]
  for _, flag in ipairs(own.flag_fields or {}) do shown = shown or code.shows[flag] end
  for _, twin in ipairs(own.also or {}) do
    shown = shown or code.shows[twin.field]
    for _, flag in ipairs(twin.flag_fields or {}) do shown = shown or code.shows[flag] end
  end
  return shown
end

-- A value under the names that span commands, as `add_also` adds it; `value` is an argument more. Its bytes are in `range`.
local function show_also(code, made, value)
  for _, twin in ipairs(made.also or {}) do
    local below = "item"
    line(code, "do")
    if code.shows[twin.field] then
      below = "own"
      line(code, "local own = add(item, %1, range%2)", named(code, "F", twin.field), value)
      line(code, "hide(own)")
    end
    for _, flag in ipairs(twin.flag_fields or {}) do
      if code.shows[flag] then line(code, "hide(add(%1, %2, range))", below, named(code, "F", flag)) end
    end
    line(code, "end")
  end
end

-- The bytes of a number as the local `range`, which all parts of a group share.
local function range_number(code, made, offset)
  local shown = is_shown(code, made)
  for _, part in ipairs(made.parts or {}) do shown = shown or is_shown(code, part) end
  if shown then line(code, "local range = range_of(tvb, at + %1, %2)", offset, made.size) end
end

local function show_number(code, made, offset, part)
  local own = part or made
  local flags, value, below = made.size <= 4 and own.flag_fields or {}, "", "item"
  if part and made.size > 4 then value = (", wide(part_value(%s, at + %d))"):format(named(code, "S", part), offset) end
  if code.shows[own.field] then
    if #flags > 0 or own.time_field then below = "own" end
    line(code, "%1add(item, %2, range%3)", below == "own" and "local own = " or "", named(code, "F", own.field), value)
  end
  if own.time_field and code.shows[own.time_field] then line(code, "clock(%1, at + %2, %3)", named(code, "S", own), offset, below) end
  if #flags > 0 and code.shows == everything then line(code, "flag_names(%1, at + %2, own)", named(code, "S", own), offset) end
  for _, flag in ipairs(flags) do
    if code.shows[flag] then line(code, "add(%1, %2, range)", below, named(code, "F", flag)) end
  end
  show_also(code, own, value)
  if code.whole and own.holds then line(code, "prove(%1, at + %2, %3, item)", named(code, "S", own), offset, made.size) end
end

-- Numbers and groups of bits that follow each other.
local function write_numbers(code, whole, members, size)
  line(code, "if stop - at < %1 then", size)
  for path in pairs(code.always or {}) do line(code, "%1 = nil", kept_at(path)) end
  code.always = nil
  fall_back(code, whole)
  line(code, "else")
  local offset = 0
  for _, made in ipairs(members) do
    line(code, "do")
    range_number(code, made, offset)
    if made.kind == "number" then
      keep_number(code, made, offset)
      show_number(code, made, offset)
      sum_up_number(code, made, offset)
    end
    for _, part in ipairs(made.parts or {}) do
      if part.name then
        line(code, "do")
        keep_number(code, made, offset, part)
        show_number(code, made, offset, part)
        sum_up_number(code, made, offset, part)
        line(code, "end")
      end
    end
    line(code, "end")
    offset = offset + made.size
  end
  line(code, "at = at + %1", size)
  line(code, "end")
end

local function write_all(code, members)
  for _, made in ipairs(members) do
    if write[made.kind] then write[made.kind](code, made) else fall_back(code, made) end
  end
end

-- The steps up to the last one that somebody wants, where the rest is not read and nothing comes behind them.
local function write_wanted(code, members)
  if not code.final then return write_all(code, members) end
  local last, final = 0, code.final
  for index, made in ipairs(members) do if code.wanted(made) then last = index end end
  code.final = false
  write_all(code, { unpack(members, 1, last - 1) })
  code.final = final
  write_all(code, { members[last] })
end

-- A length or count as the local `count`, negative where it is cut; `place` is behind it.
local function write_measure(code, measure, made)
  if type(measure) == "table" and measure.size then
    line(code, "local place, count = at + %1, -1", measure.size)
    line(code, "if place <= stop then")
    if measure.size > 4 then line(code, "count = number_at(at, 8, %1) if type(count) ~= 'number' then count = -1 end", measure.signed or false)
    else
      read_number(code, measure, 0)
      line(code, "count = x")
    end
    line(code, "end")
  elseif type(measure) == "number" then line(code, "local place, count = at, %1", measure)
  elseif type(measure) == "function" then
    line(code, "local place, count = at, %1.%2(v)", named(code, "S", made), made.measure and "measure" or made.count and "count" or "claim")
    line(code, "if type(count) ~= 'number' then count = -1 end")
  else line(code, "local place, count = at, stop - at") end
end

-- Shows the bytes of a length or count, where everything is shown.
local function show_measure(code, measure, title)
  if code.shows == everything and type(measure) == "table" and measure.size then
    line(code, "add(item, range_of(tvb, place - %2, %2), '%1: ' .. digits(count))", title, measure.size)
  end
end

local function write_text(code, made)
  line(code, "local raw = count >= 0 and count <= stop - place and sub(data, place + 1, place + count)")
  line(code, "if not raw %1or secrets.held or find(raw, '[\\128-\\255]') then", made.limit and "or count > " .. made.limit .. " " or "")
  fall_back(code, made)
  line(code, "else")
  show_measure(code, made.measure, "Length")
  if code.summed > 0 then line(code, "sum_up(%1, quoted(raw, true))", named(code, "S", made)) end
  line(code, "at = place + count")
  if made.keep then
    line(code, "%1, %2 = raw, count", kept_at(made.path), kept_at(made.count_path))
    soil(code, made.path)
  end
  if made.in_info then line(code, "if wants_info then add_info(%1, quoted(raw)) end", named(code, "S", made)) end
  if is_shown(code, made) then line(code, "local range = range_of(tvb, place, count)") end
  if code.shows[made.field] then
    local shown = named(code, "F", made.field)
    if made.encoding == "mutf-8" then line(code, "add(item, %1, range, raw)", shown)
    else line(code, "if count == 0 then add(item, %1, range, '') else add_packet(item, %1, range, TEXT) end", shown) end
  end
  show_also(code, made, ", raw")
  if code.whole and made.holds then line(code, "prove(%1, place, count, item, raw)", named(code, "S", made)) end
  line(code, "end")
end

local function write_bytes(code, made)
  local odd_sizes = (made.limit and " or count > " .. made.limit or "") .. (made.slot and " or secrets.held" or "")
  line(code, "if count < 0 or count > stop - place%1 then", odd_sizes)
  fall_back(code, made)
  line(code, "else")
  show_measure(code, made.measure, "Length")
  if code.summed > 0 then line(code, "sum_up(%1, bytes_of(count))", named(code, "S", made)) end
  line(code, "at = place + count")
  if made.at_path then line(code, "%1, %2 = place, count", kept_at(made.at_path), kept_at(made.count_path)) end
  if made.keep then
    line(code, "%1, %2 = count, count", kept_at(made.path), kept_at(made.count_path))
    soil(code, made.path)
    if made.raw then line(code, "%1 = sub(data, place + 1, at)", kept_at(made.path .. " raw")) end
  end
  if made.in_info then line(code, "if wants_info then add_info(%1, body_text(%1, place, count)) end", named(code, "S", made)) end
  local opens, below = (made.slot or made.body) and code.shows.slots, "item"
  if code.shows[made.field] then
    if opens then below = "own" end
    local shown = opens and "local own = " or ""
    line(code, "%1add_bytes(%2, place, count, item)", shown, named(code, "S", made))
  end
  if opens then
    local is_plain = not made.body and not is_read(made.slot) -- no more than text can be shown
    if is_plain then
      line(code, "local b = count > 0 and count <= preferences.text and byte(data, place + 1)")
      line(code, "if b and (b > 31 or b > 8 and b < 14) then")
    end
    line(code, "slot(%1, place, count, %2, at, item)", named(code, "S", made), below)
    if is_plain then line(code, "end") end
  end
  line(code, "end")
end

-- Members of a record or region: what halts there ends this block alone.
local function write_block(code, members)
  line(code, "repeat")
  write_wanted(code, members)
  line(code, "until true")
end

-- Whether conversations want one value of each item, whose list is a local.
local function gathers_one(code, made) return code.follows and made.gathers and #made.gathers == 1 end

local function write_gather(code, made)
  if gathers_one(code, made) then
    line(code, "local value = rawget(v, %1)", ("%q"):format(made.gathers[1]))
    line(code, "if type(value) == 'userdata' then")
    line(code, "if rawget(v, %1) then gather_value(%1, gathered, value) filled = #gathered end", ("%q"):format(made.gathered[1]))
    line(code, "elseif value ~= nil then")
    line(code, "filled = filled + 1")
    line(code, "gathered[filled] = value")
    line(code, "end")
  elseif made.gathers and code.follows then
    for index, path in ipairs(made.gathers) do
      line(code, "do")
      line(code, "local value = rawget(v, %1)", ("%q"):format(path))
      line(code, "local all = value ~= nil and rawget(v, %1)", ("%q"):format(made.gathered[index]))
      line(code, "if not all then")
      line(code, "elseif type(value) == 'userdata' then gather_value(%1, all, value)", ("%q"):format(made.gathered[index]))
      line(code, "else all[#all + 1] = value end")
      line(code, "end")
    end
  elseif made.gathers then line(code, "if following then gather(%1) end", named(code, "S", made)) end
end

-- Keeps the members that the tables read of each item together.
local function write_record(code, made)
  if not made.records or not (code.follows or code.whole) then return end
  local members = {}
  for _, each in ipairs(made.recorded) do
    members[#members + 1] = ("[%q] = rawget(v, %q)"):format(each.name, each.path)
  end
  line(code, "if followed then")
  line(code, "recorded = recorded + 1")
  line(code, "records[recorded] = { %1 }", table.concat(members, ", "))
  line(code, "end")
end

-- Forgets what was kept of the last item, where it was more than its first numbers, which each item has.
local function forget_last(code, made)
  local own, opening = code.lists[#code.lists], made.item.members[1]
  line(code, "if soiled_%1 then", #code.lists)
  for _, path in ipairs(made.forget) do line(code, "%1, %2 = nil, nil", kept_at(path), kept_at("#" .. path)) end
  line(code, "soiled_%1 = false", #code.lists)
  line(code, "end")
  if not NUMBER[opening.kind] then return end
  code.always = {}
  for _, one in ipairs(opening.kind == "run" and opening.members or { opening }) do
    for _, each in ipairs(one.parts or { one }) do
      if each.path and own[each.path] then own[each.path], code.always[each.path] = nil, true end
    end
  end
end

local function write_item(code, made)
  local one, sums_of = made.item, made.sums or {}
  line(code, "local start = at")
  if one.kind == "record" then
    line(code, "n = n + 1")
    if made.forget then forget_last(code, made) end
    local shown = code.shows[one.field]
    if shown then line(code, "local item = add(item, %1, range_of(tvb, at, 0))", named(code, "F", one.field)) end
    local is_summed, outer = shown and code.shows == everything, code.summed
    code.summed = is_summed and MOST_SUMMED or 0
    if is_summed then line(code, "local outer = begin_summary()") end
    local number = made.number
    if number and code.shows[number.field] then line(code, "if number then add_item_number(%1.number, number, at, item) end", named(code, "S", made)) end
    write_block(code, one.members)
    if number and code.shows[number.field] then line(code, "if number then number = number + (rawget(v, %1) or 1) end", ("%q"):format(number.weight)) end
    if is_summed then line(code, "append_text(item, (numbered[n] or ' ' .. n) .. end_summary(outer))") end
    code.summed = outer
    if shown then line(code, "set_length(item, at - start)") end
    for _, sum in ipairs(sums_of) do
      line(code, "%1 = %1 + (rawget(v, %2) or %3)", kept_at(sum.path), ("%q"):format(sum.member), sum.absent)
    end
  else
    write_block(code, { one })
    line(code, "if not halted then n = n + 1 end")
  end
  write_gather(code, made)
  write_record(code, made)
  line(code, "if halted or at == start then break end")
end

-- Whether only the number of a list is wanted.
local function is_counted_only(code, made)
  if not code.final or made.in_info ~= true or not (made.count or made.claim) then return false end
  return not code.wanted(made.item) and not (code.follows and (made.gathers or made.records or made.awaited or made.keep))
end

local function write_list(code, made)
  local measure, own = made.count or made.claim, named(code, "S", made)
  local is_counted, final = is_counted_only(code, made), code.final
  code.final = false
  line(code, "do")
  if measure then write_measure(code, measure, made) else line(code, "local place, count = at, 0") end
  line(code, "if count < 0 then")
  fall_back(code, made)
  line(code, "else")
  show_measure(code, measure, "Count")
  if not code.whole and made.in_info == true and measure then line(code, "if wants_info then add_info(%1, digits(count)) end", own) end
  if is_counted then line(code, "at = place")
  else
    line(code, "local from, n = at, 0")
    line(code, "at = place")
    if made.number then line(code, "local number = rawget(v, %1)", ("%q"):format(made.number.start)) end
    for _, sum in ipairs(made.sums or {}) do line(code, "%1 = 0", kept_at(sum.path)) end
    if gathers_one(code, made) then
      local path = made.gathered[1]
      line(code, "local gathered = rawget(v, %1) or {}", ("%q"):format(path))
      line(code, "local filled = #gathered")
      line(code, "%1 = gathered", kept_at(path))
    else
      for _, path in ipairs(made.gathers and made.gathered or {}) do
        line(code, "if following then %1 = rawget(v, %2) or {} end", kept_at(path), ("%q"):format(path))
      end
    end
    if made.records and (code.follows or code.whole) then
      line(code, "local records, recorded = {}, 0")
      line(code, "if followed then %1 = records end", kept_at(made.path .. "[]"))
    end
    if made.forget then
      local paths = {}
      for _, path in ipairs(made.forget) do paths[path] = true end
      code.lists[#code.lists + 1] = paths
      line(code, "local soiled_%1 = false", #code.lists)
    end
    line(code, "while %1 do", made.count and "n < count" or "at < stop" .. (made.limit and " and n <= " .. made.limit or ""))
    write_item(code, made)
    line(code, "end")
    if made.forget then code.lists[#code.lists] = nil end
    if made.keep then
      line(code, "%1 = n", kept_at(made.count_path))
      if made.in_info then line(code, "if wants_info then add_info(%1, digits(n)) end", own) end
    end
    line(code, "if halted then break end")
    local width = measure and type(measure) == "table" and measure.size or 0
    if made.claim then line(code, "if n ~= count then odd(item, 'count', %1, from, %2, digits(count), digits(n)) end", own, width) end
    if made.limit then line(code, "if n > %3 then odd(item, 'limit', %1, from, %2, digits(n), digits(%3)) end", own, width, made.limit) end
  end
  line(code, "end")
  line(code, "end")
  code.final = final
end

write = {
  run = function(code, made) write_numbers(code, made, made.members, made.size) end,
  number = function(code, made) write_numbers(code, made, { made }, made.size) end,
  bits = function(code, made) write_numbers(code, made, { made }, made.size) end,
  passed = function(code, made)
    line(code, "if stop - at < %1 then", made.size)
    fall_back(code, made)
    line(code, "else at = at + %1 end", made.size)
  end,
  blob = function(code, made)
    local veiled = made.slot and made.slot.veiled
    code.veiled = code.veiled or veiled -- what stands behind it may be of it
    if made.secret or code.veiled or made.of_name or made.names_next or made.encoding == "uuid" then return fall_back(code, made) end
    line(code, "do")
    write_measure(code, made.measure, made)
    if made.encoding then write_text(code, made) else write_bytes(code, made) end
    line(code, "end")
  end,
  list = write_list,
  record = function(code, made)
    if made.in_info then line(code, "if wants_info then add_info(%1, '[record]') end", named(code, "S", made)) end
    line(code, "do")
    local shown = made.field and code.shows[made.field]
    if shown then line(code, "local start, item = at, add(item, %1, range_of(tvb, at, 0))", named(code, "F", made.field)) end
    write_block(code, made.members)
    if shown then line(code, "set_length(item, at - start)") end
    line(code, "if halted then break end")
    line(code, "end")
  end,
  when = function(code, made)
    line(code, "do")
    line(code, "local held = %1.condition(v)", named(code, "S", made))
    line(code, "if held and held ~= 0 then")
    write_wanted(code, made.members)
    line(code, "end")
    line(code, "end")
  end,
  tail = function(code, made)
    line(code, "if stop - at >= %1 then", made.need)
    write_wanted(code, made.members)
    line(code, "end")
  end,
  either = function(code, made)
    line(code, "if at >= stop then")
    fall_back(code, made)
    line(code, "elseif byte(data, at + 1) < 128 then")
    write_wanted(code, made.clear)
    line(code, "else")
    write_wanted(code, made.set)
    line(code, "end")
  end,
  switch = function(code, made)
    line(code, "do")
    line(code, "local on = %1.on(v)", named(code, "S", made))
    local word_of_if = "if"
    for case, arm in pairs(made.cases) do
      line(code, "%1 on == %2 then", word_of_if, type(case) == "string" and ("%q"):format(case) or tostring(case))
      write_wanted(code, arm)
      word_of_if = "elseif"
    end
    if word_of_if == "elseif" then line(code, "else") end
    if made.of then fall_back(code, made) else write_wanted(code, made.default) end
    if word_of_if == "elseif" then line(code, "end") end
    line(code, "end")
  end,
  region = function(code, made)
    local own = named(code, "S", made)
    line(code, "do")
    write_measure(code, made.measure, made)
    line(code, "if count < 0 or count > stop - place then")
    fall_back(code, made)
    line(code, "else")
    show_measure(code, made.measure, "Length")
    line(code, "local outer = stop")
    line(code, "at, stop = place, place + count")
    if made.sum_of and code.whole then line(code, "verify(%1, at, stop, item)", own) end
    write_block(code, made.members)
    if code.whole then
      line(code, "if not halted and at ~= stop then odd(item, 'trailing', %1, at, stop - at, stop - at) end", own)
      line(code, "if item and at < stop then add_undecoded(item, at, stop - at) end")
    end
    line(code, "at, stop, halted = stop, outer, nil")
    line(code, "end")
    line(code, "end")
  end,
  claim = function(code, made)
    if not code.whole then return end
    line(code, "if %1 ~= %2.expected(v) then", kept_at(made.of), named(code, "S", made))
    fall_back(code, made)
    line(code, "end")
  end,
  literal = function(code, made)
    line(code, "if sub(data, at + 1, at + %1) ~= %2.data then", #made.data, named(code, "S", made))
    fall_back(code, made)
    line(code, "else")
    if code.shows == everything then line(code, "add(item, range_of(tvb, at, %1), %2.title)", #made.data, named(code, "S", made)) end
    line(code, "at = at + %1 end", #made.data)
  end,
}

-- Whether somebody wants a step, or one inside of it: of a line its arguments, of conversations what they wait for.
local function wanted_by(follows, ever)
  local function wanted(made)
    if not write[made.kind] and made.kind ~= "part" then return true end -- those are read as a whole
    if made.in_info or made.at_path or follows and (made.awaited or made.gathers or made.records or ever and made.keep) then return true end
    for _, inner in ipairs({ "members", "parts", "clear", "set", "default" }) do
      for _, each in ipairs(made[inner] or {}) do if wanted(each) then return true end end
    end
    for _, arm in pairs(made.cases or {}) do
      for _, each in ipairs(arm) do if wanted(each) then return true end end
    end
    for _, arm in ipairs(made.arms or {}) do
      for _, each in ipairs(arm[2]) do if wanted(each) then return true end end
    end
    return made.item and wanted(made.item) or false
  end
  return wanted
end

local EVER = 1000 -- stands for all that a frame has
local HEAD = [[
local S, F, HELP = ...
%s
return function(tvb, data, at, stop, item, v, wants_info, following, followed)
local halted
repeat
]]
local names_of_help, values_of_help = {}, {}
for name in pairs(HELP) do
  names_of_help[#names_of_help + 1] = name
  values_of_help[#values_of_help + 1] = "HELP." .. name
end
local opening = HEAD:format("local " .. table.concat(names_of_help, ", ") .. " = " .. table.concat(values_of_help, ", "))

-- The function that reads these steps: all of them, where there is a set of fields that it `shows`, though none may be in
-- it; else what `frame`'s line and conversations want.
function straight(steps, shows, follows, frame)
  local code = { S = {}, F = {}, shows = shows or {}, whole = shows and true, follows = follows, final = not shows }
  code.summed = 0 -- numbers that the line of the item that is read may still have
  code.lists = {} -- those around what is written whose items forget what was kept of the last one: its paths
  code.wanted = wanted_by(follows, frame.awaited == EVER)
  write_wanted(code, steps)
  return assert(load(opening .. table.concat(code, "\n") .. "\nuntil true\nreturn at, halted\nend", "=" .. frame.name))(code.S, code.F, HELP)
end

end)()

