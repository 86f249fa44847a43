-- Frames of other protocols inside of this one's: their plugins say which bytes are theirs --------------------

do

-- What is known of the frame that is being read, for the inner protocol; `raw` are the bytes in the slot, nil where it has none.
local function around_frame(name, raw, range)
  local memories = conversation.inner_states
  if not memories then
    memories = {}
    conversation.inner_states = memories
  end
  memories[name] = memories[name] or {}
  local columns = v
  return {
    command = hosts.frame.command, here = memories[name], data = raw, range = range,
    sender = sender_of(side_of()),
    value = function(path) return rawget(columns, path) end,
  }
end

-- Shows the inner protocol the frame in which nothing of its own is, on the first visit.
function hosts.watch(frame)
  if here.visited then return end
  for _, name in ipairs(frame.watched) do
    local inner = package.loaded["streamshark.inner." .. name]
    if inner then inner.ask(around_frame(name, nil, nil)) end
  end
end

-- Hands the bytes of a slot to the inner protocol whose they are; false if they are not. Its answer on the first visit holds.
function hosts.read(reader, range)
  local name = reader.format
  local inner = package.loaded["streamshark.inner." .. name]
  local raw = range:len() > 0 and range:raw() or ""
  local said
  if not inner then
    if bare_hex(raw:sub(1, math.floor(#reader.magic / 2))) ~= reader.magic then return false end
  else
    if not here.visited then
      said = inner.ask(around_frame(name, raw, range))
      if said then note().within = said end
    end
    said = notes[id_here] and notes[id_here].within
    if not said then return false end
  end
  local handed = { columns = v, client = conversation.client, within = said }
  package.loaded[AROUND] = handed
  local taken = call_dissector(name, range, root_tree, inner and inner.read) or said ~= nil
  package.loaded[AROUND] = nil
  if handed.line then inner_texts[""] = (inner_texts[""] or "") .. " | " .. handed.line end
  return taken
end

end

