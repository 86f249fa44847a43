-- RSocket: Reactive Streams over one connection, with requests from both sides.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest baa568ca33fb6047) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate rsocket`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local ARGUMENTS = { ... } -- those of `-X lua_script1:`
local SHORT = "rsocket"
local TITLE = "RSocket"
local PORTS = "7000,7878,6565,9898"
local SHARED_PORTS = ""
local TLS_PORTS = "6565,7000,7878,9898"
local DIALECTS = { "", "0.1" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "uint32"
local AGREES_VERSION = true
local CARRIED_IN = { ["websocket.message"] = true } -- slots in which its frames are
local BINARY = true -- whether WebSocket may not bring text
local OPENING = nil -- bytes that they begin with there
local ENOUGH = 3 -- frames in a row that prove the protocol on any port
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
  stream_id = { doc = "Stream of the frame; 0 is the connection." },
  route = {
    doc = "Route of the request: the tags of its routing metadata, of which the first is usually the route.",
  },
  flags = { doc = "Flags of the frame; what a bit means depends on the frame type.", by_flag = true },
  failed = { doc = "The frame is an ERROR.", is_fact = true },
} -- fields that span commands
local HAS_TYPES = true -- whether bodies have a type
local STREAM = "route" -- field that names a stream
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
local undecoded -- bytes that no field could read
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
local MINUS_ONE = 18446744073709551616.0 -- what the largest number of 64 bits is held as

do

local SMALL = {} -- digits of small numbers, which come again and again
for number = 0, 1023 do SMALL[number] = string.format("%.0f", number) end

function digits(value)
  if type(value) ~= "number" then return tostring(value) end
  if SMALL[value] then return SMALL[value] end
  return value == MINUS_ONE and "18446744073709551615" or string.format("%.0f", value)
end

end

local function hex(value, width)
  if type(value) ~= "number" then return "0x" .. (value:tohex():gsub("^0+(.)", "%1")) end
  return string.format("0x%0" .. (width or 1) .. "x", math.floor(value))
end

local is_utf8, as_utf8
local REPLACEMENT = "\239\191\189" -- U+FFFD

do

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

-- Adds bytes that may be a secret: without a value, since Wireshark fails if fields of one name have different types.
local function add_masked(parent, shown, name, place)
  return add(parent, shown, range_of(tvb, place, 0), ""):set_text(label(name) .. ": ***")
end

-- Adds what may be shown of a secret. No byte is of the item, for Wireshark writes these to PDML and JSON.
local function add_hidden(parent, made, place, text)
  if chosen and not chosen[made.field] then return nil end
  if made.encoding then return add(parent, made.field, range_of(tvb, place, 0), text or "***") end
  return add_masked(parent, made.field, made.name, place)
end

local veiling = false -- whether a secret may stand in what no field can read

-- Adds bytes that no field could read.
local function add_undecoded(parent, from, count, unknown)
  local raw = not preferences.secrets and data:sub(from + 1, from + count)
  if raw and (veiling or from + count > hidden_from or secrets.may_hold(raw) or secrets.is_likely(data)) then
    add_masked(parent, unknown or undecoded, unknown and "unknown_fields" or "undecoded", from)
  else add(parent, unknown or undecoded, range_of(tvb, from, count)) end
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
    local plain = made.encoding == "ascii" and raw:gsub("[\128-\255]", REPLACEMENT) or as_utf8(raw, made.encoding == "mutf-8")
    add_info(made, (made.secret or hidden == "***") and "***" or quoted(plain))
  end
  if not item then return end
  if summary then sum_up(made, hidden == "***" and hidden or quoted(as_utf8(hidden or raw, made.encoding == "mutf-8"), true)) end
  if made.also then add_also(made, place, hidden and 0 or count, as_utf8(hidden or raw, made.encoding == "mutf-8")) end
  if made.holds then add_held(made, raw) end
  if chosen and not chosen[made.field] then return end
  local range = range_of(tvb, place, count)
  if hidden then add_hidden(item, made, place, as_utf8(hidden, made.encoding == "mutf-8"))
  elseif count == 0 then add(item, made.field, range, "")
  elseif made.encoding == "mutf-8" then add(item, made.field, range, as_utf8(raw, true))
  elseif made.encoding == "ascii" and raw:find("[\128-\255]") then add(item, made.field, range, (raw:gsub("[\128-\255]", REPLACEMENT)))
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
    add_hidden(item, made, place)
    return
  end
  local own = item
  if made.slot and count > 0 and is_hidden(made.slot, place, count) then own = add_hidden(item, made, place) or item
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

local gather, gather_value, gather_repeated, held_of

do

-- What Lua holds of numbers of 64 bits with more than 53: those that stand for "none". The least one is exact. -1, without its
-- sign the largest one, is held as 2^64, which no other number is.
local HELD = { ["-9223372036854775808"] = -9223372036854775808, ["18446744073709551615"] = MINUS_ONE }

function held_of(value) return HELD[tostring(value)] end

-- Keeps a value that conversations want of an item among those of the items before it. Of a number that Lua cannot hold they
-- want nothing, nor of the others then.
function gather_value(path, all, value)
  if type(value) == "userdata" then value = held_of(value) or value end
  all[#all + 1] = value
  if type(value) == "userdata" then v[path] = nil end
end

-- Keeps what conversations want of an item that has been read.
function gather(made, is_wanted)
  local paths = (following or is_wanted) and made.gathers
  for index = 1, paths and #paths or 0 do
    local path = paths[index]
    local all, value = v[made.gathered[index]], rawget(v, path)
    if type(all) == "table" and value ~= nil then gather_value(made.gathered[index], all, value) end
  end
  if made.records then
    local own = {}
    for _, each in ipairs(made.recorded) do own[each.name] = rawget(v, each.path) end
    table.insert(v[made.path .. "[]"], own)
  end
end

-- Keeps what conversations want of an item of which nothing says that it is the first.
function gather_repeated(made)
  for _, path in ipairs(made.gathered or {}) do v[path] = rawget(v, path) or {} end
  if made.records then v[made.path .. "[]"] = rawget(v, made.path .. "[]") or {} end
  if made.keep then v[made.count_path] = (rawget(v, made.count_path) or 0) + 1 end
  gather(made, true)
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

local SET = {} -- the metatable of sets: `nth`, value to the running number of when it was put in, their `count`, and what is kept of
-- them: their `values` in that order, and what is `made` of these
local puts = 0

-- The values of a set in the order in which they were put in, as a list that stays as it is.
function f.values(set)
  local all = set.values
  if not all then
    local nth = set.nth
    all = {}
    for value in pairs(nth) do all[#all + 1] = value end
    table.sort(all, function(one, other) return nth[one] < nth[other] end)
    set.values = all
  end
  return all
end

-- Of bytes, which Lua does not tell from text.
function f.size_of(bytes) return type(bytes) == "string" and #bytes or nil end

-- Of a list, a set or text.
function f.first(of)
  if type(of) == "string" then return of ~= "" and of:sub(1, 1) or nil end
  if getmetatable(of) == SET then return f.values(of)[1] end
  return of and of[1]
end

function f.last(of)
  if type(of) == "string" then return of ~= "" and of:sub(-1) or nil end
  return of and of[#of]
end

local function extreme(of, list)
  local found
  for _, each in ipairs(list or {}) do
    if type(each) ~= "number" then return nil end
    found = found and of(found, each) or each
  end
  return found
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
  local parts = { ... }
  for nth = 1, select("#", ...) do
    local each = parts[nth]
    if type(each) == "string" then parts[nth] = #each .. ":" .. each
    elseif each == nil then parts[nth] = "-"
    else
      local is_whole = type(each) ~= "number" or each == math.floor(each)
      local text = is_whole and digits(each) or ("%.17g"):format(each)
      parts[nth] = "#" .. #text .. ":" .. text
    end
  end
  return table.concat(parts)
end

-- Sets of an object.
function f.has(set, value) return set ~= nil and value ~= nil and set.nth ~= nil and set.nth[value] ~= nil end

function f.put(set, value)
  set = set or setmetatable({ nth = {}, count = 0, values = {} }, SET)
  if value ~= nil and not set.nth[value] then
    puts = puts + 1
    set.nth[value], set.count, set.made = puts, set.count + 1, nil
    local all = set.values
    if all then all[#all + 1] = value end
  end
  return set
end

function f.drop(set, value)
  if set and value ~= nil and set.nth[value] then set.nth[value], set.count, set.values, set.made = nil, set.count - 1, nil, nil end
  return set
end

-- Of outstanding ids their number, unknown where ids were missed; of a set its values.
function f.count(of)
  if of and of.runs then return of.whole and of.count or nil end
  return of and of.count
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

-- The tables of RSocket --------------------------------------------------------------------------------------

local names = {
  mime_id = {
    [0] = "application/avro",
    [1] = "application/cbor",
    [2] = "application/graphql",
    [3] = "application/gzip",
    [4] = "application/javascript",
    [5] = "application/json",
    [6] = "application/octet-stream",
    [7] = "application/pdf",
    [8] = "application/vnd.apache.thrift.binary",
    [9] = "application/vnd.google.protobuf",
    [10] = "application/xml",
    [11] = "application/zip",
    [12] = "audio/aac",
    [13] = "audio/mp3",
    [14] = "audio/mp4",
    [15] = "audio/mpeg3",
    [16] = "audio/mpeg",
    [17] = "audio/ogg",
    [18] = "audio/opus",
    [19] = "audio/vorbis",
    [20] = "image/bmp",
    [21] = "image/gif",
    [22] = "image/heic-sequence",
    [23] = "image/heic",
    [24] = "image/heif-sequence",
    [25] = "image/heif",
    [26] = "image/jpeg",
    [27] = "image/png",
    [28] = "image/tiff",
    [29] = "multipart/mixed",
    [30] = "text/css",
    [31] = "text/csv",
    [32] = "text/html",
    [33] = "text/plain",
    [34] = "text/xml",
    [35] = "video/H264",
    [36] = "video/H265",
    [37] = "video/VP8",
    [38] = "application/x-hessian",
    [39] = "application/x-java-object",
    [40] = "application/cloudevents+json",
    [41] = "application/x-capnp",
    [42] = "application/x-flatbuffers",
    [122] = "message/x.rsocket.mime-type.v0",
    [123] = "message/x.rsocket.accept-mime-types.v0",
    [124] = "message/x.rsocket.authentication.v0",
    [125] = "message/x.rsocket.tracing-zipkin.v0",
    [126] = "message/x.rsocket.routing.v0",
    [127] = "message/x.rsocket.composite-metadata.v0",
  },
  auth_id = { [0] = "simple", [1] = "bearer" },
  error_code = {
    [1] = "invalid_setup",
    [2] = "unsupported_setup",
    [3] = "rejected_setup",
    [4] = "rejected_resume",
    [257] = "connection_error",
    [258] = "connection_close",
    [513] = "application_error",
    [514] = "rejected",
    [515] = "canceled",
    [516] = "invalid",
    [4294967295] = "reserved_for_extension",
  },
  error_code_2 = {
    [1] = "invalid_setup",
    [2] = "unsupported_setup",
    [3] = "rejected_setup",
    [257] = "connection_error",
    [513] = "application_error",
    [514] = "rejected",
    [515] = "canceled",
    [516] = "invalid",
    [4294967295] = "reserved_for_extension",
  },
  frame_type = {
    [1] = "setup",
    [2] = "lease",
    [3] = "keepalive",
    [4] = "request_response",
    [5] = "request_fnf",
    [6] = "request_stream",
    [7] = "request_channel",
    [8] = "request_n",
    [9] = "cancel",
    [10] = "payload",
    [11] = "error",
    [12] = "metadata_push",
    [13] = "resume",
    [14] = "resume_ok",
    [63] = "ext",
  },
  frame_type_2 = {
    [1] = "setup",
    [2] = "lease",
    [3] = "keepalive",
    [4] = "request_response",
    [5] = "request_fnf",
    [6] = "request_stream",
    [7] = "request_sub",
    [8] = "request_channel",
    [9] = "request_n",
    [10] = "cancel",
    [11] = "response",
    [12] = "error",
    [13] = "metadata_push",
    [14] = "resume",
    [15] = "resume_ok",
    [65535] = "ext",
  },
}

local FOREIGN = {
  ["\022\003"] = "TLS",
  ["GET "] = "HTTP",
  ["POST "] = "HTTP",
  ["PUT "] = "HTTP",
  ["HEAD "] = "HTTP",
  ["OPTIONS "] = "HTTP",
  ["DELETE "] = "HTTP",
  ["CONNECT "] = "HTTP",
  ["HTTP/"] = "HTTP",
  ["PRI * HTTP/2"] = "HTTP/2",
}

local FRAGMENTS = {
  by = "stream_id",
  flags = "flags",
  begun = {},
  continued = { payload = true, response = true },
  ended = { cancel = true, error = true },
  parts = { "metadata", "data" },
}

local RESUMPTION = {
  name = "resume_identification_token",
  begins = "setup",
  resumes = "resume",
  keeps = {
    data_mime_type = true,
    keepalive = true,
    lease = true,
    max_lifetime = true,
    metadata_mime_type = true,
    resume = true,
  },
}

local STREAM_TYPES = {
  by = "stream_id",
  metadata = "metadata",
  agreement = "data_mime_type",
  opens = {
    request_channel = true,
    request_fnf = true,
    request_response = true,
    request_stream = true,
    request_sub = true,
  },
}

local PARITY = {
  opens = {
    request_channel = true,
    request_fnf = true,
    request_response = true,
    request_stream = true,
    request_sub = true,
  },
  odd = { [""] = "client", ["0.1"] = "server" },
}

local UPGRADES = {}
local switch_dialect, SWITCHING, BETWEEN_SERVERS = false, {}, {}

local RUN = nil

local joins = false

local function head_1(flags)
  return {
    word.u24(
      "length",
      "Bytes of the frame after this number.",
      { abbreviation = NAME .. ".head.length", unit = "bytes" }
    ),
    word.bits(4, {
      word.reserved(1),
      word.part(
        "stream_id",
        31,
        "Stream that the frame belongs to; 0 is the connection.",
        { spans = { "stream_id" }, keep = true, awaited = true, in_info = true }
      ),
    }),
    word.bits(2, {
      word.part(
        "frame_type",
        6,
        "Which frame this is.",
        { abbreviation = NAME .. ".key", names = names.frame_type, base = "hex" }
      ),
      word.part(
        "flags",
        10,
        "What the frame holds and means; each type names its own.",
        { flags = flags, spans = { "flags" }, keep = true, awaited = true, in_info = true }
      ),
    }),
  }
end

local function head_2(flags)
  return {
    word.bits(4, {
      word.reserved(1),
      word.part(
        "length",
        31,
        "Bytes of the frame, all of it.",
        { abbreviation = NAME .. ".head.length", unit = "bytes" }
      ),
    }),
    word.u16(
      "frame_type",
      "Which frame this is.",
      { abbreviation = NAME .. ".key", names = names.frame_type_2, base = "hex" }
    ),
    word.u16(
      "flags",
      "What the frame holds and means; each type names its own.",
      { flags = flags, spans = { "flags" }, keep = true, awaited = true, in_info = true }
    ),
    word.u32(
      "stream_id",
      "Stream that the frame belongs to; 0 is the connection.",
      { spans = { "stream_id" }, keep = true, awaited = true, in_info = true }
    ),
  }
end

local heads = {
  [""] = {
    least = 9,
    most = 16777218,
    size = 9,
    prefix = 3,
    select = function(from)
      return math.floor(u16(from + 7) / 1024), nil, false
    end,
    measure = function(from)
      return u24(from) + 3
    end,
  },
  ["0.1"] = {
    least = 12,
    most = 67108864,
    size = 6,
    prefix = 4,
    select = function(from)
      return u16(from + 4), nil, false
    end,
    measure = function(from)
      return u32(from) % 2147483648
    end,
  },
}

local embedded_records = {
  ["rsocket.composite_metadata"] = {
    whole = "entries",
    types = { ["message/x.rsocket.composite-metadata.v0"] = true },
    body = {
      word.list(
        word.each({
          word.either({
            word.bits(1, {
              word.reserved(1),
              word.part("type_length", 7, "One less than the bytes of the type.", { keep = true }),
            }),
            word.text(
              function(v) return v["entries.type_length"] + 1 end,
              "mime_type",
              "MIME type.",
              { keep = true, encoding = "ascii" }
            ),
          }, {
            word.bits(1, {
              word.reserved(1),
              word.part(
                "mime_id",
                7,
                "MIME type, as a well-known number.",
                { names = names.mime_id, keep = true }
              ),
            }),
          }),
          word.bytes(U24, "content", "The metadata itself.", {
            slot = {
              name = "rsocket.metadata",
              types = { { path = "entries.mime_id", names = names.mime_id }, { path = "entries.mime_type" } },
              veiled = {
                ["message/x.rsocket.authentication.basic.v0"] = true,
                ["message/x.rsocket.authentication.bearer.v0"] = true,
                ["message/x.rsocket.authentication.v0"] = true,
                ["message/x.rsocket.composite-metadata.v0"] = true,
              },
              readers = {
                { embedded_record = "rsocket.composite_metadata", never = true },
                { embedded_record = "rsocket.routing", never = true },
                { embedded_record = "rsocket.authentication", never = true },
                { embedded_record = "rsocket.mime_type", never = true },
                { embedded_record = "rsocket.accept_mime_types", never = true },
                { embedded_record = "rsocket.tracing", never = true },
              },
            },
          }),
        }),
        "entries",
        "Metadata in their order; a type may come more than once.",
        { keep = true, forget = { "entries.type_length", "entries.mime_type", "entries.mime_id" } }
      ),
    },
  },
  ["rsocket.routing"] = {
    shows = { { texts = { "", "" }, holes = { { path = "tags" } } } },
    whole = "tags",
    types = { ["message/x.rsocket.routing.v0"] = true },
    body = {
      word.list(
        word.text(
          U8,
          nil,
          "One item.",
          { spans = { "route" }, keep = true, in_info = "many", names_stream = true }
        ),
        "tags",
        "Tags of up to 255 bytes; the first is usually the route.",
        { keep = true }
      ),
    },
  },
  ["rsocket.authentication"] = {
    shows = { { texts = { "user=", "" }, holes = { { path = "username" } } } },
    types = { ["message/x.rsocket.authentication.v0"] = true },
    body = {
      word.either({
        word.bits(1, {
          word.reserved(1),
          word.part("type_length", 7, "One less than the bytes of the type.", { keep = true }),
        }),
        word.text(
          function(v) return v.type_length + 1 end,
          "auth_type",
          "Kind of authentication.",
          { encoding = "ascii" }
        ),
        word.bytes(REST, "payload", "What this kind asks for.", { secret = true }),
      }, {
        word.bits(1, {
          word.reserved(1),
          word.part(
            "auth_id",
            7,
            "Kind of authentication, as a well-known number.",
            { names = names.auth_id, keep = true }
          ),
        }),
        word.switch(function(v) return v.auth_id end, {
          [0] = {
            word.fits({
              { "u16", {
                word.text(U16, "username", "Name of the user.", { in_info = "many" }),
                word.text(REST, "password", "Password of the user.", { secret = true }),
              } },
              { "u8", {
                word.text(U8, "username", "Name of the user.", { in_info = "many" }),
                word.text(REST, "password", "Password of the user.", { secret = true }),
              } },
            }),
          },
          [1] = { word.text(REST, "token", "Token of the bearer.", { secret = true }) },
        }, { word.bytes(REST, "payload", "What this kind asks for.", { secret = true }) }),
      }),
    },
  },
  ["rsocket.mime_type"] = {
    types = { ["message/x.rsocket.mime-type.v0"] = true },
    body = {
      word.either({
        word.bits(1, {
          word.reserved(1),
          word.part("type_length", 7, "One less than the bytes of the type.", { keep = true }),
        }),
        word.text(
          function(v) return v.type_length + 1 end,
          "mime_type",
          "MIME type.",
          { encoding = "ascii" }
        ),
      }, {
        word.bits(1, {
          word.reserved(1),
          word.part("mime_id", 7, "MIME type, as a well-known number.", { names = names.mime_id }),
        }),
      }),
    },
  },
  ["rsocket.accept_mime_types"] = {
    whole = "mime_types",
    types = { ["message/x.rsocket.accept-mime-types.v0"] = true },
    body = {
      word.list(
        word.each({
          word.either({
            word.bits(1, {
              word.reserved(1),
              word.part("type_length", 7, "One less than the bytes of the type.", { keep = true }),
            }),
            word.text(
              function(v) return v["mime_types.type_length"] + 1 end,
              "mime_type",
              "MIME type.",
              { encoding = "ascii" }
            ),
          }, {
            word.bits(1, {
              word.reserved(1),
              word.part("mime_id", 7, "MIME type, as a well-known number.", { names = names.mime_id }),
            }),
          }),
        }),
        "mime_types",
        "MIME types, in order of preference.",
        { keep = true, forget = { "mime_types.type_length" } }
      ),
    },
  },
  ["rsocket.tracing"] = {
    types = { ["message/x.rsocket.tracing-zipkin.v0"] = true },
    body = {
      word.u8("flags", "What follows, and whether the trace is sampled.", {
        flags = {
          [128] = "ids",
          [64] = "debug",
          [32] = "sample",
          [16] = "not_sampled",
          [8] = "trace_id_128",
          [4] = "parent",
        },
        keep = true,
      }),
      word.when(function(v) return band(v.flags, 128) ~= 0 end, {
        word.when(function(v) return band(v.flags, 8) ~= 0 end, { word.bytes(8, "trace_id_high", "Upper half of the id.") }),
        word.bytes(8, "trace_id_low", "Lower half of the id of the trace, or all of it."),
        word.bytes(8, "span_id", "Id of the span."),
        word.when(function(v) return band(v.flags, 4) ~= 0 end, { word.bytes(8, "parent_id", "Id of the span around it.") }),
      }),
    },
  },
}

local calls = {} -- messages inside calls

local frames = {}

-- Opens a connection and says what holds for it. Protocol.md, SETUP Frame (0x01).
frames[#frames + 1] = {
  name = "setup",
  command = "setup",
  kind = "command",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "metadata=", "" }, holes = { { path = "metadata_mime_type" } } },
    { texts = { "data=", "" }, holes = { { path = "data_mime_type" } } },
    { texts = { "keepalive=", " ms" }, holes = { { path = "time_between_keepalive_frames" } } },
    { texts = { "lifetime=", " ms" }, holes = { { path = "max_lifetime" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
  },
  brief = 6,
  correlates = "stream_id",
  proves = "client",
  agrees = {
    { name = "version", path = "major_version" },
    { name = "metadata_mime_type", path = "metadata_mime_type" },
    { name = "data_mime_type", path = "data_mime_type" },
    { name = "keepalive", path = "time_between_keepalive_frames" },
    { name = "max_lifetime", path = "max_lifetime" },
    { name = "lease", path = "flags", mask = 64 },
    { name = "resume", path = "flags", mask = 128 },
    { name = "resume_identification_token", path = "resume_identification_token" },
  },
  opens = true,
  bodies = true,
  awaited = 11,
  flags_of = "flags",
  flags = { [512] = "ignore", [256] = "metadata", [128] = "resume_enable", [64] = "lease" },
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "resume_enable", [64] = "lease" }) end,
  steps = function()
    return {
      word.u16(
        "major_version",
        "Major version of the protocol; 1 for 1.0.",
        { keep = true, awaited = true }
      ),
      word.u16("minor_version", "Minor version of the protocol.", { keep = "followed", awaited = true }),
      word.bits(4, {
        word.reserved(1),
        word.part(
          "time_between_keepalive_frames",
          31,
          "Time between the client's KEEPALIVE frames; 0 is not allowed.",
          { unit = "ms", keep = true, awaited = true, in_info = true }
        ),
      }),
      word.bits(4, {
        word.reserved(1),
        word.part(
          "max_lifetime",
          31,
          "Time without an answer to KEEPALIVE after which the peer is considered dead.",
          { unit = "ms", keep = true, awaited = true, in_info = true }
        ),
      }),
      word.when(function(v) return band(v.flags, 128) ~= 0 end, {
        word.bytes(
          U16,
          "resume_identification_token",
          "Names the session that a later connection may resume; chosen by the client.",
          { secret = true, keep = true, awaited = true, raw = true }
        ),
      }),
      word.text(
        U8,
        "metadata_mime_type",
        "MIME type of all metadata of this connection.",
        { keep = true, awaited = true, in_info = true, encoding = "ascii" }
      ),
      word.text(
        U8,
        "data_mime_type",
        "MIME type of all data of this connection.",
        { keep = true, awaited = true, in_info = true, encoding = "ascii" }
      ),
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata of the setup.", {
          keep = "followed",
          awaited = true,
          raw = true,
          slot = {
            name = "rsocket.metadata",
            types = { { path = "metadata_mime_type" } },
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data of the setup.", {
        keep = "followed",
        awaited = true,
        raw = true,
        body = true,
        slot = { name = "rsocket.data", types = { { path = "data_mime_type" } }, readers = {} },
      }),
    }
  end,
}

-- Allows the peer some requests for some time. Protocol.md, LEASE Frame (0x02).
frames[#frames + 1] = {
  name = "lease",
  command = "lease",
  kind = "command",
  sender = "both",
  key = 2,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "requests=", "" }, holes = { { path = "number_of_requests" } } },
    { texts = { "time_to_live=", " ms" }, holes = { { path = "time_to_live" } } },
  },
  brief = 4,
  correlates = "stream_id",
  awaited = 5,
  head = function() return head_1({ [512] = "ignore", [256] = "metadata" }) end,
  steps = function()
    return {
      word.bits(4, {
        word.reserved(1),
        word.part(
          "time_to_live",
          31,
          "Time for which the lease holds, counted from its receipt.",
          { unit = "ms", keep = true, awaited = true, in_info = true }
        ),
      }),
      word.bits(4, {
        word.reserved(1),
        word.part(
          "number_of_requests",
          31,
          "Requests that may be sent until then.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
      word.tail(1, word.bytes(REST, "metadata", "Metadata, up to the end, without a length.", {
        keep = "followed",
        awaited = true,
        raw = true,
        slot = {
          name = "rsocket.metadata",
          agreed = "metadata_mime_type",
          veiled = {
            ["message/x.rsocket.authentication.basic.v0"] = true,
            ["message/x.rsocket.authentication.bearer.v0"] = true,
            ["message/x.rsocket.authentication.v0"] = true,
            ["message/x.rsocket.composite-metadata.v0"] = true,
          },
          readers = {
            { embedded_record = "rsocket.composite_metadata", never = true },
            { embedded_record = "rsocket.routing", never = true },
            { embedded_record = "rsocket.authentication", never = true },
            { embedded_record = "rsocket.mime_type", never = true },
            { embedded_record = "rsocket.accept_mime_types", never = true },
            { embedded_record = "rsocket.tracing", never = true },
          },
        },
      })),
    }
  end,
}

-- Shows that a side is there, and asks whether the other one is. Protocol.md, KEEPALIVE Frame (0x03).
frames[#frames + 1] = {
  name = "keepalive",
  command = "keepalive",
  kind = "command",
  sender = "both",
  key = 3,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "flags", yes = "", no = "" } } },
    {
      texts = { "position=", "" },
      holes = { { path = "last_received_position", yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 4,
  correlates = "stream_id",
  awaited = 4,
  flags_of = "flags",
  flags = { [512] = "ignore", [128] = "respond" },
  head = function() return head_1({ [512] = "ignore", [128] = "respond" }) end,
  steps = function()
    return {
      word.bits(8, {
        word.reserved(1),
        word.part(
          "last_received_position",
          63,
          "Resume position up to which the sender has received; 0 where resuming is off.",
          { unit = "bytes", keep = true, awaited = true, in_info = true }
        ),
      }),
      word.bytes(
        REST,
        "data",
        "Repeated by the answer; in no MIME type.",
        { keep = true, awaited = true, raw = true, in_info = true }
      ),
    }
  end,
}

-- Asks for one payload. Protocol.md, REQUEST_RESPONSE Frame (0x04).
frames[#frames + 1] = {
  name = "request_response",
  command = "request_response",
  kind = "request",
  sender = "both",
  key = 4,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 128,
  in_pieces = true,
  bodies = true,
  awaited = 4,
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "follows" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Sends a payload that nothing answers. Protocol.md, REQUEST_FNF (Fire-n-Forget) Frame (0x05).
frames[#frames + 1] = {
  name = "request_fnf",
  command = "request_fnf",
  kind = "command",
  sender = "both",
  key = 5,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 128,
  in_pieces = true,
  bodies = true,
  awaited = 4,
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "follows" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Asks for any number of payloads. Protocol.md, REQUEST_STREAM Frame (0x06).
frames[#frames + 1] = {
  name = "request_stream",
  command = "request_stream",
  kind = "request",
  sender = "both",
  key = 6,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "n=", "" }, holes = { { path = "initial_request_n" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 7,
  correlates = "stream_id",
  more = 128,
  in_pieces = true,
  bodies = true,
  awaited = 5,
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "follows" }) end,
  steps = function()
    return {
      word.bits(4, {
        word.reserved(1),
        word.part(
          "initial_request_n",
          31,
          "Payloads that the responder may send before it is granted more; 0 is not allowed.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Opens a stream of payloads in both directions. Protocol.md, REQUEST_CHANNEL Frame (0x07).
frames[#frames + 1] = {
  name = "request_channel",
  command = "request_channel",
  kind = "request",
  sender = "both",
  key = 7,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "n=", "" }, holes = { { path = "initial_request_n" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 7,
  correlates = "stream_id",
  more = 128,
  in_pieces = true,
  bodies = true,
  awaited = 5,
  flags_of = "flags",
  flags = { [512] = "ignore", [256] = "metadata", [128] = "follows", [64] = "complete", [32] = "next" },
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "follows", [64] = "complete", [32] = "next" }) end,
  steps = function()
    return {
      word.bits(4, {
        word.reserved(1),
        word.part(
          "initial_request_n",
          31,
          "Payloads that the responder may send before it is granted more; 0 is not allowed.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Grants the peer more payloads of a stream. Protocol.md, REQUEST_N Frame (0x08).
frames[#frames + 1] = {
  name = "request_n",
  command = "request_n",
  kind = "command",
  sender = "both",
  key = 8,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "n=", "" }, holes = { { path = "request_n" } } },
  },
  brief = 3,
  correlates = "stream_id",
  awaited = 3,
  head = function() return head_1({ [512] = "ignore" }) end,
  steps = function()
    return {
      word.bits(4, {
        word.reserved(1),
        word.part(
          "request_n",
          31,
          "Payloads granted besides those granted before; 0 is not allowed.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Ends what a request asked for. Protocol.md, CANCEL Frame (0x09).
frames[#frames + 1] = {
  name = "cancel",
  command = "cancel",
  kind = "command",
  sender = "both",
  key = 9,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "stream=", "" }, holes = { { path = "stream_id" } } } },
  brief = 2,
  correlates = "stream_id",
  in_pieces = true,
  awaited = 2,
  head = function() return head_1({ [512] = "ignore" }) end,
  steps = function()
    return {}
  end,
}

-- Brings a payload, a piece of one, or the end of a stream. Protocol.md, PAYLOAD Frame (0x0A).
frames[#frames + 1] = {
  name = "payload",
  command = "payload",
  kind = "command",
  sender = "both",
  key = 10,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 128,
  in_pieces = true,
  bodies = true,
  parts = { "metadata", "data" },
  awaited = 4,
  flags_of = "flags",
  flags = { [512] = "ignore", [256] = "metadata", [128] = "follows", [64] = "complete", [32] = "next" },
  head = function() return head_1({ [512] = "ignore", [256] = "metadata", [128] = "follows", [64] = "complete", [32] = "next" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Says that a stream, or the connection on stream 0, has failed. Protocol.md, ERROR Frame (0x0B).
frames[#frames + 1] = {
  name = "error",
  command = "error",
  kind = "command",
  sender = "both",
  key = 11,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "code=", "" }, holes = { { path = "error_code" } } },
    { texts = { "", "" }, holes = { { path = "error_data" } } },
  },
  brief = 4,
  correlates = "stream_id",
  in_pieces = true,
  holds = { "failed" },
  awaited = 4,
  flags_of = "flags",
  flags = { [512] = "ignore" },
  head = function() return head_1({ [512] = "ignore" }) end,
  steps = function()
    return {
      word.u32("error_code", "What went wrong: up to 0x1ff on stream 0, from 0x201 on others.", {
        names = names.error_code,
        ranges = { { 0, 768, "reserved" }, { 769, 4294967294, "application_defined" } },
        base = "hex",
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.text(
        REST,
        "error_data",
        "What went wrong, for people.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Sends metadata that belongs to the connection. Protocol.md, METADATA_PUSH Frame (0x0C).
frames[#frames + 1] = {
  name = "metadata_push",
  command = "metadata_push",
  kind = "command",
  sender = "both",
  key = 12,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } } },
  brief = 3,
  correlates = "stream_id",
  awaited = 3,
  flags_of = "flags",
  flags = { [512] = "ignore", [256] = "metadata" },
  head = function() return head_1({ [512] = "ignore", [256] = "metadata" }) end,
  steps = function()
    return {
      word.bytes(REST, "metadata", "Metadata, up to the end, without a length.", {
        keep = true,
        awaited = true,
        raw = true,
        in_info = true,
        slot = {
          name = "rsocket.metadata",
          agreed = "metadata_mime_type",
          veiled = {
            ["message/x.rsocket.authentication.basic.v0"] = true,
            ["message/x.rsocket.authentication.bearer.v0"] = true,
            ["message/x.rsocket.authentication.v0"] = true,
            ["message/x.rsocket.composite-metadata.v0"] = true,
          },
          readers = {
            { embedded_record = "rsocket.composite_metadata", never = true },
            { embedded_record = "rsocket.routing", never = true },
            { embedded_record = "rsocket.authentication", never = true },
            { embedded_record = "rsocket.mime_type", never = true },
            { embedded_record = "rsocket.accept_mime_types", never = true },
            { embedded_record = "rsocket.tracing", never = true },
          },
        },
      }),
    }
  end,
}

-- Asks to resume a session of an earlier connection. Protocol.md, RESUME Frame (0x0D).
frames[#frames + 1] = {
  name = "resume",
  command = "resume",
  kind = "request",
  sender = "client",
  key = 13,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "token=", "" }, holes = { { path = "resume_identification_token" } } },
    { texts = { "received=", "" }, holes = { { path = "last_received_server_position" } } },
  },
  brief = 4,
  correlates = "stream_id",
  proves = "client",
  agrees = {
    { name = "version", path = "major_version" },
    { name = "resume_identification_token", path = "resume_identification_token" },
  },
  opens = true,
  awaited = 7,
  head = function() return head_1({ [512] = "ignore" }) end,
  steps = function()
    return {
      word.u16(
        "major_version",
        "Major version of the protocol; 1 for 1.0.",
        { keep = true, awaited = true }
      ),
      word.u16("minor_version", "Minor version of the protocol.", { keep = "followed", awaited = true }),
      word.bytes(
        U16,
        "resume_identification_token",
        "Names the session that a later connection may resume; chosen by the client.",
        { secret = true, keep = true, awaited = true, raw = true, in_info = true }
      ),
      word.bits(8, {
        word.reserved(1),
        word.part(
          "last_received_server_position",
          63,
          "Resume position up to which the client has received.",
          { unit = "bytes", keep = true, awaited = true, in_info = true }
        ),
      }),
      word.bits(8, {
        word.reserved(1),
        word.part(
          "first_available_client_position",
          63,
          "Resume position from which the client can send again.",
          { unit = "bytes", keep = "followed", awaited = true }
        ),
      }),
    }
  end,
}

-- Confirms that the session is resumed, and from which position. Protocol.md, RESUME_OK Frame (0x0E).
frames[#frames + 1] = {
  name = "resume_ok",
  command = "resume_ok",
  kind = "command",
  sender = "server",
  key = 14,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "received=", "" }, holes = { { path = "last_received_client_position" } } } },
  brief = 3,
  correlates = "stream_id",
  proves = "server",
  awaited = 3,
  head = function() return head_1({ [512] = "ignore" }) end,
  steps = function()
    return {
      word.bits(8, {
        word.reserved(1),
        word.part(
          "last_received_client_position",
          63,
          "Resume position up to which the server has received.",
          { unit = "bytes", keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Brings something that an extension defines. Protocol.md, EXT (Extension) Frame (0x3F).
frames[#frames + 1] = {
  name = "ext",
  command = "ext",
  kind = "command",
  sender = "both",
  key = 63,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "type=", "" }, holes = { { path = "extended_type" } } },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 4,
  correlates = "stream_id",
  bodies = true,
  awaited = 4,
  head = function() return head_1({ [512] = "ignore", [256] = "metadata" }) end,
  steps = function()
    return {
      word.bits(4, {
        word.reserved(1),
        word.part(
          "extended_type",
          31,
          "Which extension; none is assigned.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
      word.when(function(v) return band(v.flags, 256) ~= 0 end, {
        word.bytes(U24, "metadata", "Metadata, in the MIME type that SETUP says; absent without the flag.", {
          keep = "followed",
          awaited = true,
          raw = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Opens a connection and says what holds for it. Protocol.md of tag v0.1, SETUP.
frames[#frames + 1] = {
  name = "setup",
  command = "setup",
  kind = "command",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "metadata=", "" }, holes = { { path = "metadata_mime_type" } } },
    { texts = { "data=", "" }, holes = { { path = "data_mime_type" } } },
    { texts = { "keepalive=", " ms" }, holes = { { path = "time_between_keepalive_frames" } } },
    { texts = { "lifetime=", " ms" }, holes = { { path = "max_lifetime" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
  },
  brief = 6,
  correlates = "stream_id",
  proves = "client",
  agrees = {
    { name = "version", path = "major_version" },
    { name = "metadata_mime_type", path = "metadata_mime_type" },
    { name = "data_mime_type", path = "data_mime_type" },
    { name = "keepalive", path = "time_between_keepalive_frames" },
    { name = "max_lifetime", path = "max_lifetime" },
    { name = "lease", path = "flags", mask = 8192 },
    { name = "resume", path = "flags", mask = 2048 },
    { name = "resume_identification_token", path = "resume_identification_token" },
  },
  opens = true,
  bodies = true,
  awaited = 11,
  flags_of = "flags",
  flags = {
    [32768] = "ignore",
    [16384] = "metadata",
    [8192] = "lease",
    [4096] = "strict",
    [2048] = "resume_enable",
  },
  head = function() return head_2({
    [32768] = "ignore",
    [16384] = "metadata",
    [8192] = "lease",
    [4096] = "strict",
    [2048] = "resume_enable",
  }) end,
  steps = function()
    return {
      word.u16(
        "major_version",
        "Major version of the protocol; 1 for 1.0.",
        { keep = true, awaited = true }
      ),
      word.u16("minor_version", "Minor version of the protocol.", { keep = "followed", awaited = true }),
      word.u32(
        "time_between_keepalive_frames",
        "Time between the client's KEEPALIVE frames; 0 is not allowed.",
        { unit = "ms", keep = true, awaited = true, in_info = true }
      ),
      word.u32(
        "max_lifetime",
        "Time without an answer to KEEPALIVE after which the peer is considered dead.",
        { unit = "ms", keep = true, awaited = true, in_info = true }
      ),
      word.when(function(v) return band(v.flags, 2048) ~= 0 end, {
        word.bytes(
          16,
          "resume_identification_token",
          "Names the session; rsocket-cpp alone.",
          { secret = true, keep = true, awaited = true, raw = true }
        ),
      }),
      word.text(
        U8,
        "metadata_mime_type",
        "MIME type of all metadata of this connection.",
        { keep = true, awaited = true, in_info = true, encoding = "ascii" }
      ),
      word.text(
        U8,
        "data_mime_type",
        "MIME type of all data of this connection.",
        { keep = true, awaited = true, in_info = true, encoding = "ascii" }
      ),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata of the setup.", {
          keep = "followed",
          awaited = true,
          raw = true,
          slot = {
            name = "rsocket.metadata",
            types = { { path = "metadata_mime_type" } },
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data of the setup.", {
        keep = "followed",
        awaited = true,
        raw = true,
        body = true,
        slot = { name = "rsocket.data", types = { { path = "data_mime_type" } }, readers = {} },
      }),
    }
  end,
}

-- Allows the peer some requests for some time. Protocol.md of tag v0.1, LEASE.
frames[#frames + 1] = {
  name = "lease",
  command = "lease",
  kind = "command",
  sender = "both",
  key = 2,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "requests=", "" }, holes = { { path = "number_of_requests" } } },
    { texts = { "time_to_live=", " ms" }, holes = { { path = "time_to_live" } } },
  },
  brief = 4,
  correlates = "stream_id",
  awaited = 5,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata" }) end,
  steps = function()
    return {
      word.u32(
        "time_to_live",
        "Time for which the lease holds, counted from its receipt.",
        { unit = "ms", keep = true, awaited = true, in_info = true }
      ),
      word.u32(
        "number_of_requests",
        "Requests that may be sent until then.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = "followed",
          awaited = true,
          raw = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
    }
  end,
}

-- Shows that a side is there, and asks whether the other one is. Protocol.md of tag v0.1, KEEPALIVE.
frames[#frames + 1] = {
  name = "keepalive",
  command = "keepalive",
  kind = "command",
  sender = "both",
  key = 3,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "", "" }, holes = { { path = "flags", yes = "", no = "" } } },
    {
      texts = { "position=", "" },
      holes = { { path = "last_received_position", yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 4,
  correlates = "stream_id",
  awaited = 4,
  flags_of = "flags",
  flags = { [32768] = "ignore", [8192] = "respond" },
  head = function() return head_2({ [32768] = "ignore", [8192] = "respond" }) end,
  steps = function()
    return {
      word.tail(8, word.u64(
        "last_received_position",
        "Resume position up to which the sender has received; 0 where resuming is off.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      )),
      word.bytes(
        REST,
        "data",
        "Repeated by the answer; in no MIME type.",
        { keep = true, awaited = true, raw = true, in_info = true }
      ),
    }
  end,
}

-- Asks for one payload. Protocol.md of tag v0.1, REQUEST_RESPONSE.
frames[#frames + 1] = {
  name = "request_response",
  command = "request_response",
  kind = "request",
  sender = "both",
  key = 4,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  awaited = 4,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata", [8192] = "follows" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Sends a payload that nothing answers. Protocol.md of tag v0.1, REQUEST_FNF (Fire-n-Forget).
frames[#frames + 1] = {
  name = "request_fnf",
  command = "request_fnf",
  kind = "command",
  sender = "both",
  key = 5,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  awaited = 4,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata", [8192] = "follows" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Asks for any number of payloads. Protocol.md of tag v0.1, REQUEST_STREAM.
frames[#frames + 1] = {
  name = "request_stream",
  command = "request_stream",
  kind = "request",
  sender = "both",
  key = 6,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "n=", "" }, holes = { { path = "initial_request_n" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 7,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  awaited = 5,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata", [8192] = "follows" }) end,
  steps = function()
    return {
      word.u32(
        "initial_request_n",
        "Payloads that the responder may send before it is granted more.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Asks for payloads without an end. Protocol.md of tag v0.1, Request Subscription.
frames[#frames + 1] = {
  name = "request_sub",
  command = "request_sub",
  kind = "request",
  sender = "both",
  key = 7,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "n=", "" }, holes = { { path = "initial_request_n" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 7,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  awaited = 4,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata", [8192] = "follows" }) end,
  steps = function()
    return {
      word.u32(
        "initial_request_n",
        "Payloads that the responder may send before it is granted more.",
        { keep = true, in_info = true }
      ),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Opens a stream of payloads in both directions. Protocol.md of tag v0.1, REQUEST_CHANNEL.
frames[#frames + 1] = {
  name = "request_channel",
  command = "request_channel",
  kind = "request",
  sender = "both",
  key = 8,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "n=", "" }, holes = { { path = "initial_request_n" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 7,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  awaited = 5,
  flags_of = "flags",
  flags = {
    [32768] = "ignore",
    [16384] = "metadata",
    [8192] = "follows",
    [4096] = "complete",
    [2048] = "initial_n",
  },
  head = function() return head_2({
    [32768] = "ignore",
    [16384] = "metadata",
    [8192] = "follows",
    [4096] = "complete",
    [2048] = "initial_n",
  }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 2048) ~= 0 end, {
        word.u32(
          "initial_request_n",
          "Payloads that the responder may send before it is granted more.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Grants the peer more payloads of a stream. Protocol.md of tag v0.1, REQUEST_N.
frames[#frames + 1] = {
  name = "request_n",
  command = "request_n",
  kind = "command",
  sender = "both",
  key = 9,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "n=", "" }, holes = { { path = "request_n" } } },
  },
  brief = 3,
  correlates = "stream_id",
  awaited = 3,
  head = function() return head_2({ [32768] = "ignore" }) end,
  steps = function()
    return {
      word.u32(
        "request_n",
        "Payloads granted besides those granted before; 0 is not allowed.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Ends what a request asked for. Protocol.md of tag v0.1, CANCEL.
frames[#frames + 1] = {
  name = "cancel",
  command = "cancel",
  kind = "command",
  sender = "both",
  key = 10,
  responses = { false },
  dialects = { "0.1" },
  shows = { { texts = { "stream=", "" }, holes = { { path = "stream_id" } } } },
  brief = 3,
  correlates = "stream_id",
  in_pieces = true,
  awaited = 3,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = "followed",
          awaited = true,
          raw = true,
          pieced = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
    }
  end,
}

-- Brings a payload of an answer, or its end. Protocol.md of tag v0.1, Response.
frames[#frames + 1] = {
  name = "response",
  command = "response",
  kind = "command",
  sender = "both",
  key = 11,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    {
      texts = { "", "" },
      holes = { { path = "flags", form = "not", others = { metadata = true }, yes = "", no = "" } },
    },
    { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 6,
  correlates = "stream_id",
  more = 8192,
  in_pieces = true,
  bodies = true,
  parts = { "metadata", "data" },
  awaited = 4,
  flags_of = "flags",
  flags = { [32768] = "ignore", [16384] = "metadata", [8192] = "follows", [4096] = "complete" },
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata", [8192] = "follows", [4096] = "complete" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          pieced = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

-- Says that a stream, or the connection on stream 0, has failed. Protocol.md of tag v0.1, ERROR.
frames[#frames + 1] = {
  name = "error",
  command = "error",
  kind = "command",
  sender = "both",
  key = 12,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "code=", "" }, holes = { { path = "error_code" } } },
    { texts = { "", "" }, holes = { { path = "error_data" } } },
  },
  brief = 5,
  correlates = "stream_id",
  in_pieces = true,
  holds = { "failed" },
  awaited = 5,
  flags_of = "flags",
  flags = { [32768] = "ignore", [16384] = "metadata" },
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata" }) end,
  steps = function()
    return {
      word.u32("error_code", "What went wrong: up to 0x1ff on stream 0, from 0x201 on others.", {
        names = names.error_code_2,
        ranges = {
          { 0, 0, "reserved" },
          { 1, 255, "setup_reserved" },
          { 257, 511, "connection_reserved" },
          { 513, 4294967294, "application_defined" },
        },
        base = "hex",
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = "followed",
          awaited = true,
          raw = true,
          pieced = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.text(
        REST,
        "error_data",
        "What went wrong, for people.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Sends metadata that belongs to the connection. Protocol.md of tag v0.1, METADATA_PUSH.
frames[#frames + 1] = {
  name = "metadata_push",
  command = "metadata_push",
  kind = "command",
  sender = "both",
  key = 13,
  responses = { false },
  dialects = { "0.1" },
  shows = { { texts = { "metadata=", "" }, holes = { { path = "metadata", form = "inside" } } } },
  brief = 3,
  correlates = "stream_id",
  awaited = 3,
  flags_of = "flags",
  flags = { [32768] = "ignore", [16384] = "metadata" },
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata" }) end,
  steps = function()
    return {
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = true,
          awaited = true,
          raw = true,
          in_info = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
    }
  end,
}

-- Asks to resume a session of an earlier connection. Protocol.md of tag v0.1, RESUME.
frames[#frames + 1] = {
  name = "resume",
  command = "resume",
  kind = "request",
  sender = "client",
  key = 14,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "token=", "" }, holes = { { path = "resume_identification_token" } } },
    { texts = { "received=", "" }, holes = { { path = "last_received_server_position" } } },
  },
  brief = 4,
  correlates = "stream_id",
  proves = "client",
  agrees = {
    { name = "version", path = "major_version" },
    { name = "resume_identification_token", path = "resume_identification_token" },
  },
  opens = true,
  awaited = 4,
  head = function() return head_2({ [32768] = "ignore" }) end,
  steps = function()
    return {
      word.bytes(
        16,
        "resume_identification_token",
        "Names the session; rsocket-cpp alone.",
        { secret = true, keep = true, awaited = true, raw = true, in_info = true }
      ),
      word.u64(
        "last_received_server_position",
        "Resume position up to which the client has received.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Confirms that the session is resumed, and from which position. Protocol.md of tag v0.1, RESUME_OK.
frames[#frames + 1] = {
  name = "resume_ok",
  command = "resume_ok",
  kind = "command",
  sender = "server",
  key = 15,
  responses = { false },
  dialects = { "0.1" },
  shows = { { texts = { "received=", "" }, holes = { { path = "last_received_client_position" } } } },
  brief = 3,
  correlates = "stream_id",
  proves = "server",
  awaited = 3,
  head = function() return head_2({ [32768] = "ignore" }) end,
  steps = function()
    return {
      word.u64(
        "last_received_client_position",
        "Resume position up to which the server has received.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Brings something that an extension defines. Protocol.md of tag v0.1, EXT (Extension).
frames[#frames + 1] = {
  name = "ext",
  command = "ext",
  kind = "command",
  sender = "both",
  key = 65535,
  responses = { false },
  dialects = { "0.1" },
  shows = {
    { texts = { "stream=", "" }, holes = { { path = "stream_id" } } },
    { texts = { "type=", "" }, holes = { { path = "extended_type" } } },
    { texts = { "", "" }, holes = { { path = "data", yes = "", no = "" } } },
  },
  brief = 4,
  correlates = "stream_id",
  bodies = true,
  awaited = 4,
  head = function() return head_2({ [32768] = "ignore", [16384] = "metadata" }) end,
  steps = function()
    return {
      word.u32(
        "extended_type",
        "Which extension; none is assigned.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.when(function(v) return band(v.flags, 16384) ~= 0 end, {
        word.bits(4, {
          word.reserved(1),
          word.part(
            "metadata_length",
            31,
            "Bytes of metadata, these 4 included.",
            { unit = "bytes", keep = true }
          ),
        }),
        word.bytes(function(v) return v.metadata_length - 4 end, "metadata", "Metadata.", {
          keep = "followed",
          awaited = true,
          raw = true,
          slot = {
            name = "rsocket.metadata",
            agreed = "metadata_mime_type",
            veiled = {
              ["message/x.rsocket.authentication.basic.v0"] = true,
              ["message/x.rsocket.authentication.bearer.v0"] = true,
              ["message/x.rsocket.authentication.v0"] = true,
              ["message/x.rsocket.composite-metadata.v0"] = true,
            },
            readers = {
              { embedded_record = "rsocket.composite_metadata", never = true },
              { embedded_record = "rsocket.routing", never = true },
              { embedded_record = "rsocket.authentication", never = true },
              { embedded_record = "rsocket.mime_type", never = true },
              { embedded_record = "rsocket.accept_mime_types", never = true },
              { embedded_record = "rsocket.tracing", never = true },
            },
          },
        }),
      }),
      word.bytes(REST, "data", "Data, in the MIME type that SETUP says.", {
        keep = true,
        in_info = true,
        body = true,
        slot = { name = "rsocket.data", agreed = "data_mime_type", readers = {} },
      }),
    }
  end,
}

local K = {
  AFTER_IDLING = 3,
  AGAIN_LIMIT = 4,
  ALIKE_LIMIT = 4,
  ALL_DEMAND = 1000000,
  ANEW = 150000000,
  ANEW_LIMIT = 5,
  ANSWERED_BEFORE = 3,
  APART = 20000000,
  ASKED_AGAIN = 2000000000,
  ASKING = 3,
  AT_BOTH = 1000000000,
  AT_ONCE = 5000000,
  AWAY = 10000000000,
  BARE_LIMIT = 6,
  BATCH = 4,
  BATCHES = 3,
  BATCH_LATE = 1000000000,
  BATCH_SPREAD = 10,
  BEAT_LIMIT = 5,
  BOTH_PAUSE = 60000000000,
  BRIEF_FRAMES = 24,
  BRIEF_LIMIT = 4,
  BROKEN_LIMIT = 3,
  BURST_IDS = 32,
  BURST_TIME = 50000000,
  CALLED_LIMIT = 8,
  CANCEL_LIMIT = 4,
  CHANNEL_GRANT = 1000000000,
  CLIMB_LIMIT = 7,
  COMPARED = 16,
  CROSSING = 500000000,
  CUT_LIMIT = 2,
  DEAF = 100000000,
  DEAF_LIMIT = 5,
  DENIED_LIMIT = 6,
  DENIED_PAUSE = 10000000000,
  DOUBLE_LIMIT = 8,
  DRAINED_LIMIT = 4,
  EARLY_LEASES = 4,
  ECHO_LIMIT = 2,
  EMPTIED_LIMIT = 3,
  EMPTY_ITEMS = 3,
  EMPTY_LIMIT = 3,
  ENDED = 2,
  EXCESS = 4,
  FAR_LONGER = 10,
  FEW_PIECES = 3,
  FILLED = 4096,
  FIRST_CALLS = 16,
  FIRST_ITEMS = 32,
  FIRST_LIMIT = 4,
  FLOOD = 200,
  FLOOD_PACE = 20000000,
  FLOOD_PAUSE = 200000000,
  FOLDS = 3,
  FOLD_ITEMS = 40,
  FREED_LIMIT = 4,
  FRESH = 30000000000,
  FRESH_LIMIT = 2,
  FULL = 3,
  GIVEN_UP_LIMIT = 3,
  GONE = 50000000,
  GONE_LIMIT = 3,
  GONE_PAUSE = 30000000000,
  HALF_OPEN = 1000000000,
  HEARD = 100000000,
  IDLE = 1000000000,
  IDLE_LIMIT = 3,
  IDLING = 4000000000,
  IDLING_PAUSE = 1800000000000,
  IN_ORDER = 4,
  IN_QUEUE = 3000000000,
  ITEM_PAIRS = 3,
  JUDGED_FRAMES = 64,
  KEEPALIVE_ANSWER = 1000000000,
  LARGE_BEAT = 256,
  LARGE_FRAME = 1000000,
  LARGE_METADATA = 512,
  LAST_ID = 2147483646,
  LAST_IDS = 2147483645,
  LATE_CANCELS = 4,
  LATE_KEEPALIVES = 3,
  LATE_LIMIT = 3,
  LATE_REPLY = 10000000000,
  LATE_STREAMS = 5,
  LATE_TIME = 200000000,
  LEASE_GRACE = 500000000,
  LEASE_TIME = 1000000000,
  LONG_LEASE = 86400000,
  LONG_LIFETIME = 600000,
  LOST_AT_ONCE = 1000000000,
  LOST_STREAMS = 32,
  MOST_ENDS = 4096,
  MULTIPLIED = 3,
  NEAR_BEATS = 5,
  NEVER_LIMIT = 5,
  NOT_ANSWERED = 3,
  NUMBERED = 96,
  OPEN_LIMIT = 4,
  OPEN_OBJECT = "{",
  OPEN_WIDE = "{\000",
  OTHERS = 3,
  OVER = 500000000,
  OVERFLOW_LIMIT = 3,
  PACE = 8,
  PACED = 5000000,
  PAGES_LIMIT = 4,
  PAIR_LIMIT = 3,
  PATIENCE = 200000000,
  PAUSES = 10,
  PENDING = 1000000000,
  PENDING_LIMIT = 3,
  PIECES = 32,
  PIECES_REFUSED = 4,
  POISONED = 2000000000,
  POISON_LIMIT = 4,
  POLL_LIMIT = 5,
  POLL_PAUSE = 3000000000,
  PUSHES = 5,
  PUSH_LIMIT = 3,
  QUESTION = 256,
  QUESTIONS = 96,
  RAISES = 4,
  RECONNECT_LIMIT = 4,
  REFUSED_LIMIT = 4,
  REFUSED_PAUSE = 2000000000,
  REFUSED_TIME = 1000000000,
  REJECTED_LIMIT = 6,
  RESTORED = 2000000000,
  ROUTES_LIMIT = 5,
  ROUTE_LIMIT = 4,
  SAME_ITEMS = 8,
  SAME_METADATA = 5,
  SERIAL_LIMIT = 5,
  SERIAL_STREAMS = 3,
  SETUP_LIMIT = 3,
  SETUP_PAUSE = 5000000000,
  SHORT_KEEPALIVE = 200,
  SHORT_LEASE = 100,
  SHREDDED_LIMIT = 4,
  SILENCE = 5000000000,
  SINGLE_LEASES = 5,
  SINGLE_LIMIT = 5,
  SLOW_LIMIT = 3,
  SMALL_DEMAND = 32,
  SMALL_FRAGMENT = 61,
  SMALL_PIECE = 256,
  SOME_ANSWERS = 2,
  STALLED = 1500000000,
  STEP_LIMIT = 5,
  STUCK = 200000000,
  SUBSCRIBED = 300000000,
  TELLING = 16,
  TIMEOUT_LIMIT = 4,
  TRACED = 16,
  TRACE_LIMIT = 5,
  TURN = 100000000,
  TURNS_LIMIT = 3,
  UNASKED_LIMIT = 3,
  UNASKED_PAUSE = 60000000000,
  UNBOUNDED = 2147483647,
  UNNOTICED = 5000000000,
  UNREAD = 16,
  WHOLE_TAKEN = 3,
}

local LISTS = {
  {["request_stream"] = true, ["request_sub"] = true},
  {["open"] = true, ["resuming"] = true},
  {["request_fnf"] = true, ["metadata_push"] = true, ["ext"] = true},
  {["end"] = true, ["idle"] = true, ["crowded"] = true, ["lost"] = true},
  {["request_stream"] = true, ["request_channel"] = true},
  {["open"] = true, ["requester_done"] = true, ["responder_done"] = true},
  {["setup"] = true, ["resume"] = true},
  {["closed"] = true, ["reset"] = true},
  {["done"] = true, ["sent"] = true},
  {["closed"] = true, ["reset"] = true, ["end"] = true},
  {["cancelled"] = true, ["failed"] = true},
  {[257] = true, [258] = true},
  {["setup"] = true, ["resume"] = true, ["unknown"] = true},
  {["error"] = true, ["keepalive"] = true, ["unknown"] = true},
  {[1] = true, [2] = true},
  {[0] = true, [64] = true, [128] = true, [192] = true, [256] = true, [320] = true, [384] = true, [448] = true, [512] = true, [576] = true, [640] = true, [704] = true, [768] = true, [832] = true, [896] = true, [960] = true},
  {[0] = true, [256] = true, [512] = true, [768] = true},
  {[0] = true, [128] = true, [512] = true, [640] = true},
  {[0] = true, [128] = true, [256] = true, [384] = true, [512] = true, [640] = true, [768] = true, [896] = true},
  {[0] = true, [512] = true},
  {[1] = true, [2] = true, [3] = true},
  {[1] = true, [2] = true, [3] = true, [4] = true},
  {["open"] = true, ["closing"] = true},
  {[1] = true, [2] = true, [3] = true, [4] = true, [257] = true, [258] = true, [513] = true, [514] = true, [515] = true, [516] = true, [4294967295.0] = true},
  {["absent"] = true, ["unknown"] = true},
  {["open"] = true, ["responder_done"] = true},
  {["responder_done"] = true, ["done"] = true},
  {["requester_done"] = true, ["done"] = true},
  {["request_response"] = true, ["request_fnf"] = true, ["request_stream"] = true, ["request_sub"] = true},
  {["request_response"] = true, ["request_fnf"] = true},
  {["request_response"] = true, ["request_stream"] = true, ["request_sub"] = true},
  {["open"] = true, ["requester_done"] = true},
  {["application/json"] = true, ["application/xml"] = true, ["text/plain"] = true, ["application/cbor"] = true, ["application/avro"] = true, ["application/x-hessian"] = true, ["application/x-java-object"] = true, ["application/vnd.google.protobuf"] = true, ["application/vnd.apache.thrift.binary"] = true},
  {["application/json"] = true, ["application/xml"] = true, ["text/plain"] = true, ["application/octet-stream"] = true, ["application/binary"] = true, ["message/x.rsocket.routing.v0"] = true},
  {["message/x.rsocket.authentication.v0"] = true, ["message/x.rsocket.tracing-zipkin.v0"] = true, ["message/x.rsocket.mime-type.v0"] = true, ["message/x.rsocket.accept-mime-types.v0"] = true},
  {["message/x.rsocket.composite-metadata.v0"] = true, ["message/x.rsocket.routing.v0"] = true},
  {[4] = true, [257] = true},
  {["carrier"] = true, ["unknown_key"] = true, ["unknown_version"] = true, ["foreign"] = true},
  {["a gap interrupts this frame"] = true, ["the connection or capture ended first"] = true, ["the connection or capture ended before the rest of this message"] = true},
  {["request_response"] = true, ["request_stream"] = true, ["request_channel"] = true},
  {["closed"] = true, ["end"] = true},
  {["request_response"] = true, ["request_fnf"] = true, ["request_stream"] = true, ["request_channel"] = true, ["metadata_push"] = true, ["ext"] = true},
  {["error"] = true, ["cancel"] = true},
}

local GUARDS = {
  { [[(c.stream_id == 0)]], "c" },
  { [=[c["flags.respond"]]=], "c" },
  { [[(c["flags.respond"] ~= nil and not c["flags.respond"])]], "c" },
  { [[(c.stream_id == 0) and (c.error_code ~= nil and c.error_code <= 4)]], "c" },
  { [[(c.stream_id == 0) and (c.error_code ~= nil and c.error_code <= 258)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id > 0)]], "c" },
  { [=[c["flags.complete"]]=], "c" },
  {
    [[(c.stream_id ~= nil and c.stream_id > 0) and (c.error_code ~= nil and c.error_code ~= 513)]],
    "c",
  },
  { [[(c.stream_id == 0) and (c.error_code == 2)]], "c" },
  {
    [[(c.stream_id == 0) and (c.error_code == 257) and (c.error_data ~= nil and c.error_data ~= "Disposed")]],
    "c",
  },
  { [[(c.stream_id == 0) and (c.error_code == 3)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id > 0) and (c.error_code == 513)]], "c" },
  { [[(c["resume_identification_token raw"] ~= nil)]], "c" },
  { [[((c["#data"] or 0) > 0)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id > 0) and (c.error_code == 514)]], "c" },
  { [[((c["#metadata"] or 0) > 0)]], "c" },
  {
    [[(not f.starts(c.reason, "PROXY protocol")) and (not f.starts(c.reason, "HTTP CONNECT, which opens a tunnel"))]],
    "c",
  },
  { [[(c.stream_id == 0) and (c.error_code ~= nil and c.error_code ~= 258)]], "c" },
  { [[(c.stream_id == 0) and (c.error_code == 258)]], "c" },
  { [[(c.stream_id == 0) and (c.error_code == 4)]], "c" },
  { [[(c["flags.complete"] ~= nil and not c["flags.complete"])]], "c" },
  {
    [[(c.number_of_requests ~= nil and c.number_of_requests > 0) and (c.time_to_live ~= nil and c.time_to_live > 0)]],
    "c",
  },
  { [[(c.stream_id == 0) and (c.error_code == 257)]], "c" },
  { [[(((c["#data"] or 0) > 0) or ((c["#metadata"] or 0) > 0))]], "c" },
  {
    [[((c["#metadata"] ~= nil and 16 <= c["#metadata"]) and ((c["#metadata"] or 4097) <= 4096))]],
    "c",
  },
  {
    [[(c["#metadata"] ~= nil and 4 <= c["#metadata"]) and ((c["#metadata"] or 4097) <= 4096)]],
    "c",
  },
  { [[((c["#metadata"] or 0) == 0)]], "c" },
  { [[((c["#metadata"] or 1025) <= 1024)]], "c" },
  { [[(c.number_of_requests == 1)]], "c" },
  { [[(c.number_of_requests ~= nil and c.number_of_requests > 0)]], "c" },
  { [[(c["#metadata"] ~= nil and c["#metadata"] >= K.LARGE_METADATA)]], "c" },
  { [[(c.request_n == 1)]], "c" },
  { [[c["flags.next"] and ((c["#data"] or 0) > 0)]], "c" },
  {
    [[((c.request_n ~= nil and 1 < c.request_n) and (c.request_n ~= nil and c.request_n <= K.SMALL_DEMAND))]],
    "c",
  },
  {
    [[c["flags.next"] and ((c["#data"] ~= nil and K.TELLING <= c["#data"]) and ((c["#data"] or 4097) <= 4096))]],
    "c",
  },
  { [[c["flags.next"] and ((c["#data"] or 0) == 0) and ((c["#metadata"] or 0) == 0)]], "c" },
  {
    [[c["flags.next"] and ((c["#data"] ~= nil and 0 < c["#data"]) and ((c["#data"] or 257) <= 256))]],
    "c",
  },
  {
    [[((c["#data"] or 0) == 0) and ((c["#metadata"] ~= nil and 4 <= c["#metadata"]) and ((c["#metadata"] or 1025) <= 1024))]],
    "c",
  },
  { [=[(c.stream_id == 0) and LISTS[12][c.error_code]]=], "c" },
  {
    [[((c["#data"] ~= nil and 8 <= c["#data"]) and (c["#data"] ~= nil and c["#data"] <= K.QUESTION)) and f.starts(c["data raw"], K.OPEN_OBJECT)]],
    "c",
  },
  {
    [[((c["#data"] ~= nil and 8 <= c["#data"]) and (c["#data"] ~= nil and c["#data"] <= K.QUESTION))]],
    "c",
  },
  { [[(c["#data"] ~= nil and c["#data"] <= K.QUESTION)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id ~= 0)]], "c" },
  { [[((c.time_between_keepalive_frames == 0) or (c.max_lifetime == 0))]], "c" },
  {
    [[(c.max_lifetime ~= nil and 0 < c.max_lifetime) and (c.max_lifetime ~= nil and c.time_between_keepalive_frames ~= nil and c.max_lifetime < c.time_between_keepalive_frames)]],
    "c",
  },
  {
    [[((c.max_lifetime ~= nil and c.max_lifetime > K.LONG_LIFETIME) or (c.time_between_keepalive_frames ~= nil and c.time_between_keepalive_frames > K.LONG_LIFETIME))]],
    "c",
  },
  {
    [[(c.max_lifetime ~= nil and c.time_between_keepalive_frames ~= nil and c.max_lifetime == c.time_between_keepalive_frames) and (c.time_between_keepalive_frames ~= nil and c.time_between_keepalive_frames > 0)]],
    "c",
  },
  {
    [[((c.major_version ~= nil and c.major_version ~= 1) or (c.minor_version ~= nil and c.minor_version ~= 0)) and ((c.major_version ~= nil and c.major_version ~= 0) or (c.minor_version ~= nil and not LISTS[15][c.minor_version]))]],
    "c",
  },
  { [[(c["#resume_identification_token"] == 0)]], "c" },
  { [[(c.flags ~= nil and (c.flags - (math.floor(c.flags / 32) * 32)) ~= 0)]], "c" },
  {
    [[(c.flags ~= nil and not LISTS[16][(c.flags ~= nil and (math.floor(c.flags / 32) * 32) or nil)])]],
    "c",
  },
  {
    [[(c.flags ~= nil and not LISTS[17][(c.flags ~= nil and (math.floor(c.flags / 32) * 32) or nil)])]],
    "c",
  },
  {
    [[(c.flags ~= nil and not LISTS[18][(c.flags ~= nil and (math.floor(c.flags / 32) * 32) or nil)])]],
    "c",
  },
  {
    [[(c.flags ~= nil and not LISTS[19][(c.flags ~= nil and (math.floor(c.flags / 32) * 32) or nil)])]],
    "c",
  },
  {
    [[(c.flags ~= nil and not LISTS[20][(c.flags ~= nil and (math.floor(c.flags / 32) * 32) or nil)])]],
    "c",
  },
  {
    [[(((c.stream_id == 0) and (c.error_code ~= nil and c.error_code >= 513)) or ((c.stream_id ~= nil and c.stream_id > 0) and (c.error_code ~= nil and c.error_code < 513)))]],
    "c",
  },
  { [=[(c.stream_id == 0) and LISTS[21][c.error_code]]=], "c" },
  { [=[(c.stream_id == 0) and LISTS[22][c.error_code]]=], "c" },
  { [[(c.extended_type == 0)]], "c" },
  { [[(c.stream_id == 0) and (c.error_code == 1)]], "c" },
  { [[((c.stream_id == 0) and (c.error_code == 3))]], "c" },
  { [[(c.stream_id == 0) and (c.error_code == 257) and (c.error_data == "Disposed")]], "c" },
  {
    [[(c.stream_id == 0) and (c.error_code == 257) and ((f.between(c.error_data, "keep-alive", "") ~= nil) or (f.between(c.error_data, "keepalive", "") ~= nil) or (f.between(c.error_data, "KEEPALIVE", "") ~= nil) or (f.between(c.error_data, "Keep-alive", "") ~= nil) or (f.between(c.error_data, "KeepAlive", "") ~= nil))]],
    "c",
  },
  { [[(c.last_received_position ~= nil and c.last_received_position > 0)]], "c" },
  { [[c["flags.respond"] and (c["#data"] ~= nil and c["#data"] > K.LARGE_BEAT)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id > 2)]], "c" },
  { [[(c.stream_id ~= nil and c.stream_id >= K.LAST_ID)]], "c" },
  { [[(c.initial_request_n == 0)]], "c" },
  { [[(c.request_n == 0)]], "c" },
  {
    [[c["flags.complete"] and (c["flags.next"] ~= nil and not c["flags.next"]) and (((c["#data"] or 0) > 0) or ((c["#metadata"] or 0) > 0))]],
    "c",
  },
  {
    [[(c.stream_id ~= nil and c.stream_id > 0) and (c.error_code ~= nil and c.error_code >= 513)]],
    "c",
  },
  {
    [[(c["flags.next"] ~= nil and not c["flags.next"]) and (c["flags.complete"] ~= nil and not c["flags.complete"])]],
    "c",
  },
  { [=[c["flags.follows"]]=], "c" },
  { [[((c["#metadata"] or 3) > 3)]], "c" },
  {
    [[LISTS[33][agreed.data_mime_type] and ((c["#data"] or 0) > 0) and ((agreed.data_mime_type ~= nil and agreed.data_mime_type ~= "application/json") or (not f.starts(c["data raw"], K.OPEN_OBJECT)) or f.starts(c["data raw"], K.OPEN_WIDE))]],
    "c agreed",
  },
  {
    [[(agreed.data_mime_type == "application/json") and ((c["#data"] or 0) > 0) and ((agreed.data_mime_type ~= nil and agreed.data_mime_type ~= "application/json") or (not f.starts(c["data raw"], K.OPEN_OBJECT)) or f.starts(c["data raw"], K.OPEN_WIDE))]],
    "c agreed",
  },
  { [[((c["#metadata"] or 3) >= 4)]], "c" },
  {
    [[((c["#metadata"] or 3) >= 4) and (c.metadata_mime_type == "message/x.rsocket.composite-metadata.v0")]],
    "c",
  },
  { [[(c["flags.metadata"] ~= nil and not c["flags.metadata"])]], "c" },
  { [[(c.metadata_mime_type == "message/x.rsocket.composite-metadata.v0")]], "c" },
  { [[((c["#metadata"] or 7) >= 8)]], "c" },
  { [[((c["#data"] or 2) > 2)]], "c" },
  { [[f.starts(c.data_mime_type, "message/x.rsocket.")]], "c" },
  { [=[LISTS[35][c.metadata_mime_type]]=], "c" },
  {
    [[(c["resume_identification_token raw"] ~= nil) and ((c["#resume_identification_token"] or 0) > 0)]],
    "c",
  },
  { [[((f.len(c.error_data) or 16) > 16)]], "c" },
  {
    [[(c.stream_id ~= nil and c.stream_id > 0) and (c.error_code == 513) and ((f.len(c.error_data) or 48) < 48)]],
    "c",
  },
  { [[(c.stream_id ~= nil and c.stream_id > 0) and ((f.len(c.error_data) or 3) >= 4)]], "c" },
  {
    [[(c.stream_id ~= nil and c.stream_id > 0) and ((f.len(c.error_data) ~= nil and 0 < f.len(c.error_data)) and ((f.len(c.error_data) or 129) <= 128))]],
    "c",
  },
  { [[(c.stream_id ~= nil and c.stream_id > 0) and (f.len(c.error_data) == 0)]], "c" },
  { [[((c.number_of_requests == 0) or (c.time_to_live == 0))]], "c" },
  {
    [[((c.time_to_live ~= nil and 0 < c.time_to_live) and (c.time_to_live ~= nil and c.time_to_live < K.SHORT_LEASE)) and (c.number_of_requests ~= nil and c.number_of_requests > 0)]],
    "c",
  },
  { [[(c.time_to_live ~= nil and c.time_to_live > K.LONG_LEASE)]], "c" },
  { [[(c.error_code == 514)]], "c" },
  { [[(c.error_code ~= nil and c.error_code ~= 514)]], "c" },
  { [[(c.stream_id == 0) and (c.error_code ~= nil and not LISTS[37][c.error_code])]], "c" },
  {
    [[(c.first_available_client_position ~= nil and c.first_available_client_position > 0)]],
    "c",
  },
  { [[((c["#data"] or 5) > 5)]], "c" },
  {
    [[(c.skipped ~= nil and c.skipped > 0) and (c.reason ~= nil and not LISTS[39][c.reason])]],
    "c",
  },
  { [[(c.error_code ~= nil and c.error_code ~= 513)]], "c" },
  { [[(c.error_code == 513)]], "c" },
  {
    [[(c.time_between_keepalive_frames ~= nil and 0 < c.time_between_keepalive_frames) and (c.time_between_keepalive_frames ~= nil and c.time_between_keepalive_frames < K.SHORT_KEEPALIVE)]],
    "c",
  },
  { [[(c["#data"] == 0) and ((c["#metadata"] or 0) == 0)]], "c" },
  { [=[c["flags.resume_enable"]]=], "c" },
  { [=[c["flags.next"]]=], "c" },
  {
    [[(c.time_between_keepalive_frames ~= nil and c.max_lifetime ~= nil and c.time_between_keepalive_frames < c.max_lifetime) and (c.max_lifetime ~= nil and c.time_between_keepalive_frames ~= nil and c.max_lifetime < (c.time_between_keepalive_frames * 2))]],
    "c",
  },
  { [[((c["#metadata"] ~= nil and 8 <= c["#metadata"]) and ((c["#metadata"] or 64) < 64))]], "c" },
  { [[((c["#data"] or 11) >= 12)]], "c" },
  {
    [[(c.initial_request_n ~= nil and c.initial_request_n >= 16777216) and (c.initial_request_n ~= nil and (math.floor(c.initial_request_n / 16777216) * 16777216) == c.initial_request_n) and (c.initial_request_n ~= nil and c.initial_request_n < 2130706432.0)]],
    "c",
  },
  {
    [[(c.request_n ~= nil and c.request_n >= 16777216) and (c.request_n ~= nil and (math.floor(c.request_n / 16777216) * 16777216) == c.request_n) and (c.request_n ~= nil and c.request_n < 2130706432.0)]],
    "c",
  },
  {
    [[(c.number_of_requests ~= nil and c.number_of_requests >= 16777216) and (c.number_of_requests ~= nil and (math.floor(c.number_of_requests / 16777216) * 16777216) == c.number_of_requests) and (c.number_of_requests ~= nil and c.number_of_requests < 2130706432.0)]],
    "c",
  },
  {
    [[(c.time_between_keepalive_frames ~= nil and c.time_between_keepalive_frames >= 16777216) and (c.time_between_keepalive_frames ~= nil and (math.floor(c.time_between_keepalive_frames / 65536) * 65536) == c.time_between_keepalive_frames)]],
    "c",
  },
  { [[((f.len(c.error_data) or 2) >= 3)]], "c" },
}

local TALLIED = {
  frames = { side = true },
  last_n = { conn = true, side = true, stream = true },
  last_t = { conn = true, side = true, stream = true },
}

local CONTEXT = {} -- object, field, slot with its value

local PAIRS = (function() return {
  {
    name = "resume",
    asks = "resume",
    answers = "resume_ok error",
    type = "call",
    key = { [[flow]], "flow" },
    answer_key = { [[flow]], "flow" },
    answer_guard = 1,
    keep = { server_position = "last_received_server_position" },
  },
  {
    name = "stream",
    asks = "request_response request_stream request_sub request_channel",
    answers = "payload response error",
    key = "stream_id",
    when = { [[(stream.n ~= nil and stream.n == n)]], "stream n" },
    done = {
      [[((name == "error") or (complete and ((c["flags.complete"] or (stream.answer_ends == 1)) or (stream.model == "request_response"))))]],
      "c name complete stream",
    },
    of = "stream",
  },
  {
    name = "keepalive",
    asks = "keepalive",
    answers = "keepalive",
    key = "data raw",
    guard = 2,
    answer_guard = 3,
  },
} end)()

local LIVES = (function() return {
  {
    name = "conn",
    type = "connection",
    scope = "connection",
    keys = {},
    steps = {
      { from = { absent = true, unknown = true }, on = "setup", to = "open" },
      { from = { absent = true, unknown = true }, on = "resume", to = "resuming" },
      { from = { resuming = true }, on = "resume_ok", to = "open" },
      { from = { open = true, resuming = true }, on = "server:error", to = "refused", guard = 4 },
      { from = { open = true, resuming = true }, on = "error", to = "closing", guard = 5 },
      {
        from = { absent = true, unknown = true },
        on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel keepalive lease",
        to = "open",
      },
    },
    each = {},
    final = {},
    live = {},
    starts = { unanswered = 0, orphans = 0 },
  },
  {
    name = "session",
    scope = "capture",
    keys = {
      {
        on = "setup resume",
        key = { [[f.key(server, c["resume_identification_token raw"])]], "c server" },
      },
      {
        on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error keepalive resume_ok tcp.gap tcp.close tcp.reset",
        key = { [[f.key(server, conn.token)]], "server conn" },
      },
    },
    steps = {
      { from = { absent = true, unknown = true }, on = "setup", to = "begun" },
      { from = { absent = true, unknown = true }, on = "resume", to = "tried" },
    },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stream",
    type = "stream",
    scope = "connection",
    keys = {
      {
        on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel",
        key = "stream_id",
      },
      { on = "error", key = "stream_id", guard = 6 },
    },
    steps = {
      { from = { absent = true }, on = "request_response request_stream request_sub", to = "open" },
      {
        from = { absent = true },
        on = "request_channel",
        to = "requester_done",
        guard = 7,
        when = { [[complete]], "complete" },
      },
      { from = { absent = true }, on = "request_channel", to = "open" },
      {
        from = { absent = true },
        on = "request_fnf",
        to = "sent",
        when = { [[complete]], "complete" },
      },
      { from = { absent = true }, on = "request_fnf", to = "open" },
      { from = { unknown = true }, on = "payload response request_n", to = "open" },
      {
        from = { open = true, requester_done = true, responder_done = true },
        on = "error",
        to = "failed",
      },
      {
        from = { open = true, requester_done = true, responder_done = true },
        on = "cancel",
        to = "requester_done",
        when = {
          [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "open"))]],
          "stream side",
        },
      },
      {
        from = { open = true, requester_done = true, responder_done = true },
        on = "cancel",
        to = "done",
        when = {
          [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "responder_done"))]],
          "stream side",
        },
      },
      {
        from = { open = true, requester_done = true, responder_done = true },
        on = "cancel",
        to = "cancelled",
        when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
      },
      {
        from = { open = true },
        on = "payload response",
        to = "sent",
        when = {
          [[((stream.model == "request_fnf") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and complete)]],
          "stream side complete",
        },
      },
      {
        from = { open = true },
        on = "payload response",
        to = "done",
        when = {
          [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
          "stream side complete",
        },
      },
      {
        from = { open = true },
        on = "payload response",
        to = "done",
        when = {
          [[(LISTS[1][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["flags.complete"] or (stream.answer_ends == 1)))]],
          "c stream side complete",
        },
      },
      {
        from = { open = true },
        on = "payload response",
        to = "responder_done",
        when = {
          [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["flags.complete"] or (stream.answer_ends == 1)))]],
          "c stream side complete",
        },
      },
      {
        from = { requester_done = true },
        on = "payload response",
        to = "done",
        when = {
          [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["flags.complete"] or (stream.answer_ends == 1)))]],
          "c side stream complete",
        },
      },
      {
        from = { open = true },
        on = "payload response",
        to = "requester_done",
        when = {
          [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and complete and (c["flags.complete"] or (stream.own_ends == 1)))]],
          "c stream side complete",
        },
      },
      {
        from = { responder_done = true },
        on = "payload response",
        to = "done",
        when = {
          [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and complete and (c["flags.complete"] or (stream.own_ends == 1)))]],
          "c side stream complete",
        },
      },
    },
    each = {},
    final = { cancelled = true, done = true, failed = true, sent = true },
    live = { open = true, requester_done = true, responder_done = true },
    starts = { items = 0, own_items = 0, granted = 0, own_credit = 0, starved = 0 },
    survives = { [[(conn.resumable and (conn.token ~= nil))]], "conn" },
  },
  {
    name = "refused",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[((stream.asked ~= nil) and f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route), stream.asked) or nil)]],
          "stream client server conn",
        },
        guard = 6,
      },
      {
        on = "end:stream",
        key = {
          [[(((why == "done") and (stream.asked ~= nil)) and f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route), stream.asked) or nil)]],
          "why stream client server conn",
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
    name = "refused_route",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[(((f.len(stream.route) or 0) > 0) and f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route) or nil)]],
          "stream client server conn",
        },
        guard = 8,
      },
      {
        on = "end:stream",
        key = {
          [[(((why == "done") and ((f.len(stream.route) or 0) > 0)) and f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route) or nil)]],
          "why stream client server conn",
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
    name = "given_up",
    scope = "capture",
    keys = {
      {
        on = "cancel",
        key = {
          [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.asked ~= nil)) and f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route), stream.asked) or nil)]],
          "stream side client server conn",
        },
      },
      {
        on = "end:stream",
        key = {
          [[(((why == "done") and (stream.asked ~= nil)) and f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route), stream.asked) or nil)]],
          "why stream client server conn",
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
    name = "polled",
    scope = "connection",
    keys = {
      {
        on = "payload",
        key = {
          [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.asked ~= nil)) and f.key(stream.route, stream.asked) or nil)]],
          "stream side complete",
        },
      },
      {
        on = "response",
        key = {
          [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.asked ~= nil)) and f.key(stream.route, stream.asked) or nil)]],
          "stream side complete",
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
    name = "sent_again",
    scope = "connection",
    keys = {
      {
        on = "request_fnf",
        key = {
          [[(complete and f.key((f.digest(c["metadata raw"]) or ""), f.digest(c["data raw"])) or nil)]],
          "c complete",
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
    name = "pushed",
    scope = "connection",
    keys = { { on = "metadata_push", key = { [[f.digest(c["metadata raw"])]], "c" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "refused_setup",
    scope = "capture",
    keys = { { on = "server:error", key = { [[f.key(client, server)]], "client server" }, guard = 4 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "unsupported",
    scope = "capture",
    keys = {
      {
        on = "server:error",
        key = { [[(LISTS[2][conn.state] and f.key(client, server) or nil)]], "conn client server" },
        guard = 9,
      },
      {
        on = "server:payload",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
        },
      },
      {
        on = "server:response",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
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
    name = "cut_off",
    scope = "capture",
    keys = {
      { on = "server:error", key = { [[f.key(client, server)]], "client server" }, guard = 10 },
      {
        on = "server:payload",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
        },
      },
      {
        on = "server:response",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
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
    name = "empty_lease",
    scope = "connection",
    keys = {
      {
        on = "lease",
        key = {
          [[f.choose((((peer.granted_n == nil) and ((c.number_of_requests == 0) or (c.time_to_live == 0))) or ((c.number_of_requests ~= nil and c.number_of_requests > 0) and (c.time_to_live ~= nil and c.time_to_live > 0))), side, nil)]],
          "c peer side",
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
    name = "rejected",
    scope = "capture",
    keys = {
      { on = "server:error", key = { [[f.key(client, server)]], "client server" }, guard = 11 },
      {
        on = "server:payload",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
        },
      },
      {
        on = "server:response",
        key = {
          [[(((conn.setup_n ~= nil) and (S.served_n == nil)) and f.key(client, server) or nil)]],
          "conn S client server",
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
    name = "refused_alike",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[(((f.len(stream.route) or 0) > 0) and f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route) or nil)]],
          "stream client server conn",
        },
        guard = 12,
      },
      {
        on = "end:stream",
        key = {
          [[(((why == "done") and ((f.len(stream.route) or 0) > 0)) and f.key(f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.model), stream.route) or nil)]],
          "why stream client server conn",
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
    name = "refused_bare",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[(((stream.route == "") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0)) and f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.owner) or nil)]],
          "stream side client server conn",
        },
        guard = 12,
      },
      {
        on = "end:stream",
        key = {
          [[(((why == "done") and (stream.route == "")) and f.key(f.key(f.key(f.key(f.key(client, server), (conn.keepalive or 0)), (conn.max_lifetime or 0)), (conn.metadata_mime_type or "")), stream.owner) or nil)]],
          "why stream client server conn",
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
    name = "broken",
    scope = "capture",
    keys = { { on = "server:error", key = { [[f.key(client, server)]], "client server" }, guard = 10 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "abandoned",
    scope = "capture",
    keys = {
      {
        on = "client:error",
        key = { [[((conn.setup_n ~= nil) and f.key(client, server) or nil)]], "conn client server" },
        guard = 10,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "gone",
    scope = "capture",
    keys = {
      {
        on = "client:tcp.close",
        key = {
          [[((((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE)) or ((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and ((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n < S.last_n) or (S.last_t ~= nil and (t - S.last_t) >= K.GONE)))) and f.key(client, server) or nil)]],
          "conn S t client server",
        },
      },
      {
        on = "client:tcp.reset",
        key = {
          [[((((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE)) or ((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and ((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n < S.last_n) or (S.last_t ~= nil and (t - S.last_t) >= K.GONE)))) and f.key(client, server) or nil)]],
          "conn S t client server",
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
    name = "requested_again",
    scope = "connection",
    keys = {
      {
        on = "request_stream",
        key = {
          [[(complete and f.key(f.key(name, (f.digest(c["metadata raw"]) or "")), (f.digest(c["data raw"]) or "")) or nil)]],
          "c complete name",
        },
      },
      {
        on = "request_channel",
        key = {
          [[(complete and f.key(f.key(name, (f.digest(c["metadata raw"]) or "")), (f.digest(c["data raw"]) or "")) or nil)]],
          "c complete name",
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
          [[((why ~= nil and not LISTS[4][why]) and f.key(client, server) or nil)]],
          "why client server",
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
    name = "resumed_again",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[4][why]) and f.key(client, server) or nil)]],
          "why client server",
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
    name = "idle_connections",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "called_once",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "cancelled_at_once",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), flow, nil)]], "why flow" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "only_first",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), flow, nil)]], "why flow" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "cut_short",
    scope = "connection",
    keys = {
      {
        on = "cancel",
        key = {
          [[f.choose((LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items ~= nil and stream.items > 1) and (stream.credit ~= nil and stream.items ~= nil and stream.credit > (stream.items * K.EXCESS)) and (LISTS[6][stream.state] or ((stream.state == "done") and (stream.ended_t ~= nil and (t - stream.ended_t) < K.CROSSING)))), stream.model, nil)]],
          "stream side t",
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
    name = "asked_anew",
    scope = "connection",
    keys = {
      {
        on = "request_stream",
        key = {
          [[f.choose((((me.dropped_t ~= nil and (t - me.dropped_t) <= K.ANEW) and (me.dropped_route ~= nil and f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "") ~= nil and me.dropped_route == f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")) and (me.dropped_asked ~= nil and me.dropped_asked ~= (f.digest(c["data raw"]) or ""))) or ((me.dropped_t ~= nil and (t - me.dropped_t) > K.ANEW) or (me.dropped_route ~= nil and f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "") ~= nil and me.dropped_route ~= f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")) or (me.dropped_asked ~= nil and me.dropped_asked == (f.digest(c["data raw"]) or "")))), flow, nil)]],
          "c me t flow",
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
    name = "single_streams",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), flow, nil)]], "why flow" },
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
    scope = "capture",
    keys = {
      {
        on = "request_stream request_channel",
        key = {
          [[f.key(f.key(f.key(client, server), f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")), (f.digest(c["data raw"]) or ""))]],
          "c client server",
        },
      },
      {
        on = "end:stream",
        key = {
          [[(LISTS[5][stream.model] and f.key(f.key(f.key(client, server), stream.route), stream.asked) or nil)]],
          "stream client server",
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
    name = "holder",
    scope = "capture",
    keys = {
      {
        on = "request_stream request_channel",
        key = { [[((twin.token ~= nil) and f.key(server, twin.token) or nil)]], "twin server" },
      },
      {
        on = "setup",
        key = { [[f.key(server, c["resume_identification_token raw"])]], "c server" },
        guard = 13,
      },
      {
        on = "resume_ok tcp.close tcp.reset",
        key = { [[((conn.token ~= nil) and f.key(server, conn.token) or nil)]], "conn server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "brief_channels",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), flow, nil)]], "why flow" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "comer",
    scope = "capture",
    keys = {
      {
        on = "client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset setup resume end:conn",
        key = {
          [[((conn.resumable or (conn.setup_n == nil)) and f.key(client, server) or nil)]],
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
    name = "shared_token",
    scope = "capture",
    keys = {
      {
        on = "setup",
        key = { [[f.key(server, c["resume_identification_token raw"])]], "c server" },
        guard = 13,
      },
      {
        on = "resume",
        key = { [[f.key(server, c["resume_identification_token raw"])]], "c server" },
        guard = 13,
      },
      { on = "end:conn", key = { [[f.key(server, conn.token)]], "server conn" } },
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
        on = "setup end:stream",
        key = {
          [[(((conn.setup_n == nil) or (conn.resumable ~= nil and not conn.resumable)) and f.key(client, server) or nil)]],
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
    name = "served",
    scope = "capture",
    keys = {
      {
        on = "end:stream error",
        key = { [[f.choose((stream.metadata ~= nil), server, nil)]], "stream server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "alike",
    scope = "connection",
    keys = {
      {
        on = "request_response",
        key = {
          [[(complete and f.key(f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), ""), (f.digest(c["data raw"]) or "")) or nil)]],
          "c complete",
        },
      },
      {
        on = "end:stream",
        key = {
          [[((stream.model == "request_response") and f.key(stream.route, stream.asked) or nil)]],
          "stream",
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
    name = "asked_singly",
    scope = "connection",
    keys = {
      {
        on = "request_response",
        key = {
          [[(complete and ((((c["#metadata"] or 0) or 0) > 0) and f.digest(c["metadata raw"]) or not (((c["#metadata"] or 0) or 0) > 0) and "" or nil) or nil)]],
          "c complete",
        },
      },
      {
        on = "payload",
        key = {
          [[f.choose(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete), stream.route, nil)]],
          "stream side complete",
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
    name = "spot",
    scope = "capture",
    keys = {
      {
        on = "client:request_response client:request_fnf client:request_stream client:request_channel client:payload client:request_n client:cancel client:error",
        key = {
          [[((conn.token ~= nil) and f.key(f.key(server, conn.token), session.client_sent) or nil)]],
          "conn server session",
        },
        guard = 6,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "asked_once",
    scope = "capture",
    keys = {
      {
        on = "client:request_response client:request_fnf client:request_stream client:request_channel",
        key = {
          [[((conn.token ~= nil) and f.key(f.key(server, conn.token), c.stream_id) or nil)]],
          "c conn server",
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
        on = "server:request_response server:request_fnf server:request_stream server:request_channel server:payload server:request_n server:cancel server:error",
        key = {
          [[((conn.token ~= nil) and f.key(f.key(server, conn.token), session.server_sent) or nil)]],
          "conn server session",
        },
        guard = 6,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "echoing",
    scope = "capture",
    keys = {
      {
        on = "client:payload",
        key = {
          [[(((stream.model == "request_channel") and (stream.own_items == 0)) and f.key(client, server) or nil)]],
          "stream client server",
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
    name = "channels_as_streams",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), flow, nil)]], "why flow" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "empty_answers",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), stream.route, nil)]], "why stream" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "timed_out",
    scope = "connection",
    keys = {
      {
        on = "cancel",
        key = {
          [[f.choose(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE)), flow, nil)]],
          "stream side t flow",
        },
      },
      {
        on = "end:stream",
        key = {
          [[f.choose(((stream.model == "request_response") and (why == "done")), flow, nil)]],
          "stream why flow",
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
    name = "unlike_others",
    scope = "connection",
    keys = {
      {
        on = "cancel",
        key = {
          [[f.choose(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE) and (me.answers_got ~= nil and me.answers_got >= K.SOME_ANSWERS) and (stream.t ~= nil and me.answer_time ~= nil and (t - stream.t) >= (me.answer_time * K.FAR_LONGER))), flow, nil)]],
          "stream side t me flow",
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
    name = "silent_session",
    scope = "connection",
    keys = {
      {
        on = "cancel",
        key = {
          [[f.choose(((conn.resumed_n ~= nil) and (session.answered_n ~= nil) and (peer.after_n == nil) and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items == 0) and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE)), flow, nil)]],
          "conn session peer side stream t flow",
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
    name = "lately",
    scope = "capture",
    keys = {
      {
        on = "client:request_response client:request_fnf",
        key = { [[f.choose(complete, server, nil)]], "complete server" },
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
    name = "emptied",
    scope = "connection",
    keys = {
      {
        on = "error",
        key = {
          [[f.choose(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.empty == 1) and (stream.items == 0) and (stream.route ~= nil and peer.filled_route ~= nil and stream.route == peer.filled_route)), flow, nil)]],
          "side stream peer flow",
        },
        guard = 6,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "overflowed",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items ~= nil and stream.items > 0) and (stream.credit ~= nil and stream.credit <= 0) and LISTS[5][stream.model]) and f.key(f.key(client, server), stream.route) or nil)]],
          "side stream client server",
        },
        guard = 6,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "one_use",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[4][why]) and f.key(client, server) or nil)]],
          "why client server",
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
    name = "freed",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "idled",
    scope = "capture",
    keys = {
      {
        on = "server:tcp.close",
        key = {
          [[(((f.max(C.last_t, (S.last_t or 0)) ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) > K.IDLING) and (f.max(C.last_t, (S.last_t or 0)) ~= nil and conn.keepalive ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) < (conn.keepalive * 1000000)) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) < (conn.max_lifetime * 900000)) and conn.start and conn.whole and conn.both) and f.key(client, server) or nil)]],
          "C S t conn client server",
        },
      },
      {
        on = "server:tcp.reset",
        key = {
          [[(((f.max(C.last_t, (S.last_t or 0)) ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) > K.IDLING) and (f.max(C.last_t, (S.last_t or 0)) ~= nil and conn.keepalive ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) < (conn.keepalive * 1000000)) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) < (conn.max_lifetime * 900000)) and conn.start and conn.whole and conn.both) and f.key(client, server) or nil)]],
          "C S t conn client server",
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
    name = "unasked",
    scope = "capture",
    keys = {
      {
        on = "client:tcp.close",
        key = {
          [[(((conn.setup_n ~= nil) and (C.asked == nil) and (C.keepalive_n == nil) and (S.last_n == nil) and (S.closed_n == nil) and conn.start and conn.whole and conn.both) and f.key(client, server) or nil)]],
          "conn C S client server",
        },
      },
      {
        on = "client:tcp.reset",
        key = {
          [[(((conn.setup_n ~= nil) and (C.asked == nil) and (C.keepalive_n == nil) and (S.last_n == nil) and (S.closed_n == nil) and conn.start and conn.whole and conn.both) and f.key(client, server) or nil)]],
          "conn C S client server",
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
    name = "server_gone",
    scope = "capture",
    keys = {
      {
        on = "server:tcp.close",
        key = {
          [[(((C.act_n ~= nil and C.last_n ~= nil and C.act_n == C.last_n) and (C.last_n ~= nil and C.last_n > (S.last_n or 0)) and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (S.frames ~= nil and S.frames > 0) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES) and (C.act ~= nil and not LISTS[7][C.act])) and f.key(f.key(f.key(client, server), C.act), C.act_of) or nil)]],
          "C S t conn client server",
        },
      },
      {
        on = "server:tcp.reset",
        key = {
          [[(((C.act_n ~= nil and C.last_n ~= nil and C.act_n == C.last_n) and (C.last_n ~= nil and C.last_n > (S.last_n or 0)) and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (S.frames ~= nil and S.frames > 0) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES) and (C.act ~= nil and not LISTS[7][C.act])) and f.key(f.key(f.key(client, server), C.act), C.act_of) or nil)]],
          "C S t conn client server",
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
    name = "server_gone_at_ending",
    scope = "capture",
    keys = {
      {
        on = "server:tcp.close",
        key = {
          [[(((C.endings == 1) and (C.ending_t ~= nil and (t - C.ending_t) < K.GONE) and ((f.live(conn, "stream") or 0) > 0) and (S.frames ~= nil and S.frames > 0) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil)) and f.key(client, server) or nil)]],
          "C t conn S client server",
        },
      },
      {
        on = "server:tcp.reset",
        key = {
          [[(((C.endings == 1) and (C.ending_t ~= nil and (t - C.ending_t) < K.GONE) and ((f.live(conn, "stream") or 0) > 0) and (S.frames ~= nil and S.frames > 0) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil)) and f.key(client, server) or nil)]],
          "C t conn S client server",
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
    name = "outcomes",
    scope = "capture",
    keys = {
      {
        on = "end:stream",
        key = {
          [[((LISTS[5][stream.model] and (stream.asked ~= nil)) and f.key(f.key(server, stream.model), stream.route) or nil)]],
          "stream server",
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
    name = "unused",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "lost_request",
    scope = "capture",
    keys = {
      {
        on = "client:request_response",
        key = {
          [[((complete and ((C.asked or 0) <= K.FIRST_CALLS)) and f.key(f.key(f.key(client, server), (f.digest(c["metadata raw"]) or "")), f.digest(c["data raw"])) or nil)]],
          "c complete C client server",
        },
        guard = 14,
      },
      {
        on = "end:stream",
        key = {
          [[(((stream.model == "request_response") and (stream.items == 0) and (stream.state == "open") and LISTS[8][why] and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and (conn.resumable ~= nil and not conn.resumable)) and f.key(f.key(f.key(client, server), stream.route), stream.asked) or nil)]],
          "stream why C conn client server",
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
    name = "away",
    scope = "capture",
    keys = {
      {
        on = "client:tcp.close client:tcp.reset server:tcp.close server:tcp.reset setup resume end:conn",
        key = { [[f.key(client, server)]], "client server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "patron",
    scope = "capture",
    keys = {
      { on = "client:keepalive", key = { [[client]], "client" } },
      { on = "end:away", key = { [[away.client]], "away" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "never_served",
    scope = "capture",
    keys = {
      {
        on = "error",
        key = {
          [[(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.route) or 0) > 0)) and f.key(f.key(f.key(client, server), stream.model), stream.route) or nil)]],
          "side stream client server",
        },
        guard = 6,
      },
      {
        on = "end:stream",
        key = {
          [[((LISTS[9][why] and ((f.len(stream.route) or 0) > 0)) and f.key(f.key(f.key(client, server), stream.model), stream.route) or nil)]],
          "why stream client server",
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
    name = "rejected_on",
    scope = "connection",
    keys = {
      {
        on = "error",
        key = {
          [[f.choose(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (not f.coalesce(conn.leases, 0))), flow, nil)]],
          "side stream conn flow",
        },
        guard = 15,
      },
      { on = "end:stream", key = { [[f.choose((why == "done"), flow, nil)]], "why flow" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "replies",
    scope = "capture",
    keys = {
      {
        on = "end:stream",
        key = {
          [[(((stream.model == "request_response") and (stream.items ~= nil and stream.items > 0) and ((f.len(stream.route) or 0) > 0)) and f.key(server, stream.route) or nil)]],
          "stream server",
        },
      },
      {
        on = "client:request_fnf",
        key = { [[(complete and f.key(server, f.digest(c["metadata raw"])) or nil)]], "c complete server" },
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
    name = "pages",
    scope = "connection",
    keys = {
      {
        on = "end:stream",
        key = { [[f.choose((why ~= nil and not LISTS[4][why]), stream.route, nil)]], "why stream" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "gone_at_setup",
    scope = "capture",
    keys = {
      {
        on = "server:tcp.close",
        key = {
          [[(((C.frames == 1) and ((S.frames or 0) == 0) and (C.act == "setup") and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and ((S.left_t or t) == t)) and f.key(client, server) or nil)]],
          "C S t conn client server",
        },
      },
      {
        on = "server:tcp.reset",
        key = {
          [[(((C.frames == 1) and ((S.frames or 0) == 0) and (C.act == "setup") and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and ((S.left_t or t) == t)) and f.key(client, server) or nil)]],
          "C S t conn client server",
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
    name = "desk",
    scope = "connection",
    keys = {
      {
        on = "request_response",
        key = {
          [[(complete and f.key(side, (f.digest(c["metadata raw"]) or "")) or nil)]],
          "c complete side",
        },
      },
      {
        on = "payload response error",
        key = {
          [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.route ~= nil)) and f.key(stream.owner, stream.route) or nil)]],
          "stream side",
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
    name = "bank",
    scope = "capture",
    keys = {
      { on = "server:payload end:conn", key = { [[server]], "server" } },
      { on = "end:away", key = { [[away.server]], "away" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "feed",
    scope = "capture",
    keys = {
      {
        on = "payload",
        key = {
          [[(((stream.asked ~= nil) and (stream.items ~= nil and stream.items <= K.FOLD_ITEMS) and (stream.model ~= nil and stream.model ~= "request_response")) and f.key(f.key(f.key(f.key(client, server), stream.model), stream.route), stream.asked) or nil)]],
          "stream client server",
        },
      },
      {
        on = "end:stream",
        key = {
          [[((stream.asked ~= nil) and f.key(f.key(f.key(f.key(client, server), stream.model), stream.route), stream.asked) or nil)]],
          "stream client server",
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
    name = "denied",
    scope = "connection",
    keys = {
      {
        on = "error",
        key = {
          [[f.choose(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0) and (peer.accepted_n ~= nil)), flow, nil)]],
          "side stream peer flow",
        },
        guard = 6,
      },
      { on = "end:stream", key = { [[f.choose((why == "done"), flow, nil)]], "why flow" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "wanted",
    scope = "capture",
    keys = {
      {
        on = "end:stream client:request_response client:request_stream client:request_channel client:keepalive",
        key = { [[f.key(client, server)]], "client server" },
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
      { on = "tcp.gap tcp.resync", key = { [[(0 * t)]], "t" }, guard = 17 },
      {
        on = "end:conn",
        key = { [[f.choose((conn.start and conn.whole and conn.both), nil, (0 * t))]], "conn t" },
      },
      {
        on = "request_stream",
        key = {
          [[f.choose((complete and (twin.open ~= nil and twin.open > 0) and (twin.flow ~= nil and flow ~= nil and twin.flow ~= flow) and ((conn.token == nil) or (twin.token ~= nil and conn.token ~= nil and twin.token ~= conn.token)) and ((twin.token == nil) or (holder.flow ~= nil))), (0 * t), nil)]],
          "complete twin flow conn holder t",
        },
      },
      {
        on = "request_channel",
        key = {
          [[f.choose((complete and (twin.open ~= nil and twin.open > 0) and (twin.flow ~= nil and flow ~= nil and twin.flow ~= flow) and ((conn.token == nil) or (twin.token ~= nil and conn.token ~= nil and twin.token ~= conn.token)) and ((twin.token == nil) or (holder.flow ~= nil))), (0 * t), nil)]],
          "complete twin flow conn holder t",
        },
      },
      {
        on = "end:away",
        key = {
          [[f.choose((((patron.beat_t ~= nil and away.lost_t ~= nil and (patron.beat_t - away.lost_t) > K.AWAY) and (bank.of_t ~= nil and away.lost_t ~= nil and bank.of_t > away.lost_t)) or ((away.lost_t ~= nil and (t - away.lost_t) > K.AWAY) and (bank.of_t ~= nil and away.lost_t ~= nil and bank.of_t > away.lost_t))), (0 * t), nil)]],
          "patron away bank t",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
} end)()

local MOVES = (function() return {
  {
    on = "setup",
    when = { [[(conn.setup_n == nil)]], "conn" },
    does = {
      [[conn.setup_n = n; conn.setup_t = t; conn.keepalive = c.time_between_keepalive_frames; conn.max_lifetime = c.max_lifetime; conn.leases = c["flags.lease"]; conn.resumable = c["flags.resume_enable"]; conn.data_mime_type = c.data_mime_type; if (c.data_mime_type ~= nil) then conn.metadata_mime_type = c.metadata_mime_type else conn.metadata_mime_type = nil end]],
      "c conn n t",
    },
  },
  {
    on = "resume",
    does = {
      [[conn.resume_n = n; conn.resumable = true; conn.first_available = c.first_available_client_position]],
      "c conn n",
    },
  },
  {
    on = "any",
    fixed = { [[(not LISTS[7][name])]], "name" },
    when = { [[(conn.state == "absent")]], "conn" },
    does = { [[conn.unopened_n = f.coalesce(conn.unopened_n, n)]], "conn n" },
  },
  {
    on = "server:payload server:response server:request_n server:lease server:keepalive",
    does = { [[S.served_n = f.coalesce(S.served_n, n)]], "S n" },
  },
  {
    on = "server:error",
    guard = 4,
    when = { [=[LISTS[2][conn.state]]=], "conn" },
    does = { [[conn.refused_n = n; conn.refused_t = t]], "conn n t" },
  },
  {
    on = "server:request_response server:request_fnf server:request_stream server:request_sub server:request_channel server:payload server:response",
    does = { [[S.working_n = f.coalesce(S.working_n, n)]], "S n" },
  },
  {
    on = "error",
    guard = 18,
    when = { [[(conn.over_n == nil)]], "conn" },
    does = { [[conn.over_n = n; conn.over_t = t; conn.over_side = side]], "conn n t side" },
  },
  {
    on = "error",
    guard = 19,
    does = { [[conn.closing_n = f.coalesce(conn.closing_n, n)]], "conn n" },
  },
  { on = "server:tcp.close server:tcp.reset", does = { [[S.closed_n = 1]], "S" } },
  { on = "server:tcp.close", does = { [[S.closed_t = t]], "S t" } },
  { on = "resume", when = { [[conn.start]], "conn" }, does = { [[session.seen = 1]], "session" } },
  {
    on = "setup",
    guard = 13,
    does = {
      [[session.setup_n = n; session.major = c.major_version; session.minor = c.minor_version]],
      "c session n",
    },
  },
  {
    on = "setup resume",
    does = { [=[conn.token = c["resume_identification_token raw"]]=], "c conn" },
  },
  {
    on = "error",
    guard = 20,
    when = { [[(conn.state == "resuming")]], "conn" },
    does = { [[session.refused_n = n]], "session n" },
  },
  {
    on = "setup",
    when = { [[conn.start]], "conn" },
    does = { [[session.client_most = 0; session.server_most = 0]], "session" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    fixed = { [[(sender == "client")]], "sender" },
    does = {
      [[session.client_most = (session.client_most ~= nil and size ~= nil and (session.client_most + size) or nil)]],
      "session size",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    fixed = { [[(sender == "server")]], "sender" },
    does = {
      [[session.server_most = (session.server_most ~= nil and size ~= nil and (session.server_most + size) or nil)]],
      "session size",
    },
  },
  {
    on = "tcp.gap",
    does = {
      [[session.client_most = nil; session.server_most = nil; session.client_sent = nil; session.server_sent = nil]],
      "session",
    },
  },
  {
    on = "setup",
    when = { [[conn.start]], "conn" },
    does = { [[session.client_sent = 0; session.server_sent = 0]], "session" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    guard = 6,
    fixed = { [[(sender == "client")]], "sender" },
    does = {
      [[session.client_sent = (session.client_sent ~= nil and f.choose(conn.carried, size, (size ~= nil and (size - 3) or nil)) ~= nil and (session.client_sent + f.choose(conn.carried, size, (size ~= nil and (size - 3) or nil))) or nil)]],
      "session conn size",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    guard = 6,
    fixed = { [[(sender == "server")]], "sender" },
    does = {
      [[session.server_sent = (session.server_sent ~= nil and f.choose(conn.carried, size, (size ~= nil and (size - 3) or nil)) ~= nil and (session.server_sent + f.choose(conn.carried, size, (size ~= nil and (size - 3) or nil))) or nil)]],
      "session conn size",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    guard = 6,
    fixed = { [[(sender == "client")]], "sender" },
    when = { [[conn.resumable]], "conn" },
    does = { [[session.client_ends = f.put(session.client_ends, session.client_sent)]], "session" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error",
    guard = 6,
    fixed = { [[(sender == "server")]], "sender" },
    when = { [[conn.resumable]], "conn" },
    does = { [[session.server_ends = f.put(session.server_ends, session.server_sent)]], "session" },
  },
  {
    on = "setup",
    does = {
      [[session.flow = flow; session.keepalive = conn.keepalive; session.max_lifetime = conn.max_lifetime; session.leases = conn.leases; session.data_mime_type = conn.data_mime_type; session.metadata_mime_type = conn.metadata_mime_type]],
      "session flow conn",
    },
  },
  {
    on = "resume_ok",
    does = {
      [[conn.resumed_at = c.last_received_client_position; conn.resumed_n = n; conn.had_sent = session.client_sent; conn.had_served = session.server_sent]],
      "c conn n session",
    },
  },
  {
    on = "resume_ok",
    does = {
      [[f.adopt(conn, "stream"); session.flow = flow; session.server_sent = req.server_position; session.client_sent = c.last_received_client_position; conn.keepalive = session.keepalive; conn.max_lifetime = session.max_lifetime; conn.leases = session.leases; conn.data_mime_type = session.data_mime_type; conn.metadata_mime_type = session.metadata_mime_type]],
      "c conn session flow req",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error keepalive",
    fixed = { [[(sender == "client")]], "sender" },
    when = { [[(conn.resumable and (S.last_t ~= nil and (t - S.last_t) > K.HEARD))]], "conn S t" },
    does = { [[session.client_heard = session.server_sent]], "session" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    fixed = { [[(sender == "client")]], "sender" },
    when = { [[conn.resumable]], "conn" },
    does = { [[stream.asked_to = session.client_sent]], "stream session" },
  },
  {
    on = "payload response error",
    fixed = { [[(sender == "server")]], "sender" },
    when = { [[(stream.asked_to ~= nil)]], "stream" },
    does = {
      [[session.answered = f.max((session.answered or 0), stream.asked_to); session.answered_n = stream.n]],
      "session stream",
    },
  },
  { on = "resume", does = { [[conn.client_whole = session.client_over]], "conn session" } },
  {
    on = "setup resume",
    does = { [[session.client_over = nil; session.server_over = nil]], "session" },
  },
  { on = "client:tcp.close tcp.reset", does = { [[session.client_over = 1]], "session" } },
  { on = "server:tcp.close tcp.reset", does = { [[session.server_over = 1]], "session" } },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = { [[(stream.state ~= nil and not LISTS[6][stream.state])]], "stream" },
    does = { [[stream.model = name; stream.asking = (complete and 0 or 1)]], "stream name complete" },
  },
  {
    on = "request_stream request_channel",
    when = { [[(stream.state ~= nil and not LISTS[6][stream.state])]], "stream" },
    does = { [[stream.credit = c.initial_request_n; stream.requested = c.initial_request_n]], "c stream" },
  },
  {
    on = "request_channel",
    guard = 7,
    when = { [[(complete ~= nil and not complete)]], "complete" },
    does = { [[stream.own_ends = 1]], "stream" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    guard = 14,
    when = { [[(complete ~= nil and not complete)]], "complete" },
    does = { [[stream.own_data = 1]], "stream" },
  },
  {
    on = "payload response",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.answer_cut = 1; stream.cut_n = f.coalesce(stream.cut_n, n)]], "stream n" },
  },
  {
    on = "payload response",
    guard = 7,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.answer_ends = 1]], "stream" },
  },
  {
    on = "payload response",
    guard = 14,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.answer_data = 1]], "stream" },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["flags.next"] or (stream.answer_cut == 1)))]],
      "c side stream complete",
    },
    does = {
      [[stream.credit = (stream.credit ~= nil and (stream.credit - 1) or nil); stream.items = ((stream.items or 0) + 1); stream.first_item_t = f.coalesce(stream.first_item_t, t); stream.item_n = n]],
      "stream t n",
    },
  },
  {
    on = "payload response",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
      "side stream complete",
    },
    does = { [[stream.answer_cut = 0; stream.answer_data = 0; stream.cut_n = nil]], "stream" },
  },
  {
    on = "payload",
    guard = 21,
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and ((stream.answer_ends or 0) == 0))]],
      "stream side complete",
    },
    does = { [[stream.lacks_complete = f.coalesce(stream.lacks_complete, n)]], "stream n" },
  },
  {
    on = "payload response",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.own_cut = 1; stream.own_cut_n = f.coalesce(stream.own_cut_n, n)]], "stream n" },
  },
  {
    on = "payload response",
    guard = 7,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.own_ends = 1]], "stream" },
  },
  {
    on = "payload response",
    guard = 14,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (complete ~= nil and not complete))]],
      "side stream complete",
    },
    does = { [[stream.own_data = 1]], "stream" },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and complete and (stream.asking == 0) and (c["flags.next"] or (stream.own_cut == 1)))]],
      "c side stream complete",
    },
    does = {
      [[stream.own_credit = (stream.own_credit ~= nil and (stream.own_credit - 1) or nil); stream.own_items = ((stream.own_items or 0) + 1)]],
      "stream",
    },
  },
  {
    on = "payload response",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and complete)]],
      "side stream complete",
    },
    does = {
      [[stream.asking = 0; stream.own_cut = 0; stream.own_data = 0; stream.own_cut_n = nil]],
      "stream",
    },
  },
  {
    on = "request_n",
    when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
    does = {
      [[stream.credit = (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) or nil); stream.requested = (stream.requested ~= nil and c.request_n ~= nil and (stream.requested + c.request_n) or nil)]],
      "c stream",
    },
  },
  {
    on = "request_n",
    when = { [[(side ~= nil and stream.owner ~= nil and side ~= stream.owner)]], "side stream" },
    does = {
      [[stream.own_credit = (stream.own_credit ~= nil and c.request_n ~= nil and (stream.own_credit + c.request_n) or nil); stream.granted = 1]],
      "c stream",
    },
  },
  {
    on = "error",
    when = { [=[LISTS[6][stream.state]]=], "stream" },
    does = { [[stream.closer = side; stream.closer_n = n]], "stream side n" },
  },
  {
    on = "cancel",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and LISTS[6][stream.state])]],
      "side stream",
    },
    does = { [[stream.closer = side; stream.closer_n = n]], "stream side n" },
  },
  {
    on = "cancel",
    when = {
      [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner))]],
      "stream side",
    },
    does = { [[stream.own_cancelled = n]], "stream n" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    does = {
      [[if ((me.last_id ~= nil and me.last_id >= K.LAST_IDS) and (c.stream_id ~= nil and c.stream_id < K.LAST_IDS)) then me.last_id = c.stream_id else me.last_id = f.max((me.last_id or 0), c.stream_id) end; me.opened_t = t; me.opened_n = n]],
      "c me t n",
    },
  },
  {
    on = "lease",
    guard = 22,
    does = { [[peer.granted_n = f.coalesce(peer.granted_n, n)]], "peer n" },
  },
  {
    on = "lease",
    does = {
      [[peer.budget = c.number_of_requests; peer.lease_n = n; peer.lease_end = (c.time_to_live ~= nil and (t + (c.time_to_live * 1000000)) or nil)]],
      "c peer n t",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = {
      [[(conn.leases and ((me.budget ~= nil and me.budget <= 0) or (me.lease_end ~= nil and t > me.lease_end)))]],
      "conn me t",
    },
    does = { [[stream.over_lease_n = n]], "stream n" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = { [[(conn.leases and (me.budget == 1))]], "conn me" },
    does = { [[me.spent_t = t; me.spent_n = n]], "me t n" },
  },
  { on = "lease", does = { [[peer.spent_n = nil]], "peer" } },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = { [[conn.leases]], "conn" },
    does = { [[me.budget = (me.budget ~= nil and (me.budget - 1) or nil)]], "me" },
  },
  {
    on = "keepalive",
    guard = 3,
    when = { [[orphan]], "orphan" },
    does = { [[conn.orphans = (conn.orphans ~= nil and (conn.orphans + 1) or nil)]], "conn" },
  },
  {
    on = "keepalive",
    guard = 3,
    when = { [[(orphan ~= nil and not orphan)]], "orphan" },
    does = { [[me.answered_t = t; me.answered_of_t = req.t]], "me t req" },
  },
  { on = "client:keepalive", does = { [[C.keepalive_n = n]], "C n" } },
  {
    on = "client:keepalive",
    guard = 2,
    when = {
      [[(f.coalesce(C.beat_t, conn.setup_t) ~= nil and conn.keepalive ~= nil and ((t - f.coalesce(C.beat_t, conn.setup_t)) * 2) > (conn.keepalive * 3000000))]],
      "C conn t",
    },
    does = {
      [[C.slow_beats_chained = ((C.slow_beats_times ~= nil and C.slow_beats_times > 0) and (C.slow_beats_latest_t ~= nil and conn.keepalive ~= nil and (t - C.slow_beats_latest_t) <= (conn.keepalive * 10000000))); if not C.slow_beats_chained then C.slow_beats_first_n = n end; if C.slow_beats_chained then C.slow_beats_times = (C.slow_beats_times ~= nil and (C.slow_beats_times + 1) or nil) else C.slow_beats_times = 1 end; C.slow_beats_latest_t = t]],
      "C conn t n",
    },
  },
  {
    on = "client:keepalive",
    when = {
      [[((c["flags.respond"] ~= nil and not c["flags.respond"]) or (f.coalesce(C.beat_t, conn.setup_t) ~= nil and conn.keepalive ~= nil and ((t - f.coalesce(C.beat_t, conn.setup_t)) * 2) <= (conn.keepalive * 3000000)))]],
      "c C conn t",
    },
    does = { [[C.slow_beats_times = 0]], "C" },
  },
  { on = "client:keepalive", guard = 2, does = { [[C.beat_t = t]], "C t" } },
  {
    on = "client:keepalive",
    when = { [[conn.resumable]], "conn" },
    does = {
      [[C.stuck = (((c.last_received_position ~= nil and C.position ~= nil and c.last_received_position == C.position) and (session.server_sent ~= nil and C.beaten ~= nil and session.server_sent > C.beaten)) and ((C.stuck or 0) + 1) or 0); C.beaten = session.server_sent; session.client_had = f.max((session.client_had or 0), c.last_received_position)]],
      "c C session",
    },
  },
  {
    on = "server:keepalive",
    when = { [[conn.resumable]], "conn" },
    does = {
      [[S.stuck = (((c.last_received_position ~= nil and S.position ~= nil and c.last_received_position == S.position) and (session.client_sent ~= nil and S.beaten ~= nil and session.client_sent > S.beaten)) and ((S.stuck or 0) + 1) or 0); S.beaten = session.client_sent]],
      "c S session",
    },
  },
  { on = "keepalive", does = { [[me.position = c.last_received_position]], "c me" } },
  {
    on = "error",
    guard = 23,
    when = {
      [[((conn.max_lifetime ~= nil and conn.max_lifetime > 0) and (f.max((peer.alive_t or 0), (conn.setup_t or 0)) ~= nil and conn.max_lifetime ~= nil and ((t - f.max((peer.alive_t or 0), (conn.setup_t or 0))) * 10) < (conn.max_lifetime * 9000000)) and (me.awaited_n ~= nil))]],
      "conn peer t me",
    },
    does = { [[conn.hasty_n = n]], "conn n" },
  },
  { on = "keepalive", does = { [[me.alive_t = t]], "me t" } },
  {
    on = "keepalive",
    guard = 2,
    does = {
      [[me.awaited_n = f.coalesce(me.awaited_n, n); me.awaited_t = f.coalesce(me.awaited_t, t)]],
      "me n t",
    },
  },
  {
    on = "keepalive",
    guard = 3,
    does = { [[peer.awaited_n = nil; peer.awaited_t = nil]], "peer" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = { [[complete]], "complete" },
    does = {
      [[stream.asked = (f.digest(c["data raw"]) or ""); if (((c["#metadata"] or 0) or 0) > 0) then stream.route = f.digest(c["metadata raw"]) else stream.route = "" end]],
      "c stream",
    },
  },
  {
    on = "error",
    guard = 6,
    when = { [[(stream.asked ~= nil)]], "stream" },
    does = {
      [[refused.chained = ((refused.times ~= nil and refused.times > 0) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and c.error_code ~= nil and refused.same == c.error_code))); if refused.chained then refused.slower = (refused.slower ~= nil and (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0) ~= nil and (refused.slower + (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0)) or nil) else refused.slower = 0 end; if refused.chained then refused.gap = (refused.latest_t ~= nil and (t - refused.latest_t) or nil) else refused.gap = nil end; if refused.chained then refused.first_gap = f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) else refused.first_gap = nil end; if refused.chained then refused.second_n = f.coalesce(refused.second_n, stream.n) else refused.second_n = nil end; if refused.chained then refused.times = (refused.times ~= nil and (refused.times + 1) or nil) else refused.times = 1 end; refused.latest_t = t; refused.same = c.error_code]],
      "c refused t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and (stream.asked ~= nil))]], "why stream" },
    does = { [[refused.times = 0]], "refused" },
  },
  {
    on = "error",
    guard = 8,
    when = { [[((f.len(stream.route) or 0) > 0)]], "stream" },
    does = {
      [[refused_route.chained = ((refused_route.times ~= nil and refused_route.times > 0) and ((refused_route.latest_t ~= nil and (t - refused_route.latest_t) <= K.REFUSED_PAUSE) and (refused_route.same ~= nil and c.error_code ~= nil and refused_route.same == c.error_code))); if refused_route.chained then refused_route.slower = (refused_route.slower ~= nil and (((refused_route.latest_t ~= nil and (t - refused_route.latest_t) > 0) and (refused_route.latest_t ~= nil and refused_route.gap ~= nil and ((t - refused_route.latest_t) * 10) >= (13 * refused_route.gap))) and 1 or 0) ~= nil and (refused_route.slower + (((refused_route.latest_t ~= nil and (t - refused_route.latest_t) > 0) and (refused_route.latest_t ~= nil and refused_route.gap ~= nil and ((t - refused_route.latest_t) * 10) >= (13 * refused_route.gap))) and 1 or 0)) or nil) else refused_route.slower = 0 end; if refused_route.chained then refused_route.gap = (refused_route.latest_t ~= nil and (t - refused_route.latest_t) or nil) else refused_route.gap = nil end; if refused_route.chained then refused_route.first_gap = f.coalesce(refused_route.first_gap, (refused_route.latest_t ~= nil and (t - refused_route.latest_t) or nil)) else refused_route.first_gap = nil end; if refused_route.chained then refused_route.second_n = f.coalesce(refused_route.second_n, stream.n) else refused_route.second_n = nil end; if refused_route.chained then refused_route.times = (refused_route.times ~= nil and (refused_route.times + 1) or nil) else refused_route.times = 1 end; refused_route.latest_t = t; refused_route.same = c.error_code]],
      "c refused_route t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and ((f.len(stream.route) or 0) > 0))]], "why stream" },
    does = { [[refused_route.times = 0]], "refused_route" },
  },
  {
    on = "cancel",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.asked ~= nil))]],
      "stream side",
    },
    does = {
      [[given_up.chained = ((given_up.times ~= nil and given_up.times > 0) and (given_up.latest_t ~= nil and (t - given_up.latest_t) <= K.REFUSED_PAUSE)); if given_up.chained then given_up.slower = (given_up.slower ~= nil and (((given_up.latest_t ~= nil and (t - given_up.latest_t) > 0) and (given_up.latest_t ~= nil and given_up.gap ~= nil and ((t - given_up.latest_t) * 10) >= (13 * given_up.gap))) and 1 or 0) ~= nil and (given_up.slower + (((given_up.latest_t ~= nil and (t - given_up.latest_t) > 0) and (given_up.latest_t ~= nil and given_up.gap ~= nil and ((t - given_up.latest_t) * 10) >= (13 * given_up.gap))) and 1 or 0)) or nil) else given_up.slower = 0 end; if given_up.chained then given_up.gap = (given_up.latest_t ~= nil and (t - given_up.latest_t) or nil) else given_up.gap = nil end; if given_up.chained then given_up.first_gap = f.coalesce(given_up.first_gap, (given_up.latest_t ~= nil and (t - given_up.latest_t) or nil)) else given_up.first_gap = nil end; if given_up.chained then given_up.second_n = f.coalesce(given_up.second_n, stream.n) else given_up.second_n = nil end; if given_up.chained then given_up.times = (given_up.times ~= nil and (given_up.times + 1) or nil) else given_up.times = 1 end; given_up.latest_t = t]],
      "given_up t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and (stream.asked ~= nil))]], "why stream" },
    does = { [[given_up.times = 0]], "given_up" },
  },
  {
    on = "payload response",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.asked ~= nil))]],
      "stream side complete",
    },
    does = {
      [[polled.chained = ((polled.times ~= nil and polled.times > 0) and ((polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE) and (polled.same ~= nil and polled.same == (f.digest(c["data raw"]) or "")))); if polled.chained then polled.second_n = f.coalesce(polled.second_n, stream.n) else polled.second_n = nil end; if not polled.chained then polled.first_n = stream.n end; if polled.chained then polled.times = (polled.times ~= nil and (polled.times + 1) or nil) else polled.times = 1 end; polled.latest_t = t; polled.same = (f.digest(c["data raw"]) or "")]],
      "c polled t stream",
    },
  },
  {
    on = "request_fnf",
    when = { [[complete]], "complete" },
    does = {
      [[sent_again.chained = ((sent_again.times ~= nil and sent_again.times > 0) and (sent_again.latest_t ~= nil and (t - sent_again.latest_t) <= 1000000000.0)); if sent_again.chained then sent_again.second_n = f.coalesce(sent_again.second_n, n) else sent_again.second_n = nil end; if not sent_again.chained then sent_again.first_n = n end; if sent_again.chained then sent_again.times = (sent_again.times ~= nil and (sent_again.times + 1) or nil) else sent_again.times = 1 end; sent_again.latest_t = t]],
      "sent_again t n",
    },
  },
  {
    on = "metadata_push",
    does = {
      [[pushed.chained = ((pushed.times ~= nil and pushed.times > 0) and (pushed.latest_t ~= nil and (t - pushed.latest_t) <= 1000000000.0)); if pushed.chained then pushed.second_n = f.coalesce(pushed.second_n, n) else pushed.second_n = nil end; if not pushed.chained then pushed.first_n = n end; if pushed.chained then pushed.times = (pushed.times ~= nil and (pushed.times + 1) or nil) else pushed.times = 1 end; pushed.latest_t = t]],
      "pushed t n",
    },
  },
  {
    on = "server:error",
    guard = 4,
    does = {
      [[refused_setup.chained = ((refused_setup.times ~= nil and refused_setup.times > 0) and ((refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) <= K.SETUP_PAUSE) and (refused_setup.same ~= nil and c.error_code ~= nil and refused_setup.same == c.error_code))); if refused_setup.chained then refused_setup.slower = (refused_setup.slower ~= nil and (((refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) > 0) and (refused_setup.latest_t ~= nil and refused_setup.gap ~= nil and ((t - refused_setup.latest_t) * 10) >= (13 * refused_setup.gap))) and 1 or 0) ~= nil and (refused_setup.slower + (((refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) > 0) and (refused_setup.latest_t ~= nil and refused_setup.gap ~= nil and ((t - refused_setup.latest_t) * 10) >= (13 * refused_setup.gap))) and 1 or 0)) or nil) else refused_setup.slower = 0 end; if refused_setup.chained then refused_setup.gap = (refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) or nil) else refused_setup.gap = nil end; if refused_setup.chained then refused_setup.first_gap = f.coalesce(refused_setup.first_gap, (refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) or nil)) else refused_setup.first_gap = nil end; if refused_setup.chained then refused_setup.second_n = f.coalesce(refused_setup.second_n, (conn.setup_n or (conn.resume_n or n))) else refused_setup.second_n = nil end; if not refused_setup.chained then refused_setup.first_n = f.coalesce(conn.setup_n, (conn.resume_n or n)) end; if refused_setup.chained then refused_setup.times = (refused_setup.times ~= nil and (refused_setup.times + 1) or nil) else refused_setup.times = 1 end; refused_setup.latest_t = t; refused_setup.same = c.error_code]],
      "c refused_setup t conn n",
    },
  },
  { on = "timer:keepalive", does = { [[C.late_t = t]], "C t" } },
  {
    on = "client:keepalive request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error lease metadata_push server:keepalive tcp.close tcp.reset",
    does = { [[C.late_t = nil]], "C" },
  },
  {
    on = "error",
    guard = 12,
    when = { [[((f.len(stream.route) or 0) > 0)]], "stream" },
    does = {
      [[refused_alike.chained = ((refused_alike.times ~= nil and refused_alike.times > 0) and ((refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) <= K.REFUSED_PAUSE) and (refused_alike.same ~= nil and c.error_data ~= nil and refused_alike.same == c.error_data))); if refused_alike.chained then refused_alike.slower = (refused_alike.slower ~= nil and (((refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) > 0) and (refused_alike.latest_t ~= nil and refused_alike.gap ~= nil and ((t - refused_alike.latest_t) * 10) >= (13 * refused_alike.gap))) and 1 or 0) ~= nil and (refused_alike.slower + (((refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) > 0) and (refused_alike.latest_t ~= nil and refused_alike.gap ~= nil and ((t - refused_alike.latest_t) * 10) >= (13 * refused_alike.gap))) and 1 or 0)) or nil) else refused_alike.slower = 0 end; if refused_alike.chained then refused_alike.gap = (refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) or nil) else refused_alike.gap = nil end; if refused_alike.chained then refused_alike.first_gap = f.coalesce(refused_alike.first_gap, (refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) or nil)) else refused_alike.first_gap = nil end; if refused_alike.chained then refused_alike.second_n = f.coalesce(refused_alike.second_n, stream.n) else refused_alike.second_n = nil end; if refused_alike.chained then refused_alike.times = (refused_alike.times ~= nil and (refused_alike.times + 1) or nil) else refused_alike.times = 1 end; refused_alike.latest_t = t; refused_alike.same = c.error_data]],
      "c refused_alike t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and ((f.len(stream.route) or 0) > 0))]], "why stream" },
    does = { [[refused_alike.times = 0]], "refused_alike" },
  },
  {
    on = "error",
    guard = 12,
    when = {
      [[((stream.route == "") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0))]],
      "stream side",
    },
    does = {
      [[refused_bare.chained = ((refused_bare.times ~= nil and refused_bare.times > 0) and ((refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) <= K.REFUSED_PAUSE) and (refused_bare.same ~= nil and c.error_data ~= nil and refused_bare.same == c.error_data))); if refused_bare.chained then refused_bare.slower = (refused_bare.slower ~= nil and (((refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) > 0) and (refused_bare.latest_t ~= nil and refused_bare.gap ~= nil and ((t - refused_bare.latest_t) * 10) >= (13 * refused_bare.gap))) and 1 or 0) ~= nil and (refused_bare.slower + (((refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) > 0) and (refused_bare.latest_t ~= nil and refused_bare.gap ~= nil and ((t - refused_bare.latest_t) * 10) >= (13 * refused_bare.gap))) and 1 or 0)) or nil) else refused_bare.slower = 0 end; if refused_bare.chained then refused_bare.gap = (refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) or nil) else refused_bare.gap = nil end; if refused_bare.chained then refused_bare.first_gap = f.coalesce(refused_bare.first_gap, (refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) or nil)) else refused_bare.first_gap = nil end; if refused_bare.chained then refused_bare.second_n = f.coalesce(refused_bare.second_n, stream.n) else refused_bare.second_n = nil end; if refused_bare.chained then refused_bare.times = (refused_bare.times ~= nil and (refused_bare.times + 1) or nil) else refused_bare.times = 1 end; refused_bare.latest_t = t; refused_bare.same = c.error_data]],
      "c refused_bare t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and (stream.route == ""))]], "why stream" },
    does = { [[refused_bare.times = 0]], "refused_bare" },
  },
  {
    on = "server:error",
    guard = 10,
    does = {
      [[broken.chained = ((broken.times ~= nil and broken.times > 0) and ((broken.latest_t ~= nil and (t - broken.latest_t) <= K.SETUP_PAUSE) and (broken.same ~= nil and c.error_data ~= nil and broken.same == c.error_data))); if broken.chained then broken.slower = (broken.slower ~= nil and (((broken.latest_t ~= nil and (t - broken.latest_t) > 0) and (broken.latest_t ~= nil and broken.gap ~= nil and ((t - broken.latest_t) * 10) >= (13 * broken.gap))) and 1 or 0) ~= nil and (broken.slower + (((broken.latest_t ~= nil and (t - broken.latest_t) > 0) and (broken.latest_t ~= nil and broken.gap ~= nil and ((t - broken.latest_t) * 10) >= (13 * broken.gap))) and 1 or 0)) or nil) else broken.slower = 0 end; if broken.chained then broken.gap = (broken.latest_t ~= nil and (t - broken.latest_t) or nil) else broken.gap = nil end; if broken.chained then broken.first_gap = f.coalesce(broken.first_gap, (broken.latest_t ~= nil and (t - broken.latest_t) or nil)) else broken.first_gap = nil end; if broken.chained then broken.second_n = f.coalesce(broken.second_n, (C.last_n or n)) else broken.second_n = nil end; if not broken.chained then broken.first_n = f.coalesce(C.last_n, n) end; if broken.chained then broken.times = (broken.times ~= nil and (broken.times + 1) or nil) else broken.times = 1 end; broken.latest_t = t; broken.same = c.error_data]],
      "c broken t C n",
    },
  },
  {
    on = "client:error",
    guard = 10,
    when = { [[(conn.setup_n ~= nil)]], "conn" },
    does = {
      [[abandoned.chained = ((abandoned.times ~= nil and abandoned.times > 0) and ((abandoned.latest_t ~= nil and conn.max_lifetime ~= nil and (t - abandoned.latest_t) <= ((conn.max_lifetime * 1000000) + 10000000000.0)) and (abandoned.same ~= nil and c.error_data ~= nil and abandoned.same == c.error_data))); if abandoned.chained then abandoned.second_n = f.coalesce(abandoned.second_n, n) else abandoned.second_n = nil end; if not abandoned.chained then abandoned.first_n = n end; if abandoned.chained then abandoned.times = (abandoned.times ~= nil and (abandoned.times + 1) or nil) else abandoned.times = 1 end; abandoned.latest_t = t; abandoned.same = c.error_data]],
      "c abandoned conn t n",
    },
  },
  {
    on = "server:cancel server:request_n server:error server:lease server:request_response server:request_fnf server:request_stream server:request_channel server:metadata_push server:ext",
    does = { [[S.sign = name; S.sign_n = n]], "S name n" },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    when = {
      [[((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE))]],
      "conn S t",
    },
    does = {
      [[gone.chained = ((gone.times ~= nil and gone.times > 0) and ((gone.latest_t ~= nil and (t - gone.latest_t) <= K.GONE_PAUSE) and (gone.same ~= nil and S.sign ~= nil and gone.same == S.sign))); if gone.chained then gone.second_n = f.coalesce(gone.second_n, S.sign_n) else gone.second_n = nil end; if not gone.chained then gone.first_n = S.sign_n end; if gone.chained then gone.times = (gone.times ~= nil and (gone.times + 1) or nil) else gone.times = 1 end; gone.latest_t = t; gone.same = S.sign]],
      "gone t S",
    },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    when = {
      [[((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and ((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n < S.last_n) or (S.last_t ~= nil and (t - S.last_t) >= K.GONE)))]],
      "conn S t",
    },
    does = { [[gone.times = 0]], "gone" },
  },
  {
    on = "request_stream request_channel",
    when = { [[complete]], "complete" },
    does = {
      [[requested_again.chained = ((requested_again.times ~= nil and requested_again.times > 0) and (requested_again.latest_t ~= nil and (t - requested_again.latest_t) <= K.POLL_PAUSE)); if requested_again.chained then requested_again.second_n = f.coalesce(requested_again.second_n, n) else requested_again.second_n = nil end; if not requested_again.chained then requested_again.first_n = n end; if requested_again.chained then requested_again.times = (requested_again.times ~= nil and (requested_again.times + 1) or nil) else requested_again.times = 1 end; requested_again.latest_t = t]],
      "requested_again t n",
    },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (conn.refused_n == nil) and (C.frames ~= nil and C.frames <= 4)) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[reconnected.chained = ((reconnected.times ~= nil and reconnected.times > 0) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 5000000000.0))); if reconnected.chained then reconnected.second_n = f.coalesce(reconnected.second_n, conn.n) else reconnected.second_n = nil end; if not reconnected.chained then reconnected.first_n = conn.n end; if reconnected.chained then reconnected.times = (reconnected.times ~= nil and (reconnected.times + 1) or nil) else reconnected.times = 1 end; reconnected.latest_t = t]],
      "reconnected conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected.times = 0]], "reconnected" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.resumed_n ~= nil) and (C.frames ~= nil and C.frames <= 4)) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[resumed_again.chained = ((resumed_again.times ~= nil and resumed_again.times > 0) and ((resumed_again.latest_t ~= nil and conn.t ~= nil and resumed_again.latest_t <= (conn.t + 0)) and (conn.t ~= nil and resumed_again.latest_t ~= nil and (conn.t - resumed_again.latest_t) <= 5000000000.0))); if resumed_again.chained then resumed_again.second_n = f.coalesce(resumed_again.second_n, conn.n) else resumed_again.second_n = nil end; if not resumed_again.chained then resumed_again.first_n = conn.n end; if resumed_again.chained then resumed_again.times = (resumed_again.times ~= nil and (resumed_again.times + 1) or nil) else resumed_again.times = 1 end; resumed_again.latest_t = t]],
      "resumed_again conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[resumed_again.times = 0]], "resumed_again" },
  },
  {
    on = "keepalive",
    guard = 2,
    when = {
      [[((conn.keepalive ~= nil and conn.keepalive > 0) and (conn.keepalive ~= nil and conn.t ~= nil and ((((me.pulses or 0) + 1) * conn.keepalive) * 1000000) > (t - conn.t)))]],
      "conn me t",
    },
    does = {
      [[me.beaten_chained = ((me.beaten_times ~= nil and me.beaten_times > 0) and (me.beaten_latest_t ~= nil and conn.keepalive ~= nil and (t - me.beaten_latest_t) < (conn.keepalive * 1000000))); if me.beaten_chained then me.beaten_second_n = f.coalesce(me.beaten_second_n, n) else me.beaten_second_n = nil end; if not me.beaten_chained then me.beaten_first_n = n end; if not me.beaten_chained then me.beaten_first_t = t end; if me.beaten_chained then me.beaten_times = (me.beaten_times ~= nil and (me.beaten_times + 1) or nil) else me.beaten_times = 1 end; me.beaten_latest_t = t]],
      "me conn t n",
    },
  },
  {
    on = "client:keepalive",
    guard = 2,
    when = {
      [[((conn.keepalive ~= nil and conn.keepalive > 0) and (C.beaten_t ~= nil and conn.keepalive ~= nil and ((t - C.beaten_t) * 4) <= (conn.keepalive * 5000000)))]],
      "conn C t",
    },
    does = {
      [[C.doubled_beats_chained = ((C.doubled_beats_times ~= nil and C.doubled_beats_times > 0) and (C.doubled_beats_latest_t ~= nil and conn.keepalive ~= nil and (t - C.doubled_beats_latest_t) <= (conn.keepalive * 1500000))); if C.doubled_beats_chained then C.doubled_beats_second_n = f.coalesce(C.doubled_beats_second_n, n) else C.doubled_beats_second_n = nil end; if not C.doubled_beats_chained then C.doubled_beats_first_n = n end; if C.doubled_beats_chained then C.doubled_beats_times = (C.doubled_beats_times ~= nil and (C.doubled_beats_times + 1) or nil) else C.doubled_beats_times = 1 end; C.doubled_beats_latest_t = t]],
      "C conn t n",
    },
  },
  {
    on = "client:keepalive",
    guard = 2,
    when = {
      [[((c["flags.respond"] ~= nil and not c["flags.respond"]) or (conn.keepalive ~= nil and conn.keepalive <= 0) or (C.beaten_t ~= nil and conn.keepalive ~= nil and ((t - C.beaten_t) * 4) > (conn.keepalive * 5000000)))]],
      "c conn C t",
    },
    does = { [[C.doubled_beats_times = 0]], "C" },
  },
  {
    on = "client:keepalive",
    guard = 2,
    does = { [[C.beaten_t = C.beaten_last_t; C.beaten_last_t = t]], "C t" },
  },
  { on = "keepalive", guard = 2, does = { [[me.pulses = ((me.pulses or 0) + 1)]], "me" } },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    does = { [[me.asked = ((me.asked or 0) + 1)]], "me" },
  },
  {
    on = "request_response",
    when = { [[(peer.frames == 0)]], "peer" },
    does = { [[me.due = ((me.due or 0) + 1); me.due_t = f.coalesce(me.due_t, t)]], "me t" },
  },
  {
    on = "end:conn",
    does = { [[idle_connections.all = ((idle_connections.all or 0) + 1)]], "idle_connections" },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[idle_connections.ended = ((idle_connections.ended or 0) + 1)]], "idle_connections" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (((C.asked or 0) or 2) <= 1) and ((S.asked or 0) == 0) and (conn.last_t ~= nil and conn.t ~= nil and (conn.last_t - conn.t) > K.IDLE)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn C S why",
    },
    does = {
      [[idle_connections.left = ((idle_connections.left or 0) + 1); idle_connections.latest_n = conn.n; idle_connections.first_n = f.coalesce(idle_connections.first_n, conn.n)]],
      "idle_connections conn",
    },
  },
  { on = "server:payload server:response", does = { [[conn.item_t = t]], "conn t" } },
  {
    on = "end:conn",
    does = { [[called_once.all = ((called_once.all or 0) + 1)]], "called_once" },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[called_once.ended = ((called_once.ended or 0) + 1)]], "called_once" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (C.asked == 1) and ((S.asked or 0) == 0) and (conn.item_t ~= nil and (t - conn.item_t) > K.IDLE)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn C S t why",
    },
    does = {
      [[called_once.left = ((called_once.left or 0) + 1); called_once.latest_n = conn.n; called_once.first_n = f.coalesce(called_once.first_n, conn.n)]],
      "called_once conn",
    },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.state == "cancelled") and (stream.items == 0) and (stream.last_t ~= nil and stream.t ~= nil and (stream.last_t - stream.t) <= K.AT_ONCE)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[cancelled_at_once.chained = ((cancelled_at_once.times ~= nil and cancelled_at_once.times > 0) and ((cancelled_at_once.latest_t ~= nil and stream.t ~= nil and cancelled_at_once.latest_t <= (stream.t + 0)) and (stream.t ~= nil and cancelled_at_once.latest_t ~= nil and (stream.t - cancelled_at_once.latest_t) <= 2000000000.0))); if cancelled_at_once.chained then cancelled_at_once.second_n = f.coalesce(cancelled_at_once.second_n, stream.n) else cancelled_at_once.second_n = nil end; if not cancelled_at_once.chained then cancelled_at_once.first_n = stream.n end; if cancelled_at_once.chained then cancelled_at_once.times = (cancelled_at_once.times ~= nil and (cancelled_at_once.times + 1) or nil) else cancelled_at_once.times = 1 end; cancelled_at_once.latest_t = t]],
      "cancelled_at_once stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[cancelled_at_once.times = 0]], "cancelled_at_once" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_stream") and (stream.state == "cancelled") and (stream.items == 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[only_first.chained = ((only_first.times ~= nil and only_first.times > 0) and ((only_first.latest_t ~= nil and stream.t ~= nil and only_first.latest_t <= (stream.t + 0)) and (stream.t ~= nil and only_first.latest_t ~= nil and (stream.t - only_first.latest_t) <= 2000000000.0))); if only_first.chained then only_first.second_n = f.coalesce(only_first.second_n, stream.n) else only_first.second_n = nil end; if not only_first.chained then only_first.first_n = stream.n end; if only_first.chained then only_first.times = (only_first.times ~= nil and (only_first.times + 1) or nil) else only_first.times = 1 end; only_first.latest_t = t]],
      "only_first stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[only_first.times = 0]], "only_first" },
  },
  {
    on = "cancel",
    when = {
      [[(LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items ~= nil and stream.items > 1) and (stream.credit ~= nil and stream.items ~= nil and stream.credit > (stream.items * K.EXCESS)) and (LISTS[6][stream.state] or ((stream.state == "done") and (stream.ended_t ~= nil and (t - stream.ended_t) < K.CROSSING))))]],
      "stream side t",
    },
    does = {
      [[cut_short.chained = ((cut_short.times ~= nil and cut_short.times > 0) and (cut_short.latest_t ~= nil and (t - cut_short.latest_t) <= 2000000000.0)); if cut_short.chained then cut_short.second_n = f.coalesce(cut_short.second_n, stream.n) else cut_short.second_n = nil end; if not cut_short.chained then cut_short.first_n = stream.n end; if cut_short.chained then cut_short.times = (cut_short.times ~= nil and (cut_short.times + 1) or nil) else cut_short.times = 1 end; cut_short.latest_t = t]],
      "cut_short t stream",
    },
  },
  {
    on = "cancel",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.model == "request_stream") and (stream.items ~= nil and stream.items > 0) and (stream.credit ~= nil and stream.items ~= nil and stream.credit > stream.items) and (stream.t ~= nil and (t - stream.t) >= K.SUBSCRIBED) and LISTS[6][stream.state])]],
      "side stream t",
    },
    does = {
      [[me.dropped_t = t; me.dropped_route = stream.route; me.dropped_asked = stream.asked]],
      "me t stream",
    },
  },
  {
    on = "request_stream",
    when = {
      [[((me.dropped_t ~= nil and (t - me.dropped_t) <= K.ANEW) and (me.dropped_route ~= nil and f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "") ~= nil and me.dropped_route == f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")) and (me.dropped_asked ~= nil and me.dropped_asked ~= (f.digest(c["data raw"]) or "")))]],
      "c me t",
    },
    does = {
      [[asked_anew.chained = ((asked_anew.times ~= nil and asked_anew.times > 0) and (asked_anew.latest_t ~= nil and (t - asked_anew.latest_t) <= 30000000000.0)); if asked_anew.chained then asked_anew.second_n = f.coalesce(asked_anew.second_n, n) else asked_anew.second_n = nil end; if not asked_anew.chained then asked_anew.first_n = n end; if asked_anew.chained then asked_anew.times = (asked_anew.times ~= nil and (asked_anew.times + 1) or nil) else asked_anew.times = 1 end; asked_anew.latest_t = t]],
      "asked_anew t n",
    },
  },
  {
    on = "request_stream",
    when = {
      [[((me.dropped_t ~= nil and (t - me.dropped_t) > K.ANEW) or (me.dropped_route ~= nil and f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "") ~= nil and me.dropped_route ~= f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")) or (me.dropped_asked ~= nil and me.dropped_asked == (f.digest(c["data raw"]) or "")))]],
      "c me t",
    },
    does = { [[asked_anew.times = 0]], "asked_anew" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_stream") and (stream.state == "done") and (stream.items == 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[single_streams.chained = ((single_streams.times ~= nil and single_streams.times > 0) and ((single_streams.latest_t ~= nil and stream.t ~= nil and single_streams.latest_t <= (stream.t + 0)) and (stream.t ~= nil and single_streams.latest_t ~= nil and (stream.t - single_streams.latest_t) <= 2000000000.0))); if single_streams.chained then single_streams.second_n = f.coalesce(single_streams.second_n, stream.n) else single_streams.second_n = nil end; if not single_streams.chained then single_streams.first_n = stream.n end; if single_streams.chained then single_streams.times = (single_streams.times ~= nil and (single_streams.times + 1) or nil) else single_streams.times = 1 end; single_streams.latest_t = t]],
      "single_streams stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[single_streams.times = 0]], "single_streams" },
  },
  { on = "end:stream", does = { [[conn.pending_all = ((conn.pending_all or 0) + 1)]], "conn" } },
  {
    on = "end:stream",
    when = { [[(why ~= nil and not LISTS[10][why])]], "why" },
    does = { [[conn.pending_ended = ((conn.pending_ended or 0) + 1)]], "conn" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_response") and (stream.items == 0) and (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) > K.PENDING) and (conn.resumable ~= nil and not conn.resumable) and (stream.t ~= nil and stream.t < (S.closed_t or t))) and LISTS[10][why])]],
      "stream conn S t why",
    },
    does = {
      [[conn.pending_left = ((conn.pending_left or 0) + 1); conn.pending_latest_n = stream.n; conn.pending_first_n = f.coalesce(conn.pending_first_n, stream.n)]],
      "conn stream",
    },
  },
  {
    on = "request_stream request_channel",
    when = {
      [[(complete and (twin.flow ~= nil and flow ~= nil and twin.flow == flow) and (twin.open ~= nil and twin.open > 0) and (twin.opened_t ~= nil and (t - twin.opened_t) > K.APART))]],
      "complete twin flow t",
    },
    does = { [[stream.twin_n = twin.opened_n]], "stream twin" },
  },
  {
    on = "request_stream request_channel",
    when = { [[complete]], "complete" },
    does = {
      [[twin.open = (f.choose((twin.flow ~= nil and flow ~= nil and twin.flow == flow), twin.open, 0) ~= nil and (f.choose((twin.flow ~= nil and flow ~= nil and twin.flow == flow), twin.open, 0) + 1) or nil); twin.flow = flow; twin.opened_n = n; twin.opened_t = t; twin.token = conn.token]],
      "twin flow n t conn",
    },
  },
  { on = "setup resume_ok", does = { [[holder.flow = flow]], "holder flow" } },
  {
    on = "tcp.close tcp.reset",
    when = { [[(holder.flow ~= nil and flow ~= nil and holder.flow == flow)]], "holder flow" },
    does = { [[holder.flow = nil]], "holder" },
  },
  {
    on = "end:stream",
    when = {
      [[(LISTS[8][why] and (stream.items ~= nil and stream.items > 0) and (conn.token == nil) and LISTS[6][stream.state])]],
      "why stream conn",
    },
    does = {
      [[twin.cuts = ((twin.cuts or 0) + 1); twin.cut_flow = flow; twin.cut_items = stream.items; twin.cut_n = stream.n]],
      "twin flow stream",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((twin.flow ~= nil and flow ~= nil and twin.flow == flow) or (twin.token ~= nil and conn.token ~= nil and twin.token == conn.token))]],
      "twin flow conn",
    },
    does = { [[twin.open = (twin.open ~= nil and (twin.open - 1) or nil)]], "twin" },
  },
  {
    on = "end:stream",
    does = { [[conn.left_running_all = ((conn.left_running_all or 0) + 1)]], "conn" },
  },
  {
    on = "end:stream",
    when = { [[(why ~= nil and not LISTS[10][why])]], "why" },
    does = { [[conn.left_running_ended = ((conn.left_running_ended or 0) + 1)]], "conn" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.twin_n ~= nil) and (stream.items ~= nil and stream.items > 0)) and LISTS[10][why])]],
      "stream why",
    },
    does = {
      [[conn.left_running_left = ((conn.left_running_left or 0) + 1); conn.left_running_latest_n = stream.n; conn.left_running_first_n = f.coalesce(conn.left_running_first_n, stream.n)]],
      "conn stream",
    },
  },
  {
    on = "end:stream",
    does = { [[conn.left_open_all = ((conn.left_open_all or 0) + 1)]], "conn" },
  },
  {
    on = "end:stream",
    when = { [[(why ~= nil and not LISTS[10][why])]], "why" },
    does = { [[conn.left_open_ended = ((conn.left_open_ended or 0) + 1)]], "conn" },
  },
  {
    on = "end:stream",
    when = {
      [[((LISTS[5][stream.model] and (stream.items ~= nil and stream.items > 0) and (stream.apart == 1) and (stream.twin_n == nil)) and LISTS[10][why])]],
      "stream why",
    },
    does = {
      [[conn.left_open_left = ((conn.left_open_left or 0) + 1); conn.left_open_latest_n = stream.n; conn.left_open_first_n = f.coalesce(conn.left_open_first_n, stream.n)]],
      "conn stream",
    },
  },
  {
    on = "request_stream request_channel",
    does = {
      [[stream.apart = ((me.streamed_t ~= nil and (t - me.streamed_t) > K.APART) and 1 or 0); me.streamed_t = t]],
      "stream me t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_channel") and (stream.state == "done") and (stream.items == 1) and (stream.own_items == 0)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[brief_channels.chained = ((brief_channels.times ~= nil and brief_channels.times > 0) and ((brief_channels.latest_t ~= nil and stream.t ~= nil and brief_channels.latest_t <= (stream.t + 0)) and (stream.t ~= nil and brief_channels.latest_t ~= nil and (stream.t - brief_channels.latest_t) <= 2000000000.0))); if brief_channels.chained then brief_channels.second_n = f.coalesce(brief_channels.second_n, stream.n) else brief_channels.second_n = nil end; if not brief_channels.chained then brief_channels.first_n = stream.n end; if brief_channels.chained then brief_channels.times = (brief_channels.times ~= nil and (brief_channels.times + 1) or nil) else brief_channels.times = 1 end; brief_channels.latest_t = t]],
      "brief_channels stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[brief_channels.times = 0]], "brief_channels" },
  },
  {
    on = "tcp.close tcp.reset",
    when = {
      [[((conn.setup_n ~= nil) and ((f.live(conn, "stream") or 0) > 0) and (comer.lost_n == nil))]],
      "conn comer",
    },
    does = {
      [[comer.lost_n = conn.last_n; comer.lost_t = t; comer.lost_flow = flow]],
      "comer conn t flow",
    },
  },
  { on = "resume", does = { [[comer.lost_n = nil; comer.fresh = 0]], "comer" } },
  {
    on = "setup",
    when = { [[(comer.lost_n ~= nil)]], "comer" },
    does = {
      [[comer.fresh = ((comer.lost_t ~= nil and (t - comer.lost_t) < K.FRESH) and ((comer.fresh or 0) + 1) or 0); comer.former_n = comer.lost_n; comer.lost_n = nil]],
      "comer t",
    },
  },
  {
    on = "setup resume",
    guard = 13,
    when = { [[(shared_token.live ~= nil and shared_token.live > 0)]], "shared_token" },
    does = { [[shared_token.second_n = n]], "shared_token n" },
  },
  {
    on = "setup resume",
    guard = 13,
    does = {
      [[shared_token.live = (f.max((shared_token.live or 0), 0) ~= nil and (f.max((shared_token.live or 0), 0) + 1) or nil); conn.shared_token_n = n]],
      "shared_token conn n",
    },
  },
  {
    on = "end:conn",
    does = {
      [[shared_token.live = (shared_token.live ~= nil and (shared_token.live - 1) or nil)]],
      "shared_token",
    },
  },
  {
    on = "end:stream",
    when = {
      [[(LISTS[8][why] and (conn.left == nil) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and LISTS[5][stream.model] and (stream.items ~= nil and stream.items > 0) and LISTS[6][stream.state])]],
      "why conn stream C",
    },
    does = {
      [[before.mixed = ((before.flow ~= nil and flow ~= nil and before.flow ~= flow) and 1 or before.mixed); before.flow = flow; before.lost = ((before.lost or 0) + 1); before.lost_n = stream.item_n; before.lost_t = conn.last_t; before.data_type = conn.data_mime_type; before.metadata_type = conn.metadata_mime_type; before.keepalive = conn.keepalive; before.lifetime = conn.max_lifetime; before.payload_n = conn.payload_n; before.setup_n = conn.setup_n]],
      "before flow stream conn",
    },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    when = { [[(S.closed_n == nil)]], "S" },
    does = { [[conn.left = 1]], "conn" },
  },
  { on = "setup", guard = 24, does = { [[conn.payload_n = n]], "conn n" } },
  {
    on = "setup",
    when = {
      [[((before.mixed == nil) and (before.lost_t ~= nil and (t - before.lost_t) < K.FRESH) and (c.data_mime_type ~= nil and before.data_type ~= nil and c.data_mime_type == before.data_type) and (c.metadata_mime_type ~= nil and before.metadata_type ~= nil and c.metadata_mime_type == before.metadata_type) and (c.time_between_keepalive_frames ~= nil and before.keepalive ~= nil and c.time_between_keepalive_frames == before.keepalive) and (c.max_lifetime ~= nil and before.lifetime ~= nil and c.max_lifetime == before.lifetime))]],
      "c before t",
    },
    does = { [[conn.lost = before.lost; conn.lost_by = before.lost_n]], "conn before" },
  },
  {
    on = "setup",
    does = { [[before.lost = nil; before.flow = nil; before.mixed = nil]], "before" },
  },
  {
    on = "request_stream request_channel",
    fixed = { [[(sender == "client")]], "sender" },
    does = { [[conn.subscribed = ((conn.subscribed or 0) + 1)]], "conn" },
  },
  {
    on = "request_stream request_channel",
    when = {
      [[(complete and (twin.counted_flow ~= nil and flow ~= nil and twin.counted_flow ~= flow))]],
      "complete twin flow",
    },
    does = {
      [[twin.grown = ((twin.count ~= nil and twin.former ~= nil and twin.count > twin.former) and ((twin.grown or 1) + 1) or 1); twin.former = twin.count; twin.count = 0]],
      "twin",
    },
  },
  {
    on = "request_stream request_channel",
    when = { [[complete]], "complete" },
    does = { [[twin.counted_flow = flow; twin.count = ((twin.count or 0) + 1)]], "twin flow" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    guard = 25,
    when = { [[(complete and ((me.asked or 0) <= K.TRACED))]], "complete me" },
    does = {
      [[me.traced = f.put(me.traced, f.member(n, c["metadata raw"], (f.digest(c["data raw"]) or "")))]],
      "c me n",
    },
  },
  { on = "setup", guard = 26, does = { [=[conn.setup_metadata = c["metadata raw"]]=], "c conn" } },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    guard = 16,
    does = { [[me.routed_n = n]], "me n" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    guard = 27,
    when = { [[(complete and (me.routed_n == nil))]], "complete me" },
    does = { [[stream.unrouted_n = n]], "stream n" },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and (stream.unrouted_n ~= nil))]], "why stream" },
    does = { [[conn.needs_no_route = 1]], "conn" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    guard = 28,
    when = { [[(complete and ((me.asked or 0) <= K.TRACED))]], "complete me" },
    does = { [=[stream.metadata = c["metadata raw"]]=], "c stream" },
  },
  {
    on = "end:stream",
    when = {
      [[((stream.metadata ~= nil) and (why == "done") and (((f.count(served.metadata) or 0) or 64) < 64))]],
      "stream why served",
    },
    does = { [[served.metadata = f.put(served.metadata, stream.metadata)]], "served stream" },
  },
  {
    on = "lease",
    guard = 29,
    does = {
      [[me.single_leases_chained = ((me.single_leases_times ~= nil and me.single_leases_times > 0) and (me.single_leases_latest_t ~= nil and (t - me.single_leases_latest_t) <= 10000000000.0)); if me.single_leases_chained then me.single_leases_second_n = f.coalesce(me.single_leases_second_n, n) else me.single_leases_second_n = nil end; if not me.single_leases_chained then me.single_leases_first_n = n end; if me.single_leases_chained then me.single_leases_times = (me.single_leases_times ~= nil and (me.single_leases_times + 1) or nil) else me.single_leases_times = 1 end; me.single_leases_latest_t = t]],
      "me t n",
    },
  },
  {
    on = "lease",
    guard = 30,
    when = {
      [[((me.lease_taken ~= nil and me.lease_allows ~= nil and (me.lease_taken * 4) <= me.lease_allows) and (me.lease_given_t ~= nil and me.lease_lasts ~= nil and ((t - me.lease_given_t) * 4) <= (me.lease_lasts * 1000000)))]],
      "me t",
    },
    does = {
      [[me.early_leases_chained = ((me.early_leases_times ~= nil and me.early_leases_times > 0) and (me.early_leases_latest_t ~= nil and (t - me.early_leases_latest_t) <= 60000000000.0)); if me.early_leases_chained then me.early_leases_second_n = f.coalesce(me.early_leases_second_n, n) else me.early_leases_second_n = nil end; if not me.early_leases_chained then me.early_leases_first_n = n end; if me.early_leases_chained then me.early_leases_times = (me.early_leases_times ~= nil and (me.early_leases_times + 1) or nil) else me.early_leases_times = 1 end; me.early_leases_latest_t = t]],
      "me t n",
    },
  },
  {
    on = "lease",
    when = {
      [[((c.number_of_requests ~= nil and c.number_of_requests <= 0) or (me.lease_taken ~= nil and me.lease_allows ~= nil and (me.lease_taken * 4) > me.lease_allows) or (me.lease_given_t ~= nil and me.lease_lasts ~= nil and ((t - me.lease_given_t) * 4) > (me.lease_lasts * 1000000)))]],
      "c me t",
    },
    does = { [[me.early_leases_times = 0]], "me" },
  },
  {
    on = "lease",
    does = {
      [[me.lease_allows = c.number_of_requests; me.lease_lasts = c.time_to_live; me.lease_given_t = t; me.lease_given_n = n; me.lease_taken = 0]],
      "c me t n",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    does = { [[peer.lease_taken = (peer.lease_taken ~= nil and (peer.lease_taken + 1) or nil)]], "peer" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload",
    guard = 31,
    when = { [[complete]], "complete" },
    does = {
      [[me.same_metadata = ((f.digest(c["metadata raw"]) ~= nil and me.large_metadata ~= nil and f.digest(c["metadata raw"]) == me.large_metadata) and ((me.same_metadata or 0) + 1) or 1); me.large_metadata = f.digest(c["metadata raw"]); me.large_n = n]],
      "c me n",
    },
  },
  {
    on = "request_response",
    guard = 14,
    when = { [[complete]], "complete" },
    does = {
      [[if (alike.open ~= nil and alike.open > 0) then alike.second_n = f.coalesce(alike.second_n, n) else alike.second_n = nil end; alike.open = ((alike.open or 0) + 1); alike.latest_n = n]],
      "alike n",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((stream.model == "request_response") and (alike.open ~= nil and alike.open > 0))]],
      "stream alike",
    },
    does = { [[alike.open = (alike.open ~= nil and (alike.open - 1) or nil)]], "alike" },
  },
  {
    on = "payload",
    when = {
      [[(complete and (stream.pieces ~= nil and stream.pieces >= K.FEW_PIECES) and (size ~= nil and size < K.SMALL_PIECE))]],
      "complete stream size",
    },
    does = { [[me.shredded = ((me.shredded or 0) + 1); me.shredded_n = n]], "me n" },
  },
  {
    on = "request_stream request_channel",
    does = { [[stream.wanted = c.initial_request_n; stream.raises = 0]], "c stream" },
  },
  {
    on = "request_n",
    when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
    does = {
      [[stream.raises = (stream.raises ~= nil and ((stream.credit ~= nil and stream.most ~= nil and stream.credit > stream.most) and 1 or 0) ~= nil and (stream.raises + ((stream.credit ~= nil and stream.most ~= nil and stream.credit > stream.most) and 1 or 0)) or nil); stream.most = f.max(f.coalesce(stream.most, stream.wanted), stream.credit)]],
      "stream",
    },
  },
  {
    on = "request_n",
    guard = 32,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.credit ~= nil and stream.credit <= 1))]],
      "side stream",
    },
    does = {
      [[if (stream.singly_count == 1) then stream.singly_second_n = n end; stream.singly_count = ((stream.singly_count or 0) + 1); stream.singly_latest_n = n]],
      "stream n",
    },
  },
  {
    on = "request_n",
    guard = 32,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.own_credit ~= nil and stream.own_credit <= 1))]],
      "side stream",
    },
    does = {
      [[if (stream.own_singly_count == 1) then stream.own_singly_second_n = n end; stream.own_singly_count = ((stream.own_singly_count or 0) + 1); stream.own_singly_latest_n = n]],
      "stream n",
    },
  },
  {
    on = "request_response",
    when = { [[complete]], "complete" },
    does = {
      [[asked_singly.chained = ((asked_singly.times ~= nil and asked_singly.times > 0) and ((asked_singly.open == 0) and (asked_singly.answered_t ~= nil and f.max((asked_singly.took ~= nil and (asked_singly.took * 3) or nil), 5000000) ~= nil and (t - asked_singly.answered_t) <= f.max((asked_singly.took ~= nil and (asked_singly.took * 3) or nil), 5000000)) and (asked_singly.value ~= nil and asked_singly.value ~= (f.digest(c["data raw"]) or "")))); if asked_singly.chained then asked_singly.second_n = f.coalesce(asked_singly.second_n, n) else asked_singly.second_n = nil end; if not asked_singly.chained then asked_singly.first_n = n end; if asked_singly.chained then asked_singly.times = (asked_singly.times ~= nil and (asked_singly.times + 1) or nil) else asked_singly.times = 1 end; asked_singly.asked_t = t; asked_singly.open = ((asked_singly.open or 0) + 1); asked_singly.value = (f.digest(c["data raw"]) or "")]],
      "c asked_singly t n",
    },
  },
  {
    on = "payload",
    when = {
      [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete) and (asked_singly.open ~= nil and asked_singly.open > 0))]],
      "stream side complete asked_singly",
    },
    does = {
      [[asked_singly.took = (asked_singly.asked_t ~= nil and (t - asked_singly.asked_t) or nil); asked_singly.answered_t = t; asked_singly.open = 0]],
      "asked_singly t",
    },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel payload",
    when = { [[(complete ~= nil and not complete)]], "complete" },
    does = { [[stream.pieces = ((stream.pieces or 0) + 1)]], "stream" },
  },
  {
    on = "payload",
    when = { [[(complete and (stream.pieces ~= nil))]], "complete stream" },
    does = { [[stream.pieces = nil]], "stream" },
  },
  {
    on = "request_response request_fnf request_stream request_sub request_channel",
    when = { [[(complete ~= nil and not complete)]], "complete" },
    does = { [[stream.in_pieces = 1]], "stream" },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.heard_n == nil))]],
      "side stream",
    },
    does = {
      [[stream.heard_n = n; me.took_pieces = (((stream.in_pieces == 1) and 1 or 0) ~= nil and ((me.took_pieces or 0) + ((stream.in_pieces == 1) and 1 or 0)) or nil); me.took_whole = (((stream.in_pieces == 1) and 0 or 1) ~= nil and ((me.took_whole or 0) + ((stream.in_pieces == 1) and 0 or 1)) or nil)]],
      "stream n me",
    },
  },
  {
    on = "error",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.heard_n == nil))]],
      "side stream",
    },
    does = {
      [[stream.heard_n = n; me.refused_pieces = (((stream.in_pieces == 1) and 1 or 0) ~= nil and ((me.refused_pieces or 0) + ((stream.in_pieces == 1) and 1 or 0)) or nil); me.refused_whole = (((stream.in_pieces == 1) and 0 or 1) ~= nil and ((me.refused_whole or 0) + ((stream.in_pieces == 1) and 0 or 1)) or nil)]],
      "stream n me",
    },
  },
  {
    on = "cancel",
    when = {
      [[(((stream.state == "done") and (side ~= nil and stream.owner ~= nil and side == stream.owner)) and (stream.ended_t ~= nil and (t - stream.ended_t) > 5000000))]],
      "stream side t",
    },
    does = { [[conn.late_cancel_times = ((conn.late_cancel_times or 0) + 1)]], "conn" },
  },
  {
    on = "cancel error",
    when = { [=[LISTS[6][stream.state]]=], "stream" },
    does = {
      [[stream.stop_t = t; stream.stop_n = n; stream.stop_side = side; stream.deaf_t = nil]],
      "stream t n side",
    },
  },
  {
    on = "payload",
    when = {
      [[(((stream.stop_t ~= nil) and (side ~= nil and stream.stop_side ~= nil and side ~= stream.stop_side) and complete and c["flags.next"] and f.choose((stream.stop_t ~= nil and (t - stream.stop_t) <= K.CROSSING), (stream.deaf_t ~= nil and (t - stream.deaf_t) > K.PACED), (stream.state ~= nil and not LISTS[11][stream.state]))) and (stream.stop_t ~= nil and (t - stream.stop_t) > K.DEAF))]],
      "c stream side complete t",
    },
    does = { [[stream.deaf_times = ((stream.deaf_times or 0) + 1)]], "stream" },
  },
  {
    on = "payload",
    when = { [[(side ~= nil and stream.stop_side ~= nil and side ~= stream.stop_side)]], "side stream" },
    does = { [[stream.deaf_t = t]], "stream t" },
  },
  {
    on = "request_n",
    when = {
      [[((stream.ended_t ~= nil) and (stream.ended_t ~= nil and (t - stream.ended_t) > 50000000))]],
      "stream t",
    },
    does = { [[stream.late_request_n_times = ((stream.late_request_n_times or 0) + 1)]], "stream" },
  },
  {
    on = "request_n",
    when = {
      [[(((stream.ended_t ~= nil) and (stream.late_n == nil)) and (stream.ended_t ~= nil and (t - stream.ended_t) > K.LATE_TIME))]],
      "stream t",
    },
    does = { [[conn.late_demands_times = ((conn.late_demands_times or 0) + 1)]], "conn" },
  },
  {
    on = "request_n",
    when = {
      [[((stream.ended_t ~= nil) and (stream.ended_t ~= nil and (t - stream.ended_t) > K.LATE_TIME))]],
      "stream t",
    },
    does = { [[stream.late_n = n]], "stream n" },
  },
  {
    on = "client:request_response client:request_fnf client:request_stream client:request_channel client:payload client:request_n client:cancel client:error",
    when = {
      [[((conn.resumed_n ~= nil) and (spot.n_of ~= nil) and (conn.strayed_n == nil) and ((spot.what ~= nil and spot.what ~= name) or (spot.stream ~= nil and c.stream_id ~= nil and spot.stream ~= c.stream_id) or (spot.size ~= nil and size ~= nil and spot.size ~= size)))]],
      "c conn spot name size",
    },
    does = { [[conn.strayed_n = n]], "conn n" },
  },
  {
    on = "client:request_response client:request_fnf client:request_stream client:request_channel client:payload client:request_n client:cancel client:error",
    when = { [[(conn.token ~= nil)]], "conn" },
    does = {
      [[spot.what = name; spot.stream = c.stream_id; spot.size = size; spot.n_of = n]],
      "c spot name size n",
    },
  },
  {
    on = "server:request_response server:request_fnf server:request_stream server:request_channel server:payload server:request_n server:cancel server:error",
    when = {
      [[((conn.resumed_n ~= nil) and (place.n_of ~= nil) and (conn.slipped_n == nil) and ((place.what ~= nil and place.what ~= name) or (place.stream ~= nil and c.stream_id ~= nil and place.stream ~= c.stream_id) or (place.size ~= nil and size ~= nil and place.size ~= size)))]],
      "c conn place name size",
    },
    does = { [[conn.slipped_n = n]], "conn n" },
  },
  {
    on = "server:request_response server:request_fnf server:request_stream server:request_channel server:payload server:request_n server:cancel server:error",
    when = { [[(conn.token ~= nil)]], "conn" },
    does = {
      [[place.what = name; place.stream = c.stream_id; place.size = size; place.n_of = n]],
      "c place name size n",
    },
  },
  {
    on = "client:request_response client:request_fnf client:request_stream client:request_channel",
    when = { [[(conn.token ~= nil)]], "conn" },
    does = {
      [[asked_once.n_of = n; asked_once.flow = flow; asked_once.ends = session.client_sent]],
      "asked_once n flow session",
    },
  },
  {
    on = "client:payload",
    guard = 33,
    when = {
      [[((stream.model == "request_channel") and (stream.own_items == 1) and complete)]],
      "stream complete",
    },
    does = {
      [[echoing.channels = ((echoing.channels or 0) + 1); echoing.items = f.put(echoing.items, stream.asked)]],
      "echoing stream",
    },
  },
  {
    on = "client:payload",
    guard = 33,
    when = {
      [[((stream.model == "request_channel") and (stream.own_items == 1) and complete and (f.digest(c["data raw"]) ~= nil and stream.asked ~= nil and f.digest(c["data raw"]) == stream.asked))]],
      "c stream complete",
    },
    does = { [[echoing.same = ((echoing.same or 0) + 1); stream.echoed_n = n]], "echoing stream n" },
  },
  {
    on = "end:stream",
    when = {
      [[((stream.metadata ~= nil) and LISTS[9][why] and (((f.count(served.models) or 0) or 64) < 64))]],
      "stream why served",
    },
    does = {
      [[served.models = f.put(served.models, f.member(stream.model, stream.metadata))]],
      "served stream",
    },
  },
  {
    on = "request_channel",
    guard = 7,
    when = { [[complete]], "complete" },
    does = { [[stream.only = 1]], "stream" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.only == 1) and (stream.state == "done") and (stream.items ~= nil and stream.items > 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[channels_as_streams.chained = ((channels_as_streams.times ~= nil and channels_as_streams.times > 0) and ((channels_as_streams.latest_t ~= nil and stream.t ~= nil and channels_as_streams.latest_t <= (stream.t + 0)) and (stream.t ~= nil and channels_as_streams.latest_t ~= nil and (stream.t - channels_as_streams.latest_t) <= 2000000000.0))); if channels_as_streams.chained then channels_as_streams.second_n = f.coalesce(channels_as_streams.second_n, stream.n) else channels_as_streams.second_n = nil end; if not channels_as_streams.chained then channels_as_streams.first_n = stream.n end; if channels_as_streams.chained then channels_as_streams.times = (channels_as_streams.times ~= nil and (channels_as_streams.times + 1) or nil) else channels_as_streams.times = 1 end; channels_as_streams.latest_t = t]],
      "channels_as_streams stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[channels_as_streams.times = 0]], "channels_as_streams" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_response") and (stream.state == "done") and (stream.items == 0)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[empty_answers.chained = ((empty_answers.times ~= nil and empty_answers.times > 0) and ((empty_answers.latest_t ~= nil and stream.t ~= nil and empty_answers.latest_t <= (stream.t + 1000000000.0)) and (stream.t ~= nil and empty_answers.latest_t ~= nil and (stream.t - empty_answers.latest_t) <= 2000000000.0))); if empty_answers.chained then empty_answers.second_n = f.coalesce(empty_answers.second_n, stream.n) else empty_answers.second_n = nil end; if not empty_answers.chained then empty_answers.first_n = stream.n end; if empty_answers.chained then empty_answers.times = (empty_answers.times ~= nil and (empty_answers.times + 1) or nil) else empty_answers.times = 1 end; empty_answers.latest_t = t]],
      "empty_answers stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[empty_answers.times = 0]], "empty_answers" },
  },
  {
    on = "cancel",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE))]],
      "stream side t",
    },
    does = {
      [[timed_out.chained = ((timed_out.times ~= nil and timed_out.times > 0) and (timed_out.latest_t ~= nil and (t - timed_out.latest_t) <= 30000000000.0)); if timed_out.chained then timed_out.second_n = f.coalesce(timed_out.second_n, stream.n) else timed_out.second_n = nil end; if not timed_out.chained then timed_out.first_n = stream.n end; if timed_out.chained then timed_out.times = (timed_out.times ~= nil and (timed_out.times + 1) or nil) else timed_out.times = 1 end; timed_out.latest_t = t]],
      "timed_out t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[((stream.model == "request_response") and (why == "done"))]], "stream why" },
    does = { [[timed_out.times = 0]], "timed_out" },
  },
  {
    on = "cancel",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE) and (me.answers_got ~= nil and me.answers_got >= K.SOME_ANSWERS) and (stream.t ~= nil and me.answer_time ~= nil and (t - stream.t) >= (me.answer_time * K.FAR_LONGER)))]],
      "stream side t me",
    },
    does = {
      [[unlike_others.chained = ((unlike_others.times ~= nil and unlike_others.times > 0) and (unlike_others.latest_t ~= nil and (t - unlike_others.latest_t) <= 30000000000.0)); if unlike_others.chained then unlike_others.second_n = f.coalesce(unlike_others.second_n, stream.n) else unlike_others.second_n = nil end; if unlike_others.chained then unlike_others.times = (unlike_others.times ~= nil and (unlike_others.times + 1) or nil) else unlike_others.times = 1 end; unlike_others.latest_t = t]],
      "unlike_others t stream",
    },
  },
  {
    on = "payload error request_n",
    guard = 6,
    when = { [[(conn.resumed_n ~= nil)]], "conn" },
    does = { [[me.after_n = f.coalesce(me.after_n, n)]], "me n" },
  },
  {
    on = "cancel",
    when = {
      [[((conn.resumed_n ~= nil) and (session.answered_n ~= nil) and (peer.after_n == nil) and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items == 0) and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE))]],
      "conn session peer side stream t",
    },
    does = {
      [[silent_session.chained = ((silent_session.times ~= nil and silent_session.times > 0) and (silent_session.latest_t ~= nil and (t - silent_session.latest_t) <= 30000000000.0)); if not silent_session.chained then silent_session.first_n = stream.n end; if silent_session.chained then silent_session.times = (silent_session.times ~= nil and (silent_session.times + 1) or nil) else silent_session.times = 1 end; silent_session.latest_t = t]],
      "silent_session t stream",
    },
  },
  {
    on = "payload response",
    guard = 7,
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items ~= nil and stream.items <= 1))]],
      "stream side",
    },
    does = {
      [[peer.answers_got = ((peer.answers_got or 0) + 1); peer.answer_time = (stream.t ~= nil and (t - stream.t) or nil); me.turn = (f.max(f.coalesce(me.turn_t, stream.t), stream.t) ~= nil and (t - f.max(f.coalesce(me.turn_t, stream.t), stream.t)) or nil); me.turns = (((stream.t ~= nil and stream.t <= (me.turn_t or t)) and (stream.id ~= nil and stream.id > (me.turn_id or 0)) and (me.turn ~= nil and me.turn >= K.TURN) and (f.max(me.turn, f.coalesce(me.turn_before, me.turn)) ~= nil and f.min(me.turn, f.coalesce(me.turn_before, me.turn)) ~= nil and (f.max(me.turn, f.coalesce(me.turn_before, me.turn)) * 4) <= (f.min(me.turn, f.coalesce(me.turn_before, me.turn)) * 5))) and ((me.turns or 0) + 1) or 0); me.turn_before = me.turn; me.turn_t = t; me.turn_id = stream.id; me.turn_n = n]],
      "peer stream t me n",
    },
  },
  {
    on = "request_n",
    guard = 34,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.credit ~= nil and c.request_n ~= nil and stream.credit <= c.request_n))]],
      "c side stream",
    },
    does = {
      [[if (stream.drained_count == 1) then stream.drained_second_n = n end; stream.drained_count = ((stream.drained_count or 0) + 1); stream.drained_latest_n = n]],
      "stream n",
    },
  },
  {
    on = "request_n",
    when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
    does = { [[stream.drained_among = ((stream.drained_among or 0) + 1)]], "stream" },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    does = { [[conn.left_t = f.coalesce(conn.left_t, t)]], "conn t" },
  },
  {
    on = "request_response request_fnf request_stream request_channel",
    guard = 14,
    when = { [[complete]], "complete" },
    does = {
      [[me.same = (((me.pair_asked ~= nil and stream.asked ~= nil and me.pair_asked == stream.asked) and (me.pair_route ~= nil and stream.route ~= nil and me.pair_route == stream.route) and (me.pair_model ~= nil and me.pair_model == name)) and 1 or 0); if (me.same == 1) then me.pairs = ((me.run == 1) and ((me.pairs or 0) + 1) or 0) else if (me.run == 2) then me.pairs = f.coalesce(me.pairs, 0) else me.pairs = 0 end end; if (me.same == 1) then me.run = (me.run ~= nil and (me.run + 1) or nil) else me.run = 1 end; me.pair_asked = stream.asked; me.pair_route = stream.route; me.pair_model = name; me.pair_n = n]],
      "me stream name n",
    },
  },
  {
    on = "error",
    when = { [[(side ~= nil and stream.owner ~= nil and side ~= stream.owner)]], "side stream" },
    does = { [[peer.run = 0]], "peer" },
  },
  {
    on = "cancel",
    when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
    does = { [[me.run = 0]], "me" },
  },
  {
    on = "client:request_response client:request_fnf",
    guard = 14,
    when = { [[complete]], "complete" },
    does = {
      [[lately.hit = (((lately.asked ~= nil and stream.asked ~= nil and lately.asked == stream.asked) and (lately.route ~= nil and stream.route ~= nil and lately.route == stream.route) and (lately.flow ~= nil and flow ~= nil and lately.flow ~= flow) and (lately.flow ~= nil and lately.flow >= 0) and (lately.t_of ~= nil and (t - lately.t_of) <= K.AT_BOTH)) and 1 or 0); if (lately.hit == 1) then lately.times = ((lately.hit_t ~= nil and (t - lately.hit_t) <= K.BOTH_PAUSE) and ((lately.times or 0) + 1) or 1) end; lately.hit_t = ((lately.hit == 1) and t or lately.hit_t); lately.flow = ((lately.hit == 1) and -1 or flow); lately.asked = stream.asked; lately.route = stream.route; lately.t_of = t; lately.n_of = n]],
      "lately stream flow t n",
    },
  },
  {
    on = "request_response request_fnf request_stream request_channel",
    when = { [[(complete and ((me.asked or 0) <= K.FILLED))]], "complete me" },
    does = {
      [[if ((c["#data"] or 0) > 0) then me.filled_route = stream.route end; if ((c["#data"] or 0) > 0) then me.filled_n = n end; stream.empty = (((c["#data"] or 0) == 0) and 1 or 0)]],
      "c me stream n",
    },
  },
  {
    on = "error",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.empty == 1) and (stream.items == 0) and (stream.route ~= nil and peer.filled_route ~= nil and stream.route == peer.filled_route))]],
      "side stream peer",
    },
    does = {
      [[emptied.chained = ((emptied.times ~= nil and emptied.times > 0) and (emptied.latest_t ~= nil and (t - emptied.latest_t) <= 60000000000.0)); if emptied.chained then emptied.second_n = f.coalesce(emptied.second_n, stream.n) else emptied.second_n = nil end; if emptied.chained then emptied.times = (emptied.times ~= nil and (emptied.times + 1) or nil) else emptied.times = 1 end; emptied.latest_t = t]],
      "emptied t stream",
    },
  },
  {
    on = "error",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items ~= nil and stream.items > 0) and (stream.credit ~= nil and stream.credit <= 0) and LISTS[5][stream.model])]],
      "side stream",
    },
    does = {
      [[overflowed.chained = ((overflowed.times ~= nil and overflowed.times > 0) and (overflowed.latest_t ~= nil and (t - overflowed.latest_t) <= 60000000000.0)); if overflowed.chained then overflowed.second_n = f.coalesce(overflowed.second_n, stream.n) else overflowed.second_n = nil end; if overflowed.chained then overflowed.times = (overflowed.times ~= nil and (overflowed.times + 1) or nil) else overflowed.times = 1 end; overflowed.latest_t = t]],
      "overflowed t stream",
    },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (conn.refused_n == nil) and (C.asked == 1) and ((C.frames ~= nil and 4 < C.frames) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES))) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[one_use.chained = ((one_use.times ~= nil and one_use.times > 0) and ((one_use.latest_t ~= nil and conn.t ~= nil and one_use.latest_t <= (conn.t + 0)) and (conn.t ~= nil and one_use.latest_t ~= nil and (conn.t - one_use.latest_t) <= 5000000000.0))); if one_use.chained then one_use.second_n = f.coalesce(one_use.second_n, conn.n) else one_use.second_n = nil end; if not one_use.chained then one_use.first_n = conn.n end; if one_use.chained then one_use.times = (one_use.times ~= nil and (one_use.times + 1) or nil) else one_use.times = 1 end; one_use.latest_t = t]],
      "one_use conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[one_use.times = 0]], "one_use" },
  },
  { on = "end:conn", does = { [[freed.all = ((freed.all or 0) + 1)]], "freed" } },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[freed.ended = ((freed.ended or 0) + 1)]], "freed" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (C.asked ~= nil and C.asked > 1) and ((S.asked or 0) == 0) and (conn.left == nil) and (conn.last_t ~= nil and C.opened_t ~= nil and (conn.last_t - C.opened_t) > K.IDLE) and (f.live(conn, "stream") == 0)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn C S why",
    },
    does = {
      [[freed.left = ((freed.left or 0) + 1); freed.latest_n = conn.n; freed.first_n = f.coalesce(freed.first_n, conn.n)]],
      "freed conn",
    },
  },
  {
    on = "request_stream request_channel",
    when = { [[(peer.frames == 0)]], "peer" },
    does = { [[me.hoped = ((me.hoped or 0) + 1); me.hoped_t = f.coalesce(me.hoped_t, t)]], "me t" },
  },
  {
    on = "payload",
    guard = 35,
    when = {
      [[((stream.items ~= nil and stream.items <= K.COMPARED) and (stream.model ~= nil and stream.model ~= "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
      "stream side complete",
    },
    does = {
      [[stream.equal = ((c["data raw"] ~= nil and stream.item ~= nil and c["data raw"] == stream.item) and 1 or 0); if (stream.equal == 1) then stream.pairs = ((stream.run == 1) and ((stream.pairs or 0) + 1) or 0) else if not (stream.run == 2) then stream.pairs = 0 end end; if (stream.equal == 1) then stream.run = (stream.run ~= nil and (stream.run + 1) or nil) else stream.run = 1 end; stream.item = c["data raw"]; stream.same_n = n]],
      "c stream n",
    },
  },
  {
    on = "payload",
    guard = 36,
    when = {
      [[((stream.items ~= nil and stream.items <= K.COMPARED) and (stream.model ~= nil and stream.model ~= "request_response"))]],
      "stream",
    },
    does = { [[stream.empties = ((stream.empties or 0) + 1); stream.empty_n = n]], "stream n" },
  },
  {
    on = "payload",
    guard = 37,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and ((me.numbered or 0) < K.NUMBERED) and (stream.model ~= nil and stream.model ~= "request_response") and ((f.count(stream.firsts) or 0) < K.FIRST_ITEMS) and (stream.items ~= nil and stream.items == ((f.count(stream.firsts) or 0) + 1)))]],
      "side stream complete me",
    },
    does = {
      [[me.numbered = ((me.numbered or 0) + 1); stream.firsts = f.put(stream.firsts, f.member(n, c["data raw"]))]],
      "c me stream n",
    },
  },
  {
    on = "request_response",
    guard = 38,
    when = { [[complete]], "complete" },
    does = {
      [=[conn.routed_singly_chained = ((conn.routed_singly_times ~= nil and conn.routed_singly_times > 0) and ((conn.routed_singly_open == 0) and (conn.routed_singly_answered_t ~= nil and f.max((conn.routed_singly_took ~= nil and (conn.routed_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.routed_singly_answered_t) <= f.max((conn.routed_singly_took ~= nil and (conn.routed_singly_took * 3) or nil), 5000000)) and (conn.routed_singly_value ~= nil and c["metadata raw"] ~= nil and conn.routed_singly_value ~= c["metadata raw"]))); if conn.routed_singly_chained then conn.routed_singly_second_n = f.coalesce(conn.routed_singly_second_n, n) else conn.routed_singly_second_n = nil end; if not conn.routed_singly_chained then conn.routed_singly_first_n = n end; if conn.routed_singly_chained then conn.routed_singly_times = (conn.routed_singly_times ~= nil and (conn.routed_singly_times + 1) or nil) else conn.routed_singly_times = 1 end; conn.routed_singly_asked_t = t; conn.routed_singly_open = ((conn.routed_singly_open or 0) + 1); conn.routed_singly_value = c["metadata raw"]]=],
      "c conn t n",
    },
  },
  {
    on = "payload",
    when = {
      [[(((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete) and (conn.routed_singly_open ~= nil and conn.routed_singly_open > 0))]],
      "stream side complete conn",
    },
    does = {
      [[conn.routed_singly_took = (conn.routed_singly_asked_t ~= nil and (t - conn.routed_singly_asked_t) or nil); conn.routed_singly_answered_t = t; conn.routed_singly_open = 0]],
      "conn t",
    },
  },
  {
    on = "client:metadata_push",
    does = {
      [[if (conn.pushed_singly_count == 1) then conn.pushed_singly_second_n = n end; conn.pushed_singly_count = ((conn.pushed_singly_count or 0) + 1); conn.pushed_singly_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((f.max(C.last_t, (S.last_t or 0)) ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) > K.IDLING) and (f.max(C.last_t, (S.last_t or 0)) ~= nil and conn.keepalive ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) < (conn.keepalive * 1000000)) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) < (conn.max_lifetime * 900000)) and conn.start and conn.whole and conn.both)]],
      "C S t conn",
    },
    does = {
      [[idled.chained = ((idled.times ~= nil and idled.times > 0) and ((idled.latest_t ~= nil and (t - idled.latest_t) <= K.IDLING_PAUSE) and (idled.same ~= nil and f.max(C.last_t, (S.last_t or 0)) ~= nil and idled.same == math.floor(((t - f.max(C.last_t, (S.last_t or 0))) + 500000000) / 1000000000.0)))); if idled.chained then idled.second_n = f.coalesce(idled.second_n, f.coalesce(S.last_n, C.last_n)) else idled.second_n = nil end; if not idled.chained then idled.first_n = f.coalesce(S.last_n, C.last_n) end; if idled.chained then idled.times = (idled.times ~= nil and (idled.times + 1) or nil) else idled.times = 1 end; idled.latest_t = t; idled.same = (f.max(C.last_t, (S.last_t or 0)) ~= nil and math.floor(((t - f.max(C.last_t, (S.last_t or 0))) + 500000000) / 1000000000.0) or nil)]],
      "idled t C S",
    },
  },
  {
    on = "metadata_push",
    does = {
      [[me.pushes_chained = ((me.pushes_times ~= nil and me.pushes_times > 0) and (me.pushes_latest_t ~= nil and (t - me.pushes_latest_t) <= K.FLOOD_PAUSE)); if me.pushes_chained then me.pushes_second_n = f.coalesce(me.pushes_second_n, n) else me.pushes_second_n = nil end; if not me.pushes_chained then me.pushes_first_t = t end; if me.pushes_chained then me.pushes_times = (me.pushes_times ~= nil and (me.pushes_times + 1) or nil) else me.pushes_times = 1 end; me.pushes_latest_t = t]],
      "me t n",
    },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    when = {
      [[((conn.setup_n ~= nil) and (C.asked == nil) and (C.keepalive_n == nil) and (S.last_n == nil) and (S.closed_n == nil) and conn.start and conn.whole and conn.both)]],
      "conn C S",
    },
    does = {
      [[unasked.chained = ((unasked.times ~= nil and unasked.times > 0) and (unasked.latest_t ~= nil and (t - unasked.latest_t) <= K.UNASKED_PAUSE)); if unasked.chained then unasked.second_n = f.coalesce(unasked.second_n, conn.setup_n) else unasked.second_n = nil end; if not unasked.chained then unasked.first_n = conn.setup_n end; if unasked.chained then unasked.times = (unasked.times ~= nil and (unasked.times + 1) or nil) else unasked.times = 1 end; unasked.latest_t = t]],
      "unasked t conn",
    },
  },
  {
    on = "client:setup client:resume client:lease client:metadata_push client:cancel client:request_n client:payload client:ext",
    does = { [[C.act = name; C.act_n = n; C.act_of = ""]], "C name n" },
  },
  {
    on = "client:request_response client:request_fnf client:request_stream client:request_channel",
    does = { [[C.act = name; C.act_n = n; C.act_of = (f.digest(c["data raw"]) or "")]], "c C name n" },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((C.act_n ~= nil and C.last_n ~= nil and C.act_n == C.last_n) and (C.last_n ~= nil and C.last_n > (S.last_n or 0)) and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (S.frames ~= nil and S.frames > 0) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES) and (C.act ~= nil and not LISTS[7][C.act]))]],
      "C S t conn",
    },
    does = {
      [[server_gone.chained = ((server_gone.times ~= nil and server_gone.times > 0) and (server_gone.latest_t ~= nil and (t - server_gone.latest_t) <= K.GONE_PAUSE)); if server_gone.chained then server_gone.second_n = f.coalesce(server_gone.second_n, C.act_n) else server_gone.second_n = nil end; if not server_gone.chained then server_gone.first_n = C.act_n end; if server_gone.chained then server_gone.times = (server_gone.times ~= nil and (server_gone.times + 1) or nil) else server_gone.times = 1 end; server_gone.latest_t = t]],
      "server_gone t C",
    },
  },
  {
    on = "client:error client:cancel",
    guard = 6,
    does = {
      [[C.ending_of = name; C.ending_n = n; C.ending_t = t; C.endings = ((C.endings or 0) + 1)]],
      "C name n t",
    },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((C.endings == 1) and (C.ending_t ~= nil and (t - C.ending_t) < K.GONE) and ((f.live(conn, "stream") or 0) > 0) and (S.frames ~= nil and S.frames > 0) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil))]],
      "C t conn S",
    },
    does = {
      [[server_gone_at_ending.chained = ((server_gone_at_ending.times ~= nil and server_gone_at_ending.times > 0) and ((server_gone_at_ending.latest_t ~= nil and (t - server_gone_at_ending.latest_t) <= K.GONE_PAUSE) and (server_gone_at_ending.same ~= nil and C.ending_of ~= nil and server_gone_at_ending.same == C.ending_of))); if server_gone_at_ending.chained then server_gone_at_ending.second_n = f.coalesce(server_gone_at_ending.second_n, C.ending_n) else server_gone_at_ending.second_n = nil end; if not server_gone_at_ending.chained then server_gone_at_ending.first_n = C.ending_n end; if server_gone_at_ending.chained then server_gone_at_ending.times = (server_gone_at_ending.times ~= nil and (server_gone_at_ending.times + 1) or nil) else server_gone_at_ending.times = 1 end; server_gone_at_ending.latest_t = t; server_gone_at_ending.same = C.ending_of]],
      "server_gone_at_ending t C",
    },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    does = { [[S.left_t = f.coalesce(S.left_t, t)]], "S t" },
  },
  {
    on = "payload response error",
    guard = 6,
    when = { [[(side ~= nil and stream.owner ~= nil and side ~= stream.owner)]], "side stream" },
    does = { [[conn.served_of_n = f.max((conn.served_of_n or 0), stream.n)]], "conn stream" },
  },
  {
    on = "end:stream",
    when = { [[((why == "done") and (stream.items ~= nil and stream.items > 0))]], "why stream" },
    does = {
      [[outcomes.done = ((outcomes.done or 0) + 1); outcomes.done_n = stream.n]],
      "outcomes stream",
    },
  },
  { on = "end:conn", does = { [[unused.all = ((unused.all or 0) + 1)]], "unused" } },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[10][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[unused.ended = ((unused.ended or 0) + 1)]], "unused" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.setup_n ~= nil) and (conn.refused_n == nil) and (C.asked == nil) and (S.asked == nil) and (conn.last_t ~= nil and conn.t ~= nil and (conn.last_t - conn.t) > K.IDLE)) and LISTS[10][why] and (conn.start and conn.whole and conn.both))]],
      "conn C S why",
    },
    does = {
      [[unused.left = ((unused.left or 0) + 1); unused.latest_n = conn.n; unused.first_n = f.coalesce(unused.first_n, conn.n)]],
      "unused conn",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((stream.model == "request_response") and (stream.items == 0) and (stream.state == "open") and LISTS[8][why] and ((f.len(stream.asked) or 0) > 0) and (conn.resumable ~= nil and not conn.resumable) and conn.start and conn.whole and conn.both)]],
      "stream why conn",
    },
    does = {
      [[lost_request.times = (((S.left_t == nil) or (S.left_t ~= nil and S.left_t > (conn.left_t or t)) or (conn.over_n ~= nil) or (conn.closing_n ~= nil) or (conn.refused_n ~= nil) or (S.left_t ~= nil and stream.t ~= nil and (S.left_t - stream.t) > K.POISONED)) and 0 or ((lost_request.t_of ~= nil and (t - lost_request.t_of) < K.FRESH) and ((lost_request.times or 0) + 1) or 1)); lost_request.n_of = stream.n; lost_request.flow = flow; lost_request.t_of = t]],
      "lost_request S conn t stream flow",
    },
  },
  { on = "client:keepalive", does = { [[patron.beat_t = t; patron.beat_n = n]], "patron t n" } },
  { on = "server:keepalive", does = { [[S.keepalive_t = t]], "S t" } },
  {
    on = "client:tcp.close client:tcp.reset",
    when = {
      [[((S.closed_n == nil) and (C.asked ~= nil and C.asked >= K.ASKING) and (C.keepalive_n ~= nil and S.last_n ~= nil and C.keepalive_n > S.last_n) and (S.last_t ~= nil and conn.max_lifetime ~= nil and (t - S.last_t) >= (conn.max_lifetime * 500000)) and (f.coalesce(S.keepalive_t, S.last_t) ~= nil and conn.max_lifetime ~= nil and (t - f.coalesce(S.keepalive_t, S.last_t)) >= (conn.max_lifetime * 900000)) and (f.coalesce(conn.over_side, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.over_side, C.side) == C.side) and conn.start and conn.whole and conn.both)]],
      "S C conn t",
    },
    does = {
      [[away.since_t = t; away.alive_n = C.keepalive_n; away.heard_n = S.last_n; away.silent = (S.last_t ~= nil and (t - S.last_t) or nil)]],
      "away t C S",
    },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((C.asked ~= nil and C.asked >= K.ASKING) and (conn.left_t == nil) and (conn.refused_n == nil) and conn.start and conn.whole and conn.both)]],
      "C conn",
    },
    does = {
      [[away.lost_t = t; away.lost_n = C.last_n; away.client = client; away.server = server]],
      "away t C client server",
    },
  },
  { on = "setup resume", does = { [[away.since_t = nil; away.lost_t = nil]], "away" } },
  {
    on = "end:stream",
    when = {
      [[((stream.in_pieces == 1) and (stream.heard_n == nil) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and (stream.t ~= nil and (t - stream.t) > K.PENDING) and (stream.model ~= nil and stream.model ~= "request_fnf"))]],
      "stream C t",
    },
    does = {
      [[C.mute_pieces = ((C.mute_pieces or 0) + 1); C.mute_n = f.coalesce(C.mute_n, stream.n)]],
      "C stream",
    },
  },
  {
    on = "error",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.route) or 0) > 0))]],
      "side stream",
    },
    does = {
      [[never_served.chained = ((never_served.times ~= nil and never_served.times > 0) and ((never_served.latest_t ~= nil and (t - never_served.latest_t) <= 60000000000.0) and (never_served.same ~= nil and c.error_code ~= nil and never_served.same == c.error_code))); if never_served.chained then never_served.second_n = f.coalesce(never_served.second_n, stream.n) else never_served.second_n = nil end; if not never_served.chained then never_served.first_n = stream.n end; if never_served.chained then never_served.times = (never_served.times ~= nil and (never_served.times + 1) or nil) else never_served.times = 1 end; never_served.latest_t = t; never_served.same = c.error_code]],
      "c never_served t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[(LISTS[9][why] and ((f.len(stream.route) or 0) > 0))]], "why stream" },
    does = { [[never_served.times = 0]], "never_served" },
  },
  {
    on = "error",
    guard = 15,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (not f.coalesce(conn.leases, 0)))]],
      "side stream conn",
    },
    does = {
      [[rejected_on.chained = ((rejected_on.times ~= nil and rejected_on.times > 0) and (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) <= 1000000000.0)); if rejected_on.chained then rejected_on.slower = (rejected_on.slower ~= nil and (((rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) > 0) and (rejected_on.latest_t ~= nil and rejected_on.gap ~= nil and ((t - rejected_on.latest_t) * 10) >= (13 * rejected_on.gap))) and 1 or 0) ~= nil and (rejected_on.slower + (((rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) > 0) and (rejected_on.latest_t ~= nil and rejected_on.gap ~= nil and ((t - rejected_on.latest_t) * 10) >= (13 * rejected_on.gap))) and 1 or 0)) or nil) else rejected_on.slower = 0 end; if rejected_on.chained then rejected_on.gap = (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) or nil) else rejected_on.gap = nil end; if rejected_on.chained then rejected_on.first_gap = f.coalesce(rejected_on.first_gap, (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) or nil)) else rejected_on.first_gap = nil end; if rejected_on.chained then rejected_on.second_n = f.coalesce(rejected_on.second_n, stream.n) else rejected_on.second_n = nil end; if not rejected_on.chained then rejected_on.first_n = stream.n end; if rejected_on.chained then rejected_on.times = (rejected_on.times ~= nil and (rejected_on.times + 1) or nil) else rejected_on.times = 1 end; rejected_on.latest_t = t]],
      "rejected_on t stream",
    },
  },
  {
    on = "end:stream",
    when = { [[(why == "done")]], "why" },
    does = { [[rejected_on.times = 0]], "rejected_on" },
  },
  {
    on = "end:stream",
    when = {
      [[((stream.model == "request_response") and (stream.items ~= nil and stream.items > 0))]],
      "stream",
    },
    does = { [[replies.done_n = stream.n]], "replies stream" },
  },
  {
    on = "end:stream",
    when = {
      [[(((stream.model == "request_stream") and (stream.state == "cancelled") and (stream.items ~= nil and stream.items > 1) and (stream.items ~= nil and stream.requested ~= nil and stream.items == stream.requested)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both))]],
      "stream why conn",
    },
    does = {
      [[pages.chained = ((pages.times ~= nil and pages.times > 0) and ((pages.latest_t ~= nil and stream.t ~= nil and pages.latest_t <= (stream.t + 0)) and (stream.t ~= nil and pages.latest_t ~= nil and (stream.t - pages.latest_t) <= 2000000000.0))); if pages.chained then pages.second_n = f.coalesce(pages.second_n, stream.n) else pages.second_n = nil end; if not pages.chained then pages.first_n = stream.n end; if pages.chained then pages.times = (pages.times ~= nil and (pages.times + 1) or nil) else pages.times = 1 end; pages.latest_t = t]],
      "pages stream t",
    },
  },
  {
    on = "end:stream",
    when = {
      [[((why ~= nil and not LISTS[4][why]) and ((stream.born ~= nil and not stream.born) or (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why stream conn",
    },
    does = { [[pages.times = 0]], "pages" },
  },
  {
    on = "request_channel",
    when = { [[complete]], "complete" },
    does = { [[stream.bare = (((c["#metadata"] or 0) == 0) and 1 or 0)]], "c stream" },
  },
  {
    on = "cancel",
    when = {
      [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner))]],
      "stream side",
    },
    does = { [[stream.unwanted_t = f.coalesce(stream.unwanted_t, t)]], "stream t" },
  },
  { on = "setup", does = { [[session.over_n = nil]], "session" } },
  {
    on = "error",
    guard = 39,
    when = { [[(session.flow ~= nil and flow ~= nil and session.flow == flow)]], "session flow" },
    does = { [[session.over_n = n; session.over_code = c.error_code]], "c session n" },
  },
  {
    on = "keepalive",
    guard = 3,
    when = { [[(orphan ~= nil and not orphan)]], "orphan" },
    does = {
      [[me.quickest = f.min((me.quickest or (req.t ~= nil and (t - req.t) or nil)), (req.t ~= nil and (t - req.t) or nil))]],
      "me req t",
    },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.first_item_t ~= nil and stream.first_item_t == t) and (stream.items == 1) and (stream.model == "request_response"))]],
      "side stream t",
    },
    does = {
      [[me.quickest = f.min((me.quickest or (stream.t ~= nil and (t - stream.t) or nil)), (stream.t ~= nil and (t - stream.t) or nil)); me.freed_t = t; me.freed_n = n; me.freed_of = stream.n; me.freed_of_t = stream.t; me.freed_after_t = me.sent_t; peer.heard_t = t; peer.heard_n = n; peer.heard_of = stream.n; peer.heard_took = (stream.t ~= nil and (t - stream.t) or nil)]],
      "me stream t n peer",
    },
  },
  { on = "keepalive", guard = 3, does = { [[me.waited_t = me.sent_t]], "me" } },
  {
    on = "request_response request_fnf request_stream request_channel",
    does = { [[peer.served_from_t = f.coalesce(peer.served_from_t, t)]], "peer t" },
  },
  {
    on = "request_response",
    when = { [[complete]], "complete" },
    does = { [[me.asked_back_t = t; me.asked_back_n = n]], "me t n" },
  },
  { on = "server:error", guard = 6, does = { [[S.refusal_n = n]], "S n" } },
  { on = "any", does = { [[me.sent_t = t; me.sent_n = n]], "me t n" } },
  {
    on = "server:tcp.close server:tcp.reset",
    when = {
      [[((C.frames == 1) and ((S.frames or 0) == 0) and (C.act == "setup") and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and ((S.left_t or t) == t))]],
      "C S t conn",
    },
    does = {
      [[gone_at_setup.chained = ((gone_at_setup.times ~= nil and gone_at_setup.times > 0) and (gone_at_setup.latest_t ~= nil and (t - gone_at_setup.latest_t) <= K.GONE_PAUSE)); if gone_at_setup.chained then gone_at_setup.second_n = f.coalesce(gone_at_setup.second_n, C.act_n) else gone_at_setup.second_n = nil end; if gone_at_setup.chained then gone_at_setup.times = (gone_at_setup.times ~= nil and (gone_at_setup.times + 1) or nil) else gone_at_setup.times = 1 end; gone_at_setup.latest_t = t]],
      "gone_at_setup t C",
    },
  },
  {
    on = "request_response request_fnf request_stream request_channel payload error cancel",
    does = { [[conn.stream_t = t]], "conn t" },
  },
  {
    on = "request_response",
    when = { [[complete]], "complete" },
    does = {
      [[desk.asker = side; desk.waits = ((desk.waits or 0) + 1); desk.waits_n = f.coalesce(desk.waits_n, n); desk.waits_t = f.coalesce(desk.waits_t, t)]],
      "desk side n t",
    },
  },
  {
    on = "payload response error",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (desk.waits ~= nil))]],
      "stream side desk",
    },
    does = {
      [[desk.waits = 0; desk.waits_n = nil; desk.waits_t = nil; desk.answers = ((desk.answers or 0) + 1); desk.answers_n = n; desk.slowest = f.max((desk.slowest or 0), (stream.t ~= nil and (t - stream.t) or nil))]],
      "desk n stream t",
    },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.first_item_t ~= nil and stream.first_item_t == t) and (stream.items == 1) and (stream.model == "request_response"))]],
      "side stream t",
    },
    does = {
      [[me.climb = ((stream.t ~= nil and (t - stream.t) > (me.climb_took or t)) and ((me.climb or 0) + 1) or 0); if not (me.climb ~= nil and me.climb > 0) then me.climb_from = (stream.t ~= nil and (t - stream.t) or nil) end; if not (me.climb ~= nil and me.climb > 0) then me.climb_n = stream.n end; me.climb_took = (stream.t ~= nil and (t - stream.t) or nil)]],
      "me stream t",
    },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.first_item_t ~= nil and stream.first_item_t == t) and (stream.items == 1) and LISTS[5][stream.model])]],
      "side stream t",
    },
    does = {
      [[me.serial = (((stream.t ~= nil and me.run_over_t ~= nil and stream.t < me.run_over_t) and (me.run_over_t ~= nil and stream.t ~= nil and ((t - me.run_over_t) * 4) <= (me.run_over_t - stream.t))) and ((me.serial or 0) + 1) or 0); me.run_over_t = nil; me.run_id = stream.id]],
      "me stream t",
    },
  },
  {
    on = "payload",
    guard = 7,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.id ~= nil and me.run_id ~= nil and stream.id == me.run_id))]],
      "side stream me",
    },
    does = { [[me.run_over_t = t; me.run_over_n = n]], "me t n" },
  },
  {
    on = "server:payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.first_item_t ~= nil and stream.first_item_t == t) and (stream.items == 1) and (stream.model == "request_response"))]],
      "side stream t",
    },
    does = {
      [[S.gave_n = n; bank.answers = ((bank.answers or 0) + 1); bank.of_t = t; bank.of_n = n; bank.slowest = f.max((bank.slowest or 0), (stream.t ~= nil and (t - stream.t) or nil))]],
      "S n bank t stream",
    },
  },
  {
    on = "client:request_response",
    when = { [[complete]], "complete" },
    does = {
      [[C.questions = ((C.questions or 0) + 1); C.question_n = f.coalesce(C.question_n, n); C.question_t = f.coalesce(C.question_t, t)]],
      "C n t",
    },
  },
  {
    on = "request_response",
    guard = 40,
    when = { [[(complete and ((f.count(me.asked_for) or 0) < K.QUESTIONS))]], "complete me" },
    does = {
      [[stream.question = c["data raw"]; me.asked_for = f.put(me.asked_for, f.member(n, t, c["data raw"]))]],
      "c stream me n t",
    },
  },
  {
    on = "payload",
    guard = 41,
    when = {
      [[(complete and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.model == "request_response") and (stream.question ~= nil))]],
      "complete side stream",
    },
    does = {
      [[me.replied = f.put(me.replied, f.member(stream.n, stream.t, stream.question, c["data raw"]))]],
      "c me stream",
    },
  },
  {
    on = "payload",
    guard = 35,
    when = {
      [[((stream.items ~= nil and stream.items <= K.FOLD_ITEMS) and LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
      "stream side complete",
    },
    does = {
      [[stream.alike = ((c["data raw"] ~= nil and stream.former ~= nil and c["data raw"] == stream.former) and 1 or 0); if not (stream.alike == 1) then if (stream.times ~= nil and stream.fold ~= nil and stream.times == stream.fold) then stream.folds = (stream.folds ~= nil and (stream.folds + 1) or nil) else stream.folds = 1 end end; if not (stream.alike == 1) then stream.fold = stream.times end; if (stream.alike == 1) then stream.times = (stream.times ~= nil and (stream.times + 1) or nil) else stream.times = 1 end; stream.former = c["data raw"]; stream.former_n = n]],
      "c stream n",
    },
  },
  {
    on = "end:stream",
    when = { [[(stream.folds ~= nil and stream.folds >= K.FOLDS)]], "stream" },
    does = { [[feed.fold = stream.fold; feed.of_n = stream.n]], "feed stream" },
  },
  {
    on = "error",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0) and (peer.accepted_n ~= nil))]],
      "side stream peer",
    },
    does = {
      [[denied.chained = ((denied.times ~= nil and denied.times > 0) and ((denied.latest_t ~= nil and (t - denied.latest_t) <= K.DENIED_PAUSE) and (denied.same ~= nil and c.error_data ~= nil and denied.same == c.error_data))); if denied.chained then denied.times = (denied.times ~= nil and (denied.times + 1) or nil) else denied.times = 1 end; denied.latest_t = t; denied.same = c.error_data]],
      "c denied t",
    },
  },
  {
    on = "end:stream",
    when = { [[(why == "done")]], "why" },
    does = { [[denied.times = 0]], "denied" },
  },
  {
    on = "payload",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (peer.accepted_n == nil))]],
      "side stream peer",
    },
    does = { [[peer.accepted_n = n]], "peer n" },
  },
  {
    on = "client:request_stream client:request_channel",
    guard = 42,
    when = { [[complete]], "complete" },
    does = {
      [[stream.request = c["data raw"]; wanted.again = f.put(wanted.again, f.member(name, stream.route, c["data raw"])); wanted.again_n = n]],
      "c stream wanted name n",
    },
  },
  {
    on = "client:request_response client:request_stream client:request_channel client:keepalive",
    when = {
      [[((wanted.judged_n == nil) and (conn.setup_t ~= nil and wanted.lost_t ~= nil and conn.setup_t > wanted.lost_t) and (conn.setup_t ~= nil and (t - conn.setup_t) > K.ASKED_AGAIN))]],
      "wanted conn t",
    },
    does = { [[wanted.judged_n = n]], "wanted n" },
  },
  {
    on = "end:stream",
    when = {
      [[(LISTS[8][why] and (conn.left == nil) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and LISTS[5][stream.model] and (stream.items ~= nil and stream.items > 0) and LISTS[6][stream.state] and (conn.resumable ~= nil and not conn.resumable) and (stream.request ~= nil) and ((wanted.lost_t == nil) or (wanted.lost_t ~= nil and (t - wanted.lost_t) > K.LOST_AT_ONCE)))]],
      "why conn stream C wanted t",
    },
    does = { [[wanted.lost = nil; wanted.again = nil; wanted.judged_n = nil]], "wanted" },
  },
  {
    on = "end:stream",
    when = {
      [[(LISTS[8][why] and (conn.left == nil) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and LISTS[5][stream.model] and (stream.items ~= nil and stream.items > 0) and LISTS[6][stream.state] and (conn.resumable ~= nil and not conn.resumable) and (stream.request ~= nil) and ((f.count(wanted.lost) or 0) < K.LOST_STREAMS))]],
      "why conn stream C wanted",
    },
    does = {
      [[wanted.lost = f.put(wanted.lost, f.member(stream.model, stream.route, stream.request)); wanted.lost_t = conn.last_t; wanted.lost_n = stream.item_n]],
      "wanted stream conn",
    },
  },
  {
    on = "server:keepalive",
    guard = 2,
    when = {
      [[(C.beat_t ~= nil and conn.keepalive ~= nil and ((t - C.beat_t) * 4) < (conn.keepalive * 1000000))]],
      "C conn t",
    },
    does = {
      [[if (conn.near_beats_count == 1) then conn.near_beats_second_n = n end; conn.near_beats_count = ((conn.near_beats_count or 0) + 1); conn.near_beats_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "server:keepalive",
    guard = 2,
    does = { [[conn.near_beats_among = ((conn.near_beats_among or 0) + 1)]], "conn" },
  },
  {
    on = "request_stream request_channel",
    does = {
      [[stream.batch = c.initial_request_n; stream.batch_t = t; stream.batch_first_t = nil]],
      "c stream t",
    },
  },
  {
    on = "request_n",
    when = { [[(side ~= nil and stream.owner ~= nil and side == stream.owner)]], "side stream" },
    does = {
      [[if (stream.credit ~= nil and c.request_n ~= nil and stream.credit == c.request_n) then stream.batch = c.request_n else stream.batch = nil end; stream.batch_t = t; stream.batch_first_t = nil]],
      "c stream t",
    },
  },
  {
    on = "payload",
    when = {
      [[((stream.credit ~= nil and stream.batch ~= nil and stream.credit == (stream.batch - 1)) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
      "stream side complete",
    },
    does = { [[stream.batch_first_t = f.coalesce(stream.batch_first_t, t)]], "stream t" },
  },
  {
    on = "payload",
    when = {
      [[((stream.credit == 0) and (stream.batch ~= nil and stream.batch >= K.BATCH) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete)]],
      "stream side complete",
    },
    does = {
      [[stream.is_held = (((stream.batch_first_t ~= nil and stream.batch_t ~= nil and (stream.batch_first_t - stream.batch_t) > K.BATCH_LATE) and (stream.batch_first_t ~= nil and stream.batch_t ~= nil and ((t - stream.batch_first_t) * K.BATCH_SPREAD) < (stream.batch_first_t - stream.batch_t))) and 1 or 0); stream.held = (stream.is_held ~= nil and ((stream.held or 0) + stream.is_held) or nil); stream.prompt = ((stream.is_held == 0) and 1 or stream.prompt); stream.held_n = f.coalesce(stream.held_n, n); stream.held_for = (stream.batch_first_t ~= nil and stream.batch_t ~= nil and (stream.batch_first_t - stream.batch_t) or nil)]],
      "stream t n",
    },
  },
  { on = "tcp.gap tcp.resync", guard = 17, does = { [[captures.are_partial = 1]], "captures" } },
  {
    on = "end:conn",
    when = {
      [[((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both))]],
      "conn",
    },
    does = { [[captures.are_partial = 1]], "captures" },
  },
} end)()

local TIMERS = (function() return {
  {
    name = "keepalive",
    of = "C",
    on = "client:setup client:keepalive",
    clear = "error tcp.close tcp.reset",
    again = true,
    limit = {
      [[(conn.keepalive ~= nil and ((conn.keepalive * K.LATE_KEEPALIVES) * 1000000) or nil)]],
      "conn",
    },
    when = { [[(conn.keepalive ~= nil and conn.keepalive > 0)]], "conn" },
  },
} end)()

local BURSTS = (function() return {} end)()

local RULES = (function() return {
  {
    id = "RSK-C1",
    name = "rsk_c1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "First client frame is neither SETUP nor RESUME",
    on = "client:any",
    needs = { "start", "whole" },
    of = "conn",
    fixed = { [[(not LISTS[13][name])]], "name" },
    when = { [[(conn.state == "absent")]], "conn" },
    says = { [[f.say("the client's first frame is %s", name)]], "name" },
    cause = "The client sends requests before it has set up the connection.",
  },
  {
    id = "RSK-C2",
    name = "rsk_c2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Server frames on a connection without SETUP",
    on = "server:any",
    needs = { "start", "whole", "both" },
    of = "conn",
    fixed = { [[(not LISTS[14][name])]], "name" },
    when = { [[((conn.unopened_n ~= nil) and (conn.setup_n == nil) and (conn.resume_n == nil))]], "conn" },
    says = { [[f.say("the server sent %s on a connection that began without SETUP", name)]], "name" },
  },
  {
    id = "RSK-C3",
    name = "rsk_c3",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "SETUP or RESUME sent by the server",
    on = "server:setup server:resume",
    needs = { "start", "both" },
    of = "conn",
    says = { [[f.say("the server sent %s, which only clients send", name)]], "name" },
  },
  {
    id = "RSK-C3b",
    name = "rsk_c3b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "RESUME_OK without RESUME, or sent by the client",
    on = "resume_ok",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[((sender == "client") or (conn.resume_n == nil))]], "sender conn" },
    says = {
      [[f.say("the %s sent RESUME_OK, which is only the server's answer to RESUME", sender)]],
      "sender",
    },
    cause = "The sender resumes a session on a connection that began with SETUP.",
  },
  {
    id = "RSK-C4",
    name = "rsk_c4",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Second SETUP on a connection",
    on = "client:setup",
    needs = {},
    of = "conn",
    when = { [[((conn.setup_n ~= nil) or (conn.resume_n ~= nil))]], "conn" },
    says = {
      [[f.say("SETUP was sent on a connection that is already set up; servers ignore or refuse it")]],
    },
    cause = "The client sets the connection up again instead of opening a new one.",
  },
  {
    id = "RSK-C5",
    name = "rsk_c5",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Connection frame on a stream",
    on = "setup lease keepalive resume resume_ok",
    needs = {},
    of = "conn",
    guard = 43,
    says = { [[f.say("%s was sent on stream %s, but belongs on stream 0", name, c.stream_id)]], "c name" },
    cause = "The client writes a stream's id into the header.",
  },
  {
    id = "RSK-C6",
    name = "rsk_c6",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Stream frame on stream 0",
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel",
    needs = {},
    of = "conn",
    guard = 1,
    says = { [[f.say("%s was sent on stream 0, which is reserved for the connection", name)]], "name" },
    cause = "Stream ids of clients start at 1, those of servers at 2.",
  },
  {
    id = "RSK-C7",
    name = "rsk_c7",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Zero keepalive interval or lifetime in SETUP",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 44,
    says = {
      [[f.say("SETUP has a keepalive interval of %s ms and a max lifetime of %s ms; both must be above 0", c.time_between_keepalive_frames, c.max_lifetime)]],
      "c",
    },
    cause = "Zero does not disable keepalive: peers refuse it, or never notice that the client is gone.",
  },
  {
    id = "RSK-C7b",
    name = "rsk_c7b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Max lifetime below the keepalive interval",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 45,
    says = {
      [[f.say("the max lifetime of %s ms ends before the next KEEPALIVE, sent every %s ms", c.max_lifetime, c.time_between_keepalive_frames)]],
      "c",
    },
    cause = "The two times may be swapped.",
  },
  {
    id = "RSK-C7c",
    name = "rsk_c7c",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Very long max lifetime or keepalive interval",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 46,
    says = {
      [[f.say("SETUP has a keepalive interval of %s ms and a max lifetime of %s ms: a lost peer is not noticed earlier", c.time_between_keepalive_frames, c.max_lifetime)]],
      "c",
    },
    cause = "Both are in milliseconds; the client may mean a smaller unit.",
  },
  {
    id = "RSK-C7d",
    name = "rsk_c7d",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Max lifetime equal to the keepalive interval",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 47,
    says = {
      [[f.say("the max lifetime is the keepalive interval, %s ms: one KEEPALIVE that is late by a moment ends an idle connection", c.max_lifetime)]],
      "c",
    },
    cause = "The max lifetime should be several intervals.",
  },
  {
    id = "RSK-C8",
    name = "rsk_c8",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "SETUP with resumption refused",
    on = "server:error",
    needs = {},
    of = "unsupported",
    when = {
      [[(((c.stream_id == 0) and (c.error_code == 2) and LISTS[2][conn.state]) and conn.resumable)]],
      "c conn",
    },
    says = { [[f.say("SETUP asks for resumption and was refused: %s", c.error_data)]], "c" },
    cause = "The server does not support resumption, or something else that SETUP asks for; the text may say which. It is a note if the server accepts a later SETUP of the client.",
  },
  {
    id = "RSK-C9",
    name = "rsk_c9",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Server frames after an ERROR that refused the connection",
    on = "server:any",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[(conn.state == "refused")]], "conn" },
    says = { [[f.say("the server sent %s after the ERROR that refused the connection", name)]], "name" },
  },
  {
    id = "RSK-C12",
    name = "rsk_c12",
    severity = "WARN",
    group = "SEQUENCE",
    title = "LEASE that SETUP did not ask for",
    on = "lease",
    needs = {},
    of = "conn",
    when = { [[(conn.leases ~= nil and not conn.leases)]], "conn" },
    says = { [[f.say("LEASE was sent on a connection whose SETUP does not ask for leases")]] },
    cause = "Leases are enabled on one side only.",
  },
  {
    id = "RSK-C13",
    name = "rsk_c13",
    severity = "WARN",
    group = "MALFORMED",
    title = "MIME type outside US-ASCII",
    problem = { text = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "setup")]], "name" },
    says = { [[f.say("%s of SETUP is not US-ASCII", problem_field)]], "problem_field" },
  },
  {
    id = "RSK-C14",
    name = "rsk_c14",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unknown protocol version in SETUP",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 48,
    says = {
      [[f.say("SETUP has version %s.%s; known versions are 1.0, 0.2 and 0.1", c.major_version, c.minor_version)]],
      "c",
    },
  },
  {
    id = "RSK-C15",
    name = "rsk_c15",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Empty resume token",
    on = "setup resume",
    needs = {},
    of = "conn",
    guard = 49,
    says = { [[f.say("%s has an empty resume token, which identifies no session", name)]], "name" },
  },
  {
    id = "RSK-C17",
    name = "rsk_c17",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved flag bits set",
    on = "any",
    needs = {},
    of = "conn",
    guard = 50,
    says = {
      [[f.say("%s has the bits %s set, which are not assigned to a flag", name, (c.flags ~= nil and (c.flags - (math.floor(c.flags / 32) * 32)) or nil))]],
      "c name",
    },
    cause = "The type has six bits and the flags ten, of which the last five are unused.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 51,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_2",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "lease",
    needs = {},
    of = "conn",
    guard = 52,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_3",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "keepalive",
    needs = {},
    of = "conn",
    guard = 53,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_4",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "request_response",
    needs = {},
    of = "conn",
    guard = 54,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_5",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "request_fnf",
    needs = {},
    of = "conn",
    guard = 54,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_6",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "request_stream",
    needs = {},
    of = "conn",
    guard = 54,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_7",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "request_n",
    needs = {},
    of = "conn",
    guard = 55,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_8",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "cancel",
    needs = {},
    of = "conn",
    guard = 55,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_9",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "error",
    needs = {},
    of = "conn",
    guard = 55,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_10",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "metadata_push",
    needs = {},
    of = "conn",
    guard = 52,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_11",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "resume",
    needs = {},
    of = "conn",
    guard = 55,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_12",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "resume_ok",
    needs = {},
    of = "conn",
    guard = 55,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17b",
    name = "rsk_c17b_13",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Flag that the frame type does not define",
    on = "ext",
    needs = {},
    of = "conn",
    guard = 52,
    when = { [[(dialect == "")]], "dialect" },
    says = {
      [[f.say("%s has the flags %s, of which some do not belong to this frame", name, c.flags)]],
      "c name",
    },
    cause = "The sender may mean another frame.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "setup",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 10 or 13)) or f.high_bit(octets, (conn.carried and 14 or 17))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "lease",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9)) or f.high_bit(octets, (conn.carried and 10 or 13))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "keepalive",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "request_stream",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_5",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "request_channel",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "request_n",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_7",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "request_response",
    needs = {},
    of = "conn",
    when = {
      [[(f.high_bit(octets, (conn.carried and 0 or 3)) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_8",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "request_fnf",
    needs = {},
    of = "conn",
    when = {
      [[(f.high_bit(octets, (conn.carried and 0 or 3)) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_9",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "ext",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C17c",
    name = "rsk_c17c_10",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved top bit of a number set",
    on = "resume_ok",
    needs = {},
    of = "conn",
    when = {
      [[((f.high_bit(octets, (conn.carried and 0 or 3)) or f.high_bit(octets, (conn.carried and 6 or 9))) and (dialect == ""))]],
      "octets conn dialect",
    },
    says = {
      [[f.say("%s has a number whose reserved top bit is set; receivers ignore the bit or refuse the frame", name)]],
      "name",
    },
    cause = "The sender writes a negative number, or one that needs 32 bits.",
  },
  {
    id = "RSK-C18",
    name = "rsk_c18",
    severity = "NOTE",
    group = "UNDECODED",
    title = "Unknown frame type",
    on = "any:unknown",
    needs = {},
    of = "conn",
    fixed = { [[(key ~= nil)]], "key" },
    says = {
      [[f.say("the frame type %s does not exist; a peer may ignore the frame or close the connection", key)]],
      "key",
    },
  },
  {
    id = "RSK-C19",
    name = "rsk_c19",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Error code on the wrong kind of stream",
    on = "error",
    needs = {},
    of = "conn",
    guard = 56,
    says = {
      [[f.say("ERROR %s was sent on stream %s", f.named(c.error_code, names.error_code), c.stream_id)]],
      "c",
    },
    cause = "Codes from 0x201 are for streams, lower codes for the connection on stream 0.",
  },
  {
    id = "RSK-C20",
    name = "rsk_c20",
    severity = "WARN",
    group = "SEQUENCE",
    title = "ERROR for SETUP after the connection was accepted",
    on = "server:error",
    since = { [[f.since(conn, n, me.served_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    guard = 57,
    when = { [[(me.served_n ~= nil)]], "me" },
    says = {
      [[f.say("ERROR %s was sent on a connection that has been served since frame %s", f.named(c.error_code, names.error_code), me.served_n)]],
      "c me",
    },
  },
  {
    id = "RSK-C20b",
    name = "rsk_c20b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "SETUP or RESUME error sent by a client",
    on = "client:error",
    needs = {},
    of = "conn",
    guard = 58,
    says = {
      [[f.say("the client sent ERROR %s, which only servers send", f.named(c.error_code, names.error_code))]],
      "c",
    },
  },
  {
    id = "RSK-C21",
    name = "rsk_c21",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Request after CONNECTION_CLOSE",
    on = "request_response request_fnf request_stream request_sub request_channel",
    since = { [[f.since(conn, n, conn.closing_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = { [[(conn.closing_n ~= nil)]], "conn" },
    says = {
      [[f.say("%s was sent after CONNECTION_CLOSE in frame %s", name, conn.closing_n)]],
      "name conn",
    },
    cause = "The requester continues to use a connection that is being closed.",
  },
  {
    id = "RSK-C25",
    name = "rsk_c25",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Bytes of another protocol instead of RSocket",
    problem = { foreign = true },
    needs = { "both" },
    of = "conn",
    again = true,
    says = {
      [[f.say("the %s does not speak RSocket: %s", sender, f.whole(problem_text))]],
      "sender problem_text",
    },
    by = {
      [[(f.starts(problem_text, "these bytes are TLS") and "tls" or (f.starts(problem_text, "these bytes are HTTP") and "http" or "other"))]],
      "problem_text",
    },
    causes = {
      tls = "TLS is sent to a port without TLS.",
      http = "HTTP, with which WebSocket also begins, is sent to a port for RSocket over TCP.",
    },
  },
  {
    id = "RSK-C26",
    name = "rsk_c26",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "No LEASE from the server although SETUP asks for leases",
    on = "end:conn",
    evidence = { [[f.first_known(S.working_n, conn.setup_n)]], "S conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(conn.leases and (conn.resume_n == nil) and (C.lease_n == nil) and LISTS[23][conn.state] and (S.working_n ~= nil))]],
      "conn C S",
    },
    says = { [[f.say("SETUP asks for leases, but the server serves the connection without a LEASE")]] },
    cause = "The server ignores the lease flag of SETUP: it must send LEASE, or refuse SETUP.",
  },
  {
    id = "RSK-C26",
    name = "rsk_c26_2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "No LEASE from the server although SETUP asks for leases",
    on = "end:conn",
    evidence = { [[f.first_known(conn.setup_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(conn.leases and (conn.resume_n == nil) and (C.lease_n == nil) and LISTS[23][conn.state] and (S.working_n == nil) and (conn.setup_t ~= nil and (t - conn.setup_t) > K.LEASE_TIME))]],
      "conn C S t",
    },
    says = {
      [[f.say("SETUP asks for leases, but the server sent no LEASE for %s", f.time((conn.setup_t ~= nil and (t - conn.setup_t) or nil)))]],
      "conn t",
    },
    cause = "The client may send no request until LEASE arrives.",
  },
  {
    id = "RSK-C26b",
    name = "rsk_c26b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "No LEASE from the client although SETUP asks for leases",
    on = "end:conn",
    evidence = { [[f.first_known(conn.setup_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(conn.leases and (conn.resume_n == nil) and (S.lease_n == nil) and LISTS[23][conn.state] and (conn.setup_t ~= nil and (t - conn.setup_t) > K.LEASE_TIME))]],
      "conn S t",
    },
    says = {
      [[f.say("SETUP asks for leases, but the client sent no LEASE for %s", f.time((conn.setup_t ~= nil and (t - conn.setup_t) or nil)))]],
      "conn t",
    },
    cause = "The server may send the client no requests.",
  },
  {
    id = "RSK-C27",
    name = "rsk_c27",
    severity = "WARN",
    group = "PROTOCOL",
    title = "EXT with extended type 0",
    on = "ext",
    needs = {},
    of = "conn",
    guard = 59,
    says = { [[f.say("EXT has the extended type 0; it must be above 0")]] },
    cause = "The sender does not set the type of its extension.",
  },
  {
    id = "RSK-C28",
    name = "rsk_c28",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Reserved error code",
    on = "error",
    needs = {},
    of = "conn",
    when = {
      [[(((c.error_code ~= nil and not LISTS[24][c.error_code]) and (c.error_code ~= nil and c.error_code <= 768) and (dialect == "")) or (c.error_code == 4294967295.0))]],
      "c dialect",
    },
    says = {
      [[f.say("ERROR on stream %s has the code %s, which is reserved: %s", c.stream_id, c.error_code, c.error_data)]],
      "c",
    },
    cause = "Codes of applications are 0x301 to 0xFFFFFFFE.",
  },
  {
    id = "RSK-C29",
    name = "rsk_c29",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Text with a terminating zero byte",
    on = "setup",
    needs = {},
    of = "conn",
    finds = {
      [[f.predicates.ends_with_null("metadata_mime_type data_mime_type", c.metadata_mime_type, c.data_mime_type)]],
      "c",
    },
    says = { [[f.say("the %s of SETUP ends with a zero byte", f.whole(found))]], "found" },
    cause = "The sender writes text as in C; its receiver compares the type with the byte.",
  },
  {
    id = "RSK-C29",
    name = "rsk_c29_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Text with a terminating zero byte",
    on = "error",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.ends_with_null("error_data", c.error_data)]], "c" },
    says = { [[f.say("the %s of ERROR ends with a zero byte", f.whole(found))]], "found" },
    cause = "The sender writes text as in C.",
  },
  {
    id = "RSK-C30",
    name = "rsk_c30",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connection closed with open streams after CONNECTION_CLOSE",
    on = "end:stream",
    evidence = { [[f.first_known(conn.closing_n, stream.n)]], "conn stream" },
    needs = { "object", "both" },
    of = "conn",
    when = {
      [[((conn.closing_n ~= nil) and LISTS[8][why] and LISTS[6][stream.state] and (stream.model ~= nil and stream.model ~= "request_fnf"))]],
      "conn why stream",
    },
    says = {
      [[f.say("CONNECTION_CLOSE was sent, but the connection was closed while stream %s was open", stream.id)]],
      "stream",
    },
    cause = "After CONNECTION_CLOSE both sides must wait until the streams have ended; CONNECTION_ERROR closes at once.",
  },
  {
    id = "RSK-C31",
    name = "rsk_c31",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Refused connection left open by the server",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(conn.refused_n)]], "conn" },
    since = { [[f.since(conn, conn.refused_n)]], "conn" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((conn.state == "refused") and (conn.refused_t ~= nil and (t - conn.refused_t) > K.REFUSED_TIME) and (S.closed_n == nil))]],
      "conn t S",
    },
    says = {
      [[f.say("the server refused the connection, but left it open for %s, until the client closed it", f.time((conn.refused_t ~= nil and (t - conn.refused_t) or nil)))]],
      "conn t",
    },
  },
  {
    id = "RSK-C33",
    name = "rsk_c33",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Malformed or misspelt MIME type in SETUP",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    finds = {
      [[f.predicates.is_no_type("metadata_mime_type data_mime_type", c.metadata_mime_type, c.data_mime_type)]],
      "c",
    },
    says = { [[f.say("SETUP announces %s", f.whole(found))]], "found" },
    cause = "The peer compares the names of types byte by byte: it reads data of an unknown type as bytes, or refuses it.",
  },
  {
    id = "RSK-C34",
    name = "rsk_c34",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Frames sent after the peer's connection ERROR (stream 0)",
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel keepalive metadata_push",
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[((conn.over_n ~= nil) and (side ~= nil and conn.over_side ~= nil and side ~= conn.over_side) and (conn.over_t ~= nil and t > (conn.over_t + K.OVER)))]],
      "conn side t",
    },
    says = {
      [[f.say("the %s sent %s %s after the ERROR on stream 0 that ended the connection", sender, name, f.time((conn.over_t ~= nil and (t - conn.over_t) or nil)))]],
      "sender name conn t",
    },
    cause = "The sender ignores ERROR on stream 0: nothing that it sends is processed.",
  },
  {
    id = "RSK-C22",
    name = "rsk_c22",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "SETUP refused",
    on = "server:error",
    needs = {},
    of = "conn",
    again = true,
    guard = 60,
    when = { [[((conn.state == "open") and (me.served_n == nil))]], "conn me" },
    says = {
      [[f.say("the server refused SETUP with %s: %s", f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "The server considers SETUP invalid.",
  },
  {
    id = "RSK-C22b",
    name = "rsk_c22b",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Client rejected",
    on = "server:error",
    needs = {},
    of = "rejected",
    guard = 61,
    when = { [[((conn.state == "open") and (me.served_n == nil))]], "conn me" },
    says = {
      [[f.say("the server refused SETUP with %s: %s", f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "SETUP is valid, but the server rejects the client, for its credentials or because of load, for example. It is a note if the server accepts a later SETUP, such as one with a new token.",
  },
  {
    id = "RSK-C22c",
    name = "rsk_c22c",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "SETUP that asks for what the server does not support",
    on = "server:error",
    needs = {},
    of = "unsupported",
    when = {
      [[(((c.stream_id == 0) and (c.error_code == 2) and LISTS[2][conn.state]) and (conn.resumable ~= nil and not conn.resumable))]],
      "c conn",
    },
    says = {
      [[f.say("the server refused SETUP with %s: %s", f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "The server does not support something that SETUP asks for. It is a note if the server accepts a later SETUP of the client.",
  },
  {
    id = "RSK-C23",
    name = "rsk_c23",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "CONNECTION_ERROR sent by the client",
    on = "client:error",
    needs = {},
    of = "conn",
    guard = 23,
    says = {
      [[f.say("the %s closed the connection with CONNECTION_ERROR: %s", sender, c.error_data)]],
      "c sender",
    },
  },
  {
    id = "RSK-C23b",
    name = "rsk_c23b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "CONNECTION_ERROR sent by the server",
    on = "server:error",
    needs = {},
    of = "cut_off",
    guard = 10,
    says = { [[f.say("the server closed the connection with CONNECTION_ERROR: %s", c.error_data)]], "c" },
    cause = "All streams of the connection end with it. It is a note if the server serves a later connection of the client.",
  },
  {
    id = "RSK-C23c",
    name = "rsk_c23c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Connection disposed by the server",
    on = "server:error",
    needs = {},
    of = "conn",
    guard = 62,
    says = {
      [[f.say("the server closed the connection with CONNECTION_ERROR: %s; CONNECTION_CLOSE would let open streams finish", c.error_data)]],
      "c",
    },
    cause = "The server was stopped, or its program has disposed the connection: all streams end with it.",
  },
  {
    id = "RSK-C24",
    name = "rsk_c24",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connection closed after the client's max lifetime",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.left == nil) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) >= (conn.max_lifetime * 1000000)))]],
      "conn C t",
    },
    says = {
      [[f.say("the server closed the connection: it had received nothing from the client for the max lifetime of %s ms", conn.max_lifetime)]],
      "conn",
    },
    cause = "The client stopped sending KEEPALIVE, or was stopped itself.",
    by = { [[((C.keepalive_n == nil) and "never" or "stopped")]], "C" },
    causes = { never = "The client never sent KEEPALIVE." },
  },
  {
    id = "RSK-C24b",
    name = "rsk_c24b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connection closed after the max lifetime without KEEPALIVE",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(f.coalesce(C.keepalive_n, conn.setup_n), C.last_n)]], "C conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[((conn.keepalive ~= nil and conn.keepalive > 0) and (conn.keepalive ~= nil and conn.max_lifetime ~= nil and conn.keepalive < conn.max_lifetime) and (C.last_n ~= nil and f.coalesce(C.keepalive_n, conn.setup_n) ~= nil and C.last_n > f.coalesce(C.keepalive_n, conn.setup_n)) and (f.coalesce(C.beat_t, conn.setup_t) ~= nil and conn.max_lifetime ~= nil and (t - f.coalesce(C.beat_t, conn.setup_t)) >= (conn.max_lifetime * 1000000)) and (f.coalesce(C.beat_t, conn.setup_t) ~= nil and conn.max_lifetime ~= nil and (t - f.coalesce(C.beat_t, conn.setup_t)) < (conn.max_lifetime * 1500000)) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) < (conn.max_lifetime * 1000000)))]],
      "conn C t",
    },
    says = {
      [[f.say("the server closed the connection: it had received no KEEPALIVE from the client for the max lifetime of %s ms, only other frames", conn.max_lifetime)]],
      "conn",
    },
    cause = "The client's timer has stopped, or has a longer interval than SETUP announces.",
    by = { [[((C.keepalive_n == nil) and "never" or "stopped")]], "C" },
    causes = { never = "The client never sent KEEPALIVE." },
  },
  {
    id = "RSK-K1",
    name = "rsk_k1",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Late KEEPALIVE",
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel error lease metadata_push server:keepalive tcp.close tcp.reset",
    evidence = { [[f.first_known(f.coalesce(C.keepalive_n, conn.setup_n))]], "C conn" },
    since = { [[f.since(conn, f.coalesce(C.keepalive_n, conn.setup_n))]], "conn C" },
    needs = { "since" },
    of = "conn",
    again = true,
    when = { [[(C.late_t ~= nil)]], "C" },
    says = {
      [[f.say("the client has sent no KEEPALIVE for %s times the interval of %s ms in SETUP", K.LATE_KEEPALIVES, conn.keepalive)]],
      "conn",
    },
    cause = "The client, or its keepalive timer, has stopped. It is a note if KEEPALIVE comes later.",
    by = {
      [[((C.last_n ~= nil and f.coalesce(C.keepalive_n, conn.setup_n) ~= nil and C.last_n > f.coalesce(C.keepalive_n, conn.setup_n)) and "busy" or ((C.keepalive_n == nil) and "never" or "stopped"))]],
      "C conn",
    },
    causes = {
      busy = "The client sends other frames: it may send KEEPALIVE only when idle.",
      never = "The client never sent KEEPALIVE.",
    },
  },
  {
    id = "RSK-K8",
    name = "rsk_k8",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "KEEPALIVE less often than announced",
    on = "client:keepalive",
    since = { [[f.since(conn, n, C.slow_beats_first_n, conn.setup_n)]], "conn n C" },
    needs = { "since" },
    of = "C",
    when = {
      [[(((C.slow_beats_times ~= nil and (C.slow_beats_times + 1) >= K.SLOW_LIMIT) and (c["flags.respond"] and (f.coalesce(C.beat_t, conn.setup_t) ~= nil and conn.keepalive ~= nil and ((t - f.coalesce(C.beat_t, conn.setup_t)) * 2) > (conn.keepalive * 3000000))) and (C.slow_beats_latest_t ~= nil and conn.keepalive ~= nil and (t - C.slow_beats_latest_t) <= (conn.keepalive * 10000000))) and (conn.keepalive ~= nil and conn.keepalive > 0))]],
      "c C conn t",
    },
    says = {
      [[f.say("%s KEEPALIVEs in a row came more than one and a half of the interval of %s ms in SETUP after the one before; the last one %s after it", K.SLOW_LIMIT, conn.keepalive, f.time((f.coalesce(C.beat_t, conn.setup_t) ~= nil and (t - f.coalesce(C.beat_t, conn.setup_t)) or nil)))]],
      "conn C t",
    },
    cause = "The client has another interval than it announces, such as a default, or its timer is held up.",
  },
  {
    id = "RSK-K2",
    name = "rsk_k2",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Unanswered KEEPALIVE",
    on = "unanswered:keepalive",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[(((f.max(req.t, (f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.answered_t, C.answered_t) or 0)) ~= nil and (t - f.max(req.t, (f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.answered_t, C.answered_t) or 0))) > (f.min(K.KEEPALIVE_ANSWER, (conn.max_lifetime ~= nil and (conn.max_lifetime * 500000) or nil)) or K.KEEPALIVE_ANSWER)) or ((req.t ~= nil and (t - req.t) > (f.min(K.KEEPALIVE_ANSWER, (conn.max_lifetime ~= nil and (conn.max_lifetime * 500000) or nil)) or K.KEEPALIVE_ANSWER)) and (f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.answered_of_t, C.answered_of_t) ~= nil and req.t ~= nil and f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.answered_of_t, C.answered_of_t) > req.t))) and (((f.coalesce(f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_t, C.last_t), f.coalesce(conn.setup_t, conn.t)) ~= nil and req.t ~= nil and f.coalesce(f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_t, C.last_t), f.coalesce(conn.setup_t, conn.t)) > req.t) or (f.coalesce(f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_t, C.last_t), f.coalesce(conn.setup_t, conn.t)) ~= nil and conn.max_lifetime ~= nil and ((t - f.coalesce(f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_t, C.last_t), f.coalesce(conn.setup_t, conn.t))) * 10) >= (conn.max_lifetime * 9000000))) and (conn.hasty_n == nil)))]],
      "req C S t conn",
    },
    says = {
      [[f.say("a KEEPALIVE from the %s was not answered within %s", ((req.side ~= nil and C.side ~= nil and req.side == C.side) and "client" or "server"), f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req C t",
    },
    cause = "The peer that does not answer will be considered dead.",
    by = { [[((conn.orphans ~= nil and conn.orphans > 0) and "other" or "none")]], "conn" },
    causes = {
      other = "A KEEPALIVE without the respond flag arrived with other data: an answer repeats the data of the request.",
    },
  },
  {
    id = "RSK-K10",
    name = "rsk_k10",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connection ended long before the max lifetime for want of a KEEPALIVE",
    on = "error",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 63,
    when = {
      [[((conn.max_lifetime ~= nil and conn.max_lifetime > 0) and (f.max((peer.alive_t or 0), (conn.setup_t or 0)) ~= nil and conn.max_lifetime ~= nil and ((t - f.max((peer.alive_t or 0), (conn.setup_t or 0))) * 10) < (conn.max_lifetime * 9000000)) and (me.awaited_n ~= nil) and (me.awaited_t ~= nil and (t - me.awaited_t) > K.KEEPALIVE_ANSWER))]],
      "conn peer t me",
    },
    says = {
      [[f.say("the %s ended the connection %s after a KEEPALIVE that was not answered (%s), although SETUP has a max lifetime of %s ms", sender, f.time((me.awaited_t ~= nil and (t - me.awaited_t) or nil)), c.error_data, conn.max_lifetime)]],
      "c sender me t conn",
    },
    cause = "A timeout of its own, which SETUP does not announce, is too short: each short pause of the peer ends a connection.",
  },
  {
    id = "RSK-K9",
    name = "rsk_k9",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Late answer to KEEPALIVE",
    on = "keepalive",
    since = { [[f.since(conn, req.n, n)]], "conn req n" },
    needs = { "since", "both" },
    of = "conn",
    guard = 3,
    when = { [[(req.t ~= nil and (t - req.t) > K.KEEPALIVE_ANSWER)]], "req t" },
    says = {
      [[f.say("a KEEPALIVE of the %s was answered after %s", ((req.side ~= nil and C.side ~= nil and req.side == C.side) and "client" or "server"), f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req C t",
    },
    cause = "The peer was busy, such as with a handler that blocks its only thread; after the max lifetime the connection would have been ended.",
  },
  {
    id = "RSK-K3",
    name = "rsk_k3",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "KEEPALIVE answer without a request",
    on = "keepalive",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 3,
    when = { [[orphan]], "orphan" },
    says = { [[f.say("KEEPALIVE without the respond flag answers no open KEEPALIVE with this data")]] },
    cause = "The respond flag is missing, or the data of the request is not repeated.",
  },
  {
    id = "RSK-B164",
    name = "rsk_b164",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "KEEPALIVE without an answer when its connection ended",
    on = "unanswered:keepalive",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both", "whole" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (req.n ~= nil and f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_n, C.last_n) ~= nil and req.n < f.choose((req.side ~= nil and C.side ~= nil and req.side == C.side), S.last_n, C.last_n)) and (req.t ~= nil and (t - req.t) <= (f.min(K.KEEPALIVE_ANSWER, (conn.max_lifetime ~= nil and (conn.max_lifetime * 500000) or nil)) or K.KEEPALIVE_ANSWER)))]],
      "why req C S t conn",
    },
    says = {
      [[f.say("a KEEPALIVE of the %s had no answer when the connection ended, %s after it, although its peer sent other frames", ((req.side ~= nil and C.side ~= nil and req.side == C.side) and "client" or "server"), f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req C t",
    },
    cause = "The peer answers KEEPALIVE late, not each time, or in the order of its other work.",
  },
  {
    id = "RSK-B164b",
    name = "rsk_b164b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "KEEPALIVE again before the answer to the one with the same data",
    on = "keepalive",
    since = { [[f.since(conn, n, duplicate_of)]], "conn n duplicate_of" },
    needs = { "since", "both", "whole" },
    of = "conn",
    guard = 2,
    when = { [[duplicate]], "duplicate" },
    says = {
      [[f.say("the %s sent KEEPALIVE before the answer to the one in frame %s, with the same data", sender, duplicate_of)]],
      "sender duplicate_of",
    },
    cause = "The answer is late or lost, or two timers send KEEPALIVE: nothing shows which one an answer with these data is for.",
  },
  {
    id = "RSK-K4",
    name = "rsk_k4",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Position in KEEPALIVE without resumption",
    on = "keepalive",
    needs = {},
    of = "conn",
    guard = 64,
    when = { [[(conn.resumable ~= nil and not conn.resumable)]], "conn" },
    says = {
      [[f.say("KEEPALIVE has position %s, but SETUP does not ask for resumption", c.last_received_position)]],
      "c",
    },
  },
  {
    id = "RSK-K7",
    name = "rsk_k7",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Large KEEPALIVE data",
    on = "keepalive",
    needs = {},
    of = "conn",
    guard = 65,
    says = {
      [[f.say("KEEPALIVE has %s of data, which the peer must return", f.counted(c["#data"], "byte", "bytes"))]],
      "c",
    },
    cause = "The data only matches an answer with its request: a few bytes are enough.",
  },
  {
    id = "RSK-K5",
    name = "rsk_k5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing position in KEEPALIVE",
    on = "keepalive",
    needs = {},
    of = "conn",
    when = {
      [[((c.last_received_position ~= nil and me.position ~= nil and c.last_received_position < me.position) and conn.resumable)]],
      "c me conn",
    },
    says = { [[f.say("position %s was sent after %s", c.last_received_position, me.position)]], "c me" },
    by = {
      [[((c.last_received_position ~= nil and peer.position ~= nil and c.last_received_position == peer.position) and "echoed" or "other")]],
      "c peer",
    },
    causes = { echoed = "The sender returns the position that it received instead of its own." },
  },
  {
    id = "RSK-S1",
    name = "rsk_s1",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Stream id of the wrong parity",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start" },
    of = "conn",
    when = {
      [[(((sender == "client") and (c.stream_id ~= nil and c.stream_id == (math.floor(c.stream_id / 2) * 2)) and (c.stream_id ~= nil and c.stream_id > 0)) or ((sender == "server") and (c.stream_id ~= nil and c.stream_id ~= (math.floor(c.stream_id / 2) * 2))))]],
      "c sender",
    },
    says = {
      [[f.say("the %s opened stream %s; clients use odd ids, servers even ones", sender, c.stream_id)]],
      "c sender",
    },
    by = {
      [[(((me.last_id == nil) and conn.start) and "first" or ((c.stream_id ~= nil and me.last_id ~= nil and c.stream_id == (me.last_id + 1)) and "next" or "other"))]],
      "c me conn",
    },
    causes = {
      first = "The ids start at the wrong number.",
      next = "The ids are incremented by one instead of two.",
    },
  },
  {
    id = "RSK-S2",
    name = "rsk_s2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream id not above the last one",
    on = "request_response request_fnf request_stream request_sub request_channel",
    since = { [[f.since(conn, n, me.opened_n)]], "conn n me" },
    needs = { "since" },
    of = "me",
    when = {
      [[(((c.stream_id ~= nil and 0 < c.stream_id) and (c.stream_id ~= nil and me.last_id ~= nil and c.stream_id <= me.last_id)) and (stream.state ~= nil and not LISTS[6][stream.state]) and ((me.last_id ~= nil and me.last_id < K.LAST_IDS) or (c.stream_id ~= nil and c.stream_id >= K.LAST_IDS)) and ((stream.state ~= nil and not LISTS[25][stream.state]) or (c.stream_id ~= nil and me.last_id ~= nil and c.stream_id <= (me.last_id - K.BURST_IDS)) or (me.opened_t ~= nil and (t - me.opened_t) > K.BURST_TIME)))]],
      "c me stream t",
    },
    says = { [[f.say("stream %s was opened after stream %s", c.stream_id, me.last_id)]], "c me" },
    cause = "Ids only increase until they wrap; the peer may ignore the request.",
  },
  {
    id = "RSK-S2b",
    name = "rsk_s2b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Skipped stream ids",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole" },
    of = "conn",
    when = {
      [[((c.stream_id ~= nil and me.last_id ~= nil and c.stream_id > (me.last_id + 2)) and (me.last_id ~= nil and me.last_id > 0))]],
      "c me",
    },
    says = { [[f.say("stream %s was opened after stream %s", c.stream_id, me.last_id)]], "c me" },
  },
  {
    id = "RSK-S2c",
    name = "rsk_s2c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream ids out of order in a burst",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole" },
    of = "conn",
    when = {
      [[(((c.stream_id ~= nil and 0 < c.stream_id) and (c.stream_id ~= nil and me.last_id ~= nil and c.stream_id <= me.last_id)) and LISTS[25][stream.state] and (c.stream_id ~= nil and me.last_id ~= nil and c.stream_id > (me.last_id - K.BURST_IDS)) and (me.opened_t ~= nil and (t - me.opened_t) <= K.BURST_TIME))]],
      "c me stream t",
    },
    says = { [[f.say("stream %s was opened right after stream %s", c.stream_id, me.last_id)]], "c me" },
    cause = "Several threads take an id and send their request in another order.",
  },
  {
    id = "RSK-S23",
    name = "rsk_s23",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "First stream id other than 1 or 2",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole" },
    of = "conn",
    guard = 66,
    when = { [[((me.last_id == nil) and (conn.resume_n == nil))]], "me conn" },
    says = {
      [[f.say("the first stream of the %s is %s; ids start at 1 for clients and 2 for servers", sender, c.stream_id)]],
      "c sender",
    },
  },
  {
    id = "RSK-B242",
    name = "rsk_b242",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Last stream id of a connection",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 67,
    says = {
      [[f.say("%s has stream id %s, the last one of the %s: it can make no other request on this connection, or has to use ids again", name, c.stream_id, sender)]],
      "c name sender",
    },
    cause = "Each request takes an id: at 1000 requests per second they last for 12 days.",
  },
  {
    id = "RSK-S3",
    name = "rsk_s3",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Request on an open stream id",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "object", "both" },
    of = "stream",
    when = { [=[LISTS[6][stream.state]]=], "stream" },
    says = {
      [[f.say("%s was sent on stream %s, which has been open since frame %s", name, c.stream_id, stream.n)]],
      "c name stream",
    },
    cause = "Two requests have the same id; the receiver ignores the second.",
  },
  {
    id = "RSK-S5",
    name = "rsk_s5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Response without COMPLETE",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 21,
    when = {
      [[((stream.model == "request_response") and (stream.state == "open") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and ((stream.answer_ends == 0) or (stream.answer_ends == nil)))]],
      "stream side complete",
    },
    says = {
      [[f.say("the response on stream %s has no COMPLETE flag; receivers assume it", stream.id)]],
      "stream",
    },
    cause = "The responder treats request/response as a stream.",
  },
  {
    id = "RSK-S5b",
    name = "rsk_s5b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Second response to one request",
    on = "payload",
    needs = { "object" },
    of = "stream",
    when = {
      [[((stream.lacks_complete ~= nil) and (stream.state == "done") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner))]],
      "stream side",
    },
    says = {
      [[f.say("another PAYLOAD was sent for the request on stream %s, which already has its response", stream.id)]],
      "stream",
    },
    cause = "The responder treats request/response as a stream.",
  },
  {
    id = "RSK-S6",
    name = "rsk_s6",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Response to REQUEST_FNF",
    on = "payload response error request_n cancel",
    needs = { "object" },
    of = "stream",
    when = {
      [[((stream.model == "request_fnf") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner))]],
      "stream side",
    },
    says = {
      [[f.say("%s was sent on stream %s, but REQUEST_FNF has no response", name, stream.id)]],
      "name stream",
    },
  },
  {
    id = "RSK-S7",
    name = "rsk_s7",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Initial request of 0 payloads",
    on = "request_stream request_channel",
    needs = {},
    of = "conn",
    guard = 68,
    says = { [[f.say("%s requests 0 payloads; it must request at least 1", name)]], "name" },
  },
  {
    id = "RSK-S7b",
    name = "rsk_s7b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "REQUEST_N of 0",
    on = "request_n",
    needs = {},
    of = "conn",
    guard = 69,
    says = { [[f.say("REQUEST_N requests 0 payloads; it must request at least 1")]] },
  },
  {
    id = "RSK-S8",
    name = "rsk_s8",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "More payloads than requested by the requester",
    on = "payload",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["flags.next"] or (stream.answer_cut == 1)) and (stream.credit ~= nil and stream.credit <= 0) and LISTS[5][stream.model])]],
      "c side stream complete",
    },
    says = {
      [[f.say("payload %s + 1 was sent on stream %s, but only %s were requested", stream.items, stream.id, stream.requested)]],
      "stream",
    },
    cause = "The responder does not track its credit (REQUEST_N).",
  },
  {
    id = "RSK-S9",
    name = "rsk_s9",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "More payloads than requested by a channel's responder",
    on = "payload",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and complete and (stream.asking == 0) and (c["flags.next"] or (stream.own_cut == 1)) and (stream.own_credit ~= nil and stream.own_credit <= 0) and (stream.model == "request_channel") and LISTS[26][stream.state])]],
      "c side stream complete",
    },
    says = {
      [[f.say("a payload was sent on channel %s that the responder had not requested", stream.id)]],
      "stream",
    },
    cause = "The requester does not wait for REQUEST_N.",
  },
  {
    id = "RSK-S10",
    name = "rsk_s10",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "REQUEST_CHANNEL without REQUEST_N from its responder",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.model == "request_channel") and LISTS[26][stream.state] and (stream.granted == 0) and (stream.own_items == 0) and (stream.own_cancelled == nil) and (((why ~= nil and why ~= "end") and (stream.t ~= nil and (t - stream.t) > K.CHANNEL_GRANT)) or (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) > K.CHANNEL_GRANT)))]],
      "stream why t conn",
    },
    says = { [[f.say("channel %s ended without a request from its responder", stream.id)]], "stream" },
    cause = "The responder does not subscribe to the requester's payloads.",
  },
  {
    id = "RSK-S11",
    name = "rsk_s11",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "PAYLOAD after COMPLETE",
    on = "payload response",
    needs = { "object" },
    of = "stream",
    when = {
      [[(((stream.model ~= nil and stream.model ~= "request_fnf") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and LISTS[27][stream.state] and (stream.lacks_complete == nil)) or ((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and LISTS[28][stream.state] and (stream.asking == 0) and (stream.own_cancelled == nil)))]],
      "stream side",
    },
    says = {
      [[f.say("a payload was sent on stream %s after its sender's COMPLETE", stream.id)]],
      "stream",
    },
    cause = "The publisher continues after it has completed.",
  },
  {
    id = "RSK-S11b",
    name = "rsk_s11b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Frame after the sender's own ERROR or CANCEL",
    on = "payload response request_n cancel error",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[11][stream.state] and (stream.closer ~= nil and side ~= nil and stream.closer == side))]],
      "stream side",
    },
    says = {
      [[f.say("%s was sent on stream %s, which its sender ended in frame %s", name, stream.id, stream.closer_n)]],
      "name stream",
    },
    cause = "The sender does not forget the stream when it is cancelled or fails.",
  },
  {
    id = "RSK-S11c",
    name = "rsk_s11c",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "ERROR after COMPLETE",
    on = "error",
    needs = { "object" },
    of = "stream",
    when = {
      [[((stream.model ~= nil and stream.model ~= "request_fnf") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and LISTS[27][stream.state] and (stream.lacks_complete == nil))]],
      "stream side",
    },
    says = { [[f.say("ERROR was sent on stream %s after its sender's COMPLETE", stream.id)]], "stream" },
    cause = "The publisher signals two ends; the receiver takes the first.",
  },
  {
    id = "RSK-S21",
    name = "rsk_s21",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "PAYLOAD from the requester outside REQUEST_CHANNEL",
    on = "payload",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[29][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.closer_n == nil) and (stream.asking == 0))]],
      "stream side",
    },
    says = {
      [[f.say("the requester sent %s on stream %s, which began with %s", name, stream.id, stream.model)]],
      "name stream",
    },
    cause = "After its request, only the requester of a channel sends payloads; the responder ignores others, and their data is lost.",
  },
  {
    id = "RSK-S21b",
    name = "rsk_s21b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream frame from the wrong side of a stream",
    on = "request_n",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[30][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.closer_n == nil))]],
      "stream side",
    },
    says = {
      [[f.say("the requester sent %s on stream %s, which began with %s", name, stream.id, stream.model)]],
      "name stream",
    },
    cause = "This side receives no further payloads that it could request.",
  },
  {
    id = "RSK-S21b",
    name = "rsk_s21b_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream frame from the wrong side of a stream",
    on = "request_n",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[31][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.closer_n == nil))]],
      "stream side",
    },
    says = {
      [[f.say("the responder sent %s on stream %s, which began with %s", name, stream.id, stream.model)]],
      "name stream",
    },
    cause = "This side receives no further payloads that it could request.",
  },
  {
    id = "RSK-S21b",
    name = "rsk_s21b_3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream frame from the wrong side of a stream",
    on = "error",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[29][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.closer_n == nil))]],
      "stream side",
    },
    says = {
      [[f.say("the requester sent %s on stream %s, which began with %s", name, stream.id, stream.model)]],
      "name stream",
    },
    cause = "The requester of this model ends a stream with CANCEL.",
  },
  {
    id = "RSK-S22",
    name = "rsk_s22",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "REQUEST_N or CANCEL after the end of a stream",
    on = "request_n cancel",
    needs = { "object", "both" },
    of = "stream",
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    when = {
      [[((stream.ended_t ~= nil and t > (stream.ended_t + K.CROSSING)) and (stream.model ~= nil and stream.model ~= "request_fnf") and ((stream.state == "done") or (LISTS[11][stream.state] and (stream.closer ~= nil and side ~= nil and stream.closer ~= side))))]],
      "stream t side",
    },
    says = {
      [[f.say("%s was sent on stream %s %s after its end", name, stream.id, f.time((stream.ended_t ~= nil and (t - stream.ended_t) or nil)))]],
      "name stream t",
    },
    cause = "The sender does not forget the stream when it ends.",
  },
  {
    id = "RSK-S22b",
    name = "rsk_s22b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "PAYLOAD long after the peer's CANCEL or ERROR",
    on = "payload error",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.ended_t ~= nil and t > (stream.ended_t + K.CROSSING)) and LISTS[11][stream.state] and (stream.closer ~= nil and side ~= nil and stream.closer ~= side) and (stream.model ~= nil and stream.model ~= "request_response"))]],
      "stream t side",
    },
    says = {
      [[f.say("%s was sent on stream %s %s after its peer ended it in frame %s", name, stream.id, f.time((stream.ended_t ~= nil and (t - stream.ended_t) or nil)), stream.closer_n)]],
      "name stream t",
    },
    cause = "The sender ignores CANCEL or ERROR, and continues to work for a stream that is over.",
  },
  {
    id = "RSK-S12",
    name = "rsk_s12",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "PAYLOAD with neither NEXT nor COMPLETE",
    on = "payload",
    needs = { "object" },
    of = "stream",
    when = {
      [[(((c["flags.next"] ~= nil and not c["flags.next"]) and (c["flags.complete"] ~= nil and not c["flags.complete"]) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((stream.answer_cut == 0) or (stream.answer_cut == nil))) or ((c["flags.next"] ~= nil and not c["flags.next"]) and (c["flags.complete"] ~= nil and not c["flags.complete"]) and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.asking == 0) and ((stream.own_cut == 0) or (stream.own_cut == nil))))]],
      "c side stream",
    },
    says = { [[f.say("PAYLOAD on stream %s has neither NEXT nor COMPLETE set", stream.id)]], "stream" },
    cause = "The sender forgets the NEXT flag; rsocket-java closes the connection.",
  },
  {
    id = "RSK-S13",
    name = "rsk_s13",
    severity = "WARN",
    group = "PROTOCOL",
    title = "PAYLOAD data without NEXT",
    on = "payload",
    needs = { "object" },
    of = "conn",
    guard = 70,
    when = {
      [[(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((stream.answer_cut == 0) or (stream.answer_cut == nil))) or ((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.asking == 0) and ((stream.own_cut == 0) or (stream.own_cut == nil))))]],
      "side stream",
    },
    says = { [[f.say("PAYLOAD with COMPLETE but without NEXT has data, which receivers drop")]] },
    cause = "A last payload with data needs both flags.",
  },
  {
    id = "RSK-S14",
    name = "rsk_s14",
    severity = "WARN",
    group = "SEQUENCE",
    title = "CANCEL sent by a responder",
    on = "cancel",
    needs = { "object" },
    of = "stream",
    when = {
      [[(LISTS[31][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner))]],
      "stream side",
    },
    says = {
      [[f.say("the responder cancelled stream %s; responders end a stream with ERROR or COMPLETE", stream.id)]],
      "stream",
    },
  },
  {
    id = "RSK-S15",
    name = "rsk_s15",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Frame on a stream that is not open",
    on = "payload response request_n cancel error",
    needs = { "start", "whole", "both" },
    of = "stream",
    guard = 6,
    when = { [[(stream.state == "absent")]], "stream" },
    says = { [[f.say("%s was sent on stream %s, which was not opened", name, c.stream_id)]], "c name" },
  },
  {
    id = "RSK-S17",
    name = "rsk_s17",
    severity = "WARN",
    group = "PROTOCOL",
    title = "METADATA_PUSH on a stream",
    on = "metadata_push",
    needs = {},
    of = "conn",
    guard = 43,
    says = { [[f.say("METADATA_PUSH was sent on stream %s, but belongs on stream 0", c.stream_id)]], "c" },
    cause = "The client sends it like a request.",
  },
  {
    id = "RSK-S19",
    name = "rsk_s19",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream stalled without REQUEST_N",
    on = "end:stream",
    evidence = { [[f.first_known(stream.item_n, stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[(LISTS[5][stream.model] and (stream.credit ~= nil and stream.credit <= 0) and (stream.items ~= nil and stream.items > 0) and LISTS[32][stream.state] and (stream.last_t ~= nil and (t - stream.last_t) > K.STALLED))]],
      "stream t",
    },
    says = {
      [[f.say("stream %s delivered all %s requested payloads, then was idle until it ended", stream.id, stream.requested)]],
      "stream",
    },
    cause = "The subscriber does not request more (REQUEST_N).",
  },
  {
    id = "RSK-S19b",
    name = "rsk_s19b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Channel stalled without REQUEST_N",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.model == "request_channel") and (stream.granted == 1) and (stream.own_credit ~= nil and stream.own_credit <= 0) and (stream.own_items ~= nil and stream.own_items > 0) and (stream.own_cancelled == nil) and LISTS[26][stream.state] and (stream.last_t ~= nil and (t - stream.last_t) > K.STALLED))]],
      "stream t",
    },
    says = {
      [[f.say("channel %s delivered all payloads that its responder requested, then was idle until it ended", stream.id)]],
      "stream",
    },
    cause = "The responder requests some payloads, then neither more nor cancels.",
  },
  {
    id = "RSK-S20",
    name = "rsk_s20",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request failed with ERROR",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 71,
    says = {
      [[f.say("ERROR %s on stream %s: %s", f.named(c.error_code, names.error_code), c.stream_id, c.error_data)]],
      "c",
    },
    cause = "The code is defined by the application.",
    by = { [[c.error_code]], "c" },
    causes = {
      [513] = "The request handler failed.",
      [514] = "The responder did not process the request, so it may be sent again.",
      [515] = "The responder cancelled the request.",
      [516] = "The responder considers the request invalid.",
    },
  },
  {
    id = "RSK-F1",
    name = "rsk_f1",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "Fragmented frame without its last fragment",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[(((stream.asking == 1) and LISTS[8][why]) or (((stream.cut_n ~= nil) or (stream.own_cut_n ~= nil)) and (why == "closed")))]],
      "stream why",
    },
    says = {
      [[f.say("stream %s has a frame with the FOLLOWS flag, but no last fragment", stream.id)]],
      "stream",
    },
    cause = "The connection ended between two fragments, or FOLLOWS is set on a frame that is complete.",
  },
  {
    id = "RSK-F2",
    name = "rsk_f2",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "Metadata after data in fragments",
    on = "payload response",
    needs = { "object" },
    of = "stream",
    guard = 16,
    when = {
      [[(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.answer_data == 1)) or ((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.own_data == 1)))]],
      "side stream",
    },
    says = {
      [[f.say("a fragment on stream %s has metadata after a fragment with data", stream.id)]],
      "stream",
    },
    cause = "All metadata is sent before data.",
  },
  {
    id = "RSK-F3",
    name = "rsk_f3",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "Fragment with neither NEXT nor COMPLETE",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 72,
    when = {
      [[(((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.answer_cut == 1)) or ((side ~= nil and stream.owner ~= nil and side == stream.owner) and ((stream.asking == 1) or (stream.own_cut == 1))))]],
      "side stream",
    },
    says = { [[f.say("a fragment on stream %s has neither NEXT nor COMPLETE set", stream.id)]], "stream" },
    cause = "The protocol does not require it, but rsocket-java closes the connection.",
  },
  {
    id = "RSK-F4",
    name = "rsk_f4",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "Fragment below the minimum size",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 73,
    when = {
      [[((size ~= nil and size < K.SMALL_FRAGMENT) and (((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.answer_cut == 1)) or ((side ~= nil and stream.owner ~= nil and side == stream.owner) and ((stream.asking == 1) or (stream.own_cut == 1)))))]],
      "size side stream",
    },
    says = { [[f.say("a fragment of %s bytes is not the last one", size)]], "size" },
    cause = "All fragments but the last must have at least 64 bytes; rsocket-java refuses smaller ones.",
  },
  {
    id = "RSK-M1",
    name = "rsk_m1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Metadata length beyond the end of the frame",
    problem = { short = true },
    needs = {},
    of = "conn",
    when = { [[(problem_field == "metadata")]], "problem_field" },
    says = { [[f.say("the metadata length of %s is larger than the rest of the frame", name)]], "name" },
    cause = "The metadata length is wrong, or the frame length is.",
  },
  {
    id = "RSK-M5",
    name = "rsk_m5",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Metadata length in LEASE or METADATA_PUSH",
    on = "lease metadata_push",
    needs = {},
    of = "conn",
    guard = 74,
    finds = { [[f.predicates.repeats_length("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s begins with its own length; this frame has only metadata and no length", name)]],
      "name",
    },
    cause = "The sender writes metadata as in a request: the receiver reads the length as metadata.",
  },
  {
    id = "RSK-M7",
    name = "rsk_m7",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request data not matching its MIME type",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "stream",
    again = true,
    guard = 75,
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "complete stream",
    },
    finds = {
      [[f.predicates.contradicts_its_type("agreed.data_mime_type data", agreed.data_mime_type, c["data raw"])]],
      "c agreed",
    },
    says = {
      [[f.say("the data of %s on stream %s is announced as %s, but %s", name, c.stream_id, agreed.data_mime_type, f.whole(found))]],
      "c name agreed found",
    },
    cause = "SETUP, or the metadata of the stream, announces a type that the application does not send.",
  },
  {
    id = "RSK-M7b",
    name = "rsk_m7b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Payload not matching its MIME type",
    on = "payload response",
    needs = {},
    of = "stream",
    again = true,
    guard = 76,
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "complete stream",
    },
    finds = {
      [[f.predicates.is_another_type("agreed.data_mime_type data", agreed.data_mime_type, c["data raw"])]],
      "c agreed",
    },
    says = {
      [[f.say("payloads of stream %s are announced as %s, but %s", c.stream_id, agreed.data_mime_type, f.whole(found))]],
      "c agreed found",
    },
    cause = "SETUP, or the metadata of the stream, announces a type that the responder does not send.",
  },
  {
    id = "RSK-M7c",
    name = "rsk_m7c",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Plain text announced as JSON",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "stream",
    again = true,
    guard = 76,
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "complete stream",
    },
    finds = {
      [[f.predicates.is_text_for_json("agreed.data_mime_type data", agreed.data_mime_type, c["data raw"])]],
      "c agreed",
    },
    says = {
      [[f.say("the data of %s on stream %s is announced as %s, but %s", name, c.stream_id, agreed.data_mime_type, f.whole(found))]],
      "c name agreed found",
    },
    cause = "The client announces the default type of its library and sends text; a server that decodes JSON refuses it.",
  },
  {
    id = "RSK-M8",
    name = "rsk_m8",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unusable authentication metadata",
    on = "request_response request_fnf request_stream request_sub request_channel metadata_push",
    needs = {},
    of = "conn",
    guard = 77,
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.has_bad_authentication("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the authentication metadata of %s cannot be used: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "Simple authentication is the id 0x80, a length of 16 bits, the user and the password; bearer authentication is the id 0x81 and the token.",
  },
  {
    id = "RSK-M8",
    name = "rsk_m8_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unusable authentication metadata",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 78,
    finds = { [[f.predicates.has_bad_authentication("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the authentication metadata of %s cannot be used: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "Simple authentication is the id 0x80, a length of 16 bits, the user and the password; bearer authentication is the id 0x81 and the token.",
  },
  {
    id = "RSK-M9",
    name = "rsk_m9",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Metadata not matching its MIME type",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 16,
    when = {
      [[(LISTS[34][conn.metadata_mime_type] and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "conn complete stream",
    },
    finds = {
      [[f.predicates.is_other_metadata("conn.metadata_mime_type metadata", conn.metadata_mime_type, c["metadata raw"])]],
      "c conn",
    },
    says = {
      [[f.say("the metadata of %s on stream %s is announced as %s, but %s", name, c.stream_id, conn.metadata_mime_type, f.whole(found))]],
      "c name conn found",
    },
    cause = "SETUP announces another type of metadata than the client sends: the server finds no route in it.",
  },
  {
    id = "RSK-M10",
    name = "rsk_m10",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Invalid entry content in composite metadata",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 77,
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.has_bad_entry("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s on stream %s has an entry that cannot be used: %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
  },
  {
    id = "RSK-M6",
    name = "rsk_m6",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "METADATA_PUSH without the metadata flag",
    on = "metadata_push",
    needs = {},
    of = "conn",
    guard = 79,
    says = { [[f.say("METADATA_PUSH has no metadata flag, which is always set in this frame")]] },
  },
  {
    id = "RSK-M2",
    name = "rsk_m2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Malformed composite metadata",
    on = "request_response request_fnf request_stream request_sub request_channel payload response metadata_push",
    needs = {},
    of = "conn",
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.is_broken("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s does not divide into entries: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "The length of an entry is wrong: for a custom MIME type the length field is one less than the number of bytes.",
  },
  {
    id = "RSK-M2",
    name = "rsk_m2_2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Malformed composite metadata",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 80,
    finds = { [[f.predicates.is_broken("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s does not divide into entries: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "The length of an entry is wrong: for a custom MIME type the length field is one less than the number of bytes.",
  },
  {
    id = "RSK-M3",
    name = "rsk_m3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unassigned well-known MIME type id",
    on = "request_response request_fnf request_stream request_sub request_channel payload response metadata_push",
    needs = {},
    of = "conn",
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.has_unknown_type("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s has an entry with MIME type id %s, which is not assigned", name, f.whole(found))]],
      "name found",
    },
    cause = "The sender uses a newer list of well-known types, or sets the top bit of a length.",
  },
  {
    id = "RSK-M4",
    name = "rsk_m4",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Routing metadata without tag lengths",
    on = "request_response request_fnf request_stream request_sub request_channel payload response metadata_push",
    needs = {},
    of = "conn",
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.has_broken_route("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the routing metadata of %s has a tag that exceeds its end: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "The route is written as plain text: its first character is read as a length.",
  },
  {
    id = "RSK-M4",
    name = "rsk_m4_2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Routing metadata without tag lengths",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 80,
    finds = { [[f.predicates.has_broken_route("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the routing metadata of %s has a tag that exceeds its end: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "The route is written as plain text: its first character is read as a length.",
  },
  {
    id = "RSK-M4",
    name = "rsk_m4_3",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Routing metadata without tag lengths",
    on = "request_response request_fnf request_stream request_sub request_channel payload response metadata_push",
    needs = {},
    of = "conn",
    when = {
      [[(complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.routing.v0"))]],
      "complete stream conn",
    },
    finds = { [[f.predicates.is_broken_route("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the routing metadata of %s has a tag that exceeds its end: %s", name, f.whole(found))]],
      "name found",
    },
    cause = "The route is written as plain text: its first character is read as a length.",
  },
  {
    id = "RSK-M11",
    name = "rsk_m11",
    severity = "NOTE",
    group = "SECURITY",
    title = "Token that is not valid at the time of its frame",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 77,
    when = { [[(complete and ((me.asked or 0) < K.TRACED))]], "complete me" },
    finds = { [[f.predicates.has_expired_token("metadata t", c["metadata raw"], t)]], "c t" },
    says = { [[f.say("the token in the metadata of %s %s", name, f.whole(found))]], "name found" },
    cause = "The client keeps a token beyond its life and does not ask for a new one, or the clock of a host is wrong.",
  },
  {
    id = "RSK-M11",
    name = "rsk_m11_2",
    severity = "NOTE",
    group = "SECURITY",
    title = "Token that is not valid at the time of its frame",
    on = "metadata_push setup",
    needs = {},
    of = "conn",
    guard = 77,
    finds = { [[f.predicates.has_expired_token("metadata t", c["metadata raw"], t)]], "c t" },
    says = { [[f.say("the token in the metadata of %s %s", name, f.whole(found))]], "name found" },
    cause = "The client keeps a token beyond its life and does not ask for a new one, or the clock of a host is wrong.",
  },
  {
    id = "RSK-M18",
    name = "rsk_m18",
    severity = "NOTE",
    group = "SECURITY",
    title = "Credentials without TLS",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    again = true,
    guard = 77,
    when = {
      [[(complete and ((me.asked or 0) < K.TRACED) and (conn.encrypted ~= nil and not conn.encrypted))]],
      "complete me conn",
    },
    finds = { [[f.predicates.has_clear_credentials("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s has %s, which anyone between the two hosts can read", name, f.whole(found))]],
      "name found",
    },
    cause = "The connection does not use TLS.",
  },
  {
    id = "RSK-M18",
    name = "rsk_m18_2",
    severity = "NOTE",
    group = "SECURITY",
    title = "Credentials without TLS",
    on = "metadata_push setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 77,
    when = { [[(conn.encrypted ~= nil and not conn.encrypted)]], "conn" },
    finds = { [[f.predicates.has_clear_credentials("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s has %s, which anyone between the two hosts can read", name, f.whole(found))]],
      "name found",
    },
    cause = "The connection does not use TLS.",
  },
  {
    id = "RSK-M13",
    name = "rsk_m13",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Metadata entry that comes twice in a request",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 81,
    when = {
      [[(((me.asked or 0) < K.TRACED) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "me complete stream conn",
    },
    finds = { [[f.predicates.has_entry_twice("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the metadata of %s on stream %s has %s twice", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The entry is added for each request and by an interceptor or a default as well: responders use one of the two.",
  },
  {
    id = "RSK-M14",
    name = "rsk_m14",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Route that was not meant",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 77,
    when = {
      [[(((me.asked or 0) < K.TRACED) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "me complete stream conn",
    },
    finds = { [[f.predicates.has_mistaken_route("metadata", c["metadata raw"])]], "c" },
    says = {
      [[f.say("the route of %s on stream %s is %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "A variable of the route was not filled in, or is unset.",
  },
  {
    id = "RSK-M15",
    name = "rsk_m15",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Data that was converted wrongly",
    on = "request_response request_fnf request_stream request_sub request_channel payload response",
    needs = {},
    of = "conn",
    guard = 82,
    when = {
      [[((me.frames ~= nil and me.frames < K.JUDGED_FRAMES) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "me complete stream",
    },
    finds = { [[f.predicates.is_mistaken("data", c["data raw"])]], "c" },
    says = {
      [[f.say("the data of %s on stream %s is %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The program passes a value that it has not encoded, or that was encoded before: the peer cannot use the data.",
  },
  {
    id = "RSK-C35",
    name = "rsk_c35",
    severity = "WARN",
    group = "PROTOCOL",
    title = "MIME type of metadata announced for data",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 83,
    says = {
      [[f.say("SETUP announces %s for data and %s for metadata", c.data_mime_type, c.metadata_mime_type)]],
      "c",
    },
    cause = "The two types are swapped: the peer finds no route in the metadata.",
  },
  {
    id = "RSK-C37",
    name = "rsk_c37",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "MIME type of an entry announced for all metadata",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 84,
    says = {
      [[f.say("SETUP announces %s for all metadata of the connection, so that no request can have a route", c.metadata_mime_type)]],
      "c",
    },
    cause = "Types such as this one are meant for entries of composite metadata: announce message/x.rsocket.composite-metadata.v0, and write each kind as an entry.",
  },
  {
    id = "RSK-C33b",
    name = "rsk_c33b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "MIME type in SETUP that is nearly a well-known one",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    finds = {
      [[f.predicates.has_similar_type("metadata_mime_type data_mime_type", c.metadata_mime_type, c.data_mime_type)]],
      "c",
    },
    says = { [[f.say("SETUP announces %s", f.whole(found))]], "found" },
    cause = "The name is misspelt: the peer compares the names of types byte by byte.",
  },
  {
    id = "RSK-R14",
    name = "rsk_r14",
    severity = "NOTE",
    group = "SECURITY",
    title = "Resume token that can be guessed",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 85,
    finds = {
      [[f.predicates.is_guessable("resume_identification_token", c["resume_identification_token raw"])]],
      "c",
    },
    says = { [[f.say("the resume token of SETUP can be guessed: %s", f.whole(found))]], "found" },
    cause = "Whoever knows the token can take the session over; it should be random.",
  },
  {
    id = "RSK-B49",
    name = "rsk_b49",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "One trace context for different requests",
    on = "request_response request_fnf request_stream request_channel",
    needs = {},
    of = "conn",
    guard = 25,
    when = {
      [[(complete and ((me.asked ~= nil and (K.TRACE_LIMIT - 1) <= me.asked) and (me.asked ~= nil and me.asked < K.TRACED)))]],
      "complete me",
    },
    finds = {
      [[f.predicates.has_constant_trace("metadata me.traced TRACE_LIMIT", c["metadata raw"], me.traced, K.TRACE_LIMIT)]],
      "c me",
    },
    says = {
      [[f.say("%s requests in a row with different content have one trace context: %s", K.TRACE_LIMIT, f.whole(found))]],
      "found",
    },
    cause = "The context is made once, with the connection for instance, and never renewed: all requests are one span of one trace.",
  },
  {
    id = "RSK-M25",
    name = "rsk_m25",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Request without a kind of metadata that all requests before it have",
    on = "request_response request_fnf request_stream request_channel",
    needs = {},
    of = "conn",
    guard = 77,
    when = {
      [[(((me.asked ~= nil and (K.TRACE_LIMIT - 1) <= me.asked) and (me.asked ~= nil and me.asked < K.TRACED)) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "me complete stream conn",
    },
    finds = {
      [[f.predicates.lacks_usual("metadata me.traced TRACE_LIMIT", c["metadata raw"], me.traced, K.TRACE_LIMIT)]],
      "c me",
    },
    says = {
      [[f.say("%s on stream %s has no %s, unlike all requests of its sender before it", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The client adds this metadata to some of its requests only, such as those that one of its functions makes.",
  },
  {
    id = "RSK-B51",
    name = "rsk_b51",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Authentication of SETUP repeated in requests",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 81,
    when = {
      [[(((me.asked or 0) < K.TRACED) and (conn.setup_metadata ~= nil) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0"))]],
      "me conn complete stream",
    },
    finds = {
      [[f.predicates.repeats_credentials("metadata conn.setup_metadata", c["metadata raw"], conn.setup_metadata)]],
      "c conn",
    },
    says = {
      [[f.say("%s on stream %s has the authentication of SETUP once more", name, c.stream_id)]],
      "c name",
    },
    cause = "SETUP authenticates the connection: requests need credentials only if they are of another user.",
  },
  {
    id = "RSK-M17",
    name = "rsk_m17",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused request without metadata, unlike others of its sender",
    on = "error",
    needs = { "object", "both" },
    of = "stream",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.route == "") and LISTS[36][conn.metadata_mime_type] and (peer.routed_n ~= nil) and (stream.items == 0))]],
      "side stream conn peer",
    },
    says = {
      [[f.say("%s on stream %s had no metadata, unlike that of frame %s, and was answered with ERROR: %s", stream.model, c.stream_id, peer.routed_n, c.error_data)]],
      "c stream peer",
    },
    cause = "The client has lost the route of this request, so that the server finds no handler.",
  },
  {
    id = "RSK-M17b",
    name = "rsk_m17b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused request without metadata, although SETUP announces routes",
    on = "error",
    needs = { "object", "both" },
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.unrouted_n ~= nil) and LISTS[36][conn.metadata_mime_type] and (peer.routed_n == nil) and (conn.needs_no_route == nil) and (stream.items == 0))]],
      "side stream conn peer",
    },
    says = {
      [[f.say("%s on stream %s had no metadata, although SETUP announces %s, and was answered with ERROR: %s", stream.model, c.stream_id, conn.metadata_mime_type, c.error_data)]],
      "c stream conn",
    },
    cause = "The client does not write the route, or writes it elsewhere: the server finds no handler.",
  },
  {
    id = "RSK-M24",
    name = "rsk_m24",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused request without a kind of metadata that served requests have",
    on = "error",
    needs = {},
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.metadata) or 3) >= 4) and (conn.metadata_mime_type == "message/x.rsocket.composite-metadata.v0") and ((f.count(served.metadata) or 0) > 0) and (stream.items == 0))]],
      "side stream conn served",
    },
    finds = {
      [[f.predicates.lacks_entry("stream.metadata served.metadata", stream.metadata, served.metadata)]],
      "stream served",
    },
    says = {
      [[f.say("%s on stream %s was refused; it has no %s, unlike each request that the server has answered: %s", stream.model, c.stream_id, f.whole(found), c.error_data)]],
      "c stream found",
    },
    cause = "The client adds this metadata to some of its requests only, such as those that one of its functions makes.",
  },
  {
    id = "RSK-B52",
    name = "rsk_b52",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Refused route that is nearly a served one",
    on = "error",
    needs = {},
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.metadata) or 3) >= 4) and ((f.count(served.metadata) or 0) > 0) and (stream.items == 0))]],
      "side stream served",
    },
    finds = {
      [[f.predicates.is_nearly_served("stream.metadata served.metadata", stream.metadata, served.metadata)]],
      "stream served",
    },
    says = { [[f.say("ERROR for route %s: %s", f.whole(found), c.error_data)]], "c found" },
    cause = "The route is misspelt, or one program uses other letters or separators than the others.",
  },
  {
    id = "RSK-S24",
    name = "rsk_s24",
    severity = "WARN",
    group = "SECURITY",
    title = "Stack trace or credentials in an ERROR",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 86,
    finds = { [[f.predicates.has_trace("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("the %s sends %s in ERROR %s on stream %s", sender, f.whole(found), f.named(c.error_code, names.error_code), c.stream_id)]],
      "c sender found",
    },
    cause = "The responder passes the text of an exception on: it helps an attacker and no caller.",
  },
  {
    id = "RSK-S24b",
    name = "rsk_s24b",
    severity = "NOTE",
    group = "SECURITY",
    title = "Database query in an ERROR",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 86,
    finds = { [[f.predicates.has_query("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("the %s sends %s in ERROR %s on stream %s", sender, f.whole(found), f.named(c.error_code, names.error_code), c.stream_id)]],
      "c sender found",
    },
    cause = "The responder passes the text of an exception on.",
  },
  {
    id = "RSK-B221",
    name = "rsk_b221",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Kind of request for which the responder has no handler",
    on = "error",
    needs = {},
    of = "stream",
    again = true,
    guard = 87,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0))]],
      "side stream",
    },
    finds = { [[f.predicates.lacks_handler("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("the %s has no handler for %s: it answers stream %s by %s: %s", sender, stream.model, c.stream_id, f.named(c.error_code, names.error_code), c.error_data)]],
      "c sender stream",
    },
    cause = "The responder implements some kinds of requests and not this one, or was made for another service; asking again does not help.",
  },
  {
    id = "RSK-S27",
    name = "rsk_s27",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request refused for a reason that the text of ERROR names",
    on = "error",
    needs = {},
    of = "stream",
    again = true,
    guard = 88,
    when = { [[(side ~= nil and stream.owner ~= nil and side ~= stream.owner)]], "side stream" },
    finds = { [[f.predicates.names_reason("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("%s on stream %s was refused, as %s: %s", stream.model, c.stream_id, f.whole(found), c.error_data)]],
      "c stream found",
    },
    cause = "The text is the server's; the request, or SETUP, shows whether it is so.",
  },
  {
    id = "RSK-S25",
    name = "rsk_s25",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "ERROR without a text",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 89,
    finds = { [[f.predicates.says_nothing("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("ERROR %s on stream %s says only '%s'", f.named(c.error_code, names.error_code), c.stream_id, c.error_data)]],
      "c",
    },
    cause = "The exception of the handler has no message: neither peer learns what went wrong.",
  },
  {
    id = "RSK-S25",
    name = "rsk_s25_2",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "ERROR without a text",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 90,
    says = {
      [[f.say("ERROR %s on stream %s has no text", f.named(c.error_code, names.error_code), c.stream_id)]],
      "c",
    },
    cause = "The exception of the handler has no message: neither peer learns what went wrong.",
  },
  {
    id = "RSK-B50",
    name = "rsk_b50",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same stream requested more often on each connection",
    on = "request_stream request_channel",
    needs = { "whole" },
    of = "twin",
    when = {
      [[(complete and (twin.counted_flow ~= nil and flow ~= nil and twin.counted_flow == flow) and (twin.count ~= nil and twin.former ~= nil and twin.count == twin.former) and (twin.grown ~= nil and twin.grown >= (K.MULTIPLIED - 1)))]],
      "complete twin flow",
    },
    says = {
      [[f.say("%s with the same metadata and data was sent more often on each of %s connections in a row: %s times so far on this one", name, K.MULTIPLIED, (twin.count ~= nil and (twin.count + 1) or nil))]],
      "name twin",
    },
    cause = "After a lost connection the client subscribes again in several places, such as the handler of the connection and that of each stream: every payload comes as often.",
  },
  {
    id = "RSK-L4",
    name = "rsk_l4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "First lease that allows nothing",
    on = "lease",
    needs = { "start", "whole", "both" },
    of = "empty_lease",
    guard = 91,
    when = { [[(peer.granted_n == nil)]], "peer" },
    says = {
      [[f.say("the %s's LEASE allows %s for %s, and none before it has allowed any: its peer may send no request", sender, f.counted(c.number_of_requests, "request", "requests"), f.counted(c.time_to_live, "millisecond", "milliseconds"))]],
      "c sender",
    },
    cause = "The responder's limit is not set, or is counted wrongly. It is a note if a later lease allows requests.",
  },
  {
    id = "RSK-L5",
    name = "rsk_l5",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Lease of a very short time",
    on = "lease",
    needs = {},
    of = "conn",
    again = true,
    guard = 92,
    says = {
      [[f.say("LEASE allows %s within %s", f.counted(c.number_of_requests, "request", "requests"), f.counted(c.time_to_live, "millisecond", "milliseconds"))]],
      "c",
    },
    cause = "The time is in milliseconds; the responder may mean seconds.",
  },
  {
    id = "RSK-L9",
    name = "rsk_l9",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Lease of a very long time",
    on = "lease",
    needs = {},
    of = "conn",
    again = true,
    guard = 93,
    says = {
      [[f.say("LEASE allows %s within %s, which is over a day", f.counted(c.number_of_requests, "request", "requests"), f.counted(c.time_to_live, "millisecond", "milliseconds"))]],
      "c",
    },
    cause = "The time is in milliseconds; the responder may mean a smaller unit, or no limit.",
  },
  {
    id = "RSK-L10",
    name = "rsk_l10",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Lease that is used up and not renewed",
    on = "end:conn",
    evidence = { [[f.first_known(C.spent_n, C.lease_n)]], "C" },
    since = { [[f.since(conn, C.spent_n, C.lease_n)]], "conn C" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((C.budget == 0) and (C.spent_n ~= nil) and (conn.last_t ~= nil and C.spent_t ~= nil and (conn.last_t - C.spent_t) > K.STALLED))]],
      "C conn",
    },
    says = {
      [[f.say("the client used the last request of its lease in frame %s, and no LEASE followed for %s, until the connection ended", C.lease_n, f.time((conn.last_t ~= nil and C.spent_t ~= nil and (conn.last_t - C.spent_t) or nil)))]],
      "C conn",
    },
    cause = "The responder has to send the next lease when one is used up: until then the requester must wait with each request, or fail it.",
  },
  {
    id = "RSK-L10",
    name = "rsk_l10_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Lease that is used up and not renewed",
    on = "end:conn",
    evidence = { [[f.first_known(S.spent_n, S.lease_n)]], "S" },
    since = { [[f.since(conn, S.spent_n, S.lease_n)]], "conn S" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((S.budget == 0) and (S.spent_n ~= nil) and (conn.last_t ~= nil and S.spent_t ~= nil and (conn.last_t - S.spent_t) > K.STALLED))]],
      "S conn",
    },
    says = {
      [[f.say("the server used the last request of its lease in frame %s, and no LEASE followed for %s, until the connection ended", S.lease_n, f.time((conn.last_t ~= nil and S.spent_t ~= nil and (conn.last_t - S.spent_t) or nil)))]],
      "S conn",
    },
    cause = "The responder has to send the next lease when one is used up: until then the requester must wait with each request, or fail it.",
  },
  {
    id = "RSK-L6",
    name = "rsk_l6",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Leases of one request each",
    on = "lease",
    needs = {},
    of = "conn",
    guard = 29,
    when = {
      [[((me.single_leases_times ~= nil and (me.single_leases_times + 1) >= K.SINGLE_LEASES) and (me.single_leases_latest_t ~= nil and (t - me.single_leases_latest_t) <= 10000000000.0))]],
      "me t",
    },
    says = { [[f.say("%s leases in a row allow one request each", K.SINGLE_LEASES)]] },
    cause = "Each request costs a LEASE, and waits for it: a lease of several requests lets the requester send them when it has them.",
  },
  {
    id = "RSK-L8",
    name = "rsk_l8",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Leases that are replaced long before they are needed",
    on = "lease",
    since = { [[f.since(conn, (me.early_leases_second_n or n), n, me.early_leases_first_n)]], "conn me n" },
    needs = { "whole", "both", "since" },
    of = "conn",
    when = {
      [[((me.early_leases_times ~= nil and (me.early_leases_times + 1) >= K.EARLY_LEASES) and ((c.number_of_requests ~= nil and c.number_of_requests > 0) and (me.lease_taken ~= nil and me.lease_allows ~= nil and (me.lease_taken * 4) <= me.lease_allows) and (me.lease_given_t ~= nil and me.lease_lasts ~= nil and ((t - me.lease_given_t) * 4) <= (me.lease_lasts * 1000000))) and (me.early_leases_latest_t ~= nil and (t - me.early_leases_latest_t) <= 60000000000.0))]],
      "c me t",
    },
    says = {
      [[f.say("%s leases in a row each replace one that is hardly used: of the one in frame %s, %s of %s and %s of %s are used up", K.EARLY_LEASES, me.lease_given_n, me.lease_taken, f.counted(me.lease_allows, "request", "requests"), f.time((me.lease_given_t ~= nil and (t - me.lease_given_t) or nil)), f.time((me.lease_lasts ~= nil and (me.lease_lasts * 1000000) or nil)))]],
      "me t",
    },
    cause = "LEASE is sent at a short interval, whatever the requester has used: send the next one when the requests or the time of the last one run out.",
  },
  {
    id = "RSK-L7",
    name = "rsk_l7",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request within its lease rejected",
    on = "error",
    needs = { "object", "both" },
    of = "stream",
    guard = 94,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and conn.leases and (stream.over_lease_n == nil) and (stream.items == 0) and (peer.lease_n ~= nil and stream.n ~= nil and peer.lease_n < stream.n))]],
      "side stream conn peer",
    },
    says = {
      [[f.say("the request on stream %s was rejected, although the lease in frame %s allowed it", c.stream_id, peer.lease_n)]],
      "c peer",
    },
    cause = "The responder counts the requests of its leases otherwise than it announces them.",
  },
  {
    id = "RSK-L3",
    name = "rsk_l3",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request beyond a lease refused with another code than REJECTED",
    on = "error",
    needs = { "object", "both" },
    of = "stream",
    guard = 95,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.over_lease_n ~= nil) and (stream.items == 0))]],
      "side stream",
    },
    says = {
      [[f.say("the request beyond the lease was refused with %s; REJECTED says that it may be sent again", f.named(c.error_code, names.error_code))]],
      "c",
    },
  },
  {
    id = "RSK-C10",
    name = "rsk_c10",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Client request before LEASE",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole", "both" },
    of = "conn",
    fixed = { [[(sender == "client")]], "sender" },
    when = { [[(conn.leases and (me.lease_n == nil) and (conn.resume_n == nil))]], "conn me" },
    says = { [[f.say("%s was sent on stream %s before the server's LEASE", name, c.stream_id)]], "c name" },
    cause = "The client asks for leases in SETUP but does not wait for one.",
  },
  {
    id = "RSK-C11",
    name = "rsk_c11",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Server request before LEASE",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole", "both" },
    of = "conn",
    fixed = { [[(sender == "server")]], "sender" },
    when = { [[(conn.leases and (me.lease_n == nil) and (conn.resume_n == nil))]], "conn me" },
    says = { [[f.say("%s was sent on stream %s before the client's LEASE", name, c.stream_id)]], "c name" },
  },
  {
    id = "RSK-L1",
    name = "rsk_l1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "More requests than the lease allows",
    on = "request_response request_fnf request_stream request_sub request_channel",
    since = { [[f.since(conn, n, me.lease_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    when = { [[(conn.leases and (me.budget ~= nil and me.budget <= 0))]], "conn me" },
    says = {
      [[f.say("%s was sent on stream %s, but the lease in frame %s is used up", name, c.stream_id, me.lease_n)]],
      "c name me",
    },
    cause = "The requester does not count its requests.",
  },
  {
    id = "RSK-L2",
    name = "rsk_l2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Request after the lease expired",
    on = "request_response request_fnf request_stream request_sub request_channel",
    since = { [[f.since(conn, n, me.lease_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    when = {
      [[(conn.leases and (me.budget ~= nil and me.budget > 0) and (me.lease_end ~= nil and t > (me.lease_end + K.LEASE_GRACE)))]],
      "conn me t",
    },
    says = {
      [[f.say("%s was sent on stream %s, but the lease in frame %s has expired", name, c.stream_id, me.lease_n)]],
      "c name me",
    },
    cause = "The requester ignores the lease's time to live.",
  },
  {
    id = "RSK-R1",
    name = "rsk_r1",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "RESUME refused for a token that no captured SETUP has",
    on = "server:error",
    needs = { "start", "whole" },
    of = "conn",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(client, server, c.error_data)]], "c client server" },
    guard = 20,
    when = {
      [[((conn.state == "resuming") and (session.setup_n == nil) and (session.seen == 1))]],
      "conn session",
    },
    says = {
      [[f.say("RESUME was refused for a token that no SETUP in the capture has: %s", c.error_data)]],
      "c",
    },
    cause = "The client creates a new token for each connection, or the session is older than the capture.",
  },
  {
    id = "RSK-R2",
    name = "rsk_r2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Frame before RESUME_OK",
    on = "client:any",
    since = { [[f.since(conn, n, conn.resume_n)]], "conn n" },
    needs = { "since", "both" },
    of = "conn",
    when = { [[(conn.state == "resuming")]], "conn" },
    says = { [[f.say("the client sent %s before RESUME was answered", name)]], "name" },
    cause = "The client does not wait for RESUME_OK.",
  },
  {
    id = "RSK-R13",
    name = "rsk_r13",
    severity = "WARN",
    group = "SEQUENCE",
    title = "RESUME position below the acknowledged position",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = {
      [[(c.last_received_server_position ~= nil and session.client_had ~= nil and c.last_received_server_position < session.client_had)]],
      "c session",
    },
    says = {
      [[f.say("RESUME has position %s, but KEEPALIVE had acknowledged %s: the server no longer has the frames in between, or they arrive twice", c.last_received_server_position, session.client_had)]],
      "c session",
    },
    cause = "The client does not keep the position of the lost connection.",
  },
  {
    id = "RSK-R13b",
    name = "rsk_r13b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "RESUME position below what the client has received",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = {
      [[((c.last_received_server_position ~= nil and session.client_heard ~= nil and c.last_received_server_position < session.client_heard) and ((session.client_had == nil) or (c.last_received_server_position ~= nil and session.client_had ~= nil and c.last_received_server_position >= session.client_had)))]],
      "c session",
    },
    says = {
      [[f.say("RESUME has position %s, although the client went on long after the server had sent all bytes up to %s", c.last_received_server_position, session.client_heard)]],
      "c session",
    },
    cause = "The client does not count what it receives, or not all of it: the server sends frames again that the client has, or no longer has them and refuses.",
  },
  {
    id = "RSK-R15",
    name = "rsk_r15",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "RESUME_OK position below a request that the server has answered",
    on = "resume_ok",
    needs = { "both" },
    of = "conn",
    when = {
      [[(c.last_received_client_position ~= nil and session.answered ~= nil and c.last_received_client_position < session.answered)]],
      "c session",
    },
    says = {
      [[f.say("RESUME_OK has position %s, although the server has answered the request that ends at %s: the client sends requests again that were executed", c.last_received_client_position, session.answered)]],
      "c session",
    },
    cause = "The server does not count what it receives, or not all of it.",
  },
  {
    id = "RSK-R3",
    name = "rsk_r3",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "RESUME refused with the wrong error code",
    on = "server:error",
    needs = { "start", "whole" },
    of = "conn",
    guard = 96,
    when = { [[(conn.state == "resuming")]], "conn" },
    says = { [[f.say("RESUME was refused with %s", f.named(c.error_code, names.error_code))]], "c" },
  },
  {
    id = "RSK-R4",
    name = "rsk_r4",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "RESUME repeated after a refusal",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = { [[(session.refused_n ~= nil)]], "session" },
    says = { [[f.say("RESUME has a token that was refused in frame %s", session.refused_n)]], "session" },
    cause = "The client must start a new session with SETUP.",
  },
  {
    id = "RSK-R5",
    name = "rsk_r5",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "RESUME refused",
    on = "server:error",
    needs = {},
    of = "conn",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(client, server, c.error_data)]], "c client server" },
    guard = 20,
    says = { [[f.say("the session was not resumed: %s", c.error_data)]], "c" },
    cause = "The text may say why; a server that does not know the token may be another node than the one that holds the session.",
  },
  {
    id = "RSK-R6",
    name = "rsk_r6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "RESUME on a connection that is already set up",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = { [[((conn.setup_n ~= nil) or (conn.resume_n ~= nil))]], "conn" },
    says = { [[f.say("RESUME was sent on a connection that is already set up")]] },
    cause = "A session is resumed on a new connection.",
  },
  {
    id = "RSK-R7",
    name = "rsk_r7",
    severity = "WARN",
    group = "PROTOCOL",
    title = "RESUME with another version than SETUP",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = {
      [[((c.major_version ~= nil and session.major ~= nil and c.major_version ~= session.major) or (c.minor_version ~= nil and session.minor ~= nil and c.minor_version ~= session.minor))]],
      "c session",
    },
    says = {
      [[f.say("RESUME has version %s.%s, but SETUP had %s.%s", c.major_version, c.minor_version, session.major, session.minor)]],
      "c session",
    },
    by = {
      [[(((c.major_version ~= nil and session.minor ~= nil and c.major_version == session.minor) and (c.minor_version ~= nil and session.major ~= nil and c.minor_version == session.major)) and "swapped" or "other")]],
      "c session",
    },
    causes = { swapped = "The major and minor versions are swapped." },
  },
  {
    id = "RSK-R8",
    name = "rsk_r8",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Position out of range in RESUME or RESUME_OK",
    on = "resume_ok",
    needs = { "both" },
    of = "conn",
    when = {
      [[(((c.last_received_client_position ~= nil and 0 < c.last_received_client_position) and (c.last_received_client_position ~= nil and conn.first_available ~= nil and c.last_received_client_position < conn.first_available)) or ((c.last_received_client_position ~= nil and session.client_most ~= nil and c.last_received_client_position > session.client_most) and (conn.client_whole == 1)))]],
      "c conn session",
    },
    says = {
      [[f.say("RESUME_OK has position %s, from which the client cannot continue", c.last_received_client_position)]],
      "c",
    },
    cause = "Positions count the bytes of resumable frames.",
  },
  {
    id = "RSK-R8",
    name = "rsk_r8_2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Position out of range in RESUME or RESUME_OK",
    on = "client:resume",
    needs = { "both" },
    of = "conn",
    when = {
      [[((c.last_received_server_position ~= nil and session.server_most ~= nil and c.last_received_server_position > session.server_most) and (session.server_over == 1))]],
      "c session",
    },
    says = {
      [[f.say("RESUME has position %s, but the server has sent less", c.last_received_server_position)]],
      "c",
    },
    cause = "Positions count the bytes of resumable frames.",
  },
  {
    id = "RSK-B162",
    name = "rsk_b162",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Second RESUME_OK on a connection",
    on = "server:resume_ok",
    needs = {},
    of = "conn",
    when = { [[(conn.resumed_n ~= nil)]], "conn" },
    says = {
      [[f.say("the server sent RESUME_OK again, after the one in frame %s", conn.resumed_n)]],
      "conn",
    },
    cause = "The server answers RESUME twice: the client sends its frames from the position of each, and some twice.",
  },
  {
    id = "RSK-B163",
    name = "rsk_b163",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Position a few bytes beyond what was sent",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = {
      [[(((session.server_sent ~= nil and c.last_received_server_position ~= nil and session.server_sent < c.last_received_server_position) and (c.last_received_server_position ~= nil and session.server_most ~= nil and c.last_received_server_position <= session.server_most)) and (session.server_over == 1))]],
      "c session",
    },
    says = {
      [[f.say("%s has position %s, but the frames of the server end at %s", name, c.last_received_server_position, session.server_sent)]],
      "c name session",
    },
    cause = "Positions count the bytes of whole stream frames, without the length before them, and of no other frames: the peer refuses the position, or sends too little.",
  },
  {
    id = "RSK-B163",
    name = "rsk_b163_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Position a few bytes beyond what was sent",
    on = "resume_ok",
    needs = { "both" },
    of = "conn",
    when = {
      [[(((session.client_sent ~= nil and c.last_received_client_position ~= nil and session.client_sent < c.last_received_client_position) and (c.last_received_client_position ~= nil and session.client_most ~= nil and c.last_received_client_position <= session.client_most)) and (conn.client_whole == 1))]],
      "c session conn",
    },
    says = {
      [[f.say("%s has position %s, but the frames of the client end at %s", name, c.last_received_client_position, session.client_sent)]],
      "c name session",
    },
    cause = "Positions count the bytes of whole stream frames, without the length before them, and of no other frames: the peer refuses the position, or sends too little.",
  },
  {
    id = "RSK-B165",
    name = "rsk_b165",
    severity = "WARN",
    group = "PROTOCOL",
    title = "First available position of RESUME where no frame of the client ends",
    on = "client:resume",
    needs = {},
    of = "conn",
    guard = 97,
    when = {
      [[((f.count(session.client_ends) ~= nil and f.count(session.client_ends) < K.MOST_ENDS) and (f.has(session.client_ends, c.first_available_client_position) ~= nil and not f.has(session.client_ends, c.first_available_client_position)) and (session.client_over == 1) and (session.server_over == 1))]],
      "c session",
    },
    says = {
      [[f.say("RESUME states %s as the first position that the client can send, where no frame of it ends", c.first_available_client_position)]],
      "c",
    },
    cause = "Positions count the bytes of whole stream frames, without the length prefix: what the server asks for begins inside a frame.",
  },
  {
    id = "RSK-R11",
    name = "rsk_r11",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Resume token already used by an earlier SETUP",
    on = "setup",
    needs = {},
    of = "conn",
    when = {
      [[((session.setup_n ~= nil) and ((session.client_over == 1) or (session.server_over == 1)))]],
      "session",
    },
    says = { [[f.say("SETUP has the resume token of the SETUP in frame %s", session.setup_n)]], "session" },
    cause = "Each session needs a token of its own: the server may still keep the earlier one.",
  },
  {
    id = "RSK-R11b",
    name = "rsk_r11b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Resume token in use on another connection",
    on = "setup",
    needs = {},
    of = "conn",
    when = {
      [[((session.setup_n ~= nil) and (session.client_over == nil) and (session.server_over == nil) and (session.flow ~= nil and flow ~= nil and session.flow ~= flow))]],
      "session flow",
    },
    says = {
      [[f.say("SETUP has the resume token of the SETUP in frame %s, whose connection is open", session.setup_n)]],
      "session",
    },
    cause = "Two clients have one token: a server keeps one session for each.",
  },
  {
    id = "RSK-R12",
    name = "rsk_r12",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "KEEPALIVE position beyond what was sent",
    on = "client:keepalive",
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[(conn.resumable and (c.last_received_position ~= nil and session.server_most ~= nil and c.last_received_position > session.server_most))]],
      "c conn session",
    },
    says = {
      [[f.say("KEEPALIVE acknowledges position %s, but the server has sent at most %s bytes", c.last_received_position, session.server_most)]],
      "c session",
    },
    cause = "The client counts frames or bytes that have no position, such as KEEPALIVE: peers close the connection over it.",
  },
  {
    id = "RSK-R12",
    name = "rsk_r12_2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "KEEPALIVE position beyond what was sent",
    on = "server:keepalive",
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[(conn.resumable and (c.last_received_position ~= nil and session.client_most ~= nil and c.last_received_position > session.client_most))]],
      "c conn session",
    },
    says = {
      [[f.say("KEEPALIVE acknowledges position %s, but the client has sent at most %s bytes", c.last_received_position, session.client_most)]],
      "c session",
    },
  },
  {
    id = "RSK-R9",
    name = "rsk_r9",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Position inside a frame in RESUME or RESUME_OK",
    on = "client:resume",
    needs = {},
    of = "conn",
    when = {
      [[(((c.last_received_server_position ~= nil and 0 < c.last_received_server_position) and (c.last_received_server_position ~= nil and session.server_sent ~= nil and c.last_received_server_position < session.server_sent)) and (f.count(session.server_ends) ~= nil and f.count(session.server_ends) < K.MOST_ENDS) and (f.has(session.server_ends, c.last_received_server_position) ~= nil and not f.has(session.server_ends, c.last_received_server_position)) and (session.server_over == 1))]],
      "c session",
    },
    says = {
      [[f.say("RESUME has position %s, where no frame of the server ends", c.last_received_server_position)]],
      "c",
    },
    cause = "Positions count the bytes of whole stream frames, without the length prefix.",
  },
  {
    id = "RSK-R9",
    name = "rsk_r9_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Position inside a frame in RESUME or RESUME_OK",
    on = "resume_ok",
    needs = {},
    of = "conn",
    when = {
      [[(((c.last_received_client_position ~= nil and 0 < c.last_received_client_position) and (c.last_received_client_position ~= nil and session.client_sent ~= nil and c.last_received_client_position < session.client_sent)) and (f.count(session.client_ends) ~= nil and f.count(session.client_ends) < K.MOST_ENDS) and (f.has(session.client_ends, c.last_received_client_position) ~= nil and not f.has(session.client_ends, c.last_received_client_position)) and (conn.client_whole == 1))]],
      "c session conn",
    },
    says = {
      [[f.say("RESUME_OK has position %s, where no frame of the client ends", c.last_received_client_position)]],
      "c",
    },
    cause = "Positions count the bytes of whole stream frames, without the length prefix.",
  },
  {
    id = "RSK-R10",
    name = "rsk_r10",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Request before LEASE on a resumed connection",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[(conn.leases and (me.lease_n == nil) and (conn.resume_n ~= nil))]], "conn me" },
    says = {
      [[f.say("%s was sent on stream %s before LEASE on the resumed connection", name, c.stream_id)]],
      "c name",
    },
    cause = "A lease ends with its connection; the new connection needs its own.",
  },
  {
    id = "RSK-W1",
    name = "rsk_w1",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "TCP length prefix over WebSocket",
    problem = { carrier = true },
    needs = {},
    of = "conn",
    when = { [[f.starts(problem_text, "a length of")]], "problem_text" },
    says = {
      [[f.say("%s has a length prefix, although the WebSocket message is the frame", name)]],
      "name",
    },
    cause = "The sender uses the TCP framing over WebSocket.",
  },
  {
    id = "RSK-W1b",
    name = "rsk_w1b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "WebSocket frame that breaks a rule of WebSocket",
    problem = { carrier = true },
    needs = {},
    of = "conn",
    when = {
      [[((not f.starts(problem_text, "a length of")) and (not f.starts(problem_text, "a text message")))]],
      "problem_text",
    },
    says = {
      [[f.say("the WebSocket frame around %s: %s", name, f.whole(problem_text))]],
      "name problem_text",
    },
    cause = "Servers close the connection: clients mask their frames, servers do not.",
  },
  {
    id = "RSK-W2",
    name = "rsk_w2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "RSocket frame in a WebSocket text message",
    problem = { carrier = true },
    needs = {},
    of = "conn",
    when = { [[f.starts(problem_text, "a text message")]], "problem_text" },
    says = {
      [[f.say("%s is in a text message of WebSocket (opcode 1); frames need binary messages (opcode 2)", name)]],
      "name",
    },
    cause = "The sender hands the frame to its WebSocket as text: each byte above 0x7f becomes two, which changes lengths and data.",
  },
  {
    id = "RSK-W3",
    name = "rsk_w3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Several RSocket frames in one WebSocket message",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    guard = 98,
    when = { [[conn.carried]], "conn" },
    finds = {
      [[f.predicates.holds_another_frame("fields.stream_id data", c.stream_id, c["data raw"])]],
      "c",
    },
    says = {
      [[f.say("the WebSocket message of %s on stream %s holds another frame: %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The client writes several frames into one message. A message is one frame, so the rest is read as data and never answered.",
  },
  {
    id = "RSK-W3",
    name = "rsk_w3_2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Several RSocket frames in one WebSocket message",
    on = "setup",
    needs = {},
    of = "conn",
    guard = 98,
    when = { [[conn.carried]], "conn" },
    finds = {
      [[f.predicates.holds_another_frame("fields.stream_id data", c.stream_id, c["data raw"])]],
      "c",
    },
    says = {
      [[f.say("the WebSocket message of %s on stream %s holds another frame: %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The client writes several frames into one message. A message is one frame, so the rest is read as data and never answered.",
  },
  {
    id = "RSK-D1",
    name = "rsk_d1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Malformed RSocket frame",
    problem = { any = true },
    needs = {},
    of = "conn",
    when = {
      [[((problem ~= nil and not LISTS[38][problem]) and ((problem ~= nil and problem ~= "short") or ((problem_field or "") ~= "metadata")) and ((problem ~= nil and problem ~= "text") or (name ~= "setup")))]],
      "problem problem_field name",
    },
    says = {
      [[f.say("%s is malformed: %s, at byte %s", name, f.whole(problem_text), problem_offset)]],
      "name problem_text problem_offset",
    },
    cause = "The frame does not follow its layout.",
  },
  {
    id = "RSK-D2",
    name = "rsk_d2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Bytes outside any frame",
    on = "tcp.resync",
    evidence = { [[f.first_known(me.last_n)]], "me" },
    needs = { "start" },
    of = "conn",
    guard = 99,
    when = { [[(conn.whole and (me.last_n ~= nil))]], "conn me" },
    says = {
      [[f.say("%s not part of any frame: %s", f.counted(c.skipped, "byte", "bytes"), f.whole(c.reason))]],
      "c",
    },
    cause = "A length is wrong, so the next frame does not start where it should; the length of a frame above 16,777,215 bytes, which must be fragmented, wraps.",
  },
  {
    id = "RSK-B1",
    name = "rsk_b1",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated request after the same ERROR",
    on = "error",
    needs = {},
    of = "refused",
    guard = 100,
    when = {
      [[(((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (stream.asked ~= nil)) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and c.error_code ~= nil and refused.same == c.error_code))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and (refused.first_gap or (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * (refused.first_gap or (refused.latest_t ~= nil and (t - refused.latest_t) or nil))))))]],
      "c refused stream t",
    },
    says = {
      [[f.say("the same %s was answered with ERROR %s %s times in a row: %s", stream.model, f.named(c.error_code, names.error_code), K.REFUSED_LIMIT, c.error_data)]],
      "c stream",
    },
    cause = "The requester retries without a pause, whatever the reason.",
  },
  {
    id = "RSK-B1b",
    name = "rsk_b1b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Repeated request after the same APPLICATION_ERROR",
    on = "error",
    needs = {},
    of = "refused",
    guard = 101,
    when = {
      [[(((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (stream.asked ~= nil)) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and c.error_code ~= nil and refused.same == c.error_code))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and (refused.first_gap or (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * (refused.first_gap or (refused.latest_t ~= nil and (t - refused.latest_t) or nil))))))]],
      "c refused stream t",
    },
    says = {
      [[f.say("the same %s was answered with ERROR %s %s times in a row: %s", stream.model, f.named(c.error_code, names.error_code), K.REFUSED_LIMIT, c.error_data)]],
      "c stream",
    },
    cause = "The requester retries without a pause, whatever the reason.",
  },
  {
    id = "RSK-B1c",
    name = "rsk_b1c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests with the same metadata always refused",
    on = "error",
    since = { [[f.since(conn, stream.n, refused_route.second_n, n)]], "conn stream refused_route n" },
    needs = { "since" },
    of = "refused_route",
    when = {
      [[(((refused_route.times ~= nil and (refused_route.times + 1) >= K.ROUTE_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (c.error_code ~= nil and c.error_code ~= 513) and ((f.len(stream.route) or 0) > 0)) and ((refused_route.latest_t ~= nil and (t - refused_route.latest_t) <= K.REFUSED_PAUSE) and (refused_route.same ~= nil and c.error_code ~= nil and refused_route.same == c.error_code))) and ((refused_route.slower ~= nil and refused_route.times ~= nil and (refused_route.slower * 4) < ((refused_route.times - 2) * 3)) or (refused_route.latest_t ~= nil and (refused_route.first_gap or (refused_route.latest_t ~= nil and (t - refused_route.latest_t) or nil)) ~= nil and (t - refused_route.latest_t) <= (2 * (refused_route.first_gap or (refused_route.latest_t ~= nil and (t - refused_route.latest_t) or nil))))))]],
      "c refused_route stream t",
    },
    says = {
      [[f.say("%s requests in a row with the same metadata were answered with ERROR %s: %s", K.ROUTE_LIMIT, f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "The requester ignores the errors, or the route does not exist.",
  },
  {
    id = "RSK-B1d",
    name = "rsk_b1d",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests with the same metadata always answered with the same APPLICATION_ERROR",
    on = "error",
    since = { [[f.since(conn, stream.n, refused_alike.second_n, n)]], "conn stream refused_alike n" },
    needs = { "since" },
    of = "refused_alike",
    when = {
      [[(((refused_alike.times ~= nil and (refused_alike.times + 1) >= K.ROUTE_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (c.error_code == 513) and ((f.len(stream.route) or 0) > 0)) and ((refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) <= K.REFUSED_PAUSE) and (refused_alike.same ~= nil and c.error_data ~= nil and refused_alike.same == c.error_data))) and ((refused_alike.slower ~= nil and refused_alike.times ~= nil and (refused_alike.slower * 4) < ((refused_alike.times - 2) * 3)) or (refused_alike.latest_t ~= nil and (refused_alike.first_gap or (refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) or nil)) ~= nil and (t - refused_alike.latest_t) <= (2 * (refused_alike.first_gap or (refused_alike.latest_t ~= nil and (t - refused_alike.latest_t) or nil))))))]],
      "c refused_alike stream t",
    },
    says = {
      [[f.say("%s requests in a row with the same metadata were answered with ERROR %s: %s", K.ROUTE_LIMIT, f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "The route does not exist, or its handler fails for every request; the requester ignores the errors.",
  },
  {
    id = "RSK-B141",
    name = "rsk_b141",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests without metadata always answered with the same APPLICATION_ERROR",
    on = "error",
    since = { [[f.since(conn, n, stream.n, refused_bare.second_n)]], "conn n stream refused_bare" },
    needs = { "whole", "both", "since" },
    of = "refused_bare",
    when = {
      [[(((refused_bare.times ~= nil and (refused_bare.times + 1) >= K.BARE_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (c.error_code == 513) and (stream.route == "") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0)) and ((refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) <= K.REFUSED_PAUSE) and (refused_bare.same ~= nil and c.error_data ~= nil and refused_bare.same == c.error_data))) and ((refused_bare.slower ~= nil and refused_bare.times ~= nil and (refused_bare.slower * 4) < ((refused_bare.times - 2) * 3)) or (refused_bare.latest_t ~= nil and (refused_bare.first_gap or (refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) or nil)) ~= nil and (t - refused_bare.latest_t) <= (2 * (refused_bare.first_gap or (refused_bare.latest_t ~= nil and (t - refused_bare.latest_t) or nil))))))]],
      "c refused_bare stream side t",
    },
    says = {
      [[f.say("%s requests of the %s in a row, all without metadata, were answered with ERROR %s: %s", K.BARE_LIMIT, ((stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and "client" or "server"), f.named(c.error_code, names.error_code), c.error_data)]],
      "c stream C",
    },
    cause = "The responder has no handler, or finds none without a route; the requester goes on all the same.",
  },
  {
    id = "RSK-B151",
    name = "rsk_b151",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests in fragments refused, and those in one frame accepted",
    on = "error",
    needs = { "whole", "both" },
    of = "stream",
    when = {
      [[((stream.in_pieces == 1) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.heard_n == nil) and (((me.refused_pieces or 0) + 1) == K.PIECES_REFUSED) and ((me.took_pieces or 0) == 0) and (me.took_whole ~= nil and me.took_whole >= K.WHOLE_TAKEN) and ((me.refused_whole or 0) == 0))]],
      "stream side me",
    },
    says = {
      [[f.say("%s requests in fragments were answered with ERROR, and none of them with a payload, while all %s requests in one frame were accepted; the last ERROR is %s: %s", K.PIECES_REFUSED, me.took_whole, f.named(c.error_code, names.error_code), c.error_data)]],
      "c me",
    },
    cause = "The responder does not join the fragments of a request, or refuses large requests.",
  },
  {
    id = "RSK-B2",
    name = "rsk_b2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reconnect after the same refusal of SETUP or RESUME",
    on = "server:error",
    needs = {},
    of = "refused_setup",
    when = {
      [[(((refused_setup.times ~= nil and (refused_setup.times + 1) >= K.SETUP_LIMIT) and ((c.stream_id == 0) and (c.error_code ~= nil and c.error_code <= 4)) and ((refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) <= K.SETUP_PAUSE) and (refused_setup.same ~= nil and c.error_code ~= nil and refused_setup.same == c.error_code))) and ((refused_setup.slower ~= nil and refused_setup.times ~= nil and (refused_setup.slower * 4) < ((refused_setup.times - 2) * 3)) or (refused_setup.latest_t ~= nil and (refused_setup.first_gap or (refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) or nil)) ~= nil and (t - refused_setup.latest_t) <= (2 * (refused_setup.first_gap or (refused_setup.latest_t ~= nil and (t - refused_setup.latest_t) or nil))))))]],
      "c refused_setup t",
    },
    says = {
      [[f.say("the server refused %s connections of %s in a row with %s: %s", K.SETUP_LIMIT, client, f.named(c.error_code, names.error_code), c.error_data)]],
      "c client",
    },
    cause = "The client connects again without a pause and with the same SETUP or RESUME.",
  },
  {
    id = "RSK-B2b",
    name = "rsk_b2b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reconnect after the same CONNECTION_ERROR",
    on = "server:error",
    needs = {},
    of = "broken",
    when = {
      [[(((broken.times ~= nil and (broken.times + 1) >= K.BROKEN_LIMIT) and ((c.stream_id == 0) and (c.error_code == 257) and (c.error_data ~= nil and c.error_data ~= "Disposed")) and ((broken.latest_t ~= nil and (t - broken.latest_t) <= K.SETUP_PAUSE) and (broken.same ~= nil and c.error_data ~= nil and broken.same == c.error_data))) and ((broken.slower ~= nil and broken.times ~= nil and (broken.slower * 4) < ((broken.times - 2) * 3)) or (broken.latest_t ~= nil and (broken.first_gap or (broken.latest_t ~= nil and (t - broken.latest_t) or nil)) ~= nil and (t - broken.latest_t) <= (2 * (broken.first_gap or (broken.latest_t ~= nil and (t - broken.latest_t) or nil))))))]],
      "c broken t",
    },
    says = {
      [[f.say("the server ended %s connections of %s in a row with %s: %s", K.BROKEN_LIMIT, client, f.named(c.error_code, names.error_code), c.error_data)]],
      "c client",
    },
    cause = "The client connects again and sends what ended the connection before.",
  },
  {
    id = "RSK-B2c",
    name = "rsk_b2c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections given up by the client with the same CONNECTION_ERROR",
    on = "client:error",
    needs = {},
    of = "abandoned",
    when = {
      [[((abandoned.times ~= nil and (abandoned.times + 1) >= K.BROKEN_LIMIT) and ((c.stream_id == 0) and (c.error_code == 257) and (conn.setup_n ~= nil) and (c.error_data ~= nil and c.error_data ~= "Disposed")) and ((abandoned.latest_t ~= nil and conn.max_lifetime ~= nil and (t - abandoned.latest_t) <= ((conn.max_lifetime * 1000000) + 10000000000.0)) and (abandoned.same ~= nil and c.error_data ~= nil and abandoned.same == c.error_data)))]],
      "c abandoned conn t",
    },
    says = {
      [[f.say("the client ended %s connections in a row with %s: %s", K.BROKEN_LIMIT, f.named(c.error_code, names.error_code), c.error_data)]],
      "c",
    },
    cause = "The client connects again and runs into the same: its lifetime may be shorter than the answers to KEEPALIVE take behind large streams or while it does not read.",
  },
  {
    id = "RSK-B3",
    name = "rsk_b3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Short-lived RSocket connections in a row",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(reconnected.second_n, conn.n), conn.n, reconnected.first_n)]],
      "reconnected conn",
    },
    needs = {},
    of = "reconnected",
    when = {
      [[((reconnected.times ~= nil and (reconnected.times + 1) >= K.RECONNECT_LIMIT) and (((conn.setup_n ~= nil) and (conn.refused_n == nil) and (C.frames ~= nil and C.frames <= 4)) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 5000000000.0)))]],
      "reconnected conn C why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s in a row, each with at most 4 frames of the client", client, K.RECONNECT_LIMIT, server)]],
      "client server",
    },
    cause = "The client connects for each request; one connection can carry any number of streams.",
  },
  {
    id = "RSK-B3b",
    name = "rsk_b3b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Session resumed repeatedly on short connections",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(resumed_again.second_n, conn.n), conn.n, resumed_again.first_n)]],
      "resumed_again conn",
    },
    needs = {},
    of = "resumed_again",
    when = {
      [[((resumed_again.times ~= nil and (resumed_again.times + 1) >= K.RECONNECT_LIMIT) and (((conn.resumed_n ~= nil) and (C.frames ~= nil and C.frames <= 4)) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both)) and ((resumed_again.latest_t ~= nil and conn.t ~= nil and resumed_again.latest_t <= (conn.t + 0)) and (conn.t ~= nil and resumed_again.latest_t ~= nil and (conn.t - resumed_again.latest_t) <= 5000000000.0)))]],
      "resumed_again conn C why",
    },
    says = {
      [[f.say("%s resumed its session on %s connections in a row, each with at most 4 frames of the client", client, K.RECONNECT_LIMIT)]],
      "client",
    },
    cause = "Each connection is lost again at once: by a frame that the peer cannot process, or by a proxy.",
  },
  {
    id = "RSK-B4",
    name = "rsk_b4",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Flood of KEEPALIVE frames",
    on = "keepalive",
    since = { [[f.since(conn, (me.beaten_second_n or n), n, me.beaten_first_n)]], "conn me n" },
    needs = { "since" },
    of = "me",
    when = {
      [[(((me.beaten_times ~= nil and (me.beaten_times + 1) >= K.BEAT_LIMIT) and (c["flags.respond"] and (conn.keepalive ~= nil and conn.keepalive > 0) and (conn.keepalive ~= nil and conn.t ~= nil and ((((me.pulses or 0) + 1) * conn.keepalive) * 1000000) > (t - conn.t))) and (me.beaten_latest_t ~= nil and conn.keepalive ~= nil and (t - me.beaten_latest_t) < (conn.keepalive * 1000000))) and (me.beaten_first_t ~= nil and conn.keepalive ~= nil and me.beaten_times ~= nil and ((t - me.beaten_first_t) * 100) < (((conn.keepalive * 1000000) * 20) * me.beaten_times)))]],
      "c me conn t",
    },
    says = {
      [[f.say("the %s sent %s KEEPALIVEs with the respond flag in a row, each within a fifth of the interval of %s ms after the previous one", sender, K.BEAT_LIMIT, conn.keepalive)]],
      "sender conn",
    },
    cause = "The sender sets the respond flag in its answers, so both sides answer each other endlessly, or its timer ignores the interval of SETUP.",
  },
  {
    id = "RSK-B4b",
    name = "rsk_b4b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Two KEEPALIVEs in each interval",
    on = "client:keepalive",
    since = {
      [[f.since(conn, n, C.doubled_beats_second_n, C.doubled_beats_first_n, conn.setup_n)]],
      "conn n C",
    },
    needs = { "since" },
    of = "C",
    when = {
      [[((C.doubled_beats_times ~= nil and (C.doubled_beats_times + 1) >= K.DOUBLE_LIMIT) and (c["flags.respond"] and (conn.keepalive ~= nil and conn.keepalive > 0) and (C.beaten_t ~= nil and conn.keepalive ~= nil and ((t - C.beaten_t) * 4) <= (conn.keepalive * 5000000))) and (C.doubled_beats_latest_t ~= nil and conn.keepalive ~= nil and (t - C.doubled_beats_latest_t) <= (conn.keepalive * 1500000)))]],
      "c C conn t",
    },
    says = {
      [[f.say("the client sent %s KEEPALIVEs with the respond flag in a row, two in each interval of %s ms", K.DOUBLE_LIMIT, conn.keepalive)]],
      "conn",
    },
    cause = "Two timers run, such as that of the library and one of the program, or the timer has half the interval that SETUP announces.",
  },
  {
    id = "RSK-B5",
    name = "rsk_b5",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Short KEEPALIVE interval",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 102,
    says = { [[f.say("SETUP announces a KEEPALIVE every %s ms", c.time_between_keepalive_frames)]], "c" },
    cause = "The interval is in milliseconds; the client may mean seconds. Idle connections carry many frames, and a short pause of the peer ends them.",
  },
  {
    id = "RSK-B13",
    name = "rsk_b13",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request cancelled before its response and sent again",
    on = "cancel",
    since = { [[f.since(conn, stream.n, given_up.second_n, n)]], "conn stream given_up n" },
    needs = { "since", "both" },
    of = "given_up",
    when = {
      [[(((given_up.times ~= nil and (given_up.times + 1) >= K.GIVEN_UP_LIMIT) and ((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.asked ~= nil)) and (given_up.latest_t ~= nil and (t - given_up.latest_t) <= K.REFUSED_PAUSE)) and ((given_up.slower ~= nil and given_up.times ~= nil and (given_up.slower * 4) < ((given_up.times - 2) * 3)) or (given_up.latest_t ~= nil and (given_up.first_gap or (given_up.latest_t ~= nil and (t - given_up.latest_t) or nil)) ~= nil and (t - given_up.latest_t) <= (2 * (given_up.first_gap or (given_up.latest_t ~= nil and (t - given_up.latest_t) or nil))))))]],
      "given_up stream side t",
    },
    says = {
      [[f.say("the same request was cancelled before its response and sent again %s times in a row", K.GIVEN_UP_LIMIT)]],
    },
    cause = "The requester's timeout is shorter than the time that the responder needs: each attempt begins the work again.",
  },
  {
    id = "RSK-B14",
    name = "rsk_b14",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same request polled for an unchanged response",
    on = "payload response",
    needs = {},
    of = "polled",
    when = {
      [[((polled.times ~= nil and (polled.times + 1) >= K.POLL_LIMIT) and ((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.asked ~= nil)) and ((polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE) and (polled.same ~= nil and polled.same == (f.digest(c["data raw"]) or ""))))]],
      "c polled stream side complete t",
    },
    says = {
      [[f.say("the same request had the same response %s times in a row, at most %s apart", K.POLL_LIMIT, f.time(K.POLL_PAUSE))]],
    },
    cause = "Each poll costs a round trip; with REQUEST_STREAM the responder sends only what is new.",
  },
  {
    id = "RSK-B15",
    name = "rsk_b15",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "REQUEST_FNF repeated with the same content",
    on = "request_fnf",
    needs = {},
    of = "sent_again",
    when = {
      [[((sent_again.times ~= nil and (sent_again.times + 1) >= K.POLL_LIMIT) and complete and (sent_again.latest_t ~= nil and (t - sent_again.latest_t) <= 1000000000.0))]],
      "sent_again complete t",
    },
    says = {
      [[f.say("REQUEST_FNF was sent %s times in a row with the same metadata and data", K.POLL_LIMIT)]],
    },
    cause = "The sender repeats the message because it does not remember that it has sent it: REQUEST_FNF has no answer.",
  },
  {
    id = "RSK-B16",
    name = "rsk_b16",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "METADATA_PUSH repeated with the same content",
    on = "metadata_push",
    needs = {},
    of = "pushed",
    when = {
      [[((pushed.times ~= nil and (pushed.times + 1) >= K.PUSH_LIMIT) and (pushed.latest_t ~= nil and (t - pushed.latest_t) <= 1000000000.0))]],
      "pushed t",
    },
    says = {
      [[f.say("the same METADATA_PUSH was sent %s times in a row, at most 1 s apart", K.PUSH_LIMIT)]],
    },
    cause = "Metadata of the connection stays valid: one push of each value is enough.",
  },
  {
    id = "RSK-B28",
    name = "rsk_b28",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Streams not requested again after a reconnect",
    on = "end:conn",
    evidence = { [[f.first_known(conn.setup_n, C.last_n, conn.lost_by)]], "conn C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.lost ~= nil and conn.lost > (conn.subscribed or 0)) and (conn.last_t ~= nil and conn.setup_t ~= nil and (conn.last_t - conn.setup_t) > K.RESTORED) and ((why == "end") or (conn.left == 1)))]],
      "conn why",
    },
    says = {
      [[f.say("%s lost a connection with %s open and connected again, but requested %s in %s", client, f.counted(conn.lost, "stream", "streams"), f.counted((conn.subscribed or 0), "stream", "streams"), f.time((conn.last_t ~= nil and conn.setup_t ~= nil and (conn.last_t - conn.setup_t) or nil)))]],
      "client conn",
    },
    cause = "Without RESUME the streams of a lost connection are over: the client has to request each of them again, and receives nothing until then.",
  },
  {
    id = "RSK-B29",
    name = "rsk_b29",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "SETUP without its payload after a reconnect",
    on = "setup",
    needs = {},
    of = "before",
    guard = 103,
    when = {
      [[((before.payload_n ~= nil) and (before.mixed == nil) and (before.lost_t ~= nil and (t - before.lost_t) < K.FRESH) and (c.data_mime_type ~= nil and before.data_type ~= nil and c.data_mime_type == before.data_type) and (c.metadata_mime_type ~= nil and before.metadata_type ~= nil and c.metadata_mime_type == before.metadata_type) and (c.time_between_keepalive_frames ~= nil and before.keepalive ~= nil and c.time_between_keepalive_frames == before.keepalive) and (c.max_lifetime ~= nil and before.lifetime ~= nil and c.max_lifetime == before.lifetime))]],
      "c before t",
    },
    says = {
      [[f.say("SETUP has neither data nor metadata, unlike that of the lost connection in frame %s", before.payload_n)]],
      "before",
    },
    cause = "The client uses the payload of SETUP, such as its credentials, once.",
  },
  {
    id = "RSK-B30",
    name = "rsk_b30",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection closed by the client during its requests",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (conn.left == 1) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and (stream.model == "request_response") and (stream.items == 0) and (stream.state == "open") and (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) <= K.PENDING) and (conn.over_n == nil) and (conn.resumable ~= nil and not conn.resumable))]],
      "why conn stream C",
    },
    says = {
      [[f.say("the client closed the connection %s after its request on stream %s, which had no response yet", f.time((conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) or nil)), stream.id)]],
      "conn stream",
    },
    cause = "The program ends, or disposes its connection, without waiting for the response.",
  },
  {
    id = "RSK-B190",
    name = "rsk_b190",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Late response to REQUEST_RESPONSE",
    on = "payload response error",
    since = { [[f.since(conn, stream.n, n)]], "conn stream n" },
    needs = { "since", "both" },
    of = "stream",
    when = {
      [[((req.t ~= nil and (t - req.t) > K.LATE_REPLY) and (stream.model == "request_response"))]],
      "req t stream",
    },
    says = {
      [[f.say("the request on stream %s had its response after %s; most requesters have given up by then", stream.id, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "stream req t",
    },
    cause = "The responder is busy, or waits for something itself.",
  },
  {
    id = "RSK-B31",
    name = "rsk_b31",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same stream requested repeatedly",
    on = "request_stream request_channel",
    needs = {},
    of = "requested_again",
    again = true,
    when = {
      [[((requested_again.times ~= nil and (requested_again.times + 1) >= K.AGAIN_LIMIT) and complete and (requested_again.latest_t ~= nil and (t - requested_again.latest_t) <= K.POLL_PAUSE))]],
      "requested_again complete t",
    },
    says = {
      [[f.say("%s was sent %s times in a row with the same metadata and data", name, K.AGAIN_LIMIT)]],
      "name",
    },
    cause = "Each request begins the stream anew; one stream with REQUEST_N continues where it is.",
  },
  {
    id = "RSK-B32",
    name = "rsk_b32",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Streams left open until the connection ended (no CANCEL)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.left_open_latest_n, conn.left_open_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.left_open_left ~= nil and conn.left_open_left >= K.OPEN_LIMIT) and (conn.left_open_left ~= nil and conn.left_open_all ~= nil and (conn.left_open_left * 100) >= (conn.left_open_all * 0)) and (conn.left_open_all ~= nil and ((conn.left_open_ended or 0) * 100) <= (conn.left_open_all * 20)))]],
      "conn",
    },
    says = {
      [[f.say("%s streams, requested one after another, were open until the connection ended, and few had ended before", conn.left_open_left)]],
      "conn",
    },
    cause = "The requester does not cancel the streams that it no longer reads; the responder keeps sending.",
  },
  {
    id = "RSK-B33",
    name = "rsk_b33",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Channel opened for one payload each way",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(brief_channels.second_n, stream.n), stream.n, brief_channels.first_n)]],
      "brief_channels stream",
    },
    needs = {},
    of = "brief_channels",
    when = {
      [[((brief_channels.times ~= nil and (brief_channels.times + 1) >= K.BRIEF_LIMIT) and (((stream.model == "request_channel") and (stream.state == "done") and (stream.items == 1) and (stream.own_items == 0)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((brief_channels.latest_t ~= nil and stream.t ~= nil and brief_channels.latest_t <= (stream.t + 0)) and (stream.t ~= nil and brief_channels.latest_t ~= nil and (stream.t - brief_channels.latest_t) <= 2000000000.0)))]],
      "brief_channels stream why conn",
    },
    says = { [[f.say("%s channels in a row carried one payload in each direction", K.BRIEF_LIMIT)]] },
    cause = "REQUEST_RESPONSE needs fewer frames for this; one channel can carry all payloads.",
  },
  {
    id = "RSK-B33b",
    name = "rsk_b33b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Streams of one payload each",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(single_streams.second_n, stream.n), stream.n, single_streams.first_n)]],
      "single_streams stream",
    },
    needs = {},
    of = "single_streams",
    when = {
      [[((single_streams.times ~= nil and (single_streams.times + 1) >= K.BRIEF_LIMIT) and (((stream.model == "request_stream") and (stream.state == "done") and (stream.items == 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((single_streams.latest_t ~= nil and stream.t ~= nil and single_streams.latest_t <= (stream.t + 0)) and (stream.t ~= nil and single_streams.latest_t ~= nil and (stream.t - single_streams.latest_t) <= 2000000000.0)))]],
      "single_streams stream why conn",
    },
    says = { [[f.say("%s streams in a row completed after one payload", K.BRIEF_LIMIT)]] },
    cause = "REQUEST_RESPONSE needs fewer frames for this.",
  },
  {
    id = "RSK-B43",
    name = "rsk_b43",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream requested from its start after each lost connection",
    on = "request_stream request_channel",
    needs = { "start", "whole", "both" },
    of = "twin",
    when = {
      [[(complete and (twin.cuts ~= nil and twin.cuts >= K.CUT_LIMIT) and (twin.cut_flow ~= nil and flow ~= nil and twin.cut_flow ~= flow))]],
      "complete twin flow",
    },
    says = {
      [[f.say("%s on stream %s repeats a request whose stream was cut off %s times by the end of its connection, the last time after %s", name, c.stream_id, twin.cuts, f.counted(twin.cut_items, "payload", "payloads"))]],
      "c name twin",
    },
    cause = "All payloads are sent again from the first one: request where the last one left off, or resume the session.",
  },
  {
    id = "RSK-B17",
    name = "rsk_b17",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Streams cancelled after their first payload",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(only_first.second_n, stream.n), stream.n, only_first.first_n)]],
      "only_first stream",
    },
    needs = {},
    of = "only_first",
    when = {
      [[((only_first.times ~= nil and (only_first.times + 1) >= K.FIRST_LIMIT) and (((stream.model == "request_stream") and (stream.state == "cancelled") and (stream.items == 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((only_first.latest_t ~= nil and stream.t ~= nil and only_first.latest_t <= (stream.t + 0)) and (stream.t ~= nil and only_first.latest_t ~= nil and (stream.t - only_first.latest_t) <= 2000000000.0)))]],
      "only_first stream why conn",
    },
    says = { [[f.say("%s streams in a row were cancelled after their first payload", K.FIRST_LIMIT)]] },
    cause = "A single payload needs REQUEST_RESPONSE, or an initial request of 1: the responder sends the other payloads in vain.",
  },
  {
    id = "RSK-B17b",
    name = "rsk_b17b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Streams cancelled with most of their demand unused",
    on = "cancel",
    needs = { "both" },
    of = "cut_short",
    when = {
      [[((cut_short.times ~= nil and (cut_short.times + 1) >= K.FIRST_LIMIT) and (LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items ~= nil and stream.items > 1) and (stream.credit ~= nil and stream.items ~= nil and stream.credit > (stream.items * K.EXCESS)) and (LISTS[6][stream.state] or ((stream.state == "done") and (stream.ended_t ~= nil and (t - stream.ended_t) < K.CROSSING)))) and (cut_short.latest_t ~= nil and (t - cut_short.latest_t) <= 2000000000.0))]],
      "cut_short stream side t",
    },
    says = {
      [[f.say("%s streams in a row were cancelled although far more was requested than had come (of the last one %s and %s payloads)", K.FIRST_LIMIT, stream.requested, stream.items)]],
      "stream",
    },
    cause = "The requester asks for everything and takes a few: what the responder sends until CANCEL arrives is thrown away. Request as many as are needed.",
  },
  {
    id = "RSK-B97",
    name = "rsk_b97",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stream cancelled and requested again for each change",
    on = "request_stream",
    since = { [[f.since(conn, (asked_anew.second_n or n), n, asked_anew.first_n)]], "conn asked_anew n" },
    needs = { "since", "both" },
    of = "asked_anew",
    when = {
      [[((asked_anew.times ~= nil and (asked_anew.times + 1) >= K.ANEW_LIMIT) and ((me.dropped_t ~= nil and (t - me.dropped_t) <= K.ANEW) and (me.dropped_route ~= nil and f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "") ~= nil and me.dropped_route == f.choose((((c["#metadata"] or 0) or 0) > 0), f.digest(c["metadata raw"]), "")) and (me.dropped_asked ~= nil and me.dropped_asked ~= (f.digest(c["data raw"]) or ""))) and (asked_anew.latest_t ~= nil and (t - asked_anew.latest_t) <= 30000000000.0))]],
      "c asked_anew me t",
    },
    says = {
      [[f.say("%s times in a row a stream was cancelled and another one of its route requested at once", K.ANEW_LIMIT)]],
    },
    cause = "The requester changes what it wants by a new stream, which begins from the start each time. A channel carries changes, and items go on meanwhile.",
  },
  {
    id = "RSK-B18",
    name = "rsk_b18",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Duplicate open streams with the same request (no CANCEL)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.left_running_latest_n, conn.left_running_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((conn.left_running_left ~= nil and conn.left_running_left >= 1) and (conn.left_running_left ~= nil and conn.left_running_all ~= nil and (conn.left_running_left * 100) >= (conn.left_running_all * 0)) and (conn.left_running_all ~= nil and ((conn.left_running_ended or 0) * 100) <= (conn.left_running_all * 100))) and (conn.left_running_left ~= nil and conn.left_running_left > 1))]],
      "conn",
    },
    says = {
      [[f.say("%s streams with the same request were open at once until the connection ended; each payload arrives that often", (conn.left_running_left ~= nil and (conn.left_running_left + 1) or nil))]],
      "conn",
    },
    cause = "The requester requests the stream again without CANCEL for the stream that it no longer needs.",
  },
  {
    id = "RSK-B18b",
    name = "rsk_b18b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Open stream requested again after RESUME_OK",
    on = "request_stream request_channel",
    needs = { "start", "whole", "both" },
    of = "twin",
    when = {
      [[(complete and (twin.open ~= nil and twin.open > 0) and (twin.token ~= nil and conn.token ~= nil and twin.token == conn.token) and (twin.flow ~= nil and flow ~= nil and twin.flow ~= flow) and (conn.resume_n ~= nil))]],
      "complete twin conn flow",
    },
    says = {
      [[f.say("%s on stream %s repeats the request of frame %s, whose stream the resumed session continues: each payload arrives twice", name, c.stream_id, twin.opened_n)]],
      "c name twin",
    },
    cause = "The program requests its streams again on each connection; after RESUME_OK they are still open.",
  },
  {
    id = "RSK-B19",
    name = "rsk_b19",
    severity = "WARN",
    group = "SEQUENCE",
    title = "New SETUP after each lost connection instead of RESUME",
    on = "setup",
    needs = { "start" },
    of = "comer",
    guard = 104,
    when = {
      [[((comer.lost_flow ~= nil and flow ~= nil and comer.lost_flow ~= flow) and (comer.lost_t ~= nil and (t - comer.lost_t) < K.FRESH) and (((comer.fresh or 0) + 1) >= K.FRESH_LIMIT))]],
      "comer flow t",
    },
    says = {
      [[f.say("%s began a new session with SETUP %s times in a row after it had lost a connection with open streams, although the sessions could be resumed", client, K.FRESH_LIMIT)]],
      "client",
    },
    cause = "The client asks for resumption in SETUP and never sends RESUME: the server keeps each session and its frames until they expire.",
  },
  {
    id = "RSK-B23",
    name = "rsk_b23",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Idle channel without COMPLETE from its requester",
    on = "end:stream",
    evidence = { [[f.first_known(stream.last_n, stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.model == "request_channel") and (stream.state == "open") and (stream.own_credit ~= nil and stream.own_credit > 0) and (stream.own_items ~= nil and stream.own_items > 0) and (stream.last_t ~= nil and (t - stream.last_t) > K.STALLED) and LISTS[8][why] and (stream.own_cancelled == nil))]],
      "stream t why",
    },
    says = {
      [[f.say("the requester of channel %s was allowed %s more payloads, but sent neither a payload nor COMPLETE, ERROR or CANCEL for %s", stream.id, stream.own_credit, f.time((stream.last_t ~= nil and (t - stream.last_t) or nil)))]],
      "stream t",
    },
    cause = "The requester does not complete its side: a responder that answers at the end of the input never answers.",
  },
  {
    id = "RSK-B23b",
    name = "rsk_b23b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Channel deadlock: no response and no COMPLETE from the requester",
    on = "end:stream",
    evidence = { [[f.first_known(stream.last_n, stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.model == "request_channel") and (stream.state == "open") and (stream.own_credit ~= nil and stream.own_credit > 0) and (stream.items == 0) and (stream.credit ~= nil and stream.credit > 0) and (stream.own_items ~= nil and stream.own_items > 0) and (stream.last_t ~= nil and (t - stream.last_t) > K.STALLED) and LISTS[8][why] and (stream.own_cancelled == nil))]],
      "stream t why",
    },
    says = {
      [[f.say("the responder of channel %s never sent a payload, and the requester sent neither more payloads nor COMPLETE for %s", stream.id, f.time((stream.last_t ~= nil and (t - stream.last_t) or nil)))]],
      "stream t",
    },
    cause = "The requester does not complete its side: a responder that answers at the end of the input never answers.",
  },
  {
    id = "RSK-B23c",
    name = "rsk_b23c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Channel left half open by its requester",
    on = "end:stream",
    evidence = { [[f.first_known(stream.last_n, stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.model == "request_channel") and (stream.state == "responder_done") and (stream.last_t ~= nil and (t - stream.last_t) > K.STALLED) and LISTS[8][why] and (stream.own_cancelled == nil))]],
      "stream t why",
    },
    says = {
      [[f.say("the responder of channel %s completed, but the requester sent neither COMPLETE, ERROR nor CANCEL for %s", stream.id, f.time((stream.last_t ~= nil and (t - stream.last_t) or nil)))]],
      "stream t",
    },
    cause = "The requester forgets its half of the channel: both sides keep the stream.",
  },
  {
    id = "RSK-B6",
    name = "rsk_b6",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Idle connections of one client",
    on = "end:idle_connections",
    evidence = { [[f.first_known(idle_connections.latest_n, idle_connections.first_n)]], "idle_connections" },
    needs = {},
    of = "idle_connections",
    when = {
      [[((idle_connections.left ~= nil and idle_connections.left >= K.IDLE_LIMIT) and (idle_connections.left ~= nil and idle_connections.all ~= nil and (idle_connections.left * 100) >= (idle_connections.all * 50)) and (idle_connections.all ~= nil and ((idle_connections.ended or 0) * 100) <= (idle_connections.all * 100)))]],
      "idle_connections",
    },
    says = {
      [[f.say("%s of %s connections of one client carried at most one request and stayed open", idle_connections.left, idle_connections.all)]],
      "idle_connections",
    },
    cause = "The client opens a connection for each requester and does not close it.",
  },
  {
    id = "RSK-B6b",
    name = "rsk_b6b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection for each request, left open",
    on = "end:called_once",
    evidence = { [[f.first_known(called_once.latest_n, called_once.first_n)]], "called_once" },
    needs = {},
    of = "called_once",
    when = {
      [[((called_once.left ~= nil and called_once.left >= K.CALLED_LIMIT) and (called_once.left ~= nil and called_once.all ~= nil and (called_once.left * 100) >= (called_once.all * 80)) and (called_once.all ~= nil and ((called_once.ended or 0) * 100) <= (called_once.all * 100)))]],
      "called_once",
    },
    says = {
      [[f.say("%s of %s connections of one client carried one request, and stayed open without use", called_once.left, called_once.all)]],
      "called_once",
    },
    cause = "The client opens a connection for each request instead of sharing one, and does not close it.",
  },
  {
    id = "RSK-B7",
    name = "rsk_b7",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Requests cancelled immediately",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(cancelled_at_once.second_n, stream.n), stream.n, cancelled_at_once.first_n)]],
      "cancelled_at_once stream",
    },
    needs = { "start", "whole", "both" },
    of = "cancelled_at_once",
    when = {
      [[((cancelled_at_once.times ~= nil and (cancelled_at_once.times + 1) >= K.CANCEL_LIMIT) and (((stream.state == "cancelled") and (stream.items == 0) and (stream.last_t ~= nil and stream.t ~= nil and (stream.last_t - stream.t) <= K.AT_ONCE)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((cancelled_at_once.latest_t ~= nil and stream.t ~= nil and cancelled_at_once.latest_t <= (stream.t + 0)) and (stream.t ~= nil and cancelled_at_once.latest_t ~= nil and (stream.t - cancelled_at_once.latest_t) <= 2000000000.0)))]],
      "cancelled_at_once stream why conn",
    },
    says = {
      [[f.say("%s requests in a row were cancelled within %s, before any payload", K.CANCEL_LIMIT, f.time(K.AT_ONCE))]],
    },
    cause = "The requester sends requests whose result it does not use; each costs the responder work.",
  },
  {
    id = "RSK-B8",
    name = "rsk_b8",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests neither answered nor cancelled",
    on = "end:conn",
    evidence = { [[f.first_known(conn.pending_latest_n, conn.pending_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.pending_left ~= nil and conn.pending_left >= K.PENDING_LIMIT) and (conn.pending_left ~= nil and conn.pending_all ~= nil and (conn.pending_left * 100) >= (conn.pending_all * 0)) and (conn.pending_all ~= nil and ((conn.pending_ended or 0) * 100) <= (conn.pending_all * 100)))]],
      "conn",
    },
    says = {
      [[f.say("%s requests on this connection had neither an answer nor a CANCEL when it ended, more than %s later", conn.pending_left, f.time(K.PENDING))]],
      "conn",
    },
    cause = "The responder does not answer, and the requester gives up without CANCEL, so both keep the streams.",
  },
  {
    id = "RSK-B8b",
    name = "rsk_b8b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Unanswered request without CANCEL",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (stream.model == "request_response") and (stream.items == 0) and (stream.state == "open") and (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) > K.PENDING) and (conn.resumable ~= nil and not conn.resumable) and (stream.t ~= nil and stream.t < (S.closed_t or t)))]],
      "why stream conn S t",
    },
    says = {
      [[f.say("the request on stream %s had neither an answer nor a CANCEL for %s, until the connection ended", stream.id, f.time((conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) or nil)))]],
      "stream conn",
    },
    cause = "The responder does not answer; the requester gives up without CANCEL.",
  },
  {
    id = "RSK-B25",
    name = "rsk_b25",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "No frame from the server despite requests",
    on = "end:conn",
    evidence = { [[f.first_known(conn.setup_n, C.last_n)]], "conn C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[((S.frames == 0) and (C.due ~= nil and C.due > 0) and (C.due_t ~= nil and (t - C.due_t) > K.PENDING))]],
      "S C t",
    },
    says = {
      [[f.say("the server accepted the connection and sent no frame for %s, although the client sent %s that it has to answer", f.time((C.due_t ~= nil and (t - C.due_t) or nil)), f.counted(C.due, "request", "requests"))]],
      "C t",
    },
    cause = "The port may belong to RSocket over WebSocket, which waits for an HTTP request, or to another protocol.",
    by = { [[((away.heard_n ~= nil) and "hangs" or "other")]], "away" },
    causes = {
      hangs = "The server hangs: it answered this client before, and TCP accepts connections for it.",
    },
  },
  {
    id = "RSK-B26",
    name = "rsk_b26",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered RESUME",
    on = "unanswered:resume",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[(LISTS[8][why] and (req.t ~= nil and (t - req.t) > K.PENDING))]], "why req t" },
    says = {
      [[f.say("RESUME had neither RESUME_OK nor ERROR for %s", f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req t",
    },
  },
  {
    id = "RSK-B9",
    name = "rsk_b9",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request from the server unanswered by the client",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (stream.owner ~= nil and S.side ~= nil and stream.owner == S.side) and LISTS[40][stream.model] and (stream.items == 0) and (stream.granted == 0) and LISTS[32][stream.state] and (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) > K.PENDING) and (C.last_n ~= nil and stream.n ~= nil and C.last_n > stream.n) and (conn.resumable ~= nil and not conn.resumable))]],
      "why stream S conn C",
    },
    says = {
      [[f.say("the client neither answered nor refused the server's request on stream %s", stream.id)]],
      "stream",
    },
    cause = "The client has no responder for requests of the server; it must answer with ERROR.",
  },
  {
    id = "RSK-B10",
    name = "rsk_b10",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Resume token shared by two sessions",
    on = "end:conn",
    evidence = {
      [[f.first_known(shared_token.second_n, conn.shared_token_n, C.last_n)]],
      "shared_token conn C",
    },
    needs = { "start", "whole", "both" },
    of = "shared_token",
    when = {
      [[((conn.shared_token_n ~= nil and shared_token.second_n ~= nil and conn.shared_token_n < shared_token.second_n) and (C.last_n ~= nil and shared_token.second_n ~= nil and C.last_n > shared_token.second_n))]],
      "conn shared_token C",
    },
    says = {
      [[f.say("two open connections began sessions with the same resume token, that of frame %s", shared_token.second_n)]],
      "shared_token",
    },
    cause = "The token is not unique: the server keeps one of the sessions, and RESUME continues the wrong one.",
  },
  {
    id = "RSK-B35",
    name = "rsk_b35",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Growing demand (more REQUEST_N than payloads)",
    on = "request_n",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items ~= nil and stream.items > 0) and (stream.raises ~= nil and (stream.raises + 1) >= K.RAISES) and (stream.credit ~= nil and c.request_n ~= nil and f.max(stream.most, (stream.wanted ~= nil and (stream.wanted * 4) or nil)) ~= nil and (stream.credit + c.request_n) > f.max(stream.most, (stream.wanted ~= nil and (stream.wanted * 4) or nil))) and (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) <= K.UNBOUNDED))]],
      "c side stream",
    },
    says = {
      [[f.say("the demand for stream %s has grown to %s payloads from %s: more is requested than arrives", stream.id, (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) or nil), stream.wanted)]],
      "c stream",
    },
    cause = "The requester requests more for each payload than it has taken, or two parts of it do: the responder is no longer held back.",
  },
  {
    id = "RSK-B35b",
    name = "rsk_b35b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Growing demand of a requester that does not read",
    on = "request_n",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (me.zero_windows ~= nil and me.zero_windows >= K.FULL) and (stream.raises ~= nil and (stream.raises + 1) >= K.RAISES) and (stream.credit ~= nil and c.request_n ~= nil and f.max(stream.most, (stream.wanted ~= nil and (stream.wanted * 2) or nil)) ~= nil and (stream.credit + c.request_n) > f.max(stream.most, (stream.wanted ~= nil and (stream.wanted * 2) or nil))) and (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) <= K.UNBOUNDED))]],
      "c side stream me",
    },
    says = {
      [[f.say("the requester of stream %s has no room for more bytes (its receive window is 0), and requests %s more payloads: %s are to come", stream.id, c.request_n, (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) or nil))]],
      "c stream",
    },
    cause = "The requester requests by a timer, or by what it has sent: the responder has to keep all payloads in memory.",
  },
  {
    id = "RSK-B11",
    name = "rsk_b11",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Payloads requested one by one",
    on = "end:stream",
    evidence = { [[f.first_known(stream.singly_latest_n, stream.singly_second_n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.singly_count ~= nil and stream.singly_count >= K.SINGLE_LIMIT) and (stream.singly_count ~= nil and stream.items ~= nil and (stream.singly_count * 100) >= (stream.items * 60)))]],
      "stream",
    },
    says = {
      [[f.say("%s of %s payloads of stream %s were requested one by one, each after the previous one", stream.singly_count, stream.items, stream.id)]],
      "stream",
    },
    cause = "Each payload costs a round trip; a larger REQUEST_N lets the responder send ahead.",
  },
  {
    id = "RSK-B11b",
    name = "rsk_b11b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Channel responder with a REQUEST_N for each payload",
    on = "end:stream",
    evidence = { [[f.first_known(stream.own_singly_latest_n, stream.own_singly_second_n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.own_singly_count ~= nil and stream.own_singly_count >= K.SINGLE_LIMIT) and (stream.own_singly_count ~= nil and stream.own_items ~= nil and (stream.own_singly_count * 100) >= (stream.own_items * 60)))]],
      "stream",
    },
    says = {
      [[f.say("%s of %s payloads that the requester of channel %s sent were requested one by one, each after the previous one", stream.own_singly_count, stream.own_items, stream.id)]],
      "stream",
    },
    cause = "Each payload costs a round trip; a larger REQUEST_N lets the requester send ahead.",
  },
  {
    id = "RSK-B20",
    name = "rsk_b20",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "REQUEST_RESPONSE one at a time with the same metadata",
    on = "request_response",
    since = {
      [[f.since(conn, (asked_singly.second_n or n), n, asked_singly.first_n)]],
      "conn asked_singly n",
    },
    needs = { "since", "both" },
    of = "asked_singly",
    when = {
      [[((asked_singly.times ~= nil and (asked_singly.times + 1) >= K.STEP_LIMIT) and complete and ((asked_singly.open == 0) and (asked_singly.answered_t ~= nil and f.max((asked_singly.took ~= nil and (asked_singly.took * 3) or nil), 5000000) ~= nil and (t - asked_singly.answered_t) <= f.max((asked_singly.took ~= nil and (asked_singly.took * 3) or nil), 5000000)) and (asked_singly.value ~= nil and asked_singly.value ~= (f.digest(c["data raw"]) or ""))))]],
      "c asked_singly complete t",
    },
    says = {
      [[f.say("%s REQUEST_RESPONSE with the same metadata and different data were sent in a row, each right after the response to the previous one", K.STEP_LIMIT)]],
    },
    cause = "Each request costs a round trip: several may be open at the same time, and one stream, channel or request can ask for everything.",
  },
  {
    id = "RSK-B21",
    name = "rsk_b21",
    severity = "NOTE",
    group = "REASSEMBLE",
    title = "Message in many small fragments",
    on = "request_response request_fnf request_stream request_channel payload",
    needs = {},
    of = "conn",
    when = {
      [[((complete ~= nil and not complete) and (stream.pieces ~= nil and stream.pieces == (K.PIECES - 1)) and (size ~= nil and size < K.SMALL_PIECE))]],
      "complete stream size",
    },
    says = {
      [[f.say("a message on stream %s has at least %s fragments of %s each", c.stream_id, K.PIECES, f.counted(size, "byte", "bytes"))]],
      "c size",
    },
    cause = "The fragment size (MTU) is set to a few bytes: most of the cost is headers and the work for each fragment.",
  },
  {
    id = "RSK-B21b",
    name = "rsk_b21b",
    severity = "NOTE",
    group = "REASSEMBLE",
    title = "Small messages in fragments",
    on = "payload",
    needs = {},
    of = "conn",
    when = {
      [[(complete and (stream.pieces ~= nil and stream.pieces >= K.FEW_PIECES) and (size ~= nil and size < K.SMALL_PIECE) and (((me.shredded or 0) + 1) >= K.SHREDDED_LIMIT))]],
      "complete stream size me",
    },
    says = {
      [[f.say("the %s sent %s messages in several fragments of at most %s bytes each", sender, K.SHREDDED_LIMIT, K.SMALL_PIECE)]],
      "sender",
    },
    cause = "The fragment size (MTU) is set to a few bytes: each message would fit into one frame.",
  },
  {
    id = "RSK-B45",
    name = "rsk_b45",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Identical requests without a response at the same time",
    on = "request_response",
    needs = { "start", "whole", "both" },
    of = "alike",
    when = {
      [[(complete and (alike.open ~= nil and (alike.open + 1) >= K.ALIKE_LIMIT))]],
      "complete alike",
    },
    says = {
      [[f.say("%s requests with the same metadata and data wait for their responses at the same time", K.ALIKE_LIMIT)]],
    },
    cause = "The requester asks again before it has the response, or several parts of it ask for the same: one request can serve all.",
  },
  {
    id = "RSK-B46",
    name = "rsk_b46",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same large metadata in each request or payload",
    on = "request_response request_fnf request_stream request_channel payload",
    needs = {},
    of = "conn",
    guard = 31,
    when = {
      [[(complete and (f.digest(c["metadata raw"]) ~= nil and me.large_metadata ~= nil and f.digest(c["metadata raw"]) == me.large_metadata) and (me.same_metadata ~= nil and (me.same_metadata + 1) >= K.SAME_METADATA))]],
      "c complete me",
    },
    says = {
      [[f.say("%s requests or payloads in a row have the same %s of metadata", K.SAME_METADATA, f.counted(c["#metadata"], "byte", "bytes"))]],
      "c",
    },
    cause = "What is the same for all requests, such as a token, belongs into SETUP or METADATA_PUSH.",
  },
  {
    id = "RSK-B22",
    name = "rsk_b22",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Repeated CANCEL after COMPLETE",
    on = "cancel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((((stream.state == "done") and (side ~= nil and stream.owner ~= nil and side == stream.owner)) and (stream.ended_t ~= nil and (t - stream.ended_t) > 5000000)) and (((conn.late_cancel_times or 0) + 1) >= K.LATE_CANCELS))]],
      "stream side t conn",
    },
    says = {
      [[f.say("CANCEL was sent for %s streams after their COMPLETE; the last was stream %s", K.LATE_CANCELS, c.stream_id)]],
      "c",
    },
    cause = "The requester cancels every stream that it has received, including completed ones.",
  },
  {
    id = "RSK-B24",
    name = "rsk_b24",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "REQUEST_N after unbounded demand",
    on = "request_n",
    needs = { "object" },
    of = "stream",
    when = {
      [[(((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.credit ~= nil and c.request_n ~= nil and (stream.credit + c.request_n) > K.UNBOUNDED)) or ((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.own_credit ~= nil and c.request_n ~= nil and (stream.own_credit + c.request_n) > K.UNBOUNDED)))]],
      "c side stream",
    },
    says = {
      [[f.say("REQUEST_N requests %s more payloads of stream %s, although unlimited payloads were requested before (%s is the greatest number)", c.request_n, stream.id, K.UNBOUNDED)]],
      "c stream",
    },
    cause = "The initial request is unbounded; REQUEST_N has no effect, or overflows the count of the peer.",
  },
  {
    id = "RSK-B27",
    name = "rsk_b27",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stuck KEEPALIVE position despite received payloads",
    on = "client:keepalive",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(conn.resumable and (c.last_received_position ~= nil and C.position ~= nil and c.last_received_position == C.position) and (session.server_sent ~= nil and C.beaten ~= nil and session.server_sent > C.beaten) and (C.stuck ~= nil and C.stuck >= 1))]],
      "c conn C session",
    },
    says = {
      [[f.say("KEEPALIVE has position %s for the third time, although the server has sent payloads in between", c.last_received_position)]],
      "c",
    },
    cause = "The client does not count what it receives: the server keeps all frames of the session until its memory for them is full.",
  },
  {
    id = "RSK-B27b",
    name = "rsk_b27b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stuck KEEPALIVE position of the server despite received requests",
    on = "server:keepalive",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(conn.resumable and (c.last_received_position ~= nil and S.position ~= nil and c.last_received_position == S.position) and (session.client_sent ~= nil and S.beaten ~= nil and session.client_sent > S.beaten) and (S.stuck ~= nil and S.stuck >= 1))]],
      "c conn S session",
    },
    says = {
      [[f.say("the server's KEEPALIVE has position %s for the third time, although the client has sent frames in between", c.last_received_position)]],
      "c",
    },
    cause = "The server does not count what it receives: the client keeps all frames of the session until its memory for them is full.",
  },
  {
    id = "RSK-B12",
    name = "rsk_b12",
    severity = "WARN",
    group = "SEQUENCE",
    title = "REQUEST_N on an ended stream",
    on = "request_n",
    needs = { "start", "whole", "both" },
    of = "stream",
    when = {
      [[(((stream.ended_t ~= nil) and (stream.ended_t ~= nil and (t - stream.ended_t) > 50000000)) and (((stream.late_request_n_times or 0) + 1) >= K.LATE_LIMIT))]],
      "stream t",
    },
    says = {
      [[f.say("REQUEST_N on stream %s was sent %s after the stream ended", c.stream_id, f.time((stream.ended_t ~= nil and (t - stream.ended_t) or nil)))]],
      "c stream t",
    },
    cause = "The requester keeps requesting payloads after the stream has completed.",
  },
  {
    id = "RSK-B150",
    name = "rsk_b150",
    severity = "WARN",
    group = "SEQUENCE",
    title = "REQUEST_N on ended streams, on one after another",
    on = "request_n",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((((stream.ended_t ~= nil) and (stream.late_n == nil)) and (stream.ended_t ~= nil and (t - stream.ended_t) > K.LATE_TIME)) and (((conn.late_demands_times or 0) + 1) >= K.LATE_STREAMS))]],
      "stream t conn",
    },
    says = {
      [[f.say("REQUEST_N was sent on %s streams more than %s after they ended, the last one on stream %s", K.LATE_STREAMS, f.time(K.LATE_TIME), c.stream_id)]],
      "c",
    },
    cause = "The requester does not notice the end of its streams, and requests payloads on.",
  },
  {
    id = "RSK-B47",
    name = "rsk_b47",
    severity = "WARN",
    group = "SEQUENCE",
    title = "PAYLOADs continued after the peer's CANCEL or ERROR",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "stream",
    when = {
      [[((((stream.stop_t ~= nil) and (side ~= nil and stream.stop_side ~= nil and side ~= stream.stop_side) and complete and c["flags.next"] and f.choose((stream.stop_t ~= nil and (t - stream.stop_t) <= K.CROSSING), (stream.deaf_t ~= nil and (t - stream.deaf_t) > K.PACED), (stream.state ~= nil and not LISTS[11][stream.state]))) and (stream.stop_t ~= nil and (t - stream.stop_t) > K.DEAF)) and (((stream.deaf_times or 0) + 1) >= K.DEAF_LIMIT))]],
      "c stream side complete t",
    },
    says = {
      [[f.say("%s payloads were sent on stream %s more than %s after the peer's CANCEL or ERROR, the last one %s after it", K.DEAF_LIMIT, c.stream_id, f.time(K.DEAF), f.time((stream.stop_t ~= nil and (t - stream.stop_t) or nil)))]],
      "c stream t",
    },
    cause = "The sender ignores CANCEL or ERROR: the receiver drops all further payloads.",
  },
  {
    id = "RSK-B48",
    name = "rsk_b48",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client connections that end at CANCEL of the server",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n, gone.second_n, gone.first_n)]], "S gone" },
    since = { [[f.since(conn, S.sign_n, gone.second_n, gone.first_n)]], "conn S gone" },
    needs = { "whole", "both", "since" },
    of = "gone",
    when = {
      [[(((gone.times ~= nil and (gone.times + 1) >= K.GONE_LIMIT) and ((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE)) and ((gone.latest_t ~= nil and (t - gone.latest_t) <= K.GONE_PAUSE) and (gone.same ~= nil and S.sign ~= nil and gone.same == S.sign))) and (S.sign == "cancel"))]],
      "gone conn S t",
    },
    says = {
      [[f.say("%s connections in a row were ended by the client, without ERROR, within %s after the server's %s, while streams were open", K.GONE_LIMIT, f.time(K.GONE), S.sign)]],
      "S",
    },
    cause = "The client fails when it handles the frame, and is started again.",
  },
  {
    id = "RSK-B48b",
    name = "rsk_b48b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client connections that end at the same frame of the server",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n, gone.second_n, gone.first_n)]], "S gone" },
    since = { [[f.since(conn, S.sign_n, gone.second_n, gone.first_n)]], "conn S gone" },
    needs = { "whole", "both", "since" },
    of = "gone",
    when = {
      [[(((gone.times ~= nil and (gone.times + 1) >= K.GONE_LIMIT) and ((conn.setup_n ~= nil) and (conn.left == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (((f.live(conn, "stream") or 0) > 0) or LISTS[3][S.sign]) and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE)) and ((gone.latest_t ~= nil and (t - gone.latest_t) <= K.GONE_PAUSE) and (gone.same ~= nil and S.sign ~= nil and gone.same == S.sign))) and (S.sign ~= nil and S.sign ~= "cancel"))]],
      "gone conn S t",
    },
    says = {
      [[f.say("%s connections in a row were ended by the client, without ERROR, within %s after the server's %s, while streams were open", K.GONE_LIMIT, f.time(K.GONE), S.sign)]],
      "S",
    },
    cause = "The client fails when it handles the frame, and is started again.",
  },
  {
    id = "RSK-B40",
    name = "rsk_b40",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Request sent again although the server had received it (RESUME_OK)",
    on = "client:request_response client:request_fnf client:request_stream client:request_channel",
    needs = { "start", "both" },
    of = "conn",
    when = {
      [[((conn.resumed_n ~= nil) and (asked_once.flow ~= nil and flow ~= nil and asked_once.flow ~= flow) and (asked_once.ends ~= nil and conn.resumed_at ~= nil and asked_once.ends < conn.resumed_at))]],
      "conn asked_once flow",
    },
    says = {
      [[f.say("%s on stream %s is sent again after RESUME, although RESUME_OK says that the server has received the client's frames up to position %s: the request is executed twice", name, c.stream_id, conn.resumed_at)]],
      "c name conn",
    },
    cause = "The client sends all frames that it has kept, without dropping those before the position in RESUME_OK.",
  },
  {
    id = "RSK-B41",
    name = "rsk_b41",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client continuing with the wrong frame after RESUME_OK",
    on = "client:request_response client:request_fnf client:request_stream client:request_channel client:payload client:request_n client:cancel client:error",
    needs = { "start", "both" },
    of = "conn",
    when = {
      [[((conn.resumed_n ~= nil) and (conn.strayed_n == nil) and ((spot.what ~= nil and spot.what ~= name) or (spot.stream ~= nil and c.stream_id ~= nil and spot.stream ~= c.stream_id) or (spot.size ~= nil and size ~= nil and spot.size ~= size)) and (session.client_sent ~= nil and conn.had_sent ~= nil and session.client_sent < conn.had_sent))]],
      "c conn spot name size session",
    },
    says = {
      [[f.say("at position %s the client had sent %s on stream %s, which the server has not received; after RESUME_OK it sends %s on stream %s there", session.client_sent, spot.what, spot.stream, name, c.stream_id)]],
      "c session spot name",
    },
    cause = "The client skips frames that the server lacks, or sends frames again that it has.",
  },
  {
    id = "RSK-B41b",
    name = "rsk_b41b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Server continuing with the wrong frame after RESUME_OK",
    on = "server:request_response server:request_fnf server:request_stream server:request_channel server:payload server:request_n server:cancel server:error",
    needs = { "start", "both" },
    of = "conn",
    when = {
      [[((conn.resumed_n ~= nil) and (conn.slipped_n == nil) and ((place.what ~= nil and place.what ~= name) or (place.stream ~= nil and c.stream_id ~= nil and place.stream ~= c.stream_id) or (place.size ~= nil and size ~= nil and place.size ~= size)) and (session.server_sent ~= nil and conn.had_served ~= nil and session.server_sent < conn.had_served))]],
      "c conn place name size session",
    },
    says = {
      [[f.say("at position %s the server had sent %s on stream %s, which the client has not received as its RESUME says; after RESUME_OK it sends %s on stream %s there", session.server_sent, place.what, place.stream, name, c.stream_id)]],
      "c session place name",
    },
    cause = "The server skips frames that the client lacks, or sends frames again that it has: payloads are lost, or come twice.",
  },
  {
    id = "RSK-B42",
    name = "rsk_b42",
    severity = "WARN",
    group = "SEQUENCE",
    title = "First item of channels sent twice (REQUEST_CHANNEL and PAYLOAD)",
    on = "client:payload",
    needs = {},
    of = "echoing",
    guard = 33,
    when = {
      [[((stream.model == "request_channel") and (stream.own_items == 0) and (stream.asking == 0) and complete and ((stream.own_cut or 0) == 0) and (f.digest(c["data raw"]) ~= nil and stream.asked ~= nil and f.digest(c["data raw"]) == stream.asked) and (((echoing.same or 0) + 1) >= K.ECHO_LIMIT) and ((echoing.same or 0) == (echoing.channels or 0)) and (((f.count(echoing.items) or 1) > 1) or (f.has(echoing.items, stream.asked) ~= nil and not f.has(echoing.items, stream.asked))))]],
      "c stream complete echoing",
    },
    says = {
      [[f.say("the first PAYLOAD of stream %s repeats the data of its REQUEST_CHANNEL, as on %s before: the responder gets the item twice", c.stream_id, f.counted(echoing.same, "channel", "channels"))]],
      "c echoing",
    },
    cause = "REQUEST_CHANNEL carries the first item; the client sends all items as PAYLOAD as well.",
  },
  {
    id = "RSK-B42b",
    name = "rsk_b42b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "First item of a channel sent twice, followed by others",
    on = "client:payload",
    needs = {},
    of = "stream",
    guard = 105,
    when = {
      [[((stream.model == "request_channel") and (stream.echoed_n ~= nil) and (stream.own_items == 1) and complete and (f.digest(c["data raw"]) ~= nil and stream.asked ~= nil and f.digest(c["data raw"]) ~= stream.asked))]],
      "c stream complete",
    },
    says = {
      [[f.say("the first PAYLOAD of stream %s repeats the data of its REQUEST_CHANNEL; the next one differs", c.stream_id)]],
      "c",
    },
    cause = "REQUEST_CHANNEL carries the first item; the client sends all items as PAYLOAD as well.",
  },
  {
    id = "RSK-M19",
    name = "rsk_m19",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused route that is served with another interaction model",
    on = "error",
    needs = {},
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.metadata) or 3) >= 4) and (stream.items == 0))]],
      "side stream",
    },
    finds = {
      [[f.predicates.is_another_model("stream.model stream.metadata served.models error_data", stream.model, stream.metadata, served.models, c.error_data)]],
      "c stream served",
    },
    says = {
      [[f.say("%s on stream %s is refused for its interaction model: %s", stream.model, c.stream_id, f.whole(found))]],
      "c stream found",
    },
    cause = "The client requests the route as another model than the server has it: a handler for a stream does not answer REQUEST_RESPONSE.",
  },
  {
    id = "RSK-B33c",
    name = "rsk_b33c",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Channel whose requester sends nothing but its request",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(channels_as_streams.second_n, stream.n), stream.n, channels_as_streams.first_n)]],
      "channels_as_streams stream",
    },
    needs = {},
    of = "channels_as_streams",
    when = {
      [[((channels_as_streams.times ~= nil and (channels_as_streams.times + 1) >= K.BRIEF_LIMIT) and (((stream.only == 1) and (stream.state == "done") and (stream.items ~= nil and stream.items > 1)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((channels_as_streams.latest_t ~= nil and stream.t ~= nil and channels_as_streams.latest_t <= (stream.t + 0)) and (stream.t ~= nil and channels_as_streams.latest_t ~= nil and (stream.t - channels_as_streams.latest_t) <= 2000000000.0)))]],
      "channels_as_streams stream why conn",
    },
    says = {
      [[f.say("%s channels in a row had all of their requester's payloads in REQUEST_CHANNEL, and several from the responder", K.BRIEF_LIMIT)]],
    },
    cause = "REQUEST_STREAM does the same with fewer frames.",
  },
  {
    id = "RSK-B53",
    name = "rsk_b53",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Requests of one route that are always answered with nothing",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(empty_answers.second_n, stream.n), stream.n, empty_answers.first_n)]],
      "empty_answers stream",
    },
    needs = { "start", "whole", "both" },
    of = "empty_answers",
    when = {
      [[((empty_answers.times ~= nil and (empty_answers.times + 1) >= K.EMPTY_LIMIT) and (((stream.model == "request_response") and (stream.state == "done") and (stream.items == 0)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((empty_answers.latest_t ~= nil and stream.t ~= nil and empty_answers.latest_t <= (stream.t + 1000000000.0)) and (stream.t ~= nil and empty_answers.latest_t ~= nil and (stream.t - empty_answers.latest_t) <= 2000000000.0)))]],
      "empty_answers stream why conn",
    },
    says = {
      [[f.say("%s REQUEST_RESPONSE in a row with the same metadata were completed without a payload", K.EMPTY_LIMIT)]],
    },
    cause = "The handler returns nothing: the requester learns only that it has ended. Where it need not know, REQUEST_FNF costs no answer.",
  },
  {
    id = "RSK-B54",
    name = "rsk_b54",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests given up one after another before their response",
    on = "cancel",
    since = { [[f.since(conn, stream.n, timed_out.second_n, n)]], "conn stream timed_out n" },
    needs = { "start", "whole", "both", "since" },
    of = "timed_out",
    when = {
      [[((timed_out.times ~= nil and (timed_out.times + 1) >= K.TIMEOUT_LIMIT) and ((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE)) and (timed_out.latest_t ~= nil and (t - timed_out.latest_t) <= 30000000000.0))]],
      "timed_out stream side t",
    },
    says = {
      [[f.say("%s requests in a row were cancelled before their response; the last one after %s", K.TIMEOUT_LIMIT, f.time((stream.t ~= nil and (t - stream.t) or nil)))]],
      "stream t",
    },
    cause = "The requester's timeout is shorter than the responder needs, or the responder does not answer.",
  },
  {
    id = "RSK-B54b",
    name = "rsk_b54b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests without a response, while others are answered soon",
    on = "cancel",
    needs = { "start", "whole", "both" },
    of = "unlike_others",
    when = {
      [[((unlike_others.times ~= nil and (unlike_others.times + 1) >= K.TIMEOUT_LIMIT) and ((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE) and (me.answers_got ~= nil and me.answers_got >= K.SOME_ANSWERS) and (stream.t ~= nil and me.answer_time ~= nil and (t - stream.t) >= (me.answer_time * K.FAR_LONGER))) and (unlike_others.latest_t ~= nil and (t - unlike_others.latest_t) <= 30000000000.0))]],
      "unlike_others stream side t me",
    },
    says = {
      [[f.say("%s requests were cancelled before their response, the last one after %s, while %s others were answered, the latest within %s", K.TIMEOUT_LIMIT, f.time((stream.t ~= nil and (t - stream.t) or nil)), me.answers_got, f.time(me.answer_time))]],
      "stream t me",
    },
    cause = "One handler of the responder never answers, or fails without ERROR.",
  },
  {
    id = "RSK-B140",
    name = "rsk_b140",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Session that is resumed and not served any more",
    on = "cancel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((silent_session.times ~= nil and (silent_session.times + 1) >= K.TIMEOUT_LIMIT) and ((conn.resumed_n ~= nil) and (session.answered_n ~= nil) and (peer.after_n == nil) and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.items == 0) and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE)) and (silent_session.latest_t ~= nil and (t - silent_session.latest_t) <= 30000000000.0)) and (peer.last_n ~= nil and silent_session.first_n ~= nil and peer.last_n > silent_session.first_n))]],
      "silent_session conn session peer side stream t",
    },
    says = {
      [[f.say("%s requests in a row were cancelled without an answer since RESUME_OK; no stream has had a frame of the %s, which had answered before and still sends on stream 0", K.TIMEOUT_LIMIT, ((sender == "client") and "server" or "client"))]],
      "sender",
    },
    cause = "What is sent for the session goes to the lost connection, or its requests reach no handler any more.",
  },
  {
    id = "RSK-B54c",
    name = "rsk_b54c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests to a silent peer that no KEEPALIVE would notice",
    on = "cancel",
    since = { [[f.since(conn, stream.n, timed_out.first_n, conn.setup_n)]], "conn stream timed_out" },
    needs = { "start", "whole", "both", "since" },
    of = "conn",
    when = {
      [[(((timed_out.times ~= nil and (timed_out.times + 1) >= K.TIMEOUT_LIMIT) and ((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE)) and (timed_out.latest_t ~= nil and (t - timed_out.latest_t) <= 30000000000.0)) and ((conn.keepalive ~= nil and conn.keepalive > K.LONG_LIFETIME) and (timed_out.first_n ~= nil and (peer.last_n or 0) < timed_out.first_n)))]],
      "timed_out stream side t conn peer",
    },
    says = {
      [[f.say("%s requests in a row were cancelled, and the %s has sent nothing for %s; with a keepalive interval of %s ms the connection stays open", K.TIMEOUT_LIMIT, ((sender == "client") and "server" or "client"), f.time((peer.last_t ~= nil and (t - peer.last_t) or nil)), conn.keepalive)]],
      "sender peer t conn",
    },
    cause = "The connection is lost, as a NAT or a firewall forgets idle connections; KEEPALIVE would keep it, or show that it is lost.",
  },
  {
    id = "RSK-B54d",
    name = "rsk_b54d",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request given up while the responder answers one at a time",
    on = "cancel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "open") and (stream.t ~= nil and (t - stream.t) >= K.PATIENCE) and (peer.turns ~= nil and peer.turns >= K.TURNS_LIMIT) and (stream.t ~= nil and peer.turn_t ~= nil and stream.t < peer.turn_t) and (peer.turn_t ~= nil and peer.turn ~= nil and (t - peer.turn_t) < (peer.turn * 2)))]],
      "stream side t peer",
    },
    says = {
      [[f.say("the request was given up after %s: requests that were sent together are answered one after the other, %s apart", f.time((stream.t ~= nil and (t - stream.t) or nil)), f.time(peer.turn))]],
      "stream t peer",
    },
    cause = "The handler blocks the thread that reads the connection, so that requests which could be handled at the same time wait for each other.",
  },
  {
    id = "RSK-B55",
    name = "rsk_b55",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection ended by the server with open streams, without ERROR",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(f.coalesce(C.last_n, S.last_n), conn.setup_n)]], "C S conn" },
    needs = { "start", "whole", "both" },
    of = "stream",
    again = true,
    when = {
      [[(((f.live(conn, "stream") or 0) > 0) and (conn.setup_n ~= nil) and (conn.left_t == nil) and (S.closed_n == nil) and (conn.over_n == nil) and (conn.closing_n == nil))]],
      "conn S",
    },
    says = {
      [[f.say("the server ended the connection while %s of it %s open, and sent no ERROR", f.counted(f.live(conn, "stream"), "stream", "streams"), ((f.live(conn, "stream") == 1) and "was" or "were"))]],
      "conn",
    },
    cause = "The server was stopped, has failed, or a proxy ends connections; the client has to request again what it still needs.",
  },
  {
    id = "RSK-C7e",
    name = "rsk_c7e",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Max lifetime of less than two keepalive intervals",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 106,
    says = {
      [[f.say("the max lifetime of %s ms has room for one KEEPALIVE, sent every %s ms", c.max_lifetime, c.time_between_keepalive_frames)]],
      "c",
    },
    cause = "A single KEEPALIVE that is late ends the connection.",
  },
  {
    id = "RSK-B11c",
    name = "rsk_b11c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Demand renewed only when it is used up",
    on = "end:stream",
    evidence = { [[f.first_known(stream.drained_latest_n, stream.drained_second_n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((stream.drained_count ~= nil and stream.drained_count >= K.DRAINED_LIMIT) and (stream.drained_count ~= nil and stream.drained_among ~= nil and (stream.drained_count * 100) >= (stream.drained_among * 80)))]],
      "stream",
    },
    says = {
      [[f.say("%s of %s REQUEST_N frames of stream %s came when nothing was requested any more", stream.drained_count, stream.drained_among, stream.id)]],
      "stream",
    },
    cause = "The responder waits a round trip for each batch; a requester that asks again at half of its demand keeps it busy.",
  },
  {
    id = "RSK-B35c",
    name = "rsk_b35c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Unlimited demand of a requester that does not read",
    on = "payload",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((peer.zero_windows ~= nil and peer.zero_windows >= K.FULL) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.credit ~= nil and stream.credit >= K.ALL_DEMAND))]],
      "peer side stream",
    },
    says = {
      [[f.say("the requester of stream %s has requested %s payloads and has no room for more bytes (its receive window is 0)", stream.id, stream.requested)]],
      "stream",
    },
    cause = "The demand has no limit: the responder keeps what the requester does not read, and all other streams of the connection wait behind it.",
  },
  {
    id = "RSK-B56",
    name = "rsk_b56",
    severity = "NOTE",
    group = "REASSEMBLE",
    title = "Very large frame",
    on = "request_response request_fnf request_stream request_sub request_channel payload response",
    needs = {},
    of = "conn",
    when = { [[(size ~= nil and size >= K.LARGE_FRAME)]], "size" },
    says = {
      [[f.say("%s on stream %s has %s in one frame", name, c.stream_id, f.counted(size, "byte", "bytes"))]],
      "c name size",
    },
    cause = "No fragment size is set: KEEPALIVE and all other streams wait behind the frame, and peers may refuse it.",
  },
  {
    id = "RSK-M20",
    name = "rsk_m20",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Name of a MIME type as metadata",
    on = "request_response request_fnf request_stream request_sub request_channel setup",
    needs = {},
    of = "conn",
    guard = 107,
    when = { [[((me.asked or 0) < K.TRACED)]], "me" },
    finds = { [[f.predicates.is_name_of_type("metadata", c["metadata raw"])]], "c" },
    says = { [[f.say("the metadata of %s is %s", name, f.whole(found))]], "name found" },
    cause = "The type is given where the metadata belongs, and the route where the data belongs: the server finds no route.",
  },
  {
    id = "RSK-M21",
    name = "rsk_m21",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Data as encoded text",
    on = "request_response request_fnf request_stream request_sub request_channel payload response",
    needs = {},
    of = "conn",
    guard = 108,
    when = {
      [[((me.frames ~= nil and me.frames < K.JUDGED_FRAMES) and complete and ((stream.asking or 0) == 0) and ((stream.answer_cut or 0) == 0) and ((stream.own_cut or 0) == 0))]],
      "me complete stream",
    },
    finds = { [[f.predicates.is_text_of_bytes("data", c["data raw"])]], "c" },
    says = {
      [[f.say("the data of %s on stream %s is %s", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The program encodes bytes as text, although data is bytes: it is a third larger, or twice as large.",
  },
  {
    id = "RSK-M22",
    name = "rsk_m22",
    severity = "WARN",
    group = "SECURITY",
    title = "Refused authentication metadata with a mark of a wrong conversion",
    on = "error",
    needs = {},
    of = "conn",
    guard = 4,
    when = { [[((f.len(conn.setup_metadata) or 3) >= 4)]], "conn" },
    finds = { [[f.predicates.has_marked_credentials("conn.setup_metadata", conn.setup_metadata)]], "conn" },
    says = { [[f.say("SETUP was refused; of its credentials %s", f.whole(found))]], "found" },
    cause = "The value was read from a file or a URI, or is a setting that was not filled in.",
  },
  {
    id = "RSK-M22",
    name = "rsk_m22_2",
    severity = "WARN",
    group = "SECURITY",
    title = "Refused authentication metadata with a mark of a wrong conversion",
    on = "error",
    needs = {},
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.metadata) or 3) >= 4) and (stream.items == 0))]],
      "side stream",
    },
    finds = { [[f.predicates.has_marked_credentials("stream.metadata", stream.metadata)]], "stream" },
    says = {
      [[f.say("%s on stream %s was refused; of its credentials %s", stream.model, c.stream_id, f.whole(found))]],
      "c stream found",
    },
    cause = "The value was read from a file or a URI, or is a setting that was not filled in.",
  },
  {
    id = "RSK-B59",
    name = "rsk_b59",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each request sent twice in a row",
    on = "request_response request_fnf request_stream request_channel",
    needs = {},
    of = "conn",
    guard = 14,
    when = {
      [[(complete and (me.run == 1) and (((me.pairs or 0) + 1) >= K.PAIR_LIMIT) and (me.pair_model ~= nil and me.pair_model == name) and (me.pair_asked ~= nil and f.digest(c["data raw"]) ~= nil and me.pair_asked == f.digest(c["data raw"])) and (me.pair_route ~= nil and me.pair_route == (f.digest(c["metadata raw"]) or "")))]],
      "c complete me name",
    },
    says = {
      [[f.say("%s requests in a row were each sent twice, with the same metadata and data; the last one is on stream %s", K.PAIR_LIMIT, c.stream_id)]],
      "c",
    },
    cause = "The program subscribes to each response twice, and each subscription sends the request: the responder does everything twice.",
  },
  {
    id = "RSK-B60",
    name = "rsk_b60",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same requests on two connections at once",
    on = "client:request_response client:request_fnf",
    needs = {},
    of = "lately",
    guard = 14,
    when = {
      [[(complete and (lately.flow ~= nil and flow ~= nil and lately.flow ~= flow) and (lately.flow ~= nil and lately.flow >= 0) and (((lately.times or 0) + 1) >= K.PAIR_LIMIT) and (lately.t_of ~= nil and (t - lately.t_of) <= K.AT_BOTH) and (lately.hit_t ~= nil and (t - lately.hit_t) <= K.BOTH_PAUSE) and (lately.asked ~= nil and f.digest(c["data raw"]) ~= nil and lately.asked == f.digest(c["data raw"])) and (lately.route ~= nil and lately.route == (f.digest(c["metadata raw"]) or "")))]],
      "c complete lately flow t",
    },
    says = {
      [[f.say("%s requests came with the same metadata and data on two connections, each within %s: what they ask for is done twice", K.PAIR_LIMIT, f.time(K.AT_BOTH))]],
    },
    cause = "Instances of a program, such as replicas with a timer each, do not agree on which of them does the work.",
  },
  {
    id = "RSK-M23",
    name = "rsk_m23",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused request without data, unlike others with its metadata",
    on = "error",
    needs = { "object", "both" },
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.empty == 1) and (stream.items == 0) and (stream.route ~= nil and peer.filled_route ~= nil and stream.route == peer.filled_route))]],
      "side stream peer",
    },
    says = {
      [[f.say("%s on stream %s had no data, unlike that of frame %s with the same metadata, and was answered with ERROR: %s", stream.model, c.stream_id, peer.filled_n, c.error_data)]],
      "c stream peer",
    },
    cause = "The data was used up or released before the request was sent, for example when it is sent again.",
  },
  {
    id = "RSK-M23b",
    name = "rsk_m23b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests that lose their data, refused repeatedly",
    on = "error",
    needs = { "start", "whole", "both" },
    of = "emptied",
    when = {
      [[((emptied.times ~= nil and (emptied.times + 1) >= K.EMPTIED_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.empty == 1) and (stream.items == 0) and (stream.route ~= nil and peer.filled_route ~= nil and stream.route == peer.filled_route)) and (emptied.latest_t ~= nil and (t - emptied.latest_t) <= 60000000000.0))]],
      "c emptied side stream peer t",
    },
    says = {
      [[f.say("%s requests were refused that had no data, unlike others with the same metadata: %s", K.EMPTIED_LIMIT, c.error_data)]],
      "c",
    },
    cause = "The data is used up or released before the request is sent, for example when it is sent again.",
  },
  {
    id = "RSK-B57",
    name = "rsk_b57",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream ended with ERROR while nothing was requested",
    on = "error",
    needs = { "object", "both" },
    of = "conn",
    guard = 6,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items ~= nil and stream.items > 0) and (stream.credit ~= nil and stream.credit <= 0) and LISTS[5][stream.model])]],
      "side stream",
    },
    says = {
      [[f.say("stream %s ended with ERROR when all %s requested payloads had come: %s", stream.id, stream.requested, c.error_data)]],
      "c stream",
    },
    cause = "The responder's source does not wait for demand, such as a timer: it fails when the requester is slower.",
  },
  {
    id = "RSK-B57b",
    name = "rsk_b57b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Streams that end with ERROR each time nothing is requested",
    on = "error",
    needs = { "start", "whole", "both" },
    of = "overflowed",
    when = {
      [[((overflowed.times ~= nil and (overflowed.times + 1) >= K.OVERFLOW_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items ~= nil and stream.items > 0) and (stream.credit ~= nil and stream.credit <= 0) and LISTS[5][stream.model]) and (overflowed.latest_t ~= nil and (t - overflowed.latest_t) <= 60000000000.0))]],
      "c overflowed side stream t",
    },
    says = {
      [[f.say("%s streams with the same metadata ended with ERROR when all requested payloads had come: %s", K.OVERFLOW_LIMIT, c.error_data)]],
      "c",
    },
    cause = "The responder's source does not wait for demand, such as a timer: it needs a buffer or must drop what is not requested, and the requester has to ask for more in time.",
  },
  {
    id = "RSK-B58",
    name = "rsk_b58",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Number in the other byte order",
    on = "request_stream request_channel",
    needs = {},
    of = "conn",
    again = true,
    guard = 109,
    says = {
      [[f.say("%s has the number %s, whose low bytes are all 0: it may be meant in the other byte order", name, c.initial_request_n)]],
      "c name",
    },
    cause = "The sender writes numbers with the lowest byte first; RSocket has the highest byte first.",
  },
  {
    id = "RSK-B58",
    name = "rsk_b58_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Number in the other byte order",
    on = "request_n",
    needs = {},
    of = "conn",
    again = true,
    guard = 110,
    says = {
      [[f.say("%s has the number %s, whose low bytes are all 0: it may be meant in the other byte order", name, c.request_n)]],
      "c name",
    },
    cause = "The sender writes numbers with the lowest byte first; RSocket has the highest byte first.",
  },
  {
    id = "RSK-B58",
    name = "rsk_b58_3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Number in the other byte order",
    on = "lease",
    needs = {},
    of = "conn",
    again = true,
    guard = 111,
    says = {
      [[f.say("%s has the number %s, whose low bytes are all 0: it may be meant in the other byte order", name, c.number_of_requests)]],
      "c name",
    },
    cause = "The sender writes numbers with the lowest byte first; RSocket has the highest byte first.",
  },
  {
    id = "RSK-B58",
    name = "rsk_b58_4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Number in the other byte order",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 112,
    says = {
      [[f.say("%s has the number %s, whose low bytes are all 0: it may be meant in the other byte order", name, c.time_between_keepalive_frames)]],
      "c name",
    },
    cause = "The sender writes numbers with the lowest byte first; RSocket has the highest byte first.",
  },
  {
    id = "RSK-B200",
    name = "rsk_b200",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Answer with the value of another request",
    on = "payload",
    needs = {},
    of = "conn",
    guard = 41,
    when = {
      [[(complete and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.model == "request_response") and (stream.question ~= nil) and (stream.items == 0))]],
      "complete side stream",
    },
    finds = {
      [[f.predicates.belongs_to_another("stream.n stream.t stream.question data peer.asked_for me.replied OTHERS", stream.n, stream.t, stream.question, c["data raw"], peer.asked_for, me.replied, K.OTHERS)]],
      "c stream peer me",
    },
    says = {
      [[f.say("the answer on stream %s has %s: the value belongs to another request of that time, as in earlier answers on this connection", c.stream_id, f.whole(found))]],
      "c found",
    },
    cause = "The responder keeps what belongs to one request where all requests share it, or answers in another order than it was asked.",
  },
  {
    id = "RSK-B201",
    name = "rsk_b201",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Items of a stream that come more often each time it is requested",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 35,
    when = {
      [[((stream.items ~= nil and stream.items <= K.FOLD_ITEMS) and LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (c["data raw"] ~= nil and stream.former ~= nil and c["data raw"] == stream.former) and (stream.times ~= nil and stream.fold ~= nil and (stream.times + 1) == stream.fold) and (stream.folds ~= nil and (stream.folds + 1) == K.FOLDS) and (stream.fold ~= nil and feed.fold ~= nil and stream.fold > feed.fold))]],
      "c stream side complete feed",
    },
    says = {
      [[f.say("each item of stream %s comes %s times; when the same was requested before, in frame %s, it came %s", c.stream_id, stream.fold, feed.of_n, f.counted(feed.fold, "time", "times"))]],
      "c stream feed",
    },
    cause = "The responder adds a listener for each request and does not remove it when the stream or its connection ends: the former ones go on, and write to the new stream.",
  },
  {
    id = "RSK-B202",
    name = "rsk_b202",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Some streams of a lost connection not requested again",
    on = "client:request_response client:request_stream client:request_channel client:keepalive",
    needs = { "start", "whole", "both" },
    of = "wanted",
    when = {
      [[((wanted.judged_n == nil) and (conn.setup_t ~= nil and wanted.lost_t ~= nil and conn.setup_t > wanted.lost_t) and (conn.setup_t ~= nil and (t - conn.setup_t) > K.ASKED_AGAIN) and ((f.count(wanted.again) or 0) > 0))]],
      "wanted conn t",
    },
    finds = { [[f.predicates.leaves_out("wanted.lost wanted.again", wanted.lost, wanted.again)]], "wanted" },
    says = {
      [[f.say("the server ended a connection with open streams; on the next one the client requests some of them again, but not %s within %s", f.whole(found), f.time((conn.setup_t ~= nil and (t - conn.setup_t) or nil)))]],
      "found conn t",
    },
    cause = "The client does not request all of its streams in the place where it connects again: some are requested once, at its start.",
  },
  {
    id = "RSK-B203",
    name = "rsk_b203",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests continued on a connection whose credentials are refused",
    on = "error",
    since = { [[f.since(conn, stream.n, n, peer.accepted_n)]], "conn stream n peer" },
    needs = { "since" },
    of = "denied",
    when = {
      [[((denied.times ~= nil and (denied.times + 1) >= K.DENIED_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.items == 0) and (peer.accepted_n ~= nil)) and ((denied.latest_t ~= nil and (t - denied.latest_t) <= K.DENIED_PAUSE) and (denied.same ~= nil and c.error_data ~= nil and denied.same == c.error_data)))]],
      "c denied side stream peer t",
    },
    finds = { [[f.predicates.refuses_credentials("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("%s requests in a row were refused with '%s', and the client goes on to ask on the same connection, where requests were accepted before", K.DENIED_LIMIT, c.error_data)]],
      "c",
    },
    cause = "A token that SETUP or a request has sent has expired, and the client does not renew it: it has to connect again with a new one, or to send it.",
  },
  {
    id = "RSK-B70",
    name = "rsk_b70",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "SETUP unlike that of the lost connection",
    on = "setup",
    needs = { "start" },
    of = "before",
    when = {
      [[((before.mixed == nil) and (before.flow ~= nil and flow ~= nil and before.flow ~= flow) and (before.lost_t ~= nil and (t - before.lost_t) < K.FRESH) and ((c.data_mime_type ~= nil and before.data_type ~= nil and c.data_mime_type ~= before.data_type) or (c.metadata_mime_type ~= nil and before.metadata_type ~= nil and c.metadata_mime_type ~= before.metadata_type) or (c.time_between_keepalive_frames ~= nil and before.keepalive ~= nil and c.time_between_keepalive_frames ~= before.keepalive) or (c.max_lifetime ~= nil and before.lifetime ~= nil and c.max_lifetime ~= before.lifetime)))]],
      "c before flow t",
    },
    says = {
      [[f.say("SETUP announces %s and %s, and a KEEPALIVE every %s ms for %s ms at most; that of the lost connection announced %s, %s, %s ms and %s ms", c.data_mime_type, c.metadata_mime_type, c.time_between_keepalive_frames, c.max_lifetime, before.data_type, before.metadata_type, before.keepalive, before.lifetime)]],
      "c before",
    },
    cause = "The client connects again with its defaults instead of the settings of the program.",
  },
  {
    id = "RSK-B3c",
    name = "rsk_b3c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections of one request each in a row",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(one_use.second_n, conn.n), conn.n, one_use.first_n)]],
      "one_use conn",
    },
    needs = {},
    of = "one_use",
    when = {
      [[((one_use.times ~= nil and (one_use.times + 1) >= K.RECONNECT_LIMIT) and (((conn.setup_n ~= nil) and (conn.refused_n == nil) and (C.asked == 1) and ((C.frames ~= nil and 4 < C.frames) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES))) and (why ~= nil and not LISTS[4][why]) and (conn.start and conn.gapless and conn.both)) and ((one_use.latest_t ~= nil and conn.t ~= nil and one_use.latest_t <= (conn.t + 0)) and (conn.t ~= nil and one_use.latest_t ~= nil and (conn.t - one_use.latest_t) <= 5000000000.0)))]],
      "one_use conn C why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s in a row, each with one request", client, K.RECONNECT_LIMIT, server)]],
      "client server",
    },
    cause = "The client connects for each request; one connection can carry any number of streams.",
  },
  {
    id = "RSK-B81",
    name = "rsk_b81",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections of one client left open after their requests",
    on = "end:freed",
    evidence = { [[f.first_known(freed.latest_n, freed.first_n)]], "freed" },
    needs = {},
    of = "freed",
    when = {
      [[((freed.left ~= nil and freed.left >= K.FREED_LIMIT) and (freed.left ~= nil and freed.all ~= nil and (freed.left * 100) >= (freed.all * 50)) and (freed.all ~= nil and ((freed.ended or 0) * 100) <= (freed.all * 100)))]],
      "freed",
    },
    says = {
      [[f.say("%s of %s connections of one client had no open stream any more and were left open", freed.left, freed.all)]],
      "freed",
    },
    cause = "The client makes a connection for each of its tasks and does not close it: they pile up, and each sends KEEPALIVE.",
  },
  {
    id = "RSK-B82",
    name = "rsk_b82",
    severity = "WARN",
    group = "SEQUENCE",
    title = "End of the RSocket connection that its client does not notice",
    on = "end:conn",
    evidence = { [[f.first_known(C.last_n, conn.setup_n)]], "C conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[41][why] and (S.closed_t ~= nil) and (conn.left_t == nil) and (S.closed_t ~= nil and (t - S.closed_t) > K.UNNOTICED) and (conn.setup_n ~= nil))]],
      "why S conn t",
    },
    says = {
      [[f.say("the server closed the connection %s before the captures end, and the client has not closed its side", f.time((S.closed_t ~= nil and (t - S.closed_t) or nil)))]],
      "S t",
    },
    cause = "The client does not watch its connection, or its error handler does nothing: it has to close its side and connect again.",
  },
  {
    id = "RSK-B71",
    name = "rsk_b71",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream without a payload or an end",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and (stream.items == 0) and LISTS[5][stream.model] and (stream.credit ~= nil and stream.credit > 0) and LISTS[32][stream.state] and (conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) > K.PENDING) and (conn.resumable ~= nil and not conn.resumable))]],
      "why stream C conn",
    },
    says = {
      [[f.say("%s on stream %s brought neither a payload nor COMPLETE or ERROR for %s, until the connection ended", stream.model, stream.id, f.time((conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) or nil)))]],
      "stream conn",
    },
    cause = "The responder has nothing to send, or has lost the stream; the requester waits without a timeout.",
  },
  {
    id = "RSK-B25b",
    name = "rsk_b25b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "No frame from the server despite requests for streams",
    on = "end:conn",
    evidence = { [[f.first_known(conn.setup_n, C.last_n)]], "conn C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[((S.frames == 0) and (C.due == nil) and (C.hoped ~= nil and C.hoped > 0) and (C.hoped_t ~= nil and (t - C.hoped_t) > K.PENDING))]],
      "S C t",
    },
    says = {
      [[f.say("the server accepted the connection and sent no frame for %s, although the client requested %s", f.time((C.hoped_t ~= nil and (t - C.hoped_t) or nil)), f.counted(C.hoped, "stream", "streams"))]],
      "C t",
    },
    cause = "The port may belong to RSocket over WebSocket, which waits for an HTTP request, or to another protocol.",
  },
  {
    id = "RSK-B72",
    name = "rsk_b72",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each item of a stream sent twice in a row",
    on = "payload",
    needs = {},
    of = "stream",
    guard = 105,
    when = {
      [[((stream.items ~= nil and stream.items < K.COMPARED) and (stream.model ~= nil and stream.model ~= "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.run == 1) and (((stream.pairs or 0) + 1) >= K.ITEM_PAIRS) and (c["data raw"] ~= nil and stream.item ~= nil and c["data raw"] == stream.item))]],
      "c stream side complete",
    },
    says = {
      [[f.say("the responder of stream %s sent %s items in a row twice each", c.stream_id, K.ITEM_PAIRS)]],
      "c",
    },
    cause = "Two sources are merged, or an item is emitted by a listener that is registered twice: the requester gets everything twice.",
  },
  {
    id = "RSK-B73",
    name = "rsk_b73",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same item of a stream sent over and over",
    on = "payload",
    needs = {},
    of = "stream",
    guard = 105,
    when = {
      [[((stream.items ~= nil and stream.items < K.COMPARED) and (stream.model ~= nil and stream.model ~= "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.run ~= nil and (stream.run + 1) >= K.SAME_ITEMS) and (c["data raw"] ~= nil and stream.item ~= nil and c["data raw"] == stream.item))]],
      "c stream side complete",
    },
    says = {
      [[f.say("the responder of stream %s sent the same %s %s times in a row", c.stream_id, f.counted(c["#data"], "byte", "bytes"), K.SAME_ITEMS)]],
      "c",
    },
    cause = "It sends its state by a timer, or an item again that it believes lost: only what has changed is of use.",
  },
  {
    id = "RSK-B88",
    name = "rsk_b88",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Item of a stream out of the order of its numbers",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 37,
    when = {
      [[((side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and ((me.numbered or 0) < K.NUMBERED) and (stream.model ~= nil and stream.model ~= "request_response") and ((f.count(stream.firsts) or 0) < K.FIRST_ITEMS) and (f.count(stream.firsts) ~= nil and f.count(stream.firsts) >= K.IN_ORDER) and (stream.items ~= nil and f.count(stream.firsts) ~= nil and stream.items == f.count(stream.firsts)))]],
      "side stream complete me",
    },
    finds = {
      [[f.predicates.breaks_order("n data stream.firsts IN_ORDER", n, c["data raw"], stream.firsts, K.IN_ORDER)]],
      "c n stream",
    },
    says = {
      [[f.say("%s on stream %s has %s, where the items before count up by one", name, c.stream_id, f.whole(found))]],
      "c name found",
    },
    cause = "The responder drops items, sends them twice, or from several threads; or they are lost before they reach it.",
  },
  {
    id = "RSK-B77",
    name = "rsk_b77",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same stream open on two connections of a client",
    on = "request_stream request_channel",
    needs = { "start", "whole", "both" },
    of = "twin",
    when = {
      [[((complete and (twin.open ~= nil and twin.open > 0) and (twin.flow ~= nil and flow ~= nil and twin.flow ~= flow) and ((conn.token == nil) or (twin.token ~= nil and conn.token ~= nil and twin.token ~= conn.token)) and ((twin.token == nil) or (holder.flow ~= nil))) and ((captures.are_partial or 0) == 0))]],
      "complete twin flow conn holder captures",
    },
    says = {
      [[f.say("%s on stream %s repeats the request of frame %s, whose stream is open on another connection of %s: each payload arrives twice", name, c.stream_id, twin.opened_n, client)]],
      "c name twin client",
    },
    cause = "The client connects again without closing its former connection, or each of its parts has a connection and a stream of its own.",
  },
  {
    id = "RSK-B78",
    name = "rsk_b78",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Items of a stream without any content",
    on = "payload",
    needs = {},
    of = "stream",
    guard = 36,
    when = {
      [[((stream.items ~= nil and stream.items < K.COMPARED) and (((stream.empties or 0) + 1) >= K.EMPTY_ITEMS))]],
      "stream",
    },
    says = {
      [[f.say("%s payloads of stream %s have NEXT set, but neither data nor metadata", K.EMPTY_ITEMS, c.stream_id)]],
      "c",
    },
    cause = "The responder sends items as a sign of life, or fails to encode them: each uses up demand and means nothing.",
  },
  {
    id = "RSK-B74",
    name = "rsk_b74",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "REQUEST_RESPONSE one at a time with an id in the route",
    on = "request_response",
    since = {
      [[f.since(conn, (conn.routed_singly_second_n or n), n, conn.routed_singly_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((conn.routed_singly_times ~= nil and (conn.routed_singly_times + 1) >= K.ROUTES_LIMIT) and (complete and ((c["#data"] or 0) == 0) and ((c["#metadata"] ~= nil and 4 <= c["#metadata"]) and ((c["#metadata"] or 1025) <= 1024))) and ((conn.routed_singly_open == 0) and (conn.routed_singly_answered_t ~= nil and f.max((conn.routed_singly_took ~= nil and (conn.routed_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.routed_singly_answered_t) <= f.max((conn.routed_singly_took ~= nil and (conn.routed_singly_took * 3) or nil), 5000000)) and (conn.routed_singly_value ~= nil and c["metadata raw"] ~= nil and conn.routed_singly_value ~= c["metadata raw"])))]],
      "c conn complete t",
    },
    finds = {
      [[f.predicates.differs_in_id("metadata conn.routed_singly_value", c["metadata raw"], conn.routed_singly_value)]],
      "c conn",
    },
    says = {
      [[f.say("%s REQUEST_RESPONSE were sent in a row, each right after the response to the previous one, with routes that differ in an id: %s", K.ROUTES_LIMIT, f.whole(found))]],
      "found",
    },
    cause = "Each request costs a round trip: several may be open at the same time, and one stream, channel or request can ask for everything.",
  },
  {
    id = "RSK-M18",
    name = "rsk_m18_3",
    severity = "NOTE",
    group = "SECURITY",
    title = "Credentials without TLS",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = {},
    of = "conn",
    again = true,
    guard = 108,
    when = {
      [[(((me.asked or 0) < K.TRACED) and complete and (conn.encrypted ~= nil and not conn.encrypted))]],
      "me complete conn",
    },
    finds = { [[f.predicates.has_credentials_as_data("data", c["data raw"])]], "c" },
    says = {
      [[f.say("the data of %s has %s, which anyone between the two hosts can read", name, f.whole(found))]],
      "name found",
    },
    cause = "The connection does not use TLS.",
  },
  {
    id = "RSK-M18",
    name = "rsk_m18_4",
    severity = "NOTE",
    group = "SECURITY",
    title = "Credentials without TLS",
    on = "setup",
    needs = {},
    of = "conn",
    again = true,
    guard = 108,
    when = { [[(conn.encrypted ~= nil and not conn.encrypted)]], "conn" },
    finds = { [[f.predicates.has_credentials_as_data("data", c["data raw"])]], "c" },
    says = {
      [[f.say("the data of %s has %s, which anyone between the two hosts can read", name, f.whole(found))]],
      "name found",
    },
    cause = "The connection does not use TLS.",
  },
  {
    id = "RSK-B75",
    name = "rsk_b75",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "METADATA_PUSH for nearly each request",
    on = "end:conn",
    evidence = { [[f.first_known(conn.pushed_singly_latest_n, conn.pushed_singly_second_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((conn.pushed_singly_count ~= nil and conn.pushed_singly_count >= K.PUSHES) and (conn.pushed_singly_count ~= nil and C.asked ~= nil and (conn.pushed_singly_count * 100) >= (C.asked * 80))) and (C.asked ~= nil and C.asked >= K.PUSHES))]],
      "conn C",
    },
    says = {
      [[f.say("the client sent METADATA_PUSH %s for %s", f.counted(conn.pushed_singly_count, "time", "times"), f.counted(C.asked, "request", "requests"))]],
      "conn C",
    },
    cause = "Metadata of a request, such as its trace, belongs into the request: METADATA_PUSH is of the connection, and has no order with requests.",
  },
  {
    id = "RSK-B76",
    name = "rsk_b76",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Requests to a peer that does not read",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "both" },
    of = "conn",
    when = { [[(peer.zero_windows ~= nil and peer.zero_windows >= K.FULL)]], "peer" },
    says = {
      [[f.say("%s is sent on stream %s although the peer has no room for more bytes (its receive window was 0 %s times)", name, c.stream_id, peer.zero_windows)]],
      "c name peer",
    },
    cause = "The requester sends without a limit: REQUEST_FNF has no flow control, and leases or fewer requests at a time would hold it back.",
  },
  {
    id = "RSK-B79",
    name = "rsk_b79",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Requests of a client that does not read",
    on = "request_response request_fnf request_stream request_sub request_channel",
    needs = { "both" },
    of = "conn",
    when = {
      [[((me.zero_windows ~= nil and me.zero_windows >= K.FULL) and (f.live(conn, "stream") ~= nil and f.live(conn, "stream") >= K.UNREAD) and (peer.last_t ~= nil and (t - peer.last_t) > K.STUCK))]],
      "me conn peer t",
    },
    says = {
      [[f.say("%s is sent on stream %s although %s wait for their answers and the %s does not read (its receive window was 0 %s times, and nothing has come for %s)", name, c.stream_id, f.counted(f.live(conn, "stream"), "stream", "streams"), sender, me.zero_windows, f.time((peer.last_t ~= nil and (t - peer.last_t) or nil)))]],
      "c name conn sender me peer t",
    },
    cause = "The requester sends without a limit and does not read what comes back: the peer has to keep all answers in memory.",
  },
  {
    id = "RSK-B80",
    name = "rsk_b80",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client continuing after its max lifetime without a frame of the server",
    on = "client:keepalive client:request_response client:request_fnf client:request_stream client:request_sub client:request_channel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((f.coalesce(S.last_t, conn.setup_t) ~= nil and conn.max_lifetime ~= nil and conn.keepalive ~= nil and (t - f.coalesce(S.last_t, conn.setup_t)) > ((conn.max_lifetime + conn.keepalive) * 1000000)) and (conn.max_lifetime ~= nil and conn.max_lifetime > 0))]],
      "S conn t",
    },
    says = {
      [[f.say("the client sent %s %s after the server's last frame, although its SETUP has a max lifetime of %s ms", name, f.time((f.coalesce(S.last_t, conn.setup_t) ~= nil and (t - f.coalesce(S.last_t, conn.setup_t)) or nil)), conn.max_lifetime)]],
      "name S conn t",
    },
    cause = "The client does not keep to its own lifetime: it has to end the connection, which may be dead, and connect again.",
  },
  {
    id = "RSK-S26",
    name = "rsk_s26",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Text of an unfinished program in an ERROR",
    on = "error",
    needs = {},
    of = "conn",
    again = true,
    guard = 113,
    finds = { [[f.predicates.is_placeholder("error_data", c.error_data)]], "c" },
    says = {
      [[f.say("the %s answers with ERROR %s: %s", sender, f.named(c.error_code, names.error_code), c.error_data)]],
      "c sender",
    },
    cause = "The handler is a stub: it refuses each request, and its text says nothing of the reason.",
  },
  {
    id = "RSK-B18c",
    name = "rsk_b18c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Open stream requested once more (no CANCEL)",
    on = "end:conn",
    evidence = { [[f.first_known(conn.left_running_latest_n, conn.left_running_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((conn.left_running_left ~= nil and conn.left_running_left >= 1) and (conn.left_running_left ~= nil and conn.left_running_all ~= nil and (conn.left_running_left * 100) >= (conn.left_running_all * 0)) and (conn.left_running_all ~= nil and ((conn.left_running_ended or 0) * 100) <= (conn.left_running_all * 100))) and (conn.left_running_left == 1))]],
      "conn",
    },
    says = {
      [[f.say("two streams with the same request were open at once until the connection ended; each payload arrives twice")]],
    },
    cause = "The requester requests the stream again without CANCEL for the stream that it no longer needs.",
  },
  {
    id = "RSK-B83",
    name = "rsk_b83",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection ended by the server right after a frame of the client",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.act_n, conn.setup_n)]], "C conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((C.act_n ~= nil and C.last_n ~= nil and C.act_n == C.last_n) and (C.last_n ~= nil and C.last_n > (S.last_n or 0)) and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil))]],
      "C S t conn",
    },
    says = {
      [[f.say("the server ended the connection %s after the client's %s, without an answer and without ERROR", f.time((C.last_t ~= nil and (t - C.last_t) or nil)), C.act)]],
      "C t",
    },
    cause = "The server fails when it handles the frame, or is stopped; it has to answer with ERROR.",
  },
  {
    id = "RSK-B83b",
    name = "rsk_b83b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections ended by the server right after the same frame",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.act_n, server_gone.second_n, server_gone.first_n)]], "C server_gone" },
    needs = { "start", "whole", "both" },
    of = "server_gone",
    when = {
      [[((server_gone.times ~= nil and (server_gone.times + 1) >= K.GONE_LIMIT) and ((C.act_n ~= nil and C.last_n ~= nil and C.act_n == C.last_n) and (C.last_n ~= nil and C.last_n > (S.last_n or 0)) and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (S.frames ~= nil and S.frames > 0) and (C.frames ~= nil and C.frames <= K.BRIEF_FRAMES) and (C.act ~= nil and not LISTS[7][C.act])) and (server_gone.latest_t ~= nil and (t - server_gone.latest_t) <= K.GONE_PAUSE))]],
      "server_gone C S t conn",
    },
    says = {
      [[f.say("%s connections in a row were ended by the server, without ERROR, within %s after the same %s of the client", K.GONE_LIMIT, f.time(K.GONE), C.act)]],
      "C",
    },
    cause = "The server fails when it handles the frame, and the client sends it again on its next connection.",
  },
  {
    id = "RSK-B83c",
    name = "rsk_b83c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections ended by the server right after the client's first ERROR or CANCEL",
    on = "server:tcp.close server:tcp.reset",
    evidence = {
      [[f.first_known(C.ending_n, server_gone_at_ending.second_n, server_gone_at_ending.first_n)]],
      "C server_gone_at_ending",
    },
    needs = { "start", "whole", "both" },
    of = "server_gone_at_ending",
    when = {
      [[((server_gone_at_ending.times ~= nil and (server_gone_at_ending.times + 1) >= K.GONE_LIMIT) and ((C.endings == 1) and (C.ending_t ~= nil and (t - C.ending_t) < K.GONE) and ((f.live(conn, "stream") or 0) > 0) and (S.frames ~= nil and S.frames > 0) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil)) and ((server_gone_at_ending.latest_t ~= nil and (t - server_gone_at_ending.latest_t) <= K.GONE_PAUSE) and (server_gone_at_ending.same ~= nil and C.ending_of ~= nil and server_gone_at_ending.same == C.ending_of)))]],
      "server_gone_at_ending C t conn S",
    },
    says = {
      [[f.say("%s connections in a row were ended by the server, without ERROR, within %s after the first %s of the client, while streams were open", K.GONE_LIMIT, f.time(K.GONE), C.ending_of)]],
      "C",
    },
    cause = "The server fails when the requester ends a stream, and all streams of the connection are lost with it.",
  },
  {
    id = "RSK-B84",
    name = "rsk_b84",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection ended by the client right after a frame that the server initiates",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n, conn.setup_n)]], "S conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[42][S.sign] and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (C.last_n ~= nil and S.last_n ~= nil and C.last_n < S.last_n) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil))]],
      "S t C conn",
    },
    says = {
      [[f.say("the client ended the connection %s after the server's %s, without an answer and without ERROR", f.time((S.last_t ~= nil and (t - S.last_t) or nil)), S.sign)]],
      "S t",
    },
    cause = "The client does not expect requests or metadata of the server, and fails when one comes: it has to answer with ERROR, or to ignore the frame.",
  },
  {
    id = "RSK-B84b",
    name = "rsk_b84b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection ended by the client right after a stream of it failed",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n, conn.setup_n)]], "S conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[43][S.sign] and (S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (C.last_n ~= nil and S.last_n ~= nil and C.last_n < S.last_n) and ((f.live(conn, "stream") or 0) > 0) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil))]],
      "S t C conn",
    },
    says = {
      [[f.say("the client ended the connection %s after the server's %s on one stream, with %s open", f.time((S.last_t ~= nil and (t - S.last_t) or nil)), S.sign, f.counted(f.live(conn, "stream"), "stream", "streams"))]],
      "S t conn",
    },
    cause = "The client does not handle the end of the stream, and an exception ends the whole connection: a subscriber without an error callback, for example.",
  },
  {
    id = "RSK-C36",
    name = "rsk_c36",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Frames sent after the sender's own connection ERROR (stream 0)",
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel keepalive metadata_push lease",
    since = { [[f.since(conn, n, conn.over_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = {
      [[((conn.over_n ~= nil) and (side ~= nil and conn.over_side ~= nil and side == conn.over_side) and (conn.over_t ~= nil and t > (conn.over_t + K.OVER)) and (conn.state ~= nil and conn.state ~= "refused"))]],
      "conn side t",
    },
    says = {
      [[f.say("the %s sent %s %s after its own ERROR on stream 0, which ends the connection", sender, name, f.time((conn.over_t ~= nil and (t - conn.over_t) or nil)))]],
      "sender name conn t",
    },
    cause = "The sender says that the connection is over and goes on to use it: its peer processes nothing that comes after the ERROR.",
  },
  {
    id = "RSK-C36b",
    name = "rsk_c36b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection left open after a connection ERROR",
    on = "end:conn",
    evidence = { [[f.first_known(conn.over_n)]], "conn" },
    since = { [[f.since(conn, conn.over_n)]], "conn" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((conn.over_n ~= nil) and (conn.refused_n == nil) and (conn.over_t ~= nil and ((conn.left_t or t) - conn.over_t) > K.REFUSED_TIME) and (conn.over_t ~= nil and ((S.closed_t or t) - conn.over_t) > K.REFUSED_TIME) and (why ~= nil and why ~= "reset"))]],
      "conn t S why",
    },
    says = {
      [[f.say("the connection was left open for %s after the ERROR on stream 0 that ended it", f.time((f.min((conn.left_t or t), (S.closed_t or t)) ~= nil and conn.over_t ~= nil and (f.min((conn.left_t or t), (S.closed_t or t)) - conn.over_t) or nil)))]],
      "conn t S",
    },
    cause = "The sender of the ERROR has to close the connection; streams and timers of both sides remain until then.",
  },
  {
    id = "RSK-B86",
    name = "rsk_b86",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream that falls silent without an end",
    on = "end:stream",
    evidence = { [[f.first_known(stream.item_n, stream.n)]], "stream" },
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[(LISTS[32][stream.state] and LISTS[10][why] and (conn.last_t ~= nil and stream.last_t ~= nil and (conn.last_t - stream.last_t) > K.STALLED) and (stream.credit ~= nil and stream.credit > 0) and (conn.resumable ~= nil and not conn.resumable) and (stream.items ~= nil and stream.items >= K.PACE) and (conn.last_t ~= nil and stream.last_t ~= nil and stream.items ~= nil and stream.first_item_t ~= nil and ((conn.last_t - stream.last_t) * (stream.items - 1)) > ((stream.last_t - stream.first_item_t) * K.PAUSES)))]],
      "stream why conn",
    },
    says = {
      [[f.say("stream %s brought %s, then nothing for %s, and neither COMPLETE nor ERROR, although more was requested", stream.id, f.counted(stream.items, "payload", "payloads"), f.time((conn.last_t ~= nil and stream.last_t ~= nil and (conn.last_t - stream.last_t) or nil)))]],
      "stream conn",
    },
    cause = "The responder has lost the stream or its source, or the rest is lost between them; the requester waits without a timeout.",
  },
  {
    id = "RSK-B224",
    name = "rsk_b224",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream that falls silent until its requester cancels it",
    on = "cancel",
    needs = { "object", "both" },
    of = "stream",
    when = {
      [[((side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.last_t ~= nil and (t - stream.last_t) > K.SILENCE) and (stream.credit ~= nil and stream.credit > 0) and LISTS[5][stream.model] and (stream.items ~= nil and stream.items >= K.PACE) and (stream.last_t ~= nil and stream.items ~= nil and stream.first_item_t ~= nil and ((t - stream.last_t) * (stream.items - 1)) > ((stream.last_t - stream.first_item_t) * K.PAUSES)))]],
      "side stream t",
    },
    says = {
      [[f.say("stream %s brought %s, then nothing for %s, although %s more were requested; then the %s cancelled it", c.stream_id, f.counted(stream.items, "payload", "payloads"), f.time((stream.last_t ~= nil and (t - stream.last_t) or nil)), stream.credit, sender)]],
      "c stream t sender",
    },
    cause = "The responder has lost the stream or its source, and the requester gives it up.",
  },
  {
    id = "RSK-B87",
    name = "rsk_b87",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream without an end, unlike others of its route",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(stream.item_n, stream.n), stream.n, outcomes.done_n)]],
      "stream outcomes",
    },
    needs = { "object", "both" },
    of = "conn",
    when = {
      [[((outcomes.done ~= nil and outcomes.done >= K.ENDED) and (stream.model ~= nil and stream.model ~= "request_response") and LISTS[32][stream.state] and LISTS[10][why] and (conn.last_t ~= nil and stream.last_t ~= nil and (conn.last_t - stream.last_t) > K.STALLED) and (stream.credit ~= nil and stream.credit > 0) and (conn.resumable ~= nil and not conn.resumable))]],
      "outcomes stream why conn",
    },
    says = {
      [[f.say("stream %s had neither COMPLETE nor ERROR for %s, while %s others with the same metadata have completed", stream.id, f.time((conn.last_t ~= nil and stream.last_t ~= nil and (conn.last_t - stream.last_t) or nil)), outcomes.done)]],
      "stream conn outcomes",
    },
    cause = "The responder has lost the stream, or fails without ERROR; the requester waits without a timeout.",
  },
  {
    id = "RSK-B89",
    name = "rsk_b89",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection of a client that never carries a request",
    on = "end:unused",
    evidence = { [[f.first_known(unused.latest_n, unused.first_n)]], "unused" },
    needs = {},
    of = "unused",
    when = {
      [[(((unused.left ~= nil and unused.left >= 1) and (unused.left ~= nil and unused.all ~= nil and (unused.left * 100) >= (unused.all * 0)) and (unused.all ~= nil and ((unused.ended or 0) * 100) <= (unused.all * 100))) and (unused.left ~= nil and unused.all ~= nil and unused.left < unused.all))]],
      "unused",
    },
    says = {
      [[f.say("%s of %s connections of one client never carried a request", unused.left, unused.all)]],
      "unused",
    },
    cause = "The client connects more often than it needs: two callers connect at once, or a connection is not used after all.",
  },
  {
    id = "RSK-B90",
    name = "rsk_b90",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Request repeated that was unanswered on a lost connection",
    on = "client:request_response",
    needs = { "whole" },
    of = "lost_request",
    when = {
      [[(complete and (lost_request.flow ~= nil and flow ~= nil and lost_request.flow ~= flow) and (lost_request.t_of ~= nil and (t - lost_request.t_of) < K.FRESH) and ((C.asked or 0) <= K.FIRST_CALLS))]],
      "complete lost_request flow t C",
    },
    says = {
      [[f.say("%s on stream %s repeats the request of frame %s, whose connection was lost before its response", name, c.stream_id, lost_request.n_of)]],
      "c name lost_request",
    },
    cause = "The client repeats the request on its next connection; the server may have executed it already, and does so twice.",
  },
  {
    id = "RSK-B90b",
    name = "rsk_b90b",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Request with which the server ends each connection",
    on = "client:request_response",
    needs = { "whole" },
    of = "lost_request",
    when = {
      [[(complete and (lost_request.times ~= nil and lost_request.times == (K.POISON_LIMIT - 1)) and (lost_request.flow ~= nil and flow ~= nil and lost_request.flow ~= flow) and (lost_request.t_of ~= nil and (t - lost_request.t_of) < K.FRESH) and ((C.asked or 0) <= K.FIRST_CALLS))]],
      "complete lost_request flow t C",
    },
    says = {
      [[f.say("%s on stream %s is sent again, although the server ended %s connections in a row within %s after it, without an answer and without ERROR", name, c.stream_id, lost_request.times, f.time(K.POISONED))]],
      "c name lost_request",
    },
    cause = "The server fails at this request, and the client sends it on each new connection.",
  },
  {
    id = "RSK-B160",
    name = "rsk_b160",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request without a response, while later ones had theirs",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n, conn.served_of_n)]], "stream conn" },
    needs = { "object", "both", "whole" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and LISTS[32][stream.state] and LISTS[40][stream.model] and (stream.items == 0) and (stream.granted == 0) and (((stream.credit or 1) or 0) > 0) and (conn.served_of_n ~= nil and stream.n ~= nil and conn.served_of_n > stream.n) and (conn.resumable ~= nil and not conn.resumable))]],
      "why stream conn",
    },
    says = {
      [[f.say("%s on stream %s had no response when the connection ended, %s after it, while the later request in frame %s had one", stream.model, stream.id, f.time((conn.last_t ~= nil and stream.t ~= nil and (conn.last_t - stream.t) or nil)), conn.served_of_n)]],
      "stream conn",
    },
    cause = "The responder has lost the request, or its handler neither completes nor fails; or it takes longer than the later ones.",
  },
  {
    id = "RSK-B160b",
    name = "rsk_b160b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection closed by the client with an open stream (no CANCEL)",
    on = "end:stream",
    evidence = { [[f.first_known(stream.n)]], "stream" },
    needs = { "object", "both", "whole" },
    of = "conn",
    when = {
      [[(LISTS[8][why] and (conn.left == 1) and (stream.owner ~= nil and C.side ~= nil and stream.owner == C.side) and LISTS[5][stream.model] and (stream.twin_n == nil) and LISTS[32][stream.state] and (stream.credit ~= nil and stream.credit > 0) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.resumable ~= nil and not conn.resumable))]],
      "why conn stream C",
    },
    says = {
      [[f.say("the client closed the connection with %s on stream %s open, after %s", stream.model, stream.id, f.counted(stream.items, "payload", "payloads"))]],
      "stream",
    },
    cause = "The client does not cancel what it has requested before it leaves: for the responder it looks like a lost connection.",
  },
  {
    id = "RSK-B161",
    name = "rsk_b161",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Frame right after the sender's own connection ERROR (stream 0)",
    on = "request_response request_fnf request_stream request_sub request_channel payload response request_n cancel keepalive metadata_push lease error",
    since = { [[f.since(conn, n, conn.over_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = {
      [[((conn.over_n ~= nil) and (side ~= nil and conn.over_side ~= nil and side == conn.over_side) and (conn.over_t ~= nil and t <= (conn.over_t + K.OVER)))]],
      "conn side t",
    },
    says = {
      [[f.say("the %s sent %s right after its own ERROR on stream 0, which ends the connection", sender, name)]],
      "sender name",
    },
    cause = "The frame waited while the ERROR was sent, or the sender ends the connection twice: its peer processes nothing that comes after the ERROR.",
  },
  {
    id = "RSK-B222",
    name = "rsk_b222",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client that gives up a silent server and never connects again",
    on = "end:away",
    evidence = { [[f.first_known(away.alive_n, away.heard_n)]], "away" },
    needs = {},
    of = "away",
    when = { [[(away.since_t ~= nil and (t - away.since_t) > K.AWAY)]], "away t" },
    says = {
      [[f.say("the client gave up its connection after %s without a frame of the server, and has not connected again for %s", f.time(away.silent), f.time((away.since_t ~= nil and (t - away.since_t) or nil)))]],
      "away t",
    },
    cause = "The client keeps a connection that is closed: its requests fail from then on. It has to connect again, with pauses that grow.",
  },
  {
    id = "RSK-B240",
    name = "rsk_b240",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Server that is back, and to which its client does not connect again",
    on = "end:away",
    evidence = { [[f.first_known(away.lost_n, bank.of_n, patron.beat_n)]], "away bank patron" },
    needs = {},
    of = "away",
    when = {
      [[(((patron.beat_t ~= nil and away.lost_t ~= nil and (patron.beat_t - away.lost_t) > K.AWAY) and (bank.of_t ~= nil and away.lost_t ~= nil and bank.of_t > away.lost_t)) and ((captures.are_partial or 0) == 0))]],
      "patron away bank captures",
    },
    says = {
      [[f.say("%s ended the connection of %s and answers others again; the client has been at work for %s since, and has not connected to this server again", away.server, away.client, f.time((patron.beat_t ~= nil and away.lost_t ~= nil and (patron.beat_t - away.lost_t) or nil)))]],
      "away patron",
    },
    cause = "The client, or its load balancer, removes a target that fails for good: it has to try it again, with pauses that grow.",
  },
  {
    id = "RSK-B240b",
    name = "rsk_b240b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client that does not come back to a server that ended its connection",
    on = "end:away",
    evidence = { [[f.first_known(away.lost_n, bank.of_n)]], "away bank" },
    needs = {},
    of = "away",
    when = {
      [[(((away.lost_t ~= nil and (t - away.lost_t) > K.AWAY) and (bank.of_t ~= nil and away.lost_t ~= nil and bank.of_t > away.lost_t)) and ((captures.are_partial or 0) == 0))]],
      "away t bank captures",
    },
    says = {
      [[f.say("%s ended the connection of %s and answers others again; this client has not connected again for %s", away.server, away.client, f.time((away.lost_t ~= nil and (t - away.lost_t) or nil)))]],
      "away t",
    },
    cause = "The client connects once, and keeps a connection that is closed: its requests fail from then on.",
  },
  {
    id = "RSK-B241",
    name = "rsk_b241",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Idle connections that end after the same time",
    on = "server:tcp.close server:tcp.reset",
    evidence = {
      [[f.first_known(conn.setup_n, f.coalesce(S.last_n, C.last_n), idled.second_n, idled.first_n)]],
      "conn S C idled",
    },
    needs = { "start", "whole", "both" },
    of = "idled",
    when = {
      [[((idled.times ~= nil and (idled.times + 1) >= K.AFTER_IDLING) and ((f.max(C.last_t, (S.last_t or 0)) ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) > K.IDLING) and (f.max(C.last_t, (S.last_t or 0)) ~= nil and conn.keepalive ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) < (conn.keepalive * 1000000)) and (conn.left_t == nil) and (S.left_t == nil) and (conn.over_n == nil) and (conn.closing_n == nil) and (conn.refused_n == nil) and (C.last_t ~= nil and conn.max_lifetime ~= nil and (t - C.last_t) < (conn.max_lifetime * 900000)) and conn.start and conn.whole and conn.both) and ((idled.latest_t ~= nil and (t - idled.latest_t) <= K.IDLING_PAUSE) and (idled.same ~= nil and f.max(C.last_t, (S.last_t or 0)) ~= nil and idled.same == math.floor(((t - f.max(C.last_t, (S.last_t or 0))) + 500000000) / 1000000000.0))))]],
      "idled C S t conn",
    },
    says = {
      [[f.say("%s connections in a row ended %s after their last frame, before the next KEEPALIVE: SETUP has an interval of %s ms", K.AFTER_IDLING, f.time((f.max(C.last_t, (S.last_t or 0)) ~= nil and (t - f.max(C.last_t, (S.last_t or 0))) or nil)), conn.keepalive)]],
      "C S t conn",
    },
    cause = "A proxy, load balancer or firewall between client and server ends connections that are idle for so long, and KEEPALIVE comes too seldom to keep them.",
  },
  {
    id = "RSK-B244",
    name = "rsk_b244",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Flood of METADATA_PUSH",
    on = "metadata_push",
    since = { [[f.since(conn, n, me.pushes_second_n)]], "conn n me" },
    needs = { "since" },
    of = "me",
    when = {
      [[(((me.pushes_times ~= nil and (me.pushes_times + 1) >= K.FLOOD) and (me.pushes_latest_t ~= nil and (t - me.pushes_latest_t) <= K.FLOOD_PAUSE)) and (me.pushes_first_t ~= nil and me.pushes_times ~= nil and (t - me.pushes_first_t) <= ((me.pushes_times + 1) * K.FLOOD_PACE)))]],
      "me t",
    },
    says = {
      [[f.say("the %s sent %s METADATA_PUSHes in a row within %s", sender, (me.pushes_times ~= nil and (me.pushes_times + 1) or nil), f.time((me.pushes_first_t ~= nil and (t - me.pushes_first_t) or nil)))]],
      "sender me t",
    },
    cause = "Neither demand nor a lease limits METADATA_PUSH: the receiver handles each, or keeps it in memory.",
  },
  {
    id = "RSK-B245",
    name = "rsk_b245",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections that their client closes before any request",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(conn.setup_n, unasked.second_n, unasked.first_n)]], "conn unasked" },
    needs = { "start", "whole", "both" },
    of = "unasked",
    when = {
      [[((unasked.times ~= nil and (unasked.times + 1) >= K.UNASKED_LIMIT) and ((conn.setup_n ~= nil) and (C.asked == nil) and (C.keepalive_n == nil) and (S.last_n == nil) and (S.closed_n == nil) and conn.start and conn.whole and conn.both) and (unasked.latest_t ~= nil and (t - unasked.latest_t) <= K.UNASKED_PAUSE))]],
      "unasked conn C S t",
    },
    says = {
      [[f.say("%s connections in a row were closed by the client after SETUP, without a request; the last one %s after it", K.UNASKED_LIMIT, f.time((C.last_t ~= nil and (t - C.last_t) or nil)))]],
      "C t",
    },
    cause = "The program ends before its request is written, or its time for connecting is too short and covers the first answer.",
  },
  {
    id = "RSK-B243",
    name = "rsk_b243",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Requests in fragments that have no answer, unlike those in one frame",
    on = "end:conn",
    evidence = { [[f.first_known(C.mute_n)]], "C" },
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[((C.mute_pieces ~= nil and C.mute_pieces >= K.PIECES_REFUSED) and ((S.took_pieces or 0) == 0) and (S.took_whole ~= nil and S.took_whole >= K.WHOLE_TAKEN))]],
      "C S",
    },
    says = {
      [[f.say("%s requests in fragments had no answer, and no other one either, while %s requests in one frame were answered", C.mute_pieces, S.took_whole)]],
      "C S",
    },
    cause = "The responder does not join the fragments of a request, or drops them.",
  },
  {
    id = "RSK-B91",
    name = "rsk_b91",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests of one route that are always refused, at longer intervals",
    on = "error",
    since = {
      [[f.since(conn, f.coalesce(never_served.second_n, stream.n), stream.n, n, never_served.first_n)]],
      "conn never_served stream n",
    },
    needs = { "since" },
    of = "never_served",
    when = {
      [[((never_served.times ~= nil and (never_served.times + 1) >= K.NEVER_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and ((f.len(stream.route) or 0) > 0)) and ((never_served.latest_t ~= nil and (t - never_served.latest_t) <= 60000000000.0) and (never_served.same ~= nil and c.error_code ~= nil and never_served.same == c.error_code)))]],
      "c never_served side stream t",
    },
    says = {
      [[f.say("%s requests with the same metadata were refused in a row with %s, and none was served", K.NEVER_LIMIT, f.named(c.error_code, names.error_code))]],
      "c",
    },
    cause = "The route, or what else the metadata has, is one that the server does not serve; the client repeats the request instead of reporting it.",
  },
  {
    id = "RSK-B92",
    name = "rsk_b92",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "REQUEST_FNF of a route whose other requests are answered",
    on = "client:request_fnf",
    needs = {},
    of = "replies",
    when = { [[(complete and (replies.done_n ~= nil))]], "complete replies" },
    says = {
      [[f.say("REQUEST_FNF on stream %s has the metadata of requests that are answered: the answer to this one, and its failure, are lost", c.stream_id)]],
      "c",
    },
    cause = "The client sends a request with the wrong model, or does not subscribe to the answer.",
  },
  {
    id = "RSK-B93",
    name = "rsk_b93",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests continued at once although each is rejected",
    on = "error",
    since = {
      [[f.since(conn, f.coalesce(rejected_on.second_n, stream.n), stream.n, n, rejected_on.first_n)]],
      "conn rejected_on stream n",
    },
    needs = { "since" },
    of = "rejected_on",
    when = {
      [[(((rejected_on.times ~= nil and (rejected_on.times + 1) >= K.REJECTED_LIMIT) and ((c.stream_id ~= nil and c.stream_id > 0) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (c.error_code == 514) and (not f.coalesce(conn.leases, 0))) and (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) <= 1000000000.0)) and ((rejected_on.slower ~= nil and rejected_on.times ~= nil and (rejected_on.slower * 4) < ((rejected_on.times - 2) * 3)) or (rejected_on.latest_t ~= nil and (rejected_on.first_gap or (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) or nil)) ~= nil and (t - rejected_on.latest_t) <= (2 * (rejected_on.first_gap or (rejected_on.latest_t ~= nil and (t - rejected_on.latest_t) or nil))))))]],
      "c rejected_on side stream conn t",
    },
    says = {
      [[f.say("%s requests in a row were refused with rejected (0x202), and the next one came at most 1 s after it", K.REJECTED_LIMIT)]],
    },
    cause = "The responder is overloaded or has a limit: the client does not slow down.",
  },
  {
    id = "RSK-B94",
    name = "rsk_b94",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stream requested anew for each page",
    on = "end:stream",
    evidence = {
      [[f.first_known(f.coalesce(pages.second_n, stream.n), stream.n, pages.first_n)]],
      "pages stream",
    },
    needs = {},
    of = "pages",
    when = {
      [[((pages.times ~= nil and (pages.times + 1) >= K.PAGES_LIMIT) and (((stream.model == "request_stream") and (stream.state == "cancelled") and (stream.items ~= nil and stream.items > 1) and (stream.items ~= nil and stream.requested ~= nil and stream.items == stream.requested)) and (why ~= nil and not LISTS[4][why]) and (stream.born and (stream.epoch ~= nil and conn.epoch ~= nil and stream.epoch == conn.epoch) and conn.both)) and ((pages.latest_t ~= nil and stream.t ~= nil and pages.latest_t <= (stream.t + 0)) and (stream.t ~= nil and pages.latest_t ~= nil and (stream.t - pages.latest_t) <= 2000000000.0)))]],
      "pages stream why conn",
    },
    says = {
      [[f.say("%s streams of one route were each cancelled when all payloads requested of them had come", K.PAGES_LIMIT)]],
    },
    cause = "The client reads page by page with a stream each; REQUEST_N would continue one stream where it is.",
  },
  {
    id = "RSK-S28",
    name = "rsk_s28",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "CANCEL of REQUEST_FNF",
    on = "cancel",
    needs = { "object" },
    of = "stream",
    when = {
      [[((stream.model == "request_fnf") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "sent"))]],
      "stream side",
    },
    says = {
      [[f.say("CANCEL was sent on stream %s, which ended when REQUEST_FNF was sent", stream.id)]],
      "stream",
    },
    cause = "The client handles REQUEST_FNF as a request that has an answer.",
  },
  {
    id = "RSK-S22c",
    name = "rsk_s22c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "PAYLOAD of a requester long after the responder cancelled its side of the channel",
    on = "payload",
    needs = { "object", "both" },
    of = "stream",
    guard = 105,
    when = {
      [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.unwanted_t ~= nil and t > (stream.unwanted_t + K.CROSSING)))]],
      "stream side t",
    },
    says = {
      [[f.say("the requester sent a payload on channel %s %s after the responder's CANCEL: it is dropped", stream.id, f.time((stream.unwanted_t ~= nil and (t - stream.unwanted_t) or nil)))]],
      "stream t",
    },
    cause = "The requester ignores CANCEL, and works for a channel that no longer takes it.",
  },
  {
    id = "RSK-M26",
    name = "rsk_m26",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Metadata of a channel in a later payload than its request",
    on = "payload",
    needs = { "object" },
    of = "stream",
    guard = 16,
    when = {
      [[((stream.model == "request_channel") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and complete and (stream.asking == 0) and (stream.own_items == 0) and (stream.bare == 1))]],
      "stream side complete",
    },
    says = {
      [[f.say("REQUEST_CHANNEL on stream %s has no metadata, but the payload after it has: responders choose the handler by the metadata of the request", stream.id)]],
      "stream",
    },
    cause = "The client puts the route into the first item that it sends, and an empty payload into the request.",
  },
  {
    id = "RSK-M27",
    name = "rsk_m27",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "METADATA_PUSH without metadata",
    on = "metadata_push",
    needs = {},
    of = "conn",
    guard = 27,
    says = { [[f.say("METADATA_PUSH carries no byte of metadata")]] },
    cause = "The client sends the metadata as data, which this frame does not have, or pushes before it has any.",
  },
  {
    id = "RSK-R16",
    name = "rsk_r16",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "RESUME of a session that ERROR has ended",
    on = "resume",
    needs = {},
    of = "session",
    when = { [[(session.over_n ~= nil)]], "session" },
    says = {
      [[f.say("RESUME continues a session whose connection ended with %s: a peer that ends a session does not keep it", ((session.over_code == 258) and "CONNECTION_CLOSE" or "CONNECTION_ERROR"))]],
      "session",
    },
    cause = "The client reconnects in the same way after an ERROR on stream 0 as after a lost connection; a new SETUP is needed.",
  },
  {
    id = "RSK-B100",
    name = "rsk_b100",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "KEEPALIVE answered only together with a slow request",
    on = "keepalive",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 3,
    when = {
      [[((req.t ~= nil and (t - req.t) > K.KEEPALIVE_ANSWER) and (me.freed_n ~= nil and req.n ~= nil and me.freed_n > req.n) and (me.freed_t ~= nil and req.t ~= nil and ((t - me.freed_t) * 10) <= (t - req.t)) and (me.freed_of_t ~= nil and req.t ~= nil and me.freed_of_t <= req.t) and (me.freed_after_t ~= nil and req.t ~= nil and me.freed_after_t <= req.t) and (me.quickest ~= nil and req.t ~= nil and (me.quickest * 10) <= (t - req.t)))]],
      "req t me",
    },
    says = {
      [[f.say("a KEEPALIVE was answered after %s, right after the answer to a request that was under way; earlier ones took %s", f.time((req.t ~= nil and (t - req.t) or nil)), f.time(me.quickest))]],
      "req t me",
    },
    cause = "The handler of the request ran in the thread that reads the connection: whatever else came had to wait for it, and a longer request would have ended the connection.",
  },
  {
    id = "RSK-B100",
    name = "rsk_b100_2",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "KEEPALIVE answered only together with a slow request",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "open") and (stream.items == 0) and complete and (me.answered_t ~= nil and me.answered_of_t ~= nil and (me.answered_t - me.answered_of_t) > K.KEEPALIVE_ANSWER) and (stream.t ~= nil and me.answered_of_t ~= nil and stream.t <= me.answered_of_t) and (me.sent_t ~= nil and me.answered_t ~= nil and me.sent_t == me.answered_t) and (me.answered_t ~= nil and me.answered_of_t ~= nil and ((t - me.answered_t) * 10) <= (t - me.answered_of_t)) and (me.waited_t ~= nil and me.answered_of_t ~= nil and me.waited_t <= me.answered_of_t) and (me.quickest ~= nil and me.answered_of_t ~= nil and (me.quickest * 10) <= (t - me.answered_of_t)))]],
      "stream side complete me t",
    },
    says = {
      [[f.say("a KEEPALIVE was answered after %s, together with a request that was under way; earlier ones took %s", f.time((me.answered_t ~= nil and me.answered_of_t ~= nil and (me.answered_t - me.answered_of_t) or nil)), f.time(me.quickest))]],
      "me",
    },
    cause = "The handler of the request ran in the thread that reads the connection: whatever else came had to wait for it, and a longer request would have ended the connection.",
  },
  {
    id = "RSK-B101",
    name = "rsk_b101",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Handler that waits for an answer which its thread does not read",
    on = "cancel",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side == stream.owner) and (stream.state == "done") and ((f.live(conn, "stream") or 0) > 0) and (stream.t ~= nil and me.served_from_t ~= nil and stream.t > me.served_from_t) and (me.sent_t ~= nil and stream.ended_t ~= nil and me.sent_t <= stream.ended_t) and (stream.ended_t ~= nil and (t - stream.ended_t) > K.PATIENCE) and (stream.ended_t ~= nil and stream.t ~= nil and (t - stream.ended_t) > ((stream.ended_t - stream.t) * 10)))]],
      "stream side conn me t",
    },
    says = {
      [[f.say("the request on stream %s was cancelled %s after its answer had come; its sender sent nothing between, and handles a request itself", stream.id, f.time((stream.ended_t ~= nil and (t - stream.ended_t) or nil)))]],
      "stream t",
    },
    cause = "The handler of a request sends a request on the same connection, and blocks until the answer comes: the thread that would read it is its own.",
  },
  {
    id = "RSK-B101b",
    name = "rsk_b101b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request that fails long after the answer that its handler waited for",
    on = "error",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "open") and (stream.items == 0) and (stream.t ~= nil and me.asked_back_t ~= nil and stream.t < me.asked_back_t) and (me.heard_of ~= nil and me.asked_back_n ~= nil and me.heard_of >= me.asked_back_n) and (me.sent_n ~= nil and me.heard_n ~= nil and me.sent_n < me.heard_n) and (me.heard_t ~= nil and (t - me.heard_t) > K.PATIENCE) and (me.heard_t ~= nil and me.heard_took ~= nil and (t - me.heard_t) > (me.heard_took * 10)))]],
      "stream side me t",
    },
    says = {
      [[f.say("the request on stream %s failed %s after its responder had received the answer to a request of its own, and it sent nothing between", stream.id, f.time((me.heard_t ~= nil and (t - me.heard_t) or nil)))]],
      "stream me t",
    },
    cause = "The handler of a request sends a request on the same connection, and blocks until the answer comes: the thread that would read it is its own.",
  },
  {
    id = "RSK-B107",
    name = "rsk_b107",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections that the server ends at SETUP, without ERROR",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.act_n, gone_at_setup.second_n)]], "C gone_at_setup" },
    needs = { "start", "whole" },
    of = "gone_at_setup",
    when = {
      [[((gone_at_setup.times ~= nil and (gone_at_setup.times + 1) >= K.GONE_LIMIT) and ((C.frames == 1) and ((S.frames or 0) == 0) and (C.act == "setup") and (C.last_t ~= nil and (t - C.last_t) < K.GONE) and (conn.left_t == nil) and ((S.left_t or t) == t)) and (gone_at_setup.latest_t ~= nil and (t - gone_at_setup.latest_t) <= K.GONE_PAUSE))]],
      "gone_at_setup C S t conn",
    },
    says = {
      [[f.say("%s connections in a row were ended by the server right after SETUP, without an ERROR that says why", K.GONE_LIMIT)]],
    },
    cause = "The server fails at this SETUP, such as at its payload or MIME types, or what listens on this port does not speak RSocket.",
  },
  {
    id = "RSK-B109",
    name = "rsk_b109",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "End of the RSocket connection that its client notices late",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(C.last_n, conn.setup_n)]], "C conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.left_t == nil) and (S.closed_t ~= nil and (t - S.closed_t) > K.UNNOTICED) and (conn.setup_n ~= nil))]],
      "conn S t",
    },
    says = {
      [[f.say("the client closed its side %s after the server had closed the connection", f.time((S.closed_t ~= nil and (t - S.closed_t) or nil)))]],
      "S t",
    },
    cause = "The thread that reads the connection is blocked or has died, or the client closes lost connections with the program only.",
  },
  {
    id = "RSK-B108",
    name = "rsk_b108",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection kept alive after CONNECTION_CLOSE, without streams",
    on = "keepalive",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.closing_n ~= nil) and (f.live(conn, "stream") == 0) and (f.coalesce(conn.stream_t, conn.setup_t) ~= nil and (t - f.coalesce(conn.stream_t, conn.setup_t)) > K.UNNOTICED))]],
      "conn t",
    },
    says = {
      [[f.say("KEEPALIVE goes on %s after CONNECTION_CLOSE and the last frame of a stream", f.time((conn.stream_t ~= nil and (t - conn.stream_t) or nil)))]],
      "conn t",
    },
    cause = "The sender of CONNECTION_CLOSE waits for streams that have ended, and does not close the connection; timers of both sides run on.",
  },
  {
    id = "RSK-B102",
    name = "rsk_b102",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Handler that has stopped answering, on a connection that lives",
    on = "end:desk",
    evidence = { [[f.first_known(desk.waits_n, desk.answers_n)]], "desk" },
    needs = { "start", "whole", "both" },
    of = "desk",
    when = {
      [[((desk.answers ~= nil and desk.answers >= K.ANSWERED_BEFORE) and (desk.waits ~= nil and desk.waits >= K.NOT_ANSWERED) and (desk.waits_t ~= nil and f.max((desk.slowest ~= nil and (desk.slowest * 10) or nil), K.STALLED) ~= nil and (t - desk.waits_t) > f.max((desk.slowest ~= nil and (desk.slowest * 10) or nil), K.STALLED)) and (f.choose((desk.asker ~= nil and C.side ~= nil and desk.asker == C.side), S.sent_t, C.sent_t) ~= nil and desk.waits_t ~= nil and f.choose((desk.asker ~= nil and C.side ~= nil and desk.asker == C.side), S.sent_t, C.sent_t) > desk.waits_t))]],
      "desk t C S",
    },
    says = {
      [[f.say("after %s answers of at most %s the next %s requests with the same metadata have none, while their responder went on sending other frames", desk.answers, f.time(desk.slowest), desk.waits)]],
      "desk",
    },
    cause = "The handler, or the thread or subscriber behind it, has died or is blocked at this request; the rest of the program lives.",
  },
  {
    id = "RSK-B103",
    name = "rsk_b103",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Requests sent together and answered one after the other",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "open") and (stream.items == 0) and complete and (me.turns ~= nil and me.turns >= K.SERIAL_LIMIT))]],
      "stream side complete me",
    },
    says = {
      [[f.say("requests that were sent together are answered one after the other, %s apart", f.time(me.turn))]],
      "me",
    },
    cause = "The handler blocks the thread that reads the connection, or takes requests from a queue one by one: each waits for all before it.",
  },
  {
    id = "RSK-B104",
    name = "rsk_b104",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Answers that take longer and longer",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((stream.model == "request_response") and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.state == "open") and (stream.items == 0) and complete and (me.climb ~= nil and me.climb >= K.CLIMB_LIMIT) and (stream.t ~= nil and me.climb_took ~= nil and (t - stream.t) > me.climb_took) and (stream.t ~= nil and (t - stream.t) > K.PATIENCE) and (stream.t ~= nil and me.climb_from ~= nil and (t - stream.t) >= (me.climb_from * 10)))]],
      "stream side complete me t",
    },
    says = {
      [[f.say("%s answers in a row each took longer than the one before, from %s to %s", (me.climb ~= nil and (me.climb + 1) or nil), f.time(me.climb_from), f.time((stream.t ~= nil and (t - stream.t) or nil)))]],
      "me stream t",
    },
    cause = "The responder gets more than it can handle, so that requests wait in a queue, or something in it grows with each request.",
  },
  {
    id = "RSK-B105",
    name = "rsk_b105",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Connection whose requests are never answered, unlike those of others",
    on = "end:conn",
    evidence = { [[f.first_known(C.question_n, bank.of_n)]], "C bank" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((C.questions ~= nil and C.questions >= K.NOT_ANSWERED) and (S.gave_n == nil) and (bank.answers ~= nil and bank.answers >= K.ANSWERED_BEFORE) and (bank.of_t ~= nil and C.question_t ~= nil and bank.of_t > C.question_t) and (S.refusal_n == nil) and (conn.refused_n == nil) and (C.question_t ~= nil and f.max((bank.slowest ~= nil and (bank.slowest * 10) or nil), K.STALLED) ~= nil and (t - C.question_t) > f.max((bank.slowest ~= nil and (bank.slowest * 10) or nil), K.STALLED)))]],
      "C S bank conn t",
    },
    says = {
      [[f.say("%s requests on this connection got no answer in %s, while the server answered on others in at most %s", C.questions, f.time((C.question_t ~= nil and (t - C.question_t) or nil)), f.time(bank.slowest))]],
      "C t bank",
    },
    cause = "The server accepts the connection and does not serve it: the thread or event loop to which it was given is blocked or dead.",
  },
  {
    id = "RSK-B106",
    name = "rsk_b106",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Streams that each begin when the one before ends",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 105,
    when = {
      [[(LISTS[5][stream.model] and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and complete and (stream.items == 0) and (me.serial ~= nil and me.serial >= (K.SERIAL_STREAMS - 1)) and (stream.t ~= nil and me.run_over_t ~= nil and stream.t < me.run_over_t) and (me.run_over_t ~= nil and stream.t ~= nil and ((t - me.run_over_t) * 4) <= (me.run_over_t - stream.t)))]],
      "stream side complete me t",
    },
    says = {
      [[f.say("the first item of stream %s came %s after the request, right after the end of another stream: streams are served one after the other", stream.id, f.time((stream.t ~= nil and (t - stream.t) or nil)))]],
      "stream t",
    },
    cause = "The responder joins its streams one after the other, or has one thread for all: a long stream holds back all others.",
  },
  {
    id = "RSK-B246",
    name = "rsk_b246",
    severity = "WARN",
    group = "SEQUENCE",
    title = "KEEPALIVE that waits since a requester without a limit does not read",
    on = "payload",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((peer.zero_windows ~= nil and peer.zero_windows >= K.FULL) and (side ~= nil and stream.owner ~= nil and side ~= stream.owner) and (stream.credit ~= nil and stream.credit >= K.ALL_DEMAND) and (peer.awaited_t ~= nil and (t - peer.awaited_t) > K.IN_QUEUE))]],
      "peer side stream t",
    },
    says = {
      [[f.say("the requester of stream %s has requested %s payloads and has no room for more bytes (its receive window is 0): its KEEPALIVE has waited %s for an answer", stream.id, stream.requested, f.time((peer.awaited_t ~= nil and (t - peer.awaited_t) or nil)))]],
      "stream peer t",
    },
    cause = "The requester asks for more than it can take: all that the responder has to send waits in its queue, and so do other streams and KEEPALIVE. Request as many payloads as are processed.",
  },
  {
    id = "RSK-B248",
    name = "rsk_b248",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Items that come late and all at once, as many as were requested",
    on = "end:stream",
    evidence = { [[f.first_known(stream.held_n, stream.n)]], "stream" },
    needs = { "start", "whole", "both" },
    of = "stream",
    when = { [[((stream.held ~= nil and stream.held >= K.BATCHES) and (stream.prompt == nil))]], "stream" },
    says = {
      [[f.say("%s times nothing came on stream %s for a second or more, and then all payloads that were requested at once; the last time after %s", stream.held, stream.id, f.time(stream.held_for))]],
      "stream",
    },
    cause = "The responder collects items until the demand is met, so that each comes late: it has to send an item as soon as it is there.",
  },
  {
    id = "RSK-B249",
    name = "rsk_b249",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "KEEPALIVEs of a server next to those of its client",
    on = "end:conn",
    evidence = { [[f.first_known(conn.near_beats_latest_n, conn.near_beats_second_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.near_beats_count ~= nil and conn.near_beats_count >= K.NEAR_BEATS) and (conn.near_beats_count ~= nil and conn.near_beats_among ~= nil and (conn.near_beats_count * 100) >= (conn.near_beats_among * 80)))]],
      "conn",
    },
    says = {
      [[f.say("%s of %s KEEPALIVEs that the server sent with the respond flag came within a quarter of the interval after one of the client", conn.near_beats_count, conn.near_beats_among)]],
      "conn",
    },
    cause = "The server has a timer with the client's interval: the client's KEEPALIVE has just shown that the connection lives, and the frames of the server double the traffic.",
  },
  {
    id = "RSK-C32",
    name = "rsk_c32",
    severity = "WARN",
    group = "SEQUENCE",
    title = "RSocket frames sent after the server closed the connection",
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
} end)()

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

f.predicates = (function(near, contents, tables)
  -- Predicates of rules, as in `predicates.py` and `metadata_predicates.py`: the names of the columns, then their values. What they give is what they found;
  -- it is empty where the condition does not hold.

  local P = {}
  local search, is_match = f.patterns.search, f.patterns.is_match

  local TITLES = { metadata_mime_type = "MIME type of metadata", data_mime_type = "MIME type of data", error_data = "error data" }
  local TOKEN_BYTES = 8 -- of a token that is not guessed
  local WELL_KNOWN, well_known = {}, {} -- sorted, and as a set
  for _, name in pairs(names.mime_id or {}) do WELL_KNOWN[#WELL_KNOWN + 1], well_known[name] = name, true end
  table.sort(WELL_KNOWN)

  -- The first text of some columns, with its title, of which something is found.
  local function first_found(columns, find_in, ...)
    local nth = 0
    for column in columns:gmatch("%S+") do
      nth = nth + 1
      local value = select(nth, ...)
      local found = type(value) == "string" and find_in(value, TITLES[column])
      if found then return found end
    end
    return ""
  end

  -- A text of ASCII as it is shown: with U+FFFD for each other byte.
  local function ascii(text) return (text:gsub("[\128-\255]", "\239\191\189")) end

  function P.ends_with_null(columns, ...)
    local wrong, nth = {}, 0
    for column in columns:gmatch("%S+") do
      nth = nth + 1
      local value = select(nth, ...)
      if type(value) == "string" and value:find("%z$") then wrong[#wrong + 1] = TITLES[column] or column end
    end
    return table.concat(wrong, " and ")
  end

  function P.is_no_type(columns, ...)
    return first_found(columns, function(value, title)
      local bare = value:gsub("^%z+", ""):gsub("%z+$", "")
      if well_known[bare] then return nil end
      if value == "" then return "an empty " .. title end
      if not value:gsub("^/+", ""):gsub("/+$", ""):find("/", 1, true) then
        return near.quote(ascii(value)) .. " as " .. title .. ", which is not of the form type/subtype"
      end
      if value:find("*", 1, true) then return near.quote(ascii(value)) .. " as " .. title .. ", which is a pattern and no type" end
      if value:lower():find("x.rsocket", 1, true) and not value:find("^message/x%.rsocket%.[a-z.-]+%.v[0-9]+$") then
        return near.quote(ascii(value)) .. " as " .. title .. ", which is not a type of RSocket"
      end
    end, ...)
  end

  function P.has_similar_type(columns, ...)
    return first_found(columns, function(value, title)
      if value == "" or well_known[value] or value:lower():find("x.rsocket", 1, true) then return nil end
      local bare = value:match("^[^;]*"):match("^%s*(.-)%s*$")
      local meant = well_known[bare] and bare or near.similar(bare, WELL_KNOWN)
      return meant ~= "" and near.quote(ascii(value)) .. " as " .. title .. ", which may be meant as " .. meant or nil
    end, ...)
  end

  function P.is_guessable(_, token)
    if #token < TOKEN_BYTES then return "it has " .. #token .. " byte" .. (#token == 1 and "" or "s") end
    local seen, count = {}, 0
    for place = 1, #token do
      local byte = token:byte(place)
      if not seen[byte] then seen[byte], count = true, count + 1 end
    end
    if count <= 2 then return "it is hardly more than one byte repeated" end
    return token:find("^%d+$") and "it is a number" or ""
  end

  function P.repeats_length(_, metadata)
    local a, b, c = metadata:byte(1, 3)
    return c ~= nil and (a * 256 + b) * 256 + c == #metadata - 3
  end

  -- Data -----------------------------------------------------------------------------------------------------------

  local PARSED = 512 -- bytes of JSON that is parsed; of longer data the first and last characters are judged
  local BLANKS = "[ \t\r\n\239\187\191]*"
  local ENDS = { ["{"] = "}", ["["] = "]", ['"'] = '"' }

  local function bare_of(content) return content:match("^" .. BLANKS .. "(.-)" .. BLANKS .. "$") end

  local function is_json(content)
    local value = bare_of(content)
    local start = value:sub(1, 1)
    if #value > PARSED then return ENDS[start] ~= nil and ENDS[start] == value:sub(-1) end
    if not ENDS[start] then
      return value == "true" or value == "false" or value == "null" or value:find("^%-?%d[%d.eE+-]*$") ~= nil
    end
    local _, fine = contents.json(value)
    return fine
  end

  local function not_of_type(mime_type, content)
    local found = contents.wide(content)
    if found ~= "" then return "it is " .. found end
    if mime_type == "application/json" then return is_json(content) and "" or "it is not JSON" end
    if mime_type == "application/xml" then return content:find("^" .. BLANKS .. "<") and "" or "it does not begin like XML" end
    if mime_type == "text/plain" then return is_utf8(content) and "" or "it is not UTF-8 text" end
    return (content:find('^{"') or content:find("^%[{")) and is_json(content) and "it is JSON" or ""
  end

  function P.is_another_type(_, mime_type, content) return not_of_type(mime_type, content) end

  function P.is_text_for_json(_, mime_type, content)
    if mime_type ~= "application/json" or contents.wide(content) ~= "" or is_json(content) then return "" end
    local is_plain = not ENDS[bare_of(content):sub(1, 1)] and is_utf8(content) and not content:find("%z")
    return is_plain and "it is plain text" or ""
  end

  function P.contradicts_its_type(_, mime_type, content)
    return P.is_text_for_json("", mime_type, content) ~= "" and "" or not_of_type(mime_type, content)
  end

  function P.is_mistaken(_, content) return contents.mistaken(content) end

  function P.is_text_of_bytes(_, content) return contents.text_of_bytes(content) end

  local REQUESTS = { [4] = "REQUEST_RESPONSE", [5] = "REQUEST_FNF", [6] = "REQUEST_STREAM", [7] = "REQUEST_CHANNEL" }

  function P.holds_another_frame(_, stream, content)
    local next_id = stream > 0 and stream + 2 or 1
    local mark = string.char(math.floor(next_id / 16777216), math.floor(next_id / 65536) % 256, math.floor(next_id / 256) % 256, next_id % 256)
    local place = content:find(mark, 1, true)
    while place do
      local a, b = content:byte(place + 4, place + 5)
      local name = b and REQUESTS[math.floor(a / 4)]
      if name and b % 32 == 0 then return name .. " on stream " .. digits(next_id) end
      place = content:find(mark, place + 1, true)
    end
    return ""
  end

  function P.is_placeholder(_, text)
    for _, note in ipairs({ "TO%-?DO", "FIX%-?ME", "TBD" }) do if text:find("%f[%w_]" .. note .. "%f[^%w_]") then return true end end
    local lower = text:lower()
    for _, each in ipairs({ "lorem ipsum", "not implemented yet", "not yet implemented yet", "should be error details" }) do
      if lower:find(each, 1, true) then return true end
    end
    return false
  end

  -- Metadata -------------------------------------------------------------------------------------------------------

  local ROUTING_ID, TRACING_ID, AUTHENTICATION_ID, DATA_TYPE_ID, ACCEPT_ID = 0x7E, 0x7D, 0x7C, 0x7A, 0x7B
  local ROUTING, TRACING, AUTHENTICATION = "message/x.rsocket.routing.v0", "message/x.rsocket.tracing-zipkin.v0", "message/x.rsocket.authentication.v0"
  local VEILED = {
    ["message/x.rsocket.composite-metadata.v0"] = true, [AUTHENTICATION] = true,
    ["message/x.rsocket.authentication.basic.v0"] = true, ["message/x.rsocket.authentication.bearer.v0"] = true,
  }

  local function too_short(needed, left) return ("%d bytes needed, %d left"):format(needed, left) end

  -- A type by its number, or by a name that has its length in front: both, the place after it, and what is wrong.
  local function type_at(content, place)
    local start = content:byte(place)
    if not start then return nil, nil, nil, too_short(1, 0) end
    if start >= 0x80 then return start - 0x80, nil, place + 1 end
    local name = content:sub(place + 1, place + start + 1)
    if #name <= start then return nil, nil, nil, too_short(start + 1, #content - place) end
    return nil, name, place + start + 2, name:find("[\128-\255]") and "not valid ascii" or nil
  end

  -- The metadata that composite metadata consist of, and the first problem of these.
  local function entries_of(metadata)
    local all, problem, place = {}, nil, 1
    while place and place <= #metadata do
      local id, name, behind, wrong = type_at(metadata, place)
      local entry = { id = id, name = name and ascii(name) }
      problem, place = problem or wrong, behind
      if place then
        local a, b, c = metadata:byte(place, place + 2)
        local size = c and (a * 256 + b) * 256 + c
        local left = #metadata - place - 2
        if not size then problem, place = problem or too_short(3, left + 3), nil
        elseif size > left then problem, place = problem or too_short(size, left), nil
        else entry.content, place = metadata:sub(place + 3, place + 2 + size), place + 3 + size end
      end
      all[#all + 1] = entry
    end
    return all, problem
  end

  -- The types in a content, one after the other, without their parameters.
  local function types_in(content)
    local all, place = {}, 1
    while place and place <= #content do
      local id, name, behind = type_at(content, place)
      local said = behind and (name or (names.mime_id or {})[id])
      if said then all[#all + 1] = said:match("^[^;]*"):match("^%s*(.-)%s*$"):lower() end
      place = behind
    end
    return #all > 0 and all or nil
  end

  -- The types that metadata state of their sender's data on a stream, and those that it accepts; nil where they state none.
  function P.types_of_stream(metadata, agreed)
    if not metadata:find("[\250\251]") and not metadata:find("mime-type", 1, true) then return nil, nil end
    local stated = { ["message/x.rsocket.mime-type.v0"] = false, ["message/x.rsocket.accept-mime-types.v0"] = false }
    local metadata_type = (agreed.metadata_mime_type or ""):lower()
    if stated[metadata_type] == false then stated[metadata_type] = types_in(metadata) end
    for _, each in ipairs(metadata_type == "message/x.rsocket.composite-metadata.v0" and entries_of(metadata) or {}) do
      local name = each.name or (names.mime_id or {})[each.id]
      if each.content and name and stated[name] ~= nil then stated[name] = types_in(each.content) or stated[name] end
    end
    return stated["message/x.rsocket.mime-type.v0"] or nil, stated["message/x.rsocket.accept-mime-types.v0"] or nil
  end

  -- The tags of a route, and the first problem of these.
  local function tags_of(content)
    local all, problem, place = {}, nil, 1
    while place <= #content do
      local size = content:byte(place)
      local tag = content:sub(place + 1, place + size)
      if #tag < size then return all, problem or too_short(size, #tag) end
      all[#all + 1], place = tag, place + 1 + size
      if not is_utf8(tag) then problem = problem or "not valid utf-8" end
    end
    return all, problem
  end

  function P.is_broken(_, metadata)
    local _, problem = entries_of(metadata or "")
    return problem or ""
  end

  function P.has_unknown_type(_, metadata)
    local found, seen = {}, {}
    for _, each in ipairs(entries_of(metadata or "")) do
      local is_unknown = each.id and not (names.mime_id or {})[each.id] and not seen[each.id]
      if is_unknown then found[#found + 1], seen[each.id] = ("%d"):format(each.id), true end
    end
    return table.concat(found, ", ")
  end

  function P.is_broken_route(_, metadata)
    local _, problem = tags_of(metadata or "")
    return problem or ""
  end

  function P.has_broken_route(_, metadata)
    for _, each in ipairs(entries_of(metadata or "")) do
      if each.content and (each.id == ROUTING_ID or each.name == ROUTING) then
        local _, problem = tags_of(each.content)
        if problem then return problem end
      end
    end
    return ""
  end

  -- The routes of composite metadata.
  local function routes_of(metadata)
    local all = {}
    for _, each in ipairs(entries_of(metadata or "")) do
      if each.content and (each.id == ROUTING_ID or each.name == ROUTING) then
        local tags, problem = tags_of(each.content)
        for _, tag in ipairs(problem and {} or tags) do all[#all + 1] = tag end
      end
    end
    return all
  end

  -- Whether bytes divide into entries of types that are known or well-formed, the first of which is a route or a token.
  local function is_composite(metadata)
    if not metadata:find("^[\252\254]") then return false end
    local entries, problem = entries_of(metadata)
    for _, each in ipairs(problem and {} or entries) do
      local is_known = each.id and (names.mime_id or {})[each.id] or each.name and each.name:find("^%a[%w_.+-]*/[%w_.+*;= -]+$")
      problem = not is_known or problem
    end
    return not problem
  end

  function P.is_other_metadata(_, mime_type, metadata)
    if is_composite(metadata) then return "it is composite metadata" end
    local is_judged = mime_type == "application/json" or mime_type == "application/xml" or mime_type == "text/plain"
    return is_judged and not_of_type(mime_type, metadata) or ""
  end

  function P.has_mistaken_route(_, metadata)
    for _, route in ipairs(routes_of(metadata)) do
      local found = near.mistaken_name(route)
      if found ~= "" then return near.quote(route) .. ", " .. found end
    end
    return ""
  end

  function P.is_nearly_served(_, metadata, served)
    local known, is_known = {}, {}
    for _, each in ipairs(near.values(served)) do
      for _, route in ipairs(routes_of(each)) do known[#known + 1], is_known[route] = route, true end
    end
    for _, route in ipairs(routes_of(metadata)) do
      local meant = is_known[route] and "" or near.similar(route, known)
      if meant ~= "" then return "'" .. route .. "', while '" .. meant .. "' is answered" end
    end
    return ""
  end

  -- A route with a mark in the place of each part that has a digit.
  local function without_ids(route)
    return (route:gsub("[^./:]+", function(part) return part:find("%d") and "#" or nil end))
  end

  function P.differs_in_id(_, metadata, former)
    local now, before = routes_of(metadata), routes_of(former)
    if #now ~= 1 or #before ~= 1 or now[1] == before[1] or without_ids(now[1]) ~= without_ids(before[1]) then return "" end
    return "'" .. before[1] .. "', '" .. now[1] .. "'"
  end

  -- User, password and token of authentication metadata, the number of their kind, and the first problem.
  local function authentication_of(content)
    local id, _, place, problem = type_at(content, 1)
    local found = { id = id }
    if not place then return found, problem end
    local rest = content:sub(place)
    if id == 1 then found.token = rest
    elseif id == 0 then
      local a, b = rest:byte(1, 2)
      for _, each in ipairs({ { 2, b and a * 256 + b }, { 1, a } }) do -- the length has 16 bits, else 8
        local user = each[2] and rest:sub(each[1] + 1, each[1] + each[2])
        local password = user and #user == each[2] and rest:sub(each[1] + each[2] + 1)
        if password and is_utf8(user) and is_utf8(password) then
          found.username, found.password = user, password
          break
        end
      end
      if not found.username then return found, ("no known layout uses up these %d bytes"):format(#rest) end
    end
    for _, name in ipairs({ "username", "password", "token" }) do
      if found[name] and not is_utf8(found[name]) then problem = problem or "not valid utf-8" end
    end
    return found, problem
  end

  local function is_scheme(text) return text:lower():find("^bearer ") ~= nil or text:lower():find("^basic ") ~= nil end

  local function bad_authentication(content)
    if not content or content == "" then return "it is empty" end
    local found, problem = authentication_of(content)
    local is_token = content:find("^eyJ[%w_-]+%.") ~= nil
    local is_bare = is_token or is_scheme(content)
    if problem and not is_bare then return "it is malformed (" .. problem .. ")" end
    if not found.id and is_bare then
      return "it begins with " .. (is_token and "a JSON Web Token" or "the name of a scheme of HTTP") .. " where the type of authentication belongs"
    end
    if found.id and found.id > 1 then return ("type %d is not assigned"):format(found.id) end
    if found.id == 0 then
      local a, b = content:byte(2, 3)
      if not found.username or found.username == "" then return "the user is empty, or the length of its name is wrong" end
      if b and a * 256 + b > #content - 3 then return "the length of the user has 8 bits instead of 16" end
    elseif found.id == 1 then
      if found.token == "" then return "the token is empty" end
      if is_scheme(found.token) then return "the token begins with the name of a scheme of HTTP" end
    end
    return ""
  end

  function P.has_bad_authentication(_, metadata)
    for _, each in ipairs(entries_of(metadata)) do
      if each.id == AUTHENTICATION_ID or each.name == AUTHENTICATION then
        local found = bad_authentication(each.content)
        if found ~= "" then return found end
      end
    end
    return ""
  end

  local function mark_of(text)
    if text:find("^%s") or text:find("%s$") then return "has white space at an end, such as the line break of a file" end
    if #text > 1 and text:find("^['\"]") and text:sub(1, 1) == text:sub(-1) then return "is in quotation marks" end
    if text == "undefined" or text == "null" or text == "None" or text:find("^%${") or text:find("^{{") then return "is the text of an unset variable" end
    return text:find("%%%x%x") and "is percent-encoded" or nil
  end

  function P.has_marked_credentials(_, metadata)
    for _, each in ipairs(entries_of(metadata or "")) do
      if each.content and each.content ~= "" and (each.id == AUTHENTICATION_ID or each.name == AUTHENTICATION) then
        local found, problem = authentication_of(each.content)
        for _, what in ipairs(problem and {} or { "username", "password", "token" }) do
          local mark = found[what] and mark_of(found[what])
          if mark then return "the " .. what .. " " .. mark end
        end
      end
    end
    return ""
  end

  -- The content of the first entry with authentication.
  local function credentials_of(metadata)
    for _, each in ipairs(entries_of(metadata or "")) do if each.id == AUTHENTICATION_ID then return each.content end end
  end

  function P.repeats_credentials(_, metadata, former)
    local own = credentials_of(former)
    return own ~= nil and own == credentials_of(metadata)
  end

  function P.has_expired_token(_, metadata, t) return contents.token_fault(metadata, t) end

  function P.has_clear_credentials(_, metadata)
    if contents.token_in(metadata) then return "a token" end
    for _, each in ipairs(entries_of(metadata)) do
      local is_one = each.id == AUTHENTICATION_ID or each.name and VEILED[each.name]
      if is_one and each.content and each.content ~= "" then return "authentication metadata" end
    end
    return ""
  end

  local PASSWORDS = { ['"password"'] = true, ['"passwd"'] = true, ['"pwd"'] = true, ['"client_secret"'] = true }

  function P.has_credentials_as_data(_, content)
    content = content:sub(1, 1024)
    if contents.token_in(content) then return "a token" end
    local from = content:find('"', 1, true)
    while from do
      local name, value = content:match('^("[%a_]+") ?: ?"([^"])', from)
      if value and PASSWORDS[name:lower()] then return "a password" end
      from = content:find('"', from + 1, true)
    end
    return ""
  end

  local ONCE = { { ROUTING_ID, "a route" }, { AUTHENTICATION_ID, "authentication" }, { DATA_TYPE_ID, "a MIME type of its data" } }

  function P.has_entry_twice(_, metadata)
    local count = {}
    for _, each in ipairs(entries_of(metadata)) do if each.id then count[each.id] = (count[each.id] or 0) + 1 end end
    for _, each in ipairs(ONCE) do if (count[each[1]] or 0) > 1 then return each[2] end end
    return ""
  end

  function P.is_name_of_type(_, metadata)
    local name = metadata:gsub("^%z+", ""):gsub("%z+$", "")
    if #name > 1 and name:byte() == #name - 1 then name = name:sub(2) end
    return well_known[name] and "the name " .. name or ""
  end

  local REFUSALS = { "does not support [%w_]+", "[Uu]nsupported interaction type%S*", "[Uu]nsupported frame type%S*" }

  function P.is_another_model(_, model, metadata, served, text)
    local best, found
    for _, pattern in ipairs(REFUSALS) do
      local from, to = (text or ""):find(pattern)
      if from and (not best or from < best) then best, found = from, text:sub(from, to) end
    end
    if found then return "the server says '" .. found .. "'" end
    local asked, least = table.concat(routes_of(metadata), "\0"), nil
    if asked == "" then return "" end
    for _, each in ipairs(near.values(served)) do
      local other, its = near.parts(each)
      if other and table.concat(routes_of(its), "\0") == asked then
        if other == model then return "" end
        least = (not least or other < least) and other or least
      end
    end
    return least and "its route is answered as " .. least or ""
  end

  -- Entries that cannot be used ----------------------------------------------------------------------

  local function hex_of(bytes) return (bytes:gsub(".", function(one) return ("%02x"):format(one:byte()) end)) end

  -- The ids of the trace and of the span.
  local function context_of_tracing(content)
    local flags = content:byte(1) or 0
    local has_ids, has_parent = flags >= 0x80, flags % 8 >= 4
    local from = flags % 16 >= 8 and 10 or 2
    if not has_ids or #content ~= from + 15 + (has_parent and 8 or 0) then return nil end
    return hex_of(content:sub(from, from + 7)), hex_of(content:sub(from + 8, from + 15))
  end

  -- What is wrong with the names and numbers of MIME types.
  local function wrong_types(id, content)
    local place, problem = 1, nil
    while place and (place <= #content or place == 1 and id == DATA_TYPE_ID) do
      local _, _, behind, wrong = type_at(content, place)
      problem, place = problem or wrong, behind
      if id == DATA_TYPE_ID then break end
    end
    local left = place and id == DATA_TYPE_ID and #content - place + 1 or 0
    return problem or left > 0 and ("%d trailing bytes after the last field"):format(left) or nil
  end

  -- What is wrong with the length of tracing metadata.
  local function wrong_tracing(content)
    local flags = content:byte(1)
    if not flags then return too_short(1, 0) end
    local place = 2
    local sizes = flags >= 0x80 and { flags % 16 >= 8 and 8 or 0, 8, 8, flags % 8 >= 4 and 8 or 0 } or {}
    for _, size in ipairs(sizes) do
      if #content - place + 1 < size then return too_short(size, #content - place + 1) end
      place = place + size
    end
    local left = #content - place + 1
    return left > 0 and ("%d trailing bytes after the last field"):format(left) or nil
  end

  local function bad_entry(id, content)
    if id == ROUTING_ID then return not content:find("[^%z]") and "the route is empty" or nil end
    local wrong
    if id == TRACING_ID then wrong = wrong_tracing(content) else wrong = wrong_types(id, content) end
    if wrong then return ("0x%x is malformed (%s)"):format(id, wrong) end
    local zero = id == TRACING_ID and contents.context_fault(context_of_tracing(content)) or ""
    return zero ~= "" and "of the tracing metadata " .. zero or nil
  end

  function P.has_bad_entry(_, metadata)
    local entries = entries_of(metadata)
    for _, id in ipairs({ ROUTING_ID, DATA_TYPE_ID, ACCEPT_ID, TRACING_ID }) do
      for _, each in ipairs(entries) do
        local found = each.id == id and each.content and bad_entry(id, each.content)
        if found then return found end
      end
    end
    for _, each in ipairs(metadata:find("ocket", 1, true) and entries or {}) do
      local is_odd = each.name and not well_known[each.name] and each.name:lower():find("x.rsocket", 1, true)
      if is_odd then return "no type of RSocket has the name " .. each.name end
    end
    return ""
  end

  -- What other requests have ---------------------------------------------------------------------------

  -- The MIME types of the entries of composite metadata, as a set.
  local function kinds_of(metadata)
    local all = {}
    for _, each in ipairs(entries_of(metadata)) do
      local kind = each.name and each.name ~= "" and each.name or (names.mime_id or {})[each.id]
      if kind then all[kind] = true end
    end
    return all
  end

  -- The types of entries that all others have, and some metadata has not.
  local function missing(metadata, others)
    local own, lacks = kinds_of(metadata), {}
    for kind in pairs(others[1] and kinds_of(others[1]) or {}) do
      local is_common = not own[kind]
      for nth = 2, is_common and #others or 0 do is_common = is_common and kinds_of(others[nth])[kind] end
      if is_common then lacks[#lacks + 1] = kind end
    end
    table.sort(lacks)
    return table.concat(lacks, " and no ")
  end

  function P.lacks_entry(_, metadata, served) return missing(metadata, near.values(served)) end

  function P.lacks_usual(_, metadata, traced, limit)
    local earlier = {}
    for nth, each in ipairs(near.values(traced)) do earlier[nth] = select(2, near.parts(each)) end
    return #earlier >= limit - 1 and missing(metadata, earlier) or ""
  end

  -- The ids of the trace and of the span of a request, of whatever kind, as a pair.
  local function context_of(metadata)
    if metadata:find("\253", 1, true) or metadata:find("tracing", 1, true) then
      for _, each in ipairs(entries_of(metadata)) do
        local is_one = each.id == TRACING_ID or each.name == TRACING
        if is_one and each.content and each.content ~= "" then
          return { context_of_tracing(each.content) }
        end
      end
    end
    return { contents.trace_context(metadata) }
  end

  function P.has_constant_trace(_, metadata, traced, limit)
    if not metadata:find("[\253-]") and not metadata:find("trac", 1, true) then return "" end
    local all, seen, contexts = near.values(traced), {}, {}
    for nth = math.max(1, #all - limit + 2), #all do
      local _, own, content = near.parts(all[nth])
      local key = f.member(own, content)
      if seen[key] then return "" end
      seen[key], contexts[#contexts + 1] = true, context_of(own)
    end
    contexts[#contexts + 1] = context_of(metadata)
    return contents.constant_context(contexts, limit)
  end

  -- Texts of errors ------------------------------------------------------------------------------------

  -- The second part of the first of some pairs whose pattern matches.
  local function first_match(pairs_of, text)
    for _, each in ipairs(pairs_of) do if search(each[1], text) then return each[2] end end
  end

  function P.has_trace(_, text)
    local language = first_match(tables.traces, text)
    if language then return "a stack trace of " .. language end
    return search(tables.credentials, text) and "credentials" or ""
  end

  function P.has_query(_, text)
    return P.has_trace("", text) == "" and search(tables.queries, text) and "a query or the error of a database" or ""
  end

  function P.says_nothing(_, text) return is_match(tables.nothing, (text:match("^%s*(.-)%s*$"))) end

  function P.lacks_handler(_, text) return is_match(tables.unimplemented, (text:match("^%s*(.-)%s*$"))) end

  function P.names_reason(_, text) return first_match(tables.reasons, text:sub(1, tables.longest_reason)) or "" end

  -- The order of items ---------------------------------------------------------------------------------

  -- The numbers in data, and the data with a mark in the place of each.
  local function numbered(content)
    local numbers = {}
    local shape = content:gsub("%d+", function(run)
      local marks = 0
      for from = 1, #run, tables.digits do
        numbers[#numbers + 1], marks = tonumber(run:sub(from, from + tables.digits - 1)), marks + 1
      end
      return ("#"):rep(marks)
    end)
    return numbers, shape
  end

  local function step(before, now)
    if now == before then return ("the number %.0f a second time"):format(now) end
    return ("the number %.0f after %.0f"):format(now, before)
  end

  -- Whether numbers between two places count up.
  local function counts_up(numbers, from, to)
    for nth = from + 1, to do if numbers[nth] ~= numbers[nth - 1] + 1 then return false end end
    return true
  end

  -- The last two numbers if all are those of a range, in another order.
  local function mixed_up(numbers)
    local size, least, most, seen = #numbers, math.huge, -math.huge, {}
    for _, each in ipairs(numbers) do
      if seen[each] then return "" end
      seen[each], least, most = true, math.min(least, each), math.max(most, each)
    end
    local falls = size >= tables.mixed and size == most - least + 1 and numbers[size] < numbers[size - 1]
    return falls and step(numbers[size - 1], numbers[size]) or ""
  end

  function P.breaks_order(_, _, content, firsts, in_order)
    local earlier, alike = near.values(firsts), {}
    local numbers, shape = numbered(content)
    local before = numbered(select(2, near.parts(earlier[#earlier])))
    for nth = 1, math.min(#before, #numbers) do if before[nth] + 1 == numbers[nth] then return "" end end
    for nth = math.max(1, #earlier - tables.compared + 1), #earlier do
      local its, its_shape = numbered(select(2, near.parts(earlier[nth])))
      if its_shape == shape then alike[#alike + 1] = its end
    end
    if #numbers == 0 or #alike < in_order then return "" end
    alike[#alike + 1] = numbers
    local rows, last = {}, #alike
    for place, number in ipairs(numbers) do
      local row = {}
      for nth, each in ipairs(alike) do row[nth] = each[place] end
      if number < tables.large then rows[#rows + 1] = row end
    end
    local is_carried = false
    for _, row in ipairs(rows) do
      local now, former = row[last], row[last - 1]
      if counts_up(row, last - in_order, last - 1) then
        local is_new = now == 0 or now == 1 or now == row[1] or now == former + 1
        return not is_carried and not is_new and step(former, now) or ""
      end
      is_carried = is_carried or now ~= former
    end
    for _, row in ipairs(rows) do
      local found = mixed_up(row)
      if found ~= "" then return found end
    end
    return ""
  end

  -- Refused credentials, and streams that are not requested again, as in `answer_predicates.py` ----------------------------

  function P.refuses_credentials(columns, text)
    local reason = P.names_reason(columns, text)
    return reason:sub(1, #tables.own_credentials) == tables.own_credentials and reason or ""
  end

  -- A request without its numbers.
  local function shape_of(name, route, content) return name .. "\0" .. (route or "") .. "\0" .. content:gsub("%d+", "#") end

  function P.leaves_out(_, lost, again)
    local is_kept, requests, shapes, missing = {}, {}, {}, {}
    for _, each in ipairs(near.values(again)) do is_kept[shape_of(near.parts(each))] = true end
    for _, each in ipairs(near.values(lost)) do
      local shape = shape_of(near.parts(each))
      if not requests[shape] then shapes[#shapes + 1] = shape end
      requests[shape] = each
    end
    for _, shape in ipairs(shapes) do if not is_kept[shape] then missing[#missing + 1] = requests[shape] end end
    if #missing == 0 or #missing == #shapes then return "" end
    local name, _, content = near.parts(missing[1])
    local shown = content:find("^[ -~]+$") and " of '" .. content .. "'" or ""
    return name .. shown .. (#missing > 1 and (" and %d more"):format(#missing - 1) or "")
  end

  -- Answers with the value of another request, as in `answer_predicates.py` ------------------------------------------------

  local function is_key(value)
    if type(value) == "string" then return true end
    return type(value) == "number" and math.abs(value) < tables.large_key and value == math.floor(value)
  end

  -- The texts and whole numbers of a JSON object by their names.
  local function members_of(content)
    local found, members = contents.object(content), { names = {}, of = {} }
    for _, name in ipairs(found and found.names or {}) do
      if is_key(found.of[name]) then members.names[#members.names + 1], members.of[name] = name, found.of[name] end
    end
    return members
  end

  -- The name of a value in an answer that is not its request's, but another's.
  local function foreign_name(pair, asked)
    for _, name in ipairs(pair.given.names) do
      local value, wanted = pair.given.of[name], pair.wanted.of[name]
      if wanted ~= nil and wanted ~= value then
        for _, other in ipairs(asked) do
          if other.n ~= pair.n and math.abs(other.t - pair.t) < tables.asked_at_once and other.members.of[name] == value then return name end
        end
      end
    end
  end

  local function pair_of(n, t, question, content)
    return { n = tonumber(n), t = tonumber(t), wanted = members_of(question or ""), given = members_of(content or "") }
  end

  function P.belongs_to_another(_, n, t, question, content, questions, replied, least)
    local asked, others, is_repeated, own = {}, 1, false, pair_of(n, t, question, content)
    for nth, each in ipairs(near.values(questions)) do
      local its_n, its_t, its = near.parts(each)
      asked[nth] = { n = tonumber(its_n), t = tonumber(its_t), members = members_of(its or "") }
    end
    local name = foreign_name(own, asked)
    if not name then return "" end
    for _, each in ipairs(near.values(replied)) do
      local pair = pair_of(near.parts(each))
      if foreign_name(pair, asked) == name then others = others + 1 end
      local wanted = pair.wanted.of[name]
      is_repeated = is_repeated or wanted ~= nil and wanted == pair.given.of[name]
    end
    if others < least or not is_repeated then return "" end
    return ("%s %s in place of %s"):format(name, contents.shown(own.given.of[name], #content), contents.shown(own.wanted.of[name], #question))
  end

  return P
end)(f.near, f.contents, {
  own_credentials = "its credentials",
  asked_at_once = 2000000000,
  large_key = 1000000000000000,
  traces = {
    {
      {
        { "text", "\010" },
        { "run", "[%s]", 1, -1 },
        { "text", "at " },
        { "run", "[%w_\128-\255%.`<>]", 1, -1 },
        { "text", "%(" },
        { "run", "[^\010]", 0, -1 },
        { "text", "%) in " },
        { "run", "[^\010]", 1, -1 },
        { "text", ":line " },
        { "run", "[%d]", 1, -1 },
      },
      ".NET",
    },
    {
      {
        { "text", "\010" },
        { "run", "[%s]", 1, -1 },
        { "text", "at " },
        { "run", "[%w_\128-\255%.%$<>/]", 1, -1 },
        { "text", "%(" },
        {
          "either",
          {
            {
              { "run", "[%w_\128-\255%$]", 1, -1 },
              { "text", "%." },
              { "run", "[%w_\128-\255]", 1, -1 },
              { "repeat", { { "text", ":" }, { "run", "[%d]", 1, -1 } }, 0, 1 },
            },
            { { "text", "Native Method" } },
            { { "text", "Unknown Source" } },
          },
        },
        { "text", "%)" },
      },
      "Java",
    },
    {
      {
        { "text", "\010" },
        { "run", "[%s]", 1, -1 },
        { "text", "at " },
        { "repeat", { { "text", "async " } }, 0, 1 },
        { "run", "[%w_\128-\255%.<> %[%]]", 1, -1 },
        { "text", " " },
        { "run", "%(", 0, 1 },
        {
          "either",
          {
            { { "text", "file:" } },
            { { "text", "node:" } },
            { { "text", "/" } },
            { { "text", "[A-Z]:\\" } },
          },
        },
      },
      "JavaScript",
    },
    {
      {
        {
          "either",
          {
            { { "text", "Traceback %(most recent call last%)" } },
            {
              { "text", "File \"" },
              { "run", "[^\010]", 1, -1 },
              { "text", "\", line " },
              { "run", "[%d]", 1, -1 },
            },
          },
        },
      },
      "Python",
    },
    {
      {
        {
          "either",
          {
            { { "text", "goroutine " }, { "run", "[%d]", 1, -1 }, { "text", " %[" } },
            {
              { "text", "\010" },
              { "run", "[%s]", 1, -1 },
              { "text", "/" },
              { "run", "[%S]", 1, -1 },
              { "text", "%.go:" },
              { "run", "[%d]", 1, -1 },
            },
          },
        },
      },
      "Go",
    },
    {
      {
        {
          "either",
          {
            { { "text", "stack backtrace:" } },
            {
              { "text", "\010" },
              { "run", "[%s]", 1, -1 },
              { "text", "at " },
              { "run", "[%S]", 1, -1 },
              { "text", "%.rs:" },
              { "run", "[%d]", 1, -1 },
            },
          },
        },
      },
      "Rust",
    },
    {
      {
        { "run", "[%S]", 1, -1 },
        { "text", "%.rb:" },
        { "run", "[%d]", 1, -1 },
        { "text", ":in [`']" },
      },
      "Ruby",
    },
    {
      {
        { "text", "#0 " },
        { "run", "[%S]", 1, -1 },
        { "text", "%.php%(" },
        { "run", "[%d]", 1, -1 },
        { "text", "%)" },
      },
      "PHP",
    },
  },
  credentials = {
    {
      "either",
      {
        {
          { "text", "[%w_\128-\255]://" },
          { "run", "[^/%s:@]", 1, -1 },
          { "text", ":" },
          { "run", "[^/%s@]", 1, -1 },
          { "text", "@" },
        },
        {
          {
            "either",
            {
              { { "text", "[Pp][Aa][Ss][Ss][Ww][Oo][Rr][Dd]" } },
              { { "text", "[Pp][Aa][Ss][Ss][Ww][Dd]" } },
              { { "text", "[Pp][Ww][Dd]" } },
              { { "text", "[Ss][Ee][Cc][Rr][Ee][Tt]" } },
              { { "text", "[Aa][Pp][Ii]" }, { "run", "[_%-]", 0, 1 }, { "text", "[Kk][Ee][Yy]" } },
            },
          },
          { "run", "[%s]", 0, -1 },
          { "text", "[=:]" },
          { "run", "[%s]", 0, -1 },
          { "run", "['\"]", 0, 1 },
          { "run", "[^%s'\"]", 3, 3 },
        },
      },
    },
  },
  queries = {
    {
      "either",
      {
        { { "text", "SQLSTATE" } },
        { { "text", "ORA%-" }, { "run", "[%d]", 5, 5 } },
        { { "text", "[Jj][Dd][Bb][Cc]:" }, { "run", "[%w_\128-\255]", 1, -1 }, { "text", ":" } },
        {
          { "text", "[Ss][Yy][Nn][Tt][Aa][Xx] [Ee][Rr][Rr][Oo][Rr] [Aa][Tt] [Oo][Rr] [Nn][Ee][Aa][Rr]" },
        },
        {
          {
            "either",
            {
              {
                { "text", "[Ss][Ee][Ll][Ee][Cc][Tt][%s]" },
                { "run", "[^\010]", 1, -1 },
                { "text", "[%s][Ff][Rr][Oo][Mm][%s]" },
                { "run", "[^\010]", 1, -1 },
                { "text", "[%s][Ww][Hh][Ee][Rr][Ee][%s]" },
              },
              {
                { "text", "[Ii][Nn][Ss][Ee][Rr][Tt]" },
                { "run", "[%s]", 1, -1 },
                { "text", "[Ii][Nn][Tt][Oo][%s]" },
              },
              {
                { "text", "[Uu][Pp][Dd][Aa][Tt][Ee]" },
                { "run", "[%s]", 1, -1 },
                { "run", "[%w_\128-\255]", 1, -1 },
                { "run", "[%s]", 1, -1 },
                { "text", "[Ss][Ee][Tt][%s]" },
              },
            },
          },
        },
      },
    },
  },
  nothing = {
    {
      "either",
      {
        {
          {
            "either",
            {
              { { "text", "[Nn][Uu][Ll][Ll]" } },
              { { "text", "[Uu][Nn][Dd][Ee][Ff][Ii][Nn][Ee][Dd]" } },
              { { "text", "[Nn][Oo][Nn][Ee]" } },
              { { "text", "[Nn][Ii][Ll]" } },
              { { "text", "[Ee][Rr][Rr][Oo][Rr]" } },
              { { "text", "[Ee][Xx][Cc][Ee][Pp][Tt][Ii][Oo][Nn]" } },
              {
                { "text", "[Uu][Nn][Kk][Nn][Oo][Ww][Nn]" },
                { "repeat", { { "text", " [Ee][Rr][Rr][Oo][Rr]" } }, 0, 1 },
              },
              {
                { "text", "%[[Oo][Bb][Jj][Ee][Cc][Tt] " },
                { "run", "[%w_\128-\255]", 1, -1 },
                { "text", "%]" },
              },
              { { "text", "{}" } },
              { { "text", "%[%]" } },
            },
          },
        },
        {
          { "repeat", { { "run", "[%w_\128-\255]", 1, -1 }, { "text", "%." } }, 0, -1 },
          { "run", "[%w_\128-\255]", 1, -1 },
          { "text", "E" },
          { "either", { { { "text", "xception" } }, { { "text", "rror" } } } },
          { "repeat", { { "text", "%(%)" } }, 0, 1 },
          { "repeat", { { "text", ": null" } }, 0, 1 },
        },
      },
    },
  },
  unimplemented = {
    { "repeat", { { "text", "[Rr][Ee][Qq][Uu][Ee][Ss][Tt]" }, { "run", "[%-_ ]", 0, 1 } }, 0, 1 },
    {
      "repeat",
      {
        {
          "either",
          {
            { { "text", "[Rr][Ee][Ss][Pp][Oo][Nn][Ss][Ee]" } },
            { { "text", "[Ss][Tt][Rr][Ee][Aa][Mm]" } },
            { { "text", "[Cc][Hh][Aa][Nn][Nn][Ee][Ll]" } },
            { { "text", "[Ff][Nn][Ff]" } },
            {
              { "text", "[Ff][Ii][Rr][Ee]" },
              { "run", "[%-_ ]", 0, 1 },
              { "text", "[Aa][Nn][Dd]" },
              { "run", "[%-_ ]", 0, 1 },
              { "text", "[Ff][Oo][Rr][Gg][Ee][Tt]" },
            },
          },
        },
      },
      0,
      1,
    },
    { "run", "[%-_ %.:%(%)]", 0, -1 },
    {
      "repeat",
      { { "either", { { { "text", "[Ii][Ss] " } }, { { "text", "[Mm][Ee][Tt][Hh][Oo][Dd] " } } } } },
      0,
      1,
    },
    {
      "either",
      {
        {
          { "text", "[Nn][Oo][Tt][ _%-][Ii][Mm][Pp][Ll][Ee][Mm][Ee][Nn][Tt]" },
          { "repeat", { { "text", "[Ee][Dd]" } }, 0, 1 },
        },
        {
          { "text", "[Uu][Nn][Ii][Mm][Pp][Ll][Ee][Mm][Ee][Nn][Tt]" },
          { "repeat", { { "text", "[Ee][Dd]" } }, 0, 1 },
        },
      },
    },
    { "run", "[%-_ %.:%(%)!]", 0, -1 },
  },
  reasons = {
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            { { "text", "[Hh][Aa][Nn][Dd][Ll][Ee][Rr]" } },
            { { "text", "[Rr][Oo][Uu][Tt][Ee]" } },
            { { "text", "[Mm][Aa][Pp][Pp][Ii][Nn][Gg]" } },
            { { "text", "[Dd][Ee][Ss][Tt][Ii][Nn][Aa][Tt][Ii][Oo][Nn]" } },
          },
        },
        { "edge", "[%w_\128-\255]" },
        { "run", "[^\010]", 0, -1 },
        {
          "either",
          {
            { { "text", "''" } },
            { { "text", "\"\"" } },
            { { "edge", "[%w_\128-\255]" }, { "text", "[Nn][Uu][Ll][Ll]" }, { "edge", "[%w_\128-\255]" } },
          },
        },
      },
      "the server finds no route in its metadata",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            {
              { "text", "[Nn][Oo] " },
              {
                "either",
                {
                  { { "text", "[Hh][Aa][Nn][Dd][Ll][Ee][Rr]" } },
                  { { "text", "[Mm][Aa][Pp][Pp][Ii][Nn][Gg]" } },
                  { { "text", "[Ss][Ee][Rr][Vv][Ii][Cc][Ee]" } },
                  { { "text", "[Mm][Ee][Tt][Hh][Oo][Dd]" } },
                  { { "text", "[Rr][Ee][Ss][Pp][Oo][Nn][Dd][Ee][Rr]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "text", "[Rr][Oo][Uu][Tt][Ee]" },
              { "edge", "[%w_\128-\255]" },
              { "run", "[^\010]", 0, -1 },
              { "edge", "[%w_\128-\255]" },
              {
                "either",
                {
                  { { "text", "[Nn][Oo][Tt]" } },
                  { { "text", "[Uu][Nn][Kk][Nn][Oo][Ww][Nn]" } },
                  { { "text", "[Mm][Ii][Ss][Ss][Ii][Nn][Gg]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              {
                "either",
                {
                  { { "text", "[Uu][Nn][Kk][Nn][Oo][Ww][Nn]" } },
                  { { "text", "[Mm][Ii][Ss][Ss][Ii][Nn][Gg]" } },
                  { { "text", "[Nn][Oo]" } },
                  { { "text", "[Ii][Nn][Vv][Aa][Ll][Ii][Dd]" } },
                },
              },
              { "text", " [Rr][Oo][Uu][Tt][Ee]" },
              { "edge", "[%w_\128-\255]" },
            },
            {
              {
                "either",
                {
                  { { "text", "[Hh][Aa][Nn][Dd][Ll][Ee][Rr]" } },
                  { { "text", "[Rr][Oo][Uu][Tt][Ee]" } },
                  { { "text", "[Mm][Ee][Tt][Hh][Oo][Dd]" } },
                  { { "text", "[Ss][Ee][Rr][Vv][Ii][Cc][Ee]" } },
                  { { "text", "[Mm][Aa][Pp][Pp][Ii][Nn][Gg]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
              { "run", "[^\010]", 0, -1 },
              { "edge", "[%w_\128-\255]" },
              {
                "either",
                {
                  { { "text", "[Ff][Oo][Uu][Nn][Dd]" } },
                  { { "text", "[Rr][Ee][Gg][Ii][Ss][Tt][Ee][Rr][Ee][Dd]" } },
                  { { "text", "[Ii][Mm][Pp][Ll][Ee][Mm][Ee][Nn][Tt][Ee][Dd]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
          },
        },
      },
      "the server has no handler for its route",
    },
    {
      {
        {
          "either",
          {
            {
              { "text", "[Tt][Oo][Oo] " },
              {
                "either",
                {
                  { { "text", "[Bb][Ii][Gg]" } },
                  { { "text", "[Ll][Aa][Rr][Gg][Ee]" } },
                  { { "text", "[Ll][Oo][Nn][Gg]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "edge", "[%w_\128-\255]" },
              { "text", "[Ee][Xx][Cc][Ee][Ee][Dd]" },
              { "repeat", { { "either", { { { "text", "[Ss]" } }, { { "text", "[Ee][Dd]" } } } } }, 0, 1 },
              { "edge", "[%w_\128-\255]" },
              { "run", "[^\010]", 0, -1 },
              { "edge", "[%w_\128-\255]" },
              {
                "either",
                {
                  { { "text", "[Mm][Aa][Xx]" } },
                  { { "text", "[Ll][Ii][Mm][Ii][Tt]" } },
                  { { "text", "[Ss][Ii][Zz][Ee]" } },
                  { { "text", "[Ll][Ee][Nn][Gg][Tt][Hh]" } },
                },
              },
            },
            {
              { "edge", "[%w_\128-\255]" },
              { "text", "[Mm][Aa][Xx]" },
              { "repeat", { { "text", "[Ii][Mm][Uu][Mm]" } }, 0, 1 },
              { "text", " " },
              {
                "either",
                {
                  { { "text", "[Ff][Rr][Aa][Mm][Ee]" } },
                  { { "text", "[Pp][Aa][Yy][Ll][Oo][Aa][Dd]" } },
                  { { "text", "[Mm][Ee][Ss][Ss][Aa][Gg][Ee]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "edge", "[%w_\128-\255]" },
              { "text", "[Ff][Rr][Aa][Gg][Mm][Ee][Nn][Tt][Aa][Tt][Ii][Oo][Nn]" },
              { "edge", "[%w_\128-\255]" },
            },
          },
        },
      },
      "a payload is too large for one frame, or for a limit of the peer",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            {
              { "either", { { { "text", "[Ee][Nn]" } }, { { "text", "[Dd][Ee]" } } } },
              { "text", "[Cc][Oo][Dd]" },
              { "either", { { { "text", "[Ee]" } }, { { "text", "[Ii][Nn][Gg]" } } } },
              { "edge", "[%w_\128-\255]" },
              { "run", "[^\010]", 0, -1 },
              { "edge", "[%w_\128-\255]" },
              {
                "either",
                {
                  { { "text", "[Ee][Rr][Rr][Oo][Rr]" } },
                  { { "text", "[Ff][Aa][Ii][Ll]" } },
                  { { "text", "[Nn][Oo][Tt]" } },
                },
              },
            },
            {
              {
                "either",
                {
                  { { "text", "[Ff][Aa][Ii][Ll][Ee][Dd] [Tt][Oo]" } },
                  { { "text", "[Cc][Aa][Nn][Nn][Oo][Tt]" } },
                  { { "text", "[Cc][Oo][Uu][Ll][Dd] [Nn][Oo][Tt]" } },
                  { { "text", "[Cc][Aa][Nn]'[Tt]" } },
                  { { "text", "[Uu][Nn][Aa][Bb][Ll][Ee] [Tt][Oo]" } },
                },
              },
              { "text", " " },
              { "repeat", { { "either", { { { "text", "[Dd][Ee]" } }, { { "text", "[Ee][Nn]" } } } } }, 0, 1 },
              {
                "either",
                {
                  { { "text", "[Cc][Oo][Dd][Ee]" } },
                  { { "text", "[Ss][Ee][Rr][Ii][Aa][Ll][Ii][Zz][Ee]" } },
                  { { "text", "[Pp][Aa][Rr][Ss][Ee]" } },
                  { { "text", "[Rr][Ee][Aa][Dd]" } },
                  { { "text", "[Cc][Oo][Nn][Vv][Ee][Rr][Tt]" } },
                },
              },
            },
            {
              { "text", "[Uu][Nn][Ss][Uu][Pp][Pp][Oo][Rr][Tt][Ee][Dd] " },
              {
                "either",
                {
                  { { "text", "[Mm][Ee][Dd][Ii][Aa]" } },
                  { { "text", "[Mm][Ii][Mm][Ee]" } },
                  { { "text", "[Cc][Oo][Nn][Tt][Ee][Nn][Tt]" } },
                },
              },
            },
            {
              { "text", "[Uu][Nn]" },
              {
                "either",
                {
                  { { "text", "[Ee][Xx][Pp][Ee][Cc][Tt][Ee][Dd]" } },
                  { { "text", "[Rr][Ee][Cc][Oo][Gg][Nn][Ii][Zz][Ee][Dd]" } },
                },
              },
              { "text", " " },
              {
                "either",
                {
                  { { "text", "[Tt][Oo][Kk][Ee][Nn]" } },
                  { { "text", "[Cc][Hh][Aa][Rr][Aa][Cc][Tt][Ee][Rr]" } },
                  { { "text", "[Ee][Nn][Dd] [Oo][Ff]" } },
                },
              },
            },
            { { "text", "[Mm][Aa][Ll][Ff][Oo][Rr][Mm][Ee][Dd]" }, { "edge", "[%w_\128-\255]" } },
            {
              { "text", "[Ii][Nn][Vv][Aa][Ll][Ii][Dd] " },
              {
                "either",
                {
                  { { "text", "[Jj][Ss][Oo][Nn]" } },
                  { { "text", "[Cc][Bb][Oo][Rr]" } },
                  { { "text", "[Uu][Tt][Ff]" } },
                  { { "text", "[Cc][Hh][Aa][Rr][Aa][Cc][Tt][Ee][Rr]" } },
                  { { "text", "[Ss][Tt][Aa][Rr][Tt] [Bb][Yy][Tt][Ee]" } },
                },
              },
            },
          },
        },
      },
      "its data or metadata cannot be read as the type that SETUP announces",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            {
              { "text", "[Aa][Cc][Cc][Ee][Ss][Ss] " },
              { "repeat", { { "text", "[Ii][Ss] " } }, 0, 1 },
              { "text", "[Dd][Ee][Nn][Ii][Ee][Dd]" },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "text", "[Uu][Nn][Aa][Uu][Tt][Hh][Oo][Rr][Ii][SsZz][Ee][Dd]" },
              { "edge", "[%w_\128-\255]" },
            },
            { { "text", "[Ff][Oo][Rr][Bb][Ii][Dd][Dd][Ee][Nn]" }, { "edge", "[%w_\128-\255]" } },
            {
              { "text", "[Nn][Oo][Tt] [Aa]" },
              {
                "either",
                {
                  { { "text", "[Ll][Ll][Oo][Ww][Ee][Dd]" } },
                  { { "text", "[Uu][Tt][Hh][Ee][Nn][Tt][Ii][Cc][Aa][Tt][Ee][Dd]" } },
                  { { "text", "[Uu][Tt][Hh][Oo][Rr][Ii][SsZz][Ee][Dd]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              {
                "either",
                {
                  { { "text", "[Ii][Nn][Vv][Aa][Ll][Ii][Dd]" } },
                  { { "text", "[Bb][Aa][Dd]" } },
                  { { "text", "[Ww][Rr][Oo][Nn][Gg]" } },
                  { { "text", "[Mm][Ii][Ss][Ss][Ii][Nn][Gg]" } },
                  { { "text", "[Nn][Oo]" } },
                  { { "text", "[Ee][Xx][Pp][Ii][Rr][Ee][Dd]" } },
                },
              },
              { "text", " " },
              {
                "either",
                {
                  { { "text", "[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll][Ss]" } },
                  { { "text", "[Tt][Oo][Kk][Ee][Nn]" } },
                  { { "text", "[Pp][Aa][Ss][Ss][Ww][Oo][Rr][Dd]" } },
                  { { "text", "[Aa][Uu][Tt][Hh][Ee][Nn][Tt][Ii][Cc][Aa][Tt][Ii][Oo][Nn]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            {
              {
                "either",
                { { { "text", "[Tt][Oo][Kk][Ee][Nn]" } }, { { "text", "[Ss][Ee][Ss][Ss][Ii][Oo][Nn]" } } },
              },
              { "edge", "[%w_\128-\255]" },
              { "run", "[^\010]", 0, -1 },
              { "edge", "[%w_\128-\255]" },
              { "text", "[Ee][Xx][Pp][Ii][Rr][Ee][Dd]" },
              { "edge", "[%w_\128-\255]" },
            },
          },
        },
      },
      "its credentials are missing, not valid, or not sufficient",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            {
              { "text", "[Tt][Ii][Mm][Ee]" },
              { "run", "[Dd]", 0, 1 },
              { "run", "[ %-]", 0, 1 },
              { "text", "[Oo][Uu][Tt]" },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "text", "[Dd][Ii][Dd] [Nn][Oo][Tt] " },
              {
                "either",
                {
                  { { "text", "[Oo][Bb][Ss][Ee][Rr][Vv][Ee]" } },
                  { { "text", "[Rr][Ee][Ss][Pp][Oo][Nn][Dd]" } },
                  { { "text", "[Aa][Nn][Ss][Ww][Ee][Rr]" } },
                },
              },
              { "edge", "[%w_\128-\255]" },
            },
            { { "text", "[Dd][Ee][Aa][Dd][Ll][Ii][Nn][Ee]" }, { "edge", "[%w_\128-\255]" } },
          },
        },
      },
      "the responder gave up waiting for something itself",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        {
          "either",
          {
            {
              { "text", "[Ll][Aa][Cc][Kk] [Oo][Ff] [Rr][Ee][Qq][Uu][Ee][Ss][Tt][Ss]" },
              { "edge", "[%w_\128-\255]" },
            },
            {
              { "text", "[Bb][Aa][Cc][Kk]" },
              { "run", "[ %-]", 0, 1 },
              { "text", "[Pp][Rr][Ee][Ss][Ss][Uu][Rr][Ee]" },
              { "edge", "[%w_\128-\255]" },
            },
            { { "text", "[Oo][Vv][Ee][Rr][Rr][Uu][Nn]" }, { "edge", "[%w_\128-\255]" } },
            {
              {
                "either",
                { { { "text", "[Bb][Uu][Ff][Ff][Ee][Rr]" } }, { { "text", "[Qq][Uu][Ee][Uu][Ee]" } } },
              },
              { "text", " " },
              { "repeat", { { "text", "[Ii][Ss] " } }, 0, 1 },
              {
                "either",
                { { { "text", "[Ff][Uu][Ll][Ll]" } }, { { "text", "[Oo][Vv][Ee][Rr][Ff][Ll][Oo][Ww]" } } },
              },
            },
          },
        },
      },
      "its source produces more than was requested",
    },
    {
      {
        { "edge", "[%w_\128-\255]" },
        { "text", "[Ll][Ee][Aa][Ss][Ee]" },
        { "run", "[Ss]", 0, 1 },
        { "edge", "[%w_\128-\255]" },
      },
      "no lease allows it",
    },
  },
  longest_reason = 256,
  digits = 15,
  compared = 16,
  large = 1000000000,
  mixed = 6,
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
local shown_headers = { undecoded } -- fields of all frames for which one is read as it is shown: for findings it is only judged
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

-- Where key and version stand in frames of which no more is known: fields with their places in bytes. So does the number that
-- joins requests and responses, if it stands before the key: what follows depends on the key.
local function info_of_head(steps, correlates)
  local own, place_in_head = {}, 0
  for _, made in ipairs(steps) do
    for _, one in ipairs(made.parts or { made }) do
      local is_shown = one.abbreviation == NAME .. ".key" or one.abbreviation == NAME .. ".version"
      if is_shown then own[#own + 1] = { field = one.field, from = place_in_head, size = made.size } end
      if one.path == correlates and #own == 0 then own.correlates, own.correlates_at = one, place_in_head end
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
    heads[dialect].info_texts = heads[dialect].info_texts or info_of_head(steps, each.correlates)
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

-- Kinds of steps of which a line takes as long to read as the whole, where this holds of all inside of them.
local SINGLE = {
  number = true, bits = true, run = true, blob = true, literal = true, line = true, json_line = true, headers = true,
  record = true, region = true, when = true, tail = true, either = true,
}

local function are_single(steps)
  for _, made in ipairs(steps) do
    local is_gathered = made.kind == "list" and (made.gathers or made.records) -- which conversations want all of
    if not SINGLE[made.kind] and not is_gathered then return false end
    for _, inner in ipairs({ "members", "clear", "set" }) do
      if made[inner] and not are_single(made[inner]) then return false end
    end
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

-- Frames that were cut into pieces, and items that run on over frames: put together where they end ----------------

do

local MOST_BYTES = 16 * 1024 * 1024 -- of one frame that is put together
local MOST_WAITING = 64 * 1024 * 1024 -- of all that are not whole yet; the oldest makes room
local MOST_OPEN = 65536 -- streams of a side whose last piece is waited for
local MOST_PIECES, MOST_TOLD = 1024, 16 -- pieces of one frame that are listed, and in its line

local lost_segment = Field.new("tcp.analysis.lost_segment")
local waiting, kept -- bytes of what is not whole yet, and of what is, for later visits

-- Lets go of the bytes of one that has some in a pool.
local function release(pool, whole)
  pool.size, pool.held[whole] = pool.size - (pool.held[whole] or 0), nil
  while pool.first <= pool.last and not pool.held[pool.queue[pool.first]] do
    pool.queue[pool.first], pool.first = nil, pool.first + 1
  end
end

-- Counts bytes that are held; the oldest gives its own up while they are too many.
local function hold(pool, whole, count, most, give_up)
  if not pool.held[whole] then
    pool.last = pool.last + 1
    pool.queue[pool.last] = whole
  end
  pool.held[whole], pool.size = (pool.held[whole] or 0) + count, pool.size + count
  while pool.size > most do give_up(pool.queue[pool.first]) end
end

local function new_pool() return { size = 0, held = {}, queue = {}, first = 1, last = 0 } end

function pieces.begin() waiting, kept = new_pool(), new_pool() end

-- It cannot be put together; the first reason stays.
local function fail(whole, reason)
  whole.reason, whole.parts = whole.reason or reason, {}
  release(waiting, whole)
end

local function fail_oldest(whole) fail(whole, "more than " .. MOST_WAITING .. " bytes of fragments are pending") end

local function give_up_oldest(whole)
  whole.parts, whole.gone = {}, true
  release(kept, whole)
end

-- What is known of a frame in pieces: command of the first one, nil where that is not in the capture.
local function new_whole(command) return { command = command, count = 0, packets = {}, sizes = {}, parts = {}, bytes = 0 } end

local function see_one(whole)
  whole.count = whole.count + 1
  if whole.count <= MOST_PIECES then whole.packets[whole.count] = here.number end
end

-- One more piece of a part.
local function add_part(whole, name, raw)
  whole.sizes[name] = (whole.sizes[name] or 0) + #raw
  if whole.reason then return end
  whole.bytes = whole.bytes + #raw
  if whole.bytes > MOST_BYTES then return fail(whole, "its pieces are more than " .. MOST_BYTES .. " bytes") end
  local all = whole.parts[name] or {}
  whole.parts[name], all[#all + 1] = all, raw
  hold(waiting, whole, #raw, MOST_WAITING, fail_oldest)
end

local function put_together(parts)
  local out = {}
  for name, all in pairs(parts) do out[name] = type(all) == "table" and table.concat(all) or all end
  return out
end

-- Its last piece has come.
local function finish_whole(whole)
  release(waiting, whole)
  whole.parts = put_together(whole.parts)
  local count = 0
  for _, part in pairs(whole.parts) do count = count + #part end
  if count > 0 then hold(kept, whole, count, preferences.kept, give_up_oldest) end
end

-- Remembers what a frame is a piece of, and which one; 0 for one that is read by itself, too.
local function remember(whole, nth, complete)
  local own = note()
  own.whole, own.nth, own.complete, own.piece = whole, nth, complete, nth > 0
  return not complete
end

local function bytes_named(name)
  local from = rawget(v, name .. " at")
  return from and data:sub(from + 1, from + v["#" .. name])
end

-- Fragments ------------------------------------------------------------------------------------------------------

local function new_state()
  return { open = { {}, {} }, opened = { 0, 0 }, joined = { false, false }, begun = { {}, {} }, begins = { 0, 0 }, runs = { {}, {} } }
end

-- The next piece on this stream is a first one, where it is not known whether one was missed.
local function begin_stream(all, side, stream)
  if not all.joined[side] or all.begun[side][stream] then return end
  if all.begins[side] >= MOST_OPEN then all.begun[side], all.begins[side] = {}, 0 end
  all.begun[side][stream], all.begins[side] = true, all.begins[side] + 1
end

local function close_stream(all, side, stream)
  all.open[side][stream], all.opened[side] = nil, all.opened[side] - 1
end

-- What the next frame of a side and stream is a piece of; nil for one that is none.
local function whole_of(all, side, stream, name, more, is_first)
  local whole, crossed = all.open[side][stream], false
  if is_first or not FRAGMENTS.continued[name] then
    if whole then
      crossed = not whole.reason
      fail(whole, "another frame began on its stream")
      close_stream(all, side, stream)
      whole = nil
    end
    begin_stream(all, 1, stream)
    begin_stream(all, 2, stream)
  end
  if not whole and more then
    if all.opened[side] >= MOST_OPEN then
      for _, each in pairs(all.open[side]) do fail(each, "too many frames are incomplete") end
      all.open[side], all.opened[side], all.joined[side] = {}, 0, true
    end
    local known = not all.joined[side] or not FRAGMENTS.continued[name] or all.begun[side][stream]
    whole = new_whole(known and name or nil)
    all.open[side][stream], all.opened[side] = whole, all.opened[side] + 1
    if not known then fail(whole, "its first fragment is not in the capture")
    elseif crossed then fail(whole, "it began inside another frame") end
  elseif not whole then begin_stream(all, side, stream) end
  return whole
end

-- Puts the last piece to the parts before it, where they do not just stand one behind the other.
local function join_last(whole)
  local found = joins(put_together(whole.parts), function(name)
    if rawget(v, name .. " at") then return bytes_named(name) end
    return rawget(v, name)
  end)
  if type(found) == "string" then return fail(whole, found) end
  whole.parts = found
  for name, part in pairs(found) do whole.sizes[name] = #part end
end

local function see_fragment(all, frame, side, halted)
  local name, continued = frame.command, FRAGMENTS.continued[frame.command]
  local begun, id = FRAGMENTS.begun[name], rawget(v, FRAGMENTS.by)
  local stream = type(id) == "userdata" and tostring(id) or id or false
  if not (frame.more or begun or not FRAGMENTS.flags and continued) then
    for each_side = 1, 2 do
      local open = all.open[each_side][stream]
      if open then fail(open, name .. " arrived before its last fragment") end
    end
    return false
  end
  local where = FRAGMENTS.place and rawget(v, FRAGMENTS.place)
  local more = begun or frame.more and band(v[FRAGMENTS.flags], frame.more) ~= 0 or where == 0 or where == 1 or false
  local whole = whole_of(all, side, stream, name, more, where == 0)
  if not whole then return false end
  see_one(whole)
  if halted then fail(whole, "one of its fragments is malformed") end
  if more or where or not joins then
    for _, part in ipairs(FRAGMENTS.parts) do
      local raw = bytes_named(part)
      if raw then add_part(whole, part, raw) end
    end
  elseif not whole.reason then join_last(whole) end
  local nth = begun and 0 or whole.count
  if not more then
    close_stream(all, side, stream)
    finish_whole(whole)
    begin_stream(all, side, stream)
  end
  return remember(whole, nth, not more)
end

-- Items that run on ----------------------------------------------------------------------------------------------

-- How many of the bytes are whole items, and with how many the next one is; nil for bytes that are no items.
local function items_in(raw)
  local from, size = 0, #RUN.begins
  while from + RUN.least <= #raw do
    local a, b, c, d = raw:byte(from + size + 1, from + size + 4)
    local length = ((a * 256 + b) * 256 + c) * 256 + d
    if raw:sub(from + 1, from + size) ~= RUN.begins or length > RUN.most then return nil end
    local behind = from + RUN.least + length
    if behind > #raw then return from, behind end
    from = behind
  end
  local rest = raw:sub(from + 1, from + size)
  if rest ~= RUN.begins:sub(1, #rest) then return nil end
  return from, from + RUN.least
end

local function see_run(all, frame, side)
  local raw, name, position = bytes_named(RUN.part), rawget(v, RUN.by), tonumber(tostring(v[RUN.position]))
  if not raw or raw == "" then return false end
  local runs, part = all.runs[side], RUN.part
  local open = runs[name]
  runs[name] = nil
  if open and open.position ~= position then
    fail(open.whole, "the bytes after it are not in the capture")
    open = nil
  end
  local whole = open and open.whole
  if not whole then
    local length = items_in(raw)
    if not length or length == #raw then return false end
    whole = new_whole(frame.command)
  end
  see_one(whole)
  local nth = whole.count
  add_part(whole, part, raw)
  if whole.reason then return remember(whole, nth, true) end
  local rest = whole
  if whole.bytes >= (whole.needed or 0) then
    local together = table.concat(whole.parts[part])
    local length, needed = items_in(together)
    if not length then
      fail(whole, "its continuation is not an item")
      return remember(whole, nth, true)
    end
    whole.needed, whole.parts[part] = needed, { together }
    if length > 0 then
      local behind = together:sub(length + 1)
      whole.parts[part], whole.sizes[part] = { together:sub(1, length) }, length
      finish_whole(whole)
      rest = nil
      if behind ~= "" then
        rest = new_whole(frame.command)
        see_one(rest)
        add_part(rest, part, behind)
        rest.needed = needed - length
      end
    end
  end
  if rest and not rest.reason then runs[name] = { position = position + #raw, whole = rest } end
  return remember(whole, nth, rest ~= whole)
end

-- Notes what a frame is a piece of, on the first visit, when its members are known. Whether other pieces follow.
function pieces.see(frame, side, halted)
  local all = conversation.pieces or new_state()
  conversation.pieces = all
  if RUN and RUN.command == frame.command then return not halted and see_run(all, frame, side) end
  return see_fragment(all, frame, side, halted)
end

-- Bytes of a side are missing: nothing that is open on it becomes whole.
function pieces.lose(side)
  local all = conversation.pieces or new_state()
  conversation.pieces = all
  all.joined[side], all.begun[side], all.begins[side] = true, {}, 0
  for _, each in pairs(all.open[side]) do fail(each, "bytes between its fragments are missing") end
  for _, each in pairs(all.runs[side]) do fail(each.whole, "bytes between its fragments are missing") end
  all.runs[side] = {}
end

-- What TCP says of a segment, where it says anything.
function pieces.see_segment() if not here.visited and view.tree and lost_segment() then pieces.lose(side_of()) end end

local function in_words(number, one) return digits(number) .. " " .. one .. (number == 1 and "" or "s") end

-- What a line says of a frame that is a piece.
function pieces.sentence(frame)
  local own = notes[id_here]
  local whole = own and own.whole
  if not whole or own.nth == 0 then return "" end
  if not own.complete then
    return " [fragment " .. own.nth .. (whole.command and " of " .. whole.command or "")
      .. (own.nth > 1 and ", from #" .. whole.packets[1] .. " on]" or "]")
  end
  local numbers = {}
  for index = 1, math.min(#whole.packets, MOST_TOLD) do numbers[index] = "#" .. whole.packets[index] end
  local text = (whole.command or "a frame") .. ", " .. in_words(whole.count, "fragment") .. ": "
    .. table.concat(numbers, ", ") .. (whole.count > MOST_TOLD and ", ..." or "")
  if whole.reason then return " [not reassembled: " .. text .. "; " .. whole.reason .. "]" end
  local sizes = {}
  for _, name in ipairs(frame.parts or {}) do
    local size = whole.sizes[name]
    if size then sizes[#sizes + 1] = name .. " " .. in_words(size, "byte") end
  end
  return " [reassembled " .. text .. (#sizes > 0 and "; " .. table.concat(sizes, ", ") or "") .. "]"
end

-- Shows a part that has been put together as bytes of their own, and what stands in it.
local function show_part(tree, shown, made, name, text)
  local outer = { tvb, data, at, stop, item, first, piece, inside }
  local before = #problems
  tvb, data, at, stop, first, piece = ByteArray.new(text, true):tvb("Reassembled " .. name), text, #text, #text, 0, false
  local own = tree
  hidden_from, secrets.held = math.huge, not preferences.secrets and secrets.may_hold(text)
  if made.slot and is_hidden(made.slot, 0, #text) then own = add_hidden(tree, made, 0) or tree
  elseif not chosen or chosen[shown] then own = add(tree, shown, range_of(tvb, 0, #text)) end
  item = own
  if made.slot and (not chosen or chosen.slots) then open_slot(made, 0, #text, own) end
  for index = before + 1, #problems do
    local each = problems[index]
    each.message = each.message .. " (at byte " .. digits(each.offset) .. " of the reassembled " .. name .. ")"
    each.offset, each.length = 0, 0
  end
  tvb, data, at, stop, item, first, piece, inside = unpack(outer, 1, 8)
end

-- Shows what a frame completes, at the last of its pieces.
function pieces.show(frame, tree)
  local own = notes[id_here]
  local whole, shown = own and own.whole, frame.reassembled
  if not whole or not own.complete or not shown then return end
  local top = tree
  if not chosen or chosen[shown.node] then
    top = add(tree, shown.node, range_of(tvb, stop, 0))
    generated(top)
  end
  local function add_field(field_of_it, value)
    if not chosen or chosen[field_of_it] then generated(add(top, field_of_it, value)) end
  end
  if whole.command then add_field(shown.command, whole.command) end
  add_field(shown.count, whole.count)
  for _, number in ipairs(whole.packets) do add_field(shown.fragments, number) end
  if whole.reason or whole.gone then add_field(shown.reason, whole.reason or "its bytes are not kept any more") end
  for _, name in ipairs(frame.parts) do
    local text, made = whole.parts[name], shown.parts[name]
    if text == "" then
      if not chosen or chosen[made.field] then add(top, made.field, range_of(tvb, stop, 0)) end
    elseif text then show_part(top, made.field, made.step, name, text) end
  end
end

end


-- Straight-line code ----------------------------------------------------------------------------------------
-- To walk tables costs more than to add fields. So the steps of a frame are written out as a function of Lua when it is
-- read for the first time: the plain case of each step, and a call of `step` for all that is odd or rare.

local straight
local line -- adds a line of code
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
  quoted = quoted, body_text = body_text, add_info = add_info, gather = gather, gather_value = gather_value, TEXT = TEXT, add_undecoded = add_undecoded, secrets = secrets,
  step = one_step, odd = odd, verify = verify, slot = slot, prove = prove, hide = TreeItem.set_hidden, type = type, preferences = preferences,
  numbered = {}, -- what stands behind the names of the first items of lists
}
for number = 1, 256 do HELP.numbered[number] = " " .. number end

local write -- kind of step to what writes it

do

local formats = {} -- text of a line to its format, and which values stand in it one after the other

-- Adds a line of code; `%1` to `%9` in it stand for what follows.
function line(code, text, ...)
  local own = formats[text]
  if not own then
    own = { is_in_order = true }
    own.format = text:gsub("%%(%d?)", function(index)
      if index == "" then return "%%" end
      own[#own + 1] = tonumber(index)
      own.is_in_order = own.is_in_order and own[#own] == #own
      return "%s"
    end)
    formats[text] = own
  end
  if own.is_in_order then code[#code + 1] = string.format(own.format, ...)
  else
    local given, values = { ... }, {}
    for place, index in ipairs(own) do values[place] = given[index] end
    code[#code + 1] = string.format(own.format, unpack(values, 1, #own))
  end
end

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

-- Whether conversations want one value of each item, whose list is a local.
local function gathers_one(code, made) return code.follows and made.gathers and #made.gathers == 1 end

local function write_gather(code, made)
  if gathers_one(code, made) then
    line(code, "local value = rawget(v, %1)", ("%q"):format(made.gathers[1]))
    line(code, "if type(value) == 'userdata' then")
    line(code, "if rawget(v, %1) then gather_value(%1, gathered, value) filled = #gathered end", ("%q"):format(made.gathered[1]))
    line(code, "elseif value ~= nil then")
    line(code, "filled = filled + 1")
    line(code, "gathered[filled] = value")
    line(code, "end")
  elseif made.gathers and code.follows then
    for index, path in ipairs(made.gathers) do
      line(code, "do")
      line(code, "local value = rawget(v, %1)", ("%q"):format(path))
      line(code, "local all = value ~= nil and rawget(v, %1)", ("%q"):format(made.gathered[index]))
      line(code, "if not all then")
      line(code, "elseif type(value) == 'userdata' then gather_value(%1, all, value)", ("%q"):format(made.gathered[index]))
      line(code, "else all[#all + 1] = value end")
      line(code, "end")
    end
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
-- passes. So a post-dissector, which is given every packet, reads the header of TCP itself: starts, ends, full receivers,
-- bytes that the snap length cut off and, where fields are hidden, lost bytes. All plugins share one.

local tcp_watcher -- what is known of connections, and the plugins that want to know

;(function() -- a scope of its own: Lua takes 200 names in one

local SHARED = "streamshark.tcp"
tcp_watcher = package.loaded[SHARED]
if tcp_watcher then return end
tcp_watcher = { opened = {}, plugins = {}, openings = {} }
package.loaded[SHARED] = tcp_watcher

local tcp_unseen = Field.new("tcp.analysis.ack_lost_segment")
local FIN, SYN, RST, ACK = 1, 2, 4, 16
local MOST_BELOW = 256 -- bytes of the layers below TCP in which its header is searched
local byte, find, floor = string.byte, string.find, math.floor

local directions = {} -- addresses and ports of one direction to the connection, and which side it is
local awaited = {} -- ports to the number of connections of which no payload has come yet

local function number(raw, from) -- of 32 bits
  local a, b, c, d = byte(raw, from, from + 3)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

-- Where the IP header begins whose payload begins at a place; nil where there is no such header.
local function below(raw, begins)
  for size = 20, 60, 4 do
    local from = begins - size
    if from >= 1 and 4 * byte(raw, from) == 256 + size and byte(raw, from + 9) == 6 then return from end
  end
  local from = begins - 40
  return from >= 1 and floor(byte(raw, from) / 16) == 6 and byte(raw, from + 6) == 6 and from or nil
end

-- The addresses in an IP header, and bytes of its payload, which begins at a place.
local function addresses_of(raw, from, begins)
  if floor(byte(raw, from) / 16) == 6 then return raw:sub(from + 8, from + 39), byte(raw, from + 4) * 256 + byte(raw, from + 5) end
  return raw:sub(from + 12, from + 19), byte(raw, from + 2) * 256 + byte(raw, from + 3) - (begins - from)
end

local usual, usual_ip = 1, nil -- where the header of TCP was in the last packet, and in one before it the header of IP

-- Where the header of TCP is in the first bytes of a packet: of several the innermost one, unless it is where it was before.
local function header_of(raw, from, to)
  local a, b, c, d = byte(raw, usual, usual + 3)
  if d and a * 256 + b == from and c * 256 + d == to and #raw >= usual + 19 and below(raw, usual) then return usual end
  local ports = string.char(floor(from / 256) % 256, from % 256, floor(to / 256) % 256, to % 256)
  local found
  local try = find(raw, ports, 1, true)
  while try and #raw >= try + 19 do
    if below(raw, try) then found = try end
    try = find(raw, ports, try + 1, true)
  end
  usual = found or usual
  return found
end

local len_of, reported_len_of, raw_of = Tvb.len, Tvb.reported_len, Tvb.raw

-- Whether the headers are where they were before, and that of TCP says nothing but numbers of bytes.
local function is_plain(bytes, length, from, to)
  if not usual_ip or length < usual + 19 then return false end
  local size = usual - usual_ip
  local raw = raw_of(bytes, usual_ip - 1, size + 16)
  local a, b, c, d = byte(raw, size + 1, size + 4)
  if a * 256 + b ~= from or c * 256 + d ~= to or below(raw, size + 1) ~= 1 then return false end
  local flags, high, low = byte(raw, size + 14, size + 16)
  return flags % 8 == 0 and high + low > 0 -- no SYN, FIN or RST, and no full receiver
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
  local connection = { stop = {}, holes = {}, began = {}, by_name = {}, t = info.abs_ts * 1e9, n = info.number, is_open = is_syn }
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

-- Follows the bytes of a side, where Wireshark hides what TCP says; returns whether some are missing before this packet, and
-- whether it acknowledges bytes of the other side that are missing.
local function follow(connection, side, sequence, size, flags, acked)
  local other, until_here = 3 - side, connection.stop[side] or connection.began[side] and connection.began[side] + 1
  local holes = connection.holes -- where the first missing bytes of a side begin
  local lost = until_here and size > 0 and ahead(sequence, until_here) > 0 or false
  if lost then holes[side] = holes[side] or until_here
  elseif holes[side] and size > 0 and ahead(holes[side], sequence) >= 0 and ahead(sequence + size, holes[side]) > 0 then holes[side] = nil end
  if size > 0 and (not until_here or ahead(sequence + size, until_here) > 0) then connection.stop[side] = (sequence + size) % 4294967296 end
  local unseen = false
  if flags % 32 >= ACK then
    local stop_of_other = connection.stop[other] or connection.began[other] and connection.began[other] + 1
    unseen = stop_of_other ~= nil and ahead(acked, stop_of_other) > 1
    if unseen then connection.stop[other] = acked end
    if holes[other] and ahead(acked, holes[other]) > 0 then unseen, holes[other] = true, nil end
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
  if not tcp_watcher.is_blind and tcp_unseen() then tcp_watcher.tell(info, "unseen") end
  local length = len_of(bytes)
  local is_snapped = length < reported_len_of(bytes)
  local is_wanted = is_snapped or tcp_watcher.is_blind
  local is_awaited = next(awaited) and awaited[ports_as_key(from, to)]
  if not is_wanted and not is_awaited and is_plain(bytes, length, from, to) then return 0 end
  local raw = raw_of(bytes, 0, math.min(length, MOST_BELOW))
  local begins = header_of(raw, from, to)
  if not begins then return 0 end
  usual_ip = below(raw, begins)
  local flags, high, low = byte(raw, begins + 13, begins + 15)
  local is_telling = flags % 8 > 0 or high + low == 0 or is_wanted -- SYN, FIN, RST, a full receiver
  if not is_telling and not is_awaited then return 0 end
  local is_syn, ends, is_reset = flags % 4 >= SYN, flags % 2 == FIN, flags % 8 >= RST
  local addresses, size = addresses_of(raw, usual_ip, begins)
  local sequence, ports = number(raw, begins + 4), raw:sub(begins, begins + 3)
  local size_of_header = floor(byte(raw, begins + 12) / 16) * 4
  local known = directions[addresses .. ports]
  if known and not known.connection.is_begun and size > size_of_header and begins - 1 + size_of_header < length then
    stop_awaiting(known.connection)
    see_first(bytes, info, begins - 1 + size_of_header)
    show_hint(bytes, info, tree)
  end
  if not is_telling then return 0 end
  local connection, side = connection_of(addresses, ports, info, is_syn and flags % 32 < ACK, sequence)
  local carried = math.max(0, size - size_of_header)
  see_bytes(info, connection, side, sequence, carried, flags, number(raw, begins + 8))
  local snapped = is_snapped and math.min(carried, begins - 1 + size - length) or 0
  if snapped > 0 then tcp_watcher.tell(info, "snapped", snapped) end
  if high + low == 0 and not (is_syn or ends or is_reset) then tcp_watcher.tell(info, "tcp.zero_window") end
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

local NAME = "%f[%w_.][%a_][%w_]*" -- of several with points between them the first
local ESCAPED, RESTORED = { ["\\\\"] = "\1", ['\\"'] = "\2" }, { ["\1"] = "\\\\", ["\2"] = '\\"' }

-- The text of an expression where something else stands for the names in it; quoted text stays as it is.
local function with_names(text, meant)
  if not text:find('"', 1, true) then return (text:gsub(NAME, meant)) end
  local replaced = text:gsub('\\[\\"]', ESCAPED):gsub('([^"]*)("?[^"]*"?)', function(bare, quotation)
    return bare:gsub(NAME, meant) .. quotation
  end)
  return (replaced:gsub("[\1\2]", RESTORED))
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

local formats = {} -- expression to its text as a format, and the names that stand in it one after the other

local function format_of(expression)
  local own = formats[expression]
  if not own then
    own = {}
    local is_argument = {}
    for _, name in ipairs(arguments_of(expression)) do is_argument[name] = true end
    local text = expression[1]:gsub("%%", "%%%%")
    own.format = with_names(text, function(name)
      if not is_argument[name] then return nil end
      own[#own + 1] = name
      return "%s"
    end)
    formats[expression] = own
  end
  return own
end

-- An expression of the tables, or statements, as they stand in the code.
local function written(code, expression)
  local meant, is_other = {}, false
  for _, name in ipairs(arguments_of(expression)) do
    meant[name] = argument(code, name)
    is_other = is_other or meant[name] ~= name
  end
  if not is_other then return expression[1] end
  local own, values = format_of(expression), {}
  for index = 1, #own do values[index] = meant[own[index]] end
  return string.format(own.format, unpack(values))
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

-- Code in which the columns of the items of a list are those of the local `one`.
local function of_item(text, items)
  local path = items:gsub("%p", "%%%0")
  return (text:gsub('%f[%w_]c%["(#?)' .. path .. '%.([^"]*)"%]', 'one["%1%2"]'):gsub('%f[%w_]c%["' .. path .. '"%]', "one")
    :gsub("%f[%w_]c%." .. path .. "%f[^%w_]", "one"))
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
        local from = #code + 1
        for _, touched in ipairs(code.roles.lifecycles) do
          if touched.items then
            write_key(code, "key", touched.key)
            line(code, "%1 = meet(%2, key, conn, n, t)", code.objects[touched.lifecycle.name], named(code, touched.lifecycle))
          end
        end
        write()
        for index = from, #code do code[index] = of_item(code[index], move.items) end
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
      local kept, known = {}, {} -- in one constructor, which makes a table as large as it will be
      for name, key in pairs(pair.keep or {}) do
        kept[name] = type(key) == "string" and "c[" .. quote(key) .. "]" or written(code, key)
        kept[#kept + 1] = ("[%q] = %s"):format(name, kept[name])
      end
      if pair.type then
        for name, slot in pairs(CONTEXT.req or {}) do
          if kept[slot] then known[#known + 1] = (", [%q] = %s"):format(name, kept[slot]) end
        end
        line(code, "begun = { talk, n, %1%2 }", quote(pair.type), table.concat(known))
        kept[#kept + 1] = "begun_as = begun"
      end
      line(code, "ask({ pair = %1, key = key, side = side, n = n, t = t, name = %2, mark = mark, talk = talk, over = false", named(code, pair), quote(code.frame.name))
      line(code, "%1 })", #kept > 0 and ", " .. table.concat(kept, ", ") or "")
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

local MOST_CALLS, FEWEST_CALLS = 40, 6 -- locals, and calls with the same result that are worth one: most are made where others hold

-- Functions whose results depend on their arguments alone, and are found with little work.
local PURE = {
  begins = true, between = true, called = true, len = true, number = true, program = true, release = true, starts = true, stem = true, token = true,
}
local CALL = "f%.([%l_]+)%(([cv][%w.%[][^()]*)%)"

-- Whether arguments are columns of the frame, results of calls that are done once, and constants.
local function are_of_frame(values)
  local bare = values:gsub('\\[\\"]', ""):gsub('"[^"]*"', '""'):gsub("c%.[%w_]+", ""):gsub('c%[""%]', ""):gsub("v%d+", ""):gsub("K%.[%w_]+", "")
  return not bare:find('[^%d%s,."]')
end

-- The same code, where calls that it repeats are done first, once each; then those of their results.
local function with_calls_once(text)
  local first_lines, count = {}, 0
  for _ = 1, 2 do
    local counted, repeated_calls, names_of = {}, {}, {}
    for name, values in text:gmatch(CALL) do
      if PURE[name] then
        local call = "f." .. name .. "(" .. values .. ")"
        counted[call] = (counted[call] or 0) + 1
        if counted[call] == FEWEST_CALLS and are_of_frame(values) then repeated_calls[#repeated_calls + 1] = call end
      end
    end
    table.sort(repeated_calls, function(one, other) return counted[one] > counted[other] or counted[one] == counted[other] and one < other end)
    for _, call in ipairs({ unpack(repeated_calls, 1, MOST_CALLS - count) }) do
      count = count + 1
      names_of[call] = "v" .. count
      first_lines[#first_lines + 1] = ("local v%d = %s\n"):format(count, call)
    end
    if not next(names_of) then break end
    text = text:gsub(CALL, function(name, values) return names_of["f." .. name .. "(" .. values .. ")"] end)
  end
  return table.concat(first_lines) .. text
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
  if text:find("f.lookup(", 1, true) then
    text = text:gsub("f%.lookup%((%d+), K%.([%w_]+)%)", function(value, name) return literal(f.lookup(tonumber(value), K[name])) end)
  end
  if text:find("f.starts(", 1, true) then text = with_beginnings_once(text) end
  text = with_calls_once(text)
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
local tcp_unseen = Field.new("tcp.analysis.ack_lost_segment")
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
  talk.begun_n, talk.place = opened and opened.n or here.number, #talks.all + 1
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

-- Triggers what depends on bytes that are not read. Before the first frame, or its head, the connection may be another
-- protocol's, so it waits for that.
local function fire_loss(talk, trigger, side, columns)
  if talk.conn.n or talk.is_recognised then return fire(talk, trigger, nil, nil, here.abs_ts * 1e9, nil, side, columns) end
  talk.losses = talk.losses or {}
  table.insert(talk.losses, { trigger, here.abs_ts * 1e9, side, columns })
end

local function fire_losses(talk)
  for _, each in ipairs(talk.losses) do fire(talk, each[1], nil, nil, each[2], nil, each[3], each[4]) end
  talk.losses = nil
end

-- A frame begins whose rest is missing.
function talks.recognise()
  local talk = conversation.talk
  talk.is_recognised = true
  if talk.losses then fire_losses(talk) end
end

-- Packets are missing in the capture: of so many bytes, none where an acknowledgement has shown it before.
local function miss(talk, side, length)
  if length ~= 0 then fire_loss(talk, "tcp.gap", side, { length = length }) end
  talk.conn.gapless = false
  lose(talk, side)
end

-- A packet of a side acknowledges bytes of the other one that were not captured. Its frames and the watcher of TCP may both
-- notice that.
local function miss_acknowledged(talk, side, length)
  if talk.unseen_at == here.number then return end
  talk.unseen_at = here.number
  miss(talk, 3 - side, length)
end

-- Whether segments are missing before this one.
function talks.is_after_loss() return view.tree and tcp_lost() ~= nil end

-- Whether all bytes of the connection were captured so far.
function talks.is_gapless() return conversation.talk.conn.start and conversation.talk.conn.gapless end

-- Bytes of this side are missing: frames may have been among them.
function talks.lose() lose(conversation.talk, side_of()) end

-- Bytes of a side were skipped, since no frame begins there, or they are another protocol's.
function talks.skip(length, reason, side)
  side = side or side_of()
  fire_loss(conversation.talk, "tcp.resync", side, { skipped = length, reason = reason })
  lose(conversation.talk, side, math.max(here.number, id_here + 0.5 / FINE))
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
  elseif not talk.conn.encrypted and next(UPGRADES) then
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
  me.from, me.is_cut = me.waits_from or value_of(tcp_seq), false
  local given = not carried and me.from + #data or 0 -- segments that came out of order are given with the one before them
  me.stop, me.awaited, me.waits_from = math.max(me.stop or 0, value_of(tcp_next), given), nil, nil
  if value_of(tcp_window) == 0 then count_full(talk, me) end
  if tcp_unseen() then miss_acknowledged(talk, side) end
  local acked, stop_of_peer = value_of(tcp_ack), peer.awaited or peer.stop or 1
  if not acked or carried or talk.conn.encrypted then return end
  if acked <= stop_of_peer + 1 then peer.latest_t = me.latest_t -- FIN counts as a byte
  elseif talk.conn.start then -- acknowledged, and never seen here
    local begins_http2 = data:sub(1, #HTTP2) == HTTP2 -- before it, servers send settings, which Wireshark does not yet read as such
    if not begins_http2 then miss_acknowledged(talk, side, acked - stop_of_peer) end
    peer.stop = acked
  end
end

-- Bytes are waited for, of a frame whose head is not whole an unknown number. Segments that bring some of them are not passed
-- to the plugin, so they may be acknowledged.
function talks.wait(from, missing)
  local me = conversation.talk.sides[side_of()]
  me.is_cut = not missing
  if missing then me.awaited, me.waits_from = me.stop and me.stop + missing, me.from and me.from + from end
end

-- A side has ended: bytes in which a frame begins whose head is not whole are skipped.
local function end_side(talk, side)
  local me = talk.sides[side]
  if not me.is_cut then return end
  me.is_cut = false
  fire_loss(talk, "tcp.resync", side, { reason = "the connection or capture ended first" })
  lose(talk, side)
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
  talks = talks, here = here, meet = meet, renew = renew, is_news = is_news, is_reported = is_reported, matches_by = matches_by, count_match = count_match, notice = notice, cause_of = cause_of, ask = ask,
  byte = string.byte, settle = settle, join = join, dialect_of = dialect_of, octets_of = octets_of, links = links, NO_OBJECT = NO_OBJECT, NONE = NONE, pairs = pairs, ipairs = ipairs,
}

-- What follows such frames: by kind of frame, then by what was seen of the connection and who sends. `is_client` is whether
-- who sends has opened the connection: of two servers either may.
function talks.write_follower(frame, conn, sender, is_client)
  local seen = { start = conn.start, whole = conn.whole, both = conn.both }
  return follower(frame, sender, is_client, seen, roles_of(frame, sender), HELP)
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

-- What TCP says of a packet without frames, or after its frames: the end of a side, a full receiver, bytes that the snap
-- length cut off.
function talks.see_event(name, is_here, length)
  local talk = conversation.talk
  if not talk or talk.ended then return end
  local t, side = here.abs_ts * 1e9, side_of()
  if name == "snapped" then
    local me = talk.sides[side]
    me.stop = math.max(me.stop or 0, value_of(tcp_next) or 0)
    return miss(talk, side, length)
  end
  if name == "lost" or name == "unseen" then
    if is_here and name == "lost" then talks.doubt(talk, side) elseif name == "unseen" then miss_acknowledged(talk, side) end
    return
  end
  ring(t)
  talks.latest_t = t
  if name == "tcp.zero_window" then count_full(talk, talk.sides[side]) end
  if name == "tcp.close" then
    if talk.closed[side] then return end
    talk.closed[side] = true
    end_side(talk, side)
  elseif name == "tcp.reset" then
    for each = 1, 2 do end_side(talk, each) end
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

-- Connections in the order of their SYNs, as `check` ends them; where no SYN was captured, of their first bytes.
local function talks_by_beginning()
  local all = {}
  for index, talk in ipairs(talks.all) do all[index] = talk end
  table.sort(all, function(one, other)
    if one.begun_n ~= other.begun_n then return one.begun_n < other.begun_n end
    return one.place < other.place
  end)
  return all
end

function talks.finish()
  if talks.undoing or os.clock() < talks.not_before then return end
  local began = os.clock()
  talks.kept = in_window and remember_all(talks.all, talks.shared, talks.requests, talks.heap, talks.repeated, talks.matches) or nil
  talks.undoing = {}
  local t, all = talks.latest_t, talks_by_beginning()
  for _, talk in ipairs(all) do
    for side = 1, talk.ended and 0 or 2 do end_side(talk, side) end
  end
  for _, talk in ipairs(all) do end_talk(talk, t, (talk.closed[1] or talk.closed[2]) and "closed" or "end") end
  for _, talk in ipairs(all) do
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
  if root:referenced(undecoded) then return false end -- what cannot be read ends what can
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

-- The bytes of a frame as those of a layer. Filters on slices of a layer read from the beginning of its Tvb.
local function layer_of(bytes, from, total)
  local range = range_of(bytes, from, total)
  if total == #data or not view.named then return range end
  return range_of(range:tvb(), 0, total)
end

local dissect_frame, begin_hiding, is_sound

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

-- Reads what is being read with the code for it: "shown", "chosen" fields, "judged", "line", or, by conversations, "followed" and
-- "judged and followed".
local function read_straight(frame, wanted, bare)
  local code = frame[bare and "bare_code" or "code"]
  if not code[wanted] or wanted == "chosen" and code.key ~= chosen.key then
    local steps = wanted == "line" and not bare and frame.line_steps or frame.steps
    local is_judged = wanted == "judged" or wanted == "judged and followed"
    local shows = wanted == "shown" and everything or is_judged and {} or wanted == "chosen" and chosen
    code[wanted] = straight(bare and from_second(steps) or steps, shows, wanted == "followed" or wanted == "judged and followed", frame)
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

-- Whether all of a frame is there, without problems.
function is_sound(bytes, from, total, frame, bare)
  start(bytes, from, total, 1000)
  item, piece = nil, true
  if not frame.code then prepare(frame) end
  return not read_steps(frame.steps, bare) and at == stop and #problems == 0
end

local completeness = Field.new("tcp.completeness")

-- The side that a frame proves to be the client: only one side sends such frames, or opens streams of such numbers.
local function proved_client(bytes, from, total, frame, side, bare)
  local sender = frame.proves
  if not sender and PARITY and PARITY.opens[frame.command] then
    local head = heads[preferences.dialect]
    local number = part_value(head.info_texts.correlates, from + head.info_texts.correlates_at - (bare and head.prefix or 0))
    if number > 0 and is_sound(bytes, from, total, frame, bare) then
      sender = (number % 2 == 1) == (PARITY.odd[preferences.dialect] == "client") and "client" or "server"
    end
  end
  return sender and (sender == "client" and side or 3 - side)
end

-- Remembers which side is the client, and from which frame on that is known; where a SYN was captured, from the first one.
local function prove_client(...)
  conversation.client = proved_client(...)
  local seen, talk = completeness(), conversation.talk
  local is_open = not seen and not talk or seen and seen() % 2 == 1 or talk and talk.conn.start
  conversation.client_from = conversation.client and not is_open and id_here
end

-- "client" or "server", if frames up to this one prove who sends it.
local function proved_sender()
  return id_here >= (conversation.client_from or 0) and sender_of(side_of()) or nil
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
  if judged_item == item_of_frame then judged_item = add(judged_root, protocol, layer_of(judged_bytes, judged_from, judged_total)) end
  return judged_item
end

-- Looks for what is wrong with a frame of which nothing else is shown; gives its text, which may be known already.
local function judge_frame(bytes, from, total, frame, root, bare, text)
  veiling, secrets.held = false, false -- no bytes are shown
  judged_root, judged_bytes, judged_from, judged_total = root, bytes, from, total
  item, judged_item = nil, item_of_frame
  if view.named then item_of_frame() end
  if of_carrier then note_problem(of_carrier.code, nil, from + of_carrier.offset, of_carrier.length, of_carrier.message) end
  local wanted = chosen
  chosen = nil
  local halted = read_straight(frame, following and "judged and followed" or "judged", bare)
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
  if chosen then tree = add(root, protocol, layer_of(bytes, from, total))
  else tree = add(root, protocol, layer_of(bytes, from, total), frame.caption .. total .. " bytes") end
  item, judged_item = tree, tree
  show(tree, header.command, frame.command)
  show(tree, header.kind, frame.kind)
  if between_servers then show(tree, header.sender, "peer")
  else
    local sender = proved_sender()
    if sender then show(tree, header.sender, sender) end
  end
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
  if first_visit and not conversation.client then prove_client(bytes, from, total, frame, side, bare) end
  piece = false
  local more -- whether other pieces of what this frame begins are still to come
  local closely = frame.agrees
  -- A conversation may know the stream by which bodies are handed to others: it is followed before they are read.
  local early = shown and follows and frame.bodies and frame.known ~= nil and first_visit
  following = follows and (not full or early)
  -- Of what is only judged the line is read apart where it needs less than all of the frame, or where that is read apart anyway.
  local lined = judged and view.columns and statistics.listening == 0 and (frame.in_pieces or closely or not frame.is_single)
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
    if view.rooted then add(root, protocol, layer_of(bytes, from, total)) end
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
  local tree = root:add(protocol, layer_of(bytes, from, total))
  tree:append_text(", unknown, " .. total .. " bytes")
  item, problems, first, tvb = tree, {}, from, bytes
  tree:add(header.length, total):set_generated()
  if here.number >= (conversation.client_from or 0) and conversation.client then
    tree:add(header.sender, sender_of(side_of())):set_generated()
  end
  local of_head = key and heads[dialect or preferences.dialect].info_texts or {}
  for _, each in ipairs(of_head) do
    if each.from + each.size <= total then tree:add(each.field, bytes(from + each.from, each.size)) end
  end
  local joining, joining_at = of_head.correlates, from + (of_head.correlates_at or 0)
  if joining and joining_at + joining.size <= from + total then
    local id = joining.width and part_value(joining, joining_at) or number_at(joining_at, joining.size, joining.signed)
    tree:add(header.correlation, id):set_generated()
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

-- Length and schema of the frame that begins here; no length where its head is cut, no schema where it is not a known one.
local function frame_at(from, most)
  local head = heads[preferences.dialect]
  local total, key, version, response
  if head.lines then
    total, key = head.measure(from, most)
    if not total then return nil, key and frame_of(key) end
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

local NAMED = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\" }
local QUOTED = 15 -- bytes

-- Why bytes are skipped in which no frame begins: with the head that they would be, or the first of them. These may be a secret, or
-- after lost bytes the end of one.
local function no_frame(from, total, key, version)
  local head
  if type(key) == "number" then
    head = "length " .. digits(total) .. ", key " .. key .. (version and ", version " .. version or "")
  else
    local raw = data:sub(from + 1, from + QUOTED)
    if not talks.is_gapless() or secrets.is_likely(raw) then return NO_FRAME .. " (***)" end
    local mark = raw:find("'", 1, true) and not raw:find('"', 1, true) and '"' or "'"
    head = raw:gsub("[%z\1-\31\\\127-\255]", function(one) return NAMED[one] or ("\\x%02x"):format(one:byte()) end)
    head = mark .. (mark == "'" and head:gsub("'", "\\'") or head) .. mark
  end
  return NO_FRAME .. " (" .. head .. ")"
end

-- Tells where a preference of Wireshark may be the cause that frames are not shown.
local function note_preference(tree, why, is_snapped)
  local text
  if is_snapped then
    text = get_preference("tcp.reassemble_out_of_order")
      and "the snap length cut off bytes for which the preference tcp.reassemble_out_of_order waits: no later frames of this side are shown"
  elseif why:find("^the start of") then
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
  local tree = root:add(protocol, layer_of(bytes, from, length))
  tree:append_text(", " .. length .. " bytes: " .. why)
  tvb, chosen, hidden_from, veiling = bytes, nil, math.huge, secretive.any and why ~= PROXY or false
  add_undecoded(tree, from, length)
  veiling = false
  note_preference(tree, why, bytes:reported_len() > #data)
  return "[" .. length .. " bytes: " .. why .. "]"
end

-- What is left to Wireshark's own dissectors, which recognise it: what may carry us.
local LEFT_ALONE = { TLS = true, HTTP = next(CARRIED_IN) ~= nil }

local MOST_FOREIGN = 4096 -- bytes of another protocol that are shown as a frame
local MOST_BELIEVED = 65536 -- bytes of a frame with an unknown key that are waited for

local inside_tls = false -- whether the bytes are what TLS has opened
local sealed_data = Field.new("tls.app_data")

-- Counts the bytes of another protocol as lost: those of a side from some on are not read.
local function leave(side_left, length, name, side)
  if side_left.is_left then return end
  side_left.is_left = true
  if view.follows then talks.skip(length, "this is " .. name, side) end
end

-- Leaves TLS that one side has begun when the other one goes on without it: it is never opened.
local function leave_unanswered()
  local other = 3 - side_of()
  local begun = conversation.upgraded[other]
  if begun and begun.number < here.number and not inside_tls then leave(begun, begun.length, begun.name, other) end
end

-- What a side goes on as behind an upgrade; TLS is Wireshark's own.
local function dissect_upgraded(bytes, from, root, name)
  local side, length = side_of(), bytes:len() - from
  local upgraded = conversation.upgraded[side] or { number = here.number, name = name, length = length }
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

-- Waits for the rest of what begins at a place; without `missing` for the next segment.
local function wait_for(from, missing)
  pinfo.desegment_offset, pinfo.desegment_len = from, missing or DESEGMENT_ONE_MORE_SEGMENT
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
    wait_for(0)
    return ""
  end
  while from < length do
    local rest = length - from
    local total, frame, key, version, response = frame_at(from, rest)
    if not total then -- the head is not whole
      if may_wait(bytes) then
        wait_for(from)
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
          if view.follows then talks.recognise() end
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
      leave_unanswered()
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
          if total < head.least then key, version = nil, nil end -- they were read from the bytes of the next frame
        end
        texts[#texts + 1] = dissect_unknown(bytes, from, total, code, message, root, key, version)
        from = after
      else
        local found = search(from, length)
        texts[#texts + 1] = show_skipped(bytes, from, found - from, root, NO_FRAME)
        if pieces.lose and not here.visited then pieces.lose(side_of()) end
        if view.follows then talks.skip(found - from, no_frame(from, total, key, version)) end
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
  tcp_watcher.plugins[#tcp_watcher.plugins + 1] = function(info, name, length)
    pinfo = info
    local is_here = here.number == info.number and here.visited == info.visited
    here.number, here.visited, here.src_port, here.dst_port = info.number, info.visited, info.src_port, info.dst_port
    here.stream, here.side, here.src, here.dst, here.abs_ts, here.rel_ts = nil, nil, nil, nil, nil, nil
    conversation = known_conversation()
    if not conversation then return end
    if pieces.lose and name == "snapped" then pieces.lose(side_of()) end
    talks.see_event(name, is_here, length)
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

-- How many frames line up from the first byte, without problems; 0 when one does not.
local function sound_frames(bytes)
  local from, count, length, opening = 0, 0, bytes:len(), false
  while from < length do
    local total, frame = frame_at(from, length - from)
    if not total and frame then return count, opening or count == 0 and frame.opens end -- a line that is cut
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
  if claims then
    info.conversation = protocol
    if info.can_desegment > 0 then info.can_desegment = 2 end -- a dissector that is called has one less
  end
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
  local seen, known = { conversations = {}, calls = {}, findings = {}, commands = {} }, {}
  for _, each in ipairs({ ... }) do
    local name = each.name
    if name == "frame.number" then seen.packet = tonumber(tostring(each.value))
    elseif name == "tcp.stream" then seen.flow = tonumber(tostring(each.value))
    elseif name == "http2.streamid" then
      local stream = tostring(each.value)
      if stream ~= "0" and not known["call " .. stream] then seen.calls[#seen.calls + 1], known["call " .. stream] = stream, true end
    elseif name == NAME .. ".command" then table.insert(seen.commands, tostring(each.value))
    elseif name == NAME .. ".conversation" then
      local id = tostring(each.value)
      if not known[id] then seen.conversations[#seen.conversations + 1], known[id] = id, true end
    elseif name == NAME .. ".request_frame" then seen.request = tostring(each.value)
    elseif name == NAME .. ".response_frame" then seen.response = tostring(each.value)
    elseif name == NAME .. ".response_time" then seen.time = tostring(each.value)
    elseif name == NAME .. ".finding.message" then table.insert(seen.findings, tostring(each.value))
    elseif name:sub(1, #NAME + 1) == NAME .. "." then
      local kind = name:match("^[^.]*", #NAME + 2)
      if is_message[kind] and not known[kind] then seen.commands[#seen.commands + 1], known[kind] = kind, true end
    end
  end
  return seen
end

-- The display filter of the conversations of a packet, and of its calls of gRPC, whose messages have no conversation.
function packet_menu.follow(seen)
  local texts = {}
  if seen.calls[1] then
    texts[1] = ("tcp.stream == %d && http2.streamid in {%s}"):format(seen.flow, table.concat(seen.calls, ", "))
  end
  for _, id in ipairs(seen.conversations) do texts[#texts + 1] = NAME .. '.conversation == "' .. id .. '"' end
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
function packet_menu.cause(seen)
  local is_own, best, best_rank = {}, nil, 0
  for _, id in ipairs(seen.conversations) do is_own[id] = true end
  for _, each in ipairs(all_findings(seen.flow)) do
    local rank = talks.ranks[each.severity] + (is_own[each.conversation] and 10 or 0)
    if rank > best_rank then best, best_rank = each, rank end
  end
  return best
end

-- Sentences about a packet: what it is, what it answers, what is wrong with it and with its connection.
function packet_menu.explain(seen)
  local commands = #seen.commands > 0 and ": " .. table.concat(seen.commands, ", ") or ""
  local lines = { ("Packet %d%s"):format(seen.packet, commands), "" }
  if seen.request then lines[#lines + 1] = ("It answers packet %s%s."):format(seen.request, seen.time and " after " .. seen.time .. " s" or "") end
  if seen.response then lines[#lines + 1] = ("Packet %s answers it."):format(seen.response) end
  if not seen.request and not seen.response then lines[#lines + 1] = "No packet answers it, and it answers none." end
  for _, id in ipairs(seen.conversations) do lines[#lines + 1] = "It belongs to the conversation " .. id .. "." end
  for _, text in ipairs(seen.findings) do lines[#lines + 1] = "Here: " .. text end
  local found, known = all_findings(seen.flow), {}
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
  lines[#lines + 1] = ("  streamshark explain --flow %d FILE"):format(seen.flow or 0)
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
    local seen = packet_menu.read(...)
    local cause = packet_menu.cause(seen)
    if cause and cause.packet == seen.packet then filter_by(("frame.number == %d"):format(seen.packet))
    elseif cause then filter_by(("frame.number in {%d, %d}"):format(cause.packet, seen.packet))
    else TextWindow.new(TITLE .. ": cause"):set("No finding of this connection explains packet " .. (seen.packet or "") .. ".\n") end
  end, NAME)
end

end

end)()
