-- Ids that wait, as runs { first, last, time, frame, mark } that are sorted and do not overlap ----------------

do

local function runs_of(ids)
  if type(ids) ~= "table" then return { { ids, ids } } end
  local runs, run = {}, nil
  for index = 1, #ids do
    local id = ids[index]
    if run and id == run[2] + 1 then run[2] = id
    else
      run = { id, id }
      runs[#runs + 1] = run
    end
  end
  return runs
end

-- Index of the last run that begins at or before an id; 0 for none.
local function run_at(runs, id)
  local low, high = 0, #runs
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if runs[middle][1] <= id then low = middle else high = middle - 1 end
  end
  return low
end

local MOST_RUNS = 4096

-- The first and the last of ids that follow each other, as those of one frame mostly do; nil of others.
local function span_of(ids)
  if type(ids) ~= "table" then return ids, ids end
  local from, count = ids[1], #ids
  for index = 2, count do if ids[index] ~= from + index - 1 then return nil end end
  return from, from and from + count - 1
end

-- Those that wait already keep their first time; `twice` counts how many times more they wait.
function f.add(outstanding, ids, t, n, mark)
  if ids == nil then
    outstanding.whole = false
    return
  end
  local runs = outstanding.runs
  local from_all, last_all = span_of(ids)
  local newest = runs[#runs]
  if from_all and #runs < MOST_RUNS and (not newest or newest[2] < from_all) then
    outstanding.count = outstanding.count + last_all - from_all + 1
    runs[#runs + 1] = { from_all, last_all, t, n, mark }
    return
  end
  for _, new in ipairs(runs_of(ids)) do
    local from, last = new[1], new[2]
    outstanding.count = outstanding.count + last - from + 1
    local index = math.max(run_at(runs, from), 1)
    while runs[index] and runs[index][1] <= last do
      local run = runs[index]
      if run[2] >= from then
        if run[1] > from then
          table.insert(runs, index, { from, run[1] - 1, t, n, mark })
          index = index + 1
        end
        for id = math.max(run[1], from), math.min(run[2], last) do outstanding.twice[id] = (outstanding.twice[id] or 0) + 1 end
        from = run[2] + 1
      end
      index = index + 1
    end
    if from <= last then table.insert(runs, run_at(runs, from) + 1, { from, last, t, n, mark }) end
  end
  while #runs > MOST_RUNS do
    local run = table.remove(runs, 1)
    outstanding.count, outstanding.whole = outstanding.count - (run[2] - run[1] + 1), false
  end
end

local function take_between(outstanding, from, last)
  local runs = outstanding.runs
  local index, found = math.max(run_at(runs, from), 1), nil
  while runs[index] and runs[index][1] <= last do
    local run = runs[index]
    local low, high = math.max(run[1], from), math.min(run[2], last)
    if low > high then index = index + 1
    else
      found = found or run
      local kept = {}
      for id = low, high do
        local more = next(outstanding.twice) and outstanding.twice[id]
        if more then
          outstanding.twice[id] = more > 1 and more - 1 or nil
          kept[#kept + 1] = id
        end
        if not next(outstanding.twice) and #kept == 0 then break end
      end
      outstanding.count = outstanding.count - (high - low + 1)
      local rest = {}
      if run[1] < low then rest[1] = { run[1], low - 1, run[3], run[4], run[5] } end
      for _, id in ipairs(kept) do rest[#rest + 1] = { id, id, run[3], run[4], run[5] } end
      if run[2] > high then rest[#rest + 1] = { high + 1, run[2], run[3], run[4], run[5] } end
      table.remove(runs, index)
      for at_rest, each in ipairs(rest) do table.insert(runs, index + at_rest - 1, each) end
      index = index + #rest
    end
  end
  return found
end

-- These wait no more; gives the run of the first of them.
function f.take(outstanding, ids)
  local found
  local oldest = outstanding and ids ~= nil and outstanding.runs[1]
  if oldest and next(outstanding.twice) == nil then
    local from, last = span_of(ids)
    if from == oldest[1] and last == oldest[2] then
      outstanding.count = outstanding.count - (last - from + 1)
      return table.remove(outstanding.runs, 1)
    end
  end
  for _, run in ipairs(outstanding and ids ~= nil and runs_of(ids) or {}) do
    local taken = take_between(outstanding, run[1], run[2])
    found = found or taken
  end
  return found
end

function f.take_upto(outstanding, last)
  local run = outstanding and last and outstanding.runs[1]
  if not run or run[1] > last then return nil end
  for id, more in pairs(outstanding.twice) do
    if id <= last then outstanding.count, outstanding.twice[id] = outstanding.count - more, nil end
  end
  return take_between(outstanding, run[1], last)
end

function f.take_oldest(outstanding, count)
  local found
  while outstanding and count and count > 0 and outstanding.runs[1] do
    local run = outstanding.runs[1]
    found = found or run
    local size = math.min(run[2] - run[1] + 1, count)
    take_between(outstanding, run[1], run[1] + size - 1)
    count = count - size
  end
  return found
end

function f.forget(outstanding)
  if outstanding then outstanding.runs, outstanding.twice, outstanding.count, outstanding.whole = {}, {}, 0, false end
end

function f.held(outstanding, ids)
  if not outstanding or ids == nil then return nil end
  local held = 0
  for _, run in ipairs(runs_of(ids)) do
    local index = math.max(run_at(outstanding.runs, run[1]), 1)
    while outstanding.runs[index] and outstanding.runs[index][1] <= run[2] do
      held = held + math.max(0, math.min(outstanding.runs[index][2], run[2]) - math.max(outstanding.runs[index][1], run[1]) + 1)
      index = index + 1
    end
  end
  return held
end

function f.missing(outstanding, ids)
  if not outstanding or ids == nil or not outstanding.whole then return nil end
  local wanted = 0
  for _, run in ipairs(runs_of(ids)) do wanted = wanted + run[2] - run[1] + 1 end
  return wanted - f.held(outstanding, ids)
end

local function earliest(outstanding)
  local best
  for _, run in ipairs(outstanding and outstanding.runs or {}) do
    if not best or run[3] < best[3] then best = run end
  end
  return best or {}
end

function f.oldest_t(outstanding) return earliest(outstanding)[3] end

function f.oldest_n(outstanding) return earliest(outstanding)[4] end

end

