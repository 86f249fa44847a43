protocol.fields = registered
local hiding -- the note that a preference of Wireshark hides frames
do

hiding = ProtoExpert.new(NAME .. ".expert.preference", "A preference of Wireshark hides frames", expert.group.UNDECODED, expert.severity.NOTE)
local all_experts = { hiding }
for _, each in pairs(experts) do all_experts[#all_experts + 1] = each end
protocol.experts = all_experts

end

-- One frame -------------------------------------------------------------------------------------------------

local IN_WINDOW = gui_enabled()
local asked, asked_number, asked_place = {}, 0, 0
local of_carrier -- the problem with how a carrier brought the frame, or with where it stands

local what_is_wanted, look

do

local function is_any_asked(root, fields)
  for _, each in ipairs(fields) do if root:referenced(each) then return true end end
  return false
end

-- What `find` says of a key, found out once in a pass.
local function once(key, find, ...)
  if asked[key] == nil then asked[key] = find(...) end
  return asked[key]
end

-- Whether somebody wants to see what embedded records and formats read inside of fields.
local function is_inside_asked(root)
  if root:referenced(header.text) or is_any_asked(root, inner_fields) then return true end
  for name in pairs(formats) do
    local found, dissector = pcall(Dissector.get, name)
    if found and dissector and root:referenced(dissector) then return true end
  end
  for _, dissector in pairs(bodies_of.found) do if root:referenced(dissector) then return true end end
  return false
end

local ASKED = { __index = function(all, what)
  local found
  if what == "slots" then found = once("slots", is_inside_asked, root_tree) else found = root_tree:referenced(what) end
  all[what] = found
  return found
end }

-- The fields of a frame that somebody asks for by their names, as a set; false where all are wanted. `key` in it tells
-- these of the frame from others.
local function fields_asked(frame, root)
  if view.visible or frame.inner or root:referenced(header.problem) then return false end
  if root:referenced(undecoded) then return false end -- what cannot be read ends what can
  local found, key = setmetatable({}, ASKED), {}
  for index, each in ipairs(frame.fields) do if found[each] then key[#key + 1] = index end end
  found.key = table.concat(key, " ") .. tostring(found.slots)
  return found
end

-- Whether somebody wants to see the fields of this kind of frame.
local function is_asked(frame, root)
  if frame.inner and package.loaded["streamshark." .. frame.inner] then return true end
  return once("headers", is_any_asked, root, shown_headers) or once(frame, is_any_asked, root, frame.fields)
    or frame.has_slots and once("slots", is_inside_asked, root)
end

-- How much of a frame is wanted: all with its fields; all for its problems, while only expert items are asked for; else
-- what its line needs. And whether somebody will see what conversations tell of it: not those who draw a list once.
function what_is_wanted(frame, root)
  local shown = view[frame]
  if shown == nil then
    shown = view.visible or (view.any or frame.inner) and is_asked(frame, root) or false
    view[frame] = shown
  end
  local judged = not shown and (view.judged or view.sought)
  sums.wanted = view.sums or judged
  chosen = nil
  if (shown or judged) and not view.visible then
    root_tree = root
    chosen = shown and once(frame.fields, fields_asked, frame, root) or judged and once("judged", setmetatable, {}, ASKED) or nil
  end
  return shown, judged, view.follows
end

-- How a packet is looked at, from the tree on: in tshark all packets of the first visit in one way.
function look(root)
  local visited, visible, columns = here.visited, root.visible, tostring(pinfo.cols.info) ~= "(info)"
  view = { tree = true, visited = visited, visible = visible, columns = columns }
  view.tree = visible or stream_of() ~= false or here.src_port == 0
  view.any = visible or view.tree and (once("any", is_any_asked, root, registered) or once("slots", is_inside_asked, root))
  view.named = view.tree and once("protocol", root.referenced, root, Dissector.get(NAME:lower()))
  view.rooted = view.any or view.named
  local experts_asked = not columns
  if IN_WINDOW then experts_asked = visited end -- its list of expert items asks for columns, too
  local tapped = statistics.listening > 0
  view.judged = view.tree and not view.any and (experts_asked or tapped)
  view.follows = not visited and talks.follow and (preferences.links or preferences.findings)
    and (visible or IN_WINDOW or tapped or not columns or view.any and once("meant", is_any_asked, root, talks.fields))
  if talks.follow then
    tcp_watcher.is_idle = not view.follows and tcp_watcher.is_idle ~= false
    tcp_watcher.is_blind = view.follows and not view.tree
  end
  view.sought = view.any and is_any_asked(root, talks.of_findings)
  view.sums = visible or view.any and (view.sought or root:referenced(header.problem))
end

end

local function start(bytes, from, total, most, values)
  tvb, at, stop, first = bytes, from, from + total, from
  v = values or {}
  for path in next, v do v[path] = nil end
  setmetatable(v, NOTHING)
  left, large, name_here, hidden_from, secrets.held, veils.met = most, false, "", math.huge, false, false
  if next(info_texts) then info_texts = {} end
  if #problems > 0 then problems = {} end
  if next(inner_texts) then inner_texts = {} end
  if next(facts_held) then facts_held = {} end
  numbering.value, stream_inside = nil, nil
end

local function time_span(seconds)
  local ns = math.floor(seconds * 1e9 + 0.5)
  return NSTime.new(math.floor(ns / 1e9), ns % 1000000000)
end

-- The bytes of a frame as those of a layer. Filters on slices of a layer read from the beginning of its Tvb.
local function layer_of(bytes, from, total)
  local range = range_of(bytes, from, total)
  if total == #data or not view.named then return range end
  return range_of(range:tvb(), 0, total)
end

local dissect_frame, begin_hiding, is_sound

do

-- The line of a frame: a mark if it is a refusal, its name, its words.
local function line_of(frame)
  local words, refused = info_line.words(frame.shows, info_texts, not piece and inner_texts or nil)
  local text = (refused and "! " or "") .. frame.name .. words
  return frame.in_pieces and text .. pieces.sentence(frame) or text
end

-- Adds values that are not in the bytes.
local function show(tree, shown, value)
  if not chosen or chosen[shown] then generated(add(tree, shown, value)) end
end

local function add_links(tree, frame)
  local request, response = links.request[id_here], links.response[id_here]
  if request then
    show(tree, header.request, request)
    if not chosen or chosen[header.time] then show(tree, header.time, time_span(links.time[id_here])) end
  end
  if response then show(tree, header.response, response) end
  local id = (not chosen or chosen[header.conversation]) and talks.id_of_conversation()
  if id then show(tree, header.conversation, id) end
  for _, name in ipairs(frame.known or {}) do
    local value = (not chosen or chosen[common[name]]) and talks.known(name)
    if value then show(tree, common[name], as_utf8(value)) end
  end
end

local LONGEST_MESSAGE = 120 -- characters of a problem in a line

-- Problems of a frame itself, then those inside of its slots.
local function in_order(all)
  local own, inner = {}, {}
  for _, each in ipairs(all) do
    if each.inside then inner[#inner + 1] = each else own[#own + 1] = each end
  end
  for _, each in ipairs(inner) do own[#own + 1] = each end
  return own
end

-- Whether a type was agreed for the connection that is secret.
local function agrees_secret()
  for _, said in pairs(conversation.agreed) do
    if type(said) == "string" and said ~= "" and secrets.is_type(said) then return true end
  end
  return false
end

-- Finds out what of a frame, or of a call's message, may be secret.
function begin_hiding(frame, from, total)
  veiling = secretive[frame] or false
  secrets.held = not preferences.secrets and (secrets.may_hold(data:sub(from + 1, from + total)) or agrees_secret())
end

local function from_second(steps) return { unpack(steps, 2) } end

-- Reads what is being read with the code for it: "shown", "chosen" fields, "judged", "line", or, by conversations, "followed" and
-- "judged and followed".
local function read_straight(frame, wanted, bare)
  local code = frame[bare and "bare_code" or "code"]
  if not code[wanted] or wanted == "chosen" and code.key ~= chosen.key then
    local steps = wanted == "line" and not bare and frame.line_steps or frame.steps
    local is_judged = wanted == "judged" or wanted == "judged and followed"
    local shows = wanted == "shown" and everything or is_judged and {} or wanted == "chosen" and chosen
    code[wanted] = straight(bare and from_second(steps) or steps, shows, wanted == "followed" or wanted == "judged and followed", frame)
    if wanted == "chosen" then code.key = chosen.key end
  end
  local followed = following or wanted ~= "line" and conversation.talk -- who may ask for more than the line and the tree
  local behind, halted = code[wanted](tvb, data, at, stop, item, v, wants_info, following, followed)
  at = behind
  return halted
end

local function read_steps(steps, bare)
  for index = bare and 2 or 1, #steps do
    if brief and left <= 0 or read[steps[index].kind](steps[index]) then return HALT end
  end
end

-- Whether all of a frame is there, without problems.
function is_sound(bytes, from, total, frame, bare)
  start(bytes, from, total, 1000)
  item, piece = nil, true
  if not frame.code then prepare(frame) end
  return not read_steps(frame.steps, bare) and at == stop and #problems == 0
end

local completeness = Field.new("tcp.completeness")

-- The side that a frame proves to be the client: only one side sends such frames, or opens streams of such numbers.
local function proved_client(bytes, from, total, frame, side, bare)
  local sender = frame.proves
  if not sender and PARITY and PARITY.opens[frame.command] then
    local head = heads[preferences.dialect]
    local number = part_value(head.info_texts.correlates, from + head.info_texts.correlates_at - (bare and head.prefix or 0))
    if number > 0 and is_sound(bytes, from, total, frame, bare) then
      sender = (number % 2 == 1) == (PARITY.odd[preferences.dialect] == "client") and "client" or "server"
    end
  end
  return sender and (sender == "client" and side or 3 - side)
end

-- Remembers which side is the client, and from which frame on that is known; where a SYN was captured, from the first one.
local function prove_client(...)
  conversation.client = proved_client(...)
  local seen, talk = completeness(), conversation.talk
  local is_open = not seen and not talk or seen and seen() % 2 == 1 or talk and talk.conn.start
  conversation.client_from = conversation.client and not is_open and id_here
end

-- "client" or "server", if frames up to this one prove who sends it.
local function proved_sender()
  return id_here >= (conversation.client_from or 0) and sender_of(side_of()) or nil
end

-- The text of a frame with its first problems.
local function with_problems(text, tree)
  if #problems == 0 then return text end
  for index, each in ipairs(in_order(problems)) do
    if tree then show(tree, header.problem, each.code) end
    if index <= 3 then
      local mark = CODES[each.code].severity == "ERROR" and " [E] " or " [W] "
      local message = #each.message > LONGEST_MESSAGE and each.message:sub(1, LONGEST_MESSAGE - 3) .. "..." or each.message
      local path = each.inside or each.path -- of something inside, the slot that it stands in
      text = text .. mark .. each.code .. (path and " " .. path or "") .. ": " .. message
    end
  end
  if #problems > 3 then text = text .. " [" .. #problems - 3 .. " more problems]" end
  return text
end

local function check_end(frame, halted)
  if frame.watched then hosts.watch(frame) end
  return not halted and at ~= stop
end

local judged_root, judged_bytes, judged_from, judged_total -- where the frame is that is judged

-- The item of the frame that is dissected. Of one that is only judged it is made when something is to be said of it.
local function item_of_frame()
  if judged_item == item_of_frame then judged_item = add(judged_root, protocol, layer_of(judged_bytes, judged_from, judged_total)) end
  return judged_item
end

-- Looks for what is wrong with a frame of which nothing else is shown; gives its text, which may be known already.
local function judge_frame(bytes, from, total, frame, root, bare, text)
  veiling, secrets.held = false, false -- no bytes are shown
  judged_root, judged_bytes, judged_from, judged_total = root, bytes, from, total
  item, judged_item = nil, item_of_frame
  if view.named then item_of_frame() end
  if of_carrier then note_problem(of_carrier.code, nil, from + of_carrier.offset, of_carrier.length, of_carrier.message) end
  local wanted = chosen
  chosen = nil
  local halted = read_straight(frame, following and "judged and followed" or "judged", bare)
  chosen = wanted
  if check_end(frame, halted) then problem("trailing", nil, at, stop - at, stop - at) end
  veiling = false
  text = text or view.columns and line_of(frame) or ""
  return with_problems(text)
end

-- Shows a frame, or the fields of it that somebody asks for; gives its text.
local function show_frame(bytes, from, total, frame, root, bare)
  begin_hiding(frame, from, total)
  local tree
  if chosen then tree = add(root, protocol, layer_of(bytes, from, total))
  else tree = add(root, protocol, layer_of(bytes, from, total), frame.caption .. total .. " bytes") end
  item, judged_item = tree, tree
  show(tree, header.command, frame.command)
  show(tree, header.kind, frame.kind)
  if between_servers then show(tree, header.sender, "peer")
  else
    local sender = proved_sender()
    if sender then show(tree, header.sender, sender) end
  end
  show(tree, header.length, total)
  for _, name in ipairs(frame.holds or {}) do
    if not chosen or chosen[common[name]] then generated(add(tree, common[name], true)):set_hidden() end
  end
  if header.version and not frame.version and conversation.agreed.version then
    show(tree, header.version, conversation.agreed.version)
  end
  if of_carrier then note_problem(of_carrier.code, nil, from + of_carrier.offset, of_carrier.length, of_carrier.message) end
  local halted = read_straight(frame, chosen and "chosen" or "shown", bare)
  local is_over = check_end(frame, halted)
  item = tree
  if is_over then problem("trailing", nil, at, stop - at, stop - at) end
  if at < stop then add_undecoded(tree, at, stop - at) end
  veiling = false
  if frame.reassembled then pieces.show(frame, tree) end
  local id = frame.correlates and rawget(v, frame.correlates)
  if id ~= nil and header.correlation then
    if type(id) == "number" then
      if CORRELATES == "int64" then id = Int64.new(id) elseif CORRELATES == "uint64" then id = wide(id) end
    end
    show(tree, header.correlation, type(id) == "string" and as_utf8(id) or id)
  end
  return with_problems(view.columns and line_of(frame) or "", tree)
end

-- Shows a frame; gives its text for the Info column.
function dissect_frame(bytes, from, total, frame, root, bare)
  if not frame.code then prepare(frame) end
  local side, first_visit = side_of(), not here.visited
  next_place()
  if first_visit then
    if frame.opens then reopen(side) end
    conversation.has_sent[side] = true
  end
  local shown, judged, follows = what_is_wanted(frame, root)
  local full = shown or judged
  local steps = frame.steps
  if first_visit and not conversation.client then prove_client(bytes, from, total, frame, side, bare) end
  piece = false
  local more -- whether other pieces of what this frame begins are still to come
  local closely = frame.agrees
  -- A conversation may know the stream by which bodies are handed to others: it is followed before they are read.
  local early = shown and follows and frame.bodies and frame.known ~= nil and first_visit
  following = follows and (not full or early)
  -- Of what is only judged the line is read apart where it needs less than all of the frame, or where that is read apart anyway.
  local lined = judged and view.columns and statistics.listening == 0 and (frame.in_pieces or closely or not frame.is_single)
  if not full and (view.columns or following) or early or lined or first_visit and (closely or frame.in_pieces) then
    start(bytes, from, total, frame.brief + (frame.agrees and 1000 or 0) + (following and frame.awaited or 0), frame.values)
    item, brief = nil, true
    local halted
    if closely then halted = read_steps((bare or following) and steps or frame.line_steps, bare)
    else
      wants_info, left = view.columns, math.huge
      halted = read_straight(frame, following and "followed" or "line", bare)
      wants_info = true
    end
    brief = false
    if first_visit then
      if frame.agrees then agree(frame) end
      if frame.in_pieces then more = pieces.see(frame, side, halted) end
    end
    if following then talks.follow(frame, side, total, more) end
  end
  following = false
  piece = notes[id_here] and notes[id_here].piece
  local text = lined and line_of(frame)
  if not full then
    if view.rooted then add(root, protocol, layer_of(bytes, from, total)) end
    return view.columns and line_of(frame) or ""
  end
  local agreed = conversation.agreed
  if not first_visit then conversation.agreed = agreed_here() end
  start(bytes, from, total, 1000, frame.values)
  follows = follows and not early
  wants_info, following, root_tree, hosts.frame = view.columns and not lined or statistics.listening > 0, follows, root, frame
  if judged then text = judge_frame(bytes, from, total, frame, root, bare, text)
  else text = show_frame(bytes, from, total, frame, root, bare) end
  following = false
  if talks.follow then
    local tree = item_of_frame
    if #problems > 0 and preferences.findings and conversation.talk then talks.show_findings(tree, talks.judge_problems(frame, side, total)) end
    if follows then talks.follow(frame, side, total, more) end
    if shown and preferences.links then add_links(tree(), frame) end
    local own = notes[id_here]
    if own then talks.show_findings(tree, own.findings) end
    if statistics.listening > 0 then statistics.see(frame, total, line_of(frame)) end
  end
  conversation.agreed, judged_item = agreed, nil
  wants_info = true
  return text .. (inner_texts[""] or "")
end

end

local UNKNOWN = { name = "unknown" } -- stands for what no schema is known for

-- Bytes of a frame that no schema is known for.
local function dissect_unknown(bytes, from, total, code, message, root, key, version, dialect)
  local tree = root:add(protocol, layer_of(bytes, from, total))
  tree:append_text(", unknown, " .. total .. " bytes")
  item, problems, first, tvb = tree, {}, from, bytes
  tree:add(header.length, total):set_generated()
  if here.number >= (conversation.client_from or 0) and conversation.client then
    tree:add(header.sender, sender_of(side_of())):set_generated()
  end
  local of_head = key and heads[dialect or preferences.dialect].info_texts or {}
  for _, each in ipairs(of_head) do
    if each.from + each.size <= total then tree:add(each.field, bytes(from + each.from, each.size)) end
  end
  local joining, joining_at = of_head.correlates, from + (of_head.correlates_at or 0)
  if joining and joining_at + joining.size <= from + total then
    local id = joining.width and part_value(joining, joining_at) or number_at(joining_at, joining.size, joining.signed)
    tree:add(header.correlation, id):set_generated()
  end
  if header.version and not version and conversation.agreed.version then
    tree:add(header.version, conversation.agreed.version):set_generated()
  end
  chosen, hidden_from, veiling = nil, math.huge, key ~= nil and secretive[key] or false
  add_undecoded(tree, from, total)
  veiling = false
  problem(code, nil, from, total, message)
  tree:add(header.problem, code):set_generated()
  if talks.follow and preferences.findings and conversation.talk then
    v, UNKNOWN.key, UNKNOWN.version = {}, key, version
    next_place()
    talks.show_findings(tree, talks.judge_problems(UNKNOWN, side_of(), total))
    if view.follows then talks.follow(UNKNOWN, side_of(), total) end
    local own, id = notes[id_here], talks.id_of_conversation()
    if id then tree:add(header.conversation, id):set_generated() end
    talks.show_findings(tree, own and own.findings)
  end
  local text = "unknown"
  if key then text = text .. " key=" .. (type(key) == "number" and (key < 0 and "-" or "") .. hex(math.abs(key)) or quoted(key)) end
  version = version or conversation.agreed.version
  if version then text = text .. " version=" .. digits(version) end
  return text .. " length=" .. total .. " [E] " .. code .. ": " .. message
end

-- The problem of an unknown key or version: code and message.
local function oddity(dialect, key, version, response)
  if selected[dialect].keys[selector_of(key, nil, response)] then
    return "unknown_version", "version " .. tostring(version) .. " of key " .. tostring(key)
  end
  return "unknown_key", (response and "response " or "") .. "key " .. tostring(key) .. (version and ", version " .. tostring(version) or "")
end

-- The dialect of the connection from a line on, which may tell another one than before.
local function dialect_here(bytes, from, length, key)
  if not switch_dialect or preferences.dialect ~= "" then return preferences.dialect end
  local changes, line_at = conversation.dialects, bytes:offset() + from
  local dialect = ""
  if here.visited then
    for _, change in ipairs(changes) do
      if change.number < here.number or change.number == here.number and change.place <= line_at then
        dialect = change.dialect
      end
    end
    return dialect
  end
  dialect = #changes > 0 and changes[#changes].dialect or ""
  if SWITCHING[key] then
    local line = bytes:raw(from, math.min(length, 65536)):match("^([^\n]*)") or ""
    local after = switch_dialect(dialect, line)
    if after ~= dialect then
      changes[#changes + 1] = { number = here.number, place = line_at, dialect = after }
      dialect = after
    end
  end
  return dialect
end

-- What the bytes begin that is not this protocol any more; nil for nothing known.
local function upgrade_name(bytes, from)
  for prefix, name in pairs(UPGRADES) do
    if bytes:len() - from >= #prefix and bytes:raw(from, #prefix) == prefix then return name end
  end
end

-- Frames out of a stream ------------------------------------------------------------------------------------

local function frame_of(key, version, response, dialect)
  local found = selected[dialect or preferences.dialect][selector_of(key, version, response)]
  if not found then return nil end
  if #found == 1 then return found[1] end
  local sender = sender_of(side_of())
    or preferences.servers[here.dst_port] and "client" or preferences.servers[here.src_port] and "server"
  for _, each in ipairs(found) do
    if each.sender == sender or each.sender == "both" then return each end
  end
  return found[1]
end

-- Length and schema of the frame that begins here; no length where its head is cut, no schema where it is not a known one.
local function frame_at(from, most)
  local head = heads[preferences.dialect]
  local total, key, version, response
  if head.lines then
    total, key = head.measure(from, most)
    if not total then return nil, key and frame_of(key) end
  else
    if most < head.size then
      local least = head.prefix and head.prefix > 0 and most >= head.prefix and head.measure(from)
      if least and least < head.least and least <= most then return least, nil, 0, 0 end -- it ends before its key
      return nil
    end
    total = head.measure(from)
    key, version, response = head.select(from)
  end
  if total < head.least or total > head.most then return total, nil, key, version, response end
  return total, frame_of(key, version, response), key, version, response
end

local dissect_stream

;(function()

local function foreign_name(bytes, from)
  local best, length = nil, 0
  for prefix, name in pairs(FOREIGN) do
    if #prefix > length and bytes:len() - from >= #prefix and data:sub(from + 1, from + #prefix) == prefix then
      best, length = name, #prefix
    end
  end
  return best
end

-- The first line behind `from` that a verb begins; the end may cut it, and its verb.
local function line_behind(from, length)
  local line = data:find("\n", from + 1, true)
  while line and line < length do
    local total, frame = frame_at(line, length - line)
    if frame or not total then return line end
    line = data:find("\n", line + 1, true)
  end
  return length
end

-- The first place behind `from` where the head of a known frame stands that fits, or is cut by the end.
local function search(from, length)
  local head = heads[preferences.dialect]
  if head.lines then return line_behind(from, length) end
  for place_of_head = from + 1, length - head.size do
    local total, frame = frame_at(place_of_head, length - place_of_head)
    if total and frame then
      local after = place_of_head + total
      if after == length then return place_of_head end
      if after + head.size <= length then
        local _, behind = frame_at(after, length - after)
        if behind then return place_of_head end
      end
    end
  end
  return length
end

local may_be_proxy, proxy_length
local MAY_BE_PROXY = { [80] = true, [13] = true } -- first bytes of a preamble

do

local PROXY_1, PROXY_2 = "PROXY ", "\r\n\r\n\0\r\nQUIT\n"

-- Whether the bytes begin as a preamble does, but for its end.
function may_be_proxy(length)
  local raw = data:sub(1, 108)
  if #raw < #PROXY_1 then return PROXY_1:sub(1, #raw) == raw or PROXY_2:sub(1, #raw) == raw end
  if raw:sub(1, #PROXY_1) == PROXY_1 then return length < 108 and not raw:find("\n", 1, true) end
  if #raw < #PROXY_2 then return PROXY_2:sub(1, #raw) == raw end
  return raw:sub(1, #PROXY_2) == PROXY_2 and (length < 16 or length < 16 + u16(14))
end

function proxy_length(length)
  if length >= 16 and data:sub(1, 12) == PROXY_2 then
    local total = 16 + u16(14)
    return total <= length and total or 0
  end
  if length >= 8 and data:sub(1, 6) == PROXY_1 then
    local line = data:sub(1, 107):match("^[^\n]*\n")
    return line and #line or 0
  end
  return 0
end

end

local PROXY, NO_FRAME = "PROXY protocol", "no frame begins here" -- why bytes are skipped

local NAMED = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\" }
local QUOTED = 15 -- bytes

-- Why bytes are skipped in which no frame begins: with the head that they would be, or the first of them. These may be a secret, or
-- after lost bytes the end of one.
local function no_frame(from, total, key, version)
  local head
  if type(key) == "number" then
    head = "length " .. digits(total) .. ", key " .. key .. (version and ", version " .. version or "")
  else
    local raw = data:sub(from + 1, from + QUOTED)
    if not talks.is_gapless() or secrets.is_likely(raw) then return NO_FRAME .. " (***)" end
    local mark = raw:find("'", 1, true) and not raw:find('"', 1, true) and '"' or "'"
    head = raw:gsub("[%z\1-\31\\\127-\255]", function(one) return NAMED[one] or ("\\x%02x"):format(one:byte()) end)
    head = mark .. (mark == "'" and head:gsub("'", "\\'") or head) .. mark
  end
  return NO_FRAME .. " (" .. head .. ")"
end

-- Tells where a preference of Wireshark may be the cause that frames are not shown.
local function note_preference(tree, why, is_snapped)
  local text
  if is_snapped then
    text = get_preference("tcp.reassemble_out_of_order")
      and "the snap length cut off bytes for which the preference tcp.reassemble_out_of_order waits: no later frames of this side are shown"
  elseif why:find("^the start of") then
    text = get_preference("tcp.desegment_tcp_streams") == false
      and "frames that segments divide are not shown, since the preference tcp.desegment_tcp_streams is off"
  elseif talks.is_after_loss and talks.is_after_loss() then
    text = get_preference("tcp.reassemble_out_of_order") == false
      and "if the missing segment comes later, the preference tcp.reassemble_out_of_order lets its frames be shown"
  end
  if text then tree:add_proto_expert_info(hiding, text) end
end

-- Shows bytes in which no frame was found. They may be the end of any secret.
local function show_skipped(bytes, from, length, root, why)
  local tree = root:add(protocol, layer_of(bytes, from, length))
  tree:append_text(", " .. length .. " bytes: " .. why)
  tvb, chosen, hidden_from, veiling = bytes, nil, math.huge, secretive.any and why ~= PROXY or false
  add_undecoded(tree, from, length)
  veiling = false
  note_preference(tree, why, bytes:reported_len() > #data)
  return "[" .. length .. " bytes: " .. why .. "]"
end

-- What is left to Wireshark's own dissectors, which recognise it: what may carry us.
local LEFT_ALONE = { TLS = true, HTTP = next(CARRIED_IN) ~= nil }

local MOST_FOREIGN = 4096 -- bytes of another protocol that are shown as a frame
local MOST_BELIEVED = 65536 -- bytes of a frame with an unknown key that are waited for

local inside_tls = false -- whether the bytes are what TLS has opened
local sealed_data = Field.new("tls.app_data")

-- Counts the bytes of another protocol as lost: those of a side from some on are not read.
local function leave(side_left, length, name, side)
  if side_left.is_left then return end
  side_left.is_left = true
  if view.follows then talks.skip(length, "this is " .. name, side) end
end

-- Leaves TLS that one side has begun when the other one goes on without it: it is never opened.
local function leave_unanswered()
  local other = 3 - side_of()
  local begun = conversation.upgraded[other]
  if begun and begun.number < here.number and not inside_tls then leave(begun, begun.length, begun.name, other) end
end

-- What a side goes on as behind an upgrade; TLS is Wireshark's own.
local function dissect_upgraded(bytes, from, root, name)
  local side, length = side_of(), bytes:len() - from
  local upgraded = conversation.upgraded[side] or { number = here.number, name = name, length = length }
  conversation.upgraded[side] = upgraded
  if not name:find("^TLS") then
    leave(upgraded, length, name)
    return show_skipped(bytes, from, length, root, name)
  end
  local before, outer = pinfo.can_desegment, conversation
  inside_tls, pinfo.can_desegment = true, 2 -- a dissector that is called has one less
  Dissector.get("tls"):call(bytes(from):tvb(), pinfo, root)
  inside_tls, pinfo.can_desegment = false, before
  if view.tree and not outer.is_opened and sealed_data() then leave(upgraded, length, name) end
  return ""
end

-- Whether more segments can be waited for.
local function may_wait(bytes) return pinfo.can_desegment > 0 and bytes:reported_len() == #data end

-- Waits for the rest of what begins at a place; without `missing` for the next segment.
local function wait_for(from, missing)
  pinfo.desegment_offset, pinfo.desegment_len = from, missing or DESEGMENT_ONE_MORE_SEGMENT
  if view.follows then talks.wait(from, missing) end
end

function dissect_stream(bytes, root)
  local length = #data
  local upgraded = conversation.upgraded[side_of()]
  if inside_tls then conversation.is_opened = true end
  if upgraded and upgraded.number < here.number and not inside_tls then
    return dissect_upgraded(bytes, 0, root, upgraded.name)
  end
  local head = heads[preferences.dialect]
  local from, texts = MAY_BE_PROXY[bytes_at(data, 1)] and proxy_length(length) or 0, {}
  if from > 0 then texts[1] = show_skipped(bytes, 0, from, root, PROXY)
  elseif MAY_BE_PROXY[bytes_at(data, 1)] and may_be_proxy(length) and may_wait(bytes) then
    wait_for(0)
    return ""
  end
  while from < length do
    local rest = length - from
    local total, frame, key, version, response = frame_at(from, rest)
    if not total then -- the head is not whole
      if may_wait(bytes) then
        wait_for(from)
      else
        texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of a frame")
      end
      break
    end
    local sane = total >= head.least and total <= math.min(head.most, preferences.largest)
    if frame and sane then
      if total > rest then
        if may_wait(bytes) then
          wait_for(from, total - rest)
        else
          if view.follows then talks.recognise() end
          texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of " .. frame.title)
        end
        break
      end
      between_servers = false
      if switch_dialect then
        local dialect = dialect_here(bytes, from, total, key)
        frame = frame_of(key, version, response, dialect)
        between_servers = BETWEEN_SERVERS[dialect] or frame.sender == "peer"
      end
      leave_unanswered()
      texts[#texts + 1] = dissect_frame(bytes, from, total, frame, root)
      from = from + total
    else
      local upgrade = not inside_tls and upgrade_name(bytes, from)
      if upgrade then
        texts[#texts + 1] = dissect_upgraded(bytes, from, root, upgrade)
        break
      end
      local foreign = foreign_name(bytes, from)
      if from == 0 and LEFT_ALONE[foreign] then return nil end
      if foreign then
        texts[#texts + 1] = dissect_unknown(bytes, from, rest, "foreign", "these bytes are " .. foreign, root)
        if view.follows and rest > MOST_FOREIGN then talks.skip(rest - MOST_FOREIGN, "this is " .. foreign) end
        break
      end
      if sane and total <= MOST_BELIEVED and total > rest and may_wait(bytes) then
        wait_for(from, total - rest)
        break
      end
      local after = total > 0 and total <= MOST_BELIEVED and total <= rest and from + total
      local believed = after == length
      if after and not believed then
        local next_total, next_frame = frame_at(after, length - after)
        believed = next_total == nil or next_frame ~= nil
      end
      if believed then
        local code, message
        if sane then code, message = oddity(preferences.dialect, key, version, response)
        else -- too short for a frame, and nothing is lost
          code, message = "length", ("a frame of %s bytes; %s to %s are possible"):format(digits(total), digits(head.least), digits(head.most))
          if total < head.least then key, version = nil, nil end -- they were read from the bytes of the next frame
        end
        texts[#texts + 1] = dissect_unknown(bytes, from, total, code, message, root, key, version)
        from = after
      else
        local found = search(from, length)
        texts[#texts + 1] = show_skipped(bytes, from, found - from, root, NO_FRAME)
        if pieces.lose and not here.visited then pieces.lose(side_of()) end
        if view.follows then talks.skip(found - from, no_frame(from, total, key, version)) end
        from = found
      end
    end
  end
  return #texts == 1 and texts[1] or table.concat(texts, " | ")
end

end)()

-- Entry points ----------------------------------------------------------------------------------------------

local begin

do

local length_of, raw_of, offset_of = Tvb.len, Tvb.raw, Tvb.offset

function begin(bytes, info, root, carried)
  local number = info.number
  pinfo = info
  here.number, here.visited, here.src_port, here.dst_port = number, info.visited, info.src_port, info.dst_port
  here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
  if number <= asked_number then
    local offset = offset_of(bytes)
    if number < asked_number or offset <= asked_place then asked, view = {}, {} end
    asked_place = offset
  elseif number ~= asked_number then asked_place = -1 end
  asked_number = number
  if IN_WINDOW or view.visited ~= here.visited then look(root) end
  if talks.finish then
    if here.visited then talks.finish() elseif talks.undoing then talks.go_on() end
  end
  conversation = conversation_of()
  others_called = 0
  data = length_of(bytes) > 0 and raw_of(bytes) or ""
  if view.follows then talks.see_segment(carried) end
  if pieces.see then pieces.see_segment() end
end

end

-- What the watcher of TCP tells: it comes after the frames of the packet.
if talks.follow then
  tcp_watcher.plugins[#tcp_watcher.plugins + 1] = function(info, name, length)
    pinfo = info
    local is_here = here.number == info.number and here.visited == info.visited
    here.number, here.visited, here.src_port, here.dst_port = info.number, info.visited, info.src_port, info.dst_port
    here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
    conversation = known_conversation()
    if not conversation then return end
    if pieces.lose and name == "snapped" then pieces.lose(side_of()) end
    talks.see_event(name, is_here, length)
  end
end

local finish

do

local COLUMN = protocol.name
local clear, append, fence = Column.clear, Column.append, Column.fence

function finish(text)
  if not view.columns then return end
  if around then -- what has the frame around writes it behind that one's
    around.line = text
    return
  end
  local columns = pinfo.cols
  columns.protocol = COLUMN
  if text == "" then return end -- only the start of a frame, which comes with a later packet
  local info = columns.info
  clear(info)
  local before = tostring(info):gsub("%[TCP [^%]]*%] *", "")
  if before ~= "" and before ~= "(info)" then text = " | " .. text end
  append(info, as_utf8(text))
  fence(info)
end

end

-- One frame that is identified by what is around it: dialect, key where no head says it, a problem.
local function dissect_embedded(bytes, root, identity)
  local dialect, length = identity.dialect or preferences.dialect, bytes:len()
  local head, key, version, response = heads[dialect], identity.key, nil, nil
  if not key then
    if length < head.least then
      local message = "a message of " .. length .. " bytes contains no frame"
      finish(dissect_unknown(bytes, 0, length, "length", message, root))
      return length
    end
    key, version, response = head.select(0)
  end
  local frame = frame_of(key, version, response, dialect)
  if frame then
    of_carrier = identity.problems and identity.problems[1]
    finish(dissect_frame(bytes, 0, length, frame, root))
    of_carrier = nil
  else
    local code, message = oddity(dialect, key, version, response)
    finish(dissect_unknown(bytes, 0, length, code, message, root, key, version, dialect))
  end
  return length
end

local opcodes = BINARY and Field.new("websocket.opcode")
-- Whether the message of WebSocket that is being read is text; false where Wireshark makes no tree.
local function is_text_message()
  local found = 2
  for _, opcode in ipairs(opcodes and { opcodes() } or {}) do
    if opcode.value == 1 or opcode.value == 2 then found = opcode.value end
  end
  return found == 1
end

-- One frame without the length before it, as a WebSocket message or another carrier brings it.
local function dissect_bare(bytes, info, root)
  begin(bytes, info, root, true)
  local head = heads[preferences.dialect]
  local length = bytes:len()
  around = package.loaded[AROUND]
  if around and around.client then conversation.client = around.client end
  if around and around.within then return dissect_embedded(bytes, root, around.within) end
  if length + head.prefix < head.least then return 0 end
  local key, version, response = head.select(-head.prefix)
  local frame = frame_of(key, version, response)
  local bare = head.prefix > 0
  if bare then -- some peers write the length all the same
    local total, framed = frame_at(0, length)
    if framed and total == length then
      frame, bare = framed, false
      of_carrier = { code = "carrier", offset = 0, length = 0,
        message = "a length of " .. head.prefix .. " bytes precedes the frame, as on TCP; messages have none" }
    end
  end
  if not frame then return 0 end
  if bare and is_text_message() then
    of_carrier = { code = "carrier", offset = 0, length = 0,
      message = "a text message; frames need binary messages" }
  end
  finish(dissect_frame(bytes, 0, length, frame, root, bare))
  of_carrier = nil
  return length
end

function protocol.dissector(bytes, info, root)
  if not heads[preferences.dialect].measure then return dissect_bare(bytes, info, root) end
  begin(bytes, info, root)
  local text = not conversation.left_alone and dissect_stream(bytes, root)
  if not text then
    conversation.left_alone = true
    return 0
  end
  finish(text)
  return #data
end

-- How many frames line up from the first byte, without problems; 0 when one does not.
local function sound_frames(bytes)
  local from, count, length, opening = 0, 0, bytes:len(), false
  while from < length do
    local total, frame = frame_at(from, length - from)
    if not total and frame then return count, opening or count == 0 and frame.opens end -- a line that is cut
    if not total or not frame or total > length - from then
      return total and frame and count or (total and 0 or count), opening
    end
    if not is_sound(bytes, from, total, frame) then return 0, false end
    opening = opening or count == 0 and frame.opens
    from, count = from + total, count + 1
  end
  return count, opening
end

-- Whether a packet that was not passed to this plugin begins its protocol.
local function is_missed(bytes, info)
  if here.number == info.number and here.visited == info.visited or info.src_port == 0 then return nil end
  local outer = { pinfo, data, conversation }
  pinfo, data, conversation = info, bytes:raw(), new_conversation()
  here.number, here.visited, here.src_port, here.dst_port = info.number, info.visited, info.src_port, info.dst_port
  here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
  local fine, count, opening = pcall(sound_frames, bytes)
  pinfo, data, conversation = unpack(outer, 1, 3)
  if fine and count > 0 and opening then return TITLE, protocol.name end
end

if talks.follow and heads[""].measure then table.insert(tcp_watcher.openings, is_missed) end

-- Recognises a connection by frames that line up. TLS remembers by itself what it found; on TCP the
-- connection is claimed.
local function recognise(bytes, info, root, claims)
  if not preferences.heuristics then return false end
  local servers = preferences.servers
  if servers[info.src_port] or servers[info.dst_port] then return false end -- the port's table brings it
  begin(bytes, info, root)
  if not conversation.claimed then
    local count, opening = sound_frames(bytes)
    conversation.sound = count > 0 and conversation.sound + count or 0
    if not opening and conversation.sound < ENOUGH then return false end
    conversation.claimed = true
  end
  if claims then
    info.conversation = protocol
    if info.can_desegment > 0 then info.can_desegment = 2 end -- a dissector that is called has one less
  end
  protocol.dissector(bytes, info, root)
  return true
end

;(function() -- a scope of its own: Lua takes 200 names in one

local prefs = protocol.prefs
prefs.ports = Pref.range("TCP ports", PORTS, "Ports that are taken for " .. TITLE .. ".", 65535)
prefs.tls_ports = Pref.range("TLS ports", TLS_PORTS, "Ports on which decrypted TLS is taken for " .. TITLE .. ".", 65535)
if SHARED_PORTS ~= "" then
  prefs.shared_ports = Pref.range("Shared TCP ports", SHARED_PORTS, "Ports of other protocols on which connections are taken that begin as "
    .. TITLE .. " does.", 65535)
end
prefs.heuristics = Pref.bool("Recognise on any port", true, "Recognise connections by their first frames, on any port.")
prefs.largest = Pref.uint("Largest frame, in bytes", heads[""].most, "Bytes of the largest frame that is waited for.")
prefs.unpacked = Pref.uint("Largest unpacked body, in bytes", 64 * 1024 * 1024, "Bytes up to which compressed bodies are unpacked.")
if pieces.see then
  prefs.kept = Pref.uint("Reassembled bytes that are kept", 64 * 1024 * 1024, "Bytes of frames put together that are kept for later visits.")
end
if STREAM then
  prefs.formats = Pref.string("Body formats", "", "Dissectors of bodies by " .. label(STREAM):lower() .. ", separated by blanks: orders=json or "
    .. "sensor*=protobuf:factory.Reading. A * matches any characters; after protobuf: is the message type.")
end
prefs.text = Pref.uint("Largest body tried as text, in bytes", 65536, "Bytes of the largest body that is tried as text or JSON.")
if talks.follow then
  prefs.links = Pref.bool("Link requests and responses", true, "Show the other packet of a pair, and the time between the two.")
  prefs.findings = Pref.bool("Find mistakes of peers", true, "Follow connections and their objects, and tell what peers do wrong.")
end
prefs.checksums = Pref.bool("Verify checksums", true, "Compute checksums and compare them with those in the frames.")
prefs.secrets = Pref.bool("Show secrets", false, "Show passwords and tokens in the tree.")
if #DIALECTS > 1 then
  local choices = {}
  for index, name in ipairs(DIALECTS) do
    choices[index] = { index, name == "" and "default" or name, index }
  end
  prefs.dialect = Pref.enum("Dialect", 1, "Which layout of the protocol is read.", choices, false)
end

local tcp_ports, secure_ports, shared_ports = "", "", ""
local shared, owners = nil, {} -- what reads connections of shared ports; port to whose it is
local tcp, tls = DissectorTable.get("tcp.port"), DissectorTable.get("tls.port")

-- Ports that Wireshark gives to a dissector of its own: what does not begin as this protocol does is handed on to that.
if SHARED_PORTS ~= "" then
  shared = Proto(NAME .. "_shared", TITLE .. " (shared ports)")
  function shared.dissector(bytes, info, root)
    if recognise(bytes, info, root, true) then return bytes:len() end
    local owner = owners[info.match]
    info.can_desegment = 2 -- a dissector that is called has one less
    return owner and owner:call(bytes, info, root) or 0
  end
end

local function ports_of(ranges)
  local all = {}
  for low, high in ranges:gmatch("(%d+)%-?(%d*)") do
    for port = tonumber(low), tonumber(high) or tonumber(low) do all[#all + 1] = port end
  end
  return all
end

local function register_shared(ports)
  for _, port in ipairs(ports_of(shared_ports)) do
    tcp:remove(port, shared)
    if owners[port] then tcp:add(port, owners[port]) end
  end
  shared_ports, owners = ports, {}
  for _, port in ipairs(ports_of(ports)) do
    owners[port] = tcp:get_dissector(port)
    tcp:add(port, shared)
  end
end

local function register()
  if shared and shared_ports ~= prefs.shared_ports then register_shared(prefs.shared_ports) end
  if tcp_ports ~= prefs.ports then
    if tcp_ports ~= "" then tcp:remove(tcp_ports, protocol) end
    tcp_ports = prefs.ports
    if tcp_ports ~= "" then tcp:add(tcp_ports, protocol) end
  end
  if secure_ports ~= prefs.tls_ports then
    if secure_ports ~= "" then tls:remove(secure_ports, protocol) end
    secure_ports = prefs.tls_ports
    if secure_ports ~= "" then tls:add(secure_ports, protocol) end
  end
  preferences.servers = {}
  for _, port in ipairs(ports_of(tcp_ports .. "," .. secure_ports)) do preferences.servers[port] = true end
  if pieces.see then preferences.kept = prefs.kept end
  for _, name in ipairs({ "heuristics", "largest", "unpacked", "text", "checksums", "secrets" }) do
    preferences[name] = prefs[name]
  end
  if talks.follow then
    preferences.links, preferences.findings = prefs.links, prefs.findings
    talks.listen(IN_WINDOW and (prefs.links or prefs.findings))
  end
  if STREAM then bodies_of.set(prefs.formats) end
  if #DIALECTS > 1 then preferences.dialect = DIALECTS[prefs.dialect] end
end

protocol.prefs_changed = register
register()
if heads[""].measure then
  tcp:add_for_decode_as(protocol)
  tls:add_for_decode_as(protocol)
  protocol:register_heuristic("tcp", function(bytes, info, root) return recognise(bytes, info, root, true) end)
  protocol:register_heuristic("tls", function(bytes, info, root) return recognise(bytes, info, root, false) end)
end
-- NATS, where Wireshark reads it itself (since 5.0): it asks who reads a message, by `>` on every subject.
local is_table, subjects = false, nil
if CARRIED_IN["nats.message"] and OPENING then is_table, subjects = pcall(DissectorTable.get, "nats.subject") end
if is_table and subjects then
  local enclosed = Proto(NAME .. "_message", TITLE .. " message")
  local others = Dissector.get("data")
  function enclosed.dissector(bytes, info, root)
    local size = math.floor(#OPENING / 2)
    local ours = bytes:len() >= size and bare_hex(bytes:raw(0, size)) == OPENING
    return ours and dissect_bare(bytes, info, root) or others:call(bytes, info, root)
  end
  subjects:add(">", enclosed)
end
-- WebSocket: by the name of the protocol, on our ports, or recognised by its frames.
if CARRIED_IN["websocket.message"] then
  local bare = Proto(NAME .. "_message", TITLE .. " message")
  function bare.dissector(bytes, info, root) return dissect_bare(bytes, info, root) end
  DissectorTable.get("ws.protocol"):add(SHORT, bare)
  if PORTS ~= "" then DissectorTable.get("ws.port"):add(PORTS, bare) end
  bare:register_heuristic("ws", function(bytes, info, root)
    if not preferences.heuristics then return false end
    begin(bytes, info, root, true)
    if not conversation.is_ours then
      local head = heads[preferences.dialect]
      if bytes:len() + head.prefix < head.least then return false end
      local frame = frame_of(head.select(-head.prefix))
      local _, framed = frame_at(0, bytes:len())
      if not (frame and frame.opens or framed and framed.opens) then return false end
    end
    conversation.is_ours = dissect_bare(bytes, info, root) > 0
    return conversation.is_ours
  end)
end

end)()
