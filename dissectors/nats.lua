-- NATS: messages by subject, in lines of text with payloads that are counted.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 5e5a7c7a88af3dbf) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate nats`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local ARGUMENTS = { ... } -- those of `-X lua_script1:`
local SHORT = "nats"
local TITLE = "NATS"
local PORTS = "4222,6222,7222,7422"
local SHARED_PORTS = "4223"
local TLS_PORTS = "4222,6222,7222,7422"
local DIALECTS = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" }
-- Kind of the number that joins requests and responses.
local CORRELATES = nil
local AGREES_VERSION = false
local CARRIED_IN = { ["websocket.bytes"] = true } -- slots in which its frames are
local BINARY = false -- whether WebSocket may not bring text
local OPENING = nil -- bytes that they begin with there
local ENOUGH = 2 -- frames in a row that prove the protocol on any port
local CODES = {
  short = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A field runs past the end of its frame or region",
    message = "%s bytes needed, %s left",
  },
  trailing = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "Bytes are left when every field has been read",
    message = "%s trailing bytes after the last field",
  },
  count = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A list's written count differs from the items that are there",
    message = "%s items announced, %s present",
  },
  claim = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A written number differs from what the bytes say",
    message = "%s written, but the bytes give %s",
  },
  limit = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A length or count is over the limit that its source gives",
    message = "%s exceeds the limit of %s",
  },
  negative = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A length or count is negative where null is not allowed",
    message = "negative length or count %s",
  },
  null = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A value is null, which a document allows and peers refuse",
    message = "length -1: null is not allowed here",
  },
  text = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "Text is not valid in its encoding",
    message = "not valid %s",
  },
  literal = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "Fixed bytes differ from what must stand here",
    message = "fixed bytes differ from those expected",
  },
  verb = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text line starts with another verb",
    message = "the line does not start with %s",
  },
  args = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text line has too few or too many arguments",
    message = "%s arguments do not match this line",
  },
  number = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A text argument should be a decimal number and is not",
    message = "%s is not a decimal number of at most nine digits",
  },
  nofit = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "No layout known for this place uses up its bytes",
    message = "no known layout uses up these %s bytes",
  },
  varint = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A variable-length integer has no end or too many bytes",
    message = "a variable-length integer has no end",
  },
  wiretype = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "A protobuf tag has a wire type that does not exist",
    message = "a protobuf tag of number %s and wire type %s",
  },
  checksum = {
    group = "CHECKSUM",
    severity = "WARN",
    sentence = "A checksum differs from the one computed over the bytes",
    message = "checksum mismatch: %s in the frame, %s computed",
  },
  codec = {
    group = "UNDECODED",
    severity = "WARN",
    sentence = "Compressed bytes cannot be unpacked, or exceed the cap",
    message = "%s",
  },
  value = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "A value is none of those that its format allows",
    message = "%s",
  },
  unknown_key = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "No command has this key",
    message = "%s",
  },
  unknown_version = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "The command is known, this version of it is not",
    message = "%s",
  },
  length = {
    group = "MALFORMED",
    severity = "ERROR",
    sentence = "The frame's length is outside the limits of the protocol",
    message = "%s",
  },
  carrier = {
    group = "PROTOCOL",
    severity = "WARN",
    sentence = "What carries the frame is used against its rules",
    message = "%s",
  },
  foreign = {
    group = "UNDECODED",
    severity = "ERROR",
    sentence = "The bytes belong to another protocol",
    message = "%s",
  },
}
local COMMON = {
  subject = { doc = "Subject of a message, or of interest." },
  sid = { doc = "Id of the subscription, chosen by the client." },
  queue = { doc = "Queue group of a subscription, or queue groups that are to get the message." },
  failed = { doc = "The server reports an error: -ERR.", is_fact = true },
} -- fields that span commands
local HAS_TYPES = false -- whether bodies have a type
local STREAM = "subject" -- field that names a stream
local SECRETS = {
  names = {
    auth = true,
    authentication = true,
    cookie2 = true,
    nkey = true,
    otp = true,
    pass = true,
    passcode = true,
    passwd = true,
    pat = true,
    pwd = true,
    securitykey = true,
    seed = true,
    sessionid = true,
    setcookie2 = true,
    sid = true,
    sig = true,
    signature = true,
    wwwauthenticate = true,
  },
  endings = {
    "accesskey",
    "apikey",
    "assertion",
    "authkey",
    "authorization",
    "authdata",
    "cookie",
    "credential",
    "credentials",
    "creds",
    "encryptionkey",
    "jwt",
    "nkeyseed",
    "passphrase",
    "password",
    "privatekey",
    "secret",
    "secretkey",
    "sessionkey",
    "signingkey",
    "token",
  },
  parameters = { code = true, key = true },
  hosts = { authority = true, host = true },
  words = {
    auth = true,
    authentication = true,
    bearer = true,
    credentials = true,
    jwt = true,
    token = true,
  },
  likely = {
    "pass",
    "pwd",
    "token",
    "secret",
    "auth",
    "assert",
    "cookie",
    "cred",
    "jwt",
    "sig",
    "sid",
    "seed",
    "nkey",
    "otp",
    "pat",
  },
  keys = { "api", "access", "private", "session", "sign", "signing", "encryption", "security", "auth" },
  signs = { "://", ":\\/", "=", "eyJ", "earer", "EARER", "asic " },
} -- names, and what text has

if package.loaded["streamshark." .. SHORT] then return end -- a second copy of this file, in another folder
package.loaded["streamshark." .. SHORT] = true

-- A name that Wireshark already has is a hard error, so ours gives way.
local NAME = SHORT
local free, protocol = pcall(Proto, NAME, TITLE)
if not free then
  NAME = SHORT .. "_x"
  protocol = Proto(NAME, TITLE .. " (Streamshark)")
  io.stderr:write(TITLE .. ": this Wireshark has a protocol called " .. SHORT .. ", so this one is " .. NAME .. "\n")
end

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


-- The words of the tables below: each makes a step, a table that says how a piece of a frame is read and shown ------------------

local U8, U16, U24, U32, U64 = { size = 1 }, { size = 2 }, { size = 3 }, { size = 4 }, { size = 8 }
local I8, I16, I24 = { size = 1, signed = true }, { size = 2, signed = true }, { size = 3, signed = true }
local I32, I64 = { size = 4, signed = true }, { size = 8, signed = true }
local REST = {}

local read = {} -- kind of step to what reads it
local preferences = { dialect = "", servers = {} }

local function step(kind, name, doc, own, facts)
  local made = own or {}
  made.kind, made.name, made.doc = kind, name, doc
  for key, value in pairs(facts or {}) do made[key] = value end
  return made
end

local word = {} -- what the tables below are written in

for name, measure in pairs({
  u8 = U8, u16 = U16, u24 = U24, u32 = U32, u64 = U64, i8 = I8, i16 = I16, i24 = I24, i32 = I32, i64 = I64,
}) do
  word[name] = function(...)
    local given, doc, facts = ...
    return step("number", given, doc, { size = measure.size, signed = measure.signed }, facts)
  end
end

function word.part(name, width, doc, facts) return step("part", name, doc, { width = width }, facts) end

function word.reserved(width) return step("part", nil, nil, { width = width }) end

function word.bits(size, parts)
  local shift = size * 8
  for _, part in ipairs(parts) do
    shift = shift - part.width
    part.size, part.shift, part.weight, part.range = size, shift, math.floor(2 ^ shift), math.floor(2 ^ part.width)
  end
  return step("bits", nil, nil, { size = size, parts = parts })
end

function word.text(measure, name, doc, facts)
  return step("blob", name, doc, { measure = measure, encoding = "utf-8" }, facts)
end

function word.bytes(measure, name, doc, facts) return step("blob", name, doc, { measure = measure }, facts) end

function word.uuid(name, doc, facts) return step("blob", name, doc, { measure = 16, encoding = "uuid" }, facts) end

function word.list(item, name, doc, facts) return step("list", name, doc, { item = item }, facts) end

function word.record(name, doc, members, facts) return step("record", name, doc, { members = members }, facts) end

function word.each(members) return step("record", nil, nil, { members = members }) end

function word.when(condition, members) return step("when", nil, nil, { condition = condition, members = members }) end

function word.tail(need, ...) return step("tail", nil, nil, { need = need, members = { ... } }) end

function word.either(clear, set) return step("either", nil, nil, { clear = clear, set = set }) end

function word.fits(arms, facts) return step("fits", nil, nil, { arms = arms }, facts) end

-- With `of`, the path of what chooses the arm, a value without a case is a problem.
function word.switch(on, cases, default, of)
  return step("switch", nil, nil, { on = on, cases = cases, default = default, of = of })
end

function word.region(measure, members, facts)
  return step("region", nil, nil, { measure = measure, members = members }, facts)
end

function word.claim(of, expected) return step("claim", nil, nil, { of = of, expected = expected }) end

function word.literal(data, doc)
  return step("literal", nil, doc, { data = data, title = data == "\r\n" and "Line end: \\r\\n" or (doc or "Fixed bytes"):gsub("%.$", "") })
end

-- Fields and expert items -----------------------------------------------------------------------------------

local registered, header, common = {}, {}, {}
local undecoded, hidden_undecoded -- bytes that no field could read; the same where they may hold a secret
local field, fields_of_declaring

do

local by_name = {}
local asked_for, known, so_far -- while steps are declared: the fields they ask for; these of the first time

-- A ProtoField of a name, shared by all steps that would make the same.
function field(name, key, make)
  if known then
    so_far = so_far + 1
    return known[so_far]
  end
  key = name .. " " .. key
  if not by_name[key] then
    by_name[key] = make()
    registered[#registered + 1] = by_name[key]
  end
  asked_for[#asked_for + 1] = by_name[key]
  return by_name[key]
end

-- The fields that a function asks for while it declares steps, in order; when it declares the same ones `again`, it is
-- given those of the first time: names of fields are forgotten then.
function fields_of_declaring(act, again, ...)
  asked_for, known, so_far = again or {}, again, 0
  if again then by_name = nil end
  act(...)
  return asked_for
end

end

local function label(name)
  name = name:match("[^.]*$")
  return ((name:sub(1, 1):upper() .. name:sub(2)):gsub("_", " "))
end

-- The name of one item of a list.
local function singular(name)
  if name:find("ies$") then return (name:gsub("ies$", "y")) end
  if name:find("sses$") then return name:sub(1, -3) end
  return name:find("[^su]s$") and name:sub(1, -2) or name
end

local function number_field(name, made)
  local kind = (made.signed and "int" or "uint") .. made.size * 8
  local shown = made.base == "hex" and not made.signed and base.HEX or base.DEC
  local mask -- of groups up to 32 bits; Lua's numbers lack some bits of a larger mask
  if made.width and made.size <= 4 then mask = math.floor((2 ^ made.width - 1) * 2 ^ made.shift) end
  local names = made.names and next(made.names) and made.names or nil
  local key = kind .. shown .. tostring(mask or "") .. tostring(names)
  return field(name, key, function()
    return ProtoField[kind](name, label(made.name), shown, names, mask, made.doc)
  end)
end

local function flag_fields(name, made)
  local order = {}
  for mask in pairs(made.flags) do order[#order + 1] = mask end
  table.sort(order, function(a, b) return a > b end)
  local own = {}
  for at, mask in ipairs(order) do
    local flag, path = made.flags[mask], name .. "." .. made.flags[mask]
    local bits = math.floor(mask * 2 ^ (made.shift or 0))
    own[at] = field(path, "flag" .. made.size .. bits, function()
      return ProtoField.bool(path, label(flag), made.size * 8, nil, bits)
    end)
  end
  return own
end

local function plain_field(kind, name, made)
  return field(name, kind, function()
    if kind == "none" or kind == "guid" then return ProtoField[kind](name, label(made.name), made.doc) end
    if kind == "double" or kind == "float" then
      return ProtoField[kind](name, label(made.name), base.NONE, nil, made.doc)
    end
    return ProtoField[kind](name, label(made.name), kind == "string" and base.UNICODE or base.NONE, made.doc)
  end)
end

-- The time that a number counts, as a field below it.
local function time_field(name, made)
  name = name .. ".time"
  return field(name, "absolute_time", function() return ProtoField.absolute_time(name, "Time", base.UTC, made.name .. " as a time.") end)
end

-- Gives steps their path in the frame and their fields; `prefix` is the frame's name.
local declare
local declares = {}

-- Gives a step whose value belongs to fields that span commands these fields, too: in `also` a step for each.
local function declare_also(made)
  for index, name in ipairs(made.spans or {}) do
    local known = COMMON[name]
    local twin = { name = name, doc = known.doc, flag_fields = false, flags = known.by_flag and made.flags or false }
    declares[made.kind](setmetatable(twin, { __index = made }), NAME .. "." .. name)
    made.also = made.also or {}
    made.also[index] = twin
  end
end

function declares.number(made, name)
  made.field = number_field(name, made)
  if made.time then made.time_field = time_field(name, made) end
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.part(made, name)
  made.field = number_field(name, made)
  if made.flags then made.flag_fields = flag_fields(name, made) end
end

function declares.blob(made, name)
  local kind = made.encoding == "uuid" and "guid" or made.encoding and "string" or "bytes"
  if made.secret or made.slot then made.masked = plain_field("string", name, made) end
  made.field = plain_field(kind, name, made)
end

-- What the tables read of the items of a list: values in a list for each path, members of each item together. Of bytes
-- it is the content.
local function declare_items(made)
  if made.gathers then
    made.gathered = {}
    for index, path in ipairs(made.gathers) do made.gathered[index] = path .. "[]" end
  end
  if made.records then
    made.recorded = {}
    for index, member in ipairs(made.records) do
      local counted = member:match("^#(.*)$") -- of a list in the item the number of its items
      local path = made.path .. "." .. (counted or member)
      made.recorded[index] = { name = member:gsub("%[%]$", ""):gsub(" raw$", ""), path = counted and "#" .. path or path }
    end
  end
end

function declares.list(made, name)
  declare_items(made)
  made.item.name, made.item.doc = made.item.name or singular(made.name), made.item.doc or made.doc
  local number = made.number
  if number then
    local own = name .. "." .. number.name
    number.field = field(own, "uint64", function() return ProtoField.uint64(own, label(number.name), base.DEC, nil, nil, number.doc) end)
  end
  if not made.item.kind then error("a list without an item: " .. name) end
end

function declares.record(made, name) if made.name then made.field = plain_field("none", name, made) end end


local function declare_all(members, prefix, path)
  for _, member in ipairs(members) do declare(member, prefix, path) end
end

function declare(made, prefix, path)
  if made.name then path = path == "" and made.name or path .. "." .. made.name end
  made.path, made.prefix, made.count_path = path, prefix, "#" .. path
  made.at_path = made.pieced and path .. " at" or nil
  if declares[made.kind] then declares[made.kind](made, made.abbreviation or prefix .. "." .. path) end
  declare_also(made)
  if made.kind == "list" then
    local item = made.item
    local own = item.name
    item.name = nil
    if item.kind == "record" then
      item.path, item.prefix, item.label, item.name, item.count_path = path, prefix, label(own), own, made.count_path
      declares.record(item, prefix .. "." .. path)
      declare_all(item.members, prefix, path)
    else
      item.name = own
      item.path, item.prefix, item.count_path = path, prefix, made.count_path
      declares[item.kind](item, prefix .. "." .. path)
      declare_also(item)
    end
  end
  if made.parts then
    for _, part in ipairs(made.parts) do
      if part.name then
        part.path = path == "" and part.name or path .. "." .. part.name
        part.prefix = prefix
        declares.part(part, part.abbreviation or prefix .. "." .. part.path)
        declare_also(part)
      end
    end
  end
  if made.members then declare_all(made.members, prefix, path) end
  if made.clear then
    declare_all(made.clear, prefix, path)
    declare_all(made.set, prefix, path)
  end
  if made.kind == "fits" then
    for _, arm in ipairs(made.arms) do declare_all(arm[2], prefix, path) end
  end
  if made.kind == "switch" then
    for _, arm in pairs(made.cases) do declare_all(arm, prefix, path) end
    declare_all(made.default, prefix, path)
  end
  if made.declare then made:declare(prefix, path) end
end

-- What is wrong with a frame: the codes of Streamshark, those that stop the decoding as errors.
local experts = {}

for code, known in pairs(CODES) do
  experts[code] = ProtoExpert.new(
    NAME .. ".expert." .. code, known.sentence, expert.group[known.group], expert.severity[known.severity]
  )
end

-- The reader: what is being read, one frame at a time -------------------------------------------------------

-- Methods of Wireshark's, looked up once: to find one by its name costs as much as to call it.
local add, add_packet, generated, range_of = TreeItem.add, TreeItem.add_packet_field, TreeItem.set_generated, Tvb.range
local append_text, set_length = TreeItem.append_text, TreeItem.set_len

local tvb, data -- its bytes, also as a string: reading these costs a fraction
local at, stop -- the next one, the end of the frame or region
local item -- where fields are added; nil while nothing is shown
local chosen -- fields that somebody asked for, while others need not be added
local judged_item -- where problems are added meanwhile, if anywhere; or what makes it
local v -- values that others refer to, by path; absent ones are 0
local info_texts, left = {} -- texts for the Info column by path, and how many are still wanted
local problems, first = {} -- what is wrong, and where the frame begins in these bytes
local trial -- true while bytes are only tried: names must be known
local wants_info = true -- false while the Info column is not asked for
local brief = false -- true while only what the Info column shows is read
local inside = false -- true while the bytes of a slot are read
local large = false -- whether a number was read that Lua cannot hold
local following = false -- true while conversations wait for what is read
local hidden_from = math.huge -- where a secret may begin whose end is not known: nothing behind it is shown
local name_here = "" -- the name in a pair of name and value

local facts_held = {} -- names of the facts that were proved of the frame

local NOTHING = { __index = function() return 0 end }
local HALT = true -- what a read function returns when the decoding cannot go on

-- Numbers at a place of the bytes.
local bytes_at = string.byte -- to find a method of text costs as much as to call it

local function u8(place) return (bytes_at(data, place + 1)) end

local function u16(place)
  local a, b = bytes_at(data, place + 1, place + 2)
  return a * 256 + b
end

local function u24(place)
  local a, b, c = bytes_at(data, place + 1, place + 3)
  return (a * 256 + b) * 256 + c
end

local function u32(place)
  local a, b, c, d = bytes_at(data, place + 1, place + 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

local UNSIGNED = { u8, u16, u24, u32 }
local WRAPS = { 0x100, 0x10000, 0x1000000, 0x100000000 } -- one above the largest number of so many bytes

local function number_at(place, size, signed)
  if size <= 4 then
    local value = UNSIGNED[size](place)
    return signed and 2 * value >= WRAPS[size] and value - WRAPS[size] or value
  end
  local high, low = u32(place), u32(place + 4)
  if high < 0x200000 then return high * 0x100000000 + low end
  if signed and high >= 0xFFE00000 then return (high - 0x100000000) * 0x100000000 + low end
  local range = tvb(place, size)
  large = true
  return signed and range:int64() or range:uint64()
end

local function band(a, b)
  if a < 0x80000000 and b < 0x80000000 then return math.floor(bit.band(a, b)) end -- which is a float in Lua 5.4
  local sum, weight = 0, 1
  while a > 0 and b > 0 do
    if a % 2 >= 1 and b % 2 >= 1 then sum = sum + weight end
    a, b, weight = math.floor(a / 2), math.floor(b / 2), weight * 2
  end
  return sum
end


local unpack = table.unpack

local digits

do

local SMALL = {} -- digits of small numbers, which come again and again
for number = 0, 1023 do SMALL[number] = string.format("%.0f", number) end

function digits(value)
  if type(value) ~= "number" then return tostring(value) end
  return SMALL[value] or string.format("%.0f", value)
end

end

local function hex(value, width)
  if type(value) ~= "number" then return "0x" .. (value:tohex():gsub("^0+(.)", "%1")) end
  return string.format("0x%0" .. (width or 1) .. "x", math.floor(value))
end

local is_utf8, as_utf8

do

local REPLACEMENT = "\239\191\189" -- U+FFFD

local function is_more(byte) return byte and byte >= 0x80 and byte < 0xC0 end

-- Bytes of the character at a place and true; else false, and the bytes that one U+FFFD stands for. `wide` is modified
-- UTF-8, which writes a pair of surrogates instead of four bytes, and NUL as two.
local function character(raw, place, wide)
  local a, b, c, d = raw:byte(place, place + 3)
  local size = a >= 0xF0 and 4 or a >= 0xE0 and 3 or 2
  if wide and a == 0xC0 and b == 0x80 then return 2, true end
  if a < 0xC2 or a > 0xF4 or wide and size == 4 then return 1, false end
  local least = a == 0xE0 and 0xA0 or a == 0xF0 and 0x90 or 0x80
  local most = a == 0xED and not wide and 0x9F or a == 0xF4 and 0x8F or 0xBF
  if not b or b < least or b > most then return 1, false end
  if size > 2 and not is_more(c) then return 2, false end
  if size > 3 and not is_more(d) then return 3, false end
  if a ~= 0xED or b < 0xA0 then return size, true end
  local is_pair = b < 0xB0 and raw:find("^\237[\176-\191][\128-\191]", place + 3) ~= nil
  return is_pair and 6 or 1, is_pair
end

function is_utf8(raw, wide)
  local place = raw:find("[\128-\255]")
  while place do
    local size, is_whole = character(raw, place, wide)
    if not is_whole then return false end
    place = raw:find("[\128-\255]", place + size)
  end
  return true
end

-- A pair of surrogates, three bytes each, as four bytes.
local function joined_pair(raw)
  local _, b, c, _, e, f = raw:byte(1, 6)
  local code = 0x10000 + (b % 16 * 64 + c % 64) * 1024 + e % 16 * 64 + f % 64
  return string.char(0xF0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64, 0x80 + math.floor(code / 64) % 64,
    0x80 + code % 64)
end

-- Text as UTF-8, with U+FFFD where it is not valid: what Wireshark is given is written as it is, to PDML as well.
function as_utf8(raw, wide)
  if is_utf8(raw) then return raw end
  wide = wide and is_utf8(raw, true)
  local out, from = {}, 1
  local place = raw:find("[\128-\255]")
  while place do
    local size, is_whole = character(raw, place, wide)
    local own = raw:sub(place, place + size - 1)
    out[#out + 1] = raw:sub(from, place - 1)
    out[#out + 1] = not is_whole and REPLACEMENT or size == 6 and joined_pair(own) or own == "\192\128" and "\0" or own
    from = place + size
    place = raw:find("[\128-\255]", from)
  end
  out[#out + 1] = raw:sub(from)
  return table.concat(out)
end

end

-- Notes a problem as an expert item; `made` is the step that it is about, nil for the frame as a whole.
local function note_problem(code, made, offset, length, message)
  local path = made and made.path ~= "" and made.path or nil
  problems[#problems + 1] = { code = code, path = path, message = message, offset = offset - first, length = length, inside = inside }
  if not preferences.secrets then message = secrets.scrubbed(message, "***") end
  local marked = item or not trial and judged_item
  if type(marked) == "function" then marked = marked() end
  if marked then marked:add_proto_expert_info(experts[code], as_utf8(path and path .. ": " .. message or message)) end
end

-- The same with the values of its sentence.
local function problem(code, made, offset, length, ...)
  local values = { ... }
  for index, value in ipairs(values) do
    if type(value) == "number" then values[index] = digits(value) end
  end
  note_problem(code, made, offset, length, string.format(CODES[code].message, unpack(values)))
end

local function short(made, wanted)
  problem("short", made, at, stop - at, wanted, stop - at)
  return HALT
end

local function is_text(raw, encoding)
  if not raw:find("[\128-\255]") then return true end
  if encoding == "ascii" then return false end
  return is_utf8(raw, encoding == "mutf-8")
end

-- Texts for the Info column: as `streamshark read` writes them.
local quoted, readable

do

local LONGEST, SHORTEST = 60, 16 -- characters of a payload, and how many a cut text keeps at least
local LONGEST_NAME = 256 -- characters of a field that is text
local NAMED = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\", ['"'] = '\\"' }
local UNSEEN = { -- first and last character of what is not printable: blanks, marks that turn the writing direction
  { 0x80, 0xA0 }, { 0xAD, 0xAD }, { 0x61C, 0x61C }, { 0x1680, 0x1680 }, { 0x180E, 0x180E }, { 0x2000, 0x200F },
  { 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x3000, 0x3000 }, { 0xE000, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB },
}

local function seen(character)
  local a, b, c, d = character:byte(1, 4)
  local code = d and ((a % 8 * 64 + b % 64) * 64 + c % 64) * 64 + d % 64 or c and (a % 16 * 64 + b % 64) * 64 + c % 64
    or a % 32 * 64 + b % 64
  for _, range in ipairs(UNSEEN) do
    if code >= range[1] and code <= range[2] then return (code < 0x100 and "\\x%02x" or "\\u%04x"):format(code) end
  end
end

-- Text as it stands in quotes, so that it stays one line that is read from left to right.
local function escaped(raw, quote)
  raw = raw:gsub('[%c\\' .. quote .. "]", function(c) return NAMED[c] or ("\\x%02x"):format(c:byte()) end)
  return raw:find("[\128-\255]") and raw:gsub("[\194-\244][\128-\191]+", seen) or raw
end

-- So many characters from the start of a text.
local function cut_to(raw, most)
  local place = 1
  while most > 0 and place <= #raw do
    place = place + 1
    while (raw:byte(place) or 0) >= 0x80 and raw:byte(place) < 0xC0 do place = place + 1 end
    most = most - 1
  end
  return raw:sub(1, place - 1)
end

local function characters_of(raw) return select(2, raw:gsub("[^\128-\191]", "")) end

-- In quotes where that is needed; in a sentence, `bare`, never. Cut where it is long, unless `whole`.
function quoted(raw, bare, whole)
  if #raw > 4 and not preferences.secrets then raw = secrets.scrubbed(raw) end
  local cut, longest = "", bare and LONGEST or LONGEST_NAME
  if not whole and #raw > longest and characters_of(raw) > longest then
    if bare then return escaped(cut_to(raw, longest - 3), "") .. "..." end
    cut = "[" .. characters_of(raw) .. " characters]"
    raw = cut_to(raw, math.max(longest - #cut, SHORTEST))
  end
  if bare then return escaped(raw, "") end
  local safe = escaped(raw, '"')
  if raw ~= "" and safe == raw and not raw:find("[%s%c\"'\\=,%[%]]") then return raw .. cut end
  return '"' .. safe .. '"' .. cut
end

-- The start of bytes that people can read, in quotes; nil for other bytes.
function readable(from, count)
  local raw, cut = data:sub(from + 1, from + math.min(count, 4 * LONGEST)), ""
  if not is_utf8(raw) then
    if #raw == count then return nil end
    raw = raw:match("^(.-)[\192-\255][\128-\191]?[\128-\191]?$") -- a character that is cut
    if not raw or not is_utf8(raw) then return nil end
  end
  if raw == "" or raw:find("[%z\1-\8\11\12\14-\31\127]") or raw:find("\194[\128-\159]") then return nil end
  if not preferences.secrets then raw = secrets.scrubbed(raw) end
  if #raw < count or characters_of(raw) > LONGEST then
    cut = "[" .. digits(count) .. " bytes]"
    raw = cut_to(raw, math.max(LONGEST - #cut, SHORTEST))
  end
  local quote = raw:find('"', 1, true) and not raw:find("'", 1, true) and "'" or '"'
  return quote .. escaped(raw, quote) .. quote .. cut
end

end

local function number_text(made, value)
  if made.flags then
    local names, order = {}, {}
    for mask in pairs(made.flags) do order[#order + 1] = mask end
    table.sort(order, made.ascending and function(a, b) return a < b end or function(a, b) return a > b end)
    local left_over = value
    for _, mask in ipairs(made.flag_order or order) do
      if band(value, mask) ~= 0 then names[#names + 1] = made.flags[mask] end
      left_over = left_over - band(left_over, mask)
    end
    for bit = 0, left_over ~= 0 and 31 or -1 do
      if band(left_over, math.floor(2 ^ bit)) ~= 0 then names[#names + 1] = "bit_" .. bit end
    end
    return #names > 0 and table.concat(names, "|") or "0"
  end
  local name = made.names and made.names[value]
  local figures = made.base == "hex" and hex(value) or digits(value)
  for _, range in ipairs(not name and made.ranges or {}) do
    if value >= range[1] and value <= range[2] then return range[3] .. "(" .. figures .. ")" end
  end
  return name or figures
end

-- Keeps a value that others refer to.
local function keep(made, value)
  v[made.path] = value
  if made.awaited and following then left = left - 1 end
end

local info_line = {} -- the words of the Info column; see info.lua
local MOST_LISTED = 64 -- items of a list of which the Info column may show something

-- Keeps the text of one value for the Info column; a path through a list keeps those of its first items.
local function add_info(made, text)
  if made.in_info == "ranges" then info_line.add_range(made.path, text)
  elseif made.in_info == "many" then
    local so_far = info_texts[made.path]
    if not so_far then
      so_far = { total = 0 }
      info_texts[made.path] = so_far
    end
    so_far.total = so_far.total + 1
    if #so_far < MOST_LISTED then so_far[#so_far + 1] = text end
  elseif not info_texts[made.path] then
    info_texts[made.path] = text
    left = left - 1
  end
end

local function read_all(members)
  for index = 1, #members do
    local member = members[index]
    if read[member.kind](member) then return HALT end
    if brief and left <= 0 then return HALT end
  end
end

local part_value -- the number that some bits of a group are

-- Adds a value under the names that span commands: in hidden items, which filters and columns find. `value` is that of text,
-- or of a number that its bytes alone do not say.
local function add_also(made, from, count, value)
  for _, twin in ipairs(made.also or {}) do
    local range, own = range_of(tvb, from, count), item
    if not chosen or chosen[twin.field] then
      if value == nil then own = add(item, twin.field, range) else own = add(item, twin.field, range, value) end
      own:set_hidden()
    end
    for _, flag in ipairs(twin.flag_fields or {}) do
      if not chosen or chosen[flag] then add(own, flag, range):set_hidden() end
    end
  end
end

-- Adds the facts that a value proves of its frame, each once.
local function add_held(made, value)
  for name, unless in pairs(made.holds or {}) do
    if not unless[value] and not facts_held[name] then
      facts_held[name] = true
      if not chosen or chosen[common[name]] then generated(add(item, common[name], true)):set_hidden() end
    end
  end
end

local MOST_FLAG_TEXTS = 1024

-- Writes the names of the flags that a number has after it.
local function append_flags(own, made, value)
  local texts = made.flag_texts
  if not texts or texts.count > MOST_FLAG_TEXTS then
    texts = { count = 0 }
    made.flag_texts = texts
  end
  if not texts[value] then
    texts[value], texts.count = value ~= 0 and " (" .. number_text(made, value) .. ")" or "", texts.count + 1
  end
  append_text(own, texts[value])
end

local LAST_SECOND = 253402300800 -- the end of the year 9999

-- Shows the time that a number of these bytes counts below it; 0 and less are what programs write that know none.
local function add_time(made, place, size, value, below)
  if chosen and not chosen[made.time_field] then return end
  local text = type(value) == "number" and ("%.0f"):format(value) or tostring(value)
  local seconds = tonumber(text:sub(1, -made.time - 1)) or 0
  if text:find("^[-0]") or seconds >= LAST_SECOND then return end
  local rest = made.time > 0 and tonumber(text:sub(-made.time)) or 0
  local time = NSTime.new(math.floor(seconds), math.floor(rest * 10 ^ (9 - made.time)))
  generated(add(below, made.time_field, range_of(tvb, place, size), time))
end

-- Shows a number of these bytes, and its flags below it.
local function add_number(made, size)
  local own = item
  if not chosen or chosen[made.field] then own = add(item, made.field, range_of(tvb, at, size)) end
  if made.time_field then add_time(made, at, size, number_at(at, size, made.signed), own) end
  if made.flag_fields and not chosen then append_flags(own, made, made.width and part_value(made, at) or number_at(at, size, made.signed)) end
  local flags = made.flag_fields
  for index = 1, flags and #flags or 0 do
    if not chosen or chosen[flags[index]] then add(own, flags[index], range_of(tvb, at, size)) end
  end
  if made.also then add_also(made, at, size) end
  if made.holds then add_held(made, made.width and part_value(made, at) or number_at(at, size, made.signed)) end
end

function read.number(made)
  local size = made.size
  if stop - at < size then return short(made, size) end
  if made.keep then
    local value = number_at(at, size, made.signed)
    keep(made, value)
    if made.in_info and wants_info then add_info(made, number_text(made, value)) end
    if trial and made.names and not made.names[value] then return HALT end
  end
  if item then add_number(made, size) end
  at = at + size
end

function read.passed(made)
  if stop - at < made.size then return short(made, made.size) end
  at = at + made.size
end

function part_value(made, from)
  local shift, width = made.shift, made.width
  if made.size <= 4 then return math.floor(UNSIGNED[made.size](from) / made.weight) % made.range end
  local high, low = u32(from), u32(from + 4)
  if shift >= 32 then return math.floor(high / 2 ^ (shift - 32)) % math.floor(2 ^ width) end
  if shift + width <= 32 then return math.floor(low / 2 ^ shift) % math.floor(2 ^ width) end
  local upper = high % math.floor(2 ^ (shift + width - 32))
  if width > 53 and shift == 0 and upper >= 0x200000 then
    large = true
    return UInt64(low, math.floor(upper))
  end
  return upper * math.floor(2 ^ (32 - shift)) + math.floor(low / 2 ^ shift)
end

-- A number as Wireshark takes it for a field of 64 bits.
local function wide(value)
  if type(value) ~= "number" then return value end
  return UInt64(math.floor(value % 2 ^ 32), math.floor(value / 2 ^ 32))
end

function read.bits(made)
  local size, parts = made.size, made.parts
  if stop - at < size then return short(made, size) end
  for index = 1, #parts do
    local part = parts[index]
    if part.name then
      if part.keep then
        local value = part_value(part, at)
        keep(part, value)
        if part.in_info and wants_info then add_info(part, number_text(part, value)) end
        if trial and part.names and not part.names[value] then return HALT end
      end
      if item then
        if size <= 4 then add_number(part, size)
        elseif not chosen or chosen[part.field] then
          add(item, part.field, range_of(tvb, at, size), wide(part_value(part, at)))
        end
      end
    end
  end
  at = at + size
end

-- Numbers and groups of bits that follow each other, read in one go. See `joined`.
function read.run(made)
  local size, from = made.size, at
  if trial or stop - from < size then return read_all(made.members) end
  local kept = made.kept
  for index = 1, #kept do
    local one = kept[index]
    local offset, of = from + one.offset, one.made
    local value = one.get and one.get(offset) or one.is_part and part_value(of, offset) or number_at(offset, of.size, of.signed)
    v[one.path] = value
    if one.awaited and following then left = left - 1 end
    if one.in_info and wants_info then add_info(of, number_text(of, value)) end
  end
  if item then
    local fields, offsets, sizes = made.fields, made.offsets, made.sizes
    for index = 1, #fields do
      local shown = fields[index]
      if not chosen or chosen[shown] then add(item, shown, range_of(tvb, from + offsets[index], sizes[index])) end
    end
  end
  at = from + size
end

local joined

do -- a scope of its own: Lua takes 200 names in one

-- Whether a step is a number, or a group of them, of which one item is all that is shown.
local function is_plain_number(made)
  if made.kind == "number" then return not (made.flag_fields or made.also or made.holds or made.time_field) end
  if made.kind ~= "bits" or made.size > 4 then return false end
  for _, part in ipairs(made.parts) do if part.flag_fields or part.also then return false end end
  return true
end

local function join(run, made, offset, size, is_part)
  local count = #run.fields + 1
  run.fields[count], run.offsets[count], run.sizes[count] = made.field, offset, size
  if not made.keep then return end
  local get = not is_part and not made.signed and UNSIGNED[size] or nil
  run.kept[#run.kept + 1] = {
    made = made, offset = offset, get = get, is_part = is_part, path = made.path, awaited = made.awaited, in_info = made.in_info,
  }
end

-- These steps with numbers that follow each other put together, those before `from` left as they are.
function joined(members, from)
  local out, run = {}, nil
  for index, made in ipairs(members) do
    if index >= (from or 1) and is_plain_number(made) then
      if not run then
        run = { kind = "run", size = 0, members = {}, fields = {}, offsets = {}, sizes = {}, kept = {} }
        out[#out + 1] = run
      end
      run.members[#run.members + 1] = made
      if made.kind == "number" then join(run, made, run.size, made.size, false) end
      for _, part in ipairs(made.parts or {}) do
        if part.name then join(run, part, run.size, made.size, true) end
      end
      run.size = run.size + made.size
    else
      run = nil
      out[#out + 1] = made
      for _, inner in ipairs(made.kind ~= "run" and { "members", "clear", "set", "default" } or {}) do
        if made[inner] then made[inner] = joined(made[inner]) end
      end
      if made.item and made.item.members then made.item.members = joined(made.item.members) end
      for key, arm in pairs(made.cases or {}) do made.cases[key] = joined(arm) end
      for _, arm in ipairs(made.arms or {}) do arm[2] = joined(arm[2]) end
    end
  end
  return out
end

end

-- Shows lengths, counts and fixed bytes as text: no field has them, but a click on them selects something.
local function add_layout(place, count, text)
  if item and not chosen and count > 0 then add(item, range_of(tvb, place, count), text) end
end

-- The first values of an item of a list, for its line in the tree: `key: value`, or one after the other.
local MOST_SUMMED = 3
local summary -- those of the item that is being read; nil where none is shown

local function begin_summary()
  local outer = summary
  summary = {}
  return outer
end

local function sum_up(made, text)
  if not summary or #summary >= MOST_SUMMED then return end
  if #summary == 0 then summary.key = made.name:find("key$") ~= nil end
  summary[#summary + 1] = (made.encoding or made.measure) and text or label(made.name):lower() .. " " .. text
end

local function end_summary(outer)
  local own = summary
  summary = outer
  if #own == 0 then return "" end
  return ": " .. (own.key and #own == 2 and own[1] .. ": " .. own[2] or table.concat(own, ", "))
end

local stream_inside -- name of the stream that the message of protobuf names whose bodies are read
local numbering = {} -- of the item that is read, `value` by `number`; of the records in its slot the `first`

-- Shows the number of an item that is not in its bytes.
local function add_item_number(number, value, place, below)
  numbering.number, numbering.value = number, value
  if summary then sum_up(number, digits(value)) end
  if chosen and not chosen[number.field] then return end
  generated(add(below, number.field, range_of(tvb, place, 0), type(value) == "number" and UInt64(math.floor(value % 2 ^ 32), math.floor(value / 2 ^ 32)) or value))
end

local function bytes_of(count) return digits(count) .. (count == 1 and " byte" or " bytes") end

local measured

do

local MEASURES = {} -- kinds of measures

-- Length or count as `measure` says, behind its own number where it has one; nil with HALT when cut.
function measured(made, measure)
  local kind = MEASURES[measure]
  if not kind then
    kind = type(measure)
    MEASURES[measure] = kind
  end
  if kind == "number" then return measure end
  if kind == "function" then return measure(v) end
  if measure.size then
    if stop - at < measure.size then
      short(made, measure.size)
      return nil
    end
    local count = number_at(at, measure.size, measure.signed)
    if count ~= -1 then add_layout(at, measure.size, (made.kind == "list" and "Count: " or "Length: ") .. digits(count)) end
    at = at + measure.size
    return type(count) == "number" and count or tonumber(tostring(count)) + 0.0 -- a float, which does not overflow
  end
  return stop - at
end

end

local TEXT = ENC_UTF_8 + ENC_BIG_ENDIAN

-- Adds what may be shown of a secret. No byte is of the item, for Wireshark writes these to PDML and JSON.
local function add_hidden(parent, shown, place, text)
  if not chosen or chosen[shown] then return add(parent, shown, range_of(tvb, place, 0), text or "***") end
end

local veiling = false -- whether a secret may stand in what no field can read

-- Adds bytes that no field could read.
local function add_undecoded(parent, from, count, shown, hidden)
  local raw = not preferences.secrets and data:sub(from + 1, from + count)
  if raw and (veiling or from + count > hidden_from or secrets.may_hold(raw) or secrets.is_likely(data)) then
    add(parent, hidden or hidden_undecoded, range_of(tvb, from, 0), "***")
  else add(parent, shown or undecoded, range_of(tvb, from, count)) end
end

-- What may be shown of a text; nil where that is all of it. `name` says of which name it is the value.
local function hidden_text(made, place, raw, name)
  if preferences.secrets then return nil end
  if made.secret or place >= hidden_from or name and raw ~= "" and secrets.is_name(name) then return "***" end
  local user = name and SECRETS.hosts[(name:lower():gsub("^:", ""))] and raw:match("^.*@()")
  local spans = user and { { 1, user - 1 } } or secrets.held and secrets.may_hold(raw) and secrets.credentials(raw)
  if not spans or #spans == 0 then return nil end
  local filled = secrets.filled(raw, spans)
  return filled:find("[^*]") and filled or "***"
end

local function add_text(made, place, count, name)
  local raw = data:sub(place + 1, place + count)
  local hidden = hidden_text(made, place, raw, name or made.of_name and name_here)
  if made.names_next then name_here = raw end
  if made.names_stream and not stream_inside and item then stream_inside = raw end
  if not is_text(raw, made.encoding) then problem("text", made, place, count, made.encoding) end
  if made.keep then
    keep(made, raw)
    v[made.count_path] = count
  end
  if trial == true and raw:find("%c") then return HALT end
  if made.in_info and wants_info then
    local plain = made.encoding == "ascii" and raw:gsub("[\128-\255]", "\239\191\189") or as_utf8(raw, made.encoding == "mutf-8")
    add_info(made, (made.secret or hidden == "***") and "***" or quoted(plain))
  end
  if not item then return end
  if summary then sum_up(made, hidden == "***" and hidden or quoted(as_utf8(hidden or raw, made.encoding == "mutf-8"), true)) end
  if made.also then add_also(made, place, hidden and 0 or count, as_utf8(hidden or raw, made.encoding == "mutf-8")) end
  if made.holds then add_held(made, raw) end
  if chosen and not chosen[made.field] then return end
  local range = range_of(tvb, place, count)
  if hidden then add_hidden(item, made.masked or made.field, place, as_utf8(hidden, made.encoding == "mutf-8"))
  elseif count == 0 then add(item, made.field, range, "")
  elseif made.encoding == "mutf-8" then add(item, made.field, range, as_utf8(raw, true))
  else add_packet(item, made.field, range, TEXT) end
end

local function bytes_text(made, place, count)
  if made.secret or place >= hidden_from then return "***" end
  if made.slot and made.slot.veiled and count > 0 then return "[" .. digits(count) .. (count == 1 and " byte]" or " bytes]") end
  if count > 8 then return "[" .. digits(count) .. " bytes]" end
  return count == 0 and "empty" or tvb(place, count):bytes():tohex(true)
end

local open_slot
local hides, is_hidden -- whether the bytes of a slot may hold a secret; whether they hold one
local veils = { met = false } -- whether bytes were met that may be a secret
local body_text -- of a slot: text where it is text, and what its embedded records show
local bodies -- what embedded records show, while the line of a frame is written
local inner_texts = {} -- path of a slot to what its embedded records show; "" to the lines of another protocol's frames in it

-- Bytes, which Wireshark itself would call missing where there are none.
local function add_bytes(made, place, count, shown)
  local own = add(shown, made.field, range_of(tvb, place, count))
  if count == 0 then own:set_text(label(made.name) .. ": [empty]") end
  return own
end

function read.blob(made)
  local from = at
  local count = measured(made, made.measure)
  if not count then return HALT end
  if (made.null or made.refuses_null) and count == -1 then
    if made.refuses_null then problem("null", made, from, at - from) end
    if made.in_info and wants_info then add_info(made, "null") end
    if item and not chosen then add(item, range_of(tvb, from, at - from), label(made.name) .. ": null") end
    return
  end
  if count < 0 then
    problem("negative", made, from, at - from, count)
    return HALT
  end
  if made.limit and count > made.limit then
    problem("limit", made, from, math.min(at + count, stop) - from, count, made.limit)
  end
  if count > stop - at then
    if made.slot and hides(made.slot) then veils.met = true end
    return short(made, count)
  end
  local place = at
  at = at + count
  if made.encoding == "uuid" then
    if made.keep then keep(made, data:sub(place + 1, place + 16)) end
    if item and (not chosen or chosen[made.field]) then add(item, made.field, range_of(tvb, place, count)) end
    if item and made.also then add_also(made, place, count) end
    if made.in_info and wants_info then add_info(made, (tvb(place, 16):bytes():tohex(true):gsub("^(%x%x%x%x%x%x%x%x)(%x%x%x%x)(%x%x%x%x)(%x%x%x%x)", "%1-%2-%3-%4-"))) end
    return
  end
  if made.encoding then return add_text(made, place, count) end
  if made.at_path then
    v[made.at_path], v[made.count_path] = place, count
    left = left - 1
  end
  if made.keep then
    keep(made, count)
    v[made.count_path] = count
    if made.raw then v[made.path .. " raw"] = data:sub(place + 1, place + count) end
  end
  if made.in_info and wants_info then add_info(made, body_text(made, place, count))
  elseif bodies and made.slot then body_text(made, place, count) end
  if made.slot and count > 0 and hides(made.slot) then veils.met = true end
  if not item then return end
  if summary then sum_up(made, bytes_of(count)) end
  if not preferences.secrets and (made.secret or place >= hidden_from) then
    add_hidden(item, made.masked or hidden_undecoded, place)
    return
  end
  local own = item
  if made.slot and count > 0 and is_hidden(made.slot, place, count) then own = add_hidden(item, made.masked, place) or item
  elseif not chosen or chosen[made.field] then own = add_bytes(made, place, count, item) end
  if (made.slot or made.body) and (not chosen or chosen.slots) then open_slot(made, place, count, own) end
end

-- Forgets what was kept of the item before.
local function forget(made)
  local keys = made.forgotten
  if not keys then
    keys = {}
    for _, path in ipairs(made.forget or {}) do keys[#keys + 1], keys[#keys + 2] = path, "#" .. path end
    made.forgotten = keys
  end
  for index = 1, #keys do v[keys[index]] = nil end
end

local gather, held_of

do

-- Of a number of 64 bits with more than 53 what Lua holds: the least one, which stands for "none" in protocols; else nil.
function held_of(value) return tostring(value) == "-9223372036854775808" and -9223372036854775808 or nil end

-- Keeps what conversations want of an item that has been read.
function gather(made, is_wanted)
  local paths = (following or is_wanted) and made.gathers
  for index = 1, paths and #paths or 0 do
    local path = paths[index]
    local all, value = v[made.gathered[index]], rawget(v, path)
    if type(value) == "userdata" then value = held_of(value) or value end
    if type(all) == "table" and value ~= nil then
      all[#all + 1] = value
      if type(value) == "userdata" then v[made.gathered[index]] = nil end
    end
  end
  if made.records then
    local own = {}
    for _, each in ipairs(made.recorded) do own[each.name] = rawget(v, each.path) end
    table.insert(v[made.path .. "[]"], own)
  end
end

-- One record of a list.
local function read_item(made, index, number, inner_number)
  local one, outer, start = made.item, item, at
  if made.forget then forget(made) end
  local own = outer and (not chosen or chosen[one.field]) and add(outer, one.field, range_of(tvb, at, 0))
  if own then
    item = own
  end
  local is_summed, outer_summary = own and not chosen, nil
  if is_summed then outer_summary = begin_summary() end
  if number and item then add_item_number(made.number, number, start, item) end
  if inner_number and is_summed then sum_up(numbering.number, digits(inner_number)) end
  local halted = read_all(one.members)
  if is_summed then append_text(own, " " .. index .. end_summary(outer_summary)) end
  if own then set_length(own, at - start) end
  item = outer
  local sums = made.sums
  for nth = 1, sums and #sums or 0 do
    local sum = sums[nth]
    v[sum.path] = v[sum.path] + (rawget(v, sum.member) or sum.absent)
  end
  return halted
end

function read.list(made)
  local from = at
  local measure = made.count or made.claim
  local count
  if measure then
    count = measured(made, measure)
    if not count then return HALT end
    if count < 0 then
      problem("negative", made, from, at - from, count)
      return HALT
    end
  end
  if brief and made.in_info == true and count then
    add_info(made, digits(count))
    if left <= 0 then return HALT end
  end
  local one = made.item
  local is_record, gathers = one.kind == "record", made.records or following and made.gathers
  local most, counted, room = made.count and count or math.huge, made.count, made.limit or math.huge
  local n = 0
  for _, sum in ipairs(made.sums or {}) do v[sum.path] = 0 end
  if made.gathers and following then
    for _, path in ipairs(made.gathered) do v[path] = rawget(v, path) or {} end
  end
  if made.records then v[made.path .. "[]"] = {} end
  local halted
  local number, inner_number = made.number and rawget(v, made.number.start), numbering.first
  numbering.first = nil
  while n < most and (counted or (at < stop and n <= room)) do
    local start = at
    if is_record then
      n = n + 1
      halted = read_item(made, n, number, inner_number and inner_number + n - 1)
      if number then number = number + (rawget(v, made.number.weight) or 1) end
    else
      halted = read[one.kind](one)
      if not halted then n = n + 1 end
    end
    if gathers then gather(made) end
    if halted or at == start then break end
  end
  if made.keep then
    v[made.count_path] = n
    if made.awaited and following then left = left - 1 end
    if made.in_info and wants_info then add_info(made, digits(n)) end
  end
  if halted then return HALT end
  local width = measure and measure.size or 0
  if made.claim and n ~= count then problem("count", made, from, width, digits(count), digits(n)) end
  if made.limit and n > made.limit then problem("limit", made, from, width, digits(n), digits(made.limit)) end
end

end

function read.record(made)
  local outer, start = item, at
  if made.in_info and wants_info then add_info(made, "[record]") end
  local own = outer and made.field and (not chosen or chosen[made.field]) and add(outer, made.field, range_of(tvb, at, 0))
  if own then item = own end
  local halted = read_all(made.members)
  if own then set_length(own, at - start) end
  item = outer
  return halted
end

function read.when(made)
  local held = made.condition(v)
  if held and held ~= 0 then return read_all(made.members) end
end

function read.tail(made) if stop - at >= made.need then return read_all(made.members) end end

function read.either(made)
  if at >= stop then return short(made, 1) end
  return read_all(u8(at) < 128 and made.clear or made.set)
end

function read.switch(made)
  local on = made.on(v)
  local arm = made.cases[on]
  if not arm and made.of then problem("value", { path = made.of }, at, 0, ("no %s %d"):format(made.of:match("[^.]*$"), on)) end
  return read_all(arm or made.default)
end

-- Tries the arms without showing them; the first that uses up the region without a problem is shown.
function read.fits(made)
  local from, until_here, shown, known, kept, so_far = at, stop, item, problems, info_texts, left
  for _, arm in ipairs(made.arms) do
    item, problems, info_texts, left = nil, {}, {}, 1000
    local fitted = not read_all(arm[2]) and at == stop and #problems == 0
    at, stop, item, problems, info_texts, left = from, until_here, shown, known, kept, so_far
    if fitted then
      return read_all(arm[2])
    end
    forget(made)
  end
  problem("nofit", made, at, stop - at, stop - at)
  return HALT
end

local sums = { wanted = true } -- checksum functions by name; whether a frame is looked at so closely

function read.region(made)
  local count = measured(made, made.measure)
  if not count then return HALT end
  if count < 0 then
    problem("negative", made, at, 0, count)
    return HALT
  end
  local outer, cut = stop, count > stop - at
  if cut then problem("short", made, at, stop - at, count, stop - at)
  else stop = at + count end
  if made.sum_of and preferences.checksums and sums.wanted and not cut and not brief and (not made.summed or made.summed(v)) then
    local expected, found = made.expected(v), sums[made.sum_of](data:sub(at + 1, stop))
    if expected ~= found then problem("checksum", made, at, stop - at, hex(expected, 8), hex(found, 8)) end
  end
  local halted = read_all(made.members)
  if brief and left <= 0 then return HALT end
  if not halted and at ~= stop then problem("trailing", made, at, stop - at, stop - at) end
  if at < stop and item then add_undecoded(item, at, stop - at) end
  at, stop = stop, outer
  if cut then return HALT end
end

function read.claim(made)
  local expected, written = made.expected(v), v[made.of]
  if written ~= expected then problem("claim", { path = made.of }, at, 0, written, expected) end
end

function read.literal(made)
  local size = #made.data
  if stop - at < size then return short(made, size) end
  if data:sub(at + 1, at + size) ~= made.data then
    problem("literal", made, at, size)
    return HALT
  end
  add_layout(at, size, made.title)
  at = at + size
end

-- The words of the Info column, as `streamshark.schema.info_template` declares them --------------------------------

do

local MOST_ITEMS, MOST_RANGES = 3, 3
local REFUSAL = "!"
local FALSE = { [""] = true, ["0"] = true, ['""'] = true, ["false"] = true, ["False"] = true, null = true, empty = true }
local SIZES = { { 0x40000000, " GiB" }, { 0x100000, " MiB" }, { 0x400, " KiB" } }

local function some(texts, count)
  local shown = math.min(#texts, MOST_ITEMS)
  local more = count - shown
  return table.concat(texts, ",", 1, shown) .. (more > 0 and " and " .. digits(more) .. " more" or "")
end

-- A number of bytes in the largest binary unit of which it is a multiple.
function info_line.binary_size(text)
  local count = text:match("^%d+$") and #text < 16 and tonumber(text) or 0
  for _, each in ipairs(SIZES) do
    if count > 0 and count % each[1] == 0 then return digits(math.floor(count / each[1])) .. each[2] end
  end
  return text
end

-- The decimal text of a number, and a small number more.
local function plus(text, more)
  if #text < 16 then return digits(tonumber(text) + more) end
  local out = {}
  for place = #text, 1, -1 do
    more = more + text:byte(place) - 48
    table.insert(out, 1, digits(more % 10))
    more = math.floor(more / 10)
  end
  return (more > 0 and digits(more) or "") .. table.concat(out)
end

local function ranges(found)
  local closed = { unpack(found.closed) }
  closed[#closed + 1] = found.first == found.last and found.first or found.first .. "-" .. found.last
  return some(closed, found.count + 1)
end

-- Keeps a number of a list as part of a range; `info_texts` has what is known of the list.
function info_line.add_range(path, text)
  local found = info_texts[path]
  if not found then info_texts[path] = { closed = {}, count = 0, first = text, last = text }
  elseif not text:find("-", 1, true) and text == plus(found.last, 1) then found.last = text
  else
    if found.count < MOST_RANGES then
      found.closed[#found.closed + 1] = found.first == found.last and found.first or found.first .. "-" .. found.last
    end
    found.count, found.first, found.last = found.count + 1, text, text
  end
end

-- The text of a value in the form of its hole; nil where nothing is shown of it.
local function shaped(hole, text)
  local form = hole.form
  if form == "text" and (FALSE[text] or text:find("^%[[%d,]+ bytes?%]$")) then return nil end
  if form == "signed" and text:sub(1, 1) ~= "-" then text = "+" .. text
  elseif form == "size" then text = info_line.binary_size(text)
  elseif form == "not" then
    local kept = {}
    for name in text:gmatch("[^|]+") do if not hole.others[name] then kept[#kept + 1] = name end end
    text = table.concat(kept, "|")
  end
  if not hole.yes then return text end
  if FALSE[text] or form == "ok" and hole.others[text] then return hole.no ~= "" and hole.no or nil end
  return hole.yes ~= "" and hole.yes or text
end

local function listed(value)
  return type(value) == "table" and value or { value }
end

local FORMS = {
  ranges = function(hole, found) return found[hole.path] and ranges(found[hole.path]) end,
  bytes = function(hole)
    local count = rawget(v, "#" .. hole.path)
    return count and (count == 1 and "1 byte" or digits(count) .. " bytes")
  end,
  range = function(hole, found)
    local start, count = found[hole.path], tonumber(found[hole.others[1]] or "") or 0
    if not start or count < 2 then return start end
    return start .. "-" .. plus(start, count - 1)
  end,
  pair = function(hole, found)
    local values = found[hole.path .. ".value"] or {}
    for index, key in ipairs(found[hole.path .. ".key"] or {}) do
      if key == hole.others[1] then return values[index] end
    end
  end,
  joined = function(hole, found)
    local members, known, out = listed(found[hole.path]), {}, {}
    for index, key in ipairs(listed(found[hole.others[2]])) do known[key] = known[key] or members[index] end
    for _, wanted in ipairs(listed(found[hole.others[1]])) do out[#out + 1] = known[wanted] or "" end
    out.total = #out
    return #out > 0 and out or nil
  end,
}

-- The text of a hole, a table of texts for the items of a list, or nil.
local function text_of(hole, found)
  if FORMS[hole.form] then
    local value = FORMS[hole.form](hole, found)
    return type(value) == "string" and shaped(hole, value) or type(value) == "table" and value or nil
  end
  local value = found[hole.path]
  if type(value) ~= "table" then return value and shaped(hole, value) end
  local out, seen = { total = value.total - #value }, {}
  for _, each in ipairs(value) do
    local text = shaped(hole, each)
    if text and not (hole.form == "ok" and seen[text]) then out[#out + 1] = text end
    if text then seen[text] = true end
  end
  out.total = hole.form == "ok" and #out or out.total + #out
  return out
end

local function single(part, hole, found, inner)
  local own = inner and inner[hole.path] or ""
  if hole.form == "inside" and own ~= "" then return own end
  local value = text_of(hole, found)
  local before, after = " " .. part.texts[1], part.texts[2]
  if type(value) == "table" then
    local items = {}
    for index = 1, math.min(#value, MOST_ITEMS) do items[index] = value[index] .. after end
    return #items > 0 and before .. some(items, value.total) or ""
  end
  return (value and before .. value .. after or "") .. own
end

-- One item of a part with several holes, up to the first value that is missing.
local function item_of(part, values, index)
  local out = part.texts[1]
  for nth, value in ipairs(values) do
    local text = type(value) == "table" and (index <= MOST_ITEMS and value[index] or "") or value
    if type(text) == "table" or text == "" then return nth > 1 and out or "" end
    out = out .. (nth > 1 and part.texts[nth] or "") .. text
  end
  return out .. part.texts[#part.texts]
end

local function several(part, found)
  local values, count = {}, 0
  for nth, hole in ipairs(part.holes) do
    local value = text_of(hole, found) or ""
    values[nth] = value
    if type(value) == "table" then count = math.max(count, value.total) end
  end
  if count == 0 and (type(values[1]) == "table" or values[1] == "") then return "" end
  local items, any = {}, false
  for index = 1, math.min(math.max(count, 1), MOST_ITEMS) do
    items[index] = item_of(part, values, index)
    any = any or items[index] ~= ""
  end
  return any and " " .. some(items, math.max(count, 1)) or ""
end

local function is_refusal(hole, found)
  if hole.form ~= "ok" then return false end
  for _, each in ipairs(listed(found[hole.path])) do
    if not hole.others[each] then return true end
  end
  return false
end

-- The words of a template: `found` has the texts of values by path, `inner` what embedded records show of payloads.
function info_line.words(shows, found, inner)
  local text, refused = "", false
  for _, part in ipairs(shows) do
    local holes = part.holes
    if #holes == 0 and part.texts[1] == REFUSAL then refused = true
    elseif #holes == 0 then text = text .. " " .. part.texts[1]
    else
      text = text .. (#holes == 1 and single(part, holes[1], found, inner) or #holes > 1 and several(part, found) or "")
      for _, hole in ipairs(holes) do refused = refused or is_refusal(hole, found) end
    end
  end
  return text, refused
end

end

-- Text lines and header blocks ------------------------------------------------------------------------------

local line_measure

do -- a scope of its own: Lua takes 200 names in one

local MOST_DIGITS = 9
local RESTS = { rest = true, quoted = true } -- kinds of argument that take what is left of the line

function word.argument(kind, name, doc, facts) return step("argument", name, doc, { type = kind }, facts) end

function word.line(verb, arguments) return step("line", nil, nil, { verb = verb, arguments = arguments }) end

function word.headers(version, doc, pieces, facts)
  pieces[3].name, pieces[4].name = "headers.key", "headers.value"
  return step("headers", nil, doc, { version = version, pieces = pieces }, facts)
end

function declares.argument(made, name)
  if made.type == "number" then
    made.size = 4
    made.field = number_field(name, made)
  else
    made.field = plain_field("string", name, made)
    made.masked = made.field
  end
end

local function declare_arguments(arguments, made)
  for _, each in ipairs(arguments) do
    each.path = made.path == "" and each.name or made.path .. "." .. each.name
    each.prefix, each.encoding, each.count_path = made.prefix, "utf-8", "#" .. each.path
    declares.argument(each, made.prefix .. "." .. each.path)
    declare_also(each)
  end
end

function declares.line(made) declare_arguments(made.arguments, made) end

function declares.headers(made)
  declare_arguments(made.pieces, made)
  made.field = plain_field("none", made.pieces[3].prefix .. ".headers", { name = "header", doc = "One header." })
end

-- Measures the frame that a line begins: bytes and key, nil for "need more", -1 for none.
function line_measure(verbs, sized, most_line)
  local begun = {} -- what a verb may begin with
  for verb in pairs(verbs) do
    for size = 0, #verb do begun[verb:sub(1, size)] = true end
  end
  return function(from, most)
    local text = data:sub(from + 1, from + math.min(most, most_line))
    local line = text:match("^([^\n]*)\n")
    if not line then
      local verb = text:match("^[^ \t]*")
      local may_be = #verb == #text and begun[verb:gsub("\r$", ""):upper()] or verbs[verb:upper()]
      if most < most_line and may_be then return nil end
      return -1, ""
    end
    local verb = line:gsub("\r$", ""):match("^[^ \t]*"):upper()
    if not verbs[verb] then return -1, verb:lower() end
    local total = #line + 1
    if sized[verb] then
      local size = line:match("(%S+)%s*$")
      if not size:match("^%d+$") or #size > MOST_DIGITS then return -1, verbs[verb] end
      total = total + tonumber(size) + 2
    end
    return total, verbs[verb]
  end
end

-- Tokens with their offsets; with `most` the last takes the rest.
local function tokens_of(text, from, most)
  local found = {}
  while true do
    from = text:find("[^ \t]", from) or #text + 1
    if most > 0 and #found == most - 1 then
      found[#found + 1] = { from, text:sub(from) }
      return found
    end
    if from > #text then return found end
    local behind = text:find("[ \t]", from) or #text + 1
    found[#found + 1] = { from, text:sub(from, behind - 1) }
    from = behind
  end
end

-- The arguments with the places of their tokens: one token for each, all that are left over for the one that takes a list.
local function spread(present, places)
  local spare, lists = #places, 0
  for _, each in ipairs(present) do
    if each.type == "tokens" then lists = lists + 1 else spare = spare - 1 end
  end
  if spare < 0 or spare > 0 and lists == 0 then return false end
  local out, next_place = {}, 1
  for _, each in ipairs(present) do
    for _ = 1, each.type == "tokens" and spare or 1 do
      out[#out + 1] = { each, places[next_place] }
      next_place = next_place + 1
    end
  end
  return out
end

local function places_without(count, left_out)
  local places = {}
  for place = 1, count do
    if place ~= left_out then places[#places + 1] = place end
  end
  return places
end

-- Which argument takes which of so many tokens, where one of them is a mark; false when they are too few or too many.
local function assigned_with_mark(arguments, count, front, mark)
  local present = {}
  for index, each in ipairs(arguments) do
    if index <= front or each.mark == mark or not each.mark and not each.optional then present[#present + 1] = each end
  end
  -- those without a mark that always stand come last
  local order = {}
  for index, each in ipairs(present) do if index <= front then order[#order + 1] = each end end
  for index, each in ipairs(present) do if index > front and each.mark then order[#order + 1] = each end end
  for index, each in ipairs(present) do if index > front and not each.mark then order[#order + 1] = each end end
  return spread(order, places_without(count, front + 1))
end

-- The same where none is a mark.
local function assigned_without_mark(arguments, count)
  local spare, present = count, {}
  for _, each in ipairs(arguments) do
    if not each.mark and (not each.optional or each.type == "rest") then spare = spare - 1 end
  end
  for _, each in ipairs(arguments) do
    if not each.mark then
      local there = not each.optional or each.type == "rest"
      if not there and spare > 0 then there, spare = true, spare - 1 end
      if there then present[#present + 1] = each end
    end
  end
  return spare == 0 and spread(present, places_without(count))
end

local known_assignments = {} -- by arguments and the number of tokens, where no argument has a mark
local MOST_ASSIGNMENTS = 16

-- Which argument takes which tokens: a list of arguments and places; false when they are too few or too many.
local function assigned(arguments, tokens)
  local known, count = known_assignments[arguments], #tokens
  if not known then
    known = { front = #arguments }
    for index = #arguments, 1, -1 do if arguments[index].mark then known.front = index - 1 end end
    known_assignments[arguments] = known
  end
  local mark = known.front < #arguments and known.front < count and tokens[known.front + 1][2]
  for _, each in ipairs(mark and arguments or {}) do
    if each.mark == mark then return assigned_with_mark(arguments, count, known.front, mark) end
  end
  local found = known[count]
  if found == nil then
    found = assigned_without_mark(arguments, count)
    if count <= MOST_ASSIGNMENTS then known[count] = found end
  end
  return found
end

local function show_argument(made, from, text)
  if made.type == "number" then
    if not text:match("^%d+$") or #text > MOST_DIGITS then
      problem("number", made, from, #text, "'" .. quoted(text, true) .. "'")
      return HALT
    end
    local value = tonumber(text)
    if made.keep then v[made.path] = value end
    if made.in_info and wants_info then add_info(made, number_text(made, value)) end
    if item then item:add(made.field, tvb(from, #text), value) end
    return
  end
  if made.type == "quoted" and text:match("^'.*'$") and #text > 1 then from, text = from + 1, text:sub(2, -2) end
  if text == "" and made.optional then return end
  if item and made.slot then
    local hidden = hidden_text(made, from, text)
    local own = hidden and add_hidden(item, made.field, from, as_utf8(hidden)) or not hidden
      and item:add_packet_field(made.field, tvb(from, #text), ENC_UTF_8 + ENC_BIG_ENDIAN)
    open_slot(made, from, #text, own or item)
    return
  end
  return add_text(made, from, #text)
end

local function add_line_end(from, behind) add_layout(from, behind - from, "Line end: " .. (behind - from == 2 and "\\r\\n" or "\\n")) end

function read.line(made)
  local raw = data:sub(at + 1, stop)
  local line = raw:match("^([^\n]*)\n")
  if not line then
    problem("short", made, at, stop - at, stop - at + 1, stop - at)
    return HALT
  end
  local from, behind = at, at + #line + 1
  line = line:gsub("\r$", "")
  local size = #made.verb
  if line:sub(1, size):upper() ~= made.verb:upper() or not line:sub(size + 1, size + 1):match("^[ \t]?$") then
    problem("verb", made, from, #line, made.verb)
    return HALT
  end
  add_layout(from, size, "Verb: " .. line:sub(1, size))
  local last = made.arguments[#made.arguments]
  local tokens = tokens_of(line, size + 1, last and RESTS[last.type] and #made.arguments or 0)
  local found = assigned(made.arguments, tokens)
  if not found then
    problem("args", made, from, #line, #tokens)
    return HALT
  end
  for _, each in ipairs(found) do
    local token = tokens[each[2]]
    if show_argument(each[1], from + token[1] - 1, token[2]) then return HALT end
  end
  add_line_end(from + #line, behind)
  at = behind
end

local function halt_headers(made, from, length, what)
  problem("args", made, from, length, what)
  return HALT
end

function read.headers(made)
  if at == stop then return end
  local raw, from = data:sub(at + 1, stop), at
  local version = made.version
  local behind = raw:sub(#version + 1, #version + 1)
  if raw:sub(1, #version) ~= version or raw:sub(-4) ~= "\r\n\r\n"
    or not (behind == " " or behind == "\t" or raw:sub(#version + 1, #version + 2) == "\r\n") then
    return halt_headers(made, at, stop - at, "header block:")
  end
  local end_of_line = raw:find("\r\n", #version + 1, true)
  add_layout(from, #version, "Version: " .. version)
  local status, description = made.pieces[1], made.pieces[2]
  local parts = tokens_of(raw:sub(#version + 1, end_of_line - 1), 1, 2)
  for index, each in ipairs({ status, description }) do
    local part = parts[index]
    local text = part and part[2]:match("^(.-)[ \t]*$") or ""
    if text ~= "" and show_argument(each, from + #version + part[1] - 1, text) then return HALT end
  end
  add_line_end(from + end_of_line - 1, from + end_of_line + 1)
  local place, count, pairs_of_headers = end_of_line + 2, 0, {}
  v["headers[]"] = pairs_of_headers
  while place < #raw - 1 do
    local line_end = raw:find("\r\n", place, true)
    local line = raw:sub(place, line_end - 1)
    local name, value = line:match("^([^:]+):(.*)$")
    if not name then return halt_headers(made, from + place - 1, #line, "header line:") end
    local text = value:match("^[ \t]*(.-)[ \t]*$")
    local begin = place + #line - #value:match("^[ \t]*(.*)$")
    made.pieces[3].optional, made.pieces[4].optional = false, false
    local outer, outer_summary = item, nil
    if item and (not chosen or chosen[made.field]) then item = add(item, made.field, range_of(tvb, from + place - 1, line_end + 2 - place)) end
    local is_summed = item ~= outer and not chosen
    if is_summed then outer_summary = begin_summary() end
    add_text(made.pieces[3], from + place - 1, #name)
    add_text(made.pieces[4], from + begin - 1, #text, name)
    if is_summed then append_text(item, end_summary(outer_summary)) end
    add_line_end(from + line_end - 1, from + line_end + 1)
    item = outer
    place, count = line_end + 2, count + 1
    pairs_of_headers[count] = { key = name, value = text }
  end
  v["#headers"] = count
  add_line_end(from + #raw - 2, stop)
  if count == 0 and #parts == 0 and item and not chosen then add(item, range_of(tvb, from, #raw), "Headers: [empty]") end
  at = stop
end

-- A text line with a JSON object ---------------------------------------------------------------------------

local MOST_JSON_DEPTH = 64

function word.json_line(verb, fields, other)
  return step("json_line", nil, nil, { verb = verb, arguments = fields, pieces = other })
end

declares.argument_line = declares.argument
function declares.argument(made, name)
  if made.type == "integer" then
    made.size, made.signed = 8, true
    made.field = number_field(name, made)
  elseif made.type == "boolean" then
    made.field = field(name, "bool", function() return ProtoField.bool(name, label(made.name), nil, nil, nil, made.doc) end)
  else declares.argument_line(made, name) end
end

function declares.json_line(made)
  made.pieces[1].name, made.pieces[2].name = "other.key", "other.value"
  declare_arguments(made.arguments, made)
  declare_arguments(made.pieces, made)
  made.known = {}
  for _, each in ipairs(made.arguments) do made.known[each.name] = each end
end

local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- A character as UTF-8.
local function utf8_of(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
  end
  return string.char(0xF0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64,
    0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

-- The text between two quotes; halves of surrogate pairs become U+FFFD.
local function unescaped(raw)
  local out, place = {}, 1
  while place <= #raw do
    local from = raw:find("\\", place, true)
    out[#out + 1] = raw:sub(place, (from or #raw + 1) - 1)
    if not from then break end
    local code = raw:match("^u(%x%x%x%x)", from + 1)
    if not code then
      out[#out + 1], place = ESCAPES[raw:sub(from + 1, from + 1)], from + 2
    else
      code, place = tonumber(code, 16), from + 6
      local low = code >= 0xD800 and code < 0xDC00 and raw:match("^\\u(%x%x%x%x)", place)
      low = low and tonumber(low, 16)
      if low and low >= 0xDC00 and low < 0xE000 then
        code, place = 0x10000 + (code - 0xD800) * 1024 + (low - 0xDC00), place + 6
      elseif code >= 0xD800 and code < 0xE000 then code = 0xFFFD end
      out[#out + 1] = utf8_of(code)
    end
  end
  return table.concat(out)
end

-- Kind of the next token of JSON, its first character and the one behind it; nil where there is none.
local function json_token(text, place)
  place = text:find("[^ \t\r\n]", place)
  if not place then return nil end
  local sign = text:sub(place, place)
  if sign:find("[{}%[%]:,]") then return sign, place, place + 1 end
  if sign == '"' then
    local behind = place + 1
    while true do
      behind = text:find('[%z\1-\31"\\]', behind)
      local found = behind and text:sub(behind, behind)
      if found == '"' then return "text", place, behind + 1 end
      if found ~= "\\" then return nil end
      if text:find("^u%x%x%x%x", behind + 1) then behind = behind + 6
      elseif ESCAPES[text:sub(behind + 1, behind + 1)] then behind = behind + 2
      else return nil end
    end
  end
  for _, name in ipairs({ "true", "false", "null" }) do
    if text:sub(place, place + #name - 1) == name then
      return name == "null" and name or "boolean", place, place + #name
    end
  end
  local behind = text:match("^%-?0()", place) or text:match("^%-?[1-9]%d*()", place)
  if not behind then return nil end
  local kind = "integer"
  local more = text:match("^%.%d+()", behind)
  if more then kind, behind = "real", more end
  more = text:match("^[eE][+-]?%d+()", behind)
  if more then kind, behind = "real", more end
  if text:find("^[%d.eE]", behind) and kind == "integer" then kind = "real" end
  return kind, place, behind
end

-- The next value: kind, first character, the one behind it, and what is in it; nil where it is broken.
local function json_value(text, place, depth)
  local kind, from, behind = json_token(text, place)
  if kind ~= "{" and kind ~= "[" then
    if not kind or kind:find("[}%]:,]") then return nil end
    return { kind = kind, from = from, behind = behind, items = {} }
  end
  if depth == MOST_JSON_DEPTH then return nil end
  local items, close = {}, kind == "{" and "}" or "]"
  local coming, _, last = json_token(text, behind)
  local here = behind
  while coming ~= close do
    if kind == "{" then
      local name, name_from, name_behind = json_token(text, here)
      local colon, _, after = json_token(text, name_behind or #text + 1)
      if name ~= "text" or colon ~= ":" then return nil end
      items[#items + 1] = { kind = name, from = name_from, behind = name_behind, items = {} }
      here = after
    end
    local own = json_value(text, here, depth + 1)
    if not own then return nil end
    items[#items + 1] = own
    coming, _, last = json_token(text, own.behind)
    if coming == "," then
      here = last
      if json_token(text, here) == close then return nil end
    elseif coming ~= close then return nil end
  end
  return { kind = kind, from = from, behind = last, items = items }
end

local WANTED = { text = "text", integer = "a whole number", boolean = "true or false", tokens = "a list of text" }

-- A whole number, Int64 where Lua cannot hold it, and as Wireshark takes it for a field; nil for one of more than 64 bits.
local function whole_number(text)
  if #text > 20 then return nil end
  local negative, figures = text:sub(1, 1) == "-", text:match("%d+")
  local most = negative and "9223372036854775808" or "9223372036854775807"
  if #figures > #most or #figures == #most and figures > most then return nil end
  local wide_value = Int64(0)
  for figure in figures:gmatch("%d") do wide_value = wide_value * 10 + tonumber(figure) end
  if negative then wide_value = -wide_value end
  if #figures < 16 then return tonumber(text), wide_value end
  large = true
  return wide_value, wide_value
end

-- Adds a text of JSON, whose escapes are not part of the value. `name` says of which name it is the value.
local function add_json_text(made, from, count, name)
  local raw = count > 0 and tvb:raw(from, count) or ""
  if not raw:find("\\", 1, true) then
    add_text(made, from, count, name)
    return
  end
  if not is_text(raw, "utf-8") then problem("text", made, from, count, "utf-8") end
  local text = as_utf8(unescaped(raw))
  local hidden = hidden_text(made, from, text, name)
  if made.in_info and wants_info then add_info(made, (made.secret or hidden == "***") and "***" or quoted(text)) end
  if not item then return end
  if hidden then add_hidden(item, made.masked, from, hidden)
  else item:add(made.field, tvb(from, count), (text:gsub("%z", "\\0"))) end
end

-- Whether a value has others inside whose names are secret, or credentials behind escapes.
local function has_secrets(own, text)
  if own.kind == "text" then
    local inner = text:sub(own.from + 1, own.behind - 2)
    return inner:find("\\", 1, true) and #secrets.credentials(unescaped(inner)) > 0
  end
  for index, each in ipairs(own.items) do
    local is_name = own.kind == "{" and index % 2 == 1
    if is_name and secrets.is_name(unescaped(text:sub(each.from + 1, each.behind - 2))) or has_secrets(each, text) then return true end
  end
  return false
end

local function read_member(made, text, start_of, key, own, since)
  local raw = text:sub(key.from + 1, key.behind - 2)
  if not is_text(raw, "utf-8") then problem("text", nil, start_of + key.from, #raw, "utf-8") end
  local name = unescaped(raw)
  local opening = own.kind == "text" and own.from or own.from - 1 -- up to the quote before a text
  add_layout(start_of + since, opening - since, "Member: " .. quoted(as_utf8(name), true))
  local each = made.known[name] or made.known[name:lower()]
  local from, count = start_of + own.from - 1, own.behind - own.from
  if each and own.kind == "null" then return end
  if has_secrets(own, text) then name = "secret" end
  if each then
    local number, wide_number
    if each.type == "integer" and own.kind == "integer" then
      number, wide_number = whole_number(text:sub(own.from, own.behind - 1))
    end
    local fits = each.type == "json" or each.type == "text" and own.kind == "text"
      or each.type == "boolean" and own.kind == "boolean" or number ~= nil
    if each.type == "tokens" and own.kind == "[" then
      fits = true
      for _, one in ipairs(own.items) do fits = fits and one.kind == "text" end
      if fits then
        for _, one in ipairs(own.items) do
          add_json_text(each, start_of + one.from, one.behind - one.from - 2, name)
        end
        return
      end
    end
    if fits then
      if each.type == "json" then add_text(each, from, count, name)
      elseif each.type == "text" then add_json_text(each, from + 1, count - 2, name)
      elseif each.type == "boolean" then
        local value = text:sub(own.from, own.behind - 1) == "true"
        if each.keep then keep(each, value) end
        if each.in_info and wants_info then add_info(each, value and "True" or "False") end
        if item then item:add(each.field, tvb(from, count), value) end
      else
        if each.keep then keep(each, number) end
        if each.in_info and wants_info then add_info(each, number_text(each, number)) end
        if item then item:add(each.field, tvb(from, count), wide_number) end
      end
      return
    end
    problem("value", each, from, count, quoted(name, true) .. " should be " .. WANTED[each.type])
  end
  add_text(made.pieces[2], from, count, name)
end

function read.json_line(made)
  local raw = tvb:raw(at, stop - at)
  secrets.held = not preferences.secrets -- escapes may hide what credentials have
  local line = raw:match("^([^\n]*)\n")
  if not line then
    problem("short", made, at, stop - at, stop - at + 1, stop - at)
    return HALT
  end
  local from, behind = at, at + #line + 1
  line = line:gsub("\r$", "")
  local size = #made.verb
  if line:sub(1, size):upper() ~= made.verb:upper() or not line:sub(size + 1, size + 1):match("^[ \t]?$") then
    problem("verb", made, from, #line, made.verb)
    return HALT
  end
  add_layout(from, size, "Verb: " .. line:sub(1, size))
  local text, start_of = line:sub(size + 1), from + size
  local whole, since = json_value(text, 1, 0), 0
  if not whole or whole.kind ~= "{" or text:find("[^ \t\r\n]", whole.behind) then
    problem("value", made, start_of, #text, "no JSON object")
  else
    for index = 1, #whole.items, 2 do
      local own = whole.items[index + 1]
      read_member(made, text, start_of, whole.items[index], own, since)
      since = own.kind == "text" and own.behind - 2 or own.behind - 1
    end
  end
  add_line_end(since > 0 and start_of + since or from + #line, behind)
  at = behind
end

end


-- The functions of the tables' language. Of nil, which is not known, they make nil or false ------------------

local f = {}

function f.choose(condition, yes, no) if condition then return yes end return no end

function f.one_of(value, list)
  for _, each in ipairs(list or {}) do if each == value then return true end end
  return false
end

-- Of numbers that Lua cannot hold, which are userdata, the greatest and the least are not known.
local function are_numbers(a, b) return type(a) == "number" and type(b) == "number" end

function f.max(a, b) return are_numbers(a, b) and math.max(a, b) or nil end

function f.min(a, b) return are_numbers(a, b) and math.min(a, b) or nil end

function f.min_nonzero(a, b)
  if not are_numbers(a, b) then return nil end
  local least = math.min(a, b)
  return least ~= 0 and least or math.max(a, b)
end

-- The first of some values that is known.
function f.first_known(...)
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    if value ~= nil then return value end
  end
end

function f.coalesce(a, b) if a == nil then return b end return a end

-- Items of a list, characters of text.
function f.len(value)
  if type(value) == "table" then return #value end
  if type(value) ~= "string" then return nil end
  return value:find("[\128-\191]") and #value:gsub("[\128-\191]", "") or #value
end

local SET = {} -- the metatable of sets: value to the running number of when it was put in
local puts = 0

-- Of bytes, which Lua does not tell from text.
function f.size_of(bytes) return type(bytes) == "string" and #bytes or nil end

-- Of a list, a set or text.
function f.first(of)
  if type(of) == "string" then return of ~= "" and of:sub(1, 1) or nil end
  if getmetatable(of) ~= SET then return of and of[1] end
  local found, least
  for value, nth in pairs(of) do
    if not least or nth < least then found, least = value, nth end
  end
  return found
end

function f.last(of)
  if type(of) == "string" then return of ~= "" and of:sub(-1) or nil end
  return of and of[#of]
end

local function extreme(of, list)
  local fine, found = pcall(of, unpack(list or {}))
  return fine and found or nil
end

function f.greatest(list) return extreme(math.max, list) end

function f.least(list) return extreme(math.min, list) end

function f.any_eq(list, value)
  for _, each in ipairs(list or {}) do if each == value then return true end end
  return false
end

function f.any_ne(list, value)
  for _, each in ipairs(value ~= nil and list or {}) do if each ~= value then return true end end
  return false
end

function f.any_above(list, value)
  for _, each in ipairs(value and list or {}) do if each > value then return true end end
  return false
end

function f.unordered(list)
  for index = 2, #(list or {}) do if list[index] <= list[index - 1] then return true end end
  return false
end

function f.strange(list, known, prefixes)
  for _, each in ipairs(list or {}) do
    local found = f.one_of(each, known)
    for _, prefix in ipairs(prefixes) do found = found or f.starts(each, prefix) end
    if not found then return each end
  end
  return nil
end

function f.beside(list, value, others)
  for place, each in ipairs(value ~= nil and list or {}) do
    if each ~= value then return others and others[place] end
  end
  return nil
end

do

local byte, sub = string.byte, string.sub

-- Most text differs in its first byte.
function f.starts(text, prefix)
  if text == nil or prefix == nil or byte(text) ~= byte(prefix) and prefix ~= "" then return false end
  return sub(text, 1, #prefix) == prefix
end

end

do

local beginnings_of = {} -- table of names to the beginnings by their first bytes, the longest first, with their names
local byte, sub = string.byte, string.sub

local function beginnings(names_of)
  local all = {}
  for text, name in pairs(names_of) do
    local prefix = text:gsub("([\194\195])([\128-\191])", function(a, b) return string.char(a:byte() % 4 * 64 + b:byte() % 64) end)
    local own = all[byte(prefix) or ""] or {}
    all[byte(prefix) or ""] = own
    own[#own + 1] = { prefix = prefix, name = name }
  end
  for _, own in pairs(all) do
    table.sort(own, function(one, other)
      return #one.prefix > #other.prefix or #one.prefix == #other.prefix and one.prefix < other.prefix
    end)
  end
  beginnings_of[names_of] = all
  return all
end

-- The name of the longest beginning of text or bytes; a character up to U+00FF of a beginning stands for a byte.
function f.begins(data_of_field, names_of)
  if type(data_of_field) ~= "string" or not names_of then return nil end
  local all = beginnings_of[names_of] or beginnings(names_of)
  for _, each in ipairs(all[byte(data_of_field) or ""] or {}) do
    if sub(data_of_field, 1, #each.prefix) == each.prefix then return each.name end
  end
  return all[""] and all[""][1].name
end

end

-- What stands between two marks, the first time.
function f.between(data_of_field, before, behind)
  if type(data_of_field) ~= "string" then return nil end
  local _, mark_end = data_of_field:find(before, 1, true)
  local upto = mark_end and (behind == "" and #data_of_field + 1 or data_of_field:find(behind, mark_end + 1, true))
  return upto and data_of_field:sub(mark_end + 1, upto - 1)
end

-- The tokens of a subject or pattern of NATS; conditions ask for those of the same ones again and again.
local subject_tokens

do

local known, count = {}, 0
local MOST_KNOWN = 512

function subject_tokens(subject)
  local tokens = known[subject]
  if tokens then return tokens end
  if count >= MOST_KNOWN then known, count = {}, 0 end
  tokens, count = {}, count + 1
  for token in (subject .. "."):gmatch("([^.]*)%.") do tokens[#tokens + 1] = token end
  known[subject] = tokens
  return tokens
end

end

-- A token of a subject of NATS, the first being 0.
function f.token(subject, place_of_token) return subject and place_of_token and subject_tokens(subject)[place_of_token + 1] end

-- Whether a message may be published to a subject of NATS.
function f.literal(subject)
  if not subject then return false end
  for _, token in ipairs(subject_tokens(subject)) do
    if token == "" or token == "*" or token == ">" then return false end
  end
  return true
end

-- A subject of NATS without its last token.
function f.stem(subject) return subject and (subject:match("^(.*)%.") or "") end

-- The name of a program without the numbers and random parts of its instances.
function f.program(name)
  if not name then return nil end
  local bare = name
  while true do
    local before, last = bare:match("^(.*)[-_.#/ ]([^-_.#/ ]*)$")
    if not before or not last:find("%d") then break end
    bare = before
  end
  if bare == name then bare = name:gsub("%d+$", "") end
  return bare == "" and name or bare
end

-- What stands for bytes in a key: short ones for themselves, of others their number, and what two primes leave of them.
local MOST_AS_KEY = 256
local digested, digest -- the last ones

function f.digest(bytes)
  if type(bytes) ~= "string" then return nil end
  if #bytes <= MOST_AS_KEY then return bytes end
  if bytes == digested then return digest end
  local one, two, read_four, padded = 0, 0, string.byte, bytes .. "\0\0\0"
  for place = 1, #bytes, 4 do
    local a, b, c, d = read_four(padded, place, place + 3)
    local four = ((a * 256 + b) * 256 + c) * 256 + d
    one, two = (one * 257 + four) % 34359738337, (two * 65599 + four) % 34359738319
  end
  digested, digest = bytes, string.format("%d %.0f %.0f", #bytes, one, two)
  return digest
end

function f.item(map, key)
  for _, each in ipairs(map or {}) do
    if each.key == key then
      if type(each.value) == "userdata" then return nil end -- a number that Lua cannot hold
      return each.value
    end
  end
end

function f.lookup(value, steps)
  local best
  for from in pairs(value and steps or {}) do
    if from <= value and (not best or from > best) then best = from end
  end
  return best and steps[best]
end

function f.number(text)
  return type(text) == "string" and text:match("^%d+$") and #text <= 15 and tonumber(text) or nil
end

function f.release(text)
  if type(text) ~= "string" then return nil end
  local major, minor, patch = text:match("^(%d+)%.(%d+)%.?(%d*)")
  return major and tonumber(major) * 1000000 + tonumber(minor) * 1000 + (tonumber(patch) or 0)
end

-- Whether bytes are UTF-8 with a character beyond ASCII; the last one may be cut off.
function f.multibyte(bytes)
  if type(bytes) ~= "string" then return false end
  local whole, rest = bytes, bytes:match("[\194-\244][\128-\191]*$") or ""
  local lead = rest:byte() or 0
  if #rest < (lead >= 0xF0 and 4 or lead >= 0xE0 and 3 or 2) then whole = bytes:sub(1, #bytes - #rest) end
  return whole:find("[\128-\255]") ~= nil and is_utf8(whole)
end

-- Whether the top bit of a byte is set, the first being 0.
function f.high_bit(bytes, place)
  local byte = bytes and place and bytes:byte(place + 1)
  return byte ~= nil and byte > 127
end

function f.plain_user(bytes) return bytes and bytes:match("^[^%z]*%z([^%z]*)%z[^%z]*$") end

function f.non_ascii(value)
  if type(value) == "table" then
    for _, each in pairs(value) do if f.non_ascii(each) then return true end end
    return false
  end
  return type(value) == "string" and value:find("[\128-\255]") ~= nil
end

-- Whether the tokens of a subject are those of a pattern.
local function fits_pattern(tokens, wanted)
  local count = #wanted
  for index = 1, count do
    local each = wanted[index]
    if each == ">" then return #tokens >= index end
    if each ~= "*" and each ~= tokens[index] then return false end
  end
  return #tokens == count
end

function f.matching(subject, pattern)
  if subject == nil and OPENING then return nil end -- the frame around may be of a dissector that is not ours
  if not subject or not pattern then return false end
  return fits_pattern(subject_tokens(subject), subject_tokens(pattern))
end

-- The name of the pattern that a subject of NATS matches: of several, the one with most tokens that are no wildcards.

do

local patterns_of = {} -- table of names to its patterns, best first, with the names of the subjects that came last
local MOST_SUBJECTS = 512

local function specific(tokens)
  local count = 0
  for _, token in ipairs(tokens) do
    if token ~= "*" and token ~= ">" then count = count + 1 end
  end
  return count
end

local function patterns(names_of)
  local all = { named = {}, count = 0, fitting = {} }
  for pattern, name in pairs(names_of) do
    local tokens = subject_tokens(pattern)
    all[#all + 1] = { pattern = pattern, tokens = tokens, name = name, specific = specific(tokens) }
  end
  table.sort(all, function(one, other)
    if one.specific ~= other.specific then return one.specific > other.specific end
    return one.pattern < other.pattern
  end)
  patterns_of[names_of] = all
  return all
end

-- The patterns that a subject with so many tokens may match, best first.
local function fitting(all, count)
  local found = all.fitting[count]
  if not found then
    found = {}
    for _, each in ipairs(all) do
      local is_open = each.tokens[#each.tokens] == ">" and #each.tokens <= count
      if is_open or #each.tokens == count then found[#found + 1] = each end
    end
    all.fitting[count] = found
  end
  return found
end

local function name_of(all, subject)
  local tokens = subject_tokens(subject)
  local some = fitting(all, #tokens)
  for index = 1, #some do
    if fits_pattern(tokens, some[index].tokens) then return some[index].name end
  end
  return false
end

function f.called(subject, names_of)
  if not subject or not names_of then return nil end
  local all = patterns_of[names_of] or patterns(names_of)
  local found = all.named[subject]
  if found == nil then
    if all.count >= MOST_SUBJECTS then all.named, all.count = {}, 0 end
    found = name_of(all, subject)
    all.named[subject], all.count = found, all.count + 1
  end
  return found or nil
end

end

-- Several values as one, as a member of a set or what a rule counts by: each with its length before it, since Lua compares tables by identity.
function f.member(...)
  local parts = {}
  for nth = 1, select("#", ...) do
    local each = select(nth, ...)
    local is_whole = type(each) ~= "number" or each == math.floor(each)
    local text = is_whole and digits(each) or ("%.17g"):format(each)
    parts[nth] = each == nil and "-" or (type(each) == "string" and "" or "#") .. #text .. ":" .. text
  end
  return table.concat(parts)
end

-- Sets of an object.
function f.has(set, value) return set ~= nil and value ~= nil and set[value] ~= nil end

function f.put(set, value)
  set = set or setmetatable({}, SET)
  if value ~= nil and not set[value] then
    puts = puts + 1
    set[value] = puts
  end
  return set
end

function f.drop(set, value)
  if set and value ~= nil then set[value] = nil end
  return set
end

-- Of outstanding ids their number, unknown where ids were missed; of a set its values.
function f.count(of)
  if of and of.runs and getmetatable(of) ~= SET then return of.whole and of.count or nil end
  local count = of and 0
  for _ in pairs(of or {}) do count = count + 1 end
  return count
end

do -- words of messages
local MINUTE = 60e9 -- in nanoseconds
local UNITS = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } }
local SIZES = { { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" } }

-- Three digits at most, and what these round up to the next unit in that one: `3.14 ms`, `1 min 15 s`.
function f.time(ns)
  if not ns then return nil end
  if ns < 0 then return "-" .. f.time(-ns) end
  if ns >= MINUTE then
    local seconds = math.floor(ns / 1e9 + 0.5)
    local minutes = math.floor(seconds / 60)
    local hours = math.floor(minutes / 60)
    if hours > 0 then return digits(hours) .. " h " .. digits(minutes % 60) .. " min" end
    return digits(minutes) .. " min " .. digits(seconds % 60) .. " s"
  end
  for _, unit in ipairs(UNITS) do
    if ns >= 0.9995 * unit[1] then return ("%.3g %s"):format(ns / unit[1], unit[2]) end
  end
  return "0 s"
end

-- Three digits, of whole bytes all, of a power of two the binary unit: `999 B`, `83.2 kB`, `1 MiB`.
function f.size(bytes)
  local rest = bytes and bytes >= 1024 and bytes or 3
  while rest % 2 == 0 do rest = math.floor(rest / 2) end
  if rest == 1 then return info_line.binary_size(digits(bytes)) end
  for _, unit in ipairs(SIZES) do
    local number = bytes and bytes / unit[1] or 0
    if number >= 0.9995 then
      return ("%%.%df %s"):format(number < 9.995 and 2 or number < 99.95 and 1 or 0, unit[2]):format(number)
    end
  end
  return bytes and digits(bytes) .. " B"
end

-- A number with its noun: `2,000 frames`.
function f.counted(number, one, many)
  if not number then return nil end
  local text, more = digits(number), 1
  while more > 0 do text, more = text:gsub("^(%-?%d+)(%d%d%d)", "%1,%2") end
  return text .. " " .. (number == 1 and one or many)
end

function f.named(value, known) return value and digits(value) .. (known[value] and " (" .. known[value] .. ")" or "") end

-- A value that is a sentence of this plugin, and is not shortened in another.
function f.whole(text) return text and { whole = text } end

-- A sentence with its values, without the colon before an empty one at its end; frame numbers are rounded down to
-- packets.
function f.say(text, ...)
  local values = { ... }
  for index = 1, select("#", ...) do
    local value = values[index]
    if value == nil then values[index] = "unknown"
    elseif type(value) == "number" then values[index] = digits(math.floor(value))
    elseif type(value) == "boolean" or type(value) == "userdata" then values[index] = tostring(value)
    elseif type(value) == "table" and value.whole then values[index] = quoted(value.whole, true, true)
    elseif type(value) == "table" then
      local parts = {}
      for nth, each in ipairs(value) do
        if nth <= 8 then parts[nth] = type(each) == "string" and quoted(each, true) or digits(each) end
      end
      values[index] = table.concat(parts, ", ") .. (#value > 8 and ", ..." or "")
    else values[index] = quoted(value, true) end
  end
  return (string.format(text, unpack(values, 1, select("#", ...))):gsub(": $", ""))
end

end

-- The tables of NATS -----------------------------------------------------------------------------------------

local names = {
  gateway_cmd = { [1] = "gossip", [2] = "all_subscriptions_start", [3] = "all_subscriptions_complete" },
  status = {
    [100] = "control",
    [204] = "end_of_batch",
    [400] = "bad_request",
    [404] = "no_messages",
    [408] = "request_timeout",
    [409] = "conflict",
    [412] = "api_level_required",
    [413] = "too_many_results",
    [423] = "pin_id_mismatch",
    [429] = "too_many_requests",
    [500] = "server_error",
    [503] = "no_responders",
  },
}

local FOREIGN = {
  ["GET /"] = "HTTP",
  ["POST /"] = "HTTP",
  ["HEAD /"] = "HTTP",
  ["HTTP/1."] = "HTTP",
  ["PRI * HTTP/2"] = "HTTP/2",
  ["\016\000\000\000"] = "MQTT",
  ["AMQP\000"] = "AMQP",
}

local FRAGMENTS = nil

local RESUMPTION = nil

local STREAM_TYPES = nil

local UPGRADES = {
  ["\022\003"] = "TLS, as the server's INFO asks for",
  ["\255\006\000\000S2sTwO"] = "a stream compressed by S2, which is not unpacked",
}
local BETWEEN_SERVERS = { gateway = true, leaf = true, pinned_route = true, route = true, ["route_2.9"] = true }
local SWITCHING = {
  a_minus = true,
  a_plus = true,
  connect = true,
  info = true,
  lmsg = true,
  ls_minus = true,
  ls_plus = true,
  rmsg = true,
  rs_minus = true,
  rs_plus = true,
}
local switch_dialect = (function()
  -- The dialect of a connection from a line on, when it was `dialect` until then: as `connection_kind.py` has it.
  -- Arguments without an account: fewer than any other link has.
  local PINNED = { ["RS+"] = "^%S+$", ["RS-"] = "^%S+$", RMSG = "^%S+[ \t]+%S+$" }

  -- What a member of the object says: a text, "true", a number; nil where it is not there or empty.
  local function member(line, name)
    local value = line:match('"' .. name .. '"%s*:%s*"([^"]*)"') or line:match('"' .. name .. '"%s*:%s*([%w%[{]+)')
    if value == "" or value == "false" or value == "null" or value == "0" then return nil end
    return value
  end

  local function by_info(dialect, line)
    local command = member(line, "gateway_cmd")
    if member(line, "gateway") and command ~= "1" then return "gateway" end
    if member(line, "route_account") and not member(line, "route_acc_add_reqid") then return "pinned_route" end
    if member(line, "lnoc") and dialect ~= "pinned_route" and dialect ~= "route_2.9" then
      return member(line, "lnocu") and "route" or "route_2.9"
    end
    if dialect ~= "" then return dialect end
    if command == "1" then return "route" end
    if member(line, "leafnode_urls") and not member(line, "client_ip") and not member(line, "lnoc") then return "leaf" end
    return dialect
  end

  local function by_connect(dialect, line)
    if member(line, "gateway") then return "gateway" end
    if dialect ~= "" or member(line, "lang") then return dialect end
    if line:find('"lnoc"%s*:') then return "route" end
    local cluster = line:find('"cluster"%s*:')
    if cluster and line:find('"echo"%s*:') then return "route_2.9" end
    for _, name in ipairs({ "compress_mode", "is_hub", "server_id", "remote_account" }) do
      cluster = cluster or line:find('"' .. name .. '"%s*:')
    end
    return cluster and "leaf" or dialect
  end

  return function(dialect, line)
    local verb, rest = line:match("^(%S+)[ \t]*(.-)%s*$")
    verb = (verb or ""):upper()
    if verb == "INFO" then return by_info(dialect, line) end
    if verb == "CONNECT" then return by_connect(dialect, line) end
    if (dialect == "" or dialect == "leaf" or dialect == "route") and PINNED[verb] then
      return rest:find(PINNED[verb]) and "pinned_route" or "route"
    end
    if dialect ~= "" then return dialect end
    if verb == "LS-" and rest:find("^%S+[ \t]+%S+[ \t]+%S") then return "route" end
    if verb == "LMSG" or verb:find("^LS[+-]$") then return "leaf" end
    if verb:find("^A[+-]$") then return "gateway" end
    return dialect
  end
end)()

local RUN = nil

local heads = {
  [""] = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
  route = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
  ["route_2.9"] = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
  pinned_route = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
  gateway = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
  leaf = {
    least = 1,
    most = 67174400,
    size = 1,
    lines = true,
    measure = line_measure({
      INFO = "info",
      CONNECT = "connect",
      PUB = "pub",
      HPUB = "hpub",
      SUB = "sub",
      UNSUB = "unsub",
      MSG = "msg",
      HMSG = "hmsg",
      PING = "ping",
      PONG = "pong",
      ["+OK"] = "ok",
      ["-ERR"] = "err",
      ["RS+"] = "rs_plus",
      ["RS-"] = "rs_minus",
      RMSG = "rmsg",
      ["LS+"] = "ls_plus",
      ["LS-"] = "ls_minus",
      LMSG = "lmsg",
      ["A+"] = "a_plus",
      ["A-"] = "a_minus",
    }, { HMSG = true, HPUB = true, LMSG = true, MSG = true, PUB = true, RMSG = true }, 65536),
  },
}

local embedded_records = {}

local calls = {} -- messages inside calls

local frames = {}

-- Says what a server is and what it asks for. docs.nats.io, Client Protocol, INFO.
frames[#frames + 1] = {
  name = "info",
  command = "info",
  kind = "command",
  sender = "server",
  key = "info",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "server_name" } } },
    { texts = { "", "" }, holes = { { path = "version" } } },
    { texts = { "max_payload=", "" }, holes = { { path = "max_payload", form = "size" } } },
    { texts = { "", "" }, holes = { { path = "headers", yes = "headers", no = "" } } },
    { texts = { "", "" }, holes = { { path = "tls_required", yes = "tls", no = "" } } },
    { texts = { "", "" }, holes = { { path = "auth_required", yes = "auth", no = "" } } },
    { texts = { "", "" }, holes = { { path = "jetstream", yes = "jetstream", no = "" } } },
    { texts = { "cluster=", "" }, holes = { { path = "cluster" } } },
    { texts = { "", "" }, holes = { { path = "ldm", yes = "lame_duck", no = "" } } },
    { texts = { "account=", "" }, holes = { { path = "route_account" } } },
    { texts = { "gateway=", "" }, holes = { { path = "gateway" } } },
    { texts = { "command=", "" }, holes = { { path = "gateway_cmd" } } },
  },
  brief = 12,
  proves = "server",
  agrees = {
    { name = "max_payload", path = "max_payload" },
    { name = "server_version", path = "version" },
  },
  opens = true,
  watched = { "liftbridge" },
  awaited = 6,
  steps = function()
    return {
      word.json_line("INFO", {
        word.argument(
          "text",
          "server_id",
          "Id of the server, made anew at each start.",
          { optional = true }
        ),
        word.argument(
          "text",
          "server_name",
          "Name of the server.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "version",
          "Version of the server; empty in what gateways gossip.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "integer",
          "proto",
          "Version of the protocol: 1 of clients knows later INFOs.",
          { optional = true }
        ),
        word.argument("text", "git_commit", "Commit that the server was built from.", { optional = true }),
        word.argument("text", "go", "Version of Go that it was built with.", { optional = true }),
        word.argument("text", "host", "Address that it listens on.", { optional = true }),
        word.argument("integer", "port", "Port that it listens on.", { optional = true }),
        word.argument(
          "boolean",
          "headers",
          "Whether it knows HPUB and HMSG.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "auth_required",
          "Whether clients must say who they are.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "tls_required",
          "Whether TLS begins after this line.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument("boolean", "tls_verify", "Whether clients need a certificate.", { optional = true }),
        word.argument(
          "boolean",
          "tls_available",
          "Whether TLS may begin after this line.",
          { optional = true }
        ),
        word.argument(
          "integer",
          "max_payload",
          "Most bytes of headers and payload of a message.",
          { unit = "bytes", keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "jetstream",
          "Whether the server has JetStream.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "ip",
          "Address of the connection's other end, for gossip between servers.",
          { optional = true }
        ),
        word.argument(
          "integer",
          "client_id",
          "Number of this connection at the server.",
          { optional = true }
        ),
        word.argument(
          "text",
          "client_ip",
          "Address of the client as the server sees it.",
          { optional = true }
        ),
        word.argument(
          "text",
          "nonce",
          "What a client with an nkey is to sign.",
          { keep = "followed", awaited = true, optional = true }
        ),
        word.argument(
          "text",
          "cluster",
          "Name of the server's cluster.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "cluster_dynamic",
          "Whether the cluster's name was made up.",
          { optional = true }
        ),
        word.argument("text", "domain", "JetStream domain of the server.", { optional = true }),
        word.argument(
          "tokens",
          "connect_urls",
          "Other servers of the cluster, for clients.",
          { optional = true }
        ),
        word.argument(
          "tokens",
          "ws_connect_urls",
          "The same for clients in WebSocket.",
          { optional = true }
        ),
        word.argument(
          "boolean",
          "ldm",
          "Lame duck mode: the server is about to stop, clients are to leave.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "compression",
          "Compression of the link that it is ready for: off, accept, s2_auto, ...",
          { optional = true }
        ),
        word.argument("boolean", "connect_info", "Whether this answers CONNECT.", { optional = true }),
        word.argument(
          "text",
          "remote_account",
          "Account that the other side is bound to.",
          { optional = true }
        ),
        word.argument("boolean", "acc_is_sys", "Whether that is the system account.", { optional = true }),
        word.argument("integer", "api_lvl", "Level of the JetStream API.", { optional = true }),
        word.argument("json", "import", "Subjects that a peer may send.", { optional = true }),
        word.argument("json", "export", "Subjects that a peer may get.", { optional = true }),
        word.argument(
          "boolean",
          "lnoc",
          "Whether it knows the origin cluster of leaf nodes.",
          { optional = true }
        ),
        word.argument("boolean", "lnocu", "Whether its LS- has the origin cluster.", { optional = true }),
        word.argument(
          "boolean",
          "ln",
          "Whether LS+ and LS- name leaf nodes without a cluster too.",
          { optional = true }
        ),
        word.argument(
          "boolean",
          "info_on_connect",
          "Whether it answers CONNECT with another INFO.",
          { optional = true }
        ),
        word.argument(
          "integer",
          "route_pool_size",
          "Routes that the server keeps to each other one.",
          { optional = true }
        ),
        word.argument(
          "integer",
          "route_pool_idx",
          "Place of this route among them; absent for the first.",
          { optional = true }
        ),
        word.argument(
          "text",
          "route_account",
          "The one account of this route, which verbs do not repeat.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "route_acc_add_reqid",
          "Asks for a route of this account.",
          { optional = true }
        ),
        word.argument(
          "integer",
          "gossip_mode",
          "Address under which the server is announced to others.",
          { optional = true }
        ),
        word.argument(
          "text",
          "gateway",
          "Name of the gateway's cluster.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument("tokens", "gateway_urls", "Gateways of that cluster.", { optional = true }),
        word.argument("text", "gateway_url", "Gateway of this server.", { optional = true }),
        word.argument(
          "integer",
          "gateway_cmd",
          "What is to be done.",
          { names = names.gateway_cmd, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "gateway_cmd_payload",
          "Account that it is about, in base64.",
          { optional = true }
        ),
        word.argument(
          "boolean",
          "gateway_nrp",
          "Whether it knows the newer prefix of mapped replies.",
          { optional = true }
        ),
        word.argument(
          "boolean",
          "gateway_iom",
          "Whether it goes to interest-only mode for all accounts.",
          { optional = true }
        ),
        word.argument("tokens", "leafnode_urls", "Where leaf nodes may link to.", { optional = true }),
        word.argument("text", "xkey", "Public key for encryption to the server.", { optional = true }),
      }, {
        word.argument("text", "key", "Name of the member.", { optional = true }),
        word.argument("text", "value", "Its value, as JSON writes it.", { optional = true }),
      }),
    }
  end,
}

-- Says who connects, and what it wants. docs.nats.io, Client Protocol, CONNECT.
frames[#frames + 1] = {
  name = "connect",
  command = "connect",
  kind = "command",
  sender = "client",
  key = "connect",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "name=", "" }, holes = { { path = "name" } } },
    { texts = { "user=", "" }, holes = { { path = "user" } } },
    { texts = { "", "" }, holes = { { path = "lang" } } },
    { texts = { "", "" }, holes = { { path = "version" } } },
    { texts = { "", "" }, holes = { { path = "verbose", yes = "verbose", no = "" } } },
    { texts = { "", "" }, holes = { { path = "headers", yes = "headers", no = "" } } },
    { texts = { "cluster=", "" }, holes = { { path = "cluster" } } },
    { texts = { "gateway=", "" }, holes = { { path = "gateway" } } },
  },
  brief = 8,
  proves = "client",
  agrees = { { name = "verbose", path = "verbose" }, { name = "headers", path = "headers" } },
  opens = true,
  watched = { "liftbridge" },
  awaited = 13,
  steps = function()
    return {
      word.json_line("CONNECT", {
        word.argument(
          "boolean",
          "verbose",
          "Whether each line is answered by +OK; absent means yes.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "pedantic",
          "Whether subjects are checked strictly; absent means yes.",
          { optional = true }
        ),
        word.argument("boolean", "tls_required", "Whether the client insists on TLS.", { optional = true }),
        word.argument(
          "text",
          "nkey",
          "Public nkey of the user.",
          { secret = true, keep = "followed", awaited = true, optional = true }
        ),
        word.argument(
          "text",
          "jwt",
          "Token that says what the user may.",
          { secret = true, keep = "followed", awaited = true, optional = true }
        ),
        word.argument(
          "text",
          "sig",
          "The signed nonce of INFO.",
          { secret = true, keep = "followed", awaited = true, optional = true }
        ),
        word.argument(
          "text",
          "auth_token",
          "Token in place of user and password.",
          { secret = true, keep = "followed", awaited = true, optional = true }
        ),
        word.argument(
          "text",
          "user",
          "Name of the user.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument("text", "pass", "Password.", { secret = true, optional = true }),
        word.argument(
          "text",
          "name",
          "Name of the client; of a server its id.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "lang",
          "Language of the client library.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "version",
          "Version of the client library; of a server its own.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument("integer", "protocol", "1: the client takes INFO at any time.", { optional = true }),
        word.argument(
          "boolean",
          "echo",
          "Whether the client gets what it publishes itself; absent means yes.",
          { keep = "followed", awaited = true, optional = true }
        ),
        word.argument("text", "account", "Account to be bound to.", { optional = true }),
        word.argument("boolean", "new_account", "Whether that account must be new.", { optional = true }),
        word.argument(
          "boolean",
          "headers",
          "Whether the client knows HPUB and HMSG.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "no_responders",
          "Whether the client wants no-responders messages; needs headers.",
          { keep = "followed", awaited = true, optional = true }
        ),
        word.argument("json", "import", "Subjects that a peer may send.", { optional = true }),
        word.argument("json", "export", "Subjects that a peer may get.", { optional = true }),
        word.argument("text", "remote_account", "Account at the other end.", { optional = true }),
        word.argument("text", "proxy_sig", "Nonce signed by a proxy.", { secret = true, optional = true }),
        word.argument("text", "server_id", "Id of a leaf node's server.", { optional = true }),
        word.argument("text", "domain", "JetStream domain of a leaf node.", { optional = true }),
        word.argument(
          "boolean",
          "is_hub",
          "Whether a leaf node takes the part of the hub.",
          { optional = true }
        ),
        word.argument(
          "text",
          "cluster",
          "Cluster of the server that connects.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "boolean",
          "cluster_dynamic",
          "Whether the cluster's name was made up.",
          { optional = true }
        ),
        word.argument(
          "boolean",
          "lnoc",
          "Whether it knows the origin cluster of leaf nodes.",
          { optional = true }
        ),
        word.argument("boolean", "lnocu", "Whether its LS- has the origin cluster.", { optional = true }),
        word.argument(
          "boolean",
          "ln",
          "Whether LS+ and LS- name leaf nodes without a cluster too.",
          { optional = true }
        ),
        word.argument("boolean", "jetstream", "Whether a leaf node has JetStream.", { optional = true }),
        word.argument("tokens", "deny_pub", "Subjects that a leaf node must not get.", { optional = true }),
        word.argument(
          "boolean",
          "isolate",
          "Whether a leaf node wants nothing of other leaf nodes.",
          { optional = true }
        ),
        word.argument("text", "compress_mode", "Compression that a leaf node wants.", { optional = true }),
        word.argument(
          "text",
          "gateway",
          "Cluster of the gateway that connects; empty on routes.",
          { keep = true, in_info = true, optional = true }
        ),
      }, {
        word.argument("text", "key", "Name of the member.", { optional = true, secret = true }),
        word.argument("text", "value", "Its value, as JSON writes it.", { optional = true, secret = true }),
      }),
    }
  end,
}

-- Publishes a message. docs.nats.io, Client Protocol, PUB.
frames[#frames + 1] = {
  name = "pub",
  command = "pub",
  kind = "command",
  sender = "client",
  key = "pub",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 3,
  proves = "client",
  stream = "subject",
  bodies = true,
  awaited = 3,
  steps = function()
    return {
      word.line("PUB", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, awaited = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument("number", "size", "Bytes of the payload.", { unit = "bytes", keep = true }),
      }),
      word.bytes(function(v) return v.size end, "payload", "What is sent; any bytes.", {
        keep = true,
        awaited = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Publishes a message with headers. docs.nats.io, Client Protocol, HPUB.
frames[#frames + 1] = {
  name = "hpub",
  command = "hpub",
  kind = "command",
  sender = "client",
  key = "hpub",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "status=", "" }, holes = { { path = "status" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  proves = "client",
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HPUB", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument("text", "description", "Text after the status.", { optional = true }),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Subscribes to a subject. docs.nats.io, Client Protocol, SUB.
frames[#frames + 1] = {
  name = "sub",
  command = "sub",
  kind = "command",
  sender = "client",
  key = "sub",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "sid=", "" }, holes = { { path = "sid" } } },
  },
  brief = 3,
  proves = "client",
  watched = { "liftbridge" },
  awaited = 3,
  steps = function()
    return {
      word.line("SUB", {
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, awaited = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "sid",
          "Id of the subscription, chosen by the client.",
          { spans = { "sid" }, keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Ends a subscription. docs.nats.io, Client Protocol, UNSUB.
frames[#frames + 1] = {
  name = "unsub",
  command = "unsub",
  kind = "command",
  sender = "client",
  key = "unsub",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "sid=", "" }, holes = { { path = "sid" } } },
    { texts = { "max=", "" }, holes = { { path = "max_msgs" } } },
  },
  brief = 2,
  proves = "client",
  watched = { "liftbridge" },
  awaited = 2,
  steps = function()
    return {
      word.line("UNSUB", {
        word.argument(
          "text",
          "sid",
          "Id of the subscription, chosen by the client.",
          { spans = { "sid" }, keep = true, awaited = true, in_info = true }
        ),
        word.argument(
          "number",
          "max_msgs",
          "Messages since SUB after which it ends; absent: at once.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Delivers a message to a subscription. docs.nats.io, Client Protocol, MSG.
frames[#frames + 1] = {
  name = "msg",
  command = "msg",
  kind = "command",
  sender = "server",
  key = "msg",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "sid=", "" }, holes = { { path = "sid" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 4,
  proves = "server",
  stream = "subject",
  bodies = true,
  awaited = 4,
  steps = function()
    return {
      word.line("MSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, awaited = true, in_info = true }
        ),
        word.argument(
          "text",
          "sid",
          "Id of the subscription, chosen by the client.",
          { spans = { "sid" }, keep = true, awaited = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, awaited = true, in_info = true, optional = true }
        ),
        word.argument("number", "size", "Bytes of the payload.", { unit = "bytes", keep = true }),
      }),
      word.bytes(function(v) return v.size end, "payload", "What is sent; any bytes.", {
        keep = true,
        awaited = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Delivers a message with headers. docs.nats.io, Client Protocol, HMSG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "server",
  key = "hmsg",
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "sid=", "" }, holes = { { path = "sid" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  proves = "server",
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "sid",
          "Id of the subscription, chosen by the client.",
          { spans = { "sid" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Asks whether the other side is there. docs.nats.io, Client Protocol, PING/PONG.
frames[#frames + 1] = {
  name = "ping",
  command = "ping",
  kind = "request",
  sender = "both",
  key = "ping",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "ignored=", "" }, holes = { { path = "ignored" } } } },
  brief = 1,
  awaited = 0,
  steps = function()
    return {
      word.line("PING", {
        word.argument(
          "rest",
          "ignored",
          "Read over by all peers.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Answers PING. docs.nats.io, Client Protocol, PING/PONG.
frames[#frames + 1] = {
  name = "pong",
  command = "pong",
  kind = "response",
  sender = "both",
  key = "pong",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "ignored=", "" }, holes = { { path = "ignored" } } } },
  brief = 1,
  awaited = 0,
  steps = function()
    return {
      word.line("PONG", {
        word.argument(
          "rest",
          "ignored",
          "Read over by all peers.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Acknowledges a line, in verbose mode. docs.nats.io, Client Protocol, +OK/ERR.
frames[#frames + 1] = {
  name = "ok",
  command = "ok",
  kind = "response",
  sender = "server",
  key = "ok",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "ignored=", "" }, holes = { { path = "ignored" } } } },
  brief = 1,
  proves = "server",
  awaited = 0,
  steps = function()
    return {
      word.line("+OK", {
        word.argument(
          "rest",
          "ignored",
          "Read over by all peers.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Says what is wrong. docs.nats.io, Client Protocol, +OK/ERR.
frames[#frames + 1] = {
  name = "err",
  command = "err",
  kind = "command",
  sender = "server",
  key = "err",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "message" } } } },
  brief = 1,
  proves = "server",
  holds = { "failed" },
  awaited = 1,
  steps = function()
    return {
      word.line("-ERR", {
        word.argument(
          "quoted",
          "message",
          "What is wrong, without its quotes.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Informs a peer of interest in a subject. nats-server v2.12.2, server/route.go, processRemoteSub.
frames[#frames + 1] = {
  name = "rs_plus",
  command = "rs_plus",
  kind = "command",
  sender = "peer",
  key = "rs_plus",
  responses = { false },
  dialects = { "", "route", "route_2.9", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 4,
  awaited = 0,
  steps = function()
    return {
      word.line("RS+", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest in a subject has ended. nats-server v2.12.2, server/route.go, processRemoteUnsub.
frames[#frames + 1] = {
  name = "rs_minus",
  command = "rs_minus",
  kind = "command",
  sender = "peer",
  key = "rs_minus",
  responses = { false },
  dialects = { "", "route", "route_2.9", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 3,
  awaited = 0,
  steps = function()
    return {
      word.line("RS-", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message to a peer. nats-server v2.12.2, server/route.go, processRoutedMsgArgs.
frames[#frames + 1] = {
  name = "rmsg",
  command = "rmsg",
  kind = "command",
  sender = "peer",
  key = "rmsg",
  responses = { false },
  dialects = { "", "route", "route_2.9", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("RMSG", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument("number", "size", "Bytes of the payload.", { unit = "bytes", keep = true }),
      }),
      word.bytes(function(v) return v.size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a peer of interest behind a leaf node. nats-server v2.12.2, server/leafnode.go, processLeafSub.
frames[#frames + 1] = {
  name = "ls_plus",
  command = "ls_plus",
  kind = "command",
  sender = "peer",
  key = "ls_plus",
  responses = { false },
  dialects = { "", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
  },
  brief = 3,
  awaited = 0,
  steps = function()
    return {
      word.line("LS+", {
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest behind a leaf node has ended. nats-server v2.12.2, server/leafnode.go, processLeafUnsub.
frames[#frames + 1] = {
  name = "ls_minus",
  command = "ls_minus",
  kind = "command",
  sender = "peer",
  key = "ls_minus",
  responses = { false },
  dialects = { "", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
  },
  brief = 2,
  awaited = 0,
  steps = function()
    return {
      word.line("LS-", {
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message of a leaf node to a peer. nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs.
frames[#frames + 1] = {
  name = "lmsg",
  command = "lmsg",
  kind = "command",
  sender = "peer",
  key = "lmsg",
  responses = { false },
  dialects = { "", "gateway", "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("LMSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument("number", "size", "Bytes of the payload.", { unit = "bytes", keep = true }),
      }),
      word.bytes(function(v) return v.size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a gateway that a cluster has interest in an account again. nats-server v2.12.2, server/gateway.go, processGatewayAccountSub.
frames[#frames + 1] = {
  name = "a_plus",
  command = "a_plus",
  kind = "command",
  sender = "peer",
  key = "a_plus",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "", "" }, holes = { { path = "account" } } } },
  brief = 1,
  awaited = 0,
  steps = function()
    return {
      word.line("A+", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Informs a gateway that a cluster has no interest in an account. nats-server v2.12.2, server/gateway.go, processGatewayAccountUnsub.
frames[#frames + 1] = {
  name = "a_minus",
  command = "a_minus",
  kind = "command",
  sender = "peer",
  key = "a_minus",
  responses = { false },
  dialects = { "", "route", "route_2.9", "pinned_route", "gateway", "leaf" },
  shows = { { texts = { "", "" }, holes = { { path = "account" } } } },
  brief = 1,
  awaited = 0,
  steps = function()
    return {
      word.line("A-", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Hands a message with headers to a peer. nats-server v2.12.2, server/parser.go, HMSG_ARG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "peer",
  key = "hmsg",
  responses = { false },
  dialects = { "route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a peer of interest behind a leaf node. nats-server v2.12.2, server/leafnode.go, processLeafSub.
frames[#frames + 1] = {
  name = "ls_plus",
  command = "ls_plus",
  kind = "command",
  sender = "peer",
  key = "ls_plus",
  responses = { false },
  dialects = { "route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 5,
  awaited = 0,
  steps = function()
    return {
      word.line("LS+", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest behind a leaf node has ended. nats-server v2.12.2, server/leafnode.go, processLeafUnsub.
frames[#frames + 1] = {
  name = "ls_minus",
  command = "ls_minus",
  kind = "command",
  sender = "peer",
  key = "ls_minus",
  responses = { false },
  dialects = { "route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 4,
  awaited = 0,
  steps = function()
    return {
      word.line("LS-", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message of a leaf node to a peer. nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs.
frames[#frames + 1] = {
  name = "lmsg",
  command = "lmsg",
  kind = "command",
  sender = "peer",
  key = "lmsg",
  responses = { false },
  dialects = { "route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("LMSG", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, optional = true }
          ),
          word.argument("text", "description", "Text after the status.", { optional = true }),
          word.argument("text", "key", "Name, letter case kept.", { optional = true }),
          word.argument("text", "value", "Value without the blanks around it.", { optional = true }),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Hands a message with headers to a peer. nats-server v2.12.2, server/parser.go, HMSG_ARG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "peer",
  key = "hmsg",
  responses = { false },
  dialects = { "route_2.9" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a peer of interest behind a leaf node. nats-server v2.12.2, server/leafnode.go, processLeafSub.
frames[#frames + 1] = {
  name = "ls_plus",
  command = "ls_plus",
  kind = "command",
  sender = "peer",
  key = "ls_plus",
  responses = { false },
  dialects = { "route_2.9" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 5,
  awaited = 0,
  steps = function()
    return {
      word.line("LS+", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest behind a leaf node has ended. nats-server v2.12.2, server/leafnode.go, processLeafUnsub.
frames[#frames + 1] = {
  name = "ls_minus",
  command = "ls_minus",
  kind = "command",
  sender = "peer",
  key = "ls_minus",
  responses = { false },
  dialects = { "route_2.9" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
  },
  brief = 3,
  awaited = 0,
  steps = function()
    return {
      word.line("LS-", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message of a leaf node to a peer. nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs.
frames[#frames + 1] = {
  name = "lmsg",
  command = "lmsg",
  kind = "command",
  sender = "peer",
  key = "lmsg",
  responses = { false },
  dialects = { "route_2.9" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("LMSG", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, optional = true }
          ),
          word.argument("text", "description", "Text after the status.", { optional = true }),
          word.argument("text", "key", "Name, letter case kept.", { optional = true }),
          word.argument("text", "value", "Value without the blanks around it.", { optional = true }),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Hands a message with headers to a peer. nats-server v2.12.2, server/parser.go, HMSG_ARG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "peer",
  key = "hmsg",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a peer of interest in a subject. nats-server v2.12.2, server/route.go, processRemoteSub.
frames[#frames + 1] = {
  name = "rs_plus",
  command = "rs_plus",
  kind = "command",
  sender = "peer",
  key = "rs_plus",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
  },
  brief = 3,
  awaited = 0,
  steps = function()
    return {
      word.line("RS+", {
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest in a subject has ended. nats-server v2.12.2, server/route.go, processRemoteUnsub.
frames[#frames + 1] = {
  name = "rs_minus",
  command = "rs_minus",
  kind = "command",
  sender = "peer",
  key = "rs_minus",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
  },
  brief = 2,
  awaited = 0,
  steps = function()
    return {
      word.line("RS-", {
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message to a peer. nats-server v2.12.2, server/route.go, processRoutedMsgArgs.
frames[#frames + 1] = {
  name = "rmsg",
  command = "rmsg",
  kind = "command",
  sender = "peer",
  key = "rmsg",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("RMSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument("number", "size", "Bytes of the payload.", { unit = "bytes", keep = true }),
      }),
      word.bytes(function(v) return v.size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Informs a peer of interest behind a leaf node. nats-server v2.12.2, server/leafnode.go, processLeafSub.
frames[#frames + 1] = {
  name = "ls_plus",
  command = "ls_plus",
  kind = "command",
  sender = "peer",
  key = "ls_plus",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "weight=", "" }, holes = { { path = "weight" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
  },
  brief = 4,
  awaited = 0,
  steps = function()
    return {
      word.line("LS+", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "weight",
          "Members of the queue group behind this link.",
          { keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Informs a peer that interest behind a leaf node has ended. nats-server v2.12.2, server/leafnode.go, processLeafUnsub.
frames[#frames + 1] = {
  name = "ls_minus",
  command = "ls_minus",
  kind = "command",
  sender = "peer",
  key = "ls_minus",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "queue=", "" }, holes = { { path = "queue_group" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
  },
  brief = 3,
  awaited = 0,
  steps = function()
    return {
      word.line("LS-", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject of interest; * is any token, > all that follow.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "queue_group",
          "Queue group; each message goes to one of its members.",
          { spans = { "queue" }, keep = true, in_info = true, optional = true }
        ),
      }),
    }
  end,
}

-- Hands a message of a leaf node to a peer. nats-server v2.12.2, server/leafnode.go, processLeafMsgArgs.
frames[#frames + 1] = {
  name = "lmsg",
  command = "lmsg",
  kind = "command",
  sender = "peer",
  key = "lmsg",
  responses = { false },
  dialects = { "pinned_route" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "origin=", "" }, holes = { { path = "origin_cluster" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 0,
  steps = function()
    return {
      word.line("LMSG", {
        word.argument(
          "text",
          "origin_cluster",
          "Cluster of the leaf node that it comes from.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, optional = true }
          ),
          word.argument("text", "description", "Text after the status.", { optional = true }),
          word.argument("text", "key", "Name, letter case kept.", { optional = true }),
          word.argument("text", "value", "Value without the blanks around it.", { optional = true }),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Hands a message with headers to a peer. nats-server v2.12.2, server/parser.go, HMSG_ARG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "peer",
  key = "hmsg",
  responses = { false },
  dialects = { "gateway" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "account=", "" }, holes = { { path = "account" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "account",
          "Account that it belongs to; $G is the global one.",
          { keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

-- Hands a message with headers to a peer. nats-server v2.12.2, server/parser.go, HMSG_ARG.
frames[#frames + 1] = {
  name = "hmsg",
  command = "hmsg",
  kind = "command",
  sender = "peer",
  key = "hmsg",
  responses = { false },
  dialects = { "leaf" },
  shows = {
    { texts = { "", "" }, holes = { { path = "subject" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "bytes" } } },
    { texts = { "queues=", "" }, holes = { { path = "queue_groups" } } },
    { texts = { "\226\134\146 ", "" }, holes = { { path = "reply_to" } } },
    {
      texts = { "status=", "" },
      holes = {
        {
          path = "status",
          form = "ok",
          others = { control = true, end_of_batch = true, no_messages = true, request_timeout = true },
        },
      },
    },
    { texts = { "", "" }, holes = { { path = "description" } } },
    { texts = { "headers=", "" }, holes = { { path = "headers.key" } } },
    { texts = { "", "" }, holes = { { path = "payload", form = "text" } } },
  },
  brief = 1000,
  stream = "subject",
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.line("HMSG", {
        word.argument(
          "text",
          "subject",
          "Subject that the message is published to.",
          { spans = { "subject" }, keep = true, in_info = true }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "+" }
        ),
        word.argument(
          "tokens",
          "queue_groups",
          "Queue groups whose members are to get the message.",
          { spans = { "queue" }, keep = true, in_info = "many", mark = "|" }
        ),
        word.argument(
          "text",
          "reply_to",
          "Subject for answers.",
          { keep = true, in_info = true, optional = true }
        ),
        word.argument(
          "number",
          "header_size",
          "Bytes of the header block, its blank line included.",
          { unit = "bytes", keep = true }
        ),
        word.argument(
          "number",
          "total_size",
          "Bytes of header block and payload.",
          { unit = "bytes", keep = true }
        ),
      }),
      word.region(function(v) return v.header_size end, {
        word.headers("NATS/1.0", "Headers in their order; names may repeat.", {
          word.argument(
            "number",
            "status",
            "Status of the version line.",
            { names = names.status, keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "description",
            "Text after the status.",
            { keep = true, in_info = true, optional = true }
          ),
          word.argument(
            "text",
            "key",
            "Name, letter case kept.",
            { keep = true, in_info = "many", optional = true }
          ),
          word.argument(
            "text",
            "value",
            "Value without the blanks around it.",
            { keep = "followed", optional = true }
          ),
        }),
      }),
      word.bytes(function(v) return v.total_size - v.header_size end, "payload", "What is sent; any bytes.", {
        keep = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "nats.message", readers = { { format = "liftbridge", magic = "b90e43b4" } } },
      }),
      word.literal("\013\010", "End of the payload."),
    }
  end,
}

local K = {
  ABANDONED = 10000000000,
  ACKS = {
    [""] = "ack",
    ["+ACK"] = "ack",
    ["-NAK"] = "nak",
    ["+WPI"] = "in progress",
    ["+NXT"] = "ack and next",
    ["+TERM"] = "term",
    ["{"] = "next",
  },
  AFTER_LIMIT = 3,
  AGAIN_LIMIT = 3,
  ASKED_AGAIN = 3,
  ASKED_PAUSE = 100000000,
  AT_ONCE_LIMIT = 3,
  AWAY = 5000000000,
  BEATS_LIMIT = 3,
  BEAT_LIMIT = 6,
  BELOW_LIMIT = 3,
  BOTH_LIMIT = 3,
  BOTH_TIME = 1000000000,
  BRIEF_PULL = 1000000000,
  BRIEF_PULLS = 8,
  CHUNKS_LIMIT = 5,
  COLON = ":",
  CONTEST_LIMIT = 12,
  COPIES_LIMIT = 4,
  CREATE_LIMIT = 4,
  CREATE_PAUSE = 60000000000,
  DELETED_LIMIT = 5,
  DELETED_PAUSE = 2000000000,
  DESCRIPTION = "\"description\":\"",
  DONE_LIMIT = 3,
  DUPLICATE = "\"duplicate\":",
  DUPLICATE_WINDOW = 120000000000,
  DURABLE = "\"durable_name\"",
  DURABLE_LIMIT = 3,
  EARLY_LIMIT = 3,
  EARLY_TIME = 100000000,
  ECHO_LIMIT = 5,
  ENDLESS_LIMIT = 5,
  ENSURED_LIMIT = 4,
  ERR_LIMIT = 3,
  ERR_PAUSE = 10000000000,
  FAILING_LIMIT = 4,
  FAILING_PAUSE = 60000000000,
  FEW_MESSAGES = 8,
  FLOW_CONTROL = 5000000000,
  FORCED_LIMIT = 2,
  FORMATS = {
    ["{"] = "JSON",
    ["["] = "JSON",
    ["<"] = "XML",
    ["\031\194\139"] = "gzip",
    ["(\194\181/\195\189"] = "Zstandard",
    ["\008"] = "protobuf",
    ["\010"] = "protobuf",
    ["\194\129"] = "MessagePack",
    ["\194\130"] = "MessagePack",
    ["\194\131"] = "MessagePack",
    ["\194\132"] = "MessagePack",
    ["\194\133"] = "MessagePack",
    ["\194\134"] = "MessagePack",
    ["\194\135"] = "MessagePack",
    ["\194\136"] = "MessagePack",
    ["\194\137"] = "MessagePack",
    ["\194\138"] = "MessagePack",
    ["\194\139"] = "MessagePack",
    ["\194\140"] = "MessagePack",
    ["\194\141"] = "MessagePack",
    ["\194\142"] = "MessagePack",
    ["\194\143"] = "MessagePack",
    ["\194\161"] = "CBOR",
    ["\194\162"] = "CBOR",
    ["\194\163"] = "CBOR",
    ["\194\164"] = "CBOR",
    ["\194\165"] = "CBOR",
    ["\194\166"] = "CBOR",
    ["\194\167"] = "CBOR",
    ["\194\168"] = "CBOR",
    ["\194\169"] = "CBOR",
    ["\194\170"] = "CBOR",
    ["\194\171"] = "CBOR",
    ["\194\172"] = "CBOR",
    ["\194\173"] = "CBOR",
    ["\194\174"] = "CBOR",
    ["\194\175"] = "CBOR",
  },
  FORMAT_SAMPLE = 64,
  GAVE_UP_LIMIT = 3,
  GIVE_UP = 100000000,
  GONE_FOR = 3000000000,
  GONE_LIMIT = 2,
  GUESSED_LIMIT = 2,
  HALF_OPEN = 1000000000,
  IDLE_LIMIT = 3,
  INBOX_LEFT_LIMIT = 3,
  INBOX_LIMIT = 4,
  JETSTREAM = {
    ["$JS.API.INFO"] = "info",
    ["$JS.API.STREAM.CREATE.*"] = "stream create",
    ["$JS.API.STREAM.UPDATE.*"] = "stream update",
    ["$JS.API.STREAM.NAMES"] = "stream names",
    ["$JS.API.STREAM.LIST"] = "stream list",
    ["$JS.API.STREAM.INFO.*"] = "stream info",
    ["$JS.API.STREAM.DELETE.*"] = "stream delete",
    ["$JS.API.STREAM.PURGE.*"] = "stream purge",
    ["$JS.API.STREAM.SNAPSHOT.*"] = "stream snapshot",
    ["$JS.API.STREAM.RESTORE.*"] = "stream restore",
    ["$JS.API.STREAM.MSG.DELETE.*"] = "stream msg delete",
    ["$JS.API.STREAM.MSG.GET.*"] = "stream msg get",
    ["$JS.API.STREAM.PEER.REMOVE.*"] = "stream peer remove",
    ["$JS.API.STREAM.PEER.EVACUATE.*"] = "stream peer evacuate",
    ["$JS.API.STREAM.CANCEL_MOVE.*"] = "stream cancel_move",
    ["$JS.API.STREAM.LEADER.STEPDOWN.*"] = "stream leader stepdown",
    ["$JS.API.STREAM.TEMPLATE.CREATE.*"] = "stream template create",
    ["$JS.API.STREAM.TEMPLATE.NAMES"] = "stream template names",
    ["$JS.API.STREAM.TEMPLATE.INFO.*"] = "stream template info",
    ["$JS.API.STREAM.TEMPLATE.DELETE.*"] = "stream template delete",
    ["$JS.API.CONSUMER.MSG.NEXT.*.*"] = "consumer msg next",
    ["$JS.API.CONSUMER.CREATE.>"] = "consumer create",
    ["$JS.API.CONSUMER.DURABLE.CREATE.*.*"] = "consumer durable create",
    ["$JS.API.CONSUMER.NAMES.*"] = "consumer names",
    ["$JS.API.CONSUMER.LIST.*"] = "consumer list",
    ["$JS.API.CONSUMER.INFO.*.*"] = "consumer info",
    ["$JS.API.CONSUMER.DELETE.*.*"] = "consumer delete",
    ["$JS.API.CONSUMER.PAUSE.*.*"] = "consumer pause",
    ["$JS.API.CONSUMER.UNPIN.*.*"] = "consumer unpin",
    ["$JS.API.CONSUMER.LEADER.STEPDOWN.*.*"] = "consumer leader stepdown",
    ["$JS.API.CONSUMER.RESET.*.*"] = "consumer reset",
    ["$JS.API.CONSUMER.PEER.REMOVE.*.*"] = "consumer peer remove",
    ["$JS.API.CONSUMER.PEER.EVACUATE.*.*"] = "consumer peer evacuate",
    ["$JS.API.DIRECT.GET.>"] = "direct get",
    ["$JS.API.META.LEADER.STEPDOWN"] = "meta leader stepdown",
    ["$JS.API.META.RESCUE"] = "meta rescue",
    ["$JS.API.SERVER.REMOVE"] = "server remove",
    ["$JS.API.SERVER.EVACUATE"] = "server evacuate",
    ["$JS.API.ACCOUNT.PURGE.*"] = "account purge",
    ["$JS.API.ACCOUNT.STREAM.MOVE.*.*"] = "account stream move",
    ["$JS.API.ACCOUNT.STREAM.CANCEL_MOVE.*.*"] = "account stream cancel_move",
    ["$JS.API.>"] = "api request",
    ["$JS.ACK.>"] = "ack",
    ["$JS.FC.>"] = "flow control answer",
    ["$JS.EVENT.ADVISORY.>"] = "advisory",
    ["$JS.EVENT.METRIC.>"] = "metric",
    ["$JS.SNAPSHOT.>"] = "snapshot",
    ["$JS.*.API.INFO"] = "info",
    ["$JS.*.API.STREAM.CREATE.*"] = "stream create",
    ["$JS.*.API.STREAM.UPDATE.*"] = "stream update",
    ["$JS.*.API.STREAM.NAMES"] = "stream names",
    ["$JS.*.API.STREAM.LIST"] = "stream list",
    ["$JS.*.API.STREAM.INFO.*"] = "stream info",
    ["$JS.*.API.STREAM.DELETE.*"] = "stream delete",
    ["$JS.*.API.STREAM.PURGE.*"] = "stream purge",
    ["$JS.*.API.STREAM.SNAPSHOT.*"] = "stream snapshot",
    ["$JS.*.API.STREAM.RESTORE.*"] = "stream restore",
    ["$JS.*.API.STREAM.MSG.DELETE.*"] = "stream msg delete",
    ["$JS.*.API.STREAM.MSG.GET.*"] = "stream msg get",
    ["$JS.*.API.STREAM.PEER.REMOVE.*"] = "stream peer remove",
    ["$JS.*.API.STREAM.PEER.EVACUATE.*"] = "stream peer evacuate",
    ["$JS.*.API.STREAM.CANCEL_MOVE.*"] = "stream cancel_move",
    ["$JS.*.API.STREAM.LEADER.STEPDOWN.*"] = "stream leader stepdown",
    ["$JS.*.API.STREAM.TEMPLATE.CREATE.*"] = "stream template create",
    ["$JS.*.API.STREAM.TEMPLATE.NAMES"] = "stream template names",
    ["$JS.*.API.STREAM.TEMPLATE.INFO.*"] = "stream template info",
    ["$JS.*.API.STREAM.TEMPLATE.DELETE.*"] = "stream template delete",
    ["$JS.*.API.CONSUMER.MSG.NEXT.*.*"] = "consumer msg next",
    ["$JS.*.API.CONSUMER.CREATE.>"] = "consumer create",
    ["$JS.*.API.CONSUMER.DURABLE.CREATE.*.*"] = "consumer durable create",
    ["$JS.*.API.CONSUMER.NAMES.*"] = "consumer names",
    ["$JS.*.API.CONSUMER.LIST.*"] = "consumer list",
    ["$JS.*.API.CONSUMER.INFO.*.*"] = "consumer info",
    ["$JS.*.API.CONSUMER.DELETE.*.*"] = "consumer delete",
    ["$JS.*.API.CONSUMER.PAUSE.*.*"] = "consumer pause",
    ["$JS.*.API.CONSUMER.UNPIN.*.*"] = "consumer unpin",
    ["$JS.*.API.CONSUMER.LEADER.STEPDOWN.*.*"] = "consumer leader stepdown",
    ["$JS.*.API.CONSUMER.RESET.*.*"] = "consumer reset",
    ["$JS.*.API.CONSUMER.PEER.REMOVE.*.*"] = "consumer peer remove",
    ["$JS.*.API.CONSUMER.PEER.EVACUATE.*.*"] = "consumer peer evacuate",
    ["$JS.*.API.DIRECT.GET.>"] = "direct get",
    ["$JS.*.API.META.LEADER.STEPDOWN"] = "meta leader stepdown",
    ["$JS.*.API.META.RESCUE"] = "meta rescue",
    ["$JS.*.API.SERVER.REMOVE"] = "server remove",
    ["$JS.*.API.SERVER.EVACUATE"] = "server evacuate",
    ["$JS.*.API.ACCOUNT.PURGE.*"] = "account purge",
    ["$JS.*.API.ACCOUNT.STREAM.MOVE.*.*"] = "account stream move",
    ["$JS.*.API.ACCOUNT.STREAM.CANCEL_MOVE.*.*"] = "account stream cancel_move",
    ["$JS.*.API.>"] = "api request",
    ["$KV.>"] = "key value",
    ["$O.>"] = "object store",
  },
  JUST_STORED = 2000000000,
  KEY_LIMIT = 6,
  LEFT_FOR = 3000000000,
  LEFT_LIMIT = 5,
  LONGEST_LINE = 4096,
  LOOP_LIMIT = 3,
  LOOP_PAUSE = 40000000000,
  LOST_LATELY = 60000000000,
  MARKERS_LIMIT = 16,
  MISSED_BEATS = 3,
  MISSED_LIMIT = 3,
  MOST_PINGS = 2,
  NAK = "-NAK",
  NAK_LIMIT = 3,
  NEVER_ACKED = 3,
  NEXT_LIMIT = 2,
  NEXT_WORD = "+NXT",
  OPEN = "{",
  OTHERS_LIMIT = 2,
  OVERHEARD_LIMIT = 3,
  OVERWRITE_LIMIT = 3,
  PAIR_LIMIT = 3,
  POLL_LIMIT = 5,
  POLL_PAUSE = 100000000,
  PONG_TIME = 5000000000,
  PROGRESS = "+WPI",
  PULL_LATE = 2000000000,
  PUT_OFF_LIMIT = 8,
  QUERY_PAUSE = 2000000000,
  QUOTE = "\"",
  RECONNECT_LIMIT = 3,
  REFUSED_LIMIT = 3,
  REFUSED_PAUSE = 2000000000,
  REJECTED_LIMIT = 5,
  REMADE_CONSUMERS = 6,
  REMADE_LIMIT = 2,
  REPLY_MISSED = 10000000000,
  REPLY_TIME = 1000000000,
  REQUEUED_LIMIT = 3,
  RESTORED = 2000000000,
  RESUBSCRIBED_LIMIT = 4,
  SAME_ERROR_LIMIT = 4,
  SAME_ERROR_PAUSE = 10000000000,
  SAME_VALUE = 3,
  SEIZED_LIMIT = 2,
  SIBLINGS_LIMIT = 16,
  SINGLY_LIMIT = 5,
  SLOW_DROP = 10000000000,
  SMALL_CHUNK = 8192,
  STALE_PULLS = 2,
  STALLED = 3000000000,
  STEP_LIMIT = 6,
  STOPS_LIMIT = 2,
  STORE_LIMIT = 8,
  STREAM_LIMIT = 3,
  TRACED_LIMIT = 5,
  TWICE_LIMIT = 3,
  UNANSWERED_LIMIT = 3,
  UNCLOSED_LIMIT = 4,
  UNHEARD_KIND_LIMIT = 3,
  UNHEARD_LIMIT = 64,
  UNHEARD_TIME = 1000000000,
  UNKEPT_LIMIT = 3,
  VAIN_PULLS = 2,
  VERBOSE_LIMIT = 4,
  VERDICTS = {
    ["+ACK"] = "+ACK",
    ["-NAK"] = "-NAK",
    ["+TERM"] = "+TERM",
    ["+WPI"] = "+WPI",
    ["+NXT"] = "+NXT",
  },
  WITHOUT_ACK = 3000000000,
}

local LISTS = {
  {["Authorization Violation"] = true, ["Maximum Payload Violation"] = true, ["Invalid Subject"] = true, ["Invalid Publish Subject"] = true, ["maximum subscriptions exceeded"] = true},
  {["Authorization Violation"] = true, ["Authentication Timeout"] = true, ["User Authentication Expired"] = true, ["Account Authentication Expired"] = true, ["maximum connections exceeded"] = true, ["maximum account active connections exceeded"] = true, ["Secure Connection - TLS Required"] = true, ["Authentication Revoked"] = true, ["attempted to connect to route port"] = true, ["attempted to connect to leaf node port"] = true, ["attempted to connect to gateway port"] = true},
  {[404] = true, [408] = true, [409] = true, [423] = true, [503] = true},
  {["Authorization Violation"] = true, ["Authentication Timeout"] = true, ["User Authentication Expired"] = true, ["User Authentication Revoked"] = true, ["Account Authentication Expired"] = true, ["Stale Connection"] = true, ["maximum connections exceeded"] = true, ["maximum account active connections exceeded"] = true},
  {["consumer info"] = true, ["stream info"] = true, ["stream names"] = true, ["stream list"] = true, ["consumer names"] = true, ["consumer list"] = true, ["info"] = true},
  {["consumer create"] = true, ["consumer durable create"] = true},
  {["stream create"] = true, ["stream update"] = true},
  {["stream msg get"] = true, ["direct get"] = true},
  {["end"] = true, ["idle"] = true, ["crowded"] = true, ["lost"] = true},
  {["closed"] = true, ["reset"] = true, ["end"] = true},
  {["consumer create"] = true, ["consumer durable create"] = true, ["consumer info"] = true},
  {["stream names"] = true, ["stream list"] = true, ["consumer names"] = true, ["consumer list"] = true, ["stream info"] = true},
  {["closed"] = true, ["reset"] = true},
  {["stream info"] = true, ["stream create"] = true, ["stream update"] = true},
  {["t"] = true, [" t"] = true},
  {["CREATE"] = true, ["DELETE"] = true},
  {["ack"] = true, ["ack and next"] = true},
  {["10037"] = true, ["10059"] = true, ["10014"] = true, ["10070"] = true, ["10071"] = true, ["10164"] = true, ["10058"] = true, ["10013"] = true},
  {["consumer pause"] = true, ["consumer info"] = true, ["consumer create"] = true, ["consumer durable create"] = true},
  {["CREATE"] = true, ["UPDATE"] = true},
  {["waiting"] = true, ["in_progress"] = true},
  {["in progress"] = true, ["nak"] = true},
  {["ack"] = true, ["ack and next"] = true, ["term"] = true},
  {["nak"] = true, ["term"] = true},
  {["stream create"] = true, ["stream update"] = true, ["stream info"] = true, ["consumer create"] = true, ["consumer durable create"] = true, ["consumer info"] = true},
  {["hpub"] = true, ["hmsg"] = true, ["lmsg"] = true},
  {["10002"] = true, ["10005"] = true, ["10008"] = true, ["10009"] = true, ["10013"] = true, ["10023"] = true, ["10026"] = true, ["10027"] = true, ["10028"] = true, ["10039"] = true, ["10043"] = true, ["10047"] = true, ["10058"] = true, ["10065"] = true, ["10074"] = true, ["10076"] = true, ["10077"] = true, ["10099"] = true, ["10100"] = true, ["10105"] = true, ["10109"] = true, ["10148"] = true, ["10149"] = true, ["10158"] = true, ["10160"] = true, ["10167"] = true, ["10185"] = true},
  {["10070"] = true, ["10071"] = true, ["10164"] = true},
  {["10070"] = true, ["10071"] = true, ["10164"] = true, ["10002"] = true, ["10005"] = true, ["10008"] = true, ["10009"] = true, ["10013"] = true, ["10023"] = true, ["10026"] = true, ["10027"] = true, ["10028"] = true, ["10039"] = true, ["10043"] = true, ["10047"] = true, ["10058"] = true, ["10065"] = true, ["10074"] = true, ["10076"] = true, ["10077"] = true, ["10099"] = true, ["10100"] = true, ["10105"] = true, ["10109"] = true, ["10148"] = true, ["10149"] = true, ["10158"] = true, ["10160"] = true, ["10167"] = true, ["10185"] = true},
  {["explicit"] = true, ["all"] = true},
  {["new"] = true, ["last"] = true},
  {["DEL"] = true, ["PURGE"] = true},
  {["_INBOX.>"] = true, ["_INBOX.*"] = true, ["_INBOX.*.*"] = true, ["_INBOX.*.>"] = true},
  {[2] = true, [4] = true},
  {[400] = true, [408] = true, [409] = true, [412] = true, [413] = true, [500] = true},
}

local GUARDS = {
  { [[(c.reply_to ~= nil)]], "c" },
  { [=[LISTS[2][c.message]]=], "c" },
  { [[(c.max_msgs == nil)]], "c" },
  { [[(c.max_msgs ~= nil and c.max_msgs > 0)]], "c" },
  {
    [[(not f.starts(c.subject, "$JS.ACK.")) and (not f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT."))]],
    "c",
  },
  { [[(c.status == 503)]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and (f.begins(c["payload raw"], K.ACKS) == "in progress")]],
    "c",
  },
  {
    [[(f.matching(c.subject, "$JS.API.CONSUMER.MSG.NEXT.*.*") or f.matching(c.subject, "$JS.*.API.CONSUMER.MSG.NEXT.*.*"))]],
    "c",
  },
  { [=[LISTS[3][c.status]]=], "c" },
  { [=[LISTS[4][c.message]]=], "c" },
  { [[((c.status == 503) or (c.description == "Consumer Deleted"))]], "c" },
  { [=[f.starts(c.subject, "$JS.") and LISTS[5][f.called(c.subject, K.JETSTREAM)]]=], "c" },
  { [[f.starts(c.reply_to, "$JS.ACK.") and ((f.number(f.token(c.reply_to, 4)) or 1) > 1)]], "c" },
  {
    [[((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (not f.starts(f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)), "OBJ_"))) or (f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "consumer delete")))]],
    "c",
  },
  { [=[f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]]=], "c" },
  {
    [[f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "stream create")]],
    "c",
  },
  { [=[f.starts(c.subject, "$JS.") and LISTS[7][f.called(c.subject, K.JETSTREAM)]]=], "c" },
  { [=[f.starts(c.subject, "$JS.") and LISTS[8][f.called(c.subject, K.JETSTREAM)]]=], "c" },
  { [[(c.queue_group == nil)]], "c" },
  { [[f.starts(c.subject, "$JS.ACK.")]], "c" },
  { [[f.starts(c.reply_to, "$JS.ACK.")]], "c" },
  {
    [[(f.starts(c.subject, "$JS.API.STREAM.DELETE.") or f.starts(c.subject, "$JS.API.STREAM.PURGE."))]],
    "c",
  },
  { [=[f.starts(c.subject, "$JS.") and LISTS[12][f.called(c.subject, K.JETSTREAM)]]=], "c" },
  {
    [[f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (f.between(c["payload raw"], K.DURABLE, K.COLON) ~= nil)]],
    "c",
  },
  { [[f.starts(c.subject, "_INBOX.")]], "c" },
  { [[(not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_"))]], "c" },
  { [[(c.max_msgs ~= nil)]], "c" },
  {
    [[(c.queue_group == nil) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$"))]],
    "c",
  },
  { [[not (not f.starts(c.subject, "$O."))]], "c" },
  { [[not (not f.starts(c.subject, "$"))]], "c" },
  { [[f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M")]], "c" },
  {
    [[((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_"))]],
    "c",
  },
  { [[(not f.starts(c.subject, "_"))]], "c" },
  { [[((c["#payload"] or 7) >= 8) and (f.item(c["headers[]"], "Nats-Msg-Id") ~= nil)]], "c" },
  { [[not ((c.reply_to == nil) or (not f.starts(c.subject, "$JS.API.")))]], "c" },
  {
    [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next") and (f.between(c["payload raw"], "expires", "") == nil) and (f.between(c["payload raw"], "no_wait", "") == nil)]],
    "c",
  },
  { [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.STREAM.MSG.DELETE.")]], "c" },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.") and (f.called(c.subject, K.JETSTREAM) == "stream update")]],
    "c",
  },
  {
    [=[f.starts(c.subject, "$JS.API.STREAM.") and LISTS[15][f.between(c["payload raw"], "\"no_ack\":", "rue")]]=],
    "c",
  },
  { [[not (c.reply_to == nil)]], "c" },
  {
    [[f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.") and (f.between(c["payload raw"], "\"group\":", "\"") == nil)]],
    "c",
  },
  { [[((c["#headers"] or 1) > 1)]], "c" },
  { [[(c.status == 408)]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and LISTS[17][f.begins(c["payload raw"], K.ACKS)] and (not f.starts(f.token(c.subject, 2), "KV_")) and (not f.starts(f.token(c.subject, 2), "OBJ_"))]],
    "c",
  },
  {
    [[f.literal(c.subject) and (f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")) ~= nil)]],
    "c",
  },
  { [[(c.queue_group ~= nil) and (not f.starts(c.subject, "_"))]], "c" },
  {
    [[f.literal(c.subject) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$")) and (f.token(c.subject, 2) ~= nil)]],
    "c",
  },
  {
    [[((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) or 0) > 0) and (c.status == nil)]],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$"))]],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and (f.starts(c.subject, "$JS.API.STREAM.DELETE.") or (f.starts(c.subject, "$JS.API.STREAM.PURGE.") and (c["#payload"] == 0)))]],
    "c",
  },
  {
    [[f.literal(c.subject) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$")) and (f.token(c.subject, 1) ~= nil)]],
    "c",
  },
  { [[(f.called(c.subject, K.JETSTREAM) == "consumer msg next")]], "c" },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.PURGE.") and (c.reply_to ~= nil) and ((f.between(c["payload raw"], "\"filter\":\"", "\"") or f.between(c["payload raw"], "\"filter\": \"", "\"")) ~= nil) and (f.between(c["payload raw"], "\"keep\":", "") == nil) and (f.between(c["payload raw"], "\"seq\":", "") == nil)]],
    "c",
  },
  {
    [[((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil)) or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]))]],
    "c",
  },
  {
    [[(not f.starts(c.reason, "PROXY protocol")) and (not f.starts(c.reason, "HTTP CONNECT, which opens a tunnel"))]],
    "c",
  },
  { [[(c.max_payload ~= nil and c.max_payload > 0)]], "c" },
  { [[(c.version ~= nil and c.version ~= "")]], "c" },
  { [[c.tls_required]], "c" },
  { [[(c.nonce ~= nil and c.nonce ~= "")]], "c" },
  { [[c.ldm]], "c" },
  {
    [[f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next")]],
    "c",
  },
  { [[(c.status == 100) and f.starts(c.reply_to, "$JS.FC.")]], "c" },
  {
    [[(f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= "maximum messages per subject exceeded")]],
    "c",
  },
  { [[(f.between(c["payload raw"], "error\":{\"code\":", ",") == nil)]], "c" },
  { [[(c.status == nil)]], "c" },
  {
    [[f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (not f.starts(f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)), "OBJ_"))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "consumer delete")]],
    "c",
  },
  { [[f.starts(c.subject, "$KV.") and ((c["#payload"] or 0) > 0)]], "c" },
  { [[(not f.starts(c.subject, "$")) and (c.reply_to == nil)]], "c" },
  {
    [[(c.reply_to ~= nil) and (not f.starts(c.reply_to, "_INBOX.")) and (not f.starts(c.subject, "$JS.ACK."))]],
    "c",
  },
  { [[f.starts(c.reply_to, "_INBOX.")]], "c" },
  { [[f.starts(c.reply_to, "_INBOX.") and (not f.starts(c.subject, "$JS."))]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and (f.begins(c["payload raw"], K.ACKS) ~= nil and f.begins(c["payload raw"], K.ACKS) ~= "in progress")]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.ACK.") and (f.begins(c["payload raw"], K.ACKS) ~= nil and not LISTS[22][f.begins(c["payload raw"], K.ACKS)])]],
    "c",
  },
  { [=[f.starts(c.subject, "$JS.ACK.") and LISTS[23][f.begins(c["payload raw"], K.ACKS)]]=], "c" },
  { [[f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.NAK)]], "c" },
  { [=[f.starts(c.subject, "$JS.ACK.") and LISTS[17][f.begins(c["payload raw"], K.ACKS)]]=], "c" },
  {
    [[f.starts(c.subject, "$JS.") and LISTS[12][f.called(c.subject, K.JETSTREAM)] and ((f.coalesce((f.number(f.between(c["payload raw"], "\"offset\":", ",")) or (f.number(f.between(c["payload raw"], "\"offset\": ", ",")) or (f.number(f.between(c["payload raw"], "\"offset\":", "}")) or f.number(f.between(c["payload raw"], "\"offset\": ", "}"))))), 0) or 0) > 0)]],
    "c",
  },
  {
    [[(f.number(f.between(c["payload raw"], "\"offset\":", ",")) ~= nil and f.number(f.between(c["payload raw"], "\"limit\":", ",")) ~= nil and f.number(f.between(c["payload raw"], "\"total\":", ",")) ~= nil and (f.number(f.between(c["payload raw"], "\"offset\":", ",")) + f.number(f.between(c["payload raw"], "\"limit\":", ","))) < f.number(f.between(c["payload raw"], "\"total\":", ",")))]],
    "c",
  },
  {
    [[(f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (f.between(c["payload raw"], K.DURABLE, K.COLON) ~= nil))]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.API.CONSUMER.DELETE.")]], "c" },
  { [[(not f.literal(c.subject))]], "c" },
  { [[f.starts(c.subject, "_INBOX")]], "c" },
  { [[f.starts(c.subject, "_INBOX") and (not f.literal(c.subject))]], "c" },
  { [[(c.status == 100) and (c.reply_to == nil)]], "c" },
  { [[(c.queue_group ~= nil)]], "c" },
  { [[f.starts(c.subject, "$JS.API.STREAM.CREATE.OBJ_")]], "c" },
  {
    [=[f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and LISTS[15][(f.between(c["payload raw"], "\"deleted\":", "rue") or "")]]=],
    "c",
  },
  {
    [[f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and (not LISTS[15][(f.between(c["payload raw"], "\"deleted\":", "rue") or "")])]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.API.STREAM.PURGE.OBJ_")]], "c" },
  { [[f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "C")]], "c" },
  { [[f.starts(c.subject, "$O.")]], "c" },
  { [[f.literal(c.subject)]], "c" },
  { [[(not f.starts(c.subject, "_")) and f.literal(c.subject)]], "c" },
  { [[(not f.starts(c.subject, "_")) and (not f.literal(c.subject))]], "c" },
  {
    [[(c.reply_to ~= nil) and (f.token(c.reply_to, 1) == nil) and (not f.starts(c.reply_to, "_")) and (not f.starts(c.subject, "$"))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.") and (not f.starts(c.subject, "$JS.ACK.")) and (c.reply_to ~= nil)]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.")]], "c" },
  {
    [[f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next") and ((c["#payload"] == 0) or ((f.number(f.between(c["payload raw"], "\"batch\":", ",")) or (f.number(f.between(c["payload raw"], "\"batch\": ", ",")) or (f.number(f.between(c["payload raw"], "\"batch\":", "}")) or f.number(f.between(c["payload raw"], "\"batch\": ", "}"))))) == 1))]],
    "c",
  },
  { [[(not f.starts(c.subject, "$")) and (c.reply_to ~= nil)]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and (c.reply_to == nil) and (f.begins(c["payload raw"], K.ACKS) ~= nil and f.begins(c["payload raw"], K.ACKS) ~= "in progress")]],
    "c",
  },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil)]],
    "c",
  },
  { [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.STREAM.MSG.GET.")]], "c" },
  { [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.DIRECT.GET.")]], "c" },
  { [[f.starts(c.subject, "$KV.") and (c.reply_to ~= nil)]], "c" },
  {
    [[f.starts(c.subject, "$KV.") and (c.reply_to ~= nil) and ((f.item(c["headers[]"], "KV-Operation") ~= nil) or (f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence") ~= nil) or (f.item(c["headers[]"], "Nats-Expected-Last-Sequence") ~= nil))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$KV.") and (c.reply_to ~= nil) and (f.item(c["headers[]"], "KV-Operation") == "DEL") and (f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence") == nil)]],
    "c",
  },
  {
    [[f.starts(c.subject, "$KV.") and (c.reply_to ~= nil) and (f.item(c["headers[]"], "KV-Operation") == nil) and (f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence") ~= nil)]],
    "c",
  },
  {
    [[(((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) or 0) > 0)]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.PROGRESS)]], "c" },
  { [[(c.reply_to ~= nil) and (f.called(c.subject, K.JETSTREAM) == "consumer msg next")]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.NEXT_WORD) and (f.between(c["payload raw"], "idle_heartbeat", "") == nil)]],
    "c",
  },
  { [[(c.reply_to ~= nil) and (not f.starts(c.reply_to, "$JS."))]], "c" },
  { [[(c.reply_to == nil)]], "c" },
  { [[f.starts(c.subject, "$JS.API.STREAM.CREATE.")]], "c" },
  {
    [[f.starts(c.subject, "$JS.API.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next") and (f.between(c["payload raw"], "expires", "") == nil) and (f.between(c["payload raw"], "no_wait", "") == nil)]],
    "c",
  },
  {
    [[(f.starts(c.subject, "$JS.API.STREAM.") and (f.called(c.subject, K.JETSTREAM) == "stream update"))]],
    "c",
  },
  { [[(f.between(c["payload raw"], "\"config\":", "{") ~= nil)]], "c" },
  {
    [[(f.starts(c.subject, "$JS.API.STREAM.CREATE.") or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]))]],
    "c",
  },
  {
    [[(f.starts(c.subject, "$JS.API.STREAM.DELETE.") or f.starts(c.subject, "$JS.API.CONSUMER.DELETE."))]],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and (f.starts(c.subject, "$JS.API.STREAM.CREATE.") or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.") and ((f.between(c["payload raw"], "\"id\":\"", "\"") or f.between(c["payload raw"], "\"id\": \"", "\"")) ~= nil)]],
    "c",
  },
  { [[(c.status == 423)]], "c" },
  {
    [[(c["#payload"] == 4) and f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.NAK)]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.")]], "c" },
  { [[((c["#headers"] or 1) > 1) and (f.item(c["headers[]"], "Nats-Batch-Id") ~= nil)]], "c" },
  { [[f.starts(c.subject, "$JS.API.")]], "c" },
  {
    [[(c.reply_to ~= nil) and (f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") or f.starts(c.subject, "$JS.API.STREAM.DELETE."))]],
    "c",
  },
  { [[(c.reply_to ~= nil) and (f.item(c["headers[]"], "Nats-Rollup") ~= nil)]], "c" },
  {
    [[(c.reply_to ~= nil) and (f.item(c["headers[]"], "KV-Operation") == nil) and (f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence") == nil) and (f.item(c["headers[]"], "Nats-Expected-Last-Sequence") == nil)]],
    "c",
  },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"error\":", "{") == nil)]],
    "c",
  },
  { [[(f.number(f.between(c["payload raw"], "wrong last sequence: ", "\"")) ~= nil)]], "c" },
  { [[(f.item(c["headers[]"], "traceparent") ~= nil)]], "c" },
  {
    [[(c.queue_group == nil) and (f.between(c.subject, f.stem(c.subject), "") == ".>") and (not f.starts(c.subject, "_INBOX"))]],
    "c",
  },
  { [[(c.queue_group == nil) and (f.between(c.subject, f.stem(c.subject), "") == ".*")]], "c" },
  {
    [[(c.queue_group == nil) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$")) and f.literal(c.subject)]],
    "c",
  },
  {
    [[(c.queue_group == nil) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$")) and (not f.literal(c.subject))]],
    "c",
  },
  {
    [[(not f.literal(c.subject)) and (not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$"))]],
    "c",
  },
  {
    [[((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (c.reply_to == nil)]],
    "c",
  },
  { [[(not f.starts(c.subject, "_")) and (not f.starts(c.subject, "$"))]], "c" },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[18][f.between(c["payload raw"], "\"err_code\":", ",")])]],
    "c",
  },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") == nil)]],
    "c",
  },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil)]],
    "c",
  },
  {
    [[((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and ((c["#payload"] or 7) >= 8)]],
    "c",
  },
  { [[f.starts(c.reply_to, "$JS.ACK.") and ((c["#payload"] or 7) >= 8)]], "c" },
  { [[((c["#payload"] or 0) > 0)]], "c" },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], "\"error\":", "{") == nil)]],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and (((f.number(f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence")) or 0) > 0) or ((f.number(f.item(c["headers[]"], "Nats-Expected-Last-Sequence")) or 0) > 0))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil)]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) ~= nil)]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and (f.token(c.subject, 3) == "CREATE") and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) == nil)]],
    "c",
  },
  { [[(c.reply_to ~= nil) and (f.item(c["headers[]"], "Nats-Schedule") ~= nil)]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.NAK) and (((f.number(f.between(c["payload raw"], "\"delay\":", ",")) or (f.number(f.between(c["payload raw"], "\"delay\": ", ",")) or (f.number(f.between(c["payload raw"], "\"delay\":", "}")) or f.number(f.between(c["payload raw"], "\"delay\": ", "}"))))) or 0) > 0)]],
    "c",
  },
  { [[((c.user ~= nil) or (c.auth_token ~= nil))]], "c" },
  { [[f.starts(c.reason, "no frame begins here")]], "c" },
  {
    [[((f.item(c["headers[]"], "Content-Type") ~= nil) or (f.item(c["headers[]"], "content-type") ~= nil) or (f.item(c["headers[]"], "Content-Encoding") ~= nil) or (f.item(c["headers[]"], "content-encoding") ~= nil))]],
    "c",
  },
  {
    [[(not f.literal(c.subject)) and (not f.starts(c.subject, "$JS.")) and (f.between(c.subject, ".CONSUMER.CREATE.", ".") == nil)]],
    "c",
  },
  {
    [[((not f.starts(c.reply_to, "$JS.ACK.")) and (not f.starts(c.subject, "$JS"))) and (c.reply_to == nil)]],
    "c",
  },
  { [[(c.message == "Stale Connection")]], "c" },
  {
    [[(not f.starts(c.message, "Permissions Violation")) and (c.message ~= nil and not LISTS[4][c.message])]],
    "c",
  },
  { [[f.starts(c.message, "Permissions Violation")]], "c" },
  {
    [[(f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") ~= nil and f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") ~= "404") and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[27][f.between(c["payload raw"], "\"err_code\":", ",")])]],
    "c",
  },
  {
    [=[(f.between(c["payload raw"], "{\"error\":{\"code\":", ",\"err_code\":") ~= nil) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and LISTS[28][f.between(c["payload raw"], "\"err_code\":", ",")]]=],
    "c",
  },
  {
    [[(f.between(c["payload raw"], "{\"error\":{\"code\":", ",\"err_code\":") ~= nil) and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[29][f.between(c["payload raw"], "\"err_code\":", ",")])]],
    "c",
  },
  { [[(f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") == "404")]], "c" },
  {
    [[((c.status == 503) or ((c.status == 409) and (c.description ~= nil and c.description ~= "Batch Completed") and ((not f.starts(c.description, "Exceeded")) and (not f.starts(c.description, "Message Size")) and (not f.starts(c.description, "Consumer is push")))))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$JS.") and ((c["#payload"] or 8) > 8) and (f.starts(c["payload raw"], K.OPEN) or f.starts(c["payload raw"], K.NAK)) and (not f.starts(c.subject, "$JS.FC."))]],
    "c",
  },
  { [[f.starts(c.subject, "$JS.ACK.") and ((c["#payload"] or 0) > 0)]], "c" },
  {
    [=[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and LISTS[15][f.between(c["payload raw"], K.DUPLICATE, "rue")]]=],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.") and ((c["#payload"] or 2) > 2) and f.starts(c["payload raw"], K.OPEN) and (not f.starts(c.subject, "$JS.ACK."))]],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and (f.starts(c.subject, "$JS.API.STREAM.CREATE.KV_") or f.starts(c.subject, "$JS.API.STREAM.CREATE.OBJ_"))]],
    "c",
  },
  { [[(f.starts(c.subject, "$JS.") and LISTS[5][f.called(c.subject, K.JETSTREAM)])]], "c" },
  { [[(f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)])]], "c" },
  { [[(f.starts(c.subject, "$JS.") and LISTS[7][f.called(c.subject, K.JETSTREAM)])]], "c" },
  { [[(c.status == 100) and (f.item(c["headers[]"], "Nats-Consumer-Stalled") ~= nil)]], "c" },
  {
    [[f.starts(c.subject, "$JS.ACK.") and (c.reply_to ~= nil) and (f.starts(c.reply_to, "+") or f.starts(c.reply_to, "-"))]],
    "c",
  },
  { [[((c.nkey ~= nil) or (c.jwt ~= nil)) and (c.sig == nil)]], "c" },
  {
    [[(c.reply_to ~= nil) and ((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) or f.starts(c.subject, "$JS.API.STREAM.CREATE.") or f.starts(c.subject, "$JS.API.STREAM.UPDATE."))]],
    "c",
  },
  { [[(c.reply_to ~= nil) and (not f.literal(c.reply_to))]], "c" },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "{\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], ",\"seq\":", "") ~= nil)]],
    "c",
  },
  {
    [[f.starts(c.subject, "$KV.") and (f.item(c["headers[]"], "KV-Operation") ~= nil) and (f.item(c["headers[]"], "KV-Operation") ~= nil and not LISTS[32][f.item(c["headers[]"], "KV-Operation")])]],
    "c",
  },
  { [[f.starts(c.subject, "$KV.") and (c["#payload"] == 0)]], "c" },
  { [[(f.between(c["payload raw"], "\"did_create\":", "rue") ~= nil)]], "c" },
  { [[f.starts(c.subject, "$JS.") and (c.reply_to ~= nil)]], "c" },
  { [[(f.starts(c.subject, "$JS.") and LISTS[8][f.called(c.subject, K.JETSTREAM)])]], "c" },
  { [[(f.starts(c.subject, "$KV.") and ((c["#payload"] or 0) > 0))]], "c" },
  {
    [[(f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next") and ((c["#payload"] == 0) or ((f.number(f.between(c["payload raw"], "\"batch\":", ",")) or (f.number(f.between(c["payload raw"], "\"batch\": ", ",")) or (f.number(f.between(c["payload raw"], "\"batch\":", "}")) or f.number(f.between(c["payload raw"], "\"batch\": ", "}"))))) == 1)))]],
    "c",
  },
  { [[((not f.starts(c.subject, "$")) and (c.reply_to ~= nil))]], "c" },
  {
    [[f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], K.DUPLICATE, "rue") == nil)]],
    "c",
  },
  { [[(c.reply_to == nil) and (f.item(c["headers[]"], "Nats-Msg-Id") ~= nil)]], "c" },
  {
    [[(f.begins(c["payload raw"], K.VERDICTS) ~= nil) and (not f.starts(c.subject, "$JS.ACK.")) and (not f.starts(c.subject, "$JS."))]],
    "c",
  },
  { [[(f.begins(c["payload raw"], K.VERDICTS) ~= nil)]], "c" },
  { [[f.starts(c.subject, "$JS.ACK.") and (f.token(c.subject, 8) == nil)]], "c" },
  {
    [[f.starts(c.reply_to, "$JS.ACK.") and (f.number(f.token(c.reply_to, 4)) == 1) and (not f.starts(f.token(c.reply_to, 2), "KV_")) and (not f.starts(f.token(c.reply_to, 2), "OBJ_"))]],
    "c",
  },
  { [[(c.reply_to == nil) and f.starts(c.subject, "$JS.API.")]], "c" },
  { [=[LISTS[33][c.subject]]=], "c" },
  {
    [[((c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.") and (f.called(c.subject, K.JETSTREAM) == "consumer msg next") and (f.between(c["payload raw"], "expires", "") == nil) and (f.between(c["payload raw"], "no_wait", "") == nil))]],
    "c",
  },
  { [[((c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.STREAM.MSG.DELETE."))]], "c" },
  { [[f.starts(c.subject, "$JS.API.STREAM.UPDATE.")]], "c" },
  {
    [=[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]]=],
    "c",
  },
  {
    [=[(c.reply_to ~= nil) and ((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) or f.starts(c.subject, "$JS.API.STREAM.CREATE.") or f.starts(c.subject, "$JS.API.STREAM.UPDATE.")) and LISTS[34][(f.number(f.between(c["payload raw"], "\"num_replicas\":", ",")) or (f.number(f.between(c["payload raw"], "\"num_replicas\": ", ",")) or (f.number(f.between(c["payload raw"], "\"num_replicas\":", "}")) or f.number(f.between(c["payload raw"], "\"num_replicas\": ", "}")))))]]=],
    "c",
  },
  { [[f.starts(c.reply_to, "$JS.ACK.") and (f.number(f.token(c.reply_to, 4)) == 2)]], "c" },
  { [[f.starts(c.subject, "$JS.EVENT.")]], "c" },
  {
    [[f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (f.between(c["payload raw"], "opt_start_time", "") ~= nil)]],
    "c",
  },
  { [[(c.queue_group ~= nil) and f.starts(c.subject, "$SRV.")]], "c" },
  {
    [[(((f.item(c["headers[]"], "Nats-Service-Error") ~= nil) and (f.item(c["headers[]"], "Nats-Service-Error-Code") == nil)) or ((f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil) and (f.item(c["headers[]"], "Nats-Service-Error") == nil)) or ((f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil) and ((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) == nil) or ((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) or 1) <= 0))))]],
    "c",
  },
  {
    [[(c.status == nil) and (((f.item(c["headers[]"], "Nats-Service-Error") ~= nil) and (f.item(c["headers[]"], "Nats-Service-Error-Code") == nil)) or ((f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil) and (f.item(c["headers[]"], "Nats-Service-Error") == nil)) or ((f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil) and ((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) == nil) or ((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) or 1) <= 0))))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$KV.") and (f.item(c["headers[]"], "KV-Operation") == "PURGE") and (f.coalesce(f.item(c["headers[]"], "Nats-Rollup"), "") == "")]],
    "c",
  },
  { [[f.starts(c.subject, "$KV.") and (f.item(c["headers[]"], "Nats-Rollup") == "all")]], "c" },
  {
    [=[((c["#payload"] or 0) > 0) and f.starts(c.subject, "$KV.") and LISTS[32][f.item(c["headers[]"], "KV-Operation")]]=],
    "c",
  },
  {
    [[(c.reply_to ~= nil) and (f.starts(c.subject, "$JS.API.STREAM.MSG.GET.OBJ_") or f.starts(c.subject, "$JS.API.DIRECT.GET.OBJ_") or f.starts(c.subject, "$JS.API.STREAM.PURGE.OBJ_") or f.starts(c.subject, "$JS.API.CONSUMER.CREATE.OBJ_"))]],
    "c",
  },
  {
    [[f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and (f.item(c["headers[]"], "Nats-Rollup") == nil)]],
    "c",
  },
  { [[(c.status == 404)]], "c" },
  { [=[LISTS[35][c.status]]=], "c" },
  { [[(c.status == 409) and f.starts(c.description, "Exceeded MaxWaiting")]], "c" },
  {
    [=[(f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") ~= nil and f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") ~= "404") and LISTS[27][f.between(c["payload raw"], "\"err_code\":", ",")]]=],
    "c",
  },
  {
    [=[(f.between(c["payload raw"], "{\"error\":{\"code\":", ",\"err_code\":") ~= nil) and LISTS[27][f.between(c["payload raw"], "\"err_code\":", ",")]]=],
    "c",
  },
  { [[(c.reply_to ~= nil) and f.starts(c.subject, "$JS.API.CONSUMER.DELETE.")]], "c" },
  { [[((c["#payload"] or 2) > 2) and (not f.starts(c.subject, "$JS."))]], "c" },
  { [[((c["#payload"] or 11) >= 12) and (not f.starts(c.subject, "$JS."))]], "c" },
  { [[((c.jwt ~= nil) or (c.auth_token ~= nil))]], "c" },
  {
    [[f.starts(c.subject, "$JS.API.STREAM.PURGE.") and (c.reply_to ~= nil) and ((f.between(c["payload raw"], "\"filter\":\"", "\"") or f.between(c["payload raw"], "\"filter\": \"", "\"")) ~= nil) and (f.between(c["payload raw"], "\"keep\":", "") == nil) and (f.between(c["payload raw"], "\"seq\":", "") == nil) and (not f.starts((f.between(c["payload raw"], "\"filter\":\"", "\"") or f.between(c["payload raw"], "\"filter\": \"", "\"")), "$O."))]],
    "c",
  },
}

local TALLIED = {
  frames = { side = true },
  last_n = { served = true, side = true, sub = true },
  last_t = { side = true },
}

local CONTEXT = {} -- object, field, slot with its value

local PAIRS = {
  {
    name = "request",
    asks = "client:pub client:hpub",
    answers = "msg hmsg",
    key = "reply_to",
    answer_key = "subject",
    guard = 1,
    keep = { subject = "subject" },
  },
  {
    name = "service",
    asks = "msg hmsg",
    answers = "client:pub client:hpub",
    key = "reply_to",
    answer_key = "subject",
    guard = 1,
    keep = { asked_subject = "subject" },
  },
  { name = "ping", asks = "ping", answers = "pong", keep = { ping_n = { [[n]], "n" } } },
  {
    name = "ok",
    asks = "client:connect client:pub client:hpub client:sub client:unsub",
    answers = "ok err",
    when = { [[conn.verbose]], "conn" },
    answer_when = {
      [[((name == "ok") or LISTS[1][c.message] or f.starts(c.message, "Permissions Violation"))]],
      "c name",
    },
    done = {
      [[((name == "ok") or (c.message ~= nil and c.message ~= "Invalid Publish Subject"))]],
      "c name",
    },
    keep = { line = { [[name]], "name" } },
  },
}

local LIVES = {
  {
    name = "conn",
    type = "connection",
    scope = "connection",
    keys = {},
    steps = {
      { from = { absent = true, unknown = true }, on = "info", to = "greeted" },
      { from = { absent = true, greeted = true, unknown = true }, on = "connect", to = "open" },
      { from = { greeted = true, open = true }, on = "err", to = "refused", guard = 2 },
      { from = { absent = true, greeted = true, unknown = true }, on = "client:any", to = "open" },
      { from = { absent = true, unknown = true }, on = "any", to = "open" },
    },
    each = {},
    final = {},
    live = {},
    starts = { published = 0, delivered = 0, errors = 0, no_responders = 0 },
  },
  {
    name = "sub",
    type = "subscription",
    scope = "connection",
    keys = { { on = "sub unsub msg hmsg", key = "sid" } },
    steps = {
      { from = { absent = true }, on = "sub", to = "live" },
      { from = { live = true, unknown = true }, on = "unsub", to = "removed", guard = 3 },
      {
        from = { live = true },
        on = "unsub",
        to = "removed",
        guard = 4,
        when = { [[(sub.delivered ~= nil and c.max_msgs ~= nil and sub.delivered >= c.max_msgs)]], "c sub" },
      },
      {
        from = { live = true },
        on = "msg hmsg",
        to = "removed",
        when = { [[(sub.delivered ~= nil and sub.limit ~= nil and sub.delivered >= sub.limit)]], "sub" },
      },
      { from = { unknown = true }, on = "msg hmsg", to = "live" },
    },
    each = {},
    final = { removed = true },
    live = { live = true },
    starts = { delivered = 0, bytes = 0 },
  },
  {
    name = "asked",
    type = "request",
    scope = "connection",
    keys = {
      { on = "client:pub client:hpub", key = "reply_to", guard = 5 },
      { on = "msg hmsg", key = "subject" },
      { on = "client:sub", key = "subject" },
    },
    steps = {
      { from = { absent = true }, on = "pub hpub", to = "asked", guard = 1 },
      { from = { asked = true }, on = "hmsg", to = "no_responders", guard = 6 },
      { from = { asked = true }, on = "msg hmsg", to = "answered" },
    },
    each = {},
    final = { answered = true, no_responders = true },
    live = {},
    starts = {},
  },
  {
    name = "served",
    type = "service",
    scope = "connection",
    keys = { { on = "msg hmsg", key = "reply_to" }, { on = "pub hpub", key = "subject" } },
    steps = {
      { from = { absent = true }, on = "msg hmsg", to = "waiting", guard = 1 },
      {
        from = { in_progress = true, waiting = true },
        on = "pub hpub",
        to = "in_progress",
        guard = 7,
      },
      { from = { in_progress = true, waiting = true }, on = "pub hpub", to = "answered" },
    },
    each = {},
    final = { answered = true },
    live = {},
    starts = {},
  },
  {
    name = "pull",
    type = "pull",
    scope = "connection",
    keys = {
      { on = "client:pub client:hpub", key = "reply_to", guard = 8 },
      { on = "server:hmsg", key = "subject" },
    },
    steps = {
      { from = { absent = true }, on = "pub hpub", to = "asked", guard = 1 },
      { from = { asked = true }, on = "server:hmsg", to = "over", guard = 9 },
    },
    each = {},
    final = { over = true },
    live = {},
    starts = {},
  },
  {
    name = "msg_id",
    scope = "capture",
    keys = {
      {
        on = "client:hpub",
        key = { [[f.key(f.key(server, c.subject), f.item(c["headers[]"], "Nats-Msg-Id"))]], "c server" },
      },
      {
        on = "msg hmsg",
        key = {
          [[((asked.msg_id ~= nil) and f.key(f.key(server, asked.subject), asked.msg_id) or nil)]],
          "asked server",
        },
      },
    },
    steps = { { from = { absent = true, unknown = true }, on = "client:hpub", to = "used" } },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "refused",
    scope = "capture",
    keys = {
      {
        on = "msg",
        key = {
          [[((((asked.state == "asked") and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= "maximum messages per subject exceeded")) or ((asked.state == "asked") and (f.between(c["payload raw"], "error\":{\"code\":", ",") == nil))) and f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject), f.coalesce(asked.reads, "")) or nil)]],
          "c asked client server conn",
        },
      },
      {
        on = "hmsg",
        key = {
          [[((((asked.state == "asked") and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= "maximum messages per subject exceeded")) or ((asked.state == "asked") and (f.between(c["payload raw"], "error\":{\"code\":", ",") == nil))) and f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject), f.coalesce(asked.reads, "")) or nil)]],
          "c asked client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "unheard",
    scope = "capture",
    keys = {
      {
        on = "hmsg",
        key = {
          [[((((asked.state == "asked") and (c.status == 503)) or ((asked.state == "asked") and (c.status == nil))) and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject) or nil)]],
          "c asked client server conn",
        },
      },
      {
        on = "msg",
        key = {
          [[((asked.state == "asked") and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject) or nil)]],
          "asked client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shut_out",
    scope = "capture",
    keys = {
      {
        on = "err",
        key = {
          [[f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, ""))]],
          "client server conn",
        },
        guard = 10,
      },
      {
        on = "server:pong",
        key = {
          [[((conn.welcomed == nil) and f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")) or nil)]],
          "conn client server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "erred",
    scope = "capture",
    keys = {
      {
        on = "err",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), (f.between(c.message, "", " to ") or c.message))]],
          "c client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "empty_pulls",
    scope = "connection",
    keys = {
      {
        on = "server:hmsg",
        key = {
          [[f.choose(((pull.state == "asked") and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0)) and ((c.status == 404) or ((c.status == 408) and (pull.t ~= nil and (t - pull.t) < K.POLL_PAUSE)))), pull.subject, nil)]],
          "c pull conn t",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "pulled_in_vain",
    scope = "connection",
    keys = {
      {
        on = "server:hmsg",
        key = { [[f.choose((pull.state == "asked"), pull.subject, nil)]], "pull" },
        guard = 11,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "polled",
    scope = "connection",
    keys = {
      { on = "client:pub", key = "subject", guard = 12 },
      { on = "client:hpub", key = "subject", guard = 12 },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "redelivered",
    scope = "capture",
    keys = {
      {
        on = "msg",
        key = {
          [[(((handed.put_off_n == nil) or (f.number(f.token(c.reply_to, 4)) ~= nil and f.number(f.token(c.reply_to, 4)) > K.PUT_OFF_LIMIT)) and f.key(f.key(f.key(server, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)), f.token(c.reply_to, 5)) or nil)]],
          "c handed server",
        },
        guard = 13,
      },
      {
        on = "hmsg",
        key = {
          [[(((handed.put_off_n == nil) or (f.number(f.token(c.reply_to, 4)) ~= nil and f.number(f.token(c.reply_to, 4)) > K.PUT_OFF_LIMIT)) and f.key(f.key(f.key(server, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)), f.token(c.reply_to, 5)) or nil)]],
          "c handed server",
        },
        guard = 13,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "created",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)))]],
          "c client server conn",
        },
        guard = 14,
      },
      {
        on = "client:hpub",
        key = {
          [[f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)))]],
          "c client server conn",
        },
        guard = 14,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "consumers_remade",
    scope = "connection",
    keys = {
      {
        on = "client:pub",
        key = { [[f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))]], "c" },
        guard = 15,
      },
      {
        on = "client:hpub",
        key = { [[f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))]], "c" },
        guard = 15,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "streams_created",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[((c.subject ~= nil and c.subject ~= f.coalesce(conn.stream_subject, "")) and f.key(f.key(client, server), f.coalesce(conn.client_name, "")) or nil)]],
          "c conn client server",
        },
        guard = 16,
      },
      {
        on = "client:hpub",
        key = {
          [[((c.subject ~= nil and c.subject ~= f.coalesce(conn.stream_subject, "")) and f.key(f.key(client, server), f.coalesce(conn.client_name, "")) or nil)]],
          "c conn client server",
        },
        guard = 16,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "ensured",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.token(c.subject, 4))]],
          "c client server conn",
        },
        guard = 17,
      },
      {
        on = "client:hpub",
        key = {
          [[f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.token(c.subject, 4))]],
          "c client server conn",
        },
        guard = 17,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "key_polled",
    scope = "connection",
    keys = {
      {
        on = "client:pub",
        key = { [[f.key(c.subject, f.digest(c["payload raw"]))]], "c" },
        guard = 18,
      },
      {
        on = "client:hpub",
        key = { [[f.key(c.subject, f.digest(c["payload raw"]))]], "c" },
        guard = 18,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "echoed",
    scope = "connection",
    keys = {
      {
        on = "msg",
        key = {
          [[f.choose(((c.subject ~= nil and conn.sent_subject ~= nil and c.subject == conn.sent_subject) and (conn.caused ~= nil and (t - conn.caused) < 10000000)), c.subject, nil)]],
          "c conn t",
        },
      },
      {
        on = "hmsg",
        key = {
          [[f.choose(((c.subject ~= nil and conn.sent_subject ~= nil and c.subject == conn.sent_subject) and (conn.caused ~= nil and (t - conn.caused) < 10000000)), c.subject, nil)]],
          "c conn t",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "reconnected",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[9][why]) and f.key(f.key(client, server), f.coalesce(conn.client_name, "")) or nil)]],
          "why client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "reconnected_often",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[9][why]) and f.key(f.key(client, server), f.coalesce(conn.client_name, "")) or nil)]],
          "why client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "inbox_per_request",
    scope = "connection",
    keys = {
      {
        on = "end:sub",
        key = { [[f.choose((why ~= nil and not LISTS[9][why]), flow, nil)]], "why flow" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "copies",
    scope = "connection",
    keys = { { on = "end:sub", key = { [[sub.subject]], "sub" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "silent",
    scope = "capture",
    keys = {
      {
        on = "end:asked",
        key = {
          [[(((asked.state == "asked") and (asked.meaning == nil) and (asked.t ~= nil and (t - asked.t) > K.REPLY_TIME) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (f.starts(asked.id, "_INBOX") or f.has(conn.subjects, asked.id) or f.matching(asked.id, f.coalesce(conn.wide_subject, ""))) and LISTS[10][why]) and f.key(f.key(client, server), asked.subject) or nil)]],
          "asked t conn why client server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "subscribed_twice",
    scope = "connection",
    keys = {
      { on = "client:sub", key = { [[f.key(c.subject, server)]], "c server" }, guard = 19 },
      {
        on = "end:sub",
        key = { [[f.key(f.choose((sub.queue == nil), sub.subject, nil), server)]], "sub server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "again",
    scope = "connection",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[f.key(f.key(f.token(c.reply_to, 2), f.token(c.reply_to, 3)), f.token(c.reply_to, 5))]],
          "c",
        },
        guard = 13,
      },
      {
        on = "client:pub client:hpub",
        key = { [[f.key(f.key(f.token(c.subject, 2), f.token(c.subject, 3)), f.token(c.subject, 5))]], "c" },
        guard = 20,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "consumed",
    scope = "connection",
    keys = {
      {
        on = "msg",
        key = {
          [[(((sub.pull_n == nil) and (sub.queue == nil) and (sub.state == "live")) and f.key(f.key(c.sid, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)) or nil)]],
          "c sub",
        },
        guard = 21,
      },
      {
        on = "hmsg",
        key = {
          [[(((sub.pull_n == nil) and (sub.queue == nil) and (sub.state == "live")) and f.key(f.key(c.sid, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)) or nil)]],
          "c sub",
        },
        guard = 21,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "emptied",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = { [[f.key(server, f.token(c.subject, 4))]], "c server" },
        guard = 22,
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and LISTS[6][asked.meaning]) and f.key(server, conn.create_stream) or nil)]],
          "asked server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "team",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[(f.starts(c.reply_to, "$JS.ACK.") and f.key(f.key(server, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)) or not f.starts(c.reply_to, "$JS.ACK.") and (LISTS[11][asked.meaning] and f.key(f.key(server, f.between(c["payload raw"], "\"stream_name\":\"", "\"")), f.between(c["payload raw"], "\"name\":\"", "\"")) or nil) or nil)]],
          "c server asked",
        },
      },
      {
        on = "client:pub client:hpub",
        key = {
          [[(f.starts(c.subject, "$JS.ACK.") and f.key(f.key(server, f.token(c.subject, 2)), f.token(c.subject, 3)) or not f.starts(c.subject, "$JS.ACK.") and (f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") and f.key(f.key(server, f.token(c.subject, 4)), f.token(c.subject, 5)) or nil) or nil)]],
          "c server",
        },
      },
      {
        on = "end:conn",
        key = {
          [[((conn.ack_to ~= nil) and f.key(f.key(server, f.token(conn.ack_to, 2)), f.token(conn.ack_to, 3)) or nil)]],
          "conn server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "handed",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[(((team.again_n ~= nil) or ((f.number(f.token(c.reply_to, 4)) or 1) > 1)) and f.key(f.key(f.key(server, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)), f.token(c.reply_to, 5)) or nil)]],
          "c team server",
        },
        guard = 21,
      },
      {
        on = "client:pub client:hpub",
        key = {
          [[((team.again_n ~= nil) and f.key(f.key(f.key(server, f.token(c.subject, 2)), f.token(c.subject, 3)), f.token(c.subject, 5)) or nil)]],
          "c team server",
        },
        guard = 20,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "listing",
    scope = "connection",
    keys = {
      { on = "client:pub client:hpub", key = "subject", guard = 23 },
      {
        on = "msg hmsg",
        key = { [[f.choose(LISTS[12][asked.meaning], asked.subject, nil)]], "asked" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "configured",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.key(f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)))]],
          "c server",
        },
        guard = 24,
      },
      {
        on = "client:hpub",
        key = {
          [[f.key(f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)))]],
          "c server",
        },
        guard = 24,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "consumer",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[((sub.pull_n == nil) and f.key(f.key(server, f.token(c.reply_to, 2)), f.token(c.reply_to, 3)) or nil)]],
          "c sub server",
        },
        guard = 21,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "durables",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (f.between(c["payload raw"], K.DURABLE, K.COLON) ~= nil)) and f.key(f.key(f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), "")), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))), f.len(f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)))) or not (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (f.between(c["payload raw"], K.DURABLE, K.COLON) ~= nil)) and (f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") and f.key(f.key(f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), "")), f.token(c.subject, 4)), f.len(f.token(c.subject, 5))) or nil) or nil)]],
          "c client server conn",
        },
      },
      {
        on = "end:conn",
        key = {
          [[((conn.durable_stream ~= nil) and f.key(f.key(f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), "")), conn.durable_stream), conn.durable_length) or nil)]],
          "conn client server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "inbox",
    scope = "capture",
    keys = {
      { on = "client:sub", key = { [[f.key(server, c.subject)]], "c server" }, guard = 25 },
      {
        on = "end:sub",
        key = { [[(f.starts(sub.subject, "_INBOX.") and f.key(server, sub.subject) or nil)]], "sub server" },
      },
      {
        on = "client:pub client:hpub",
        key = { [[f.key(server, c.subject)]], "c server" },
        guard = 25,
      },
    },
    steps = {
      { from = { absent = true, unknown = true }, on = "client:sub", to = "listened" },
      { from = { gone = true }, on = "client:sub", to = "listened" },
    },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "network",
    scope = "capture",
    keys = {
      { on = "client:pub client:hpub", key = { [[server]], "server" }, guard = 26 },
      { on = "client:sub", key = { [[server]], "server" } },
      {
        on = "msg hmsg",
        key = { [[f.choose((asked.meaning == "stream create"), server, nil)]], "asked server" },
      },
      { on = "end:sub", key = { [[f.choose((sub.delivered == 0), server, nil)]], "sub server" } },
      {
        on = "end:conn",
        key = { [[f.choose(((conn.push_to ~= nil) or (conn.filter ~= nil)), server, nil)]], "conn server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "before",
    scope = "capture",
    keys = {
      {
        on = "client:sub end:sub end:conn server:tcp.close server:tcp.reset",
        key = {
          [[f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, ""))]],
          "client conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "limited",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[((sub.limit ~= nil) and f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), sub.subject) or nil)]],
          "sub client conn",
        },
      },
      {
        on = "client:unsub",
        key = {
          [[f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), sub.subject)]],
          "client conn sub",
        },
        guard = 27,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "grouped",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[((sub.queue ~= nil) and f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), sub.subject) or nil)]],
          "sub client conn",
        },
      },
      {
        on = "client:sub",
        key = {
          [[f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), c.subject)]],
          "c client conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "place",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[(LISTS[6][asked.meaning] and f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), conn.create_stream) or nil)]],
          "asked client conn",
        },
      },
      {
        on = "end:conn",
        key = {
          [[((conn.ack_to ~= nil) and f.key(f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), f.token(conn.ack_to, 2)) or nil)]],
          "conn client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "resident",
    scope = "capture",
    keys = {
      {
        on = "client:ping end:conn",
        key = {
          [[f.key(f.key(client, f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, ""))]],
          "client conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "home",
    scope = "capture",
    keys = {
      { on = "client:ping", key = { [[client]], "client" } },
      {
        on = "end:conn",
        key = {
          [[f.choose(((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil)), client, nil)]],
          "conn client",
        },
      },
      {
        on = "end:resident",
        key = { [[f.choose((resident.lost_t ~= nil), resident.client, nil)]], "resident" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "queue",
    scope = "capture",
    keys = {
      {
        on = "client:sub",
        key = {
          [[(((conn.client_name ~= nil) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(f.key(server, f.program(conn.client_name)), c.subject) or nil)]],
          "c conn server",
        },
      },
      {
        on = "end:sub",
        key = {
          [[((conn.client_name ~= nil) and f.key(f.key(server, f.program(conn.client_name)), sub.subject) or nil)]],
          "conn server sub",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "replica",
    scope = "capture",
    keys = {
      {
        on = "client:sub",
        key = {
          [[(((conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(f.key(f.key(f.key(server, f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")), c.subject) or nil)]],
          "c conn server client",
        },
        guard = 28,
      },
      {
        on = "end:sub",
        key = {
          [[(((sub.queue == nil) and (sub.delivered ~= nil and sub.delivered >= K.TWICE_LIMIT) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(f.key(f.key(f.key(server, f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")), sub.subject) or nil)]],
          "sub conn server client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "object",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "C")) and f.key(server, f.token(c.subject, 3)) or not (f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "C")) and ((f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M")) and f.key(server, (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\""))) or nil) or nil)]],
          "c server",
        },
        guard = 29,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "bucket",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[(f.starts(c.subject, "$JS.API.STREAM.CREATE.OBJ_") and f.key(server, f.between(c.subject, ".OBJ_", "")) or not f.starts(c.subject, "$JS.API.STREAM.CREATE.OBJ_") and ((f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M")) and f.key(server, f.token(c.subject, 1)) or nil) or nil)]],
          "c server",
        },
        guard = 30,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "named",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = { [[f.key(f.key(server, c.subject), f.coalesce(bucket.made_n, 0))]], "c server bucket" },
        guard = 31,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "former",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and (named.nuid ~= nil and (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")) ~= nil and named.nuid ~= (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")))) and f.key(server, named.nuid) or not (f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and (named.nuid ~= nil and (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")) ~= nil and named.nuid ~= (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")))) and (f.starts(c.subject, "$JS.API.STREAM.PURGE.OBJ_") and f.key(server, f.between(c["payload raw"], ".C.", "\"")) or nil) or nil)]],
          "c named server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "content",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))), c.subject, nil)]],
          "c conn",
        },
        guard = 32,
      },
      {
        on = "client:hpub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))), c.subject, nil)]],
          "c conn",
        },
        guard = 32,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "mixed",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))), c.subject, nil)]],
          "c conn",
        },
        guard = 32,
      },
      {
        on = "client:hpub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))), c.subject, nil)]],
          "c conn",
        },
        guard = 32,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "topic",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))), c.subject, nil)]],
          "c conn",
        },
        guard = 32,
      },
      { on = "client:sub", key = "subject", guard = 33 },
      {
        on = "end:sub",
        key = { [[f.choose((not f.starts(sub.subject, "_")), sub.subject, nil)]], "sub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "too_early",
    scope = "capture",
    keys = {
      {
        on = "client:sub",
        key = {
          [[((((topic.sent == 1) and (topic.heard_n == nil) and f.literal(c.subject) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.server ~= nil and server ~= nil and topic.server == server) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.EARLY_TIME) and (conn.cluster == nil) and (conn.peers == nil)) or ((not f.starts(c.subject, "_")) and f.literal(c.subject) and (topic.sent == nil))) and f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")) or nil)]],
          "c topic flow server t conn client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "listeners",
    scope = "capture",
    keys = { { on = "client:sub", key = { [[(size ~= nil and (0 * size) or nil)]], "size" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "copy",
    scope = "capture",
    keys = {
      {
        on = "client:hpub",
        key = { [[f.key(f.key(server, c.subject), f.digest(c["payload raw"]))]], "c server" },
        guard = 34,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "entry",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and (asked.key ~= nil) and (asked.key ~= nil and asked.subject ~= nil and asked.key == asked.subject)) and f.key(server, asked.key) or nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "unbeaten",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[(((conn.next_n ~= nil) and (conn.left == 1) and (conn.cut == nil) and LISTS[13][why] and (conn.beat ~= nil and conn.left_t ~= nil and conn.next_t ~= nil and (conn.beat * 3) <= ((conn.left_t - conn.next_t) * 2)) and (conn.left_t ~= nil and conn.next_t ~= nil and conn.beat ~= nil and (conn.left_t - conn.next_t) <= (conn.beat * 4))) and f.key(f.key(f.key(server, f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) or nil)]],
          "conn why server client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "quit",
    scope = "capture",
    keys = {
      {
        on = "end:served",
        key = {
          [[(((served.state == "waiting") and LISTS[13][why]) and f.key(f.key(f.key(server, f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) or nil)]],
          "served why server conn client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stopped",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[(((conn.unacked ~= nil and conn.unacked > 0) and (conn.acked_n ~= nil) and (conn.left == 1) and (conn.cut == nil)) and f.key(f.key(f.key(f.key(server, f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")), f.token(conn.ack_to, 3)) or nil)]],
          "conn server client",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "names_object",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[f.choose(((asked.meaning ~= nil) and (asked.state == "asked")), server, nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "keeper",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[(f.starts(c.subject, "$JS.API.STREAM.CREATE.") and f.key(server, f.token(c.subject, 4)) or not f.starts(c.subject, "$JS.API.STREAM.CREATE.") and ((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))) or nil) or nil)]],
          "c server",
        },
        guard = 35,
      },
      {
        on = "end:asked",
        key = { [[((asked.stream ~= nil) and f.key(server, asked.stream) or nil)]], "asked server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "endless",
    scope = "connection",
    keys = {
      { on = "client:pub", key = "subject", guard = 36 },
      { on = "client:hpub", key = "subject", guard = 36 },
      { on = "msg", key = { [[f.choose((conn.pulls ~= nil), conn.pulls, nil)]], "conn" }, guard = 21 },
      {
        on = "hmsg",
        key = { [[f.choose((conn.pulls ~= nil), conn.pulls, nil)]], "conn" },
        guard = 21,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "deleted_singly",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = { [[f.key(f.key(client, server), c.subject)]], "c client server" },
        guard = 37,
      },
      {
        on = "client:hpub",
        key = { [[f.key(f.key(client, server), c.subject)]], "c client server" },
        guard = 37,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "idle",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), ""))]],
          "client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "left",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), ""))]],
          "client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stream_configured",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = { [[f.key(server, f.token(c.subject, 4))]], "c server" },
        guard = 38,
      },
      {
        on = "client:hpub",
        key = { [[f.key(server, f.token(c.subject, 4))]], "c server" },
        guard = 38,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "catalogue",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))) or not (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and (f.starts(c.subject, "$JS.API.STREAM.UPDATE.") and f.key(server, f.token(c.subject, 4)) or nil) or nil)]],
          "c server",
        },
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and LISTS[14][asked.meaning]) and f.key(server, f.token(asked.subject, 4)) or nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "described",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and f.key(f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5))) or not (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and (f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") and f.key(f.key(server, f.token(c.subject, 4)), f.token(c.subject, 5)) or nil) or nil)]],
          "c server",
        },
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and (asked.meaning == "consumer info")) and f.key(f.key(server, f.token(asked.subject, 4)), f.token(asked.subject, 5)) or nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "mute",
    scope = "capture",
    keys = {
      { on = "client:pub client:hpub", key = { [[server]], "server" }, guard = 39 },
      {
        on = "end:asked",
        key = {
          [[f.choose(((asked.state == "asked") and (asked.meaning == nil)), server, nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "remade",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[16][f.token(c.subject, 3)]) and f.key(f.key(f.key(client, server), f.token(c.subject, 4)), "") or not (f.starts(c.subject, "$JS.API.STREAM.") and LISTS[16][f.token(c.subject, 3)]) and (f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") and f.key(f.key(f.key(client, server), f.token(c.subject, 4)), f.token(c.subject, 5)) or not f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") and ((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and f.key(f.key(f.key(client, server), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5))) or nil) or nil) or nil)]],
          "c client server",
        },
        guard = 40,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shared_durable",
    scope = "capture",
    keys = {
      {
        on = "client:pub",
        key = { [[((conn.client_name ~= nil) and f.key(server, c.subject) or nil)]], "c conn server" },
        guard = 41,
      },
      {
        on = "client:hpub",
        key = { [[((conn.client_name ~= nil) and f.key(server, c.subject) or nil)]], "c conn server" },
        guard = 41,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "bundle",
    scope = "connection",
    keys = {
      { on = "client:hpub", key = { [[f.item(c["headers[]"], "Nats-Batch-Id")]], "c" }, guard = 42 },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "brief_pulls",
    scope = "connection",
    keys = {
      {
        on = "server:hmsg",
        key = {
          [[f.choose(((pull.state == "asked") and (pull.t ~= nil and (t - pull.t) < K.BRIEF_PULL) and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0))), pull.subject, nil)]],
          "pull t conn",
        },
        guard = 43,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "job",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and f.key(f.key(f.key(f.key(f.key(server, f.token(c.subject, 2)), f.token(c.subject, 5)), f.coalesce(f.program(conn.client_name), client)), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) or nil)]],
          "c conn server client",
        },
        guard = 44,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stock",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[((((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil)) or ((asked.state == "asked") and (asked.meaning == "key value") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil))) and f.key(server, f.between(c["payload raw"], "\"stream\":\"", "\"")) or nil)]],
          "c asked server",
        },
      },
      {
        on = "end:conn",
        key = {
          [[(((conn.fed_stream ~= nil) or (conn.create_stream ~= nil)) and f.key(server, f.coalesce(conn.fed_stream, conn.create_stream)) or nil)]],
          "conn server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "resubscribed",
    scope = "connection",
    keys = {
      {
        on = "end:sub",
        key = { [[f.choose((why ~= nil and not LISTS[9][why]), sub.subject, nil)]], "why sub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "series",
    scope = "capture",
    keys = {
      { on = "client:sub", key = { [[f.key(server, f.stem(c.subject))]], "c server" }, guard = 45 },
      {
        on = "client:pub client:hpub",
        key = {
          [[((network.numbered ~= nil) and f.key(server, f.stem(c.subject)) or nil)]],
          "c network server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "workers",
    scope = "capture",
    keys = {
      {
        on = "client:sub",
        key = {
          [[((conn.client_name ~= nil) and f.key(f.key(server, c.subject), c.queue_group) or nil)]],
          "c conn server",
        },
        guard = 46,
      },
      {
        on = "end:sub",
        key = {
          [[(((sub.queue ~= nil) and (conn.client_name ~= nil)) and f.key(f.key(server, sub.subject), sub.queue) or nil)]],
          "sub conn server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "family",
    scope = "connection",
    keys = {
      {
        on = "client:sub",
        key = {
          [[(((conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(f.token(c.subject, 0), f.between(c.subject, f.stem(c.subject), "")) or nil)]],
          "c conn",
        },
        guard = 47,
      },
      {
        on = "end:sub",
        key = {
          [[((f.literal(sub.subject) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (f.token(sub.subject, 2) ~= nil) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(f.token(sub.subject, 0), f.between(sub.subject, f.stem(sub.subject), "")) or nil)]],
          "sub conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "service_refused",
    scope = "capture",
    keys = {
      {
        on = "hmsg",
        key = {
          [[(((asked.state == "asked") and (asked.meaning == nil) and (asked.content ~= nil)) and f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject), asked.content) or nil)]],
          "asked client server conn",
        },
        guard = 48,
      },
      {
        on = "msg",
        key = {
          [[(((asked.state == "asked") and (asked.content ~= nil)) and f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), asked.subject), asked.content) or nil)]],
          "asked client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "failing",
    scope = "capture",
    keys = {
      {
        on = "msg",
        key = {
          [[((((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[18][f.between(c["payload raw"], "\"err_code\":", ",")])) or ((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") == nil))) and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), f.coalesce(asked.meaning, "")) or nil)]],
          "c asked client server conn",
        },
      },
      {
        on = "hmsg",
        key = {
          [[((((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[18][f.between(c["payload raw"], "\"err_code\":", ",")])) or ((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") == nil))) and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), f.coalesce(asked.meaning, "")) or nil)]],
          "c asked client server conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "unheard_kind",
    scope = "capture",
    keys = {
      {
        on = "hmsg",
        key = {
          [[((((c.status == 503) and (asked.state == "asked") and (asked.meaning == nil) and (f.token(asked.subject, 1) ~= nil) and (asked.subject ~= nil and asked.subject ~= f.coalesce(conn.unheard_last, ""))) or ((conn.unheard_last ~= nil) and (asked.state == "asked") and (c.status == nil))) and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), f.stem(asked.subject)) or nil)]],
          "c asked conn client server",
        },
      },
      {
        on = "msg",
        key = {
          [[((((conn.unheard_last ~= nil) or (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)) and (asked.state == "asked") and (asked.meaning == nil)) and f.key(f.key(f.key(f.key(client, server), f.coalesce(conn.client_name, "")), f.coalesce(conn.client_product, "")), f.stem(asked.subject)) or nil)]],
          "conn asked client server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "twin",
    scope = "connection",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.key(c.subject, f.digest(c["payload raw"])) or nil)]],
          "c conn",
        },
        guard = 49,
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.content ~= nil) and (asked.state == "asked")) and f.key(asked.subject, asked.content) or nil)]],
          "asked",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "asked_again",
    scope = "connection",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (twin.open ~= nil and twin.open >= 1) and (twin.asked_t ~= nil and (t - twin.asked_t) > K.ASKED_PAUSE)), c.subject, nil)]],
          "c conn twin t",
        },
        guard = 49,
      },
      {
        on = "client:hpub",
        key = {
          [[f.choose(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (twin.open ~= nil and twin.open >= 1) and (twin.asked_t ~= nil and (t - twin.asked_t) > K.ASKED_PAUSE)), c.subject, nil)]],
          "c conn twin t",
        },
        guard = 49,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "requeued",
    scope = "connection",
    keys = {
      {
        on = "client:pub",
        key = {
          [[f.choose(((conn.bodies ~= nil) and (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and f.has(conn.bodies, f.member(c.subject, f.digest(c["payload raw"])))), c.subject, nil)]],
          "c conn",
        },
      },
      {
        on = "client:hpub",
        key = {
          [[f.choose(((conn.bodies ~= nil) and (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and f.has(conn.bodies, f.member(c.subject, f.digest(c["payload raw"])))), c.subject, nil)]],
          "c conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "used",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = { [[((conn.uses == nil) and f.key(server, f.token(c.reply_to, 2)) or nil)]], "c conn server" },
        guard = 21,
      },
      {
        on = "client:pub client:hpub",
        key = { [[f.key(server, f.token(c.subject, 4))]], "c server" },
        guard = 50,
      },
      {
        on = "end:conn",
        key = { [[((conn.uses ~= nil) and f.key(server, conn.uses) or nil)]], "conn server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "siblings",
    scope = "connection",
    keys = {
      {
        on = "client:sub",
        key = {
          [[(((conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.stem(c.subject) or nil)]],
          "c conn",
        },
        guard = 51,
      },
      {
        on = "end:sub",
        key = {
          [[((f.literal(sub.subject) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (f.token(sub.subject, 1) ~= nil) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and f.stem(sub.subject) or nil)]],
          "sub conn",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "rest",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = { [[f.key(f.key(server, f.token(c.subject, 5)), f.token(c.subject, 6))]], "c server" },
        guard = 52,
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and LISTS[19][asked.meaning]) and f.key(f.key(server, f.token(asked.subject, ((f.token(asked.subject, 3) == "DURABLE") and 5 or 4))), f.token(asked.subject, ((f.token(asked.subject, 3) == "DURABLE") and 6 or 5))) or nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "newest",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[f.key(server, (f.between(c["payload raw"], "\"filter\":\"", "\"") or f.between(c["payload raw"], "\"filter\": \"", "\"")))]],
          "c server",
        },
        guard = 53,
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], "\"error\":", "{") == nil)) and f.key(server, asked.subject) or not ((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], "\"error\":", "{") == nil)) and (f.starts(c.reply_to, "$JS.ACK.") and f.key(server, c.subject) or nil) or nil)]],
          "c asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "contest",
    scope = "capture",
    keys = {
      {
        on = "msg hmsg",
        key = {
          [[(((asked.compares ~= nil) and (asked.state == "asked")) and f.key(server, asked.compares) or nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "origin",
    scope = "capture",
    keys = {
      {
        on = "client:pub client:hpub",
        key = {
          [[((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil)) and f.key(server, f.coalesce((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")), f.token(c.subject, 4))) or not (f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil)) and ((f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and f.key(server, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))) or not (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)]) and ((f.starts(c.subject, "$JS.API.CONSUMER.DELETE.") or f.starts(c.subject, "$JS.API.STREAM.PURGE.")) and f.key(server, f.token(c.subject, 4)) or nil) or nil) or nil)]],
          "c server",
        },
        guard = 35,
      },
      {
        on = "msg hmsg",
        key = {
          [[(((asked.state == "asked") and (asked.meaning == "stream delete")) and f.key(server, f.token(asked.subject, 4)) or not ((asked.state == "asked") and (asked.meaning == "stream delete")) and (((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil)) and f.key(server, f.between(c["payload raw"], "\"stream\":\"", "\"")) or not ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil)) and ((conn.put_off ~= nil and conn.put_off > 0) and f.key(server, f.token(conn.ack_to, 2)) or nil) or nil) or nil)]],
          "c asked server conn",
        },
      },
      { on = "timer:stalled", key = { [[f.key(server, f.token(conn.ack_to, 2))]], "server conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "removed",
    scope = "capture",
    keys = {
      { on = "client:pub client:hpub", key = { [[server]], "server" }, guard = 54 },
      {
        on = "msg hmsg",
        key = {
          [[f.choose(((asked.state == "asked") and (asked.meaning == "stream delete")), server, nil)]],
          "asked server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "captures",
    scope = "capture",
    keys = {
      { on = "tcp.gap tcp.resync", key = { [[(0 * t)]], "t" }, guard = 55 },
      {
        on = "end:conn",
        key = { [[f.choose((conn.start and conn.whole and conn.both), nil, (0 * t))]], "conn t" },
      },
      {
        on = "end:asked",
        key = { [[f.choose((LISTS[13][why] and (asked.state == "asked")), (0 * t), nil)]], "why asked t" },
      },
      {
        on = "client:pub",
        key = {
          [[f.choose(((f.starts(c.subject, "$JS.ACK.") and (handed.delivery ~= nil and f.number(f.token(c.subject, 4)) ~= nil and handed.delivery > f.number(f.token(c.subject, 4)))) or (f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and LISTS[15][(f.between(c["payload raw"], "\"deleted\":", "rue") or "")] and (f.count(bucket.markers) ~= nil and f.count(bucket.markers) == (K.MARKERS_LIMIT - 1)) and (f.has(bucket.markers, c.subject) ~= nil and not f.has(bucket.markers, c.subject))) or (f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and (f.token(c.subject, 3) == "CREATE") and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) == nil) and (origin.copy ~= nil) and (origin.deleted_n ~= nil and origin.copy_n ~= nil and origin.deleted_n > origin.copy_n) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy))) or ((origin.queue_n ~= nil) and ((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) ~= nil) and (f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "filter_subject", "") == nil) and (origin.consumer_n ~= nil)) or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (origin.copy ~= nil) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy)) and (origin.is_whole == 1))))), (0 * t), nil)]],
          "c handed bucket origin removed t",
        },
      },
      {
        on = "client:hpub",
        key = {
          [[f.choose(((f.starts(c.subject, "$JS.ACK.") and (handed.delivery ~= nil and f.number(f.token(c.subject, 4)) ~= nil and handed.delivery > f.number(f.token(c.subject, 4)))) or (f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and LISTS[15][(f.between(c["payload raw"], "\"deleted\":", "rue") or "")] and (f.count(bucket.markers) ~= nil and f.count(bucket.markers) == (K.MARKERS_LIMIT - 1)) and (f.has(bucket.markers, c.subject) ~= nil and not f.has(bucket.markers, c.subject))) or (f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and (f.token(c.subject, 3) == "CREATE") and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) == nil) and (origin.copy ~= nil) and (origin.deleted_n ~= nil and origin.copy_n ~= nil and origin.deleted_n > origin.copy_n) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy))) or ((origin.queue_n ~= nil) and ((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) ~= nil) and (f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "filter_subject", "") == nil) and (origin.consumer_n ~= nil)) or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (origin.copy ~= nil) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy)) and (origin.is_whole == 1))))), (0 * t), nil)]],
          "c handed bucket origin removed t",
        },
      },
      {
        on = "msg",
        key = {
          [[f.choose((((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.begin_at ~= nil and f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) ~= nil and conn.begin_at > (f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) + 1)) and ((f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) or 0) > 0)) or ((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.durable ~= nil) and (team.top ~= nil and team.top > 0) and (f.between(c["payload raw"], "\"deliver_policy\":\"", "\"") == "all") and (f.number(f.between(c["payload raw"], "\"delivered\":{\"consumer_seq\":", ",")) == 0) and (((f.number(f.between(c["payload raw"], "\"num_pending\":", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\": ", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\":", "}")) or f.number(f.between(c["payload raw"], "\"num_pending\": ", "}"))))) or 0) > 0) and (team.top_n ~= nil and f.coalesce(emptied.removed_n, -1) < team.top_n)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule ~= nil)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule == nil)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (asked.n ~= nil and origin.start_n ~= nil and asked.n > origin.start_n) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and origin.start ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) < origin.start) and (origin.below ~= nil and (origin.below + 1) >= K.BELOW_LIMIT))), (0 * t), nil)]],
          "c asked conn place team emptied origin t",
        },
      },
      {
        on = "hmsg",
        key = {
          [[f.choose((((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.begin_at ~= nil and f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) ~= nil and conn.begin_at > (f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) + 1)) and ((f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) or 0) > 0)) or ((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.durable ~= nil) and (team.top ~= nil and team.top > 0) and (f.between(c["payload raw"], "\"deliver_policy\":\"", "\"") == "all") and (f.number(f.between(c["payload raw"], "\"delivered\":{\"consumer_seq\":", ",")) == 0) and (((f.number(f.between(c["payload raw"], "\"num_pending\":", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\": ", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\":", "}")) or f.number(f.between(c["payload raw"], "\"num_pending\": ", "}"))))) or 0) > 0) and (team.top_n ~= nil and f.coalesce(emptied.removed_n, -1) < team.top_n)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule ~= nil)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule == nil)) or ((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (asked.n ~= nil and origin.start_n ~= nil and asked.n > origin.start_n) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and origin.start ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) < origin.start) and (origin.below ~= nil and (origin.below + 1) >= K.BELOW_LIMIT))), (0 * t), nil)]],
          "c asked conn place team emptied origin t",
        },
      },
      {
        on = "end:replica",
        key = {
          [[f.choose(((replica.second_n ~= nil) and ((f.count(replica.served) or 1) >= 2)), (0 * t), nil)]],
          "replica t",
        },
      },
      {
        on = "client:sub",
        key = {
          [[f.choose((((topic.sent ~= nil and topic.sent >= K.MISSED_LIMIT) and (topic.heard_n == nil) and (listeners.wide_n == nil) and (conn.cluster == nil)) or ((too_early.times ~= nil and (too_early.times + 1) >= K.EARLY_LIMIT) and ((topic.sent == 1) and (topic.heard_n == nil) and f.literal(c.subject) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.server ~= nil and server ~= nil and topic.server == server) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.EARLY_TIME) and (conn.cluster == nil) and (conn.peers == nil)) and (too_early.latest_t ~= nil and (t - too_early.latest_t) <= 60000000000.0))), (0 * t), nil)]],
          "c topic listeners conn too_early flow server t",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
}

local MOVES = {
  { on = "info", guard = 56, does = { [[conn.max_payload = c.max_payload]], "c conn" } },
  { on = "info", guard = 57, does = { [[conn.headers_known = c.headers]], "c conn" } },
  { on = "info", guard = 58, does = { [[conn.tls_required = 1]], "conn" } },
  { on = "info", guard = 59, does = { [[conn.nonce = 1]], "conn" } },
  { on = "info", guard = 60, does = { [[conn.ldm_n = n]], "conn n" } },
  {
    on = "server:tcp.close server:tcp.reset",
    when = { [[(conn.left == nil)]], "conn" },
    does = { [[conn.cut = 1]], "conn" },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    does = { [[conn.left = 1; conn.left_t = t]], "conn t" },
  },
  { on = "server:tcp.close", does = { [[conn.dropped = 1]], "conn" } },
  { on = "client:tcp.zero_window", does = { [[conn.shut_t = t]], "conn t" } },
  { on = "server:tcp.close", does = { [[S.closed_t = t]], "S t" } },
  {
    on = "connect",
    does = {
      [[conn.connect_n = n; conn.user = c.user; conn.client_name = c.name; conn.client_product = c.lang; conn.client_version = c.version; conn.verbose = f.coalesce(c.verbose, true); conn.headers = f.coalesce(c.headers, false); conn.cluster = c.cluster; conn.echo = c.echo; conn.wants_no_responders = f.coalesce(c.no_responders, false)]],
      "c conn n",
    },
  },
  {
    on = "any",
    fixed = { [[(sender == "peer")]], "sender" },
    does = { [[conn.peers = 1]], "conn" },
  },
  {
    on = "pub hpub",
    does = { [[conn.published = (conn.published ~= nil and (conn.published + 1) or nil)]], "conn" },
  },
  {
    on = "msg hmsg",
    does = { [[conn.delivered = (conn.delivered ~= nil and (conn.delivered + 1) or nil)]], "conn" },
  },
  {
    on = "err",
    does = {
      [[conn.errors = (conn.errors ~= nil and (conn.errors + 1) or nil); conn.err_n = n]],
      "conn n",
    },
  },
  {
    on = "client:connect client:pub client:hpub client:sub client:unsub",
    does = { [[C.command_n = n; C.command_t = t]], "C n t" },
  },
  {
    on = "sub",
    when = { [[(sub.state ~= nil and sub.state ~= "live")]], "sub" },
    does = { [[sub.subject = c.subject; sub.queue = c.queue_group]], "c sub" },
  },
  { on = "unsub", does = { [[sub.limit = c.max_msgs; sub.unsub_n = n]], "c sub n" } },
  {
    on = "msg hmsg",
    does = { [[sub.delivered = (sub.delivered ~= nil and (sub.delivered + 1) or nil)]], "sub" },
  },
  {
    on = "pub hpub",
    each = "sub",
    guard = 61,
    when = { [[((sub.state == "live") and f.matching(c.reply_to, sub.subject))]], "c sub" },
    does = {
      [[sub.pull_n = n; sub.pull_t = t; sub["until"] = (t + f.coalesce((f.number(f.between(c["payload raw"], "\"expires\":", ",")) or (f.number(f.between(c["payload raw"], "\"expires\": ", ",")) or (f.number(f.between(c["payload raw"], "\"expires\":", "}")) or f.number(f.between(c["payload raw"], "\"expires\": ", "}"))))), 0)); sub.pull_of = c.subject; sub.wanted = (sub.delivered ~= nil and (sub.delivered + f.coalesce((f.number(f.between(c["payload raw"], "\"batch\":", ",")) or (f.number(f.between(c["payload raw"], "\"batch\": ", ",")) or (f.number(f.between(c["payload raw"], "\"batch\":", "}")) or f.number(f.between(c["payload raw"], "\"batch\": ", "}"))))), 1)) or nil)]],
      "c sub n t",
    },
  },
  {
    on = "pub hpub",
    guard = 1,
    when = { [[(asked.state ~= nil and asked.state ~= "asked")]], "asked" },
    does = { [[asked.subject = c.subject; asked.meaning = f.called(c.subject, K.JETSTREAM)]], "c asked" },
  },
  {
    on = "msg hmsg",
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[asked.answer_n = n]], "asked n" },
  },
  { on = "msg hmsg", does = { [[served.meaning = nil]], "served" } },
  {
    on = "pub hpub",
    when = { [=[LISTS[21][served.state]]=], "served" },
    does = { [[served.answer_n = n]], "served n" },
  },
  {
    on = "pub hpub",
    guard = 20,
    does = { [[served.meaning = f.begins(c["payload raw"], K.ACKS)]], "c served" },
  },
  { on = "server:hmsg", guard = 62, does = { [[served.sid = c.sid]], "c served" } },
  {
    on = "client:unsub",
    guard = 3,
    does = { [[conn.unsubscribed = f.put(conn.unsubscribed, c.sid)]], "c conn" },
  },
  {
    on = "client:hpub",
    when = { [[(msg_id.first_t ~= nil and (t - msg_id.first_t) > K.DUPLICATE_WINDOW)]], "msg_id t" },
    does = {
      [[msg_id.old = msg_id.digest; msg_id.old_n = msg_id.first_n; msg_id.old_t = msg_id.first_t; msg_id.digest = nil]],
      "msg_id",
    },
  },
  {
    on = "client:hpub",
    when = { [[(msg_id.digest == nil)]], "msg_id" },
    does = {
      [[msg_id.digest = f.digest(c["payload raw"]); msg_id.first_n = n; msg_id.first_t = t]],
      "c msg_id n t",
    },
  },
  {
    on = "ping",
    when = { [[(f.coalesce(me.pings, 0) == 0)]], "me" },
    does = { [[me.ping_t = t; me.ping_n = n]], "me t n" },
  },
  { on = "ping", does = { [[me.pings = (f.coalesce(me.pings, 0) + 1)]], "me" } },
  { on = "pong", does = { [[peer.pings = 0; me.answered_n = req.ping_n]], "peer me req" } },
  {
    on = "msg hmsg",
    guard = 63,
    when = { [[(asked.state == "asked")]], "asked" },
    does = {
      [[refused.chained = ((refused.times ~= nil and refused.times > 0) and (f.choose((f.between(c["payload raw"], "error\":{\"code\":", ",") == "404"), (refused.latest_t ~= nil and (t - refused.latest_t) <= 2000000000.0), 60000000000.0) and (refused.same ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and refused.same == f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE)))); refused.slower = f.choose(refused.chained, (refused.slower ~= nil and (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0) ~= nil and (refused.slower + (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0)) or nil), 0); refused.gap = f.choose(refused.chained, (refused.latest_t ~= nil and (t - refused.latest_t) or nil), nil); refused.first_gap = f.choose(refused.chained, f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)), nil); refused.second_n = f.choose(refused.chained, f.coalesce(refused.second_n, asked.n), nil); refused.first_n = f.choose(refused.chained, refused.first_n, asked.n); refused.times = f.choose(refused.chained, (refused.times ~= nil and (refused.times + 1) or nil), 1); refused.latest_t = t; refused.same = f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE)]],
      "c refused t asked",
    },
  },
  {
    on = "msg hmsg",
    guard = 64,
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[refused.times = 0]], "refused" },
  },
  {
    on = "hmsg",
    guard = 6,
    when = { [[(asked.state == "asked")]], "asked" },
    does = {
      [[unheard.chained = ((unheard.times ~= nil and unheard.times > 0) and (unheard.latest_t ~= nil and (t - unheard.latest_t) <= 10000000000.0)); unheard.slower = f.choose(unheard.chained, (unheard.slower ~= nil and (((unheard.latest_t ~= nil and (t - unheard.latest_t) > 0) and (unheard.latest_t ~= nil and unheard.gap ~= nil and ((t - unheard.latest_t) * 10) >= (13 * unheard.gap))) and 1 or 0) ~= nil and (unheard.slower + (((unheard.latest_t ~= nil and (t - unheard.latest_t) > 0) and (unheard.latest_t ~= nil and unheard.gap ~= nil and ((t - unheard.latest_t) * 10) >= (13 * unheard.gap))) and 1 or 0)) or nil), 0); unheard.gap = f.choose(unheard.chained, (unheard.latest_t ~= nil and (t - unheard.latest_t) or nil), nil); unheard.first_gap = f.choose(unheard.chained, f.coalesce(unheard.first_gap, (unheard.latest_t ~= nil and (t - unheard.latest_t) or nil)), nil); unheard.second_n = f.choose(unheard.chained, f.coalesce(unheard.second_n, asked.n), nil); unheard.first_n = f.choose(unheard.chained, unheard.first_n, asked.n); unheard.times = f.choose(unheard.chained, (unheard.times ~= nil and (unheard.times + 1) or nil), 1); unheard.latest_t = t]],
      "unheard t asked",
    },
  },
  {
    on = "hmsg",
    guard = 65,
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[unheard.times = 0]], "unheard" },
  },
  {
    on = "msg",
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[unheard.times = 0]], "unheard" },
  },
  { on = "server:pong", does = { [[conn.welcomed = 1]], "conn" } },
  {
    on = "err",
    does = {
      [[erred.chained = ((erred.times ~= nil and erred.times > 0) and (erred.latest_t ~= nil and (t - erred.latest_t) <= K.ERR_PAUSE)); erred.slower = f.choose(erred.chained, (erred.slower ~= nil and (((erred.latest_t ~= nil and (t - erred.latest_t) > 0) and (erred.latest_t ~= nil and erred.gap ~= nil and ((t - erred.latest_t) * 10) >= (13 * erred.gap))) and 1 or 0) ~= nil and (erred.slower + (((erred.latest_t ~= nil and (t - erred.latest_t) > 0) and (erred.latest_t ~= nil and erred.gap ~= nil and ((t - erred.latest_t) * 10) >= (13 * erred.gap))) and 1 or 0)) or nil), 0); erred.gap = f.choose(erred.chained, (erred.latest_t ~= nil and (t - erred.latest_t) or nil), nil); erred.first_gap = f.choose(erred.chained, f.coalesce(erred.first_gap, (erred.latest_t ~= nil and (t - erred.latest_t) or nil)), nil); erred.second_n = f.choose(erred.chained, f.coalesce(erred.second_n, f.coalesce(C.command_n, n)), nil); erred.first_n = f.choose(erred.chained, erred.first_n, f.coalesce(C.command_n, n)); erred.times = f.choose(erred.chained, (erred.times ~= nil and (erred.times + 1) or nil), 1); erred.latest_t = t]],
      "erred t C n",
    },
  },
  {
    on = "server:hmsg",
    when = {
      [[((pull.state == "asked") and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0)) and ((c.status == 404) or ((c.status == 408) and (pull.t ~= nil and (t - pull.t) < K.POLL_PAUSE))))]],
      "c pull conn t",
    },
    does = {
      [[empty_pulls.chained = ((empty_pulls.times ~= nil and empty_pulls.times > 0) and (empty_pulls.latest_t ~= nil and (t - empty_pulls.latest_t) <= K.POLL_PAUSE)); empty_pulls.second_n = f.choose(empty_pulls.chained, f.coalesce(empty_pulls.second_n, pull.n), nil); empty_pulls.times = f.choose(empty_pulls.chained, (empty_pulls.times ~= nil and (empty_pulls.times + 1) or nil), 1); empty_pulls.latest_t = t]],
      "empty_pulls t pull",
    },
  },
  {
    on = "server:hmsg",
    guard = 11,
    when = { [[(pull.state == "asked")]], "pull" },
    does = {
      [[pulled_in_vain.chained = ((pulled_in_vain.times ~= nil and pulled_in_vain.times > 0) and (pulled_in_vain.latest_t ~= nil and (t - pulled_in_vain.latest_t) <= 60000000000.0)); pulled_in_vain.second_n = f.choose(pulled_in_vain.chained, f.coalesce(pulled_in_vain.second_n, pull.n), nil); pulled_in_vain.first_n = f.choose(pulled_in_vain.chained, pulled_in_vain.first_n, pull.n); pulled_in_vain.times = f.choose(pulled_in_vain.chained, (pulled_in_vain.times ~= nil and (pulled_in_vain.times + 1) or nil), 1); pulled_in_vain.latest_t = t]],
      "pulled_in_vain t pull",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 12,
    does = {
      [[polled.chained = ((polled.times ~= nil and polled.times > 0) and (polled.latest_t ~= nil and (t - polled.latest_t) <= K.QUERY_PAUSE)); polled.second_n = f.choose(polled.chained, f.coalesce(polled.second_n, n), nil); polled.first_n = f.choose(polled.chained, polled.first_n, n); polled.times = f.choose(polled.chained, (polled.times ~= nil and (polled.times + 1) or nil), 1); polled.latest_t = t]],
      "polled t n",
    },
  },
  {
    on = "msg hmsg",
    guard = 13,
    when = {
      [[((handed.put_off_n == nil) or (f.number(f.token(c.reply_to, 4)) ~= nil and f.number(f.token(c.reply_to, 4)) > K.PUT_OFF_LIMIT))]],
      "c handed",
    },
    does = {
      [[redelivered.chained = ((redelivered.times ~= nil and redelivered.times > 0) and (redelivered.latest_t ~= nil and (t - redelivered.latest_t) <= K.LOOP_PAUSE)); redelivered.slower = f.choose(redelivered.chained, (redelivered.slower ~= nil and (((redelivered.latest_t ~= nil and (t - redelivered.latest_t) > 0) and (redelivered.latest_t ~= nil and redelivered.gap ~= nil and ((t - redelivered.latest_t) * 10) >= (13 * redelivered.gap))) and 1 or 0) ~= nil and (redelivered.slower + (((redelivered.latest_t ~= nil and (t - redelivered.latest_t) > 0) and (redelivered.latest_t ~= nil and redelivered.gap ~= nil and ((t - redelivered.latest_t) * 10) >= (13 * redelivered.gap))) and 1 or 0)) or nil), 0); redelivered.gap = f.choose(redelivered.chained, (redelivered.latest_t ~= nil and (t - redelivered.latest_t) or nil), nil); redelivered.first_gap = f.choose(redelivered.chained, f.coalesce(redelivered.first_gap, (redelivered.latest_t ~= nil and (t - redelivered.latest_t) or nil)), nil); redelivered.second_n = f.choose(redelivered.chained, f.coalesce(redelivered.second_n, n), nil); redelivered.first_n = f.choose(redelivered.chained, redelivered.first_n, n); redelivered.times = f.choose(redelivered.chained, (redelivered.times ~= nil and (redelivered.times + 1) or nil), 1); redelivered.latest_t = t]],
      "redelivered t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 66,
    does = {
      [[created.chained = ((created.times ~= nil and created.times > 0) and (created.latest_t ~= nil and (t - created.latest_t) <= K.CREATE_PAUSE)); created.slower = f.choose(created.chained, (created.slower ~= nil and (((created.latest_t ~= nil and (t - created.latest_t) > 0) and (created.latest_t ~= nil and created.gap ~= nil and ((t - created.latest_t) * 10) >= (13 * created.gap))) and 1 or 0) ~= nil and (created.slower + (((created.latest_t ~= nil and (t - created.latest_t) > 0) and (created.latest_t ~= nil and created.gap ~= nil and ((t - created.latest_t) * 10) >= (13 * created.gap))) and 1 or 0)) or nil), 0); created.gap = f.choose(created.chained, (created.latest_t ~= nil and (t - created.latest_t) or nil), nil); created.first_gap = f.choose(created.chained, f.coalesce(created.first_gap, (created.latest_t ~= nil and (t - created.latest_t) or nil)), nil); created.second_n = f.choose(created.chained, f.coalesce(created.second_n, n), nil); created.first_n = f.choose(created.chained, created.first_n, n); created.times = f.choose(created.chained, (created.times ~= nil and (created.times + 1) or nil), 1); created.latest_t = t]],
      "created t n",
    },
  },
  { on = "client:pub client:hpub", guard = 67, does = { [[created.times = 0]], "created" } },
  {
    on = "client:pub client:hpub",
    guard = 15,
    does = {
      [[consumers_remade.chained = ((consumers_remade.times ~= nil and consumers_remade.times > 0) and (consumers_remade.latest_t ~= nil and (t - consumers_remade.latest_t) <= K.REFUSED_PAUSE)); consumers_remade.second_n = f.choose(consumers_remade.chained, f.coalesce(consumers_remade.second_n, n), nil); consumers_remade.first_n = f.choose(consumers_remade.chained, consumers_remade.first_n, n); consumers_remade.times = f.choose(consumers_remade.chained, (consumers_remade.times ~= nil and (consumers_remade.times + 1) or nil), 1); consumers_remade.latest_t = t]],
      "consumers_remade t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 16,
    when = { [[(c.subject ~= nil and c.subject ~= f.coalesce(conn.stream_subject, ""))]], "c conn" },
    does = {
      [[streams_created.chained = ((streams_created.times ~= nil and streams_created.times > 0) and (streams_created.latest_t ~= nil and (t - streams_created.latest_t) <= K.REFUSED_PAUSE)); streams_created.second_n = f.choose(streams_created.chained, f.coalesce(streams_created.second_n, n), nil); streams_created.first_n = f.choose(streams_created.chained, streams_created.first_n, n); streams_created.times = f.choose(streams_created.chained, (streams_created.times ~= nil and (streams_created.times + 1) or nil), 1); streams_created.latest_t = t]],
      "streams_created t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 16,
    does = { [[conn.stream_subject = c.subject]], "c conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 17,
    does = {
      [[ensured.chained = ((ensured.times ~= nil and ensured.times > 0) and ((ensured.latest_t ~= nil and (t - ensured.latest_t) <= 60000000000.0) and (ensured.same ~= nil and f.digest(c["payload raw"]) ~= nil and ensured.same == f.digest(c["payload raw"])))); ensured.second_n = f.choose(ensured.chained, f.coalesce(ensured.second_n, n), nil); ensured.first_n = f.choose(ensured.chained, ensured.first_n, n); ensured.times = f.choose(ensured.chained, (ensured.times ~= nil and (ensured.times + 1) or nil), 1); ensured.latest_t = t; ensured.same = f.digest(c["payload raw"])]],
      "c ensured t n",
    },
  },
  {
    on = "client:ping",
    when = { [[((f.coalesce(me.pings, 0) or 2) <= 1)]], "me" },
    does = {
      [[conn.pinged_chained = ((conn.pinged_times ~= nil and conn.pinged_times > 0) and (conn.pinged_latest_t ~= nil and (t - conn.pinged_latest_t) <= K.REFUSED_PAUSE)); conn.pinged_second_n = f.choose(conn.pinged_chained, f.coalesce(conn.pinged_second_n, n), nil); conn.pinged_first_n = f.choose(conn.pinged_chained, conn.pinged_first_n, n); conn.pinged_times = f.choose(conn.pinged_chained, (conn.pinged_times ~= nil and (conn.pinged_times + 1) or nil), 1); conn.pinged_latest_t = t]],
      "conn t n",
    },
  },
  {
    on = "client:pub client:hpub client:sub client:unsub",
    does = { [[conn.pinged_times = 0]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 18,
    does = {
      [[key_polled.chained = ((key_polled.times ~= nil and key_polled.times > 0) and (key_polled.latest_t ~= nil and (t - key_polled.latest_t) <= K.REFUSED_PAUSE)); key_polled.second_n = f.choose(key_polled.chained, f.coalesce(key_polled.second_n, n), nil); key_polled.first_n = f.choose(key_polled.chained, key_polled.first_n, n); key_polled.times = f.choose(key_polled.chained, (key_polled.times ~= nil and (key_polled.times + 1) or nil), 1); key_polled.latest_t = t]],
      "key_polled t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 68,
    does = {
      [[conn.written_again_chained = ((conn.written_again_times ~= nil and conn.written_again_times > 0) and ((conn.written_again_latest_t ~= nil and (t - conn.written_again_latest_t) <= 10000000000.0) and (conn.written_again_same ~= nil and f.key(c.subject, f.digest(c["payload raw"])) ~= nil and conn.written_again_same == f.key(c.subject, f.digest(c["payload raw"]))))); conn.written_again_second_n = f.choose(conn.written_again_chained, f.coalesce(conn.written_again_second_n, n), nil); conn.written_again_first_n = f.choose(conn.written_again_chained, conn.written_again_first_n, n); conn.written_again_times = f.choose(conn.written_again_chained, (conn.written_again_times ~= nil and (conn.written_again_times + 1) or nil), 1); conn.written_again_latest_t = t; conn.written_again_same = f.key(c.subject, f.digest(c["payload raw"]))]],
      "c conn t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 69,
    does = {
      [[conn.sent_subject = c.subject; conn.caused = conn.echoed_t; conn.echoed_t = nil]],
      "c conn",
    },
  },
  {
    on = "msg hmsg",
    when = {
      [[((c.subject ~= nil and conn.sent_subject ~= nil and c.subject == conn.sent_subject) and (conn.caused ~= nil and (t - conn.caused) < 10000000))]],
      "c conn t",
    },
    does = {
      [[echoed.chained = ((echoed.times ~= nil and echoed.times > 0) and (echoed.latest_t ~= nil and (t - echoed.latest_t) <= K.POLL_PAUSE)); echoed.second_n = f.choose(echoed.chained, f.coalesce(echoed.second_n, n), nil); echoed.first_n = f.choose(echoed.chained, echoed.first_n, n); echoed.times = f.choose(echoed.chained, (echoed.times ~= nil and (echoed.times + 1) or nil), 1); echoed.latest_t = t]],
      "echoed t n",
    },
  },
  {
    on = "msg hmsg",
    when = {
      [[(c.subject ~= nil and conn.sent_subject ~= nil and c.subject == conn.sent_subject)]],
      "c conn",
    },
    does = { [[conn.echoed_t = t]], "conn t" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.state == "open") and (conn.peers == nil) and (C.frames ~= nil and C.frames <= 8) and (conn.published ~= nil and conn.delivered ~= nil and (conn.published + conn.delivered) <= 2)) and (why ~= nil and not LISTS[9][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[reconnected.chained = ((reconnected.times ~= nil and reconnected.times > 0) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 2000000000.0))); reconnected.times = f.choose(reconnected.chained, (reconnected.times ~= nil and (reconnected.times + 1) or nil), 1); reconnected.latest_t = t]],
      "reconnected conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[9][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected.times = 0]], "reconnected" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.state == "open") and (conn.peers == nil) and (C.frames ~= nil and C.frames <= 16) and (conn.published ~= nil and conn.delivered ~= nil and (conn.published + conn.delivered) <= K.FEW_MESSAGES)) and (why ~= nil and not LISTS[9][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[reconnected_often.chained = ((reconnected_often.times ~= nil and reconnected_often.times > 0) and ((reconnected_often.latest_t ~= nil and conn.t ~= nil and reconnected_often.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected_often.latest_t ~= nil and (conn.t - reconnected_often.latest_t) <= 10000000000.0))); reconnected_often.times = f.choose(reconnected_often.chained, (reconnected_often.times ~= nil and (reconnected_often.times + 1) or nil), 1); reconnected_often.latest_t = t]],
      "reconnected_often conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[9][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected_often.times = 0]], "reconnected_often" },
  },
  {
    on = "end:sub",
    when = {
      [[(((f.starts(sub.subject, "_INBOX.") or f.has(conn.replies, sub.subject)) and (sub.delivered ~= nil and sub.delivered <= 1) and (why == "removed")) and (why ~= nil and not LISTS[9][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both))]],
      "sub conn why",
    },
    does = {
      [[inbox_per_request.chained = ((inbox_per_request.times ~= nil and inbox_per_request.times > 0) and ((inbox_per_request.latest_t ~= nil and sub.t ~= nil and inbox_per_request.latest_t <= (sub.t + 0)) and (sub.t ~= nil and inbox_per_request.latest_t ~= nil and (sub.t - inbox_per_request.latest_t) <= 2000000000.0))); inbox_per_request.second_n = f.choose(inbox_per_request.chained, f.coalesce(inbox_per_request.second_n, sub.n), nil); inbox_per_request.first_n = f.choose(inbox_per_request.chained, inbox_per_request.first_n, sub.n); inbox_per_request.times = f.choose(inbox_per_request.chained, (inbox_per_request.times ~= nil and (inbox_per_request.times + 1) or nil), 1); inbox_per_request.latest_t = t]],
      "inbox_per_request sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[9][why]) and ((sub.born ~= nil and not sub.born) or (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why sub conn",
    },
    does = { [[inbox_per_request.times = 0]], "inbox_per_request" },
  },
  {
    on = "end:sub",
    does = { [[conn.inboxes_all = (f.coalesce(conn.inboxes_all, 0) + 1)]], "conn" },
  },
  {
    on = "end:sub",
    when = { [[(why ~= nil and not LISTS[10][why])]], "why" },
    does = { [[conn.inboxes_ended = (f.coalesce(conn.inboxes_ended, 0) + 1)]], "conn" },
  },
  {
    on = "end:sub",
    when = {
      [[(((f.starts(sub.subject, "_INBOX.") or f.has(conn.replies, sub.subject)) and (sub.limit == nil) and (sub.pull_n == nil) and (f.has(conn.many_asked, sub.subject) ~= nil and not f.has(conn.many_asked, sub.subject)) and ((sub.delivered == 1) or f.has(conn.own_replies, sub.subject))) and LISTS[10][why])]],
      "sub conn why",
    },
    does = {
      [[conn.inboxes_left = (f.coalesce(conn.inboxes_left, 0) + 1); conn.inboxes_latest_n = sub.n; conn.inboxes_first_n = f.coalesce(conn.inboxes_first_n, sub.n)]],
      "conn sub",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 70,
    does = { [[conn.replies = f.put(conn.replies, c.reply_to)]], "c conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 71,
    when = { [[f.has(conn.own_replies, c.reply_to)]], "c conn" },
    does = { [[conn.many_asked = f.put(conn.many_asked, c.reply_to)]], "c conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 72,
    when = { [[f.has(conn.subjects, c.reply_to)]], "c conn" },
    does = { [[conn.own_replies = f.put(conn.own_replies, c.reply_to)]], "c conn" },
  },
  { on = "end:sub", does = { [[copies.all = (f.coalesce(copies.all, 0) + 1)]], "copies" } },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[copies.ended = (f.coalesce(copies.ended, 0) + 1)]], "copies" },
  },
  {
    on = "end:sub",
    when = {
      [[(((sub.queue == nil) and (not f.starts(sub.subject, "_INBOX.")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "sub conn why",
    },
    does = {
      [[copies.left = (f.coalesce(copies.left, 0) + 1); copies.latest_n = sub.n; copies.first_n = f.coalesce(copies.first_n, sub.n)]],
      "copies sub",
    },
  },
  {
    on = "end:asked",
    does = {
      [[silent.times = (f.coalesce(silent.times, 0) + 1); silent.asked_n = asked.n; silent.first_n = f.coalesce(silent.first_n, asked.n)]],
      "silent asked",
    },
  },
  { on = "msg hmsg", does = { [[sub.delivered_n = n]], "sub n" } },
  { on = "msg hmsg", guard = 21, does = { [[sub.taken_n = n]], "sub n" } },
  {
    on = "client:sub",
    guard = 19,
    when = { [[(subscribed_twice.live ~= nil and subscribed_twice.live > 0)]], "subscribed_twice" },
    does = { [[subscribed_twice.second_n = n]], "subscribed_twice n" },
  },
  {
    on = "client:sub",
    guard = 19,
    does = {
      [[subscribed_twice.live = (f.max(f.coalesce(subscribed_twice.live, 0), 0) ~= nil and (f.max(f.coalesce(subscribed_twice.live, 0), 0) + 1) or nil); sub.subscribed_twice_n = n]],
      "subscribed_twice sub n",
    },
  },
  {
    on = "end:sub",
    does = {
      [[subscribed_twice.live = (subscribed_twice.live ~= nil and (subscribed_twice.live - 1) or nil)]],
      "subscribed_twice",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    does = {
      [[conn.unacked = (f.coalesce(conn.unacked, 0) + 1); conn.stalls = 0; conn.unacked_n = f.coalesce(conn.unacked_n, n); conn.ack_to = c.reply_to; conn.pulled_n = n; conn.taken_t = f.coalesce(conn.taken_t, t)]],
      "c conn n t",
    },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.state == "asked") and LISTS[11][asked.meaning])]], "asked" },
    does = {
      [[conn.policy = f.between(c["payload raw"], "\"ack_policy\":\"", "\""); conn.ack_wait = f.number(f.between(c["payload raw"], "\"ack_wait\":", ",")); conn.max_deliver = f.number(f.between(c["payload raw"], "\"max_deliver\":", ",")); conn.max_pending = f.number(f.between(c["payload raw"], "\"max_ack_pending\":", ",")); conn.described_n = n; conn.consumers = f.put(conn.consumers, f.between(c["payload raw"], "\"name\":\"", "\""))]],
      "c conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 73,
    does = {
      [[conn.unacked = (f.coalesce(conn.unacked, 0) - 1); conn.unacked_n = nil; conn.acked_n = n; conn.acked_t = t]],
      "conn n t",
    },
  },
  { on = "client:pub client:hpub", guard = 61, does = { [[pull.subject = c.subject]], "c pull" } },
  {
    on = "server:hmsg",
    guard = 43,
    when = { [[(pull.state == "asked")]], "pull" },
    does = { [[conn.stalls = (f.coalesce(conn.stalls, 0) + 1)]], "conn" },
  },
  {
    on = "msg hmsg",
    guard = 13,
    does = {
      [[again.delivery = f.number(f.token(c.reply_to, 4)); again.delivered_n = n; again.delivered_t = t; again.acked_n = nil]],
      "c again n t",
    },
  },
  { on = "client:pub client:hpub", guard = 74, does = { [[again.acked_n = n]], "again n" } },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[((sub.pull_n == nil) and (sub.queue == nil) and (sub.state == "live"))]], "sub" },
    does = { [[consumed.last = f.number(f.token(c.reply_to, 6)); consumed.latest_n = n]], "c consumed n" },
  },
  { on = "client:pub client:hpub", guard = 22, does = { [[emptied.removed_n = n]], "emptied n" } },
  {
    on = "msg hmsg",
    when = { [=[LISTS[11][asked.meaning]]=], "asked" },
    does = {
      [[team.policy = f.between(c["payload raw"], "\"ack_policy\":\"", "\""); team.ack_wait = f.number(f.between(c["payload raw"], "\"ack_wait\":", ",")); team.max_deliver = f.number(f.between(c["payload raw"], "\"max_deliver\":", ",")); team.described_n = n]],
      "c team n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 75,
    when = {
      [[(f.number(f.token(c.subject, 5)) ~= nil and f.number(f.token(c.subject, 5)) > f.coalesce(team.top, 0))]],
      "c team",
    },
    does = { [[team.top = f.number(f.token(c.subject, 5)); team.top_n = n]], "c team n" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(flow ~= nil and f.coalesce(team.user, -1) ~= flow)]], "flow team" },
    does = { [[team.user = flow; team.used_n = n]], "team flow n" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[((conn.described_n == nil) and (team.described_n ~= nil))]], "conn team" },
    does = {
      [[conn.policy = team.policy; conn.ack_wait = team.ack_wait; conn.max_deliver = team.max_deliver; conn.described_n = team.described_n; conn.consumers = f.put(conn.consumers, f.token(c.reply_to, 3))]],
      "c conn team",
    },
  },
  { on = "msg hmsg", guard = 13, does = { [[team.again_n = n]], "team n" } },
  {
    on = "msg hmsg",
    when = { [[(team.again_n ~= nil)]], "team" },
    does = {
      [[handed.delivery = f.number(f.token(c.reply_to, 4)); handed.delivered_n = n; handed.to = flow]],
      "c handed n flow",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 76,
    does = { [[handed.put_off_n = f.choose(((c["#payload"] or 4) > 4), n, nil)]], "c handed n" },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.state == "asked") and LISTS[6][asked.meaning])]], "asked" },
    does = { [[team.asked_n = asked.n]], "team asked" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[((conn.limit_n == nil) and (team.asked_n ~= nil))]], "conn team" },
    does = { [[conn.limit_n = team.asked_n]], "conn team" },
  },
  {
    on = "end:conn",
    when = { [[(team.user ~= nil and flow ~= nil and team.user == flow)]], "team flow" },
    does = { [[team.user = nil]], "team" },
  },
  {
    on = "end:conn",
    when = {
      [[((conn.unacked ~= nil and conn.unacked > 0) and (conn.left == 1) and (conn.cut == nil) and (conn.acked_n ~= nil))]],
      "conn",
    },
    does = {
      [[team.left_n = f.coalesce(conn.unacked_n, conn.pulled_n); team.left_t = conn.left_t; team.left_open = conn.unacked]],
      "team conn",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = {
      [[((team.policy == "all") and (team.flow ~= nil and flow ~= nil and team.flow ~= flow))]],
      "team flow",
    },
    does = {
      [[team.former = team.turn; team.former_t = team.turn_t; team.former_flow = team.turn_flow; team.former_n = team.turn_n; team.turn = team.latest; team.turn_t = team.latest_t; team.turn_flow = team.flow; team.turn_n = team.latest_n]],
      "team",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(team.policy == "all")]], "team" },
    does = {
      [[team.flow = flow; team.latest = f.number(f.token(c.reply_to, 6)); team.latest_t = t; team.latest_n = n]],
      "c team flow t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 77,
    when = {
      [[((team.policy == "all") and conn.start and conn.whole and conn.both and (team.former_flow ~= nil and flow ~= nil and team.former_flow ~= flow) and (conn.t ~= nil and team.former_t ~= nil and conn.t < team.former_t) and (team.former ~= nil and f.coalesce(team.acked, 0) < team.former) and (team.former ~= nil and f.number(f.token(c.subject, 6)) ~= nil and team.former < f.number(f.token(c.subject, 6))))]],
      "c team conn flow",
    },
    does = {
      [[team.losers = f.put(team.losers, team.former_flow); team.lost = team.former; team.lost_n = team.former_n; team.taken_n = n; team.taken = f.number(f.token(c.subject, 6))]],
      "c team n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 77,
    when = {
      [[((team.policy == "all") and conn.start and conn.whole and conn.both and (team.turn_flow ~= nil and flow ~= nil and team.turn_flow ~= flow) and (conn.t ~= nil and team.turn_t ~= nil and conn.t < team.turn_t) and (team.turn ~= nil and f.coalesce(team.acked, 0) < team.turn) and (team.turn ~= nil and f.number(f.token(c.subject, 6)) ~= nil and team.turn < f.number(f.token(c.subject, 6))))]],
      "c team conn flow",
    },
    does = {
      [[team.losers = f.put(team.losers, team.turn_flow); team.lost = team.turn; team.lost_n = team.turn_n; team.taken_n = n; team.taken = f.number(f.token(c.subject, 6))]],
      "c team n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 77,
    when = { [[(team.policy == "all")]], "team" },
    does = { [[team.acked = f.max(f.coalesce(team.acked, 0), f.number(f.token(c.subject, 6)))]], "c team" },
  },
  { on = "client:pub client:hpub", guard = 78, does = { [[listing.times = 0]], "listing" } },
  {
    on = "msg hmsg",
    guard = 79,
    when = { [[((asked.state == "asked") and LISTS[12][asked.meaning])]], "asked" },
    does = {
      [[listing.times = (f.coalesce(listing.times, 0) + 1); listing.asked_n = asked.n; listing.page_n = n; listing.page_t = t; listing["end"] = (f.number(f.between(c["payload raw"], "\"offset\":", ",")) ~= nil and f.number(f.between(c["payload raw"], "\"limit\":", ",")) ~= nil and (f.number(f.between(c["payload raw"], "\"offset\":", ",")) + f.number(f.between(c["payload raw"], "\"limit\":", ","))) or nil); listing.total = f.number(f.between(c["payload raw"], "\"total\":", ",")); listing.subject = asked.subject]],
      "c listing asked n t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 80,
    when = {
      [[((configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and configured.user ~= f.digest(c["payload raw"])) and f.has(configured.users, f.digest(c["payload raw"])))]],
      "c configured",
    },
    does = { [[configured.returns = (f.coalesce(configured.returns, 0) + 1)]], "configured" },
  },
  {
    on = "client:pub client:hpub",
    guard = 80,
    when = {
      [[(configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and configured.user ~= f.digest(c["payload raw"]))]],
      "c configured",
    },
    does = { [[configured.former_n = configured.latest_n]], "configured" },
  },
  {
    on = "client:pub client:hpub",
    guard = 24,
    does = {
      [[configured.users = f.put(configured.users, f.digest(c["payload raw"])); configured.user = f.digest(c["payload raw"]); configured.latest_n = n]],
      "c configured n",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(sub.pull_n == nil)]], "sub" },
    does = {
      [[consumer.sequence = f.number(f.token(c.reply_to, 6)); consumer.flow = flow; consumer.delivered_n = n]],
      "c consumer flow n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 24,
    does = {
      [[durables.names = f.put(durables.names, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5))); durables.former_n = f.coalesce(durables.latest_n, n); durables.latest_n = n; durables.live = (((conn.durable_stream == nil) and 1 or 0) ~= nil and (f.coalesce(durables.live, 0) + ((conn.durable_stream == nil) and 1 or 0)) or nil)]],
      "c durables n conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 24,
    does = {
      [[conn.durable_stream = f.coalesce(conn.durable_stream, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4))); conn.durable_length = f.coalesce(conn.durable_length, f.len(f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5))))]],
      "c conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 81,
    does = { [[durables.names = f.drop(durables.names, f.token(c.subject, 5))]], "c durables" },
  },
  {
    on = "end:conn",
    does = { [[durables.live = (durables.live ~= nil and (durables.live - 1) or nil)]], "durables" },
  },
  {
    on = "end:sub",
    when = { [[((why == "removed") and (sub.delivered == 0))]], "why sub" },
    does = { [[inbox.gone_n = sub.last_n; inbox.gone_t = t]], "inbox sub t" },
  },
  { on = "client:sub", does = { [[inbox.gone_n = nil]], "inbox" } },
  {
    on = "client:pub client:hpub",
    guard = 15,
    does = {
      [[conn.create_n = n; conn.create_t = t; conn.push_to = (f.between(c["payload raw"], "\"deliver_subject\":\"", "\"") or f.between(c["payload raw"], "\"deliver_subject\": \"", "\"")); conn.push_beat = (f.number(f.between(c["payload raw"], "\"idle_heartbeat\":", ",")) or (f.number(f.between(c["payload raw"], "\"idle_heartbeat\": ", ",")) or (f.number(f.between(c["payload raw"], "\"idle_heartbeat\":", "}")) or f.number(f.between(c["payload raw"], "\"idle_heartbeat\": ", "}"))))); conn.begin_at = (f.number(f.between(c["payload raw"], "\"opt_start_seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"opt_start_seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"opt_start_seq\":", "}")) or f.number(f.between(c["payload raw"], "\"opt_start_seq\": ", "}"))))); conn.create_stream = f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)); conn.whole_stream = f.between(c["payload raw"], "deliver_policy", "ll"); conn.durable = f.between(c["payload raw"], K.DURABLE, K.COLON); conn.filter = (f.between(c["payload raw"], "\"filter_subject\":\"", "\"") or f.between(c["payload raw"], "\"filter_subject\": \"", "\"")); conn.group = (f.between(c["payload raw"], "\"deliver_group\":\"", "\"") or f.between(c["payload raw"], "\"deliver_group\": \"", "\"")); conn.skips = f.between(c["payload raw"], "\"deliver_policy\":\"", "\"")]],
      "c conn n t",
    },
  },
  {
    on = "client:sub",
    does = {
      [[sub.create_n = conn.create_n; conn.subjects = f.put(conn.subjects, c.subject); conn.queued = f.put(conn.queued, f.member(c.subject, f.coalesce(c.queue_group, "")))]],
      "c sub conn",
    },
  },
  { on = "client:sub", guard = 82, does = { [[conn.wide_subject = c.subject]], "c conn" } },
  {
    on = "client:sub",
    guard = 83,
    does = { [[network.inboxes = f.put(network.inboxes, c.subject)]], "c network" },
  },
  { on = "client:sub", guard = 84, does = { [[network.wide_inbox = c.subject]], "c network" } },
  {
    on = "client:pub client:hpub",
    does = {
      [[network.subjects = f.put(network.subjects, c.subject); network.latest_n = n]],
      "c network n",
    },
  },
  {
    on = "end:sub",
    when = { [[(sub.delivered == 0)]], "sub" },
    does = { [[conn.unheard_subs = (f.coalesce(conn.unheard_subs, 0) + 1)]], "conn" },
  },
  {
    on = "end:sub",
    when = {
      [[((sub.delivered == 0) and (why ~= nil and why ~= "removed") and f.starts(sub.subject, "_INBOX."))]],
      "sub why",
    },
    does = { [[conn.idle_inbox_n = sub.n]], "conn sub" },
  },
  {
    on = "server:hmsg",
    guard = 85,
    when = { [[(sub.pull_n == nil)]], "sub" },
    does = {
      [[conn.beaten_n = n; sub.every = f.min(f.coalesce(sub.every, (sub.beat_t ~= nil and (t - sub.beat_t) or nil)), (sub.beat_t ~= nil and (t - sub.beat_t) or nil)); sub.beat_t = t; sub.beat_n = n; sub.create_n = f.coalesce(sub.create_n, conn.create_n)]],
      "conn n sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and (not f.starts(sub.subject, "_INBOX.")) and (sub.state == "live") and (sub.limit == nil))]],
      "conn sub",
    },
    does = {
      [[before.subjects = f.put(before.subjects, sub.subject); before.lost_n = sub.n; before.lost_t = t]],
      "before sub t",
    },
  },
  {
    on = "end:conn",
    when = { [[(conn.create_n ~= nil)]], "conn" },
    does = { [[before.push = nil]], "before" },
  },
  {
    on = "end:conn",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and f.starts(conn.push_to, "_INBOX") and (conn.beaten_n ~= nil and conn.create_n ~= nil and conn.beaten_n > conn.create_n))]],
      "conn",
    },
    does = {
      [[before.push = conn.push_to; before.push_stream = conn.create_stream; before.push_n = conn.create_n; before.push_t = t]],
      "before conn t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 61,
    does = { [[conn.pulls = c.subject; conn.pull_n = n]], "c conn n" },
  },
  {
    on = "end:conn",
    when = { [[(conn.pulls ~= nil)]], "conn" },
    does = { [[before.pulls = nil]], "before" },
  },
  {
    on = "end:conn",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and (conn.pulls ~= nil))]],
      "conn",
    },
    does = {
      [[before.pulls = conn.pulls; before.pull_n = conn.pull_n; before.pull_t = t]],
      "before conn t",
    },
  },
  {
    on = "client:sub",
    when = { [[(c.subject ~= nil and before.push ~= nil and c.subject == before.push)]], "c before" },
    does = { [[before.push = nil]], "before" },
  },
  {
    on = "client:sub",
    when = { [[f.has(before.subjects, c.subject)]], "c before" },
    does = {
      [[conn.restored_t = t; conn.restored_n = n; conn.restored = f.put(conn.restored, c.subject)]],
      "c conn t n",
    },
  },
  {
    on = "client:sub",
    does = { [[before.subjects = f.drop(before.subjects, c.subject); conn.subs_n = n]], "c before conn n" },
  },
  {
    on = "end:sub",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and (sub.delivered ~= nil and sub.delivered > 0) and (sub.state == "live"))]],
      "conn sub",
    },
    does = {
      [[limited.left = (sub.limit ~= nil and sub.delivered ~= nil and (sub.limit - sub.delivered) or nil); limited.lost_n = sub.unsub_n]],
      "limited sub",
    },
  },
  { on = "client:unsub", does = { [[limited.left = nil]], "limited" } },
  {
    on = "end:sub",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and (sub.state == "live"))]],
      "conn sub",
    },
    does = { [[grouped.queue = sub.queue; grouped.lost_n = sub.n; grouped.lost_t = t]], "grouped sub t" },
  },
  { on = "client:sub", guard = 86, does = { [[grouped.lost_t = nil]], "grouped" } },
  {
    on = "end:conn",
    does = {
      [[place.reached = f.number(f.token(conn.ack_to, 5)); place.flow = flow; place.filter = f.choose(((conn.cut == 1) and (conn.durable == nil) and (conn.create_stream ~= nil and f.token(conn.ack_to, 2) ~= nil and conn.create_stream == f.token(conn.ack_to, 2))), conn.filter, nil); place.create_n = conn.create_n]],
      "place conn flow",
    },
  },
  {
    on = "end:conn",
    when = { [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil))]], "conn" },
    does = { [[home.lost_t = t; home.back_t = nil]], "home t" },
  },
  {
    on = "client:ping",
    when = { [[(conn.t ~= nil and home.lost_t ~= nil and conn.t > home.lost_t)]], "conn home" },
    does = { [[home.back_t = f.coalesce(home.back_t, t)]], "home t" },
  },
  {
    on = "client:ping",
    does = {
      [[resident.lost_t = nil; resident.newest = f.max(f.coalesce(resident.newest, 0), conn.t)]],
      "resident conn",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((conn.cut == 1) and (conn.connect_n ~= nil) and (conn.peers == nil) and (conn.cluster == nil) and conn.start and conn.whole and (conn.t ~= nil and f.coalesce(resident.newest, 0) <= conn.t))]],
      "conn resident",
    },
    does = {
      [[resident.lost_t = t; resident.lost_n = conn.connect_n; resident.last_sent_n = C.last_n; resident.client = client; resident.client_name = f.coalesce(conn.client_name, client); resident.refused_n = conn.err_n]],
      "resident t conn C client",
    },
  },
  {
    on = "client:sub",
    does = {
      [[queue.live = (f.coalesce(queue.live, 0) + 1); queue.flow = flow; queue.latest_n = n; queue.latest = f.coalesce(c.queue_group, ""); queue.names = f.put(queue.names, f.coalesce(c.queue_group, ""))]],
      "c queue flow n",
    },
  },
  {
    on = "end:sub",
    does = { [[queue.live = (queue.live ~= nil and (queue.live - 1) or nil)]], "queue" },
  },
  {
    on = "client:sub",
    when = {
      [[((replica.flow ~= nil and flow ~= nil and replica.flow ~= flow) and (replica.live ~= nil and replica.live > 0))]],
      "replica flow",
    },
    does = {
      [[replica.second_n = f.coalesce(replica.second_n, n); replica.first_n = f.coalesce(replica.first_n, replica.sub_n)]],
      "replica n",
    },
  },
  {
    on = "client:sub",
    does = {
      [[replica.flow = flow; replica.sub_n = n; replica.live = (f.coalesce(replica.live, 0) + 1); replica.subject = c.subject; replica.client_name = f.coalesce(conn.client_name, client)]],
      "c replica flow n conn client",
    },
  },
  {
    on = "end:sub",
    does = {
      [[replica.live = (replica.live ~= nil and (replica.live - 1) or nil); replica.served = f.put(replica.served, flow); replica.most = f.max(f.coalesce(replica.most, 0), sub.delivered)]],
      "replica flow sub",
    },
  },
  { on = "client:pub client:hpub", guard = 87, does = { [[bucket.made_n = n]], "bucket n" } },
  {
    on = "client:pub client:hpub",
    guard = 88,
    does = {
      [[bucket.markers = f.put(bucket.markers, c.subject); bucket.marker_n = f.coalesce(bucket.marker_n, n)]],
      "c bucket n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 89,
    does = { [[bucket.markers = f.drop(bucket.markers, c.subject)]], "c bucket" },
  },
  {
    on = "client:pub client:hpub",
    guard = 90,
    does = { [[former.purged_n = n; conn.purged_n = n]], "former n conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 31,
    when = {
      [[((named.nuid ~= nil and (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")) ~= nil and named.nuid ~= (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\""))) and (former.purged_n == nil))]],
      "c named former",
    },
    does = {
      [[former.replaced_n = n; former.replaced_t = t; former.meta_n = named.meta_n; conn.replaced = (f.coalesce(conn.replaced, 0) + 1); conn.replaced_n = n; conn.replaced_meta_n = named.meta_n]],
      "former n t named conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 91,
    does = {
      [[object.chunks = (f.coalesce(object.chunks, 0) + 1); object.bytes = (c["#payload"] ~= nil and (f.coalesce(object.bytes, 0) + c["#payload"]) or nil); object.first_n = f.coalesce(object.first_n, n); object.chunk_n = n; object.sure = f.coalesce(object.sure, ((conn.start and conn.whole) and 1 or 0))]],
      "c object n conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 31,
    does = {
      [[named.nuid = (f.between(c["payload raw"], "\"nuid\":\"", "\"") or f.between(c["payload raw"], "\"nuid\": \"", "\"")); named.meta_n = n]],
      "c named n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 92,
    does = {
      [[conn.chunk_n = f.choose((f.token(c.subject, 2) == "C"), n, nil); conn.chunk_subject = c.subject]],
      "c conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 90,
    when = { [[(conn.chunk_n ~= nil)]], "conn" },
    does = { [[conn.chunk_n = nil]], "conn" },
  },
  {
    on = "info",
    guard = 60,
    when = { [[(conn.ldm_t == nil)]], "conn" },
    does = { [[conn.ldm_t = t]], "conn t" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (content.user ~= nil and flow ~= nil and content.user == flow) and (content.first ~= nil and content.first ~= f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format")))]],
      "c conn content flow",
    },
    does = { [[content.mixed = (f.coalesce(content.mixed, 0) + 1)]], "content" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (content.user ~= nil and flow ~= nil and content.user ~= flow) and (content.first ~= nil and content.first ~= f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format")))]],
      "c conn content flow",
    },
    does = { [[content.others = (f.coalesce(content.others, 0) + 1)]], "content" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (content.first == nil))]],
      "c conn content",
    },
    does = {
      [[content.first = f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"); content.user = flow; content.first_n = n]],
      "c content flow n",
    },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (mixed.user ~= nil and flow ~= nil and mixed.user == flow) and (mixed.first ~= nil and mixed.first ~= f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format")))]],
      "c conn mixed flow",
    },
    does = { [[mixed.mixed = (f.coalesce(mixed.mixed, 0) + 1)]], "mixed" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[(((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (mixed.first == nil))]],
      "c conn mixed",
    },
    does = {
      [[mixed.first = f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"); mixed.user = flow; mixed.first_n = n]],
      "c mixed flow n",
    },
  },
  {
    on = "client:pub client:hpub",
    does = {
      [[topic.sent = (f.coalesce(topic.sent, 0) + 1); topic.sent_n = f.coalesce(topic.sent_n, n)]],
      "topic n",
    },
  },
  {
    on = "client:sub",
    guard = 93,
    when = {
      [[((topic.sent == 1) and (topic.heard_n == nil) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.server ~= nil and server ~= nil and topic.server == server) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.EARLY_TIME) and (conn.cluster == nil) and (conn.peers == nil))]],
      "topic flow server t conn",
    },
    does = {
      [[too_early.chained = ((too_early.times ~= nil and too_early.times > 0) and (too_early.latest_t ~= nil and (t - too_early.latest_t) <= 60000000000.0)); too_early.second_n = f.choose(too_early.chained, f.coalesce(too_early.second_n, topic.latest_n), nil); too_early.first_n = f.choose(too_early.chained, too_early.first_n, topic.latest_n); too_early.times = f.choose(too_early.chained, (too_early.times ~= nil and (too_early.times + 1) or nil), 1); too_early.latest_t = t]],
      "too_early t topic",
    },
  },
  {
    on = "client:sub",
    guard = 94,
    when = { [[(topic.sent == nil)]], "topic" },
    does = { [[too_early.times = 0]], "too_early" },
  },
  { on = "client:sub", does = { [[topic.heard_n = n]], "topic n" } },
  {
    on = "client:sub",
    guard = 95,
    does = { [[listeners.wide_n = n; listeners.wide = f.put(listeners.wide, c.subject)]], "c listeners n" },
  },
  {
    on = "client:pub client:hpub",
    guard = 96,
    when = {
      [[((f.has(conn.subjects, c.reply_to) ~= nil and not f.has(conn.subjects, c.reply_to)) and (f.matching(c.reply_to, f.coalesce(conn.wide_subject, "")) ~= nil and not f.matching(c.reply_to, f.coalesce(conn.wide_subject, ""))))]],
      "c conn",
    },
    does = { [[conn.words = f.put(conn.words, c.reply_to)]], "c conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 1,
    when = {
      [[((asked.state == "asked") and (asked.subject ~= nil and c.subject ~= nil and asked.subject ~= c.subject) and (asked.latest_t ~= nil and (t - asked.latest_t) <= K.REPLY_TIME))]],
      "c asked t",
    },
    does = { [[conn.shared_replies = f.put(conn.shared_replies, c.reply_to)]], "c conn" },
  },
  { on = "client:pub client:hpub", guard = 1, does = { [[asked.latest_t = t]], "asked t" } },
  {
    on = "client:hpub",
    does = {
      [[copy.message_id = f.item(c["headers[]"], "Nats-Msg-Id"); copy.sent_n = n; copy.sent_t = t]],
      "c copy n t",
    },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((inbox.reply_n ~= nil) and (inbox.reply_flow ~= nil and flow ~= nil and inbox.reply_flow ~= flow) and (inbox.reply_name ~= nil and f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) ~= nil and inbox.reply_name == f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))))]],
      "inbox flow conn client",
    },
    does = { [[conn.second_replies = (f.coalesce(conn.second_replies, 0) + 1)]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((inbox.reply_n ~= nil) and (inbox.reply_name ~= nil and f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) ~= nil and inbox.reply_name ~= f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))))]],
      "inbox conn client",
    },
    does = { [[conn.foreign_replies = (f.coalesce(conn.foreign_replies, 0) + 1)]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 25,
    does = {
      [[inbox.reply_n = n; inbox.reply_flow = flow; inbox.reply_name = f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))]],
      "inbox n flow conn client",
    },
  },
  {
    on = "client:unsub",
    when = {
      [[(f.starts(sub.subject, "_INBOX.") and (conn.unacked ~= nil and conn.unacked > 0))]],
      "sub conn",
    },
    does = { [[conn.closed_inbox = sub.subject; conn.closed_inbox_t = t]], "conn sub t" },
  },
  {
    on = "client:pub client:hpub",
    guard = 97,
    does = { [[conn.unheard_n = n; conn.unheard_reply = c.reply_to]], "c conn n" },
  },
  {
    on = "client:pub client:hpub",
    each = "sub",
    guard = 98,
    when = { [[((sub.state == "live") and f.matching(c.reply_to, sub.subject))]], "c sub" },
    does = { [[conn.unheard_n = nil]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 99,
    does = {
      [[conn.pulled_singly_chained = ((conn.pulled_singly_times ~= nil and conn.pulled_singly_times > 0) and ((conn.pulled_singly_open == 0) and (conn.pulled_singly_answered_t ~= nil and f.max((conn.pulled_singly_took ~= nil and (conn.pulled_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.pulled_singly_answered_t) <= f.max((conn.pulled_singly_took ~= nil and (conn.pulled_singly_took * 3) or nil), 5000000)))); conn.pulled_singly_second_n = f.choose(conn.pulled_singly_chained, f.coalesce(conn.pulled_singly_second_n, n), nil); conn.pulled_singly_first_n = f.choose(conn.pulled_singly_chained, conn.pulled_singly_first_n, n); conn.pulled_singly_times = f.choose(conn.pulled_singly_chained, (conn.pulled_singly_times ~= nil and (conn.pulled_singly_times + 1) or nil), 1); conn.pulled_singly_asked_t = t; conn.pulled_singly_open = (f.coalesce(conn.pulled_singly_open, 0) + 1)]],
      "conn t n",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(conn.pulled_singly_open ~= nil and conn.pulled_singly_open > 0)]], "conn" },
    does = {
      [[conn.pulled_singly_took = (conn.pulled_singly_asked_t ~= nil and (t - conn.pulled_singly_asked_t) or nil); conn.pulled_singly_answered_t = t; conn.pulled_singly_open = 0]],
      "conn t",
    },
  },
  {
    on = "client:ping",
    does = {
      [[conn.flushed_chained = ((conn.flushed_times ~= nil and conn.flushed_times > 0) and ((conn.flushed_open == 0) and (conn.flushed_answered_t ~= nil and f.max((conn.flushed_took ~= nil and (conn.flushed_took * 3) or nil), 5000000) ~= nil and (t - conn.flushed_answered_t) <= f.max((conn.flushed_took ~= nil and (conn.flushed_took * 3) or nil), 5000000)))); conn.flushed_second_n = f.choose(conn.flushed_chained, f.coalesce(conn.flushed_second_n, n), nil); conn.flushed_first_n = f.choose(conn.flushed_chained, conn.flushed_first_n, n); conn.flushed_times = f.choose(conn.flushed_chained, (conn.flushed_times ~= nil and (conn.flushed_times + 1) or nil), 1); conn.flushed_asked_t = t; conn.flushed_open = (f.coalesce(conn.flushed_open, 0) + 1)]],
      "conn t n",
    },
  },
  {
    on = "server:pong",
    when = { [[(conn.flushed_open ~= nil and conn.flushed_open > 0)]], "conn" },
    does = {
      [[conn.flushed_took = (conn.flushed_asked_t ~= nil and (t - conn.flushed_asked_t) or nil); conn.flushed_answered_t = t; conn.flushed_open = 0]],
      "conn t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 18,
    does = {
      [[conn.read_singly_chained = ((conn.read_singly_times ~= nil and conn.read_singly_times > 0) and ((conn.read_singly_open == 0) and (conn.read_singly_answered_t ~= nil and f.max((conn.read_singly_took ~= nil and (conn.read_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.read_singly_answered_t) <= f.max((conn.read_singly_took ~= nil and (conn.read_singly_took * 3) or nil), 5000000)))); conn.read_singly_second_n = f.choose(conn.read_singly_chained, f.coalesce(conn.read_singly_second_n, n), nil); conn.read_singly_first_n = f.choose(conn.read_singly_chained, conn.read_singly_first_n, n); conn.read_singly_times = f.choose(conn.read_singly_chained, (conn.read_singly_times ~= nil and (conn.read_singly_times + 1) or nil), 1); conn.read_singly_asked_t = t; conn.read_singly_open = (f.coalesce(conn.read_singly_open, 0) + 1)]],
      "conn t n",
    },
  },
  {
    on = "msg hmsg",
    when = {
      [[(((asked.state == "asked") and LISTS[8][asked.meaning]) and (conn.read_singly_open ~= nil and conn.read_singly_open > 0))]],
      "asked conn",
    },
    does = {
      [[conn.read_singly_took = (conn.read_singly_asked_t ~= nil and (t - conn.read_singly_asked_t) or nil); conn.read_singly_answered_t = t; conn.read_singly_open = 0]],
      "conn t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 100,
    does = {
      [[conn.stored_singly_chained = ((conn.stored_singly_times ~= nil and conn.stored_singly_times > 0) and ((conn.stored_singly_open == 0) and (conn.stored_singly_answered_t ~= nil and f.max((conn.stored_singly_took ~= nil and (conn.stored_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.stored_singly_answered_t) <= f.max((conn.stored_singly_took ~= nil and (conn.stored_singly_took * 3) or nil), 5000000)))); conn.stored_singly_second_n = f.choose(conn.stored_singly_chained, f.coalesce(conn.stored_singly_second_n, n), nil); conn.stored_singly_first_n = f.choose(conn.stored_singly_chained, conn.stored_singly_first_n, n); conn.stored_singly_times = f.choose(conn.stored_singly_chained, (conn.stored_singly_times ~= nil and (conn.stored_singly_times + 1) or nil), 1); conn.stored_singly_asked_t = t; conn.stored_singly_open = (f.coalesce(conn.stored_singly_open, 0) + 1)]],
      "conn t n",
    },
  },
  {
    on = "msg hmsg",
    when = {
      [[(((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil)) and (conn.stored_singly_open ~= nil and conn.stored_singly_open > 0))]],
      "c asked conn",
    },
    does = {
      [[conn.stored_singly_took = (conn.stored_singly_asked_t ~= nil and (t - conn.stored_singly_asked_t) or nil); conn.stored_singly_answered_t = t; conn.stored_singly_open = 0]],
      "conn t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 101,
    when = { [[(served.state == "answered")]], "served" },
    does = {
      [[conn.acked_twice_second_n = f.choose((conn.acked_twice_count == 1), n, conn.acked_twice_second_n); conn.acked_twice_count = (f.coalesce(conn.acked_twice_count, 0) + 1); conn.acked_twice_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 20,
    does = { [[conn.acked_twice_among = (f.coalesce(conn.acked_twice_among, 0) + 1)]], "conn" },
  },
  {
    on = "client:hpub",
    guard = 1,
    when = { [[(msg_id.first_n ~= nil)]], "msg_id" },
    does = { [[asked.msg_id = f.item(c["headers[]"], "Nats-Msg-Id")]], "c asked" },
  },
  {
    on = "client:hpub",
    when = {
      [[((msg_id.first_n ~= nil and msg_id.first_n < n) and (msg_id.digest ~= nil and f.digest(c["payload raw"]) ~= nil and msg_id.digest == f.digest(c["payload raw"])))]],
      "c msg_id n",
    },
    does = { [[asked.again_n = msg_id.first_n; asked.again_t = msg_id.first_t]], "asked msg_id" },
  },
  {
    on = "client:hpub",
    when = {
      [[((msg_id.first_n ~= nil and msg_id.first_n == n) and (msg_id.old ~= nil and msg_id.digest ~= nil and msg_id.old == msg_id.digest))]],
      "msg_id n",
    },
    does = { [[asked.again_n = msg_id.old_n; asked.again_t = msg_id.old_t]], "asked msg_id" },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = { [[((asked.msg_id ~= nil) and (asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    does = {
      [[msg_id.stored = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}")))))]],
      "c msg_id",
    },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.state == "asked") and (asked.meaning == nil))]],
      "asked",
    },
    does = {
      [[asked.stored_n = n; asked.stream = f.between(c["payload raw"], "\"stream\":\"", "\"")]],
      "c asked n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 103,
    does = {
      [[asked.reads = (f.between(c["payload raw"], "\"last_by_subj\":\"", "\"") or f.between(c["payload raw"], "\"last_by_subj\": \"", "\"")); asked.of = f.token(c.subject, 5)]],
      "c asked",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 104,
    does = { [[asked.of = f.token(c.subject, 4); asked.direct = c.subject]], "c asked" },
  },
  {
    on = "msg hmsg",
    when = { [[(asked.of ~= nil)]], "asked" },
    does = {
      [[conn.read = asked.reads; conn.read_of = asked.of; conn.read_n = n; conn.read_at = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}")))))]],
      "c conn asked n",
    },
  },
  {
    on = "hmsg",
    when = { [[(asked.direct ~= nil)]], "asked" },
    does = {
      [[conn.read = f.item(c["headers[]"], "Nats-Subject"); conn.read_n = n; conn.read_at = f.number(f.item(c["headers[]"], "Nats-Sequence"))]],
      "c conn n",
    },
  },
  {
    on = "msg hmsg",
    when = { [[(asked.expects ~= nil)]], "asked" },
    does = {
      [[conn.wrong_last = f.number(f.between(c["payload raw"], "wrong last sequence: ", "\"")); conn.wrong_n = n; conn.wrong_of = f.between(c["payload raw"], "\"stream\":\"", "\"")]],
      "c conn n",
    },
  },
  {
    on = "client:hpub",
    guard = 1,
    when = { [[(conn.read ~= nil and c.subject ~= nil and conn.read == c.subject)]], "c conn" },
    does = { [[asked.expects = f.item(c["headers[]"], "Nats-Expected-Last-Sequence")]], "c asked" },
  },
  {
    on = "client:pub client:hpub",
    guard = 105,
    does = {
      [[asked.key = c.subject; asked.based_n = conn.read_n; asked.based = f.choose(((conn.read ~= nil and c.subject ~= nil and conn.read == c.subject) and (conn.read_n ~= nil and conn.read_n > f.coalesce(conn.written_n, -1))), conn.read_at, nil); conn.written_n = n]],
      "c asked conn n",
    },
  },
  { on = "client:hpub", guard = 106, does = { [[asked.based = nil]], "asked" } },
  { on = "client:hpub", guard = 107, does = { [[asked.removes = 1]], "asked" } },
  { on = "client:hpub", guard = 108, does = { [[asked.takes = 1]], "asked" } },
  {
    on = "msg hmsg",
    when = {
      [[((asked.state == "asked") and (asked.key ~= nil) and (asked.key ~= nil and asked.subject ~= nil and asked.key == asked.subject) and (asked.removes == 1) and (conn.held_key ~= nil and asked.key ~= nil and conn.held_key == asked.key) and (entry.flow ~= nil and flow ~= nil and entry.flow ~= flow) and (entry.sequence ~= nil and conn.held_at ~= nil and entry.sequence > conn.held_at) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and entry.sequence ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) > entry.sequence))]],
      "c asked conn entry flow",
    },
    does = { [[entry.seized = (f.coalesce(entry.seized, 0) + 1)]], "entry" },
  },
  {
    on = "msg hmsg",
    guard = 109,
    when = {
      [[((asked.state == "asked") and (asked.key ~= nil) and (asked.key ~= nil and asked.subject ~= nil and asked.key == asked.subject) and (asked.takes == 1))]],
      "asked",
    },
    does = {
      [[conn.held_key = asked.key; conn.held_at = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))); conn.held_n = asked.n]],
      "c conn asked",
    },
  },
  {
    on = "msg hmsg",
    when = {
      [[((asked.state == "asked") and (asked.based ~= nil) and (entry.flow ~= nil and flow ~= nil and entry.flow ~= flow) and (entry.sequence ~= nil and asked.based ~= nil and entry.sequence > asked.based) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and entry.sequence ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) > entry.sequence))]],
      "c asked entry flow",
    },
    does = { [[entry.overwrites = (f.coalesce(entry.overwrites, 0) + 1)]], "entry" },
  },
  {
    on = "msg hmsg",
    when = {
      [[((asked.state == "asked") and (asked.key ~= nil) and (asked.key ~= nil and asked.subject ~= nil and asked.key == asked.subject) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) > f.coalesce(entry.sequence, 0)))]],
      "c asked entry",
    },
    does = {
      [[entry.sequence = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))); entry.flow = flow; entry.written_n = asked.n]],
      "c entry flow asked",
    },
  },
  {
    on = "client:pub client:hpub",
    when = { [[(LISTS[21][served.state] and (served.meaning == "in progress"))]], "served" },
    does = { [[served.beats = (f.coalesce(served.beats, 0) + 1); served.beat_t = t]], "served t" },
  },
  {
    on = "client:pub client:hpub",
    when = { [[((served.state == "answered") and (served.meaning == "in progress"))]], "served" },
    does = { [[conn.late_beats = (f.coalesce(conn.late_beats, 0) + 1)]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((served.meaning ~= nil) and (served.meaning ~= nil and served.meaning ~= "in progress"))]],
      "served",
    },
    does = {
      [[conn.verdicts = (f.coalesce(conn.verdicts, 0) + 1); conn.rejected = ((LISTS[24][served.meaning] and 1 or 0) ~= nil and (f.coalesce(conn.rejected, 0) + (LISTS[24][served.meaning] and 1 or 0)) or nil); conn.verdict_n = n; conn.verdict_first_n = f.coalesce(conn.verdict_first_n, n)]],
      "conn served n",
    },
  },
  {
    on = "end:served",
    when = {
      [[((served.state == "in_progress") and (served.beats ~= nil and served.beats >= K.BEATS_LIMIT))]],
      "served",
    },
    does = {
      [[conn.unfinished = (f.coalesce(conn.unfinished, 0) + 1); conn.unfinished_n = served.last_n]],
      "conn served",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 110,
    does = {
      [[served.progress_chained = ((served.progress_times ~= nil and served.progress_times > 0) and (served.progress_latest_t ~= nil and conn.ack_wait ~= nil and (t - served.progress_latest_t) < conn.ack_wait)); served.progress_second_n = f.choose(served.progress_chained, f.coalesce(served.progress_second_n, n), nil); served.progress_first_n = f.choose(served.progress_chained, served.progress_first_n, n); served.progress_first_t = f.choose(served.progress_chained, served.progress_first_t, t); served.progress_times = f.choose(served.progress_chained, (served.progress_times ~= nil and (served.progress_times + 1) or nil), 1); served.progress_latest_t = t]],
      "served conn t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 111,
    does = {
      [[conn.beat = (f.number(f.between(c["payload raw"], "\"idle_heartbeat\":", ",")) or (f.number(f.between(c["payload raw"], "\"idle_heartbeat\": ", ",")) or (f.number(f.between(c["payload raw"], "\"idle_heartbeat\":", "}")) or f.number(f.between(c["payload raw"], "\"idle_heartbeat\": ", "}"))))); conn.next_n = nil]],
      "c conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 112,
    when = { [[(conn.beat ~= nil and conn.beat > 0)]], "conn" },
    does = {
      [[conn.next_n = n; conn.next_t = t; conn.nexts = (f.coalesce(conn.nexts, 0) + 1)]],
      "conn n t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 20,
    when = {
      [[((not f.starts(c.subject, "$JS.ACK.")) or (not f.starts(c["payload raw"], K.NEXT_WORD)) or (conn.beat ~= nil and conn.beat <= 0) or (f.between(c["payload raw"], "idle_heartbeat", "") ~= nil))]],
      "c conn",
    },
    does = { [[conn.next_n = nil]], "conn" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(conn.next_n ~= nil)]], "conn" },
    does = { [[conn.next_n = nil]], "conn" },
  },
  { on = "hmsg", does = { [[conn.next_n = nil]], "conn" } },
  {
    on = "end:conn",
    when = {
      [[((conn.next_n ~= nil) and (conn.left == 1) and (conn.cut == nil) and LISTS[13][why] and (conn.beat ~= nil and conn.left_t ~= nil and conn.next_t ~= nil and (conn.beat * 3) <= ((conn.left_t - conn.next_t) * 2)) and (conn.left_t ~= nil and conn.next_t ~= nil and conn.beat ~= nil and (conn.left_t - conn.next_t) <= (conn.beat * 4)))]],
      "conn why",
    },
    does = {
      [[unbeaten.times = (f.coalesce(unbeaten.times, 0) + 1); unbeaten.latest_n = conn.next_n]],
      "unbeaten conn",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[((conn.create_stream ~= nil) and (conn.filter == nil))]], "conn" },
    does = {
      [[conn.read_turn = f.number(f.token(c.reply_to, 6)); conn.read_consumer = f.token(c.reply_to, 3); conn.read_place_n = n; conn.read_place = f.choose((f.number(f.token(c.reply_to, 4)) == 1), f.number(f.token(c.reply_to, 5)), nil)]],
      "c conn n",
    },
  },
  {
    on = "msg hmsg",
    guard = 113,
    does = { [[served.asked = c.subject; served.queue = sub.queue]], "c served sub" },
  },
  {
    on = "client:pub client:hpub",
    guard = 114,
    when = { [[(served.asked ~= nil)]], "served" },
    does = { [[conn.serves = f.put(conn.serves, served.asked)]], "conn served" },
  },
  {
    on = "end:served",
    when = {
      [[((conn.left == 1) and (conn.cut == nil) and f.has(conn.serves, served.asked) and (flow ~= nil and f.coalesce(quit.flow, -1) ~= flow))]],
      "conn served flow quit",
    },
    does = {
      [[quit.times = (f.coalesce(quit.times, 0) + 1); quit.flow = flow; quit.latest_n = served.n]],
      "quit flow served",
    },
  },
  {
    on = "end:conn",
    does = {
      [[stopped.times = (f.coalesce(stopped.times, 0) + 1); stopped.latest_n = conn.unacked_n]],
      "stopped conn",
    },
  },
  {
    on = "msg hmsg",
    guard = 64,
    when = { [=[LISTS[25][asked.meaning]]=], "asked" },
    does = {
      [[names_object.subjects = f.put(names_object.subjects, asked.subject)]],
      "names_object asked",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 115,
    does = {
      [[keeper.made_n = f.choose((conn.start and ((f.between(c["payload raw"], "\"retention\":\"", "\"") == "interest") or (f.between(c["payload raw"], "\"retention\": \"", "\"") == "interest"))), n, nil); keeper.unkept = 0]],
      "c keeper conn n",
    },
  },
  { on = "client:pub client:hpub", guard = 15, does = { [[keeper.made_n = nil]], "keeper" } },
  {
    on = "end:asked",
    when = { [[(keeper.made_n ~= nil)]], "keeper" },
    does = {
      [[keeper.unkept = (keeper.unkept ~= nil and (keeper.unkept + 1) or nil); keeper.first_n = f.coalesce(keeper.first_n, asked.n)]],
      "keeper asked",
    },
  },
  {
    on = "client:pub client:hpub",
    each = "sub",
    guard = 116,
    when = { [[((sub.state == "live") and f.matching(c.reply_to, sub.subject))]], "c sub" },
    does = { [[sub.endless_n = n]], "sub n" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = {
      [[((sub.endless_n ~= nil and sub.pull_n ~= nil and sub.endless_n == sub.pull_n) and (sub.pull_n ~= nil and conn.pull_n ~= nil and sub.pull_n < conn.pull_n))]],
      "sub conn",
    },
    does = {
      [[served.abandoned = 1; conn.abandoned = (f.coalesce(conn.abandoned, 0) + 1); conn.abandoned_n = f.coalesce(conn.abandoned_n, sub.pull_n); conn.abandoned_to_n = n; conn.abandoned_t = t]],
      "served conn sub n t",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 20,
    when = { [[(served.abandoned == 1)]], "served" },
    does = {
      [[conn.abandoned = (conn.abandoned ~= nil and (conn.abandoned - 1) or nil); served.abandoned = 0]],
      "conn served",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 36,
    does = {
      [[endless.chained = ((endless.times ~= nil and endless.times > 0) and (endless.latest_t ~= nil and (t - endless.latest_t) <= 60000000000.0)); endless.second_n = f.choose(endless.chained, f.coalesce(endless.second_n, n), nil); endless.first_n = f.choose(endless.chained, endless.first_n, n); endless.times = f.choose(endless.chained, (endless.times ~= nil and (endless.times + 1) or nil), 1); endless.latest_t = t]],
      "endless t n",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(conn.pulls ~= nil)]], "conn" },
    does = { [[endless.times = 0]], "endless" },
  },
  {
    on = "client:pub client:hpub",
    guard = 37,
    does = {
      [[deleted_singly.chained = ((deleted_singly.times ~= nil and deleted_singly.times > 0) and (deleted_singly.latest_t ~= nil and (t - deleted_singly.latest_t) <= K.DELETED_PAUSE)); deleted_singly.second_n = f.choose(deleted_singly.chained, f.coalesce(deleted_singly.second_n, n), nil); deleted_singly.first_n = f.choose(deleted_singly.chained, deleted_singly.first_n, n); deleted_singly.times = f.choose(deleted_singly.chained, (deleted_singly.times ~= nil and (deleted_singly.times + 1) or nil), 1); deleted_singly.latest_t = t]],
      "deleted_singly t n",
    },
  },
  { on = "end:conn", does = { [[idle.all = (f.coalesce(idle.all, 0) + 1)]], "idle" } },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[idle.ended = (f.coalesce(idle.ended, 0) + 1)]], "idle" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.connect_n ~= nil) and (conn.published == 0) and (conn.delivered == 0) and (conn.subs_n == nil) and (conn.peers == nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (conn.t ~= nil and (t - conn.t) > K.REPLY_TIME)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn t why",
    },
    does = {
      [[idle.left = (f.coalesce(idle.left, 0) + 1); idle.latest_n = conn.connect_n; idle.first_n = f.coalesce(idle.first_n, conn.connect_n)]],
      "idle conn",
    },
  },
  {
    on = "end:sub",
    when = { [[(LISTS[10][why] and (not f.starts(sub.subject, "_INBOX")))]], "why sub" },
    does = { [[conn.waits = 1]], "conn" },
  },
  { on = "end:conn", does = { [[left.all = (f.coalesce(left.all, 0) + 1)]], "left" } },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[left.ended = (f.coalesce(left.ended, 0) + 1)]], "left" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.client_name ~= nil) and ((conn.published ~= nil and conn.published > 0) or (conn.subs_n ~= nil)) and (conn.waits == nil) and (conn.pulls == nil) and (conn.push_to == nil) and (conn.peers == nil) and (conn.cluster == nil) and (not f.starts(conn.client_name, "LIFT.")) and (C.command_t ~= nil and (t - C.command_t) > K.LEFT_FOR)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn C t why",
    },
    does = {
      [[left.left = (f.coalesce(left.left, 0) + 1); left.latest_n = conn.connect_n; left.first_n = f.coalesce(left.first_n, conn.connect_n)]],
      "left conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 117,
    when = {
      [[((stream_configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and stream_configured.user ~= f.digest(c["payload raw"])) and f.has(stream_configured.users, f.digest(c["payload raw"])))]],
      "c stream_configured",
    },
    does = {
      [[stream_configured.returns = (f.coalesce(stream_configured.returns, 0) + 1)]],
      "stream_configured",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 117,
    when = {
      [[(stream_configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and stream_configured.user ~= f.digest(c["payload raw"]))]],
      "c stream_configured",
    },
    does = { [[stream_configured.former_n = stream_configured.latest_n]], "stream_configured" },
  },
  {
    on = "client:pub client:hpub",
    guard = 38,
    does = {
      [[stream_configured.users = f.put(stream_configured.users, f.digest(c["payload raw"])); stream_configured.user = f.digest(c["payload raw"]); stream_configured.latest_n = n]],
      "c stream_configured n",
    },
  },
  {
    on = "msg hmsg",
    guard = 118,
    when = { [[((asked.state == "asked") and LISTS[14][asked.meaning])]], "asked" },
    does = {
      [[catalogue.subjects = f.choose(((f.between(c["payload raw"], "\"sources\":", "[") == nil) and (f.between(c["payload raw"], "\"mirror\":", "{") == nil) and (f.between(c["payload raw"], "transform", "{") == nil)), f.between(c["payload raw"], "\"subjects\":[", "]"), nil); catalogue.told_n = n; catalogue.config = f.between(c["payload raw"], "\"config\":{", "\"created\":")]],
      "c catalogue n",
    },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.state == "asked") and (asked.meaning == "consumer info"))]], "asked" },
    does = {
      [[described.config = f.between(c["payload raw"], "\"config\":{", "\"delivered\":"); described.told_n = n]],
      "c described n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 81,
    does = { [[described.config = nil]], "described" },
  },
  {
    on = "client:pub client:hpub",
    guard = 39,
    does = {
      [[mute.subject = (f.between(c["payload raw"], "\"subjects\":[\"", "\"") or f.between(c["payload raw"], "\"subjects\": [\"", "\"")); mute.made_n = n]],
      "c mute n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 119,
    when = { [[(remade.deleted_n ~= nil)]], "remade" },
    does = {
      [[remade.times = (f.coalesce(remade.times, 0) + 1); remade.first_n = f.coalesce(remade.first_n, remade.deleted_n); remade.deleted_n = nil]],
      "remade",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 120,
    when = { [[(remade.made_n ~= nil)]], "remade" },
    does = { [[remade.deleted_n = n]], "remade n" },
  },
  { on = "client:pub client:hpub", guard = 121, does = { [[remade.made_n = n]], "remade n" } },
  {
    on = "client:pub client:hpub",
    when = {
      [[((f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.") and (conn.client_name ~= nil) and (f.between(c["payload raw"], "\"group\":", "\"") == nil)) and ((shared_durable.user ~= nil and f.program(conn.client_name) ~= nil and shared_durable.user ~= f.program(conn.client_name)) and f.has(shared_durable.users, f.program(conn.client_name))))]],
      "c conn shared_durable",
    },
    does = { [[shared_durable.returns = (f.coalesce(shared_durable.returns, 0) + 1)]], "shared_durable" },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.") and (conn.client_name ~= nil) and (f.between(c["payload raw"], "\"group\":", "\"") == nil)) and (shared_durable.user ~= nil and f.program(conn.client_name) ~= nil and shared_durable.user ~= f.program(conn.client_name)))]],
      "c conn shared_durable",
    },
    does = { [[shared_durable.former_n = shared_durable.latest_n]], "shared_durable" },
  },
  {
    on = "client:pub client:hpub",
    guard = 41,
    when = { [[(conn.client_name ~= nil)]], "conn" },
    does = {
      [[shared_durable.users = f.put(shared_durable.users, f.program(conn.client_name)); shared_durable.user = f.program(conn.client_name); shared_durable.latest_n = n]],
      "shared_durable conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 122,
    does = {
      [[conn.stale_pulls = f.choose(f.has(conn.stale_pins, (f.between(c["payload raw"], "\"id\":\"", "\"") or f.between(c["payload raw"], "\"id\": \"", "\""))), (f.coalesce(conn.stale_pulls, 0) + 1), nil)]],
      "c conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 122,
    does = {
      [[pull.pin = (f.between(c["payload raw"], "\"id\":\"", "\"") or f.between(c["payload raw"], "\"id\": \"", "\"")); conn.pin = (f.between(c["payload raw"], "\"id\":\"", "\"") or f.between(c["payload raw"], "\"id\": \"", "\""))]],
      "c pull conn",
    },
  },
  {
    on = "server:hmsg",
    guard = 123,
    does = {
      [[conn.stale_pins = f.put(conn.stale_pins, f.coalesce(pull.pin, conn.pin)); conn.unpinned_n = n]],
      "conn pull n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 15,
    does = {
      [[conn.backoff = f.between(c["payload raw"], "\"backoff\":[", "]"); conn.backoff_n = n]],
      "c conn n",
    },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.state == "asked") and (asked.meaning == "consumer info"))]], "asked" },
    does = {
      [[conn.backoff = f.between(c["payload raw"], "\"backoff\":[", "]"); conn.backoff_n = n]],
      "c conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 124,
    when = { [[(conn.backoff ~= nil)]], "conn" },
    does = { [[conn.naks = (f.coalesce(conn.naks, 0) + 1)]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 77,
    when = { [[(conn.policy == "all")]], "conn" },
    does = {
      [[conn.acked_singly_chained = ((conn.acked_singly_times ~= nil and conn.acked_singly_times > 0) and ((conn.acked_singly_latest_t ~= nil and (t - conn.acked_singly_latest_t) <= 10000000000.0) and (conn.acked_singly_same ~= nil and f.number(f.token(c.subject, 6)) ~= nil and conn.acked_singly_same == (f.number(f.token(c.subject, 6)) - f.coalesce(conn.acked_place, 0))))); conn.acked_singly_second_n = f.choose(conn.acked_singly_chained, f.coalesce(conn.acked_singly_second_n, n), nil); conn.acked_singly_first_n = f.choose(conn.acked_singly_chained, conn.acked_singly_first_n, n); conn.acked_singly_times = f.choose(conn.acked_singly_chained, (conn.acked_singly_times ~= nil and (conn.acked_singly_times + 1) or nil), 1); conn.acked_singly_latest_t = t; conn.acked_singly_same = (f.number(f.token(c.subject, 6)) ~= nil and (f.number(f.token(c.subject, 6)) - f.coalesce(conn.acked_place, 0)) or nil)]],
      "c conn t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 20,
    when = { [[(conn.policy == "all")]], "conn" },
    does = { [[conn.acked_place = f.number(f.token(c.subject, 6))]], "c conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 20,
    when = { [[(conn.policy == "explicit")]], "conn" },
    does = {
      [[conn.acks = (f.coalesce(conn.acks, 0) + 1); conn.acked_subject = c.subject; conn.acked_subject_n = n]],
      "c conn n",
    },
  },
  {
    on = "client:unsub",
    guard = 3,
    when = {
      [[((sub["until"] ~= nil and sub["until"] > (t + K.GIVE_UP)) and (sub.delivered ~= nil and sub.wanted ~= nil and sub.delivered < sub.wanted))]],
      "sub t",
    },
    does = {
      [[conn.left_pulls = f.put(conn.left_pulls, sub.pull_of); conn.left_pull_n = sub.pull_n]],
      "conn sub",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 125,
    when = { [[f.has(conn.left_pulls, c.subject)]], "c conn" },
    does = {
      [[conn.gave_up = (f.coalesce(conn.gave_up, 0) + 1); conn.left_pulls = f.drop(conn.left_pulls, c.subject); conn.gave_up_n = f.coalesce(conn.gave_up_n, n)]],
      "c conn n",
    },
  },
  {
    on = "server:hmsg",
    guard = 9,
    when = { [[(sub["until"] ~= nil)]], "sub" },
    does = { [[sub["until"] = nil]], "sub" },
  },
  {
    on = "client:hpub",
    guard = 126,
    does = {
      [[bundle.next = (f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) ~= nil and (f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) + 1) or nil); bundle.batch = f.item(c["headers[]"], "Nats-Batch-Id"); bundle.count = (f.choose((bundle.committed == nil), f.coalesce(bundle.count, 0), 0) ~= nil and (1 + f.choose((bundle.committed == nil), f.coalesce(bundle.count, 0), 0)) or nil); bundle.committed = f.item(c["headers[]"], "Nats-Batch-Commit"); bundle.latest_n = n; bundle.latest_t = t; bundle.of = c.subject]],
      "c bundle n t",
    },
  },
  {
    on = "server:hmsg",
    guard = 11,
    when = { [[(pull.state == "asked")]], "pull" },
    does = {
      [[conn.gone_n = n; conn.gone_t = t; conn.gone_pull_n = pull.n; conn.deleted = f.choose((c.status == 409), pull.subject, nil); conn.vain_pulls = 0]],
      "c conn n t pull",
    },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((conn.deleted ~= nil) and (c.subject ~= nil and conn.deleted ~= nil and c.subject == conn.deleted))]],
      "c conn",
    },
    does = {
      [[conn.vain_pulls = (conn.vain_pulls ~= nil and (conn.vain_pulls + 1) or nil); conn.vain_n = f.choose((conn.vain_pulls == K.VAIN_PULLS), n, conn.vain_n)]],
      "conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 127,
    when = {
      [[((conn.gone_n ~= nil) and (c.subject ~= nil and c.subject ~= f.coalesce(conn.deleted, "")))]],
      "c conn",
    },
    does = { [[conn.gone_n = nil; conn.deleted = nil]], "conn" },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(conn.deleted ~= nil)]], "conn" },
    does = { [[conn.gone_n = nil; conn.deleted = nil]], "conn" },
  },
  { on = "client:pub client:hpub", guard = 128, does = { [[conn.deletes_n = n]], "conn n" } },
  {
    on = "server:hmsg",
    guard = 43,
    when = {
      [[((pull.state == "asked") and (pull.t ~= nil and (t - pull.t) < K.BRIEF_PULL) and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0)))]],
      "pull t conn",
    },
    does = {
      [[brief_pulls.chained = ((brief_pulls.times ~= nil and brief_pulls.times > 0) and (brief_pulls.latest_t ~= nil and (t - brief_pulls.latest_t) <= K.BRIEF_PULL)); brief_pulls.second_n = f.choose(brief_pulls.chained, f.coalesce(brief_pulls.second_n, pull.n), nil); brief_pulls.first_n = f.choose(brief_pulls.chained, brief_pulls.first_n, pull.n); brief_pulls.times = f.choose(brief_pulls.chained, (brief_pulls.times ~= nil and (brief_pulls.times + 1) or nil), 1); brief_pulls.latest_t = t]],
      "brief_pulls t pull",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 44,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (job.consumer ~= nil and f.token(c.subject, 3) ~= nil and job.consumer ~= f.token(c.subject, 3)))]],
      "c conn job",
    },
    does = { [[conn.twice_done = (f.coalesce(conn.twice_done, 0) + 1)]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 44,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    does = { [[job.consumer = f.token(c.subject, 3); job.acked_n = n]], "c job n" },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((conn.left == nil) and (conn.peers == nil) and (conn.cluster == nil) and ((f.len(conn.push_to) or 0) > 0) and (f.coalesce(f.len(conn.group), 0) == 0) and (conn.ack_to ~= nil))]],
      "conn",
    },
    does = {
      [[before.fed = conn.push_to; before.fed_n = conn.create_n; before.fed_t = t; before.fed_stream = conn.create_stream; before.fed_filter = conn.filter; before.fed_beat = conn.push_beat]],
      "before conn t",
    },
  },
  {
    on = "client:sub",
    when = {
      [[((c.subject ~= nil and before.fed ~= nil and c.subject == before.fed) and (conn.t ~= nil and before.fed_t ~= nil and (conn.t - before.fed_t) < K.LOST_LATELY))]],
      "c before conn",
    },
    does = {
      [[conn.fed_stream = before.fed_stream; conn.fed_filter = before.fed_filter; conn.fed_n = n; conn.fed_t = t; conn.fed_before_n = before.fed_n; conn.fed_beat = before.fed_beat; before.fed = nil]],
      "conn before n t",
    },
  },
  {
    on = "client:hpub",
    guard = 129,
    does = { [[asked.rolls_up = f.item(c["headers[]"], "Nats-Rollup")]], "c asked" },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.rolls_up == nil))]],
      "asked",
    },
    does = {
      [[stock.subjects = f.put(stock.subjects, asked.subject); stock.latest = asked.subject; stock.latest_n = asked.n; stock.latest_t = t; stock.first_n = f.coalesce(stock.first_n, asked.n); stock.first_subject = f.coalesce(stock.first_subject, asked.subject); stock.other_n = f.choose((stock.first_subject ~= nil and asked.subject ~= nil and stock.first_subject ~= asked.subject), asked.n, stock.other_n)]],
      "stock asked t",
    },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = { [[((asked.state == "asked") and (asked.meaning == "key value"))]], "asked" },
    does = {
      [[stock.latest = asked.subject; stock.latest_n = asked.n; stock.latest_t = t]],
      "stock asked t",
    },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.rolls_up == "all") and (not f.starts(asked.subject, "$KV.")))]],
      "asked",
    },
    does = { [[stock.rolled_up = asked.subject; stock.rolled_n = asked.n]], "stock asked" },
  },
  {
    on = "client:pub",
    guard = 1,
    when = {
      [[(c.subject ~= nil and conn.refused_key ~= nil and c.subject == conn.refused_key)]],
      "c conn",
    },
    does = { [[asked.refused_n = conn.refused_n; conn.refused_key = nil]], "asked conn" },
  },
  {
    on = "client:hpub",
    guard = 130,
    when = {
      [[(c.subject ~= nil and conn.refused_key ~= nil and c.subject == conn.refused_key)]],
      "c conn",
    },
    does = { [[asked.refused_n = conn.refused_n; conn.refused_key = nil]], "asked conn" },
  },
  {
    on = "msg hmsg",
    guard = 131,
    when = { [[((asked.refused_n ~= nil) and (asked.state == "asked"))]], "asked" },
    does = { [[conn.forced = (f.coalesce(conn.forced, 0) + 1); conn.forced_n = asked.n]], "conn asked" },
  },
  {
    on = "msg hmsg",
    guard = 132,
    when = { [[((asked.key ~= nil) and (asked.state == "asked"))]], "asked" },
    does = { [[conn.refused_key = asked.key; conn.refused_n = n]], "conn asked n" },
  },
  {
    on = "client:hpub",
    guard = 133,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    does = {
      [[conn.traced_chained = ((conn.traced_times ~= nil and conn.traced_times > 0) and ((conn.traced_latest_t ~= nil and (t - conn.traced_latest_t) <= 10000000000.0) and (conn.traced_same ~= nil and f.item(c["headers[]"], "traceparent") ~= nil and conn.traced_same == f.item(c["headers[]"], "traceparent")))); conn.traced_second_n = f.choose(conn.traced_chained, f.coalesce(conn.traced_second_n, n), nil); conn.traced_first_n = f.choose(conn.traced_chained, conn.traced_first_n, n); conn.traced_times = f.choose(conn.traced_chained, (conn.traced_times ~= nil and (conn.traced_times + 1) or nil), 1); conn.traced_latest_t = t; conn.traced_same = f.item(c["headers[]"], "traceparent")]],
      "c conn t n",
    },
  },
  {
    on = "client:sub",
    when = {
      [[((conn.left_inbox ~= nil) and (f.token(c.subject, 0) ~= nil and f.token(conn.left_inbox, 0) ~= nil and f.token(c.subject, 0) == f.token(conn.left_inbox, 0)))]],
      "c conn",
    },
    does = { [[conn.left_inbox = nil]], "conn" },
  },
  {
    on = "client:unsub",
    guard = 3,
    when = {
      [[((sub.queue == nil) and (sub.delivered ~= nil and sub.delivered > 0) and (not f.literal(sub.subject)))]],
      "sub",
    },
    does = { [[conn.left_inbox = sub.subject; conn.left_n = n; conn.left_asked = 0]], "conn sub n" },
  },
  {
    on = "client:pub client:hpub",
    guard = 1,
    when = { [[((conn.left_inbox ~= nil) and f.matching(c.reply_to, conn.left_inbox))]], "c conn" },
    does = { [[conn.left_asked = (conn.left_asked ~= nil and (conn.left_asked + 1) or nil)]], "conn" },
  },
  {
    on = "client:sub",
    guard = 134,
    does = { [[conn.broad = c.subject; conn.broad_n = n; conn.overheard = 0]], "c conn n" },
  },
  { on = "client:sub", guard = 135, does = { [[conn.inbox = c.subject]], "c conn" } },
  {
    on = "client:unsub",
    when = { [[(sub.subject ~= nil and conn.broad ~= nil and sub.subject == conn.broad)]], "sub conn" },
    does = { [[conn.broad = nil]], "conn" },
  },
  {
    on = "client:unsub",
    when = { [[(sub.subject ~= nil and conn.inbox ~= nil and sub.subject == conn.inbox)]], "sub conn" },
    does = { [[conn.inbox = nil]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 1,
    when = {
      [[((conn.broad ~= nil) and f.matching(c.reply_to, conn.broad) and f.matching(c.reply_to, conn.inbox))]],
      "c conn",
    },
    does = { [[conn.overheard = (conn.overheard ~= nil and (conn.overheard + 1) or nil)]], "conn" },
  },
  {
    on = "end:sub",
    when = {
      [[(((why == "removed") and (sub.delivered ~= nil and sub.delivered <= 1) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (why ~= nil and not LISTS[9][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both))]],
      "why sub conn",
    },
    does = {
      [[resubscribed.chained = ((resubscribed.times ~= nil and resubscribed.times > 0) and ((resubscribed.latest_t ~= nil and sub.t ~= nil and resubscribed.latest_t <= (sub.t + 0)) and (sub.t ~= nil and resubscribed.latest_t ~= nil and (sub.t - resubscribed.latest_t) <= 2000000000.0))); resubscribed.second_n = f.choose(resubscribed.chained, f.coalesce(resubscribed.second_n, sub.n), nil); resubscribed.first_n = f.choose(resubscribed.chained, resubscribed.first_n, sub.n); resubscribed.times = f.choose(resubscribed.chained, (resubscribed.times ~= nil and (resubscribed.times + 1) or nil), 1); resubscribed.latest_t = t]],
      "resubscribed sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[9][why]) and ((sub.born ~= nil and not sub.born) or (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why sub conn",
    },
    does = { [[resubscribed.times = 0]], "resubscribed" },
  },
  {
    on = "client:sub",
    guard = 28,
    when = { [[f.has(conn.plain, c.subject)]], "c conn" },
    does = { [[conn.copies = (f.coalesce(conn.copies, 0) + 1); conn.copy_n = n]], "conn n" },
  },
  {
    on = "client:sub",
    guard = 28,
    does = { [[conn.plain = f.put(conn.plain, c.subject)]], "c conn" },
  },
  {
    on = "client:unsub",
    guard = 3,
    does = { [[conn.plain = f.drop(conn.plain, sub.subject)]], "conn sub" },
  },
  {
    on = "end:conn",
    does = {
      [[before.grown = f.choose((f.coalesce(conn.copies, 0) > f.coalesce(before.copies, 0)), (f.coalesce(before.grown, 0) + 1), 0); before.copies = f.coalesce(conn.copies, 0); before.copy_n = conn.copy_n; before.clean = (((conn.copies == nil) and conn.start and conn.whole) and 1 or nil)]],
      "before conn",
    },
  },
  {
    on = "client:sub",
    guard = 136,
    does = { [[conn.literal = c.subject; conn.literal_n = n]], "c conn n" },
  },
  {
    on = "client:sub",
    guard = 137,
    does = { [[conn.wide = c.subject; conn.wide_n = n]], "c conn n" },
  },
  { on = "client:sub", guard = 138, does = { [[network.wide_n = n]], "network n" } },
  {
    on = "client:sub",
    guard = 93,
    when = {
      [[(f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")) ~= nil and f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")) > f.coalesce(series.most, -1))]],
      "c series",
    },
    does = {
      [[series.most = f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")); series.count = (f.coalesce(series.count, 0) + 1); series.latest_n = n; network.numbered = n]],
      "c series n network",
    },
  },
  {
    on = "client:sub",
    does = {
      [[workers.live = (f.coalesce(workers.live, 0) + 1); workers.latest_n = n; workers.client_name = conn.client_name; workers.program = f.program(conn.client_name)]],
      "workers n conn",
    },
  },
  {
    on = "end:sub",
    does = { [[workers.live = (workers.live ~= nil and (workers.live - 1) or nil)]], "workers" },
  },
  {
    on = "client:pub client:hpub",
    guard = 139,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = {
      [[network.sent = (f.coalesce(network.sent, 0) + 1); topic.away = f.choose((topic.open == 0), (f.coalesce(topic.away, 0) + 1), 0); topic.away_n = f.choose((topic.away == 1), n, topic.away_n)]],
      "network topic n",
    },
  },
  { on = "client:sub", guard = 140, does = { [[network.heard_n = n]], "network n" } },
  {
    on = "client:sub",
    does = { [[topic.open = (f.coalesce(topic.open, 0) + 1); topic.away = 0]], "topic" },
  },
  {
    on = "end:sub",
    does = { [[topic.open = (topic.open ~= nil and (topic.open - 1) or nil)]], "topic" },
  },
  {
    on = "end:sub",
    does = { [[family.count = (family.count ~= nil and (family.count - 1) or nil)]], "family" },
  },
  {
    on = "client:sub",
    does = {
      [[family.count = (f.coalesce(family.count, 0) + 1); family.first_n = f.coalesce(family.first_n, n)]],
      "family n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 49,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = { [[asked.content = f.digest(c["payload raw"])]], "c asked" },
  },
  {
    on = "hmsg",
    guard = 48,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.content ~= nil))]],
      "asked",
    },
    does = {
      [[service_refused.chained = ((service_refused.times ~= nil and service_refused.times > 0) and ((service_refused.latest_t ~= nil and (t - service_refused.latest_t) <= K.SAME_ERROR_PAUSE) and (service_refused.same ~= nil and f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil and service_refused.same == f.item(c["headers[]"], "Nats-Service-Error-Code")))); service_refused.slower = f.choose(service_refused.chained, (service_refused.slower ~= nil and (((service_refused.latest_t ~= nil and (t - service_refused.latest_t) > 0) and (service_refused.latest_t ~= nil and service_refused.gap ~= nil and ((t - service_refused.latest_t) * 10) >= (13 * service_refused.gap))) and 1 or 0) ~= nil and (service_refused.slower + (((service_refused.latest_t ~= nil and (t - service_refused.latest_t) > 0) and (service_refused.latest_t ~= nil and service_refused.gap ~= nil and ((t - service_refused.latest_t) * 10) >= (13 * service_refused.gap))) and 1 or 0)) or nil), 0); service_refused.gap = f.choose(service_refused.chained, (service_refused.latest_t ~= nil and (t - service_refused.latest_t) or nil), nil); service_refused.first_gap = f.choose(service_refused.chained, f.coalesce(service_refused.first_gap, (service_refused.latest_t ~= nil and (t - service_refused.latest_t) or nil)), nil); service_refused.second_n = f.choose(service_refused.chained, f.coalesce(service_refused.second_n, asked.n), nil); service_refused.first_n = f.choose(service_refused.chained, service_refused.first_n, asked.n); service_refused.times = f.choose(service_refused.chained, (service_refused.times ~= nil and (service_refused.times + 1) or nil), 1); service_refused.latest_t = t; service_refused.same = f.item(c["headers[]"], "Nats-Service-Error-Code")]],
      "c service_refused t asked",
    },
  },
  {
    on = "msg",
    when = { [[((asked.state == "asked") and (asked.content ~= nil))]], "asked" },
    does = { [[service_refused.times = 0]], "service_refused" },
  },
  {
    on = "msg hmsg",
    guard = 141,
    when = { [[(asked.state == "asked")]], "asked" },
    does = {
      [[failing.chained = ((failing.times ~= nil and failing.times > 0) and ((failing.latest_t ~= nil and (t - failing.latest_t) <= K.FAILING_PAUSE) and (failing.same ~= nil and f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and failing.same == f.between(c["payload raw"], "\"err_code\":", ",")))); failing.slower = f.choose(failing.chained, (failing.slower ~= nil and (((failing.latest_t ~= nil and (t - failing.latest_t) > 0) and (failing.latest_t ~= nil and failing.gap ~= nil and ((t - failing.latest_t) * 10) >= (13 * failing.gap))) and 1 or 0) ~= nil and (failing.slower + (((failing.latest_t ~= nil and (t - failing.latest_t) > 0) and (failing.latest_t ~= nil and failing.gap ~= nil and ((t - failing.latest_t) * 10) >= (13 * failing.gap))) and 1 or 0)) or nil), 0); failing.gap = f.choose(failing.chained, (failing.latest_t ~= nil and (t - failing.latest_t) or nil), nil); failing.first_gap = f.choose(failing.chained, f.coalesce(failing.first_gap, (failing.latest_t ~= nil and (t - failing.latest_t) or nil)), nil); failing.second_n = f.choose(failing.chained, f.coalesce(failing.second_n, asked.n), nil); failing.first_n = f.choose(failing.chained, failing.first_n, asked.n); failing.times = f.choose(failing.chained, (failing.times ~= nil and (failing.times + 1) or nil), 1); failing.latest_t = t; failing.same = f.between(c["payload raw"], "\"err_code\":", ",")]],
      "c failing t asked",
    },
  },
  {
    on = "msg hmsg",
    guard = 142,
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[failing.times = 0]], "failing" },
  },
  {
    on = "hmsg",
    guard = 6,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (f.token(asked.subject, 1) ~= nil) and (asked.subject ~= nil and asked.subject ~= f.coalesce(conn.unheard_last, "")))]],
      "asked conn",
    },
    does = {
      [[unheard_kind.chained = ((unheard_kind.times ~= nil and unheard_kind.times > 0) and (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) <= 10000000000.0)); unheard_kind.slower = f.choose(unheard_kind.chained, (unheard_kind.slower ~= nil and (((unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) > 0) and (unheard_kind.latest_t ~= nil and unheard_kind.gap ~= nil and ((t - unheard_kind.latest_t) * 10) >= (13 * unheard_kind.gap))) and 1 or 0) ~= nil and (unheard_kind.slower + (((unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) > 0) and (unheard_kind.latest_t ~= nil and unheard_kind.gap ~= nil and ((t - unheard_kind.latest_t) * 10) >= (13 * unheard_kind.gap))) and 1 or 0)) or nil), 0); unheard_kind.gap = f.choose(unheard_kind.chained, (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) or nil), nil); unheard_kind.first_gap = f.choose(unheard_kind.chained, f.coalesce(unheard_kind.first_gap, (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) or nil)), nil); unheard_kind.second_n = f.choose(unheard_kind.chained, f.coalesce(unheard_kind.second_n, asked.n), nil); unheard_kind.first_n = f.choose(unheard_kind.chained, unheard_kind.first_n, asked.n); unheard_kind.times = f.choose(unheard_kind.chained, (unheard_kind.times ~= nil and (unheard_kind.times + 1) or nil), 1); unheard_kind.latest_t = t]],
      "unheard_kind t asked",
    },
  },
  {
    on = "hmsg",
    guard = 65,
    when = { [[((conn.unheard_last ~= nil) and (asked.state == "asked"))]], "conn asked" },
    does = { [[unheard_kind.times = 0]], "unheard_kind" },
  },
  {
    on = "msg",
    when = {
      [[(((conn.unheard_last ~= nil) or (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)) and (asked.state == "asked") and (asked.meaning == nil))]],
      "conn asked",
    },
    does = { [[unheard_kind.times = 0]], "unheard_kind" },
  },
  {
    on = "hmsg",
    guard = 6,
    when = { [[(asked.state == "asked")]], "asked" },
    does = { [[conn.unheard_last = asked.subject; conn.run = 0]], "conn asked" },
  },
  {
    on = "msg hmsg",
    guard = 143,
    when = { [[((conn.run ~= nil) and (asked.state == "asked"))]], "conn asked" },
    does = { [[conn.run = 0]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 144,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = {
      [[conn.same = (((conn.pair_subject ~= nil and c.subject ~= nil and conn.pair_subject == c.subject) and (conn.pair_content ~= nil and f.digest(c["payload raw"]) ~= nil and conn.pair_content == f.digest(c["payload raw"]))) and 1 or 0); conn.pairs = f.choose((conn.same == 1), f.choose((conn.run == 1), (f.coalesce(conn.pairs, 0) + 1), 0), f.choose((conn.run == 2), f.coalesce(conn.pairs, 0), 0)); conn.run = f.choose((conn.same == 1), (f.coalesce(conn.run, 0) + 1), 1); conn.pair_subject = c.subject; conn.pair_content = f.digest(c["payload raw"]); conn.pair_n = n]],
      "c conn n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 144,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.flow ~= nil and topic.flow >= 0) and (msg_id.first_n == nil) and (topic.content ~= nil and f.digest(c["payload raw"]) ~= nil and topic.content == f.digest(c["payload raw"])) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.BOTH_TIME) and (topic.content ~= nil and topic.content ~= f.coalesce(topic.hit, "")))]],
      "c conn topic flow msg_id t",
    },
    does = { [[topic.both = (f.coalesce(topic.both, 0) + 1); topic.hit = topic.content]], "topic" },
  },
  {
    on = "client:pub client:hpub",
    guard = 32,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = {
      [[topic.flow = flow; topic.content = f.digest(c["payload raw"]); topic.latest_t = t; topic.latest_n = n; topic.server = server; topic.user = conn.user; topic.program = f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))]],
      "c topic flow t n server conn client",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 49,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (twin.open ~= nil and twin.open >= 1) and (twin.asked_t ~= nil and (t - twin.asked_t) > K.ASKED_PAUSE))]],
      "conn twin t",
    },
    does = {
      [[asked_again.chained = ((asked_again.times ~= nil and asked_again.times > 0) and (asked_again.latest_t ~= nil and (t - asked_again.latest_t) <= 10000000000.0)); asked_again.first_n = f.choose(asked_again.chained, asked_again.first_n, n); asked_again.times = f.choose(asked_again.chained, (asked_again.times ~= nil and (asked_again.times + 1) or nil), 1); asked_again.latest_t = t]],
      "asked_again t n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 49,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = { [[twin.asked_t = t; twin.asked_n = n]], "twin t n" },
  },
  {
    on = "client:pub client:hpub",
    guard = 49,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = {
      [[twin.open = (f.coalesce(twin.open, 0) + 1); twin.second_n = f.choose((twin.open == 2), n, twin.second_n); twin.first_n = f.choose((twin.open == 1), n, twin.first_n)]],
      "twin n",
    },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.content ~= nil) and (asked.state == "asked"))]], "asked" },
    does = { [[twin.open = (twin.open ~= nil and (twin.open - 1) or nil)]], "twin" },
  },
  {
    on = "msg hmsg",
    guard = 145,
    when = { [[(conn.delivered ~= nil and conn.delivered < K.FORMAT_SAMPLE)]], "conn" },
    does = {
      [[conn.bodies = f.put(conn.bodies, f.member(c.subject, f.digest(c["payload raw"])))]],
      "c conn",
    },
  },
  {
    on = "client:pub client:hpub",
    when = {
      [[((conn.bodies ~= nil) and (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and f.has(conn.bodies, f.member(c.subject, f.digest(c["payload raw"]))))]],
      "c conn",
    },
    does = {
      [[requeued.chained = ((requeued.times ~= nil and requeued.times > 0) and (requeued.latest_t ~= nil and (t - requeued.latest_t) <= 10000000000.0)); requeued.second_n = f.choose(requeued.chained, f.coalesce(requeued.second_n, n), nil); requeued.first_n = f.choose(requeued.chained, requeued.first_n, n); requeued.times = f.choose(requeued.chained, (requeued.times ~= nil and (requeued.times + 1) or nil), 1); requeued.latest_t = t]],
      "requeued t n",
    },
  },
  {
    on = "client:pub client:hpub",
    when = { [[((served.state == "waiting") and (served.asked ~= nil))]], "served" },
    does = { [=[served.size = c["#payload"]]=], "c served" },
  },
  {
    on = "client:pub client:hpub",
    guard = 146,
    when = {
      [[((served.state == "answered") and (served.size ~= nil and c["#payload"] ~= nil and served.size == c["#payload"]) and (served.again_n == nil))]],
      "c served",
    },
    does = {
      [[conn.answered_again = (f.coalesce(conn.answered_again, 0) + 1); served.again_n = n]],
      "conn served n",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    when = { [[(conn.uses == nil)]], "conn" },
    does = {
      [[conn.uses = f.token(c.reply_to, 2); used.readers = (f.coalesce(used.readers, 0) + 1); used.flow = flow; used.taken_n = n]],
      "c conn used flow n",
    },
  },
  {
    on = "end:conn",
    when = { [[(conn.uses ~= nil)]], "conn" },
    does = { [[used.readers = (used.readers ~= nil and (used.readers - 1) or nil)]], "used" },
  },
  {
    on = "end:sub",
    does = { [[siblings.count = (siblings.count ~= nil and (siblings.count - 1) or nil)]], "siblings" },
  },
  {
    on = "client:sub",
    guard = 51,
    when = {
      [[((conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "conn",
    },
    does = {
      [[siblings.count = (f.coalesce(siblings.count, 0) + 1); siblings.first_n = f.coalesce(siblings.first_n, n)]],
      "siblings n",
    },
  },
  {
    on = "msg hmsg",
    when = { [[((asked.state == "asked") and LISTS[19][asked.meaning])]], "asked" },
    does = {
      [[rest.until_t = f.choose((f.between(c["payload raw"], "\"paused\":true", "") ~= nil), ((f.number(f.between(c["payload raw"], "\"pause_remaining\":", ",")) or (f.number(f.between(c["payload raw"], "\"pause_remaining\": ", ",")) or (f.number(f.between(c["payload raw"], "\"pause_remaining\":", "}")) or f.number(f.between(c["payload raw"], "\"pause_remaining\": ", "}"))))) ~= nil and (t + (f.number(f.between(c["payload raw"], "\"pause_remaining\":", ",")) or (f.number(f.between(c["payload raw"], "\"pause_remaining\": ", ",")) or (f.number(f.between(c["payload raw"], "\"pause_remaining\":", "}")) or f.number(f.between(c["payload raw"], "\"pause_remaining\": ", "}")))))) or nil), nil); rest.paused_n = asked.n]],
      "c rest t asked",
    },
  },
  {
    on = "msg hmsg",
    guard = 147,
    when = { [[(asked.state == "asked")]], "asked" },
    does = {
      [[newest.stored = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))); newest.stored_n = asked.n; newest.stored_t = t; newest.stored_flow = flow]],
      "c newest asked t flow",
    },
  },
  {
    on = "msg hmsg",
    guard = 21,
    does = {
      [[newest.taken = f.max(f.coalesce(newest.taken, 0), f.number(f.token(c.reply_to, 5)))]],
      "c newest",
    },
  },
  { on = "client:hpub", guard = 148, does = { [[asked.compares = c.subject]], "c asked" } },
  {
    on = "msg hmsg",
    guard = 132,
    when = { [[(asked.compares ~= nil)]], "asked" },
    does = {
      [[contest.refused = (f.coalesce(contest.refused, 0) + 1); contest.writers = f.put(contest.writers, flow); contest.refused_n = f.coalesce(contest.refused_n, n)]],
      "contest flow n",
    },
  },
  {
    on = "msg hmsg",
    guard = 147,
    when = { [[((asked.compares ~= nil) and (asked.state == "asked"))]], "asked" },
    does = {
      [[contest.agreed = (f.coalesce(contest.agreed, 0) + 1); contest.agreed_n = asked.n]],
      "contest asked",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 149,
    does = { [[removed.streams = f.drop(removed.streams, f.token(c.subject, 4))]], "c removed" },
  },
  {
    on = "msg hmsg",
    guard = 64,
    when = { [[((asked.state == "asked") and (asked.meaning == "stream delete"))]], "asked" },
    does = {
      [[removed.streams = f.put(removed.streams, f.token(asked.subject, 4)); origin.deleted_n = asked.n; origin.queue_n = nil; origin.consumer_n = nil; origin.interest_n = nil; origin.filters = nil; origin.start = nil; origin.stored = nil; origin.wanted = nil]],
      "removed asked origin",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 150,
    does = {
      [[origin.copy = f.token(c.subject, 4); origin.copy_n = n; origin.is_whole = ((((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) ~= nil) and (f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "filter_subject", "") == nil)) and 1 or 0)]],
      "c origin n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 151,
    does = {
      [[origin.queue_n = f.choose(((f.between(c["payload raw"], "\"retention\":\"", "\"") or f.between(c["payload raw"], "\"retention\": \"", "\"")) == "workqueue"), n, nil); origin.interest_n = f.choose((conn.start and ((f.between(c["payload raw"], "\"retention\":\"", "\"") or f.between(c["payload raw"], "\"retention\": \"", "\"")) == "interest")), n, nil)]],
      "c origin n conn",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 15,
    does = {
      [[origin.consumer_n = n; origin.filters = f.put(origin.filters, f.coalesce(f.coalesce((f.between(c["payload raw"], "\"filter_subjects\":[", "]") or f.between(c["payload raw"], "\"filter_subjects\": [", "]")), (f.between(c["payload raw"], "\"filter_subject\":\"", "\"") or f.between(c["payload raw"], "\"filter_subject\": \"", "\""))), ">")); origin.start = (f.number(f.between(c["payload raw"], "\"opt_start_seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"opt_start_seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"opt_start_seq\":", "}")) or f.number(f.between(c["payload raw"], "\"opt_start_seq\": ", "}"))))); origin.start_n = n; origin.below = 0]],
      "c origin n",
    },
  },
  {
    on = "client:pub client:hpub",
    guard = 81,
    does = { [[origin.consumer_n = nil; origin.start = nil]], "origin" },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.n ~= nil and origin.start_n ~= nil and asked.n > origin.start_n) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and origin.start ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) < origin.start))]],
      "c asked origin",
    },
    does = { [[origin.below = (origin.below ~= nil and (origin.below + 1) or nil)]], "origin" },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    does = {
      [[origin.stored = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}")))))]],
      "c origin",
    },
  },
  {
    on = "msg hmsg",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (f.count(origin.filters) == 1) and f.matching(asked.subject, f.first(origin.filters)))]],
      "asked origin",
    },
    does = {
      [[origin.wanted = (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}")))))]],
      "c origin",
    },
  },
  {
    on = "client:hpub",
    guard = 152,
    does = { [[asked.schedule = f.item(c["headers[]"], "Nats-Schedule")]], "c asked" },
  },
  {
    on = "client:pub client:hpub",
    guard = 153,
    when = { [[(t > f.coalesce(conn.put_off_until, 0))]], "t conn" },
    does = { [[conn.put_off = 0]], "conn" },
  },
  {
    on = "client:pub client:hpub",
    guard = 153,
    does = {
      [[conn.put_off = (f.coalesce(conn.put_off, 0) + 1); conn.put_off_n = n; conn.put_off_until = f.max(f.coalesce(conn.put_off_until, 0), ((f.number(f.between(c["payload raw"], "\"delay\":", ",")) or (f.number(f.between(c["payload raw"], "\"delay\": ", ",")) or (f.number(f.between(c["payload raw"], "\"delay\":", "}")) or f.number(f.between(c["payload raw"], "\"delay\": ", "}"))))) ~= nil and (t + (f.number(f.between(c["payload raw"], "\"delay\":", ",")) or (f.number(f.between(c["payload raw"], "\"delay\": ", ",")) or (f.number(f.between(c["payload raw"], "\"delay\":", "}")) or f.number(f.between(c["payload raw"], "\"delay\": ", "}")))))) or nil))]],
      "c conn n t",
    },
  },
  {
    on = "msg hmsg",
    guard = 13,
    when = { [[(conn.put_off ~= nil and conn.put_off > 0)]], "conn" },
    does = { [[conn.put_off = (conn.put_off ~= nil and (conn.put_off - 1) or nil)]], "conn" },
  },
  {
    on = "msg hmsg",
    guard = 105,
    does = { [[conn.seen_keys = f.put(conn.seen_keys, c.subject)]], "c conn" },
  },
  {
    on = "client:hpub",
    guard = 1,
    when = {
      [[((c.subject ~= nil and conn.guess_key ~= nil and c.subject == conn.guess_key) and (f.has(conn.seen_keys, c.subject) ~= nil and not f.has(conn.seen_keys, c.subject)) and (conn.guess_n ~= nil and f.coalesce(conn.read_n, -1) < conn.guess_n) and (f.number(f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence")) ~= nil and conn.guess ~= nil and f.number(f.item(c["headers[]"], "Nats-Expected-Last-Subject-Sequence")) == conn.guess))]],
      "c conn",
    },
    does = { [[asked.guess_n = conn.guess_n]], "asked conn" },
  },
  {
    on = "msg hmsg",
    guard = 132,
    when = { [[((asked.key ~= nil) and (asked.state == "asked"))]], "asked" },
    does = {
      [[conn.guess_key = asked.key; conn.guess = f.number(f.between(c["payload raw"], "wrong last sequence: ", "\"")); conn.guess_n = n]],
      "c conn asked n",
    },
  },
  {
    on = "msg hmsg",
    guard = 131,
    when = { [[((asked.guess_n ~= nil) and (asked.state == "asked"))]], "asked" },
    does = { [[conn.guessed = (f.coalesce(conn.guessed, 0) + 1); conn.guessed_n = asked.n]], "conn asked" },
  },
  { on = "tcp.gap tcp.resync", guard = 55, does = { [[captures.are_partial = 1]], "captures" } },
  {
    on = "end:conn",
    when = {
      [[((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both))]],
      "conn",
    },
    does = { [[captures.are_partial = 1]], "captures" },
  },
}

local TIMERS = {
  {
    name = "flow_control",
    of = "served",
    on = "server:hmsg",
    clear = "tcp.close tcp.reset",
    limit = { [[K.FLOW_CONTROL]] },
    when = { [[((c.status == 100) and f.starts(c.reply_to, "$JS.FC."))]], "c" },
  },
  {
    name = "pong",
    of = "me",
    on = "ping",
    clear = "tcp.close tcp.reset",
    limit = { [[K.PONG_TIME]] },
  },
  {
    name = "stalled",
    of = "conn",
    on = "msg hmsg",
    clear = "",
    again = true,
    limit = { [[K.STALLED]] },
    when = {
      [[((conn.unacked ~= nil and conn.max_pending ~= nil and conn.unacked >= conn.max_pending) and f.starts(c.reply_to, "$JS.ACK."))]],
      "c conn",
    },
  },
  {
    name = "beat",
    of = "sub",
    on = "msg hmsg",
    clear = "unsub tcp.close tcp.reset",
    again = true,
    limit = { [[(sub.every ~= nil and (sub.every * K.MISSED_BEATS) or nil)]], "sub" },
    when = { [[(sub.every ~= nil and sub.every > 0)]], "sub" },
  },
}

local BURSTS = {}

local RULES = {
  {
    id = "NATS-N1",
    name = "nats_n1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Server message before INFO",
    on = "server:any",
    needs = { "start", "whole" },
    of = "conn",
    fixed = { [[(name ~= "info")]], "name" },
    when = { [[(conn.state == "absent")]], "conn" },
    says = { [[f.say("the server's first message is %s, not INFO", name)]], "name" },
  },
  {
    id = "NATS-N1b",
    name = "nats_n1b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Client command before CONNECT",
    on = "client:pub client:hpub client:sub client:unsub",
    needs = { "start", "whole" },
    of = "conn",
    again = true,
    when = { [[((conn.connect_n == nil) and (conn.peers == nil))]], "conn" },
    says = { [[f.say("the client sent %s before CONNECT", name)]], "name" },
    cause = "The client starts before it has read INFO and identified itself with CONNECT; a server that requires credentials refuses it.",
  },
  {
    id = "NATS-N23",
    name = "nats_n23",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Bytes of another protocol instead of NATS",
    problem = { foreign = true },
    needs = { "both" },
    of = "conn",
    again = true,
    says = {
      [[f.say("the %s does not speak NATS: %s", sender, f.whole(problem_text))]],
      "sender problem_text",
    },
    by = {
      [[(f.starts(problem_text, "these bytes are HTTP") and "http" or (f.starts(problem_text, "these bytes are TLS") and "tls" or "other"))]],
      "problem_text",
    },
    causes = {
      http = "HTTP, such as a health check, is sent to the port for NATS clients.",
      tls = "The client starts TLS at once, where this server sends INFO first.",
    },
  },
  {
    id = "NATS-N13",
    name = "nats_n13",
    severity = "NOTE",
    group = "SECURITY",
    title = "NATS credentials without TLS",
    on = "connect",
    needs = {},
    of = "conn",
    again = true,
    guard = 154,
    when = { [[(conn.encrypted ~= nil and not conn.encrypted)]], "conn" },
    says = {
      [[f.say("CONNECT sends %s without TLS", ((c.auth_token ~= nil) and "a token" or "user and password"))]],
      "c",
    },
    cause = "Anyone who can read the traffic can use the credentials; nkeys and TLS avoid this.",
  },
  {
    id = "NATS-N17",
    name = "nats_n17",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Second CONNECT on a connection",
    on = "client:connect",
    needs = {},
    of = "conn",
    again = true,
    when = { [[(conn.connect_n ~= nil)]], "conn" },
    says = { [[f.say("the client sent CONNECT again on the same connection")]] },
    cause = "The client sets the connection up again instead of opening a new one.",
  },
  {
    id = "NATS-N18",
    name = "nats_n18",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Plaintext CONNECT although TLS is required",
    on = "client:connect",
    needs = { "start" },
    of = "conn",
    again = true,
    when = {
      [[((conn.tls_required == 1) and (conn.encrypted ~= nil and not conn.encrypted) and (conn.carried ~= nil and not conn.carried))]],
      "conn",
    },
    says = { [[f.say("CONNECT was sent without TLS, but INFO sets tls_required")]] },
    cause = "The client ignores INFO, or is not configured for TLS.",
  },
  {
    id = "NATS-N2",
    name = "nats_n2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Payload size mismatch",
    problem = { literal = true },
    needs = {},
    of = "conn",
    again = true,
    says = { [[f.say("no CRLF follows the payload that %s announces: its size is wrong", name)]], "name" },
    cause = "The client counts something other than the bytes of the payload.",
    by = { [[(f.multibyte(c["payload raw"]) and "characters" or "other")]], "c" },
    causes = { characters = "The client may count characters instead of bytes." },
  },
  {
    id = "NATS-N2b",
    name = "nats_n2b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Bytes outside any NATS protocol message",
    on = "client:tcp.resync",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = {},
    of = "conn",
    again = true,
    guard = 155,
    says = {
      [[f.say("%s from the client are no NATS protocol message: %s", f.counted(c.skipped, "byte", "bytes"), f.whole(c.reason))]],
      "c",
    },
    cause = "The line does not start with a verb, or the payload before it does not have the size that its own line announces.",
  },
  {
    id = "NATS-N2c",
    name = "nats_n2c",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Invalid arguments of a NATS command",
    problem = { args = true, negative = true, number = true, short = true },
    needs = {},
    of = "conn",
    again = true,
    fixed = { [[(not LISTS[26][name])]], "name" },
    says = { [[f.say("%s has invalid arguments: %s", name, f.whole(problem_text))]], "name problem_text" },
    cause = "A space in a subject or a missing argument shifts the other arguments.",
  },
  {
    id = "NATS-N3",
    name = "nats_n3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Malformed header block",
    problem = { args = true, negative = true, number = true, short = true },
    needs = {},
    of = "conn",
    again = true,
    fixed = { [=[LISTS[26][name]]=], "name" },
    says = {
      [[f.say("%s has a malformed header block: %s", name, f.whole(problem_text))]],
      "name problem_text",
    },
    cause = "A header block starts with NATS/1.0 and ends with an empty line; the header size includes both.",
  },
  {
    id = "NATS-N4",
    name = "nats_n4",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "HPUB without negotiated headers",
    on = "client:hpub",
    needs = { "start" },
    of = "conn",
    again = true,
    when = { [[((conn.headers_known == false) or (conn.headers == false))]], "conn" },
    says = {
      [[f.say("HPUB was sent, but %s does not announce headers", ((conn.headers_known == false) and "INFO" or "CONNECT"))]],
      "conn",
    },
    cause = "The client does not set `headers` in CONNECT.",
    by = { [[((conn.headers_known == false) and "server" or "client")]], "conn" },
    causes = {
      server = "The server does not accept headers: it is older than 2.2, or headers are disabled.",
    },
  },
  {
    id = "NATS-N33",
    name = "nats_n33",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Payload that is not what Content-Type or Content-Encoding announces",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 156,
    finds = { [[f.predicates.is_not_announced("headers payload", c["headers[]"], c["payload raw"])]], "c" },
    says = {
      [[f.say("the message to %s is %s, although its headers announce it", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "The header is a default or a copy, or the payload was encoded in another way: subscribers that go by the header cannot read it.",
  },
  {
    id = "NATS-N5",
    name = "nats_n5",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Payload larger than max_payload",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[(c["#payload"] ~= nil and conn.max_payload ~= nil and c["#payload"] > conn.max_payload)]],
      "c conn",
    },
    says = {
      [[f.say("a payload of %s bytes exceeds the server's max_payload of %s", c["#payload"], conn.max_payload)]],
      "c conn",
    },
    cause = "The client does not check max_payload of INFO; servers close the connection.",
  },
  {
    id = "NATS-N5c",
    name = "nats_n5c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Delivered payload larger than max_payload",
    on = "server:msg server:hmsg",
    needs = {},
    of = "sub",
    when = {
      [[(c["#payload"] ~= nil and conn.max_payload ~= nil and c["#payload"] > conn.max_payload)]],
      "c conn",
    },
    says = {
      [[f.say("a payload of %s bytes for sid %s exceeds max_payload of %s in INFO: a client with a buffer of that size has no room for it", c["#payload"], c.sid, conn.max_payload)]],
      "c conn",
    },
    cause = "The message came in by a path with another limit, such as MQTT or another server, or the limit was lowered after the message was stored.",
  },
  {
    id = "NATS-N10",
    name = "nats_n10",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "PUB line longer than the server accepts",
    on = "client:pub",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[(size ~= nil and c["#payload"] ~= nil and (size - c["#payload"]) > K.LONGEST_LINE)]],
      "c size",
    },
    says = {
      [[f.say("a line of %s bytes, where servers accept %s", (size ~= nil and c["#payload"] ~= nil and (size - c["#payload"]) or nil), K.LONGEST_LINE)]],
      "c size",
    },
  },
  {
    id = "NATS-N10b",
    name = "nats_n10b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Control line longer than the server accepts",
    on = "client:sub client:unsub client:connect",
    needs = {},
    of = "conn",
    again = true,
    when = { [[(size ~= nil and size > K.LONGEST_LINE)]], "size" },
    says = { [[f.say("a line of %s bytes, where servers accept %s", size, K.LONGEST_LINE)]], "size" },
    cause = "Servers accept longer lines only with a higher `max_control_line`.",
  },
  {
    id = "NATS-N11",
    name = "nats_n11",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Wildcard or empty token in a published subject",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 157,
    says = {
      [[f.say("the client published to %s, which has a wildcard or an empty token", c.subject)]],
      "c",
    },
    cause = "Wildcards are only valid in subscriptions; the server checks this in pedantic mode only.",
  },
  {
    id = "NATS-N15",
    name = "nats_n15",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Invalid JSON in CONNECT",
    problem = { value = true },
    needs = {},
    of = "conn",
    again = true,
    says = {
      [[f.say("%s has options that a server cannot parse: %s", name, f.whole(problem_text))]],
      "name problem_text",
    },
  },
  {
    id = "NATS-N6",
    name = "nats_n6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message for an unknown sid",
    on = "server:msg server:hmsg",
    needs = { "start", "whole", "both" },
    of = "sub",
    when = { [[(sub.state == "absent")]], "sub" },
    says = {
      [[f.say("the server sent a message for sid %s, which the client never subscribed", c.sid)]],
      "c",
    },
  },
  {
    id = "NATS-N6b",
    name = "nats_n6b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message after UNSUB",
    on = "server:msg server:hmsg",
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.state == "removed") and (S.answered_n ~= nil and sub.unsub_n ~= nil and S.answered_n > sub.unsub_n))]],
      "sub S",
    },
    says = {
      [[f.say("the server sent a message for sid %s, which UNSUB in frame %s ended, although it has answered a later PING", c.sid, sub.unsub_n)]],
      "c sub",
    },
  },
  {
    id = "NATS-N6c",
    name = "nats_n6c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message on a subject outside its subscription",
    on = "server:msg server:hmsg",
    needs = { "object", "both" },
    of = "sub",
    guard = 158,
    when = {
      [[((sub.state == "live") and (f.matching(c.subject, sub.subject) ~= nil and not f.matching(c.subject, sub.subject)) and (not f.starts(sub.subject, "_INBOX")) and (sub.pull_n == nil) and (sub.limit == nil))]],
      "c sub",
    },
    says = {
      [[f.say("the server sent a message on %s for sid %s, which is subscribed to %s", c.subject, c.sid, sub.subject)]],
      "c sub",
    },
  },
  {
    id = "NATS-N12",
    name = "nats_n12",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Sid already in use",
    on = "client:sub",
    needs = { "object", "both" },
    of = "sub",
    again = true,
    when = {
      [[((sub.state == "live") and ((conn.err_n == nil) or (conn.err_n ~= nil and sub.n ~= nil and conn.err_n < sub.n)))]],
      "sub conn",
    },
    says = {
      [[f.say("SUB %s uses sid %s, which has been subscribed to %s since frame %s: the server ignores it", c.subject, c.sid, sub.subject, sub.n)]],
      "c sub",
    },
    cause = "The client reuses an id that it has not released with UNSUB.",
    by = {
      [[((c.subject ~= nil and sub.subject ~= nil and c.subject == sub.subject) and "again" or "other")]],
      "c sub",
    },
    causes = { again = "The client repeats a subscription that it still has." },
  },
  {
    id = "NATS-N19",
    name = "nats_n19",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "UNSUB of an unknown sid",
    on = "client:unsub",
    needs = { "start", "whole" },
    of = "sub",
    again = true,
    when = { [[(sub.state == "absent")]], "sub" },
    says = { [[f.say("the client sent UNSUB %s, which was never subscribed", c.sid)]], "c" },
  },
  {
    id = "NATS-N7",
    name = "nats_n7",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Unanswered PING",
    on = "timer:pong",
    evidence = { [[f.first_known(me.ping_n)]], "me" },
    needs = { "whole", "both" },
    of = "me",
    when = { [[(me.pings ~= nil and me.pings > 0)]], "me" },
    says = {
      [[f.say("a PING from the %s has not been answered for %s", ((me.side ~= nil and C.side ~= nil and me.side == C.side) and "client" or "server"), f.time(K.PONG_TIME))]],
      "me C",
    },
    cause = "The peer does not read, or does not answer PING.",
    by = {
      [[((me.side ~= nil and S.side ~= nil and me.side == S.side) and "server" or "client")]],
      "me S",
    },
    causes = {
      server = "The client does not read (its application blocks, for example) or is stopped; after more unanswered PINGs the server closes the connection with Stale Connection.",
    },
  },
  {
    id = "NATS-N7b",
    name = "nats_n7b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Several PINGs without PONG",
    on = "ping",
    needs = { "whole", "both" },
    of = "me",
    when = {
      [[((me.pings ~= nil and me.pings >= K.MOST_PINGS) and (me.ping_t ~= nil and (t - me.ping_t) > K.PONG_TIME))]],
      "me t",
    },
    says = {
      [[f.say("the PING before this one is unanswered too: %s in a row", (me.pings ~= nil and (me.pings + 1) or nil))]],
      "me",
    },
    cause = "The peer does not read, or does not answer PING.",
  },
  {
    id = "NATS-N7c",
    name = "nats_n7c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Stale Connection after unanswered PINGs",
    on = "server:err",
    needs = { "whole", "both" },
    of = "me",
    guard = 159,
    when = { [[(me.pings ~= nil and me.pings > 0)]], "me" },
    says = {
      [[f.say("the server gave up the client after %s without PONG", f.counted(me.pings, "ping", "pings"))]],
      "me",
    },
    cause = "The client does not answer PING: its reader is blocked, or it is stopped.",
  },
  {
    id = "NATS-N8",
    name = "nats_n8",
    severity = "WARN",
    group = "PROTOCOL",
    title = "+OK without verbose mode",
    on = "server:ok",
    needs = { "start" },
    of = "conn",
    when = { [[(conn.verbose == false)]], "conn" },
    says = { [[f.say("the server sent +OK, but CONNECT sets verbose to false")]] },
  },
  {
    id = "NATS-N8b",
    name = "nats_n8b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Missing +OK in verbose mode",
    on = "unanswered:ok",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "whole", "both" },
    of = "conn",
    when = { [[((why == "closed") and (conn.err_n == nil) and (conn.errors == 0))]], "why conn" },
    says = {
      [[f.say("%s was never answered with +OK, although CONNECT asks for it (verbose)", req.line)]],
      "req",
    },
  },
  {
    id = "NATS-N9",
    name = "nats_n9",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Error from the server (-ERR)",
    on = "err",
    needs = {},
    of = "conn",
    again = true,
    guard = 160,
    says = { [[f.say("-ERR %s", c.message)]], "c" },
    by = { [[c.message]], "c" },
    causes = {
      ["Authorization Violation"] = "The credentials of CONNECT are missing or wrong.",
      ["Authentication Timeout"] = "CONNECT did not arrive in time.",
      ["User Authentication Expired"] = "The user's credentials have expired.",
      ["Account Authentication Expired"] = "The account's credentials have expired.",
      ["Maximum Payload Violation"] = "A message is larger than max_payload of INFO.",
      ["Stale Connection"] = "The client does not answer PING.",
      ["Slow Consumer"] = "The client does not read the messages of its subscriptions fast enough.",
      ["Unknown Protocol Operation"] = "The server received bytes that are no protocol message.",
      ["maximum control line exceeded"] = "A line is longer than the server accepts.",
      ["Secure Connection - TLS Required"] = "The client does not use TLS.",
      ["Invalid Subject"] = "A subject is empty, has an empty token, or has `>` before its end.",
      ["Invalid Publish Subject"] = "The subject of a message has a wildcard or an empty token.",
      ["Invalid Client Protocol"] = "`protocol` in CONNECT is not 0 or 1.",
      ["Parser Error"] = "The server received bytes that are no protocol message.",
      ["maximum connections exceeded"] = "The server has as many connections as it accepts.",
      ["maximum account active connections exceeded"] = "The account has as many connections as it may have.",
      ["maximum subscriptions exceeded"] = "The connection, or its account, has as many subscriptions as it may have.",
      ["no responders requires headers support"] = "CONNECT asks for no_responders and not for headers.",
    },
  },
  {
    id = "NATS-N9b",
    name = "nats_n9b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Permissions violation (-ERR)",
    on = "err",
    needs = {},
    of = "conn",
    again = true,
    guard = 161,
    says = { [[f.say("-ERR %s", c.message)]], "c" },
    cause = "The user has no permission for the subject, or the subject is misspelt.",
  },
  {
    id = "NATS-N9c",
    name = "nats_n9c",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Client shut out by the server (-ERR)",
    on = "err",
    needs = {},
    of = "shut_out",
    guard = 10,
    says = { [[f.say("-ERR %s", c.message)]], "c" },
    cause = "It is a note if the server takes a later connection of the client.",
    by = { [[c.message]], "c" },
    causes = {
      ["Authorization Violation"] = "The credentials of CONNECT are missing or wrong.",
      ["Authentication Timeout"] = "CONNECT did not arrive in time.",
      ["User Authentication Expired"] = "The user's credentials have expired.",
      ["Account Authentication Expired"] = "The account's credentials have expired.",
      ["Maximum Payload Violation"] = "A message is larger than max_payload of INFO.",
      ["Stale Connection"] = "The client does not answer PING.",
      ["Slow Consumer"] = "The client does not read the messages of its subscriptions fast enough.",
      ["Unknown Protocol Operation"] = "The server received bytes that are no protocol message.",
      ["maximum control line exceeded"] = "A line is longer than the server accepts.",
      ["Secure Connection - TLS Required"] = "The client does not use TLS.",
      ["Invalid Subject"] = "A subject is empty, has an empty token, or has `>` before its end.",
      ["Invalid Publish Subject"] = "The subject of a message has a wildcard or an empty token.",
      ["Invalid Client Protocol"] = "`protocol` in CONNECT is not 0 or 1.",
      ["Parser Error"] = "The server received bytes that are no protocol message.",
      ["maximum connections exceeded"] = "The server has as many connections as it accepts.",
      ["maximum account active connections exceeded"] = "The account has as many connections as it may have.",
      ["maximum subscriptions exceeded"] = "The connection, or its account, has as many subscriptions as it may have.",
      ["no responders requires headers support"] = "CONNECT asks for no_responders and not for headers.",
    },
  },
  {
    id = "NATS-N14",
    name = "nats_n14",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "No responders for a request",
    on = "server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 6,
    when = { [[(asked.state == "asked")]], "asked" },
    says = {
      [[f.say("no subscriber receives %s, the subject of the request in frame %s", asked.subject, asked.n)]],
      "asked",
    },
    cause = "There is no subscription on this subject that the requester can reach.",
  },
  {
    id = "NATS-N14b",
    name = "nats_n14b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request without a reply",
    on = "end:asked",
    evidence = { [[f.first_known(asked.n)]], "asked" },
    needs = { "whole", "both" },
    of = "asked",
    again = true,
    when = {
      [[((LISTS[13][why] and (asked.state == "asked")) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "why asked captures",
    },
    says = {
      [[f.say("the request to %s had no reply when the connection was closed", asked.subject)]],
      "asked",
    },
  },
  {
    id = "NATS-N24",
    name = "nats_n24",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream, or what was asked for in it, not found",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    when = {
      [[((asked.state == "asked") and (asked.meaning ~= nil) and (asked.meaning ~= nil and asked.meaning ~= "stream msg get") and ((f.between(c["payload raw"], "_response\",\"error\":{\"code\":", ",") == "404") or ((f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil) and (asked.meaning == "info"))))]],
      "c asked",
    },
    says = {
      [[f.say("%s was refused: %s", asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    cause = "The stream or consumer does not exist, or the account has no JetStream.",
  },
  {
    id = "NATS-N24b",
    name = "nats_n24b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream API error other than 404",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "ERROR",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c client server asked",
    },
    guard = 162,
    when = {
      [[((asked.state == "asked") and (asked.meaning ~= nil) and (asked.meaning ~= nil and asked.meaning ~= "info"))]],
      "asked",
    },
    says = {
      [[f.say("%s was refused: %s", asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    by = { [[f.between(c["payload raw"], "\"err_code\":", ",")]], "c" },
    causes = {
      ["10058"] = "A stream of this name exists with another configuration: update it, or use it as it is.",
      ["10065"] = "Another stream has one of these subjects, or a wildcard that covers it.",
      ["10052"] = "The description names the setting of the stream that is not valid.",
      ["10056"] = "The name in the subject of the request is not the one in its body.",
      ["10025"] = "The request is not JSON, or a member has another type than the server reads.",
      ["10003"] = "The server cannot read the request: a member is missing, or has an impossible value.",
      ["10038"] = "This request takes no payload.",
      ["10074"] = "More than one replica needs a cluster.",
      ["10005"] = "The cluster has fewer servers that fit than there are to be replicas.",
      ["10026"] = "The stream, or the account, has as many consumers as it may have: others are left behind.",
      ["10027"] = "The account has as many streams as it may have.",
      ["10002"] = "The account has no room left for what the stream reserves.",
      ["10023"] = "The server has no room left for what the stream reserves.",
      ["10028"] = "The server has no memory left for what the stream reserves.",
      ["10047"] = "The server has no disk space left for what the stream reserves (max_bytes).",
      ["10113"] = "The account demands max_bytes of each stream.",
      ["10013"] = "A consumer of this name exists, with another configuration.",
      ["10148"] = "A consumer of this name exists with another configuration, and the action is create.",
      ["10149"] = "No such consumer exists, and the action is update.",
      ["10105"] = "The push consumer has a subscriber already: only one may be bound.",
      ["10106"] = "The consumer exists under another durable name.",
      ["10012"] = "The description names what of the consumer cannot be changed, or is not valid.",
      ["10094"] = "deliver_policy does not fit opt_start_seq or opt_start_time: each policy has a start of its own.",
      ["10093"] = "The filter of the consumer does not match the subjects of the stream.",
      ["10131"] = "The filter in the subject of the request is not the one in its body.",
      ["10136"] = "The consumer has both filter_subject and filter_subjects.",
      ["10138"] = "The filters of the consumer overlap.",
      ["10016"] = "The durable name has to be in the subject of the request.",
      ["10017"] = "The name in the subject of the request is not durable_name.",
      ["10019"] = "The subject of the request has a name, and its body none.",
      ["10132"] = "name and durable_name of the consumer differ.",
      ["10103"] = "Names of consumers have no dots, wildcards or blanks.",
      ["10079"] = "The deliver subject of a push consumer has no wildcard.",
      ["10081"] = "The deliver subject is one that the stream itself stores.",
      ["10082"] = "max_ack_pending needs an ack_policy.",
      ["10083"] = "idle_heartbeat is below 100 ms: it is in nanoseconds.",
      ["10088"] = "idle_heartbeat of a consumer is for push consumers; pull requests have their own.",
      ["10089"] = "flow_control is for push consumers.",
      ["10108"] = "flow_control needs idle_heartbeat.",
      ["10098"] = "A stream with retention workqueue needs ack_policy explicit.",
      ["10084"] = "A stream with retention workqueue needs ack_policy explicit.",
      ["10099"] = "A stream with retention workqueue has one consumer without a filter, and this would be a second one.",
      ["10100"] = "Another consumer of the stream with retention workqueue has a filter that overlaps.",
      ["10101"] = "Consumers of a stream with retention workqueue begin with all messages.",
      ["10116"] = "max_deliver has to be above the number of values in backoff.",
      ["10121"] = "max_ack_pending is above the limit of the account.",
      ["10126"] = "The consumer has more replicas than its stream.",
      ["10153"] = "inactive_threshold is above the limit of the server.",
      ["10109"] = "The stream is sealed: it takes no changes.",
      ["10043"] = "The stream has no message of this sequence any more.",
      ["10008"] = "No leader is elected: servers of the cluster are away.",
      ["10009"] = "This server does not lead what the request is about.",
      ["10039"] = "The account of this user has no JetStream.",
      ["10076"] = "The server runs without JetStream.",
      ["10160"] = "The consumer has no such priority group.",
      ["10167"] = "More requests are waiting than the server takes.",
      ["10185"] = "The server is older than the request demands.",
    },
  },
  {
    id = "NATS-N24c",
    name = "nats_n24c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Wrong last sequence in a JetStream publish",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c client server asked",
    },
    guard = 163,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the message to %s was not stored: %s", asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    cause = "Another publisher was faster: read the stream's state, then publish again.",
  },
  {
    id = "NATS-N24d",
    name = "nats_n24d",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Message not stored by JetStream",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "ERROR",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c client server asked",
    },
    guard = 164,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the message to %s was not stored: %s", asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    by = { [[f.between(c["payload raw"], "\"err_code\":", ",")]], "c" },
    causes = {
      ["10054"] = "The message is larger than max_msg_size of the stream.",
      ["10097"] = "The headers of the message are larger than 64 KiB.",
      ["10060"] = "Nats-Expected-Stream names another stream than the one that stores the subject.",
      ["10077"] = "The description says which limit of the stream is reached: with discard new a full stream takes nothing until messages are removed.",
      ["10109"] = "The stream is sealed: it takes no messages.",
      ["10111"] = "The stream does not permit roll-ups (allow_rollup_hdrs), or the header has another value than sub and all.",
      ["10002"] = "The account has no room left.",
      ["10023"] = "The server has no room left.",
      ["10028"] = "The server has no memory left.",
      ["10047"] = "The server has no disk space left.",
      ["10165"] = "Nats-TTL is a number of seconds, or a duration such as 1h, of a second at least.",
      ["10166"] = "Nats-TTL needs a stream with allow_msg_ttl.",
      ["10158"] = "A message with this Nats-Msg-Id is being stored: the publisher repeats too early.",
      ["10168"] = "Nats-Incr needs a stream with allow_msg_counter.",
      ["10169"] = "The stream has counters: each message needs Nats-Incr.",
      ["10170"] = "A message with Nats-Incr has no payload.",
      ["10174"] = "Batches need a stream with allow_atomic.",
      ["10175"] = "Nats-Batch-Sequence is missing.",
      ["10176"] = "Messages of the batch are missing, or came too late.",
      ["10177"] = "The header that is named cannot be used in a batch.",
      ["10188"] = "Nats-Schedule needs a stream with allow_msg_schedules.",
      ["10193"] = "Nats-Expected-Last-Subject-Sequence-Subject needs the sequence too.",
      ["10167"] = "More messages are waiting than the server takes.",
    },
  },
  {
    id = "NATS-N24e",
    name = "nats_n24e",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Message or key not found",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 165,
    when = { [[((asked.state == "asked") and (asked.meaning == "stream msg get"))]], "asked" },
    says = {
      [[f.say("%s was refused: %s", asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    cause = "The stream has no such message, or the key-value store no such key.",
  },
  {
    id = "NATS-N25",
    name = "nats_n25",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream pull request ended by an error status",
    on = "server:hmsg",
    needs = {},
    of = "pull",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(client, server, c.status, c.description)]], "c client server" },
    guard = 166,
    when = { [[(pull.state == "asked")]], "pull" },
    says = {
      [[f.say("the pull request ended with status %s %s", c.status, f.coalesce(c.description, ""))]],
      "c",
    },
    by = { [[c.status]], "c" },
    causes = { [503] = "The consumer does not exist, or has no leader." },
  },
  {
    id = "NATS-N26",
    name = "nats_n26",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Unanswered JetStream flow control",
    on = "timer:flow_control",
    evidence = { [[f.first_known(served.n)]], "served" },
    needs = { "object", "both" },
    of = "served",
    when = {
      [[((served.state == "waiting") and (f.has(conn.unsubscribed, served.sid) ~= nil and not f.has(conn.unsubscribed, served.sid)))]],
      "served conn",
    },
    says = {
      [[f.say("a JetStream flow control request has not been answered for %s", f.time(K.FLOW_CONTROL))]],
    },
    cause = "The subscriber of a push consumer must publish an empty message to the reply subject of a status 100 message; once its window is full, the server stops delivering.",
  },
  {
    id = "NATS-N16",
    name = "nats_n16",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream redelivery",
    on = "server:msg server:hmsg",
    needs = {},
    of = "conn",
    again = true,
    guard = 13,
    says = {
      [[f.say("delivery number %s of a message from stream %s", f.token(c.reply_to, 4), f.token(c.reply_to, 2))]],
      "c",
    },
    cause = "The consumer did not acknowledge in time (AckWait), or rejected the message.",
  },
  {
    id = "NATS-N21",
    name = "nats_n21",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "TCP zero window of a NATS client",
    on = "client:tcp.zero_window",
    evidence = { [[f.first_known(S.last_n)]], "S" },
    needs = {},
    of = "C",
    when = {
      [[((conn.delivered ~= nil and conn.delivered > 0) or ((f.live(conn, "sub") or 0) > 0))]],
      "conn",
    },
    says = {
      [[f.say("the client closed its TCP window: it reads more slowly than messages arrive, and the server drops it at max_pending or at the write deadline")]],
    },
  },
  {
    id = "NATS-N20",
    name = "nats_n20",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Server in lame duck mode",
    on = "info",
    needs = {},
    of = "conn",
    guard = 60,
    says = { [[f.say("INFO announces lame duck mode: clients should move to another server")]] },
  },
  {
    id = "NATS-N27",
    name = "nats_n27",
    severity = "WARN",
    group = "PROTOCOL",
    title = "JetStream duration not in nanoseconds",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 167,
    finds = { [[f.predicates.has_odd_duration("payload", c["payload raw"])]], "c" },
    says = {
      [[f.say("%s in the request to %s; durations are numbers of nanoseconds", f.whole(found), c.subject)]],
      "c found",
    },
    cause = "The client sends seconds or milliseconds: the time is over at once, or the server refuses the request.",
  },
  {
    id = "NATS-N28",
    name = "nats_n28",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unknown JetStream ack",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 168,
    finds = { [[f.predicates.is_unknown_ack("payload", c["payload raw"])]], "c" },
    says = {
      [[f.say("the ack %s is not one that JetStream knows; the message counts as not acknowledged", f.whole(found))]],
      "found",
    },
    cause = "The server ignores it and delivers the message again after ack_wait. The words are +ACK, -NAK, +WPI, +NXT and +TERM, or no payload.",
  },
  {
    id = "NATS-N29",
    name = "nats_n29",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream publish dropped as a duplicate",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(client, server, asked.subject)]], "client server asked" },
    guard = 169,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the message to %s was not stored: its Nats-Msg-Id was used before", asked.subject)]],
      "asked",
    },
    cause = "The publisher repeats a message whose ack it has not received, or gives one id to several messages.",
  },
  {
    id = "NATS-N30",
    name = "nats_n30",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Nats-Msg-Id reused for a different message",
    on = "client:hpub",
    needs = {},
    of = "conn",
    when = {
      [[((msg_id.digest ~= nil and f.digest(c["payload raw"]) ~= nil and msg_id.digest ~= f.digest(c["payload raw"])) and (msg_id.first_t ~= nil and (t - msg_id.first_t) <= K.DUPLICATE_WINDOW))]],
      "c msg_id t",
    },
    says = {
      [[f.say("the Nats-Msg-Id %s was used for another payload in frame %s", f.item(c["headers[]"], "Nats-Msg-Id"), msg_id.first_n)]],
      "c msg_id",
    },
    cause = "The stream drops the second message as a duplicate; an id names one message.",
  },
  {
    id = "NATS-N38",
    name = "nats_n38",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Misspelt member or unknown value in a JetStream request",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 170,
    finds = { [[f.predicates.has_odd_member("subject payload", c.subject, c["payload raw"])]], "c" },
    says = { [[f.say("in the request to %s, %s", c.subject, f.whole(found))]], "c found" },
    cause = "The name is written in another way, belongs to another request, or the value is one of another library: the server ignores the member, or refuses the request.",
  },
  {
    id = "NATS-N39",
    name = "nats_n39",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Misspelt JetStream header, or one with an impossible value",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.has_odd_header("headers", c["headers[]"])]], "c" },
    says = { [[f.say("the message to %s has the header %s", c.subject, f.whole(found))]], "c found" },
    cause = "JetStream compares the names of headers with upper and lower case: what is written otherwise has no effect, so that duplicates are stored and conflicts not noticed.",
  },
  {
    id = "NATS-N46",
    name = "nats_n46",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Stream of a key-value or object store without what the store needs",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 171,
    finds = { [[f.predicates.lacks_what_stores_need("payload", c["payload raw"])]], "c" },
    says = {
      [[f.say("the stream of the request to %s is that of a store, but %s", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "The stream is made by hand: deletes and purges of keys are refused without roll-ups, and without a limit for each key all old values are kept.",
  },
  {
    id = "NATS-B1",
    name = "nats_b1",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream request repeated after the same error",
    on = "msg hmsg",
    needs = {},
    of = "refused",
    when = {
      [[(((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((asked.state == "asked") and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= "maximum messages per subject exceeded")) and (f.choose((f.between(c["payload raw"], "error\":{\"code\":", ",") == "404"), (refused.latest_t ~= nil and (t - refused.latest_t) <= 2000000000.0), 60000000000.0) and (refused.same ~= nil and f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE) ~= nil and refused.same == f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE)))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil))))))]],
      "c refused asked t",
    },
    says = {
      [[f.say("the request to %s was refused %s times in a row: %s", asked.subject, K.REFUSED_LIMIT, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    cause = "The client retries without a pause, or does not read the error in the answer.",
  },
  {
    id = "NATS-B2",
    name = "nats_b2",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request repeated despite no responders (503)",
    on = "hmsg",
    since = {
      [[f.since(conn, f.coalesce(unheard.second_n, asked.n), asked.n, n, unheard.first_n)]],
      "conn unheard asked n",
    },
    needs = { "since" },
    of = "unheard",
    when = {
      [[((((unheard.times ~= nil and (unheard.times + 1) >= K.REFUSED_LIMIT) and ((asked.state == "asked") and (c.status == 503)) and (unheard.latest_t ~= nil and (t - unheard.latest_t) <= 10000000000.0)) and ((unheard.slower ~= nil and unheard.times ~= nil and (unheard.slower * 4) < ((unheard.times - 2) * 3)) or (unheard.latest_t ~= nil and f.coalesce(unheard.first_gap, (unheard.latest_t ~= nil and (t - unheard.latest_t) or nil)) ~= nil and (t - unheard.latest_t) <= (2 * f.coalesce(unheard.first_gap, (unheard.latest_t ~= nil and (t - unheard.latest_t) or nil)))))) and ((conn.connect_n ~= nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))))]],
      "c unheard asked t conn",
    },
    says = {
      [[f.say("%s requests in a row to %s were answered with status 503: no subscriber and no stream receives them", K.REFUSED_LIMIT, asked.subject)]],
      "asked",
    },
    cause = "The client ignores the status or takes it for an ack; its messages are lost.",
  },
  {
    id = "NATS-B3",
    name = "nats_b3",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Same -ERR sent repeatedly by the server",
    on = "err",
    needs = {},
    of = "erred",
    when = {
      [[(((erred.times ~= nil and (erred.times + 1) >= K.ERR_LIMIT) and (erred.latest_t ~= nil and (t - erred.latest_t) <= K.ERR_PAUSE)) and ((erred.slower ~= nil and erred.times ~= nil and (erred.slower * 4) < ((erred.times - 2) * 3)) or (erred.latest_t ~= nil and f.coalesce(erred.first_gap, (erred.latest_t ~= nil and (t - erred.latest_t) or nil)) ~= nil and (t - erred.latest_t) <= (2 * f.coalesce(erred.first_gap, (erred.latest_t ~= nil and (t - erred.latest_t) or nil))))))]],
      "erred t",
    },
    says = {
      [[f.say("the server sent -ERR %s to %s, %s in a row of this kind", c.message, client, K.ERR_LIMIT)]],
      "c client",
    },
    cause = "The client does not read -ERR: it repeats the refused command, or reconnects with the same mistake.",
  },
  {
    id = "NATS-B4",
    name = "nats_b4",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Empty JetStream pulls in a loop (no_wait)",
    on = "server:hmsg",
    needs = {},
    of = "empty_pulls",
    when = {
      [[((empty_pulls.times ~= nil and (empty_pulls.times + 1) >= K.POLL_LIMIT) and ((pull.state == "asked") and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0)) and ((c.status == 404) or ((c.status == 408) and (pull.t ~= nil and (t - pull.t) < K.POLL_PAUSE)))) and (empty_pulls.latest_t ~= nil and (t - empty_pulls.latest_t) <= K.POLL_PAUSE))]],
      "c empty_pulls pull conn t",
    },
    says = {
      [[f.say("%s pull requests in a row were answered with status 404 at once, at most %s apart", K.POLL_LIMIT, f.time(K.POLL_PAUSE))]],
    },
    cause = "The client pulls with no_wait; with `expires` the server waits for messages instead.",
  },
  {
    id = "NATS-B5",
    name = "nats_b5",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "JetStream API query repeated without a pause",
    on = "client:pub client:hpub",
    needs = {},
    of = "polled",
    guard = 172,
    when = {
      [[((polled.times ~= nil and (polled.times + 1) >= K.POLL_LIMIT) and (polled.latest_t ~= nil and (t - polled.latest_t) <= K.QUERY_PAUSE))]],
      "polled t",
    },
    says = {
      [[f.say("%s was requested %s times in a row, at most %s apart", f.called(c.subject, K.JETSTREAM), K.POLL_LIMIT, f.time(K.POLL_PAUSE))]],
      "c",
    },
    cause = "The client asks before each step instead of keeping the answer: each query costs a round trip and loads the stream's leader.",
  },
  {
    id = "NATS-B6",
    name = "nats_b6",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Message redelivered in a loop",
    on = "msg hmsg",
    needs = {},
    of = "redelivered",
    when = {
      [[(((redelivered.times ~= nil and (redelivered.times + 1) >= K.LOOP_LIMIT) and (f.starts(c.reply_to, "$JS.ACK.") and ((f.number(f.token(c.reply_to, 4)) or 1) > 1) and ((handed.put_off_n == nil) or (f.number(f.token(c.reply_to, 4)) ~= nil and f.number(f.token(c.reply_to, 4)) > K.PUT_OFF_LIMIT))) and (redelivered.latest_t ~= nil and (t - redelivered.latest_t) <= K.LOOP_PAUSE)) and ((redelivered.slower ~= nil and redelivered.times ~= nil and (redelivered.slower * 4) < ((redelivered.times - 2) * 3)) or (redelivered.latest_t ~= nil and f.coalesce(redelivered.first_gap, (redelivered.latest_t ~= nil and (t - redelivered.latest_t) or nil)) ~= nil and (t - redelivered.latest_t) <= (2 * f.coalesce(redelivered.first_gap, (redelivered.latest_t ~= nil and (t - redelivered.latest_t) or nil))))))]],
      "c redelivered handed t",
    },
    says = {
      [[f.say("consumer %s has delivered the message with sequence %s of stream %s %s times", f.token(c.reply_to, 3), f.token(c.reply_to, 5), f.token(c.reply_to, 2), f.token(c.reply_to, 4))]],
      "c",
    },
    cause = "The client cannot process the message, or never acknowledges it in time: limit max_deliver, set backoff, reject it with a delay (-NAK), or end it with +TERM.",
  },
  {
    id = "NATS-B7",
    name = "nats_b7",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "JetStream consumers created in a loop and not deleted",
    on = "client:pub client:hpub",
    since = { [[f.since(conn, f.coalesce(created.second_n, n), n, created.first_n)]], "conn created n" },
    needs = { "since" },
    of = "created",
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    when = {
      [[(((created.times ~= nil and (created.times + 1) >= K.CREATE_LIMIT) and (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (not f.starts(f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)), "OBJ_"))) and (created.latest_t ~= nil and (t - created.latest_t) <= K.CREATE_PAUSE)) and ((created.slower ~= nil and created.times ~= nil and (created.slower * 4) < ((created.times - 2) * 3)) or (created.latest_t ~= nil and f.coalesce(created.first_gap, (created.latest_t ~= nil and (t - created.latest_t) or nil)) ~= nil and (t - created.latest_t) <= (2 * f.coalesce(created.first_gap, (created.latest_t ~= nil and (t - created.latest_t) or nil))))))]],
      "c created t",
    },
    says = {
      [[f.say("%s consumers in a row were created on stream %s, none of which the client deleted", K.CREATE_LIMIT, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)))]],
      "c",
    },
    cause = "The client creates a consumer for each read or retry; each is kept by the server until inactive_threshold, a durable one for ever.",
  },
  {
    id = "NATS-B7b",
    name = "nats_b7b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "JetStream consumer made for each read",
    on = "client:pub client:hpub",
    needs = {},
    of = "consumers_remade",
    guard = 173,
    when = {
      [[((consumers_remade.times ~= nil and (consumers_remade.times + 1) >= K.REMADE_CONSUMERS) and (consumers_remade.latest_t ~= nil and (t - consumers_remade.latest_t) <= K.REFUSED_PAUSE))]],
      "consumers_remade t",
    },
    says = {
      [[f.say("%s consumers in a row were created on stream %s, at most %s apart", K.REMADE_CONSUMERS, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)), f.time(K.REFUSED_PAUSE))]],
      "c",
    },
    cause = "The client creates a consumer for each message or listing, and deletes it: each costs several round trips, and in a cluster a Raft group. One consumer reads on.",
  },
  {
    id = "NATS-B8",
    name = "nats_b8",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publish loop on a subject that the client itself subscribes to",
    on = "msg hmsg",
    needs = {},
    of = "echoed",
    when = {
      [[((echoed.times ~= nil and (echoed.times + 1) >= K.ECHO_LIMIT) and ((c.subject ~= nil and conn.sent_subject ~= nil and c.subject == conn.sent_subject) and (conn.caused ~= nil and (t - conn.caused) < 10000000)) and (echoed.latest_t ~= nil and (t - echoed.latest_t) <= K.POLL_PAUSE))]],
      "c echoed conn t",
    },
    says = {
      [[f.say("%s times in a row the client received its own message on %s and published to that subject again at once", K.ECHO_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client subscribes to the subject that it publishes to, so each message causes the next one. With echo:false in CONNECT it does not receive its own messages.",
  },
  {
    id = "NATS-B62",
    name = "nats_b62",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Many JetStream streams created in a row",
    on = "client:pub client:hpub",
    needs = {},
    of = "streams_created",
    when = {
      [[((streams_created.times ~= nil and (streams_created.times + 1) >= K.STREAM_LIMIT) and (f.starts(c.subject, "$JS.") and (f.called(c.subject, K.JETSTREAM) == "stream create") and (c.subject ~= nil and c.subject ~= f.coalesce(conn.stream_subject, ""))) and (streams_created.latest_t ~= nil and (t - streams_created.latest_t) <= K.REFUSED_PAUSE))]],
      "c streams_created conn t",
    },
    says = {
      [[f.say("%s streams in a row were created; the last request is %s", K.STREAM_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client creates a stream, or a bucket, for each task or user: each of them costs files and, in a cluster, a Raft group. One stream can have many subjects.",
  },
  {
    id = "NATS-B62b",
    name = "nats_b62b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same JetStream stream created or updated repeatedly",
    on = "client:pub client:hpub",
    needs = {},
    of = "ensured",
    guard = 174,
    when = {
      [[((ensured.times ~= nil and (ensured.times + 1) >= K.ENSURED_LIMIT) and ((ensured.latest_t ~= nil and (t - ensured.latest_t) <= 60000000000.0) and (ensured.same ~= nil and f.digest(c["payload raw"]) ~= nil and ensured.same == f.digest(c["payload raw"]))))]],
      "c ensured t",
    },
    says = {
      [[f.say("the same request was sent %s times in a row (%s)", K.ENSURED_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client makes sure before each task that the stream exists: each request goes through the leader of the cluster.",
  },
  {
    id = "NATS-B63",
    name = "nats_b63",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Frequent PINGs of an idle client",
    on = "client:ping",
    since = { [[f.since(conn, f.coalesce(conn.pinged_second_n, n), n, conn.pinged_first_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = {
      [[((conn.pinged_times ~= nil and (conn.pinged_times + 1) >= K.BEAT_LIMIT) and ((f.coalesce(me.pings, 0) or 2) <= 1) and (conn.pinged_latest_t ~= nil and (t - conn.pinged_latest_t) <= K.REFUSED_PAUSE))]],
      "conn me t",
    },
    says = {
      [[f.say("the client sent %s PINGs in a row and nothing else, at most %s apart", K.BEAT_LIMIT, f.time(K.REFUSED_PAUSE))]],
    },
    cause = "The client's ping interval is too short, or has another unit than meant: libraries use two minutes.",
  },
  {
    id = "NATS-B9",
    name = "nats_b9",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Short-lived NATS connections in a row",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n)]], "conn" },
    needs = {},
    of = "reconnected",
    when = {
      [[((reconnected.times ~= nil and (reconnected.times + 1) >= K.RECONNECT_LIMIT) and (((conn.state == "open") and (conn.peers == nil) and (C.frames ~= nil and C.frames <= 8) and (conn.published ~= nil and conn.delivered ~= nil and (conn.published + conn.delivered) <= 2)) and (why ~= nil and not LISTS[9][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 2000000000.0)))]],
      "reconnected conn C why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s in a row, each with at most two messages", client, K.RECONNECT_LIMIT, server)]],
      "client server",
    },
    cause = "The client connects for each task: the handshake alone costs two round trips.",
  },
  {
    id = "NATS-B9b",
    name = "nats_b9b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "NATS connections for a few messages each",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n)]], "conn" },
    needs = {},
    of = "reconnected_often",
    when = {
      [[((reconnected_often.times ~= nil and (reconnected_often.times + 1) >= K.RECONNECT_LIMIT) and (((conn.state == "open") and (conn.peers == nil) and (C.frames ~= nil and C.frames <= 16) and (conn.published ~= nil and conn.delivered ~= nil and (conn.published + conn.delivered) <= K.FEW_MESSAGES)) and (why ~= nil and not LISTS[9][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected_often.latest_t ~= nil and conn.t ~= nil and reconnected_often.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected_often.latest_t ~= nil and (conn.t - reconnected_often.latest_t) <= 10000000000.0)))]],
      "reconnected_often conn C why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s one after another, each with at most %s messages", client, K.RECONNECT_LIMIT, server, K.FEW_MESSAGES)]],
      "client server",
    },
    cause = "The client connects for each task: the handshake alone costs two round trips.",
  },
  {
    id = "NATS-B10",
    name = "nats_b10",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New inbox subscription for each request",
    on = "end:sub",
    evidence = {
      [[f.first_known(f.coalesce(inbox_per_request.second_n, sub.n), sub.n, inbox_per_request.first_n)]],
      "inbox_per_request sub",
    },
    needs = { "start", "whole", "both" },
    of = "inbox_per_request",
    when = {
      [[((inbox_per_request.times ~= nil and (inbox_per_request.times + 1) >= K.INBOX_LIMIT) and (((f.starts(sub.subject, "_INBOX.") or f.has(conn.replies, sub.subject)) and (sub.delivered ~= nil and sub.delivered <= 1) and (why == "removed")) and (why ~= nil and not LISTS[9][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both)) and ((inbox_per_request.latest_t ~= nil and sub.t ~= nil and inbox_per_request.latest_t <= (sub.t + 0)) and (sub.t ~= nil and inbox_per_request.latest_t ~= nil and (sub.t - inbox_per_request.latest_t) <= 2000000000.0)))]],
      "inbox_per_request sub conn why",
    },
    says = {
      [[f.say("%s inboxes in a row received one reply each; the last was %s", K.INBOX_LIMIT, sub.subject)]],
      "sub",
    },
    cause = "The client subscribes for each request; one wildcard subscription serves all of them.",
  },
  {
    id = "NATS-B11",
    name = "nats_b11",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Leak of inbox subscriptions (no UNSUB)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.inboxes_latest_n, conn.inboxes_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.inboxes_left ~= nil and conn.inboxes_left >= K.LEFT_LIMIT) and (conn.inboxes_left ~= nil and conn.inboxes_all ~= nil and (conn.inboxes_left * 100) >= (conn.inboxes_all * 50)) and (conn.inboxes_all ~= nil and (f.coalesce(conn.inboxes_ended, 0) * 100) <= (conn.inboxes_all * 10)))]],
      "conn",
    },
    says = {
      [[f.say("%s inboxes, each for the replies to one request, were still subscribed when the connection ended", conn.inboxes_left)]],
      "conn",
    },
    cause = "The client subscribes for each request and does not send UNSUB: its subscriptions grow without bound.",
  },
  {
    id = "NATS-B12",
    name = "nats_b12",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Duplicate subscription to a subject on one connection",
    on = "end:sub",
    evidence = {
      [[f.first_known(subscribed_twice.second_n, sub.subscribed_twice_n, sub.delivered_n)]],
      "subscribed_twice sub",
    },
    needs = { "start", "whole", "both" },
    of = "subscribed_twice",
    when = {
      [[((sub.subscribed_twice_n ~= nil and subscribed_twice.second_n ~= nil and sub.subscribed_twice_n < subscribed_twice.second_n) and (sub.delivered_n ~= nil and subscribed_twice.second_n ~= nil and sub.delivered_n > subscribed_twice.second_n))]],
      "sub subscribed_twice",
    },
    says = {
      [[f.say("the connection subscribed to %s twice, so each message arrives twice; sid %s is the earlier subscription", sub.subject, sub.id)]],
      "sub",
    },
    cause = "The client subscribes again, for instance after a reconnect, although its subscription still exists.",
  },
  {
    id = "NATS-B12b",
    name = "nats_b12b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Growing number of equal subscriptions on one connection",
    on = "end:copies",
    evidence = { [[f.first_known(copies.latest_n, copies.first_n)]], "copies" },
    needs = {},
    of = "copies",
    when = {
      [[((copies.left ~= nil and copies.left >= K.COPIES_LIMIT) and (copies.left ~= nil and copies.all ~= nil and (copies.left * 100) >= (copies.all * 0)) and (copies.all ~= nil and (f.coalesce(copies.ended, 0) * 100) <= (copies.all * 100)))]],
      "copies",
    },
    says = {
      [[f.say("%s subscriptions of one connection to the same subject were left when it ended: each message arrives as often", copies.left)]],
      "copies",
    },
    cause = "The client subscribes again, for each task or after each error, and does not end its former subscription.",
  },
  {
    id = "NATS-B13",
    name = "nats_b13",
    severity = "WARN",
    group = "SEQUENCE",
    title = "New durable consumer name for each connection",
    on = "client:pub client:hpub",
    needs = {},
    of = "durables",
    guard = 15,
    when = {
      [[((f.count(durables.names) ~= nil and (f.count(durables.names) + 1) >= K.DURABLE_LIMIT) and (durables.live ~= nil and durables.live <= 0) and (f.has(durables.names, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5))) ~= nil and not f.has(durables.names, f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)))))]],
      "c durables",
    },
    says = {
      [[f.say("this client has created %s durable consumers, with names of one length, on stream %s, each on a new connection; the last is %s", (f.count(durables.names) ~= nil and (f.count(durables.names) + 1) or nil), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)))]],
      "c durables",
    },
    cause = "The durable name contains something that changes with each start: the stream keeps the old consumers, and each new one starts from the beginning.",
  },
  {
    id = "NATS-B14",
    name = "nats_b14",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream ack after the redelivery of its message",
    on = "client:pub client:hpub",
    needs = {},
    of = "handed",
    again = true,
    worse = "WARN",
    worse_from = 3,
    per = { [[f.member(server, f.token(c.subject, 2), f.token(c.subject, 3))]], "c server" },
    when = {
      [[((f.starts(c.subject, "$JS.ACK.") and (handed.delivery ~= nil and f.number(f.token(c.subject, 4)) ~= nil and handed.delivery > f.number(f.token(c.subject, 4)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c handed captures",
    },
    says = {
      [[f.say("the message with sequence %s of stream %s was acknowledged after it had been redelivered in frame %s%s", f.token(c.subject, 5), f.token(c.subject, 2), handed.delivered_n, ((handed.to ~= nil and flow ~= nil and handed.to == flow) and "" or ", to another connection"))]],
      "c handed flow",
    },
    cause = "Processing takes longer than ack_wait, or messages wait in the client's buffer: fetch fewer at once, raise ack_wait, or report progress with +WPI.",
  },
  {
    id = "NATS-B14b",
    name = "nats_b14b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream ack after ack_wait",
    on = "client:pub client:hpub",
    needs = {},
    of = "served",
    again = true,
    worse = "WARN",
    worse_from = 3,
    per = { [[f.member(server, f.token(c.subject, 2), f.token(c.subject, 3))]], "c server" },
    guard = 77,
    when = {
      [[((served.state == "waiting") and (served.t ~= nil and conn.ack_wait ~= nil and (t - served.t) > conn.ack_wait) and (f.count(conn.consumers) == 1) and LISTS[30][conn.policy])]],
      "served conn t",
    },
    says = {
      [[f.say("the message with sequence %s of stream %s was acknowledged %s after its delivery, but ack_wait of the consumer is %s: it is delivered again", f.token(c.subject, 5), f.token(c.subject, 2), f.time((served.t ~= nil and (t - served.t) or nil)), f.time(conn.ack_wait))]],
      "c served t conn",
    },
    cause = "Processing takes longer than ack_wait, or messages wait in the client's buffer: fetch fewer at once, raise ack_wait, or report progress with +WPI.",
  },
  {
    id = "NATS-B14c",
    name = "nats_b14c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream message delivered again after its ack",
    on = "server:msg server:hmsg",
    since = { [[f.since(conn, n, again.acked_n)]], "conn n again" },
    needs = { "since" },
    of = "again",
    again = true,
    guard = 13,
    when = { [[(again.acked_n ~= nil)]], "again" },
    says = {
      [[f.say("the message with sequence %s of stream %s is delivered again, although it was acknowledged in frame %s", f.token(c.reply_to, 5), f.token(c.reply_to, 2), again.acked_n)]],
      "c again",
    },
    cause = "The ack came after ack_wait, as the message took long to process, or it did not reach the consumer.",
  },
  {
    id = "NATS-B14d",
    name = "nats_b14d",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream progress (+WPI) reported after ack_wait",
    on = "client:pub client:hpub",
    needs = { "whole", "both" },
    of = "served",
    again = true,
    worse = "WARN",
    worse_from = 3,
    per = { [[f.member(server, f.token(c.subject, 2), f.token(c.subject, 3))]], "c server" },
    guard = 7,
    when = {
      [[(LISTS[21][served.state] and (conn.ack_wait ~= nil and conn.ack_wait > 0) and (f.coalesce(served.beat_t, served.t) ~= nil and conn.ack_wait ~= nil and (t - f.coalesce(served.beat_t, served.t)) > conn.ack_wait) and (f.count(conn.consumers) == 1) and LISTS[30][conn.policy])]],
      "served conn t",
    },
    says = {
      [[f.say("+WPI for the message with sequence %s of stream %s comes %s after its delivery or the +WPI before, but ack_wait of the consumer is %s: the message is delivered again", f.token(c.subject, 5), f.token(c.subject, 2), f.time((f.coalesce(served.beat_t, served.t) ~= nil and (t - f.coalesce(served.beat_t, served.t)) or nil)), f.time(conn.ack_wait))]],
      "c served t conn",
    },
    cause = "The client reports progress less often than ack_wait asks for: twice within ack_wait is safe.",
  },
  {
    id = "NATS-B129",
    name = "nats_b129",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "JetStream message delivered again after a later one was acknowledged (order)",
    on = "server:msg server:hmsg",
    needs = {},
    of = "team",
    again = true,
    guard = 13,
    when = {
      [[(f.number(f.token(c.reply_to, 5)) ~= nil and team.top ~= nil and f.number(f.token(c.reply_to, 5)) < team.top)]],
      "c team",
    },
    says = {
      [[f.say("the message with sequence %s of stream %s is delivered again after message %s was acknowledged: they are processed in another order than they were stored", f.token(c.reply_to, 5), f.token(c.reply_to, 2), team.top)]],
      "c team",
    },
    cause = "Other messages are delivered while a rejected or late one waits for its next delivery. max_ack_pending of 1 keeps the order, and an ordered consumer does.",
  },
  {
    id = "NATS-B15",
    name = "nats_b15",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream pull requests expiring at max_ack_pending",
    on = "server:hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 43,
    when = {
      [[((pull.state == "asked") and (conn.stalls ~= nil and conn.stalls >= 1) and (conn.unacked ~= nil and conn.unacked > 0) and ((f.number(f.token(conn.ack_to, 8)) or 0) > 0))]],
      "pull conn",
    },
    says = {
      [[f.say("pull requests expire although messages wait in the stream; %s delivered messages are not acknowledged", conn.unacked)]],
      "conn",
    },
    cause = "The consumer has reached max_ack_pending: the client does not acknowledge messages, or drops them.",
  },
  {
    id = "NATS-B16",
    name = "nats_b16",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Gap in the sequence of a JetStream consumer",
    on = "msg hmsg",
    since = { [[f.since(conn, n, consumed.latest_n)]], "conn n consumed" },
    needs = { "start", "whole", "both", "since" },
    of = "consumed",
    when = {
      [[((f.starts(c.reply_to, "$JS.ACK.") and (sub.pull_n == nil) and (sub.queue == nil) and (sub.state == "live")) and (f.number(f.token(c.reply_to, 6)) ~= nil and consumed.last ~= nil and f.number(f.token(c.reply_to, 6)) > (consumed.last + 1)))]],
      "c sub consumed",
    },
    says = {
      [[f.say("delivery %s of consumer %s on sid %s follows delivery %s: the messages in between did not arrive here", f.token(c.reply_to, 6), f.token(c.reply_to, 3), c.sid, consumed.last)]],
      "c consumed",
    },
    cause = "A message was dropped on the way, or another subscriber received it; an ordered consumer must be created again at the missing message.",
  },
  {
    id = "NATS-B17",
    name = "nats_b17",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Push consumer stalled by unanswered flow control",
    on = "server:hmsg",
    needs = {},
    of = "conn",
    guard = 175,
    says = {
      [[f.say("the consumer is stalled: the client did not answer the flow control request %s", f.item(c["headers[]"], "Nats-Consumer-Stalled"))]],
      "c",
    },
    cause = "The client must publish an empty message to the subject in Nats-Consumer-Stalled, or to the reply subject of the flow control request.",
  },
  {
    id = "NATS-B69",
    name = "nats_b69",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "JetStream list of which only the first page is read",
    on = "end:listing",
    evidence = { [[f.first_known(listing.asked_n, listing.page_n)]], "listing" },
    needs = { "start", "whole", "both" },
    of = "listing",
    when = {
      [[((listing.times ~= nil and listing.times > 0) and ((conn.left ~= nil) or (listing.page_t ~= nil and (t - listing.page_t) > K.REPLY_TIME)))]],
      "listing conn t",
    },
    says = {
      [[f.say("the answer to %s ends at item %s of %s, and the client never asked for the next page: it does not see the others", listing.subject, listing["end"], listing.total)]],
      "listing",
    },
    cause = "JetStream answers lists in pages: as long as offset + limit is below total, the client has to ask again, with the next `offset` in the request.",
  },
  {
    id = "NATS-B70",
    name = "nats_b70",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer with ack_policy all shared by several connections",
    on = "end:conn",
    evidence = { [[f.first_known(team.taken_n, team.lost_n)]], "team" },
    needs = { "start", "whole", "both" },
    of = "team",
    when = { [[f.has(team.losers, flow)]], "team flow" },
    says = {
      [[f.say("delivery %s of consumer %s, which was sent to %s, was not acknowledged by it, but by the ack of delivery %s on another connection: with ack_policy all an ack is for all messages up to its own", team.lost, f.token(conn.ack_to, 3), client, team.taken)]],
      "team conn client",
    },
    cause = "Several workers share the consumer, and each one's ack is for the messages of the others too: those that a worker fails to process are not delivered again. Workers need ack_policy explicit.",
  },
  {
    id = "NATS-N37",
    name = "nats_n37",
    severity = "WARN",
    group = "PROTOCOL",
    title = "JetStream ack word in place of the reply subject",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 176,
    says = {
      [[f.say("%s is written before the length, where it is a reply subject: the server reads a payload of %s bytes as the ack", c.reply_to, c["#payload"])]],
      "c",
    },
    cause = "The word of an ack is its payload, after the line of PUB. Without a payload the server takes any of them for +ACK; with another one it ignores the ack.",
  },
  {
    id = "NATS-B28",
    name = "nats_b28",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Missing heartbeats of a JetStream consumer",
    on = "timer:beat",
    evidence = { [[f.first_known(sub.beat_n, sub.create_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = { [[((sub.state == "live") and (conn.left == nil) and (conn.dropped == nil))]], "sub conn" },
    says = {
      [[f.say("sid %s (%s) received nothing for %s times %s, the interval of the consumer's earlier heartbeats", sub.id, sub.subject, K.MISSED_BEATS, f.time(sub.every))]],
      "sub",
    },
    cause = "The consumer is gone, deleted or removed for inactivity, and the client does not notice: it has to create it again when two heartbeats are missing.",
  },
  {
    id = "NATS-B59",
    name = "nats_b59",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "JetStream consumer filter similar to the published subjects (typo)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.create_n, network.latest_n)]], "conn network" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.filter ~= nil) and (conn.taken_t == nil) and ((f.count(network.subjects) or 257) <= 256) and (conn.peers == nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (conn.create_t ~= nil and (t - conn.create_t) > K.REPLY_TIME))]],
      "conn network t",
    },
    finds = {
      [[f.predicates.is_filter_nearly_published("conn.filter network.subjects", conn.filter, network.subjects)]],
      "conn network",
    },
    says = {
      [[f.say("a consumer with the filter %s received nothing; messages were published to %s", conn.filter, f.whole(found))]],
      "conn found",
    },
    cause = "The filter or the subject of the messages is misspelt, or has another number of tokens: `*` matches one token, `>` one or more at the end, and upper and lower case differ.",
  },
  {
    id = "NATS-B60",
    name = "nats_b60",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Push consumer with a deliver group, subscribed to in another one",
    on = "end:conn",
    evidence = { [[f.first_known(conn.create_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((f.len(conn.group) or 0) > 0) and (conn.taken_t == nil) and f.has(conn.subjects, conn.push_to) and (f.has(conn.queued, f.member(conn.push_to, conn.group)) ~= nil and not f.has(conn.queued, f.member(conn.push_to, conn.group))) and (conn.create_t ~= nil and (t - conn.create_t) > K.REPLY_TIME))]],
      "conn t",
    },
    says = {
      [[f.say("the consumer delivers to %s in queue group %s, but this connection subscribed to that subject without this group, and received nothing", conn.push_to, conn.group)]],
      "conn",
    },
    cause = "The queue group in SUB and deliver_group of the consumer must be the same.",
  },
  {
    id = "NATS-N25b",
    name = "nats_n25b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated pulls from a missing consumer",
    on = "server:hmsg",
    needs = {},
    of = "pulled_in_vain",
    when = {
      [[((pulled_in_vain.times ~= nil and (pulled_in_vain.times + 1) >= K.GONE_LIMIT) and ((pull.state == "asked") and ((c.status == 503) or (c.description == "Consumer Deleted"))) and (pulled_in_vain.latest_t ~= nil and (t - pulled_in_vain.latest_t) <= 60000000000.0))]],
      "c pulled_in_vain pull t",
    },
    says = {
      [[f.say("%s pull requests in a row (%s) find no consumer: status %s %s", K.GONE_LIMIT, pull.subject, c.status, f.coalesce(c.description, ""))]],
      "c pull",
    },
    cause = "The consumer was deleted, or removed after its inactive_threshold because pulls are too seldom; the client has to create it again.",
  },
  {
    id = "NATS-N25c",
    name = "nats_n25c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream pull request refused (invalid, over a limit, or push)",
    on = "server:hmsg",
    needs = {},
    of = "pull",
    again = true,
    when = {
      [[((pull.state == "asked") and ((c.status == 400) or ((c.status == 409) and (f.starts(c.description, "Exceeded") or f.starts(c.description, "Message Size") or f.starts(c.description, "Consumer is push")) and (not f.starts(c.description, "Exceeded MaxWaiting")) and ((not f.starts(c.description, "Message Size")) or (pull.n ~= nil and f.coalesce(sub.taken_n, 0) <= pull.n)))))]],
      "c pull sub",
    },
    says = { [[f.say("the pull request was refused with status %s %s", c.status, c.description)]], "c" },
    cause = "The batch, time or size of the request, or the number of open requests, is above what the consumer permits.",
  },
  {
    id = "NATS-B29",
    name = "nats_b29",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unacknowledged JetStream message delivered max_deliver times",
    on = "end:again",
    evidence = { [[f.first_known(again.delivered_n)]], "again" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((again.delivery ~= nil and conn.max_deliver ~= nil and again.delivery >= conn.max_deliver) and (conn.max_deliver ~= nil and conn.max_deliver > 0) and (f.count(conn.consumers) == 1) and (again.acked_n == nil) and (again.delivered_t ~= nil and f.min(f.coalesce(conn.ack_wait, K.REPLY_TIME), K.REPLY_TIME) ~= nil and (t - again.delivered_t) > f.min(f.coalesce(conn.ack_wait, K.REPLY_TIME), K.REPLY_TIME)))]],
      "again conn t",
    },
    says = {
      [[f.say("a message was delivered %s times, the max_deliver of its consumer, and never acknowledged: it is not delivered again", again.delivery)]],
      "again",
    },
    cause = "The message cannot be processed: it stays in the stream and is skipped.",
  },
  {
    id = "NATS-B30",
    name = "nats_b30",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream consumer without any acknowledged message",
    on = "end:conn",
    evidence = { [[f.first_known(conn.unacked_n, conn.pulled_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.acked_n == nil) and (conn.unacked ~= nil and conn.unacked >= K.NEVER_ACKED) and LISTS[30][conn.policy] and (f.count(conn.consumers) == 1) and (conn.taken_t ~= nil and (t - conn.taken_t) > K.WITHOUT_ACK))]],
      "conn t",
    },
    says = {
      [[f.say("none of %s messages of a consumer was acknowledged in %s, although its ack_policy is %s", conn.unacked, f.time((conn.taken_t ~= nil and (t - conn.taken_t) or nil)), conn.policy)]],
      "conn t",
    },
    cause = "The client does not acknowledge: the messages are delivered again after ack_wait, and the consumer stops at max_ack_pending.",
  },
  {
    id = "NATS-B31",
    name = "nats_b31",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Acks for a consumer with ack_policy none",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 20,
    when = { [[((conn.policy == "none") and (f.count(conn.consumers) == 1))]], "conn" },
    says = {
      [[f.say("messages of consumer %s are acknowledged, although its ack_policy is none", f.token(c.subject, 3))]],
      "c",
    },
    cause = "Each ack costs a message that the server ignores.",
  },
  {
    id = "NATS-B32",
    name = "nats_b32",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JetStream consumer stopped at max_ack_pending",
    on = "timer:stalled",
    evidence = { [[f.first_known(conn.pulled_n, conn.unacked_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.unacked ~= nil and conn.max_pending ~= nil and conn.unacked >= conn.max_pending) and (((f.number(f.token(conn.ack_to, 8)) or 0) > 0) or (origin.wanted ~= nil and f.number(f.token(conn.ack_to, 5)) ~= nil and origin.wanted > f.number(f.token(conn.ack_to, 5)))) and (conn.policy ~= nil and conn.policy ~= "none") and (f.count(conn.consumers) == 1) and (conn.left == nil) and (f.coalesce(conn.acked_t, conn.taken_t) ~= nil and (t - f.coalesce(conn.acked_t, conn.taken_t)) >= K.STALLED) and (conn.max_pending ~= nil and conn.max_pending > 1))]],
      "conn origin t",
    },
    says = {
      [[f.say("%s messages are not acknowledged, which is max_ack_pending of the consumer: nothing was acknowledged for %s, while further messages wait", conn.unacked, f.time(K.STALLED))]],
      "conn",
    },
    cause = "The client does not acknowledge, such as after an error, or takes longer for a message than others can wait.",
  },
  {
    id = "NATS-B32b",
    name = "nats_b32b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream consumer waits for the one message that may be open",
    on = "timer:stalled",
    evidence = { [[f.first_known(conn.pulled_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.unacked ~= nil and conn.max_pending ~= nil and conn.unacked >= conn.max_pending) and (((f.number(f.token(conn.ack_to, 8)) or 0) > 0) or (origin.wanted ~= nil and f.number(f.token(conn.ack_to, 5)) ~= nil and origin.wanted > f.number(f.token(conn.ack_to, 5)))) and (conn.policy ~= nil and conn.policy ~= "none") and (f.count(conn.consumers) == 1) and (conn.left == nil) and (f.coalesce(conn.acked_t, conn.taken_t) ~= nil and (t - f.coalesce(conn.acked_t, conn.taken_t)) >= K.STALLED) and (conn.max_pending == 1))]],
      "conn origin t",
    },
    says = {
      [[f.say("max_ack_pending of the consumer is 1, and the message that is open was not acknowledged for %s, while further messages wait", f.time(K.STALLED))]],
    },
    cause = "The client takes long for a message, or does not acknowledge it.",
  },
  {
    id = "NATS-B33",
    name = "nats_b33",
    severity = "WARN",
    group = "SEQUENCE",
    title = "NATS subscription not restored after a reconnect",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n, C.last_n, before.lost_n)]], "conn C before" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((f.count(before.subjects) or 0) > 0) and (conn.connect_n ~= nil and before.lost_n ~= nil and conn.connect_n > before.lost_n) and (conn.t ~= nil and before.lost_t ~= nil and (conn.t - before.lost_t) < K.LOST_LATELY) and (conn.cluster == nil) and ((conn.restored_t ~= nil and (t - conn.restored_t) > K.RESTORED) or ((conn.subs_n == nil) and (conn.t ~= nil and (t - conn.t) > K.RESTORED))) and ((why == "end") or (conn.left == 1)))]],
      "before conn t why",
    },
    says = {
      [[f.say("%s reconnected %s ago and has not subscribed to %s again, to which it was subscribed before its connection was lost", f.coalesce(conn.client_name, client), f.time((conn.t ~= nil and (t - conn.t) or nil)), f.first(before.subjects))]],
      "conn client t before",
    },
    cause = "The client reconnects and does not restore its subscriptions: messages no longer reach it.",
  },
  {
    id = "NATS-B34",
    name = "nats_b34",
    severity = "WARN",
    group = "SEQUENCE",
    title = "UNSUB max_msgs repeated in full after a reconnect",
    on = "client:unsub",
    needs = {},
    of = "sub",
    when = {
      [[((limited.left ~= nil and 0 < limited.left) and (limited.left ~= nil and c.max_msgs ~= nil and limited.left < c.max_msgs))]],
      "c limited",
    },
    says = {
      [[f.say("UNSUB %s %s limits %s again, although only %s messages of the limit were left when the connection was lost", c.sid, c.max_msgs, sub.subject, limited.left)]],
      "c sub limited",
    },
    cause = "After a reconnect the client repeats UNSUB with the whole number: more messages arrive than were wanted.",
  },
  {
    id = "NATS-B120",
    name = "nats_b120",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Queue group of a subscription lost with its connection",
    on = "client:sub",
    needs = {},
    of = "grouped",
    guard = 19,
    when = {
      [[((conn.t ~= nil and grouped.lost_t ~= nil and (conn.t - grouped.lost_t) < K.LOST_LATELY) and (conn.connect_n ~= nil and grouped.lost_n ~= nil and conn.connect_n > grouped.lost_n))]],
      "conn grouped",
    },
    says = {
      [[f.say("%s subscribes to %s without a queue group; before its connection was lost it was in %s", f.coalesce(conn.client_name, client), c.subject, grouped.queue)]],
      "c conn client grouped",
    },
    cause = "The client restores its subscriptions without their queue groups: each instance gets every message, and all of them process it.",
  },
  {
    id = "NATS-B121",
    name = "nats_b121",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Filter of a JetStream consumer lost with its connection",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    when = {
      [[((asked.state == "asked") and LISTS[6][asked.meaning] and ((f.len(place.filter) or 0) > 0) and (conn.filter == nil) and (conn.create_stream ~= nil) and (place.flow ~= nil and flow ~= nil and place.flow ~= flow))]],
      "asked place conn flow",
    },
    says = {
      [[f.say("the consumer of stream %s is created again without a filter; before the connection was lost it had %s", conn.create_stream, place.filter)]],
      "conn place",
    },
    cause = "The client makes its consumer again with other options: it gets messages of all subjects.",
  },
  {
    id = "NATS-B35",
    name = "nats_b35",
    severity = "WARN",
    group = "SEQUENCE",
    title = "New JetStream consumer starting after messages not yet received",
    on = "msg hmsg",
    needs = { "whole" },
    of = "conn",
    when = {
      [[(((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.begin_at ~= nil and f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) ~= nil and conn.begin_at > (f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) + 1)) and ((f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) or 0) > 0)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "asked conn place captures",
    },
    says = {
      [[f.say("a consumer of stream %s begins at sequence %s, but the program had received the messages up to %s: those between them are skipped", conn.create_stream, conn.begin_at, f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)))]],
      "conn place",
    },
    cause = "The client adds one to its place twice, or has counted messages of another stream.",
  },
  {
    id = "NATS-B35b",
    name = "nats_b35b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New JetStream consumer starting before messages already received",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[((asked.state == "asked") and LISTS[6][asked.meaning] and (((conn.begin_at ~= nil and 0 < conn.begin_at) and (conn.begin_at ~= nil and f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)) ~= nil and conn.begin_at <= f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)))) or ((place.reached ~= nil and place.reached >= 5) and (conn.whole_stream ~= nil) and (conn.durable == nil) and (place.flow ~= nil and flow ~= nil and place.flow ~= flow))))]],
      "asked conn place flow",
    },
    says = {
      [[f.say("a consumer of stream %s begins before messages that the program has received already, up to %s: it receives them again", conn.create_stream, f.max(f.coalesce(f.choose((f.token(conn.ack_to, 2) ~= nil and conn.create_stream ~= nil and f.token(conn.ack_to, 2) == conn.create_stream), f.number(f.token(conn.ack_to, 5)), nil), 0), f.coalesce(place.reached, 0)))]],
      "conn place",
    },
    cause = "The client takes the last message for the next one, or does not keep its place.",
  },
  {
    id = "NATS-B35c",
    name = "nats_b35c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New JetStream consumer that skips what was stored while the program was away",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    when = {
      [[((asked.state == "asked") and LISTS[6][asked.meaning] and LISTS[31][conn.skips] and (place.reached ~= nil and place.reached > 0) and (place.flow ~= nil and flow ~= nil and place.flow ~= flow) and (conn.durable == nil))]],
      "asked conn place flow",
    },
    says = {
      [[f.say("the program had received messages of stream %s up to %s on another connection; its new consumer has deliver_policy %s and skips those stored since", conn.create_stream, place.reached, conn.skips)]],
      "conn place",
    },
    cause = "After a reconnect the client creates its consumer as at its start, instead of after the last message that it received, or without a durable name.",
  },
  {
    id = "NATS-B35d",
    name = "nats_b35d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Durable JetStream consumer created again, from the beginning of its stream",
    on = "msg hmsg",
    needs = { "whole" },
    of = "conn",
    when = {
      [[(((asked.state == "asked") and LISTS[6][asked.meaning] and (conn.durable ~= nil) and (team.top ~= nil and team.top > 0) and (f.between(c["payload raw"], "\"deliver_policy\":\"", "\"") == "all") and (f.number(f.between(c["payload raw"], "\"delivered\":{\"consumer_seq\":", ",")) == 0) and (((f.number(f.between(c["payload raw"], "\"num_pending\":", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\": ", ",")) or (f.number(f.between(c["payload raw"], "\"num_pending\":", "}")) or f.number(f.between(c["payload raw"], "\"num_pending\": ", "}"))))) or 0) > 0) and (team.top_n ~= nil and f.coalesce(emptied.removed_n, -1) < team.top_n)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c asked conn team emptied captures",
    },
    says = {
      [[f.say("a durable consumer of stream %s is created anew with deliver_policy all, although its messages up to %s were acknowledged: all are delivered again", conn.create_stream, team.top)]],
      "conn team",
    },
    cause = "The consumer was deleted, or removed after its inactive_threshold, and the new one knows nothing of the acks. opt_start_seq after the last message that was acknowledged lets it go on there.",
  },
  {
    id = "NATS-B36",
    name = "nats_b36",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Unsubscribed deliver inbox of a push consumer",
    on = "end:conn",
    evidence = { [[f.first_known(conn.create_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(f.starts(conn.push_to, "_INBOX") and (conn.create_t ~= nil and (t - conn.create_t) > K.REPLY_TIME) and (f.has(conn.subjects, conn.push_to) ~= nil and not f.has(conn.subjects, conn.push_to)) and (f.matching(conn.push_to, f.coalesce(conn.wide_subject, "")) ~= nil and not f.matching(conn.push_to, f.coalesce(conn.wide_subject, ""))) and ((network.inboxes == nil) or (f.has(network.inboxes, conn.push_to) ~= nil and not f.has(network.inboxes, conn.push_to))) and (f.matching(conn.push_to, f.coalesce(network.wide_inbox, "")) ~= nil and not f.matching(conn.push_to, f.coalesce(network.wide_inbox, ""))))]],
      "conn t network",
    },
    says = {
      [[f.say("the consumer delivers to %s, to which no connection in these captures subscribed", conn.push_to)]],
      "conn",
    },
    cause = "The deliver subject is misspelt, or the subscription is missing: nothing is delivered.",
  },
  {
    id = "NATS-B36b",
    name = "nats_b36b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Deliver_subject not subscribed by the push consumer's creator",
    on = "end:conn",
    evidence = { [[f.first_known(conn.create_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((f.len(conn.push_to) or 0) > 0) and (not f.starts(conn.push_to, "_INBOX")) and (conn.create_t ~= nil and (t - conn.create_t) > K.REPLY_TIME) and (f.has(conn.subjects, conn.push_to) ~= nil and not f.has(conn.subjects, conn.push_to)) and (f.matching(conn.push_to, f.coalesce(conn.wide_subject, "")) ~= nil and not f.matching(conn.push_to, f.coalesce(conn.wide_subject, ""))))]],
      "conn t",
    },
    says = {
      [[f.say("the consumer delivers to %s, to which this connection never subscribed", conn.push_to)]],
      "conn",
    },
    cause = "The deliver subject is misspelt, or the subscription is missing: nothing is delivered.",
  },
  {
    id = "NATS-B37",
    name = "nats_b37",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated requests to one subject without a reply",
    on = "end:asked",
    evidence = {
      [[f.first_known(asked.n, silent.asked_n, silent.first_n, conn.connect_n)]],
      "asked silent conn",
    },
    needs = { "whole", "both" },
    of = "silent",
    when = {
      [[(((f.coalesce(silent.times, 0) + 1) >= K.UNANSWERED_LIMIT) and (asked.state == "asked"))]],
      "silent asked",
    },
    says = {
      [[f.say("%s requests of this client to %s had no reply%s", (silent.times ~= nil and (silent.times + 1) or nil), asked.subject, (conn.wants_no_responders and "" or ", and CONNECT does not ask for no_responders"))]],
      "silent asked conn",
    },
    cause = "The service receives the requests and does not reply to their reply subject, or only stores them; the client waits until its timeout each time.",
    by = { [[(conn.wants_no_responders and 1 or 0)]], "conn" },
    causes = {
      [0] = "If nothing receives the subject, the server would say so at once (status 503) to a client that sets headers and no_responders in CONNECT: this one waits until its timeout each time. Otherwise the service does not reply.",
    },
  },
  {
    id = "NATS-B38",
    name = "nats_b38",
    severity = "WARN",
    group = "SEQUENCE",
    title = "One NATS request answered by two instances (no queue group)",
    on = "client:pub client:hpub",
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[((inbox.reply_n ~= nil) and (inbox.reply_flow ~= nil and flow ~= nil and inbox.reply_flow ~= flow) and (inbox.reply_name ~= nil and f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) ~= nil and inbox.reply_name == f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))) and (inbox.state ~= nil and inbox.state ~= "listened") and (not f.starts(f.coalesce(req.asked_subject, ""), "$SRV.")) and ((f.coalesce(conn.second_replies, 0) + 1) >= K.TWICE_LIMIT))]],
      "inbox flow conn client req",
    },
    says = {
      [[f.say("the request with reply subject %s is answered by two connections of %s", c.subject, f.coalesce(conn.client_name, client))]],
      "c conn client",
    },
    cause = "The instances subscribe without a queue group, so that each of them processes every request.",
  },
  {
    id = "NATS-B125",
    name = "nats_b125",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "NATS requests answered by two programs",
    on = "client:pub client:hpub",
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[((inbox.reply_n ~= nil) and (inbox.reply_flow ~= nil and flow ~= nil and inbox.reply_flow ~= flow) and (inbox.reply_name ~= nil and f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) ~= nil and inbox.reply_name ~= f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))) and (inbox.state ~= nil and inbox.state ~= "listened") and (not f.starts(f.coalesce(req.asked_subject, ""), "$SRV.")) and ((f.coalesce(conn.foreign_replies, 0) + 1) >= K.TWICE_LIMIT))]],
      "inbox flow conn client req",
    },
    says = {
      [[f.say("requests with a reply subject such as %s are answered by %s and by another program before it", c.subject, f.coalesce(conn.client_name, client))]],
      "c conn client",
    },
    cause = "Two programs reply to what one of them only wants to hear: the requester takes the first answer, whichever that is.",
  },
  {
    id = "NATS-B40",
    name = "nats_b40",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Unheard subscription similar to the published subjects (typo)",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, network.latest_n)]], "sub network" },
    needs = { "start", "object", "both" },
    of = "sub",
    when = {
      [[((sub.delivered == 0) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (f.coalesce(conn.unheard_subs, 0) < K.UNHEARD_LIMIT) and ((f.count(network.subjects) or 257) <= 256) and (conn.peers == nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "sub conn network",
    },
    finds = {
      [[f.predicates.is_nearly_published("sub.subject network.subjects", sub.subject, network.subjects)]],
      "sub network",
    },
    says = {
      [[f.say("nothing came for the subscription to %s; messages were published to %s", sub.subject, f.whole(found))]],
      "sub found",
    },
    cause = "The subject of the subscription or that of the messages is misspelt, or has another number of tokens: `*` matches one token, `>` for one or more at the end, and upper and lower case differ.",
  },
  {
    id = "NATS-B40b",
    name = "nats_b40b",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Unheard subscription one token longer or shorter than a published subject",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, network.latest_n)]], "sub network" },
    needs = { "start", "object", "both" },
    of = "sub",
    when = {
      [[((sub.delivered == 0) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (f.coalesce(conn.unheard_subs, 0) < K.UNHEARD_LIMIT) and ((f.count(network.subjects) or 257) <= 256) and (conn.peers == nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")))]],
      "sub conn network",
    },
    finds = {
      [[f.predicates.is_related_to_published("sub.subject network.subjects", sub.subject, network.subjects)]],
      "sub network",
    },
    says = {
      [[f.say("nothing came for the subscription to %s; messages were published to %s", sub.subject, f.whole(found))]],
      "sub found",
    },
    cause = "The subject of the subscription or that of the messages lacks a token.",
  },
  {
    id = "NATS-B42",
    name = "nats_b42",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client that stays until a server in lame duck mode closes its connection",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(conn.ldm_n, C.command_n)]], "conn C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.left == nil) and (C.command_t ~= nil and conn.ldm_t ~= nil and C.command_t > conn.ldm_t) and (conn.peers == nil))]],
      "conn C",
    },
    says = {
      [[f.say("INFO said that the server leaves (lame duck mode); the client went on for %s, until its connection was closed", f.time((conn.ldm_t ~= nil and (t - conn.ldm_t) or nil)))]],
      "conn t",
    },
    cause = "The client ignores ldm in INFO: it should drain the connection and reconnect to another server while it can.",
  },
  {
    id = "NATS-B48",
    name = "nats_b48",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Push consumer neither resubscribed nor created again after a reconnect",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n, C.last_n, before.push_n)]], "conn C before" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((before.push ~= nil) and (conn.connect_n ~= nil and before.push_n ~= nil and conn.connect_n > before.push_n) and (conn.t ~= nil and before.push_t ~= nil and (conn.t - before.push_t) < K.LOST_LATELY) and (conn.t ~= nil and (t - conn.t) > K.RESTORED) and (conn.cluster == nil) and (conn.create_n == nil) and ((why == "end") or (conn.left == 1)))]],
      "before conn t why",
    },
    says = {
      [[f.say("%s had a consumer of stream %s that delivered to %s; since its reconnect %s ago it neither subscribed to that subject nor created a consumer", f.coalesce(conn.client_name, client), before.push_stream, before.push, f.time((conn.t ~= nil and (t - conn.t) or nil)))]],
      "conn client before t",
    },
    cause = "The client does not restore the consumer, that of a watcher for example: nothing is delivered any more.",
  },
  {
    id = "NATS-B48b",
    name = "nats_b48b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Pull requests not sent again after a reconnect",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n, C.last_n, before.pull_n)]], "conn C before" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((before.pulls ~= nil) and (conn.connect_n ~= nil and before.pull_n ~= nil and conn.connect_n > before.pull_n) and (conn.t ~= nil and before.pull_t ~= nil and (conn.t - before.pull_t) < K.LOST_LATELY) and (conn.t ~= nil and (t - conn.t) > K.RESTORED) and (conn.cluster == nil) and (conn.pulls == nil) and (conn.subs_n ~= nil) and ((why == "end") or (conn.left == 1)))]],
      "before conn t why",
    },
    says = {
      [[f.say("%s pulled messages (%s) until its connection was lost; since its reconnect %s ago it has subscribed, but sent no pull request", f.coalesce(conn.client_name, client), before.pulls, f.time((conn.t ~= nil and (t - conn.t) or nil)))]],
      "conn client before t",
    },
    cause = "The client restores its subscriptions and not its open pull request: nothing is delivered any more.",
  },
  {
    id = "NATS-B128",
    name = "nats_b128",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Program that does not come back after the server ended its connection",
    on = "end:resident",
    evidence = { [[f.first_known(resident.last_sent_n, resident.lost_n)]], "resident" },
    needs = {},
    of = "resident",
    when = {
      [[((resident.lost_t ~= nil and (t - resident.lost_t) > K.AWAY) and ((home.back_t ~= nil and (t - home.back_t) > K.AWAY) or (resident.refused_n ~= nil)))]],
      "resident t home",
    },
    says = {
      [[f.say("the server ended the connection of %s %s before the end of the captures; it has made no other one%s", resident.client_name, f.time((resident.lost_t ~= nil and (t - resident.lost_t) or nil)), ((home.back_t == nil) and "" or ", although others of this host are back"))]],
      "resident t home",
    },
    cause = "The client does not reconnect: it takes the error for a final one, has used up its attempts, or does not notice that the connection has ended.",
  },
  {
    id = "NATS-B39",
    name = "nats_b39",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Verbose mode with many messages",
    on = "end:conn",
    evidence = { [[f.first_known(conn.connect_n)]], "conn" },
    needs = { "start", "whole" },
    of = "conn",
    when = { [[(conn.verbose and (conn.published ~= nil and conn.published >= K.VERBOSE_LIMIT))]], "conn" },
    says = {
      [[f.say("CONNECT asks for +OK (verbose), which the server sent for each of %s messages", conn.published)]],
      "conn",
    },
    cause = "verbose is true unless CONNECT says otherwise; it is meant for tests.",
  },
  {
    id = "NATS-N32",
    name = "nats_n32",
    severity = "ERROR",
    group = "SECURITY",
    title = "Nkey or JWT in CONNECT without a signed nonce",
    on = "client:connect",
    needs = {},
    of = "conn",
    again = true,
    guard = 177,
    when = { [[(conn.nonce ~= nil)]], "conn" },
    says = {
      [[f.say("CONNECT has %s but no signature of the nonce in INFO", ((c.nkey ~= nil) and "an nkey" or "a JWT"))]],
      "c",
    },
    cause = "The client has no seed to sign with, or does not sign: the server refuses it.",
  },
  {
    id = "NATS-B43",
    name = "nats_b43",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Similar but different queue groups of one program on a subject",
    on = "client:sub",
    needs = {},
    of = "queue",
    guard = 86,
    when = {
      [[((queue.live ~= nil and queue.live > 0) and (queue.flow ~= nil and flow ~= nil and queue.flow ~= flow) and ((f.len(queue.latest) or 0) > 0) and (f.has(queue.names, c.queue_group) ~= nil and not f.has(queue.names, c.queue_group)))]],
      "c queue flow",
    },
    finds = {
      [[f.predicates.are_alike("queue_group queue.latest", c.queue_group, queue.latest)]],
      "c queue",
    },
    says = {
      [[f.say("%s subscribes to %s in queue group %s, and on another connection in %s: each group receives every message", conn.client_name, c.subject, c.queue_group, queue.latest)]],
      "c conn queue",
    },
    cause = "The name of the group is misspelt, or contains something of the instance, such as its number.",
  },
  {
    id = "NATS-B43b",
    name = "nats_b43b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Several queue groups of one program on a subject",
    on = "client:sub",
    needs = {},
    of = "queue",
    guard = 86,
    when = {
      [[((queue.live ~= nil and queue.live > 0) and (queue.flow ~= nil and flow ~= nil and queue.flow ~= flow) and ((f.len(queue.latest) or 0) > 0) and (f.has(queue.names, c.queue_group) ~= nil and not f.has(queue.names, c.queue_group)))]],
      "c queue flow",
    },
    says = {
      [[f.say("%s subscribes to %s in queue group %s, and on another connection in %s: each group receives every message", conn.client_name, c.subject, c.queue_group, queue.latest)]],
      "c conn queue",
    },
    cause = "Instances of one program need the same group to share the messages.",
  },
  {
    id = "NATS-B44",
    name = "nats_b44",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscriptions of one program with and without a queue group",
    on = "client:sub",
    needs = {},
    of = "queue",
    when = {
      [[((queue.live ~= nil and queue.live > 0) and (queue.flow ~= nil and flow ~= nil and queue.flow ~= flow) and (((c.queue_group == nil) and ((f.len(queue.latest) or 0) > 0)) or ((c.queue_group ~= nil) and (queue.latest == "") and (f.has(queue.names, c.queue_group) ~= nil and not f.has(queue.names, c.queue_group)))))]],
      "c queue flow",
    },
    says = {
      [[f.say("%s subscribes to %s %s queue group, and on another connection %s: each message is processed twice", conn.client_name, c.subject, ((c.queue_group == nil) and "without a" or "in a"), ((c.queue_group == nil) and "in one" or "without"))]],
      "c conn",
    },
    cause = "One instance of the program lacks the queue group.",
  },
  {
    id = "NATS-B55",
    name = "nats_b55",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Instances of one program subscribed to a subject without a queue group",
    on = "end:replica",
    evidence = { [[f.first_known(replica.second_n, replica.first_n)]], "replica" },
    needs = {},
    of = "replica",
    when = {
      [[(((replica.second_n ~= nil) and ((f.count(replica.served) or 1) >= 2)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "replica captures",
    },
    says = {
      [[f.say("%s connections of %s subscribe to %s without a queue group, and each received up to %s: every message is processed by all of them", f.count(replica.served), replica.client_name, replica.subject, f.counted(replica.most, "message", "messages"))]],
      "replica",
    },
    cause = "The instances share no queue group.",
  },
  {
    id = "NATS-B56",
    name = "nats_b56",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Object metadata that does not fit its chunks",
    on = "client:pub client:hpub",
    since = { [[f.since(conn, n, object.chunk_n, object.first_n)]], "conn n object" },
    needs = { "since" },
    of = "object",
    guard = 89,
    when = {
      [[((object.sure == 1) and (((f.number(f.between(c["payload raw"], "\"chunks\":", ",")) or (f.number(f.between(c["payload raw"], "\"chunks\": ", ",")) or (f.number(f.between(c["payload raw"], "\"chunks\":", "}")) or f.number(f.between(c["payload raw"], "\"chunks\": ", "}"))))) ~= nil and object.chunks ~= nil and (f.number(f.between(c["payload raw"], "\"chunks\":", ",")) or (f.number(f.between(c["payload raw"], "\"chunks\": ", ",")) or (f.number(f.between(c["payload raw"], "\"chunks\":", "}")) or f.number(f.between(c["payload raw"], "\"chunks\": ", "}"))))) ~= object.chunks) or ((f.number(f.between(c["payload raw"], "\"size\":", ",")) or (f.number(f.between(c["payload raw"], "\"size\": ", ",")) or (f.number(f.between(c["payload raw"], "\"size\":", "}")) or f.number(f.between(c["payload raw"], "\"size\": ", "}"))))) ~= nil and object.bytes ~= nil and (f.number(f.between(c["payload raw"], "\"size\":", ",")) or (f.number(f.between(c["payload raw"], "\"size\": ", ",")) or (f.number(f.between(c["payload raw"], "\"size\":", "}")) or f.number(f.between(c["payload raw"], "\"size\": ", "}"))))) ~= object.bytes)))]],
      "c object",
    },
    says = {
      [[f.say("the metadata in %s announces other numbers of chunks and bytes than the %s with %s that were published", c.subject, f.counted(object.chunks, "chunk", "chunks"), f.counted(object.bytes, "byte", "bytes"))]],
      "c object",
    },
    cause = "Chunks are missing, were sent twice, or another upload uses the same nuid: readers find that the digest is wrong.",
  },
  {
    id = "NATS-B57",
    name = "nats_b57",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Chunks of a replaced object not purged",
    on = "end:former",
    evidence = { [[f.first_known(former.replaced_n, former.meta_n)]], "former" },
    needs = {},
    of = "former",
    again = true,
    when = {
      [[((former.replaced_n ~= nil) and (former.purged_n == nil) and (former.replaced_t ~= nil and (t - former.replaced_t) > K.REPLY_TIME))]],
      "former t",
    },
    says = {
      [[f.say("the object was put again with other chunks, and those that it had before (frame %s) were not purged", former.meta_n)]],
      "former",
    },
    cause = "The client leaves the old chunks in the stream of the store, which grows with each upload.",
  },
  {
    id = "NATS-B57b",
    name = "nats_b57b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "No chunks of replaced objects purged on a connection",
    on = "end:conn",
    evidence = { [[f.first_known(conn.replaced_n, conn.replaced_meta_n)]], "conn" },
    needs = { "whole" },
    of = "conn",
    when = {
      [[((conn.replaced ~= nil and conn.replaced >= K.TWICE_LIMIT) and (conn.purged_n == nil) and LISTS[13][why])]],
      "conn why",
    },
    says = {
      [[f.say("objects were put again with other chunks %s, and the client purged none of the chunks before it closed the connection", f.counted(conn.replaced, "time", "times"))]],
      "conn",
    },
    cause = "The client leaves the old chunks in the stream of the store, which grows with each upload.",
  },
  {
    id = "NATS-B45",
    name = "nats_b45",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Object chunks without the metadata that completes the object",
    on = "end:conn",
    evidence = { [[f.first_known(conn.chunk_n)]], "conn" },
    needs = { "whole" },
    of = "conn",
    when = { [[((conn.chunk_n ~= nil) and LISTS[13][why])]], "conn why" },
    says = {
      [[f.say("chunks of an object were published to %s, but its metadata was not: no reader finds the object", conn.chunk_subject)]],
      "conn",
    },
    cause = "The upload was given up, or failed, and its chunks were not purged.",
  },
  {
    id = "NATS-B18",
    name = "nats_b18",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Durable consumer with alternating configurations",
    on = "client:pub client:hpub",
    needs = {},
    of = "configured",
    guard = 80,
    when = {
      [[(((configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and configured.user ~= f.digest(c["payload raw"])) and f.has(configured.users, f.digest(c["payload raw"]))) and ((f.coalesce(configured.returns, 0) + 1) >= 1))]],
      "c configured",
    },
    says = {
      [[f.say("the durable consumer %s of stream %s is set back to a configuration that another request had replaced", f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 6 or 5)), f.token(c.subject, ((f.token(c.subject, 3) == "DURABLE") and 5 or 4)))]],
      "c",
    },
    cause = "Two programs use one durable name with different settings: each undoes the settings of the other, such as its filter.",
  },
  {
    id = "NATS-B19",
    name = "nats_b19",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Push consumer with two subscribers and no queue group",
    on = "server:msg server:hmsg",
    needs = {},
    of = "consumer",
    guard = 21,
    when = {
      [[((consumer.sequence ~= nil and f.number(f.token(c.reply_to, 6)) ~= nil and consumer.sequence == f.number(f.token(c.reply_to, 6))) and (consumer.flow ~= nil and flow ~= nil and consumer.flow ~= flow))]],
      "c consumer flow",
    },
    says = {
      [[f.say("delivery %s of consumer %s on stream %s reaches two connections, and both process it", f.token(c.reply_to, 6), f.token(c.reply_to, 3), f.token(c.reply_to, 2))]],
      "c",
    },
    cause = "Two programs subscribe to the deliver subject of one push consumer without a queue group.",
  },
  {
    id = "NATS-B20",
    name = "nats_b20",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reply after the requester gave up",
    on = "client:pub client:hpub",
    needs = {},
    of = "inbox",
    again = true,
    when = { [[(inbox.gone_n ~= nil)]], "inbox" },
    says = {
      [[f.say("a reply was published to %s %s after the requester had ended its subscription without a reply", c.subject, f.time((inbox.gone_t ~= nil and (t - inbox.gone_t) or nil)))]],
      "c inbox t",
    },
    cause = "The requester's timeout is shorter than the time that the service needs.",
  },
  {
    id = "NATS-B21",
    name = "nats_b21",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reply subject subscribed only after the request",
    on = "client:sub",
    needs = { "start", "whole" },
    of = "asked",
    guard = 83,
    when = { [[(asked.state == "asked")]], "asked" },
    says = {
      [[f.say("the client subscribed to %s after its request in frame %s: a reply sent in between is lost", c.subject, asked.n)]],
      "c asked",
    },
    cause = "The client must send SUB for the reply subject before the request.",
  },
  {
    id = "NATS-B58",
    name = "nats_b58",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Messages of one subject in different formats",
    on = "client:pub client:hpub",
    needs = {},
    of = "content",
    when = {
      [[((((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (content.user ~= nil and flow ~= nil and content.user ~= flow) and (content.first ~= nil and content.first ~= f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"))) and ((f.coalesce(content.others, 0) + 1) >= K.OTHERS_LIMIT) and (content.mixed == nil))]],
      "c conn content flow",
    },
    says = {
      [[f.say("messages to %s are in %s from one client and in %s from another one", c.subject, content.first, f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"))]],
      "c content",
    },
    cause = "The publishers encode their messages differently: subscribers of one format cannot read the other.",
  },
  {
    id = "NATS-B58b",
    name = "nats_b58b",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Messages of one client to one subject in different formats",
    on = "client:pub client:hpub",
    needs = {},
    of = "mixed",
    when = {
      [[((((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (not f.starts(c.subject, "_")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (mixed.user ~= nil and flow ~= nil and mixed.user == flow) and (mixed.first ~= nil and mixed.first ~= f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"))) and ((f.coalesce(mixed.mixed, 0) + 1) >= K.OTHERS_LIMIT))]],
      "c conn mixed flow",
    },
    says = {
      [[f.say("messages to %s are first in %s, then in %s, from one client", c.subject, mixed.first, f.coalesce(f.begins(c["payload raw"], K.FORMATS), "another format"))]],
      "c mixed",
    },
    cause = "Two parts of the program encode messages differently, or a value was not encoded.",
  },
  {
    id = "NATS-N34",
    name = "nats_n34",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Wildcard character inside a token of a subscription",
    on = "client:sub",
    needs = {},
    of = "conn",
    again = true,
    guard = 33,
    finds = { [[f.predicates.has_wildcard_in_token("subject", c.subject)]], "c" },
    says = {
      [[f.say("the client subscribed to %s, which has %s: it is no wildcard there", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "`*` and `>` match whole tokens, `>` only at the end: elsewhere they are ordinary characters that no subject has, or the server refuses the subscription.",
  },
  {
    id = "NATS-N34b",
    name = "nats_n34b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Wildcard character inside a token of a filter or a subject of a stream",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 178,
    finds = { [[f.predicates.has_wildcard_in_pattern("payload", c["payload raw"])]], "c" },
    says = { [[f.say("the request to %s has the pattern %s", c.subject, f.whole(found))]], "c found" },
    cause = "`*` and `>` match whole tokens, `>` only at the end: elsewhere, and inside quotation marks, they are ordinary characters, and the pattern matches no message.",
  },
  {
    id = "NATS-N11b",
    name = "nats_n11b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reply subject with a wildcard or an empty token",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 179,
    says = {
      [[f.say("the request to %s asks for its reply on %s, which has a wildcard or an empty token", c.subject, c.reply_to)]],
      "c",
    },
    cause = "The client names the pattern that it has subscribed to instead of a subject: no reply can be published to it.",
  },
  {
    id = "NATS-N35",
    name = "nats_n35",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reply subjects of one word without a subscriber (space in a subject)",
    on = "client:pub client:hpub",
    needs = { "start" },
    of = "conn",
    guard = 96,
    when = {
      [[((f.has(conn.subjects, c.reply_to) ~= nil and not f.has(conn.subjects, c.reply_to)) and (f.matching(c.reply_to, f.coalesce(conn.wide_subject, "")) ~= nil and not f.matching(c.reply_to, f.coalesce(conn.wide_subject, ""))) and ((f.count(conn.words) or 0) >= 1) and (f.has(conn.words, c.reply_to) ~= nil and not f.has(conn.words, c.reply_to)))]],
      "c conn",
    },
    says = {
      [[f.say("the message to %s asks for its reply on %s, which this connection does not subscribe to, and an earlier one on %s", c.subject, c.reply_to, f.first(conn.words))]],
      "c conn",
    },
    cause = "The subject contains a space, such as that of a name: what follows the space is read as the reply subject, and the message arrives on the first part.",
  },
  {
    id = "NATS-B66",
    name = "nats_b66",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reply subjects that are each used by two open requests",
    on = "client:pub client:hpub",
    since = { [[f.since(conn, n, asked.n)]], "conn n asked" },
    needs = { "since", "both" },
    of = "conn",
    guard = 1,
    when = {
      [[((asked.state == "asked") and (asked.subject ~= nil and c.subject ~= nil and asked.subject ~= c.subject) and (asked.latest_t ~= nil and (t - asked.latest_t) <= K.REPLY_TIME) and ((f.count(conn.shared_replies) or 0) >= 1) and (f.has(conn.shared_replies, c.reply_to) ~= nil and not f.has(conn.shared_replies, c.reply_to)))]],
      "c asked t conn",
    },
    says = {
      [[f.say("the request to %s has the reply subject %s of the open request to %s: whichever answer comes first may be read as the answer of either", c.subject, c.reply_to, asked.subject)]],
      "c asked",
    },
    cause = "Tasks share an inbox, or its random part is too short or not made anew.",
  },
  {
    id = "NATS-B66b",
    name = "nats_b66b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Reply subject used by several open requests",
    on = "client:pub client:hpub",
    since = { [[f.since(conn, n, asked.n)]], "conn n asked" },
    needs = { "since", "both" },
    of = "conn",
    guard = 1,
    when = {
      [[((asked.state == "asked") and (asked.subject ~= nil and c.subject ~= nil and asked.subject ~= c.subject) and (asked.latest_t ~= nil and (t - asked.latest_t) <= K.REPLY_TIME))]],
      "c asked t",
    },
    says = {
      [[f.say("the request to %s has the reply subject %s of the open request to %s: whichever answer comes first may be read as the answer of either", c.subject, c.reply_to, asked.subject)]],
      "c asked",
    },
    cause = "Tasks share an inbox, or its random part is too short or not made anew.",
  },
  {
    id = "NATS-B67",
    name = "nats_b67",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Publish stored more than once (second JetStream ack)",
    on = "msg hmsg",
    needs = { "object", "both" },
    of = "conn",
    guard = 180,
    when = { [[((asked.state == "answered") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the publish to %s in frame %s has a second ack in frame %s, after that in frame %s: the message is stored twice", asked.subject, asked.n, n, asked.answer_n)]],
      "asked n",
    },
    cause = "Streams have overlapping subjects, or a mapping or a service publishes the message again with its reply subject.",
  },
  {
    id = "NATS-N36",
    name = "nats_n36",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unknown operation of a key-value store",
    on = "client:hpub",
    needs = {},
    of = "conn",
    guard = 181,
    says = {
      [[f.say("KV-Operation is '%s' for %s; it is DEL or PURGE", f.item(c["headers[]"], "KV-Operation"), c.subject)]],
      "c",
    },
    cause = "Other clients read the message as a value.",
  },
  {
    id = "NATS-B68",
    name = "nats_b68",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Empty value written to a key",
    on = "client:pub",
    needs = {},
    of = "conn",
    again = true,
    guard = 182,
    says = {
      [[f.say("an empty value is written to %s: without the header KV-Operation this deletes nothing", c.subject)]],
      "c",
    },
    cause = "The client deletes keys by publishing nothing: readers get an empty value.",
  },
  {
    id = "NATS-B64",
    name = "nats_b64",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages published before the first subscription to their subject",
    on = "client:sub",
    needs = {},
    of = "topic",
    when = {
      [[(((topic.sent ~= nil and topic.sent >= K.MISSED_LIMIT) and (topic.heard_n == nil) and (listeners.wide_n == nil) and (conn.cluster == nil)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "topic listeners conn captures",
    },
    says = {
      [[f.say("%s or more were published to %s before the first subscription to it in these captures: subscribers do not receive them", f.counted(topic.sent, "message", "messages"), c.subject)]],
      "c topic",
    },
    cause = "The publisher starts before the subscriber: NATS without JetStream keeps no messages.",
  },
  {
    id = "NATS-B153",
    name = "nats_b153",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscriptions that come just after the only message on their subject",
    on = "client:sub",
    since = {
      [[f.since(conn, f.coalesce(too_early.second_n, topic.latest_n), topic.latest_n, n, too_early.first_n)]],
      "conn too_early topic n",
    },
    needs = { "since" },
    of = "too_early",
    when = {
      [[(((too_early.times ~= nil and (too_early.times + 1) >= K.EARLY_LIMIT) and ((topic.sent == 1) and (topic.heard_n == nil) and f.literal(c.subject) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.server ~= nil and server ~= nil and topic.server == server) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.EARLY_TIME) and (conn.cluster == nil) and (conn.peers == nil)) and (too_early.latest_t ~= nil and (t - too_early.latest_t) <= 60000000000.0)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c too_early topic flow server t conn captures",
    },
    finds = {
      [[f.predicates.is_heard_by_none("subject listeners.wide", c.subject, listeners.wide)]],
      "c listeners",
    },
    says = {
      [[f.say("%s times in a row, the last time for %s, the only message on a subject was published at most %s before the subscription to it: no subscriber received it", K.EARLY_LIMIT, f.whole(found), f.time(K.EARLY_TIME))]],
      "found",
    },
    cause = "A program subscribes on one connection and has the message published on another one, before the server has read the subscription. Flush after SUB (PING, and wait for PONG) before the publisher is started.",
  },
  {
    id = "NATS-B64b",
    name = "nats_b64b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages published before the first subscription, which has a wildcard",
    on = "client:sub",
    needs = {},
    of = "network",
    guard = 82,
    when = {
      [[((network.sent ~= nil and network.sent >= K.MISSED_LIMIT) and (network.heard_n == nil) and (conn.cluster == nil))]],
      "network conn",
    },
    finds = {
      [[f.predicates.matches_published("subject network.subjects", c.subject, network.subjects)]],
      "c network",
    },
    says = {
      [[f.say("%s were published, some to %s, before the first subscription in these captures; %s matches it: the subscriber does not receive them", f.counted(network.sent, "message", "messages"), f.whole(found), c.subject)]],
      "c network found",
    },
    cause = "The publisher starts before the subscriber: NATS without JetStream keeps no messages.",
  },
  {
    id = "NATS-B127",
    name = "nats_b127",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages published before the stream for their subject was created",
    on = "msg hmsg",
    needs = {},
    of = "network",
    guard = 183,
    when = {
      [[((asked.state == "asked") and (asked.meaning == "stream create") and (network.sent ~= nil and network.sent >= K.MISSED_LIMIT))]],
      "asked network",
    },
    finds = {
      [[f.predicates.stores_published("payload network.subjects", c["payload raw"], network.subjects)]],
      "c network",
    },
    says = {
      [[f.say("messages were published to %s before the stream that stores this subject was created: it does not have them", f.whole(found))]],
      "found",
    },
    cause = "The publisher starts before the program that creates the stream, and does not ask for acks, so that it does not learn that nothing stores its messages.",
  },
  {
    id = "NATS-B64c",
    name = "nats_b64c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages published while no subscription to their subject was left",
    on = "client:sub",
    needs = {},
    of = "topic",
    when = {
      [[((topic.away ~= nil and topic.away >= K.MISSED_LIMIT) and (listeners.wide_n == nil) and (conn.cluster == nil))]],
      "topic listeners conn",
    },
    says = {
      [[f.say("%s were published to %s after its subscriptions in these captures had ended, and before this one: they are lost", f.counted(topic.away, "message", "messages"), c.subject)]],
      "c topic",
    },
    cause = "The subscriber was away, while it reconnected or was restarted: NATS without JetStream keeps no messages.",
  },
  {
    id = "NATS-B65",
    name = "nats_b65",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same message published again under another Nats-Msg-Id",
    on = "client:hpub",
    needs = {},
    of = "conn",
    when = {
      [[((copy.message_id ~= nil and f.item(c["headers[]"], "Nats-Msg-Id") ~= nil and copy.message_id ~= f.item(c["headers[]"], "Nats-Msg-Id")) and (copy.sent_t ~= nil and (t - copy.sent_t) <= K.DUPLICATE_WINDOW))]],
      "c copy t",
    },
    says = {
      [[f.say("a message to %s has the payload of the one in frame %s, but another Nats-Msg-Id: the stream stores both", c.subject, copy.sent_n)]],
      "c copy",
    },
    cause = "A retry makes a new id, so that the stream cannot recognise the message.",
  },
  {
    id = "NATS-B27",
    name = "nats_b27",
    severity = "WARN",
    group = "SEQUENCE",
    title = "JetStream request with a reply subject that is not subscribed",
    on = "client:pub client:hpub",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 184,
    when = {
      [[((conn.unheard_n ~= nil) and ((f.matching(conn.unheard_reply, conn.closed_inbox) ~= nil and not f.matching(conn.unheard_reply, conn.closed_inbox)) or (conn.closed_inbox_t ~= nil and f.coalesce(conn.acked_t, 0) < conn.closed_inbox_t)))]],
      "conn",
    },
    says = {
      [[f.say("the request in frame %s asks for its reply on %s, but no subscription of this connection matches it", conn.unheard_n, conn.unheard_reply)]],
      "conn",
    },
    cause = "The reply subject does not have the prefix of the client's inboxes, or its subscription has ended: pulled messages are delivered and lost.",
  },
  {
    id = "NATS-B27b",
    name = "nats_b27b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Pull request after the end of its subscription",
    on = "client:pub client:hpub",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 184,
    when = {
      [[((conn.unheard_n ~= nil) and f.matching(conn.unheard_reply, conn.closed_inbox) and (conn.closed_inbox_t ~= nil and f.coalesce(conn.acked_t, 0) >= conn.closed_inbox_t))]],
      "conn",
    },
    says = {
      [[f.say("the request in frame %s asks for its reply on %s, to which the client has ended its subscription", conn.unheard_n, conn.unheard_reply)]],
      "conn",
    },
    cause = "The client handles what it had received before it stopped, and asks for as many messages again.",
  },
  {
    id = "NATS-B46",
    name = "nats_b46",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same stored message or key read repeatedly",
    on = "client:pub client:hpub",
    needs = {},
    of = "key_polled",
    guard = 185,
    when = {
      [[((key_polled.times ~= nil and (key_polled.times + 1) >= K.KEY_LIMIT) and (key_polled.latest_t ~= nil and (t - key_polled.latest_t) <= K.REFUSED_PAUSE))]],
      "key_polled t",
    },
    says = {
      [[f.say("the same message was requested %s times in a row (%s)", K.KEY_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client polls a key: a watcher receives each change, and no more.",
  },
  {
    id = "NATS-B47",
    name = "nats_b47",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Unchanged value written to a key repeatedly",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 186,
    when = {
      [[((conn.written_again_times ~= nil and (conn.written_again_times + 1) >= K.SAME_VALUE) and ((conn.written_again_latest_t ~= nil and (t - conn.written_again_latest_t) <= 10000000000.0) and (conn.written_again_same ~= nil and f.key(c.subject, f.digest(c["payload raw"])) ~= nil and conn.written_again_same == f.key(c.subject, f.digest(c["payload raw"])))))]],
      "c conn t",
    },
    says = {
      [[f.say("the same value was written to %s %s times in a row", c.subject, K.SAME_VALUE)]],
      "c",
    },
    cause = "Each write is a new revision, which is stored, replicated and sent to all watchers.",
  },
  {
    id = "NATS-B49",
    name = "nats_b49",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Pull batch above the consumer's max_ack_pending",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 61,
    when = {
      [[(((f.number(f.between(c["payload raw"], "\"batch\":", ",")) or (f.number(f.between(c["payload raw"], "\"batch\": ", ",")) or (f.number(f.between(c["payload raw"], "\"batch\":", "}")) or f.number(f.between(c["payload raw"], "\"batch\": ", "}"))))) ~= nil and conn.max_pending ~= nil and (f.number(f.between(c["payload raw"], "\"batch\":", ",")) or (f.number(f.between(c["payload raw"], "\"batch\": ", ",")) or (f.number(f.between(c["payload raw"], "\"batch\":", "}")) or f.number(f.between(c["payload raw"], "\"batch\": ", "}"))))) > conn.max_pending) and (conn.max_pending ~= nil and conn.max_pending > 0) and (f.count(conn.consumers) == 1) and (conn.policy ~= nil and conn.policy ~= "none"))]],
      "c conn",
    },
    says = {
      [[f.say("a batch above %s messages is requested, but the consumer delivers at most %s without acks", conn.max_pending, conn.max_pending)]],
      "conn",
    },
    cause = "The batch is larger than max_ack_pending: it is filled only as messages are acknowledged.",
  },
  {
    id = "NATS-B22",
    name = "nats_b22",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "JetStream pull requests for one message each",
    on = "client:pub client:hpub",
    since = {
      [[f.since(conn, f.coalesce(conn.pulled_singly_second_n, n), n, conn.pulled_singly_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    guard = 187,
    when = {
      [[((conn.pulled_singly_times ~= nil and (conn.pulled_singly_times + 1) >= K.STEP_LIMIT) and ((conn.pulled_singly_open == 0) and (conn.pulled_singly_answered_t ~= nil and f.max((conn.pulled_singly_took ~= nil and (conn.pulled_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.pulled_singly_answered_t) <= f.max((conn.pulled_singly_took ~= nil and (conn.pulled_singly_took * 3) or nil), 5000000))))]],
      "conn t",
    },
    says = {
      [[f.say("%s pull requests in a row asked for one message each, right after the previous message", K.STEP_LIMIT)]],
    },
    cause = "Each message costs a round trip; a larger batch lets the server send ahead.",
  },
  {
    id = "NATS-B23",
    name = "nats_b23",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "PING after each PONG (flush after each message)",
    on = "client:ping",
    since = { [[f.since(conn, f.coalesce(conn.flushed_second_n, n), n, conn.flushed_first_n)]], "conn n" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((conn.flushed_times ~= nil and (conn.flushed_times + 1) >= K.STEP_LIMIT) and ((conn.flushed_open == 0) and (conn.flushed_answered_t ~= nil and f.max((conn.flushed_took ~= nil and (conn.flushed_took * 3) or nil), 5000000) ~= nil and (t - conn.flushed_answered_t) <= f.max((conn.flushed_took ~= nil and (conn.flushed_took * 3) or nil), 5000000))))]],
      "conn t",
    },
    says = { [[f.say("%s PINGs in a row were sent right after the previous PONG", K.STEP_LIMIT)]] },
    cause = "The client flushes after each message: each flush costs a round trip.",
  },
  {
    id = "NATS-B24",
    name = "nats_b24",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stored JetStream messages fetched one by one (MSG.GET)",
    on = "client:pub client:hpub",
    since = {
      [[f.since(conn, f.coalesce(conn.read_singly_second_n, n), n, conn.read_singly_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    guard = 185,
    when = {
      [[((conn.read_singly_times ~= nil and (conn.read_singly_times + 1) >= K.STEP_LIMIT) and ((conn.read_singly_open == 0) and (conn.read_singly_answered_t ~= nil and f.max((conn.read_singly_took ~= nil and (conn.read_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.read_singly_answered_t) <= f.max((conn.read_singly_took ~= nil and (conn.read_singly_took * 3) or nil), 5000000))))]],
      "conn t",
    },
    says = { [[f.say("%s messages in a row were each fetched by a request of their own", K.STEP_LIMIT)]] },
    cause = "Each request costs a round trip; a consumer, or a batched direct get, reads many messages.",
  },
  {
    id = "NATS-B25",
    name = "nats_b25",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "JetStream publish of one message at a time, waiting for each ack",
    on = "client:pub client:hpub",
    since = {
      [[f.since(conn, f.coalesce(conn.stored_singly_second_n, n), n, conn.stored_singly_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    guard = 188,
    when = {
      [[((conn.stored_singly_times ~= nil and (conn.stored_singly_times + 1) >= K.STORE_LIMIT) and ((conn.stored_singly_open == 0) and (conn.stored_singly_answered_t ~= nil and f.max((conn.stored_singly_took ~= nil and (conn.stored_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.stored_singly_answered_t) <= f.max((conn.stored_singly_took ~= nil and (conn.stored_singly_took * 3) or nil), 5000000))))]],
      "conn t",
    },
    says = {
      [[f.say("%s messages in a row were published to JetStream, each after the ack of the previous one", K.STORE_LIMIT)]],
    },
    cause = "Each message costs a round trip; asynchronous publishes allow many outstanding acks.",
  },
  {
    id = "NATS-B26",
    name = "nats_b26",
    severity = "WARN",
    group = "SEQUENCE",
    title = "JetStream messages acknowledged twice",
    on = "end:conn",
    evidence = { [[f.first_known(conn.acked_twice_latest_n, conn.acked_twice_second_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.acked_twice_count ~= nil and conn.acked_twice_count >= 3) and (conn.acked_twice_count ~= nil and conn.acked_twice_among ~= nil and (conn.acked_twice_count * 100) >= (conn.acked_twice_among * 10)))]],
      "conn",
    },
    says = {
      [[f.say("%s of %s acks are for messages that were already acknowledged", conn.acked_twice_count, conn.acked_twice_among)]],
      "conn",
    },
    cause = "Both the client library and the program acknowledge the message.",
  },
  {
    id = "NATS-B71",
    name = "nats_b71",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message stored again after the duplicate window",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    guard = 189,
    when = {
      [[((asked.again_n ~= nil) and (asked.state == "asked") and (asked.meaning == nil) and (msg_id.stored ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and msg_id.stored < (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}")))))))]],
      "c asked msg_id",
    },
    says = {
      [[f.say("the message to %s with Nats-Msg-Id %s was published again after %s and is stored a second time; the first time it got sequence %s", asked.subject, asked.msg_id, f.time((asked.t ~= nil and asked.again_t ~= nil and (asked.t - asked.again_t) or nil)), msg_id.stored)]],
      "asked msg_id",
    },
    cause = "The publisher tries again after the stream's duplicate_window: by then the stream has forgotten the id.",
  },
  {
    id = "NATS-B72",
    name = "nats_b72",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream publish with an id and without a reply subject",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 190,
    says = {
      [[f.say("the message to %s has a Nats-Msg-Id and no reply subject: the client cannot learn whether it is stored", c.subject)]],
      "c",
    },
    cause = "The client publishes without asking for the ack: a message that the stream refuses, or that no stream receives, is lost without a sign.",
  },
  {
    id = "NATS-B75",
    name = "nats_b75",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Sequence of a subject's last message expected as that of the stream",
    on = "client:hpub",
    needs = {},
    of = "conn",
    when = {
      [[((conn.read ~= nil and c.subject ~= nil and conn.read == c.subject) and (conn.read_of ~= nil and conn.wrong_of ~= nil and conn.read_of == conn.wrong_of) and (conn.read_at ~= nil and conn.wrong_last ~= nil and conn.read_at < conn.wrong_last) and (conn.wrong_n ~= nil and conn.read_n ~= nil and conn.wrong_n < conn.read_n) and (f.number(f.item(c["headers[]"], "Nats-Expected-Last-Sequence")) ~= nil and conn.read_at ~= nil and f.number(f.item(c["headers[]"], "Nats-Expected-Last-Sequence")) == conn.read_at))]],
      "c conn",
    },
    says = {
      [[f.say("the message to %s expects %s as the last sequence of the stream, which is that of the last message to this subject (frame %s); the stream was at %s already", c.subject, conn.read_at, conn.read_n, conn.wrong_last)]],
      "c conn",
    },
    cause = "Nats-Expected-Last-Sequence is about the whole stream: as soon as another subject was written it is refused, and reading the subject again does not help. For one subject there is Nats-Expected-Last-Subject-Sequence.",
  },
  {
    id = "NATS-B76",
    name = "nats_b76",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request answered by a stream as well as by a service",
    on = "msg hmsg",
    needs = { "object", "both" },
    of = "asked",
    again = true,
    guard = 114,
    when = {
      [[((asked.state == "answered") and (asked.meaning == nil) and (((asked.stored_n ~= nil) and ((not f.starts(c["payload raw"], K.OPEN)) or (f.between(c["payload raw"], "{\"stream\":\"", "\"") == nil) or (f.between(c["payload raw"], "\"seq\":", "") == nil))) or ((asked.stored_n == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "{\"stream\":\"", "\"") ~= nil) and (f.between(c["payload raw"], "\"seq\":", "") ~= nil))))]],
      "c asked",
    },
    says = {
      [[f.say("the request to %s has two answers: the ack of a stream that stores it, and one of a service", asked.subject)]],
      "asked",
    },
    cause = "The subjects of a stream match requests: the requester may read the ack as its answer. Leave the subjects of requests out of streams.",
  },
  {
    id = "NATS-B77",
    name = "nats_b77",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages in a stream with retention interest that has no consumer",
    on = "end:asked",
    evidence = { [[f.first_known(asked.n, keeper.first_n, keeper.made_n)]], "asked keeper" },
    needs = {},
    of = "keeper",
    when = {
      [[((keeper.made_n ~= nil) and (keeper.unkept ~= nil and (keeper.unkept + 1) >= K.UNKEPT_LIMIT))]],
      "keeper",
    },
    says = {
      [[f.say("%s messages were published to stream %s, which no consumer was created for: with retention interest it drops them at once", (keeper.unkept ~= nil and (keeper.unkept + 1) or nil), asked.stream)]],
      "keeper asked",
    },
    cause = "The publisher starts before the consumers exist; such a stream keeps a message only for consumers that exist when it is stored.",
  },
  {
    id = "NATS-N43",
    name = "nats_n43",
    severity = "WARN",
    group = "PROTOCOL",
    title = "JetStream ack sent in answer to a message that is not JetStream's",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 191,
    when = { [[(served.asked ~= nil)]], "served" },
    says = {
      [[f.say("%s is published to %s, the reply subject of a request to %s: it is an answer there, not an ack", f.begins(c["payload raw"], K.VERDICTS), c.subject, served.asked)]],
      "c served",
    },
    cause = "A subscription without JetStream acknowledges what it receives: requesters get the word as an answer, perhaps before the true one.",
  },
  {
    id = "NATS-N43b",
    name = "nats_n43b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request answered by a JetStream ack word",
    on = "msg hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 192,
    when = { [[((asked.state == "asked") and (not f.starts(asked.subject, "$JS.ACK.")))]], "asked" },
    says = {
      [[f.say("the request to %s is answered by %s, a word by which messages of JetStream are acknowledged", asked.subject, f.begins(c["payload raw"], K.VERDICTS))]],
      "c asked",
    },
    cause = "A subscriber acknowledges messages that are not JetStream's: its word reaches the requester as an answer.",
  },
  {
    id = "NATS-N44",
    name = "nats_n44",
    severity = "WARN",
    group = "PROTOCOL",
    title = "JetStream ack subject with too few tokens",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 193,
    says = {
      [[f.say("an ack is published to %s, which has fewer than nine tokens: no consumer receives it", c.subject)]],
      "c",
    },
    cause = "The client builds the subject itself, or cuts it; the ack belongs to the reply subject of the delivery, as it is.",
  },
  {
    id = "NATS-B78",
    name = "nats_b78",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages kept in progress (+WPI) and never acknowledged",
    on = "end:served",
    evidence = { [[f.first_known(served.last_n, conn.unfinished_n, served.n)]], "served conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((served.state == "in_progress") and (served.beats ~= nil and served.beats >= K.BEATS_LIMIT) and (conn.verdict_n ~= nil and served.n ~= nil and conn.verdict_n > served.n) and (conn.unfinished ~= nil and conn.unfinished >= 1) and LISTS[13][why] and (conn.left == 1) and (conn.cut == nil))]],
      "served conn why",
    },
    says = {
      [[f.say("the message in frame %s was reported as in progress %s times, until the client closed the connection, and neither acknowledged nor rejected, as others before it; later messages were", served.n, served.beats)]],
      "served",
    },
    cause = "The handling of the message has failed, and a timer still sends +WPI: ack_wait never runs out, so that it is not delivered again. Stop the timer and send -NAK.",
  },
  {
    id = "NATS-B78b",
    name = "nats_b78b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message kept in progress (+WPI) to the end",
    on = "end:served",
    evidence = { [[f.first_known(served.last_n, served.n)]], "served" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((served.state == "in_progress") and (served.beats ~= nil and served.beats >= K.BEATS_LIMIT) and (conn.verdict_n ~= nil and served.n ~= nil and conn.verdict_n > served.n))]],
      "served conn",
    },
    says = {
      [[f.say("the message in frame %s was reported as in progress %s times, and neither acknowledged nor rejected; later messages were", served.n, served.beats)]],
      "served",
    },
    cause = "The handling of the message has failed, and a timer still sends +WPI: ack_wait never runs out, so that it is not delivered again.",
  },
  {
    id = "NATS-B78c",
    name = "nats_b78c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Progress (+WPI) of messages that are acknowledged already",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 110,
    when = {
      [[((served.state == "answered") and ((f.coalesce(conn.late_beats, 0) + 1) >= K.AFTER_LIMIT))]],
      "served conn",
    },
    says = {
      [[f.say("+WPI is sent for a message that was acknowledged or rejected in frame %s, %s times on this connection", served.answer_n, (f.coalesce(conn.late_beats, 0) + 1))]],
      "served conn",
    },
    cause = "The timer that reports progress is not stopped when a message is done.",
  },
  {
    id = "NATS-B79",
    name = "nats_b79",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Progress (+WPI) reported far more often than ack_wait needs",
    on = "client:pub client:hpub",
    since = {
      [[f.since(conn, f.coalesce(served.progress_second_n, n), n, served.progress_first_n)]],
      "conn served n",
    },
    needs = { "since" },
    of = "served",
    when = {
      [[(((served.progress_times ~= nil and (served.progress_times + 1) >= K.BEATS_LIMIT) and (f.starts(c.subject, "$JS.ACK.") and f.starts(c["payload raw"], K.PROGRESS)) and (served.progress_latest_t ~= nil and conn.ack_wait ~= nil and (t - served.progress_latest_t) < conn.ack_wait)) and (served.progress_first_t ~= nil and conn.ack_wait ~= nil and served.progress_times ~= nil and ((t - served.progress_first_t) * 100) < ((conn.ack_wait * 5) * served.progress_times)))]],
      "c served conn t",
    },
    says = {
      [[f.say("+WPI is sent for one message %s times in a row, each within a 20th of the ack_wait of %s after the one before", K.BEATS_LIMIT, f.time(conn.ack_wait))]],
      "conn",
    },
    cause = "One report in half of ack_wait is enough; each one is a message that the server, and in a cluster its peers, process.",
  },
  {
    id = "NATS-B80",
    name = "nats_b80",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "All JetStream messages of a connection rejected (-NAK, +TERM)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.verdict_n, conn.verdict_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.rejected ~= nil and conn.rejected >= K.REJECTED_LIMIT) and (conn.rejected ~= nil and conn.verdicts ~= nil and conn.rejected == conn.verdicts))]],
      "conn",
    },
    says = {
      [[f.say("the client rejected all %s messages that it answered by -NAK or +TERM, and acknowledged none", conn.rejected)]],
      "conn",
    },
    cause = "The client cannot process any message: the consumer does not progress, or +TERM drops the messages for good.",
  },
  {
    id = "NATS-B85",
    name = "nats_b85",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Message rejected (-NAK) at its last delivery",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 76,
    when = {
      [[((conn.max_deliver ~= nil and conn.max_deliver > 0) and (f.number(f.token(c.subject, 4)) ~= nil and conn.max_deliver ~= nil and f.number(f.token(c.subject, 4)) >= conn.max_deliver) and (f.count(conn.consumers) == 1))]],
      "c conn",
    },
    says = {
      [[f.say("-NAK asks for another delivery of a message that was delivered %s times; max_deliver of the consumer is %s: it is not delivered again", f.token(c.subject, 4), conn.max_deliver)]],
      "c conn",
    },
    cause = "max_deliver counts the first delivery too; messages that fail must be stored elsewhere, or max_deliver raised.",
  },
  {
    id = "NATS-B74",
    name = "nats_b74",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections of a service closed with requests in hand, one after another",
    on = "end:served",
    evidence = { [[f.first_known(served.n, quit.latest_n)]], "served quit" },
    needs = { "start", "whole", "both" },
    of = "quit",
    when = {
      [[(LISTS[13][why] and (served.state == "waiting") and (conn.left == 1) and (conn.cut == nil) and f.has(conn.serves, served.asked) and (served.queue ~= nil) and ((quit.times ~= nil and quit.times >= K.STOPS_LIMIT) or ((quit.times ~= nil and (quit.times + 1) >= K.STOPS_LIMIT) and (quit.flow ~= nil and flow ~= nil and quit.flow ~= flow))))]],
      "why served conn quit flow",
    },
    says = {
      [[f.say("%s closed its connection before it had answered the request to %s in frame %s, as on another connection before: the requester waits until its timeout", f.coalesce(conn.client_name, client), served.asked, served.n)]],
      "conn client served",
    },
    cause = "The program closes its connection without a drain: it has to unsubscribe, answer what it has received, and then close.",
  },
  {
    id = "NATS-B74b",
    name = "nats_b74b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection of a service closed with requests in hand",
    on = "end:served",
    evidence = { [[f.first_known(served.n)]], "served" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[13][why] and (served.state == "waiting") and (conn.left == 1) and (conn.cut == nil) and f.has(conn.serves, served.asked))]],
      "why served conn",
    },
    says = {
      [[f.say("%s closed its connection before it had answered the request to %s in frame %s: the requester waits until its timeout", f.coalesce(conn.client_name, client), served.asked, served.n)]],
      "conn client served",
    },
    cause = "The program closes its connection without a drain: it has to unsubscribe, answer what it has received, and then close.",
  },
  {
    id = "NATS-B74c",
    name = "nats_b74c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections of a consumer closed with unacknowledged messages, one after another",
    on = "end:conn",
    evidence = { [[f.first_known(conn.unacked_n, stopped.latest_n)]], "conn stopped" },
    needs = { "start", "whole", "both" },
    of = "stopped",
    when = {
      [[((stopped.times ~= nil and (stopped.times + 1) >= K.STOPS_LIMIT) and (conn.unacked ~= nil and conn.unacked > 0) and (conn.left == 1) and (conn.cut == nil))]],
      "stopped conn",
    },
    says = {
      [[f.say("%s closed its connection with %s messages of consumer %s that it had not acknowledged, as on another connection before: they are delivered again only after ack_wait", f.coalesce(conn.client_name, client), conn.unacked, f.token(conn.ack_to, 3))]],
      "conn client",
    },
    cause = "The program does not finish its batch, or reject it by -NAK, before it closes.",
  },
  {
    id = "NATS-B74d",
    name = "nats_b74d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message delivered again that a connection had left unacknowledged when it closed",
    on = "server:msg server:hmsg",
    needs = {},
    of = "conn",
    again = true,
    guard = 13,
    when = { [[(conn.t ~= nil and team.left_t ~= nil and conn.t >= team.left_t)]], "conn team" },
    says = {
      [[f.say("message %s of consumer %s is delivered again; an earlier connection was closed by its client with %s that it had not acknowledged", f.token(c.reply_to, 5), f.token(c.reply_to, 3), f.counted(team.left_open, "message", "messages"))]],
      "c team",
    },
    cause = "The program does not finish its batch, or reject it by -NAK, before it closes: the messages wait for ack_wait, and are processed again if they were done.",
  },
  {
    id = "NATS-B130",
    name = "nats_b130",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages of a stream removed before its consumer received them",
    on = "server:msg server:hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    guard = 194,
    when = {
      [[((f.number(f.token(c.reply_to, 6)) ~= nil and conn.read_turn ~= nil and f.number(f.token(c.reply_to, 6)) == (conn.read_turn + 1)) and (conn.read_consumer ~= nil and f.token(c.reply_to, 3) ~= nil and conn.read_consumer == f.token(c.reply_to, 3)) and (conn.filter == nil) and (conn.create_stream ~= nil and f.token(c.reply_to, 2) ~= nil and conn.create_stream == f.token(c.reply_to, 2)) and (f.coalesce(conn.skips, "all") == "all") and (f.number(f.token(c.reply_to, 5)) ~= nil and conn.read_place ~= nil and (f.number(f.token(c.reply_to, 5)) - conn.read_place) >= (K.MISSED_LIMIT + 1)))]],
      "c conn",
    },
    says = {
      [[f.say("delivery %s of consumer %s is message %s of stream %s, the one before it was message %s: those between them are gone, although the consumer has no filter", f.token(c.reply_to, 6), f.token(c.reply_to, 3), f.token(c.reply_to, 5), f.token(c.reply_to, 2), conn.read_place)]],
      "c conn",
    },
    cause = "The stream has reached max_msgs, max_bytes or max_age and drops its oldest messages, or somebody deletes them, before this consumer has read them.",
  },
  {
    id = "NATS-B73",
    name = "nats_b73",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream or consumer similar to one that exists (typo)",
    on = "msg hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 165,
    when = { [[((asked.state == "asked") and (asked.meaning ~= nil))]], "asked" },
    finds = {
      [[f.predicates.is_nearly_known("asked.subject names.subjects", asked.subject, names_object.subjects)]],
      "asked names_object",
    },
    says = {
      [[f.say("%s is about something that does not exist; %s does", asked.subject, f.whole(found))]],
      "asked found",
    },
    cause = "The name is misspelt: names of streams and consumers are compared with upper and lower case.",
  },
  {
    id = "NATS-N42",
    name = "nats_n42",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Subject similar to a request of the JetStream API (typo)",
    on = "end:asked",
    evidence = { [[f.first_known(asked.n)]], "asked" },
    needs = {},
    of = "asked",
    again = true,
    when = {
      [[((asked.meaning == "api request") and (asked.state ~= nil and asked.state ~= "answered"))]],
      "asked",
    },
    finds = { [[f.predicates.is_nearly_a_request("asked.subject", asked.subject)]], "asked" },
    says = {
      [[f.say("%s is no request of the JetStream API; %s is near", asked.subject, f.whole(found))]],
      "asked found",
    },
    cause = "The subject is misspelt, or lacks the name of the stream or consumer: no server answers it.",
  },
  {
    id = "NATS-N47",
    name = "nats_n47",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "JetStream API request without a reply subject",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 195,
    says = {
      [[f.say("the request to %s has no reply subject: the client does not learn what became of it", c.subject)]],
      "c",
    },
    cause = "The client publishes the request instead of asking for an answer; a pull request without a reply subject brings no message.",
  },
  {
    id = "NATS-N48",
    name = "nats_n48",
    severity = "NOTE",
    group = "SECURITY",
    title = "Subscription to all inboxes",
    on = "client:sub",
    needs = {},
    of = "conn",
    again = true,
    guard = 196,
    when = { [[(conn.cluster == nil)]], "conn" },
    says = {
      [[f.say("the client subscribed to %s: it receives the replies to all clients", c.subject)]],
      "c",
    },
    cause = "The prefix of the client's own inboxes is missing in the subject.",
  },
  {
    id = "NATS-B81",
    name = "nats_b81",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "JetStream pull requests that never expire pile up",
    on = "client:pub client:hpub",
    since = { [[f.since(conn, f.coalesce(endless.second_n, n), n, endless.first_n)]], "conn endless n" },
    needs = { "since" },
    of = "endless",
    guard = 197,
    when = {
      [[((endless.times ~= nil and (endless.times + 1) >= K.ENDLESS_LIMIT) and (endless.latest_t ~= nil and (t - endless.latest_t) <= 60000000000.0))]],
      "endless t",
    },
    says = {
      [[f.say("%s pull requests in a row (%s) have neither `expires` nor `no_wait`, and brought no message", K.ENDLESS_LIMIT, c.subject)]],
      "c",
    },
    cause = "Each of them waits at the server without end, up to max_waiting of the consumer; messages are delivered to the oldest, which the client may have given up.",
  },
  {
    id = "NATS-B82",
    name = "nats_b82",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Object stored in small chunks",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 31,
    when = {
      [[((object.chunks ~= nil and object.chunks >= K.CHUNKS_LIMIT) and (object.bytes ~= nil and object.chunks ~= nil and object.bytes < (object.chunks * K.SMALL_CHUNK)))]],
      "object",
    },
    says = {
      [[f.say("an object of %s bytes was stored in %s chunks", object.bytes, object.chunks)]],
      "object",
    },
    cause = "Each chunk is a message with its overhead; clients use 128 KiB.",
  },
  {
    id = "NATS-B83",
    name = "nats_b83",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stored JetStream messages deleted one by one",
    on = "client:pub client:hpub",
    needs = {},
    of = "deleted_singly",
    guard = 198,
    when = {
      [[((deleted_singly.times ~= nil and (deleted_singly.times + 1) >= K.DELETED_LIMIT) and (deleted_singly.latest_t ~= nil and (t - deleted_singly.latest_t) <= K.DELETED_PAUSE))]],
      "deleted_singly t",
    },
    says = {
      [[f.say("%s messages in a row were each deleted by a request of their own (%s)", K.DELETED_LIMIT, c.subject)]],
      "c",
    },
    cause = "Each request costs a round trip, and leaves a gap that the stream has to remember; STREAM.PURGE with a filter or a sequence removes many.",
  },
  {
    id = "NATS-B84",
    name = "nats_b84",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "NATS connections of a program without any message",
    on = "end:idle",
    evidence = { [[f.first_known(idle.latest_n, idle.first_n)]], "idle" },
    needs = {},
    of = "idle",
    when = {
      [[((idle.left ~= nil and idle.left >= K.IDLE_LIMIT) and (idle.left ~= nil and idle.all ~= nil and (idle.left * 100) >= (idle.all * 0)) and (idle.all ~= nil and (f.coalesce(idle.ended, 0) * 100) <= (idle.all * 100)))]],
      "idle",
    },
    says = {
      [[f.say("%s connections of one program neither subscribed nor published anything", idle.left)]],
      "idle",
    },
    cause = "The program opens a connection for each part of it, or again after an error, and forgets them: each costs the server memory and PINGs.",
  },
  {
    id = "NATS-B86",
    name = "nats_b86",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Writes to a key that undo the write of another client",
    on = "msg hmsg",
    needs = {},
    of = "entry",
    when = {
      [[((asked.state == "asked") and (asked.based ~= nil) and (entry.flow ~= nil and flow ~= nil and entry.flow ~= flow) and (entry.sequence ~= nil and asked.based ~= nil and entry.sequence > asked.based) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and entry.sequence ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) > entry.sequence) and ((f.coalesce(entry.overwrites, 0) + 1) >= K.OVERWRITE_LIMIT))]],
      "c asked entry flow",
    },
    says = {
      [[f.say("%s writes to %s state no revision and came after a write of another client that theirs had not read: the last one is based on %s, and the other client had written %s", K.OVERWRITE_LIMIT, asked.key, asked.based, entry.sequence)]],
      "asked entry",
    },
    cause = "Clients read a key, change its value and put it back without Nats-Expected-Last-Subject-Sequence: one of two such changes at a time is lost.",
  },
  {
    id = "NATS-B136",
    name = "nats_b136",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Keys removed without a revision after another client took them",
    on = "msg hmsg",
    needs = {},
    of = "entry",
    when = {
      [[((asked.state == "asked") and (asked.key ~= nil) and (asked.key ~= nil and asked.subject ~= nil and asked.key == asked.subject) and (asked.removes == 1) and (conn.held_key ~= nil and asked.key ~= nil and conn.held_key == asked.key) and (entry.flow ~= nil and flow ~= nil and entry.flow ~= flow) and (entry.sequence ~= nil and conn.held_at ~= nil and entry.sequence > conn.held_at) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and entry.sequence ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) > entry.sequence) and ((f.coalesce(entry.seized, 0) + 1) >= K.SEIZED_LIMIT))]],
      "c asked conn entry flow",
    },
    says = {
      [[f.say("%s times %s was removed without a revision by a client that had written it as %s, after another client had written %s", K.SEIZED_LIMIT, asked.key, conn.held_at, entry.sequence)]],
      "asked conn entry",
    },
    cause = "The key is a lock whose time to live ends before the work of its holder: the next client takes it, and the first one then removes the lock of the other.",
  },
  {
    id = "NATS-B87",
    name = "nats_b87",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections given up because no heartbeat follows +NXT",
    on = "end:conn",
    evidence = { [[f.first_known(conn.next_n, conn.connect_n, unbeaten.latest_n)]], "conn unbeaten" },
    needs = { "start", "whole", "both" },
    of = "unbeaten",
    when = {
      [[((conn.next_n ~= nil) and (conn.left == 1) and (conn.cut == nil) and LISTS[13][why] and (conn.beat ~= nil and conn.left_t ~= nil and conn.next_t ~= nil and (conn.beat * 3) <= ((conn.left_t - conn.next_t) * 2)) and (conn.left_t ~= nil and conn.next_t ~= nil and conn.beat ~= nil and (conn.left_t - conn.next_t) <= (conn.beat * 4)) and ((f.coalesce(unbeaten.times, 0) + 1) >= K.NEXT_LIMIT))]],
      "conn why unbeaten",
    },
    says = {
      [[f.say("the client closed %s connections, the last one %s after +NXT without idle_heartbeat; its pull request had asked for a heartbeat every %s", K.NEXT_LIMIT, f.time((conn.left_t ~= nil and conn.next_t ~= nil and (conn.left_t - conn.next_t) or nil)), f.time(conn.beat))]],
      "conn",
    },
    cause = "The client waits for heartbeats, which the server sends only for a request that states idle_heartbeat, and takes the silence for a lost server.",
  },
  {
    id = "NATS-B87b",
    name = "nats_b87b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "+NXT without the heartbeat of the pull request",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 112,
    when = {
      [[((conn.beat ~= nil and conn.beat > 0) and ((f.coalesce(conn.nexts, 0) + 1) >= K.NEXT_LIMIT))]],
      "conn",
    },
    says = {
      [[f.say("+NXT asks for the next message without idle_heartbeat; the pull request before it had asked for a heartbeat every %s", f.time(conn.beat))]],
      "conn",
    },
    cause = "+NXT is a new request: the server sends no heartbeat for it unless its JSON asks for one.",
  },
  {
    id = "NATS-B88",
    name = "nats_b88",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "NATS connections of a program left open without use",
    on = "end:left",
    evidence = { [[f.first_known(left.latest_n, left.first_n)]], "left" },
    needs = {},
    of = "left",
    when = {
      [[((left.left ~= nil and left.left >= K.UNCLOSED_LIMIT) and (left.left ~= nil and left.all ~= nil and (left.left * 100) >= (left.all * 60)) and (left.all ~= nil and (f.coalesce(left.ended, 0) * 100) <= (left.all * 100)))]],
      "left",
    },
    says = {
      [[f.say("%s connections of one program had done nothing for %s or more when they ended, and waited for no message", left.left, f.time(K.LEFT_FOR))]],
      "left",
    },
    cause = "The program opens a connection at each start of a part of it, and does not close the former one.",
  },
  {
    id = "NATS-B90",
    name = "nats_b90",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream with alternating configurations",
    on = "client:pub client:hpub",
    needs = {},
    of = "stream_configured",
    guard = 117,
    when = {
      [[(((stream_configured.user ~= nil and f.digest(c["payload raw"]) ~= nil and stream_configured.user ~= f.digest(c["payload raw"])) and f.has(stream_configured.users, f.digest(c["payload raw"]))) and ((f.coalesce(stream_configured.returns, 0) + 1) >= 2))]],
      "c stream_configured",
    },
    says = { [[f.say("stream %s is given two configurations in turn", f.token(c.subject, 4))]], "c" },
    cause = "Two programs, or two versions of one, each update the stream to their own configuration when they start: limits and subjects change back and forth.",
  },
  {
    id = "NATS-B106",
    name = "nats_b106",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Update of a stream that leaves out a setting which is on",
    on = "client:pub client:hpub",
    needs = {},
    of = "catalogue",
    again = true,
    guard = 199,
    when = { [[(catalogue.config ~= nil)]], "catalogue" },
    finds = {
      [[f.predicates.drops_setting("payload catalogue.config", c["payload raw"], catalogue.config)]],
      "c catalogue",
    },
    says = {
      [[f.say("%s has no %s, which is true in the configuration of frame %s: it becomes false", c.subject, f.whole(found), catalogue.told_n)]],
      "c found catalogue",
    },
    cause = "The client reads the configuration and writes back only the members that it knows: what is left out gets its default.",
  },
  {
    id = "NATS-B91",
    name = "nats_b91",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Filter of a consumer outside the subjects of its stream",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 200,
    when = { [[(catalogue.subjects ~= nil)]], "catalogue" },
    finds = {
      [[f.predicates.is_outside("payload catalogue.subjects", c["payload raw"], catalogue.subjects)]],
      "c catalogue",
    },
    says = {
      [[f.say("the consumer is to filter %s, but its stream stores %s: no message can match", f.whole(found), catalogue.subjects)]],
      "found catalogue",
    },
    cause = "The filter is misspelt, or belongs to another stream: the consumer never gets a message, and servers since 2.10 accept it.",
  },
  {
    id = "NATS-B92",
    name = "nats_b92",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Publish that waits for an ack of a stream without acks (no_ack)",
    on = "end:asked",
    evidence = { [[f.first_known(asked.n, mute.made_n)]], "asked mute" },
    needs = {},
    of = "asked",
    again = true,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.t ~= nil and (t - asked.t) > K.REPLY_TIME) and (asked.t ~= nil and asked.t >= 0) and f.matching(asked.subject, mute.subject))]],
      "asked t mute",
    },
    says = {
      [[f.say("the publish to %s in frame %s asks for an ack, but its stream was created with no_ack: none comes", asked.subject, asked.n)]],
      "asked",
    },
    cause = "The stream stores the message and says nothing: the client times out, and stores it again when it retries.",
  },
  {
    id = "NATS-B93",
    name = "nats_b93",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stream or consumer with an even number of replicas",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 201,
    says = { [[f.say("the request to %s asks for an even number of replicas", c.subject)]], "c" },
    cause = "A majority of two is two, of four three: one server more is lost no more often than with one or three replicas.",
  },
  {
    id = "NATS-B94",
    name = "nats_b94",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same stream or consumer deleted and created repeatedly",
    on = "client:pub client:hpub",
    needs = {},
    of = "remade",
    guard = 178,
    when = {
      [[((remade.deleted_n ~= nil) and ((f.coalesce(remade.times, 0) + 1) >= K.REMADE_LIMIT))]],
      "remade",
    },
    says = {
      [[f.say("%s creates what was deleted in frame %s, and before that in frame %s", c.subject, remade.deleted_n, remade.first_n)]],
      "c remade",
    },
    cause = "The program begins by deleting what it uses: stored messages, or the place up to which a consumer has read, are lost with each start.",
  },
  {
    id = "NATS-B107",
    name = "nats_b107",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Update of a consumer that leaves out what it has",
    on = "client:pub client:hpub",
    needs = {},
    of = "described",
    again = true,
    guard = 15,
    when = { [[(described.config ~= nil)]], "described" },
    finds = {
      [[f.predicates.drops_limit("payload described.config", c["payload raw"], described.config)]],
      "c described",
    },
    says = {
      [[f.say("%s has no %s in the configuration of frame %s: it gets its default", c.subject, f.whole(found), described.told_n)]],
      "c found described",
    },
    cause = "The program creates or updates the consumer with the members that it knows, and undoes what an operator or another program has set.",
  },
  {
    id = "NATS-B95",
    name = "nats_b95",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "One JetStream consumer pulled from by two programs",
    on = "client:pub client:hpub",
    needs = {},
    of = "shared_durable",
    when = {
      [[((f.starts(c.subject, "$JS.API.CONSUMER.MSG.NEXT.") and (conn.client_name ~= nil) and (f.between(c["payload raw"], "\"group\":", "\"") == nil)) and ((shared_durable.user ~= nil and f.program(conn.client_name) ~= nil and shared_durable.user ~= f.program(conn.client_name)) and f.has(shared_durable.users, f.program(conn.client_name))) and ((f.coalesce(shared_durable.returns, 0) + 1) >= 1))]],
      "c conn shared_durable",
    },
    says = {
      [[f.say("%s pulls from the consumer of %s in turn with another program: each message goes to one of the two", conn.client_name, c.subject)]],
      "c conn",
    },
    cause = "Two programs use one name for their durable consumers: each needs its own to get all messages.",
  },
  {
    id = "NATS-B110",
    name = "nats_b110",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Pull requests with a pin id that was refused",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 125,
    when = {
      [[(f.has(conn.stale_pins, (f.between(c["payload raw"], "\"id\":\"", "\"") or f.between(c["payload raw"], "\"id\": \"", "\""))) and ((f.coalesce(conn.stale_pulls, 0) + 1) >= K.STALE_PULLS))]],
      "c conn",
    },
    says = {
      [[f.say("%s is asked again with a pin id that status 423 has refused, last in frame %s", c.subject, conn.unpinned_n)]],
      "c conn",
    },
    cause = "The consumer is pinned to another client by now. The id has to be cleared after 423: a pull request with the old one is always refused.",
  },
  {
    id = "NATS-B96",
    name = "nats_b96",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Messages rejected (-NAK) without a delay although the consumer has a backoff",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 124,
    when = { [[((conn.backoff ~= nil) and ((f.coalesce(conn.naks, 0) + 1) >= K.NAK_LIMIT))]], "conn" },
    says = {
      [[f.say("-NAK without a delay is sent for the %s. time, and the consumer has backoff [%s]: it is for messages without an answer alone", (f.coalesce(conn.naks, 0) + 1), conn.backoff)]],
      "conn",
    },
    cause = "A rejected message is delivered again at once; state the delay in -NAK, or let ack_wait pass.",
  },
  {
    id = "NATS-B97",
    name = "nats_b97",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Each message acknowledged although the consumer has ack_policy all",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    when = {
      [[(((conn.acked_singly_times ~= nil and (conn.acked_singly_times + 1) >= K.SINGLY_LIMIT) and ((conn.policy == "all") and f.starts(c.subject, "$JS.ACK.") and LISTS[17][f.begins(c["payload raw"], K.ACKS)]) and ((conn.acked_singly_latest_t ~= nil and (t - conn.acked_singly_latest_t) <= 10000000000.0) and (conn.acked_singly_same ~= nil and f.number(f.token(c.subject, 6)) ~= nil and conn.acked_singly_same == (f.number(f.token(c.subject, 6)) - f.coalesce(conn.acked_place, 0))))) and (f.number(f.token(c.subject, 6)) ~= nil and conn.acked_place ~= nil and f.number(f.token(c.subject, 6)) == (conn.acked_place + 1)))]],
      "c conn t",
    },
    says = {
      [[f.say("%s messages in a row were acknowledged one by one; with ack_policy all one ack is for all messages before it", K.SINGLY_LIMIT)]],
    },
    cause = "Acknowledge the last message of a batch, or use ack_policy explicit.",
  },
  {
    id = "NATS-B98",
    name = "nats_b98",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Messages redelivered although later ones were acknowledged (ack_policy explicit)",
    on = "server:msg server:hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 202,
    when = {
      [[((conn.policy == "explicit") and (conn.acks ~= nil and conn.acks >= 2) and (conn.unacked ~= nil and conn.acks ~= nil and conn.unacked >= (2 * conn.acks)) and (f.number(f.token(c.reply_to, 5)) ~= nil and f.number(f.token(conn.acked_subject, 5)) ~= nil and f.number(f.token(c.reply_to, 5)) < f.number(f.token(conn.acked_subject, 5))))]],
      "c conn",
    },
    says = {
      [[f.say("message %s of stream %s is delivered again, although the client acknowledged message %s: with ack_policy explicit an ack is for one message, and the client has sent %s", f.token(c.reply_to, 5), f.token(c.reply_to, 2), f.token(conn.acked_subject, 5), conn.acks)]],
      "c conn",
    },
    cause = "The client acknowledges the last message of each batch, as for ack_policy all.",
  },
  {
    id = "NATS-B99",
    name = "nats_b99",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Pull requests given up before they expire",
    on = "client:pub client:hpub",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 125,
    when = {
      [[(f.has(conn.left_pulls, c.subject) and ((f.coalesce(conn.gave_up, 0) + 1) >= K.GAVE_UP_LIMIT))]],
      "c conn",
    },
    says = {
      [[f.say("%s is asked again after the inbox of the pull request in frame %s was unsubscribed before it expired, %s times so far", c.subject, conn.left_pull_n, (conn.gave_up ~= nil and (conn.gave_up + 1) or nil))]],
      "c conn",
    },
    cause = "The client's own timeout is shorter than `expires`: a message that comes for the old request is lost until ack_wait is over.",
  },
  {
    id = "NATS-B100",
    name = "nats_b100",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Gap or repetition in an atomic batch (Nats-Batch-Sequence)",
    on = "client:hpub",
    since = { [[f.since(conn, n, bundle.latest_n)]], "conn n bundle" },
    needs = { "since" },
    of = "bundle",
    when = {
      [[((bundle.next ~= nil) and (f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) ~= nil and bundle.next ~= nil and f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) ~= bundle.next) and ((bundle.committed == nil) or (f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) ~= nil and f.number(f.item(c["headers[]"], "Nats-Batch-Sequence")) ~= 1)))]],
      "c bundle",
    },
    says = {
      [[f.say("message %s of batch %s follows message %s", f.item(c["headers[]"], "Nats-Batch-Sequence"), bundle.batch, (bundle.next ~= nil and (bundle.next - 1) or nil))]],
      "c bundle",
    },
    cause = "Numbers of a batch begin with 1 and rise by 1: the stream drops the whole batch.",
  },
  {
    id = "NATS-B100b",
    name = "nats_b100b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Atomic batch that is never committed",
    on = "end:bundle",
    evidence = { [[f.first_known(bundle.latest_n, bundle.n)]], "bundle" },
    needs = { "whole" },
    of = "bundle",
    when = {
      [[((bundle.next ~= nil) and (bundle.committed == nil) and (LISTS[13][why] or (bundle.latest_t ~= nil and (t - bundle.latest_t) > K.ABANDONED)))]],
      "bundle why t",
    },
    says = {
      [[f.say("batch %s to %s has %s and no Nats-Batch-Commit: none of them is stored", bundle.batch, bundle.of, f.counted(bundle.count, "message", "messages"))]],
      "bundle",
    },
    cause = "The last message of a batch needs the header Nats-Batch-Commit.",
  },
  {
    id = "NATS-N57",
    name = "nats_n57",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Client publishes to a subject of advisories",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 203,
    says = {
      [[f.say("a client publishes to %s, where the server announces events of JetStream", c.subject)]],
      "c",
    },
    cause = "The program writes advisories of its own, or answers to the wrong subject: subscribers take them for those of the server.",
  },
  {
    id = "NATS-B122",
    name = "nats_b122",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Client that does nothing after its consumer is gone",
    on = "end:conn",
    evidence = { [[f.first_known(conn.gone_n, conn.gone_pull_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.gone_n ~= nil) and (f.coalesce(conn.vain_pulls, 0) == 0) and (conn.deletes_n == nil) and (conn.peers == nil) and (conn.gone_t ~= nil and (f.coalesce(conn.left_t, t) - conn.gone_t) > K.GONE_FOR))]],
      "conn t",
    },
    says = {
      [[f.say("a pull request learned that its consumer does not exist any more; for %s the client has neither pulled again nor created a consumer", f.time((conn.gone_t ~= nil and (f.coalesce(conn.left_t, t) - conn.gone_t) or nil)))]],
      "conn t",
    },
    cause = "The consumer was deleted, or removed after its inactive_threshold or with a restart of the server, and the client takes the status for the end of its messages.",
  },
  {
    id = "NATS-B122b",
    name = "nats_b122b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Pull requests from a consumer that was reported as deleted",
    on = "end:conn",
    evidence = { [[f.first_known(conn.vain_n, conn.gone_n, conn.gone_pull_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.deleted ~= nil) and (conn.vain_pulls ~= nil and conn.vain_pulls >= K.VAIN_PULLS) and (conn.peers == nil) and (conn.gone_t ~= nil and (f.coalesce(conn.left_t, t) - conn.gone_t) > K.GONE_FOR))]],
      "conn t",
    },
    says = {
      [[f.say("a status said that the consumer was deleted; the client has sent %s pull requests to %s since, and received no message in %s", conn.vain_pulls, conn.deleted, f.time((conn.gone_t ~= nil and (f.coalesce(conn.left_t, t) - conn.gone_t) or nil)))]],
      "conn t",
    },
    cause = "The client takes the status for one that passes: it has to create the consumer again.",
  },
  {
    id = "NATS-B48c",
    name = "nats_b48c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Deliver subject of a push consumer subscribed to again, and no consumer delivers",
    on = "end:conn",
    evidence = { [[f.first_known(conn.fed_n, stock.latest_n, conn.fed_before_n)]], "conn stock" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.fed_n ~= nil) and (conn.create_n == nil) and (conn.ack_to == nil) and (stock.latest_t ~= nil and conn.fed_t ~= nil and stock.latest_t > ((conn.fed_t + K.REPLY_TIME) + (K.MISSED_BEATS * f.coalesce(conn.fed_beat, 0)))) and ((conn.fed_filter == nil) or f.matching(stock.latest, conn.fed_filter)))]],
      "conn stock",
    },
    says = {
      [[f.say("%s subscribed to the deliver subject of its consumer of stream %s again after its connection was lost, and received nothing, although messages were stored %s later", f.coalesce(conn.client_name, client), conn.fed_stream, f.time((stock.latest_t ~= nil and conn.fed_t ~= nil and (stock.latest_t - conn.fed_t) or nil)))]],
      "conn client stock",
    },
    cause = "The library restores the subscription, but the consumer is gone: an ephemeral one is removed while nothing subscribes to its deliver subject. It has to be created again.",
  },
  {
    id = "NATS-B132",
    name = "nats_b132",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages lost to pull requests that the client has given up",
    on = "end:conn",
    evidence = { [[f.first_known(conn.abandoned_n, conn.abandoned_to_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.abandoned ~= nil and conn.abandoned >= K.GAVE_UP_LIMIT) and (conn.peers == nil) and (conn.abandoned_t ~= nil and (f.coalesce(conn.left_t, t) - conn.abandoned_t) > K.REPLY_TIME))]],
      "conn t",
    },
    says = {
      [[f.say("%s came for pull requests that were not the latest ones, and the client never acknowledged them: it no longer reads their inboxes", f.counted(conn.abandoned, "message", "messages"))]],
      "conn",
    },
    cause = "A pull request without `expires` and `no_wait` stays open after the client has given it up, and the next messages are delivered to it: they are lost until ack_wait is over. `expires` has to be shorter than the timeout of the client.",
  },
  {
    id = "NATS-B131",
    name = "nats_b131",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Pull consumer created, and no pull request sent",
    on = "end:conn",
    evidence = { [[f.first_known(conn.create_n, conn.idle_inbox_n, stock.latest_n)]], "conn stock" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.create_n ~= nil) and (conn.push_to == nil) and (conn.pulls == nil) and (conn.idle_inbox_n ~= nil) and (conn.ack_to == nil) and (conn.peers == nil) and (stock.latest_t ~= nil and conn.create_t ~= nil and stock.latest_t > (conn.create_t + K.GONE_FOR)) and ((conn.filter == nil) or f.matching(stock.latest, conn.filter)))]],
      "conn stock",
    },
    says = {
      [[f.say("%s created a consumer of stream %s without a deliver subject and subscribed to an inbox, which received nothing: it sent no pull request, although messages were stored %s later", f.coalesce(conn.client_name, client), conn.create_stream, f.time((stock.latest_t ~= nil and conn.create_t ~= nil and (stock.latest_t - conn.create_t) or nil)))]],
      "conn client stock",
    },
    cause = "The server delivers the messages of a pull consumer only in answer to $JS.API.CONSUMER.MSG.NEXT: subscribing is not enough.",
  },
  {
    id = "NATS-N66",
    name = "nats_n66",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream ack that no consumer receives (503)",
    on = "server:hmsg",
    needs = {},
    of = "conn",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, f.token(req.subject, 2), f.token(req.subject, 3))]],
      "client server req",
    },
    guard = 6,
    when = { [[f.starts(req.subject, "$JS.ACK.")]], "req" },
    says = {
      [[f.say("the ack to %s was answered with status 503: the consumer does not exist", req.subject)]],
      "req",
    },
    cause = "The consumer was deleted, or removed after its inactive_threshold, while the message was in work: the ack is lost.",
  },
  {
    id = "NATS-N67",
    name = "nats_n67",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Consumer that is to start in the future (opt_start_time)",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 204,
    finds = { [[f.predicates.starts_later("payload t", c["payload raw"], t)]], "c t" },
    says = {
      [[f.say("the consumer of %s starts at %s, which is later than this request: it delivers nothing until messages are stored after that time", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "The client writes its local time as UTC, or adds to the time instead of taking from it.",
  },
  {
    id = "NATS-B4b",
    name = "nats_b4b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "JetStream pull requests that expire within a second, one after another",
    on = "server:hmsg",
    needs = {},
    of = "brief_pulls",
    when = {
      [[((brief_pulls.times ~= nil and (brief_pulls.times + 1) >= K.BRIEF_PULLS) and ((c.status == 408) and (pull.state == "asked") and (pull.t ~= nil and (t - pull.t) < K.BRIEF_PULL) and (pull.n ~= nil and pull.n > f.coalesce(conn.pulled_n, 0))) and (brief_pulls.latest_t ~= nil and (t - brief_pulls.latest_t) <= K.BRIEF_PULL))]],
      "c brief_pulls pull t conn",
    },
    says = {
      [[f.say("%s pull requests in a row expired without a message, each in less than %s", K.BRIEF_PULLS, f.time(K.BRIEF_PULL))]],
    },
    cause = "The client polls with a short timeout: an idle consumer costs requests and statuses all the time. A pull request may wait for 30 seconds, with a heartbeat.",
  },
  {
    id = "NATS-B123",
    name = "nats_b123",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages of a stream handled by a program once for each of two consumers",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 44,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (job.consumer ~= nil and f.token(c.subject, 3) ~= nil and job.consumer ~= f.token(c.subject, 3)) and ((f.coalesce(conn.twice_done, 0) + 1) >= K.DONE_LIMIT))]],
      "c conn job",
    },
    says = {
      [[f.say("%s messages of stream %s were acknowledged as messages of consumer %s and of another one, both by %s: each is handled twice", K.DONE_LIMIT, f.token(c.subject, 2), f.token(c.subject, 3), f.coalesce(conn.client_name, client))]],
      "c conn client",
    },
    cause = "Instances of the program, or two of its parts, make a consumer each, and each consumer gets all messages. To share the work they need one durable consumer, or filters.",
  },
  {
    id = "NATS-N49",
    name = "nats_n49",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Discovery subject of services ($SRV) subscribed to in a queue group",
    on = "client:sub",
    needs = {},
    of = "conn",
    guard = 205,
    says = {
      [[f.say("the client subscribed to %s in queue group %s: a request for all services reaches only one of them", c.subject, c.queue_group)]],
      "c",
    },
    cause = "The queue group of the endpoints is also used for PING, INFO and STATS; those subscriptions have none.",
  },
  {
    id = "NATS-N50",
    name = "nats_n50",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Service error without its code or its text, or with an impossible code",
    on = "client:hpub",
    needs = {},
    of = "conn",
    guard = 206,
    when = { [[(served.asked ~= nil)]], "served" },
    says = {
      [[f.say("the answer to %s has Nats-Service-Error '%s' and Nats-Service-Error-Code '%s'", served.asked, f.coalesce(f.item(c["headers[]"], "Nats-Service-Error"), ""), f.coalesce(f.item(c["headers[]"], "Nats-Service-Error-Code"), ""))]],
      "c served",
    },
    cause = "An error of a service has both headers, and its code is a number above 0: requesters that look at one of them take the error for a result.",
  },
  {
    id = "NATS-N50b",
    name = "nats_n50b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Service error received without its code or its text, or with an impossible code",
    on = "server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 207,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the answer to %s has Nats-Service-Error '%s' and Nats-Service-Error-Code '%s'", asked.subject, f.coalesce(f.item(c["headers[]"], "Nats-Service-Error"), ""), f.coalesce(f.item(c["headers[]"], "Nats-Service-Error-Code"), ""))]],
      "c asked",
    },
    cause = "An error of a service has both headers, and its code is a number above 0: requesters that look at one of them take the error for a result.",
  },
  {
    id = "NATS-N51",
    name = "nats_n51",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Description of a service that tools cannot read",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    when = { [[((served.asked ~= nil) and f.starts(served.asked, "$SRV."))]], "served" },
    finds = {
      [[f.predicates.is_odd_description("payload served.asked", c["payload raw"], served.asked)]],
      "c served",
    },
    says = {
      [[f.say("the answer to %s is no description of a service: %s", served.asked, f.whole(found))]],
      "served found",
    },
    cause = "The service writes its answers itself, or has an invalid name or version: tools leave it out.",
  },
  {
    id = "NATS-N52",
    name = "nats_n52",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Request to all services that takes one answer",
    on = "server:msg server:hmsg",
    needs = {},
    of = "conn",
    when = {
      [[((sub.limit == 1) and (asked.state == "asked") and f.starts(asked.subject, "$SRV.") and (f.token(asked.subject, 2) == nil))]],
      "sub asked",
    },
    says = {
      [[f.say("%s is for all services, but the subscription for the answers ends with the first one", asked.subject)]],
      "asked",
    },
    cause = "The client uses a request with one reply: gather answers for some time instead.",
  },
  {
    id = "NATS-N53",
    name = "nats_n53",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Purge of a key without Nats-Rollup",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 208,
    says = {
      [[f.say("KV-Operation PURGE of %s has no header Nats-Rollup: the values before it stay in the bucket", c.subject)]],
      "c",
    },
    cause = "A purge replaces all other messages of its subject, by `Nats-Rollup: sub`.",
  },
  {
    id = "NATS-N53b",
    name = "nats_n53b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Nats-Rollup of the whole bucket in a message about one key",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 209,
    says = {
      [[f.say("the message to %s has `Nats-Rollup: all`: all other keys of the bucket are removed", c.subject)]],
      "c",
    },
    cause = "`all` is for the whole stream, `sub` for the subject of the message.",
  },
  {
    id = "NATS-N54",
    name = "nats_n54",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Deletion of a key with a value",
    on = "client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 210,
    says = {
      [[f.say("the message to %s has KV-Operation %s and a value of %s, which readers do not get", c.subject, f.item(c["headers[]"], "KV-Operation"), f.counted(c["#payload"], "byte", "bytes"))]],
      "c",
    },
    cause = "The header of an earlier message is used again, or the marker is meant for a value: readers take the key as deleted.",
  },
  {
    id = "NATS-B89",
    name = "nats_b89",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Keys overwritten without a revision after their update was refused",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    guard = 131,
    when = {
      [[((asked.refused_n ~= nil) and (asked.state == "asked") and ((f.coalesce(conn.forced, 0) + 1) >= K.FORCED_LIMIT))]],
      "asked conn",
    },
    says = {
      [[f.say("%s is written without an expected revision, although the write that expected one was refused in frame %s, as happened before on this connection", asked.subject, asked.refused_n)]],
      "asked",
    },
    cause = "The client answers a conflict by writing anyway: the value of the other client is lost, and a lock has two holders. Read the key, and update it with its new revision.",
  },
  {
    id = "NATS-B89b",
    name = "nats_b89b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Key overwritten without a revision after its update was refused",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    guard = 131,
    when = { [[((asked.refused_n ~= nil) and (asked.state == "asked"))]], "asked" },
    says = {
      [[f.say("%s is written without an expected revision, although the write that expected one was refused in frame %s", asked.subject, asked.refused_n)]],
      "asked",
    },
    cause = "The client answers a conflict by writing anyway: the value of the other client is lost, and a lock has two holders.",
  },
  {
    id = "NATS-B109",
    name = "nats_b109",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Nats-Rollup of the whole stream in a message about one of its subjects",
    on = "msg hmsg",
    needs = {},
    of = "conn",
    guard = 102,
    when = {
      [[((asked.state == "asked") and (asked.meaning == nil) and (asked.rolls_up == "all") and (not f.starts(asked.subject, "$KV.")) and ((f.has(stock.subjects, asked.subject) and (stock.other_n ~= nil)) or (stock.rolled_up ~= nil and asked.subject ~= nil and stock.rolled_up ~= asked.subject)))]],
      "asked stock",
    },
    says = {
      [[f.say("the message to %s has `Nats-Rollup: all`, and the stream also stores other subjects: their messages are removed too", asked.subject)]],
      "asked",
    },
    cause = "`all` replaces the whole stream, `sub` the messages of the subject alone.",
  },
  {
    id = "NATS-B133",
    name = "nats_b133",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Many deleted objects whose markers stay in their bucket",
    on = "client:pub client:hpub",
    needs = { "whole" },
    of = "bucket",
    when = {
      [[((f.starts(c.subject, "$O.") and (f.token(c.subject, 2) == "M") and LISTS[15][(f.between(c["payload raw"], "\"deleted\":", "rue") or "")] and (f.count(bucket.markers) ~= nil and f.count(bucket.markers) == (K.MARKERS_LIMIT - 1)) and (f.has(bucket.markers, c.subject) ~= nil and not f.has(bucket.markers, c.subject))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c bucket captures",
    },
    says = {
      [[f.say("%s objects of bucket %s were deleted, and none of them put again: the metadata of each stay in the bucket, marked as deleted", K.MARKERS_LIMIT, f.token(c.subject, 1))]],
      "c",
    },
    cause = "Each object has a name of its own: the markers fill a bucket with max_bytes, and a full one refuses new objects. Use names again, or set a ttl, or purge the metadata.",
  },
  {
    id = "NATS-N55",
    name = "nats_n55",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Metadata of an object that contradict their subject, or with a malformed digest",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 31,
    finds = { [[f.predicates.is_odd_object("subject payload", c.subject, c["payload raw"])]], "c" },
    says = { [[f.say("the metadata of an object in frame %s are odd: %s", n, f.whole(found))]], "n found" },
    cause = "The client writes them itself: others do not find the object by its name, or refuse its digest.",
  },
  {
    id = "NATS-N55b",
    name = "nats_n55b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Name of an object that is not in base64url with its padding",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 211,
    finds = { [[f.predicates.is_odd_object_name("subject payload", c.subject, c["payload raw"])]], "c" },
    says = {
      [[f.say("the request to %s asks for the object %s: names of objects are in base64url, with their padding", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "The client encodes the name otherwise than the one that stores it: the object is not found, except where both are the same.",
  },
  {
    id = "NATS-N56",
    name = "nats_n56",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Metadata of an object without Nats-Rollup",
    on = "client:pub",
    needs = {},
    of = "conn",
    guard = 31,
    says = {
      [[f.say("the metadata of an object are published to %s without `Nats-Rollup: sub`: those before them stay in the stream", c.subject)]],
      "c",
    },
    cause = "Metadata replace the former ones of their object by a roll-up.",
  },
  {
    id = "NATS-N56",
    name = "nats_n56_2",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Metadata of an object without Nats-Rollup",
    on = "client:hpub",
    needs = {},
    of = "conn",
    guard = 212,
    says = {
      [[f.say("the metadata of an object are published to %s without `Nats-Rollup: sub`: those before them stay in the stream", c.subject)]],
      "c",
    },
    cause = "Metadata replace the former ones of their object by a roll-up.",
  },
  {
    id = "NATS-N60",
    name = "nats_n60",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Malformed traceparent",
    on = "client:hpub",
    needs = {},
    of = "conn",
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_odd_trace("headers", c["headers[]"])]], "c" },
    says = {
      [[f.say("the message to %s has the traceparent %s: it is not a version, a trace id of 32 and a span id of 16 hexadecimal digits, and flags", c.subject, f.whole(found))]],
      "c found",
    },
    cause = "Tracing tools ignore the context and begin a new trace.",
  },
  {
    id = "NATS-B105",
    name = "nats_b105",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Same traceparent in several messages in a row",
    on = "client:hpub",
    needs = {},
    of = "conn",
    when = {
      [[((conn.traced_times ~= nil and (conn.traced_times + 1) >= K.TRACED_LIMIT) and ((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (f.item(c["headers[]"], "traceparent") ~= nil)) and ((conn.traced_latest_t ~= nil and (t - conn.traced_latest_t) <= 10000000000.0) and (conn.traced_same ~= nil and f.item(c["headers[]"], "traceparent") ~= nil and conn.traced_same == f.item(c["headers[]"], "traceparent"))))]],
      "c conn t",
    },
    says = {
      [[f.say("%s messages in a row have one traceparent, %s", K.TRACED_LIMIT, f.item(c["headers[]"], "traceparent"))]],
      "c",
    },
    cause = "The context is made once and never renewed: all messages are one span of a trace.",
  },
  {
    id = "NATS-N61",
    name = "nats_n61",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request answered with an error of the service",
    on = "hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 48,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the request to %s was answered with the error %s %s", asked.subject, f.item(c["headers[]"], "Nats-Service-Error-Code"), f.coalesce(f.item(c["headers[]"], "Nats-Service-Error"), ""))]],
      "c asked",
    },
    cause = "The service says why in Nats-Service-Error: an error has the headers of one, and the payload may be empty.",
  },
  {
    id = "NATS-B111",
    name = "nats_b111",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request repeated after the same error of the service",
    on = "hmsg",
    needs = {},
    of = "service_refused",
    when = {
      [[(((service_refused.times ~= nil and (service_refused.times + 1) >= K.SAME_ERROR_LIMIT) and ((asked.state == "asked") and (asked.meaning == nil) and ((f.number(f.item(c["headers[]"], "Nats-Service-Error-Code")) or 0) > 0) and (c.status == nil) and (asked.content ~= nil)) and ((service_refused.latest_t ~= nil and (t - service_refused.latest_t) <= K.SAME_ERROR_PAUSE) and (service_refused.same ~= nil and f.item(c["headers[]"], "Nats-Service-Error-Code") ~= nil and service_refused.same == f.item(c["headers[]"], "Nats-Service-Error-Code")))) and ((service_refused.slower ~= nil and service_refused.times ~= nil and (service_refused.slower * 4) < ((service_refused.times - 2) * 3)) or (service_refused.latest_t ~= nil and f.coalesce(service_refused.first_gap, (service_refused.latest_t ~= nil and (t - service_refused.latest_t) or nil)) ~= nil and (t - service_refused.latest_t) <= (2 * f.coalesce(service_refused.first_gap, (service_refused.latest_t ~= nil and (t - service_refused.latest_t) or nil))))))]],
      "c service_refused asked t",
    },
    says = {
      [[f.say("the same request to %s was answered %s times in a row with the error %s %s", asked.subject, K.SAME_ERROR_LIMIT, f.item(c["headers[]"], "Nats-Service-Error-Code"), f.coalesce(f.item(c["headers[]"], "Nats-Service-Error"), ""))]],
      "c asked",
    },
    cause = "The requester does not read the headers of the answer, or repeats what cannot succeed without a pause.",
  },
  {
    id = "NATS-N24f",
    name = "nats_n24f",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "No message for a direct get",
    on = "server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 213,
    when = { [[((asked.state == "asked") and (asked.meaning == "direct get"))]], "asked" },
    says = {
      [[f.say("the request to %s was answered with status 404 %s", asked.subject, f.coalesce(c.description, ""))]],
      "c asked",
    },
    cause = "The stream has no such message, or the key-value store no such key.",
  },
  {
    id = "NATS-N24g",
    name = "nats_n24g",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Direct get refused",
    on = "server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 214,
    when = { [[((asked.state == "asked") and (asked.meaning == "direct get"))]], "asked" },
    says = {
      [[f.say("the request to %s was answered with status %s %s", asked.subject, c.status, f.coalesce(c.description, ""))]],
      "c asked",
    },
    cause = "The request has no sequence and no subject, or contradicts itself, or asks for too many messages at once.",
  },
  {
    id = "NATS-N25d",
    name = "nats_n25d",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Pull request with the pin id of another client (423)",
    on = "server:hmsg",
    needs = {},
    of = "pull",
    again = true,
    guard = 123,
    when = { [[(pull.state == "asked")]], "pull" },
    says = {
      [[f.say("the pull request ended with status 423 %s: the consumer is pinned to another client", f.coalesce(c.description, ""))]],
      "c",
    },
    cause = "The client was silent for longer than the pin lasts. It has to clear the id, and pull without one.",
  },
  {
    id = "NATS-N25e",
    name = "nats_n25e",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream pull request refused, because too many wait",
    on = "server:hmsg",
    needs = {},
    of = "pull",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(client, server, pull.subject)]], "client server pull" },
    guard = 215,
    when = { [[(pull.state == "asked")]], "pull" },
    says = { [[f.say("the pull request was refused with status %s %s", c.status, c.description)]], "c" },
    cause = "More pull requests are open than max_waiting of the consumer: clients pull again before their requests end, or share the consumer with too many others.",
  },
  {
    id = "NATS-B1b",
    name = "nats_b1b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Different JetStream requests refused with one error in a row",
    on = "msg hmsg",
    needs = {},
    of = "failing",
    when = {
      [[(((failing.times ~= nil and (failing.times + 1) >= K.FAILING_LIMIT) and ((asked.state == "asked") and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "error\":{\"code\":", ",") ~= nil) and (f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and not LISTS[18][f.between(c["payload raw"], "\"err_code\":", ",")])) and ((failing.latest_t ~= nil and (t - failing.latest_t) <= K.FAILING_PAUSE) and (failing.same ~= nil and f.between(c["payload raw"], "\"err_code\":", ",") ~= nil and failing.same == f.between(c["payload raw"], "\"err_code\":", ",")))) and ((failing.slower ~= nil and failing.times ~= nil and (failing.slower * 4) < ((failing.times - 2) * 3)) or (failing.latest_t ~= nil and f.coalesce(failing.first_gap, (failing.latest_t ~= nil and (t - failing.latest_t) or nil)) ~= nil and (t - failing.latest_t) <= (2 * f.coalesce(failing.first_gap, (failing.latest_t ~= nil and (t - failing.latest_t) or nil))))))]],
      "c failing asked t",
    },
    says = {
      [[f.say("%s requests or messages in a row, the last one to %s, were refused: %s", K.FAILING_LIMIT, asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    cause = "The client does not read the errors in the answers, and goes on.",
  },
  {
    id = "NATS-B2b",
    name = "nats_b2b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Messages to several subjects of one kind that nothing receives (503)",
    on = "hmsg",
    since = {
      [[f.since(conn, f.coalesce(unheard_kind.second_n, asked.n), asked.n, n, unheard_kind.first_n)]],
      "conn unheard_kind asked n",
    },
    needs = { "since" },
    of = "unheard_kind",
    when = {
      [[((((unheard_kind.times ~= nil and (unheard_kind.times + 1) >= K.UNHEARD_KIND_LIMIT) and ((c.status == 503) and (asked.state == "asked") and (asked.meaning == nil) and (f.token(asked.subject, 1) ~= nil) and (asked.subject ~= nil and asked.subject ~= f.coalesce(conn.unheard_last, ""))) and (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) <= 10000000000.0)) and ((unheard_kind.slower ~= nil and unheard_kind.times ~= nil and (unheard_kind.slower * 4) < ((unheard_kind.times - 2) * 3)) or (unheard_kind.latest_t ~= nil and f.coalesce(unheard_kind.first_gap, (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) or nil)) ~= nil and (t - unheard_kind.latest_t) <= (2 * f.coalesce(unheard_kind.first_gap, (unheard_kind.latest_t ~= nil and (t - unheard_kind.latest_t) or nil)))))) and ((conn.connect_n ~= nil) and (conn.cluster == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))))]],
      "c unheard_kind asked conn t",
    },
    says = {
      [[f.say("%s requests in a row, the last one to %s, were answered with status 503: no subscriber and no stream has these subjects", K.UNHEARD_KIND_LIMIT, asked.subject)]],
      "asked",
    },
    cause = "The client ignores the status or takes it for an ack; its messages are lost. The subjects of the stream or the service are others.",
  },
  {
    id = "NATS-N24h",
    name = "nats_n24h",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "JetStream request that fails for what exists, is full or is away",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c client server asked",
    },
    guard = 216,
    when = {
      [[((asked.state == "asked") and (asked.meaning ~= nil) and (asked.meaning ~= nil and asked.meaning ~= "info"))]],
      "asked",
    },
    says = {
      [[f.say("%s was refused: %s", asked.meaning, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    by = { [[f.between(c["payload raw"], "\"err_code\":", ",")]], "c" },
    causes = {
      ["10058"] = "A stream of this name exists with another configuration: update it, or use it as it is.",
      ["10065"] = "Another stream has one of these subjects, or a wildcard that covers it.",
      ["10052"] = "The description names the setting of the stream that is not valid.",
      ["10056"] = "The name in the subject of the request is not the one in its body.",
      ["10025"] = "The request is not JSON, or a member has another type than the server reads.",
      ["10003"] = "The server cannot read the request: a member is missing, or has an impossible value.",
      ["10038"] = "This request takes no payload.",
      ["10074"] = "More than one replica needs a cluster.",
      ["10005"] = "The cluster has fewer servers that fit than there are to be replicas.",
      ["10026"] = "The stream, or the account, has as many consumers as it may have: others are left behind.",
      ["10027"] = "The account has as many streams as it may have.",
      ["10002"] = "The account has no room left for what the stream reserves.",
      ["10023"] = "The server has no room left for what the stream reserves.",
      ["10028"] = "The server has no memory left for what the stream reserves.",
      ["10047"] = "The server has no disk space left for what the stream reserves (max_bytes).",
      ["10113"] = "The account demands max_bytes of each stream.",
      ["10013"] = "A consumer of this name exists, with another configuration.",
      ["10148"] = "A consumer of this name exists with another configuration, and the action is create.",
      ["10149"] = "No such consumer exists, and the action is update.",
      ["10105"] = "The push consumer has a subscriber already: only one may be bound.",
      ["10106"] = "The consumer exists under another durable name.",
      ["10012"] = "The description names what of the consumer cannot be changed, or is not valid.",
      ["10094"] = "deliver_policy does not fit opt_start_seq or opt_start_time: each policy has a start of its own.",
      ["10093"] = "The filter of the consumer does not match the subjects of the stream.",
      ["10131"] = "The filter in the subject of the request is not the one in its body.",
      ["10136"] = "The consumer has both filter_subject and filter_subjects.",
      ["10138"] = "The filters of the consumer overlap.",
      ["10016"] = "The durable name has to be in the subject of the request.",
      ["10017"] = "The name in the subject of the request is not durable_name.",
      ["10019"] = "The subject of the request has a name, and its body none.",
      ["10132"] = "name and durable_name of the consumer differ.",
      ["10103"] = "Names of consumers have no dots, wildcards or blanks.",
      ["10079"] = "The deliver subject of a push consumer has no wildcard.",
      ["10081"] = "The deliver subject is one that the stream itself stores.",
      ["10082"] = "max_ack_pending needs an ack_policy.",
      ["10083"] = "idle_heartbeat is below 100 ms: it is in nanoseconds.",
      ["10088"] = "idle_heartbeat of a consumer is for push consumers; pull requests have their own.",
      ["10089"] = "flow_control is for push consumers.",
      ["10108"] = "flow_control needs idle_heartbeat.",
      ["10098"] = "A stream with retention workqueue needs ack_policy explicit.",
      ["10084"] = "A stream with retention workqueue needs ack_policy explicit.",
      ["10099"] = "A stream with retention workqueue has one consumer without a filter, and this would be a second one.",
      ["10100"] = "Another consumer of the stream with retention workqueue has a filter that overlaps.",
      ["10101"] = "Consumers of a stream with retention workqueue begin with all messages.",
      ["10116"] = "max_deliver has to be above the number of values in backoff.",
      ["10121"] = "max_ack_pending is above the limit of the account.",
      ["10126"] = "The consumer has more replicas than its stream.",
      ["10153"] = "inactive_threshold is above the limit of the server.",
      ["10109"] = "The stream is sealed: it takes no changes.",
      ["10043"] = "The stream has no message of this sequence any more.",
      ["10008"] = "No leader is elected: servers of the cluster are away.",
      ["10009"] = "This server does not lead what the request is about.",
      ["10039"] = "The account of this user has no JetStream.",
      ["10076"] = "The server runs without JetStream.",
      ["10160"] = "The consumer has no such priority group.",
      ["10167"] = "More requests are waiting than the server takes.",
      ["10185"] = "The server is older than the request demands.",
    },
  },
  {
    id = "NATS-N24i",
    name = "nats_n24i",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Message that a full, sealed or busy stream does not store",
    on = "server:msg server:hmsg",
    needs = {},
    of = "asked",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = {
      [[f.member(client, server, asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c client server asked",
    },
    guard = 217,
    when = { [[((asked.state == "asked") and (asked.meaning == nil))]], "asked" },
    says = {
      [[f.say("the message to %s was not stored: %s", asked.subject, f.between(c["payload raw"], K.DESCRIPTION, K.QUOTE))]],
      "c asked",
    },
    by = { [[f.between(c["payload raw"], "\"err_code\":", ",")]], "c" },
    causes = {
      ["10054"] = "The message is larger than max_msg_size of the stream.",
      ["10097"] = "The headers of the message are larger than 64 KiB.",
      ["10060"] = "Nats-Expected-Stream names another stream than the one that stores the subject.",
      ["10077"] = "The description says which limit of the stream is reached: with discard new a full stream takes nothing until messages are removed.",
      ["10109"] = "The stream is sealed: it takes no messages.",
      ["10111"] = "The stream does not permit roll-ups (allow_rollup_hdrs), or the header has another value than sub and all.",
      ["10002"] = "The account has no room left.",
      ["10023"] = "The server has no room left.",
      ["10028"] = "The server has no memory left.",
      ["10047"] = "The server has no disk space left.",
      ["10165"] = "Nats-TTL is a number of seconds, or a duration such as 1h, of a second at least.",
      ["10166"] = "Nats-TTL needs a stream with allow_msg_ttl.",
      ["10158"] = "A message with this Nats-Msg-Id is being stored: the publisher repeats too early.",
      ["10168"] = "Nats-Incr needs a stream with allow_msg_counter.",
      ["10169"] = "The stream has counters: each message needs Nats-Incr.",
      ["10170"] = "A message with Nats-Incr has no payload.",
      ["10174"] = "Batches need a stream with allow_atomic.",
      ["10175"] = "Nats-Batch-Sequence is missing.",
      ["10176"] = "Messages of the batch are missing, or came too late.",
      ["10177"] = "The header that is named cannot be used in a batch.",
      ["10188"] = "Nats-Schedule needs a stream with allow_msg_schedules.",
      ["10193"] = "Nats-Expected-Last-Subject-Sequence-Subject needs the sequence too.",
      ["10167"] = "More messages are waiting than the server takes.",
    },
  },
  {
    id = "NATS-B112",
    name = "nats_b112",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each NATS message published twice in a row",
    on = "client:pub client:hpub",
    needs = { "whole", "both" },
    of = "conn",
    guard = 144,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (conn.pair_subject ~= nil and c.subject ~= nil and conn.pair_subject == c.subject) and (conn.pair_content ~= nil and f.digest(c["payload raw"]) ~= nil and conn.pair_content == f.digest(c["payload raw"])) and (conn.run == 1) and ((f.coalesce(conn.pairs, 0) + 1) >= K.PAIR_LIMIT))]],
      "c conn",
    },
    says = {
      [[f.say("%s messages in a row were each published twice, with the same subject and payload; the last one to %s", K.PAIR_LIMIT, c.subject)]],
      "c",
    },
    cause = "Two parts of the program send the message, or a wrapper calls publish again: subscribers process everything twice.",
  },
  {
    id = "NATS-B113",
    name = "nats_b113",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same NATS messages from two connections of one publisher at once",
    on = "client:pub client:hpub",
    needs = {},
    of = "topic",
    guard = 144,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.flow ~= nil and topic.flow >= 0) and (msg_id.first_n == nil) and (topic.content ~= nil and f.digest(c["payload raw"]) ~= nil and topic.content == f.digest(c["payload raw"])) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.BOTH_TIME) and (topic.content ~= nil and topic.content ~= f.coalesce(topic.hit, "")) and ((f.coalesce(topic.both, 0) + 1) >= K.BOTH_LIMIT) and (topic.program ~= nil and f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, "")) ~= nil and topic.program == f.key(f.key(f.coalesce(f.program(conn.client_name), client), f.coalesce(conn.client_product, "")), f.coalesce(conn.client_version, ""))) and (conn.delivered == 0))]],
      "c conn topic flow msg_id t client",
    },
    says = {
      [[f.say("%s messages to %s came from two connections with the same payload, each within %s: they are processed twice", K.BOTH_LIMIT, c.subject, f.time(K.BOTH_TIME))]],
      "c",
    },
    cause = "The program publishes on each of its connections, or its instances, such as replicas with a timer each, do not agree on which of them does the work.",
  },
  {
    id = "NATS-B113b",
    name = "nats_b113b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same NATS messages from two connections of several programs at once",
    on = "client:pub client:hpub",
    needs = {},
    of = "topic",
    guard = 144,
    when = {
      [[((conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow) and (topic.flow ~= nil and topic.flow >= 0) and (msg_id.first_n == nil) and (topic.content ~= nil and f.digest(c["payload raw"]) ~= nil and topic.content == f.digest(c["payload raw"])) and (topic.latest_t ~= nil and (t - topic.latest_t) <= K.BOTH_TIME) and (topic.content ~= nil and topic.content ~= f.coalesce(topic.hit, "")) and ((f.coalesce(topic.both, 0) + 1) >= K.BOTH_LIMIT) and (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow))]],
      "c conn topic flow msg_id t",
    },
    says = {
      [[f.say("%s messages to %s came from two connections with the same payload, each within %s: they are processed twice", K.BOTH_LIMIT, c.subject, f.time(K.BOTH_TIME))]],
      "c",
    },
    cause = "The program publishes on each of its connections, or its instances, such as replicas with a timer each, do not agree on which of them does the work.",
  },
  {
    id = "NATS-B114",
    name = "nats_b114",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Equal NATS requests open at once",
    on = "client:pub client:hpub",
    needs = { "start", "whole", "both" },
    of = "twin",
    guard = 1,
    when = { [[(twin.open ~= nil and (twin.open + 1) >= K.AT_ONCE_LIMIT)]], "twin" },
    says = {
      [[f.say("%s requests to %s with one payload have no answer yet", (twin.open ~= nil and (twin.open + 1) or nil), c.subject)]],
      "c twin",
    },
    cause = "The requester asks again while the service still works: its timeout is shorter than the time that an answer takes, or several parts of it ask for the same.",
  },
  {
    id = "NATS-B124",
    name = "nats_b124",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "NATS requests sent again before they are answered",
    on = "client:pub client:hpub",
    needs = { "whole", "both" },
    of = "asked_again",
    when = {
      [[((asked_again.times ~= nil and (asked_again.times + 1) >= K.ASKED_AGAIN) and ((c.reply_to ~= nil) and (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and ((c["#payload"] or 1) > 1) and (not f.starts(c.subject, "$")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT.")) and (twin.open ~= nil and twin.open >= 1) and (twin.asked_t ~= nil and (t - twin.asked_t) > K.ASKED_PAUSE)) and (asked_again.latest_t ~= nil and (t - asked_again.latest_t) <= 10000000000.0))]],
      "c asked_again conn twin t",
    },
    says = {
      [[f.say("%s times in a row a request to %s was sent again, with the same payload, while the one before had no answer yet", K.ASKED_AGAIN, c.subject)]],
      "c",
    },
    cause = "The requester's timeout is shorter than the time that the answer takes: the work is done twice, and what a stream gets without a Nats-Msg-Id is stored twice.",
  },
  {
    id = "NATS-B126",
    name = "nats_b126",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "JetStream messages published again by the client that received them",
    on = "client:pub client:hpub",
    needs = {},
    of = "requeued",
    when = {
      [[((requeued.times ~= nil and (requeued.times + 1) >= K.REQUEUED_LIMIT) and ((conn.bodies ~= nil) and (conn.published ~= nil and conn.published < K.FORMAT_SAMPLE) and f.has(conn.bodies, f.member(c.subject, f.digest(c["payload raw"])))) and (requeued.latest_t ~= nil and (t - requeued.latest_t) <= 10000000000.0))]],
      "c requeued conn t",
    },
    says = {
      [[f.say("%s messages to %s were published by the client that had received them on this subject, with the same payload: the stream stores them again", K.REQUEUED_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client puts back what it cannot process yet, or passes messages on to the subject that it reads: messages that always fail go round without end. -NAK with a delay keeps the message and counts its deliveries.",
  },
  {
    id = "NATS-B118",
    name = "nats_b118",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests that one client answers twice",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 146,
    when = {
      [[((served.state == "answered") and (served.size ~= nil and c["#payload"] ~= nil and served.size == c["#payload"]) and (served.again_n == nil) and (served.asked ~= nil) and (not f.starts(served.asked, "$SRV.")) and ((f.coalesce(conn.answered_again, 0) + 1) >= K.AGAIN_LIMIT))]],
      "c served conn",
    },
    says = {
      [[f.say("the request to %s in frame %s is answered a second time, as %s requests of this connection were", served.asked, served.n, (f.coalesce(conn.answered_again, 0) + 1))]],
      "served conn",
    },
    cause = "The handler replies, and what calls it replies too: requesters that read several answers take the second one for that of another request.",
  },
  {
    id = "NATS-B117",
    name = "nats_b117",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Many subscriptions that differ in their last token",
    on = "client:sub",
    needs = { "start", "whole" },
    of = "siblings",
    when = { [[(siblings.count ~= nil and (siblings.count + 1) == K.SIBLINGS_LIMIT)]], "siblings" },
    says = {
      [[f.say("%s subscriptions of one connection differ in their last token only, the last one is to %s", K.SIBLINGS_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client subscribes for each item: each subscription costs memory in all servers of a cluster, and all are sent again with a reconnect. `*` matches any token.",
  },
  {
    id = "NATS-B115",
    name = "nats_b115",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Pull request without messages or a status although it has expired",
    on = "end:sub",
    evidence = { [[f.first_known(sub.pull_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    again = true,
    when = {
      [[((sub.state == "live") and (sub["until"] ~= nil and sub.pull_t ~= nil and sub["until"] > sub.pull_t) and (sub["until"] ~= nil and t > (sub["until"] + K.PULL_LATE)) and (sub.delivered ~= nil and sub.wanted ~= nil and sub.delivered < sub.wanted) and (conn.cluster == nil))]],
      "sub t conn",
    },
    says = {
      [[f.say("the pull request to %s was to expire after %s, and had neither its messages nor a status %s later", sub.pull_of, f.time((sub["until"] ~= nil and sub.pull_t ~= nil and (sub["until"] - sub.pull_t) or nil)), f.time((sub["until"] ~= nil and (t - sub["until"]) or nil)))]],
      "sub t",
    },
    cause = "Nothing received the request: the consumer does not exist, or has no leader, and without no_responders in CONNECT the server does not say so.",
  },
  {
    id = "NATS-B116",
    name = "nats_b116",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Subscription without messages although its subject was published to",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, topic.latest_n)]], "sub topic" },
    needs = { "start", "object", "both" },
    of = "sub",
    when = {
      [[((sub.delivered == 0) and (sub.state == "live") and (sub.queue == nil) and (topic.latest_t ~= nil and sub.t ~= nil and topic.latest_t > (sub.t + K.UNHEARD_TIME)) and (topic.server ~= nil and server ~= nil and topic.server == server) and (conn.errors == 0) and ((conn.echo ~= nil and conn.echo ~= false) or (topic.flow ~= nil and flow ~= nil and topic.flow ~= flow)) and (conn.cluster == nil))]],
      "sub topic server conn flow",
    },
    says = {
      [[f.say("nothing came for the subscription to %s, which was published to in frame %s, %s after it", sub.subject, topic.latest_n, f.time((topic.latest_t ~= nil and sub.t ~= nil and (topic.latest_t - sub.t) or nil)))]],
      "sub topic",
    },
    cause = "The two connections are in different accounts, or the user may not subscribe to the subject or publish to it.",
    by = { [[((f.coalesce(conn.user, "") ~= f.coalesce(topic.user, "")) and 1 or 0)]], "conn topic" },
    causes = {
      [1] = "The two connections have different users, perhaps of different accounts: messages of one account do not reach the other without an export and an import.",
    },
  },
  {
    id = "NATS-N14c",
    name = "nats_n14c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request without a reply for a long time",
    on = "end:asked",
    evidence = { [[f.first_known(asked.n)]], "asked" },
    needs = { "whole", "both" },
    of = "asked",
    again = true,
    when = {
      [[((why == "end") and (asked.state == "asked") and (asked.t ~= nil and (t - asked.t) > K.REPLY_MISSED) and (asked.meaning == nil) and (conn.peers == nil) and (conn.cluster == nil))]],
      "why asked t conn",
    },
    says = {
      [[f.say("the request to %s has had no reply for %s", asked.subject, f.time((asked.t ~= nil and (t - asked.t) or nil)))]],
      "asked t",
    },
  },
  {
    id = "NATS-B119",
    name = "nats_b119",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream deleted or purged while another connection receives its messages",
    on = "client:pub client:hpub",
    needs = {},
    of = "used",
    guard = 50,
    when = {
      [[((used.readers ~= nil and used.readers > 0) and (used.flow ~= nil and flow ~= nil and used.flow ~= flow))]],
      "used flow",
    },
    says = {
      [[f.say("%s removes the messages of a stream that another connection receives, since frame %s", c.subject, used.taken_n)]],
      "c used",
    },
    cause = "A program empties or deletes what others use, at its start for example: messages that they have not received are lost, and their consumers are gone with the stream.",
  },
  {
    id = "NATS-B119b",
    name = "nats_b119b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Consumer deleted while another connection receives from it",
    on = "client:pub client:hpub",
    needs = {},
    of = "team",
    guard = 218,
    when = {
      [[((team.user ~= nil) and (team.user ~= nil and flow ~= nil and team.user ~= flow))]],
      "team flow",
    },
    says = {
      [[f.say("%s deletes a consumer from which another connection receives messages, since frame %s", c.subject, team.used_n)]],
      "c team",
    },
    cause = "An instance deletes the consumer that it shares when it stops, or a program at its start: the others get nothing more, and the place up to which they had read is lost.",
  },
  {
    id = "NATS-N62",
    name = "nats_n62",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Subject, or name in a subject, that was not meant",
    on = "client:sub",
    needs = {},
    of = "conn",
    again = true,
    guard = 33,
    when = { [[(conn.cluster == nil)]], "conn" },
    finds = { [[f.predicates.is_mistaken_subject("subject queue_group", c.subject, c.queue_group)]], "c" },
    says = { [[f.say("%s for %s has %s", name, c.subject, f.whole(found))]], "c name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "NATS-N62",
    name = "nats_n62_2",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Subject, or name in a subject, that was not meant",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 33,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_mistaken_subject("subject", c.subject)]], "c" },
    says = { [[f.say("%s for %s has %s", name, c.subject, f.whole(found))]], "c name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "NATS-N63",
    name = "nats_n63",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Payload that was converted wrongly",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 219,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_mistaken("payload", c["payload raw"])]], "c" },
    says = { [[f.say("the payload of the message to %s is %s", c.subject, f.whole(found))]], "c found" },
    cause = "The program passes a value that it has not encoded, or that was encoded before: subscribers cannot use it.",
  },
  {
    id = "NATS-N64",
    name = "nats_n64",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Payload as encoded text",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 220,
    when = { [[(conn.published ~= nil and conn.published < K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_text_of_bytes("payload", c["payload raw"])]], "c" },
    says = { [[f.say("the payload of the message to %s is %s", c.subject, f.whole(found))]], "c found" },
    cause = "The program encodes bytes as text, although a payload is bytes: it is a third larger, or twice as large.",
  },
  {
    id = "NATS-N65",
    name = "nats_n65",
    severity = "WARN",
    group = "SECURITY",
    title = "Token in CONNECT that is not valid at this time",
    on = "client:connect",
    needs = {},
    of = "conn",
    again = true,
    guard = 221,
    finds = { [[f.predicates.has_invalid_token("jwt auth_token t", c.jwt, c.auth_token, t)]], "c t" },
    says = { [[f.say("the token in CONNECT %s", f.whole(found))]], "found" },
    cause = "The client keeps its credentials beyond their life, or the clock of a host is wrong: the server refuses it, and each reconnect too.",
  },
  {
    id = "NATS-N58",
    name = "nats_n58",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request of a client without echo to a subject that it serves itself",
    on = "server:hmsg",
    needs = {},
    of = "conn",
    guard = 6,
    when = {
      [[((conn.echo ~= nil and not conn.echo) and (asked.state == "asked") and f.has(conn.subjects, asked.subject))]],
      "conn asked",
    },
    says = {
      [[f.say("no responder for %s: this connection subscribes to it, but echo is false in CONNECT, so that it does not get its own requests", asked.subject)]],
      "asked",
    },
    cause = "Client and service share a connection that was opened with the option no echo.",
  },
  {
    id = "NATS-N59",
    name = "nats_n59",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "PONG without a PING",
    on = "client:pong server:pong",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[orphan]], "orphan" },
    says = { [[f.say("PONG is sent although no PING is open")]] },
    cause = "The client answers another line by PONG, or answers twice: the other side may take it as the answer to a later PING.",
  },
  {
    id = "NATS-B101",
    name = "nats_b101",
    severity = "WARN",
    group = "SEQUENCE",
    title = "More equal subscriptions after each reconnect",
    on = "end:conn",
    evidence = { [[f.first_known(conn.copy_n, before.copy_n)]], "conn before" },
    needs = { "start", "whole" },
    of = "before",
    when = {
      [[((conn.copies ~= nil and conn.copies > f.coalesce(before.copies, 0)) and ((f.coalesce(before.grown, 0) + 1) >= 2))]],
      "conn before",
    },
    says = {
      [[f.say("%s of this connection repeat an earlier one, %s on the connection before, and fewer on the one before that", f.counted(conn.copies, "subscription", "subscriptions"), before.copies)]],
      "conn before",
    },
    cause = "Both the library and the program subscribe again after a reconnect: each message is delivered more often each time.",
  },
  {
    id = "NATS-B101b",
    name = "nats_b101b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription restored twice after a reconnect",
    on = "client:sub",
    needs = {},
    of = "conn",
    guard = 28,
    when = {
      [[(f.has(conn.plain, c.subject) and f.has(conn.restored, c.subject) and (before.clean == 1))]],
      "c conn before",
    },
    says = {
      [[f.say("%s subscribes to %s a second time since its reconnect; before its connection was lost it had one subscription: each message is now delivered twice", f.coalesce(conn.client_name, client), c.subject)]],
      "c conn client",
    },
    cause = "Both the library and the program subscribe again after a reconnect.",
  },
  {
    id = "NATS-B102",
    name = "nats_b102",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription within another one of the connection",
    on = "client:sub",
    needs = {},
    of = "conn",
    guard = 28,
    when = {
      [[f.choose(f.literal(c.subject), f.matching(c.subject, conn.wide), f.matching(conn.literal, c.subject))]],
      "c conn",
    },
    says = {
      [[f.say("the client subscribes to %s and to %s: it gets a message twice if both match", c.subject, f.choose(f.literal(c.subject), conn.wide, conn.literal))]],
      "c conn",
    },
    cause = "One part of the program subscribes to all, another one to a part of it.",
  },
  {
    id = "NATS-B134",
    name = "nats_b134",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests whose inbox the client has unsubscribed",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 1,
    when = {
      [[((conn.left_inbox ~= nil) and f.matching(c.reply_to, conn.left_inbox) and (conn.left_asked ~= nil and (conn.left_asked + 1) >= K.INBOX_LEFT_LIMIT))]],
      "c conn",
    },
    says = {
      [[f.say("%s requests want their answers on %s, which the client unsubscribed in frame %s: no answer reaches it", (conn.left_asked ~= nil and (conn.left_asked + 1) or nil), conn.left_inbox, conn.left_n)]],
      "conn",
    },
    cause = "The end of one request, such as its timeout, ends the subscription that all requests of the client share.",
  },
  {
    id = "NATS-B135",
    name = "nats_b135",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Inbox of requests within another subscription of the client",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    guard = 1,
    when = {
      [[((conn.broad ~= nil) and f.matching(c.reply_to, conn.broad) and f.matching(c.reply_to, conn.inbox) and (conn.overheard ~= nil and (conn.overheard + 1) >= K.OVERHEARD_LIMIT))]],
      "c conn",
    },
    says = {
      [[f.say("the answers of %s requests go to %s, and the client subscribes to %s too: it gets each answer twice", (conn.overheard ~= nil and (conn.overheard + 1) or nil), conn.inbox, conn.broad)]],
      "conn",
    },
    cause = "The prefix of the inboxes lies under subjects that the client subscribes to for another purpose, whose handler gets the answers.",
  },
  {
    id = "NATS-B103",
    name = "nats_b103",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Two programs in one queue group",
    on = "client:sub",
    needs = {},
    of = "workers",
    when = {
      [[((workers.live ~= nil and workers.live > 0) and (workers.program ~= nil and f.program(conn.client_name) ~= nil and workers.program ~= f.program(conn.client_name)))]],
      "workers conn",
    },
    says = {
      [[f.say("%s joins queue group %s of %s, in which %s is: each message goes to one of the two programs", conn.client_name, c.queue_group, c.subject, workers.client_name)]],
      "c conn workers",
    },
    cause = "Programs for different tasks need different queue groups, even if their subject is the same.",
  },
  {
    id = "NATS-B108",
    name = "nats_b108",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Message to a number beyond those that are subscribed to",
    on = "client:pub client:hpub",
    needs = { "start", "whole" },
    of = "series",
    when = {
      [[((series.count ~= nil and series.count >= 2) and (series.most ~= nil and series.count ~= nil and series.most <= series.count) and (network.wide_n == nil) and (f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")) ~= nil and series.most ~= nil and f.number(f.between(f.between(c.subject, f.stem(c.subject), ""), ".", "")) > series.most))]],
      "c series network",
    },
    says = {
      [[f.say("a message is published to %s, but subscriptions in these captures end with number %s: no subscription receives it", c.subject, series.most)]],
      "c series",
    },
    cause = "The publisher counts more partitions or shards than there are.",
  },
  {
    id = "NATS-B117b",
    name = "nats_b117b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Many subscriptions that differ in a token between the first and the last",
    on = "client:sub",
    needs = { "start", "whole" },
    of = "family",
    when = { [[(family.count ~= nil and (family.count + 1) == K.SIBLINGS_LIMIT)]], "family" },
    says = {
      [[f.say("%s subscriptions of one connection have the same first and last token, the last one is to %s", K.SIBLINGS_LIMIT, c.subject)]],
      "c",
    },
    cause = "The client subscribes for each item, or never ends what it has subscribed to for one: each subscription costs memory in all servers of a cluster, and all are sent again with a reconnect. `*` matches any token.",
  },
  {
    id = "NATS-B104",
    name = "nats_b104",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subject subscribed to and unsubscribed for a message at most, repeatedly",
    on = "end:sub",
    evidence = {
      [[f.first_known(f.coalesce(resubscribed.second_n, sub.n), sub.n, resubscribed.first_n)]],
      "resubscribed sub",
    },
    needs = {},
    of = "resubscribed",
    when = {
      [[((resubscribed.times ~= nil and (resubscribed.times + 1) >= K.RESUBSCRIBED_LIMIT) and (((why == "removed") and (sub.delivered ~= nil and sub.delivered <= 1) and (not f.starts(sub.subject, "_")) and (not f.starts(sub.subject, "$")) and (conn.peers == nil) and (not f.starts(f.coalesce(conn.client_name, ""), "LIFT."))) and (why ~= nil and not LISTS[9][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both)) and ((resubscribed.latest_t ~= nil and sub.t ~= nil and resubscribed.latest_t <= (sub.t + 0)) and (sub.t ~= nil and resubscribed.latest_t ~= nil and (sub.t - resubscribed.latest_t) <= 2000000000.0)))]],
      "resubscribed why sub conn",
    },
    says = {
      [[f.say("%s was subscribed to %s times in a row, for one message at most each time", sub.subject, K.RESUBSCRIBED_LIMIT)]],
      "sub",
    },
    cause = "The client reads by subscribing for each message: what is published in between is lost. A subscription that stays gets all.",
  },
  {
    id = "NATS-B150",
    name = "nats_b150",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Most conditional writes to a subject refused, from several clients",
    on = "msg hmsg",
    needs = {},
    of = "asked",
    again = true,
    guard = 132,
    when = {
      [[((asked.compares ~= nil) and (asked.state == "asked") and (contest.refused ~= nil and (contest.refused + 1) >= K.CONTEST_LIMIT) and (contest.refused ~= nil and contest.refused >= (2 * f.coalesce(contest.agreed, 0))) and ((f.count(contest.writers) or 2) > 2))]],
      "asked contest",
    },
    says = {
      [[f.say("%s writes to %s were refused with 'wrong last sequence' and %s stored: %s clients write to it at once, and each reads and tries again", (contest.refused ~= nil and (contest.refused + 1) or nil), asked.compares, f.coalesce(contest.agreed, 0), f.count(contest.writers))]],
      "contest asked",
    },
    cause = "All clients write to one subject under a condition, which one of them meets at a time. A subject or key of its own for each, or a counter of the stream, needs no retry.",
  },
  {
    id = "NATS-B151",
    name = "nats_b151",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subject purged before a consumer has received its last message",
    on = "client:pub client:hpub",
    needs = { "start", "whole", "both" },
    of = "newest",
    again = true,
    guard = 222,
    when = {
      [[((newest.stored ~= nil and newest.stored > f.coalesce(newest.taken, 0)) and (newest.stored_t ~= nil and (t - newest.stored_t) <= K.JUST_STORED) and (newest.stored_flow ~= nil and flow ~= nil and newest.stored_flow == flow) and (origin.consumer_n ~= nil))]],
      "newest t flow origin",
    },
    says = {
      [[f.say("%s removes all messages of a subject, also the one in frame %s, which the client published %s ago and no consumer in these captures has received", c.subject, newest.stored_n, f.time((newest.stored_t ~= nil and (t - newest.stored_t) or nil)))]],
      "c newest t",
    },
    cause = "The last message says that something has ended, and is purged with what it ends: consumers never learn of it. A purge with keep 1, or up to a sequence, leaves it.",
  },
  {
    id = "NATS-B137",
    name = "nats_b137",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream deleted and created again that is the source of another one",
    on = "client:pub client:hpub",
    needs = { "whole" },
    of = "origin",
    again = true,
    when = {
      [[((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and (f.token(c.subject, 3) == "CREATE") and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) == nil) and (origin.copy ~= nil) and (origin.deleted_n ~= nil and origin.copy_n ~= nil and origin.deleted_n > origin.copy_n) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c origin removed captures",
    },
    says = {
      [[f.say("stream %s is deleted and created again, and stream %s has it as its source: its sequences begin at 1, while %s goes on after the last one that it has copied", f.token(c.subject, 4), origin.copy, origin.copy)]],
      "c origin",
    },
    cause = "The program deletes a stream to empty it: what is stored from then on is not copied until the sequence is reached. A purge keeps the sequences; or create both streams again.",
  },
  {
    id = "NATS-B138",
    name = "nats_b138",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Work queue with a consumer that is also the source of another stream",
    on = "client:pub client:hpub",
    needs = { "whole" },
    of = "origin",
    again = true,
    when = {
      [[(((origin.queue_n ~= nil) and ((f.starts(c.subject, "$JS.API.STREAM.") and LISTS[20][f.token(c.subject, 3)] and (c.reply_to ~= nil) and ((f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\":\"", "\"") or f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "\"name\": \"", "\"")) ~= nil) and (f.between(f.coalesce(f.coalesce((f.between(c["payload raw"], "\"sources\":[", "]") or f.between(c["payload raw"], "\"sources\": [", "]")), (f.between(c["payload raw"], "\"mirror\":{", "}") or f.between(c["payload raw"], "\"mirror\": {", "}"))), ""), "filter_subject", "") == nil) and (origin.consumer_n ~= nil)) or (f.starts(c.subject, "$JS.") and LISTS[6][f.called(c.subject, K.JETSTREAM)] and (origin.copy ~= nil) and (f.has(removed.streams, origin.copy) ~= nil and not f.has(removed.streams, origin.copy)) and (origin.is_whole == 1)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c origin removed captures",
    },
    says = {
      [[f.say("a work queue (frame %s) has a consumer, and is the source of another stream (%s): each message goes to one of the two", origin.queue_n, c.subject)]],
      "c origin",
    },
    cause = "A source is a consumer: the work queue removes what was copied, and its workers do not receive it. A stream with limits, or with retention interest, can be copied.",
  },
  {
    id = "NATS-B139",
    name = "nats_b139",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message scheduled in a stream with retention interest that no consumer wants",
    on = "msg hmsg",
    needs = { "whole" },
    of = "origin",
    when = {
      [[(((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule ~= nil)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c asked origin captures",
    },
    finds = {
      [[f.predicates.is_unwanted("asked.subject origin.filters", asked.subject, origin.filters)]],
      "asked origin",
    },
    says = {
      [[f.say("the schedule %s is stored as %s, and the consumers of its stream want %s: with retention interest the stream drops it at once, so its message is never published", asked.schedule, asked.subject, f.whole(found))]],
      "asked found",
    },
    cause = "A schedule is a message of its own subject, and has to be kept until it is due: retention workqueue or limits keeps it.",
  },
  {
    id = "NATS-B139b",
    name = "nats_b139b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message in a stream with retention interest that no consumer wants",
    on = "msg hmsg",
    needs = { "whole" },
    of = "origin",
    when = {
      [[(((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (origin.interest_n ~= nil) and (origin.filters ~= nil) and (asked.schedule == nil)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c asked origin captures",
    },
    finds = {
      [[f.predicates.is_unwanted("asked.subject origin.filters", asked.subject, origin.filters)]],
      "asked origin",
    },
    says = {
      [[f.say("the message to %s was stored, and the consumers of its stream want %s: with retention interest the stream drops it at once", asked.subject, f.whole(found))]],
      "asked found",
    },
    cause = "The filter of the consumer does not match the subject, or its consumer does not exist yet.",
  },
  {
    id = "NATS-B140",
    name = "nats_b140",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer that starts beyond the messages of its stream",
    on = "msg hmsg",
    needs = { "whole" },
    of = "origin",
    when = {
      [[(((asked.state == "asked") and (asked.meaning == nil) and f.starts(c["payload raw"], K.OPEN) and (f.between(c["payload raw"], "\"stream\":\"", "\"") ~= nil) and (asked.n ~= nil and origin.start_n ~= nil and asked.n > origin.start_n) and ((f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) ~= nil and origin.start ~= nil and (f.number(f.between(c["payload raw"], "\"seq\":", ",")) or (f.number(f.between(c["payload raw"], "\"seq\": ", ",")) or (f.number(f.between(c["payload raw"], "\"seq\":", "}")) or f.number(f.between(c["payload raw"], "\"seq\": ", "}"))))) < origin.start) and (origin.below ~= nil and (origin.below + 1) >= K.BELOW_LIMIT)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c asked origin captures",
    },
    says = {
      [[f.say("a consumer starts at sequence %s, and %s messages that were published later have smaller ones: they are not delivered to it", origin.start, K.BELOW_LIMIT)]],
      "origin",
    },
    cause = "The client has kept the sequence of a stream that was deleted and created again, or of another one. Compare it with last_seq of the stream first.",
  },
  {
    id = "NATS-B141",
    name = "nats_b141",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "All messages that a consumer may have open are put off",
    on = "server:hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 43,
    when = {
      [[((pull.state == "asked") and (conn.max_pending ~= nil and conn.max_pending > 0) and (conn.put_off ~= nil and conn.max_pending ~= nil and conn.put_off >= conn.max_pending) and (conn.put_off_until ~= nil and t < conn.put_off_until) and (conn.stalls ~= nil and conn.stalls >= 1) and (f.count(conn.consumers) == 1) and (((f.number(f.token(conn.ack_to, 8)) or 0) > 0) or (origin.stored ~= nil and f.number(f.token(conn.ack_to, 5)) ~= nil and origin.stored > f.number(f.token(conn.ack_to, 5)))))]],
      "pull conn t origin",
    },
    says = {
      [[f.say("%s messages are rejected with a delay that is not over, which is max_ack_pending of the consumer: pull requests expire, although messages wait", conn.put_off)]],
      "conn",
    },
    cause = "A message that is rejected by -NAK with a delay stays open. Raise max_ack_pending, or publish such messages for later and acknowledge them.",
  },
  {
    id = "NATS-B152",
    name = "nats_b152",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Pull requests to a paused consumer",
    on = "client:pub client:hpub",
    needs = {},
    of = "rest",
    guard = 52,
    when = { [[(rest.until_t ~= nil and rest.until_t > t)]], "rest t" },
    says = {
      [[f.say("a pull request is sent to consumer %s, which is paused for another %s: it expires without messages", f.token(c.subject, 6), f.time((rest.until_t ~= nil and (rest.until_t - t) or nil)))]],
      "c rest t",
    },
    cause = "The client does not look at pause_remaining, or another program has paused the consumer.",
  },
  {
    id = "NATS-N68",
    name = "nats_n68",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Configuration of a stream or consumer with a member that has no effect",
    on = "client:pub client:hpub",
    needs = {},
    of = "conn",
    again = true,
    guard = 54,
    finds = { [[f.predicates.contradicts_itself("payload subject", c["payload raw"], c.subject)]], "c" },
    says = { [[f.say("%s (%s)", f.whole(found), c.subject)]], "c found" },
    cause = "Two members of the configuration are about the same, and the other one counts.",
  },
  {
    id = "NATS-B142",
    name = "nats_b142",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Keys written with the revisions of refusals, without a read",
    on = "msg hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 131,
    when = {
      [[((asked.guess_n ~= nil) and (asked.state == "asked") and ((f.coalesce(conn.guessed, 0) + 1) >= K.GUESSED_LIMIT))]],
      "asked conn",
    },
    says = {
      [[f.say("%s is written with the revision that the refusal in frame %s named, and the client has not read the value that it replaces, as happened before on this connection", asked.key, asked.guess_n)]],
      "asked",
    },
    cause = "The client takes the revision from the text of the error and writes again: the check has no effect, and a lock or a lease is taken from its holder.",
  },
  {
    id = "NATS-B142b",
    name = "nats_b142b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Key written with the revision of a refusal, without a read",
    on = "msg hmsg",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 131,
    when = { [[((asked.guess_n ~= nil) and (asked.state == "asked"))]], "asked" },
    says = {
      [[f.say("%s is written with the revision that the refusal in frame %s named, and the client has not read the value that it replaces", asked.key, asked.guess_n)]],
      "asked",
    },
    cause = "The client takes the revision from the text of the error and writes again: the check has no effect.",
  },
  {
    id = "NATS-N21b",
    name = "nats_n21b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Client dropped by the server as a slow consumer",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(S.last_n, C.command_n)]], "S C" },
    needs = { "start", "both" },
    of = "C",
    when = {
      [[((conn.left == nil) and (conn.shut_t ~= nil and (t - conn.shut_t) <= K.SLOW_DROP) and (conn.peers == nil))]],
      "conn t",
    },
    says = {
      [[f.say("the server ended the connection %s after the client had closed its TCP window: it takes the client for a slow consumer", f.time((conn.shut_t ~= nil and (t - conn.shut_t) or nil)))]],
      "conn t",
    },
    cause = "The client does not read as fast as messages arrive: a handler blocks its reader, or a subscription gets more than it can process. What the server still had is lost.",
  },
  {
    id = "NATS-N22",
    name = "nats_n22",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection closed by the server without -ERR",
    on = "client:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(S.last_n)]], "S" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[(((conn.dropped == 1) or (name == "tcp.reset")) and (conn.left == nil) and (conn.connect_n ~= nil) and (conn.errors == 0) and (conn.ldm_n == nil) and (conn.peers == nil))]],
      "conn name",
    },
    says = {
      [[f.say("the server closed the connection without sending -ERR or announcing lame duck mode")]],
    },
  },
  {
    id = "NATS-N31",
    name = "nats_n31",
    severity = "WARN",
    group = "SEQUENCE",
    title = "NATS frames sent after the server closed the connection",
    on = "end:conn",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = { "whole", "both" },
    of = "conn",
    again = true,
    when = { [[(C.last_t ~= nil and S.closed_t ~= nil and C.last_t > (S.closed_t + K.HALF_OPEN))]], "C S" },
    says = {
      [[f.say("the client sent frames for %s after the server had closed its side of the connection (FIN)", f.time((C.last_t ~= nil and S.closed_t ~= nil and (C.last_t - S.closed_t) or nil)))]],
      "C S",
    },
    cause = "The client does not notice the end of the connection: it no longer reads, or ignores the end of what it reads.",
  },
}

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
  if getmetatable(of) == nil then return of end
  local all = {}
  for value in pairs(of) do all[#all + 1] = value end
  table.sort(all, function(one, other) return of[one] < of[other] end)
  return all
end

-- The values of a member of a set: numbers that Lua can hold, text, and nil for what was not known.
function near.parts(member)
  local values, count, place = {}, 0, 1
  while place <= #(member or "") do
    local mark, size, from = member:match("^(#?)(%d+):()", place)
    count = count + 1
    if size then
      local text = member:sub(from, from + size - 1)
      values[count], place = text, from + size
      if mark == "#" then values[count] = (#text <= 15 or text:find(".", 1, true)) and tonumber(text) or text end
    else place = place + 1 end
  end
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

-- What the predicates of rules say of the content of messages: JSON, text in another encoding, web tokens -------------
-- The same as `streamshark.findings.mistaken_text`, `announced_content` and `web_tokens`.

;(function() -- a scope of its own: Lua takes 200 names in one

local near, contents = f.near, {}
f.contents = contents

local LONGEST = 64 * 1024 -- bytes of which the content is judged
local DEEPEST = 500 -- lists and objects inside each other that are read

-- JSON: a list is a table with `is_list`, an object one with the `names` of its members and their values, `of`. ----

contents.null = {}

local LITERALS = {
  ["true"] = true, ["false"] = false, null = contents.null, NaN = math.huge - math.huge, Infinity = math.huge, ["-Infinity"] = -math.huge,
}
local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function skip(text, place) return text:find("[^ \t\n\r]", place) or #text + 1 end

local function utf8_of(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64) end
  return string.char(0xF0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64, 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

-- Each of these gives a value and the place after it; no place where the text is malformed.

local function string_at(text, place)
  local parts, from = {}, place + 1
  while true do
    local to = text:find('["\\%z\1-\31]', from)
    local mark = to and text:sub(to, to)
    if mark ~= '"' and mark ~= "\\" then return nil end
    parts[#parts + 1] = text:sub(from, to - 1)
    if mark == '"' then return table.concat(parts), to + 1 end
    local code = text:sub(to + 1, to + 1)
    local high = code == "u" and tonumber(text:match("^%x%x%x%x", to + 2) or "", 16)
    if high then
      local low = high >= 0xD800 and high < 0xDC00 and tonumber(text:match("^\\u([dD][c-fC-F]%x%x)", to + 6) or "", 16)
      parts[#parts + 1] = utf8_of(low and 0x10000 + (high - 0xD800) * 1024 + low - 0xDC00 or high)
      from = to + (low and 12 or 6)
    elseif ESCAPES[code] then
      parts[#parts + 1] = ESCAPES[code]
      from = to + 2
    else return nil end
  end
end

local function json_number(text, place)
  local whole, upto = text:match("^(%-?%d+)()", place)
  if not whole or whole:find("^%-?0%d") then return nil end
  upto = text:match("^%.%d+()", upto) or upto
  upto = text:match("^[eE][-+]?%d+()", upto) or upto
  return tonumber(text:sub(place, upto - 1)), upto
end

local value_at

local function list_at(text, place, depth)
  local found, value = { is_list = true }
  place = skip(text, place + 1)
  if text:sub(place, place) == "]" then return found, place + 1 end
  while true do
    value, place = value_at(text, place, depth)
    if not place then return nil end
    found[#found + 1], place = value, skip(text, place)
    local mark = text:sub(place, place)
    if mark == "]" then return found, place + 1 end
    if mark ~= "," then return nil end
    place = skip(text, place + 1)
  end
end

local function object_at(text, place, depth)
  local found, name, value = { names = {}, of = {} }
  place = skip(text, place + 1)
  if text:sub(place, place) == "}" then return found, place + 1 end
  while true do
    if text:sub(place, place) ~= '"' then return nil end
    name, place = string_at(text, place)
    place = place and skip(text, place)
    if not place or text:sub(place, place) ~= ":" then return nil end
    value, place = value_at(text, skip(text, place + 1), depth)
    if not place then return nil end
    if found.of[name] == nil then found.names[#found.names + 1] = name end
    found.of[name], place = value, skip(text, place)
    local mark = text:sub(place, place)
    if mark == "}" then return found, place + 1 end
    if mark ~= "," then return nil end
    place = skip(text, place + 1)
  end
end

function value_at(text, place, depth)
  local mark = text:sub(place, place)
  if mark == '"' then return string_at(text, place) end
  if mark == "{" or mark == "[" then
    if depth >= DEEPEST then return nil end
    return (mark == "{" and object_at or list_at)(text, place, depth + 1)
  end
  local literal, upto = text:match("^(%-?%a+)()", place)
  if literal then
    if LITERALS[literal] == nil then return nil end
    return LITERALS[literal], upto
  end
  return json_number(text, place)
end

-- The value of JSON text and whether it is such.
function contents.json(text)
  if not is_utf8(text) then return nil, false end
  local value, place = value_at(text, skip(text, 1), 0)
  if not place or skip(text, place) <= #text then return nil, false end
  return value, true
end

-- The JSON object in a payload; nil for another value, or too much to read.
function contents.object(payload)
  if type(payload) ~= "string" or payload == "" or #payload > LONGEST then return nil end
  local found = contents.json((payload:gsub("^\239\187\191", "")))
  return type(found) == "table" and found.of and found or nil
end

local function is_structure(text)
  local found = contents.json(text)
  return type(found) == "table" and found ~= contents.null
end

-- A value as JSON, cut to what a sentence can hold.
function contents.shown(value, most)
  local function text_of(each)
    if type(each) == "string" then
      return '"' .. each:gsub('["\\%c]', function(one)
        return one == '"' and '\\"' or one == "\\" and "\\\\" or one == "\n" and "\\n" or one == "\r" and "\\r" or one == "\t" and "\\t" or ("\\u%04x"):format(one:byte())
      end) .. '"'
    end
    if type(each) == "number" then return each == math.floor(each) and ("%.0f"):format(each) or ("%.14g"):format(each) end
    if type(each) == "boolean" then return tostring(each) end
    if type(each) ~= "table" or each == contents.null then return "null" end
    local parts = {}
    for nth, one in ipairs(each.is_list and each or each.names) do
      parts[nth] = each.is_list and text_of(one) or text_of(one) .. ": " .. text_of(each.of[one])
    end
    return each.is_list and "[" .. table.concat(parts, ", ") .. "]" or "{" .. table.concat(parts, ", ") .. "}"
  end
  return text_of(value):sub(1, most)
end

-- Base64 ---------------------------------------------------------------------------------------------------------

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local value_of_digit = { ["-"] = 62, ["_"] = 63 }
for place = 1, #DIGITS do value_of_digit[DIGITS:sub(place, place)] = place - 1 end

-- The bytes that Base64 stands for, of whichever alphabet, without its padding; nil for other text.
function contents.unpacked(text)
  if #text % 4 == 1 or text:find("[^%w+/_-]") then return nil end
  local out, held, bits = {}, 0, 0
  for digit in text:gmatch(".") do
    held, bits = held * 64 + value_of_digit[digit], bits + 6
    if bits >= 8 then
      bits = bits - 8
      local unit = math.floor(2 ^ bits)
      out[#out + 1] = string.char(math.floor(held / unit))
      held = held % unit
    end
  end
  return table.concat(out)
end

-- Bytes as Base64 of the alphabet for URLs, with its padding.
function contents.packed(bytes)
  local out = {}
  for place = 1, #bytes, 3 do
    local a, b, c = bytes:byte(place, place + 2)
    local three = a * 65536 + (b or 0) * 256 + (c or 0)
    for nth = 3, 0, -1 do
      local digit = math.floor(three / math.floor(64 ^ nth)) % 64 + 1
      local is_padding = nth == 1 and not b or nth == 0 and not c
      out[#out + 1] = is_padding and "=" or DIGITS:sub(digit, digit)
    end
  end
  return (table.concat(out):gsub("%+", "-"):gsub("/", "_"))
end

-- Mistaken content -----------------------------------------------------------------------------------------------

local MARK = "\239\187\191" -- the byte order mark in UTF-8
local WIDE, FEWEST = 64, 8 -- bytes that are enough to recognise text in UTF-16, and the fewest of such a text

-- The encoding of text that is not UTF-8: each other byte of it is zero.
function contents.wide(content)
  local bare = content:gsub("^\255\254", ""):gsub("^\254\255", ""):sub(1, WIDE)
  if #bare < FEWEST or #content % 2 == 1 or not bare:sub(1, 2):find("%z") then return "" end
  local letters, plain, shift = 0, 0, bare:byte(2) == 0 and 0 or 1
  for place = 1, #bare - 1, 2 do
    letters = letters + 1
    if bare:byte(place + 1 - shift) == 0 then
      plain = plain + 1
      local letter = bare:byte(place + shift)
      local is_letter = letter >= 9 and letter <= 13 or letter >= 28 and letter <= 126 or letter == 0x85 or letter >= 0xA0 and letter ~= 0xAD
      if not is_letter then return "" end
    end
  end
  return plain * 4 >= letters * 3 and "text in UTF-16" or ""
end

-- What stands after the first character of one beyond ASCII that was read as Windows-1252 and encoded again.
local LATER, LATER_OF_PUNCTUATION = {}, {}
for each in ("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"):gmatch("[\194-\244][\128-\191]*") do LATER[each] = true end
for each in ("™œ“”˜"):gmatch("[\194-\244][\128-\191]*") do LATER_OF_PUNCTUATION[each] = true end
for code = 0x80, 0xBF do
  LATER[utf8_of(code)], LATER_OF_PUNCTUATION[utf8_of(code)] = true, true
end

-- Whether text has more than one character of UTF-8 that was encoded as UTF-8 again.
local function is_encoded_twice(text)
  local count, place = 0, text:find("\195[\130\131\162]")
  while place do
    local is_letter, from = text:byte(place + 1) ~= 162, place + 2
    local known = is_letter and LATER or text:find("^€", from) and LATER_OF_PUNCTUATION
    if known and not is_letter then from = from + #"€" end
    local later = known and text:match("^[\194-\244][\128-\191]*", from)
    if later and known[later] then
      count, from = count + 1, from + #later
      if count > 1 then return true end
    else from = place + 2 end
    place = text:find("\195[\130\131\162]", from)
  end
  return false
end

local function mistaken_text(text)
  if not is_utf8(text) then return "" end
  if near.UNSET[text] and text ~= "null" and text ~= "None" then return "the text of an unset variable" end
  if text:find("[\128-\255]") and is_encoded_twice(text) then return "text that was encoded as UTF-8 twice" end
  return near.object(text:match("^%s*(.-)%s*$"))
end

-- What of a text that looks like JSON is not in JSON.
local function not_json(content)
  if content:find("^" .. MARK .. "%s*[{%[]") then return "JSON after a byte order mark, which JSON does not have" end
  if not content:find("^[{%[]") or not (content:find("NaN", 1, true) or content:find("Infinity", 1, true)) then return "" end
  local bare = content:gsub("\\.", ""):gsub('"[^"]*"', '""')
  local place = 1
  while place do
    local from, _, literal = bare:find("[:%[,]%s*(%-?%a+)%s*[,%]}]", place)
    if literal == "NaN" or literal == "Infinity" or literal == "-Infinity" then return "JSON with " .. literal .. ", which is no value of JSON" end
    place = from and from + 1
  end
  return ""
end

-- What a content is that was converted once too often, or not at all.
function contents.mistaken(content)
  if content == "" or #content > LONGEST then return "" end
  if content:find('^%s*"%s*[{%[]') then
    local inner = contents.json(content)
    if type(inner) == "string" and is_structure(inner) then return "JSON that was encoded as JSON twice" end
  end
  local found = contents.wide(content)
  if found == "" then found = mistaken_text(content) end
  return found == "" and not_json(content) or found
end

local SHORTEST = 12 -- characters of a text that stands for bytes
local FORMATS = {
  ["\31\139\8"] = "gzip", ["\40\181\47\253"] = "Zstandard", ["\4\34\77\24"] = "LZ4", ["\137PNG\r\n"] = "PNG", ["%PDF-"] = "PDF",
  ["Obj\1"] = "Avro",
}

local function format_of(content)
  if content:find("^[{%[]") then return is_structure(content) and "JSON" or nil end
  for mark, name in pairs(FORMATS) do if content:sub(1, #mark) == mark then return name end end
end

-- What a text is that stands for bytes which could have been sent as they are.
function contents.text_of_bytes(content)
  local bare = content:match("^%s*(.-)%s*$")
  if #bare < SHORTEST or #bare > LONGEST then return "" end
  if #bare % 2 == 0 and (not bare:find("[^0-9a-f]") or not bare:find("[^0-9A-F]")) then
    local found = format_of((bare:gsub("..", function(two) return string.char(tonumber(two, 16)) end)))
    return found and found .. " in hexadecimal digits" or ""
  end
  local packed, padding = bare:match("^([%w+/]+)(=*)$")
  if #bare % 4 ~= 0 or not packed or #padding > 2 then return "" end
  local found = format_of(contents.unpacked(packed) or "")
  return found and found .. " in Base64" or ""
end

-- Announced content ----------------------------------------------------------------------------------------------

local ENCODINGS = { gzip = "\31\139", ["x-gzip"] = "\31\139", zstd = "\40\181\47\253" }
local UNCODED = { [""] = true, identity = true, ["utf-8"] = true, utf8 = true }
local BLANKS = "^[ \t\r\n\239\187\191]*"

local function trimmed(text) return ((text or ""):match("^%s*(.-)%s*$"):lower()) end

-- What bytes are not, although it is announced; empty if they are, or may be.
function contents.differs(content_type, encoding, content)
  if content == "" then return "" end
  local coding = trimmed(encoding)
  if ENCODINGS[coding] then
    return content:sub(1, #ENCODINGS[coding]) == ENCODINGS[coding] and "" or "not compressed with " .. coding
  end
  if not UNCODED[coding] then return "" end
  local kind = trimmed((content_type or ""):match("^[^;]*"))
  local found = (kind:find("^text/") or kind:find("json$") or kind:find("xml$")) and contents.wide(content) or ""
  if found ~= "" then return found end
  local bare = content:gsub(BLANKS, "")
  if kind == "application/json" or kind == "text/json" or kind:find("%+json$") then
    if not bare:find('^[{%["%-0-9tfn]') then return "not JSON" end
    if #content > LONGEST then return "" end
    local _, is_json = contents.json(bare)
    return is_json and "" or "not JSON"
  end
  if kind == "application/xml" or kind == "text/xml" then return bare:sub(1, 1) == "<" and "" or "not XML" end
  return ""
end

-- Trace contexts -------------------------------------------------------------------------------------------------

local HEX = "[0-9a-f]"
local SPAN = HEX:rep(16)
local W3C = "00%-(" .. HEX:rep(32) .. ")%-(" .. SPAN .. ")%-" .. HEX .. HEX
local B3 = { "()(" .. HEX:rep(32) .. ")%-(" .. SPAN .. ")%f[^0-9a-f]", "()(" .. SPAN .. ")%-(" .. SPAN .. ")%f[^0-9a-f]" }

-- The ids of the trace and of the span in a text, as digits; nil without them.
function contents.trace_context(content)
  local trace, span = content:match(W3C)
  if trace or not content:find("[bB]3") then return trace, span end
  local place, short_place, short_trace, short_span
  place, trace, span = content:match(B3[1])
  short_place, short_trace, short_span = content:match(B3[2])
  if short_place and (not place or short_place < place) then return short_trace, short_span end
  return trace, span
end

-- Which id of a trace context is zero, so that it is invalid.
function contents.context_fault(trace, span)
  if trace and not trace:find("[^0]") then return "the trace id is zero" end
  return span and not span:find("[^0]") and "the span id is zero" or ""
end

-- The ids that the last of some contexts, which are pairs, have in common.
function contents.constant_context(contexts, least)
  local last = contexts[#contexts]
  if #contexts < least or not last[1] then return "" end
  for nth = #contexts - least + 1, #contexts do
    if contexts[nth][1] ~= last[1] or contexts[nth][2] ~= last[2] then return "" end
  end
  return "trace id " .. last[1] .. " and span id " .. last[2]
end

-- Web tokens -----------------------------------------------------------------------------------------------------

local SKEW, LATEST = 60, 1e11 -- seconds by which clocks may differ; the greatest time in seconds

-- The JSON object of a part of a token; nil if it is no such part.
function contents.part_of(text)
  local bytes = contents.unpacked(text)
  return bytes and contents.object(bytes)
end

-- Header and claims of the first token in data, as text; nil without one.
function contents.token_in(content)
  local from = content:find("eyJ", 1, true)
  while from do
    local head, claims = content:match("^(eyJ[%w_-]+)%.(eyJ[%w_-]+)%.", from)
    if head and #head >= 9 and #claims >= 5 then return head, claims end
    from = content:find("eyJ", from + 1, true)
  end
end

local function when(seconds) return os.date("!%Y-%m-%d %H:%M:%S UTC", math.floor(math.max(0, seconds))) end

-- Why the first token in data is not valid at a time in ns; nothing of its content.
function contents.token_fault(content, t)
  local head, claims = contents.token_in(content)
  head, claims = head and contents.part_of(head), claims and contents.part_of(claims)
  if not head or not claims then return "" end
  local algorithm, expires, begins, now = head.of.alg, claims.of.exp, claims.of.nbf, math.floor(t / 1e9)
  if type(algorithm) == "string" and algorithm:lower() == "none" then return "is not signed (alg none)" end
  if type(expires) == "number" then
    if expires > LATEST then return "expires at a time that is not in seconds (exp)" end
    if expires + SKEW < now then return "expired at " .. when(expires) end
  end
  if type(begins) == "number" and now + SKEW < begins and begins < LATEST then return "is not valid before " .. when(begins) end
  return ""
end

-- When the first token in data expired, if it has expired at a time in ns.
function contents.expiry(content, t)
  local _, claims = contents.token_in(content)
  local own = claims and contents.part_of(claims)
  local expires = own and own.of.exp
  return type(expires) == "number" and expires > 0 and expires * 1e9 <= t and when(expires) or ""
end

end)()

f.predicates = (function(near, contents, tables)
  -- Predicates of rules, as in `subject_predicates.py` and others: the names of the columns, then their values. What they give
  -- is what they found; it is empty where the condition does not hold.

  local P = {}

  local SHOWN = 60 -- characters of a value of JSON in a sentence
  local BEGINNING = 3 -- characters that two names have in common at least, at their beginning

  function P.has_wildcard_in_token(_, subject)
    local tokens = subject_tokens(subject or "")
    for _, each in ipairs(tokens) do if #each > 1 and each:find("[*>]") then return "the token " .. each end end
    for index = 1, #tokens - 1 do if tokens[index] == ">" then return "'>' before its end" end end
    return ""
  end

  -- The subjects and filters of an object of JSON: a configuration, a source or a mirror.
  local function patterns_of(part, into)
    local members = type(part) == "table" and not part.is_list and part.of or {}
    into[#into + 1] = type(members.filter_subject) == "string" and members.filter_subject or nil
    for _, name in ipairs({"filter_subjects", "subjects"}) do
      local several = members[name]
      for _, each in ipairs(type(several) == "table" and several.is_list and several or {}) do
        if type(each) == "string" then into[#into + 1] = each end
      end
    end
  end

  function P.has_wildcard_in_pattern(_, payload)
    local body, all = contents.object(payload), {}
    local config = body and body.of and (type(body.of.config) == "table" and body.of.config.of and body.of.config or body)
    if not config then return "" end
    patterns_of(config, all)
    patterns_of(config.of.mirror, all)
    local sources = config.of.sources
    for _, each in ipairs(type(sources) == "table" and sources.is_list and sources or {}) do patterns_of(each, all) end
    for _, each in ipairs(all) do
      local found = P.has_wildcard_in_token(nil, each)
      if found ~= "" then return each .. ", in which " .. found .. " is no wildcard" end
    end
    return ""
  end

  function P.are_alike(_, one, other)
    one, other = one or "", other or ""
    if one:lower() == other:lower() or f.program(one) == f.program(other) then return other end
    local is_long = one:sub(1, BEGINNING) == other:sub(1, BEGINNING) and math.min(#one, #other) > BEGINNING
    return is_long and near.distance(one, other) <= 1 and other or ""
  end

  -- Payloads and headers -------------------------------------------------------------------------------------------

  -- The value of the first header of a name, in whatever case if it is one of lower case.
  local function header_of(headers, name)
    local found
    for _, each in ipairs(headers or {}) do if each.key:lower() == name then found = each.value end end
    return found
  end

  function P.is_not_announced(_, headers, payload)
    return contents.differs(header_of(headers, "content-type"), header_of(headers, "content-encoding"), payload or "")
  end

  function P.is_mistaken(_, payload) return contents.mistaken(payload or "") end

  function P.is_text_of_bytes(_, payload) return contents.text_of_bytes(payload or "") end

  function P.has_invalid_token(_, jwt, auth_token, t)
    local found = jwt and contents.token_fault(jwt, t) or ""
    return found == "" and auth_token and contents.token_fault(auth_token, t) or found
  end

  function P.is_mistaken_subject(_, subject, queue_group)
    local function found_in(name)
      local found = near.mistaken_name(name)
      return found ~= "" and name .. ", " .. found
    end
    subject = subject or ""
    local found = found_in(queue_group) or found_in(subject)
    for _, token in ipairs(found and {} or subject_tokens(subject)) do found = found or found_in(token) end
    return found or ""
  end

  local function is_trace(value)
    local parts = {}
    for part in (value .. "-"):gmatch("([^-]*)-") do parts[#parts + 1] = part end
    for nth, size in ipairs({ 2, 32, 16, 2 }) do
      if not parts[nth] or #parts[nth] ~= size or parts[nth]:find("[^0-9a-f]") then return false end
    end
    return not (parts[1] == "00" and #parts > 4) and parts[1] ~= "ff" and parts[2]:find("[^0]") ~= nil and parts[3]:find("[^0]") ~= nil
  end

  function P.is_odd_trace(_, headers)
    for _, each in ipairs(headers or {}) do
      if each.key == "traceparent" then
        return is_trace(each.value:match("^%s*(.-)%s*$")) and "" or contents.shown(each.value, SHOWN)
      end
    end
    return ""
  end

  -- Requests of JetStream ------------------------------------------------------------------------------------------

  local function set_of(words)
    local all = {}
    for each in words:gmatch("%S+") do all[each] = true end
    return all
  end

  local DURATIONS = set_of([[ack_wait idle_heartbeat inactive_threshold max_age duplicate_window expires max_expires
    priority_timeout backoff delay subject_delete_marker_ttl]])
  local LONG_DURATIONS = set_of("ack_wait idle_heartbeat expires max_expires delay")
  local LONGEST, LONGEST_SEARCHED = 1e16, 64 * 1024
  local MICRO = "\194\181s"
  local UNITS = { ns = true, us = true, [MICRO] = true, ms = true, s = true, m = true, h = true }

  -- Whether text is a duration of Go.
  local function is_duration(text)
    while text ~= "" do
      local count, rest = text:match("^(%d+%.?%d*)(.*)$")
      local unit = count and (UNITS[rest:sub(1, 3)] and rest:sub(1, 3) or UNITS[rest:sub(1, 2)] and rest:sub(1, 2) or UNITS[rest:sub(1, 1)] and rest:sub(1, 1))
      if not unit then return false end
      text = rest:sub(#unit + 1)
    end
    return true
  end

  -- The first member of some names whose value is of a form and of some length, and the value; `[` may stand before it.
  local function member(payload, names_of, form, least, most)
    for name, place in payload:gmatch('"([%a_]+)"%s*:%s*()') do
      local value = names_of[name] and payload:match("^" .. form, place)
      if value and #value >= least and #value <= most then return name, value end
    end
  end

  -- A short number in front of what ends it, which is not 0.
  local function short_number(payload)
    for name, place in payload:gmatch('"([%a_]+)"%s*:%s*()') do
      local number = DURATIONS[name] and payload:match("^(%d+%.?%d*)%s*[,}%]]", payload:match("^%[%s*()", place) or place)
      if number and #number:match("^%d+") <= 6 and tonumber(number) > 0 then return name, number end
    end
  end

  function P.has_odd_duration(_, payload)
    payload = (payload or ""):sub(1, LONGEST_SEARCHED)
    if payload:sub(1, 4) == "-NAK" then
      local delay = payload:sub(5, 128):match("^%s*(.-)%s*$")
      if delay:sub(1, 1) ~= "{" and not is_duration(delay) then return "the delay " .. as_utf8(delay:sub(1, 20)) .. " without a unit" end
    end
    local name, number = short_number(payload)
    if name then return name .. " is " .. number .. " ns" end
    local long, digits_of = member(payload, LONG_DURATIONS, "(%d+)%s*[,}]", 16, 30)
    if long and tonumber(digits_of) + 0.0 >= LONGEST then return long .. " is " .. digits_of .. " ns" end
    local other, text = member(payload, DURATIONS, '%[?%s*"([^"]*)"', 0, 40)
    return other and other .. " is the text " .. near.quote(as_utf8(text)) or ""
  end

  local ACKS = { [""] = true, ["+ACK"] = true, ["+OK"] = true, ["+WPI"] = true }
  local OTHER_ACKS = { "-NAK", "+NXT", "+TERM", "{" }

  function P.is_unknown_ack(_, payload)
    if ACKS[payload] then return "" end
    for _, prefix in ipairs(OTHER_ACKS) do if payload:sub(1, #prefix) == prefix then return "" end end
    return near.quote(as_utf8(payload:sub(1, 20)))
  end

  local HEADERS = {
    "Nats-Msg-Id", "Nats-Expected-Stream", "Nats-Expected-Last-Sequence", "Nats-Expected-Last-Subject-Sequence",
    "Nats-Expected-Last-Subject-Sequence-Subject", "Nats-Expected-Last-Msg-Id", "Nats-Rollup", "Nats-TTL", "Nats-Schedule",
    "Nats-Schedule-Target", "Nats-Schedule-TTL", "Nats-Incr", "Nats-Batch-Id", "Nats-Batch-Sequence", "Nats-Batch-Commit",
    "Nats-Service-Error", "Nats-Service-Error-Code", "KV-Operation",
  }
  local COUNTS = { ["Nats-Expected-Last-Sequence"] = true, ["Nats-Expected-Last-Subject-Sequence"] = true }
  local is_header = {}
  for _, each in ipairs(HEADERS) do is_header[each] = true end
  local LONGEST_TTL = 1e9

  -- The header of JetStream that a name resembles.
  local function resembled(name)
    local bare = name:lower()
    if bare:sub(1, 4) ~= "nats" and bare:sub(1, 2) ~= "kv" then return nil end
    for _, each in ipairs(HEADERS) do
      if near.plain(each) == near.plain(name) or math.abs(#each - #name) <= 1 and near.distance(each, name) == 1 then return each end
    end
  end

  function P.has_odd_header(_, headers)
    for _, each in ipairs(headers or {}) do
      local name, value = each.key, each.value
      local meant = not is_header[name] and resembled(name)
      if meant then return name .. ", which is read only as " .. meant end
      if COUNTS[name] and not value:find("^%d+$") then return name .. " with " .. contents.shown(value:sub(1, 40)) .. ", which is no sequence" end
      if name == "Nats-Rollup" and value ~= "sub" and value ~= "all" then
        return "Nats-Rollup with " .. contents.shown(value:sub(1, 40)) .. ", which is neither sub nor all"
      end
      if name == "Nats-TTL" and value:find("^%d+$") and tonumber(value:sub(1, 20)) >= LONGEST_TTL then
        return "Nats-TTL with " .. value .. ", which are seconds"
      end
    end
    return ""
  end

  function P.lacks_what_stores_need(_, payload)
    local body = contents.object(payload)
    local name = body and body.of.name
    if type(name) ~= "string" or body.of.mirror ~= nil and body.of.mirror ~= contents.null then return "" end
    if body.of.allow_rollup_hdrs ~= true then return "allow_rollup_hdrs is not true" end
    local history = body.of.max_msgs_per_subject
    if name:sub(1, 3) ~= "KV_" then return "" end
    local is_bounded = type(history) == "number" and history >= 1 and history <= 64
    return is_bounded and "" or "max_msgs_per_subject is not from 1 to 64"
  end

  local SETTINGS = {
    "allow_direct", "mirror_direct", "allow_rollup_hdrs", "deny_delete", "deny_purge", "discard_new_per_subject", "allow_msg_ttl",
    "allow_atomic", "allow_msg_counter", "allow_msg_schedules", "no_ack",
  }

  local function lower_names(object)
    local all = {}
    for _, name in ipairs(object.names) do all[name:lower()] = true end
    return all
  end

  function P.drops_setting(_, payload, config)
    local body = contents.object(payload)
    local known = body and lower_names(body)
    for _, each in ipairs(known and SETTINGS or {}) do
      if not known[each] and (config or ""):find('"' .. each .. '":true', 1, true) then return each end
    end
    return ""
  end

  local LIMITS = {
    max_deliver = -1, ack_wait = 30e9, max_ack_pending = 1000, inactive_threshold = 5e9, filter_subject = "", rate_limit_bps = 0, max_batch = 0,
    max_expires = 0, backoff = contents.null, filter_subjects = contents.null,
  }
  local IN_ORDER = {
    "max_deliver", "ack_wait", "max_ack_pending", "backoff", "inactive_threshold", "filter_subject", "filter_subjects", "rate_limit_bps",
    "max_batch", "max_expires",
  }

  function P.drops_limit(_, payload, config)
    local body = contents.object(payload)
    local wanted, known = body and body.of.config, contents.object("{" .. (config or ""):gsub("%s+$", ""):gsub(",$", ""):gsub("%s+$", ""))
    if type(wanted) ~= "table" or not wanted.of or not known then return "" end
    local given = lower_names(wanted)
    for _, name in ipairs(IN_ORDER) do
      local value = known.of[name]
      local is_empty = value == nil or value == LIMITS[name] or value == contents.null or value == "" or type(value) == "table" and value.is_list and #value == 0
      if not given[name] and not is_empty then return name .. ", which is " .. contents.shown(value, SHOWN) end
    end
    return ""
  end

  -- Whether some subject matches both patterns.
  local function overlaps(one, other)
    local left, right = subject_tokens(one), subject_tokens(other)
    for nth = 1, math.min(#left, #right) do
      local mine, its = left[nth], right[nth]
      if mine == ">" or its == ">" then return true end
      if mine ~= its and mine ~= "*" and its ~= "*" then return false end
    end
    return #left == #right
  end

  function P.is_outside(_, payload, subjects)
    local known, body = contents.json("[" .. (subjects or "") .. "]"), contents.object(payload)
    local config, count, wanted = body and body.of.config, 0, {}
    for _, each in ipairs(known or {}) do if type(each) == "string" then count = count + 1 end end
    if count == 0 or type(config) ~= "table" or not config.of then return "" end
    local several = config.of.filter_subjects
    wanted[1] = config.of.filter_subject or false
    for _, each in ipairs(type(several) == "table" and several.is_list and several or {}) do wanted[#wanted + 1] = each end
    for _, each in ipairs(wanted) do
      local is_met = type(each) ~= "string" or each == ""
      for _, other in ipairs(is_met and {} or known) do is_met = is_met or type(other) == "string" and overlaps(each, other) end
      if not is_met then return each end
    end
    return ""
  end

  -- Services and objects -------------------------------------------------------------------------------------------

  local function is_version(text)
    local rest = text:match("^%d+%.%d+%.%d+(.*)$")
    rest = rest and (rest:match("^%-[%w.-]+(.*)$") or rest)
    return rest ~= nil and (rest == "" or rest:find("^%+[%w.-]+$") ~= nil)
  end

  function P.is_odd_description(_, payload, asked)
    local body = contents.object(payload)
    if not body then return "it is not a JSON object" end
    local own = body.of
    for _, name in ipairs({ "name", "id", "version" }) do if type(own[name]) ~= "string" then return "it has no " .. name end end
    local what = (subject_tokens(asked or "")[2] or ""):lower()
    local kind = "io.nats.micro.v1." .. what .. "_response"
    if (what == "ping" or what == "info" or what == "stats") and own.type ~= kind then
      return "its type is " .. contents.shown(own.type, SHOWN) .. ", not " .. kind
    end
    if not own.name:find("^[%w_-]+$") then
      return "the name " .. contents.shown(own.name, SHOWN) .. " has other characters than A-Z, a-z, 0-9, - and _"
    end
    return is_version(own.version) and "" or "the version " .. contents.shown(own.version, SHOWN) .. " is no semantic version"
  end

  local DIGEST_BYTES = 32

  local function is_digest(text)
    local prefix, value = text:match("^([^=]*)=(.*)$")
    if not prefix or prefix:upper() ~= "SHA-256" or value:find("[+/]") then return false end
    local bytes = contents.unpacked((value:gsub("=+$", "")))
    return bytes ~= nil and #bytes == DIGEST_BYTES
  end

  function P.is_odd_object(_, subject, payload)
    local body, tokens = contents.object(payload), subject_tokens(subject or "")
    if not body then return "" end
    local bucket, name, own = tokens[2] or "", tokens[4] or "", body.of
    if type(own.bucket) == "string" and own.bucket ~= bucket then
      return "its bucket is " .. contents.shown(own.bucket, SHOWN) .. ", but its subject is that of " .. bucket
    end
    if type(own.name) == "string" and name ~= contents.packed(own.name) then
      return "its subject ends in " .. name .. ", not in its name " .. contents.shown(own.name, SHOWN) .. " as base64url"
    end
    local stated = own.digest
    if type(stated) == "string" and stated ~= "" and not is_digest(stated) then
      return "its digest is " .. contents.shown(stated, SHOWN) .. ", not SHA-256= and 32 bytes as base64url"
    end
    return ""
  end

  function P.is_odd_object_name(_, subject, payload)
    for _, text in ipairs({ subject or "", (payload or ""):sub(1, LONGEST_SEARCHED) }) do
      for bucket, name in text:gmatch('%$O%.([^.%s"]+)%.M%.([%w+/_=-]+)') do
        local is_odd = #name % 4 ~= 0 or name:find("[+/]")
        if #bucket <= 256 and is_odd then return name:sub(1, 1024) end
      end
    end
    return ""
  end

  -- Subscriptions that nothing matches, though only just ------------------------------------------------------------

  local LEAST, LONG = 2, 5 -- tokens that two subjects of different lengths share; characters of a long token

  local function matches(pattern, subject) return f.matching(subject, pattern) end

  local function is_longer_or_shorter(wanted, tokens, least)
    if math.abs(#wanted - #tokens) ~= 1 then return false end
    local literal = 0
    for nth = 1, math.min(#wanted, #tokens) do
      if wanted[nth] == tokens[nth] then literal = literal + 1 elseif wanted[nth] ~= "*" then return false end
    end
    return literal >= least
  end

  local function sorted_letters(text)
    local all = {}
    for letter in text:gmatch(".") do all[#all + 1] = letter end
    table.sort(all)
    return table.concat(all)
  end

  local function is_typo(one, other)
    if near.plain(one) == near.plain(other) then return true end
    local mine, its, left, right = subject_tokens(one), subject_tokens(other), nil, nil
    if #mine ~= #its then return false end
    for nth = 1, #mine do
      if mine[nth] ~= its[nth] then
        if left then return false end
        left, right = mine[nth], its[nth]
      end
    end
    if not left or math.min(#left, #right) < LONG or (left .. right):find("%d") then return false end
    if #left == #right then return sorted_letters(left) == sorted_letters(right) and near.distance(left, right, true) == 1 end
    return math.abs(#left - #right) == 1 and near.distance(left, right) == 1
  end

  -- A pattern with the tokens of a subject in the place of its wildcards.
  local function filled(pattern, subject)
    local wanted, had, all = subject_tokens(pattern), subject_tokens(subject), {}
    for nth, each in ipairs(wanted) do all[nth] = each == "*" and (had[nth] or "") or each end
    if all[#all] == ">" and #had >= #wanted then
      for nth = #wanted, #had do all[nth] = had[nth] end
    end
    return table.concat(all, ".")
  end

  local function is_near(pattern, subject)
    if matches(pattern:lower(), subject:lower()) or is_typo(filled(pattern, subject), subject) then return true end
    local wanted, has_star = subject_tokens(pattern), false
    if wanted[#wanted] == ">" then return table.concat(wanted, ".", 1, #wanted - 1) == subject end
    for _, each in ipairs(wanted) do has_star = has_star or each == "*" end
    return has_star and is_longer_or_shorter(wanted, subject_tokens(subject), 1)
  end

  local function is_related(pattern, subject)
    local wanted = subject_tokens(pattern)
    for _, each in ipairs(wanted) do if each == "*" then return false end end
    return wanted[#wanted] ~= ">" and is_longer_or_shorter(wanted, subject_tokens(subject), LEAST)
  end

  -- The first subject that is near to a pattern; empty if one matches.
  local function nearest_subject(pattern, subjects, is_so)
    local found = ""
    for _, subject in ipairs(near.values(subjects)) do
      if matches(pattern or "", subject) then return "" end
      if found == "" and is_so(pattern or "", subject) then found = subject end
    end
    return found
  end

  function P.is_heard_by_none(_, subject, wide)
    for _, each in ipairs(near.values(wide)) do if matches(each, subject or "") then return "" end end
    return subject or ""
  end

  function P.is_nearly_published(_, pattern, subjects) return nearest_subject(pattern, subjects, is_near) end

  function P.is_filter_nearly_published(_, pattern, subjects) return nearest_subject(pattern, subjects, is_near) end

  function P.is_related_to_published(_, pattern, subjects)
    if P.is_nearly_published("", pattern, subjects) ~= "" then return "" end
    return nearest_subject(pattern, subjects, is_related)
  end

  -- What a request is about: `stream` or `stream.consumer`, and which of the two.
  local function named(subject)
    local kind, rest = ((subject or ""):match("%.API%.(.*)$") or ""):match("^([^.]*)%.?(.*)$")
    local tokens = subject_tokens(rest)
    local from = kind == "CONSUMER" and tokens[1] == "DURABLE" and 3 or 2
    return table.concat(tokens, ".", from, math.min(#tokens, kind == "CONSUMER" and from + 1 or from)), kind
  end

  function P.is_nearly_known(_, asked, subjects)
    local wanted, kind = named(asked)
    for _, each in ipairs(near.values(subjects)) do
      local name, other = named(each)
      if kind == other and name ~= wanted and (near.is_misspelt(wanted, name) or near.similar(wanted, { name }) ~= "") then return name end
    end
    return ""
  end

  -- Messages from before, and consumers that want none ---------------------------------------------------------------

  -- The first of some subjects that one of several patterns matches.
  local function first_matched(subjects, patterns)
    for _, subject in ipairs(near.values(subjects)) do
      for _, pattern in ipairs(patterns) do if matches(pattern, subject) then return subject end end
    end
    return ""
  end

  local function texts_of(value)
    local all = {}
    for _, each in ipairs(type(value) == "table" and value.is_list and value or {}) do
      if type(each) == "string" then all[#all + 1] = each end
    end
    return all
  end

  -- The object that a body has as its configuration.
  local function config_of(payload)
    local body = contents.object(payload)
    local config = body and body.of.config
    return type(config) == "table" and config.of or nil
  end

  function P.matches_published(_, pattern, subjects) return first_matched(subjects, { pattern }) end

  function P.stores_published(_, payload, subjects)
    local config = config_of(payload)
    return first_matched(subjects, texts_of(config and config.subjects))
  end

  function P.is_unwanted(_, subject, filters)
    local wanted = {}
    for _, each in ipairs(near.values(filters)) do
      for part in (each .. '"'):gmatch('([^"]*)"') do
        if part:find("[^, ]") then
          if overlaps(subject or "", part) then return "" end
          wanted[#wanted + 1] = part
        end
      end
    end
    return table.concat(wanted, ", ")
  end

  -- Members of requests ----------------------------------------------------------------------------------------------

  local KINDS = { ["text"] = "string", ["number"] = "number", ["true or false"] = "boolean" }

  -- The first tokens of what a request is about and asks for.
  local function first_tokens(subject, count)
    local tokens = subject_tokens((subject or ""):match("%.API%.(.*)$") or "")
    return table.concat(tokens, ".", 1, math.min(count, #tokens)), #tokens
  end

  -- Members by name, and their names in order.
  local function members_of(list)
    local all = { names = {} }
    for nth, each in ipairs(list) do all[each[1]], all.names[nth] = each[2], each[1] end
    return all
  end

  local MEMBERS, is_member = {}, {}
  for request, list in pairs(tables.members) do MEMBERS[request] = members_of(list) end
  local OF_CONSUMER = members_of(tables.consumer)
  for _, each in pairs(MEMBERS) do for _, name in ipairs(each.names) do is_member[name] = true end end
  for _, name in ipairs(OF_CONSUMER.names) do is_member[name] = true end

  local function odd_member(name, value, known)
    local lower = name:lower()
    if lower == "names" or not known[lower] then
      local meant = near.nearest(lower, known.names)
      if meant ~= "" then return name .. " is not a member of it; " .. meant .. " is" end
      return is_member[lower] and name .. " is a member of another request" or ""
    end
    if value == contents.null then return "" end
    local words, is_word = tables.words[lower], false
    for _, each in ipairs(words or {}) do is_word = is_word or each == value end
    if words and not is_word then
      local shown = {}
      for _, each in ipairs(words) do if each ~= "" then shown[#shown + 1] = each end end
      return name .. " is " .. contents.shown(value, tables.shown) .. ", which is none of " .. table.concat(shown, ", ")
    end
    local kind = KINDS[known[lower]]
    return kind and type(value) ~= kind and name .. " is " .. contents.shown(value, tables.shown) .. ", not " .. known[lower] or ""
  end

  -- What is odd about the first such member of an object.
  local function oddity(body, known)
    for _, name in ipairs(body.names) do
      local found = odd_member(name, body.of[name], known)
      if found ~= "" then return found end
    end
    return ""
  end

  function P.has_odd_member(_, subject, payload)
    local known, body = MEMBERS[first_tokens(subject, 3)] or MEMBERS[first_tokens(subject, 2)], contents.object(payload)
    if not known or not body then return "" end
    local found, config = oddity(body, known), known.config and body.of.config
    return found == "" and type(config) == "table" and config.names and oddity(config, OF_CONSUMER) or found
  end

  function P.is_nearly_a_request(_, subject)
    local count_of = {}
    for _, words in ipairs(tables.requests) do
      count_of[words] = #subject_tokens(words)
      local first, count = first_tokens(subject, count_of[words])
      if first == words and count >= count_of[words] then return words .. " with another number of tokens" end
    end
    for _, words in ipairs(tables.requests) do
      if near.nearest(first_tokens(subject, count_of[words]):upper(), { words }) ~= "" then return words end
    end
    return ""
  end

  local SKEW = 60 -- seconds by which clocks may differ

  -- The seconds since 1970 of a time as in RFC 3339; nil for other text.
  local function seconds_of(text)
    local year, month, day, hour, minute, second, rest = text:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)T(%d%d):(%d%d):(%d%d)(.*)$")
    local sign, hours, minutes = (rest or ""):gsub("^%.%d+", ""):gsub("^Z$", "+00:00"):match("^([+-])(%d%d):(%d%d)$")
    if not sign then return nil end
    year, month, day = tonumber(year), tonumber(month), tonumber(day)
    local is_leap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
    local days = ({ 31, is_leap and 29 or 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 })[month]
    if year == 0 or not days or day == 0 or day > days or tonumber(hour) > 23 or tonumber(minute) > 59 or tonumber(second) > 59 then return nil end
    if tonumber(hours) > 23 or tonumber(minutes) > 59 then return nil end
    local of_march = year - (month < 3 and 1 or 0)
    local since = 365 * of_march + math.floor(of_march / 4) - math.floor(of_march / 100) + math.floor(of_march / 400)
    local months = 153 * ((month + 9) % 12) + 2 -- in fifths of a day, from March on
    since = since + math.floor(months / 5) + day - 719469
    local offset = (tonumber(hours) * 60 + tonumber(minutes)) * 60
    return since * 86400 + tonumber(hour) * 3600 + tonumber(minute) * 60 + tonumber(second) - (sign == "+" and offset or -offset)
  end

  function P.starts_later(_, payload, t)
    local config = config_of(payload)
    local text = config and config.opt_start_time
    local start = type(text) == "string" and seconds_of(text)
    return start and start - t / 1e9 > SKEW and text or ""
  end

  local function whole(value)
    if value == true then return 1 end
    return type(value) == "number" and value == math.floor(value) and value or nil
  end

  local function seconds(ns) return ("%g s"):format(ns / 1e9) end

  local function contradiction_of_consumer(config)
    local wait, pauses = whole(config.ack_wait) or 0, config.backoff
    local pause = type(pauses) == "table" and pauses.is_list and whole(pauses[1])
    if pause and pause < wait and wait ~= tables.default_ack_wait then
      return "backoff replaces ack_wait: " .. seconds(pause) .. " instead of " .. seconds(wait)
    end
    local idle = whole(config.inactive_threshold) or 0
    if 0 < idle and idle < wait and config.ack_policy == "explicit" then
      return tables.idle:format(seconds(idle), seconds(wait))
    end
    local times = whole(config.max_deliver) or 0
    return config.ack_policy == "none" and times > 1 and tables.unacked:format(times) or ""
  end

  function P.contradicts_itself(_, payload, subject)
    local body, config = contents.object(payload), config_of(payload)
    if config then return contradiction_of_consumer(config) end
    local own = body and (subject or ""):find(".STREAM.", 1, true) and body.of
    if not own or own.discard ~= "new" or (whole(own.max_msgs_per_subject) or 0) <= 0 or own.discard_new_per_subject == true then return "" end
    local is_limited = (whole(own.max_msgs) or 0) > 0 or (whole(own.max_bytes) or 0) > 0
    local is_store = type(own.name) == "string" and own.name:sub(1, 3) == "KV_"
    return not is_limited and not is_store and tables.discards or ""
  end

  return P
end)(f.near, f.contents, {
  members = {
    ["STREAM.CREATE"] = {
      { "name", "text" },
      { "description", "text" },
      { "subjects", "" },
      { "retention", "" },
      { "max_consumers", "number" },
      { "max_msgs", "number" },
      { "max_bytes", "number" },
      { "max_age", "" },
      { "max_msgs_per_subject", "number" },
      { "max_msg_size", "number" },
      { "discard", "" },
      { "storage", "" },
      { "num_replicas", "number" },
      { "no_ack", "true or false" },
      { "duplicate_window", "" },
      { "placement", "" },
      { "mirror", "" },
      { "sources", "" },
      { "compression", "" },
      { "first_seq", "number" },
      { "subject_transform", "" },
      { "republish", "" },
      { "allow_direct", "true or false" },
      { "mirror_direct", "true or false" },
      { "discard_new_per_subject", "true or false" },
      { "sealed", "true or false" },
      { "deny_delete", "true or false" },
      { "deny_purge", "true or false" },
      { "allow_rollup_hdrs", "true or false" },
      { "consumer_limits", "" },
      { "allow_msg_ttl", "true or false" },
      { "subject_delete_marker_ttl", "" },
      { "allow_msg_counter", "true or false" },
      { "allow_atomic", "true or false" },
      { "allow_msg_schedules", "true or false" },
      { "persist_mode", "" },
      { "metadata", "" },
      { "pedantic", "true or false" },
      { "template_owner", "text" },
    },
    ["STREAM.UPDATE"] = {
      { "name", "text" },
      { "description", "text" },
      { "subjects", "" },
      { "retention", "" },
      { "max_consumers", "number" },
      { "max_msgs", "number" },
      { "max_bytes", "number" },
      { "max_age", "" },
      { "max_msgs_per_subject", "number" },
      { "max_msg_size", "number" },
      { "discard", "" },
      { "storage", "" },
      { "num_replicas", "number" },
      { "no_ack", "true or false" },
      { "duplicate_window", "" },
      { "placement", "" },
      { "mirror", "" },
      { "sources", "" },
      { "compression", "" },
      { "first_seq", "number" },
      { "subject_transform", "" },
      { "republish", "" },
      { "allow_direct", "true or false" },
      { "mirror_direct", "true or false" },
      { "discard_new_per_subject", "true or false" },
      { "sealed", "true or false" },
      { "deny_delete", "true or false" },
      { "deny_purge", "true or false" },
      { "allow_rollup_hdrs", "true or false" },
      { "consumer_limits", "" },
      { "allow_msg_ttl", "true or false" },
      { "subject_delete_marker_ttl", "" },
      { "allow_msg_counter", "true or false" },
      { "allow_atomic", "true or false" },
      { "allow_msg_schedules", "true or false" },
      { "persist_mode", "" },
      { "metadata", "" },
      { "pedantic", "true or false" },
      { "template_owner", "text" },
    },
    ["STREAM.NAMES"] = { { "offset", "number" }, { "limit", "number" }, { "subject", "text" } },
    ["STREAM.LIST"] = { { "offset", "number" }, { "limit", "number" }, { "subject", "text" } },
    ["STREAM.INFO"] = {
      { "offset", "number" },
      { "limit", "number" },
      { "deleted_details", "true or false" },
      { "subjects_filter", "text" },
    },
    ["STREAM.PURGE"] = { { "filter", "text" }, { "seq", "number" }, { "keep", "number" } },
    ["STREAM.MSG.GET"] = {
      { "seq", "number" },
      { "last_by_subj", "text" },
      { "next_by_subj", "text" },
      { "batch", "number" },
      { "max_bytes", "number" },
      { "start_time", "text" },
      { "multi_last", "" },
      { "up_to_seq", "number" },
      { "up_to_time", "text" },
      { "no_hdr", "true or false" },
    },
    ["STREAM.MSG.DELETE"] = { { "seq", "number" }, { "no_erase", "true or false" } },
    ["DIRECT.GET"] = {
      { "seq", "number" },
      { "last_by_subj", "text" },
      { "next_by_subj", "text" },
      { "batch", "number" },
      { "max_bytes", "number" },
      { "start_time", "text" },
      { "multi_last", "" },
      { "up_to_seq", "number" },
      { "up_to_time", "text" },
      { "no_hdr", "true or false" },
    },
    ["CONSUMER.CREATE"] = {
      { "stream_name", "text" },
      { "config", "" },
      { "action", "text" },
      { "pedantic", "true or false" },
    },
    ["CONSUMER.DURABLE.CREATE"] = {
      { "stream_name", "text" },
      { "config", "" },
      { "action", "text" },
      { "pedantic", "true or false" },
    },
    ["CONSUMER.NAMES"] = { { "offset", "number" }, { "limit", "number" }, { "subject", "text" } },
    ["CONSUMER.LIST"] = { { "offset", "number" }, { "limit", "number" } },
    ["CONSUMER.MSG.NEXT"] = {
      { "batch", "number" },
      { "expires", "" },
      { "max_bytes", "number" },
      { "no_wait", "true or false" },
      { "idle_heartbeat", "" },
      { "group", "text" },
      { "min_pending", "number" },
      { "min_ack_pending", "number" },
      { "id", "text" },
      { "priority", "number" },
    },
  },
  consumer = {
    { "name", "text" },
    { "durable_name", "text" },
    { "description", "text" },
    { "deliver_policy", "" },
    { "opt_start_seq", "number" },
    { "opt_start_time", "text" },
    { "ack_policy", "" },
    { "ack_wait", "" },
    { "max_deliver", "number" },
    { "backoff", "" },
    { "filter_subject", "text" },
    { "filter_subjects", "" },
    { "replay_policy", "" },
    { "rate_limit_bps", "number" },
    { "sample_freq", "text" },
    { "max_waiting", "number" },
    { "max_ack_pending", "number" },
    { "headers_only", "true or false" },
    { "max_batch", "number" },
    { "max_expires", "" },
    { "max_bytes", "number" },
    { "deliver_subject", "text" },
    { "deliver_group", "text" },
    { "flow_control", "true or false" },
    { "idle_heartbeat", "" },
    { "inactive_threshold", "" },
    { "num_replicas", "number" },
    { "mem_storage", "true or false" },
    { "metadata", "" },
    { "pause_until", "text" },
    { "priority_groups", "" },
    { "priority_policy", "" },
    { "priority_timeout", "" },
    { "direct", "true or false" },
  },
  words = {
    retention = { "limits", "interest", "workqueue" },
    storage = { "file", "memory" },
    discard = { "old", "new" },
    compression = { "none", "s2" },
    persist_mode = { "default", "async" },
    deliver_policy = { "all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject" },
    ack_policy = { "none", "all", "explicit", "flow_control" },
    replay_policy = { "instant", "original" },
    priority_policy = { "none", "overflow", "pinned_client", "prioritized" },
    action = { "", "create", "update" },
  },
  shown = 40,
  requests = {
    "STREAM.CREATE",
    "STREAM.UPDATE",
    "STREAM.NAMES",
    "STREAM.LIST",
    "STREAM.INFO",
    "STREAM.DELETE",
    "STREAM.PURGE",
    "STREAM.SNAPSHOT",
    "STREAM.RESTORE",
    "STREAM.MSG.DELETE",
    "STREAM.MSG.GET",
    "STREAM.PEER.REMOVE",
    "STREAM.PEER.EVACUATE",
    "STREAM.CANCEL_MOVE",
    "STREAM.LEADER.STEPDOWN",
    "STREAM.TEMPLATE.CREATE",
    "STREAM.TEMPLATE.NAMES",
    "STREAM.TEMPLATE.INFO",
    "STREAM.TEMPLATE.DELETE",
    "CONSUMER.MSG.NEXT",
    "CONSUMER.CREATE",
    "CONSUMER.DURABLE.CREATE",
    "CONSUMER.NAMES",
    "CONSUMER.LIST",
    "CONSUMER.INFO",
    "CONSUMER.DELETE",
    "CONSUMER.PAUSE",
    "CONSUMER.UNPIN",
    "CONSUMER.LEADER.STEPDOWN",
    "CONSUMER.RESET",
    "CONSUMER.PEER.REMOVE",
    "CONSUMER.PEER.EVACUATE",
    "DIRECT.GET",
    "META.LEADER.STEPDOWN",
    "META.RESCUE",
    "SERVER.REMOVE",
    "SERVER.EVACUATE",
    "ACCOUNT.PURGE",
    "ACCOUNT.STREAM.MOVE",
    "ACCOUNT.STREAM.CANCEL_MOVE",
  },
  default_ack_wait = 30000000000,
  discards = "discard is new, but the only limit is max_msgs_per_subject, which replaces the oldest message of a subject unless discard_new_per_subject is true",
  idle = "inactive_threshold is %s, and ack_wait %s: a client that works for longer than the first without a pull request has no consumer any more",
  unacked = "max_deliver is %d, but ack_policy is none: no message is delivered again",
})

;(function() -- a scope of its own: Lua takes 200 names in one

-- What is inside a field: embedded records of this protocol, formats of other plugins, JSON and text ---------------

local pinfo, conversation, place -- of the frame that is being read
local piece = false -- true for a fragment, whose slots hold parts of something
local others_called = 0 -- dissectors of others, for this segment
local root_tree -- where plugins add what stands inside of this one's frames
local AROUND = "streamshark.around" -- where an inner protocol finds what is known of the frame around its own
local hosts = {} -- what hands bytes of slots to inner protocols, and the frame that is being read
local call_dissector
local body_line -- the text of the body that was read last, for the line of the item that it is in

local function bare_hex(raw) return (raw:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

local bodies_of = {} -- dissectors of others for bodies; see bodies.lua

-- Reads the whole of `range` with some steps; gives their values, true when nothing is wrong, and arguments for a line.
-- `tried` is true where it is only found out whether they fit, "line" where only arguments are wanted.
local function read_apart(range, members, shown, tried)
  local saved = { tvb, data, at, stop, item, v, info_texts, left, problems, first, trial, brief, hidden_from }
  local outer = problems
  tvb, at, stop, item, v, first = range:tvb(), 0, range:len(), shown, setmetatable({}, NOTHING), 0
  data = stop > 0 and range:raw() or ""
  info_texts, left, brief, hidden_from = {}, 1000, false, math.huge
  if tried then problems, trial = {}, tried end
  local before = #problems
  local halted = read_all(members)
  if not halted and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  if item and at < stop then add_undecoded(item, at, stop - at) end
  local values, sound, arguments = v, not halted and #problems == before, info_texts
  tvb, data, at, stop, item, v, info_texts, left, problems, first, trial, brief, hidden_from = unpack(saved, 1, 13)
  if not tried then problems = outer end
  return values, sound, arguments
end

local unpacked

do

local PACKED = { gzip = true, snappy = true, lz4 = true, zstd = true, zlib = true, deflate = true }
local RATIO = 40000 -- an announced size of more times the packed bytes is not believed
local UNPACK = { -- codec to methods of a range that unpack it, as far as this Wireshark has them
  gzip = { "uncompress_zlib", "uncompress" },
  zlib = { "uncompress_zlib", "uncompress" },
  zstd = { "uncompress_zstd" },
}

-- What packed bytes hold, nil with what is wrong where anything is; nil alone where this Wireshark cannot tell.
function unpacked(range, codec, count, size, cap)
  if not PACKED[codec] then return nil, "no codec " .. codec .. " is known" end
  if size and (size < 0 or size > math.min(cap, preferences.unpacked, math.max(1, count) * RATIO)) then
    return nil, digits(size) .. " unpacked bytes announced for " .. digits(count) .. " compressed bytes, too many"
  end
  if count == 0 and codec ~= "snappy" then return nil, "not valid " .. codec end
  for _, method in ipairs(UNPACK[codec] or {}) do
    local found, call = pcall(function() return range[method] end)
    if found and call then
      local fine, made = pcall(call, range, codec .. " data")
      if fine and made and size and made:len() > size then return nil, "over " .. digits(size) .. " bytes are packed here" end
      if fine and made then return made end
      return nil, "not valid " .. codec
    end
  end
end

end

local is_read

do -- a scope of its own: Lua takes 200 names in one

local undecoded_records = 0 -- how deep embedded records are in each other
local MOST_DEPTH = 16

local function plain_type(text) return (text:match("^[^;]*"):match("^%s*(.-)%s*$")):lower() end

-- The type that the bytes of a slot are said to be of; nil where nothing says it.
local function said_type(slot)
  local types = slot.types
  for index = 1, types and #types or 0 do
    local each = types[index]
    local value = rawget(v, each.path)
    if value ~= nil then
      if type(value) == "number" then value = each.names[value] or "" end
      return plain_type(value)
    end
  end
  local agreed = slot.agreed and conversation.agreed[slot.agreed]
  return type(agreed) == "string" and plain_type(agreed) or nil
end

-- Whether bytes of this type may hold a secret.
local function is_veiled(slot, said)
  said = said or said_type(slot)
  if not slot.veiled then return said ~= nil and said ~= "" and secrets.is_type(said) end
  return said == nil or slot.veiled[said] or secrets.is_type(said)
end

function hides(slot, said) return not preferences.secrets and is_veiled(slot, said) end

function is_hidden(slot, from, count)
  if preferences.secrets or count == 0 then return false end
  if from >= hidden_from or is_veiled(slot) then return true end
  local raw = secrets.held and data:sub(from + 1, from + count)
  return raw and secrets.may_hold(raw) and #secrets.credentials(raw) > 0 or false
end

-- Reads what may hold a secret without showing it: where a length in it lies, all from there on may be of the secret.
local function is_broken(range, embedded_record)
  local outer = veils.met
  veils.met = false
  local _, sound = read_apart(range, embedded_record.body, nil, "line")
  local found = not sound and veils.met
  veils.met = outer or veils.met
  return found
end

local MOST_CALLS = 100 -- of dissectors of others for one segment: Wireshark fails at 500 layers in a packet
local dissector_called, call_theirs, hand_over

do

local dissectors = {} -- functions of plugins of ours, and dissectors of Wireshark, by name; false where there is none

function dissector_called(name)
  if dissectors[name] == nil then
    local own = package.loaded["streamshark." .. name]
    local found, known = pcall(Dissector.get, name)
    dissectors[name] = type(own) == "function" and own or found and known or false
  end
  return dissectors[name]
end

-- Hands bytes to a plugin of ours, by its function, or to a dissector of Wireshark; true when it took them. `instead`
-- reads them where too many dissectors have been called.
function call_dissector(name, range, shown, instead)
  local dissector = dissector_called(name)
  if type(dissector) == "function" then
    local fine, length, text = pcall(dissector, range:tvb(), pinfo, shown)
    body_line = fine and text or body_line
    return fine and length > 0
  end
  if instead and dissector and others_called >= MOST_CALLS then return instead(range:tvb(), pinfo, shown) > 0 end
  return dissector ~= false and call_theirs(dissector, range, shown)
end

end

-- Hands bytes to a dissector of others; true when it took them.
function call_theirs(dissector, range, shown)
  if others_called >= MOST_CALLS then return false end
  others_called = others_called + 1
  local column = tostring(pinfo.cols.protocol)
  local fine, length = pcall(function() return dissector:call(range:tvb(), pinfo, shown) end)
  pinfo.cols.protocol = column
  return fine and (length or 0) > 0
end

local function is_plain(raw)
  return raw ~= "" and not raw:find("[%z\1-\8\11\12\14-\31\127]") and is_utf8(raw)
    and not raw:find("\194[\128-\159]")
end

-- Whether bytes are all zeros, more than any head has: nothing says what they are.
local function is_blank(range) return range:len() > 8 and not range:raw():find("[^%z]") end

-- Reads a slot with the embedded record or format that fits; false where none does and the bytes stay bytes.
local function read_with(reader, range, shown, slot, made, from)
  if reader.format then return call_dissector(reader.format, range, shown) end
  local embedded_record = embedded_records[reader.embedded_record]
  if reader.try and (is_blank(range) or not select(2, read_apart(range, embedded_record.body, nil, true))) then return false end
  local outer, may_hold = veiling, hides(slot)
  local broken = may_hold and is_broken(range, embedded_record)
  if broken then hidden_from = math.min(hidden_from, from) end
  veiling = may_hold
  if slot.holds and embedded_record.whole then numbering.first = numbering.value end
  local values = read_apart(range, embedded_record.body, not broken and shown or nil)
  veiling, numbering.first = outer, nil
  if slot.holds and embedded_record.whole then
    local n, announced = values["#" .. embedded_record.whole], slot.holds(v)
    if n ~= announced then problem("count", made, at, 0, announced, n) end
  end
  return true
end

-- Whether somebody reads what stands in a slot, but for text: asked once, all plugins are loaded by then.
function is_read(slot)
  if slot.is_read == nil then
    slot.is_read = slot.codec ~= nil
    for _, reader in ipairs(slot.readers) do
      slot.is_read = slot.is_read or not reader.format or dissector_called(reader.format) ~= false
    end
  end
  return slot.is_read
end

local NO_SLOT = { readers = {} } -- stands for the slot of bodies that this protocol does not read

-- Whether an embedded record of this protocol reads all that stands in a slot.
local function is_own(slot)
  for _, each in ipairs(slot.readers) do
    local own = embedded_records[each.embedded_record]
    if own and not each.never and not next(own.types) then return true end
  end
  return false
end

-- Hands a body to the dissector that the preference or a table names for its stream, or a table for its type.
function hand_over(slot, said, range, from, shown)
  if is_own(slot) or hides(slot, said) or is_hidden(slot, from, range:len()) then return false end
  local stream = bodies_of.stream()
  local name, message_type = bodies_of.format(stream)
  local dissector = not name and bodies_of.dissector(stream, said)
  if not name and not dissector then return false end
  local function hand(body, tree)
    if dissector then return call_theirs(dissector, body, tree) end
    if message_type then pinfo.private["pb_msg_type"] = "message," .. message_type end
    return call_dissector(name, body, tree)
  end
  for _, reader in ipairs(slot.readers) do -- what an envelope holds is meant, not the envelope
    local envelope = reader.format and reader.format ~= name and dissector_called(reader.format)
    local fine, length, text
    if type(envelope) == "function" then fine, length, text = pcall(envelope, range:tvb(), pinfo, shown, hand) end
    if fine and length > 0 then
      body_line = text
      return true
    end
  end
  return hand(range, shown)
end

local function read_slot(made, from, count, shown)
  if piece or undecoded_records >= MOST_DEPTH or from >= hidden_from then return end
  local slot, size_here = made.slot or NO_SLOT, count
  if not made.body and not is_read(slot) and (count == 0 or count > preferences.text or data:find("^[%z\1-\8\14-\31]", from + 1)) then return end
  local range = range_of(tvb, from, count)
  if slot.codec then
    local number, size = slot.codec(v), slot.size and slot.size(v)
    local codec = slot.codecs[number] or digits(number)
    if codec ~= "none" then
      local made_of, wrong = unpacked(range, codec, count, size, slot.cap)
      if wrong then note_problem("codec", made, from, count, wrong) end
      if not made_of then
        shown:append_text(" [packed with " .. codec .. "]")
        return
      end
      range = made_of
    end
    size_here = range:len()
    if size and size_here ~= size then
      note_problem("claim", made, from, count, digits(size) .. " unpacked bytes announced, " .. digits(size_here) .. " present")
    end
  end
  for _, reader in ipairs(slot.readers) do
    if reader.magic and hosts.read(reader, range) then return end
  end
  if size_here == 0 then return end
  undecoded_records = undecoded_records + 1
  local said, done, readers = said_type(slot), false, slot.readers
  if said then
    for _, reader in ipairs(readers) do
      if not done and reader.embedded_record and embedded_records[reader.embedded_record].types[said] then
        done = read_with({ embedded_record = reader.embedded_record }, range, shown, slot, made, from)
      end
    end
  end
  if not done and made.body and not is_blank(range) and hand_over(slot, said, range, from, shown) then done = true end
  for index = 1, #readers do
    local reader = readers[index]
    local untyped = not (reader.magic or reader.embedded_record and said and next(embedded_records[reader.embedded_record].types))
    if not done and untyped and not reader.never then done = read_with(reader, range, shown, slot, made, from) end
  end
  undecoded_records = undecoded_records - 1
  if done or hides(slot, said) then return end
  local raw = ""
  if size_here <= preferences.text then raw = slot.codec and range:raw() or data:sub(from + 1, from + count) end
  local opening = raw:match("^[ \t\r\n]*([%[{])")
  local closing = opening and raw:match("([%]}])[ \t\r\n]*$")
  local is_json = said ~= "text/plain" and (opening == "{" and closing == "}" or opening == "[" and closing == "]")
  if is_json and is_utf8(raw) then -- which Wireshark's own would show as it is
    call_dissector("json", range, shown)
  end
  if is_plain(raw) then
    local hidden = hidden_text(made, from, raw)
    body_line = hidden or raw
    local own = hidden and add_hidden(shown, header.text, from, hidden) or not hidden and add_packet(shown, header.text, range, TEXT)
    if own then generated(own) end -- a packet's field gives the value as well
  end
end

-- What a line shows of a slot.

local any_in_info = false -- whether some embedded record shows something
for _, embedded_record in pairs(embedded_records) do any_in_info = any_in_info or embedded_record.shows ~= nil end

-- The embedded record that reads a slot; nil where none does, or something else.
local function record_of(slot, said, range)
  for pass = 1, 2 do
    for _, reader in ipairs(slot.readers) do
      local embedded_record = reader.embedded_record and embedded_records[reader.embedded_record]
      if pass == 1 and embedded_record and said and embedded_record.types[said] then return embedded_record end
      if pass == 2 and not reader.never and not (embedded_record and said and next(embedded_record.types)) then
        if not embedded_record then return nil end
        if not reader.try or not is_blank(range) and select(2, read_apart(range, embedded_record.body, nil, true)) then return embedded_record end
      end
    end
  end
end

local function collect(made, from, count, said)
  if count == 0 or undecoded_records >= MOST_DEPTH then return end
  local range = range_of(tvb, from, count)
  undecoded_records = undecoded_records + 1
  local embedded_record = record_of(made.slot, said, range)
  if embedded_record then
    local outer = veils.met
    veils.met = false
    local _, sound, arguments = read_apart(range, embedded_record.body, nil, "line")
    if not sound and veils.met and hides(made.slot, said) then hidden_from, arguments = math.min(hidden_from, from), {} end
    veils.met = outer or veils.met
    bodies = bodies .. info_line.words(embedded_record.shows or {}, arguments)
  end
  undecoded_records = undecoded_records - 1
end

function body_text(made, from, count)
  local slot = made.slot
  if not slot or made.secret or slot.codec or made.in_info == "many" or count == 0 or from >= hidden_from then
    return bytes_text(made, from, count)
  end
  local said = (slot.veiled or any_in_info) and said_type(slot) or nil
  if bodies then return collect(made, from, count, said) end -- inside of another one
  local text = is_veiled(slot, said) and bytes_text(made, from, count) or readable(from, count)
  if not text then text = count > 8 and "[" .. digits(count) .. " bytes]" or tvb(from, count):bytes():tohex(true) end
  if any_in_info and not piece then
    bodies = ""
    collect(made, from, count, said)
    inner_texts[made.path], bodies = bodies, nil
  end
  return text
end

local MOST_OF_BODY = 256 -- bytes of a body that its line may show, before it is cut

function open_slot(made, from, count, shown)
  local outer = inside
  inside, body_line = outer or made.path, nil
  read_slot(made, from, count, shown)
  inside = outer
  if summary and body_line and body_line ~= "" then
    summary[#summary + 1] = body_line == "***" and body_line or '"' .. quoted(body_line:sub(1, MOST_OF_BODY), true) .. '"'
  end
  body_line = nil
end

end


-- The frame as a whole --------------------------------------------------------------------------------------

local function header_field(kind, name, title, ...)
  local made = ProtoField[kind](NAME .. "." .. name, title, ...)
  registered[#registered + 1] = made
  return made
end

local around -- what is known of the frame of another protocol in which this one's stand
local talks = {} -- what follows conversations, where the protocol has tables of them
local between_servers = false -- whether the frame joins two servers

header.command = header_field("string", "command", "Command", base.UNICODE, "Name of the command, the same for request and response.")
header.kind = header_field("string", "kind", "Kind", base.UNICODE, "request, response or command.")
header.sender = header_field("string", "sender", "Sender", base.UNICODE, "client, server or peer, where that can be proved.")
header.length = header_field("uint32", "length", "Length", base.DEC, nil, nil, "Bytes on the wire, the length prefix included.")
header.problem = header_field("string", "problem", "Problem", base.UNICODE, "Code of a problem of the frame.")
header.text = header_field("string", "text", "Text", base.UNICODE, "The bytes of a body that are text.")
header.request = header_field("framenum", "request_frame", "Request in", base.NONE, frametype.REQUEST, 0, "The frame that this one answers.")
header.response = header_field("framenum", "response_frame", "Response in", base.NONE, frametype.RESPONSE, 0, "The frame that answers this one.")
header.conversation = header_field("string", "conversation", "Conversation", base.UNICODE, "Id of the innermost conversation of the frame.")
header.finding = header_field("string", "finding", "Finding", base.UNICODE, "Rule that this frame breaks.")
header.message = header_field("string", "finding.message", "Message", base.UNICODE, "What the rule has found, after its id: the sentence of the expert item.")
header.cause = header_field("string", "finding.cause", "Usual cause", base.UNICODE, "The usual mistake of those who break the rule.")
header.time = header_field("relative_time", "response_time", "Response time", "Time between request and response.")
undecoded = header_field("bytes", "undecoded", "Undecoded", base.NONE, "Bytes that no field could read.")
hidden_undecoded = header_field("string", "undecoded", "Undecoded", base.UNICODE, "Bytes that no field could read.")
if CORRELATES == "string" then
  header.correlation = header_field("string", "correlation_id", "Correlation id", base.UNICODE, "What joins a request and its response.")
elseif CORRELATES then
  header.correlation = header_field(CORRELATES, "correlation_id", "Correlation id", base.DEC, nil, nil, "What joins a request and its response.")
end
if AGREES_VERSION then
  header.version = header_field("uint32", "version", "Version", base.DEC, nil, nil, "Version that the connection agreed.")
end
if CARRIED_IN["websocket.bytes"] then
  header.ended = header_field("framenum", "reassembled_in", "Reassembled in", base.NONE, nil, 0, "The packet whose message ends what stands here.")
end
for name, known in pairs(COMMON) do
  if known.is_fact then common[name] = header_field("bool", name, label(name), nil, nil, nil, known.doc)
  elseif known.is_known then common[name] = header_field("string", name, label(name), base.UNICODE, known.doc) end
end
talks.of_findings = { header.finding, header.message, header.cause }
talks.fields = { header.request, header.response, header.time, header.conversation, unpack(talks.of_findings) }
for name, known in pairs(COMMON) do if known.is_known then talks.fields[#talks.fields + 1] = common[name] end end
local shown_headers = { undecoded, hidden_undecoded } -- fields of all frames for which one is read as it is shown: for findings it is only judged
local is_of_findings = {}
for _, each in ipairs(talks.of_findings) do is_of_findings[each] = true end
for _, each in pairs(header) do if not is_of_findings[each] then shown_headers[#shown_headers + 1] = each end end

-- Frames by dialect and by what their head says.
local selected = {}

local function selector_of(key, version, response)
  if type(key) == "string" then return key end
  return (key * 2 + (response and 1 or 0)) * 65536 + (version or 0)
end

local formats = { json = true } -- dissectors of what stands inside of fields
local inner_fields = {} -- fields of embedded records there
local secretive = {} -- keys of frames that have secrets, all frames that have some, `any` where one has
local prepare

do

-- Every field that a frame may add: a filter on one that is not asked for here would find nothing.
local function fields_of(members, into)
  for _, made in ipairs(members) do
    if made.field then into[made.field] = true end
    if made.masked then into[made.masked] = true end
    if made.time_field then into[made.time_field] = true end
    if made.number then into[made.number.field] = true end
    if made.secret or made.slot and made.slot.veiled then into.secretive = true end
    for _, flag in ipairs(made.flag_fields or {}) do into[flag] = true end
    for name in pairs(made.holds or {}) do into[common[name]] = true end
    for _, twin in ipairs(made.also or {}) do
      into[twin.field] = true
      for _, flag in ipairs(twin.flag_fields or {}) do into[flag] = true end
    end
    if made.slot or made.body then
      into.slots = true
      for _, reader in ipairs(made.slot and made.slot.readers or {}) do
        if reader.magic then into.inner = reader.format
        elseif reader.format then formats[reader.format] = true end
      end
    end
    fields_of(made.members or {}, into)
    fields_of(made.parts or {}, into)
    fields_of(made.arguments or {}, into)
    fields_of(made.pieces or {}, into)
    fields_of(made.clear or {}, into)
    fields_of(made.set or {}, into)
    fields_of(made.default or {}, into)
    fields_of(made.item and { made.item } or {}, into)
    for _, each in pairs(made.fields or {}) do fields_of({ each }, into) end -- of a protobuf message
    fields_of(made.message and { made.message } or {}, into)
    if made.unknown then into[made.unknown] = true end
    for _, arm in pairs(made.cases or {}) do fields_of(arm, into) end
    for _, arm in ipairs(made.arms or {}) do fields_of(arm[2], into) end
  end
  return into
end

-- The collector of garbage walks through all tables and functions again and again, but not through text. So of kinds of
-- frames most stays text until the first one comes.

-- A function that does the same, and is little more than text until it is called.
local function asleep(act)
  local around_it, text = {}, string.dump(act)
  for index = 1, debug.getinfo(act, "u").nups do around_it[index] = select(2, debug.getupvalue(act, index)) end
  return function()
    local awake = load(text)
    for index, value in pairs(around_it) do debug.setupvalue(awake, index, value) end
    return awake()
  end
end

local function steps_of(frame)
  local steps = frame.head and frame.head() or {}
  for _, made in ipairs(frame.steps()) do steps[#steps + 1] = made end
  frame.declared = fields_of_declaring(declare_all, frame.declared, steps, NAME .. "." .. frame.name, "")
  return steps
end

-- The step of a member of a frame.
local function step_of(members, path)
  for _, made in ipairs(members or {}) do
    if made.path == path then return made end
    local found = step_of(made.members, path) or step_of(made.clear, path) or step_of(made.set, path) or step_of(made.default, path)
    for _, arm in pairs(made.cases or {}) do found = found or step_of(arm, path) end
    for _, arm in ipairs(made.arms or {}) do found = found or step_of(arm[2], path) end
    if found then return found end
  end
end

-- Gives a frame that ends what came in pieces the fields for it.
local function declare_whole(frame, steps)
  local prefix = NAME .. "." .. frame.name .. ".reassembled"
  local function declare_part(kind, name, ...)
    local shown = ProtoField[kind](prefix .. name, label(name == "" and "reassembled" or name:sub(2)), ...)
    registered[#registered + 1] = shown
    return shown
  end
  local own = {
    node = declare_part("none", "", "What this frame and those before it are together."),
    command = declare_part("string", ".command", base.UNICODE, "Command of the first fragment."),
    count = declare_part("uint32", ".count", base.DEC, nil, nil, "Fragments, those that are not in the capture left out."),
    fragments = declare_part("framenum", ".fragments", base.NONE, nil, 0, "Packets of the fragments."),
    reason = declare_part("string", ".reason", base.UNICODE, "Why they cannot be put together."),
    parts = {},
  }
  for _, name in ipairs(frame.parts) do
    local shown = declare_part("bytes", "." .. name, base.NONE, "The " .. name .. " of all fragments.")
    own.parts[name] = { field = shown, step = step_of(steps, name) }
  end
  frame.reassembled = own
end

-- Where key and version stand in frames of which no more is known: fields with their places in bytes.
local function info_of_head(steps)
  local own, place_in_head = {}, 0
  for _, made in ipairs(steps) do
    for _, one in ipairs(made.parts or { made }) do
      local is_shown = one.abbreviation == NAME .. ".key" or one.abbreviation == NAME .. ".version"
      if is_shown then own[#own + 1] = { field = one.field, from = place_in_head, size = made.size } end
    end
    local size = made.kind == "literal" and #made.data or made.size
    if not size then break end
    place_in_head = place_in_head + size
  end
  return own
end

for _, each in ipairs(frames) do
  each.steps = asleep(each.steps)
  local steps = steps_of(each)
  if each.parts then declare_whole(each, steps) end
  if fields_of(steps, {}).secretive then -- which asks for their formats, too
    secretive[each], secretive[each.key], secretive.any = true, true, true
  end
  each.title = each.name:gsub("_", " ")
  each.values = {} -- of the frame that is read, used again for the next one
  each.caption = protocol.description .. ", " .. each.title .. " (" .. each.kind .. "), "
  for _, dialect in ipairs(each.dialects) do
    heads[dialect].info_texts = heads[dialect].info_texts or info_of_head(steps)
    for _, response in ipairs(each.responses) do
      local own = selected[dialect] or { keys = {} }
      selected[dialect] = own
      local selector = selector_of(each.key, each.version, response)
      own[selector] = own[selector] or {}
      table.insert(own[selector], each)
      own.keys[selector_of(each.key, nil, response)] = true
    end
  end
end
for name, embedded_record in pairs(embedded_records) do
  fields_of_declaring(declare_all, nil, embedded_record.body, name:gsub("^" .. SHORT .. "%.", NAME .. "."), "")
end
for name, call in pairs(calls) do
  call.name = name:gsub("^" .. SHORT .. "%.", "")
  fields_of_declaring(declare_all, nil, call.body, NAME .. "." .. call.name, "")
  secretive[call] = fields_of(call.body, {}).secretive
end

local record_fields = {}
for _, embedded_record in pairs(embedded_records) do fields_of(embedded_record.body, record_fields) end
record_fields.slots, record_fields.inner, record_fields.secretive = nil, nil, nil
for each_field in pairs(record_fields) do inner_fields[#inner_fields + 1] = each_field end

local function add_fields(made, steps)
  local own = fields_of(steps, {})
  for _, name in ipairs(made.holds or {}) do own[common[name]] = true end
  for _, name in ipairs(made.known or {}) do own[common[name]] = true end
  if own.slots then
    for each_field in pairs(record_fields) do own[each_field] = true end
  end
  for name, shown in pairs(made.reassembled or {}) do
    if name ~= "parts" then own[shown] = true end
  end
  for _, part in pairs(made.reassembled and made.reassembled.parts or {}) do own[part.field] = true end
  made.inner = own.inner or made.watched and made.watched[1] -- a plugin whose frames stand inside of this one, or that looks at it
  made.has_slots = own.slots
  own.slots, own.inner, own.secretive = nil, nil, nil
  made.fields = {}
  for each_field in pairs(own) do made.fields[#made.fields + 1] = each_field end
end

for _, each in pairs(calls) do add_fields(each, each.body) end

-- The steps of a frame of which a line is wanted: numbers at its beginning that nothing refers to are passed over.
local function line_steps(steps)
  local own, size, passing = {}, 0, true
  for _, made in ipairs(steps) do
    local wanted = made.keep or made.in_info or not (made.kind == "number" or made.kind == "bits")
    for _, part in ipairs(made.parts or {}) do wanted = wanted or part.keep or part.in_info end
    passing = passing and not wanted
    if passing then
      size = size + made.size
      own[1] = { kind = "passed", size = size }
    else own[#own + 1] = made end
  end
  return own
end

-- Kinds of steps of which a line takes as long to read as the whole.
local SINGLE = { number = true, bits = true, run = true, blob = true, literal = true, line = true, json_line = true, headers = true }

local function are_single(steps)
  for _, made in ipairs(steps) do
    if not SINGLE[made.kind] then return false end
  end
  return true
end

-- What a kind of frame needs to be read, made when the first one comes.
function prepare(frame)
  local steps = steps_of(frame)
  add_fields(frame, steps)
  local prefix = heads[frame.dialects[1]].prefix or 0
  local from = prefix > 0 and 2 or 1 -- a carrier of whole messages leaves out the length
  frame.line_steps = joined(line_steps(steps), from) -- numbers that follow each other are read in one go
  frame.steps = joined(steps, from)
  frame.is_single = are_single(frame.steps)
  frame.code, frame.bare_code = {}, {} -- what reads them, written when it is wanted first
end

end

for _, embedded_record in pairs(embedded_records) do embedded_record.body = joined(embedded_record.body) end
for _, call in pairs(calls) do call.body = joined(call.body) end

-- What is remembered of connections -------------------------------------------------------------------------

-- What Wireshark says of the packet, each asked for once: a call costs as much as reading a small frame.
local here = setmetatable({}, { __index = function(own, name)
  local found = pinfo[name]
  own[name] = found
  return found
end })

local stream_number = Field.new("tcp.stream") -- not there while Wireshark makes no tree, as on the first of two passes
local view = {} -- how the packet is looked at: whether a tree is made, all of it is `visible`, a line of `columns` is wanted
local streams = {} -- conversations by number of the TCP stream
local pairs_of_ports = {} -- conversations by ports: for each pair of addresses one after the other, with their first packets
local homes = {} -- packet to its conversation, of those that came without such a number
local lone -- of what came without TCP
local counts, counted = {}, 0 -- packet to the number of its frames; the packet whose frames are being counted
local id_here = 0 -- number of the packet, and as a fraction the place of the frame in it: tells frames apart
local notes = {} -- frame to what is remembered of it: findings, whether it is a piece
local links = {} -- frame to the packet of its request, the time since, the packet of its response, and its conversation

local pieces = {} -- what puts frames together that were cut into pieces

local FINE = 0x100000
local new_conversation

do

local connections = 0

function new_conversation()
  connections = connections + 1
  return { id = connections, dialects = {}, upgraded = {}, agreed = {}, changes = {}, has_sent = {}, sound = 0 }
end

end

-- What a packet leaves behind must be collected while the processor still has it at hand, which is faster than to get new
-- memory: with Lua's own measures its heap outgrows the cache. So a round begins early, and goes through at once.
local GROWTH, EAGERNESS = 150, 1000 -- per cent of the heap, and of what is allocated meanwhile

function protocol.init()
  collectgarbage("setpause", GROWTH)
  collectgarbage("setstepmul", EAGERNESS)
  streams, pairs_of_ports, homes, counts, counted = {}, {}, {}, {}, 0
  notes, links.request, links.time, links.response, links.conversation = {}, {}, {}, {}, {}
  lone = new_conversation()
  talks.sessions = {} -- token to what a session agreed that another connection may resume
  if talks.begin then talks.begin() end
  if pieces.begin then pieces.begin() end
  hosts.everywhere = {} -- what identifies this protocol's frames inside another one's: of all connections
  talks.followers = {} -- what follows frames, for the preferences as they are
end

-- The number of the packet's TCP stream; false where it is not known.
local function stream_of()
  local number = rawget(here, "stream")
  if number == nil then
    local found = view.tree and stream_number()
    number = found and found() or false
    here.stream = number
  end
  return number
end

-- What is known of these ends: their conversations one after the other. Nil without TCP.
local function ends_here()
  local low, high = math.min(here.src_port, here.dst_port), math.max(here.src_port, here.dst_port)
  if high == 0 then return nil end
  local ports, lo, hi = low * 65536 + high, pinfo.lo, pinfo.hi
  local all = pairs_of_ports[ports]
  if not all then
    all = {}
    pairs_of_ports[ports] = all
  end
  for index = 1, #all do
    local each = all[index]
    if each.low == lo and each.high == hi then return each end
  end
  local made = { low = lo, high = hi, firsts = {} }
  all[#all + 1] = made
  return made
end

-- A conversation that begins with this packet, of ends that may have had others before.
local function begin_conversation(ends)
  local made = new_conversation()
  if ends then ends[#ends + 1], ends.firsts[#ends + 1] = made, here.number end
  return made
end

-- The conversation of the ends of the packet that goes on in it.
local function conversation_by_ends()
  local ends = ends_here()
  if not ends then return lone end
  for index = #ends, 1, -1 do
    if ends.firsts[index] <= here.number then return ends[index] end
  end
  return begin_conversation(ends)
end

local function conversation_of()
  local found = homes[here.number]
  if found then return found end
  local number = stream_of()
  if number then
    found = streams[number]
    if not found then
      found = begin_conversation(ends_here())
      streams[number] = found
    end
  else
    found = conversation_by_ends()
    homes[here.number] = found
  end
  return found
end

-- The conversation of the packet, where it is known already.
local function known_conversation()
  local number = stream_of()
  if number then return streams[number] end
  local ends = here.src_port > 0 and ends_here()
  return ends and ends[#ends]
end

-- Without numbers of streams a frame that opens, behind frames of both sides, begins another connection of the same ports.
-- Lines that open come again later on, so they tell nothing.
local function reopen(side)
  if not switch_dialect and conversation.has_sent[3 - side] and conversation.has_sent[side] and not stream_of() then
    conversation = begin_conversation(ends_here())
    homes[here.number] = conversation
    if view.follows then talks.see_segment() end
  end
end

-- 1 or 2: which side of the connection sends.
local function side_of()
  local side = rawget(here, "side")
  if not side then
    local source, destination = here.src_port, here.dst_port
    if source == destination then source, destination = tostring(here.src), tostring(here.dst) end
    side = source < destination and 1 or 2
    here.side = side
  end
  return side
end

-- "client" or "server", as far as it is known which one a side is.
local function sender_of(side)
  local client = conversation.client
  return client and (client == side and "client" or "server")
end

-- The number of a frame in its packet, the same on each visit.
local function next_place()
  if here.number ~= counted then counted, place = here.number, 0 end
  if not here.visited then
    place = place + 1
    if place > 1 then counts[counted] = place end
  else place = place % (counts[counted] or 1) + 1 end
  id_here = counted + (place - 1) / FINE -- most are whole numbers, which tables keep well
end

-- What is remembered of the frame; made on the first visit only.
local function note()
  local own = notes[id_here]
  if not own then
    own = {}
    notes[id_here] = own
  end
  return own
end

local NOTHING_AGREED = {}

-- What the connection had agreed up to this frame.
local function agreed_here()
  local changes = conversation.changes
  for index = #changes, 1, -1 do
    local change = changes[index]
    if change.number < here.number or change.number == here.number and change.place <= place then
      return change.agreed
    end
  end
  return NOTHING_AGREED
end

local agree

do

-- What the session that a frame resumes has agreed; one that it begins is remembered. Behind a proxy,
-- a session is seen before each of its servers, in connections of their own.
local function resumed(frame, said)
  local token = RESUMPTION and said[RESUMPTION.name]
  if not token then return {} end
  local server = tostring(here.dst) .. ":" .. here.dst_port -- it is the client that begins and resumes
  if frame.command == RESUMPTION.begins then
    local kept = {}
    for name, value in pairs(said) do if RESUMPTION.keeps[name] then kept[name] = value end end
    local session = talks.sessions[token] or { conversations = {} }
    session.agreed, session.conversations[server] = kept, conversation
    talks.sessions[token] = session
  end
  local session = frame.command == RESUMPTION.resumes and talks.sessions[token]
  if not session then return {} end
  local conversations = session.conversations
  conversation.resumes, conversations[server] = conversations[server], conversation
  return session.agreed
end

function agree(frame)
  local said, any = {}, false
  for _, each in ipairs(frame.agrees) do
    local value = rawget(v, each.path .. " raw") or rawget(v, each.path)
    if value ~= nil and each.mask then value = band(value, each.mask) ~= 0 end
    local before = each.least and conversation.agreed[each.name]
    if before and value ~= nil then value = math.min(value, before) end
    if value ~= nil then said[each.name], any = value, true end
  end
  if not any then return end
  local agreed = {}
  for name, value in pairs(conversation.agreed) do agreed[name] = value end
  for name, value in pairs(resumed(frame, said)) do agreed[name] = value end
  for name, value in pairs(said) do agreed[name] = value end
  conversation.agreed = agreed
  table.insert(conversation.changes, { number = here.number, place = place, agreed = agreed })
end

end


-- Dissectors of others for bodies: by the preference `formats`, in tables in which they register, by MIME type ----------

do

bodies_of.patterns, bodies_of.tables, bodies_of.found = {}, {}, {}

local MOST_STREAMS = 4096 -- names whose format is remembered
local by_name, count = {}, 0

-- The name of the stream of the frame that is read; nil where it is not known.
function bodies_of.stream()
  if stream_inside then return stream_inside end
  local frame = hosts.frame
  if not frame or not STREAM then return nil end
  local own = frame.stream and rawget(frame.values, frame.stream)
  return type(own) == "string" and own or not own and talks.known and talks.known(STREAM) or nil
end

-- What stands in the preference: `orders=json sensor.*=protobuf:factory.Reading`.
function bodies_of.set(text)
  bodies_of.patterns, by_name, count = {}, {}, 0
  for pattern, name in text:gmatch("([^%s,=]+)=([^%s,]+)") do
    local own = pattern:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*")
    local dissector, message_type = name:match("^([^:]+):(.+)$")
    formats[dissector or name] = true
    table.insert(bodies_of.patterns, { "^" .. own .. "$", dissector or name, message_type })
  end
end

-- The dissector that the preference names for a stream, and a type of protobuf.
function bodies_of.format(stream)
  if not stream or #bodies_of.patterns == 0 then return nil end
  local found = by_name[stream]
  if found == nil then
    if count >= MOST_STREAMS then by_name, count = {}, 0 end
    found = false
    for _, each in ipairs(bodies_of.patterns) do found = found or stream:find(each[1]) and each end
    by_name[stream], count = found, count + 1
  end
  if found then return found[2], found[3] end
end

local function in_table(name, key)
  local known = key and bodies_of.tables[name]
  local fine, found = pcall(function() return known and known:get_dissector(key) end)
  return fine and found or nil
end

-- The dissector that others registered for a stream, or for the type that is said of bytes; nil for none.
function bodies_of.dissector(stream, said)
  local is_shown_as_text = said == "" or said and (said:find("^text/") or said:find("json$"))
  local found = in_table("stream", stream) or in_table("mime_type", said) or not is_shown_as_text and in_table("media_type", said) or nil
  if found and not bodies_of.found[tostring(found)] then bodies_of.found[tostring(found)] = found end
  return found
end

local function new_table(name, title)
  local fine, made = pcall(DissectorTable.new, NAME .. "." .. name, TITLE .. " " .. title, ftypes.STRING, base.NONE, protocol)
  if not fine then fine, made = pcall(DissectorTable.get, NAME .. "." .. name) end -- of Wireshark's own, since 5.0
  return fine and made or nil
end

if STREAM then bodies_of.tables.stream = new_table(STREAM, label(STREAM):lower()) end
if HAS_TYPES then
  bodies_of.tables.mime_type = new_table("mime_type", "MIME type")
  bodies_of.tables.media_type = DissectorTable.get("media_type")
end

end

-- Frames of other protocols inside of this one's: their plugins say which bytes are theirs --------------------

do

-- What is known of the frame that is being read, for the inner protocol; `raw` are the bytes in the slot, nil where it has none.
local function around_frame(name, raw, range)
  local memories = conversation.inner_states
  if not memories then
    memories = {}
    conversation.inner_states = memories
  end
  memories[name] = memories[name] or {}
  local columns = v
  return {
    command = hosts.frame.command, here = memories[name], data = raw, range = range,
    sender = sender_of(side_of()),
    value = function(path) return rawget(columns, path) end,
  }
end

-- Shows the inner protocol the frame in which nothing of its own is, on the first visit.
function hosts.watch(frame)
  if here.visited then return end
  for _, name in ipairs(frame.watched) do
    local inner = package.loaded["streamshark.inner." .. name]
    if inner then inner.ask(around_frame(name, nil, nil)) end
  end
end

-- Hands the bytes of a slot to the inner protocol whose they are; false if they are not. Its answer on the first visit holds.
function hosts.read(reader, range)
  local name = reader.format
  local inner = package.loaded["streamshark.inner." .. name]
  local raw = range:len() > 0 and range:raw() or ""
  local said
  if not inner then
    if bare_hex(raw:sub(1, math.floor(#reader.magic / 2))) ~= reader.magic then return false end
  else
    if not here.visited then
      said = inner.ask(around_frame(name, raw, range))
      if said then note().within = said end
    end
    said = notes[id_here] and notes[id_here].within
    if not said then return false end
  end
  local handed = { columns = v, client = conversation.client, within = said }
  package.loaded[AROUND] = handed
  local taken = call_dissector(name, range, root_tree, inner and inner.read) or said ~= nil
  package.loaded[AROUND] = nil
  if handed.line then inner_texts[""] = (inner_texts[""] or "") .. " | " .. handed.line end
  return taken
end

end


-- Straight-line code ----------------------------------------------------------------------------------------
-- To walk tables costs more than to add fields. So the steps of a frame are written out as a function of Lua when it is
-- read for the first time: the plain case of each step, and a call of `step` for all that is odd or rare.

local straight
local everything = setmetatable({}, { __index = function() return true end }) -- stands for the set of all fields

;(function() -- a scope of its own: Lua takes 200 names in one

local NUMBERS = { "b", "b * 256 + c", "(b * 256 + c) * 256 + d", "((b * 256 + c) * 256 + d) * 256 + e" }
local BYTES = { "b", "b, c", "b, c, d", "b, c, d, e" }
local NUMBER = { run = true, number = true, bits = true } -- kinds of steps

-- One step as it is read from tables; gives where the next one begins, and whether nothing more can be read.
local function one_step(made, from, until_here, shown)
  local outer = stop
  at, stop, item = from, until_here, shown
  local halted = read[made.kind](made)
  stop = outer
  return at, halted
end

-- Something wrong with what has been read.
local function odd(shown, code, made, from, length, ...)
  item = shown
  problem(code, made, from, length, ...)
end

local function verify(made, from, until_here, shown)
  if not preferences.checksums or not sums.wanted or made.summed and not made.summed(v) then return end
  local expected, found = made.expected(v), sums[made.sum_of](data:sub(from + 1, until_here))
  if expected ~= found then
    odd(shown, "checksum", made, from, until_here - from, hex(expected, 8), hex(found, 8))
  end
end

-- The facts that a number or text proves of its frame.
local function prove(made, from, count, shown, raw)
  item = shown
  if item then add_held(made, raw or made.width and part_value(made, from) or number_at(from, count, made.signed)) end
end

local function slot(made, from, count, own, behind, shown)
  at, item = behind, shown
  open_slot(made, from, count, own)
end

-- The time that a number counts, and the names of its flags.
local function clock(made, from, below) add_time(made, from, made.size, number_at(from, made.size, made.signed), below) end
local function flag_names(made, from, own)
  append_flags(own, made, made.width and part_value(made, from) or number_at(from, made.size, made.signed))
end

local HELP = {
  clock = clock, flag_names = flag_names, add_item_number = add_item_number,
  begin_summary = begin_summary, sum_up = sum_up, end_summary = end_summary, bytes_of = bytes_of, add = add, add_packet = add_packet, range_of = range_of, append_text = append_text, set_length = set_length,
  add_bytes = add_bytes,
  generated = generated, byte = string.byte, sub = string.sub, find = string.find, floor = math.floor, rawget = rawget,
  number_at = number_at, part_value = part_value, wide = wide, digits = digits, number_text = number_text,
  quoted = quoted, body_text = body_text, add_info = add_info, gather = gather, TEXT = TEXT, add_undecoded = add_undecoded, secrets = secrets,
  step = one_step, odd = odd, verify = verify, slot = slot, prove = prove, hide = TreeItem.set_hidden, type = type, preferences = preferences,
  numbered = {}, -- what stands behind the names of the first items of lists
}
for number = 1, 256 do HELP.numbered[number] = " " .. number end

local write -- kind of step to what writes it

-- Adds lines of code; `%1` to `%9` in them stand for what follows.
local function line(code, text, ...)
  local given = { ... }
  code[#code + 1] = text:gsub("%%(%d)", function(index) return tostring(given[tonumber(index)]) end)
end

-- What stands for a step, or a field, in the code.
local function named(code, kind, what)
  local all = code[kind]
  if not all[what] then
    all[#all + 1] = what
    all[what] = kind .. "[" .. #all .. "]"
  end
  return all[what]
end

local function kept_at(path) return ("v[%q]"):format(path) end

-- Says that a value was kept, of any path where none is given, which items of the lists around it must forget.
local function soil(code, path)
  for depth, each in ipairs(code.lists) do
    if not path or each[path] then line(code, "soiled_%1 = true", depth) end
  end
end

local function fall_back(code, made)
  soil(code)
  line(code, "at, halted = step(%1, at, stop, item) if halted then break end", named(code, "S", made))
end

-- A number at `at + offset`, as the local `x`.
local function read_number(code, made, offset, part)
  if made.size > 4 then
    if part then line(code, "local x = part_value(%1, at + %2)", named(code, "S", part), offset)
    else
      line(code, "local a, b, c, d, e, f, g, h = byte(data, at + %1, at + %2)", offset + 1, offset + 8)
      line(code, "local x")
      line(code, "if a == 0 and b < 32 then")
      line(code, "x = (((((b * 256 + c) * 256 + d) * 256 + e) * 256 + f) * 256 + g) * 256 + h")
      line(code, "else x = number_at(at + %1, 8, %2) end", offset, made.signed or false)
    end
    return
  end
  line(code, "local %1 = byte(data, at + %2, at + %3)", BYTES[made.size], offset + 1, offset + made.size)
  line(code, "local x = %1", NUMBERS[made.size])
  if part then line(code, "x = floor(x / %1) % %2", ("%.0f"):format(part.weight), ("%.0f"):format(part.range))
  elseif made.signed then
    line(code, "if x >= %1 then x = x - %2 end", math.floor(WRAPS[made.size] / 2), WRAPS[made.size])
  end
end

-- A number in the line of the item that is being read.
local function sum_up_number(code, made, offset, part)
  if code.summed == 0 then return end
  code.summed = code.summed - 1
  line(code, "do")
  read_number(code, made, offset, part)
  line(code, "sum_up(%1, number_text(%1, x))", named(code, "S", part or made))
  line(code, "end")
end

local function keep_number(code, made, offset, part)
  local own = part or made
  if not own.keep then return end
  line(code, own.keep == "followed" and "if followed then" or "do")
  read_number(code, made, offset, part)
  line(code, "%1 = x", kept_at(own.path))
  soil(code, own.path)
  if own.in_info then line(code, "if wants_info then add_info(%1, number_text(%1, x)) end", named(code, "S", own)) end
  line(code, "end")
end

-- Whether a number, one of its flags, or a field that spans commands and has its value is shown.
local function is_shown(code, own)
  local shown = own.field and code.shows[own.field] or own.time_field and code.shows[own.time_field]
  for _, flag in ipairs(own.flag_fields or {}) do shown = shown or code.shows[flag] end
  for _, twin in ipairs(own.also or {}) do
    shown = shown or code.shows[twin.field]
    for _, flag in ipairs(twin.flag_fields or {}) do shown = shown or code.shows[flag] end
  end
  return shown
end

-- A value under the names that span commands, as `add_also` adds it; `value` is an argument more. Its bytes are in `range`.
local function show_also(code, made, value)
  for _, twin in ipairs(made.also or {}) do
    local below = "item"
    line(code, "do")
    if code.shows[twin.field] then
      below = "own"
      line(code, "local own = add(item, %1, range%2)", named(code, "F", twin.field), value)
      line(code, "hide(own)")
    end
    for _, flag in ipairs(twin.flag_fields or {}) do
      if code.shows[flag] then line(code, "hide(add(%1, %2, range))", below, named(code, "F", flag)) end
    end
    line(code, "end")
  end
end

-- The bytes of a number as the local `range`, which all parts of a group share.
local function range_number(code, made, offset)
  local shown = is_shown(code, made)
  for _, part in ipairs(made.parts or {}) do shown = shown or is_shown(code, part) end
  if shown then line(code, "local range = range_of(tvb, at + %1, %2)", offset, made.size) end
end

local function show_number(code, made, offset, part)
  local own = part or made
  local flags, value, below = made.size <= 4 and own.flag_fields or {}, "", "item"
  if part and made.size > 4 then value = (", wide(part_value(%s, at + %d))"):format(named(code, "S", part), offset) end
  if code.shows[own.field] then
    if #flags > 0 or own.time_field then below = "own" end
    line(code, "%1add(item, %2, range%3)", below == "own" and "local own = " or "", named(code, "F", own.field), value)
  end
  if own.time_field and code.shows[own.time_field] then line(code, "clock(%1, at + %2, %3)", named(code, "S", own), offset, below) end
  if #flags > 0 and code.shows == everything then line(code, "flag_names(%1, at + %2, own)", named(code, "S", own), offset) end
  for _, flag in ipairs(flags) do
    if code.shows[flag] then line(code, "add(%1, %2, range)", below, named(code, "F", flag)) end
  end
  show_also(code, own, value)
  if code.whole and own.holds then line(code, "prove(%1, at + %2, %3, item)", named(code, "S", own), offset, made.size) end
end

-- Numbers and groups of bits that follow each other.
local function write_numbers(code, whole, members, size)
  line(code, "if stop - at < %1 then", size)
  for path in pairs(code.always or {}) do line(code, "%1 = nil", kept_at(path)) end
  code.always = nil
  fall_back(code, whole)
  line(code, "else")
  local offset = 0
  for _, made in ipairs(members) do
    line(code, "do")
    range_number(code, made, offset)
    if made.kind == "number" then
      keep_number(code, made, offset)
      show_number(code, made, offset)
      sum_up_number(code, made, offset)
    end
    for _, part in ipairs(made.parts or {}) do
      if part.name then
        line(code, "do")
        keep_number(code, made, offset, part)
        show_number(code, made, offset, part)
        sum_up_number(code, made, offset, part)
        line(code, "end")
      end
    end
    line(code, "end")
    offset = offset + made.size
  end
  line(code, "at = at + %1", size)
  line(code, "end")
end

local function write_all(code, members)
  for _, made in ipairs(members) do
    if write[made.kind] then write[made.kind](code, made) else fall_back(code, made) end
  end
end

-- The steps up to the last one that somebody wants, where the rest is not read and nothing comes behind them.
local function write_wanted(code, members)
  if not code.final then return write_all(code, members) end
  local last, final = 0, code.final
  for index, made in ipairs(members) do if code.wanted(made) then last = index end end
  code.final = false
  write_all(code, { unpack(members, 1, last - 1) })
  code.final = final
  write_all(code, { members[last] })
end

-- A length or count as the local `count`, negative where it is cut; `place` is behind it.
local function write_measure(code, measure, made)
  if type(measure) == "table" and measure.size then
    line(code, "local place, count = at + %1, -1", measure.size)
    line(code, "if place <= stop then")
    if measure.size > 4 then line(code, "count = number_at(at, 8, %1) if type(count) ~= 'number' then count = -1 end", measure.signed or false)
    else
      read_number(code, measure, 0)
      line(code, "count = x")
    end
    line(code, "end")
  elseif type(measure) == "number" then line(code, "local place, count = at, %1", measure)
  elseif type(measure) == "function" then
    line(code, "local place, count = at, %1.%2(v)", named(code, "S", made), made.measure and "measure" or made.count and "count" or "claim")
    line(code, "if type(count) ~= 'number' then count = -1 end")
  else line(code, "local place, count = at, stop - at") end
end

-- Shows the bytes of a length or count, where everything is shown.
local function show_measure(code, measure, title)
  if code.shows == everything and type(measure) == "table" and measure.size then
    line(code, "add(item, range_of(tvb, place - %2, %2), '%1: ' .. digits(count))", title, measure.size)
  end
end

local function write_text(code, made)
  line(code, "local raw = count >= 0 and count <= stop - place and sub(data, place + 1, place + count)")
  line(code, "if not raw %1or secrets.held or find(raw, '[\\128-\\255]') then", made.limit and "or count > " .. made.limit .. " " or "")
  fall_back(code, made)
  line(code, "else")
  show_measure(code, made.measure, "Length")
  if code.summed > 0 then line(code, "sum_up(%1, quoted(raw, true))", named(code, "S", made)) end
  line(code, "at = place + count")
  if made.keep then
    line(code, "%1, %2 = raw, count", kept_at(made.path), kept_at(made.count_path))
    soil(code, made.path)
  end
  if made.in_info then line(code, "if wants_info then add_info(%1, quoted(raw)) end", named(code, "S", made)) end
  if is_shown(code, made) then line(code, "local range = range_of(tvb, place, count)") end
  if code.shows[made.field] then
    local shown = named(code, "F", made.field)
    if made.encoding == "mutf-8" then line(code, "add(item, %1, range, raw)", shown)
    else line(code, "if count == 0 then add(item, %1, range, '') else add_packet(item, %1, range, TEXT) end", shown) end
  end
  show_also(code, made, ", raw")
  if code.whole and made.holds then line(code, "prove(%1, place, count, item, raw)", named(code, "S", made)) end
  line(code, "end")
end

local function write_bytes(code, made)
  local odd_sizes = (made.limit and " or count > " .. made.limit or "") .. (made.slot and " or secrets.held" or "")
  line(code, "if count < 0 or count > stop - place%1 then", odd_sizes)
  fall_back(code, made)
  line(code, "else")
  show_measure(code, made.measure, "Length")
  if code.summed > 0 then line(code, "sum_up(%1, bytes_of(count))", named(code, "S", made)) end
  line(code, "at = place + count")
  if made.at_path then line(code, "%1, %2 = place, count", kept_at(made.at_path), kept_at(made.count_path)) end
  if made.keep then
    line(code, "%1, %2 = count, count", kept_at(made.path), kept_at(made.count_path))
    soil(code, made.path)
    if made.raw then line(code, "%1 = sub(data, place + 1, at)", kept_at(made.path .. " raw")) end
  end
  if made.in_info then line(code, "if wants_info then add_info(%1, body_text(%1, place, count)) end", named(code, "S", made)) end
  local opens, below = (made.slot or made.body) and code.shows.slots, "item"
  if code.shows[made.field] then
    if opens then below = "own" end
    local shown = opens and "local own = " or ""
    line(code, "%1add_bytes(%2, place, count, item)", shown, named(code, "S", made))
  end
  if opens then
    local is_plain = not made.body and not is_read(made.slot) -- no more than text can be shown
    if is_plain then
      line(code, "local b = count > 0 and count <= preferences.text and byte(data, place + 1)")
      line(code, "if b and (b > 31 or b > 8 and b < 14) then")
    end
    line(code, "slot(%1, place, count, %2, at, item)", named(code, "S", made), below)
    if is_plain then line(code, "end") end
  end
  line(code, "end")
end

-- Members of a record or region: what halts there ends this block alone.
local function write_block(code, members)
  line(code, "repeat")
  write_wanted(code, members)
  line(code, "until true")
end

-- Whether conversations want one value of each item, which is gathered here; more are gathered by the tables' reader.
local function gathers_one(code, made) return code.follows and made.gathers and #made.gathers == 1 end

local function write_gather(code, made)
  if gathers_one(code, made) then
    line(code, "local value = rawget(v, %1)", ("%q"):format(made.gathers[1]))
    line(code, "if type(value) == 'userdata' then gather(%1)", named(code, "S", made)) -- more than Lua can hold
    line(code, "elseif value ~= nil then")
    line(code, "filled = filled + 1")
    line(code, "gathered[filled] = value")
    line(code, "end")
  elseif made.gathers then line(code, "if following then gather(%1) end", named(code, "S", made)) end
end

-- Keeps the members that the tables read of each item together.
local function write_record(code, made)
  if not made.records or not (code.follows or code.whole) then return end
  local members = {}
  for _, each in ipairs(made.recorded) do
    members[#members + 1] = ("[%q] = rawget(v, %q)"):format(each.name, each.path)
  end
  line(code, "if followed then")
  line(code, "recorded = recorded + 1")
  line(code, "records[recorded] = { %1 }", table.concat(members, ", "))
  line(code, "end")
end

-- Forgets what was kept of the last item, where it was more than its first numbers, which each item has.
local function forget_last(code, made)
  local own, opening = code.lists[#code.lists], made.item.members[1]
  line(code, "if soiled_%1 then", #code.lists)
  for _, path in ipairs(made.forget) do line(code, "%1, %2 = nil, nil", kept_at(path), kept_at("#" .. path)) end
  line(code, "soiled_%1 = false", #code.lists)
  line(code, "end")
  if not NUMBER[opening.kind] then return end
  code.always = {}
  for _, one in ipairs(opening.kind == "run" and opening.members or { opening }) do
    for _, each in ipairs(one.parts or { one }) do
      if each.path and own[each.path] then own[each.path], code.always[each.path] = nil, true end
    end
  end
end

local function write_item(code, made)
  local one, sums_of = made.item, made.sums or {}
  line(code, "local start = at")
  if one.kind == "record" then
    line(code, "n = n + 1")
    if made.forget then forget_last(code, made) end
    local shown = code.shows[one.field]
    if shown then line(code, "local item = add(item, %1, range_of(tvb, at, 0))", named(code, "F", one.field)) end
    local is_summed, outer = shown and code.shows == everything, code.summed
    code.summed = is_summed and MOST_SUMMED or 0
    if is_summed then line(code, "local outer = begin_summary()") end
    local number = made.number
    if number and code.shows[number.field] then line(code, "if number then add_item_number(%1.number, number, at, item) end", named(code, "S", made)) end
    write_block(code, one.members)
    if number and code.shows[number.field] then line(code, "if number then number = number + (rawget(v, %1) or 1) end", ("%q"):format(number.weight)) end
    if is_summed then line(code, "append_text(item, (numbered[n] or ' ' .. n) .. end_summary(outer))") end
    code.summed = outer
    if shown then line(code, "set_length(item, at - start)") end
    for _, sum in ipairs(sums_of) do
      line(code, "%1 = %1 + (rawget(v, %2) or %3)", kept_at(sum.path), ("%q"):format(sum.member), sum.absent)
    end
  else
    write_block(code, { one })
    line(code, "if not halted then n = n + 1 end")
  end
  write_gather(code, made)
  write_record(code, made)
  line(code, "if halted or at == start then break end")
end

-- Whether only the number of a list is wanted.
local function is_counted_only(code, made)
  if not code.final or made.in_info ~= true or not (made.count or made.claim) then return false end
  return not code.wanted(made.item) and not (code.follows and (made.gathers or made.records or made.awaited or made.keep))
end

local function write_list(code, made)
  local measure, own = made.count or made.claim, named(code, "S", made)
  local is_counted, final = is_counted_only(code, made), code.final
  code.final = false
  line(code, "do")
  if measure then write_measure(code, measure, made) else line(code, "local place, count = at, 0") end
  line(code, "if count < 0 then")
  fall_back(code, made)
  line(code, "else")
  show_measure(code, measure, "Count")
  if not code.whole and made.in_info == true and measure then line(code, "if wants_info then add_info(%1, digits(count)) end", own) end
  if is_counted then line(code, "at = place")
  else
    line(code, "local from, n = at, 0")
    line(code, "at = place")
    if made.number then line(code, "local number = rawget(v, %1)", ("%q"):format(made.number.start)) end
    for _, sum in ipairs(made.sums or {}) do line(code, "%1 = 0", kept_at(sum.path)) end
    if gathers_one(code, made) then
      local path = made.gathered[1]
      line(code, "local gathered = rawget(v, %1) or {}", ("%q"):format(path))
      line(code, "local filled = #gathered")
      line(code, "%1 = gathered", kept_at(path))
    else
      for _, path in ipairs(made.gathers and made.gathered or {}) do
        line(code, "if following then %1 = rawget(v, %2) or {} end", kept_at(path), ("%q"):format(path))
      end
    end
    if made.records and (code.follows or code.whole) then
      line(code, "local records, recorded = {}, 0")
      line(code, "if followed then %1 = records end", kept_at(made.path .. "[]"))
    end
    if made.forget then
      local paths = {}
      for _, path in ipairs(made.forget) do paths[path] = true end
      code.lists[#code.lists + 1] = paths
      line(code, "local soiled_%1 = false", #code.lists)
    end
    line(code, "while %1 do", made.count and "n < count" or "at < stop" .. (made.limit and " and n <= " .. made.limit or ""))
    write_item(code, made)
    line(code, "end")
    if made.forget then code.lists[#code.lists] = nil end
    if made.keep then
      line(code, "%1 = n", kept_at(made.count_path))
      if made.in_info then line(code, "if wants_info then add_info(%1, digits(n)) end", own) end
    end
    line(code, "if halted then break end")
    local width = measure and type(measure) == "table" and measure.size or 0
    if made.claim then line(code, "if n ~= count then odd(item, 'count', %1, from, %2, digits(count), digits(n)) end", own, width) end
    if made.limit then line(code, "if n > %3 then odd(item, 'limit', %1, from, %2, digits(n), digits(%3)) end", own, width, made.limit) end
  end
  line(code, "end")
  line(code, "end")
  code.final = final
end

write = {
  run = function(code, made) write_numbers(code, made, made.members, made.size) end,
  number = function(code, made) write_numbers(code, made, { made }, made.size) end,
  bits = function(code, made) write_numbers(code, made, { made }, made.size) end,
  passed = function(code, made)
    line(code, "if stop - at < %1 then", made.size)
    fall_back(code, made)
    line(code, "else at = at + %1 end", made.size)
  end,
  blob = function(code, made)
    local veiled = made.slot and made.slot.veiled
    code.veiled = code.veiled or veiled -- what stands behind it may be of it
    if made.secret or code.veiled or made.of_name or made.names_next or made.encoding == "uuid" then return fall_back(code, made) end
    line(code, "do")
    write_measure(code, made.measure, made)
    if made.encoding then write_text(code, made) else write_bytes(code, made) end
    line(code, "end")
  end,
  list = write_list,
  record = function(code, made)
    if made.in_info then line(code, "if wants_info then add_info(%1, '[record]') end", named(code, "S", made)) end
    line(code, "do")
    local shown = made.field and code.shows[made.field]
    if shown then line(code, "local start, item = at, add(item, %1, range_of(tvb, at, 0))", named(code, "F", made.field)) end
    write_block(code, made.members)
    if shown then line(code, "set_length(item, at - start)") end
    line(code, "if halted then break end")
    line(code, "end")
  end,
  when = function(code, made)
    line(code, "do")
    line(code, "local held = %1.condition(v)", named(code, "S", made))
    line(code, "if held and held ~= 0 then")
    write_wanted(code, made.members)
    line(code, "end")
    line(code, "end")
  end,
  tail = function(code, made)
    line(code, "if stop - at >= %1 then", made.need)
    write_wanted(code, made.members)
    line(code, "end")
  end,
  either = function(code, made)
    line(code, "if at >= stop then")
    fall_back(code, made)
    line(code, "elseif byte(data, at + 1) < 128 then")
    write_wanted(code, made.clear)
    line(code, "else")
    write_wanted(code, made.set)
    line(code, "end")
  end,
  switch = function(code, made)
    line(code, "do")
    line(code, "local on = %1.on(v)", named(code, "S", made))
    local word_of_if = "if"
    for case, arm in pairs(made.cases) do
      line(code, "%1 on == %2 then", word_of_if, type(case) == "string" and ("%q"):format(case) or tostring(case))
      write_wanted(code, arm)
      word_of_if = "elseif"
    end
    if word_of_if == "elseif" then line(code, "else") end
    if made.of then fall_back(code, made) else write_wanted(code, made.default) end
    if word_of_if == "elseif" then line(code, "end") end
    line(code, "end")
  end,
  region = function(code, made)
    local own = named(code, "S", made)
    line(code, "do")
    write_measure(code, made.measure, made)
    line(code, "if count < 0 or count > stop - place then")
    fall_back(code, made)
    line(code, "else")
    show_measure(code, made.measure, "Length")
    line(code, "local outer = stop")
    line(code, "at, stop = place, place + count")
    if made.sum_of and code.whole then line(code, "verify(%1, at, stop, item)", own) end
    write_block(code, made.members)
    if code.whole then
      line(code, "if not halted and at ~= stop then odd(item, 'trailing', %1, at, stop - at, stop - at) end", own)
      line(code, "if item and at < stop then add_undecoded(item, at, stop - at) end")
    end
    line(code, "at, stop, halted = stop, outer, nil")
    line(code, "end")
    line(code, "end")
  end,
  claim = function(code, made)
    if not code.whole then return end
    line(code, "if %1 ~= %2.expected(v) then", kept_at(made.of), named(code, "S", made))
    fall_back(code, made)
    line(code, "end")
  end,
  literal = function(code, made)
    line(code, "if sub(data, at + 1, at + %1) ~= %2.data then", #made.data, named(code, "S", made))
    fall_back(code, made)
    line(code, "else")
    if code.shows == everything then line(code, "add(item, range_of(tvb, at, %1), %2.title)", #made.data, named(code, "S", made)) end
    line(code, "at = at + %1 end", #made.data)
  end,
}

-- Whether somebody wants a step, or one inside of it: of a line its arguments, of conversations what they wait for.
local function wanted_by(follows, ever)
  local function wanted(made)
    if not write[made.kind] and made.kind ~= "part" then return true end -- those are read as a whole
    if made.in_info or made.at_path or follows and (made.awaited or made.gathers or made.records or ever and made.keep) then return true end
    for _, inner in ipairs({ "members", "parts", "clear", "set", "default" }) do
      for _, each in ipairs(made[inner] or {}) do if wanted(each) then return true end end
    end
    for _, arm in pairs(made.cases or {}) do
      for _, each in ipairs(arm) do if wanted(each) then return true end end
    end
    for _, arm in ipairs(made.arms or {}) do
      for _, each in ipairs(arm[2]) do if wanted(each) then return true end end
    end
    return made.item and wanted(made.item) or false
  end
  return wanted
end

local EVER = 1000 -- stands for all that a frame has
local HEAD = [[
local S, F, HELP = ...
%s
return function(tvb, data, at, stop, item, v, wants_info, following, followed)
local halted
repeat
]]
local names_of_help, values_of_help = {}, {}
for name in pairs(HELP) do
  names_of_help[#names_of_help + 1] = name
  values_of_help[#values_of_help + 1] = "HELP." .. name
end
local opening = HEAD:format("local " .. table.concat(names_of_help, ", ") .. " = " .. table.concat(values_of_help, ", "))

-- The function that reads these steps: all of them, where there is a set of fields that it `shows`, though none may be in
-- it; else what `frame`'s line and conversations want.
function straight(steps, shows, follows, frame)
  local code = { S = {}, F = {}, shows = shows or {}, whole = shows and true, follows = follows, final = not shows }
  code.summed = 0 -- numbers that the line of the item that is read may still have
  code.lists = {} -- those around what is written whose items forget what was kept of the last one: its paths
  code.wanted = wanted_by(follows, frame.awaited == EVER)
  write_wanted(code, steps)
  return assert(load(opening .. table.concat(code, "\n") .. "\nuntil true\nreturn at, halted\nend", "=" .. frame.name))(code.S, code.F, HELP)
end

end)()


-- TCP as packets have it -------------------------------------------------------------------------------------------
-- Wireshark hands segments without payload to no dissector above TCP, and hides its fields on the first of two
-- passes. So a post-dissector, which is given every packet, reads the header of TCP itself: starts, ends, full receivers
-- and, where fields are hidden, lost bytes. All plugins share one.

local tcp_watcher -- what is known of connections, and the plugins that want to know

;(function() -- a scope of its own: Lua takes 200 names in one

local SHARED = "streamshark.tcp"
tcp_watcher = package.loaded[SHARED]
if tcp_watcher then return end
tcp_watcher = { opened = {}, plugins = {}, openings = {} }
package.loaded[SHARED] = tcp_watcher

local FIN, SYN, RST, ACK = 1, 2, 4, 16
local MOST_BELOW = 256 -- bytes of the layers below TCP in which its header is searched
local byte, find, floor = string.byte, string.find, math.floor

local directions = {} -- addresses and ports of one direction to the connection, and which side it is
local awaited = {} -- ports to the number of connections of which no payload has come yet

local function number(raw, from) -- of 32 bits
  local a, b, c, d = byte(raw, from, from + 3)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

-- Where the addresses of the IP header are whose payload begins at a place, and bytes of that payload; nil where there is no
-- such header.
local function below(raw, begins)
  for size = 20, 60, 4 do
    local from = begins - size
    if from >= 1 and byte(raw, from) == 0x40 + floor(size / 4) and byte(raw, from + 9) == 6 then
      return raw:sub(from + 12, from + 19), byte(raw, from + 2) * 256 + byte(raw, from + 3) - size
    end
  end
  local from = begins - 40
  if from >= 1 and floor(byte(raw, from) / 16) == 6 and byte(raw, from + 6) == 6 then
    return raw:sub(from + 8, from + 39), byte(raw, from + 4) * 256 + byte(raw, from + 5)
  end
end

-- The header of TCP in the first bytes of a packet, the innermost one: its place, the addresses below it, bytes from it on.
local function header_of(raw, from, to)
  local ports = string.char(floor(from / 256) % 256, from % 256, floor(to / 256) % 256, to % 256)
  local found, addresses, size
  local try = find(raw, ports, 1, true)
  while try and #raw >= try + 19 do
    local here_below, here_size = below(raw, try)
    if here_below then found, addresses, size = try, here_below, here_size end
    try = find(raw, ports, try + 1, true)
  end
  return found, addresses, size
end

-- What a plugin calls the direction of a packet.
function tcp_watcher.name_of(info)
  return tostring(info.src) .. " " .. info.src_port .. " " .. tostring(info.dst) .. " " .. info.dst_port
end

local function other_name(info)
  return tostring(info.dst) .. " " .. info.dst_port .. " " .. tostring(info.src) .. " " .. info.src_port
end

local function ports_as_key(one, other) return one < other and one * 65536 + other or other * 65536 + one end

-- Says that the payload of a connection has begun, or that none comes.
local function stop_awaiting(connection)
  local ports = not connection.is_begun and connection.ports
  if ports then awaited[ports] = awaited[ports] > 1 and awaited[ports] - 1 or nil end
  connection.is_begun = true
end

-- The connection of a packet, and its side in it, 1 for who sent the first packet.
local function connection_of(addresses, ports, info, is_syn, sequence)
  local half = floor(#addresses / 2)
  local key = addresses .. ports
  local own = directions[key]
  if own and not (is_syn and own.connection.began[own.side] ~= sequence) then return own.connection, own.side end
  if own then stop_awaiting(own.connection) end
  local connection = { stop = {}, began = {}, by_name = {}, t = info.abs_ts * 1e9, is_open = is_syn }
  connection.ports = ports_as_key(info.src_port, info.dst_port)
  awaited[connection.ports] = (awaited[connection.ports] or 0) + 1
  directions[key] = { connection = connection, side = 1 }
  directions[addresses:sub(half + 1) .. addresses:sub(1, half) .. ports:sub(3) .. ports:sub(1, 2)] = { connection = connection, side = 2 }
  if is_syn then
    local name, other = tcp_watcher.name_of(info), other_name(info)
    connection.by_name[name], connection.by_name[other] = 1, 2
    connection.began[1] = sequence
    tcp_watcher.opened[name], tcp_watcher.opened[other] = connection, connection
    tcp_watcher.tell(info, "tcp.syn")
  end
  return connection, 1
end

-- How far one sequence number is after another one.
local function ahead(one, other)
  local distance = (one - other) % 4294967296
  return distance < 2147483648 and distance or distance - 4294967296
end

-- Follows the bytes of a side, where Wireshark hides what TCP says; true where some are missing before this packet.
local function follow(connection, side, sequence, size, flags, acked)
  local other, until_here = 3 - side, connection.stop[side] or connection.began[side] and connection.began[side] + 1
  local lost = until_here and size > 0 and ahead(sequence, until_here) > 0 or false
  if size > 0 and (not until_here or ahead(sequence + size, until_here) > 0) then connection.stop[side] = (sequence + size) % 4294967296 end
  local unseen = false
  if flags % 32 >= ACK then
    local stop_of_other = connection.stop[other] or connection.began[other] and connection.began[other] + 1
    unseen = stop_of_other ~= nil and ahead(acked, stop_of_other) > 1
    if unseen then connection.stop[other] = acked end
  end
  return lost, unseen
end

function tcp_watcher.tell(info, name, ...)
  for _, plugin in ipairs(tcp_watcher.plugins) do plugin(info, name, ...) end
end

local function see_bytes(info, connection, side, sequence, size, flags, acked)
  if flags % 4 >= SYN and flags % 32 >= ACK then connection.began[side] = sequence end
  connection.both = connection.both or connection.began[2] ~= nil and side == 1 and flags % 32 >= ACK
  if not tcp_watcher.is_blind then return end
  local lost, unseen = follow(connection, side, sequence, size, flags, acked)
  if lost then tcp_watcher.tell(info, "lost") end
  if unseen then tcp_watcher.tell(info, "unseen") end
end

local watcher = Proto("streamshark_tcp", "TCP for Streamshark")

local owned = ProtoExpert.new("streamshark_tcp.expert.owned", "Another dissector has the port", expert.group.UNDECODED, expert.severity.NOTE)
watcher.experts = { owned }
local hints = {} -- packet to what is said of the dissector that had it

function watcher.init() directions, awaited, tcp_watcher.opened, hints = {}, {}, {}, {} end

-- Whether the first bytes of a connection begin a protocol whose plugin was not asked, because another dissector has the port.
local function see_first(bytes, info, from)
  for _, plugin in ipairs(tcp_watcher.openings) do
    local title, name = plugin(bytes(from):tvb(), info)
    if title then
      local port = math.min(info.src_port, info.dst_port)
      hints[info.number] = ("These bytes begin %s, but another dissector has the port %d: choose %s for it in Decode As"):format(title, port, name)
    end
  end
end

local function show_hint(bytes, info, tree)
  local hint = hints[info.number]
  if hint then tree:add(watcher, bytes(0, 0)):add_proto_expert_info(owned, hint) end
end

function watcher.dissector(bytes, info, tree)
  if next(hints) then show_hint(bytes, info, tree) end
  if tcp_watcher.is_idle or info.visited then return 0 end
  local from, to = info.src_port, info.dst_port
  if from == 0 or to == 0 then return 0 end
  local raw = bytes:raw(0, math.min(bytes:len(), MOST_BELOW))
  local begins, addresses, size = header_of(raw, from, to)
  if not begins then return 0 end
  local flags, window = byte(raw, begins + 13), byte(raw, begins + 14) * 256 + byte(raw, begins + 15)
  local is_syn, ends, is_reset = flags % 4 >= SYN, flags % 2 == FIN, flags % 8 >= RST
  local is_telling = is_syn or ends or is_reset or window == 0 or tcp_watcher.is_blind
  if not is_telling and not awaited[ports_as_key(from, to)] then return 0 end
  local sequence, ports = number(raw, begins + 4), raw:sub(begins, begins + 3)
  local size_of_header = floor(byte(raw, begins + 12) / 16) * 4
  local known = directions[addresses .. ports]
  if known and not known.connection.is_begun and size > size_of_header and begins - 1 + size_of_header < bytes:len() then
    stop_awaiting(known.connection)
    see_first(bytes, info, begins - 1 + size_of_header)
    show_hint(bytes, info, tree)
  end
  if not is_telling then return 0 end
  local connection, side = connection_of(addresses, ports, info, is_syn and flags % 32 < ACK, sequence)
  see_bytes(info, connection, side, sequence, math.max(0, size - size_of_header), flags, number(raw, begins + 8))
  if window == 0 and not (is_syn or ends or is_reset) then tcp_watcher.tell(info, "tcp.zero_window") end
  if is_reset then tcp_watcher.tell(info, "tcp.reset")
  elseif ends then tcp_watcher.tell(info, "tcp.close") end
  return 0
end

register_postdissector(watcher)

end)()


-- What frames mean, written out --------------------------------------------------------------------------------
-- To walk the tables of pairs, lifecycles, moves and rules costs more than what they say. So all that they say of one kind of
-- frame of one sender, where so much of the connection was seen, is written out as a function of Lua when the first such
-- frame comes. The expressions of the tables are in it, with the locals that have what they name. The same is done for what
-- the tables trigger, such as the end of an object, and for events of TCP: these have no number, `n`, and no columns.

local follower, compiled

;(function() -- a scope of its own: Lua takes 200 names in one

local MOST_NAMES = 100 -- of what the code refers to; what is more is looked up
local MOST_GUARDS = 60 -- of the guards that are locals; others are called wherever they are asked

local function quote(text) return ("%q"):format(text) end

local function literal(value) return type(value) == "string" and quote(value) or tostring(value) end

local function line(code, text, ...)
  local given = { ... }
  code[#code + 1] = text:gsub("%%(%d)", function(index) return tostring(given[tonumber(index)]) end)
end

-- What stands for a value in the code.
local function named(code, value)
  local all = code.values
  if not all[value] then
    all[#all + 1] = value
    all[value] = #all <= MOST_NAMES and "x" .. #all or "X[" .. #all .. "]"
  end
  return all[value]
end

-- Expressions of the tables are text, each with the names of what it reads. -------------------------------------

local arguments = {} -- expression to these names

local function arguments_of(expression)
  local found = arguments[expression]
  if not found then
    found = {}
    for name in (expression[2] or ""):gmatch("%S+") do found[#found + 1] = name end
    arguments[expression] = found
  end
  return found
end

-- An expression as a function of what it reads, and the names of that; for what is too rare to be written out.
local functions_of = {}

function compiled(expression)
  local wanted = arguments_of(expression)
  if not functions_of[expression] then
    local text = "local f, K, LISTS, names = ...\nreturn function(" .. table.concat(wanted, ", ") .. ") return " .. expression[1] .. " end"
    functions_of[expression] = assert(load(text, "=expression"))(f, K, LISTS, names)
  end
  return functions_of[expression], wanted
end

-- The text of an expression where something else stands for the names in it; quoted text stays as it is.
local function with_names(text, meant)
  local out, from = {}, 1
  local function replaced(name)
    local one, rest = name:match("^([^.]*)(.*)$")
    return meant[one] and meant[one] .. rest
  end
  while from <= #text do
    local quotation = text:find('"', from, true) or #text + 1
    out[#out + 1] = text:sub(from, quotation - 1):gsub("[%.%w_]*[%w_]", replaced)
    local behind = quotation + 1
    while behind <= #text and text:sub(behind, behind) ~= '"' do behind = behind + (text:sub(behind, behind) == "\\" and 2 or 1) end
    out[#out + 1] = text:sub(quotation, behind)
    from = behind + 1
  end
  return table.concat(out)
end

-- The columns that every frame has: where they are, and what is done first so that they are there.
local COLUMNS = {
  c = "c", agreed = "agreed", n = "n", t = "t", side = "side", size = "size", complete = "complete", took = "took",
  name = function(code) return quote(code.frame.name) end,
  key = function(code) return literal(code.frame.key) end,
  sender = function(code) return literal(code.sender) end,
  version = function(code) return code.frame.version and literal(code.frame.version) or "agreed.version" end,
  client = function(code) return (code.sender or code.frame.trigger) and "client" or "nil" end,
  server = function(code) return (code.sender or code.frame.trigger) and "server" or "nil" end,
  orphan = function(code) return #code.roles.answers > 0 and "orphan" or "false" end,
  duplicate = function(code) return #code.roles.asks > 0 and "duplicate" or "false" end,
  mark = "mark", flow = "flow", dialect = "dialect",
  octets = function(code) return code.frame.trigger and "nil" or "octets" end,
  duplicate_of = function(code) return #code.roles.asks > 0 and "duplicate_of" or "nil" end,
  why = function(code) return code.frame.trigger and "why" or "nil" end,
  found = "found", -- what the predicate of a rule gives
  -- not of frames that are followed
  problem = "nil", problem_text = "nil", problem_field = "nil", problem_value = "nil", problem_offset = "nil", problem_length = "nil", problem_alone = "false",
}
local BEFORE = {
  { "mark", "local mark = here.rel_ts" }, -- of an absolute time a number of Lua lacks the last digits
  { "flow", "local flow = talk.flow" },
  { "dialect", "local dialect = dialect_of()" },
  { "octets", "local octets = octets_of(size)" },
  { "client", "local client = talk.client" },
  { "server", "local server = talk.server" },
  { "took", "local took = false" },
}

-- What stands for an argument in the code.
local function argument(code, name)
  local column, lifecycle = COLUMNS[name], name:match("^fits_(.+)$")
  if column then
    code.needs[name] = true
    return type(column) == "string" and column or column(code)
  end
  if lifecycle then return code.fits[lifecycle] or "false" end
  return code.objects[name] or "NO_OBJECT"
end

-- An expression of the tables, or statements, as they stand in the code.
local function written(code, expression)
  local meant, is_other = {}, false
  for _, name in ipairs(arguments_of(expression)) do
    meant[name] = argument(code, name)
    is_other = is_other or meant[name] ~= name
  end
  return is_other and with_names(expression[1], meant) or expression[1]
end

-- A guard as an expression: what depends on columns of the frame alone is found out once.
local function guarded(code, guard)
  local all, name = code.guards, "g" .. guard
  if not all[name] and #all >= MOST_GUARDS then return "(" .. written(code, GUARDS[guard]) .. ")" end
  if not all[name] then
    all[#all + 1] = "local " .. name .. " = " .. written(code, GUARDS[guard])
    all[name] = true
  end
  return name
end

-- Whether a condition may hold that is the same for all such frames.
local function is_possible(code, fixed)
  if not fixed then return true end
  local is_so, wanted = compiled(fixed)
  local frame, values = code.frame, {}
  local known = { name = frame.name, key = frame.key, sender = code.sender }
  for index, name in ipairs(wanted) do values[index] = known[name] end
  return is_so(unpack(values, 1, #wanted))
end

-- A test of the tables, as an expression; a step that has none always fits.
local function tested(code, guard, test, ...)
  local tests = { ... }
  if guard then table.insert(tests, 1, guarded(code, guard)) end
  if test then tests[#tests + 1] = "(" .. written(code, test) .. ")" end
  return #tests > 0 and table.concat(tests, " and ") or "true"
end

-- The value of a key as a local: of a column, whose digits stand for a number that Lua cannot hold, or of a function.
local function write_key(code, name, key)
  if not key then line(code, "local %1 = ''", name)
  elseif type(key) == "string" then
    line(code, "local %1 = c[%2]", name, quote(key))
    line(code, "if %1 == nil then %1 = c[%2] end", name, quote("exact " .. key))
  else line(code, "local %1 = %2", name, written(code, key)) end
end

-- Open requests of a pair that a side has asked, as the local `open`; not there while there were none.
local function write_open(code, pair, side)
  if pair.scope == "capture" then line(code, "local open = talks.requests[%1]", quote(pair.name))
  else line(code, "local open = talk.open[%1][%2]", side, quote(pair.name)) end
end

-- Whether a table reads what is counted of each object of a lifecycle: `frames`, `last_n` or `last_t`.
local function is_tallied(name, tally)
  local owners = TALLIED[tally]
  return owners and owners[(name == "me" or name == "peer") and "side" or name]
end

-- Runs what depends on the end of an object, which is marked as ended already.
local function write_end(code, name, entity, why)
  if not code.ends[name] then return end
  local ended = {}
  for _, tally in ipairs({ { "last_n", "n" }, { "last_t", "t" } }) do
    if is_tallied(name, tally[1]) then ended[#ended + 1] = entity .. "." .. tally[1] .. " = " .. tally[2] end
  end
  if ended[1] then line(code, "if n then %1 end", table.concat(ended, " ")) end
  line(code, "fire(talk, %1, %2, %3, t, %4)", quote("end:" .. name), quote(name), entity, quote(why))
end

-- Whether the local `state` is one of some, as an expression.
local function one_of(states)
  local tests = {}
  for state in pairs(states) do tests[#tests + 1] = "state == " .. quote(state) end
  return #tests > 0 and "(" .. table.concat(tests, " or ") .. ")" or "false"
end

local function fitting(lifecycle, from)
  return from == "*" and "state ~= 'absent' and not " .. one_of(lifecycle.final) or one_of(from)
end

local function write_steps(code, lifecycle, steps, entity)
  line(code, "local state = %1.state", entity)
  for index, each in ipairs(steps) do
    line(code, "%1 %2 then", index == 1 and "if" or "elseif", is_possible(code, each.fixed) and tested(code, each.guard, each.when, fitting(lifecycle, each.from)) or "false")
    line(code, "%1.state = %2", entity, quote(each.to))
    if lifecycle.name ~= "conn" and (each.to == "absent" or lifecycle.final[each.to]) then
      line(code, "if not %1.over then", entity)
      line(code, "%1.over, %1.ended_t, %1.ended_n = true, t, n", entity)
      write_end(code, lifecycle.name, entity, each.to)
      line(code, "end")
    end
  end
  line(code, "end")
end

-- Whether objects of a lifecycle have conversations that are shown here.
local function is_shown(lifecycle) return lifecycle.type and lifecycle.scope ~= "capture" end

-- Something for every object of a lifecycle that goes on, where a guard holds.
local function write_each(code, name, guard, write)
  local before = code.objects[name]
  code.objects[name] = "entity"
  line(code, "if %1 then", tested(code, guard))
  line(code, "for _, entity in ipairs(open_objects(talk, %1)) do", quote(name))
  write()
  line(code, "end")
  line(code, "end")
  code.objects[name] = before
end

-- Finds the objects whose keys read the one of a lifecycle that `write_each` is at.
local function write_met(code, name)
  for _, touched in ipairs(code.roles.lifecycles) do
    local reads = false
    for _, each in ipairs(type(touched.key) == "table" and arguments_of(touched.key) or {}) do reads = reads or each == name end
    if reads and not touched.items then
      write_key(code, "key", touched.key)
      line(code, "%1 = meet(%2, key, conn, n, t)", code.objects[touched.lifecycle.name], named(code, touched.lifecycle))
    end
  end
end

-- Whether all of a rule's object was seen; what is known of that only with the frame is added to `known`.
local function know(code, of, known)
  local begun, entity = code.seen.start and code.seen.whole, code.objects[of]
  if of == "conn" or entity == "me" or entity == "peer" then return begun end
  if of == "req" then
    known[1] = (entity or "NO_OBJECT") .. " ~= NO_OBJECT"
    return begun and entity
  end
  known[1] = entity and (code.known[of] or ("(%s.born and %s.epoch == conn.epoch)"):gsub("%%s", entity))
  return entity
end

-- What the matches of a rule are counted by: its object, else the connection.
local function counted_by(code, of)
  local entity = of ~= "req" and code.objects[of]
  if not entity or entity == "conn" then return "conn" end
  return ("(%s == NO_OBJECT and conn or %s)"):format(entity, entity)
end

-- A rule; `repeats` is a table of the frames that prove it, where they were counted.
local function write_rule_here(code, rule, repeats)
  local known, seen = {}, true
  for _, need in ipairs(rule.needs) do seen = seen and (need == "object" or need == "since" or code.seen[need]) end
  if seen and rule.whole_object then seen = know(code, rule.of, known) end
  if not seen or not is_possible(code, rule.fixed) then return end
  local test, own, says = tested(code, rule.guard, rule.when, known[1]), named(code, rule), written(code, rule.says)
  if rule.since and not code.seen.whole then test = test .. " and " .. written(code, rule.since) end
  if rule.finds then -- a frame that was not read to its end may lack what it always has
    line(code, "local found = %1 and %2", test .. (code.frame.trigger and "" or " and not is_cut()"), written(code, rule.finds))
    test = "found and found ~= ''"
  end
  local is_once = code.shared[rule.of] and not rule.again
  if is_once and not rule.worse then test = test .. (" and is_news(%s, %s)"):format(own, code.objects[rule.of]) end
  local cause = own .. ".cause"
  if rule.by then cause = ("cause_of(%s, %s)"):format(own, written(code, rule.by)) end
  line(code, "if %1 then", test)
  if rule.worse then
    local owner = rule.per and ("matches_by(%s, %s)"):format(own, written(code, rule.per)) or counted_by(code, rule.of)
    line(code, "local matches = count_match(%1, %2, t)", own, owner)
    if is_once then line(code, "if is_reported(matches) then") end
  end
  local matches = rule.worse and "matches" or "nil"
  if code.frame.trigger then
    local proof = written(code, rule.evidence)
    if repeats then proof = "(" .. proof .. " or " .. repeats .. "[1])" end
    line(code, "notice_at(%1, %2, %3, talk, %4, %5)", own, says, cause, proof, matches)
  else line(code, "notice(%1, %2, %3, %4)", own, says, cause, matches) end
  line(code, rule.worse and is_once and "end end" or "end")
end

local function write_rule(code, rule, repeats)
  if rule.finds then line(code, "do") end
  write_rule_here(code, rule, repeats)
  if rule.finds then line(code, "end") end
end

-- What stands in the code one behind the other.
local PARTS = {

  -- Finds the request that a frame answers, if any, and whether its own key is in use.
  function(code)
    if #code.roles.answers > 0 then
      line(code, "local req, orphan = NO_OBJECT, false")
      code.objects.req = "req"
    end
    for _, pair in ipairs(code.roles.answers) do
      line(code, "if %1 then", is_possible(code, pair.answer_fixed) and tested(code, pair.answer_guard, pair.answer_when, "req == NO_OBJECT") or "false")
      write_key(code, "key", pair.key and (pair.answer_key or pair.key))
      write_open(code, pair, "3 - side")
      line(code, "req = key ~= nil and open and open[key] or NO_OBJECT")
      if not pair.key then line(code, "if talk.unsure[3 - side][%1] then talk.unsure[3 - side][%1] = t end", quote(pair.name)) end
      line(code, "orphan = req == NO_OBJECT")
      line(code, "end")
    end
    if #code.roles.asks > 0 then line(code, "local duplicate, duplicate_of = false, nil") end
    for _, pair in ipairs(code.roles.asks) do
      if pair.key then
        line(code, "if %1 then", is_possible(code, pair.fixed) and tested(code, pair.guard, pair.when) or "false")
        write_key(code, "key", pair.key)
        write_open(code, pair, "side")
        line(code, "local same = key ~= nil and open ~= nil and open[key]")
        line(code, "if same then duplicate, duplicate_of = true, duplicate_of or same.n end")
        line(code, "end")
      end
    end
  end,

  -- Finds the objects that a frame is about; those of its items later.
  function(code)
    for index, touched in ipairs(code.roles.lifecycles) do
      local lifecycle, entity = touched.lifecycle, "entity" .. index
      line(code, "local %1 = NO_OBJECT", entity)
      if not touched.items then
        local all = lifecycle.scope == "capture" and "talks.shared" or "talk.entities"
        line(code, "if %1 then", tested(code, touched.guard))
        write_key(code, "key", touched.key)
        line(code, "if key ~= nil then")
        line(code, "local entities = %1[%2]", all, quote(lifecycle.name))
        line(code, "%1 = entities and entities[key]", entity)
        line(code, "if not %1", entity)
        if lifecycle.scope ~= "capture" then line(code, "or %1.epoch ~= conn.epoch and (%1.over or %1.state == 'absent')", entity) end
        line(code, "then %1 = meet(%2, key, conn, n, t) end", entity, named(code, lifecycle))
        line(code, "end")
        line(code, "end")
      end
      code.objects[lifecycle.name], code.shared[lifecycle.name] = entity, lifecycle.scope == "capture"
    end
  end,

  -- Whether the row is a step of an object's lifecycle, or a birth in its place, where a rule asks for that.
  function(code)
    for _, own in ipairs(code.roles.steps) do
      local name = own.lifecycle.name
      local fits = "fits" .. #code
      if code.asked["fits_" .. name] then
        line(code, "local %1 = false", fits)
        line(code, "do")
        line(code, "local state = %1.state", code.objects[name])
        for _, each in ipairs(own.steps) do
          local from = fitting(own.lifecycle, each.from)
          if each.from ~= "*" and each.from.absent then from = "(" .. from .. " or " .. one_of(own.lifecycle.final) .. ")" end
          if is_possible(code, each.fixed) then line(code, "%1 = %1 or %2", fits, tested(code, each.guard, each.when, "(" .. from .. ")")) end
        end
        line(code, "end")
        code.fits[name] = fits
      end
    end
  end,

  function(code)
    for _, rule in ipairs(preferences.findings and code.roles.rules or {}) do
      local entity = rule.whole_object and code.objects[rule.of]
      if entity and entity:find("^entity") and not code.known[rule.of] then
        code.known[rule.of] = "known_" .. entity
        line(code, "local known_%1 = %1.born and %1.epoch == conn.epoch", entity)
      end
      write_rule(code, rule)
    end
    code.known = {} -- from here on objects change
  end,

  function(code)
    for _, own in ipairs(code.roles.steps) do
      local lifecycle, entity = own.lifecycle, code.objects[own.lifecycle.name]
      for _, birth in ipairs(own.births) do
        local lost = lifecycle.scope == "connection" and " or " .. entity .. ".epoch ~= conn.epoch" or ""
        local ended = "(state == 'unknown' or state == 'absent' or " .. one_of(lifecycle.final) .. lost .. ")"
        line(code, "do")
        line(code, "local state = %1.state", entity)
        local begun = is_shown(lifecycle) and (" %s.begun_as = { talk, n, %s }"):format(entity, quote(lifecycle.type)) or ""
        local test = is_possible(code, birth.fixed) and tested(code, birth.guard, birth.when, ended) or "false"
        line(code, "if %1 then %2 = renew(%3, %2, conn, n, t, side)%4 end", test, entity, named(code, lifecycle), begun)
        line(code, "end")
      end
    end
  end,

  function(code)
    for _, move in ipairs(code.roles.moves) do
      local function write(guard)
        if is_possible(code, move.fixed) then line(code, "if %1 then %2 end", tested(code, guard, move.when), written(code, move.does)) end
      end
      if move.items then
        line(code, "for _, one in ipairs(%1 and c[%2] or NONE) do", tested(code, nil, move.before), quote(move.items .. "[]"))
        line(code, "local c = columns_of_item(one, %1, c)", quote(move.items))
        for _, touched in ipairs(code.roles.lifecycles) do
          if touched.items then
            write_key(code, "key", touched.key)
            line(code, "%1 = meet(%2, key, conn, n, t)", code.objects[touched.lifecycle.name], named(code, touched.lifecycle))
          end
        end
        write()
        line(code, "end")
      elseif move.each then
        write_each(code, move.each, move.guard, function()
          write_met(code, move.each)
          write()
        end)
      else write(move.guard) end
    end
  end,

  function(code)
    for _, own in ipairs(code.roles.steps) do
      line(code, "do")
      write_steps(code, own.lifecycle, own.steps, code.objects[own.lifecycle.name])
      line(code, "end")
    end
    for _, own in ipairs(code.roles.each) do
      write_each(code, own.lifecycle.name, nil, function() write_steps(code, own.lifecycle, own.each, "entity") end)
    end
  end,

  -- Clears and starts timers.
  function(code)
    for index, timer in ipairs(TIMERS) do
      local owner = code.objects[timer.of]
      local slot, there = owner and owner .. "[" .. named(code, timer) .. "]", owner and owner .. " ~= NO_OBJECT"
      if owner and code.roles.clears[index] then
        line(code, "if %1 then %2 = nil end", tested(code, nil, timer.clear_when, there), slot)
      end
      if owner and code.roles.starts[index] then
        if not timer.again then there = there .. " and not " .. slot end
        line(code, "if %1 then", tested(code, nil, timer.when, there))
        line(code, "local limit = %1", written(code, timer.limit))
        line(code, "if limit then arm(%1, %2, t + limit, talk) end", named(code, timer), owner)
        line(code, "end")
      end
    end
  end,

  -- Counts what comes again and again.
  function(code)
    for _, burst in ipairs(code.roles.bursts) do
      line(code, "if %1 then", is_possible(code, burst.fixed) and tested(code, burst.guard, burst.when) or "false")
      write_key(code, "key", burst.key)
      if burst.distinct then write_key(code, "distinct", burst.distinct) else line(code, "local distinct") end
      line(code, "local again = repeated(%1, key, t, n, distinct)", named(code, burst))
      line(code, "if again then")
      for _, rule in ipairs(preferences.findings and RULES or {}) do
        if rule.on and (" " .. rule.on .. " "):find(" repeat:" .. burst.name .. " ", 1, true) then write_rule(code, rule, "again") end
      end
      line(code, "end")
      line(code, "end")
    end
  end,

  -- Counts the frame to its objects, as far as a table reads that.
  function(code)
    if code.frame.trigger then return end
    local function count(name, entity)
      local tallies = {}
      for _, each in ipairs({ { "frames", entity .. ".frames + 1" }, { "last_n", "n" }, { "last_t", "t" } }) do
        if is_tallied(name, each[1]) then tallies[#tallies + 1] = entity .. "." .. each[1] .. " = " .. each[2] end
      end
      if tallies[1] then line(code, "if %1 ~= NO_OBJECT then %2 end", entity, table.concat(tallies, " ")) end
    end
    for _, touched in ipairs(code.roles.lifecycles) do
      local entity = code.objects[touched.lifecycle.name]
      if not touched.items then
        if touched.lifecycle.renews then line(code, "if %1 ~= NO_OBJECT then %1.met = true end", entity) end
        if is_shown(touched.lifecycle) then
          line(code, "if not %1.begun_as and %1 ~= NO_OBJECT and %1.state ~= 'absent' and not (%1.unsure and %1.state == 'unknown') then", entity)
          line(code, "%1.begun_as = { talk, n, %2 }", entity, quote(touched.lifecycle.type))
          line(code, "end")
        end
        count(touched.lifecycle.name, entity)
      end
    end
    count("conn", "conn")
    count("me", "me")
  end,

  -- Links both frames of a pair; ends the request that was answered, and opens a new one.
  function(code)
    if code.frame.trigger then return end
    local answers = {}
    if code.needs.took then answers[1] = "if took then join(n, took[4], took[5])" end
    if #code.roles.answers > 0 then answers[#answers + 1] = "if req ~= NO_OBJECT then join(n, req.n, req.mark)" end
    if preferences.links and answers[1] then line(code, table.concat(answers, " else") .. " end") end
    if #code.roles.answers > 0 then
      line(code, "if req ~= NO_OBJECT then")
      line(code, "local done = true")
      for _, pair in ipairs(code.roles.answers) do
        if pair.done then line(code, "if req.pair == %1 then done = %2 end", named(code, pair), written(code, pair.done)) end
      end
      line(code, "if done then settle(req) end")
      line(code, "end")
    end
    for index, pair in ipairs(code.roles.asks) do
      code.needs.mark = true
      if index == 1 then line(code, "local begun") end
      line(code, "do")
      write_key(code, "key", pair.key)
      line(code, "if %1 then", is_possible(code, pair.fixed) and tested(code, pair.guard, pair.when, "key ~= nil") or "false")
      line(code, "local new = { pair = %1, key = key, side = side, n = n, t = t, name = %2, mark = mark, talk = talk }", named(code, pair), quote(code.frame.name))
      for name, key in pairs(pair.keep or {}) do
        line(code, "new[%1] = %2", quote(name), type(key) == "string" and "c[" .. quote(key) .. "]" or written(code, key))
      end
      if pair.type then
        line(code, "begun = { talk, n, %1 }", quote(pair.type))
        for name, slot in pairs(CONTEXT.req or {}) do
          if (pair.keep or {})[slot] then line(code, "begun[%1] = new[%2]", quote(name), quote(slot)) end
        end
        line(code, "new.begun_as = begun")
      end
      line(code, "ask(new)")
      line(code, "end")
      line(code, "end")
    end
  end,

  -- Notes the innermost conversation of the frame: of a call, else of an object, else of the connection. One that
  -- connections share begins where this plugin may see nothing, so it is not shown.
  function(code)
    if not preferences.links or code.frame.trigger then return end
    local inner, choices = {}, {}
    for _, touched in ipairs(code.roles.lifecycles) do
      if touched.lifecycle.type and not touched.items then
        local entity, is_own = code.objects[touched.lifecycle.name], is_shown(touched.lifecycle)
        for name, slot in pairs(is_own and CONTEXT[touched.lifecycle.name] or {}) do
          line(code, "if %1.begun_as and %1.begun_as[%2] ~= %1[%3] then", entity, quote(name), quote(slot))
          line(code, "%1.begun_as = with_known(%1.begun_as, %2, %1[%3])", entity, quote(name), quote(slot))
          line(code, "end")
        end
        table.insert(inner, 1, is_own and entity .. ".begun_as" or "NONE")
      end
    end
    local object = table.concat(inner, " or ")
    if code.needs.took then choices[1] = "took and (" .. (inner[1] and inner[1] .. " or " or "") .. "conn.begun_as)" end
    if #code.roles.asks > 0 then choices[#choices + 1] = "begun" end
    if #code.roles.answers > 0 then choices[#choices + 1] = "req.begun_as" end
    if object ~= "" then choices[#choices + 1] = object end
    choices[#choices + 1] = "conn.begun_as"
    line(code, "links.conversation[n] = %1", table.concat(choices, " or "))
  end,
}

local HEAD = [[
local X, HELP, f, K, LISTS, names = ...
local %s = %s
%s
return function(c, talk, conn, me, peer, side, n, size, complete, agreed)
local t = me.latest_t
]]
local TRIGGERED = [[
local X, HELP, f, K, LISTS, names = ...
local %s = %s
%s
return function(c, subject, talk, conn, me, peer, C, S, side, t, why)
local n, size, complete, agreed = nil, nil, false, NONE
]]

local function list(count, text)
  local all = {}
  for index = 1, count do all[index] = text:format(index) end
  return table.concat(all, ", ")
end

local MOST_BEGINNINGS, FEWEST_TESTS = 16, 3 -- locals, and tests with the same result that are worth one

local BEGINNING_TEST = 'f%.starts%((c%.[%w_]+), "([^"\\]+)"%)'

-- The same code, where the tests of a column for a beginning that it repeats most are done first, once each: after a test for
-- the longest beginning of that beginning, else after a comparison of the first byte, which most text differs in.
local function with_beginnings_once(text)
  local counted, repeated_most = {}, {}
  for column, prefix in text:gmatch(BEGINNING_TEST) do
    local test = column .. " " .. prefix
    counted[test] = (counted[test] or 0) + 1
    if counted[test] == FEWEST_TESTS then repeated_most[#repeated_most + 1] = { test = test, column = column, prefix = prefix } end
  end
  table.sort(repeated_most, function(one, other)
    return counted[one.test] > counted[other.test] or counted[one.test] == counted[other.test] and one.test < other.test
  end)
  repeated_most = { unpack(repeated_most, 1, MOST_BEGINNINGS) }
  table.sort(repeated_most, function(one, other)
    return #one.prefix < #other.prefix or #one.prefix == #other.prefix and one.test < other.test
  end)
  local names_of, bytes_of, first_lines, count = {}, {}, {}, 0
  for index, each in ipairs(repeated_most) do
    if not bytes_of[each.column] then
      count = count + 1
      bytes_of[each.column] = "b" .. count
      first_lines[#first_lines + 1] = ("local b%d = %s and byte(%s)\n"):format(count, each.column, each.column)
    end
    local before = ("%s == %d"):format(bytes_of[each.column], each.prefix:byte())
    for shorter = 1, index - 1 do
      local other = repeated_most[shorter]
      if other.column == each.column and each.prefix:sub(1, #other.prefix) == other.prefix then before = names_of[other.test] end
    end
    names_of[each.test] = "s" .. index
    first_lines[#first_lines + 1] = ("local s%d = %s and f.starts(%s, %q)\n"):format(index, before, each.column, each.prefix)
  end
  return table.concat(first_lines) .. text:gsub(BEGINNING_TEST, function(column, prefix) return names_of[column .. " " .. prefix] end)
end

-- The function that follows frames of one kind and sender, of whom `is_client` says whether it opened the connection; `seen`
-- says of that whether its `start`, the `whole` of it and `both` sides were seen, `roles` are what the tables say of such frames.
function follower(frame, sender, is_client, seen, roles, help)
  local code = { frame = frame, sender = sender, seen = seen, roles = roles, values = {}, needs = {}, fits = {}, shared = {} }
  code.ends, code.guards, code.known = help.ends, {}, {}
  code.objects = { conn = "conn", me = "me", peer = "peer" }
  if frame.trigger then
    code.objects.C, code.objects.S = "C", "S"
    if frame.of and not code.objects[frame.of] then
      code.objects[frame.of] = "subject"
      code.shared[frame.of] = frame.is_shared
    end
  elseif sender then
    code.objects.C = is_client and "me" or "peer"
    code.objects.S = is_client and "peer" or "me"
  end
  code.asked = {}
  for _, rule in ipairs(roles.rules) do
    for _, name in ipairs(rule.when and arguments_of(rule.when) or {}) do code.asked[name] = true end
  end
  for _, write in ipairs(PARTS) do write(code) end
  local before, helpers, helping = {}, {}, {}
  for _, each in ipairs(BEFORE) do
    if code.needs[each[1]] and argument(code, each[1]) ~= "nil" then
      before[#before + 1] = each[2]
    end
  end
  for name in pairs(help) do helpers[#helpers + 1], helping[#helping + 1] = name, "HELP." .. name end
  local few = math.min(#code.values, MOST_NAMES)
  local head = (frame.trigger and TRIGGERED or HEAD):format(
    table.concat(helpers, ", "), table.concat(helping, ", "),
    few > 0 and ("local %s = %s"):format(list(few, "x%d"), list(few, "X[%d]")) or ""
  )
  for _, each in ipairs(code.guards) do before[#before + 1] = each end
  before[#before + 1] = table.concat(code, "\n")
  local text = table.concat(before, "\n")
  text = text:gsub("f%.lookup%((%d+), K%.([%w_]+)%)", function(value, name) return literal(f.lookup(tonumber(value), K[name])) end)
  if not text:find("columns_of_item(", 1, true) then text = with_beginnings_once(text) end
  return assert(load(head .. text .. "\nend", "=" .. frame.name .. " followed"))(code.values, help, f, K, LISTS, names)
end

end)()

-- What frames mean to each other: runs the tables of pairs, lifecycles, moves and rules ----------------------------
-- Expressions of the tables read what they name: the frame's own columns, `c`; columns that every frame has; objects,
-- which are those of the lifecycles, `conn`, the sides `me`, `peer`, `C` and `S`, the request `req` that is answered.
-- Nil is "not known", and makes every comparison false.

;(function() -- a scope of its own: Lua takes 200 names in one

local NO_OBJECT = setmetatable({}, { __newindex = function() end }) -- no object: nothing is known of it
local NONE = {}
local MOST_ALIKE, MOST_QUEUED = 1024, 65535 -- requests behind one with the same key, and in the order of the answers
local QUIET = 10e9 -- time in ns after which no answer comes any more

local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")
local tcp_completeness, tcp_lost = Field.new("tcp.completeness"), Field.new("tcp.analysis.lost_segment")
local tcp_window, tls_version = Field.new("tcp.window_size_value"), Field.new("tls.record.version")

local lives_by_name, is_object = {}, { conn = true, me = true, peer = true, C = true, S = true, req = true }
for _, lifecycle in ipairs(LIVES) do
  lives_by_name[lifecycle.name], is_object[lifecycle.name] = lifecycle, true
  local words = {} -- all that the lifecycle depends on
  for _, each in ipairs(lifecycle.steps) do
    lifecycle.renews = lifecycle.renews or each.from.absent
    words[#words + 1] = each.on
  end
  for _, all in ipairs({ lifecycle.each, lifecycle.keys }) do
    for _, each in ipairs(all) do words[#words + 1] = each.on end
  end
  lifecycle.words = table.concat(words, " ")
end
local queued = {} -- pairs whose answers come in the order of the requests
for _, pair in ipairs(PAIRS) do
  if not pair.key and pair.scope ~= "capture" then queued[#queued + 1] = pair end
end
for _, timer in ipairs(TIMERS) do timer.entry = {} end -- where an object keeps the time of its entry in the heap
local heard = {} -- what the tables trigger, and events of TCP, on which something depends
local ends = {} -- lifecycles of which the end of an object is such
for _, rule in ipairs(RULES) do
  for _, need in ipairs(rule.needs) do rule.whole_object = rule.whole_object or need == "object" end
  rule.expert = ProtoExpert.new(
    NAME .. ".expert." .. rule.name, rule.title, expert.group[rule.group], expert.severity[rule.severity]
  )
  experts[rule.name] = rule.expert
  if rule.worse then
    rule.worse_expert = ProtoExpert.new(
      NAME .. ".expert." .. rule.name, rule.title .. ", repeatedly", expert.group[rule.group], expert.severity[rule.worse]
    )
    experts[rule.name .. "_again"] = rule.worse_expert
  end
end

local function value_of(extractor)
  local found = extractor()
  return found and found() -- cheaper than its attribute
end

local function hear(on)
  for word_of_on in on:gmatch("%S+") do
    local bare = word_of_on:gsub("^client:", ""):gsub("^server:", "")
    if bare:find("^tcp%.") or bare:find(":") and not bare:find("^any:") then
      heard[bare] = { frame = { trigger = true, kind = "trigger", name = bare } }
      if bare:find("^end:") then ends[bare:sub(5)] = true end
    end
  end
end

for _, all in ipairs({ RULES, MOVES, TIMERS, BURSTS }) do
  for _, each in ipairs(all) do
    hear(each.on or "")
    hear(each.clear or "")
  end
end
for _, lifecycle in ipairs(LIVES) do
  for _, each in ipairs(lifecycle.steps) do hear(each.on) end
  for _, each in ipairs(lifecycle.each) do hear(each.on) end
end

-- What was seen of a connection, as a number: its start, the whole of it, both sides.
local function see(conn) conn.seen = (conn.start and 1 or 0) + (conn.whole and 2 or 0) + (conn.both and 4 or 0) end

-- From a time on, requests may wait that were not seen. Of lost answers of a side it is known whose they were where nothing
-- else waits.
local function doubt(talk, side, t)
  for _, pair in ipairs(queued) do
    for asker = 1, 2 do
      local open, unsure = talk.open[asker][pair.name], talk.unsure[asker]
      if not side or asker == side or open and open[""] or unsure[pair.name] then unsure[pair.name] = t end
    end
  end
end

local fire

function talks.begin()
  talks.all = {} -- what is known of connections, in the order of their beginnings
  talks.shared, talks.requests = {}, {} -- objects and open requests of all connections
  talks.heap, talks.serial, talks.repeated = {}, 0, {} -- timers, and what is counted by what is repeated
  talks.matches = {} -- of rules that count over all connections, by the value that they count by
  talks.latest_t, talks.not_before = 0, 0
  talks.undoing, talks.kept = nil, nil -- what the end of the captures brought, and what was before it
  for trigger, known in pairs(heard) do heard[trigger] = { frame = known.frame } end
end

-- A connection of which nothing has come yet. Where Wireshark hides what TCP says, the watcher of TCP knows it.
local function new_talk(carried)
  local seen, seq = value_of(tcp_completeness), value_of(tcp_seq) -- 1: SYN, 2: SYN-ACK, 4: ACK
  local opened = tcp_watcher.opened[tcp_watcher.name_of(pinfo)]
  if not view.tree and opened then
    local is_first = not opened.stop[opened.by_name[tcp_watcher.name_of(pinfo)]]
    seen, seq = opened.both and 7 or 1, is_first and 1 or 2
  end
  local encrypted = seq and tls_version() ~= nil
  local conn = { state = "unknown", frames = 0, epoch = 0, whole = seq ~= nil, encrypted = encrypted }
  conn.gapless, conn.carried = true, carried or false
  conn.start = seen ~= nil and seen % 2 == 1 and (carried or encrypted or seq == 1)
  conn.born, conn.both = conn.start, seen ~= nil and seen % 8 == 7
  if conn.start then
    conn.state = "absent"
    for name, start_value in pairs(lives_by_name.conn and lives_by_name.conn.starts or {}) do conn[name] = start_value end
  end
  local talk = { conn = conn, entities = {}, open = { {}, {} }, unsure = { {}, {} }, sides = {}, closed = {}, home = conversation }
  for side = 1, 2 do talk.sides[side] = { side = side, frames = 0, zero_windows = 0 } end
  conn.talk, talk.flow = talk, stream_of() or conversation.id
  if seen and not conn.start then doubt(talk, nil, here.abs_ts * 1e9) end
  see(conn)
  talks.all[#talks.all + 1] = talk
  if conn.start and opened then
    talk.opener = opened.by_name[tcp_watcher.name_of(pinfo)] == 1 and side_of() or 3 - side_of()
    if not OPENING then conn.t = opened.t end -- what is embedded begins with its own first frame
    fire(talk, "tcp.open", nil, nil, opened.t, nil, talk.opener)
  end
  return talk
end

-- Bytes of a side were lost, or of both: what waits may be answered, and what objects count may be wrong from here on. They
-- were lost before frame `n`, else before the packets after this one.
local function lose(talk, side, n)
  local conn = talk.conn
  doubt(talk, side, math.max(talk.sides[1].latest_t or 0, talk.sides[2].latest_t or 0))
  talk.open = { {}, {} }
  conn.epoch, conn.whole, conn.lost_n = conn.epoch + 1, false, n or here.number + 1
  see(conn)
  for _, entities in pairs(talk.entities) do
    for _, entity in pairs(entities) do
      for _, slot in pairs(entity) do
        if type(slot) == "table" and slot.runs then slot.whole = false end
      end
    end
  end
end

-- Triggers what depends on bytes that are not read. Before the first frame the connection may be another protocol's, so it
-- waits for that.
local function fire_loss(talk, trigger, side, columns)
  if talk.conn.n then return fire(talk, trigger, nil, nil, here.abs_ts * 1e9, nil, side, columns) end
  talk.losses = talk.losses or {}
  table.insert(talk.losses, { trigger, here.abs_ts * 1e9, side, columns })
end

local function fire_losses(talk)
  for _, each in ipairs(talk.losses) do fire(talk, each[1], nil, nil, each[2], nil, each[3], each[4]) end
  talk.losses = nil
end

-- Packets are missing in the capture.
local function miss(talk, side, length)
  fire_loss(talk, "tcp.gap", side, { length = length })
  talk.conn.gapless = false
  lose(talk, side)
end

-- Whether segments are missing before this one.
function talks.is_after_loss() return view.tree and tcp_lost() ~= nil end

-- Bytes of this side are missing: frames may have been among them.
function talks.lose() lose(conversation.talk, side_of()) end

-- Bytes were skipped, since no frame begins there, or they are another protocol's.
function talks.skip(length, reason)
  fire_loss(conversation.talk, "tcp.resync", side_of(), { skipped = length, reason = reason })
  lose(conversation.talk, side_of(), math.max(here.number, id_here + 0.5 / FINE))
end

-- Counts a packet of a side that has no room for more bytes; its frames are judged after that.
local function count_full(talk, me)
  if talk.full_at == here.number then return end
  talk.full_at, me.zero_windows = here.number, me.zero_windows + 1
end

local HTTP2 = "PRI * HTTP/2.0" -- the first bytes of a client of HTTP/2

-- What TCP says of a segment that brings bytes: lost ones before it, and up to when the other side was captured.
function talks.see_segment(carried)
  local talk = conversation.talk
  if not talk then
    talk = new_talk(carried)
    conversation.talk = talk
  elseif not talk.conn.encrypted then
    talk.conn.encrypted = tls_version() ~= nil -- TLS may begin after frames in plain text
  end
  if carried and not talk.conn.n then talk.conn.carried = true end -- before, it may have been tried without a carrier
  local side = side_of()
  local me, peer = talk.sides[side], talk.sides[3 - side]
  me.latest_t = here.abs_ts * 1e9
  if not view.tree then return end -- nothing is said then
  if tcp_lost() then
    miss(talk, side, me.stop and value_of(tcp_seq) - me.stop)
    me.waits_from = nil
  end
  me.from = me.waits_from or value_of(tcp_seq)
  local given = not carried and me.from + #data or 0 -- segments that came out of order are given with the one before them
  me.stop, me.awaited, me.waits_from = math.max(me.stop or 0, value_of(tcp_next), given), nil, nil
  if value_of(tcp_window) == 0 then count_full(talk, me) end
  local acked, stop_of_peer = value_of(tcp_ack), peer.awaited or peer.stop or 1
  if not acked or carried or talk.conn.encrypted then return end
  if acked <= stop_of_peer + 1 then peer.latest_t = me.latest_t -- FIN counts as a byte
  elseif talk.conn.start then -- acknowledged, and never seen here
    local begins_http2 = data:sub(1, #HTTP2) == HTTP2 -- before it, servers send settings, which Wireshark does not yet read as such
    if not begins_http2 then lose(talk, 3 - side) end
    peer.stop = acked
  end
end

-- Bytes are waited for. Segments that bring some of them are not passed to the plugin, so they may be acknowledged.
function talks.wait(from, missing)
  local me = conversation.talk.sides[side_of()]
  me.awaited, me.waits_from = me.stop and me.stop + missing, me.from and me.from + from
end

-- The side that is the client: proved by frames or by its SYN, else given by the port where the start of the connection was seen.
local function client_of(side)
  local proved = conversation.client or conversation.talk.opener
  if proved or not conversation.talk.conn.start then return proved end
  local to, from = preferences.servers[here.dst_port], preferences.servers[here.src_port]
  return to and not from and side or from and not to and 3 - side or nil
end

-- A listener sees losses in segments that are kept back. That it has a filter makes Wireshark keep TCP's fields on the
-- first pass, too.
local listener

function talks.listen(wanted)
  if wanted and not listener then
    listener = Listener.new("tcp", "tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment")
    function listener.packet()
      local number = value_of(stream_number)
      local found = number and streams[number]
      if found and found.talk then lose(found.talk) end
    end
  elseif listener and not wanted then
    listener:remove()
    listener = nil
  end
end

-- The places of some tables by the words of their `on`, or of another member that has such words.
local places_of = setmetatable({}, { __mode = "k" })

local function places_by_word(all, on)
  local own = places_of[all] or {}
  places_of[all] = own
  if not own[on] then
    own[on] = {}
    for index, each in ipairs(all) do
      for word in (each[on] or ""):gmatch("%S+") do
        own[on][word] = own[on][word] or {}
        table.insert(own[on][word], index)
      end
    end
  end
  return own[on]
end

-- The words of an `on` that mean a frame of one side.
local function words_for(frame, sender)
  local found = { frame.name, "any:" .. (frame.kind or "unknown") }
  if not frame.trigger then found[#found + 1] = "any" end
  if frame.coded then found[#found + 1] = "any:coded" end
  if sender == "client" or sender == "server" then
    for index = 1, #found do found[#found + 1] = sender .. ":" .. found[index] end
  end
  return found
end

-- The places of those tables that a frame is for, as a set.
local function meant_places(all, on, meant)
  local places, found = places_by_word(all, on), nil
  for _, each in ipairs(meant) do
    if places[each] then
      found = found or {}
      for _, index in ipairs(places[each]) do found[index] = true end
    end
  end
  return found or NONE
end

-- What the tables say of a frame from one side.
local function roles_of(frame, sender)
  local meant = words_for(frame, sender)
  local function those(all, on)
    local are_meant, places, found = meant_places(all, on, meant), {}, {}
    if are_meant == NONE then return NONE end
    for index in pairs(are_meant) do places[#places + 1] = index end
    table.sort(places)
    for _, index in ipairs(places) do found[#found + 1] = all[index] end
    return found
  end
  local roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lifecycles = {}, steps = {}, each = {} }
  roles.moves, roles.rules, roles.bursts = those(MOVES, "on"), those(RULES, "on"), those(BURSTS, "on")
  roles.starts, roles.clears = meant_places(TIMERS, "on", meant), meant_places(TIMERS, "clear", meant)
  for _, lifecycle in ipairs(those(LIVES, "words")) do
    local own = { lifecycle = lifecycle, steps = those(lifecycle.steps, "on"), each = those(lifecycle.each, "on"), births = {} }
    for _, birth in ipairs(lifecycle.name ~= "conn" and not frame.of and own.steps or {}) do
      if birth.from.absent then own.births[#own.births + 1] = birth end
    end
    local key = those(lifecycle.keys, "on")[1]
    if key then own.key, own.items, own.guard = key.key, key.items, key.guard end
    local is_own = lifecycle.name == "conn" or lifecycle.name == frame.of
    if own.key and lifecycle.name ~= frame.of then roles.lifecycles[#roles.lifecycles + 1] = own end
    if #own.steps > 0 and (is_own or own.key and not own.items and not frame.of) then roles.steps[#roles.steps + 1] = own end
    if #own.each > 0 and not frame.of then roles.each[#roles.each + 1] = own end
  end
  return roles
end

local keys_made, number_of_keys = {}, 0 -- keys by their parts, for most come again
local MOST_KEYS = 4096

-- The parts of a key of two columns; nil where one is not known.
function f.key(one, two)
  if one == nil or two == nil then return nil end
  local behind = keys_made[one]
  local both = behind and behind[two]
  if not both then
    if number_of_keys >= MOST_KEYS then keys_made, number_of_keys = {}, 0 end
    keys_made[one] = keys_made[one] or {}
    both = tostring(one) .. "\0" .. tostring(two)
    keys_made[one][two], number_of_keys = both, number_of_keys + 1
  end
  return both
end

-- Whether nothing was lost since the first of some frames.
function f.since(conn, ...)
  for index = 1, conn.lost_n and select("#", ...) or 0 do
    local n = select(index, ...)
    if n and n < conn.lost_n then return false end
  end
  return true
end

local function things_of(lifecycle, conn)
  local all = lifecycle.scope == "capture" and talks.shared or conn.talk.entities
  all[lifecycle.name] = all[lifecycle.name] or {}
  return all[lifecycle.name]
end

local function new_thing(key, state, n, t, epoch)
  return { id = key, state = state, n = n, t = t, frames = 0, born = false, epoch = epoch }
end

-- The object of a lifecycle with a key: the one that is known, or a new one.
local function meet(lifecycle, key, conn, n, t)
  if key == nil then return NO_OBJECT end
  local entities = things_of(lifecycle, conn)
  local entity = entities[key]
  if entity and (lifecycle.scope == "capture" or entity.epoch == conn.epoch or not entity.over and entity.state ~= "absent") then
    return entity
  end
  local absent = lifecycle.scope ~= "capture" and conn.start and conn.both and not conn.continues
  entity = new_thing(key, absent and conn.whole and "absent" or "unknown", n, t, conn.epoch)
  entity.unsure = absent and conn.doubted -- most likely absent: it has no conversation before its birth
  entities[key] = entity
  return entity
end

-- A birth: of the object that has just been met, or of a new one in its place.
local function renew(lifecycle, entity, conn, n, t, side)
  if entity == NO_OBJECT then return entity end
  if entity.met or entity.over then
    if not entity.over and entity.state == "unknown" then fire(conn.talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, "lost") end
    entity = new_thing(entity.id, "absent", n, t, conn.epoch)
    things_of(lifecycle, conn)[entity.id] = entity
  end
  entity.state, entity.epoch, entity.born, entity.owner = "absent", conn.epoch, true, side
  for name, value in pairs(lifecycle.starts) do entity[name] = value end
  return entity
end

-- The columns of one item of a list, under their whole names.
local function columns_of_item(item_of_list, path, c)
  return setmetatable({}, { __index = function(_, name)
    if name == path then return item_of_list end
    if name:sub(1, #path + 1) == path .. "." then return item_of_list[name:sub(#path + 2)] end
    if name:sub(1, #path + 2) == "#" .. path .. "." then return item_of_list["#" .. name:sub(#path + 3)] end
    return c[name]
  end })
end

function f.live(conn, name)
  local count = 0
  for _, entity in pairs(conn.talk.entities[name] or NONE) do
    if lives_by_name[name].live[entity.state] then count = count + 1 end
  end
  return count
end

function f.outstanding_ids(conn, entity, name)
  local found = entity[name]
  if not found then
    local whole = conn.start and conn.whole
    if entity.epoch and (entity ~= conn or lives_by_name.conn) then whole = entity.born and entity.epoch == conn.epoch end
    found = { runs = {}, twice = {}, count = 0, whole = whole or false }
    entity[name] = found
  end
  return found
end

local function requests_of(pair, side)
  local all = pair.scope == "capture" and talks.requests or conversation.talk.open[side]
  all[pair.name] = all[pair.name] or {}
  return all[pair.name]
end

-- Takes over the objects of a lifecycle, with their open requests, from the connection that this one resumes.
function f.adopt(conn, name)
  local before = conversation.resumes
  conn.continues = true
  if not before or not before.talk or before == conversation or before.client ~= conversation.client then return end
  for side = 1, 2 do
    for _, pair in ipairs(PAIRS) do
      if pair.of == name then
        local open = before.talk.open[side]
        for key, waiting in pairs(open[pair.name] or {}) do requests_of(pair, side)[key] = waiting end
        open[pair.name] = nil
      end
    end
  end
  local entities = things_of(lives_by_name[name], conn)
  for key, entity in pairs(before.talk.entities[name] or {}) do
    if not entity.over then
      entity.born, entity.epoch, entity.home = false, conn.epoch, conversation
      entities[key] = entity
    end
  end
  before.talk.entities[name] = nil
end

-- Whether what a rule needs of the connection was seen.
local function is_seen(rule, conn)
  for _, need in ipairs(rule.needs) do
    if need == "since" then
      if not f.since(conn, id_here) then return false end
    elseif need ~= "object" and not conn[need] then return false end
  end
  return true
end

-- Whether what a rule needs of its object was seen.
local function is_known(rule, given)
  local of, conn = given[rule.of] or NO_OBJECT, given.conn
  if of == conn or of.side then return conn.start and conn.whole end
  return of.born and of.epoch == conn.epoch
end

-- The value of an expression of the tables, where what it names is in a table.
local function result_of(expression, given)
  local say, wanted = compiled(expression)
  local values = {}
  for index = 1, #wanted do
    local value = given[wanted[index]]
    if value == nil and is_object[wanted[index]] then value = NO_OBJECT end
    values[index] = value
  end
  return say(unpack(values, 1, #wanted))
end

-- Whether what a rule needs was seen, and what it asks for holds.
local function holds(rule, given)
  return is_seen(rule, given.conn) and (not rule.whole_object or is_known(rule, given))
    and (not rule.guard or result_of(GUARDS[rule.guard], given)) and (not rule.fixed or result_of(rule.fixed, given))
    and (not rule.when or result_of(rule.when, given))
end

local MOST_COUNTED = 10000 -- values that a rule counts by

-- Where the matches of a rule that counts by a value are counted.
local function matches_by(rule, value)
  local own = talks.matches[rule]
  if not own or own.count >= MOST_COUNTED and not own.of[value] then
    own = { count = 0, of = {} }
    talks.matches[rule] = own
  end
  if not own.of[value] then own.of[value], own.count = {}, own.count + 1 end
  return own.of[value]
end

-- Counts a match of a rule that becomes worse with their number, or with their number within a time; from the match on that
-- makes it worse it stays so.
local function count_match(rule, owner, t)
  local matches = owner[rule]
  if not matches then
    matches = { count = 0, times = {} }
    owner[rule] = matches
  end
  matches.count = matches.count + 1
  if matches.worse_at then return matches end
  local times, is_worse = matches.times, matches.count == rule.worse_from
  if rule.worse_within then
    times[#times + 1] = t
    if #times > rule.worse_from then table.remove(times, 1) end
    is_worse = #times == rule.worse_from and t - times[1] <= rule.worse_within
  end
  if is_worse then matches.worse_at = matches.count end
  return matches
end

-- Takes a match back: bytes are missing before it.
local function discount_match(matches)
  if matches.worse_at == matches.count then matches.worse_at = nil end
  matches.count = matches.count - 1
  table.remove(matches.times)
end

-- Whether a match of an object that connections share is reported: the first one, and the one that makes the rule worse.
local function is_reported(matches) return matches.count == 1 or matches.count == matches.worse_at end

-- Whether a rule has reported nothing so far of an object that connections share: it is reported once.
local function is_news(rule, entity)
  local known = entity[rule]
  if entity ~= NO_OBJECT then entity[rule] = true end
  return not known
end

-- The usual mistake, of a rule with several the one of a value.
local function cause_of(rule, value)
  local cause = value ~= nil and rule.causes[value]
  return cause or rule.cause
end

-- A finding; `matches` is what `count_match` gives of a rule that may become worse.
local function new_finding(rule, text, cause, matches)
  local is_worse = matches ~= nil and matches.worse_at ~= nil
  return {
    rule = rule, text = text, cause = cause, matches = matches, severity = is_worse and rule.worse or rule.severity,
    expert = is_worse and rule.worse_expert or rule.expert,
  }
end

local function notice(rule, text, cause, matches)
  local own = note()
  own.findings = own.findings or {}
  table.insert(own.findings, new_finding(rule, text, cause, matches))
end

-- Notices at an earlier frame, which is seen on a later visit; `talk` is that of the connection, whose last frame stands for none.
local function notice_at(rule, text, cause, talk, n, matches)
  n = n or talk.latest_n
  local own = notes[n or 0] or {}
  if not n then return end
  notes[n], own.findings = own, own.findings or {}
  for _, each in ipairs(own.findings) do
    if each.rule == rule and each.text == text then return end
  end
  local found = new_finding(rule, text, cause, matches)
  found.is_final = talks.undoing ~= nil
  table.insert(own.findings, found)
  if talks.undoing then table.insert(talks.undoing, own) end
end

-- Lets the next one of those that wait with one key be the oldest.
local function advance(open, oldest)
  local following_one = oldest.behind
  open[oldest.key], oldest.behind = following_one, nil
  if following_one then following_one.last, following_one.waiting = oldest.last, oldest.waiting - 1 end
end

-- Requests with one key wait in a row, of which the oldest is found: it knows the last one, and how many wait behind it.
-- Where unseen requests may wait before them, those that are answered in order are not kept until it has been quiet.
local function ask(request)
  local open, key, pair = requests_of(request.pair, request.side), request.key, request.pair
  local unsure = not pair.key and conversation.talk.unsure[request.side]
  if unsure then
    local is_quiet = not unsure[pair.name] or request.t - unsure[pair.name] >= QUIET
    unsure[pair.name] = not is_quiet and request.t or nil
    if not is_quiet then return end
  end
  local oldest = open[key]
  if not oldest then open[key] = request
  else
    local last = oldest.last or oldest
    last.behind, oldest.last, oldest.waiting = request, request, (oldest.waiting or 0) + 1
    if oldest.waiting > (unsure and MOST_QUEUED or MOST_ALIKE) then
      if unsure then open[key], unsure[pair.name] = nil, request.t else advance(open, oldest) end
    end
  end
end

-- The first one of those that wait with a request's key waits no more, since that was answered.
local function settle(request)
  local open = requests_of(request.pair, request.side)
  advance(open, open[request.key])
  request.over = true
end

-- Shows both packets of a pair where the other one is.
local function join(own, n, mark)
  links.request[own], links.time[own] = math.floor(n), here.rel_ts - mark
  links.response[n] = links.response[n] or here.number
end

-- The id of a frame's conversation, as `read` gives it; nil where it is not known here.
function talks.id_at(id)
  local found = links.conversation[id]
  if not found or not found[1] then return nil end
  local talk, n = found[1], found[2]
  local packet = math.floor(n)
  local behind = math.floor((n - packet) * FINE + 0.5) + 1
  local start = behind > 1 and ("%d.%d"):format(packet, behind) or ("%d"):format(packet)
  return talk.stream and ("%d-%s-%s"):format(talk.stream, start, found[3])
end

function talks.id_of_conversation()
  local found = links.conversation[id_here]
  local talk = found and found[1]
  if talk and talk == conversation.talk then talk.stream = talk.stream or stream_of() or nil end
  return talks.id_at(id_here)
end

-- The value of a field that spans commands where the frame has none and its conversation knows it.
function talks.known(name)
  local found = links.conversation[id_here]
  local value = found and found[name]
  return type(value) == "string" and value ~= "" and value or nil
end

-- The same conversation, as frames from here on know it.
local function with_known(begun_as, name, value)
  local own = { [name] = value }
  for key, each in pairs(begun_as) do if key ~= name then own[key] = each end end
  return own
end

-- What few rules ask of a frame: where its ends are, and how others find it.
local function dialect_of()
  local changes = conversation.dialects
  return preferences.dialect ~= "" and preferences.dialect or changes[#changes] and changes[#changes].dialect or ""
end

-- The bytes of the frame that was read last, its length prefix included.
local function octets_of(size) return data:sub(first + 1, first + size) end

-- Remembers the addresses of both ends.
local function name_ends(talk, from_client)
  talk.client = tostring(from_client and here.src or here.dst)
  local address = tostring(from_client and here.dst or here.src)
  if address:find(":", 1, true) then address = "[" .. address .. "]" end
  talk.server = address .. ":" .. (from_client and here.dst_port or here.src_port)
end

-- What time and the ends of objects and connections trigger --------------------------------------------------

-- Objects of a lifecycle that go on, in the order of their first frames.
local function open_objects(talk, name)
  local found = {}
  for _, entity in pairs(talk.entities[name] or NONE) do
    if not entity.over then found[#found + 1] = entity end
  end
  table.sort(found, function(one, other) return (one.n or 0) < (other.n or 0) end)
  return found
end

local function in_heap(one, other) return one.t < other.t or one.t == other.t and one.serial < other.serial end

local function arm(timer, entity, deadline, talk)
  entity[timer] = deadline
  local before = entity[timer.entry]
  if before and before <= deadline then return end
  entity[timer.entry] = deadline
  local heap = talks.heap
  talks.serial = talks.serial + 1
  local entry, at_heap = { t = deadline, serial = talks.serial, entity = entity, timer = timer, talk = talk }, #heap + 1
  while at_heap > 1 do
    local above = math.floor(at_heap / 2)
    if not in_heap(entry, heap[above]) then break end
    heap[at_heap], at_heap = heap[above], above
  end
  heap[at_heap] = entry
end

-- Takes the first entry out of the heap.
local function pop(heap)
  local earliest, last = heap[1], table.remove(heap)
  local at_heap, count = 1, #heap
  if count == 0 then return earliest end
  while 2 * at_heap <= count do
    local below = 2 * at_heap
    if below < count and in_heap(heap[below + 1], heap[below]) then below = below + 1 end
    if not in_heap(heap[below], last) then break end
    heap[at_heap], at_heap = heap[below], below
  end
  heap[at_heap] = last
  return earliest
end

-- Lets timers go off that are due.
local function ring(t)
  local heap = talks.heap
  while heap[1] and heap[1].t <= t do
    local entry = pop(heap)
    local entity, timer = entry.entity, entry.timer
    local talk = entity.home and entity.home.talk or entry.talk
    if entity[timer.entry] == entry.t then
      local deadline = entity[timer]
      entity[timer.entry] = nil
      if deadline and not entity.over and not talk.ended then
        if deadline > entry.t then arm(timer, entity, deadline, talk)
        else
          entity[timer] = nil
          fire(talk, "timer:" .. timer.name, timer.of, entity, entry.t)
        end
      end
    end
  end
end

local MOST_REPEATED = 10000 -- keys of what is counted

-- Counts one more of what is repeated: gives the frames from the second on where there are so many in so short a time.
local function repeated(burst, key, t, n, distinct)
  if key == nil then return nil end
  local all = talks.repeated[burst] or { count = 0 }
  talks.repeated[burst] = all
  local times = all[key]
  if not times then
    if all.count >= MOST_REPEATED then
      all = { count = 0 }
      talks.repeated[burst] = all
    end
    times, all.count = {}, all.count + 1
    all[key] = times
  end
  while times[1] and times[1].t < t - burst.window do table.remove(times, 1) end
  if distinct ~= nil then
    for _, each in ipairs(times) do if each.distinct == distinct then return nil end end
  end
  times[#times + 1] = { t = t, n = n, distinct = distinct }
  if #times > burst.limit then table.remove(times, 1) end
  if #times < burst.limit then return nil end
  local proof = {}
  for index = 2, #times do proof[#proof + 1] = times[index].n end
  return proof
end

-- Ends requests without an answer, and objects, but those of the lifecycles in `others`.
local function end_all(talk, t, why, others)
  for side = 1, 2 do
    for _, pair in ipairs(PAIRS) do
      local waiting = pair.scope ~= "capture" and not others[pair.of or ""] and talk.open[side][pair.name]
      if waiting then
        talk.open[side][pair.name] = nil
        talks.end_requests(pair, waiting, t, why)
      end
    end
  end
  for _, lifecycle in ipairs(LIVES) do
    if lifecycle.scope == "connection" and lifecycle.name ~= "conn" and not others[lifecycle.name] and ends[lifecycle.name] then
      for _, entity in ipairs(open_objects(talk, lifecycle.name)) do
        fire(talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, why)
      end
    end
  end
end

-- Requests with a key each, and those that wait in a row after them, stay without an answer.
function talks.end_requests(pair, waiting, t, why)
  if not heard["unanswered:" .. pair.name] then return end
  local all = {}
  for _, first_one in pairs(waiting) do
    local request = first_one
    while request do
      all[#all + 1] = request
      request = request.behind
    end
  end
  table.sort(all, function(one, other) return one.n < other.n end)
  for _, request in ipairs(all) do fire(request.talk, "unanswered:" .. pair.name, "req", request, t, why) end
end

-- Ends a connection: its requests, then its objects, then itself. Objects may survive it, and go on on another one.
local function end_talk(talk, t, why)
  if talk.ended then return end
  local others = {}
  for _, lifecycle in ipairs(LIVES) do
    if lifecycle.survives and why ~= "end" and result_of(lifecycle.survives, { conn = talk.conn, why = why, t = t }) then
      others[lifecycle.name], talk.survives = true, true
    end
  end
  end_all(talk, t, why, others)
  for name in pairs(others) do
    for _, entity in ipairs(open_objects(talk, name)) do fire(talk, "left:" .. name, name, entity, t, why) end
  end
  local conn = talk.conn -- without frames it may be another protocol's, but for one that begins and ends
  if conn.n or conn.start and conn.whole and conn.both then fire(talk, "end:conn", "conn", talk.conn, t, why) end
  talk.ended = true
end

-- Runs what depends on a trigger, or on an event of TCP of a side.
function fire(talk, trigger, of, subject, t, why, side, columns)
  local known = heard[trigger]
  if not known then return end
  local conn, client = talk.conn, talk.home.client or talk.opener
  known.frame.of = of
  if of then side = subject.side or nil end
  local lifecycle = of and lives_by_name[of]
  known.frame.is_shared = lifecycle ~= nil and lifecycle.scope == "capture"
  local sender = not of and side and client and (client == side and "client" or "server") or nil
  local situation = conn.seen + (not sender and 0 or sender == "client" and 8 or 16)
  local follow = known[situation]
  if not follow then
    follow = talks.write_follower(known.frame, conn, sender, false)
    known[situation] = follow
  end
  local outer = conversation
  conversation = talk.home
  local me, peer = side and talk.sides[side] or NO_OBJECT, side and talk.sides[3 - side] or NO_OBJECT
  local C, S = client and talk.sides[client] or NO_OBJECT, client and talk.sides[3 - client] or NO_OBJECT
  follow(columns or NONE, subject, talk, conn, me, peer, C, S, side, t, why)
  conversation = outer
end

-- Numbers that Lua cannot hold are not known, but as keys their digits do.
local function exact(frame, c)
  if large then
    local digits_of = {}
    for path, value in pairs(c) do
      if type(value) == "userdata" then digits_of[path] = value end
    end
    for path, value in pairs(digits_of) do
      c[path], c["exact " .. path] = held_of(value), value:tohex()
    end
  end
  if frame.flags_of then
    local bits = c[frame.flags_of]
    for mask, name in pairs(bits and frame.flags or {}) do
      c[frame.flags_of .. "." .. name] = band(bits, mask) ~= 0
    end
  end
end

-- Whether the frame that was read last was not read to its end.
local function is_cut()
  for _, each in ipairs(problems) do
    if not each.inside and CODES[each.code].severity == "ERROR" then return true end
  end
  return false
end

local HELP = {
  is_cut = is_cut,
  fire = fire, with_known = with_known, notice_at = notice_at, arm = arm, repeated = repeated, open_objects = open_objects, ends = ends,
  talks = talks, here = here, meet = meet, renew = renew, is_news = is_news, is_reported = is_reported, matches_by = matches_by, count_match = count_match, notice = notice, cause_of = cause_of, columns_of_item = columns_of_item, ask = ask,
  byte = string.byte, settle = settle, join = join, dialect_of = dialect_of, octets_of = octets_of, links = links, NO_OBJECT = NO_OBJECT, NONE = NONE, pairs = pairs, ipairs = ipairs,
}

-- What follows such frames: by kind of frame, then by what was seen of the connection and who sends. `is_client` is whether
-- who sends has opened the connection: of two servers either may.
function talks.write_follower(frame, conn, sender, is_client)
  local seen = { start = conn.start, whole = conn.whole, both = conn.both }
  collectgarbage("stop") -- much text is made and dropped: one round after all costs less than many meanwhile
  local follow = follower(frame, sender, is_client, seen, roles_of(frame, sender), HELP)
  collectgarbage("restart")
  return follow
end

-- The columns of the frame that was read, with those that a carrier gives it.
local function columns_of(frame)
  local c = setmetatable(v, nil)
  if large or frame.flags_of then exact(frame, c) end
  if around then
    for name, value in pairs(around.columns) do c["carrier." .. name] = value end
  end
  return c
end

-- What the connection of a frame has agreed, or that of the carrier around it.
local function agreed_by_connection() return around and around.within and around.within.agreed or conversation.agreed end

local MOST_STREAMS = 65536 -- of a connection that have types of their own

-- What counts as agreed for a frame: metadata may state another type of the data on its stream. It is that of the sender's
-- data from this frame on. The types that the sender accepts are those of the peer's data; of several, none is known.
local function agreed_on_stream(frame, c, side, more, agreed)
  local talk, stream, metadata = conversation.talk, c[STREAM_TYPES.by], c[STREAM_TYPES.metadata .. " raw"]
  local stated = talk.stated
  if stream == nil or not stated and not metadata then return agreed end
  if stated and STREAM_TYPES.opens[frame.command] then stated[1][stream], stated[2][stream] = nil, nil end
  local own, accepted = nil, nil
  if metadata then own, accepted = f.predicates.types_of_stream(metadata, agreed) end
  if own or accepted then
    if not stated or stated.count >= MOST_STREAMS then stated = { {}, {}, count = 0 } end
    talk.stated, stated.count = stated, stated.count + 1
    if more then own, accepted = {}, {} end -- of a fragment nothing is sure
    if accepted then stated[3 - side][stream] = #accepted == 1 and accepted[1] end
    if own then stated[side][stream] = own[1] or false end
  end
  local one = stated and stated[side][stream]
  if one == nil then return agreed end
  local changed = {}
  for name, value in pairs(agreed) do changed[name] = value end
  changed[STREAM_TYPES.agreement] = one or nil
  return changed
end

-- One frame, on its first visit.
function talks.follow(frame, side, size, more)
  local talk = conversation.talk
  local conn, me, peer = talk.conn, talk.sides[side], talk.sides[3 - side]
  if talk.ended then return end
  local heap, c = talks.heap, columns_of(frame)
  if heap[1] and heap[1].t <= me.latest_t then ring(me.latest_t) end
  talk.latest_n, talks.latest_t = id_here, me.latest_t
  if not me.first_n then
    if talk.losses then fire_losses(talk) end
    me.first_n, me.first_t = id_here, me.latest_t
    conn.both = conn.both or peer.first_n ~= nil
    conn.n, conn.t = conn.n or id_here, conn.t or me.latest_t
    conn.begun_as = conn.begun_as or { talk, id_here, lives_by_name.conn.type or "connection" }
    see(conn)
  end
  local client = client_of(side)
  if client and not talk.client then name_ends(talk, client == side) end
  local situation = conn.seen + (not client and 0 or client == side and 8 or 16) + (between_servers and 24 or 0)
  local followers = talks.followers[frame]
  local follow = followers and followers[situation]
  if not follow then
    local sender = between_servers and "peer" or client and (client == side and "client" or "server")
    follow = talks.write_follower(frame, conn, sender, client == side)
    talks.followers[frame] = followers or {}
    talks.followers[frame][situation] = follow
  end
  local agreed = agreed_by_connection()
  if STREAM_TYPES then agreed = agreed_on_stream(frame, c, side, more, agreed) end
  follow(c, talk, conn, me, peer, side, id_here, size, not more, agreed)
end

-- Bytes are missing before those of this packet, whose frames were followed: what was noticed of them is taken back.
function talks.doubt(talk, side)
  for nth = 1, counts[here.number] or 1 do
    local own = notes[here.number + (nth - 1) / FINE]
    for _, each in ipairs(own and own.findings or NONE) do if each.matches then discount_match(each.matches) end end
    if own then own.findings = nil end
  end
  miss(talk, side)
end

-- What TCP says of a packet without frames, or after its frames: the end of a side, a full receiver.
function talks.see_event(name, is_here)
  local talk = conversation.talk
  if not talk or talk.ended then return end
  local t, side = here.abs_ts * 1e9, side_of()
  if name == "lost" or name == "unseen" then
    if is_here and name == "lost" then talks.doubt(talk, side) elseif name == "unseen" then lose(talk, 3 - side) end
    return
  end
  ring(t)
  talks.latest_t = t
  if name == "tcp.zero_window" then count_full(talk, talk.sides[side]) end
  if name == "tcp.close" then
    if talk.closed[side] then return end
    talk.closed[side] = true
  end
  fire(talk, name, nil, nil, t, nil, side)
  if name == "tcp.reset" then end_talk(talk, t, "reset")
  elseif name == "tcp.close" and talk.closed[1] and talk.closed[2] then end_talk(talk, t, "closed") end
end

-- The end of the captures is known when packets come again: all connections end there. In the window more packets may
-- follow, while they are captured or read: then all is again as it was.

local function remember(what, kept)
  if kept[what] then return end
  local own, inner = {}, {}
  kept[what] = own
  for key, value in pairs(what) do
    own[key] = value
    if type(value) == "table" then inner[#inner + 1] = value end
  end
  return inner
end

-- What is in the tables that can be reached, by table.
local function remember_all(...)
  local kept, waiting = {}, { ... }
  while #waiting > 0 do
    for _, each in ipairs(remember(table.remove(waiting), kept) or NONE) do waiting[#waiting + 1] = each end
  end
  return kept
end

local in_window = gui_enabled()
local PATIENCE = 20 -- times the time that it took is waited before all connections are ended again

function talks.finish()
  if talks.undoing or os.clock() < talks.not_before then return end
  local began = os.clock()
  talks.kept = in_window and remember_all(talks.all, talks.shared, talks.requests, talks.heap, talks.repeated, talks.matches) or nil
  talks.undoing = {}
  local t = talks.latest_t
  for _, talk in ipairs(talks.all) do end_talk(talk, t, (talk.closed[1] or talk.closed[2]) and "closed" or "end") end
  for _, talk in ipairs(talks.all) do
    if talk.survives then end_all(talk, t, "end", NONE) end
  end
  for _, pair in ipairs(PAIRS) do
    if pair.scope == "capture" and talks.requests[pair.name] then talks.end_requests(pair, talks.requests[pair.name], t, "end") end
  end
  for _, lifecycle in ipairs(LIVES) do
    local shared = lifecycle.scope == "capture" and ends[lifecycle.name] and open_objects({ entities = talks.shared }, lifecycle.name)
    for _, entity in ipairs(shared or NONE) do
      local talk = { conn = { seen = 0, epoch = 0 }, sides = { {}, {} }, entities = {}, home = new_conversation() }
      talk.flow, talk.latest_n = entity.flow, entity.n
      fire(talk, "end:" .. lifecycle.name, lifecycle.name, entity, t, "end")
    end
  end
  talks.not_before = in_window and os.clock() + PATIENCE * (os.clock() - began) or 0
end

function talks.go_on()
  for what, own in pairs(talks.kept or NONE) do
    for key in pairs(what) do if own[key] == nil then what[key] = nil end end
    for key, value in pairs(own) do what[key] = value end
  end
  for _, own in ipairs(talks.undoing) do
    local left_over = {}
    for _, each in ipairs(own.findings) do if not each.is_final then left_over[#left_over + 1] = each end end
    own.findings = left_over
  end
  talks.undoing, talks.kept = nil, nil
end

-- What rules say of a frame's problems; these know of the frame alone.
function talks.judge_problems(frame, side, size)
  local own = {}
  for _, each in ipairs(problems) do
    if not each.inside then own[#own + 1] = each end
  end
  local found, talk, client = {}, conversation.talk, client_of(side)
  local given = { c = columns_of(frame), conn = talk.conn, me = talk.sides[side], peer = talk.sides[3 - side] }
  if client then
    given.C, given.S = talk.sides[client], talk.sides[3 - client]
    given.sender = between_servers and "peer" or client == side and "client" or "server"
    if not talk.client then name_ends(talk, client == side) end
    given.client, given.server = talk.client, talk.server
  end
  given.t, given.n, given.side, given.size, given.name, given.key = here.abs_ts * 1e9, id_here, side, size, frame.name, frame.key
  given.version, given.flow, given.dialect = frame.version or conversation.agreed.version, talk.flow, dialect_of()
  given.octets, given.agreed = octets_of(size), agreed_by_connection()
  given.orphan, given.duplicate = false, false
  for _, each in ipairs(own) do
    given.problem, given.problem_text, given.problem_field = each.code, each.message, each.path
    given.problem_offset, given.problem_length = each.offset, each.length
    given.problem_value = each.path and given.c[each.path]
    given.problem_alone = #own == 1
    if type(given.problem_value) ~= "number" and each.length > 0 and each.length <= 6 then
      local from = first + each.offset
      local bits = data:sub(from + 1, from + each.length):gsub(".", function(one) return string.format("%02x", one:byte()) end)
      given.problem_value = #bits == 2 * each.length and tonumber(bits, 16) or nil
    end
    for _, rule in ipairs(RULES) do
      if rule.problem and (rule.problem[each.code] or rule.problem.any) and not found[rule] and holds(rule, given) then
        found[rule] = new_finding(rule, result_of(rule.says, given), rule.cause)
        if rule.by then found[rule].cause = cause_of(rule, result_of(rule.by, given)) end
        found[#found + 1] = found[rule]
      end
    end
  end
  return found
end

local SEVERITIES = { "ERROR", "WARN", "NOTE", "CHAT" } -- the worst first
talks.ranks = {}
for index, each in ipairs(SEVERITIES) do talks.ranks[each] = #SEVERITIES - index end

-- Shows findings in an item, the worst first, as a column has them; `tree` may be what makes the item.
function talks.show_findings(tree, findings)
  if not findings or #findings == 0 then return end
  if type(tree) == "function" then tree = tree() end
  for _, severity in ipairs(SEVERITIES) do
    for index = 1, #findings do
      local each = findings[index]
      if each.severity == severity then
        local message = each.rule.id .. ": " .. as_utf8(each.text)
        local shown = tree:add(header.finding, each.rule.id):set_generated()
        shown:add(header.message, message):set_generated():set_hidden()
        if each.cause and each.cause ~= "" then shown:add(header.cause, each.cause):set_generated() end
        tree:add_proto_expert_info(each.expert, message)
        if talks.find then talks.find(each) end
      end
    end
  end
end

end)()


-- Statistics, in the menu Tools and with tshark -----------------------------------------------------------------
-- A tap lists response times, findings or conversations of all packets. The dissector leaves what it saw of a packet's
-- frames here while a tap listens; the tap counts them: frames that are dissected for other reasons do not count.

local statistics = { listening = 0 }

do

local MOST_LINES = 10000
local SEVERITIES = { ERROR = "error", WARN = "warning", NOTE = "note", CHAT = "chat" } -- in the words of `streamshark check`
local number, rows = 0, {} -- the packet that was dissected last; what was seen of its frames and messages, also by their ids

local function is_worse(one, other) return talks.ranks[one.severity] > talks.ranks[other.severity] end

-- The row of this packet with an id.
local function row_of(id)
  if number ~= here.number then number, rows = here.number, { by_id = {} } end
  local row = rows.by_id[id]
  if not row then
    row = { packet = here.number, findings = {} }
    rows.by_id[id] = row
    rows[#rows + 1] = row
  end
  return row
end

function statistics.see(frame, size, line)
  local row = row_of(id_here)
  row.command, row.size, row.time = frame.command, size, links.time[id_here]
  row.conversation = talks.id_of_conversation and talks.id_of_conversation() or ""
  row.line = line
end

-- A call of gRPC that ends here.
function statistics.see_call(call)
  local row = row_of("call " .. call.stream)
  row.command, row.time = call.method, call.time
end

function statistics.find(found)
  local findings, rule = row_of(id_here).findings, found.rule
  if findings[rule.id] and is_worse(findings[rule.id], found) then return end
  findings[rule.id] = { rule = rule, text = found.text, severity = found.severity }
end

-- A table of text: rows of cells, of which those in `numbers` are aligned to the right. Titles are short, since windows show some
-- 70 characters in a line.
local function as_table(titles, lines, numbers)
  local widths, out = {}, {}
  for _, cells in ipairs({ titles, unpack(lines, 1, math.min(#lines, 200)) }) do
    for index, cell in ipairs(cells) do widths[index] = math.max(widths[index] or 0, #cell) end
  end
  local function write(cells)
    local texts = {}
    for index, cell in ipairs(cells) do
      local blanks = (" "):rep(widths[index] - #cell)
      texts[index] = numbers[index] and blanks .. cell or index < #cells and cell .. blanks or cell
    end
    out[#out + 1] = table.concat(texts, "  ")
  end
  write(titles)
  for index, cells in ipairs(lines) do
    if index > MOST_LINES then
      out[#out + 1] = ("... and %d more"):format(#lines - MOST_LINES)
      break
    end
    write(cells)
  end
  if #lines == 0 then out[#out + 1] = "(none)" end
  return table.concat(out, "\n") .. "\n"
end

local function milliseconds(seconds) return ("%.3f"):format(seconds * 1000) end

-- The value below which a share of sorted times is.
local function percentile(sorted, share) return sorted[math.max(1, math.ceil(#sorted * share))] end

local function response_times()
  local commands, all = {}, {}
  local function count(row)
    if not row.time then return end
    local own = commands[row.command]
    if not own then
      own = { longest = -1 }
      commands[row.command], all[#all + 1] = own, row.command
    end
    own[#own + 1] = row.time
    if row.time > own.longest then own.longest, own.packet = row.time, row.packet end
  end
  local function text()
    local lines = {}
    table.sort(all)
    for _, name in ipairs(all) do
      local own, sum = commands[name], 0
      table.sort(own)
      for _, time in ipairs(own) do sum = sum + time end
      lines[#lines + 1] = {
        name, ("%d"):format(#own), milliseconds(sum / #own), milliseconds(percentile(own, 0.5)), milliseconds(percentile(own, 0.95)),
        milliseconds(own.longest), ("%d"):format(own.packet),
      }
    end
    local titles = { "Times in ms", "Count", "Mean", "Median", "95 %", "Longest", "Packet" }
    return as_table(titles, lines, { false, true, true, true, true, true, true })
  end
  return count, text
end

local function findings()
  local all, known = {}, {}
  local function count(row)
    local own = {}
    for _, each in pairs(row.findings) do own[#own + 1] = each end
    table.sort(own, function(one, other) return one.rule.id < other.rule.id end)
    for _, each in ipairs(own) do
      local name = each.rule.id .. each.text:gsub("%d+", "") -- sentences that differ by a number are one line
      local same = known[name]
      if not same then
        same = { rule = each.rule, text = each.text, severity = each.severity, frames = 0, first = row.packet }
        known[name], all[#all + 1] = same, same
      end
      if is_worse(each, same) then same.severity = each.severity end
      same.frames, same.last = same.frames + 1, row.packet
    end
  end
  local function text()
    local lines = {}
    for index, each in ipairs(all) do
      lines[index] = {
        each.rule.id, SEVERITIES[each.severity], ("%d"):format(each.frames), ("%d"):format(each.first), ("%d"):format(each.last),
        as_utf8(each.text),
      }
    end
    return as_table({ "Rule", "Severity", "Frames", "First", "Last", "Finding" }, lines,
      { false, false, true, true, true })
  end
  return count, text
end

local function conversations()
  local all, by_id, begun = {}, {}, {} -- `begun`: the line of the frame that conversations begin with, by flow and packet
  local function count(row)
    local start = row.conversation and row.conversation:match("^(.*)%-%a[%w_]*$")
    if not start then return end
    begun[start] = begun[start] or row.line
    local own = by_id[row.conversation]
    if not own then
      own = { first = row.packet, frames = 0, bytes = 0, line = begun[start] }
      by_id[row.conversation] = own
      all[#all + 1] = row.conversation
    end
    own.last, own.frames, own.bytes = row.packet, own.frames + 1, own.bytes + row.size
  end
  local function text()
    local lines = {}
    for index, id in ipairs(all) do
      local own = by_id[id]
      lines[index] = {
        id, ("%d"):format(own.frames), ("%d"):format(own.bytes), ("%d"):format(own.first), ("%d"):format(own.last), own.line,
      }
    end
    return as_table({ "Conversation", "Frames", "Bytes", "First", "Last", "Begins with" }, lines,
      { false, true, true, true, true })
  end
  return count, text
end

local KINDS = {
  { "response-times", "Response times", response_times },
  { "findings", "Findings", findings },
  { "conversations", "Conversations", conversations },
}

-- Listens to all packets, and gives what is counted to `show` when Wireshark asks for it.
local function listen(begin_counting, show)
  local count, text = begin_counting()
  local listener = Listener.new(nil, "frame") -- a filter makes Wireshark build trees; our own fields are not known yet
  statistics.listening, talks.find = statistics.listening + 1, statistics.find
  function listener.packet(info)
    if info.number ~= number then return end
    for _, row in ipairs(rows) do count(row) end
  end
  function listener.draw() show(text()) end
  function listener.reset() count, text = begin_counting() end
  return listener
end

if not talks.follow then KINDS = {} end
for _, kind in ipairs(KINDS) do
  local name, title, begin_counting = unpack(kind)
  if gui_enabled() then
    register_menu(("Streamshark/%s/%s"):format(TITLE, title), function()
      local window = TextWindow.new(("%s: %s"):format(TITLE, title:lower()))
      local listener = listen(begin_counting, function(text) window:set(text) end)
      window:set_atclose(function()
        listener:remove()
        statistics.listening = statistics.listening - 1
      end)
      retap_packets()
    end, MENU_TOOLS_UNSORTED)
  elseif ARGUMENTS[1] == name then
    listen(begin_counting, function(text) io.stdout:write(text) end)
  end
end

end

protocol.fields = registered
local hiding -- the note that a preference of Wireshark hides frames
do

hiding = ProtoExpert.new(NAME .. ".expert.preference", "A preference of Wireshark hides frames", expert.group.UNDECODED, expert.severity.NOTE)
local all_experts = { hiding }
for _, each in pairs(experts) do all_experts[#all_experts + 1] = each end
protocol.experts = all_experts

end

-- One frame -------------------------------------------------------------------------------------------------

local IN_WINDOW = gui_enabled()
local asked, asked_number, asked_place = {}, 0, 0
local of_carrier -- the problem with how a carrier brought the frame, or with where it stands

local what_is_wanted, look

do

local function is_any_asked(root, fields)
  for _, each in ipairs(fields) do if root:referenced(each) then return true end end
  return false
end

-- What `find` says of a key, found out once in a pass.
local function once(key, find, ...)
  if asked[key] == nil then asked[key] = find(...) end
  return asked[key]
end

-- Whether somebody wants to see what embedded records and formats read inside of fields.
local function is_inside_asked(root)
  if root:referenced(header.text) or is_any_asked(root, inner_fields) then return true end
  for name in pairs(formats) do
    local found, dissector = pcall(Dissector.get, name)
    if found and dissector and root:referenced(dissector) then return true end
  end
  for _, dissector in pairs(bodies_of.found) do if root:referenced(dissector) then return true end end
  return false
end

local ASKED = { __index = function(all, what)
  local found
  if what == "slots" then found = once("slots", is_inside_asked, root_tree) else found = root_tree:referenced(what) end
  all[what] = found
  return found
end }

-- The fields of a frame that somebody asks for by their names, as a set; false where all are wanted. `key` in it tells
-- these of the frame from others.
local function fields_asked(frame, root)
  if view.visible or frame.inner or root:referenced(header.problem) then return false end
  if root:referenced(undecoded) or root:referenced(hidden_undecoded) then return false end -- what cannot be read ends what can
  local found, key = setmetatable({}, ASKED), {}
  for index, each in ipairs(frame.fields) do if found[each] then key[#key + 1] = index end end
  found.key = table.concat(key, " ") .. tostring(found.slots)
  return found
end

-- Whether somebody wants to see the fields of this kind of frame.
local function is_asked(frame, root)
  if frame.inner and package.loaded["streamshark." .. frame.inner] then return true end
  return once("headers", is_any_asked, root, shown_headers) or once(frame, is_any_asked, root, frame.fields)
    or frame.has_slots and once("slots", is_inside_asked, root)
end

-- How much of a frame is wanted: all with its fields; all for its problems, while only expert items are asked for; else
-- what its line needs. And whether somebody will see what conversations tell of it: not those who draw a list once.
function what_is_wanted(frame, root)
  local shown = view[frame]
  if shown == nil then
    shown = view.visible or (view.any or frame.inner) and is_asked(frame, root) or false
    view[frame] = shown
  end
  local judged = not shown and (view.judged or view.sought)
  sums.wanted = view.sums or judged
  chosen = nil
  if (shown or judged) and not view.visible then
    root_tree = root
    chosen = shown and once(frame.fields, fields_asked, frame, root) or judged and once("judged", setmetatable, {}, ASKED) or nil
  end
  return shown, judged, view.follows
end

-- How a packet is looked at, from the tree on: in tshark all packets of the first visit in one way.
function look(root)
  local visited, visible, columns = here.visited, root.visible, tostring(pinfo.cols.info) ~= "(info)"
  view = { tree = true, visited = visited, visible = visible, columns = columns }
  view.tree = visible or stream_of() ~= false or here.src_port == 0
  view.any = visible or view.tree and (once("any", is_any_asked, root, registered) or once("slots", is_inside_asked, root))
  view.named = view.tree and once("protocol", root.referenced, root, Dissector.get(NAME:lower()))
  view.rooted = view.any or view.named
  local experts_asked = not columns
  if IN_WINDOW then experts_asked = visited end -- its list of expert items asks for columns, too
  local tapped = statistics.listening > 0
  view.judged = view.tree and not view.any and (experts_asked or tapped)
  view.follows = not visited and talks.follow and (preferences.links or preferences.findings)
    and (visible or IN_WINDOW or tapped or not columns or view.any and once("meant", is_any_asked, root, talks.fields))
  if talks.follow then
    tcp_watcher.is_idle = not view.follows and tcp_watcher.is_idle ~= false
    tcp_watcher.is_blind = view.follows and not view.tree
  end
  view.sought = view.any and is_any_asked(root, talks.of_findings)
  view.sums = visible or view.any and (view.sought or root:referenced(header.problem))
end

end

local function start(bytes, from, total, most, values)
  tvb, at, stop, first = bytes, from, from + total, from
  v = values or {}
  for path in next, v do v[path] = nil end
  setmetatable(v, NOTHING)
  left, large, name_here, hidden_from, secrets.held, veils.met = most, false, "", math.huge, false, false
  if next(info_texts) then info_texts = {} end
  if #problems > 0 then problems = {} end
  if next(inner_texts) then inner_texts = {} end
  if next(facts_held) then facts_held = {} end
  numbering.value, stream_inside = nil, nil
end

local function time_span(seconds)
  local ns = math.floor(seconds * 1e9 + 0.5)
  return NSTime.new(math.floor(ns / 1e9), ns % 1000000000)
end

local dissect_frame, begin_hiding

do

-- The line of a frame: a mark if it is a refusal, its name, its words.
local function line_of(frame)
  local words, refused = info_line.words(frame.shows, info_texts, not piece and inner_texts or nil)
  local text = (refused and "! " or "") .. frame.name .. words
  return frame.in_pieces and text .. pieces.sentence(frame) or text
end

-- Adds values that are not in the bytes.
local function show(tree, shown, value)
  if not chosen or chosen[shown] then generated(add(tree, shown, value)) end
end

local function add_links(tree, frame)
  local request, response = links.request[id_here], links.response[id_here]
  if request then
    show(tree, header.request, request)
    if not chosen or chosen[header.time] then show(tree, header.time, time_span(links.time[id_here])) end
  end
  if response then show(tree, header.response, response) end
  local id = (not chosen or chosen[header.conversation]) and talks.id_of_conversation()
  if id then show(tree, header.conversation, id) end
  for _, name in ipairs(frame.known or {}) do
    local value = (not chosen or chosen[common[name]]) and talks.known(name)
    if value then show(tree, common[name], as_utf8(value)) end
  end
end

local LONGEST_MESSAGE = 120 -- characters of a problem in a line

-- Problems of a frame itself, then those inside of its slots.
local function in_order(all)
  local own, inner = {}, {}
  for _, each in ipairs(all) do
    if each.inside then inner[#inner + 1] = each else own[#own + 1] = each end
  end
  for _, each in ipairs(inner) do own[#own + 1] = each end
  return own
end

-- Whether a type was agreed for the connection that is secret.
local function agrees_secret()
  for _, said in pairs(conversation.agreed) do
    if type(said) == "string" and said ~= "" and secrets.is_type(said) then return true end
  end
  return false
end

-- Finds out what of a frame, or of a call's message, may be secret.
function begin_hiding(frame, from, total)
  veiling = secretive[frame] or false
  secrets.held = not preferences.secrets and (secrets.may_hold(data:sub(from + 1, from + total)) or agrees_secret())
end

local function from_second(steps) return { unpack(steps, 2) } end

-- Reads what is being read with the code for it: "shown", "chosen" fields, "judged", "line", or "followed", by conversations.
local function read_straight(frame, wanted, bare)
  local code = frame[bare and "bare_code" or "code"]
  if not code[wanted] or wanted == "chosen" and code.key ~= chosen.key then
    local steps = wanted == "line" and not bare and frame.line_steps or frame.steps
    local shows = wanted == "shown" and everything or wanted == "judged" and {} or wanted == "chosen" and chosen
    code[wanted] = straight(bare and from_second(steps) or steps, shows, wanted == "followed", frame)
    if wanted == "chosen" then code.key = chosen.key end
  end
  local followed = following or wanted ~= "line" and conversation.talk -- who may ask for more than the line and the tree
  local behind, halted = code[wanted](tvb, data, at, stop, item, v, wants_info, following, followed)
  at = behind
  return halted
end

local function read_steps(steps, bare)
  for index = bare and 2 or 1, #steps do
    if brief and left <= 0 or read[steps[index].kind](steps[index]) then return HALT end
  end
end

-- The text of a frame with its first problems.
local function with_problems(text, tree)
  if #problems == 0 then return text end
  for index, each in ipairs(in_order(problems)) do
    if tree then show(tree, header.problem, each.code) end
    if index <= 3 then
      local mark = CODES[each.code].severity == "ERROR" and " [E] " or " [W] "
      local message = #each.message > LONGEST_MESSAGE and each.message:sub(1, LONGEST_MESSAGE - 3) .. "..." or each.message
      local path = each.inside or each.path -- of something inside, the slot that it stands in
      text = text .. mark .. each.code .. (path and " " .. path or "") .. ": " .. message
    end
  end
  if #problems > 3 then text = text .. " [" .. #problems - 3 .. " more problems]" end
  return text
end

local function check_end(frame, halted)
  if frame.watched then hosts.watch(frame) end
  return not halted and at ~= stop
end

local judged_root, judged_bytes, judged_from, judged_total -- where the frame is that is judged

-- The item of the frame that is dissected. Of one that is only judged it is made when something is to be said of it.
local function item_of_frame()
  if judged_item == item_of_frame then judged_item = add(judged_root, protocol, range_of(judged_bytes, judged_from, judged_total)) end
  return judged_item
end

-- Looks for what is wrong with a frame of which nothing else is shown; gives its text, which may be known already.
local function judge_frame(bytes, from, total, frame, root, bare, text)
  if wants_info then begin_hiding(frame, from, total) else veiling, secrets.held = false, false end
  judged_root, judged_bytes, judged_from, judged_total = root, bytes, from, total
  item, judged_item = nil, item_of_frame
  if view.named then item_of_frame() end
  if of_carrier then note_problem(of_carrier.code, nil, from + of_carrier.offset, of_carrier.length, of_carrier.message) end
  local wanted = chosen
  chosen = nil
  local halted = read_straight(frame, "judged", bare)
  chosen = wanted
  if check_end(frame, halted) then problem("trailing", nil, at, stop - at, stop - at) end
  veiling = false
  text = text or view.columns and line_of(frame) or ""
  return with_problems(text)
end

-- Shows a frame, or the fields of it that somebody asks for; gives its text.
local function show_frame(bytes, from, total, frame, root, bare)
  begin_hiding(frame, from, total)
  local tree
  if chosen then tree = add(root, protocol, range_of(bytes, from, total))
  else tree = add(root, protocol, range_of(bytes, from, total), frame.caption .. total .. " bytes") end
  item, judged_item = tree, tree
  show(tree, header.command, frame.command)
  show(tree, header.kind, frame.kind)
  if between_servers then show(tree, header.sender, "peer")
  elseif conversation.client then show(tree, header.sender, sender_of(side_of())) end
  show(tree, header.length, total)
  for _, name in ipairs(frame.holds or {}) do
    if not chosen or chosen[common[name]] then generated(add(tree, common[name], true)):set_hidden() end
  end
  if header.version and not frame.version and conversation.agreed.version then
    show(tree, header.version, conversation.agreed.version)
  end
  if of_carrier then note_problem(of_carrier.code, nil, from + of_carrier.offset, of_carrier.length, of_carrier.message) end
  local halted = read_straight(frame, chosen and "chosen" or "shown", bare)
  local is_over = check_end(frame, halted)
  item = tree
  if is_over then problem("trailing", nil, at, stop - at, stop - at) end
  if at < stop then add_undecoded(tree, at, stop - at) end
  veiling = false
  if frame.reassembled then pieces.show(frame, tree) end
  local id = frame.correlates and rawget(v, frame.correlates)
  if id ~= nil and header.correlation then
    if type(id) == "number" then
      if CORRELATES == "int64" then id = Int64.new(id) elseif CORRELATES == "uint64" then id = wide(id) end
    end
    show(tree, header.correlation, type(id) == "string" and as_utf8(id) or id)
  end
  return with_problems(view.columns and line_of(frame) or "", tree)
end

-- Shows a frame; gives its text for the Info column.
function dissect_frame(bytes, from, total, frame, root, bare)
  if not frame.code then prepare(frame) end
  local side, first_visit = side_of(), not here.visited
  next_place()
  if first_visit then
    if frame.opens then reopen(side) end
    conversation.has_sent[side] = true
  end
  local shown, judged, follows = what_is_wanted(frame, root)
  local full = shown or judged
  local steps = frame.steps
  if frame.proves and not conversation.client then conversation.client = frame.proves == "client" and side or 3 - side end
  piece = false
  local more -- whether other pieces of what this frame begins are still to come
  local closely = frame.agrees
  -- A conversation may know the stream by which bodies are handed to others: it is followed before they are read.
  local early = full and follows and frame.bodies and frame.known ~= nil and first_visit
  following = follows and (not full or early)
  -- Of what is only judged the line is read apart where it needs less than all of the frame.
  local lined = judged and view.columns and statistics.listening == 0 and not frame.is_single
  if not full and (view.columns or following) or early or lined or first_visit and (closely or frame.in_pieces) then
    start(bytes, from, total, frame.brief + (frame.agrees and 1000 or 0) + (following and frame.awaited or 0), frame.values)
    item, brief = nil, true
    local halted
    if closely then halted = read_steps((bare or following) and steps or frame.line_steps, bare)
    else
      wants_info, left = view.columns, math.huge
      halted = read_straight(frame, following and "followed" or "line", bare)
      wants_info = true
    end
    brief = false
    if first_visit then
      if frame.agrees then agree(frame) end
      if frame.in_pieces then more = pieces.see(frame, side, halted) end
    end
    if following then talks.follow(frame, side, total, more) end
  end
  following = false
  piece = notes[id_here] and notes[id_here].piece
  local text = lined and line_of(frame)
  if not full then
    if view.rooted then add(root, protocol, range_of(bytes, from, total)) end
    return view.columns and line_of(frame) or ""
  end
  local agreed = conversation.agreed
  if not first_visit then conversation.agreed = agreed_here() end
  start(bytes, from, total, 1000, frame.values)
  follows = follows and not early
  wants_info, following, root_tree, hosts.frame = view.columns and not lined or statistics.listening > 0, follows, root, frame
  if judged then text = judge_frame(bytes, from, total, frame, root, bare, text)
  else text = show_frame(bytes, from, total, frame, root, bare) end
  following = false
  if talks.follow then
    local tree = item_of_frame
    if #problems > 0 and preferences.findings and conversation.talk then talks.show_findings(tree, talks.judge_problems(frame, side, total)) end
    if follows then talks.follow(frame, side, total, more) end
    if shown and preferences.links then add_links(tree(), frame) end
    local own = notes[id_here]
    if own then talks.show_findings(tree, own.findings) end
    if statistics.listening > 0 then statistics.see(frame, total, line_of(frame)) end
  end
  conversation.agreed, judged_item = agreed, nil
  wants_info = true
  return text .. (inner_texts[""] or "")
end

end

local UNKNOWN = { name = "unknown" } -- stands for what no schema is known for

-- Bytes of a frame that no schema is known for.
local function dissect_unknown(bytes, from, total, code, message, root, key, version, dialect)
  local tree = root:add(protocol, bytes(from, total))
  tree:append_text(", unknown, " .. total .. " bytes")
  item, problems, first, tvb = tree, {}, from, bytes
  tree:add(header.length, total):set_generated()
  if conversation.client then tree:add(header.sender, sender_of(side_of())):set_generated() end
  for _, each in ipairs(key and heads[dialect or preferences.dialect].info_texts or {}) do
    if each.from + each.size <= total then tree:add(each.field, bytes(from + each.from, each.size)) end
  end
  if header.version and not version and conversation.agreed.version then
    tree:add(header.version, conversation.agreed.version):set_generated()
  end
  chosen, hidden_from, veiling = nil, math.huge, key ~= nil and secretive[key] or false
  add_undecoded(tree, from, total)
  veiling = false
  problem(code, nil, from, total, message)
  tree:add(header.problem, code):set_generated()
  if talks.follow and preferences.findings and conversation.talk then
    v, UNKNOWN.key, UNKNOWN.version = {}, key, version
    next_place()
    talks.show_findings(tree, talks.judge_problems(UNKNOWN, side_of(), total))
    if view.follows then talks.follow(UNKNOWN, side_of(), total) end
    local own, id = notes[id_here], talks.id_of_conversation()
    if id then tree:add(header.conversation, id):set_generated() end
    talks.show_findings(tree, own and own.findings)
  end
  local text = "unknown"
  if key then text = text .. " key=" .. (type(key) == "number" and (key < 0 and "-" or "") .. hex(math.abs(key)) or quoted(key)) end
  version = version or conversation.agreed.version
  if version then text = text .. " version=" .. digits(version) end
  return text .. " length=" .. total .. " [E] " .. code .. ": " .. message
end

-- The problem of an unknown key or version: code and message.
local function oddity(dialect, key, version, response)
  if selected[dialect].keys[selector_of(key, nil, response)] then
    return "unknown_version", "version " .. tostring(version) .. " of key " .. tostring(key)
  end
  return "unknown_key", (response and "response " or "") .. "key " .. tostring(key) .. (version and ", version " .. tostring(version) or "")
end

-- The dialect of the connection from a line on, which may tell another one than before.
local function dialect_here(bytes, from, length, key)
  if not switch_dialect or preferences.dialect ~= "" then return preferences.dialect end
  local changes, line_at = conversation.dialects, bytes:offset() + from
  local dialect = ""
  if here.visited then
    for _, change in ipairs(changes) do
      if change.number < here.number or change.number == here.number and change.place <= line_at then
        dialect = change.dialect
      end
    end
    return dialect
  end
  dialect = #changes > 0 and changes[#changes].dialect or ""
  if SWITCHING[key] then
    local line = bytes:raw(from, math.min(length, 65536)):match("^([^\n]*)") or ""
    local after = switch_dialect(dialect, line)
    if after ~= dialect then
      changes[#changes + 1] = { number = here.number, place = line_at, dialect = after }
      dialect = after
    end
  end
  return dialect
end

-- What the bytes begin that is not this protocol any more; nil for nothing known.
local function upgrade_name(bytes, from)
  for prefix, name in pairs(UPGRADES) do
    if bytes:len() - from >= #prefix and bytes:raw(from, #prefix) == prefix then return name end
  end
end

-- Frames out of a stream ------------------------------------------------------------------------------------

local function frame_of(key, version, response, dialect)
  local found = selected[dialect or preferences.dialect][selector_of(key, version, response)]
  if not found then return nil end
  if #found == 1 then return found[1] end
  local sender = sender_of(side_of())
    or preferences.servers[here.dst_port] and "client" or preferences.servers[here.src_port] and "server"
  for _, each in ipairs(found) do
    if each.sender == sender or each.sender == "both" then return each end
  end
  return found[1]
end

-- Length and schema of the frame that begins here; no schema where its head is not a known one.
local function frame_at(from, most)
  local head = heads[preferences.dialect]
  local total, key, version, response
  if head.lines then
    total, key = head.measure(from, most)
    if not total then return nil end
  else
    if most < head.size then
      local least = head.prefix and head.prefix > 0 and most >= head.prefix and head.measure(from)
      if least and least < head.least and least <= most then return least, nil, 0, 0 end -- it ends before its key
      return nil
    end
    total = head.measure(from)
    key, version, response = head.select(from)
  end
  if total < head.least or total > head.most then return total, nil, key, version, response end
  return total, frame_of(key, version, response), key, version, response
end

local dissect_stream

;(function()

local function foreign_name(bytes, from)
  local best, length = nil, 0
  for prefix, name in pairs(FOREIGN) do
    if #prefix > length and bytes:len() - from >= #prefix and data:sub(from + 1, from + #prefix) == prefix then
      best, length = name, #prefix
    end
  end
  return best
end

-- The first line behind `from` that a verb begins; the end may cut it, and its verb.
local function line_behind(from, length)
  local line = data:find("\n", from + 1, true)
  while line and line < length do
    local total, frame = frame_at(line, length - line)
    if frame or not total then return line end
    line = data:find("\n", line + 1, true)
  end
  return length
end

-- The first place behind `from` where the head of a known frame stands that fits, or is cut by the end.
local function search(from, length)
  local head = heads[preferences.dialect]
  if head.lines then return line_behind(from, length) end
  for place_of_head = from + 1, length - head.size do
    local total, frame = frame_at(place_of_head, length - place_of_head)
    if total and frame then
      local after = place_of_head + total
      if after == length then return place_of_head end
      if after + head.size <= length then
        local _, behind = frame_at(after, length - after)
        if behind then return place_of_head end
      end
    end
  end
  return length
end

local may_be_proxy, proxy_length
local MAY_BE_PROXY = { [80] = true, [13] = true } -- first bytes of a preamble

do

local PROXY_1, PROXY_2 = "PROXY ", "\r\n\r\n\0\r\nQUIT\n"

-- Whether the bytes begin as a preamble does, but for its end.
function may_be_proxy(length)
  local raw = data:sub(1, 108)
  if #raw < #PROXY_1 then return PROXY_1:sub(1, #raw) == raw or PROXY_2:sub(1, #raw) == raw end
  if raw:sub(1, #PROXY_1) == PROXY_1 then return length < 108 and not raw:find("\n", 1, true) end
  if #raw < #PROXY_2 then return PROXY_2:sub(1, #raw) == raw end
  return raw:sub(1, #PROXY_2) == PROXY_2 and (length < 16 or length < 16 + u16(14))
end

function proxy_length(length)
  if length >= 16 and data:sub(1, 12) == PROXY_2 then
    local total = 16 + u16(14)
    return total <= length and total or 0
  end
  if length >= 8 and data:sub(1, 6) == PROXY_1 then
    local line = data:sub(1, 107):match("^[^\n]*\n")
    return line and #line or 0
  end
  return 0
end

end

local PROXY, NO_FRAME = "PROXY protocol", "no frame begins here" -- why bytes are skipped

-- Tells where a preference of Wireshark may be the cause that frames are not shown.
local function note_preference(tree, why)
  local text
  if why:find("^the start of") then
    text = get_preference("tcp.desegment_tcp_streams") == false
      and "frames that segments divide are not shown, since the preference tcp.desegment_tcp_streams is off"
  elseif talks.is_after_loss and talks.is_after_loss() then
    text = get_preference("tcp.reassemble_out_of_order") == false
      and "if the missing segment comes later, the preference tcp.reassemble_out_of_order lets its frames be shown"
  end
  if text then tree:add_proto_expert_info(hiding, text) end
end

-- Shows bytes in which no frame was found. They may be the end of any secret.
local function show_skipped(bytes, from, length, root, why)
  local tree = root:add(protocol, bytes(from, length))
  tree:append_text(", " .. length .. " bytes: " .. why)
  tvb, chosen, hidden_from, veiling = bytes, nil, math.huge, secretive.any and why ~= PROXY or false
  add_undecoded(tree, from, length)
  veiling = false
  note_preference(tree, why)
  return "[" .. length .. " bytes: " .. why .. "]"
end

-- What is left to Wireshark's own dissectors, which recognise it: what may carry us.
local LEFT_ALONE = { TLS = true, HTTP = next(CARRIED_IN) ~= nil }

local MOST_FOREIGN = 4096 -- bytes of another protocol that are shown as a frame
local MOST_BELIEVED = 65536 -- bytes of a frame with an unknown key that are waited for

local inside_tls = false -- whether the bytes are what TLS has opened
local sealed_data = Field.new("tls.app_data")

-- Counts the bytes of another protocol as lost: those of a side from some on are not read.
local function leave(side_left, length, name)
  if side_left.is_left then return end
  side_left.is_left = true
  if view.follows then talks.skip(length, "this is " .. name) end
end

-- What a side goes on as behind an upgrade; TLS is Wireshark's own.
local function dissect_upgraded(bytes, from, root, name)
  local side, length = side_of(), bytes:len() - from
  local upgraded = conversation.upgraded[side] or { number = here.number, name = name }
  conversation.upgraded[side] = upgraded
  if not name:find("^TLS") then
    leave(upgraded, length, name)
    return show_skipped(bytes, from, length, root, name)
  end
  local before, outer = pinfo.can_desegment, conversation
  inside_tls, pinfo.can_desegment = true, 2 -- a dissector that is called has one less
  Dissector.get("tls"):call(bytes(from):tvb(), pinfo, root)
  inside_tls, pinfo.can_desegment = false, before
  if view.tree and not outer.is_opened and sealed_data() then leave(upgraded, length, name) end
  return ""
end

-- Whether more segments can be waited for.
local function may_wait(bytes) return pinfo.can_desegment > 0 and bytes:reported_len() == #data end

-- Waits for the rest of what begins at a place.
local function wait_for(from, missing)
  pinfo.desegment_offset, pinfo.desegment_len = from, missing
  if view.follows then talks.wait(from, missing) end
end

function dissect_stream(bytes, root)
  local length = #data
  local upgraded = conversation.upgraded[side_of()]
  if inside_tls then conversation.is_opened = true end
  if upgraded and upgraded.number < here.number and not inside_tls then
    return dissect_upgraded(bytes, 0, root, upgraded.name)
  end
  local head = heads[preferences.dialect]
  local from, texts = MAY_BE_PROXY[bytes_at(data, 1)] and proxy_length(length) or 0, {}
  if from > 0 then texts[1] = show_skipped(bytes, 0, from, root, PROXY)
  elseif MAY_BE_PROXY[bytes_at(data, 1)] and may_be_proxy(length) and may_wait(bytes) then
    pinfo.desegment_offset, pinfo.desegment_len = 0, DESEGMENT_ONE_MORE_SEGMENT
    return ""
  end
  while from < length do
    local rest = length - from
    local total, frame, key, version, response = frame_at(from, rest)
    if not total then -- the head is not whole
      if may_wait(bytes) then
        pinfo.desegment_offset, pinfo.desegment_len = from, DESEGMENT_ONE_MORE_SEGMENT
      else
        texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of a frame")
      end
      break
    end
    local sane = total >= head.least and total <= math.min(head.most, preferences.largest)
    if frame and sane then
      if total > rest then
        if may_wait(bytes) then
          wait_for(from, total - rest)
        else
          texts[#texts + 1] = show_skipped(bytes, from, rest, root, "the start of " .. frame.title)
        end
        break
      end
      between_servers = false
      if switch_dialect then
        local dialect = dialect_here(bytes, from, total, key)
        frame = frame_of(key, version, response, dialect)
        between_servers = BETWEEN_SERVERS[dialect] or frame.sender == "peer"
      end
      texts[#texts + 1] = dissect_frame(bytes, from, total, frame, root)
      from = from + total
    else
      local upgrade = not inside_tls and upgrade_name(bytes, from)
      if upgrade then
        texts[#texts + 1] = dissect_upgraded(bytes, from, root, upgrade)
        break
      end
      local foreign = foreign_name(bytes, from)
      if from == 0 and LEFT_ALONE[foreign] then return nil end
      if foreign then
        texts[#texts + 1] = dissect_unknown(bytes, from, rest, "foreign", "these bytes are " .. foreign, root)
        if view.follows and rest > MOST_FOREIGN then talks.skip(rest - MOST_FOREIGN, "this is " .. foreign) end
        break
      end
      if sane and total <= MOST_BELIEVED and total > rest and may_wait(bytes) then
        wait_for(from, total - rest)
        break
      end
      local after = total > 0 and total <= MOST_BELIEVED and total <= rest and from + total
      local believed = after == length
      if after and not believed then
        local next_total, next_frame = frame_at(after, length - after)
        believed = next_total == nil or next_frame ~= nil
      end
      if believed then
        local code, message
        if sane then code, message = oddity(preferences.dialect, key, version, response)
        else -- too short for a frame, and nothing is lost
          code, message = "length", ("a frame of %s bytes; %s to %s are possible"):format(digits(total), digits(head.least), digits(head.most))
        end
        texts[#texts + 1] = dissect_unknown(bytes, from, total, code, message, root, key, version)
        from = after
      else
        local found = search(from, length)
        texts[#texts + 1] = show_skipped(bytes, from, found - from, root, NO_FRAME)
        if pieces.lose and not here.visited then pieces.lose(side_of()) end
        if view.follows then talks.skip(found - from, NO_FRAME) end
        from = found
      end
    end
  end
  return #texts == 1 and texts[1] or table.concat(texts, " | ")
end

end)()

-- Entry points ----------------------------------------------------------------------------------------------

local begin

do

local length_of, raw_of, offset_of = Tvb.len, Tvb.raw, Tvb.offset

function begin(bytes, info, root, carried)
  local number = info.number
  pinfo = info
  here.number, here.visited, here.src_port, here.dst_port = number, info.visited, info.src_port, info.dst_port
  here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
  if number <= asked_number then
    local offset = offset_of(bytes)
    if number < asked_number or offset <= asked_place then asked, view = {}, {} end
    asked_place = offset
  elseif number ~= asked_number then asked_place = -1 end
  asked_number = number
  if IN_WINDOW or view.visited ~= here.visited then look(root) end
  if talks.finish then
    if here.visited then talks.finish() elseif talks.undoing then talks.go_on() end
  end
  conversation = conversation_of()
  others_called = 0
  data = length_of(bytes) > 0 and raw_of(bytes) or ""
  if view.follows then talks.see_segment(carried) end
  if pieces.see then pieces.see_segment() end
end

end

-- What the watcher of TCP tells: it comes after the frames of the packet.
if talks.follow then
  tcp_watcher.plugins[#tcp_watcher.plugins + 1] = function(info, name)
    pinfo = info
    local is_here = here.number == info.number and here.visited == info.visited
    here.number, here.visited, here.src_port, here.dst_port = info.number, info.visited, info.src_port, info.dst_port
    here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
    conversation = known_conversation()
    if conversation then talks.see_event(name, is_here) end
  end
end

local finish

do

local COLUMN = protocol.name
local clear, append, fence = Column.clear, Column.append, Column.fence

function finish(text)
  if not view.columns then return end
  if around then -- what has the frame around writes it behind that one's
    around.line = text
    return
  end
  local columns = pinfo.cols
  columns.protocol = COLUMN
  if text == "" then return end -- only the start of a frame, which comes with a later packet
  local info = columns.info
  clear(info)
  local before = tostring(info):gsub("%[TCP [^%]]*%] *", "")
  if before ~= "" and before ~= "(info)" then text = " | " .. text end
  append(info, as_utf8(text))
  fence(info)
end

end

-- One frame that is identified by what is around it: dialect, key where no head says it, a problem.
local function dissect_embedded(bytes, root, identity)
  local dialect, length = identity.dialect or preferences.dialect, bytes:len()
  local head, key, version, response = heads[dialect], identity.key, nil, nil
  if not key then
    if length < head.least then
      local message = "a message of " .. length .. " bytes contains no frame"
      finish(dissect_unknown(bytes, 0, length, "length", message, root))
      return length
    end
    key, version, response = head.select(0)
  end
  local frame = frame_of(key, version, response, dialect)
  if frame then
    of_carrier = identity.problems and identity.problems[1]
    finish(dissect_frame(bytes, 0, length, frame, root))
    of_carrier = nil
  else
    local code, message = oddity(dialect, key, version, response)
    finish(dissect_unknown(bytes, 0, length, code, message, root, key, version, dialect))
  end
  return length
end

local opcodes = BINARY and Field.new("websocket.opcode")
-- Whether the message of WebSocket that is being read is text; false where Wireshark makes no tree.
local function is_text_message()
  local found = 2
  for _, opcode in ipairs(opcodes and { opcodes() } or {}) do
    if opcode.value == 1 or opcode.value == 2 then found = opcode.value end
  end
  return found == 1
end

-- One frame without the length before it, as a WebSocket message or another carrier brings it.
local function dissect_bare(bytes, info, root)
  begin(bytes, info, root, true)
  local head = heads[preferences.dialect]
  local length = bytes:len()
  around = package.loaded[AROUND]
  if around and around.client then conversation.client = around.client end
  if around and around.within then return dissect_embedded(bytes, root, around.within) end
  if length + head.prefix < head.least then return 0 end
  local key, version, response = head.select(-head.prefix)
  local frame = frame_of(key, version, response)
  local bare = head.prefix > 0
  if bare then -- some peers write the length all the same
    local total, framed = frame_at(0, length)
    if framed and total == length then
      frame, bare = framed, false
      of_carrier = { code = "carrier", offset = 0, length = 0,
        message = "a length of " .. head.prefix .. " bytes precedes the frame, as on TCP; messages have none" }
    end
  end
  if not frame then return 0 end
  if bare and is_text_message() then
    of_carrier = { code = "carrier", offset = 0, length = 0,
      message = "a text message; frames need binary messages" }
  end
  finish(dissect_frame(bytes, 0, length, frame, root, bare))
  of_carrier = nil
  return length
end

function protocol.dissector(bytes, info, root)
  if not heads[preferences.dialect].measure then return dissect_bare(bytes, info, root) end
  begin(bytes, info, root)
  local text = not conversation.left_alone and dissect_stream(bytes, root)
  if not text then
    conversation.left_alone = true
    return 0
  end
  finish(text)
  return #data
end

-- Whether all of a frame is there, without problems.
local function is_sound(bytes, from, total, frame)
  start(bytes, from, total, 1000)
  item, piece = nil, true
  if not frame.code then prepare(frame) end
  return not read_all(frame.steps) and at == stop and #problems == 0
end

-- How many frames line up from the first byte, without problems; 0 when one does not.
local function sound_frames(bytes)
  local from, count, length, opening = 0, 0, bytes:len(), false
  while from < length do
    local total, frame = frame_at(from, length - from)
    if not total or not frame or total > length - from then
      return total and frame and count or (total and 0 or count), opening
    end
    if not is_sound(bytes, from, total, frame) then return 0, false end
    opening = opening or count == 0 and frame.opens
    from, count = from + total, count + 1
  end
  return count, opening
end

-- Whether a packet that was not passed to this plugin begins its protocol.
local function is_missed(bytes, info)
  if here.number == info.number and here.visited == info.visited or info.src_port == 0 then return nil end
  local outer = { pinfo, data, conversation }
  pinfo, data, conversation = info, bytes:raw(), new_conversation()
  here.number, here.visited, here.src_port, here.dst_port = info.number, info.visited, info.src_port, info.dst_port
  here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
  local fine, count, opening = pcall(sound_frames, bytes)
  pinfo, data, conversation = unpack(outer, 1, 3)
  if fine and count > 0 and opening then return TITLE, protocol.name end
end

if talks.follow and heads[""].measure then table.insert(tcp_watcher.openings, is_missed) end

-- Recognises a connection by frames that line up. TLS remembers by itself what it found; on TCP the
-- connection is claimed.
local function recognise(bytes, info, root, claims)
  if not preferences.heuristics then return false end
  local servers = preferences.servers
  if servers[info.src_port] or servers[info.dst_port] then return false end -- the port's table brings it
  begin(bytes, info, root)
  if not conversation.claimed then
    local count, opening = sound_frames(bytes)
    conversation.sound = count > 0 and conversation.sound + count or 0
    if not opening and conversation.sound < ENOUGH then return false end
    conversation.claimed = true
  end
  if claims then info.conversation = protocol end
  protocol.dissector(bytes, info, root)
  return true
end

;(function() -- a scope of its own: Lua takes 200 names in one

local prefs = protocol.prefs
prefs.ports = Pref.range("TCP ports", PORTS, "Ports that are taken for " .. TITLE .. ".", 65535)
prefs.tls_ports = Pref.range("TLS ports", TLS_PORTS, "Ports on which decrypted TLS is taken for " .. TITLE .. ".", 65535)
if SHARED_PORTS ~= "" then
  prefs.shared_ports = Pref.range("Shared TCP ports", SHARED_PORTS, "Ports of other protocols on which connections are taken that begin as "
    .. TITLE .. " does.", 65535)
end
prefs.heuristics = Pref.bool("Recognise on any port", true, "Recognise connections by their first frames, on any port.")
prefs.largest = Pref.uint("Largest frame, in bytes", heads[""].most, "Bytes of the largest frame that is waited for.")
prefs.unpacked = Pref.uint("Largest unpacked body, in bytes", 64 * 1024 * 1024, "Bytes up to which compressed bodies are unpacked.")
if pieces.see then
  prefs.kept = Pref.uint("Reassembled bytes that are kept", 64 * 1024 * 1024, "Bytes of frames put together that are kept for later visits.")
end
if STREAM then
  prefs.formats = Pref.string("Body formats", "", "Dissectors of bodies by " .. label(STREAM):lower() .. ", separated by blanks: orders=json or "
    .. "sensor*=protobuf:factory.Reading. A * matches any characters; after protobuf: is the message type.")
end
prefs.text = Pref.uint("Largest body tried as text, in bytes", 65536, "Bytes of the largest body that is tried as text or JSON.")
if talks.follow then
  prefs.links = Pref.bool("Link requests and responses", true, "Show the other packet of a pair, and the time between the two.")
  prefs.findings = Pref.bool("Find mistakes of peers", true, "Follow connections and their objects, and tell what peers do wrong.")
end
prefs.checksums = Pref.bool("Verify checksums", true, "Compute checksums and compare them with those in the frames.")
prefs.secrets = Pref.bool("Show secrets", false, "Show passwords and tokens in the tree.")
if #DIALECTS > 1 then
  local choices = {}
  for index, name in ipairs(DIALECTS) do
    choices[index] = { index, name == "" and "default" or name, index }
  end
  prefs.dialect = Pref.enum("Dialect", 1, "Which layout of the protocol is read.", choices, false)
end

local tcp_ports, secure_ports, shared_ports = "", "", ""
local shared, owners = nil, {} -- what reads connections of shared ports; port to whose it is
local tcp, tls = DissectorTable.get("tcp.port"), DissectorTable.get("tls.port")

-- Ports that Wireshark gives to a dissector of its own: what does not begin as this protocol does is handed on to that.
if SHARED_PORTS ~= "" then
  shared = Proto(NAME .. "_shared", TITLE .. " (shared ports)")
  function shared.dissector(bytes, info, root)
    if recognise(bytes, info, root, true) then return bytes:len() end
    local owner = owners[info.match]
    info.can_desegment = 2 -- a dissector that is called has one less
    return owner and owner:call(bytes, info, root) or 0
  end
end

local function ports_of(ranges)
  local all = {}
  for low, high in ranges:gmatch("(%d+)%-?(%d*)") do
    for port = tonumber(low), tonumber(high) or tonumber(low) do all[#all + 1] = port end
  end
  return all
end

local function register_shared(ports)
  for _, port in ipairs(ports_of(shared_ports)) do
    tcp:remove(port, shared)
    if owners[port] then tcp:add(port, owners[port]) end
  end
  shared_ports, owners = ports, {}
  for _, port in ipairs(ports_of(ports)) do
    owners[port] = tcp:get_dissector(port)
    tcp:add(port, shared)
  end
end

local function register()
  if shared and shared_ports ~= prefs.shared_ports then register_shared(prefs.shared_ports) end
  if tcp_ports ~= prefs.ports then
    if tcp_ports ~= "" then tcp:remove(tcp_ports, protocol) end
    tcp_ports = prefs.ports
    if tcp_ports ~= "" then tcp:add(tcp_ports, protocol) end
  end
  if secure_ports ~= prefs.tls_ports then
    if secure_ports ~= "" then tls:remove(secure_ports, protocol) end
    secure_ports = prefs.tls_ports
    if secure_ports ~= "" then tls:add(secure_ports, protocol) end
  end
  preferences.servers = {}
  for _, port in ipairs(ports_of(tcp_ports .. "," .. secure_ports)) do preferences.servers[port] = true end
  if pieces.see then preferences.kept = prefs.kept end
  for _, name in ipairs({ "heuristics", "largest", "unpacked", "text", "checksums", "secrets" }) do
    preferences[name] = prefs[name]
  end
  if talks.follow then
    preferences.links, preferences.findings = prefs.links, prefs.findings
    talks.listen(IN_WINDOW and (prefs.links or prefs.findings))
  end
  if STREAM then bodies_of.set(prefs.formats) end
  if #DIALECTS > 1 then preferences.dialect = DIALECTS[prefs.dialect] end
end

protocol.prefs_changed = register
register()
if heads[""].measure then
  tcp:add_for_decode_as(protocol)
  tls:add_for_decode_as(protocol)
  protocol:register_heuristic("tcp", function(bytes, info, root) return recognise(bytes, info, root, true) end)
  protocol:register_heuristic("tls", function(bytes, info, root) return recognise(bytes, info, root, false) end)
end
-- NATS, where Wireshark reads it itself (since 5.0): it asks who reads a message, by `>` on every subject.
local is_table, subjects = false, nil
if CARRIED_IN["nats.message"] and OPENING then is_table, subjects = pcall(DissectorTable.get, "nats.subject") end
if is_table and subjects then
  local enclosed = Proto(NAME .. "_message", TITLE .. " message")
  local others = Dissector.get("data")
  function enclosed.dissector(bytes, info, root)
    local size = math.floor(#OPENING / 2)
    local ours = bytes:len() >= size and bare_hex(bytes:raw(0, size)) == OPENING
    return ours and dissect_bare(bytes, info, root) or others:call(bytes, info, root)
  end
  subjects:add(">", enclosed)
end
-- WebSocket: by the name of the protocol, on our ports, or recognised by its frames.
if CARRIED_IN["websocket.message"] then
  local bare = Proto(NAME .. "_message", TITLE .. " message")
  function bare.dissector(bytes, info, root) return dissect_bare(bytes, info, root) end
  DissectorTable.get("ws.protocol"):add(SHORT, bare)
  if PORTS ~= "" then DissectorTable.get("ws.port"):add(PORTS, bare) end
  bare:register_heuristic("ws", function(bytes, info, root)
    if not preferences.heuristics then return false end
    begin(bytes, info, root, true)
    if not conversation.is_ours then
      local head = heads[preferences.dialect]
      if bytes:len() + head.prefix < head.least then return false end
      local frame = frame_of(head.select(-head.prefix))
      local _, framed = frame_at(0, bytes:len())
      if not (frame and frame.opens or framed and framed.opens) then return false end
    end
    conversation.is_ours = dissect_bare(bytes, info, root) > 0
    return conversation.is_ours
  end)
end

end)()

-- The menu of a packet, from Wireshark 4.4 on: follow its conversation, explain it, go to the cause ------------------

local packet_menu = {} -- functions of what the fields of a packet say; see `packet_menu.read`

do

local MOST_FINDINGS = 20
local is_message = {} -- names of messages of calls, which have no command
for _, call in pairs(calls) do is_message[call.name] = true end

-- What the fields of a packet say of this protocol: conversations, findings with their sentences, links.
function packet_menu.read(...)
  local told, known = { conversations = {}, calls = {}, findings = {}, commands = {} }, {}
  for _, each in ipairs({ ... }) do
    local name = each.name
    if name == "frame.number" then told.packet = tonumber(tostring(each.value))
    elseif name == "tcp.stream" then told.flow = tonumber(tostring(each.value))
    elseif name == "http2.streamid" then
      local stream = tostring(each.value)
      if stream ~= "0" and not known["call " .. stream] then told.calls[#told.calls + 1], known["call " .. stream] = stream, true end
    elseif name == NAME .. ".command" then table.insert(told.commands, tostring(each.value))
    elseif name == NAME .. ".conversation" then
      local id = tostring(each.value)
      if not known[id] then told.conversations[#told.conversations + 1], known[id] = id, true end
    elseif name == NAME .. ".request_frame" then told.request = tostring(each.value)
    elseif name == NAME .. ".response_frame" then told.response = tostring(each.value)
    elseif name == NAME .. ".response_time" then told.time = tostring(each.value)
    elseif name == NAME .. ".finding.message" then table.insert(told.findings, tostring(each.value))
    elseif name:sub(1, #NAME + 1) == NAME .. "." then
      local kind = name:match("^[^.]*", #NAME + 2)
      if is_message[kind] and not known[kind] then told.commands[#told.commands + 1], known[kind] = kind, true end
    end
  end
  return told
end

-- The display filter of the conversations of a packet, and of its calls of gRPC, whose messages have no conversation.
function packet_menu.follow(told)
  local texts = {}
  if told.calls[1] then
    texts[1] = ("tcp.stream == %d && http2.streamid in {%s}"):format(told.flow, table.concat(told.calls, ", "))
  end
  for _, id in ipairs(told.conversations) do texts[#texts + 1] = NAME .. '.conversation == "' .. id .. '"' end
  return table.concat(texts, " || ")
end

-- All findings of some connections, the earliest first: packet, conversation, rule, sentence.
local function all_findings(flow)
  local found = {}
  for id, own in pairs(notes) do
    local begun_as = own.findings and links.conversation[id]
    if begun_as and (not flow or begun_as[1] and (begun_as[1].stream or begun_as[1].flow) == flow) then
      for _, each in ipairs(own.findings) do
        found[#found + 1] = { id = id, packet = math.floor(id), conversation = talks.id_at(id), rule = each.rule, severity = each.severity, text = each.text, cause = each.cause }
      end
    end
  end
  table.sort(found, function(one, other) return one.id < other.id or one.id == other.id and one.rule.id < other.rule.id end)
  return found
end

-- The finding that most likely explains a packet: the earliest of the worst in its conversation, else in its connection.
function packet_menu.cause(told)
  local is_own, best, best_rank = {}, nil, 0
  for _, id in ipairs(told.conversations) do is_own[id] = true end
  for _, each in ipairs(all_findings(told.flow)) do
    local rank = talks.ranks[each.severity] + (is_own[each.conversation] and 10 or 0)
    if rank > best_rank then best, best_rank = each, rank end
  end
  return best
end

-- Sentences about a packet: what it is, what it answers, what is wrong with it and with its connection.
function packet_menu.explain(told)
  local commands = #told.commands > 0 and ": " .. table.concat(told.commands, ", ") or ""
  local lines = { ("Packet %d%s"):format(told.packet, commands), "" }
  if told.request then lines[#lines + 1] = ("It answers packet %s%s."):format(told.request, told.time and " after " .. told.time .. " s" or "") end
  if told.response then lines[#lines + 1] = ("Packet %s answers it."):format(told.response) end
  if not told.request and not told.response then lines[#lines + 1] = "No packet answers it, and it answers none." end
  for _, id in ipairs(told.conversations) do lines[#lines + 1] = "It belongs to the conversation " .. id .. "." end
  for _, text in ipairs(told.findings) do lines[#lines + 1] = "Here: " .. text end
  local found, known = all_findings(told.flow), {}
  lines[#lines + 1] = ""
  lines[#lines + 1] = #found == 0 and "Its connection has no findings." or "Findings of its connection:"
  for index, each in ipairs(found) do
    if index > MOST_FINDINGS then
      lines[#lines + 1] = ("... and %d more"):format(#found - MOST_FINDINGS)
      break
    end
    lines[#lines + 1] = ("  packet %d, %s: %s"):format(each.packet, each.rule.id, as_utf8(each.text))
    if each.cause and each.cause ~= "" and not known[each.cause] then
      lines[#lines + 1], known[each.cause] = "    Usual cause: " .. each.cause, true
    end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "With the capture saved as a file, this prints the whole story of the connection:"
  lines[#lines + 1] = ("  streamshark explain --flow %d FILE"):format(told.flow or 0)
  return table.concat(lines, "\n") .. "\n"
end

local function filter_by(text)
  set_filter(text)
  apply_filter()
end

-- Registers the entries; releases before 4.4 have no such menu.
if gui_enabled() and type(register_packet_menu) == "function" and talks.follow then
  local title = TITLE:gsub("/", " ")
  register_packet_menu(title .. "/Follow this conversation", function(...)
    local text = packet_menu.follow(packet_menu.read(...))
    if text ~= "" then filter_by(text) else TextWindow.new(TITLE .. ": conversation"):set("No conversation of this packet is known.\n") end
  end, NAME)
  register_packet_menu(title .. "/Explain", function(...)
    TextWindow.new(TITLE .. ": explanation"):set(packet_menu.explain(packet_menu.read(...)))
  end, NAME)
  register_packet_menu(title .. "/Go to the cause", function(...)
    local told = packet_menu.read(...)
    local cause = packet_menu.cause(told)
    if cause and cause.packet == told.packet then filter_by(("frame.number == %d"):format(told.packet))
    elseif cause then filter_by(("frame.number in {%d, %d}"):format(cause.packet, told.packet))
    else TextWindow.new(TITLE .. ": cause"):set("No finding of this connection explains packet " .. (told.packet or "") .. ".\n") end
  end, NAME)
end

end

-- WebSocket whose messages are a stream: what one leaves over is read with those behind it ----------------------

;(function() -- a scope of its own: Lua takes 200 names in one

local carried = Proto(NAME .. "_message", TITLE .. " message")
local LONGEST_LINE = 65536 -- bytes up to which the end of a line is waited for
local LATER = " bytes: a later message ends what they are of]"
local MOST_AROUND = 14 -- bytes of a message's head
local tcp_seq, tcp_next, tcp_ack = Field.new("tcp.seq"), Field.new("tcp.nxtseq"), Field.new("tcp.ack")

local many, numbered, nth = {}, 0, 0 -- packet to the number of its messages; the packet whose messages are counted
local before = {} -- message to what it is read behind: bytes, or what is open while it is not enough to end that
local begun = {} -- message to what is open behind its frames

function carried.init() many, numbered, nth, before, begun = {}, 0, 0, {}, {} end

-- Tells messages apart, the same on each visit.
local function next_message()
  if here.number ~= numbered then numbered, nth = here.number, 0 end
  if not here.visited then
    nth = nth + 1
    if nth > 1 then many[numbered] = nth end
  else nth = nth % (many[numbered] or 1) + 1 end
  return numbered + nth / FINE
end

-- On the first visit: whether bytes of this side are missing before this message, and whether some of the other side's
-- are, or have brought no message so far. A message ends in the packet that brings it, and what all have brought does
-- not reach so far then. Nothing is known while Wireshark makes no tree.
local function see_bytes()
  local seq, next_seq, ack = tcp_seq(), tcp_next(), tcp_ack()
  if not (view.tree and seq and next_seq and ack) then return false, false end
  seq, next_seq, ack = seq(), next_seq(), ack()
  local side = side_of()
  local reach = conversation.reach or { [side] = next_seq, [3 - side] = ack } -- at most, of each side's messages
  local high = reach[side] + #data + MOST_AROUND
  local is_lost = high <= seq
  conversation.reach, reach[side] = reach, is_lost and next_seq or math.min(high, next_seq)
  return is_lost, ack > reach[3 - side]
end

-- Where the frame begins that pieces are of: behind lost bytes of which TCP does not tell, not with the first of them.
local function first_sound(held, bytes)
  local from = 0
  if view.tree then return from end
  for index = 1, #held + 1 do
    local total, frame = frame_at(from, #data - from)
    local is_whole = total and frame and total <= #data - from
    if index == 1 and not is_whole or is_whole and is_sound(bytes, from, total, frame) then return from end
    from = from + #(held[index] or "")
  end
  return 0
end

-- On the first visit: what earlier messages of this side have left over, when this one ends it or may do so; what is
-- open while it does not.
local function take_over(id)
  local all, side = conversation.open, side_of()
  local open = all and all[side]
  if not open then return nil end
  open.missing = open.missing - #data
  if open.missing > 0 or open.line and open.size < LONGEST_LINE and not data:find("\n", 1, true) then
    open.pieces[#open.pieces + 1], open.size = data, open.size + #data
    before[id] = open
    return open
  end
  all[side] = nil
  before[id] = table.concat(open.pieces)
  return before[id], open
end

-- On the first visit: keeps what no frame was read of. What was `open` before stays so when not one frame has ended.
local function leave(id, rest, missing, open)
  if not open or #rest < #data then open = {} end
  local more = missing == DESEGMENT_ONE_MORE_SEGMENT
  open.pieces, open.size, open.missing = { rest }, #rest, more and 1 or missing
  open.line = more and heads[preferences.dialect].lines
  conversation.open = conversation.open or {}
  conversation.open[side_of()], begun[id] = open, open
end

-- Fragments of a compressed message are handed over by Wireshark 4.0 as they came.
local function inflated(bytes)
  local _, frame = frame_at(0, #data)
  local range = not frame and #data > 0 and unpacked(bytes(), "zlib")
  if not range then return bytes end
  local packed = data
  data = range:raw()
  _, frame = frame_at(0, #data)
  if frame then return range:tvb() end
  data = packed
  return bytes
end

local function show_end(root, open)
  if open and open.ended then root:add(header.ended, open.ended):set_generated() end
end

-- Bytes of this side are missing before this message.
local function lose()
  if conversation.open then conversation.open[side_of()] = nil end
  if conversation.talk then talks.lose() end
end

-- Reads frames; those after lost bytes are not judged as a whole connection.
local function read_stream(bytes, root, is_behind)
  local conn = is_behind and conversation.talk and conversation.talk.conn
  local epoch, was_whole = conn and conn.epoch, conn and conn.whole
  if conn then conn.whole, conn.doubted = false, was_whole end
  local text = dissect_stream(bytes, root)
  if conn then conn.doubted = false end
  if conn and conn.epoch == epoch then conn.whole = was_whole end
  return text
end

-- Whether the connection is known to be ours, or these bytes prove it.
local function is_ours(bytes)
  if not conversation.is_ours then
    local count, opening = sound_frames(bytes)
    conversation.sound = count > 0 and conversation.sound + count or 0
    conversation.is_ours = opening or conversation.sound >= ENOUGH
  end
  return conversation.is_ours
end

-- Reads a message of a connection that is ours, or may be; says whether it does.
local function dissect(bytes, root)
  local id = next_message()
  local rest, open, is_behind
  if here.visited then rest = before[id]
  else
    local is_lost
    is_lost, is_behind = see_bytes()
    if is_lost then lose() end
    rest, open = take_over(id)
  end
  if type(rest) == "table" then
    if not conversation.is_ours then return false end
    show_end(root, rest)
    finish("[" .. #data .. LATER)
    return true
  end
  if rest then
    data = rest .. data
    bytes = ByteArray.new(data, true):tvb(TITLE .. " of several messages")
    local from = open and first_sound(open.pieces, bytes) or 0
    if from > 0 then
      before[id] = from < #rest and rest:sub(from + 1) or nil
      data, bytes = data:sub(from + 1), bytes(from):tvb()
    end
  else bytes = inflated(bytes) end
  if not is_ours(bytes) then
    local total, frame = frame_at(0, #data)
    local missing = not total and DESEGMENT_ONE_MORE_SEGMENT or frame and total - #data or 0
    if missing > 0 and not here.visited then leave(id, data, missing, open) end
    return false
  end
  local can, offset, length = pinfo.can_desegment, pinfo.desegment_offset, pinfo.desegment_len
  pinfo.can_desegment, pinfo.desegment_len = 2, 0
  local text = read_stream(bytes, root, is_behind)
  local from, missing = pinfo.desegment_offset, pinfo.desegment_len
  pinfo.can_desegment, pinfo.desegment_offset, pinfo.desegment_len = can, offset, length
  if not here.visited then
    if open and (missing == 0 or from > 0) then open.ended = here.number end
    if missing > 0 then leave(id, data:sub(from + 1), missing, open) end
  end
  show_end(root, begun[id])
  if missing > 0 and from == 0 then text = "[" .. #data .. LATER end
  finish(text or "")
  return true
end

function carried.dissector(bytes, info, root)
  begin(bytes, info, root, true)
  conversation.is_ours = true
  dissect(bytes, root)
  return bytes:len()
end

DissectorTable.get("ws.protocol"):add(SHORT, carried)
carried:register_heuristic("ws", function(bytes, info, root)
  if not preferences.heuristics then return false end
  begin(bytes, info, root, true)
  return dissect(bytes, root)
end)

end)()

end)()
