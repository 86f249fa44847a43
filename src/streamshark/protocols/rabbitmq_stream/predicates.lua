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

-- Messages of AMQP 1.0 ----------------------------------------------------------------------------------------------

local HEADER, PROPERTIES_LIST, APPLICATION, DATA, VALUE = 0x70, 0x73, 0x74, 0x75, 0x77 -- codes of sections
local MARKED = { [0x71] = true, [0x72] = true, [APPLICATION] = true } -- annotations and application properties
local MESSAGE_ID, USER_ID, CONTENT_TYPE, EXPIRES, CREATED = 0, 1, 6, 8, 9 -- places in the list of properties
local TTL, PRIORITY, USUAL_PRIORITY = 2, 1, "4" -- places in the header, and the priority of a message without one
local TIMESTAMP, MOST_ITEMS, MOST_KNOWN = 0x83, 64, 1024

local function high_half(byte) return math.floor(byte / 16) end

-- A number of as many bytes as there are between two places.
local function number_at(bytes, from, to)
  local found = 0
  for place = from, math.min(to, #bytes) do found = found * 256 + bytes:byte(place) end
  return found
end

-- A number of up to eight bytes in decimal digits.
local function decimal(bytes)
  local plain = bytes:gsub("^%z+", "")
  if #plain < 7 then return ("%.0f"):format(number_at(plain, 1, #plain)) end
  local figures = { 0 } -- the last one first
  for place = 1, #plain do
    local carry = plain:byte(place)
    for nth = 1, #figures do
      carry = carry + figures[nth] * 256
      figures[nth], carry = carry % 10, math.floor(carry / 10)
    end
    while carry > 0 do figures[#figures + 1], carry = carry % 10, math.floor(carry / 10) end
  end
  return (table.concat(figures):reverse():gsub("%.0", ""))
end

-- Bytes of a value with its constructor; of an unknown one all that follows.
local function size_at(message, place)
  local kind = high_half(message:byte(place))
  if tables.fixed[kind] then return 1 + tables.fixed[kind] end
  local counted = tables.counted[kind]
  return counted and 1 + counted + number_at(message, place + 1, place + counted) or #message
end

-- The sections of a message, each with its code and its value with its constructor: several rules ask for those of one message.
local known_sections, known_count = {}, 0

local function sections_of(message)
  local all = known_sections[message]
  if all then return all end
  if known_count >= MOST_KNOWN then known_sections, known_count = {}, 0 end
  all = {}
  local place = 1
  while message:sub(place, place + 1) == "\0\83" and place + 2 <= #message do
    local behind = place + 3 + (place + 3 <= #message and size_at(message, place + 3) or 0)
    all[#all + 1] = { code = message:byte(place + 2), value = message:sub(place + 3, behind - 1) }
    place = behind
  end
  known_sections[message], known_count = all, known_count + 1
  return all
end

-- The items of a list or map, each with its constructor.
local function items_of(value)
  local width = tables.compound[value:byte() or 0]
  local all, place = {}, 2 + 2 * (width or 0)
  while width and place <= #value and #all < MOST_ITEMS do
    local behind = place + size_at(value, place)
    all[#all + 1], place = value:sub(place, behind - 1), behind
  end
  return all
end

-- The text, bytes or decimal number of an item; nothing of all others.
local function scalar_of(item)
  local constructor = item and item:byte()
  if not constructor then return "" end
  local kind = high_half(constructor)
  if kind == 0xA or kind == 0xB then return item:sub(2 + tables.counted[kind]) end
  local is_number = kind >= 5 and kind <= 8 and constructor ~= 0x72 and constructor ~= 0x82 and constructor ~= TIMESTAMP
  if is_number then return decimal(item:sub(2)) end
  return kind == 9 and (item:sub(2):gsub(".", function(one) return ("%02x"):format(one:byte()) end)) or ""
end

-- What the sections of a message are: items of the header and of the properties, values of annotations and application
-- properties, and the body.
local function parts_of(message)
  local sections = sections_of(message)
  if sections.parts then return sections.parts end
  local found = { header = {}, properties = {}, marks = {}, body = message:sub(1, 2) == "\0\83" and "" or message }
  for _, each in ipairs(sections) do
    local is_text = each.value:find("^[\161\177]")
    if each.code == HEADER then found.header = items_of(each.value)
    elseif each.code == PROPERTIES_LIST then found.properties = items_of(each.value)
    elseif MARKED[each.code] then
      for nth, item in ipairs(items_of(each.value)) do
        if nth % 2 == 0 then found.marks[#found.marks + 1] = item end
      end
    elseif each.code == DATA or each.code == VALUE and is_text then found.body = scalar_of(each.value) end
  end
  sections.parts = found
  return found
end

local function property(parts, place) return parts.properties[place + 1] end

-- A time in milliseconds, and its digits; nil for another value.
local function time_of(item)
  if not item or #item ~= 9 or item:byte() ~= TIMESTAMP then return nil end
  local bytes = item:sub(2)
  if bytes:byte() < 128 then return number_at(bytes, 1, 8), decimal(bytes) end
  local negated = bytes:gsub(".", function(one) return string.char(255 - one:byte()) end)
  local value = -number_at(negated, 1, 8) - 1
  return value, ("%.0f"):format(value)
end

-- The messages that are known of a publisher or subscription.
local function messages_in(values)
  local all = {}
  for _, each in ipairs(values) do
    local _, message = near.parts(each)
    if message and message ~= "" then all[#all + 1] = message end
  end
  return all
end

local function samples_of(samples) return near.made_of(samples, messages_in) end

-- The first messages of a frame, or those that are known of one side.
local function messages_of(columns, given)
  if not columns:find("^published_messages") then return samples_of(given) end
  local all = {}
  for nth, each in ipairs(given or {}) do
    if nth > tables.few then break end
    if each.message and each.message ~= "" then all[#all + 1] = each.message end
  end
  return all
end

-- The first that is found in some messages.
local function first_in(messages, find_in)
  for _, message in ipairs(messages) do
    local found = find_in(message)
    if found and found ~= "" then return found end
  end
  return ""
end

function P.has_sections_out_of_order(_, entries)
  for _, entry in ipairs(entries or {}) do
    if entry.message then
      local former
      for _, each in ipairs(sections_of(entry.message)) do
        local code = each.code
        if code < 0x70 or code > 0x78 then break end
        local is_again = code == former and code ~= DATA and code ~= 0x76
        if former and (code < former or is_again) then return tables.sections[code] .. " after " .. tables.sections[former] end
        former = code
      end
      return ""
    end
  end
  return ""
end

local function ascii(text) return (text:gsub("[\128-\255]", "\239\191\189")) end

function P.is_not_announced(columns, entries)
  return first_in(messages_of(columns, entries), function(message)
    local kind, encoding = "", ""
    for _, each in ipairs(sections_of(message)) do
      if each.code == PROPERTIES_LIST then
        local own = items_of(each.value)
        kind, encoding = ascii(scalar_of(own[CONTENT_TYPE + 1])), ascii(scalar_of(own[CONTENT_TYPE + 2]))
      elseif (each.code == DATA or each.code == VALUE) and (kind ~= "" or encoding ~= "") then
        local found = contents.differs(kind, encoding, scalar_of(each.value))
        if found ~= "" then return found end
      end
    end
  end)
end

-- In which unit a value is near a time, though it is not in milliseconds.
local function unit_of(value, now, near_by)
  local is_fine = value <= 0 or value >= tables.milliseconds[1] and value < tables.milliseconds[2]
  if is_fine or math.abs(value - now) < math.max(near_by, tables.year * 20) then return nil end
  for _, unit in ipairs(tables.units) do
    if math.abs(math.floor(value * unit[2] / unit[3]) - now) < near_by then return unit[1] end
  end
end

local function wrong_time(parts, now)
  local created, created_digits = time_of(property(parts, CREATED))
  local expires, expires_digits = time_of(property(parts, EXPIRES))
  local all = {
    { "creation-time", created, created_digits, tables.year * 20 }, { "absolute-expiry-time", expires, expires_digits, tables.year },
  }
  for _, each in ipairs(parts.marks) do
    local value, figures = time_of(each)
    all[#all + 1] = { "a timestamp of an annotation or property", value, figures, tables.day }
  end
  for _, each in ipairs(all) do
    local unit = each[2] and unit_of(each[2], now, each[4])
    if unit then return each[1] .. " is " .. each[3] .. ", which would be " .. unit end
  end
  if created == 0 then return "creation-time is 0, the first of January 1970" end
  if created and created < -1900 * tables.year then
    return "creation-time is " .. created_digits .. ", the year 1: a date that was never set"
  end
  if expires and expires >= 0 and expires < tables.year then
    return "absolute-expiry-time is " .. expires_digits .. ", which is a duration and no time"
  end
end

local function milliseconds(t) return math.floor(t / 1e6) end

function P.has_wrong_time(columns, given, t)
  return first_in(messages_of(columns, given), function(message) return wrong_time(parts_of(message), milliseconds(t)) end)
end

function P.has_future_time(columns, given, t)
  local now = milliseconds(t)
  return first_in(messages_of(columns, given), function(message)
    local created = time_of(property(parts_of(message), CREATED))
    local is_ahead = created and created - now > tables.ahead and created - now < 2 * tables.day
    return is_ahead and ("%.0f minutes"):format((created - now) / 60000)
  end)
end

-- Whether data is divided into sections, the last of which is a body.
local function is_message(content)
  local length, last = 0, 0
  for _, each in ipairs(sections_of(content)) do length, last = length + 3 + #each.value, each.code end
  return length == #content and last >= DATA and last <= VALUE
end

function P.has_mistaken_body(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local body = parts_of(message).body
    if body:sub(1, 2) == "\0\83" and is_message(body) then return tables.twice end
    return contents.mistaken(body)
  end)
end

function P.has_mistaken_delivery(columns, given, version)
  local found, release = P.has_mistaken_body(columns, given), f.release(version)
  local is_converted = found == tables.twice and (not release or release < tables.converting)
  return is_converted and "" or found
end

function P.has_odd_content_type(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local kind = as_utf8(scalar_of(property(parts_of(message), CONTENT_TYPE)))
    local bare = kind:match("^[^;]*"):match("^%s*(.-)%s*$")
    if bare == "" or is_among(bare:lower(), tables.types) then return nil end
    if not bare:gsub("^/+", ""):gsub("/+$", ""):find("/", 1, true) then
      return near.quote(kind) .. ", which is not of the form type/subtype"
    end
    local meant = near.similar(bare, tables.types)
    local is_own = bare:find("^application/x%-") or bare:find("^x%-")
    return meant ~= "" and not is_own and near.quote(kind) .. ", which may be meant as " .. meant
  end)
end

function P.has_another_user(columns, given, user)
  return first_in(messages_of(columns, given), function(message)
    local named = as_utf8(scalar_of(property(parts_of(message), USER_ID)))
    return user and user ~= "" and named ~= "" and named ~= user and "'" .. named .. "'"
  end)
end

-- A number of the header, as its digits.
local function in_header(parts, place)
  local found = scalar_of(parts.header[place + 1])
  return #found <= 20 and found:match("^0*(%d+)$") or nil
end

function P.has_time_to_live(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local parts = parts_of(message)
    local ttl, expires = in_header(parts, TTL), time_of(property(parts, EXPIRES))
    if ttl then return "a ttl of " .. near.grouped(ttl) .. " ms" end
    return expires and expires ~= 0 and "an absolute-expiry-time"
  end)
end

function P.has_priority(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local priority = in_header(parts_of(message), PRIORITY)
    return priority and priority ~= USUAL_PRIORITY and "the priority " .. priority
  end)
end

-- Keys of annotations and application properties, each with its bytes and the number of its section.
local function keys_of(message)
  local all = {}
  for section, each in ipairs(sections_of(message)) do
    for nth, item in ipairs(MARKED[each.code] and items_of(each.value) or {}) do
      if nth % 2 == 1 then all[#all + 1] = { item = item, section = section } end
    end
  end
  return all
end

function P.has_foreign_mark(columns, given)
  return first_in(messages_of(columns, given), function(message)
    for _, each in ipairs(keys_of(message)) do
      local key = as_utf8(scalar_of(each.item))
      if tables.foreign[key] then return key .. ", " .. tables.foreign[key] end
    end
  end)
end

function P.has_repeated_key(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local count = {}
    local keys = keys_of(message)
    for _, each in ipairs(keys) do
      each.id = each.section .. " " .. each.item
      count[each.id] = (count[each.id] or 0) + 1
    end
    for _, each in ipairs(keys) do if count[each.id] > 1 then return "'" .. as_utf8(scalar_of(each.item)) .. "'" end end
  end)
end

function P.has_no_body(columns, given)
  return first_in(messages_of(columns, given), function(message)
    local shown = {}
    for nth, each in ipairs(sections_of(message)) do
      if each.code >= DATA and each.code <= VALUE then return nil end
      shown[nth] = tables.sections[each.code] or ("section 0x%x"):format(each.code)
    end
    return table.concat(shown, " and ")
  end)
end

function P.has_text_of_bytes(columns, given)
  local found = ""
  for _, message in ipairs(messages_of(columns, given)) do
    local body = parts_of(message).body
    if body ~= "" then
      found = contents.text_of_bytes(body)
      if found == "" then return "" end
    end
  end
  return found
end

-- Several messages -------------------------------------------------------------------------------------------------

local function kind_of_body(message)
  for _, each in ipairs(sections_of(message)) do
    if each.code >= DATA and each.code <= VALUE then return tables.sections[each.code] end
  end
end

local ENDS = { ["{}"] = "JSON", ["[]"] = "JSON", ["<>"] = "XML" }

-- What a body begins and ends like: JSON, XML, or bytes; plain text may be anything.
local function content_of_body(message)
  local body = parts_of(message).body:match("^%s*(.-)%s*$")
  local found = body ~= "" and ENDS[body:sub(1, 1) .. body:sub(-1)]
  if found then return #body > 1 and found or nil end
  return body ~= "" and not f.multibyte(body) and body:find("[\128-\255]") and "bytes" or nil
end

-- The first two kinds of some messages that differ.
local function two_kinds(messages, kind_of)
  local first
  for _, each in ipairs(messages) do
    local kind = kind_of(each)
    if kind and first and kind ~= first then return first, kind end
    first = first or kind
  end
end

function P.has_another_body(_, samples, first)
  local messages = samples_of(samples)
  local ends = { messages[1] }
  local _, other = near.parts(first)
  if other and other ~= "" then ends[#ends + 1] = other end
  for _, kind_of in ipairs({ kind_of_body, content_of_body }) do
    local mine, its = two_kinds(ends, kind_of)
    if its then return mine .. ", another one as " .. its end
  end
  local mine, its = two_kinds(messages, content_of_body)
  return its and mine .. " and as " .. its or ""
end

local BOOLEANS = "^[\65\66\86]"

-- The type of a value, if it is one of those that are mistaken for each other.
local function type_of(item)
  if item == "" then return nil end
  return item:find(BOOLEANS) and "boolean" or tables.types_of[high_half(item:byte())]
end

function P.has_other_types(_, samples, first)
  local known, messages = {}, {}
  local _, other = near.parts(first)
  messages[1] = other
  for _, each in ipairs(samples_of(samples)) do messages[#messages + 1] = each end
  for _, message in ipairs(messages) do
    for _, each in ipairs(sections_of(message)) do
      local pairs_there = each.code == APPLICATION and items_of(each.value) or {}
      for nth = 1, #pairs_there - 1, 2 do
        local name, kind = scalar_of(pairs_there[nth]), type_of(pairs_there[nth + 1])
        known[name] = known[name] or kind
        if kind and known[name] ~= kind then
          return "'" .. as_utf8(name) .. "' is a " .. known[name] .. " in some and a " .. kind .. " in others"
        end
      end
    end
  end
  return ""
end

function P.has_constant_id(_, samples)
  local bodies, ids, shared, count = {}, {}, nil, 0
  for _, message in ipairs(samples_of(samples)) do
    local parts = parts_of(message)
    local id = scalar_of(property(parts, MESSAGE_ID))
    if id ~= "" and not bodies[id] then bodies[id], ids[#ids + 1] = { count = 0, seen = {} }, id end
    if id ~= "" and not bodies[id].seen[parts.body] then
      bodies[id].seen[parts.body], bodies[id].count = true, bodies[id].count + 1
    end
  end
  for _, id in ipairs(ids) do
    if bodies[id].count > 1 then shared, count = shared or id, count + bodies[id].count end
  end
  return count >= tables.like and "'" .. as_utf8(shared) .. "'" or ""
end

local function number_of_different(values)
  local seen, count = {}, 0
  for _, each in ipairs(values) do
    if not seen[each] then seen[each], count = true, count + 1 end
  end
  return count
end

function P.has_constant_trace(_, samples)
  local all, bodies, found = {}, {}, ""
  for nth, message in ipairs(samples_of(samples)) do
    all[nth], bodies[nth] = { contents.trace_context(message) }, parts_of(message).body
    if found == "" then found = contents.context_fault(all[nth][1], all[nth][2]) end
  end
  if found ~= "" then return found end
  local common = number_of_different(bodies) >= tables.like and contents.constant_context(all, tables.like) or ""
  return common ~= "" and "all have " .. common or ""
end

-- How many pairs of equal messages there are, if each message comes twice.
local function pairs_among(messages)
  local firsts = {}
  for nth = 1, #messages - 1, 2 do
    if messages[nth] ~= messages[nth + 1] then return "" end
    firsts[#firsts + 1] = messages[nth]
  end
  return #firsts >= tables.pairs and number_of_different(firsts) == #firsts and #firsts .. " pairs" or ""
end

function P.is_doubled(_, samples) return pairs_among(samples_of(samples)) end

function P.is_doubled_within(_, entries)
  local messages = {}
  for nth, each in ipairs(entries or {}) do
    if nth > 4 * tables.pairs then break end
    if each.message and each.message ~= "" then messages[#messages + 1] = each.message end
  end
  return pairs_among(messages)
end

function P.are_sent_before(_, samples, former)
  local count, own, before, seen = 0, samples_of(samples), samples_of(former), {}
  for _, each in ipairs(before) do seen[each] = true end
  for _, each in ipairs(own) do
    if seen[each] then count, seen[each] = count + 1, false end
  end
  local fewest = math.min(number_of_different(own), number_of_different(before))
  return count >= tables.pairs and count * 5 >= fewest * 4 and f.counted(count, "message", "messages") or ""
end

function P.is_periodic(_, samples)
  local messages, period = samples_of(samples), 0
  for nth = 2, #messages do
    if period == 0 and messages[nth] == messages[1] then period = nth - 1 end
  end
  local first = {}
  for nth = 1, period do first[nth] = messages[nth] end
  if period < tables.pairs or #messages - period < tables.pairs or number_of_different(first) < period then return "" end
  for nth = period + 1, #messages do if messages[nth] ~= messages[nth - period] then return "" end end
  return "after " .. f.counted(period, "message", "messages") .. " they come again"
end

function P.is_constant(_, samples)
  local messages = samples_of(samples)
  if #messages < tables.like or number_of_different(messages) > 1 or #messages[1] < tables.telling then return "" end
  return f.counted(#messages, "time", "times") .. " " .. f.counted(#messages[1], "byte", "bytes")
end

-- Each section of a message with the type of a value in it, as a list of pairs.
local function encoded(message)
  local all = {}
  for _, each in ipairs(sections_of(message)) do
    local is_body = each.code >= DATA and each.code <= VALUE
    local inner = is_body and { each.value } or items_of(each.value)
    for _, item in ipairs(#inner > 0 and inner or { each.value }) do
      local constructor = item:byte()
      if constructor then all[#all + 1] = { each.code, tables.long_constructors[constructor] or constructor } end
    end
  end
  return all
end

-- What a message has that none of those before it had.
local function novelty(kind, message, before)
  local is_known, seen, sections = false, {}, {}
  for _, each in ipairs(before) do
    is_known = is_known or each.kind == kind
    for _, one in ipairs(each.kind == tables.amqp and each.message and encoded(each.message) or {}) do
      seen[one[1] * 256 + one[2]], sections[one[1]] = true, true
    end
  end
  if not is_known then return tables.forms[kind] or "a sub-batch of another compression" end
  for _, one in ipairs(kind == tables.amqp and message and encoded(message) or {}) do
    if not seen[one[1] * 256 + one[2]] then
      local what = "the section " .. (tables.sections[one[1]] or ("%d"):format(one[1]))
      local type_name = tables.kinds[one[2]] or ("0x%02x"):format(one[2])
      return sections[one[1]] and what .. " with a value of type " .. type_name or what
    end
  end
  return ""
end

function P.stops_at_another_form(_, given, granted, initial, chunks)
  local heads, handled = {}, (granted or 0) - (initial or 0)
  local all = near.values(given)
  for nth, each in ipairs(all) do
    local _, kind, message = near.parts(each)
    local found = nth > 1 and novelty(kind, message, heads) or ""
    if found ~= "" then
      local is_last = nth == #all and nth == chunks
      return (is_last or handled == nth - 1) and found or ""
    end
    heads[nth] = { kind = kind, message = message }
  end
  return ""
end

-- Messages that are sent again ----------------------------------------------------------------------------------------

local function as_number(value) return type(value) == "number" and value or value and tonumber(tostring(value)) end

local function frame_name(n) return "frame " .. digits(math.floor(n)) end

function P.is_divided_otherwise(_, entries, batches, begun_n)
  local earlier, begins = {}, {}
  for _, each in ipairs(near.values(batches)) do
    local first, count, n = near.parts(each)
    if n < begun_n then earlier[#earlier + 1] = { first = as_number(first), count = as_number(count), n = n } end
    if n < begun_n and first then begins[as_number(first)] = true end
  end
  for _, entry in ipairs(entries or {}) do
    local first, count = as_number(entry.publishing_id), entry.record_count
    for _, each in ipairs(first and count and earlier or {}) do
      if each.first and each.count then
        local name = "sub-batch " .. digits(entry.publishing_id)
        if each.first == first and each.count ~= count then
          return name .. " has " .. digits(count) .. " messages, and had " .. digits(each.count) .. " in " .. frame_name(each.n)
        end
        if each.first < first and first < each.first + each.count and not begins[first] then
          return name .. " begins inside sub-batch " .. digits(each.first) .. " of " .. frame_name(each.n)
        end
      end
    end
  end
  return ""
end

-- A message of the lost connection that has another publishing id now; contents that came more than once prove nothing.
local function renumbered(is_stored, now, content, sent, lost_n, begun_n, known)
  local was, was_n, count
  for _, each in ipairs(near.values(sent)) do
    local id, its, n = near.parts(each)
    if its and its == content and lost_n <= n and n < begun_n then was, was_n, count = id, n, (count or 0) + 1 end
  end
  if count ~= 1 or not was or not now or digits(now) == digits(was) then return "" end
  if (known ~= nil and as_number(was) <= as_number(known)) ~= is_stored then return "" end
  return "publishing id " .. digits(now) .. " has the content of id " .. digits(was) .. " in " .. frame_name(was_n)
end

function P.is_sent_again(_, ...) return renumbered(true, ...) end

function P.is_renumbered(_, ...) return renumbered(false, ...) end

function P.is_other_content(_, entries, sent, stored, top)
  local known = {}
  for _, each in ipairs(near.values(sent)) do
    local id, content = near.parts(each)
    if id then known[digits(id)] = content or false end
  end
  local last = math.max(as_number(stored) or 0, as_number(top) or 0)
  for _, entry in ipairs(entries or {}) do
    local id = as_number(entry.publishing_id)
    local former = id and entry.message and id <= last and known[digits(entry.publishing_id)]
    if former and former ~= f.digest(entry.message) then return "publishing id " .. digits(entry.publishing_id) end
  end
  return ""
end

-- Keys of super streams ------------------------------------------------------------------------------------------------

local SAMPLE = 16 -- messages of a frame that are compared with a key

function P.has_another_key(_, entries, key, sample)
  sample = sample and sample ~= "" and sample or entries and entries[1] and entries[1].message or ""
  if not key or key == "" or not sample:find(key, 1, true) then return "" end
  for nth, each in ipairs(entries or {}) do
    local message = each.message or ""
    if nth <= SAMPLE and message ~= "" and not message:find(key, 1, true) then
      return "message " .. nth .. " of the frame, which does not contain this key,"
    end
  end
  return ""
end

local known_values, values_count = {}, 0
local MOST_VALUES = 1024

-- The properties of a message that may be routing keys: of each its name and value, and both as one text.
local function values_of(message)
  local all = known_values[message]
  if all then return all end
  if values_count >= MOST_VALUES then known_values, values_count = {}, 0 end
  all = {}
  local function note(name, item)
    local value = name and name ~= "" and scalar_of(item) or ""
    if value ~= "" then all[#all + 1] = { name = name, value = value, both = name .. "\0" .. value } end
  end
  for _, each in ipairs(sections_of(message)) do
    local own = (each.code == PROPERTIES_LIST or each.code == APPLICATION) and items_of(each.value) or {}
    for nth, item in ipairs(own) do
      if each.code == PROPERTIES_LIST then note(tables.key_fields[nth - 1], item)
      elseif nth % 2 == 0 then note(as_utf8(scalar_of(own[nth - 1])), item) end
    end
  end
  known_values[message], values_count = all, values_count + 1
  return all
end

-- Where the values of one property went: of each publisher its values in order, of each value the partitions, how often it
-- came, and the frame that brought the first.
local function note_value(keys, message, owner, value)
  if not keys[owner] then keys[owner], keys.owners[#keys.owners + 1] = { values = {}, of = {} }, owner end
  local own = keys[owner]
  if not own.of[value] then own.of[value], own.values[#own.values + 1] = { places = {}, first = message.stream, count = 0, n = message.n }, value end
  own.of[value].places[message.stream], own.of[value].count = true, own.of[value].count + 1
end

local function only_place(of_value) return next(of_value.places, next(of_value.places)) == nil end

-- Whether each publisher has one partition for each value.
local function may_be_keys(keys)
  for _, owner in ipairs(keys.owners) do
    for _, value in ipairs(keys[owner].values) do if not only_place(keys[owner].of[value]) then return false end end
  end
  return true
end

-- Whether a publisher has several values and several partitions.
local function is_spread(keys, owner)
  local own, places = keys[owner], {}
  for _, value in ipairs(own and own.values or {}) do
    for place in pairs(own.of[value].places) do places[#places + 1] = place end
  end
  return own ~= nil and #own.values >= tables.few_keys and number_of_different(places) >= tables.few_keys
end

-- Whether several values came more than once from a publisher.
local function is_repeated(keys)
  local count = 0
  for _, owner in ipairs(keys.owners) do
    for _, value in ipairs(keys[owner].values) do if keys[owner].of[value].count > 1 then count = count + 1 end end
  end
  return count >= tables.few_keys
end

-- Whether several publishers have the same partitions for the same values.
local function is_shared_alike(keys)
  local owners, places, count = {}, {}, 0
  for _, owner in ipairs(keys.owners) do
    for _, value in ipairs(keys[owner].values) do
      owners[value], places[value] = (owners[value] or 0) + 1, places[value] or {}
      for place in pairs(keys[owner].of[value].places) do places[value][place] = true end
    end
  end
  for value, number in pairs(owners) do
    if number > 1 then
      count = count + 1
      if not only_place({ places = places[value] }) then return false end
    end
  end
  return count >= tables.few_keys
end

-- The values that two publishers have in different partitions.
local function conflicts(mine, its)
  local all = {}
  for _, value in ipairs(mine.values) do
    if its.of[value] and its.of[value].first ~= mine.of[value].first then all[#all + 1] = value end
  end
  return all
end

-- A value that another publisher has elsewhere, its partition and frame.
local function found_elsewhere(keys, owner, sent, repeated)
  for _, other in ipairs(keys.owners) do
    local between = other ~= owner and conflicts(keys[owner], keys[other]) or {}
    for _, value in ipairs(#between >= tables.few_keys and is_spread(keys, other) and between or {}) do
      if sent[value] and (repeated or not value:find("^%d+$")) then
        local there = keys[other].of[value]
        return "'" .. as_utf8(value) .. "', which is in " .. there.first .. " since " .. frame_name(there.n)
      end
    end
  end
end

local function key_of_owners(earlier, now, owner_of, repeated)
  local owner, fields, order = owner_of(now[1]), {}, {}
  for _, messages in ipairs({ earlier, now }) do
    for _, each in ipairs(messages) do
      for _, one in ipairs(values_of(each.body)) do
        if not fields[one.name] then fields[one.name], order[#order + 1] = { owners = {} }, one.name end
        note_value(fields[one.name], each, owner_of(each), one.value)
      end
    end
  end
  for _, keys in pairs(fields) do if may_be_keys(keys) and is_shared_alike(keys) then return nil end end
  for _, name in ipairs(order) do
    local keys, sent = fields[name], {}
    if may_be_keys(keys) and is_spread(keys, owner) and is_repeated(keys) == repeated then
      for _, each in ipairs(now) do
        for _, one in ipairs(values_of(each.body)) do if one.name == name then sent[one.value] = true end end
      end
      local found = found_elsewhere(keys, owner, sent, repeated)
      if found then return name .. " " .. found end
    end
  end
end

-- Who publishes: a connection with a reference, or a program, which may have a connection for each partition.
local function of_connection(message) return message.connection end

local function of_program(message) return message.program end

local function spread_message(n, flow, client, version, name, reference, stream, body)
  return {
    n = n, client = client, stream = stream, body = body or "", connection = f.member(flow, reference or ""), program = f.member(client, version, name),
  }
end

local known_messages, messages_count = {}, 0

-- A message of a set: each frame asks for those before it.
local function message_of(member)
  local found = known_messages[member]
  if found then return found end
  if messages_count >= MOST_VALUES then known_messages, messages_count = {}, 0 end
  found = spread_message(near.parts(member))
  known_messages[member], messages_count = found, messages_count + 1
  return found
end

local SEVERAL = false -- partitions of a value

-- The messages of a set, and of each property of one the only partition that has it.
local function spread_of(values)
  local all, places = {}, {}
  for nth, each in ipairs(values) do
    local one = message_of(each)
    all[nth] = one
    for _, property_of_one in ipairs(values_of(one.body)) do
      local both = property_of_one.both
      if places[both] == nil then places[both] = one.stream elseif places[both] ~= one.stream then places[both] = SEVERAL end
    end
  end
  return { messages = all, places = places }
end

-- Whether another partition has a property of these entries.
local function is_elsewhere(places, entries, stream)
  for _, each in ipairs(entries or {}) do
    for _, one in ipairs(values_of(each.message or "")) do
      local place = places[one.both]
      if place ~= nil and place ~= stream then return true end
    end
  end
  return false
end

local function key_elsewhere(repeated, messages, entries, ...)
  local spread, stream = near.made_of(messages, spread_of), select(7, ...)
  if not is_elsewhere(spread.places, entries, stream) then return "" end
  local now, own = {}, spread_message(...)
  for nth, each in ipairs(entries) do
    now[nth] = {
      n = own.n, client = own.client, stream = own.stream, body = each.message or "", connection = own.connection, program = own.program,
    }
  end
  return key_of_owners(spread.messages, now, of_connection, repeated) or key_of_owners(spread.messages, now, of_program, repeated) or ""
end

function P.has_key_elsewhere(_, messages, n, flow, client, version, name, reference, stream, entries)
  return key_elsewhere(true, messages, entries, n, flow, client, version, name, reference, stream)
end

function P.has_id_elsewhere(_, messages, n, flow, client, version, name, reference, stream, entries)
  if key_elsewhere(true, messages, entries, n, flow, client, version, name, reference, stream) ~= "" then return "" end
  return key_elsewhere(false, messages, entries, n, flow, client, version, name, reference, stream)
end

function P.has_copies(_, messages, client, stream, entries)
  local places, copies = {}, 0
  local function note(body, place)
    if #body < tables.telling_copy then return end
    places[body] = places[body] or {}
    places[body][place] = true
  end
  for _, one in ipairs(near.made_of(messages, spread_of).messages) do
    if one.client == client then note(one.body, one.stream) end
  end
  for _, each in ipairs(entries or {}) do note(each.message or "", stream) end
  for _, found in pairs(places) do
    if found[stream] and next(found, next(found)) ~= nil then copies = copies + 1 end
  end
  return copies >= tables.copies and copies .. " messages" or ""
end

-- The order and the results of messages, as in `handling_predicates.py` ----------------------------------------------

local CORRELATION_ID, GROUP_ID, GROUP_SEQUENCE = 5, 10, 11 -- places in the list of properties

local function property_text(message, place)
  local sections = sections_of(message)
  local listed = sections.listed
  if not listed then
    for _, each in ipairs(sections) do
      if each.code == PROPERTIES_LIST then listed = listed or items_of(each.value) end
    end
    listed = listed or {}
    sections.listed = listed
  end
  return scalar_of(listed[place + 1])
end

-- The group of a message and its place in it; nil without one.
local function step_of(message)
  local group, sequence = property_text(message, GROUP_ID), property_text(message, GROUP_SEQUENCE)
  if group == "" or not sequence:find("^%d+$") then return nil end
  return group, tonumber(sequence)
end

-- The message of a group that should come later than another one.
local function ahead_of(seen, sequence, t)
  local most = -1
  for each in pairs(seen) do most = math.max(most, each) end
  if seen[sequence] or sequence >= most or most > sequence + tables.near_step then return nil end
  return t - seen[most].t > tables.crossing and { number = most, n = seen[most].n } or nil
end

function P.is_behind(_, n, t, entries, steps)
  local seen, behind, groups = {}, {}, 0
  for _, each in ipairs(near.values(steps)) do
    local its_n, its_t, _, message = near.parts(each)
    local group, sequence = step_of(message or "")
    if group and tonumber(its_n) < n then
      its_t = tonumber(its_t)
      if not behind[group] and ahead_of(seen[group] or {}, sequence, its_t) then behind[group], groups = true, groups + 1 end
      seen[group] = seen[group] or {}
      seen[group][sequence] = seen[group][sequence] or { n = its_n, t = its_t }
    end
  end
  for _, each in ipairs(entries or {}) do
    local group, sequence = step_of(each.message or "")
    local ahead = group and ahead_of(seen[group] or {}, sequence, t)
    if ahead and groups + (behind[group] and 0 or 1) >= tables.groups_behind then
      return ("number %.0f of %s after number %.0f in frame %.0f"):format(sequence, group, ahead.number, ahead.n)
    end
  end
  return ""
end

function P.has_no_result(_, before, stored, given)
  local items, results = {}, {}
  for _, each in ipairs(near.values(before)) do
    local at, n, message = near.parts(each)
    local name = at <= stored and property_text(message or "", MESSAGE_ID) or ""
    if name ~= "" then items[#items + 1] = { at = at, n = n, name = name, message = message } end
  end
  table.sort(items, function(one, other)
    if one.at ~= other.at then return one.at < other.at end
    if one.n ~= other.n then return one.n < other.n end
    return one.message < other.message
  end)
  for _, each in ipairs(near.values(given)) do
    local found = property_text(each, CORRELATION_ID)
    if found ~= "" then results[found] = true end
  end
  local many = 0
  while items[many + 1] and results[items[many + 1].name] do many = many + 1 end
  if many < tables.answered or #items - many < tables.left then return "" end
  for nth = many + 1, #items do if results[items[nth].name] then return "" end end
  return ("%s at offset %.0f"):format(items[many + 1].name, items[many + 1].at)
end

return P
