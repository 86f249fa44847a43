-- The words of the Info column, as `streamshark.schema.info_template` declares them --------------------------------

do

local MOST_ITEMS, MOST_RANGES = 3, 3
local REFUSAL = "!"
local FALSE = { [""] = true, ["0"] = true, ['""'] = true, ["false"] = true, ["False"] = true, null = true, empty = true }
local SIZES = { { 0x40000000, " GiB" }, { 0x100000, " MiB" }, { 0x400, " KiB" } }

local function some(texts, count)
  local shown = math.min(#texts, MOST_ITEMS)
  local more = count - shown
  return table.concat(texts, ",", 1, shown) .. (more > 0 and " and " .. digits(more) .. " more" or "")
end

-- A number of bytes in the largest binary unit of which it is a multiple.
function info_line.binary_size(text)
  local count = text:match("^%d+$") and #text < 16 and tonumber(text) or 0
  for _, each in ipairs(SIZES) do
    if count > 0 and count % each[1] == 0 then return digits(math.floor(count / each[1])) .. each[2] end
  end
  return text
end

-- The decimal text of a number, and a small number more.
local function plus(text, more)
  if #text < 16 then return digits(tonumber(text) + more) end
  local out = {}
  for place = #text, 1, -1 do
    more = more + text:byte(place) - 48
    table.insert(out, 1, digits(more % 10))
    more = math.floor(more / 10)
  end
  return (more > 0 and digits(more) or "") .. table.concat(out)
end

local function ranges(found)
  local closed = { unpack(found.closed) }
  closed[#closed + 1] = found.first == found.last and found.first or found.first .. "-" .. found.last
  return some(closed, found.count + 1)
end

-- Keeps a number of a list as part of a range; `info_texts` has what is known of the list.
function info_line.add_range(path, text)
  local found = info_texts[path]
  if not found then info_texts[path] = { closed = {}, count = 0, first = text, last = text }
  elseif not text:find("-", 1, true) and text == plus(found.last, 1) then found.last = text
  else
    if found.count < MOST_RANGES then
      found.closed[#found.closed + 1] = found.first == found.last and found.first or found.first .. "-" .. found.last
    end
    found.count, found.first, found.last = found.count + 1, text, text
  end
end

-- The text of a value in the form of its hole; nil where nothing is shown of it.
local function shaped(hole, text)
  local form = hole.form
  if form == "text" and (FALSE[text] or text:find("^%[[%d,]+ bytes?%]$")) then return nil end
  if form == "signed" and text:sub(1, 1) ~= "-" then text = "+" .. text
  elseif form == "size" then text = info_line.binary_size(text)
  elseif form == "not" then
    local kept = {}
    for name in text:gmatch("[^|]+") do if not hole.others[name] then kept[#kept + 1] = name end end
    text = table.concat(kept, "|")
  end
  if not hole.yes then return text end
  if FALSE[text] or form == "ok" and hole.others[text] then return hole.no ~= "" and hole.no or nil end
  return hole.yes ~= "" and hole.yes or text
end

local function listed(value)
  return type(value) == "table" and value or { value }
end

local FORMS = {
  ranges = function(hole, found) return found[hole.path] and ranges(found[hole.path]) end,
  bytes = function(hole)
    local count = rawget(v, "#" .. hole.path)
    return count and (count == 1 and "1 byte" or digits(count) .. " bytes")
  end,
  range = function(hole, found)
    local start, count = found[hole.path], tonumber(found[hole.others[1]] or "") or 0
    if not start or count < 2 then return start end
    return start .. "-" .. plus(start, count - 1)
  end,
  pair = function(hole, found)
    local values = found[hole.path .. ".value"] or {}
    for index, key in ipairs(found[hole.path .. ".key"] or {}) do
      if key == hole.others[1] then return values[index] end
    end
  end,
  joined = function(hole, found)
    local members, known, out = listed(found[hole.path]), {}, {}
    for index, key in ipairs(listed(found[hole.others[2]])) do known[key] = known[key] or members[index] end
    for _, wanted in ipairs(listed(found[hole.others[1]])) do out[#out + 1] = known[wanted] or "" end
    out.total = #out
    return #out > 0 and out or nil
  end,
}

-- The text of a hole, a table of texts for the items of a list, or nil.
local function text_of(hole, found)
  if FORMS[hole.form] then
    local value = FORMS[hole.form](hole, found)
    return type(value) == "string" and shaped(hole, value) or type(value) == "table" and value or nil
  end
  local value = found[hole.path]
  if type(value) ~= "table" then return value and shaped(hole, value) end
  local out, seen = { total = value.total - #value }, {}
  for _, each in ipairs(value) do
    local text = shaped(hole, each)
    if text and not (hole.form == "ok" and seen[text]) then out[#out + 1] = text end
    if text then seen[text] = true end
  end
  out.total = hole.form == "ok" and #out or out.total + #out
  return out
end

local function single(part, hole, found, inner)
  local own = inner and inner[hole.path] or ""
  if hole.form == "inside" and own ~= "" then return own end
  local value = text_of(hole, found)
  local before, after = " " .. part.texts[1], part.texts[2]
  if type(value) == "table" then
    local items = {}
    for index = 1, math.min(#value, MOST_ITEMS) do items[index] = value[index] .. after end
    return #items > 0 and before .. some(items, value.total) or ""
  end
  return (value and before .. value .. after or "") .. own
end

-- One item of a part with several holes, up to the first value that is missing.
local function item_of(part, values, index)
  local out = part.texts[1]
  for nth, value in ipairs(values) do
    local text = type(value) == "table" and (index <= MOST_ITEMS and value[index] or "") or value
    if type(text) == "table" or text == "" then return nth > 1 and out or "" end
    out = out .. (nth > 1 and part.texts[nth] or "") .. text
  end
  return out .. part.texts[#part.texts]
end

local function several(part, found)
  local values, count = {}, 0
  for nth, hole in ipairs(part.holes) do
    local value = text_of(hole, found) or ""
    values[nth] = value
    if type(value) == "table" then count = math.max(count, value.total) end
  end
  if count == 0 and (type(values[1]) == "table" or values[1] == "") then return "" end
  local items, any = {}, false
  for index = 1, math.min(math.max(count, 1), MOST_ITEMS) do
    items[index] = item_of(part, values, index)
    any = any or items[index] ~= ""
  end
  return any and " " .. some(items, math.max(count, 1)) or ""
end

local function is_refusal(hole, found)
  if hole.form ~= "ok" then return false end
  for _, each in ipairs(listed(found[hole.path])) do
    if not hole.others[each] then return true end
  end
  return false
end

-- The words of a template: `found` has the texts of values by path, `inner` what embedded records show of payloads.
function info_line.words(shows, found, inner)
  local text, refused = "", false
  for _, part in ipairs(shows) do
    local holes = part.holes
    if #holes == 0 and part.texts[1] == REFUSAL then refused = true
    elseif #holes == 0 then text = text .. " " .. part.texts[1]
    else
      text = text .. (#holes == 1 and single(part, holes[1], found, inner) or #holes > 1 and several(part, found) or "")
      for _, hole in ipairs(holes) do refused = refused or is_refusal(hole, found) end
    end
  end
  return text, refused
end

end
