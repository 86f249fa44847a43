-- What frames mean to each other: runs the tables of pairs, lives, moves and rules ----------------------------
-- Functions of the tables are given the frame's columns (`c`) and the objects (`o`): those of the lives, `conn`,
-- the sides `me`, `peer`, `C` and `S`, the request `req` that is answered, and `row`, what every frame has.
-- Nil is "not known", and makes every comparison false.

;(function() -- a scope of its own: Lua takes 200 names in one

local NOBODY = setmetatable({}, { __newindex = function() end }) -- no object: nothing is known of it
local OBJECTS = { __index = function() return NOBODY end }
local MOST_OPEN = 1024 -- requests with one key

local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")
local tcp_completeness, tcp_lost = Field.new("tcp.completeness"), Field.new("tcp.analysis.lost_segment")
local tls_version = Field.new("tls.record.version")

local lives_by_name = {}
for _, life in ipairs(LIVES) do lives_by_name[life.name] = life end
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
  local talk = { conn = conn, things = {}, open = { {}, {} }, sides = {} }
  for side = 1, 2 do talk.sides[side] = { side = side, frames = 0 } end
  conn.talk = talk
  return talk
end

-- Bytes were lost: what objects count may be wrong from here on.
local function lose(talk)
  local conn = talk.conn
  conn.epoch, conn.whole = conn.epoch + 1, false
  for _, things in pairs(talk.things) do
    for _, thing in pairs(things) do
      for _, slot in pairs(thing) do
        if type(slot) == "table" and slot.runs then slot.whole = false end
      end
    end
  end
end

-- Bytes were skipped: frames may have been among them.
function talks.skip() lose(conversation.talk) end

-- What TCP says of a segment that brings bytes: lost ones before it, and until when the other side was heard.
function talks.see_segment(carried)
  local talk = conversation.talk
  if not talk then
    talk = new_talk(carried)
    conversation.talk = talk
  end
  local side = side_of()
  local me, peer = talk.sides[side], talk.sides[3 - side]
  me.heard = here.abs_ts * 1e9
  if not view.tree then return end -- nothing is said then
  if tcp_lost() then lose(talk) end
  me.stop = value_of(tcp_next)
  local heard, stop_of_peer = value_of(tcp_ack), peer.stop or 1
  if not heard or carried or talk.conn.encrypted then return end
  if heard <= stop_of_peer + 1 then peer.heard = me.heard -- FIN counts as a byte
  elseif talk.conn.start then -- acknowledged, and never seen here
    lose(talk)
    peer.stop = heard
  end
end

-- The side that is the client: proved by frames, else told by the port where the start of the connection was seen.
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

-- What the tables say of a frame from one side; found out once.
local function roles_of(frame, sender)
  frame.roles = frame.roles or {}
  local roles = frame.roles[sender or ""]
  if roles then return roles end
  local function those(all, on)
    local found = {}
    for _, each in ipairs(all) do if each[on] and is_on(each[on], frame, sender) then found[#found + 1] = each end end
    return found
  end
  roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lives = {}, steps = {}, each = {} }
  roles.moves, roles.rules, roles.seen = those(MOVES, "on"), those(RULES, "on"), {}
  for _, life in ipairs(LIVES) do
    local own = { life = life, steps = those(life.steps, 2), each = those(life.each, 2), births = {} }
    for _, birth in ipairs(life.name ~= "conn" and own.steps or {}) do
      if birth[1].absent then own.births[#own.births + 1] = birth end
    end
    for _, key in ipairs(life.keys) do
      if not own.key and is_on(key[1], frame, sender) then own.key, own.items = key[2], key[3] end
    end
    if own.key then roles.lives[#roles.lives + 1] = own end
    if #own.steps > 0 and (own.key and not own.items or life.name == "conn") then roles.steps[#roles.steps + 1] = own end
    if #own.each > 0 then roles.each[#roles.each + 1] = own end
  end
  frame.roles[sender or ""] = roles
  return roles
end

local function key_of(key, c, o)
  if type(key) == "string" then
    if c[key] ~= nil then return c[key] end
    return c["exact " .. key]
  end
  return key(c, o)
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

local function things_of(life, conn)
  local all = life.scope == "capture" and talks.shared or conn.talk.things
  all[life.name] = all[life.name] or {}
  return all[life.name]
end

local function new_thing(key, state, row, epoch)
  return { id = key, state = state, n = row.n, t = row.t, frames = 0, born = false, epoch = epoch }
end

local function meet(life, key, o)
  if key == nil then return NOBODY end
  local things, conn = things_of(life, o.conn), o.conn
  local thing = things[key]
  if thing and (life.scope == "capture" or thing.epoch == conn.epoch or not thing.over and thing.state ~= "absent") then
    return thing
  end
  local absent = life.scope ~= "capture" and conn.start and conn.whole and conn.both and not conn.continues
  thing = new_thing(key, absent and "absent" or "unknown", o.row, conn.epoch)
  things[key] = thing
  return thing
end

-- A birth: of the object that has just been met, or of a new one in its place.
local function renew(life, thing, o)
  if thing == NOBODY then return thing end
  if thing.frames > 0 or thing.over then
    thing = new_thing(thing.id, "absent", o.row, o.conn.epoch)
    things_of(life, o.conn)[thing.id] = thing
  end
  thing.state, thing.epoch, thing.born, thing.owner = "absent", o.conn.epoch, true, o.row.side
  for name, value in pairs(life.starts) do thing[name] = value end
  return thing
end

local function take_step(life, steps, thing, c, o)
  for index = 1, #steps do
    local each = steps[index]
    local from, state = each[1], thing.state
    local fits = from == "*" and state ~= "absent" and not life.final[state] or from[state]
    if fits and (not each[4] or each[4](c, o)) then
      thing.state = each[3]
      if life.name ~= "conn" and (thing.state == "absent" or life.final[thing.state]) then
        thing.over, thing.ended_t, thing.ended_n = true, o.row.t, o.row.n
      end
      return
    end
  end
end

-- Runs something for every object of a connection that goes on, under its life's name.
local function for_each(name, o, run)
  local before = rawget(o, name)
  for _, thing in pairs(o.conn.talk.things[name] or {}) do
    if not thing.over then
      o[name] = thing
      run(thing)
    end
  end
  o[name] = before
end

-- The columns of one item of a list, under their whole names.
local function columns_of_item(item_of_list, path, c)
  return setmetatable({}, { __index = function(_, name)
    if name:sub(1, #path + 1) == path .. "." then return item_of_list[name:sub(#path + 2)] end
    return c[name]
  end })
end

local function move_items(move, roles, c, o)
  for _, each in ipairs(c[move.items .. "[]"] or {}) do
    local own = columns_of_item(each, move.items, c)
    for _, touched in ipairs(roles.lives) do
      if touched.items then o[touched.life.name] = meet(touched.life, key_of(touched.key, own, o), o) end
    end
    if not move.when or move.when(own, o) then move.does(own, o) end
  end
end

function f.live(o, name)
  local count = 0
  for _, thing in pairs(o.conn.talk.things[name] or {}) do
    if lives_by_name[name].live[thing.state] then count = count + 1 end
  end
  return count
end

function f.fits(o, name)
  for _, touched in ipairs(o.row.roles.steps) do
    if touched.life.name == name then
      for _, each in ipairs(touched.steps) do
        local state = o[name].state
        local fits = each[1] == "*" and state ~= "absent" and not touched.life.final[state] or each[1][state]
          or each[1].absent and touched.life.final[state]
        if fits and (not each[4] or each[4](o.row.columns, o)) then return true end
      end
    end
  end
  return false
end

function f.ledger(o, owner, name)
  local thing = o[owner]
  local found = thing[name]
  if not found then
    local whole = o.conn.start and o.conn.whole
    if lives_by_name[owner] then whole = thing.born and thing.epoch == o.conn.epoch end
    found = { runs = {}, twice = {}, count = 0, whole = whole or false }
    thing[name] = found
  end
  return found
end

local function requests_of(pair, side)
  local all = pair.scope == "capture" and talks.requests or conversation.talk.open[side]
  all[pair.name] = all[pair.name] or {}
  return all[pair.name]
end

-- Takes over the objects of a life, with their open requests, from the connection that this one resumes.
function f.adopt(o, name)
  local conn, before = o.conn, conversation.resumes
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
  local things = things_of(lives_by_name[name], conn)
  for key, thing in pairs(before.talk.things[name] or {}) do
    if not thing.over then
      thing.born, thing.epoch = false, conn.epoch
      things[key] = thing
    end
  end
  before.talk.things[name] = nil
end

-- Whether what a rule needs of the connection was seen.
local function is_seen(rule, conn)
  for _, need in ipairs(rule.needs) do
    if need ~= "object" and not conn[need] then return false end
  end
  return true
end

-- Whether what a rule needs of its object was seen.
local function is_known(rule, o)
  local of, conn = o[rule.of], o.conn
  if of == conn or of.side then return conn.start and conn.whole end
  return of.born and of.epoch == conn.epoch
end

-- Whether what a rule needs was seen, and what it asks for holds.
local function holds(rule, c, o)
  return is_seen(rule, o.conn) and (not rule.whole_object or is_known(rule, o)) and (not rule.when or rule.when(c, o))
end

-- The rules about a frame of which all that they need of the connection was seen.
local function rules_now(roles, conn)
  local key = (conn.start and 1 or 0) + (conn.whole and 2 or 0) + (conn.both and 4 or 0)
  local found = roles.seen[key]
  if not found then
    found = {}
    for _, rule in ipairs(roles.rules) do if is_seen(rule, conn) then found[#found + 1] = rule end end
    roles.seen[key] = found
  end
  return found
end

local function notice(rule, c, o)
  local own = note()
  own.findings = own.findings or {}
  table.insert(own.findings, { rule = rule, text = rule.says(c, o) })
end

-- Finds the request that a frame answers, if any, and whether its own key is in use.
local function look_up(roles, c, o)
  local row, request = o.row, nil
  local answers, asks = roles.answers, roles.asks
  for index = 1, #answers do
    local pair = answers[index]
    if not request and (not pair.answer_when or pair.answer_when(c, o)) then
      local key = not pair.key and "" or key_of(pair.answer_key or pair.key, c, o)
      local waiting = key ~= nil and requests_of(pair, 3 - row.side)[key]
      request = waiting and waiting[1] or nil
      o.req, row.orphan = request, not request
    end
  end
  for index = 1, #asks do
    local pair = asks[index]
    if pair.key and (not pair.when or pair.when(c, o)) then
      local key = key_of(pair.key, c, o)
      row.duplicate = row.duplicate or key ~= nil and requests_of(pair, row.side)[key] ~= nil
    end
  end
  return request
end

-- Ends the request that was answered, and opens a new one.
local function ask_and_answer(roles, c, o, request)
  local row = o.row
  if request and (not request.pair.done or request.pair.done(c, o)) then
    local open = requests_of(request.pair, request.side)
    table.remove(open[request.key], 1)
    if #open[request.key] == 0 then open[request.key] = nil end
    request.over = true
  end
  local asks = roles.asks
  for index = 1, #asks do
    local pair = asks[index]
    local key = not pair.key and "" or key_of(pair.key, c, o)
    if key ~= nil and (not pair.when or pair.when(c, o)) then
      local new = { pair = pair, key = key, side = row.side, n = row.n, t = row.t, name = row.name, mark = row.mark }
      for name, column in pairs(pair.keep or {}) do new[name] = key_of(column, c, o) end
      local open = requests_of(pair, row.side)
      open[key] = open[key] or {}
      table.insert(open[key], new)
      if #open[key] > MOST_OPEN then table.remove(open[key], 1) end
      if pair.unanswered then
        local own = note()
        own.asked = own.asked or {}
        table.insert(own.asked, new)
      end
    end
  end
end

-- Shows both packets of a pair where the other one is.
local function join(n, mark)
  links.request[id_here], links.time[id_here] = math.floor(n), here.rel_ts - mark
  links.response[n] = links.response[n] or here.number
end

-- What few rules ask of a frame: where its ends are, and how others find it.
local ON_DEMAND = {
  mark = function() return here.rel_ts end, -- of an absolute time a number of Lua lacks the last digits
  flow = function() return stream_of() or conversation.id end,
  dialect = function()
    local changes = conversation.dialects
    return preferences.dialect ~= "" and preferences.dialect or changes[#changes] and changes[#changes].dialect or ""
  end,
  client = function(row)
    local from_client, talk = row.from_client, conversation.talk
    if from_client == nil then return nil end
    talk.client = talk.client or tostring(from_client and here.src or here.dst)
    return talk.client
  end,
  server = function(row)
    local to_server, talk = row.from_client, conversation.talk
    if to_server == nil then return nil end
    if not talk.server then
      local address = tostring(to_server and here.dst or here.src)
      if address:find(":", 1, true) then address = "[" .. address .. "]" end
      talk.server = address .. ":" .. (to_server and here.dst_port or here.src_port)
    end
    return talk.server
  end,
}
local ROW = { __index = function(row, name)
  local found = ON_DEMAND[name] and ON_DEMAND[name](row)
  row[name] = found
  return found
end }

local row_now, objects_now = setmetatable({}, ROW), setmetatable({}, OBJECTS) -- used again for each frame

-- The row of a frame, and the objects but for those of lives.
local function objects_of(talk, side, frame, size)
  local client, row, o, sides = client_of(side), row_now, objects_now, talk.sides
  row.t, row.n, row.side, row.name, row.key, row.size = here.abs_ts * 1e9, id_here, side, frame.name, frame.key, size
  row.version, row.orphan, row.duplicate, row.took = frame.version or conversation.agreed.version, false, false, false
  row.mark, row.flow, row.dialect, row.client, row.server = nil, nil, nil, nil, nil
  for index = 1, #LIVES do o[LIVES[index].name] = nil end
  o.conn, o.me, o.peer, o.row, o.req, o.C, o.S = talk.conn, sides[side], sides[3 - side], row, nil, nil, nil
  row.from_client, row.sender = nil, nil
  if client then
    o.C, o.S = sides[client], sides[3 - client]
    row.from_client = client == side
    row.sender = client == side and "client" or "server"
  end
  return o
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

-- One frame, on its first visit. `v` has its columns.
function talks.follow(frame, side, size, more)
  local talk, c = conversation.talk, setmetatable(v, nil)
  exact(frame, c)
  if around then
    for name, value in pairs(around.columns) do c["carrier." .. name] = value end
    for name, value in pairs(around.within and around.within.agreed or {}) do c["agreed." .. name] = value end
  end
  local o = objects_of(talk, side, frame, size)
  local row, conn, me = o.row, o.conn, o.me
  local roles = roles_of(frame, row.sender)
  row.roles, row.columns, row.complete = roles, c, not more
  if me.frames == 0 then
    me.first_n, me.first_t = row.n, row.t
    conn.both = conn.both or o.peer.frames > 0
    conn.n, conn.t = conn.n or row.n, conn.t or row.t
  end
  local request = look_up(roles, c, o)
  local touching, stepping, moves, each_of = roles.lives, roles.steps, roles.moves, roles.each
  for index = 1, #touching do
    local touched = touching[index]
    if not touched.items then o[touched.life.name] = meet(touched.life, key_of(touched.key, c, o), o) end
  end
  if preferences.findings then
    local rules = rules_now(roles, conn)
    for index = 1, #rules do
      local rule = rules[index]
      local when = rule.when
      if (not when or when(c, o)) and (not rule.whole_object or is_known(rule, o)) then notice(rule, c, o) end
    end
  end
  for index = 1, #stepping do
    local life, births = stepping[index].life, stepping[index].births
    for nth = 1, #births do
      local birth, thing = births[nth], o[life.name]
      local ended = thing.state == "unknown" or thing.state == "absent" or life.final[thing.state]
        or life.scope == "connection" and thing.epoch ~= conn.epoch
      if ended and (not birth[4] or birth[4](c, o)) then o[life.name] = renew(life, thing, o) end
    end
  end
  for index = 1, #moves do
    local move = moves[index]
    if move.items then move_items(move, roles, c, o)
    elseif move.each then
      for_each(move.each, o, function() if not move.when or move.when(c, o) then move.does(c, o) end end)
    elseif not move.when or move.when(c, o) then move.does(c, o) end
  end
  for index = 1, #stepping do
    local touched = stepping[index]
    take_step(touched.life, touched.steps, o[touched.life.name], c, o)
  end
  for index = 1, #touching do
    local touched = touching[index]
    local thing = o[touched.life.name]
    if not touched.items and thing ~= NOBODY then
      thing.frames, thing.last_n, thing.last_t = thing.frames + 1, row.n, row.t
    end
  end
  for index = 1, #each_of do
    local touched = each_of[index]
    for_each(touched.life.name, o, function(thing) take_step(touched.life, touched.each, thing, c, o) end)
  end
  local took = row.took
  if took and preferences.links then join(took[4], took[5])
  elseif request and preferences.links then join(request.n, request.mark) end
  ask_and_answer(roles, c, o, request)
  conn.frames, conn.last_n, conn.last_t = conn.frames + 1, row.n, row.t
  me.frames, me.last_n, me.last_t = me.frames + 1, row.n, row.t
end

-- On a later visit: what rules say of requests that nobody has answered, though the other side went on.
function talks.judge_unanswered(own)
  local talk = conversation.talk
  local asked_here = own.asked
  for index = 1, asked_here and #asked_here or 0 do
    local request = asked_here[index]
    local heard = talk.sides[3 - request.side].heard
    if not request.over and not own.judged and heard then
      local o = { conn = talk.conn, req = request, me = talk.sides[request.side], peer = talk.sides[3 - request.side] }
      o.row = { t = heard, n = request.n, name = request.name }
      if conversation.client then
        o.C, o.S = talk.sides[conversation.client], talk.sides[3 - conversation.client]
      end
      setmetatable(o, OBJECTS)
      for _, rule in ipairs(RULES) do
        if rule.unanswered and rule.unanswered[request.pair.name] and holds(rule, {}, o) then notice(rule, {}, o) end
      end
    end
  end
  own.judged = true
end

-- What rules say of a frame's problems; these know of the frame alone.
function talks.judge_problems(frame, side, size)
  local own = {}
  for _, each in ipairs(problems) do
    if not each.inside then own[#own + 1] = each end
  end
  local c = setmetatable(v, nil)
  exact(frame, c)
  for name, value in pairs(around and around.columns or {}) do c["carrier." .. name] = value end
  local found = {}
  for _, each in ipairs(own) do
    local o = objects_of(conversation.talk, side, frame, size)
    local row = o.row
    row.roles, row.columns, row.complete = nil, nil, nil
    row.problem, row.problem_field = each.code, each.path
    row.problem_offset, row.problem_length = each.offset, each.length
    row.problem_value = each.path and c[each.path]
    if type(row.problem_value) ~= "number" and each.length > 0 and each.length <= 6 then
      local from = first + each.offset
      local bits = data:sub(from + 1, from + each.length):gsub(".", function(one) return string.format("%02x", one:byte()) end)
      row.problem_value = #bits == 2 * each.length and tonumber(bits, 16) or nil
    end
    for _, rule in ipairs(RULES) do
      if rule.problem and (rule.problem[each.code] or rule.problem.any) and not found[rule] and holds(rule, c, o) then
        found[rule] = { rule = rule, text = rule.says(c, o) }
        found[#found + 1] = found[rule]
      end
    end
    row.problem, row.problem_field, row.problem_offset, row.problem_length, row.problem_value = nil, nil, nil, nil, nil
  end
  return found
end

function talks.show_findings(tree, findings)
  for index = 1, findings and #findings or 0 do
    local each = findings[index]
    tree:add(header.finding, each.rule.id):set_generated()
    tree:add_proto_expert_info(each.rule.expert, each.rule.id .. ": " .. each.text)
  end
end

end)()

