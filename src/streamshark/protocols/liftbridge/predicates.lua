-- Predicates of rules, as in `value_predicates.py`: the names of the columns, then their values. What they give is what they
-- found; it is empty where the condition does not hold.

local P = {}

local function nearest(name, known)
  for _, each in ipairs(near.values(known)) do if near.is_misspelt(name, each) then return each end end
  return ""
end

function P.is_nearly_subscribed(_, name, known) return nearest(name, known) end

function P.is_nearly_published(_, name, known) return nearest(name, known) end

return P
