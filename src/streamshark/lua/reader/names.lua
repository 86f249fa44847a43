-- What the predicates of rules say of names, numbers and text -----------------------------------------------------
-- The same as `streamshark.findings.near_names` and `mistaken_text`; letters beyond ASCII have no upper and lower case here.

;(function() -- a scope of its own: Lua takes 200 names in one

local near = {}
f.near = near

local SHORTEST, LONGEST, MOST = 4, 128, 256 -- characters of a name that may be similar to another one; names compared
local SHORT_NAME = 5 -- characters of a name up to which one letter makes another name of it
local LETTERS_PER_EDIT, MOST_EDITS = 5, 2

-- The values of a set in the order in which they were put in; a list as it is.
function near.values(of)
  if type(of) ~= "table" then return {} end
  return of.nth and f.values(of) or of
end

-- What a function makes of the values of a set, or of a list; of a set it is kept until that changes.
function near.made_of(of, make)
  if type(of) ~= "table" or not of.nth then return make(near.values(of)) end
  local all = of.made or {}
  of.made, all[make] = all, all[make] or make(f.values(of))
  return all[make]
end

local parts_of, number_of_members = {}, 0 -- members to their parts: rules ask for those of the same ones again and again
local MOST_MEMBERS = 1024

-- The values of a member of a set: numbers that Lua can hold, text, and nil for what was not known.
function near.parts(member)
  if not member then return end
  local values = parts_of[member]
  if values then return unpack(values, 1, values.count) end
  local count, place = 0, 1
  values = {}
  while place <= #member do
    local mark, size, from = member:match("^(#?)(%d+):()", place)
    count = count + 1
    if size then
      local text = member:sub(from, from + size - 1)
      values[count], place = text, from + size
      if mark == "#" then values[count] = (#text <= 15 or text:find(".", 1, true)) and tonumber(text) or text end
    else place = place + 1 end
  end
  if number_of_members >= MOST_MEMBERS then parts_of, number_of_members = {}, 0 end
  values.count, parts_of[member], number_of_members = count, values, number_of_members + 1
  return unpack(values, 1, count)
end

-- Text in quotes, as messages show it.
function near.quote(text)
  local mark = text:find("'", 1, true) and not text:find('"', 1, true) and '"' or "'"
  local escapes = { ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["'"] = mark == "'" and "\\'" or "'" }
  return mark .. text:gsub("[%c\\']", function(one) return escapes[one] or ("\\x%02x"):format(one:byte()) end) .. mark
end

-- A number, or its digits, with a comma before each three digits.
function near.grouped(number)
  local text, more = type(number) == "string" and number or ("%.0f"):format(number), 1
  while more > 0 do text, more = text:gsub("^(%-?%d+)(%d%d%d)", "%1,%2") end
  return text
end

-- Decimal text of up to 18 digits as a number; nil for other text.
function near.number(text) return type(text) == "string" and #text <= 18 and text:match("^%d+$") and tonumber(text) + 0.0 or nil end

-- How many letters are added, left out or replaced between two names; with `swaps` two neighbours that are swapped count as one.
local function distance(one, other, swaps)
  local earlier
  local former, row = {}, {}
  for to = 0, #other do row[to] = to end
  for from = 1, #one do
    earlier, former, row = former, row, { [0] = from }
    for to = 1, #other do
      local is_same = one:byte(from) == other:byte(to)
      row[to] = math.min(row[to - 1] + 1, former[to] + 1, former[to - 1] + (is_same and 0 or 1))
      if swaps and from > 1 and to > 1 and one:byte(from) == other:byte(to - 1) and one:byte(from - 1) == other:byte(to) then
        row[to] = math.min(row[to], earlier[to - 2] + 1)
      end
    end
  end
  return row[#other]
end

near.distance = distance

-- Whether a few edits make one name of another.
local function is_near(one, other)
  local most = math.min(MOST_EDITS, math.floor(math.min(#one, #other) / LETTERS_PER_EDIT))
  if most == 0 or math.abs(#one - #other) > most then return false end
  return distance(one, other, true) <= most
end

local function folded(name) return name:gsub("[-_./:%s]+", ""):lower() end

-- The numbers in a name.
local function numbers_of(name)
  local all = {}
  for digits_of in name:gmatch("%d+") do all[#all + 1] = digits_of end
  return table.concat(all, " ")
end

-- The name among others that one is nearly, but not quite; empty for none.
function near.similar(name, others)
  if type(name) ~= "string" or #name < SHORTEST or #name > LONGEST then return "" end
  local known = {}
  for _, each in ipairs(others) do
    if type(each) == "string" and each ~= name and #known < MOST then known[#known + 1] = each end
  end
  for _, each in ipairs(known) do if folded(each) == folded(name) then return each end end
  for _, each in ipairs(known) do
    if numbers_of(each) == numbers_of(name) and is_near(name:lower(), each:lower()) then return each end
  end
  return ""
end

function near.plain(name) return (name:lower():gsub("[^%w\128-\255]", "")) end

-- Whether names differ in case, in separators, or in one letter.
function near.is_misspelt(name, other)
  if not name or name == "" or other == "" or name == other then return false end
  if near.plain(name) == near.plain(other) then return true end
  if math.min(#name, #other) <= SHORT_NAME or math.abs(#name - #other) > 1 or distance(name, other) > 1 then return false end
  return name:gsub("%D", "") == other:gsub("%D", "")
end

local function parts_of(name)
  local all, count = {}, 0
  for each in (name .. "_"):gmatch("([^_]*)_") do all[each] = true end
  for _ in pairs(all) do count = count + 1 end
  return all, count
end

-- Whether a word has the parts of another one and one more.
local function has_one_more(word, other)
  local parts, count = parts_of(word)
  local others, its_count = parts_of(other)
  for each in pairs(others) do if not parts[each] then return false end end
  return count == its_count + 1
end

local function resembles(word, other)
  local most = math.min(#word, #other) <= SHORT_NAME and 1 or 2
  if near.plain(word) == near.plain(other) then return true end
  if math.abs(#word - #other) <= most and distance(word, other) <= most then return true end
  return has_one_more(word, other) or has_one_more(other, word)
end

-- The first known word that a word resembles; empty if none does.
function near.nearest(word, known)
  for _, each in ipairs(known) do if resembles(word, each) then return each end end
  return ""
end

-- Mistaken text --------------------------------------------------------------------------------------------------

near.UNSET = { null = true, undefined = true, None = true, ["nil"] = true, NaN = true, ["(null)"] = true, ["<nil>"] = true, ["<null>"] = true }
local PLACEHOLDERS = { "%${[^{}]*}", "{{[^{}]*}}", "{[%w_]*}", "%%%([%w_]+%)[sd]", "%%[sdv]%f[^%w_]", "<no value>" }
local MOST_OBJECT = 512 -- characters of a text that an object is turned into

local function placeholder(name)
  local best, upto
  for _, pattern in ipairs(PLACEHOLDERS) do
    local from, to = name:find(pattern)
    if from and (not best or from < best) then best, upto = from, to end
  end
  return best and name:sub(best, upto)
end

-- Whether text is a class of Java with a hash code, such as `shop.Order@1b2c3d`.
local function is_java_object(text)
  local class, hash = text:match("^(.+)@([0-9a-f]+)$")
  if not class or #hash < 3 or #hash > 8 then return false end
  local path, last = class:gsub("%[%]$", ""):match("^(.*%.)(%u[%w_$]*)$")
  if not path then return false end
  for part in path:gmatch("([^.]*)%.") do if not part:find("^[a-z_][%w_]*$") then return false end end
  return last ~= nil
end

local function is_java_array(text)
  local hash = text:match("^%[[BCDFIJSZ]@([0-9a-f]+)$") or text:match("^%[L[%w_.$]+;@([0-9a-f]+)$")
  return hash ~= nil and #hash >= 3 and #hash <= 8
end

local function is_python_bytes(text)
  local mark = text:match("^b(['\"])")
  return mark ~= nil and #text > 2 and text:sub(3):gsub("\\.", ""):find("^[^\\" .. mark .. "]*" .. mark .. "$") ~= nil
end

local OBJECTS = {
  { "a JavaScript object", function(text) return text:find("^%[object %u[%w_]*%]$") end },
  { "a Java object", is_java_object },
  { "a Java array", is_java_array },
  { "a Python object", function(text) return text:find("^<[%w_. ]+ at 0x%x+>$") end },
  { "Python's bytes", is_python_bytes },
  { "a Python dictionary", function(text) return text:find("^{'[^']*': .*}$") end },
  { "a Ruby object", function(text) return text:find("^#<%u[%w_:]*>$") or text:find("^#<%u[%w_:]*:0x[0-9a-f]+.*>$") end },
  { ".NET's name of a type", function(text) return text:find("^System%.[%w_.]*[%w_]%[%]$") or text:find("^System%.[%w_.]*[%w_]`%d%[.*%]$") end },
  { "a format error of Go", function(text)
    local behind = text:match("%%![%w_]%((.*)$")
    return behind and (behind:find("^MISSING") or behind:find("^NOVERB") or behind:find("^EXTRA") or behind:find("^[%w_]+="))
  end },
}

-- Which language has turned an object into this text; empty for others.
function near.object(text)
  for _, each in ipairs(#text <= MOST_OBJECT and OBJECTS or {}) do
    if each[2](text) then return "the text of " .. each[1] end
  end
  return ""
end

-- What a name is that no program would choose; empty for others.
function near.mistaken_name(name)
  if type(name) ~= "string" or name == "" then return "" end
  if near.UNSET[name] then return "the text of an unset variable" end
  if not name:find("[%s'\"{%%<%[@]") then return "" end -- all others have one of these characters
  if name:find("^%s") or name:find("%s$") then return "a name with white space at an end" end
  if #name >= 2 and name:find("^(['\"]).*%1$") then return "a name in quotation marks" end
  local found = placeholder(name)
  if found then return "a name with the placeholder " .. found end
  return near.object(name)
end

-- The first text that is a name which no program would choose, and what it is; a list stands for its items.
function near.first_mistaken_name(...)
  for nth = 1, select("#", ...) do
    local value = select(nth, ...)
    for _, name in ipairs(type(value) == "table" and near.values(value) or { value }) do
      local found = near.mistaken_name(name)
      if found ~= "" then return near.quote(name) .. ", " .. found end
    end
  end
  return ""
end

end)()
