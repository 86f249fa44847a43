-- Predicates of rules, as in `predicates.py`: the names of the columns, then their values. What they give is what they found; it
-- is empty where the condition does not hold.

local P = {}

local EVENT = 0
local HEAD = 8 -- bytes of a type and a length
local LONGEST = 8 * 1024 * 1024 -- bytes of an event
local JUDGED, REPEATED = 4, 3 -- events of an append whose content is judged; events in a row that are each written twice

local function number(raw, from)
  local a, b, c, d = raw:byte(from, from + 3)
  local value = ((a * 256 + b) * 256 + c) * 256 + d
  return value >= 0x80000000 and value - 0x100000000 or value
end

-- What an append stores; nil and a reason where its end does not fit its block.
local function appended(block, content, size)
  if not block then return content end
  local whole = joins({ data = block }, function(name) return name == "data" and content or size end)
  if type(whole) == "string" then return nil, whole end
  return whole.data
end

-- The events from the first byte to the last; nil where the bytes are anything else.
local function events_in(content)
  if #content > HEAD and not content:find("[^%z]") then return nil end
  local events, place = {}, 1
  while place + HEAD <= #content + 1 do
    local kind, length = number(content, place), number(content, place + 4)
    if kind ~= EVENT or length < 0 then return nil end
    events[#events + 1] = content:sub(place + HEAD, place + HEAD + length - 1)
    place = place + HEAD + length
  end
  return place == #content + 1 and events or nil
end

local function events_of(block, content, size)
  local whole = appended(block, content, size)
  return whole and whole ~= "" and events_in(whole) or {}
end

local function first_found(find_in, events)
  for nth = 1, math.min(JUDGED, #events) do
    local found = find_in(events[nth])
    if found ~= "" then return found end
  end
  return ""
end

function P.is_mistaken(_, block, content, size) return first_found(contents.mistaken, events_of(block, content, size)) end

function P.is_text_of_bytes(_, block, content, size) return first_found(contents.text_of_bytes, events_of(block, content, size)) end

function P.is_doubled(_, block, content, size)
  local events = events_of(block, content, size)
  if #events % 2 == 1 or #events < 2 * REPEATED then return "" end
  for nth = 1, #events, 2 do
    if events[nth] ~= events[nth + 1] or events[nth] == events[nth - 1] then return "" end
  end
  return ("%d"):format(#events)
end

function P.misfits(_, block, content, size)
  local _, wrong = appended(block, content, size)
  return wrong or ""
end

function P.is_miscounted(_, block, content, size, count)
  local whole = appended(block, content, size)
  local events = whole and whole ~= "" and events_in(whole)
  return events and #events > count and ("%d"):format(#events) or ""
end

function P.has_long_event(_, block, content, size)
  local bytes, limit = block or content, block and size or #content
  if limit < HEAD or limit > #bytes or limit > HEAD and not bytes:sub(1, 2 * HEAD):find("[^%z]") then return "" end
  local place, length = 0, 0
  while place + HEAD <= limit do
    local kind
    kind, length = number(bytes, place + 1), number(bytes, place + 5)
    if kind ~= EVENT or length < 0 or length > LONGEST then return "" end
    place = place + HEAD + length
  end
  return place > limit and near.grouped(length) .. " bytes, of which " .. near.grouped(length - (place - limit)) .. " are" or ""
end

function P.is_torn(_, block, content, size)
  local whole = appended(block, content, size)
  if not block or not whole or size <= 0 or size >= #whole then return false end
  local events = events_in(block:sub(1, size))
  return events ~= nil and #events > 0 and not events_in(whole:sub(size + 1))
end

function P.is_mistaken_name(_, ...) return near.first_mistaken_name(...) end

-- Events of a stream that others have written ------------------------------------------------------------------------

-- Whether the last value of a member of a set is this text, as the end of what the member is.
local function is_member_with(set, content)
  for _, member in ipairs(near.values(set)) do
    if member:sub(-#content) == content then return true end
  end
  return false
end

function P.has_another_written(_, sent, writer, t, content)
  if content and not is_member_with(sent, content) then return "" end
  local by_writer, writers, wanted = {}, {}, {}
  for _, each in ipairs(near.values(sent)) do
    local _, sent_t, by, its = near.parts(each)
    if by and not by_writer[by] then by_writer[by], writers[#writers + 1] = {}, by end
    if by then by_writer[by][#by_writer[by] + 1] = { content = its or false, t = tonumber(sent_t) } end
  end
  local own = by_writer[writer] or {}
  for nth = math.max(1, #own - 1), #own do wanted[#wanted + 1] = own[nth].content end
  wanted[#wanted + 1] = content or false
  if #wanted < 3 or wanted[1] == wanted[2] or wanted[2] == wanted[3] or wanted[1] == wanted[3] then return "" end
  for _, other in ipairs(writers) do
    local theirs = other ~= writer and by_writer[other] or {}
    for nth = 1, #theirs - 2 do
      local is_same = theirs[nth].content == wanted[1] and theirs[nth + 1].content == wanted[2] and theirs[nth + 2].content == wanted[3]
      if is_same then return f.time(t - theirs[nth + 2].t) .. " before" end
    end
  end
  return ""
end

-- The format of the first of some events; empty if it is not known.
local function format_of(events)
  local first = events and events[1] or ""
  for _, each in ipairs(tables.formats) do if first:sub(1, #each[1]) == each[1] then return each[2] end end
  return first ~= "" and not first:find("[%z\1-\8\11\12\14-\31\128-\255]") and "text" or ""
end

function P.has_another_format(_, sample, block, content, size)
  local now, former = format_of(events_of(block, content, size)), format_of(sample and sample ~= "" and events_in(sample))
  return now ~= "" and former ~= "" and now ~= former and now .. ", and the first one of its stream " .. former or ""
end

-- Tables -------------------------------------------------------------------------------------------------------------

function P.has_large_entry(_, entries)
  for _, each in ipairs(entries or {}) do
    local key, value = #(each["key.data"] or ""), #(each["value.data"] or "")
    if key > tables.longest_key then
      return "a key of " .. near.grouped(key) .. " bytes; " .. near.grouped(tables.longest_key) .. " are allowed"
    end
    if value > tables.longest_value then
      return "a value of " .. near.grouped(value) .. " bytes; " .. near.grouped(tables.longest_value) .. " are allowed"
    end
  end
  return ""
end

-- Ranges of keys -----------------------------------------------------------------------------------------------------

local function range_name(range) return ("%g to %g"):format(range[1], range[2]) end

-- Ranges in order; what is no number comes last.
local function sorted_ranges(items, low, high)
  local all = {}
  for nth, each in ipairs(items or {}) do all[nth] = { each[low] or 0, each[high] or 0 } end
  local function place(number) return number == number and number or math.huge end
  table.sort(all, function(one, other)
    local mine, its = place(one[1]), place(other[1])
    return mine < its or mine == its and place(one[2]) < place(other[2])
  end)
  return all
end

-- The first two ranges that overlap.
local function overlap(ranges)
  for nth = 2, #ranges do
    if ranges[nth][1] + tables.close < ranges[nth - 1][2] then
      return range_name(ranges[nth - 1]) .. " and " .. range_name(ranges[nth]) .. " overlap"
    end
  end
  return ""
end

function P.has_bad_ranges(_, items)
  local ranges = sorted_ranges(items, "start", "end")
  for _, each in ipairs(ranges) do
    local is_part = each[1] >= 0 and each[1] < each[2] and each[2] <= 1
    if not is_part then return range_name(each) .. " is no part of 0 to 1" end
  end
  return overlap(ranges)
end

function P.has_bad_segments(_, items)
  local ranges, reached = sorted_ranges(items, "min_key", "max_key"), 0
  local found = overlap(ranges)
  if found ~= "" then return found end
  for _, each in ipairs(ranges) do
    if each[1] > reached + tables.close then return ("no segment has the keys from %g to %g"):format(reached, each[1]) end
    reached = each[2]
  end
  return reached + tables.close < 1 and ("no segment has the keys from %g to 1"):format(reached) or ""
end

-- Delegation tokens ----------------------------------------------------------------------------------------------

local function claims_of(token)
  local claims = (token or ""):match("^[^.]*%.([^.]*)")
  return claims and contents.part_of(claims)
end

-- How long ago a token expired, in ns; 0 if it does not say when.
local function expired(token, t)
  local claims = claims_of(token)
  local expiry = claims and claims.of.exp
  if type(expiry) ~= "number" or expiry ~= expiry or math.abs(expiry) == math.huge then return 0 end
  return t - expiry * 1e9
end

function P.has_expired(_, token, t)
  local ago = expired(token, t)
  return ago > 0 and f.time(ago) or ""
end

function P.has_run_out(_, token, t)
  local ago = expired(token, t)
  return ago > 0 and ago <= tables.just and f.time(ago) or ""
end

-- The permissions that a token has for the stream of a segment, those that are not understood among them; whether it has any.
local function permissions(token, segment)
  local scope, stream = segment:match("^([^/]*)/?([^/]*)")
  local names_of = { [stream] = true, [stream:gsub("_kvtable$", "")] = true, [stream:gsub("^_RG", "")] = true, [stream:gsub("^_MARK", "")] = true }
  local found, claims, is_granted = {}, claims_of(token), false
  for _, name in ipairs(claims and claims.names or {}) do
    local permission = claims.of[name]
    if permission == "READ" or permission == "READ_UPDATE" then
      is_granted = true
      local bare = name:gsub("^prn::", ""):gsub("^/", "")
      local its_scope, its_name = bare:match("^scope:([^/]+)$"), nil
      local is_resource = its_scope ~= nil
      if not is_resource then
        its_scope, its_name = bare:match("^scope:([^/]+)/[a-z-]+:([^/]+)$")
        is_resource = its_scope ~= nil
      end
      if not is_resource then
        local parts = {}
        for part in (name:gsub("^/+", ""):gsub("/+$", "") .. "/"):gmatch("([^/]*)/") do parts[#parts + 1] = part end
        if #parts == 2 then its_scope, its_name = parts[1], parts[2] end
        if #parts ~= 2 then found[permission] = true end
      end
      if name:find("*", 1, true) or its_scope == scope and (not its_name or names_of[its_name]) then found[permission] = true end
    end
  end
  return found, is_granted
end

function P.has_foreign_token(_, token, segment)
  local found, is_granted = permissions(token, segment)
  return is_granted and next(found) == nil
end

function P.has_read_only_token(_, token, segment)
  local found = permissions(token, segment)
  return found.READ == true and not found.READ_UPDATE
end

return P
