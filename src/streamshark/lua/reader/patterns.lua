-- Regular expressions, as steps that `streamshark.lua.patterns` prints -----------------------------------------------

;(function() -- a scope of its own: Lua takes 200 names in one

local patterns = {}
f.patterns = patterns

local LONGEST = 4096 -- bytes of a text that are searched
local text, groups -- what is searched, and the captured parts

-- Each makes a function of a place and of what has to match after it, which returns where all of that ends.
local makers = {}

local function sequence(steps, from)
  from = from or 1
  local first = steps[from] and makers[steps[from][1]](steps[from])
  if not first then return function(at, rest) return rest(at) end end
  if not steps[from + 1] then return first end
  local others = sequence(steps, from + 1)
  return function(at, rest) return first(at, function(to) return others(to, rest) end) end
end

-- Characters of some classes, one after the other.
function makers.text(step)
  local wanted = "^" .. step[2]
  return function(at, rest)
    local _, to = text:find(wanted, at)
    return to and rest(to + 1)
  end
end

-- As many characters of a class as match, or fewer.
function makers.run(step)
  local wanted, least, most = "^" .. step[2], step[3], step[4] < 0 and math.huge or step[4]
  return function(at, rest)
    local to = at
    while to - at < most and text:find(wanted, to) do to = to + 1 end
    for place = to, at + least, -1 do
      local found = rest(place)
      if found then return found end
    end
  end
end

makers["repeat"] = function(step)
  local inner, least, most = sequence(step[2]), step[3], step[4] < 0 and math.huge or step[4]
  local function again(at, count, rest)
    local found = count < most and inner(at, function(to) return (to > at or nil) and again(to, count + 1, rest) end)
    return found or count >= least and rest(at) or nil
  end
  return function(at, rest) return again(at, 0, rest) end
end

function makers.either(step)
  local all = {}
  for nth, each in ipairs(step[2]) do all[nth] = sequence(each) end
  return function(at, rest)
    for nth = 1, #all do
      local found = all[nth](at, rest)
      if found then return found end
    end
  end
end

function makers.group(step)
  local inner, nth = sequence(step[3]), step[2]
  return function(at, rest)
    return inner(at, function(to)
      local former = groups[nth]
      groups[nth] = text:sub(at, to - 1)
      local found = rest(to)
      if not found then groups[nth] = former end
      return found
    end)
  end
end

-- The beginning or the end of a word.
function makers.edge(step)
  local letter = "^" .. step[2]
  return function(at, rest)
    local before, after = at > 1 and text:find(letter, at - 1), text:find(letter, at)
    return (before and not after or after and not before) and rest(at) or nil
  end
end

local function same(at) return at end

function makers.unless(step)
  local inner = sequence(step[2])
  return function(at, rest) return not inner(at, same) and rest(at) or nil end
end

local made = {} -- steps to the function that matches them

local function matcher(steps)
  made[steps] = made[steps] or sequence(steps)
  return made[steps]
end

-- The first match in a text: its first and last place, and the captured parts; nil without a match.
function patterns.search(steps, content)
  local match, first = matcher(steps), steps[1]
  local inside = first[1] == "run" and first[3] > 0 and first[4] < 0 and "^" .. first[2] -- what fails at its first place fails at the others
  text = content:sub(1, LONGEST)
  for at = 1, #text + 1 do
    groups = {}
    local to = not (inside and at > 1 and text:find(inside, at - 1)) and match(at, same)
    if to then return at, to - 1, groups end
  end
end

-- Whether all of a text matches.
function patterns.is_match(steps, content)
  text, groups = content, {}
  return #content <= LONGEST and matcher(steps)(1, function(at) return at > #text and at or nil end) ~= nil
end

end)()
