-- Predicates of rules, as in `subject_predicates.py` and others: the names of the columns, then their values. What they give
-- is what they found; it is empty where the condition does not hold.

local P = {}

local BEGINNING = 3 -- characters that two names have in common at least, at their beginning

function P.has_wildcard_in_token(_, subject)
  local tokens = subject_tokens(subject or "")
  for _, each in ipairs(tokens) do if #each > 1 and each:find("[*>]") then return "the token " .. each end end
  for index = 1, #tokens - 1 do if tokens[index] == ">" then return "'>' before its end" end end
  return ""
end

function P.are_alike(_, one, other)
  one, other = one or "", other or ""
  if one:lower() == other:lower() or f.program(one) == f.program(other) then return other end
  local is_long = one:sub(1, BEGINNING) == other:sub(1, BEGINNING) and math.min(#one, #other) > BEGINNING
  return is_long and near.distance(one, other) <= 1 and other or ""
end

return P
