-- Predicates of rules, as in `subject_predicates.py` and others: the names of the columns, then their values. What they give
-- is what they found; it is empty where the condition does not hold.

local P = {}

local LEAST = 2 -- tokens that two subjects of different lengths have in common at least
local BEGINNING = 3 -- characters that two names have in common at least, at their beginning

-- Whether one has a token more at the end; `least` others are equal in both.
local function is_longer_or_shorter(wanted, tokens, least)
  local literal = 0
  for index = 1, math.min(#wanted, #tokens) do
    if wanted[index] == tokens[index] then literal = literal + 1 elseif wanted[index] ~= "*" then return false end
  end
  return math.abs(#wanted - #tokens) == 1 and literal >= least
end

local function has_star(tokens)
  for _, each in ipairs(tokens) do if each == "*" then return true end end
  return false
end

local function is_near(pattern, subject)
  if f.matching(subject:lower(), pattern:lower()) then return true end
  local wanted = subject_tokens(pattern)
  if wanted[#wanted] == ">" then return f.stem(pattern) == subject end
  return has_star(wanted) and is_longer_or_shorter(wanted, subject_tokens(subject), 1)
end

local function is_related(pattern, subject)
  local wanted = subject_tokens(pattern)
  return not has_star(wanted) and wanted[#wanted] ~= ">" and is_longer_or_shorter(wanted, subject_tokens(subject), LEAST)
end

-- A published subject that is near to a subscription; empty where one matches.
local function nearest(pattern, subjects, is_so)
  local found = ""
  for _, subject in ipairs(near.values(subjects)) do
    if f.matching(subject, pattern or "") then return "" end
    if found == "" and is_so(pattern or "", subject) then found = subject end
  end
  return found
end

function P.is_nearly_published(_, pattern, subjects) return nearest(pattern, subjects, is_near) end

function P.is_filter_nearly_published(_, pattern, subjects) return nearest(pattern, subjects, is_near) end

function P.is_related_to_published(_, pattern, subjects)
  return nearest(pattern, subjects, is_near) == "" and nearest(pattern, subjects, is_related) or ""
end

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
