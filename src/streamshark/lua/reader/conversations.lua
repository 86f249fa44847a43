-- What frames mean to each other: runs the tables of pairs, lifecycles, moves and rules ----------------------------
-- Functions of the tables are given what they name: the frame's own columns, `c`; columns that every frame has; objects,
-- which are those of the lifecycles, `conn`, the sides `me`, `peer`, `C` and `S`, the request `req` that is answered.
-- Nil is "not known", and makes every comparison false.

;(function() -- a scope of its own: Lua takes 200 names in one

local NOBODY = setmetatable({}, { __newindex = function() end }) -- no object: nothing is known of it
local NONE = {}
local NO_FRAMES = TALLIED.frames and 0 or nil
local MOST_ALIKE, MOST_QUEUED = 1024, 65535 -- requests behind one with the same key, and in the order of the answers
local QUIET = 10e9 -- time in ns after which nobody answers any more

local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")
local tcp_completeness, tcp_lost = Field.new("tcp.completeness"), Field.new("tcp.analysis.lost_segment")
local tls_version = Field.new("tls.record.version")

local lives_by_name, is_object = {}, { conn = true, me = true, peer = true, C = true, S = true, req = true }
for _, lifecycle in ipairs(LIVES) do
  lives_by_name[lifecycle.name], is_object[lifecycle.name] = lifecycle, true
  for _, each in ipairs(lifecycle.steps) do lifecycle.renews = lifecycle.renews or each[1].absent end
end
local queued = {} -- pairs whose answers come in the order of the requests
for _, pair in ipairs(PAIRS) do
  if not pair.key and pair.scope ~= "capture" then queued[#queued + 1] = pair end
end
for _, rule in ipairs(RULES) do
  for index, need in ipairs(rule.needs) do
    if need == "since" then rule.needs[index] = "whole" end -- nothing lost since the first frame of its evidence
    rule.whole_object = rule.whole_object or need == "object"
  end
  rule.expert = ProtoExpert.new(
    NAME .. ".expert." .. rule.name, rule.title, expert.group[rule.group], expert.severity[rule.severity]
  )
  experts[rule.name] = rule.expert
end

local function value_of(extractor)
  local found = extractor()
  return found and found() -- cheaper than its attribute
end

-- What was seen of a connection, as a number: its start, the whole of it, both sides.
local function see(conn) conn.seen = (conn.start and 1 or 0) + (conn.whole and 2 or 0) + (conn.both and 4 or 0) end

-- From a time on, requests may wait that nobody saw. Of lost answers of a side it is known whose they were where nothing
-- else waits.
local function doubt(talk, side, t)
  for _, pair in ipairs(queued) do
    for asker = 1, 2 do
      local open, unsure = talk.open[asker][pair.name], talk.unsure[asker]
      if not side or asker == side or open and open[""] or unsure[pair.name] then unsure[pair.name] = t end
    end
  end
end

-- A connection of which nothing has come yet. Where Wireshark hides what TCP says, nothing is proved of its start and
-- of losses, and rules that need it are silent.
local function new_talk(carried)
  local seen, seq = value_of(tcp_completeness), value_of(tcp_seq) -- 1: SYN, 2: SYN-ACK, 4: ACK
  local encrypted = seq and tls_version() ~= nil
  local conn = { state = "unknown", frames = 0, epoch = 0, whole = seq ~= nil, encrypted = encrypted }
  conn.start = seen ~= nil and seen % 2 == 1 and (carried or encrypted or seq == 1)
  conn.born, conn.both = conn.start, seen ~= nil and seen % 8 == 7
  if conn.start then
    conn.state = "absent"
    for name, start_value in pairs(lives_by_name.conn and lives_by_name.conn.starts or {}) do conn[name] = start_value end
  end
  local talk = { conn = conn, entities = {}, open = { {}, {} }, unsure = { {}, {} }, sides = {} }
  for side = 1, 2 do talk.sides[side] = { side = side, frames = 0 } end
  conn.talk = talk
  if seen and not conn.start then doubt(talk, nil, here.abs_ts * 1e9) end
  see(conn)
  return talk
end

-- Bytes of a side were lost, or of both: what waits may be answered, and what objects count may be wrong from here on.
local function lose(talk, side)
  local conn = talk.conn
  doubt(talk, side, math.max(talk.sides[1].latest_t or 0, talk.sides[2].latest_t or 0))
  talk.open = { {}, {} }
  conn.epoch, conn.whole = conn.epoch + 1, false
  see(conn)
  for _, entities in pairs(talk.entities) do
    for _, entity in pairs(entities) do
      for _, slot in pairs(entity) do
        if type(slot) == "table" and slot.runs then slot.whole = false end
      end
    end
  end
end

-- Bytes were skipped: frames may have been among them.
function talks.skip() lose(conversation.talk, side_of()) end

-- What TCP says of a segment that brings bytes: lost ones before it, and up to when the other side was captured.
function talks.see_segment(carried)
  local talk = conversation.talk
  if not talk then
    talk = new_talk(carried)
    conversation.talk = talk
  end
  local side = side_of()
  local me, peer = talk.sides[side], talk.sides[3 - side]
  me.latest_t = here.abs_ts * 1e9
  if not view.tree then return end -- nothing is said then
  if tcp_lost() then lose(talk, side) end
  me.stop, me.awaited = value_of(tcp_next), nil
  local acked, stop_of_peer = value_of(tcp_ack), peer.awaited or peer.stop or 1
  if not acked or carried or talk.conn.encrypted then return end
  if acked <= stop_of_peer + 1 then peer.latest_t = me.latest_t -- FIN counts as a byte
  elseif talk.conn.start then -- acknowledged, and never seen here
    lose(talk, 3 - side)
    peer.stop = acked
  end
end

-- Bytes are waited for. Segments that bring some of them are not passed to the plugin, so they may be acknowledged.
function talks.wait(missing)
  local me = conversation.talk.sides[side_of()]
  me.awaited = me.stop and me.stop + missing
end

-- The side that is the client: proved by frames, else given by the port where the start of the connection was seen.
local function client_of(side)
  if conversation.client then return conversation.client end
  if not conversation.talk.conn.start then return nil end
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

-- Whether one of the names of an `on` means this frame.
local function is_on(on, frame, sender)
  for word_of_on in on:gmatch("%S+") do
    local from, what = word_of_on:match("^(%a+):(.+)$")
    if from ~= "client" and from ~= "server" then from, what = nil, word_of_on end
    if (not from or from == sender) and (what == frame.name or what == "any" and frame.kind
      or what == "any:" .. (frame.kind or "unknown") or what == "any:coded" and frame.coded) then
      return true
    end
  end
  return false
end

-- What the tables say of a frame from one side.
local function roles_of(frame, sender)
  local function those(all, on)
    local found = {}
    for _, each in ipairs(all) do if each[on] and is_on(each[on], frame, sender) then found[#found + 1] = each end end
    return found
  end
  local roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lifecycles = {}, steps = {}, each = {} }
  roles.moves, roles.rules = those(MOVES, "on"), those(RULES, "on")
  for _, lifecycle in ipairs(LIVES) do
    local own = { lifecycle = lifecycle, steps = those(lifecycle.steps, 2), each = those(lifecycle.each, 2), births = {} }
    for _, birth in ipairs(lifecycle.name ~= "conn" and own.steps or {}) do
      if birth[1].absent then own.births[#own.births + 1] = birth end
    end
    for _, key in ipairs(lifecycle.keys) do
      if not own.key and is_on(key[1], frame, sender) then own.key, own.items = key[2], key[3] end
    end
    if own.key then roles.lifecycles[#roles.lifecycles + 1] = own end
    if #own.steps > 0 and (own.key and not own.items or lifecycle.name == "conn") then roles.steps[#roles.steps + 1] = own end
    if #own.each > 0 then roles.each[#roles.each + 1] = own end
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

local function things_of(lifecycle, conn)
  local all = lifecycle.scope == "capture" and talks.shared or conn.talk.entities
  all[lifecycle.name] = all[lifecycle.name] or {}
  return all[lifecycle.name]
end

local function new_thing(key, state, n, t, epoch)
  return { id = key, state = state, n = n, t = t, frames = NO_FRAMES, born = false, epoch = epoch }
end

-- The object of a lifecycle with a key: the one that is known, or a new one.
local function meet(lifecycle, key, conn, n, t)
  if key == nil then return NOBODY end
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
  if entity == NOBODY then return entity end
  if entity.met or entity.over then
    entity = new_thing(entity.id, "absent", n, t, conn.epoch)
    things_of(lifecycle, conn)[entity.id] = entity
  end
  entity.state, entity.epoch, entity.born, entity.owner = "absent", conn.epoch, true, side
  for name, value in pairs(lifecycle.starts) do entity[name] = value end
  return entity
end

-- The columns of one item of a list, under their whole names.
local function columns_of_item(item_of_list, path, c)
  return setmetatable({}, { __index = function(_, name)
    if name:sub(1, #path + 1) == path .. "." then return item_of_list[name:sub(#path + 2)] end
    return c[name]
  end })
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
      entity.born, entity.epoch = false, conn.epoch
      entities[key] = entity
    end
  end
  before.talk.entities[name] = nil
end

-- Whether what a rule needs of the connection was seen.
local function is_seen(rule, conn)
  for _, need in ipairs(rule.needs) do
    if need ~= "object" and not conn[need] then return false end
  end
  return true
end

-- Whether what a rule needs of its object was seen.
local function is_known(rule, given)
  local of, conn = given[rule.of] or NOBODY, given.conn
  if of == conn or of.side then return conn.start and conn.whole end
  return of.born and of.epoch == conn.epoch
end

-- What a function of the tables says, where what it names is in a table.
local function result_of(say, given)
  local values, wanted = {}, arguments_of(say)
  for index = 1, #wanted do
    local value = given[wanted[index]]
    if value == nil and is_object[wanted[index]] then value = NOBODY end
    values[index] = value
  end
  return say(unpack(values, 1, #wanted))
end

-- Whether what a rule needs was seen, and what it asks for holds.
local function holds(rule, given)
  return is_seen(rule, given.conn) and (not rule.whole_object or is_known(rule, given))
    and (not rule.when or result_of(rule.when, given))
end

-- Whether a rule has reported nothing so far of an object that connections share: it is reported once.
local function is_news(rule, entity)
  local known = entity[rule]
  if entity ~= NOBODY then entity[rule] = true end
  return not known
end

local function notice(rule, text)
  local own = note()
  own.findings = own.findings or {}
  table.insert(own.findings, { rule = rule, text = text })
end

-- Lets the next one of those that wait with one key be the oldest.
local function advance(open, oldest)
  local following_one = oldest.behind
  open[oldest.key], oldest.behind = following_one, nil
  if following_one then following_one.last, following_one.waiting = oldest.last, oldest.waiting - 1 end
end

-- Requests with one key wait in a row, of which the oldest is found: it knows the last one, and how many wait behind it.
-- Where others may wait before them that nobody saw, those that are answered in order are not kept until it has been quiet.
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
  if pair.unanswered then
    local own = note()
    local before = own.asked
    while before and before.also do before = before.also end
    if before then before.also = request else own.asked = request end
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
function talks.id_of_conversation()
  local found = links.conversation[id_here]
  if not found or not found[1] then return nil end
  if found[1] == conversation.talk then found[1].stream = found[1].stream or stream_of() or nil end
  local talk, n = found[1], found[2]
  local packet = math.floor(n)
  local behind = math.floor((n - packet) * FINE + 0.5) + 1
  local start = behind > 1 and ("%d.%d"):format(packet, behind) or ("%d"):format(packet)
  return talk.stream and ("%d-%s-%s"):format(talk.stream, start, found[3])
end

-- What few rules ask of a frame: where its ends are, and how others find it.
local function flow_of() return stream_of() or conversation.id end

local function dialect_of()
  local changes = conversation.dialects
  return preferences.dialect ~= "" and preferences.dialect or changes[#changes] and changes[#changes].dialect or ""
end

local function client_name(talk, from_client)
  talk.client = talk.client or tostring(from_client and here.src or here.dst)
  return talk.client
end

local function server_name(talk, to_server)
  if not talk.server then
    local address = tostring(to_server and here.dst or here.src)
    if address:find(":", 1, true) then address = "[" .. address .. "]" end
    talk.server = address .. ":" .. (to_server and here.dst_port or here.src_port)
  end
  return talk.server
end

-- Numbers that Lua cannot hold are not known, but as keys their digits do.
local function exact(frame, c)
  if large then
    local digits_of = {}
    for path, value in pairs(c) do
      if type(value) == "userdata" then digits_of[path] = value:tohex() end
    end
    for path, value in pairs(digits_of) do c[path], c["exact " .. path] = nil, value end
  end
  if frame.flags_of then
    local bits = c[frame.flags_of]
    for mask, name in pairs(bits and frame.flags or {}) do
      c[frame.flags_of .. "." .. name] = band(bits, mask) ~= 0
    end
  end
end

local HELP = {
  talks = talks, here = here, meet = meet, renew = renew, is_news = is_news, notice = notice, columns_of_item = columns_of_item, ask = ask,
  settle = settle, join = join, flow_of = flow_of, dialect_of = dialect_of, client_name = client_name,
  server_name = server_name, links = links, NOBODY = NOBODY, NONE = NONE, pairs = pairs, ipairs = ipairs,
}

-- What follows such frames: by kind of frame, then by what was seen of the connection and who sends.
local function write_follower(frame, seen, client, side)
  local sender = client and (client == side and "client" or "server")
  local conn = { start = seen % 2 >= 1, whole = seen % 4 >= 2, both = seen >= 4 }
  return follower(frame, sender, conn, roles_of(frame, sender), HELP)
end

-- The columns of the frame that was read, with those that a carrier gives it.
local function columns_of(frame)
  local c = setmetatable(v, nil)
  if large or frame.flags_of then exact(frame, c) end
  if around then
    for name, value in pairs(around.columns) do c["carrier." .. name] = value end
    for name, value in pairs(around.within and around.within.agreed or {}) do c["agreed." .. name] = value end
  end
  return c
end

-- One frame, on its first visit.
function talks.follow(frame, side, size, more)
  local talk, c = conversation.talk, columns_of(frame)
  local conn, me, peer = talk.conn, talk.sides[side], talk.sides[3 - side]
  if not me.first_n then
    me.first_n, me.first_t = id_here, me.latest_t
    conn.both = conn.both or peer.first_n ~= nil
    conn.n, conn.t = conn.n or id_here, conn.t or me.latest_t
    conn.shown = conn.shown or { talk, id_here, lives_by_name.conn.type or "connection" }
    see(conn)
  end
  local client = conversation.client or client_of(side)
  local situation = conn.seen + (not client and 0 or client == side and 8 or 16)
  local followers = talks.followers[frame]
  local follow = followers and followers[situation]
  if not follow then
    follow = write_follower(frame, conn.seen, client, side)
    talks.followers[frame] = followers or {}
    talks.followers[frame][situation] = follow
  end
  follow(c, talk, conn, me, peer, side, id_here, size, not more, conversation.agreed)
end

-- On a later visit: what rules say of requests that nobody has answered, though the other side went on.
function talks.judge_unanswered(own)
  local talk = conversation.talk
  local request = own.asked
  while request do
    local latest = talk.sides[3 - request.side].latest_t
    if not request.over and not own.judged and latest then
      local given = { conn = talk.conn, req = request, me = talk.sides[request.side], peer = talk.sides[3 - request.side] }
      given.c, given.t, given.n, given.name = {}, latest, request.n, request.name
      if conversation.client then
        given.C, given.S = talk.sides[conversation.client], talk.sides[3 - conversation.client]
      end
      for _, rule in ipairs(RULES) do
        if rule.unanswered and rule.unanswered[request.pair.name] and holds(rule, given) then
          notice(rule, result_of(rule.says, given))
        end
      end
    end
    request = request.also
  end
  own.judged = true
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
    given.sender = client == side and "client" or "server"
    given.client, given.server = client_name(talk, client == side), server_name(talk, client == side)
  end
  given.t, given.n, given.side, given.size, given.name, given.key = here.abs_ts * 1e9, id_here, side, size, frame.name, frame.key
  given.version, given.flow, given.dialect = frame.version or conversation.agreed.version, flow_of(), dialect_of()
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
        found[rule] = { rule = rule, text = result_of(rule.says, given) }
        found[#found + 1] = found[rule]
      end
    end
  end
  return found
end

function talks.show_findings(tree, findings)
  for index = 1, findings and #findings or 0 do
    local each = findings[index]
    tree:add(header.finding, each.rule.id):set_generated()
    tree:add_proto_expert_info(each.rule.expert, each.rule.id .. ": " .. as_utf8(each.text))
    if talks.find then talks.find(each.rule, each.text) end
  end
end

end)()

