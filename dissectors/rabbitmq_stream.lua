-- RabbitMQ Streams: the binary protocol of RabbitMQ's append-only logs.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 39f7f291d6c85651) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate rabbitmq_stream`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local ARGUMENTS = { ... } -- those of `-X lua_script1:`
local SHORT = "rmqstream"
local TITLE = "RabbitMQ Streams"
local PORTS = "5552"
local SHARED_PORTS = ""
local TLS_PORTS = "5551,5552"
local DIALECTS = { "", "2020" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "uint32"
local AGREES_VERSION = false
local CARRIED_IN = {} -- slots in which its frames are
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
  response_code = {
    doc = "How a request ended; also of each stream in Metadata, of a message that was not stored, of a Close.",
  },
  failed = { doc = "A response code is neither ok nor sasl_challenge.", is_fact = true },
  stream = {
    doc = "Name of the stream; where the frame has only the id of a publisher or of a subscription, or answers a request, the one that the connection knows.",
    is_known = true,
  },
  publisher_id = { doc = "Publisher, a number that the client chose." },
  subscription_id = { doc = "Subscription, a number that the client chose." },
  offset = { doc = "Offset in the stream; of a Deliver, that of the first message of its chunk." },
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
  local all = { named = {}, count = 0 }
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

local function name_of(all, subject)
  local tokens = subject_tokens(subject)
  for index = 1, #all do
    if fits_pattern(tokens, all[index].tokens) then return all[index].name end
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


-- Ids that wait, as runs { first, last, time, frame, mark } that are sorted and do not overlap ----------------

do

local function runs_of(ids)
  if type(ids) ~= "table" then return { { ids, ids } } end
  local runs, run = {}, nil
  for index = 1, #ids do
    local id = ids[index]
    if run and id == run[2] + 1 then run[2] = id
    else
      run = { id, id }
      runs[#runs + 1] = run
    end
  end
  return runs
end

-- Index of the last run that begins at or before an id; 0 for none.
local function run_at(runs, id)
  local low, high = 0, #runs
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if runs[middle][1] <= id then low = middle else high = middle - 1 end
  end
  return low
end

local MOST_RUNS = 4096

-- The first and the last of ids that follow each other, as those of one frame mostly do; nil of others.
local function span_of(ids)
  if type(ids) ~= "table" then return ids, ids end
  local from, count = ids[1], #ids
  for index = 2, count do if ids[index] ~= from + index - 1 then return nil end end
  return from, from and from + count - 1
end

-- Those that wait already keep their first time; `twice` counts how many times more they wait.
function f.add(outstanding, ids, t, n, mark)
  if ids == nil then
    outstanding.whole = false
    return
  end
  local runs = outstanding.runs
  local from_all, last_all = span_of(ids)
  local newest = runs[#runs]
  if from_all and #runs < MOST_RUNS and (not newest or newest[2] < from_all) then
    outstanding.count = outstanding.count + last_all - from_all + 1
    runs[#runs + 1] = { from_all, last_all, t, n, mark }
    return
  end
  for _, new in ipairs(runs_of(ids)) do
    local from, last = new[1], new[2]
    outstanding.count = outstanding.count + last - from + 1
    local index = math.max(run_at(runs, from), 1)
    while runs[index] and runs[index][1] <= last do
      local run = runs[index]
      if run[2] >= from then
        if run[1] > from then
          table.insert(runs, index, { from, run[1] - 1, t, n, mark })
          index = index + 1
        end
        for id = math.max(run[1], from), math.min(run[2], last) do outstanding.twice[id] = (outstanding.twice[id] or 0) + 1 end
        from = run[2] + 1
      end
      index = index + 1
    end
    if from <= last then table.insert(runs, run_at(runs, from) + 1, { from, last, t, n, mark }) end
  end
  while #runs > MOST_RUNS do
    local run = table.remove(runs, 1)
    outstanding.count, outstanding.whole = outstanding.count - (run[2] - run[1] + 1), false
  end
end

local function take_between(outstanding, from, last)
  local runs = outstanding.runs
  local index, found = math.max(run_at(runs, from), 1), nil
  while runs[index] and runs[index][1] <= last do
    local run = runs[index]
    local low, high = math.max(run[1], from), math.min(run[2], last)
    if low > high then index = index + 1
    else
      found = found or run
      local kept = {}
      for id = low, high do
        local more = next(outstanding.twice) and outstanding.twice[id]
        if more then
          outstanding.twice[id] = more > 1 and more - 1 or nil
          kept[#kept + 1] = id
        end
        if not next(outstanding.twice) and #kept == 0 then break end
      end
      outstanding.count = outstanding.count - (high - low + 1)
      local rest = {}
      if run[1] < low then rest[1] = { run[1], low - 1, run[3], run[4], run[5] } end
      for _, id in ipairs(kept) do rest[#rest + 1] = { id, id, run[3], run[4], run[5] } end
      if run[2] > high then rest[#rest + 1] = { high + 1, run[2], run[3], run[4], run[5] } end
      table.remove(runs, index)
      for at_rest, each in ipairs(rest) do table.insert(runs, index + at_rest - 1, each) end
      index = index + #rest
    end
  end
  return found
end

-- These wait no more; gives the run of the first of them.
function f.take(outstanding, ids)
  local found
  local oldest = outstanding and ids ~= nil and outstanding.runs[1]
  if oldest and next(outstanding.twice) == nil then
    local from, last = span_of(ids)
    if from == oldest[1] and last == oldest[2] then
      outstanding.count = outstanding.count - (last - from + 1)
      return table.remove(outstanding.runs, 1)
    end
  end
  for _, run in ipairs(outstanding and ids ~= nil and runs_of(ids) or {}) do
    local taken = take_between(outstanding, run[1], run[2])
    found = found or taken
  end
  return found
end

function f.take_upto(outstanding, last)
  local run = outstanding and last and outstanding.runs[1]
  if not run or run[1] > last then return nil end
  for id, more in pairs(outstanding.twice) do
    if id <= last then outstanding.count, outstanding.twice[id] = outstanding.count - more, nil end
  end
  return take_between(outstanding, run[1], last)
end

function f.take_oldest(outstanding, count)
  local found
  while outstanding and count and count > 0 and outstanding.runs[1] do
    local run = outstanding.runs[1]
    found = found or run
    local size = math.min(run[2] - run[1] + 1, count)
    take_between(outstanding, run[1], run[1] + size - 1)
    count = count - size
  end
  return found
end

function f.forget(outstanding)
  if outstanding then outstanding.runs, outstanding.twice, outstanding.count, outstanding.whole = {}, {}, 0, false end
end

function f.held(outstanding, ids)
  if not outstanding or ids == nil then return nil end
  local held = 0
  for _, run in ipairs(runs_of(ids)) do
    local index = math.max(run_at(outstanding.runs, run[1]), 1)
    while outstanding.runs[index] and outstanding.runs[index][1] <= run[2] do
      held = held + math.max(0, math.min(outstanding.runs[index][2], run[2]) - math.max(outstanding.runs[index][1], run[1]) + 1)
      index = index + 1
    end
  end
  return held
end

function f.missing(outstanding, ids)
  if not outstanding or ids == nil or not outstanding.whole then return nil end
  local wanted = 0
  for _, run in ipairs(runs_of(ids)) do wanted = wanted + run[2] - run[1] + 1 end
  return wanted - f.held(outstanding, ids)
end

local function earliest(outstanding)
  local best
  for _, run in ipairs(outstanding and outstanding.runs or {}) do
    if not best or run[3] < best[3] then best = run end
  end
  return best or {}
end

function f.oldest_t(outstanding) return earliest(outstanding)[3] end

function f.oldest_n(outstanding) return earliest(outstanding)[4] end

end


-- The tables of RabbitMQ Streams -----------------------------------------------------------------------------

local names = {
  response_code = {
    [1] = "ok",
    [2] = "stream_does_not_exist",
    [3] = "subscription_id_already_exists",
    [4] = "subscription_id_does_not_exist",
    [5] = "stream_already_exists",
    [6] = "stream_not_available",
    [7] = "sasl_mechanism_not_supported",
    [8] = "authentication_failure",
    [9] = "sasl_error",
    [10] = "sasl_challenge",
    [11] = "sasl_authentication_failure_loopback",
    [12] = "virtual_host_access_failure",
    [13] = "unknown_frame",
    [14] = "frame_too_large",
    [15] = "internal_error",
    [16] = "access_refused",
    [17] = "precondition_failed",
    [18] = "publisher_does_not_exist",
    [19] = "no_offset",
    [20] = "sasl_cannot_change_mechanism",
    [21] = "sasl_cannot_change_username",
  },
  entry_type = { [0] = "simple", [1] = "sub_batch" },
  compression = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
  offset_type = { [0] = "none", [1] = "first", [2] = "last", [3] = "next", [4] = "offset", [5] = "timestamp" },
  chunk_type = { [0] = "user", [1] = "tracking_delta", [2] = "tracking_snapshot" },
  type = { [0] = "sequence", [1] = "offset", [2] = "timestamp" },
  active = { [0] = "inactive", [1] = "active" },
  key = {
    [1] = "declare_publisher",
    [2] = "publish",
    [3] = "publish_confirm",
    [4] = "publish_error",
    [5] = "query_publisher_sequence",
    [6] = "delete_publisher",
    [7] = "subscribe",
    [8] = "deliver",
    [9] = "credit",
    [10] = "store_offset",
    [11] = "query_offset",
    [12] = "unsubscribe",
    [13] = "create",
    [14] = "delete",
    [15] = "metadata",
    [16] = "metadata_update",
    [17] = "peer_properties",
    [18] = "sasl_handshake",
    [19] = "sasl_authenticate",
    [20] = "tune",
    [21] = "open",
    [22] = "close",
    [23] = "heartbeat",
    [24] = "route",
    [25] = "partitions",
    [26] = "consumer_update",
    [27] = "exchange_command_versions",
    [28] = "stream_stats",
    [29] = "create_super_stream",
    [30] = "delete_super_stream",
    [31] = "resolve_offset_spec",
  },
}

local FOREIGN = {
  ["AMQP\000\000\009\001"] = "AMQP 0-9-1",
  ["AMQP\000\001\000\000"] = "AMQP 1.0",
  ["AMQP\003\001\000\000"] = "AMQP 1.0 (SASL)",
  ["AMQP\002\001\000\000"] = "AMQP 1.0 (TLS)",
  ["AMQP"] = "AMQP",
  ["\022\003"] = "TLS",
  ["GET "] = "HTTP",
  ["POST "] = "HTTP",
  ["PUT "] = "HTTP",
  ["HEAD "] = "HTTP",
  ["OPTIONS "] = "HTTP",
  ["DELETE "] = "HTTP",
  ["CONNECT {"] = "NATS",
  ["CONNECT "] = "HTTP",
  ["INFO {"] = "NATS",
  ["HTTP/"] = "HTTP",
}

local FRAGMENTS = nil

local RESUMPTION = nil

local STREAM_TYPES = nil

local UPGRADES = {}
local switch_dialect, SWITCHING, BETWEEN_SERVERS = false, {}, {}

local RUN = nil

local function head_1()
  return {
    word.u32(
      "size",
      "Bytes of the frame after this number.",
      { abbreviation = NAME .. ".head.size", unit = "bytes" }
    ),
    word.bits(2, {
      word.part("response", 1, "Set on responses.", { abbreviation = NAME .. ".head.response" }),
      word.part(
        "key",
        15,
        "Which command this is.",
        { abbreviation = NAME .. ".key", names = names.key, base = "hex" }
      ),
    }),
    word.u16(
      "version",
      "Version of the command: 1, for Publish and Deliver also 2.",
      { abbreviation = NAME .. ".version" }
    ),
  }
end

local function head_2()
  return {
    word.u32(
      "size",
      "Bytes of the frame after this number.",
      { abbreviation = NAME .. ".head.size", unit = "bytes" }
    ),
    word.bits(2, {
      word.part("response", 1, "Set on responses.", { abbreviation = NAME .. ".head.response" }),
      word.part(
        "key",
        15,
        "Which command this is.",
        { abbreviation = NAME .. ".key", names = names.key, base = "hex" }
      ),
    }),
    word.u16(
      "version",
      "Version of the command: 1, for Publish and Deliver also 2.",
      { abbreviation = NAME .. ".version" }
    ),
  }
end

local heads = {
  [""] = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 4,
    select = function(from)
      return u16(from + 4) % 32768, u16(from + 6), math.floor(u16(from + 4) / 32768) == 1
    end,
    measure = function(from)
      return u32(from) + 4
    end,
  },
  ["2020"] = {
    least = 8,
    most = 67108864,
    size = 8,
    prefix = 4,
    select = function(from)
      return u16(from + 4) % 32768, u16(from + 6), math.floor(u16(from + 4) / 32768) == 1
    end,
    measure = function(from)
      return u32(from) + 4
    end,
  },
}

local embedded_records = {
  ["rmqstream.sub_batch"] = {
    whole = "records",
    types = {},
    body = {
      word.list(
        word.each({
          word.bytes(
            I32,
            "message",
            "Message as the client encoded it.",
            { body = true, slot = { name = "message", readers = { { format = "amqp1" } } } }
          ),
        }),
        "records",
        "Messages, in the order of publishing.",
        { keep = true, limit = 65535 }
      ),
    },
  },
}

local calls = {} -- messages inside calls

local frames = {}

-- Announces a publisher for a stream. PROTOCOL.adoc, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher",
  command = "declare_publisher",
  kind = "request",
  sender = "client",
  key = 1,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    {
      texts = { "reference=", "" },
      holes = { { path = "publisher_reference", yes = "", no = "" } },
    },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 3,
  correlates = "correlation_id",
  proves = "client",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.text(
        I16,
        "publisher_reference",
        "Name under which the broker remembers publishing ids; empty for no deduplication.",
        { keep = true, awaited = true, in_info = true, refuses_null = true, limit = 255 }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Says whether the publisher may publish. PROTOCOL.adoc, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher_response",
  command = "declare_publisher",
  kind = "response",
  sender = "server",
  key = 1,
  version = 1,
  responses = { true },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Says whether the publisher may publish, and names it again. PROTOCOL.adoc of 2021, DeclarePublisher.
frames[#frames + 1] = {
  name = "declare_publisher_response",
  command = "declare_publisher",
  kind = "response",
  sender = "server",
  key = 1,
  version = 1,
  responses = { true },
  dialects = { "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.tail(1, word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" } }
      )),
    }
  end,
}

-- Sends messages to a stream. PROTOCOL.adoc, Publish.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "client",
  key = 2,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "ids=", "" },
      holes = { { path = "published_messages.publishing_id", form = "ranges" } },
    },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 1000,
  proves = "client",
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, in_info = true }
      ),
      word.list(word.each({
        word.u64(
          "publishing_id",
          "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one.",
          { keep = true, in_info = "ranges" }
        ),
        word.either({
          word.bytes(I32, "message", "Message as the client encoded it, usually AMQP 1.0.", {
            keep = "followed",
            raw = true,
            body = true,
            slot = { name = "message", readers = { { format = "amqp1" } } },
          }),
        }, {
          word.bits(1, {
            word.part(
              "entry_type",
              1,
              "1: this entry is a sub-batch; absent on a simple one.",
              { names = names.entry_type, keep = "followed" }
            ),
            word.part(
              "compression",
              3,
              "How the records are packed.",
              { names = names.compression, keep = true }
            ),
            word.reserved(4),
          }),
          word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
          word.u32(
            "uncompressed_size",
            "Bytes of the records before packing.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
            keep = "followed",
            raw = true,
            slot = {
              name = "sub_batch",
              codec = function(v) return v["published_messages.compression"] end,
              codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
              cap = 67108864,
              size = function(v) return v["published_messages.uncompressed_size"] end,
              holds = function(v) return v["published_messages.record_count"] end,
              readers = { { embedded_record = "rmqstream.sub_batch" } },
            },
          }),
        }),
      }), "published_messages", "Messages and sub-batches, in the order of publishing.", {
        keep = "followed",
        claim = U32,
        gathers = {
          "published_messages.compression",
          "published_messages.entry_type",
          "published_messages.message raw",
          "published_messages.publishing_id",
          "published_messages.record_count",
          "published_messages.records raw",
          "published_messages.uncompressed_size",
        },
        records = { "message raw", "publishing_id" },
        forget = {
          "published_messages.publishing_id",
          "published_messages.message",
          "published_messages.message raw",
          "published_messages.entry_type",
          "published_messages.compression",
          "published_messages.record_count",
          "published_messages.uncompressed_size",
          "published_messages.records",
          "published_messages.records raw",
        },
      }),
    }
  end,
}

-- Sends messages with filter values to a stream. PROTOCOL.adoc, Publish.
frames[#frames + 1] = {
  name = "publish",
  command = "publish",
  kind = "command",
  sender = "client",
  key = 2,
  version = 2,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "ids=", "" },
      holes = { { path = "published_messages.publishing_id", form = "ranges" } },
    },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 1000,
  proves = "client",
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, in_info = true }
      ),
      word.list(word.each({
        word.u64(
          "publishing_id",
          "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one.",
          { keep = true, in_info = "ranges" }
        ),
        word.text(
          I16,
          "filter_value",
          "What subscriptions may filter on; null for a message without one.",
          { keep = "followed", null = true }
        ),
        word.bytes(I32, "message", "Message as the client encoded it, usually AMQP 1.0.", {
          keep = "followed",
          raw = true,
          body = true,
          slot = { name = "message", readers = { { format = "amqp1" } } },
        }),
      }), "published_messages", "Messages, in the order of publishing.", {
        keep = "followed",
        claim = U32,
        gathers = {
          "published_messages.filter_value",
          "published_messages.message raw",
          "published_messages.publishing_id",
        },
        records = { "filter_value", "message raw", "publishing_id" },
        forget = {
          "published_messages.publishing_id",
          "published_messages.filter_value",
          "published_messages.message",
          "published_messages.message raw",
        },
      }),
    }
  end,
}

-- Confirms messages. PROTOCOL.adoc, PublishConfirm.
frames[#frames + 1] = {
  name = "publish_confirm",
  command = "publish_confirm",
  kind = "command",
  sender = "server",
  key = 3,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "ids=", "" }, holes = { { path = "publishing_ids", form = "ranges" } } },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 1000,
  proves = "server",
  known = { "stream" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, in_info = true }
      ),
      word.list(
        word.u64(nil, nil, { keep = true, in_info = "ranges" }),
        "publishing_ids",
        "Messages and sub-batches that are stored.",
        { keep = true, claim = U32, gathers = { "publishing_ids" } }
      ),
    }
  end,
}

-- Refuses messages. PROTOCOL.adoc, PublishError.
frames[#frames + 1] = {
  name = "publish_error",
  command = "publish_error",
  kind = "command",
  sender = "server",
  key = 4,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "ids=", "" },
      holes = { { path = "publishing_errors.publishing_id", form = "ranges" } },
    },
    {
      texts = { "code=", "" },
      holes = { { path = "publishing_errors.code", form = "ok", others = { ok = true } } },
    },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 1000,
  proves = "server",
  known = { "stream" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, in_info = true }
      ),
      word.list(word.each({
        word.u64(
          "publishing_id",
          "Client's number for the message, named again when it is confirmed. With a publisher reference the broker drops ids that are not above the last stored one.",
          { keep = true, in_info = "ranges" }
        ),
        word.u16("code", "Why the message was not stored.", {
          names = names.response_code,
          spans = { "response_code" },
          holds = { failed = { [1] = true, [10] = true } },
          keep = true,
          in_info = "many",
        }),
      }), "publishing_errors", "Messages and sub-batches that are not stored.", {
        keep = "followed",
        claim = U32,
        gathers = { "publishing_errors.code", "publishing_errors.publishing_id" },
        forget = { "publishing_errors.publishing_id", "publishing_errors.code" },
      }),
    }
  end,
}

-- Asks for the last publishing id stored for a publisher reference. PROTOCOL.adoc, QueryPublisherSequence.
frames[#frames + 1] = {
  name = "query_publisher_sequence",
  command = "query_publisher_sequence",
  kind = "request",
  sender = "client",
  key = 5,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "reference=", "" }, holes = { { path = "publisher_reference" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "publisher_reference",
        "Name that the publisher declared.",
        { keep = true, awaited = true, in_info = true, refuses_null = true, limit = 255 }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Gives the last publishing id stored. PROTOCOL.adoc, QueryPublisherSequence.
frames[#frames + 1] = {
  name = "query_publisher_sequence_response",
  command = "query_publisher_sequence",
  kind = "response",
  sender = "server",
  key = 5,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
    { texts = { "sequence=", "" }, holes = { { path = "sequence" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 3,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.u64(
        "sequence",
        "Highest publishing id stored; 0 when there is none or on an error.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Gives up a publisher. PROTOCOL.adoc, DeletePublisher.
frames[#frames + 1] = {
  name = "delete_publisher",
  command = "delete_publisher",
  kind = "request",
  sender = "client",
  key = 6,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "pub=", "" }, holes = { { path = "publisher_id" } } },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u8(
        "publisher_id",
        "Publisher, a number that the client chose; it is known on this connection only.",
        { spans = { "publisher_id" }, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Says whether the publisher was known. PROTOCOL.adoc, DeletePublisher.
frames[#frames + 1] = {
  name = "delete_publisher_response",
  command = "delete_publisher",
  kind = "response",
  sender = "server",
  key = 6,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Asks for a stream's messages. PROTOCOL.adoc, Subscribe.
frames[#frames + 1] = {
  name = "subscribe",
  command = "subscribe",
  kind = "request",
  sender = "client",
  key = 7,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "from=", "" }, holes = { { path = "offset_type" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "timestamp=", "" }, holes = { { path = "timestamp" } } },
    {
      texts = { "name=", "" },
      holes = { { path = "properties", form = "pair", others = { "name" } } },
    },
    {
      texts = { "", "" },
      holes = {
        {
          path = "properties",
          form = "pair",
          others = { "single-active-consumer" },
          yes = "sac",
          no = "",
        },
      },
    },
    {
      texts = { "super_stream=", "" },
      holes = { { path = "properties", form = "pair", others = { "super-stream" } } },
    },
    {
      texts = { "filter=", "" },
      holes = { { path = "properties", form = "pair", others = { "filter.0" } } },
    },
    { texts = { "credit=", "" }, holes = { { path = "credit" } } },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, in_info = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, in_info = true, refuses_null = true }
      ),
      word.u16(
        "offset_type",
        "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
        { names = names.offset_type, keep = true, in_info = true }
      ),
      word.switch(function(v) return v.offset_type end, {
        [1] = {},
        [2] = {},
        [3] = {},
        [4] = {
          word.u64(
            "offset",
            "Offset of a message; below the first means first, beyond the end next.",
            { spans = { "offset" }, keep = true, in_info = true }
          ),
        },
        [5] = {
          word.i64(
            "timestamp",
            "Time since 1970: the first chunk that is not older is meant.",
            { unit = "ms", time = 3, keep = true, in_info = true }
          ),
        },
      }, {}, "offset_type"),
      word.u16(
        "credit",
        "Chunks that the server may send before it needs Credit; 0 for none yet.",
        { unit = "chunks", keep = true, in_info = true }
      ),
      word.tail(4, word.list(word.each({
        word.text(
          I16,
          "key",
          "Name.",
          { names_next = true, keep = true, in_info = "many", refuses_null = true }
        ),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = true, in_info = "many", refuses_null = true }
        ),
      }), "properties", "Options: `name`, `single-active-consumer`, `super-stream`, `filter.<n>`, `match-unfiltered`, `chunk_selector`; absent when there are none.", {
        keep = "followed",
        claim = U32,
        gathers = { "properties.key" },
        records = { "key", "value" },
        forget = { "properties.key", "properties.value" },
      })),
    }
  end,
}

-- Says whether messages will come. PROTOCOL.adoc, Subscribe.
frames[#frames + 1] = {
  name = "subscribe_response",
  command = "subscribe",
  kind = "response",
  sender = "server",
  key = 7,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Sends a chunk of messages. PROTOCOL.adoc, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "offsets=", "" },
      holes = { { path = "chunk.chunk_id", form = "range", others = { "chunk.num_records" } } },
    },
    {
      texts = { "", "" },
      holes = { { path = "chunk.chunk_type", form = "not", others = { user = true }, yes = "", no = "" } },
    },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 4,
  proves = "server",
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, in_info = true }
      ),
      word.record("chunk", "The chunk, as osiris wrote it.", {
        word.bits(1, {
          word.part("magic", 4, "5 in every chunk.", { keep = "followed" }),
          word.part(
            "version",
            4,
            "Version of the chunk's layout; 0 in every broker so far.",
            { keep = "followed" }
          ),
        }),
        word.u8(
          "chunk_type",
          "What the entries hold.",
          { names = names.chunk_type, keep = true, in_info = true }
        ),
        word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
        word.u32(
          "num_records",
          "Messages in the chunk, those inside sub-batches counted.",
          { keep = true, in_info = true }
        ),
        word.i64(
          "timestamp",
          "When the leader wrote the chunk, by its clock, since 1970.",
          { unit = "ms", time = 3, keep = "followed" }
        ),
        word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
        word.u64(
          "chunk_id",
          "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
          { spans = { "offset" }, keep = true, in_info = true }
        ),
        word.u32(
          "chunk_crc",
          "CRC-32 (IEEE 802.3) of the data bytes, nothing else.",
          { base = "hex", keep = true }
        ),
        word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
        word.u32(
          "trailer_length",
          "Bytes of the trailer as it is stored; it follows only with `chunk_selector=all`.",
          { unit = "bytes", keep = true }
        ),
        word.u8(
          "bloom_size",
          "Bytes of the stored bloom filter, 0 or (from 3.13.0) 16 to 255; it never follows.",
          { unit = "bytes" }
        ),
        word.u24("reserved", "Kept for later; 0.", { keep = "followed" }),
        word.region(
          function(v) return v["chunk.data_length"] end,
          {
            word.list(word.each({
              word.switch(function(v) return v["chunk.chunk_type"] end, {
                [1] = {
                  word.region(U32, {
                    word.list(
                      word.each({
                        word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                        word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                        word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                          [0] = {
                            word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                          },
                          [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                          [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                        }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
                      }),
                      "tracking",
                      "What changed in the tracking.",
                      { forget = { "chunk.entries.tracking.type" } }
                    ),
                  }),
                },
                [2] = {
                  word.region(U32, {
                    word.list(
                      word.each({
                        word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                        word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                        word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                          [0] = {
                            word.u64("chunk_id", "Chunk in which the sequence was stored."),
                            word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                          },
                          [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                          [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                        }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
                      }),
                      "tracking",
                      "All that is tracked.",
                      { forget = { "chunk.entries.tracking.type" } }
                    ),
                  }),
                },
              }, {
                word.either({
                  word.bytes(I32, "data", "Message of a simple entry, as its publisher encoded it.", {
                    keep = "followed",
                    raw = true,
                    body = true,
                    slot = { name = "message", readers = { { format = "amqp1" } } },
                  }),
                }, {
                  word.bits(1, {
                    word.part(
                      "entry_type",
                      1,
                      "1: this entry is a sub-batch; absent on a simple one.",
                      { names = names.entry_type }
                    ),
                    word.part(
                      "compression",
                      3,
                      "How the records are packed.",
                      { names = names.compression, keep = true }
                    ),
                    word.reserved(4),
                  }),
                  word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
                  word.u32(
                    "uncompressed_size",
                    "Bytes of the records before packing.",
                    { unit = "bytes", keep = true }
                  ),
                  word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
                    slot = {
                      name = "sub_batch",
                      codec = function(v) return v["chunk.entries.compression"] end,
                      codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
                      cap = 67108864,
                      size = function(v) return v["chunk.entries.uncompressed_size"] end,
                      holds = function(v) return v["chunk.entries.record_count"] end,
                      readers = { { embedded_record = "rmqstream.sub_batch" } },
                    },
                  }),
                }),
              }),
            }), "entries", "Entries in the order of their offsets: messages, sub-batches, or tracking.", {
              keep = true,
              sums = {
                {
                  path = "sum of chunk.entries.record_count",
                  member = "chunk.entries.record_count",
                  absent = 1,
                },
              },
              number = {
                name = "offset",
                doc = "Offset of the message, of the first one of a sub-batch, or of the tracking entry.",
                start = "chunk.chunk_id",
                weight = "chunk.entries.record_count",
              },
              gathers = { "chunk.entries.data raw" },
              forget = {
                "chunk.entries.tracking.type",
                "chunk.entries.data",
                "chunk.entries.data raw",
                "chunk.entries.compression",
                "chunk.entries.record_count",
                "chunk.entries.uncompressed_size",
              },
            }),
          },
          { sum_of = "crc32", expected = function(v) return v["chunk.chunk_crc"] end }
        ),
        word.tail(1, word.record("trailer", "Tracking stored with the chunk; absent unless the subscription asked for it.", {
          word.region(function(v) return v["chunk.trailer_length"] end, {
            word.list(
              word.each({
                word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                word.switch(function(v) return v["chunk.trailer.tracking.type"] end, {
                  [0] = {
                    word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                  },
                  [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                  [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
              }),
              "tracking",
              "What changed with the messages of this chunk.",
              { forget = { "chunk.trailer.tracking.type" } }
            ),
          }),
        })),
        word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
        word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
      }),
    }
  end,
}

-- Sends a chunk of messages, and how far the stream is committed. PROTOCOL.adoc, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 2,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "offsets=", "" },
      holes = { { path = "chunk.chunk_id", form = "range", others = { "chunk.num_records" } } },
    },
    {
      texts = { "", "" },
      holes = { { path = "chunk.chunk_type", form = "not", others = { user = true }, yes = "", no = "" } },
    },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 4,
  proves = "server",
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, in_info = true }
      ),
      word.u64("committed_chunk_id", "Id of the newest chunk that is committed.", { keep = "followed" }),
      word.record("chunk", "The chunk, as osiris wrote it.", {
        word.bits(1, {
          word.part("magic", 4, "5 in every chunk.", { keep = "followed" }),
          word.part(
            "version",
            4,
            "Version of the chunk's layout; 0 in every broker so far.",
            { keep = "followed" }
          ),
        }),
        word.u8(
          "chunk_type",
          "What the entries hold.",
          { names = names.chunk_type, keep = true, in_info = true }
        ),
        word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
        word.u32(
          "num_records",
          "Messages in the chunk, those inside sub-batches counted.",
          { keep = true, in_info = true }
        ),
        word.i64(
          "timestamp",
          "When the leader wrote the chunk, by its clock, since 1970.",
          { unit = "ms", time = 3, keep = "followed" }
        ),
        word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
        word.u64(
          "chunk_id",
          "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
          { spans = { "offset" }, keep = true, in_info = true }
        ),
        word.u32(
          "chunk_crc",
          "CRC-32 (IEEE 802.3) of the data bytes, nothing else.",
          { base = "hex", keep = true }
        ),
        word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
        word.u32(
          "trailer_length",
          "Bytes of the trailer as it is stored; it follows only with `chunk_selector=all`.",
          { unit = "bytes", keep = true }
        ),
        word.u8(
          "bloom_size",
          "Bytes of the stored bloom filter, 0 or (from 3.13.0) 16 to 255; it never follows.",
          { unit = "bytes" }
        ),
        word.u24("reserved", "Kept for later; 0.", { keep = "followed" }),
        word.region(
          function(v) return v["chunk.data_length"] end,
          {
            word.list(word.each({
              word.switch(function(v) return v["chunk.chunk_type"] end, {
                [1] = {
                  word.region(U32, {
                    word.list(
                      word.each({
                        word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                        word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                        word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                          [0] = {
                            word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                          },
                          [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                          [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                        }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
                      }),
                      "tracking",
                      "What changed in the tracking.",
                      { forget = { "chunk.entries.tracking.type" } }
                    ),
                  }),
                },
                [2] = {
                  word.region(U32, {
                    word.list(
                      word.each({
                        word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                        word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                        word.switch(function(v) return v["chunk.entries.tracking.type"] end, {
                          [0] = {
                            word.u64("chunk_id", "Chunk in which the sequence was stored."),
                            word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                          },
                          [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                          [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                        }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
                      }),
                      "tracking",
                      "All that is tracked.",
                      { forget = { "chunk.entries.tracking.type" } }
                    ),
                  }),
                },
              }, {
                word.either({
                  word.bytes(I32, "data", "Message of a simple entry, as its publisher encoded it.", {
                    keep = "followed",
                    raw = true,
                    body = true,
                    slot = { name = "message", readers = { { format = "amqp1" } } },
                  }),
                }, {
                  word.bits(1, {
                    word.part(
                      "entry_type",
                      1,
                      "1: this entry is a sub-batch; absent on a simple one.",
                      { names = names.entry_type }
                    ),
                    word.part(
                      "compression",
                      3,
                      "How the records are packed.",
                      { names = names.compression, keep = true }
                    ),
                    word.reserved(4),
                  }),
                  word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
                  word.u32(
                    "uncompressed_size",
                    "Bytes of the records before packing.",
                    { unit = "bytes", keep = true }
                  ),
                  word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
                    slot = {
                      name = "sub_batch",
                      codec = function(v) return v["chunk.entries.compression"] end,
                      codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
                      cap = 67108864,
                      size = function(v) return v["chunk.entries.uncompressed_size"] end,
                      holds = function(v) return v["chunk.entries.record_count"] end,
                      readers = { { embedded_record = "rmqstream.sub_batch" } },
                    },
                  }),
                }),
              }),
            }), "entries", "Entries in the order of their offsets: messages, sub-batches, or tracking.", {
              keep = true,
              sums = {
                {
                  path = "sum of chunk.entries.record_count",
                  member = "chunk.entries.record_count",
                  absent = 1,
                },
              },
              number = {
                name = "offset",
                doc = "Offset of the message, of the first one of a sub-batch, or of the tracking entry.",
                start = "chunk.chunk_id",
                weight = "chunk.entries.record_count",
              },
              gathers = { "chunk.entries.data raw" },
              forget = {
                "chunk.entries.tracking.type",
                "chunk.entries.data",
                "chunk.entries.data raw",
                "chunk.entries.compression",
                "chunk.entries.record_count",
                "chunk.entries.uncompressed_size",
              },
            }),
          },
          { sum_of = "crc32", expected = function(v) return v["chunk.chunk_crc"] end }
        ),
        word.tail(1, word.record("trailer", "Tracking stored with the chunk; absent unless the subscription asked for it.", {
          word.region(function(v) return v["chunk.trailer_length"] end, {
            word.list(
              word.each({
                word.u8("type", "What is remembered.", { names = names.type, keep = true }),
                word.text(U8, "reference", "Publisher reference, or name of the consumer."),
                word.switch(function(v) return v["chunk.trailer.tracking.type"] end, {
                  [0] = {
                    word.u64("sequence", "Highest publishing id stored for this reference; lower ones are dropped."),
                  },
                  [1] = { word.u64("offset", "Offset that StoreOffset stored.") },
                  [2] = { word.i64("timestamp", "Time of the last use, since 1970.", { unit = "ms", time = 3 }) },
                }, { word.bytes(REST, "unknown", "Bytes after an unknown type.") }),
              }),
              "tracking",
              "What changed with the messages of this chunk.",
              { forget = { "chunk.trailer.tracking.type" } }
            ),
          }),
        })),
        word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
        word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
      }),
    }
  end,
}

-- Sends a chunk of messages. PROTOCOL.adoc of 2021, Deliver.
frames[#frames + 1] = {
  name = "deliver",
  command = "deliver",
  kind = "command",
  sender = "server",
  key = 8,
  version = 0,
  responses = { false },
  dialects = { "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "offsets=", "" },
      holes = { { path = "chunk.chunk_id", form = "range", others = { "chunk.num_records" } } },
    },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 3,
  proves = "server",
  known = { "stream" },
  bodies = true,
  awaited = 1000,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u16("version_low", "Lower half of the version; its upper half is in the head."),
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, in_info = true }
      ),
      word.record("chunk", "The chunk.", {
        word.bits(1, {
          word.part("magic", 4, "5 in every chunk.", { keep = "followed" }),
          word.part(
            "version",
            4,
            "Version of the chunk's layout; 0 in every broker so far.",
            { keep = "followed" }
          ),
        }),
        word.u16("num_entries", "Entries in the data; a sub-batch is one.", { keep = true }),
        word.u32(
          "num_records",
          "Messages in the chunk, those inside sub-batches counted.",
          { keep = true, in_info = true }
        ),
        word.u64("epoch", "Term of the leader that wrote it; grows with each election."),
        word.u64(
          "chunk_id",
          "Offset of the first record; PROTOCOL.adoc: ChunkFirstOffset.",
          { spans = { "offset" }, keep = true, in_info = true }
        ),
        word.u32("chunk_crc", "CRC-32 (IEEE 802.3) of the data bytes, nothing else.", { base = "hex" }),
        word.u32("data_length", "Bytes of the entries.", { unit = "bytes", keep = true }),
        word.region(function(v) return v["chunk.data_length"] end, {
          word.list(word.each({
            word.either({
              word.bytes(I32, "data", "Message of a simple entry, as its publisher encoded it.", {
                keep = "followed",
                raw = true,
                body = true,
                slot = { name = "message", readers = { { format = "amqp1" } } },
              }),
            }, {
              word.bits(1, {
                word.part(
                  "entry_type",
                  1,
                  "1: this entry is a sub-batch; absent on a simple one.",
                  { names = names.entry_type }
                ),
                word.part(
                  "compression",
                  3,
                  "How the records are packed.",
                  { names = names.compression, keep = true }
                ),
                word.reserved(4),
              }),
              word.u16("record_count", "Messages in the sub-batch.", { keep = true }),
              word.u32(
                "uncompressed_size",
                "Bytes of the records before packing.",
                { unit = "bytes", keep = true }
              ),
              word.bytes(U32, "records", "The packed records; unpacked, each is a 32-bit length (top bit 0) and a message.", {
                slot = {
                  name = "sub_batch",
                  codec = function(v) return v["chunk.entries.compression"] end,
                  codecs = { [0] = "none", [1] = "gzip", [2] = "snappy", [3] = "lz4", [4] = "zstd", [7] = "user" },
                  cap = 67108864,
                  size = function(v) return v["chunk.entries.uncompressed_size"] end,
                  holds = function(v) return v["chunk.entries.record_count"] end,
                  readers = { { embedded_record = "rmqstream.sub_batch" } },
                },
              }),
            }),
          }), "entries", "Entries in the order of their offsets.", {
            keep = true,
            sums = {
              {
                path = "sum of chunk.entries.record_count",
                member = "chunk.entries.record_count",
                absent = 1,
              },
            },
            number = {
              name = "offset",
              doc = "Offset of the message, of the first one of a sub-batch, or of the tracking entry.",
              start = "chunk.chunk_id",
              weight = "chunk.entries.record_count",
            },
            gathers = { "chunk.entries.data raw" },
            forget = {
              "chunk.entries.data",
              "chunk.entries.data raw",
              "chunk.entries.compression",
              "chunk.entries.record_count",
              "chunk.entries.uncompressed_size",
            },
          }),
        }),
        word.claim("chunk.num_entries", function(v) return v["#chunk.entries"] end),
        word.claim("chunk.num_records", function(v) return v["sum of chunk.entries.record_count"] end),
      }),
    }
  end,
}

-- Lets the server send more chunks. PROTOCOL.adoc, Credit.
frames[#frames + 1] = {
  name = "credit",
  command = "credit",
  kind = "command",
  sender = "client",
  key = 9,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
    { texts = { "", "" }, holes = { { path = "credit", form = "signed" } } },
  },
  brief = 2,
  proves = "client",
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i16(
        "credit",
        "Chunks more; a negative number takes credit away.",
        { unit = "chunks", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Says that credit could not be given. PROTOCOL.adoc, Credit.
frames[#frames + 1] = {
  name = "credit_response",
  command = "credit",
  kind = "response",
  sender = "server",
  key = 9,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 2,
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Stores how far a consumer has read. PROTOCOL.adoc, StoreOffset.
frames[#frames + 1] = {
  name = "store_offset",
  command = "store_offset",
  kind = "command",
  sender = "client",
  key = 10,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "reference=", "" }, holes = { { path = "reference" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
  },
  brief = 3,
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.text(
        I16,
        "reference",
        "Name of the consumer.",
        { keep = true, awaited = true, in_info = true, refuses_null = true, limit = 255 }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
      word.u64(
        "offset",
        "Offset of the last message that was processed.",
        { spans = { "offset" }, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Asks for the offset stored under a consumer's name. PROTOCOL.adoc, QueryOffset.
frames[#frames + 1] = {
  name = "query_offset",
  command = "query_offset",
  kind = "request",
  sender = "client",
  key = 11,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "reference=", "" }, holes = { { path = "reference" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "reference",
        "Name of the consumer.",
        { keep = true, awaited = true, in_info = true, refuses_null = true, limit = 255 }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Gives the stored offset. PROTOCOL.adoc, QueryOffset.
frames[#frames + 1] = {
  name = "query_offset_response",
  command = "query_offset",
  kind = "response",
  sender = "server",
  key = 11,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 3,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.u64(
        "offset",
        "Offset that was stored; 0 when there is none or on an error.",
        { spans = { "offset" }, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Ends a subscription. PROTOCOL.adoc, Unsubscribe.
frames[#frames + 1] = {
  name = "unsubscribe",
  command = "unsubscribe",
  kind = "request",
  sender = "client",
  key = 12,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Says whether the subscription was known. PROTOCOL.adoc, Unsubscribe.
frames[#frames + 1] = {
  name = "unsubscribe_response",
  command = "unsubscribe",
  kind = "response",
  sender = "server",
  key = 12,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Creates a stream. PROTOCOL.adoc, Create.
frames[#frames + 1] = {
  name = "create",
  command = "create",
  kind = "request",
  sender = "client",
  key = 13,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    {
      texts = { "", "=", "" },
      holes = { { path = "arguments.key" }, { path = "arguments.value" } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, in_info = true, refuses_null = true }
      ),
      word.list(word.each({
        word.text(
          I16,
          "key",
          "Name.",
          { names_next = true, keep = true, in_info = "many", refuses_null = true }
        ),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = true, in_info = "many", refuses_null = true }
        ),
      }), "arguments", "Settings, numbers as text too: `max-length-bytes`, `max-age`, `stream-max-segment-size-bytes`, `initial-cluster-size`, `queue-leader-locator`, `stream-filter-size-bytes`, and from 4.4 on `stream-initial-offset`.", {
        keep = "followed",
        claim = U32,
        gathers = { "arguments.key" },
        records = { "key", "value" },
        forget = { "arguments.key", "arguments.value" },
      }),
    }
  end,
}

-- Says whether the stream was created. PROTOCOL.adoc, Create.
frames[#frames + 1] = {
  name = "create_response",
  command = "create",
  kind = "response",
  sender = "server",
  key = 13,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Deletes a stream. PROTOCOL.adoc, Delete.
frames[#frames + 1] = {
  name = "delete",
  command = "delete",
  kind = "request",
  sender = "client",
  key = 14,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "stream" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Says whether the stream was deleted. PROTOCOL.adoc, Delete.
frames[#frames + 1] = {
  name = "delete_response",
  command = "delete",
  kind = "response",
  sender = "server",
  key = 14,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Asks where streams are. PROTOCOL.adoc, Metadata.
frames[#frames + 1] = {
  name = "metadata",
  command = "metadata",
  kind = "request",
  sender = "client",
  key = 15,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "streams" } } } },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.list(
        word.text(
          I16,
          nil,
          "One item.",
          { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
        ),
        "streams",
        "Names of the streams asked about.",
        { keep = true, claim = U32, gathers = { "streams" } }
      ),
    }
  end,
}

-- Lists the leader and replicas of streams. PROTOCOL.adoc, Metadata.
frames[#frames + 1] = {
  name = "metadata_response",
  command = "metadata",
  kind = "response",
  sender = "server",
  key = 15,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", "@", ":", "" },
      holes = {
        { path = "streams.stream_name" },
        { path = "brokers.host", form = "joined", others = { "streams.leader", "brokers.reference" } },
        { path = "brokers.port", form = "joined", others = { "streams.leader", "brokers.reference" } },
      },
    },
    {
      texts = { "code=", "" },
      holes = { { path = "streams.response_code", form = "ok", others = { ok = true }, yes = "", no = "" } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.list(word.each({
        word.u16("reference", "Number of this node in this response.", { keep = true, in_info = "many" }),
        word.text(
          I16,
          "host",
          "Host name that the node advertises.",
          { keep = true, in_info = "many", refuses_null = true }
        ),
        word.u32("port", "Port that the node advertises.", { keep = true, in_info = "many" }),
      }), "brokers", "Nodes that hold one of the streams.", {
        keep = "followed",
        count = U32,
        gathers = { "brokers.reference" },
        records = { "host", "port", "reference" },
        forget = { "brokers.reference", "brokers.host", "brokers.port" },
      }),
      word.list(word.each({
        word.text(
          I16,
          "stream_name",
          "Name of the stream.",
          { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
        ),
        word.u16("response_code", "Whether the stream is there; 1 if so.", {
          names = names.response_code,
          spans = { "response_code" },
          holds = { failed = { [1] = true, [10] = true } },
          keep = true,
          in_info = "many",
        }),
        word.u16(
          "leader",
          "Reference of the leader's node; 65535 when none is known.",
          { keep = true, in_info = "many" }
        ),
        word.list(
          word.u16(nil, nil, { keep = "followed" }),
          "replicas",
          "References of the other nodes that hold the stream.",
          { keep = "followed", count = U32, gathers = { "streams.replicas" } }
        ),
      }), "streams", "The streams asked about.", {
        keep = "followed",
        claim = U32,
        gathers = { "streams.leader", "streams.response_code", "streams.stream_name" },
        records = { "#replicas", "leader", "response_code", "stream_name" },
        forget = { "streams.stream_name", "streams.response_code", "streams.leader", "streams.replicas" },
      }),
    }
  end,
}

-- Announces that the metadata of a stream has changed. PROTOCOL.adoc, MetadataUpdate.
frames[#frames + 1] = {
  name = "metadata_update",
  command = "metadata_update",
  kind = "command",
  sender = "server",
  key = 16,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "code=", "" }, holes = { { path = "code", form = "ok", others = { ok = true } } } },
  },
  brief = 2,
  proves = "server",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u16("code", "What has happened; always 6.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Describes the client. PROTOCOL.adoc, PeerProperties.
frames[#frames + 1] = {
  name = "peer_properties",
  command = "peer_properties",
  kind = "request",
  sender = "client",
  key = 17,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", "" },
      holes = { { path = "peer_properties", form = "pair", others = { "product" } } },
    },
    {
      texts = { "", "" },
      holes = { { path = "peer_properties", form = "pair", others = { "version" } } },
    },
    {
      texts = { "name=", "" },
      holes = { { path = "peer_properties", form = "pair", others = { "connection_name" } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "client_properties", path = "peer_properties" } },
  opens = true,
  known = { "stream" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.list(word.each({
        word.text(
          I16,
          "key",
          "Name.",
          { names_next = true, keep = true, in_info = "many", refuses_null = true }
        ),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = true, in_info = "many", refuses_null = true }
        ),
      }), "peer_properties", "What the client says of itself.", {
        keep = true,
        claim = U32,
        records = { "key", "value" },
        forget = { "peer_properties.key", "peer_properties.value" },
      }),
    }
  end,
}

-- Describes the server. PROTOCOL.adoc, PeerProperties.
frames[#frames + 1] = {
  name = "peer_properties_response",
  command = "peer_properties",
  kind = "response",
  sender = "server",
  key = 17,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", "" },
      holes = { { path = "peer_properties", form = "pair", others = { "product" } } },
    },
    {
      texts = { "", "" },
      holes = { { path = "peer_properties", form = "pair", others = { "version" } } },
    },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "server_properties", path = "peer_properties" } },
  opens = true,
  known = { "stream" },
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.list(word.each({
        word.text(
          I16,
          "key",
          "Name.",
          { names_next = true, keep = true, in_info = "many", refuses_null = true }
        ),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = true, in_info = "many", refuses_null = true }
        ),
      }), "peer_properties", "What the server says of itself.", {
        keep = true,
        claim = U32,
        records = { "key", "value" },
        forget = { "peer_properties.key", "peer_properties.value" },
      }),
    }
  end,
}

-- Asks which SASL mechanisms the server has. PROTOCOL.adoc, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake",
  command = "sasl_handshake",
  kind = "request",
  sender = "client",
  key = 18,
  version = 1,
  responses = { false },
  dialects = { "" },
  shows = {},
  brief = 0,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
    }
  end,
}

-- Lists the server's SASL mechanisms. PROTOCOL.adoc, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake_response",
  command = "sasl_handshake",
  kind = "response",
  sender = "server",
  key = 18,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "mechanisms" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.list(
        word.text(I16, nil, "One item.", { keep = true, in_info = "many", refuses_null = true }),
        "mechanisms",
        "Names of the mechanisms, in any order.",
        { keep = true, claim = U32, gathers = { "mechanisms" } }
      ),
    }
  end,
}

-- Asks which SASL mechanisms the server has, and names one. PROTOCOL.adoc of 2021, SaslHandshake.
frames[#frames + 1] = {
  name = "sasl_handshake",
  command = "sasl_handshake",
  kind = "request",
  sender = "client",
  key = 18,
  version = 1,
  responses = { false },
  dialects = { "2020" },
  shows = { { texts = { "mechanism=", "" }, holes = { { path = "mechanism" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 2,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.tail(2, word.text(
        I16,
        "mechanism",
        "Name of the mechanism that the client will use.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      )),
    }
  end,
}

-- Sends what the SASL mechanism asks for. PROTOCOL.adoc, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate",
  command = "sasl_authenticate",
  kind = "request",
  sender = "client",
  key = 19,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "mechanism" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "mechanism", path = "mechanism" } },
  known = { "stream" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "mechanism",
        "Name of the mechanism; `PLAIN`, `AMQPLAIN`, `EXTERNAL`, ...",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
      word.bytes(
        I32,
        "sasl_opaque_data",
        "What the mechanism asks for, null for nothing; PLAIN: 0, user, 0, password.",
        { secret = true, keep = "followed", awaited = true, raw = true, null = true }
      ),
    }
  end,
}

-- Says whether the client is known, or asks for more. PROTOCOL.adoc, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate_response",
  command = "sasl_authenticate",
  kind = "response",
  sender = "server",
  key = 19,
  version = 1,
  responses = { true },
  dialects = { "" },
  shows = {
    { texts = { "user=", "" }, holes = { { path = "@user" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true, sasl_challenge = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.when(function(v) return v.response_code == 10 end, {
        word.fits({
          { "absent", {} },
          { "int32", {
            word.bytes(
              I32,
              "sasl_opaque_data",
              "What the server's mechanism asks next.",
              { secret = true, refuses_null = true }
            ),
          } },
          { "int16", {
            word.bytes(U16, "sasl_opaque_data", "What the server's mechanism asks next.", { secret = true }),
          } },
        }),
      }),
    }
  end,
}

-- Says whether the client is known, or asks for more. PROTOCOL.adoc of 2021, SaslAuthenticate.
frames[#frames + 1] = {
  name = "sasl_authenticate_response",
  command = "sasl_authenticate",
  kind = "response",
  sender = "server",
  key = 19,
  version = 1,
  responses = { true },
  dialects = { "2020" },
  shows = {
    { texts = { "user=", "" }, holes = { { path = "@user" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true, sasl_challenge = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.bytes(
        I32,
        "sasl_opaque_data",
        "What the server's mechanism asks next.",
        { secret = true, null = true }
      ),
    }
  end,
}

-- Proposes limits. PROTOCOL.adoc, Tune.
frames[#frames + 1] = {
  name = "tune",
  command = "tune",
  kind = "request",
  sender = "server",
  key = 20,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "frame_max=", "" }, holes = { { path = "frame_max", form = "size" } } },
    { texts = { "heartbeat=", " s" }, holes = { { path = "heartbeat" } } },
  },
  brief = 2,
  agrees = { { name = "frame_max", path = "frame_max" }, { name = "heartbeat", path = "heartbeat" } },
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "frame_max",
        "Largest frame, without the 4 bytes of its size; 0 means no limit. The broker proposes 1048576, and does not hold Deliver to it.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.u32(
        "heartbeat",
        "Longest silence of a side; 0 means no heartbeats. The broker proposes 60.",
        { unit = "s", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Agrees to limits. PROTOCOL.adoc, Tune.
frames[#frames + 1] = {
  name = "tune_response",
  command = "tune",
  kind = "response",
  sender = "client",
  key = 20,
  version = 1,
  responses = { true, false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "frame_max=", "" }, holes = { { path = "frame_max", form = "size" } } },
    { texts = { "heartbeat=", " s" }, holes = { { path = "heartbeat" } } },
  },
  brief = 2,
  agrees = { { name = "frame_max", path = "frame_max" }, { name = "heartbeat", path = "heartbeat" } },
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "frame_max",
        "Largest frame, without the 4 bytes of its size; 0 means no limit. The broker proposes 1048576, and does not hold Deliver to it.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.u32(
        "heartbeat",
        "Longest silence of a side; 0 means no heartbeats. The broker proposes 60.",
        { unit = "s", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Chooses a virtual host. PROTOCOL.adoc, Open.
frames[#frames + 1] = {
  name = "open",
  command = "open",
  kind = "request",
  sender = "client",
  key = 21,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "vhost=", "" }, holes = { { path = "virtual_host" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "virtual_host", path = "virtual_host" } },
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "virtual_host",
        "Name of the virtual host; `/` is the default one.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Says whether the virtual host may be used. PROTOCOL.adoc, Open.
frames[#frames + 1] = {
  name = "open_response",
  command = "open",
  kind = "response",
  sender = "server",
  key = 21,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", ":", "" },
      holes = {
        { path = "connection_properties", form = "pair", others = { "advertised_host" } },
        { path = "connection_properties", form = "pair", others = { "advertised_port" } },
      },
    },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "connection_properties", path = "connection_properties" } },
  known = { "stream" },
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.tail(4, word.list(word.each({
        word.text(
          I16,
          "key",
          "Name.",
          { names_next = true, keep = true, in_info = "many", refuses_null = true }
        ),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = true, in_info = "many", refuses_null = true }
        ),
      }), "connection_properties", "Where this node is reached: `advertised_host`, and `advertised_port` as text.", {
        keep = true,
        claim = U32,
        records = { "key", "value" },
        forget = { "connection_properties.key", "connection_properties.value" },
      })),
    }
  end,
}

-- Ends the connection. PROTOCOL.adoc, Close.
frames[#frames + 1] = {
  name = "close",
  command = "close",
  kind = "request",
  sender = "both",
  key = 22,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "code=", "" },
      holes = { { path = "closing_code", form = "ok", others = { ok = true } } },
    },
    { texts = { "reason=", "" }, holes = { { path = "closing_reason" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  known = { "stream" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("closing_code", "Why; 1 in good order.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.text(
        I16,
        "closing_reason",
        "Why, in words; may be empty.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Agrees to the end. PROTOCOL.adoc, Close.
frames[#frames + 1] = {
  name = "close_response",
  command = "close",
  kind = "response",
  sender = "both",
  key = 22,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Shows that a silent side is there. PROTOCOL.adoc, Heartbeat.
frames[#frames + 1] = {
  name = "heartbeat",
  command = "heartbeat",
  kind = "command",
  sender = "both",
  key = 23,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {},
  brief = 0,
  known = { "stream" },
  awaited = 0,
  head = function() return head_1() end,
  steps = function()
    return {}
  end,
}

-- Asks which partitions of a super stream a routing key leads to. PROTOCOL.adoc, Route.
frames[#frames + 1] = {
  name = "route",
  command = "route",
  kind = "request",
  sender = "client",
  key = 24,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "super_stream" } } },
    { texts = { "key=", "" }, holes = { { path = "routing_key" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  known = { "stream" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "routing_key",
        "Key of the message to be published.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
      word.text(
        I16,
        "super_stream",
        "Name of the super stream.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Names the partitions. PROTOCOL.adoc, Route.
frames[#frames + 1] = {
  name = "route_response",
  command = "route",
  kind = "response",
  sender = "server",
  key = 24,
  version = 1,
  responses = { true, false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "streams" } } },
    { texts = { "", "" }, holes = { { path = "stream" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.fits(
        {
          { "list", {
            word.list(
              word.text(
                I16,
                nil,
                "One item.",
                { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
              ),
              "streams",
              "Names of the partitions.",
              { keep = true, claim = U32, gathers = { "streams" } }
            ),
          } },
          { "single", {
            word.text(
              I16,
              "stream",
              "Name of the partition.",
              { spans = { "stream" }, keep = true, in_info = true, refuses_null = true }
            ),
          } },
        },
        { forget = { "streams", "stream" } }
      ),
    }
  end,
}

-- Names the partition. PROTOCOL.adoc of 2021, Route.
frames[#frames + 1] = {
  name = "route_response",
  command = "route",
  kind = "response",
  sender = "server",
  key = 24,
  version = 1,
  responses = { true, false },
  dialects = { "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "stream" } } } },
  brief = 1,
  correlates = "correlation_id",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the partition.",
        { spans = { "stream" }, keep = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Asks for the partitions of a super stream. PROTOCOL.adoc, Partitions.
frames[#frames + 1] = {
  name = "partitions",
  command = "partitions",
  kind = "request",
  sender = "client",
  key = 25,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "super_stream" } } } },
  brief = 1,
  correlates = "correlation_id",
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "super_stream",
        "Name of the super stream.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Names the partitions. PROTOCOL.adoc, Partitions.
frames[#frames + 1] = {
  name = "partitions_response",
  command = "partitions",
  kind = "response",
  sender = "server",
  key = 25,
  version = 1,
  responses = { true, false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "streams" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.list(
        word.text(
          I16,
          nil,
          "One item.",
          { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
        ),
        "streams",
        "Names of the partitions, in their order.",
        { keep = true, claim = U32, gathers = { "streams" } }
      ),
    }
  end,
}

-- Names the partitions. PROTOCOL.adoc of 2021, Partitions.
frames[#frames + 1] = {
  name = "partitions_response",
  command = "partitions",
  kind = "response",
  sender = "server",
  key = 25,
  version = 1,
  responses = { true, false },
  dialects = { "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "streams" } } } },
  brief = 1000,
  correlates = "correlation_id",
  awaited = 1000,
  head = function() return head_2() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.list(
        word.text(
          I16,
          nil,
          "One item.",
          { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
        ),
        "streams",
        "Names of the partitions, in their order.",
        { keep = true, claim = U32, gathers = { "streams" } }
      ),
    }
  end,
}

-- Makes a consumer active or not. PROTOCOL.adoc, ConsumerUpdate.
frames[#frames + 1] = {
  name = "consumer_update",
  command = "consumer_update",
  kind = "request",
  sender = "server",
  key = 26,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "", "" }, holes = { { path = "active" } } },
    { texts = { "sub=", "" }, holes = { { path = "subscription_id" } } },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u8(
        "subscription_id",
        "Subscription, a number that the client chose; it is known on this connection only.",
        { spans = { "subscription_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.u8(
        "active",
        "Whether the consumer is to be active.",
        { names = names.active, keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- States where an active consumer continues. PROTOCOL.adoc, ConsumerUpdate.
frames[#frames + 1] = {
  name = "consumer_update_response",
  command = "consumer_update",
  kind = "response",
  sender = "client",
  key = 26,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "from=", "" }, holes = { { path = "offset_type" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "timestamp=", "" }, holes = { { path = "timestamp" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 4,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 4,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.u16(
        "offset_type",
        "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
        { names = names.offset_type, keep = true, awaited = true, in_info = true }
      ),
      word.switch(function(v) return v.offset_type end, {
        [0] = {},
        [1] = {},
        [2] = {},
        [3] = {},
        [4] = {
          word.u64(
            "offset",
            "Offset of a message; below the first means first, beyond the end next.",
            { spans = { "offset" }, keep = true, awaited = true, in_info = true }
          ),
        },
        [5] = {
          word.i64(
            "timestamp",
            "Time since 1970: the first chunk that is not older is meant.",
            { unit = "ms", time = 3, keep = true, in_info = true }
          ),
        },
      }, {}, "offset_type"),
    }
  end,
}

-- Lists the command versions of the client. PROTOCOL.adoc, ExchangeCommandVersions.
frames[#frames + 1] = {
  name = "exchange_command_versions",
  command = "exchange_command_versions",
  kind = "request",
  sender = "client",
  key = 27,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", ":", "-", "" },
      holes = {
        { path = "commands.key" },
        { path = "commands.min_version" },
        { path = "commands.max_version" },
      },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  agrees = { { name = "client_command_versions", path = "commands" } },
  known = { "stream" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.list(word.each({
        word.u16(
          "key",
          "Command, without the response bit.",
          { names = names.key, base = "hex", keep = true, in_info = "many" }
        ),
        word.u16("min_version", "Lowest version spoken.", { keep = true, in_info = "many" }),
        word.u16("max_version", "Highest version spoken.", { keep = true, in_info = "many" }),
      }), "commands", "What the client speaks.", {
        keep = true,
        claim = U32,
        gathers = { "commands.key" },
        records = { "key", "max_version", "min_version" },
        forget = { "commands.key", "commands.min_version", "commands.max_version" },
      }),
    }
  end,
}

-- Lists the command versions of the server. PROTOCOL.adoc, ExchangeCommandVersions.
frames[#frames + 1] = {
  name = "exchange_command_versions_response",
  command = "exchange_command_versions",
  kind = "response",
  sender = "server",
  key = 27,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "", ":", "-", "" },
      holes = {
        { path = "commands.key" },
        { path = "commands.min_version" },
        { path = "commands.max_version" },
      },
    },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  agrees = { { name = "server_command_versions", path = "commands" } },
  known = { "stream" },
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.list(word.each({
        word.u16(
          "key",
          "Command, without the response bit.",
          { names = names.key, base = "hex", keep = true, in_info = "many" }
        ),
        word.u16("min_version", "Lowest version spoken.", { keep = true, in_info = "many" }),
        word.u16("max_version", "Highest version spoken.", { keep = true, in_info = "many" }),
      }), "commands", "Commands that a client may begin, as the server speaks them.", {
        keep = true,
        claim = U32,
        records = { "key", "max_version", "min_version" },
        forget = { "commands.key", "commands.min_version", "commands.max_version" },
      }),
    }
  end,
}

-- Asks for numbers about a stream. PROTOCOL.adoc, StreamStats.
frames[#frames + 1] = {
  name = "stream_stats",
  command = "stream_stats",
  kind = "request",
  sender = "client",
  key = 28,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "stream" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Gives numbers about a stream. PROTOCOL.adoc, StreamStats.
frames[#frames + 1] = {
  name = "stream_stats_response",
  command = "stream_stats",
  kind = "response",
  sender = "server",
  key = 28,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "", "=", "" }, holes = { { path = "stats.key" }, { path = "stats.value" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 1000,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        in_info = true,
      }),
      word.list(word.each({
        word.text(I16, "key", "Name of the number.", { keep = true, in_info = "many", refuses_null = true }),
        word.i64("value", "The number; -1 when the stream is empty.", { keep = true, in_info = "many" }),
      }), "stats", "Numbers about the stream.", {
        keep = "followed",
        claim = U32,
        records = { "key", "value" },
        forget = { "stats.key", "stats.value" },
      }),
    }
  end,
}

-- Creates a super stream and its partitions. PROTOCOL.adoc, CreateSuperStream.
frames[#frames + 1] = {
  name = "create_super_stream",
  command = "create_super_stream",
  kind = "request",
  sender = "client",
  key = 29,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "name" } } },
    { texts = { "partitions=", "" }, holes = { { path = "partitions" } } },
    { texts = { "keys=", "" }, holes = { { path = "binding_keys" } } },
  },
  brief = 1000,
  correlates = "correlation_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true }
      ),
      word.text(
        I16,
        "name",
        "Name of the super stream.",
        { keep = true, in_info = true, refuses_null = true }
      ),
      word.list(
        word.text(
          I16,
          nil,
          "One item.",
          { spans = { "stream" }, keep = true, in_info = "many", refuses_null = true }
        ),
        "partitions",
        "Names of the streams to create.",
        { keep = true, count = U32, gathers = { "partitions" } }
      ),
      word.list(
        word.text(I16, nil, "One item.", { keep = true, in_info = "many", refuses_null = true }),
        "binding_keys",
        "Routing key of each partition, as many as those.",
        { keep = true, count = U32, gathers = { "binding_keys" } }
      ),
      word.list(word.each({
        word.text(I16, "key", "Name.", { names_next = true, keep = "followed", refuses_null = true }),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = "followed", refuses_null = true }
        ),
      }), "arguments", "Settings of each partition, as in Create.", {
        keep = "followed",
        claim = U32,
        gathers = { "arguments.key" },
        records = { "key", "value" },
        forget = { "arguments.key", "arguments.value" },
      }),
    }
  end,
}

-- Says whether the super stream was created. PROTOCOL.adoc, CreateSuperStream.
frames[#frames + 1] = {
  name = "create_super_stream_response",
  command = "create_super_stream",
  kind = "response",
  sender = "server",
  key = 29,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Deletes a super stream and its partitions. PROTOCOL.adoc, DeleteSuperStream.
frames[#frames + 1] = {
  name = "delete_super_stream",
  command = "delete_super_stream",
  kind = "request",
  sender = "client",
  key = 30,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = { { texts = { "", "" }, holes = { { path = "name" } } } },
  brief = 1,
  correlates = "correlation_id",
  proves = "client",
  known = { "stream" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "name",
        "Name of the super stream.",
        { keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
    }
  end,
}

-- Says whether the super stream was deleted. PROTOCOL.adoc, DeleteSuperStream.
frames[#frames + 1] = {
  name = "delete_super_stream_response",
  command = "delete_super_stream",
  kind = "response",
  sender = "server",
  key = 30,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 1,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
    }
  end,
}

-- Asks which offset an offset specification means. PROTOCOL.adoc, ResolveOffsetSpec.
frames[#frames + 1] = {
  name = "resolve_offset_spec",
  command = "resolve_offset_spec",
  kind = "request",
  sender = "client",
  key = 31,
  version = 1,
  responses = { false },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "stream" } } },
    { texts = { "from=", "" }, holes = { { path = "offset_type" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "timestamp=", "" }, holes = { { path = "timestamp" } } },
  },
  brief = 4,
  correlates = "correlation_id",
  proves = "client",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.text(
        I16,
        "stream",
        "Name of the stream.",
        { spans = { "stream" }, keep = true, awaited = true, in_info = true, refuses_null = true }
      ),
      word.u16(
        "offset_type",
        "Which place in the stream is meant; only 4 (offset) and 5 (timestamp) have a value.",
        { names = names.offset_type, keep = true, awaited = true, in_info = true }
      ),
      word.switch(function(v) return v.offset_type end, {
        [1] = {},
        [2] = {},
        [3] = {},
        [4] = {
          word.u64(
            "offset",
            "Offset of a message; below the first means first, beyond the end next.",
            { spans = { "offset" }, keep = true, in_info = true }
          ),
        },
        [5] = {
          word.i64(
            "timestamp",
            "Time since 1970: the first chunk that is not older is meant.",
            { unit = "ms", time = 3, keep = true, awaited = true, in_info = true }
          ),
        },
      }, {}, "offset_type"),
      word.tail(4, word.list(word.each({
        word.text(I16, "key", "Name.", { names_next = true, keep = "followed", refuses_null = true }),
        word.text(
          I16,
          "value",
          "Value, always text.",
          { of_name = true, keep = "followed", refuses_null = true }
        ),
      }), "properties", "Options: `name`, `single-active-consumer`, `super-stream`, `filter.<n>`, `match-unfiltered`, `chunk_selector`; absent when there are none.", {
        keep = "followed",
        claim = U32,
        records = { "key", "value" },
        forget = { "properties.key", "properties.value" },
      })),
    }
  end,
}

-- Gives the offset that is meant. PROTOCOL.adoc, ResolveOffsetSpec.
frames[#frames + 1] = {
  name = "resolve_offset_spec_response",
  command = "resolve_offset_spec",
  kind = "response",
  sender = "server",
  key = 31,
  version = 1,
  responses = { true },
  dialects = { "", "2020" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@stream" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    {
      texts = { "code=", "" },
      holes = { { path = "response_code", form = "ok", others = { ok = true } } },
    },
  },
  brief = 2,
  correlates = "correlation_id",
  proves = "server",
  known = { "stream" },
  awaited = 2,
  coded = true,
  head = function() return head_1() end,
  steps = function()
    return {
      word.u32(
        "correlation_id",
        "Number that a request chooses and its response repeats; each direction has its own.",
        { keep = true, awaited = true }
      ),
      word.u16("response_code", "How the request ended; 1 is success.", {
        names = names.response_code,
        spans = { "response_code" },
        holds = { failed = { [1] = true, [10] = true } },
        keep = true,
        awaited = true,
        in_info = true,
      }),
      word.u16("offset_type", "Always 4 (offset).", { names = names.offset_type, keep = "followed" }),
      word.u64(
        "offset",
        "First offset of the chunk that is meant; 0 on an error.",
        { spans = { "offset" }, keep = true, in_info = true }
      ),
    }
  end,
}

local K = {
  ABSENT = 100,
  AHEAD = 1000,
  ANSWER_LIMIT = 4,
  ANSWER_USED = 10000000000,
  ASKED_LIMIT = 3,
  AT_BOTH = 1000000000,
  AT_ONCE = 5000000,
  BEAT_LIMIT = 6,
  BELOW_LIMIT = 2,
  BLOCKED = 2000000000,
  BOTH_LIMIT = 3,
  BOTH_PAUSE = 60000000000,
  BRIEF_LIMIT = 5,
  CHURN_LIMIT = 3,
  CLOSED_LIMIT = 2,
  CREDIT_LIMIT = 5,
  CREDIT_RAISES = 2,
  DRAINED_LIMIT = 4,
  DROPPED = 50000000,
  ENDED_BY_UPDATE = 59000000000,
  FEW_CHUNKS = 4,
  FEW_IDLE = 6,
  FEW_MESSAGES = 10,
  FEW_POLLS = 5,
  FEW_REFUSED = 3,
  FILTERED_LIMIT = 4,
  FILTERED_VALUES = 3,
  FILTER_LIMIT = 16,
  FILTER_SAMPLE = 64,
  FIRST_LIMIT = 3,
  FIRST_OFFSETS = 100000000000,
  FLOOD = 1000,
  FREED_LIMIT = 2,
  FUTURE = 60000000000,
  GONE = 50000000,
  GONE_LIMIT = 3,
  GONE_PAUSE = 60000000000,
  HALF_OPEN = 5000000000,
  HANDSHAKE_STEP = 9500000000,
  HELD_BACK = 2000000000,
  IDLE = 1000000000,
  IDLE_CONNECTIONS = 8,
  KEYED_MOST = 16,
  LAGGING = 3000000000,
  LARGE_CREDIT = 500,
  LAST_KEY = { [0] = 23, [3009000] = 25, [3011000] = 28, [3013000] = 30, [4003000] = 31 },
  LAST_OFFSET = 9223372036854775807,
  LAST_TIME = 100000000000000,
  LATE = 10000000000,
  LOOKED_UP = 8,
  LOOKUP_LIMIT = 4,
  LOOPED = 32,
  LOOP_LIMIT = 3,
  LOOP_TIME = 2000000000,
  METADATA_LIMIT = 4,
  NAMES_LIMIT = 3,
  OUTBOX_LIMIT = 3,
  OUTBOX_MOST = 256,
  POLL_LIMIT = 10,
  POLL_PAUSE = 100000000,
  QUIET = 3000000000,
  RACE = 100000000,
  REACHING = 500000000,
  READERS_LIMIT = 4,
  RECONNECT_LIMIT = 4,
  RECOVERY = 7000000000,
  REFUSED_LIMIT = 4,
  REFUSED_PAUSE = 2000000000,
  REMADE_LIMIT = 2,
  REREAD_LIMIT = 3,
  REREAD_ROUNDS = 3,
  RESTORED = 1000000000,
  RESTORED_AFTER = 60000000000,
  RESUBSCRIBED = 5000000000,
  RETURNED = 1000000000,
  ROUTED_LIMIT = 5,
  SAMPLE = 16,
  SAMPLED_SIZE = 16384,
  SECTION = "\000S",
  SENT_MOST = 64,
  SILENT_INTERVALS = 2,
  SINGLE_LIMIT = 10,
  SINGLE_USES = 8,
  SKEWED_LIMIT = 10,
  SKIPPED = 3,
  SLOW_ANSWER = 3000000000,
  SLOW_UPDATE = 1000000000,
  STARVING = 3000000000,
  STILL_LIMIT = 3,
  STORE_LIMIT = 5,
  STREAM_LIMIT = 3,
  TURNS_LIMIT = 4,
  TURNS_PAUSE = 10000000000,
  UNANSWERED = 10000000000,
  UNFILTERED_LIMIT = 3,
  UNPAID_LIMIT = 3,
  UNREAD_LIMIT = 3,
  UNUSED_LIMIT = 3,
  USED_EVERY = 100000000,
  VACANT = 5000000000,
}

local LISTS = {
  {[1] = true, [10] = true, [20] = true, [21] = true},
  {[1] = true, [5] = true, [10] = true, [19] = true},
  {[1] = true, [10] = true},
  {[1] = true, [10] = true, [19] = true},
  {["end"] = true, ["idle"] = true, ["crowded"] = true, ["lost"] = true},
  {[1] = true, [2] = true, [5] = true, [17] = true},
  {["closed"] = true, ["reset"] = true},
  {["end"] = true, ["removed"] = true},
  {["closed"] = true, ["reset"] = true, ["end"] = true},
  {[1] = true, [4] = true},
  {["reset"] = true, ["closed"] = true},
  {[1] = true, [19] = true},
  {["open"] = true, ["closing"] = true, ["closed"] = true, ["opening"] = true},
  {["heartbeat"] = true, ["tune"] = true, ["tune_response"] = true, ["consumer_update_response"] = true, ["subscribe"] = true, ["publish"] = true, ["deliver"] = true},
  {["declare_publisher_response"] = true, ["query_publisher_sequence_response"] = true, ["delete_publisher_response"] = true, ["subscribe_response"] = true, ["query_offset_response"] = true, ["unsubscribe_response"] = true, ["create_response"] = true, ["delete_response"] = true, ["metadata_response"] = true, ["peer_properties_response"] = true, ["sasl_handshake_response"] = true, ["sasl_authenticate_response"] = true, ["open_response"] = true, ["route_response"] = true, ["partitions_response"] = true, ["exchange_command_versions_response"] = true, ["stream_stats_response"] = true, ["create_super_stream_response"] = true, ["delete_super_stream_response"] = true, ["resolve_offset_spec_response"] = true, ["credit_response"] = true, ["publish_confirm"] = true, ["publish_error"] = true, ["deliver"] = true, ["metadata_update"] = true, ["consumer_update"] = true},
  {["absent"] = true, ["unknown"] = true},
  {["a gap interrupts this frame"] = true, ["the connection or capture ended first"] = true},
  {["PLAIN"] = true, ["AMQPLAIN"] = true},
  {["absent"] = true, ["unknown"] = true, ["open"] = true},
  {["greeted"] = true, ["unknown"] = true},
  {["offered"] = true, ["unknown"] = true, ["open"] = true},
  {["tuning"] = true, ["tuned"] = true, ["unknown"] = true},
  {["sasl_authenticate"] = true, ["heartbeat"] = true},
  {["absent"] = true, ["properties"] = true, ["greeted"] = true, ["handshake"] = true, ["offered"] = true, ["authenticating"] = true, ["known"] = true, ["tuning"] = true, ["tuned"] = true, ["opening"] = true},
  {["absent"] = true, ["properties"] = true, ["greeted"] = true, ["handshake"] = true, ["offered"] = true, ["authenticating"] = true, ["known"] = true},
  {["absent"] = true, ["greeted"] = true, ["offered"] = true, ["tuning"] = true},
  {["greeted"] = true, ["offered"] = true, ["tuning"] = true},
  {[20] = true, [21] = true},
  {["tune"] = true, ["tune_response"] = true},
  {["create_super_stream"] = true, ["delete_super_stream"] = true},
  {["heartbeat"] = true, ["close"] = true, ["close_response"] = true},
  {["true"] = true, ["false"] = true},
  {["open"] = true, ["closing"] = true, ["closed"] = true},
  {[5] = true, [17] = true},
  {[1] = true, [16] = true, [17] = true},
  {[16] = true, [17] = true},
  {["close_response"] = true, ["credit_response"] = true, ["tune_response"] = true},
  {["sasl_authenticate_response"] = true, ["credit_response"] = true, ["open_response"] = true},
  {[1] = true, [10] = true, [16] = true, [17] = true, [19] = true},
  {["publish"] = true, ["deliver"] = true},
  {["client-local"] = true, ["balanced"] = true, ["least-leaders"] = true, ["random"] = true},
  {[2] = true, [4] = true, [6] = true, [8] = true},
  {["absent"] = true, ["removed"] = true, ["refused"] = true},
  {["live"] = true, ["asked"] = true},
  {["absent"] = true, ["refused"] = true},
  {["removed"] = true, ["refused"] = true, ["absent"] = true},
  {["removed"] = true, ["lost"] = true},
  {[1] = true, [2] = true},
  {[4] = true, [5] = true},
  {[2] = true, [3] = true},
  {[2] = true, [5] = true},
  {["closed"] = true, ["end"] = true},
}

local GUARDS = {
  { [[(c.response_code == 1)]], "c" },
  { [[(c.response_code == 10)]], "c" },
  { [[(c.response_code ~= nil and not LISTS[1][c.response_code])]], "c" },
  { [[(f.item(c["properties[]"], "single-active-consumer") == "true")]], "c" },
  { [[((f.len(c.publisher_reference) or 0) > 0)]], "c" },
  { [=[LISTS[6][c.response_code]]=], "c" },
  { [[(c.response_code == 1) and (c["#streams"] == 1)]], "c" },
  { [[(c.active == 1)]], "c" },
  { [[(f.item(c["properties[]"], "single-active-consumer") == nil)]], "c" },
  { [[(c.response_code ~= nil and not LISTS[3][c.response_code])]], "c" },
  { [[(c.credit ~= nil and c.credit > 0)]], "c" },
  { [[(c.committed_chunk_id ~= nil)]], "c" },
  { [[(c.response_code ~= nil and not LISTS[2][c.response_code])]], "c" },
  { [=[LISTS[3][c.response_code]]=], "c" },
  { [[(c.response_code ~= nil and not LISTS[4][c.response_code])]], "c" },
  { [[(c.offset_type == 4)]], "c" },
  { [[(c["#published_messages"] == 1)]], "c" },
  {
    [[(c["#published_messages"] == 1) and f.any_eq(c["published_messages.entry_type[]"], 1) and (f.greatest(c["published_messages.record_count[]"]) == 1)]],
    "c",
  },
  { [[(c.credit == 1)]], "c" },
  { [[(c["#streams"] == 1)]], "c" },
  { [[(c.response_code == 19)]], "c" },
  {
    [[(f.item(c["properties[]"], "single-active-consumer") == "true") and (f.item(c["properties[]"], "super-stream") == nil)]],
    "c",
  },
  { [[(f.item(c["properties[]"], "filter.0") ~= nil)]], "c" },
  {
    [[(f.item(c["properties[]"], "filter.1") == nil) and (f.coalesce(f.item(c["properties[]"], "match-unfiltered"), "") ~= "true")]],
    "c",
  },
  { [[(c.response_code ~= nil and c.response_code ~= 1)]], "c" },
  { [[((f.len(c.routing_key) or 0) > 0)]], "c" },
  {
    [[f.any_eq(c["published_messages.entry_type[]"], 1) and ((f.first(c["published_messages.compression[]"]) or 0) > 0) and (f.first(c["published_messages.uncompressed_size[]"]) ~= nil and f.size_of(f.first(c["published_messages.records raw[]"])) ~= nil and (f.first(c["published_messages.uncompressed_size[]"]) * 19) <= (f.size_of(f.first(c["published_messages.records raw[]"])) * 20))]],
    "c",
  },
  { [[(c.active == 0)]], "c" },
  { [=[LISTS[12][c.response_code]]=], "c" },
  { [[f.any_ne(c["streams.response_code[]"], 1)]], "c" },
  { [[(c.reason ~= nil and not LISTS[17][c.reason])]], "c" },
  {
    [[((f.non_ascii(c.stream) ~= nil and not f.non_ascii(c.stream)) and (f.non_ascii(c.publisher_reference) ~= nil and not f.non_ascii(c.publisher_reference)) and (f.non_ascii(c.reference) ~= nil and not f.non_ascii(c.reference)) and (f.non_ascii(c["properties[]"]) ~= nil and not f.non_ascii(c["properties[]"])) and (f.non_ascii(c["arguments[]"]) ~= nil and not f.non_ascii(c["arguments[]"])) and (f.non_ascii(c.virtual_host) ~= nil and not f.non_ascii(c.virtual_host)) and (f.non_ascii(c["peer_properties[]"]) ~= nil and not f.non_ascii(c["peer_properties[]"])))]],
    "c",
  },
  { [=[LISTS[18][c.mechanism]]=], "c" },
  { [=[LISTS[28][c.response_code]]=], "c" },
  { [[((c.heartbeat == 1) or (c.heartbeat ~= nil and c.heartbeat > 3600))]], "c" },
  { [[(c.closing_code ~= nil and c.closing_code ~= 1)]], "c" },
  {
    [[(f.item(c["properties[]"], "single-active-consumer") == "true") and (f.item(c["properties[]"], "name") == nil)]],
    "c",
  },
  {
    [[(f.item(c["properties[]"], "single-active-consumer") ~= nil) and (f.item(c["properties[]"], "single-active-consumer") ~= nil and not LISTS[32][f.item(c["properties[]"], "single-active-consumer")])]],
    "c",
  },
  {
    [[(f.item(c["properties[]"], "match-unfiltered") ~= nil) and (f.item(c["properties[]"], "match-unfiltered") ~= nil and not LISTS[32][f.item(c["properties[]"], "match-unfiltered")])]],
    "c",
  },
  { [[(c.response_code == 17)]], "c" },
  {
    [[(f.any_ne(c["streams.response_code[]"], 1) or f.any_eq(c["streams.leader[]"], 65535))]],
    "c",
  },
  { [[(c.response_code == 6)]], "c" },
  { [[(c.response_code ~= nil and not LISTS[35][c.response_code])]], "c" },
  { [=[LISTS[36][c.response_code]]=], "c" },
  { [[(c.response_code == 1) and (c["#streams"] == 0)]], "c" },
  { [[(c.response_code ~= nil and not LISTS[39][c.response_code])]], "c" },
  {
    [[(f.non_ascii(c.stream) or f.non_ascii(c.publisher_reference) or f.non_ascii(c.reference) or f.non_ascii(c["properties[]"]) or f.non_ascii(c["arguments[]"]) or f.non_ascii(c.virtual_host) or f.non_ascii(c["peer_properties[]"]))]],
    "c",
  },
  {
    [[((f.len(c.stream) == 0) or ((f.len(c.stream) or 255) > 255) or f.starts(c.stream, "amq."))]],
    "c",
  },
  {
    [[(f.strange(c["properties.key[]"], {"single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier", "chunk_selector"}, {"filter.", "x-"}) ~= nil)]],
    "c",
  },
  {
    [[(f.strange(c["arguments.key[]"], {"max-length-bytes", "stream-max-segment-size-bytes", "initial-cluster-size", "stream-initial-offset", "max-age", "queue-leader-locator", "stream-filter-size-bytes"}, {"x-"}) ~= nil)]],
    "c",
  },
  {
    [[(((f.item(c["arguments[]"], "max-length-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "max-length-bytes")) == nil)) or ((f.item(c["arguments[]"], "stream-max-segment-size-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-max-segment-size-bytes")) == nil)) or ((f.item(c["arguments[]"], "initial-cluster-size") ~= nil) and (f.number(f.item(c["arguments[]"], "initial-cluster-size")) == nil)) or ((f.item(c["arguments[]"], "stream-initial-offset") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-initial-offset")) == nil)) or (f.item(c["arguments[]"], "queue-leader-locator") ~= nil and not LISTS[41][f.item(c["arguments[]"], "queue-leader-locator")]) or ((f.item(c["arguments[]"], "max-age") ~= nil) and (f.number(f.first(f.item(c["arguments[]"], "max-age"))) == nil)))]],
    "c",
  },
  { [[(f.len(c.reference) == 0)]], "c" },
  { [[((c["#arguments"] or 0) > 0)]], "c" },
  { [[(f.item(c["arguments[]"], "max-age") ~= nil)]], "c" },
  {
    [[(c["#partitions"] ~= nil and c["#binding_keys"] ~= nil and c["#partitions"] ~= c["#binding_keys"])]],
    "c",
  },
  { [[(c.mechanism == "PLAIN")]], "c" },
  { [[((f.len(c.virtual_host) or 2) > 2)]], "c" },
  { [[((c["#properties"] or 0) > 0)]], "c" },
  { [[((c["#properties"] or 1) > 1)]], "c" },
  { [[((c["#arguments"] or 1) > 1)]], "c" },
  { [[((c["#peer_properties"] or 1) > 1)]], "c" },
  { [=[LISTS[42][f.number(f.item(c["arguments[]"], "initial-cluster-size"))]]=], "c" },
  { [[((c["#peer_properties"] or 0) > 0)]], "c" },
  { [[(c.response_code == 8)]], "c" },
  { [[(c.response_code == 12)]], "c" },
  { [[(c.response_code == 2)]], "c" },
  { [[f.any_eq(c["streams.response_code[]"], 2)]], "c" },
  { [[(c["#published_messages"] == 0)]], "c" },
  { [[f.any_eq(c["published_messages.entry_type[]"], 1)]], "c" },
  { [[(c.response_code ~= nil and c.response_code ~= 17)]], "c" },
  { [[(c.credit ~= nil and c.credit <= 0)]], "c" },
  { [[(c.credit ~= nil and c.credit >= K.LARGE_CREDIT)]], "c" },
  {
    [[((c["chunk.magic"] ~= nil and c["chunk.magic"] ~= 5) or (c["chunk.version"] ~= nil and c["chunk.version"] ~= 0) or (c["chunk.chunk_type"] ~= nil and c["chunk.chunk_type"] > 2) or (c["chunk.reserved"] ~= nil and c["chunk.reserved"] ~= 0))]],
    "c",
  },
  { [[(c["chunk.magic"] == 5) and (c["chunk.chunk_type"] == 0)]], "c" },
  { [[(c["chunk.magic"] == 5)]], "c" },
  { [=[LISTS[48][c["chunk.chunk_type"]]]=], "c" },
  { [[(c.offset ~= nil and c.offset > K.FIRST_OFFSETS)]], "c" },
  {
    [[(c.offset_type == 5) and (c.timestamp ~= nil and c.timestamp ~= 0) and ((c.timestamp ~= nil and c.timestamp < 1000000000000.0) or (c.timestamp ~= nil and c.timestamp > K.LAST_TIME))]],
    "c",
  },
  { [[(c.offset_type == 5) and (c.timestamp ~= nil and c.timestamp <= K.LAST_TIME)]], "c" },
  {
    [[((c.offset_type ~= nil and c.offset_type < 1) or (c.offset_type ~= nil and c.offset_type > 5))]],
    "c",
  },
  { [[(c.publisher_id == 255)]], "c" },
  { [[(c.offset ~= nil and c.offset <= K.FIRST_OFFSETS)]], "c" },
  { [[(f.item(c["properties[]"], "super-stream") ~= nil)]], "c" },
  { [[(f.coalesce(f.item(c["properties[]"], "filter.0"), "") == "")]], "c" },
  { [[(f.coalesce(f.item(c["properties[]"], "filter.0"), "") ~= "")]], "c" },
  { [[(f.coalesce(f.item(c["properties[]"], "single-active-consumer"), "") ~= "true")]], "c" },
  { [[((c.offset_type == 1) or ((c.offset_type == 4) and (c.offset == 0)))]], "c" },
  { [[(c.heartbeat == 0)]], "c" },
  {
    [[(f.coalesce(f.item(c["properties[]"], "single-active-consumer"), "") ~= "true") and (c.offset_type == 4)]],
    "c",
  },
  {
    [=[(f.coalesce(f.item(c["properties[]"], "single-active-consumer"), "") ~= "true") and LISTS[50][c.offset_type]]=],
    "c",
  },
  {
    [[(f.coalesce(f.item(c["properties[]"], "single-active-consumer"), "") ~= "true") and (c.offset_type == 4) and (c.offset == 1)]],
    "c",
  },
  { [=[LISTS[50][c.offset_type]]=], "c" },
  { [[(c.offset_type == 4) and (c.offset == 1)]], "c" },
}

local TALLIED = {
  frames = { side = true },
  last_n = { pub = true, side = true, sub = true },
  last_t = { pub = true, side = true },
}

local CONTEXT = { pub = { stream = "stream" }, sub = { stream = "stream" }, req = { stream = "stream" } } -- object, field, slot with its value

local PAIRS = {
  {
    name = "sasl_authenticate",
    asks = "sasl_authenticate",
    answers = "sasl_authenticate_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      mechanism = "mechanism",
      sasl_opaque_data = "sasl_opaque_data raw",
    },
  },
  {
    name = "open",
    asks = "open",
    answers = "open_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, virtual_host = "virtual_host" },
  },
  {
    name = "declare_publisher",
    asks = "declare_publisher",
    answers = "declare_publisher_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      publisher_id = "publisher_id",
      publisher_reference = "publisher_reference",
      stream = "stream",
    },
  },
  {
    name = "query_publisher_sequence",
    asks = "query_publisher_sequence",
    answers = "query_publisher_sequence_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, publisher_reference = "publisher_reference", stream = "stream" },
  },
  {
    name = "delete_publisher",
    asks = "delete_publisher",
    answers = "delete_publisher_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      publisher_id = "publisher_id",
      stream = { [[pub.stream]], "pub" },
    },
  },
  {
    name = "subscribe",
    asks = "subscribe",
    answers = "subscribe_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      subscription_id = "subscription_id",
      stream = "stream",
      offset_type = "offset_type",
      offset = "offset",
    },
  },
  {
    name = "unsubscribe",
    asks = "unsubscribe",
    answers = "unsubscribe_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      subscription_id = "subscription_id",
      stream = { [[sub.stream]], "sub" },
    },
  },
  {
    name = "query_offset",
    asks = "query_offset",
    answers = "query_offset_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, reference = "reference", stream = "stream" },
  },
  {
    name = "create",
    asks = "create",
    answers = "create_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "stream", arguments = "arguments[]" },
  },
  {
    name = "delete",
    asks = "delete",
    answers = "delete_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "stream" },
  },
  {
    name = "metadata",
    asks = "metadata",
    answers = "metadata_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" } },
  },
  {
    name = "peer_properties",
    asks = "peer_properties",
    answers = "peer_properties_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" } },
  },
  {
    name = "sasl_handshake",
    asks = "sasl_handshake",
    answers = "sasl_handshake_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" } },
  },
  {
    name = "close",
    asks = "close",
    answers = "close_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" } },
  },
  {
    name = "route",
    asks = "route",
    answers = "route_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, routing_key = "routing_key", super_stream = "super_stream" },
  },
  {
    name = "partitions",
    asks = "partitions",
    answers = "partitions_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, super_stream = "super_stream" },
  },
  {
    name = "consumer_update",
    asks = "consumer_update",
    answers = "consumer_update_response",
    type = "call",
    key = "correlation_id",
    keep = {
      asked = { [[name]], "name" },
      subscription_id = "subscription_id",
      active = "active",
      stream = { [[sub.stream]], "sub" },
    },
  },
  {
    name = "exchange_command_versions",
    asks = "exchange_command_versions",
    answers = "exchange_command_versions_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" } },
  },
  {
    name = "stream_stats",
    asks = "stream_stats",
    answers = "stream_stats_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "stream" },
  },
  {
    name = "create_super_stream",
    asks = "create_super_stream",
    answers = "create_super_stream_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "name" },
  },
  {
    name = "delete_super_stream",
    asks = "delete_super_stream",
    answers = "delete_super_stream_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "name" },
  },
  {
    name = "resolve_offset_spec",
    asks = "resolve_offset_spec",
    answers = "resolve_offset_spec_response",
    type = "call",
    key = "correlation_id",
    keep = { asked = { [[name]], "name" }, stream = "stream" },
  },
  {
    name = "tune",
    asks = "tune",
    answers = "tune_response",
    type = "call",
    key = { [[flow]], "flow" },
    answer_key = { [[flow]], "flow" },
  },
}

local LIVES = {
  {
    name = "conn",
    type = "connection",
    scope = "connection",
    keys = {},
    steps = {
      { from = { absent = true }, on = "peer_properties", to = "properties" },
      { from = { properties = true }, on = "peer_properties_response", to = "greeted" },
      {
        from = { absent = true, greeted = true, properties = true, unknown = true },
        on = "sasl_handshake",
        to = "handshake",
      },
      { from = { handshake = true, unknown = true }, on = "sasl_handshake_response", to = "offered" },
      {
        from = { absent = true, greeted = true, handshake = true, offered = true, unknown = true },
        on = "sasl_authenticate",
        to = "authenticating",
      },
      { from = { authenticating = true }, on = "sasl_authenticate_response", to = "known", guard = 1 },
      {
        from = { authenticating = true },
        on = "sasl_authenticate_response",
        to = "offered",
        guard = 2,
      },
      { from = { authenticating = true }, on = "sasl_authenticate_response", to = "refused" },
      { from = { known = true, unknown = true }, on = "tune", to = "tuning" },
      { from = { tuning = true, unknown = true }, on = "tune_response", to = "tuned" },
      {
        from = { known = true, tuned = true, tuning = true, unknown = true },
        on = "open",
        to = "opening",
      },
      { from = { opening = true, unknown = true }, on = "open_response", to = "open", guard = 1 },
      { from = { opening = true, unknown = true }, on = "open_response", to = "refused" },
      { from = "*", on = "close", to = "closing" },
      { from = { closing = true }, on = "close_response", to = "closed" },
      {
        from = { unknown = true },
        on = "declare_publisher publish query_publisher_sequence delete_publisher subscribe credit store_offset query_offset unsubscribe create delete metadata route partitions stream_stats create_super_stream delete_super_stream resolve_offset_spec publish_confirm publish_error deliver consumer_update",
        to = "open",
      },
    },
    each = {},
    final = { closed = true },
    live = {},
    starts = { unanswered = 0, late = 0, orphans = 0, duplicates = 0, updates = 0 },
  },
  {
    name = "sub",
    type = "subscription",
    scope = "connection",
    keys = {
      {
        on = "subscribe credit credit_response deliver consumer_update unsubscribe",
        key = "subscription_id",
      },
      {
        on = "subscribe_response unsubscribe_response consumer_update_response",
        key = { [[req.subscription_id]], "req" },
      },
    },
    steps = {
      { from = { absent = true }, on = "subscribe", to = "asked" },
      { from = { asked = true, unknown = true }, on = "subscribe_response", to = "live", guard = 1 },
      { from = { asked = true }, on = "subscribe_response", to = "refused" },
      { from = { absent = true }, on = "subscribe_response", to = "live", guard = 1 },
      { from = { unknown = true }, on = "deliver", to = "live" },
      {
        from = { live = true, unknown = true },
        on = "unsubscribe_response",
        to = "removed",
        guard = 1,
      },
    },
    each = {
      {
        from = { live = true, unknown = true },
        on = "metadata_update",
        to = "lost",
        when = { [[(sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream)]], "c sub" },
      },
    },
    final = { lost = true, refused = true, removed = true },
    live = { asked = true, live = true },
    starts = { chunks = 0, messages = 0, granted = 0, starved = 0, raises = 0 },
  },
  {
    name = "pub",
    type = "publisher",
    scope = "connection",
    keys = {
      {
        on = "declare_publisher publish publish_confirm publish_error delete_publisher",
        key = "publisher_id",
      },
      {
        on = "declare_publisher_response delete_publisher_response",
        key = { [[req.publisher_id]], "req" },
      },
    },
    steps = {
      { from = { absent = true }, on = "declare_publisher", to = "asked" },
      {
        from = { asked = true, unknown = true },
        on = "declare_publisher_response",
        to = "live",
        guard = 1,
      },
      { from = { asked = true }, on = "declare_publisher_response", to = "refused" },
      { from = { unknown = true }, on = "publish", to = "live" },
      {
        from = { live = true, unknown = true },
        on = "delete_publisher_response",
        to = "removed",
        guard = 1,
      },
    },
    each = {
      {
        from = { live = true, unknown = true },
        on = "metadata_update",
        to = "lost",
        when = { [[(pub.stream ~= nil and c.stream ~= nil and pub.stream == c.stream)]], "c pub" },
      },
    },
    final = { lost = true, refused = true, removed = true },
    live = { asked = true, live = true },
    starts = { confirmed = 0, refused = 0 },
  },
  {
    name = "series",
    scope = "capture",
    keys = {
      {
        on = "query_publisher_sequence_response",
        key = {
          [[f.key(f.key(f.key(server, conn.vhost), req.stream), req.publisher_reference)]],
          "server conn req",
        },
      },
      {
        on = "declare_publisher_response",
        key = {
          [[f.key(f.key(f.key(server, conn.vhost), req.stream), req.publisher_reference)]],
          "server conn req",
        },
      },
      {
        on = "publish publish_confirm end:pub",
        key = { [[f.key(f.key(f.key(server, conn.vhost), pub.stream), pub.reference)]], "server conn pub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "tail",
    scope = "capture",
    keys = {
      {
        on = "create_response",
        key = { [[f.key(f.key(server, conn.vhost), req.stream)]], "server conn req" },
      },
      {
        on = "publish_confirm",
        key = { [[f.key(f.key(server, conn.vhost), pub.stream)]], "server conn pub" },
      },
      {
        on = "deliver",
        key = { [[f.key(f.key(server, conn.vhost), sub.stream)]], "server conn sub" },
      },
      { on = "subscribe", key = { [[f.key(f.key(server, conn.vhost), c.stream)]], "c server conn" } },
      {
        on = "consumer_update_response",
        key = { [[f.key(f.key(server, conn.vhost), sub.stream)]], "server conn sub" },
      },
      {
        on = "timer:starve timer:hold timer:held timer:nothing end:sub",
        key = { [[f.key(f.key(server, conn.vhost), sub.stream)]], "server conn sub" },
      },
      {
        on = "stream_stats_response delete_response declare_publisher_response",
        key = { [[f.key(f.key(server, conn.vhost), req.stream)]], "server conn req" },
      },
      {
        on = "metadata_update store_offset",
        key = { [[f.key(f.key(server, conn.vhost), c.stream)]], "c server conn" },
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
      { on = "publish", key = { [[f.key(conn.vhost, pub.stream)]], "conn pub" } },
      { on = "deliver", key = { [[f.key(conn.vhost, sub.stream)]], "conn sub" } },
      { on = "end:fallen", key = { [[f.key(conn.vhost, fallen.stream)]], "conn fallen" } },
      { on = "end:lapsed", key = { [[f.key(lapsed.host, lapsed.stream)]], "lapsed" } },
      { on = "end:sub", key = { [[f.key(conn.vhost, sub.stream)]], "conn sub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "machine",
    scope = "capture",
    keys = {
      {
        on = "peer_properties open metadata_response open_response partitions_response subscribe tcp.close tcp.reset",
        key = { [[client]], "client" },
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
        on = "sasl_authenticate_response",
        key = { [[f.key(f.key(client, server), f.coalesce(conn.client_name, ""))]], "client server conn" },
        guard = 3,
      },
      {
        on = "open_response",
        key = { [[f.key(f.key(client, server), f.coalesce(conn.client_name, ""))]], "client server conn" },
        guard = 1,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "taken_reference",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response",
        key = {
          [[((((c.response_code == 17) and ((f.len(req.publisher_reference) ~= nil and 0 < f.len(req.publisher_reference)) and ((f.len(req.publisher_reference) or 256) <= 255))) or (c.response_code == 1)) and f.key(f.key(f.key(client, conn.vhost), req.stream), req.publisher_reference) or nil)]],
          "c req client conn",
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
    name = "refused",
    scope = "capture",
    keys = {
      {
        on = "any:coded",
        key = {
          [[((((c.response_code ~= nil and not LISTS[2][c.response_code]) and (name ~= "credit_response")) or LISTS[3][c.response_code]) and f.key(f.key(f.key(client, f.coalesce(conn.vhost, server)), name), f.coalesce(f.coalesce(req.stream, req.super_stream), f.coalesce(req.publisher_reference, ""))) or nil)]],
          "c name client conn server req",
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
    name = "refused_slowly",
    scope = "capture",
    keys = {
      {
        on = "any:coded",
        key = {
          [[((((c.response_code ~= nil and not LISTS[4][c.response_code]) and (name ~= "credit_response")) or LISTS[3][c.response_code]) and f.key(f.key(f.key(client, f.coalesce(conn.vhost, server)), name), f.coalesce(f.coalesce(req.stream, req.super_stream), f.coalesce(req.publisher_reference, ""))) or nil)]],
          "c name client conn server req",
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
      { on = "query_offset", key = { [[f.key(f.key(name, c.stream), c.reference)]], "c name" } },
      {
        on = "query_publisher_sequence",
        key = { [[f.key(f.key(name, c.stream), c.publisher_reference)]], "c name" },
      },
      { on = "stream_stats", key = { [[f.key(name, c.stream)]], "c name" } },
      { on = "partitions", key = { [[f.key(name, c.super_stream)]], "c name" } },
      { on = "route", key = { [[f.key(f.key(name, c.super_stream), c.routing_key)]], "c name" } },
      { on = "resolve_offset_spec", key = { [[f.key(name, c.stream)]], "c name" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "polled_slowly",
    scope = "connection",
    keys = {
      { on = "query_offset", key = { [[f.key(f.key(name, c.stream), c.reference)]], "c name" } },
      {
        on = "query_publisher_sequence",
        key = { [[f.key(f.key(name, c.stream), c.publisher_reference)]], "c name" },
      },
      { on = "stream_stats", key = { [[f.key(name, c.stream)]], "c name" } },
      { on = "partitions", key = { [[f.key(name, c.super_stream)]], "c name" } },
      { on = "route", key = { [[f.key(f.key(name, c.super_stream), c.routing_key)]], "c name" } },
      { on = "resolve_offset_spec", key = { [[f.key(name, c.stream)]], "c name" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "asked_sequence",
    scope = "connection",
    keys = {
      { on = "query_publisher_sequence", key = { [[f.key(c.stream, c.publisher_reference)]], "c" } },
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
    keys = { { on = "metadata", key = { [[f.first(c["streams[]"])]], "c" } } },
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
          [[((why ~= nil and not LISTS[5][why]) and f.key(f.key(client, server), f.coalesce(f.program(conn.client_name), "")) or nil)]],
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
    name = "deleted",
    scope = "capture",
    keys = { { on = "delete_response", key = { [[f.key(client, server)]], "client server" }, guard = 1 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "brief_publishers",
    scope = "connection",
    keys = {
      {
        on = "end:pub",
        key = { [[f.choose((why ~= nil and not LISTS[5][why]), pub.stream, nil)]], "why pub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "brief_subscriptions",
    scope = "connection",
    keys = {
      {
        on = "end:sub",
        key = { [[f.choose((why ~= nil and not LISTS[5][why]), sub.stream, nil)]], "why sub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "left_publishers",
    scope = "capture",
    keys = {
      {
        on = "end:pub",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), pub.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "client conn pub",
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
    name = "left_subscriptions",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, ""))]],
          "client conn sub",
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
    name = "doubled",
    scope = "connection",
    keys = {
      { on = "subscribe_response", key = { [[req.stream]], "req" }, guard = 1 },
      { on = "end:sub", key = { [[sub.stream]], "sub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stored_back",
    scope = "capture",
    keys = {
      {
        on = "store_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "stored_again",
    scope = "connection",
    keys = { { on = "store_offset", key = { [[f.key(c.stream, c.reference)]], "c" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "resumed",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "subscribe_response",
        key = {
          [[((f.coalesce(sub.single, "") ~= "true") and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, ""))) or nil)]],
          "sub client conn",
        },
        guard = 1,
      },
      {
        on = "tcp.close",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "tcp.reset",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "store_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
      {
        on = "query_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
      {
        on = "query_offset_response",
        key = { [[f.key(f.key(f.key(client, conn.vhost), req.stream), req.reference)]], "client conn req" },
        guard = 1,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "taken_over",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "consumer_update_response",
        key = {
          [[((req.active == 1) and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, ""))) or nil)]],
          "req client conn sub",
        },
      },
      {
        on = "tcp.close",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "tcp.reset",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, f.choose((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream), conn.reader, "")))]],
          "client conn sub",
        },
      },
      {
        on = "store_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
      {
        on = "query_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
      {
        on = "query_offset_response",
        key = { [[f.key(f.key(f.key(client, conn.vhost), req.stream), req.reference)]], "client conn req" },
        guard = 1,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "read_twice",
    scope = "capture",
    keys = {
      {
        on = "subscribe_response",
        key = {
          [[((f.coalesce(sub.single, "") ~= "true") and f.key(f.key(f.key(f.key(client, conn.vhost), sub.stream), sub.reference), f.coalesce(f.program(conn.client_name), "")) or nil)]],
          "sub client conn",
        },
        guard = 1,
      },
      {
        on = "end:sub",
        key = {
          [[f.key(f.key(f.key(f.key(client, conn.vhost), sub.stream), sub.reference), f.coalesce(f.program(conn.client_name), ""))]],
          "client conn sub",
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
    name = "only_asked",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[((why ~= nil and not LISTS[5][why]) and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(f.program(conn.client_name), "")) or nil)]],
          "why client conn sub",
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
    name = "before",
    scope = "capture",
    keys = {
      {
        on = "end:sub end:pub end:conn subscribe declare_publisher",
        key = { [[f.key(client, conn.vhost)]], "client conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "groups",
    scope = "capture",
    keys = {
      { on = "subscribe", key = { [[f.key(conn.vhost, c.stream)]], "c conn" }, guard = 4 },
      {
        on = "end:sub",
        key = { [[((sub.single == "true") and f.key(conn.vhost, sub.stream) or nil)]], "sub conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "band",
    scope = "capture",
    keys = {
      {
        on = "subscribe_response",
        key = {
          [[((sub.single == "true") and f.key(f.key(f.key(server, conn.vhost), sub.stream), sub.reference) or nil)]],
          "sub server conn",
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
    name = "torn",
    scope = "capture",
    keys = {
      {
        on = "client:subscribe",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), c.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "c client conn",
        },
      },
      {
        on = "server:tcp.close server:tcp.reset",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "client conn sub",
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
    name = "asking",
    scope = "capture",
    keys = {
      {
        on = "query_offset_response",
        key = { [[f.key(f.key(client, conn.vhost), req.stream)]], "client conn req" },
      },
      { on = "subscribe", key = { [[f.key(f.key(client, conn.vhost), c.stream)]], "c client conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "referring",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), c.stream), f.coalesce(conn.client_name, ""))]],
          "c client conn",
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
    name = "sought",
    scope = "capture",
    keys = {
      {
        on = "query_offset_response",
        key = { [[f.key(f.key(f.key(client, conn.vhost), req.stream), req.reference)]], "client conn req" },
      },
      {
        on = "store_offset",
        key = { [[f.key(f.key(f.key(client, conn.vhost), c.stream), c.reference)]], "c client conn" },
      },
      {
        on = "end:sub",
        key = {
          [[f.choose(conn.whole, nil, f.key(f.key(f.key(client, conn.vhost), conn.reader_stream), conn.reader))]],
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
    name = "tracked",
    scope = "capture",
    keys = {
      {
        on = "query_offset_response",
        key = { [[f.key(f.key(client, conn.vhost), req.stream)]], "client conn req" },
      },
      {
        on = "store_offset subscribe",
        key = { [[f.key(f.key(client, conn.vhost), c.stream)]], "c client conn" },
      },
      {
        on = "end:sub",
        key = { [[f.key(f.key(client, conn.vhost), sub.stream)]], "client conn sub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "standby",
    scope = "connection",
    keys = {
      { on = "consumer_update_response", key = { [[sub.stream]], "sub" } },
      { on = "store_offset", key = "stream" },
      { on = "consumer_update", key = { [[sub.stream]], "sub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "consumed",
    scope = "capture",
    keys = {
      { on = "subscribe store_offset", key = { [[f.key(conn.vhost, c.stream)]], "c conn" } },
      {
        on = "end:pub",
        key = { [[((pub.format == "other") and f.key(conn.vhost, pub.stream) or nil)]], "pub conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shared_reference",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response",
        key = {
          [[(((f.len(req.publisher_reference) or 0) > 0) and f.key(f.key(f.key(server, conn.vhost), req.stream), req.publisher_reference) or nil)]],
          "req server conn",
        },
        guard = 1,
      },
      {
        on = "end:pub",
        key = { [[f.key(f.key(f.key(server, conn.vhost), pub.stream), pub.reference)]], "server conn pub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shared_tracking",
    scope = "capture",
    keys = {
      {
        on = "store_offset",
        key = {
          [[((consumed.single_n == nil) and f.key(f.key(conn.vhost, c.stream), c.reference) or nil)]],
          "c consumed conn",
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
    name = "filtered",
    scope = "capture",
    keys = {
      {
        on = "publish",
        key = {
          [[(((pub.counted == nil) or (version == 2)) and f.key(conn.vhost, pub.stream) or nil)]],
          "pub version conn",
        },
      },
      {
        on = "end:sub",
        key = { [[((sub.chunks == 0) and f.key(conn.vhost, sub.stream) or nil)]], "sub conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "section",
    scope = "capture",
    keys = {
      {
        on = "partitions_response",
        key = { [[f.key(conn.vhost, c.streams)]], "c conn" },
        items = "streams",
      },
      {
        on = "create_super_stream",
        key = { [[f.key(conn.vhost, c.partitions)]], "c conn" },
        items = "partitions",
      },
      { on = "subscribe declare_publisher", key = { [[f.key(conn.vhost, c.stream)]], "c conn" } },
      { on = "end:pub", key = { [[f.key(conn.vhost, pub.stream)]], "conn pub" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "super",
    scope = "capture",
    keys = {
      { on = "subscribe end:section", key = { [[f.key(section.host, section.of)]], "section" } },
      { on = "partitions_response", key = { [[f.key(conn.vhost, req.super_stream)]], "conn req" } },
      { on = "create_super_stream", key = { [[f.key(conn.vhost, c.name)]], "c conn" } },
      {
        on = "end:pub",
        key = { [[((pub.publish_n ~= nil) and f.key(conn.vhost, pub.part_of) or nil)]], "pub conn" },
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
        on = "end:pub",
        key = { [[((pub.format ~= nil) and f.key(conn.vhost, pub.stream) or nil)]], "pub conn" },
      },
      {
        on = "end:sub",
        key = {
          [[((sub.messages ~= nil and sub.messages > 0) and f.key(conn.vhost, sub.stream) or nil)]],
          "sub conn",
        },
      },
      {
        on = "create_response delete_response",
        key = { [[f.key(conn.vhost, req.stream)]], "conn req" },
        guard = 1,
      },
      {
        on = "create_super_stream",
        key = { [[f.key(conn.vhost, c.partitions)]], "c conn" },
        items = "partitions",
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "fallen",
    scope = "connection",
    keys = { { on = "metadata_update", key = "stream" } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "owed",
    scope = "capture",
    keys = {
      {
        on = "metadata_update subscribe declare_publisher",
        key = { [[f.key(f.key(client, conn.vhost), c.stream)]], "c client conn" },
      },
      {
        on = "end:fallen",
        key = { [[f.key(f.key(client, conn.vhost), fallen.stream)]], "client conn fallen" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "seen",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response subscribe_response create_response query_offset_response query_publisher_sequence_response stream_stats_response",
        key = { [[f.key(conn.vhost, req.stream)]], "conn req" },
        guard = 6,
      },
      { on = "delete metadata_update", key = { [[f.key(conn.vhost, c.stream)]], "c conn" } },
      { on = "delete_response", key = { [[f.key(conn.vhost, req.stream)]], "conn req" } },
      { on = "end:fallen", key = { [[f.key(conn.vhost, fallen.stream)]], "conn fallen" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "router",
    scope = "capture",
    keys = {
      {
        on = "route",
        key = { [[f.key(f.key(client, conn.vhost), c.super_stream)]], "c client conn" },
      },
      {
        on = "route_response",
        key = { [[f.key(f.key(client, conn.vhost), req.super_stream)]], "client conn req" },
      },
      {
        on = "publish",
        key = {
          [[(((pub.routed ~= nil) and (f.coalesce(pub.shown, 0) < K.KEYED_MOST)) and f.key(f.key(client, conn.vhost), pub.routed) or nil)]],
          "pub client conn",
        },
      },
      {
        on = "end:pub",
        key = {
          [[((pub.routed ~= nil) and f.key(f.key(client, conn.vhost), pub.routed) or nil)]],
          "pub client conn",
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
    name = "target",
    scope = "capture",
    keys = {
      {
        on = "route_response",
        key = { [[f.key(f.key(client, conn.vhost), f.first(c["streams[]"]))]], "c client conn" },
        guard = 7,
      },
      {
        on = "declare_publisher",
        key = { [[f.key(f.key(client, conn.vhost), c.stream)]], "c client conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "used_by",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response subscribe_response",
        key = { [[f.key(conn.vhost, req.stream)]], "conn req" },
        guard = 1,
      },
      {
        on = "end:pub",
        key = { [[((pub.used_by_n ~= nil) and f.key(conn.vhost, pub.stream) or nil)]], "pub conn" },
      },
      {
        on = "end:sub",
        key = { [[((sub.used_by_n ~= nil) and f.key(conn.vhost, sub.stream) or nil)]], "sub conn" },
      },
      { on = "delete", key = { [[f.key(conn.vhost, c.stream)]], "c conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "there",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response subscribe_response create_response query_offset_response query_publisher_sequence_response stream_stats_response metadata_response partitions_response delete_response end:sub",
        key = { [[conn.vhost]], "conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "group_filter",
    scope = "capture",
    keys = {
      {
        on = "subscribe",
        key = { [[f.key(f.key(conn.vhost, c.stream), f.item(c["properties[]"], "name"))]], "c conn" },
        guard = 4,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "ticket",
    scope = "connection",
    keys = {
      { on = "client:any:request", key = "correlation_id" },
      { on = "server:any:response", key = "correlation_id" },
    },
    steps = {
      {
        from = { absent = true, closed = true, unknown = true },
        on = "client:any:request",
        to = "open",
      },
      { from = { open = true }, on = "server:any:response", to = "closed" },
    },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "placed",
    scope = "capture",
    keys = {
      {
        on = "metadata_response",
        key = { [[f.key(conn.vhost, c["streams.stream_name"])]], "c conn" },
        items = "streams",
      },
      {
        on = "declare_publisher_response subscribe_response",
        key = { [[f.key(conn.vhost, req.stream)]], "conn req" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "host",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response subscribe_response end:conn",
        key = { [[f.key(f.key(client, server), conn.vhost)]], "client server conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "finder",
    scope = "capture",
    keys = {
      {
        on = "query_offset_response subscribe consumer_update_response",
        key = { [[f.key(client, conn.vhost)]], "client conn" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "retried",
    scope = "capture",
    keys = {
      {
        on = "subscribe_response",
        key = {
          [[((req.offset_type == 4) and f.key(f.key(f.key(client, conn.vhost), req.stream), f.coalesce(sub.reference, "")) or nil)]],
          "req client conn sub",
        },
        guard = 1,
      },
      {
        on = "end:sub",
        key = {
          [[((sub.offset_type == 4) and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(sub.reference, "")) or nil)]],
          "sub client conn",
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
    name = "kept",
    scope = "capture",
    keys = {
      {
        on = "end:sub",
        key = {
          [[(((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))) and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(f.program(conn.client_name), "")) or nil)]],
          "why C conn S client sub",
        },
      },
      {
        on = "subscribe",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), c.stream), f.coalesce(f.program(conn.client_name), ""))]],
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
    name = "maker",
    scope = "capture",
    keys = {
      {
        on = "create_response delete_response",
        key = { [[f.key(client, conn.vhost)]], "client conn" },
      },
      { on = "declare_publisher subscribe", key = { [[f.key(client, conn.vhost)]], "client conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "outbox",
    scope = "capture",
    keys = {
      {
        on = "publish",
        key = {
          [[((((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.kept, 0) < K.SENT_MOST)) and f.key(f.key(client, conn.vhost), pub.stream) or nil)]],
          "pub client conn",
        },
      },
      {
        on = "end:pub",
        key = {
          [[(((f.len(pub.reference) or 0) > 0) and f.key(f.key(client, conn.vhost), pub.stream) or nil)]],
          "pub client conn",
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
    name = "cut",
    scope = "capture",
    keys = {
      {
        on = "end:pub",
        key = {
          [[((pub.publish_n ~= nil) and f.key(f.key(f.key(f.key(client, conn.vhost), pub.stream), pub.reference), f.coalesce(f.program(conn.client_name), "")) or nil)]],
          "pub client conn",
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
    name = "few_messages",
    scope = "connection",
    keys = {
      {
        on = "end:pub",
        key = { [[f.choose((why ~= nil and not LISTS[5][why]), pub.stream, nil)]], "why pub" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "few_chunks",
    scope = "connection",
    keys = {
      {
        on = "end:sub",
        key = { [[f.choose((why ~= nil and not LISTS[5][why]), sub.stream, nil)]], "why sub" },
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
    name = "gone",
    scope = "capture",
    keys = {
      {
        on = "client:tcp.close",
        key = {
          [[(((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (conn.close_n == nil) and (f.coalesce(conn.first_fin, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.first_fin, C.side) == C.side)) and f.key(client, conn.vhost) or nil)]],
          "S t conn C client",
        },
      },
      {
        on = "client:tcp.reset",
        key = {
          [[(((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (conn.close_n == nil) and (f.coalesce(conn.first_fin, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.first_fin, C.side) == C.side)) and f.key(client, conn.vhost) or nil)]],
          "S t conn C client",
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
    name = "turns",
    scope = "capture",
    keys = {
      {
        on = "consumer_update",
        key = {
          [[((sub.reference ~= nil) and f.key(f.key(conn.vhost, sub.stream), sub.reference) or nil)]],
          "sub conn",
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
    name = "lapsed",
    scope = "capture",
    keys = {
      { on = "subscribe", key = { [[f.key(f.key(client, conn.vhost), c.stream)]], "c client conn" } },
      {
        on = "end:sub",
        key = {
          [[((LISTS[7][why] and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)) and (sub.chunks ~= nil and sub.chunks > 0)) and f.key(f.key(client, conn.vhost), sub.stream) or nil)]],
          "why C conn S sub client",
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
    name = "group",
    scope = "capture",
    keys = {
      {
        on = "subscribe_response consumer_update end:sub",
        key = {
          [[(((sub.single == "true") and (sub.reference ~= nil)) and f.key(f.key(conn.vhost, sub.stream), sub.reference) or nil)]],
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
    name = "place",
    scope = "capture",
    keys = {
      {
        on = "query_offset_response",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), req.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "client conn req",
        },
      },
      {
        on = "subscribe store_offset",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), c.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "c client conn",
        },
      },
      {
        on = "consumer_update_response",
        key = {
          [[f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(f.program(conn.client_name), ""))]],
          "client conn sub",
        },
      },
      {
        on = "deliver",
        key = {
          [[((sub.chunks == 0) and f.key(f.key(f.key(client, conn.vhost), sub.stream), f.coalesce(f.program(conn.client_name), "")) or nil)]],
          "sub client conn",
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
    name = "numbering",
    scope = "capture",
    keys = {
      {
        on = "query_publisher_sequence_response",
        key = { [[f.key(f.key(client, conn.vhost), req.stream)]], "client conn req" },
      },
      {
        on = "publish",
        key = {
          [[((pub.publish_n == nil) and f.key(f.key(client, conn.vhost), pub.stream) or nil)]],
          "pub client conn",
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
    name = "members",
    scope = "capture",
    keys = {
      {
        on = "subscribe_response end:sub",
        key = {
          [[(((f.len(sub.reference) or 0) > 0) and f.key(f.key(conn.vhost, sub.stream), sub.reference) or nil)]],
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
    name = "whole",
    scope = "capture",
    keys = {
      {
        on = "declare_publisher_response end:pub",
        key = { [[((pub.part_of ~= nil) and f.key(conn.vhost, pub.part_of) or nil)]], "pub conn" },
      },
      {
        on = "subscribe_response end:sub",
        key = { [[((sub.part_of ~= nil) and f.key(conn.vhost, sub.part_of) or nil)]], "sub conn" },
      },
      { on = "delete_super_stream", key = { [[f.key(conn.vhost, c.name)]], "c conn" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "sifted",
    scope = "capture",
    keys = {
      {
        on = "end:pub",
        key = { [[((pub.publish_n ~= nil) and f.key(conn.vhost, pub.stream) or nil)]], "pub conn" },
      },
      {
        on = "end:sub",
        key = { [[((sub.filter ~= nil) and f.key(conn.vhost, sub.stream) or nil)]], "sub conn" },
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
      { on = "tcp.gap tcp.resync", key = { [[(0 * t)]], "t" } },
      {
        on = "end:conn",
        key = { [[f.choose((conn.start and conn.whole and conn.both), nil, (0 * t))]], "conn t" },
      },
      {
        on = "client:subscribe",
        key = {
          [[f.choose(((torn.members ~= nil and torn.members > 0) and (f.coalesce(torn.others, 0) == 0) and (torn.member_t ~= nil and (t - torn.member_t) <= K.RECOVERY)), (0 * t), nil)]],
          "torn t",
        },
        guard = 9,
      },
      {
        on = "end:sub",
        key = {
          [[f.choose((((sub.single == "true") and ((flow ~= nil and f.coalesce(group.leader_flow, -1) ~= flow) or (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid ~= sub.id)) and (f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) > K.VACANT) and (LISTS[8][why] or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (((group.led_n ~= nil) or (sub.t ~= nil and f.coalesce(tail.made_t, t) <= sub.t)) and (f.max(group.vacant_t, sub.t) ~= nil and f.coalesce(topic.fed_t, 0) > f.max(group.vacant_t, sub.t)))) or ((sub.single == "true") and ((flow ~= nil and f.coalesce(group.leader_flow, -1) ~= flow) or (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid ~= sub.id)) and (f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) > K.VACANT) and (LISTS[8][why] or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (((group.led_n == nil) and (sub.t ~= nil and f.coalesce(tail.made_t, t) > sub.t)) or (f.max(group.vacant_t, sub.t) ~= nil and f.coalesce(topic.fed_t, 0) <= f.max(group.vacant_t, sub.t)))) or ((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream) and (tracked.stored_n == nil) and (sub.messages ~= nil and sub.messages >= K.REREAD_LIMIT) and ((why == "removed") or (C.close_n ~= nil)))), (0 * t), nil)]],
          "sub flow group t why C conn tail topic tracked",
        },
      },
      {
        on = "metadata_update",
        key = { [[f.choose((seen.deleted_n == nil), (0 * t), nil)]], "seen t" },
      },
      {
        on = "subscribe_response",
        key = {
          [[f.choose((((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (resumed.stored == nil) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began) and ((resumed.reached ~= nil and resumed.began ~= nil and (resumed.reached - resumed.began) >= K.REREAD_LIMIT) or (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) < resumed.began)))) or ((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.asked_n ~= nil) and (resumed.stored == nil) and (resumed.former_flow ~= nil and flow ~= nil and resumed.former_flow ~= flow) and (resumed.asked_n ~= nil and resumed.former_n ~= nil and resumed.asked_n > resumed.former_n) and (resumed.reached ~= nil and resumed.began ~= nil and resumed.reached > resumed.began) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began))) or ((c.response_code == 1) and (((sub.single == "true") and (members.plain ~= nil and members.plain > 0)) or ((f.coalesce(sub.single, "") ~= "true") and (members.single ~= nil and members.single > 0))))), (0 * t), nil)]],
          "c sub resumed flow members t",
        },
      },
      {
        on = "end:section",
        key = {
          [[f.choose(((section.published ~= nil and section.published >= K.UNREAD_LIMIT) and (section.of ~= nil) and (section.read_n == nil) and (super.read_n ~= nil) and (super.read_t ~= nil and (t - super.read_t) > K.QUIET)), (0 * t), nil)]],
          "section super t",
        },
      },
      {
        on = "delete",
        key = { [[f.choose((used_by.live ~= nil and used_by.live > 0), (0 * t), nil)]], "used_by t" },
      },
      {
        on = "delete_super_stream",
        key = { [[f.choose((whole.live ~= nil and whole.live > 0), (0 * t), nil)]], "whole t" },
      },
      {
        on = "end:sifted",
        key = {
          [[f.choose(((sifted.read_n ~= nil) and (sifted.filtered ~= nil and sifted.filtered > 0) and (sifted.bare ~= nil and sifted.bare >= K.UNFILTERED_LIMIT)), (0 * t), nil)]],
          "sifted t",
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
  {
    on = "any:response",
    when = { [[orphan]], "orphan" },
    does = { [[conn.orphans = (conn.orphans ~= nil and (conn.orphans + 1) or nil)]], "conn" },
  },
  {
    on = "peer_properties",
    when = { [[(conn.state ~= nil and conn.state ~= "open")]], "conn" },
    does = {
      [[conn.client_product = f.item(c["peer_properties[]"], "product"); conn.client_name = f.item(c["peer_properties[]"], "connection_name")]],
      "c conn",
    },
  },
  {
    on = "peer_properties_response",
    does = { [[conn.broker_version = f.item(c["peer_properties[]"], "version")]], "c conn" },
  },
  {
    on = "sasl_handshake_response",
    does = { [=[conn.mechanisms = c["mechanisms[]"]]=], "c conn" },
  },
  { on = "sasl_authenticate", does = { [[conn.mechanism = c.mechanism]], "c conn" } },
  { on = "sasl_authenticate_response", guard = 1, does = { [[conn.challenged_n = nil]], "conn" } },
  {
    on = "sasl_authenticate_response",
    guard = 1,
    when = { [[((f.len(req.sasl_opaque_data) or 32) > 32)]], "req" },
    does = { [[conn.token = req.sasl_opaque_data; conn.token_t = t; conn.token_n = req.n]], "conn req t" },
  },
  { on = "sasl_authenticate_response", guard = 2, does = { [[conn.challenged_n = n]], "conn n" } },
  { on = "sasl_authenticate", does = { [[conn.challenged_n = nil]], "conn" } },
  {
    on = "sasl_authenticate_response open_response",
    guard = 10,
    does = { [[conn.refused_n = n]], "conn n" },
  },
  { on = "tune", does = { [[S.tune_n = n; S.heartbeat = c.heartbeat]], "c S n" } },
  {
    on = "tune",
    when = { [[(size == 16)]], "size" },
    does = { [[S.frame_max = c.frame_max]], "c S" },
  },
  {
    on = "tune_response",
    does = {
      [[C.tune_n = n; conn.trip = f.coalesce((req.t ~= nil and (t - req.t) or nil), 0)]],
      "C n conn req t",
    },
  },
  {
    on = "open_response",
    does = {
      [[conn.trip = f.max(f.coalesce(conn.trip, 0), (req.t ~= nil and (t - req.t) or nil))]],
      "conn req t",
    },
  },
  {
    on = "tune_response",
    when = { [[(size == 16)]], "size" },
    does = {
      [[conn.heartbeat = c.heartbeat; conn.frame_max = f.min_nonzero(S.frame_max, c.frame_max)]],
      "c conn S",
    },
  },
  { on = "open", does = { [[conn.open_n = n]], "conn n" } },
  {
    on = "open_response",
    guard = 1,
    does = {
      [[conn.vhost = req.virtual_host; conn.opened_n = n; conn.advertised_host = f.item(c["connection_properties[]"], "advertised_host"); conn.advertised_port = f.number(f.item(c["connection_properties[]"], "advertised_port"))]],
      "c conn req n",
    },
  },
  {
    on = "declare_publisher publish subscribe store_offset query_offset create delete route partitions stream_stats create_super_stream delete_super_stream resolve_offset_spec query_publisher_sequence",
    does = { [[conn.used_n = f.coalesce(conn.used_n, n)]], "conn n" },
  },
  { on = "close", does = { [[conn.close_n = n]], "conn n" } },
  {
    on = "close",
    when = {
      [[((conn.fin_t == nil) or (conn.first_fin ~= nil and side ~= nil and conn.first_fin == side))]],
      "conn side",
    },
    does = { [[me.close_n = f.coalesce(me.close_n, n); me.close_t = f.coalesce(me.close_t, t)]], "me n t" },
  },
  { on = "metadata_response", does = { [[conn.metadata_t = t]], "conn t" } },
  {
    on = "tcp.close tcp.reset",
    does = {
      [[conn.first_fin = f.coalesce(conn.first_fin, side); conn.fin_t = f.coalesce(conn.fin_t, t)]],
      "conn side t",
    },
  },
  {
    on = "exchange_command_versions",
    items = "commands",
    when = { [[(c["commands.key"] == 8)]], "c" },
    does = { [=[C.deliver_max = c["commands.max_version"]]=], "c C" },
  },
  {
    on = "exchange_command_versions_response",
    items = "commands",
    when = { [[(c["commands.key"] == 8)]], "c" },
    does = { [=[S.deliver_max = c["commands.max_version"]]=], "c S" },
  },
  {
    on = "exchange_command_versions_response",
    items = "commands",
    when = { [[(c["commands.key"] == 2)]], "c" },
    does = { [=[S.publish_max = c["commands.max_version"]]=], "c S" },
  },
  { on = "exchange_command_versions", does = { [[conn.exchanged_n = n]], "conn n" } },
  { on = "heartbeat", does = { [[me.beat_t = t; me.beat_n = n]], "me t n" } },
  {
    on = "subscribe",
    when = { [[(sub.state ~= nil and sub.state ~= "live")]], "sub" },
    does = {
      [[sub.stream = c.stream; sub.balance = c.credit; sub.initial = c.credit; sub.granted = c.credit; sub.most = c.credit; sub.single = f.item(c["properties[]"], "single-active-consumer"); sub.reference = f.item(c["properties[]"], "name"); sub.super_stream = f.item(c["properties[]"], "super-stream"); sub.selector = f.item(c["properties[]"], "chunk_selector"); sub.offset_type = c.offset_type; sub.wanted = c.offset; sub.waiting = f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0))]],
      "c sub tail",
    },
  },
  {
    on = "subscribe",
    does = {
      [[tail.begins = f.choose((c.offset_type == 4), c.offset, nil); tail.begins_n = n]],
      "c tail n",
    },
  },
  {
    on = "credit",
    does = {
      [[sub.balance = (sub.balance ~= nil and c.credit ~= nil and (sub.balance + c.credit) or nil); sub.granted = (sub.granted ~= nil and c.credit ~= nil and (sub.granted + c.credit) or nil); sub.credit_n = n; C.routine_n = f.choose(((sub.chunks ~= nil and sub.chunks > 1) and (c.credit ~= nil and c.credit > 0)), n, C.routine_n)]],
      "c sub n C",
    },
  },
  {
    on = "credit",
    guard = 11,
    when = { [[(sub.balance ~= nil and sub.most ~= nil and sub.balance > sub.most)]], "sub" },
    does = {
      [[sub.raises = (sub.raises ~= nil and (sub.raises + 1) or nil); sub.most = sub.balance]],
      "sub",
    },
  },
  {
    on = "deliver",
    does = {
      [=[tail.next = f.max(f.coalesce(tail.next, 0), (c["chunk.chunk_id"] ~= nil and c["chunk.num_records"] ~= nil and (c["chunk.chunk_id"] + c["chunk.num_records"]) or nil)); tail.first_of = c["chunk.chunk_id"]; tail.count_of = c["chunk.num_records"]]=],
      "c tail",
    },
  },
  {
    on = "deliver",
    does = {
      [[sub.balance = (sub.balance ~= nil and (sub.balance - 1) or nil); sub.chunks = (sub.chunks ~= nil and (sub.chunks + 1) or nil); sub.messages = (sub.messages ~= nil and c["chunk.num_records"] ~= nil and (sub.messages + c["chunk.num_records"]) or nil); sub.chunk_id = c["chunk.chunk_id"]; sub.next = (c["chunk.chunk_id"] ~= nil and c["chunk.num_records"] ~= nil and (c["chunk.chunk_id"] + c["chunk.num_records"]) or nil); sub.deliver_n = n]],
      "c sub n",
    },
  },
  {
    on = "deliver",
    when = {
      [[((sub.used_t == nil) or (sub.used_t ~= nil and (t - sub.used_t) > K.USED_EVERY))]],
      "sub t",
    },
    does = { [[sub.used_t = t; topic.used_t = t]], "sub t topic" },
  },
  { on = "deliver", guard = 12, does = { [[sub.committed = c.committed_chunk_id]], "c sub" } },
  { on = "unsubscribe", does = { [[sub.leaving_n = n]], "sub n" } },
  { on = "unsubscribe_response", does = { [[sub.leaving_n = nil]], "sub" } },
  {
    on = "subscribe_response",
    when = { [[(sub.stream == nil)]], "sub" },
    does = { [[sub.stream = req.stream]], "sub req" },
  },
  {
    on = "credit",
    when = {
      [[((sub.balance ~= nil and 0 < sub.balance) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance <= math.floor(sub.initial / 2)))]],
      "sub",
    },
    does = { [[sub.low_t = f.coalesce(sub.low_t, t); sub.low_n = f.coalesce(sub.low_n, n)]], "sub t n" },
  },
  {
    on = "credit",
    when = {
      [[((sub.low_t ~= nil) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance > math.floor(sub.initial / 2)))]],
      "sub",
    },
    does = {
      [[sub.raised_t = f.coalesce(sub.raised_t, t); sub.raised_n = f.coalesce(sub.raised_n, n)]],
      "sub t n",
    },
  },
  {
    on = "deliver",
    does = { [[sub.low_t = nil; sub.low_n = nil; sub.raised_t = nil; sub.raised_n = nil]], "sub" },
  },
  {
    on = "stream_stats_response",
    does = {
      [[tail.next = f.max(f.coalesce(tail.next, 0), f.max(f.coalesce(f.item(c["stats[]"], "last_chunk_id"), 0), f.coalesce(f.item(c["stats[]"], "committed_chunk_id"), 0)))]],
      "c tail",
    },
  },
  {
    on = "consumer_update",
    does = {
      [[sub.update_n = n; conn.updates = (conn.updates ~= nil and (conn.updates + 1) or nil); conn.update_t = f.coalesce(conn.update_t, t)]],
      "sub n conn t",
    },
  },
  {
    on = "consumer_update_response",
    does = {
      [[conn.updates = (conn.updates ~= nil and (conn.updates - 1) or nil); conn.update_t = f.choose((conn.updates == 0), nil, conn.update_t)]],
      "conn",
    },
  },
  { on = "consumer_update_response", does = { [[sub.active = req.active]], "sub req" } },
  {
    on = "consumer_update_response",
    when = { [[(req.active == 1)]], "req" },
    does = { [[sub.placed_n = n]], "sub n" },
  },
  {
    on = "create_response",
    guard = 1,
    does = {
      [[tail.begun = (f.number(f.item(req.arguments, "stream-initial-offset")) or 0); tail.count = tail.begun; tail.next = nil; tail.made_t = t]],
      "tail req t",
    },
  },
  {
    on = "delete_response",
    guard = 1,
    does = {
      [[tail.dropped = f.choose((tail.next == nil), (tail.count ~= nil and tail.begun ~= nil and (tail.count - tail.begun) or nil), 0); tail.dropped_n = req.n; tail.count = nil; tail.next = nil; tail.made_t = t]],
      "tail req t",
    },
  },
  { on = "metadata_update", does = { [[tail.count = nil; tail.next = nil]], "tail" } },
  {
    on = "declare_publisher",
    when = { [[(pub.state ~= nil and pub.state ~= "live")]], "pub" },
    does = { [[pub.stream = c.stream; pub.reference = c.publisher_reference]], "c pub" },
  },
  {
    on = "query_publisher_sequence_response",
    guard = 1,
    does = { [[series.stored = c.sequence; series.stored_t = t]], "c series t" },
  },
  {
    on = "declare_publisher_response",
    guard = 1,
    does = {
      [[pub.stored = f.choose((series.stored_t ~= nil and tail.made_t ~= nil and series.stored_t < tail.made_t), nil, series.stored)]],
      "pub series tail",
    },
  },
  {
    on = "publish",
    when = {
      [[((pub.used_t == nil) or (pub.used_t ~= nil and (t - pub.used_t) > K.USED_EVERY))]],
      "pub t",
    },
    does = { [[pub.used_t = t; topic.used_t = t; topic.fed_t = t]], "pub t topic" },
  },
  {
    on = "publish",
    when = { [[((pub.top == nil) and (pub.state == "unknown"))]], "pub" },
    does = { [[pub.stored = f.coalesce(pub.stored, series.stored)]], "pub series" },
  },
  {
    on = "publish",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.greatest(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.greatest(c["published_messages.publishing_id[]"]) == pub.top))]],
      "c pub",
    },
    does = { [[pub.repeats = (f.coalesce(pub.repeats, 0) + 1)]], "pub" },
  },
  {
    on = "publish",
    when = {
      [[(f.first(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.first(c["published_messages.publishing_id[]"]) <= pub.top)]],
      "c pub",
    },
    does = { [[pub.low = f.min(pub.low, f.first(c["published_messages.publishing_id[]"]))]], "c pub" },
  },
  {
    on = "publish",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.first(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.first(c["published_messages.publishing_id[]"]) > (pub.top + 1)))]],
      "c pub",
    },
    does = {
      [[pub.gap_from = (pub.top ~= nil and (pub.top + 1) or nil); pub.gap_to = (f.first(c["published_messages.publishing_id[]"]) ~= nil and (f.first(c["published_messages.publishing_id[]"]) - 1) or nil); pub.gap_n = n]],
      "c pub n",
    },
  },
  {
    on = "publish",
    does = {
      [[pub.top = f.max(f.coalesce(pub.top, 0), f.greatest(c["published_messages.publishing_id[]"]))]],
      "c pub",
    },
  },
  {
    on = "publish",
    does = {
      [[f.add(f.outstanding_ids(conn, pub, "waiting"), c["published_messages.publishing_id[]"], t, n, mark); pub.publish_n = n; C.routine_n = f.choose((pub.confirmed ~= nil and pub.confirmed > 0), n, C.routine_n)]],
      "c conn pub t n mark C",
    },
  },
  {
    on = "publish_confirm",
    does = {
      [[pub.confirmed = (pub.confirmed ~= nil and c["#publishing_ids"] ~= nil and (pub.confirmed + c["#publishing_ids"]) or nil); pub.confirmed_t = t; series.stored = f.max(f.coalesce(pub.stored, 0), f.greatest(c["publishing_ids[]"])); series.stored_t = t; tail.count = (tail.count ~= nil and c["#publishing_ids"] ~= nil and (tail.count + c["#publishing_ids"]) or nil); took = took or f.take(pub.waiting, c["publishing_ids[]"])]],
      "c pub t series tail took",
    },
  },
  {
    on = "publish_error",
    does = {
      [[pub.refused = (pub.refused ~= nil and c["#publishing_errors"] ~= nil and (pub.refused + c["#publishing_errors"]) or nil); pub.error_n = n; took = took or f.take(pub.waiting, c["publishing_errors.publishing_id[]"])]],
      "c pub n took",
    },
  },
  {
    on = "peer_properties open open_response",
    when = { [[(conn.client_seen == nil)]], "conn" },
    does = {
      [[conn.client_seen = 1; machine.opened = (f.coalesce(machine.opened, 0) + 1)]],
      "conn machine",
    },
  },
  {
    on = "open_response",
    when = {
      [[(((f.count(machine.ports) or 0) > 0) and (conn.advertised_port ~= nil) and (f.has(machine.ports, conn.advertised_port) ~= nil and not f.has(machine.ports, conn.advertised_port)))]],
      "machine conn",
    },
    does = { [[conn.strange_n = req.n]], "conn req" },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    does = { [[conn.gone = (f.coalesce(conn.gone, 0) + 1)]], "conn" },
  },
  {
    on = "tcp.close tcp.reset",
    when = { [[((conn.used_n ~= nil) and (conn.worked == nil))]], "conn" },
    does = { [[conn.worked = 1; machine.worked = (f.coalesce(machine.worked, 0) + 1)]], "conn machine" },
  },
  {
    on = "metadata_response",
    items = "brokers",
    does = { [[machine.ports = f.put(machine.ports, c["brokers.port"])]], "c machine" },
  },
  {
    on = "partitions_response",
    items = "streams",
    does = { [[machine.partitions = f.put(machine.partitions, c.streams)]], "c machine" },
  },
  {
    on = "any:coded",
    guard = 13,
    fixed = { [[(name ~= "credit_response")]], "name" },
    does = {
      [[refused.chained = ((refused.times ~= nil and refused.times > 0) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and c.response_code ~= nil and refused.same == c.response_code))); refused.slower = f.choose(refused.chained, (refused.slower ~= nil and (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0) ~= nil and (refused.slower + (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0)) or nil), 0); refused.gap = f.choose(refused.chained, (refused.latest_t ~= nil and (t - refused.latest_t) or nil), nil); refused.first_gap = f.choose(refused.chained, f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)), nil); refused.second_n = f.choose(refused.chained, f.coalesce(refused.second_n, req.n), nil); refused.first_n = f.choose(refused.chained, refused.first_n, req.n); refused.times = f.choose(refused.chained, (refused.times ~= nil and (refused.times + 1) or nil), 1); refused.latest_t = t; refused.same = c.response_code]],
      "c refused t req",
    },
  },
  { on = "any:coded", guard = 14, does = { [[refused.times = 0]], "refused" } },
  {
    on = "any:coded",
    guard = 15,
    fixed = { [[(name ~= "credit_response")]], "name" },
    does = {
      [[refused_slowly.chained = ((refused_slowly.times ~= nil and refused_slowly.times > 0) and ((refused_slowly.latest_t ~= nil and (t - refused_slowly.latest_t) <= 60000000000.0) and (refused_slowly.same ~= nil and c.response_code ~= nil and refused_slowly.same == c.response_code))); refused_slowly.second_n = f.choose(refused_slowly.chained, f.coalesce(refused_slowly.second_n, req.n), nil); refused_slowly.first_n = f.choose(refused_slowly.chained, refused_slowly.first_n, req.n); refused_slowly.times = f.choose(refused_slowly.chained, (refused_slowly.times ~= nil and (refused_slowly.times + 1) or nil), 1); refused_slowly.latest_t = t; refused_slowly.same = c.response_code]],
      "c refused_slowly t req",
    },
  },
  { on = "any:coded", guard = 14, does = { [[refused_slowly.times = 0]], "refused_slowly" } },
  {
    on = "query_offset query_publisher_sequence stream_stats partitions route resolve_offset_spec",
    does = {
      [[polled.chained = ((polled.times ~= nil and polled.times > 0) and (polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE)); polled.second_n = f.choose(polled.chained, f.coalesce(polled.second_n, n), nil); polled.first_n = f.choose(polled.chained, polled.first_n, n); polled.times = f.choose(polled.chained, (polled.times ~= nil and (polled.times + 1) or nil), 1); polled.latest_t = t]],
      "polled t n",
    },
  },
  {
    on = "query_offset query_publisher_sequence stream_stats partitions route resolve_offset_spec",
    does = {
      [[polled_slowly.chained = ((polled_slowly.times ~= nil and polled_slowly.times > 0) and (polled_slowly.latest_t ~= nil and (t - polled_slowly.latest_t) <= K.REFUSED_PAUSE)); polled_slowly.second_n = f.choose(polled_slowly.chained, f.coalesce(polled_slowly.second_n, n), nil); polled_slowly.first_n = f.choose(polled_slowly.chained, polled_slowly.first_n, n); polled_slowly.times = f.choose(polled_slowly.chained, (polled_slowly.times ~= nil and (polled_slowly.times + 1) or nil), 1); polled_slowly.latest_t = t]],
      "polled_slowly t n",
    },
  },
  {
    on = "query_publisher_sequence",
    does = {
      [[asked_sequence.chained = ((asked_sequence.times ~= nil and asked_sequence.times > 0) and (asked_sequence.latest_t ~= nil and (t - asked_sequence.latest_t) <= 60000000000.0)); asked_sequence.second_n = f.choose(asked_sequence.chained, f.coalesce(asked_sequence.second_n, n), nil); asked_sequence.first_n = f.choose(asked_sequence.chained, asked_sequence.first_n, n); asked_sequence.times = f.choose(asked_sequence.chained, (asked_sequence.times ~= nil and (asked_sequence.times + 1) or nil), 1); asked_sequence.latest_t = t]],
      "asked_sequence t n",
    },
  },
  {
    on = "metadata",
    does = {
      [[asked_again.chained = ((asked_again.times ~= nil and asked_again.times > 0) and (asked_again.latest_t ~= nil and (t - asked_again.latest_t) <= 60000000000.0)); asked_again.second_n = f.choose(asked_again.chained, f.coalesce(asked_again.second_n, n), nil); asked_again.first_n = f.choose(asked_again.chained, asked_again.first_n, n); asked_again.times = f.choose(asked_again.chained, (asked_again.times ~= nil and (asked_again.times + 1) or nil), 1); asked_again.latest_t = t]],
      "asked_again t n",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((((conn.used_n ~= nil) or (conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side)) and (C.frames ~= nil and C.frames <= 12)) and (why ~= nil and not LISTS[5][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn S C why",
    },
    does = {
      [[reconnected.chained = ((reconnected.times ~= nil and reconnected.times > 0) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 10000000000.0))); reconnected.second_n = f.choose(reconnected.chained, f.coalesce(reconnected.second_n, conn.n), nil); reconnected.first_n = f.choose(reconnected.chained, reconnected.first_n, conn.n); reconnected.times = f.choose(reconnected.chained, (reconnected.times ~= nil and (reconnected.times + 1) or nil), 1); reconnected.latest_t = t]],
      "reconnected conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected.times = 0]], "reconnected" },
  },
  {
    on = "delete_response",
    guard = 1,
    does = {
      [[deleted.chained = ((deleted.times ~= nil and deleted.times > 0) and (deleted.latest_t ~= nil and (t - deleted.latest_t) <= 10000000000.0)); deleted.second_n = f.choose(deleted.chained, f.coalesce(deleted.second_n, req.n), nil); deleted.first_n = f.choose(deleted.chained, deleted.first_n, req.n); deleted.times = f.choose(deleted.chained, (deleted.times ~= nil and (deleted.times + 1) or nil), 1); deleted.latest_t = t]],
      "deleted t req",
    },
  },
  {
    on = "heartbeat",
    when = { [[(conn.heartbeat ~= nil and conn.heartbeat > 0)]], "conn" },
    does = {
      [[me.beaten_chained = ((me.beaten_times ~= nil and me.beaten_times > 0) and (me.beaten_latest_t ~= nil and conn.heartbeat ~= nil and (t - me.beaten_latest_t) < (conn.heartbeat * 1000000000.0))); me.beaten_second_n = f.choose(me.beaten_chained, f.coalesce(me.beaten_second_n, n), nil); me.beaten_first_n = f.choose(me.beaten_chained, me.beaten_first_n, n); me.beaten_first_t = f.choose(me.beaten_chained, me.beaten_first_t, t); me.beaten_times = f.choose(me.beaten_chained, (me.beaten_times ~= nil and (me.beaten_times + 1) or nil), 1); me.beaten_latest_t = t]],
      "me conn t n",
    },
  },
  {
    on = "end:pub",
    when = {
      [[(((why == "removed") and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) <= 1)) and (why ~= nil and not LISTS[5][why]) and (pub.born and (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch == conn.epoch) and conn.both))]],
      "why pub conn",
    },
    does = {
      [[brief_publishers.chained = ((brief_publishers.times ~= nil and brief_publishers.times > 0) and ((brief_publishers.latest_t ~= nil and pub.t ~= nil and brief_publishers.latest_t <= (pub.t + 0)) and (pub.t ~= nil and brief_publishers.latest_t ~= nil and (pub.t - brief_publishers.latest_t) <= 2000000000.0))); brief_publishers.second_n = f.choose(brief_publishers.chained, f.coalesce(brief_publishers.second_n, pub.n), nil); brief_publishers.first_n = f.choose(brief_publishers.chained, brief_publishers.first_n, pub.n); brief_publishers.times = f.choose(brief_publishers.chained, (brief_publishers.times ~= nil and (brief_publishers.times + 1) or nil), 1); brief_publishers.latest_t = t]],
      "brief_publishers pub t",
    },
  },
  {
    on = "end:pub",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((pub.born ~= nil and not pub.born) or (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why pub conn",
    },
    does = { [[brief_publishers.times = 0]], "brief_publishers" },
  },
  {
    on = "client:declare_publisher",
    when = {
      [[(c.publisher_id ~= nil and conn.greatest_id ~= nil and c.publisher_id <= conn.greatest_id)]],
      "c conn",
    },
    does = { [[conn.reused_n = f.coalesce(conn.reused_n, n)]], "conn n" },
  },
  {
    on = "client:declare_publisher",
    does = { [[conn.greatest_id = f.max(f.coalesce(conn.greatest_id, 0), c.publisher_id)]], "c conn" },
  },
  {
    on = "client:delete_publisher",
    does = { [[conn.freed_ids = (f.coalesce(conn.freed_ids, 0) + 1); conn.id_freed_n = n]], "conn n" },
  },
  {
    on = "end:sub",
    when = {
      [[(((why == "removed") and (sub.chunks ~= nil and sub.chunks <= 1)) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both))]],
      "why sub conn",
    },
    does = {
      [[brief_subscriptions.chained = ((brief_subscriptions.times ~= nil and brief_subscriptions.times > 0) and ((brief_subscriptions.latest_t ~= nil and sub.t ~= nil and brief_subscriptions.latest_t <= (sub.t + 0)) and (sub.t ~= nil and brief_subscriptions.latest_t ~= nil and (sub.t - brief_subscriptions.latest_t) <= 2000000000.0))); brief_subscriptions.second_n = f.choose(brief_subscriptions.chained, f.coalesce(brief_subscriptions.second_n, sub.n), nil); brief_subscriptions.first_n = f.choose(brief_subscriptions.chained, brief_subscriptions.first_n, sub.n); brief_subscriptions.times = f.choose(brief_subscriptions.chained, (brief_subscriptions.times ~= nil and (brief_subscriptions.times + 1) or nil), 1); brief_subscriptions.latest_t = t]],
      "brief_subscriptions sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((sub.born ~= nil and not sub.born) or (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why sub conn",
    },
    does = { [[brief_subscriptions.times = 0]], "brief_subscriptions" },
  },
  {
    on = "end:pub",
    does = { [[conn.unused_publishers_all = (f.coalesce(conn.unused_publishers_all, 0) + 1)]], "conn" },
  },
  {
    on = "end:pub",
    when = { [[(why ~= nil and not LISTS[9][why])]], "why" },
    does = { [[conn.unused_publishers_ended = (f.coalesce(conn.unused_publishers_ended, 0) + 1)]], "conn" },
  },
  {
    on = "end:pub",
    when = { [[((pub.publish_n == nil) and LISTS[9][why])]], "pub why" },
    does = {
      [[conn.unused_publishers_left = (f.coalesce(conn.unused_publishers_left, 0) + 1); conn.unused_publishers_latest_n = pub.n; conn.unused_publishers_first_n = f.coalesce(conn.unused_publishers_first_n, pub.n)]],
      "conn pub",
    },
  },
  {
    on = "end:pub",
    does = { [[left_publishers.all = (f.coalesce(left_publishers.all, 0) + 1)]], "left_publishers" },
  },
  {
    on = "end:pub",
    when = {
      [[((why ~= nil and not LISTS[9][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[left_publishers.ended = (f.coalesce(left_publishers.ended, 0) + 1)]], "left_publishers" },
  },
  {
    on = "end:pub",
    when = {
      [[(((pub.publish_n ~= nil) and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) <= 1) and (pub.last_t ~= nil and (t - pub.last_t) > K.QUIET)) and LISTS[9][why] and (conn.start and conn.whole and conn.both))]],
      "pub t why conn",
    },
    does = {
      [[left_publishers.left = (f.coalesce(left_publishers.left, 0) + 1); left_publishers.latest_n = pub.n; left_publishers.first_n = f.coalesce(left_publishers.first_n, pub.n)]],
      "left_publishers pub",
    },
  },
  {
    on = "end:sub",
    does = {
      [[left_subscriptions.all = (f.coalesce(left_subscriptions.all, 0) + 1)]],
      "left_subscriptions",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[9][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = {
      [[left_subscriptions.ended = (f.coalesce(left_subscriptions.ended, 0) + 1)]],
      "left_subscriptions",
    },
  },
  {
    on = "end:sub",
    when = {
      [[(((sub.chunks ~= nil and sub.chunks > 0) and (f.coalesce(sub.single, "") ~= "true")) and LISTS[9][why] and (conn.start and conn.whole and conn.both))]],
      "sub why conn",
    },
    does = {
      [[left_subscriptions.left = (f.coalesce(left_subscriptions.left, 0) + 1); left_subscriptions.latest_n = sub.n; left_subscriptions.first_n = f.coalesce(left_subscriptions.first_n, sub.n)]],
      "left_subscriptions sub",
    },
  },
  {
    on = "end:conn",
    does = { [[idle_connections.all = (f.coalesce(idle_connections.all, 0) + 1)]], "idle_connections" },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[9][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[idle_connections.ended = (f.coalesce(idle_connections.ended, 0) + 1)]], "idle_connections" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.used_n == nil) and (conn.opened_n ~= nil) and (conn.t ~= nil and (t - conn.t) > K.IDLE)) and LISTS[9][why] and (conn.start and conn.whole and conn.both))]],
      "conn t why",
    },
    does = {
      [[idle_connections.left = (f.coalesce(idle_connections.left, 0) + 1); idle_connections.latest_n = conn.open_n; idle_connections.first_n = f.coalesce(idle_connections.first_n, conn.open_n)]],
      "idle_connections conn",
    },
  },
  {
    on = "subscribe_response",
    guard = 1,
    when = { [[(doubled.live ~= nil and doubled.live > 0)]], "doubled" },
    does = { [[doubled.second_n = n]], "doubled n" },
  },
  {
    on = "subscribe_response",
    guard = 1,
    does = {
      [[doubled.live = (f.max(f.coalesce(doubled.live, 0), 0) ~= nil and (f.max(f.coalesce(doubled.live, 0), 0) + 1) or nil); sub.doubled_n = n]],
      "doubled sub n",
    },
  },
  {
    on = "end:sub",
    does = { [[doubled.live = (doubled.live ~= nil and (doubled.live - 1) or nil)]], "doubled" },
  },
  {
    on = "subscribe",
    each = "sub",
    guard = 16,
    when = {
      [[((sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream) and (sub.state == "live") and (sub.chunks ~= nil and sub.chunks > 0) and ((sub.next ~= nil and c.offset ~= nil and (sub.next - 1) <= c.offset) and (c.offset ~= nil and sub.next ~= nil and c.offset <= sub.next)) and (c.subscription_id ~= nil and sub.sid ~= nil and c.subscription_id ~= sub.sid))]],
      "c sub",
    },
    does = { [[sub.replaced_n = n]], "sub n" },
  },
  { on = "subscribe", does = { [[sub.sid = c.subscription_id]], "c sub" } },
  {
    on = "publish",
    guard = 17,
    when = { [[((f.count(pub.waiting) or 1) > 1)]], "pub" },
    does = {
      [[pub.single_second_n = f.choose((pub.single_count == 1), n, pub.single_second_n); pub.single_count = (f.coalesce(pub.single_count, 0) + 1); pub.single_latest_n = n]],
      "pub n",
    },
  },
  {
    on = "publish",
    does = { [[pub.single_among = (f.coalesce(pub.single_among, 0) + 1)]], "pub" },
  },
  {
    on = "publish",
    guard = 17,
    when = {
      [[((pub.confirmed_t ~= nil and (t - pub.confirmed_t) < K.AT_ONCE) and (f.count(pub.waiting) == 1))]],
      "pub t",
    },
    does = {
      [[pub.waited_second_n = f.choose((pub.waited_count == 1), n, pub.waited_second_n); pub.waited_count = (f.coalesce(pub.waited_count, 0) + 1); pub.waited_latest_n = n]],
      "pub n",
    },
  },
  {
    on = "publish",
    guard = 18,
    does = {
      [[pub.alone_second_n = f.choose((pub.alone_count == 1), n, pub.alone_second_n); pub.alone_count = (f.coalesce(pub.alone_count, 0) + 1); pub.alone_latest_n = n]],
      "pub n",
    },
  },
  {
    on = "store_offset",
    does = {
      [[conn.stored_second_n = f.choose((conn.stored_count == 1), n, conn.stored_second_n); conn.stored_count = (f.coalesce(conn.stored_count, 0) + 1); conn.stored_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "deliver",
    does = {
      [[conn.stored_among = (c["chunk.num_records"] ~= nil and (f.coalesce(conn.stored_among, 0) + c["chunk.num_records"]) or nil)]],
      "c conn",
    },
  },
  {
    on = "credit",
    guard = 19,
    when = { [[((sub.initial == 1) and (sub.balance ~= nil and sub.balance <= 1))]], "sub" },
    does = {
      [[sub.credited_second_n = f.choose((sub.credited_count == 1), n, sub.credited_second_n); sub.credited_count = (f.coalesce(sub.credited_count, 0) + 1); sub.credited_latest_n = n]],
      "sub n",
    },
  },
  {
    on = "metadata",
    guard = 20,
    does = {
      [[conn.looked_up_chained = ((conn.looked_up_times ~= nil and conn.looked_up_times > 0) and ((conn.looked_up_open == 0) and (conn.looked_up_answered_t ~= nil and f.max((conn.looked_up_took ~= nil and (conn.looked_up_took * 3) or nil), 5000000) ~= nil and (t - conn.looked_up_answered_t) <= f.max((conn.looked_up_took ~= nil and (conn.looked_up_took * 3) or nil), 5000000)) and (conn.looked_up_value ~= nil and f.first(c["streams[]"]) ~= nil and conn.looked_up_value ~= f.first(c["streams[]"])))); conn.looked_up_second_n = f.choose(conn.looked_up_chained, f.coalesce(conn.looked_up_second_n, n), nil); conn.looked_up_first_n = f.choose(conn.looked_up_chained, conn.looked_up_first_n, n); conn.looked_up_times = f.choose(conn.looked_up_chained, (conn.looked_up_times ~= nil and (conn.looked_up_times + 1) or nil), 1); conn.looked_up_asked_t = t; conn.looked_up_open = (f.coalesce(conn.looked_up_open, 0) + 1); conn.looked_up_value = f.first(c["streams[]"])]],
      "c conn t n",
    },
  },
  {
    on = "metadata_response",
    when = { [[(conn.looked_up_open ~= nil and conn.looked_up_open > 0)]], "conn" },
    does = {
      [[conn.looked_up_took = (conn.looked_up_asked_t ~= nil and (t - conn.looked_up_asked_t) or nil); conn.looked_up_answered_t = t; conn.looked_up_open = 0]],
      "conn t",
    },
  },
  {
    on = "store_offset",
    does = { [[stored_back.last = c.offset; stored_back.latest_n = n]], "c stored_back n" },
  },
  {
    on = "store_offset",
    does = {
      [[stored_again.chained = ((stored_again.times ~= nil and stored_again.times > 0) and ((stored_again.latest_t ~= nil and (t - stored_again.latest_t) <= 60000000000.0) and (stored_again.same ~= nil and c.offset ~= nil and stored_again.same == c.offset))); stored_again.second_n = f.choose(stored_again.chained, f.coalesce(stored_again.second_n, n), nil); stored_again.first_n = f.choose(stored_again.chained, stored_again.first_n, n); stored_again.times = f.choose(stored_again.chained, (stored_again.times ~= nil and (stored_again.times + 1) or nil), 1); stored_again.latest_t = t; stored_again.same = c.offset]],
      "c stored_again t n",
    },
  },
  {
    on = "subscribe_response",
    when = {
      [[(((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1)))]],
      "c sub resumed",
    },
    does = {
      [[resumed.again = f.choose((((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began), (f.coalesce(resumed.again, 0) + 1), 0); sub.resumed_after = f.coalesce(resumed.reached, -1); sub.resumed_unasked = f.choose(((resumed.stored_n ~= nil and f.coalesce(resumed.asked_n, -1) < resumed.stored_n) and (resumed.unsure_n == nil)), resumed.stored, nil); sub.resumed_unasked_n = f.choose(((resumed.stored_n ~= nil and f.coalesce(resumed.asked_n, -1) < resumed.stored_n) and (resumed.unsure_n == nil)), resumed.stored_n, nil)]],
      "resumed sub",
    },
  },
  {
    on = "end:sub",
    when = { [[(sub.first_chunk ~= nil)]], "sub" },
    does = {
      [[resumed.began = sub.first_chunk; resumed.reached = sub.next; resumed.former_n = sub.last_n; resumed.former_flow = flow; resumed.lost = (((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))) and 1 or 0)]],
      "resumed sub flow why C conn S",
    },
  },
  {
    on = "tcp.close tcp.reset",
    each = "sub",
    when = { [[(sub.first_chunk ~= nil)]], "sub" },
    does = {
      [[resumed.began = sub.first_chunk; resumed.reached = sub.next; resumed.former_n = sub.last_n; resumed.former_flow = flow; resumed.lost = (((sender == "server") and (C.close_n == nil)) and 1 or 0)]],
      "resumed sub flow sender C",
    },
  },
  {
    on = "subscribe_response",
    guard = 1,
    when = { [[(f.coalesce(sub.single, "") ~= "true")]], "sub" },
    does = { [[resumed.spec = sub.offset_type]], "resumed sub" },
  },
  {
    on = "store_offset",
    does = { [[resumed.stored = c.offset; resumed.stored_n = n]], "c resumed n" },
  },
  {
    on = "end:sub",
    when = { [[(conn.whole ~= nil and not conn.whole)]], "conn" },
    does = { [[resumed.unsure_n = n]], "resumed n" },
  },
  { on = "query_offset", does = { [[resumed.asked_n = n; resumed.found = nil]], "resumed n" } },
  {
    on = "query_offset_response",
    guard = 1,
    does = { [[resumed.found = c.offset]], "c resumed" },
  },
  {
    on = "end:sub",
    when = { [[(sub.first_chunk ~= nil)]], "sub" },
    does = {
      [[taken_over.began = sub.first_chunk; taken_over.reached = sub.next; taken_over.former_n = sub.last_n; taken_over.former_flow = flow]],
      "taken_over sub flow",
    },
  },
  {
    on = "tcp.close tcp.reset",
    each = "sub",
    when = { [[(sub.first_chunk ~= nil)]], "sub" },
    does = {
      [[taken_over.began = sub.first_chunk; taken_over.reached = sub.next; taken_over.former_n = sub.last_n; taken_over.former_flow = flow]],
      "taken_over sub flow",
    },
  },
  {
    on = "consumer_update_response",
    when = { [[(req.active == 1)]], "req" },
    does = { [[taken_over.spec = sub.offset_type]], "taken_over sub" },
  },
  {
    on = "store_offset",
    does = { [[taken_over.stored = c.offset; taken_over.stored_n = n]], "c taken_over n" },
  },
  {
    on = "subscribe_response",
    when = {
      [[(((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (read_twice.live ~= nil and read_twice.live > 0))]],
      "c sub read_twice",
    },
    does = { [[read_twice.second_n = n; read_twice.second_flow = flow]], "read_twice n flow" },
  },
  {
    on = "subscribe_response",
    guard = 1,
    when = { [[(f.coalesce(sub.single, "") ~= "true")]], "sub" },
    does = {
      [[read_twice.live = (f.max(f.coalesce(read_twice.live, 0), 0) ~= nil and (f.max(f.coalesce(read_twice.live, 0), 0) + 1) or nil); sub.read_twice_n = n]],
      "read_twice sub n",
    },
  },
  {
    on = "end:sub",
    does = {
      [[read_twice.live = (read_twice.live ~= nil and (read_twice.live - 1) or nil)]],
      "read_twice",
    },
  },
  {
    on = "query_offset store_offset",
    does = { [[conn.reader = c.reference; conn.reader_stream = c.stream]], "c conn" },
  },
  { on = "query_offset", does = { [[conn.offset_asked_n = n]], "conn n" } },
  { on = "store_offset", does = { [[conn.offset_kept_n = n]], "conn n" } },
  {
    on = "end:sub",
    when = {
      [[(((why == "removed") and (sub.chunks ~= nil and sub.chunks > 0) and (f.coalesce(sub.single, "") ~= "true") and (conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream) and (conn.offset_asked_n ~= nil and sub.n ~= nil and conn.offset_asked_n > sub.n) and (sub.n ~= nil and f.coalesce(conn.offset_kept_n, 0) < sub.n)) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both))]],
      "why sub conn",
    },
    does = {
      [[only_asked.chained = ((only_asked.times ~= nil and only_asked.times > 0) and ((only_asked.latest_t ~= nil and sub.t ~= nil and only_asked.latest_t <= (sub.t + 0)) and (sub.t ~= nil and only_asked.latest_t ~= nil and (sub.t - only_asked.latest_t) <= 10000000000.0))); only_asked.second_n = f.choose(only_asked.chained, f.coalesce(only_asked.second_n, sub.n), nil); only_asked.first_n = f.choose(only_asked.chained, only_asked.first_n, sub.n); only_asked.times = f.choose(only_asked.chained, (only_asked.times ~= nil and (only_asked.times + 1) or nil), 1); only_asked.latest_t = t]],
      "only_asked sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((sub.born ~= nil and not sub.born) or (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why sub conn",
    },
    does = { [[only_asked.times = 0]], "only_asked" },
  },
  {
    on = "deliver",
    when = { [[((sub.first_chunk == nil) and (sub.offset_type == 3) and (sub.reference == nil))]], "sub" },
    does = {
      [[conn.new_stream = sub.stream; conn.new_chunk = c["chunk.chunk_id"]; conn.new_n = sub.n]],
      "c conn sub",
    },
  },
  {
    on = "deliver",
    when = {
      [[((sub.first_chunk == nil) and LISTS[10][sub.offset_type] and (sub.reference == nil))]],
      "sub",
    },
    does = {
      [[conn.begun_stream = sub.stream; conn.begun_at = f.max(c["chunk.chunk_id"], f.coalesce(sub.wanted, 0)); conn.begun_n = sub.n]],
      "c conn sub",
    },
  },
  {
    on = "deliver",
    does = { [[sub.first_chunk = f.coalesce(sub.first_chunk, c["chunk.chunk_id"])]], "c sub" },
  },
  {
    on = "end:sub",
    when = {
      [[(((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))) and (sub.chunks ~= nil and sub.chunks > 0))]],
      "why C conn S sub",
    },
    does = {
      [[before.read = f.put(before.read, sub.stream); before.read_n = sub.deliver_n; before.sub_n = sub.n; before.client_name = conn.client_name]],
      "before sub conn",
    },
  },
  {
    on = "end:pub",
    when = {
      [[(((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))) and (pub.publish_n ~= nil))]],
      "why C conn S pub",
    },
    does = {
      [[before.written = f.put(before.written, pub.stream); before.written_n = pub.publish_n; before.client_name = conn.client_name]],
      "before pub conn",
    },
  },
  {
    on = "subscribe",
    when = { [[f.has(before.read, c.stream)]], "c before" },
    does = { [[conn.reread_t = t]], "conn t" },
  },
  {
    on = "declare_publisher",
    when = { [[f.has(before.written, c.stream)]], "c before" },
    does = { [[conn.rewritten_t = t]], "conn t" },
  },
  { on = "subscribe", does = { [[before.read = f.drop(before.read, c.stream)]], "c before" } },
  {
    on = "declare_publisher",
    does = { [[before.written = f.drop(before.written, c.stream)]], "c before" },
  },
  {
    on = "subscribe",
    guard = 4,
    when = {
      [[(f.has(groups.names, f.item(c["properties[]"], "name")) ~= nil and not f.has(groups.names, f.item(c["properties[]"], "name")))]],
      "c groups",
    },
    does = {
      [[groups.names = f.put(groups.names, f.item(c["properties[]"], "name")); groups.former_n = groups.latest_n; groups.latest_n = n; groups.latest = f.item(c["properties[]"], "name")]],
      "c groups n",
    },
  },
  {
    on = "subscribe",
    guard = 4,
    does = { [[groups.live = (f.coalesce(groups.live, 0) + 1)]], "groups" },
  },
  {
    on = "end:sub",
    when = { [[(sub.single == "true")]], "sub" },
    does = { [[groups.live = (groups.live ~= nil and (groups.live - 1) or nil)]], "groups" },
  },
  {
    on = "subscribe_response",
    guard = 1,
    when = { [[(sub.single == "true")]], "sub" },
    does = { [[band.whole = f.coalesce(sub.super_stream, ""); band.member_n = sub.n]], "band sub" },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    each = "sub",
    when = {
      [[((C.close_n == nil) and (f.coalesce(conn.first_fin, side) ~= nil and side ~= nil and f.coalesce(conn.first_fin, side) == side) and (sub.single == "true"))]],
      "C conn side sub",
    },
    does = {
      [[torn.members = (f.coalesce(torn.members, 0) + 1); torn.member = sub.reference; torn.member_n = sub.n; torn.member_t = t]],
      "torn sub t",
    },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    each = "sub",
    when = {
      [[((C.close_n == nil) and (f.coalesce(conn.first_fin, side) ~= nil and side ~= nil and f.coalesce(conn.first_fin, side) == side) and (f.coalesce(sub.single, "") ~= "true"))]],
      "C conn side sub",
    },
    does = { [[torn.others = (f.coalesce(torn.others, 0) + 1)]], "torn" },
  },
  {
    on = "client:subscribe",
    does = {
      [[torn.others = f.max((((f.item(c["properties[]"], "single-active-consumer") == "true") and 0 or 1) ~= nil and (f.coalesce(torn.others, 0) - ((f.item(c["properties[]"], "single-active-consumer") == "true") and 0 or 1)) or nil), 0); torn.members = f.max((f.coalesce(torn.members, 0) - 1), 0)]],
      "c torn",
    },
  },
  {
    on = "query_offset_response",
    guard = 21,
    when = {
      [[((flow ~= nil and flow ~= f.coalesce(asking.flow, -1)) and (f.has(asking.names, req.reference) ~= nil and not f.has(asking.names, req.reference)))]],
      "flow asking req",
    },
    does = {
      [[asking.names = f.put(asking.names, req.reference); asking.flow = flow; asking.t_of = t; asking.former_n = asking.latest_n; asking.latest_n = req.n]],
      "asking req flow t",
    },
  },
  {
    on = "declare_publisher",
    when = {
      [[((flow ~= nil and flow ~= f.coalesce(referring.flow, -1)) and (f.has(referring.names, c.publisher_reference) ~= nil and not f.has(referring.names, c.publisher_reference)))]],
      "c flow referring",
    },
    does = {
      [[referring.names = f.put(referring.names, c.publisher_reference); referring.flow = flow; referring.former_n = referring.latest_n; referring.latest_n = n; referring.latest = c.publisher_reference]],
      "c referring flow n",
    },
  },
  {
    on = "subscribe",
    guard = 22,
    when = { [[f.has(machine.partitions, c.stream)]], "c machine" },
    does = { [[machine.bare = f.put(machine.bare, c.stream)]], "c machine" },
  },
  {
    on = "store_offset",
    does = {
      [[sought.stored_n = n; sought.stored = c.offset; tracked.stored_n = n; tracked.reference = c.reference]],
      "c sought n tracked",
    },
  },
  { on = "query_offset_response", does = { [[sought.queried_n = n]], "sought n" } },
  { on = "end:sub", does = { [[sought.unsure_n = n]], "sought n" } },
  {
    on = "query_offset_response",
    guard = 21,
    when = { [[(sought.asked_n == nil)]], "sought" },
    does = { [[sought.asked_n = req.n; sought.flow = flow]], "sought req flow" },
  },
  {
    on = "consumer_update_response",
    does = {
      [[standby.since = f.choose((req.active == 0), t, nil); standby.left_n = n]],
      "standby req t n",
    },
  },
  {
    on = "declare_publisher_response",
    when = {
      [[(((c.response_code == 1) and ((f.len(req.publisher_reference) or 0) > 0)) and (shared_reference.live ~= nil and shared_reference.live > 0))]],
      "c req shared_reference",
    },
    does = { [[shared_reference.second_n = n]], "shared_reference n" },
  },
  {
    on = "declare_publisher_response",
    guard = 1,
    when = { [[((f.len(req.publisher_reference) or 0) > 0)]], "req" },
    does = {
      [[shared_reference.live = (f.max(f.coalesce(shared_reference.live, 0), 0) ~= nil and (f.max(f.coalesce(shared_reference.live, 0), 0) + 1) or nil); pub.shared_reference_n = n]],
      "shared_reference pub n",
    },
  },
  {
    on = "end:pub",
    does = {
      [[shared_reference.live = (shared_reference.live ~= nil and (shared_reference.live - 1) or nil)]],
      "shared_reference",
    },
  },
  {
    on = "store_offset",
    when = {
      [[((consumed.single_n == nil) and ((shared_tracking.user ~= nil and flow ~= nil and shared_tracking.user ~= flow) and f.has(shared_tracking.users, flow)))]],
      "consumed shared_tracking flow",
    },
    does = {
      [[shared_tracking.returns = (f.coalesce(shared_tracking.returns, 0) + 1)]],
      "shared_tracking",
    },
  },
  {
    on = "store_offset",
    when = {
      [[((consumed.single_n == nil) and (shared_tracking.user ~= nil and flow ~= nil and shared_tracking.user ~= flow))]],
      "consumed shared_tracking flow",
    },
    does = { [[shared_tracking.former_n = shared_tracking.latest_n]], "shared_tracking" },
  },
  {
    on = "store_offset",
    when = { [[(consumed.single_n == nil)]], "consumed" },
    does = {
      [[shared_tracking.users = f.put(shared_tracking.users, flow); shared_tracking.user = flow; shared_tracking.latest_n = n]],
      "shared_tracking flow n",
    },
  },
  { on = "subscribe", guard = 4, does = { [[consumed.single_n = n]], "consumed n" } },
  {
    on = "route partitions",
    does = { [[conn.super_streams = f.put(conn.super_streams, c.super_stream)]], "c conn" },
  },
  {
    on = "create_super_stream",
    does = { [[conn.super_streams = f.put(conn.super_streams, c.name)]], "c conn" },
  },
  { on = "subscribe", guard = 23, does = { [[sub.selects = 1]], "sub" } },
  {
    on = "subscribe",
    guard = 24,
    does = { [[sub.filter = f.item(c["properties[]"], "filter.0")]], "c sub" },
  },
  {
    on = "publish",
    when = { [[((pub.counted == nil) or (version == 2))]], "pub version" },
    does = {
      [[filtered.values = f.put(filtered.values, f.first(c["published_messages.filter_value[]"])); filtered.count = (f.coalesce(filtered.count, 0) + 1); filtered.latest_n = n]],
      "c filtered n",
    },
  },
  {
    on = "publish",
    when = {
      [[(((pub.counted == nil) or (version == 2)) and ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "pub version conn",
    },
    does = { [[filtered.unsure_n = n]], "filtered n" },
  },
  {
    on = "publish",
    when = { [[(pub.counted == nil)]], "pub" },
    does = { [[pub.counted = 1]], "pub" },
  },
  { on = "partitions_response", does = { [=[super.parts = c["#streams"]]=], "c super" } },
  { on = "create_super_stream", does = { [=[super.parts = c["#partitions"]]=], "c super" } },
  {
    on = "end:pub",
    when = { [[(pub.part_of ~= nil)]], "pub" },
    does = {
      [[super.used = f.put(super.used, pub.stream); super.sent = (pub.confirmed ~= nil and pub.refused ~= nil and (((f.coalesce(super.sent, 0) + pub.confirmed) + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) or nil); super.sent_n = pub.publish_n; super.stream = pub.part_of; super.only = pub.stream]],
      "super pub",
    },
  },
  {
    on = "partitions_response",
    items = "streams",
    does = {
      [[section.of = req.super_stream; section.host = conn.vhost; section.stream = c.streams]],
      "c section req conn",
    },
  },
  {
    on = "create_super_stream",
    items = "partitions",
    does = {
      [[section.of = c.name; section.host = conn.vhost; section.stream = c.partitions]],
      "c section conn",
    },
  },
  {
    on = "subscribe",
    does = { [[section.read_n = n; super.read_n = n; super.read_t = t]], "section n super t" },
  },
  {
    on = "end:pub",
    when = { [[(pub.publish_n ~= nil)]], "pub" },
    does = {
      [[section.published = (pub.confirmed ~= nil and pub.refused ~= nil and (((f.coalesce(section.published, 0) + pub.confirmed) + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) or nil); section.published_n = pub.publish_n]],
      "section pub",
    },
  },
  {
    on = "publish",
    when = { [[(pub.format == nil)]], "pub" },
    does = {
      [[pub.format = f.choose((f.first(c["published_messages.message raw[]"]) == nil), nil, (f.starts(f.first(c["published_messages.message raw[]"]), K.SECTION) and "amqp" or "other")); pub.format_n = n]],
      "c pub n",
    },
  },
  {
    on = "create_response delete_response",
    does = { [[content.format = nil; content.first_n = nil]], "content" },
  },
  {
    on = "create_super_stream",
    items = "partitions",
    does = { [[content.format = nil; content.first_n = nil]], "content" },
  },
  {
    on = "end:pub",
    does = {
      [[content.format = f.coalesce(content.format, pub.format); content.first_n = f.coalesce(content.first_n, pub.format_n)]],
      "content pub",
    },
  },
  {
    on = "create_response",
    guard = 1,
    does = {
      [[tail.remade = f.choose((tail.dropped ~= nil and tail.dropped > 0), (f.coalesce(tail.remade, 0) + 1), 0); tail.dropped = 0]],
      "tail",
    },
  },
  { on = "delete", does = { [[seen.deleted_n = n]], "seen n" } },
  {
    on = "create_response",
    guard = 1,
    does = { [[seen.deleted_n = nil; seen.made_n = req.n]], "seen req" },
  },
  { on = "delete_response", guard = 25, does = { [[seen.deleted_n = nil]], "seen" } },
  {
    on = "declare_publisher_response subscribe_response create_response",
    guard = 1,
    does = { [[seen.there_t = t]], "seen t" },
  },
  {
    on = "metadata_update",
    each = "sub",
    when = {
      [[((sub.state == "live") and (sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream))]],
      "c sub",
    },
    does = {
      [[fallen.stream = c.stream; fallen.update_n = n; fallen.update_t = t; fallen.read = 1; owed.read = (f.coalesce(owed.read, 0) + 1)]],
      "c fallen n t owed",
    },
  },
  {
    on = "metadata_update",
    each = "pub",
    when = {
      [[((pub.state == "live") and (pub.stream ~= nil and c.stream ~= nil and pub.stream == c.stream))]],
      "c pub",
    },
    does = {
      [[fallen.stream = c.stream; fallen.update_n = n; fallen.update_t = t; fallen.written = 1; owed.written = (f.coalesce(owed.written, 0) + 1)]],
      "c fallen n t owed",
    },
  },
  {
    on = "subscribe",
    does = { [[owed.read = (owed.read ~= nil and (owed.read - 1) or nil)]], "owed" },
  },
  {
    on = "declare_publisher",
    does = { [[owed.written = (owed.written ~= nil and (owed.written - 1) or nil)]], "owed" },
  },
  { on = "metadata", does = { [[conn.asked_metadata_t = t]], "conn t" } },
  {
    on = "route",
    guard = 26,
    does = {
      [[router.keys = f.put(router.keys, c.routing_key); router.key = c.routing_key; router.asked_n = f.coalesce(router.asked_n, n)]],
      "c router n",
    },
  },
  { on = "route_response", does = { [[target.super_stream = req.super_stream]], "target req" } },
  {
    on = "declare_publisher",
    when = { [[(pub.state ~= nil and pub.state ~= "live")]], "pub" },
    does = { [[pub.routed = target.super_stream]], "pub target" },
  },
  {
    on = "declare_publisher",
    when = { [[(pub.state ~= nil and pub.state ~= "live")]], "pub" },
    does = {
      [[pub.part_of = f.coalesce(section.of, target.super_stream); pub.shown = 0]],
      "pub section target",
    },
  },
  {
    on = "publish",
    when = {
      [[((f.coalesce(pub.shown, 0) < K.KEYED_MOST) and ((f.coalesce(f.count(router.streams), 0) or 2) < 2))]],
      "pub router",
    },
    does = { [[router.streams = f.put(router.streams, pub.stream)]], "router pub" },
  },
  {
    on = "publish",
    items = "published_messages",
    when = { [[(f.coalesce(pub.shown, 0) < K.KEYED_MOST)]], "pub" },
    before = { [[(f.coalesce(pub.shown, 0) < K.KEYED_MOST)]], "pub" },
    does = { [[pub.shown = (f.coalesce(pub.shown, 0) + 1)]], "pub" },
  },
  {
    on = "publish",
    items = "published_messages",
    when = {
      [[((version == 2) and (f.coalesce(pub.filtered, 0) < K.FILTER_SAMPLE) and ((f.len(c["published_messages.filter_value"]) or 0) > 0))]],
      "c version pub",
    },
    before = { [[((version == 2) and (f.coalesce(pub.filtered, 0) < K.FILTER_SAMPLE))]], "version pub" },
    does = {
      [[pub.filters = f.put(pub.filters, c["published_messages.filter_value"]); topic.values = f.put(topic.values, c["published_messages.filter_value"]); pub.filtered = (f.coalesce(pub.filtered, 0) + 1); pub.filter_n = n; pub.first_filter_n = f.coalesce(pub.first_filter_n, n)]],
      "c pub topic n",
    },
  },
  {
    on = "publish",
    when = {
      [[((f.coalesce(pub.sampled, 0) < K.SAMPLE) and (size ~= nil and size < K.SAMPLED_SIZE))]],
      "pub size",
    },
    does = { [[pub.sampled = (f.coalesce(pub.sampled, 0) + 1); pub.sample_n = n]], "pub n" },
  },
  {
    on = "publish",
    guard = 27,
    when = { [[(f.coalesce(pub.sampled, 0) < K.SAMPLE)]], "pub" },
    does = {
      [[pub.unpaid_second_n = f.choose((pub.unpaid_count == 1), n, pub.unpaid_second_n); pub.unpaid_count = (f.coalesce(pub.unpaid_count, 0) + 1); pub.unpaid_latest_n = n]],
      "pub n",
    },
  },
  {
    on = "publish",
    when = { [[(f.coalesce(pub.sampled, 0) < K.SAMPLE)]], "pub" },
    does = { [[pub.unpaid_among = (f.coalesce(pub.unpaid_among, 0) + 1)]], "pub" },
  },
  {
    on = "end:pub",
    when = {
      [[(LISTS[11][why] and (C.close_n == nil) and ((f.len(pub.reference) or 0) > 0) and (pub.publish_n ~= nil))]],
      "why C pub",
    },
    does = { [[series.unsure_from = pub.low; series.unsure_to = pub.top]], "series pub" },
  },
  {
    on = "declare_publisher_response",
    guard = 1,
    does = { [[pub.unsure_from = series.unsure_from; pub.unsure_to = series.unsure_to]], "pub series" },
  },
  {
    on = "publish",
    when = { [[(pub.low == nil)]], "pub" },
    does = { [[pub.low = f.first(c["published_messages.publishing_id[]"])]], "c pub" },
  },
  {
    on = "publish",
    when = { [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.kept, 0) < K.SENT_MOST))]], "pub" },
    does = { [[pub.kept = (f.coalesce(pub.kept, 0) + 1)]], "pub" },
  },
  { on = "declare_publisher_response", guard = 1, does = { [[pub.used_by_n = n]], "pub n" } },
  { on = "subscribe_response", guard = 1, does = { [[sub.used_by_n = n]], "sub n" } },
  {
    on = "declare_publisher_response subscribe_response",
    guard = 1,
    does = {
      [[used_by.live = (f.coalesce(used_by.live, 0) + 1); used_by.latest_n = req.n]],
      "used_by req",
    },
  },
  {
    on = "end:pub end:sub",
    does = { [[used_by.live = (used_by.live ~= nil and (used_by.live - 1) or nil)]], "used_by" },
  },
  {
    on = "declare_publisher_response subscribe_response create_response stream_stats_response",
    guard = 1,
    does = { [[there.streams = f.put(there.streams, req.stream)]], "there req" },
  },
  {
    on = "delete_response",
    guard = 1,
    does = { [[there.streams = f.drop(there.streams, req.stream)]], "there req" },
  },
  {
    on = "metadata_response",
    items = "streams",
    does = {
      [[there.streams = f.put(there.streams, f.choose((c["streams.response_code"] == 1), c["streams.stream_name"], nil))]],
      "c there",
    },
  },
  {
    on = "store_offset",
    when = {
      [[((c.offset ~= nil and tail.first_of ~= nil and c.offset == tail.first_of) and (tail.count_of ~= nil and tail.count_of > 1))]],
      "c tail",
    },
    does = {
      [[conn.stored_first_second_n = f.choose((conn.stored_first_count == 1), n, conn.stored_first_second_n); conn.stored_first_count = (f.coalesce(conn.stored_first_count, 0) + 1); conn.stored_first_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "subscribe",
    guard = 4,
    when = {
      [[((group_filter.user ~= nil and flow ~= nil and group_filter.user == flow) and (group_filter.first ~= nil and group_filter.first ~= f.coalesce(f.item(c["properties[]"], "filter.0"), "")))]],
      "c group_filter flow",
    },
    does = { [[group_filter.mixed = (f.coalesce(group_filter.mixed, 0) + 1)]], "group_filter" },
  },
  {
    on = "subscribe",
    guard = 4,
    when = {
      [[((group_filter.user ~= nil and flow ~= nil and group_filter.user ~= flow) and (group_filter.first ~= nil and group_filter.first ~= f.coalesce(f.item(c["properties[]"], "filter.0"), "")))]],
      "c group_filter flow",
    },
    does = { [[group_filter.others = (f.coalesce(group_filter.others, 0) + 1)]], "group_filter" },
  },
  {
    on = "subscribe",
    guard = 4,
    when = { [[(group_filter.first == nil)]], "group_filter" },
    does = {
      [[group_filter.first = f.coalesce(f.item(c["properties[]"], "filter.0"), ""); group_filter.user = flow; group_filter.first_n = n]],
      "c group_filter flow n",
    },
  },
  {
    on = "client:any:request",
    does = { [[ticket.asked_n = n; ticket.command = name]], "ticket n name" },
  },
  {
    on = "metadata_response",
    does = { [[conn.brokers = c["brokers[]"]; conn.placed_n = n]], "c conn n" },
  },
  {
    on = "metadata_response",
    items = "streams",
    does = {
      [[placed.brokers = conn.brokers; placed.leader = c["streams.leader"]; placed.replicas = c["#streams.replicas"]; placed.listed_n = conn.placed_n]],
      "c placed conn",
    },
  },
  {
    on = "declare_publisher_response subscribe_response",
    guard = 1,
    when = { [[(conn.uses == nil)]], "conn" },
    does = {
      [[host.single = (f.coalesce(host.single, 0) + 1); host.first_n = f.coalesce(host.first_n, req.n); host.latest_n = req.n]],
      "host req",
    },
  },
  {
    on = "declare_publisher_response subscribe_response",
    guard = 1,
    when = { [[(conn.uses == 1)]], "conn" },
    does = { [[host.single = (host.single ~= nil and (host.single - 1) or nil)]], "host" },
  },
  {
    on = "declare_publisher_response subscribe_response",
    guard = 1,
    does = { [[conn.uses = (f.coalesce(conn.uses, 0) + 1)]], "conn" },
  },
  {
    on = "end:conn",
    when = { [[(conn.uses == 1)]], "conn" },
    does = { [[host.single = (host.single ~= nil and (host.single - 1) or nil)]], "host" },
  },
  {
    on = "query_offset_response",
    does = { [[finder.asked = f.put(finder.asked, req.stream); finder.of = nil]], "finder req" },
  },
  {
    on = "query_offset_response",
    guard = 1,
    does = { [[finder.of = req.stream; finder.offset = c.offset; finder.n_of = n]], "c finder req n" },
  },
  { on = "subscribe", does = { [[consumed.read_n = n; conn.reads_n = n]], "consumed n conn" } },
  {
    on = "subscribe_response",
    does = {
      [[retried.times = f.choose(((retried.place ~= nil and req.offset ~= nil and retried.place == req.offset) and (retried.advanced == 1)), (f.coalesce(retried.times, 0) + 1), 1); retried.failed = f.choose((retried.times ~= nil and retried.times > 1), retried.failed, 0); retried.first_n = f.choose((retried.times ~= nil and retried.times > 1), retried.first_n, req.n); retried.latest_n = req.n; retried.place = req.offset; retried.advanced = 0]],
      "retried req",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((sub.next ~= nil and sub.wanted ~= nil and sub.next > sub.wanted) and (retried.place ~= nil and sub.wanted ~= nil and retried.place == sub.wanted))]],
      "sub retried",
    },
    does = {
      [[retried.advanced = 1; retried.failed = (retried.failed ~= nil and ((LISTS[7][why] and (C.close_n == nil) and (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and 1 or 0) ~= nil and (retried.failed + ((LISTS[7][why] and (C.close_n == nil) and (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and 1 or 0)) or nil)]],
      "retried why C conn",
    },
  },
  {
    on = "subscribe",
    when = { [[(sub.state ~= nil and sub.state ~= "live")]], "sub" },
    does = { [[sub.filter_0 = f.coalesce(f.item(c["properties[]"], "filter.0"), "")]], "c sub" },
  },
  {
    on = "end:sub",
    when = {
      [[(((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))) and (flow ~= nil and f.coalesce(kept.flow, -1) ~= flow))]],
      "why C conn S flow kept",
    },
    does = { [[kept.filters = nil; kept.shared = nil; kept.flow = flow]], "kept flow" },
  },
  {
    on = "end:sub",
    when = {
      [[((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil))))]],
      "why C conn S",
    },
    does = {
      [[kept.filters = f.put(kept.filters, sub.filter_0); kept.lost_n = sub.n; kept.lost_t = t; kept.shared = ((f.coalesce(sub.single, "") ~= "true") and 1 or kept.shared)]],
      "kept sub t",
    },
  },
  {
    on = "create_response",
    guard = 1,
    does = {
      [[maker.times = f.choose(((maker.used_n ~= nil) and (f.program(req.stream) ~= nil and maker.stem ~= nil and f.program(req.stream) == maker.stem) and (req.stream ~= nil and maker.stream ~= nil and req.stream ~= maker.stream)), (f.coalesce(maker.times, 0) + 1), 1); maker.first_n = f.choose((maker.times ~= nil and maker.times > 1), maker.first_n, req.n); maker.stem = f.program(req.stream); maker.stream = req.stream; maker.used_n = nil; maker.latest_n = req.n]],
      "maker req",
    },
  },
  {
    on = "delete_response",
    guard = 1,
    when = {
      [[(f.program(req.stream) ~= nil and maker.stem ~= nil and f.program(req.stream) == maker.stem)]],
      "req maker",
    },
    does = { [[maker.times = 0]], "maker" },
  },
  {
    on = "declare_publisher subscribe",
    when = { [[(maker.stream ~= nil and c.stream ~= nil and maker.stream == c.stream)]], "c maker" },
    does = { [[maker.used_n = n]], "maker n" },
  },
  {
    on = "publish",
    items = "published_messages",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.noted, 0) < K.OUTBOX_MOST) and (f.coalesce(outbox.reference, pub.reference) ~= nil and pub.reference ~= nil and f.coalesce(outbox.reference, pub.reference) == pub.reference))]],
      "pub outbox",
    },
    before = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.noted, 0) < K.OUTBOX_MOST) and (f.coalesce(outbox.reference, pub.reference) ~= nil and pub.reference ~= nil and f.coalesce(outbox.reference, pub.reference) == pub.reference))]],
      "pub outbox",
    },
    does = {
      [[outbox.reference = pub.reference; outbox.sent = f.put(outbox.sent, f.key(c["published_messages.publishing_id"], f.digest(c["published_messages.message"])))]],
      "c outbox pub",
    },
  },
  {
    on = "publish",
    items = "published_messages",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.noted, 0) < K.OUTBOX_MOST) and (outbox.over_n ~= nil and pub.n ~= nil and outbox.over_n < pub.n) and (outbox.reference ~= nil and pub.reference ~= nil and outbox.reference ~= pub.reference))]],
      "pub outbox",
    },
    before = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.noted, 0) < K.OUTBOX_MOST) and (outbox.over_n ~= nil and pub.n ~= nil and outbox.over_n < pub.n) and (outbox.reference ~= nil and pub.reference ~= nil and outbox.reference ~= pub.reference))]],
      "pub outbox",
    },
    does = {
      [[outbox.again = f.put(outbox.again, f.choose(f.has(outbox.sent, f.key(c["published_messages.publishing_id"], f.digest(c["published_messages.message"]))), f.digest(c["published_messages.message"]), nil)); outbox.again_n = f.choose(f.has(outbox.sent, f.key(c["published_messages.publishing_id"], f.digest(c["published_messages.message"]))), n, outbox.again_n); outbox.again_flow = flow]],
      "c outbox n flow",
    },
  },
  {
    on = "publish",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.noted, 0) < K.OUTBOX_MOST))]],
      "pub",
    },
    does = {
      [[pub.noted = (c["#published_messages"] ~= nil and (f.coalesce(pub.noted, 0) + c["#published_messages"]) or nil)]],
      "c pub",
    },
  },
  {
    on = "end:pub",
    when = {
      [[(pub.reference ~= nil and outbox.reference ~= nil and pub.reference == outbox.reference)]],
      "pub outbox",
    },
    does = { [[outbox.over_n = pub.publish_n]], "outbox pub" },
  },
  {
    on = "publish",
    when = { [[(pub.low_n == nil)]], "pub" },
    does = { [[pub.low_n = n; pub.begins = f.first(c["published_messages.publishing_id[]"])]], "c pub n" },
  },
  {
    on = "end:pub",
    does = {
      [[cut.flow = flow; cut.over_n = pub.last_n; cut.open = f.choose(((why == "reset") or ((why == "closed") and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)))), f.count(pub.waiting), 0); cut.open_n = f.oldest_n(pub.waiting); cut.sent_n = pub.publish_n; cut.top = pub.top]],
      "cut flow pub why C conn S",
    },
  },
  {
    on = "deliver",
    when = {
      [[((sub.chunks ~= nil and sub.chunks <= K.LOOPED) and (size ~= nil and size < K.SAMPLED_SIZE) and (topic.used_t ~= nil))]],
      "sub size topic",
    },
    does = {
      [[topic.delivered = f.digest(f.first(c["chunk.entries.data raw[]"])); topic.delivered_t = t; topic.delivered_n = n]],
      "c topic t n",
    },
  },
  {
    on = "publish",
    when = { [[((f.coalesce(pub.sampled, 0) < K.SAMPLE) and (topic.delivered_t ~= nil))]], "pub topic" },
    does = {
      [[topic.returned = f.choose(((topic.delivered_t ~= nil and (t - topic.delivered_t) <= K.LOOP_TIME) and (topic.delivered ~= nil and topic.former ~= nil and topic.delivered ~= topic.former) and (f.digest(f.first(c["published_messages.message raw[]"])) ~= nil and topic.delivered ~= nil and f.digest(f.first(c["published_messages.message raw[]"])) == topic.delivered)), (f.coalesce(topic.returned, 0) + 1), 0); topic.former = topic.delivered]],
      "c topic t",
    },
  },
  {
    on = "publish",
    when = { [[(f.coalesce(pub.sampled, 0) < K.SAMPLE)]], "pub" },
    does = {
      [[topic.now = f.digest(f.first(c["published_messages.message raw[]"])); topic.hit = (((topic.now ~= nil and topic.sent ~= nil and topic.now == topic.sent) and (topic.sent_flow ~= nil and flow ~= nil and topic.sent_flow ~= flow) and (topic.sent_t ~= nil and (t - topic.sent_t) <= K.AT_BOTH)) and 1 or 0); topic.both = f.choose((topic.hit == 1), f.choose((topic.hit_t ~= nil and (t - topic.hit_t) <= K.BOTH_PAUSE), (f.coalesce(topic.both, 0) + 1), 1), topic.both); topic.hit_t = f.choose((topic.hit == 1), t, topic.hit_t); topic.sent = topic.now; topic.sent_flow = ((topic.hit == 1) and -1 or flow); topic.sent_t = t; topic.sent_n = n]],
      "c topic flow t n",
    },
  },
  {
    on = "end:pub",
    when = {
      [[(((why == "removed") and ((pub.confirmed ~= nil and pub.refused ~= nil and 1 < ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0))) and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) <= K.FEW_MESSAGES))) and (why ~= nil and not LISTS[5][why]) and (pub.born and (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch == conn.epoch) and conn.both))]],
      "why pub conn",
    },
    does = {
      [[few_messages.chained = ((few_messages.times ~= nil and few_messages.times > 0) and ((few_messages.latest_t ~= nil and pub.t ~= nil and few_messages.latest_t <= (pub.t + 0)) and (pub.t ~= nil and few_messages.latest_t ~= nil and (pub.t - few_messages.latest_t) <= 2000000000.0))); few_messages.second_n = f.choose(few_messages.chained, f.coalesce(few_messages.second_n, pub.n), nil); few_messages.first_n = f.choose(few_messages.chained, few_messages.first_n, pub.n); few_messages.times = f.choose(few_messages.chained, (few_messages.times ~= nil and (few_messages.times + 1) or nil), 1); few_messages.latest_t = t]],
      "few_messages pub t",
    },
  },
  {
    on = "end:pub",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((pub.born ~= nil and not pub.born) or (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why pub conn",
    },
    does = { [[few_messages.times = 0]], "few_messages" },
  },
  {
    on = "end:sub",
    when = {
      [[(((why == "removed") and ((sub.chunks ~= nil and 1 < sub.chunks) and (sub.chunks ~= nil and sub.chunks <= K.FEW_CHUNKS))) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both))]],
      "why sub conn",
    },
    does = {
      [[few_chunks.chained = ((few_chunks.times ~= nil and few_chunks.times > 0) and ((few_chunks.latest_t ~= nil and sub.t ~= nil and few_chunks.latest_t <= (sub.t + 0)) and (sub.t ~= nil and few_chunks.latest_t ~= nil and (sub.t - few_chunks.latest_t) <= 2000000000.0))); few_chunks.second_n = f.choose(few_chunks.chained, f.coalesce(few_chunks.second_n, sub.n), nil); few_chunks.first_n = f.choose(few_chunks.chained, few_chunks.first_n, sub.n); few_chunks.times = f.choose(few_chunks.chained, (few_chunks.times ~= nil and (few_chunks.times + 1) or nil), 1); few_chunks.latest_t = t]],
      "few_chunks sub t",
    },
  },
  {
    on = "end:sub",
    when = {
      [[((why ~= nil and not LISTS[5][why]) and ((sub.born ~= nil and not sub.born) or (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch ~= conn.epoch) or (conn.both ~= nil and not conn.both)))]],
      "why sub conn",
    },
    does = { [[few_chunks.times = 0]], "few_chunks" },
  },
  {
    on = "subscribe_response declare_publisher_response",
    guard = 1,
    does = { [[conn.holds = (f.coalesce(conn.holds, 0) + 1)]], "conn" },
  },
  {
    on = "unsubscribe_response delete_publisher_response",
    guard = 1,
    does = {
      [[conn.holds = (conn.holds ~= nil and (conn.holds - 1) or nil); conn.freed_n = req.n; conn.freed_t = t]],
      "conn req t",
    },
  },
  { on = "end:conn", does = { [[freed.all = (f.coalesce(freed.all, 0) + 1)]], "freed" } },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[9][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[freed.ended = (f.coalesce(freed.ended, 0) + 1)]], "freed" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.holds == 0) and (conn.freed_t ~= nil and (t - conn.freed_t) > K.IDLE) and (C.close_n == nil)) and LISTS[9][why] and (conn.start and conn.whole and conn.both))]],
      "conn t C why",
    },
    does = {
      [[freed.left = (f.coalesce(freed.left, 0) + 1); freed.latest_n = conn.freed_n; freed.first_n = f.coalesce(freed.first_n, conn.freed_n)]],
      "freed conn",
    },
  },
  {
    on = "consumer_update metadata_update publish_error",
    does = { [[S.sign = name; S.sign_n = n]], "S name n" },
  },
  { on = "any:coded", guard = 10, does = { [[S.sign = name; S.sign_n = n]], "S name n" } },
  {
    on = "client:tcp.close client:tcp.reset",
    when = {
      [[((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (conn.close_n == nil) and (f.coalesce(conn.first_fin, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.first_fin, C.side) == C.side))]],
      "S t conn C",
    },
    does = {
      [[gone.chained = ((gone.times ~= nil and gone.times > 0) and ((gone.latest_t ~= nil and (t - gone.latest_t) <= K.GONE_PAUSE) and (gone.same ~= nil and S.sign ~= nil and gone.same == S.sign))); gone.second_n = f.choose(gone.chained, f.coalesce(gone.second_n, S.sign_n), nil); gone.first_n = f.choose(gone.chained, gone.first_n, S.sign_n); gone.times = f.choose(gone.chained, (gone.times ~= nil and (gone.times + 1) or nil), 1); gone.latest_t = t; gone.same = S.sign]],
      "gone t S",
    },
  },
  {
    on = "subscribe",
    each = "sub",
    when = {
      [[((sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream) and (sub.state == "live") and (c.subscription_id ~= nil and sub.sid ~= nil and c.subscription_id ~= sub.sid))]],
      "c sub",
    },
    does = { [[conn.twin_n = n]], "conn n" },
  },
  {
    on = "store_offset",
    each = "sub",
    when = {
      [[((sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream) and (sub.chunks ~= nil and sub.chunks > 0) and (c.offset ~= nil and sub.next ~= nil and c.offset > sub.next) and (sub.beyond_n == nil))]],
      "c sub",
    },
    does = { [[sub.beyond_n = n; sub.beyond = c.offset; sub.beyond_next = sub.next]], "c sub n" },
  },
  {
    on = "store_offset",
    each = "sub",
    when = {
      [[((sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream) and (sub.chunks ~= nil and sub.chunks > 0) and (c.offset ~= nil and f.max(sub.first_chunk, f.choose((sub.offset_type == 4), sub.wanted, 0)) ~= nil and (c.offset + 1) < f.max(sub.first_chunk, f.choose((sub.offset_type == 4), sub.wanted, 0))))]],
      "c sub",
    },
    does = {
      [[sub.below = (f.coalesce(sub.below, 0) + 1); sub.below_at = c.offset; sub.below_n = n]],
      "c sub n",
    },
  },
  {
    on = "credit",
    guard = 11,
    when = {
      [[((sub.initial ~= nil and sub.initial > 1) and (sub.balance ~= nil and c.credit ~= nil and sub.balance <= c.credit))]],
      "c sub",
    },
    does = {
      [[sub.drained_second_n = f.choose((sub.drained_count == 1), n, sub.drained_second_n); sub.drained_count = (f.coalesce(sub.drained_count, 0) + 1); sub.drained_latest_n = n]],
      "sub n",
    },
  },
  {
    on = "credit",
    does = { [[sub.drained_among = (f.coalesce(sub.drained_among, 0) + 1)]], "sub" },
  },
  {
    on = "declare_publisher_response",
    guard = 1,
    does = { [[there.written = f.put(there.written, req.stream); there.written_n = req.n]], "there req" },
  },
  {
    on = "subscribe_response",
    guard = 1,
    does = { [[there.read = f.put(there.read, req.stream)]], "there req" },
  },
  {
    on = "client:any:request client:publish client:credit client:store_offset",
    when = {
      [[(((S.close_n ~= nil) and (name ~= "close")) and (S.close_t ~= nil and (t - S.close_t) > 500000000))]],
      "S name t",
    },
    does = { [[conn.after_close_times = (f.coalesce(conn.after_close_times, 0) + 1)]], "conn" },
  },
  {
    on = "consumer_update",
    guard = 8,
    when = { [[(sub.reference ~= nil)]], "sub" },
    does = {
      [[turns.chained = ((turns.times ~= nil and turns.times > 0) and (turns.latest_t ~= nil and (t - turns.latest_t) <= K.TURNS_PAUSE)); turns.second_n = f.choose(turns.chained, f.coalesce(turns.second_n, n), nil); turns.first_n = f.choose(turns.chained, turns.first_n, n); turns.times = f.choose(turns.chained, (turns.times ~= nil and (turns.times + 1) or nil), 1); turns.latest_t = t]],
      "turns t n",
    },
  },
  {
    on = "end:sub",
    when = {
      [[(LISTS[7][why] and (C.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (S.close_n ~= nil)) and (sub.used_by_n ~= nil))]],
      "why C conn S sub",
    },
    does = {
      [[lapsed.since_t = t; lapsed.sub_n = sub.n; lapsed.got_n = sub.deliver_n; lapsed.stream = sub.stream; lapsed.host = conn.vhost; lapsed.next = sub.next]],
      "lapsed t sub conn",
    },
  },
  { on = "subscribe", does = { [[lapsed.since_t = nil]], "lapsed" } },
  {
    on = "deliver",
    when = { [[(sub.chunks == 1)]], "sub" },
    does = {
      [[sub.first_age = (c["chunk.timestamp"] ~= nil and (t - (c["chunk.timestamp"] * 1000000)) or nil)]],
      "c sub t",
    },
  },
  {
    on = "subscribe_response",
    guard = 1,
    when = { [[(group.leader_flow == nil)]], "group" },
    does = {
      [[group.vacant_t = f.coalesce(group.vacant_t, t); group.vacant_n = f.coalesce(group.vacant_n, req.n)]],
      "group t req",
    },
  },
  {
    on = "consumer_update",
    guard = 8,
    does = {
      [[group.leader_flow = flow; group.leader_sid = sub.id; group.vacant_t = nil; group.led_n = n]],
      "group flow sub n",
    },
  },
  {
    on = "consumer_update",
    guard = 28,
    when = {
      [[((group.leader_flow ~= nil and flow ~= nil and group.leader_flow == flow) and (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid == sub.id))]],
      "group flow sub",
    },
    does = { [[group.vacant_t = t; group.vacant_n = n; group.leader_flow = -1]], "group t n" },
  },
  {
    on = "end:sub",
    when = {
      [[((group.leader_flow ~= nil and flow ~= nil and group.leader_flow == flow) and (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid == sub.id))]],
      "group flow sub",
    },
    does = { [[group.vacant_t = t; group.vacant_n = sub.last_n; group.leader_flow = -1]], "group t sub" },
  },
  {
    on = "query_offset_response",
    guard = 29,
    does = {
      [[place.several = ((place.reference ~= nil and req.reference ~= nil and place.reference ~= req.reference) and 1 or place.several); place.found = f.choose((c.response_code == 1), c.offset, -1); place.reference = req.reference; place.asked_n = req.n; place.answered_t = t]],
      "c place req t",
    },
  },
  { on = "store_offset", does = { [[place.answered_t = nil]], "place" } },
  {
    on = "deliver",
    when = { [[(sub.chunks == 1)]], "sub" },
    does = { [[place.read_n = n]], "place n" },
  },
  {
    on = "query_publisher_sequence_response",
    guard = 1,
    does = {
      [[numbering.asked = f.put(numbering.asked, req.publisher_reference); numbering.sequence = c.sequence; numbering.reference = req.publisher_reference; numbering.asked_n = req.n; numbering.answered_t = t]],
      "c numbering req t",
    },
  },
  {
    on = "publish",
    when = {
      [[((pub.publish_n == nil) and (numbering.reference ~= nil and pub.reference ~= nil and numbering.reference == pub.reference) and (numbering.answered_t ~= nil and pub.t ~= nil and numbering.answered_t >= pub.t))]],
      "pub numbering",
    },
    does = { [[pub.stored = f.max(f.coalesce(pub.stored, 0), numbering.sequence)]], "pub numbering" },
  },
  {
    on = "subscribe_response",
    guard = 1,
    does = {
      [[members.single = (((sub.single == "true") and 1 or 0) ~= nil and (f.coalesce(members.single, 0) + ((sub.single == "true") and 1 or 0)) or nil); members.plain = (((sub.single == "true") and 0 or 1) ~= nil and (f.coalesce(members.plain, 0) + ((sub.single == "true") and 0 or 1)) or nil); members.latest_n = req.n; sub.member_n = req.n]],
      "members sub req",
    },
  },
  {
    on = "end:sub",
    when = { [[(sub.member_n ~= nil)]], "sub" },
    does = {
      [[members.single = (members.single ~= nil and ((sub.single == "true") and 1 or 0) ~= nil and (members.single - ((sub.single == "true") and 1 or 0)) or nil); members.plain = (members.plain ~= nil and ((sub.single == "true") and 0 or 1) ~= nil and (members.plain - ((sub.single == "true") and 0 or 1)) or nil)]],
      "members sub",
    },
  },
  {
    on = "store_offset",
    each = "sub",
    when = {
      [[((sub.stream ~= nil and c.stream ~= nil and sub.stream == c.stream) and ((f.len(sub.reference) or 0) > 0))]],
      "c sub",
    },
    does = {
      [[sub.own_n = f.choose((sub.reference ~= nil and c.reference ~= nil and sub.reference == c.reference), n, sub.own_n); sub.misnamed_n = f.choose((sub.reference ~= nil and c.reference ~= nil and sub.reference == c.reference), sub.misnamed_n, n); sub.misnamed = f.choose((sub.reference ~= nil and c.reference ~= nil and sub.reference == c.reference), sub.misnamed, c.reference)]],
      "c sub n",
    },
  },
  {
    on = "subscribe",
    when = { [[(sub.state ~= nil and sub.state ~= "live")]], "sub" },
    does = { [[sub.part_of = section.of]], "sub section" },
  },
  {
    on = "declare_publisher_response subscribe_response",
    guard = 1,
    does = { [[whole.live = (f.coalesce(whole.live, 0) + 1); whole.latest_n = req.n]], "whole req" },
  },
  {
    on = "end:pub",
    when = { [[(pub.used_by_n ~= nil)]], "pub" },
    does = { [[whole.live = (whole.live ~= nil and (whole.live - 1) or nil)]], "whole" },
  },
  {
    on = "end:sub",
    when = { [[(sub.used_by_n ~= nil)]], "sub" },
    does = { [[whole.live = (whole.live ~= nil and (whole.live - 1) or nil)]], "whole" },
  },
  {
    on = "end:pub",
    when = { [[((f.coalesce(pub.filtered, 0) or 0) > 0)]], "pub" },
    does = {
      [[sifted.filtered = (pub.filtered ~= nil and (f.coalesce(sifted.filtered, 0) + pub.filtered) or nil)]],
      "sifted pub",
    },
  },
  {
    on = "end:pub",
    when = { [[(f.coalesce(pub.filtered, 0) == 0)]], "pub" },
    does = {
      [[sifted.bare = (pub.confirmed ~= nil and pub.refused ~= nil and (((f.coalesce(sifted.bare, 0) + pub.confirmed) + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) or nil); sifted.bare_n = pub.publish_n; sifted.stream = pub.stream]],
      "sifted pub",
    },
  },
  {
    on = "end:sub",
    does = { [[sifted.read_n = sub.n; sifted.filter = sub.filter]], "sifted sub" },
  },
  {
    on = "exchange_command_versions_response",
    items = "commands",
    does = { [[conn.listed = f.put(conn.listed, c["commands.key"])]], "c conn" },
  },
  { on = "tcp.gap tcp.resync", does = { [[captures.are_partial = 1]], "captures" } },
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
    name = "step",
    of = "conn",
    on = "tcp.open peer_properties_response sasl_handshake_response tune",
    clear = "client:any tcp.close tcp.reset",
    again = true,
    limit = { [[K.HANDSHAKE_STEP]] },
  },
  {
    name = "silence",
    of = "me",
    on = "any",
    clear = "close tcp.close tcp.reset",
    again = true,
    limit = {
      [[(conn.heartbeat ~= nil and ((conn.heartbeat * K.SILENT_INTERVALS) * 1000000000.0) or nil)]],
      "conn",
    },
    when = { [[(conn.heartbeat ~= nil and conn.heartbeat > 0)]], "conn" },
  },
  {
    name = "deaf",
    of = "me",
    on = "any",
    clear = "close tcp.close tcp.reset",
    again = true,
    limit = { [[(conn.heartbeat ~= nil and (conn.heartbeat * 3500000000.0) or nil)]], "conn" },
    when = { [[(conn.heartbeat ~= nil and conn.heartbeat > 0)]], "conn" },
  },
  {
    name = "starve",
    of = "sub",
    on = "deliver",
    clear = "credit unsubscribe unsubscribe_response metadata_update close",
    limit = { [[K.STARVING]] },
    when = { [[(sub.balance ~= nil and sub.balance <= 0)]], "sub" },
  },
  {
    name = "hold",
    of = "sub",
    on = "credit",
    clear = "deliver unsubscribe metadata_update close",
    limit = { [[K.HELD_BACK]] },
    when = {
      [[((sub.balance ~= nil and 0 < sub.balance) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance <= math.floor(sub.initial / 2)))]],
      "sub",
    },
  },
  {
    name = "held",
    of = "sub",
    on = "deliver",
    clear = "credit unsubscribe metadata_update close",
    again = true,
    limit = { [[K.STARVING]] },
    when = {
      [[((sub.balance ~= nil and 0 < sub.balance) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance <= math.floor(sub.initial / 2)))]],
      "sub",
    },
  },
  {
    name = "never",
    of = "sub",
    on = "subscribe_response",
    clear = "credit unsubscribe metadata_update close",
    limit = { [[K.STARVING]] },
    when = { [[(sub.balance == 0)]], "sub" },
  },
  {
    name = "nothing",
    of = "sub",
    on = "subscribe_response",
    clear = "deliver unsubscribe metadata_update close",
    limit = { [[K.STARVING]] },
    when = {
      [[((c.response_code == 1) and (sub.balance ~= nil and sub.balance > 0) and (sub.offset_type == 4))]],
      "c sub",
    },
  },
}

local BURSTS = {
  {
    name = "missing",
    on = "metadata_response",
    window = 10000000000,
    limit = 4,
    key = { [[f.key(f.key(client, server), f.first(c["streams.stream_name[]"]))]], "c client server" },
    guard = 30,
  },
  {
    name = "idle",
    on = "tcp.close tcp.reset",
    window = 10000000000,
    limit = 8,
    key = { [[f.key(client, server)]], "client server" },
    fixed = { [[(sender == "client")]], "sender" },
    when = {
      [[((conn.gone == 1) and (conn.used_n == nil) and LISTS[13][conn.state] and conn.start and conn.whole and conn.both)]],
      "conn",
    },
  },
  {
    name = "few_idle",
    on = "tcp.close tcp.reset",
    window = 10000000000,
    limit = 6,
    key = { [[f.key(client, server)]], "client server" },
    fixed = { [[(sender == "client")]], "sender" },
    when = {
      [[((conn.gone == 1) and (conn.used_n == nil) and LISTS[13][conn.state] and conn.start and conn.whole and conn.both)]],
      "conn",
    },
  },
}

local RULES = {
  {
    id = "RMQ-F1",
    name = "rmq_f1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Frame with 4 bytes too many: size field counts itself",
    problem = { trailing = true },
    needs = {},
    of = "conn",
    fixed = {
      [[((not LISTS[14][name]) and ((sender ~= nil and sender ~= "client") or (not LISTS[15][name])))]],
      "name sender",
    },
    when = { [[(problem_length == 4)]], "problem_length" },
    says = { [[f.say("%s has 4 bytes after its last field, the length of the size field", name)]], "name" },
    cause = "The sender counts the size field itself, so that the frame includes the size of the next one; or it writes a 4-byte field that the command does not have.",
  },
  {
    id = "RMQ-F1b",
    name = "rmq_f1b",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Bytes outside any frame of the stream protocol",
    on = "tcp.resync",
    evidence = { [[f.first_known(me.last_n)]], "me" },
    needs = { "start" },
    of = "conn",
    guard = 31,
    when = {
      [[((conn.state ~= nil and not LISTS[16][conn.state]) and (me.last_n ~= nil) and conn.whole)]],
      "conn me",
    },
    says = {
      [[f.say("no frame starts after frame %s: %s skipped", me.last_n, f.counted(c.skipped, "byte", "bytes"))]],
      "c me",
    },
    cause = "The size of that frame is wrong, or the bytes after it are no frame.",
  },
  {
    id = "RMQ-F2",
    name = "rmq_f2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Frame too short for a key and a version",
    problem = { length = true },
    needs = {},
    of = "conn",
    says = {
      [[f.say("the frame size of %s leaves no room for a key and a version", (size ~= nil and (size - 4) or nil))]],
      "size",
    },
    by = { [[size]], "size" },
    causes = { [4] = "The sender writes an empty frame; old brokers crash on it." },
  },
  {
    id = "RMQ-F3",
    name = "rmq_f3",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Trailing bytes after the last field",
    problem = { trailing = true },
    needs = {},
    of = "conn",
    guard = 32,
    fixed = {
      [[((not LISTS[14][name]) and ((sender ~= nil and sender ~= "client") or (not LISTS[15][name])))]],
      "name sender",
    },
    when = { [[(problem_length ~= nil and problem_length ~= 4)]], "problem_length" },
    says = {
      [[f.say("%s has %s after its last field", name, f.counted(problem_length, "byte", "bytes"))]],
      "name problem_length",
    },
    cause = "The sender writes a field that the command does not have, or miscounts.",
  },
  {
    id = "RMQ-F4",
    name = "rmq_f4",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Field longer than the rest of the frame",
    problem = { nofit = true, short = true },
    needs = {},
    of = "conn",
    guard = 32,
    fixed = {
      [[((not LISTS[14][name]) and ((sender ~= nil and sender ~= "client") or (not LISTS[15][name])))]],
      "name sender",
    },
    says = {
      [[f.say("%s of %s is longer than the rest of the frame", problem_field, name)]],
      "problem_field name",
    },
    cause = "The length of a string, of bytes or of a list is wrong, or fields are missing.",
  },
  {
    id = "RMQ-F5",
    name = "rmq_f5",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Unknown command key",
    problem = { unknown_key = true },
    needs = {},
    of = "conn",
    fixed = { [[(key ~= nil and key ~= 23)]], "key" },
    says = { [[f.say("no command up to RabbitMQ 4.3 has the key %s", key)]], "key" },
    cause = "The command belongs to a newer release, or to another protocol.",
    by = { [[((key ~= nil and (math.floor(key / 256) * 256) == key) and "swapped" or "other")]], "key" },
    causes = { swapped = "The key is written in little-endian byte order." },
  },
  {
    id = "RMQ-F6",
    name = "rmq_f6",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Unknown command version",
    problem = { unknown_version = true },
    needs = {},
    of = "conn",
    says = { [[f.say("key %s has no version %s up to RabbitMQ 4.3", key, version)]], "key version" },
    cause = "Each command has its own versions: the sender writes the version of another command, or runs a newer release.",
  },
  {
    id = "RMQ-F7",
    name = "rmq_f7",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Heartbeat with a body or the response bit",
    problem = { trailing = true, unknown_key = true },
    needs = {},
    of = "conn",
    when = {
      [[(((problem == "unknown_key") and (key == 23)) or (name == "heartbeat"))]],
      "problem key name",
    },
    says = {
      [[f.say("Heartbeat has %s", ((problem == "unknown_key") and "the response bit set" or "a body"))]],
      "problem",
    },
    cause = "A Heartbeat is not answered: each peer sends its own.",
  },
  {
    id = "RMQ-F8",
    name = "rmq_f8",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Command sent in the wrong direction of the stream protocol",
    on = "client:publish_confirm client:publish_error client:deliver client:metadata_update client:consumer_update server:declare_publisher server:publish server:query_publisher_sequence server:delete_publisher server:subscribe server:credit server:store_offset server:query_offset server:unsubscribe server:create server:delete server:metadata server:route server:partitions server:stream_stats server:create_super_stream server:delete_super_stream server:resolve_offset_spec server:open server:sasl_handshake",
    needs = { "start" },
    of = "conn",
    says = { [[f.say("the %s sent %s, which only the other peer sends", sender, name)]], "sender name" },
    cause = "The sender uses the key of a command for the other direction.",
  },
  {
    id = "RMQ-F9",
    name = "rmq_f9",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Response bit set in a client's request",
    on = "client:declare_publisher_response client:query_publisher_sequence_response client:delete_publisher_response client:subscribe_response client:query_offset_response client:unsubscribe_response client:create_response client:delete_response client:metadata_response client:peer_properties_response client:sasl_handshake_response client:sasl_authenticate_response client:open_response client:route_response client:partitions_response client:exchange_command_versions_response client:stream_stats_response client:create_super_stream_response client:delete_super_stream_response client:resolve_offset_spec_response client:credit_response",
    needs = { "start" },
    of = "conn",
    says = { [[f.say("the client sent %s, which only servers send", name)]], "name" },
    cause = "The client sets the response bit in a request.",
  },
  {
    id = "RMQ-F10",
    name = "rmq_f10",
    severity = "WARN",
    group = "MALFORMED",
    title = "List count mismatch",
    problem = { count = true },
    needs = {},
    of = "conn",
    guard = 32,
    fixed = { [[(name ~= "deliver")]], "name" },
    says = {
      [[f.say("the count of %s in %s is not the number of its items", problem_field, name)]],
      "problem_field name",
    },
    cause = "Brokers ignore the count and read to the end of the frame.",
  },
  {
    id = "RMQ-P1",
    name = "rmq_p1",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Bytes of another protocol instead of the stream protocol",
    problem = { foreign = true },
    needs = { "both" },
    of = "conn",
    again = true,
    says = {
      [[f.say("the %s does not speak the stream protocol: %s", sender, f.whole(problem_text))]],
      "sender problem_text",
    },
    by = {
      [[(f.starts(problem_text, "these bytes are TLS") and "tls" or ((f.starts(problem_text, "these bytes are AMQP") and (sender == "server")) and "amqp" or "other"))]],
      "problem_text sender",
    },
    causes = { tls = "TLS is sent to a port without TLS.", amqp = "The client connected to the AMQP port." },
  },
  {
    id = "RMQ-P2",
    name = "rmq_p2",
    severity = "NOTE",
    group = "SECURITY",
    title = "SASL password without TLS",
    on = "sasl_authenticate",
    needs = {},
    of = "conn",
    again = true,
    guard = 33,
    when = { [[(conn.encrypted ~= nil and not conn.encrypted)]], "conn" },
    says = { [[f.say("%s sent the password to %s without TLS", c.mechanism, server)]], "c server" },
    cause = "The connection does not use TLS.",
  },
  {
    id = "RMQ-N1",
    name = "rmq_n1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Handshake command too early",
    on = "peer_properties sasl_handshake sasl_authenticate open",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((name == "peer_properties") and (conn.state ~= nil and not LISTS[19][conn.state])) or ((name == "sasl_handshake") and (conn.state ~= nil and not LISTS[20][conn.state])) or ((name == "sasl_authenticate") and (conn.state ~= nil and not LISTS[21][conn.state])) or ((name == "open") and (conn.state ~= nil and not LISTS[22][conn.state])))]],
      "name conn",
    },
    says = {
      [[f.say("%s was sent too early: the handshake is in state '%s'", name, conn.state)]],
      "name conn",
    },
    cause = "The client skips a step, or does not wait for the answer to the previous one.",
  },
  {
    id = "RMQ-N2",
    name = "rmq_n2",
    severity = "ERROR",
    group = "SECURITY",
    title = "SASL mechanism that the broker does not offer",
    on = "sasl_authenticate",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[(c.mechanism ~= nil and conn.mechanisms ~= nil and not f.one_of(c.mechanism, conn.mechanisms))]],
      "c conn",
    },
    says = {
      [[f.say("the client authenticates with %s; the broker offers %s", c.mechanism, conn.mechanisms)]],
      "c conn",
    },
    cause = "The mechanism is fixed in the client, or not enabled in the broker.",
  },
  {
    id = "RMQ-N3",
    name = "rmq_n3",
    severity = "ERROR",
    group = "SECURITY",
    title = "Command instead of the answer to a SASL challenge",
    on = "client:any",
    since = { [[f.since(conn, n, conn.challenged_n)]], "conn n" },
    needs = { "since" },
    of = "conn",
    when = {
      [[(((conn.challenged_n ~= nil) and (not LISTS[23][name])) or ((name == "sasl_authenticate") and (conn.challenged_n ~= nil) and (c.mechanism ~= nil and conn.mechanism ~= nil and c.mechanism ~= conn.mechanism)))]],
      "c conn name",
    },
    says = {
      [[f.say("%s was sent while the broker's challenge in frame %s waits for an answer", name, conn.challenged_n)]],
      "name conn",
    },
    cause = "Code 10 asks for another SaslAuthenticate with the same mechanism.",
  },
  {
    id = "RMQ-N3b",
    name = "rmq_n3b",
    severity = "ERROR",
    group = "SECURITY",
    title = "Connection closed during a SASL challenge",
    on = "client:tcp.close client:tcp.reset server:tcp.close",
    evidence = { [[f.first_known(conn.challenged_n)]], "conn" },
    since = { [[f.since(conn, conn.challenged_n)]], "conn" },
    needs = { "since", "both" },
    of = "conn",
    when = { [[(conn.challenged_n ~= nil)]], "conn" },
    says = { [[f.say("the connection was closed while the broker's challenge waited for an answer")]] },
    cause = "Code 10 asks for another SaslAuthenticate with the same mechanism.",
  },
  {
    id = "RMQ-N4",
    name = "rmq_n4",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Command before the Open response",
    on = "declare_publisher publish query_publisher_sequence delete_publisher subscribe credit store_offset query_offset unsubscribe create delete metadata route partitions stream_stats create_super_stream delete_super_stream resolve_offset_spec",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [=[LISTS[24][conn.state]]=], "conn" },
    says = { [[f.say("%s was sent before Open was answered", name)]], "name" },
    cause = "The client does not wait for the end of the handshake.",
  },
  {
    id = "RMQ-N1b",
    name = "rmq_n1b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Handshake steps skipped",
    on = "declare_publisher publish query_publisher_sequence delete_publisher subscribe credit store_offset query_offset unsubscribe create delete metadata route partitions stream_stats create_super_stream delete_super_stream resolve_offset_spec",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [=[LISTS[25][conn.state]]=], "conn" },
    says = {
      [[f.say("%s was sent although the handshake is only in state '%s'", name, conn.state)]],
      "name conn",
    },
    cause = "The client does not follow the order of the handshake.",
  },
  {
    id = "RMQ-N5",
    name = "rmq_n5",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Slow handshake step",
    on = "timer:step",
    evidence = { [[f.first_known(f.coalesce(S.last_n, C.last_n))]], "S C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[(LISTS[26][conn.state] and (conn.fin_t == nil))]], "conn" },
    says = {
      [[f.say("the client has not continued the handshake for %s; brokers close the connection after 10 s", f.time(K.HANDSHAKE_STEP))]],
    },
    by = { [[conn.state]], "conn" },
    causes = { offered = "The client's source of credentials is slow, or prompts a person." },
  },
  {
    id = "RMQ-N5b",
    name = "rmq_n5b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Handshake that the client does not continue",
    on = "end:conn",
    evidence = { [[f.first_known(S.last_n)]], "S" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(LISTS[27][conn.state] and (S.last_t ~= nil and (t - S.last_t) > K.SLOW_ANSWER) and ((why == "end") or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)))]],
      "conn S t why C",
    },
    says = {
      [[f.say("the client has not continued the handshake for %s, in state '%s'", f.time((S.last_t ~= nil and (t - S.last_t) or nil)), conn.state)]],
      "S t conn",
    },
    cause = "The client has not understood the last answer, or is blocked.",
  },
  {
    id = "RMQ-N16",
    name = "rmq_n16",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered request of the handshake",
    on = "unanswered:peer_properties unanswered:sasl_handshake unanswered:sasl_authenticate unanswered:open",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((LISTS[7][why] and (conn.close_n == nil) and ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) or (req.t ~= nil and (t - req.t) > K.SLOW_ANSWER))) or (req.t ~= nil and (t - req.t) > K.UNANSWERED))]],
      "why conn S req t",
    },
    says = {
      [[f.say("%s was not answered for %s; %s", req.asked, f.time((req.t ~= nil and (t - req.t) or nil)), ((why == "end") and "the captures end then" or ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and "the broker then closed the connection" or "the client then gave up")))]],
      "req t why conn S",
    },
    cause = "The broker is overloaded or waits for its authentication backend, or a proxy before it has no broker to connect to.",
  },
  {
    id = "RMQ-N16b",
    name = "rmq_n16b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request of the handshake not answered yet when the captures end",
    on = "unanswered:peer_properties unanswered:sasl_handshake unanswered:sasl_authenticate unanswered:open",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((why == "end") and ((req.t ~= nil and K.SLOW_ANSWER < (t - req.t)) and (req.t ~= nil and (t - req.t) <= K.UNANSWERED)))]],
      "why req t",
    },
    says = {
      [[f.say("%s was not answered for %s; %s", req.asked, f.time((req.t ~= nil and (t - req.t) or nil)), ((why == "end") and "the captures end then" or ((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and "the broker then closed the connection" or "the client then gave up")))]],
      "req t why conn S",
    },
    cause = "The broker is overloaded or waits for its authentication backend, or a proxy before it has no broker to connect to.",
  },
  {
    id = "RMQ-N6",
    name = "rmq_n6",
    severity = "ERROR",
    group = "SECURITY",
    title = "Authentication or Open refused",
    on = "sasl_authenticate_response open_response",
    needs = {},
    of = "shut_out",
    guard = 3,
    says = {
      [[f.say("the broker refused with %s in %s", f.named(c.response_code, names.response_code), name)]],
      "c name",
    },
    cause = "It is a note if the broker accepts a later Open of the client.",
    by = { [[c.response_code]], "c" },
    causes = {
      [7] = "The mechanism is not enabled in the broker.",
      [8] = "The user does not exist, or the password or token is wrong; brokers of 4.x answer only after 3 s.",
      [9] = "The client's message is not what the mechanism requires.",
      [11] = "The user (such as guest) may only log in from the broker's own host.",
      [12] = "The virtual host does not exist, or the user has no access to it.",
    },
  },
  {
    id = "RMQ-N7",
    name = "rmq_n7",
    severity = "ERROR",
    group = "SECURITY",
    title = "Authentication renewal refused",
    on = "sasl_authenticate_response",
    needs = {},
    of = "conn",
    guard = 34,
    says = {
      [[f.say("the broker refused to renew the authentication: %s", f.named(c.response_code, names.response_code))]],
      "c",
    },
    by = { [[c.response_code]], "c" },
    causes = {
      [20] = "The client authenticates again with another mechanism than before.",
      [21] = "The client authenticates again as another user.",
    },
  },
  {
    id = "RMQ-N8",
    name = "rmq_n8",
    severity = "CHAT",
    group = "ASSUMPTION",
    title = "Connection without a name",
    on = "open",
    needs = {},
    of = "conn",
    again = true,
    when = { [[((conn.client_product ~= nil) and (conn.client_name == nil))]], "conn" },
    says = { [[f.say("%s does not name the connection", conn.client_product)]], "conn" },
    cause = "The peer properties lack `connection_name`.",
  },
  {
    id = "RMQ-T1",
    name = "rmq_t1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Missing Tune response",
    on = "open",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[((conn.state == "tuning") and (C.tune_n == nil))]], "conn C" },
    says = { [[f.say("Open was sent, but Tune in frame %s was not answered", S.tune_n)]], "S" },
    cause = "Tune is a request of the broker, which the client must answer before it sends Open.",
  },
  {
    id = "RMQ-T1b",
    name = "rmq_t1b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Second Tune response",
    on = "client:tune_response",
    needs = {},
    of = "conn",
    when = { [[(C.tune_n ~= nil)]], "C" },
    says = { [[f.say("the client answered Tune again; its first answer is frame %s", C.tune_n)]], "C" },
  },
  {
    id = "RMQ-T2",
    name = "rmq_t2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Frame_max above the broker's offer",
    on = "tune_response",
    needs = {},
    of = "conn",
    when = {
      [[(((S.frame_max ~= nil and 0 < S.frame_max) and (S.frame_max ~= nil and c.frame_max ~= nil and S.frame_max < c.frame_max)) and (size == 16))]],
      "c S size",
    },
    says = {
      [[f.say("the client's frame_max is %s bytes, the broker offered %s", c.frame_max, S.frame_max)]],
      "c S",
    },
    cause = "The client answers with its own setting instead of the smaller of the two.",
  },
  {
    id = "RMQ-T3",
    name = "rmq_t3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Frame larger than the negotiated frame_max",
    on = "client:any",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[((conn.frame_max ~= nil and 0 < conn.frame_max) and (conn.frame_max ~= nil and size ~= nil and conn.frame_max < (size - 4)))]],
      "conn size",
    },
    says = {
      [[f.say("%s has %s bytes; the negotiated frame_max is %s", name, size, conn.frame_max)]],
      "name size conn",
    },
    cause = "A batch or message is larger than a frame may be, and is not split.",
  },
  {
    id = "RMQ-T4",
    name = "rmq_t4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Large frame before Open",
    on = "client:any",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[((size ~= nil and (size - 4) > 8192) and LISTS[24][conn.state])]], "size conn" },
    says = {
      [[f.say("%s has %s bytes; brokers from 4.3.5 on accept 8192 before Open", name, size)]],
      "name size",
    },
    by = { [[name]], "name" },
    causes = {
      peer_properties = "The client sends many peer properties.",
      sasl_authenticate = "The token is large.",
    },
  },
  {
    id = "RMQ-T5",
    name = "rmq_t5",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Unusual heartbeat interval",
    on = "tune_response",
    needs = {},
    of = "conn",
    guard = 35,
    when = { [[(size == 16)]], "size" },
    says = { [[f.say("the client requests a heartbeat interval of %s s", c.heartbeat)]], "c" },
    by = { [[((c.heartbeat ~= nil and c.heartbeat > 3600) and "long" or "short")]], "c" },
    causes = { long = "The value may be meant in milliseconds; its unit is seconds." },
  },
  {
    id = "RMQ-T6",
    name = "rmq_t6",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Chunk larger than the negotiated frame_max",
    on = "deliver",
    needs = {},
    of = "conn",
    when = {
      [[((conn.frame_max ~= nil and 0 < conn.frame_max) and (conn.frame_max ~= nil and size ~= nil and conn.frame_max < (size - 4)))]],
      "conn size",
    },
    says = {
      [[f.say("Deliver has %s bytes; the negotiated frame_max is %s, but chunks are not split", size, conn.frame_max)]],
      "size conn",
    },
    cause = "Only a client that rejects such frames is at fault.",
  },
  {
    id = "RMQ-T7",
    name = "rmq_t7",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Tune with the header of a request or response",
    problem = { short = true, trailing = true },
    needs = {},
    of = "conn",
    fixed = { [=[LISTS[29][name]]=], "name" },
    says = {
      [[f.say("%s has %s bytes, but two numbers and nothing else make 16", name, size)]],
      "name size",
    },
    by = { [[(size ~= nil and (size - 16) or nil)]], "size" },
    causes = {
      [4] = "The sender writes a correlation id, as in requests.",
      [6] = "The sender writes a correlation id and a response code, as in other responses.",
    },
  },
  {
    id = "RMQ-V1",
    name = "rmq_v1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "ExchangeCommandVersions before the Open response",
    on = "exchange_command_versions",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [=[LISTS[24][conn.state]]=], "conn" },
    says = { [[f.say("ExchangeCommandVersions was sent before Open was answered")]] },
    cause = "The client treats it as a handshake step; brokers accept it only after Open.",
  },
  {
    id = "RMQ-V2",
    name = "rmq_v2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Unknown command listed in ExchangeCommandVersions",
    on = "exchange_command_versions",
    needs = {},
    of = "conn",
    again = true,
    when = {
      [[(f.any_above(c["commands.key[]"], f.lookup(f.release(conn.broker_version), K.LAST_KEY)) and ((f.release(conn.broker_version) or 3010999) >= 3011000))]],
      "c conn",
    },
    says = {
      [[f.say("the client lists keys up to %s; RabbitMQ %s does not know keys above %s", f.greatest(c["commands.key[]"]), conn.broker_version, f.lookup(f.release(conn.broker_version), K.LAST_KEY))]],
      "c conn",
    },
    cause = "The client is newer than the broker, which then closes the connection.",
  },
  {
    id = "RMQ-V3",
    name = "rmq_v3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "ExchangeCommandVersions to a broker before 3.11",
    on = "exchange_command_versions",
    needs = {},
    of = "conn",
    again = true,
    when = { [[((f.release(conn.broker_version) or 3011000) < 3011000)]], "conn" },
    says = {
      [[f.say("RabbitMQ %s does not know ExchangeCommandVersions (3.11)", conn.broker_version)]],
      "conn",
    },
    cause = "The client does not check the broker's version first.",
  },
  {
    id = "RMQ-V4",
    name = "rmq_v4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Maximum version of Deliver above 2",
    on = "exchange_command_versions_response",
    needs = {},
    of = "conn",
    when = { [[(C.deliver_max ~= nil and C.deliver_max > 2)]], "C" },
    says = {
      [[f.say("the client lists Deliver up to version %s; it receives version 2 only if the maximum is exactly 2", C.deliver_max)]],
      "C",
    },
  },
  {
    id = "RMQ-V5",
    name = "rmq_v5",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Command unknown to the broker's release",
    on = "publish stream_stats create_super_stream delete_super_stream resolve_offset_spec",
    needs = {},
    of = "conn",
    when = {
      [[(((name == "publish") and (version == 2) and ((f.release(conn.broker_version) or 3013000) < 3013000)) or ((name == "stream_stats") and ((f.release(conn.broker_version) or 3011000) < 3011000)) or (LISTS[30][name] and ((f.release(conn.broker_version) or 3013000) < 3013000)) or ((name == "resolve_offset_spec") and ((f.release(conn.broker_version) or 4003000) < 4003000)))]],
      "name version conn",
    },
    says = {
      [[f.say("RabbitMQ %s does not know %s version %s", conn.broker_version, name, version)]],
      "conn name version",
    },
    cause = "The client does not ask with ExchangeCommandVersions what the broker supports.",
    by = { [[((conn.exchanged_n ~= nil) and "listed" or "never")]], "conn" },
    causes = { listed = "The client ignores what the broker listed." },
  },
  {
    id = "RMQ-V5b",
    name = "rmq_v5b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Newer command without ExchangeCommandVersions",
    on = "publish stream_stats create_super_stream delete_super_stream resolve_offset_spec",
    needs = { "start", "whole" },
    of = "conn",
    when = {
      [[(((name ~= "publish") or (version == 2)) and (conn.exchanged_n == nil) and ((f.release(conn.broker_version) or 3010999) >= 3011000))]],
      "name version conn",
    },
    says = {
      [[f.say("%s version %s was used without ExchangeCommandVersions", name, version)]],
      "name version",
    },
    cause = "This works here, but not on an older broker.",
  },
  {
    id = "RMQ-V6",
    name = "rmq_v6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Subscription property unknown to the broker's release",
    on = "subscribe",
    needs = {},
    of = "conn",
    when = {
      [[(((f.item(c["properties[]"], "filter.0") ~= nil) and ((f.release(conn.broker_version) or 3013000) < 3013000)) or ((f.item(c["properties[]"], "single-active-consumer") ~= nil) and ((f.release(conn.broker_version) or 3011000) < 3011000)))]],
      "c conn",
    },
    says = {
      [[f.say("RabbitMQ %s does not know the %s that Subscribe requests", conn.broker_version, ((((f.release(conn.broker_version) or 3011000) < 3011000) and (f.item(c["properties[]"], "single-active-consumer") ~= nil)) and "single active consumer" or "filter"))]],
      "c conn",
    },
    cause = "The client does not check the broker's version, the only indication.",
  },
  {
    id = "RMQ-V6b",
    name = "rmq_v6b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream argument unknown to the broker's release",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    when = {
      [[(((f.item(c["arguments[]"], "stream-initial-offset") ~= nil) and ((f.release(conn.broker_version) or 4004000) < 4004000)) or ((f.item(c["arguments[]"], "stream-filter-size-bytes") ~= nil) and ((f.release(conn.broker_version) or 3013000) < 3013000)))]],
      "c conn",
    },
    says = {
      [[f.say("RabbitMQ %s does not know the argument %s of %s: it creates the stream without it", conn.broker_version, ((((f.release(conn.broker_version) or 3013000) < 3013000) and (f.item(c["arguments[]"], "stream-filter-size-bytes") ~= nil)) and "stream-filter-size-bytes" or "stream-initial-offset"), name)]],
      "c conn name",
    },
    cause = "The client does not check the broker's version, the only indication.",
  },
  {
    id = "RMQ-H1",
    name = "rmq_h1",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Missing heartbeats",
    on = "timer:silence",
    evidence = { [[f.first_known(me.last_n)]], "me" },
    since = { [[f.since(conn, me.last_n)]], "conn me" },
    needs = { "since", "both" },
    of = "me",
    when = {
      [[((conn.state == "open") and (conn.fin_t == nil) and ((f.coalesce(C.zero_windows, 0) + f.coalesce(S.zero_windows, 0)) == 0))]],
      "conn C S",
    },
    says = {
      [[f.say("the %s has sent nothing since frame %s, for %s times the negotiated heartbeat of %s s", ((me.side ~= nil and C.side ~= nil and me.side == C.side) and "client" or "broker"), me.last_n, K.SILENT_INTERVALS, conn.heartbeat)]],
      "me C conn",
    },
    cause = "The peer has stopped or is blocked, or its packets do not arrive.",
    by = { [[(((me.beat_n == nil) and conn.start) and "never" or "stopped")]], "me conn" },
    causes = {
      never = "It has sent no Heartbeat on this connection: it has no heartbeat task, or ignores the negotiated interval.",
    },
  },
  {
    id = "RMQ-H2",
    name = "rmq_h2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Missing heartbeats ignored by the client",
    on = "timer:deaf",
    evidence = { [[f.first_known(me.last_n)]], "me" },
    since = { [[f.since(conn, me.last_n)]], "conn me" },
    needs = { "since", "both" },
    of = "me",
    when = {
      [[((conn.state == "open") and (conn.fin_t == nil) and (me.side ~= nil and S.side ~= nil and me.side == S.side) and ((f.coalesce(C.zero_windows, 0) + f.coalesce(S.zero_windows, 0)) == 0))]],
      "conn me S C",
    },
    says = {
      [[f.say("the broker has been silent for more than three heartbeats of %s s, and the client keeps the connection open", conn.heartbeat)]],
      "conn",
    },
    cause = "The client does not monitor what it receives, or uses a longer timeout of its own.",
  },
  {
    id = "RMQ-H3",
    name = "rmq_h3",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Heartbeat although heartbeats are disabled",
    on = "heartbeat",
    needs = {},
    of = "conn",
    when = { [[(conn.heartbeat == 0)]], "conn" },
    says = { [[f.say("Heartbeat was sent, although an interval of 0 was negotiated")]] },
    cause = "The heartbeat timer ignores the negotiated interval.",
  },
  {
    id = "RMQ-H4",
    name = "rmq_h4",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Too frequent heartbeats",
    on = "heartbeat",
    since = { [[f.since(conn, n, me.beat_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    when = {
      [[(me.beat_t ~= nil and conn.heartbeat ~= nil and (t - me.beat_t) < (conn.heartbeat * 200000000))]],
      "me conn t",
    },
    says = {
      [[f.say("Heartbeat was sent again after %s; the negotiated interval is %s s", f.time((me.beat_t ~= nil and (t - me.beat_t) or nil)), conn.heartbeat)]],
      "me t conn",
    },
    by = {
      [[((peer.beat_t ~= nil and (t - peer.beat_t) < K.RACE) and "back" or ((me.beat_t ~= nil and conn.heartbeat ~= nil and (t - me.beat_t) < (conn.heartbeat * 10000000)) and "ms" or "often"))]],
      "peer t me conn",
    },
    causes = {
      back = "The client returns the heartbeats of the broker.",
      ms = "The client treats the negotiated seconds as milliseconds.",
    },
  },
  {
    id = "RMQ-K1",
    name = "rmq_k1",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Close sent by the broker with an error",
    on = "server:close",
    needs = {},
    of = "conn",
    guard = 36,
    says = {
      [[f.say("the broker closed the connection with %s: %s", f.named(c.closing_code, names.response_code), c.closing_reason)]],
      "c",
    },
    by = { [[c.closing_code]], "c" },
    causes = {
      [13] = "The broker does not know a frame that the client sent.",
      [14] = "A frame of the client is larger than negotiated.",
    },
  },
  {
    id = "RMQ-K2",
    name = "rmq_k2",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "TCP connection closed by the broker right after a frame",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.close_n == nil) and (conn.fin_t == nil) and (conn.state == "open") and (C.last_t ~= nil and C.last_t > f.coalesce(S.last_t, 0)) and (C.last_t ~= nil and (t - C.last_t) <= K.DROPPED) and (C.last_n ~= nil and C.last_n ~= f.coalesce(C.routine_n, -1)) and (C.last_n ~= nil and C.last_n ~= f.coalesce(C.beat_n, -1)))]],
      "conn C S t",
    },
    says = {
      [[f.say("the broker closed the TCP connection right after frame %s without sending Close", C.last_n)]],
      "C",
    },
    cause = "Brokers close a connection this way when their parser fails on a frame.",
  },
  {
    id = "RMQ-K2b",
    name = "rmq_k2b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "TCP connection closed by the broker without Close",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(f.coalesce(C.last_n, S.last_n))]], "C S" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[((conn.close_n == nil) and (conn.fin_t == nil) and ((conn.state ~= nil and conn.state ~= "open") or (C.last_t ~= nil and C.last_t <= f.coalesce(S.last_t, 0)) or (C.last_t ~= nil and (t - C.last_t) > K.DROPPED) or (C.last_n ~= nil and C.last_n == f.coalesce(C.routine_n, -1)) or (C.last_n ~= nil and C.last_n == f.coalesce(C.beat_n, -1))))]],
      "conn C S t",
    },
    says = { [[f.say("the broker closed the TCP connection without sending Close")]] },
    by = {
      [[((conn.refused_n ~= nil) and "login" or ((LISTS[24][conn.state] and (f.coalesce(C.last_t, conn.t) ~= nil and (t - f.coalesce(C.last_t, conn.t)) >= K.HANDSHAKE_STEP)) and "step" or (((conn.heartbeat ~= nil and conn.heartbeat > 0) and (C.last_t ~= nil and conn.heartbeat ~= nil and (t - C.last_t) >= ((conn.heartbeat * K.SILENT_INTERVALS) * 1000000000.0))) and "heartbeat" or (((conn.updates ~= nil and conn.updates > 0) and (conn.update_t ~= nil and (t - conn.update_t) >= K.ENDED_BY_UPDATE)) and "update" or "unknown"))))]],
      "conn C t",
    },
    causes = {
      login = "The broker had refused the authentication.",
      step = "The client's next handshake step did not arrive in time.",
      heartbeat = "The client was silent for longer than the negotiated heartbeat allows.",
      update = "ConsumerUpdate was not answered.",
    },
  },
  {
    id = "RMQ-K3",
    name = "rmq_k3",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "TCP connection closed by the client without Close",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(f.coalesce(C.last_n, S.last_n))]], "C S" },
    needs = { "start", "whole", "both" },
    of = "conn",
    again = true,
    when = {
      [[((conn.fin_t == nil) and (((C.close_n == nil) and (S.close_n == nil)) or ((C.close_n ~= nil) and (conn.state == "closing"))))]],
      "conn C S",
    },
    says = {
      [[f.say("the client closed the TCP connection %s", ((C.close_n == nil) and "without sending Close" or "before its Close was answered"))]],
      "C",
    },
  },
  {
    id = "RMQ-K4",
    name = "rmq_k4",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Frame after Close",
    on = "any",
    since = { [[f.since(conn, n, me.close_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    fixed = { [[(not LISTS[31][name])]], "name" },
    when = {
      [[((me.close_n ~= nil) and (me.close_t ~= nil and (t - me.close_t) > (K.RACE + f.coalesce(conn.trip, 0))))]],
      "me t conn",
    },
    says = {
      [[f.say("the %s sent %s after its Close in frame %s", sender, name, me.close_n)]],
      "sender name me",
    },
    cause = "Another thread writes while the connection is being closed.",
  },
  {
    id = "RMQ-K4b",
    name = "rmq_k4b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Frame in flight with Close",
    on = "any",
    since = { [[f.since(conn, n, me.close_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    fixed = { [[(not LISTS[31][name])]], "name" },
    when = {
      [[(me.close_t ~= nil and (t - me.close_t) <= (K.RACE + f.coalesce(conn.trip, 0)))]],
      "me t conn",
    },
    says = {
      [[f.say("the %s sent %s just after its Close in frame %s", sender, name, me.close_n)]],
      "sender name me",
    },
    cause = "Another thread writes while the connection is being closed.",
  },
  {
    id = "RMQ-K4c",
    name = "rmq_k4c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Second Close",
    on = "close",
    since = { [[f.since(conn, n, me.close_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    when = { [[(me.close_n ~= nil)]], "me" },
    says = { [[f.say("the %s sent Close again", sender)]], "sender" },
  },
  {
    id = "RMQ-K5",
    name = "rmq_k5",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Close sent by the client with an error",
    on = "client:close",
    needs = {},
    of = "conn",
    again = true,
    guard = 36,
    says = {
      [[f.say("the client closed the connection with %s: %s", f.named(c.closing_code, names.response_code), c.closing_reason)]],
      "c",
    },
  },
  {
    id = "RMQ-K6",
    name = "rmq_k6",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered Close from the broker",
    on = "unanswered:close",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((req.side ~= nil and S.side ~= nil and req.side == S.side) and (req.t ~= nil and (t - req.t) > K.UNANSWERED))]],
      "req S t",
    },
    says = {
      [[f.say("the broker's Close was not answered; the broker waits 10 s and closes the connection")]],
    },
  },
  {
    id = "RMQ-A1",
    name = "rmq_a1",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Unanswered ConsumerUpdate",
    on = "unanswered:consumer_update",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = { [[(req.t ~= nil and (t - req.t) > K.UNANSWERED)]], "req t" },
    says = {
      [[f.say("ConsumerUpdate for subscription %s was not answered; the broker closes the connection after 60 s", req.subscription_id)]],
      "req",
    },
    by = { [[((conn.orphans ~= nil and conn.orphans > 0) and "orphan" or "none")]], "conn" },
    causes = { orphan = "A response has a correlation id that no request has: it may be the missing one." },
  },
  {
    id = "RMQ-A2",
    name = "rmq_a2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Single active consumer without a name",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 37,
    says = {
      [[f.say("subscription %s requests single-active-consumer but has no name", c.subscription_id)]],
      "c",
    },
    cause = "The group is identified by the name.",
  },
  {
    id = "RMQ-A2b",
    name = "rmq_a2b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Invalid value of single-active-consumer",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 38,
    says = {
      [[f.say("single-active-consumer is %s: only true enables it, so every consumer receives all messages", f.item(c["properties[]"], "single-active-consumer"))]],
      "c",
    },
    by = { [[f.item(c["properties[]"], "single-active-consumer")]], "c" },
    causes = {
      True = "The client writes a boolean as its language prints it.",
      TRUE = "The client writes a boolean as its language prints it.",
    },
  },
  {
    id = "RMQ-A2c",
    name = "rmq_a2c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Invalid value of match-unfiltered",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 39,
    says = {
      [[f.say("match-unfiltered is %s: only true enables it, so that messages without a filter value are not delivered", f.item(c["properties[]"], "match-unfiltered"))]],
      "c",
    },
    by = { [[f.item(c["properties[]"], "match-unfiltered")]], "c" },
    causes = {
      True = "The client writes a boolean as its language prints it.",
      TRUE = "The client writes a boolean as its language prints it.",
    },
  },
  {
    id = "RMQ-A10",
    name = "rmq_a10",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "ConsumerUpdate answered with an error",
    on = "client:consumer_update_response",
    needs = {},
    of = "conn",
    guard = 25,
    says = {
      [[f.say("the client answered ConsumerUpdate for subscription %s with %s", req.subscription_id, f.named(c.response_code, names.response_code))]],
      "c req",
    },
    cause = "The client cannot say where the consumer is to begin, such as when its listener fails; the broker then begins where Subscribe said.",
  },
  {
    id = "RMQ-A14",
    name = "rmq_a14",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Group of single active consumers left on reconnect",
    on = "client:subscribe",
    needs = {},
    of = "torn",
    when = {
      [[(((f.item(c["properties[]"], "single-active-consumer") == nil) and (torn.members ~= nil and torn.members > 0) and (f.coalesce(torn.others, 0) == 0) and (torn.member_t ~= nil and (t - torn.member_t) <= K.RECOVERY)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c torn t captures",
    },
    says = {
      [[f.say("subscription %s of %s has no single-active-consumer, though it follows a lost subscription of the group %s: it is delivered what the active member of the group is delivered too", c.subscription_id, c.stream, torn.member)]],
      "c torn",
    },
    cause = "The client keeps the properties of a consumer for its first connection only.",
  },
  {
    id = "RMQ-A15",
    name = "rmq_a15",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Group with members of a super stream and of a stream alone",
    on = "subscribe_response",
    needs = { "both" },
    of = "band",
    guard = 40,
    when = {
      [[((band.whole ~= nil) and (band.whole ~= nil and band.whole ~= f.coalesce(sub.super_stream, "")))]],
      "band sub",
    },
    says = {
      [[f.say("the broker refused a member of group %s of %s with %s: its super-stream is %s, and that of another member is %s", sub.reference, sub.stream, f.named(c.response_code, names.response_code), f.coalesce(sub.super_stream, "none"), ((band.whole == "") and "none" or band.whole))]],
      "c sub band",
    },
    cause = "All members of a group subscribe with the same super-stream, or all without one: some consume the partition as a stream of its own.",
  },
  {
    id = "RMQ-A3",
    name = "rmq_a3",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Delivery to an inactive consumer",
    on = "deliver",
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.single == "true") and (f.coalesce(sub.active, 0) == 0) and ((f.release(conn.broker_version) or 3010999) >= 3011000))]],
      "sub conn",
    },
    says = {
      [[f.say("Deliver to subscription %s, which is not the active consumer", c.subscription_id)]],
      "c",
    },
  },
  {
    id = "RMQ-A4",
    name = "rmq_a4",
    severity = "NOTE",
    group = "MALFORMED",
    title = "Offset in ConsumerUpdateResponse where none belongs",
    problem = { trailing = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "consumer_update_response")]], "name" },
    says = {
      [[f.say("ConsumerUpdateResponse has %s after offset type %s", f.counted(problem_length, "byte", "bytes"), c.offset_type)]],
      "c problem_length",
    },
    cause = "The client writes an offset for every type; brokers tolerate it.",
  },
  {
    id = "RMQ-A4b",
    name = "rmq_a4b",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Missing offset in ConsumerUpdateResponse",
    problem = { short = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "consumer_update_response")]], "name" },
    says = { [[f.say("ConsumerUpdateResponse lacks the value for offset type %s", c.offset_type)]], "c" },
  },
  {
    id = "RMQ-A5",
    name = "rmq_a5",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Active consumer starting beyond the end of the stream",
    on = "consumer_update_response",
    needs = {},
    of = "conn",
    guard = 16,
    when = {
      [[((c.offset ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and c.offset > f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0))) and ((tail.count ~= nil and tail.count > 0) or (tail.next ~= nil and tail.next > 0)))]],
      "c tail",
    },
    says = {
      [[f.say("subscription %s starts at %s, beyond the end of the stream as far as it is known", req.subscription_id, c.offset)]],
      "c req",
    },
  },
  {
    id = "RMQ-A13",
    name = "rmq_a13",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Group without an active consumer while messages are published",
    on = "end:sub",
    evidence = { [[f.first_known(group.vacant_n, sub.n)]], "group sub" },
    needs = { "start", "whole", "object", "both" },
    of = "sub",
    again = true,
    when = {
      [[(((sub.single == "true") and ((flow ~= nil and f.coalesce(group.leader_flow, -1) ~= flow) or (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid ~= sub.id)) and (f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) > K.VACANT) and (LISTS[8][why] or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (((group.led_n ~= nil) or (sub.t ~= nil and f.coalesce(tail.made_t, t) <= sub.t)) and (f.max(group.vacant_t, sub.t) ~= nil and f.coalesce(topic.fed_t, 0) > f.max(group.vacant_t, sub.t)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "sub flow group t why C conn tail topic captures",
    },
    says = {
      [[f.say("no consumer of the group %s of %s has been active for %s, although subscription %s waits for its turn; messages have been published since", sub.reference, sub.stream, f.time((f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) or nil)), sub.id)]],
      "sub group t",
    },
    by = { [[((group.led_n == nil) and "never" or "stuck")]], "group" },
    causes = {
      never = "The broker has not sent ConsumerUpdate to any member.",
      stuck = "The broker waits for the consumer that was active before, which has gone or does not answer ConsumerUpdate, or has lost track of the group.",
    },
  },
  {
    id = "RMQ-A13b",
    name = "rmq_a13b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Group without an active consumer",
    on = "end:sub",
    evidence = { [[f.first_known(group.vacant_n, sub.n)]], "group sub" },
    needs = { "start", "whole", "object", "both" },
    of = "sub",
    again = true,
    when = {
      [[(((sub.single == "true") and ((flow ~= nil and f.coalesce(group.leader_flow, -1) ~= flow) or (group.leader_sid ~= nil and sub.id ~= nil and group.leader_sid ~= sub.id)) and (f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) > K.VACANT) and (LISTS[8][why] or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (((group.led_n == nil) and (sub.t ~= nil and f.coalesce(tail.made_t, t) > sub.t)) or (f.max(group.vacant_t, sub.t) ~= nil and f.coalesce(topic.fed_t, 0) <= f.max(group.vacant_t, sub.t)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "sub flow group t why C conn tail topic captures",
    },
    says = {
      [[f.say("no consumer of the group %s of %s has been active for %s, although subscription %s waits for its turn", sub.reference, sub.stream, f.time((f.max(group.vacant_t, sub.t) ~= nil and (t - f.max(group.vacant_t, sub.t)) or nil)), sub.id)]],
      "sub group t",
    },
    by = { [[((group.led_n == nil) and "never" or "stuck")]], "group" },
    causes = {
      never = "The broker has not sent ConsumerUpdate to any member.",
      stuck = "The broker waits for the consumer that was active before, which has gone or does not answer ConsumerUpdate, or has lost track of the group.",
    },
  },
  {
    id = "RMQ-M1",
    name = "rmq_m1",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Stream leader or replica missing in the broker list",
    on = "metadata_response",
    needs = {},
    of = "conn",
    finds = {
      [[f.predicates.refers_to_no_broker("brokers.reference streams.leader streams.replicas", c["brokers.reference[]"], c["streams.leader[]"], c["streams.replicas[]"])]],
      "c",
    },
    says = {
      [[f.say("Metadata names broker %s as leader or replica, but lists only the brokers %s", f.whole(found), c["brokers.reference[]"])]],
      "c found",
    },
  },
  {
    id = "RMQ-M2",
    name = "rmq_m2",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream without a leader in Metadata",
    on = "metadata_response",
    needs = {},
    of = "conn",
    guard = 41,
    says = {
      [[f.say("Metadata has no leader for %s: %s", f.coalesce(f.beside(c["streams.response_code[]"], 1, c["streams.stream_name[]"]), f.first(c["streams.stream_name[]"])), f.named(f.coalesce(f.beside(c["streams.response_code[]"], 1, c["streams.response_code[]"]), 1), names.response_code))]],
      "c",
    },
  },
  {
    id = "RMQ-M2b",
    name = "rmq_m2b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated Metadata queries for a missing stream",
    on = "repeat:missing",
    evidence = { [[f.first_known(req.n, n)]], "req n" },
    needs = {},
    of = "conn",
    says = {
      [[f.say("%s was queried at least %s times in 10 s: %s", f.beside(c["streams.response_code[]"], 1, c["streams.stream_name[]"]), K.METADATA_LIMIT, f.named(f.beside(c["streams.response_code[]"], 1, c["streams.response_code[]"]), names.response_code))]],
      "c",
    },
    cause = "The client hardly waits between attempts.",
  },
  {
    id = "RMQ-M3",
    name = "rmq_m3",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Advertised host that the client did not connect to",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(conn.opened_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.used_n == nil) and LISTS[33][conn.state] and (machine.opened == 1) and (conn.metadata_t ~= nil and (t - conn.metadata_t) > K.REACHING))]],
      "conn machine t",
    },
    finds = {
      [[f.predicates.is_another_host("conn.advertised_host server", conn.advertised_host, server)]],
      "conn server",
    },
    says = {
      [[f.say("the broker advertises host %s; the client queried Metadata, did nothing else and left", conn.advertised_host)]],
      "conn",
    },
    cause = "The client may be unable to reach this host (`advertised_host`).",
  },
  {
    id = "RMQ-M4",
    name = "rmq_m4",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Connections opened and closed without use",
    on = "repeat:idle",
    evidence = { [[f.first_known(C.first_n)]], "C" },
    needs = {},
    of = "machine",
    again = true,
    when = { [[((f.coalesce(machine.worked, 0) * 3) < K.IDLE_CONNECTIONS)]], "machine" },
    says = {
      [[f.say("at least %s connections in 10 s were opened and closed without use", K.IDLE_CONNECTIONS)]],
    },
    by = { [[((conn.metadata_t ~= nil) and "asked" or "not")]], "conn" },
    causes = {
      asked = "The client looks for a node from Metadata behind a load balancer, or cannot use the one it reaches.",
    },
  },
  {
    id = "RMQ-M4b",
    name = "rmq_m4b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Some connections opened and closed without use",
    on = "repeat:few_idle",
    evidence = { [[f.first_known(C.first_n)]], "C" },
    needs = {},
    of = "conn",
    again = true,
    says = { [[f.say("%s connections in 10 s were opened and closed without use", K.FEW_IDLE)]] },
    cause = "The client opens a connection for each question, or cannot use the node that it reaches.",
  },
  {
    id = "RMQ-M5",
    name = "rmq_m5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Broker port that Metadata does not advertise",
    on = "subscribe declare_publisher",
    needs = {},
    of = "conn",
    when = { [[(conn.strange_n ~= nil)]], "conn" },
    finds = {
      [[f.predicates.is_port_dialled("conn.advertised_port server", conn.advertised_port, server)]],
      "conn server",
    },
    says = {
      [[f.say("the client uses the broker on port %s, but Metadata lists other ports", conn.advertised_port)]],
      "conn",
    },
    by = { [[conn.advertised_port]], "conn" },
    causes = {
      [5551] = "The client uses the default port instead of one that Metadata names.",
      [5552] = "The client uses the default port instead of one that Metadata names.",
    },
  },
  {
    id = "RMQ-M6",
    name = "rmq_m6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publisher used after MetadataUpdate",
    on = "publish",
    since = { [[f.since(conn, n, pub.ended_n)]], "conn n pub" },
    needs = { "since" },
    of = "pub",
    when = {
      [[((pub.state == "lost") and (pub.ended_t ~= nil and (t - pub.ended_t) > (K.RACE + f.coalesce(conn.trip, 0))))]],
      "pub t conn",
    },
    says = {
      [[f.say("%s for publisher %s, whose stream %s became unavailable in frame %s", name, c.publisher_id, pub.stream, pub.ended_n)]],
      "c name pub",
    },
    cause = "The broker has removed the publisher; the client must look up the stream again.",
  },
  {
    id = "RMQ-M6b",
    name = "rmq_m6b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publisher frame in flight, or its deletion, after MetadataUpdate",
    on = "publish delete_publisher",
    since = { [[f.since(conn, n, pub.ended_n)]], "conn n pub" },
    needs = { "since" },
    of = "pub",
    when = {
      [[((pub.state == "lost") and ((pub.ended_t ~= nil and (t - pub.ended_t) <= (K.RACE + f.coalesce(conn.trip, 0))) or (name == "delete_publisher")))]],
      "pub t conn name",
    },
    says = {
      [[f.say("%s for publisher %s, after its stream became unavailable", name, c.publisher_id)]],
      "c name",
    },
  },
  {
    id = "RMQ-M6c",
    name = "rmq_m6c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription used after MetadataUpdate",
    on = "credit",
    since = { [[f.since(conn, n, sub.ended_n)]], "conn n sub" },
    needs = { "since" },
    of = "sub",
    when = {
      [[((sub.state == "lost") and (sub.ended_t ~= nil and (t - sub.ended_t) > (K.RACE + f.coalesce(conn.trip, 0))))]],
      "sub t conn",
    },
    says = {
      [[f.say("%s for subscription %s, whose stream %s became unavailable in frame %s", name, c.subscription_id, sub.stream, sub.ended_n)]],
      "c name sub",
    },
    cause = "The broker has removed the subscription; the client must look up the stream again.",
  },
  {
    id = "RMQ-M6d",
    name = "rmq_m6d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription frame in flight, or Unsubscribe, after MetadataUpdate",
    on = "credit unsubscribe",
    since = { [[f.since(conn, n, sub.ended_n)]], "conn n sub" },
    needs = { "since" },
    of = "sub",
    when = {
      [[((sub.state == "lost") and ((sub.ended_t ~= nil and (t - sub.ended_t) <= (K.RACE + f.coalesce(conn.trip, 0))) or (name == "unsubscribe")))]],
      "sub t conn name",
    },
    says = {
      [[f.say("%s for subscription %s, just after its stream became unavailable", name, c.subscription_id)]],
      "c name",
    },
  },
  {
    id = "RMQ-M7",
    name = "rmq_m7",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Subscribe on a node without the stream",
    on = "subscribe_response",
    needs = {},
    of = "conn",
    guard = 42,
    says = {
      [[f.say("this node cannot deliver %s: %s", req.stream, f.named(c.response_code, names.response_code))]],
      "c req",
    },
    cause = "This node has no replica of the stream; Metadata lists the nodes that have one.",
  },
  {
    id = "RMQ-M8",
    name = "rmq_m8",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Create or Delete refused",
    on = "create_response delete_response create_super_stream_response delete_super_stream_response",
    needs = {},
    of = "conn",
    guard = 43,
    says = {
      [[f.say("the broker refused with %s in %s for %s", f.named(c.response_code, names.response_code), name, req.stream)]],
      "c name req",
    },
    by = {
      [[(((c.response_code == 2) and (seen.deleted_n ~= nil)) and "deleted" or (((c.response_code == 5) and (seen.made_n ~= nil)) and "made" or c.response_code))]],
      "c seen",
    },
    causes = {
      [2] = "The stream does not exist.",
      [3] = "A subscription with this id already exists.",
      [4] = "No subscription with this id exists.",
      [5] = "The stream already exists.",
      [6] = "The stream is not available on this node.",
      [18] = "No publisher with this id exists.",
      deleted = "The stream does not exist: it was deleted before, in the last frame named.",
      made = "The stream already exists: it was created in the last frame named.",
    },
  },
  {
    id = "RMQ-M8b",
    name = "rmq_m8b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Create or Delete refused with access_refused or precondition_failed",
    on = "create_response delete_response create_super_stream_response delete_super_stream_response",
    needs = {},
    of = "conn",
    guard = 44,
    says = {
      [[f.say("the broker refused with %s in %s for %s", f.named(c.response_code, names.response_code), name, req.stream)]],
      "c name req",
    },
    by = { [[c.response_code]], "c" },
    causes = {
      [16] = "The user lacks the permission.",
      [17] = "The arguments are invalid, or differ from those of the existing object.",
    },
  },
  {
    id = "RMQ-M9",
    name = "rmq_m9",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Routing key matches no partition",
    on = "route_response",
    needs = {},
    of = "conn",
    guard = 45,
    says = {
      [[f.say("routing key '%s' is bound to no partition of %s", req.routing_key, req.super_stream)]],
      "req",
    },
    cause = "A binding is missing, so a message with this key cannot be published.",
  },
  {
    id = "RMQ-M11",
    name = "rmq_m11",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publishers and subscriptions ended by MetadataUpdate",
    on = "metadata_update",
    needs = { "start", "whole", "both" },
    of = "fallen",
    when = {
      [[((seen.deleted_n == nil) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "seen captures",
    },
    says = {
      [[f.say("MetadataUpdate ended the publishers and subscriptions of %s on this connection: %s", c.stream, f.named(c.code, names.response_code))]],
      "c",
    },
  },
  {
    id = "RMQ-X1",
    name = "rmq_x1",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Response without an open request",
    on = "any:response",
    needs = { "start", "whole", "both" },
    of = "conn",
    fixed = {
      [[((not LISTS[37][name]) and ((sender ~= nil and sender ~= "client") or (not LISTS[15][name])))]],
      "name sender",
    },
    when = { [[orphan]], "orphan" },
    says = {
      [[f.say("%s with correlation id %s answers no open request", name, c.correlation_id)]],
      "c name",
    },
    cause = "The correlation id is not that of the request, or the request has already been answered.",
  },
  {
    id = "RMQ-X1b",
    name = "rmq_x1b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "CloseResponse without Close",
    on = "close_response",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[orphan]], "orphan" },
    says = { [[f.say("CloseResponse answers a Close that was not sent, or was already answered")]] },
  },
  {
    id = "RMQ-X2",
    name = "rmq_x2",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Unanswered request",
    on = "unanswered:declare_publisher unanswered:query_publisher_sequence unanswered:delete_publisher unanswered:subscribe unanswered:query_offset unanswered:unsubscribe unanswered:create unanswered:delete unanswered:metadata unanswered:route unanswered:partitions unanswered:stream_stats unanswered:create_super_stream unanswered:delete_super_stream unanswered:resolve_offset_spec unanswered:exchange_command_versions",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((req.t ~= nil and (t - req.t) > K.UNANSWERED) or (LISTS[7][why] and (conn.close_n == nil) and (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)))]],
      "req t why conn C",
    },
    says = {
      [[f.say("%s was not answered within %s", req.asked, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req t",
    },
    by = { [[((conn.orphans ~= nil and conn.orphans > 0) and "orphan" or "none")]], "conn" },
    causes = { orphan = "A response has a correlation id that no request has: it may be the missing one." },
  },
  {
    id = "RMQ-X2b",
    name = "rmq_x2b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Unanswered request when the broker closed the connection",
    on = "unanswered:declare_publisher unanswered:query_publisher_sequence unanswered:delete_publisher unanswered:subscribe unanswered:query_offset unanswered:unsubscribe unanswered:create unanswered:delete unanswered:metadata unanswered:route unanswered:partitions unanswered:stream_stats unanswered:create_super_stream unanswered:delete_super_stream unanswered:resolve_offset_spec unanswered:exchange_command_versions",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[(LISTS[7][why] and (conn.close_n == nil) and (conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side))]],
      "why conn S",
    },
    says = { [[f.say("%s was not answered: the broker closed the connection", req.asked)]], "req" },
  },
  {
    id = "RMQ-X2c",
    name = "rmq_x2c",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Request not answered yet when the captures end",
    on = "unanswered:declare_publisher unanswered:query_publisher_sequence unanswered:delete_publisher unanswered:subscribe unanswered:query_offset unanswered:unsubscribe unanswered:create unanswered:delete unanswered:metadata unanswered:route unanswered:partitions unanswered:stream_stats unanswered:create_super_stream unanswered:delete_super_stream unanswered:resolve_offset_spec unanswered:exchange_command_versions unanswered:consumer_update",
    evidence = { [[f.first_known(req.n)]], "req" },
    since = { [[f.since(conn, req.n)]], "conn req" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((why == "end") and ((req.t ~= nil and K.SLOW_ANSWER < (t - req.t)) and (req.t ~= nil and (t - req.t) <= K.UNANSWERED)))]],
      "why req t",
    },
    says = {
      [[f.say("%s had no answer for %s when the captures ended", req.asked, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req t",
    },
    cause = "The peer is busy or blocked, or does not handle the request.",
  },
  {
    id = "RMQ-X3",
    name = "rmq_x3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Correlation id already in use",
    on = "any:request",
    since = { [[f.since(conn, n, duplicate_of)]], "conn n duplicate_of" },
    needs = { "since", "both" },
    of = "conn",
    fixed = { [[(name ~= "tune")]], "name" },
    when = { [[duplicate]], "duplicate" },
    says = {
      [[f.say("%s has correlation id %s, which an open request uses", name, c.correlation_id)]],
      "c name",
    },
    cause = "The counter of correlation ids does not advance, or threads share it without a lock.",
  },
  {
    id = "RMQ-X3b",
    name = "rmq_x3b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Correlation id in use by a request of another command",
    on = "client:any:request",
    since = { [[f.since(conn, n, ticket.asked_n)]], "conn n ticket" },
    needs = { "since", "both" },
    of = "conn",
    when = {
      [[((ticket.state == "open") and (ticket.command ~= nil and ticket.command ~= name))]],
      "ticket name",
    },
    says = {
      [[f.say("%s has correlation id %s, which the open request %s in frame %s uses", name, c.correlation_id, ticket.command, ticket.asked_n)]],
      "c name ticket",
    },
    cause = "Threads of the client number their requests apart: an answer may go to the wrong one.",
  },
  {
    id = "RMQ-X4",
    name = "rmq_x4",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Late response",
    on = "any:response",
    needs = {},
    of = "conn",
    when = { [[(req.t ~= nil and (t - req.t) > K.LATE)]], "req t" },
    says = {
      [[f.say("%s was sent %s after its request; most clients have timed out by then", name, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "name req t",
    },
  },
  {
    id = "RMQ-X6",
    name = "rmq_x6",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request refused",
    on = "any:coded",
    needs = {},
    of = "conn",
    guard = 46,
    fixed = { [[(not LISTS[38][name])]], "name" },
    says = {
      [[f.say("the broker refused with %s in %s for %s", f.named(c.response_code, names.response_code), name, f.coalesce(f.coalesce(req.stream, req.super_stream), f.coalesce(req.publisher_id, req.subscription_id)))]],
      "c name req",
    },
    by = {
      [[(((c.response_code == 2) and (seen.deleted_n ~= nil)) and "deleted" or (((c.response_code == 5) and (seen.made_n ~= nil)) and "made" or c.response_code))]],
      "c seen",
    },
    causes = {
      [2] = "The stream does not exist.",
      [3] = "A subscription with this id already exists.",
      [4] = "No subscription with this id exists.",
      [5] = "The stream already exists.",
      [6] = "The stream is not available on this node.",
      [18] = "No publisher with this id exists.",
      deleted = "The stream does not exist: it was deleted before, in the last frame named.",
      made = "The stream already exists: it was created in the last frame named.",
    },
  },
  {
    id = "RMQ-X6b",
    name = "rmq_x6b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request refused with access_refused or precondition_failed",
    on = "any:coded",
    needs = {},
    of = "conn",
    guard = 44,
    fixed = { [[(not LISTS[38][name])]], "name" },
    says = {
      [[f.say("the broker refused with %s in %s for %s", f.named(c.response_code, names.response_code), name, f.coalesce(f.coalesce(req.stream, req.super_stream), f.coalesce(req.publisher_id, req.subscription_id)))]],
      "c name req",
    },
    by = { [[c.response_code]], "c" },
    causes = {
      [16] = "The user lacks the permission.",
      [17] = "The arguments are invalid, or differ from those of the existing object.",
    },
  },
  {
    id = "RMQ-S1",
    name = "rmq_s1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Text not in UTF-8, with misaligned fields after it",
    problem = { text = true },
    needs = {},
    of = "conn",
    fixed = { [[(name ~= "deliver")]], "name" },
    when = { [[(problem_alone ~= nil and not problem_alone)]], "problem_alone" },
    says = { [[f.say("%s of %s is not valid UTF-8", problem_field, name)]], "problem_field name" },
    cause = "The length counts characters instead of bytes: the text ends inside a character.",
  },
  {
    id = "RMQ-S1b",
    name = "rmq_s1b",
    severity = "WARN",
    group = "MALFORMED",
    title = "Text not in UTF-8",
    problem = { text = true },
    needs = {},
    of = "conn",
    fixed = { [[(name ~= "deliver")]], "name" },
    when = { [[problem_alone]], "problem_alone" },
    says = {
      [[f.say("%s of %s is not valid UTF-8, although its length fits", problem_field, name)]],
      "problem_field name",
    },
    cause = "The text has another encoding, such as Latin-1; peers may reject it or display it wrongly.",
  },
  {
    id = "RMQ-S1c",
    name = "rmq_s1c",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Non-ASCII text with misaligned fields after it",
    problem = { count = true, nofit = true, short = true, trailing = true },
    needs = {},
    of = "conn",
    guard = 47,
    fixed = { [[(sender == "client")]], "sender" },
    says = {
      [[f.say("%s has non-ASCII text, and its fields do not fit: %s", name, f.whole(problem_text))]],
      "name problem_text",
    },
    cause = "A length that counts characters instead of bytes misaligns everything after the text.",
  },
  {
    id = "RMQ-S2",
    name = "rmq_s2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Null string where none is allowed",
    problem = { null = true },
    needs = {},
    of = "conn",
    says = { [[f.say("%s of %s is null", problem_field, name)]], "problem_field name" },
    cause = "Only filter values may be null; an empty string has length 0.",
  },
  {
    id = "RMQ-S3",
    name = "rmq_s3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Name longer than 255 bytes",
    problem = { limit = true },
    needs = {},
    of = "conn",
    fixed = { [[(not LISTS[40][name])]], "name" },
    says = { [[f.say("%s of %s has more than 255 bytes", problem_field, name)]], "problem_field name" },
    by = {
      [[((f.non_ascii(problem_value) and ((f.len(problem_value) or 256) <= 255)) and "characters" or "bytes")]],
      "problem_value",
    },
    causes = { characters = "The client applies the limit to characters." },
  },
  {
    id = "RMQ-S3b",
    name = "rmq_s3b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Invalid stream name",
    on = "create",
    needs = {},
    of = "conn",
    guard = 48,
    says = {
      [[f.say("Create of '%s': a name must %s", c.stream, ((f.len(c.stream) == 0) and "not be empty" or (f.starts(c.stream, "amq.") and "not begin with amq." or "have at most 255 bytes")))]],
      "c",
    },
  },
  {
    id = "RMQ-S4",
    name = "rmq_s4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unknown subscription property",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 49,
    says = {
      [[f.say("Subscribe has the property %s, which brokers do not know", f.strange(c["properties.key[]"], {"single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier", "chunk_selector"}, {"filter.", "x-"}))]],
      "c",
    },
    cause = "Brokers ignore it silently; it may be misspelt.",
  },
  {
    id = "RMQ-S4b",
    name = "rmq_s4b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Unknown stream argument",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 50,
    says = {
      [[f.say("%s has the argument %s, which brokers do not know", name, f.strange(c["arguments.key[]"], {"max-length-bytes", "stream-max-segment-size-bytes", "initial-cluster-size", "stream-initial-offset", "max-age", "queue-leader-locator", "stream-filter-size-bytes"}, {"x-"}))]],
      "c name",
    },
    cause = "Some brokers ignore it, others close the connection; it may be misspelt.",
  },
  {
    id = "RMQ-S4c",
    name = "rmq_s4c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Invalid value of a stream argument",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 51,
    says = {
      [[f.say("%s has the argument %s with the invalid value %s", name, (((f.item(c["arguments[]"], "max-length-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "max-length-bytes")) == nil)) and "max-length-bytes" or (((f.item(c["arguments[]"], "stream-max-segment-size-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-max-segment-size-bytes")) == nil)) and "stream-max-segment-size-bytes" or (((f.item(c["arguments[]"], "initial-cluster-size") ~= nil) and (f.number(f.item(c["arguments[]"], "initial-cluster-size")) == nil)) and "initial-cluster-size" or (((f.item(c["arguments[]"], "stream-initial-offset") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-initial-offset")) == nil)) and "stream-initial-offset" or ((f.item(c["arguments[]"], "queue-leader-locator") ~= nil and not LISTS[41][f.item(c["arguments[]"], "queue-leader-locator")]) and "queue-leader-locator" or (((f.item(c["arguments[]"], "max-age") ~= nil) and (f.number(f.first(f.item(c["arguments[]"], "max-age"))) == nil)) and "max-age" or "")))))), f.choose(((f.item(c["arguments[]"], "max-length-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "max-length-bytes")) == nil)), f.item(c["arguments[]"], "max-length-bytes"), f.choose(((f.item(c["arguments[]"], "stream-max-segment-size-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-max-segment-size-bytes")) == nil)), f.item(c["arguments[]"], "stream-max-segment-size-bytes"), f.choose(((f.item(c["arguments[]"], "initial-cluster-size") ~= nil) and (f.number(f.item(c["arguments[]"], "initial-cluster-size")) == nil)), f.item(c["arguments[]"], "initial-cluster-size"), f.choose(((f.item(c["arguments[]"], "stream-initial-offset") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-initial-offset")) == nil)), f.item(c["arguments[]"], "stream-initial-offset"), f.choose((f.item(c["arguments[]"], "queue-leader-locator") ~= nil and not LISTS[41][f.item(c["arguments[]"], "queue-leader-locator")]), f.item(c["arguments[]"], "queue-leader-locator"), f.choose(((f.item(c["arguments[]"], "max-age") ~= nil) and (f.number(f.first(f.item(c["arguments[]"], "max-age"))) == nil)), f.item(c["arguments[]"], "max-age"), "")))))))]],
      "c name",
    },
    cause = "Some brokers ignore it, others close the connection.",
    by = {
      [[(((f.item(c["arguments[]"], "max-length-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "max-length-bytes")) == nil)) and "max-length-bytes" or (((f.item(c["arguments[]"], "stream-max-segment-size-bytes") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-max-segment-size-bytes")) == nil)) and "stream-max-segment-size-bytes" or (((f.item(c["arguments[]"], "initial-cluster-size") ~= nil) and (f.number(f.item(c["arguments[]"], "initial-cluster-size")) == nil)) and "initial-cluster-size" or (((f.item(c["arguments[]"], "stream-initial-offset") ~= nil) and (f.number(f.item(c["arguments[]"], "stream-initial-offset")) == nil)) and "stream-initial-offset" or ((f.item(c["arguments[]"], "queue-leader-locator") ~= nil and not LISTS[41][f.item(c["arguments[]"], "queue-leader-locator")]) and "queue-leader-locator" or (((f.item(c["arguments[]"], "max-age") ~= nil) and (f.number(f.first(f.item(c["arguments[]"], "max-age"))) == nil)) and "max-age" or ""))))))]],
      "c",
    },
    causes = {
      ["max-length-bytes"] = "The value must be an integer without a unit.",
      ["stream-max-segment-size-bytes"] = "The value must be an integer without a unit.",
      ["initial-cluster-size"] = "The value must be an integer without a unit.",
      ["stream-initial-offset"] = "The value must be an integer without a unit.",
      ["queue-leader-locator"] = "The value must be one of client-local, balanced, least-leaders, random.",
      ["max-age"] = "The value must be a number with a unit, such as 7D.",
    },
  },
  {
    id = "RMQ-S5",
    name = "rmq_s5",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stored offset without a consumer name",
    on = "store_offset",
    needs = {},
    of = "conn",
    guard = 52,
    says = { [[f.say("StoreOffset has an empty reference")]] },
    cause = "The consumer has no name; all consumers without a name share this offset.",
  },
  {
    id = "RMQ-S7",
    name = "rmq_s7",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Max-length-bytes below the segment size",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    again = true,
    guard = 53,
    finds = { [[f.predicates.is_below_a_segment("arguments", c["arguments[]"])]], "c" },
    says = { [[f.say("%s: the stream grows to at least two segments", f.whole(found))]], "found" },
    cause = "Retention removes whole segments, and never the one that is being written: set stream-max-segment-size-bytes too.",
  },
  {
    id = "RMQ-S7b",
    name = "rmq_s7b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Max-age of at most an hour with large segments",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    again = true,
    guard = 54,
    finds = { [[f.predicates.is_within_a_segment("arguments", c["arguments[]"])]], "c" },
    says = { [[f.say("%s: messages stay until a whole segment is older", f.whole(found))]], "found" },
    cause = "Retention removes whole segments, and never the one that is being written: a stream with little traffic keeps its messages far longer. Set stream-max-segment-size-bytes too.",
  },
  {
    id = "RMQ-S8",
    name = "rmq_s8",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Different numbers of partitions and binding keys",
    on = "create_super_stream",
    needs = {},
    of = "conn",
    guard = 55,
    says = {
      [[f.say("CreateSuperStream has %s and %s", f.counted(c["#partitions"], "partition", "partitions"), f.counted(c["#binding_keys"], "binding", "key"))]],
      "c",
    },
    cause = "Each partition has one binding key.",
  },
  {
    id = "RMQ-S6",
    name = "rmq_s6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream argument without a unit, or out of range",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 53,
    finds = { [[f.predicates.has_bad_argument("arguments", c["arguments[]"])]], "c" },
    says = { [[f.say("%s in %s", f.whole(found), name)]], "found name" },
    cause = "A broker stores some of these values as they are, and retention then does not work as meant; it refuses others.",
  },
  {
    id = "RMQ-N9",
    name = "rmq_n9",
    severity = "ERROR",
    group = "SECURITY",
    title = "Malformed SASL PLAIN message",
    on = "sasl_authenticate",
    needs = {},
    of = "conn",
    guard = 56,
    finds = { [[f.predicates.is_not_plain("sasl_opaque_data", c["sasl_opaque_data raw"])]], "c" },
    says = {
      [[f.say("the message of SASL PLAIN %s; it is a zero byte, the user, a zero byte and the password", f.whole(found))]],
      "found",
    },
    cause = "The client writes the message in another layout, or encodes it.",
  },
  {
    id = "RMQ-N10",
    name = "rmq_n10",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Percent-encoded virtual host",
    on = "open",
    needs = {},
    of = "conn",
    guard = 57,
    finds = { [[f.predicates.is_percent_encoded("virtual_host", c.virtual_host)]], "c" },
    says = {
      [[f.say("Open names the virtual host %s, which may be meant as %s", c.virtual_host, f.whole(found))]],
      "c found",
    },
    cause = "The client takes the virtual host from a URI and does not decode it.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "create delete subscribe stream_stats",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.has_mistaken_name("stream", c.stream)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9_2",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "declare_publisher query_publisher_sequence",
    needs = {},
    of = "conn",
    finds = {
      [[f.predicates.has_mistaken_name("stream publisher_reference", c.stream, c.publisher_reference)]],
      "c",
    },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9_3",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "query_offset store_offset",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.has_mistaken_name("stream fields.reference", c.stream, c.reference)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9_4",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "create_super_stream delete_super_stream",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.has_mistaken_name("fields.name", c.name)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9_5",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "route",
    needs = {},
    of = "conn",
    finds = {
      [[f.predicates.has_mistaken_name("super_stream routing_key", c.super_stream, c.routing_key)]],
      "c",
    },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9",
    name = "rmq_s9_6",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name that was not meant",
    on = "open",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.has_mistaken_name("virtual_host", c.virtual_host)]], "c" },
    says = { [[f.say("%s has %s", name, f.whole(found))]], "name found" },
    cause = "The name comes from a setting that is missing, was not filled in, or was read with its line break: such a name is valid for brokers.",
  },
  {
    id = "RMQ-S9b",
    name = "rmq_s9b",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Value of a subscription property that was not meant",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 58,
    finds = { [[f.predicates.has_mistaken_property("properties", c["properties[]"])]], "c" },
    says = { [[f.say("Subscribe has %s", f.whole(found))]], "found" },
    cause = "The value comes from a setting that is missing or was not filled in.",
  },
  {
    id = "RMQ-S10",
    name = "rmq_s10",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Property or argument spelt as in AMQP 0-9-1",
    on = "subscribe",
    needs = {},
    of = "conn",
    again = true,
    guard = 58,
    finds = { [[f.predicates.has_foreign_property("properties", c["properties[]"])]], "c" },
    says = { [[f.say("%s has the property %s: brokers ignore it", name, f.whole(found))]], "name found" },
    cause = "In the stream protocol the names of properties and arguments have no x- before them.",
  },
  {
    id = "RMQ-S10",
    name = "rmq_s10_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Property or argument spelt as in AMQP 0-9-1",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 53,
    finds = { [[f.predicates.has_foreign_argument("arguments", c["arguments[]"])]], "c" },
    says = { [[f.say("%s has the argument %s: brokers ignore it", name, f.whole(found))]], "name found" },
    cause = "In the stream protocol the names of properties and arguments have no x- before them.",
  },
  {
    id = "RMQ-S11",
    name = "rmq_s11",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key that comes twice with different values",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 59,
    finds = { [[f.predicates.has_key_twice("properties", c["properties[]"])]], "c" },
    says = {
      [[f.say("%s has the key %s twice: brokers use one of its values", name, f.whole(found))]],
      "name found",
    },
    cause = "The client adds a default value beside that of the program.",
  },
  {
    id = "RMQ-S11",
    name = "rmq_s11_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key that comes twice with different values",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 60,
    finds = { [[f.predicates.has_key_twice("arguments", c["arguments[]"])]], "c" },
    says = {
      [[f.say("%s has the key %s twice: brokers use one of its values", name, f.whole(found))]],
      "name found",
    },
    cause = "The client adds a default value beside that of the program.",
  },
  {
    id = "RMQ-S11",
    name = "rmq_s11_3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key that comes twice with different values",
    on = "peer_properties",
    needs = {},
    of = "conn",
    guard = 61,
    finds = { [[f.predicates.has_key_twice("peer_properties", c["peer_properties[]"])]], "c" },
    says = {
      [[f.say("%s has the key %s twice: brokers use one of its values", name, f.whole(found))]],
      "name found",
    },
    cause = "The client adds a default value beside that of the program.",
  },
  {
    id = "RMQ-S12",
    name = "rmq_s12",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Filter without effect",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 58,
    finds = { [[f.predicates.has_odd_filter("properties", c["properties[]"])]], "c" },
    says = {
      [[f.say("the filter of subscription %s of %s is not what it seems: %s", c.subscription_id, c.stream, f.whole(found))]],
      "c found",
    },
    cause = "The setting of the filter is empty or incomplete.",
  },
  {
    id = "RMQ-S13",
    name = "rmq_s13",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Even number of replicas",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    guard = 62,
    says = {
      [[f.say("%s asks for %s replicas of a stream", name, f.item(c["arguments[]"], "initial-cluster-size"))]],
      "c name",
    },
    cause = "A stream needs the majority of its replicas: one replica more than an odd number costs disk and tolerates no further failure.",
  },
  {
    id = "RMQ-S6b",
    name = "rmq_s6b",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Stream limit of an unusual magnitude",
    on = "create create_super_stream",
    needs = {},
    of = "conn",
    again = true,
    guard = 53,
    finds = { [[f.predicates.has_odd_magnitude("arguments", c["arguments[]"])]], "c" },
    says = { [[f.say("%s, in %s", f.whole(found), name)]], "found name" },
    cause = "The number is in another unit than the argument: sizes are in bytes.",
  },
  {
    id = "RMQ-S14",
    name = "rmq_s14",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Partition or binding key twice in CreateSuperStream",
    on = "create_super_stream",
    needs = {},
    of = "conn",
    finds = {
      [[f.predicates.has_odd_partitions("fields.name partitions binding_keys", c.name, c["partitions[]"], c["binding_keys[]"])]],
      "c",
    },
    says = { [[f.say("in CreateSuperStream for %s %s", c.name, f.whole(found))]], "c found" },
    cause = "The names of partitions, and their binding keys, are made of numbers that are not counted up.",
  },
  {
    id = "RMQ-V7",
    name = "rmq_v7",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Empty range of versions in ExchangeCommandVersions",
    on = "exchange_command_versions exchange_command_versions_response",
    needs = {},
    of = "conn",
    finds = { [[f.predicates.has_odd_versions("commands", c["commands[]"])]], "c" },
    says = { [[f.say("%s announces %s, which is no version at all", name, f.whole(found))]], "name found" },
    cause = "The two versions are swapped, or one is missing.",
  },
  {
    id = "RMQ-N11",
    name = "rmq_n11",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Misspelt property of the client",
    on = "peer_properties",
    needs = {},
    of = "conn",
    again = true,
    guard = 63,
    finds = { [[f.predicates.has_misspelt_property("peer_properties", c["peer_properties[]"])]], "c" },
    says = { [[f.say("PeerProperties has %s", f.whole(found))]], "found" },
    cause = "Brokers show the connection by the usual names of these properties.",
  },
  {
    id = "RMQ-P3",
    name = "rmq_p3",
    severity = "NOTE",
    group = "SECURITY",
    title = "Credentials in the properties of the client",
    on = "peer_properties",
    needs = {},
    of = "conn",
    again = true,
    guard = 63,
    finds = { [[f.predicates.has_credentials("peer_properties", c["peer_properties[]"])]], "c" },
    says = { [[f.say("PeerProperties has credentials: %s", f.whole(found))]], "found" },
    cause = "The client copies its settings into the properties, which brokers log and show to operators.",
  },
  {
    id = "RMQ-N12",
    name = "rmq_n12",
    severity = "WARN",
    group = "SECURITY",
    title = "Refused token that is not valid at the time",
    on = "sasl_authenticate_response",
    needs = {},
    of = "conn",
    guard = 10,
    when = { [[((f.len(req.sasl_opaque_data) or 32) > 32)]], "req" },
    finds = {
      [[f.predicates.has_expired_token("req.sasl_opaque_data t", req.sasl_opaque_data, t)]],
      "req t",
    },
    says = {
      [[f.say("the broker refused the token of %s: it %s", req.mechanism, f.whole(found))]],
      "req found",
    },
    cause = "The client keeps a token beyond its life and does not ask for a new one before it connects, or the clock of a host is wrong.",
  },
  {
    id = "RMQ-N15",
    name = "rmq_n15",
    severity = "WARN",
    group = "SECURITY",
    title = "Connection ended by the broker when its token expired",
    on = "server:close server:tcp.close server:tcp.reset",
    evidence = {
      [[f.first_known(f.coalesce(S.close_n, f.coalesce(C.last_n, conn.token_n)), conn.token_n)]],
      "S C conn",
    },
    needs = { "start" },
    of = "conn",
    when = { [[((conn.token ~= nil) and (C.close_n == nil) and (conn.refused_n == nil))]], "conn C" },
    finds = {
      [[f.predicates.has_run_out("conn.token conn.token_t t", conn.token, conn.token_t, t)]],
      "conn t",
    },
    says = {
      [[f.say("the broker ended the connection; its token of frame %s expired at %s", conn.token_n, f.whole(found))]],
      "conn found",
    },
    cause = "The client does not renew its token with SaslAuthenticate before it expires: publishers and subscriptions are lost each time.",
  },
  {
    id = "RMQ-N13",
    name = "rmq_n13",
    severity = "WARN",
    group = "SECURITY",
    title = "Refused credentials with a mark of a wrong conversion",
    on = "sasl_authenticate_response",
    needs = {},
    of = "conn",
    guard = 64,
    when = { [[(req.mechanism == "PLAIN")]], "req" },
    finds = { [[f.predicates.has_marked_credentials("req.sasl_opaque_data", req.sasl_opaque_data)]], "req" },
    says = { [[f.say("the broker refused the credentials; %s", f.whole(found))]], "found" },
    cause = "The value was read from a file or a URI, or is a setting that was not filled in.",
  },
  {
    id = "RMQ-N14",
    name = "rmq_n14",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Refused virtual host with a name that was not meant",
    on = "open_response",
    needs = {},
    of = "conn",
    guard = 65,
    finds = { [[f.predicates.has_marked_host("req.virtual_host", req.virtual_host)]], "req" },
    says = {
      [[f.say("the broker refused the virtual host '%s': %s", req.virtual_host, f.whole(found))]],
      "req found",
    },
    cause = "The client takes the path of a URI with its slash, or an empty one.",
  },
  {
    id = "RMQ-X9",
    name = "rmq_x9",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Refused stream name that is nearly a known one",
    on = "declare_publisher_response subscribe_response query_offset_response query_publisher_sequence_response stream_stats_response delete_response",
    needs = {},
    of = "conn",
    guard = 66,
    when = { [[((f.count(there.streams) or 0) > 0)]], "there" },
    finds = {
      [[f.predicates.is_nearly_known("req.stream there.streams", req.stream, there.streams)]],
      "req there",
    },
    says = {
      [[f.say("%s: there is no stream %s; a stream %s is in use", name, req.stream, f.whole(found))]],
      "name req found",
    },
    cause = "The name is misspelt, or one program uses other letters or separators than the others.",
  },
  {
    id = "RMQ-X9",
    name = "rmq_x9_2",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Refused stream name that is nearly a known one",
    on = "metadata_response",
    needs = {},
    of = "conn",
    guard = 67,
    when = { [[((f.count(there.streams) or 0) > 0)]], "there" },
    finds = {
      [[f.predicates.has_nearly_known("streams there.streams", c["streams[]"], there.streams)]],
      "c there",
    },
    says = { [[f.say("%s: there is no stream %s is in use", name, f.whole(found))]], "name found" },
    cause = "The name is misspelt, or one program uses other letters or separators than the others.",
  },
  {
    id = "RMQ-I1",
    name = "rmq_i1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Publish for an undeclared publisher",
    on = "publish",
    since = { [[f.since(conn, n)]], "conn n" },
    needs = { "since" },
    of = "pub",
    when = { [=[LISTS[43][pub.state]]=], "pub" },
    says = {
      [[f.say("Publish for publisher %s, which is not declared (%s)", c.publisher_id, pub.state)]],
      "c pub",
    },
    by = { [[pub.state]], "pub" },
    causes = {
      absent = "The client publishes before it declares the publisher.",
      removed = "The client publishes after it has deleted the publisher.",
      refused = "The client publishes although the broker has refused the publisher.",
    },
  },
  {
    id = "RMQ-I1b",
    name = "rmq_i1b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publish in flight when the stream was removed",
    on = "publish",
    since = { [[f.since(conn, n)]], "conn n" },
    needs = { "since" },
    of = "pub",
    when = { [[(pub.state == "lost")]], "pub" },
    says = {
      [[f.say("Publish for publisher %s, which was removed with its stream in frame %s", c.publisher_id, pub.ended_n)]],
      "c pub",
    },
  },
  {
    id = "RMQ-I2",
    name = "rmq_i2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Publisher id already in use",
    on = "declare_publisher",
    needs = { "object", "both" },
    of = "pub",
    when = { [=[LISTS[44][pub.state]]=], "pub" },
    says = {
      [[f.say("publisher %s is declared again; it has been %s since frame %s", c.publisher_id, pub.state, pub.n)]],
      "c pub",
    },
    cause = "The client reuses an id, or its counter has wrapped.",
  },
  {
    id = "RMQ-I2b",
    name = "rmq_i2b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Publisher reference already in use",
    on = "declare_publisher_response",
    needs = {},
    of = "taken_reference",
    guard = 40,
    when = {
      [[((f.len(req.publisher_reference) ~= nil and 0 < f.len(req.publisher_reference)) and ((f.len(req.publisher_reference) or 256) <= 255))]],
      "req",
    },
    says = { [[f.say("publisher '%s' of %s was refused", req.publisher_reference, req.stream)]], "req" },
    cause = "A publisher with this id, or with this reference for the stream, already exists: it was not deleted before. It is a note if it is declared later.",
  },
  {
    id = "RMQ-I3",
    name = "rmq_i3",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "No free publisher id",
    on = "declare_publisher",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[((f.live(conn, "pub") or 255) >= 256)]], "conn" },
    says = { [[f.say("another publisher is declared, although this connection already has 256")]] },
    cause = "The id counter exceeds 255; open another connection.",
  },
  {
    id = "RMQ-I11",
    name = "rmq_i11",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Reused publishing id of a named publisher",
    on = "publish",
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (pub.repeats ~= nil and pub.repeats > 0) and (f.greatest(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.greatest(c["published_messages.publishing_id[]"]) == pub.top) and (f.missing(pub.waiting, c["published_messages.publishing_id[]"]) ~= nil and c["#published_messages"] ~= nil and f.missing(pub.waiting, c["published_messages.publishing_id[]"]) == c["#published_messages"]))]],
      "c pub",
    },
    says = {
      [[f.say("publisher '%s' publishes again with id %s, which was confirmed to it before: the broker confirms the message but drops it", pub.reference, pub.top)]],
      "pub",
    },
    cause = "The publishing ids do not grow from message to message: they are constant, come from a clock that is too coarse, or the counter has started again.",
  },
  {
    id = "RMQ-I6",
    name = "rmq_i6",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Decreasing publishing ids",
    on = "publish",
    needs = { "object" },
    of = "pub",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and ((f.least(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.least(c["published_messages.publishing_id[]"]) <= pub.top) or ((pub.top == nil) and (pub.stored ~= nil and pub.stored > 0) and (f.least(c["published_messages.publishing_id[]"]) ~= nil and pub.stored ~= nil and f.least(c["published_messages.publishing_id[]"]) <= pub.stored))))]],
      "c pub",
    },
    says = {
      [[f.say("publisher '%s' starts again at publishing id %s: brokers confirm these messages but drop them", pub.reference, f.least(c["published_messages.publishing_id[]"]))]],
      "c pub",
    },
    cause = "Deduplication is at work, or the id counter has started again.",
  },
  {
    id = "RMQ-I6b",
    name = "rmq_i6b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "All published messages dropped as duplicates",
    on = "end:pub",
    evidence = { [[f.first_known(pub.publish_n, pub.n)]], "pub" },
    needs = { "object" },
    of = "pub",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (pub.top ~= nil and pub.stored ~= nil and pub.top <= pub.stored) and ((pub.unsure_to == nil) or (pub.low ~= nil and pub.unsure_from ~= nil and pub.low <= pub.unsure_from) or (pub.top ~= nil and pub.unsure_to ~= nil and pub.top > pub.unsure_to)))]],
      "pub",
    },
    says = {
      [[f.say("all publishing ids of publisher '%s' are at most %s, which was already stored: brokers confirm these messages but drop them", pub.reference, pub.stored)]],
      "pub",
    },
    cause = "The counter of publishing ids starts again; it must continue from the broker's answer to QueryPublisherSequence.",
  },
  {
    id = "RMQ-I12",
    name = "rmq_i12",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publishing id of an unnamed publisher in use",
    on = "publish",
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[((f.len(pub.reference) == 0) and (f.coalesce(pub.sampled, 0) < K.SAMPLE) and (f.first(c["published_messages.publishing_id[]"]) ~= nil and pub.top ~= nil and f.first(c["published_messages.publishing_id[]"]) <= pub.top) and ((f.held(pub.waiting, c["published_messages.publishing_id[]"]) or 0) > 0))]],
      "c pub",
    },
    says = {
      [[f.say("publishing id %s of publisher %s is used again while a message with it waits for its confirm", f.first(c["published_messages.publishing_id[]"]), c.publisher_id)]],
      "c",
    },
    cause = "The publishing ids do not grow from message to message: a confirm does not say which message is stored.",
  },
  {
    id = "RMQ-I7",
    name = "rmq_i7",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Messages without a confirm",
    on = "end:pub",
    evidence = { [[f.first_known(f.oldest_n(pub.waiting), pub.publish_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.count(pub.waiting) or 0) > 0) and (pub.error_n == nil) and ((LISTS[7][why] and ((C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side))) or ((why == "removed") and (f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) > (K.RACE + f.coalesce(conn.trip, 0))))))]],
      "pub why C conn t",
    },
    says = {
      [[f.say("publisher %s to %s ended with %s unconfirmed", pub.id, pub.stream, f.counted(f.count(pub.waiting), "message", "messages"))]],
      "pub",
    },
    cause = "The client closes the connection before the confirms arrive.",
    by = { [[why]], "why" },
    causes = { removed = "The client deletes the publisher before the confirms arrive." },
  },
  {
    id = "RMQ-I7b",
    name = "rmq_i7b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Publisher deleted just after its last messages",
    on = "end:pub",
    evidence = { [[f.first_known(f.oldest_n(pub.waiting), pub.publish_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.count(pub.waiting) or 0) > 0) and (pub.error_n == nil) and (why == "removed") and (f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) <= (K.RACE + f.coalesce(conn.trip, 0))))]],
      "pub why t conn",
    },
    says = {
      [[f.say("publisher %s to %s was deleted with %s unconfirmed", pub.id, pub.stream, f.counted(f.count(pub.waiting), "message", "messages"))]],
      "pub",
    },
    cause = "The client does not wait for the confirms, so it cannot know whether the messages are stored.",
  },
  {
    id = "RMQ-I7c",
    name = "rmq_i7c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Messages not confirmed yet when the captures end",
    on = "end:pub",
    evidence = { [[f.first_known(f.oldest_n(pub.waiting), pub.publish_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.count(pub.waiting) or 0) > 0) and (pub.error_n == nil) and (why == "end") and (f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) > K.SLOW_ANSWER))]],
      "pub why t",
    },
    says = {
      [[f.say("%s of publisher %s to %s had no confirm when the captures ended, the oldest one for %s", f.counted(f.count(pub.waiting), "message", "messages"), pub.id, pub.stream, f.time((f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) or nil)))]],
      "pub t",
    },
    cause = "The broker is blocked, for instance by an alarm, or too few replicas of the stream are running.",
  },
  {
    id = "RMQ-I7d",
    name = "rmq_i7d",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Messages without a confirm when the broker ended the connection",
    on = "end:pub",
    evidence = { [[f.first_known(f.oldest_n(pub.waiting), pub.publish_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.count(pub.waiting) or 0) > 0) and (pub.error_n == nil) and LISTS[7][why] and (C.close_n == nil) and (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin ~= C.side))]],
      "pub why C conn",
    },
    says = {
      [[f.say("publisher %s to %s ended with %s unconfirmed, as the broker ended the connection", pub.id, pub.stream, f.counted(f.count(pub.waiting), "message", "messages"))]],
      "pub",
    },
    cause = "Whether these messages are stored is unknown: the client has to publish them again, with the same publishing ids.",
  },
  {
    id = "RMQ-I8",
    name = "rmq_i8",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Confirm for unknown publishing ids",
    on = "server:publish_confirm",
    since = { [[f.since(conn, n)]], "conn n" },
    needs = { "since" },
    of = "pub",
    when = {
      [[(((f.missing(pub.waiting, c["publishing_ids[]"]) or 0) > 0) or (pub.state == "absent"))]],
      "c pub",
    },
    says = {
      [[f.say("publishing ids %s were confirmed to publisher %s, which has no such unconfirmed messages", c["publishing_ids[]"], c.publisher_id)]],
      "c",
    },
  },
  {
    id = "RMQ-I9",
    name = "rmq_i9",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "TCP zero window of the broker while clients publish",
    on = "server:tcp.zero_window",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = {},
    of = "conn",
    when = { [[((f.live(conn, "pub") or 0) > 0)]], "conn" },
    says = { [[f.say("the broker closed its TCP window while publishers are active")]] },
    cause = "Brokers stop reading at 50 000 unconfirmed messages, or when disk or memory is short.",
  },
  {
    id = "RMQ-I9b",
    name = "rmq_i9b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Late confirm",
    on = "publish_confirm",
    needs = { "object" },
    of = "pub",
    when = {
      [[((f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) > K.BLOCKED) and ((f.count(pub.waiting) ~= nil and f.count(pub.waiting) < K.FLOOD) or ((t - f.coalesce(pub.confirmed_t, t)) > K.BLOCKED)))]],
      "pub t",
    },
    says = {
      [[f.say("a message of publisher %s to %s was confirmed only after %s", c.publisher_id, pub.stream, f.time((f.oldest_t(pub.waiting) ~= nil and (t - f.oldest_t(pub.waiting)) or nil)))]],
      "c pub t",
    },
  },
  {
    id = "RMQ-I9c",
    name = "rmq_i9c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Many unconfirmed messages",
    on = "publish",
    needs = { "object" },
    of = "pub",
    when = { [[((f.count(pub.waiting) or 44999) >= 45000)]], "pub" },
    says = {
      [[f.say("%s messages of publisher %s are unconfirmed; at 50 000 the broker stops reading", f.count(pub.waiting), c.publisher_id)]],
      "c pub",
    },
    cause = "The client publishes faster than the broker confirms, and does not wait.",
  },
  {
    id = "RMQ-U1",
    name = "rmq_u1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Missing filter value in Publish version 2",
    problem = { negative = true, short = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "publish")]], "name" },
    when = {
      [[((version == 2) and ((2147483648.0 > f.coalesce(problem_value, 0)) or ((f.coalesce(problem_value, 0) or 3489660927.0) >= 3489660928.0)))]],
      "version problem_value",
    },
    says = {
      [[f.say("the messages of Publish version 2 cannot be separated; each must begin with a filter value")]],
    },
    cause = "The filter value is missing, or null is written in four bytes; it takes two.",
  },
  {
    id = "RMQ-U2",
    name = "rmq_u2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Sub-batch in Publish version 2",
    problem = { negative = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "publish")]], "name" },
    when = {
      [[((version == 2) and ((2147483648.0 <= f.coalesce(problem_value, 0)) and ((f.coalesce(problem_value, 0) or 3489660928.0) < 3489660928.0)))]],
      "version problem_value",
    },
    says = { [[f.say("Publish version 2 contains a sub-batch, which only version 1 can")]] },
    cause = "Filter values cannot be combined with sub-batches and their compression.",
  },
  {
    id = "RMQ-U4",
    name = "rmq_u4",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Published messages that do not end at the end of the frame",
    problem = { negative = true, nofit = true, short = true, trailing = true },
    needs = {},
    of = "conn",
    fixed = { [[(name == "publish")]], "name" },
    when = {
      [[((version ~= nil and version ~= 2) or ((2147483648.0 > f.coalesce(problem_value, 0)) or ((f.coalesce(problem_value, 0) or 3489660927.0) >= 3489660928.0)))]],
      "version problem_value",
    },
    says = {
      [[f.say("the messages of Publish do not end where the frame ends: %s", f.whole(problem_text))]],
      "problem_text",
    },
    cause = "A length or the number of messages is wrong; the broker's parser crashes on it.",
  },
  {
    id = "RMQ-U5",
    name = "rmq_u5",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Publish without messages",
    on = "publish",
    needs = {},
    of = "conn",
    guard = 68,
    says = { [[f.say("Publish contains no message: the broker confirms nothing")]] },
    cause = "The batch is sent although it is empty; a program that waits for its confirm waits for ever.",
  },
  {
    id = "RMQ-U7",
    name = "rmq_u7",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Publishing errors (PublishError)",
    on = "publish_error",
    needs = {},
    of = "pub",
    when = { [[(pub.state ~= nil and pub.state ~= "lost")]], "pub" },
    says = {
      [[f.say("the broker refused %s of publisher %s: %s", f.counted(c["#publishing_errors"], "message", "messages"), c.publisher_id, f.named(f.first(c["publishing_errors.code[]"]), names.response_code))]],
      "c",
    },
    cause = "The messages are not stored.",
    by = { [[f.first(c["publishing_errors.code[]"])]], "c" },
    causes = {
      [2] = "The messages are not stored: the stream does not exist.",
      [6] = "The messages are not stored: the stream is not available, for example without a leader.",
      [16] = "The messages are not stored: the user has no write permission for the stream.",
      [17] = "The messages are not stored: they are invalid, such as a sub-batch that cannot be stored.",
      [18] = "The messages are not stored: no publisher with this id is declared.",
    },
  },
  {
    id = "RMQ-U7b",
    name = "rmq_u7b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Publishing errors after MetadataUpdate",
    on = "publish_error",
    needs = {},
    of = "pub",
    when = { [[(pub.state == "lost")]], "pub" },
    says = {
      [[f.say("the broker refused %s of publisher %s after its stream %s became unavailable: %s", f.counted(c["#publishing_errors"], "message", "messages"), c.publisher_id, pub.stream, f.named(f.first(c["publishing_errors.code[]"]), names.response_code))]],
      "c pub",
    },
    cause = "The messages are not stored; the client must publish them again to the new leader.",
  },
  {
    id = "RMQ-U10",
    name = "rmq_u10",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Compression that does not pay",
    on = "end:pub",
    evidence = { [[f.first_known(pub.unpaid_latest_n, pub.unpaid_second_n)]], "pub" },
    needs = {},
    of = "pub",
    when = {
      [[((pub.unpaid_count ~= nil and pub.unpaid_count >= K.UNPAID_LIMIT) and (pub.unpaid_count ~= nil and pub.unpaid_among ~= nil and (pub.unpaid_count * 100) >= (pub.unpaid_among * 50)))]],
      "pub",
    },
    says = {
      [[f.say("%s of the first %s Publish frames of publisher %s to %s have a compressed sub-batch that is no smaller, or hardly smaller, than its messages", pub.unpaid_count, pub.unpaid_among, pub.id, pub.stream)]],
      "pub",
    },
    cause = "The messages are few, short, random, or compressed already: compression costs time on both sides and saves nothing.",
  },
  {
    id = "RMQ-U18",
    name = "rmq_u18",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Sub-batches of a named publisher",
    on = "publish",
    needs = {},
    of = "pub",
    guard = 69,
    when = { [[((pub.publish_n == nil) and ((f.len(pub.reference) or 0) > 0))]], "pub" },
    says = {
      [[f.say("publisher '%s' sends sub-batches: the broker recognises repetitions of a whole sub-batch by its publishing id, not of its messages", pub.reference)]],
      "pub",
    },
    cause = "A sub-batch that has other messages when it is sent again is stored as another one, so that some messages are stored twice.",
  },
  {
    id = "RMQ-S9c",
    name = "rmq_s9c",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Filter value of messages that was not meant",
    on = "end:pub",
    evidence = { [[f.first_known(pub.filter_n, pub.first_filter_n)]], "pub" },
    needs = {},
    of = "pub",
    when = { [[((f.count(pub.filters) or 0) > 0)]], "pub" },
    finds = { [[f.predicates.has_mistaken_filter("pub.filters", pub.filters)]], "pub" },
    says = {
      [[f.say("messages of publisher %s to %s have the filter value %s", pub.id, pub.stream, f.whole(found))]],
      "pub found",
    },
    cause = "The program makes the value of an unset or an unexpected value.",
  },
  {
    id = "RMQ-I3b",
    name = "rmq_i3b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "No free subscription id",
    on = "subscribe",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[((f.live(conn, "sub") or 255) >= 256)]], "conn" },
    says = { [[f.say("another subscription is requested, although this connection already has 256")]] },
    cause = "The id counter exceeds 255; open another connection.",
  },
  {
    id = "RMQ-I4",
    name = "rmq_i4",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Subscription id already in use",
    on = "subscribe",
    needs = { "object", "both" },
    of = "sub",
    when = { [[(LISTS[44][sub.state] and (sub.leaving_n == nil))]], "sub" },
    says = {
      [[f.say("subscription %s is requested again; it has been %s since frame %s", c.subscription_id, sub.state, sub.n)]],
      "c sub",
    },
    cause = "The client reuses an id, or its counter has wrapped.",
  },
  {
    id = "RMQ-I5",
    name = "rmq_i5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Credit or Unsubscribe for an unknown subscription",
    on = "credit unsubscribe",
    since = { [[f.since(conn, n)]], "conn n" },
    needs = { "since" },
    of = "sub",
    when = {
      [[(LISTS[45][sub.state] or ((sub.state == "removed") and (sub.ended_t ~= nil and (t - sub.ended_t) > (K.RACE + f.coalesce(conn.trip, 0)))))]],
      "sub t conn",
    },
    says = {
      [[f.say("%s for subscription %s, which is %s", name, c.subscription_id, sub.state)]],
      "c name sub",
    },
    by = { [[f.choose((sub.state == "removed"), name, sub.state)]], "sub name" },
    causes = {
      absent = "The client never subscribed with this id.",
      refused = "The broker refused the subscription.",
      credit = "The client continues to give credit after Unsubscribe, for chunks that it still processes, for example.",
      unsubscribe = "The client unsubscribes twice.",
    },
  },
  {
    id = "RMQ-I5b",
    name = "rmq_i5b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Credit or Unsubscribe in flight when the subscription ended",
    on = "credit unsubscribe",
    since = { [[f.since(conn, n)]], "conn n" },
    needs = { "since" },
    of = "sub",
    when = {
      [[(((sub.state == "removed") and (sub.ended_t ~= nil and (t - sub.ended_t) <= (K.RACE + f.coalesce(conn.trip, 0)))) or (sub.state == "lost") or ((name == "credit") and (sub.state == "live") and (sub.leaving_n ~= nil)))]],
      "sub t conn name",
    },
    says = {
      [[f.say("%s for subscription %s, which is ending or has just ended", name, c.subscription_id)]],
      "c name",
    },
  },
  {
    id = "RMQ-C1",
    name = "rmq_c1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Delivery without credit",
    on = "deliver",
    needs = { "object", "both" },
    of = "sub",
    when = { [[((sub.balance ~= nil and sub.balance <= 0) or LISTS[46][sub.state])]], "sub" },
    says = {
      [[f.say("Deliver to subscription %s, whose credit is %s (%s)", c.subscription_id, sub.balance, sub.state)]],
      "c sub",
    },
  },
  {
    id = "RMQ-C2",
    name = "rmq_c2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription without credit while messages wait",
    on = "timer:starve",
    evidence = { [[f.first_known(sub.deliver_n, sub.credit_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.balance ~= nil and sub.balance <= 0) and ((sub.committed ~= nil and sub.next ~= nil and sub.committed >= sub.next) or (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.next ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) > sub.next)))]],
      "sub tail",
    },
    says = {
      [[f.say("subscription %s has had no credit for %s while messages from offset %s wait", sub.id, f.time(K.STARVING), sub.next)]],
      "sub",
    },
    cause = "The client has not given credit for the chunks that it received: it forgets to, or still processes them.",
  },
  {
    id = "RMQ-C2b",
    name = "rmq_c2b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription without credit",
    on = "timer:starve",
    evidence = { [[f.first_known(sub.deliver_n, sub.credit_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[(((sub.balance ~= nil and sub.balance <= 0) and (sub.committed ~= nil and sub.next ~= nil and sub.committed < sub.next) and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.next ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) <= sub.next)) or ((sub.balance ~= nil and sub.balance <= 0) and (sub.committed == nil) and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.next ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) <= sub.next)))]],
      "sub tail",
    },
    says = {
      [[f.say("subscription %s has had no credit for %s; whether messages wait is unknown", sub.id, f.time(K.STARVING))]],
      "sub",
    },
  },
  {
    id = "RMQ-C3",
    name = "rmq_c3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription with at most half of its initial credit while messages wait",
    on = "timer:hold timer:held",
    evidence = { [[f.first_known(f.coalesce(sub.credit_n, sub.deliver_n))]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[(((sub.balance ~= nil and 0 < sub.balance) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance <= math.floor(sub.initial / 2))) and ((f.release(conn.broker_version) or 3011007) >= 3011008) and ((sub.committed ~= nil and sub.next ~= nil and sub.committed >= sub.next) or (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.next ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) > sub.next)))]],
      "sub conn tail",
    },
    says = {
      [[f.say("subscription %s has credit %s of its initial %s; at half of it or less brokers wait for more", sub.id, sub.balance, sub.initial)]],
      "sub",
    },
    cause = "Once a subscription has used up half of its initial credit, brokers from 3.11.8 on wait until it has more than half again.",
  },
  {
    id = "RMQ-C3b",
    name = "rmq_c3b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription with at most half of its initial credit",
    on = "timer:held",
    evidence = { [[f.first_known(f.coalesce(sub.credit_n, sub.deliver_n))]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[(((sub.balance ~= nil and 0 < sub.balance) and (sub.balance ~= nil and sub.initial ~= nil and sub.balance <= math.floor(sub.initial / 2))) and ((f.release(conn.broker_version) or 3011007) >= 3011008) and ((sub.next ~= nil and f.coalesce(sub.committed, -1) < sub.next) and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.next ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) <= sub.next)))]],
      "sub conn tail",
    },
    says = {
      [[f.say("subscription %s has had credit %s of its initial %s for %s; whether messages wait is unknown", sub.id, sub.balance, sub.initial, f.time(K.STARVING))]],
      "sub",
    },
    cause = "Once a subscription has used up half of its initial credit, brokers from 3.11.8 on wait until it has more than half again.",
  },
  {
    id = "RMQ-C3c",
    name = "rmq_c3c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Delivery delayed by a credit of at most half the initial one",
    on = "deliver",
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.low_t ~= nil and (f.coalesce(sub.raised_t, t) - sub.low_t) > K.HELD_BACK) and ((t - f.coalesce(sub.raised_t, t)) <= K.RACE) and (c["chunk.timestamp"] ~= nil and sub.low_t ~= nil and (c["chunk.timestamp"] * 1000000) < sub.low_t))]],
      "c sub t",
    },
    says = {
      [[f.say("chunk %s was available and waited %s for more credit; subscription %s began with %s", c["chunk.chunk_id"], f.time((sub.low_t ~= nil and (t - sub.low_t) or nil)), c.subscription_id, sub.initial)]],
      "c sub t",
    },
    cause = "Once a subscription has used up half of its initial credit, brokers from 3.11.8 on wait until it has more than half again.",
  },
  {
    id = "RMQ-C4",
    name = "rmq_c4",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Credit refused",
    on = "credit_response",
    needs = { "start", "whole", "both" },
    of = "sub",
    guard = 70,
    when = {
      [[((sub.state ~= nil and not LISTS[47][sub.state]) or (sub.ended_t ~= nil and (t - sub.ended_t) > 1000000000.0))]],
      "sub t",
    },
    says = {
      [[f.say("Credit for subscription %s was refused: %s", c.subscription_id, f.named(c.response_code, names.response_code))]],
      "c",
    },
    by = { [[c.response_code]], "c" },
    causes = { [4] = "The subscription does not exist." },
  },
  {
    id = "RMQ-C4b",
    name = "rmq_c4b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Credit refused without harm",
    on = "credit_response",
    needs = {},
    of = "sub",
    when = {
      [[((c.response_code == 17) or (LISTS[47][sub.state] and (sub.ended_t ~= nil and (t - sub.ended_t) <= 1000000000.0)) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "c sub t conn",
    },
    says = {
      [[f.say("Credit for subscription %s was refused: %s", c.subscription_id, f.named(c.response_code, names.response_code))]],
      "c",
    },
    by = { [[c.response_code]], "c" },
    causes = {
      [4] = "The subscription does not exist.",
      [17] = "A consumer that is not the active one of its group gives credit.",
    },
  },
  {
    id = "RMQ-C5",
    name = "rmq_c5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Far more credit than deliveries",
    on = "credit",
    needs = { "object", "both" },
    of = "sub",
    guard = 11,
    when = {
      [[((sub.balance ~= nil and c.credit ~= nil and sub.initial ~= nil and (sub.balance + c.credit) > ((4 * sub.initial) + 20)) and (sub.balance ~= nil and c.credit ~= nil and sub.most ~= nil and (sub.balance + c.credit) > sub.most) and (sub.raises ~= nil and sub.raises >= K.CREDIT_RAISES))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s has credit %s and receives %s more; it began with %s", c.subscription_id, sub.balance, c.credit, sub.initial)]],
      "c sub",
    },
    cause = "The client gives more credit than chunks arrive.",
    by = {
      [[(((sub.messages ~= nil and sub.chunks ~= nil and sub.messages > sub.chunks) and (sub.granted ~= nil and c.credit ~= nil and sub.initial ~= nil and sub.messages ~= nil and ((sub.granted + c.credit) - sub.initial) <= sub.messages)) and "messages" or "chunks")]],
      "c sub",
    },
    causes = { messages = "The client gives credit for each message; credit counts chunks." },
  },
  {
    id = "RMQ-C6",
    name = "rmq_c6",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Credit of zero or less",
    on = "credit",
    needs = {},
    of = "conn",
    guard = 71,
    says = {
      [[f.say("Credit with %s %s", c.credit, ((c.credit == 0) and "grants nothing" or "takes credit away"))]],
      "c",
    },
    by = { [[((c.credit == 0) and "none" or "negative")]], "c" },
    causes = { negative = "The number is above 32,767 or below 0: brokers read it as signed." },
  },
  {
    id = "RMQ-C8",
    name = "rmq_c8",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Very large credit",
    on = "subscribe credit",
    needs = {},
    of = "sub",
    guard = 72,
    says = {
      [[f.say("%s grants a credit of %s chunks: each of them may hold thousands of messages", name, c.credit)]],
      "c name",
    },
    cause = "The client counts messages instead of chunks, or wants no limit: there is no back-pressure, and what it has not processed yet waits in its memory.",
  },
  {
    id = "RMQ-C9",
    name = "rmq_c9",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Consumer that falls behind",
    on = "deliver",
    since = { [[f.since(conn, n, sub.n)]], "conn n sub" },
    needs = { "since", "both" },
    of = "sub",
    when = {
      [[((sub.selects == nil) and (sub.first_age ~= nil) and (c["chunk.timestamp"] ~= nil and f.max(sub.first_age, 0) ~= nil and (t - (c["chunk.timestamp"] * 1000000)) > (f.max(sub.first_age, 0) + K.LAGGING)))]],
      "c sub t",
    },
    says = {
      [[f.say("subscription %s of %s receives a chunk %s after it was written, %s later than its first one", c.subscription_id, sub.stream, f.time((c["chunk.timestamp"] ~= nil and (t - (c["chunk.timestamp"] * 1000000)) or nil)), f.time((c["chunk.timestamp"] ~= nil and f.max(sub.first_age, 0) ~= nil and ((t - (c["chunk.timestamp"] * 1000000)) - f.max(sub.first_age, 0)) or nil)))]],
      "c sub t",
    },
    cause = "The consumer processes messages more slowly than they are published, and gives credit late.",
  },
  {
    id = "RMQ-C7",
    name = "rmq_c7",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription that never had credit",
    on = "timer:never",
    evidence = { [[f.first_known(sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = { [[(sub.granted == 0)]], "sub" },
    says = {
      [[f.say("subscription %s began with credit 0 and has received none for %s", sub.id, f.time(K.STARVING))]],
      "sub",
    },
    cause = "Nothing is delivered until the client gives credit.",
  },
  {
    id = "RMQ-D1",
    name = "rmq_d1",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Deliver without a valid chunk",
    on = "deliver",
    needs = {},
    of = "conn",
    guard = 73,
    says = {
      [[f.say("Deliver does not contain a valid chunk: magic %s, version %s, type %s", c["chunk.magic"], c["chunk.version"], c["chunk.chunk_type"])]],
      "c",
    },
  },
  {
    id = "RMQ-D2",
    name = "rmq_d2",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Chunk entries that do not match the chunk header",
    problem = { claim = true, negative = true, short = true, trailing = true },
    needs = {},
    of = "conn",
    guard = 74,
    fixed = { [[(name == "deliver")]], "name" },
    when = {
      [[(f.one_of(f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)), {c["chunk.data_length"], (c["chunk.data_length"] ~= nil and c["chunk.trailer_length"] ~= nil and (c["chunk.data_length"] + c["chunk.trailer_length"]) or nil)}) and (f.coalesce(problem_field, "") ~= "chunk.num_records"))]],
      "c version size problem_field",
    },
    says = {
      [[f.say("the entries of chunk %s differ from its header in number or length", c["chunk.chunk_id"])]],
      "c",
    },
  },
  {
    id = "RMQ-D3",
    name = "rmq_d3",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Message count mismatch in a chunk",
    problem = { claim = true },
    needs = {},
    of = "conn",
    guard = 74,
    fixed = { [[(name == "deliver")]], "name" },
    when = {
      [[(f.one_of(f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)), {c["chunk.data_length"], (c["chunk.data_length"] ~= nil and c["chunk.trailer_length"] ~= nil and (c["chunk.data_length"] + c["chunk.trailer_length"]) or nil)}) and (problem_field == "chunk.num_records"))]],
      "c version size problem_field",
    },
    says = {
      [[f.say("chunk %s announces %s, but its entries contain another number", c["chunk.chunk_id"], f.counted(c["chunk.num_records"], "message", "messages"))]],
      "c",
    },
    by = {
      [[((c["chunk.num_records"] ~= nil and c["chunk.num_entries"] ~= nil and c["chunk.num_records"] ~= c["chunk.num_entries"]) and "batches" or "plain")]],
      "c",
    },
    causes = { batches = "A sub-batch may miscount its messages." },
  },
  {
    id = "RMQ-D4",
    name = "rmq_d4",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Chunk length that does not match the frame",
    on = "deliver",
    needs = {},
    of = "conn",
    guard = 75,
    when = {
      [[((f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)) ~= nil and c["chunk.data_length"] ~= nil and f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)) ~= c["chunk.data_length"]) and (f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)) ~= nil and c["chunk.data_length"] ~= nil and c["chunk.trailer_length"] ~= nil and f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)) ~= (c["chunk.data_length"] + c["chunk.trailer_length"])))]],
      "c version size",
    },
    says = {
      [[f.say("chunk %s announces %s bytes of data, which does not match the frame of %s bytes", c["chunk.chunk_id"], c["chunk.data_length"], size)]],
      "c size",
    },
  },
  {
    id = "RMQ-D5",
    name = "rmq_d5",
    severity = "ERROR",
    group = "CHECKSUM",
    title = "Chunk checksum mismatch",
    problem = { checksum = true },
    needs = {},
    of = "conn",
    guard = 74,
    fixed = { [[(name == "deliver")]], "name" },
    when = {
      [[f.one_of(f.choose((version == 1), (size ~= nil and (size - 57) or nil), (size ~= nil and (size - 65) or nil)), {c["chunk.data_length"], (c["chunk.data_length"] ~= nil and c["chunk.trailer_length"] ~= nil and (c["chunk.data_length"] + c["chunk.trailer_length"]) or nil)})]],
      "c version size",
    },
    says = {
      [[f.say("checksum mismatch: the CRC of chunk %s is not that of its data", c["chunk.chunk_id"])]],
      "c",
    },
    cause = "Bytes were changed in transit or on disk.",
  },
  {
    id = "RMQ-D6",
    name = "rmq_d6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing or repeated chunk ids",
    on = "deliver",
    since = { [[f.since(conn, n, sub.deliver_n)]], "conn n sub" },
    needs = { "since", "both" },
    of = "sub",
    when = {
      [[((c["chunk.chunk_id"] ~= nil and sub.chunk_id ~= nil and c["chunk.chunk_id"] <= sub.chunk_id) and (sub.deliver_n ~= nil and f.coalesce(sub.placed_n, 0) <= sub.deliver_n))]],
      "c sub",
    },
    says = {
      [[f.say("chunk %s was delivered after chunk %s", c["chunk.chunk_id"], sub.chunk_id)]],
      "c sub",
    },
    cause = "Chunks arrive out of order, or come from a log that was truncated.",
    by = {
      [[((c["chunk.chunk_id"] ~= nil and sub.chunk_id ~= nil and c["chunk.chunk_id"] == sub.chunk_id) and "again" or "back")]],
      "c sub",
    },
    causes = { again = "The chunk is delivered twice." },
  },
  {
    id = "RMQ-D17",
    name = "rmq_d17",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages missing between two chunks",
    on = "deliver",
    since = { [[f.since(conn, n, sub.deliver_n)]], "conn n sub" },
    needs = { "since", "both" },
    of = "sub",
    when = {
      [[((sub.selects == nil) and (f.coalesce(sub.selector, "") ~= "all") and (c["chunk.chunk_id"] ~= nil and sub.next ~= nil and c["chunk.chunk_id"] > (sub.next + K.ABSENT)))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s received the chunk at %s right after messages up to %s: the %s in between were not delivered", c.subscription_id, sub.stream, c["chunk.chunk_id"], (sub.next ~= nil and (sub.next - 1) or nil), (c["chunk.chunk_id"] ~= nil and sub.next ~= nil and (c["chunk.chunk_id"] - sub.next) or nil))]],
      "c sub",
    },
    cause = "The stream has deleted them, by max-length-bytes or max-age, before the consumer had credit for them; or the leader has changed and its log differs.",
  },
  {
    id = "RMQ-D7",
    name = "rmq_d7",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing committed chunk id",
    on = "deliver",
    since = { [[f.since(conn, n, sub.deliver_n)]], "conn n sub" },
    needs = { "since" },
    of = "conn",
    when = {
      [[((conn.both and (c.committed_chunk_id ~= nil and sub.committed ~= nil and c.committed_chunk_id < sub.committed)) or (c.committed_chunk_id ~= nil and c["chunk.chunk_id"] ~= nil and c.committed_chunk_id < c["chunk.chunk_id"]))]],
      "c conn sub",
    },
    says = {
      [[f.say("committed chunk %s was announced with chunk %s, after %s", c.committed_chunk_id, c["chunk.chunk_id"], sub.committed)]],
      "c sub",
    },
  },
  {
    id = "RMQ-D8",
    name = "rmq_d8",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Deliver version that was not negotiated",
    on = "deliver",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[((version == 2) and (f.coalesce(C.deliver_max, 1) ~= 2))]], "version C" },
    says = { [[f.say("Deliver has version 2, which the client has not requested")]] },
    cause = "The client's maximum version of Deliver must be exactly 2.",
  },
  {
    id = "RMQ-D10",
    name = "rmq_d10",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Chunk timestamp in the future",
    on = "deliver",
    needs = {},
    of = "conn",
    when = {
      [[(c["chunk.timestamp"] ~= nil and (c["chunk.timestamp"] * 1000000) > (t + K.FUTURE))]],
      "c t",
    },
    says = { [[f.say("chunk %s has a timestamp later than its delivery", c["chunk.chunk_id"])]], "c" },
    cause = "The clocks of broker and capture differ.",
  },
  {
    id = "RMQ-D11",
    name = "rmq_d11",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Chunk without user messages",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    guard = 76,
    when = { [[(f.coalesce(sub.selector, "") ~= "all")]], "sub" },
    says = {
      [[f.say("the broker sent a chunk of type %s, which has no messages, to a subscription that did not ask for all chunks", c["chunk.chunk_type"])]],
      "c",
    },
  },
  {
    id = "RMQ-D12",
    name = "rmq_d12",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Messages before the requested offset",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 4) and ((c["chunk.chunk_id"] ~= nil and sub.wanted ~= nil and c["chunk.chunk_id"] < sub.wanted) and (sub.wanted ~= nil and c["chunk.chunk_id"] ~= nil and c["chunk.num_records"] ~= nil and sub.wanted < (c["chunk.chunk_id"] + c["chunk.num_records"]))))]],
      "c sub",
    },
    says = {
      [[f.say("the first chunk starts at offset %s, but %s was requested: the client must drop the messages before it", c["chunk.chunk_id"], sub.wanted)]],
      "c sub",
    },
    cause = "A client that does not drop them passes on messages that were not requested.",
  },
  {
    id = "RMQ-D12b",
    name = "rmq_d12b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Requested offset beyond the end of the stream",
    on = "deliver",
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 4) and (c["chunk.chunk_id"] ~= nil and c["chunk.num_records"] ~= nil and sub.wanted ~= nil and (c["chunk.chunk_id"] + c["chunk.num_records"]) <= sub.wanted))]],
      "c sub",
    },
    says = {
      [[f.say("offset %s of %s was requested, but the first chunk has the messages from %s to %s: the client drops all messages until the stream has reached %s", sub.wanted, sub.stream, c["chunk.chunk_id"], (c["chunk.chunk_id"] ~= nil and c["chunk.num_records"] ~= nil and ((c["chunk.chunk_id"] + c["chunk.num_records"]) - 1) or nil), sub.wanted)]],
      "c sub",
    },
    cause = "The offset was kept from a stream that has been deleted and created again, or belongs to another stream.",
  },
  {
    id = "RMQ-D13",
    name = "rmq_d13",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Subscription offset far beyond the end",
    on = "timer:nothing",
    evidence = { [[f.first_known(sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and ((sub.wanted ~= nil and sub.wanted > K.FIRST_OFFSETS) or ((sub.wanted ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.wanted > (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) + K.AHEAD)) and ((f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) or 0) > 0))))]],
      "sub tail",
    },
    says = {
      [[f.say("subscription %s starts at offset %s of %s and has received nothing for %s", sub.id, sub.wanted, sub.stream, f.time(K.STARVING))]],
      "sub",
    },
    cause = "The offset is far beyond what the stream is known to hold.",
    by = {
      [[((sub.wanted ~= nil and sub.wanted > K.LAST_OFFSET) and "negative" or ((sub.wanted ~= nil and sub.wanted > K.FIRST_OFFSETS) and "time" or "offset"))]],
      "sub",
    },
    causes = {
      negative = "The number is negative, such as that of an offset that is not known yet.",
      time = "The number looks like a timestamp that was stored as an offset.",
    },
  },
  {
    id = "RMQ-D13b",
    name = "rmq_d13b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stored value that is no offset",
    on = "store_offset",
    needs = {},
    of = "conn",
    guard = 77,
    says = {
      [[f.say("StoreOffset stores %s for %s: a consumer that starts there receives nothing", c.offset, c.reference)]],
      "c",
    },
    by = { [[((c.offset ~= nil and c.offset > K.LAST_OFFSET) and "negative" or "time")]], "c" },
    causes = {
      time = "The number looks like a timestamp, such as the one that the consumer started at.",
      negative = "The client stores a negative number, such as the placeholder of an offset specification without a value, or of an offset that is not known yet.",
    },
  },
  {
    id = "RMQ-D13c",
    name = "rmq_d13c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription offset beyond the end",
    on = "timer:nothing",
    evidence = { [[f.first_known(sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (tail.made_t ~= nil) and ((f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.wanted ~= nil and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) + 1) < sub.wanted) and (sub.wanted ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.wanted <= (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) + K.AHEAD))))]],
      "sub tail",
    },
    says = {
      [[f.say("subscription %s starts at offset %s of %s, which ends at %s in these captures, and has received nothing for %s", sub.id, sub.wanted, sub.stream, f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)), f.time(K.STARVING))]],
      "sub tail",
    },
    cause = "The offset was kept from a stream that has been deleted and created again, or belongs to another stream.",
  },
  {
    id = "RMQ-D14",
    name = "rmq_d14",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Timestamp not in milliseconds",
    on = "subscribe resolve_offset_spec",
    needs = {},
    of = "conn",
    guard = 78,
    says = {
      [[f.say("%s starts at timestamp %s, which is read as milliseconds since 1970", name, c.timestamp)]],
      "c name",
    },
    by = {
      [[((c.timestamp ~= nil and c.timestamp < 0) and "unset" or ((c.timestamp ~= nil and c.timestamp > K.LAST_TIME) and "late" or (((c.timestamp ~= nil and 1000000000.0 <= c.timestamp) and (c.timestamp ~= nil and c.timestamp < 10000000000.0)) and "seconds" or "early")))]],
      "c",
    },
    causes = {
      seconds = "The client sends seconds: read as milliseconds they are in January 1970, so the consumer starts at the beginning of the stream.",
      unset = "The time is before 1970, such as a date that was never set: the consumer starts at the beginning of the stream.",
      late = "The client sends microseconds or nanoseconds: read as milliseconds they are in the future.",
    },
  },
  {
    id = "RMQ-D14b",
    name = "rmq_d14b",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Timestamp in the future",
    on = "subscribe resolve_offset_spec",
    needs = {},
    of = "conn",
    guard = 79,
    when = { [[(c.timestamp ~= nil and (t + K.FUTURE) < (c.timestamp * 1000000))]], "c t" },
    says = { [[f.say("%s starts at timestamp %s, which is in the future", name, c.timestamp)]], "c name" },
    cause = "The clocks of client and capture differ, or the client wants future messages.",
  },
  {
    id = "RMQ-D15",
    name = "rmq_d15",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Offset value that does not fit the offset type",
    problem = { count = true, negative = true, short = true, trailing = true },
    needs = {},
    of = "conn",
    guard = 32,
    fixed = { [[(name == "subscribe")]], "name" },
    says = {
      [[f.say("Subscribe with offset type %s has fields that do not fit: %s; only types 4 and 5 have a value", c.offset_type, f.whole(problem_text))]],
      "c problem_text",
    },
    by = { [[(LISTS[49][c.offset_type] and "value" or "none")]], "c" },
    causes = {
      value = "The eight bytes of the value may be missing.",
      none = "The eight bytes of a value may be written all the same.",
    },
  },
  {
    id = "RMQ-D15b",
    name = "rmq_d15b",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Unknown offset type",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 80,
    says = { [[f.say("Subscribe has offset type %s; valid types are 1 to 5", c.offset_type)]], "c" },
    by = { [[c.offset_type]], "c" },
    causes = { [0] = "Types start at 1." },
  },
  {
    id = "RMQ-X7",
    name = "rmq_x7",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated request after the same refusal",
    on = "any:coded",
    needs = {},
    of = "refused",
    when = {
      [[(((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((c.response_code ~= nil and not LISTS[2][c.response_code]) and (name ~= "credit_response")) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and c.response_code ~= nil and refused.same == c.response_code))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil))))))]],
      "c refused name t",
    },
    says = {
      [[f.say("the broker refused %s times in a row, at most %s apart, with %s in %s%s%s", K.REFUSED_LIMIT, f.time(K.REFUSED_PAUSE), f.named(c.response_code, names.response_code), name, ((f.coalesce(f.coalesce(req.stream, req.super_stream), req.publisher_reference) ~= nil) and " " or ""), f.coalesce(f.coalesce(f.coalesce(req.stream, req.super_stream), req.publisher_reference), ""))]],
      "c name req",
    },
    cause = "The client retries at once or after a short pause, whatever the reason.",
  },
  {
    id = "RMQ-X7b",
    name = "rmq_x7b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request repeated after the same refusal, a few times or slowly",
    on = "any:coded",
    needs = {},
    of = "refused_slowly",
    when = {
      [[((refused_slowly.times ~= nil and (refused_slowly.times + 1) >= K.FEW_REFUSED) and ((c.response_code ~= nil and not LISTS[4][c.response_code]) and (name ~= "credit_response")) and ((refused_slowly.latest_t ~= nil and (t - refused_slowly.latest_t) <= 60000000000.0) and (refused_slowly.same ~= nil and c.response_code ~= nil and refused_slowly.same == c.response_code)))]],
      "c refused_slowly name t",
    },
    says = {
      [[f.say("the broker refused %s times in a row with %s in %s%s%s", K.FEW_REFUSED, f.named(c.response_code, names.response_code), name, ((f.coalesce(f.coalesce(req.stream, req.super_stream), req.publisher_reference) ~= nil) and " " or ""), f.coalesce(f.coalesce(f.coalesce(req.stream, req.super_stream), req.publisher_reference), ""))]],
      "c name req",
    },
    cause = "The client sends the same request again, whatever the reason.",
  },
  {
    id = "RMQ-X8",
    name = "rmq_x8",
    severity = "WARN",
    group = "REQUEST_CODE",
    title = "Repeated identical query",
    on = "query_offset query_publisher_sequence stream_stats partitions route resolve_offset_spec",
    needs = {},
    of = "polled",
    when = {
      [[((polled.times ~= nil and (polled.times + 1) >= K.POLL_LIMIT) and (polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE))]],
      "polled t",
    },
    says = {
      [[f.say("the same %s was sent %s times in a row, at most %s apart", name, K.POLL_LIMIT, f.time(K.POLL_PAUSE))]],
      "name",
    },
    cause = "The client asks each time instead of keeping the answer: each request costs a round trip.",
  },
  {
    id = "RMQ-X8b",
    name = "rmq_x8b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated QueryPublisherSequence on a connection",
    on = "query_publisher_sequence",
    needs = {},
    of = "asked_sequence",
    when = {
      [[((asked_sequence.times ~= nil and (asked_sequence.times + 1) >= K.ASKED_LIMIT) and (asked_sequence.latest_t ~= nil and (t - asked_sequence.latest_t) <= 60000000000.0))]],
      "asked_sequence t",
    },
    says = {
      [[f.say("QueryPublisherSequence was sent %s times on one connection for %s in %s", K.ASKED_LIMIT, c.publisher_reference, c.stream)]],
      "c",
    },
    cause = "The client asks before each message instead of counting by itself: each query costs a round trip.",
  },
  {
    id = "RMQ-X8c",
    name = "rmq_x8c",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated Metadata query on a connection",
    on = "metadata",
    needs = {},
    of = "asked_again",
    when = {
      [[((asked_again.times ~= nil and (asked_again.times + 1) >= K.LOOKED_UP) and (asked_again.latest_t ~= nil and (t - asked_again.latest_t) <= 60000000000.0))]],
      "asked_again t",
    },
    says = {
      [[f.say("Metadata was sent %s times on one connection for %s, at most a minute apart", K.LOOKED_UP, f.first(c["streams[]"]))]],
      "c",
    },
    cause = "The client does not keep the answer: a broker reports changes of a stream by MetadataUpdate.",
  },
  {
    id = "RMQ-X8d",
    name = "rmq_x8d",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Repeated identical query, a few times or slowly",
    on = "query_offset query_publisher_sequence stream_stats partitions route resolve_offset_spec",
    needs = {},
    of = "polled_slowly",
    when = {
      [[(((polled_slowly.times ~= nil and (polled_slowly.times + 1) >= K.FEW_POLLS) and (polled_slowly.latest_t ~= nil and (t - polled_slowly.latest_t) <= K.REFUSED_PAUSE)) and (f.coalesce(polled.times, 0) < (K.POLL_LIMIT - 1)))]],
      "polled_slowly t polled",
    },
    says = {
      [[f.say("the same %s was sent %s times in a row, at most %s apart", name, K.FEW_POLLS, f.time(K.REFUSED_PAUSE))]],
      "name",
    },
    cause = "The client asks each time instead of keeping the answer: each request costs a round trip.",
  },
  {
    id = "RMQ-B24",
    name = "rmq_b24",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Streams deleted soon after their creation",
    on = "delete_response",
    needs = {},
    of = "deleted",
    when = {
      [[(((deleted.times ~= nil and (deleted.times + 1) >= K.STREAM_LIMIT) and (c.response_code == 1) and (deleted.latest_t ~= nil and (t - deleted.latest_t) <= 10000000000.0)) and (tail.made_t ~= nil and (t - tail.made_t) < 10000000000.0))]],
      "c deleted t tail",
    },
    says = {
      [[f.say("%s streams in a row were deleted, %s only %s after it was created", K.STREAM_LIMIT, req.stream, f.time((tail.made_t ~= nil and (t - tail.made_t) or nil)))]],
      "req tail t",
    },
    cause = "The client creates a stream for each task; a stream costs files and, in a cluster, processes on several nodes.",
  },
  {
    id = "RMQ-B43",
    name = "rmq_b43",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream with unread messages deleted and created again",
    on = "create_response",
    needs = { "start", "whole", "both" },
    of = "tail",
    again = true,
    guard = 1,
    when = {
      [[((tail.dropped ~= nil and tail.dropped > 0) and ((f.coalesce(tail.remade, 0) + 1) >= K.REMADE_LIMIT))]],
      "tail",
    },
    says = {
      [[f.say("%s is created again %s times, each time after it was deleted with messages that had been confirmed and delivered to no captured subscription (%s this time)", req.stream, K.REMADE_LIMIT, tail.dropped)]],
      "req tail",
    },
    cause = "A program deletes its stream at each start; Create with the same arguments of a stream that exists needs no Delete.",
  },
  {
    id = "RMQ-B1",
    name = "rmq_b1",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Short-lived connections in a row",
    on = "end:conn",
    evidence = {
      [[f.first_known(conn.used_n, f.coalesce(reconnected.second_n, conn.n), reconnected.first_n)]],
      "conn reconnected",
    },
    needs = {},
    of = "reconnected",
    when = {
      [[((reconnected.times ~= nil and (reconnected.times + 1) >= K.RECONNECT_LIMIT) and ((((conn.used_n ~= nil) or (conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side)) and (C.frames ~= nil and C.frames <= 12)) and (why ~= nil and not LISTS[5][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 10000000000.0)))]],
      "reconnected conn S C why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s in a row; the last one carried %s of the client", client, K.RECONNECT_LIMIT, server, f.counted(C.frames, "frame", "frames"))]],
      "client server C",
    },
    cause = "The client connects for each task and does not keep the connection: the handshake alone costs five round trips.",
  },
  {
    id = "RMQ-H5",
    name = "rmq_h5",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Flood of heartbeats",
    on = "heartbeat",
    since = { [[f.since(conn, n, me.beaten_second_n, me.beaten_first_n)]], "conn n me" },
    needs = { "since" },
    of = "me",
    when = {
      [[(((me.beaten_times ~= nil and (me.beaten_times + 1) >= K.BEAT_LIMIT) and (conn.heartbeat ~= nil and conn.heartbeat > 0) and (me.beaten_latest_t ~= nil and conn.heartbeat ~= nil and (t - me.beaten_latest_t) < (conn.heartbeat * 1000000000.0))) and (me.beaten_first_t ~= nil and conn.heartbeat ~= nil and me.beaten_times ~= nil and ((t - me.beaten_first_t) * 100) < (((conn.heartbeat * 1000000000.0) * 25) * me.beaten_times)))]],
      "me conn t",
    },
    says = {
      [[f.say("the %s sent %s heartbeats in a row, on average less than a quarter of the negotiated interval of %s s apart", sender, K.BEAT_LIMIT, conn.heartbeat)]],
      "sender conn",
    },
    by = { [[((peer.beat_t ~= nil and (t - peer.beat_t) < K.RACE) and "back" or "often")]], "peer t" },
    causes = {
      back = "The sender returns each heartbeat of its peer: both do so without end.",
      often = "The timer ignores the negotiated interval, or takes its seconds for another unit.",
    },
  },
  {
    id = "RMQ-B2",
    name = "rmq_b2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publishers deleted after at most one message",
    on = "end:pub",
    evidence = {
      [[f.first_known(f.coalesce(brief_publishers.second_n, pub.n), pub.n, brief_publishers.first_n)]],
      "brief_publishers pub",
    },
    needs = { "start", "whole", "both" },
    of = "brief_publishers",
    when = {
      [[((brief_publishers.times ~= nil and (brief_publishers.times + 1) >= K.CHURN_LIMIT) and (((why == "removed") and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) <= 1)) and (why ~= nil and not LISTS[5][why]) and (pub.born and (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch == conn.epoch) and conn.both)) and ((brief_publishers.latest_t ~= nil and pub.t ~= nil and brief_publishers.latest_t <= (pub.t + 0)) and (pub.t ~= nil and brief_publishers.latest_t ~= nil and (pub.t - brief_publishers.latest_t) <= 2000000000.0)))]],
      "brief_publishers why pub conn",
    },
    says = {
      [[f.say("%s publishers in a row were deleted after at most one confirmed message; the last was publisher %s of %s", K.CHURN_LIMIT, pub.id, pub.stream)]],
      "pub",
    },
    cause = "The client declares a publisher for each message, which costs three round trips instead of one frame; one publisher can send all messages to its stream.",
  },
  {
    id = "RMQ-B98",
    name = "rmq_b98",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publisher ids used up",
    on = "client:declare_publisher",
    needs = { "start", "whole", "both" },
    of = "conn",
    guard = 81,
    when = {
      [[((conn.greatest_id == 254) and (conn.freed_ids ~= nil and conn.freed_ids >= 128) and (conn.reused_n == nil))]],
      "conn",
    },
    says = {
      [[f.say("DeclarePublisher has the last publisher id, 255, and %s publishers of this connection have been deleted, whose ids were not used again", conn.freed_ids)]],
      "conn",
    },
    cause = "The client counts its publishers instead of taking a free id: after 255 it can declare none on this connection.",
  },
  {
    id = "RMQ-B3",
    name = "rmq_b3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscriptions ended after at most one chunk",
    on = "end:sub",
    evidence = {
      [[f.first_known(f.coalesce(brief_subscriptions.second_n, sub.n), sub.n, brief_subscriptions.first_n)]],
      "brief_subscriptions sub",
    },
    needs = { "start", "whole", "both" },
    of = "brief_subscriptions",
    when = {
      [[((brief_subscriptions.times ~= nil and (brief_subscriptions.times + 1) >= K.CHURN_LIMIT) and (((why == "removed") and (sub.chunks ~= nil and sub.chunks <= 1)) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both)) and ((brief_subscriptions.latest_t ~= nil and sub.t ~= nil and brief_subscriptions.latest_t <= (sub.t + 0)) and (sub.t ~= nil and brief_subscriptions.latest_t ~= nil and (sub.t - brief_subscriptions.latest_t) <= 2000000000.0)))]],
      "brief_subscriptions why sub conn",
    },
    says = {
      [[f.say("%s subscriptions in a row were ended after at most one chunk; the last was subscription %s of %s", K.CHURN_LIMIT, sub.id, sub.stream)]],
      "sub",
    },
    cause = "The client polls: it subscribes for each chunk, which costs two more round trips than Credit. A subscription continues as long as it receives credit.",
  },
  {
    id = "RMQ-B4",
    name = "rmq_b4",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Unused publishers",
    on = "end:conn",
    evidence = { [[f.first_known(conn.unused_publishers_latest_n, conn.unused_publishers_first_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.unused_publishers_left ~= nil and conn.unused_publishers_left >= K.UNUSED_LIMIT) and (conn.unused_publishers_left ~= nil and conn.unused_publishers_all ~= nil and (conn.unused_publishers_left * 100) >= (conn.unused_publishers_all * 50)) and (conn.unused_publishers_all ~= nil and (f.coalesce(conn.unused_publishers_ended, 0) * 100) <= (conn.unused_publishers_all * 100)))]],
      "conn",
    },
    says = {
      [[f.say("%s of %s publishers of this connection were declared and never used", conn.unused_publishers_left, conn.unused_publishers_all)]],
      "conn",
    },
    cause = "The client declares publishers in advance or forgets them; a connection has 256 at most.",
  },
  {
    id = "RMQ-B5",
    name = "rmq_b5",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections left idle",
    on = "end:idle_connections",
    evidence = { [[f.first_known(idle_connections.latest_n, idle_connections.first_n)]], "idle_connections" },
    needs = {},
    of = "idle_connections",
    when = {
      [[(((idle_connections.left ~= nil and idle_connections.left >= 3) and (idle_connections.left ~= nil and idle_connections.all ~= nil and (idle_connections.left * 100) >= (idle_connections.all * 20)) and (idle_connections.all ~= nil and (f.coalesce(idle_connections.ended, 0) * 100) <= (idle_connections.all * 100))) and (idle_connections.left ~= nil and idle_connections.all ~= nil and idle_connections.left < idle_connections.all))]],
      "idle_connections",
    },
    says = {
      [[f.say("%s of %s connections of one client were not used to publish, consume or manage anything", idle_connections.left, idle_connections.all)]],
      "idle_connections",
    },
    cause = "The client opens connections to look up streams, and does not close them.",
  },
  {
    id = "RMQ-B6",
    name = "rmq_b6",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Duplicate subscription to a stream on one connection",
    on = "end:sub",
    evidence = { [[f.first_known(doubled.second_n, sub.doubled_n, sub.deliver_n)]], "doubled sub" },
    needs = { "start", "whole", "both" },
    of = "doubled",
    when = {
      [[(((sub.doubled_n ~= nil and doubled.second_n ~= nil and sub.doubled_n < doubled.second_n) and (sub.deliver_n ~= nil and doubled.second_n ~= nil and sub.deliver_n > doubled.second_n)) and (f.coalesce(sub.replaced_n, 0) == 0))]],
      "sub doubled",
    },
    says = {
      [[f.say("two subscriptions of this connection receive %s, so each message arrives twice; subscription %s is the earlier one", sub.stream, sub.id)]],
      "sub",
    },
    cause = "The consumer was started again without ending its earlier subscription.",
  },
  {
    id = "RMQ-B6b",
    name = "rmq_b6b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Replaced subscription without Unsubscribe, still receiving messages",
    on = "end:sub",
    evidence = { [[f.first_known(sub.replaced_n, sub.deliver_n, sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[(sub.deliver_n ~= nil and sub.replaced_n ~= nil and sub.deliver_n > sub.replaced_n)]],
      "sub",
    },
    says = {
      [[f.say("subscription %s of %s still received messages after the client had subscribed again from where it stopped: each message arrives twice", sub.id, sub.stream)]],
      "sub",
    },
    cause = "The consumer is started again with another subscription id, and its former subscription is not ended with Unsubscribe.",
  },
  {
    id = "RMQ-B19",
    name = "rmq_b19",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publishers left open after one message",
    on = "end:left_publishers",
    evidence = { [[f.first_known(left_publishers.first_n, left_publishers.latest_n)]], "left_publishers" },
    needs = {},
    of = "left_publishers",
    when = {
      [[((left_publishers.left ~= nil and left_publishers.left >= K.UNUSED_LIMIT) and (left_publishers.left ~= nil and left_publishers.all ~= nil and (left_publishers.left * 100) >= (left_publishers.all * 80)) and (left_publishers.all ~= nil and (f.coalesce(left_publishers.ended, 0) * 100) <= (left_publishers.all * 100)))]],
      "left_publishers",
    },
    says = {
      [[f.say("%s of %s publishers of one client sent one message each and were left open, without further use", left_publishers.left, left_publishers.all)]],
      "left_publishers",
    },
    cause = "A publisher, or a connection with one, is made for each message or task and is not closed: they grow without bound. One publisher can send all messages to its stream.",
  },
  {
    id = "RMQ-B20",
    name = "rmq_b20",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Many subscriptions of one client to one stream",
    on = "end:left_subscriptions",
    evidence = {
      [[f.first_known(left_subscriptions.latest_n, left_subscriptions.first_n)]],
      "left_subscriptions",
    },
    needs = {},
    of = "left_subscriptions",
    when = {
      [[((left_subscriptions.left ~= nil and left_subscriptions.left >= K.READERS_LIMIT) and (left_subscriptions.left ~= nil and left_subscriptions.all ~= nil and (left_subscriptions.left * 100) >= (left_subscriptions.all * 0)) and (left_subscriptions.all ~= nil and (f.coalesce(left_subscriptions.ended, 0) * 100) <= (left_subscriptions.all * 20)))]],
      "left_subscriptions",
    },
    says = {
      [[f.say("%s subscriptions of one client to one stream were open at the end: each of them receives every message", left_subscriptions.left)]],
      "left_subscriptions",
    },
    cause = "A consumer is started for each task or after each error, and the former ones are not closed.",
  },
  {
    id = "RMQ-B38",
    name = "rmq_b38",
    severity = "WARN",
    group = "SEQUENCE",
    title = "One consumer name on several connections of a program",
    on = "end:sub",
    evidence = { [[f.first_known(read_twice.second_n, sub.read_twice_n, sub.deliver_n)]], "read_twice sub" },
    needs = { "start", "whole", "both" },
    of = "read_twice",
    when = {
      [[(((sub.read_twice_n ~= nil and read_twice.second_n ~= nil and sub.read_twice_n < read_twice.second_n) and (sub.deliver_n ~= nil and read_twice.second_n ~= nil and sub.deliver_n > read_twice.second_n)) and (read_twice.second_flow ~= nil and flow ~= nil and read_twice.second_flow ~= flow))]],
      "sub read_twice flow",
    },
    says = {
      [[f.say("consumer %s reads %s on several connections of one program at once: the program receives each message as often", sub.reference, sub.stream)]],
      "sub",
    },
    cause = "The client subscribes again, for instance with each retry of a connection, and the former consumers stay. Instances that are to share the messages need single-active-consumer.",
  },
  {
    id = "RMQ-B7",
    name = "rmq_b7",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publish with one message each (no batching)",
    on = "end:pub",
    evidence = { [[f.first_known(pub.single_latest_n, pub.single_second_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[((pub.single_count ~= nil and pub.single_count >= K.SINGLE_LIMIT) and (pub.single_count ~= nil and pub.single_among ~= nil and (pub.single_count * 100) >= (pub.single_among * 80)))]],
      "pub",
    },
    says = {
      [[f.say("%s of %s Publish frames of publisher %s had one message, although others waited for their confirms", pub.single_count, pub.single_among, pub.id)]],
      "pub",
    },
    cause = "The client does not batch: one Publish can hold many messages, and costs the broker about as much as one with a single message.",
  },
  {
    id = "RMQ-B7b",
    name = "rmq_b7b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Sub-batches of one message",
    on = "end:pub",
    evidence = { [[f.first_known(pub.alone_latest_n, pub.alone_second_n)]], "pub" },
    needs = {},
    of = "pub",
    when = {
      [[((pub.alone_count ~= nil and pub.alone_count >= 10) and (pub.alone_count ~= nil and pub.single_among ~= nil and (pub.alone_count * 100) >= (pub.single_among * 80)))]],
      "pub",
    },
    says = {
      [[f.say("%s of %s Publish frames of publisher %s had sub-batches of one message", pub.alone_count, pub.single_among, pub.id)]],
      "pub",
    },
    cause = "A sub-batch costs a header, and compression makes a single message larger: the client must collect messages before it makes a sub-batch of them.",
  },
  {
    id = "RMQ-B23",
    name = "rmq_b23",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publish after each confirm (one message per round trip)",
    on = "end:pub",
    evidence = { [[f.first_known(pub.waited_latest_n, pub.waited_second_n)]], "pub" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[((pub.waited_count ~= nil and pub.waited_count >= K.SINGLE_LIMIT) and (pub.waited_count ~= nil and pub.single_among ~= nil and (pub.waited_count * 100) >= (pub.single_among * 80)))]],
      "pub",
    },
    says = {
      [[f.say("%s of %s Publish frames of publisher %s had one message and were sent right after the previous confirm", pub.waited_count, pub.single_among, pub.id)]],
      "pub",
    },
    cause = "The client waits for each confirm before it publishes the next message: each message costs a round trip. Confirms come by publishing id, so that many messages can wait for theirs.",
  },
  {
    id = "RMQ-B8",
    name = "rmq_b8",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Offset stored for nearly every message",
    on = "end:conn",
    evidence = { [[f.first_known(conn.stored_latest_n, conn.stored_second_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.stored_count ~= nil and conn.stored_count >= K.STORE_LIMIT) and (conn.stored_count ~= nil and conn.stored_among ~= nil and (conn.stored_count * 100) >= (conn.stored_among * 50)))]],
      "conn",
    },
    says = {
      [[f.say("%s offsets were stored for %s messages", conn.stored_count, conn.stored_among)]],
      "conn",
    },
    cause = "The client stores the offset after each message, and the broker writes each one to the stream, between the messages. Storing it every few hundred messages or seconds is enough.",
  },
  {
    id = "RMQ-B9",
    name = "rmq_b9",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Credit for one chunk at a time",
    on = "end:sub",
    evidence = { [[f.first_known(sub.credited_latest_n, sub.credited_second_n)]], "sub" },
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.credited_count ~= nil and sub.credited_count >= K.CREDIT_LIMIT) and (sub.credited_count ~= nil and sub.chunks ~= nil and (sub.credited_count * 100) >= (sub.chunks * 80)))]],
      "sub",
    },
    says = {
      [[f.say("subscription %s of %s had credit for one chunk at a time: %s of %s chunks waited for a Credit", sub.id, sub.stream, sub.credited_count, sub.chunks)]],
      "sub",
    },
    cause = "The subscription begins with credit 1, so the broker waits a round trip for each chunk; with a credit of 2 or more it sends ahead.",
  },
  {
    id = "RMQ-B10",
    name = "rmq_b10",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Metadata queries for one stream each",
    on = "metadata",
    since = {
      [[f.since(conn, f.coalesce(conn.looked_up_second_n, n), n, conn.looked_up_first_n)]],
      "conn n",
    },
    needs = { "since", "both" },
    of = "conn",
    guard = 20,
    when = {
      [[((conn.looked_up_times ~= nil and (conn.looked_up_times + 1) >= K.LOOKUP_LIMIT) and ((conn.looked_up_open == 0) and (conn.looked_up_answered_t ~= nil and f.max((conn.looked_up_took ~= nil and (conn.looked_up_took * 3) or nil), 5000000) ~= nil and (t - conn.looked_up_answered_t) <= f.max((conn.looked_up_took ~= nil and (conn.looked_up_took * 3) or nil), 5000000)) and (conn.looked_up_value ~= nil and f.first(c["streams[]"]) ~= nil and conn.looked_up_value ~= f.first(c["streams[]"]))))]],
      "c conn t",
    },
    says = {
      [[f.say("%s Metadata requests in a row asked for one stream each, right after the previous answer", K.LOOKUP_LIMIT)]],
    },
    cause = "Metadata takes a list: one request can ask for all streams.",
  },
  {
    id = "RMQ-B11",
    name = "rmq_b11",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Decreasing stored offset",
    on = "store_offset",
    needs = {},
    of = "stored_back",
    when = {
      [[(c.offset ~= nil and stored_back.last ~= nil and c.offset < stored_back.last)]],
      "c stored_back",
    },
    says = {
      [[f.say("offset %s is stored for %s of %s after %s: after a restart the messages in between are read again", c.offset, c.reference, c.stream, stored_back.last)]],
      "c stored_back",
    },
    cause = "Several threads process messages out of order, and each stores its own offset.",
  },
  {
    id = "RMQ-B12",
    name = "rmq_b12",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same offset stored repeatedly",
    on = "store_offset",
    needs = {},
    of = "stored_again",
    when = {
      [[((stored_again.times ~= nil and (stored_again.times + 1) >= K.STILL_LIMIT) and ((stored_again.latest_t ~= nil and (t - stored_again.latest_t) <= 60000000000.0) and (stored_again.same ~= nil and c.offset ~= nil and stored_again.same == c.offset)))]],
      "c stored_again t",
    },
    says = {
      [[f.say("offset %s is stored for %s of %s %s times in a row", c.offset, c.reference, c.stream, K.STILL_LIMIT)]],
      "c",
    },
    cause = "The consumer stores its offset on a timer although it has not advanced; the broker writes each one to the stream.",
  },
  {
    id = "RMQ-B13",
    name = "rmq_b13",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream consumed again from the start after a lost connection",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[(((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (resumed.stored == nil) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began) and ((resumed.reached ~= nil and resumed.began ~= nil and (resumed.reached - resumed.began) >= K.REREAD_LIMIT) or (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) < resumed.began)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c sub resumed captures",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s: the one before the lost connection began at %s and received messages up to %s", sub.id, sub.stream, ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), resumed.began, (resumed.reached ~= nil and (resumed.reached - 1) or nil))]],
      "sub resumed",
    },
    cause = "After the connection was lost the client subscribes as at its start, instead of after the last message that it received.",
  },
  {
    id = "RMQ-B13b",
    name = "rmq_b13b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Message at the stored offset consumed again",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((sub.offset_type == 4) and (sub.wanted ~= nil and resumed.stored ~= nil and sub.wanted == resumed.stored) and (resumed.stored ~= nil and resumed.stored > 0)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins at the stored offset %s, so this message is consumed twice", sub.id, sub.stream, resumed.stored)]],
      "sub resumed",
    },
    cause = "The stored offset is that of the last processed message: resume at the next one.",
  },
  {
    id = "RMQ-B13c",
    name = "rmq_b13c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset queried but not used",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.stored ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) < resumed.stored) and (resumed.stored ~= nil and resumed.stored > 0) and (resumed.asked_n ~= nil and resumed.stored_n ~= nil and resumed.asked_n > resumed.stored_n) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.found ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) < resumed.found)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins before the stored offset %s, which the client has just queried", sub.id, sub.stream, resumed.found)]],
      "sub resumed",
    },
    cause = "The client queries its stored offset and does not use the answer.",
  },
  {
    id = "RMQ-B42",
    name = "rmq_b42",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages deleted by retention before a consumer received them",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 1) and (sub.selects == nil) and (sub.resumed_after ~= nil and sub.resumed_after >= 0) and (c["chunk.chunk_id"] ~= nil and sub.resumed_after ~= nil and c["chunk.chunk_id"] >= (sub.resumed_after + K.SKIPPED)))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s asks for the first message and begins at %s, but the previous one received messages only up to %s: the stream has those in between no more", sub.id, sub.stream, c["chunk.chunk_id"], (sub.resumed_after ~= nil and (sub.resumed_after - 1) or nil))]],
      "c sub",
    },
    cause = "The retention of the stream (max-length-bytes, max-age) deletes messages before the consumer comes back; an offset that was stored for one of them is deleted too.",
  },
  {
    id = "RMQ-B42b",
    name = "rmq_b42b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "First message far after the offset that a consumer resumed at",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 4) and (sub.selects == nil) and (sub.resumed_after ~= nil and sub.resumed_after >= 0) and (c["chunk.chunk_id"] ~= nil and f.max(sub.resumed_after, sub.wanted) ~= nil and c["chunk.chunk_id"] >= (f.max(sub.resumed_after, sub.wanted) + K.ABSENT)))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s asks for offset %s and begins at %s; the previous one received messages up to %s", sub.id, sub.stream, sub.wanted, c["chunk.chunk_id"], (sub.resumed_after ~= nil and (sub.resumed_after - 1) or nil))]],
      "c sub",
    },
    cause = "The retention of the stream has deleted what the consumer asks for; the broker then begins at the oldest chunk, without an error.",
  },
  {
    id = "RMQ-B13d",
    name = "rmq_b13d",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer that never stores its offset",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[(((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.asked_n ~= nil) and (resumed.stored == nil) and (resumed.former_flow ~= nil and flow ~= nil and resumed.former_flow ~= flow) and (resumed.asked_n ~= nil and resumed.former_n ~= nil and resumed.asked_n > resumed.former_n) and (resumed.reached ~= nil and resumed.began ~= nil and resumed.reached > resumed.began) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c sub resumed flow captures",
    },
    says = {
      [[f.say("the client queries the stored offset of %s again, although no offset was stored for the messages up to %s; subscription %s reads them again", sub.stream, (resumed.reached ~= nil and (resumed.reached - 1) or nil), sub.id)]],
      "sub resumed",
    },
    cause = "The client never stores an offset, or fails to store this one (such as 0).",
  },
  {
    id = "RMQ-B97",
    name = "rmq_b97",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscriptions only to query the stored offset",
    on = "end:sub",
    evidence = {
      [[f.first_known(f.coalesce(only_asked.second_n, sub.n), sub.n, only_asked.first_n)]],
      "only_asked sub",
    },
    needs = { "start", "whole", "both" },
    of = "only_asked",
    when = {
      [[((only_asked.times ~= nil and (only_asked.times + 1) >= K.CHURN_LIMIT) and (((why == "removed") and (sub.chunks ~= nil and sub.chunks > 0) and (f.coalesce(sub.single, "") ~= "true") and (conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream) and (conn.offset_asked_n ~= nil and sub.n ~= nil and conn.offset_asked_n > sub.n) and (sub.n ~= nil and f.coalesce(conn.offset_kept_n, 0) < sub.n)) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both)) and ((only_asked.latest_t ~= nil and sub.t ~= nil and only_asked.latest_t <= (sub.t + 0)) and (sub.t ~= nil and only_asked.latest_t ~= nil and (sub.t - only_asked.latest_t) <= 10000000000.0)))]],
      "only_asked why sub conn",
    },
    says = {
      [[f.say("%s subscriptions in a row to %s were ended after QueryOffset, without a StoreOffset: what they were delivered is thrown away; the last was subscription %s", K.CHURN_LIMIT, sub.stream, sub.id)]],
      "sub",
    },
    cause = "The client's API asks for the offset by a consumer, so that the program makes one to ask and another one to read; QueryOffset needs no subscription.",
  },
  {
    id = "RMQ-B13e",
    name = "rmq_b13e",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream read from the same offset by each subscription",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began) and (resumed.again ~= nil and (resumed.again + 2) >= K.REREAD_ROUNDS) and ((resumed.reached ~= nil and resumed.began ~= nil and (resumed.reached - resumed.began) >= K.REREAD_LIMIT) or (sub.offset_type == 4))))]],
      "c sub resumed",
    },
    says = {
      [[f.say("%s subscriptions in a row read %s from %s, the previous one up to %s; the last is subscription %s", K.REREAD_ROUNDS, sub.stream, ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), (resumed.reached ~= nil and (resumed.reached - 1) or nil), sub.id)]],
      "sub resumed",
    },
    cause = "The client does not keep its position, or fails at the same message each time and is started again.",
  },
  {
    id = "RMQ-B13f",
    name = "rmq_b13f",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages consumed again after a lost connection",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began < ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil))) and (resumed.reached ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and (resumed.reached - ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil))) >= K.REREAD_LIMIT)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s after a lost connection, although messages up to %s had been received", sub.id, sub.stream, ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), (resumed.reached ~= nil and (resumed.reached - 1) or nil))]],
      "sub resumed",
    },
    cause = "The client resumes after the last message that it has processed, or miscounts the messages of a chunk.",
  },
  {
    id = "RMQ-B13g",
    name = "rmq_b13g",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages skipped between two subscriptions",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 4) and ((sub.resumed_after ~= nil and 0 <= sub.resumed_after) and (sub.resumed_after ~= nil and c["chunk.chunk_id"] ~= nil and sub.resumed_after <= c["chunk.chunk_id"])) and (c["chunk.chunk_id"] ~= nil and sub.wanted ~= nil and c["chunk.chunk_id"] < sub.wanted))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s, but the previous one received messages only up to %s: the messages in between, which the chunk at %s has, are skipped", sub.id, sub.stream, sub.wanted, (sub.resumed_after ~= nil and (sub.resumed_after - 1) or nil), c["chunk.chunk_id"])]],
      "c sub",
    },
    cause = "The client adds 1 to its offset twice: when it stores it, and when it resumes.",
  },
  {
    id = "RMQ-B13h",
    name = "rmq_b13h",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription from next or last resumed at offset 0",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and (LISTS[50][resumed.spec] and (sub.offset_type == 4) and (sub.wanted == 0)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins at 0, although the previous one asked for %s", sub.id, sub.stream, ((resumed.spec == 3) and "new messages" or "the last chunk"))]],
      "sub resumed",
    },
    cause = "The client had not received anything when it reconnected, and mistakes offset 0 for its position.",
  },
  {
    id = "RMQ-B35",
    name = "rmq_b35",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages consumed again by a subscription from a time or the last chunk",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and LISTS[51][sub.offset_type] and (c["chunk.chunk_id"] ~= nil and sub.resumed_after ~= nil and (c["chunk.chunk_id"] + K.REREAD_LIMIT) <= sub.resumed_after))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s, although the previous one received messages up to %s", sub.id, sub.stream, c["chunk.chunk_id"], (sub.resumed_after ~= nil and (sub.resumed_after - 1) or nil))]],
      "c sub",
    },
    cause = "The client subscribes as at its start, by a time for example, instead of after the last message that it received.",
  },
  {
    id = "RMQ-B35b",
    name = "rmq_b35b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages skipped by a subscription from a time or the last chunk",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and LISTS[51][sub.offset_type] and (sub.resumed_after ~= nil and sub.resumed_after >= 0) and (c["chunk.chunk_id"] ~= nil and sub.resumed_after ~= nil and c["chunk.chunk_id"] >= (sub.resumed_after + K.SKIPPED)))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s, although the previous one received messages only up to %s", sub.id, sub.stream, c["chunk.chunk_id"], (sub.resumed_after ~= nil and (sub.resumed_after - 1) or nil))]],
      "c sub",
    },
    cause = "The client subscribes as at its start, at the last chunk for example, instead of after the last message that it received.",
  },
  {
    id = "RMQ-B17",
    name = "rmq_b17",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset beyond the last delivered message",
    on = "store_offset",
    needs = { "start", "whole", "both" },
    of = "tail",
    guard = 82,
    when = {
      [[((c.offset ~= nil and f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) ~= nil and c.offset >= f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0))) and (tail.next ~= nil and tail.next > 0) and (c.offset ~= nil and c.offset ~= f.coalesce(tail.begins, -1)))]],
      "c tail",
    },
    says = {
      [[f.say("offset %s is stored for %s of %s, but messages were delivered only up to offset %s", c.offset, c.reference, c.stream, (tail.next ~= nil and (tail.next - 1) or nil))]],
      "c tail",
    },
    cause = "The client stores the offset after the last message, or that of another stream: a consumer that resumes there skips messages.",
  },
  {
    id = "RMQ-B17b",
    name = "rmq_b17b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored offset at which the subscription begins",
    on = "store_offset",
    needs = { "start", "whole", "both" },
    of = "tail",
    when = {
      [[((c.offset ~= nil and f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) ~= nil and c.offset >= f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0))) and (tail.next ~= nil and tail.next > 0) and (c.offset ~= nil and tail.begins ~= nil and c.offset == tail.begins))]],
      "c tail",
    },
    says = {
      [[f.say("offset %s is stored for %s of %s, where its subscription begins, before a message was delivered there", c.offset, c.reference, c.stream)]],
      "c",
    },
    cause = "The client takes the offset of Subscribe for one that it has received, and stores it by a timer.",
  },
  {
    id = "RMQ-B18",
    name = "rmq_b18",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription not restored after a reconnect",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(C.beat_n, C.last_n), before.sub_n, conn.opened_n, conn.used_n, before.read_n)]],
      "C before conn",
    },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.opened_n ~= nil and before.read_n ~= nil and conn.opened_n > before.read_n) and ((f.count(before.read) or 0) > 0) and (((conn.used_n == nil) and (conn.t ~= nil and (t - conn.t) > K.RESUBSCRIBED) and ((why == "end") or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (f.coalesce(conn.client_name, "") == f.coalesce(before.client_name, ""))) or ((conn.reread_t ~= nil and (t - conn.reread_t) > K.RESTORED) and ((why == "end") or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)))))]],
      "conn before t why C",
    },
    says = {
      [[f.say("the client is connected again for %s and has not subscribed to %s again, which it received from before its connection was lost", f.time((conn.t ~= nil and (t - conn.t) or nil)), f.first(before.read))]],
      "conn t before",
    },
    cause = "The client reconnects and does not restore all of its subscriptions.",
  },
  {
    id = "RMQ-B18b",
    name = "rmq_b18b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publisher not restored after a reconnect",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(conn.used_n, C.last_n), conn.opened_n, C.last_n, before.written_n)]],
      "conn C before",
    },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.opened_n ~= nil and before.written_n ~= nil and conn.opened_n > before.written_n) and ((f.count(before.written) or 0) > 0) and (((conn.used_n == nil) and (conn.t ~= nil and (t - conn.t) > K.RESUBSCRIBED) and ((why == "end") or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and (f.coalesce(conn.client_name, "") == f.coalesce(before.client_name, ""))) or ((conn.rewritten_t ~= nil and (t - conn.rewritten_t) > K.RESTORED) and ((why == "end") or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)))))]],
      "conn before t why C",
    },
    says = {
      [[f.say("the client reconnected %s ago and has not declared a publisher for %s again, to which it published before its connection was lost", f.time((conn.t ~= nil and (t - conn.t) or nil)), f.first(before.written))]],
      "conn t before",
    },
    cause = "The client reconnects and does not restore all of its publishers, such as those of some partitions of a super stream.",
  },
  {
    id = "RMQ-B37",
    name = "rmq_b37",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset never queried, and messages skipped (offset specification next)",
    on = "deliver",
    needs = { "object" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.offset_type == 3) and (sub.resumed_unasked ~= nil) and (sub.resumed_after ~= nil and sub.resumed_after >= 0) and (f.max(sub.resumed_after, (sub.resumed_unasked ~= nil and (sub.resumed_unasked + 1) or nil)) ~= nil and c["chunk.chunk_id"] ~= nil and (f.max(sub.resumed_after, (sub.resumed_unasked ~= nil and (sub.resumed_unasked + 1) or nil)) + K.SKIPPED) <= c["chunk.chunk_id"]))]],
      "c sub",
    },
    says = {
      [[f.say("subscription %s of %s begins with new messages, although offset %s was stored and not queried: the messages from %s to %s are skipped", sub.id, sub.stream, sub.resumed_unasked, f.max(sub.resumed_after, (sub.resumed_unasked ~= nil and (sub.resumed_unasked + 1) or nil)), (c["chunk.chunk_id"] ~= nil and (c["chunk.chunk_id"] - 1) or nil))]],
      "c sub",
    },
    cause = "The client stores its offset, but does not ask for it when it starts: messages that are published while it is away are never read.",
  },
  {
    id = "RMQ-B37b",
    name = "rmq_b37b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset overwritten by a consumer of new messages that never queried it",
    on = "store_offset",
    needs = { "start", "whole", "both" },
    of = "sought",
    when = {
      [[((conn.new_stream ~= nil and c.stream ~= nil and conn.new_stream == c.stream) and (sought.stored_n ~= nil and conn.new_n ~= nil and sought.stored_n < conn.new_n) and (sought.stored_n ~= nil and f.coalesce(sought.queried_n, -1) < sought.stored_n) and (sought.unsure_n == nil) and (sought.stored ~= nil and conn.new_chunk ~= nil and ((sought.stored + 1) + K.SKIPPED) <= conn.new_chunk))]],
      "c conn sought",
    },
    says = {
      [[f.say("%s had stored offset %s of %s; its connection did not query it, began at %s with new messages and now stores %s: the messages between are skipped", c.reference, sought.stored, c.stream, conn.new_chunk, c.offset)]],
      "c sought conn",
    },
    cause = "The client stores its offset, but does not ask for it when it starts: messages that are published while it is away are never read.",
  },
  {
    id = "RMQ-B26",
    name = "rmq_b26",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages skipped after a lost connection (offset specification next)",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (sub.offset_type == 3) and ((resumed.stored ~= nil) or (resumed.spec ~= nil and resumed.spec ~= 3)) and (sub.waiting ~= nil and resumed.reached ~= nil and sub.waiting >= (resumed.reached + K.SKIPPED))))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins with new messages after a lost connection: those from %s to %s, published since, are skipped", sub.id, sub.stream, resumed.reached, (sub.waiting ~= nil and (sub.waiting - 1) or nil))]],
      "sub resumed",
    },
    cause = "After the connection was lost the client subscribes as at its start, instead of after the last message that it received.",
  },
  {
    id = "RMQ-B26b",
    name = "rmq_b26b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages skipped by a consumer of new messages after a lost connection",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (sub.offset_type == 3) and (resumed.stored == nil) and (resumed.spec == 3) and (sub.waiting ~= nil and resumed.reached ~= nil and sub.waiting >= (resumed.reached + K.SKIPPED))))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins with new messages after a lost connection: those from %s to %s, published since, are skipped", sub.id, sub.stream, resumed.reached, (sub.waiting ~= nil and (sub.waiting - 1) or nil))]],
      "sub resumed",
    },
    cause = "After the connection was lost the client subscribes as at its start, instead of after the last message that it received.",
  },
  {
    id = "RMQ-A6",
    name = "rmq_a6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "New active consumer starting before the stored offset",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and ((taken_over.stored ~= nil and taken_over.stored > 0) and ((c.offset_type == 1) or ((c.offset_type == 4) and (c.offset ~= nil and taken_over.stored ~= nil and c.offset < taken_over.stored)))))]],
      "c req taken_over",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins before offset %s, which the previous active consumer stored", sub.stream, taken_over.stored)]],
      "sub taken_over",
    },
    cause = "The client answers ConsumerUpdate with the offset specification of its start, and does not query the stored offset.",
  },
  {
    id = "RMQ-A6b",
    name = "rmq_a6b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New active consumer starting where the previous one started",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and ((taken_over.stored == nil) and ((c.offset_type == 1) or ((c.offset_type == 4) and (c.offset ~= nil and taken_over.began ~= nil and c.offset <= taken_over.began))) and (taken_over.reached ~= nil and taken_over.began ~= nil and (taken_over.reached - taken_over.began) >= K.REREAD_LIMIT)))]],
      "c req taken_over",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins where the previous one began, although that one received messages up to %s", sub.stream, (taken_over.reached ~= nil and (taken_over.reached - 1) or nil))]],
      "sub taken_over",
    },
    cause = "No offset is stored, so each new active consumer reads the stream from its start.",
  },
  {
    id = "RMQ-A6c",
    name = "rmq_a6c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "New active consumer starting after messages not yet received",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and (((c.offset_type == 3) and (taken_over.stored ~= nil) and (f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) ~= nil and f.max((f.coalesce(taken_over.stored, -1) + 1), f.coalesce(taken_over.reached, 0)) ~= nil and f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) >= (K.SKIPPED + f.max((f.coalesce(taken_over.stored, -1) + 1), f.coalesce(taken_over.reached, 0))))) or ((c.offset_type == 4) and (c.offset ~= nil and f.max(taken_over.reached, (f.coalesce(taken_over.stored, -1) + 1)) ~= nil and c.offset > f.max(taken_over.reached, (f.coalesce(taken_over.stored, -1) + 1))))))]],
      "c req taken_over tail",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins after messages that the previous one had not received, from offset %s on", sub.stream, taken_over.reached)]],
      "sub taken_over",
    },
    cause = "The client answers ConsumerUpdate with the offset specification of its start, such as next, or with an offset that is too high.",
  },
  {
    id = "RMQ-A6d",
    name = "rmq_a6d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New active consumer starting with new messages, without any stored offset",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and ((c.offset_type == 3) and (taken_over.stored == nil) and (f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) ~= nil and f.max(f.coalesce(tail.next, 0), f.coalesce(tail.count, 0)) >= (K.SKIPPED + f.coalesce(taken_over.reached, 0)))))]],
      "c req taken_over tail",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins after messages that the previous one had not received, from offset %s on", sub.stream, taken_over.reached)]],
      "sub taken_over",
    },
    cause = "The client answers ConsumerUpdate with the offset specification of its start, and stores no offset that it could continue after.",
  },
  {
    id = "RMQ-I10",
    name = "rmq_i10",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publisher reference shared by two publishers",
    on = "end:pub",
    evidence = {
      [[f.first_known(shared_reference.second_n, pub.shared_reference_n, pub.publish_n)]],
      "shared_reference pub",
    },
    needs = {},
    of = "shared_reference",
    when = {
      [[((pub.shared_reference_n ~= nil and shared_reference.second_n ~= nil and pub.shared_reference_n < shared_reference.second_n) and (pub.publish_n ~= nil and shared_reference.second_n ~= nil and pub.publish_n > shared_reference.second_n))]],
      "pub shared_reference",
    },
    says = {
      [[f.say("two publishers use reference '%s' on %s at once; the one of frame %s published after the other was declared", pub.reference, pub.stream, pub.n)]],
      "pub",
    },
    cause = "Brokers keep one publishing id for each reference: a message of one publisher with a lower id than the other's last one is confirmed and dropped.",
  },
  {
    id = "RMQ-A7",
    name = "rmq_a7",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Single active consumers with a generated name each",
    on = "subscribe",
    needs = {},
    of = "groups",
    guard = 4,
    when = {
      [[((groups.live ~= nil and groups.live >= 1) and (groups.live ~= nil and f.count(groups.names) ~= nil and groups.live == f.count(groups.names)) and (f.has(groups.names, f.item(c["properties[]"], "name")) ~= nil and not f.has(groups.names, f.item(c["properties[]"], "name"))))]],
      "c groups",
    },
    finds = {
      [[f.predicates.has_generated_name("properties groups.latest", c["properties[]"], groups.latest)]],
      "c groups",
    },
    says = {
      [[f.say("each single active consumer of %s is alone in its group, and active: %s", c.stream, f.whole(found))]],
      "c found",
    },
    cause = "The name has something that differs for each instance, such as a UUID, so that all receive every message; members of a group have one name.",
  },
  {
    id = "RMQ-A8",
    name = "rmq_a8",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Partition's single active consumer without property super-stream",
    on = "subscribe",
    needs = {},
    of = "machine",
    again = true,
    guard = 22,
    when = {
      [[(f.has(machine.partitions, c.stream) and ((f.count(machine.bare) or 0) >= 1) and (f.has(machine.bare, c.stream) ~= nil and not f.has(machine.bare, c.stream)))]],
      "c machine",
    },
    says = {
      [[f.say("subscription %s to the partition %s, like one to the partition %s, has no property super-stream: the broker does not spread the partitions over the consumers", c.subscription_id, c.stream, f.first(machine.bare))]],
      "c machine",
    },
    cause = "Without it one consumer becomes active for all partitions, and the others wait.",
  },
  {
    id = "RMQ-A9",
    name = "rmq_a9",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Offset stored by a consumer that is no longer active",
    on = "store_offset",
    needs = {},
    of = "standby",
    when = {
      [[(standby.since ~= nil and (t - standby.since) > (K.RACE + f.coalesce(conn.trip, 0)))]],
      "standby t conn",
    },
    says = {
      [[f.say("offset %s is stored for %s of %s, although the consumer of this connection has not been active since frame %s", c.offset, c.reference, c.stream, standby.left_n)]],
      "c standby",
    },
    cause = "The client continues with the messages that it had received, and overwrites the offset of the new active consumer.",
  },
  {
    id = "RMQ-B25",
    name = "rmq_b25",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Different consumer names in StoreOffset and QueryOffset",
    on = "query_offset_response",
    needs = {},
    of = "sought",
    guard = 21,
    when = {
      [[((sought.flow ~= nil and flow ~= nil and sought.flow ~= flow) and (sought.stored_n == nil) and (tracked.stored_n ~= nil and sought.asked_n ~= nil and tracked.stored_n > sought.asked_n) and (tracked.reference ~= nil and req.reference ~= nil and tracked.reference ~= req.reference))]],
      "sought flow tracked req",
    },
    says = {
      [[f.say("the client asks again for the offset of %s in %s, of which nothing is stored; it stored its offset under %s", req.reference, req.stream, tracked.reference)]],
      "req tracked",
    },
    cause = "Two settings name the consumer: one is used to store its offset, the other one to ask for it, so that each start begins anew.",
  },
  {
    id = "RMQ-B21",
    name = "rmq_b21",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New consumer name for each connection",
    on = "query_offset_response",
    needs = {},
    of = "asking",
    guard = 21,
    when = {
      [[((flow ~= nil and flow ~= f.coalesce(asking.flow, -1)) and (f.count(asking.names) ~= nil and (f.count(asking.names) + 1) >= K.NAMES_LIMIT) and (f.has(asking.names, req.reference) ~= nil and not f.has(asking.names, req.reference)))]],
      "flow asking req",
    },
    says = {
      [[f.say("the client has queried the offset of %s names in %s for which nothing is stored, each on a new connection; the last is %s", (f.count(asking.names) ~= nil and (f.count(asking.names) + 1) or nil), req.stream, req.reference)]],
      "asking req",
    },
    cause = "The name changes with each start, so that the stored offset is never found.",
  },
  {
    id = "RMQ-B33",
    name = "rmq_b33",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New publisher reference for each connection",
    on = "declare_publisher",
    needs = {},
    of = "referring",
    guard = 5,
    when = {
      [[((flow ~= nil and flow ~= f.coalesce(referring.flow, -1)) and (f.count(referring.names) ~= nil and (f.count(referring.names) + 1) >= K.NAMES_LIMIT) and (f.has(referring.names, c.publisher_reference) ~= nil and not f.has(referring.names, c.publisher_reference)))]],
      "c flow referring",
    },
    finds = {
      [[f.predicates.has_generated_reference("publisher_reference referring.latest", c.publisher_reference, referring.latest)]],
      "c referring",
    },
    says = {
      [[f.say("this client has published to %s under %s references, each on a new connection; the last ones are %s", c.stream, (f.count(referring.names) ~= nil and (f.count(referring.names) + 1) or nil), f.whole(found))]],
      "c referring found",
    },
    cause = "The reference changes with each start, so that the broker cannot recognise messages that are published again.",
  },
  {
    id = "RMQ-B14",
    name = "rmq_b14",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer name shared by two consumers that store offsets",
    on = "store_offset",
    needs = {},
    of = "shared_tracking",
    when = {
      [[((consumed.single_n == nil) and ((shared_tracking.user ~= nil and flow ~= nil and shared_tracking.user ~= flow) and f.has(shared_tracking.users, flow)) and ((f.coalesce(shared_tracking.returns, 0) + 1) >= 1))]],
      "consumed shared_tracking flow",
    },
    says = {
      [[f.say("two connections take turns storing the offset of %s on %s; this one stored %s", c.reference, c.stream, c.offset)]],
      "c",
    },
    cause = "Two consumers have the same name and are not single active consumers: each overwrites the offset of the other.",
  },
  {
    id = "RMQ-B16",
    name = "rmq_b16",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Super stream used as a stream",
    on = "store_offset query_offset subscribe declare_publisher delete stream_stats",
    needs = {},
    of = "conn",
    when = { [[f.has(conn.super_streams, c.stream)]], "c conn" },
    says = {
      [[f.say("%s uses the super stream %s as a stream; only its partitions are streams", name, c.stream)]],
      "c name",
    },
    cause = "The client uses the name of the super stream instead of that of a partition; brokers silently ignore StoreOffset and refuse the other commands.",
  },
  {
    id = "RMQ-B27",
    name = "rmq_b27",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Partition of a super stream with messages but without a consumer",
    on = "end:section",
    evidence = { [[f.first_known(section.published_n, super.read_n)]], "section super" },
    needs = {},
    of = "section",
    when = {
      [[(((section.published ~= nil and section.published >= K.UNREAD_LIMIT) and (section.of ~= nil) and (section.read_n == nil) and (super.read_n ~= nil) and (super.read_t ~= nil and (t - super.read_t) > K.QUIET)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "section super t captures",
    },
    says = {
      [[f.say("%s messages were published to %s, but in these captures only other partitions of %s have a consumer", section.published, section.stream, section.of)]],
      "section",
    },
    cause = "The consumer does not subscribe to all partitions that the broker has named, or keeps an old list of them.",
  },
  {
    id = "RMQ-B34",
    name = "rmq_b34",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "All messages of a super stream in one of its partitions",
    on = "end:super",
    evidence = { [[f.first_known(super.sent_n)]], "super" },
    needs = {},
    of = "super",
    when = {
      [[((f.count(super.used) == 1) and (super.parts ~= nil and super.parts >= 2) and (super.sent ~= nil and super.sent >= K.SKEWED_LIMIT))]],
      "super",
    },
    says = {
      [[f.say("all %s messages that were published to %s in these captures are in %s, one of its %s partitions", super.sent, super.stream, super.only, super.parts)]],
      "super",
    },
    cause = "All messages have the same routing key, or the client always uses the same partition: the others stay empty.",
  },
  {
    id = "RMQ-B28",
    name = "rmq_b28",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Messages of one stream partly in AMQP 1.0",
    on = "end:pub",
    evidence = { [[f.first_known(pub.format_n, content.first_n)]], "pub content" },
    needs = {},
    of = "content",
    when = {
      [[(content.format ~= nil and pub.format ~= nil and content.format ~= pub.format)]],
      "content pub",
    },
    says = {
      [[f.say("one publisher of %s encodes its messages in AMQP 1.0, another one does not", pub.stream)]],
      "pub",
    },
    cause = "The publishers use different clients or settings: consumers of one format cannot read the other.",
  },
  {
    id = "RMQ-B36",
    name = "rmq_b36",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Filter value of its own for each message",
    on = "end:pub",
    evidence = { [[f.first_known(pub.filter_n, pub.first_filter_n)]], "pub" },
    needs = {},
    of = "pub",
    when = {
      [[((f.count(pub.filters) ~= nil and f.count(pub.filters) >= K.FILTER_LIMIT) and (f.count(pub.filters) ~= nil and pub.filtered ~= nil and (f.count(pub.filters) * 10) >= (pub.filtered * 9)))]],
      "pub",
    },
    says = {
      [[f.say("the first %s messages of publisher %s to %s have %s different filter values", pub.filtered, pub.id, pub.stream, f.count(pub.filters))]],
      "pub",
    },
    cause = "The value is an id of the message: filters work on chunks, so that a value has to be shared by many messages, such as a region or a customer.",
  },
  {
    id = "RMQ-B15",
    name = "rmq_b15",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Filter that no published message matches",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, filtered.latest_n)]], "sub filtered" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (filtered.count ~= nil and filtered.count >= 1) and (filtered.unsure_n == nil) and (sub.filter ~= nil) and (f.has(filtered.values, sub.filter) ~= nil and not f.has(filtered.values, sub.filter)))]],
      "sub filtered",
    },
    says = {
      [[f.say("subscription %s of %s filters for '%s' and received nothing; no message published in these captures has this filter value", sub.id, sub.stream, sub.filter)]],
      "sub",
    },
    cause = "The publisher sets no filter value or a different one; messages without a filter value are delivered only with match-unfiltered.",
  },
  {
    id = "RMQ-B30",
    name = "rmq_b30",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publisher or subscription not restored after MetadataUpdate",
    on = "end:fallen",
    evidence = { [[f.first_known(fallen.update_n, C.last_n)]], "fallen C" },
    since = { [[f.since(conn, fallen.update_n, C.last_n)]], "conn fallen C" },
    needs = { "since" },
    of = "fallen",
    when = {
      [[((((fallen.read == 1) and (owed.read ~= nil and owed.read > 0)) or ((fallen.written == 1) and (owed.written ~= nil and owed.written > 0))) and (fallen.update_t ~= nil and f.coalesce(conn.asked_metadata_t, 0) < fallen.update_t) and (C.close_n == nil) and (f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) ~= nil and fallen.update_t ~= nil and f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) > (fallen.update_t + K.RETURNED)) and (C.last_t ~= nil and fallen.update_t ~= nil and C.last_t > (fallen.update_t + K.RECOVERY)) and (C.last_t ~= nil and f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) ~= nil and C.last_t > (f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) + K.RETURNED)))]],
      "fallen owed conn C seen topic",
    },
    says = {
      [[f.say("MetadataUpdate ended %s %s; the client stayed connected for another %s, but neither asked for Metadata nor %s again, although the stream was in use again", ((fallen.read == 1) and "the subscription to" or "the publisher of"), fallen.stream, f.time((C.last_t ~= nil and fallen.update_t ~= nil and (C.last_t - fallen.update_t) or nil)), ((fallen.read == 1) and "subscribed" or "declared a publisher"))]],
      "fallen C",
    },
    cause = "The client ignores MetadataUpdate: it believes that its publisher or subscription still exists.",
  },
  {
    id = "RMQ-B30b",
    name = "rmq_b30b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publisher or subscription not yet restored after MetadataUpdate",
    on = "end:fallen",
    evidence = { [[f.first_known(fallen.update_n, C.last_n)]], "fallen C" },
    since = { [[f.since(conn, fallen.update_n, C.last_n)]], "conn fallen C" },
    needs = { "since" },
    of = "fallen",
    when = {
      [[((((fallen.read == 1) and (owed.read ~= nil and owed.read > 0)) or ((fallen.written == 1) and (owed.written ~= nil and owed.written > 0))) and (fallen.update_t ~= nil and f.coalesce(conn.asked_metadata_t, 0) < fallen.update_t) and (C.close_n == nil) and (f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) ~= nil and fallen.update_t ~= nil and f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) > fallen.update_t) and (C.last_t ~= nil and fallen.update_t ~= nil and C.last_t > (fallen.update_t + K.RETURNED)) and ((C.last_t ~= nil and fallen.update_t ~= nil and C.last_t <= (fallen.update_t + K.RECOVERY)) or (f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) ~= nil and fallen.update_t ~= nil and f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) <= (fallen.update_t + K.RETURNED)) or (C.last_t ~= nil and f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) ~= nil and C.last_t <= (f.max(f.coalesce(seen.there_t, 0), f.coalesce(topic.used_t, 0)) + K.RETURNED))))]],
      "fallen owed conn C seen topic",
    },
    says = {
      [[f.say("MetadataUpdate ended %s %s; the client stayed connected for another %s, but neither asked for Metadata nor %s again, although the stream was in use again", ((fallen.read == 1) and "the subscription to" or "the publisher of"), fallen.stream, f.time((C.last_t ~= nil and fallen.update_t ~= nil and (C.last_t - fallen.update_t) or nil)), ((fallen.read == 1) and "subscribed" or "declared a publisher"))]],
      "fallen C",
    },
    cause = "The client ignores MetadataUpdate: it believes that its publisher or subscription still exists.",
  },
  {
    id = "RMQ-B31b",
    name = "rmq_b31b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "All messages for a super stream in the partition of one routing key",
    on = "end:pub",
    evidence = { [[f.first_known(pub.publish_n, router.asked_n)]], "pub router" },
    needs = { "start", "both" },
    of = "router",
    when = {
      [[((pub.routed ~= nil) and (f.count(router.keys) == 1) and (f.count(router.streams) == 1) and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) >= K.ROUTED_LIMIT))]],
      "pub router",
    },
    says = {
      [[f.say("Route was sent for the key '%s' only, and all messages for %s were published to %s", router.key, pub.routed, pub.stream)]],
      "router pub",
    },
    cause = "The client asks for the partition of one message and uses it for all.",
  },
  {
    id = "RMQ-H6",
    name = "rmq_h6",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Heartbeat during the handshake",
    on = "client:heartbeat",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = { [[(C.tune_n == nil)]], "C" },
    says = {
      [[f.say("the client sent Heartbeat in the middle of the handshake (state '%s')", conn.state)]],
      "conn",
    },
    cause = "The client starts its heartbeat timer with the connection, before the interval is negotiated; brokers may end the connection.",
  },
  {
    id = "RMQ-K7",
    name = "rmq_k7",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client frame after the broker closed the TCP connection",
    on = "client:heartbeat client:any:request client:publish client:credit client:store_offset",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and (C.last_t ~= nil and conn.heartbeat ~= nil and conn.fin_t ~= nil and (C.last_t + (conn.heartbeat * 1000000000.0)) >= conn.fin_t)) and (conn.fin_t ~= nil and (t - conn.fin_t) > 1000000000.0))]],
      "conn S C t",
    },
    says = {
      [[f.say("the client sent %s %s after the broker had closed the connection", name, f.time((conn.fin_t ~= nil and (t - conn.fin_t) or nil)))]],
      "name conn t",
    },
    cause = "The client does not notice that the connection was closed; nothing that it sends reaches the broker.",
  },
  {
    id = "RMQ-K7b",
    name = "rmq_k7b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client frame just after the broker closed the TCP connection",
    on = "client:heartbeat client:any:request client:publish client:credit client:store_offset",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and (conn.fin_t ~= nil and (t - conn.fin_t) > 200000000))]],
      "conn S t",
    },
    says = {
      [[f.say("the client sent %s %s after the broker had closed the connection", name, f.time((conn.fin_t ~= nil and (t - conn.fin_t) or nil)))]],
      "name conn t",
    },
    cause = "The client does not notice at once that the connection was closed; nothing that it sends reaches the broker.",
  },
  {
    id = "RMQ-B40",
    name = "rmq_b40",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream deleted while it is used",
    on = "delete",
    needs = { "start", "whole", "both" },
    of = "used_by",
    when = {
      [[((used_by.live ~= nil and used_by.live > 0) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "used_by captures",
    },
    says = {
      [[f.say("%s is deleted although it has %s in these captures: publishers and subscriptions", c.stream, f.counted(used_by.live, "user", "users"))]],
      "c used_by",
    },
    cause = "The stream is made anew by a program or an operator while others use it: they lose their publishers and subscriptions.",
  },
  {
    id = "RMQ-B41",
    name = "rmq_b41",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored offsets of the first message of each chunk",
    on = "end:conn",
    evidence = { [[f.first_known(conn.stored_first_latest_n, conn.stored_first_second_n)]], "conn" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((conn.stored_first_count ~= nil and conn.stored_first_count >= K.FIRST_LIMIT) and (conn.stored_first_count ~= nil and conn.stored_count ~= nil and (conn.stored_first_count * 100) >= (conn.stored_count * 90)))]],
      "conn",
    },
    says = {
      [[f.say("%s of %s offsets that were stored are those of the first message of a chunk with several", conn.stored_first_count, conn.stored_count)]],
      "conn",
    },
    cause = "The client stores the chunk's id instead of the offset of the last message that it has processed: after a restart it reads the rest of the chunk again.",
  },
  {
    id = "RMQ-A11",
    name = "rmq_a11",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Members of a group of single active consumers with different filters",
    on = "subscribe",
    needs = {},
    of = "group_filter",
    when = {
      [[(((f.item(c["properties[]"], "single-active-consumer") == "true") and (group_filter.user ~= nil and flow ~= nil and group_filter.user ~= flow) and (group_filter.first ~= nil and group_filter.first ~= f.coalesce(f.item(c["properties[]"], "filter.0"), ""))) and ((f.coalesce(group_filter.others, 0) + 1) >= 1) and (group_filter.mixed == nil))]],
      "c group_filter flow",
    },
    says = {
      [[f.say("subscription %s of %s joins the group %s with another filter than its first member: what is delivered depends on which of them is active", c.subscription_id, c.stream, f.item(c["properties[]"], "name"))]],
      "c",
    },
    cause = "The instances have different settings; members of a group take each other's place and need the same filter.",
  },
  {
    id = "RMQ-B49",
    name = "rmq_b49",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription on the node of the leader although the stream has replicas",
    on = "subscribe_response",
    needs = {},
    of = "placed",
    guard = 1,
    when = { [[(placed.replicas ~= nil and placed.replicas > 0)]], "placed" },
    finds = {
      [[f.predicates.is_on_leader("placed.brokers placed.leader conn.advertised_host conn.advertised_port", placed.brokers, placed.leader, conn.advertised_host, conn.advertised_port)]],
      "placed conn",
    },
    says = {
      [[f.say("the subscription to %s is on %s, the node of its leader, although Metadata names %s", req.stream, conn.advertised_host, f.counted(placed.replicas, "replica", "replicas"))]],
      "req conn placed",
    },
    cause = "The client does not choose among the replicas: reading from the leader takes from what it has for publishers.",
  },
  {
    id = "RMQ-B49b",
    name = "rmq_b49b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publisher on another node than the leader",
    on = "declare_publisher_response",
    needs = {},
    of = "placed",
    guard = 1,
    when = { [[(placed.leader ~= nil)]], "placed" },
    finds = {
      [[f.predicates.is_beside_leader("placed.brokers placed.leader conn.advertised_host conn.advertised_port", placed.brokers, placed.leader, conn.advertised_host, conn.advertised_port)]],
      "placed conn",
    },
    says = {
      [[f.say("the publisher of %s is on %s, but the leader is on %s: each message crosses the cluster once more", req.stream, conn.advertised_host, f.whole(found))]],
      "req conn found",
    },
    cause = "The client ignores the leader in Metadata, or a load balancer has chosen another node and the client does not try again.",
  },
  {
    id = "RMQ-B50",
    name = "rmq_b50",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connection for each publisher or subscription",
    on = "declare_publisher_response subscribe_response",
    needs = {},
    of = "host",
    guard = 1,
    when = {
      [[((conn.uses == nil) and ((f.coalesce(host.single, 0) + 1) >= K.SINGLE_USES))]],
      "conn host",
    },
    says = {
      [[f.say("%s has %s connections to %s at once, each with one publisher or subscription", client, K.SINGLE_USES, server)]],
      "client server",
    },
    cause = "The client connects for each of them; one connection can have 256 publishers and 256 subscriptions, and each costs processes and memory of the broker.",
  },
  {
    id = "RMQ-A12",
    name = "rmq_a12",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Property super-stream that is not the super stream of the partition",
    on = "subscribe",
    needs = {},
    of = "section",
    guard = 83,
    when = {
      [[((section.of ~= nil) and (f.item(c["properties[]"], "super-stream") ~= nil and section.of ~= nil and f.item(c["properties[]"], "super-stream") ~= section.of))]],
      "c section",
    },
    says = {
      [[f.say("subscription %s to %s has the property super-stream %s, but it is a partition of %s", c.subscription_id, c.stream, f.item(c["properties[]"], "super-stream"), section.of)]],
      "c section",
    },
    cause = "The name of the partition or of another super stream is used: the broker does not spread the partitions over the consumers, or refuses the subscription.",
  },
  {
    id = "RMQ-B44",
    name = "rmq_b44",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored offset never queried, and messages consumed again",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 0) and (resumed.stored ~= nil and resumed.began ~= nil and resumed.stored >= ((resumed.began + K.REREAD_LIMIT) - 1)) and (resumed.unsure_n == nil) and (resumed.stored_n ~= nil and f.coalesce(resumed.asked_n, -1) < resumed.stored_n) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s, although offset %s was stored: the messages in between are consumed again", sub.id, sub.stream, ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), resumed.stored)]],
      "sub resumed",
    },
    cause = "The client stores its offset, but does not ask for it when it starts.",
  },
  {
    id = "RMQ-B44",
    name = "rmq_b44_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored offset never queried, and messages consumed again",
    on = "store_offset",
    needs = { "start", "whole", "both" },
    of = "sought",
    when = {
      [[((conn.begun_stream ~= nil and c.stream ~= nil and conn.begun_stream == c.stream) and (sought.stored_n ~= nil and conn.begun_n ~= nil and sought.stored_n < conn.begun_n) and (sought.stored_n ~= nil and f.coalesce(sought.queried_n, -1) < sought.stored_n) and (sought.unsure_n == nil) and (sought.stored ~= nil and conn.begun_at ~= nil and sought.stored >= ((conn.begun_at + K.REREAD_LIMIT) - 1)))]],
      "c conn sought",
    },
    says = {
      [[f.say("%s had stored offset %s of %s; its connection did not query it, began at %s and now stores %s: the messages in between are consumed again", c.reference, sought.stored, c.stream, conn.begun_at, c.offset)]],
      "c sought conn",
    },
    cause = "The client stores its offset, but does not ask for it when it starts.",
  },
  {
    id = "RMQ-B44b",
    name = "rmq_b44b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset never queried after a lost connection, and messages consumed again",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 1) and (resumed.stored ~= nil and resumed.began ~= nil and resumed.stored >= ((resumed.began + K.REREAD_LIMIT) - 1)) and (resumed.unsure_n == nil) and (resumed.stored_n ~= nil and f.coalesce(resumed.asked_n, -1) < resumed.stored_n) and (((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) ~= nil and resumed.began ~= nil and ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)) <= resumed.began)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("after its connection was lost, subscription %s of %s begins at %s, although offset %s was stored: the messages in between are consumed again", sub.id, sub.stream, ((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), resumed.stored)]],
      "sub resumed",
    },
    cause = "After the connection was lost the client subscribes as at its start, and does not ask for the offset that it had stored.",
  },
  {
    id = "RMQ-B45",
    name = "rmq_b45",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages consumed again that came after the last stored offset",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "resumed",
    when = {
      [[((((c.response_code == 1) and (f.coalesce(sub.single, "") ~= "true")) and (((resumed.began ~= nil) or (resumed.spec ~= nil)) and ((f.coalesce(resumed.former_flow, -1) or -2) >= -1))) and ((resumed.lost == 0) and (sub.offset_type == 4) and ((resumed.stored ~= nil and sub.wanted ~= nil and resumed.stored <= sub.wanted) and (sub.wanted ~= nil and resumed.stored ~= nil and sub.wanted <= (resumed.stored + 1))) and (resumed.began ~= nil and sub.wanted ~= nil and resumed.began < sub.wanted) and (resumed.reached ~= nil and sub.wanted ~= nil and (resumed.reached - sub.wanted) >= K.REREAD_LIMIT)))]],
      "c sub resumed",
    },
    says = {
      [[f.say("subscription %s of %s begins at %s, after the stored offset %s: the previous one had received messages up to %s, without storing their offset when it ended", sub.id, sub.stream, sub.wanted, resumed.stored, (resumed.reached ~= nil and (resumed.reached - 1) or nil))]],
      "sub resumed",
    },
    cause = "The client stores its offset every so many messages or seconds, and not when the consumer is closed.",
  },
  {
    id = "RMQ-B46",
    name = "rmq_b46",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Consumer that queries its stored offset and stores none",
    on = "end:sub",
    evidence = { [[f.first_known(f.coalesce(sub.deliver_n, sub.n), sub.n)]], "sub" },
    needs = { "start", "whole", "object", "both" },
    of = "sub",
    when = {
      [[(((conn.reader_stream ~= nil and sub.stream ~= nil and conn.reader_stream == sub.stream) and (tracked.stored_n == nil) and (sub.messages ~= nil and sub.messages >= K.REREAD_LIMIT) and ((why == "removed") or (C.close_n ~= nil))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "conn sub tracked why C captures",
    },
    says = {
      [[f.say("subscription %s of %s received %s; the client had queried the stored offset of %s, but stored none until it ended", sub.id, sub.stream, f.counted(sub.messages, "message", "messages"), conn.reader)]],
      "sub conn",
    },
    cause = "Tracking is manual and the program never stores, or it stores only every so many messages: the next start reads the same messages.",
  },
  {
    id = "RMQ-B47",
    name = "rmq_b47",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset of another stream used",
    on = "subscribe",
    needs = {},
    of = "conn",
    guard = 16,
    when = {
      [[((finder.of ~= nil) and ((finder.offset ~= nil and 1 < finder.offset) and (finder.offset ~= nil and c.offset ~= nil and finder.offset <= c.offset)) and (c.offset ~= nil and finder.offset ~= nil and c.offset <= (finder.offset + 1)) and (finder.of ~= nil and c.stream ~= nil and finder.of ~= c.stream) and (f.has(finder.asked, c.stream) ~= nil and not f.has(finder.asked, c.stream)))]],
      "c finder",
    },
    says = {
      [[f.say("the client begins with %s at %s, which follows the offset %s that is stored for %s; that of %s was not asked for", c.stream, c.offset, finder.offset, finder.of, c.stream)]],
      "c finder",
    },
    cause = "One offset is used for several streams, such as the partitions of a super stream: messages are skipped or consumed again.",
  },
  {
    id = "RMQ-B47",
    name = "rmq_b47_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset of another stream used",
    on = "consumer_update_response",
    needs = {},
    of = "conn",
    guard = 16,
    when = {
      [[((req.active == 1) and (finder.of ~= nil) and ((finder.offset ~= nil and 1 < finder.offset) and (finder.offset ~= nil and c.offset ~= nil and finder.offset <= c.offset)) and (c.offset ~= nil and finder.offset ~= nil and c.offset <= (finder.offset + 1)) and (finder.of ~= nil and sub.stream ~= nil and finder.of ~= sub.stream) and (f.has(finder.asked, sub.stream) ~= nil and not f.has(finder.asked, sub.stream)))]],
      "c req finder sub",
    },
    says = {
      [[f.say("the client begins with %s at %s, which follows the offset %s that is stored for %s; that of %s was not asked for", sub.stream, c.offset, finder.offset, finder.of, sub.stream)]],
      "c sub finder",
    },
    cause = "One offset is used for several streams, such as the partitions of a super stream: messages are skipped or consumed again.",
  },
  {
    id = "RMQ-B48",
    name = "rmq_b48",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Offset stored for a stream without a subscription",
    on = "store_offset",
    needs = { "start", "whole", "both" },
    of = "consumed",
    when = { [[((consumed.read_n == nil) and (conn.reads_n ~= nil))]], "consumed conn" },
    says = {
      [[f.say("offset %s is stored for %s of %s, which has no subscription in these captures; the connection reads another stream", c.offset, c.reference, c.stream)]],
      "c",
    },
    cause = "The name is not that of the stream that is consumed: brokers silently ignore StoreOffset for a stream that does not exist, and the offset of the right stream is never stored.",
  },
  {
    id = "RMQ-A6e",
    name = "rmq_a6e",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New active consumer repeating messages after the stored offset",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and ((c.offset_type == 4) and ((taken_over.stored ~= nil and c.offset ~= nil and taken_over.stored <= c.offset) and (c.offset ~= nil and taken_over.stored ~= nil and c.offset <= (taken_over.stored + 1))) and (taken_over.began ~= nil and c.offset ~= nil and taken_over.began < c.offset) and (taken_over.reached ~= nil and c.offset ~= nil and (taken_over.reached - c.offset) >= K.REREAD_LIMIT)))]],
      "c req taken_over",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins at %s; the previous one had received messages up to %s, and had stored offset %s", sub.stream, c.offset, (taken_over.reached ~= nil and (taken_over.reached - 1) or nil), taken_over.stored)]],
      "c sub taken_over",
    },
    cause = "The previous consumer did not store its offset when it stopped being active.",
  },
  {
    id = "RMQ-B51",
    name = "rmq_b51",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer that fails at the same offset each time",
    on = "subscribe_response",
    needs = {},
    of = "retried",
    guard = 1,
    when = {
      [[((req.offset_type == 4) and (retried.place ~= nil and req.offset ~= nil and retried.place == req.offset) and (retried.advanced == 1) and (retried.times ~= nil and (retried.times + 1) >= K.REREAD_ROUNDS) and (retried.failed ~= nil and retried.failed >= (K.REREAD_ROUNDS - 1)))]],
      "req retried",
    },
    says = {
      [[f.say("%s subscriptions in a row to %s began at %s, although messages from there on were delivered to each of them; the client dropped each of them without Close", K.REREAD_ROUNDS, req.stream, req.offset)]],
      "req",
    },
    cause = "The program fails at one of these messages and is started again: it does not get on.",
  },
  {
    id = "RMQ-B51b",
    name = "rmq_b51b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Consumer that begins at the same offset each time",
    on = "subscribe_response",
    needs = {},
    of = "retried",
    guard = 1,
    when = {
      [[((req.offset_type == 4) and (retried.place ~= nil and req.offset ~= nil and retried.place == req.offset) and (retried.advanced == 1) and (retried.times ~= nil and (retried.times + 1) >= K.REREAD_ROUNDS) and (f.coalesce(retried.failed, 0) < (K.REREAD_ROUNDS - 1)))]],
      "req retried",
    },
    says = {
      [[f.say("%s subscriptions in a row to %s began at %s, although messages from there on were delivered to each of them", K.REREAD_ROUNDS, req.stream, req.offset)]],
      "req",
    },
    cause = "The client does not store how far it has come, or does not use what it stored.",
  },
  {
    id = "RMQ-B53",
    name = "rmq_b53",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Filter of a subscription lost with its connection",
    on = "subscribe",
    needs = { "start", "both" },
    of = "kept",
    guard = 84,
    when = {
      [[((kept.lost_t ~= nil and (t - kept.lost_t) <= K.RESTORED_AFTER) and (kept.flow ~= nil and flow ~= nil and kept.flow ~= flow) and ((f.count(kept.filters) or 0) > 0) and (f.has(kept.filters, "") ~= nil and not f.has(kept.filters, "")))]],
      "kept t flow",
    },
    says = {
      [[f.say("subscription %s of %s has no filter, unlike the one that was lost with the connection before, which filtered for '%s'", c.subscription_id, c.stream, f.first(kept.filters))]],
      "c kept",
    },
    cause = "The client subscribes again with its defaults instead of the properties of the lost subscription: all messages are delivered.",
  },
  {
    id = "RMQ-B53b",
    name = "rmq_b53b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Filter of a subscription changed with its connection",
    on = "subscribe",
    needs = { "start", "both" },
    of = "kept",
    guard = 85,
    when = {
      [[((kept.lost_t ~= nil and (t - kept.lost_t) <= K.RESTORED_AFTER) and (kept.flow ~= nil and flow ~= nil and kept.flow ~= flow) and ((f.count(kept.filters) or 0) > 0) and (f.has(kept.filters, f.coalesce(f.item(c["properties[]"], "filter.0"), "")) ~= nil and not f.has(kept.filters, f.coalesce(f.item(c["properties[]"], "filter.0"), ""))))]],
      "c kept t flow",
    },
    says = {
      [[f.say("subscription %s of %s filters for '%s', unlike the one that was lost with the connection before", c.subscription_id, c.stream, f.coalesce(f.item(c["properties[]"], "filter.0"), ""))]],
      "c",
    },
    cause = "The client subscribes again with other properties than those of the lost subscription.",
  },
  {
    id = "RMQ-B53c",
    name = "rmq_b53c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Single-active-consumer of a subscription lost with its connection",
    on = "subscribe",
    needs = { "start", "both" },
    of = "kept",
    guard = 86,
    when = {
      [[((kept.lost_t ~= nil and (t - kept.lost_t) <= K.RESTORED_AFTER) and (kept.flow ~= nil and flow ~= nil and kept.flow ~= flow) and ((f.count(kept.filters) or 0) > 0) and (kept.shared == nil))]],
      "kept t flow",
    },
    says = {
      [[f.say("subscription %s of %s is no single active consumer, unlike the one that was lost with the connection before", c.subscription_id, c.stream)]],
      "c",
    },
    cause = "The client subscribes again without the properties of the lost subscription: it receives all messages, whichever member of its group is active.",
  },
  {
    id = "RMQ-B21b",
    name = "rmq_b21b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stream consumed from the start under a new name by each run",
    on = "subscribe",
    needs = {},
    of = "asking",
    guard = 87,
    when = {
      [[((asking.t_of ~= nil and (t - asking.t_of) <= K.RESUBSCRIBED) and (f.count(asking.names) ~= nil and f.count(asking.names) >= K.NAMES_LIMIT) and (tracked.stored_n ~= nil and asking.latest_n ~= nil and tracked.stored_n < asking.latest_n))]],
      "asking t tracked",
    },
    finds = { [[f.predicates.are_of_one_program("asking.names", asking.names)]], "asking" },
    says = {
      [[f.say("subscription %s of %s begins at the start: nothing is stored for the consumer's new name, and each run has another one (%s)", c.subscription_id, c.stream, f.whole(found))]],
      "c found",
    },
    cause = "The name has something that changes with each start, such as the name of a container, so that the stored offset is never found.",
  },
  {
    id = "RMQ-B33b",
    name = "rmq_b33b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Messages stored again under another publisher reference",
    on = "publish",
    needs = { "start", "whole", "both" },
    of = "outbox",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (f.coalesce(pub.kept, 0) < K.SENT_MOST) and (f.count(outbox.again) ~= nil and f.count(outbox.again) >= K.OUTBOX_LIMIT) and (outbox.again_flow ~= nil and flow ~= nil and outbox.again_flow == flow) and (outbox.reference ~= nil and pub.reference ~= nil and outbox.reference ~= pub.reference) and (f.program(outbox.reference) ~= nil and f.program(pub.reference) ~= nil and f.program(outbox.reference) == f.program(pub.reference)))]],
      "pub outbox flow",
    },
    says = {
      [[f.say("publisher '%s' sends messages to %s with the publishing ids and contents that '%s' had sent: they are stored once more", pub.reference, pub.stream, outbox.reference)]],
      "pub outbox",
    },
    cause = "The reference changes with each start: the broker recognises repeated messages by reference and publishing id.",
  },
  {
    id = "RMQ-B55",
    name = "rmq_b55",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Streams made for one use each and never deleted",
    on = "create_response",
    needs = { "start", "both" },
    of = "maker",
    guard = 1,
    when = {
      [[((maker.used_n ~= nil) and (maker.stem ~= nil) and (f.program(req.stream) ~= nil and maker.stem ~= nil and f.program(req.stream) == maker.stem) and (req.stream ~= nil and maker.stream ~= nil and req.stream ~= maker.stream) and (maker.stem ~= nil and maker.stream ~= nil and maker.stem ~= maker.stream) and (maker.times ~= nil and (maker.times + 1) >= K.ANSWER_LIMIT))]],
      "maker req",
    },
    says = {
      [[f.say("%s is one of %s streams in a row whose names differ in a generated part; each was used before the next one was created, and none was deleted", req.stream, (maker.times ~= nil and (maker.times + 1) or nil))]],
      "req maker",
    },
    cause = "A stream is made for each task, answer or customer: they grow without bound, and each costs files and processes on several nodes.",
  },
  {
    id = "RMQ-B2b",
    name = "rmq_b2b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publishers deleted after a few messages",
    on = "end:pub",
    evidence = {
      [[f.first_known(f.coalesce(few_messages.second_n, pub.n), pub.n, few_messages.first_n)]],
      "few_messages pub",
    },
    needs = { "start", "whole", "both" },
    of = "few_messages",
    when = {
      [[((few_messages.times ~= nil and (few_messages.times + 1) >= K.BRIEF_LIMIT) and (((why == "removed") and ((pub.confirmed ~= nil and pub.refused ~= nil and 1 < ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0))) and (pub.confirmed ~= nil and pub.refused ~= nil and ((pub.confirmed + pub.refused) + f.coalesce(f.count(pub.waiting), 0)) <= K.FEW_MESSAGES))) and (why ~= nil and not LISTS[5][why]) and (pub.born and (pub.epoch ~= nil and conn.epoch ~= nil and pub.epoch == conn.epoch) and conn.both)) and ((few_messages.latest_t ~= nil and pub.t ~= nil and few_messages.latest_t <= (pub.t + 0)) and (pub.t ~= nil and few_messages.latest_t ~= nil and (pub.t - few_messages.latest_t) <= 2000000000.0)))]],
      "few_messages why pub conn",
    },
    says = {
      [[f.say("%s publishers in a row were deleted after at most %s messages; the last was publisher %s of %s", K.BRIEF_LIMIT, K.FEW_MESSAGES, pub.id, pub.stream)]],
      "pub",
    },
    cause = "The client declares a publisher for each task, which costs two round trips; one publisher can send all messages to its stream.",
  },
  {
    id = "RMQ-B3b",
    name = "rmq_b3b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscriptions ended after a few chunks",
    on = "end:sub",
    evidence = {
      [[f.first_known(f.coalesce(few_chunks.second_n, sub.n), sub.n, few_chunks.first_n)]],
      "few_chunks sub",
    },
    needs = { "start", "whole", "both" },
    of = "few_chunks",
    when = {
      [[((few_chunks.times ~= nil and (few_chunks.times + 1) >= K.BRIEF_LIMIT) and (((why == "removed") and ((sub.chunks ~= nil and 1 < sub.chunks) and (sub.chunks ~= nil and sub.chunks <= K.FEW_CHUNKS))) and (why ~= nil and not LISTS[5][why]) and (sub.born and (sub.epoch ~= nil and conn.epoch ~= nil and sub.epoch == conn.epoch) and conn.both)) and ((few_chunks.latest_t ~= nil and sub.t ~= nil and few_chunks.latest_t <= (sub.t + 0)) and (sub.t ~= nil and few_chunks.latest_t ~= nil and (sub.t - few_chunks.latest_t) <= 2000000000.0)))]],
      "few_chunks why sub conn",
    },
    says = {
      [[f.say("%s subscriptions in a row were ended after at most %s chunks; the last was subscription %s of %s", K.BRIEF_LIMIT, K.FEW_CHUNKS, sub.id, sub.stream)]],
      "sub",
    },
    cause = "The client subscribes for each task or page, which costs two round trips; a subscription continues as long as it receives credit.",
  },
  {
    id = "RMQ-B93",
    name = "rmq_b93",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections left open after their use",
    on = "end:freed",
    evidence = { [[f.first_known(freed.latest_n, freed.first_n)]], "freed" },
    needs = {},
    of = "freed",
    when = {
      [[((freed.left ~= nil and freed.left >= K.FREED_LIMIT) and (freed.left ~= nil and freed.all ~= nil and (freed.left * 100) >= (freed.all * 20)) and (freed.all ~= nil and (f.coalesce(freed.ended, 0) * 100) <= (freed.all * 100)))]],
      "freed",
    },
    says = {
      [[f.say("%s of %s connections of one client were left open, without Close, after their last publisher or subscription had ended", freed.left, freed.all)]],
      "freed",
    },
    cause = "The client ends its consumers and producers, and not the connection that it made for them: connections pile up.",
  },
  {
    id = "RMQ-B94",
    name = "rmq_b94",
    severity = "WARN",
    group = "SEQUENCE",
    title = "End of a stream connection that its client does not notice",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, f.coalesce(C.last_n, sub.n))]], "sub C" },
    needs = { "object", "both" },
    of = "conn",
    when = {
      [[(LISTS[52][why] and (conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and (conn.gone == nil) and (C.close_n == nil) and (conn.fin_t ~= nil and (t - conn.fin_t) > K.HALF_OPEN))]],
      "why conn S C t",
    },
    says = {
      [[f.say("the broker closed the connection %s before the captures end, and the client has not closed its side: subscription %s of %s is lost", f.time((conn.fin_t ~= nil and (t - conn.fin_t) or nil)), sub.id, sub.stream)]],
      "conn t sub",
    },
    cause = "The client does not watch its connection, or its error handler does nothing: it has to close its side and connect again.",
  },
  {
    id = "RMQ-B94",
    name = "rmq_b94_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "End of a stream connection that its client does not notice",
    on = "end:pub",
    evidence = { [[f.first_known(pub.n, f.coalesce(C.last_n, pub.n))]], "pub C" },
    needs = { "object", "both" },
    of = "conn",
    when = {
      [[(LISTS[52][why] and (conn.first_fin ~= nil and S.side ~= nil and conn.first_fin == S.side) and (conn.gone == nil) and (C.close_n == nil) and (conn.fin_t ~= nil and (t - conn.fin_t) > K.HALF_OPEN))]],
      "why conn S C t",
    },
    says = {
      [[f.say("the broker closed the connection %s before the captures end, and the client has not closed its side: publisher %s of %s is lost", f.time((conn.fin_t ~= nil and (t - conn.fin_t) or nil)), pub.id, pub.stream)]],
      "conn t pub",
    },
    cause = "The client does not watch its connection, or its error handler does nothing: it has to close its side and connect again.",
  },
  {
    id = "RMQ-B96",
    name = "rmq_b96",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Subscription ended by the broker and never made again",
    on = "end:lapsed",
    evidence = { [[f.first_known(lapsed.sub_n, lapsed.got_n)]], "lapsed" },
    needs = {},
    of = "lapsed",
    when = {
      [[((lapsed.since_t ~= nil and (t - lapsed.since_t) > K.RECOVERY) and (topic.fed_t ~= nil and lapsed.since_t ~= nil and topic.fed_t > (lapsed.since_t + K.RETURNED)))]],
      "lapsed t topic",
    },
    says = {
      [[f.say("the broker ended the connection of the subscription to %s, which had received messages up to %s; its client has not subscribed again for %s, although messages are published again", lapsed.stream, (lapsed.next ~= nil and (lapsed.next - 1) or nil), f.time((lapsed.since_t ~= nil and (t - lapsed.since_t) or nil)))]],
      "lapsed t",
    },
    cause = "The consumer does not reconnect: it has to watch its connection, and to subscribe again from where it stopped.",
  },
  {
    id = "RMQ-B92",
    name = "rmq_b92",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client connections that end at the same frame of the broker",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n, gone.second_n, gone.first_n)]], "S gone" },
    needs = { "whole", "both" },
    of = "gone",
    when = {
      [[((gone.times ~= nil and (gone.times + 1) >= K.GONE_LIMIT) and ((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (conn.close_n == nil) and (f.coalesce(conn.first_fin, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.first_fin, C.side) == C.side)) and ((gone.latest_t ~= nil and (t - gone.latest_t) <= K.GONE_PAUSE) and (gone.same ~= nil and S.sign ~= nil and gone.same == S.sign)))]],
      "gone S t conn C",
    },
    says = {
      [[f.say("%s connections in a row were ended by the client, without Close, within %s after the broker's %s", K.GONE_LIMIT, f.time(K.GONE), S.sign)]],
      "S",
    },
    cause = "The client fails when it handles the frame, and is started again.",
  },
  {
    id = "RMQ-B92b",
    name = "rmq_b92b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Client connection that ends at a frame of the broker",
    on = "client:tcp.close client:tcp.reset",
    evidence = { [[f.first_known(S.sign_n)]], "S" },
    needs = { "whole", "both" },
    of = "conn",
    when = {
      [[((S.sign_n ~= nil and S.last_n ~= nil and S.sign_n == S.last_n) and (S.last_t ~= nil and (t - S.last_t) < K.GONE) and (conn.close_n == nil) and (f.coalesce(conn.first_fin, C.side) ~= nil and C.side ~= nil and f.coalesce(conn.first_fin, C.side) == C.side))]],
      "S t conn C",
    },
    says = {
      [[f.say("the client ended the connection, without Close, within %s after the broker's %s", f.time(K.GONE), S.sign)]],
      "S",
    },
    cause = "The client fails when it handles the frame.",
  },
  {
    id = "RMQ-B70",
    name = "rmq_b70",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Client continuing after the broker's Close",
    on = "client:any:request client:publish client:credit client:store_offset",
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[((((S.close_n ~= nil) and (name ~= "close")) and (S.close_t ~= nil and (t - S.close_t) > 500000000)) and ((f.coalesce(conn.after_close_times, 0) + 1) >= K.CLOSED_LIMIT))]],
      "S name t conn",
    },
    says = {
      [[f.say("the client sent %s %s after the broker's Close in frame %s", name, f.time((S.close_t ~= nil and (t - S.close_t) or nil)), S.close_n)]],
      "name S t",
    },
    cause = "The client does not process Close: it has to answer it and stop; the broker ignores what it sends, and ends the connection.",
  },
  {
    id = "RMQ-B80",
    name = "rmq_b80",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Heartbeats disabled by the client",
    on = "tune_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 88,
    when = { [[(S.heartbeat ~= nil and S.heartbeat > 0)]], "S" },
    says = {
      [[f.say("the client disables heartbeats; the broker offers an interval of %s s", S.heartbeat)]],
      "S",
    },
    cause = "Neither side notices that the other one is gone, as long as it sends nothing.",
  },
  {
    id = "RMQ-B86",
    name = "rmq_b86",
    severity = "NOTE",
    group = "SECURITY",
    title = "Authentication renewed with the same token",
    on = "sasl_authenticate",
    needs = {},
    of = "conn",
    when = {
      [[((conn.state == "open") and (c["sasl_opaque_data raw"] ~= nil and conn.token ~= nil and c["sasl_opaque_data raw"] == conn.token))]],
      "c conn",
    },
    says = { [[f.say("SaslAuthenticate has the token of frame %s once more", conn.token_n)]], "conn" },
    cause = "The client renews its authentication without a new token: the old one expires all the same.",
  },
  {
    id = "RMQ-B71",
    name = "rmq_b71",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Unconfirmed messages of a named publisher never sent again",
    on = "end:pub",
    evidence = { [[f.first_known(pub.low_n, cut.open_n, cut.sent_n)]], "pub cut" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[((cut.open ~= nil and cut.open > 0) and (cut.flow ~= nil and flow ~= nil and cut.flow ~= flow) and (cut.over_n ~= nil and pub.n ~= nil and cut.over_n < pub.n) and ((f.len(pub.reference) or 0) > 0) and (pub.low ~= nil and cut.top ~= nil and pub.low > cut.top) and (cut.top ~= nil and f.coalesce(pub.stored, -1) < cut.top))]],
      "cut flow pub",
    },
    says = {
      [[f.say("%s for %s had no confirm when the connection was lost (up to publishing id %s); the next publisher begins with id %s and sends none of them again", f.counted(cut.open, "message", "messages"), pub.stream, cut.top, pub.begins)]],
      "cut pub",
    },
    cause = "The client drops unconfirmed messages when its connection is lost: those that the broker had not stored are lost.",
  },
  {
    id = "RMQ-B71b",
    name = "rmq_b71b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Unconfirmed messages of an unnamed publisher never sent again",
    on = "end:pub",
    evidence = { [[f.first_known(pub.low_n, cut.open_n, cut.sent_n)]], "pub cut" },
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[((cut.open ~= nil and cut.open > 0) and (cut.flow ~= nil and flow ~= nil and cut.flow ~= flow) and (cut.over_n ~= nil and pub.n ~= nil and cut.over_n < pub.n) and ((f.len(pub.reference) or 1) <= 0) and (pub.begins ~= nil and cut.top ~= nil and pub.begins == (cut.top + 1)) and (pub.low ~= nil and cut.top ~= nil and pub.low > cut.top))]],
      "cut flow pub",
    },
    says = {
      [[f.say("%s for %s had no confirm when the connection was lost (up to publishing id %s); the next publisher begins with id %s and sends none of them again", f.counted(cut.open, "message", "messages"), pub.stream, cut.top, pub.begins)]],
      "cut pub",
    },
    cause = "The client drops unconfirmed messages when its connection is lost: those that the broker had not stored are lost.",
  },
  {
    id = "RMQ-B72",
    name = "rmq_b72",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publishing ids of a named publisher out of order",
    on = "publish",
    needs = { "object", "both" },
    of = "pub",
    when = {
      [[(((f.len(pub.reference) or 0) > 0) and (((pub.gap_from ~= nil and f.first(c["published_messages.publishing_id[]"]) ~= nil and pub.gap_from <= f.first(c["published_messages.publishing_id[]"])) and (f.first(c["published_messages.publishing_id[]"]) ~= nil and pub.gap_to ~= nil and f.first(c["published_messages.publishing_id[]"]) <= pub.gap_to)) or ((f.coalesce(pub.kept, 0) < K.SENT_MOST) and f.unordered(c["published_messages.publishing_id[]"]))))]],
      "c pub",
    },
    says = {
      [[f.say("publisher '%s' sends publishing id %s after a higher one, for the first time: the broker confirms the message but drops it", pub.reference, f.least(c["published_messages.publishing_id[]"]))]],
      "c pub",
    },
    cause = "Threads take an id each and send in another order, or several messages have one id: the broker stores a message only if its id is above all before it.",
  },
  {
    id = "RMQ-B76",
    name = "rmq_b76",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages published to the stream that they were delivered from",
    on = "publish",
    needs = {},
    of = "topic",
    when = {
      [[((topic.returned ~= nil and (topic.returned + 1) >= K.LOOP_LIMIT) and (f.coalesce(pub.sampled, 0) < K.SAMPLE) and (topic.delivered_t ~= nil and (t - topic.delivered_t) <= K.LOOP_TIME) and (topic.delivered ~= nil and topic.former ~= nil and topic.delivered ~= topic.former) and (f.digest(f.first(c["published_messages.message raw[]"])) ~= nil and topic.delivered ~= nil and f.digest(f.first(c["published_messages.message raw[]"])) == topic.delivered))]],
      "c topic pub t",
    },
    says = {
      [[f.say("%s messages in a row that are published to %s had just been delivered from it", K.LOOP_LIMIT, pub.stream)]],
      "pub",
    },
    cause = "The program publishes what it reads to the stream that it reads, for instance to try a message again: each message comes back and is published once more.",
  },
  {
    id = "RMQ-B91",
    name = "rmq_b91",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same messages published on two connections at once",
    on = "publish",
    needs = {},
    of = "topic",
    when = {
      [[((f.coalesce(pub.sampled, 0) < K.SAMPLE) and (topic.sent_flow ~= nil and flow ~= nil and topic.sent_flow ~= flow) and (topic.sent_flow ~= nil and topic.sent_flow >= 0) and ((f.coalesce(topic.both, 0) + 1) >= K.BOTH_LIMIT) and (topic.sent_t ~= nil and (t - topic.sent_t) <= K.AT_BOTH) and (topic.hit_t ~= nil and (t - topic.hit_t) <= K.BOTH_PAUSE) and (f.digest(f.first(c["published_messages.message raw[]"])) ~= nil and topic.sent ~= nil and f.digest(f.first(c["published_messages.message raw[]"])) == topic.sent))]],
      "c pub topic flow t",
    },
    says = {
      [[f.say("%s messages for %s were published with the same content on two connections, each within %s: they are stored twice", K.BOTH_LIMIT, pub.stream, f.time(K.AT_BOTH))]],
      "pub",
    },
    cause = "Instances of a program, such as replicas with a timer each, do not agree on which of them publishes.",
  },
  {
    id = "RMQ-U22",
    name = "rmq_u22",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Messages that are not in AMQP 1.0, in a stream that is read",
    on = "end:pub",
    evidence = { [[f.first_known(pub.format_n, pub.sample_n)]], "pub" },
    needs = {},
    of = "pub",
    again = true,
    when = { [[((pub.format == "other") and (consumed.read_n ~= nil))]], "pub consumed" },
    says = {
      [[f.say("the messages for %s are bare bytes and no messages of AMQP 1.0, which clients of streams decode by default", pub.stream)]],
      "pub",
    },
    cause = "The program publishes what it has not encoded: consumers that decode AMQP 1.0 fail at each message.",
  },
  {
    id = "RMQ-U22",
    name = "rmq_u22_2",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Messages that are not in AMQP 1.0, in a stream that is read",
    on = "end:sub",
    evidence = { [[f.first_known(content.first_n, sub.n)]], "content sub" },
    needs = {},
    of = "sub",
    again = true,
    when = { [[(content.format == "other")]], "content" },
    says = {
      [[f.say("the messages for %s are bare bytes and no messages of AMQP 1.0, which clients of streams decode by default", sub.stream)]],
      "sub",
    },
    cause = "The program publishes what it has not encoded: consumers that decode AMQP 1.0 fail at each message.",
  },
  {
    id = "RMQ-B77",
    name = "rmq_b77",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset that the subscription has not reached",
    on = "end:sub",
    evidence = { [[f.first_known(sub.beyond_n, sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = { [[((sub.beyond_n ~= nil) and (conn.twin_n == nil))]], "sub conn" },
    says = {
      [[f.say("offset %s of %s was stored when messages only up to %s had been delivered to subscription %s", sub.beyond, sub.stream, (sub.beyond_next ~= nil and (sub.beyond_next - 1) or nil), sub.id)]],
      "sub",
    },
    cause = "The client stores the end of the stream, an offset of another stream, or a number that is no offset: a consumer that resumes there skips messages.",
  },
  {
    id = "RMQ-B77b",
    name = "rmq_b77b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored offset before the subscription's first message",
    on = "end:sub",
    evidence = { [[f.first_known(sub.below_n, sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = { [[((sub.below ~= nil and sub.below >= K.BELOW_LIMIT) and (conn.twin_n == nil))]], "sub conn" },
    says = {
      [[f.say("offset %s of %s was stored, although subscription %s began at %s: its messages are read again after a restart", sub.below_at, sub.stream, sub.id, f.max(sub.first_chunk, f.coalesce(((sub.offset_type == 1) and 0 or f.choose((sub.offset_type == 4), sub.wanted, nil)), 0)))]],
      "sub",
    },
    cause = "The client stores how many messages it has processed, or handles the messages before the requested offset that the first chunk has as well.",
  },
  {
    id = "RMQ-A6f",
    name = "rmq_a6f",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New active consumer repeating the message at the stored offset",
    on = "consumer_update_response",
    needs = { "start", "whole", "both" },
    of = "taken_over",
    when = {
      [[(((req.active == 1) and (((taken_over.began ~= nil) or (taken_over.spec ~= nil)) and ((f.coalesce(taken_over.former_flow, -1) or -2) >= -1))) and ((c.offset_type == 4) and (c.offset ~= nil and taken_over.stored ~= nil and c.offset == taken_over.stored) and (taken_over.stored ~= nil and taken_over.stored > 0)))]],
      "c req taken_over",
    },
    says = {
      [[f.say("the consumer that becomes active for %s begins at the stored offset %s, so this message is consumed twice", sub.stream, taken_over.stored)]],
      "sub taken_over",
    },
    cause = "The stored offset is that of the last processed message: begin at the next one.",
  },
  {
    id = "RMQ-B74",
    name = "rmq_b74",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Credit renewed only when it is used up",
    on = "end:sub",
    evidence = { [[f.first_known(sub.drained_latest_n, sub.drained_second_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.drained_count ~= nil and sub.drained_count >= K.DRAINED_LIMIT) and (sub.drained_count ~= nil and sub.drained_among ~= nil and (sub.drained_count * 100) >= (sub.drained_among * 80)))]],
      "sub",
    },
    says = {
      [[f.say("%s of %s Credit frames for subscription %s of %s came when no credit was left, although it began with %s", sub.drained_count, sub.drained_among, sub.id, sub.stream, sub.initial)]],
      "sub",
    },
    cause = "The broker waits a round trip each time: give credit for each chunk, or at half of the initial credit.",
  },
  {
    id = "RMQ-B78",
    name = "rmq_b78",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Subscription without a delivery although messages wait",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.balance ~= nil and sub.balance > 0) and (sub.selects == nil) and (f.coalesce(sub.single, "") ~= "true") and (sub.t ~= nil and (t - sub.t) > K.STARVING) and (LISTS[8][why] or (C.close_n ~= nil) or (conn.first_fin ~= nil and C.side ~= nil and conn.first_fin == C.side)) and ((LISTS[48][sub.offset_type] and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) > f.coalesce(tail.begun, 0))) or ((sub.offset_type == 4) and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.wanted ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) > sub.wanted)) or ((sub.offset_type == 3) and (f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) ~= nil and sub.waiting ~= nil and f.max(f.coalesce(tail.count, 0), f.coalesce(tail.next, 0)) > sub.waiting))))]],
      "sub t why C conn tail",
    },
    says = {
      [[f.say("subscription %s of %s has credit and received nothing for %s, although messages were published", sub.id, sub.stream, f.time((sub.t ~= nil and (t - sub.t) or nil)))]],
      "sub t",
    },
    cause = "The node has no running replica of the stream, or its replica is far behind.",
  },
  {
    id = "RMQ-B79",
    name = "rmq_b79",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Stream that is read, and one with nearly its name that is published to",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, there.written_n)]], "sub there" },
    needs = {},
    of = "sub",
    when = {
      [[((sub.chunks == 0) and (sub.used_by_n ~= nil) and ((f.count(there.written) or 0) > 0) and (f.has(there.written, sub.stream) ~= nil and not f.has(there.written, sub.stream)))]],
      "sub there",
    },
    finds = {
      [[f.predicates.is_nearly_written("sub.stream there.written there.read", sub.stream, there.written, there.read)]],
      "sub there",
    },
    says = {
      [[f.say("subscription %s of %s received nothing; in these captures %s is published to, and has no subscription", sub.id, sub.stream, f.whole(found))]],
      "sub found",
    },
    cause = "The name of one of the two is misspelt, and both streams exist.",
  },
  {
    id = "RMQ-B89",
    name = "rmq_b89",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Filter that leaves out no chunk although messages have several values",
    on = "end:sub",
    evidence = { [[f.first_known(sub.n, sub.deliver_n)]], "sub" },
    needs = { "object", "both" },
    of = "sub",
    when = {
      [[((sub.selects == 1) and (sub.chunks ~= nil and sub.chunks >= K.FILTERED_LIMIT) and (sub.messages ~= nil and sub.next ~= nil and sub.first_chunk ~= nil and sub.messages == (sub.next - sub.first_chunk)) and (f.count(topic.values) ~= nil and f.count(topic.values) >= K.FILTERED_VALUES))]],
      "sub topic",
    },
    says = {
      [[f.say("subscription %s of %s has a filter, but received all %s chunks from %s to %s; the messages that were published have %s filter values or more", sub.id, sub.stream, sub.chunks, sub.first_chunk, (sub.next ~= nil and (sub.next - 1) or nil), f.count(topic.values))]],
      "sub topic",
    },
    cause = "Filters leave out whole chunks, and each chunk has messages of all values: publish those of one value together, or to streams of their own.",
  },
  {
    id = "RMQ-B81",
    name = "rmq_b81",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "TCP zero window of a client with subscriptions",
    on = "client:tcp.zero_window",
    evidence = { [[f.first_known(S.last_n)]], "S" },
    needs = {},
    of = "conn",
    when = { [[((f.live(conn, "sub") or 0) > 0)]], "conn" },
    says = {
      [[f.say("the client has closed its TCP window while it has %s", f.counted(f.live(conn, "sub"), "subscription", "subscriptions"))]],
      "conn",
    },
    cause = "The client does not read what it has given credit for: its handler blocks the connection, or the credit is too large.",
  },
  {
    id = "RMQ-B82",
    name = "rmq_b82",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Slow answer to ConsumerUpdate",
    on = "client:consumer_update_response",
    needs = {},
    of = "sub",
    when = { [[(req.t ~= nil and (t - req.t) > K.SLOW_UPDATE)]], "req t" },
    says = {
      [[f.say("ConsumerUpdate for subscription %s of %s was answered after %s: until then no consumer of the group is active", req.subscription_id, sub.stream, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req sub t",
    },
    cause = "The client finishes its work, or looks up its offset, before it answers.",
  },
  {
    id = "RMQ-B83",
    name = "rmq_b83",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Active consumer of a group that changes often",
    on = "consumer_update",
    needs = {},
    of = "turns",
    when = {
      [[((turns.times ~= nil and (turns.times + 1) >= K.TURNS_LIMIT) and ((c.active == 1) and (sub.reference ~= nil)) and (turns.latest_t ~= nil and (t - turns.latest_t) <= K.TURNS_PAUSE))]],
      "c turns sub t",
    },
    says = {
      [[f.say("for the %sth time in a row, at most %s apart, another consumer of the group %s becomes active for %s", K.TURNS_LIMIT, f.time(K.TURNS_PAUSE), sub.reference, sub.stream)]],
      "sub",
    },
    cause = "Members of the group come and go, for instance because they fail or connect again for each task: with each change messages are read again, or wait.",
  },
  {
    id = "RMQ-B57",
    name = "rmq_b57",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start before the stored offset that was just queried",
    on = "subscribe",
    needs = {},
    of = "place",
    guard = 86,
    when = {
      [[((place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found > 0) and ((c.offset_type == 1) or ((c.offset_type == 4) and (c.offset ~= nil and place.found ~= nil and c.offset < place.found))))]],
      "c place t",
    },
    says = {
      [[f.say("the consumer of %s begins at %s, although the broker has just answered that %s is stored for %s: what was processed comes again", c.stream, ((c.offset_type == 1) and "the first message" or c.offset), place.found, place.reference)]],
      "c place",
    },
    cause = "The answer to QueryOffset is not used, arrives after the subscription, or is read as if nothing were stored.",
  },
  {
    id = "RMQ-B57b",
    name = "rmq_b57b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start after messages that follow the stored offset just queried",
    on = "subscribe",
    needs = {},
    of = "place",
    guard = 89,
    when = {
      [[((place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found >= 0) and (c.offset ~= nil and place.found ~= nil and c.offset > (place.found + 1)))]],
      "c place t",
    },
    says = {
      [[f.say("the consumer of %s begins at %s, although the broker has just answered that %s is stored for %s: the messages between them are skipped", c.stream, c.offset, place.found, place.reference)]],
      "c place",
    },
    cause = "The client adds more than 1 to the stored offset, for example once when it stores it and once more when it begins, or uses the offset of another stream.",
  },
  {
    id = "RMQ-B57c",
    name = "rmq_b57c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Start with new messages although a stored offset was just queried",
    on = "subscribe",
    needs = {},
    of = "place",
    guard = 90,
    when = {
      [[((place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found >= 0))]],
      "place t",
    },
    says = {
      [[f.say("the consumer of %s begins with new messages, although the broker has just answered that %s is stored for %s: what came between them is skipped", c.stream, place.found, place.reference)]],
      "c place",
    },
    cause = "The answer to QueryOffset is not used.",
  },
  {
    id = "RMQ-B59",
    name = "rmq_b59",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start at offset 1 although no offset is stored",
    on = "subscribe",
    needs = {},
    of = "place",
    guard = 91,
    when = {
      [[((place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found == -1))]],
      "place t",
    },
    says = {
      [[f.say("the consumer of %s begins at offset 1, although nothing is stored for %s: the first message of the stream is skipped", c.stream, place.reference)]],
      "c place",
    },
    cause = "The client reads the refusal of QueryOffset (no_offset) as offset 0, and begins after it.",
  },
  {
    id = "RMQ-B57",
    name = "rmq_b57_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start before the stored offset that was just queried",
    on = "consumer_update_response",
    needs = {},
    of = "place",
    when = {
      [[((req.active == 1) and (place.asked_n ~= nil and sub.update_n ~= nil and place.asked_n > sub.update_n) and (place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found > 0) and ((c.offset_type == 1) or ((c.offset_type == 4) and (c.offset ~= nil and place.found ~= nil and c.offset < place.found))))]],
      "c req place sub t",
    },
    says = {
      [[f.say("the consumer of %s begins at %s, although the broker has just answered that %s is stored for %s: what was processed comes again", sub.stream, ((c.offset_type == 1) and "the first message" or c.offset), place.found, place.reference)]],
      "c sub place",
    },
    cause = "The answer to QueryOffset is not used, arrives after the subscription, or is read as if nothing were stored.",
  },
  {
    id = "RMQ-B57b",
    name = "rmq_b57b_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start after messages that follow the stored offset just queried",
    on = "consumer_update_response",
    needs = {},
    of = "place",
    guard = 16,
    when = {
      [[((req.active == 1) and (place.asked_n ~= nil and sub.update_n ~= nil and place.asked_n > sub.update_n) and (place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found >= 0) and (c.offset ~= nil and place.found ~= nil and c.offset > (place.found + 1)))]],
      "c req place sub t",
    },
    says = {
      [[f.say("the consumer of %s begins at %s, although the broker has just answered that %s is stored for %s: the messages between them are skipped", sub.stream, c.offset, place.found, place.reference)]],
      "c sub place",
    },
    cause = "The client adds more than 1 to the stored offset, for example once when it stores it and once more when it begins, or uses the offset of another stream.",
  },
  {
    id = "RMQ-B57c",
    name = "rmq_b57c_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Start with new messages although a stored offset was just queried",
    on = "consumer_update_response",
    needs = {},
    of = "place",
    guard = 92,
    when = {
      [[((req.active == 1) and (place.asked_n ~= nil and sub.update_n ~= nil and place.asked_n > sub.update_n) and (place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found ~= nil and place.found >= 0))]],
      "req place sub t",
    },
    says = {
      [[f.say("the consumer of %s begins with new messages, although the broker has just answered that %s is stored for %s: what came between them is skipped", sub.stream, place.found, place.reference)]],
      "sub place",
    },
    cause = "The answer to QueryOffset is not used.",
  },
  {
    id = "RMQ-B59",
    name = "rmq_b59_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Start at offset 1 although no offset is stored",
    on = "consumer_update_response",
    needs = {},
    of = "place",
    guard = 93,
    when = {
      [[((req.active == 1) and (place.asked_n ~= nil and sub.update_n ~= nil and place.asked_n > sub.update_n) and (place.several == nil) and (place.read_n == nil) and (place.answered_t ~= nil and (t - place.answered_t) <= K.ANSWER_USED) and (place.found == -1))]],
      "req place sub t",
    },
    says = {
      [[f.say("the consumer of %s begins at offset 1, although nothing is stored for %s: the first message of the stream is skipped", sub.stream, place.reference)]],
      "sub place",
    },
    cause = "The client reads the refusal of QueryOffset (no_offset) as offset 0, and begins after it.",
  },
  {
    id = "RMQ-I13",
    name = "rmq_i13",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publishing ids that continue the sequence of another publisher reference",
    on = "publish",
    needs = { "object" },
    of = "pub",
    when = {
      [[((pub.publish_n == nil) and (pub.reference ~= nil) and (numbering.sequence ~= nil and numbering.sequence > 0) and (f.first(c["published_messages.publishing_id[]"]) ~= nil and numbering.sequence ~= nil and f.first(c["published_messages.publishing_id[]"]) == (numbering.sequence + 1)) and (f.has(numbering.asked, pub.reference) ~= nil and not f.has(numbering.asked, pub.reference)))]],
      "c pub numbering",
    },
    says = {
      [[f.say("the first publishing id is %s + 1, which is the last one of reference '%s'; the publisher has %s", numbering.sequence, numbering.reference, ((f.len(pub.reference) == 0) and "no reference" or "another reference"))]],
      "numbering pub",
    },
    by = { [[((f.len(pub.reference) == 0) and "unnamed" or "other")]], "pub" },
    causes = {
      unnamed = "The publisher is declared without its reference: the broker does not recognise what is sent again.",
      other = "QueryPublisherSequence and DeclarePublisher have different references: the broker compares ids with those of the declared one.",
    },
  },
  {
    id = "RMQ-I6c",
    name = "rmq_i6c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Publishing that begins at the last stored publishing id",
    on = "publish",
    needs = { "object" },
    of = "pub",
    when = {
      [[((pub.publish_n == nil) and ((f.len(pub.reference) or 0) > 0) and (pub.reference ~= nil and numbering.reference ~= nil and pub.reference == numbering.reference) and (numbering.sequence ~= nil and numbering.sequence > 0) and (f.first(c["published_messages.publishing_id[]"]) ~= nil and numbering.sequence ~= nil and f.first(c["published_messages.publishing_id[]"]) == numbering.sequence) and (numbering.answered_t ~= nil and (t - numbering.answered_t) <= K.ANSWER_USED))]],
      "c pub numbering t",
    },
    says = {
      [[f.say("the first publishing id of '%s' is %s, which the broker has just answered as the last one stored: it confirms this message but drops it", pub.reference, numbering.sequence)]],
      "pub numbering",
    },
    cause = "The client begins at the answer to QueryPublisherSequence, not after it.",
  },
  {
    id = "RMQ-I1c",
    name = "rmq_i1c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Publish before the answer to DeclarePublisher",
    on = "publish",
    needs = { "object" },
    of = "pub",
    when = { [[(pub.state == "asked")]], "pub" },
    says = {
      [[f.say("publisher %s sends messages before the broker has answered DeclarePublisher: if it refuses, they are lost", c.publisher_id)]],
      "c",
    },
    cause = "The client does not wait for the answer, or handles it on another thread.",
  },
  {
    id = "RMQ-I5c",
    name = "rmq_i5c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Credit before the answer to Subscribe",
    on = "credit",
    needs = { "object" },
    of = "sub",
    when = { [[(sub.state == "asked")]], "sub" },
    says = {
      [[f.say("subscription %s is given credit before the broker has answered Subscribe: if it refuses, the credit belongs to no subscription", c.subscription_id)]],
      "c",
    },
    cause = "The client gives credit when it subscribes, beside what Subscribe has.",
  },
  {
    id = "RMQ-A16",
    name = "rmq_a16",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Consumer name of single active consumers used by another subscription",
    on = "subscribe_response",
    needs = { "start", "whole", "both" },
    of = "members",
    when = {
      [[(((c.response_code == 1) and (((sub.single == "true") and (members.plain ~= nil and members.plain > 0)) or ((f.coalesce(sub.single, "") ~= "true") and (members.single ~= nil and members.single > 0)))) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c sub members captures",
    },
    says = {
      [[f.say("%s has single active consumers of %s and a subscription without this property: it receives all messages beside the active one", sub.reference, sub.stream)]],
      "sub",
    },
    cause = "Only some of the programs set single-active-consumer; both store offsets under one name.",
  },
  {
    id = "RMQ-B60",
    name = "rmq_b60",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Offsets stored under another name than that of the subscription",
    on = "end:sub",
    evidence = { [[f.first_known(sub.misnamed_n, sub.n)]], "sub" },
    needs = { "object" },
    of = "sub",
    when = { [[((sub.misnamed_n ~= nil) and (sub.own_n == nil))]], "sub" },
    says = {
      [[f.say("subscription %s of %s has the name %s, but its offset is stored under %s", sub.id, sub.stream, sub.reference, sub.misnamed)]],
      "sub",
    },
    cause = "The name of the subscription and that of StoreOffset come from different settings: the next consumer of the name does not find the offset.",
  },
  {
    id = "RMQ-B40b",
    name = "rmq_b40b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Super stream deleted while its partitions are used",
    on = "delete_super_stream",
    needs = { "start", "whole", "both" },
    of = "whole",
    when = {
      [[((whole.live ~= nil and whole.live > 0) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "whole captures",
    },
    says = {
      [[f.say("%s is deleted although its partitions have %s in these captures: publishers and subscriptions", c.name, f.counted(whole.live, "user", "users"))]],
      "c whole",
    },
    cause = "A program cleans up while others use the super stream: they lose the publishers and subscriptions of all partitions.",
  },
  {
    id = "RMQ-B58",
    name = "rmq_b58",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Messages without a filter value in a stream that is read with a filter",
    on = "end:sifted",
    evidence = { [[f.first_known(sifted.bare_n, sifted.read_n)]], "sifted" },
    needs = {},
    of = "sifted",
    when = {
      [[(((sifted.read_n ~= nil) and (sifted.filtered ~= nil and sifted.filtered > 0) and (sifted.bare ~= nil and sifted.bare >= K.UNFILTERED_LIMIT)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "sifted captures",
    },
    says = {
      [[f.say("%s messages in %s have no filter value, though others have: subscriptions that filter for %s do not ask for them", sifted.bare, sifted.stream, sifted.filter)]],
      "sifted",
    },
    cause = "One of the publishers sets no filter value; with match-unfiltered the subscription would receive such messages too.",
  },
  {
    id = "RMQ-V8",
    name = "rmq_v8",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Command that the broker did not list",
    on = "publish route partitions stream_stats create_super_stream delete_super_stream resolve_offset_spec",
    needs = {},
    of = "conn",
    when = {
      [[(((f.count(conn.listed) or 0) > 0) and (((name == "route") and (f.has(conn.listed, 24) ~= nil and not f.has(conn.listed, 24))) or ((name == "partitions") and (f.has(conn.listed, 25) ~= nil and not f.has(conn.listed, 25))) or ((name == "stream_stats") and (f.has(conn.listed, 28) ~= nil and not f.has(conn.listed, 28))) or ((name == "create_super_stream") and (f.has(conn.listed, 29) ~= nil and not f.has(conn.listed, 29))) or ((name == "delete_super_stream") and (f.has(conn.listed, 30) ~= nil and not f.has(conn.listed, 30))) or ((name == "resolve_offset_spec") and (f.has(conn.listed, 31) ~= nil and not f.has(conn.listed, 31))) or ((name == "publish") and (version ~= nil and S.publish_max ~= nil and version > S.publish_max))))]],
      "conn name version S",
    },
    says = {
      [[f.say("%s version %s is used, which the broker has not listed in its answer to ExchangeCommandVersions", name, version)]],
      "name version",
    },
    cause = "The client exchanges versions but does not look at the answer.",
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

-- Text in quotes, as messages show it.
function near.quote(text)
  local mark = text:find("'", 1, true) and not text:find('"', 1, true) and '"' or "'"
  local escapes = { ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["'"] = mark == "'" and "\\'" or "'" }
  return mark .. text:gsub("[%c\\']", function(one) return escapes[one] or ("\\x%02x"):format(one:byte()) end) .. mark
end

-- A number with a comma before each three digits.
function near.grouped(number)
  local text, more = ("%.0f"):format(number), 1
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

f.predicates = (function(near, contents)
  -- Predicates of rules, as in `predicates.py` and `request_predicates.py`: the names of the columns, then their values. What
  -- they give is what they found; it is empty where the condition does not hold.

  local P = {}

  local DEFAULT_SEGMENT = 500000000
  local SECONDS = { Y = 31536000, M = 2592000, D = 86400, h = 3600, m = 60, s = 1 }
  local HOUR, LONG = 3600, 20 * 31536000
  local SMALL_SEGMENT, SMALL_STREAM = 10000, 10000
  local NO_BROKER = 65535 -- a leader's reference where there is none
  local NO_STREAM = 2 -- the response code of a stream that does not exist
  local PROPERTIES = { "single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier" }
  local OF_CREATE = {
    "max-length-bytes", "max-age", "stream-max-segment-size-bytes", "initial-cluster-size", "queue-leader-locator",
    "stream-filter-size-bytes",
  }
  local CLIENT_PROPERTIES = { "connection_name", "product", "version", "platform", "information", "copyright" }

  local function is_among(value, list)
    for _, each in ipairs(list) do if each == value then return true end end
    return false
  end

  -- Pairs of a map, without null values.
  local function pairs_of(map)
    local all = {}
    for _, each in ipairs(map or {}) do if type(each.key) == "string" and type(each.value) == "string" then all[#all + 1] = each end end
    return all
  end

  local function by_key(map)
    local found = {}
    for _, each in ipairs(pairs_of(map)) do found[each.key] = each.value end
    return found
  end

  -- A time with its unit: the number, and the seconds of one.
  local function age_of(text)
    local count, unit = (text or ""):match("^(%d+)([YMDhms])$")
    if not count or #count > 18 then return nil end
    return tonumber(count) + 0.0, SECONDS[unit]
  end

  function P.has_bad_argument(_, arguments)
    local given = by_key(arguments)
    local age, size = given["max-age"], given["stream-filter-size-bytes"]
    if age and age:find("^%d") and not age_of(age) then
      return "max-age is " .. near.quote(age) .. ", without one of the units Y, M, D, h, m, s"
    end
    local number = near.number(size)
    if size and not (number and number >= 16 and number <= 255) then
      return "stream-filter-size-bytes is " .. near.quote(size) .. ", not 16 to 255"
    end
    for _, name in ipairs({ "initial-cluster-size", "stream-max-segment-size-bytes" }) do
      if near.number(given[name]) == 0 then return name .. " is 0" end
    end
    return ""
  end

  function P.is_below_a_segment(_, arguments)
    local given = by_key(arguments)
    local most, segment = near.number(given["max-length-bytes"]), near.number(given["stream-max-segment-size-bytes"]) or DEFAULT_SEGMENT
    if not most or most <= 0 or most >= segment then return "" end
    return "max-length-bytes is " .. near.grouped(most) .. ", a segment " .. near.grouped(segment) .. " bytes"
  end

  function P.is_within_a_segment(_, arguments)
    local given = by_key(arguments)
    local age, seconds = age_of(given["max-age"])
    local segment = near.number(given["stream-max-segment-size-bytes"]) or DEFAULT_SEGMENT
    if not age or age == 0 or age * seconds > HOUR or segment < DEFAULT_SEGMENT then return "" end
    return "max-age is " .. given["max-age"] .. ", and segments have " .. near.grouped(segment) .. " bytes"
  end

  function P.has_odd_magnitude(_, arguments)
    local given = by_key(arguments)
    local age, seconds = age_of(given["max-age"])
    if age and age * seconds > LONG then return "max-age is " .. given["max-age"] .. ", which is over 20 years" end
    local segment, length = near.number(given["stream-max-segment-size-bytes"]), near.number(given["max-length-bytes"])
    if segment and segment > 0 and segment < SMALL_SEGMENT then
      return "stream-max-segment-size-bytes is " .. near.grouped(segment) .. ": a file for each few messages"
    end
    if length and length > 0 and length < SMALL_STREAM then return "max-length-bytes is " .. near.grouped(length) .. ", less than a few messages" end
    return ""
  end

  -- Whether data is the Base64 of a message of PLAIN.
  local function is_encoded(message)
    local text, padding = message:match("^([%w+/]+)(=*)$")
    if not text or #text < 8 or #padding > 2 or #message % 4 ~= 0 then return false end
    local bits, held, zeros = 0, 0, 0
    for place = 1, #text do
      local value = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):find(text:sub(place, place), 1, true) - 1
      held, bits = held * 64 + value, bits + 6
      if bits >= 8 then
        bits = bits - 8
        if math.floor(held / 2 ^ bits) == 0 then zeros = zeros + 1 end
        held = held % math.floor(2 ^ bits)
      end
    end
    return zeros == 2
  end

  function P.is_not_plain(_, message)
    if not message or message == "" then return "is empty" end
    local _, zeros = message:gsub("%z", "")
    if zeros == 2 then return message:find("^[^%z]*%z%z") and "has no user" or "" end
    if is_encoded(message) then return "is the Base64 of such a message" end
    return "has " .. zeros .. " zero byte" .. (zeros == 1 and "" or "s") .. " instead of 2"
  end

  function P.is_percent_encoded(_, host)
    if not host or not host:find("%%%x%x") then return "" end
    return (host:gsub("%%(%x%x)", function(two)
      local code = tonumber(two, 16)
      return code < 128 and string.char(code) or string.char(192 + math.floor(code / 64), 128 + code % 64)
    end))
  end

  -- A name with a mark in the place of each number and UUID.
  local function without_numbers(name) return (name:gsub("[%x-]+", function(run) return run:find("^%a+$") and run or "#" end)) end

  local function differing(one, other)
    local are_names = type(one) == "string" and type(other) == "string" and one ~= "" and other ~= ""
    return are_names and without_numbers(one) == without_numbers(other) and ("'%s' and '%s'"):format(one, other) or ""
  end

  function P.has_generated_name(_, properties, latest)
    for _, each in ipairs(properties or {}) do if each.key == "name" then return differing(latest, each.value) end end
    return ""
  end

  function P.has_generated_reference(_, reference, latest) return differing(latest, reference) end

  function P.are_of_one_program(_, known)
    local all, stem = near.values(known), nil
    for _, each in ipairs(all) do
      local own = f.program(each)
      if own == each or is_among(own, all) or stem and own ~= stem then return "" end
      stem = own
    end
    return #all > 1 and ("'%s', '%s'"):format(all[#all - 1], all[#all]) or ""
  end

  function P.has_mistaken_name(columns, ...)
    local nth = 0
    for column in columns:gmatch("%S+") do
      nth = nth + 1
      local value = select(nth, ...)
      for _, name in ipairs(type(value) == "table" and value or { value }) do
        local found = near.mistaken_name(name)
        if found ~= "" then return "the " .. column:match("[^.]*$"):gsub("_", " ") .. " " .. near.quote(name) .. ", " .. found end
      end
    end
    return ""
  end

  function P.has_mistaken_property(_, properties)
    for _, each in ipairs(pairs_of(properties)) do
      local found = near.mistaken_name(each.value)
      if found ~= "" then return "the property " .. each.key .. " of " .. near.quote(each.value) .. ", " .. found end
    end
    return ""
  end

  local function foreign_key(map, known)
    for _, each in ipairs(pairs_of(map)) do
      local bare = each.key:match("^x%-(.*)$")
      if bare and not is_among(each.key, known) then
        local meant = is_among(bare, known) and bare or near.similar(bare, known)
        if meant ~= "" then return each.key .. ", which may be meant as " .. meant end
      end
    end
    return ""
  end

  function P.has_foreign_property(_, properties) return foreign_key(properties, PROPERTIES) end

  function P.has_foreign_argument(_, arguments) return foreign_key(arguments, OF_CREATE) end

  function P.has_misspelt_property(_, properties)
    local keys = {}
    for _, each in ipairs(pairs_of(properties)) do keys[#keys + 1] = each.key end
    for _, each in ipairs(keys) do
      local meant = is_among(each, CLIENT_PROPERTIES) and "" or near.similar(each, CLIENT_PROPERTIES)
      if meant ~= "" and not is_among(meant, keys) then return "'" .. each .. "', which may be meant as " .. meant end
    end
    return ""
  end

  local SECRET_KEYS = { "passw", "secret", "token", "api.?key", "credential" }

  function P.has_credentials(_, properties)
    for _, each in ipairs(pairs_of(properties)) do
      for _, sign in ipairs(each.value ~= "" and SECRET_KEYS or {}) do
        if each.key:lower():find(sign) then return "the property '" .. each.key .. "'" end
      end
      if each.value:find("://[^/%s:@]*:[^/%s@]+@") then return "a URI with a password in the property '" .. each.key .. "'" end
    end
    return ""
  end

  function P.has_key_twice(_, ...)
    local found = {}
    for nth = 1, select("#", ...) do
      for _, each in ipairs(pairs_of((select(nth, ...)))) do
        if found[each.key] and found[each.key] ~= each.value then return "'" .. each.key .. "'" end
        found[each.key] = found[each.key] or each.value
      end
    end
    return ""
  end

  function P.has_odd_filter(_, properties)
    local filters, count, unfiltered, is_twice = {}, 0, false, false
    for _, each in ipairs(pairs_of(properties)) do
      if each.key:find("^filter%.") then is_twice, count, filters[each.value] = is_twice or filters[each.value], count + 1, true end
      unfiltered = unfiltered or each.key == "match-unfiltered" and each.value == "true"
    end
    if count == 0 and unfiltered then return "match-unfiltered is true, and there is no filter" end
    if filters[""] then return "a filter is empty" end
    return is_twice and "a filter is given twice" or ""
  end

  function P.has_odd_partitions(_, name, partitions, keys)
    for _, each in ipairs({ { "the partition ", partitions }, { "the binding key ", keys } }) do
      local seen = {}
      for _, one in ipairs(each[2] or {}) do seen[one] = (seen[one] or 0) + 1 end
      local twice
      for _, one in ipairs(each[2] or {}) do twice = twice or seen[one] > 1 and one or nil end
      if twice and twice ~= "" then return each[1] .. twice .. " comes twice" end
    end
    return is_among(name, partitions or {}) and "a partition has the name " .. name .. " of the super stream" or ""
  end

  function P.has_odd_versions(_, commands)
    for _, each in ipairs(commands or {}) do
      local least, most = each.min_version, each.max_version
      if least and most and (least > most or most == 0) then
        return "versions " .. digits(least) .. " to " .. digits(most) .. " of command " .. digits(each.key)
      end
    end
    return ""
  end

  function P.has_marked_credentials(_, message)
    local user, password = (message or ""):match("^[^%z]*%z([^%z]*)%z([^%z]*)$")
    for _, each in ipairs(user and { { "the user", user }, { "the password", password } } or {}) do
      local what, value = each[1], each[2]
      if value:find("^[ \t-\r]") or value:find("[ \t-\r]$") then return what .. " has white space at an end, such as the line break of a file" end
      if value:find("^['\"]") and value:sub(1, 1) == value:sub(-1) then return what .. " is in quotation marks" end
      if value:find("%%%x%x") then return what .. " is percent-encoded" end
      if value == "undefined" or value == "null" or value == "None" or value:find("^%${") then return what .. " is the text of an unset variable" end
    end
    return ""
  end

  function P.has_marked_host(_, host)
    host = host or ""
    if host == "" then return "it is empty; the default one is /" end
    if #host > 1 and host:find("^/") then
      local bare = host:gsub("^/+", "")
      return "it begins with a slash: it may be meant as " .. (bare == "" and "/" or bare)
    end
    return near.mistaken_name(host)
  end

  function P.is_nearly_known(_, name, known) return near.similar(name or "", near.values(known)) end

  function P.has_nearly_known(_, streams, known)
    for _, each in ipairs(streams or {}) do
      local meant = each.response_code == NO_STREAM and near.similar(each.stream_name, near.values(known)) or ""
      if meant ~= "" then return each.stream_name .. "; a stream " .. meant end
    end
    return ""
  end

  function P.is_nearly_written(_, stream, written, read_there)
    local others = {}
    for _, each in ipairs(near.values(written)) do if not f.has(read_there, each) then others[#others + 1] = each end end
    return near.similar(stream or "", others)
  end

  function P.has_mistaken_filter(_, filters) return near.first_mistaken_name(filters) end

  -- Tokens ---------------------------------------------------------------------------------------------------------

  function P.has_expired_token(_, message, t) return contents.token_fault(message or "", t) end

  local CLOSED_EARLY = 1e9 -- ns before the end of a token at which brokers may close already

  function P.has_run_out(_, token, since, t)
    local late = contents.expiry(token or "", t + CLOSED_EARLY)
    return late ~= "" and contents.expiry(token or "", since) == "" and late or ""
  end

  -- Placement ------------------------------------------------------------------------------------------------------

  function P.refers_to_no_broker(_, references, leaders, replicas)
    local known, strange, numbers = { [NO_BROKER] = true }, {}, {}
    for _, each in ipairs(references or {}) do known[each] = true end
    for _, all in ipairs({ leaders or {}, replicas or {} }) do
      for _, each in ipairs(all) do
        if not known[each] then known[each], strange[#strange + 1] = true, each end
      end
    end
    table.sort(strange)
    for index, each in ipairs(strange) do numbers[index] = digits(each) end
    return table.concat(numbers, ", ")
  end

  -- Address and port of a server.
  local function ends_of(server) return (server:match("^(.*):") or ""):gsub("[%[%]]", ""), server:match("[^:]*$") end

  function P.is_another_host(_, host, server)
    if type(host) ~= "string" or type(server) ~= "string" then return false end
    local dialled = ends_of(server)
    if host:find("^%d+%.%d+%.%d+%.%d+$") or host:find(":", 1, true) then return host:lower() ~= dialled:lower() end
    if dialled:find("^127%.") or dialled == "::1" then return host ~= "localhost" end
    return not host:find(".", 1, true)
  end

  function P.is_port_dialled(_, port, server)
    if type(server) ~= "string" or port == nil then return false end
    local _, dialled = ends_of(server)
    return dialled == digits(port)
  end

  local function nodes_of(brokers)
    local nodes = {}
    for _, each in ipairs(brokers or {}) do
      if each.reference and each.host and each.port then nodes[each.reference] = each end
    end
    return nodes
  end

  function P.is_on_leader(_, brokers, leader, host, port)
    local node = leader and nodes_of(brokers)[leader]
    return node ~= nil and node.host == host and node.port == port
  end

  function P.is_beside_leader(_, brokers, leader, host, port)
    local nodes, is_member = nodes_of(brokers), false
    for _, each in pairs(nodes) do is_member = is_member or each.host == host and each.port == port end
    local node = leader and nodes[leader]
    if not node or not is_member or node.host == host and node.port == port then return "" end
    return node.host .. ":" .. digits(node.port)
  end

  return P
end)(f.near, f.contents)

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
talks.fields = { header.request, header.response, header.time, header.conversation, header.finding, header.cause }
for name, known in pairs(COMMON) do if known.is_known then talks.fields[#talks.fields + 1] = common[name] end end
local shown_headers = { undecoded, hidden_undecoded } -- fields of all frames for which one is read as it is shown: for findings it is only judged
for _, each in pairs(header) do
  if each ~= header.finding and each ~= header.cause then shown_headers[#shown_headers + 1] = each end
end

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

-- The connection of a packet, and its side in it, 1 for who sent the first packet.
local function connection_of(addresses, ports, info, is_syn, sequence)
  local half = floor(#addresses / 2)
  local key = addresses .. ports
  local own = directions[key]
  if own and not (is_syn and own.connection.began[own.side] ~= sequence) then return own.connection, own.side end
  local connection = { stop = {}, began = {}, by_name = {}, t = info.abs_ts * 1e9, is_open = is_syn }
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

function watcher.init() directions, tcp_watcher.opened, hints = {}, {}, {} end

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
  local sequence, ports = number(raw, begins + 4), raw:sub(begins, begins + 3)
  local size_of_header = floor(byte(raw, begins + 12) / 16) * 4
  local known = directions[addresses .. ports]
  if known and not known.connection.is_begun and size > size_of_header and begins - 1 + size_of_header < bytes:len() then
    known.connection.is_begun = true
    see_first(bytes, info, begins - 1 + size_of_header)
    show_hint(bytes, info, tree)
  end
  if not (is_syn or ends or is_reset or window == 0 or tcp_watcher.is_blind) then return 0 end
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
  local meant = {}
  for _, name in ipairs(arguments_of(expression)) do meant[name] = argument(code, name) end
  return with_names(expression[1], meant)
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
  if code.shared[rule.of] and not rule.again then test = test .. (" and is_news(%s, %s)"):format(own, code.objects[rule.of]) end
  local cause = own .. ".cause"
  if rule.by then cause = ("cause_of(%s, %s)"):format(own, written(code, rule.by)) end
  if code.frame.trigger then
    local proof = written(code, rule.evidence)
    if repeats then proof = "(" .. proof .. " or " .. repeats .. "[1])" end
    line(code, "if %1 then notice_at(%2, %3, %4, talk, %5) end", test, own, says, cause, proof)
  else line(code, "if %1 then notice(%2, %3, %4) end", test, own, says, cause) end
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

-- The same code, where the tests of a column for a beginning that it repeats most are done first, once each.
local function with_beginnings_once(text)
  local counted, repeated_most = {}, {}
  for test in text:gmatch('f%.starts%(c%.[%w_]+, "[^"\\]*"%)') do
    counted[test] = (counted[test] or 0) + 1
    if counted[test] == FEWEST_TESTS then repeated_most[#repeated_most + 1] = test end
  end
  table.sort(repeated_most, function(one, other)
    return counted[one] > counted[other] or counted[one] == counted[other] and one < other
  end)
  local names_of, first_lines = {}, {}
  for index = 1, math.min(#repeated_most, MOST_BEGINNINGS) do
    names_of[repeated_most[index]] = "s" .. index
    first_lines[index] = ("local s%d = %s\n"):format(index, repeated_most[index])
  end
  return table.concat(first_lines) .. text:gsub('f%.starts%(c%.[%w_]+, "[^"\\]*"%)', names_of)
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
  for _, each in ipairs(lifecycle.steps) do lifecycle.renews = lifecycle.renews or each.from.absent end
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

-- Packets are missing in the capture.
local function miss(talk, side, length)
  fire(talk, "tcp.gap", nil, nil, here.abs_ts * 1e9, nil, side, { length = length })
  talk.conn.gapless = false
  lose(talk, side)
end

-- Whether segments are missing before this one.
function talks.is_after_loss() return view.tree and tcp_lost() ~= nil end

-- Bytes of this side are missing: frames may have been among them.
function talks.lose() lose(conversation.talk, side_of()) end

-- Bytes were skipped, since no frame begins there.
function talks.skip(length, reason)
  fire(conversation.talk, "tcp.resync", nil, nil, here.abs_ts * 1e9, nil, side_of(), { skipped = length, reason = reason })
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
  if tcp_lost() then miss(talk, side, me.stop and value_of(tcp_seq) - me.stop) end
  me.stop, me.awaited = value_of(tcp_next), nil
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
function talks.wait(missing)
  local me = conversation.talk.sides[side_of()]
  me.awaited = me.stop and me.stop + missing
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

local words_of = setmetatable({}, { __index = function(all, on) -- the words of an `on`, as a set
  local words = {}
  for word in on:gmatch("%S+") do words[word] = true end
  all[on] = words
  return words
end })

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

local function is_on(on, meant)
  local words = words_of[on]
  for _, each in ipairs(meant) do if words[each] then return true end end
  return false
end

-- What the tables say of a frame from one side.
local function roles_of(frame, sender)
  local meant = words_for(frame, sender)
  local function those(all, on)
    local found = {}
    for _, each in ipairs(all) do if each[on] and is_on(each[on], meant) then found[#found + 1] = each end end
    return found
  end
  local roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lifecycles = {}, steps = {}, each = {} }
  roles.moves, roles.rules, roles.bursts = those(MOVES, "on"), those(RULES, "on"), those(BURSTS, "on")
  roles.starts, roles.clears = {}, {}
  for index, timer in ipairs(TIMERS) do
    roles.starts[index], roles.clears[index] = is_on(timer.on, meant), is_on(timer.clear, meant)
  end
  for _, lifecycle in ipairs(LIVES) do
    local own = { lifecycle = lifecycle, steps = those(lifecycle.steps, "on"), each = those(lifecycle.each, "on"), births = {} }
    for _, birth in ipairs(lifecycle.name ~= "conn" and not frame.of and own.steps or {}) do
      if birth.from.absent then own.births[#own.births + 1] = birth end
    end
    for _, key in ipairs(lifecycle.keys) do
      if not own.key and is_on(key.on, meant) then own.key, own.items, own.guard = key.key, key.items, key.guard end
    end
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

local function notice(rule, text, cause)
  local own = note()
  own.findings = own.findings or {}
  table.insert(own.findings, { rule = rule, text = text, cause = cause })
end

-- Notices at an earlier frame, which is seen on a later visit; `talk` is that of the connection, whose last frame stands for none.
local function notice_at(rule, text, cause, talk, n)
  n = n or talk.latest_n
  local own = notes[n or 0] or {}
  if not n then return end
  notes[n], own.findings = own, own.findings or {}
  for _, each in ipairs(own.findings) do
    if each.rule == rule and each.text == text then return end
  end
  local found = { rule = rule, text = text, cause = cause, is_final = talks.undoing ~= nil }
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
  local has_frames = talk.conn.n or talk.conn.whole -- else bytes alone came that are no frames
  if has_frames then fire(talk, "end:conn", "conn", talk.conn, t, why) end
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
  talks = talks, here = here, meet = meet, renew = renew, is_news = is_news, notice = notice, cause_of = cause_of, columns_of_item = columns_of_item, ask = ask,
  settle = settle, join = join, dialect_of = dialect_of, octets_of = octets_of, links = links, NO_OBJECT = NO_OBJECT, NONE = NONE, pairs = pairs, ipairs = ipairs,
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
  talks.kept = in_window and remember_all(talks.all, talks.shared, talks.requests, talks.heap, talks.repeated) or nil
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
        found[rule] = { rule = rule, text = result_of(rule.says, given), cause = rule.cause }
        if rule.by then found[rule].cause = cause_of(rule, result_of(rule.by, given)) end
        found[#found + 1] = found[rule]
      end
    end
  end
  return found
end

-- Shows findings in an item; `tree` may be what makes it.
function talks.show_findings(tree, findings)
  if not findings or #findings == 0 then return end
  if type(tree) == "function" then tree = tree() end
  for index = 1, #findings do
    local each = findings[index]
    local shown = tree:add(header.finding, each.rule.id):set_generated()
    if each.cause and each.cause ~= "" then shown:add(header.cause, each.cause):set_generated() end
    tree:add_proto_expert_info(each.rule.expert, each.rule.id .. ": " .. as_utf8(each.text))
    if talks.find then talks.find(each.rule, each.text) end
  end
end

end)()


-- Statistics, in the menu Tools and with tshark -----------------------------------------------------------------
-- A tap lists response times, findings or conversations of all packets. The dissector leaves what it saw of a packet's
-- frames here while a tap listens; the tap counts them: frames that are dissected for other reasons do not count.

local statistics = { listening = 0 }

do

local MOST_LINES = 10000
local SEVERITIES = { ERROR = "error", WARN = "warning", NOTE = "note" } -- in the words of `streamshark check`
local number, rows = 0, {} -- the packet that was dissected last; what was seen of its frames, by their ids

-- The row of the frame that is being dissected.
local function row_here()
  if number ~= here.number then number, rows = here.number, {} end
  local row = rows[id_here]
  if not row then
    row = { packet = here.number, findings = {} }
    rows[id_here] = row
    rows[#rows + 1] = row
  end
  return row
end

function statistics.see(frame, size, line)
  local row = row_here()
  row.command, row.size, row.time = frame.command, size, links.time[id_here]
  row.conversation = talks.id_of_conversation and talks.id_of_conversation() or ""
  row.line = line
end

function statistics.find(rule, text)
  local row = row_here()
  row.findings[rule.id] = { rule = rule, text = text }
end

-- A table of text: rows of cells, of which those in `numbers` are aligned to the right.
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
    local titles = { "Command", "Responses", "Mean ms", "Median ms", "95 % ms", "Longest ms", "in packet" }
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
      local name = each.rule.id .. each.text
      local same = known[name]
      if not same then
        same = { rule = each.rule, text = each.text, frames = 0, first = row.packet }
        known[name], all[#all + 1] = same, same
      end
      same.frames, same.last = same.frames + 1, row.packet
    end
  end
  local function text()
    local lines = {}
    for index, each in ipairs(all) do
      lines[index] = {
        each.rule.id, SEVERITIES[each.rule.severity], ("%d"):format(each.frames), ("%d"):format(each.first), ("%d"):format(each.last),
        as_utf8(each.text),
      }
    end
    return as_table({ "Rule", "Severity", "Frames", "First packet", "Last packet", "Finding" }, lines,
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
    return as_table({ "Conversation", "Frames", "Bytes", "First packet", "Last packet", "Begins with" }, lines,
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
    for _, row in ipairs(rows) do if row.command then count(row) end end
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
  view.sought = view.any and (root:referenced(header.finding) or root:referenced(header.cause))
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

local MOST_BELIEVED = 65536 -- bytes of a frame with an unknown key that are waited for

local inside_tls = false -- whether the bytes are what TLS has opened

-- What a side goes on as behind an upgrade; TLS is Wireshark's own.
local function dissect_upgraded(bytes, from, root, name)
  local side = side_of()
  conversation.upgraded[side] = conversation.upgraded[side] or { number = here.number, name = name }
  if not name:find("^TLS") then return show_skipped(bytes, from, bytes:len() - from, root, name) end
  local before = pinfo.can_desegment
  inside_tls, pinfo.can_desegment = true, 2 -- a dissector that is called has one less
  Dissector.get("tls"):call(bytes(from):tvb(), pinfo, root)
  inside_tls, pinfo.can_desegment = false, before
  return ""
end

-- Whether more segments can be waited for.
local function may_wait(bytes) return pinfo.can_desegment > 0 and bytes:reported_len() == #data end

-- Waits for the rest of what begins at a place.
local function wait_for(from, missing)
  pinfo.desegment_offset, pinfo.desegment_len = from, missing
  if view.follows then talks.wait(missing) end
end

function dissect_stream(bytes, root)
  local length = #data
  local upgraded = conversation.upgraded[side_of()]
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

-- What the fields of a packet say of this protocol: conversations, findings with their sentences, links.
function packet_menu.read(...)
  local told, known = { conversations = {}, findings = {}, commands = {} }, {}
  for _, each in ipairs({ ... }) do
    local name = each.name
    if name == "frame.number" then told.packet = tonumber(tostring(each.value))
    elseif name == "tcp.stream" then told.flow = tonumber(tostring(each.value))
    elseif name == NAME .. ".command" then table.insert(told.commands, tostring(each.value))
    elseif name == NAME .. ".conversation" then
      local id = tostring(each.value)
      if not known[id] then told.conversations[#told.conversations + 1], known[id] = id, true end
    elseif name == NAME .. ".request_frame" then told.request = tostring(each.value)
    elseif name == NAME .. ".response_frame" then told.response = tostring(each.value)
    elseif name == NAME .. ".response_time" then told.time = tostring(each.value)
    elseif name == "_ws.expert.message" then table.insert(told.findings, tostring(each.value)) end
  end
  return told
end

-- The display filter of the conversations of a packet.
function packet_menu.follow(told)
  local texts = {}
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
        found[#found + 1] = { id = id, packet = math.floor(id), conversation = talks.id_at(id), rule = each.rule, text = each.text, cause = each.cause }
      end
    end
  end
  table.sort(found, function(one, other) return one.id < other.id or one.id == other.id and one.rule.id < other.rule.id end)
  return found
end

local RANK = { ERROR = 3, WARN = 2, NOTE = 1 }

-- The finding that most likely explains a packet: the earliest of the worst in its conversation, else in its connection.
function packet_menu.cause(told)
  local is_own, best, best_rank = {}, nil, 0
  for _, id in ipairs(told.conversations) do is_own[id] = true end
  for _, each in ipairs(all_findings(told.flow)) do
    local rank = (RANK[each.rule.severity] or 0) + (is_own[each.conversation] and 10 or 0)
    if rank > best_rank then best, best_rank = each, rank end
  end
  return best
end

-- Sentences about a packet: what it is, what it answers, what is wrong with it and with its connection.
function packet_menu.explain(told)
  local lines = { ("Packet %d: %s"):format(told.packet, table.concat(told.commands, ", ")), "" }
  if told.request then lines[#lines + 1] = ("It answers packet %s%s."):format(told.request, told.time and " after " .. told.time .. " s" or "") end
  if told.response then lines[#lines + 1] = ("Packet %s answers it."):format(told.response) end
  if not told.request and not told.response then lines[#lines + 1] = "No packet answers it, and it answers none." end
  for _, id in ipairs(told.conversations) do lines[#lines + 1] = "It belongs to the conversation " .. id .. "." end
  for _, text in ipairs(told.findings) do lines[#lines + 1] = "Here: " .. text end
  local found = all_findings(told.flow)
  lines[#lines + 1] = ""
  lines[#lines + 1] = #found == 0 and "Its connection has no findings." or "Findings of its connection:"
  for index, each in ipairs(found) do
    if index > MOST_FINDINGS then
      lines[#lines + 1] = ("... and %d more"):format(#found - MOST_FINDINGS)
      break
    end
    lines[#lines + 1] = ("  packet %d, %s: %s"):format(each.packet, each.rule.id, as_utf8(each.text))
    if each.cause and each.cause ~= "" then lines[#lines + 1] = "    Usual cause: " .. each.cause end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "With the capture saved as a file, this prints the whole story of the connection:"
  lines[#lines + 1] = ("  streamshark explain --flow %d FILE"):format(told.flow or 0)
  return table.concat(lines, "\n") .. "\n"
end

local function filter_by(text)
  if text == "" then return end
  set_filter(text)
  apply_filter()
end

-- Registers the entries; releases before 4.4 have no such menu.
if gui_enabled() and type(register_packet_menu) == "function" and talks.follow then
  local title = TITLE:gsub("/", " ")
  register_packet_menu(title .. "/Follow this conversation", function(...)
    filter_by(packet_menu.follow(packet_menu.read(...)))
  end, NAME .. ".conversation")
  register_packet_menu(title .. "/Explain", function(...)
    TextWindow.new(TITLE .. ": explanation"):set(packet_menu.explain(packet_menu.read(...)))
  end, NAME .. ".command")
  register_packet_menu(title .. "/Go to the cause", function(...)
    local told = packet_menu.read(...)
    local cause = packet_menu.cause(told)
    if cause then filter_by(("frame.number in {%d, %d}"):format(cause.packet, told.packet))
    else TextWindow.new(TITLE .. ": cause"):set("No finding of this connection explains packet " .. (told.packet or "") .. ".\n") end
  end, NAME .. ".command")
end

end

end)()
