-- Frames that were cut into pieces, and items that run on over frames: put together where they end ----------------

do

local MOST_BYTES = 16 * 1024 * 1024 -- of one frame that is put together
local MOST_WAITING = 64 * 1024 * 1024 -- of all that are not whole yet; the oldest makes room
local MOST_OPEN = 65536 -- streams of a side whose last piece is waited for
local MOST_PIECES, MOST_TOLD = 1024, 16 -- pieces of one frame that are listed, and in its line

local lost_segment = Field.new("tcp.analysis.lost_segment")
local waiting, kept -- bytes of what is not whole yet, and of what is, for later visits

-- Lets go of the bytes of one that has some in a pool.
local function release(pool, whole)
  pool.size, pool.held[whole] = pool.size - (pool.held[whole] or 0), nil
  while pool.first <= pool.last and not pool.held[pool.queue[pool.first]] do
    pool.queue[pool.first], pool.first = nil, pool.first + 1
  end
end

-- Counts bytes that are held; the oldest gives its own up while they are too many.
local function hold(pool, whole, count, most, give_up)
  if not pool.held[whole] then
    pool.last = pool.last + 1
    pool.queue[pool.last] = whole
  end
  pool.held[whole], pool.size = (pool.held[whole] or 0) + count, pool.size + count
  while pool.size > most do give_up(pool.queue[pool.first]) end
end

local function new_pool() return { size = 0, held = {}, queue = {}, first = 1, last = 0 } end

function pieces.begin() waiting, kept = new_pool(), new_pool() end

-- It cannot be put together; the first reason stays.
local function fail(whole, reason)
  whole.reason, whole.parts = whole.reason or reason, {}
  release(waiting, whole)
end

local function fail_oldest(whole) fail(whole, "more than " .. MOST_WAITING .. " bytes of fragments are pending") end

local function give_up_oldest(whole)
  whole.parts, whole.gone = {}, true
  release(kept, whole)
end

-- What is known of a frame in pieces: command of the first one, nil where that is not in the capture.
local function new_whole(command) return { command = command, count = 0, packets = {}, sizes = {}, parts = {}, bytes = 0 } end

local function see_one(whole)
  whole.count = whole.count + 1
  if whole.count <= MOST_PIECES then whole.packets[whole.count] = here.number end
end

