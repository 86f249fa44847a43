-- Inside frames of another protocol: which bytes there are this one's -----------------------------------------

;(function()

-- Reads bytes as the frame that they begin in a dialect, without showing it; nil where they are none.
local function tried(bytes, raw, dialect)
  dialect = dialect ~= "" and dialect or preferences.dialect
  local head = heads[dialect]
  if #raw < head.size or #raw < head.least then return nil end
  data = raw
  local key, version = head.select(0)
  local found = { key = key, version = version, problems = {}, value = function() return nil end }
  local frame = frame_of(key, version, false, dialect)
  if not frame then return found end
  if not frame.code then prepare(frame) end
  start(bytes:tvb(), 0, #raw, 1000)
  item, sums.wanted = nil, true
  if not read_all(frame.steps) and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  local columns = v
  found.problems, found.value = problems, function(path) return rawget(columns, path) end
  v, problems = {}, {}
  return found
end

package.loaded["streamshark.inner." .. SHORT] = {
  read = dissect_bare,
  ask = function(seen)
    local range, raw = seen.range, seen.data
    seen.everywhere = hosts.everywhere
    seen.read = function(dialect) return tried(range, raw, dialect) end
    return within(seen)
  end,
}

end)()

