-- The frame as a whole --------------------------------------------------------------------------------------

local function header_field(kind, name, title, ...)
  local made = ProtoField[kind](NAME .. "." .. name, title, ...)
  registered[#registered + 1] = made
  return made
end

local around -- what is known of the frame of another protocol in which this one's stand
local talks = {} -- what follows conversations, where the protocol has tables of them
local between_servers = false -- whether the frame joins two servers

header.command = header_field("string", "command", "Command", base.UNICODE, "Name of the command, the same for request and response.")
header.kind = header_field("string", "kind", "Kind", base.UNICODE, "request, response or command.")
header.sender = header_field("string", "sender", "Sender", base.UNICODE, "client, server or peer, where that can be proved.")
header.length = header_field("uint32", "length", "Length", base.DEC, nil, nil, "Bytes on the wire, the length prefix included.")
header.problem = header_field("string", "problem", "Problem", base.UNICODE, "Code of a problem of the frame.")
header.text = header_field("string", "text", "Text", base.UNICODE, "The bytes of a body that are text.")
header.request = header_field("framenum", "request_frame", "Request in", base.NONE, frametype.REQUEST, 0, "The frame that this one answers.")
header.response = header_field("framenum", "response_frame", "Response in", base.NONE, frametype.RESPONSE, 0, "The frame that answers this one.")
header.conversation = header_field("string", "conversation", "Conversation", base.UNICODE, "Id of the innermost conversation of the frame.")
header.finding = header_field("string", "finding", "Finding", base.UNICODE, "Rule that this frame breaks.")
header.message = header_field("string", "finding.message", "Message", base.UNICODE, "What the rule has found, after its id: the sentence of the expert item.")
header.cause = header_field("string", "finding.cause", "Usual cause", base.UNICODE, "The usual mistake of those who break the rule.")
header.time = header_field("relative_time", "response_time", "Response time", "Time between request and response.")
undecoded = header_field("bytes", "undecoded", "Undecoded", base.NONE, "Bytes that no field could read.")
if CORRELATES == "string" then
  header.correlation = header_field("string", "correlation_id", "Correlation id", base.UNICODE, "What joins a request and its response.")
elseif CORRELATES then
  header.correlation = header_field(CORRELATES, "correlation_id", "Correlation id", base.DEC, nil, nil, "What joins a request and its response.")
end
if AGREES_VERSION then
  header.version = header_field("uint32", "version", "Version", base.DEC, nil, nil, "Version that the connection agreed.")
end
if CARRIED_IN["websocket.bytes"] then
  header.ended = header_field("framenum", "reassembled_in", "Reassembled in", base.NONE, nil, 0, "The packet whose message ends what stands here.")
end
for name, known in pairs(COMMON) do
  if known.is_fact then common[name] = header_field("bool", name, label(name), nil, nil, nil, known.doc)
  elseif known.is_known then common[name] = header_field("string", name, label(name), base.UNICODE, known.doc) end
end
talks.of_findings = { header.finding, header.message, header.cause }
talks.fields = { header.request, header.response, header.time, header.conversation, unpack(talks.of_findings) }
for name, known in pairs(COMMON) do if known.is_known then talks.fields[#talks.fields + 1] = common[name] end end
local shown_headers = { undecoded } -- fields of all frames for which one is read as it is shown: for findings it is only judged
local is_of_findings = {}
for _, each in ipairs(talks.of_findings) do is_of_findings[each] = true end
for _, each in pairs(header) do if not is_of_findings[each] then shown_headers[#shown_headers + 1] = each end end

-- Frames by dialect and by what their head says.
local selected = {}

local function selector_of(key, version, response)
  if type(key) == "string" then return key end
  return (key * 2 + (response and 1 or 0)) * 65536 + (version or 0)
end

local formats = { json = true } -- dissectors of what stands inside of fields
local inner_fields = {} -- fields of embedded records there
local secretive = {} -- keys of frames that have secrets, all frames that have some, `any` where one has
local prepare

do

-- Every field that a frame may add: a filter on one that is not asked for here would find nothing.
local function fields_of(members, into)
  for _, made in ipairs(members) do
    if made.field then into[made.field] = true end
    if made.time_field then into[made.time_field] = true end
    if made.number then into[made.number.field] = true end
    if made.secret or made.slot and made.slot.veiled then into.secretive = true end
    for _, flag in ipairs(made.flag_fields or {}) do into[flag] = true end
    for name in pairs(made.holds or {}) do into[common[name]] = true end
    for _, twin in ipairs(made.also or {}) do
      into[twin.field] = true
      for _, flag in ipairs(twin.flag_fields or {}) do into[flag] = true end
    end
    if made.slot or made.body then
      into.slots = true
      for _, reader in ipairs(made.slot and made.slot.readers or {}) do
        if reader.magic then into.inner = reader.format
        elseif reader.format then formats[reader.format] = true end
      end
    end
    fields_of(made.members or {}, into)
    fields_of(made.parts or {}, into)
    fields_of(made.arguments or {}, into)
    fields_of(made.pieces or {}, into)
    fields_of(made.clear or {}, into)
    fields_of(made.set or {}, into)
    fields_of(made.default or {}, into)
    fields_of(made.item and { made.item } or {}, into)
    for _, each in pairs(made.fields or {}) do fields_of({ each }, into) end -- of a protobuf message
    fields_of(made.message and { made.message } or {}, into)
    if made.unknown then into[made.unknown] = true end
    for _, arm in pairs(made.cases or {}) do fields_of(arm, into) end
    for _, arm in ipairs(made.arms or {}) do fields_of(arm[2], into) end
  end
  return into
end

-- The collector of garbage walks through all tables and functions again and again, but not through text. So of kinds of
-- frames most stays text until the first one comes.

-- A function that does the same, and is little more than text until it is called.
local function asleep(act)
  local around_it, text = {}, string.dump(act)
  for index = 1, debug.getinfo(act, "u").nups do around_it[index] = select(2, debug.getupvalue(act, index)) end
  return function()
    local awake = load(text)
    for index, value in pairs(around_it) do debug.setupvalue(awake, index, value) end
    return awake()
  end
end

local function steps_of(frame)
  local steps = frame.head and frame.head() or {}
  for _, made in ipairs(frame.steps()) do steps[#steps + 1] = made end
  frame.declared = fields_of_declaring(declare_all, frame.declared, steps, NAME .. "." .. frame.name, "")
  return steps
end

-- The step of a member of a frame.
local function step_of(members, path)
  for _, made in ipairs(members or {}) do
    if made.path == path then return made end
    local found = step_of(made.members, path) or step_of(made.clear, path) or step_of(made.set, path) or step_of(made.default, path)
    for _, arm in pairs(made.cases or {}) do found = found or step_of(arm, path) end
    for _, arm in ipairs(made.arms or {}) do found = found or step_of(arm[2], path) end
    if found then return found end
  end
end

-- Gives a frame that ends what came in pieces the fields for it.
local function declare_whole(frame, steps)
  local prefix = NAME .. "." .. frame.name .. ".reassembled"
  local function declare_part(kind, name, ...)
    local shown = ProtoField[kind](prefix .. name, label(name == "" and "reassembled" or name:sub(2)), ...)
    registered[#registered + 1] = shown
    return shown
  end
  local own = {
    node = declare_part("none", "", "What this frame and those before it are together."),
    command = declare_part("string", ".command", base.UNICODE, "Command of the first fragment."),
    count = declare_part("uint32", ".count", base.DEC, nil, nil, "Fragments, those that are not in the capture left out."),
    fragments = declare_part("framenum", ".fragments", base.NONE, nil, 0, "Packets of the fragments."),
    reason = declare_part("string", ".reason", base.UNICODE, "Why they cannot be put together."),
    parts = {},
  }
  for _, name in ipairs(frame.parts) do
    local shown = declare_part("bytes", "." .. name, base.NONE, "The " .. name .. " of all fragments.")
    own.parts[name] = { field = shown, step = step_of(steps, name) }
  end
  frame.reassembled = own
end

-- Where key and version stand in frames of which no more is known: fields with their places in bytes. So does the number that
-- joins requests and responses, if it stands before the key: what follows depends on the key.
local function info_of_head(steps, correlates)
  local own, place_in_head = {}, 0
  for _, made in ipairs(steps) do
    for _, one in ipairs(made.parts or { made }) do
      local is_shown = one.abbreviation == NAME .. ".key" or one.abbreviation == NAME .. ".version"
      if is_shown then own[#own + 1] = { field = one.field, from = place_in_head, size = made.size } end
      if one.path == correlates and #own == 0 then own.correlates, own.correlates_at = one, place_in_head end
    end
    local size = made.kind == "literal" and #made.data or made.size
    if not size then break end
    place_in_head = place_in_head + size
  end
  return own
end

for _, each in ipairs(frames) do
  each.steps = asleep(each.steps)
  local steps = steps_of(each)
  if each.parts then declare_whole(each, steps) end
  if fields_of(steps, {}).secretive then -- which asks for their formats, too
    secretive[each], secretive[each.key], secretive.any = true, true, true
  end
  each.title = each.name:gsub("_", " ")
  each.values = {} -- of the frame that is read, used again for the next one
  each.caption = protocol.description .. ", " .. each.title .. " (" .. each.kind .. "), "
  for _, dialect in ipairs(each.dialects) do
    heads[dialect].info_texts = heads[dialect].info_texts or info_of_head(steps, each.correlates)
    for _, response in ipairs(each.responses) do
      local own = selected[dialect] or { keys = {} }
      selected[dialect] = own
      local selector = selector_of(each.key, each.version, response)
      own[selector] = own[selector] or {}
      table.insert(own[selector], each)
      own.keys[selector_of(each.key, nil, response)] = true
    end
  end
end
for name, embedded_record in pairs(embedded_records) do
  fields_of_declaring(declare_all, nil, embedded_record.body, name:gsub("^" .. SHORT .. "%.", NAME .. "."), "")
end
for name, call in pairs(calls) do
  call.name = name:gsub("^" .. SHORT .. "%.", "")
  fields_of_declaring(declare_all, nil, call.body, NAME .. "." .. call.name, "")
  secretive[call] = fields_of(call.body, {}).secretive
end

local record_fields = {}
for _, embedded_record in pairs(embedded_records) do fields_of(embedded_record.body, record_fields) end
record_fields.slots, record_fields.inner, record_fields.secretive = nil, nil, nil
for each_field in pairs(record_fields) do inner_fields[#inner_fields + 1] = each_field end

local function add_fields(made, steps)
  local own = fields_of(steps, {})
  for _, name in ipairs(made.holds or {}) do own[common[name]] = true end
  for _, name in ipairs(made.known or {}) do own[common[name]] = true end
  if own.slots then
    for each_field in pairs(record_fields) do own[each_field] = true end
  end
  for name, shown in pairs(made.reassembled or {}) do
    if name ~= "parts" then own[shown] = true end
  end
  for _, part in pairs(made.reassembled and made.reassembled.parts or {}) do own[part.field] = true end
  made.inner = own.inner or made.watched and made.watched[1] -- a plugin whose frames stand inside of this one, or that looks at it
  made.has_slots = own.slots
  own.slots, own.inner, own.secretive = nil, nil, nil
  made.fields = {}
  for each_field in pairs(own) do made.fields[#made.fields + 1] = each_field end
end

for _, each in pairs(calls) do add_fields(each, each.body) end

-- The steps of a frame of which a line is wanted: numbers at its beginning that nothing refers to are passed over.
local function line_steps(steps)
  local own, size, passing = {}, 0, true
  for _, made in ipairs(steps) do
    local wanted = made.keep or made.in_info or not (made.kind == "number" or made.kind == "bits")
    for _, part in ipairs(made.parts or {}) do wanted = wanted or part.keep or part.in_info end
    passing = passing and not wanted
    if passing then
      size = size + made.size
      own[1] = { kind = "passed", size = size }
    else own[#own + 1] = made end
  end
  return own
end

-- Kinds of steps of which a line takes as long to read as the whole, where this holds of all inside of them.
local SINGLE = {
  number = true, bits = true, run = true, blob = true, literal = true, line = true, json_line = true, headers = true,
  record = true, region = true, when = true, tail = true, either = true,
}

local function are_single(steps)
  for _, made in ipairs(steps) do
    local is_gathered = made.kind == "list" and (made.gathers or made.records) -- which conversations want all of
    if not SINGLE[made.kind] and not is_gathered then return false end
    for _, inner in ipairs({ "members", "clear", "set" }) do
      if made[inner] and not are_single(made[inner]) then return false end
    end
  end
  return true
end

-- What a kind of frame needs to be read, made when the first one comes.
function prepare(frame)
  local steps = steps_of(frame)
  add_fields(frame, steps)
  local prefix = heads[frame.dialects[1]].prefix or 0
  local from = prefix > 0 and 2 or 1 -- a carrier of whole messages leaves out the length
  frame.line_steps = joined(line_steps(steps), from) -- numbers that follow each other are read in one go
  frame.steps = joined(steps, from)
  frame.is_single = are_single(frame.steps)
  frame.code, frame.bare_code = {}, {} -- what reads them, written when it is wanted first
end

end

for _, embedded_record in pairs(embedded_records) do embedded_record.body = joined(embedded_record.body) end
for _, call in pairs(calls) do call.body = joined(call.body) end

-- What is remembered of connections -------------------------------------------------------------------------

-- What Wireshark says of the packet, each asked for once: a call costs as much as reading a small frame.
local here = setmetatable({}, { __index = function(own, name)
  local found = pinfo[name]
  own[name] = found
  return found
end })

local stream_number = Field.new("tcp.stream") -- not there while Wireshark makes no tree, as on the first of two passes
local view = {} -- how the packet is looked at: whether a tree is made, all of it is `visible`, a line of `columns` is wanted
local streams = {} -- conversations by number of the TCP stream
local pairs_of_ports = {} -- conversations by ports: for each pair of addresses one after the other, with their first packets
local homes = {} -- packet to its conversation, of those that came without such a number
local lone -- of what came without TCP
local counts, counted = {}, 0 -- packet to the number of its frames; the packet whose frames are being counted
local id_here = 0 -- number of the packet, and as a fraction the place of the frame in it: tells frames apart
local notes = {} -- frame to what is remembered of it: findings, whether it is a piece
local links = {} -- frame to the packet of its request, the time since, the packet of its response, and its conversation

local pieces = {} -- what puts frames together that were cut into pieces

local FINE = 0x100000
local new_conversation

do

local connections = 0

function new_conversation()
  connections = connections + 1
  return { id = connections, dialects = {}, upgraded = {}, agreed = {}, changes = {}, has_sent = {}, sound = 0 }
end

end

-- What a packet leaves behind must be collected while the processor still has it at hand, which is faster than to get new
-- memory: with Lua's own measures its heap outgrows the cache. So a round begins early, and goes through at once.
local GROWTH, EAGERNESS = 150, 1000 -- per cent of the heap, and of what is allocated meanwhile

function protocol.init()
  collectgarbage("setpause", GROWTH)
  collectgarbage("setstepmul", EAGERNESS)
  streams, pairs_of_ports, homes, counts, counted = {}, {}, {}, {}, 0
  notes, links.request, links.time, links.response, links.conversation = {}, {}, {}, {}, {}
  lone = new_conversation()
  talks.sessions = {} -- token to what a session agreed that another connection may resume
  if talks.begin then talks.begin() end
  if pieces.begin then pieces.begin() end
  hosts.everywhere = {} -- what identifies this protocol's frames inside another one's: of all connections
  talks.followers = {} -- what follows frames, for the preferences as they are
end

-- The number of the packet's TCP stream; false where it is not known.
local function stream_of()
  local number = rawget(here, "stream")
  if number == nil then
    local found = view.tree and stream_number()
    number = found and found() or false
    here.stream = number
  end
  return number
end

-- What is known of these ends: their conversations one after the other. Nil without TCP.
local function ends_here()
  local low, high = math.min(here.src_port, here.dst_port), math.max(here.src_port, here.dst_port)
  if high == 0 then return nil end
  local ports, lo, hi = low * 65536 + high, pinfo.lo, pinfo.hi
  local all = pairs_of_ports[ports]
  if not all then
    all = {}
    pairs_of_ports[ports] = all
  end
  for index = 1, #all do
    local each = all[index]
    if each.low == lo and each.high == hi then return each end
  end
  local made = { low = lo, high = hi, firsts = {} }
  all[#all + 1] = made
  return made
end

-- A conversation that begins with this packet, of ends that may have had others before.
local function begin_conversation(ends)
  local made = new_conversation()
  if ends then ends[#ends + 1], ends.firsts[#ends + 1] = made, here.number end
  return made
end

-- The conversation of the ends of the packet that goes on in it.
local function conversation_by_ends()
  local ends = ends_here()
  if not ends then return lone end
  for index = #ends, 1, -1 do
    if ends.firsts[index] <= here.number then return ends[index] end
  end
  return begin_conversation(ends)
end

local function conversation_of()
  local found = homes[here.number]
  if found then return found end
  local number = stream_of()
  if number then
    found = streams[number]
    if not found then
      found = begin_conversation(ends_here())
      streams[number] = found
    end
  else
    found = conversation_by_ends()
    homes[here.number] = found
  end
  return found
end

-- The conversation of the packet, where it is known already.
local function known_conversation()
  local number = stream_of()
  if number then return streams[number] end
  local ends = here.src_port > 0 and ends_here()
  return ends and ends[#ends]
end

-- Without numbers of streams a frame that opens, behind frames of both sides, begins another connection of the same ports.
-- Lines that open come again later on, so they tell nothing.
local function reopen(side)
  if not switch_dialect and conversation.has_sent[3 - side] and conversation.has_sent[side] and not stream_of() then
    conversation = begin_conversation(ends_here())
    homes[here.number] = conversation
    if view.follows then talks.see_segment() end
  end
end

-- 1 or 2: which side of the connection sends.
local function side_of()
  local side = rawget(here, "side")
  if not side then
    local source, destination = here.src_port, here.dst_port
    if source == destination then source, destination = tostring(here.src), tostring(here.dst) end
    side = source < destination and 1 or 2
    here.side = side
  end
  return side
end

-- "client" or "server", as far as it is known which one a side is.
local function sender_of(side)
  local client = conversation.client
  return client and (client == side and "client" or "server")
end

-- The number of a frame in its packet, the same on each visit.
local function next_place()
  if here.number ~= counted then counted, place = here.number, 0 end
  if not here.visited then
    place = place + 1
    if place > 1 then counts[counted] = place end
  else place = place % (counts[counted] or 1) + 1 end
  id_here = counted + (place - 1) / FINE -- most are whole numbers, which tables keep well
end

-- What is remembered of the frame; made on the first visit only.
local function note()
  local own = notes[id_here]
  if not own then
    own = {}
    notes[id_here] = own
  end
  return own
end

local NOTHING_AGREED = {}

-- What the connection had agreed up to this frame.
local function agreed_here()
  local changes = conversation.changes
  for index = #changes, 1, -1 do
    local change = changes[index]
    if change.number < here.number or change.number == here.number and change.place <= place then
      return change.agreed
    end
  end
  return NOTHING_AGREED
end

local agree

do

-- What the session that a frame resumes has agreed; one that it begins is remembered. Behind a proxy,
-- a session is seen before each of its servers, in connections of their own.
local function resumed(frame, said)
  local token = RESUMPTION and said[RESUMPTION.name]
  if not token then return {} end
  local server = tostring(here.dst) .. ":" .. here.dst_port -- it is the client that begins and resumes
  if frame.command == RESUMPTION.begins then
    local kept = {}
    for name, value in pairs(said) do if RESUMPTION.keeps[name] then kept[name] = value end end
    local session = talks.sessions[token] or { conversations = {} }
    session.agreed, session.conversations[server] = kept, conversation
    talks.sessions[token] = session
  end
  local session = frame.command == RESUMPTION.resumes and talks.sessions[token]
  if not session then return {} end
  local conversations = session.conversations
  conversation.resumes, conversations[server] = conversations[server], conversation
  return session.agreed
end

function agree(frame)
  local said, any = {}, false
  for _, each in ipairs(frame.agrees) do
    local value = rawget(v, each.path .. " raw") or rawget(v, each.path)
    if value ~= nil and each.mask then value = band(value, each.mask) ~= 0 end
    local before = each.least and conversation.agreed[each.name]
    if before and value ~= nil then value = math.min(value, before) end
    if value ~= nil then said[each.name], any = value, true end
  end
  if not any then return end
  local agreed = {}
  for name, value in pairs(conversation.agreed) do agreed[name] = value end
  for name, value in pairs(resumed(frame, said)) do agreed[name] = value end
  for name, value in pairs(said) do agreed[name] = value end
  conversation.agreed = agreed
  table.insert(conversation.changes, { number = here.number, place = place, agreed = agreed })
end

end

