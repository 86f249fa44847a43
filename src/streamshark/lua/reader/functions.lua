-- The functions of the tables' language. Of nil, which is not known, they make nil or false ------------------

local f = {}

function f.choose(condition, yes, no) if condition then return yes end return no end

function f.one_of(value, list)
  for _, each in ipairs(list or {}) do if each == value then return true end end
  return false
end

-- Of numbers that Lua cannot hold, which are userdata, the greatest and the least are not known.
local function are_numbers(a, b) return type(a) == "number" and type(b) == "number" end

function f.max(a, b) return are_numbers(a, b) and math.max(a, b) or nil end

function f.min(a, b) return are_numbers(a, b) and math.min(a, b) or nil end

function f.min_nonzero(a, b)
  if not are_numbers(a, b) then return nil end
  local least = math.min(a, b)
  return least ~= 0 and least or math.max(a, b)
end

-- The first of some values that is known.
function f.first_known(...)
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    if value ~= nil then return value end
  end
end

function f.coalesce(a, b) if a == nil then return b end return a end

-- Items of a list, characters of text.
function f.len(value)
  if type(value) == "table" then return #value end
  if type(value) ~= "string" then return nil end
  return value:find("[\128-\191]") and #value:gsub("[\128-\191]", "") or #value
end

local SET = {} -- the metatable of sets: `nth`, value to the running number of when it was put in, their `count`, and what is kept of
-- them: their `values` in that order, and what is `made` of these
local puts = 0

