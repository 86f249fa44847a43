-- Which messages of NATS are Liftbridge's, and what each of them is: as `nats_envelope.py` has it.
local MOST, MOST_PATTERNS = 4096, 256 -- subjects of each kind that are remembered; of those with wildcards
local MAGIC, OLD_MAGIC, NO_RESPONDERS = "\185\14\67\180", "LIFT", 503
local PUBLISH = 0 -- type of an envelope
local ROLES = { streams = true, raft = true, replication = true, acks = true, publishes = true }
local CALLS = { [0] = "append_entries", "request_vote", "install_snapshot", "timeout_now", "request_pre_vote" }
local EMPTY = { leader_epoch_offset_request = true, propagated_request = true } -- all their members may have their default
local REFUSED = { short = true, text = true, varint = true, wiretype = true, checksum = true, literal = true, claim = true }
local AS_PLAIN = ": the server stores these bytes as they are"
local INTERNAL = { -- subjects between servers behind the namespace, and what stands there
  { "^raft%.metadata%.bootstrap$", "raft_bootstrap" },
  { "^raft%.metadata%.bootstrap%.reply$", "raft_bootstrap_response" },
  { "^raft%.metadata%.join$", "raft_join_request" },
  { "^raft%.metadata%.info$", "server_info_request" },
  { "^raft%.metadata%.fetch%.[^.]+$", "server_info_response" },
  { "^raft%.metadata%.propagate$", "propagated_request" },
  { "^raft%.metadata%.status%.[^.]+$", "partition_status_request" },
  { "^raft%.metadata%.[^.]+%.accept$", "raft_accept" },
  { "^raft%.metadata%.[^.]+%.request%..+$", "stream" },
  { "^notify%.[^.]+$", "partition_notification" },
  { "^.+%.%d+%.replicate$", "replication_request" },
  { "^.+%.%d+%.offset$", "leader_epoch_offset_request" },
}
local ANSWERED = {}
for _, name in ipairs({ "raft_join", "propagated", "partition_status", "replication", "leader_epoch_offset" }) do
  ANSWERED[name .. "_request"] = name .. "_response"
end
ANSWERED.raft_accept = "raft_accept_response"

-- Keeps something by its name; the oldest makes room.
local function remember(memory, what, name, value, most)
  local kept = memory[what] or { values = {}, names = {}, first = 1, last = 0, count = 0 }
  memory[what] = kept
  if kept.values[name] == nil then
    while kept.count >= (most or MOST) do
      local oldest = kept.names[kept.first]
      if oldest then kept.values[oldest], kept.count = nil, kept.count - 1 end
      kept.names[kept.first], kept.first = nil, kept.first + 1
    end
    kept.last, kept.count = kept.last + 1, kept.count + 1
    kept.names[kept.last] = name
    kept.values[name] = { value = value, place = kept.last }
  else kept.values[name].value = value end
end

local function recalled(memory, what, name)
  local kept = memory[what]
  local found = kept and kept.values[name]
  return found and found.value
end

local function forgotten(memory, what, name)
  local kept = memory[what]
  local found = kept and name ~= nil and kept.values[name]
  if found then kept.names[found.place], kept.values[name], kept.count = nil, nil, kept.count - 1 end
end

-- What a subject between servers is for; nil for other subjects.
local function internal(subject)
  local rest = subject:match("^[^.]+%.(.+)$")
  for _, each in ipairs(rest and INTERNAL or {}) do
    if rest:find(each[1]) then return each[2] end
  end
end

