-- Secrets: what is hidden by its name, and where credentials stand in text; the tables are those of Streamshark ----

local secrets = {} -- functions; and `held`, whether the frame that is being read may have credentials in its text

;(function() -- a scope of its own: Lua takes 200 names in one

local LONGEST, MOST_KNOWN = 256, 1024 -- characters of a name; names of which it is remembered whether they are secret
local known, types, known_count = {}, {}, 0 -- names, and types, with whether they are

local function has_name(plain)
  if SECRETS.names[plain] then return true end
  for _, each in ipairs(SECRETS.endings) do
    if plain:sub(-#each) == each then return true end
  end
  return false
end

-- Whether what has this name is secret.
function secrets.is_name(name)
  local found = known[name]
  if found == nil then
    if known_count >= MOST_KNOWN then types, known, known_count = {}, {}, 0 end
    local plain = name:sub(1, LONGEST):lower():gsub("[^0-9a-z]+", "")
    found = has_name(plain) or has_name((plain:gsub("bin$", "")))
    known[name], known_count = found, known_count + 1
  end
  return found
end

-- Whether bytes of a type of this name may hold a secret; an empty name is not known.
function secrets.is_type(name)
  local found = types[name]
  if found == nil then
    if known_count >= MOST_KNOWN then types, known, known_count = {}, {}, 0 end
    found = name == ""
    for part in name:lower():gmatch("[0-9a-z]+") do found = found or SECRETS.words[part] or false end
    types[name], known_count = found, known_count + 1
  end
  return found
end

-- Whether bytes have something in which a name is secret.
function secrets.is_likely(raw)
  local text = raw:lower()
  for _, each in ipairs(SECRETS.likely) do
    if text:find(each, 1, true) then return true end
  end
  local from = text:find("key", 1, true)
  while from do
    for _, each in ipairs(SECRETS.keys) do
      if text:sub(from - #each, from - 1) == each then return true end
      if text:sub(from - #each - 1, from - 2) == each and text:find("^[-_. ]", from - 1) then return true end
    end
    from = text:find("key", from + 1, true)
  end
  return false
end

-- Whether bytes may have a credential in one of the forms of `credentials`.
function secrets.may_hold(raw)
  for _, each in ipairs(SECRETS.signs) do
    if raw:find(each, 1, true) then return true end
  end
  return false
end

local credentials

local function unescaped(name) return (name:gsub("%%(%x%x)", function(two) return string.char(tonumber(two, 16)) end)) end

-- Users in URLs: all before the last `@` of what may be one.
local function find_users(raw, found)
  local from = raw:find(":\\?/\\?/()")
  while from do
    local start = raw:match(":\\?/\\?/()", from)
    local run = raw:match("^[^/?#%s\"'<>]*", start)
    local user = run:match("^(.*)@")
    if user then found[#found + 1] = { start, start + #user } end
    from = raw:find(":\\?/\\?/", start)
  end
end

local function find_parameters(raw, found)
  for name, start, text, behind in raw:gmatch("[?&;#]([%w_.%%-]+)=()([^&;#%s\"'<>]+)()") do
    local plain = unescaped(name)
    if #name <= 64 and (secrets.is_name(plain) or SECRETS.parameters[plain:lower()]) then
      found[#found + 1] = { start, behind }
    elseif #name <= 64 then
      for _, each in ipairs(credentials(text)) do found[#found + 1] = { start + each[1] - 1, start + each[2] - 1 } end
    end
  end
end

local function find_tokens(raw, found)
  local text = raw:lower()
  for sign, start, behind in text:gmatch("%f[%w_]bearer()[ .:=]+()[%w_.~+/=-]+()") do
    if not text:find("^%.v%d+%f[^%w_]", sign) then found[#found + 1] = { start, behind } end -- the version of a type
  end
  for start, token, behind in raw:gmatch("%f[%w_][Bb]asic +()([%w_+/]+)=*()") do
    if #token >= 4 and raw:match("^%S*", start):find("[0-9=+/]") then found[#found + 1] = { start, behind } end
  end
  for start, body, behind in raw:gmatch("%f[%w_]()eyJ([%w_-]+)%.[%w_-]+()") do
    if #body >= 4 then found[#found + 1] = { start, raw:match("^%.[%w_-]*()", behind) or behind } end
  end
end

-- Where credentials stand in text, from the first byte to the one behind the last, in order.
function credentials(raw)
  local found = {}
  find_users(raw, found)
  find_parameters(raw, found)
  find_tokens(raw, found)
  table.sort(found, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
  local out = {}
  for _, each in ipairs(found) do
    local last = out[#out]
    if last and each[1] < last[2] then last[2] = math.max(last[2], each[2])
    elseif each[2] > each[1] then out[#out + 1] = each end
  end
  return out
end

secrets.credentials = credentials

-- Bytes with others in place of some.
function secrets.filled(raw, spans)
  local out, from = {}, 1
  for _, each in ipairs(spans) do
    out[#out + 1] = raw:sub(from, each[1] - 1)
    out[#out + 1] = ("*"):rep(each[2] - each[1])
    from = each[2]
  end
  out[#out + 1] = raw:sub(from)
  return table.concat(out)
end

-- Text without the credentials in it, as long as it was; `mark` stands for each one instead, where it is given.
function secrets.scrubbed(raw, mark)
  if not secrets.may_hold(raw) then return raw end
  local spans = credentials(raw)
  for index = mark and #spans or 0, 1, -1 do raw = raw:sub(1, spans[index][1] - 1) .. mark .. raw:sub(spans[index][2]) end
  return mark and raw or secrets.filled(raw, spans)
end

end)()