-- The values of a set in the order in which they were put in, as a list that stays as it is.
function f.values(set)
  local all = set.values
  if not all then
    local nth = set.nth
    all = {}
    for value in pairs(nth) do all[#all + 1] = value end
    table.sort(all, function(one, other) return nth[one] < nth[other] end)
    set.values = all
  end
  return all
end

-- Of bytes, which Lua does not tell from text.
function f.size_of(bytes) return type(bytes) == "string" and #bytes or nil end

-- Of a list, a set or text.
function f.first(of)
  if type(of) == "string" then return of ~= "" and of:sub(1, 1) or nil end
  if getmetatable(of) == SET then return f.values(of)[1] end
  return of and of[1]
end

function f.last(of)
  if type(of) == "string" then return of ~= "" and of:sub(-1) or nil end
  return of and of[#of]
end

local function extreme(of, list)
  local found
  for _, each in ipairs(list or {}) do
    if type(each) ~= "number" then return nil end
    found = found and of(found, each) or each
  end
  return found
end

function f.greatest(list) return extreme(math.max, list) end

function f.least(list) return extreme(math.min, list) end

function f.any_eq(list, value)
  for _, each in ipairs(list or {}) do if each == value then return true end end
  return false
end

function f.any_ne(list, value)
  for _, each in ipairs(value ~= nil and list or {}) do if each ~= value then return true end end
  return false
end

function f.any_above(list, value)
  for _, each in ipairs(value and list or {}) do if each > value then return true end end
  return false
end

function f.unordered(list)
  for index = 2, #(list or {}) do if list[index] <= list[index - 1] then return true end end
  return false
end

function f.strange(list, known, prefixes)
  for _, each in ipairs(list or {}) do
    local found = f.one_of(each, known)
    for _, prefix in ipairs(prefixes) do found = found or f.starts(each, prefix) end
    if not found then return each end
  end
  return nil
end

function f.beside(list, value, others)
  for place, each in ipairs(value ~= nil and list or {}) do
    if each ~= value then return others and others[place] end
  end
  return nil
end

do

local byte, sub = string.byte, string.sub

-- Most text differs in its first byte.
function f.starts(text, prefix)
  if text == nil or prefix == nil or byte(text) ~= byte(prefix) and prefix ~= "" then return false end
  return sub(text, 1, #prefix) == prefix
end

end

do

local beginnings_of = {} -- table of names to the beginnings by their first bytes, the longest first, with their names
local byte, sub = string.byte, string.sub

local function beginnings(names_of)
  local all = {}
  for text, name in pairs(names_of) do
    local prefix = text:gsub("([\194\195])([\128-\191])", function(a, b) return string.char(a:byte() % 4 * 64 + b:byte() % 64) end)
    local own = all[byte(prefix) or ""] or {}
    all[byte(prefix) or ""] = own
    own[#own + 1] = { prefix = prefix, name = name }
  end
  for _, own in pairs(all) do
    table.sort(own, function(one, other)
      return #one.prefix > #other.prefix or #one.prefix == #other.prefix and one.prefix < other.prefix
    end)
  end
  beginnings_of[names_of] = all
  return all
end

-- The name of the longest beginning of text or bytes; a character up to U+00FF of a beginning stands for a byte.
function f.begins(data_of_field, names_of)
  if type(data_of_field) ~= "string" or not names_of then return nil end
  local all = beginnings_of[names_of] or beginnings(names_of)
  for _, each in ipairs(all[byte(data_of_field) or ""] or {}) do
    if sub(data_of_field, 1, #each.prefix) == each.prefix then return each.name end
  end
  return all[""] and all[""][1].name
end

end

-- What stands between two marks, the first time.
function f.between(data_of_field, before, behind)
  if type(data_of_field) ~= "string" then return nil end
  local _, mark_end = data_of_field:find(before, 1, true)
  local upto = mark_end and (behind == "" and #data_of_field + 1 or data_of_field:find(behind, mark_end + 1, true))
  return upto and data_of_field:sub(mark_end + 1, upto - 1)
end

-- The tokens of a subject or pattern of NATS; conditions ask for those of the same ones again and again.
local subject_tokens

do

local known, count = {}, 0
local MOST_KNOWN = 512

function subject_tokens(subject)
  local tokens = known[subject]
  if tokens then return tokens end
  if count >= MOST_KNOWN then known, count = {}, 0 end
  tokens, count = {}, count + 1
  for token in (subject .. "."):gmatch("([^.]*)%.") do tokens[#tokens + 1] = token end
  known[subject] = tokens
  return tokens
end

end

-- A token of a subject of NATS, the first being 0.
function f.token(subject, place_of_token) return subject and place_of_token and subject_tokens(subject)[place_of_token + 1] end

-- Whether a message may be published to a subject of NATS.
function f.literal(subject)
  if not subject then return false end
  for _, token in ipairs(subject_tokens(subject)) do
    if token == "" or token == "*" or token == ">" then return false end
  end
  return true
end

-- A subject of NATS without its last token.
function f.stem(subject) return subject and (subject:match("^(.*)%.") or "") end

-- The name of a program without the numbers and random parts of its instances.
function f.program(name)
  if not name then return nil end
  local bare = name
  while true do
    local before, last = bare:match("^(.*)[-_.#/ ]([^-_.#/ ]*)$")
    if not before or not last:find("%d") then break end
    bare = before
  end
  if bare == name then bare = name:gsub("%d+$", "") end
  return bare == "" and name or bare
end

-- What stands for bytes in a key: short ones for themselves, of others their number, and what two primes leave of them.
local MOST_AS_KEY = 256
local digested, digest -- the last ones

function f.digest(bytes)
  if type(bytes) ~= "string" then return nil end
  if #bytes <= MOST_AS_KEY then return bytes end
  if bytes == digested then return digest end
  local one, two, read_four, padded = 0, 0, string.byte, bytes .. "\0\0\0"
  for place = 1, #bytes, 4 do
    local a, b, c, d = read_four(padded, place, place + 3)
    local four = ((a * 256 + b) * 256 + c) * 256 + d
    one, two = (one * 257 + four) % 34359738337, (two * 65599 + four) % 34359738319
  end
  digested, digest = bytes, string.format("%d %.0f %.0f", #bytes, one, two)
  return digest
end

function f.item(map, key)
  for _, each in ipairs(map or {}) do
    if each.key == key then
      if type(each.value) == "userdata" then return nil end -- a number that Lua cannot hold
      return each.value
    end
  end
end

function f.lookup(value, steps)
  local best
  for from in pairs(value and steps or {}) do
    if from <= value and (not best or from > best) then best = from end
  end
  return best and steps[best]
end

function f.number(text)
  return type(text) == "string" and text:match("^%d+$") and #text <= 15 and tonumber(text) or nil
end

function f.release(text)
  if type(text) ~= "string" then return nil end
  local major, minor, patch = text:match("^(%d+)%.(%d+)%.?(%d*)")
  return major and tonumber(major) * 1000000 + tonumber(minor) * 1000 + (tonumber(patch) or 0)
end

-- Whether bytes are UTF-8 with a character beyond ASCII; the last one may be cut off.
function f.multibyte(bytes)
  if type(bytes) ~= "string" then return false end
  local whole, rest = bytes, bytes:match("[\194-\244][\128-\191]*$") or ""
  local lead = rest:byte() or 0
  if #rest < (lead >= 0xF0 and 4 or lead >= 0xE0 and 3 or 2) then whole = bytes:sub(1, #bytes - #rest) end
  return whole:find("[\128-\255]") ~= nil and is_utf8(whole)
end

-- Whether the top bit of a byte is set, the first being 0.
function f.high_bit(bytes, place)
  local byte = bytes and place and bytes:byte(place + 1)
  return byte ~= nil and byte > 127
end

function f.plain_user(bytes) return bytes and bytes:match("^[^%z]*%z([^%z]*)%z[^%z]*$") end

function f.non_ascii(value)
  if type(value) == "table" then
    for _, each in pairs(value) do if f.non_ascii(each) then return true end end
    return false
  end
  return type(value) == "string" and value:find("[\128-\255]") ~= nil
end

-- Whether the tokens of a subject are those of a pattern.
local function fits_pattern(tokens, wanted)
  local count = #wanted
  for index = 1, count do
    local each = wanted[index]
    if each == ">" then return #tokens >= index end
    if each ~= "*" and each ~= tokens[index] then return false end
  end
  return #tokens == count
end

function f.matching(subject, pattern)
  if subject == nil and OPENING then return nil end -- the frame around may be of a dissector that is not ours
  if not subject or not pattern then return false end
  return fits_pattern(subject_tokens(subject), subject_tokens(pattern))
end

-- The name of the pattern that a subject of NATS matches: of several, the one with most tokens that are no wildcards.

do

local patterns_of = {} -- table of names to its patterns, best first, with the names of the subjects that came last
local MOST_SUBJECTS = 512

local function specific(tokens)
  local count = 0
  for _, token in ipairs(tokens) do
    if token ~= "*" and token ~= ">" then count = count + 1 end
  end
  return count
end

local function patterns(names_of)
  local all = { named = {}, count = 0, fitting = {} }
  for pattern, name in pairs(names_of) do
    local tokens = subject_tokens(pattern)
    all[#all + 1] = { pattern = pattern, tokens = tokens, name = name, specific = specific(tokens) }
  end
  table.sort(all, function(one, other)
    if one.specific ~= other.specific then return one.specific > other.specific end
    return one.pattern < other.pattern
  end)
  patterns_of[names_of] = all
  return all
end

-- The patterns that a subject with so many tokens may match, best first.
local function fitting(all, count)
  local found = all.fitting[count]
  if not found then
    found = {}
    for _, each in ipairs(all) do
      local is_open = each.tokens[#each.tokens] == ">" and #each.tokens <= count
      if is_open or #each.tokens == count then found[#found + 1] = each end
    end
    all.fitting[count] = found
  end
  return found
end

local function name_of(all, subject)
  local tokens = subject_tokens(subject)
  local some = fitting(all, #tokens)
  for index = 1, #some do
    if fits_pattern(tokens, some[index].tokens) then return some[index].name end
  end
  return false
end

function f.called(subject, names_of)
  if not subject or not names_of then return nil end
  local all = patterns_of[names_of] or patterns(names_of)
  local found = all.named[subject]
  if found == nil then
    if all.count >= MOST_SUBJECTS then all.named, all.count = {}, 0 end
    found = name_of(all, subject)
    all.named[subject], all.count = found, all.count + 1
  end
  return found or nil
end

end

-- Several values as one, as a member of a set or what a rule counts by: each with its length before it, since Lua compares tables by identity.
function f.member(...)
  local parts = { ... }
  for nth = 1, select("#", ...) do
    local each = parts[nth]
    if type(each) == "string" then parts[nth] = #each .. ":" .. each
    elseif each == nil then parts[nth] = "-"
    else
      local is_whole = type(each) ~= "number" or each == math.floor(each)
      local text = is_whole and digits(each) or ("%.17g"):format(each)
      parts[nth] = "#" .. #text .. ":" .. text
    end
  end
  return table.concat(parts)
end

-- Sets of an object.
function f.has(set, value) return set ~= nil and value ~= nil and set.nth ~= nil and set.nth[value] ~= nil end

function f.put(set, value)
  set = set or setmetatable({ nth = {}, count = 0, values = {} }, SET)
  if value ~= nil and not set.nth[value] then
    puts = puts + 1
    set.nth[value], set.count, set.made = puts, set.count + 1, nil
    local all = set.values
    if all then all[#all + 1] = value end
  end
  return set
end

function f.drop(set, value)
  if set and value ~= nil and set.nth[value] then set.nth[value], set.count, set.values, set.made = nil, set.count - 1, nil, nil end
  return set
end

-- Of outstanding ids their number, unknown where ids were missed; of a set its values.
function f.count(of)
  if of and of.runs then return of.whole and of.count or nil end
  return of and of.count
end

do -- words of messages
local MINUTE = 60e9 -- in nanoseconds
local UNITS = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } }
local SIZES = { { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" } }

-- Three digits at most, and what these round up to the next unit in that one: `3.14 ms`, `1 min 15 s`.
function f.time(ns)
  if not ns then return nil end
  if ns < 0 then return "-" .. f.time(-ns) end
  if ns >= MINUTE then
    local seconds = math.floor(ns / 1e9 + 0.5)
    local minutes = math.floor(seconds / 60)
    local hours = math.floor(minutes / 60)
    if hours > 0 then return digits(hours) .. " h " .. digits(minutes % 60) .. " min" end
    return digits(minutes) .. " min " .. digits(seconds % 60) .. " s"
  end
  for _, unit in ipairs(UNITS) do
    if ns >= 0.9995 * unit[1] then return ("%.3g %s"):format(ns / unit[1], unit[2]) end
  end
  return "0 s"
end

-- Three digits, of whole bytes all, of a power of two the binary unit: `999 B`, `83.2 kB`, `1 MiB`.
function f.size(bytes)
  local rest = bytes and bytes >= 1024 and bytes or 3
  while rest % 2 == 0 do rest = math.floor(rest / 2) end
  if rest == 1 then return info_line.binary_size(digits(bytes)) end
  for _, unit in ipairs(SIZES) do
    local number = bytes and bytes / unit[1] or 0
    if number >= 0.9995 then
      return ("%%.%df %s"):format(number < 9.995 and 2 or number < 99.95 and 1 or 0, unit[2]):format(number)
    end
  end
  return bytes and digits(bytes) .. " B"
end

-- A number with its noun: `2,000 frames`.
function f.counted(number, one, many)
  if not number then return nil end
  local text, more = digits(number), 1
  while more > 0 do text, more = text:gsub("^(%-?%d+)(%d%d%d)", "%1,%2") end
  return text .. " " .. (number == 1 and one or many)
end

function f.named(value, known) return value and digits(value) .. (known[value] and " (" .. known[value] .. ")" or "") end

-- A value that is a sentence of this plugin, and is not shortened in another.
function f.whole(text) return text and { whole = text } end

-- A sentence with its values, without the colon before an empty one at its end; frame numbers are rounded down to
-- packets.
function f.say(text, ...)
  local values = { ... }
  for index = 1, select("#", ...) do
    local value = values[index]
    if value == nil then values[index] = "unknown"
    elseif type(value) == "number" then values[index] = digits(math.floor(value))
    elseif type(value) == "boolean" or type(value) == "userdata" then values[index] = tostring(value)
    elseif type(value) == "table" and value.whole then values[index] = quoted(value.whole, true, true)
    elseif type(value) == "table" then
      local parts = {}
      for nth, each in ipairs(value) do
        if nth <= 8 then parts[nth] = type(each) == "string" and quoted(each, true) or digits(each) end
      end
      values[index] = table.concat(parts, ", ") .. (#value > 8 and ", ..." or "")
    else values[index] = quoted(value, true) end
  end
  return (string.format(text, unpack(values, 1, select("#", ...))):gsub(": $", ""))
end

end
