-- Predicates of rules, as in `predicates.py`: the names of the columns, then their values. What they give is what they found;
-- it is empty where the condition does not hold.

local P = {}

local TITLES = { metadata_mime_type = "MIME type of metadata", data_mime_type = "MIME type of data", error_data = "error data" }
local TOKEN_BYTES = 8 -- of a token that is not guessed
local WELL_KNOWN, well_known = {}, {} -- sorted, and as a set
for _, name in pairs(names.mime_id or {}) do WELL_KNOWN[#WELL_KNOWN + 1], well_known[name] = name, true end
table.sort(WELL_KNOWN)

-- The first text of some columns, with its title, of which something is found.
local function first_found(columns, find_in, ...)
  local nth = 0
  for column in columns:gmatch("%S+") do
    nth = nth + 1
    local value = select(nth, ...)
    local found = type(value) == "string" and find_in(value, TITLES[column])
    if found then return found end
  end
  return ""
end

-- A text of ASCII as it is shown: with U+FFFD for each other byte.
local function ascii(text) return (text:gsub("[\128-\255]", "\239\191\189")) end

function P.ends_with_null(columns, ...)
  local wrong, nth = {}, 0
  for column in columns:gmatch("%S+") do
    nth = nth + 1
    local value = select(nth, ...)
    if type(value) == "string" and value:find("%z$") then wrong[#wrong + 1] = TITLES[column] or column end
  end
  return table.concat(wrong, " and ")
end

function P.is_no_type(columns, ...)
  return first_found(columns, function(value, title)
    local bare = value:gsub("^%z+", ""):gsub("%z+$", "")
    if well_known[bare] then return nil end
    if value == "" then return "an empty " .. title end
    if not value:gsub("^/+", ""):gsub("/+$", ""):find("/", 1, true) then
      return near.quote(ascii(value)) .. " as " .. title .. ", which is not of the form type/subtype"
    end
    if value:lower():find("x.rsocket", 1, true) and not value:find("^message/x%.rsocket%.[a-z.-]+%.v[0-9]+$") then
      return near.quote(ascii(value)) .. " as " .. title .. ", which is not a type of RSocket"
    end
  end, ...)
end

function P.has_similar_type(columns, ...)
  return first_found(columns, function(value, title)
    if value == "" or well_known[value] or value:lower():find("x.rsocket", 1, true) then return nil end
    local meant = near.similar(value:match("^[^;]*"):match("^%s*(.-)%s*$"), WELL_KNOWN)
    return meant ~= "" and near.quote(ascii(value)) .. " as " .. title .. ", which may be meant as " .. meant or nil
  end, ...)
end

function P.is_guessable(_, token)
  if #token < TOKEN_BYTES then return "it has " .. #token .. " byte" .. (#token == 1 and "" or "s") end
  local seen, count = {}, 0
  for place = 1, #token do
    local byte = token:byte(place)
    if not seen[byte] then seen[byte], count = true, count + 1 end
  end
  if count <= 2 then return "it is hardly more than one byte repeated" end
  return token:find("^%d+$") and "it is a number" or ""
end

function P.repeats_length(_, metadata)
  local a, b, c = metadata:byte(1, 3)
  return c ~= nil and (a * 256 + b) * 256 + c == #metadata - 3
end

return P
