-- Liftbridge: durable message streams over NATS, between clients and servers and among servers.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 8aef5e63713adf27) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate liftbridge`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local ARGUMENTS = { ... } -- those of `-X lua_script1:`
local SHORT = "liftbridge"
local TITLE = "Liftbridge"
local PORTS = ""
local SHARED_PORTS = ""
local TLS_PORTS = ""
local DIALECTS = { "", "lift", "alpha", "bare" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "string"
local AGREES_VERSION = false
local CARRIED_IN = { ["nats.message"] = true } -- slots in which its frames are
local BINARY = false -- whether WebSocket may not bring text
local OPENING = "b90e43b4" -- bytes that they begin with there
local ENOUGH = 8 -- frames in a row that prove the protocol on any port
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
  stream = {
    doc = "Name of the stream, of messages and of calls of the API; of an answer to a publish or on a subscription, the one that the connection knows.",
    is_known = true,
  },
  partition = { doc = "Number of the partition in its stream; absent on the wire, and here, where it is 0." },
  offset = { doc = "Offset in the partition: of a message, an ack, a cursor, a replica." },
  failed = {
    doc = "An error is reported: in an ack, an answer between servers, an answer of the API.",
    is_fact = true,
  },
} -- fields that span commands
local HAS_TYPES = false -- whether bodies have a type
local STREAM = "stream" -- field that names a stream
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
local CALL_PORTS = "50051,9090,9292" -- ports read as HTTP/2
local STATUSES = {
  [-1] = "unsaid",
  [0] = "ok",
  [1] = "cancelled",
  [2] = "unknown",
  [3] = "invalid_argument",
  [4] = "deadline_exceeded",
  [5] = "not_found",
  [6] = "already_exists",
  [7] = "permission_denied",
  [8] = "resource_exhausted",
  [9] = "failed_precondition",
  [10] = "aborted",
  [11] = "out_of_range",
  [12] = "unimplemented",
  [13] = "internal",
  [14] = "unavailable",
  [15] = "data_loss",
  [16] = "unauthenticated",
} -- how calls end

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

-- Protobuf messages: fields by number, in any order, unknown ones kept ----------------------------------------

do -- a scope of its own: Lua takes 200 names in one

local VARINT = { int32 = 32, int64 = 64, uint32 = 32, uint64 = 64, sint32 = 32, sint64 = 64, bool = 1, enum = 32 }
local FIXED = { fixed32 = 4, sfixed32 = 4, float = 4, fixed64 = 8, sfixed64 = 8, double = 8 }
local PROTO_FIELDS = { -- kind to kind of ProtoField; the others are text, bytes or records
  int32 = "int32", int64 = "int64", uint32 = "uint32", uint64 = "uint64", sint32 = "int32", sint64 = "int64",
  bool = "bool", enum = "int32", fixed32 = "uint32", sfixed32 = "int32", fixed64 = "uint64", sfixed64 = "int64",
  float = "float", double = "double", string = "string", bytes = "bytes", message = "none", map = "none",
}

function word.proto(kind, name, doc, facts) return step("proto", name, doc, { type = kind }, facts) end

-- With `stream` in `facts`, the number of the field that names the stream of the bodies in it.
function word.message(fields, facts) return step("message", nil, nil, { fields = fields }, facts) end

local add_le = TreeItem.add_le

local function wire_type(made)
  if VARINT[made.type] then return 0 end
  if FIXED[made.type] then return FIXED[made.type] == 4 and 5 or 1 end
  return 2
end

function declares.proto(made, name)
  local kind = PROTO_FIELDS[made.type]
  if kind:find("int") then
    made.size, made.signed = kind:find("64") and 8 or 4, not kind:find("^u")
    made.field = number_field(name, made)
    if made.time then made.time_field = time_field(name, made) end
  elseif kind == "bool" then
    made.field = field(name, kind, function() return ProtoField.bool(name, label(made.name), nil, nil, nil, made.doc) end)
  else
    made.field = plain_field(kind, name, made)
  end
  if made.flags then made.flag_fields = flag_fields(name, made) end
  declare_items(made)
end

function declares.message(made)
  local around = made.path == "" and "" or made.path .. "."
  for _, each in pairs(made.fields) do
    each.path, each.prefix = around .. each.name, made.prefix
    each.count_path = "#" .. each.path
    declares.proto(each, made.prefix .. "." .. each.path)
    declare_also(each)
    if each.message then
      each.message.path, each.message.prefix = each.path, made.prefix
      declares.message(each.message)
    end
  end
  local unknown = made.prefix .. "." .. around .. "unknown_fields"
  local facts = { name = "unknown_fields", doc = "Fields that the schema does not know." }
  made.unknown = plain_field("bytes", unknown, facts)
end

local WEIGHTS = { -- of each seven bits of a number, in their half of it
  [0] = 0x1, 0x80, 0x4000, 0x200000, 0x10000000, 0x8, 0x400, 0x20000, 0x1000000, 0x80000000,
}

-- The halves of a base-128 number, 32 bits each; nil where it does not end.
local function varint(made)
  local low, high, from = 0, 0, at
  for index = 0, 9 do
    if at >= stop then
      problem("short", made, from, stop - from, stop - from + 1, stop - from)
      return nil
    end
    local byte = u8(at)
    at = at + 1
    local seven = byte % 128
    if index < 4 then low = low + seven * WEIGHTS[index]
    elseif index == 4 then
      low = low + seven % 16 * WEIGHTS[index]
      high = math.floor(seven / 16)
    else high = high + seven * WEIGHTS[index] end
    if byte < 128 then return low, high % 0x100000000 end
  end
  problem("varint", made, from, at - from)
  return nil
end

-- A base-128 number as a length: UInt64 where it has more than 53 bits, for whole numbers of Lua 5.4 overflow.
local function length_of(low, high)
  if high < 0x200000 then return high * 0x100000000 + low end
  return UInt64(math.floor(low), math.floor(high))
end

-- A varint as its type means it: a number, or Int64 or UInt64 where it has more than 53 bits.
local function meant(kind, low, high)
  if kind == "bool" then return (low ~= 0 or high ~= 0) and 1 or 0 end
  if VARINT[kind] == 32 then
    if kind == "uint32" then return low end
    if kind == "sint32" then return low % 2 == 0 and math.floor(low / 2) or -math.floor((low + 1) / 2) end
    return low >= 0x80000000 and low - 0x100000000 or low
  end
  if kind == "sint64" then
    local negative = low % 2 == 1
    low = math.floor(low / 2) + (high % 2) * 0x80000000
    high = math.floor(high / 2)
    if negative then low, high = 0xFFFFFFFF - low, 0xFFFFFFFF - high end
  end
  if high < 0x200000 then return high * 0x100000000 + low end
  large = true
  if kind == "uint64" then return length_of(low, high) end
  if high >= 0xFFE00000 then return (high - 0x100000000) * 0x100000000 + low end
  return Int64(math.floor(low), math.floor(high))
end

local function whole_number(value) return type(value) == "number" and math.floor(value) or value end

local function proto_value(made)
  local from, kind = at, made.type
  if VARINT[kind] then
    local low, high = varint(made)
    if not low then return HALT end
    local value = meant(kind, low, high)
    if made.keep then v[made.path] = value end
    if made.in_info and wants_info then add_info(made, number_text(made, value)) end
    if item then
      local eight = made.size == 8 and type(value) == "number"
      if eight and made.signed then
        value = Int64(math.floor(value % 0x100000000), math.floor(math.floor(value / 0x100000000) % 0x100000000))
      elseif eight then value = UInt64(math.floor(value % 0x100000000), math.floor(value / 0x100000000)) end
      if kind == "bool" then value = value == 1 end
      local own = add(item, made.field, range_of(tvb, from, at - from), whole_number(value))
      if made.also then add_also(made, from, at - from, whole_number(value)) end
      if made.holds then add_held(made, value) end
      if made.time_field then add_time(made, from, at - from, value, own) end
      for _, flag in ipairs(made.flag_fields or {}) do add(own, flag, range_of(tvb, from, at - from), whole_number(value)) end
    end
    return
  end
  if FIXED[kind] then
    local size = FIXED[kind]
    if stop - at < size then return short(made, size) end
    if made.keep and kind == "fixed32" then v[made.path] = range_of(tvb, at, 4):le_uint()
    elseif made.keep and (kind == "float" or kind == "double") then v[made.path] = range_of(tvb, at, size):le_float() end
    if item then add_le(item, made.field, range_of(tvb, at, size)) end
    at = at + size
    return
  end
  local low, high = varint(made)
  if not low then return HALT end
  local count = length_of(low, high)
  add_layout(from, at - from, "Length: " .. digits(count))
  if count > stop - at then return short(made, count) end
  local begin = at
  at = at + count
  if kind == "string" then
    made.encoding = "utf-8"
    add_text(made, begin, count)
  elseif kind == "bytes" then
    if made.keep and not made.repeated then v[made.path], v[made.count_path] = count, count end
    if made.raw then v[made.path .. " raw"] = data:sub(begin + 1, begin + count) end
    if made.in_info and wants_info then add_info(made, bytes_text(made, begin, count)) end
    if item and made.secret and not preferences.secrets then
      add_hidden(item, made, begin)
    elseif item then
      local own = add(item, made.field, range_of(tvb, begin, count))
      if made.slot then open_slot(made, begin, count, own) end
    end
  else -- a message: a stop inside ends only it
    local outer, outer_stop = item, stop
    if outer then item = add(outer, made.field, range_of(tvb, begin, count)) end
    at, stop = begin, begin + count
    if made.repeated then forget(made) end
    if read.message(made.message) and item and at < stop then add_undecoded(item, at, stop - at) end
    at, stop, item = begin + count, outer_stop, outer
  end
end

-- One value of a field; of a repeated one the tables may want all.
local function proto_item(made)
  local halted = proto_value(made)
  if not halted and made.repeated then gather_repeated(made) end
  return halted
end

local function proto_unknown(made, shape)
  local from = at
  if shape == 0 then
    if not varint(made) then return HALT end
  elseif shape == 2 then
    local low, high = varint(made)
    if not low then return HALT end
    local count = length_of(low, high)
    add_layout(from, at - from, "Length: " .. digits(count))
    if count > stop - at then return short(made, count) end
    from = at
    at = at + count
  else
    local size = shape == 1 and 8 or 4
    if stop - at < size then return short(made, size) end
    at = at + size
  end
  if made.path == "" then v.unknown_fields = true end
  if item then add_undecoded(item, from, at - from, made.unknown) end
end

-- The text of a field, wherever it is in a message.
local function text_of(number)
  local from, found = at, nil
  local outer = { problems, item }
  problems, item = {}, nil
  while at < stop and not found do
    local low = varint({})
    local shape = low and low % 8
    local count = (shape == 0 or shape == 2) and varint({}) or shape == 1 and 8 or shape == 5 and 4
    if not low or not count or shape ~= 0 and count > stop - at then break end
    if shape == 2 and math.floor(low / 8) == number then found = data:sub(at + 1, at + count) end
    if shape ~= 0 then at = at + count end
  end
  at = from
  problems, item = unpack(outer, 1, 2)
  return found
end

function read.message(made)
  if made.stream and item and not chosen then stream_inside = text_of(made.stream) end
  while at < stop do
    local from = at
    local low, high = varint(made)
    if not low then return HALT end
    local number, shape = high * 0x20000000 + math.floor(low / 8), low % 8
    if number == 0 or not (shape == 0 or shape == 1 or shape == 2 or shape == 5) then
      problem("wiretype", made, from, at - from, number, shape)
      return HALT
    end
    add_layout(from, at - from, "Field number: " .. digits(number))
    local each = made.fields[number]
    local halted
    if each and shape == wire_type(each) then
      halted = proto_item(each)
    elseif each and shape == 2 and each.repeated and wire_type(each) ~= 2 then -- packed
      local begin = at
      local count_low, count_high = varint(each)
      if not count_low then return HALT end
      local count = length_of(count_low, count_high)
      add_layout(begin, at - begin, "Length: " .. digits(count))
      if count > stop - at then return short(each, count) end
      local outer = stop
      stop = at + count
      while at < stop do
        if proto_item(each) then
          if item and at < stop then add_undecoded(item, at, stop - at) end
          break
        end
      end
      at, stop = stop, outer
    else
      halted = proto_unknown(made, shape)
    end
    if halted then return HALT end
  end
end

end


-- Checksums -------------------------------------------------------------------------------------------------

do

local bxor, rshift, bit_and = bit.bxor, bit.rshift, bit.band

local AT_ONCE = 16 -- bytes that are summed in a round, for calls of functions cost the most

-- What a byte does to a reflected CRC of 32 bits, and what it does when one and more bytes follow in a round.
local function crc_tables(polynomial)
  local tables = {}
  for behind = 1, AT_ONCE do tables[behind] = {} end
  for index = 0, 255 do
    local value = index
    for _ = 1, 8 do
      value = value % 2 ~= 0 and bxor(rshift(value, 1), polynomial) or rshift(value, 1)
    end
    tables[1][index] = value
  end
  for behind = 2, AT_ONCE do
    for index = 0, 255 do
      local value = tables[behind - 1][index]
      tables[behind][index] = bxor(tables[1][bit_and(value, 255)], rshift(value, 8))
    end
  end
  return tables
end

-- The tables are made on first use.
local function crc(polynomial)
  local t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16
  return function(given)
    if not t1 then
      t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16 = unpack(crc_tables(polynomial))
    end
    local value, whole, byte = -1, #given - #given % AT_ONCE, string.byte
    for from = 1, whole, AT_ONCE do
      local a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = byte(given, from, from + 15)
      local mixed = bxor(value, a + b * 256 + c * 65536 + d * 16777216)
      local low = mixed % 256
      mixed = (mixed - low) / 256
      local second = mixed % 256
      mixed = (mixed - second) / 256
      local third = mixed % 256
      local high = (mixed - third) / 256 % 256
      value = bxor(t16[low], t15[second], t14[third], t13[high], t12[e], t11[f], t10[g], t9[h],
        t8[i], t7[j], t6[k], t5[l], t4[m], t3[n], t2[o], t1[p])
    end
    for place = whole + 1, #given do
      value = bxor(t1[bit_and(bxor(value, byte(given, place)), 255)], rshift(value, 8))
    end
    return bit.bnot(value) % 4294967296
  end
end

sums.crc32 = crc(0xEDB88320)
sums.crc32c = crc(0x82F63B78)

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

-- The tables of Liftbridge -----------------------------------------------------------------------------------

local names = {
  start_position = { [0] = "new_only", [1] = "offset", [2] = "earliest", [3] = "latest", [4] = "timestamp" },
  stop_position = { [0] = "stop_on_cancel", [1] = "stop_offset", [2] = "stop_latest", [3] = "stop_timestamp" },
  ack_policy = { [0] = "leader", [1] = "all", [2] = "none" },
  error = { [0] = "ok", [1] = "unknown_stream" },
  error_2 = { [0] = "ok", [1] = "unknown_group" },
  ack_error = { [0] = "ok", [1] = "unknown", [2] = "incorrect_offset", [3] = "too_large", [4] = "encryption" },
  code = {
    [0] = "unknown",
    [1] = "bad_request",
    [2] = "not_found",
    [3] = "internal",
    [4] = "readonly",
    [5] = "incorrect_offset",
    [6] = "encryption_failed",
    [7] = "permission_denied",
  },
  op = {
    [0] = "create_stream",
    [1] = "shrink_isr",
    [2] = "report_leader",
    [3] = "change_leader",
    [4] = "expand_isr",
    [5] = "delete_stream",
    [6] = "pause_stream",
    [7] = "resume_stream",
    [8] = "publish_activity",
    [9] = "set_stream_readonly",
    [10] = "create_consumer_group",
    [11] = "join_consumer_group",
    [12] = "leave_consumer_group",
    [13] = "report_consumer_group_coordinator",
    [14] = "change_consumer_group_coordinator",
  },
  code_2 = {
    [0] = "ok",
    [1] = "cancelled",
    [2] = "unknown",
    [3] = "invalid_argument",
    [4] = "deadline_exceeded",
    [5] = "not_found",
    [6] = "already_exists",
    [7] = "permission_denied",
    [8] = "resource_exhausted",
    [9] = "failed_precondition",
    [10] = "aborted",
    [11] = "out_of_range",
    [12] = "unimplemented",
    [13] = "internal",
    [14] = "unavailable",
    [15] = "data_loss",
    [16] = "unauthenticated",
  },
  rpc_type = {
    [0] = "append_entries",
    [1] = "request_vote",
    [2] = "install_snapshot",
    [3] = "timeout_now",
    [4] = "request_pre_vote",
  },
  message_type = {
    [0] = "publish",
    [1] = "ack",
    [2] = "replication_request",
    [3] = "replication_response",
    [4] = "raft_join_request",
    [5] = "raft_join_response",
    [6] = "leader_epoch_offset_request",
    [7] = "leader_epoch_offset_response",
    [8] = "propagated_request",
    [9] = "propagated_response",
    [10] = "server_info_request",
    [11] = "server_info_response",
    [12] = "partition_status_request",
    [13] = "partition_status_response",
    [14] = "partition_notification",
  },
}

local FOREIGN = {}

local FRAGMENTS = nil

local RESUMPTION = nil

local STREAM_TYPES = nil

local PARITY = nil

local UPGRADES = {}
local switch_dialect, SWITCHING, BETWEEN_SERVERS = false, {}, {}

local RUN = nil

local function head_1()
  return {
    word.literal("\185\014C\180", "Magic number."),
    word.u8("version", "Version of the envelope: 0.", { abbreviation = NAME .. ".version" }),
    word.u8(
      "header_length",
      "Where the body begins: 8, with a sum 12.",
      { abbreviation = NAME .. ".head.header_length", unit = "bytes", keep = true }
    ),
    word.u8(
      "flags",
      "What the header has.",
      { flags = { [1] = "checksum" }, keep = true, awaited = true }
    ),
    word.u8(
      "message_type",
      "Which message.",
      { abbreviation = NAME .. ".key", names = names.message_type }
    ),
    word.when(function(v) return band(v.flags, 1) ~= 0 end, { word.u32("checksum", "CRC-32C of the body.", { base = "hex", keep = true }) }),
    word.when(function(v) return v.header_length > band(v.flags, 1) * 4 + 8 end, {
      word.bytes(
        function(v) return (v.header_length - band(v.flags, 1) * 4) - 8 end,
        "extension",
        "More header than is known; servers read over it.",
        { keep = true, awaited = true }
      ),
    }),
  }
end

local function head_2()
  return { word.literal("LIFT", "Magic number of 2019.") }
end

local function head_3()
  return {
    word.literal("\185\014C\180", "Magic number."),
    word.u8("version", "Version of the envelope: 0.", { abbreviation = NAME .. ".version" }),
    word.u8(
      "header_length",
      "Where the body begins: 8, with a sum 12.",
      { abbreviation = NAME .. ".head.header_length", unit = "bytes", keep = true }
    ),
    word.u8(
      "flags",
      "What the header has.",
      { flags = { [1] = "checksum" }, keep = true, awaited = true }
    ),
    word.u8(
      "message_type",
      "Which message.",
      { abbreviation = NAME .. ".key", names = names.message_type }
    ),
    word.when(function(v) return band(v.flags, 1) ~= 0 end, { word.u32("checksum", "CRC-32C of the body.", { base = "hex", keep = true }) }),
    word.when(function(v) return v.header_length > band(v.flags, 1) * 4 + 8 end, {
      word.bytes(
        function(v) return (v.header_length - band(v.flags, 1) * 4) - 8 end,
        "extension",
        "More header than is known; servers read over it.",
        { keep = true, awaited = true }
      ),
    }),
  }
end

local heads = {
  [""] = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 0,
    select = function(from)
      return u8(from + 7), u8(from + 4), false
    end,
  },
  lift = {
    least = 5,
    most = 67108864,
    size = 5,
    prefix = 0,
    select = function()
      return "", nil, false
    end,
  },
  alpha = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 0,
    select = function(from)
      return u8(from + 7), u8(from + 4), false
    end,
  },
  bare = {
    least = 0,
    most = 67108864,
    size = 0,
    prefix = 0,
    select = function()
      return "", nil, false
    end,
  },
}

local embedded_records = {}

local calls = {
  ["liftbridge.create_stream_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/CreateStream"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "subject", "Subject of NATS that it is attached to.", { keep = "followed" }),
        [2] = word.proto("string", "name", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [3] = word.proto("string", "group", "Queue group that the leaders of its partitions join."),
        [4] = word.proto(
          "int32",
          "replication_factor",
          "Servers that have it; -1 for all.",
          { keep = "followed" }
        ),
        [5] = word.proto("int32", "partitions", "How many partitions; absent for 1.", { keep = "followed" }),
        [6] = word.proto("message", "retention_max_bytes", "Bytes that a partition may have before it is cut.", {
          message = word.message({
            [1] = word.proto("int64", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [7] = word.proto("message", "retention_max_messages", "Messages that it may have.", {
          message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
        }),
        [8] = word.proto("message", "retention_max_age", "Age of messages, in ms.", {
          message = word.message({
            [1] = word.proto("int64", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [9] = word.proto("message", "cleaner_interval", "Time between cuts, in ms.", {
          message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
        }),
        [10] = word.proto("message", "segment_max_bytes", "Bytes of a file of the log.", {
          message = word.message({
            [1] = word.proto("int64", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [11] = word.proto("message", "segment_max_age", "Age of a file of the log, in ms.", {
          message = word.message({
            [1] = word.proto("int64", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [12] = word.proto("message", "compact_max_goroutines", "How many compact at a time.", {
          message = word.message({ [1] = word.proto("int32", "value", "The value; absent for 0 or false.") }),
        }),
        [13] = word.proto("message", "compact_enabled", "Whether only the last message of a key is kept.", {
          message = word.message({
            [1] = word.proto("bool", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [14] = word.proto("message", "auto_pause_time", "Idle time until it is paused, in ms; 0 is never.", {
          message = word.message({
            [1] = word.proto("int64", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [15] = word.proto("message", "auto_pause_disable_if_subscribers", "Whether subscribers keep it awake.", {
          message = word.message({ [1] = word.proto("bool", "value", "The value; absent for 0 or false.") }),
        }),
        [16] = word.proto("message", "min_isr", "Replicas that must be in sync for a message to be committed.", {
          message = word.message({
            [1] = word.proto("int32", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [17] = word.proto("message", "optimistic_concurrency_control", "Whether a publish must know the next offset.", {
          message = word.message({
            [1] = word.proto("bool", "value", "The value; absent for 0 or false.", { keep = "followed" }),
          }),
        }),
        [18] = word.proto("message", "encryption", "Whether values are encrypted where they are stored.", {
          message = word.message({ [1] = word.proto("bool", "value", "The value; absent for 0 or false.") }),
        }),
      }),
    },
  },
  ["liftbridge.delete_stream_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/DeleteStream"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "name", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
      }),
    },
  },
  ["liftbridge.pause_stream_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/PauseStream"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "name", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partitions",
          "Numbers of the partitions; all of them if empty.",
          { spans = { "partition" }, keep = "followed", repeated = true }
        ),
        [3] = word.proto("bool", "resume_all", "Whether a publish to one paused partition wakes all."),
      }),
    },
  },
  ["liftbridge.set_stream_readonly_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/SetStreamReadonly"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "name", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partitions",
          "Numbers of the partitions; all of them if empty.",
          { spans = { "partition" }, keep = "followed", repeated = true, gathers = { "partitions" } }
        ),
        [3] = word.proto("bool", "readonly", "Whether to refuse publishes from now on.", { keep = "followed" }),
      }),
    },
  },
  ["liftbridge.subscribe_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/Subscribe"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = "followed" }
        ),
        [3] = word.proto(
          "enum",
          "start_position",
          "Where it begins; absent for new only.",
          { names = names.start_position, keep = "followed" }
        ),
        [4] = word.proto(
          "int64",
          "start_offset",
          "First offset, where it begins at one.",
          { spans = { "offset" }, keep = "followed" }
        ),
        [5] = word.proto(
          "int64",
          "start_timestamp",
          "First time, where it begins at one.",
          { unit = "ns", time = 9, keep = "followed" }
        ),
        [6] = word.proto("bool", "read_isr_replica", "Whether a follower may serve it.", { keep = "followed" }),
        [7] = word.proto("bool", "resume", "Whether a paused partition is woken.", { keep = "followed" }),
        [8] = word.proto(
          "enum",
          "stop_position",
          "Where it ends; absent for never.",
          { names = names.stop_position, keep = "followed" }
        ),
        [9] = word.proto("int64", "stop_offset", "Last offset, where it ends at one.", { keep = "followed" }),
        [10] = word.proto(
          "int64",
          "stop_timestamp",
          "Last time, where it ends at one.",
          { unit = "ns", time = 9, keep = "followed" }
        ),
        [11] = word.proto("message", "consumer", "The member of a group that reads.", {
          message = word.message({
            [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = "followed" }),
            [2] = word.proto("uint64", "group_epoch", "Epoch of the group.", { keep = "followed" }),
            [3] = word.proto("string", "consumer_id", "Name of the consumer.", { keep = "followed" }),
          }),
        }),
      }),
    },
  },
  ["liftbridge.fetch_metadata_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/FetchMetadata"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto(
          "string",
          "streams",
          "Names of the streams.",
          { spans = { "stream" }, keep = "followed", repeated = true, gathers = { "streams" } }
        ),
        [2] = word.proto("string", "groups", "Names of consumer groups.", { repeated = true }),
      }),
    },
  },
  ["liftbridge.fetch_partition_metadata_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/FetchPartitionMetadata"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.publish_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/Publish"] = true, ["/proto.API/PublishAsync"] = true },
    kind = "command",
    body = {
      word.message(
        {
          [1] = word.proto("bytes", "key", "Key of the message.", { keep = "followed", raw = true }),
          [2] = word.proto("bytes", "value", "What is published.", {
            keep = "followed",
            raw = true,
            body = true,
            slot = { name = "liftbridge.value", readers = {} },
          }),
          [3] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = true }),
          [4] = word.proto(
            "int32",
            "partition",
            "Number of the partition; absent for 0.",
            { spans = { "partition" }, keep = "followed" }
          ),
          [5] = word.proto("map", "headers", "Headers of the message.", {
            keep = "followed",
            repeated = true,
            records = { "key", "value raw" },
            forget = { "headers.key", "headers.value", "headers.value raw" },
            message = word.message({
              [1] = word.proto("string", "key", "Name.", { keep = "followed" }),
              [2] = word.proto("bytes", "value", "Value; absent where it is empty.", { keep = "followed", raw = true }),
            }),
          }),
          [6] = word.proto(
            "string",
            "ack_inbox",
            "Subject of NATS for the ack; without it none is sent.",
            { keep = "followed" }
          ),
          [7] = word.proto(
            "string",
            "correlation_id",
            "Chosen by the publisher, comes back in the ack.",
            { keep = "followed" }
          ),
          [8] = word.proto(
            "enum",
            "ack_policy",
            "When to acknowledge; absent for leader.",
            { names = names.ack_policy, keep = "followed" }
          ),
          [9] = word.proto(
            "int64",
            "expected_offset",
            "Offset that it must get; -1 for any.",
            { spans = { "offset" }, keep = "followed" }
          ),
        },
        { stream = 3 }
      ),
    },
  },
  ["liftbridge.publish_to_subject_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/PublishToSubject"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("bytes", "key", "Key of the message."),
        [2] = word.proto("bytes", "value", "What is published.", {
          keep = "followed",
          raw = true,
          body = true,
          slot = { name = "liftbridge.value", readers = {} },
        }),
        [3] = word.proto("string", "subject", "Subject of NATS.", { keep = "followed" }),
        [4] = word.proto("map", "headers", "Headers of the message.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "key", "Name."),
            [2] = word.proto("bytes", "value", "Value; absent where it is empty."),
          }),
        }),
        [5] = word.proto(
          "string",
          "ack_inbox",
          "Subject of NATS for the ack; without it none is sent.",
          { keep = "followed" }
        ),
        [6] = word.proto(
          "string",
          "correlation_id",
          "Chosen by the publisher, comes back in the ack.",
          { keep = "followed" }
        ),
        [7] = word.proto(
          "enum",
          "ack_policy",
          "When to acknowledge; absent for leader.",
          { names = names.ack_policy, keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.set_cursor_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/SetCursor"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = "followed" }
        ),
        [3] = word.proto("string", "cursor_id", "Name of the cursor.", { keep = "followed" }),
        [4] = word.proto("int64", "offset", "What it has reached.", { spans = { "offset" }, keep = "followed" }),
      }),
    },
  },
  ["liftbridge.fetch_cursor_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/FetchCursor"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = "followed" }
        ),
        [3] = word.proto("string", "cursor_id", "Name of the cursor.", { keep = "followed" }),
      }),
    },
  },
  ["liftbridge.join_consumer_group_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/JoinConsumerGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = "followed" }),
        [2] = word.proto("string", "consumer_id", "Name of the consumer.", { keep = "followed" }),
        [3] = word.proto(
          "string",
          "streams",
          "Names of the streams.",
          { spans = { "stream" }, keep = "followed", repeated = true, gathers = { "streams" } }
        ),
      }),
    },
  },
  ["liftbridge.leave_consumer_group_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/LeaveConsumerGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = "followed" }),
        [2] = word.proto("string", "consumer_id", "Name of the consumer.", { keep = "followed" }),
      }),
    },
  },
  ["liftbridge.fetch_consumer_group_assignments_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/FetchConsumerGroupAssignments"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = "followed" }),
        [2] = word.proto("string", "consumer_id", "Name of the consumer.", { keep = "followed" }),
        [3] = word.proto(
          "uint64",
          "epoch",
          "Epoch of the group: one more for each change of it.",
          { keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.report_consumer_group_coordinator_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/proto.API/ReportConsumerGroupCoordinator"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "group_id", "Name of the consumer group."),
        [2] = word.proto("string", "consumer_id", "Name of the consumer."),
        [3] = word.proto("string", "coordinator", "Id of the server that looks after the group."),
        [4] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
      }),
    },
  },
  ["liftbridge.create_stream_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/CreateStream"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.delete_stream_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/DeleteStream"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.pause_stream_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/PauseStream"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.set_stream_readonly_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/SetStreamReadonly"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.message"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/Subscribe"] = true },
    kind = "command",
    body = {
      word.message(
        {
          [1] = word.proto(
            "int64",
            "offset",
            "In a publish the offset that it expects to get, -1 for any (absent is 0); in a delivery its own.",
            { spans = { "offset" }, keep = "followed" }
          ),
          [2] = word.proto(
            "bytes",
            "key",
            "Key, for compaction and the choice of a partition.",
            { keep = "followed", raw = true }
          ),
          [3] = word.proto("bytes", "value", "What is published.", {
            keep = "followed",
            raw = true,
            body = true,
            slot = { name = "liftbridge.value", readers = {} },
          }),
          [4] = word.proto(
            "int64",
            "timestamp",
            "When the leader received it.",
            { unit = "ns", time = 9, keep = "followed" }
          ),
          [5] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = true }),
          [6] = word.proto(
            "int32",
            "partition",
            "Number of the partition; absent for 0.",
            { spans = { "partition" }, keep = "followed" }
          ),
          [7] = word.proto("string", "subject", "Subject of NATS that it was published to.", { keep = "followed" }),
          [8] = word.proto("string", "reply_subject", "Reply subject of NATS that stood with it."),
          [9] = word.proto("map", "headers", "Headers; servers add subject and reply to what is stored.", {
            repeated = true,
            message = word.message({
              [1] = word.proto("string", "key", "Name."),
              [2] = word.proto("bytes", "value", "Value; absent where it is empty."),
            }),
          }),
          [10] = word.proto("string", "ack_inbox", "Subject of NATS for the ack; without it none is sent."),
          [11] = word.proto("string", "correlation_id", "Chosen by the publisher, comes back in the ack."),
          [12] = word.proto(
            "enum",
            "ack_policy",
            "When to acknowledge; absent for leader.",
            { names = names.ack_policy }
          ),
        },
        { stream = 5 }
      ),
    },
  },
  ["liftbridge.fetch_metadata_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/FetchMetadata"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "brokers", "The servers.", {
          keep = "followed",
          repeated = true,
          gathers = { "brokers.host", "brokers.port" },
          records = { "host", "id", "port" },
          forget = { "brokers.id", "brokers.host", "brokers.port" },
          message = word.message({
            [1] = word.proto("string", "id", "Id of the server.", { keep = "followed" }),
            [2] = word.proto("string", "host", "Host that it is reached at.", { keep = "followed" }),
            [3] = word.proto("int32", "port", "Port that it is reached at.", { keep = "followed" }),
            [4] = word.proto("int32", "partition_count", "Partitions that it has."),
            [5] = word.proto("int32", "leader_count", "Partitions that it leads."),
          }),
        }),
        [2] = word.proto("message", "stream_metadata", "The streams.", {
          keep = "followed",
          repeated = true,
          gathers = { "stream_metadata.name" },
          records = { "error", "name" },
          forget = { "stream_metadata.name", "stream_metadata.error" },
          message = word.message({
            [1] = word.proto("string", "name", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
            [2] = word.proto("string", "subject", "Subject of the stream."),
            [3] = word.proto(
              "enum",
              "error",
              "Whether there is such a stream; absent for ok.",
              { names = names.error, holds = { failed = { [0] = true, [""] = true } }, keep = "followed" }
            ),
            [4] = word.proto("map", "partitions", "Its partitions by number.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("int32", "key", "Number; absent for 0."),
                [2] = word.proto("message", "value", "The partition.", {
                  message = word.message({
                    [1] = word.proto("int32", "id", "Number of the partition; absent for 0.", { spans = { "partition" } }),
                    [2] = word.proto("string", "leader", "Id of its leader."),
                    [3] = word.proto("string", "replicas", "Ids of the servers that have it.", { repeated = true }),
                    [4] = word.proto("string", "isr", "Ids of those that are in sync.", { repeated = true }),
                    [5] = word.proto("int64", "high_watermark", "Offset up to which it is committed."),
                    [6] = word.proto("int64", "newest_offset", "Newest offset of its leader."),
                    [7] = word.proto("bool", "paused", "Whether it is paused."),
                    [8] = word.proto("bool", "readonly", "Whether it is read-only."),
                    [9] = word.proto("message", "messages_received_timestamps", "When messages came.", {
                      message = word.message({
                        [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                        [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
                      }),
                    }),
                    [10] = word.proto("message", "pause_timestamps", "When it was paused or woken.", {
                      message = word.message({
                        [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                        [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
                      }),
                    }),
                    [11] = word.proto("message", "readonly_timestamps", "When it was closed or opened.", {
                      message = word.message({
                        [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                        [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
                      }),
                    }),
                  }),
                }),
              }),
            }),
            [5] = word.proto("int64", "creation_timestamp", "When it was created.", { unit = "ns", time = 9 }),
          }),
        }),
        [3] = word.proto("message", "group_metadata", "The consumer groups.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "group_id", "Name of the consumer group."),
            [2] = word.proto(
              "enum",
              "error",
              "Whether there is such a group; absent for ok.",
              { names = names.error_2, holds = { failed = { [0] = true, [""] = true } } }
            ),
            [3] = word.proto("string", "coordinator", "Id of the server that looks after the group."),
            [4] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
          }),
        }),
      }),
    },
  },
  ["liftbridge.fetch_partition_metadata_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/FetchPartitionMetadata"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "metadata", "The partition.", {
          message = word.message({
            [1] = word.proto("int32", "id", "Number of the partition; absent for 0.", { spans = { "partition" } }),
            [2] = word.proto("string", "leader", "Id of its leader."),
            [3] = word.proto("string", "replicas", "Ids of the servers that have it.", { repeated = true }),
            [4] = word.proto("string", "isr", "Ids of those that are in sync.", { repeated = true }),
            [5] = word.proto("int64", "high_watermark", "Offset up to which it is committed."),
            [6] = word.proto("int64", "newest_offset", "Newest offset of its leader."),
            [7] = word.proto("bool", "paused", "Whether it is paused."),
            [8] = word.proto("bool", "readonly", "Whether it is read-only."),
            [9] = word.proto("message", "messages_received_timestamps", "When messages came.", {
              message = word.message({
                [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
              }),
            }),
            [10] = word.proto("message", "pause_timestamps", "When it was paused or woken.", {
              message = word.message({
                [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
              }),
            }),
            [11] = word.proto("message", "readonly_timestamps", "When it was closed or opened.", {
              message = word.message({
                [1] = word.proto("int64", "first_timestamp", "When it happened first.", { unit = "ns", time = 9 }),
                [2] = word.proto("int64", "latest_timestamp", "When it happened last.", { unit = "ns", time = 9 }),
              }),
            }),
          }),
        }),
      }),
    },
  },
  ["liftbridge.publish_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/Publish"] = true, ["/proto.API/PublishAsync"] = true },
    kind = "command",
    coded = true,
    body = {
      word.message({
        [1] = word.proto("message", "ack", "The ack; absent where none is wanted, or none is waited for.", {
          message = word.message({
            [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
            [2] = word.proto("string", "partition_subject", "Subject of the partition.", { keep = "followed" }),
            [3] = word.proto(
              "string",
              "msg_subject",
              "Subject that the message was published to.",
              { keep = "followed" }
            ),
            [4] = word.proto(
              "int64",
              "offset",
              "Offset that it has; absent for 0, of no meaning with an error.",
              { spans = { "offset" }, keep = "followed" }
            ),
            [5] = word.proto(
              "string",
              "ack_inbox",
              "Subject of NATS for the ack; without it none is sent.",
              { keep = "followed" }
            ),
            [6] = word.proto(
              "string",
              "correlation_id",
              "Chosen by the publisher, comes back in the ack.",
              { keep = "followed" }
            ),
            [7] = word.proto(
              "enum",
              "ack_policy",
              "When to acknowledge; absent for leader.",
              { names = names.ack_policy }
            ),
            [8] = word.proto(
              "int64",
              "reception_timestamp",
              "When the leader received it.",
              { unit = "ns", time = 9, keep = "followed" }
            ),
            [9] = word.proto(
              "int64",
              "commit_timestamp",
              "When the ack was sent.",
              { unit = "ns", time = 9, keep = "followed" }
            ),
            [10] = word.proto(
              "enum",
              "ack_error",
              "Why it was not stored; absent for ok.",
              { names = names.ack_error, holds = { failed = { [0] = true, [""] = true } }, keep = "followed" }
            ),
          }),
        }),
        [2] = word.proto("message", "async_error", "Why a message of PublishAsync was refused.", {
          message = word.message({
            [1] = word.proto(
              "enum",
              "code",
              "Why; absent for unknown.",
              { names = names.code, holds = { failed = { [0] = true, [""] = true } }, keep = "followed" }
            ),
            [2] = word.proto("string", "message", "Why, in words.", { keep = "followed" }),
          }),
        }),
        [3] = word.proto(
          "string",
          "correlation_id",
          "Chosen by the publisher, comes back in the ack.",
          { keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.publish_to_subject_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/PublishToSubject"] = true },
    kind = "command",
    coded = true,
    body = {
      word.message({
        [1] = word.proto("message", "ack", "The first ack that came.", {
          message = word.message({
            [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
            [2] = word.proto("string", "partition_subject", "Subject of the partition.", { keep = "followed" }),
            [3] = word.proto("string", "msg_subject", "Subject that the message was published to."),
            [4] = word.proto(
              "int64",
              "offset",
              "Offset that it has; absent for 0, of no meaning with an error.",
              { spans = { "offset" }, keep = "followed" }
            ),
            [5] = word.proto(
              "string",
              "ack_inbox",
              "Subject of NATS for the ack; without it none is sent.",
              { keep = "followed" }
            ),
            [6] = word.proto(
              "string",
              "correlation_id",
              "Chosen by the publisher, comes back in the ack.",
              { keep = "followed" }
            ),
            [7] = word.proto(
              "enum",
              "ack_policy",
              "When to acknowledge; absent for leader.",
              { names = names.ack_policy }
            ),
            [8] = word.proto(
              "int64",
              "reception_timestamp",
              "When the leader received it.",
              { unit = "ns", time = 9 }
            ),
            [9] = word.proto("int64", "commit_timestamp", "When the ack was sent.", { unit = "ns", time = 9 }),
            [10] = word.proto(
              "enum",
              "ack_error",
              "Why it was not stored; absent for ok.",
              { names = names.ack_error, holds = { failed = { [0] = true, [""] = true } }, keep = "followed" }
            ),
          }),
        }),
      }),
    },
  },
  ["liftbridge.set_cursor_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/SetCursor"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.fetch_cursor_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/FetchCursor"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto(
          "int64",
          "offset",
          "What it has reached; -1 for no such cursor.",
          { spans = { "offset" }, keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.join_consumer_group_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/JoinConsumerGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto(
          "string",
          "coordinator",
          "Id of the server that looks after the group.",
          { keep = "followed" }
        ),
        [2] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
        [3] = word.proto(
          "int64",
          "consumer_timeout",
          "Silence that ends a membership.",
          { unit = "ns", keep = "followed" }
        ),
        [4] = word.proto(
          "int64",
          "coordinator_timeout",
          "Silence after which it is reported.",
          { unit = "ns", keep = "followed" }
        ),
      }),
    },
  },
  ["liftbridge.leave_consumer_group_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/LeaveConsumerGroup"] = true },
    kind = "command",
    body = { word.message({}) },
  },
  ["liftbridge.fetch_consumer_group_assignments_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/FetchConsumerGroupAssignments"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto(
          "uint64",
          "epoch",
          "Epoch of the group: one more for each change of it.",
          { keep = "followed" }
        ),
        [2] = word.proto("message", "assignments", "What the consumer has to read.", {
          keep = "followed",
          repeated = true,
          gathers = { "assignments.stream" },
          records = { "partitions[]", "stream" },
          forget = { "assignments.stream", "assignments.partitions", "assignments.partitions[]" },
          message = word.message({
            [1] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" }, keep = "followed" }),
            [2] = word.proto("int32", "partitions", "Partitions that the consumer reads.", {
              spans = { "partition" },
              keep = "followed",
              repeated = true,
              gathers = { "assignments.partitions" },
            }),
          }),
        }),
      }),
    },
  },
  ["liftbridge.report_consumer_group_coordinator_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/proto.API/ReportConsumerGroupCoordinator"] = true },
    kind = "command",
    body = { word.message({}) },
  },
} -- messages inside calls

local frames = {}

-- Publishes a message. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "both",
  key = 0,
  version = 0,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "", "" }, holes = { { path = "value", form = "bytes" } } },
    { texts = { "partition=", "" }, holes = { { path = "partition" } } },
    { texts = { "subject=", "" }, holes = { { path = "subject" } } },
    { texts = { "id=", "" }, holes = { { path = "correlation_id" } } },
    { texts = { "inbox=", "" }, holes = { { path = "ack_inbox" } } },
    { texts = { "", "" }, holes = { { path = "value", form = "text" } } },
  },
  brief = 6,
  correlates = "correlation_id",
  stream = "stream",
  bodies = true,
  awaited = 9,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message(
          {
            [1] = word.proto(
              "int64",
              "offset",
              "In a publish the offset that it expects to get, -1 for any (absent is 0); in a delivery its own.",
              { spans = { "offset" } }
            ),
            [2] = word.proto("bytes", "key", "Key, for compaction and the choice of a partition."),
            [3] = word.proto("bytes", "value", "What is published.", {
              keep = true,
              awaited = true,
              raw = true,
              in_info = true,
              body = true,
              slot = { name = "liftbridge.value", readers = {} },
            }),
            [4] = word.proto("int64", "timestamp", "When the leader received it.", { unit = "ns", time = 9 }),
            [5] = word.proto(
              "string",
              "stream",
              "Name of the stream.",
              { spans = { "stream" }, keep = true, awaited = true, in_info = true }
            ),
            [6] = word.proto(
              "int32",
              "partition",
              "Number of the partition; absent for 0.",
              { spans = { "partition" }, keep = true, in_info = true }
            ),
            [7] = word.proto(
              "string",
              "subject",
              "Subject of NATS that it was published to.",
              { keep = true, awaited = true, in_info = true }
            ),
            [8] = word.proto("string", "reply_subject", "Reply subject of NATS that stood with it."),
            [9] = word.proto("map", "headers", "Headers; servers add subject and reply to what is stored.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("string", "key", "Name."),
                [2] = word.proto("bytes", "value", "Value; absent where it is empty."),
              }),
            }),
            [10] = word.proto(
              "string",
              "ack_inbox",
              "Subject of NATS for the ack; without it none is sent.",
              { keep = true, awaited = true, in_info = true }
            ),
            [11] = word.proto(
              "string",
              "correlation_id",
              "Chosen by the publisher, comes back in the ack.",
              { keep = true, awaited = true, in_info = true }
            ),
            [12] = word.proto(
              "enum",
              "ack_policy",
              "When to acknowledge; absent for leader.",
              { names = names.ack_policy, keep = "followed", awaited = true }
            ),
          },
          { stream = 5 }
        ),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Acknowledges a message. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "ack",
  command = "ack",
  kind = "command",
  sender = "both",
  key = 1,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    {
      texts = { "error=", "" },
      holes = { { path = "ack_error", form = "ok", others = { ok = true } } },
    },
    { texts = { "id=", "" }, holes = { { path = "correlation_id" } } },
    { texts = { "inbox=", "" }, holes = { { path = "ack_inbox" } } },
  },
  brief = 5,
  correlates = "correlation_id",
  awaited = 13,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "string",
            "stream",
            "Name of the stream.",
            { spans = { "stream" }, keep = true, awaited = true, in_info = true }
          ),
          [2] = word.proto(
            "string",
            "partition_subject",
            "Subject of the partition.",
            { keep = "followed", awaited = true }
          ),
          [3] = word.proto(
            "string",
            "msg_subject",
            "Subject that the message was published to.",
            { keep = "followed", awaited = true }
          ),
          [4] = word.proto(
            "int64",
            "offset",
            "Offset that it has; absent for 0, of no meaning with an error.",
            { spans = { "offset" }, keep = true, awaited = true, in_info = true }
          ),
          [5] = word.proto(
            "string",
            "ack_inbox",
            "Subject of NATS for the ack; without it none is sent.",
            { keep = true, awaited = true, in_info = true }
          ),
          [6] = word.proto(
            "string",
            "correlation_id",
            "Chosen by the publisher, comes back in the ack.",
            { keep = true, awaited = true, in_info = true }
          ),
          [7] = word.proto(
            "enum",
            "ack_policy",
            "When to acknowledge; absent for leader.",
            { names = names.ack_policy, keep = "followed", awaited = true }
          ),
          [8] = word.proto(
            "int64",
            "reception_timestamp",
            "When the leader received it.",
            { unit = "ns", time = 9, keep = "followed", awaited = true }
          ),
          [9] = word.proto(
            "int64",
            "commit_timestamp",
            "When the ack was sent.",
            { unit = "ns", time = 9, keep = "followed", awaited = true }
          ),
          [10] = word.proto("enum", "ack_error", "Why it was not stored; absent for ok.", {
            names = names.ack_error,
            holds = { failed = { [0] = true, [""] = true } },
            keep = true,
            awaited = true,
            in_info = true,
          }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Asks the leader of a partition for messages. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "replication_request",
  command = "replication_request",
  kind = "request",
  sender = "both",
  key = 2,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } },
    { texts = { "replica=", "" }, holes = { { path = "replica_id" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "string",
            "replica_id",
            "Id of the follower.",
            { keep = true, awaited = true, in_info = true }
          ),
          [2] = word.proto(
            "int64",
            "offset",
            "Newest offset that it has; -1 for none.",
            { spans = { "offset" }, keep = true, awaited = true, in_info = true }
          ),
          [3] = word.proto(
            "uint64",
            "leader_epoch",
            "Epoch of the partition's leader: one more for each new leader.",
            { keep = true, awaited = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Brings messages, and how far they are committed. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "replication_response",
  command = "replication_response",
  kind = "response",
  sender = "both",
  key = 3,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "offsets=", "" }, holes = { { path = "records.offset", form = "ranges" } } },
    { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } },
    { texts = { "high_watermark=", "" }, holes = { { path = "high_watermark" } } },
  },
  brief = 1000,
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.u64(
          "leader_epoch",
          "Epoch of the leader: a follower of another one ignores it.",
          { keep = true, in_info = true }
        ),
        word.i64(
          "high_watermark",
          "Offset up to which all in sync have it; -1 for none.",
          { keep = true, in_info = true }
        ),
        word.list(word.each({
          word.i64(
            "offset",
            "Offset of the message.",
            { spans = { "offset" }, keep = true, in_info = "ranges" }
          ),
          word.i64("timestamp", "When the leader received it.", { unit = "ns", time = 9 }),
          word.u64("leader_epoch", "Epoch of the leader that stored it."),
          word.region(U32, {
            word.u32("crc", "CRC-32C of what follows.", { base = "hex", keep = true }),
            word.region(
              REST,
              {
                word.i8("magic", "Version of the layout: 1.", { keep = "followed" }),
                word.i8("attributes", "Always 0."),
                word.bytes(I32, "key", "Key; null for none.", { null = true }),
                word.bytes(I32, "value", "What was published; of an encrypted stream a wrapped key, a nonce and what it encrypts.", {
                  keep = "followed",
                  raw = true,
                  body = true,
                  null = true,
                  slot = { name = "liftbridge.value", readers = {} },
                }),
                word.list(
                  word.each({
                    word.text(I16, "key", "Name."),
                    word.bytes(I32, "value", "Value; null breaks the reader of servers.", { null = true }),
                  }),
                  "headers",
                  "Headers of the message, with the subject and the reply that it came with.",
                  { count = I16 }
                ),
              },
              { sum_of = "crc32c", expected = function(v) return v["records.crc"] end }
            ),
          }),
        }), "records", "Messages, none where the follower has all.", {
          keep = "followed",
          gathers = { "records.magic", "records.offset", "records.value raw" },
          forget = { "records.offset", "records.crc", "records.magic", "records.value", "records.value raw" },
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Asks to join the metadata group. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "raft_join_request",
  command = "raft_join_request",
  kind = "request",
  sender = "both",
  key = 4,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = { { texts = { "node=", "" }, holes = { { path = "node_id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto("string", "node_id", "Id of the server that joins.", { keep = true, in_info = true }),
          [2] = word.proto("string", "node_addr", "Its address: the same as its id."),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Says whether it may. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "raft_join_response",
  command = "raft_join_response",
  kind = "response",
  sender = "both",
  key = 5,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "string",
            "error",
            "Why it may not; absent where it may.",
            { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Asks for the last offset of an epoch. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "leader_epoch_offset_request",
  command = "leader_epoch_offset_request",
  kind = "request",
  sender = "both",
  key = 6,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = { { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "uint64",
            "leader_epoch",
            "Epoch of the partition's leader: one more for each new leader.",
            { keep = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Announces the last offset of the epoch. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "leader_epoch_offset_response",
  command = "leader_epoch_offset_response",
  kind = "response",
  sender = "both",
  key = 7,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = { { texts = { "offset=", "" }, holes = { { path = "end_offset" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "int64",
            "end_offset",
            "Last offset of that epoch; the follower drops its messages after it.",
            { keep = true, awaited = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Hands a change of metadata to who leads. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "propagated_request",
  command = "propagated_request",
  kind = "request",
  sender = "both",
  key = 8,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "op" } } },
    { texts = { "", "" }, holes = { { path = "create_stream_op.stream.name" } } },
    { texts = { "", "" }, holes = { { path = "shrink_isr_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "report_leader_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "expand_isr_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "delete_stream_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "pause_stream_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "resume_stream_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "set_stream_readonly_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "join_consumer_group_op.group_id" } } },
    { texts = { "", "" }, holes = { { path = "leave_consumer_group_op.group_id" } } },
    { texts = { "", "" }, holes = { { path = "report_consumer_group_coordinator_op.group_id" } } },
  },
  brief = 12,
  awaited = 11,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "enum",
            "op",
            "What is asked; absent for create_stream.",
            { names = names.op, keep = true, awaited = true, in_info = true }
          ),
          [2] = word.proto("message", "create_stream_op", "A stream to create.", {
            message = word.message({
              [1] = word.proto("message", "stream", "The stream.", {
                message = word.message({
                  [1] = word.proto(
                    "string",
                    "name",
                    "Name of the stream.",
                    { spans = { "stream" }, keep = true, awaited = true, in_info = true }
                  ),
                  [2] = word.proto("string", "subject", "Subject of the stream."),
                  [3] = word.proto("message", "partitions", "Its partitions.", {
                    repeated = true,
                    message = word.message({
                      [1] = word.proto("string", "subject", "Subject that it listens to."),
                      [2] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" } }),
                      [3] = word.proto("int32", "id", "Number of the partition; absent for 0.", { spans = { "partition" } }),
                      [4] = word.proto("string", "group", "Queue group that its leader joins."),
                      [5] = word.proto("int32", "replication_factor", "How many replicas; -1 for all servers."),
                      [6] = word.proto("string", "replicas", "Ids of the servers that have it.", { repeated = true }),
                      [7] = word.proto("string", "leader", "Id of its leader."),
                      [8] = word.proto("string", "isr", "Ids of those that are in sync.", { repeated = true }),
                      [9] = word.proto(
                        "uint64",
                        "leader_epoch",
                        "Epoch of the partition's leader: one more for each new leader."
                      ),
                      [10] = word.proto("uint64", "epoch", "One more for each change of the partition."),
                      [11] = word.proto("bool", "paused", "Whether it is paused."),
                      [12] = word.proto("bool", "readonly", "Whether it is read-only."),
                    }),
                  }),
                  [4] = word.proto("message", "config", "How its log is kept.", {
                    message = word.message({
                      [1] = word.proto("message", "retention_max_bytes", "Bytes that a partition may have before it is cut.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [2] = word.proto("message", "retention_max_messages", "Messages that it may have.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [3] = word.proto("message", "retention_max_age", "Age of messages, in ms.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [4] = word.proto("message", "cleaner_interval", "Time between cuts, in ms.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [5] = word.proto("message", "segment_max_bytes", "Bytes of a file of the log.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [6] = word.proto("message", "segment_max_age", "Age of a file of the log, in ms.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [7] = word.proto("message", "compact_max_goroutines", "How many compact at a time.", {
                        message = word.message({ [1] = word.proto("int32", "value", "The value; absent for 0 or false.") }),
                      }),
                      [8] = word.proto("message", "compact_enabled", "Whether only the last message of a key is kept.", {
                        message = word.message({ [1] = word.proto("bool", "value", "The value; absent for 0 or false.") }),
                      }),
                      [9] = word.proto("message", "auto_pause_time", "Idle time until it is paused, in ms; 0 is never.", {
                        message = word.message({ [1] = word.proto("int64", "value", "The value; absent for 0 or false.") }),
                      }),
                      [10] = word.proto("message", "auto_pause_disable_if_subscribers", "Whether subscribers keep it awake.", {
                        message = word.message({ [1] = word.proto("bool", "value", "The value; absent for 0 or false.") }),
                      }),
                      [11] = word.proto("message", "min_isr", "Replicas that must be in sync for a message to be committed.", {
                        message = word.message({ [1] = word.proto("int32", "value", "The value; absent for 0 or false.") }),
                      }),
                      [12] = word.proto("message", "optimistic_concurrency_control", "Whether a publish must know the next offset.", {
                        message = word.message({
                          [1] = word.proto(
                            "bool",
                            "value",
                            "The value; absent for 0 or false.",
                            { keep = "followed", awaited = true }
                          ),
                        }),
                      }),
                      [13] = word.proto("message", "encryption", "Whether values are encrypted where they are stored.", {
                        message = word.message({ [1] = word.proto("bool", "value", "The value; absent for 0 or false.") }),
                      }),
                    }),
                  }),
                  [5] = word.proto("int64", "creation_timestamp", "When it was created.", { unit = "ns", time = 9 }),
                }),
              }),
            }),
          }),
          [3] = word.proto("message", "shrink_isr_op", "A replica that is no longer in sync.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, awaited = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partition",
                "Number of the partition; absent for 0.",
                { spans = { "partition" }, keep = "followed", awaited = true }
              ),
              [3] = word.proto(
                "string",
                "replica_to_remove",
                "Id of the one that lags.",
                { keep = "followed", awaited = true }
              ),
              [4] = word.proto("string", "leader", "Id of the leader that is known."),
              [5] = word.proto(
                "uint64",
                "leader_epoch",
                "Epoch of the partition's leader: one more for each new leader."
              ),
            }),
          }),
          [4] = word.proto("message", "report_leader_op", "A leader that is silent.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, awaited = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partition",
                "Number of the partition; absent for 0.",
                { spans = { "partition" }, keep = "followed", awaited = true }
              ),
              [3] = word.proto(
                "string",
                "replica",
                "Id of the one that reports.",
                { keep = "followed", awaited = true }
              ),
              [4] = word.proto("string", "leader", "Id of the leader that is known."),
              [5] = word.proto(
                "uint64",
                "leader_epoch",
                "Epoch of the partition's leader: one more for each new leader."
              ),
            }),
          }),
          [5] = word.proto("message", "expand_isr_op", "A replica that is in sync again.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partition",
                "Number of the partition; absent for 0.",
                { spans = { "partition" } }
              ),
              [3] = word.proto("string", "replica_to_add", "Id of the one that has caught up."),
              [4] = word.proto("string", "leader", "Id of the leader that is known."),
              [5] = word.proto(
                "uint64",
                "leader_epoch",
                "Epoch of the partition's leader: one more for each new leader."
              ),
            }),
          }),
          [6] = word.proto("message", "delete_stream_op", "A stream to delete.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, in_info = true }
              ),
            }),
          }),
          [7] = word.proto("message", "pause_stream_op", "A stream to pause.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partitions",
                "Numbers of the partitions; all of them if empty.",
                { spans = { "partition" }, repeated = true }
              ),
              [3] = word.proto("bool", "resume_all", "Whether a publish to one paused partition wakes all."),
            }),
          }),
          [8] = word.proto("message", "resume_stream_op", "A stream to wake.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partitions",
                "Numbers of the partitions; all of them if empty.",
                { spans = { "partition" }, repeated = true }
              ),
            }),
          }),
          [9] = word.proto("message", "set_stream_readonly_op", "A stream to close for publishes, or open.", {
            message = word.message({
              [1] = word.proto(
                "string",
                "stream",
                "Name of the stream.",
                { spans = { "stream" }, keep = true, in_info = true }
              ),
              [2] = word.proto(
                "int32",
                "partitions",
                "Numbers of the partitions; all of them if empty.",
                { spans = { "partition" }, repeated = true }
              ),
              [3] = word.proto("bool", "readonly", "Whether to refuse publishes from now on."),
            }),
          }),
          [10] = word.proto("message", "join_consumer_group_op", "A consumer that joins.", {
            message = word.message({
              [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = true, in_info = true }),
              [2] = word.proto("string", "consumer_id", "Name of the consumer."),
              [3] = word.proto("string", "streams", "Names of the streams.", { spans = { "stream" }, repeated = true }),
            }),
          }),
          [11] = word.proto("message", "leave_consumer_group_op", "A consumer that leaves.", {
            message = word.message({
              [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = true, in_info = true }),
              [2] = word.proto("string", "consumer_id", "Name of the consumer."),
              [3] = word.proto("bool", "expired", "Whether the consumer went silent, in place of leaving."),
            }),
          }),
          [12] = word.proto("message", "report_consumer_group_coordinator_op", "A coordinator that is silent.", {
            message = word.message({
              [1] = word.proto("string", "group_id", "Name of the consumer group.", { keep = true, in_info = true }),
              [2] = word.proto("string", "consumer_id", "Name of the consumer."),
              [3] = word.proto("string", "coordinator", "Id of the server that looks after the group."),
              [4] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
            }),
          }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Says whether it was made. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "propagated_response",
  command = "propagated_response",
  kind = "response",
  sender = "both",
  key = 9,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "op" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "error.code", form = "ok", others = { ["0"] = true } } },
    },
    { texts = { "", "" }, holes = { { path = "error.msg" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "enum",
            "op",
            "What is asked; absent for create_stream.",
            { names = names.op, keep = true, awaited = true, in_info = true }
          ),
          [2] = word.proto("message", "error", "Why it was refused; absent where it was not.", {
            message = word.message({
              [1] = word.proto("uint32", "code", "Status code of gRPC.", {
                names = names.code_2,
                holds = { failed = { [0] = true, [""] = true } },
                keep = true,
                awaited = true,
                in_info = true,
              }),
              [2] = word.proto("string", "msg", "Why.", { keep = true, awaited = true, in_info = true }),
            }),
          }),
          [11] = word.proto("message", "join_consumer_group_resp", "The group that was joined.", {
            message = word.message({
              [1] = word.proto("string", "coordinator", "Id of the server that looks after the group."),
              [2] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
            }),
          }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Asks all servers where they are. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "server_info_request",
  command = "server_info_request",
  kind = "request",
  sender = "both",
  key = 10,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = { { texts = { "", "" }, holes = { { path = "id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto("string", "id", "Id of the server that asks.", { keep = true, in_info = true }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Announces the address of a server. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "server_info_response",
  command = "server_info_response",
  kind = "response",
  sender = "both",
  key = 11,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "id" } } },
    { texts = { "", ":", "" }, holes = { { path = "host" }, { path = "port" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto("string", "id", "Id of the server.", { keep = true, in_info = true }),
          [2] = word.proto("string", "host", "Host that clients reach it at.", { keep = true, in_info = true }),
          [3] = word.proto("int32", "port", "Port that clients reach it at.", { keep = true, in_info = true }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Asks a server for a partition. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "partition_status_request",
  command = "partition_status_request",
  kind = "request",
  sender = "both",
  key = 12,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "partition=", "" }, holes = { { path = "partition" } } },
  },
  brief = 2,
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "string",
            "stream",
            "Name of the stream.",
            { spans = { "stream" }, keep = true, in_info = true }
          ),
          [2] = word.proto(
            "int32",
            "partition",
            "Number of the partition; absent for 0.",
            { spans = { "partition" }, keep = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Says whether it has it, and leads it. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "partition_status_response",
  command = "partition_status_response",
  kind = "response",
  sender = "both",
  key = 13,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
    { texts = { "", "" }, holes = { { path = "is_leader", yes = "leader", no = "" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "bool",
            "exists",
            "Whether the server has the partition.",
            { keep = true, in_info = true }
          ),
          [2] = word.proto("bool", "is_leader", "Whether it is the leader of it.", { keep = true, in_info = true }),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Informs a follower of new messages. liftbridge v1.9.0, server/protocol/envelope.go.
frames[#frames + 1] = {
  name = "partition_notification",
  command = "partition_notification",
  kind = "command",
  sender = "both",
  key = 14,
  version = 0,
  responses = { false },
  dialects = { "", "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "partition=", "" }, holes = { { path = "partition" } } },
  },
  brief = 2,
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "string",
            "stream",
            "Name of the stream.",
            { spans = { "stream" }, keep = true, in_info = true }
          ),
          [2] = word.proto(
            "int32",
            "partition",
            "Number of the partition; absent for 0.",
            { spans = { "partition" }, keep = true, in_info = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Publishes a message. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "both",
  key = "",
  responses = { false },
  dialects = { "lift" },
  shows = {
    { texts = { "", "" }, holes = { { path = "value", form = "bytes" } } },
    { texts = { "subject=", "" }, holes = { { path = "subject" } } },
    { texts = { "id=", "" }, holes = { { path = "correlation_id" } } },
    { texts = { "inbox=", "" }, holes = { { path = "ack_inbox" } } },
    { texts = { "", "" }, holes = { { path = "value", form = "text" } } },
  },
  brief = 4,
  correlates = "correlation_id",
  known = { "stream" },
  bodies = true,
  awaited = 6,
  head = function() return head_2() end,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "int64",
          "offset",
          "In a publish the offset that it expects to get, -1 for any (absent is 0); in a delivery its own.",
          { spans = { "offset" } }
        ),
        [2] = word.proto("bytes", "key", "Key, for compaction and the choice of a partition."),
        [3] = word.proto("bytes", "value", "What is published.", {
          keep = true,
          awaited = true,
          raw = true,
          in_info = true,
          body = true,
          slot = { name = "liftbridge.value", readers = {} },
        }),
        [4] = word.proto("int64", "timestamp", "When the leader received it.", { unit = "ns", time = 9 }),
        [5] = word.proto(
          "string",
          "subject",
          "Subject of NATS that it was published to.",
          { keep = true, awaited = true, in_info = true }
        ),
        [6] = word.proto("string", "reply_subject", "Reply subject of NATS that stood with it."),
        [7] = word.proto("map", "headers", "Headers; servers add subject and reply to what is stored.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "key", "Name."),
            [2] = word.proto("bytes", "value", "Value; absent where it is empty."),
          }),
        }),
        [8] = word.proto(
          "string",
          "ack_inbox",
          "Subject of NATS for the ack; without it none is sent.",
          { keep = true, awaited = true, in_info = true }
        ),
        [9] = word.proto(
          "string",
          "correlation_id",
          "Chosen by the publisher, comes back in the ack.",
          { keep = true, awaited = true, in_info = true }
        ),
        [10] = word.proto(
          "enum",
          "ack_policy",
          "When to acknowledge; absent for leader.",
          { names = names.ack_policy, keep = "followed", awaited = true }
        ),
      }),
    }
  end,
}

-- Publishes a message. liftbridge v1.0.0-alpha, server/proto.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "both",
  key = 0,
  version = 0,
  responses = { false },
  dialects = { "alpha" },
  shows = {
    { texts = { "", "" }, holes = { { path = "value", form = "bytes" } } },
    { texts = { "subject=", "" }, holes = { { path = "subject" } } },
    { texts = { "id=", "" }, holes = { { path = "correlation_id" } } },
    { texts = { "inbox=", "" }, holes = { { path = "ack_inbox" } } },
    { texts = { "", "" }, holes = { { path = "value", form = "text" } } },
  },
  brief = 4,
  correlates = "correlation_id",
  known = { "stream" },
  bodies = true,
  awaited = 8,
  head = function() return head_3() end,
  steps = function()
    return {
      word.region(REST, {
        word.message({
          [1] = word.proto(
            "int64",
            "offset",
            "In a publish the offset that it expects to get, -1 for any (absent is 0); in a delivery its own.",
            { spans = { "offset" } }
          ),
          [2] = word.proto("bytes", "key", "Key, for compaction and the choice of a partition."),
          [3] = word.proto("bytes", "value", "What is published.", {
            keep = true,
            awaited = true,
            raw = true,
            in_info = true,
            body = true,
            slot = { name = "liftbridge.value", readers = {} },
          }),
          [4] = word.proto("int64", "timestamp", "When the leader received it.", { unit = "ns", time = 9 }),
          [5] = word.proto(
            "string",
            "subject",
            "Subject of NATS that it was published to.",
            { keep = true, awaited = true, in_info = true }
          ),
          [6] = word.proto("string", "reply_subject", "Reply subject of NATS that stood with it."),
          [7] = word.proto("map", "headers", "Headers; servers add subject and reply to what is stored.", {
            repeated = true,
            message = word.message({
              [1] = word.proto("string", "key", "Name."),
              [2] = word.proto("bytes", "value", "Value; absent where it is empty."),
            }),
          }),
          [8] = word.proto(
            "string",
            "ack_inbox",
            "Subject of NATS for the ack; without it none is sent.",
            { keep = true, awaited = true, in_info = true }
          ),
          [9] = word.proto(
            "string",
            "correlation_id",
            "Chosen by the publisher, comes back in the ack.",
            { keep = true, awaited = true, in_info = true }
          ),
          [10] = word.proto(
            "enum",
            "ack_policy",
            "When to acknowledge; absent for leader.",
            { names = names.ack_policy, keep = "followed", awaited = true }
          ),
        }),
      }, {
        sum_of = "crc32c",
        expected = function(v) return v.checksum end,
        summed = function(v) return band(v.flags, 1) ~= 0 end,
      }),
      word.claim("header_length", function(v) return band(v.flags, 1) * 4 + 8 + v["#extension"] end),
    }
  end,
}

-- Acknowledges a message. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "ack",
  command = "ack",
  kind = "command",
  sender = "both",
  key = "ack",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    {
      texts = { "error=", "" },
      holes = { { path = "ack_error", form = "ok", others = { ok = true } } },
    },
    { texts = { "id=", "" }, holes = { { path = "correlation_id" } } },
    { texts = { "inbox=", "" }, holes = { { path = "ack_inbox" } } },
  },
  brief = 5,
  correlates = "correlation_id",
  awaited = 11,
  coded = true,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "string",
          "stream",
          "Name of the stream.",
          { spans = { "stream" }, keep = true, awaited = true, in_info = true }
        ),
        [2] = word.proto(
          "string",
          "partition_subject",
          "Subject of the partition.",
          { keep = "followed", awaited = true }
        ),
        [3] = word.proto(
          "string",
          "msg_subject",
          "Subject that the message was published to.",
          { keep = "followed", awaited = true }
        ),
        [4] = word.proto(
          "int64",
          "offset",
          "Offset that it has; absent for 0, of no meaning with an error.",
          { spans = { "offset" }, keep = true, awaited = true, in_info = true }
        ),
        [5] = word.proto(
          "string",
          "ack_inbox",
          "Subject of NATS for the ack; without it none is sent.",
          { keep = true, awaited = true, in_info = true }
        ),
        [6] = word.proto(
          "string",
          "correlation_id",
          "Chosen by the publisher, comes back in the ack.",
          { keep = true, awaited = true, in_info = true }
        ),
        [7] = word.proto(
          "enum",
          "ack_policy",
          "When to acknowledge; absent for leader.",
          { names = names.ack_policy, keep = "followed", awaited = true }
        ),
        [8] = word.proto(
          "int64",
          "reception_timestamp",
          "When the leader received it.",
          { unit = "ns", time = 9, keep = "followed", awaited = true }
        ),
        [9] = word.proto(
          "int64",
          "commit_timestamp",
          "When the ack was sent.",
          { unit = "ns", time = 9, keep = "followed", awaited = true }
        ),
        [10] = word.proto("enum", "ack_error", "Why it was not stored; absent for ok.", {
          names = names.ack_error,
          holds = { failed = { [0] = true, [""] = true } },
          keep = true,
          awaited = true,
          in_info = true,
        }),
      }),
    }
  end,
}

-- Entries for the log of a follower; none is a heartbeat. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "append_entries",
  command = "append_entries",
  kind = "request",
  sender = "both",
  key = "append_entries",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "rpc_type=", "" }, holes = { { path = "rpc_type" } } },
    { texts = { "arguments=", "" }, holes = { { path = "arguments" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.u8("rpc_type", "Which call.", { names = names.rpc_type, keep = true, in_info = true }),
      word.bytes(
        REST,
        "arguments",
        "The arguments by their names.",
        { keep = true, in_info = true, slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Answers append_entries. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "append_entries_response",
  command = "append_entries_response",
  kind = "response",
  sender = "both",
  key = "append_entries_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bits(1, { word.reserved(3), word.part("error_length", 5, "Bytes of the error.", { keep = true }) }),
      word.text(
        function(v) return v.error_length end,
        "error",
        "Why it failed; empty where it did not.",
        { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
      ),
      word.bytes(
        REST,
        "result",
        "The result by its names.",
        { slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- A follower gets all that the log has led to; the bytes follow. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "install_snapshot",
  command = "install_snapshot",
  kind = "request",
  sender = "both",
  key = "install_snapshot",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "rpc_type=", "" }, holes = { { path = "rpc_type" } } },
    { texts = { "arguments=", "" }, holes = { { path = "arguments" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.u8("rpc_type", "Which call.", { names = names.rpc_type, keep = true, in_info = true }),
      word.bytes(
        REST,
        "arguments",
        "The arguments by their names.",
        { keep = true, in_info = true, slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Answers install_snapshot. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "install_snapshot_response",
  command = "install_snapshot_response",
  kind = "response",
  sender = "both",
  key = "install_snapshot_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bits(1, { word.reserved(3), word.part("error_length", 5, "Bytes of the error.", { keep = true }) }),
      word.text(
        function(v) return v.error_length end,
        "error",
        "Why it failed; empty where it did not.",
        { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
      ),
      word.bytes(
        REST,
        "result",
        "The result by its names.",
        { slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Asks for the last offset of an epoch. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "leader_epoch_offset_request",
  command = "leader_epoch_offset_request",
  kind = "request",
  sender = "both",
  key = "leader_epoch_offset_request",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "uint64",
          "leader_epoch",
          "Epoch of the partition's leader: one more for each new leader.",
          { keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Announces the last offset of the epoch. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "leader_epoch_offset_response",
  command = "leader_epoch_offset_response",
  kind = "response",
  sender = "both",
  key = "leader_epoch_offset_response",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "offset=", "" }, holes = { { path = "end_offset" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 1,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "int64",
          "end_offset",
          "Last offset of that epoch; the follower drops its messages after it.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- No subscriber listens on the subject of the request. nats-server v2.9.10, server/client.go.
frames[#frames + 1] = {
  name = "no_responders",
  command = "no_responders",
  kind = "command",
  sender = "both",
  key = "no_responders",
  responses = { false },
  dialects = { "bare" },
  shows = {},
  brief = 0,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {}
  end,
}

-- Informs a follower of new messages. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "partition_notification",
  command = "partition_notification",
  kind = "command",
  sender = "both",
  key = "partition_notification",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "partition=", "" }, holes = { { path = "partition" } } },
  },
  brief = 2,
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "string",
          "stream",
          "Name of the stream.",
          { spans = { "stream" }, keep = true, in_info = true }
        ),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Asks a server for a partition. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "partition_status_request",
  command = "partition_status_request",
  kind = "request",
  sender = "both",
  key = "partition_status_request",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "partition=", "" }, holes = { { path = "partition" } } },
  },
  brief = 2,
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "string",
          "stream",
          "Name of the stream.",
          { spans = { "stream" }, keep = true, in_info = true }
        ),
        [2] = word.proto(
          "int32",
          "partition",
          "Number of the partition; absent for 0.",
          { spans = { "partition" }, keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Says whether it has it, and leads it. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "partition_status_response",
  command = "partition_status_response",
  kind = "response",
  sender = "both",
  key = "partition_status_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
    { texts = { "", "" }, holes = { { path = "is_leader", yes = "leader", no = "" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "bool",
          "exists",
          "Whether the server has the partition.",
          { keep = true, in_info = true }
        ),
        [2] = word.proto("bool", "is_leader", "Whether it is the leader of it.", { keep = true, in_info = true }),
      }),
    }
  end,
}

-- Publishes bytes as they are. liftbridge v1.9.0, server/partition.go, natsToProtoMessage.
frames[#frames + 1] = {
  name = "plain_publish",
  command = "plain_publish",
  kind = "command",
  sender = "both",
  key = "plain_publish",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "value", form = "bytes" } } },
    { texts = { "", "" }, holes = { { path = "value", form = "text" } } },
  },
  brief = 1,
  known = { "stream" },
  bodies = true,
  awaited = 1,
  steps = function()
    return {
      word.bytes(REST, "value", "The value of the message that the server stores: everything.", {
        keep = true,
        awaited = true,
        raw = true,
        in_info = true,
        body = true,
        slot = { name = "liftbridge.value", readers = {} },
      }),
    }
  end,
}

-- Hands a change of metadata to who leads. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "propagated_request",
  command = "propagated_request",
  kind = "request",
  sender = "both",
  key = "propagated_request",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "op" } } },
    { texts = { "", "" }, holes = { { path = "shrink_isr_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "report_leader_op.stream" } } },
    { texts = { "", "" }, holes = { { path = "expand_isr_op.stream" } } },
  },
  brief = 4,
  awaited = 7,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "enum",
          "op",
          "What is asked; absent for the creation of a partition.",
          { names = names.op, keep = true, awaited = true, in_info = true }
        ),
        [2] = word.proto("message", "create_partition_op", "A partition to create.", {
          message = word.message({
            [1] = word.proto("message", "partition", "The partition.", {
              message = word.message({
                [1] = word.proto("string", "subject", "Subject that it listens to."),
                [2] = word.proto("string", "stream", "Name of the stream.", { spans = { "stream" } }),
                [3] = word.proto("int32", "id", "Number of the partition; absent for 0.", { spans = { "partition" } }),
                [4] = word.proto("string", "group", "Queue group that its leader joins."),
                [5] = word.proto("int32", "replication_factor", "How many replicas; -1 for all servers."),
                [6] = word.proto("string", "replicas", "Ids of the servers that have it.", { repeated = true }),
                [7] = word.proto("string", "leader", "Id of its leader."),
                [8] = word.proto("string", "isr", "Ids of those that are in sync.", { repeated = true }),
                [9] = word.proto(
                  "uint64",
                  "leader_epoch",
                  "Epoch of the partition's leader: one more for each new leader."
                ),
                [10] = word.proto("uint64", "epoch", "One more for each change of the partition."),
                [11] = word.proto("bool", "paused", "Whether it is paused."),
                [12] = word.proto("bool", "readonly", "Whether it is read-only."),
              }),
            }),
          }),
        }),
        [3] = word.proto("message", "shrink_isr_op", "A replica that is no longer in sync.", {
          message = word.message({
            [1] = word.proto(
              "string",
              "stream",
              "Name of the stream.",
              { spans = { "stream" }, keep = true, awaited = true, in_info = true }
            ),
            [2] = word.proto(
              "int32",
              "partition",
              "Number of the partition; absent for 0.",
              { spans = { "partition" }, keep = "followed", awaited = true }
            ),
            [3] = word.proto(
              "string",
              "replica_to_remove",
              "Id of the one that lags.",
              { keep = "followed", awaited = true }
            ),
            [4] = word.proto("string", "leader", "Id of the leader that is known."),
            [5] = word.proto(
              "uint64",
              "leader_epoch",
              "Epoch of the partition's leader: one more for each new leader."
            ),
          }),
        }),
        [4] = word.proto("message", "report_leader_op", "A leader that is silent.", {
          message = word.message({
            [1] = word.proto(
              "string",
              "stream",
              "Name of the stream.",
              { spans = { "stream" }, keep = true, awaited = true, in_info = true }
            ),
            [2] = word.proto(
              "int32",
              "partition",
              "Number of the partition; absent for 0.",
              { spans = { "partition" }, keep = "followed", awaited = true }
            ),
            [3] = word.proto(
              "string",
              "replica",
              "Id of the one that reports.",
              { keep = "followed", awaited = true }
            ),
            [4] = word.proto("string", "leader", "Id of the leader that is known."),
            [5] = word.proto(
              "uint64",
              "leader_epoch",
              "Epoch of the partition's leader: one more for each new leader."
            ),
          }),
        }),
        [5] = word.proto("message", "expand_isr_op", "A replica that is in sync again.", {
          message = word.message({
            [1] = word.proto(
              "string",
              "stream",
              "Name of the stream.",
              { spans = { "stream" }, keep = true, in_info = true }
            ),
            [2] = word.proto(
              "int32",
              "partition",
              "Number of the partition; absent for 0.",
              { spans = { "partition" } }
            ),
            [3] = word.proto("string", "replica_to_add", "Id of the one that has caught up."),
            [4] = word.proto("string", "leader", "Id of the leader that is known."),
            [5] = word.proto(
              "uint64",
              "leader_epoch",
              "Epoch of the partition's leader: one more for each new leader."
            ),
          }),
        }),
      }),
    }
  end,
}

-- Says whether it was made. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "propagated_response",
  command = "propagated_response",
  kind = "response",
  sender = "both",
  key = "propagated_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "op" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "error.code", form = "ok", others = { ["0"] = true } } },
    },
    { texts = { "", "" }, holes = { { path = "error.msg" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 3,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "enum",
          "op",
          "What is asked; absent for create_stream.",
          { names = names.op, keep = true, awaited = true, in_info = true }
        ),
        [2] = word.proto("message", "error", "Why it was refused; absent where it was not.", {
          message = word.message({
            [1] = word.proto("uint32", "code", "Status code of gRPC.", {
              names = names.code_2,
              holds = { failed = { [0] = true, [""] = true } },
              keep = true,
              awaited = true,
              in_info = true,
            }),
            [2] = word.proto("string", "msg", "Why.", { keep = true, awaited = true, in_info = true }),
          }),
        }),
        [11] = word.proto("message", "join_consumer_group_resp", "The group that was joined.", {
          message = word.message({
            [1] = word.proto("string", "coordinator", "Id of the server that looks after the group."),
            [2] = word.proto("uint64", "epoch", "Epoch of the group: one more for each change of it."),
          }),
        }),
      }),
    }
  end,
}

-- Asks a peer for a stream of bytes each way. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "raft_accept",
  command = "raft_accept",
  kind = "request",
  sender = "both",
  key = "raft_accept",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "connect=", "" }, holes = { { path = "connect" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bytes(
        REST,
        "connect",
        "Who asks, and its own subject.",
        { keep = true, in_info = true, slot = { name = "liftbridge.json", readers = {} } }
      ),
    }
  end,
}

-- Gives the subject of the other way. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "raft_accept_response",
  command = "raft_accept_response",
  kind = "response",
  sender = "both",
  key = "raft_accept_response",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "connect=", "" }, holes = { { path = "connect" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bytes(
        REST,
        "connect",
        "The subject.",
        { keep = true, in_info = true, slot = { name = "liftbridge.json", readers = {} } }
      ),
    }
  end,
}

-- A seed announces itself, every ten seconds. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "raft_bootstrap",
  command = "raft_bootstrap",
  kind = "request",
  sender = "both",
  key = "raft_bootstrap",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "", "" }, holes = { { path = "id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 1,
  steps = function()
    return { word.text(REST, "id", "Id of the server.", { keep = true, awaited = true, in_info = true }) }
  end,
}

-- Another seed answers: there are two, which must not be. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "raft_bootstrap_response",
  command = "raft_bootstrap_response",
  kind = "response",
  sender = "both",
  key = "raft_bootstrap_response",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "", "" }, holes = { { path = "id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return { word.text(REST, "id", "Id of the server.", { keep = true, in_info = true }) }
  end,
}

-- Continues a call that is larger than a message, or a snapshot; empty at its end. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "raft_bytes",
  command = "raft_bytes",
  kind = "command",
  sender = "both",
  key = "raft_bytes",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "data=", "" }, holes = { { path = "data" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return { word.bytes(REST, "data", "Bytes of Raft's stream.", { keep = true, in_info = true }) }
  end,
}

-- Asks to join the metadata group. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "raft_join_request",
  command = "raft_join_request",
  kind = "request",
  sender = "both",
  key = "raft_join_request",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "node=", "" }, holes = { { path = "node_id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto("string", "node_id", "Id of the server that joins.", { keep = true, in_info = true }),
        [2] = word.proto("string", "node_addr", "Its address: the same as its id."),
      }),
    }
  end,
}

-- Says whether it may. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "raft_join_response",
  command = "raft_join_response",
  kind = "response",
  sender = "both",
  key = "raft_join_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "string",
          "error",
          "Why it may not; absent where it may.",
          { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Asks the leader of a partition for messages. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "replication_request",
  command = "replication_request",
  kind = "request",
  sender = "both",
  key = "replication_request",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } },
    { texts = { "replica=", "" }, holes = { { path = "replica_id" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 3,
  steps = function()
    return {
      word.message({
        [1] = word.proto(
          "string",
          "replica_id",
          "Id of the follower.",
          { keep = true, awaited = true, in_info = true }
        ),
        [2] = word.proto(
          "int64",
          "offset",
          "Newest offset that it has; -1 for none.",
          { spans = { "offset" }, keep = true, awaited = true, in_info = true }
        ),
        [3] = word.proto(
          "uint64",
          "leader_epoch",
          "Epoch of the partition's leader: one more for each new leader.",
          { keep = true, awaited = true, in_info = true }
        ),
      }),
    }
  end,
}

-- Brings messages, and how far they are committed. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "replication_response",
  command = "replication_response",
  kind = "response",
  sender = "both",
  key = "replication_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "offsets=", "" }, holes = { { path = "records.offset", form = "ranges" } } },
    { texts = { "epoch=", "" }, holes = { { path = "leader_epoch" } } },
    { texts = { "high_watermark=", "" }, holes = { { path = "high_watermark" } } },
  },
  brief = 1000,
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  steps = function()
    return {
      word.u64(
        "leader_epoch",
        "Epoch of the leader: a follower of another one ignores it.",
        { keep = true, in_info = true }
      ),
      word.i64(
        "high_watermark",
        "Offset up to which all in sync have it; -1 for none.",
        { keep = true, in_info = true }
      ),
      word.list(word.each({
        word.i64(
          "offset",
          "Offset of the message.",
          { spans = { "offset" }, keep = true, in_info = "ranges" }
        ),
        word.i64("timestamp", "When the leader received it.", { unit = "ns", time = 9 }),
        word.u64("leader_epoch", "Epoch of the leader that stored it."),
        word.region(U32, {
          word.u32("crc", "CRC-32 of what follows.", { base = "hex", keep = true }),
          word.region(
            REST,
            {
              word.i8("magic", "Version of the layout: 1.", { keep = "followed" }),
              word.i8("attributes", "Always 0."),
              word.bytes(I32, "key", "Key; null for none.", { null = true }),
              word.bytes(I32, "value", "What was published; of an encrypted stream a wrapped key, a nonce and what it encrypts.", {
                keep = "followed",
                raw = true,
                body = true,
                null = true,
                slot = { name = "liftbridge.value", readers = {} },
              }),
              word.list(
                word.each({
                  word.text(I16, "key", "Name."),
                  word.bytes(I32, "value", "Value; null breaks the reader of servers.", { null = true }),
                }),
                "headers",
                "Headers of the message, with the subject and the reply that it came with.",
                { count = I16 }
              ),
            },
            { sum_of = "crc32", expected = function(v) return v["records.crc"] end }
          ),
        }),
      }), "records", "Messages, none where the follower has all.", {
        keep = "followed",
        gathers = { "records.magic", "records.offset", "records.value raw" },
        forget = { "records.offset", "records.crc", "records.magic", "records.value", "records.value raw" },
      }),
    }
  end,
}

-- A peer asks whether it would be voted for, before it begins an election. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "request_pre_vote",
  command = "request_pre_vote",
  kind = "request",
  sender = "both",
  key = "request_pre_vote",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "rpc_type=", "" }, holes = { { path = "rpc_type" } } },
    { texts = { "arguments=", "" }, holes = { { path = "arguments" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.u8("rpc_type", "Which call.", { names = names.rpc_type, keep = true, in_info = true }),
      word.bytes(
        REST,
        "arguments",
        "The arguments by their names.",
        { keep = true, in_info = true, slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Answers request_pre_vote. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "request_pre_vote_response",
  command = "request_pre_vote_response",
  kind = "response",
  sender = "both",
  key = "request_pre_vote_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bits(1, { word.reserved(3), word.part("error_length", 5, "Bytes of the error.", { keep = true }) }),
      word.text(
        function(v) return v.error_length end,
        "error",
        "Why it failed; empty where it did not.",
        { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
      ),
      word.bytes(
        REST,
        "result",
        "The result by its names.",
        { slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- A candidate asks for a vote. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "request_vote",
  command = "request_vote",
  kind = "request",
  sender = "both",
  key = "request_vote",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "rpc_type=", "" }, holes = { { path = "rpc_type" } } },
    { texts = { "arguments=", "" }, holes = { { path = "arguments" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.u8("rpc_type", "Which call.", { names = names.rpc_type, keep = true, in_info = true }),
      word.bytes(
        REST,
        "arguments",
        "The arguments by their names.",
        { keep = true, in_info = true, slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Answers request_vote. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "request_vote_response",
  command = "request_vote_response",
  kind = "response",
  sender = "both",
  key = "request_vote_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bits(1, { word.reserved(3), word.part("error_length", 5, "Bytes of the error.", { keep = true }) }),
      word.text(
        function(v) return v.error_length end,
        "error",
        "Why it failed; empty where it did not.",
        { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
      ),
      word.bytes(
        REST,
        "result",
        "The result by its names.",
        { slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Asks all servers where they are. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "server_info_request",
  command = "server_info_request",
  kind = "request",
  sender = "both",
  key = "server_info_request",
  responses = { false },
  dialects = { "bare" },
  shows = { { texts = { "", "" }, holes = { { path = "id" } } } },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto("string", "id", "Id of the server that asks.", { keep = true, in_info = true }),
      }),
    }
  end,
}

-- Announces the address of a server. liftbridge v0.0.1-alpha.
frames[#frames + 1] = {
  name = "server_info_response",
  command = "server_info_response",
  kind = "response",
  sender = "both",
  key = "server_info_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "", "" }, holes = { { path = "id" } } },
    { texts = { "", ":", "" }, holes = { { path = "host" }, { path = "port" } } },
  },
  brief = 3,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.message({
        [1] = word.proto("string", "id", "Id of the server.", { keep = true, in_info = true }),
        [2] = word.proto("string", "host", "Host that clients reach it at.", { keep = true, in_info = true }),
        [3] = word.proto("int32", "port", "Port that clients reach it at.", { keep = true, in_info = true }),
      }),
    }
  end,
}

-- A leader hands its place on. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "timeout_now",
  command = "timeout_now",
  kind = "request",
  sender = "both",
  key = "timeout_now",
  responses = { false },
  dialects = { "bare" },
  shows = {
    { texts = { "rpc_type=", "" }, holes = { { path = "rpc_type" } } },
    { texts = { "arguments=", "" }, holes = { { path = "arguments" } } },
  },
  brief = 2,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.u8("rpc_type", "Which call.", { names = names.rpc_type, keep = true, in_info = true }),
      word.bytes(
        REST,
        "arguments",
        "The arguments by their names.",
        { keep = true, in_info = true, slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

-- Answers timeout_now. hashicorp/raft 1.1.2, net_transport.go.
frames[#frames + 1] = {
  name = "timeout_now_response",
  command = "timeout_now_response",
  kind = "response",
  sender = "both",
  key = "timeout_now_response",
  responses = { false },
  dialects = { "bare" },
  shows = {
    {
      texts = { "error=", "" },
      holes = {
        {
          path = "error",
          form = "ok",
          others = {
            [""] = true,
            ["\"\""] = true,
            ["0"] = true,
            False = true,
            empty = true,
            ["false"] = true,
            null = true,
          },
          yes = "",
          no = "",
        },
      },
    },
  },
  brief = 1,
  known = { "stream" },
  awaited = 0,
  steps = function()
    return {
      word.bits(1, { word.reserved(3), word.part("error_length", 5, "Bytes of the error.", { keep = true }) }),
      word.text(
        function(v) return v.error_length end,
        "error",
        "Why it failed; empty where it did not.",
        { holds = { failed = { [0] = true, [""] = true } }, keep = true, in_info = true }
      ),
      word.bytes(
        REST,
        "result",
        "The result by its names.",
        { slot = { name = "liftbridge.raft", readers = {} } }
      ),
    }
  end,
}

local K = {
  ACK_LATE = 5000000000,
  ACK_SOON = 100000000,
  AGAIN_LIMIT = 4,
  AGAIN_PAUSE = 2000000000,
  ANEW_LIMIT = 5,
  ASKING = 1000000000,
  ASKS = 200,
  ASKS_LIMIT = 3,
  ASYNC_LIMIT = 3,
  BACK_FOR = 5000000000,
  BEGUN_LIMIT = 2,
  BEHIND = 15000000000,
  BRIEF_PAUSE = 1000,
  BRIEF_RETENTION = 60000,
  BUSY_TIME = 1000000000,
  CALL_LIMIT = 8,
  CENTURIES = 10000000000000,
  CONSUMER_SILENT = 15000000000,
  COPIES_LIMIT = 5,
  CREATE_LIMIT = 6,
  DAYS_IN_SECONDS = { 86400, 172800, 259200, 604800, 1209600, 2592000, 31536000 },
  ECHO_LIMIT = 5,
  ECHO_PAUSE = 2000000000,
  ECHO_TIME = 1000000000,
  ECHO_WAIT = 300000000,
  ENDLESS = 9000000000000000000,
  FAR_BEHIND = 10000,
  FED_LIMIT = 4,
  FETCH_LIMIT = 8,
  FIRST_LIMIT = 10,
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
  FRESH_LIMIT = 50,
  GENERATED = 16,
  JOIN_LIMIT = 3,
  KEYED_LIMIT = 2,
  KEYLESS_LIMIT = 3,
  LARGEST = 1048576,
  LIKE_A_TIME = 1000000000,
  LOST_LATELY = 60000000000,
  MAGIC = "\185\014C\180",
  METADATA_LIMIT = 6,
  MOST_SKIPPED = 5,
  NAMES_LIMIT = 3,
  NANOSECONDS = 100000000000000000,
  NEARLY = { ["\194\185\014"] = "half of the magic number", ["\194\180C\014\194\185"] = "it turned round" },
  NEARLY_LARGEST = 943718,
  OLD_MAGIC = "LIFT",
  OTHERS_LIMIT = 2,
  PAIR_LIMIT = 3,
  PAUSE_LIMIT = 3,
  POSTED_LIMIT = 3,
  RACE_LIMIT = 12,
  READ_BEFORE = 5,
  RECEIVING = 2000000000,
  REPLY_LATE = 3000000000,
  REPORTING = 30000000000,
  REPORTS = 3,
  RESTORED = 2000000000,
  RESUME_LIMIT = 3,
  RETRY_GAP = 200000000,
  REVOKED = 1000000000,
  SAME_ID_LIMIT = 3,
  SETS_LIMIT = 3,
  SETS_STOP = 2000000000,
  SET_AGAIN_LIMIT = 5,
  SKEW = 60000000000,
  STARTS_LIMIT = 3,
  STEP_LIMIT = 8,
  TRIES = 3,
  TURNS_LIMIT = 3,
  UNREAD = 3000000000,
  UNREAD_LIMIT = 3,
  UNREAD_SETS = 3,
  WOKEN_LIMIT = 3,
}

local LISTS = {
  {["/proto.API/Publish"] = true, ["/proto.API/PublishToSubject"] = true},
  {["closed"] = true, ["reset"] = true},
  {[1] = true, [2] = true},
  {[0] = true, [2] = true},
  {[0] = true, [5] = true, [6] = true, [7] = true, [9] = true, [10] = true, [11] = true, [12] = true},
  {[0] = true, [3] = true},
  {[0] = true, [1] = true},
  {[0] = true, [2] = true, [3] = true},
}

local GUARDS = {
  { [[(c.ack_inbox ~= nil) and ((c.ack_policy or 0) ~= 2)]], "c" },
  { [=[LISTS[1][c["carrier.path"]]]=], "c" },
  { [[((c.ack_error or 0) ~= 0)]], "c" },
  {
    [[(c.ack_inbox ~= nil) and (c.correlation_id == nil) and (c["carrier.method"] == "Publish")]],
    "c",
  },
  { [[(c.start_position == 1)]], "c" },
  { [[((c.start_position or 0) == 0) and (c.stop_position == nil)]], "c" },
  { [[(((c.offset or 0) or -1) >= 0)]], "c" },
  { [[(not f.coalesce(c.resume, false))]], "c" },
  { [[((c["#key"] or 0) > 0) and (c.stream ~= nil)]], "c" },
  { [[(c.stream ~= nil)]], "c" },
  { [[(c.stream ~= nil) and ((c["#value"] or 1) > 1)]], "c" },
  {
    [[(c["carrier.method"] == "PublishAsync") and ((c.ack_policy or 0) ~= 2) and (c.correlation_id ~= nil) and (c.stream ~= nil)]],
    "c",
  },
  { [[(c["carrier.method"] == "PublishAsync")]], "c" },
  { [[(c.ack_inbox ~= nil) and ((c.ack_policy or 0) ~= 2) and agreed.inbox_heard]], "c agreed" },
  { [[(c.msg_subject ~= nil)]], "c" },
  {
    [[(c["carrier.method"] == "PublishAsync") and ((c.ack_policy or 0) ~= 2) and (c.stream ~= nil) and (c.correlation_id ~= nil)]],
    "c",
  },
  { [[(f.len(c.correlation_id) ~= nil and f.len(c.correlation_id) >= K.GENERATED)]], "c" },
  {
    [[(f.len(c["ack.correlation_id"]) ~= nil and f.len(c["ack.correlation_id"]) >= K.GENERATED)]],
    "c",
  },
  {
    [[((c.ack_error or 0) == 0) and (c.reception_timestamp ~= nil and c.reception_timestamp > 0)]],
    "c",
  },
  {
    [[(c["ack.stream"] ~= nil) and ((c["ack.ack_error"] or 0) == 0) and (c["ack.reception_timestamp"] ~= nil and c["ack.reception_timestamp"] > 0)]],
    "c",
  },
  { [[(c.timestamp ~= nil and c.timestamp > 0)]], "c" },
  {
    [[(not f.starts(c.reason, "PROXY protocol")) and (not f.starts(c.reason, "HTTP CONNECT, which opens a tunnel"))]],
    "c",
  },
  { [[(c["create_stream_op.stream.name"] ~= nil)]], "c" },
  { [[(c["ack.stream"] ~= nil) and ((c["ack.ack_error"] or 0) == 0)]], "c" },
  { [[((c.ack_error or 0) == 0)]], "c" },
  { [[(c.offset ~= nil and c.offset < 0)]], "c" },
  { [[(c.start_position == 1) and (c.start_offset ~= nil and c.start_offset > 0)]], "c" },
  {
    [[((c.start_position == 2) or ((c.start_position == 1) and ((c.start_offset or 0) == 0)))]],
    "c",
  },
  { [[(c.start_position == 2)]], "c" },
  { [[(c.stream ~= nil) and ((c["#value"] or 7) >= 8)]], "c" },
  { [[(c["carrier.method"] == "PublishAsync") and ((c.ack_policy or 0) ~= 2)]], "c" },
  { [[(c.correlation_id ~= nil)]], "c" },
  {
    [[(((f.len(c["async_error.message"]) or 0) > 0) or (((c["ack.ack_error"] or 0) or 0) > 0))]],
    "c",
  },
  { [[((f.len(c["async_error.message"]) or 0) > 0)]], "c" },
  { [[(c["carrier.method"] == "Publish")]], "c" },
  { [[((c["#partitions"] or 0) == 0)]], "c" },
  { [[((c["#key"] or 0) > 0)]], "c" },
  { [[((c["ack.ack_error"] or 0) == 0)]], "c" },
  { [[(c.subject ~= nil)]], "c" },
  { [[(c.subject ~= nil) and (not f.literal(c.subject))]], "c" },
  { [[((f.len(c["consumer.group_id"]) or 0) > 0)]], "c" },
  { [[((c["#brokers"] or 0) > 0)]], "c" },
  {
    [[(c.expected_offset ~= nil and c.expected_offset > 0) and (c["carrier.method"] == "PublishAsync")]],
    "c",
  },
  { [[f.starts(c["async_error.message"], "incorrect expected offset")]], "c" },
  { [[(c["consumer.group_id"] == nil) and (not f.coalesce(c.read_isr_replica, false))]], "c" },
  { [=[LISTS[3][c.op]]=], "c" },
  { [[(((c["#extension"] or 0) > 0) or (c.flags ~= nil and c.flags > 1))]], "c" },
  { [[((f.len(c.unknown_fields) or 0) > 0)]], "c" },
  {
    [[(not f.starts(c["value raw"], K.MAGIC)) and (f.begins(c["value raw"], K.NEARLY) ~= nil)]],
    "c",
  },
  {
    [[(not f.starts(c["value raw"], K.MAGIC)) and (not f.starts(c["value raw"], K.OLD_MAGIC)) and (f.begins(c["value raw"], K.NEARLY) == nil)]],
    "c",
  },
  { [[((c.ack_policy or 0) ~= 2) and (c.ack_inbox == nil)]], "c" },
  { [[(not LISTS[4][(c.ack_error or 0)])]], "c" },
  { [[((c.ack_error or 0) == 2)]], "c" },
  { [[((c.expected_offset or 0) == 0)]], "c" },
  {
    [[(c["ack.stream"] == nil) and (c["ack.ack_inbox"] == nil) and (c["async_error.message"] == nil)]],
    "c",
  },
  { [[(c["ack.stream"] == nil) and (c["ack.ack_inbox"] == nil)]], "c" },
  { [[(c.leader_epoch ~= nil and c.leader_epoch > 0)]], "c" },
  { [[(f.unordered(c["records.offset[]"]) or f.any_ne(c["records.magic[]"], 1))]], "c" },
  {
    [[(c["error.code"] ~= nil and c["error.code"] > 0) and (c.op ~= nil and not LISTS[5][c.op])]],
    "c",
  },
  { [=[(c["error.code"] ~= nil and c["error.code"] > 0) and LISTS[5][c.op]]=], "c" },
  { [=[LISTS[6][(c.start_position or 0)]]=], "c" },
  { [[(c.start_position == 2) and (c["consumer.group_id"] == nil)]], "c" },
  { [[(c.start_position == 4) and (c["consumer.group_id"] == nil)]], "c" },
  {
    [[(((c.start_position == 4) and ((c.start_timestamp ~= nil and 0 < c.start_timestamp) and (c.start_timestamp ~= nil and c.start_timestamp < K.NANOSECONDS))) or ((c.stop_position == 3) and ((c.stop_timestamp ~= nil and 0 < c.stop_timestamp) and (c.stop_timestamp ~= nil and c.stop_timestamp < K.NANOSECONDS))))]],
    "c",
  },
  {
    [[(((c.stop_position == 1) and (c.start_position == 1) and (c.start_offset ~= nil and (c.stop_offset or 0) < c.start_offset)) or ((c.stop_position == 3) and (c.start_position == 4) and (c.stop_timestamp ~= nil and c.start_timestamp ~= nil and c.stop_timestamp < c.start_timestamp)))]],
    "c",
  },
  { [[(c.start_position == 4)]], "c" },
  {
    [[(c.start_position == 1) and (c.start_offset ~= nil and c.start_offset > K.LIKE_A_TIME)]],
    "c",
  },
  { [[(c.offset ~= nil and c.offset > K.LIKE_A_TIME)]], "c" },
  { [[((c["#value"] or 2) > 2)]], "c" },
  { [[((c["#value"] or 11) >= 12)]], "c" },
  { [[(c.start_position == 1) and (c.start_offset == 1)]], "c" },
  { [[((c["#key"] or 0) == 0)]], "c" },
  { [[((c.partition or 0) == 0)]], "c" },
  { [[(c.expected_offset ~= nil and c.expected_offset > 0)]], "c" },
  { [[(c.start_position == 1) and (c.start_offset ~= nil and c.start_offset > 1)]], "c" },
  {
    [[(c.start_position == 1) and (c.start_offset ~= nil and c.start_offset > 1) and (c["consumer.group_id"] == nil)]],
    "c",
  },
  { [[((c["#headers"] or 0) > 0)]], "c" },
  {
    [[(c["retention_max_age.value"] ~= nil and 0 < c["retention_max_age.value"]) and (c["retention_max_age.value"] ~= nil and c["retention_max_age.value"] < K.BRIEF_RETENTION)]],
    "c",
  },
  {
    [[(c["min_isr.value"] ~= nil and c["min_isr.value"] > (c.replication_factor or 1)) and (((c.replication_factor or 1) or 0) > 0)]],
    "c",
  },
  {
    [[(((c["retention_max_bytes.value"] ~= nil and 0 < c["retention_max_bytes.value"]) and (c["retention_max_bytes.value"] ~= nil and c["segment_max_bytes.value"] ~= nil and c["retention_max_bytes.value"] < c["segment_max_bytes.value"])) or ((c["retention_max_age.value"] ~= nil and 0 < c["retention_max_age.value"]) and (c["retention_max_age.value"] ~= nil and c["segment_max_age.value"] ~= nil and c["retention_max_age.value"] < c["segment_max_age.value"])))]],
    "c",
  },
  { [[(c["consumer.group_id"] == nil)]], "c" },
  {
    [[(c["carrier.method"] == "PublishAsync") and ((c.ack_policy or 0) ~= 2) and ((f.len(c.correlation_id) or 0) == 0)]],
    "c",
  },
  { [[(not f.literal(c.subject))]], "c" },
  {
    [[((f.one_of(c["retention_max_age.value"], K.DAYS_IN_SECONDS) or ((c["retention_max_age.value"] ~= nil and K.CENTURIES < c["retention_max_age.value"]) and (c["retention_max_age.value"] ~= nil and c["retention_max_age.value"] < K.ENDLESS))) or (f.one_of(c["segment_max_age.value"], K.DAYS_IN_SECONDS) or ((c["segment_max_age.value"] ~= nil and K.CENTURIES < c["segment_max_age.value"]) and (c["segment_max_age.value"] ~= nil and c["segment_max_age.value"] < K.ENDLESS))))]],
    "c",
  },
  {
    [[(c["auto_pause_time.value"] ~= nil and 0 < c["auto_pause_time.value"]) and (c["auto_pause_time.value"] ~= nil and c["auto_pause_time.value"] < K.BRIEF_PAUSE)]],
    "c",
  },
  { [[(c.start_position == 1) and (c.start_offset ~= nil and c.start_offset < 0)]], "c" },
  {
    [[((((f.len(c["consumer.group_id"]) or 0) > 0) and ((f.len(c["consumer.consumer_id"]) or 0) == 0)) or (((f.len(c["consumer.consumer_id"]) or 0) > 0) and ((f.len(c["consumer.group_id"]) or 0) == 0)))]],
    "c",
  },
  { [[((c["#streams"] or 0) == 0)]], "c" },
  { [[(c.ack_policy == 2) and (c.expected_offset ~= nil and c.expected_offset > 0)]], "c" },
  { [[((c.start_position or 0) == 0) and (c.stop_position == nil) and (c.stream ~= nil)]], "c" },
  { [[(c.stream ~= nil) and ((c["#key"] or 0) == 0)]], "c" },
  { [[(c.correlation_id ~= nil) and (c.msg_subject ~= nil)]], "c" },
  {
    [[(c.ack_inbox ~= nil) and (c.ack_inbox ~= nil and c["carrier.subject"] ~= nil and c.ack_inbox ~= c["carrier.subject"])]],
    "c",
  },
  {
    [[(c.commit_timestamp ~= nil and 0 < c.commit_timestamp) and (c.commit_timestamp ~= nil and c.reception_timestamp ~= nil and c.commit_timestamp < c.reception_timestamp)]],
    "c",
  },
  {
    [[(c["ack.commit_timestamp"] ~= nil and 0 < c["ack.commit_timestamp"]) and (c["ack.commit_timestamp"] ~= nil and c["ack.reception_timestamp"] ~= nil and c["ack.commit_timestamp"] < c["ack.reception_timestamp"])]],
    "c",
  },
  {
    [[(c.correlation_id ~= nil and c["ack.correlation_id"] ~= nil and c.correlation_id ~= c["ack.correlation_id"])]],
    "c",
  },
  {
    [[(c["carrier.method"] == "PublishAsync") and (c["ack.stream"] == nil) and (c["ack.ack_inbox"] == nil) and (c["ack.correlation_id"] == nil) and (c["async_error.code"] == nil) and (c["async_error.message"] == nil)]],
    "c",
  },
  { [[((c["#stream_metadata"] or 0) > 0)]], "c" },
  {
    [[(f.any_eq(c["brokers.host[]"], "") or f.any_eq(c["brokers.port[]"], 0) or f.any_above(c["brokers.port[]"], 65535))]],
    "c",
  },
  { [[(c.correlation_id == nil) and (c.msg_subject ~= nil)]], "c" },
  { [[(c.correlation_id == nil)]], "c" },
  { [[(c.correlation_id == nil) and (c.stream ~= nil)]], "c" },
  { [[(c.stream == nil) and (c.subject == nil) and (c.timestamp == nil)]], "c" },
  { [[(c.timestamp ~= nil)]], "c" },
  { [[(c.timestamp ~= nil and 0 < c.timestamp)]], "c" },
  { [[(((f.len(c.name) or 0) == 0) or ((f.len(c.subject) or 0) == 0))]], "c" },
  { [[((f.len(c.name) or 0) == 0)]], "c" },
  { [[((f.len(c.stream) or 0) == 0)]], "c" },
  { [[((f.len(c.subject) or 0) == 0)]], "c" },
  { [[(((f.len(c.stream) or 0) == 0) or ((f.len(c.cursor_id) or 0) == 0))]], "c" },
  { [[(((f.len(c.group_id) or 0) == 0) or ((f.len(c.consumer_id) or 0) == 0))]], "c" },
  { [[((c["#brokers"] or 0) == 0)]], "c" },
  {
    [[(((f.len(c.coordinator) or 0) == 0) or (((c.consumer_timeout or 0) or 1) <= 0) or (((c.coordinator_timeout or 0) or 1) <= 0))]],
    "c",
  },
  { [[(c.offset ~= nil and c.offset < -1)]], "c" },
}

local TALLIED = { last_n = { side = true }, last_t = { conn = true, crew = true, reader = true } }

local CONTEXT = { pub = { stream = "stream" }, sub = { stream = "stream" } } -- object, field, slot with its value

local PAIRS = (function() return {
  {
    name = "publish",
    asks = "client:publish",
    answers = "server:ack",
    key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" },
    answer_key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" },
    guard = 1,
    scope = "capture",
  },
  {
    name = "store",
    asks = "server:publish",
    answers = "client:ack",
    key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" },
    answer_key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" },
    guard = 1,
    scope = "capture",
  },
  {
    name = "publish_call",
    asks = "publish_request publish_to_subject_request",
    answers = "publish_response publish_to_subject_response",
    key = "carrier.stream_id",
    guard = 2,
    keep = { ack_policy = "ack_policy", method = "carrier.method", inbox = "ack_inbox" },
  },
  {
    name = "replication_request",
    asks = "replication_request",
    answers = "replication_response no_responders",
    type = "replication",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject", epoch = "leader_epoch" },
  },
  {
    name = "leader_epoch_offset_request",
    asks = "leader_epoch_offset_request",
    answers = "leader_epoch_offset_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "propagated_request",
    asks = "propagated_request",
    answers = "propagated_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "partition_status_request",
    asks = "partition_status_request",
    answers = "partition_status_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "server_info_request",
    asks = "server_info_request",
    answers = "server_info_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "raft_join_request",
    asks = "raft_join_request",
    answers = "raft_join_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "raft_accept",
    asks = "raft_accept",
    answers = "raft_accept_response no_responders",
    type = "call",
    key = "carrier.reply_to",
    answer_key = "carrier.subject",
    keep = { topic = "carrier.subject" },
  },
  {
    name = "assignments",
    asks = "fetch_consumer_group_assignments_request",
    answers = "fetch_consumer_group_assignments_response",
    key = "carrier.stream_id",
    keep = { group_id = "group_id", consumer_id = "consumer_id" },
  },
  {
    name = "cursor",
    asks = "fetch_cursor_request",
    answers = "fetch_cursor_response",
    key = "carrier.stream_id",
    keep = { stream = "stream", partition = "partition", cursor_id = "cursor_id" },
  },
  {
    name = "checkpoint",
    asks = "set_cursor_request",
    answers = "set_cursor_response",
    key = "carrier.stream_id",
    keep = { stream = "stream", partition = "partition", cursor_id = "cursor_id", offset = "offset" },
  },
  {
    name = "creation",
    asks = "create_stream_request",
    answers = "create_stream_response",
    key = "carrier.stream_id",
    keep = { stream = "name" },
  },
  {
    name = "deletion",
    asks = "delete_stream_request",
    answers = "delete_stream_response",
    key = "carrier.stream_id",
    keep = { stream = "name" },
  },
  {
    name = "join",
    asks = "join_consumer_group_request",
    answers = "join_consumer_group_response",
    key = "carrier.stream_id",
    keep = { group_id = "group_id", consumer_id = "consumer_id" },
  },
  {
    name = "metadata",
    asks = "fetch_metadata_request",
    answers = "fetch_metadata_response",
    key = "carrier.stream_id",
    keep = { names = "streams[]" },
  },
} end)()

local LIVES = (function() return {
  {
    name = "pub",
    type = "publish",
    scope = "capture",
    keys = {
      {
        on = "publish_request publish_to_subject_request publish",
        key = { [[(c.correlation_id or f.digest(c["value raw"]))]], "c" },
      },
      { on = "plain_publish", key = { [[f.digest(c["value raw"])]], "c" } },
      { on = "ack", key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" } },
      {
        on = "publish_response",
        key = {
          [[f.coalesce(f.coalesce(c.correlation_id, c["ack.correlation_id"]), c["ack.ack_inbox"])]],
          "c",
        },
      },
      {
        on = "publish_to_subject_response",
        key = { [[f.coalesce(c["ack.correlation_id"], c["ack.ack_inbox"])]], "c" },
      },
      {
        on = "replication_response",
        key = { [[f.digest((c["records.value raw[]"] and c["records.value raw[]"][1]))]], "c" },
      },
    },
    steps = {
      { from = { absent = true }, on = "publish_request publish_to_subject_request", to = "asked" },
      { from = { absent = true }, on = "publish plain_publish", to = "sent" },
      { from = { asked = true }, on = "publish", to = "sent" },
      {
        from = { acked = true, sent = true },
        on = "server:ack",
        to = "failed",
        guard = 3,
        when = { [[(pub.api == nil)]], "pub" },
      },
      {
        from = { acked = true, sent = true },
        on = "server:ack",
        to = "done",
        when = { [[(pub.api == nil)]], "pub" },
      },
      { from = { asked = true, sent = true }, on = "ack", to = "refused", guard = 3 },
      { from = { asked = true, sent = true }, on = "ack", to = "acked" },
      {
        from = { acked = true, asked = true, sent = true },
        on = "publish_response publish_to_subject_response",
        to = "done",
      },
      {
        from = { refused = true },
        on = "publish_response publish_to_subject_response",
        to = "failed",
      },
    },
    each = {},
    final = { done = true, failed = true },
    live = {},
    starts = {},
  },
  {
    name = "wait",
    scope = "connection",
    keys = {
      {
        on = "client:publish server:ack",
        key = { [[f.coalesce(c.correlation_id, c.ack_inbox)]], "c" },
      },
    },
    steps = {
      { from = { absent = true }, on = "client:publish", to = "waiting", guard = 1 },
      { from = { waiting = true }, on = "server:ack", to = "acked" },
    },
    each = {},
    final = { acked = true },
    live = {},
    starts = {},
  },
  {
    name = "box",
    scope = "capture",
    keys = {
      { on = "publish_request", key = { [[f.key(server, c.ack_inbox)]], "c server" }, guard = 4 },
      {
        on = "publish_response",
        key = { [[((req.inbox ~= nil) and f.key(server, req.inbox) or nil)]], "req server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "log",
    scope = "capture",
    keys = {
      {
        on = "create_stream_request delete_stream_request set_stream_readonly_request pause_stream_request",
        key = "name",
      },
      { on = "propagated_request", key = "create_stream_op.stream.name" },
      {
        on = "publish_request ack subscribe_request set_cursor_request fetch_cursor_request fetch_partition_metadata_request message",
        key = "stream",
      },
      { on = "publish_to_subject_request", key = "subject" },
      { on = "client:publish", key = "carrier.subject" },
      { on = "create_stream_response delete_stream_response", key = { [[req.stream]], "req" } },
      { on = "publish_response", key = "ack.stream" },
      {
        on = "end:sub",
        key = {
          [[f.choose(((sub.start ~= nil) and (sub.count ~= nil and sub.count <= 1)), sub.stream, nil)]],
          "sub",
        },
      },
      { on = "end:part", key = { [[part.stream]], "part" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "order",
    scope = "capture",
    keys = {
      {
        on = "client:ack",
        key = { [[f.key(f.key(f.key(server, c.stream), c.msg_subject), (c.ack_policy or 0))]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "asked",
    scope = "connection",
    keys = {
      { on = "client:replication_request", key = "carrier.reply_to" },
      { on = "server:replication_response server:no_responders", key = "carrier.subject" },
    },
    steps = {
      { from = { absent = true, unknown = true }, on = "client:replication_request", to = "waiting" },
      {
        from = { waiting = true },
        on = "server:replication_response server:no_responders",
        to = "answered",
      },
    },
    each = {},
    final = { answered = true },
    live = {},
    starts = {},
  },
  {
    name = "lead",
    scope = "capture",
    keys = {
      { on = "replication_request", key = "carrier.subject" },
      { on = "replication_response", key = { [[req.topic]], "req" } },
      { on = "end:leading", key = { [[leading.topic]], "leading" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "leading",
    scope = "connection",
    keys = { { on = "client:replication_response", key = { [[req.topic]], "req" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "copy",
    scope = "connection",
    keys = {
      { on = "client:replication_request", key = { [[f.stem(c["carrier.subject"])]], "c" } },
      {
        on = "server:replication_response server:leader_epoch_offset_response",
        key = { [[f.stem(req.topic)]], "req" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "known",
    scope = "capture",
    keys = {
      {
        on = "publish server_info_request",
        key = { [[(size ~= nil and (0 * size) or nil)]], "size" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "seed",
    scope = "capture",
    keys = { { on = "client:raft_bootstrap", key = "carrier.subject" } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "sub",
    type = "subscription",
    scope = "connection",
    keys = { { on = "subscribe_request message", key = "carrier.stream_id" } },
    steps = {
      { from = { absent = true }, on = "subscribe_request", to = "asked" },
      { from = { asked = true, unknown = true }, on = "message", to = "ready" },
    },
    each = {},
    final = {},
    live = {},
    starts = { count = 0 },
  },
  {
    name = "reader",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request message set_cursor_request",
        key = { [[f.key(f.key(client, c.stream), (c.partition or 0))]], "c client" },
      },
      { on = "end:sub", key = { [[f.key(f.key(client, sub.stream), sub.partition)]], "client sub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "member",
    scope = "connection",
    keys = {
      {
        on = "join_consumer_group_request leave_consumer_group_request fetch_consumer_group_assignments_request",
        key = { [[f.key(c.group_id, c.consumer_id)]], "c" },
      },
      {
        on = "fetch_consumer_group_assignments_response join_consumer_group_response",
        key = { [[f.key(req.group_id, req.consumer_id)]], "req" },
      },
      {
        on = "subscribe_request",
        key = { [[f.key(c["consumer.group_id"], c["consumer.consumer_id"])]], "c" },
      },
    },
    steps = {
      { from = { absent = true, unknown = true }, on = "join_consumer_group_request", to = "joined" },
      { from = { unknown = true }, on = "fetch_consumer_group_assignments_request", to = "joined" },
      { from = { joined = true }, on = "leave_consumer_group_request", to = "left" },
    },
    each = {},
    final = { left = true },
    live = {},
    starts = {},
  },
  {
    name = "subscribed_again",
    scope = "connection",
    keys = { { on = "subscribe_request", key = { [[f.key(c.stream, (c.partition or 0))]], "c" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "read_singly",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request",
        key = {
          [[(((c.start_offset ~= nil and reader.last ~= nil and c.start_offset == (reader.last + 1)) or ((c.start_offset ~= nil and reader.start ~= nil and c.start_offset == (reader.start + 1)) and (reader.kind == 1))) and f.key(f.key(f.key(client, server), c.stream), (c.partition or 0)) or nil)]],
          "c reader client server",
        },
        guard = 5,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "from_new",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), c.stream), (c.partition or 0)), (log.born_n or 0))]],
          "c client server log",
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
    name = "taken",
    scope = "capture",
    keys = {
      { on = "subscribe_request", key = { [[f.key(client, c.stream)]], "c client" } },
      { on = "create_stream_response", key = { [[f.key(client, req.stream)]], "client req" } },
      {
        on = "end:sub",
        key = { [[((sub.stops == nil) and f.key(client, sub.stream) or nil)]], "sub client" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "returned",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request publish_request fetch_metadata_request create_stream_response",
        key = { [[client]], "client" },
      },
      { on = "end:sub", key = { [[f.choose((sub.stops == nil), client, nil)]], "sub client" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "set_back",
    scope = "capture",
    keys = {
      {
        on = "set_cursor_request",
        key = {
          [[f.key(f.key(f.key(f.key(server, c.stream), (c.partition or 0)), c.cursor_id), (log.born_n or 0))]],
          "c server log",
        },
        guard = 7,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shared_cursor",
    scope = "capture",
    keys = {
      {
        on = "set_cursor_request",
        key = { [[f.key(f.key(f.key(server, c.stream), (c.partition or 0)), c.cursor_id)]], "c server" },
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
        on = "set_cursor_request fetch_cursor_request subscribe_request",
        key = { [[f.key(f.key(f.key(client, server), c.stream), (c.partition or 0))]], "c client server" },
      },
      {
        on = "fetch_cursor_response",
        key = {
          [[f.key(f.key(f.key(client, server), req.stream), (req.partition or 0))]],
          "client server req",
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
    name = "mark_object",
    scope = "capture",
    keys = {
      {
        on = "set_cursor_request",
        key = { [[f.key(f.key(c.stream, (c.partition or 0)), c.cursor_id)]], "c" },
      },
      {
        on = "set_cursor_response fetch_cursor_response",
        key = { [[f.key(f.key(req.stream, (req.partition or 0)), req.cursor_id)]], "req" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "set_singly",
    scope = "capture",
    keys = {
      {
        on = "set_cursor_request",
        key = { [[f.key(f.key(f.key(server, c.stream), (c.partition or 0)), c.cursor_id)]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "set_again",
    scope = "capture",
    keys = {
      {
        on = "set_cursor_request",
        key = { [[f.key(f.key(f.key(server, c.stream), (c.partition or 0)), c.cursor_id)]], "c server" },
        guard = 7,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "conn",
    scope = "connection",
    keys = {},
    steps = { { from = { absent = true, unknown = true }, on = "any", to = "open" } },
    each = {},
    final = {},
    live = {},
    starts = { pending = 0, same_id = 0, published = 0 },
  },
  {
    name = "looked_up",
    scope = "capture",
    keys = { { on = "fetch_metadata_request", key = { [[f.key(client, server)]], "client server" } } },
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
      { on = "create_stream_request", key = { [[f.key(server, c.subject)]], "c server" } },
      {
        on = "delete_stream_request",
        key = { [[((log.subject ~= nil) and f.key(server, log.subject) or nil)]], "log server" },
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
    keys = { { on = "create_stream_request", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "paused_in_use",
    scope = "capture",
    keys = {
      {
        on = "pause_stream_request",
        key = {
          [[((((log.resumed_n ~= nil) and (log.woken_t ~= nil and (t - log.woken_t) <= K.BUSY_TIME)) or ((log.resumed_n == nil) or (log.woken_t ~= nil and (t - log.woken_t) > K.BUSY_TIME))) and f.key(f.key(client, server), c.name) or nil)]],
          "c log t client server",
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
    name = "woken",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request",
        key = {
          [[(((log.woken_n ~= nil) and (log.waker ~= nil and flow ~= nil and log.waker == flow) and (log.woken_t ~= nil and (t - log.woken_t) <= K.AGAIN_PAUSE)) and f.key(f.key(client, server), c.stream) or nil)]],
          "c log flow t client server",
        },
        guard = 8,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "paused",
    scope = "capture",
    keys = {
      {
        on = "pause_stream_request",
        key = { [[f.key(f.key(client, server), c.name)]], "c client server" },
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
      { on = "subscribe_request", key = { [[f.key(client, c.stream)]], "c client" } },
      {
        on = "end:sub",
        key = {
          [[((sub.count ~= nil and sub.count > 1) and f.key(client, sub.stream) or nil)]],
          "sub client",
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
    name = "keyed",
    scope = "capture",
    keys = { { on = "publish_request", key = { [[f.key(c.stream, c["key raw"])]], "c" }, guard = 9 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "part",
    scope = "capture",
    keys = {
      {
        on = "publish_request subscribe_request",
        key = { [[f.key(c.stream, (c.partition or 0))]], "c" },
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
    name = "content",
    scope = "capture",
    keys = {
      {
        on = "publish_request",
        key = {
          [[f.choose((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE), c.stream, nil)]],
          "c conn",
        },
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
    name = "mixed",
    scope = "capture",
    keys = {
      {
        on = "publish_request",
        key = {
          [[f.choose((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE), c.stream, nil)]],
          "c conn",
        },
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
    name = "catalogue",
    scope = "capture",
    keys = {
      {
        on = "create_stream_request fetch_metadata_response",
        key = { [[(size ~= nil and (0 * size) or nil)]], "size" },
      },
      {
        on = "publish_request",
        key = {
          [[f.choose((c.stream ~= nil and c.stream ~= (conn.known_stream or "")), (size ~= nil and (0 * size) or nil), nil)]],
          "c conn size",
        },
      },
      { on = "end:sub", key = { [[f.choose((sub.state == "asked"), 0, nil)]], "sub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "crew",
    scope = "capture",
    keys = {
      {
        on = "join_consumer_group_request leave_consumer_group_request fetch_consumer_group_assignments_request",
        key = { [[f.key(f.key(server, c.group_id), c.consumer_id)]], "c server" },
      },
      {
        on = "end:member",
        key = { [[f.key(f.key(server, member.group), member.consumer)]], "server member" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "crowd",
    scope = "capture",
    keys = {
      {
        on = "join_consumer_group_request leave_consumer_group_request",
        key = { [[f.key(client, c.group_id)]], "c client" },
      },
      { on = "end:member", key = { [[f.key(client, member.group)]], "client member" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "joined_anew",
    scope = "capture",
    keys = {
      {
        on = "join_consumer_group_request",
        key = {
          [[(((((crowd.live or 0) or 1) <= 0) and (crowd.left ~= nil)) and f.key(f.key(client, server), c.group_id) or nil)]],
          "c crowd client server",
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
    name = "joined_again",
    scope = "capture",
    keys = {
      {
        on = "join_consumer_group_request",
        key = { [[f.key(f.key(server, c.group_id), c.consumer_id)]], "c server" },
      },
      {
        on = "leave_consumer_group_request",
        key = { [[f.key(f.key(server, c.group_id), c.consumer_id)]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "claim",
    scope = "connection",
    keys = {
      {
        on = "fetch_consumer_group_assignments_response",
        key = "assignments.stream",
        items = "assignments",
      },
      { on = "subscribe_request", key = "stream" },
      { on = "message", key = { [[f.choose((conn.assigned == 1), c.stream, nil)]], "c conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "duty",
    scope = "capture",
    keys = {
      {
        on = "subscribe_request set_cursor_request",
        key = { [[f.key(client, c.stream)]], "c client" },
      },
      { on = "end:claim", key = { [[f.key(client, claim.stream)]], "client claim" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "looper",
    scope = "capture",
    keys = {
      {
        on = "publish_request message",
        key = { [[f.key(client, c.stream)]], "c client" },
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
    name = "watched",
    scope = "capture",
    keys = {
      { on = "message", key = { [[f.key(server, c.stream)]], "c server" }, guard = 10 },
      { on = "delete_stream_request", key = { [[f.key(server, c.name)]], "c server" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "node",
    scope = "capture",
    keys = {
      {
        on = "fetch_metadata_response",
        key = { [[f.key(client, c["brokers.id"])]], "c client" },
        items = "brokers",
      },
      {
        on = "fetch_consumer_group_assignments_request",
        key = { [[f.key(client, member.coordinator)]], "client member" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "race",
    scope = "capture",
    keys = {
      {
        on = "publish_response",
        key = { [[((conn.compares ~= nil) and f.key(server, conn.compares) or nil)]], "conn server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "begun",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[(((sub.start ~= nil) and LISTS[2][why] and (conn.left == 1) and (conn.cut == nil) and (sub.count ~= nil and sub.count > 1) and (sub.stops == nil)) and f.key(f.key(f.key(client, sub.stream), sub.partition), sub.start) or nil)]],
          "sub why conn client",
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
    name = "tried",
    scope = "connection",
    keys = {
      { on = "publish_request", key = "correlation_id", guard = 12 },
      {
        on = "publish_response",
        key = { [[f.coalesce(c.correlation_id, c["ack.correlation_id"])]], "c" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "attempt",
    scope = "connection",
    keys = {
      {
        on = "publish_request",
        key = { [[f.key(f.key(c.stream, (c.partition or 0)), f.digest(c["value raw"]))]], "c" },
        guard = 12,
      },
      {
        on = "publish_response",
        key = {
          [[((tried.content ~= nil) and f.key(f.key(tried.stream, tried.partition), tried.content) or nil)]],
          "tried",
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
    name = "coming",
    scope = "capture",
    keys = {
      { on = "subscribe_request publish_request", key = { [[client]], "client" } },
      {
        on = "end:sub",
        key = {
          [[f.choose(((LISTS[2][why] and (conn.cut == 1) and (sub.stops == nil)) or (sub.count ~= nil and sub.count > 0)), client, nil)]],
          "why conn sub client",
        },
      },
      {
        on = "end:conn",
        key = {
          [[f.choose(((LISTS[2][why] and (conn.cut == 1) and (conn.published ~= nil and conn.published > 0)) or (conn.asks ~= nil and conn.asks >= K.ASKS_LIMIT)), client, nil)]],
          "why conn client",
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
    name = "posted",
    scope = "connection",
    keys = {
      { on = "publish_request", key = "correlation_id", guard = 13 },
      {
        on = "publish_response",
        key = { [[f.coalesce(c.correlation_id, c["ack.correlation_id"])]], "c" },
        guard = 13,
      },
    },
    steps = {
      { from = { absent = true }, on = "publish_request", to = "open" },
      { from = { open = true }, on = "publish_response", to = "answered" },
    },
    each = {},
    final = { answered = true },
    live = {},
    starts = { asked = 0, answers = 0 },
  },
  {
    name = "lane",
    scope = "connection",
    keys = {
      {
        on = "client:publish",
        key = { [[f.key(c["carrier.subject"], (c.ack_policy or 0))]], "c" },
        guard = 14,
      },
      { on = "server:ack", key = { [[f.key(c.msg_subject, (c.ack_policy or 0))]], "c" }, guard = 15 },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "queue",
    scope = "connection",
    keys = {
      {
        on = "publish_request",
        key = {
          [[f.key(f.key(f.key(c["carrier.stream_id"], c.stream), (c.partition or 0)), (c.ack_policy or 0))]],
          "c",
        },
        guard = 16,
      },
      {
        on = "publish_response",
        key = {
          [[((posted.turn ~= nil) and f.key(f.key(f.key(c["carrier.stream_id"], posted.to), posted.to_partition), posted.policy) or nil)]],
          "c posted",
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
    name = "sole",
    scope = "capture",
    keys = {
      { on = "publish_request", key = "correlation_id", guard = 17 },
      {
        on = "client:publish ack",
        key = {
          [[((c.correlation_id ~= nil) and f.choose((f.len(c.correlation_id) ~= nil and f.len(c.correlation_id) >= K.GENERATED), c.correlation_id, nil) or not (c.correlation_id ~= nil) and f.choose(f.matching(c.ack_inbox, "*.ack.*"), c.ack_inbox, nil) or nil)]],
          "c",
        },
      },
      { on = "publish_response publish_to_subject_response", key = "ack.correlation_id", guard = 18 },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "kept",
    scope = "capture",
    keys = {
      {
        on = "client:ack",
        key = {
          [[((sole.times == 1) and f.key(f.key(c.stream, c.msg_subject), c.reception_timestamp) or nil)]],
          "c sole",
        },
        guard = 19,
      },
      {
        on = "publish_response",
        key = {
          [[((sole.requests == 1) and f.key(f.key(c["ack.stream"], c["ack.msg_subject"]), c["ack.reception_timestamp"]) or nil)]],
          "c sole",
        },
        guard = 20,
      },
      {
        on = "message",
        key = { [[f.key(f.key(c.stream, c.subject), c.timestamp)]], "c" },
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
    name = "captures",
    scope = "capture",
    keys = {
      { on = "tcp.gap tcp.resync", key = { [[(0 * t)]], "t" }, guard = 22 },
      {
        on = "end:conn",
        key = { [[f.choose((conn.start and conn.whole and conn.both), nil, (0 * t))]], "conn t" },
      },
      {
        on = "subscribe_request",
        key = {
          [[f.choose((((c.start_position == 1) and ((reader.last ~= nil and c.start_offset ~= nil and (reader.last + 2) <= c.start_offset) and (c.start_offset ~= nil and reader.last ~= nil and c.start_offset <= ((reader.last + 1) + K.MOST_SKIPPED)))) or (log.deleted_n ~= nil)), (0 * t), nil)]],
          "c reader log t",
        },
      },
      {
        on = "end:part",
        key = {
          [[f.choose(((part.published ~= nil and part.published >= K.UNREAD_LIMIT) and (part.read_n == nil) and (log.read_n ~= nil) and (log.partitions ~= nil and log.partitions > 1)), (0 * t), nil)]],
          "part log t",
        },
      },
      {
        on = "publish_request",
        key = { [[f.choose((log.deleted_n ~= nil), (0 * t), nil)]], "log t" },
      },
      {
        on = "end:coming",
        key = {
          [[f.choose(((coming.flow ~= nil and coming.flow >= 0) and (coming.renewed ~= nil and coming.renewed > 0) and (coming.lost_subs ~= nil and coming.renewed ~= nil and coming.lost_subs > coming.renewed) and (coming.lost_subs ~= nil and coming.lost_subs > (coming.tried or 0)) and (coming.renewed_t ~= nil and (t - coming.renewed_t) > K.BACK_FOR)), (0 * t), nil)]],
          "coming t",
        },
      },
      {
        on = "fetch_cursor_response",
        key = {
          [[f.choose(((c.offset ~= nil and mark_object.confirmed ~= nil and c.offset > mark_object.confirmed) and (req.n ~= nil and mark_object.confirmed_n ~= nil and req.n > mark_object.confirmed_n) and (mark_object.set_n ~= nil and mark_object.confirmed_n ~= nil and mark_object.set_n < mark_object.confirmed_n) and (mark_object.mixed == nil)), (0 * t), nil)]],
          "c mark_object req t",
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
  { on = "publish_request publish_to_subject_request", does = { [[pub.api = 1]], "pub" } },
  { on = "publish_request", does = { [[pub.stream = c.stream]], "c pub" } },
  {
    on = "client:publish client:plain_publish",
    does = { [=[pub.subject = c["carrier.subject"]]=], "c pub" },
  },
  { on = "client:ack", does = { [[pub.stream = c.stream]], "c pub" } },
  {
    on = "client:publish",
    guard = 1,
    does = {
      [[conn.wanted = 1; wait.subject = c["carrier.subject"]; wait.asked = ((wait.asked or 0) + 1)]],
      "c conn wait",
    },
  },
  {
    on = "server:ack",
    does = {
      [[conn.acks = ((conn.acks or 0) + 1); wait.stream = c.stream; wait.partition = c.partition_subject; wait.acked_n = n; wait.acks = ((wait.acks or 0) + 1)]],
      "c conn wait n",
    },
  },
  {
    on = "publish_request",
    does = {
      [[if (((box.open or 0) == 0) or (box.asked_t ~= nil and (t - box.asked_t) > K.ACK_LATE)) then box.first_n = n end; box.open = ((box.asked_t ~= nil and (t - box.asked_t) > K.ACK_LATE) and 1 or ((box.open or 0) + 1)); box.asked_t = t]],
      "box t n",
    },
  },
  { on = "publish_response", does = { [[box.open = f.max(((box.open or 0) - 1), 0)]], "box" } },
  {
    on = "create_stream_request",
    does = { [[log.optimistic = c["optimistic_concurrency_control.value"]; log.stored = 0]], "c log" },
  },
  {
    on = "propagated_request",
    guard = 23,
    does = {
      [=[log.optimistic = c["create_stream_op.stream.config.optimistic_concurrency_control.value"]]=],
      "c log",
    },
  },
  {
    on = "publish_response",
    guard = 24,
    when = { [[(log.site ~= nil and server ~= nil and log.site == server)]], "log server" },
    does = { [[log.stored = 1]], "log" },
  },
  {
    on = "client:ack",
    guard = 25,
    does = { [[order.offset = f.coalesce(c.offset, 0); order.by = n]], "c order n" },
  },
  {
    on = "client:replication_request",
    does = { [=[asked.topic = c["carrier.subject"]]=], "c asked" },
  },
  {
    on = "client:replication_response",
    does = {
      [[lead.flow = flow; lead.by = n; lead.leader_epoch = c.leader_epoch; lead.hw = c.high_watermark; lead.newest = f.coalesce(f.last(c["records.offset[]"]), lead.newest)]],
      "c lead flow n",
    },
  },
  { on = "client:replication_response", does = { [[leading.topic = req.topic]], "leading req" } },
  {
    on = "end:leading",
    when = { [[(lead.flow ~= nil and flow ~= nil and lead.flow == flow)]], "lead flow" },
    does = { [[lead.flow = nil]], "lead" },
  },
  {
    on = "server:replication_response",
    does = { [[copy.hw = c.high_watermark; copy.by = n]], "c copy n" },
  },
  {
    on = "client:replication_request",
    does = {
      [[copy.replica = c.replica_id; copy.topic = c["carrier.subject"]; copy.offset = c.offset; copy.asked_n = n]],
      "c copy n",
    },
  },
  {
    on = "server_info_request",
    when = { [[(version == 0)]], "version" },
    does = { [[known.streams = "new"]], "known" },
  },
  {
    on = "server_info_request",
    when = { [[(version == nil)]], "version" },
    does = { [[known.streams = "old"]], "known" },
  },
  { on = "client:raft_bootstrap", does = { [[seed.server = c.id; seed.by = n]], "c seed n" } },
  { on = "subscribe_request", does = { [[sub.stream = c.stream]], "c sub" } },
  {
    on = "message",
    does = {
      [[sub.count = (sub.count ~= nil and (sub.count + 1) or nil); sub.last = f.coalesce(c.offset, 0); sub.last_at = n]],
      "c sub n",
    },
  },
  {
    on = "message",
    guard = 10,
    does = { [[reader.last = f.coalesce(c.offset, 0); reader.last_at = n]], "c reader n" },
  },
  {
    on = "fetch_consumer_group_assignments_request",
    does = {
      [[member.asked_at = n; member.group = c.group_id; member.consumer = c.consumer_id]],
      "c member n",
    },
  },
  {
    on = "fetch_consumer_group_assignments_response",
    does = { [[member.group_epoch = f.coalesce(c.epoch, 0); member.answered_at = n]], "c member n" },
  },
  {
    on = "join_consumer_group_response fetch_consumer_group_assignments_request",
    does = { [[member.fetched_t = t]], "member t" },
  },
  {
    on = "subscribe_request",
    does = {
      [[subscribed_again.chained = ((subscribed_again.times ~= nil and subscribed_again.times > 0) and ((subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) <= K.AGAIN_PAUSE) and (subscribed_again.same ~= nil and subscribed_again.same == f.key(f.key((c.start_position or 0), (c.start_offset or 0)), (reader.last_at or 0))))); if subscribed_again.chained then subscribed_again.slower = (subscribed_again.slower ~= nil and (((subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) > 0) and (subscribed_again.latest_t ~= nil and subscribed_again.gap ~= nil and ((t - subscribed_again.latest_t) * 10) >= (13 * subscribed_again.gap))) and 1 or 0) ~= nil and (subscribed_again.slower + (((subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) > 0) and (subscribed_again.latest_t ~= nil and subscribed_again.gap ~= nil and ((t - subscribed_again.latest_t) * 10) >= (13 * subscribed_again.gap))) and 1 or 0)) or nil) else subscribed_again.slower = 0 end; if subscribed_again.chained then subscribed_again.gap = (subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) or nil) else subscribed_again.gap = nil end; if subscribed_again.chained then subscribed_again.first_gap = f.coalesce(subscribed_again.first_gap, (subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) or nil)) else subscribed_again.first_gap = nil end; if subscribed_again.chained then subscribed_again.second_n = f.coalesce(subscribed_again.second_n, n) else subscribed_again.second_n = nil end; if not subscribed_again.chained then subscribed_again.first_n = n end; if subscribed_again.chained then subscribed_again.times = (subscribed_again.times ~= nil and (subscribed_again.times + 1) or nil) else subscribed_again.times = 1 end; subscribed_again.latest_t = t; subscribed_again.same = f.key(f.key((c.start_position or 0), (c.start_offset or 0)), (reader.last_at or 0))]],
      "c subscribed_again t reader n",
    },
  },
  {
    on = "subscribe_request",
    guard = 5,
    when = {
      [[((c.start_offset ~= nil and reader.last ~= nil and c.start_offset == (reader.last + 1)) or ((c.start_offset ~= nil and reader.start ~= nil and c.start_offset == (reader.start + 1)) and (reader.kind == 1)))]],
      "c reader",
    },
    does = {
      [[read_singly.chained = ((read_singly.times ~= nil and read_singly.times > 0) and (read_singly.latest_t ~= nil and (t - read_singly.latest_t) <= K.AGAIN_PAUSE)); if read_singly.chained then read_singly.second_n = f.coalesce(read_singly.second_n, n) else read_singly.second_n = nil end; if not read_singly.chained then read_singly.first_n = n end; if read_singly.chained then read_singly.times = (read_singly.times ~= nil and (read_singly.times + 1) or nil) else read_singly.times = 1 end; read_singly.latest_t = t]],
      "read_singly t n",
    },
  },
  {
    on = "subscribe_request",
    guard = 6,
    does = {
      [[from_new.chained = ((from_new.times ~= nil and from_new.times > 0) and (from_new.latest_t ~= nil and (t - from_new.latest_t) <= 10000000000.0)); if from_new.chained then from_new.second_n = f.coalesce(from_new.second_n, n) else from_new.second_n = nil end; if not from_new.chained then from_new.first_n = n end; if from_new.chained then from_new.times = (from_new.times ~= nil and (from_new.times + 1) or nil) else from_new.times = 1 end; from_new.latest_t = t]],
      "from_new t n",
    },
  },
  { on = "subscribe_request", does = { [[reader.asked_t = t]], "reader t" } },
  {
    on = "message",
    guard = 10,
    does = {
      [[reader.flow = flow; reader.most = f.max((reader.most or 0), (c.offset or 0))]],
      "c reader flow",
    },
  },
  {
    on = "publish_request",
    does = {
      [[log.published_t = t; log.published_n = n; log.partition = f.coalesce(c.partition, 0)]],
      "c log t n",
    },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    when = { [[(conn.cut == nil)]], "conn" },
    does = { [[conn.left = 1]], "conn" },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = { [[(conn.left == nil)]], "conn" },
    does = { [[conn.cut = 1]], "conn" },
  },
  {
    on = "subscribe_request",
    does = {
      [[sub.partition = f.coalesce(c.partition, 0); sub.asked_n = n; sub.stops = c.stop_position; if (c.start_position == 1) then sub.start = c.start_offset else sub.start = nil end]],
      "c sub n",
    },
  },
  {
    on = "message",
    guard = 10,
    does = { [[sub.first = f.coalesce(sub.first, (c.offset or 0))]], "c sub" },
  },
  { on = "create_stream_response", does = { [[taken.lost_t = nil]], "taken" } },
  {
    on = "subscribe_request",
    when = { [[(conn.t ~= nil and taken.lost_t ~= nil and conn.t > taken.lost_t)]], "conn taken" },
    does = {
      [[taken.partitions = f.drop(taken.partitions, (c.partition or 0)); taken.back_t = t; taken.back_n = n]],
      "c taken t n",
    },
  },
  {
    on = "end:sub",
    when = {
      [[(LISTS[2][why] and (conn.cut == 1) and (sub.count ~= nil and sub.count > 1))]],
      "why conn sub",
    },
    does = {
      [[taken.partitions = f.put(taken.partitions, sub.partition); taken.lost_n = sub.last_at; taken.stream = sub.stream; taken.lost_t = t; taken.back_t = nil; taken.back_n = nil]],
      "taken sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[(LISTS[2][why] and (conn.cut == 1) and (sub.count ~= nil and sub.count > 1))]],
      "why conn sub",
    },
    does = {
      [[returned.streams = f.put(returned.streams, sub.stream); returned.lost_n = sub.last_at; returned.lost_t = t; returned.back_n = nil; returned.back_t = nil]],
      "returned sub t",
    },
  },
  {
    on = "subscribe_request publish_request fetch_metadata_request",
    when = { [[(conn.t ~= nil and returned.lost_t ~= nil and conn.t > returned.lost_t)]], "conn returned" },
    does = {
      [[returned.back_n = f.coalesce(returned.back_n, n); returned.back_t = f.coalesce(returned.back_t, t); returned.latest_t = t]],
      "returned n t",
    },
  },
  {
    on = "subscribe_request",
    does = { [[returned.streams = f.drop(returned.streams, c.stream)]], "c returned" },
  },
  {
    on = "create_stream_response",
    does = { [[returned.streams = f.drop(returned.streams, req.stream)]], "returned req" },
  },
  {
    on = "subscribe_request",
    does = {
      [[reader.kind = f.coalesce(c.start_position, 0); reader.start = f.coalesce(c.start_offset, 0); reader.asked_n = n; if (c.start_position == 4) then reader.time = c.start_timestamp else reader.time = nil end; reader.group = c["consumer.group_id"]; reader.asked_by = flow]],
      "c reader n flow",
    },
  },
  {
    on = "set_cursor_request",
    guard = 7,
    does = { [[set_back.last = f.coalesce(c.offset, 0); set_back.latest_n = n]], "c set_back n" },
  },
  {
    on = "set_cursor_request",
    when = {
      [[((shared_cursor.user ~= nil and flow ~= nil and shared_cursor.user ~= flow) and f.has(shared_cursor.users, flow))]],
      "shared_cursor flow",
    },
    does = { [[shared_cursor.returns = ((shared_cursor.returns or 0) + 1)]], "shared_cursor" },
  },
  {
    on = "set_cursor_request",
    when = {
      [[(shared_cursor.user ~= nil and flow ~= nil and shared_cursor.user ~= flow)]],
      "shared_cursor flow",
    },
    does = { [[shared_cursor.former_n = shared_cursor.latest_n]], "shared_cursor" },
  },
  {
    on = "set_cursor_request",
    does = {
      [[shared_cursor.users = f.put(shared_cursor.users, flow); shared_cursor.user = flow; shared_cursor.latest_n = n]],
      "shared_cursor flow n",
    },
  },
  { on = "fetch_cursor_request", does = { [[place.fetched_n = n]], "place n" } },
  {
    on = "set_cursor_request",
    does = {
      [[mark_object.mixed = f.coalesce(mark_object.mixed, f.choose((mark_object.setter ~= nil and flow ~= nil and mark_object.setter ~= flow), n, nil)); mark_object.setter = flow; mark_object.set_n = n]],
      "mark_object flow n",
    },
  },
  {
    on = "set_cursor_response",
    does = {
      [[mark_object.confirmed = f.coalesce(req.offset, 0); mark_object.confirmed_n = n]],
      "mark_object req n",
    },
  },
  {
    on = "fetch_cursor_response",
    guard = 26,
    when = {
      [[((place.flow ~= nil and flow ~= nil and place.flow ~= flow) and (req.cursor_id ~= nil and place.cursor_id ~= nil and req.cursor_id ~= place.cursor_id))]],
      "place flow req",
    },
    does = {
      [[place.misses = ((place.misses or 0) + 1); place.missed_n = f.coalesce(place.missed_n, req.n)]],
      "place req",
    },
  },
  {
    on = "fetch_cursor_response",
    does = {
      [[if (((c.offset or 0) or -1) >= 0) then place.stored = f.coalesce(c.offset, 0) else place.stored = nil end; place.stored_n = n]],
      "c place n",
    },
  },
  { on = "subscribe_request", does = { [[place.stored = nil]], "place" } },
  {
    on = "subscribe_request",
    guard = 27,
    when = {
      [[(c.start_offset ~= nil and place.cursor ~= nil and c.start_offset == place.cursor)]],
      "c place",
    },
    does = { [[place.at_cursor = ((place.at_cursor or 0) + 1)]], "place" },
  },
  {
    on = "fetch_cursor_response",
    guard = 26,
    does = {
      [[if not (place.absent ~= nil and req.cursor_id ~= nil and place.absent == req.cursor_id) then place.begun = 0 end; place.absent = req.cursor_id; place.absent_flow = flow]],
      "place req flow",
    },
  },
  { on = "set_cursor_request", does = { [[place.absent_flow = nil; place.begun = 0]], "place" } },
  {
    on = "subscribe_request",
    guard = 28,
    when = {
      [[((place.absent_flow ~= nil and flow ~= nil and place.absent_flow == flow) and (flow ~= nil and (place.begun_flow or -1) ~= flow))]],
      "place flow",
    },
    does = {
      [[place.begun = (place.begun ~= nil and (place.begun + 1) or nil); place.begun_n = n; place.begun_flow = flow]],
      "place n flow",
    },
  },
  {
    on = "subscribe_request",
    guard = 29,
    when = { [[(place.flow ~= nil and flow ~= nil and place.flow ~= flow)]], "place flow" },
    does = { [[place.restarts = ((place.restarts or 0) + 1); place.restart_n = n]], "place n" },
  },
  {
    on = "set_cursor_request",
    does = {
      [[set_singly.chained = ((set_singly.times ~= nil and set_singly.times > 0) and ((set_singly.latest_t ~= nil and (t - set_singly.latest_t) <= K.AGAIN_PAUSE) and (set_singly.same ~= nil and c.offset ~= nil and place.cursor ~= nil and set_singly.same == (c.offset - place.cursor)))); if set_singly.chained then set_singly.second_n = f.coalesce(set_singly.second_n, n) else set_singly.second_n = nil end; if not set_singly.chained then set_singly.first_n = n end; if set_singly.chained then set_singly.times = (set_singly.times ~= nil and (set_singly.times + 1) or nil) else set_singly.times = 1 end; set_singly.latest_t = t; set_singly.same = (c.offset ~= nil and place.cursor ~= nil and (c.offset - place.cursor) or nil)]],
      "c set_singly t place n",
    },
  },
  {
    on = "set_cursor_request",
    guard = 7,
    does = {
      [[set_again.chained = ((set_again.times ~= nil and set_again.times > 0) and ((set_again.latest_t ~= nil and (t - set_again.latest_t) <= 60000000000.0) and (set_again.same ~= nil and set_again.same == (c.offset or 0)))); if set_again.chained then set_again.second_n = f.coalesce(set_again.second_n, n) else set_again.second_n = nil end; if not set_again.chained then set_again.first_n = n end; if set_again.chained then set_again.times = (set_again.times ~= nil and (set_again.times + 1) or nil) else set_again.times = 1 end; set_again.latest_t = t; set_again.same = f.coalesce(c.offset, 0)]],
      "c set_again t n",
    },
  },
  {
    on = "set_cursor_request",
    does = {
      [[place.cursor = f.coalesce(c.offset, 0); place.set_n = n; place.flow = flow; place.cursor_id = c.cursor_id; place.sets = ((place.sets or 0) + 1)]],
      "c place n flow",
    },
  },
  {
    on = "publish_request",
    guard = 30,
    when = { [[(conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE)]], "conn" },
    does = {
      [[conn.same = (((conn.pair_stream ~= nil and c.stream ~= nil and conn.pair_stream == c.stream) and (conn.pair_value ~= nil and f.digest(c["value raw"]) ~= nil and conn.pair_value == f.digest(c["value raw"]))) and 1 or 0); if (conn.same == 1) then conn.pairs = ((conn.run == 1) and ((conn.pairs or 0) + 1) or 0) else if (conn.run == 2) then conn.pairs = f.coalesce(conn.pairs, 0) else conn.pairs = 0 end end; conn.run = ((conn.same == 1) and ((conn.run or 0) + 1) or 1); conn.pair_stream = c.stream; conn.pair_value = f.digest(c["value raw"]); conn.pair_n = n]],
      "c conn n",
    },
  },
  {
    on = "publish_request",
    does = { [[conn.published = (conn.published ~= nil and (conn.published + 1) or nil)]], "conn" },
  },
  {
    on = "publish_request",
    guard = 31,
    does = {
      [[conn.pending = (conn.pending ~= nil and (conn.pending + 1) or nil); conn.pending_n = f.coalesce(conn.pending_n, n)]],
      "conn n",
    },
  },
  {
    on = "publish_response",
    guard = 13,
    does = {
      [[conn.pending = (conn.pending ~= nil and (conn.pending - 1) or nil); conn.pending_n = nil]],
      "conn",
    },
  },
  {
    on = "publish_request",
    when = {
      [[(c.correlation_id ~= nil and conn.latest_id ~= nil and c.correlation_id == conn.latest_id)]],
      "c conn",
    },
    does = {
      [[conn.same_id = (conn.same_id ~= nil and ((f.digest(c["value raw"]) ~= nil and conn.latest_value ~= nil and f.digest(c["value raw"]) == conn.latest_value) and 0 or 1) ~= nil and (conn.same_id + ((f.digest(c["value raw"]) ~= nil and conn.latest_value ~= nil and f.digest(c["value raw"]) == conn.latest_value) and 0 or 1)) or nil); conn.latest_value = f.digest(c["value raw"])]],
      "c conn",
    },
  },
  {
    on = "publish_request",
    guard = 32,
    when = { [[(c.correlation_id ~= nil and c.correlation_id ~= (conn.latest_id or ""))]], "c conn" },
    does = { [[conn.same_id = 0; conn.latest_id = c.correlation_id; conn.latest_value = nil]], "c conn" },
  },
  { on = "publish_response", guard = 33, does = { [[conn.run = 0]], "conn" } },
  {
    on = "publish_request",
    guard = 13,
    when = {
      [[(c["carrier.stream_id"] ~= nil and c["carrier.stream_id"] ~= (conn.async_call or -1))]],
      "c conn",
    },
    does = {
      [[conn.called_singly_chained = ((conn.called_singly_times ~= nil and conn.called_singly_times > 0) and (conn.called_singly_latest_t ~= nil and (t - conn.called_singly_latest_t) <= K.AGAIN_PAUSE)); if conn.called_singly_chained then conn.called_singly_second_n = f.coalesce(conn.called_singly_second_n, n) else conn.called_singly_second_n = nil end; if not conn.called_singly_chained then conn.called_singly_first_n = n end; if conn.called_singly_chained then conn.called_singly_times = (conn.called_singly_times ~= nil and (conn.called_singly_times + 1) or nil) else conn.called_singly_times = 1 end; conn.called_singly_latest_t = t]],
      "conn t n",
    },
  },
  {
    on = "publish_request",
    guard = 13,
    when = {
      [[(c["carrier.stream_id"] ~= nil and conn.async_call ~= nil and c["carrier.stream_id"] == conn.async_call)]],
      "c conn",
    },
    does = { [[conn.called_singly_times = 0]], "conn" },
  },
  {
    on = "publish_request",
    guard = 13,
    does = { [=[conn.async_call = c["carrier.stream_id"]]=], "c conn" },
  },
  {
    on = "publish_response",
    guard = 34,
    does = {
      [[conn.async_refused_chained = ((conn.async_refused_times ~= nil and conn.async_refused_times > 0) and ((conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) <= K.AGAIN_PAUSE) and (conn.async_refused_same ~= nil and conn.async_refused_same == (c["async_error.code"] or 0)))); if conn.async_refused_chained then conn.async_refused_slower = (conn.async_refused_slower ~= nil and (((conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) > 0) and (conn.async_refused_latest_t ~= nil and conn.async_refused_gap ~= nil and ((t - conn.async_refused_latest_t) * 10) >= (13 * conn.async_refused_gap))) and 1 or 0) ~= nil and (conn.async_refused_slower + (((conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) > 0) and (conn.async_refused_latest_t ~= nil and conn.async_refused_gap ~= nil and ((t - conn.async_refused_latest_t) * 10) >= (13 * conn.async_refused_gap))) and 1 or 0)) or nil) else conn.async_refused_slower = 0 end; if conn.async_refused_chained then conn.async_refused_gap = (conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) or nil) else conn.async_refused_gap = nil end; if conn.async_refused_chained then conn.async_refused_first_gap = f.coalesce(conn.async_refused_first_gap, (conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) or nil)) else conn.async_refused_first_gap = nil end; if conn.async_refused_chained then conn.async_refused_second_n = f.coalesce(conn.async_refused_second_n, n) else conn.async_refused_second_n = nil end; if not conn.async_refused_chained then conn.async_refused_first_n = n end; if conn.async_refused_chained then conn.async_refused_times = (conn.async_refused_times ~= nil and (conn.async_refused_times + 1) or nil) else conn.async_refused_times = 1 end; conn.async_refused_latest_t = t; conn.async_refused_same = f.coalesce(c["async_error.code"], 0)]],
      "c conn t n",
    },
  },
  { on = "publish_response", guard = 24, does = { [[conn.async_refused_times = 0]], "conn" } },
  {
    on = "publish_request",
    guard = 35,
    does = {
      [[conn.published_singly_chained = ((conn.published_singly_times ~= nil and conn.published_singly_times > 0) and ((conn.published_singly_open == 0) and (conn.published_singly_answered_t ~= nil and f.max((conn.published_singly_took ~= nil and (conn.published_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.published_singly_answered_t) <= f.max((conn.published_singly_took ~= nil and (conn.published_singly_took * 3) or nil), 5000000)))); if conn.published_singly_chained then conn.published_singly_second_n = f.coalesce(conn.published_singly_second_n, n) else conn.published_singly_second_n = nil end; if not conn.published_singly_chained then conn.published_singly_first_n = n end; if conn.published_singly_chained then conn.published_singly_times = (conn.published_singly_times ~= nil and (conn.published_singly_times + 1) or nil) else conn.published_singly_times = 1 end; conn.published_singly_asked_t = t; conn.published_singly_open = ((conn.published_singly_open or 0) + 1)]],
      "conn t n",
    },
  },
  {
    on = "publish_response",
    guard = 35,
    when = { [[(conn.published_singly_open ~= nil and conn.published_singly_open > 0)]], "conn" },
    does = {
      [[conn.published_singly_took = (conn.published_singly_asked_t ~= nil and (t - conn.published_singly_asked_t) or nil); conn.published_singly_answered_t = t; conn.published_singly_open = 0]],
      "conn t",
    },
  },
  {
    on = "fetch_metadata_request",
    does = {
      [[looked_up.chained = ((looked_up.times ~= nil and looked_up.times > 0) and (looked_up.latest_t ~= nil and (t - looked_up.latest_t) <= K.AGAIN_PAUSE)); if looked_up.chained then looked_up.second_n = f.coalesce(looked_up.second_n, n) else looked_up.second_n = nil end; if not looked_up.chained then looked_up.first_n = n end; if looked_up.chained then looked_up.times = (looked_up.times ~= nil and (looked_up.times + 1) or nil) else looked_up.times = 1 end; looked_up.latest_t = t]],
      "looked_up t n",
    },
  },
  {
    on = "create_stream_request",
    when = {
      [[((feed.latest ~= nil and c.name ~= nil and feed.latest ~= c.name) or (feed.latest == nil))]],
      "c feed",
    },
    does = {
      [[feed.streams = ((feed.alike ~= nil and f.program(c.name) ~= nil and feed.alike == f.program(c.name)) and ((feed.streams or 0) + 1) or 1); feed.alike = f.program(c.name); feed.latest = c.name; feed.former_n = feed.latest_n; feed.latest_n = n]],
      "c feed n",
    },
  },
  {
    on = "delete_stream_request",
    does = { [[feed.streams = (feed.streams ~= nil and (feed.streams - 1) or nil)]], "feed" },
  },
  {
    on = "create_stream_request",
    does = {
      [[created.chained = ((created.times ~= nil and created.times > 0) and (created.latest_t ~= nil and (t - created.latest_t) <= K.AGAIN_PAUSE)); if created.chained then created.second_n = f.coalesce(created.second_n, n) else created.second_n = nil end; if not created.chained then created.first_n = n end; if created.chained then created.times = (created.times ~= nil and (created.times + 1) or nil) else created.times = 1 end; created.latest_t = t]],
      "created t n",
    },
  },
  {
    on = "create_stream_response",
    does = { [[log.born_n = n; log.readonly_n = nil; log.paused_n = nil; log.woken_n = nil]], "log n" },
  },
  {
    on = "delete_stream_response",
    does = {
      [[log.deleted_n = n; log.compacted = nil; log.partitions = nil; log.made_n = nil; log.readonly_n = nil]],
      "log n",
    },
  },
  {
    on = "create_stream_request",
    when = { [[(log.deleted_n ~= nil)]], "log" },
    does = { [[log.remade_n = n]], "log n" },
  },
  {
    on = "create_stream_request",
    does = {
      [[log.deleted_n = nil; log.made_n = n; log.subject = c.subject; log.site = server; log.compacted = c["compact_enabled.value"]; if not ((log.partitions ~= nil) and (log.born_n ~= nil)) then log.partitions = f.coalesce(c.partitions, 1) end; log.keyless = 0; log.first = 0; log.fresh = 0]],
      "c log n server",
    },
  },
  {
    on = "set_stream_readonly_request",
    does = {
      [[if c.readonly then log.readonly_n = n else log.readonly_n = nil end; log.readonly = c["partitions[]"]; log.tries = 0]],
      "c log n",
    },
  },
  {
    on = "publish_request",
    when = { [[(log.readonly_n ~= nil)]], "log" },
    does = { [[log.tries = (log.tries ~= nil and (log.tries + 1) or nil)]], "log" },
  },
  {
    on = "publish_request",
    when = { [[(log.made_n ~= nil)]], "log" },
    does = {
      [[if ((c["#key"] or 0) == 0) then log.keyless = (log.keyless ~= nil and (log.keyless + 1) or nil) else log.keyless = nil end; if ((c.partition or 0) == 0) then log.first = (log.first ~= nil and (log.first + 1) or nil) else log.first = nil end]],
      "c log",
    },
  },
  {
    on = "pause_stream_request",
    when = {
      [[((log.resumed_n ~= nil) and (log.woken_t ~= nil and (t - log.woken_t) <= K.BUSY_TIME))]],
      "log t",
    },
    does = {
      [[paused_in_use.chained = ((paused_in_use.times ~= nil and paused_in_use.times > 0) and (paused_in_use.latest_t ~= nil and (t - paused_in_use.latest_t) <= 10000000000.0)); if paused_in_use.chained then paused_in_use.second_n = f.coalesce(paused_in_use.second_n, n) else paused_in_use.second_n = nil end; if not paused_in_use.chained then paused_in_use.first_n = n end; if paused_in_use.chained then paused_in_use.times = (paused_in_use.times ~= nil and (paused_in_use.times + 1) or nil) else paused_in_use.times = 1 end; paused_in_use.latest_t = t]],
      "paused_in_use t n",
    },
  },
  {
    on = "pause_stream_request",
    when = {
      [[((log.resumed_n == nil) or (log.woken_t ~= nil and (t - log.woken_t) > K.BUSY_TIME))]],
      "log t",
    },
    does = { [[paused_in_use.times = 0]], "paused_in_use" },
  },
  {
    on = "publish_request",
    when = { [[(log.paused_n ~= nil)]], "log" },
    does = { [[log.resumed_n = n]], "log n" },
  },
  {
    on = "pause_stream_request",
    guard = 36,
    does = { [[log.paused_n = n; log.woken_n = nil; log.resumed_n = nil]], "log n" },
  },
  {
    on = "publish_request",
    does = {
      [[if (log.paused_n ~= nil) then log.woken_n = n else log.woken_n = nil end; log.waker = flow; log.woken_by = f.digest(c["value raw"]); log.woken_t = t; log.paused_n = nil]],
      "c log n flow t",
    },
  },
  {
    on = "subscribe_request",
    guard = 8,
    when = {
      [[((log.woken_n ~= nil) and (log.waker ~= nil and flow ~= nil and log.waker == flow) and (log.woken_t ~= nil and (t - log.woken_t) <= K.AGAIN_PAUSE))]],
      "log flow t",
    },
    does = {
      [[woken.chained = ((woken.times ~= nil and woken.times > 0) and ((woken.latest_t ~= nil and (t - woken.latest_t) <= 60000000000.0) and (woken.same ~= nil and log.woken_by ~= nil and woken.same == log.woken_by))); if woken.chained then woken.second_n = f.coalesce(woken.second_n, log.woken_n) else woken.second_n = nil end; if not woken.chained then woken.first_n = log.woken_n end; if woken.chained then woken.times = (woken.times ~= nil and (woken.times + 1) or nil) else woken.times = 1 end; woken.latest_t = t; woken.same = log.woken_by]],
      "woken t log",
    },
  },
  {
    on = "pause_stream_request",
    does = {
      [[paused.chained = ((paused.times ~= nil and paused.times > 0) and (paused.latest_t ~= nil and (t - paused.latest_t) <= 10000000000.0)); if paused.chained then paused.second_n = f.coalesce(paused.second_n, n) else paused.second_n = nil end; if not paused.chained then paused.first_n = n end; if paused.chained then paused.times = (paused.times ~= nil and (paused.times + 1) or nil) else paused.times = 1 end; paused.latest_t = t]],
      "paused t n",
    },
  },
  {
    on = "end:sub",
    when = { [=[LISTS[2][why]]=], "why" },
    does = {
      [[left.ends = f.put(left.ends, (sub.last ~= nil and (sub.last + 1) or nil)); left.partition = sub.partition; left.last_at = sub.last_at; left.t_of = t; left.first = sub.first; left.last = sub.last]],
      "left sub t",
    },
  },
  {
    on = "publish_request",
    when = { [[(keyed.partition ~= nil and keyed.partition ~= (c.partition or 0))]], "c keyed" },
    does = { [[log.spread = ((log.spread or 0) + 1)]], "log" },
  },
  {
    on = "publish_request",
    when = { [[(log.compacted and (log.fresh ~= nil))]], "log" },
    does = {
      [[if (((c["#key"] or 0) > 0) and (keyed.latest_n == nil)) then log.fresh = (log.fresh ~= nil and (log.fresh + 1) or nil) else log.fresh = nil end]],
      "c keyed log",
    },
  },
  {
    on = "publish_request",
    guard = 37,
    does = { [[keyed.partition = f.coalesce(c.partition, 0); keyed.latest_n = n]], "c keyed n" },
  },
  {
    on = "publish_response",
    guard = 38,
    does = {
      [[log.newest = f.max((log.newest or 0), (c["ack.offset"] or 0)); log.newest_n = n]],
      "c log n",
    },
  },
  {
    on = "publish_request",
    when = { [[(log.made_n ~= nil)]], "log" },
    does = {
      [[part.published = ((part.published or 0) + 1); part.published_n = n; part.stream = c.stream; part.partition = f.coalesce(c.partition, 0)]],
      "c part n",
    },
  },
  { on = "subscribe_request", does = { [[part.read_n = n; log.read_n = n]], "part n log" } },
  {
    on = "publish_request",
    when = {
      [[(((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (content.user ~= nil and flow ~= nil and content.user == flow) and (content.first ~= nil and content.first ~= (f.begins(c["value raw"], K.FORMATS) or "another format")))]],
      "c conn content flow",
    },
    does = { [[content.mixed = ((content.mixed or 0) + 1)]], "content" },
  },
  {
    on = "publish_request",
    when = {
      [[(((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (content.user ~= nil and flow ~= nil and content.user ~= flow) and (content.first ~= nil and content.first ~= (f.begins(c["value raw"], K.FORMATS) or "another format")))]],
      "c conn content flow",
    },
    does = { [[content.others = ((content.others or 0) + 1)]], "content" },
  },
  {
    on = "publish_request",
    when = {
      [[(((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (content.first == nil))]],
      "c conn content",
    },
    does = {
      [[content.first = f.coalesce(f.begins(c["value raw"], K.FORMATS), "another format"); content.user = flow; content.first_n = n]],
      "c content flow n",
    },
  },
  {
    on = "publish_request",
    when = {
      [[(((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (mixed.user ~= nil and flow ~= nil and mixed.user == flow) and (mixed.first ~= nil and mixed.first ~= (f.begins(c["value raw"], K.FORMATS) or "another format")))]],
      "c conn mixed flow",
    },
    does = { [[mixed.mixed = ((mixed.mixed or 0) + 1)]], "mixed" },
  },
  {
    on = "publish_request",
    when = {
      [[(((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (mixed.first == nil))]],
      "c conn mixed",
    },
    does = {
      [[mixed.first = f.coalesce(f.begins(c["value raw"], K.FORMATS), "another format"); mixed.user = flow; mixed.first_n = n]],
      "c mixed flow n",
    },
  },
  {
    on = "create_stream_request",
    when = {
      [[(f.has(catalogue.subjects, c.subject) and (f.has(catalogue.names, c.name) ~= nil and not f.has(catalogue.names, c.name)))]],
      "c catalogue",
    },
    does = { [[catalogue.shared = f.put(catalogue.shared, c.subject)]], "c catalogue" },
  },
  {
    on = "create_stream_request",
    does = { [[catalogue.names = f.put(catalogue.names, c.name)]], "c catalogue" },
  },
  {
    on = "create_stream_request",
    guard = 39,
    does = { [[catalogue.subjects = f.put(catalogue.subjects, c.subject)]], "c catalogue" },
  },
  { on = "create_stream_request", guard = 40, does = { [[catalogue.wild_n = n]], "catalogue n" } },
  { on = "publish_request", does = { [[conn.known_stream = c.stream]], "c conn" } },
  {
    on = "fetch_metadata_request",
    does = { [[conn.lists_all = (((c["#streams"] or 0) == 0) and 1 or nil)]], "c conn" },
  },
  {
    on = "fetch_metadata_response",
    when = { [[(conn.lists_all == 1)]], "conn" },
    does = { [[catalogue.listed_n = n]], "catalogue n" },
  },
  {
    on = "fetch_metadata_response",
    items = "stream_metadata",
    when = { [[((c["stream_metadata.error"] or 0) == 0)]], "c" },
    does = { [[catalogue.names = f.put(catalogue.names, c["stream_metadata.name"])]], "c catalogue" },
  },
  {
    on = "subscribe_request",
    guard = 41,
    does = { [[log.group = c["consumer.group_id"]; log.grouped_n = n]], "c log n" },
  },
  {
    on = "join_consumer_group_request",
    does = {
      [[member.asked_at = n; member.group = c.group_id; member.consumer = c.consumer_id]],
      "c member n",
    },
  },
  {
    on = "join_consumer_group_response",
    does = { [[member.timeout = c.consumer_timeout]], "c member" },
  },
  {
    on = "join_consumer_group_request fetch_consumer_group_assignments_request",
    does = { [[crew.flow = f.coalesce(crew.flow, flow); crew.by = f.coalesce(crew.by, n)]], "crew flow n" },
  },
  {
    on = "join_consumer_group_request",
    does = {
      [[crew.joined_n = n; conn.joined_n = n; conn.joined_group = c.group_id; conn.joined_as = c.consumer_id]],
      "c crew n conn",
    },
  },
  {
    on = "leave_consumer_group_request end:member",
    does = { [[crew.flow = nil; crew.by = nil]], "crew" },
  },
  {
    on = "join_consumer_group_request",
    when = { [[((((crowd.live or 0) or 1) <= 0) and (crowd.left ~= nil))]], "crowd" },
    does = {
      [[joined_anew.chained = ((joined_anew.times ~= nil and joined_anew.times > 0) and (joined_anew.latest_t ~= nil and (t - joined_anew.latest_t) <= 10000000000.0)); if joined_anew.chained then joined_anew.second_n = f.coalesce(joined_anew.second_n, n) else joined_anew.second_n = nil end; if not joined_anew.chained then joined_anew.first_n = n end; if joined_anew.chained then joined_anew.times = (joined_anew.times ~= nil and (joined_anew.times + 1) or nil) else joined_anew.times = 1 end; joined_anew.latest_t = t]],
      "joined_anew t n",
    },
  },
  {
    on = "join_consumer_group_request",
    when = {
      [[(f.has(crowd.names, c.consumer_id) ~= nil and not f.has(crowd.names, c.consumer_id))]],
      "c crowd",
    },
    does = {
      [[crowd.names = f.put(crowd.names, c.consumer_id); crowd.former_n = crowd.latest_n; crowd.latest_n = n; crowd.live = ((crowd.live or 0) + 1)]],
      "c crowd n",
    },
  },
  {
    on = "leave_consumer_group_request",
    does = { [[crowd.live = (crowd.live ~= nil and (crowd.live - 1) or nil); crowd.left = 1]], "crowd" },
  },
  {
    on = "end:member",
    when = { [[(why ~= nil and why ~= "left")]], "why" },
    does = { [[crowd.live = (crowd.live ~= nil and (crowd.live - 1) or nil)]], "crowd" },
  },
  {
    on = "join_consumer_group_request",
    does = {
      [[joined_again.chained = ((joined_again.times ~= nil and joined_again.times > 0) and (joined_again.latest_t ~= nil and (t - joined_again.latest_t) <= 10000000000.0)); if joined_again.chained then joined_again.second_n = f.coalesce(joined_again.second_n, n) else joined_again.second_n = nil end; if not joined_again.chained then joined_again.first_n = n end; if joined_again.chained then joined_again.times = (joined_again.times ~= nil and (joined_again.times + 1) or nil) else joined_again.times = 1 end; joined_again.latest_t = t]],
      "joined_again t n",
    },
  },
  { on = "leave_consumer_group_request", does = { [[joined_again.times = 0]], "joined_again" } },
  {
    on = "fetch_consumer_group_assignments_response",
    items = "assignments",
    does = {
      [[claim.partitions = c["assignments.partitions"]; claim.got_n = n; claim.got_t = t; claim.stream = c["assignments.stream"]; claim.consumer = req.consumer_id]],
      "c claim n t req",
    },
  },
  {
    on = "subscribe_request",
    does = { [[duty.read_n = n; duty.born_n = log.born_n]], "duty n log" },
  },
  {
    on = "fetch_consumer_group_assignments_request",
    does = {
      [[member.fetched_chained = ((member.fetched_times ~= nil and member.fetched_times > 0) and (member.fetched_latest_t ~= nil and member.timeout ~= nil and (t - member.fetched_latest_t) < member.timeout)); if member.fetched_chained then member.fetched_second_n = f.coalesce(member.fetched_second_n, n) else member.fetched_second_n = nil end; if not member.fetched_chained then member.fetched_first_n = n end; if not member.fetched_chained then member.fetched_first_t = t end; if member.fetched_chained then member.fetched_times = (member.fetched_times ~= nil and (member.fetched_times + 1) or nil) else member.fetched_times = 1 end; member.fetched_latest_t = t]],
      "member t n",
    },
  },
  {
    on = "publish_request",
    guard = 10,
    does = {
      [[looper.passed = (((looper.read_t ~= nil and (t - looper.read_t) <= K.ECHO_WAIT) and (f.digest(c["value raw"]) ~= nil and looper.value ~= nil and f.digest(c["value raw"]) == looper.value)) and 1 or nil); looper.passed_n = n; looper.sent_t = t]],
      "c looper t n",
    },
  },
  {
    on = "message",
    when = {
      [[((looper.passed == 1) and (looper.sent_t ~= nil and (t - looper.sent_t) <= K.ECHO_TIME))]],
      "looper t",
    },
    does = {
      [[looper.echoed_chained = ((looper.echoed_times ~= nil and looper.echoed_times > 0) and (looper.echoed_latest_t ~= nil and (t - looper.echoed_latest_t) <= K.ECHO_PAUSE)); if looper.echoed_chained then looper.echoed_second_n = f.coalesce(looper.echoed_second_n, looper.passed_n) else looper.echoed_second_n = nil end; if not looper.echoed_chained then looper.echoed_first_n = looper.passed_n end; if looper.echoed_chained then looper.echoed_times = (looper.echoed_times ~= nil and (looper.echoed_times + 1) or nil) else looper.echoed_times = 1 end; looper.echoed_latest_t = t]],
      "looper t",
    },
  },
  {
    on = "message",
    when = { [[(looper.sent_t ~= nil)]], "looper" },
    does = {
      [[looper.value = f.digest(c["value raw"]); looper.passed = nil; looper.read_t = t]],
      "c looper t",
    },
  },
  {
    on = "message",
    guard = 10,
    does = { [[watched.flow = flow; watched.read_t = t; watched.read_n = n]], "watched flow t n" },
  },
  {
    on = "fetch_metadata_response",
    guard = 42,
    does = { [[conn.brokers = c["#brokers"]; conn.brokers_n = n]], "c conn n" },
  },
  {
    on = "fetch_metadata_response",
    items = "brokers",
    does = {
      [[node.host = c["brokers.host"]; node.port = c["brokers.port"]; node.listed_n = n]],
      "c node n",
    },
  },
  {
    on = "join_consumer_group_response",
    does = { [[member.coordinator = c.coordinator; member.joined_n = n]], "c member n" },
  },
  {
    on = "publish_request",
    guard = 43,
    does = { [[conn.compares = c.stream; conn.compares_n = n]], "c conn n" },
  },
  {
    on = "publish_response",
    guard = 44,
    when = { [[(conn.compares ~= nil)]], "conn" },
    does = {
      [[race.refused = ((race.refused or 0) + 1); race.writers = f.put(race.writers, flow); race.refused_n = f.coalesce(race.refused_n, n)]],
      "race flow n",
    },
  },
  {
    on = "publish_response",
    guard = 38,
    when = {
      [[((conn.compares ~= nil) and (c["ack.stream"] ~= nil and conn.compares ~= nil and c["ack.stream"] == conn.compares))]],
      "c conn",
    },
    does = { [[race.agreed = ((race.agreed or 0) + 1)]], "race" },
  },
  {
    on = "set_cursor_request",
    does = {
      [[reader.set_gap = f.max((reader.set_gap or 0), (t - (reader.set_t or t))); reader.set_step = f.max((reader.set_step or 0), ((c.offset or 0) - (reader.set_to or (c.offset or 0)))); reader.set_to = f.coalesce(c.offset, 0); reader.set_t = t; reader.set_at = n; reader.setter = flow; reader.sets = ((reader.sets or 0) + 1)]],
      "c reader t n flow",
    },
  },
  {
    on = "end:sub",
    does = {
      [[begun.times = ((begun.times or 0) + 1); begun.first_n = f.coalesce(begun.first_n, sub.asked_n)]],
      "begun sub",
    },
  },
  {
    on = "subscribe_request",
    does = {
      [[reader.opened = ((reader.opened_by ~= nil and flow ~= nil and reader.opened_by == flow) and ((reader.opened or 0) + 1) or 1); reader.opened_by = flow]],
      "reader flow",
    },
  },
  {
    on = "message",
    when = { [[(reader.opened ~= nil and reader.opened > 1)]], "reader" },
    does = {
      [[reader.turns = (((sub.n ~= nil and reader.by_sub ~= nil and sub.n ~= reader.by_sub) and (reader.by_flow ~= nil and flow ~= nil and reader.by_flow == flow) and (reader.newest ~= nil and (c.offset or 0) <= reader.newest)) and ((reader.turns or 0) + 1) or f.choose(((c.offset or 0) > (reader.newest or -1)), reader.turns, 0)); reader.by_sub = sub.n; reader.by_flow = flow; reader.newest = f.max((reader.newest or -1), (c.offset or 0))]],
      "c reader sub flow",
    },
  },
  { on = "publish_response", guard = 33, does = { [[conn.failed_n = n]], "conn n" } },
  { on = "publish_request set_cursor_request", does = { [[conn.failed_n = nil]], "conn" } },
  {
    on = "message",
    when = {
      [[((sub.granted_n ~= nil) and (claim.got_n ~= nil and sub.granted_n ~= nil and claim.got_n > sub.granted_n) and (not f.any_eq(claim.partitions, (c.partition or 0))))]],
      "c sub claim",
    },
    does = { [[sub.revoked_t = f.coalesce(sub.revoked_t, claim.got_t)]], "sub claim" },
  },
  { on = "fetch_consumer_group_assignments_response", does = { [[conn.assigned = 1]], "conn" } },
  {
    on = "message",
    when = {
      [[((conn.assigned == 1) and f.any_eq(claim.partitions, (c.partition or 0)))]],
      "c conn claim",
    },
    does = { [[sub.granted_n = n; sub.revoked_t = nil]], "sub n" },
  },
  {
    on = "publish_request",
    guard = 12,
    does = {
      [[tried.content = f.digest(c["value raw"]); tried.stream = c.stream; tried.partition = f.coalesce(c.partition, 0)]],
      "c tried",
    },
  },
  {
    on = "publish_request",
    guard = 12,
    when = {
      [[((attempt.open ~= nil and attempt.open > 0) and (attempt.latest_t ~= nil and (t - attempt.latest_t) > K.RETRY_GAP))]],
      "attempt t",
    },
    does = { [[attempt.resent = ((attempt.resent or 0) + 1); attempt.again_n = n]], "attempt n" },
  },
  {
    on = "publish_request",
    guard = 12,
    does = {
      [[attempt.open = ((attempt.open or 0) + 1); attempt.latest_t = t; attempt.first_n = f.coalesce(attempt.first_n, n)]],
      "attempt t n",
    },
  },
  {
    on = "publish_response",
    guard = 24,
    does = {
      [[attempt.open = (attempt.open ~= nil and (attempt.open - 1) or nil); if (attempt.resent == nil) then attempt.settled = f.coalesce(attempt.settled, 1) end; attempt.stored_at = f.coalesce(attempt.stored_at, (c["ack.offset"] or 0))]],
      "c attempt",
    },
  },
  {
    on = "message",
    guard = 10,
    does = {
      [[reader.copies = (((reader.copy_of ~= nil and (c.offset or 0) == reader.copy_of) and (reader.copy_flow ~= nil and flow ~= nil and reader.copy_flow == flow)) and ((reader.copies or 0) + 1) or 1); reader.copy_of = f.coalesce(c.offset, 0); reader.copy_flow = flow; reader.copy_sub = sub.n; reader.copy_first = f.coalesce(reader.copy_first, sub.n)]],
      "c reader flow sub",
    },
  },
  {
    on = "fetch_metadata_request fetch_partition_metadata_request",
    does = {
      [[conn.asks = ((conn.asks or 0) + 1); conn.first_asked_t = f.coalesce(conn.first_asked_t, t); conn.asked_t = t; conn.asked_n = n]],
      "conn t n",
    },
  },
  { on = "subscribe_request", does = { [[conn.subscribed_n = n]], "conn n" } },
  {
    on = "subscribe_request",
    when = { [[(conn.t ~= nil and coming.lost_t ~= nil and conn.t > coming.lost_t)]], "conn coming" },
    does = { [[coming.tried = ((coming.tried or 0) + 1)]], "coming" },
  },
  {
    on = "end:sub",
    when = {
      [[((sub.count ~= nil and sub.count > 0) and (conn.t ~= nil and coming.lost_t ~= nil and conn.t > coming.lost_t))]],
      "sub conn coming",
    },
    does = {
      [[coming.renewed = ((coming.renewed or 0) + 1); coming.renewed_t = sub.t; coming.renewed_n = sub.asked_n; coming.flow = flow]],
      "coming sub flow",
    },
  },
  {
    on = "end:sub end:conn",
    when = {
      [[(LISTS[2][why] and (conn.cut == 1) and (coming.lost_t ~= nil and (t - coming.lost_t) > K.BACK_FOR))]],
      "why conn coming t",
    },
    does = {
      [[coming.lost_subs = 0; coming.renewed = 0; coming.tried = 0; coming.published_n = nil]],
      "coming",
    },
  },
  {
    on = "end:sub",
    when = { [[(LISTS[2][why] and (conn.cut == 1) and (sub.stops == nil))]], "why conn sub" },
    does = {
      [[coming.lost_subs = ((coming.lost_subs or 0) + 1); coming.lost_t = t; coming.stream = sub.stream; coming.sub_n = sub.asked_n]],
      "coming t sub",
    },
  },
  {
    on = "end:conn",
    when = {
      [[(LISTS[2][why] and (conn.cut == 1) and (conn.published ~= nil and conn.published > 0))]],
      "why conn",
    },
    does = {
      [[coming.lost_t = t; coming.published_n = conn.published_n; coming.out = conn.published_to]],
      "coming t conn",
    },
  },
  {
    on = "publish_request",
    when = { [[(conn.t ~= nil and coming.lost_t ~= nil and conn.t > coming.lost_t)]], "conn coming" },
    does = { [[coming.published_n = nil]], "coming" },
  },
  {
    on = "publish_request",
    does = {
      [[conn.published_n = n; conn.published_to = c.stream; log.posted = ((log.posted or 0) + 1); log.posted_n = f.coalesce(log.posted_n, n)]],
      "c conn n log",
    },
  },
  {
    on = "publish_request",
    does = { [[posted.asked = (posted.asked ~= nil and (posted.asked + 1) or nil)]], "posted" },
  },
  {
    on = "publish_response",
    does = {
      [=[posted.answers = (posted.answers ~= nil and (posted.answers + 1) or nil); posted.answer_n = n; posted.stored_in = c["ack.stream"]]=],
      "c posted n",
    },
  },
  { on = "client:publish", does = { [[pub.policy = f.coalesce(c.ack_policy, 0)]], "c pub" } },
  {
    on = "subscribe_request",
    does = {
      [[if (c.stop_position == 1) then sub.stops_at = c.stop_offset else sub.stops_at = nil end]],
      "c sub",
    },
  },
  { on = "message", guard = 10, does = { [[sub.stamp = c.timestamp]], "c sub" } },
  {
    on = "message",
    when = { [[(c.stream ~= nil and sub.stream ~= nil and c.stream == sub.stream)]], "c sub" },
    does = { [[conn.named_n = n]], "conn n" },
  },
  {
    on = "join_consumer_group_request",
    does = { [=[member.names = c["streams[]"]]=], "c member" },
  },
  {
    on = "client:publish",
    guard = 14,
    does = {
      [[lane.sent = ((lane.sent or 0) + 1); wait.turn = lane.sent; if (wait.asked ~= nil and wait.asked > 1) then lane.mixed = n end; wait.content = f.digest(c["value raw"])]],
      "c lane wait n",
    },
  },
  {
    on = "server:ack",
    does = {
      [[lane.acked = f.max((lane.acked or 0), (wait.turn or 0)); if not ((c.ack_error or 0) == 0) then lane.mixed = n end]],
      "c lane wait n",
    },
  },
  {
    on = "publish_request",
    guard = 16,
    does = {
      [[queue.sent = ((queue.sent or 0) + 1); posted.turn = queue.sent; posted.to = c.stream; posted.to_partition = f.coalesce(c.partition, 0); posted.policy = f.coalesce(c.ack_policy, 0); if (posted.asked ~= nil and posted.asked > 1) then queue.mixed = n end]],
      "c queue posted n",
    },
  },
  {
    on = "publish_response",
    does = {
      [[queue.acked = f.max((queue.acked or 0), (posted.turn or 0)); if not ((c["ack.stream"] ~= nil) and ((c["ack.ack_error"] or 0) == 0)) then queue.mixed = n end]],
      "c queue posted n",
    },
  },
  {
    on = "publish_request",
    does = {
      [[sole.requests = ((sole.requests or 0) + 1); sole.asked_value = f.digest(c["value raw"]); sole.asked_policy = f.coalesce(c.ack_policy, 0); sole.asked_stream = c.stream; sole.asked_n = n]],
      "c sole n",
    },
  },
  {
    on = "client:publish",
    does = {
      [[sole.times = (((c.correlation_id ~= nil) or f.starts(c.stream, "__")) and ((sole.times or 0) + 1) or 2); sole.value = f.digest(c["value raw"]); sole.policy = f.coalesce(c.ack_policy, 0); sole.stream = c.stream; sole.subject = c["carrier.subject"]; sole.sent_n = n]],
      "c sole n",
    },
  },
  {
    on = "ack",
    guard = 25,
    does = {
      [[sole.offset = f.coalesce(c.offset, 0); sole.acked_stream = c.stream; sole.acked_subject = c.partition_subject; sole.acked_n = n]],
      "c sole n",
    },
  },
  {
    on = "client:ack",
    does = {
      [[if ((kept.value ~= nil and sole.value ~= nil and kept.value ~= sole.value) or (kept.offset ~= nil and kept.offset ~= (c.offset or 0))) then kept.mixed = n end; kept.value = sole.value; kept.offset = f.coalesce(c.offset, 0); kept.acked_t = f.coalesce(kept.acked_t, t); kept.acked_n = n]],
      "c kept sole n t",
    },
  },
  {
    on = "publish_response",
    does = {
      [[if ((kept.value ~= nil and sole.asked_value ~= nil and kept.value ~= sole.asked_value) or (kept.offset ~= nil and kept.offset ~= (c["ack.offset"] or 0))) then kept.mixed = n end; kept.value = sole.asked_value; kept.offset = f.coalesce(c["ack.offset"], 0); kept.acked_t = f.coalesce(kept.acked_t, t); kept.acked_n = n]],
      "c kept sole n t",
    },
  },
  {
    on = "subscribe_request",
    guard = 45,
    does = { [[sub.kind = f.coalesce(c.start_position, 0)]], "c sub" },
  },
  {
    on = "subscribe_request",
    does = {
      [[if (c.start_position == 4) then sub.since = c.start_timestamp else sub.since = nil end; if (c.stop_position == 3) then sub["until"] = c.stop_timestamp else sub["until"] = nil end]],
      "c sub",
    },
  },
  { on = "tcp.gap tcp.resync", guard = 22, does = { [[captures.are_partial = 1]], "captures" } },
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
    name = "ack",
    of = "wait",
    on = "client:publish",
    clear = "server:ack",
    limit = { [[K.ACK_LATE]] },
    when = {
      [[((c.ack_inbox ~= nil) and ((c.ack_policy or 0) ~= 2) and (agreed.inbox_heard or ((conn.start ~= nil and not conn.start) and (conn.acks ~= nil and conn.acks > 0))))]],
      "c agreed conn",
    },
  },
  {
    name = "reply",
    of = "asked",
    on = "client:replication_request",
    clear = "server:replication_response server:no_responders",
    limit = { [[K.REPLY_LATE]] },
  },
  {
    name = "behind",
    of = "copy",
    on = "server:replication_response client:replication_request",
    clear = "client:replication_request",
    limit = { [[K.BEHIND]] },
    when = { [[(copy.hw ~= nil and copy.offset ~= nil and copy.hw > copy.offset)]], "copy" },
    clear_when = { [[(copy.offset ~= nil and copy.hw ~= nil and copy.offset >= copy.hw)]], "copy" },
  },
  {
    name = "async_ack",
    of = "conn",
    on = "publish_request",
    clear = "publish_response tcp.close tcp.reset",
    limit = { [[K.ACK_LATE]] },
    when = { [[((c["carrier.method"] == "PublishAsync") and ((c.ack_policy or 0) ~= 2))]], "c" },
  },
} end)()

local BURSTS = (function() return {
  {
    name = "reports",
    on = "client:propagated_request",
    window = 30000000000,
    limit = 3,
    key = {
      [[f.key(f.key(f.key(c.op, f.coalesce(c["report_leader_op.stream"], c["shrink_isr_op.stream"])), (f.coalesce(c["report_leader_op.partition"], c["shrink_isr_op.partition"]) or 0)), f.coalesce(c["report_leader_op.replica"], c["shrink_isr_op.replica_to_remove"]))]],
      "c",
    },
    guard = 46,
  },
  {
    name = "asks",
    on = "client:replication_request",
    window = 1000000000,
    limit = 200,
    key = { [[f.key(f.key(c["carrier.subject"], c.replica_id), c.offset)]], "c" },
  },
} end)()

local RULES = (function() return {
  {
    id = "LFB-L1",
    name = "lfb_l1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Invalid envelope header",
    problem = { claim = true, length = true, literal = true, unknown_version = true },
    needs = {},
    of = "conn",
    says = {
      [[f.say("%s: %s, at byte %s", name, f.whole(problem_text), problem_offset)]],
      "name problem_text problem_offset",
    },
    by = { [[problem]], "problem" },
    causes = {
      unknown_version = "The envelope version must be 0.",
      claim = "A header has 8 bytes, or 12 with a checksum.",
      length = "A header has 8 bytes, or 12 with a checksum.",
    },
  },
  {
    id = "LFB-L1b",
    name = "lfb_l1b",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Unknown flags or extra bytes in an envelope header",
    on = "any",
    needs = {},
    of = "conn",
    guard = 47,
    when = { [[(version == 0)]], "version" },
    says = {
      [[f.say("%s has flags %s and %s of unknown header", name, c.flags, f.counted((c["#extension"] or 0), "byte", "bytes"))]],
      "c name",
    },
    cause = "Flags are 0 with a header of 8 bytes, or 1 with a header of 12.",
  },
  {
    id = "LFB-L2",
    name = "lfb_l2",
    severity = "ERROR",
    group = "CHECKSUM",
    title = "Envelope checksum mismatch",
    problem = { checksum = true },
    needs = {},
    of = "conn",
    fixed = { [[(name ~= "replication_response")]], "name" },
    says = {
      [[f.say("checksum mismatch in %s: the checksum in the header is not that of the body", name)]],
      "name",
    },
    cause = "The checksum is not the CRC-32C of the bytes after the header (big-endian), or bytes were changed in transit.",
  },
  {
    id = "LFB-L3",
    name = "lfb_l3",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Unknown message type",
    problem = { unknown_key = true },
    needs = {},
    of = "conn",
    says = {
      [[f.say("the envelope on %s has the unknown message type %s", c["carrier.subject"], problem_value)]],
      "c problem_value",
    },
    cause = "The peer may run a newer release.",
  },
  {
    id = "LFB-L3b",
    name = "lfb_l3b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Message type on the wrong subject",
    on = "propagated_request raft_join_request server_info_request partition_notification",
    needs = {},
    of = "conn",
    when = {
      [[(((name ~= "propagated_request") or (f.matching(c["carrier.subject"], "*.raft.metadata.propagate") ~= nil and not f.matching(c["carrier.subject"], "*.raft.metadata.propagate"))) and ((name ~= "raft_join_request") or (f.matching(c["carrier.subject"], "*.raft.metadata.join") ~= nil and not f.matching(c["carrier.subject"], "*.raft.metadata.join"))) and ((name ~= "server_info_request") or (f.matching(c["carrier.subject"], "*.raft.metadata.info") ~= nil and not f.matching(c["carrier.subject"], "*.raft.metadata.info"))) and ((name ~= "partition_notification") or (f.matching(c["carrier.subject"], "*.notify.*") ~= nil and not f.matching(c["carrier.subject"], "*.notify.*"))))]],
      "c name",
    },
    says = {
      [[f.say("%s was sent on %s, which does not carry it", name, c["carrier.subject"])]],
      "c name",
    },
    cause = "The server drops it.",
  },
  {
    id = "LFB-L4",
    name = "lfb_l4",
    severity = "ERROR",
    group = "UNDECODED",
    title = "Undecodable protobuf message",
    problem = { short = true, text = true, trailing = true, varint = true, wiretype = true },
    needs = {},
    of = "conn",
    fixed = { [[(name ~= "replication_response")]], "name" },
    says = {
      [[f.say("%s: %s, at byte %s", name, f.whole(problem_text), problem_offset)]],
      "name problem_text problem_offset",
    },
    cause = "The server drops it.",
  },
  {
    id = "LFB-L4b",
    name = "lfb_l4b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Unknown protobuf fields",
    on = "publish ack",
    needs = {},
    of = "conn",
    guard = 48,
    says = { [[f.say("%s has %s fields without a known name", name, f.len(c.unknown_fields))]], "c name" },
    cause = "The peer uses a newer release of the API.",
  },
  {
    id = "LFB-L5",
    name = "lfb_l5",
    severity = "WARN",
    group = "MALFORMED",
    title = "Envelope with a wrong magic number",
    on = "client:plain_publish",
    needs = {},
    of = "conn",
    guard = 49,
    says = {
      [[f.say("a message on %s begins with %s: the server stores it as a plain message", c["carrier.subject"], f.begins(c["value raw"], K.NEARLY))]],
      "c",
    },
    cause = "The magic number of an envelope is b9 0e 43 b4.",
  },
  {
    id = "LFB-L5b",
    name = "lfb_l5b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Plain NATS message on a stream's subject",
    on = "client:plain_publish",
    needs = {},
    of = "conn",
    guard = 50,
    says = {
      [[f.say("a message without an envelope on %s is stored without a key and not acknowledged", c["carrier.subject"])]],
      "c",
    },
    cause = "The publisher is a plain NATS client.",
  },
  {
    id = "LFB-L5c",
    name = "lfb_l5c",
    severity = "WARN",
    group = "DEPRECATED",
    title = "Old envelope (LIFT) sent to a newer server",
    on = "client:publish",
    needs = {},
    of = "known",
    when = { [[((version == nil) and (known.streams == "new"))]], "version known" },
    says = {
      [[f.say("a message on %s has the envelope LIFT: the server stores it as a plain message", c["carrier.subject"])]],
      "c",
    },
    cause = "The client dates from 2019 and the server is v1.0.0 or later: readers receive the envelope's bytes as the value, and no ack is sent.",
  },
  {
    id = "LFB-L6",
    name = "lfb_l6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Ack requested without an ack inbox",
    on = "client:publish",
    needs = {},
    of = "conn",
    guard = 51,
    when = { [[(version == 0)]], "version" },
    says = { [[f.say("a publish on %s requests an ack but has no ack inbox", c["carrier.subject"])]], "c" },
    cause = "The client uses NewMessage without AckInbox; or it calls Publish without a deadline, which the server turns into a publish that waits for no ack.",
  },
  {
    id = "LFB-L7",
    name = "lfb_l7",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Missing ack",
    on = "timer:ack",
    evidence = { [[f.first_known(wait.n)]], "wait" },
    needs = { "both", "whole" },
    of = "wait",
    again = true,
    when = { [[(wait.state == "waiting")]], "wait" },
    says = {
      [[f.say("the message to %s was not acknowledged within %s", wait.subject, f.time(K.ACK_LATE))]],
      "wait",
    },
  },
  {
    id = "LFB-L7b",
    name = "lfb_l7b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Ack for an unknown correlation id",
    on = "server:ack",
    needs = { "start", "whole", "both" },
    of = "wait",
    guard = 32,
    when = {
      [[((wait.state == "absent") and (pub.state == "unknown") and (conn.wanted == 1))]],
      "wait pub conn",
    },
    says = { [[f.say("%s acknowledged %s, which was never published", c.stream, c.correlation_id)]], "c" },
    cause = "Two publishers share an ack inbox, or the client changes ids after publishing.",
  },
  {
    id = "LFB-L7c",
    name = "lfb_l7c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Duplicate ack",
    on = "server:ack",
    needs = { "object" },
    of = "wait",
    when = {
      [[((wait.state == "acked") and (wait.stream ~= nil and c.stream ~= nil and wait.stream == c.stream) and (wait.partition ~= nil and c.partition_subject ~= nil and wait.partition == c.partition_subject) and (wait.acks ~= nil and wait.asked ~= nil and wait.acks >= wait.asked))]],
      "c wait",
    },
    says = { [[f.say("%s acknowledged this message a second time", c.stream)]], "c" },
    cause = "Two servers act as the leader of the partition.",
  },
  {
    id = "LFB-L8",
    name = "lfb_l8",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Ack with an error: message not stored",
    on = "ack",
    needs = {},
    of = "pub",
    again = true,
    guard = 52,
    says = {
      [[f.say("%s did not store a message on %s: %s", c.stream, c.msg_subject, f.named(c.ack_error, names.ack_error))]],
      "c",
    },
    by = { [[c.ack_error]], "c" },
    causes = {
      [3] = "The message is too large to be replicated: its size exceeds the limit.",
      [4] = "The server could not encrypt it.",
    },
  },
  {
    id = "LFB-L8b",
    name = "lfb_l8b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Ack with an error: incorrect expected offset",
    on = "ack",
    needs = {},
    of = "conn",
    again = true,
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    per = { [[f.member(c.stream, c.msg_subject)]], "c" },
    guard = 53,
    says = {
      [[f.say("%s did not store a message on %s: %s", c.stream, c.msg_subject, f.named(c.ack_error, names.ack_error))]],
      "c",
    },
    cause = "Another publish took the expected offset: read the end of the stream, then publish again.",
  },
  {
    id = "LFB-L9",
    name = "lfb_l9",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing offsets in acks",
    on = "client:ack",
    since = { [[f.since(conn, n, order.by)]], "conn n order" },
    needs = { "since" },
    of = "order",
    guard = 25,
    when = { [[(c.offset ~= nil and order.offset ~= nil and c.offset <= order.offset)]], "c order" },
    says = { [[f.say("%s acknowledged offset %s after %s", c.stream, c.offset, order.offset)]], "c order" },
    cause = "Two servers act as the leader, or a log was truncated.",
  },
  {
    id = "LFB-L10",
    name = "lfb_l10",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Expected offset 0 on a non-empty stream",
    on = "publish_request",
    needs = { "whole" },
    of = "log",
    guard = 54,
    when = {
      [[((log.optimistic == 1) and (log.stored == 1) and (log.site ~= nil and server ~= nil and log.site == server))]],
      "log server",
    },
    says = { [[f.say("a publish to %s expects offset 0, which is already taken", c.stream)]], "c" },
    cause = "Clients other than Go's leave expectedOffset at 0, which is a real offset; -1 means any.",
  },
  {
    id = "LFB-L11",
    name = "lfb_l11",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Message too large to be replicated",
    on = "client:publish client:plain_publish publish_request publish_to_subject_request",
    needs = {},
    of = "pub",
    when = { [[(size ~= nil and size > K.LARGEST)]], "size" },
    says = {
      [[f.say("a message of %s exceeds the %s that replication can carry", f.counted(size, "byte", "bytes"), f.counted(K.LARGEST, "byte", "bytes"))]],
      "size",
    },
    cause = "No replication response has room for it, so followers never receive it and fall out of sync; since v1.5 the leader refuses it.",
  },
  {
    id = "LFB-L11b",
    name = "lfb_l11b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Message larger than NATS max_payload",
    on = "client:publish",
    needs = {},
    of = "pub",
    when = {
      [[((size ~= nil and agreed.max_payload ~= nil and size > agreed.max_payload) and (size ~= nil and size <= K.LARGEST))]],
      "size agreed",
    },
    says = {
      [[f.say("a message of %s on %s exceeds the %s that NATS accepts", f.counted(size, "byte", "bytes"), c["carrier.subject"], f.counted(agreed.max_payload, "byte", "bytes"))]],
      "c size agreed",
    },
    cause = "The NATS server closes the connection; a call of the API fails.",
  },
  {
    id = "LFB-L20",
    name = "lfb_l20",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Publish answered without the requested ack",
    on = "publish_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 55,
    when = { [[((orphan ~= nil and not orphan) and ((req.ack_policy or 0) ~= 2))]], "orphan req" },
    says = { [[f.say("%s was answered without an ack, although one was requested", req.method)]], "req" },
    cause = "Without a call deadline (grpc-timeout) the server does not wait for the ack: lost messages go unnoticed.",
  },
  {
    id = "LFB-L20b",
    name = "lfb_l20b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "PublishToSubject answered without the requested ack",
    on = "publish_to_subject_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 56,
    when = { [[((orphan ~= nil and not orphan) and ((req.ack_policy or 0) ~= 2))]], "orphan req" },
    says = { [[f.say("%s was answered without an ack, although one was requested", req.method)]], "req" },
    cause = "Without a call deadline (grpc-timeout) the server does not wait for the ack: lost messages go unnoticed.",
  },
  {
    id = "LFB-L12",
    name = "lfb_l12",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Replication response from another leader epoch",
    on = "replication_response",
    needs = {},
    of = "lead",
    guard = 57,
    when = {
      [[((req.epoch ~= nil and req.epoch > 0) and (c.leader_epoch ~= nil and req.epoch ~= nil and c.leader_epoch ~= req.epoch))]],
      "c req",
    },
    says = {
      [[f.say("a follower in epoch %s was answered by a leader in epoch %s", req.epoch, c.leader_epoch)]],
      "c req",
    },
    cause = "The partition has a new leader that one of the two does not know yet.",
  },
  {
    id = "LFB-L12b",
    name = "lfb_l12b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Two leaders of one partition",
    on = "client:replication_response",
    needs = {},
    of = "lead",
    when = {
      [[((lead.flow ~= nil) and (lead.flow ~= nil and flow ~= nil and lead.flow ~= flow) and (lead.leader_epoch ~= nil and c.leader_epoch ~= nil and lead.leader_epoch == c.leader_epoch))]],
      "c lead flow",
    },
    says = { [[f.say("two servers answered for %s in epoch %s", req.topic, c.leader_epoch)]], "c req" },
    cause = "This is a split brain: two servers lead one partition.",
  },
  {
    id = "LFB-L13",
    name = "lfb_l13",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Malformed replication response",
    problem = { any = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "replication_response")]], "name" },
    says = {
      [[f.say("%s, at byte %s of a response of %s", f.whole(problem_text), problem_offset, f.size(size))]],
      "problem_text problem_offset size",
    },
    cause = "A follower panics on a response that it cannot decode.",
  },
  {
    id = "LFB-L13b",
    name = "lfb_l13b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Records out of order in a replication response",
    on = "replication_response",
    needs = {},
    of = "lead",
    guard = 58,
    says = {
      [[f.say("records from offset %s are out of order, or have another layout", (c["records.offset[]"] and c["records.offset[]"][1]))]],
      "c",
    },
  },
  {
    id = "LFB-L13c",
    name = "lfb_l13c",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Decreasing high watermark",
    on = "client:replication_response",
    needs = {},
    of = "lead",
    when = {
      [[((lead.leader_epoch ~= nil and c.leader_epoch ~= nil and lead.leader_epoch == c.leader_epoch) and (lead.flow ~= nil and flow ~= nil and lead.flow == flow) and (c.high_watermark ~= nil and lead.hw ~= nil and c.high_watermark < lead.hw))]],
      "c lead flow",
    },
    says = {
      [[f.say("the high watermark of %s fell from %s to %s", req.topic, lead.hw, c.high_watermark)]],
      "c req lead",
    },
    cause = "The leader has lost messages that it had committed.",
  },
  {
    id = "LFB-L14",
    name = "lfb_l14",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered replication request",
    on = "timer:reply",
    evidence = { [[f.first_known(asked.n)]], "asked" },
    needs = { "both", "whole" },
    of = "asked",
    when = { [[(asked.state == "waiting")]], "asked" },
    says = {
      [[f.say("the leader did not answer on %s within %s", asked.topic, f.time(K.REPLY_LATE))]],
      "asked",
    },
    cause = "The leader is gone, or it drops the request because its epoch differs from the follower's.",
  },
  {
    id = "LFB-L15",
    name = "lfb_l15",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Follower far behind the leader",
    on = "replication_request",
    needs = {},
    of = "lead",
    when = {
      [[(lead.newest ~= nil and c.offset ~= nil and (lead.newest - c.offset) > K.FAR_BEHIND)]],
      "c lead",
    },
    says = {
      [[f.say("%s is at offset %s of %s, the leader at %s", c.replica_id, c.offset, c["carrier.subject"], lead.newest)]],
      "c lead",
    },
    cause = "The follower falls out of sync unless it catches up.",
  },
  {
    id = "LFB-L15b",
    name = "lfb_l15b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Follower that does not catch up",
    on = "timer:behind",
    evidence = { [[f.first_known(copy.asked_n)]], "copy" },
    needs = { "both", "whole" },
    of = "copy",
    says = {
      [[f.say("%s has lagged on %s for %s: it is at offset %s, and %s is committed", copy.replica, copy.topic, f.time(K.BEHIND), copy.offset, copy.hw)]],
      "copy",
    },
    cause = "The leader removes it from the in-sync replicas.",
  },
  {
    id = "LFB-L16",
    name = "lfb_l16",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Truncation of committed messages",
    on = "server:leader_epoch_offset_response",
    needs = {},
    of = "copy",
    when = { [[((copy.hw ~= nil) and (copy.hw ~= nil and (c.end_offset or 0) < copy.hw))]], "c copy" },
    says = {
      [[f.say("a follower with high watermark %s is instructed to truncate to %s", copy.hw, (c.end_offset or 0))]],
      "c copy",
    },
    cause = "The new leader lacks messages that the old leader had committed.",
  },
  {
    id = "LFB-L17",
    name = "lfb_l17",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Request refused by the metadata leader",
    on = "client:propagated_response",
    needs = {},
    of = "conn",
    guard = 59,
    says = {
      [[f.say("%s was refused with %s: %s", f.named(c.op, names.op), f.named(c["error.code"], names.code_2), c["error.msg"])]],
      "c",
    },
    by = { [=[c["error.msg"]]=], "c" },
    causes = { ["leader generation mismatch"] = "The partition has a new leader." },
  },
  {
    id = "LFB-L17b",
    name = "lfb_l17b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Repeated ShrinkISR or ReportLeader requests",
    on = "repeat:reports",
    evidence = { [[f.first_known(n)]], "n" },
    needs = {},
    of = "conn",
    says = {
      [[f.say("%s was sent %s times within %s", f.named(c.op, names.op), K.REPORTS, f.time(K.REPORTING))]],
      "c",
    },
    cause = "The servers do not agree: check which server leads, and the network between them.",
  },
  {
    id = "LFB-L17c",
    name = "lfb_l17c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request of a client refused by the metadata leader",
    on = "client:propagated_response",
    needs = {},
    of = "conn",
    again = true,
    worse = "WARN",
    worse_from = 3,
    per = { [[f.member(client, server, c.op, c["error.msg"])]], "c client server" },
    guard = 60,
    says = {
      [[f.say("%s was refused with %s: %s", f.named(c.op, names.op), f.named(c["error.code"], names.code_2), c["error.msg"])]],
      "c",
    },
  },
  {
    id = "LFB-L23",
    name = "lfb_l23",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Repeated replication requests for the same offset",
    on = "repeat:asks",
    evidence = { [[f.first_known(n)]], "n" },
    needs = {},
    of = "conn",
    says = {
      [[f.say("%s sent %s requests to %s within %s for messages after offset %s", c.replica_id, K.ASKS, c["carrier.subject"], f.time(K.ASKING), (c.offset or 0))]],
      "c",
    },
    cause = "The leader wakes the follower although there is nothing new: with small segments the last offset of the active segment may not be that of the log. The next message, or a pause, ends it.",
  },
  {
    id = "LFB-L18",
    name = "lfb_l18",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Two Raft bootstrap seeds",
    on = "client:raft_bootstrap",
    needs = {},
    of = "seed",
    when = { [[(seed.server ~= nil and c.id ~= nil and seed.server ~= c.id)]], "c seed" },
    says = {
      [[f.say("%s bootstraps the cluster as the first server, as %s did", c.id, seed.server)]],
      "c seed",
    },
    cause = "Two servers were started with raft.bootstrap.seed: there are two clusters in one namespace.",
  },
  {
    id = "LFB-L19",
    name = "lfb_l19",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Subscription without the initial empty message",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = { [[((sub.count == 0) and (sub.state == "asked") and (size ~= nil and size > 0))]], "sub size" },
    says = { [[f.say("the first message of the subscription to %s is not empty", sub.stream)]], "sub" },
    cause = "The empty message announces that the subscription is ready; clients drop the first message.",
  },
  {
    id = "LFB-L19b",
    name = "lfb_l19b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing offsets in a subscription",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.count ~= nil and sub.count > 1) and (c.offset ~= nil and sub.last ~= nil and c.offset <= sub.last))]],
      "c sub",
    },
    says = { [[f.say("offset %s of %s was delivered after %s", c.offset, c.stream, sub.last)]], "c sub" },
    cause = "The log was truncated while it was being read.",
  },
  {
    id = "LFB-L22",
    name = "lfb_l22",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message skipped when a subscription resumes",
    on = "subscribe_request",
    needs = { "both", "whole" },
    of = "reader",
    when = {
      [[(((c.start_position == 1) and ((reader.last ~= nil and c.start_offset ~= nil and (reader.last + 2) <= c.start_offset) and (c.start_offset ~= nil and reader.last ~= nil and c.start_offset <= ((reader.last + 1) + K.MOST_SKIPPED)))) and ((captures.are_partial or 0) == 0))]],
      "c reader captures",
    },
    says = {
      [[f.say("%s was read up to offset %s and is read again from %s", c.stream, reader.last, c.start_offset)]],
      "c reader",
    },
    cause = "The client resumes too late: it counts messages that it has not received.",
  },
  {
    id = "LFB-L21",
    name = "lfb_l21",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Consumer that no longer fetches its assignments",
    on = "end:member",
    evidence = { [[f.first_known(member.asked_at)]], "member" },
    needs = { "both", "whole" },
    of = "member",
    when = {
      [[((member.state == "joined") and (conn.last_t ~= nil and member.fetched_t ~= nil and (conn.last_t - member.fetched_t) > (member.timeout or K.CONSUMER_SILENT)))]],
      "member conn",
    },
    says = {
      [[f.say("%s of group %s has not fetched its assignments for %s", member.consumer, member.group, f.time((member.timeout or K.CONSUMER_SILENT)))]],
      "member",
    },
    cause = "Fetching is the consumer's heartbeat: the coordinator considers it dead.",
  },
  {
    id = "LFB-L21b",
    name = "lfb_l21b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription with an old group epoch",
    on = "subscribe_request",
    needs = { "both", "whole" },
    of = "member",
    worse = "WARN",
    worse_from = 2,
    when = {
      [[(member.group_epoch ~= nil and (c["consumer.group_epoch"] or 0) < member.group_epoch)]],
      "c member",
    },
    says = {
      [[f.say("the consumer subscribed with group epoch %s, but its assignments have epoch %s", (c["consumer.group_epoch"] or 0), member.group_epoch)]],
      "c member",
    },
    cause = "The client keeps the epoch of its join; the server refuses the subscription.",
  },
  {
    id = "LFB-B1",
    name = "lfb_b1",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Repeated subscription without any message",
    on = "subscribe_request",
    needs = { "both", "whole" },
    of = "subscribed_again",
    when = {
      [[(((subscribed_again.times ~= nil and (subscribed_again.times + 1) >= K.AGAIN_LIMIT) and ((subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) <= K.AGAIN_PAUSE) and (subscribed_again.same ~= nil and subscribed_again.same == f.key(f.key((c.start_position or 0), (c.start_offset or 0)), (reader.last_at or 0))))) and ((subscribed_again.slower ~= nil and subscribed_again.times ~= nil and (subscribed_again.slower * 4) < ((subscribed_again.times - 2) * 3)) or (subscribed_again.latest_t ~= nil and (subscribed_again.first_gap or (subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) or nil)) ~= nil and (t - subscribed_again.latest_t) <= (2 * (subscribed_again.first_gap or (subscribed_again.latest_t ~= nil and (t - subscribed_again.latest_t) or nil))))))]],
      "c subscribed_again t reader",
    },
    says = {
      [[f.say("%s was subscribed to %s times in a row from the same position, and no message arrived in between", c.stream, K.AGAIN_LIMIT)]],
      "c",
    },
    cause = "The client ignores the reason of a refusal, mistakes the empty first message for an error, or loses track of its subscription.",
  },
  {
    id = "LFB-B2",
    name = "lfb_b2",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated subscription for a few messages each",
    on = "subscribe_request",
    needs = {},
    of = "read_singly",
    when = {
      [[((read_singly.times ~= nil and (read_singly.times + 1) >= K.RESUME_LIMIT) and ((c.start_position == 1) and ((c.start_offset ~= nil and reader.last ~= nil and c.start_offset == (reader.last + 1)) or ((c.start_offset ~= nil and reader.start ~= nil and c.start_offset == (reader.start + 1)) and (reader.kind == 1)))) and (read_singly.latest_t ~= nil and (t - read_singly.latest_t) <= K.AGAIN_PAUSE))]],
      "c read_singly reader t",
    },
    says = {
      [[f.say("%s was subscribed to %s times in a row, each time from the message after the one that it was read up to", c.stream, K.RESUME_LIMIT)]],
      "c",
    },
    cause = "The client subscribes for a message or a few, and cancels: each subscription costs a round trip; a subscription that stays open delivers all messages.",
  },
  {
    id = "LFB-B250",
    name = "lfb_b250",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages that are handled twice, as subscriptions start at their cursor",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 5,
    when = {
      [[((c.start_offset ~= nil and reader.last ~= nil and c.start_offset == reader.last) and (reader.last ~= nil and reader.last > 0) and (place.cursor ~= nil and c.start_offset ~= nil and place.cursor == c.start_offset) and (place.at_cursor ~= nil and place.at_cursor >= 1))]],
      "c reader place",
    },
    says = {
      [[f.say("%s is read again from %s, the offset of the cursor that the client has set after it had handled that message, as at its start before: the message is handled twice each time", c.stream, c.start_offset)]],
      "c",
    },
    cause = "The start offset is the first offset to be delivered: add 1 to the cursor of the last message that was handled.",
  },
  {
    id = "LFB-B3",
    name = "lfb_b3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription starting at the last message already read",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 5,
    when = {
      [[((c.start_offset ~= nil and reader.last ~= nil and c.start_offset == reader.last) and (reader.last ~= nil and reader.last > 0))]],
      "c reader",
    },
    says = {
      [[f.say("%s was read up to offset %s and is read again from %s: that message is delivered twice", c.stream, reader.last, c.start_offset)]],
      "c reader",
    },
    cause = "The start offset is the first offset to be delivered: add 1 to the last one.",
  },
  {
    id = "LFB-B5",
    name = "lfb_b5",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages missed by a subscription resuming with NEW_ONLY or LATEST",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 61,
    when = {
      [[((reader.flow ~= nil and flow ~= nil and reader.flow ~= flow) and (log.published_t ~= nil and reader.last_t ~= nil and log.published_t > reader.last_t) and (log.partition ~= nil and log.partition == (c.partition or 0)))]],
      "c reader flow log",
    },
    says = {
      [[f.say("%s was read up to offset %s on another connection; messages were published since, and this subscription does not deliver them", c.stream, reader.last)]],
      "c reader",
    },
    cause = "The default start position is NEW_ONLY: resume at the last offset plus 1 instead.",
  },
  {
    id = "LFB-B49",
    name = "lfb_b49",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Repeated subscription for new messages only (NEW_ONLY)",
    on = "subscribe_request",
    needs = {},
    of = "from_new",
    when = {
      [[(((from_new.times ~= nil and (from_new.times + 1) >= K.RESUME_LIMIT) and (((c.start_position or 0) == 0) and (c.stop_position == nil)) and (from_new.latest_t ~= nil and (t - from_new.latest_t) <= 10000000000.0)) and ((log.published_t ~= nil and reader.asked_t ~= nil and log.published_t > reader.asked_t) and (log.partition ~= nil and log.partition == (c.partition or 0))))]],
      "c from_new t log reader",
    },
    says = {
      [[f.say("%s was subscribed to %s times in a row from new messages on, at most 10 s apart: those published between two subscriptions are not read", c.stream, K.RESUME_LIMIT)]],
      "c",
    },
    cause = "Each subscription ends, by the deadline of its call for example, and the next one begins with new messages instead of at the last offset plus 1.",
  },
  {
    id = "LFB-B3b",
    name = "lfb_b3b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "StartOffset below the last offset already read",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 5,
    when = {
      [[((c.start_offset ~= nil and reader.last ~= nil and c.start_offset < reader.last) and ((c.start_offset ~= nil and reader.start ~= nil and c.start_offset <= reader.start) or (reader.flow ~= nil and flow ~= nil and reader.flow ~= flow)) and ((reader.kind ~= nil and reader.kind ~= 1) or (c.start_offset ~= nil and reader.start ~= nil and c.start_offset ~= (reader.start + 1))) and (c.start_offset ~= nil and not LISTS[7][(c.start_offset ~= nil and (c.start_offset - (place.stored or -2)) or nil)]))]],
      "c reader flow place",
    },
    says = {
      [[f.say("%s was read up to offset %s and is read again from %s: the messages between are delivered twice", c.stream, reader.last, c.start_offset)]],
      "c reader",
    },
    cause = "The client resumes at an old position, such as that of its start.",
  },
  {
    id = "LFB-B20",
    name = "lfb_b20",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream reread from EARLIEST on a new connection",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 62,
    when = {
      [[((reader.flow ~= nil and flow ~= nil and reader.flow ~= flow) and (reader.last ~= nil and reader.last >= K.READ_BEFORE))]],
      "reader flow",
    },
    says = {
      [[f.say("%s was read up to offset %s on another connection and is read again from the earliest message", c.stream, reader.last)]],
      "c reader",
    },
    cause = "The client keeps no position: resume at the last offset plus 1, or use a cursor.",
  },
  {
    id = "LFB-B20b",
    name = "lfb_b20b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream read again from the same time on a new connection",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 63,
    when = {
      [[((reader.flow ~= nil and flow ~= nil and reader.flow ~= flow) and (reader.last ~= nil and reader.last >= K.READ_BEFORE) and (c.start_timestamp ~= nil and reader.time ~= nil and c.start_timestamp <= reader.time))]],
      "c reader flow",
    },
    says = {
      [[f.say("%s was read up to offset %s on another connection and is read again from the same time", c.stream, reader.last)]],
      "c reader",
    },
    cause = "The client keeps no position: resume at the last offset plus 1, or use a cursor.",
  },
  {
    id = "LFB-B21",
    name = "lfb_b21",
    severity = "WARN",
    group = "PROTOCOL",
    title = "StartTimestamp or stopTimestamp not in nanoseconds",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    guard = 64,
    says = {
      [[f.say("the subscription to %s has the time %s, which is in 1970 or soon after", c.stream, f.choose((c.start_position == 4), c.start_timestamp, c.stop_timestamp))]],
      "c",
    },
    cause = "Times are nanoseconds since 1970; the client writes seconds, milliseconds or microseconds.",
  },
  {
    id = "LFB-B22",
    name = "lfb_b22",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Subscription stop position before its start position",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    guard = 65,
    says = { [[f.say("the subscription to %s is to stop before its start", c.stream)]], "c" },
    cause = "Start and stop are mixed up, or the stop is an old position.",
  },
  {
    id = "LFB-B70",
    name = "lfb_b70",
    severity = "WARN",
    group = "PROTOCOL",
    title = "StartTimestamp in the future",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    guard = 66,
    when = { [[(c.start_timestamp ~= nil and c.start_timestamp > (t + K.SKEW))]], "c t" },
    says = {
      [[f.say("the subscription to %s begins %s after it was sent", c.stream, f.time((c.start_timestamp ~= nil and (c.start_timestamp - t) or nil)))]],
      "c t",
    },
    cause = "The client adds to the time instead of taking from it, or its clock or time zone is wrong: nothing is delivered until then.",
  },
  {
    id = "LFB-B63",
    name = "lfb_b63",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Offset that looks like a time",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    guard = 67,
    says = { [[f.say("%s for %s has the offset %s", name, c.stream, c.start_offset)]], "c name" },
    cause = "The client takes a time, such as that of a message, for its offset: offsets count the messages of a partition from 0.",
  },
  {
    id = "LFB-B63",
    name = "lfb_b63_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Offset that looks like a time",
    on = "set_cursor_request",
    needs = {},
    of = "conn",
    guard = 68,
    says = { [[f.say("%s for %s has the offset %s", name, c.stream, c.offset)]], "c name" },
    cause = "The client takes a time, such as that of a message, for its offset: offsets count the messages of a partition from 0.",
  },
  {
    id = "LFB-B62",
    name = "lfb_b62",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription at an offset beyond the newest message",
    on = "end:sub",
    evidence = { [[f.first_known(sub.asked_n, log.newest_n)]], "sub log" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.count == 1) and (sub.start ~= nil and log.newest ~= nil and sub.start > (log.newest + 1)))]],
      "sub log",
    },
    says = {
      [[f.say("the subscription to %s began at offset %s and brought nothing; the newest message in these captures has offset %s", sub.stream, sub.start, log.newest)]],
      "sub log",
    },
    cause = "The position is that of another stream or partition, or of a stream that was deleted, or counts something else: the server waits until there is such an offset.",
  },
  {
    id = "LFB-B66",
    name = "lfb_b66",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream, cursor or group that was not meant",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("fields.name subject", c.name, c.subject)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "LFB-B66",
    name = "lfb_b66_2",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream, cursor or group that was not meant",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("stream", c.stream)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "LFB-B66",
    name = "lfb_b66_3",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream, cursor or group that was not meant",
    on = "set_cursor_request fetch_cursor_request",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("stream cursor_id", c.stream, c.cursor_id)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "LFB-B66",
    name = "lfb_b66_4",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream, cursor or group that was not meant",
    on = "join_consumer_group_request",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("group_id consumer_id", c.group_id, c.consumer_id)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "LFB-B66",
    name = "lfb_b66_5",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name of a stream, cursor or group that was not meant",
    on = "publish_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 10,
    when = { [[(c.stream ~= nil and c.stream ~= (conn.known_stream or ""))]], "c conn" },
    finds = { [[f.predicates.is_mistaken_name("stream", c.stream)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "LFB-B67",
    name = "lfb_b67",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Value that was converted wrongly",
    on = "publish_request",
    needs = {},
    of = "conn",
    guard = 69,
    when = { [[(conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_mistaken("value", c["value raw"])]], "c" },
    says = { [[f.say("the value of a message for %s is %s", c.stream, f.whole(found))]], "c found" },
    cause = "The program passes a value that it has not encoded, or that was encoded before: consumers cannot use it.",
  },
  {
    id = "LFB-B68",
    name = "lfb_b68",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Value as encoded text",
    on = "publish_request",
    needs = {},
    of = "conn",
    guard = 70,
    when = { [[(conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE)]], "conn" },
    finds = { [[f.predicates.is_text_of_bytes("value", c["value raw"])]], "c" },
    says = { [[f.say("the value of a message for %s is %s", c.stream, f.whole(found))]], "c found" },
    cause = "The program encodes bytes as text, although a value is bytes: it is a third larger, or twice as large.",
  },
  {
    id = "LFB-B37",
    name = "lfb_b37",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Partition not subscribed to again after a reconnect",
    on = "end:taken",
    evidence = { [[f.first_known(taken.back_n, taken.lost_n)]], "taken" },
    needs = {},
    of = "taken",
    when = {
      [[(((f.count(taken.partitions) or 0) > 0) and (taken.back_t ~= nil and taken.lost_t ~= nil and taken.back_t > taken.lost_t) and (taken.back_t ~= nil and (t - taken.back_t) > K.RESTORED))]],
      "taken t",
    },
    says = {
      [[f.say("the client read partition %s of %s when its connection was lost, and subscribed only to other partitions since", f.first(taken.partitions), taken.stream)]],
      "taken",
    },
    cause = "The client restores its subscriptions without their partition, or only some of them: 0 is the default partition.",
  },
  {
    id = "LFB-B38",
    name = "lfb_b38",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Liftbridge subscription not restored after a reconnect",
    on = "end:returned",
    evidence = { [[f.first_known(returned.back_n, returned.lost_n)]], "returned" },
    needs = {},
    of = "returned",
    when = {
      [[(((f.count(returned.streams) or 0) > 0) and (returned.latest_t ~= nil and returned.back_t ~= nil and (returned.latest_t - returned.back_t) > K.RESTORED))]],
      "returned",
    },
    says = {
      [[f.say("the client read %s when its connection was lost, and has not subscribed to it again since it is back", f.first(returned.streams))]],
      "returned",
    },
    cause = "The client reconnects and does not restore its subscriptions.",
  },
  {
    id = "LFB-B39",
    name = "lfb_b39",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription repeated at offset 1 although no message was received",
    on = "subscribe_request",
    needs = { "both", "whole" },
    of = "reader",
    guard = 71,
    when = {
      [[((reader.last == nil) and (reader.asked_n ~= nil) and ((reader.kind ~= nil and reader.kind ~= 1) or (reader.start ~= nil and reader.start ~= 1)))]],
      "reader",
    },
    says = {
      [[f.say("the subscription to %s in frame %s brought no message, and the next one begins at offset 1", c.stream, reader.asked_n)]],
      "c reader",
    },
    cause = "The client counts from a last offset of 0 that it never received: it misses messages, or reads old ones.",
  },
  {
    id = "LFB-B40",
    name = "lfb_b40",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Cursor fetched under another cursorId than it was set",
    on = "fetch_cursor_response",
    needs = {},
    of = "place",
    guard = 26,
    when = {
      [[((place.flow ~= nil and flow ~= nil and place.flow ~= flow) and (req.cursor_id ~= nil and place.cursor_id ~= nil and req.cursor_id ~= place.cursor_id) and (place.misses ~= nil and place.misses >= 1))]],
      "place flow req",
    },
    says = {
      [[f.say("cursor %s of %s does not exist; the client has set cursor %s, on another connection", req.cursor_id, req.stream, place.cursor_id)]],
      "req place",
    },
    cause = "The cursorId contains something that changes with each start, so that the position is never found.",
  },
  {
    id = "LFB-B72",
    name = "lfb_b72",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "FetchCursor answered with an older offset than SetCursor has stored",
    on = "fetch_cursor_response",
    needs = { "whole", "both" },
    of = "mark_object",
    when = {
      [[((mark_object.confirmed ~= nil and (c.offset or 0) < mark_object.confirmed) and (req.n ~= nil and mark_object.confirmed_n ~= nil and req.n > mark_object.confirmed_n) and (mark_object.set_n ~= nil and mark_object.confirmed_n ~= nil and mark_object.set_n < mark_object.confirmed_n) and (mark_object.mixed == nil))]],
      "c mark_object req",
    },
    says = {
      [[f.say("cursor %s of %s is at %s, although it was set to %s before, in frame %s", req.cursor_id, req.stream, (c.offset or 0), mark_object.confirmed, mark_object.set_n)]],
      "c req mark_object",
    },
    cause = "The server answers from an old cache, or lost what it had confirmed, after a change of the leader of the cursors stream: messages are processed again.",
  },
  {
    id = "LFB-B6",
    name = "lfb_b6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing cursor offset",
    on = "set_cursor_request",
    needs = {},
    of = "set_back",
    guard = 7,
    when = { [[(set_back.last ~= nil and (c.offset or 0) < set_back.last)]], "c set_back" },
    says = {
      [[f.say("cursor %s of %s is set back from %s to %s", c.cursor_id, c.stream, set_back.last, (c.offset or 0))]],
      "c set_back",
    },
    cause = "Two consumers share the cursor, or messages are finished out of order: after a restart the messages in between are read again.",
  },
  {
    id = "LFB-B7",
    name = "lfb_b7",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Cursor shared by two connections",
    on = "set_cursor_request",
    needs = {},
    of = "shared_cursor",
    when = {
      [[(((shared_cursor.user ~= nil and flow ~= nil and shared_cursor.user ~= flow) and f.has(shared_cursor.users, flow)) and (((shared_cursor.returns or 0) + 1) >= 1))]],
      "shared_cursor flow",
    },
    says = { [[f.say("two connections take turns setting cursor %s of %s", c.cursor_id, c.stream)]], "c" },
    cause = "Two consumers share the cursor: each overwrites the position of the other.",
  },
  {
    id = "LFB-B8",
    name = "lfb_b8",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored cursor ignored on restart (no FetchCursor)",
    on = "subscribe_request",
    needs = { "whole" },
    of = "place",
    guard = 29,
    when = {
      [[((place.fetched_n == nil) and (place.flow ~= nil and flow ~= nil and place.flow ~= flow) and (place.restarts ~= nil and place.restarts >= 1))]],
      "place flow",
    },
    says = {
      [[f.say("%s is read from the earliest message again, although cursor %s was set to %s and never fetched", c.stream, place.cursor_id, place.cursor)]],
      "c place",
    },
    cause = "The client does not call FetchCursor when it starts, so it processes every message again.",
  },
  {
    id = "LFB-B8b",
    name = "lfb_b8b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Partition read from the beginning at each start, since its cursor is never set",
    on = "subscribe_request",
    since = { [[f.since(conn, n, place.begun_n, place.stored_n)]], "conn n place" },
    needs = { "since" },
    of = "place",
    guard = 28,
    when = {
      [[((place.absent_flow ~= nil and flow ~= nil and place.absent_flow == flow) and (flow ~= nil and (place.begun_flow or -1) ~= flow) and (place.begun ~= nil and place.begun >= K.BEGUN_LIMIT) and (reader.most ~= nil))]],
      "place flow reader",
    },
    says = {
      [[f.say("partition %s of %s is read from its first message again: cursor %s, which was fetched in frame %s, has never been set", (c.partition or 0), c.stream, place.absent, place.stored_n)]],
      "c place",
    },
    cause = "The consumer makes no checkpoints, so that each start of it processes every message again.",
  },
  {
    id = "LFB-B9",
    name = "lfb_b9",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Cursor stored after each message",
    on = "set_cursor_request",
    needs = {},
    of = "set_singly",
    when = {
      [[(((set_singly.times ~= nil and (set_singly.times + 1) >= K.STEP_LIMIT) and ((set_singly.latest_t ~= nil and (t - set_singly.latest_t) <= K.AGAIN_PAUSE) and (set_singly.same ~= nil and c.offset ~= nil and place.cursor ~= nil and set_singly.same == (c.offset - place.cursor)))) and (c.offset ~= nil and place.cursor ~= nil and c.offset == (place.cursor + 1)))]],
      "c set_singly t place",
    },
    says = {
      [[f.say("cursor %s of %s was advanced by one message %s times in a row", c.cursor_id, c.stream, K.STEP_LIMIT)]],
      "c",
    },
    cause = "Each SetCursor stores a replicated message in the cursors stream; set the cursor after a batch.",
  },
  {
    id = "LFB-B64",
    name = "lfb_b64",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Cursor set to the same offset repeatedly",
    on = "set_cursor_request",
    needs = {},
    of = "set_again",
    guard = 7,
    when = {
      [[((set_again.times ~= nil and (set_again.times + 1) >= K.SET_AGAIN_LIMIT) and ((set_again.latest_t ~= nil and (t - set_again.latest_t) <= 60000000000.0) and (set_again.same ~= nil and set_again.same == (c.offset or 0))))]],
      "c set_again t",
    },
    says = {
      [[f.say("cursor %s of %s was set to %s %s times in a row", c.cursor_id, c.stream, (c.offset or 0), K.SET_AGAIN_LIMIT)]],
      "c",
    },
    cause = "A timer sets the cursor whether the consumer got on or not: each SetCursor stores a replicated message.",
  },
  {
    id = "LFB-B65",
    name = "lfb_b65",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Cursor of a stream that the client does not read",
    on = "set_cursor_request",
    needs = { "start", "whole" },
    of = "place",
    when = { [[((duty.read_n == nil) and (((place.sets or 0) + 1) >= K.UNREAD_SETS))]], "duty place" },
    says = {
      [[f.say("cursor %s of %s was set %s times, and the client has not subscribed to the stream in these captures", c.cursor_id, c.stream, (place.sets ~= nil and (place.sets + 1) or nil))]],
      "c place",
    },
    cause = "The client mixes up its streams, or stores the position of another one.",
  },
  {
    id = "LFB-B23",
    name = "lfb_b23",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Fetched cursor not used as the start of the subscription",
    on = "subscribe_request",
    needs = {},
    of = "place",
    when = {
      [[((place.stored ~= nil) and (LISTS[8][(c.start_position or 0)] or ((c.start_position == 1) and ((c.start_offset ~= nil and place.stored ~= nil and c.start_offset < place.stored) or (c.start_offset ~= nil and place.stored ~= nil and c.start_offset > (place.stored + 1))))))]],
      "c place",
    },
    says = {
      [[f.say("the cursor of %s is at %s, but the subscription begins at %s %s", c.stream, place.stored, f.named((c.start_position or 0), names.start_position), (c.start_offset or ""))]],
      "c place",
    },
    cause = "The client fetches its cursor and does not pass it on: messages are read twice, or never.",
  },
  {
    id = "LFB-B24",
    name = "lfb_b24",
    severity = "WARN",
    group = "SEQUENCE",
    title = "SetCursor offset beyond the last delivered message",
    on = "set_cursor_request",
    needs = { "both", "whole" },
    of = "reader",
    when = { [[(c.offset ~= nil and reader.most ~= nil and c.offset > (reader.most + 1))]], "c reader" },
    says = {
      [[f.say("cursor %s of %s is set to %s, but the client has received messages up to offset %s", c.cursor_id, c.stream, c.offset, reader.most)]],
      "c reader",
    },
    cause = "The client counts messages otherwise than the server: after a restart those between are skipped.",
  },
  {
    id = "LFB-B10",
    name = "lfb_b10",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Connection closed with unacknowledged messages (PublishAsync)",
    on = "end:conn",
    evidence = { [[f.first_known(f.coalesce(conn.pending_n, C.last_n))]], "conn C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[((conn.pending ~= nil and conn.pending > 0) and LISTS[2][why])]], "conn why" },
    says = {
      [[f.say("the connection was closed while %s had no ack", f.counted(conn.pending, "publish", "publishes"))]],
      "conn",
    },
    cause = "The client does not wait for its acks, so it does not know whether the messages were stored.",
  },
  {
    id = "LFB-B11",
    name = "lfb_b11",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Correlation id reused for several messages",
    on = "publish_request",
    needs = {},
    of = "conn",
    when = {
      [[((c.correlation_id ~= nil and conn.latest_id ~= nil and c.correlation_id == conn.latest_id) and (conn.same_id ~= nil and conn.same_id == (K.SAME_ID_LIMIT - 2)) and (f.digest(c["value raw"]) ~= nil and conn.latest_value ~= nil and f.digest(c["value raw"]) ~= conn.latest_value))]],
      "c conn",
    },
    says = {
      [[f.say("%s different messages in a row have the correlation id %s", K.SAME_ID_LIMIT, c.correlation_id)]],
      "c",
    },
    cause = "Acks are matched by correlation id: each message needs a new one.",
  },
  {
    id = "LFB-B11b",
    name = "lfb_b11b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Open calls of Publish with one ack inbox and no correlation id",
    on = "publish_request",
    needs = { "whole", "both" },
    of = "box",
    when = {
      [[((box.open ~= nil and (box.open + 1) >= K.SAME_ID_LIMIT) and (box.asked_t ~= nil and (t - box.asked_t) <= K.ACK_LATE))]],
      "box t",
    },
    says = {
      [[f.say("%s calls of Publish have the ack inbox %s and no correlation id, and none of them is answered yet: each takes whichever ack comes first", (box.open ~= nil and (box.open + 1) or nil), c.ack_inbox)]],
      "c box",
    },
    cause = "An ack names its message by the correlation id, or by an inbox of its own: a message may be taken for stored although its ack is missing.",
  },
  {
    id = "LFB-B69",
    name = "lfb_b69",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each message of a stream published twice in a row",
    on = "publish_request",
    needs = { "whole", "both" },
    of = "conn",
    guard = 30,
    when = {
      [[((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (conn.pair_stream ~= nil and c.stream ~= nil and conn.pair_stream == c.stream) and (conn.pair_value ~= nil and f.digest(c["value raw"]) ~= nil and conn.pair_value == f.digest(c["value raw"])) and (conn.run == 1) and (((conn.pairs or 0) + 1) >= K.PAIR_LIMIT))]],
      "c conn",
    },
    says = {
      [[f.say("%s messages in a row were each published twice to %s, with the same value", K.PAIR_LIMIT, c.stream)]],
      "c",
    },
    cause = "Two parts of the program send the message, or a retry does although the first one was stored: consumers get it twice.",
  },
  {
    id = "LFB-B10b",
    name = "lfb_b10b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "PublishAsync message that is not acknowledged in time",
    on = "timer:async_ack",
    evidence = { [[f.first_known(conn.pending_n)]], "conn" },
    needs = { "both", "whole" },
    of = "conn",
    when = { [[((conn.pending ~= nil and conn.pending > 0) and (conn.pending_n ~= nil))]], "conn" },
    says = {
      [[f.say("%s of PublishAsync had no ack within %s", f.counted(conn.pending, "message", "messages"), f.time(K.ACK_LATE))]],
      "conn",
    },
    cause = "The messages are not committed: replicas are missing, or the leader is away; or the stream has no leader that sends acks; or the line is dead, and they do not reach the server.",
  },
  {
    id = "LFB-B12",
    name = "lfb_b12",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Publish of one message at a time, waiting for each ack",
    on = "publish_request",
    since = {
      [[f.since(conn, (conn.published_singly_second_n or n), n, conn.published_singly_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    guard = 35,
    when = {
      [[((conn.published_singly_times ~= nil and (conn.published_singly_times + 1) >= K.STEP_LIMIT) and ((conn.published_singly_open == 0) and (conn.published_singly_answered_t ~= nil and f.max((conn.published_singly_took ~= nil and (conn.published_singly_took * 3) or nil), 5000000) ~= nil and (t - conn.published_singly_answered_t) <= f.max((conn.published_singly_took ~= nil and (conn.published_singly_took * 3) or nil), 5000000))))]],
      "conn t",
    },
    says = {
      [[f.say("%s messages in a row were sent with Publish, each after the answer to the previous one", K.STEP_LIMIT)]],
    },
    cause = "Each message costs a round trip; PublishAsync allows many outstanding acks.",
  },
  {
    id = "LFB-B13",
    name = "lfb_b13",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Message close to the replication size limit",
    on = "publish_request publish_to_subject_request client:publish",
    needs = {},
    of = "log",
    when = {
      [[((size ~= nil and size > K.NEARLY_LARGEST) and (size ~= nil and size <= K.LARGEST))]],
      "size",
    },
    says = {
      [[f.say("a message has %s, close to the limit of %s for replication", f.counted(size, "byte", "bytes"), f.counted(K.LARGEST, "byte", "bytes"))]],
      "size",
    },
    cause = "A slightly larger message does not reach the followers.",
  },
  {
    id = "LFB-B25",
    name = "lfb_b25",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Separate PublishAsync call for each message",
    on = "publish_request",
    since = {
      [[f.since(conn, (conn.called_singly_second_n or n), n, conn.called_singly_first_n)]],
      "conn n",
    },
    needs = { "since" },
    of = "conn",
    when = {
      [[((conn.called_singly_times ~= nil and (conn.called_singly_times + 1) >= K.CALL_LIMIT) and ((c["carrier.method"] == "PublishAsync") and (c["carrier.stream_id"] ~= nil and c["carrier.stream_id"] ~= (conn.async_call or -1))) and (conn.called_singly_latest_t ~= nil and (t - conn.called_singly_latest_t) <= K.AGAIN_PAUSE))]],
      "c conn t",
    },
    says = {
      [[f.say("%s messages in a row were published by PublishAsync, each in a call of its own", K.CALL_LIMIT)]],
    },
    cause = "One call of PublishAsync carries any number of messages; each call costs an HTTP/2 stream and a round trip.",
  },
  {
    id = "LFB-B26",
    name = "lfb_b26",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "PublishAsync message refused (asyncError)",
    on = "publish_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 34,
    says = { [[f.say("a message was not stored: %s", c["async_error.message"])]], "c" },
    cause = "The publisher has to look at the errors among the acks; the message is lost unless it is sent again.",
  },
  {
    id = "LFB-B26b",
    name = "lfb_b26b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Consecutive PublishAsync messages refused (asyncError)",
    on = "publish_response",
    since = {
      [[f.since(conn, (conn.async_refused_second_n or n), n, conn.async_refused_first_n)]],
      "conn n",
    },
    needs = { "since" },
    of = "conn",
    when = {
      [[(((conn.async_refused_times ~= nil and (conn.async_refused_times + 1) >= K.ASYNC_LIMIT) and ((f.len(c["async_error.message"]) or 0) > 0) and ((conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) <= K.AGAIN_PAUSE) and (conn.async_refused_same ~= nil and conn.async_refused_same == (c["async_error.code"] or 0)))) and ((conn.async_refused_slower ~= nil and conn.async_refused_times ~= nil and (conn.async_refused_slower * 4) < ((conn.async_refused_times - 2) * 3)) or (conn.async_refused_latest_t ~= nil and (conn.async_refused_first_gap or (conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) or nil)) ~= nil and (t - conn.async_refused_latest_t) <= (2 * (conn.async_refused_first_gap or (conn.async_refused_latest_t ~= nil and (t - conn.async_refused_latest_t) or nil))))))]],
      "c conn t",
    },
    says = {
      [[f.say("%s messages in a row were not stored: %s", K.ASYNC_LIMIT, c["async_error.message"])]],
      "c",
    },
    cause = "The publisher does not look at the errors among the acks and goes on.",
  },
  {
    id = "LFB-B27",
    name = "lfb_b27",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Repeated publishes to a read-only stream (SetStreamReadonly)",
    on = "publish_request",
    needs = {},
    of = "log",
    when = {
      [[((log.tries ~= nil and (log.tries + 1) >= K.TRIES) and (log.readonly_n ~= nil) and (((f.len(log.readonly) or 0) == 0) or f.any_eq(log.readonly, (c.partition or 0))))]],
      "c log",
    },
    says = {
      [[f.say("%s messages were published to %s since SetStreamReadonly has made it read-only", (log.tries ~= nil and (log.tries + 1) or nil), c.stream)]],
      "c log",
    },
    cause = "The publisher is not stopped when the stream is closed for publishes, and ignores the errors.",
  },
  {
    id = "LFB-B28",
    name = "lfb_b28",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Messages without a key in a compacted stream",
    on = "publish_request",
    needs = {},
    of = "log",
    guard = 72,
    when = { [[(log.compacted and (log.keyless ~= nil and (log.keyless + 1) == K.KEYLESS_LIMIT))]], "log" },
    says = {
      [[f.say("%s keeps only the last message of each key, and %s messages without a key were published to it", c.stream, K.KEYLESS_LIMIT)]],
      "c",
    },
    cause = "Compaction needs keys: messages without one are kept for ever.",
  },
  {
    id = "LFB-B28b",
    name = "lfb_b28b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Compacted stream whose messages all have different keys",
    on = "publish_request",
    since = { [[f.since(conn, n, log.made_n)]], "conn n log" },
    needs = { "since" },
    of = "log",
    guard = 37,
    when = {
      [[(log.compacted and (log.fresh ~= nil and (log.fresh + 1) == K.FRESH_LIMIT) and (keyed.latest_n == nil))]],
      "log keyed",
    },
    says = {
      [[f.say("%s keeps only the last message of each key, and its first %s messages all have different keys: compaction removes none of them", c.stream, K.FRESH_LIMIT)]],
      "c",
    },
    cause = "The key contains a time, a number or a random part; make it that of the thing whose last state is to be kept.",
  },
  {
    id = "LFB-B29",
    name = "lfb_b29",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "All messages published to partition 0 of several",
    on = "publish_request",
    needs = {},
    of = "log",
    guard = 73,
    when = {
      [[((log.partitions ~= nil and log.partitions > 1) and (log.first ~= nil and (log.first + 1) == K.FIRST_LIMIT))]],
      "log",
    },
    says = {
      [[f.say("%s messages were published to partition 0 of %s, and none to its other %s", K.FIRST_LIMIT, c.stream, f.counted((log.partitions ~= nil and (log.partitions - 1) or nil), "partition", "partitions"))]],
      "c log",
    },
    cause = "The client does not choose a partition, by a key for example: 0 is the default.",
  },
  {
    id = "LFB-B30",
    name = "lfb_b30",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Expected offset on a stream without concurrency control",
    on = "publish_request",
    needs = {},
    of = "log",
    guard = 74,
    when = { [[((log.made_n ~= nil) and (log.optimistic == nil))]], "log" },
    says = {
      [[f.say("a publish expects offset %s of %s, which was created without optimistic concurrency control: the server ignores it", c.expected_offset, c.stream)]],
      "c",
    },
    cause = "The stream needs optimistic concurrency control when it is created.",
  },
  {
    id = "LFB-B41",
    name = "lfb_b41",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Partition number beyond the partitions of the stream",
    on = "publish_request subscribe_request set_cursor_request fetch_cursor_request fetch_partition_metadata_request",
    needs = {},
    of = "log",
    when = {
      [[((log.partitions ~= nil and (c.partition or 0) >= log.partitions) and (log.site ~= nil and server ~= nil and log.site == server))]],
      "c log server",
    },
    says = {
      [[f.say("%s is for partition %s of %s, which was created with %s", name, (c.partition or 0), c.stream, f.counted(log.partitions, "partition", "partitions"))]],
      "c name log",
    },
    cause = "Partitions are numbered from 0, or the client has old metadata.",
  },
  {
    id = "LFB-B45",
    name = "lfb_b45",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Partition subscribed to at the offset of another partition",
    on = "subscribe_request",
    needs = {},
    of = "left",
    guard = 75,
    when = {
      [[(f.has(left.ends, c.start_offset) and (conn.t ~= nil and left.t_of ~= nil and conn.t > left.t_of) and (reader.last ~= nil) and (c.start_offset ~= nil and reader.last ~= nil and c.start_offset ~= (reader.last + 1)) and (c.start_offset ~= nil and reader.last ~= nil and c.start_offset ~= reader.last))]],
      "c left conn reader",
    },
    says = {
      [[f.say("partition %s of %s was read up to offset %s; after the reconnect it is subscribed to at %s, where another partition was left", (c.partition or 0), c.stream, reader.last, c.start_offset)]],
      "c reader",
    },
    cause = "The client mixes up the positions of its partitions, or keeps one for all.",
  },
  {
    id = "LFB-B45b",
    name = "lfb_b45b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New partition subscribed to at the offset of another partition",
    on = "subscribe_request",
    needs = {},
    of = "left",
    guard = 76,
    when = {
      [[((f.has(left.ends, c.start_offset) or (((c.partition or 0) == 0) and ((left.first ~= nil and c.start_offset ~= nil and left.first < c.start_offset) and (c.start_offset ~= nil and left.last ~= nil and c.start_offset <= left.last)))) and (conn.t ~= nil and left.t_of ~= nil and conn.t > left.t_of) and (reader.last == nil) and (left.partition ~= nil and left.partition ~= (c.partition or 0)) and (place.fetched_n == nil))]],
      "c left conn reader place",
    },
    says = {
      [[f.say("the client read partition %s of %s before the reconnect, and subscribes to partition %s at %s, an offset that it had reached there", left.partition, c.stream, (c.partition or 0), c.start_offset)]],
      "c left",
    },
    cause = "The client restores its subscription with another partition, or without one: 0 is the default.",
  },
  {
    id = "LFB-B46",
    name = "lfb_b46",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages of one key in several partitions of a stream",
    on = "publish_request",
    needs = {},
    of = "log",
    when = {
      [[((keyed.partition ~= nil and keyed.partition ~= (c.partition or 0)) and (((log.spread or 0) + 1) >= K.KEYED_LIMIT))]],
      "c keyed log",
    },
    says = {
      [[f.say("a message for partition %s of %s has the key of one in partition %s: the order of the key is lost", (c.partition or 0), c.stream, keyed.partition)]],
      "c keyed",
    },
    cause = "The client chooses the partition without the key, or two producers hash it differently; compaction keeps a value of the key in each partition.",
  },
  {
    id = "LFB-B42",
    name = "lfb_b42",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Partition with messages but without a reader",
    on = "end:part",
    evidence = { [[f.first_known(part.published_n, log.read_n, log.made_n)]], "part log" },
    needs = {},
    of = "part",
    when = {
      [[(((part.published ~= nil and part.published >= K.UNREAD_LIMIT) and (part.read_n == nil) and (log.read_n ~= nil) and (log.partitions ~= nil and log.partitions > 1)) and ((captures.are_partial or 0) == 0))]],
      "part log captures",
    },
    says = {
      [[f.say("%s messages were published to partition %s of %s, but in these captures only other partitions are read", part.published, part.partition, part.stream)]],
      "part",
    },
    cause = "The consumer subscribes to partition 0, the default, and not to the others.",
  },
  {
    id = "LFB-B83",
    name = "lfb_b83",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream whose subject matches all partitions of another one but the first",
    on = "publish_request",
    needs = {},
    of = "log",
    when = {
      [[((log.partitions ~= nil and log.partitions > 1) and f.literal(log.subject) and (catalogue.subjects ~= nil) and ((catalogue.shared == nil) or (f.has(catalogue.shared, log.subject) ~= nil and not f.has(catalogue.shared, log.subject))))]],
      "log catalogue",
    },
    finds = {
      [[f.predicates.misses_first_partition("log.subject catalogue.subjects", log.subject, catalogue.subjects)]],
      "log catalogue",
    },
    says = {
      [[f.say("%s has %s partitions, with the subject %s and that with a number; a stream is attached to %s, and stores the messages of all partitions but the first", c.stream, log.partitions, log.subject, f.whole(found))]],
      "c log found",
    },
    cause = "The first partition has the subject of the stream itself, which the wildcard does not match: `*` matches one token, and `>` one or more.",
  },
  {
    id = "LFB-B47",
    name = "lfb_b47",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Messages of one Liftbridge stream in different formats",
    on = "publish_request",
    needs = {},
    of = "content",
    when = {
      [[((((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (content.user ~= nil and flow ~= nil and content.user ~= flow) and (content.first ~= nil and content.first ~= (f.begins(c["value raw"], K.FORMATS) or "another format"))) and (((content.others or 0) + 1) >= K.OTHERS_LIMIT) and (content.mixed == nil))]],
      "c conn content flow",
    },
    says = {
      [[f.say("messages of %s are in %s from one client and in %s from another one", c.stream, content.first, (f.begins(c["value raw"], K.FORMATS) or "another format"))]],
      "c content",
    },
    cause = "The publishers encode their messages differently: consumers of one format cannot read the other.",
  },
  {
    id = "LFB-B47b",
    name = "lfb_b47b",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Messages of one client to one Liftbridge stream in different formats",
    on = "publish_request",
    needs = {},
    of = "mixed",
    when = {
      [[((((conn.published ~= nil and conn.published <= K.FORMAT_SAMPLE) and (c.stream ~= nil) and ((c["#value"] or 1) > 1)) and (mixed.user ~= nil and flow ~= nil and mixed.user == flow) and (mixed.first ~= nil and mixed.first ~= (f.begins(c["value raw"], K.FORMATS) or "another format"))) and (((mixed.mixed or 0) + 1) >= K.OTHERS_LIMIT))]],
      "c conn mixed flow",
    },
    says = {
      [[f.say("messages of %s are first in %s, then in %s, from one client", c.stream, mixed.first, (f.begins(c["value raw"], K.FORMATS) or "another format"))]],
      "c mixed",
    },
    cause = "Two parts of the program encode messages differently, or a value was not encoded.",
  },
  {
    id = "LFB-B48",
    name = "lfb_b48",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Value that is not what its headers announce",
    on = "publish_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 77,
    finds = {
      [[f.predicates.is_not_announced("fields.headers value", c["headers[]"], c["value raw"])]],
      "c",
    },
    says = {
      [[f.say("a message of %s is %s, although its headers announce it", c.stream, f.whole(found))]],
      "c found",
    },
    cause = "The header is a default or a copy, or the value was encoded in another way: consumers that go by the header cannot read it.",
  },
  {
    id = "LFB-B50",
    name = "lfb_b50",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Message published to the name of a stream instead of its subject",
    on = "publish_to_subject_request client:publish",
    needs = {},
    of = "log",
    when = {
      [[(((f.len(log.subject) or 0) > 0) and (log.subject ~= nil and f.coalesce(c["carrier.subject"], c.subject) ~= nil and log.subject ~= f.coalesce(c["carrier.subject"], c.subject)))]],
      "c log",
    },
    says = {
      [[f.say("a message is published to the subject %s, which is the name of a stream whose subject is %s", f.coalesce(c["carrier.subject"], c.subject), log.subject)]],
      "c log",
    },
    cause = "The stream stores what comes on its subject: this message is lost, and without an ack nothing shows it.",
  },
  {
    id = "LFB-B43",
    name = "lfb_b43",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "FetchMetadata called repeatedly",
    on = "fetch_metadata_request",
    needs = {},
    of = "looked_up",
    when = {
      [[((looked_up.times ~= nil and (looked_up.times + 1) >= K.METADATA_LIMIT) and (looked_up.latest_t ~= nil and (t - looked_up.latest_t) <= K.AGAIN_PAUSE))]],
      "looked_up t",
    },
    says = {
      [[f.say("FetchMetadata was called %s times in a row, at most %s apart", K.METADATA_LIMIT, f.time(K.AGAIN_PAUSE))]],
    },
    cause = "The client asks for metadata before each step: it changes only when partitions get another leader.",
  },
  {
    id = "LFB-B14",
    name = "lfb_b14",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Many streams created in a row",
    on = "create_stream_request",
    needs = {},
    of = "created",
    when = {
      [[((created.times ~= nil and (created.times + 1) >= K.CREATE_LIMIT) and (created.latest_t ~= nil and (t - created.latest_t) <= K.AGAIN_PAUSE))]],
      "created t",
    },
    says = { [[f.say("the client created %s streams in a row", K.CREATE_LIMIT)]] },
    cause = "Every server keeps a log and a Raft entry for each stream; one stream with a wildcard subject, keys or partitions may be enough.",
  },
  {
    id = "LFB-B14b",
    name = "lfb_b14b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Streams with similar names created repeatedly for one subject",
    on = "create_stream_request",
    needs = {},
    of = "feed",
    when = {
      [[((feed.alike ~= nil and f.program(c.name) ~= nil and feed.alike == f.program(c.name)) and (feed.latest ~= nil and c.name ~= nil and feed.latest ~= c.name) and (feed.streams ~= nil and (feed.streams + 1) >= K.FED_LIMIT))]],
      "c feed",
    },
    says = {
      [[f.say("%s is stream number %s that is created for the subject %s and not deleted: each of them stores every message of it", c.name, (feed.streams ~= nil and (feed.streams + 1) or nil), c.subject)]],
      "c feed",
    },
    cause = "The name of the stream has a time or a random part, so that each start of the program makes another stream instead of finding its own.",
  },
  {
    id = "LFB-B15",
    name = "lfb_b15",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Use of a deleted stream",
    on = "publish_request subscribe_request",
    needs = { "whole" },
    of = "log",
    when = { [[((log.deleted_n ~= nil) and ((captures.are_partial or 0) == 0))]], "log captures" },
    says = { [[f.say("%s is used after it was deleted", c.stream)]], "c" },
    cause = "One client deletes the stream while another one uses it, or the calls are in the wrong order.",
  },
  {
    id = "LFB-B16",
    name = "lfb_b16",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Retention of less than a minute",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    guard = 78,
    says = { [[f.say("%s keeps messages for only %s ms", c.name, c["retention_max_age.value"])]], "c" },
    cause = "RetentionMaxAge is in milliseconds; the client may mean seconds.",
  },
  {
    id = "LFB-B31",
    name = "lfb_b31",
    severity = "WARN",
    group = "PROTOCOL",
    title = "MinIsr above the replication factor",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    guard = 79,
    says = {
      [[f.say("%s has %s, but requires %s in sync: no message is ever committed", c.name, f.counted((c.replication_factor or 1), "replica", "replicas"), c["min_isr.value"])]],
      "c",
    },
    cause = "The minimum of in-sync replicas is at most the replication factor.",
  },
  {
    id = "LFB-B32",
    name = "lfb_b32",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Retention below the size or age of a segment",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    guard = 80,
    says = {
      [[f.say("%s is to keep less than one segment: only whole segments are removed", c.name)]],
      "c",
    },
    cause = "Retention works on segments: choose smaller segments.",
  },
  {
    id = "LFB-B33",
    name = "lfb_b33",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated PauseStream for one stream",
    on = "pause_stream_request",
    needs = {},
    of = "paused",
    when = {
      [[((paused.times ~= nil and (paused.times + 1) >= K.PAUSE_LIMIT) and (paused.latest_t ~= nil and (t - paused.latest_t) <= 10000000000.0))]],
      "paused t",
    },
    says = { [[f.say("%s was paused %s times in a row", c.name, K.PAUSE_LIMIT)]], "c" },
    cause = "Each publish wakes a paused stream: it is in use.",
  },
  {
    id = "LFB-B33b",
    name = "lfb_b33b",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Stream paused repeatedly just after messages were published to it",
    on = "pause_stream_request",
    since = {
      [[f.since(conn, (paused_in_use.second_n or n), n, paused_in_use.first_n)]],
      "conn paused_in_use n",
    },
    needs = { "since" },
    of = "paused_in_use",
    when = {
      [[((paused_in_use.times ~= nil and (paused_in_use.times + 1) >= K.PAUSE_LIMIT) and ((log.resumed_n ~= nil) and (log.woken_t ~= nil and (t - log.woken_t) <= K.BUSY_TIME)) and (paused_in_use.latest_t ~= nil and (t - paused_in_use.latest_t) <= 10000000000.0))]],
      "paused_in_use log t",
    },
    says = {
      [[f.say("%s was paused %s times in a row, each time resumed by a message and at most %s after the last one", c.name, K.PAUSE_LIMIT, f.time(K.BUSY_TIME))]],
      "c",
    },
    cause = "A job pauses the stream on a schedule of its own, while it is published to: each message after that opens its partitions again. Set auto_pause_time, which waits until the stream is idle.",
  },
  {
    id = "LFB-B51",
    name = "lfb_b51",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Dummy message published to resume a paused stream before Subscribe",
    on = "subscribe_request",
    needs = {},
    of = "woken",
    when = {
      [[((woken.times ~= nil and (woken.times + 1) >= K.WOKEN_LIMIT) and ((log.woken_n ~= nil) and (log.waker ~= nil and flow ~= nil and log.waker == flow) and (not f.coalesce(c.resume, false)) and (log.woken_t ~= nil and (t - log.woken_t) <= K.AGAIN_PAUSE)) and ((woken.latest_t ~= nil and (t - woken.latest_t) <= 60000000000.0) and (woken.same ~= nil and log.woken_by ~= nil and woken.same == log.woken_by)))]],
      "c woken log flow t",
    },
    says = {
      [[f.say("%s times in a row the client published the same message to %s, which was paused, and then subscribed to it without `resume`", K.WOKEN_LIMIT, c.stream)]],
      "c",
    },
    cause = "The client wakes the stream with a message of no meaning, which stays in the stream and which every reader gets. Subscribe with `resume` wakes a paused partition.",
  },
  {
    id = "LFB-B60",
    name = "lfb_b60",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream subscribed to at an offset of the stream before it was deleted",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 27,
    when = {
      [[((log.remade_n ~= nil) and (((place.set_n ~= nil and log.remade_n ~= nil and place.set_n < log.remade_n) and LISTS[7][(c.start_offset ~= nil and place.cursor ~= nil and (c.start_offset - place.cursor) or nil)]) or ((reader.last_at ~= nil and log.remade_n ~= nil and reader.last_at < log.remade_n) and LISTS[7][(c.start_offset ~= nil and reader.last ~= nil and (c.start_offset - reader.last) or nil)])))]],
      "c log place reader",
    },
    says = {
      [[f.say("%s was created again in frame %s and begins at offset 0; the subscription begins at %s, where the client had come in the former stream", c.stream, log.remade_n, c.start_offset)]],
      "c log",
    },
    cause = "The position is kept although the stream was deleted: messages below it are never read. Reset cursors when a stream is created.",
  },
  {
    id = "LFB-B61",
    name = "lfb_b61",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Program that publishes into the stream it reads (loop)",
    on = "message",
    needs = {},
    of = "looper",
    when = {
      [[((looper.echoed_times ~= nil and (looper.echoed_times + 1) >= K.ECHO_LIMIT) and ((looper.passed == 1) and (looper.sent_t ~= nil and (t - looper.sent_t) <= K.ECHO_TIME)) and (looper.echoed_latest_t ~= nil and (t - looper.echoed_latest_t) <= K.ECHO_PAUSE))]],
      "looper t",
    },
    says = {
      [[f.say("%s times in a row the client published the value that it had just read from %s to %s again, and received it", K.ECHO_LIMIT, c.stream, c.stream)]],
      "c",
    },
    cause = "Messages that are passed on need another stream, or a mark by which the program leaves out its own.",
  },
  {
    id = "LFB-B52",
    name = "lfb_b52",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Subscription to a stream whose name is similar to one that exists (typo)",
    on = "end:sub",
    evidence = { [[f.first_known(sub.asked_n)]], "sub" },
    needs = { "start", "whole", "both" },
    of = "sub",
    when = {
      [[((sub.state == "asked") and ((f.count(catalogue.names) or 0) >= 1) and (f.has(catalogue.names, sub.stream) ~= nil and not f.has(catalogue.names, sub.stream)))]],
      "sub catalogue",
    },
    finds = {
      [[f.predicates.is_nearly_subscribed("sub.stream catalogue.names", sub.stream, catalogue.names)]],
      "sub catalogue",
    },
    says = {
      [[f.say("the subscription to %s never began; there is a stream %s", sub.stream, f.whole(found))]],
      "sub found",
    },
    cause = "The name is misspelt, in another case, or has another separator.",
  },
  {
    id = "LFB-B52b",
    name = "lfb_b52b",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Publish to a stream whose name is similar to one that exists (typo)",
    on = "publish_request",
    needs = {},
    of = "log",
    when = {
      [[((catalogue.listed_n ~= nil) and (f.has(catalogue.names, c.stream) ~= nil and not f.has(catalogue.names, c.stream)))]],
      "c catalogue",
    },
    finds = {
      [[f.predicates.is_nearly_published("stream catalogue.names", c.stream, catalogue.names)]],
      "c catalogue",
    },
    says = {
      [[f.say("a message is published to %s, which the metadata in frame %s do not have; there is a stream %s", c.stream, catalogue.listed_n, f.whole(found))]],
      "c catalogue found",
    },
    cause = "The name is misspelt, in another case, or has another separator.",
  },
  {
    id = "LFB-B53",
    name = "lfb_b53",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Plain subscription to a stream that a consumer group reads",
    on = "subscribe_request",
    needs = {},
    of = "log",
    guard = 81,
    when = { [[(log.grouped_n ~= nil)]], "log" },
    says = {
      [[f.say("%s is read by consumer group %s, and here without a group: its messages are also processed by this reader", c.stream, log.group)]],
      "c log",
    },
    cause = "The client subscribes without stating its group and consumer id.",
  },
  {
    id = "LFB-B53b",
    name = "lfb_b53b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer group of a subscription lost with its connection",
    on = "subscribe_request",
    needs = {},
    of = "reader",
    guard = 81,
    when = {
      [[(((f.len(reader.group) or 0) > 0) and (reader.asked_by ~= nil and flow ~= nil and reader.asked_by ~= flow) and (conn.t ~= nil and taken.lost_t ~= nil and conn.t > taken.lost_t))]],
      "reader flow conn taken",
    },
    says = {
      [[f.say("partition %s of %s is subscribed to without a group; before the connection of this client was lost it was in %s", (c.partition or 0), c.stream, reader.group)]],
      "c reader",
    },
    cause = "The client restores its subscriptions without their group: members of the group get the same messages.",
  },
  {
    id = "LFB-B54",
    name = "lfb_b54",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Cursor set for a partition that the client does not read",
    on = "set_cursor_request",
    needs = { "start", "whole" },
    of = "reader",
    worse = "WARN",
    worse_from = 3,
    when = {
      [[((duty.read_n ~= nil) and (reader.asked_n == nil) and ((duty.born_n or 0) == (log.born_n or 0)))]],
      "duty reader log",
    },
    says = {
      [[f.say("cursor %s of %s is set for partition %s, but the client subscribed to other partitions only", c.cursor_id, c.stream, (c.partition or 0))]],
      "c",
    },
    cause = "The client leaves the partition out, which is then 0, or takes that of another message: after a restart the place is not found.",
  },
  {
    id = "LFB-B55",
    name = "lfb_b55",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "PublishAsync messages that want acks without a correlation id",
    on = "publish_request",
    needs = {},
    of = "conn",
    guard = 82,
    when = { [[(conn.pending ~= nil and conn.pending >= 1)]], "conn" },
    says = {
      [[f.say("a message for %s asks for an ack and has no correlation id, while %s of earlier messages did not come yet", c.stream, f.counted(conn.pending, "ack", "acks"))]],
      "c conn",
    },
    cause = "Acks are matched by correlation id: the client cannot tell which message was stored or refused.",
  },
  {
    id = "LFB-B56",
    name = "lfb_b56",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Subscription to a paused stream without resume",
    on = "subscribe_request",
    needs = {},
    of = "log",
    guard = 8,
    when = { [[(log.paused_n ~= nil)]], "log" },
    says = {
      [[f.say("%s was paused in frame %s and nothing was published since; the subscription does not ask to resume it, so that it is refused", c.stream, log.paused_n)]],
      "c log",
    },
    cause = "A paused partition is woken by a publish, or by Subscribe with `resume`.",
  },
  {
    id = "LFB-B57",
    name = "lfb_b57",
    severity = "WARN",
    group = "PROTOCOL",
    title = "PublishToSubject to a subject with a wildcard or an empty token",
    on = "publish_to_subject_request",
    needs = {},
    of = "conn",
    guard = 83,
    says = {
      [[f.say("a message is published to %s, which has a wildcard or an empty token: no stream stores it", c.subject)]],
      "c",
    },
    cause = "The client names the pattern of a stream instead of a subject.",
  },
  {
    id = "LFB-B58",
    name = "lfb_b58",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Age of a stream not in milliseconds",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    guard = 84,
    says = {
      [[f.say("%s has retentionMaxAge %s and segmentMaxAge %s, which are milliseconds: one is a number of days in seconds, or more than 300 years", c.name, (c["retention_max_age.value"] or "unset"), (c["segment_max_age.value"] or "unset"))]],
      "c",
    },
    cause = "The client writes seconds, or nanoseconds: messages are removed after minutes, or never.",
  },
  {
    id = "LFB-B59",
    name = "lfb_b59",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "AutoPauseTime of less than a second",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    guard = 85,
    says = {
      [[f.say("%s is paused after %s ms without a message: its subscribers are cut off each time", c.name, c["auto_pause_time.value"])]],
      "c",
    },
    cause = "AutoPauseTime is in milliseconds; the client may mean seconds.",
  },
  {
    id = "LFB-B44",
    name = "lfb_b44",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New consumer id for each start, the previous ones still in the group",
    on = "join_consumer_group_request",
    needs = {},
    of = "crowd",
    when = {
      [[((f.has(crowd.names, c.consumer_id) ~= nil and not f.has(crowd.names, c.consumer_id)) and (f.count(crowd.names) ~= nil and (f.count(crowd.names) + 1) >= K.NAMES_LIMIT) and (crowd.live ~= nil and crowd.live <= 0) and (crowd.left == nil))]],
      "c crowd",
    },
    says = {
      [[f.say("this client has joined group %s under %s consumer ids, one after another, and left it with none of them", c.group_id, (f.count(crowd.names) ~= nil and (f.count(crowd.names) + 1) or nil))]],
      "c crowd",
    },
    cause = "The consumer id changes with each start: until the consumer timeout, partitions stay assigned to consumers that no longer exist.",
  },
  {
    id = "LFB-B17",
    name = "lfb_b17",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Consumer id used by two connections",
    on = "join_consumer_group_request",
    needs = { "whole" },
    of = "crew",
    when = {
      [[((crew.flow ~= nil and flow ~= nil and crew.flow ~= flow) and (crew.last_t ~= nil and (t - crew.last_t) < K.CONSUMER_SILENT))]],
      "crew flow t",
    },
    says = {
      [[f.say("%s joins group %s, in which another connection is already a member with this id", c.consumer_id, c.group_id)]],
      "c",
    },
    cause = "Two programs use the same consumer id; each member needs its own.",
  },
  {
    id = "LFB-B18",
    name = "lfb_b18",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Flood of FetchConsumerGroupAssignments",
    on = "fetch_consumer_group_assignments_request",
    since = {
      [[f.since(conn, (member.fetched_second_n or n), n, member.fetched_first_n)]],
      "conn member n",
    },
    needs = { "since" },
    of = "member",
    when = {
      [[(((member.fetched_times ~= nil and (member.fetched_times + 1) >= K.FETCH_LIMIT) and (member.fetched_latest_t ~= nil and member.timeout ~= nil and (t - member.fetched_latest_t) < member.timeout)) and (member.fetched_first_t ~= nil and member.timeout ~= nil and member.fetched_times ~= nil and ((t - member.fetched_first_t) * 100) < ((member.timeout * 5) * member.fetched_times)))]],
      "member t",
    },
    says = {
      [[f.say("FetchConsumerGroupAssignments was sent for %s %s times in a row, each within 5 %% of the consumer timeout after the previous one", c.consumer_id, K.FETCH_LIMIT)]],
      "c",
    },
    cause = "One fetch per third of the consumer timeout keeps the membership.",
  },
  {
    id = "LFB-B19",
    name = "lfb_b19",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer active after LeaveConsumerGroup",
    on = "fetch_consumer_group_assignments_request subscribe_request",
    needs = { "whole" },
    of = "member",
    when = { [[(member.state == "left")]], "member" },
    says = {
      [[f.say("%s has left group %s and still acts as a member", member.consumer, member.group)]],
      "member",
    },
    cause = "A part of the program keeps running after the consumer was closed.",
  },
  {
    id = "LFB-B4",
    name = "lfb_b4",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection closed without LeaveConsumerGroup",
    on = "end:member",
    evidence = { [[f.first_known(member.asked_at)]], "member" },
    needs = { "start", "whole", "both" },
    of = "member",
    when = { [[((member.state == "joined") and (why == "closed"))]], "member why" },
    says = {
      [[f.say("the connection of %s was closed while it was still a member of group %s", member.consumer, member.group)]],
      "member",
    },
    cause = "Its partitions are not read until the consumer timeout has passed.",
  },
  {
    id = "LFB-B34",
    name = "lfb_b34",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Group member subscribed to a partition not assigned to it",
    on = "subscribe_request",
    needs = {},
    of = "claim",
    guard = 81,
    when = {
      [[(((f.len(claim.partitions) or 0) > 0) and (not f.any_eq(claim.partitions, (c.partition or 0))))]],
      "c claim",
    },
    says = {
      [[f.say("%s reads partition %s of %s outside of its group, which has not assigned it: two consumers read its messages", claim.consumer, (c.partition or 0), c.stream)]],
      "c claim",
    },
    cause = "The client subscribes to all partitions itself, whatever the group assigns.",
  },
  {
    id = "LFB-B35",
    name = "lfb_b35",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Assigned partitions without any subscription",
    on = "end:claim",
    evidence = { [[f.first_known(claim.got_n)]], "claim" },
    needs = { "start", "whole", "both" },
    of = "claim",
    when = {
      [[(((f.len(claim.partitions) or 0) > 0) and (duty.read_n == nil) and (claim.got_t ~= nil and (t - claim.got_t) > K.UNREAD) and LISTS[2][why])]],
      "claim duty t why",
    },
    says = {
      [[f.say("%s was assigned %s of %s and did not subscribe in %s", claim.consumer, f.counted(f.len(claim.partitions), "partition", "partitions"), claim.stream, f.time((claim.got_t ~= nil and (t - claim.got_t) or nil)))]],
      "claim t",
    },
    cause = "The consumer asks for its assignments and does not act on them: the messages of these partitions are not processed.",
  },
  {
    id = "LFB-B71",
    name = "lfb_b71",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Members that join a consumer group and leave it, one after another",
    on = "join_consumer_group_request",
    needs = {},
    of = "joined_anew",
    when = {
      [[((joined_anew.times ~= nil and (joined_anew.times + 1) >= K.ANEW_LIMIT) and ((((crowd.live or 0) or 1) <= 0) and (crowd.left ~= nil)) and (joined_anew.latest_t ~= nil and (t - joined_anew.latest_t) <= 10000000000.0))]],
      "joined_anew crowd t",
    },
    says = {
      [[f.say("%s members of this client in a row joined group %s after the one before had left it", K.ANEW_LIMIT, c.group_id)]],
      "c",
    },
    cause = "The client makes a consumer for each message or batch: each join begins a new epoch, and all partitions are assigned anew.",
  },
  {
    id = "LFB-B36",
    name = "lfb_b36",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated JoinConsumerGroup by one consumer",
    on = "join_consumer_group_request",
    since = {
      [[f.since(conn, (joined_again.second_n or n), n, joined_again.first_n)]],
      "conn joined_again n",
    },
    needs = { "since" },
    of = "joined_again",
    when = {
      [[((joined_again.times ~= nil and (joined_again.times + 1) >= K.JOIN_LIMIT) and (joined_again.latest_t ~= nil and (t - joined_again.latest_t) <= 10000000000.0))]],
      "joined_again t",
    },
    says = {
      [[f.say("%s joined group %s %s times in a row", c.consumer_id, c.group_id, K.JOIN_LIMIT)]],
      "c",
    },
    cause = "Each join begins a new epoch, and the partitions are assigned anew; fetching the assignments keeps a membership.",
  },
  {
    id = "LFB-B73",
    name = "lfb_b73",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Subscription that starts at a negative offset",
    on = "subscribe_request",
    needs = {},
    of = "place",
    guard = 86,
    says = {
      [[f.say("the subscription to %s starts at offset %s, which no message has", c.stream, c.start_offset)]],
      "c",
    },
    cause = "The client computes the offset from a place that it does not have.",
    by = {
      [[((place.absent_flow ~= nil and flow ~= nil and place.absent_flow == flow) and "absent" or "other")]],
      "place flow",
    },
    causes = {
      absent = "The cursor does not exist yet: FetchCursor answers with -1, and the client uses the answer as an offset.",
    },
  },
  {
    id = "LFB-B73b",
    name = "lfb_b73b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription that starts at offset 1 although the cursor does not exist",
    on = "subscribe_request",
    needs = {},
    of = "place",
    guard = 71,
    when = {
      [[((place.absent_flow ~= nil and flow ~= nil and place.absent_flow == flow) and (reader.last_at == nil))]],
      "place flow reader",
    },
    says = {
      [[f.say("the cursor of %s does not exist, but the subscription starts at offset 1: the first message is skipped", c.stream)]],
      "c",
    },
    cause = "The client reads the answer -1 as offset 0, and starts after it.",
  },
  {
    id = "LFB-B74",
    name = "lfb_b74",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Assignments fetched with an older epoch of the group than was answered",
    on = "fetch_consumer_group_assignments_request",
    since = { [[f.since(conn, n, member.answered_at)]], "conn n member" },
    needs = { "since" },
    of = "member",
    worse = "WARN",
    worse_from = 10,
    worse_within = 10000000000.0,
    when = { [[(member.group_epoch ~= nil and (c.epoch or 0) < member.group_epoch)]], "c member" },
    says = {
      [[f.say("%s of group %s fetches its assignments with epoch %s, after the answer had epoch %s", c.consumer_id, c.group_id, (c.epoch or 0), member.group_epoch)]],
      "c member",
    },
    cause = "The client does not keep the epoch of the answer: the server sends all assignments again each time.",
  },
  {
    id = "LFB-B75",
    name = "lfb_b75",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream deleted while another client receives its messages",
    on = "delete_stream_request",
    needs = {},
    of = "watched",
    when = {
      [[((watched.flow ~= nil and flow ~= nil and watched.flow ~= flow) and (watched.read_t ~= nil and (t - watched.read_t) <= K.RECEIVING))]],
      "watched flow t",
    },
    says = {
      [[f.say("%s is deleted %s after another connection received a message of it: its subscription ends with an error", c.name, f.time((watched.read_t ~= nil and (t - watched.read_t) or nil)))]],
      "c watched t",
    },
    cause = "A program cleans up while others use the stream.",
  },
  {
    id = "LFB-B76",
    name = "lfb_b76",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Cursor set to a negative offset",
    on = "set_cursor_request",
    needs = {},
    of = "mark_object",
    guard = 26,
    says = {
      [[f.say("cursor %s of %s is set to %s, which no message has", c.cursor_id, c.stream, c.offset)]],
      "c",
    },
    cause = "The client stores its place before it has received a message, or computes it from the place of the next one.",
  },
  {
    id = "LFB-B77",
    name = "lfb_b77",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Subscription of a group member that lacks the group or the consumer",
    on = "subscribe_request",
    needs = {},
    of = "conn",
    guard = 87,
    says = {
      [[f.say("the subscription to %s names %s: the server cannot see that the member reads its partition", c.stream, (((f.len(c["consumer.group_id"]) or 0) > 0) and "a group and no consumer" or "a consumer and no group"))]],
      "c",
    },
    cause = "The client fills in only one of the two fields of a group's member.",
  },
  {
    id = "LFB-B78",
    name = "lfb_b78",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Group joined without streams",
    on = "join_consumer_group_request",
    needs = {},
    of = "conn",
    guard = 88,
    says = {
      [[f.say("%s joins group %s without streams: it is assigned no partition", c.consumer_id, c.group_id)]],
      "c",
    },
    cause = "The client joins before it knows which streams it reads.",
  },
  {
    id = "LFB-B79",
    name = "lfb_b79",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Expected offset in a message that wants no ack",
    on = "publish_request",
    needs = {},
    of = "log",
    guard = 89,
    says = {
      [[f.say("a message for %s has the expected offset %s and ack policy none: if the offset differs the message is not stored, and the client does not learn it", c.stream, c.expected_offset)]],
      "c",
    },
    cause = "The client compares offsets, but does not ask for the result.",
  },
  {
    id = "LFB-B80",
    name = "lfb_b80",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Replication factor above the number of servers",
    on = "create_stream_request",
    needs = {},
    of = "log",
    when = {
      [[(c.replication_factor ~= nil and conn.brokers ~= nil and c.replication_factor > conn.brokers)]],
      "c conn",
    },
    says = {
      [[f.say("%s is to have %s replicas, but the metadata has %s: the server refuses it", c.name, c.replication_factor, f.counted(conn.brokers, "server", "servers"))]],
      "c conn",
    },
    cause = "The setting of a larger cluster is used; -1 means all servers.",
  },
  {
    id = "LFB-B81",
    name = "lfb_b81",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Assignments fetched from another server than the coordinator",
    on = "fetch_consumer_group_assignments_request",
    needs = {},
    of = "member",
    when = {
      [[((node.port ~= nil) and (f.number(f.between(server, ":", "")) ~= nil and node.port ~= nil and f.number(f.between(server, ":", "")) ~= node.port))]],
      "node server",
    },
    says = {
      [[f.say("%s of group %s fetches its assignments from %s, but the coordinator is %s, %s:%s", c.consumer_id, c.group_id, server, member.coordinator, node.host, node.port)]],
      "c server member node",
    },
    cause = "The client asks the server at which it joined: the coordinator does not learn that the consumer lives, and removes it.",
  },
  {
    id = "LFB-B82",
    name = "lfb_b82",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Most messages with an expected offset refused, from several clients",
    on = "publish_response",
    needs = {},
    of = "race",
    guard = 44,
    when = {
      [[((conn.compares ~= nil) and (race.refused ~= nil and (race.refused + 1) >= K.RACE_LIMIT) and (race.refused ~= nil and race.refused >= (2 * (race.agreed or 0))) and ((f.count(race.writers) or 2) > 2))]],
      "conn race",
    },
    says = {
      [[f.say("%s messages of %s connections to %s were refused, and %s stored: each makes the others read and try again", (race.refused ~= nil and (race.refused + 1) or nil), f.count(race.writers), conn.compares, (race.agreed or 0))]],
      "race conn",
    },
    cause = "Many clients publish to one partition with expected offsets. Give each a partition of its own, or let one program publish for all.",
  },
  {
    id = "LFB-B100",
    name = "lfb_b100",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections of a client that begin at one offset and end soon",
    on = "end:sub",
    evidence = { [[f.first_known(sub.asked_n, begun.first_n)]], "sub begun" },
    needs = { "start", "whole", "both" },
    of = "begun",
    worse = "WARN",
    worse_from = 4,
    when = { [[(begun.times ~= nil and (begun.times + 1) >= K.STARTS_LIMIT)]], "begun" },
    says = {
      [[f.say("%s connections of %s subscribed to partition %s of %s at offset %s, received messages, and were ended by the client", (begun.times ~= nil and (begun.times + 1) or nil), client, sub.partition, sub.stream, sub.start)]],
      "begun client sub",
    },
    cause = "The program fails at a message near this offset, and meets it again after each start.",
  },
  {
    id = "LFB-B101",
    name = "lfb_b101",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Cursor that is no longer set although messages arrive",
    on = "end:sub",
    evidence = { [[f.first_known(reader.set_at, sub.last_at)]], "reader sub" },
    needs = { "start", "whole", "both" },
    of = "sub",
    when = {
      [[((reader.sets ~= nil and reader.sets >= K.SETS_LIMIT) and (sub.last ~= nil and reader.set_to ~= nil and reader.set_step ~= nil and (sub.last - reader.set_to) > (2 * reader.set_step)) and (sub.last ~= nil and reader.set_to ~= nil and (sub.last - reader.set_to) >= K.SETS_LIMIT) and (reader.set_t ~= nil and (t - reader.set_t) > K.SETS_STOP) and (reader.set_t ~= nil and reader.set_gap ~= nil and (t - reader.set_t) > (10 * reader.set_gap)) and (reader.setter ~= nil and flow ~= nil and reader.setter == flow))]],
      "reader sub t flow",
    },
    says = {
      [[f.say("the cursor of %s was set %s times, %s apart at most, and not after offset %s: messages up to offset %s were delivered, and the subscription stayed open for %s", sub.stream, reader.sets, f.time(reader.set_gap), reader.set_to, sub.last, f.time((reader.set_t ~= nil and (t - reader.set_t) or nil)))]],
      "sub reader t",
    },
    cause = "The handler waits for something that does not come, or what stores the cursor has ended, while the rest of the program runs: after a restart the messages are read again.",
  },
  {
    id = "LFB-B104",
    name = "lfb_b104",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Cursor set although the message published before it was refused",
    on = "set_cursor_request",
    since = { [[f.since(conn, n, conn.failed_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = { [[((conn.failed_n ~= nil) and (reader.last_at ~= nil))]], "conn reader" },
    says = {
      [[f.say("cursor %s of %s is set to %s, although the message that the client published before was refused in frame %s", c.cursor_id, c.stream, (c.offset or 0), conn.failed_n)]],
      "c conn",
    },
    cause = "The client ignores the error: what it read counts as processed, and the result is lost.",
  },
  {
    id = "LFB-B105",
    name = "lfb_b105",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Assignments fetched later than the consumer timeout",
    on = "fetch_consumer_group_assignments_request",
    needs = { "whole", "both" },
    of = "member",
    when = {
      [[((member.state == "joined") and (member.fetched_t ~= nil and (t - member.fetched_t) > (member.timeout or K.CONSUMER_SILENT)))]],
      "member t",
    },
    says = {
      [[f.say("%s of group %s fetches its assignments %s after the time before, but the consumer timeout is %s", c.consumer_id, c.group_id, f.time((member.fetched_t ~= nil and (t - member.fetched_t) or nil)), f.time((member.timeout or K.CONSUMER_SILENT)))]],
      "c member t",
    },
    cause = "Fetching is the consumer's heartbeat: what else the program does delays it, and the coordinator gives the partitions to others.",
  },
  {
    id = "LFB-B106",
    name = "lfb_b106",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Group member that still reads a partition that it has no more",
    on = "message",
    needs = { "whole", "both" },
    of = "sub",
    worse = "WARN",
    worse_from = 5,
    when = {
      [[((sub.granted_n ~= nil) and (claim.got_n ~= nil and sub.granted_n ~= nil and claim.got_n > sub.granted_n) and (not f.any_eq(claim.partitions, (c.partition or 0))) and (sub.revoked_t ~= nil and (t - sub.revoked_t) > K.REVOKED))]],
      "c sub claim t",
    },
    says = {
      [[f.say("the member still receives partition %s of %s, %s after its assignments lacked it: another member may read it too", (c.partition or 0), c.stream, f.time((sub.revoked_t ~= nil and (t - sub.revoked_t) or nil)))]],
      "c sub t",
    },
    cause = "The member fetches its assignments and does not end the subscriptions that are no longer among them.",
  },
  {
    id = "LFB-B107",
    name = "lfb_b107",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Two subscriptions of a connection that receive the same messages",
    on = "message",
    needs = {},
    of = "reader",
    when = {
      [[((sub.n ~= nil and reader.by_sub ~= nil and sub.n ~= reader.by_sub) and (reader.by_flow ~= nil and flow ~= nil and reader.by_flow == flow) and (reader.newest ~= nil and (c.offset or 0) <= reader.newest) and (reader.turns ~= nil and (reader.turns + 1) >= K.TURNS_LIMIT))]],
      "c sub reader flow",
    },
    says = {
      [[f.say("message %s of partition %s of %s comes a second time: two subscriptions of the connection are open, and both receive each message", (c.offset or 0), (c.partition or 0), c.stream)]],
      "c",
    },
    cause = "The program subscribes again and does not cancel the former subscription, or started its reader twice.",
  },
  {
    id = "LFB-B210",
    name = "lfb_b210",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "First subscription to a stream that leaves out the messages before it (NEW_ONLY)",
    on = "subscribe_request",
    needs = {},
    of = "log",
    again = true,
    guard = 90,
    when = { [[(log.posted ~= nil and log.posted >= K.POSTED_LIMIT)]], "log" },
    says = {
      [[f.say("%s is subscribed to from new messages on, and %s were published to it before, in these captures: this subscription does not deliver them", c.stream, f.counted(log.posted, "message", "messages"))]],
      "c log",
    },
    cause = "The default start position is NEW_ONLY. A reader that needs all messages has to give another one, such as the earliest message or an offset.",
  },
  {
    id = "LFB-B211",
    name = "lfb_b211",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publisher that is connected again and does not publish",
    on = "end:conn",
    evidence = { [[f.first_known(conn.asked_n, coming.published_n)]], "conn coming" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((coming.published_n ~= nil) and (conn.t ~= nil and coming.lost_t ~= nil and conn.t > coming.lost_t) and (conn.t ~= nil and coming.lost_t ~= nil and (conn.t - coming.lost_t) < K.LOST_LATELY) and (conn.published == 0) and (conn.subscribed_n == nil) and (conn.asks ~= nil and conn.asks >= K.ASKS_LIMIT) and (conn.asked_t ~= nil and conn.first_asked_t ~= nil and (conn.asked_t - conn.first_asked_t) > K.RESTORED) and (conn.first_asked_t ~= nil and (t - conn.first_asked_t) > K.BACK_FOR))]],
      "coming conn t",
    },
    says = {
      [[f.say("%s published to %s until the server ended its connection; on this one, %s later, it has asked for metadata %s times in %s; no connection of %s has published since", client, coming.out, f.time((conn.t ~= nil and coming.lost_t ~= nil and (conn.t - coming.lost_t) or nil)), conn.asks, f.time((conn.asked_t ~= nil and conn.first_asked_t ~= nil and (conn.asked_t - conn.first_asked_t) or nil)), client)]],
      "client coming conn",
    },
    cause = "The call of PublishAsync ended with its connection and is not made again: the client fails or times out locally each time.",
  },
  {
    id = "LFB-B212",
    name = "lfb_b212",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription that is not made again though its client is connected again",
    on = "end:conn",
    evidence = { [[f.first_known(conn.asked_n, coming.sub_n)]], "conn coming" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((coming.lost_subs ~= nil and coming.lost_subs > (coming.tried or 0)) and (conn.t ~= nil and coming.lost_t ~= nil and conn.t > coming.lost_t) and (conn.t ~= nil and coming.lost_t ~= nil and (conn.t - coming.lost_t) < K.LOST_LATELY) and (conn.published == 0) and (conn.subscribed_n == nil) and (conn.asks ~= nil and conn.asks >= K.ASKS_LIMIT) and (conn.asked_t ~= nil and conn.first_asked_t ~= nil and (conn.asked_t - conn.first_asked_t) > K.RESTORED) and (conn.first_asked_t ~= nil and (t - conn.first_asked_t) > K.BACK_FOR))]],
      "coming conn t",
    },
    says = {
      [[f.say("%s had %s when the server ended its connections, the last one to %s, and has subscribed %s since; this connection, %s later, has asked for metadata %s times in %s and subscribes to nothing", client, f.counted(coming.lost_subs, "subscription", "subscriptions"), coming.stream, f.counted((coming.tried or 0), "time", "times"), f.time((conn.t ~= nil and coming.lost_t ~= nil and (conn.t - coming.lost_t) or nil)), conn.asks, f.time((conn.asked_t ~= nil and conn.first_asked_t ~= nil and (conn.asked_t - conn.first_asked_t) or nil)))]],
      "client coming conn",
    },
    cause = "The client takes the end of the call for the end of the stream, or waits for no time to subscribe again: messages no longer reach it.",
  },
  {
    id = "LFB-B213",
    name = "lfb_b213",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Fewer subscriptions than before the server ended the connections",
    on = "end:coming",
    evidence = { [[f.first_known(coming.renewed_n, coming.sub_n)]], "coming" },
    needs = {},
    of = "coming",
    when = {
      [[(((coming.flow ~= nil and coming.flow >= 0) and (coming.renewed ~= nil and coming.renewed > 0) and (coming.lost_subs ~= nil and coming.renewed ~= nil and coming.lost_subs > coming.renewed) and (coming.lost_subs ~= nil and coming.lost_subs > (coming.tried or 0)) and (coming.renewed_t ~= nil and (t - coming.renewed_t) > K.BACK_FOR)) and ((captures.are_partial or 0) == 0))]],
      "coming t captures",
    },
    says = {
      [[f.say("a client had %s when the server ended its connections, the last one to %s, and has made %s again, %s before the end of the captures", f.counted(coming.lost_subs, "subscription", "subscriptions"), coming.stream, coming.renewed, f.time((coming.renewed_t ~= nil and (t - coming.renewed_t) or nil)))]],
      "coming t",
    },
    cause = "One part of the program subscribes again, and another takes the end of the call for the end of the stream: it gets nothing more.",
  },
  {
    id = "LFB-B190",
    name = "lfb_b190",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages deleted before a reader that resumes has read them",
    on = "message",
    needs = { "whole", "both" },
    of = "sub",
    again = true,
    guard = 91,
    when = {
      [[((sub.first == nil) and (sub.start ~= nil and sub.start > 0) and (sub.start ~= nil and (c.offset or 0) > sub.start) and ((log.made_n == nil) or (not f.coalesce(log.compacted, false))))]],
      "c sub log",
    },
    says = {
      [[f.say("the subscription to %s was to begin at offset %s, and the first message has offset %s: the %s before it were deleted unread", c.stream, sub.start, (c.offset or 0), f.counted((sub.start ~= nil and ((c.offset or 0) - sub.start) or nil), "message", "messages"))]],
      "c sub",
    },
    cause = "The stream keeps less than comes while the reader is away (retention.max.messages, .bytes or .age); the server begins at the oldest message that it still has, without an error.",
  },
  {
    id = "LFB-B191",
    name = "lfb_b191",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message stored for each try that was sent before its ack",
    on = "publish_response",
    needs = { "whole", "both" },
    of = "attempt",
    again = true,
    guard = 24,
    when = {
      [[((attempt.resent ~= nil and attempt.resent >= 1) and (attempt.settled == nil) and (attempt.stored_at ~= nil) and (attempt.stored_at ~= nil and (c["ack.offset"] or 0) ~= attempt.stored_at))]],
      "c attempt",
    },
    says = {
      [[f.say("a message for %s was sent %s times before its first ack, and is stored more than once: at offset %s, and at %s", c["ack.stream"], (attempt.resent ~= nil and (attempt.resent + 1) or nil), attempt.stored_at, (c["ack.offset"] or 0))]],
      "c attempt",
    },
    cause = "The publisher waits for the ack for a shorter time than replication may take: while a replica is away, an ack of all replicas comes after replica.max.lag.time. The ack of the first try was under way.",
  },
  {
    id = "LFB-B192",
    name = "lfb_b192",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Many subscriptions of a connection that receive the same messages",
    on = "message",
    needs = {},
    of = "reader",
    guard = 10,
    when = {
      [[((sub.n ~= nil and reader.copy_sub ~= nil and sub.n ~= reader.copy_sub) and (reader.copy_flow ~= nil and flow ~= nil and reader.copy_flow == flow) and (reader.copy_of ~= nil and (c.offset or 0) == reader.copy_of) and (reader.copies ~= nil and (reader.copies + 1) >= K.COPIES_LIMIT))]],
      "c sub reader flow",
    },
    says = {
      [[f.say("message %s of partition %s of %s is sent %s times on this connection, once for each subscription that is open", (c.offset or 0), (c.partition or 0), c.stream, (reader.copies ~= nil and (reader.copies + 1) or nil))]],
      "c reader",
    },
    cause = "The program subscribes for each page, request or task, and never cancels the call: the server keeps each subscription, and sends every message as often.",
  },
  {
    id = "LFB-B150",
    name = "lfb_b150",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack for another subject than the message was published to",
    on = "client:ack",
    needs = {},
    of = "pub",
    guard = 92,
    when = { [[(c.msg_subject ~= nil and pub.subject ~= nil and c.msg_subject ~= pub.subject)]], "c pub" },
    says = {
      [[f.say("the message that was published to %s is acknowledged as one of %s", pub.subject, c.msg_subject)]],
      "c pub",
    },
    cause = "Two messages have one correlation id, or the server has mixed them up.",
  },
  {
    id = "LFB-B151",
    name = "lfb_b151",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack sent to another subject than its ack inbox",
    on = "client:ack",
    needs = {},
    of = "pub",
    guard = 93,
    says = {
      [[f.say("the ack for %s is sent to %s: its publisher does not get it", c.ack_inbox, c["carrier.subject"])]],
      "c",
    },
  },
  {
    id = "LFB-B152",
    name = "lfb_b152",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack with another ack policy than the message",
    on = "client:ack",
    needs = {},
    of = "pub",
    guard = 32,
    when = { [[(pub.policy ~= nil and (c.ack_policy or 0) ~= pub.policy)]], "c pub" },
    says = {
      [[f.say("a message with ack policy %s on %s is acknowledged with policy %s: the ack comes from the leader alone, or from all replicas, and not as was wanted", pub.policy, c.msg_subject, (c.ack_policy or 0))]],
      "c pub",
    },
    cause = "Two messages have one correlation id, or the server has mixed them up.",
  },
  {
    id = "LFB-B153",
    name = "lfb_b153",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Ack with a commit time before the time of reception",
    on = "client:ack",
    needs = {},
    of = "pub",
    guard = 94,
    says = {
      [[f.say("a message of %s was received at %s and committed at %s, before that", c.stream, c.reception_timestamp, c.commit_timestamp)]],
      "c",
    },
    cause = "The clock of the server was set back.",
  },
  {
    id = "LFB-B153b",
    name = "lfb_b153b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Answer to Publish with a commit time before the time of reception",
    on = "publish_response",
    needs = {},
    of = "pub",
    guard = 95,
    says = {
      [[f.say("a message of %s was received at %s and committed at %s, before that", c["ack.stream"], c["ack.reception_timestamp"], c["ack.commit_timestamp"])]],
      "c",
    },
    cause = "The clock of the server was set back.",
  },
  {
    id = "LFB-B154",
    name = "lfb_b154",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Answer to PublishAsync with two correlation ids",
    on = "publish_response",
    needs = {},
    of = "posted",
    guard = 96,
    says = {
      [[f.say("PublishAsync was answered for %s with the ack of %s: the client takes one message for another", c.correlation_id, c["ack.correlation_id"])]],
      "c",
    },
    cause = "The server has mixed up two messages.",
  },
  {
    id = "LFB-B155",
    name = "lfb_b155",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Answer to PublishAsync for a correlation id that was not published",
    on = "publish_response",
    needs = { "start", "whole", "both" },
    of = "posted",
    when = { [[(posted.state == "absent")]], "posted" },
    says = {
      [[f.say("PublishAsync was answered for %s, which this connection has not published", f.coalesce(c.correlation_id, c["ack.correlation_id"]))]],
      "c",
    },
    cause = "The answer is for another connection, or the server changes ids.",
  },
  {
    id = "LFB-B156",
    name = "lfb_b156",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Second answer to a message of PublishAsync",
    on = "publish_response",
    needs = { "object" },
    of = "posted",
    when = {
      [[((posted.state == "answered") and (posted.answers ~= nil and posted.asked ~= nil and posted.answers >= posted.asked) and ((posted.stored_in or "") == (c["ack.stream"] or "")))]],
      "c posted",
    },
    says = {
      [[f.say("the message %s was answered again: the client counts one message twice", f.coalesce(c.correlation_id, c["ack.correlation_id"]))]],
      "c",
    },
    cause = "Two servers act as the leader of the partition, or the message was stored twice.",
  },
  {
    id = "LFB-B157",
    name = "lfb_b157",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Answer to PublishAsync with neither ack nor error",
    on = "publish_response",
    needs = {},
    of = "conn",
    guard = 97,
    says = {
      [[f.say("PublishAsync was answered for %s with neither an ack nor an error: whether the message is stored is unknown", c.correlation_id)]],
      "c",
    },
  },
  {
    id = "LFB-B159",
    name = "lfb_b159",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "FetchCursor answered with a newer offset than was set",
    on = "fetch_cursor_response",
    needs = { "whole", "both" },
    of = "mark_object",
    when = {
      [[(((c.offset ~= nil and mark_object.confirmed ~= nil and c.offset > mark_object.confirmed) and (req.n ~= nil and mark_object.confirmed_n ~= nil and req.n > mark_object.confirmed_n) and (mark_object.set_n ~= nil and mark_object.confirmed_n ~= nil and mark_object.set_n < mark_object.confirmed_n) and (mark_object.mixed == nil)) and ((captures.are_partial or 0) == 0))]],
      "c mark_object req captures",
    },
    says = {
      [[f.say("cursor %s of %s is at %s, although it was set to %s in frame %s: the messages in between are skipped", req.cursor_id, req.stream, c.offset, mark_object.confirmed, mark_object.set_n)]],
      "c req mark_object",
    },
    cause = "The answer is for another cursor, or another program sets this one.",
  },
  {
    id = "LFB-B160",
    name = "lfb_b160",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Message of another stream or partition than was subscribed to",
    on = "message",
    needs = { "object" },
    of = "conn",
    when = {
      [[((conn.named_n ~= nil) and ((c.stream ~= nil and sub.stream ~= nil and c.stream ~= sub.stream) or ((c.stream ~= nil) and (sub.partition ~= nil and (c.partition or 0) ~= sub.partition))))]],
      "c conn sub",
    },
    says = {
      [[f.say("the subscription to partition %s of %s received a message of partition %s of %s", sub.partition, sub.stream, (c.partition or 0), c.stream)]],
      "c sub",
    },
  },
  {
    id = "LFB-B161",
    name = "lfb_b161",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Offsets missing in a subscription",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.count ~= nil and sub.count > 1) and (c.offset ~= nil and sub.last ~= nil and c.offset > (sub.last + 1)))]],
      "c sub",
    },
    says = {
      [[f.say("offset %s of %s was delivered right after %s: those in between were not", c.offset, c.stream, sub.last)]],
      "c sub",
    },
    cause = "The server has left messages out, or has deleted them while they were read.",
  },
  {
    id = "LFB-B162",
    name = "lfb_b162",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message before the offset that was asked for",
    on = "message",
    needs = { "object" },
    of = "sub",
    guard = 10,
    when = { [[(sub.start ~= nil and (c.offset or 0) < sub.start)]], "c sub" },
    says = {
      [[f.say("the subscription to %s begins at offset %s, and received %s: a message that the client has processed comes again", c.stream, sub.start, (c.offset or 0))]],
      "c sub",
    },
    cause = "The stream ends before the offset that was asked for, or was truncated.",
  },
  {
    id = "LFB-B163",
    name = "lfb_b163",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message with an earlier time than the one before",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.count ~= nil and sub.count > 1) and ((c.timestamp ~= nil and 0 < c.timestamp) and (c.timestamp ~= nil and sub.stamp ~= nil and c.timestamp < sub.stamp)) and (c.offset ~= nil and sub.last ~= nil and c.offset > sub.last))]],
      "c sub",
    },
    says = {
      [[f.say("offset %s of %s has time %s, and offset %s before it %s: subscriptions that begin at a time skip or repeat messages here", c.offset, c.stream, c.timestamp, sub.last, sub.stamp)]],
      "c sub",
    },
    cause = "The clock of the leader was set back, or differs from that of the one before.",
  },
  {
    id = "LFB-B164",
    name = "lfb_b164",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Message after the offset at which the subscription ends",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = { [[(c.offset ~= nil and sub.stops_at ~= nil and c.offset > sub.stops_at)]], "c sub" },
    says = {
      [[f.say("the subscription to %s ends at offset %s, and received %s", c.stream, sub.stops_at, c.offset)]],
      "c sub",
    },
  },
  {
    id = "LFB-B165",
    name = "lfb_b165",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "FetchMetadata answered about other streams than were asked for",
    on = "fetch_metadata_response",
    needs = {},
    of = "conn",
    guard = 98,
    when = {
      [[(((f.len(req.names) or 0) > 0) and ((f.strange(c["stream_metadata.name[]"], req.names, {}) ~= nil) or (f.strange(req.names, c["stream_metadata.name[]"], {}) ~= nil)))]],
      "c req",
    },
    says = {
      [[f.say("the client asked for %s, and the server answered about %s", req.names, c["stream_metadata.name[]"])]],
      "c req",
    },
  },
  {
    id = "LFB-B166",
    name = "lfb_b166",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Listed server that cannot be connected to",
    on = "fetch_metadata_response",
    needs = {},
    of = "conn",
    guard = 99,
    says = {
      [[f.say("FetchMetadata lists servers at %s, port %s: one of them has no host, or no port that exists", c["brokers.host[]"], c["brokers.port[]"])]],
      "c",
    },
    cause = "The setting host or port of a server is not as it should be.",
  },
  {
    id = "LFB-B169",
    name = "lfb_b169",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Assigned partitions of a stream that the consumer has not joined for",
    on = "fetch_consumer_group_assignments_response",
    needs = { "object" },
    of = "member",
    when = {
      [[(((f.len(member.names) or 0) > 0) and (f.strange(c["assignments.stream[]"], member.names, {}) ~= nil))]],
      "c member",
    },
    says = {
      [[f.say("%s of group %s joined for %s, and is assigned partitions of %s", member.consumer, member.group, member.names, c["assignments.stream[]"])]],
      "c member",
    },
  },
  {
    id = "LFB-B170",
    name = "lfb_b170",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Decreasing epoch of a consumer group",
    on = "fetch_consumer_group_assignments_response",
    needs = { "object" },
    of = "member",
    when = { [[(member.group_epoch ~= nil and (c.epoch or 0) < member.group_epoch)]], "c member" },
    says = {
      [[f.say("group %s had epoch %s, and now has %s", member.group, member.group_epoch, (c.epoch or 0))]],
      "c member",
    },
    cause = "The server that answers does not know the latest change of the group.",
  },
  {
    id = "LFB-B220",
    name = "lfb_b220",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Ack of a message without the ack of the one before it",
    on = "server:ack",
    needs = { "both", "whole" },
    of = "lane",
    guard = 25,
    when = {
      [[((wait.state == "waiting") and (wait.turn ~= nil and wait.turn > ((lane.acked or 0) + 1)) and (lane.mixed == nil))]],
      "wait lane",
    },
    says = {
      [[f.say("%s acknowledged a message to %s, but not the %s that this connection published there before it", c.stream, c.msg_subject, f.counted((wait.turn ~= nil and ((wait.turn - (lane.acked or 0)) - 1) or nil), "message", "messages"))]],
      "c wait lane",
    },
    cause = "The message before was not stored, or its ack was lost: acks of one subject and policy come in the order of the messages.",
  },
  {
    id = "LFB-B220b",
    name = "lfb_b220b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Answer to PublishAsync without the answer to the message before it",
    on = "publish_response",
    needs = { "both", "whole" },
    of = "queue",
    guard = 24,
    when = {
      [[((posted.state == "open") and (posted.turn ~= nil and posted.turn > ((queue.acked or 0) + 1)) and (queue.mixed == nil))]],
      "posted queue",
    },
    says = {
      [[f.say("PublishAsync answered a message for partition %s of %s, but not the %s before it", posted.to_partition, posted.to, f.counted((posted.turn ~= nil and ((posted.turn - (queue.acked or 0)) - 1) or nil), "message", "messages"))]],
      "posted queue",
    },
    cause = "The message before was not stored, or the server has lost its ack: the client waits for it until its own timeout.",
  },
  {
    id = "LFB-B221",
    name = "lfb_b221",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection closed while an ack was awaited",
    on = "end:wait",
    evidence = { [[f.first_known(wait.n)]], "wait" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((wait.state == "waiting") and (wait.turn ~= nil) and LISTS[2][why] and (conn.acks ~= nil and conn.acks >= 1) and ((wait.t ~= nil and K.ACK_SOON < (t - wait.t)) and (wait.t ~= nil and (t - wait.t) < K.ACK_LATE)))]],
      "wait why conn t",
    },
    says = {
      [[f.say("the message to %s was not acknowledged until the connection ended, %s after it", wait.subject, f.time((wait.t ~= nil and (t - wait.t) or nil)))]],
      "wait t",
    },
    cause = "The server has not stored the message, or the program ends without waiting for its acks.",
  },
  {
    id = "LFB-B223",
    name = "lfb_b223",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same message published again before its ack",
    on = "client:publish",
    needs = { "object" },
    of = "wait",
    when = {
      [[((wait.state == "waiting") and (wait.content ~= nil and f.digest(c["value raw"]) ~= nil and wait.content == f.digest(c["value raw"])))]],
      "c wait",
    },
    says = {
      [[f.say("the same message was published to %s again %s later, before the ack for it", c["carrier.subject"], f.time((wait.t ~= nil and (t - wait.t) or nil)))]],
      "c wait t",
    },
    cause = "A retry that does not wait long enough, or two parts of the program that send the same: the message is stored twice.",
  },
  {
    id = "LFB-B224",
    name = "lfb_b224",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Ack of a message that was not published",
    on = "server:ack",
    needs = { "start", "whole", "both" },
    of = "wait",
    when = {
      [[((wait.state == "absent") and (conn.wanted == 1) and (((c.correlation_id == nil) and (pub.state == "unknown")) or (pub.state == "asked")))]],
      "c wait conn pub",
    },
    says = {
      [[f.say("%s acknowledged a message of %s to %s, which no message of this connection has named", c.stream, c.msg_subject, c.ack_inbox)]],
      "c",
    },
    cause = "Two publishers share an ack inbox, or the message was changed on its way.",
  },
  {
    id = "LFB-B225",
    name = "lfb_b225",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Acks of one message with different offsets",
    on = "ack",
    needs = {},
    of = "sole",
    guard = 25,
    when = {
      [[((sole.times == 1) and (sole.acked_stream ~= nil and c.stream ~= nil and sole.acked_stream == c.stream) and (sole.acked_subject ~= nil and c.partition_subject ~= nil and sole.acked_subject == c.partition_subject) and (sole.offset ~= nil and (c.offset or 0) ~= sole.offset))]],
      "c sole",
    },
    says = {
      [[f.say("%s acknowledged a message at offset %s, after an ack for it at %s", c.stream, (c.offset or 0), sole.offset)]],
      "c sole",
    },
    cause = "The message was stored twice, or two servers act as the leader of the partition.",
  },
  {
    id = "LFB-B225b",
    name = "lfb_b225b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Answer with another offset than the ack on NATS",
    on = "publish_response publish_to_subject_response",
    needs = {},
    of = "sole",
    guard = 38,
    when = {
      [[((sole.times == 1) and (sole.acked_stream ~= nil and c["ack.stream"] ~= nil and sole.acked_stream == c["ack.stream"]) and (sole.acked_subject ~= nil and c["ack.partition_subject"] ~= nil and sole.acked_subject == c["ack.partition_subject"]) and (sole.offset ~= nil and (c["ack.offset"] or 0) ~= sole.offset))]],
      "c sole",
    },
    says = {
      [[f.say("the client received offset %s of %s for a message that was acknowledged at %s", (c["ack.offset"] or 0), c["ack.stream"], sole.offset)]],
      "c sole",
    },
    cause = "The server answers with the ack of another message.",
  },
  {
    id = "LFB-B226",
    name = "lfb_b226",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Delivered message that differs from what was acknowledged",
    on = "message",
    needs = {},
    of = "kept",
    when = {
      [[((kept.mixed == nil) and ((kept.value ~= nil and f.digest(c["value raw"]) ~= nil and kept.value ~= f.digest(c["value raw"])) or (kept.offset ~= nil and kept.offset ~= (c.offset or 0))))]],
      "c kept",
    },
    says = {
      [[f.say("offset %s of %s was delivered with time %s; the message of this time was acknowledged at offset %s, or with another content", (c.offset or 0), c.stream, c.timestamp, kept.offset)]],
      "c kept",
    },
    cause = "The ack was for another message, or the log was truncated and written again after a change of the leader: the message is lost.",
  },
  {
    id = "LFB-B227",
    name = "lfb_b227",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Message published otherwise than it was requested",
    on = "client:publish",
    needs = {},
    of = "sole",
    when = {
      [[((sole.requests == 1) and (sole.times == nil) and ((sole.asked_value ~= nil and f.digest(c["value raw"]) ~= nil and sole.asked_value ~= f.digest(c["value raw"])) or (sole.asked_stream ~= nil and c.stream ~= nil and sole.asked_stream ~= c.stream) or (sole.asked_policy ~= nil and sole.asked_policy ~= (c.ack_policy or 0))))]],
      "c sole",
    },
    says = {
      [[f.say("the server published to %s another content, stream or ack policy than the client requested for %s", c["carrier.subject"], sole.asked_stream)]],
      "c sole",
    },
    cause = "Two messages have one correlation id, or the server has mixed them up.",
  },
  {
    id = "LFB-B232",
    name = "lfb_b232",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack of a message to a stream of the servers, with another subject",
    on = "client:ack",
    needs = {},
    of = "sole",
    guard = 100,
    when = {
      [[((sole.times == 1) and (c.msg_subject ~= nil and sole.subject ~= nil and c.msg_subject ~= sole.subject))]],
      "c sole",
    },
    says = {
      [[f.say("the message that was published to %s is acknowledged as one of %s", sole.subject, c.msg_subject)]],
      "c sole",
    },
    cause = "The server has mixed up two messages.",
  },
  {
    id = "LFB-B232b",
    name = "lfb_b232b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack of a message to a stream of the servers, with another policy",
    on = "client:ack",
    needs = {},
    of = "sole",
    guard = 101,
    when = {
      [[((sole.times == 1) and (sole.policy ~= nil and (c.ack_policy or 0) ~= sole.policy))]],
      "c sole",
    },
    says = {
      [[f.say("a message with ack policy %s on %s is acknowledged with policy %s", sole.policy, c.msg_subject, (c.ack_policy or 0))]],
      "c sole",
    },
    cause = "The server has mixed up two messages.",
  },
  {
    id = "LFB-B232c",
    name = "lfb_b232c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Ack of a message to a stream of the servers, with another stream",
    on = "client:ack",
    needs = {},
    of = "sole",
    guard = 102,
    when = {
      [[((sole.times == 1) and (c.stream ~= nil and sole.stream ~= nil and c.stream ~= sole.stream))]],
      "c sole",
    },
    says = { [[f.say("the message for %s is acknowledged by %s", sole.stream, c.stream)]], "c sole" },
    cause = "The server has mixed up two messages.",
  },
  {
    id = "LFB-B222",
    name = "lfb_b222",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Empty message within a subscription",
    on = "message",
    needs = { "object" },
    of = "sub",
    guard = 103,
    when = { [[(sub.count ~= nil and sub.count >= 1)]], "sub" },
    says = {
      [[f.say("the subscription to %s received an empty message, which says that it begins, again", sub.stream)]],
      "sub",
    },
  },
  {
    id = "LFB-B222b",
    name = "lfb_b222b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription without the empty message that it begins with",
    on = "message",
    needs = { "object", "both", "whole" },
    of = "sub",
    guard = 104,
    when = { [[((sub.count == 0) and (sub.state == "asked"))]], "sub" },
    says = {
      [[f.say("the subscription to %s began with a message, instead of the empty one that says that it is ready", sub.stream)]],
      "sub",
    },
    cause = "Clients take the first message for the empty one, and pass over this one.",
  },
  {
    id = "LFB-B228",
    name = "lfb_b228",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Older message in a subscription to new messages only",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.kind == 0) and (kept.acked_t ~= nil and sub.t ~= nil and kept.acked_t < sub.t))]],
      "sub kept",
    },
    says = {
      [[f.say("the subscription to %s is for new messages, and received offset %s, which was acknowledged before the subscription", c.stream, (c.offset or 0))]],
      "c",
    },
  },
  {
    id = "LFB-B228b",
    name = "lfb_b228b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Second older message in a subscription from the latest one",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.kind == 3) and (sub.count ~= nil and sub.count >= 2) and (kept.acked_t ~= nil and sub.t ~= nil and kept.acked_t < sub.t))]],
      "sub kept",
    },
    says = {
      [[f.say("the subscription to %s is for the latest message and those after it, and received offset %s, which was acknowledged before the subscription", c.stream, (c.offset or 0))]],
      "c",
    },
  },
  {
    id = "LFB-B228c",
    name = "lfb_b228c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message of an earlier time than the subscription begins at",
    on = "message",
    needs = { "object" },
    of = "sub",
    guard = 105,
    when = { [[(c.timestamp ~= nil and sub.since ~= nil and c.timestamp < sub.since)]], "c sub" },
    says = {
      [[f.say("the subscription to %s begins at time %s, and received offset %s with time %s", c.stream, sub.since, (c.offset or 0), c.timestamp)]],
      "c sub",
    },
    cause = "The clock of a leader was set back, or differs from that of the one before.",
  },
  {
    id = "LFB-B228d",
    name = "lfb_b228d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message of a later time than the subscription ends at",
    on = "message",
    needs = { "object" },
    of = "sub",
    when = {
      [[((c.timestamp ~= nil and sub["until"] ~= nil and c.timestamp > sub["until"]) and (sub["until"] ~= nil and sub["until"] > 0))]],
      "c sub",
    },
    says = {
      [[f.say("the subscription to %s ends at time %s, and received offset %s with time %s", c.stream, sub["until"], (c.offset or 0), c.timestamp)]],
      "c sub",
    },
    cause = "The clock of a leader was set back, or differs from that of the one before.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "create_stream_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 106,
    says = { [[f.say("%s has no name or no subject", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "delete_stream_request pause_stream_request set_stream_readonly_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 107,
    says = { [[f.say("%s has no name", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229_3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "subscribe_request fetch_partition_metadata_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 108,
    says = { [[f.say("%s has no stream", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229_4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "publish_to_subject_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 109,
    says = { [[f.say("%s has no subject", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229_5",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "set_cursor_request fetch_cursor_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 110,
    says = { [[f.say("%s has no stream or no cursor_id", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B229",
    name = "lfb_b229_6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Request without a name that it needs",
    on = "join_consumer_group_request leave_consumer_group_request fetch_consumer_group_assignments_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 111,
    says = { [[f.say("%s has no group_id or no consumer_id", name)]], "name" },
    cause = "A variable of the program is empty: the server refuses the request with INVALID_ARGUMENT or NOT_FOUND.",
  },
  {
    id = "LFB-B230",
    name = "lfb_b230",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Request of a consumer that has not joined, on the connection of one that has",
    on = "fetch_consumer_group_assignments_request leave_consumer_group_request",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[((crew.joined_n == nil) and (conn.joined_n ~= nil))]], "crew conn" },
    says = {
      [[f.say("%s is for %s of group %s; this connection has joined group %s as %s", name, c.consumer_id, c.group_id, conn.joined_group, conn.joined_as)]],
      "c name conn",
    },
    cause = "The consumer id or the name of the group is made anew for each request: the membership that was joined is not kept.",
  },
  {
    id = "LFB-B234",
    name = "lfb_b234",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "FetchMetadata answered without any server",
    on = "fetch_metadata_response",
    needs = {},
    of = "conn",
    guard = 112,
    says = { [[f.say("FetchMetadata lists no server: the client does not know where partitions are")]] },
  },
  {
    id = "LFB-B234b",
    name = "lfb_b234b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "JoinConsumerGroup answered without a coordinator or a timeout",
    on = "join_consumer_group_response",
    needs = {},
    of = "conn",
    guard = 113,
    says = {
      [[f.say("JoinConsumerGroup was answered with coordinator %s, consumer timeout %s and coordinator timeout %s: the consumer cannot keep its membership", (c.coordinator or "none"), (c.consumer_timeout or 0), (c.coordinator_timeout or 0))]],
      "c",
    },
  },
  {
    id = "LFB-B234c",
    name = "lfb_b234c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Cursor at an offset below -1",
    on = "fetch_cursor_response",
    needs = {},
    of = "conn",
    guard = 114,
    says = { [[f.say("FetchCursor was answered with offset %s; -1 is that of no cursor", c.offset)]], "c" },
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

f.predicates = (function(near, contents, tables)
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
end)(f.near, f.contents, {})

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


-- Messages of calls, inside Wireshark's own gRPC -----------------------------------------------------------------
-- Wireshark asks for readers of messages, but not of empty ones, and says nothing of their streams. So the frames of
-- HTTP/2 are walked here as well, for the messages that end in them, and for the ends of calls.

;(function()

local DIRECTIONS = { ["grpc.message"] = "request", ["grpc.reply"] = "response" } -- slot to what Wireshark calls it
local CONTENT_TYPES = { "application/grpc", "application/grpc+proto" }
local PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" -- what a client of HTTP/2 sends first
local RECORD = "\22\3" -- what TLS begins with, which Wireshark recognises where no other dissector takes it
local DATA, HEADERS, RESET, CONTINUATION = 0, 1, 3, 9 -- types of frames
local END_STREAM, END_HEADERS, PADDED = 1, 4, 8
local HEAD, PREFIX = 9, 5 -- bytes before what a frame brings, and before a message
local MOST_CALLS = 4096 -- of a connection that are remembered

local stream_ids = Field.new("http2.streamid")
local SAID = {} -- what Wireshark's HTTP/2 has of header blocks: how many headers each has, names, values
for index, name in ipairs({ "count", "name", "value" }) do SAID[index] = Field.new("http2.header." .. name) end

local message = Proto(NAME .. "_call", TITLE .. " call")
local by_key = {} -- what Wireshark looks messages up by: content type, path, direction
local ours = {} -- paths of the calls that are of this protocol

local segment -- what HTTP/2 is reading, and how far its frames were walked; nil while it reads none
local brought = {} -- segment to what came with it: calls that begin, that end; messages, and the empty ones

function message.init() segment, brought = nil, {} end

local function bring(what, of)
  local own = segment.brings or {}
  brought[segment.id], segment.brings = own, own
  own[what] = own[what] or {}
  table.insert(own[what], of)
end

-- Frames in a segment that are of calls, but for one that its end cuts.
local function frames_of()
  local all, from = {}, data:sub(1, #PREFACE) == PREFACE and #PREFACE or 0
  while #data - from >= HEAD do
    local kind, flags = bytes_at(data, from + 4, from + 5)
    local first_byte, after = from + HEAD, from + HEAD + u24(from)
    if after > #data then break end
    local frame = { kind = kind, flags = flags, stream = u32(from + 5) % 0x80000000, at = first_byte, stop = after }
    if kind == DATA and band(flags, PADDED) ~= 0 and first_byte < after then
      frame.at, frame.stop = first_byte + 1, after - u8(first_byte)
    end
    if kind == DATA or kind == HEADERS or kind == RESET or kind == CONTINUATION then all[#all + 1] = frame end
    from = after
  end
  return all
end

-- The next message that ends in a frame of data: its bytes, and whether they are packed; nil where no more do.
local function next_message(half, frame)
  while frame.at < frame.stop do
    if half.missing then
      local most = math.min(half.missing, frame.stop - frame.at)
      half.missing, frame.at = half.missing - most, frame.at + most
    else
      local most = math.min(PREFIX - #half.prefix, frame.stop - frame.at)
      half.prefix = half.prefix .. segment.data:sub(frame.at + 1, frame.at + most)
      frame.at = frame.at + most
      if #half.prefix == PREFIX then
        local packed, a, b, c, d = half.prefix:byte(1, PREFIX)
        half.size, half.packed = ((a * 256 + b) * 256 + c) * 256 + d, packed ~= 0
        half.missing = half.size
      end
    end
    if half.missing == 0 then
      half.missing, half.prefix = nil, ""
      return half.size, half.packed
    end
  end
end

-- The messages of a call are no longer known one by one: those that follow are no rows, and what was counted is in doubt.
local function lose(call)
  call.lost, conversation.lost = true, true
  talks.lose()
  conversation.epoch = conversation.talk.conn.epoch
end

-- The same of all calls, where bytes are missing.
local function lose_all()
  for _, stream in pairs(conversation.calls.order) do
    local call = conversation.calls[stream]
    if call then call.lost, conversation.lost = true, true end
  end
end

-- What the headers say that end in the next block.
local function headers_here()
  segment.blocks = segment.blocks + 1
  local said = segment.said
  if not said or not said[1][segment.blocks] then
    said = {}
    for index, each in ipairs(SAID) do said[index] = { select(segment.before[index] + 1, each()) } end
    segment.said = said
  end
  local found, from = {}, segment.header
  local count = said[1][segment.blocks]
  segment.header = from + (count and count.value or 0)
  for nth = from + 1, segment.header do
    if said[2][nth] and said[3][nth] then found[said[2][nth].value] = said[3][nth].value end
  end
  return found
end

-- Remembers a call; the oldest makes room.
local function open_call(call)
  local open = conversation.calls
  open[call.stream] = call
  open.last = open.last + 1
  open.order[open.last] = call.stream
  if open.last - open.first >= MOST_CALLS then
    local oldest = open.order[open.first]
    open[oldest], open.order[open.first], open.first = nil, nil, open.first + 1
  end
end

local function end_call(stream, status)
  local call = conversation.calls[stream]
  if not call or call.side == side_of() then return end
  conversation.calls[stream] = nil
  call.last, call.time, call.status = here.number, here.rel_ts - call.mark, status
  bring("ended", call)
end

-- A client's headers begin a call, those that end a server's half of the stream end it.
local function see_headers(frame)
  local said = headers_here()
  local path, kind = said[":path"], (said["content-type"] or ""):match("^[^;%s]*"):lower()
  if path and ours[path] then
    local side = side_of()
    conversation.client = conversation.client or side
    local call = { path = path, method = path:match("[^/]*$"), stream = frame.stream, side = side }
    call.first, call.mark = here.number, here.rel_ts
    call.request, call.response = by_key[kind .. "," .. path .. ",request"], by_key[kind .. "," .. path .. ",response"]
    open_call(call)
    bring("begun", call)
  elseif not path and frame.kind == HEADERS and band(frame.flags, END_STREAM) ~= 0 then
    local status = (said["grpc-status"] or ""):match("^%d%d?%d?%d?$")
    end_call(frame.stream, STATUSES[tonumber(status or -1)] or status)
  end
end

-- What messages of one side of a call are; nil where Wireshark hands them over to no dissector.
local function kind_of(call) return call.side == side_of() and call.request or call.response end

-- What is around a message of a call.
local function carrier_of(call, bytes)
  return call and { columns = { stream_id = call.stream, path = call.path, method = call.method, message = bytes } }
end

-- Follows a message of these bytes as a row of the conversation, with the values `columns`.
local function follow(call, columns, bytes)
  v, around = columns, carrier_of(call, bytes)
  talks.follow(kind_of(call), side_of(), #bytes)
  around = nil
  return { id = id_here, call = call }
end

-- Walks on to the end of the next message with bytes: its call and number of bytes, and whether they are packed; nil at
-- the end of the segment. Empty messages are rows at once.
local function walk_on()
  local open = conversation.calls
  local frame = segment.frames[segment.nth]
  while frame do
    local call, size, packed = open[frame.stream], nil, nil
    if frame.kind == DATA and call and segment.follows and not call.lost and kind_of(call) then
      local side = side_of()
      call[side] = call[side] or { prefix = "" }
      size, packed = next_message(call[side], frame)
    elseif frame.kind == RESET then end_call(frame.stream, "reset")
    elseif frame.kind ~= DATA and band(frame.flags, END_HEADERS) ~= 0 then see_headers(frame) end
    if size == 0 then
      large = false
      next_place()
      bring("empty", follow(call, {}, ""))
    elseif size then return call, size, packed
    else
      segment.nth = segment.nth + 1
      frame = segment.frames[segment.nth]
    end
  end
end

-- The call whose message Wireshark hands over, when it is seen first; nil where that is unknown.
local function call_of(kind, length)
  if conversation.lost then
    local last = select(-1, false, stream_ids())
    local call = last and conversation.calls[last.value]
    if not call or call.lost then return nil end
  end
  local call, size, packed = walk_on()
  if not call then return nil end
  if kind_of(call) == kind and (packed or size == length) then return call end
  lose(call)
end

-- What conversations said of a message, in its tree.
local function show_row(tree, row)
  local own = row and notes[row.id]
  if not own or not preferences.findings then return end
  id_here = row.id
  talks.show_findings(tree, own.findings)
end

function message.dissector(bytes, info, root)
  local kind, length = by_key[info.match_string], bytes:len()
  if not kind then return 0 end
  if segment and segment.number == info.number then pinfo, data = info, length > 0 and bytes:raw() or ""
  else begin(bytes, info, root, true) end
  if view.columns then info.cols.info:append(" " .. kind.name) end
  local shown, judged = what_is_wanted(kind, root)
  local call, row
  if segment and segment.follows then call = call_of(kind, length)
  elseif segment and segment.brings and segment.brings.messages then
    segment.turn = segment.turn + 1
    row = segment.brings.messages[segment.turn]
  end
  if not shown and not judged and not call then
    if segment and segment.follows then bring("messages", false) end
    return length
  end
  if call then next_place() else id_here = row and row.id or here.number end
  start(bytes, 0, length, 1000)
  local tree
  if shown or judged then
    tree = root:add(protocol, bytes(0, length))
    tree:append_text(", " .. kind.title .. ", " .. length .. " bytes")
  end
  root_tree, judged_item = root, tree
  begin_hiding(kind, 0, length)
  v = read_apart(bytes(0, length), kind.body, shown and tree or nil)
  judged_item, veiling = nil, false
  for _, each in ipairs(tree and problems or {}) do tree:add(header.problem, each.code):set_generated() end
  if tree and kind.kind and preferences.findings and conversation.talk and #problems > 0 then
    around = carrier_of(call or row and row.call, data)
    talks.show_findings(tree, talks.judge_problems(kind, side_of(), length))
    around = nil
  end
  if call then row = follow(call, v, data) end
  if segment and segment.follows then bring("messages", row or false) end
  if tree then show_row(tree, row) end
  return length
end

local messages, is_followed = DissectorTable.get("grpc_message_type"), false
for _, kind in pairs(calls) do
  kind.title, is_followed = kind.name:gsub("_", " "), is_followed or kind.kind ~= nil
  for slot in pairs(kind.slots) do
    for path in pairs(kind.paths) do
      ours[path] = true
      for _, content_type in ipairs(CONTENT_TYPES) do
        local key = content_type .. "," .. path .. "," .. DIRECTIONS[slot]
        by_key[key] = kind
        messages:add(key, message)
      end
    end
  end
end

-- Segments that Wireshark's HTTP/2 reads -------------------------------------------------------------------------

local WATCHERS = "streamshark.calls" -- where the plugins that follow calls find each other: one of them has a connection

-- Before HTTP/2 reads a segment.
local function open_segment(bytes, info, root)
  segment = nil
  begin(bytes, info, root)
  local id = here.number + select("#", stream_ids()) / FINE
  segment = { id = id, number = here.number, brings = brought[id], turn = 0, blocks = 0, header = 0, nth = 1, before = {} }
  if not view.tree or id <= (conversation.walked or 0) then return end
  conversation.walked = id
  conversation.calls = conversation.calls or { order = {}, first = 1, last = 0 }
  segment.data, segment.frames = data, frames_of()
  segment.follows = view.follows and is_followed
  for index, each in ipairs(SAID) do segment.before[index] = select("#", each()) end
  if not segment.follows then return end
  if bytes:len() < bytes:reported_len() then talks.lose() end
  local epoch = conversation.talk.conn.epoch
  if conversation.epoch and conversation.epoch ~= epoch then lose_all() end
  conversation.epoch = epoch
end

local function show_call(root, call)
  local tree = root:add(protocol)
  tree:append_text(", call of " .. call.method .. ", stream " .. call.stream)
  return tree
end

local function show_end(info, root, call)
  if view.columns then info.cols.info:append(" " .. call.method .. " status=" .. call.status) end
  if statistics.listening > 0 then statistics.see_call(call) end
  if not view.rooted then return end
  local tree = show_call(root, call)
  tree:append_text(": " .. call.status)
  tree:add(header.request, call.first):set_generated()
  tree:add(header.time, time_span(call.time)):set_generated()
end

-- An empty message, which Wireshark shows to no dissector.
local function show_empty(info, root, row)
  local kind = kind_of(row.call)
  if view.columns then info.cols.info:append(" " .. kind.name) end
  if not view.rooted and not view.judged then return end
  local tree = root:add(protocol)
  tree:append_text(", " .. kind.title .. ", 0 bytes")
  show_row(tree, row)
end

-- Behind what HTTP/2 has read: the rest of the frames, and what they bring.
local function close_segment(info, root)
  if segment.frames then
    local call = walk_on()
    while call do -- whose message Wireshark has handed over to no dissector
      lose(call)
      call = walk_on()
    end
  end
  local brings = segment.brings
  segment = nil
  if not brings then return end
  for _, row in ipairs(brings.empty or {}) do show_empty(info, root, row) end
  if not preferences.links then return end
  for _, call in ipairs(view.rooted and brings.begun or {}) do
    local tree = show_call(root, call)
    if call.last then tree:add(header.response, call.last):set_generated() end
  end
  for _, call in ipairs(brings.ended or {}) do show_end(info, root, call) end
end

local watchers = package.loaded[WATCHERS] or {}
package.loaded[WATCHERS] = watchers
watchers[#watchers + 1] = { open = open_segment, close = close_segment }

-- Wireshark takes no connection for HTTP/2 by itself: those of these ports, and those that begin as it does.
local http2 = Dissector.get("http2")

local found = Proto(NAME .. "_http2", "HTTP/2 (" .. TITLE .. ")")
function found.dissector(bytes, info, root)
  if bytes:len() >= #RECORD and bytes:raw(0, #RECORD) == RECORD then return 0 end
  info.can_desegment = 2 -- a dissector that is called has one less
  for _, watcher in ipairs(watchers) do watcher.open(bytes, info, root) end
  local used = http2:call(bytes, info, root)
  for _, watcher in ipairs(watchers) do watcher.close(info, root) end
  return used
end
if CALL_PORTS ~= "" then DissectorTable.get("tcp.port"):add(CALL_PORTS, found) end
DissectorTable.get("tls.alpn"):add("h2", found) -- in TLS both sides agree on it
found:register_heuristic("tcp", function(bytes, info, root)
  if bytes:len() < #PREFACE or bytes:raw(0, #PREFACE) ~= PREFACE then return false end
  info.conversation = found
  found.dissector(bytes, info, root)
  return true
end)

end)()

local within = (function()
  -- Which messages of NATS are Liftbridge's, and what each of them is: as `nats_envelope.py` has it.
  local MOST, MOST_PATTERNS = 4096, 256 -- subjects of each kind that are remembered; of those with wildcards
  local MAGIC, OLD_MAGIC, NO_RESPONDERS = "\185\14\67\180", "LIFT", 503
  local PUBLISH = 0 -- type of an envelope
  local ROLES = { streams = true, raft = true, replication = true, acks = true, publishes = true }
  local CALLS = { [0] = "append_entries", "request_vote", "install_snapshot", "timeout_now", "request_pre_vote" }
  local EMPTY = { leader_epoch_offset_request = true, propagated_request = true } -- all their members may have their default
  local REFUSED = { short = true, text = true, varint = true, wiretype = true, checksum = true, literal = true, claim = true }
  local AS_PLAIN = ": the server stores these bytes as they are"
  local INTERNAL = { -- subjects between servers behind the namespace, and what stands there
    { "^raft%.metadata%.bootstrap$", "raft_bootstrap" },
    { "^raft%.metadata%.bootstrap%.reply$", "raft_bootstrap_response" },
    { "^raft%.metadata%.join$", "raft_join_request" },
    { "^raft%.metadata%.info$", "server_info_request" },
    { "^raft%.metadata%.fetch%.[^.]+$", "server_info_response" },
    { "^raft%.metadata%.propagate$", "propagated_request" },
    { "^raft%.metadata%.status%.[^.]+$", "partition_status_request" },
    { "^raft%.metadata%.[^.]+%.accept$", "raft_accept" },
    { "^raft%.metadata%.[^.]+%.request%..+$", "stream" },
    { "^notify%.[^.]+$", "partition_notification" },
    { "^.+%.%d+%.replicate$", "replication_request" },
    { "^.+%.%d+%.offset$", "leader_epoch_offset_request" },
  }
  local ANSWERED = {}
  for _, name in ipairs({ "raft_join", "propagated", "partition_status", "replication", "leader_epoch_offset" }) do
    ANSWERED[name .. "_request"] = name .. "_response"
  end
  ANSWERED.raft_accept = "raft_accept_response"

  -- Keeps something by its name; the oldest makes room.
  local function remember(memory, what, name, value, most)
    local kept = memory[what] or { values = {}, names = {}, first = 1, last = 0, count = 0 }
    memory[what] = kept
    if kept.values[name] == nil then
      while kept.count >= (most or MOST) do
        local oldest = kept.names[kept.first]
        if oldest then kept.values[oldest], kept.count = nil, kept.count - 1 end
        kept.names[kept.first], kept.first = nil, kept.first + 1
      end
      kept.last, kept.count = kept.last + 1, kept.count + 1
      kept.names[kept.last] = name
      kept.values[name] = { value = value, place = kept.last }
    else kept.values[name].value = value end
  end

  local function recalled(memory, what, name)
    local kept = memory[what]
    local found = kept and kept.values[name]
    return found and found.value
  end

  local function forgotten(memory, what, name)
    local kept = memory[what]
    local found = kept and name ~= nil and kept.values[name]
    if found then kept.names[found.place], kept.values[name], kept.count = nil, nil, kept.count - 1 end
  end

  -- What a subject between servers is for; nil for other subjects.
  local function internal(subject)
    local rest = subject:match("^[^.]+%.(.+)$")
    for _, each in ipairs(rest and INTERNAL or {}) do
      if rest:find(each[1]) then return each[2] end
    end
  end

  local function split_subject(subject)
    local tokens = {}
    for token in (subject .. "."):gmatch("([^.]*)%.") do tokens[#tokens + 1] = token end
    return tokens
  end

  -- Whether the tokens of a subject are those of a pattern.
  local function has_tokens_of(tokens, pattern)
    for index, wanted in ipairs(pattern) do
      if wanted == ">" and index == #pattern then return #tokens >= index and table.concat(tokens, ".", index) ~= "" end
      if wanted == "*" and (tokens[index] or "") == "" or wanted ~= "*" and wanted ~= tokens[index] then return false end
    end
    return #tokens == #pattern
  end

  -- Somebody listens to a subject.
  local function subscribe(memory, subject)
    local tokens = split_subject(subject)
    local is_pattern = subject:sub(-1) == ">"
    for _, each in ipairs(tokens) do is_pattern = is_pattern or each == "*" end
    if is_pattern then remember(memory, "patterns", subject, tokens, MOST_PATTERNS)
    else remember(memory, "subjects", subject, true) end
  end

  local function listens(memory, subject)
    if recalled(memory, "subjects", subject) then return true end
    local tokens = memory.patterns and split_subject(subject)
    for _, each in pairs(tokens and memory.patterns.values or {}) do
      if has_tokens_of(tokens, each.value) then return true end
    end
    return false
  end

  local function is_inbox(subject) return subject:sub(1, 7) == "_INBOX." end

  -- What other frames of NATS show: which server it is, and the subjects of subscriptions.
  local function watch(seen)
    local mine, command, value = seen.here, seen.command, seen.value
    local subject, sid = value("subject"), value("sid")
    if command == "info" then
      local most = value("max_payload")
      if type(most) == "number" and most > 0 then mine.max_payload = most end
    elseif command == "connect" then
      local role = (value("name") or ""):match('^LIFT%.[^".]+%.[^".]+%.(%a+)$')
      if role and ROLES[role] then mine.role = role end
    elseif command == "sub" and subject then
      if mine.role == "streams" then
        if not internal(subject) and not is_inbox(subject) then subscribe(seen.everywhere, subject) end
      else
        subscribe(mine, subject)
        if sid then remember(mine, "sids", sid, subject) end
      end
    elseif command == "unsub" and value("max_msgs") == nil and sid then
      local known = recalled(mine, "sids", sid)
      for _, kept in ipairs({ "subjects", "patterns" }) do forgotten(mine, kept, known) end
      forgotten(mine, "sids", sid)
    end
  end

  local function is_map(byte) return byte ~= nil and (byte >= 0x80 and byte < 0x90 or byte == 0xDE or byte == 0xDF) end

  -- Which call a map of results answers: by its keys.
  local function answered(raw)
    if raw:find("\167LastLog", 1, true) then return "append_entries" end
    if raw:find("\167Granted", 1, true) then
      return raw:find("\165Peers", 1, true) and "request_vote" or "request_pre_vote"
    end
    return raw:find("\167Success", 1, true) and "install_snapshot" or "timeout_now"
  end

  -- What a message of Raft's stream of bytes is.
  local function raft(raw)
    local a, b = raw:byte(1, 2)
    if a and CALLS[a] and is_map(b) then return CALLS[a] end
    if a and a >= 0xA0 and a < 0xC0 and is_map(raw:byte(a % 0x20 + 2)) then return answered(raw) .. "_response" end
    return "raft_bytes"
  end

  -- What stands without an envelope: by subject, by the request, or by who sends it.
  local function bare(seen, subject, raw)
    if seen.here.role == "acks" and seen.sender == "client" then remember(seen.everywhere, "answers", subject, "ack") end
    local key = recalled(seen.everywhere, "answers", subject)
    if key then return raw ~= "" and key or nil end
    key = internal(subject)
    if key == "stream" then return raft(raw) end
    if raw == "" and key and not EMPTY[key] and not key:find("^raft_bootstrap") then return nil end
    return key
  end

  -- Whether a leader listens to a subject as that of a stream.
  local function is_stream(seen, subject)
    if (seen.command == "msg" or seen.command == "hmsg") and seen.here.role == "streams" then
      return not internal(subject) and not is_inbox(subject)
    end
    return listens(seen.everywhere, subject)
  end

  -- Why a server would not take an envelope for a publish; nil where it would.
  local function refusal(found, size)
    if not found then
      return { code = "length", offset = 0, length = size, message = ("an envelope of %d bytes; 8 are its header"):format(size) }
    end
    if found.version ~= 0 then
      return { code = "unknown_version", offset = 4, length = 1, message = ("an envelope of version %d"):format(found.version) }
    end
    if found.key ~= PUBLISH then
      return { code = "unknown_key", offset = 7, length = 1,
        message = ("an envelope of type %d where publishes are read"):format(found.key) }
    end
    for _, each in ipairs(found.problems) do
      if REFUSED[each.code] then
        return { code = each.code, offset = each.offset, length = each.length, message = each.message }
      end
    end
  end

  -- An envelope; a publish that does not decode is what the server makes of it.
  local function envelope(seen, raw, plain)
    if not plain and raw:byte(8) ~= PUBLISH then return {} end
    local found = seen.read("")
    local wrong = refusal(found, #raw)
    if wrong then
      wrong.message = wrong.message .. AS_PLAIN
      return { dialect = "bare", key = "plain_publish", problems = { wrong } }
    end
    local inbox = found.value("ack_inbox")
    local is_subscribed = inbox ~= nil and listens(seen.here, inbox)
    return { agreed = { max_payload = seen.here.max_payload, inbox_heard = is_subscribed } }
  end

  -- What a frame of NATS holds: dialect, key where no head says it, problems, what is agreed; nil for what is not Liftbridge's.
  return function(seen)
    local raw = seen.data
    if not raw then return watch(seen) end
    local everywhere, subject, reply = seen.everywhere, seen.value("subject") or "", seen.value("reply_to")
    if raw == "" and seen.value("status") == NO_RESPONDERS then
      return recalled(everywhere, "asked", subject) and { dialect = "bare", key = "no_responders" } or nil
    end
    local plain = is_stream(seen, subject)
    if raw:sub(1, #MAGIC) == MAGIC then
      if reply then remember(everywhere, "asked", reply, true) end
      return envelope(seen, raw, plain)
    end
    if raw:sub(1, #OLD_MAGIC) == OLD_MAGIC and #raw > #OLD_MAGIC then
      local found = not plain and seen.read("lift")
      local sound = found and #found.problems == 0 and found.value("unknown_fields") == nil
      return (plain or sound) and { dialect = "lift" } or nil
    end
    local key = bare(seen, subject, raw)
    if key then
      if ANSWERED[key] and reply then
        remember(everywhere, "answers", reply, ANSWERED[key])
        remember(everywhere, "asked", reply, true)
      end
      return { dialect = "bare", key = key }
    end
    return plain and { dialect = "bare", key = "plain_publish" } or nil
  end
end)()

-- Inside frames of another protocol: which bytes there are this one's -----------------------------------------

;(function()

-- Reads bytes as the frame that they begin in a dialect, without showing it; nil where they are none.
local function tried(bytes, raw, dialect)
  dialect = dialect ~= "" and dialect or preferences.dialect
  local head = heads[dialect]
  if #raw < head.size or #raw < head.least then return nil end
  data = raw
  local key, version = head.select(0)
  local found = { key = key, version = version, problems = {}, value = function() return nil end }
  local frame = frame_of(key, version, false, dialect)
  if not frame then return found end
  if not frame.code then prepare(frame) end
  start(bytes:tvb(), 0, #raw, 1000)
  item, sums.wanted = nil, true
  if not read_all(frame.steps) and at ~= stop then problem("trailing", nil, at, stop - at, stop - at) end
  local columns = v
  found.problems, found.value = problems, function(path) return rawget(columns, path) end
  v, problems = {}, {}
  return found
end

package.loaded["streamshark.inner." .. SHORT] = {
  read = dissect_bare,
  ask = function(seen)
    local range, raw = seen.range, seen.data
    seen.everywhere = hosts.everywhere
    seen.read = function(dialect) return tried(range, raw, dialect) end
    return within(seen)
  end,
}

end)()


end)()
