-- WebSocket whose messages are a stream: what one leaves over is read with those behind it ----------------------

;(function() -- a scope of its own: Lua takes 200 names in one

local carried = Proto(NAME .. "_message", TITLE .. " message")
local LONGEST_LINE = 65536 -- bytes up to which the end of a line is waited for
local LATER = " bytes: a later message ends what they are of]"
local MOST_AROUND = 14 -- bytes of a message's head
local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")

local many, numbered, nth = {}, 0, 0 -- packet to the number of its messages; the packet whose messages are counted
local before = {} -- message to what it is read behind: bytes, or what is open while it is not enough to end that
local begun = {} -- message to what is open behind its frames

function carried.init() many, numbered, nth, before, begun = {}, 0, 0, {}, {} end

-- Tells messages apart, the same on each visit.
local function next_message()
  if here.number ~= numbered then numbered, nth = here.number, 0 end
  if not here.visited then
    nth = nth + 1
    if nth > 1 then many[numbered] = nth end
  else nth = nth % (many[numbered] or 1) + 1 end
  return numbered + nth / FINE
end

-- On the first visit: whether bytes of this side are missing before this message, and whether some of the other side's
-- are, or have brought no message so far. A message ends in the packet that brings it, and what all have brought does
-- not reach so far then. Nothing is known while Wireshark makes no tree.
local function see_bytes()
  local seq, next_seq, ack = tcp_seq(), tcp_next(), tcp_ack()
  if not (view.tree and seq and next_seq and ack) then return false, false end
  seq, next_seq, ack = seq(), next_seq(), ack()
  local side = side_of()
  local reach = conversation.reach or { [side] = next_seq, [3 - side] = ack } -- at most, of each side's messages
  local high = reach[side] + #data + MOST_AROUND
  local is_lost = high <= seq
  conversation.reach, reach[side] = reach, is_lost and next_seq or math.min(high, next_seq)
  return is_lost, ack > reach[3 - side]
end

-- Where the frame begins that pieces are of: behind lost bytes of which TCP does not tell, not with the first of them.
local function first_sound(held, bytes)
  local from = 0
  if view.tree then return from end
  for index = 1, #held + 1 do
    local total, frame = frame_at(from, #data - from)
    local is_whole = total and frame and total <= #data - from
    if index == 1 and not is_whole or is_whole and is_sound(bytes, from, total, frame) then return from end
    from = from + #(held[index] or "")
  end
  return 0
end

-- On the first visit: what earlier messages of this side have left over, when this one ends it or may do so; what is
-- open while it does not.
local function take_over(id)
  local all, side = conversation.open, side_of()
  local open = all and all[side]
  if not open then return nil end
  open.missing = open.missing - #data
  if open.missing > 0 or open.line and open.size < LONGEST_LINE and not data:find("\n", 1, true) then
    open.pieces[#open.pieces + 1], open.size = data, open.size + #data
    before[id] = open
    return open
  end
  all[side] = nil
  before[id] = table.concat(open.pieces)
  return before[id], open
end

-- On the first visit: keeps what no frame was read of. What was `open` before stays so when not one frame has ended.
local function leave(id, rest, missing, open)
  if not open or #rest < #data then open = {} end
  local more = missing == DESEGMENT_ONE_MORE_SEGMENT
  open.pieces, open.size, open.missing = { rest }, #rest, more and 1 or missing
  open.line = more and heads[preferences.dialect].lines
  conversation.open = conversation.open or {}
  conversation.open[side_of()], begun[id] = open, open
end

-- Fragments of a compressed message are handed over by Wireshark 4.0 as they came.
local function inflated(bytes)
  local _, frame = frame_at(0, #data)
  local range = not frame and #data > 0 and unpacked(bytes(), "zlib")
  if not range then return bytes end
  local packed = data
  data = range:raw()
  _, frame = frame_at(0, #data)
  if frame then return range:tvb() end
  data = packed
  return bytes
end

local function show_end(root, open)
  if open and open.ended then root:add(header.ended, open.ended):set_generated() end
end

-- Bytes of this side are missing before this message.
local function lose()
  if conversation.open then conversation.open[side_of()] = nil end
  if conversation.talk then talks.lose() end
end

-- Reads frames; those after lost bytes are not judged as a whole connection.
local function read_stream(bytes, root, is_behind)
  local conn = is_behind and conversation.talk and conversation.talk.conn
  local epoch, was_whole = conn and conn.epoch, conn and conn.whole
  if conn then conn.whole, conn.doubted = false, was_whole end
  local text = dissect_stream(bytes, root)
  if conn then conn.doubted = false end
  if conn and conn.epoch == epoch then conn.whole = was_whole end
  return text
end

-- Whether the connection is known to be ours, or these bytes prove it.
local function is_ours(bytes)
  if not conversation.is_ours then
    local count, opening = sound_frames(bytes)
    conversation.sound = count > 0 and conversation.sound + count or 0
    conversation.is_ours = opening or conversation.sound >= ENOUGH
  end
  return conversation.is_ours
end

-- Reads a message of a connection that is ours, or may be; says whether it does.
local function dissect(bytes, root)
  local id = next_message()
  local rest, open, is_behind
  if here.visited then rest = before[id]
  else
    local is_lost
    is_lost, is_behind = see_bytes()
    if is_lost then lose() end
    rest, open = take_over(id)
  end
  if type(rest) == "table" then
    if not conversation.is_ours then return false end
    show_end(root, rest)
    finish("[" .. #data .. LATER)
    return true
  end
  if rest then
    data = rest .. data
    bytes = ByteArray.new(data, true):tvb(TITLE .. " of several messages")
    local from = open and first_sound(open.pieces, bytes) or 0
    if from > 0 then
      before[id] = from < #rest and rest:sub(from + 1) or nil
      data, bytes = data:sub(from + 1), bytes(from):tvb()
    end
  else bytes = inflated(bytes) end
  if not is_ours(bytes) then
    local total, frame = frame_at(0, #data)
    local missing = not total and DESEGMENT_ONE_MORE_SEGMENT or frame and total - #data or 0
    if missing > 0 and not here.visited then leave(id, data, missing, open) end
    return false
  end
  local can, offset, length = pinfo.can_desegment, pinfo.desegment_offset, pinfo.desegment_len
  pinfo.can_desegment, pinfo.desegment_len = 2, 0
  local text = read_stream(bytes, root, is_behind)
  local from, missing = pinfo.desegment_offset, pinfo.desegment_len
  pinfo.can_desegment, pinfo.desegment_offset, pinfo.desegment_len = can, offset, length
  if not here.visited then
    if open and (missing == 0 or from > 0) then open.ended = here.number end
    if missing > 0 then leave(id, data:sub(from + 1), missing, open) end
  end
  show_end(root, begun[id])
  if missing > 0 and from == 0 then text = "[" .. #data .. LATER end
  finish(text or "")
  return true
end

function carried.dissector(bytes, info, root)
  begin(bytes, info, root, true)
  conversation.is_ours = true
  dissect(bytes, root)
  return bytes:len()
end

DissectorTable.get("ws.protocol"):add(SHORT, carried)
carried:register_heuristic("ws", function(bytes, info, root)
  if not preferences.heuristics then return false end
  begin(bytes, info, root, true)
  return dissect(bytes, root)
end)

end)()
