-- What is appended by a block and its end, or why the end does not fit its block: as `joined` in `append_reassembly.py` has it.
local PADDING, PARTIAL_EVENT = -1, -2

local function number(raw, from)
  local a, b, c, d = raw:byte(from, from + 3)
  local value = ((a * 256 + b) * 256 + c) * 256 + d
  return value >= 0x80000000 and value - 0x100000000 or value
end

-- What of the bytes that fill a block up is part of an event; a reason where they are amiss.
local function filling(block, size, rest)
  if size == #block then return "" end
  if #block < size + 8 then return nil, ("%d bytes after its complete events are not a record"):format(#block - size) end
  local kind, length, found = number(block, size + 1), number(block, size + 5), block:sub(size + 9)
  if length ~= #found or kind ~= PADDING and kind ~= PARTIAL_EVENT then
    return nil, "the bytes after its complete events do not fill the block"
  end
  if kind == PARTIAL_EVENT then return found end
  if rest ~= "" then return nil, "bytes follow the padding of its block" end
  if found:find("[^%z]") then return nil, "the padding of its block is not all zeros" end
  return ""
end

-- `parts` are those before the end, by name; `member` gives a member of the end by its name.
return function(parts, member)
  local block, rest, size = parts.data or "", member("data") or "", member("size_of_whole_events") or -1
  if size < 0 or size > #block then return ("%d bytes of complete events are announced, its block has %d"):format(size, #block) end
  local found, wrong = filling(block, size, rest)
  return wrong or { data = block:sub(1, size) .. found .. rest }
end
