-- Predicates of rules, as in `subject_predicates.py` and others: the names of the columns, then their values. What they give
-- is what they found; it is empty where the condition does not hold.

local P = {}

local SHOWN = 60 -- characters of a value of JSON in a sentence
local BEGINNING = 3 -- characters that two names have in common at least, at their beginning

function P.has_wildcard_in_token(_, subject)
  local tokens = subject_tokens(subject or "")
  for _, each in ipairs(tokens) do if #each > 1 and each:find("[*>]") then return "the token " .. each end end
  for index = 1, #tokens - 1 do if tokens[index] == ">" then return "'>' before its end" end end
  return ""
end

-- The subjects and filters of an object of JSON: a configuration, a source or a mirror.
local function patterns_of(part, into)
  local members = type(part) == "table" and not part.is_list and part.of or {}
  into[#into + 1] = type(members.filter_subject) == "string" and members.filter_subject or nil
  for _, name in ipairs({"filter_subjects", "subjects"}) do
    local several = members[name]
    for _, each in ipairs(type(several) == "table" and several.is_list and several or {}) do
      if type(each) == "string" then into[#into + 1] = each end
    end
  end
end

function P.has_wildcard_in_pattern(_, payload)
  local body, all = contents.object(payload), {}
  local config = body and body.of and (type(body.of.config) == "table" and body.of.config.of and body.of.config or body)
  if not config then return "" end
  patterns_of(config, all)
  patterns_of(config.of.mirror, all)
  local sources = config.of.sources
  for _, each in ipairs(type(sources) == "table" and sources.is_list and sources or {}) do patterns_of(each, all) end
  for _, each in ipairs(all) do
    local found = P.has_wildcard_in_token(nil, each)
    if found ~= "" then return each .. ", in which " .. found .. " is no wildcard" end
  end
  return ""
end

function P.are_alike(_, one, other)
  one, other = one or "", other or ""
  if one:lower() == other:lower() or f.program(one) == f.program(other) then return other end
  local is_long = one:sub(1, BEGINNING) == other:sub(1, BEGINNING) and math.min(#one, #other) > BEGINNING
  return is_long and near.distance(one, other) <= 1 and other or ""
end

-- Payloads and headers -------------------------------------------------------------------------------------------

-- The value of the first header of a name, in whatever case if it is one of lower case.
local function header_of(headers, name)
  local found
  for _, each in ipairs(headers or {}) do if each.key:lower() == name then found = each.value end end
  return found
end

function P.is_not_announced(_, headers, payload)
  return contents.differs(header_of(headers, "content-type"), header_of(headers, "content-encoding"), payload or "")
end

function P.is_mistaken(_, payload) return contents.mistaken(payload or "") end

function P.is_text_of_bytes(_, payload) return contents.text_of_bytes(payload or "") end

function P.has_invalid_token(_, jwt, auth_token, t)
  local found = jwt and contents.token_fault(jwt, t) or ""
  return found == "" and auth_token and contents.token_fault(auth_token, t) or found
end

function P.is_mistaken_subject(_, subject, queue_group)
  local function found_in(name)
    local found = near.mistaken_name(name)
    return found ~= "" and name .. ", " .. found
  end
  subject = subject or ""
  local found = found_in(queue_group) or found_in(subject)
  for _, token in ipairs(found and {} or subject_tokens(subject)) do found = found or found_in(token) end
  return found or ""
end

local function is_trace(value)
  local parts = {}
  for part in (value .. "-"):gmatch("([^-]*)-") do parts[#parts + 1] = part end
  for nth, size in ipairs({ 2, 32, 16, 2 }) do
    if not parts[nth] or #parts[nth] ~= size or parts[nth]:find("[^0-9a-f]") then return false end
  end
  return not (parts[1] == "00" and #parts > 4) and parts[1] ~= "ff" and parts[2]:find("[^0]") ~= nil and parts[3]:find("[^0]") ~= nil
end

function P.is_odd_trace(_, headers)
  for _, each in ipairs(headers or {}) do
    if each.key == "traceparent" then
      return is_trace(each.value:match("^%s*(.-)%s*$")) and "" or contents.shown(each.value, SHOWN)
    end
  end
  return ""
end

-- Requests of JetStream ------------------------------------------------------------------------------------------

local function set_of(words)
  local all = {}
  for each in words:gmatch("%S+") do all[each] = true end
  return all
end

local DURATIONS = set_of([[ack_wait idle_heartbeat inactive_threshold max_age duplicate_window expires max_expires
  priority_timeout backoff delay subject_delete_marker_ttl]])
local LONG_DURATIONS = set_of("ack_wait idle_heartbeat expires max_expires delay")
local LONGEST, LONGEST_SEARCHED = 1e16, 64 * 1024
local MICRO = "\194\181s"
local UNITS = { ns = true, us = true, [MICRO] = true, ms = true, s = true, m = true, h = true }

-- Whether text is a duration of Go.
local function is_duration(text)
  while text ~= "" do
    local count, rest = text:match("^(%d+%.?%d*)(.*)$")
    local unit = count and (UNITS[rest:sub(1, 3)] and rest:sub(1, 3) or UNITS[rest:sub(1, 2)] and rest:sub(1, 2) or UNITS[rest:sub(1, 1)] and rest:sub(1, 1))
    if not unit then return false end
    text = rest:sub(#unit + 1)
  end
  return true
end

-- The first member of some names whose value is of a form and of some length, and the value; `[` may stand before it.
local function member(payload, names_of, form, least, most)
  for name, place in payload:gmatch('"([%a_]+)"%s*:%s*()') do
    local value = names_of[name] and payload:match("^" .. form, place)
    if value and #value >= least and #value <= most then return name, value end
  end
end

-- A short number in front of what ends it, which is not 0.
local function short_number(payload)
  for name, place in payload:gmatch('"([%a_]+)"%s*:%s*()') do
    local number = DURATIONS[name] and payload:match("^(%d+%.?%d*)%s*[,}%]]", payload:match("^%[%s*()", place) or place)
    if number and #number:match("^%d+") <= 6 and tonumber(number) > 0 then return name, number end
  end
end

function P.has_odd_duration(_, payload)
  payload = (payload or ""):sub(1, LONGEST_SEARCHED)
  if payload:sub(1, 4) == "-NAK" then
    local delay = payload:sub(5, 128):match("^%s*(.-)%s*$")
    if delay:sub(1, 1) ~= "{" and not is_duration(delay) then return "the delay " .. as_utf8(delay:sub(1, 20)) .. " without a unit" end
  end
  local name, number = short_number(payload)
  if name then return name .. " is " .. number .. " ns" end
  local long, digits_of = member(payload, LONG_DURATIONS, "(%d+)%s*[,}]", 16, 30)
  if long and tonumber(digits_of) + 0.0 >= LONGEST then return long .. " is " .. digits_of .. " ns" end
  local other, text = member(payload, DURATIONS, '%[?%s*"([^"]*)"', 0, 40)
  return other and other .. " is the text " .. near.quote(as_utf8(text)) or ""
end

local ACKS = { [""] = true, ["+ACK"] = true, ["+OK"] = true, ["+WPI"] = true }
local OTHER_ACKS = { "-NAK", "+NXT", "+TERM", "{" }

function P.is_unknown_ack(_, payload)
  if ACKS[payload] then return "" end
  for _, prefix in ipairs(OTHER_ACKS) do if payload:sub(1, #prefix) == prefix then return "" end end
  return near.quote(as_utf8(payload:sub(1, 20)))
end

local HEADERS = {
  "Nats-Msg-Id", "Nats-Expected-Stream", "Nats-Expected-Last-Sequence", "Nats-Expected-Last-Subject-Sequence",
  "Nats-Expected-Last-Subject-Sequence-Subject", "Nats-Expected-Last-Msg-Id", "Nats-Rollup", "Nats-TTL", "Nats-Schedule",
  "Nats-Schedule-Target", "Nats-Schedule-TTL", "Nats-Incr", "Nats-Batch-Id", "Nats-Batch-Sequence", "Nats-Batch-Commit",
  "Nats-Service-Error", "Nats-Service-Error-Code", "KV-Operation",
}
local COUNTS = { ["Nats-Expected-Last-Sequence"] = true, ["Nats-Expected-Last-Subject-Sequence"] = true }
local is_header = {}
for _, each in ipairs(HEADERS) do is_header[each] = true end
local LONGEST_TTL = 1e9

-- The header of JetStream that a name resembles.
local function resembled(name)
  local bare = name:lower()
  if bare:sub(1, 4) ~= "nats" and bare:sub(1, 2) ~= "kv" then return nil end
  for _, each in ipairs(HEADERS) do
    if near.plain(each) == near.plain(name) or math.abs(#each - #name) <= 1 and near.distance(each, name) == 1 then return each end
  end
end

function P.has_odd_header(_, headers)
  for _, each in ipairs(headers or {}) do
    local name, value = each.key, each.value
    local meant = not is_header[name] and resembled(name)
    if meant then return name .. ", which is read only as " .. meant end
    if COUNTS[name] and not value:find("^%d+$") then return name .. " with " .. contents.shown(value:sub(1, 40)) .. ", which is no sequence" end
    if name == "Nats-Rollup" and value ~= "sub" and value ~= "all" then
      return "Nats-Rollup with " .. contents.shown(value:sub(1, 40)) .. ", which is neither sub nor all"
    end
    if name == "Nats-TTL" and value:find("^%d+$") and tonumber(value:sub(1, 20)) >= LONGEST_TTL then
      return "Nats-TTL with " .. value .. ", which are seconds"
    end
  end
  return ""
end

function P.lacks_what_stores_need(_, payload)
  local body = contents.object(payload)
  local name = body and body.of.name
  if type(name) ~= "string" or body.of.mirror ~= nil and body.of.mirror ~= contents.null then return "" end
  if body.of.allow_rollup_hdrs ~= true then return "allow_rollup_hdrs is not true" end
  local history = body.of.max_msgs_per_subject
  if name:sub(1, 3) ~= "KV_" then return "" end
  local is_bounded = type(history) == "number" and history >= 1 and history <= 64
  return is_bounded and "" or "max_msgs_per_subject is not from 1 to 64"
end

local SETTINGS = {
  "allow_direct", "mirror_direct", "allow_rollup_hdrs", "deny_delete", "deny_purge", "discard_new_per_subject", "allow_msg_ttl",
  "allow_atomic", "allow_msg_counter", "allow_msg_schedules", "no_ack",
}

local function lower_names(object)
  local all = {}
  for _, name in ipairs(object.names) do all[name:lower()] = true end
  return all
end

function P.drops_setting(_, payload, config)
  local body = contents.object(payload)
  local known = body and lower_names(body)
  for _, each in ipairs(known and SETTINGS or {}) do
    if not known[each] and (config or ""):find('"' .. each .. '":true', 1, true) then return each end
  end
  return ""
end

local LIMITS = {
  max_deliver = -1, ack_wait = 30e9, max_ack_pending = 1000, inactive_threshold = 5e9, filter_subject = "", rate_limit_bps = 0, max_batch = 0,
  max_expires = 0, backoff = contents.null, filter_subjects = contents.null,
}
local IN_ORDER = {
  "max_deliver", "ack_wait", "max_ack_pending", "backoff", "inactive_threshold", "filter_subject", "filter_subjects", "rate_limit_bps",
  "max_batch", "max_expires",
}

local INSTEAD = { filter_subject = "filter_subjects", filter_subjects = "filter_subject", ack_wait = "backoff" }

-- Whether a member of JSON is missing, null, or empty.
local function is_empty(value)
  return value == nil or value == contents.null or value == "" or type(value) == "table" and value.is_list and #value == 0
end

-- Whether a member of JSON has a value that is neither empty nor zero nor false.
local function is_given(value) return not is_empty(value) and value ~= false and value ~= 0 end

function P.drops_limit(_, payload, config)
  local body = contents.object(payload)
  local wanted, known = body and body.of.config, contents.object("{" .. (config or ""):gsub("%s+$", ""):gsub(",$", ""):gsub("%s+$", ""))
  if type(wanted) ~= "table" or not wanted.of or not known then return "" end
  local given = lower_names(wanted)
  for _, name in ipairs(IN_ORDER) do
    local value = known.of[name]
    local is_lost = not given[name] and not is_empty(value) and value ~= LIMITS[name]
    if is_lost and not is_given(wanted.of[INSTEAD[name] or ""]) then return name .. ", which is " .. contents.shown(value, SHOWN) end
  end
  return ""
end

-- Whether some subject matches both patterns.
local function overlaps(one, other)
  local left, right = subject_tokens(one), subject_tokens(other)
  for nth = 1, math.min(#left, #right) do
    local mine, its = left[nth], right[nth]
    if mine == ">" or its == ">" then return true end
    if mine ~= its and mine ~= "*" and its ~= "*" then return false end
  end
  return #left == #right
end

function P.is_outside(_, payload, subjects)
  local known, body = contents.json("[" .. (subjects or "") .. "]"), contents.object(payload)
  local config, count, wanted = body and body.of.config, 0, {}
  for _, each in ipairs(known or {}) do if type(each) == "string" then count = count + 1 end end
  if count == 0 or type(config) ~= "table" or not config.of then return "" end
  local several = config.of.filter_subjects
  wanted[1] = config.of.filter_subject or false
  for _, each in ipairs(type(several) == "table" and several.is_list and several or {}) do wanted[#wanted + 1] = each end
  for _, each in ipairs(wanted) do
    local is_met = type(each) ~= "string" or each == ""
    for _, other in ipairs(is_met and {} or known) do is_met = is_met or type(other) == "string" and overlaps(each, other) end
    if not is_met then return each end
  end
  return ""
end

-- Services and objects -------------------------------------------------------------------------------------------

local function is_version(text)
  local rest = text:match("^%d+%.%d+%.%d+(.*)$")
  rest = rest and (rest:match("^%-[%w.-]+(.*)$") or rest)
  return rest ~= nil and (rest == "" or rest:find("^%+[%w.-]+$") ~= nil)
end

function P.is_odd_description(_, payload, asked)
  local body = contents.object(payload)
  if not body then return "it is not a JSON object" end
  local own = body.of
  for _, name in ipairs({ "name", "id", "version" }) do if type(own[name]) ~= "string" then return "it has no " .. name end end
  local what = (subject_tokens(asked or "")[2] or ""):lower()
  local kind = "io.nats.micro.v1." .. what .. "_response"
  if (what == "ping" or what == "info" or what == "stats") and own.type ~= kind then
    return "its type is " .. contents.shown(own.type, SHOWN) .. ", not " .. kind
  end
  if not own.name:find("^[%w_-]+$") then
    return "the name " .. contents.shown(own.name, SHOWN) .. " has other characters than A-Z, a-z, 0-9, - and _"
  end
  return is_version(own.version) and "" or "the version " .. contents.shown(own.version, SHOWN) .. " is no semantic version"
end

local DIGEST_BYTES = 32

local function is_digest(text)
  local prefix, value = text:match("^([^=]*)=(.*)$")
  if not prefix or prefix:upper() ~= "SHA-256" or value:find("[+/]") then return false end
  local bytes = contents.unpacked((value:gsub("=+$", "")))
  return bytes ~= nil and #bytes == DIGEST_BYTES
end

function P.is_odd_object(_, subject, payload)
  local body, tokens = contents.object(payload), subject_tokens(subject or "")
  if not body then return "" end
  local bucket, name, own = tokens[2] or "", tokens[4] or "", body.of
  if type(own.bucket) == "string" and own.bucket ~= bucket then
    return "its bucket is " .. contents.shown(own.bucket, SHOWN) .. ", but its subject is that of " .. bucket
  end
  if type(own.name) == "string" and name ~= contents.packed(own.name) then
    return "its subject ends in " .. name .. ", not in its name " .. contents.shown(own.name, SHOWN) .. " as base64url"
  end
  local stated = own.digest
  if type(stated) == "string" and stated ~= "" and not is_digest(stated) then
    return "its digest is " .. contents.shown(stated, SHOWN) .. ", not SHA-256= and 32 bytes as base64url"
  end
  return ""
end

function P.is_odd_object_name(_, subject, payload)
  for _, text in ipairs({ subject or "", (payload or ""):sub(1, LONGEST_SEARCHED) }) do
    for bucket, name in text:gmatch('%$O%.([^.%s"]+)%.M%.([%w+/_=-]+)') do
      local is_odd = #name % 4 ~= 0 or name:find("[+/]")
      if #bucket <= 256 and is_odd then return name:sub(1, 1024) end
    end
  end
  return ""
end

-- Subscriptions that nothing matches, though only just ------------------------------------------------------------

local LEAST, LONG = 2, 5 -- tokens that two subjects of different lengths share; characters of a long token

local function matches(pattern, subject) return f.matching(subject, pattern) end

local function is_longer_or_shorter(wanted, tokens, least)
  if math.abs(#wanted - #tokens) ~= 1 then return false end
  local literal = 0
  for nth = 1, math.min(#wanted, #tokens) do
    if wanted[nth] == tokens[nth] then literal = literal + 1 elseif wanted[nth] ~= "*" then return false end
  end
  return literal >= least
end

local function sorted_letters(text)
  local all = {}
  for letter in text:gmatch(".") do all[#all + 1] = letter end
  table.sort(all)
  return table.concat(all)
end

local function is_typo(one, other)
  if near.plain(one) == near.plain(other) then return true end
  local mine, its, left, right = subject_tokens(one), subject_tokens(other), nil, nil
  if #mine ~= #its then return false end
  for nth = 1, #mine do
    if mine[nth] ~= its[nth] then
      if left then return false end
      left, right = mine[nth], its[nth]
    end
  end
  if not left or math.min(#left, #right) < LONG or (left .. right):find("%d") then return false end
  if #left == #right then return sorted_letters(left) == sorted_letters(right) and near.distance(left, right, true) == 1 end
  return math.abs(#left - #right) == 1 and near.distance(left, right) == 1
end

-- A pattern with the tokens of a subject in the place of its wildcards.
local function filled(pattern, subject)
  local wanted, had, all = subject_tokens(pattern), subject_tokens(subject), {}
  for nth, each in ipairs(wanted) do all[nth] = each == "*" and (had[nth] or "") or each end
  if all[#all] == ">" and #had >= #wanted then
    for nth = #wanted, #had do all[nth] = had[nth] end
  end
  return table.concat(all, ".")
end

local function is_near(pattern, subject)
  if matches(pattern:lower(), subject:lower()) or is_typo(filled(pattern, subject), subject) then return true end
  local wanted, has_star = subject_tokens(pattern), false
  if wanted[#wanted] == ">" then return table.concat(wanted, ".", 1, #wanted - 1) == subject end
  for _, each in ipairs(wanted) do has_star = has_star or each == "*" end
  return has_star and is_longer_or_shorter(wanted, subject_tokens(subject), 1)
end

local function is_related(pattern, subject)
  local wanted = subject_tokens(pattern)
  for _, each in ipairs(wanted) do if each == "*" then return false end end
  return wanted[#wanted] ~= ">" and is_longer_or_shorter(wanted, subject_tokens(subject), LEAST)
end

-- The first subject that is near to a pattern; empty if one matches.
local function nearest_subject(pattern, subjects, is_so)
  local found = ""
  for _, subject in ipairs(near.values(subjects)) do
    if matches(pattern or "", subject) then return "" end
    if found == "" and is_so(pattern or "", subject) then found = subject end
  end
  return found
end

function P.is_heard_by_none(_, subject, wide)
  for _, each in ipairs(near.values(wide)) do if matches(each, subject or "") then return "" end end
  return subject or ""
end

function P.is_nearly_published(_, pattern, subjects) return nearest_subject(pattern, subjects, is_near) end

function P.is_filter_nearly_published(_, pattern, subjects) return nearest_subject(pattern, subjects, is_near) end

function P.is_related_to_published(_, pattern, subjects)
  if P.is_nearly_published("", pattern, subjects) ~= "" then return "" end
  return nearest_subject(pattern, subjects, is_related)
end

-- What a request is about: `stream` or `stream.consumer`, and which of the two.
local function named(subject)
  local kind, rest = ((subject or ""):match("%.API%.(.*)$") or ""):match("^([^.]*)%.?(.*)$")
  local tokens = subject_tokens(rest)
  local from = kind == "CONSUMER" and tokens[1] == "DURABLE" and 3 or 2
  return table.concat(tokens, ".", from, math.min(#tokens, kind == "CONSUMER" and from + 1 or from)), kind
end

function P.is_nearly_known(_, asked, subjects)
  local wanted, kind = named(asked)
  for _, each in ipairs(near.values(subjects)) do
    local name, other = named(each)
    if kind == other and name ~= wanted and (near.is_misspelt(wanted, name) or near.similar(wanted, { name }) ~= "") then return name end
  end
  return ""
end

-- Messages from before, and consumers that want none ---------------------------------------------------------------

-- The first of some subjects that one of several patterns matches.
local function first_matched(subjects, patterns)
  for _, subject in ipairs(near.values(subjects)) do
    for _, pattern in ipairs(patterns) do if matches(pattern, subject) then return subject end end
  end
  return ""
end

local function texts_of(value)
  local all = {}
  for _, each in ipairs(type(value) == "table" and value.is_list and value or {}) do
    if type(each) == "string" then all[#all + 1] = each end
  end
  return all
end

-- The object that a body has as its configuration.
local function config_of(payload)
  local body = contents.object(payload)
  local config = body and body.of.config
  return type(config) == "table" and config.of or nil
end

function P.matches_published(_, pattern, subjects) return first_matched(subjects, { pattern }) end

function P.stores_published(_, payload, subjects)
  local config = config_of(payload)
  return first_matched(subjects, texts_of(config and config.subjects))
end

function P.is_unwanted(_, subject, filters)
  local wanted = {}
  for _, each in ipairs(near.values(filters)) do
    for part in (each .. '"'):gmatch('([^"]*)"') do
      if part:find("[^, ]") then
        if overlaps(subject or "", part) then return "" end
        wanted[#wanted + 1] = part
      end
    end
  end
  return table.concat(wanted, ", ")
end

-- Members of requests ----------------------------------------------------------------------------------------------

local KINDS = { ["text"] = "string", ["number"] = "number", ["true or false"] = "boolean" }

-- The first tokens of what a request is about and asks for.
local function first_tokens(subject, count)
  local tokens = subject_tokens((subject or ""):match("%.API%.(.*)$") or "")
  return table.concat(tokens, ".", 1, math.min(count, #tokens)), #tokens
end

-- Members by name, and their names in order.
local function members_of(list)
  local all = { names = {} }
  for nth, each in ipairs(list) do all[each[1]], all.names[nth] = each[2], each[1] end
  return all
end

local MEMBERS, is_member = {}, {}
for request, list in pairs(tables.members) do MEMBERS[request] = members_of(list) end
local OF_CONSUMER = members_of(tables.consumer)
for _, each in pairs(MEMBERS) do for _, name in ipairs(each.names) do is_member[name] = true end end
for _, name in ipairs(OF_CONSUMER.names) do is_member[name] = true end

local function odd_member(name, value, known)
  local lower = name:lower()
  if lower == "names" or not known[lower] then
    local meant = near.nearest(lower, known.names)
    if meant ~= "" then return name .. " is not a member of it; " .. meant .. " is" end
    return is_member[lower] and name .. " is a member of another request" or ""
  end
  if value == contents.null then return "" end
  local words, is_word = tables.words[lower], false
  for _, each in ipairs(words or {}) do is_word = is_word or each == value end
  if words and not is_word then
    local shown = {}
    for _, each in ipairs(words) do if each ~= "" then shown[#shown + 1] = each end end
    return name .. " is " .. contents.shown(value, tables.shown) .. ", which is none of " .. table.concat(shown, ", ")
  end
  local kind = KINDS[known[lower]]
  return kind and type(value) ~= kind and name .. " is " .. contents.shown(value, tables.shown) .. ", not " .. known[lower] or ""
end

-- What is odd about the first such member of an object.
local function oddity(body, known)
  for _, name in ipairs(body.names) do
    local found = odd_member(name, body.of[name], known)
    if found ~= "" then return found end
  end
  return ""
end

function P.has_odd_member(_, subject, payload)
  local known, body = MEMBERS[first_tokens(subject, 3)] or MEMBERS[first_tokens(subject, 2)], contents.object(payload)
  if not known or not body then return "" end
  local found, config = oddity(body, known), known.config and body.of.config
  return found == "" and type(config) == "table" and config.names and oddity(config, OF_CONSUMER) or found
end

function P.is_nearly_a_request(_, subject)
  local count_of = {}
  for _, words in ipairs(tables.requests) do
    count_of[words] = #subject_tokens(words)
    local first, count = first_tokens(subject, count_of[words])
    if first == words and count >= count_of[words] then return words .. " with another number of tokens" end
  end
  for _, words in ipairs(tables.requests) do
    if near.nearest(first_tokens(subject, count_of[words]):upper(), { words }) ~= "" then return words end
  end
  return ""
end

local SKEW = 60 -- seconds by which clocks may differ

-- The seconds since 1970 of a time as in RFC 3339; nil for other text.
local function seconds_of(text)
  local year, month, day, hour, minute, second, rest = text:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)T(%d%d):(%d%d):(%d%d)(.*)$")
  local sign, hours, minutes = (rest or ""):gsub("^%.%d+", ""):gsub("^Z$", "+00:00"):match("^([+-])(%d%d):(%d%d)$")
  if not sign then return nil end
  year, month, day = tonumber(year), tonumber(month), tonumber(day)
  local is_leap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  local days = ({ 31, is_leap and 29 or 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 })[month]
  if year == 0 or not days or day == 0 or day > days or tonumber(hour) > 23 or tonumber(minute) > 59 or tonumber(second) > 59 then return nil end
  if tonumber(hours) > 23 or tonumber(minutes) > 59 then return nil end
  local of_march = year - (month < 3 and 1 or 0)
  local since = 365 * of_march + math.floor(of_march / 4) - math.floor(of_march / 100) + math.floor(of_march / 400)
  local months = 153 * ((month + 9) % 12) + 2 -- in fifths of a day, from March on
  since = since + math.floor(months / 5) + day - 719469
  local offset = (tonumber(hours) * 60 + tonumber(minutes)) * 60
  return since * 86400 + tonumber(hour) * 3600 + tonumber(minute) * 60 + tonumber(second) - (sign == "+" and offset or -offset)
end

function P.starts_later(_, payload, t)
  local config = config_of(payload)
  local text = config and config.opt_start_time
  local start = type(text) == "string" and seconds_of(text)
  return start and start - t / 1e9 > SKEW and text or ""
end

local function whole(value)
  if value == true then return 1 end
  return type(value) == "number" and value == math.floor(value) and value or nil
end

local function seconds(ns) return ("%g s"):format(ns / 1e9) end

local function contradiction_of_consumer(config)
  local wait, pauses = whole(config.ack_wait) or 0, config.backoff
  local pause = type(pauses) == "table" and pauses.is_list and whole(pauses[1])
  if pause and pause < wait and wait ~= tables.default_ack_wait then
    return "backoff replaces ack_wait: " .. seconds(pause) .. " instead of " .. seconds(wait)
  end
  local idle = whole(config.inactive_threshold) or 0
  if 0 < idle and idle < wait and config.ack_policy == "explicit" then
    return tables.idle:format(seconds(idle), seconds(wait))
  end
  local times = whole(config.max_deliver) or 0
  return config.ack_policy == "none" and times > 1 and tables.unacked:format(times) or ""
end

function P.contradicts_itself(_, payload, subject)
  local body, config = contents.object(payload), config_of(payload)
  if config then return contradiction_of_consumer(config) end
  local own = body and (subject or ""):find(".STREAM.", 1, true) and body.of
  if not own or own.discard ~= "new" or (whole(own.max_msgs_per_subject) or 0) <= 0 or own.discard_new_per_subject == true then return "" end
  local is_limited = (whole(own.max_msgs) or 0) > 0 or (whole(own.max_bytes) or 0) > 0
  local is_store = type(own.name) == "string" and own.name:sub(1, 3) == "KV_"
  return not is_limited and not is_store and tables.discards or ""
end

-- The configuration in a request or an answer: of a stream also the body itself.
local function members_configured(payload)
  local body = contents.object(payload)
  local config = body and body.of.config
  if config == nil then return body and body.of end
  return type(config) == "table" and config.of or nil
end

local function has_changed(asked, answer)
  if type(asked) == "boolean" then return asked and answer ~= true end
  local number = whole(asked)
  if number then return number > 0 and (type(answer) == "boolean" or answer ~= asked) end
  return type(asked) == "string" and asked ~= "" and answer ~= asked
end

function P.is_configured_otherwise(_, payload, configuration)
  local asked, answer = members_configured(configuration), members_configured(payload)
  if not asked or not answer then return "" end
  for _, name in ipairs(tables.repeated) do
    if has_changed(asked[name], answer[name]) then return name end
  end
  return ""
end

return P
