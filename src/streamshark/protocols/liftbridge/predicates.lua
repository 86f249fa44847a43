-- Predicates of rules, as in `value_predicates.py`: the names of the columns, then their values. What they give is what they
-- found; it is empty where the condition does not hold.

local P = {}

function P.is_not_announced(_, headers, value)
  local announced = {}
  for _, each in ipairs(headers or {}) do
    if type(each.key) == "string" then announced[each.key:lower()] = each["value raw"] or each.value or "" end
  end
  return contents.differs(announced["content-type"], announced["content-encoding"], value or "")
end

local function nearly(name, known)
  local all = near.values(known)
  for _, each in ipairs(all) do if near.is_misspelt(name, each) then return each end end
  return near.similar(name or "", all)
end

function P.is_nearly_subscribed(_, stream, known) return nearly(stream, known) end

function P.is_nearly_published(_, stream, known) return nearly(stream, known) end

function P.misses_first_partition(_, own, subjects)
  local all, missed = near.values(subjects), nil
  for _, each in ipairs(all) do
    if each ~= own then
      if f.matching(own, each) then return "" end
      if f.matching(own .. ".1", each) then missed = missed or each end
    end
  end
  return missed or ""
end

function P.is_mistaken(_, value) return contents.mistaken(value or "") end

function P.is_text_of_bytes(_, value) return contents.text_of_bytes(value or "") end

function P.is_mistaken_name(_, ...) return near.first_mistaken_name(...) end

return P