local function split_subject(subject)
  local tokens = {}
  for token in (subject .. "."):gmatch("([^.]*)%.") do tokens[#tokens + 1] = token end
  return tokens
end

-- Whether the tokens of a subject are those of a pattern.
local function has_tokens_of(tokens, pattern)
  for index, wanted in ipairs(pattern) do
    if wanted == ">" and index == #pattern then return #tokens >= index and table.concat(tokens, ".", index) ~= "" end
    if wanted == "*" and (tokens[index] or "") == "" or wanted ~= "*" and wanted ~= tokens[index] then return false end
  end
  return #tokens == #pattern
end

-- Somebody listens to a subject.
local function subscribe(memory, subject)
  local tokens = split_subject(subject)
  local is_pattern = subject:sub(-1) == ">"
  for _, each in ipairs(tokens) do is_pattern = is_pattern or each == "*" end
  if is_pattern then remember(memory, "patterns", subject, tokens, MOST_PATTERNS)
  else remember(memory, "subjects", subject, true) end
end

local function listens(memory, subject)
  if recalled(memory, "subjects", subject) then return true end
  local tokens = memory.patterns and split_subject(subject)
  for _, each in pairs(tokens and memory.patterns.values or {}) do
    if has_tokens_of(tokens, each.value) then return true end
  end
  return false
end

local function is_inbox(subject) return subject:sub(1, 7) == "_INBOX." end

-- What other frames of NATS show: which server it is, and the subjects of subscriptions.
local function watch(seen)
  local mine, command, value = seen.here, seen.command, seen.value
  local subject, sid = value("subject"), value("sid")
  if command == "info" then
    local most = value("max_payload")
    if type(most) == "number" and most > 0 then mine.max_payload = most end
  elseif command == "connect" then
    local role = (value("name") or ""):match('^LIFT%.[^".]+%.[^".]+%.(%a+)$')
    if role and ROLES[role] then mine.role = role end
  elseif command == "sub" and subject then
    if mine.role == "streams" then
      if not internal(subject) and not is_inbox(subject) then subscribe(seen.everywhere, subject) end
    else
      subscribe(mine, subject)
      if sid then remember(mine, "sids", sid, subject) end
    end
  elseif command == "unsub" and value("max_msgs") == nil and sid then
    local known = recalled(mine, "sids", sid)
    for _, kept in ipairs({ "subjects", "patterns" }) do forgotten(mine, kept, known) end
    forgotten(mine, "sids", sid)
  end
end

local function is_map(byte) return byte ~= nil and (byte >= 0x80 and byte < 0x90 or byte == 0xDE or byte == 0xDF) end

-- Which call a map of results answers: by its keys.
local function answered(raw)
  if raw:find("\167LastLog", 1, true) then return "append_entries" end
  if raw:find("\167Granted", 1, true) then
    return raw:find("\165Peers", 1, true) and "request_vote" or "request_pre_vote"
  end
  return raw:find("\167Success", 1, true) and "install_snapshot" or "timeout_now"
end

-- What a message of Raft's stream of bytes is.
local function raft(raw)
  local a, b = raw:byte(1, 2)
  if a and CALLS[a] and is_map(b) then return CALLS[a] end
  if a and a >= 0xA0 and a < 0xC0 and is_map(raw:byte(a % 0x20 + 2)) then return answered(raw) .. "_response" end
  return "raft_bytes"
end

-- What stands without an envelope: by subject, by the request, or by who sends it.
local function bare(seen, subject, raw)
  if seen.here.role == "acks" and seen.sender == "client" then remember(seen.everywhere, "answers", subject, "ack") end
  local key = recalled(seen.everywhere, "answers", subject)
  if key then return raw ~= "" and key or nil end
  key = internal(subject)
  if key == "stream" then return raft(raw) end
  if raw == "" and key and not EMPTY[key] and not key:find("^raft_bootstrap") then return nil end
  return key
end

-- Whether a leader listens to a subject as that of a stream.
local function is_stream(seen, subject)
  if (seen.command == "msg" or seen.command == "hmsg") and seen.here.role == "streams" then
    return not internal(subject) and not is_inbox(subject)
  end
  return listens(seen.everywhere, subject)
end

-- Why a server would not take an envelope for a publish; nil where it would.
local function refusal(found, size)
  if not found then
    return { code = "length", offset = 0, length = size, message = ("an envelope of %d bytes; 8 are its header"):format(size) }
  end
  if found.version ~= 0 then
    return { code = "unknown_version", offset = 4, length = 1, message = ("an envelope of version %d"):format(found.version) }
  end
  if found.key ~= PUBLISH then
    return { code = "unknown_key", offset = 7, length = 1,
      message = ("an envelope of type %d where publishes are read"):format(found.key) }
  end
  for _, each in ipairs(found.problems) do
    if REFUSED[each.code] then
      return { code = each.code, offset = each.offset, length = each.length, message = each.message }
    end
  end
end

-- An envelope; a publish that does not decode is what the server makes of it.
local function envelope(seen, raw, plain)
  if not plain and raw:byte(8) ~= PUBLISH then return {} end
  local found = seen.read("")
  local wrong = refusal(found, #raw)
  if wrong then
    wrong.message = wrong.message .. AS_PLAIN
    return { dialect = "bare", key = "plain_publish", problems = { wrong } }
  end
  local inbox = found.value("ack_inbox")
  local is_subscribed = inbox ~= nil and listens(seen.here, inbox)
  return { agreed = { max_payload = seen.here.max_payload, inbox_heard = is_subscribed } }
end

-- What a frame of NATS holds: dialect, key where no head says it, problems, what is agreed; nil for what is not Liftbridge's.
return function(seen)
  local raw = seen.data
  if not raw then return watch(seen) end
  local everywhere, subject, reply = seen.everywhere, seen.value("subject") or "", seen.value("reply_to")
  if raw == "" and seen.value("status") == NO_RESPONDERS then
    return recalled(everywhere, "asked", subject) and { dialect = "bare", key = "no_responders" } or nil
  end
  local plain = is_stream(seen, subject)
  if raw:sub(1, #MAGIC) == MAGIC then
    if reply then remember(everywhere, "asked", reply, true) end
    return envelope(seen, raw, plain)
  end
  if raw:sub(1, #OLD_MAGIC) == OLD_MAGIC and #raw > #OLD_MAGIC then
    local found = not plain and seen.read("lift")
    local sound = found and #found.problems == 0 and found.value("unknown_fields") == nil
    return (plain or sound) and { dialect = "lift" } or nil
  end
  local key = bare(seen, subject, raw)
  if key then
    if ANSWERED[key] and reply then
      remember(everywhere, "answers", reply, ANSWERED[key])
      remember(everywhere, "asked", reply, true)
    end
    return { dialect = "bare", key = key }
  end
  return plain and { dialect = "bare", key = "plain_publish" } or nil
end
