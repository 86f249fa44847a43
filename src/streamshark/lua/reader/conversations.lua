-- What frames mean to each other: runs the tables of pairs, lifecycles, moves and rules ----------------------------
-- Expressions of the tables read what they name: the frame's own columns, `c`; columns that every frame has; objects,
-- which are those of the lifecycles, `conn`, the sides `me`, `peer`, `C` and `S`, the request `req` that is answered.
-- Nil is "not known", and makes every comparison false.

;(function() -- a scope of its own: Lua takes 200 names in one

local NO_OBJECT = setmetatable({}, { __newindex = function() end }) -- no object: nothing is known of it
local NONE = {}
local MOST_ALIKE, MOST_QUEUED = 1024, 65535 -- requests behind one with the same key, and in the order of the answers
local QUIET = 10e9 -- time in ns after which no answer comes any more

local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")
local tcp_completeness, tcp_lost = Field.new("tcp.completeness"), Field.new("tcp.analysis.lost_segment")
local tcp_unseen = Field.new("tcp.analysis.ack_lost_segment")
local tcp_window, tls_version = Field.new("tcp.window_size_value"), Field.new("tls.record.version")

local lives_by_name, is_object = {}, { conn = true, me = true, peer = true, C = true, S = true, req = true }
for _, lifecycle in ipairs(LIVES) do
  lives_by_name[lifecycle.name], is_object[lifecycle.name] = lifecycle, true
  local words = {} -- all that the lifecycle depends on
  for _, each in ipairs(lifecycle.steps) do
    lifecycle.renews = lifecycle.renews or each.from.absent
    words[#words + 1] = each.on
  end
  for _, all in ipairs({ lifecycle.each, lifecycle.keys }) do
    for _, each in ipairs(all) do words[#words + 1] = each.on end
  end
  lifecycle.words = table.concat(words, " ")
end
local queued = {} -- pairs whose answers come in the order of the requests
for _, pair in ipairs(PAIRS) do
  if not pair.key and pair.scope ~= "capture" then queued[#queued + 1] = pair end
end
for _, timer in ipairs(TIMERS) do timer.entry = {} end -- where an object keeps the time of its entry in the heap
local heard = {} -- what the tables trigger, and events of TCP, on which something depends
local ends = {} -- lifecycles of which the end of an object is such
for _, rule in ipairs(RULES) do
  for _, need in ipairs(rule.needs) do rule.whole_object = rule.whole_object or need == "object" end
  rule.expert = ProtoExpert.new(
    NAME .. ".expert." .. rule.name, rule.title, expert.group[rule.group], expert.severity[rule.severity]
  )
  experts[rule.name] = rule.expert
  if rule.worse then
    rule.worse_expert = ProtoExpert.new(
      NAME .. ".expert." .. rule.name, rule.title .. ", repeatedly", expert.group[rule.group], expert.severity[rule.worse]
    )
    experts[rule.name .. "_again"] = rule.worse_expert
  end
end

local function value_of(extractor)
  local found = extractor()
  return found and found() -- cheaper than its attribute
end

local function hear(on)
  for word_of_on in on:gmatch("%S+") do
    local bare = word_of_on:gsub("^client:", ""):gsub("^server:", "")
    if bare:find("^tcp%.") or bare:find(":") and not bare:find("^any:") then
      heard[bare] = { frame = { trigger = true, kind = "trigger", name = bare } }
      if bare:find("^end:") then ends[bare:sub(5)] = true end
    end
  end
end

for _, all in ipairs({ RULES, MOVES, TIMERS, BURSTS }) do
  for _, each in ipairs(all) do
    hear(each.on or "")
    hear(each.clear or "")
  end
end
for _, lifecycle in ipairs(LIVES) do
  for _, each in ipairs(lifecycle.steps) do hear(each.on) end
  for _, each in ipairs(lifecycle.each) do hear(each.on) end
end

-- What was seen of a connection, as a number: its start, the whole of it, both sides.
local function see(conn) conn.seen = (conn.start and 1 or 0) + (conn.whole and 2 or 0) + (conn.both and 4 or 0) end

-- From a time on, requests may wait that were not seen. Of lost answers of a side it is known whose they were where nothing
-- else waits.
local function doubt(talk, side, t)
  for _, pair in ipairs(queued) do
    for asker = 1, 2 do
      local open, unsure = talk.open[asker][pair.name], talk.unsure[asker]
      if not side or asker == side or open and open[""] or unsure[pair.name] then unsure[pair.name] = t end
    end
  end
end

local fire

function talks.begin()
  talks.all = {} -- what is known of connections, in the order of their beginnings
  talks.shared, talks.requests = {}, {} -- objects and open requests of all connections
  talks.heap, talks.serial, talks.repeated = {}, 0, {} -- timers, and what is counted by what is repeated
  talks.matches = {} -- of rules that count over all connections, by the value that they count by
  talks.latest_t, talks.not_before = 0, 0
  talks.undoing, talks.kept = nil, nil -- what the end of the captures brought, and what was before it
  for trigger, known in pairs(heard) do heard[trigger] = { frame = known.frame } end
end

-- A connection of which nothing has come yet. Where Wireshark hides what TCP says, the watcher of TCP knows it.
local function new_talk(carried)
  local seen, seq = value_of(tcp_completeness), value_of(tcp_seq) -- 1: SYN, 2: SYN-ACK, 4: ACK
  local opened = tcp_watcher.opened[tcp_watcher.name_of(pinfo)]
  if not view.tree and opened then
    local is_first = not opened.stop[opened.by_name[tcp_watcher.name_of(pinfo)]]
    seen, seq = opened.both and 7 or 1, is_first and 1 or 2
  end
  local encrypted = seq and tls_version() ~= nil
  local conn = { state = "unknown", frames = 0, epoch = 0, whole = seq ~= nil, encrypted = encrypted }
  conn.gapless, conn.carried = true, carried or false
  conn.start = seen ~= nil and seen % 2 == 1 and (carried or encrypted or seq == 1)
  conn.born, conn.both = conn.start, seen ~= nil and seen % 8 == 7
  if conn.start then
    conn.state = "absent"
    for name, start_value in pairs(lives_by_name.conn and lives_by_name.conn.starts or {}) do conn[name] = start_value end
  end
  local talk = { conn = conn, entities = {}, open = { {}, {} }, unsure = { {}, {} }, sides = {}, closed = {}, home = conversation }
  for side = 1, 2 do talk.sides[side] = { side = side, frames = 0, zero_windows = 0 } end
  conn.talk, talk.flow = talk, stream_of() or conversation.id
  talk.begun_n, talk.place = opened and opened.n or here.number, #talks.all + 1
  if seen and not conn.start then doubt(talk, nil, here.abs_ts * 1e9) end
  see(conn)
  talks.all[#talks.all + 1] = talk
  if conn.start and opened then
    talk.opener = opened.by_name[tcp_watcher.name_of(pinfo)] == 1 and side_of() or 3 - side_of()
    if not OPENING then conn.t = opened.t end -- what is embedded begins with its own first frame
    fire(talk, "tcp.open", nil, nil, opened.t, nil, talk.opener)
  end
  return talk
end

-- Bytes of a side were lost, or of both: what waits may be answered, and what objects count may be wrong from here on. They
-- were lost before frame `n`, else before the packets after this one.
local function lose(talk, side, n)
  local conn = talk.conn
  doubt(talk, side, math.max(talk.sides[1].latest_t or 0, talk.sides[2].latest_t or 0))
  talk.open = { {}, {} }
  conn.epoch, conn.whole, conn.lost_n = conn.epoch + 1, false, n or here.number + 1
  see(conn)
  for _, entities in pairs(talk.entities) do
    for _, entity in pairs(entities) do
      for _, slot in pairs(entity) do
        if type(slot) == "table" and slot.runs then slot.whole = false end
      end
    end
  end
end

-- Triggers what depends on bytes that are not read. Before the first frame, or its head, the connection may be another
-- protocol's, so it waits for that.
local function fire_loss(talk, trigger, side, columns)
  if talk.conn.n or talk.is_recognised then return fire(talk, trigger, nil, nil, here.abs_ts * 1e9, nil, side, columns) end
  talk.losses = talk.losses or {}
  table.insert(talk.losses, { trigger, here.abs_ts * 1e9, side, columns })
end

local function fire_losses(talk)
  for _, each in ipairs(talk.losses) do fire(talk, each[1], nil, nil, each[2], nil, each[3], each[4]) end
  talk.losses = nil
end

-- A frame begins whose rest is missing.
function talks.recognise()
  local talk = conversation.talk
  talk.is_recognised = true
  if talk.losses then fire_losses(talk) end
end

-- Packets are missing in the capture: of so many bytes, none where an acknowledgement has shown it before.
local function miss(talk, side, length)
  if length ~= 0 then fire_loss(talk, "tcp.gap", side, { length = length }) end
  talk.conn.gapless = false
  lose(talk, side)
end

-- A packet of a side acknowledges bytes of the other one that were not captured. Its frames and the watcher of TCP may both
-- notice that.
local function miss_acknowledged(talk, side, length)
  if talk.unseen_at == here.number then return end
  talk.unseen_at = here.number
  miss(talk, 3 - side, length)
end

-- Whether segments are missing before this one.
function talks.is_after_loss() return view.tree and tcp_lost() ~= nil end

-- Whether all bytes of the connection were captured so far.
function talks.is_gapless() return conversation.talk.conn.start and conversation.talk.conn.gapless end

-- Bytes of this side are missing: frames may have been among them.
function talks.lose() lose(conversation.talk, side_of()) end

-- Bytes of a side were skipped, since no frame begins there, or they are another protocol's.
function talks.skip(length, reason, side)
  side = side or side_of()
  fire_loss(conversation.talk, "tcp.resync", side, { skipped = length, reason = reason })
  lose(conversation.talk, side, math.max(here.number, id_here + 0.5 / FINE))
end

-- Counts a packet of a side that has no room for more bytes; its frames are judged after that.
local function count_full(talk, me)
  if talk.full_at == here.number then return end
  talk.full_at, me.zero_windows = here.number, me.zero_windows + 1
end

local HTTP2 = "PRI * HTTP/2.0" -- the first bytes of a client of HTTP/2

-- What TCP says of a segment that brings bytes: lost ones before it, and up to when the other side was captured.
function talks.see_segment(carried)
  local talk = conversation.talk
  if not talk then
    talk = new_talk(carried)
    conversation.talk = talk
  elseif not talk.conn.encrypted and next(UPGRADES) then
    talk.conn.encrypted = tls_version() ~= nil -- TLS may begin after frames in plain text
  end
  if carried and not talk.conn.n then talk.conn.carried = true end -- before, it may have been tried without a carrier
  local side = side_of()
  local me, peer = talk.sides[side], talk.sides[3 - side]
  me.latest_t = here.abs_ts * 1e9
  if not view.tree then return end -- nothing is said then
  if tcp_lost() then
    miss(talk, side, me.stop and value_of(tcp_seq) - me.stop)
    me.waits_from = nil
  end
  me.from, me.is_cut = me.waits_from or value_of(tcp_seq), false
  local given = not carried and me.from + #data or 0 -- segments that came out of order are given with the one before them
  me.stop, me.awaited, me.waits_from = math.max(me.stop or 0, value_of(tcp_next), given), nil, nil
  if value_of(tcp_window) == 0 then count_full(talk, me) end
  if tcp_unseen() then miss_acknowledged(talk, side) end
  local acked, stop_of_peer = value_of(tcp_ack), peer.awaited or peer.stop or 1
  if not acked or carried or talk.conn.encrypted then return end
  if acked <= stop_of_peer + 1 then peer.latest_t = me.latest_t -- FIN counts as a byte
  elseif talk.conn.start then -- acknowledged, and never seen here
    local begins_http2 = data:sub(1, #HTTP2) == HTTP2 -- before it, servers send settings, which Wireshark does not yet read as such
    if not begins_http2 then miss_acknowledged(talk, side, acked - stop_of_peer) end
    peer.stop = acked
  end
end

-- Bytes are waited for, of a frame whose head is not whole an unknown number. Segments that bring some of them are not passed
-- to the plugin, so they may be acknowledged.
function talks.wait(from, missing)
  local me = conversation.talk.sides[side_of()]
  me.is_cut = not missing
  if missing then me.awaited, me.waits_from = me.stop and me.stop + missing, me.from and me.from + from end
end

-- A side has ended: bytes in which a frame begins whose head is not whole are skipped.
local function end_side(talk, side)
  local me = talk.sides[side]
  if not me.is_cut then return end
  me.is_cut = false
  fire_loss(talk, "tcp.resync", side, { reason = "the connection or capture ended first" })
  lose(talk, side)
end

-- The side that is the client: proved by frames or by its SYN, else given by the port where the start of the connection was seen.
local function client_of(side)
  local proved = conversation.client or conversation.talk.opener
  if proved or not conversation.talk.conn.start then return proved end
  local to, from = preferences.servers[here.dst_port], preferences.servers[here.src_port]
  return to and not from and side or from and not to and 3 - side or nil
end

-- A listener sees losses in segments that are kept back. That it has a filter makes Wireshark keep TCP's fields on the
-- first pass, too.
local listener

function talks.listen(wanted)
  if wanted and not listener then
    listener = Listener.new("tcp", "tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment")
    function listener.packet()
      local number = value_of(stream_number)
      local found = number and streams[number]
      if found and found.talk then lose(found.talk) end
    end
  elseif listener and not wanted then
    listener:remove()
    listener = nil
  end
end

-- The places of some tables by the words of their `on`, or of another member that has such words.
local places_of = setmetatable({}, { __mode = "k" })

local function places_by_word(all, on)
  local own = places_of[all] or {}
  places_of[all] = own
  if not own[on] then
    own[on] = {}
    for index, each in ipairs(all) do
      for word in (each[on] or ""):gmatch("%S+") do
        own[on][word] = own[on][word] or {}
        table.insert(own[on][word], index)
      end
    end
  end
  return own[on]
end

-- The words of an `on` that mean a frame of one side.
local function words_for(frame, sender)
  local found = { frame.name, "any:" .. (frame.kind or "unknown") }
  if not frame.trigger then found[#found + 1] = "any" end
  if frame.coded then found[#found + 1] = "any:coded" end
  if sender == "client" or sender == "server" then
    for index = 1, #found do found[#found + 1] = sender .. ":" .. found[index] end
  end
  return found
end

-- The places of those tables that a frame is for, as a set.
local function meant_places(all, on, meant)
  local places, found = places_by_word(all, on), nil
  for _, each in ipairs(meant) do
    if places[each] then
      found = found or {}
      for _, index in ipairs(places[each]) do found[index] = true end
    end
  end
  return found or NONE
end

-- What the tables say of a frame from one side.
local function roles_of(frame, sender)
  local meant = words_for(frame, sender)
  local function those(all, on)
    local are_meant, places, found = meant_places(all, on, meant), {}, {}
    if are_meant == NONE then return NONE end
    for index in pairs(are_meant) do places[#places + 1] = index end
    table.sort(places)
    for _, index in ipairs(places) do found[#found + 1] = all[index] end
    return found
  end
  local roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lifecycles = {}, steps = {}, each = {} }
  roles.moves, roles.rules, roles.bursts = those(MOVES, "on"), those(RULES, "on"), those(BURSTS, "on")
  roles.starts, roles.clears = meant_places(TIMERS, "on", meant), meant_places(TIMERS, "clear", meant)
  for _, lifecycle in ipairs(those(LIVES, "words")) do
    local own = { lifecycle = lifecycle, steps = those(lifecycle.steps, "on"), each = those(lifecycle.each, "on"), births = {} }
    for _, birth in ipairs(lifecycle.name ~= "conn" and not frame.of and own.steps or {}) do
      if birth.from.absent then own.births[#own.births + 1] = birth end
    end
    local key = those(lifecycle.keys, "on")[1]
    if key then own.key, own.items, own.guard = key.key, key.items, key.guard end
    local is_own = lifecycle.name == "conn" or lifecycle.name == frame.of
    if own.key and lifecycle.name ~= frame.of then roles.lifecycles[#roles.lifecycles + 1] = own end
    if #own.steps > 0 and (is_own or own.key and not own.items and not frame.of) then roles.steps[#roles.steps + 1] = own end
    if #own.each > 0 and not frame.of then roles.each[#roles.each + 1] = own end
  end
  return roles
end

local keys_made, number_of_keys = {}, 0 -- keys by their parts, for most come again
local MOST_KEYS = 4096

-- The parts of a key of two columns; nil where one is not known.
function f.key(one, two)
  if one == nil or two == nil then return nil end
  local behind = keys_made[one]
  local both = behind and behind[two]
  if not both then
    if number_of_keys >= MOST_KEYS then keys_made, number_of_keys = {}, 0 end
    keys_made[one] = keys_made[one] or {}
    both = tostring(one) .. "\0" .. tostring(two)
    keys_made[one][two], number_of_keys = both, number_of_keys + 1
  end
  return both
end

-- Whether nothing was lost since the first of some frames.
function f.since(conn, ...)
  for index = 1, conn.lost_n and select("#", ...) or 0 do
    local n = select(index, ...)
    if n and n < conn.lost_n then return false end
  end
  return true
end

local function things_of(lifecycle, conn)
  local all = lifecycle.scope == "capture" and talks.shared or conn.talk.entities
  all[lifecycle.name] = all[lifecycle.name] or {}
  return all[lifecycle.name]
end

local function new_thing(key, state, n, t, epoch)
  return { id = key, state = state, n = n, t = t, frames = 0, born = false, epoch = epoch }
end

-- The object of a lifecycle with a key: the one that is known, or a new one.
local function meet(lifecycle, key, conn, n, t)
  if key == nil then return NO_OBJECT end
  local entities = things_of(lifecycle, conn)
  local entity = entities[key]
  if entity and (lifecycle.scope == "capture" or entity.epoch == conn.epoch or not entity.over and entity.state ~= "absent") then
    return entity
  end
  local absent = lifecycle.scope ~= "capture" and conn.start and conn.both and not conn.continues
  entity = new_thing(key, absent and conn.whole and "absent" or "unknown", n, t, conn.epoch)
  entity.unsure = absent and conn.doubted -- most likely absent: it has no conversation before its birth
  entities[key] = entity
  return entity
end

-- A birth: of the object that has just been met, or of a new one in its place.
local function renew(lifecycle, entity, conn, n, t, side)
  if entity == NO_OBJECT then return entity end
  if entity.met or entity.over then
    if not entity.over and entity.state == "unknown" then fire(conn.talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, "lost") end
    entity = new_thing(entity.id, "absent", n, t, conn.epoch)
    things_of(lifecycle, conn)[entity.id] = entity
  end
  entity.state, entity.epoch, entity.born, entity.owner = "absent", conn.epoch, true, side
  for name, value in pairs(lifecycle.starts) do entity[name] = value end
  return entity
end

function f.live(conn, name)
  local count = 0
  for _, entity in pairs(conn.talk.entities[name] or NONE) do
    if lives_by_name[name].live[entity.state] then count = count + 1 end
  end
  return count
end

function f.outstanding_ids(conn, entity, name)
  local found = entity[name]
  if not found then
    local whole = conn.start and conn.whole
    if entity.epoch and (entity ~= conn or lives_by_name.conn) then whole = entity.born and entity.epoch == conn.epoch end
    found = { runs = {}, twice = {}, count = 0, whole = whole or false }
    entity[name] = found
  end
  return found
end

local function requests_of(pair, side)
  local all = pair.scope == "capture" and talks.requests or conversation.talk.open[side]
  all[pair.name] = all[pair.name] or {}
  return all[pair.name]
end

-- Takes over the objects of a lifecycle, with their open requests, from the connection that this one resumes.
function f.adopt(conn, name)
  local before = conversation.resumes
  conn.continues = true
  if not before or not before.talk or before == conversation or before.client ~= conversation.client then return end
  for side = 1, 2 do
    for _, pair in ipairs(PAIRS) do
      if pair.of == name then
        local open = before.talk.open[side]
        for key, waiting in pairs(open[pair.name] or {}) do requests_of(pair, side)[key] = waiting end
        open[pair.name] = nil
      end
    end
  end
  local entities = things_of(lives_by_name[name], conn)
  for key, entity in pairs(before.talk.entities[name] or {}) do
    if not entity.over then
      entity.born, entity.epoch, entity.home = false, conn.epoch, conversation
      entities[key] = entity
    end
  end
  before.talk.entities[name] = nil
end

-- Whether what a rule needs of the connection was seen.
local function is_seen(rule, conn)
  for _, need in ipairs(rule.needs) do
    if need == "since" then
      if not f.since(conn, id_here) then return false end
    elseif need ~= "object" and not conn[need] then return false end
  end
  return true
end

-- Whether what a rule needs of its object was seen.
local function is_known(rule, given)
  local of, conn = given[rule.of] or NO_OBJECT, given.conn
  if of == conn or of.side then return conn.start and conn.whole end
  return of.born and of.epoch == conn.epoch
end

-- The value of an expression of the tables, where what it names is in a table.
local function result_of(expression, given)
  local say, wanted = compiled(expression)
  local values = {}
  for index = 1, #wanted do
    local value = given[wanted[index]]
    if value == nil and is_object[wanted[index]] then value = NO_OBJECT end
    values[index] = value
  end
  return say(unpack(values, 1, #wanted))
end

-- Whether what a rule needs was seen, and what it asks for holds.
local function holds(rule, given)
  return is_seen(rule, given.conn) and (not rule.whole_object or is_known(rule, given))
    and (not rule.guard or result_of(GUARDS[rule.guard], given)) and (not rule.fixed or result_of(rule.fixed, given))
    and (not rule.when or result_of(rule.when, given))
end

local MOST_COUNTED = 10000 -- values that a rule counts by

-- Where the matches of a rule that counts by a value are counted.
local function matches_by(rule, value)
  local own = talks.matches[rule]
  if not own or own.count >= MOST_COUNTED and not own.of[value] then
    own = { count = 0, of = {} }
    talks.matches[rule] = own
  end
  if not own.of[value] then own.of[value], own.count = {}, own.count + 1 end
  return own.of[value]
end

-- Counts a match of a rule that becomes worse with their number, or with their number within a time; from the match on that
-- makes it worse it stays so.
local function count_match(rule, owner, t)
  local matches = owner[rule]
  if not matches then
    matches = { count = 0, times = {} }
    owner[rule] = matches
  end
  matches.count = matches.count + 1
  if matches.worse_at then return matches end
  local times, is_worse = matches.times, matches.count == rule.worse_from
  if rule.worse_within then
    times[#times + 1] = t
    if #times > rule.worse_from then table.remove(times, 1) end
    is_worse = #times == rule.worse_from and t - times[1] <= rule.worse_within
  end
  if is_worse then matches.worse_at = matches.count end
  return matches
end

-- Takes a match back: bytes are missing before it.
local function discount_match(matches)
  if matches.worse_at == matches.count then matches.worse_at = nil end
  matches.count = matches.count - 1
  table.remove(matches.times)
end

-- Whether a match of an object that connections share is reported: the first one, and the one that makes the rule worse.
local function is_reported(matches) return matches.count == 1 or matches.count == matches.worse_at end

-- Whether a rule has reported nothing so far of an object that connections share: it is reported once.
local function is_news(rule, entity)
  local known = entity[rule]
  if entity ~= NO_OBJECT then entity[rule] = true end
  return not known
end

-- The usual mistake, of a rule with several the one of a value.
local function cause_of(rule, value)
  local cause = value ~= nil and rule.causes[value]
  return cause or rule.cause
end

-- A finding; `matches` is what `count_match` gives of a rule that may become worse.
local function new_finding(rule, text, cause, matches)
  local is_worse = matches ~= nil and matches.worse_at ~= nil
  return {
    rule = rule, text = text, cause = cause, matches = matches, severity = is_worse and rule.worse or rule.severity,
    expert = is_worse and rule.worse_expert or rule.expert,
  }
end

local function notice(rule, text, cause, matches)
  local own = note()
  own.findings = own.findings or {}
  table.insert(own.findings, new_finding(rule, text, cause, matches))
end

-- Notices at an earlier frame, which is seen on a later visit; `talk` is that of the connection, whose last frame stands for none.
local function notice_at(rule, text, cause, talk, n, matches)
  n = n or talk.latest_n
  local own = notes[n or 0] or {}
  if not n then return end
  notes[n], own.findings = own, own.findings or {}
  for _, each in ipairs(own.findings) do
    if each.rule == rule and each.text == text then return end
  end
  local found = new_finding(rule, text, cause, matches)
  found.is_final = talks.undoing ~= nil
  table.insert(own.findings, found)
  if talks.undoing then table.insert(talks.undoing, own) end
end

-- Lets the next one of those that wait with one key be the oldest.
local function advance(open, oldest)
  local following_one = oldest.behind
  open[oldest.key], oldest.behind = following_one, nil
  if following_one then following_one.last, following_one.waiting = oldest.last, oldest.waiting - 1 end
end

-- Requests with one key wait in a row, of which the oldest is found: it knows the last one, and how many wait behind it.
-- Where unseen requests may wait before them, those that are answered in order are not kept until it has been quiet.
local function ask(request)
  local open, key, pair = requests_of(request.pair, request.side), request.key, request.pair
  local unsure = not pair.key and conversation.talk.unsure[request.side]
  if unsure then
    local is_quiet = not unsure[pair.name] or request.t - unsure[pair.name] >= QUIET
    unsure[pair.name] = not is_quiet and request.t or nil
    if not is_quiet then return end
  end
  local oldest = open[key]
  if not oldest then open[key] = request
  else
    local last = oldest.last or oldest
    last.behind, oldest.last, oldest.waiting = request, request, (oldest.waiting or 0) + 1
    if oldest.waiting > (unsure and MOST_QUEUED or MOST_ALIKE) then
      if unsure then open[key], unsure[pair.name] = nil, request.t else advance(open, oldest) end
    end
  end
end

-- The first one of those that wait with a request's key waits no more, since that was answered.
local function settle(request)
  local open = requests_of(request.pair, request.side)
  advance(open, open[request.key])
  request.over = true
end

-- Shows both packets of a pair where the other one is.
local function join(own, n, mark)
  links.request[own], links.time[own] = math.floor(n), here.rel_ts - mark
  links.response[n] = links.response[n] or here.number
end

-- The id of a frame's conversation, as `read` gives it; nil where it is not known here.
function talks.id_at(id)
  local found = links.conversation[id]
  if not found or not found[1] then return nil end
  local talk, n = found[1], found[2]
  local packet = math.floor(n)
  local behind = math.floor((n - packet) * FINE + 0.5) + 1
  local start = behind > 1 and ("%d.%d"):format(packet, behind) or ("%d"):format(packet)
  return talk.stream and ("%d-%s-%s"):format(talk.stream, start, found[3])
end

function talks.id_of_conversation()
  local found = links.conversation[id_here]
  local talk = found and found[1]
  if talk and talk == conversation.talk then talk.stream = talk.stream or stream_of() or nil end
  return talks.id_at(id_here)
end

-- The value of a field that spans commands where the frame has none and its conversation knows it.
function talks.known(name)
  local found = links.conversation[id_here]
  local value = found and found[name]
  return type(value) == "string" and value ~= "" and value or nil
end

-- The same conversation, as frames from here on know it.
local function with_known(begun_as, name, value)
  local own = { [name] = value }
  for key, each in pairs(begun_as) do if key ~= name then own[key] = each end end
  return own
end

-- What few rules ask of a frame: where its ends are, and how others find it.
local function dialect_of()
  local changes = conversation.dialects
  return preferences.dialect ~= "" and preferences.dialect or changes[#changes] and changes[#changes].dialect or ""
end

-- The bytes of the frame that was read last, its length prefix included.
local function octets_of(size) return data:sub(first + 1, first + size) end

-- Remembers the addresses of both ends.
local function name_ends(talk, from_client)
  talk.client = tostring(from_client and here.src or here.dst)
  local address = tostring(from_client and here.dst or here.src)
  if address:find(":", 1, true) then address = "[" .. address .. "]" end
  talk.server = address .. ":" .. (from_client and here.dst_port or here.src_port)
end

-- What time and the ends of objects and connections trigger --------------------------------------------------

-- Objects of a lifecycle that go on, in the order of their first frames.
local function open_objects(talk, name)
  local found = {}
  for _, entity in pairs(talk.entities[name] or NONE) do
    if not entity.over then found[#found + 1] = entity end
  end
  table.sort(found, function(one, other) return (one.n or 0) < (other.n or 0) end)
  return found
end

local function in_heap(one, other) return one.t < other.t or one.t == other.t and one.serial < other.serial end

local function arm(timer, entity, deadline, talk)
  entity[timer] = deadline
  local before = entity[timer.entry]
  if before and before <= deadline then return end
  entity[timer.entry] = deadline
  local heap = talks.heap
  talks.serial = talks.serial + 1
  local entry, at_heap = { t = deadline, serial = talks.serial, entity = entity, timer = timer, talk = talk }, #heap + 1
  while at_heap > 1 do
    local above = math.floor(at_heap / 2)
    if not in_heap(entry, heap[above]) then break end
    heap[at_heap], at_heap = heap[above], above
  end
  heap[at_heap] = entry
end

-- Takes the first entry out of the heap.
local function pop(heap)
  local earliest, last = heap[1], table.remove(heap)
  local at_heap, count = 1, #heap
  if count == 0 then return earliest end
  while 2 * at_heap <= count do
    local below = 2 * at_heap
    if below < count and in_heap(heap[below + 1], heap[below]) then below = below + 1 end
    if not in_heap(heap[below], last) then break end
    heap[at_heap], at_heap = heap[below], below
  end
  heap[at_heap] = last
  return earliest
end

-- Lets timers go off that are due.
local function ring(t)
  local heap = talks.heap
  while heap[1] and heap[1].t <= t do
    local entry = pop(heap)
    local entity, timer = entry.entity, entry.timer
    local talk = entity.home and entity.home.talk or entry.talk
    if entity[timer.entry] == entry.t then
      local deadline = entity[timer]
      entity[timer.entry] = nil
      if deadline and not entity.over and not talk.ended then
        if deadline > entry.t then arm(timer, entity, deadline, talk)
        else
          entity[timer] = nil
          fire(talk, "timer:" .. timer.name, timer.of, entity, entry.t)
        end
      end
    end
  end
end

local MOST_REPEATED = 10000 -- keys of what is counted

-- Counts one more of what is repeated: gives the frames from the second on where there are so many in so short a time.
local function repeated(burst, key, t, n, distinct)
  if key == nil then return nil end
  local all = talks.repeated[burst] or { count = 0 }
  talks.repeated[burst] = all
  local times = all[key]
  if not times then
    if all.count >= MOST_REPEATED then
      all = { count = 0 }
      talks.repeated[burst] = all
    end
    times, all.count = {}, all.count + 1
    all[key] = times
  end
  while times[1] and times[1].t < t - burst.window do table.remove(times, 1) end
  if distinct ~= nil then
    for _, each in ipairs(times) do if each.distinct == distinct then return nil end end
  end
  times[#times + 1] = { t = t, n = n, distinct = distinct }
  if #times > burst.limit then table.remove(times, 1) end
  if #times < burst.limit then return nil end
  local proof = {}
  for index = 2, #times do proof[#proof + 1] = times[index].n end
  return proof
end

-- Ends requests without an answer, and objects, but those of the lifecycles in `others`.
local function end_all(talk, t, why, others)
  for side = 1, 2 do
    for _, pair in ipairs(PAIRS) do
      local waiting = pair.scope ~= "capture" and not others[pair.of or ""] and talk.open[side][pair.name]
      if waiting then
        talk.open[side][pair.name] = nil
        talks.end_requests(pair, waiting, t, why)
      end
    end
  end
  for _, lifecycle in ipairs(LIVES) do
    if lifecycle.scope == "connection" and lifecycle.name ~= "conn" and not others[lifecycle.name] and ends[lifecycle.name] then
      for _, entity in ipairs(open_objects(talk, lifecycle.name)) do
        fire(talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, why)
      end
    end
  end
end

-- Requests with a key each, and those that wait in a row after them, stay without an answer.
function talks.end_requests(pair, waiting, t, why)
  if not heard["unanswered:" .. pair.name] then return end
  local all = {}
  for _, first_one in pairs(waiting) do
    local request = first_one
    while request do
      all[#all + 1] = request
      request = request.behind
    end
  end
  table.sort(all, function(one, other) return one.n < other.n end)
  for _, request in ipairs(all) do fire(request.talk, "unanswered:" .. pair.name, "req", request, t, why) end
end

-- Ends a connection: its requests, then its objects, then itself. Objects may survive it, and go on on another one.
local function end_talk(talk, t, why)
  if talk.ended then return end
  local others = {}
  for _, lifecycle in ipairs(LIVES) do
    if lifecycle.survives and why ~= "end" and result_of(lifecycle.survives, { conn = talk.conn, why = why, t = t }) then
      others[lifecycle.name], talk.survives = true, true
    end
  end
  end_all(talk, t, why, others)
  for name in pairs(others) do
    for _, entity in ipairs(open_objects(talk, name)) do fire(talk, "left:" .. name, name, entity, t, why) end
  end
  local conn = talk.conn -- without frames it may be another protocol's, but for one that begins and ends
  if conn.n or conn.start and conn.whole and conn.both then fire(talk, "end:conn", "conn", talk.conn, t, why) end
  talk.ended = true
end

-- Runs what depends on a trigger, or on an event of TCP of a side.
function fire(talk, trigger, of, subject, t, why, side, columns)
  local known = heard[trigger]
  if not known then return end
  local conn, client = talk.conn, talk.home.client or talk.opener
  known.frame.of = of
  if of then side = subject.side or nil end
  local lifecycle = of and lives_by_name[of]
  known.frame.is_shared = lifecycle ~= nil and lifecycle.scope == "capture"
  local sender = not of and side and client and (client == side and "client" or "server") or nil
  local situation = conn.seen + (not sender and 0 or sender == "client" and 8 or 16)
  local follow = known[situation]
  if not follow then
    follow = talks.write_follower(known.frame, conn, sender, false)
    known[situation] = follow
  end
  local outer = conversation
  conversation = talk.home
  local me, peer = side and talk.sides[side] or NO_OBJECT, side and talk.sides[3 - side] or NO_OBJECT
  local C, S = client and talk.sides[client] or NO_OBJECT, client and talk.sides[3 - client] or NO_OBJECT
  follow(columns or NONE, subject, talk, conn, me, peer, C, S, side, t, why)
  conversation = outer
end

-- Numbers that Lua cannot hold are not known, but as keys their digits do.
local function exact(frame, c)
  if large then
    local digits_of = {}
    for path, value in pairs(c) do
      if type(value) == "userdata" then digits_of[path] = value end
    end
    for path, value in pairs(digits_of) do
      c[path], c["exact " .. path] = held_of(value), value:tohex()
    end
  end
  if frame.flags_of then
    local bits = c[frame.flags_of]
    for mask, name in pairs(bits and frame.flags or {}) do
      c[frame.flags_of .. "." .. name] = band(bits, mask) ~= 0
    end
  end
end

-- Whether the frame that was read last was not read to its end.
local function is_cut()
  for _, each in ipairs(problems) do
    if not each.inside and CODES[each.code].severity == "ERROR" then return true end
  end
  return false
end

local HELP = {
  is_cut = is_cut,
  fire = fire, with_known = with_known, notice_at = notice_at, arm = arm, repeated = repeated, open_objects = open_objects, ends = ends,
  talks = talks, here = here, meet = meet, renew = renew, is_news = is_news, is_reported = is_reported, matches_by = matches_by, count_match = count_match, notice = notice, cause_of = cause_of, ask = ask,
  byte = string.byte, settle = settle, join = join, dialect_of = dialect_of, octets_of = octets_of, links = links, NO_OBJECT = NO_OBJECT, NONE = NONE, pairs = pairs, ipairs = ipairs,
}

-- What follows such frames: by kind of frame, then by what was seen of the connection and who sends. `is_client` is whether
-- who sends has opened the connection: of two servers either may.
function talks.write_follower(frame, conn, sender, is_client)
  local seen = { start = conn.start, whole = conn.whole, both = conn.both }
  return follower(frame, sender, is_client, seen, roles_of(frame, sender), HELP)
end

-- The columns of the frame that was read, with those that a carrier gives it.
local function columns_of(frame)
  local c = setmetatable(v, nil)
  if large or frame.flags_of then exact(frame, c) end
  if around then
    for name, value in pairs(around.columns) do c["carrier." .. name] = value end
  end
  return c
end

-- What the connection of a frame has agreed, or that of the carrier around it.
local function agreed_by_connection() return around and around.within and around.within.agreed or conversation.agreed end

local MOST_STREAMS = 65536 -- of a connection that have types of their own

-- What counts as agreed for a frame: metadata may state another type of the data on its stream. It is that of the sender's
-- data from this frame on. The types that the sender accepts are those of the peer's data; of several, none is known.
local function agreed_on_stream(frame, c, side, more, agreed)
  local talk, stream, metadata = conversation.talk, c[STREAM_TYPES.by], c[STREAM_TYPES.metadata .. " raw"]
  local stated = talk.stated
  if stream == nil or not stated and not metadata then return agreed end
  if stated and STREAM_TYPES.opens[frame.command] then stated[1][stream], stated[2][stream] = nil, nil end
  local own, accepted = nil, nil
  if metadata then own, accepted = f.predicates.types_of_stream(metadata, agreed) end
  if own or accepted then
    if not stated or stated.count >= MOST_STREAMS then stated = { {}, {}, count = 0 } end
    talk.stated, stated.count = stated, stated.count + 1
    if more then own, accepted = {}, {} end -- of a fragment nothing is sure
    if accepted then stated[3 - side][stream] = #accepted == 1 and accepted[1] end
    if own then stated[side][stream] = own[1] or false end
  end
  local one = stated and stated[side][stream]
  if one == nil then return agreed end
  local changed = {}
  for name, value in pairs(agreed) do changed[name] = value end
  changed[STREAM_TYPES.agreement] = one or nil
  return changed
end

-- One frame, on its first visit.
function talks.follow(frame, side, size, more)
  local talk = conversation.talk
  local conn, me, peer = talk.conn, talk.sides[side], talk.sides[3 - side]
  if talk.ended then return end
  local heap, c = talks.heap, columns_of(frame)
  if heap[1] and heap[1].t <= me.latest_t then ring(me.latest_t) end
  talk.latest_n, talks.latest_t = id_here, me.latest_t
  if not me.first_n then
    if talk.losses then fire_losses(talk) end
    me.first_n, me.first_t = id_here, me.latest_t
    conn.both = conn.both or peer.first_n ~= nil
    conn.n, conn.t = conn.n or id_here, conn.t or me.latest_t
    conn.begun_as = conn.begun_as or { talk, id_here, lives_by_name.conn.type or "connection" }
    see(conn)
  end
  local client = client_of(side)
  if client and not talk.client then name_ends(talk, client == side) end
  local situation = conn.seen + (not client and 0 or client == side and 8 or 16) + (between_servers and 24 or 0)
  local followers = talks.followers[frame]
  local follow = followers and followers[situation]
  if not follow then
    local sender = between_servers and "peer" or client and (client == side and "client" or "server")
    follow = talks.write_follower(frame, conn, sender, client == side)
    talks.followers[frame] = followers or {}
    talks.followers[frame][situation] = follow
  end
  local agreed = agreed_by_connection()
  if STREAM_TYPES then agreed = agreed_on_stream(frame, c, side, more, agreed) end
  follow(c, talk, conn, me, peer, side, id_here, size, not more, agreed)
end

-- Bytes are missing before those of this packet, whose frames were followed: what was noticed of them is taken back.
function talks.doubt(talk, side)
  for nth = 1, counts[here.number] or 1 do
    local own = notes[here.number + (nth - 1) / FINE]
    for _, each in ipairs(own and own.findings or NONE) do if each.matches then discount_match(each.matches) end end
    if own then own.findings = nil end
  end
  miss(talk, side)
end

-- What TCP says of a packet without frames, or after its frames: the end of a side, a full receiver, bytes that the snap
-- length cut off.
function talks.see_event(name, is_here, length)
  local talk = conversation.talk
  if not talk or talk.ended then return end
  local t, side = here.abs_ts * 1e9, side_of()
  if name == "snapped" then
    local me = talk.sides[side]
    me.stop = math.max(me.stop or 0, value_of(tcp_next) or 0)
    return miss(talk, side, length)
  end
  if name == "lost" or name == "unseen" then
    if is_here and name == "lost" then talks.doubt(talk, side) elseif name == "unseen" then miss_acknowledged(talk, side) end
    return
  end
  ring(t)
  talks.latest_t = t
  if name == "tcp.zero_window" then count_full(talk, talk.sides[side]) end
  if name == "tcp.close" then
    if talk.closed[side] then return end
    talk.closed[side] = true
    end_side(talk, side)
  elseif name == "tcp.reset" then
    for each = 1, 2 do end_side(talk, each) end
  end
  fire(talk, name, nil, nil, t, nil, side)
  if name == "tcp.reset" then end_talk(talk, t, "reset")
  elseif name == "tcp.close" and talk.closed[1] and talk.closed[2] then end_talk(talk, t, "closed") end
end

-- The end of the captures is known when packets come again: all connections end there. In the window more packets may
-- follow, while they are captured or read: then all is again as it was.

local function remember(what, kept)
  if kept[what] then return end
  local own, inner = {}, {}
  kept[what] = own
  for key, value in pairs(what) do
    own[key] = value
    if type(value) == "table" then inner[#inner + 1] = value end
  end
  return inner
end

-- What is in the tables that can be reached, by table.
local function remember_all(...)
  local kept, waiting = {}, { ... }
  while #waiting > 0 do
    for _, each in ipairs(remember(table.remove(waiting), kept) or NONE) do waiting[#waiting + 1] = each end
  end
  return kept
end

local in_window = gui_enabled()
local PATIENCE = 20 -- times the time that it took is waited before all connections are ended again

-- Connections in the order of their SYNs, as `check` ends them; where no SYN was captured, of their first bytes.
local function talks_by_beginning()
  local all = {}
  for index, talk in ipairs(talks.all) do all[index] = talk end
  table.sort(all, function(one, other)
    if one.begun_n ~= other.begun_n then return one.begun_n < other.begun_n end
    return one.place < other.place
  end)
  return all
end

function talks.finish()
  if talks.undoing or os.clock() < talks.not_before then return end
  local began = os.clock()
  talks.kept = in_window and remember_all(talks.all, talks.shared, talks.requests, talks.heap, talks.repeated, talks.matches) or nil
  talks.undoing = {}
  local t, all = talks.latest_t, talks_by_beginning()
  for _, talk in ipairs(all) do
    for side = 1, talk.ended and 0 or 2 do end_side(talk, side) end
  end
  for _, talk in ipairs(all) do end_talk(talk, t, (talk.closed[1] or talk.closed[2]) and "closed" or "end") end
  for _, talk in ipairs(all) do
    if talk.survives then end_all(talk, t, "end", NONE) end
  end
  for _, pair in ipairs(PAIRS) do
    if pair.scope == "capture" and talks.requests[pair.name] then talks.end_requests(pair, talks.requests[pair.name], t, "end") end
  end
  for _, lifecycle in ipairs(LIVES) do
    local shared = lifecycle.scope == "capture" and ends[lifecycle.name] and open_objects({ entities = talks.shared }, lifecycle.name)
    for _, entity in ipairs(shared or NONE) do
      local talk = { conn = { seen = 0, epoch = 0 }, sides = { {}, {} }, entities = {}, home = new_conversation() }
      talk.flow, talk.latest_n = entity.flow, entity.n
      fire(talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, "end")
    end
  end
  talks.not_before = in_window and os.clock() + PATIENCE * (os.clock() - began) or 0
end

function talks.go_on()
  for what, own in pairs(talks.kept or NONE) do
    for key in pairs(what) do if own[key] == nil then what[key] = nil end end
    for key, value in pairs(own) do what[key] = value end
  end
  for _, own in ipairs(talks.undoing) do
    local left_over = {}
    for _, each in ipairs(own.findings) do if not each.is_final then left_over[#left_over + 1] = each end end
    own.findings = left_over
  end
  talks.undoing, talks.kept = nil, nil
end

-- What rules say of a frame's problems; these know of the frame alone.
function talks.judge_problems(frame, side, size)
  local own = {}
  for _, each in ipairs(problems) do
    if not each.inside then own[#own + 1] = each end
  end
  local found, talk, client = {}, conversation.talk, client_of(side)
  local given = { c = columns_of(frame), conn = talk.conn, me = talk.sides[side], peer = talk.sides[3 - side] }
  if client then
    given.C, given.S = talk.sides[client], talk.sides[3 - client]
    given.sender = between_servers and "peer" or client == side and "client" or "server"
    if not talk.client then name_ends(talk, client == side) end
    given.client, given.server = talk.client, talk.server
  end
  given.t, given.n, given.side, given.size, given.name, given.key = here.abs_ts * 1e9, id_here, side, size, frame.name, frame.key
  given.version, given.flow, given.dialect = frame.version or conversation.agreed.version, talk.flow, dialect_of()
  given.octets, given.agreed = octets_of(size), agreed_by_connection()
  given.orphan, given.duplicate = false, false
  for _, each in ipairs(own) do
    given.problem, given.problem_text, given.problem_field = each.code, each.message, each.path
    given.problem_offset, given.problem_length = each.offset, each.length
    given.problem_value = each.path and given.c[each.path]
    given.problem_alone = #own == 1
    if type(given.problem_value) ~= "number" and each.length > 0 and each.length <= 6 then
      local from = first + each.offset
      local bits = data:sub(from + 1, from + each.length):gsub(".", function(one) return string.format("%02x", one:byte()) end)
      given.problem_value = #bits == 2 * each.length and tonumber(bits, 16) or nil
    end
    for _, rule in ipairs(RULES) do
      if rule.problem and (rule.problem[each.code] or rule.problem.any) and not found[rule] and holds(rule, given) then
        found[rule] = new_finding(rule, result_of(rule.says, given), rule.cause)
        if rule.by then found[rule].cause = cause_of(rule, result_of(rule.by, given)) end
        found[#found + 1] = found[rule]
      end
    end
  end
  return found
end

local SEVERITIES = { "ERROR", "WARN", "NOTE", "CHAT" } -- the worst first
talks.ranks = {}
for index, each in ipairs(SEVERITIES) do talks.ranks[each] = #SEVERITIES - index end

-- Shows findings in an item, the worst first, as a column has them; `tree` may be what makes the item.
function talks.show_findings(tree, findings)
  if not findings or #findings == 0 then return end
  if type(tree) == "function" then tree = tree() end
  for _, severity in ipairs(SEVERITIES) do
    for index = 1, #findings do
      local each = findings[index]
      if each.severity == severity then
        local message = each.rule.id .. ": " .. as_utf8(each.text)
        local shown = tree:add(header.finding, each.rule.id):set_generated()
        shown:add(header.message, message):set_generated():set_hidden()
        if each.cause and each.cause ~= "" then shown:add(header.cause, each.cause):set_generated() end
        tree:add_proto_expert_info(each.expert, message)
        if talks.find then talks.find(each) end
      end
    end
  end
end

end)()

