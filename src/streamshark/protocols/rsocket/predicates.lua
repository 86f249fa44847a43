-- Predicates of rules, as in `predicates.py` and `metadata_predicates.py`: the names of the columns, then their values. What they give is what they found;
-- it is empty where the condition does not hold.

local P = {}
local search, is_match = f.patterns.search, f.patterns.is_match

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
    if value:find("*", 1, true) then return near.quote(ascii(value)) .. " as " .. title .. ", which is a pattern and no type" end
    if value:lower():find("x.rsocket", 1, true) and not value:find("^message/x%.rsocket%.[a-z.-]+%.v[0-9]+$") then
      return near.quote(ascii(value)) .. " as " .. title .. ", which is not a type of RSocket"
    end
  end, ...)
end

function P.has_similar_type(columns, ...)
  return first_found(columns, function(value, title)
    if value == "" or well_known[value] or value:lower():find("x.rsocket", 1, true) then return nil end
    local bare = value:match("^[^;]*"):match("^%s*(.-)%s*$")
    local meant = well_known[bare] and bare or near.similar(bare, WELL_KNOWN)
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

-- Data -----------------------------------------------------------------------------------------------------------

local PARSED = 512 -- bytes of JSON that is parsed; of longer data the first and last characters are judged
local BLANKS = "[ \t\r\n\239\187\191]*"
local ENDS = { ["{"] = "}", ["["] = "]", ['"'] = '"' }

local function bare_of(content) return content:match("^" .. BLANKS .. "(.-)" .. BLANKS .. "$") end

local function is_json(content)
  local value = bare_of(content)
  local start = value:sub(1, 1)
  if #value > PARSED then return ENDS[start] ~= nil and ENDS[start] == value:sub(-1) end
  if not ENDS[start] then
    return value == "true" or value == "false" or value == "null" or value:find("^%-?%d[%d.eE+-]*$") ~= nil
  end
  local _, fine = contents.json(value)
  return fine
end

local function not_of_type(mime_type, content)
  local found = contents.wide(content)
  if found ~= "" then return "it is " .. found end
  if mime_type == "application/json" then return is_json(content) and "" or "it is not JSON" end
  if mime_type == "application/xml" then return content:find("^" .. BLANKS .. "<") and "" or "it does not begin like XML" end
  if mime_type == "text/plain" then return is_utf8(content) and "" or "it is not UTF-8 text" end
  return (content:find('^{"') or content:find("^%[{")) and is_json(content) and "it is JSON" or ""
end

function P.is_another_type(_, mime_type, content) return not_of_type(mime_type, content) end

function P.is_text_for_json(_, mime_type, content)
  if mime_type ~= "application/json" or contents.wide(content) ~= "" or is_json(content) then return "" end
  local is_plain = not ENDS[bare_of(content):sub(1, 1)] and is_utf8(content) and not content:find("%z")
  return is_plain and "it is plain text" or ""
end

function P.contradicts_its_type(_, mime_type, content)
  return P.is_text_for_json("", mime_type, content) ~= "" and "" or not_of_type(mime_type, content)
end

function P.is_mistaken(_, content) return contents.mistaken(content) end

function P.is_text_of_bytes(_, content) return contents.text_of_bytes(content) end

local REQUESTS = { [4] = "REQUEST_RESPONSE", [5] = "REQUEST_FNF", [6] = "REQUEST_STREAM", [7] = "REQUEST_CHANNEL" }

function P.holds_another_frame(_, stream, content)
  local next_id = stream > 0 and stream + 2 or 1
  local mark = string.char(math.floor(next_id / 16777216), math.floor(next_id / 65536) % 256, math.floor(next_id / 256) % 256, next_id % 256)
  local place = content:find(mark, 1, true)
  while place do
    local a, b = content:byte(place + 4, place + 5)
    local name = b and REQUESTS[math.floor(a / 4)]
    if name and b % 32 == 0 then return name .. " on stream " .. digits(next_id) end
    place = content:find(mark, place + 1, true)
  end
  return ""
end

function P.is_placeholder(_, text)
  for _, note in ipairs({ "TO%-?DO", "FIX%-?ME", "TBD" }) do if text:find("%f[%w_]" .. note .. "%f[^%w_]") then return true end end
  local lower = text:lower()
  for _, each in ipairs({ "lorem ipsum", "not implemented yet", "not yet implemented yet", "should be error details" }) do
    if lower:find(each, 1, true) then return true end
  end
  return false
end

-- Metadata -------------------------------------------------------------------------------------------------------

local ROUTING_ID, TRACING_ID, AUTHENTICATION_ID, DATA_TYPE_ID, ACCEPT_ID = 0x7E, 0x7D, 0x7C, 0x7A, 0x7B
local ROUTING, TRACING, AUTHENTICATION = "message/x.rsocket.routing.v0", "message/x.rsocket.tracing-zipkin.v0", "message/x.rsocket.authentication.v0"
local VEILED = {
  ["message/x.rsocket.composite-metadata.v0"] = true, [AUTHENTICATION] = true,
  ["message/x.rsocket.authentication.basic.v0"] = true, ["message/x.rsocket.authentication.bearer.v0"] = true,
}

local function too_short(needed, left) return ("%d bytes needed, %d left"):format(needed, left) end

-- A type by its number, or by a name that has its length in front: both, the place after it, and what is wrong.
local function type_at(content, place)
  local start = content:byte(place)
  if not start then return nil, nil, nil, too_short(1, 0) end
  if start >= 0x80 then return start - 0x80, nil, place + 1 end
  local name = content:sub(place + 1, place + start + 1)
  if #name <= start then return nil, nil, nil, too_short(start + 1, #content - place) end
  return nil, name, place + start + 2, name:find("[\128-\255]") and "not valid ascii" or nil
end

-- The metadata that composite metadata consist of, and the first problem of these.
local function entries_of(metadata)
  local all, problem, place = {}, nil, 1
  while place and place <= #metadata do
    local id, name, behind, wrong = type_at(metadata, place)
    local entry = { id = id, name = name and ascii(name) }
    problem, place = problem or wrong, behind
    if place then
      local a, b, c = metadata:byte(place, place + 2)
      local size = c and (a * 256 + b) * 256 + c
      local left = #metadata - place - 2
      if not size then problem, place = problem or too_short(3, left + 3), nil
      elseif size > left then problem, place = problem or too_short(size, left), nil
      else entry.content, place = metadata:sub(place + 3, place + 2 + size), place + 3 + size end
    end
    all[#all + 1] = entry
  end
  return all, problem
end

-- The types in a content, one after the other, without their parameters.
local function types_in(content)
  local all, place = {}, 1
  while place and place <= #content do
    local id, name, behind = type_at(content, place)
    local said = behind and (name or (names.mime_id or {})[id])
    if said then all[#all + 1] = said:match("^[^;]*"):match("^%s*(.-)%s*$"):lower() end
    place = behind
  end
  return #all > 0 and all or nil
end

-- The types that metadata state of their sender's data on a stream, and those that it accepts; nil where they state none.
function P.types_of_stream(metadata, agreed)
  if not metadata:find("[\250\251]") and not metadata:find("mime-type", 1, true) then return nil, nil end
  local stated = { ["message/x.rsocket.mime-type.v0"] = false, ["message/x.rsocket.accept-mime-types.v0"] = false }
  local metadata_type = (agreed.metadata_mime_type or ""):lower()
  if stated[metadata_type] == false then stated[metadata_type] = types_in(metadata) end
  for _, each in ipairs(metadata_type == "message/x.rsocket.composite-metadata.v0" and entries_of(metadata) or {}) do
    local name = each.name or (names.mime_id or {})[each.id]
    if each.content and name and stated[name] ~= nil then stated[name] = types_in(each.content) or stated[name] end
  end
  return stated["message/x.rsocket.mime-type.v0"] or nil, stated["message/x.rsocket.accept-mime-types.v0"] or nil
end

-- The tags of a route, and the first problem of these.
local function tags_of(content)
  local all, problem, place = {}, nil, 1
  while place <= #content do
    local size = content:byte(place)
    local tag = content:sub(place + 1, place + size)
    if #tag < size then return all, problem or too_short(size, #tag) end
    all[#all + 1], place = tag, place + 1 + size
    if not is_utf8(tag) then problem = problem or "not valid utf-8" end
  end
  return all, problem
end

function P.is_broken(_, metadata)
  local _, problem = entries_of(metadata or "")
  return problem or ""
end

function P.has_unknown_type(_, metadata)
  local found, seen = {}, {}
  for _, each in ipairs(entries_of(metadata or "")) do
    local is_unknown = each.id and not (names.mime_id or {})[each.id] and not seen[each.id]
    if is_unknown then found[#found + 1], seen[each.id] = ("%d"):format(each.id), true end
  end
  return table.concat(found, ", ")
end

function P.is_broken_route(_, metadata)
  local _, problem = tags_of(metadata or "")
  return problem or ""
end

function P.has_broken_route(_, metadata)
  for _, each in ipairs(entries_of(metadata or "")) do
    if each.content and (each.id == ROUTING_ID or each.name == ROUTING) then
      local _, problem = tags_of(each.content)
      if problem then return problem end
    end
  end
  return ""
end

-- The routes of composite metadata.
local function routes_of(metadata)
  local all = {}
  for _, each in ipairs(entries_of(metadata or "")) do
    if each.content and (each.id == ROUTING_ID or each.name == ROUTING) then
      local tags, problem = tags_of(each.content)
      for _, tag in ipairs(problem and {} or tags) do all[#all + 1] = tag end
    end
  end
  return all
end

-- Whether bytes divide into entries of types that are known or well-formed, the first of which is a route or a token.
local function is_composite(metadata)
  if not metadata:find("^[\252\254]") then return false end
  local entries, problem = entries_of(metadata)
  for _, each in ipairs(problem and {} or entries) do
    local is_known = each.id and (names.mime_id or {})[each.id] or each.name and each.name:find("^%a[%w_.+-]*/[%w_.+*;= -]+$")
    problem = not is_known or problem
  end
  return not problem
end

function P.is_other_metadata(_, mime_type, metadata)
  if is_composite(metadata) then return "it is composite metadata" end
  local is_judged = mime_type == "application/json" or mime_type == "application/xml" or mime_type == "text/plain"
  return is_judged and not_of_type(mime_type, metadata) or ""
end

function P.has_mistaken_route(_, metadata)
  for _, route in ipairs(routes_of(metadata)) do
    local found = near.mistaken_name(route)
    if found ~= "" then return near.quote(route) .. ", " .. found end
  end
  return ""
end

function P.is_nearly_served(_, metadata, served)
  local known, is_known = {}, {}
  for _, each in ipairs(near.values(served)) do
    for _, route in ipairs(routes_of(each)) do known[#known + 1], is_known[route] = route, true end
  end
  for _, route in ipairs(routes_of(metadata)) do
    local meant = is_known[route] and "" or near.similar(route, known)
    if meant ~= "" then return "'" .. route .. "', while '" .. meant .. "' is answered" end
  end
  return ""
end

-- A route with a mark in the place of each part that has a digit.
local function without_ids(route)
  return (route:gsub("[^./:]+", function(part) return part:find("%d") and "#" or nil end))
end

function P.differs_in_id(_, metadata, former)
  local now, before = routes_of(metadata), routes_of(former)
  if #now ~= 1 or #before ~= 1 or now[1] == before[1] or without_ids(now[1]) ~= without_ids(before[1]) then return "" end
  return "'" .. before[1] .. "', '" .. now[1] .. "'"
end

-- User, password and token of authentication metadata, the number of their kind, and the first problem.
local function authentication_of(content)
  local id, _, place, problem = type_at(content, 1)
  local found = { id = id }
  if not place then return found, problem end
  local rest = content:sub(place)
  if id == 1 then found.token = rest
  elseif id == 0 then
    local a, b = rest:byte(1, 2)
    for _, each in ipairs({ { 2, b and a * 256 + b }, { 1, a } }) do -- the length has 16 bits, else 8
      local user = each[2] and rest:sub(each[1] + 1, each[1] + each[2])
      local password = user and #user == each[2] and rest:sub(each[1] + each[2] + 1)
      if password and is_utf8(user) and is_utf8(password) then
        found.username, found.password = user, password
        break
      end
    end
    if not found.username then return found, ("no known layout uses up these %d bytes"):format(#rest) end
  end
  for _, name in ipairs({ "username", "password", "token" }) do
    if found[name] and not is_utf8(found[name]) then problem = problem or "not valid utf-8" end
  end
  return found, problem
end

local function is_scheme(text) return text:lower():find("^bearer ") ~= nil or text:lower():find("^basic ") ~= nil end

local function bad_authentication(content)
  if not content or content == "" then return "it is empty" end
  local found, problem = authentication_of(content)
  local is_token = content:find("^eyJ[%w_-]+%.") ~= nil
  local is_bare = is_token or is_scheme(content)
  if problem and not is_bare then return "it is malformed (" .. problem .. ")" end
  if not found.id and is_bare then
    return "it begins with " .. (is_token and "a JSON Web Token" or "the name of a scheme of HTTP") .. " where the type of authentication belongs"
  end
  if found.id and found.id > 1 then return ("type %d is not assigned"):format(found.id) end
  if found.id == 0 then
    local a, b = content:byte(2, 3)
    if not found.username or found.username == "" then return "the user is empty, or the length of its name is wrong" end
    if b and a * 256 + b > #content - 3 then return "the length of the user has 8 bits instead of 16" end
  elseif found.id == 1 then
    if found.token == "" then return "the token is empty" end
    if is_scheme(found.token) then return "the token begins with the name of a scheme of HTTP" end
  end
  return ""
end

function P.has_bad_authentication(_, metadata)
  for _, each in ipairs(entries_of(metadata)) do
    if each.id == AUTHENTICATION_ID or each.name == AUTHENTICATION then
      local found = bad_authentication(each.content)
      if found ~= "" then return found end
    end
  end
  return ""
end

local function mark_of(text)
  if text:find("^%s") or text:find("%s$") then return "has white space at an end, such as the line break of a file" end
  if #text > 1 and text:find("^['\"]") and text:sub(1, 1) == text:sub(-1) then return "is in quotation marks" end
  if text == "undefined" or text == "null" or text == "None" or text:find("^%${") or text:find("^{{") then return "is the text of an unset variable" end
  return text:find("%%%x%x") and "is percent-encoded" or nil
end

function P.has_marked_credentials(_, metadata)
  for _, each in ipairs(entries_of(metadata or "")) do
    if each.content and each.content ~= "" and (each.id == AUTHENTICATION_ID or each.name == AUTHENTICATION) then
      local found, problem = authentication_of(each.content)
      for _, what in ipairs(problem and {} or { "username", "password", "token" }) do
        local mark = found[what] and mark_of(found[what])
        if mark then return "the " .. what .. " " .. mark end
      end
    end
  end
  return ""
end

-- The content of the first entry with authentication.
local function credentials_of(metadata)
  for _, each in ipairs(entries_of(metadata or "")) do if each.id == AUTHENTICATION_ID then return each.content end end
end

function P.repeats_credentials(_, metadata, former)
  local own = credentials_of(former)
  return own ~= nil and own == credentials_of(metadata)
end

function P.has_expired_token(_, metadata, t) return contents.token_fault(metadata, t) end

function P.has_clear_credentials(_, metadata)
  if contents.token_in(metadata) then return "a token" end
  for _, each in ipairs(entries_of(metadata)) do
    local is_one = each.id == AUTHENTICATION_ID or each.name and VEILED[each.name]
    if is_one and each.content and each.content ~= "" then return "authentication metadata" end
  end
  return ""
end

local PASSWORDS = { ['"password"'] = true, ['"passwd"'] = true, ['"pwd"'] = true, ['"client_secret"'] = true }

function P.has_credentials_as_data(_, content)
  content = content:sub(1, 1024)
  if contents.token_in(content) then return "a token" end
  local from = content:find('"', 1, true)
  while from do
    local name, value = content:match('^("[%a_]+") ?: ?"([^"])', from)
    if value and PASSWORDS[name:lower()] then return "a password" end
    from = content:find('"', from + 1, true)
  end
  return ""
end

local ONCE = { { ROUTING_ID, "a route" }, { AUTHENTICATION_ID, "authentication" }, { DATA_TYPE_ID, "a MIME type of its data" } }

function P.has_entry_twice(_, metadata)
  local count = {}
  for _, each in ipairs(entries_of(metadata)) do if each.id then count[each.id] = (count[each.id] or 0) + 1 end end
  for _, each in ipairs(ONCE) do if (count[each[1]] or 0) > 1 then return each[2] end end
  return ""
end

function P.is_name_of_type(_, metadata)
  local name = metadata:gsub("^%z+", ""):gsub("%z+$", "")
  if #name > 1 and name:byte() == #name - 1 then name = name:sub(2) end
  return well_known[name] and "the name " .. name or ""
end

local REFUSALS = { "does not support [%w_]+", "[Uu]nsupported interaction type%S*", "[Uu]nsupported frame type%S*" }

function P.is_another_model(_, model, metadata, served, text)
  local best, found
  for _, pattern in ipairs(REFUSALS) do
    local from, to = (text or ""):find(pattern)
    if from and (not best or from < best) then best, found = from, text:sub(from, to) end
  end
  if found then return "the server says '" .. found .. "'" end
  local asked, least = table.concat(routes_of(metadata), "\0"), nil
  if asked == "" then return "" end
  for _, each in ipairs(near.values(served)) do
    local other, its = near.parts(each)
    if other and table.concat(routes_of(its), "\0") == asked then
      if other == model then return "" end
      least = (not least or other < least) and other or least
    end
  end
  return least and "its route is answered as " .. least or ""
end

-- Entries that cannot be used ----------------------------------------------------------------------

local function hex_of(bytes) return (bytes:gsub(".", function(one) return ("%02x"):format(one:byte()) end)) end

-- The ids of the trace and of the span.
local function context_of_tracing(content)
  local flags = content:byte(1) or 0
  local has_ids, has_parent = flags >= 0x80, flags % 8 >= 4
  local from = flags % 16 >= 8 and 10 or 2
  if not has_ids or #content ~= from + 15 + (has_parent and 8 or 0) then return nil end
  return hex_of(content:sub(from, from + 7)), hex_of(content:sub(from + 8, from + 15))
end

-- What is wrong with the names and numbers of MIME types.
local function wrong_types(id, content)
  local place, problem = 1, nil
  while place and (place <= #content or place == 1 and id == DATA_TYPE_ID) do
    local _, _, behind, wrong = type_at(content, place)
    problem, place = problem or wrong, behind
    if id == DATA_TYPE_ID then break end
  end
  local left = place and id == DATA_TYPE_ID and #content - place + 1 or 0
  return problem or left > 0 and ("%d trailing bytes after the last field"):format(left) or nil
end

-- What is wrong with the length of tracing metadata.
local function wrong_tracing(content)
  local flags = content:byte(1)
  if not flags then return too_short(1, 0) end
  local place = 2
  local sizes = flags >= 0x80 and { flags % 16 >= 8 and 8 or 0, 8, 8, flags % 8 >= 4 and 8 or 0 } or {}
  for _, size in ipairs(sizes) do
    if #content - place + 1 < size then return too_short(size, #content - place + 1) end
    place = place + size
  end
  local left = #content - place + 1
  return left > 0 and ("%d trailing bytes after the last field"):format(left) or nil
end

local function bad_entry(id, content)
  if id == ROUTING_ID then return not content:find("[^%z]") and "the route is empty" or nil end
  local wrong
  if id == TRACING_ID then wrong = wrong_tracing(content) else wrong = wrong_types(id, content) end
  if wrong then return ("0x%x is malformed (%s)"):format(id, wrong) end
  local zero = id == TRACING_ID and contents.context_fault(context_of_tracing(content)) or ""
  return zero ~= "" and "of the tracing metadata " .. zero or nil
end

function P.has_bad_entry(_, metadata)
  local entries = entries_of(metadata)
  for _, id in ipairs({ ROUTING_ID, DATA_TYPE_ID, ACCEPT_ID, TRACING_ID }) do
    for _, each in ipairs(entries) do
      local found = each.id == id and each.content and bad_entry(id, each.content)
      if found then return found end
    end
  end
  for _, each in ipairs(metadata:find("ocket", 1, true) and entries or {}) do
    local is_odd = each.name and not well_known[each.name] and each.name:lower():find("x.rsocket", 1, true)
    if is_odd then return "no type of RSocket has the name " .. each.name end
  end
  return ""
end

-- What other requests have ---------------------------------------------------------------------------

-- The MIME types of the entries of composite metadata, as a set.
local function kinds_of(metadata)
  local all = {}
  for _, each in ipairs(entries_of(metadata)) do
    local kind = each.name and each.name ~= "" and each.name or (names.mime_id or {})[each.id]
    if kind then all[kind] = true end
  end
  return all
end

-- The types of entries that all others have, and some metadata has not.
local function missing(metadata, others)
  local own, lacks = kinds_of(metadata), {}
  for kind in pairs(others[1] and kinds_of(others[1]) or {}) do
    local is_common = not own[kind]
    for nth = 2, is_common and #others or 0 do is_common = is_common and kinds_of(others[nth])[kind] end
    if is_common then lacks[#lacks + 1] = kind end
  end
  table.sort(lacks)
  return table.concat(lacks, " and no ")
end

function P.lacks_entry(_, metadata, served) return missing(metadata, near.values(served)) end

function P.lacks_usual(_, metadata, traced, limit)
  local earlier = {}
  for nth, each in ipairs(near.values(traced)) do earlier[nth] = select(2, near.parts(each)) end
  return #earlier >= limit - 1 and missing(metadata, earlier) or ""
end

-- The ids of the trace and of the span of a request, of whatever kind, as a pair.
local function context_of(metadata)
  if metadata:find("\253", 1, true) or metadata:find("tracing", 1, true) then
    for _, each in ipairs(entries_of(metadata)) do
      local is_one = each.id == TRACING_ID or each.name == TRACING
      if is_one and each.content and each.content ~= "" then
        return { context_of_tracing(each.content) }
      end
    end
  end
  return { contents.trace_context(metadata) }
end

function P.has_constant_trace(_, metadata, traced, limit)
  if not metadata:find("[\253-]") and not metadata:find("trac", 1, true) then return "" end
  local all, seen, contexts = near.values(traced), {}, {}
  for nth = math.max(1, #all - limit + 2), #all do
    local _, own, content = near.parts(all[nth])
    local key = f.member(own, content)
    if seen[key] then return "" end
    seen[key], contexts[#contexts + 1] = true, context_of(own)
  end
  contexts[#contexts + 1] = context_of(metadata)
  return contents.constant_context(contexts, limit)
end

-- Texts of errors ------------------------------------------------------------------------------------

-- The second part of the first of some pairs whose pattern matches.
local function first_match(pairs_of, text)
  for _, each in ipairs(pairs_of) do if search(each[1], text) then return each[2] end end
end

function P.has_trace(_, text)
  local language = first_match(tables.traces, text)
  if language then return "a stack trace of " .. language end
  return search(tables.credentials, text) and "credentials" or ""
end

function P.has_query(_, text)
  return P.has_trace("", text) == "" and search(tables.queries, text) and "a query or the error of a database" or ""
end

function P.says_nothing(_, text) return is_match(tables.nothing, (text:match("^%s*(.-)%s*$"))) end

function P.lacks_handler(_, text) return is_match(tables.unimplemented, (text:match("^%s*(.-)%s*$"))) end

function P.names_reason(_, text) return first_match(tables.reasons, text:sub(1, tables.longest_reason)) or "" end

-- The order of items ---------------------------------------------------------------------------------

-- The numbers in data, and the data with a mark in the place of each.
local function numbered(content)
  local numbers = {}
  local shape = content:gsub("%d+", function(run)
    local marks = 0
    for from = 1, #run, tables.digits do
      numbers[#numbers + 1], marks = tonumber(run:sub(from, from + tables.digits - 1)), marks + 1
    end
    return ("#"):rep(marks)
  end)
  return numbers, shape
end

local function step(before, now)
  if now == before then return ("the number %.0f a second time"):format(now) end
  return ("the number %.0f after %.0f"):format(now, before)
end

-- Whether numbers between two places count up.
local function counts_up(numbers, from, to)
  for nth = from + 1, to do if numbers[nth] ~= numbers[nth - 1] + 1 then return false end end
  return true
end

-- The last two numbers if all are those of a range, in another order.
local function mixed_up(numbers)
  local size, least, most, seen = #numbers, math.huge, -math.huge, {}
  for _, each in ipairs(numbers) do
    if seen[each] then return "" end
    seen[each], least, most = true, math.min(least, each), math.max(most, each)
  end
  local falls = size >= tables.mixed and size == most - least + 1 and numbers[size] < numbers[size - 1]
  return falls and step(numbers[size - 1], numbers[size]) or ""
end

function P.breaks_order(_, _, content, firsts, in_order)
  local earlier, alike = near.values(firsts), {}
  local numbers, shape = numbered(content)
  local before = numbered(select(2, near.parts(earlier[#earlier])))
  for nth = 1, math.min(#before, #numbers) do if before[nth] + 1 == numbers[nth] then return "" end end
  for nth = math.max(1, #earlier - tables.compared + 1), #earlier do
    local its, its_shape = numbered(select(2, near.parts(earlier[nth])))
    if its_shape == shape then alike[#alike + 1] = its end
  end
  if #numbers == 0 or #alike < in_order then return "" end
  alike[#alike + 1] = numbers
  local rows, last = {}, #alike
  for place, number in ipairs(numbers) do
    local row = {}
    for nth, each in ipairs(alike) do row[nth] = each[place] end
    if number < tables.large then rows[#rows + 1] = row end
  end
  local is_carried = false
  for _, row in ipairs(rows) do
    local now, former = row[last], row[last - 1]
    if counts_up(row, last - in_order, last - 1) then
      local is_new = now == 0 or now == 1 or now == row[1] or now == former + 1
      return not is_carried and not is_new and step(former, now) or ""
    end
    is_carried = is_carried or now ~= former
  end
  for _, row in ipairs(rows) do
    local found = mixed_up(row)
    if found ~= "" then return found end
  end
  return ""
end

-- Refused credentials, and streams that are not requested again, as in `answer_predicates.py` ----------------------------

function P.refuses_credentials(columns, text)
  local reason = P.names_reason(columns, text)
  return reason:sub(1, #tables.own_credentials) == tables.own_credentials and reason or ""
end

-- A request without its numbers.
local function shape_of(name, route, content) return name .. "\0" .. (route or "") .. "\0" .. content:gsub("%d+", "#") end

function P.leaves_out(_, lost, again)
  local is_kept, requests, shapes, missing = {}, {}, {}, {}
  for _, each in ipairs(near.values(again)) do is_kept[shape_of(near.parts(each))] = true end
  for _, each in ipairs(near.values(lost)) do
    local shape = shape_of(near.parts(each))
    if not requests[shape] then shapes[#shapes + 1] = shape end
    requests[shape] = each
  end
  for _, shape in ipairs(shapes) do if not is_kept[shape] then missing[#missing + 1] = requests[shape] end end
  if #missing == 0 or #missing == #shapes then return "" end
  local name, _, content = near.parts(missing[1])
  local shown = content:find("^[ -~]+$") and " of '" .. content .. "'" or ""
  return name .. shown .. (#missing > 1 and (" and %d more"):format(#missing - 1) or "")
end

-- Answers with the value of another request, as in `answer_predicates.py` ------------------------------------------------

local function is_key(value)
  if type(value) == "string" then return true end
  return type(value) == "number" and math.abs(value) < tables.large_key and value == math.floor(value)
end

-- The texts and whole numbers of a JSON object by their names.
local function members_of(content)
  local found, members = contents.object(content), { names = {}, of = {} }
  for _, name in ipairs(found and found.names or {}) do
    if is_key(found.of[name]) then members.names[#members.names + 1], members.of[name] = name, found.of[name] end
  end
  return members
end

-- The name of a value in an answer that is not its request's, but another's.
local function foreign_name(pair, asked)
  for _, name in ipairs(pair.given.names) do
    local value, wanted = pair.given.of[name], pair.wanted.of[name]
    if wanted ~= nil and wanted ~= value then
      for _, other in ipairs(asked) do
        if other.n ~= pair.n and math.abs(other.t - pair.t) < tables.asked_at_once and other.members.of[name] == value then return name end
      end
    end
  end
end

local function pair_of(n, t, question, content)
  return { n = tonumber(n), t = tonumber(t), wanted = members_of(question or ""), given = members_of(content or "") }
end

function P.belongs_to_another(_, n, t, question, content, questions, replied, least)
  local asked, others, is_repeated, own = {}, 1, false, pair_of(n, t, question, content)
  for nth, each in ipairs(near.values(questions)) do
    local its_n, its_t, its = near.parts(each)
    asked[nth] = { n = tonumber(its_n), t = tonumber(its_t), members = members_of(its or "") }
  end
  local name = foreign_name(own, asked)
  if not name then return "" end
  for _, each in ipairs(near.values(replied)) do
    local pair = pair_of(near.parts(each))
    if foreign_name(pair, asked) == name then others = others + 1 end
    local wanted = pair.wanted.of[name]
    is_repeated = is_repeated or wanted ~= nil and wanted == pair.given.of[name]
  end
  if others < least or not is_repeated then return "" end
  return ("%s %s in place of %s"):format(name, contents.shown(own.given.of[name], #content), contents.shown(own.wanted.of[name], #question))
end

return P
