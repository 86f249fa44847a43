-- Predicates of rules, as in `predicates.py` and `request_predicates.py`: the names of the columns, then their values. What
-- they give is what they found; it is empty where the condition does not hold.

local P = {}

local DEFAULT_SEGMENT = 500000000
local SECONDS = { Y = 31536000, M = 2592000, D = 86400, h = 3600, m = 60, s = 1 }
local HOUR, LONG = 3600, 20 * 31536000
local SMALL_SEGMENT, SMALL_STREAM = 10000, 10000
local NO_BROKER = 65535 -- a leader's reference where there is none
local NO_STREAM = 2 -- the response code of a stream that does not exist
local PROPERTIES = { "single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier" }
local OF_CREATE = {
  "max-length-bytes", "max-age", "stream-max-segment-size-bytes", "initial-cluster-size", "queue-leader-locator",
  "stream-filter-size-bytes",
}
local CLIENT_PROPERTIES = { "connection_name", "product", "version", "platform", "information", "copyright" }

local function is_among(value, list)
  for _, each in ipairs(list) do if each == value then return true end end
  return false
end

-- Pairs of a map, without null values.
local function pairs_of(map)
  local all = {}
  for _, each in ipairs(map or {}) do if type(each.key) == "string" and type(each.value) == "string" then all[#all + 1] = each end end
  return all
end

local function by_key(map)
  local found = {}
  for _, each in ipairs(pairs_of(map)) do found[each.key] = each.value end
  return found
end

-- A time with its unit: the number, and the seconds of one.
local function age_of(text)
  local count, unit = (text or ""):match("^(%d+)([YMDhms])$")
  if not count or #count > 18 then return nil end
  return tonumber(count) + 0.0, SECONDS[unit]
end

function P.has_bad_argument(_, arguments)
  local given = by_key(arguments)
  local age, size = given["max-age"], given["stream-filter-size-bytes"]
  if age and age:find("^%d") and not age_of(age) then
    return "max-age is " .. near.quote(age) .. ", without one of the units Y, M, D, h, m, s"
  end
  local number = near.number(size)
  if size and not (number and number >= 16 and number <= 255) then
    return "stream-filter-size-bytes is " .. near.quote(size) .. ", not 16 to 255"
  end
  for _, name in ipairs({ "initial-cluster-size", "stream-max-segment-size-bytes" }) do
    if near.number(given[name]) == 0 then return name .. " is 0" end
  end
  return ""
end

function P.is_below_a_segment(_, arguments)
  local given = by_key(arguments)
  local most, segment = near.number(given["max-length-bytes"]), near.number(given["stream-max-segment-size-bytes"]) or DEFAULT_SEGMENT
  if not most or most <= 0 or most >= segment then return "" end
  return "max-length-bytes is " .. near.grouped(most) .. ", a segment " .. near.grouped(segment) .. " bytes"
end

function P.is_within_a_segment(_, arguments)
  local given = by_key(arguments)
  local age, seconds = age_of(given["max-age"])
  local segment = near.number(given["stream-max-segment-size-bytes"]) or DEFAULT_SEGMENT
  if not age or age == 0 or age * seconds > HOUR or segment < DEFAULT_SEGMENT then return "" end
  return "max-age is " .. given["max-age"] .. ", and segments have " .. near.grouped(segment) .. " bytes"
end

function P.has_odd_magnitude(_, arguments)
  local given = by_key(arguments)
  local age, seconds = age_of(given["max-age"])
  if age and age * seconds > LONG then return "max-age is " .. given["max-age"] .. ", which is over 20 years" end
  local segment, length = near.number(given["stream-max-segment-size-bytes"]), near.number(given["max-length-bytes"])
  if segment and segment > 0 and segment < SMALL_SEGMENT then
    return "stream-max-segment-size-bytes is " .. near.grouped(segment) .. ": a file for each few messages"
  end
  if length and length > 0 and length < SMALL_STREAM then return "max-length-bytes is " .. near.grouped(length) .. ", less than a few messages" end
  return ""
end

-- Whether data is the Base64 of a message of PLAIN.
local function is_encoded(message)
  local text, padding = message:match("^([%w+/]+)(=*)$")
  if not text or #text < 8 or #padding > 2 or #message % 4 ~= 0 then return false end
  local bits, held, zeros = 0, 0, 0
  for place = 1, #text do
    local value = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):find(text:sub(place, place), 1, true) - 1
    held, bits = held * 64 + value, bits + 6
    if bits >= 8 then
      bits = bits - 8
      if math.floor(held / 2 ^ bits) == 0 then zeros = zeros + 1 end
      held = held % math.floor(2 ^ bits)
    end
  end
  return zeros == 2
end

function P.is_not_plain(_, message)
  if not message or message == "" then return "is empty" end
  local _, zeros = message:gsub("%z", "")
  if zeros == 2 then return message:find("^[^%z]*%z%z") and "has no user" or "" end
  if is_encoded(message) then return "is the Base64 of such a message" end
  return "has " .. zeros .. " zero byte" .. (zeros == 1 and "" or "s") .. " instead of 2"