-- One more piece of a part.
local function add_part(whole, name, raw)
  whole.sizes[name] = (whole.sizes[name] or 0) + #raw
  if whole.reason then return end
  whole.bytes = whole.bytes + #raw
  if whole.bytes > MOST_BYTES then return fail(whole, "its pieces are more than " .. MOST_BYTES .. " bytes") end
  local all = whole.parts[name] or {}
  whole.parts[name], all[#all + 1] = all, raw
  hold(waiting, whole, #raw, MOST_WAITING, fail_oldest)
end

local function put_together(parts)
  local out = {}
  for name, all in pairs(parts) do out[name] = type(all) == "table" and table.concat(all) or all end
  return out
end

-- Its last piece has come.
local function finish_whole(whole)
  release(waiting, whole)
  whole.parts = put_together(whole.parts)
  local count = 0
  for _, part in pairs(whole.parts) do count = count + #part end
  if count > 0 then hold(kept, whole, count, preferences.kept, give_up_oldest) end
end

-- Remembers what a frame is a piece of, and which one; 0 for one that is read by itself, too.
local function remember(whole, nth, complete)
  local own = note()
  own.whole, own.nth, own.complete, own.piece = whole, nth, complete, nth > 0
  return not complete
end

local function bytes_named(name)
  local from = rawget(v, name .. " at")
  return from and data:sub(from + 1, from + v["#" .. name])
end

-- Fragments ------------------------------------------------------------------------------------------------------

local function new_state()
  return { open = { {}, {} }, opened = { 0, 0 }, joined = { false, false }, begun = { {}, {} }, begins = { 0, 0 }, runs = { {}, {} } }
end

-- The next piece on this stream is a first one, where it is not known whether one was missed.
local function begin_stream(all, side, stream)
  if not all.joined[side] or all.begun[side][stream] then return end
  if all.begins[side] >= MOST_OPEN then all.begun[side], all.begins[side] = {}, 0 end
  all.begun[side][stream], all.begins[side] = true, all.begins[side] + 1
end

local function close_stream(all, side, stream)
  all.open[side][stream], all.opened[side] = nil, all.opened[side] - 1
end

-- What the next frame of a side and stream is a piece of; nil for one that is none.
local function whole_of(all, side, stream, name, more, is_first)
  local whole, crossed = all.open[side][stream], false
  if is_first or not FRAGMENTS.continued[name] then
    if whole then
      crossed = not whole.reason
      fail(whole, "another frame began on its stream")
      close_stream(all, side, stream)
      whole = nil
    end
    begin_stream(all, 1, stream)
    begin_stream(all, 2, stream)
  end
  if not whole and more then
    if all.opened[side] >= MOST_OPEN then
      for _, each in pairs(all.open[side]) do fail(each, "too many frames are incomplete") end
      all.open[side], all.opened[side], all.joined[side] = {}, 0, true
    end
    local known = not all.joined[side] or not FRAGMENTS.continued[name] or all.begun[side][stream]
    whole = new_whole(known and name or nil)
    all.open[side][stream], all.opened[side] = whole, all.opened[side] + 1
    if not known then fail(whole, "its first fragment is not in the capture")
    elseif crossed then fail(whole, "it began inside another frame") end
  elseif not whole then begin_stream(all, side, stream) end
  return whole
end

-- Puts the last piece to the parts before it, where they do not just stand one behind the other.
local function join_last(whole)
  local found = joins(put_together(whole.parts), function(name)
    if rawget(v, name .. " at") then return bytes_named(name) end
    return rawget(v, name)
  end)
  if type(found) == "string" then return fail(whole, found) end
  whole.parts = found
  for name, part in pairs(found) do whole.sizes[name] = #part end
end

local function see_fragment(all, frame, side, halted)
  local name, continued = frame.command, FRAGMENTS.continued[frame.command]
  local begun, id = FRAGMENTS.begun[name], rawget(v, FRAGMENTS.by)
  local stream = type(id) == "userdata" and tostring(id) or id or false
  if not (frame.more or begun or not FRAGMENTS.flags and continued) then
    for each_side = 1, 2 do
      local open = all.open[each_side][stream]
      if open then fail(open, name .. " arrived before its last fragment") end
    end
    return false
  end
  local where = FRAGMENTS.place and rawget(v, FRAGMENTS.place)
  local more = begun or frame.more and band(v[FRAGMENTS.flags], frame.more) ~= 0 or where == 0 or where == 1 or false
  local whole = whole_of(all, side, stream, name, more, where == 0)
  if not whole then return false end
  see_one(whole)
  if halted then fail(whole, "one of its fragments is malformed") end
  if more or where or not joins then
    for _, part in ipairs(FRAGMENTS.parts) do
      local raw = bytes_named(part)
      if raw then add_part(whole, part, raw) end
    end
  elseif not whole.reason then join_last(whole) end
  local nth = begun and 0 or whole.count
  if not more then
    close_stream(all, side, stream)
    finish_whole(whole)
    begin_stream(all, side, stream)
  end
  return remember(whole, nth, not more)
end

-- Items that run on ----------------------------------------------------------------------------------------------

-- How many of the bytes are whole items, and with how many the next one is; nil for bytes that are no items.
local function items_in(raw)
  local from, size = 0, #RUN.begins
  while from + RUN.least <= #raw do
    local a, b, c, d = raw:byte(from + size + 1, from + size + 4)
    local length = ((a * 256 + b) * 256 + c) * 256 + d
    if raw:sub(from + 1, from + size) ~= RUN.begins or length > RUN.most then return nil end
    local behind = from + RUN.least + length
    if behind > #raw then return from, behind end
    from = behind
  end
  local rest = raw:sub(from + 1, from + size)
  if rest ~= RUN.begins:sub(1, #rest) then return nil end
  return from, from + RUN.least
end

local function see_run(all, frame, side)
  local raw, name, position = bytes_named(RUN.part), rawget(v, RUN.by), tonumber(tostring(v[RUN.position]))
  if not raw or raw == "" then return false end
  local runs, part = all.runs[side], RUN.part
  local open = runs[name]
  runs[name] = nil
  if open and open.position ~= position then
    fail(open.whole, "the bytes after it are not in the capture")
    open = nil
  end
  local whole = open and open.whole
  if not whole then
    local length = items_in(raw)
    if not length or length == #raw then return false end
    whole = new_whole(frame.command)
  end
  see_one(whole)
  local nth = whole.count
  add_part(whole, part, raw)
  if whole.reason then return remember(whole, nth, true) end
  local rest = whole
  if whole.bytes >= (whole.needed or 0) then
    local together = table.concat(whole.parts[part])
    local length, needed = items_in(together)
    if not length then
      fail(whole, "its continuation is not an item")
      return remember(whole, nth, true)
    end
    whole.needed, whole.parts[part] = needed, { together }
    if length > 0 then
      local behind = together:sub(length + 1)
      whole.parts[part], whole.sizes[part] = { together:sub(1, length) }, length
      finish_whole(whole)
      rest = nil
      if behind ~= "" then
        rest = new_whole(frame.command)
        see_one(rest)
        add_part(rest, part, behind)
        rest.needed = needed - length
      end
    end
  end
  if rest and not rest.reason then runs[name] = { position = position + #raw, whole = rest } end
  return remember(whole, nth, rest ~= whole)
end

-- Notes what a frame is a piece of, on the first visit, when its members are known. Whether other pieces follow.
function pieces.see(frame, side, halted)
  local all = conversation.pieces or new_state()
  conversation.pieces = all
  if RUN and RUN.command == frame.command then return not halted and see_run(all, frame, side) end
  return see_fragment(all, frame, side, halted)
end

-- Bytes of a side are missing: nothing that is open on it becomes whole.
function pieces.lose(side)
  local all = conversation.pieces or new_state()
  conversation.pieces = all
  all.joined[side], all.begun[side], all.begins[side] = true, {}, 0
  for _, each in pairs(all.open[side]) do fail(each, "bytes between its fragments are missing") end
  for _, each in pairs(all.runs[side]) do fail(each.whole, "bytes between its fragments are missing") end
  all.runs[side] = {}
end

-- What TCP says of a segment, where it says anything.
function pieces.see_segment() if not here.visited and view.tree and lost_segment() then pieces.lose(side_of()) end end

local function in_words(number, one) return digits(number) .. " " .. one .. (number == 1 and "" or "s") end

-- What a line says of a frame that is a piece.
function pieces.sentence(frame)
  local own = notes[id_here]
  local whole = own and own.whole
  if not whole or own.nth == 0 then return "" end
  if not own.complete then
    return " [fragment " .. own.nth .. (whole.command and " of " .. whole.command or "")
      .. (own.nth > 1 and ", from #" .. whole.packets[1] .. " on]" or "]")
  end
  local numbers = {}
  for index = 1, math.min(#whole.packets, MOST_TOLD) do numbers[index] = "#" .. whole.packets[index] end
  local text = (whole.command or "a frame") .. ", " .. in_words(whole.count, "fragment") .. ": "
    .. table.concat(numbers, ", ") .. (whole.count > MOST_TOLD and ", ..." or "")
  if whole.reason then return " [not reassembled: " .. text .. "; " .. whole.reason .. "]" end
  local sizes = {}
  for _, name in ipairs(frame.parts or {}) do
    local size = whole.sizes[name]
    if size then sizes[#sizes + 1] = name .. " " .. in_words(size, "byte") end
  end
  return " [reassembled " .. text .. (#sizes > 0 and "; " .. table.concat(sizes, ", ") or "") .. "]"
end

-- Shows a part that has been put together as bytes of their own, and what stands in it.
local function show_part(tree, shown, made, name, text)
  local outer = { tvb, data, at, stop, item, first, piece, inside }
  local before = #problems
  tvb, data, at, stop, first, piece = ByteArray.new(text, true):tvb("Reassembled " .. name), text, #text, #text, 0, false
  local own = tree
  hidden_from, secrets.held = math.huge, not preferences.secrets and secrets.may_hold(text)
  if made.slot and is_hidden(made.slot, 0, #text) then own = add_hidden(tree, made, 0) or tree
  elseif not chosen or chosen[shown] then own = add(tree, shown, range_of(tvb, 0, #text)) end
  item = own
  if made.slot and (not chosen or chosen.slots) then open_slot(made, 0, #text, own) end
  for index = before + 1, #problems do
    local each = problems[index]
    each.message = each.message .. " (at byte " .. digits(each.offset) .. " of the reassembled " .. name .. ")"
    each.offset, each.length = 0, 0
  end
  tvb, data, at, stop, item, first, piece, inside = unpack(outer, 1, 8)
end

-- Shows what a frame completes, at the last of its pieces.
function pieces.show(frame, tree)
  local own = notes[id_here]
  local whole, shown = own and own.whole, frame.reassembled
  if not whole or not own.complete or not shown then return end
  local top = tree
  if not chosen or chosen[shown.node] then
    top = add(tree, shown.node, range_of(tvb, stop, 0))
    generated(top)
  end
  local function add_field(field_of_it, value)
    if not chosen or chosen[field_of_it] then generated(add(top, field_of_it, value)) end
  end
  if whole.command then add_field(shown.command, whole.command) end
  add_field(shown.count, whole.count)
  for _, number in ipairs(whole.packets) do add_field(shown.fragments, number) end
  if whole.reason or whole.gone then add_field(shown.reason, whole.reason or "its bytes are not kept any more") end
  for _, name in ipairs(frame.parts) do
    local text, made = whole.parts[name], shown.parts[name]
    if text == "" then
      if not chosen or chosen[made.field] then add(top, made.field, range_of(tvb, stop, 0)) end
    elseif text then show_part(top, made.field, made.step, name, text) end
  end
end

end