end

function P.is_percent_encoded(_, host)
  if not host or not host:find("%%%x%x") then return "" end
  return (host:gsub("%%(%x%x)", function(two)
    local code = tonumber(two, 16)
    return code < 128 and string.char(code) or string.char(192 + math.floor(code / 64), 128 + code % 64)
  end))
end

-- A name with a mark in the place of each number and UUID.
local function without_numbers(name) return (name:gsub("[%x-]+", function(run) return run:find("^%a+$") and run or "#" end)) end

local function differing(one, other)
  local are_names = type(one) == "string" and type(other) == "string" and one ~= "" and other ~= ""
  return are_names and without_numbers(one) == without_numbers(other) and ("'%s' and '%s'"):format(one, other) or ""
end

function P.has_generated_name(_, properties, latest)
  for _, each in ipairs(properties or {}) do if each.key == "name" then return differing(latest, each.value) end end
  return ""
end

function P.has_generated_reference(_, reference, latest) return differing(latest, reference) end

function P.are_of_one_program(_, known)
  local all, stem = near.values(known), nil
  for _, each in ipairs(all) do
    local own = f.program(each)
    if own == each or is_among(own, all) or stem and own ~= stem then return "" end
    stem = own
  end
  return #all > 1 and ("'%s', '%s'"):format(all[#all - 1], all[#all]) or ""
end

function P.has_mistaken_name(columns, ...)
  local nth = 0
  for column in columns:gmatch("%S+") do
    nth = nth + 1
    local value = select(nth, ...)
    for _, name in ipairs(type(value) == "table" and value or { value }) do
      local found = near.mistaken_name(name)
      if found ~= "" then return "the " .. column:match("[^.]*$"):gsub("_", " ") .. " " .. near.quote(name) .. ", " .. found end
    end
  end
  return ""
end

function P.has_mistaken_property(_, properties)
  for _, each in ipairs(pairs_of(properties)) do
    local found = near.mistaken_name(each.value)
    if found ~= "" then return "the property " .. each.key .. " of " .. near.quote(each.value) .. ", " .. found end
  end
  return ""
end

local function foreign_key(map, known)
  for _, each in ipairs(pairs_of(map)) do
    local bare = each.key:match("^x%-(.*)$")
    if bare and not is_among(each.key, known) then
      local meant = is_among(bare, known) and bare or near.similar(bare, known)
      if meant ~= "" then return each.key .. ", which may be meant as " .. meant end
    end
  end
  return ""
end

function P.has_foreign_property(_, properties) return foreign_key(properties, PROPERTIES) end

function P.has_foreign_argument(_, arguments) return foreign_key(arguments, OF_CREATE) end

function P.has_misspelt_property(_, properties)
  local keys = {}
  for _, each in ipairs(pairs_of(properties)) do keys[#keys + 1] = each.key end
  for _, each in ipairs(keys) do
    local meant = is_among(each, CLIENT_PROPERTIES) and "" or near.similar(each, CLIENT_PROPERTIES)
    if meant ~= "" and not is_among(meant, keys) then return "'" .. each .. "', which may be meant as " .. meant end
  end
  return ""
end

local SECRET_KEYS = { "passw", "secret", "token", "api.?key", "credential" }

function P.has_credentials(_, properties)
  for _, each in ipairs(pairs_of(properties)) do
    for _, sign in ipairs(each.value ~= "" and SECRET_KEYS or {}) do
      if each.key:lower():find(sign) then return "the property '" .. each.key .. "'" end
    end
    if each.value:find("://[^/%s:@]*:[^/%s@]+@") then return "a URI with a password in the property '" .. each.key .. "'" end
  end
  return ""
end

function P.has_key_twice(_, ...)
  local found = {}
  for nth = 1, select("#", ...) do
    for _, each in ipairs(pairs_of((select(nth, ...)))) do
      if found[each.key] and found[each.key] ~= each.value then return "'" .. each.key .. "'" end
      found[each.key] = found[each.key] or each.value
    end
  end
  return ""
end

function P.has_odd_filter(_, properties)
  local filters, count, unfiltered, is_twice = {}, 0, false, false
  for _, each in ipairs(pairs_of(properties)) do
    if each.key:find("^filter%.") then is_twice, count, filters[each.value] = is_twice or filters[each.value], count + 1, true end
    unfiltered = unfiltered or each.key == "match-unfiltered" and each.value == "true"
  end
  if count == 0 and unfiltered then return "match-unfiltered is true, and there is no filter" end
  if filters[""] then return "a filter is empty" end
  return is_twice and "a filter is given twice" or ""
end

function P.has_odd_partitions(_, name, partitions, keys)
  for _, each in ipairs({ { "the partition ", partitions }, { "the binding key ", keys } }) do
    local seen = {}
    for _, one in ipairs(each[2] or {}) do seen[one] = (seen[one] or 0) + 1 end
    local twice
    for _, one in ipairs(each[2] or {}) do twice = twice or seen[one] > 1 and one or nil end
    if twice and twice ~= "" then return each[1] .. twice .. " comes twice" end
  end
  return is_among(name, partitions or {}) and "a partition has the name " .. name .. " of the super stream" or ""
end

function P.has_odd_versions(_, commands)
  for _, each in ipairs(commands or {}) do
    local least, most = each.min_version, each.max_version
    if least and most and (least > most or most == 0) then
      return "versions " .. digits(least) .. " to " .. digits(most) .. " of command " .. digits(each.key)
    end
  end
  return ""
end

function P.has_marked_credentials(_, message)
  local user, password = (message or ""):match("^[^%z]*%z([^%z]*)%z([^%z]*)$")
  for _, each in ipairs(user and { { "the user", user }, { "the password", password } } or {}) do
    local what, value = each[1], each[2]
    if value:find("^[ \t-\r]") or value:find("[ \t-\r]$") then return what .. " has white space at an end, such as the line break of a file" end
    if value:find("^['\"]") and value:sub(1, 1) == value:sub(-1) then return what .. " is in quotation marks" end
    if value:find("%%%x%x") then return what .. " is percent-encoded" end
    if value == "undefined" or value == "null" or value == "None" or value:find("^%${") then return what .. " is the text of an unset variable" end
  end
  return ""
end

function P.has_marked_host(_, host)
  host = host or ""
  if host == "" then return "it is empty; the default one is /" end
  if #host > 1 and host:find("^/") then
    local bare = host:gsub("^/+", "")
    return "it begins with a slash: it may be meant as " .. (bare == "" and "/" or bare)
  end
  return near.mistaken_name(host)
end

function P.is_nearly_known(_, name, known) return near.similar(name or "", near.values(known)) end

function P.has_nearly_known(_, streams, known)
  for _, each in ipairs(streams or {}) do
    local meant = each.response_code == NO_STREAM and near.similar(each.stream_name, near.values(known)) or ""
    if meant ~= "" then return each.stream_name .. "; a stream " .. meant end
  end
  return ""
end

function P.is_nearly_written(_, stream, written, read_there)
  local others = {}
  for _, each in ipairs(near.values(written)) do if not f.has(read_there, each) then others[#others + 1] = each end end
  return near.similar(stream or "", others)
end

function P.has_mistaken_filter(_, filters) return near.first_mistaken_name(filters) end

-- Tokens ---------------------------------------------------------------------------------------------------------

function P.has_expired_token(_, message, t) return contents.token_fault(message or "", t) end

local CLOSED_EARLY = 1e9 -- ns before the end of a token at which brokers may close already

function P.has_run_out(_, token, since, t)
  local late = contents.expiry(token or "", t + CLOSED_EARLY)
  return late ~= "" and contents.expiry(token or "", since) == "" and late or ""
end

-- Placement ------------------------------------------------------------------------------------------------------

function P.refers_to_no_broker(_, references, leaders, replicas)
  local known, strange, numbers = { [NO_BROKER] = true }, {}, {}
  for _, each in ipairs(references or {}) do known[each] = true end
  for _, all in ipairs({ leaders or {}, replicas or {} }) do
    for _, each in ipairs(all) do
      if not known[each] then known[each], strange[#strange + 1] = true, each end
    end
  end
  table.sort(strange)
  for index, each in ipairs(strange) do numbers[index] = digits(each) end
  return table.concat(numbers, ", ")
end

-- Address and port of a server.
local function ends_of(server) return (server:match("^(.*):") or ""):gsub("[%[%]]", ""), server:match("[^:]*$") end

function P.is_another_host(_, host, server)
  if type(host) ~= "string" or type(server) ~= "string" then return false end
  local dialled = ends_of(server)
  if host:find("^%d+%.%d+%.%d+%.%d+$") or host:find(":", 1, true) then return host:lower() ~= dialled:lower() end
  if dialled:find("^127%.") or dialled == "::1" then return host ~= "localhost" end
  return not host:find(".", 1, true)
end

function P.is_port_dialled(_, port, server)
  if type(server) ~= "string" or port == nil then return false end
  local _, dialled = ends_of(server)
  return dialled == digits(port)
end

local function nodes_of(brokers)
  local nodes = {}
  for _, each in ipairs(brokers or {}) do
    if each.reference and each.host and each.port then nodes[each.reference] = each end
  end
  return nodes
end

function P.is_on_leader(_, brokers, leader, host, port)
  local node = leader and nodes_of(brokers)[leader]
  return node ~= nil and node.host == host and node.port == port
end

function P.is_beside_leader(_, brokers, leader, host, port)
  local nodes, is_member = nodes_of(brokers), false
  for _, each in pairs(nodes) do is_member = is_member or each.host == host and each.port == port end
  local node = leader and nodes[leader]
  if not node or not is_member or node.host == host and node.port == port then return "" end
  return node.host .. ":" .. digits(node.port)
end

return P
